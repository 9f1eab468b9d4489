# SPDX-License-Identifier: LGPL-2.1-or-later
"""A campaign in a folder of its own, with a simulator that does what it is told.

A test that uses it is run with SOURCE_ROOT RCCSIM and exits 77 without matplotlib."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

ROOT, RCCSIM = pathlib.Path(sys.argv.pop(1)).resolve(), pathlib.Path(sys.argv.pop(1)).resolve()
sys.path[:0] = [str(ROOT / 'tools'), str(ROOT / 'tests')]
sys.dont_write_bytecode = True
try:
    import matplotlib  # noqa: F401
except ImportError:
    print('SKIP: reproduce: matplotlib is absent (python3-matplotlib)')
    sys.exit(77)

CASES = 33      # of fbra-table1
PATIENCE = 200  # s, with what hangs; nothing is decided by it


class Campaign(unittest.TestCase):
    """Each test has a folder with a simulator, a cache and a page of its own."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.programs = self.folder / 'programs'
        self.programs.mkdir()
        self.program = self.programs / 'rccsim'
        shutil.copy(ROOT / 'tests' / 'reproduce' / 'simulator.py', self.program)
        self.page, self.cache = self.folder / 'page.html', self.folder / 'cache'
        self.env = {**os.environ, 'FAKE': str(self.folder)}
        self.env.pop('RCC_TRACES', None)

    def command(self, *more, what='fbra-table1', programs=None):
        return [sys.executable, str(ROOT / 'tools' / 'reproduce'), what, '--programs',
                str(programs or self.programs), '--cache', str(self.cache), '--output',
                str(self.page), *more]

    def run_it(self, *more, **keys):
        before = keys.pop('preexec_fn', None)
        return subprocess.run(self.command(*more, **keys), capture_output=True, text=True,
                              env=self.env, preexec_fn=before, check=False, timeout=PATIENCE)

    def how(self, what):
        (self.folder / 'how').write_text(what, encoding='utf-8')

    def well(self):
        (self.folder / 'how').unlink()

    def begin(self, *more, **keys):
        """The command, running."""
        process = subprocess.Popen(self.command(*more, **keys), env=self.env,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                   text=True)
        self.addCleanup(process.kill)
        self.addCleanup(process.stderr.close)
        return process

    def until(self, condition, *processes):
        end = time.monotonic() + PATIENCE
        while not condition():
            self.assertLess(time.monotonic(), end)
            for process in processes:
                self.assertIsNone(process.poll())
            time.sleep(0.02)

    def started(self):
        log = self.folder / 'started'
        return len(log.read_text(encoding='utf-8').splitlines()) if log.exists() else 0

    def refused(self, done, *words):
        """One plain sentence, exit code 1, and no page."""
        self.assertEqual(done.returncode, 1, done.stderr)
        *before, sentence = done.stderr.splitlines()
        self.assertTrue(sentence.startswith('reproduce: '), done.stderr)
        for word in words:
            self.assertIn(word, sentence)
        for line in before:         # how far it was
            self.assertIn(' runs', line)
        self.assertFalse(self.page.exists())
        self.assertEqual(list(self.folder.rglob('*.part')), [])

    def results(self, cache=None):
        """{name: result} of a cache."""
        return {path.parent.name + path.stem: json.loads(path.read_text(encoding='utf-8'))['result']
                for path in (cache or self.cache).glob('??/*.json')}

    def kept(self, cache=None):
        """Every file of the cache is a whole result."""
        files = [path for path in (cache or self.cache).rglob('*') if path.is_file()]
        for path in files:
            self.assertEqual(path.suffix, '.json', path)
            self.assertIn('flows', json.loads(path.read_text(encoding='utf-8'))['result'])
        return len(files)
