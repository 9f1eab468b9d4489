#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""tools/reproduce as a command: its page, what it keeps, and what it says when something
goes wrong.  Usage: test-reproduce.py SOURCE_ROOT RCCSIM.  Exits 77 without matplotlib."""
import json
import math
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ROOT, RCCSIM = pathlib.Path(sys.argv.pop(1)).resolve(), pathlib.Path(sys.argv.pop(1)).resolve()
sys.path[:0] = [str(ROOT / 'tools'), str(ROOT / 'tests' / 'reproduce')]
sys.dont_write_bytecode = True
try:
    import matplotlib  # noqa: F401
except ImportError:
    print('SKIP: reproduce: matplotlib is absent (python3-matplotlib)')
    sys.exit(77)
from campaign import (breaker_residential, breaker_trace, progress, runs, stats,  # noqa: E402
                      targets)
from pages import Page  # noqa: E402

CASES = 9       # of fbra-table1


class Campaign(unittest.TestCase):
    """Each test has a folder with a simulator, a cache and a page of its own."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.programs = self.folder / 'programs'
        self.programs.mkdir()
        self.program = self.programs / 'rccsim'
        shutil.copy(ROOT / 'tests' / 'reproduce' / 'simulator.py', self.program)
        self.page, self.cache = self.folder / 'page.html', self.folder / 'cache'
        self.env = {**os.environ, 'FAKE': str(self.folder)}
        self.env.pop('RCC_TRACES', None)

    def command(self, *more, what='fbra-table1', programs=None):
        return [sys.executable, str(ROOT / 'tools' / 'reproduce'), what, '--programs',
                str(programs or self.programs), '--cache', str(self.cache), '--output',
                str(self.page), *more]

    def run_it(self, *more, **keys):
        before = keys.pop('preexec_fn', None)
        return subprocess.run(self.command(*more, **keys), capture_output=True, text=True,
                              env=self.env, preexec_fn=before, check=False, timeout=60)

    def how(self, what):
        (self.folder / 'how').write_text(what, encoding='utf-8')

    def well(self):
        (self.folder / 'how').unlink()

    def started(self):
        log = self.folder / 'started'
        return len(log.read_text(encoding='utf-8').splitlines()) if log.exists() else 0

    def refused(self, done, *words):
        """One plain sentence, exit code 1, and no page."""
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertNotIn('Traceback', done.stderr)
        lines = [line for line in done.stderr.splitlines() if line.startswith('reproduce: ')]
        self.assertEqual(len(lines), 1, done.stderr)
        for word in words:
            self.assertIn(word, lines[0])
        self.assertFalse(self.page.exists())
        self.assertEqual(list(self.folder.glob('*.part')), [])

    def kept(self):
        """Every file of the cache is a whole result."""
        files = [path for path in self.cache.rglob('*') if path.is_file()]
        for path in files:
            self.assertEqual(path.suffix, '.json', path)
            self.assertIn('flows', json.loads(path.read_text(encoding='utf-8'))['result'])
        return len(files)

    def test_runs_again_cost_nothing(self):
        self.assertEqual(self.run_it('--runs', '2', '--quiet').returncode, 0)
        self.assertEqual(self.started(), 2 * CASES)
        self.assertEqual(self.kept(), 2 * CASES)
        self.assertEqual(self.run_it('--runs', '2', '--quiet').returncode, 0)
        self.assertEqual(self.started(), 2 * CASES)
        self.assertEqual(self.run_it('--runs', '3', '--quiet').returncode, 0)
        self.assertEqual(self.started(), 3 * CASES)

    def test_a_changed_program_has_no_results(self):
        self.run_it('--runs', '1', '--quiet')
        with self.program.open('a', encoding='utf-8') as file:
            file.write('# changed\n')
        self.assertEqual(self.run_it('--runs', '1', '--quiet').returncode, 0)
        self.assertEqual(self.started(), 2 * CASES)

    def test_the_same_program_elsewhere_has(self):
        self.run_it('--runs', '1', '--quiet')
        self.programs = self.programs.rename(self.folder / 'others')
        self.assertEqual(self.run_it('--runs', '1', '--quiet').returncode, 0)
        self.assertEqual(self.started(), CASES)

    def test_a_run_that_fails(self):
        self.how('fail 2')
        self.refused(self.run_it('--runs', '3', '--quiet', '--jobs', '1'),
                     '--seed 2', 'failed', 'the moon is in the way')
        self.assertGreaterEqual(self.kept(), 1)
        self.well()
        before, known = self.started(), self.kept()
        self.assertEqual(self.run_it('--runs', '3', '--quiet').returncode, 0)
        self.assertEqual(self.started() - before, 3 * CASES - known)

    def test_a_run_that_is_killed(self):
        self.how('die 1')
        self.refused(self.run_it('--runs', '1', '--quiet'), 'was killed by SIGKILL', 'go on')
        self.assertEqual(self.kept(), 0)

    def test_half_a_result_is_none(self):
        for what in ('half', 'list', 'bytes'):
            with self.subTest(what):
                self.how(f'{what} all')
                self.refused(self.run_it('--runs', '1', '--quiet'), 'printed no result')
                self.assertEqual(self.kept(), 0)

    def test_a_result_of_another_version(self):
        self.how('lack all')
        self.refused(self.run_it('--runs', '1', '--quiet'), 'lacks', 'build the programs')

    def test_half_a_file_is_no_result(self):
        self.run_it('--runs', '1', '--quiet')
        files = sorted(self.cache.rglob('*.json'))
        files[0].write_text(files[0].read_text(encoding='utf-8')[:100], encoding='utf-8')
        files[1].write_text('{"result": 7}', encoding='utf-8')
        files[2].write_bytes(b'\xff\xfe\x00')
        self.assertEqual(self.run_it('--runs', '1', '--quiet').returncode, 0)
        self.assertEqual(self.started(), CASES + 3)
        self.assertEqual(self.kept(), CASES)

    def test_a_full_disk(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (100000, 100000))
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        self.how('large 2')
        self.refused(self.run_it('--runs', '2', '--quiet', '--jobs', '1', preexec_fn=limit),
                     'cannot be written', 'is kept')
        self.assertGreaterEqual(self.kept(), 1)

    def test_a_full_disk_under_the_page(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        self.refused(self.run_it('--runs', '1', '--quiet', preexec_fn=limit), 'page.html',
                     'cannot be written')
        self.assertEqual(self.kept(), CASES)

    def test_ctrl_c_keeps_what_is_done(self):
        self.how('wait 2')
        process = subprocess.Popen(self.command('--runs', '2', '--quiet', '--jobs', '1'),
                                   env=self.env, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        while self.started() < 2:       # the first is done, the second waits a minute
            time.sleep(0.02)
            self.assertIsNone(process.poll())
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=20)
        self.assertEqual(process.returncode, 130)
        self.assertIn(f'1 of {2 * CASES} runs are kept', said)
        self.assertNotIn('Traceback', said)
        self.assertEqual(self.kept(), 1)
        self.assertFalse(self.page.exists())

    def test_progress_without_a_terminal(self):
        said = self.run_it('--runs', '2').stderr
        self.assertIn(f'{2 * CASES}/{2 * CASES} runs', said)
        self.assertNotIn('\r', said)
        self.assertIn(f'{2 * CASES} of {2 * CASES} runs are known',
                      self.run_it('--runs', '2').stderr)

    def test_programs_that_are_not_there(self):
        self.program.unlink()
        self.refused(self.run_it('--runs', '1'), 'rccsim is not in', '--programs')
        self.refused(self.run_it('--runs', '1', what='rfc8867'), 'rccns3 is not in', 'ns-3')

    def test_traces_that_are_not_there(self):
        self.refused(self.run_it('--runs', '1', what='grouping'), 'google-wifi', '--traces')

    def test_a_program_that_cannot_start(self):
        self.program.chmod(0o644)
        self.refused(self.run_it('--runs', '1', '--quiet'), 'cannot be started')

    def test_a_cache_that_cannot_be(self):
        self.cache.write_text('a file', encoding='utf-8')
        self.refused(self.run_it('--runs', '1', '--quiet'), 'cannot be made')

    def test_names(self):
        self.refused(self.run_it(what='fbra-table9'), 'there is no fbra-table9', '--list')
        listed = self.run_it('--list').stdout.splitlines()
        self.assertEqual([line.split()[0] for line in listed], [t.NAME for t in targets.ALL])
        for bad in (('--runs', '0'), ('--jobs', 'x'), ('--jobs', '2', '--scheduler', 'tcp://a:1')):
            self.assertEqual(self.run_it(*bad).returncode, 2)

    def test_a_scheduler_without_dask(self):
        stub = self.folder / 'stub'
        stub.mkdir()
        (stub / 'distributed.py').write_text('raise ImportError\n', encoding='utf-8')
        self.env['PYTHONPATH'] = str(stub)
        self.refused(self.run_it('--runs', '1', '--scheduler', 'tcp://127.0.0.1:1'),
                     'python3-distributed')

    def test_a_dask_cluster(self):
        try:
            import distributed
        except ImportError:
            self.skipTest('python3-distributed is absent')
        os.environ['FAKE'] = str(self.folder)
        with distributed.LocalCluster(n_workers=1, threads_per_worker=2, processes=False,
                                      dashboard_address=None,
                                      host='127.0.0.1', protocol='tcp://') as cluster:
            where = ('--scheduler', cluster.scheduler_address, '--quiet', '--runs', '1')
            done = self.run_it(*where)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(self.started(), CASES)
            self.assertEqual(self.kept(), CASES)
            self.page.unlink()
            self.how('fail 2')
            self.refused(self.run_it(*where[:-1], '2'), 'the moon is in the way')

    def test_a_real_page(self):
        done = self.run_it('--quick', '--runs', '1', '--quiet', programs=RCCSIM.parent)
        self.assertEqual(done.returncode, 0, done.stderr)
        text = self.page.read_text(encoding='utf-8')
        page = Page(text)
        self.assertEqual(page.faults, [])
        self.assertEqual(len(page.ids), len(set(page.ids)))
        rows = [row for row in page.rows if row[0].endswith(' ms')]
        self.assertEqual(len(rows), CASES)
        self.assertEqual(rows[0][:2], ['50 ms', 'FBRA'])
        for row in rows:
            self.assertTrue(20 < float(row[2].split()[0]) < 260, row)
        self.assertEqual(sum(tag == 'svg' for tag, _ in page.tags), 6)
        self.assertIn('no reproduction', text)
        self.assertGreater(sum(kind in ('good', 'bad') for _, kind in page.tags), 20)


class Summary(unittest.TestCase):
    """The JSON of both programs, against what they print for people."""

    def run_it(self, program, *args):
        done = subprocess.run([str(program), *args], capture_output=True, text=True, check=False,
                              timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def check(self, result, seconds):
        self.assertEqual(result['duration'], seconds)
        for flow in result['flows']:
            quantiles = flow['delay']['quantiles']
            self.assertEqual(len(quantiles), 21)
            self.assertEqual(quantiles, sorted(quantiles))
            self.assertLessEqual(quantiles[0], flow['delay']['mean'])
            self.assertAlmostEqual(quantiles[10], flow['delay']['p50'], delta=0.0051)
            self.assertEqual(len(flow['rates']), seconds)
            self.assertAlmostEqual(stats.mean(flow['rates']), flow['received'] / 1e3,
                                   delta=0.02 * flow['received'] / 1e3)
            self.assertLessEqual(flow['loss'], 1)

    def test_rccsim(self):
        args = ('--duration', '50', '--reno', '1', '--breaker')
        result = json.loads(self.run_it(RCCSIM, *args, '--json'))
        self.check(result, 50)
        self.assertEqual([(p['from'], p['to'], p['capacity']) for p in result['phases']],
                         [(0, 40, 1e6), (40, 50, 2.5e6)])
        breaker = result['flows'][0]['breaker']
        self.assertEqual(set(breaker), {'triggered', 'reports'})
        self.assertIsNone(breaker['triggered'])
        self.assertGreater(len(breaker['reports']), 3)
        self.assertEqual({len(report) for report in breaker['reports']}, {5})
        frames = result['flows'][0]['frames']
        self.assertGreater(frames['came'], 0)
        self.assertLessEqual(frames['mean'], frames['p98'])
        self.assertIsNone(result['flows'][0]['fec'])
        tables = self.run_it(RCCSIM, *args)
        whole = next(line.split() for line in tables.splitlines() if line.startswith('all '))
        self.assertEqual(whole[1], f'{result["link"]["utilisation"]:.3f}')
        self.assertEqual(whole[2], f'{result["link"]["delivered"] / 1e3:.0f}')
        tcp = next(line.split() for line in tables.splitlines() if line.startswith('TCP 1:'))
        self.assertEqual(tcp[2], f'{result["tcp"][0]["bitrate"] / 1e3:.0f}')

    def test_rccns3(self):
        program = RCCSIM.parent / 'sim' / 'rccns3'
        if not program.exists():
            self.skipTest('rccns3 was not built')
        args = ('--duration', '20', '--flow', 'count=2', '--tcp-short', '1', '--tcp-short-on', '1')
        result = json.loads(self.run_it(program, *args, '--json'))
        self.check(result, 20)
        lines = [dict(word.split('=', 1) for word in line.split() if '=' in word)
                 for line in self.run_it(program, *args).splitlines()]
        for flow, line in zip(result['flows'], lines[:2]):
            self.assertEqual(f'{flow["received"]:.0f}', line['bitrate'])
            self.assertAlmostEqual(flow['delay']['p95'], float(line['delay-p95']), places=2)
        self.assertEqual(f'{result["tcp"][0]["bitrate"]:.0f}', lines[2]['bitrate'])
        self.assertEqual(str(result['tcp'][0]['pages']), lines[2]['pages'])

    def test_a_full_disk(self):
        for program in (RCCSIM, RCCSIM.parent / 'sim' / 'rccns3'):
            if not program.exists():
                continue
            with self.subTest(program.name), open('/dev/full', 'w', encoding='utf-8') as full:
                done = subprocess.run([str(program), '--duration', '5', '--json'], stdout=full,
                                      stderr=subprocess.PIPE, text=True, check=False)
                self.assertEqual(done.returncode, 1)
                self.assertIn('No space left', done.stderr)


class Numbers(unittest.TestCase):
    def test_intervals(self):
        self.assertAlmostEqual(stats.interval([1, 2, 3]), 4.303 / math.sqrt(3), places=3)
        self.assertTrue(math.isnan(stats.interval([1])))
        self.assertEqual(stats.mean([1, None, 3, math.nan]), 2)
        low, high = stats.share_interval(5, 10)
        self.assertAlmostEqual(low, 0.2366, places=3)
        self.assertAlmostEqual(high, 0.7634, places=3)
        self.assertEqual(stats.percentile([4, 1, 3, 2], 0.5), 2)
        self.assertAlmostEqual(stats.jain([1, 1, 0, 0]), 0.5)

    def test_time_left(self):
        now = [0.0]
        bar = progress.Progress(None, quiet=True, clock=lambda: now[0])
        bar.begin(4, 0)
        now[0] = 30.0
        bar.step()
        self.assertIn('1/4 runs, 1 min 30 s left', bar.line())
        self.assertEqual(progress.span(7260), '2 h 01 min')

    def test_x_is_that_of_the_breaker(self):
        """The curves of figure 10 are the equations that gst/core/tcpeq.c has."""
        sizes = []
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / 's'
            path.write_text('0 both rate unlimited delay 100ms\n0 fwd loss 0.1\n',
                            encoding='utf-8')
            for name, model in (('mathis', breaker_trace.mathis),
                                ('padhye', breaker_trace.padhye)):
                done = subprocess.run(
                    [str(RCCSIM), '-s', str(path), '-d', '30', '--fixed', '--constant',
                     '--start-bitrate', '300000', '--no-audio', '--breaker', name,
                     '--rtcp-interval', '2', '--json'], capture_output=True, check=True)
                reports = json.loads(done.stdout)['flows'][0]['breaker']['reports']
                reports = [one for one in reports[6:] if one[breaker_trace.LOSS]]
                self.assertGreater(len(reports), 5)
                sizes += [x / model(rtt, p, 1) for _, p, rtt, x, _ in reports]
        for size in sizes:
            self.assertGreater(size, 500)
            self.assertAlmostEqual(size / sizes[0], 1, delta=1e-3)
        self.assertEqual(breaker_trace.limit(breaker_trace.mathis, 0.1), 88.0)
        self.assertEqual(breaker_trace.limit(breaker_trace.padhye, 0.1), 12.4)
        self.assertEqual(breaker_trace.limit(breaker_trace.mathis, 0.1, 5), 22.0)

    def test_losses_of_a_residential_link(self):
        self.assertEqual(breaker_residential.losing('single', 5), 'loss 0.05')
        _, leave, back = breaker_residential.losing('bursts', 20).split()
        self.assertAlmostEqual(float(leave) / (float(leave) + float(back)), 0.2, places=6)
        self.assertEqual(1 / float(back), breaker_residential.BURST)
        rtts = [breaker_residential.rtt(i, 50) for i in range(50)]
        self.assertGreater(rtts[0], 0.05)
        self.assertLess(rtts[-1], 0.4)
        self.assertAlmostEqual(rtts[10] / rtts[9], rtts[40] / rtts[39])

    def test_what_a_run_is(self):
        with tempfile.TemporaryDirectory() as folder:
            program, scenario = pathlib.Path(folder) / 'p', pathlib.Path(folder) / 's'
            program.write_text('x', encoding='utf-8')
            scenario.write_text('y', encoding='utf-8')
            one = runs.Run(str(program), ('-s', str(scenario)), (str(scenario),))
            before = runs.key(one)
            self.assertEqual(before, runs.key(one))
            self.assertNotEqual(before, runs.key(runs.Run(str(program), ('-s', 'z'))))
            scenario.write_text('another', encoding='utf-8')
            self.assertNotEqual(before, runs.key(one))


if __name__ == '__main__':
    unittest.main()
