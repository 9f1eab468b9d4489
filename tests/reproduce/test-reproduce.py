#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""tools/reproduce as a command: its page, what it keeps, and the numbers behind it.
Usage: test-reproduce.py SOURCE_ROOT RCCSIM.  Exits 77 without matplotlib."""
import io
import json
import math
import os
import pathlib
import subprocess
import tempfile
import unittest

import rig
from rig import CASES, RCCSIM
from experiments import (breaker_residential, breaker_trace, disk, grouping, grouping_figures,
                         page, progress, Refusal, rfc8869, runs, sbpn, sbpn_readings, stats, targets)
from readpage import Page


class Campaign(rig.Campaign):
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

    def test_progress_without_a_terminal(self):
        said = self.run_it('--runs', '2').stderr
        self.assertIn(f'{2 * CASES}/{2 * CASES} runs', said)
        self.assertNotIn('\r', said)
        self.assertIn(f'{2 * CASES} of {2 * CASES} runs are known',
                      self.run_it('--runs', '2').stderr)

    def test_names(self):
        wrong = self.run_it(what='fbra-table9')
        self.assertEqual(wrong.returncode, 2)
        self.assertIn('there is no fbra-table9: tools/reproduce --list', wrong.stderr)
        listed = self.run_it('--list').stdout.splitlines()
        self.assertEqual([line.split()[0] for line in listed], [t.NAME for t in targets.ALL])
        for bad in (('--runs', '0'), ('--jobs', 'x'), ('--jobs', '2', '--scheduler', 'tcp://a:1')):
            self.assertEqual(self.run_it(*bad).returncode, 2)

    def redraw(self, data):
        """docs/redraw.py, with what it needs: the data, and matplotlib."""
        def run(*args):
            return subprocess.run(['/usr/bin/python3', rig.ROOT / 'docs' / 'redraw.py', data, *args],
                                  capture_output=True, text=True, check=False, cwd=self.folder)
        listed = run('--list')
        self.assertEqual(listed.returncode, 0, listed.stderr)
        name, title = listed.stdout.splitlines()[0].split(': ', 1)
        self.assertEqual(run(name, 'figure.svg').stderr, '')
        drawn = (self.folder / 'figure.svg').read_text(encoding='utf-8')
        self.assertIn('<!-- FBRA, ours -->', drawn)
        self.assertIn(title.split()[0], drawn)
        self.assertEqual(run('nonsense', 'figure.svg').returncode, 2)

    def notebook(self):
        """The cells of docs/redraw.ipynb, beside the data."""
        cells = json.loads((rig.ROOT / 'docs' / 'redraw.ipynb').read_text(encoding='utf-8'))['cells']
        code = '\n'.join(''.join(c['source']) for c in cells if c['cell_type'] == 'code')
        (self.folder / 'docs').mkdir()
        done = subprocess.run(['/usr/bin/python3', '-c', code], capture_output=True, text=True,
                              check=False, cwd=self.folder / 'docs',
                              env={**os.environ, 'PYTHONPATH': str(rig.ROOT / 'docs'),
                                   'PYTHONDONTWRITEBYTECODE': '1'})
        self.assertEqual((done.returncode, done.stderr), (0, ''))
        self.assertRegex(done.stdout, r'(?m)^fbra 50 seed \d+ \d+ kbit/s$')
        drawn, = (self.folder / 'docs').glob('*.svg')
        self.assertIn('<!-- FBRA, ours -->', drawn.read_text(encoding='utf-8'))

    def test_a_real_page(self):
        done = self.run_it('--quick', '--runs', '1', '--quiet', '--data', str(self.folder / 'data'),
                           programs=RCCSIM.parent)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.redraw(self.folder / 'data' / 'fbra-table1')
        self.notebook()
        text = self.page.read_text(encoding='utf-8')
        read = Page(text)
        self.assertEqual(read.faults, [])
        self.assertRegex(text, r'rccsim [0-9a-f]{12}')
        self.assertRegex(done.stdout, f'0 of 0 reproduced or reached, 48 cannot be told; {CASES} runs, '
                         '[0-9]+ s of processor time')
        self.assertEqual(read.rows[1][:2], ['FBRA', 'Goodput on a link that varies, at 50, 100 and '
                                            '240 ms'])
        self.assertEqual(read.rows[3][0], 'FBRA, Table 1: one flow on a link of 100 to 256 kbit/s')
        self.assertEqual(read.rows[3][1:5], ['0 of 0', '48', str(CASES), '1'])
        rows = [row for row in read.rows if row[0].endswith(' ms')]
        self.assertEqual(len(rows), CASES + 6)      # FBRA stands in three tables
        self.assertEqual(rows[0][:2], ['50 ms', 'FBRA'])
        for row in rows[:12]:
            self.assertTrue(20 < float(row[2].split()[0]) < 260, row)
        self.assertEqual(read.count('svg'), 6)
        self.assertIn('no reproduction', text)
        self.assertEqual(sum(kind in ('good', 'bad') for kind in read.classes()), 0)
        self.assertGreater(read.classes().count('untold'), 20)


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
            media = flow['media']
            self.assertLessEqual(media['lost'], media['left'])
            self.assertLessEqual(media['left'] + media['unsent'], media['offered'])
            self.assertAlmostEqual(flow['lost'], media['lost'] / media['left'], places=6)
            self.assertAlmostEqual(flow['unsent'], media['unsent'] / media['offered'], places=6)
            self.assertEqual(flow['late'] is None, media['late'] is None)

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
        self.assertGreater(frames['received'], 0)
        self.assertLessEqual(frames['mean'], frames['p98'])
        self.assertIsNone(result['flows'][0]['fec'])
        tables = self.run_it(RCCSIM, *args)
        whole = next(line.split() for line in tables.splitlines() if line.startswith('all '))
        self.assertEqual(whole[1], f'{result["link"]["utilisation"]:.3f}')
        self.assertEqual(whole[2], f'{result["link"]["delivered"] / 1e3:.0f}')
        tcp = next(line.split() for line in tables.splitlines() if line.startswith('TCP 1:'))
        self.assertEqual(tcp[2], f'{result["tcp"][0]["bitrate"] / 1e3:.0f}')

    def test_what_the_sender_drops_is_unsent_and_not_lost(self):
        """Half of what the source makes fits into the rate, and all of that into the link."""
        args = ('--scenario', 'constant:10M', '--controller', 'none', '--source', 'ekiga',
                '--scheduler', 'sbpn1', '--start-bitrate', '60000', '--duration', '60')
        result = json.loads(self.run_it(RCCSIM, *args, '--json'))
        flow = result['flows'][0]
        for lost in (result['link'], result['phases'][0], flow):
            self.assertEqual(lost['lost'], 0)
            self.assertGreater(lost['unsent'], 0.05)
            self.assertIsNotNone(lost['late'])
        self.assertEqual(flow['media']['lost'], 0)
        table = self.run_it(RCCSIM, *args).splitlines()
        self.assertRegex(table[1], ' lost % +unsent % +late % +owd p95$')
        whole = next(line.split() for line in table if line.startswith('all '))
        self.assertEqual(whole[-4:-1], [f'{100 * result["link"][word]:.2f}'
                                        for word in ('lost', 'unsent', 'late')])
        csv = self.run_it(RCCSIM, *args, '--csv', '/dev/stdout').splitlines()
        at = next(i for i, line in enumerate(csv) if line.startswith('time,'))
        rows = [dict(zip(csv[at].split(','), line.split(','))) for line in csv[at + 1:]]
        for word in ('offered', 'unsent', 'left', 'lost', 'late'):
            self.assertEqual(sum(int(row[word] or 0) for row in rows), flow['media'][word])

    def test_targets_and_parity_over_time(self):
        result = json.loads(self.run_it(RCCSIM, '--controller', 'fbra', '--scenario', 'fbra:50',
                                        '--duration', '50', '--json'))
        flow = result['flows'][0]
        self.assertEqual(len(flow['targets']), 50)
        self.assertEqual(len(flow['fec-rates']), 50)
        self.assertGreater(stats.mean(flow['fec-rates']), 0)
        self.assertAlmostEqual(stats.mean(flow['fec-rates']), flow['fec']['fec-bitrate'] / 1e3,
                               delta=0.15 * flow['fec']['fec-bitrate'] / 1e3)
        self.assertGreater(stats.mean(flow['targets']), stats.mean(flow['rates']))

    def test_rccns3(self):
        program = RCCSIM.parent / 'rccns3' / 'rccns3'
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

    def test_phases_end_where_flows_come_and_go(self):
        program = RCCSIM.parent / 'rccns3' / 'rccns3'
        if not program.exists():
            self.skipTest('rccns3 was not built')
        result = json.loads(self.run_it(
            program, '--duration', '27', '--scenario', 'constant:3M', '--json', '--flow',
            'pause=8-14', '--flow', 'from=6,to=20', '--flow', 'from=23,direction=rev'))
        self.assertEqual([(p['from'], p['to'], p['flows']) for p in result['phases']],
                         [(0, 6, [0]), (8, 14, [1]), (14, 20, [0, 1])])
        paused, late, _ = result['flows']
        self.assertEqual((paused['pause'], paused['resume'], late['pause']), (8, 14, None))
        self.assertEqual([len(f['sent']) for f in result['flows']], [135, 70, 20])
        self.assertEqual(set(paused['sent'][44:69]), {0})
        self.assertGreater(min(paused['sent'][71:]), 0)
        self.assertGreater(min(late['sent']), 0)

    def idle(self, program, flow):
        """The same where the queue is empty now and then."""
        with tempfile.NamedTemporaryFile('w', suffix='.scenario') as file:
            file.write('0 both rate unlimited delay 40\n0 fwd loss 1%\n')
            file.flush()
            return self.run_it(program, '--scenario', file.name, '-d', '20', '--json', '--flow',
                               flow)

    def test_readings_of_sbpn(self):
        """Each option that the page varies is one that does something."""
        program = RCCSIM.parent / 'rccns3' / 'rccns3'
        if not program.exists():
            self.skipTest('rccns3 was not built')
        base = sbpn.flow('sbpn2', 80, 5)
        args = ('--scenario', 'constant:400k', '-d', '15', '--tcp-bulk', '2', '--json', '--flow')
        flows = [*(base + options for _, options in sbpn_readings.READINGS.values()),
                 base + sbpn_readings.TIMED,
                 sbpn.flow('fifo', 80, 5), sbpn.flow('fifo', 80, 5, ',tfrc-faster-restart=1')]
        printed = [self.run_it(program, *args, flow) for flow in flows]
        # credit after idle is none where nothing is ever idle
        self.assertEqual(len(set(printed)), len(flows) - 1)
        fifo = sbpn.flow('fifo', 80, 5)
        self.assertNotEqual(self.idle(program, fifo),
                            self.idle(program, fifo + ',sbpn-idle-credit=1'))
        done = subprocess.run([str(program), '--flow', 'profile=sbpn,sbpn-one-way-delay=north'],
                              capture_output=True, text=True, check=False, timeout=60)
        self.assertEqual(done.returncode, 2)
        self.assertIn('a flow\'s sbpn-one-way-delay cannot be "north"', done.stderr)

    def test_a_full_disk(self):
        for program in (RCCSIM, RCCSIM.parent / 'rccns3' / 'rccns3'):
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

    def bar(self, stream=None):
        """A bar and its clock."""
        now = [0.0]
        return progress.Progress(stream, quiet=stream is None, clock=lambda: now[0]), now

    def test_time_left(self):
        bar, now = self.bar()
        bar.begin(['a'] * 4, [])
        now[0] = 30.0
        bar.step('a', 25.0)
        self.assertIn('1/4 runs, 1 min 30 s left', bar.line())
        bar.step('a', None)
        self.assertIn('2/4 runs, 1 min 00 s left', bar.line())
        self.assertEqual(progress.span(7260), '2 h 01 min')

    def test_time_left_of_cases_that_differ(self):
        """Of 100 runs 90 take 1 s and 10 take 1000 s: after a run of each it is known."""
        bar, now = self.bar()
        bar.begin(['short', 'long'] + ['short'] * 89 + ['long'] * 9, [])
        now[0] = 1.0
        bar.step('short', 1.0)
        self.assertIn('roughly', bar.line())
        now[0] = 1001.0
        bar.step('long', 1000.0)
        self.assertIn('2/100 runs, 2 h 31 min left', bar.line())
        for _ in range(89):
            now[0] += 1
            bar.step('short', 1.0)
        self.assertIn('91/100 runs, 2 h 30 min left', bar.line())

    def test_time_left_by_what_is_kept(self):
        """Where runs go side by side, or the machine is busy, that is in the ratio."""
        bar, now = self.bar()
        bar.begin(['short', 'long'], [('short', 1.0), ('long', 100.0), ('other', None)])
        now[0] = 2.0
        bar.step('short', 1.0)
        self.assertIn('1/2 runs, 3 min 20 s left', bar.line())

    def test_progress_on_a_terminal(self):
        class Terminal(io.StringIO):
            def isatty(self):
                return True
        for stream, lines in ((Terminal(), 1), (io.StringIO(), 11)):
            bar, _ = self.bar(stream)
            bar.begin(['a'] * 40, [])
            for _ in range(40):
                bar.step('a', 1.0)
            bar.end()
            self.assertEqual(len(stream.getvalue().splitlines()) if lines > 1 else
                             stream.getvalue().count('\n'), lines)
            self.assertEqual(stream.getvalue().count('\r'), 41 if lines == 1 else 0)

    def test_what_runs_cost(self):
        self.assertEqual(page.cost([1.0, 2.4]), '3 s')
        self.assertEqual(page.cost([61.0, None]), '1 min 01 s, 1 of 2 runs not known')
        self.assertEqual(page.cost([None, None]), 'not known')

    def test_what_has_a_seed_in_common(self):
        one, two = (runs.Run('p', ('-d', '5', '--seed', seed, '--json')) for seed in '12')
        self.assertEqual(one.case, two.case)
        self.assertNotEqual(one.case, runs.Run('p', ('-d', '6', '--seed', '1', '--json')).case)
        self.assertEqual(runs.Run('p', ('-d',)).case, ('p', '-d'))

    def test_files_are_written_as_a_whole(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / 'new' / 'page'
            disk.write(path, 'one')
            disk.write(path, 'two')
            self.assertEqual(path.read_text(encoding='utf-8'), 'two')
            with self.assertRaisesRegex(Refusal, 'page/below cannot be written: .*; kept'):
                disk.write(path / 'below', 'three', '; kept')
            with self.assertRaises(UnicodeEncodeError):
                disk.write(path, 'half \udfff')
            self.assertEqual([path.read_text(encoding='utf-8') for path in path.parent.iterdir()],
                             ['two'])

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


class Wireless(unittest.TestCase):
    """What grouping and rfc8869 read off their runs."""

    def test_lobes(self):
        def groups(*parts):
            return [(0.0, centre + 0.5 * i, 0.0, 12.5) for centre, n in parts for i in range(-n, n)]

        three = groups((0, 10), (0, 10), (-20, 8), (100, 12))
        one = groups((0, 30))
        for centre, half in grouping_figures.LOBES:
            self.assertTrue(grouping_figures.lobe(three, centre, half))
            self.assertFalse(grouping_figures.lobe(one, centre, half))
        said = grouping_figures.density_verdicts('x', {'none': three, 'paper': one})
        self.assertEqual([v.good for v in said], [True] * 5)
        said = grouping_figures.density_verdicts('x', {'none': one, 'paper': three})
        self.assertEqual([v.good for v in said], [False] * 5)

    def test_pairs_differ(self):
        def column(rate, tail, starts=4):
            return {'rate': [rate + i for i in range(starts)], 'spread': [10.0] * starts,
                    'delays': {p: [tail if p == 95 else 10.0] * starts
                               for p in (5, 25, 50, 75, 95)}}

        off = column(100, 20)
        said = grouping.verdicts('x', off, column(130, 25))
        self.assertEqual([v.good for v in said], [True] * 6)
        said = grouping.verdicts('x', off, column(83, 15))
        self.assertEqual([v.good for v in said], [False, True, True, True, True, False])
        self.assertIn('\u221216.8 ', said[0].text)
        # Neither so much as the paper's, nor surely less.
        said = grouping.verdicts('x', off, {**column(118, 25), 'rate': [100, 140, 110, 130]})
        self.assertIsNone(said[0].good)
        self.assertIsNone(grouping.verdicts('x', column(100, 20, 2), column(130, 25, 2))[0].good)

    def test_reaction(self):
        rates = [1000.0] * 30 + [1000.0, 800.0, 500.0, 500.0]
        self.assertEqual(rfc8869.settles(rates, 30, 550, True), 3)
        self.assertTrue(math.isnan(rfc8869.settles(rates, 30, 400, True)))
        self.assertEqual(rfc8869.reaction([10.0] * 30 + [9.0, 7.0] + [5.0] * 20, 30, True), 4)
        self.assertEqual(rfc8869.reaction([10.0] * 30 + [5.0] * 20, 30, False), 20)
        flow = {'start': 1, 'stop': 40, 'rates': rates}
        self.assertEqual(rfc8869.span(flow, 30, 32), [1000.0, 800.0])
        self.assertEqual(len(rfc8869.span(flow, 0, 10)), 4)     # five seconds to begin


if __name__ == '__main__':
    unittest.main()
