#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Stands in for rccsim: notes that it was started, in $FAKE/started, then does what
$FAKE/how says, if anything, for the seed that it names: "WHAT SEED", as in "fail 2"."""
import json
import os
import pathlib
import signal
import sys
import time

folder = pathlib.Path(os.environ['FAKE'])
with (folder / 'started').open('a', encoding='utf-8') as log:
    log.write(' '.join(sys.argv[1:]) + '\n')
# The first of fbra-table1 is 11.
seed = str(int(sys.argv[sys.argv.index('--seed') + 1]) - 10)
how = folder / 'how'
try:
    what, of = how.read_text(encoding='utf-8').split()
except FileNotFoundError:
    what = of = ''
flow = {
    'goodput': 150e3 + 1e3 * int(seed), 'rates': [150.0] * 20, 'delay': {'p95': 300},
    'fec': {'loss-before-repair': 1.0, 'loss-after-repair': 1.0, 'frames-lost': 400, 'frcc': 95,
            'ffre': 10, 'fec-bitrate': 5e3, 'frames-lost-protected': 4, 'probe-episodes': 100,
            'probe-episodes-with-parity': 97, 'media-packets': 3000},
}
phases = [{'from': 0, 'to': 20, 'capacity': 155e3}]
text = json.dumps({'duration': 120, 'phases': phases, 'flows': [flow]})
if of in (seed, 'all'):
    if what == 'fail':
        print('simulator: the moon is in the way.', file=sys.stderr)
        sys.exit(1)
    if what == 'die':
        os.kill(os.getpid(), signal.SIGKILL)
    if what == 'half':
        text = text[:len(text) // 2]
    if what == 'list':
        text = '[1, 2]'
    if what == 'bytes':
        sys.stdout.buffer.write(b'\xff\xfe{')
        sys.exit(0)
    if what == 'lack':
        text = '{"flows": [{}]}'
    if what == 'wait':          # for as long as it is told to
        end = time.monotonic() + 60
        while how.exists() and time.monotonic() < end:
            time.sleep(0.02)
    if what == 'large':
        text = json.dumps({'flows': [flow], 'phases': phases, 'more': 'x' * 300000})
print(text)
