# SPDX-License-Identifier: LGPL-2.1-or-later
"""Packet grouping in GCC: figures 5, 6, 8, 9 and 10 of the paper on its own Wi-Fi trace, what its
result hangs on, and an 802.11n channel of ns-3."""
import math

from . import grouping_air, grouping_figures, stats
from .target import Headline, Note, Table, mean, number
from .verdicts import LEAST, Verdict, above, alike, untold, word

NAME = 'grouping'
TITLE = 'GCC\u2019s pre-filter over Wi-Fi, figures 5, 6, 8, 9 and 10'
SOURCE = ('Carlucci, De Cicco, Holmer, Mascolo: Making Google Congestion Control Robust over '
          'Wi-Fi Networks Using Packet Grouping (ANRW 2016), figures 5, 6, 8, 9 and 10')
ABOUT = ('300 s of video from 50 to 2500 kbit/s at 30 fps, from 300, over the trace of the paper '
         '(wifi-google/google-wifi-3mbps.mm below the folder of traces).  It begins at 12 places '
         'of the trace, spread evenly.  Packets that wait 500 ms are dropped, 25 ms each way.  The '
         'paper was made with WebRTC\u2019s own simulator and the Kalman filter of the draft.  The '
         'threshold gains are those of that code at the time: .0087 and .039 a ms, where its text '
         'refers to .01 and .00018.  Groups are paced at 2.5 times the target.  The text does not name that factor, but figure 6 does: '
         'its lobe at \u221220 ms is 33.3 \u2212 33.3 / 2.5.  Frames are equal, as in that '
         'simulator, with one of five times the size in 1000.  The second reading has the frames '
         'of RFC 8593, whose sizes and intervals vary.  The paper says: more than 20 % more sent '
         'on average, about the same standard deviation, and of the delay only the 95th '
         'percentile higher.  It prints no '
         'other numbers.')
RUNS = 12
PROGRAMS = ('rccsim', 'rccns3')

TRACE = 'wifi-google/google-wifi-3mbps.mm'
STARTS = 12
EQUAL = ('--constant', '--set', 'gop=1000', '--set', 'gop-factor=5')
GROUPINGS = {'none': 'off', 'paper': 'Algorithm 1', 'draft': 'the draft\u2019s'}
FRAMES = {'equal': ('equal frames', EQUAL), 'varying': ('frames of RFC 8593', ())}
# One change at a time from the profile `paper`.
VARIED = {
    'state takes clipped residuals, too': {'clip-state': 1},
    'thresholds of the draft\u2019s text (.01, .00018)': {'thresholds': 'draft'},
    'threshold stands at 12.5 ms': {'threshold-up': 0, 'threshold-down': 0},
    'over-use after 100 ms': {'overuse-time': 100000000},
    'pace 1.0': {'pacing-factor': 1},
    'no pace to speak of (10)': {'pacing-factor': 10},
    'additive increase near the rate of decreases': {'converge': 1, 'learn': 0.05},
    'two-state Kalman filter, as in libwebrtc': {'filter': 'kalman2'},
    'trendline, as in libwebrtc today': {'filter': 'trendline'},
}
# The verdicts' bounds.  Those of the rate and the deviation are the target that was set before
# the runs; WITHIN was chosen when results of earlier runs were known.
GAIN, SURELY = 20, 10                   # % more on average; the 95 % interval lies above the second
SPREAD = 10                             # %
WITHIN = 10                             # ms


def options(changes):
    words = []
    for name, value in changes.items():
        words += [f'--{name}', value] if name in ('filter', 'thresholds') else [
            '--set', f'{name}={value}']
    return words


def plan(tools, n, quick):
    trace = tools.trace(TRACE)
    traces = [tools.turned(trace, i / STARTS) for i in range(min(n, STARTS))]
    scenarios = [tools.scenario(f'0 both delay 25\n0 fwd trace slots:{turned} queue 1000 max-age '
                                '500\n') for turned in traces]

    def runs(grouping, changes, *more):
        return [tools.rccsim(
            '--paper', '--scenario', scenarios[i % STARTS], '-d', 60 if quick else 300,
            '--seed', i + 1, '--min-bitrate', 50000, '--start-bitrate', 300000,
            '--max-bitrate', 2500000, '--no-audio', *options(changes), '--grouping', grouping,
            *more, files=(traces[i % STARTS],)) for i in range(n)]

    cases = {(frames, grouping): runs(grouping, {'note-groups': 1}, *given)
             for frames, (_, given) in FRAMES.items() for grouping in GROUPINGS}
    cases |= {('varied', name, grouping): runs(grouping, changes, *EQUAL)
              for name, changes in VARIED.items() for grouping in GROUPINGS}
    return cases | grouping_air.plan(tools, n, quick)


def sent(flow):
    """kbit/s of each second."""
    bins = flow['sent']
    return [stats.mean(bins[i:i + 5]) for i in range(0, len(bins) - 4, 5)]


def figures(found):
    flows = [result['flows'][0] for result in found]
    rates = [sent(flow) for flow in flows]
    return {
        'rate': [stats.mean(one) for one in rates],
        'spread': [stats.deviation(one) for one in rates],
        'delays': {p: [flow['delay']['quantiles'][p // 5] for flow in flows]
                   for p in (5, 25, 50, 75, 95)},
        'lost': [100 * flow['lost'] for flow in flows],
    }


def more(off, on):
    """% that @on has more, start by start."""
    return [100 * (a / b - 1) for a, b in zip(on, off)]


def less(off, on):
    return [a - b for a, b in zip(on, off)]


HEADS = ('Frames', 'Pre-filter', 'Sent, kbit/s', 'More, %', 's of seconds', 's, more, %',
         'Delay p5, ms', 'p25', 'p50', 'p75', 'p95', 'Lost, %')


def row(name, grouping, off, ours):
    base = grouping == 'none'
    return (name, GROUPINGS[grouping], mean(ours['rate'], 0),
            '' if base else mean(more(off['rate'], ours['rate']), 1),
            number(stats.mean(ours['spread']), 0),
            '' if base else mean(more(off['spread'], ours['spread']), 1),
            *(number(stats.mean(values), 0) for values in ours['delays'].values()),
            mean(ours['lost'], 2))


def gained(values):
    """The rule of the target: on average more than GAIN, and the interval above SURELY."""
    middle, half = stats.mean(values), stats.interval(values)
    if len(values) < LEAST:
        return None
    if middle > GAIN and middle - half > SURELY:
        return True
    return False if middle + half < GAIN else None


def rate_verdict(name, values):
    good = gained(values)
    said = (f'{name}: {mean(values, 1)} % more sent with the pre-filter, the paper has more than '
            f'{GAIN} %')
    if good is None:
        return untold(said, f'n = {len(values)}' if len(values) < LEAST else
                      'the mean or its interval is below the bound')
    how = f' (mean above {GAIN}, interval above {SURELY})' if good else ''
    return Verdict(f'{said}: {word(good)}{how}', good)


def verdicts(name, off, on):
    out = [rate_verdict(name, more(off['rate'], on['rate'])),
           alike(f'{name}: standard deviation, more with the pre-filter; the paper has about the '
                 'same', more(off['spread'], on['spread']), SPREAD, 1, '%')]
    for p in (25, 50, 75):
        out.append(alike(f'{name}: p{p} of the delay, more with the pre-filter; the paper has no '
                         'difference', less(off['delays'][p], on['delays'][p]), WITHIN, 1, 'ms'))
    out.append(above(f'{name}: p95 of the delay, more with the pre-filter; the paper has a higher '
                     'one', less(off['delays'][95], on['delays'][95]), 0, 1, 'ms'))
    return out


def headline(off, on, varying):
    gain, spread = more(off['rate'], on['rate']), more(off['spread'], on['spread'])
    share = [stats.mean(one['spread']) / stats.mean(one['rate']) for one in (off, on)]
    rises = {p: mean(less(off['delays'][p], on['delays'][p]), 0) for p in (50, 75, 95)}
    good = gained(gain)
    why = {
        True: 'In the paper\u2019s set-up, and the mean of the 12 starts is above 20 with its '
              'interval above 10.',
        False: 'Its whole interval is below 20.',
        None: 'Neither is it surely as much, nor surely less.'}[good]
    return Headline(
        'Packet grouping (ANRW 2016)', 'The pre-filter sends more over Wi-Fi', f'> {GAIN} %',
        f'{mean(gain, 1)} % (frames of RFC 8593 {mean(varying, 1)} %)', good,
        f'{why}  The standard deviation is {mean(spread, 1)} % more ({number(share[0], 2)} of the '
        f'mean without, {number(share[1], 2)} with); of the delay p50 is {rises[50]}, p75 '
        f'{rises[75]} and p95 {rises[95]} ms more.  The gain hangs on how the filter is read: '
        '\u201cWhat the gain hangs on\u201d has each change alone.')


def show_varied(results, base):
    """The page's why."""
    rows = []
    for name in (None, 'frames of RFC 8593', *VARIED):
        ours = base if name is None else {g: figures(results[
            ('varied', name, g) if name in VARIED else ('varying', g)]) for g in GROUPINGS}
        off = ours['none']
        rows.append((name or 'nothing changed', number(stats.mean(off['rate']), 0),
                     number(stats.mean(off['delays'][95]), 0), *(
                         mean(more(off['rate'], ours[g]['rate']), 1) for g in ('paper', 'draft')),
                     *(number(stats.mean(ours[g]['delays'][95]), 0) for g in ('paper', 'draft'))))
    return [
        Note('Why: an outage is one large positive variation, and the burst after it many small '
             'negative ones.  With the whole residual in its state (5.3 of the draft), the filter '
             'takes the outage for a queue, and over-use lowers the rate.  The pre-filter makes '
             'one group of the burst, and its variation is that of the path.  Where the state '
             'takes clipped residuals, the outage hardly moves it, and the small negative ones '
             'hold it below 0.  Without the pre-filter the detector is blind then, fills the '
             'queue, and looks fast.  The table changes one reading at a time.'),
        Table('What the gain hangs on: one change at a time',
              ('Changed', 'Off, kbit/s', 'p95, ms', 'Algorithm 1: more, %',
               'the draft\u2019s: more, %', 'Algorithm 1: p95, ms', 'the draft\u2019s: p95, ms'),
              rows)]


def show(results):
    columns = {(frames, g): figures(results[frames, g]) for frames in FRAMES for g in GROUPINGS}
    first = {g: columns['equal', g] for g in GROUPINGS}
    varying = more(columns['varying', 'none']['rate'], columns['varying', 'paper']['rate'])
    out = [headline(first['none'], first['paper'], varying),
           *grouping_figures.rates_and_delays(first, GROUPINGS),
           Table('Figure 10, in numbers', HEADS, [
               row(FRAMES[frames][0], g, columns[frames, 'none'], columns[frames, g])
               for frames in FRAMES for g in GROUPINGS], leading=2),
           *verdicts('Algorithm 1, equal frames', first['none'], first['paper']),
           *show_varied(results, first), *grouping_figures.show(results)]
    return [*out, *grouping_air.show(results),
            Note('Runs differ in where they begin in the trace and in the frame sizes, and on ns-3 '
                 'in all that is random.  Only Algorithm 1 with equal frames is judged.  One trace '
                 'is one trace: the interval says nothing of '
                 f'other networks.  The bound of {WITHIN} ms was chosen when results of earlier '
                 'runs were known; it is a third of the time between frames.  That equal frames are '
                 'judged was written down before any run; a run that judged frames of RFC 8593 '
                 'was seen before this page had them.')]
