# SPDX-License-Identifier: LGPL-2.1-or-later
"""Synthetic call directories: a sawtooth of a rate control over a schedule of
capacities, with a queue that follows from both and one freeze."""
import csv
import json
import math
import random

BIN = 0.2
SCHEDULE = ((0, 1.0e6), (24, 2.5e6), (36, 0.6e6), (48, 1.0e6))
FROZEN = (36.6, 37.4)


def capacity_at(t):
    return [c for start, c in SCHEDULE if start < t][-1]


def samples(duration=60.0, seed=1, climb=0.10):
    """Dicts, one per bin.  The target climbs by `climb` a second and falls to
    85 % when the queue passes 60 ms."""
    rng, rows = random.Random(seed), []
    target, queued = 150e3, 0.0
    for i in range(1, round(duration / BIN) + 1):
        t = i * BIN
        capacity = capacity_at(t)
        sent = target * rng.uniform(0.93, 1.04)
        queued = max(0.0, queued + (sent - capacity) * BIN)
        lost = max(0.0, queued - 0.3 * capacity)
        queued -= lost
        received = min(capacity, sent)
        queue = 1000 * queued / capacity
        usage = 'over' if queue > 60 else 'under' if queue > 15 and sent < capacity else 'normal'
        rows.append({
            'time': t, 'capacity': capacity, 'target': target, 'encoder': 0.95 * target,
            'sent': sent, 'received': received, 'rtt': 100 + queue, 'owd': 50 + queue,
            'owd-p95': 52 + 1.2 * queue + rng.uniform(0, 4), 'queue': queue,
            'loss': lost / (sent * BIN), 'offered': 100, 'unsent': 2, 'left': 98,
            'lost': round(98 * lost / (sent * BIN)), 'late': 1,
            'psnr': 28 + 4 * math.log2(max(received, 5e4) / 2e5),
            'frozen': int(FROZEN[0] <= t <= FROZEN[1]),
            'state': {'over': 'decrease', 'under': 'hold'}.get(usage, 'increase'),
            'usage': usage, 'threshold': 12.5, 'estimate': (sent - capacity) / capacity * 20})
        target = {'over': 0.85 * min(received, target), 'under': target}.get(
            usage, target * (1 + (climb if t > 4 else 0.6) * BIN))
        target = min(target, 2.5e6)
    return rows


def broken(rows, since=40.0, opens=44.0, multiplier=10):
    """The same with a circuit breaker that hears of heavy loss from `since` on and opens
    at `opens`; before there is loss, TCP's rate has no bound."""
    out = []
    for row in rows:
        bad, state = row['time'] >= since, 'open' if row['time'] >= opens else 'closed'
        tcp = 50e3 if bad else ''
        out.append({**row, 'breaker': state, 'breaker-sent': row['sent'], 'breaker-tcp': tcp,
                    'breaker-limit': multiplier * tcp if bad else '',
                    'breaker-loss': 0.3 if bad else 0.0, 'breaker-rtt': 300 if bad else 100})
    return out


def muxed(rows, since=36.0, until=40.0):
    """The same through a mux that has to choose from `since` to `until`: audio is on time,
    video is not, for frames expire and take their rest with them."""
    out, expired = [], 0
    for row in rows:
        narrow = since < row['time'] <= until
        expired += 3 * narrow
        out.append({**row, 'audio-on-time': 1.0, 'video-on-time': 0.4 if narrow else 0.98,
                    'audio-wait': 4.0, 'video-wait': 150.0 if narrow else 10.0,
                    'dropped-expired': expired, 'dropped-full': 0, 'dropped-frame': 2 * expired,
                    'dropped-old': 0})
    return out


def probed(rows):
    """The same with FBRA's states: of each two seconds half a second of parity, and down
    after 36 s."""
    out = []
    for row in rows:
        down, probing = 36 < row['time'] <= 37, row['time'] % 2 < 0.5
        out.append({**row, 'fec': 20e3 if probing and not down else 0.0,
                    'state': 'DOWN' if down else 'PROBE' if probing else 'STAY'})
    return out


def frames(rows, fps=30, seed=2):
    rng, out = random.Random(seed), []
    for i in range(round(rows[-1]['time'] * fps)):
        t = (i + 1) / fps
        row = rows[min(int(t / BIN), len(rows) - 1)]
        frozen = FROZEN[0] <= t < FROZEN[1]
        quality = (21 if frozen else row['psnr']) + rng.gauss(0, 0.7) - 1.5 * (i % 60 == 0)
        out.append({'time': t, 'frame': i, 'psnr-y': quality, 'psnr': quality + 0.8,
                    'ssim': 0.95, 'frozen': int(frozen), 'size': int(row['target'] / fps / 8)})
    return out


EVENTS = [
    {'time': 0.4, 'source': 'rtpgccsender0', 'what': 'start-up', 'detail': 'probing from 150 kbit/s'},
    {'time': 24.0, 'source': 'linksim0', 'what': 'capacity', 'detail': '1 Mbit/s to 2.5 Mbit/s'},
    {'time': 36.0, 'source': 'linksim0', 'what': 'capacity', 'detail': '2.5 Mbit/s to 600 kbit/s'},
    {'time': 36.6, 'source': 'psnr0', 'what': 'freeze', 'detail': 'frame 1098 shown again'},
    {'time': 48.0, 'source': 'linksim0', 'what': 'capacity', 'detail': '600 kbit/s to 1 Mbit/s'},
]


def description(duration=60.0, **changes):
    info = {
        'command': 'rtpcall --input cockatoo.mp4 --cc gcc --link rfc8867-5.1-60s.link '
                   '--duration 60 --report report-1',
        'version': 'rtpcall 0.2.0', 'started': '2026-01-31T12:00:00+01:00', 'duration': duration,
        'about': {'link': 'rfc8867-5.1-60s.link', 'film': 'cockatoo.mp4, 640 x 480',
                  'encoder': 'x264enc (gst-plugins-ugly 1.26.2)', 'controller': 'gcc',
                  'gstreamer': '1.26.2', 'machine': 'two cores'},
        'profile': {'name': 'default', 'filter': 'trendline', 'pre-filter': True,
                    'max-bitrate': 2500000, 'pacing-factor': 1.25},
        'summary': {'mean target': {'value': 1043210.5, 'unit': 'bit/s'},
                    'mean psnr': {'value': 35.123, 'unit': 'dB'},
                    'lost on the link': {'value': 0.0041, 'unit': 'ratio'},
                    'rtt p95': {'value': 171.25, 'unit': 'ms'},
                    'cpu of the elements': {'value': 0.013, 'unit': 'ratio'},
                    'packets sent': {'value': 8214, 'unit': ''},
                    'first picture': {'value': None, 'unit': 's'}},
        'machine': {'fast-enough': True, 'line': 'fast enough: 99 % of the timers within 0.6 ms',
                    'warning': None, 'timer-lateness-p99': 0.6},
        'flows': ['video', 'audio']}
    return {**info, **changes}


def save_csv(path, rows, columns=None):
    columns = columns or list(rows[0])
    with open(path, 'w', encoding='utf-8', newline='') as out:
        writer = csv.DictWriter(out, columns, extrasaction='ignore', lineterminator='\n')
        writer.writeheader()
        writer.writerows(rows)


def write(directory, rows=None, with_frames=True, events=EVENTS, columns=None, **changes):
    directory.mkdir(parents=True, exist_ok=True)
    rows = rows or samples()
    (directory / 'call.json').write_text(
        json.dumps(description(**changes), ensure_ascii=False), encoding='utf-8')
    save_csv(directory / 'samples.csv', rows, columns)
    if with_frames:
        save_csv(directory / 'frames.csv', frames(rows))
    if events:
        save_csv(directory / 'events.csv', events)
    return directory
