#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs what README.md and docs tell people to copy: each command of a sh block, each program in
Python and C.  Long ones are shortened; those that another test runs are named in ELSEWHERE.

    tests/examples.py SOURCE-ROOT BUILD-ROOT

in an environment that finds the plugins and rtpcall."""
import base64
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

import atonce
import launchline
from ports import free_port

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
BUILD = pathlib.Path(sys.argv.pop(1)).resolve()
PAGES = [ROOT / 'README.md', *sorted((ROOT / 'docs').glob('*.md'))]
# Commands that are not run here, and who runs them.
ELSEWHERE = {
    'tools/demo': 'tests/rtpcall.py runs its call; the build is that of whoever runs this',
    'tools/test': 'runs this', 'tools/test --quick': 'runs this',
    'tools/setup': 'needs root: tools/test begins with it',
    'meson setup build': 'has run', 'ninja -C build demo': 'has run',
    'meson setup build && ninja -C build': 'has run', 'meson devenv -C build': 'is a shell',
    'tools/reproduce fbra-table1 rfc8867 --runs 10 --output report.html': 'suite reproduce',
}
# Pages whose blocks a test of their own runs.
OWN_TEST = {'controller.md': {'sh'}, 'webrtc.md': {'c', 'python'}}
CYCLE = re.compile(r'.*GStreamer-WARNING.*loop detected in the graph of bin.*\n?')
COMPLAINT = r'CRITICAL|WARNING|Traceback'


def blocks(language):
    """(page, text) of each block."""
    for page in PAGES:
        if language not in OWN_TEST.get(page.name, ()):
            for text in re.findall(rf'^```{language}\n(.*?)^```', page.read_text(encoding='utf-8'),
                                   re.DOTALL | re.MULTILINE):
                yield page.name, text


def commands():
    for name, text in blocks('sh'):
        for line in text.replace('\\\n', ' ').splitlines():
            line = ' '.join(line.split())
            if line and not line.startswith('#'):
                yield name, line


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False,
                          **options)


def shortened(line):
    """The same, for a few seconds."""
    line = line.partition(' #')[0].replace('meson devenv -C build ', '')
    line = re.sub(r'^build/', f'{BUILD}/', line)
    line = re.sub(r'--duration \d+', '--duration 3', line)
    if '/rccsim ' in line + ' ' and '--duration' not in line:
        line += ' --duration 3'
    return line


def moved(line):
    """To ports that nobody has: udpsrc would share those that are written with another run."""
    ports = {}
    return re.sub(r'\bport=(\d+)', lambda found: 'port=' + ports.setdefault(
        found[1], str(free_port())), line)


class Examples(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.directory = scratch.name

    def quiet(self, done):
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertNotRegex(done.stderr, COMPLAINT)

    def test_commands(self):
        known = 0
        for page, line in commands():
            if line in ELSEWHERE or line.startswith(('gst-launch-1.0 ', 'key=')):
                known += 1
                continue
            with self.subTest(page=page, line=line):
                words = shlex.split(shortened(line))
                if 'rccns3' in words[0] and not pathlib.Path(words[0]).exists():
                    continue            # built where ns-3 is
                if words[0].startswith('tools/'):
                    words[0] = str(ROOT / words[0])
                done = run(*words, cwd=self.directory)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                self.assertRegex(done.stdout, r'\d')
        self.assertGreater(known, 10)

    # They run at a time.
    def test_no_two_examples_share_a_port(self):
        taken = []
        for language in ('sh', 'c', 'python'):
            here = [line for _, line in commands()] if language == 'sh' else [
                text for _, text in blocks(language)]
            for text in here:
                taken += set(re.findall(r'udpsrc\b[^!]*?\bport=(\d+)', text))
        self.assertEqual(sorted(taken), sorted(set(taken)))

    def test_what_is_elsewhere_is_there(self):
        lines = {line for _, line in commands()}
        self.assertEqual(set(ELSEWHERE) - lines, set())

    def test_launch_lines(self):
        lines = [line for _, line in commands() if line.startswith('gst-launch-1.0 ')
                 and 'rtpccs' not in line.replace('rtpccsender', '')]
        self.assertGreaterEqual(len(lines), 2)
        for line in lines:
            with self.subTest(line=line):
                if 'rtpgccsender' in line:
                    done = launchline.call(moved(line))
                    self.assertIsNone(launchline.why_deaf(done))
                else:
                    done = launchline.run(moved(line), 12, until=r'GstRtpCcBin, limit=.*the\W+path')
                    self.assertRegex(done.stdout, r'GstRtpCcBin, limit=.*the\W+path')
                self.assertEqual(done.returncode, 0, done.stdout)
                self.assertNotRegex(CYCLE.sub('', done.stdout), COMPLAINT)
                self.assertNotIn('GstRtpCircuitBreaker', done.stdout)

    # The two ends of a call, on one machine and without a screen.
    def test_calls_by_uri(self):
        calls = 0
        for page, text in blocks('sh'):
            ends = [line for line in text.splitlines()
                    if line.startswith('gst-launch-1.0 ') and re.search('rtpccs(rc|ink)', line)]
            both = list(zip(ends, ends[1:])) if len(ends) == 2 else []
            if ends and not both:       # the two ends are in blocks of their own
                self.assertEqual(page, 'tutorial.md')
                if 'rtpccsink' in ends[0]:
                    both = [(self.last, ends[0])]
                self.last = ends[0]
            for receiver, sender in both:
                calls += 1
                with self.subTest(page=page, sender=sender):
                    self.call(receiver, sender)
        self.assertGreaterEqual(calls, 4)

    def call(self, receiver, sender):
        port, key = str(free_port()), base64.b64encode(os.urandom(30)).decode()

        def local(line):
            return (line.replace('autovideosink', 'fakesink').replace('HOST', '127.0.0.1')
                    .replace(':5004', f':{port}').replace('$key', key))
        with subprocess.Popen(local(receiver).split(), stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT) as other:
            done = launchline.run(local(sender), 10)
            other.send_signal(2)
            other.communicate(timeout=20)
        self.assertEqual((done.returncode, other.returncode), (0, 0), done.stdout)
        self.assertRegex(done.stdout, 'GstRtpCcBin, limit=')
        self.assertNotRegex(done.stdout, r'CRITICAL|WARNING|missing=\(string\)"\w')

    def test_c(self):
        flags = run('pkg-config', '--cflags', '--libs', 'gstreamer-1.0')
        self.assertEqual(flags.returncode, 0, flags.stderr)
        said = ''
        for page, code in blocks('c'):
            with self.subTest(page=page):
                source = pathlib.Path(self.directory, 'example.c')
                source.write_text(code, encoding='utf-8')
                program = str(source.with_suffix(''))
                self.quiet(run(*shlex.split(os.environ.get('CC', 'cc')), '-Wall', '-Werror',
                               str(source), '-o', program, *flags.stdout.split()))
                done = run(program)
                self.quiet(done)
                said += done.stdout
        # The target starts at 500.  Only feedback raises it.
        targets = [int(kbps) for kbps in re.findall(r'may send (\d+) kbit/s', said)]
        self.assertGreater(max(targets, default=0), 500, said)

    def test_python(self):
        try:
            import gi
            gi.require_version('Gst', '1.0')
        except (ImportError, ValueError):
            self.skipTest('python3-gi or gir1.2-gstreamer-1.0 is not installed')
        said = {}
        for page, code in blocks('python'):
            done = run(sys.executable, '-c', code)
            self.quiet(done)
            said[page] = done.stdout
        self.assertEqual(set(said), {'circuit-breaker.md', 'recipes.md'})
        self.assertRegex(said['circuit-breaker.md'],
                         r'^GstRtpCircuitBreakerNearing\nstopped: rtcp-timeout - wait 1[45]\.\d+ s\nnot yet\n$')
        self.assertRegex(said['recipes.md'], r'target \d+ bit/s, limited by remb')


if __name__ == '__main__':
    atonce.main(3)
