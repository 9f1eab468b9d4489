# SPDX-License-Identifier: LGPL-2.1-or-later
"""One call that the breaker leaves alone although half of it is lost: figures 7 to 9 of the LTE
paper. And why: X against loss, figure 10."""
import math

from . import stats
from .target import Chart, Line, Verdict, number
from .verdicts import untold

RATE, PACKET = 1.5e6, 1436              # bit/s, bytes: of the paper's figure 10
ENOUGH = 20                             # calls, to judge a share by
RTTS = {0.1: 'target', 0.2: 'received', 0.3: 'sent', 0.5: 'over'}
TIME, LOSS, RTT, X, SENT = range(5)     # of a report in summary.h


def triggered(flow):
    return bool(flow['breaker']) and flow['breaker']['triggered'] is not None


def loss(flow):
    return 100 * flow['lost']


def mathis(rtt, p, packet=PACKET):
    """RFC 8083 4.3, bit/s: the paper's equation 1."""
    return 8 * packet / (rtt * math.sqrt(2 * p / 3))


def padhye(rtt, p, packet=PACKET):
    """The same with the longer model: the paper's equation 2, with its bracket closed."""
    far = 4 * rtt * 3 * math.sqrt(3 * p / 8) * p * (1 + 32 * p * p)
    return 8 * packet / (rtt * math.sqrt(2 * p / 3) + far)


def limit(model, rtt, multiplier=10):
    """The least loss in steps of 0.1 % at which a rate of 1.5 Mbit/s is too much."""
    return next((p / 10 for p in range(1, 1001)
                 if multiplier * model(rtt, p / 1000) < RATE), None)


def curves():
    """Figure 10 and the same for the model of figure 11; the rates under which X triggers."""
    steps = [p / 100 for p in range(1, 101)]
    out = []
    for key, model, name in (('10', mathis, 'Figure 10: X of Mathis'),
                             ('10p', padhye, 'X of Padhye')):
        lines = [Line(f'R {1000 * rtt:.0f} ms', [100 * p for p in steps],
                      [min(model(rtt, p) / 1e6, 1.6) for p in steps], colour)
                 for rtt, colour in RTTS.items()]
        for multiplier, dash in ((1, ''), (5, 'dashed'), (10, 'dotted')):
            lines.append(Line(f'rate / {multiplier}', [0, 100], [RATE / multiplier / 1e6] * 2,
                              'muted', dash=dash))
        out.append(Chart(f'lte-{key}', f'{name}, packets of {PACKET} bytes', 'loss, %', 'Mbit/s',
                         tuple(lines), top=1.6))
    return out


def candidates(calls, variant):
    return [flow for load in ('high', 'extreme') for flow in calls[variant, load]
            if not triggered(flow) and len(flow['breaker']['reports']) >= 4]


def missed(calls):
    """Of what did not trigger with Mathis, the call whose loss is nearest to the paper's 50 %. It
    has the wait in the base station that makes the paper's round trip of 0.1 s."""
    return min(candidates(calls, 'mathis-0.1'), key=lambda flow: abs(flow['lost'] - 0.5),
               default=None)


def trace(flow):
    reports = [report for report in flow['breaker']['reports'] if report[RTT] is not None]
    at = [report[TIME] - flow['start'] for report in reports]
    multiple = [10 * report[X] / 1e6 if report[X] else None for report in reports]
    return [
        Chart('lte-7', 'Figures 7 and 8: loss in each report of a call that does not trigger',
              's', '%', (Line('loss', at, [100 * report[LOSS] for report in reports], 'over',
                              marker='o'),), top=100),
        Chart('lte-7x', 'Figure 7: 10 X and the rate of that call', 's', 'Mbit/s',
              (Line('10 X', at, multiple, 'target', marker='o'),
               Line('rate', at, [report[SENT] / 1e6 for report in reports], 'sent'))),
        Chart('lte-9', 'Figure 9: round trip of that call', 's', 'ms',
              (Line('RTT', at, [1000 * report[RTT] for report in reports], 'received',
                    marker='o'),)),
    ]


def charts(calls):
    flow = missed(calls)
    return curves() + (trace(flow) if flow else [])


def verdicts(calls):
    at = limit(mathis, 0.1)
    good = at is not None and abs(at - 88) <= 1
    out = [Verdict(
        f'Figure 10: at 100 ms X falls below a tenth of the rate at {number(at, 1)} % loss, the '
        f'paper has 88: {"reproduced (within 1 point)" if good else "differs"}', good, exact=True)]
    flow = missed(calls)
    rtts = [report[RTT] for report in flow['breaker']['reports']] if flow else []
    good = bool(flow) and 0.4 <= flow['lost'] <= 0.6 and 0.05 <= stats.mean(rtts) <= 0.2
    out.append(Verdict(
        'A call that Mathis misses with 0.1 s in the base station: ' + (
            f'{number(loss(flow), 0)} % lost at a round trip of {number(stats.mean(rtts), 2)} s'
            if flow else 'there is none') +
        ', the paper\u2019s has nearly 50 % at 0.1 s: ' + (
            'reproduced (40 to 60 % at 0.05 to 0.2 s)' if good else 'differs'), good))
    for variant, name in (('padhye', '1 s'), ('padhye-0.1', '0.1 s')):
        calm = [loss(flow) for load in ('high', 'extreme') for flow in calls[variant, load]
                if not triggered(flow)]
        share = sum(x <= 20 for x in calm) / len(calm) if calm else math.nan
        good = share >= 0.9
        said = (f'Padhye, {name}, high and extreme load: of {len(calm)} calls that did not trigger '
                f'{number(100 * share, 0)} % lost 20 % or less, where the paper\u2019s are '
                'clustered')
        out.append(untold(said, f'{len(calm)} calls') if len(calm) < ENOUGH else Verdict(
            f'{said}: {"reproduced (at least 90)" if good else "differs"}', good))
    return out
