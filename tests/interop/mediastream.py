#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A call by URI to mediastream, the program of mediastreamer2, by which linphone makes its calls.

It speaks RTP/AVP: report blocks every few seconds, and no other feedback.  The receiver is its
own process, on a port of its own; the line of the sender is the README's."""
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

import call as c

sys.path.append(str(c.HERE.parent))
from ports import free_port             # noqa: E402

SECONDS, START = 25, 300000
PT = 103                        # what mediastream calls VP8
PEER = ['--payload', 'video/vp8/90000', '--bitrate', '100000', '--no-avpf', '--verbose',
        '--camera', 'Mire: Mire (synthetic moving picture)', '--video-display-filter',
        'MSVoidSink']


class Call:
    """rtpccsink -> mediastream."""

    def __init__(self, folder):
        c.Gst.init(None)
        self.machine, self.loop = c.Lateness(), c.GLib.MainLoop()
        self.failed, self.messages, self.targets = None, [], []
        port, other = (free_port('127.0.0.1') for _ in range(2))
        self.log = pathlib.Path(folder, 'log')
        with open(self.log, 'w', encoding='utf-8') as log:
            self.peer = subprocess.Popen(
                ['mediastream', '--local', str(port), '--remote', f'127.0.0.1:{other}', *PEER],
                stdout=log, stderr=subprocess.STDOUT)
        self.pipeline = c.Gst.parse_launch(
            'videotestsrc is-live=true pattern=zone-plate kx2=12 ky2=12 kt=2 '
            '! video/x-raw,width=352,height=288,framerate=25/1 '
            '! vp8enc deadline=1 cpu-used=8 keyframe-max-dist=60 end-usage=cbr '
            f'! rtpvp8pay pt={PT} mtu=1200 '
            f'! rtpccsink name=sink uri=rtp://127.0.0.1:{port}?start-bitrate={START}')
        bus = self.pipeline.get_bus()
        bus.add_signal_watch()
        bus.connect('message', self.on_message)

    def on_message(self, _bus, message):
        if message.type == c.Gst.MessageType.ERROR:
            self.failed = message.parse_error()[0].message
            self.loop.quit()
        elif message.get_structure():
            self.messages.append(message.get_structure().get_name())

    def stat(self, name):
        return self.pipeline.get_by_name('sink').get_property('stats').get_value(name)

    def sample(self):
        self.targets.append(self.stat('target-bitrate'))
        return True

    def run(self):
        self.machine.start()
        self.pipeline.set_state(c.Gst.State.PLAYING)
        c.GLib.timeout_add(500, self.sample)
        c.GLib.timeout_add(SECONDS * 1000, self.loop.quit)
        self.loop.run()
        self.limit = self.stat('limit')
        self.pipeline.set_state(c.Gst.State.NULL)
        self.peer.send_signal(signal.SIGINT)
        try:
            self.peer.wait(5)
        except subprocess.TimeoutExpired:
            self.peer.kill()
        return self.log.read_text(encoding='utf-8', errors='replace')


if not shutil.which('mediastream'):
    c.skip('needs the Debian package libmediastreamer-tools')
with tempfile.TemporaryDirectory() as scratch:
    call = Call(scratch)
    said = call.run()
judge = c.Judge(call)
judge('error', call.failed, call.failed is None, 'none', quality=False)
rates = [float(rate) for rate in re.findall(r'VP8 decoder: FPS: ([\d.]+)', said)]
judge('pictures decoded a second, each 5 s', ' '.join(f'{r:.0f}' for r in rates),
      len(rates) > 2 and min(rates) > 2, '> 2, three times', quality=False)
lost = re.findall(r'incoming cumulative lost +(\d+)', said)
judge('packets lost', lost[-1] if lost else None, bool(lost) and lost[-1] == '0', '0')
trips = sum(name == 'GstRtpCircuitBreaker' for name in call.messages)
judge('trips of the circuit breaker', trips, trips == 0, '0')
rise = max(call.targets[:40]) / START
judge('largest target of 20 s, over the first', f'{rise:.2f}', rise > 1.2, '> 1.2')
judge('limit', call.limit, 'report blocks' in call.limit, 'report blocks', quality=False)
judge.end()
