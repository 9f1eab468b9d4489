# SPDX-License-Identifier: LGPL-2.1-or-later
"""One chart as inline SVG.  The only file that knows matplotlib."""
import html
import io
import re

from . import Refusal

try:
    import matplotlib
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.collections import LineCollection
    from matplotlib.figure import Figure
    from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullLocator
except ImportError:
    raise Refusal('the pictures need matplotlib: apt-get install python3-matplotlib, and run '
                  'this with /usr/bin/python3') from None

# Every colour is drawn as a marker that nothing else uses, and becomes a CSS variable of the
# page. Light and dark are then one drawing.
COLOURS = ('ink', 'muted', 'grid', 'capacity', 'target', 'encoder', 'sent', 'received', 'other',
           'over', 'under', 'rule')
MARKER = {name: f'#0102{i:02x}' for i, name in enumerate(COLOURS, 1)}
DASHES = {'': '-', 'dashed': (0, (5, 2)), 'dotted': (0, (1.2, 1.6))}

# One drawing each for wide and narrow windows, as text must not shrink with
# the picture.  In CSS pixels: width, height, left, right, top, bottom margin.
SIZES = {'wide': (1000, 230, 44, 14, 20, 26), 'narrow': (360, 200, 40, 12, 20, 26)}
LOW = 0.66      # height of a chart that needs less
FONT = {'wide': 12.5, 'narrow': 12.0}
SETTINGS = {'svg.fonttype': 'none', 'path.simplify': True, 'path.simplify_threshold': 0.4}


def clock(duration):
    if duration < 120:
        return lambda t, _: f'{t:g} s'
    return lambda t, _: f'{int(t) // 60}:{int(t) % 60:02d}'


def prepare(axes, chart, size, duration):
    axes.set_xlim(*(chart.across[:2] if chart.across else (0, duration)))
    axes.set_yscale('log' if chart.log else 'linear')
    axes.set_ylim(chart.bottom, chart.top)
    wide = size == 'wide'
    axes.xaxis.set_major_locator(MaxNLocator(12 if wide else 5, steps=[1, 2, 3, 5, 6, 10]))
    axes.xaxis.set_major_formatter(FuncFormatter(
        (lambda v, _: f'{v:g}') if chart.across else clock(duration)))
    axes.yaxis.set_major_locator(LogLocator(10) if chart.log else MaxNLocator(
        3 if chart.low else 5, steps=[1, 2, 2.5, 5, 10]))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter(FuncFormatter(lambda v, _: f'{v:g}'.replace('-', '\u2212')))
    axes.tick_params(length=0, labelsize=FONT[size], labelcolor=MARKER['muted'], pad=6)
    axes.grid(axis='y', color=MARKER['grid'], linewidth=1)
    axes.set_axisbelow(True)
    axes.set_facecolor('none')
    for side, spine in axes.spines.items():
        spine.set_visible(side == 'bottom')
        spine.set_color(MARKER['muted'])
        spine.set_linewidth(1)


def lines_at(axes, times, colour, dash, width):
    axes.add_collection(LineCollection(
        [[(t, 0), (t, 1)] for t in times], transform=axes.get_xaxis_transform(), zorder=1.5,
        colors=MARKER[colour], linewidths=width, linestyles=[DASHES[dash]]))


def number_events(axes, events, size, duration):
    """Numbers above the markers, leaving out those that would overlap."""
    pixels = (SIZES[size][0] - SIZES[size][2] - SIZES[size][3]) / duration
    free = -1.0
    for i, time in enumerate(events, 1):
        if 0 <= time <= duration and time * pixels >= free:
            axes.annotate(str(i), (time, 1), xycoords=('data', 'axes fraction'), ha='center',
                          xytext=(0, 5), textcoords='offset points', fontsize=FONT[size] - 1.5,
                          color=MARKER['muted'])
            free = time * pixels + 9 + 6 * len(str(i))


def plot(axes, series):
    colour = MARKER[series.colour]
    if series.kind == 'area':
        axes.fill_between(series.time, series.values, step='pre', color=colour, alpha=0.16,
                          linewidth=0, where=[v == v for v in series.values])
    axes.plot(series.time, series.values, color=colour, linewidth=series.width,
              linestyle=DASHES[series.dash], solid_capstyle='round', solid_joinstyle='round',
              drawstyle='default' if series.kind == 'line' else 'steps-pre')


def shade(axes, spans):
    bars = [(start, max(end - start, 0.0)) for start, end in spans.spans]
    colour, transform = MARKER[spans.colour], axes.get_xaxis_transform()
    if spans.kind == 'rug':
        base = 0.085 * spans.row
        axes.add_collection(LineCollection(
            [[(start, base), (start, base + 0.075)] for start, _ in spans.spans],
            transform=transform, colors=colour, linewidths=1.6, zorder=4))
        axes.broken_barh(bars, (base, 0.075), transform=transform, color=colour, linewidth=0,
                         zorder=4)
    elif spans.kind == 'ribbon':
        axes.broken_barh(bars, (0, 0.05), transform=transform, color=colour, linewidth=0,
                         zorder=4)
    else:
        axes.broken_barh(bars, (0, 1), transform=transform, color=colour, alpha=0.2,
                         linewidth=0, zorder=1)


def clean(text, prefix, opening):
    """matplotlib's document as an element of ours: no prologue, no page-wide
    style, no fixed size, no foreign fonts, unique names, our colours."""
    body = text[text.index('<svg'):text.rindex('</svg>')]
    body = body[body.index('>') + 1:]
    body = re.sub(r'<style.*?</style>', '', body, flags=re.S)
    body = body.replace('xlink:href', 'href')
    used = set(re.findall(r'(?:url\(|href=")#([^)"]+)', body))
    body = re.sub(r' id="([^"]*)"',
                  lambda m: f' id="{prefix}{m[1]}"' if m[1] in used else '', body)
    body = re.sub(r'(url\(|href=")#', rf'\1#{prefix}', body)
    body = re.sub(r'font: ([\d.]+px)[^;"]*', r'font-size: \1', body)
    for name, marker in MARKER.items():
        body = body.replace(marker, f'var(--{name})')
    body = re.sub(r'\s*\n\s*', '\n', body)
    return opening + body + '</svg>'


def printed(canvas):
    out = io.StringIO()
    canvas.print_svg(out, metadata=dict.fromkeys(('Creator', 'Date', 'Format', 'Type')))
    return out.getvalue()


def svg(chart, size, duration, steps=(), events=(), numbered=False):
    """steps: times of the capacity's changes; events: times of the markers."""
    width, height, left, right, top, bottom = SIZES[size]
    height = round(height * LOW) if chart.low else height
    with matplotlib.rc_context({**SETTINGS, 'svg.hashsalt': chart.key + size}):
        # 72 dots an inch: a point of matplotlib is a pixel of the view box.
        figure = Figure(figsize=(width / 72, height / 72), dpi=72,
                        facecolor='none')
        canvas = FigureCanvasSVG(figure)
        axes = figure.add_axes([left / width, bottom / height, (width - left - right) / width,
                                (height - top - bottom) / height])
        prepare(axes, chart, size, duration)
        lines_at(axes, steps, 'rule', '', 1)
        lines_at(axes, events, 'muted', 'dotted', 1)
        if numbered:
            number_events(axes, events, size, duration)
        for spans in chart.spans:
            shade(axes, spans)
        for series in chart.series:
            plot(axes, series)
        return clean(printed(canvas), f'{chart.key}-{size}-', (
            f'<svg class="{size}" viewBox="0 0 {width} {height}" role="img" '
            f'aria-labelledby="{chart.key}-{size}-t {chart.key}-{size}-d" '
            f'data-left="{left}" data-right="{width - right}" '
            f'data-top="{top}" data-bottom="{height - bottom}">'
            f'<title id="{chart.key}-{size}-t">{html.escape(chart.title)}'
            f'{"" if chart.across else " over time"}</title>'
            f'<desc id="{chart.key}-{size}-d">{html.escape(chart.describe())}</desc>'))
