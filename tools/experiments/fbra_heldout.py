# SPDX-License-Identifier: LGPL-2.1-or-later
"""FBRA+ on links that it was not tuned on, beside FBRA, RRTCC and GCC."""
import random

from . import stats
from .target import Note, Table, mean, number, reach, PLUS_MINUS

NAME = 'fbra-heldout'
TITLE = 'FBRA+ on links that it was not tuned on'
SOURCE = 'our own bounds, written down in tests/sim/test-fbra-heldout.c before the first run'
ABOUT = ('One video flow for 600 s over a drop-tail queue of 50 packets whose rate changes every '
         '20 to 60 s to a level drawn from the seed.  The levels are 100 to 256 kbit/s as in '
         'Table 1, the same with 1 to 3 % lost at random, and 500 kbit/s to 2 Mbit/s.  FBRA+ is '
         'all that is ours of FBRA; its constants were chosen on the paper\u2019s schedule and '
         'on six others, none of these.  What takes more than 400 ms counts as lost.  GCC: '
         'today\u2019s default with REMB.')
RUNS = 30
PROGRAMS = ('rccsim',)

OWDS = (50, 100, 240)
# name: kbit/s from, to, % lost from, to
LINKS = {'slow': ('100 to 256 kbit/s', 100, 256, 0, 0),
         'lossy': ('100 to 256 kbit/s, 1 to 3 % lost', 100, 256, 1, 3),
         'fast': ('500 kbit/s to 2 Mbit/s', 500, 2000, 0, 0)}
CONTROLLERS = {'fbra': ('FBRA', ('--controller', 'fbra')),
               'plus': ('FBRA+', ('--controller', 'fbra', '--set', 'fbra-plus=1')),
               'rrtcc': ('RRTCC', ('--controller', 'rrtcc')),
               'gcc': ('GCC', ('--no-audio', '--set', 'packet-trace-max-delay=400000000'))}
BEYOND = 1                              # % lost or late, beyond what the path loses


def schedule(link, owd, seed, length):
    _, low, high, least, most = LINKS[link]
    draw = random.Random(f'{link} {seed}')      # the same for each delay
    lines, time = [f'0 both delay {owd}', '0 fwd queue 50'], 0.0
    if most:
        lines[1] += f' loss {draw.uniform(least, most):.2f}%'
    while time < length:
        lines.append(f'{time:.1f} fwd rate {draw.uniform(low, high):.0f}k')
        time += draw.uniform(20, 60)
    return '\n'.join(lines) + '\n'


def limits(link):
    if link == 'fast':
        return ('--min-bitrate', 32000, '--start-bitrate', 500000, '--max-bitrate', 4000000)
    return ('--min-bitrate', 32000, '--start-bitrate', 128000, '--max-bitrate', 2000000)


def plan(tools, n, quick):
    length, cases = 60 if quick else 600, {}
    for link in LINKS:
        for owd in OWDS:
            for who, (_, given) in CONTROLLERS.items():
                cases[link, owd, who] = [
                    tools.rccsim(*given, '--owd', owd, '--scenario',
                                 tools.scenario(schedule(link, owd, seed, length)), '-d', length,
                                 '--seed', seed, *limits(link)) for seed in range(1, n + 1)]
    return cases


def figures(found):
    flows = [result['flows'][0] for result in found]
    return {
        'goodput': [flow['goodput'] / 1e3 for flow in flows],
        'bad': [flow['fec']['loss-before-repair'] for flow in flows],
        'lost': [100 * flow['fec']['lost'] / max(flow['fec']['media-packets'], 1)
                 for flow in flows],
        'after': [flow['fec']['loss-after-repair'] for flow in flows],
        'fec': [flow['fec']['fec-bitrate'] / 1e3 for flow in flows],
        'p95': [flow['delay']['p95'] for flow in flows],
    }


def table(link, columns):
    heads = ('One-way delay', 'Controller', 'Goodput, kbit/s', 'Lost or late, %', 'by the path, %',
             'after repair, %', 'Parity, kbit/s', 'Delay p95, ms')
    rows = [(f'{owd} ms', name, *(mean(columns[link, owd, who][column], digits)
                                  for column, digits in (('goodput', 1), ('bad', 2), ('lost', 2),
                                                         ('after', 2), ('fec', 1))),
             number(stats.mean(columns[link, owd, who]['p95']), 0))
            for owd in OWDS for who, (name, _) in CONTROLLERS.items()]
    return Table(LINKS[link][0], heads, rows, leading=2)


def verdicts(link, columns):
    out = []
    for owd in OWDS:
        plus, rrtcc = columns[link, owd, 'plus'], columns[link, owd, 'rrtcc']
        label = f'{LINKS[link][0]}, {owd} ms, FBRA+'
        own = stats.mean(plus['lost']) if LINKS[link][4] else 0
        out.append(reach(f'{label}, goodput, of RRTCC\u2019s', plus['goodput'],
                         stats.mean(rrtcc['goodput']), 1, 'kbit/s'))
        out.append(reach(f'{label}, lost or late', plus['bad'], BEYOND + own, 2, '%',
                         least=False))
    return out


def show(results):
    columns = {case: figures(found) for case, found in results.items()}
    out = []
    for link in LINKS:
        out += [table(link, columns), *verdicts(link, columns)]
    return out + [Note(f'Mean {PLUS_MINUS} 95 % interval of the mean, over as many schedules as '
                       'seeds.')]
