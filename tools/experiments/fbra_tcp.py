# SPDX-License-Identifier: LGPL-2.1-or-later
"""FBRA beside ten short TCP flows over ns-3: Tables 2 and 3 of the paper."""
from . import stats
from .fbra_paper import CONTROLLERS, OWDS
from .target import Note, Table, beside, mean, number
from .verdicts import below

NAME = 'fbra-tcp'
TITLE = 'FBRA, Tables 2 and 3: one and two flows beside ten short TCP flows'
SOURCE = ('Nagy, Singh, Ott, Eggert: Congestion Control using FEC for Conversational '
          'Multimedia Communication (MMSys 2014), Tables 2 and 3')
PAGE, IDLE = '30000-50000', 1           # bytes, s
ABOUT = ('200 s on a link of 5 Mbit/s (derived: the paper\u2019s TCP shares give it) with a '
         'drop-tail queue of 50 packets.  Page sizes and idle times of the paper\u2019s TCP are '
         'lost.  Here pages have 30 to 50 kB, uniform, as in RFC 8868: TCP has about the '
         f'paper\u2019s throughput at 50 ms with them.  It is idle for {IDLE} s on average; the '
         'last table varies that.  One flow and ten TCP flows have more than the link in the '
         'paper (3593 + 10 \u00b7 689 kbit/s).  So its TCP throughput is taken to be that of the '
         'time in which a page is fetched.  Frames and FBRA\u2019s probes as in Table 1.  '
         'TFS: that over a fair share, 5 Mbit/s by the number of flows.')
RUNS = 10
PROGRAMS = ('rccns3',)

CAPACITY = 5000.0
# (flows, controller, OWD): goodput kbit/s (mean of the flows), lost or late %, TCP kbit/s,
# TFS %, FRCC %
PAPER = {
    (1, 'fbra', 50): (1044, 1.95, 670, 147, 90.5), (1, 'fbra', 100): (1220, 1.54, 491, 108, 87.8),
    (1, 'fbra', 240): (505, 0.40, 299, 66, 83.6),
    (1, 'rrtcc', 50): (3593, 3.68, 689, 151, None), (1, 'rrtcc', 100): (3699, 4.05, 323, 71, None),
    (1, 'rrtcc', 240): (3827, 4.82, 262, 58, None),
    (2, 'fbra', 50): (545.5, 2.25, 674, 134.9, 90.5),
    (2, 'fbra', 100): (718.5, 1.55, 466, 93.2, 88),
    (2, 'fbra', 240): (273.5, 0.65, 300, 60.0, 81.75),
    (2, 'rrtcc', 50): (1695, 5.57, 390, 77.9, None),
    (2, 'rrtcc', 100): (1843.5, 5.36, 282, 56.2, None),
    (2, 'rrtcc', 240): (2188.5, 6.14, 102, 20.3, None),
}
# of the goodput with one flow; the paper has none with two
DEVIATION = {
    ('fbra', 50): 123, ('fbra', 100): 210, ('fbra', 240): 82, ('rrtcc', 50): 279,
    ('rrtcc', 100): 420, ('rrtcc', 240): 424,
}
FRCC_NEAR = 5                           # points; the paper has no deviation of it


IDLES = (10, 5, 2, 1, 0.5)              # of the last table, s
PROVED = {'fbra': 'fbra-parity-least=1,', 'rrtcc': ''}


def call(tools, scenario, who, owd, flows, idle, seed, quick):
    return tools.rccns3(
        '--scenario', scenario, '-d', 20 if quick else 200, '--seed', seed, '--flow',
        f'cc={who},owd={owd},max=5M,source=constant,{PROVED[who]}count={flows}',
        '--tcp-short', 10, '--tcp-short-on', 2,
        '--tcp-page', PAGE, '--tcp-idle', idle)


def plan(tools, n, quick):
    cases, seeds = {}, range(1, n + 1)
    for flows in (1, 2):
        for owd in OWDS:
            scenario = tools.scenario(f'0 both delay {owd}\n0 fwd rate 5M queue 50\n')
            for who in CONTROLLERS:
                cases[flows, who, owd] = [call(tools, scenario, who, owd, flows, IDLE, seed,
                                               quick) for seed in seeds]
                if flows == 1 and owd == OWDS[0]:
                    for idle in IDLES:
                        cases['idle', who, idle] = [call(tools, scenario, who, owd, 1, idle, seed,
                                                         quick) for seed in seeds]
    return cases


def fetching(result):
    """Mean of the TCP flows' kbit/s while they fetch: what came whole, over its time."""
    return stats.mean([t['bitrate'] * result['duration'] / (t['pages'] * t['page-time']) / 1e3
                       for t in result['tcp'] if t.get('pages')])


def figures(found):
    def of(name):
        return [stats.mean([flow['fec'][name] for flow in result['flows']]) for result in found]
    tcp = [fetching(result) for result in found]
    share = [CAPACITY / (len(r['flows']) + len(r['tcp'])) for r in found]
    return {
        'goodput': [stats.mean([flow['goodput'] for flow in r['flows']]) / 1e3 for r in found],
        'bad': of('loss-before-repair'), 'frcc': of('frcc'), 'tcp': tcp,
        'tfs': [100 * t / s for t, s in zip(tcp, share)],
        'p95': [max(flow['delay']['p95'] for flow in r['flows']) for r in found],
    }


def table(flows, columns):
    heads = ('One-way delay', 'Controller', 'Goodput, kbit/s', 'paper', 'Lost or late, %', 'paper',
             'TCP, kbit/s', 'paper', 'TFS, %', 'paper', 'FRCC, %', 'paper', 'Delay p95, ms')
    rows = []
    for owd in OWDS:
        for who, name in CONTROLLERS.items():
            ours, paper = columns[flows, who, owd], PAPER[flows, who, owd]
            frcc = mean(ours['frcc'], 1) if who == 'fbra' else number(None, 0)
            rows.append((f'{owd} ms', name, mean(ours['goodput'], 0), number(paper[0], 0),
                         mean(ours['bad'], 2), number(paper[1], 2), mean(ours['tcp'], 0),
                         number(paper[2], 0), mean(ours['tfs'], 0), number(paper[3], 0), frcc,
                         number(paper[4], 1), number(stats.mean(ours['p95']), 0)))
    return Table(f'Table {flows + 1}', heads, rows, leading=2)


def verdicts(columns):
    out = []
    for flows in (1, 2):
        for owd in OWDS:
            ours = columns[flows, 'fbra', owd]
            paper = PAPER[flows, 'fbra', owd]
            label = f'{flows} flow{"s" if flows > 1 else ""}, {owd} ms, FBRA'
            spread = 2 * DEVIATION['fbra', owd]
            out.append(beside(f'{label}, goodput', ours['goodput'], paper[0], 0, 'kbit/s', spread,
                              'within two standard deviations of Table 2'))
            out.append(below(f'{label}, lost or late, the paper has {number(paper[1], 2)}',
                             ours['bad'], paper[1], 2, '%'))
            more = [a - b for a, b in zip(ours['goodput'],
                                          columns[flows, 'rrtcc', owd]['goodput'])]
            out.append(below(f'{label} takes less than RRTCC, the difference', more, 0, 0,
                             'kbit/s'))
            out.append(beside(f'{label}, FRCC', ours['frcc'], paper[4], 1, '%', FRCC_NEAR,
                              f'within {FRCC_NEAR} points'))
    return out


def by_idle(columns):
    rows = []
    for idle in IDLES:
        for who, name in CONTROLLERS.items():
            ours = columns['idle', who, idle]
            rows.append((f'{idle} s', name, mean(ours['goodput'], 0), mean(ours['bad'], 2),
                         mean(ours['tcp'], 0)))
    return Table('One flow at 50 ms, by TCP\u2019s idle time', (
        'Idle', 'Controller', 'Goodput, kbit/s', 'Lost or late, %', 'TCP, kbit/s'), rows,
        leading=2)


def show(results):
    columns = {case: figures(found) for case, found in results.items()}
    return [table(1, columns), table(2, columns), by_idle(columns),
            Note('With two flows goodput, loss and FRCC are means of both.'), *verdicts(columns)]
