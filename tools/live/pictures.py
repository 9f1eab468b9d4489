# SPDX-License-Identifier: LGPL-2.1-or-later
"""Figures 9 and 10 of the FBRA paper: what two calls make of a link second by second, and the delay
of RRTCC beside FBRA's.  A table for the terminal, and points for docs/redraw.py."""
import csv
import statistics

from . import figures, tables

COLUMNS = {
    'figure9': (('kbit/s', 'rate', 1, '.0f'), ('PSNR dB', 'psnr', 1, '.1f'),
                ('unused %', 'unused', 100, '.0f'), ('moves together', 'together', 1, '+.2f')),
    'figure10': (('delay ms, 5 %', 'p5', 1, '.0f'), ('half', 'p50', 1, '.0f'),
                 ('95 %', 'p95', 1, '.0f'), ('99 %', 'p99', 1, '.0f'),
                 ('largest', 'most', 1, '.0f'), ('above 400 ms %', 'late', 100, '.1f'), ('kbit/s', 'rate', 1, '.0f'))}
CAPACITY = 1000.        # kbit/s of tables.LINK
LATE = 400.             # ms, one way: what a conversation bears (FBRA paper, section 5)
BIN = .2                # s of a point of the delay


def cases(what, delays):
    """[(part, table, controller, delay)]."""
    if what == 'figure9':
        return [(f'{part}, {delay} ms', 'table4', 'FBRA', delay)
                for part, delay in zip('ab', delays)]
    return [(part, table, controller, delays[-1]) for part, table in (
        ('a, two calls', 'table4'), ('b, beside short TCP', 'table5'))
        for controller in ('RRTCC', 'FBRA')]


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

    def delay_figures(self, name, seconds):
        delays = [delay for _, delay in self.delays]
        shares = {'p5': .05, 'p50': .5, 'p95': .95, 'p99': .99}
        row = {key: (figures.percentile(delays, share), None) for key, share in shares.items()}
        return {'name': name, **row, 'most': (max(delays), None),
                'late': (sum(delay > LATE for delay in delays) / len(delays), None),
                'rate': (sum(self.rates) / seconds, None)}


def spread(values):
    return statistics.mean(values), statistics.stdev(values)


def figure9(part, calls, seconds):
    """Rows of the table, and points."""
    first, second = (call.rates[5:] for call in calls)
    together = statistics.correlation(first, second) if len(first) > 2 else None
    unused = 1 - (statistics.mean(first) + statistics.mean(second)) / CAPACITY
    rows, points = [], []
    for number, call in enumerate(calls, 1):
        psnr = [value for _, value in call.psnr]
        rows.append({'name': f'{part}: call {number}', 'rate': spread(call.rates[5:]),
                     'psnr': spread(psnr) if len(psnr) > 1 else None, 'unused': (unused, None),
                     'together': together is not None and (together, None) or None})
        points += [(f'9{part[0]}-rate', f'Two FBRA calls: {part}', 'kbit/s', f'call {number}',
                    i + .5, rate) for i, rate in enumerate(call.rates)]
        points += [(f'9{part[0]}-psnr', f'Two FBRA calls: {part}', 'PSNR, dB', f'call {number}',
                    i + .5, value) for i, value in call.psnr]
    return rows, points


def figure10(part, calls, seconds, controller):
    rows, points = [], []
    for number, call in enumerate(calls, 1):
        name = f'{controller} call {number}' if len(calls) > 1 else f'{controller} call'
        rows.append(call.delay_figures(f'{part}: {name}', seconds))
        points += [(f'10{part[0]}', f'Delay of packets: {part}', 'ms', name, (i + .5) * BIN,
                    max(values)) for i, values in
                   sorted(in_bins(call.delays, BIN, seconds).items())]
    return rows, points


def shown(what, part, controller, run_folder, ports, seconds):
    rows = figures.rows_of_log(run_folder / 'link.csv')
    calls = [Call(rows, run_folder, port, seconds) for port in ports]
    if what == 'figure9':
        return figure9(part, calls, seconds)
    return figure10(part, calls, seconds, controller)


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
