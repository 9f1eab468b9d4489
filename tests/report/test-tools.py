#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The tools that judge the tests: what they write, and one plain sentence where they cannot."""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
FORGED = '''ok 1 /x
# twcc              REMB     all          moved  85.3 %, after 2 s   4.2 %
# twcc              REMB     blind        moved   0.0 %, after 2 s   0.0 %
# twcc              REMB     numbers      each 0.1 s: delivered 0.98
# breaker           RR       numbers      opens at 0 s (0 expected); while nobody reports at 15 s (without him at 15 s)
'''


def run(name, *args):
    return subprocess.run([sys.executable, str(ROOT / 'tools' / name), *args], text=True,
                          capture_output=True, timeout=100)


class Tools(unittest.TestCase):
    def refused(self, done, expected):
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertRegex(done.stderr, expected)

    def test_help(self):
        for name in ('forgery', 'mutate', 'fuzz-coverage'):
            with self.subTest(name):
                done = run(name, '--help')
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn('usage: ', done.stdout)

    def test_forgery_writes_its_page(self):
        with tempfile.TemporaryDirectory() as name:
            lines, page = pathlib.Path(name) / 'lines', pathlib.Path(name) / 'docs' / 'page.md'
            lines.write_text(FORGED)
            done = run('forgery', '--lines', str(lines), str(page))
            self.assertEqual(done.returncode, 0, done.stderr)
            text = page.read_text()
            self.assertIn('| `blind` | 1 | 0.0 % | 0.0 % |', text)
            self.assertIn('| `all` | 1 | 85.3 % | 4.2 % |', text)
            self.assertIn('| `numbers` | 1 | 98.0 % |', text)
            self.assertIn('In 0 of 1 calls the breaker opens', text)
            lines.write_text('nothing\n')
            self.refused(run('forgery', '--lines', str(lines), str(page)), 'these are not the lines')
            self.refused(run('forgery', '--build', name), 'build first')

    def test_mutate_says_what_it_lacks(self):
        self.refused(run('mutate', '--modules', 'nowhere'),
                     "no module has 'nowhere' in its path")

    def test_equivalent_faults_are_of_lines_that_are_there(self):
        path = ROOT / 'tests' / 'equivalent.txt'
        lines = [line for line in path.read_text().split('\n') if line and line[0] != '#']
        faults, reasons = lines[::2], lines[1::2]
        self.assertEqual(len(faults), len(reasons))
        for fault, reason in zip(faults, reasons):
            with self.subTest(fault):
                file, before = re.match(r'(\S+): (.*) ==> ', fault).groups()
                source = (ROOT / 'gst' / file).read_text().split('\n')
                self.assertIn(before, [line.strip() for line in source])
                self.assertRegex(reason, r'^    \S')


if __name__ == '__main__':
    unittest.main(verbosity=2)
