# SPDX-License-Identifier: LGPL-2.1-or-later
"""Controllers of documents beside their authors' code, as that was measured in this project's
simulator before: what the targets nada and scream share."""
import dataclasses

from . import control, stats
from .target import DASH, Table, beside, mean, number, reach

NOTE = ('Share: of the capacity, or of what the source makes at most where that is less.  Queue: '
        'its median and its 95th percentile.  The authors\u2019 code ran in the same simulator '
        'when these controllers were written.  It is not part of this project: no command prints '
        'its figures.  Bounds are those of {}, which are older than this page.')


def runs(tools, case, options, n, quick):
    return [tools.rccsim('-s', tools.scenario(case.scenario), '-d', 40 if quick else case.seconds,
                         '-f', 'ccfb', '--max-bitrate', control.bits(case.most), *options,
                         *case.options, '--seed', seed)
            for seed in range(1, n + 1)]


def figures(case, results):
    found = [control.seen(case, one) for one in results]
    return (mean([one.share for one in found], 3),
            ' / '.join(number(stats.mean([getattr(one, name) for one in found]), 0)
                       for name in ('q50', 'q95')),
            mean([100 * one.lost for one in found], 2))


def figure(case, results, name):
    return [(100 if name == 'lost' else 1) * getattr(control.seen(case, one), name)
            for one in results]


def near(case, results, theirs, within):
    told = beside(f'{case.title}, share', figure(case, results, 'share'), theirs, 3, '', within,
                  f'within {within:g}')
    return dataclasses.replace(told, text=told.text.replace('the paper has',
                                                            'the authors\u2019 code has'))


def at_most(case, results, name, bound):
    said, digits, unit = {'q95': ('queue p95', 1, 'ms'), 'lost': ('lost', 2, '%')}[name]
    return reach(f'{case.title}, {said}', figure(case, results, name), bound, digits, unit,
                 least=False)


def table(caption, cases, ways, results, authors):
    """A row for each way of a case, then that of the authors' code: (share, queue, lost)."""
    rows = []
    for name, case in cases.items():
        rows += [(case.title, label, *figures(case, results[name, way]))
                 for way, (label, _) in ways.items() if (name, way) in results]
        if name in authors:
            rows.append((case.title, 'authors\u2019 code', *(one or DASH for one in authors[name])))
    return Table(caption, ('Case', 'Sender', 'Share', 'Queue p50 / p95, ms', 'Lost, %'), rows,
                 leading=2)
