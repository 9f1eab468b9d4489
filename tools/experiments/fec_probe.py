# SPDX-License-Identifier: LGPL-2.1-or-later
"""FEC as the probe of another controller: GCC whose probes are parity, beside padding."""
import random

from . import stats
from .fbra_heldout import schedule
from .target import Chart, Line, Note, Table, mean, reach, PLUS_MINUS
from .verdicts import Verdict, evidence

NAME = 'fec-probe'
TITLE = 'GCC whose probes are parity in place of padding'
SOURCE = ('Nagy, Singh, Ott, Eggert: Congestion Control using FEC for Conversational Multimedia '
          'Communication (MMSys 2014), section 7: FEC as the probe of other controllers; no '
          'figure of the paper is reproduced here')
ABOUT = ('Video alone from 150 kbit/s to 2.5 Mbit/s by GCC default with transport-wide feedback, '
         '25 ms each way, for 300 s.  One link has 1 Mbit/s with a queue of 300 ms, where 0, 1, '
         '3 or 5 % is lost at random.  The others are the variable links that FBRA is judged on, '
         'without loss and with 1 to 3 %.  They have 500 kbit/s to 2 Mbit/s for 20 to 60 s each '
         'behind 50 packets.  GCC probes now and then by a cluster of at least six packets.  As '
         'shipped what fills it is padding of 255 bytes; with probe-protection it is parity (RFC '
         '5109) of the last 24 to 48 packets.  So a cluster of it has more bytes.  The third way '
         'is rtpfbrafec probe-for=external in front: each increase is parity first, and '
         'GCC\u2019s own probes are not filled.  It is shown, and not judged.  What takes more '
         'than 400 ms counts as lost.  The rule was written before the first run.  Parity wins '
         'on a path with loss where three things hold.  The share lost after repair is less: the '
         '95 % interval of the difference, seed by seed, is below 0.  The goodput is at least 98 '
         '% of that with padding.  The 95th percentile of the delay is at most 10 ms longer.  On '
         'a path without loss the last two are asked for.  Where it wins on all it may become '
         'the default for receivers that repair.')
RUNS = 20
PROGRAMS = ('rccsim',)

PATHS = {'0': ('1 Mbit/s', 0), '1': ('1 Mbit/s, 1 % lost', 1), '3': ('1 Mbit/s, 3 % lost', 3),
         '5': ('1 Mbit/s, 5 % lost', 5), 'fast': ('0.5 to 2 Mbit/s', 0),
         'fast-lossy': ('0.5 to 2 Mbit/s, 1 to 3 % lost', 2)}
PROBES = {'padding': ('padding', 'probe-protection=0'), 'parity': ('parity', 'probe-protection=1'),
          'external': ('increases as parity', 'probe-for-external=1')}
LEAST, LATER = 98, 10                   # % of the goodput; ms of the 95th percentile


def scenario(path, seed, length):
    if not path.startswith('fast'):
        return f'0 both delay 25\n0 fwd rate 1M queue 300ms loss {path}%\n'
    loss = random.Random(seed).uniform(1, 3) if PATHS[path][1] else 0
    return f'0 fwd loss {loss:.2f}%\n' + schedule('fast', 25, seed, length)


def plan(tools, n, quick):
    length = 60 if quick else 300
    return {(path, probe): [
        tools.rccsim('--no-audio', '--feedback', 'twcc', '--set',
                     'packet-trace-max-delay=400000000', '--set', setting, '--scenario',
                     tools.scenario(scenario(path, seed, length)), '-d', length, '--seed', seed)
        for seed in range(1, n + 1)] for path in PATHS for probe, (_, setting) in PROBES.items()}


def repaired(fec):
    """Per cent of what was lost or late; None: nothing was."""
    before = fec['loss-before-repair']
    return 100 * (before - fec['loss-after-repair']) / before if before else None


def figures(found):
    flows = [result['flows'][0] for result in found]
    return {
        'goodput': [flow['goodput'] / 1e3 for flow in flows],
        'before': [flow['fec']['loss-before-repair'] for flow in flows],
        'after': [flow['fec']['loss-after-repair'] for flow in flows],
        'repaired': [repaired(flow['fec']) for flow in flows],
        'fec': [flow['fec']['fec-bitrate'] / 1e3 for flow in flows],
        'p95': [flow['delay']['p95'] for flow in flows],
    }


def differences(columns, path, column):
    """Parity's less padding's, seed by seed."""
    return [a - b for a, b in zip(columns[path, 'parity'][column],
                                  columns[path, 'padding'][column])]


def share_of_goodput(columns, path):
    return [100 * a / b for a, b in zip(columns[path, 'parity']['goodput'],
                                        columns[path, 'padding']['goodput'])]


def table(columns):
    heads = ('Path', 'Probes are', 'Goodput, kbit/s', 'Lost or late, %', 'after repair, %',
             'Repaired, % of it', 'Parity, kbit/s', 'Delay p95, ms')
    rows = [(name, PROBES[probe][0], *(mean(columns[path, probe][column], digits)
                                       for column, digits in (('goodput', 0), ('before', 2),
                                                              ('after', 2), ('repaired', 1),
                                                              ('fec', 1), ('p95', 0))))
            for path, (name, _) in PATHS.items() for probe in PROBES]
    return Table('GCC by what fills its probes', heads, rows, leading=2)


def chart(columns):
    places = list(range(len(PATHS)))
    lines = tuple(Line(PROBES[probe][0], places,
                       [stats.mean(columns[path, probe]['after']) for path in PATHS], colour,
                       error=[stats.interval(columns[path, probe]['after']) for path in PATHS],
                       marker='o', joined=False)
                  for probe, colour in (('padding', 'over'), ('parity', 'sent'),
                                        ('external', 'target')))
    return Chart('fec-probe-loss', 'Media lost or late after repair', 'path', '%', lines,
                 tuple(zip(places, (name for name, _ in PATHS.values()))))


def judge(columns, path):
    name, lossy = PATHS[path]
    out = []
    if lossy:
        less = differences(columns, path, 'after')
        good, lacks = evidence(less, float('-inf'), 0)
        said = f'{name}: lost after repair, parity less padding: {mean(less, 2, "points")}'
        out.append(Verdict(f'{said}: cannot be told: {lacks}' if good is None else
                           f'{said}: {"reached (below 0)" if good else "missed"}', good))
    out.append(reach(f'{name}: goodput, of that with padding', share_of_goodput(columns, path),
                     LEAST, 1, '%'))
    out.append(reach(f'{name}: 95th percentile of the delay, longer than with padding',
                     differences(columns, path, 'p95'), LATER, 1, 'ms', least=False))
    return out


def all_of(goods):
    return False if False in goods else None if None in goods else True


def show(results):
    columns = {case: figures(found) for case, found in results.items()}
    judged = {path: judge(columns, path) for path in PATHS}
    wins = {path: all_of([one.good for one in some]) for path, some in judged.items()}
    words = {True: 'yes', False: 'no', None: 'cannot be told'}
    return [table(columns), chart(columns), *(one for some in judged.values() for one in some),
            Note('Parity wins, or does no harm where nothing is lost: ' + '; '.join(
                f'{PATHS[path][0]}: {words[good]}' for path, good in wins.items()) + '.  '
                'By the rule it may become the default for receivers that repair: '
                + words[all_of(list(wins.values()))] + '.'),
            Note(f'Mean {PLUS_MINUS} 95 % interval of the mean, over as many seeds.')]

