# SPDX-License-Identifier: LGPL-2.1-or-later
"""docs/settings.md: the tables that rccsim --settings prints, one for each kind of setting."""
import re
import subprocess

from .page import NOTICE

HEAD = """# Settings

{notice}
Each constant of an algorithm has a name, a unit, a range and a source. They are set by

* `tuning` of an element: `rtpgccsender tuning="tuning,filter=kalman"`;
* `--set NAME=VALUE` of `rccsim` and `rccns3`, and the same names in `rccns3 --flow`.

Times are in ns. `none` is no limit. What `rtpccsender` and `rtpcall` have as properties or options
of their own stands on their pages.

{tables}"""


def rows(build, controller):
    command = [str(build / 'tools/rccsim'), '--settings']
    if controller:
        command += ['--controller', controller]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    return [line for line in done.stdout.splitlines() if line.startswith('| `')]


def name_of(row):
    return re.match(r'\| `([\w-]+)`', row)[1]


def page(build, controllers):
    common = rows(build, None)
    tables = ['## Without `--controller`\n', HEADER + '\n'.join(common) + '\n']
    known = {name_of(row): row for row in common}
    for controller in controllers:
        own = [row for row in rows(build, controller) if known.get(name_of(row)) != row]
        if own:
            tables += [f'## `--controller {controller}`: what is more or has another value\n',
                       HEADER + '\n'.join(own) + '\n']
    return HEAD.format(notice=NOTICE, tables='\n'.join(tables))


HEADER = '| name | value | unit | range | meaning | source |\n|---|---|---|---|---|---|\n'
