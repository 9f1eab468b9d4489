# SPDX-License-Identifier: LGPL-2.1-or-later
"""What the paper of Send Best Packet Next leaves open, and which reading of it gives both of its
findings: more audio on time beside TCP, and less of everything under random loss."""
from . import stats
from .target import Note, Table, mean
from .verdicts import evidence, word

# What falls at a full queue, and whose turn to send is lost: (words, options of the flow).  Linux
# 2.6.20, on which the paper's code was built, refuses what finds the queue full.  It moves its next
# send time on before it looks at what it sends, and from the last one however long that is ago.
READINGS = {
    'figures': ('at a full queue the packet of least use falls (the figures)', ''),
    'tail': ('tail: the arriving packet falls', ',sbpn-tail-drop=1'),
    'turn': ('turn: what expired has used its turn to send', ',sbpn-drops-take-turns=1'),
    'both': ('tail + turn', ',sbpn-tail-drop=1,sbpn-drops-take-turns=1'),
    'credit': ('tail + turn + credit after idle, as in Linux 2.6.20',
               ',sbpn-tail-drop=1,sbpn-drops-take-turns=1,sbpn-idle-credit=1'),
}
TIMED = ',sbpn-one-way-delay=measured'
LOSSES = (1, 2, 4, 8)                   # per cent
RATES = (600, 1000, 1600)               # kbit/s
STREAMS = ('audio', 'video')
CLEAR = 10                              # points of audio on time


def cases(lossy, congested, flow):
    """{case: (how to make its run, the point, the flow)}; the unmodified sender is of the same
    kernel."""
    out = {}
    for reading, (_, options) in READINGS.items():
        for mode in ('fifo', 'sbpn1', 'sbpn2'):
            for loss in LOSSES:
                out['reading-loss', reading, mode, loss] = (
                    lossy, (loss, flow(mode, 80, 5, options)))
        for mode in ('fifo', 'sbpn2'):
            for rate in RATES:
                out['reading-rate', reading, mode, rate] = (
                    congested, (rate, 80, flow(mode, 80, 5, options)))
    for rate in RATES:
        out['reading-rate', 'timed', 'sbpn2', rate] = (
            congested, (rate, 80, flow('sbpn2', 80, 5, TIMED)))
    return out


def share(result, stream):
    counts = result['flows'][0]['streams'][stream]
    return 100 * counts['on-time'] / counts['offered'] if counts['offered'] else 0.0


def gain(results, kind, reading, mode, points, stream, base=None):
    """For each seed, the mean over the points of what @mode has more than the unmodified."""
    rows = [[share(a, stream) - share(b, stream) for a, b in zip(
        results[kind, reading, mode, x], results[kind, base or reading, 'fifo', x])]
        for x in points]
    return [stats.mean(column) for column in zip(*rows)]


def findings(results, reading):
    """(has the gain beside TCP, has the harm under loss): True, False or None (cannot be told)."""
    more = evidence(gain(results, 'reading-rate', reading, 'sbpn2', RATES, 'audio'), CLEAR, 1e9)[0]
    harm = [evidence(gain(results, 'reading-loss', reading, 'sbpn1', LOSSES, stream), -1e9, 0)[0]
            for stream in STREAMS]
    return more, False if False in harm else None if None in harm else True


def row(results, reading):
    more, harm = findings(results, reading)
    cells = [mean(gain(results, 'reading-rate', reading, 'sbpn2', RATES, stream), 1)
             for stream in STREAMS]
    cells += [mean(gain(results, 'reading-loss', reading, mode, LOSSES, stream), 1)
              for mode in ('sbpn1', 'sbpn2') for stream in STREAMS]
    return (READINGS[reading][0], *cells, word(more, 'yes', 'no'), word(harm, 'yes', 'no'))


def both(results):
    """The readings that have both findings."""
    return [reading for reading in READINGS if findings(results, reading) == (True, True)]


def show(results):
    timed = [mean(gain(results, 'reading-rate', 'timed', 'sbpn2', RATES, stream, 'figures'), 1)
             for stream in STREAMS]
    found = both(results)
    said = ('None of these readings has both of the paper\u2019s findings.' if not found else
            'Both of the paper\u2019s findings: ' + '; '.join(READINGS[r][0] for r in found) + '.')
    return [
        Table('Readings of a full queue, 80 ms, queue 5: what the sender gains on the unmodified of '
              'the same kernel, points of what was offered',
              ('Reading', 'SBPN2 beside TCP, audio', 'video', 'SBPN1 under loss, audio', 'video',
               'SBPN2 under loss, audio', 'video', f'Audio gains {CLEAR} beside TCP',
               'SBPN1 harms both under loss'), [row(results, reading) for reading in READINGS]),
        Note(f'Beside TCP at {", ".join(map(str, RATES))} kbit/s, under random loss of '
             f'{", ".join(map(str, LOSSES))} %.  {said}  With the way as measured instead of half '
             f'the round trip the figures\u2019 reading gains {timed[0]} points of audio and '
             f'{timed[1]} of video beside TCP.')]
