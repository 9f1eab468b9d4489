# SPDX-License-Identifier: LGPL-2.1-or-later
"""FBRA on the link whose capacity varies: Table 1 of the paper."""
from . import stats
from .target import (Chart, Line, Note, Table, Verdict, beside, mean, number, reach, PLUS_MINUS)

NAME = 'fbra-table1'
TITLE = 'FBRA, Table 1: one flow on a link of 100 to 256 kbit/s'
SOURCE = ('Nagy, Singh, Ott, Eggert: Congestion Control using FEC for Conversational '
          'Multimedia Communication (MMSys 2014), Table 1')
ABOUT = ('One video flow for 900 s over a drop-tail queue of 50 packets whose rate follows the '
         'paper\u2019s schedule; what takes more than 400 ms counts as lost.  The paper names no '
         'encoder: frames vary as in RFC 8593.  Several constants of FBRA are not in the text '
         'and were reconstructed.  The paper gives standard deviations over 30 runs of ns-2.  '
         'FBRA is some 20 kbit/s short of it: of that, frames of equal size instead of varying '
         'ones give back 9, 18 and 8 kbit/s at 50, 100 and 240 ms, and the two least certain '
         'constants the rest but at 240 ms: the window of the one-way delay (2 s in a third-party '
         'port, 30 s here) and the report that the prose spends near the highest rate of late.  '
         'With all three it has 177.9, 173.2 and 125.3 (RCC_FBRA_SENSITIVITY=1 '
         'tests/sim/test-sim-fbra -p /fbra/sensitivity varies each alone).')
RUNS = 30
PROGRAMS = ('rccsim',)

OWDS = (50, 100, 240)
CONTROLLERS = {'fbra': 'FBRA', 'rrtcc': 'RRTCC', 'cnadu': 'C-NADU-like'}
COLOURS = {'fbra': 'target', 'rrtcc': 'received', 'cnadu': 'sent'}
# goodput kbit/s, lost or late %, frames lost, each with its standard deviation; FRCC %
PAPER = {
    ('fbra', 50): (179.13, 2.26, 1.23, 0.28, 441, 82, 92.6),
    ('fbra', 100): (172.83, 2.74, 1.72, 0.37, 563, 103, 95.9),
    ('fbra', 240): (144.89, 8.35, 2.82, 0.89, 790, 224, 90.1),
    ('rrtcc', 50): (181.8, 3.11, 4.27, 0.78, 1842, 25, None),
    ('rrtcc', 100): (172.48, 6.6, 3.09, 0.85, 740, 43, None),
    ('rrtcc', 240): (169.22, 5.68, 2.98, 0.55, 706, 41, None),
    ('cnadu', 50): (165.42, 3.87, 0.34, 0.11, 94, 30, None),
    ('cnadu', 100): (163.84, 3.11, 0.17, 0.09, 46, 23, None),
    ('cnadu', 240): (153.52, 6.81, 0.19, 0.07, 53, 21, None),
}


def plan(tools, n, quick):
    duration = '120' if quick else '900'
    return {(who, owd): [tools.rccsim('--controller', who, '--owd', owd, '--scenario',
                                      f'fbra:{owd}', '-d', duration, '--seed', seed)
                         for seed in range(1, n + 1)]
            for owd in OWDS for who in CONTROLLERS}


def figures(found):
    """Columns of one case's runs."""
    flows = [result['flows'][0] for result in found]
    fec = [flow['fec'] for flow in flows]
    return {
        'goodput': [flow['goodput'] / 1e3 for flow in flows],
        'bad': [f['loss-before-repair'] for f in fec],
        'after': [f['loss-after-repair'] for f in fec],
        'frames': [f['frames-lost'] for f in fec],
        'frcc': [f['frcc'] for f in fec],
        'ffre': [f['ffre'] for f in fec],
        'fec': [f['fec-bitrate'] / 1e3 for f in fec],
        'p95': [flow['delay']['p95'] for flow in flows],
        'rates': [flow['rates'] for flow in flows],
    }


def pair(value, deviation, digits):
    return f'{number(value, digits)} s {number(deviation, digits)}'


def row(who, owd, ours):
    paper = PAPER[who, owd]
    return (f'{owd} ms', CONTROLLERS[who],
            mean(ours['goodput'], 1), number(stats.deviation(ours['goodput']), 1),
            pair(paper[0], paper[1], 1),
            mean(ours['bad'], 2), number(stats.deviation(ours['bad']), 2),
            pair(paper[2], paper[3], 2),
            mean(ours['frames'], 0), pair(paper[4], paper[5], 0),
            mean(ours['frcc'], 1) if who == 'fbra' else number(None, 0), number(paper[6], 1),
            mean(ours['fec'], 1), number(stats.mean(ours['p95']), 0))


def chart(key, title, unit, at, columns, name):
    lines = []
    for i, who in enumerate(CONTROLLERS):
        shift = (i - 1) * 0.16
        places = [k + shift for k in range(len(OWDS))]
        lines.append(Line(f'{CONTROLLERS[who]}, ours', places,
                          [stats.mean(columns[who, owd][name]) for owd in OWDS], COLOURS[who],
                          error=[stats.interval(columns[who, owd][name]) for owd in OWDS],
                          marker='o', joined=False))
        lines.append(Line(f'{CONTROLLERS[who]}, paper', [p + 0.07 for p in places],
                          [PAPER[who, owd][at] for owd in OWDS], COLOURS[who],
                          error=[2 * PAPER[who, owd][at + 1] for owd in OWDS], dash='dotted',
                          marker='x', joined=False))
    return Chart(key, title, 'one-way delay', unit, tuple(lines),
                 tuple((k, f'{owd} ms') for k, owd in enumerate(OWDS)))


def over_time(columns):
    """The first run of each controller at 50 ms."""
    lines = []
    for who in CONTROLLERS:
        rates = columns[who, OWDS[0]]['rates'][0]
        ten = [stats.mean(rates[i:i + 10]) for i in range(0, len(rates), 10)]
        lines.append(Line(CONTROLLERS[who], [10.0 * (i + 1) for i in range(len(ten))], ten,
                          COLOURS[who], dash={'fbra': '', 'rrtcc': 'dashed',
                                              'cnadu': 'dotted'}[who]))
    return Chart('fbra-time', 'Received over time at 50 ms, seed 1, means of 10 s', 'time, s',
                 'kbit/s', tuple(lines))


def verdicts(columns):
    out = []
    for owd in OWDS:
        for who, name in CONTROLLERS.items():
            paper, ours = PAPER[who, owd], columns[who, owd]
            out.append(beside(f'{owd} ms, {name}, goodput', ours['goodput'], paper[0], 1,
                              'kbit/s', 2 * paper[1], 'within two standard deviations'))
            out.append(beside(f'{owd} ms, {name}, lost or late', ours['bad'], paper[2], 2, '%',
                              2 * paper[3], 'within two standard deviations'))
        out.append(reach(f'{owd} ms, FBRA, FRCC', columns['fbra', owd]['frcc'], 90, 1, '%'))
        out.append(reach(f'{owd} ms, FBRA, delay p95', columns['fbra', owd]['p95'], 400, 0, 'ms',
                         least=False))
    for owd in OWDS:
        order = sorted(CONTROLLERS, key=lambda who: stats.mean(columns[who, owd]['bad']))
        theirs = sorted(CONTROLLERS, key=lambda who: PAPER[who, owd][2])
        said = f'{owd} ms, order by loss: {", ".join(CONTROLLERS[who] for who in order)}'
        out.append(Verdict(f'{said}: reproduced' if order == theirs else
                           f'{said}: differs, the paper has '
                           f'{", ".join(CONTROLLERS[who] for who in theirs)}', order == theirs))
    return out


def show(results):
    columns = {case: figures(found) for case, found in results.items()}
    heads = ('One-way delay', 'Controller', 'Goodput, kbit/s', 's', 'paper', 'Lost or late, %',
             's', 'paper', 'Frames lost', 'paper', 'FRCC, %', 'paper', 'Parity, kbit/s',
             'Delay p95, ms')
    rows = [row(who, owd, columns[who, owd]) for owd in OWDS for who in CONTROLLERS]
    return [
        Table('Table 1', heads, rows, leading=2),
        Note(f'Ours: mean {PLUS_MINUS} 95 % interval of the mean; s: standard deviation over the '
             'runs.  Lost or late: before repair.'),
        chart('fbra-goodput', 'Goodput', 'kbit/s', 0, columns, 'goodput'),
        chart('fbra-loss', 'Lost or late before repair', '%', 2, columns, 'bad'),
        Note('Bars: 95 % interval of the mean (ours), two standard deviations (paper).'),
        over_time(columns), *verdicts(columns)]
