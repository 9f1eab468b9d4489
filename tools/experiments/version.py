# SPDX-License-Identifier: LGPL-2.1-or-later
"""Which gst-rtpcc this is."""
import re
import subprocess


def of(name, root):
    """As --version of this name says it."""
    try:
        found = re.search(r"version: '([^']+)'", (root / 'meson.build').read_text())
    except OSError:                         # it was installed
        try:
            said = subprocess.run(['rccsim', '--version'], text=True, capture_output=True).stdout
        except OSError:
            said = ''
        found = re.search(r'rccsim (\S+)', said)
    return f'{name} {found[1]}' if found else name
