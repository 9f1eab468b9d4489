# SPDX-License-Identifier: LGPL-2.1-or-later
"""What a page shows as CSV, so that anybody can draw it again.

In the folder of each target, one observation to a line:
  runs.csv      case, seed, quantity, value: every number of every run that is not a series,
                named as in its JSON (docs/json.md), as flows.0.fec.frcc
  tables.csv    table, row, column, value, half (of the 95 % interval), text
  figures.csv   figure, title, line, x, name, y, half; x-axis and y-axis have the units, and name
                is what stands at x where the axis has names
  verdicts.csv  verdict (reproduced, differs, untold), text
"""
import csv
import io
import re

from . import disk
from .target import Chart, Table, Verdict

NUMBER = re.compile(r'^([-\u2212]?[0-9.]+)(?: \u00b1 ([0-9.]+))?(?: .*)?$')
SERIES = 8      # a list of more numbers is one, over time or over something else
HEADS = {
    'runs': ('case', 'seed', 'quantity', 'value'),
    'tables': ('table', 'row', 'column', 'value', 'half', 'text'),
    'figures': ('figure', 'title', 'x-axis', 'y-axis', 'line', 'x', 'name', 'y', 'half'),
    'verdicts': ('verdict', 'text'),
}


def numbers(value, name=''):
    """(name, number) of all that a run has, without series."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from numbers(inner, f'{name}.{key}' if name else key)
    elif isinstance(value, list):
        if all(isinstance(x, (dict, list)) for x in value) or len(value) <= SERIES:
            for i, inner in enumerate(value[:SERIES]):
                yield from numbers(inner, f'{name}.{i}')
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield name, value


def seed_of(run):
    return run.args[run.args.index('--seed') + 1] if '--seed' in run.args else ''


def runs(plan, done):
    for case, ones in plan.items():
        label = ' '.join(map(str, case)) if isinstance(case, tuple) else str(case)
        for one in ones:
            for name, value in numbers(done[one].result):
                yield label, seed_of(one), name, value


def parsed(text):
    """(value, half) of a cell; of what is no number neither."""
    found = NUMBER.match(text)
    if not found:
        return '', ''
    return tuple((part or '').replace('\u2212', '-') for part in found.groups())


def tables(shown):
    for table in (part for part in shown if isinstance(part, Table)):
        for row in table.rows:
            name = ' | '.join(row[:table.leading])
            for head, text in zip(table.heads[table.leading:], row[table.leading:]):
                yield table.caption, name, head, *parsed(text), text


def nearest(x, places):
    """The name that x belongs to: bars and boxes of several lines stand beside each other there."""
    return min(places, key=lambda place: abs(place[0] - x))[1] if places else ''


def figures(shown):
    for chart in (part for part in shown if isinstance(part, Chart)):
        places = sorted(chart.ticks)
        for line in chart.lines:
            halves = line.error or [''] * len(line.x)
            for x, y, half in zip(line.x, line.y, halves):
                yield (chart.key, chart.title, chart.x, chart.y, line.label, x, nearest(x, places),
                       y, half)


def verdicts(shown):
    for part in (part for part in shown if isinstance(part, Verdict)):
        yield ('untold' if part.good is None else 'reproduced' if part.good else 'differs',
               part.text)


def text(name, rows):
    out = io.StringIO()
    writer = csv.writer(out, lineterminator='\n')
    writer.writerow(HEADS[name])
    writer.writerows(rows)
    return out.getvalue()


def write(folder, target, shown, plan, done):
    """Of one target, in a folder of its name."""
    for name, rows in (('runs', runs(plan, done)), ('tables', tables(shown)),
                       ('figures', figures(shown)), ('verdicts', verdicts(shown))):
        disk.write(folder / target.NAME / f'{name}.csv', text(name, rows))
