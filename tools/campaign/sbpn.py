# SPDX-License-Identifier: LGPL-2.1-or-later
"""Send Best Packet Next: figures 1 to 8 of the paper, over ns-3 with its TCP."""
from . import stats
from .target import Chart, Line, Note, Table, Verdict, mean, number, PLUS_MINUS

NAME = 'sbpn'
TITLE = 'Send Best Packet Next, figures 1 to 8'
SOURCE = ('McDonald, Nelson: Application-level QoS: Improving Video Conferencing Quality through '
          'Sending the Best Packet Next (NGMAST 2008), figures 1 to 8')
ABOUT = ('The Ekiga traffic over TFRC in RFC 3448\u2019s form, expiry 200 ms, runs of 60 s without '
         'their first 3 s; two TCP Reno flows with packets of 519 bytes where there is '
         'congestion.  The paper prints no numbers beside its curves and does not say what lies '
         'along their axes: what it states in words is what is judged.  Congested: the capacity '
         'shared with TCP, behind a drop-tail queue of 50 ms (10 packets at least).  Gains are '
         'of pairs of equal seed, in points.')
RUNS = 30
PROGRAMS = ('rccns3',)

LOSSES = (0, 1, 2, 3, 4, 6, 8, 10)                      # per cent
RATES = (400, 600, 800, 1000, 1200, 1600, 2000)         # kbit/s
# figure: RTT ms, packets of the sender's queue
CONGESTED = {4: (80, 5), 5: (80, 32), 6: (30, 5), 7: (150, 5)}
MODES = {'fifo': 'unmodified', 'sbpn1': 'SBPN1', 'sbpn2': 'SBPN2'}
COLOURS = {'fifo': 'received', 'sbpn1': 'sent', 'sbpn2': 'target', 'restart': 'encoder'}
DASHES = {'audio': '', 'video': 'dashed'}
CLEAR = 10                              # points of audio on time
HARM = 2                                # points of video


def flow(mode, rtt, queue, extra=''):
    return (f'profile=sbpn,scheduler={mode},sbpn-max-packets={queue},'
            f'arrivals-interval={rtt * 1000000}{extra}')


def congested(tools, rate, rtt, wanted, seed, length):
    packets = max(rate * 50 // 8 // 519, 10)
    scenario = tools.scenario(f'0 both rate {rate}k delay {rtt / 2:g} queue {packets}\n')
    return tools.rccns3('--scenario', scenario, '-d', length, '--seed', seed, '--flow', wanted,
                        '--tcp-bulk', 2, '--tcp-segment', 479)


def plan(tools, n, quick):
    cases, seeds, length = {}, range(1, n + 1), 15 if quick else 62
    for loss in LOSSES:
        scenario = tools.scenario(f'0 both rate unlimited delay 40\n0 fwd loss {loss}%\n')
        for mode in MODES:
            cases['loss', mode, loss] = [
                tools.rccns3('--scenario', scenario, '-d', length, '--seed', seed, '--flow',
                             flow(mode, 80, 5)) for seed in seeds]
    for figure, (rtt, queue) in CONGESTED.items():
        for rate in RATES:
            for mode in ('fifo', 'sbpn2'):
                cases[figure, mode, rate] = [congested(
                    tools, rate, rtt, flow(mode, rtt, queue), seed, length) for seed in seeds]
    for rate in RATES:
        cases[8, 'restart', rate] = [congested(
            tools, rate, 80, flow('fifo', 80, 5, ',tfrc-faster-restart=1'), seed, length)
            for seed in seeds]
    return cases


def share(result, stream, what='on-time'):
    """Per cent of what was offered."""
    counts = result['flows'][0]['streams'][stream]
    return 100 * counts[what] / counts['offered'] if counts['offered'] else None


def shares(found, stream, what='on-time'):
    return [share(result, stream, what) for result in found]


def gains(results, ours, base, points, stream):
    """For each seed the mean gain over the points: [points of per cent]."""
    rows = [[share(a, stream) - share(b, stream) for a, b in zip(results[(*ours, x)],
                                                                 results[(*base, x)])]
            for x in points]
    return [stats.mean(column) for column in zip(*rows)], [stats.mean(row) for row in rows]


def curve(results, case, points, stream, label, colour):
    values = [shares(results[(*case, x)], stream) for x in points]
    return Line(f'{label}, {stream}', list(points), [stats.mean(v) for v in values], colour,
                error=[stats.interval(v) for v in values], dash=DASHES[stream], marker='o')


def chart(results, number_, title, cases, points, x):
    lines = tuple(curve(results, case, points, stream, label, COLOURS[colour])
                  for case, label, colour in cases for stream in ('audio', 'video'))
    return Chart(f'sbpn-{number_}', f'Figure {number_}: {title}', x, 'on time, %', lines, top=102)


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


def said(text, good, no='differs'):
    return Verdict(f'{text}: {"reproduced" if good else no}', good)


def by_loss(results):
    unmodified, one, two = (('loss', mode) for mode in MODES)
    lossy = LOSSES[1:]
    out = [
        chart(results, 1, 'random loss, 80 ms, queue 5', [(unmodified, 'unmodified', 'fifo'),
                                                          (one, 'SBPN1', 'sbpn1')],
              LOSSES, 'random loss, %'),
        chart(results, 2, 'random loss, SBPN1 and SBPN2', [(one, 'SBPN1', 'sbpn1'),
                                                           (two, 'SBPN2', 'sbpn2')],
              LOSSES, 'random loss, %'),
        Table('Figures 1 to 3', ('Loss', 'Sender', *HEADS), rows(
            results, [(('loss', mode), name) for mode, name in MODES.items()], LOSSES, '%'),
            leading=2)]
    for stream in ('audio', 'video'):
        gain, _ = gains(results, one, unmodified, lossy, stream)
        out.append(said(f'Figure 1, SBPN1 has less {stream} on time than unmodified: '
                        f'{mean(gain, 1)} points', clearly(gain, -1)))
    gain, _ = gains(results, two, one, lossy, 'audio')
    out.append(said(f'Figure 2, SBPN2 has more audio on time than SBPN1: {mean(gain, 1)} points',
                    clearly(gain, 1)))
    late = {mode: stats.mean([
        stats.mean([share(r, s, 'received') - share(r, s) for s in ('audio', 'video')])
        for x in lossy for r in results['loss', mode, x]]) for mode in MODES}
    out.append(said('Figure 3, received but late: ' + ', '.join(
        f'{name} {number(late[mode], 2)}' for mode, name in MODES.items()) + ' points, the paper '
        'has almost none, few, more', late['sbpn1'] <= late['sbpn2'] < late['fifo']))
    return out


def by_rate(results, figure):
    rtt, queue = CONGESTED[figure]
    ours, base = (figure, 'sbpn2'), (figure, 'fifo')
    audio, each = gains(results, ours, base, RATES, 'audio')
    video, _ = gains(results, ours, base, RATES, 'video')
    clear = sum(gain >= CLEAR for gain in each)
    return [
        chart(results, figure, f'two TCP flows, {rtt} ms, queue {queue}', [
            (base, 'unmodified', 'fifo'), (ours, 'SBPN2', 'sbpn2')], RATES, 'capacity, kbit/s'),
        Table(f'Figure {figure}', ('Capacity', 'Sender', *HEADS), rows(
            results, [(base, 'unmodified'), (ours, 'SBPN2')], RATES, 'kbit/s'), leading=2),
        said(f'Figure {figure}, audio on time improves by {CLEAR} points over most of the range: '
             f'at {clear} of {len(RATES)} capacities, {mean(audio, 1)} on average',
             2 * clear > len(RATES)),
        said(f'Figure {figure}, video on time not decreased, or much less than audio gains: '
             f'{mean(video, 1)} points', stats.mean(video) >= -HARM)]


def restart(results):
    gain, _ = gains(results, (8, 'restart'), (4, 'fifo'), RATES, 'audio')
    return [
        chart({**results, **{(8, 'fifo', x): results[4, 'fifo', x] for x in RATES}}, 8,
              'faster restart, 80 ms, queue 5', [((8, 'fifo'), 'unmodified', 'fifo'),
                                                 ((8, 'restart'), 'faster restart', 'restart')],
              RATES, 'capacity, kbit/s'),
        said('Figure 8, faster restart is not significantly better: audio on time '
             f'{mean(gain, 1)} points', not clearly(gain, 1))]


def show(results):
    out = by_loss(results)
    for figure in CONGESTED:
        out += by_rate(results, figure)
    small, _ = gains(results, (4, 'sbpn2'), (4, 'fifo'), RATES, 'audio')
    large, _ = gains(results, (5, 'sbpn2'), (5, 'fifo'), RATES, 'audio')
    out.append(said(f'Audio gains more with room for 32 packets ({mean(large, 1)} points) than '
                    f'for 5 ({mean(small, 1)})', stats.mean(large) > stats.mean(small)))
    return out + restart(results) + [
        Note(f'Means over the seeds {PLUS_MINUS} 95 % intervals, of what was offered.')]
