# SPDX-License-Identifier: LGPL-2.1-or-later
"""Many runs on one page: how their delay, queue, rate and picture are distributed.

Runs of one name, such as one profile with several seeds, are one line."""
import collections
import dataclasses
import html
import math

from . import charts, draw, measure, page, Refusal

COLOURS = ('target', 'received', 'sent', 'encoder', 'over', 'capacity')
DASHES = ('', 'dashed', 'dotted')
STEPS = 400             # points of a line at most; a pixel is more
SHARES = (0.05, 0.5, 0.95, 0.99)

esc = html.escape


@dataclasses.dataclass
class Distribution(charts.Chart):
    def describe(self):
        return '; '.join(
            f'{s.label}: half at or below {at(s, 50):.{self.digits}f} {self.across[2]}, 95 % at '
            f'or below {at(s, 95):.{self.digits}f} {self.across[2]}' for s in self.series) + '.'

    @property
    def one_value(self):
        """Nothing is to be seen where all values of all lines are the same."""
        return len({value for s in self.series for value in s.time}) == 1


def at(series, percent):
    """The value that so many per cent do not exceed."""
    return next(x for x, y in zip(series.time, series.values[1:]) if y >= percent - 1e-9)


def column(name, scale=1.0):
    return lambda call: [v * scale for v in measure.known(call.samples.get(name, []))]


def pictures(call):
    return measure.known(charts.frames_or_bins(call)[1])


# key, title, unit, digits, the values of a call
MEASURES = (
    ('rate', 'Received', 'kbit/s', 0, column('received', 1e-3)),
    ('delay', 'One-way delay, means of bins', 'ms', 1, column('owd')),
    ('queue', 'Wait in the queue', 'ms', 1, column('queue')),
    ('loss', 'Lost on the link, of a bin', '%', 1, column('loss', 100.0)),
    ('psnr', 'PSNR, of frames', 'dB', 1, pictures),
)


def steps(values):
    """(values, shares in per cent) of the cumulative distribution, thinned out.  A share is that
    of the values before: it stands from the last value to its own, as in a bin."""
    values, n = sorted(values), len(values)
    ranks = sorted({math.ceil(n * i / STEPS) for i in range(1, STEPS + 1)} if n > STEPS
                   else range(1, n + 1))
    return [values[r - 1] for r in ranks] + values[-1:], [0.0] + [100.0 * r / n for r in ranks]


def grouped(calls):
    groups = {}
    for call in calls:
        groups.setdefault(call.label, []).append(call)
    if len(groups) > len(COLOURS) * len(DASHES):
        raise Refusal(f'{len(groups)} names are too many for one page, which has '
                      f'{len(COLOURS) * len(DASHES)} lines; runs of one name are one line')
    return groups


def pooled(groups, values_of):
    found = {label: [v for call in calls for v in values_of(call)]
             for label, calls in groups.items()}
    return {label: values for label, values in found.items() if values}


def chart(groups, key, title, unit, digits, values_of):
    series = []
    for label, values in pooled(groups, values_of).items():
        i = list(groups).index(label)
        time, shares = steps(values)
        series.append(charts.Series(key, label, COLOURS[i % len(COLOURS)], time, shares, 'step',
                                    DASHES[i // len(COLOURS)], 1.8))
    low = min((s.time[0] for s in series), default=0.0)
    high = max((s.time[-1] for s in series), default=1.0)
    room = 0.02 * (high - low) or 1.0
    return Distribution(key, title, '%', series, bottom=0.0, top=102.0, digits=digits,
                        across=(low - room, high + room, unit))


def figure(made):
    drawings = ''.join(draw.svg(made, size, 1.0) for size in draw.SIZES)
    return (f'<figure id="{made.key}"><figcaption><h2>{esc(made.title)} '
            f'<small>{esc(made.across[2])}; % of the values at or below</small></h2>{page.legend(made)}</figcaption>'
            f'{drawings}</figure>')


def said(made):
    value = page.plain(made.series[0].time[0], made.digits, made.across[2])
    return f'<p class="note"><b>{esc(made.title)}</b>: {value} in all runs.</p>'


def table(groups, title, unit, digits, values_of):
    rows = []
    for label, values in pooled(groups, values_of).items():
        rows.append((label, str(len(groups[label])), page.plain(measure.mean(values), digits),
                     *(page.plain(measure.percentile(values, share), digits)
                       for share in SHARES)))
    heads = ('Name', 'Runs', 'Mean', *(f'{100 * share:g} %' for share in SHARES))
    return page.table(f'{title}, {unit}', heads, rows)


def named(calls, groups):
    """Runs of one name are told apart by a number where each has a row."""
    seen, out = collections.Counter(), []
    for call in calls:
        seen[call.label] += 1
        out.append(dataclasses.replace(call, label=f'{call.label} {seen[call.label]}')
                   if len(groups[call.label]) > 1 else call)
    return out


def render(calls):
    groups = grouped(calls)
    shown = named(calls, groups)
    made = [(chart(groups, *what), what) for what in MEASURES]
    body = ''.join(said(one) if one.one_value else figure(one) + table(groups, *what[1:])
                   for one, what in made if one.series)
    title = f'{page.many(len(calls), "call")} compared'
    return page.document(title, f'''<header><h1>{esc(title)}</h1>
<p class="note">{page.many(len(groups), "name")}. Each value of each run counts once; runs of one
name are one line.</p></header>
{page.overview(shown)}
{body or '<p class="note">No column can be drawn.</p>'}
{page.summary_table(shown) if len(shown) <= 12 else ''}''')
