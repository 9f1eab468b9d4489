# SPDX-License-Identifier: LGPL-2.1-or-later
"""What RFC 8868 section 3 asks to be measured, from the summary of a run
(tools/rccns3/summary.h).  Static periods are its phases: nothing starts, ends, pauses,
resumes or changes its capacity within one."""
import math
import statistics

from . import stats

SPANS = (1, 5, 20)          # s, of the windows in which fairness is measured
RATIO = 3                   # between two rates at most, "as a general guideline"
NEAR, HOLD = 0.25, 5        # converged: so near to a rate, as a share of it, for so many s
BIN = 0.2                   # s, of what is sent
# (factor between the watermarks, window in s): the second is the RFC's example
SWINGS = ((2, 2.0), (4, 0.5))


def heard(result, phase, direction='fwd'):
    """The flows of a phase that go in that direction."""
    return [result['flows'][i] for i in phase['flows']
            if result['flows'][i]['direction'] == direction]


def phases(result, flow):
    """Those in which the flow is heard."""
    return [phase for phase in result['phases']
            if any(result['flows'][i] is flow for i in phase['flows'])]


def seconds(flow, phase):
    """kbit/s received in each whole second of the phase."""
    return flow['rates'][math.ceil(phase['from']):int(phase['to'])]


# --- fairness, item 7 ---------------------------------------------------------


def windows(result, span):
    """[kbit/s of each flow, ...] of all windows of @span seconds in phases with two forward
    flows or more."""
    found = []
    for phase in result['phases']:
        rates = [seconds(flow, phase) for flow in heard(result, phase)]
        if len(rates) < 2:
            continue
        found += [[stats.mean(r[at:at + span]) for r in rates]
                  for at in range(0, min(map(len, rates)) - span + 1, span)]
    return found


def fairness(result, span):
    """Jain's index, the mean over the windows."""
    return stats.mean([stats.jain(rates) for rates in windows(result, span)])


def ratio(rates):
    """Of the largest to the smallest."""
    return max(rates) / min(rates) if min(rates) > 0 else math.inf


def bounded(result, span):
    """Share of the windows in which no two flows are further apart than RATIO."""
    found = [ratio(rates) <= RATIO for rates in windows(result, span)]
    return sum(found) / len(found) if found else math.nan


# --- convergence, item 8 ------------------------------------------------------


def settles(rates, target, near=NEAR, hold=HOLD):
    """Seconds until the rate is within @near of @target for @hold seconds on end; None: it
    never is."""
    good = [abs(rate - target) <= near * target for rate in rates]
    return next((float(at) for at in range(len(good) - hold + 1) if all(good[at:at + hold])),
                None)


def stable_rate(rates):
    """What the rate has come to: the median of the second half."""
    return statistics.median(rates[len(rates) // 2:]) if rates else math.nan


def convergence(flow, phase, target=None):
    """Seconds from the phase's start until the flow is at @target kbit/s, else at what it
    comes to itself; None: never."""
    rates = seconds(flow, phase)
    return settles(rates, stable_rate(rates) if target is None else target)


def at_the_latest(value, phase):
    """@value, or the phase's length where it never came to that."""
    return phase['to'] - phase['from'] if value is None else value


# --- oscillation, item 9 ------------------------------------------------------


def swings(rates, low, high, span):
    """How often the rate comes from @high (or more) to @low (or less) or back, within @span
    samples."""
    count, side, last = 0, None, 0
    for at, rate in enumerate(rates):
        now = 'high' if rate >= high else 'low' if rate <= low else None
        if now is None:
            continue
        count += side not in (None, now) and at - last <= span
        side, last = now, at
    return count


def sent(flow, phase):
    """kbit/s sent in each 200 ms of the phase, once the flow has converged."""
    from_ = phase['from'] + (convergence(flow, phase) or 0) - flow['start']
    return flow['sent'][round(from_ / BIN):round((phase['to'] - flow['start']) / BIN)]


def oscillation(result, flow, factor, window):
    """Swings a minute between watermarks that lie by @factor apart around the phase's mean,
    each within @window seconds."""
    count, time = 0, 0.0
    for phase in phases(result, flow):
        rates = sent(flow, phase)
        middle, off = stats.mean(rates), math.sqrt(factor)
        count += swings(rates, middle / off, middle * off, window / BIN + 1e-9)
        time += len(rates) * BIN
    return 60 * count / time if time else math.nan


def deviation(result, flow):
    """Standard deviation of a second's rate within 20 s of a phase, as a share of the mean."""
    found = []
    for phase in phases(result, flow):
        rates = seconds(flow, phase)
        found += [rates[at:at + 20] for at in range(0, len(rates) - 19, 20)]
    return stats.mean([stats.deviation(p) / stats.mean(p) for p in found if stats.mean(p)])
