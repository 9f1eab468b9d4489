#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs what the README tells people to copy: its gst-launch-1.0 line, its Python and its
C example; and looks for elements that it does not name."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import launchline

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
BUILD = pathlib.Path(sys.argv.pop(1)).resolve()
README = (ROOT / 'README.md').read_text(encoding='utf-8')


def blocks(language):
    return re.findall(rf'^```{language}\n(.*?)^```', README, re.DOTALL | re.MULTILINE)


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, timeout=60, **options)


def rows_printed(program, enough):
    """How many lines with figures it prints, read until there are enough."""
    rows = 0
    with subprocess.Popen([str(program), '--verbose', '--tap'], stdout=subprocess.PIPE,
                          text=True) as running:
        for line in running.stdout:
            rows += bool(re.match(r'# .*\d', line))
            if rows == enough:
                break
        running.kill()
    return rows


class Readme(unittest.TestCase):
    def quiet(self, done):
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertNotRegex(done.stderr, 'CRITICAL|WARNING|Traceback')

    def test_launch_lines(self):
        lines = [block for block in blocks('sh') if block.startswith('gst-launch-1.0')
                 and 'rtpccsink' not in block]
        self.assertTrue(lines)
        for line in lines:
            done = launchline.call(line)
            self.assertEqual(done.returncode, 0, done.stdout)
            self.assertNotRegex(done.stdout, 'CRITICAL|WARNING')
            self.assertIsNone(launchline.why_deaf(done))
            self.assertNotIn('GstRtpCircuitBreaker', done.stdout)

    # The two ends of a call, on one machine and without a screen.
    def test_call_by_uri(self):
        block, = (block for block in blocks('sh') if 'rtpccsink' in block)
        receiver, sender = (line for line in block.replace('\\\n', ' ').splitlines() if line)
        with subprocess.Popen(receiver.replace('autovideosink', 'fakesink').split(),
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as other:
            done = launchline.run(sender.replace('HOST', '127.0.0.1'), 10)
            other.send_signal(2)
            other.communicate(timeout=20)
        self.assertEqual((done.returncode, other.returncode), (0, 0), done.stdout)
        self.assertRegex(done.stdout, 'GstRtpCcBin, limit=')
        self.assertNotRegex(done.stdout, r'CRITICAL|WARNING|missing=\(string\)"\w')

    # Without a host it is localhost, ::1 on most hosts, and udpsrc listens on 0.0.0.0.
    def test_every_udpsink_names_its_host(self):
        sinks = re.findall(r'udpsink (\S+)', README)
        self.assertGreaterEqual(len(sinks), 6)
        self.assertEqual(set(sinks), {'host=127.0.0.1'})

    def test_c(self):
        flags = run('pkg-config', '--cflags', '--libs', 'gstreamer-1.0')
        self.assertEqual(flags.returncode, 0, flags.stderr)
        said = []
        for code in blocks('c'):
            with tempfile.TemporaryDirectory() as place:
                source = pathlib.Path(place, 'example.c')
                source.write_text(code)
                program = str(source.with_suffix(''))
                self.quiet(run(os.environ.get('CC', 'cc'), '-Wall', '-Werror', str(source),
                               '-o', program, *flags.stdout.split()))
                done = run(program)
                self.quiet(done)
                said.append(done.stdout)
        # The target starts at 500.  Only feedback raises it.
        targets = [int(kbps) for kbps in re.findall(r'may send (\d+) kbit/s', said[-1])]
        self.assertGreater(max(targets, default=0), 500, said)

    def test_python(self):
        try:
            import gi
            gi.require_version('Gst', '1.0')
        except (ImportError, ValueError):
            self.skipTest('python3-gi or gir1.2-gstreamer-1.0 is not installed')
        said = []
        for code in blocks('python'):
            done = run(sys.executable, '-c', code)
            self.quiet(done)
            said.append(done.stdout)
        self.assertEqual(len(said), 2)
        self.assertRegex(said[0], r'^stopped: rtcp-timeout - wait 1[45]\.\d+ s\nnot yet\n$')
        self.assertRegex(said[1], r'target \d+ bit/s, limited by remb')

    def test_every_element_is_named(self):
        done = run('gst-inspect-1.0', '--no-colors')
        names = re.findall(r'^(?:rtpcc|linksim|psnr): +([a-z0-9]+):', done.stdout, re.MULTILINE)
        self.assertGreaterEqual(len(names), 7, done.stdout[-500:])
        for name in names:
            self.assertIn(f'`{name}`', README)

    # A figure's command prints figures.  Whether they hold is asserted where it is a test of its
    # own: here it ends when it has printed a table.
    def test_commands_of_figures(self):
        commands = re.findall(r'`build/(tests/[\w/.-]+) --verbose`', README)
        self.assertGreaterEqual(len(commands), 5)
        tests = json.loads((BUILD / 'meson-info/intro-tests.json').read_text())
        tested = {str(pathlib.Path(test['cmd'][0]).relative_to(BUILD)) for test in tests
                  if pathlib.Path(test['cmd'][0]).is_relative_to(BUILD)}
        for command in commands:
            # built where ns-3 is
            if command.startswith('tests/ns3/') and not (BUILD / 'tools/rccns3/rccns3').exists():
                continue
            self.assertIn(command, tested, f'no test of its own runs {command}')
            self.assertEqual(rows_printed(BUILD / command, 8), 8, f'{command} prints no table')

    def test_every_file_it_names_is_there(self):
        for name in re.findall(r'`((?:gst|tools|tests|pipelines)/[\w./-]+)`', README):
            self.assertTrue((ROOT / name.rstrip('.')).exists(), name)


if __name__ == '__main__':
    unittest.main(verbosity=2)
