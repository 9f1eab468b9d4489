# SPDX-License-Identifier: LGPL-2.1-or-later
"""The circuit breaker on LTE by load: figures 2 to 12 of the paper."""
from . import breaker_trace, stats
from .breaker_trace import ENOUGH, loss, triggered
from .target import Chart, Headline, Line, Note, Table, Verdict, cdf, number, DASH
from .verdicts import untold

NAME = 'breaker-lte'
TITLE = 'Circuit breaker on LTE, figures 2 to 12'
SOURCE = ('Sarker, Singh, Perkins: An Evaluation of RTP Circuit Breaker Performance on LTE '
          'Networks, figures 2 to 12 and sections IV to VII')
ABOUT = ('One LTE cell of 10 MHz in ns-3.  Sites, path loss and powers are those of 3GPP case '
         '1 (TR 25.814).  The neighbours are 26 dB of noise in the downlink.  Shadowing has 6 '
         'dB, for a spread of radio conditions.  At the edge, 250 m away, a phone has a ratio '
         'of 7 dB but for its shadow, and the median phone has 13.  Users walk at 3 km/h.  '
         'Each call has 30 s, 1.5 Mbit/s and a place of its own.  Calls begin as a Poisson '
         'process.  There is no congestion control.  The paper has 21 cells with interference '
         'and handover, and a simulator of its own.  The loads are 1 : 5 : 10, as there.  The '
         'spread and the moderate load were looked for, without breaker, by the paper\u2019s '
         'words: 20 % of its users have a 98th percentile above 200 ms, and means are below '
         '150.  At 0.12 calls a second 22 % of 58 had, with a mean of 159.  The paper does '
         'not describe its AQM.  Here a packet leaves the base station after 1 s unsent, '
         'which bounds delays as there.  A second set has 0.1 s: the paper shows a round trip '
         'of 0.1 s of a call that does not trigger.  RTCP comes each 5 s at random (RFC '
         '3550).  Packets have up to 1436 bytes, as figure 10 implies.  The breaker is that '
         'of the draft of 2014.  A frame\u2019s delay is that of the last of its packets that '
         'came.  Only calls that could last 30 s count.')
RUNS = 3
PROGRAMS = ('rccns3',)

LOADS = {'moderate': 0.12, 'high': 0.6, 'extreme': 1.2}        # calls a second
LENGTHS = {'moderate': 150, 'high': 60, 'extreme': 45}          # s
COLOURS = {'moderate': 'sent', 'high': 'target', 'extreme': 'over'}
FIVE, REDUCED = 'breaker-multiplier=5', 'rtcp-interval=0.24'    # 360 / 1500 s
# name: what it is called, model, s in the base station, more words of the flow
VARIANTS = {
    'off': ('no breaker', 'off', 1, ()), 'mathis': ('Mathis', 'mathis', 1, ()),
    'padhye': ('Padhye', 'padhye', 1, ()),
    'mathis-0.1': ('Mathis, 0.1 s', 'mathis', 0.1, ()),
    'padhye-0.1': ('Padhye, 0.1 s', 'padhye', 0.1, ()),
    'mathis-5x': ('Mathis, 5 X, 0.1 s', 'mathis', 0.1, (FIVE,)),
    'padhye-reduced': ('Padhye, reduced RTCP', 'padhye', 1, (REDUCED,)),
}
# per cent of the sessions, from and to
PAPER = {('mathis', 'moderate'): (0, 0), ('mathis', 'high'): (40, 60),
         ('mathis', 'extreme'): (40, 60), ('padhye', 'high'): (50, 70),
         ('padhye', 'extreme'): (50, 70)}

WAITS = ('-0.1',)                       # of the variants
NEAR = 5                                # points


def plan(tools, n, quick):
    def run(variant, load, seed):
        _, model, wait, more = VARIANTS[variant]
        rate, length, call = LOADS[load], LENGTHS[load], 30
        if quick:
            rate, length, call = 0.5 + rate, 5, 3
        flow = ('fixed=1.5M,audio=0,packet-size=1436,breaker-mode=draft2014,real-rtcp=1,'
                'rtcp-interval=5')
        return tools.rccns3(
            '--topology', 'lte', '--calls', f'{rate:g}:{call}', '-d', length, '--seed', seed,
            '--flow', ','.join((flow, f'breaker={model}', *more)), '--resource-blocks', 50,
            '--amc', 'piro', '--interference', 26, '--shadowing', 6, '--discard', wait)
    return {(variant, load): [run(variant, load, seed) for seed in range(1, n + 1)]
            for variant in VARIANTS for load in LOADS}


def whole(found):
    """The calls of all runs that no end of the simulation cut short."""
    flows = [flow for result in found for flow in result['flows']]
    longest = max((flow['stop'] - flow['start'] for flow in flows), default=0)
    return [flow for flow in flows if flow['stop'] - flow['start'] > 0.99 * longest]


def share(calls):
    hits = sum(map(triggered, calls))
    low, high = stats.share_interval(hits, len(calls))
    return 100 * hits / len(calls) if calls else float('nan'), 100 * low, 100 * high


def delays(calls, what):
    """Of frames, ms; a call of which nothing came has none."""
    return stats.known([flow['frames'][what] for flow in calls])


def slow(calls):
    """Per cent whose 98th percentile is above 200 ms, or of which nothing came."""
    if not calls:
        return float('nan')
    return 100 * sum(flow['frames']['p98'] is None or flow['frames']['p98'] > 200
                     for flow in calls) / len(calls)


def loads(calls, variant, value, keep=lambda flow: True):
    return tuple(cdf(load, values, COLOURS[load], dash) for load, dash in zip(
        LOADS, ('', 'dashed', 'dotted'))
        if (values := [value(flow) for flow in calls[variant, load] if keep(flow)]))


def shares(calls):
    places = list(range(len(LOADS)))
    lines = []
    for model, colour in (('mathis', 'target'), ('padhye', 'received')):
        for wait, dash in (('', ''), ('-0.1', 'dashed')):
            hits = [share(calls[model + wait, load])[0] for load in LOADS]
            lines.append(Line(VARIANTS[model + wait][0], places, hits, colour, dash=dash,
                              marker='o'))
    return Chart('lte-share', 'Figures 4 and 11: sessions that trigger', 'load', '%',
                 tuple(lines), tuple(zip(places, LOADS)), top=102)


def charts(calls):
    delay = tuple(cdf(f'{load}, {what}', values, COLOURS[load], dash)
                  for what, dash in (('mean', ''), ('p98', 'dashed')) for load in LOADS
                  if (values := delays(calls['off', load], what)))
    out = [Chart('lte-delay', 'Figure 2: delay of frames, no breaker', 'delay, ms',
                 'users below, %', delay, top=100), shares(calls)]
    for key, title, variant, keep in (
            ('3', 'Figure 3: loss, no breaker', 'off', lambda f: True),
            ('5', 'Figure 5: loss, Mathis', 'mathis', lambda f: True),
            ('6a', 'Figure 6a: loss of what triggered, Mathis', 'mathis', triggered),
            ('6b', 'Figure 6b: loss of what did not', 'mathis', lambda f: not triggered(f)),
            ('6b1', 'The same, 0.1 s in the base station', 'mathis-0.1',
             lambda f: not triggered(f)),
            ('12a', 'Figure 12: loss of what triggered, Padhye', 'padhye', triggered),
            ('12b', 'Figure 12: loss of what did not, Padhye', 'padhye',
             lambda f: not triggered(f)),
            ('12b1', 'The same, 0.1 s in the base station', 'padhye-0.1',
             lambda f: not triggered(f))):
        lines = loads(calls, variant, loss, keep)
        if lines:
            out.append(Chart(f'lte-{key}', title, 'loss, %', 'users below, %', lines, top=100))
    return out


def table(calls):
    rows = []
    for variant, (name, model, *_) in VARIANTS.items():
        for load in LOADS:
            found = calls[variant, load]
            hit, low, high = share(found)
            paper = PAPER.get((variant, load))
            rtts = [report[breaker_trace.RTT] for flow in found if flow['breaker']
                    for report in flow['breaker']['reports']]
            rows.append((name, load, str(len(found)), DASH if model == 'off' else
                         f'{number(hit, 0)} ({number(low, 0)} to {number(high, 0)})',
                         f'{paper[0]} to {paper[1]}' if paper else DASH,
                         number(slow(found), 0),
                         number(stats.mean(delays(found, 'mean')), 0),
                         number(stats.mean(list(map(loss, found))), 1),
                         number(stats.mean(rtts), 2)))
    return Table('Sessions by load', (
        'Breaker', 'Load', 'Calls', 'Triggered, % (95 %)', 'paper', 'p98 above 200 ms, %',
        'Mean delay, ms', 'Mean loss, %', 'Reported RTT, s'), rows, leading=2)


def few(found, said):
    """A verdict without a result where there are too few calls for one; else None."""
    return untold(said, f'{len(found)} calls') if len(found) < ENOUGH else None


def found_of(said, good, how, found):
    return few(found, said) or Verdict(f'{said}: {f"reproduced{how}" if good else "differs"}', good)


def calibration(calls):
    found = calls['off', 'moderate']
    late, mean = slow(found), stats.mean(delays(found, 'mean'))
    out = [found_of(f'Moderate load, users with a p98 above 200 ms: {number(late, 0)} %, the paper '
                    'has 20', 10 <= late <= 30, ' (within 10 points)', found),
           found_of(f'Moderate load, mean delay {number(mean, 0)} ms, the paper has less than 150',
                    mean < 150, '', found)]
    loaded = [calls['off', load] for load in ('high', 'extreme')]
    late = [slow(some) for some in loaded]
    out.append(found_of('High and extreme load, users with a p98 above 200 ms: '
                        f'{number(late[0], 0)} and {number(late[1], 0)} %, the paper has all',
                        all(x >= 95 for x in late), ' (at least 95)', min(loaded, key=len)))
    longest = max((d for load in LOADS for d in delays(calls['off', load], 'mean')), default=0)
    out.append(found_of(f'The base station bounds mean delay to {number(longest, 0)} ms, in the '
                        'paper to about 1 s', longest <= 1100, ' (at most 1100)',
                        min(loaded, key=len)))
    return out


def beside_paper(calls, variant, load, low, high):
    found = calls[variant, load]
    hit, least, most = share(found)
    off = hit - high if hit > high else min(hit - low, 0)
    said = (f'{VARIANTS[variant][0]}, {load} load, triggered: {number(hit, 0)} % (95 %: '
            f'{number(least, 0)} to {number(most, 0)}), the paper has {low} to {high}')
    good = abs(off) <= NEAR
    return few(found, said) or Verdict(
        f'{said}: ' + (f'reproduced (within {NEAR} points)' if good else
                       f'differs by {number(off, 0)} points'), good)


def headline(calls, model):
    """The paper's shares at 1 s, which it tells of; all loads that it tells of at once."""
    told = {load: bounds for (who, load), bounds in PAPER.items() if who == model}
    goods = [beside_paper(calls, model, load, *bounds).good for load, bounds in told.items()]
    shares = [share(calls[model, load]) for load in LOADS]
    ours = ', '.join(f'{number(hit, 0)} ({number(low, 0)} to {number(high, 0)})'
                     for hit, low, high in shares)
    short = ', '.join(number(share(calls[f'{model}-0.1', load])[0], 0) for load in LOADS)
    return Headline(
        'Circuit breaker on LTE',
        f'{VARIANTS[model][0]} stops, at moderate, high and extreme load, in one cell of ns-3',
        {'mathis': '0, 40 to 60, 40 to 60 %', 'padhye': 'above 0, 50 to 70, 50 to 70 %'}[model],
        f'{ours} %',
        False if False in goods else None if None in goods else True,
        'One cell with steady neighbours and no fading is not the paper\u2019s; a user in a shadow '
        f'stays there.  Packets wait for up to 1 s; where they may for 0.1 s: {short} %.  What the '
        'wait does in 21 cells: breaker-cell.')


def explained(calls):
    """The same shares with a shorter wait in the base station."""
    out = []
    for (variant, load), bounds in PAPER.items():
        out += [beside_paper(calls, variant + wait, load, *bounds) for wait in WAITS]
    return out


def verdicts(calls):
    out = calibration(calls)
    out += [beside_paper(calls, variant, load, *bounds)
            for (variant, load), bounds in PAPER.items()]
    out += explained(calls)
    reasons = {flow['breaker']['reason'] for found in calls.values() for flow in found
               if triggered(flow)}
    others = reasons - {'congestion'}
    stopped = [flow for found in calls.values() for flow in found if triggered(flow)]
    out.append(found_of('All by the congestion rule' + (
        f', but for {", ".join(sorted(others))}' if others else ''), not others, '', stopped))
    for wait in ('', *WAITS):
        more = [share(calls['padhye' + wait, load])[0] - share(calls['mathis' + wait, load])[0]
                for load in ('high', 'extreme')]
        out.append(found_of(
            f'{VARIANTS["padhye" + wait][0]} triggers more than Mathis, by '
            f'{number(more[0], 0)} and {number(more[1], 0)} points in high and extreme load, the '
            'paper has about 15', all(points > 0 for points in more), '',
            min((calls['padhye' + wait, load] for load in ('high', 'extreme')), key=len)))
    return out + breaker_trace.verdicts(calls)


def show(results):
    calls = {case: whole(found) for case, found in results.items()}
    return [headline(calls, 'mathis'), headline(calls, 'padhye'), table(calls), *charts(calls),
            *breaker_trace.charts(calls), *verdicts(calls),
            Note('Intervals of shares: Wilson\u2019s, as if calls were independent, which those of '
                 'one run are not quite.')]
