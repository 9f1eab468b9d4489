# SPDX-License-Identifier: LGPL-2.1-or-later
"""The page of a campaign: each target beside what its paper says."""
import dataclasses
import html
import pathlib

from callreport import page as callpage

from . import plot, progress
from .target import Chart, Headline, Note, Table, Verdict
from .verdicts import settled, tally, word

esc = html.escape
CSS = pathlib.Path(callpage.__file__).with_name('page.css')
# What the call's report has no need of.
STYLE = '''
section .scroll caption { position: static; width: auto; height: auto; clip-path: none;
  text-align: left; font-weight: 600; padding: 16px 0 4px; white-space: normal; }
header .scroll { margin: 12px 0; }
a { color: var(--target); }
ul.verdicts { list-style: none; padding: 0; margin: 12px 0; font-size: 15px; }
ul.verdicts li { padding: 3px 0 3px 14px; border-left: 4px solid var(--c); margin: 2px 0; }
.good { --c: var(--sent); } .bad { --c: var(--over); } .untold { --c: var(--muted); }
.headlines td { white-space: normal; text-align: left; vertical-align: top; min-width: 12ch; }
.headlines td:last-child { min-width: 28ch; }
header .scroll th { white-space: normal; }
header .scroll th[scope="row"] { vertical-align: top; min-width: 14ch; }
section .scroll thead th { white-space: normal; }
.swatch.points { border: 0; height: 9px; width: 9px; background: var(--c); border-radius: 50%; }
.swatch.points.dotted { background: none; border: 2px dotted var(--c); border-radius: 0; }
'''


QUICK = ('<p class="note"><b>Quick: few seeds and short runs.  The figures are no reproduction.</b>'
         '</p>')


@dataclasses.dataclass
class Chapter:
    target: object              # a module, as target.py says
    shown: list
    seeds: int
    commands: list              # one of each case
    costs: list                 # of each run, seconds of a processor; None: not measured
    quick: bool

    def __post_init__(self):
        self.shown = settled(self.shown, self.seeds, self.quick)

    @property
    def runs(self):
        return len(self.costs)


@dataclasses.dataclass
class Campaign:
    command: str                # that made it
    version: str                # of the project, and of its programs
    fresh: int                  # runs that were made for it
    seconds: float              # that these took
    side_by_side: str           # how many at a time, or where


def legend(chart):
    items = []
    for line in chart.lines:
        kind = ' '.join(filter(None, ('swatch', line.dash, '' if line.joined else 'points')))
        items.append(f'<li><span class="{kind}" style="--c: var(--{line.colour})"></span>'
                     f'{esc(line.label)}</li>')
    return f'<ul class="legend">{"".join(items)}</ul>'


def figure(chart):
    return (f'<figure><figcaption><h3>{esc(chart.title)}</h3>{legend(chart)}</figcaption>'
            f'{plot.svg(chart, "wide")}{plot.svg(chart, "narrow")}</figure>')


def kind(good):
    return 'untold' if good is None else 'good' if good else 'bad'


WIDTH, LETTER, PADDING = 1064 - 64, 7.4, 24      # of the page and of its text, in pixels


def width(cells):
    """Of a column, nearly: heads break between words, other cells do not."""
    head, *rest = cells
    return LETTER * max(map(len, [*head.split(), *rest]), default=0) + PADDING


def fitted(table):
    """@table, or as many with the same leading cells, each no wider than the page."""
    wide = [width(column) for column in zip(table.heads, *table.rows)]
    first, out, taken = sum(wide[:table.leading]), [], []

    def close():
        at = [*range(table.leading), *taken]
        caption = table.caption + (', continued' if out else '')
        out.append(Table(caption, tuple(table.heads[i] for i in at),
                         [tuple(row[i] for i in at) for row in table.rows], table.leading))
        taken.clear()

    for i in range(table.leading, len(table.heads)):
        if taken and first + sum(wide[k] for k in [*taken, i]) > WIDTH:
            close()
        taken.append(i)
    close()
    return out


def body(shown):
    """Verdicts that follow each other are one list."""
    out, verdicts = [], []

    def close():
        if verdicts:
            out.append(f'<ul class="verdicts">{"".join(verdicts)}</ul>')
            verdicts.clear()

    for part in shown:
        if isinstance(part, Verdict):
            verdicts.append(f'<li class="{kind(part.good)}">{esc(part.text)}</li>')
            continue
        close()
        if isinstance(part, Table):
            out += [callpage.table(one.caption, one.heads, one.rows, one.leading)
                    for one in fitted(part)]
        elif isinstance(part, Chart):
            out.append(figure(part))
        elif isinstance(part, Note):
            out.append(f'<p class="note">{esc(part.text)}</p>')
    close()
    return ''.join(out)


def said(shown):
    good, of, not_told = tally(shown)
    return (f'{good} of {of} findings that can be told are reproduced or reach their target'
            + (f'; {not_told} cannot be told.' if not_told else '.'))


def headlines(chapters):
    """What each paper is known for: their number, ours, and why."""
    found = [part for c in chapters for part in c.shown if isinstance(part, Headline)]
    if not found:
        return ''
    rows = ''.join(
        f'<tr><th scope="row">{esc(h.paper)}</th>' + ''.join(
            f'<td>{esc(text)}</td>' for text in (h.claim, h.theirs, h.ours)) +
        f'<td class="{kind(h.good)}"><b>{word(h.good)}</b></td><td>{esc(h.why)}</td></tr>'
        for h in found)
    heads = ''.join(f'<th scope="col" class="leading">{head}</th>' for head in (
        'Paper', 'What it is known for', 'Theirs', 'Ours (95 %)', '', 'Why'))
    return (f'<div class="scroll headlines" tabindex="0" role="region" aria-label="Headlines">'
            f'<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>')


def cost(costs):
    """What the runs took when they were made, whenever that was."""
    known = [seconds for seconds in costs if seconds is not None]
    text = progress.span(sum(known)) if known else 'not known'
    lacking = len(costs) - len(known)
    return f'{text}, {lacking} of {len(costs)} runs not known' if known and lacking else text


def summary(chapters):
    rows = []
    for c in chapters:
        good, of, not_told = tally(c.shown)
        rows.append((f'<a href="#{c.target.NAME}">{esc(c.target.TITLE)}</a>', f'{good} of {of}',
                     str(not_told), str(c.runs), str(c.seeds), cost(c.costs)))
    good, of, not_told = tally(part for c in chapters for part in c.shown)
    costs = [seconds for c in chapters for seconds in c.costs]
    if len(chapters) > 1:
        rows.append(('All', f'{good} of {of}', str(not_told), str(len(costs)), '', cost(costs)))
    body_ = ''.join(f'<tr><th scope="row">{row[0]}</th>' + ''.join(
        f'<td>{esc(cell)}</td>' for cell in row[1:]) + '</tr>' for row in rows)
    heads = '<th scope="col" class="leading">Target</th>' + ''.join(
        f'<th scope="col">{head}</th>' for head in (
            'Reproduced', 'Cannot be told', 'Runs', 'Seeds', 'Processor time'))
    return (f'<div class="scroll" tabindex="0" role="region" aria-label="Summary"><table>'
            f'<thead><tr>{heads}</tr></thead><tbody>{body_}</tbody></table></div>')


def chapter(c):
    short = QUICK if c.quick else ''
    commands = esc('\n'.join(c.commands))
    return f'''<section id="{c.target.NAME}"><h2>{esc(c.target.TITLE)}</h2>
<p class="note">{esc(c.target.SOURCE)}</p>
<p>{said(c.shown)}  {c.runs} runs, {c.seeds} of each case; processor time when they were made: \
{cost(c.costs)}.</p>{short}
<p class="note">{esc(c.target.ABOUT)}</p>
{body(c.shown)}
<details><summary>The commands, with the first seed of each case</summary><pre>{commands}</pre>
</details></section>'''


def render(chapters, campaign):
    made = ('All runs are known from before.' if not campaign.fresh else
            f'{campaign.fresh} of the runs were made for this page, in '
            f'{progress.span(campaign.seconds)}, {campaign.side_by_side}; the others are '
            'known from before, or several targets share them.')
    return f'''<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src \
'unsafe-inline'; img-src data:">
<title>Figures of the papers, reproduced</title>
<link rel="icon" href="data:,">
<style>
{CSS.read_text(encoding='utf-8')}{STYLE}</style>
</head>
<body>
<main>
<header><h1>Figures of the papers, reproduced</h1>
<p class="verdict">{said(part for c in chapters for part in c.shown)}</p>
{QUICK if any(c.quick for c in chapters) else ''}{headlines(chapters)}{summary(chapters)}
<p class="note">Processor time is what the runs took when they were made, of one processor.  \
{made}</p>
<p class="note">{esc(campaign.version)}</p>
<p>To make this page again:</p>
<pre>{esc(campaign.command)}</pre></header>
{''.join(chapter(c) for c in chapters)}
</main>
</body>
</html>
'''
