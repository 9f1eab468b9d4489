# SPDX-License-Identifier: LGPL-2.1-or-later
"""What came of a run: from linktun's log, from what the calls say, and from TCP's other end."""
import csv
import json
import math
import statistics

from . import frames


def percentile(values, share):
    values = sorted(values)
    return values[min(int(share * len(values)), len(values) - 1)] if values else None


def rows_of_log(path):
    """What went there, in UDP and TCP."""
    with open(path, encoding='ascii') as file:
        return [row for row in csv.DictReader(file)
                if row['direction'] == 'fwd' and row['protocol'] in ('6', '17')]


def of_log(path):
    """Figures by the port that packets went to, with the flow's own port, on the way there."""
    flows = {}
    for row in rows_of_log(path):
        flow = flows.setdefault(int(row['destination']), {
            'packets': 0, 'lost': 0, 'marked': 0, 'bytes': 0, 'delays': [], 'came': []})
        flow['packets'] += 1
        if row['outcome'] != 'passed':
            flow['lost'] += 1
            continue
        flow['bytes'] += int(row['length'])
        flow['marked'] += row['ecn'] == '3' != row['ecn-before']
        flow['delays'].append(float(row['delivered']) - float(row['arrived']))
        flow['came'].append((float(row['delivered']), int(row['length'])))
    return flows


def by_thirds(came, begin, seconds):
    """kbit/s in each third of that time."""
    parts = [0, 0, 0]
    for when, length in came:
        if begin <= when < begin + seconds:
            parts[int(3 * (when - begin) / seconds)] += length
    return {f'rate-{number}': part * 8 / (seconds / 3) / 1e3
            for number, part in enumerate(parts, 1)}


def of_link(log, port, seconds, begin=0):
    """Rates are of IP packets, delays in ms, each over the flow's own time."""
    flow = log.get(port)
    if not flow:
        return {'bytes': 0, 'rate': 0., 'loss': None, 'delay': None, 'delay-p95': None,
                'delay-max': None}
    delays = [1e3 * delay for delay in flow['delays']]
    return {'bytes': flow['bytes'], 'rate': flow['bytes'] * 8 / seconds / 1e3,
            'loss': flow['lost'] / flow['packets'],
            'marked': flow['marked'] / flow['packets'],
            'delay': percentile(delays, .5), 'delay-p95': percentile(delays, .95),
            'delay-max': max(delays, default=None), **by_thirds(flow['came'], begin, seconds)}


def sent_since(path, port, begin, end):
    """kbit/s of IP packets that came to the link, lost ones too, between two of its times."""
    total = sum(int(row['length']) for row in rows_of_log(path)
                if int(row['destination']) == port and begin <= float(row['arrived']) < end)
    return total * 8 / (end - begin) / 1e3


def freezes(receiver):
    """How often the picture stood still and went on."""
    with open(receiver / 'events.csv', encoding='utf-8') as file:
        return sum((row['source'], row['what']) == ('psnr', 'freeze')
                   for row in csv.DictReader(file))


def end_of_call(folder):
    """Its report, and the figures of its summary."""
    with open(folder / 'call.json', encoding='utf-8') as file:
        end = json.load(file)
    return end, {name: figure['value'] for name, figure in end['summary'].items()}


def of_sender(sender):
    """Of a call whose receiver has written nothing, as it was killed."""
    end, sent = end_of_call(sender)
    return {'stops': sent['stops by the breaker'],
            'timers': end['machine']['timer-lateness-p99'] or 0,
            'machine': end['machine']['fast-enough']}


def of_reports(sender, receiver, seconds):
    """What both ends of a call say, and what comes of it together."""
    ends, (sent, heard) = zip(*(end_of_call(folder) for folder in (sender, receiver)))
    return {'psnr': heard['mean PSNR'], 'frozen': heard['frozen frames'],
            'freeze': heard['longest freeze'], 'freezes': freezes(receiver),
            'frames': heard['frames scored'],
            'wait': heard.get('longest jitterbuffer latency'),
            'rtt': sent['mean round-trip time'], 'stops': sent['stops by the breaker'],
            'unsent': sent['dropped before sending'],
            'parity': sent['mean parity'] / 1e3 if 'mean parity' in sent else None,
            'frcc': sent.get('FRCC'), 'probes': sent.get('probes'),
            **frames.of_packets(sender / 'packets.csv', receiver / 'packets.csv', seconds),
            'timers': max(end['machine']['timer-lateness-p99'] or 0 for end in ends),
            'machine': all(end['machine']['fast-enough'] for end in ends)}


def timers(runs):
    """One sentence on how late the worst process of all calls was; empty without calls."""
    late = [flow['timers'] for made in runs for flow in made['flows'] if flow.get('timers')]
    return (f'timers of {2 * len(late)} processes: 99 % within {max(late):.1f} ms in the worst'
            if late else '')


def mean(values):
    """(mean, standard deviation or None); None of nothing."""
    values = [v for v in values if v is not None and math.isfinite(v)]
    if not values:
        return None
    return statistics.mean(values), statistics.stdev(values) if len(values) > 1 else None


def together(runs):
    """[{'name':, FIGURE: (mean, sd)}], flow by flow over the runs."""
    rows = []
    for same in zip(*(run['flows'] for run in runs)):
        row = {'name': same[0]['name']}
        for key, value in same[0].items():
            if not isinstance(value, (str, bool)):
                row[key] = mean([flow.get(key) for flow in same])
        rows.append(row)
    return rows


COLUMNS = (('kbit/s', 'rate', 1, '.0f'), ('share %', 'share', 100, '.1f'),
           ('lost %', 'loss', 100, '.2f'), ('delay ms', 'delay', 1, '.0f'),
           ('95 %', 'delay-p95', 1, '.0f'), ('PSNR dB', 'psnr', 1, '.1f'),
           ('frozen %', 'frozen', 100, '.1f'), ('freezes', 'freezes', 1, '.0f'),
           ('longest s', 'freeze', 1, '.2f'), ('frames lost', 'frames-lost', 1, '.0f'))


def cell(value, factor, form):
    if value is None:
        return '-'
    if isinstance(value, str):
        return value
    number, deviation = value
    text = format(number * factor, form)
    return text if deviation is None else f'{text} ±{format(deviation * factor, form)}'


def table(rows, columns=COLUMNS):
    """Markdown, as wide as it is."""
    lines = [['flow'] + [title for title, *_ in columns]]
    lines += [[row['name']] + [cell(row.get(key), factor, form) for _, key, factor, form in columns]
              for row in rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    lines.insert(1, ['-' * width for width in widths])
    return '\n'.join('| ' + ' | '.join(
        text.ljust(width) if i == 0 else text.rjust(width)
        for i, (text, width) in enumerate(zip(line, widths))) + ' |' for line in lines)
