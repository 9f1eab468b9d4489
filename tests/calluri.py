#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The two lines of a call, rtpccsink's and rtpccsrc's, as two processes with a link of
800 kbit/s between them; and what they say when something is wrong.

    tests/calluri.py

in an environment that finds the plugins."""
import collections
import re
import select
import socket
import subprocess
import threading
import time
import unittest

SENDER = ('gst-launch-1.0 -v -m videotestsrc is-live=true horizontal-speed=3 '
          '! video/x-raw,width=640,height=480,framerate=25/1 '
          '! x264enc tune=zerolatency speed-preset=superfast ! rtph264pay '
          '! rtpccsink uri=rtp://{host}:{port}{query}')
RECEIVER = 'gst-launch-1.0 -v rtpccsrc uri=rtp://{host}:{port}{query} ! decodebin ! fakesink'
LINK_BPS, QUEUE_S = 800e3, 0.3
SECONDS = 20


def free_port(family, host):
    """One whose next is free as well."""
    while True:
        with socket.socket(family, socket.SOCK_DGRAM) as first, \
                socket.socket(family, socket.SOCK_DGRAM) as second:
            first.bind((host, 0))
            port = first.getsockname()[1]
            try:
                second.bind((host, port + 1))
            except OSError:
                continue
            return port


class Link(threading.Thread):
    """Carries datagrams from a port to another at LINK_BPS, and back at once."""

    def __init__(self, family, host, port, to):
        super().__init__(daemon=True)
        self.near, self.far = (socket.socket(family, socket.SOCK_DGRAM) for _ in range(2))
        self.near.bind((host, port))
        self.to, self.sender = (host, to), None
        self.queue, self.busy_until = collections.deque(), 0
        self.done = False

    def take(self, now):
        data, self.sender = self.near.recvfrom(65536)
        if self.busy_until < now + QUEUE_S:
            self.busy_until = max(self.busy_until, now) + (len(data) + 28) * 8 / LINK_BPS
            self.queue.append((self.busy_until, data))

    def run(self):
        while not self.done:
            wait = self.queue[0][0] - time.monotonic() if self.queue else 0.1
            ready, _, _ = select.select([self.near, self.far], [], [], max(0, wait))
            now = time.monotonic()
            if self.near in ready:
                self.take(now)
            if self.far in ready:
                try:
                    data = self.far.recv(65536)
                except ConnectionError:
                    continue
                if self.sender:
                    self.near.sendto(data, self.sender)
            while self.queue and self.queue[0][0] <= now:
                self.far.sendto(self.queue.popleft()[1], self.to)

    def end(self):
        self.done = True
        self.join()
        self.near.close()
        self.far.close()


def start(line):
    return subprocess.Popen(line.split(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            text=True)


class Call(unittest.TestCase):
    def call(self, host='127.0.0.1', query='', link=True):
        family = socket.AF_INET6 if ':' in host else socket.AF_INET
        port = free_port(family, host)
        way = free_port(family, host) if link else port
        links = [Link(family, host, way + i, port + i) for i in range(2)] if link else []
        for each in links:
            each.start()
        host = f'[{host}]' if ':' in host else host
        receiver = start(RECEIVER.format(host=host, port=port, query=query))
        sender = start(SENDER.format(host=host, port=way, query=query))
        outs = {}
        readers = [threading.Thread(target=lambda k=k, p=p: outs.update({k: p.stdout.read()}))
                   for k, p in (('sender', sender), ('receiver', receiver))]
        for reader in readers:
            reader.start()
        time.sleep(SECONDS)
        for program in (sender, receiver):
            program.send_signal(2)
        for reader in readers:
            reader.join(20)
        self.assertEqual((sender.wait(20), receiver.wait(20)), (0, 0), outs)
        for program in (sender, receiver):
            program.stdout.close()
        for each in links:
            each.end()
        for out in outs.values():
            self.assertNotRegex(out, 'CRITICAL|WARNING|ERROR')
        # decoded
        self.assertRegex(outs['receiver'], r'fakesink0.*caps = video/x-raw')
        return [int(bps) for bps in re.findall(r'adapter0: encoder-bitrate = (\d+)',
                                               outs['sender'])], outs['sender']

    def follows(self, rates, out):
        # It starts at 300 and is not told of the link.
        print('encoder, kbit/s:', [bps // 1000 for bps in rates[-10:]])
        self.assertIn('GstRtpCcBin,', out)
        last = rates[len(rates) // 2:]
        self.assertGreater(sum(last) / len(last), 0.6 * LINK_BPS)
        self.assertLess(sum(last) / len(last), 1.05 * LINK_BPS)

    def test_two_ports(self):
        self.follows(*self.call())

    def test_one_port(self):
        self.follows(*self.call(query='?rtcp-mux=true'))

    @unittest.skipUnless(socket.has_ipv6, 'no IPv6 here')
    def test_ipv6(self):
        self.follows(*self.call(host='::1'))


class Words(unittest.TestCase):
    def says(self, line, pattern):
        done = subprocess.run(line.split(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, timeout=30)
        self.assertNotEqual(done.returncode, 0)
        self.assertRegex(done.stdout, pattern)

    def test_bad_port(self):
        for port in ('99999', 'x', '0', ''):
            self.says(f'gst-launch-1.0 rtpccsrc uri=rtp://127.0.0.1:{port} ! fakesink',
                      r'is bad or missing: write one from 1 to 65534|is no address: write rtp')

    def test_port_in_use(self):
        port = free_port(socket.AF_INET, '127.0.0.1')
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
            other.bind(('127.0.0.1', port))
            self.says(f'gst-launch-1.0 rtpccsrc uri=rtp://127.0.0.1:{port} ! fakesink',
                      rf'Port {port} of 127.0.0.1 cannot be had .*take another port')

    def test_unknown_host(self):
        self.says('gst-launch-1.0 videotestsrc ! x264enc ! rtph264pay '
                  '! rtpccsink uri=rtp://nobody.invalid:5004',
                  r'The host "nobody.invalid" is not known')

    def test_unknown_property(self):
        self.says('gst-launch-1.0 rtpccsrc uri=rtp://127.0.0.1:5004?nonsense=1 ! fakesink',
                  r'"nonsense" behind the \? of the URI is no property')

    def test_lengths(self):
        self.assertLessEqual(len(RECEIVER.replace('gst-launch-1.0 -v ', '').split()), 6)
        line = SENDER[SENDER.index('! x264enc'):]
        self.assertLessEqual(len(line.split()), 12)


if __name__ == '__main__':
    unittest.main(verbosity=2)
