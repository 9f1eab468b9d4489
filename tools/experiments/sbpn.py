# SPDX-License-Identifier: LGPL-2.1-or-later
"""Send Best Packet Next: figures 1 to 8 of the paper, over ns-3 with its TCP."""
from . import stats
from .target import Chart, Line, Note, Table, Verdict, mean, number, PLUS_MINUS

NAME = 'sbpn'
TITLE = 'Send Best Packet Next, figures 1 to 8'
SOURCE = ('McDonald, Nelson: Application-level QoS: Improving Video Conferencing Quality through '
          'Sending the Best Packet Next (NGMAST 2008), figures 1 to 8')
ABOUT = ('A call sends audio and video through one queue at the rate that TFRC allows; packets '
         'are of no use 200 ms after they were made.  The unmodified sender keeps their order; '
         'Send Best Packet Next puts audio first and drops what would be late (SBPN1), unless '
         'nothing else waits (SBPN2).  The paper ran DCCP between PCs; here TFRC in the form of '
         'RFC 3448 runs over RTP and ns-3.  As in the paper: the traffic of Ekiga (86 kbit/s of '
         'audio, 289 of video), runs of 60 s without their first 3 s, a way of half the round '
         'trip, and where there is congestion two TCP Reno flows with packets of 519 bytes.  The '
         'paper does not say: what lies along its axes, any number of its curves, the capacities '
         'and the queue of the link, and which packet falls when the sender\u2019s queue is full.  '
         'Here the axes are random loss, or the capacity that is shared with TCP, behind a '
         'drop-tail queue of 50 ms (10 packets at least), and a full queue loses the packet of '
         'least use; other readings follow the figures.  So what is judged is what the paper '
         'states in words.  Gains are of pairs of runs with the same seed, in points of per cent.')
RUNS = 30
PROGRAMS = ('rccns3',)

LOSSES = (0, 1, 2, 3, 4, 6, 8, 10)                      # per cent
RATES = (400, 600, 800, 1000, 1200, 1600, 2000)         # kbit/s
# figure: RTT ms, packets of the sender's queue
CONGESTED = {4: (80, 5), 5: (80, 32), 6: (30, 5), 7: (150, 5)}
MODES = {'fifo': 'unmodified', 'sbpn1': 'SBPN1', 'sbpn2': 'SBPN2'}
COLOURS = {'fifo': 'received', 'sbpn1': 'sent', 'sbpn2': 'target', 'restart': 'encoder'}
STREAMS = ('audio', 'video')
DASHES = {'audio': '', 'video': 'dashed'}
# What the paper leaves open, as (words, options of the flow).
READINGS = {
    'tail': ('at a full queue the arriving packet falls', ',sbpn-tail-drop=1'),
    'turn': ('that, and what expired has used its turn to send',
             ',sbpn-tail-drop=1,sbpn-drops-take-turns=1'),
    'timed': ('as in the figures, but with the way as measured', ',sbpn-one-way-delay=measured'),
}
VARIED_RATES = (600, 1000, 1600)
WHY_LOSS = (
    'Why audio gains here under random loss, where the paper has harm: at a full queue video '
    'gives way to audio, and a packet that is dropped leaves its turn to send to the next one, so '
    'the rate is used as before.  Where the turn is lost with the packet (the other reading, '
    'below), less is received, TFRC allows at most twice that, and both streams have less on '
    'time, as in the paper.  Yet that reading has harm beside TCP as well, where the paper gains: '
    'none of the readings that were tried gives both.  SBPN2 equals SBPN1 here, as a packet that '
    'has expired is hardly ever alone in the queue.')
WHY_RATE = (
    'How much there is to gain depends on the capacities, which the paper does not tell: the more '
    'of the call fits beside TCP, the more audio is on time without help, and nobody can gain 10 '
    'points of what has more than 90 %.  At 30 ms hardly anything that is received is late: '
    'packets fall at the queue of 5, which one video frame fills, and what audio gains there it '
    'takes from video.')
WHY_RESTART = (
    'Faster restart raises the rate sooner after a pause of the sender.  The paper calls what it '
    'found not significant and gives no number; here significant means that the 95 % interval is '
    'above zero.')
CLEAR = 10                              # points of audio on time
HARM = 2                                # points of video
NONE = 0.1                              # points that cannot be told from none in a picture


def flow(mode, rtt, queue, extra=''):
    return (f'profile=sbpn,scheduler={mode},sbpn-one-way-delay=half-rtt,sbpn-max-packets={queue},'
            f'arrivals-interval={rtt * 1000000}{extra}')


def congested(tools, rate, rtt, wanted, seed, length):
    packets = max(rate * 50 // 8 // 519, 10)
    scenario = tools.scenario(f'0 both rate {rate}k delay {rtt / 2:g} queue {packets}\n')
    return tools.rccns3('--scenario', scenario, '-d', length, '--seed', seed, '--flow', wanted,
                        '--tcp-bulk', 2, '--tcp-segment', 479)


def lossy(tools, loss, wanted, seed, length):
    scenario = tools.scenario(f'0 both rate unlimited delay 40\n0 fwd loss {loss}%\n')
    return tools.rccns3('--scenario', scenario, '-d', length, '--seed', seed, '--flow', wanted)


def plan(tools, n, quick):
    cases, seeds, length = {}, range(1, n + 1), 8 if quick else 62

    def case(name, make, *where):
        cases[name] = [make(tools, *where, seed, length) for seed in seeds]

    for loss in LOSSES:
        for mode in MODES:
            case(('loss', mode, loss), lossy, loss, flow(mode, 80, 5))
        for mode in ('sbpn1', 'sbpn2'):
            case(('loss-turn', mode, loss), lossy, loss, flow(mode, 80, 5, READINGS['turn'][1]))
    for figure, (rtt, queue) in CONGESTED.items():
        for rate in RATES:
            for mode in ('fifo', 'sbpn2'):
                case((figure, mode, rate), congested, rate, rtt, flow(mode, rtt, queue))
    for rate in RATES:
        case((8, 'restart', rate), congested, rate, 80,
             flow('fifo', 80, 5, ',tfrc-faster-restart=1'))
    for rate in VARIED_RATES:
        for reading, (_, options) in READINGS.items():
            case((4, reading, rate), congested, rate, 80, flow('sbpn2', 80, 5, options))
    return cases


def share(result, stream, what='on-time'):
    """Per cent of what was offered."""
    counts = result['flows'][0]['streams'][stream]
    return 100 * counts[what] / counts['offered'] if counts['offered'] else None


def late(result, stream):
    """Of what was offered, what was received but not on time."""
    received, on_time = share(result, stream, 'received'), share(result, stream)
    return None if received is None else received - on_time


def shares(found, stream, what='on-time'):
    return [share(result, stream, what) for result in found]


def gains(results, ours, base, points, stream):
    """For each seed the mean gain over the points: [points of per cent]."""
    rows = [[share(a, stream) - share(b, stream) for a, b in zip(results[(*ours, x)],
                                                                 results[(*base, x)])]
            for x in points]
    return [stats.mean(column) for column in zip(*rows)], [stats.mean(row) for row in rows]


def curve(results, case, points, stream, label, colour, measure):
    values = [[measure(result, stream) for result in results[(*case, x)]] for x in points]
    return Line(f'{label}, {stream}', list(points), [stats.mean(v) for v in values], colour,
                error=[stats.interval(v) for v in values], dash=DASHES[stream], marker='o')


def chart(results, key, title, cases, points, x, measure=share):
    lines = tuple(curve(results, case, points, stream, label, COLOURS[colour], measure)
                  for case, label, colour in cases for stream in STREAMS)
    y, top = ('on time, %', 102) if measure is share else ('received late, %', None)
    return Chart(f'sbpn-{key}', title, x, y, lines, top=top)


def rows(results, cases, points, unit):
    out = []
    for x in points:
        for case, label in cases:
            found = results[(*case, x)]
            out.append((f'{x} {unit}', label, *(mean(shares(found, stream, what), 1)
                                               for stream in ('audio', 'video')
                                               for what in ('on-time', 'received'))))
    return out


HEADS = ('Audio on time, %', 'received, %', 'Video on time, %', 'received, %')


def clearly(gain, sign):
    """The 95 % interval of the mean is wholly on that side of nothing."""
    return sign * stats.mean(gain) > stats.interval(gain)


def not_better(gain):
    """Nor is that clear of a single seed."""
    return stats.mean(gain) <= stats.interval(gain)


def said(text, good, no='differs'):
    return Verdict(f'{text}: {"reproduced" if good else no}', good)


def judged_by_loss(results, family, where=''):
    unmodified, one, two = ('loss', 'fifo'), (family, 'sbpn1'), (family, 'sbpn2')
    out = []

    def judge(text, ours, base, stream, decide):
        gain, _ = gains(results, ours, base, LOSSES[1:], stream)
        out.append(said(f'{text}{where}: {mean(gain, 1)} points', decide(gain)))

    for stream in STREAMS:
        judge(f'Figure 1, SBPN1 has less {stream} on time than unmodified', one, unmodified,
              stream, lambda gain: clearly(gain, -1))
    for stream in STREAMS:
        judge(f'Figure 2, SBPN2 has more {stream} on time than SBPN1', two, one, stream,
              lambda gain: clearly(gain, 1))
    for stream in STREAMS:
        judge(f'Section 5.1, SBPN2 has no more {stream} on time than unmodified', two,
              unmodified, stream, not_better)
    return out


def judged_late(results):
    found = {(mode, stream): stats.mean([
        stats.mean([late(result, stream) for result in results['loss', mode, x]])
        for x in LOSSES[1:]]) for mode in MODES for stream in STREAMS}
    both = {mode: stats.mean([found[mode, stream] for stream in STREAMS]) for mode in MODES}
    audio = [found[mode, 'audio'] for mode in ('sbpn1', 'sbpn2')]
    return [
        said('Figure 3, received but late: ' + ', '.join(
            f'{name} {number(both[mode], 2)}' for mode, name in MODES.items()) + ' points, the '
            'paper has even more, almost none, slightly more',
            both['sbpn1'] <= both['sbpn2'] < both['fifo']),
        said(f'Figure 3, of audio nothing is late: SBPN1 {number(audio[0], 2)}, SBPN2 '
             f'{number(audio[1], 2)} points', max(audio) <= NONE)]


def by_loss(results):
    named = [(('loss', mode), name, mode) for mode, name in MODES.items()]
    unmodified, one, two = named
    x = 'random loss, %'
    return [
        chart(results, 1, 'Figure 1: random loss, 80 ms, queue 5', [unmodified, one], LOSSES, x),
        chart(results, 2, 'Figure 2: random loss, SBPN1 and SBPN2, 80 ms, queue 5', [one, two],
              LOSSES, x),
        chart(results, 3, 'Figure 3: received, but not on time, 80 ms, queue 5', named, LOSSES, x,
              late),
        Table('Figures 1 to 3', ('Loss', 'Sender', *HEADS), rows(
            results, [case[:2] for case in named], LOSSES, '%'), leading=2),
        *judged_by_loss(results, 'loss'), *judged_late(results), Note(WHY_LOSS)]


def by_rate(results, figure):
    rtt, queue = CONGESTED[figure]
    ours, base = (figure, 'sbpn2'), (figure, 'fifo')
    audio, each = gains(results, ours, base, RATES, 'audio')
    video, _ = gains(results, ours, base, RATES, 'video')
    clear = sum(gain >= CLEAR for gain in each)
    return [
        chart(results, figure, f'Figure {figure}: two TCP flows, {rtt} ms, queue {queue}', [
            (base, 'unmodified', 'fifo'), (ours, 'SBPN2', 'sbpn2')], RATES, 'capacity, kbit/s'),
        Table(f'Figure {figure}', ('Capacity', 'Sender', *HEADS), rows(
            results, [(base, 'unmodified'), (ours, 'SBPN2')], RATES, 'kbit/s'), leading=2),
        said(f'Figure {figure}, audio on time improves by {CLEAR} points over most of the range: '
             f'at {clear} of {len(RATES)} capacities, {mean(audio, 1)} on average',
             2 * clear > len(RATES)),
        said(f'Figure {figure}, video on time not decreased, or much less than audio gains: '
             f'{mean(video, 1)} points', stats.mean(video) >= -HARM)]


def restart(results):
    unmodified, ours = (4, 'fifo'), (8, 'restart')
    gain, _ = gains(results, ours, unmodified, RATES, 'audio')
    named = [(unmodified, 'unmodified'), (ours, 'faster restart')]
    return [
        chart(results, 8, 'Figure 8: faster restart, two TCP flows, 80 ms, queue 5',
              [(unmodified, 'unmodified', 'fifo'), (ours, 'faster restart', 'restart')],
              RATES, 'capacity, kbit/s'),
        Table('Figure 8', ('Capacity', 'Sender', *HEADS), rows(results, named, RATES, 'kbit/s'),
              leading=2),
        said('Figure 8, faster restart is not significantly better: audio on time '
             f'{mean(gain, 1)} points', not_better(gain)), Note(WHY_RESTART)]


def varied(results):
    """What the paper leaves open."""
    table = []
    for reading in ('sbpn2', *READINGS):
        row = [READINGS[reading][0] if reading in READINGS else 'as in the figures']
        for stream in STREAMS:
            gain, _ = gains(results, (4, reading), (4, 'fifo'), VARIED_RATES, stream)
            row.append(mean(gain, 1))
        table.append(tuple(row))
    one, two = (('loss-turn', mode) for mode in ('sbpn1', 'sbpn2'))
    unmodified = (('loss', 'fifo'), 'unmodified', 'fifo')
    return [
        Table('Figure 4 in other readings: gains of SBPN2 at 600, 1000 and 1600 kbit/s, points',
              ('Reading', 'Audio on time', 'Video on time'), table),
        chart(results, '1-turn', 'Figures 1 and 2 in another reading: the arriving packet falls '
              'at a full queue, and what expired has used its turn to send',
              [unmodified, (one, 'SBPN1', 'sbpn1'), (two, 'SBPN2', 'sbpn2')], LOSSES,
              'random loss, %'),
        *judged_by_loss(results, 'loss-turn', ', in the other reading')]


def across(results):
    """What the paper says of more than one figure."""
    out = []
    for stream, what in (('audio', 'audio gains more'), ('video', 'video loses less')):
        small, _ = gains(results, (4, 'sbpn2'), (4, 'fifo'), RATES, stream)
        large, _ = gains(results, (5, 'sbpn2'), (5, 'fifo'), RATES, stream)
        out.append(said(
            f'Figures 4 and 5, {what} with room for 32 packets ({mean(large, 1)} points) than for '
            f'5 ({mean(small, 1)})', stats.mean(large) > stats.mean(small)))
    plain = [results['loss', 'fifo', x] for x in LOSSES]
    plain += [results[figure, 'fifo', x] for figure in CONGESTED for x in RATES]
    audio, video = (stats.mean([stats.mean(shares(found, stream)) for found in plain])
                    for stream in STREAMS)
    out.append(said(f'Section 5, unmodified has more audio ({number(audio, 1)} %) than video '
                    f'({number(video, 1)} %) on time', audio > video))
    return out


def show(results):
    out = by_loss(results)
    for figure in CONGESTED:
        out += by_rate(results, figure)
    return out + [Note(WHY_RATE)] + restart(results) + across(results) + varied(results) + [
        Note(f'Means over the seeds {PLUS_MINUS} 95 % intervals, of what was offered.')]
