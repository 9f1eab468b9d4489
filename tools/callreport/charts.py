# SPDX-License-Identifier: LGPL-2.1-or-later
"""Which charts a page has and what each shows; draw.py says how."""
import dataclasses
import math

from . import measure

# Colours are names here and CSS variables in the page, so that one drawing
# serves light and dark.  A second run gets "other" throughout.
STATES = {'decrease': 'over', 'hold': 'capacity', 'increase': 'under'}
FBRA_STATES = {'down': 'over', 'stay': 'capacity', 'probe': 'target', 'up': 'sent'}
USAGES = {'over': 'over', 'overuse': 'over', 'over-use': 'over',
          'under': 'under', 'underuse': 'under', 'under-use': 'under'}
FLAT = 0.01             # of a chart's height: less than two pixels


@dataclasses.dataclass
class Series:
    name: str           # column
    label: str
    colour: str
    time: list
    values: list        # in the unit of the chart
    kind: str = 'line'  # line, step, area (filled step)
    dash: str = ''      # '', dashed, dotted
    width: float = 1.6


@dataclasses.dataclass
class Spans:
    label: str
    colour: str
    spans: list         # [(start, end)] in s
    kind: str = 'shade'  # shade (full height), rug (ticks at the bottom), ribbon
    row: int = 0        # of the rug


@dataclasses.dataclass
class Chart:
    key: str
    title: str
    unit: str
    series: list
    spans: list = dataclasses.field(default_factory=list)
    bottom: float = 0.0
    top: float = 1.0
    digits: int = 2
    low: bool = False   # needs less height
    log: bool = False   # logarithmic; bottom and values are above 0
    across: tuple = None        # (lowest, highest, unit) of x; None: it is the time

    def describe(self):
        """The picture in words, for those who cannot see it."""
        parts = []
        for s in self.series:
            values = measure.known(s.values)
            if values:
                parts.append(f'{s.label}: lowest {min(values):.{self.digits}f}, mean '
                             f'{measure.mean(values):.{self.digits}f}, highest '
                             f'{max(values):.{self.digits}f} {self.unit}'.rstrip())
        parts += [f'{s.label}: {len(s.spans)} times' for s in self.spans if s.spans]
        return '; '.join(parts) + '.'

    def level(self):
        """Where each line of a flat chart is."""
        return '; '.join(f'{s.label} {measure.mean(s.values):.{self.digits}f} {self.unit}'.rstrip()
                         for s in self.series if s.label and measure.known(s.values))

    @property
    def flat(self):
        """No line moves by more than FLAT of the height, and nothing is marked.  Two runs that
        differ are not flat."""
        def height(value):
            value = min(max(value, self.bottom), self.top)
            return math.log10(value) if self.log else value
        seen = {}
        for s in self.series:
            seen.setdefault((s.name, bool(s.label)), []).extend(map(height, measure.known(s.values)))
        moves = max((max(v) - min(v) for v in seen.values() if v), default=0.0)
        ribbons = sum(len(s.spans) for s in self.spans if s.kind == 'ribbon')
        marked = any(s.spans for s in self.spans if s.kind != 'ribbon')
        return not marked and ribbons < 2 and moves <= FLAT * (height(self.top)
                                                               - height(self.bottom))


def tag(calls, call, label):
    return f'{label}, {call.label}' if len(calls) > 1 else label


def pick(call, name, scale=1.0):
    values = call.samples.get(name, [])
    return [v * scale for v in values] if measure.known(values) else []


def gather(calls, wanted, scale=1.0):
    """wanted: (column, label, colour, options, also for a second run)."""
    out = []
    for i, call in enumerate(calls):
        for name, label, colour, extra, both in wanted:
            values = pick(call, name, scale)
            if values and (both or i == 0):
                text = tag(calls, call, label) if both else label
                out.append(Series(name, text, 'other' if i else colour,
                                  call.samples['time'], values, **extra))
    return out


def highest(series, names=None):
    return max((max(measure.known(s.values)) for s in series
                if names is None or s.name in names), default=0.0)


def rate(calls):
    alone = len(calls) == 1
    wanted = [('capacity', 'capacity', 'capacity', {'kind': 'area'}, False)]
    if alone:
        wanted += [('sent', 'sent', 'sent', {'width': 1.2, 'dash': 'dotted'}, False),
                   ('encoder', 'encoder', 'encoder', {'kind': 'step', 'width': 1.2,
                                                      'dash': 'dashed'}, False)]
    wanted += [('received', 'received', 'received', {'width': 2.0}, True),
               ('target', 'target', 'target' if alone else 'received',
                {'kind': 'step', 'width': 1.4 if alone else 1.1,
                 'dash': '' if alone else 'dotted'}, True)]
    series = gather(calls, wanted)
    # A link that is never the bottleneck must not flatten the rest.
    rates = highest(series, ('target', 'encoder', 'sent', 'received'))
    top = max(rates, min(highest(series), 2 * rates or math.inf)) or 1.0
    mega = top >= 1e6
    for s in series:
        s.values = [v / (1e6 if mega else 1e3) for v in s.values]
    return Chart('rate', 'Rate', 'Mbit/s' if mega else 'kbit/s', series,
                 top=1.08 * top / (1e6 if mega else 1e3), digits=2 if mega else 0)


def delay(calls):
    alone = len(calls) == 1
    wanted = [('queue', 'queue', 'received', {'kind': 'area'}, alone)] if alone else []
    if alone:
        wanted += [('rtt', 'round trip', 'capacity', {'dash': 'dotted', 'width': 1.3}, False)]
    wanted += [('owd-p95', 'one-way, 95th percentile', 'encoder' if alone else 'received',
                {'dash': 'dashed', 'width': 1.2}, alone),
               ('owd', 'one-way', 'target' if alone else 'received', {'width': 1.8}, True)]
    if not alone:
        wanted = [w for w in wanted if w[0] == 'owd'] + \
            [('queue', 'queue', 'received', {'dash': 'dotted', 'width': 1.2}, True)]
    series = gather(calls, wanted)
    return Chart('delay', 'Delay', 'ms', series, top=1.08 * highest(series) or 1.0, digits=0)


def shares(call):
    """With what was unsent and late in each bin as a share, which samples.csv has as packets."""
    def of(part, whole):
        pairs = zip(call.samples.get(part, []), call.samples.get(whole, []))
        return [p / w if w > 0 else math.nan for p, w in pairs]
    return dataclasses.replace(call, samples={
        **call.samples, 'unsent-share': of('unsent', 'offered'), 'late-share': of('late', 'left')})


def loss(calls):
    """What only a sender heard is loss by another definition, and drawn where there is no
    other."""
    alone, views = len(calls) == 1, [shares(call) for call in calls]
    series = gather(views, [('loss', 'lost on the link', 'received', {'kind': 'area'}, True)],
                    100.0)
    if not series:
        series = gather(views, [('reported-loss', 'loss as reported to the sender', 'received',
                                 {'kind': 'area'}, True)], 100.0)
    if alone:
        series += gather(views, [
            ('unsent-share', 'dropped before sending', 'encoder', {'dash': 'dashed'}, False),
            ('late-share', 'too late', 'target', {'dash': 'dotted'}, False)], 100.0)
    return Chart('loss', 'Lost, unsent, late', '%', series,
                 top=max(2.0, 1.08 * highest(series)), digits=1, low=True)


def frames_or_bins(call):
    for name in ('psnr', 'psnr-y'):
        if measure.known(call.frames.get(name, [])):
            return call.frames['time'], call.frames[name]
    return call.samples['time'], pick(call, 'psnr')


def picture(calls):
    series, spans = [], []
    for i, call in enumerate(calls):
        time, values = frames_or_bins(call)
        colour = 'other' if i else 'target' if len(calls) == 1 else 'received'
        if values:
            series.append(Series('psnr', tag(calls, call, 'PSNR'), colour, time, values,
                                 width=1.2))
        frozen = measure.freezes(call)
        if frozen.spans:
            label = tag(calls, call, 'frozen')
            mark = 'over' if len(calls) == 1 else 'other' if i else 'received'
            if len(calls) == 1:
                spans.append(Spans(label, mark, frozen.spans))
            spans.append(Spans(label, mark, frozen.spans, 'rug', i))
    every = [v for s in series for v in measure.known(s.values)]
    low, high = (min(every), max(every)) if every else (0.0, 1.0)
    room = max(1.0, 0.08 * (high - low))
    return Chart('psnr', 'Picture quality', 'dB', series, spans, bottom=max(0.0, low - 2 * room),
                 top=high + room, digits=1)


def runs_of(call, name):
    """{text: [(start, end)]} of a text column."""
    out, time = {}, call.samples['time']
    texts = call.samples.get(name, [])
    for i, text in enumerate(texts):
        start = time[i - 1] if i else max(0.0, time[0] - call.bin)
        if i and text == texts[i - 1]:
            out[text][-1] = (out[text][-1][0], time[i])
        else:
            out.setdefault(text, []).append((start, time[i]))
    out.pop('', None)
    return out


def estimator(calls):
    series = gather(calls, [('estimate', 'estimate', 'target' if len(calls) == 1 else 'received',
                             {'width': 1.4}, True)])
    spans = []
    call = calls[0]
    limit = pick(call, 'threshold')
    if limit:
        for label, values in (('threshold', limit), ('', [-v for v in limit])):
            series.append(Series('threshold', label, 'capacity', call.samples['time'], values,
                                 dash='dashed', width=1.2))
    if len(calls) == 1:
        for text, found in runs_of(call, 'usage').items():
            if text.lower() in USAGES:
                spans.append(Spans(f'usage: {text}', USAGES[text.lower()], found))
        spare = ['encoder', 'sent', 'target', 'received']
        for text, found in runs_of(call, 'state').items():
            colour = STATES.get(text.lower()) or (spare.pop(0) if spare else 'muted')
            spans.append(Spans(f'state: {text}', colour, found, 'ribbon'))
    top = 1.1 * max((abs(v) for s in series for v in measure.known(s.values)), default=1.0) or 1.0
    if limit:       # a spike must not flatten what happens around the threshold
        top = min(top, 6 * max(measure.known(limit)) or top)
    lowest = min((v for s in series for v in measure.known(s.values)), default=0.0)
    return Chart('estimator', 'Delay estimator', '', series, spans, top=top,
                 bottom=-top if lowest < 0 else 0.0)


def until_open(call, name):
    """What the breaker went by: of the reports after it opened, none counts."""
    states = call.samples.get('breaker', [])
    values = call.samples.get(name, [])
    return [math.nan if i and i < len(states) and states[i] == states[i - 1] == 'open' else v
            for i, v in enumerate(values)]


def heard(calls, wanted, scale=1.0):
    """As gather(), of the breaker's columns."""
    views = [dataclasses.replace(call, samples={
        **call.samples, **{w[0]: until_open(call, w[0]) for w in wanted}}) for call in calls]
    return gather(views, wanted, scale)


def openings(calls):
    spans = []
    for i, call in enumerate(calls):
        found = runs_of(call, 'breaker') if 'breaker' in call.samples else {}
        for state, colour in (('reduced', 'encoder'), ('open', 'over')):
            if state in found:
                colour = 'other' if i else colour
                spans.append(Spans(tag(calls, call, state), colour, found[state]))
    return spans


def breaker(calls):
    alone = len(calls) == 1
    wanted = [('breaker-limit', 'opens above (no bound without loss)', 'over',
               {'kind': 'step', 'width': 1.6, 'dash': 'dashed'}, True)]
    if alone:
        wanted += [('breaker-tcp', 'TCP would get', 'capacity',
                    {'kind': 'step', 'width': 1.4, 'dash': 'dotted'}, False)]
    wanted += [('breaker-sent', 'sent', 'sent' if alone else 'received',
                {'kind': 'step', 'width': 2.0}, True)]
    series = heard(calls, wanted, 1e-3)
    for s in series:        # there is no 0 on a logarithmic scale
        s.values = [v if v > 0 else math.nan for v in s.values]
    series = [s for s in series if measure.known(s.values)]
    every = [v for s in series for v in measure.known(s.values)]
    # A limit far above what is sent says no more than that it is far above.
    sent = highest(series, ('breaker-sent',)) or max(every, default=1.0)
    return Chart('breaker', 'Circuit breaker: rates', 'kbit/s', series, openings(calls),
                 bottom=10 ** math.floor(math.log10(min(every, default=1.0))),
                 top=12 * sent, digits=0, log=True)


def breaker_loss(calls):
    series = heard(calls, [('breaker-loss', 'loss', 'received', {'kind': 'area'}, True)], 100.0)
    return Chart('breaker-loss', 'Circuit breaker: loss reported to it', '%', series,
                 openings(calls), top=max(2.0, 1.08 * highest(series)), digits=1, low=True)


def breaker_rtt(calls):
    series = heard(calls, [('breaker-rtt', 'round trip', 'received', {'kind': 'area'}, True)])
    return Chart('breaker-rtt', 'Circuit breaker: round trip, smoothed', 'ms', series,
                 openings(calls), top=1.08 * highest(series) or 1.0, digits=0, low=True)


DROPPED = (('expired', 'over'), ('full', 'encoder'), ('frame', 'sent'), ('old', 'muted'))


def drops(call, cause):
    """The bins in which the mux dropped packets for this cause, neighbours as one."""
    counts, time, found = call.samples.get(f'dropped-{cause}', []), call.samples['time'], []
    for i, count in enumerate(counts):
        if not count > (counts[i - 1] if i else 0):
            continue
        start = time[i - 1] if i else max(0.0, time[0] - call.bin)
        if found and found[-1][1] == start:
            found[-1] = (found[-1][0], time[i])
        else:
            found.append((start, time[i]))
    return found


def on_time(calls):
    alone = len(calls) == 1
    series = gather(calls, [
        ('video-on-time', 'video', 'target' if alone else 'received', {'width': 1.6}, True),
        ('audio-on-time', 'audio', 'received', {} if alone else {'dash': 'dotted'}, True)], 100.0)
    spans = []
    if alone:
        for row, (cause, colour) in enumerate(DROPPED):
            found = drops(calls[0], cause)
            if found:
                spans.append(Spans(f'dropped: {cause}', colour, found, 'rug', row))
    return Chart('on-time', 'On time: arrived within 200 ms', '%', series, spans, top=105.0,
                 digits=1, low=True)


def wait(calls):
    alone = len(calls) == 1
    series = gather(calls, [
        ('video-wait', 'video', 'target' if alone else 'received', {'width': 1.6}, True),
        ('audio-wait', 'audio', 'received', {} if alone else {'dash': 'dotted'}, True)])
    return Chart('wait', 'Wait in the mux', 'ms', series, top=1.08 * highest(series) or 1.0,
                 digits=0, low=True)


def parity(calls):
    alone = len(calls) == 1
    series = gather(calls, [('fec', 'parity', 'encoder' if alone else 'received',
                             {'kind': 'area', 'width': 1.2}, True)], 1e-3)
    spans = []
    if alone and series:
        for text, found in runs_of(calls[0], 'state').items():
            if text.lower() in FBRA_STATES:
                spans.append(Spans(f'state: {text.lower()}', FBRA_STATES[text.lower()], found,
                                   'ribbon'))
    return Chart('parity', 'Parity, which probes and repairs', 'kbit/s', series, spans,
                 top=1.08 * highest(series) or 1.0, digits=1, low=True)


def of(calls):
    """The charts that have something to show: what came of the call, then how it came about."""
    made = [make(calls) for make in (rate, delay, loss, picture, on_time, estimator, parity,
                                     breaker, breaker_loss, breaker_rtt, wait)]
    return [chart for chart in made if chart.series]
