# SPDX-License-Identifier: LGPL-2.1-or-later
"""What RFC 8867 expects of each case, against what came of it; bounds are this project's
unless the text has one.  Short runs (--quick) leave out what they do not reach."""
import math

from . import metrics, stats
from .target import Verdict, mean, number, reach
from .verdicts import word

LEAST = 170                 # kbit/s that sources send at least
OFTEN = 0.95                # of the windows are to be within RFC 8868's ratio
LINKS = (((0, 1), 2000), ((0, 2), 1500))        # of 6.3: who crosses it, kbit/s


def known(verdict, what, values, *rest, **more):
    return [verdict(what, values, *rest, **more)] if stats.known(values) else []


def goal(what, values, bound, stretch, digits, unit, least=True):
    """What is wanted, and beside it what would be better still."""
    first = reach(what, values, bound, digits, unit, least)
    far = reach(what, values, stretch, digits, unit, least)
    return Verdict(f'{first.text}; the stretch target is {number(stretch, digits)}: '
                   f'{word(far.good, "reached", "missed")}', first.good)


def of_5_1(results):
    found = results['5.1', 'default']
    out = [goal('5.1, utilisation', [r['link']['utilisation'] for r in found], 0.93, 0.97, 3, ''),
           goal('5.1, lost', [100 * r['link']['lost'] for r in found], 1, 0.5, 2, '%',
                least=False)]
    for i in (0, 1, 3):
        out += known(goal, f'5.1, phase {i + 1}, queue p95',
                     [r['phases'][i]['queue-p95'] for r in found if len(r['phases']) > i],
                     60, 25, 0, 'ms', least=False)
    back = [(r['phases'][2]['settles'], r['phases'][2]) for r in found if len(r['phases']) > 2]
    return out + known(goal, '5.1, phase 3, queue below 50 ms after',
                       [metrics.at_the_latest(*each) for each in back], 3, 1.5, 1, 's',
                       least=False)


def bounded(case, found):
    shares = [stats.mean([metrics.bounded(r, span) for r in found]) for span in metrics.SPANS]
    if not stats.known(shares):
        return []
    good = all(share >= OFTEN for share in stats.known(shares))
    said = ', '.join(number(100 * share, 0) for share in shares)
    return [Verdict(f'{case}, no two rates further apart than {metrics.RATIO} times in {said} % of '
                    f'the windows of 1, 5, 20 s, the target is at least {100 * OFTEN:.0f}: '
                    f'{"reached" if good else "missed"}', good)]


def of_fairness(results):
    out = []
    for case in ('5.2', '5.4', '5.8'):
        found = results[case, 'default']
        out += known(reach, f'{case}, Jain over 20 s', [metrics.fairness(r, 20) for r in found],
                     0.99, 3, '')
        out += bounded(case, found)
        out.append(reach(f'{case}, queue p95 (a stretch target)',
                         [r['link']['queue-p95'] for r in found], 40, 0, 'ms', least=False))
    found = results['5.5', 'default']   # no ratio: the RFC says "similar path RTT"
    out += known(goal, '5.5, Jain over 20 s', [metrics.fairness(r, 20) for r in found], 0.92, 0.97,
                 3, '')
    return [*out, goal('5.5, queue p95', [r['link']['queue-p95'] for r in found], 100, 40, 0, 'ms',
                       least=False)]


def of_5_3(results):
    shares = [100 * a['flows'][0]['received'] / b['flows'][0]['received'] for a, b in zip(
        results['5.3', 'default'], results['5.3-free', 'default']) if b['flows'][0]['received']]
    return [goal('5.3, forward rate of that with free feedback', shares, 90, 97, 1, '%')]


def worst_seconds(found, flows):
    """The 5th percentile of the seconds of the worst flow, but for its first five."""
    return min(stats.known(stats.percentile(
        f['rates'][math.ceil(f['start']) + 5:int(f['stop'])], 0.05)
        for r in found for f in (r['flows'][i] for i in flows)), default=math.nan)


def starving(case, found, flows, floor=()):
    """floor: the same with flows that always send the least rate, where that was run."""
    least = worst_seconds(found, flows)
    good = least >= 0.9 * LEAST
    beside = (f' (a flow that always sends that has {number(worst_seconds(floor, flows), 0)})'
              if floor else '')
    return Verdict(
        f'{case}, no starvation: {number(least, 0)} kbit/s in the 5th '
        f'percentile of seconds of the worst flow, the least rate is {LEAST}{beside}: '
        f'{"reached" if good else "missed"}', good)


def of_tcp(results):
    found = results['5.6', 'default']
    return [goal('5.6, mean rate beside TCP', [r['flows'][0]['received'] / 1e3 for r in found],
                 500, 700, 0, 'kbit/s'),
            starving('5.6', found, (0,)),
            starving('5.7', results['5.7', 'default'], (0, 1), results['5.7', 'floor'])]


def at_once(result, from_, to):
    """Jain's index of what all flows received in [from_, to) s."""
    rates = [stats.mean(flow['rates'][from_:to]) for flow in result['flows']]
    return stats.jain(rates) if len(stats.known(rates)) == len(rates) else math.nan


def of_5_8(results):
    """Flow 2 pauses from 40 to 60 s."""
    found = results['5.8', 'default']
    out = known(reach, '5.8, the other two in the last 10 s of the pause, each',
                [stats.mean(r['flows'][i]['rates'][50:60]) for r in found for i in (0, 2)],
                0.9 * 1520, 0, 'kbit/s')
    back = [(r, phase) for r in found for phase in r['phases'] if phase['from'] == 60]
    out += known(reach, '5.8, flow 2 within 25 % of its fair share of 1167 kbit/s for 5 s, after '
                 'its return',
                 [metrics.at_the_latest(metrics.convergence(r['flows'][1], phase, 3500 / 3), phase)
                  for r, phase in back], 10, 1, 's', least=False)
    before = number(stats.mean([at_once(r, 20, 40) for r in found]), 3)
    return out + known(reach, f'5.8, Jain in the last 20 s (before the pause: {before})',
                       [at_once(r, 99, 119) for r in found], 0.99, 3, '')


def of_6_1(results):
    """Priorities 2:1:1.  Of 3.5 Mbit/s that is 1.52, which is all S1 sends, and 0.99 for each of
    the others. So at least 1.4 to 1 is asked for, and no more than 2.3."""
    values = [2 * stats.mean(one) / (stats.mean(two) + stats.mean(three))
              for one, two, three in ((f['rates'][60:119] for f in r['flows'])
                                      for r in results['5.4', 'default']) if len(one) == 59]
    if not values:
        return []
    good = 1.4 <= stats.mean(values) <= 2.3
    return [Verdict(f'6.1, S1 over S2 and S3 with priorities 2:1:1: {mean(values, 2)}, the RFC has '
                    '2, or 1.54 with sources of 1.52 Mbit/s at most: '
                    + ('reached' if good else 'differs, GCC here knows no priority of a flow'),
                    good)]


def of_6_2_tcp(results):
    """5.6 with ECN, for TCP too: a share of 1 Mbit/s each is what there is to come to."""
    off, on = ([r['flows'][0]['received'] / 1e3 for r in results['6.2', '5.6', variant]]
               for variant in ('off', 'heeded'))
    nearer = abs(stats.mean(on) - 1000) <= abs(stats.mean(off) - 1000)
    return [reach('6.2, 5.6 with ECN, mean rate beside TCP', on, 500, 0, 'kbit/s'),
            Verdict(f'6.2, 5.6: with ECN {mean(on, 0)} kbit/s beside TCP, without '
                    f'{mean(off, 0)}, fair is 1000: ECN is {"nearer: reached" if nearer else ""}'
                    f'{"" if nearer else "further off: missed"}', nearer)]


def of_6_2(results, cases):
    """Marks that are heeded, against packets that are dropped."""
    out = of_6_2_tcp(results)
    for case in cases:
        if case == '5.6':
            continue
        off, on = ({name: stats.mean([get(r) for r in results['6.2', case, variant]])
                    for name, get in (('used', lambda r: r['link']['utilisation']),
                                      ('p95', lambda r: r['link']['queue-p95']),
                                      ('lost', lambda r: max(f['lost'] for f in r['flows'])))}
                   for variant in ('off', 'heeded'))
        alive = on['used'] >= 0.9 * off['used']
        better = on['lost'] <= off['lost'] and on['p95'] <= 1.1 * off['p95'] and on['used'] >= \
            0.97 * off['used']
        said = (f'6.2, {case} with ECN: utilisation {number(on["used"], 3)} (without: '
                f'{number(off["used"], 3)}), lost {number(100 * on["lost"], 2)} % '
                f'({number(100 * off["lost"], 2)}), queue p95 {number(on["p95"], 0)} ms '
                f'({number(off["p95"], 0)})')
        out += [Verdict(f'{said}: {"does not fail" if alive else "fails"}, below 90 % of the '
                        'utilisation without is failing', alive),
                Verdict(f'6.2, {case}, ECN is no worse in loss, queue (by 10 %) and utilisation '
                        f'(by 3 %): {"reached" if better else "missed"}', better)]
    return out


def used(result, flows, capacity):
    """Utilisation of one link of 6.3."""
    return sum(result['flows'][i]['received'] for i in flows) / 1e3 / capacity


def to_max_min(result, shares):
    """Jain's index of each flow's rate over its max-min fair share."""
    return stats.jain([f['received'] / 1e3 / s for f, s in zip(result['flows'], shares)])


def of_6_3(results, shares):
    found = results['6.3', 'default']
    out = [reach(f'6.3, utilisation {name}', [used(r, *link) for r in found], 0.9, 3, '')
           for name, link in zip(('A\u2013B', 'C\u2013D'), LINKS)]
    return [*out, starving('6.3', found, (0, 1, 2)),
            reach('6.3, Jain of rates over max-min fair shares',
                  [to_max_min(r, shares) for r in found], 0.92, 3, '')]


def verdicts(results, ecn_cases, shares):
    return [*of_5_1(results), *of_fairness(results), *of_5_3(results), *of_tcp(results),
            *of_5_8(results), *of_6_1(results), *of_6_2(results, ecn_cases),
            *of_6_3(results, shares)]
