#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""tools/tally.py: what the last line of tools/test says.
Usage: test-tally.py SOURCE_ROOT."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

TALLY = pathlib.Path(sys.argv.pop(1)) / 'tools' / 'tally.py'


class Tally(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.place = pathlib.Path(holder.name)

    def log(self, name, *results, tail=''):
        path = self.place / name
        path.write_text(''.join(json.dumps({'name': f't{i}', 'result': r}) + '\n'
                                for i, r in enumerate(results)) + tail)
        return path

    def last_line(self, *args):
        done = subprocess.run([sys.executable, TALLY, *map(str, args)],
                              capture_output=True, text=True)
        self.assertEqual(done.stderr, '')
        return done.returncode, done.stdout.splitlines()[-1]

    def test_runs_add_up(self):
        one = self.log('one', 'OK', 'EXPECTEDFAIL', 'SKIP')
        two = self.log('two', 'OK')
        self.assertEqual(self.last_line(f'0:{one}', f'0:{two}'),
                         (0, '3 passed, 0 failed, 1 skipped'))
        self.assertEqual(self.last_line(f'0:{two}'), (0, '1 passed, 0 failed'))

    def test_every_bad_end_counts(self):
        one = self.log('one', 'OK', 'FAIL', 'TIMEOUT', 'ERROR', 'UNEXPECTEDPASS', 'INTERRUPT')
        self.assertEqual(self.last_line(f'1:{one}'), (1, '1 passed, 5 failed'))

    def test_a_run_that_failed_unseen_counts_once(self):
        self.assertEqual(self.last_line(f'124:{self.log("one", "OK")}'), (1, '1 passed, 1 failed'))
        self.assertEqual(self.last_line(f'1:{self.place}/none'), (1, '0 passed, 1 failed'))

    def test_a_log_cut_short(self):
        self.assertEqual(self.last_line(f'0:{self.log("one", "OK", tail="{broken")}'),
                         (1, '1 passed, 1 failed'))

    def test_broken_steps(self):
        one = self.log('one', 'OK')
        self.assertEqual(self.last_line('--broken', 'a build', '--broken', 'b', f'0:{one}'),
                         (1, '1 passed, 2 failed'))

    def test_why_and_how_long(self):
        path = self.place / 'said'
        path.write_text('\n'.join(json.dumps(test) for test in (
            {'name': 'a', 'result': 'OK', 'duration': 30.2, 'stdout': 'rate 1   MISSED'},
            {'name': 'b', 'result': 'FAIL', 'duration': 2,
             'stdout': 'fine\nrate 7   > 8   MISSED\nfine too', 'stderr': 'x.c:9: runtime error: y'},
            {'name': 'c', 'result': 'FAIL', 'duration': 1.1, 'stdout': 'one\n\ntwo\n'})) + '\n')
        done = subprocess.run([sys.executable, TALLY, f'1:{path}'], capture_output=True, text=True)
        self.assertEqual(done.stdout.splitlines(), [
            'longest: a 30 s, b 2 s, c 1 s',
            f'failed: b (fail, {path})', '    rate 7   > 8   MISSED', '    x.c:9: runtime error: y',
            f'failed: c (fail, {path})', '    one', '    two', '1 passed, 2 failed'])

    def test_nothing_at_all_is_no_success(self):
        self.assertEqual(self.last_line(), (1, '0 passed, 0 failed'))


if __name__ == '__main__':
    unittest.main()
