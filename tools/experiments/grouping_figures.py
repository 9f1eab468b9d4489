# SPDX-License-Identifier: LGPL-2.1-or-later
"""Figures 5, 6, 8, 9 and 10 of the packet-grouping paper, from the groups that the receiver
closed: [arrival in s, variation, trend, threshold, one-way delay by two clocks in ms] each."""
import math

from . import stats
from .target import Chart, Line, Note, Verdict, number
from .verdicts import word

COLOURS = {'none': 'received', 'paper': 'target', 'draft': 'encoder'}
SHOWN = {'none': 'pre-filter off', 'paper': 'on, Algorithm 1'}
LOBES = ((-20, 12), (100, 40))          # ms; where figure 6 has them beside that at 0
BIN = 4                                 # ms
LEAST = 0.01                            # of the groups are in a lobe
PATH = 25                               # ms, of the way without a queue
OUTAGE = 50                             # ms without an arrival; the trace's shortest


def inter_arrivals(groups):
    """(s, ms) of each group."""
    return [(b[0], 1e3 * (b[0] - a[0])) for a, b in zip(groups, groups[1:])]


def density(groups):
    """(ms, share of the groups in each ms) from -100 to 200 ms, BIN at a time."""
    counts = [0] * (300 // BIN)
    for _, variation, *_ in groups:
        if -100 <= variation < 200:
            counts[math.floor((variation + 100) / BIN)] += 1
    return [(-100 + BIN * (i + 0.5), c / BIN / len(groups)) for i, c in enumerate(counts)]


def lobe(groups, centre, half):
    """Whether the density has a maximum there, of more than a few groups. Towards that at 0 there
    has to be a valley of less than 0.8 of it."""
    points = density(groups)
    x, top = max(((x, y) for x, y in points if abs(x - centre) <= half), key=lambda p: p[1])
    peak = max(points, key=lambda p: p[1])[0]
    valley = min(y for at, y in points if min(x, peak) <= at <= max(x, peak))
    mass = sum(abs(g[1] - centre) <= half for g in groups) / len(groups)
    return mass >= LEAST and valley < 0.8 * top


def arrivals(groups):
    """Figure 5."""
    seen = {}
    for at, gap in inter_arrivals(groups):
        if at < 100:
            seen[at // 0.25] = max(seen.get(at // 0.25, 0), gap)
    near = [(at, gap) for at, gap in inter_arrivals(groups) if 33 <= at < 34.3]
    outages = tuple((at - gap / 1e3, at) for at, gap in near if gap >= OUTAGE)
    zoom = [(at, gap) for at, gap in near if at < 34]
    return [Chart('grouping-arrivals', 'Figure 5 a: inter-arrival time of groups, the longest of '
                  'each quarter second', 'time, s', 'ms', (Line(
                      SHOWN['none'], [0.25 * i for i in seen], list(seen.values()),
                      COLOURS['none']),)),
            Chart('grouping-arrivals-zoom', 'Figure 5 b: inter-arrival time of groups, 33 to 34 s; '
                  f'grey: no arrival for {OUTAGE} ms', 'time, s', 'ms', (Line(
                      SHOWN['none'], [at for at, _ in zoom], [gap for _, gap in zoom],
                      COLOURS['none'], marker='.'),),
                  spans=tuple((max(a, 33), min(b, 34)) for a, b in outages if a < 34))]


def densities(key, title, samples):
    lines = []
    for grouping, name in SHOWN.items():
        points = density(samples[grouping])
        lines.append(Line(name, [x for x, _ in points], [100 * y for _, y in points],
                          COLOURS[grouping], dash='dashed' if grouping == 'none' else ''))
    return Chart(f'grouping-density-{key}', title, 'delay variation between groups, ms',
                 '% of groups per ms', tuple(lines))


def said(text, good):
    return Verdict(f'{text}: {word(good)}', bool(good))


def density_verdicts(name, samples):
    out = [said(f'Figure 6, {name}: a lobe near {number(centre, 0)} ms without the pre-filter',
                lobe(samples['none'], centre, half)) for centre, half in LOBES]
    out += [said(f'Figure 8, {name}: none near {number(centre, 0)} ms with it',
                 not lobe(samples['paper'], centre, half)) for centre, half in LOBES]
    shares = [100 * stats.mean([abs(g[1]) > 15 for g in samples[g_]]) for g_ in SHOWN]
    out.append(said(f'Figure 8, {name}: {number(shares[1], 1)} % of the groups are more than 15 ms '
                    f'off with it, {number(shares[0], 1)} % without; less, in the paper',
                    shares[1] < shares[0]))
    return out


def dynamics(results):
    """Figure 9, of the first start: rate and one-way delay."""
    out = []
    for grouping, name in SHOWN.items():
        flow = results[grouping][0]['flows'][0]
        bins = [stats.mean(flow['sent'][i:i + 5]) for i in range(0, len(flow['sent']) - 4, 5)]
        least, worst = min(group[4] for group in flow['groups']), {}
        for group in flow['groups']:
            at = math.floor(2 * group[0]) / 2
            worst[at] = max(worst.get(at, 0), PATH + group[4] - least)
        out += [Chart(f'grouping-rate-{grouping}', f'Figure 9, {name}: rate', 'time, s',
                      'sent, kbit/s', (Line(name, [i + 1.0 for i in range(len(bins))], bins,
                                            COLOURS[grouping]),), top=2600),
                Chart(f'grouping-owd-{grouping}', f'Figure 9, {name}: one-way delay of groups, the '
                      'longest of each half second', 'time, s', 'ms', (Line(
                          name, list(worst), list(worst.values()), COLOURS[grouping]),), top=600)]
    return out


def rates_and_delays(columns, names):
    """Figure 10, means of the starts."""
    ticks = tuple((i + 1, f'pre-filter {name}') for i, name in enumerate(names.values()))
    rates = [Line(names[g], [i + 1], [stats.mean(columns[g]['rate'])], COLOURS[g],
                  error=[stats.mean(columns[g]['spread'])], marker='o', joined=False)
             for i, g in enumerate(names)]
    boxes = [Line(names[g], [i + 1] * 5, [stats.mean(v) for v in columns[g]['delays'].values()],
                  COLOURS[g], box=True) for i, g in enumerate(names)]
    return [Chart('grouping-mean', 'Figure 10: mean rate, and standard deviation of seconds', '',
                  'sent, kbit/s', tuple(rates), ticks=ticks),
            Chart('grouping-box', 'Figure 10: one-way delay; p5, p25, p50, p75 and p95', '', 'ms',
                  tuple(boxes), ticks=ticks)]


def crossings(found):
    """How often a minute the trend comes to be above the threshold."""
    out = []
    for result in found:
        groups = result['flows'][0]['groups']
        ups = sum(b[2] > b[3] and a[2] <= a[3] for a, b in zip(groups, groups[1:]))
        out.append(60 * ups / result['duration'])
    return out


def show(results):
    """@results: with (frames, grouping): [result, ...]."""
    runs = {frames: {g: results[frames, g] for g in SHOWN} for frames in ('equal', 'varying')}
    samples = {frames: {g: [group for result in found[g] for group in result['flows'][0]['groups']]
                        for g in SHOWN} for frames, found in runs.items()}
    over = [stats.mean(crossings(runs['equal'][g])) for g in SHOWN]
    (near, half), *_ = LOBES
    there = 'a lobe' if lobe(samples['varying']['none'], near, half) else 'no lobe'
    return [
        *arrivals(runs['equal']['none'][0]['flows'][0]['groups']), *dynamics(runs['equal']),
        densities('equal', 'Figures 6 and 8: density of the delay variation, of all starts',
                  samples['equal']),
        *density_verdicts('equal frames', samples['equal']),
        Note(f'The trend passes the threshold {number(over[0], 1)} times a minute without the '
             f'pre-filter and {number(over[1], 1)} with it.  With the frames of RFC 8593 there is '
             f'{there} near {number(near, 0)} ms without it: the time between those frames varies, '
             'and the lobe\u2019s place is made of it.')]
