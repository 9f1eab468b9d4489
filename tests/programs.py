#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What the programs have in common: programs.py SOURCE VERSION MAN PROGRAM ...

--version, exit code 2 and one sentence where an option is wrong, a manual page that has every
option, and completion."""
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

PROGRAMS = sys.argv[4:]
SOURCE, VERSION, MAN = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
del sys.argv[1:]


def run(*command):
    return subprocess.run(command, text=True, capture_output=True, timeout=60)


def name_of(program):
    name = pathlib.Path(program).name
    return 'rccreproduce' if name == 'reproduce' else name


class Programs(unittest.TestCase):
    def test_version(self):
        for program in PROGRAMS:
            with self.subTest(program):
                done = run(program, '--version')
                self.assertEqual((done.returncode, done.stderr), (0, ''))
                self.assertRegex(done.stdout, rf'^\S+ {re.escape(VERSION)}\n$')

    def test_unknown_option(self):
        for program in PROGRAMS:
            with self.subTest(program):
                done = run(program, '--nonsense')
                self.assertEqual((done.returncode, done.stdout), (2, ''))
                self.assertRegex(done.stderr, '--nonsense')

    def test_manual_pages(self):
        for program in PROGRAMS:
            with self.subTest(program):
                page = MAN / f'{name_of(program)}.1'
                if not page.exists():
                    self.skipTest('help2man is not installed')
                text = page.read_text().replace('\\-', '-')
                self.assertIn('.SH "EXIT STATUS"', text)
                for option in set(re.findall(r'^ +(?:-\w, )?(--[a-z0-9-]+)', run(program, '--help')
                                             .stdout, re.M)):
                    self.assertIn(option, text)

    def test_completion(self):
        text = (SOURCE / 'tools' / 'completion' / 'bash').read_text()
        for program in PROGRAMS:
            self.assertRegex(text, rf'(?m)^complete .*\b{name_of(program)}\b')
        if shutil.which('bash'):
            self.assertEqual(run('bash', '-n', SOURCE / 'tools' / 'completion' / 'bash').stderr, '')


if __name__ == '__main__':
    unittest.main(verbosity=2)
