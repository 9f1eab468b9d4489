# SPDX-License-Identifier: LGPL-2.1-or-later
"""What tools/reproduce can make, and with which programs."""
import hashlib
import pathlib

from . import (Absent, Refusal, breaker_cell, breaker_lte, breaker_residential, control,
               control_rows, disk, fbra, fbra_delay, fbra_figures, fbra_heldout, fbra_tcp,
               fec_probe, grouping, nada, rfc8867, rfc8869, sbpn, scream)
from .runs import Run, digest

ALL = (fbra, fbra_figures, fbra_tcp, fbra_delay, fbra_heldout, fec_probe, rfc8867, rfc8869, sbpn,
       grouping, breaker_lte, breaker_cell, breaker_residential, control, control_rows, nada,
       scream)
WHERE = {'rccsim': ('rccsim',), 'rccell': ('rccell/rccell', 'rccell'),
         'rccns3': ('rccns3/rccns3', 'rccns3')}
BUILD = ('build the project first (tools/setup, meson setup build, ninja -C build) or say where it '
         'is with --programs')
MISSING = {
    'rccsim': BUILD, 'rccell': BUILD,
    'rccns3': 'install ns-3 (apt-get install ns3 libns3-dev), build again, or say where it is '
              'with --programs',
}


def named(names):
    by_name = {target.NAME: target for target in ALL}
    if not names or 'all' in names:
        return list(ALL)
    for name in names:
        if name not in by_name:
            raise Refusal(f'there is no {name}: tools/reproduce --list names what there is')
    return [by_name[name] for name in dict.fromkeys(names)]


def listing():
    width = max(len(target.NAME) for target in ALL)
    return '\n'.join(f'{target.NAME:{width}}  {target.TITLE} ({target.RUNS} seeds, with '
                     f'{" and ".join(target.PROGRAMS)})' for target in ALL)


class Tools:
    """Makes runs of the programs; missing ones are a Refusal as soon as they are wanted."""

    def __init__(self, directory, traces, folder, first=1, settings=()):
        """@folder: where scenarios are written; @first seed and @settings, NAME=VALUE of GCC, are
        for targets that are TUNABLE."""
        self.directory, self.traces, self.found = pathlib.Path(directory), traces, {}
        self.folder, self.texts = pathlib.Path(folder), {}
        self.first, self.settings = first, tuple(settings)

    def _program(self, name):
        if name not in self.found:
            places = [self.directory / place for place in WHERE[name]]
            there = [place for place in places if place.is_file()]
            if not there:
                raise Refusal(f'{name} is not in {self.directory}: {MISSING[name]}')
            self.found[name] = str(there[0].resolve())
        return self.found[name]

    def identity(self):
        """Of the programs that are used, by their bytes."""
        return ', '.join(f'{name} {digest(path)[:12]}' for name, path in self.found.items())

    def scenario(self, text):
        """The path of a scenario file with that text."""
        path = self.folder / f'{hashlib.sha256(text.encode()).hexdigest()[:16]}.scenario'
        try:
            there = path.read_text(encoding='utf-8')
        except (OSError, ValueError):
            there = None
        if there != text:
            disk.write(path, text)
        name = str(path.resolve())
        self.texts[name] = text
        return name

    def _run(self, program, args, files):
        args = (*map(str, args), '--json')
        return Run(self._program(program), args,
                   (*files, *(arg for arg in args if arg in self.texts)))

    def rccsim(self, *args, files=()):
        return self._run('rccsim', args, files)

    def rccell(self, *args, files=()):
        return self._run('rccell', args, files)

    def rccns3(self, *args, files=()):
        return self._run('rccns3', args, files)

    def turned(self, trace, part):
        """The path of that trace of slots, begun at @part (0 to 1) of it and wrapped around."""
        text = pathlib.Path(trace).read_text(encoding='utf-8')
        slots = [int(line) for line in text.split()]
        start, period = slots[int(part * len(slots))], slots[-1]
        turned = sorted((at - start - 1) % period + 1 for at in slots)
        path = self.folder / f'{pathlib.Path(trace).stem}-{digest(trace)[:12]}-{start}.mm'
        if not path.is_file():
            disk.write(path, ''.join(f'{at}\n' for at in turned))
        return str(path.resolve())

    def trace(self, name):
        """The path of a trace, which is there."""
        if not self.traces:
            raise Absent(f'this needs the trace {name}: say with --traces which folder has it')
        path = pathlib.Path(self.traces) / name
        if not path.is_file():
            raise Absent(f'the trace {path} is not there')
        return str(path.resolve())
