#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Makes the series and outputs in this folder, or sees with --check that they are as it makes them.

A series is a call of draft.py's own controller: a source of 30 equal frames a second with a key
frame of five in every 20, a pacer that sends each 5 ms at 2.5 times the target, a drop-tail link,
and a REMB each second, or at once when the estimate fell by 3 %.  SERIES.packets has a packet a
line: microseconds of departure and of arrival, bytes; in the order of arrival.

SERIES.GROUPING.THRESHOLDS.groups is what draft.py makes of it from 1500 kbit/s on, without the
loop, a group a line: arrival of the packet that ended it, send and arrival delta (us), m and
threshold (ms), usage, R (bit/s), state, A (bit/s)."""
import heapq
import math
import pathlib
import random
import sys

from draft import Controller, MSEC, SEC

HERE = pathlib.Path(__file__).resolve().parent
SECONDS, SIZE, START = 16, 1200, 1500000
DELAY = 25 * MSEC
OFFSET = 7 * SEC + 123                  # between the two clocks


class Outages:
    """A packet each 6.4 ms (1.5 Mbit/s), but for gaps of 50 to 195 ms, after which two a millisecond come until
    what was missed is made up for: as on the Wi-Fi of PG."""

    def __init__(self, rng):
        self.slots, at = [], 0
        while at < (SECONDS + 5) * SEC:
            gap = int(rng.expovariate(1 / 300)) * MSEC
            until = at + gap
            while at < until:
                self.slots.append(at)
                at += 6400
            outage = rng.randint(50, 195) * MSEC
            self.slots += [at + outage + 500 * i for i in range(outage // 6400)]
            at = max(at + outage, self.slots[-1] + 6400)
        self.next = 0

    def arrival(self, now, size):
        while self.slots[self.next] < now:
            self.next += 1
        self.next += 1
        return self.slots[self.next - 1]


class Falls:
    """1 Mbit/s, 400 kbit/s from 6 to 11 s, 1 Mbit/s; 300 ms of queue."""

    def __init__(self, rng):
        self.free = 0

    def arrival(self, now, size):
        bps = 400000 if 6 * SEC <= now < 11 * SEC else 1000000
        if self.free > now + 300 * MSEC:
            return None
        self.free = max(self.free, now) + 8 * size * SEC // bps
        return self.free


class Jitter:
    """1.5 Mbit/s; a packet comes up to 12 ms late, so that some overtake others; 2 % are lost."""

    def __init__(self, rng):
        self.rng, self.free = rng, 0

    def arrival(self, now, size):
        if self.rng.random() < 0.02 or self.free > now + 300 * MSEC:
            return None
        self.free = max(self.free, now) + 8 * size * SEC // 1500000
        return self.free + int(12 * MSEC * self.rng.random() ** 3)


class Deaf:
    """1 Mbit/s, 1.12 from 6 s on; the source sends 1.3 Mbit/s, whatever it is told."""

    def __init__(self, rng):
        self.free = 0

    def arrival(self, now, size):
        bps = 1120000 if now >= 6 * SEC else 1000000
        if self.free > now + 300 * MSEC:
            return None
        self.free = max(self.free, now) + 8 * size * SEC // bps
        return self.free


LINKS = {'outages': Outages, 'falls': Falls, 'jitter': Jitter, 'deaf': Deaf}
DEAF = 1300000
OUTPUTS = [('outages', grouping, 'webrtc') for grouping in ('none', 'paper', 'draft')] + [
    ('deaf', 'paper', 'webrtc'), ('falls', 'none', 'draft'), ('falls', 'paper', 'webrtc'),
    ('jitter', 'draft', 'draft'), ('jitter', 'paper', 'webrtc')]


def record(name):
    rng = random.Random(name)
    link, controller = LINKS[name](rng), Controller('none', 'webrtc', START)
    target, told, told_at, queue, tokens, frame = START, START, 0, [], 0.0, 0
    way, news, out = [], [], []         # arrivals and REMBs under way, both as heaps
    for now in range(0, SECONDS * SEC, 5 * MSEC):
        while way and way[0][0] <= now:
            tr, ts, size = heapq.heappop(way)
            controller.packet(ts, tr + OFFSET, size)
            out.append((ts, tr + OFFSET, size))
            a = controller.rate.a
            if a < 0.97 * told or tr >= told_at + SEC:
                told, told_at = a, tr
                heapq.heappush(news, (tr + DELAY, a))
        while news and news[0][0] <= now:
            target = min(max(heapq.heappop(news)[1], 50000), 2500000)
        if name == 'deaf':
            target = DEAF
        if now * 30 >= frame * SEC:
            left = int(target / 240 * (5 if frame % 20 == 0 else 15 / 19))
            frame += 1
            while left > 0:
                queue.append(max(min(left, SIZE), 100))
                left -= SIZE
        tokens = min(tokens + 2.5 * target / 8 * 0.005, 2.5 * target / 8 * 0.005 + SIZE)
        while queue and tokens > 0:
            size = queue.pop(0)
            tokens -= size
            arrival = link.arrival(now, size)
            if arrival is not None:
                heapq.heappush(way, (arrival + DELAY, now, size))
    return out


def outputs(packets, grouping, thresholds):
    controller = Controller(grouping, thresholds, START)
    return [group for group in (controller.packet(*packet) for packet in packets) if group]


def text(packets):
    return ''.join(f'{ts} {tr} {size}\n' for ts, tr, size in packets)


def group_text(groups):
    return ''.join(f'{now} {ds} {dr} {m:.12g} {threshold:.12g} {usage} {r} {state} {a:.12g}\n'
                   for now, ds, dr, m, threshold, usage, r, state, a in groups)


def near(a, b):
    """Whether two texts differ in the last digits of numbers only, as mathematical libraries do."""
    words = [text.split() for text in (a, b)]
    return len(words[0]) == len(words[1]) and all(
        x == y or '.' in x and math.isclose(float(x), float(y), rel_tol=1e-9, abs_tol=1e-9)
        for x, y in zip(*words))


def main():
    check, stale = sys.argv[1:] == ['--check'], []
    series = {name: record(name) for name in LINKS}
    files = {f'{name}.packets': text(packets) for name, packets in series.items()}
    for name, grouping, thresholds in OUTPUTS:
        files[f'{name}.{grouping}.{thresholds}.groups'] = group_text(
            outputs(series[name], grouping, thresholds))
    for name, content in files.items():
        path = HERE / name
        if not check:
            path.write_text(content, encoding='utf-8')
        elif not path.is_file() or not near(path.read_text(encoding='utf-8'), content):
            stale.append(name)
    there = {path.name for suffix in ('packets', 'groups') for path in HERE.glob(f'*.{suffix}')}
    stale += sorted(there - set(files))
    if check and stale:
        sys.exit(f'series: not as make.py makes them: {", ".join(stale)}')


if __name__ == '__main__':
    main()
