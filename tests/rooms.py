#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Which folder may include which.  Fails on an #include "folder/..." that the table does
not have, on GLib or GStreamer in a pure folder, and on a clock, lock or allocation in an
algorithm.  Fails where files include each other in a circle; a file is NAME.c with NAME.h.
Prints the folders' dependencies, an arrow each."""
import pathlib
import re
import sys

CORES = {'core/breaker', 'core/fbra', 'core/gcc', 'core/nada', 'core/sbpn', 'core/scream',
         'core/tfrc'}
PURE_ROOMS = {'core', *CORES, 'core/registry', 'wire', 'send'}
SHARED = PURE_ROOMS | {'rtpcc/common'}
# What a folder may include, besides itself.  The longest name that fits a file is its folder.
ALLOWED = {
    'core': set(),                      # what algorithms share
    'core/breaker': {'core'},
    'core/fbra': {'core', 'core/tfrc'},         # C-NADU has TFRC's loss events
    'core/gcc': {'core', 'core/tfrc'},          # what is due to TCP is by TFRC's loss events
    'core/nada': {'core'},
    'core/registry': {'core'},           # finds the rows of core/rows.h
    'core/sbpn': {'core'},
    'core/scream': {'core'},
    'core/tfrc': {'core'},
    'wire': {'core', *CORES},
    'send': {'core', *CORES, 'wire'},
    'link': {'core', *CORES},
    'psnr': set(),
    'rtpcc/common': PURE_ROOMS,
    'rtpcc/sendpath': SHARED,
    'rtpcc/sender': SHARED | {'core/registry', 'rtpcc/sendpath'},
    'rtpcc/fbrafec': SHARED | {'rtpcc/sendpath'},
    'rtpcc/sbpnmux': SHARED | {'rtpcc/sendpath'},
    'rtpcc/gccreceiver': SHARED,
    'rtpcc/fbrareceiver': SHARED,
    'rtpcc/breaker': SHARED,
    'rtpcc/adapter': SHARED,
    'rtpcc/hdrext': SHARED,
    'rtpcc/bin': {'core', 'core/registry', 'wire'},     # knows the elements by name only
    'rtpcc': {'rtpcc/bin', 'rtpcc/common'},     # registers the elements
    'sim': {'core', *CORES, 'core/registry', 'wire', 'send', 'link'},
    'rccell': {'core', *CORES, 'core/registry', 'wire', 'send', 'link', 'sim'},
    'rccns3': {'core', *CORES, 'core/registry', 'wire', 'send', 'link', 'sim'},
    'linktun': {'core', 'link', 'sim'},      # writes JSON as all programs
}
# Private halves: each is a header that the files of one module share, and includes its main one.
HALVES = {'gst/link/gstlinkpath-private', 'gst/rtpcc/sendpath/private', 'gst/send/private'}
# The others are below gst.
PLACES = {'linktun': 'tools', 'rccell': 'tools', 'rccns3': 'tools', 'sim': 'tools'}
# No GLib and no GStreamer at all.  In link and psnr only the elements (gst*.c) may, in linktun
# its main.c.
PURE = re.compile(r'^(gst/(core|wire|send)/|gst/(link|psnr)/(?!gst)|tools/sim/|'
                  r'tools/linktun/(?!main))')
CORE_BANS = re.compile(
    r'\b(malloc|calloc|realloc|free|time|clock_gettime|gettimeofday|printf|'
    r'fprintf|rand|random|pthread_\w+)\s*\(')
INCLUDE = re.compile(r'\s*#\s*include\s*[<"]([a-z0-9/]+)/\w+\.h[>"]')

OURS = re.compile(r'\s*#\s*include\s*"([\w/.-]+)\.h"')

root = pathlib.Path(sys.argv[1])
bad = []
arrows = set()
files = {}                              # NAME: the files that it includes


def folder_of(path):
    """Its name in the table; None: it is in no folder of ours."""
    while path and path not in ALLOWED:
        path = path.rpartition('/')[0]
    return path or None


def check_line(name, number, line, folder):
    included = INCLUDE.match(line)
    other = included and folder_of(included[1])
    if folder and other and other != folder:
        arrows.add((folder, other))
        if other not in ALLOWED[folder]:
            bad.append(f'{name}:{number}: {folder} may not include {other}')
    if PURE.match(name) and re.match(r'\s*#\s*include\s*[<"](glib|gst/)', line):
        bad.append(f'{name}:{number}: GLib or GStreamer in a pure folder')
    if name.startswith(('gst/core/', 'gst/send/')) and name.endswith('.c') \
            and CORE_BANS.search(line):
        bad.append(f'{name}:{number}: an algorithm has no clock, heap, thread or output')


def note_include(name, line):
    """Names are below gst, below tools, or beside the file."""
    stem, match = name.rpartition('.')[0], OURS.match(line)
    for base in ('gst', 'tools', stem.rpartition('/')[0]) if match else ():
        if (root / base / (match[1] + '.h')).exists():
            files.setdefault(stem, set()).add(f'{base}/{match[1]}')
            return


def find_circles():
    """Leaves out what is in none, from both ends, and says what remains."""
    graph = {name: {other for other in includes if other != name}
             for name, includes in files.items() if name not in HALVES}
    while True:
        into = set().union(*graph.values())
        left = {name: {o for o in includes if o in graph} for name, includes in graph.items()
                if name in into and any(o in graph for o in includes)}
        if left == graph:
            break
        graph = left
    for name, includes in sorted(graph.items()):
        bad.append(f'{name}: in a circle, with {", ".join(sorted(includes))}')


for place in ('gst', 'tools'):
    for source in sorted((root / place).rglob('*')):
        if source.suffix in ('.c', '.h', '.cc'):
            name = str(source.relative_to(root))
            folder = folder_of(str(source.parent.relative_to(root / place)))
            if folder and PLACES.get(folder, 'gst') != place:
                folder = None
            for number, line in enumerate(source.read_text().splitlines(), 1):
                check_line(name, number, line, folder)
                note_include(name, line)
find_circles()

for folder in ALLOWED:
    others = sorted(b for a, b in arrows if a == folder)
    if others:
        print(f'{folder:20} -> {", ".join(others)}')
inside = {room: sum(a.startswith(room) and b.startswith(room) for a, b in arrows)
          for room in ('core', 'rtpcc')}
print(f'{len(arrows)} arrows, {inside["core"]} of them inside core, {inside["rtpcc"]} inside rtpcc')
print('\n'.join(bad) or 'rooms: every wall stands')
sys.exit(bool(bad))
