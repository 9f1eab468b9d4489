# SPDX-License-Identifier: LGPL-2.1-or-later
"""Send Best Packet Next: figures 1 to 8 of the paper, over ns-3 with its TCP."""
from . import sbpn_readings, stats
from .target import Chart, Headline, Line, Note, Table, Verdict, mean, number, PLUS_MINUS
from .verdicts import above, below, evidence, untold

NAME = 'sbpn'
TITLE = 'Send Best Packet Next, figures 1 to 8'
SOURCE = ('McDonald, Nelson: Application-level QoS: Improving Video Conferencing Quality through '
          'Sending the Best Packet Next (NGMAST 2008), figures 1 to 8')
ABOUT = ('A call sends audio and video through one queue at the rate that TFRC allows; packets '
         'are of no use 200 ms after they were made.  The unmodified sender keeps their order; '
         'Send Best Packet Next puts audio first and drops what would be late (SBPN1), unless '
         'nothing else waits (SBPN2).  The paper ran DCCP between PCs; here TFRC in the form of '
         'RFC 3448 runs over RTP and ns-3.  As in the paper, the traffic is that of Ekiga: 86 '
         'kbit/s of audio, 289 of video.  Runs have 60 s without their first 3 s, and a way is '
         'half the round trip.  Where there is congestion, two TCP Reno flows send packets of '
         '519 bytes, as there.  The paper does not say what lies along its axes, nor any number '
         'of its curves.  It does not tell the capacities and the queue of the link, nor which '
         'packet falls when the sender\u2019s queue is full.  Here the axes are random loss, or '
         'the capacity that is shared with TCP, behind a drop-tail queue of 50 ms (10 packets at '
         'least).  A full queue of the sender loses the packet of least use; other readings '
         'follow the figures.  So what is judged is what the paper states in words.  Gains are '
         'of pairs of runs with the same seed, in points of per cent.')
RUNS = 30
PROGRAMS = ('rccns3',)

LOSSES = (0, 1, 2, 3, 4, 6, 8, 10)                      # per cent
RATES = (400, 600, 800, 1000, 1200, 1600, 2000)         # kbit/s
# figure: RTT ms, packets of the sender's queue
CONGESTED = {4: (80, 5), 5: (80, 32), 6: (30, 5), 7: (150, 5)}
MODES = {'fifo': 'unmodified', 'sbpn1': 'SBPN1', 'sbpn2': 'SBPN2'}
COLOURS = {'fifo': 'received', 'sbpn1': 'sent', 'sbpn2': 'target', 'restart': 'encoder'}
STREAMS = sbpn_readings.STREAMS
DASHES = {'audio': '', 'video': 'dashed'}
WHY_LOSS = (
    'Why audio gains here under random loss, where the paper has harm: at a full queue video '
    'gives way to audio.  A packet that is dropped leaves its turn to send to the next one, so '
    'the rate is used as before.  Where the turn is lost with the packet, less is received, TFRC '
    'allows at most twice that, and both streams have less on time: see the readings below.  '
    'SBPN2 equals SBPN1 here, as a packet that has expired is hardly ever alone in the queue.')
WHY_RATE = (
    'How much there is to gain depends on the capacities, which the paper does not tell.  The '
    'more of the call fits beside TCP, the more audio is on time without help.  Nobody can gain '
    '10 points of what has more than 90 %.  At 30 ms hardly anything that is received is late.  '
    'Packets fall at the queue of 5, which one video frame fills.  What audio gains there it '
    'takes from video.')
WHY_RESTART = (
    'Faster restart raises the rate sooner after a pause of the sender.  The paper calls what it '
    'found not significant and gives no number.')
CLEAR = sbpn_readings.CLEAR
BETTER = 1                              # points: what is not better has less than that more
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
    for figure, (rtt, queue) in CONGESTED.items():
        for rate in RATES:
            for mode in ('fifo', 'sbpn2'):
                case((figure, mode, rate), congested, rate, rtt, flow(mode, rtt, queue))
    for rate in RATES:
        case((8, 'restart', rate), congested, rate, 80,
             flow('fifo', 80, 5, ',tfrc-faster-restart=1'))
    for name, (make, where) in sbpn_readings.cases(lossy, congested, flow).items():
        case(name, make, *where)
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


def differences(results, ours, base, points, stream, measure=share):
    """What @ours has more, in points of per cent: a row of the seeds for each of @points."""
    return [[measure(a, stream) - measure(b, stream) for a, b in zip(results[(*ours, x)],
                                                                     results[(*base, x)])]
            for x in points]


def by_seed(rows):
    return [stats.mean(column) for column in zip(*rows)]


def gains(results, ours, base, points, stream, measure=share):
    """For each seed, the mean over the points."""
    return by_seed(differences(results, ours, base, points, stream, measure))


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


def said(text, good, no='differs'):
    return Verdict(f'{text}: {"reproduced" if good else no}', good)


def judged_by_loss(results):
    unmodified, one, two = ('loss', 'fifo'), ('loss', 'sbpn1'), ('loss', 'sbpn2')
    out = []

    def judge(text, decide, bound, ours, base):
        out.extend(decide(text.format(stream), gains(results, ours, base, LOSSES[1:], stream),
                          bound, 1, 'points') for stream in STREAMS)

    judge('Figure 1, SBPN1 has less {} on time than unmodified', below, 0, one, unmodified)
    judge('Figure 2, SBPN2 has more {} on time than SBPN1', above, 0, two, one)
    judge(f'Section 5.1, SBPN2 has no more {{}} on time than unmodified (by {BETTER} point)',
          below, BETTER, two, unmodified)
    return out


def judged_late(results):
    found = {(mode, stream): stats.mean([
        stats.mean([late(result, stream) for result in results['loss', mode, x]])
        for x in LOSSES[1:]]) for mode in MODES for stream in STREAMS}
    audio = [found[mode, 'audio'] for mode in ('sbpn1', 'sbpn2')]

    def later(ours, base):
        return by_seed([row for stream in STREAMS for row in differences(
            results, ('loss', ours), ('loss', base), LOSSES[1:], stream, late)])
    return [
        above('Figure 3, the unmodified sender has more received late than SBPN2',
              later('fifo', 'sbpn2'), 0, 2, 'points'),
        above('Figure 3, SBPN2 has slightly more received late than SBPN1',
              later('sbpn2', 'sbpn1'), 0, 2, 'points'),
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
        *judged_by_loss(results), *judged_late(results), Note(WHY_LOSS)]


def over_most(figure, rows_, audio):
    """Of each capacity its interval tells."""
    found = [evidence(row, CLEAR, 100)[0] for row in rows_]
    yes, no = found.count(True), found.count(False)
    text = (f'Figure {figure}, audio on time improves by {CLEAR} points over most of the range: at '
            f'{yes} of {len(RATES)} capacities, not at {no}, {mean(audio, 1)} on average')
    if 2 * yes > len(RATES) or 2 * no >= len(RATES):
        return said(text, 2 * yes > len(RATES))
    return untold(text, f'{len(RATES) - yes - no} capacities have {CLEAR} within their interval')


def by_rate(results, figure):
    rtt, queue = CONGESTED[figure]
    ours, base = (figure, 'sbpn2'), (figure, 'fifo')
    rows_ = differences(results, ours, base, RATES, 'audio')
    audio, video = by_seed(rows_), gains(results, ours, base, RATES, 'video')
    return [
        chart(results, figure, f'Figure {figure}: two TCP flows, {rtt} ms, queue {queue}', [
            (base, 'unmodified', 'fifo'), (ours, 'SBPN2', 'sbpn2')], RATES, 'capacity, kbit/s'),
        Table(f'Figure {figure}', ('Capacity', 'Sender', *HEADS), rows(
            results, [(base, 'unmodified'), (ours, 'SBPN2')], RATES, 'kbit/s'), leading=2),
        over_most(figure, rows_, audio),
        above(f'Figure {figure}, video on time not decreased, or much less than audio gains (by '
              f'{HARM} points)', video, -HARM, 1, 'points')]


def restart(results):
    unmodified, ours = (4, 'fifo'), (8, 'restart')
    gain = gains(results, ours, unmodified, RATES, 'audio')
    named = [(unmodified, 'unmodified'), (ours, 'faster restart')]
    return [
        chart(results, 8, 'Figure 8: faster restart, two TCP flows, 80 ms, queue 5',
              [(unmodified, 'unmodified', 'fifo'), (ours, 'faster restart', 'restart')],
              RATES, 'capacity, kbit/s'),
        Table('Figure 8', ('Capacity', 'Sender', *HEADS), rows(results, named, RATES, 'kbit/s'),
              leading=2),
        below(f'Figure 8, faster restart is not better by {BETTER} point, audio on time', gain,
              BETTER, 1, 'points'), Note(WHY_RESTART)]


def across(results):
    """What the paper says of more than one figure."""
    out = []
    for stream, what in (('audio', 'audio gains more'), ('video', 'video loses less')):
        small = gains(results, (4, 'sbpn2'), (4, 'fifo'), RATES, stream)
        large = gains(results, (5, 'sbpn2'), (5, 'fifo'), RATES, stream)
        out.append(above(
            f'Figures 4 and 5, {what} with room for 32 packets ({mean(large, 1)} points) than for '
            f'5 ({mean(small, 1)})', [b - a for a, b in zip(small, large)], 0, 1, 'points'))
    plain = [results['loss', 'fifo', x] for x in LOSSES]
    plain += [results[figure, 'fifo', x] for figure in CONGESTED for x in RATES]
    audio, video = (by_seed([shares(found, stream) for found in plain]) for stream in STREAMS)
    out.append(above(f'Section 5, unmodified has more audio ({mean(audio, 1)} %) than video '
                     f'({mean(video, 1)} %) on time', [a - b for a, b in zip(audio, video)], 0, 1,
                     'points'))
    return out


def headline(results):
    gain = [stats.mean(values) for values in zip(*(
        gains(results, (figure, 'sbpn2'), (figure, 'fifo'), RATES, 'audio')
        for figure in CONGESTED))]
    both = [sbpn_readings.READINGS[one][0] for one in sbpn_readings.both(results)]
    return Headline(
        'Send Best Packet Next', 'More audio on time beside TCP, at 30 to 150 ms and queues of 5 '
        'and 32 packets', f'over {CLEAR} points across most of the range', mean(gain, 1, 'points'),
        evidence(gain, CLEAR, 100)[0],
        'The reading of a full queue decides.  With its harm under random loss: ' + (
            '; '.join(both) if both else 'no reading that was tried has both') + '.')


def show(results):
    out = [headline(results), *by_loss(results)]
    for figure in CONGESTED:
        out += by_rate(results, figure)
    return out + [Note(WHY_RATE)] + restart(results) + across(results) + \
        sbpn_readings.show(results) + [
        Note(f'Means over the seeds {PLUS_MINUS} 95 % intervals, of what was offered.')]
