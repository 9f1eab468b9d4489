#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""linktun over real namespaces and a real kernel: linktun.py LINKTUN.  Skipped where /dev/net/tun
or the rights for it are missing.

Times are judged as the log has them, which waking late does not move; of what a busy machine
can spoil only the half is, with room."""
import contextlib
import csv
import ctypes
import os
import pathlib
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import unittest

LINKTUN = sys.argv.pop(1)
CLONE_NEWNET = 0x40000000
IP_RECVTOS, IPV6_RECVTCLASS, IPV6_TCLASS = 13, 66, 67
HERE = {socket.AF_INET: '10.77.0.%d', socket.AF_INET6: 'fd77::%d'}
LATE = 3                                # the exit status after more than 5 ms
PACKET = 972                            # bytes of UDP; 1000 with its headers over IPv4


class Namespaces:
    """Two of them.  Each lasts as long as its process, which ends with our end of the pipe."""

    def __init__(self):
        self.keepers = [subprocess.Popen(['unshare', '--net', 'cat'], stdin=subprocess.PIPE)
                        for _ in range(2)]
        ours = os.readlink('/proc/self/ns/net')
        for keeper in self.keepers:
            for _ in range(500):
                if keeper.poll() is None and os.readlink(f'/proc/{keeper.pid}/ns/net') != ours:
                    break
                time.sleep(.01)

    def close(self):
        for keeper in self.keepers:
            keeper.stdin.close()
            keeper.wait(10)

    def names(self):
        return [str(keeper.pid) for keeper in self.keepers]

    def socket(self, which, family=socket.AF_INET):
        """A UDP socket in one of them, bound to 5000; a thread of its own goes there for it."""
        made = []

        def make():
            with open(f'/proc/{self.keepers[which].pid}/ns/net', 'rb') as place:
                if ctypes.CDLL(None, use_errno=True).setns(place.fileno(), CLONE_NEWNET):
                    raise OSError(ctypes.get_errno(), 'setns')
            made.append(socket.socket(family, socket.SOCK_DGRAM))
            made[0].bind((HERE[family] % (which + 1), 5000))
            made[0].settimeout(5)

        thread = threading.Thread(target=make)
        thread.start()
        thread.join()
        return made[0]


def run(*options, **more):
    return subprocess.run([LINKTUN, *options], text=True, capture_output=True, timeout=30, **more)


def why_not():
    """None: it can be tried."""
    try:
        spaces = Namespaces()
    except OSError as error:
        return str(error)
    try:
        done = run('--duration', '.01', *spaces.names())
    finally:
        spaces.close()
    return None if done.returncode in (0, LATE) else done.stderr.strip()


class Link:
    """linktun at work; rows has its log after stop()."""

    def __init__(self, spaces, scenario, *options):
        self.folder = tempfile.TemporaryDirectory()
        folder = pathlib.Path(self.folder.name)
        self.log = folder / 'log.csv'
        (folder / 'scenario').write_text(scenario)
        self.process = subprocess.Popen(
            [LINKTUN, '--scenario', folder / 'scenario', '--log', self.log, *options,
             *spaces.names()], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert self.process.stdout.readline() == 'ready\n', self.process.stderr.read()

    def stop(self, number=signal.SIGTERM):
        """What it printed; the log is in self.rows."""
        self.process.send_signal(number)
        out, self.complaint = self.process.communicate(timeout=10)
        with self.log.open() as file:
            self.every = list(csv.DictReader(file))
        self.rows = [row for row in self.every if row['destination'] == '5000']
        self.folder.cleanup()
        return out

    def passed(self):
        return [row for row in self.rows if row['outcome'] == 'passed']


@unittest.skipIf(WHY := why_not(), f'no link between namespaces here: {WHY}')
class Linktun(unittest.TestCase):
    def setUp(self):
        self.spaces = Namespaces()
        self.addCleanup(self.spaces.close)

    def link(self, scenario, *options):
        link = Link(self.spaces, scenario, *options)
        self.addCleanup(link.process.kill)
        return link

    def pair(self, family=socket.AF_INET):
        ends = [self.spaces.socket(which, family) for which in range(2)]
        for end in ends:
            self.addCleanup(end.close)
        return ends

    def times(self, link, direction, rate, delay):
        """Each begins when it has arrived and the one before has left.  The kernel's own packets
        (IPv6's neighbours and groups) are served between ours."""
        free = 0
        rows = [row for row in link.every
                if row['direction'] == direction and row['outcome'] == 'passed']
        for row in rows:
            arrived, departed, delivered = (float(row[key]) for key in
                                            ('arrived', 'departed', 'delivered'))
            service = int(row['length']) * 8 / rate if rate else 0
            self.assertAlmostEqual(departed, max(arrived, free) + service, 8)
            self.assertAlmostEqual(delivered, departed + delay, 8)
            free = departed

    def test_delay(self):
        """20 ms and the 8 ms that 1000 bytes take at 1 Mbit/s; back 5 ms, unlimited."""
        link = self.link('0 fwd rate 1M delay 20\n0 rev delay 5\n')
        for family, size in (socket.AF_INET, PACKET), (socket.AF_INET6, PACKET - 20):
            ends = self.pair(family)
            for sender, ideal in (0, .028), (1, .005):
                delays = []
                for _ in range(40):
                    before = time.monotonic()
                    ends[sender].sendto(bytes(size), (HERE[family] % (2 - sender), 5000))
                    self.assertEqual(len(ends[1 - sender].recv(2000)), size)
                    delays.append(time.monotonic() - before - ideal)
                self.assertGreaterEqual(min(delays), 0)
                self.assertLess(statistics.median(delays), .002)
        link.stop()
        for row in link.passed():
            self.assertEqual([row[key] for key in ('length', 'protocol', 'source')],
                             ['1000', '17', '5000'])
        self.times(link, 'fwd', 1e6, .020)
        self.times(link, 'rev', 0, .005)
        self.assertEqual(len(link.passed()), 160)
        self.assertEqual({row['version'] for row in link.passed()}, {'4', '6'})

    def test_rate_and_queue(self):
        """Of 150 at once 20 find room, and one is in service; they leave 4 ms apart."""
        link = self.link('0 fwd rate 2M queue 20\n')
        sender, receiver = self.pair()
        for _ in range(150):
            sender.sendto(bytes(PACKET), ('10.77.0.2', 5000))
        came = 0
        receiver.settimeout(1)
        with contextlib.suppress(TimeoutError):     # what is under way at the end has no outcome
            while came < 150:
                receiver.recv(2000)
                came += 1
        link.stop()
        outcomes = [row['outcome'] for row in link.rows]
        self.assertEqual(len(outcomes), 150)
        self.assertEqual(outcomes.count('passed'), came)
        self.assertEqual(set(outcomes), {'passed', 'queue'})
        # what the link served while the kernel handed the others over found room as well
        self.assertIn(outcomes.count('passed'), range(21, 27))
        self.times(link, 'fwd', 2e6, 0)

    def test_marks(self):
        """CE where a packet may be marked and finds another.  The kernel would throw away one
        with a wrong checksum."""
        link = self.link('0 fwd rate 1M ecn 0\n')
        for family, level, mark, told in (
                (socket.AF_INET, socket.IPPROTO_IP, socket.IP_TOS, IP_RECVTOS),
                (socket.AF_INET6, socket.IPPROTO_IPV6, IPV6_TCLASS, IPV6_RECVTCLASS)):
            sender, receiver = self.pair(family)
            receiver.setsockopt(level, told, 1)
            sender.setsockopt(level, mark, 2)
            for _ in range(3):
                sender.sendto(bytes(500), (HERE[family] % 2, 5000))
            marks = [receiver.recvmsg(2000, 100)[1][0][2][0] & 3 for _ in range(3)]
            self.assertEqual(marks[1:], [3, 3])
            self.assertIn(marks[0], (2, 3))
        out = link.stop()
        self.assertRegex(out, r'fwd: .* marked [456]\n')

    def test_woken_late(self):
        """It stands still for 150 ms: the packets' times are as if it had not, and it says so."""
        link = self.link('0 fwd rate 1M delay 10\n')
        sender, receiver = self.pair()
        for _ in range(10):
            sender.sendto(bytes(PACKET), ('10.77.0.2', 5000))
        time.sleep(.02)
        link.process.send_signal(signal.SIGSTOP)
        time.sleep(.15)
        link.process.send_signal(signal.SIGCONT)
        for _ in range(10):
            receiver.recv(2000)
        link.stop()
        self.assertEqual(link.process.returncode, LATE)
        self.assertRegex(link.complaint, r'^linktun: it came 1?\d\d\.\d ms late: repeat ')
        self.times(link, 'fwd', 1e6, .010)
        self.assertGreater(max(float(row['late']) for row in link.passed()), .05)

    def test_still_on_an_idle_link(self):
        link = self.link('0 fwd rate 1M\n')
        link.process.send_signal(signal.SIGSTOP)
        time.sleep(.1)
        link.process.send_signal(signal.SIGCONT)
        time.sleep(.02)
        link.stop()
        self.assertEqual(link.process.returncode, LATE)

    def test_ends(self):
        for number in signal.SIGTERM, signal.SIGINT, signal.SIGHUP:
            link = self.link('0 fwd rate 1M delay 500\n')
            sender, _receiver = ends = self.pair()
            sender.sendto(bytes(PACKET), ('10.77.0.2', 5000))
            time.sleep(.05)
            out = link.stop(number)
            self.assertIn(link.process.returncode, (0, LATE))
            self.assertRegex(out, 'fwd: in [1-9].*\nrev: .*\npackets late: .*\nwake-ups late: .*\n')
            for end in ends:
                end.close()
            # the devices are gone: it can begin again
        done = run('--duration', '.1', *self.spaces.names())
        self.assertIn(done.returncode, (0, LATE), done.stderr)

    def test_rightless(self):
        if os.geteuid():
            self.skipTest('we have no rights to give away')
        done = run('--duration', '.1', *self.spaces.names(), user=65534)
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertRegex(done.stderr, '^linktun: .* It needs root, or unshare -rn .*\n$')

    def test_user_namespace(self):
        script = ('unshare --net sleep 5 & a=$!; unshare --net sleep 5 & b=$!; sleep .3; '
                  f'"{LINKTUN}" --duration .2 $a $b; status=$?; kill $a $b; exit $status')
        done = subprocess.run(['unshare', '--map-root-user', '--net', 'sh', '-c', script],
                              text=True, capture_output=True, timeout=30)
        if done.returncode == 4 or 'unshare' in done.stderr:
            self.skipTest(done.stderr.strip())
        self.assertIn(done.returncode, (0, LATE), done.stderr)
        self.assertIn('ready\n', done.stdout)


class Usage(unittest.TestCase):
    def test_mistakes(self):
        for options in ('--nonsense', 'a', 'b'), ('a',), ('--duration=-1', 'a', 'b'), \
                ('--priority', '100', 'a', 'b'), ('--scenario', '/nonsense', 'a', 'b'):
            done = run(*options)
            self.assertEqual(done.returncode, 2, options)
            self.assertRegex(done.stderr, '^linktun: .*\n$')

    def test_no_such_namespace(self):
        done = run('no-such', 'one')
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, '^linktun: the network namespace no-such cannot be opened ')


if __name__ == '__main__':
    unittest.main(verbosity=2)
