# SPDX-License-Identifier: LGPL-2.1-or-later
"""One Chart as inline SVG, in the colours of the call's report."""
import html
import math

from callreport import draw

SIZES = {'wide': (1000, 260, 58, 14, 14, 46), 'narrow': (360, 240, 52, 12, 14, 44)}


def describe(chart):
    parts = []
    for line in chart.lines:
        known = [y for y in line.y if y is not None and math.isfinite(y)]
        if known:
            parts.append(f'{line.label}: {min(known):.4g} to {max(known):.4g}')
    return f'{chart.y} against {chart.x}. ' + '; '.join(parts)


def prepare(axes, chart, size):
    font = draw.FONT[size]
    axes.yaxis.set_major_locator(draw.MaxNLocator(5, steps=[1, 2, 2.5, 5, 10]))
    axes.yaxis.set_major_formatter(draw.FuncFormatter(
        lambda v, _: f'{v:g}'.replace('-', '\u2212')))
    if chart.ticks:
        axes.set_xticks([place for place, _ in chart.ticks], [text for _, text in chart.ticks])
        axes.set_xlim(chart.ticks[0][0] - 0.5, chart.ticks[-1][0] + 0.5)
    else:
        axes.xaxis.set_major_locator(draw.MaxNLocator(
            10 if size == 'wide' else 4, steps=[1, 2, 5, 10]))
        axes.xaxis.set_major_formatter(draw.FuncFormatter(
            lambda v, _: f'{v:g}'.replace('-', '\u2212')))
    axes.tick_params(length=0, labelsize=font, labelcolor=draw.MARKER['muted'], pad=6)
    axes.set_xlabel(chart.x, fontsize=font, color=draw.MARKER['muted'])
    axes.set_ylabel(chart.y, fontsize=font, color=draw.MARKER['muted'])
    axes.grid(axis='y', color=draw.MARKER['grid'], linewidth=1)
    axes.set_axisbelow(True)
    axes.set_facecolor('none')
    for side, spine in axes.spines.items():
        spine.set_visible(side == 'bottom')
        spine.set_color(draw.MARKER['muted'])


def box(axes, x, five, colour):
    low, first, middle, third, high = five
    axes.bar([x], [third - first], bottom=first, width=0.4, color='none', edgecolor=colour,
             linewidth=1.6)
    for a, b in ((low, first), (third, high)):
        axes.plot([x, x], [a, b], color=colour, linewidth=1.4)
    for y, half, width in ((low, 0.1, 1.4), (middle, 0.2, 2.4), (high, 0.1, 1.4)):
        axes.plot([x - half, x + half], [y, y], color=colour, linewidth=width)


def plot(axes, line):
    colour = draw.MARKER[line.colour]
    style = draw.DASHES[line.dash] if line.joined else 'none'
    y = [math.nan if v is None else v for v in line.y]
    if line.bars:
        axes.fill_between([line.x[0] - 1, *line.x], 0, [y[0], *y], step='pre', color=colour,
                          linewidth=0)
        return
    if line.box:
        box(axes, line.x[0], y, colour)
        return
    axes.plot(line.x, y, color=colour, linewidth=1.8, linestyle=style, marker=line.marker or None,
              markersize=6, markeredgewidth=1.6,
              drawstyle='steps-post' if line.steps else 'default')
    for x, v, half in zip(line.x, y, line.error or []):
        if half is not None and math.isfinite(half) and math.isfinite(v):
            axes.plot([x, x], [v - half, v + half], color=colour, linewidth=1.4,
                      linestyle=draw.DASHES[line.dash])


def svg(chart, size):
    width, height, left, right, top, bottom = SIZES[size]
    with draw.matplotlib.rc_context({**draw.SETTINGS, 'svg.hashsalt': chart.key + size}):
        figure = draw.Figure(figsize=(width / 72, height / 72), dpi=72, facecolor='none')
        canvas = draw.FigureCanvasSVG(figure)
        axes = figure.add_axes([left / width, bottom / height, (width - left - right) / width,
                                (height - top - bottom) / height])
        prepare(axes, chart, size)
        for line in chart.lines:
            plot(axes, line)
        for start, end in chart.spans:
            axes.axvspan(start, end, color=draw.MARKER['muted'], alpha=0.25, linewidth=0)
        # Intervals may reach below what there can be; the axis need not.
        if all(v is None or not v < 0 for line in chart.lines for v in line.y):
            axes.set_ylim(bottom=0)
        axes.set_ylim(top=chart.top)
        names = f'{chart.key}-{size}'
        return draw.clean(draw.printed(canvas), f'{names}-', (
            f'<svg class="{size}" viewBox="0 0 {width} {height}" role="img" '
            f'aria-labelledby="{names}-t {names}-d"><title id="{names}-t">'
            f'{html.escape(chart.title)}</title><desc id="{names}-d">'
            f'{html.escape(describe(chart))}</desc>'))
