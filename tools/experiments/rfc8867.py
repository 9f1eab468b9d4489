# SPDX-License-Identifier: LGPL-2.1-or-later
"""The cases of RFC 8867 with GCC and NADA, beside public implementations measured by us."""
import dataclasses
import math

from . import metrics, rfc8867_verdicts, stats
from .target import Chart, Line, Note, Table, mean, number

NAME = 'rfc8867'
TITLE = 'RFC 8867: GCC and NADA in the cases 5.1 to 5.8 and 6.1 to 6.3'
SOURCE = ('RFC 8867, sections 5 and 6; NADA (cisco/ns3-rmcat), SCReAM v2 (EricssonResearch/scream) '
          'and GoogCC (algesten/str0m) as measured by this project with its own event simulator, '
          'single seed, start at 300 kbit/s: to rank with, not the authors\u2019 results')
ABOUT = ('Video of 150 kbit/s to 1.5 Mbit/s after RFC 8593 with 20 kbit/s of audio, from 150 '
         'kbit/s, over ns-3.  Drop-tail queue of 300 ms, 50 ms each way unless the case '
         'differs.  No jitter on the path.  Case 6.2 has CoDel in place of the drop-tail queue '
         'and RFC 8888 feedback, which tells of marks.  In 6.1 nothing tells GCC of priorities: '
         'it is 5.4.')
RUNS = 10
PROGRAMS = ('rccns3',)

VARIANTS = {
    'default': ('GCC, REMB (default)', 'feedback=remb'),
    'twcc': ('GCC, TWCC', 'feedback=twcc'),
    'ccfb': ('GCC, RFC 8888', 'feedback=ccfb'),
    'paper': ('GCC, profile paper', 'profile=paper'),
    'nada': ('NADA (RFC 8698)', 'cc=nada,feedback=ccfb'),
    'nada-code': ('NADA, as the authors\u2019 code', 'cc=nada,nada-form=ns3-rmcat,feedback=ccfb'),
}
# of those that are drawn
COLOURS = {'default': 'target', 'twcc': 'sent', 'paper': 'received'}
DASHES = {'default': '', 'twcc': 'dashed', 'paper': 'dotted'}
# of 6.2: name, options of a flow, of the run
ECN = {
    'off': ('not ECN-capable', 'feedback=ccfb', ()),
    'deaf': ('ECT(0), marks not heeded', 'feedback=ccfb,ecn=ect0', ('--ecn',)),
    'heeded': ('ECT(0), a mark counts as a loss', 'feedback=ccfb,ecn=ect0,ecn-as-loss=1',
               ('--ecn',)),
}
ECN_CASES = ('5.1', '5.2', '5.4', '5.6')
TOP = 1520                              # kbit/s that a flow sends at most ...
LEAST = 'min=170k,start=170k'           # ... and at least: video and audio


@dataclasses.dataclass(frozen=True)
class Case:
    title: str
    seconds: int
    scenario: str                       # a name, or its text
    flows: tuple
    others: tuple = ()                  # options of the run
    second: str = ''                    # the text of the second bottleneck's scenario
    tcp: int = 0                        # that share the link all the time


def path(rate, delay=50, queue='300ms'):
    return f'0 both delay {delay} queue {queue}\n0 fwd rate {rate}\n'


VARYING = ('0 both delay 100 queue 300ms\n0 fwd rate 1M\n40 fwd rate 2.5M\n60 fwd rate 600k\n'
           '80 fwd rate 1M\n')
IMPAIRED_NOT = ('0 both delay 50 queue 300ms\n0 both rate 2M\n20 fwd rate 1M\n40 fwd rate 500k\n'
                '60 fwd rate 2M\n')
SHORT = ('--tcp-short', 10, '--tcp-short-on', 2, '--tcp-connections', 30)
STAGGERED = ('to=119', 'from=20,to=119', 'from=40,to=119')
CASES = {
    '5.1': Case('5.1, varying capacity', 100, 'rfc8867-5.1', ('to=99',)),
    '5.1-100': Case('5.1, 100 ms one way', 100, VARYING, ('to=99',)),
    '5.2': Case('5.2, two flows', 125, 'rfc8867-5.2', ('', '')),
    '5.3': Case('5.3, congested feedback', 100, 'rfc8867-5.3', ('to=99', 'to=99,direction=rev')),
    '5.3-free': Case('5.3, feedback not congested', 100, IMPAIRED_NOT,
                     ('to=99', 'to=99,direction=rev')),
    '5.4': Case('5.4, three flows', 120, path('3.5M'), STAGGERED),
    '5.5': Case('5.5, round trips that differ', 300, path('4M', 10),
                tuple(f'from={start},to=299,delay={delay}' for start, delay in
                      ((0, 0), (10, 15), (20, 40), (30, 90), (40, 140)))),
    '5.6': Case('5.6, long TCP, 300 ms', 120, path('2M'), ('from=5,to=119',), ('--tcp-bulk', 1),
                tcp=1),
    '5.6-1000': Case('5.6, long TCP, 1000 ms', 120, path('2M', 50, '1000ms'), ('from=5,to=119',),
                     ('--tcp-bulk', 1), tcp=1),
    '5.7': Case('5.7, short TCP', 300, path('2M'), ('from=5,to=299', 'from=5,to=299'), SHORT),
    '5.8': Case('5.8, pause and resume', 120, path('3.5M'),
                ('to=119', 'to=119,pause=40-60', 'to=119')),
    '6.3': Case('6.3, two bottlenecks', 300, path('2M', 40),
                ('to=299,path=all,delay=20', 'to=299,path=first', 'to=299,path=second'),
                ('--topology', 'parking-lot', '--between', '8M'), path('1.5M', 40)),
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
    '5.8': (('NADA', .954, 89, None, 1.0), ('SCReAM v2', .887, 37, None, .997),
            ('GoogCC, pace 1.1', .975, 284, 0.66, .999)),
}
MAX_MIN = (750, 1250, 750)              # kbit/s of S1, S2, S3 in 6.3


def plan(tools, n, quick):
    def runs(case, options, more):
        where = (case.scenario if '\n' not in case.scenario else tools.scenario(case.scenario))
        words = ['--scenario', where, '-d', min(case.seconds, 50) if quick else case.seconds]
        if case.second:
            words += ['--scenario2', tools.scenario(case.second)]
        for flow in case.flows:
            words += ['--flow', ','.join(filter(None, (options, LEAST, flow)))]
        return [tools.rccns3(*words, *case.others, *more, '--seed', seed)
                for seed in range(1, n + 1)]
    cases = {(name, variant): runs(case, options, ()) for name, case in CASES.items()
             for variant, (_, options) in VARIANTS.items()}
    # what nobody controls and is as little as a flow may send: what it gets is the most to ask for
    cases['5.7', 'floor'] = runs(CASES['5.7'], 'cc=none,fixed=170k', ())
    cases |= {('6.2', name, variant): runs(CASES[name], options, ('--queue', 'codel', *more))
              for name in ECN_CASES for variant, (_, options, more) in ECN.items()}
    return cases


# --- tables -------------------------------------------------------------------


def forward(result):
    return [flow for flow in result['flows'] if flow['direction'] == 'fwd']


def percents(shares):
    return ' / '.join(number(100 * share, 0) for share in shares)


def row(name, found):
    link = [r['link'] for r in found]
    return (name, mean([each['utilisation'] for each in link], 3),
            *(number(stats.mean([each[q] for each in link]), 0)
              for q in ('queue-p50', 'queue-p95', 'queue-p99')),
            mean([100 * max(f['lost'] for f in r['flows']) for r in found], 2),
            *(number(stats.mean([metrics.fairness(r, span) for r in found]), 3)
              for span in metrics.SPANS),
            percents(stats.mean([metrics.bounded(r, span) for r in found])
                     for span in metrics.SPANS),
            number(100 * stats.mean([metrics.deviation(r, r['flows'][0]) for r in found]), 0),
            *(number(stats.mean([metrics.oscillation(r, f, *how) for r in found
                                 for f in forward(r)]), 1) for how in metrics.SWINGS),
            mean([stats.mean([f['received'] / 1e3 for f in forward(r)]) for r in found], 0),
            number(stats.mean([sum(t['bitrate'] for t in r['tcp']) / 1e3 for r in found])
                   if found[0]['tcp'] else None, 0))


HEADS = ('Sender', 'Utilisation', 'Queue p50, ms', 'p95', 'p99', 'Lost, %',
         *(f'Jain {span} s' for span in metrics.SPANS), 'Within 1/3 to 3, % of 1 / 5 / 20 s',
         'Deviation, %', *(f'Swings {factor}\u00d7 in {window:g} s, a min'
                           for factor, window in metrics.SWINGS),
         'Media, kbit/s each', 'TCP, kbit/s')


def case_table(case, results):
    rows = [row(name, results[case, variant]) for variant, (name, _) in VARIANTS.items()]
    for name, used, p95, loss, jain in BASELINES.get(case, ()):
        blank = number(None, 0)
        rows.append((name + ' (baseline)', number(used, 3), blank, number(p95, 0), blank,
                     number(loss, 2), blank, blank, number(jain, 3), *[blank] * 6))
    return Table(CASES[case].title, HEADS, rows)


def share(case, phase, flows):
    """kbit/s of each flow where all, TCP among them, have the same."""
    capacity = phase['capacity'] / 1e3 if phase['capacity'] else math.inf
    return min(capacity / (flows + CASES[case].tcp), TOP)


def after(values):
    """Of several seeds: the mean of those that came to it, and how many did not."""
    never = sum(value is None for value in values)
    text = number(stats.mean(values), 1)
    return f'{text} ({never} never)' if never else text


def phase_row(case, name, found, i):
    same = [r['phases'][i] for r in found]
    flows = [n for n in same[0]['flows'] if found[0]['flows'][n]['direction'] == 'fwd']
    fair = share(case, same[0], len(flows))

    def each(target):
        return ' / '.join(after([metrics.convergence(r['flows'][n], r['phases'][i], target)
                                 for r in found]) for n in flows)
    return (f'{same[0]["from"]:.0f}\u2013{same[0]["to"]:.0f} s', name,
            number(same[0]['capacity'] / 1e6 if same[0]['capacity'] else None, 1),
            ', '.join(str(n + 1) for n in flows), mean([p['utilisation'] for p in same], 3),
            *(number(stats.mean([p[q] for p in same]), 0)
              for q in ('queue-p50', 'queue-p95', 'queue-p99')),
            mean([100 * p['lost'] for p in same], 2), each(None), each(fair),
            number(stats.mean([p['settles'] for p in same]), 1))


def phases(case, results):
    rows = []
    for i, phase in enumerate(results[case, 'default'][0]['phases']):
        if metrics.heard(results[case, 'default'][0], phase):
            rows += [phase_row(case, name, results[case, variant], i)
                     for variant, (name, _) in VARIANTS.items()]
    return Table(f'{CASES[case].title}, by phase', (
        'Phase', 'Sender', 'Capacity, Mbit/s', 'Flows', 'Utilisation', 'Queue p50, ms', 'p95',
        'p99', 'Lost, %', 'Converges after, s (each flow)', 'At its fair share after, s',
        'Queue settles after, s'), rows, leading=2)


def over_time(case, results, flow=0):
    lines = []
    for variant, colour in COLOURS.items():
        rates = [r['flows'][flow]['rates'] for r in results[case, variant]]
        length = min(map(len, rates))
        lines.append(Line(VARIANTS[variant][0], [i + 1.0 for i in range(length)],
                          [stats.mean([r[i] for r in rates]) for i in range(length)],
                          colour, dash=DASHES[variant]))
    x, y = [], []
    for phase in results[case, 'default'][0]['phases']:
        x += [phase['from'], phase['to']]
        y += [phase['capacity'] / 1e3 if phase['capacity'] else None] * 2
    lines.append(Line('capacity', x, y, 'capacity'))
    return Chart(f'rfc8867-{case.replace(".", "-")}', f'{CASES[case].title}: received by flow '
                 f'{flow + 1}, means over the seeds', 'time, s', 'kbit/s', tuple(lines))


def ecn_table(results):
    rows = []
    for case in ECN_CASES:
        for variant, (name, _, _) in ECN.items():
            found = results['6.2', case, variant]
            rows.append((case, name, mean([r['link']['utilisation'] for r in found], 3),
                         *(number(stats.mean([r['link'][q] for r in found]), 0)
                           for q in ('queue-p50', 'queue-p95', 'queue-p99')),
                         mean([100 * max(f['lost'] for f in r['flows']) for r in found], 2),
                         mean([100 * max(f['marked'] for f in r['flows']) for r in found], 2),
                         number(stats.mean([metrics.fairness(r, 20) for r in found]), 3),
                         mean([stats.mean([f['received'] / 1e3 for f in r['flows']])
                               for r in found], 0)))
    return Table('6.2, ECN: GCC with RFC 8888 feedback behind CoDel', (
        'Case', 'Packets', 'Utilisation', 'Queue p50, ms', 'p95', 'p99', 'Lost, %', 'Marked, %',
        'Jain 20 s', 'Media, kbit/s each'), rows, leading=2)


def lots(results):
    rows = []
    for variant, (name, _) in VARIANTS.items():
        found = results['6.3', variant]
        rows.append((name, *(mean([rfc8867_verdicts.used(r, *link) for r in found], 3)
                             for link in rfc8867_verdicts.LINKS),
                     *(mean([r['flows'][i]['received'] / 1e3 for r in found], 0)
                       for i in range(3)),
                     number(stats.mean([rfc8867_verdicts.to_max_min(r, MAX_MIN)
                                        for r in found]), 3),
                     *(number(stats.mean([r['link'][q] for r in found]), 0)
                       for q in ('queue-p50', 'queue-p95', 'queue-p99')),
                     mean([100 * max(f['lost'] for f in r['flows']) for r in found], 2)))
    rows.append(('max-min fair', *[number(None, 0)] * 2, *map(str, MAX_MIN), number(1, 3),
                 *[number(None, 0)] * 4))
    return Table(CASES['6.3'].title, (
        'Sender', 'Utilisation A\u2013B', 'C\u2013D', 'S1, kbit/s', 'S2', 'S3',
        'Jain of rate by share', 'Both queues p50, ms', 'p95', 'p99', 'Lost, %'), rows)


NOTE = Note(
    'Utilisation: of the capacity, or of what the sources send at most.  Loss: of the flow that '
    'loses most.  Jain\u2019s index and how many windows have rates within 1/3 to 3 of each '
    'other: in the phases, that is while nothing changes.  A flow has converged when a '
    'second\u2019s rate stays within 25 % of what it comes to (of its fair share) for 5 s.  '
    'Capacities are with headers, rates of RTP.  Deviation: standard, of a second\u2019s rate '
    'within 20 s, of the mean, of the first flow.  A swing: from the high watermark to the low '
    'one or back, in so short a time, once the flow has converged.  The watermarks lie around '
    'the mean of what is sent in 200 ms, by that factor apart.  RFC 8868 has 4 and 0.5 s for an '
    'example.  Targets are of the default variant.')


def show(results):
    out = [NOTE, *rfc8867_verdicts.verdicts(results, ECN_CASES, MAX_MIN)]
    for case in CASES:
        if case == '6.3':
            out.append(lots(results))
            continue
        out += [case_table(case, results), phases(case, results)]
        if case in ('5.1', '5.1-100', '5.2', '5.3', '5.6', '5.6-1000'):
            out.append(over_time(case, results))
        elif case == '5.8':
            out.append(over_time(case, results, 1))
    return [*out, ecn_table(results)]
