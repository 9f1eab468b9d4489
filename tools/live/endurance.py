# SPDX-License-Identifier: LGPL-2.1-or-later
"""A long call: what it keeps in memory, what it complains of, a sender whose address changes, a
receiver that ends in the middle and comes back on its port, and clocks that drift apart."""
import json
import pathlib
import statistics
import subprocess
import sys
import time

from . import figures, flows, frames, run

SKEW = 200              # ppm, of the sender's clock; a bad crystal
WARM = 60.              # s until caches are full; short calls: a quarter
LOOK = 1.               # s between two looks at the memory
MOVES = .25             # of the call, when the sender's address changes
LEAST = 16              # s; below it there are no rates around the move
SPAN = 10.              # s before and after it, of which the rates are; at most
MOVED = '10.77.0.11'    # where it is then
ADDRESS = pathlib.Path(__file__).with_name('address.py')


def resident(pid):
    """KiB; None when the process has ended."""
    try:
        for line in pathlib.Path(f'/proc/{pid}/status').read_text(encoding='ascii').splitlines():
            if line.startswith('VmRSS:'):
                return int(line.split()[1])
    except OSError:
        pass
    return None


class LongRun(run.Run):
    """With one call, whose receiver is started anew at half time."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.memory = {}                # name: [(s, KiB)]
        self.looked = 0.
        (self.port, self.flow), = self.setup.every

    def start_link(self, here, there):
        super().start_link(here, there)
        self.here, self.there, self.begin = here, there, time.monotonic()
        self.later(self.begin + MOVES * self.setup.duration, self.move)
        self.later(self.begin + self.setup.duration / 2, self.start_anew)

    def move(self):
        """The sender's address changes; its sockets stay."""
        made = subprocess.run([*self.here.enter(), sys.executable, ADDRESS, 'link0', MOVED],
                              text=True, capture_output=True, check=False)
        if made.returncode:
            raise run.Failed(f'the address does not change: {made.stderr.strip()}')
        self.moved = time.monotonic() - self.begin

    def sent_around(self):
        """kbit/s before the change of address, just behind it, and from then on."""
        span = min(SPAN, self.setup.duration * MOVES / 2 - 1)
        return [figures.sent_since(self.folder / 'link.csv', self.port, self.moved + part * span,
                                   self.moved + (part + 1) * span) for part in (-1, 0, 1)]

    def start_anew(self):
        name = f'receiver-{self.port}'
        process = dict(self.processes)[name]
        process.terminate()
        process.wait(20)
        left = self.setup.duration / 2 + run.SETTLE + run.HANG_UP
        self.anew = time.monotonic()
        self.start(f'{name}-anew', self.there, [
            self.setup.rtpcall, *self.flow.receiver(self.port, left), '--quiet', '--report',
            str(self.folder / f'{name}-anew'), *self.setup.pages], stdout=subprocess.DEVNULL)

    def check(self):
        super().check()
        now = time.monotonic()
        if now - self.looked < LOOK or not hasattr(self, 'begin'):
            return
        self.looked = now
        for name, process in self.processes:
            size = resident(process.pid) if process.poll() is None else None
            if size and name != 'linktun':
                self.memory.setdefault(name, []).append((now - self.begin, size))

    def figures(self, counts, in_time):
        made = super().figures(counts, in_time)
        made['ends'] = [self.end_of(name) for name in self.memory]
        made['back'] = self.back()
        made['sent-around-move'] = self.sent_around()
        return made

    def end_of(self, name):
        looks = self.memory[name]
        warm = looks[0][0] + min(WARM, (looks[-1][0] - looks[0][0]) / 4)
        looks = [look for look in looks if look[0] >= warm]
        slope = (statistics.linear_regression(*zip(*looks)).slope * 60 if len(looks) > 2 else None)
        lines = (self.folder / f'{name}.err').read_text(encoding='utf-8').strip().splitlines()
        with (self.folder / name / 'call.json').open(encoding='utf-8') as file:
            call = json.load(file)
        summary = {what: figure['value'] for what, figure in call['summary'].items()}
        return {'name': name, 'minutes': (looks[-1][0] - looks[0][0]) / 60, 'slope': slope,
                'most': max(size for _, size in looks), 'said': lines,
                'timers': call['machine']['timer-lateness-p99'],
                'psnr': summary.get('mean PSNR'), 'frozen': summary.get('frozen frames')}

    def back(self):
        """s from the start of the second receiver to the first packet that it handed on."""
        path = self.folder / f'receiver-{self.port}-anew' / 'packets.csv'
        for row in frames.read(path):
            if row['place'] == 'decoded':
                return int(row['clock']) / 1e6 - self.anew
        return None


def shown(value, form, factor=1):
    return '-' if value is None else format(value * factor, form)


def text(made):
    lines = ['| end | minutes | memory, KiB a minute | most, KiB | lines on stderr | '
             '99 % of timers within ms | PSNR dB | frozen % |', '|---|---|---|---|---|---|---|---|']
    for end in made['ends']:
        cells = [end['name'], f'{end["minutes"]:.1f}', shown(end['slope'], '+.0f'),
                 str(end['most']), str(len(end['said'])), shown(end['timers'], '.1f'),
                 shown(end['psnr'], '.1f'), shown(end['frozen'], '.1f', 100)]
        lines.append(f'| {" | ".join(cells)} |')
    lines += [f'{end["name"]}: {line}' for end in made['ends'] for line in end['said'][:5]]
    lines.append('the sender\'s address changed: {:.0f} kbit/s before, {:.0f} just behind it, '
                 '{:.0f} then'.format(*made['sent-around-move']))
    back = made['back']
    lines.append('the receiver that came back got no video' if back is None else
                 f'the receiver came back: its first video {back:.1f} s after its start')
    return '\n'.join(lines)


def long_call(options, folder, stops):
    """(result, text, run)."""
    calls = [flows.CallFlow(text) for text in options.call or ['cc=gcc']]
    if len(calls) != 1 or calls[0].count != 1 or options.tcp:
        raise flows.Wrong('a long call is one --call, without --tcp')
    if options.duration < LEAST:
        raise flows.Wrong(f'a long call takes at least {LEAST} s: give --duration or --minutes')
    if calls[0].killed:
        raise flows.Wrong('killed is not for a long call, whose receiver is started anew: leave it '
                          'away')
    calls[0].options.setdefault('clock-skew', str(SKEW))
    setup = run.Setup(options, options.link, calls, [])
    made = LongRun(setup, options.seed, folder / 'long', lambda left: None, stops).measure()
    return made, (f'{options.link}, {options.duration:g} s, clocks '
                  f'{calls[0].options["clock-skew"]} ppm apart\n'
                  f'{figures.table(figures.together([made]), figures.COLUMNS[:5])}\n{text(made)}')
