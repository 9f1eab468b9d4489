# SPDX-License-Identifier: LGPL-2.1-or-later
"""The circuit breaker on residential links: the table of a testbed, and what a shorter
RTCP interval does to it."""
from . import stats
from .target import Chart, Line, Note, Table, Verdict, number, DASH

NAME = 'breaker-residential'
TITLE = 'Circuit breaker on residential links: share of runs that trigger'
SOURCE = ('Singh, McQuistin, Ellis, Perkins: Circuit Breakers for Multimedia Congestion Control '
          '(Packet Video 2013), and V. Singh\u2019s thesis, which has the numbers of its testbed: '
          '50 runs of 100 s at a given loss, with Mathis\u2019s model')
ABOUT = ('A call of 1.5 Mbit/s without congestion control for 100 s over a link that loses '
         'packets and is not full; the breaker is that of the draft.  The texts that we have '
         'tell neither rate nor round trip nor how losses fall.  The rate is that of the LTE '
         'paper.  X falls with the round trip, so each of the runs has another one, from 50 to '
         '400 ms in even steps of its logarithm.  Losses are independent, or come in bursts of '
         '50 packets (a third of a second).  RTCP is random as in RFC 3550; the reduced minimum '
         'is 360 / 1500 s.  The time before the trigger is the mean over runs that triggered, '
         'the only reading by which the thesis\u2019s shares and times agree.')
RUNS = 50
PROGRAMS = ('rccsim',)

LOSSES = (0, 5, 10, 20, 33)             # per cent
INTERVALS = {'5 s': 5, '2.5 s': 2.5, 'reduced': 0.24}
MODELS = {'mathis': 'Mathis', 'padhye': 'Padhye'}
KINDS = {'single': 'independent', 'bursts': 'in bursts'}
BURST = 50                              # packets
RTTS = (0.05, 0.4)                      # s
# by RTCP interval: share of runs that trigger in per cent, and s before the trigger
PAPER = {('5 s', 0): (0, 100), ('5 s', 5): (7, 87), ('5 s', 10): (40, 54), ('5 s', 20): (77, 27),
         ('5 s', 33): (100, 16), ('2.5 s', 0): (0, 100), ('2.5 s', 5): (0, 100),
         ('2.5 s', 10): (5, 98), ('2.5 s', 20): (20, 92), ('2.5 s', 33): (82, 56)}
COLOURS = {'mathis': 'target', 'padhye': 'received', 'paper': 'over'}

NEAR = 15                               # points
SENSITIVE = 20                          # points above Mathis


def losing(kind, loss):
    """The key of a scenario that loses so many per cent."""
    if kind == 'single' or not loss:
        return f'loss {loss / 100:g}'
    leave = 1 / BURST
    return f'ge {leave * loss / (100 - loss):.9f} {leave:g}'


def rtt(i, n):
    """Of run number @i of @n."""
    least, most = RTTS
    return least * (most / least) ** ((i + 0.5) / n)


def plan(tools, n, quick):
    length = 40 if quick else 100

    def run(i, kind, loss, interval, model):
        path = tools.scenario(f'0 both rate unlimited delay {500 * rtt(i, n):.3f}ms\n'
                              f'0 fwd {losing(kind, loss)}\n')
        return tools.rccsim('-s', path, '-d', length, '--fixed', '--start-bitrate', 1500000,
                            '--no-audio', '--breaker', model, '--breaker-mode', 'draft2014',
                            '--real-rtcp', '--rtcp-interval', interval, '--seed', i + 1,
                            files=(path,))
    return {(kind, model, name, loss): [run(i, kind, loss, interval, model) for i in range(n)]
            for kind in KINDS for model in MODELS for name, interval in INTERVALS.items()
            for loss in LOSSES}


def times(found):
    """Of the triggers, from the start of the call."""
    flows = [result['flows'][0] for result in found]
    return [flow['breaker']['triggered'] - flow['start'] for flow in flows
            if flow['breaker']['triggered'] is not None]


def share(found):
    return 100 * len(times(found)) / len(found)


def table(results):
    rows = []
    for kind, model, name in ((k, m, i) for k in KINDS for m in MODELS for i in INTERVALS):
        row = [KINDS[kind], MODELS[model], name]
        for loss in LOSSES:
            found = results[kind, model, name, loss]
            hits = times(found)
            low, high = stats.share_interval(len(hits), len(found))
            row.append(f'{number(share(found), 0)} ({number(100 * low, 0)} to '
                       f'{number(100 * high, 0)}); {number(stats.mean(hits), 0)}')
        rows.append(tuple(row))
    for name in ('5 s', '2.5 s'):
        paper = [PAPER[name, loss] for loss in LOSSES]
        rows.append(('paper', 'Mathis', name, *(f'{hit}; {time if hit else DASH}'
                                                for hit, time in paper)))
    return Table('Runs that trigger, % (95 %), and s in the call before that', (
        'Losses', 'Model', 'RTCP', *(f'{loss} %' for loss in LOSSES)), rows, leading=3)


def chart(results, kind):
    dashes = dict(zip(INTERVALS, ('', 'dashed', 'dotted')))
    lines = [Line(f'{MODELS[model]}, {name}', list(LOSSES),
                  [share(results[kind, model, name, loss]) for loss in LOSSES], COLOURS[model],
                  dash=dashes[name], marker='o') for model in MODELS for name in INTERVALS]
    lines += [Line(f'paper, {name}', list(LOSSES), [PAPER[name, loss][0] for loss in LOSSES],
                   COLOURS['paper'], dash=dashes[name], marker='x')
              for name in ('5 s', '2.5 s')]
    return Chart(f'residential-{kind}', f'Runs that trigger, losses {KINDS[kind]}', 'loss, %', '%',
                 tuple(lines), top=102)


def beside_paper(results):
    """One verdict for each row of the paper, which is Mathis's."""
    out = []
    for kind in KINDS:
        for name in ('5 s', '2.5 s'):
            off = {loss: share(results[kind, 'mathis', name, loss]) - PAPER[name, loss][0]
                   for loss in LOSSES}
            worst = max(off, key=lambda loss: abs(off[loss]))
            good = abs(off[worst]) <= NEAR
            out.append(Verdict(
                f'Mathis, RTCP {name}, losses {KINDS[kind]}: shares are '
                f'{number(stats.mean([abs(x) for x in off.values()]), 0)} points from the '
                f'paper\u2019s on average, at most {number(off[worst], 0)} (at {worst} %): ' + (
                    f'reproduced (within {NEAR} points)' if good else 'differs'), good))
    return out


def ours(results, kind, model, name, loss):
    return share(results[kind, model, name, loss])


def verdicts(results):
    out = beside_paper(results)
    for kind in KINDS:
        longer = [ours(results, kind, 'mathis', '5 s', loss)
                  - ours(results, kind, 'mathis', '2.5 s', loss) for loss in LOSSES]
        good = min(longer) >= -5 and max(longer) > 5
        out.append(Verdict(
            f'Mathis triggers less with RTCP each 2.5 s than each 5 s (losses {KINDS[kind]}), by '
            f'{number(min(longer), 0)} to {number(max(longer), 0)} points: '
            f'{"reproduced" if good else "differs"}', good))
        for name in INTERVALS:
            more = [ours(results, kind, 'padhye', name, loss)
                    - ours(results, kind, 'mathis', name, loss) for loss in (5, 10)]
            good = min(more) >= SENSITIVE
            out.append(Verdict(
                f'Padhye is over-sensitive, RTCP {name}, losses {KINDS[kind]}: at 5 and 10 % it '
                f'triggers in {number(more[0], 0)} and {number(more[1], 0)} points more of the '
                f'runs than Mathis: ' + (f'as in the paper (by at least {SENSITIVE})' if good
                                         else 'not here'), good))
        less = [ours(results, kind, 'padhye', 'reduced', loss)
                - ours(results, kind, 'padhye', '5 s', loss) for loss in (5, 10)]
        good = max(less) < 0
        out.append(Verdict(
            f'Future work of the LTE paper, losses {KINDS[kind]}: the reduced interval changes '
            f'Padhye\u2019s triggers at 5 and 10 % by {number(less[0], 0)} and '
            f'{number(less[1], 0)} points; the authors expect fewer: '
            f'{"as they do" if good else "differs"}', good))
    hits = times(results['single', 'mathis', '5 s', 33])
    good = bool(hits) and stats.mean(hits) >= 16
    out.append(Verdict(
        f'At 33 % loss and RTCP each 5 s Mathis leaves {number(stats.mean(hits), 0)} s for a '
        f'controller to act; the thesis has 16, the LTE paper at least 20: '
        f'{"reproduced (at least that of the thesis)" if good else "differs"}', good))
    return out


def reached(results):
    """The shortest round trip of a run that triggered."""
    lines = []
    for model in MODELS:
        x, y = [], []
        for loss in LOSSES[1:]:
            found = results['single', model, '5 s', loss]
            hit = [rtt(i, len(found)) * 1e3 for i, one in enumerate(found) if times([one])]
            if hit:
                x.append(loss)
                y.append(min(hit))
        if x:
            lines.append(Line(MODELS[model], x, y, COLOURS[model], marker='o'))
    return Chart('residential-rtt', 'Shortest round trip at which a run triggers, RTCP 5 s, '
                 'losses independent', 'loss, %', 'ms', tuple(lines))


def show(results):
    return [table(results), *(chart(results, kind) for kind in KINDS), reached(results),
            *verdicts(results),
            Note('Where losses are independent, a share is the part of the round trips at which '
                 '10 X is below the rate.  With Mathis that is 1.5 (10 s / (R rate))\u00b2 of '
                 'loss.  Bursts make intervals of 5 s differ, and then a run triggers by chance.')]
