# SPDX-License-Identifier: LGPL-2.1-or-later
"""Packet grouping in GCC on the Wi-Fi trace: figures 9 and 10 of the paper."""
from . import stats
from .target import Chart, Line, Note, Table, Verdict, mean, number

NAME = 'grouping'
TITLE = 'GCC\u2019s pre-filter on the Wi-Fi trace, figures 9 and 10'
SOURCE = ('Carlucci, De Cicco, Holmer, Mascolo: Making Google Congestion Control Robust over '
          'Wi-Fi Networks Using Packet Grouping (ANRW 2016), figures 9 and 10')
ABOUT = ('300 s of video from 50 to 2500 kbit/s at 30 fps, from 300, over the trace of the paper '
         '(wifi-google/google-wifi-3mbps.mm below the folder of traces); packets that wait 500 '
         'ms are dropped, 25 ms each way.  The paper says: more than 20 % more sent on average, '
         'about the same standard deviation, and of the delay only the 95th percentile higher.  '
         'It prints no other numbers; filter and thresholds are its Kalman filter with the '
         'adaptive threshold, the others are ours to compare with.')
RUNS = 10
PROGRAMS = ('rccsim',)

TRACE = 'wifi-google/google-wifi-3mbps.mm'
DETECTORS = {
    ('kalman', 'draft'): 'Kalman filter, thresholds of the draft',
    ('kalman', 'webrtc'): 'Kalman filter, thresholds of WebRTC',
    ('kalman2', 'draft'): 'two-state Kalman filter, thresholds of the draft',
    ('trendline', 'webrtc'): 'trendline, thresholds of WebRTC',
}
GROUPINGS = {'none': 'off', 'paper': 'on'}
COLOURS = {'none': 'received', 'paper': 'target'}
GAIN = 20                               # per cent


def plan(tools, n, quick):
    trace = tools.trace(TRACE)
    scenario = tools.scenario(
        f'0 both delay 25\n0 fwd trace slots:{trace} queue 1000 max-age 500\n')
    return {(filter_, set_, grouping): [tools.rccsim(
        '--paper', '--scenario', scenario, '-d', 60 if quick else 300, '--seed', seed,
        '--min-bitrate', 50000, '--start-bitrate', 300000, '--max-bitrate', 2500000, '--no-audio',
        '--filter', filter_, '--thresholds', set_, '--grouping', grouping, files=(trace,))
        for seed in range(1, n + 1)]
            for filter_, set_ in DETECTORS for grouping in GROUPINGS}


def figures(found):
    flows = [result['flows'][0] for result in found]
    return {
        'rate': [flow['received'] / 1e3 for flow in flows],
        'spread': [stats.deviation(flow['rates']) for flow in flows],
        'quantiles': [stats.mean(column) for column in zip(*(flow['delay']['quantiles']
                                                             for flow in flows))],
        'loss': [100 * flow['loss'] for flow in flows],
        'rates': flows[0]['rates'],
    }


def row(detector, grouping, ours):
    q = ours['quantiles']
    return (DETECTORS[detector], GROUPINGS[grouping], mean(ours['rate'], 0),
            number(stats.mean(ours['spread']), 0), *(number(q[i], 0) for i in (1, 5, 10, 15, 19)),
            mean(ours['loss'], 2))


def verdicts(detector, off, on):
    gain = [100 * (a / b - 1) for a, b in zip(on['rate'], off['rate'])]
    name, average = DETECTORS[detector], stats.mean(gain)
    good = average >= GAIN
    ratio = stats.mean(on['spread']) / stats.mean(off['spread'])
    medians = off['quantiles'][10], on['quantiles'][10]
    return [
        Verdict(f'{name}: {mean(gain, 1)} % more with the pre-filter, the paper has more than '
                f'{GAIN} %: ' + ('reproduced' if good else
                                 f'differs by {number(average - GAIN, 0)} points'), good),
        Verdict(f'{name}: standard deviation {number(ratio, 2)} times that without, the paper has '
                f'about the same: {"reproduced" if 0.75 <= ratio <= 1.33 else "differs"}',
                0.75 <= ratio <= 1.33),
        Verdict(f'{name}: median delay {number(medians[0], 0)} ms without, {number(medians[1], 0)} '
                'with, the paper has no remarkable difference: '
                f'{"reproduced" if medians[1] <= 1.15 * medians[0] else "differs"}',
                medians[1] <= 1.15 * medians[0])]


def show(results):
    columns = {case: figures(found) for case, found in results.items()}
    first = next(iter(DETECTORS))
    heads = ('Detector', 'Pre-filter', 'Received, kbit/s', 's of seconds', 'Delay p5, ms', 'p25',
             'p50', 'p75', 'p95', 'Loss, %')
    out = [Table('Figure 10', heads, [row(d, g, columns[(*d, g)]) for d in DETECTORS
                                      for g in GROUPINGS], leading=2)]
    lines = []
    for grouping, name in GROUPINGS.items():
        rates = columns[(*first, grouping)]['rates']
        lines.append(Line(f'pre-filter {name}', [i + 1.0 for i in range(len(rates))], rates,
                          COLOURS[grouping], dash='dashed' if grouping == 'none' else ''))
    out.append(Chart('grouping-time', f'Figure 9: received over time, {DETECTORS[first]}, seed 1',
                     'time, s', 'kbit/s', tuple(lines)))
    lines = [Line(f'pre-filter {name}', columns[(*first, g)]['quantiles'][:-1],
                  [5.0 * i for i in range(20)], COLOURS[g],
                  dash='dashed' if g == 'none' else '') for g, name in GROUPINGS.items()]
    out.append(Chart('grouping-delay', f'One-way delay, {DETECTORS[first]}', 'one-way delay, ms',
                     'packets below, %', tuple(lines), top=100))
    for detector in DETECTORS:
        out += verdicts(detector, columns[(*detector, 'none')], columns[(*detector, 'paper')])
    return out + [Note('Seeds differ in the frame sizes; the trace is one.')]
