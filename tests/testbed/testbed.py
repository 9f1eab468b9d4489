#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""tools/testbed: testbed.py SOURCE BUILD.  What needs namespaces and /dev/net/tun is skipped
without them.  Bounds are of what a busy machine leaves alone."""
import argparse
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import types
import unittest

SOURCE, BUILD = pathlib.Path(sys.argv.pop(1)), pathlib.Path(sys.argv.pop(1))
TESTBED = [sys.executable, str(SOURCE / 'tools' / 'testbed'), '--build', str(BUILD)]
SMALL = 'resolution=320x240,fps=15'
LATE, RIGHTS = 3, 4
sys.path.insert(0, str(SOURCE / 'tools'))
from live import beside, campaign, figures, flows, frames, internet, peers, pictures  # noqa: E402
from live import run as live_run, sandbox, tables, traffic  # noqa: E402


def run(*options, **more):
    return subprocess.run([*TESTBED, *options], text=True, capture_output=True, timeout=100, **more)


def status(pid, name):
    """A line of it, or None of a process that has ended."""
    try:
        for line in pathlib.Path(f'/proc/{pid}/status').read_text().splitlines():
            if line.startswith(name):
                return line.split()[1]
    except OSError:
        pass
    return None


def family(pid):
    """The process and all below it."""
    parents = {file.parent.name: status(file.parent.name, 'PPid:')
               for file in pathlib.Path('/proc').glob('[0-9]*/status')}
    found, more = set(), {str(pid)}
    while more:
        found |= more
        more = {child for child, parent in parents.items() if parent in more} - found
    return found


def namespaces(pids):
    """The network namespaces of those of these processes that we may look at."""
    found = set()
    for pid in pids:
        try:
            found.add(os.readlink(f'/proc/{pid}/ns/net'))
        except OSError:
            pass
    return found


def everybody():
    return [path.name for path in pathlib.Path('/proc').glob('[0-9]*')]


def processes(word):
    """Those whose command line has the word."""
    found = []
    for file in pathlib.Path('/proc').glob('[0-9]*/cmdline'):
        try:
            if word.encode() in file.read_bytes():
                found.append(file.parent.name)
        except OSError:
            pass
    return found


@unittest.skipIf(WHY := sandbox.why_not(), f'no testbed here: {WHY}')
class Live(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix='testbed-test-')
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_calls_beside_tcp(self):
        done = run('--link', 'constant:2M', '--duration', '9', '--json', self.folder / 'all.json',
                   '--call', f'cc=gcc,feedback=twcc,{SMALL}', '--call', f'cc=scream,{SMALL}',
                   '--tcp', 'cc=reno,start=2', '--tcp', 'kind=short,count=2')
        self.assertIn(done.returncode, (0, LATE), done.stderr)
        lines = done.stdout.splitlines()
        self.assertRegex(lines[0], '^constant:2M, 9 s, n = 1$')
        self.assertEqual([line.split('|')[1].strip() for line in lines[3:7]],
                         ['gcc twcc', 'scream', '1 long TCP reno', '2 short TCP cubic'])
        self.assertRegex(lines[7], r'^timers of 4 processes: 99 % within \d+\.\d ms in the worst$')
        run_, = json.loads((self.folder / 'all.json').read_text())['runs']
        gcc, scream, reno, _short = run_['flows']
        for call in gcc, scream:
            self.assertGreater(call['rate'], 50)
            self.assertGreater(call['frames'], 60)
            self.assertGreater(call['frames-sent'], 60)
            self.assertLessEqual(call['frames-lost'], call['frames-sent'])
            self.assertLess(call['goodput'], call['rate'])
            self.assertGreater(call['psnr'], 20)
            self.assertGreaterEqual(call['delay'], 50)
            self.assertGreaterEqual(call['rtt'], 100)
        # TCP's own count is without its headers, and without what was on its way at the end
        self.assertGreater(reno['goodput'], 200)
        self.assertLess(reno['goodput'], reno['rate'])
        # 9 s, and what the queue had at the end
        self.assertLess(sum(flow['bytes'] for flow in run_['flows']) * 8, 2e6 * 10.5)
        self.assertAlmostEqual(sum(flow['share'] for flow in run_['flows']), 1)
        chapter = re.search(r'^## tools/testbed\n(.*?)^## ', (SOURCE / 'docs/json.md').read_text(),
                            re.S | re.M)[1]
        # after is of a receiver that is killed
        self.assertEqual({name for flow in run_['flows'] for name in flow} | {'after'},
                         set(re.findall(r'^\| `runs\[\]\.flows\[\]\.(\S+)`', chapter, re.M)))

    def test_parity(self):
        """The figures of the FBRA paper, from both ends: all of a link that loses."""
        link = self.folder / 'link'
        link.write_text('0 both rate 1M delay 20\n2 fwd loss 5%\n')
        done = run('--link', link, '--duration', '9', '--json', '--call',
                   f'cc=fbra,fec-protection=3,repair=off,audio=off,gop=14,{SMALL}')
        self.assertIn(done.returncode, (0, LATE), done.stderr)
        call, = json.loads(done.stdout)['runs'][0]['flows']
        self.assertGreater(call['parity'], 5)
        self.assertGreater(call['frames-lost'], 0)
        self.assertGreater(call['frames-protected'], 0)
        self.assertGreater(call['frames-recovered'], 0)
        self.assertLessEqual(call['frames-recovered'], call['frames-protected'])
        self.assertLess(call['frames-lost'], .5 * call['frames-sent'])
        self.assertAlmostEqual(call['ffre'], call['frames-recovered'] / call['frames-protected'])
        if call['probes']:
            self.assertLessEqual(call['frcc'], 1)

    def test_a_campaign_goes_on(self):
        """Of two runs one is kept: one is made, and the table is of both."""
        kept = campaign.Kept(self.folder / 'runs.csv', False)
        text = f'cc=none,start-bitrate=200k,{SMALL}'
        kept.add(('run', f'constant:1M {text}', 1, 3.), {'seed': 1, 'in-time': True, 'flows': [
            {'name': 'none', 'rate': 100., 'bytes': 1000, 'psnr': None, 'machine': True}]})
        done = run('--duration', '3', '--runs', '2', '--jobs', '2', '--csv',
                   self.folder / 'runs.csv', '--resume', '--call', text, '--keep', self.folder)
        self.assertIn(done.returncode, (0, LATE), done.stderr)
        self.assertRegex(done.stdout, r'^constant:1M, 3 s, n = 2, mean ±sd\n')
        self.assertEqual([path.name for path in self.folder.glob('run-?')], ['run-2'])
        again = campaign.Kept(self.folder / 'runs.csv', True)
        self.assertEqual({key[2] for key in again.runs}, {1, 2})
        # nothing is left to do, and nothing is begun that there is no time for
        done = run('--duration', '3', '--runs', '2', '--csv', self.folder / 'runs.csv', '--resume',
                   '--call', text)
        self.assertIn('n = 2', done.stdout)
        done = run('--duration', '3', '--runs', '3', '--minutes', '.05', '--csv',
                   self.folder / 'runs.csv', '--resume', '--call', text)
        self.assertIn('n = 2', done.stdout)

    def test_a_late_run_does_not_count(self):
        kept = campaign.Kept(self.folder / 'runs.csv', False)
        flow = {'name': 'FBRA call 1', 'goodput': 300., 'psnr': 36., 'machine': True}
        for seed, in_time in (1, True), (2, False):
            kept.add(('table4', 'FBRA, 50 ms', seed, 20.),
                     {'seed': seed, 'in-time': in_time, 'flows': [flow]})
        done = run('table4', '--controllers', 'FBRA', '--delays', '50', '--runs', '2', '--duration', '20',
                   '--minutes', '.01', '--csv', self.folder / 'runs.csv', '--resume')
        self.assertEqual(done.returncode, LATE, done.stderr)
        self.assertIn('n = 1 ', done.stdout)
        self.assertIn('1 of 2 runs', done.stderr)

    def test_a_receiver_is_killed(self):
        done = run('--link', 'constant:2M', '--duration', '8', '--json', self.folder / 'all.json',
                   '--call', f'cc=none,start-bitrate=300k,breaker=off,killed=3,{SMALL}')
        self.assertIn(done.returncode, (0, LATE), done.stderr)
        flow, = json.loads((self.folder / 'all.json').read_text())['runs'][0]['flows']
        # nothing in that call adapts, so it is sent on
        self.assertGreater(flow['after'], 150)
        self.assertNotIn('psnr', flow)

    @unittest.skipUnless(os.environ.get('RCC_THOROUGH'), 'long: set RCC_THOROUGH=1')
    def test_checks(self):
        """A busy machine may miss what is asked, but not what is printed."""
        done = run('links', '--duration', '4', '--json', self.folder / 'links.json')
        self.assertIn(done.returncode, (0, LATE), done.stderr)
        self.assertRegex(done.stdout, r'8 links at once, 4 s: one-way delays within \S+ ms of the '
                         r'ideal in 99 % \(asked: 0\.3\), rates within \S+ % ')
        links = json.loads((self.folder / 'links.json').read_text())['links']
        self.assertEqual(len(links), 8)
        for link in links:
            self.assertGreater(link['packets'], 180)
            self.assertGreaterEqual(link['p50'], 0)
            self.assertLess(abs(link['rate']), 2)
        done = run('cross')
        self.assertIn(done.returncode, (0, LATE), done.stderr)
        self.assertRegex(done.stdout, r'\| linktun \| 1\d{3}\..*\n\| rccsim \| 1\d{3}\.')

    @unittest.skipUnless(os.environ.get('RCC_THOROUGH'), 'long: set RCC_THOROUGH=1')
    def test_a_sender_that_moves_and_a_receiver_that_comes_back(self):
        done = run('long', '--duration', '48', '--link', 'constant:1M', '--json',
                   self.folder / 'long.json', '--call', f'cc=gcc,feedback=twcc,{SMALL}')
        self.assertIn(done.returncode, (0, LATE), done.stderr)
        made = json.loads((self.folder / 'long.json').read_text())
        before, _, then = made['sent-around-move']
        self.assertGreater(before, 100)
        self.assertGreater(then, .5 * before)
        self.assertLess(made['back'], 5)

    def interrupted(self, number):
        """Stops it in the middle of a run; its exit code, and what is left of it."""
        command = [*TESTBED, '--duration', '30', '--keep', self.folder, '--call', SMALL]
        with subprocess.Popen(command, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as process:
            end = time.monotonic() + 20
            while not processes(f'{self.folder}/run-1/sender') and time.monotonic() < end:
                time.sleep(.1)
            self.assertTrue(processes(f'{self.folder}/run-1/sender'))
            # others on this machine may make and leave some as well
            made = namespaces(family(process.pid)) - namespaces(['self'])
            self.assertGreater(len(made), 1)
            process.send_signal(number)
            process.wait(20)
        end = time.monotonic() + 15
        while processes(str(self.folder)) and time.monotonic() < end:
            time.sleep(.1)
        return process.returncode, processes(str(self.folder)), namespaces(everybody()) & made

    def test_ctrl_c_leaves_nothing(self):
        self.assertEqual(self.interrupted(signal.SIGINT), (130, [], set()))

    def test_killed_it_leaves_nothing(self):
        self.assertEqual(self.interrupted(signal.SIGKILL), (-9, [], set()))

    def test_what_fails_is_said(self):
        film = self.folder / 'film.mp4'
        film.write_text('not a film')
        done = run('--duration', '5', '--call', f'input={film}')
        self.assertEqual((done.returncode, done.stdout), (1, ''))
        self.assertRegex(done.stderr, r'^tools/testbed: (sender|receiver)-5000 has ended: '
                         r'.*film\.mp4.*\n$')


class Refusals(unittest.TestCase):
    def refused(self, status, sentence, *options, **more):
        done = run(*options, **more)
        self.assertEqual((done.returncode, done.stdout), (status, ''), done.stderr)
        self.assertRegex(done.stderr, f'^tools/testbed: {sentence}.*\\.\n$')

    def test_rightless(self):
        if os.geteuid():
            self.skipTest('we have no rights to give away')
        if os.path.exists(sandbox.TUN) and os.stat(sandbox.TUN).st_mode & 0o6 == 0o6:
            self.skipTest(f'{sandbox.TUN} lets everybody in')
        self.refused(RIGHTS, '(there is no )?/dev/net/tun', user=65534)

    def test_mistakes(self):
        for sentence, *options in (
                ('--call takes NAME=VALUE', '--call', 'gcc'),
                ('--call takes NAME=VALUE', '--call', 'nonsense=1'),
                ('count of --call is a number', '--call', 'count=no'),
                ('audio of --call is on or off', '--call', 'audio=no'),
                ('input of --call is a film or test', '--call', 'input=/no/film'),
                ('the kernel has no TCP nonsense', '--tcp', 'cc=nonsense'),
                ('kind of --tcp is long or short', '--tcp', 'kind=wide'),
                ('.* begins after the end', '--duration', '5', '--tcp', 'start=5'),
                ('.* is killed too late', '--duration', '9', '--call', 'killed=4.5'),
                ('killed of --call is a number', '--call', 'killed=no'),
                ('--duration is at least', '--duration', '1'),
                ('--controllers takes FBRA', 'table4', '--controllers', 'fbra'),
                ('--controllers takes rtpgccbwe kalman', 'peers', '--controllers', 'GCC'),
                ('--controllers takes GCC REMB', 'beside', '--controllers', 'GCC'),
                ('--delays takes 50, 100', 'table5', '--delays', '240'),
                ('--resume goes on with', '--resume'),
                ('--jobs is 1 to 64', '--jobs', '0'),
                ('--tcp-flows is at least 1', 'table5', '--tcp-flows', '0'),
                ('a long call takes at least 16 s', 'long', '--duration', '15'),
                ('--tcp-flows is for table5', 'table4', '--tcp-flows', '3'),
                ('--delays is for table4', 'peers', '--delays', '50'),
                ('--controllers is for table4', '--controllers', 'GCC'),
                ('a figure takes at least 10 s', 'figure9', '--duration', '9'),
                ('--data is for figure9', 'table4', '--data', 'points'),
                ('--data has the points of runs that are made now', 'figure9', '--data', 'points',
                 '--csv', 'new.csv', '--resume'),
                ('.* has no runs of the testbed', '--csv', __file__, '--resume'),
                ('.* is there: go on with --resume', '--csv', __file__),
                ('--call and --tcp are for run', 'table4', '--call', 'cc=gcc'),
                ('probe-protection of --call is on or off', '--call', 'probe-protection=1'),
                ('.* is not built', '--build', '/nonexistent')):
            with self.subTest(' '.join(options)):
                self.refused(2, sentence, *options)

    def test_installed(self):
        """It finds what stands in the PATH, and says what is not there."""
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(SOURCE / 'tools', f'{folder}/tools', ignore=lambda _, names: [
                name for name in names if name not in ('testbed', 'live', 'experiments')
                and not name.endswith('.py')])
            testbed = [sys.executable, f'{folder}/tools/testbed']
            for place, sentence in (('/usr/bin', 'rtpcall is not in the PATH: install .*'),
                                    (f'{BUILD}/tools', 'linktun is not in the PATH: .*')):
                done = subprocess.run(testbed, env={'PATH': place}, text=True,
                                      capture_output=True, timeout=60)
                self.assertEqual(done.returncode, 2)
                self.assertRegex(done.stderr, f'^tools/testbed: {sentence}\n$')


class Figures(unittest.TestCase):
    """Without a network."""

    def test_log(self):
        with tempfile.TemporaryDirectory() as folder:
            log = pathlib.Path(folder) / 'log'
            head = ('direction,number,outcome,arrived,departed,delivered,late,length,ecn-before,'
                    'ecn,version,protocol,source,destination\n')
            row = '{},{},{},{},0,{},0,1000,{},{},4,17,1,{}\n'
            log.write_text(head + ''.join(row.format(*values) for values in (
                ('fwd', 0, 'passed', 1, 1.05, 1, 1, 5000),
                ('fwd', 1, 'passed', 2, 2.15, 1, 3, 5000),
                ('fwd', 2, 'queue', 3, '', 0, 0, 5000), ('fwd', 3, 'passed', 3, 3.5, 3, 3, 7000),
                ('rev', 0, 'passed', 1, 9, 0, 0, 5000))))
            flows = figures.of_log(log)
        self.assertEqual(set(flows), {5000, 7000})
        call = figures.of_link(flows, 5000, 10)
        self.assertAlmostEqual(call['rate'], 1.6)
        self.assertAlmostEqual(call['loss'], 1 / 3)
        self.assertAlmostEqual(call['marked'], 1 / 3)
        self.assertAlmostEqual(call['delay-max'], 150)
        self.assertEqual(figures.of_link(flows, 7000, 10)['marked'], 0)
        # one packet in the first third of its time, two in the second, none behind its end
        self.assertEqual(figures.by_thirds([(1.9, 7), (2.5, 1000), (4, 500), (5, 250), (8, 9)], 2, 6),
                         {'rate-1': 4., 'rate-2': 3., 'rate-3': 0.})
        self.assertEqual(figures.of_link(flows, 5010, 10)['rate'], 0)

    def test_frames(self):
        """Of six frames of two packets: whole; one lost and repaired; one lost behind parity that
        cannot; two lost without; one late; still on its way when it ended."""
        sent, heard = [], []
        for frame in range(6):
            clock = 1000000 + 66000 * frame + (4000000 if frame == 5 else 0)
            sent += [(clock, 'sent', 'video', 2 * frame + i, 90 * frame, 1000, '')
                     for i in range(2)]
        sent.insert(4, (1070000, 'sent', 'parity', 99, 90, 1000, '2 3'))
        sent.insert(7, (1140000, 'sent', 'parity', 99, 180, 1000, '4 5'))
        for frame, number, after in (0, 0, 50), (0, 1, 50), (1, 2, 50), (2, 4, 50), (4, 8, 401), \
                (4, 9, 399):
            clock = 1000000 + 66000 * frame + 1000 * after
            heard.append((clock, 'arrived', 'video', number, 90 * frame, 1000, ''))
        for frame, numbers in (0, 2), (1, 2), (2, 1), (4, 1):
            heard += [(2000000, 'decoded', 'video', 100 + i, 90 * frame, 1000, '')
                      for i in range(numbers)]
        with tempfile.TemporaryDirectory() as folder:
            for name, rows in ('sent', sent), ('heard', heard):
                pathlib.Path(folder, name).write_text(
                    'clock,place,kind,number,timestamp,size,covers\n'
                    + ''.join(','.join(map(str, row)) + '\n' for row in rows))
            made = frames.of_packets(f'{folder}/sent', f'{folder}/heard', 1)
        self.assertEqual(made, {'frames-sent': 5, 'frames-lost': 4, 'frames-protected': 2,
                                'frames-recovered': 1, 'ffre': .5, 'goodput': 6 * 8})

    def test_kept(self):
        """What was written is read again; nothing of a run that failed is there."""
        made = {'seed': 3, 'in-time': False, 'flows': [
            {'name': 'a, "b"', 'rate': 1234.5678, 'psnr': None, 'machine': False},
            {'name': 'TCP', 'goodput': 1.}]}
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / 'runs.csv'
            kept = campaign.Kept(path, False)
            kept.add(('table4', 'FBRA, 50 ms', 3, 20.), made)
            kept.add(('table4', 'FBRA, 50 ms', 1, 20.), {**made, 'seed': 1})
            again = campaign.Kept(path, True)
            self.assertEqual(list(again.runs), [('table4', 'FBRA, 50 ms', n, 20.) for n in (1, 3)])
            read = again.runs['table4', 'FBRA, 50 ms', 3, 20.]
            self.assertEqual((read['seed'], read['in-time']), (3, False))
            self.assertTrue(again.lacks(('table4', 'FBRA, 50 ms', 3, 20.)))
            self.assertEqual(read['flows'][0], {'name': 'a, "b"', 'rate': 1234.57, 'psnr': None,
                                                'machine': False, 'goodput': None})
            self.assertEqual([path.name for path in pathlib.Path(folder).iterdir()], ['runs.csv'])
            with self.assertRaises(flows.Wrong):
                campaign.Kept(path, False)

    def test_one_run_fails(self):
        """The campaign goes on without it, but for the first, where nothing has worked yet."""
        class Job:
            def __init__(self, seed, works):
                self.seed, self.key, self.works = seed, ('run', 'a', seed, 1.), works

            def why_not(self):
                return None

            def make(self, *_):
                if not self.works:
                    raise live_run.Failed('sender has ended')
                return {'seed': self.seed, 'in-time': True, 'flows': []}

        options = argparse.Namespace(duration=1, jobs=1, minutes=0)
        kept = campaign.Kept(None, False)
        made = campaign.measure([Job(1, True), Job(2, False), Job(3, True)], kept, options)
        self.assertEqual([key[2] for key in made], [1, 3])
        self.assertEqual(kept.failed, ['a, seed 2: sender has ended'])
        with self.assertRaises(live_run.Failed):
            campaign.measure([Job(1, False), Job(2, True)], campaign.Kept(None, False), options)

    def test_processes_share_the_session(self):
        with tempfile.TemporaryDirectory() as folder:
            made = live_run.Run(types.SimpleNamespace(duration=1), 1, folder, None, None)
            process = made.start('sleep', None, ['sleep', '60'])
            try:
                # a session of its own would be scheduled as one, a group of ours has our Ctrl-C
                self.assertEqual(os.getsid(process.pid), os.getsid(0))
                self.assertEqual(os.getpgid(process.pid), process.pid)
            finally:
                process.kill()
                process.wait()

    def test_pictures(self):
        """Bins, and the cases of each figure of the paper."""
        self.assertEqual(pictures.in_bins([(.1, 1), (.3, 2), (.35, 3), (9, 4)], .2, 2),
                         {0: [1], 1: [2, 3]})
        self.assertEqual(pictures.cases('figure9', ['FBRA'], [50, 100]), [
            ('a, 50 ms', 'table4', 'FBRA', 50), ('b, 100 ms', 'table4', 'FBRA', 100)])
        self.assertEqual([case[1:] for case in pictures.cases('figure10', ['RRTCC', 'FBRA'],
                                                              [50, 100])], [
            (table, controller, 100) for table in ('table4', 'table5')
            for controller in ('RRTCC', 'FBRA')])

    def test_figures_of_the_paper(self):
        """Two calls of ten seconds.  One sends 100 kbit/s more in every other second and the other
        less, each packet 100 ms late, and each tenth 500 ms."""
        setup = argparse.Namespace(duration=10., every=flows.every(
            [flows.CallFlow('name=one'), flows.CallFlow('name=two')], [flows.TcpFlow('')]))
        ports = [port for port, flow in setup.every if isinstance(flow, flows.CallFlow)]
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            lines = ['direction,protocol,destination,outcome,length,arrived,delivered']
            for call, port in enumerate(ports):
                (folder / f'receiver-{port}').mkdir()
                (folder / f'receiver-{port}' / 'frames.csv').write_text(
                    'time,psnr\n' + ''.join(f'{i + .5},{30 + i % 2}\n' for i in range(10)))
                for i in range(100):
                    more = (i // 10 + call) % 2
                    lines.append(f'fwd,17,{port},passed,{5000 + 1250 * more},{i / 10},'
                                 f'{i / 10 + (.5 if i % 10 == 0 else .09)}')
            (folder / 'link.csv').write_text('\n'.join(lines) + '\n')
            for what in 'figure9', 'figure10':
                made = {'flows': [{'name': flow.name} for _, flow in setup.every]}
                points = pictures.add(what, 'a, 50 ms', 'FBRA', setup, made, folder)
                rows = pictures.rows_of(what, [made])
                self.assertEqual([row['name'] for row in rows], ['one', 'two'])
                if what == 'figure10':
                    self.assertAlmostEqual(rows[0]['above-400'][0], .1)
                    self.assertAlmostEqual(rows[0]['delay-p99'][0], 500)
                    self.assertAlmostEqual(rows[0]['delay-p5'][0], 90)
                    self.assertEqual({point[0] for point in points}, {'10a'})
                    self.assertEqual({point[3] for point in points}, {'FBRA call 1', 'FBRA call 2'})
                    continue
                self.assertLess(rows[0]['together'][0], -.9)
                self.assertAlmostEqual(rows[0]['settled'][0], 440, delta=25)
                self.assertGreater(rows[1]['settled-sd'][0], 40)
                self.assertAlmostEqual(rows[0]['psnr-sd'][0], .5)
                self.assertAlmostEqual(rows[0]['unused'][0], .1, delta=.03)
                self.assertEqual({point[0] for point in points}, {'9a-rate-FBRA', '9a-psnr-FBRA'})

    def test_a_call_that_stopped(self):
        """It moves with nobody."""
        calls = [argparse.Namespace(rates=rates, psnr=[]) for rates in ([0] * 10, list(range(10)))]
        self.assertIsNone(pictures.seconds_of(calls)[0]['together'])

    def test_pages_end(self):
        """A page is sent to its end, and the next connection comes: nobody waits for a part of a byte."""
        class Draw:
            @staticmethod
            def expovariate(_):
                return 0

            @staticmethod
            def uniform(least, _):
                return least + .5

        with socket.create_server(('127.0.0.1', 0)) as server:
            server.settimeout(20)
            end = time.monotonic() + 20
            sender = threading.Thread(daemon=True, target=traffic.generate, args=(
                server.getsockname(), 'reno', True, end, Draw))
            sender.start()
            for _ in range(3):
                with server.accept()[0] as connection:
                    size = 0
                    while data := connection.recv(1 << 16):
                        size += len(data)
                    self.assertEqual(size, traffic.PAGE[0])

    def test_peers(self):
        """Each case is a scenario, and its capacity is what its name says."""
        with tempfile.TemporaryDirectory() as folder:
            cases = list(peers.setups(['GCC TWCC'], 30, pathlib.Path(folder)))
            self.assertEqual([case for case, *_ in cases], list(peers.CASES))
            for case, _, link, calls, tcps in cases:
                with self.subTest(case):
                    done = subprocess.run([BUILD / 'tools' / 'rccsim', '--scenario', link,
                                           '--duration', '30', '--json'], text=True,
                                          capture_output=True, check=False)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.assertEqual('Cubic' in case, len(tcps) == 1)
                    every = flows.every([flows.CallFlow(text) for text in calls], [])
                    self.assertEqual(len(every), 4 if 'four' in case else 1)
            first = pathlib.Path(cases[0][2]).read_text(encoding='ascii')
            self.assertRegex(first, r'(?m)^10 fwd rate 700k$')
            self.assertRegex(first, r'(?m)^20 fwd rate 2M$')

    def test_beside(self):
        """Each TCP behind each queue; each link is a scenario."""
        with tempfile.TemporaryDirectory() as folder:
            made = list(beside.setups(['GCC TWCC', 'GCC CCFB'], 30, pathlib.Path(folder)))
            self.assertEqual([(case, controller) for case, controller, *_ in made], [
                (case, controller) for case in beside.CASES for controller in ('GCC TWCC', 'GCC CCFB')])
            links = {pathlib.Path(link).read_text(encoding='ascii') for _, _, link, *_ in made}
            self.assertEqual(len(links), len(beside.QUEUES))
            for case, controller, link, calls, tcps in made:
                with self.subTest(case):
                    self.assertEqual(flows.TcpFlow(*tcps).control, case.split()[-1].lower())
                    self.assertEqual(flows.CallFlow(*calls).name, controller)
                    done = subprocess.run([BUILD / 'tools' / 'rccsim', '--scenario', link,
                                           '--duration', '2'], text=True, capture_output=True,
                                          check=False)
                    self.assertEqual(done.returncode, 0, done.stderr)

    def test_tcp_that_the_kernel_lacks(self):
        """Runs with it are left out, and the others go on, also where it would be the first."""
        class Job(campaign.Job):
            def make(self, *_):
                return {'seed': self.seed, 'in-time': True, 'flows': []}

        def job(control, seed):
            return Job('beside', control, types.SimpleNamespace(
                duration=1., tcps=[flows.TcpFlow(f'cc={control}')]), seed, None)

        kept = campaign.Kept(None, False)
        made = campaign.measure([job(control, seed) for seed in (1, 2)
                                 for control in ('nonsense', 'reno')], kept,
                                argparse.Namespace(duration=1, jobs=2, minutes=0))
        self.assertEqual([key[1] for key in made], ['reno', 'reno'])
        self.assertEqual(len(kept.failed), 1)
        self.assertRegex(kept.failed[0], '^nonsense, seed 1, and 1 more: the kernel has no TCP '
                         'nonsense, only')
        self.assertEqual(campaign.by_cause([('a', 'no TCP'), ('b', 'late'), ('c', 'no TCP')]),
                         ['a, and 1 more: no TCP', 'b: late'])

    def test_columns_of_peers(self):
        case = next(iter(peers.CASES))
        titles = [title for title, *_ in peers.columns(case, [{'rate-1': (1., 0.)}, {}])]
        self.assertEqual(titles[1:4], ['1st third', '2nd third', '3rd third'])
        self.assertEqual(peers.columns(case, [{'rate-1': None}, {}]), peers.COLUMNS)
        for other in list(peers.CASES)[1:]:
            self.assertNotIn('1st third', [title for title, *_ in peers.columns(
                other, [{'rate-1': (1., 0.)}])])

    def test_internet(self):
        """Seed by seed one TCP flow more, wherever a campaign begins; the table has the least and the
        most."""
        with tempfile.TemporaryDirectory() as folder:
            made = list(internet.setups(['FBRA', 'GCC'], (1, 2, 5), pathlib.Path(folder)))
        self.assertEqual([one[:2] for one in made], [
            (controller, seed) for seed in (1, 2, 5) for controller in ('FBRA', 'GCC')])
        self.assertEqual([[text.split(',')[2] for text in tcps] for *_, tcps in made], [
            [], [], ['count=1'], ['count=1'], ['count=4'], ['count=4']])
        text = internet.table([internet.ranges('FBRA', [
            {'flows': [{'goodput': 300., 'loss': .01}]}, {'flows': [{'goodput': 99.6, 'loss': 0.}]}])])
        self.assertRegex(text, r'\| FBRA, n = 2 \| +100 to 300 \| 0\.00 to 1\.00 \| +- \|')

    def test_freezes(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, 'events.csv').write_text(
                'time,source,what,detail\n1.0,psnr,freeze,80 ms\n1.5,rtpfbrafec,freeze,\n'
                '2.0,psnr,freeze,120 ms\n')
            self.assertEqual(figures.freezes(pathlib.Path(folder)), 2)

    def test_verdict(self):
        """Two of the paper's standard deviations, and none with fewer runs."""
        rows = [{'goodput': (375., None), 'psnr': (30., None)}, {'goodput': (300., None),
                                                                 'psnr': (37., None)}]
        self.assertRegex(tables.verdict('table4', 50, rows, 9), '^no verdict: n = 9')
        self.assertRegex(tables.verdict('table4', 50, rows, 10), r'call 1 goodput within 2 sd .*'
                         r'call 1 psnr not within 2 sd \(-3\.8\), call 2 goodput within')

    def test_beside_fbra(self):
        fbra = [{'name': 'FBRA call 1', 'psnr': (30., 1.)}, {'name': 'FBRA call 2', 'psnr': (37., 1.)}]
        rows = [{'name': 'GCC call 1', 'psnr': (32., 1.)}, {'name': 'GCC call 2', 'psnr': (36., None)}]
        self.assertEqual(tables.beside_fbra('GCC', rows, fbra),
                         "GCC, PSNR at least FBRA's: call 1 yes (+2.0 dB), call 2 no (-1.0 dB)")
        self.assertEqual(tables.beside_fbra('GCC', rows, []), '')

    def test_table(self):
        rows = figures.together([{'flows': [{'name': 'a', 'rate': 100., 'psnr': None}]},
                                 {'flows': [{'name': 'a', 'rate': 200., 'psnr': 30.}]}])
        self.assertEqual(rows[0]['psnr'], (30., None))
        self.assertRegex(figures.table(rows), r'\| a +\| +150 ±71 \|')


if __name__ == '__main__':
    unittest.main(verbosity=2)
