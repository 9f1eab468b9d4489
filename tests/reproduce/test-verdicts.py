#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What may be said from how much evidence, what fits on the page, and what is written as CSV.
Usage: test-verdicts.py SOURCE_ROOT.  Exits 77 without matplotlib."""
import csv
import io
import math
import pathlib
import sys
import unittest

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
sys.path.insert(0, str(ROOT / 'tools'))
sys.dont_write_bytecode = True
try:
    import matplotlib  # noqa: F401
except ImportError:
    print('SKIP: verdicts: matplotlib is absent (python3-matplotlib)')
    sys.exit(77)
from experiments import (breaker_cell, data, fbra_paper, page, plot, sbpn,  # noqa: E402
                         sbpn_readings, verdicts)
from experiments.target import (Chart, Headline, Line, Note, Table, Verdict,  # noqa: E402
                                beside, cdf, reach)

FIVE = [9.0, 10.0, 10.0, 10.0, 11.0]    # 10 +- 0.88


class Evidence(unittest.TestCase):
    def test_by_the_interval(self):
        for values, within, good in ((FIVE, 1, True), (FIVE, 0.8, None), ([10] * 3, 0, True)):
            self.assertEqual(beside('x', values, 10, 1, 'u', within, 'near').good, good)
        self.assertIs(beside('x', FIVE, 12, 1, 'u', 1, 'near').good, False)
        self.assertIsNone(beside('x', FIVE, 11.5, 1, 'u', 1, 'near').good)

    def test_one_side(self):
        for bound, least, good in ((9, True, True), (9.5, True, None), (11, True, False),
                                   (11, False, True), (10.5, False, None), (9, False, False)):
            self.assertIs(reach('x', FIVE, bound, 1, 'u', least).good, good, (bound, least))

    def test_too_few(self):
        for n in range(verdicts.LEAST):
            for made in (beside('x', [10.0] * n, 10, 1, 'u', 1, 'near'),
                         reach('x', [10.0] * n, 1, 1, 'u')):
                self.assertIsNone(made.good)
                self.assertIn(f': cannot be told: n = {n}', made.text)
        self.assertIsNone(beside('x', [math.nan, None, 10], 10, 1, 'u', 1, 'near').good)
        self.assertIs(reach('x', [10.0] * verdicts.LEAST, 1, 1, 'u').good, True)

    def test_words(self):
        self.assertEqual(beside('x', [10] * 3, 10, 0, 'u', 1, 'near').text,
                         'x: 10 \u00b1 0 u, the paper has 10: reproduced (near)')
        self.assertIn(': differs by \u22122 u (\u221217 %)', beside('x', [10] * 3, 12, 0, 'u', 1,
                                                                  'near').text)
        self.assertIn(': missed by 2 u', reach('x', [10] * 3, 12, 0, 'u').text)
        self.assertIn('over the bound', beside('x', FIVE, 11.5, 1, 'u', 1, 'near').text)

    def test_ignorance_is_no_equivalence(self):
        """What is wide is not alike, as not being significant once was."""
        wide, narrow = [-9.0, 9.0, -9.0, 9.0], [-0.1, 0.1, -0.1, 0.1]
        self.assertIsNone(verdicts.alike('x', wide, 1, 1, 'u').good)
        self.assertIs(verdicts.alike('x', narrow, 1, 1, 'u').good, True)
        self.assertIs(verdicts.alike('x', [v + 5 for v in narrow], 1, 1, 'u').good, False)
        self.assertIsNone(verdicts.below('x', wide, 1, 1, 'u').good)
        self.assertIs(verdicts.below('x', narrow, 1, 1, 'u').good, True)
        self.assertIs(verdicts.above('x', narrow, 1, 1, 'u').good, False)


class Page(unittest.TestCase):
    SHOWN = [Verdict('a: reproduced (near)', True), Verdict('b: differs by 2', False),
             Verdict('c: cannot be told: n = 9', None), Verdict('d: reproduced', True, exact=True),
             Headline('P', 'c', '1', '2', True, 'w'), Note('n')]

    def test_what_quick_runs_show(self):
        shown = verdicts.settled(self.SHOWN, 30, True)
        self.assertEqual([v.text for v in shown[:4]],
                         [f'{x}: cannot be told: quick runs are no reproduction' for x in 'abc']
                         + ['d: reproduced'])
        self.assertEqual(verdicts.tally(shown), (1, 1, 3))
        self.assertIsNone(shown[4].good)

    def test_what_few_seeds_show(self):
        self.assertEqual(verdicts.settled(self.SHOWN, 2, False)[0].text,
                         'a: cannot be told: n = 2')
        self.assertEqual(verdicts.settled(self.SHOWN, 3, False), self.SHOWN)
        self.assertEqual(verdicts.tally(self.SHOWN), (2, 3, 1))

    def test_tables_fit(self):
        heads = ('Delay', 'Name', *(f'{i} a longer head' for i in range(12)))
        rows = [('50 ms', 'FBRA', *['123.4 \u00b1 5.6'] * 12)] * 3
        out = page.fitted(Table('t', heads, rows, leading=2))
        self.assertGreater(len(out), 1)
        for one in out:
            self.assertEqual(one.heads[:2], heads[:2])
            self.assertLessEqual(sum(page.width(c) for c in zip(one.heads, *one.rows)), page.WIDTH)
        self.assertEqual([h for one in out for h in one.heads[2:]], list(heads[2:]))
        self.assertEqual(out[1].caption, 't, continued')
        narrow = Table('t', heads[:4], [row[:4] for row in rows], leading=2)
        self.assertEqual(page.fitted(narrow), [narrow])

    def test_headlines_are_on_top(self):
        text = page.headlines([type('C', (), {'shown': self.SHOWN})])
        self.assertIn('<b>reproduced</b>', text)
        self.assertEqual(page.headlines([type('C', (), {'shown': []})]), '')

    def test_a_share_of_so_many_jumps(self):
        line = cdf('l', [3, 1, 2, 4], 'sent')
        self.assertEqual((line.x, line.y), ([1, 1, 2, 3, 4], [0, 25, 50, 75, 100]))
        self.assertTrue(line.steps)
        svg = plot.svg(Chart('k', 't', 'x', 'y', (line,)), 'wide')
        self.assertIn('<svg', svg)

    def test_bars(self):
        line = Line('l', [1, 2, 3], [1, 0, 2], 'sent', bars=True)
        self.assertIn('<svg', plot.svg(Chart('k', 't', 'x', 'y', (line,)), 'wide'))


class Data(unittest.TestCase):
    def read(self, name, rows):
        return list(csv.DictReader(io.StringIO(data.text(name, rows))))

    def test_numbers_of_a_run(self):
        result = {'duration': 5, 'flows': [{'goodput': 2.5, 'rates': [1.0] * 20, 'name': 'x',
                                            'fec': {'frcc': None, 'probes': 3}}], 'no': True}
        self.assertEqual(dict(data.numbers(result)), {
            'duration': 5, 'flows.0.goodput': 2.5, 'flows.0.fec.probes': 3})

    def test_cells(self):
        self.assertEqual(data.parsed('\u22121.5 \u00b1 0.2 kbit/s'), ('-1.5', '0.2'))
        self.assertEqual(data.parsed('179.1 s 2.3'), ('179.1', ''))
        self.assertEqual(data.parsed('\u2013'), ('', ''))
        self.assertEqual(data.parsed('50 ms'), ('50', ''))

    def test_tidy(self):
        table = Table('T', ('Delay', 'Name', 'Rate'), [('50 ms', 'F', '1.0 \u00b1 0.1')], leading=2)
        self.assertEqual(self.read('tables', data.tables([table])), [
            {'table': 'T', 'row': '50 ms | F', 'column': 'Rate', 'value': '1.0', 'half': '0.1',
             'text': '1.0 \u00b1 0.1'}])
        chart = Chart('k', 't', 'x, s', 'y, ms', (Line('l', [1, 2], [3, None], 'sent',
                                                       error=[0.5, None]),))
        rows = self.read('figures', data.figures([chart]))
        self.assertEqual([(r['x'], r['y'], r['half']) for r in rows], [('1', '3', '0.5'),
                                                                      ('2', '', '')])
        named = Chart('k', 't', 'x', 'y', (Line('l', [0.8, 1.2, 2.2], [3, 4, 5], 'sent'),),
                      ticks=((1, 'none'), (2, 'paper')))
        self.assertEqual([r['name'] for r in self.read('figures', data.figures([named]))],
                         ['none', 'none', 'paper'])
        self.assertEqual({r['name'] for r in rows}, {''})
        self.assertEqual(self.read('verdicts', data.verdicts([Verdict('v', None)])),
                         [{'verdict': 'untold', 'text': 'v'}])


class Readings(unittest.TestCase):
    """Which reading of SBPN has both findings."""

    def results(self, audio, harm):
        """Of the unmodified sender 50 % is on time."""
        def run(more, stream_more=0.0):
            return {'flows': [{'streams': {
                'audio': {'on-time': 50 + more, 'offered': 100},
                'video': {'on-time': 50 + stream_more, 'offered': 100}}}]}
        out = {}
        for reading in sbpn_readings.READINGS:
            for x in sbpn_readings.RATES:
                out['reading-rate', reading, 'fifo', x] = [run(0)] * 3
                out['reading-rate', reading, 'sbpn2', x] = [run(audio)] * 3
            for x in sbpn_readings.LOSSES:
                out['reading-loss', reading, 'fifo', x] = [run(0)] * 3
                for mode in ('sbpn1', 'sbpn2'):
                    out['reading-loss', reading, mode, x] = [run(*harm)] * 3
        return out

    def test_both(self):
        every = list(sbpn_readings.READINGS)
        self.assertEqual(sbpn_readings.both(self.results(12, (-1, -1))), every)
        self.assertEqual(sbpn_readings.both(self.results(9, (-1, -1))), [])
        self.assertEqual(sbpn_readings.both(self.results(12, (-1, 1))), [])
        few = {case: found[:2] for case, found in self.results(12, (-1, -1)).items()}
        self.assertEqual(sbpn_readings.findings(few, 'tail'), (None, None))

    def test_most_of_the_range_by_intervals(self):
        """A mean above the bound whose interval is not says nothing."""
        sure, wide, less = [12.0] * 4, [9.0, 18.0, 9.0, 18.0], [3.0] * 4
        for rows, good in (([sure] * 4 + [less] * 3, True), ([sure] * 2 + [less] * 5, False),
                           ([sure] * 3 + [wide] * 2 + [less] * 2, None), ([wide] * 7, None)):
            made = sbpn.over_most(4, rows, sbpn.by_seed(rows))
            self.assertIs(made.good, good, rows)


class Loads(unittest.TestCase):
    """What the page of the cells says would give the paper's shares."""

    POINTS = [(1, 0), (5, 50), (10, 80)]

    def test_between_the_points(self):
        self.assertEqual(breaker_cell.fitting(self.POINTS, 25, 65), (3, 7.5))

    def test_beyond_them_nothing_is_said(self):
        self.assertEqual(breaker_cell.fitting(self.POINTS, 50, 90), (5, None))


class Capacity(unittest.TestCase):
    def test_seconds_above(self):
        """With 40 bytes in each of 30 frames: 9.6 kbit/s."""
        result = {'phases': [{'from': 0, 'to': 2, 'capacity': 1e5},
                             {'from': 2, 'to': 4, 'capacity': 2e5}],
                  'flows': [{'rates': [90, 91, 191, 190]}]}
        self.assertEqual(fbra_paper.above_capacity(result), 2)


if __name__ == '__main__':
    unittest.main()
