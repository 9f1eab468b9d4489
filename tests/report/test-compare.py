#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""tools/report.py --cdf: many runs on one page.
Usage: test-compare.py SOURCE_ROOT.  Exits 77 when matplotlib is absent."""
import contextlib
import io
import pathlib
import sys
import tempfile
import unittest
import unittest.mock

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
sys.path[:0] = [str(ROOT / 'tools'), str(ROOT / 'tests' / 'report'), str(ROOT / 'tests')]
sys.dont_write_bytecode = True
try:
    import matplotlib  # noqa: F401
except ImportError:
    print('SKIP: comparison: matplotlib is absent (python3-matplotlib)')
    sys.exit(77)
import calls  # noqa: E402
import report  # noqa: E402
from callreport import compare, read  # noqa: E402
from readpage import Page  # noqa: E402


class Compare(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.place = pathlib.Path(holder.name)

    def run_it(self, *args):
        said = io.StringIO()
        with unittest.mock.patch('sys.argv', ['report.py', *map(str, args)]), \
                contextlib.redirect_stderr(said), contextlib.redirect_stdout(io.StringIO()):
            try:
                return report.main(), said.getvalue()
            except SystemExit as end:
                return end.code, said.getvalue()

    def page(self, *runs):
        output = self.place / 'page.html'
        self.assertEqual(self.run_it('--cdf', *runs, '-o', output), (0, ''))
        page = Page(output.read_text(encoding='utf-8'))
        self.assertEqual(page.faults, [])
        return page

    def call(self, name, delays, profile='default'):
        rows = [{'time': 0.2 * (i + 1), 'owd': owd} for i, owd in enumerate(delays)]
        return calls.write(self.place / name, rows=rows, with_frames=False, events=None,
                           profile={'name': profile})

    def test_a_distribution(self):
        """Of 1 to 100 ms, in any order."""
        call = read.call(self.call('a', [(37 * i) % 101 for i in range(1, 101)]))
        self.assertEqual(sorted(call.samples['owd']), list(range(1, 101)))
        chart = compare.chart({'a': [call]}, *compare.MEASURES[1])
        line, = chart.series
        self.assertEqual([compare.at(line, p) for p in (1, 50, 95, 99, 100)], [1, 50, 95, 99, 100])
        # Between 50 and 51 ms half of them have come.
        self.assertEqual(line.values[line.time.index(51)], 50.0)
        self.assertEqual((line.values[0], line.values[-1]), (0.0, 100.0))
        self.assertEqual(chart.describe(), 'a: half at or below 50.0 ms, 95 % at or below 95.0 ms.')

    def test_many_values_are_thinned_out(self):
        values, shares = compare.steps(list(range(10000)))
        self.assertLessEqual(len(values), compare.STEPS + 1)
        self.assertEqual((values[-1], shares[-1]), (9999, 100.0))

    def test_runs_of_one_name_are_one_line(self):
        page = self.page(self.call('a1', [10] * 50), self.call('a2', [30] * 50),
                         self.call('b', [20] * 100, 'other'))
        self.assertEqual([attrs['id'] for tag, attrs in page.tags if tag == 'figure'], ['delay'])
        rows = [row for row in page.rows if row[0] in ('default', 'other') and len(row) == 7]
        self.assertEqual(rows, [['default', '2', '20.0', '10.0', '10.0', '30.0', '30.0'],
                                ['other', '1', '20.0', '20.0', '20.0', '20.0', '20.0']])
        self.assertIn('3 calls compared', page.words['h1'])
        self.assertEqual([row[0] for row in page.rows if len(row) == 10],
                         ['Run', 'default 1', 'default 2', 'other'])

    def test_one_value_is_said(self):
        page = self.page(self.call('a', [10] * 50), self.call('b', [10] * 50, 'other'))
        self.assertEqual([attrs for tag, attrs in page.tags if tag == 'figure'], [])
        self.assertIn(': 10.0\xa0ms in all runs.', page.words['p'])

    def test_a_csv_file_is_a_run(self):
        calls.save_csv(self.place / 'gcc-1.csv', calls.samples(10))
        calls.save_csv(self.place / 'gcc-2.csv', calls.samples(10, seed=2))
        page = self.page(self.place / 'gcc-1.csv', self.place / 'gcc-2.csv',
                         calls.write(self.place / 'call'))
        self.assertEqual({row[0]: row[1] for row in page.rows if len(row) == 7},
                         {'Name': 'Runs', 'gcc': '2', 'default': '1'})
        self.assertEqual([attrs['id'] for tag, attrs in page.tags if tag == 'figure'],
                         ['rate', 'delay', 'queue', 'loss', 'psnr'])

    def test_refusals(self):
        some = [self.call(f'run{i}', [10], f'name{i}') for i in range(19)]
        status, said = self.run_it('--cdf', *some, '-o', self.place / 'page.html')
        self.assertEqual(status, 1)
        self.assertIn('19 names are too many', said)
        self.assertFalse((self.place / 'page.html').exists())
        status, said = self.run_it(some[0], some[1])
        self.assertEqual(status, 2)
        self.assertIn('--cdf any number', said)
        status, said = self.run_it('--cdf', self.place / 'nowhere')
        self.assertEqual(status, 1)
        self.assertIn('is not a directory', said)


if __name__ == '__main__':
    unittest.main()
