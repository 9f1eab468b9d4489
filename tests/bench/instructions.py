#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Instructions per packet of the elements that packets pass through, as a ratio to identity.

  tests/bench/instructions.py [--build DIR] [--check] [ROW ...]

CPU time depends on the machine and on its neighbours.  The number of instructions does only where
libc has another memcpy() for another processor.  It says nothing of caches.  valgrind's callgrind
counts them in gst_pad_push() while bench-elements pushes packets one by one: what the element,
GStreamer and libc do for it, but not what is behind the element.

The column "before" is of 8ffb79d, before the reporters, rtpccbin, NADA and SCReAM.  --check
exits with 1 where a ratio is above its limit.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROUNDS, WARM_UP, PACKETS = 8, 10, 500   # bench-elements
SKIPPED = 77
# Row of bench-elements: the ratio before, and the limit: 4 % above what it was on 2026-11-30.
ROWS = {
    'identity': (1.00, 1.00),
    'rtpgccsender': (1.13, 1.26),
    'rtpgccsender, abs-send-time': (1.18, 1.23),
    'rtpfbrafec, no parity': (1.21, 1.24),
    'rtpfbrafec, 10 %': (1.72, 1.77),
    'rtpfbrareceiver': (0.92, 1.00),
    'rtpgccreceiver': (0.94, 1.10),
    'rtpcircuitbreaker': (0.86, 0.88),
    'rtpsbpnmux': (1.45, 1.54),
}


def count(build, row, folder):
    """Instructions per packet."""
    out = pathlib.Path(folder) / 'callgrind'
    env = dict(os.environ, GST_PLUGIN_PATH_1_0=str(build / 'gst' / 'rtpcc'),
               GST_REGISTRY=str(pathlib.Path(folder) / 'registry'), GST_REGISTRY_FORK='no')
    env.pop('MALLOC_PERTURB_', None)    # meson's: malloc fills what it gives
    # A receiver's thread waits for another one busily: without fair turns it does so for long.
    callgrind = ['valgrind', '--tool=callgrind', '--fair-sched=yes', '--collect-atstart=no',
                 '--toggle-collect=gst_pad_push', f'--callgrind-out-file={out}']
    bench = [build / 'tests' / 'bench' / 'bench-elements', str(ROUNDS), row]
    done = subprocess.run(callgrind + bench, capture_output=True, text=True, env=env, check=False)
    text = out.read_text() if out.exists() else ''
    total = re.search(r'^(?:summary|totals): (\d+)', text, re.M)
    if done.returncode or not total:
        sys.exit(f'instructions.py: {row}: {done.stderr.strip()[-300:]}')
    return int(total[1]) / ((ROUNDS + WARM_UP) * PACKETS)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', type=pathlib.Path, default=ROOT / 'build')
    parser.add_argument('--check', action='store_true')
    parser.add_argument('rows', nargs='*', metavar='ROW')
    args = parser.parse_args()
    unknown = [row for row in args.rows if row not in ROWS]
    if unknown:
        parser.error(f'there is no row {unknown[0]}; there are: {"; ".join(ROWS)}')
    if not shutil.which('valgrind'):
        print('instructions.py: valgrind is not installed: tools/setup')
        return SKIPPED if args.check else 1
    above = []
    print(f'{"instructions per packet":<28} {"number":>8} {"ratio":>7} {"before":>7} {"limit":>7}')
    with tempfile.TemporaryDirectory() as folder:
        first = count(args.build, 'identity', folder)
        for row in args.rows or ROWS:
            number = first if row == 'identity' else count(args.build, row, folder)
            before, limit = ROWS[row]
            print(f'{row:<28} {number:8.0f} {number / first:7.3f} {before:7.2f} {limit:7.2f}',
                  flush=True)
            above += [row] if number / first > limit else []
    if args.check and above:
        print(f'above the limit: {"; ".join(above)}')
        return 1
    return 0


if __name__ == '__main__':
    sys.exit(main())
