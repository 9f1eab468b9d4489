#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Every script in pipelines/ and every launch line in an element's documentation
runs for some seconds, ends with exit code 0 and has nothing to complain about.

    tests/pipelines.py SOURCE-ROOT

in an environment that finds the plugins and webrtccall."""
import concurrent.futures
import itertools
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

import atonce
import launchline

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
OURS = ('framestamp', 'linksim', 'psnr', 'rtpbitrateadapter', 'rtpccattach', 'rtpccbin', 'rtpccsender',
        'rtpccsink', 'rtpccsrc', 'rtpcircuitbreaker', 'rtpfbrafec', 'rtpfbrareceiver',
        'rtpgccreceiver', 'rtpgccsender', 'rtphdrextabssendtime', 'rtpsbpnmux')
SCRIPT_SECONDS, LINE_SECONDS = '4', 3
AT_ONCE = 3
# Each script has ports of its own: the most that one takes is a dozen.
ports = itertools.count(5600, 20)
# How long a call in a launch line may take, in seconds, and what it says once feedback has
# come.  A mux that hears nothing halves its target of 300 kbit/s.
CALLS = {
    'rtpccbin': (12, r'GstRtpCcBin, limit=.*the\W+path'),
    'rtpccsender': (10, r'GstRtpCcSender, limited-by=\(string\)slow-start,'),
    'rtpcircuitbreaker': (28, r'GstRtpCircuitBreaker, state=\(string\)open, '
                              r'reason=\(string\)congestion'),
    'rtpfbrafec': (12, r'GstRtpFbraFec, state=\(string\)up,'),
    'rtpfbrareceiver': (12, r'GstRtpFbraFec, state=\(string\)up,'),
    'rtpsbpnmux': (12, r'GstRtpSbpnMux:mux: estimated-bitrate = (?!300000$)([3-9]\d{5}|\d{7,})$'),
}
# GStreamer's core remarks on any cycle of pad links in a bin; RTCP runs back.
CYCLE = re.compile(r'.*GStreamer-WARNING.*loop detected in the graph of bin.*\n?')
# What it is there for: an open breaker is a warning in the log.
OPENED = re.compile(r'.*WARN +rtpcircuitbreaker .*state=\(string\)open, reason=\(string\)congestion.*\n?')
# GLib's domains, and the debug log of our elements.
COMPLAINT = re.compile(r'(?:CRITICAL|WARNING) \*\*.*|(?:WARN|ERROR) +(?:%s)\b.*' % '|'.join(OURS))


def environment(**more):
    return {**os.environ, 'LC_ALL': 'C.UTF-8', 'G_DEBUG': 'fatal-criticals',
            'GST_DEBUG_NO_COLOR': '1', 'GST_DEBUG': ','.join(f'{name}:2' for name in OURS), **more}


def documented():
    """(element, launch line) of each SECTION:element- block."""
    for source in sorted((ROOT / 'gst').rglob('*.c')):
        for block in re.findall(r'/\*\*\n \* SECTION:element-.*?\*/', source.read_text(), re.S):
            element = re.search(r'SECTION:element-(\S+)', block)[1]
            text = re.sub(r'\\\n \*\s*', ' ', block)
            lines = re.findall(r'^ \* (gst-launch-1\.0 .*)$', text, re.M)
            yield element, lines


class Case(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.directory = scratch.name

    def judge(self, done, expected=CYCLE):
        missing = re.search(r'no element "(\S+)"', done.stdout)
        if missing and missing[1] not in OURS:
            self.skipTest(f'the element {missing[1]} is not installed')
        self.assertEqual(done.returncode, 0, done.stdout)
        complaint = COMPLAINT.search(expected.sub('', done.stdout))
        self.assertIsNone(complaint, complaint and complaint[0])

    def launch(self, line, seconds, **options):
        return launchline.run(line, seconds, cwd=self.directory, env=environment(), **options)


class Scripts(Case):
    def run_script(self, script, seconds=SCRIPT_SECONDS, expected=CYCLE):
        text = script.read_text()
        self.assertTrue(os.access(script, os.X_OK), f'{script.name} is not executable')
        self.assertIn('Look for:', text)
        done = subprocess.run([script, seconds], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, cwd=self.directory,
                              env=environment(PORT=str(next(ports))), timeout=90)
        if 'install the Debian package' in done.stdout:
            self.skipTest(done.stdout.strip().splitlines()[-1])
        self.judge(done, expected)
        if expected is not OPENED:
            self.assertNotIn('GstRtpCircuitBreaker,', done.stdout)
        self.assertIn(f'{script.name}: done', done.stdout)
        return done.stdout

    def test_call_remb(self):
        out = self.run_script(ROOT / 'pipelines' / 'call-remb.sh')
        # The receiver estimates, and what it says reaches the sender.
        self.assertRegex(out, 'rx estimated-bitrate [1-9]')
        self.assertGreater(len(set(re.findall(r'tx estimated-bitrate (\d+)', out))), 2)

    def test_call_twcc(self):
        out = self.run_script(ROOT / 'pipelines' / 'call-twcc.sh')
        self.assertGreater(len(set(re.findall(r'tx estimated-bitrate (\d+)', out))), 2)

    def test_call_two_way(self):
        out = self.run_script(ROOT / 'pipelines' / 'call-two-way.sh')
        for end in ('alice', 'bob'):
            self.assertRegex(out, f'{end}rx estimated-bitrate [1-9]')
            self.assertGreater(len(set(re.findall(end + r'tx estimated-bitrate (\d+)', out))), 1)

    def test_circuit_breaker(self):
        # It takes three bad reports, which random intervals put at 10 to 20 s.
        out = self.run_script(ROOT / 'pipelines' / 'circuit-breaker.sh', '28', OPENED)
        told = re.findall(r'^Got message.*from element "cb" \(element\): GstRtpCircuitBreaker, (.*);$',
                          out, re.M)
        self.assertEqual(len(told), 1, out)
        fields = dict(re.findall(r'([\w-]+)=\(\w+\)([^,]+)', told[0]))
        self.assertEqual((fields['state'], fields['reason']), ('open', 'congestion'))
        self.assertGreater(int(fields['send-rate']), 10 * int(fields['tcp-rate']))
        self.assertGreater(int(fields['retry-after']), 0)
        self.assertRegex(out, r'(?m)^cb state open$')

    def test_fbra_call(self):
        out = self.run_script(ROOT / 'pipelines' / 'fbra-call.sh', '12')
        states = re.findall(r'^Got message.*GstRtpFbraFec, state=\(string\)(\w+)', out, re.M)
        # By reports of every packet: receiver reports alone come each few seconds.
        self.assertGreater(states.count('up'), 4, out)
        self.assertIn('probe', states)
        self.assertGreater(max(int(bps) for bps in
                               re.findall(r'fbra estimated-bitrate (\d+)', out)), 400e3)

    def test_fbra_ulpfec(self):
        out = self.run_script(ROOT / 'pipelines' / 'fbra-ulpfec.sh', '12')
        states = re.findall(r'^Got message.*GstRtpFbraFec, state=\(string\)(\w+)', out, re.M)
        self.assertIn('probe', states)
        self.assertIn('up', states)
        # Which losses are below parity is chance: test-rtpfbrafec-stock.c repairs.
        self.assertGreater(len(set(re.findall(r'fbra estimated-bitrate (\d+)', out))), 3, out)

    def test_psnr_file(self):
        out = self.run_script(ROOT / 'pipelines' / 'psnr-file.sh', '80')
        pooled = re.search(r'psnr-y=\(double\)([\d.]+).*ssim=\(double\)([\d.]+)', out)
        self.assertIsNotNone(pooled, out)
        self.assertGreater(float(pooled[1]), 20)
        self.assertLessEqual(float(pooled[2]), 1)

    def test_sbpn_tfrc(self):
        out = self.run_script(ROOT / 'pipelines' / 'sbpn-tfrc.sh')
        targets = [int(bps) for bps in re.findall(r'mux estimated-bitrate (\d+)', out)]
        # It hears what arrives: without feedback the start of 200 kbit/s would be halved.
        self.assertGreater(len(set(targets)), 3, out)
        self.assertGreater(max(targets), 300e3)

    def test_sbpn_gcc(self):
        out = self.run_script(ROOT / 'pipelines' / 'sbpn-gcc.sh')
        said = re.findall(r'(tx|mux) estimated-bitrate (\d+)', out)
        controller, mux = ([int(bps) for who, bps in said if who == name]
                           for name in ('tx', 'mux'))
        self.assertGreater(len(set(controller)), 2, out)
        self.assertGreater(max(controller), 200e3)
        # The mux follows.  gst-launch-1.0 reads a property when it prints it: of two changes
        # in quick succession it prints the second twice and the first never.
        self.assertGreater(len(set(mux)), 2, out)
        unseen = sum(now == next for now, next in zip(controller, controller[1:]))
        self.assertLessEqual(len(set(mux) - set(controller) - {200000}), unseen, out)

    @unittest.skipUnless(shutil.which('webrtccall'),
                         'webrtccall was not built: libgstreamer-plugins-bad1.0-dev is missing')
    def test_webrtc(self):
        out = self.run_script(ROOT / 'pipelines' / 'webrtc.sh')
        targets = [int(kbps) for kbps in re.findall(r'target (\d+) kbit/s', out)]
        # Transport-wide feedback arrives: without it the start of 300 would be halved.
        self.assertGreater(targets[-1], 300)
        self.assertGreater(int(re.findall(r'frames received (\d+)', out)[-1]), 10)
        self.assertRegex(out, 'the rate is limited by ')

    def test_all_of_them(self):
        for script in (ROOT / 'pipelines').glob('*.sh'):
            self.assertTrue(hasattr(self, 'test_' + script.stem.replace('-', '_')), script)

    def test_seconds_are_checked(self):
        for wrong in ('soon', '0', '-1', '1;ls'):
            done = subprocess.run([ROOT / 'pipelines' / 'call-remb.sh', wrong],
                                  capture_output=True, text=True, timeout=20)
            self.assertEqual((done.returncode, done.stderr), (2, 'usage: call-remb.sh [SECONDS]\n'))


class Documentation(Case):
    def films(self):
        """What the lines name."""
        for name, bitrate in (('original', 2000), ('coded', 200)):
            done = self.launch(
                'gst-launch-1.0 -q videotestsrc num-buffers=20 ! video/x-raw,width=320,height=240 '
                f'! x264enc bitrate={bitrate} ! mp4mux ! filesink location={name}.mp4', 20)
            self.assertEqual(done.returncode, 0, done.stdout)

    def test_lines(self):
        found = dict(documented())
        self.assertEqual(sorted(found), sorted(OURS))
        self.films()
        for element, lines in found.items():
            # An element cannot be the value of a property there.
            self.assertTrue(lines or element == 'rtpccattach',
                            f'{element} documents no launch line')
            for line in lines:
                with self.subTest(line=line[:100]):
                    if 'hdrext' not in element:         # named by its URI
                        self.assertIn(element, shlex.split(line))
        lines = [line for lines in found.values() for line in lines if 'udpsink' not in line]
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            runs = list(pool.map(lambda line: self.launch(line, LINE_SECONDS), lines))
        for line, done in zip(lines, runs):
            with self.subTest(line=line[:100]):
                self.judge(done)

    def call(self, element, line):
        if 'rtpgccsender' in line:
            return launchline.call(line, cwd=self.directory, env=environment())
        seconds, says = CALLS[element]
        return self.launch(line, seconds, until=says)

    # All at a time: each mostly waits.
    def test_calls(self):
        calls = [(element, line) for element, lines in documented() for line in lines
                 if 'udpsink' in line]
        self.assertGreaterEqual(len(calls), 6)
        with concurrent.futures.ThreadPoolExecutor(len(calls)) as pool:
            runs = list(pool.map(lambda call: self.call(*call), calls))
        for (element, line), done in zip(calls, runs):
            with self.subTest(element=element):
                self.judge(done, OPENED if element == 'rtpcircuitbreaker' else CYCLE)
                if 'rtpgccsender' in line:
                    self.assertIsNone(launchline.why_deaf(done))
                else:
                    self.assertRegex(done.stdout, re.compile(CALLS[element][1], re.M))

    # An example that talks to nobody shows nothing.  Without a host udpsink talks to
    # localhost, ::1 on most hosts, and udpsrc listens on 0.0.0.0.
    def test_somebody_listens(self):
        taken = set()
        for element, lines in documented():
            for line in lines:
                with self.subTest(element=element):
                    self.assertEqual(len(re.findall(r'\budpsink\b', line)),
                                     len(re.findall(r'udpsink host=127\.0\.0\.1 port=\d', line)))
                    told = set(re.findall(r'udpsink \S+ port=(\d+)', line))
                    self.assertEqual(told, set(re.findall(r'udpsrc port=(\d+)', line)))
                    self.assertFalse(taken & told, 'two lines at a time would share a port')
                    taken |= told
        for script in (ROOT / 'pipelines').glob('*.sh'):
            self.assertNotRegex(script.read_text(), r'udpsink (?!host=127\.0\.0\.1 )')


if __name__ == '__main__':
    # The documentation's lines run some at a time by themselves.
    atonce.main(AT_ONCE, alone=[Documentation])
