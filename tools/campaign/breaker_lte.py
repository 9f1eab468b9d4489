# SPDX-License-Identifier: LGPL-2.1-or-later
"""The circuit breaker on LTE by load: figures 2 to 6, 11 and 12 of the paper."""
from . import stats
from .target import Chart, Line, Note, Table, Verdict, number, DASH

NAME = 'breaker-lte'
TITLE = 'Circuit breaker on LTE, figures 2 to 6, 11 and 12'
SOURCE = ('Sarker, Singh, Perkins: An Evaluation of RTP Circuit Breaker Performance on LTE '
          'Networks, figures 2 to 6, 11 and 12 and section IV')
ABOUT = ('One cell of 3 MHz (15 resource blocks) of ns-3\u2019s LTE, users walk at 3 km/h, calls '
         'of 30 s and 1.5 Mbit/s begin as a Poisson process; without congestion control.  Loads '
         'stand as 1 : 5 : 10, as in the paper, which has 21 cells and a simulator of its own; '
         'the moderate one was looked for by the paper\u2019s words (of its users 20 % have a 98th '
         'percentile of delay above 200 ms, means are below 150).  A packet waits for up to 1 s '
         'in the base station; varied to 0.1 s, as the round trip that this allows decides what '
         'the breaker sees.  The breaker is that of the draft of 2014.  Delay of packets, not of '
         'frames.  Only calls that could last 30 s count.')
RUNS = 3
PROGRAMS = ('rccns3',)

LOADS = {'moderate': 0.17, 'high': 0.85, 'extreme': 1.7}        # calls a second
COLOURS = {'moderate': 'sent', 'high': 'target', 'extreme': 'over'}
# name: model, s in the base station
VARIANTS = {
    'off': ('no breaker', 'off', 1), 'mathis': ('Mathis', 'mathis', 1),
    'padhye': ('Padhye', 'padhye', 1), 'mathis-0.1': ('Mathis, 0.1 s', 'mathis', 0.1),
    'padhye-0.1': ('Padhye, 0.1 s', 'padhye', 0.1),
}
# per cent of the sessions, from and to
PAPER = {('mathis', 'moderate'): (0, 0), ('mathis', 'high'): (40, 60),
         ('mathis', 'extreme'): (40, 60), ('padhye', 'high'): (50, 70),
         ('padhye', 'extreme'): (50, 70)}

ENOUGH = 20                             # calls, to judge a share by
NEAR = 5                                # points


def plan(tools, n, quick):
    length, call = (16, 10) if quick else (60, 30)
    return {(variant, load): [tools.rccns3(
        '--topology', 'lte', '--calls', f'{min(2 * rate, 1) if quick else rate:g}:{call}', '-d',
        length, '--seed', seed, '--flow',
        f'fixed=1.5M,audio=0,breaker-mode=draft2014,breaker={model}', '--resource-blocks', 15,
        '--amc', 'piro', '--discard', wait) for seed in range(1, n + 1)]
            for variant, (_, model, wait) in VARIANTS.items() for load, rate in LOADS.items()}


def whole(found):
    """The calls of all runs that no end of the simulation cut short."""
    flows = [flow for result in found for flow in result['flows']]
    longest = max((flow['stop'] - flow['start'] for flow in flows), default=0)
    return [flow for flow in flows if flow['stop'] - flow['start'] > 0.99 * longest
            and flow['delay']['p98'] is not None]


def triggered(flow):
    return bool(flow['breaker']) and flow['breaker']['triggered'] is not None


def share(calls):
    hits = sum(map(triggered, calls))
    low, high = stats.share_interval(hits, len(calls))
    return 100 * hits / len(calls) if calls else float('nan'), 100 * low, 100 * high


def cdf(label, values, colour, dash=''):
    values = sorted(values)
    return Line(label, values, [100 * (i + 1) / len(values) for i in range(len(values))], colour,
                dash=dash)


def loads(calls, variant, value, keep=lambda flow: True):
    return tuple(cdf(load, values, COLOURS[load], dash) for load, dash in zip(
        LOADS, ('', 'dashed', 'dotted'))
        if (values := [value(flow) for flow in calls[variant, load] if keep(flow)]))


def loss(flow):
    return 100 * flow['loss']


def charts(calls):
    delay = tuple(line for what, dash in (('mean', ''), ('p98', 'dashed')) for line in (
        cdf(f'{load}, {what}', [flow['delay'][what] for flow in calls['off', load]],
            COLOURS[load], dash) for load in LOADS if calls['off', load]))
    places = list(range(len(LOADS)))
    lines = []
    for variant, colour, dash in (('mathis', 'target', ''), ('padhye', 'received', ''),
                                  ('mathis-0.1', 'target', 'dashed'),
                                  ('padhye-0.1', 'received', 'dashed')):
        shares = [share(calls[variant, load]) for load in LOADS]
        lines.append(Line(VARIANTS[variant][0], places, [s[0] for s in shares], colour,
                          dash=dash, marker='o'))
    out = [Chart('lte-delay', 'Figure 2: delay without breaker', 'delay, ms', 'users below, %',
                 delay, top=100),
           Chart('lte-share', 'Figures 4 and 11: sessions that trigger', 'load', '%',
                 tuple(lines), tuple(zip(places, LOADS)), top=102)]
    for key, title, variant, keep in (
            ('3', 'Figure 3: loss, no breaker', 'off', lambda f: True),
            ('5', 'Figure 5: loss, Mathis', 'mathis', lambda f: True),
            ('6a', 'Figure 6a: loss of what triggered, Mathis', 'mathis', triggered),
            ('6b', 'Figure 6b: loss of what did not', 'mathis', lambda f: not triggered(f)),
            ('12a', 'Figure 12: loss of what triggered, Padhye', 'padhye', triggered),
            ('12b', 'Figure 12: loss of what did not, Padhye', 'padhye',
             lambda f: not triggered(f))):
        lines = loads(calls, variant, loss, keep)
        if lines:
            out.append(Chart(f'lte-{key}', title, 'loss, %', 'users below, %', lines, top=100))
    return out


def table(calls):
    rows = []
    for variant, (name, model, _) in VARIANTS.items():
        for load in LOADS:
            found = calls[variant, load]
            hit, low, high = share(found)
            slow = [flow['delay']['p98'] > 200 for flow in found]
            paper = PAPER.get((variant, load))
            rows.append((name, load, str(len(found)),
                         number(100 * sum(slow) / len(slow) if slow else None, 0),
                         number(stats.mean([flow['delay']['mean'] for flow in found]), 0),
                         number(stats.mean([loss(flow) for flow in found]), 1),
                         DASH if model == 'off' else
                         f'{number(hit, 0)} ({number(low, 0)} to {number(high, 0)})',
                         f'{paper[0]} to {paper[1]}' if paper else DASH))
    return Table('Sessions by load', (
        'Breaker', 'Load', 'Calls', 'p98 above 200 ms, %', 'Mean delay, ms', 'Mean loss, %',
        'Triggered, % (95 %)', 'paper'), rows, leading=2)


def verdicts(calls):
    found, out = calls['off', 'moderate'], []
    if found:
        slow = 100 * sum(flow['delay']['p98'] > 200 for flow in found) / len(found)
        good = 10 <= slow <= 30
        out.append(Verdict(
            f'Moderate load, users with a p98 above 200 ms: {number(slow, 0)} %, the paper has 20: '
            f'{"reproduced (within 10 points)" if good else "differs"}', good))
    for (variant, load), (low, high) in PAPER.items():
        found = calls[variant, load]
        hit, least, most = share(found)
        off = hit - high if hit > high else min(hit - low, 0)
        good = len(found) >= ENOUGH and abs(off) <= NEAR
        said = 'differs by' if len(found) >= ENOUGH else f'from {len(found)} calls, too few to say;'
        out.append(Verdict(
            f'{VARIANTS[variant][0]}, {load} load, triggered: {number(hit, 0)} % (95 %: '
            f'{number(least, 0)} to {number(most, 0)}), the paper has {low} to {high}: ' + (
                f'reproduced (within {NEAR} points)' if good else
                f'{said} {number(off, 0)} points'), good))
    reasons = {flow['breaker']['reason'] for found in calls.values() for flow in found
               if triggered(flow)}
    good = reasons <= {'congestion'}
    out.append(Verdict('All by the congestion rule: ' + (
        'reproduced' if good else f'differs, also {", ".join(sorted(reasons - {"congestion"}))}'),
        good))
    more = [share(calls['padhye', load])[0] - share(calls['mathis', load])[0]
            for load in ('high', 'extreme')]
    out.append(Verdict(f'Padhye triggers more than Mathis, by {number(more[0], 0)} and '
                       f'{number(more[1], 0)} points in high and extreme load, the paper has about '
                       f'15: {"reproduced" if min(more) > 0 else "differs"}', min(more) > 0))
    return out


def show(results):
    calls = {case: whole(found) for case, found in results.items()}
    return [table(calls), *charts(calls), *verdicts(calls),
            Note('Intervals of shares: Wilson\u2019s, as if calls were independent, which those of '
                 'one run are not quite.')]
