#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""How long files, functions and lines of gst are: layout.py SOURCE_ROOT.  Prints the longest
function of each folder, and fails where something is longer than the bounds."""
import pathlib
import re
import sys

FILE, LINE = 500, 100                   # lines; characters
FUNCTION = {'core': 40, 'send': 40, 'wire': 40, 'link': 60, 'psnr': 60, 'rtpcc': 60}
# GNU style: the name begins a line, the body is between braces at the first column.
BODY = re.compile(r'^(\w+) ?\([^;{}]*\)\n\{\n(.*?)^\}', re.MULTILINE | re.DOTALL)

root = pathlib.Path(sys.argv[1]) / 'gst'
bad, sizes = [], {}
for source in sorted(root.rglob('*.[ch]')):
    name, text = source.relative_to(root), source.read_text(encoding='utf-8')
    lines = text.splitlines()
    if len(lines) > FILE:
        bad.append(f'gst/{name}: {len(lines)} lines; at most {FILE}')
    for number, line in enumerate(lines, 1):
        if len(line) > LINE:
            bad.append(f'gst/{name}:{number}: {len(line)} characters; at most {LINE}')
        if '\t' in line or line != line.rstrip():
            bad.append(f'gst/{name}:{number}: a tab, or a blank at the end')
    for function in BODY.finditer(text):
        size, bound = function[2].count('\n'), FUNCTION[name.parts[0]]
        sizes.setdefault(name.parts[0], []).append((size, function[1], str(name)))
        if size > bound:
            bad.append(f'gst/{name}: {function[1]}() has {size} lines; at most {bound}')

for folder, found in sizes.items():
    size, function, name = max(found)
    print(f'{folder:6} {len(found):5} functions, the longest {size} lines: {function}() in {name}')
print('\n'.join(bad) or 'layout: everything is within its bounds')
sys.exit(bool(bad))
