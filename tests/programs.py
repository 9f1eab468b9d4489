#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What the programs have in common: programs.py SOURCE VERSION BUILD PROGRAM ...

--version, exit code 2 and one sentence where an option is wrong, a manual page that has every
option, completion, and that each is installed and runs from there."""
import pathlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAMS = sys.argv[4:]
SOURCE, VERSION, BUILD = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
MAN = BUILD / 'tools' / 'man'
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

    # As a mistyped one is, whose two dashes are missing.
    def test_stray_word(self):
        for program in PROGRAMS:
            with self.subTest(program):
                done = run(program, 'nonsense')
                self.assertEqual((done.returncode, done.stdout), (2, ''))

    # Scripts have theirs from argparse, behind all options.
    def test_built_programs_name_help(self):
        built = [program for program in PROGRAMS if pathlib.Path(program).read_bytes()[1:4] == b'ELF']
        self.assertGreaterEqual(len(built), 2)
        for program in built:
            for wrong in ('--nonsense', 'nonsense'):
                with self.subTest(program, wrong=wrong):
                    done = run(program, wrong)
                    self.assertEqual((done.returncode, done.stdout), (2, ''))
                    self.assertRegex(done.stderr, r'\A\w+: .*; see --help\n\Z')

    # Of the scripts in tools, too, and of the programs that are not installed.
    def test_usage_errors_are_2(self):
        scripts = [path for path in sorted((SOURCE / 'tools').iterdir())
                   if path.is_file() and path.stat().st_mode & 0o100]
        self.assertGreaterEqual(len(scripts), 15)
        tools = MAN.parent
        built = [path for path in (tools / 'webrtccall', tools / 'linktun/linktun') if path.exists()]
        for program in [*scripts, *built]:
            with self.subTest(program.name):
                done = run(program, '--nonsense')
                self.assertEqual((done.returncode, done.stdout), (2, ''))
                self.assertRegex(done.stderr, r'--nonsense|required')
                # By the name that is typed; reproduce is installed by another.
                if program in scripts and program.name not in ('reproduce', 'report.py', 'tally.py'):
                    self.assertRegex(done.stderr, rf'(?m)^tools/{program.name}: ')

    def test_manual_pages(self):
        for program in PROGRAMS:
            with self.subTest(program):
                page = MAN / f'{name_of(program)}.1'
                if not page.exists():
                    self.skipTest('help2man is not installed')
                text = page.read_text().replace('\\-', '-')
                self.assertIn(f'.SH NAME\n{name_of(program)} ', text)
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

    @unittest.skipUnless(shutil.which('bash'), 'bash is not installed')
    def test_completion_of_words(self):
        """Each campaign that rcctestbed has, as its help names them."""
        with tempfile.TemporaryDirectory() as folder:
            testbed = pathlib.Path(folder) / 'rcctestbed'
            testbed.symlink_to(SOURCE / 'tools' / 'testbed')
            words = re.search(r'\{([a-z0-9,]+)\}', run(testbed, '--help').stdout).group(1).split(',')
            done = run('bash', '-c', f'''
                _init_completion() {{ cur=; prev=; split=false; }}
                source {SOURCE / 'tools' / 'completion' / 'bash'}
                _gst_rtpcc {testbed}; echo ${{COMPREPLY[@]}}''')
        self.assertIn('beside', words)
        self.assertEqual((done.stdout.split(), done.stderr), (words, ''))

    def test_installed(self):
        """Whole: each by its name, with what a script imports, and its page and completion."""
        with tempfile.TemporaryDirectory() as folder:
            done = run('meson', 'install', '-C', BUILD, '--no-rebuild', '--quiet', '--destdir',
                       folder)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            found = {path.name: path for path in pathlib.Path(folder).rglob('bin/*')}
            self.assertEqual(set(found), {name_of(program) for program in PROGRAMS})
            path = f'{found["rccsim"].parent}:{os.environ["PATH"]}'
            for name, program in found.items():
                # a link leads to where it will be
                if program.is_symlink():
                    program = pathlib.Path(folder + os.readlink(program))
                done = subprocess.run([program, '--version'], text=True, capture_output=True,
                                      timeout=60, cwd=folder, env={**os.environ, 'PATH': path})
                self.assertEqual((done.returncode, done.stderr), (0, ''), name)
                self.assertIn(VERSION, done.stdout)
                self.assertTrue(list(pathlib.Path(folder).rglob(f'completions/{name}')), name)
                if (MAN / f'{name}.1').exists():
                    self.assertTrue(list(pathlib.Path(folder).rglob(f'man1/{name}.1')), name)


if __name__ == '__main__':
    unittest.main(verbosity=2)
