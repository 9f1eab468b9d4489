# SPDX-License-Identifier: LGPL-2.1-or-later
"""What the columns of a call add up to."""
import dataclasses
import math

NAN = math.nan
MOST_PHASES = 12        # more changes of capacity than this are a trace, not a schedule
SHORTEST_PHASE = 2.0    # s
SETTLED_SHARE = 0.9     # of the capacity, after a rise
SETTLED_QUEUE = 50.0    # ms, after a fall
SETTLED_SPAN = 1.0      # s for which either must hold


def known(values):
    return [v for v in values if not math.isnan(v)]


def mean(values):
    values = known(values)
    return sum(values) / len(values) if values else NAN


def percentile(values, share):
    """The smallest value that at least this share of the values does not exceed."""
    values = sorted(known(values))
    return values[max(0, math.ceil(share * len(values)) - 1)] if values else NAN


@dataclasses.dataclass
class Phase:
    start: float        # s
    end: float
    capacity: float     # bit/s, NaN when unknown or changing
    before: float       # capacity of the phase before, NaN at the start
    first: int          # rows of samples.csv, [first, last)
    last: int


def steps(capacity):
    """[first, last) of each run of one capacity, within 1 %."""
    found = []
    for i, value in enumerate(capacity):
        if found and abs(value - capacity[found[-1][0]]) <= 0.01 * capacity[found[-1][0]]:
            found[-1][1] = i + 1
        else:
            found.append([i, i + 1])
    return found


def phases(call):
    """The phases of a step schedule; none when the capacity is constant, a
    trace, or not known throughout."""
    time, capacity = call.samples['time'], call.samples.get('capacity', [])
    if not capacity or any(math.isnan(c) or c <= 0 for c in capacity):
        return []
    runs = []
    for first, last in steps(capacity):
        # The bin in which the step falls holds the mean of both sides.
        if runs and last - first == 1 and last < len(time):
            runs[-1][1] = last
        else:
            runs.append([first, last])
    out = []
    for first, last in runs:
        start = time[first - 1] if first else max(0.0, time[0] - call.bin)
        before = out[-1].capacity if out else NAN
        out.append(Phase(start, time[last - 1], capacity[first], before, first, last))
    if not 2 <= len(out) <= MOST_PHASES or any(p.end - p.start < SHORTEST_PHASE for p in out):
        return []
    return out


def whole(call):
    time = call.samples['time']
    return Phase(0.0, time[-1], NAN, NAN, 0, len(time))


def column(call, name, phase):
    values = call.samples.get(name)
    return values[phase.first:phase.last] if values else []


def utilisation(call, phase):
    """Bits received over bits the link could carry, where both are known."""
    pairs = [(r, c) for r, c in zip(column(call, 'received', phase),
                                    column(call, 'capacity', phase))
             if not math.isnan(r + c)]
    carried = sum(c for _, c in pairs)
    return sum(r for r, _ in pairs) / carried if carried > 0 else NAN


def share(call, phase, part, whole):
    """Of the packets in one column, over the bins in which both are known; NaN: of none."""
    pairs = [(p, w) for p, w in zip(column(call, part, phase), column(call, whole, phase))
             if not math.isnan(p + w)]
    of = sum(w for _, w in pairs)
    return sum(p for p, _ in pairs) / of if of > 0 else NAN


def lost(call, phase):
    """Lost on the link, of the media packets that left.  Who wrote no packets but a share in
    each bin: those weigh by what was sent in them when that is known."""
    if known(column(call, 'lost', phase)):
        return share(call, phase, 'lost', 'left')
    loss = column(call, 'loss', phase)
    sent = column(call, 'sent', phase) or [1.0] * len(loss)
    pairs = [(l, s) for l, s in zip(loss, sent) if not math.isnan(l + s)]
    total = sum(s for _, s in pairs)
    return sum(l * s for l, s in pairs) / total if total > 0 else NAN


def unsent(call, phase):
    """Dropped before sending, of the media packets that came to the sender's send path."""
    return share(call, phase, 'unsent', 'offered')


def late(call, phase):
    """Too late, of the media packets that left."""
    return share(call, phase, 'late', 'left')


def picture(call, phase):
    """Mean PSNR of the frames shown in the phase."""
    if 'psnr' in call.frames or 'psnr-y' in call.frames:
        values = call.frames.get('psnr') or call.frames['psnr-y']
        return mean([v for t, v in zip(call.frames['time'], values)
                     if phase.start <= t <= phase.end])
    return mean(column(call, 'psnr', phase))


def convergence(call, phase):
    """Seconds until the call has settled.  At the start and after a rise: the first second in
    which 90 % of the capacity arrives. Where the source wants less, that is 90 % of what it
    wants. After a fall: the first second in which the queue stays below 50 ms. NaN when it never
    does, or is not known."""
    fall = phase.capacity < phase.before
    values = column(call, 'queue' if fall else 'received', phase)
    goal = SETTLED_SHARE * min(phase.capacity, call.ceiling)
    span = max(1, round(SETTLED_SPAN / call.bin))
    for i in range(len(values) - span + 1):
        window = values[i:i + span]
        if max(window) < SETTLED_QUEUE if fall else sum(window) / span >= goal:
            begun = call.samples['time'][phase.first + i - 1] if i else phase.start
            return begun - phase.start
    return NAN


@dataclasses.dataclass
class Freezes:
    frames: int = 0         # frozen frames, or bins when no frames were recorded
    spans: list = dataclasses.field(default_factory=list)     # [(start, end)] in s
    known: bool = False

    @property
    def longest(self):
        return max((end - start for start, end in self.spans), default=0.0)


def freezes(call):
    source = call.frames if call.frames.get('frozen') else call.samples
    flags, time = source.get('frozen') or [], source['time']
    found = Freezes(known=bool(known(flags)))
    for i, flag in enumerate(flags):
        if not flag >= 0.5:
            continue
        found.frames += 1
        # A bin ends at its time; a frame is on the screen until the next one.
        start = time[i] - call.bin if source is call.samples else time[i]
        end = time[i] if source is call.samples else time[min(i + 1, len(time) - 1)]
        if i and flags[i - 1] >= 0.5:
            found.spans[-1] = (found.spans[-1][0], end)
        else:
            found.spans.append((start, end))
    return found


def opened(call):
    """When the circuit breaker stopped the media, in s; NaN: it did not."""
    for time, state in zip(call.samples['time'], call.samples.get('breaker', [])):
        if state == 'open':
            return time
    return math.nan
