# SPDX-License-Identifier: LGPL-2.1-or-later
"""The FBRA paper's figures of repair (section 5.1) for a call between two processes: what its ends
wrote into packets.csv, put together.  In one process tools/rtpcall/repair.c settles the same."""
import csv
import itertools

LATE = 400_000          # us; what takes longer is of no use to a call
SETTLES = 3_000_000     # us at the end, of which packets may be on their way


class Packet:
    def __init__(self, row):
        self.clock, self.size = int(row['clock']), int(row['size'])
        self.in_time = self.covered = False


def read(path):
    with open(path, encoding='ascii') as file:
        yield from csv.DictReader(file)


def sent(path):
    """{timestamp: {number: Packet}}, in order of time."""
    frames, last = {}, {}
    for row in read(path):
        if row['kind'] == 'video':
            packet = last[row['number']] = Packet(row)
            frames.setdefault(row['timestamp'], {})[row['number']] = packet
        else:
            for number in row['covers'].split():
                if number in last:
                    last[number].covered = True
    return frames


def heard(path, frames):
    """Marks what came in time; {timestamp: packets behind the decoder of parity}, which gives them
    numbers of its own."""
    decoded = {}
    for row in read(path):
        frame = frames.get(row['timestamp'], {})
        if row['place'] == 'decoded' and row['kind'] == 'video':
            decoded[row['timestamp']] = decoded.get(row['timestamp'], 0) + 1
        elif row['number'] in frame:
            packet = frame[row['number']]
            packet.in_time |= int(row['clock']) <= packet.clock + LATE
    return decoded


def of_packets(sender, receiver, seconds):
    """Figures of the video; goodput in kbit/s of RTP packets that came in time or were repaired."""
    frames = sent(sender)
    decoded = heard(receiver, frames)
    packets = list(itertools.chain.from_iterable(frame.values() for frame in frames.values()))
    end = max((packet.clock for packet in packets), default=0) - SETTLES
    count = {'frames-sent': 0, 'frames-lost': 0, 'frames-protected': 0, 'frames-recovered': 0}
    good = 0
    for timestamp, frame in frames.items():
        lost = [packet for packet in frame.values() if not packet.in_time]
        repaired = min(max(decoded.get(timestamp, 0) + len(lost) - len(frame), 0), len(lost))
        good += sum(packet.size for packet in frame.values() if packet.in_time)
        good += sum(packet.size for packet in lost[:repaired])
        if next(iter(frame.values())).clock <= end:
            covered = any(packet.covered for packet in lost)
            count['frames-sent'] += 1
            count['frames-lost'] += bool(lost)
            count['frames-protected'] += covered
            count['frames-recovered'] += covered and repaired == len(lost)
    protected = count['frames-protected']
    return {**count, 'ffre': count['frames-recovered'] / protected if protected else None,
            'goodput': good * 8 / seconds / 1e3}
