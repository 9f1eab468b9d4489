# SPDX-License-Identifier: LGPL-2.1-or-later
"""The cases of RFC 8867 with GCC, beside public implementations measured by us."""
import math

from . import stats
from .target import Chart, Line, Note, Table, Verdict, mean, number, reach

NAME = 'rfc8867'
TITLE = 'RFC 8867: GCC in the cases 5.1 to 5.8'
SOURCE = ('RFC 8867, section 5; NADA (cisco/ns3-rmcat), SCReAM v2 (EricssonResearch/scream) and '
          'GoogCC (algesten/str0m) as measured by this project with its own event simulator, '
          'single seed, start at 300 kbit/s: to rank with, not the authors\u2019 results')
ABOUT = ('Video of 150 kbit/s to 1.5 Mbit/s after RFC 8593 with 20 kbit/s of audio, from 150 '
         'kbit/s, over ns-3; drop-tail queue of 300 ms, 50 ms each way unless the case differs. '
         'No jitter on the path.')
RUNS = 10
PROGRAMS = ('rccns3',)

VARIANTS = {
    'default': ('GCC, REMB (default)', 'feedback=remb'),
    'twcc': ('GCC, TWCC', 'feedback=twcc'),
    'paper': ('GCC, profile paper', 'profile=paper'),
}
COLOURS = {'default': 'target', 'twcc': 'sent', 'paper': 'received'}
TOP = 1.52e6                            # what a source sends at most


def path(rate, delay=50, queue='300ms'):
    return f'0 both delay {delay} queue {queue}\n0 fwd rate {rate}\n'


VARYING = ('0 both delay 100 queue 300ms\n0 fwd rate 1M\n40 fwd rate 2.5M\n60 fwd rate 600k\n'
           '80 fwd rate 1M\n')
IMPAIRED_NOT = ('0 both delay 50 queue 300ms\n0 both rate 2M\n20 fwd rate 1M\n40 fwd rate 500k\n'
                '60 fwd rate 2M\n')
SHORT = ('--tcp-short', 10, '--tcp-short-on', 2, '--tcp-connections', 30)
# case: (title, seconds, scenario by name or text, flows, others)
CASES = {
    '5.1': ('5.1, varying capacity', 100, 'rfc8867-5.1', ('to=99',), ()),
    '5.1-100': ('5.1, 100 ms one way', 100, VARYING, ('to=99',), ()),
    '5.2': ('5.2, two flows', 125, 'rfc8867-5.2', ('', ''), ()),
    '5.3': ('5.3, congested feedback', 100, 'rfc8867-5.3', ('to=99', 'to=99,direction=rev'), ()),
    '5.3-free': ('5.3, feedback not congested', 100, IMPAIRED_NOT,
                 ('to=99', 'to=99,direction=rev'), ()),
    '5.4': ('5.4, three flows', 120, path('3.5M'), ('to=119', 'from=20,to=119',
                                                    'from=40,to=119'), ()),
    '5.5': ('5.5, round trips that differ', 300, path('4M', 10),
            tuple(f'from={start},to=299,delay={delay}' for start, delay in
                  ((0, 0), (10, 15), (20, 40), (30, 90), (40, 140))), ()),
    '5.6': ('5.6, long TCP, 300 ms', 120, path('2M'), ('from=5,to=119',), ('--tcp-bulk', 1)),
    '5.6-1000': ('5.6, long TCP, 1000 ms', 120, path('2M', 50, '1000ms'), ('from=5,to=119',),
                 ('--tcp-bulk', 1)),
    '5.7': ('5.7, short TCP', 300, path('2M'), ('from=5,to=299', 'from=5,to=299'), SHORT),
    '5.8': ('5.8, pause and resume', 120, path('3.5M'),
            ('to=119', 'to=119,pause=40-60', 'to=119'), ()),
}
# case: name, utilisation, p95 of the queue in ms, loss %, Jain; None: not measured
BASELINES = {
    '5.1': (('NADA', .936, 22, 0.51, None), ('SCReAM v2', .891, 61, 0.06, None),
            ('GoogCC, pace 1.1', .980, 248, 0.97, None),
            ('GoogCC, pace 2.5', .970, 289, 5.5, None)),
    '5.1-100': (('NADA', .923, 25, None, None), ('SCReAM v2', .820, 282, 3.3, None),
                ('GoogCC, pace 1.1', .980, 260, 1.08, None)),
    '5.2': (('NADA', .942, 113, None, .993), ('SCReAM v2', .854, 58, None, .992),
            ('GoogCC, pace 1.1', .978, 289, 2.4, .925)),
    '5.4': (('NADA', .858, 17, None, .986), ('SCReAM v2', .851, 36, None, .996),
            ('GoogCC, pace 1.1', .876, 124, 0, .999)),
    '5.5': (('NADA', .964, 31, None, .925), ('SCReAM v2', .594, 37, None, .913),
            ('GoogCC, pace 1.1', .970, 297, 6.8, .733)),
}


def plan(tools, n, quick):
    cases = {}
    for case, (_, seconds, scenario, flows, others) in CASES.items():
        where = scenario if '\n' not in scenario else tools.scenario(scenario)
        for variant, (_, options) in VARIANTS.items():
            wanted = []
            for flow in flows:
                wanted += ['--flow', ','.join(filter(None, (options, flow)))]
            cases[case, variant] = [
                tools.rccns3('--scenario', where, '-d', min(seconds, 50) if quick else seconds,
                             '--seed', seed, *wanted, *others) for seed in range(1, n + 1)]
    return cases


def windows(flows, span):
    """Jain's index of the forward flows, over each window in which all of them run."""
    flows = [flow for flow in flows if flow['direction'] == 'fwd']
    start = max(flow['start'] for flow in flows)
    stop = min(min(flow['stop'], len(flow['rates'])) for flow in flows)
    at, found = math.ceil(start), []
    while at + span <= stop:
        found.append(stats.jain([stats.mean(flow['rates'][at:at + span]) for flow in flows]))
        at += span
    return stats.mean(found)


def oscillation(flow):
    """Standard deviation of a second's rate about the mean of its 20 s, as a share of it."""
    rates = flow['rates'][math.ceil(flow['start']):int(flow['stop'])]
    parts = [rates[i:i + 20] for i in range(0, len(rates) - 19, 20)]
    return stats.mean([stats.deviation(p) / stats.mean(p) for p in parts if stats.mean(p)])


def rises(result, phase, flows):
    """s from the phase's start until a second in which the flow has 90 % of what it could."""
    share = min(phase['capacity'] / flows, TOP) if phase['capacity'] else TOP
    rates = result['flows'][0]['rates'][int(phase['from']):int(phase['to'])]
    return next((i + 1.0 for i, rate in enumerate(rates) if rate * 1e3 >= 0.9 * share), None)


def row(name, found):
    jain = [[windows(r['flows'], span) for r in found] for span in (1, 5, 20)]
    alone = sum(f['direction'] == 'fwd' for f in found[0]['flows']) == 1
    return (name, mean([r['link']['utilisation'] for r in found], 3),
            *(number(stats.mean([r['link'][q] for r in found]), 0)
              for q in ('queue-p50', 'queue-p95', 'queue-p99')),
            mean([100 * max(f['loss'] for f in r['flows']) for r in found], 2),
            *(number(math.nan if alone else stats.mean(j), 3) for j in jain),
            number(100 * stats.mean([oscillation(r['flows'][0]) for r in found]), 0),
            mean([stats.mean([f['received'] / 1e3 for f in r['flows']
                              if f['direction'] == 'fwd']) for r in found], 0),
            number(stats.mean([sum(t['bitrate'] for t in r['tcp']) / 1e3 for r in found])
                   if found[0]['tcp'] else None, 0))


HEADS = ('Sender', 'Utilisation', 'Queue p50, ms', 'p95', 'p99', 'Loss, %', 'Jain 1 s', '5 s',
         '20 s', 'Oscillation, %', 'Media, kbit/s each', 'TCP, kbit/s')


def case_table(case, results):
    rows = [row(name, results[case, variant]) for variant, (name, _) in VARIANTS.items()]
    for name, used, p95, loss, jain in BASELINES.get(case, ()):
        blank = number(None, 0)
        rows.append((name + ' (baseline)', number(used, 3), blank, number(p95, 0), blank,
                     number(loss, 2), blank, blank, number(jain, 3), blank, blank, blank))
    return Table(CASES[case][0], HEADS, rows)


def phases(case, results):
    rows = []
    for variant, (name, _) in VARIANTS.items():
        found = results[case, variant]
        n = sum(f['direction'] == 'fwd' for f in found[0]['flows'])
        for i, phase in enumerate(found[0]['phases']):
            same = [r['phases'][i] for r in found]
            rows.append((f'{phase["from"]:.0f}\u2013{phase["to"]:.0f} s', name,
                         number(phase['capacity'] / 1e6 if phase['capacity'] else None, 1),
                         mean([p['utilisation'] for p in same], 3),
                         *(number(stats.mean([p[q] for p in same]), 0)
                           for q in ('queue-p50', 'queue-p95', 'queue-p99')),
                         mean([100 * p['loss'] for p in same], 2),
                         number(stats.mean([rises(r, r['phases'][i], n) for r in found]), 1),
                         number(stats.mean([p['settles'] for p in same]), 1)))
    rows.sort(key=lambda r: float(r[0].split('\u2013')[0]))
    return Table(f'{CASES[case][0]}, by phase', (
        'Phase', 'Sender', 'Capacity, Mbit/s', 'Utilisation', 'Queue p50, ms', 'p95', 'p99',
        'Loss, %', 'Reaches 90 % after, s', 'Queue settles after, s'), rows, leading=2)


def over_time(case, results):
    lines = []
    for variant, (name, _) in VARIANTS.items():
        found = results[case, variant]
        rates = [r['flows'][0]['rates'] for r in found]
        length = min(map(len, rates))
        lines.append(Line(name, [i + 1.0 for i in range(length)],
                          [stats.mean([r[i] for r in rates]) for i in range(length)],
                          COLOURS[variant], dash={'default': '', 'twcc': 'dashed',
                                                  'paper': 'dotted'}[variant]))
    x, y = [], []
    for phase in results[case, 'default'][0]['phases']:
        x += [phase['from'], phase['to']]
        y += [phase['capacity'] / 1e3 if phase['capacity'] else None] * 2
    lines.append(Line('capacity', x, y, 'capacity'))
    return Chart(f'rfc8867-{case.replace(".", "-")}', f'{CASES[case][0]}: received by the first '
                 'flow, means over the seeds', 'time, s', 'kbit/s', tuple(lines))


def verdicts_5_1(results):
    found = results['5.1', 'default']
    out = [reach('5.1, utilisation', [r['link']['utilisation'] for r in found], 0.93, 3, ''),
           reach('5.1, loss', [100 * r['link']['loss'] for r in found], 1, 2, '%', least=False)]
    for i in (0, 1, 3):
        values = [r['phases'][i]['queue-p95'] for r in found if len(r['phases']) > i]
        if values:
            out.append(reach(f'5.1, phase {i + 1}, queue p95', values, 60, 0, 'ms', least=False))
    drained = [r['phases'][2]['settles'] for r in found if len(r['phases']) > 2]
    if drained:
        out.append(reach('5.1, phase 3, queue below 50 ms after', drained, 3, 1, 's',
                         least=False))
    return out


def verdicts(results):
    out = verdicts_5_1(results)
    for case, least in (('5.2', 0.99), ('5.4', 0.99), ('5.5', 0.92)):
        found = results[case, 'default']
        fair = [windows(r['flows'], 20) for r in found]
        if stats.known(fair):
            out.append(reach(f'{case}, Jain over 20 s', fair, least, 3, ''))
    out.append(reach('5.5, queue p95', [r['link']['queue-p95'] for r in results['5.5', 'default']],
                     100, 0, 'ms', least=False))
    shares = [100 * a['flows'][0]['received'] / b['flows'][0]['received'] for a, b in zip(
        results['5.3', 'default'], results['5.3-free', 'default']) if b['flows'][0]['received']]
    out.append(reach('5.3, forward rate of that with free feedback', shares, 90, 1, '%'))
    found = results['5.6', 'default']
    out.append(reach('5.6, mean rate beside TCP', [r['flows'][0]['received'] / 1e3
                                                   for r in found], 500, 0, 'kbit/s'))
    for case in ('5.6', '5.7'):
        least = [stats.percentile(f['rates'][math.ceil(f['start']) + 5:int(f['stop'])], 0.05)
                 for r in results[case, 'default'] for f in r['flows']]
        good = bool(stats.known(least)) and min(stats.known(least)) >= 0.9 * 150
        out.append(Verdict(
            f'{case}, no starvation: {number(min(stats.known(least), default=math.nan), 0)} kbit/s '
            f'in the 5th percentile of seconds of the worst flow, the least rate is 150: '
            f'{"reached" if good else "missed"}', good))
    return out


def show(results):
    out = [Note('Utilisation: of the capacity, or of what the sources send at most.  Loss: of '
                'the flow that loses most.  Oscillation: standard deviation of a second\u2019s '
                'rate within 20 s, of the mean, of the first flow.  Targets are of the default '
                'variant.'), *verdicts(results)]
    for case in CASES:
        out.append(case_table(case, results))
        if case in ('5.1', '5.1-100', '5.2', '5.3'):
            out += [phases(case, results), over_time(case, results)]
        elif case in ('5.6', '5.6-1000'):
            out.append(over_time(case, results))
    return out
