#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The rows of control-rows, on results made by hand.  Usage: test-control-rows.py SOURCE_ROOT."""
import dataclasses
import math
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
sys.path.insert(0, str(ROOT / 'tools'))
sys.dont_write_bytecode = True
from experiments import control_rows as rows, markdown, nada, page, targets  # noqa: E402
from experiments.target import Headline, Table, Verdict  # noqa: E402

AT_MOST = rows.Row('long', 'alone', rows.FRAME, '290', 200)
AT_LEAST = rows.Row('long', 'alone', rows.SHARE, '', .9, True)


def results(*frames, case='long', form='remb'):
    return {(case, form): [{'flows': [{'frames': {'p98': frame}, 'lost': 0}],
                            'link': {'utilisation': .8, 'queue-p95': 10}} for frame in frames]}


class Programs(targets.Tools):
    """None of them is started, so none has to be there."""

    def _program(self, name):
        return name


class Rows(unittest.TestCase):
    def setUp(self):
        keep = tempfile.TemporaryDirectory()
        self.addCleanup(keep.cleanup)
        self.folder = keep.name

    def test_a_row_is_judged_by_its_interval(self):
        for frames, sign in (((190, 191, 192), '\u2713'), ((210, 211, 212), '\u2717'),
                             ((180, 200, 215), '?'), ((190, 191), '?')):
            found = rows.found(AT_MOST, results(*frames))
            self.assertTrue(rows.cells(AT_MOST, found)[0].endswith(sign), frames)

    def test_what_was_not_run_has_no_figure(self):
        self.assertEqual(rows.cells(AT_MOST, {}), ('\u2013',) * 4)

    def test_above_one_is_missed(self):
        self.assertAlmostEqual(AT_MOST.off([220, 220]), 1.1)
        self.assertAlmostEqual(AT_MOST.off([100, 100]), .5)
        self.assertAlmostEqual(AT_LEAST.off([.6, .6]), 1.5)
        self.assertEqual(AT_LEAST.off([0, 0]), math.inf)
        self.assertTrue(math.isnan(AT_MOST.off([math.nan])))

    def test_the_bound_is_said_as_it_is(self):
        self.assertEqual((AT_MOST.bound, AT_LEAST.bound), ('\u2264 200', '\u2265 0.9'))
        self.assertEqual(dataclasses.replace(AT_LEAST, must=.945).bound, '\u2265 0.945')

    def test_the_furthest_comes_first(self):
        found = {**results(300, 301), **results(400, 401, form='twcc'),
                 **results(210, 209, case='fast')}
        shown = rows.furthest(found).rows
        self.assertEqual([(row[0], row[2]) for row in shown][:3],
                         [('2 Mbit/s alone', 'TWCC'), ('2 Mbit/s alone', 'REMB'),
                          ('50 Mbit/s', 'REMB')])

    def test_each_row_is_planned(self):
        tools = Programs('.', None, self.folder, 6, ('probe-interval=0',))
        planned = rows.plan(tools, 2, False)
        for row in rows.ROWS:
            for form in row.forms:
                self.assertIn((row.case, form), planned)
        for case, ones in planned.items():
            words = [one.args for one in ones]
            self.assertEqual([args[args.index('--seed') + 1] for args in words], ['6', '7'])
            tuned = [any('probe-interval=0' in arg for arg in args) for args in words]
            self.assertEqual(tuned, [case[0] not in rows.FBRA] * 2, case)


class Markdown(unittest.TestCase):
    def test_a_table(self):
        one = page.Chapter(rows, [rows.NOTE, Table('What', ('A', 'B'), [('1', 'x|y')])], 5, [], [],
                           False)
        text = markdown.document([one], 'tools/reproduce control-rows')
        self.assertIn('<!-- tools/reproduce control-rows writes this page. -->', text)
        self.assertIn('## What\n\n| A | B |\n| --- | --- |\n| 1 | x\\|y |\n', text)
        self.assertIn('5 seeds', text)
        self.assertNotIn('## Findings', text)

    def test_findings(self):
        shown = [Headline('Them', 'a claim', '1 ms', '2 ms', False, 'the reason'),
                 Verdict('this: reached', True), Verdict('that: cannot be told: n = 2', None)]
        text = markdown.document([page.Chapter(nada, shown, 5, [], [], False)], 'x')
        self.assertIn('| Them | a claim | 1 ms | 2 ms | differs | the reason |', text)
        self.assertIn('1 of 1 that can be told are reproduced or reach their target; 1 cannot be '
                      'told.\n\n* this: reached\n* that: cannot be told: n = 2\n', text)
        # its tables have them
        text = markdown.document([page.Chapter(rows, shown, 5, [], [], False)], 'x')
        self.assertNotIn('this: reached', text)


if __name__ == '__main__':
    unittest.main()
