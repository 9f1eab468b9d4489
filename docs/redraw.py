#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Redraws a figure of tools/reproduce from the data that it has written.

    tools/reproduce fbra-table1 --runs 10 --data data
    docs/redraw.py data/fbra-table1 --list
    docs/redraw.py data/fbra-table1 FIGURE out.svg

A beginning for figures of your own: figures.csv has one point to a line (tools/reproduce says
what each column is), and needs nothing of this project.  Matplotlib draws it."""
import argparse
import collections
import csv
import pathlib
import sys

UNKNOWN = {'', 'nan'}


def read(path):
    """{figure: [its rows]}"""
    figures = collections.defaultdict(list)
    with open(path, encoding='utf-8', newline='') as file:
        for row in csv.DictReader(file):
            figures[row['figure']].append(row)
    return figures


def lines(rows):
    """{label: (x, y, half of the 95 % interval)}; a point that is not known is left out, and of one
    run there is no interval."""
    found = collections.defaultdict(lambda: ([], [], []))
    for row in rows:
        if {row['x'], row['y']}.isdisjoint(UNKNOWN):
            for values, text in zip(found[row['line']], (row['x'], row['y'], row['half'])):
                values.append(0.0 if text in UNKNOWN else float(text))
    return found


def draw(rows, output):
    import matplotlib
    matplotlib.use('Agg')
    from matplotlib import pyplot

    pyplot.figure(figsize=(8, 4.5), layout='constrained')
    for label, (x, y, half) in lines(rows).items():
        pyplot.errorbar(x, y, yerr=half if any(half) else None, label=label, capsize=3)
    pyplot.title(rows[0]['title'])
    pyplot.xlabel(rows[0]['x-axis'])
    pyplot.ylabel(rows[0]['y-axis'])
    pyplot.legend()
    pyplot.savefig(output)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n', maxsplit=1)[0])
    parser.add_argument('folder', type=pathlib.Path, help='of one target, below --data')
    parser.add_argument('figure', nargs='?', help='its name')
    parser.add_argument('output', nargs='?', help='an SVG, PDF or PNG file')
    parser.add_argument('--list', action='store_true', help='say which figures there are')
    wanted = parser.parse_args()
    figures = read(wanted.folder / 'figures.csv')
    if wanted.list:
        for name, rows in figures.items():
            print(f'{name}: {rows[0]["title"]}')
        return 0
    if wanted.figure not in figures or not wanted.output:
        print(f'redraw.py: give a figure of --list and a file to draw it to, such as '
              f'{next(iter(figures), "none, there is no figure")}', file=sys.stderr)
        return 2
    draw(figures[wanted.figure], wanted.output)
    return 0


if __name__ == '__main__':
    sys.exit(main())
