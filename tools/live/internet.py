# SPDX-License-Identifier: LGPL-2.1-or-later
"""The FBRA paper's call over the public Internet (end of section 5.5), with traffic of our own.

The paper has a call from Helsinki to Amazon's EC2, ten times, and says that results vary as the cross
traffic does.  So each of our runs has another load: seed 1 has none, seed 2 one short TCP flow, and so
on.  Path, film and encoder are those of Table 5.  What is compared is the spread alone.  These loads
stood before the first run.
"""
from . import figures, tables

DELAY = 50              # ms, one way; the paper's own path is not described
PAPER = {'name': 'paper FBRA', 'goodput': '100 to 700'}
COLUMNS = tuple(column for column in tables.COLUMNS
                if column[1] in ('goodput', 'loss', 'ffre', 'psnr', 'frozen', 'delay', 'delay-p95'))


def setups(controllers, seeds, folder):
    """(controller, seed, link, texts of calls, texts of TCP), seed by seed."""
    for seed in seeds:
        for controller, _, link, calls, tcps in tables.setups(
                'table5', controllers, [DELAY], folder, max(seed - 1, 1)):
            yield controller, seed, link, calls, tcps if seed > 1 else []


def ranges(name, runs):
    """What the call had, from the least to the most of the runs."""
    row = {'name': f'{name}, n = {len(runs)}'}
    for _, key, factor, form in COLUMNS:
        values = [run['flows'][0][key] for run in runs if run['flows'][0].get(key) is not None]
        if values:
            row[key] = ' to '.join(format(end * factor, form)
                                   for end in (min(values), max(values)))
    return row


def table(rows):
    return figures.table([PAPER, *rows], COLUMNS)
