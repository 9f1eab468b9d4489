#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The call in docs/webrtc.md runs as it stands there: docs.py DOCS/WEBRTC.MD"""
import pathlib
import re
import subprocess
import sys
import tempfile

import call

LINES = 25
# Behind the text, before its loop begins.  Ends when both encoders have followed, down from
# x264enc's 2048 kbit/s and up again; 60 s are for a slow machine, which climbs late.
WATCH = '''
fell = [False, False]
def tell():
    rates = [end.pipeline.get_by_name('enc').get_property('bitrate') for end in (a, b)]
    print('encoders', *rates, flush=True)
    for i, rate in enumerate(rates):
        fell[i] = fell[i] or rate < 2048
    if all(f and rate > 1000 for f, rate in zip(fell, rates)):
        __import__('os')._exit(0)
    return True
GLib.timeout_add(100, tell)
GLib.timeout_add(60000, lambda: __import__('os')._exit(0))
'''

text = re.search(r'```python\n(.*?)```', pathlib.Path(sys.argv[1]).read_text(), re.S)[1]
print(len(text.splitlines()), 'lines')
assert len(text.splitlines()) <= LINES
call.Gst.init(None)
for element in ('webrtcbin', 'nicesrc', 'x264enc', 'avdec_h264'):
    if not call.Gst.ElementFactory.find(element):
        call.skip(f'there is no element {element}')
text = text.replace('autovideosink', 'fakesink').replace('b.pipeline.set_state', WATCH + 'b.pipeline.set_state', 1)
with tempfile.NamedTemporaryFile('w', suffix='.py') as script:
    script.write(text)
    script.flush()
    done = subprocess.run(['/usr/bin/python3', script.name], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=80)
print(done.stdout[-2000:])
told = [[int(n) for n in found] for found in re.findall(r'encoders (\d+) (\d+)', done.stdout)]
# x264enc begins with 2048 kbit/s, the controllers with 300; nothing is in the way.
assert done.returncode == 0 and told, done.returncode
for end in zip(*told):
    assert min(end) < 2048, 'the encoder does not follow'
    assert end[-1] > 1000, 'the rate does not climb'
