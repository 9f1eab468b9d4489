#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""rccsim --report: the call page of a simulated call, and what is left when it cannot be drawn.
Usage: test-simreport.py SOURCE_ROOT RCCSIM.  Exits 77 when matplotlib is absent."""
import csv
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import urllib.request

ROOT, RCCSIM = pathlib.Path(sys.argv.pop(1)).resolve(), pathlib.Path(sys.argv.pop(1)).resolve()
sys.path.insert(0, str(ROOT / 'tests'))
sys.dont_write_bytecode = True
if subprocess.run(['/usr/bin/python3', '-c', 'import matplotlib'], capture_output=True,
                  check=False).returncode:
    print('SKIP: page of a simulated call: matplotlib is absent (python3-matplotlib)')
    sys.exit(77)
from readpage import Page  # noqa: E402


class Simulated(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.place = pathlib.Path(holder.name)
        (self.place / 'tmp').mkdir()

    def run_it(self, *args):
        done = subprocess.run([RCCSIM, *args], capture_output=True, text=True, timeout=100,
                              check=False, cwd=self.place,
                              env={**os.environ, 'TMPDIR': str(self.place / 'tmp')})
        self.assertEqual(list((self.place / 'tmp').iterdir()), [])
        return done

    def drawn(self, *args):
        done = self.run_it('--report', 'page.html', *args)
        self.assertEqual((done.returncode, done.stderr), (0, ''))
        self.assertIn('q p95', done.stdout)
        page = Page((self.place / 'page.html').read_text(encoding='utf-8'))
        self.assertEqual(page.faults, [])
        page.figures = [attrs['id'] for tag, attrs in page.tags if tag == 'figure']
        page.files = {attrs['download']: urllib.request.urlopen(attrs['href']).read().decode()
                      for tag, attrs in page.tags if tag == 'a'}
        return page

    def test_a_page(self):
        page = self.drawn('--duration', '60', '--csv', 'samples.csv', '--seed', '3')
        self.assertEqual(page.figures[:2], ['rate', 'delay'])
        self.assertIn('estimator', page.figures)
        self.assertEqual(page.words['h1'], 'Call report: gcc')
        self.assertTrue(page.words['dt'].startswith('LinkFilmEncoderControllerMachineClocks'))
        for said in ('rfc8867-5.1', 'RFC 8593', 'gcc, feedback remb', 'simulated time'):
            self.assertIn(said, page.words['dd'])
        self.assertIn('rccsim --report page.html --duration 60', page.words['code'])
        self.assertRegex(page.words['p'], r'Delivered \d+\xa0% of the link')
        # Its samples are those of --csv, its numbers those of --json.
        self.assertEqual(list(page.files), ['samples.csv', 'events.csv', 'call.json'])
        self.assertEqual(page.files['samples.csv'], (self.place / 'samples.csv').read_text())
        told = json.loads(self.run_it('--duration', '60', '--seed', '3', '--json').stdout)
        summary = json.loads(page.files['call.json'])['summary']
        for name, value in (('used of the link, all flows', told['link']['utilisation']),
                            ('95 % queue', told['link']['queue-p95']),
                            ('lost on the link', told['flows'][0]['lost']),
                            ('mean received', told['flows'][0]['received'])):
            self.assertAlmostEqual(summary[name]['value'], value, delta=1e-5 * abs(value))
        # The capacity changes after 40 s.
        events = list(csv.DictReader(io.StringIO(page.files['events.csv'])))
        self.assertEqual([(float(e['time']), e['detail']) for e in events],
                         [(40.0, '1000 to 2500 kbit/s')])

    def test_what_the_breaker_goes_by(self):
        page = self.drawn('--fixed', '--start-bitrate', '1500000', '--max-bitrate', '1500000',
                          '--scenario', 'constant:150k', '--breaker', '--duration', '30')
        self.assertIn('The circuit breaker stopped the media after', page.words['p'])
        self.assertIn('breaker', page.figures)
        self.assertIn('TCP would get', page.words['li'])
        self.assertIn('congestion', page.files['events.csv'])
        self.assertEqual(page.words['h1'], 'Call report: no control')

    def test_no_column_is_taken_for_another(self):
        """What a scheduler counts in packets is no share, and a wait is one."""
        page = self.drawn('--controller', 'scream', '--feedback', 'ccfb', '--scheduler', 'sbpn2',
                          '--duration', '30')
        self.assertNotIn('on-time', page.figures)
        self.assertIn('wait', page.figures)
        data = json.loads(re.search(r'id="data">(.*?)</script>', page.text, re.S)[1])
        rows = list(csv.DictReader(io.StringIO(page.files['samples.csv'])))
        waits = [float(row['video-wait']) for row in rows if row['video-wait']]
        series = data['charts']['wait']['series'][0]
        self.assertEqual(series['label'], 'video')
        self.assertAlmostEqual(max(v for v in series['values'] if v is not None), max(waits),
                               delta=1e-3 * max(waits))

    def test_where_it_cannot_be_written(self):
        done = self.run_it('--duration', '5', '--report', 'nowhere/page.html')
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r'^rccsim: the page was not drawn: .*nowhere.*\n$')


if __name__ == '__main__':
    unittest.main(verbosity=2)
