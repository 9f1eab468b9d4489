#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Who may include whom.  Fails on an #include "room/..." that the table does
not allow, on GLib or GStreamer in a pure room, on a clock, lock or allocation
in a core, and on one element including another."""
import pathlib
import re
import sys

ALLOWED = {
    'gst/core': {'core'},
    'gst/wire': {'core', 'wire'},
    'gst/send': {'core', 'wire', 'send'},
    'gst/rtpcc': {'core', 'wire', 'send', 'rtpcc'},
    'gst/link': {'core', 'link'},
    'gst/psnr': {'psnr'},
    'tools/world': {'core', 'wire', 'send', 'link', 'world'},
    'tools/sim': {'core', 'wire', 'send', 'link', 'world'},
}
ROOMS = {'core', 'wire', 'send', 'rtpcc', 'link', 'psnr', 'world'}
# Pure: no GLib and no GStreamer at all.  In link and psnr only the elements
# (gst*.c) may; the simulated world is plain C too.
PURE = re.compile(r'^(gst/(core|wire|send)/|gst/(link|psnr)/(?!gst)|tools/world/)')
CORE_BANS = re.compile(
    r'\b(malloc|calloc|realloc|free|time|clock_gettime|gettimeofday|printf|'
    r'fprintf|rand|random|pthread_\w+)\s*\(')
ELEMENT = re.compile(r'#\s*include\s*"(gst(?!rtpcc)\w+)\.h"')

root = pathlib.Path(sys.argv[1])
bad = []


def check(path):
    name = str(path.relative_to(root))
    room = next((r for r in ALLOWED if name.startswith(r + '/')), None)
    for number, line in enumerate(path.read_text().splitlines(), 1):
        included = re.match(r'\s*#\s*include\s*[<"]([a-z]+)/', line)
        if room and included and included[1] in ROOMS - ALLOWED[room]:
            bad.append(f'{name}:{number}: {room} may not include {included[1]}')
        if PURE.match(name) and re.match(r'\s*#\s*include\s*[<"](glib|gst/)', line):
            bad.append(f'{name}:{number}: GLib or GStreamer in a pure room')
        if name.startswith(('gst/core/', 'gst/send/')) and path.suffix == '.c' and CORE_BANS.search(line):
            bad.append(f'{name}:{number}: a core has no clock, heap, thread or output')
        other = ELEMENT.match(line)
        if other and path.stem.startswith('gst') and other[1] != path.stem \
                and not path.stem.startswith('gstrtpcc') and path.name != 'plugin.c':
            bad.append(f'{name}:{number}: an element includes another one')


for place in ('gst', 'tools'):
    for source in sorted((root / place).rglob('*')):
        if source.suffix in ('.c', '.h', '.cc'):
            check(source)
print('\n'.join(bad) or 'rooms: every wall stands')
sys.exit(bool(bad))
