# SPDX-License-Identifier: LGPL-2.1-or-later
"""The pre-filter on a contended 802.11n channel of ns-3."""
from . import stats
from .grouping_figures import crossings, inter_arrivals
from .target import Note, Table, mean, number

AIR = {
    'kalman': ('Kalman filter, as above', ''),
    'trendline': ('trendline', ',filter=trendline'),
}
GROUPINGS = {'none': 'off', 'paper': 'Algorithm 1'}
SEEDS = 3
UPLOADS = 5                             # outages about as frequent as in the trace


def plan(tools, n, quick):
    return {('air', name, grouping): [tools.rccns3(
        '--topology', 'wifi', '--mcs', 3, '--wired-delay', 25, '-d', 6 if quick else 60,
        '--seed', seed, '--tcp', 'cubic', '--tcp-up', UPLOADS, '--flow',
        'profile=paper,feedback=remb,from=1,audio=0,min=50k,start=300k,max=2500k,'
        f'grouping={grouping}{options},note-groups=1')
        for seed in range(1, min(n, SEEDS) + 1)]
        for name, (_, options) in AIR.items() for grouping in GROUPINGS}


def row(title, grouping, found):
    flows = [result['flows'][0] for result in found]
    gaps = [60 / r['duration'] * sum(gap >= 50 for _, gap in inter_arrivals(
        r['flows'][0]['groups'])) for r in found]
    quantiles = [[flow['delay']['quantiles'][p] for flow in flows] for p in (10, 19)]
    return (title, GROUPINGS[grouping], mean([flow['received'] / 1e3 for flow in flows], 0),
            *(number(stats.mean(values), 0) for values in quantiles),
            mean([100 * flow['lost'] for flow in flows], 2), number(stats.mean(gaps), 0),
            number(stats.mean(crossings(found)), 1))


def show(results):
    return [
        Table(f'On an 802.11n channel of ns-3 (MCS 3, A-MPDU, 25 ms of wire) that {UPLOADS} '
              'uploads of TCP Cubic contend for; 60 s',
              ('Detector', 'Pre-filter', 'Received, kbit/s', 'Delay p50, ms', 'p95', 'Lost, %',
               'Gaps of 50 ms, a minute', 'Over-use, a minute'),
              [row(title, g, results['air', name, g]) for name, (title, _) in AIR.items()
               for g in GROUPINGS], leading=2),
        Note('This channel does not test the pre-filter.  Over-use hardly holds the rate here: the '
             'climb of 8 % a second and losses in the access point\u2019s queue do.  Its seeds '
             'differ by more than the pre-filter.  So there is no verdict of it.')]
