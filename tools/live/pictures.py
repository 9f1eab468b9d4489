# SPDX-License-Identifier: LGPL-2.1-or-later
"""Figures 9 and 10 of the FBRA paper: what two calls make of a link second by second, and how late
their packets come.  A table for the terminal, and points for docs/redraw.py."""
import csv
import statistics

from . import figures, flows

COLUMNS = {
    'figure9': (('kbit/s', 'settled', 1, '.0f'), ('sd over seconds', 'settled-sd', 1, '.0f'),
                ('PSNR dB', 'psnr', 1, '.1f'), ('sd over seconds', 'psnr-sd', 1, '.1f'),
                ('unused %', 'unused', 100, '.0f'), ('moves together', 'together', 1, '+.2f')),
    'figure10': (('delay ms, 5 %', 'delay-p5', 1, '.0f'), ('half', 'delay', 1, '.0f'),
                 ('95 %', 'delay-p95', 1, '.0f'), ('99 %', 'delay-p99', 1, '.0f'),
                 ('largest', 'delay-max', 1, '.0f'),
                 ('above 400 ms %', 'above-400', 100, '.1f'), ('kbit/s', 'rate', 1, '.0f'))}
CAPACITY = 1000.        # kbit/s of the link of Tables 4 and 5
LATE = 400.             # ms, one way: what a conversation bears (FBRA paper, section 5)
BIN = .2                # s of a point of the delay
SETTLED = 5             # s, from when on rates are compared
SHORTEST = 10           # s


def cases(what, controllers, delays):
    """[(part, table, controller, delay)]."""
    if what == 'figure9':
        parts = [(f'{part}, {delay} ms', 'table4', delay) for part, delay in zip('ab', delays)]
    else:
        parts = [('a, two calls', 'table4', delays[-1]),
                 ('b, beside short TCP', 'table5', delays[-1])]
    return [(part, table, controller, delay) for part, table, delay in parts
            for controller in controllers]


def in_bins(points, width, length):
    """{bin: [values]} of (time, value)."""
    bins = {}
    for moment, value in points:
        if 0 <= moment < length:
            bins.setdefault(int(moment / width), []).append(value)
    return bins


class Call:
    """One call of a run, by its port."""

    def __init__(self, rows, folder, port, seconds):
        rows = [row for row in rows if int(row['destination']) == port
                and row['outcome'] == 'passed']
        came = [(float(row['delivered']), int(row['length']) * 8 / 1e3) for row in rows]
        bins = in_bins(came, 1, seconds)
        self.rates = [sum(bins.get(i, [])) for i in range(int(seconds))]
        self.delays = [(float(row['arrived']), 1e3 * (float(row['delivered'])
                                                     - float(row['arrived']))) for row in rows]
        with (folder / f'receiver-{port}' / 'frames.csv').open(encoding='ascii') as file:
            scored = in_bins([(float(row['time']), float(row['psnr'])) for row in
                              csv.DictReader(file) if row['psnr']], 1, seconds + 1)
        self.psnr = [(i, statistics.mean(values)) for i, values in sorted(scored.items())]


def seconds_of(calls):
    """Figure 9, of each call."""
    settled = [call.rates[SETTLED:] for call in calls]
    unused = 1 - sum(map(statistics.mean, settled)) / CAPACITY
    moves = all(len(set(rates)) > 1 for rates in settled)       # a call that stopped does not
    together = statistics.correlation(*settled) if moves else None
    return [{'settled': statistics.mean(rates), 'settled-sd': statistics.pstdev(rates),
             'psnr-sd': statistics.pstdev([value for _, value in call.psnr] or [0]),
             'unused': unused, 'together': together} for call, rates in zip(calls, settled)]


def delays_of(calls):
    """Figure 10, of each call."""
    rows = []
    for call in calls:
        delays = [delay for _, delay in call.delays]
        rows.append({'delay-p5': figures.percentile(delays, .05),
                     'delay-p99': figures.percentile(delays, .99),
                     'above-400': sum(delay > LATE for delay in delays) / max(len(delays), 1)})
    return rows


def points_of(what, part, controller, calls, seconds):
    """[(figure, title, unit, line, x, y)]"""
    points = []
    for number, call in enumerate(calls, 1):
        name = f'{controller} call {number}' if len(calls) > 1 else f'{controller} call'
        if what == 'figure10':
            points += [(f'10{part[0]}', f'Delay of packets: {part}', 'ms', name, (i + .5) * BIN,
                        max(values)) for i, values in
                       sorted(in_bins(call.delays, BIN, seconds).items())]
            continue
        for kind, unit, values in (('rate', 'kbit/s', enumerate(call.rates)),
                                   ('psnr', 'PSNR, dB', call.psnr)):
            points += [(f'9{part[0]}-{kind}-{controller.replace(" ", "-")}',
                        f'Two {controller} calls: {part}', unit, f'call {number}', i + .5, value)
                       for i, value in values]
    return points


def add(what, part, controller, setup, made, folder):
    """What the figure has of @made, a run, goes into it; its points."""
    rows = figures.rows_of_log(folder / 'link.csv')
    ours = [(flow, port) for flow, (port, each) in zip(made['flows'], setup.every)
            if isinstance(each, flows.CallFlow)]
    calls = [Call(rows, folder, port, setup.duration) for _, port in ours]
    for (flow, _), more in zip(ours, (seconds_of if what == 'figure9' else delays_of)(calls)):
        flow.update(more)
    return points_of(what, part, controller, calls, setup.duration)


def rows_of(what, runs):
    """Of the calls alone."""
    key = COLUMNS[what][0][1]
    return [row for row in figures.together(runs) if row.get(key)]


def write(folder, points):
    """As tools/reproduce --data has its figures."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / 'figures.csv').open('w', encoding='utf-8', newline='') as file:
        out = csv.writer(file, lineterminator='\n')
        out.writerow(['figure', 'title', 'x-axis', 'y-axis', 'line', 'x', 'y', 'half'])
        out.writerows([figure, title, 's', unit, line, f'{x:.6g}', f'{y:.6g}', '']
                      for figure, title, unit, line, x, y in points)


def table(what, rows):
    return figures.table(rows, COLUMNS[what])
