# SPDX-License-Identifier: LGPL-2.1-or-later
"""The page around the charts."""
import html
import json
import math
import pathlib
import re
import urllib.parse

from . import charts, draw, measure, read

HERE = pathlib.Path(__file__).resolve().parent
MOST_MARKERS = 40       # events drawn into the charts; the list has them all
UNKNOWN = '\u2013'

esc = html.escape


def plain(value, digits, unit=''):
    if value is None or not math.isfinite(value):
        return UNKNOWN
    return f'{value:.{digits}f}'.replace('-', '\u2212') + (f'\u00a0{unit}' if unit else '')


def rate(bps):
    mega = math.isfinite(bps) and abs(bps) >= 999.5e3
    return plain(bps / (1e6 if mega else 1e3), 2 if mega else 0, 'Mbit/s' if mega else 'kbit/s')


def share(value, digits=1):
    return plain(100 * value, digits, '%')


def quantity(value, unit):
    """A figure of call.json in the unit a person reads."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return UNKNOWN if value is None else f'{value} {unit}'.strip()
    if not abs(value) <= read.LARGEST:
        return UNKNOWN
    if unit == 'bit/s':
        return rate(value)
    if unit == 'ratio':
        return share(value, 2 if abs(value) < 0.1 else 1)
    if isinstance(value, int) or value == round(value):
        return plain(value, 0, unit)
    return plain(value, {'ms': 1, 's': 2, 'dB': 2}.get(unit, 3), unit)


TITLES = {'gstreamer': 'GStreamer'}
DATA = {'samples.csv': 'text/csv', 'frames.csv': 'text/csv', 'events.csv': 'text/csv',
        'call.json': 'application/json'}
LOSSES = ('Lost on the link', 'Dropped before sending', 'Too late')


def losses(call, phase):
    return tuple(quantity(of(call, phase), 'ratio')
                 for of in (measure.lost, measure.unsent, measure.late))


def many(number, word):
    return f'{number} {word}' + ('' if number == 1 else 's')


def bounded(call):
    """What the link carries is not all asked for where the source's highest rate is below it."""
    if call.ceiling >= max(measure.known(call.samples['capacity'])):
        return ''
    return f' (the source asks for {rate(call.ceiling)} at most)'


def verdict(call):
    """How the call went, in one line."""
    phase, parts = measure.whole(call), []
    used = measure.utilisation(call, phase)
    quality = measure.picture(call, phase)
    queue = measure.percentile(call.samples.get('queue', []), 0.95)
    frozen = measure.freezes(call)
    opened = measure.opened(call)
    if math.isfinite(opened):
        parts.append(f'the circuit breaker stopped the media after {plain(opened, 1, "s")}')
    if math.isfinite(used):
        parts.append(f'delivered {share(used, 0)} of the link\u2019s capacity{bounded(call)}')
    elif measure.known(call.samples.get('received', [])):
        parts.append(f'delivered {rate(measure.mean(call.samples["received"]))}')
    if math.isfinite(quality):
        parts.append(f'mean PSNR {plain(quality, 1, "dB")}')
    if math.isfinite(queue):
        parts.append(f'queue below {plain(queue, 0, "ms")} for 95\u00a0% of the time')
    if frozen.spans:
        parts.append(f'{many(len(frozen.spans), "freeze")}, the longest '
                     f'{plain(frozen.longest, 2, "s")}')
    elif frozen.known:
        parts.append('no freezes')
    return '; '.join(parts) or 'nothing was measured'


def machine(call, named):
    """Whether the machine was fast enough: a line, and a warning where it was not."""
    texts = [call.info['machine'].get(name) for name in ('line', 'warning')]
    line, warning = (text if isinstance(text, str) else '' for text in texts)
    name = f'<b>{esc(call.label)}</b>: ' if named else ''
    out = f'<p class="warning" role="alert">{name}{esc(capital(warning))}.</p>' if warning else ''
    return out + (f'<p class="note">{name}Machine: {esc(line)}.</p>' if line else '')


def table(caption, heads, rows, leading=1):
    """Cells are text; the first `leading` of a row are its headers."""
    out = [f'<div class="scroll" tabindex="0" role="region" aria-label="{esc(caption)}">'
           f'<table><caption>{esc(caption)}</caption><thead><tr>']
    out += [f'<th scope="col"{" class=leading" if i < leading else ""}>{esc(head)}</th>'
            for i, head in enumerate(heads)]
    out.append('</tr></thead><tbody>')
    for row in rows:
        out.append('<tr>' + ''.join(
            f'<th scope="row">{esc(cell)}</th>' if i < leading else f'<td>{esc(cell)}</td>'
            for i, cell in enumerate(row)) + '</tr>')
    out.append('</tbody></table></div>')
    return ''.join(out)


def downloads(call):
    """Links to the files that the page was made of.  The files are in the links, so that they
    are at hand wherever the page is."""
    out = []
    for name, kind in DATA.items():
        path = call.directory / name
        if path.exists():
            text = urllib.parse.quote(path.read_bytes(), safe=',.:;=()')
            out.append(f'<a download="{name}" href="data:{kind};charset=utf-8,{text}">{name}</a>')
    return ', '.join(out)


def title_block(call, named):
    """Over which link, of what film, by what: all that a figure must be read with."""
    info = call.info
    facts = [(TITLES.get(name, capital(name)), text) for name, text in info['about'].items()]
    facts += [('Made with', info['version']), ('Duration', plain(call.duration, 1, 's')),
              ('Date', re.sub(r'\.\d+', '', info['started']).replace('T', ' ', 1))]
    rows = ''.join(f'<div><dt>{esc(name)}</dt><dd>{esc(text)}</dd></div>'
                   for name, text in facts if text)
    name = f'<h2>{esc(call.label)}</h2>' if named else ''
    return (f'{name}<dl class="block">{rows}<div><dt>Data</dt><dd>{downloads(call)}</dd></div>'
            '</dl>')


def overview(calls):
    rows = []
    for call in calls:
        phase, frozen = measure.whole(call), measure.freezes(call)
        queue = call.samples.get('queue', [])
        rows.append((
            call.label, share(measure.utilisation(call, phase)),
            rate(measure.mean(call.samples.get('received', []))),
            plain(measure.picture(call, phase), 1, 'dB'),
            plain(measure.percentile(queue, 0.95), 0, 'ms'), *losses(call, phase),
            str(len(frozen.spans)) if frozen.known else UNKNOWN,
            plain(frozen.longest, 2, 's') if frozen.known else UNKNOWN))
    return table('The call in one line', (
        'Run', 'Delivered\u00a0/ capacity', 'Received', 'Mean PSNR', 'Queue p95', *LOSSES, 'Freezes',
        'Longest'), rows)


def phase_row(call, phase, name):
    queue = measure.column(call, 'queue', phase)
    settled = measure.convergence(call, phase)
    return (name, call.label, rate(phase.capacity),
            share(measure.utilisation(call, phase)), plain(measure.percentile(queue, 0.5), 0, 'ms'),
            plain(measure.percentile(queue, 0.95), 0, 'ms'), *losses(call, phase),
            plain(measure.picture(call, phase), 1, 'dB'), plain(settled, 1, 's'))


def phase_table(calls):
    found = [measure.phases(call) for call in calls]
    if not any(found):
        return ''
    rows = []
    for i in range(max(map(len, found))):
        for call, phases in zip(calls, found):
            if i < len(phases):
                p = phases[i]
                rows.append(phase_row(call, p, f'{p.start:.0f}\u2013{p.end:.0f}\u00a0s'))
    heads = ('Phase', 'Run', 'Capacity', 'Utilisation', 'Queue p50', 'Queue p95', *LOSSES,
             'Mean PSNR', 'Settled after')
    leading = 2
    if len(calls) == 1:
        rows, heads, leading = [r[:1] + r[2:] for r in rows], heads[:1] + heads[2:], 1
    return ('<section><h2>Phase by phase</h2>'
            + table('Phases of constant capacity', heads, rows, leading)
            + '<p class="note">Settled: at the start and after a rise, the first second in which '
            '90&nbsp;% of the capacity arrives (or of the source\u2019s highest rate, when that is '
            'less); after a fall, the first second in which the queue stays below 50&nbsp;ms. '
            f'{UNKNOWN} means never, or not measured.</p></section>')


def summary_table(calls):
    names = list(dict.fromkeys(n for call in calls for n in call.info['summary']))
    if not names:
        return ''
    rows = []
    for name in names:
        row = [name]
        for call in calls:
            entry = call.info['summary'].get(name)
            row.append(quantity(entry['value'], str(entry.get('unit') or '')) if entry else UNKNOWN)
        rows.append(row)
    heads = ('Figure', 'Value') if len(calls) == 1 else ('Figure', *(c.label for c in calls))
    return ('<section class="facts"><h2>Summary</h2>' + table('As the call itself summed up', heads, rows)
            + '</section>')


def event_list(calls):
    out, number = [], 0
    for call in calls:
        events, rows = call.events, []
        for i, time in enumerate(events['time']):
            rows.append((str(i + 1), f'{time:.2f}\u00a0s', *(
                events.get(name, [''] * len(events['time']))[i]
                for name in ('source', 'what', 'detail'))))
        number += len(rows)
        if rows:
            caption = 'What happened' if len(calls) == 1 else f'What happened, {call.label}'
            out.append(table(caption, ('No.', 'Time', 'Source', 'What', 'Detail'), rows))
    if not out:
        return ''
    return (f'<section class="texts"><h2>Events</h2><details{" open" if number <= 12 else ""}>'
            f'<summary>{many(number, "event")}</summary>{"".join(out)}</details></section>')


def making(calls):
    out = ['<section class="texts"><h2>How it was made</h2>']
    for call in calls:
        info = call.info
        if len(calls) > 1:
            out.append(f'<h3>{esc(call.label)}</h3>')
        if info['flows']:
            out.append(f'<p class="note">Flows: {esc(", ".join(map(str, info["flows"])))}</p>')
        out.append(f'<pre tabindex="0"><code>{esc(info["command"])}</code></pre>')
        if info['profile']:
            rows = [(name, value if isinstance(value, str) else json.dumps(value))
                    for name, value in info['profile'].items()]
            out.append('<details><summary>' + many(len(rows), 'setting') + '</summary>'
                       + table('Settings in force', ('Setting', 'Value'), rows) + '</details>')
    return ''.join(out) + '</section>'


def swatch(item):
    kind = item.kind if isinstance(item, charts.Spans) else item.dash or 'solid'
    return f'<i class="swatch {kind}" style="--c:var(--{item.colour})" aria-hidden="true"></i>'


def legend(chart):
    out, seen = [], set()
    for i, item in enumerate(chart.series):
        if item.label:
            out.append(f'<li>{swatch(item)}{esc(item.label)} <b data-series="{i}"></b></li>')
    for item in chart.spans:
        if item.label not in seen:
            seen.add(item.label)
            out.append(f'<li>{swatch(item)}{esc(item.label)}</li>')
    return '<ul class="legend">' + ''.join(out) + '</ul>'


def figure(chart, call, duration, first):
    steps = [p.start for p in measure.phases(call)[1:]]
    events = [t for t in call.events['time'] if 0 <= t <= duration]
    if len(events) > MOST_MARKERS:
        events = []
    drawings = ''.join(draw.svg(chart, size, duration, steps, events, first)
                       for size in draw.SIZES)
    unit = f' <small>{esc(chart.unit)}</small>' if chart.unit else ''
    out = (f'<figure id="{chart.key}"><figcaption><h2>{esc(chart.title)}{unit}'
           f' <small class="at"></small></h2>{legend(chart)}</figcaption>'
           f'<div class="plot">{drawings}</div></figure>')
    if first or not chart.flat:
        return out
    return (f'<details class="flat"><summary><b>{esc(chart.title)}</b>, flat: '
            f'{esc(chart.level())}</summary>{out}</details>')


def figures(made, call, duration):
    """What moves comes first; the rates always do."""
    order = made[:1] + sorted(made[1:], key=lambda chart: chart.flat)
    return ''.join(figure(chart, call, duration, chart is made[0]) for chart in order) \
        or '<p class="note">No column of samples.csv can be drawn.</p>'


def hover_data(made, duration):
    """For page.js only; nothing on the page depends on it."""
    def short(values):
        return [None if math.isnan(v) else float(f'{v:.4g}') for v in values]
    times = []
    for series in (s for c in made for s in c.series):
        if series.time not in times:
            times.append(series.time)
    data = {'duration': duration, 'times': [[round(t, 3) for t in time] for time in times],
            'charts': {c.key: {'unit': c.unit, 'digits': c.digits, 'series': [
                {'time': times.index(s.time), 'label': s.label, 'values': short(s.values)}
                if s.label else None for s in c.series], 'marks': [
                [s.label, [[round(t, 3) for t in span] for span in s.spans]]
                for s in c.spans if s.kind != 'rug']} for c in made}}
    return json.dumps(data, separators=(',', ':'), allow_nan=False).replace('<', '\\u003c')


def document(title, main, scripts=''):
    return f'''<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src \
'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">
<title>{esc(title)}</title>
<link rel="icon" href="data:,">
<style>
{(HERE / 'page.css').read_text(encoding='utf-8')}</style>
</head>
<body>
<main>
{main}
</main>
{scripts}
</body>
</html>
'''


def render(calls):
    duration = max(call.duration for call in calls) or 1.0
    made = charts.of(calls)
    title = 'Call report: ' + ' and '.join(call.label for call in calls)
    lines = ''.join(
        f'<p class="verdict">{f"<b>{esc(call.label)}</b>: " if len(calls) > 1 else ""}'
        f'{esc(capital(verdict(call)) if len(calls) == 1 else verdict(call))}.</p>'
        + machine(call, len(calls) > 1) for call in calls)
    blocks = ''.join(title_block(call, len(calls) > 1) for call in calls)
    main = f'''<header><h1>{esc(title)}</h1>{lines}{blocks}</header>
{overview(calls)}
<p class="note keys" hidden>Point at a chart to read its values there. Or go to it with Tab: the
arrow keys move by one row, Page Up and Page Down by ten, Home and End to either end.</p>
{figures(made, calls[0], duration)}
{phase_table(calls)}
{summary_table(calls)}
{event_list(calls)}
{making(calls)}'''
    return document(title, main, f'''<script type="application/json" id="data">\
{hover_data(made, duration)}</script>
<script>
{(HERE / 'page.js').read_text(encoding='utf-8')}</script>''')


def capital(text):
    return text[:1].upper() + text[1:]
