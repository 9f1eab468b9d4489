#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Does what docs/controller.md says: a controller outside the tree in C and in Python, and in
a copy of the tree with a file and a line.

controller.py SOURCE BUILD outside|inside.  With RCC_THOROUGH set, inside builds and runs rccns3,
too (minutes)."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
BUILD = pathlib.Path(sys.argv.pop(1)).resolve()
WHAT = sys.argv.pop(1)
EXAMPLES = ROOT / 'docs' / 'controller'
PAGE = (ROOT / 'docs' / 'controller.md').read_text(encoding='utf-8')
THOROUGH = bool(os.environ.get('RCC_THOROUGH'))
NS3 = (BUILD / 'tools' / 'rccns3' / 'rccns3').exists()


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                          check=False, timeout=900, **options)
    if done.returncode:
        raise AssertionError(f'{command}: exit {done.returncode}\n{done.stdout[-3000:]}'
                             f'{done.stderr[-3000:]}')
    return done.stdout + done.stderr


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)


class Outside(Folder):
    def setUp(self):
        super().setUp()
        run('meson', 'install', '-C', BUILD, '--no-rebuild', '--tags', 'devel', '--destdir',
            self.folder / 'root')
        file, = (self.folder / 'root').rglob('librcc.pc')
        self.env = {**os.environ, 'PKG_CONFIG_PATH': str(file.parent),
                    'PKG_CONFIG_SYSROOT_DIR': str(self.folder / 'root')}

    def compile(self, *more):
        flags = run('pkg-config', '--cflags', '--libs', 'librcc', env=self.env).split()
        program = self.folder / 'aimd'
        run('gcc', '-Wall', '-Wextra', '-Wno-unused-parameter', '-Werror', '-o', program, *more,
            EXAMPLES / 'aimd.c', EXAMPLES / 'run.c', *flags)
        return program

    def test_c(self):
        lines = len((EXAMPLES / 'aimd.c').read_text(encoding='utf-8').splitlines())
        self.assertIn(f'in {lines} lines', PAGE)
        self.assertLessEqual(lines, 60)
        out = run(self.compile(), 'rfc8867-5.1')
        print(out.strip())
        # A controller by loss alone fills the queue of 300 ms, and uses what there is.
        words = re.fullmatch(r'utilisation ([\d.]+), (\d+) kbit/s, ([\d.]+) % lost, '
                             r'queue p95 (\d+) ms\n', out)
        self.assertIsNotNone(words, out)
        self.assertGreater(float(words[1]), 0.6)
        self.assertGreater(float(words[3]), 0.1)
        self.assertGreater(int(words[4]), 150)

    def test_errors(self):
        program = self.compile()
        for scenario, sample, said in (('no-such-scenario', None, 'no-such-scenario'),
                                       ('rfc8867-5.1', '/no/such/folder/samples.csv', 'cannot be written')):
            done = subprocess.run([str(program), scenario] + ([sample] if sample else []),
                                  capture_output=True, text=True, check=False, timeout=60)
            self.assertEqual(done.returncode, 1)
            self.assertIn(said, done.stderr)
            self.assertEqual(len(done.stderr.strip().splitlines()), 1)

    def test_python_is_the_same(self):
        try:
            import cffi  # noqa: F401
        except ImportError:
            self.skipTest('python3-cffi is absent')
        samples = [self.folder / 'c.csv', self.folder / 'py.csv']
        said = [run(self.compile(), 'rfc8867-5.1', samples[0]),
                run(sys.executable, EXAMPLES / 'aimd.py', 'rfc8867-5.1', samples[1], env=self.env)]
        self.assertEqual(said[0], said[1])
        self.assertGreater(samples[0].stat().st_size, 10000)
        self.assertEqual(samples[0].read_bytes(), samples[1].read_bytes())


class Inside(Folder):
    """A file, its test and a line in gst/core/rows.h; no other file of the project changes."""

    def setUp(self):
        super().setUp()
        self.tree = self.folder / 'tree'
        self.build = self.folder / 'build'
        for name in ('gst', 'tools', 'tests', 'docs', 'subprojects'):
            shutil.copytree(ROOT / name, self.tree / name,
                            ignore=shutil.ignore_patterns('__pycache__', '*.pyc'))
        for name in ('meson.build', 'meson_options.txt', 'README.md'):
            shutil.copy(ROOT / name, self.tree)
        self.add('aimd', '.')
        self.add('other', 'other')      # a folder of its own will do, too

    def add(self, name, folder):
        for place, prefix in (('gst', ''), ('tests', 'test-')):
            text = (EXAMPLES / f'{prefix}aimd.c').read_text(encoding='utf-8')
            into = self.tree / place / 'core' / folder
            into.mkdir(exist_ok=True)
            (into / f'{prefix}{name}.c').write_text(re.sub(
                r'(rcc_controller_|"|/)aimd\b', rf'\g<1>{name}', text), encoding='utf-8')
        rows = self.tree / 'gst/core/rows.h'
        text = rows.read_text(encoding='utf-8')
        behind = '  ROW (cnadu) \\\n'
        self.assertEqual(text.count(behind), 1)
        rows.write_text(text.replace(behind, f'{behind}  ROW ({name}) \\\n'), encoding='utf-8')

    def inside(self, *command):
        return run('meson', 'devenv', '-C', self.build, *command)

    def test_runs_by_its_name(self):
        ns3 = NS3 and THOROUGH
        run('meson', 'setup', '-Dlibrcc=disabled', f'-Dns3={"auto" if ns3 else "disabled"}',
            '-Doptimization=0', self.build, self.tree)
        run('ninja', '-C', self.build, 'demo', 'tools/rccsim', 'tests/test-core-aimd',
            'tests/test-core-other-other', *['tools/rccns3/rccns3'] * ns3)
        run(self.build / 'tests' / 'test-core-aimd')
        run(self.build / 'tests' / 'test-core-other-other')
        run(sys.executable, self.tree / 'tests' / 'rooms.py', self.tree)

        for name in ('aimd', 'other'):
            out = run(self.build / 'tools' / 'rccsim', f'--controller={name}', '--duration=20')
            self.assertRegex(out, r'(?m)^all +0\.[4-9]')
        if ns3:
            out = run(self.build / 'tools' / 'rccns3' / 'rccns3', '--flow=cc=aimd', '-d', '20')
            self.assertIn('controller=aimd', out)
        else:
            print('rccns3: not built here (RCC_THOROUGH=1, with ns-3)')

        out = self.inside('gst-inspect-1.0', 'rtpccsender')
        self.assertRegex(out, r'aimd +- Additive increase, multiplicative decrease')
        line = ('videotestsrc is-live=true num-buffers=50 ! x264enc tune=zerolatency ! rtph264pay'
                ' ! rtpccsender controller=aimd start-bitrate=200000 ! fakesink').split()
        out = self.inside('gst-launch-1.0', *line)
        self.assertIn('Got EOS', out)
        self.assertNotRegex(out, 'CRITICAL|WARNING')

        out = self.inside('rtpcall', '--cc', 'aimd', '--input', 'test', '--link', 'constant:600k',
                          '--duration', '6', '--report', str(self.folder / 'report'))
        self.assertNotRegex(out, 'CRITICAL')
        target = [int(t) for t in re.findall(r'target +(\d+)', out)]
        self.assertGreater(target[-1], target[0])       # it climbs on a path without loss


if __name__ == '__main__':
    unittest.main(argv=[sys.argv[0], WHAT.capitalize()], verbosity=2)
