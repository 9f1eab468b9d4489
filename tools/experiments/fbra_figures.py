# SPDX-License-Identifier: LGPL-2.1-or-later
"""FBRA over time: figures 6 to 8 of the paper."""
from . import fbra_paper, fbra_tcp, stats
from .fbra_paper import OWDS, PARITY
from .target import Chart, Line, Note, Table, beside, mean, number, reach, PLUS_MINUS
from .verdicts import above, below

NAME = 'fbra-figures'
TITLE = 'FBRA, figures 6 to 8: rate and parity over time'
SOURCE = ('Nagy, Singh, Ott, Eggert: Congestion Control using FEC for Conversational '
          'Multimedia Communication (MMSys 2014), figures 6 to 8')
ABOUT = ('The runs of Table 1 (figure 6), of Table 2 (figure 7) and of Table 3 (figure 8) of FBRA '
         'over time; set-up, reservations and FRCC as there.  The paper has four findings in '
         'words.  The parity\u2019s rate is low or nothing while the rate falls, and higher while '
         'it ramps up.  FBRA quickly bounces back after an undershoot at 50 and 100 ms.  It is '
         'conservative at 240 ms.  Two flows are fair to one another.  The drawn runs are seed 1; figure 7 and 8 of the paper stack the average TCP '
         'flow over time on FBRA\u2019s, here it is the average of the run.  Parity is drawn '
         'in bars of 1 s, as the paper has it, and its share of all bytes is read off the same '
         'plots in Singh\u2019s thesis.')
RUNS = 10
PROGRAMS = ('rccsim', 'rccns3')

FIGURES = (6, 7, 8)
PARITY_NEAR = 1
RAMP, MOVED = 2, 0.02                   # s; of the rate: what rises or falls
BACK, BACK_WITHIN = 0.8, 10             # of the new capacity; s
FAIR = 0.95                             # Jain


def plan(tools, n, quick):
    seeds, cases = range(1, n + 1), {}
    for owd in OWDS:
        cases[6, owd] = fbra_paper.table1(tools, owd, fbra_paper.FBRA, quick, seeds)
        scenario = tools.scenario(f'0 both delay {owd}\n0 fwd rate 5M queue 50\n')
        for flows in (1, 2):
            cases[6 + flows, owd] = [fbra_tcp.call(tools, scenario, 'fbra', owd, flows,
                                                   fbra_tcp.IDLE, seed, quick)
                                     for seed in seeds]
    return cases


def ramps(flow):
    """Parity's mean rate in the seconds in which the target rises, and in which it falls."""
    rising, falling = [], []
    media = [target - fec for target, fec in zip(flow['targets'], flow['fec-rates'])]
    for i in range(RAMP, len(media)):
        change = media[i] - media[i - RAMP]
        if abs(change) > MOVED * media[i - RAMP]:
            (rising if change > 0 else falling).append(flow['fec-rates'][i])
    return stats.mean(rising), stats.mean(falling)


def capacity(result):
    """[(from, to, kbit/s)] of the spans in which it stands."""
    return [(p['from'], p['to'], p['capacity'] / 1e3) for p in result['phases']]


def back(result):
    """Seconds from each fall of the capacity until the received rate, which has left the old
    one, is near the new: the median."""
    spans, waits = capacity(result), []
    for (_, _, before), (start, end, now) in zip(spans, spans[1:]):
        rates = result['flows'][0]['rates'][int(start):int(end)]
        if now >= before or not rates:
            continue
        least = min(range(len(rates[:5])), key=lambda i: rates[i])
        near = [i for i in range(least, len(rates)) if rates[i] >= BACK * now]
        waits.append(near[0] if near else len(rates))
    return stats.percentile(waits, 0.5)


def figures(found):
    flows = [flow for result in found for flow in result['flows']]
    goodputs = [[flow['goodput'] for flow in result['flows']] for result in found]
    pairs = [ramps(flow) for flow in flows]
    return {
        'goodput': [stats.mean(g) / 1e3 for g in goodputs],
        'parity': [100 * stats.mean(f['fec-rates'])
                   / max(stats.mean(f['fec-rates']) + stats.mean(f['rates']), 1e-9)
                   for f in flows],
        'rising': [p[0] for p in pairs], 'falling': [p[1] for p in pairs],
        'more': [p[0] - p[1] for p in pairs],
        'back': [back(result) for result in found],
        'jain': [stats.jain(g) for g in goodputs],
        'p95': [flow['delay']['p95'] for flow in flows],
    }


def means(values, width):
    """Of @width seconds each."""
    return [stats.mean(values[i:i + width]) for i in range(0, len(values), width)]


def over_time(figure, owd, result, letter):
    first, width = result['flows'][0], 1 if figure == 6 else 2
    lines, below = [], None
    for i, flow in enumerate(result['flows']):
        rate = means(flow['rates'], width)
        below = rate if below is None else [a + b for a, b in zip(below, rate)]
        x = [width * (k + 1) for k in range(len(rate))]
        label = 'FBRA' if len(result['flows']) == 1 else f'FBRA {i + 1}'
        lines.append(Line(label if i == 0 else f'{label}, stacked', x, below, 'received',
                          dash='' if i == 0 else 'dashed'))
    lines.append(Line('parity, bars of 1 s', list(range(1, len(first['fec-rates']) + 1)),
                      first['fec-rates'], 'target', bars=True))
    if figure == 6:
        spans = capacity(result)
        lines.append(Line('capacity', [t for span in spans for t in span[:2]],
                          [span[2] for span in spans for _ in range(2)], 'sent', dash='dotted'))
    else:
        tcp = fbra_tcp.fetching(result)
        lines.append(Line('the average TCP flow, stacked', x, [b + tcp for b in below], 'sent',
                          dash='dotted'))
    return Chart(f'fbra-{figure}-{owd}', f'Figure {figure}{letter}: {owd} ms, seed 1, means of '
                 f'{width} s', 'time, s', 'kbit/s', tuple(lines))


def table(columns):
    heads = ('Figure', 'One-way delay', 'Parity of all bytes, %', 'thesis',
             'Parity while the rate rises, kbit/s', 'while it falls', 'Goodput, kbit/s',
             'Delay p95, ms')
    rows = []
    for figure in FIGURES:
        for i, owd in enumerate(OWDS):
            ours = columns[figure, owd]
            rows.append((f'{figure}{"abc"[i]}', f'{owd} ms', mean(ours['parity'], 2),
                         number(PARITY[owd] if figure == 6 else None, 2), mean(ours['rising'], 1),
                         mean(ours['falling'], 1), mean(ours['goodput'], 0),
                         number(stats.mean(ours['p95']), 0)))
    return Table('Figures 6 to 8', heads, rows, leading=2)


def conservative(figure, columns):
    far, near = (columns[figure, owd]['goodput'] for owd in (240, 100))
    return below(f'Figure {figure}, goodput at 240 ms, less that at 100',
                 [a - b for a, b in zip(far, near)], 0, 0, 'kbit/s')


def verdicts(figure, columns):
    out = []
    for owd in OWDS:
        ours, label = columns[figure, owd], f'Figure {figure}, {owd} ms'
        out.append(above(f'{label}, parity leaves while the rate rises, less what leaves while it '
                         'falls', ours['more'], 0, 1, 'kbit/s'))
        if figure == 6:
            out.append(beside(f'{label}, parity of all bytes', ours['parity'], PARITY[owd], 2, '%',
                              PARITY_NEAR, f'within {PARITY_NEAR} point'))
        if figure == 6 and owd < 240:
            out.append(reach(f'{label}, back at {100 * BACK:g} % of the capacity after it fell, '
                             'median', ours['back'], BACK_WITHIN, 1, 's', least=False))
        if figure == 8:
            out.append(reach(f'{label}, Jain\u2019s index of the two flows', ours['jain'], FAIR,
                             3, '', least=True))
    return out + [conservative(figure, columns)]


def show(results):
    columns = {case: figures(found) for case, found in results.items()}
    out = [table(columns)]
    for figure in FIGURES:
        out += [over_time(figure, owd, results[figure, owd][0], f'({"abc"[i]})')
                for i, owd in enumerate(OWDS)]
        out += verdicts(figure, columns)
    return out + [Note(
        f'Means over the runs {PLUS_MINUS} 95 % intervals.  The rate rises or falls in a second '
        f'whose target, without parity, is {100 * MOVED:g} % from that of {RAMP} s before.')]
