#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A peer that is killed and starts again on the same port: the other end goes on, and says so.
One that says goodbye ends the other.

    tests/restart.py

in an environment that finds the plugins.  The bounds are of the time from the second start of the
program to its first picture, or that of the other end."""
import base64
import concurrent.futures
import os
import re
import subprocess
import threading
import time
import unittest

from ontime import OnTime
from ports import free_port

SENDER = ('gst-launch-1.0 -m videotestsrc is-live=true horizontal-speed=3 '
          '! video/x-raw,width=320,height=240,framerate=25/1 '
          '! x264enc tune=zerolatency speed-preset=ultrafast ! rtph264pay '
          '! rtpccsink {key} uri=rtp://127.0.0.1:{port}')
CALL = 'rtpcall --call 127.0.0.1:{there} --listen {here} --resolution 320x240 --fps 60'
RECEIVER = 'gst-launch-1.0 -m rtpccsrc {key} uri=rtp://127.0.0.1:{port} ! decodebin ! fakesink'
FIRST, AWAY = 4, 1                      # s: the first life, and between it and the second
LATEST = 20                             # s, on a machine that is late
AGAIN = 3                               # s, of which a program takes one to start
SHOWN, SHOWN_LATE = 5, 10               # s, of rtpcall's end; the latter on a machine that is late
LIVES = 3                               # of rtpcall's end, after the first
OVER = 4                                # s from the sender's end to that of both
LINES = 0.008                           # s
RATE = 15                               # pictures a second in the two after the first, of 25
DECODED = 'gst_video_decoder_prepare_finish_frame'


class End:
    """A program, what it decodes when, and what it says."""

    def __init__(self, line):
        self.begun, self.decoded, self.said = time.monotonic(), [], []
        environment = {**os.environ, 'GST_DEBUG_NO_COLOR': '1',
                       'GST_DEBUG': 'videodecoder:6'}
        self.process = subprocess.Popen(line.split(), stdout=subprocess.PIPE, text=True,
                                        stderr=subprocess.STDOUT, env=environment)
        self.reader = threading.Thread(target=self.read)
        self.reader.start()

    def read(self):
        for line in self.process.stdout:
            now = time.monotonic()
            # several lines are of one picture
            if DECODED in line and now - (self.decoded or [0])[-1] > LINES:
                self.decoded.append(now)
            if not re.match(r'\d+:\d\d:\d\d\.', line):
                self.said.append(line)

    def text(self):
        return ''.join(self.said)

    def end(self, number):
        """@number: the signal; 0: it ends by itself."""
        self.process.send_signal(number)
        code = self.process.wait(10)
        self.reader.join(10)
        self.process.stdout.close()
        return code


class Restart(unittest.TestCase):
    def goes_on(self, what, end, since, within=AGAIN, latest=LATEST):
        while (not any(t >= since for t in end.decoded)
               and time.monotonic() < since + latest):
            time.sleep(.1)
        late = next((t for t in end.decoded if t >= since), float('inf')) - since
        time.sleep(max(0, min(since + late + 2, since + latest) - time.monotonic()))
        rate = sum(since + late <= t < since + late + 2 for t in end.decoded) / 2
        print(f'{what}: pictures after {late:.1f} s, then {rate:.0f} a second', flush=True)
        return late <= latest, late <= within and rate >= RATE

    def killed(self, lines, receives):
        """The first of @lines is killed.  @receives: 0, it does; 1, the other does."""
        other, first = End(lines[1]), End(lines[0])
        time.sleep(FIRST)
        first.end(9)
        time.sleep(AWAY)
        again = End(lines[0])
        good = self.goes_on(('rtpccsrc', 'rtpccsink')[receives] + ' again',
                            (again, other)[receives], again.begun)
        codes = again.end(2), other.end(2)
        return good, codes, other.text(), again.text()

    def sink(self, key=''):
        at = {'port': free_port(), 'key': key}
        return self.killed((SENDER.format(**at), RECEIVER.format(**at)), 1)

    def goodbye(self):
        """The end of the stream, which is BYE: the receiver ends by itself."""
        at = {'port': free_port(), 'key': ''}
        other, first = End(RECEIVER.format(**at)), End(SENDER.format(**at).replace('-m', '-e -m'))
        time.sleep(FIRST)
        begun = time.monotonic()
        codes = first.end(2), other.end(0)
        print(f'goodbye: both ended after {time.monotonic() - begun:.1f} s', flush=True)
        return (True, time.monotonic() - begun <= OVER), codes, other.text(), first.text()

    def src(self, key=''):
        at = {'port': free_port(), 'key': key}
        return self.killed((RECEIVER.format(**at), SENDER.format(**at)), 0)

    def call(self):
        """Both ways, and both ends go on, however often.  The last life's goodbye ends the call.
        Packets come before the new life's clock runs, as a rule."""
        ports, good = (free_port(), free_port()), []
        lines = [CALL.format(here=ports[i], there=ports[1 - i]) for i in (0, 1)]
        other, first = End(lines[0]), End(lines[1])
        time.sleep(FIRST)
        for _ in range(LIVES):
            first.end(9)
            time.sleep(AWAY)
            first = End(lines[1])
            good += [self.goes_on('rtpcall ' + name, end, first.begun, SHOWN, SHOWN_LATE)
                     for name, end in (('again', first), ('beside', other))]
        codes = first.end(2), other.end(0)
        return [all(each) for each in zip(*good)], codes, other.text(), first.text()

    def check(self, ends):
        """@ends: by name; each returns what goes_on() did, exit codes, and what both ends said."""
        with OnTime() as machine, concurrent.futures.ThreadPoolExecutor(3) as pool:
            running = {name: pool.submit(*end) for name, end in ends.items()}
            results = {name: end.result() for name, end in running.items()}
        punctual = machine.was_punctual()
        for name, ((goes_on, soon), codes, other, again) in results.items():
            with self.subTest(name):
                self.assertTrue(goes_on and (soon or not punctual), other + again)
                self.assertEqual(codes, (0, 0), other + again)
                self.assertNotRegex(other + again, 'CRITICAL|ERROR')
        return results

    def test_a_killed_peer(self):
        results = self.check({'rtpccsink': (self.sink,), 'goodbye': (self.goodbye,),
                              'rtpccsrc': (self.src,), 'rtpcall': (self.call,)})
        for name, lives in ('rtpccsink', 1), ('rtpcall', LIVES):
            said = results[name][2]
            self.assertEqual(len(re.findall('has started again', said)), lives, said)

    def test_a_killed_peer_over_srtp(self):
        """The same key at once, and the numbers of the packets begin anew."""
        key = 'key=' + base64.b64encode(os.urandom(30)).decode()
        said = self.check({'rtpccsink': (self.sink, key), 'rtpccsrc': (self.src, key)})
        said = said['rtpccsink'][2]
        self.assertEqual(len(re.findall('has started again', said)), 1, said)


if __name__ == '__main__':
    unittest.main(verbosity=2)
