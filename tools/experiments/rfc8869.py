# SPDX-License-Identifier: LGPL-2.1-or-later
"""The cases of RFC 8869 with GCC and NADA, over the 802.11n and LTE of ns-3."""
import math

from . import stats
from .target import Chart, Line, Note, Table, Verdict, mean, number, reach

NAME = 'rfc8869'
TITLE = 'RFC 8869: GCC and NADA over Wi-Fi and LTE'
SOURCE = ('RFC 8869, sections 2.1, 2.2, 3.1 and 3.2.  It has no figures of its own: the bounds are '
          'ours, set before the first run, for what its sections 3.1.4 and 3.2.4 expect')
ABOUT = ('Video of 150 kbit/s to 1.5 Mbit/s after RFC 8593 with 20 kbit/s of audio, from 150 '
         'kbit/s.  3.1 as it stands, 120 s: 802.11n at MCS 11, behind it a wire of 1 Mbit/s with '
         'a drop-tail queue of 300 ms.  Each way takes 50 ms, with up to 30 ms of jitter.  The '
         'CBR flow has 500 kbit/s, as the RFC names no rate.  3.2 at a quarter of its size: N = '
         '4 at MCS 0, one CBR flow of 1 Mbit/s or one TCP flow in place of five, and 60 s in '
         'place of 120.  MCS 0 has 6.5 Mbit/s of raw rate: four flows ask for more than there '
         'is, as sixteen do at MCS 11.  CBR is on or off to 30 s, TCP runs from 20 to 40 s; the '
         'wire has 100 Mbit/s.  2.1 and 2.2 in outline: one cell, or one case of seven, 500 and '
         '1732 m between sites, downlink, 3 km/h.  Calls of 30 s come as a Poisson process in a '
         'run of 60 s, of which 20 to 60 s count.  Packets are discarded after 1 s in the eNB, '
         'and two short TCP flows are beside.  The round trip by the wire is 40 or 150 ms.  Not '
         'here: fast fading, 30 km/h, the uplink of LTE, three sectors a site.')
RUNS = 3
PROGRAMS = ('rccns3',)

VARIANTS = {'default': ('GCC, REMB (default)', 'feedback=remb'),
            'twcc': ('GCC, TWCC', 'feedback=twcc'),
            'nada': ('NADA (RFC 8698)', 'cc=nada,feedback=ccfb')}
COLOURS = ('target', 'received', 'sent', 'capacity')
HOME = '0 both rate 1M delay 50 jitter 30 queue 300ms\n'
OFFICE = '0 both rate 100M delay 50 jitter 30 queue 300ms\n'
UP, DOWN = 'direction=rev', 'direction=fwd'

# what the bounds say, before anything was run
STARVED = 0.9 * 170                     # kbit/s, in the worst second of 20
REACTS = 20                             # s, "within tens of seconds"
SHARE = 0.8                             # of TCP's rate, "not significantly lower"
FAIR = 0.9                              # Jain's index over the flows of a direction
DELAY = 400                             # ms one way at p95: a conversation (ITU-T G.114)

# case: (title, seconds, scenario, media as ((options, count), ...), other options)
HOMES = {
    '3.1-a': ('one flow up', ((UP, 1),), ()),
    '3.1-b': ('one up, one down', ((UP, 1), (DOWN, 1)), ()),
    '3.1-c': ('one up, one down, CBR up to 60 s', ((UP, 1), (DOWN, 1)),
              ('--cbr-up', '500k:0:60')),
    '3.1-d': ('one up, one down, CBR up from 60 s', ((UP, 1), (DOWN, 1)),
              ('--cbr-up', '500k:60:119')),
    '3.1-e': ('one flow up beside TCP', ((UP, 1),), ('--tcp-up', 1, '--tcp-stop', 119)),
}
OFFICES = {
    '3.2-a': ('four down', ((DOWN, 4),), ()),
    '3.2-b': ('four up', ((UP, 4),), ()),
    '3.2-c': ('two up, two down', ((UP, 2), (DOWN, 2)), ()),
    '3.2-d-on': ('two and two, CBR up to 30 s', ((UP, 2), (DOWN, 2)), ('--cbr-up', '1M:0:30')),
    '3.2-d-off': ('two and two, CBR up from 30 s', ((UP, 2), (DOWN, 2)),
                  ('--cbr-up', '1M:30:60')),
    '3.2-e': ('two and two, TCP up from 20 to 40 s', ((UP, 2), (DOWN, 2)),
              ('--tcp-up', 1, '--tcp-start', 20, '--tcp-stop', 40)),
    '3.2-f-2': ('one up, one down', ((UP, 1), (DOWN, 1)), ()),
    '3.2-f-6': ('three up, three down', ((UP, 3), (DOWN, 3)), ()),
}
# in place of as many media flows; and beside the one of 3.2-e
TCP = {'3.2-a': ('--tcp-bulk', 4), '3.2-b': ('--tcp-up', 4),
       '3.2-c': ('--tcp-bulk', 2, '--tcp-up', 2), '3.2-e': ('--tcp-bulk', 2, '--tcp-up', 3)}
# users of a cell, cells, m between sites, round trip in ms
CELLS = {
    '2.1-2.8-40': ('2.1, 2.8 users, 40 ms', 2.8, 1, 500, 40),
    '2.1-7-40': ('2.1, 7 users, 40 ms', 7, 1, 500, 40),
    '2.1-10.5-40': ('2.1, 10.5 users, 40 ms', 10.5, 1, 500, 40),
    '2.1-10.5-150': ('2.1, 10.5 users, 150 ms', 10.5, 1, 500, 150),
    '2.1-cells': ('2.1, 7 cells, 1.4 users each, 40 ms', 9.8, 7, 500, 40),
    '2.2-2.8-40': ('2.2, 2.8 users, 40 ms', 2.8, 1, 1732, 40),
    '2.2-7-40': ('2.2, 7 users, 40 ms', 7, 1, 1732, 40),
    '2.2-7-150': ('2.2, 7 users, 150 ms', 7, 1, 1732, 150),
}
RADIO = 20                              # ms of a round trip that are not the wire's
BOTH_VARIANTS = ('3.1-a', '3.1-b', '3.1-e', '3.2-c', '2.1-7-40')
HOME_SECONDS, OFFICE_SECONDS, CELL_SECONDS = 120, 60, 60


def variants(case):
    return VARIANTS if case in BOTH_VARIANTS else ('default',)


def media(options, wanted):
    out = []
    for direction, count in wanted:
        out += ['--flow', f'from=1,count={count},{options},min=170k,start=170k,{direction}']
    return out


def wifi(tools, n, seconds, scenario, mcs, *more):
    where = tools.scenario(scenario)
    return [tools.rccns3('--topology', 'wifi', '--mcs', mcs, '--scenario', where, '-d', seconds,
                         '--seed', seed, *more) for seed in range(1, n + 1)]


def lte(tools, n, quick, case, options):
    _, users, cells, sites, rtt = CELLS[case]
    seconds, intensity = (5, 0.2) if quick else (CELL_SECONDS, users / 30)
    return [tools.rccns3('--topology', 'lte', '--cells', cells, '--site-distance', sites, '--wired-delay',
                         (rtt - RADIO) / 2, '-d', seconds, '--seed', seed, '--tcp-short', 2,
                         '--calls', f'{intensity:.4f}:30', '--flow', options)
            for seed in range(1, n + 1)]


def plan(tools, n, quick):
    cases = {}
    for case in (*HOMES, *OFFICES):
        home = case in HOMES
        _, wanted, others = (HOMES if home else OFFICES)[case]
        seconds = HOME_SECONDS if home else OFFICE_SECONDS
        for variant in variants(case):
            cases[case, variant] = wifi(
                tools, n, 4 if quick else seconds, HOME if home else OFFICE, 11 if home else 0,
                *media(VARIANTS[variant][1], wanted), *others)
    for case, others in TCP.items():
        cases[case, 'tcp'] = wifi(tools, n, 4 if quick else OFFICE_SECONDS, OFFICE, 0, '--flow',
                                  'count=0', *others)
    for case in CELLS:
        for variant in variants(case):
            cases[case, variant] = lte(tools, n, quick, case, VARIANTS[variant][1])
    return cases


def span(flow, start, stop):
    """kbit/s of each second in which the flow was there, from the sixth on."""
    first = max(math.ceil(flow['start']) + 5, start)
    return flow['rates'][first:int(min(flow['stop'], stop))]


def together(result, start, stop):
    """kbit/s of all flows, a second each."""
    return [sum(column) for column in zip(*(f['rates'][start:stop] for f in result['flows']))]


def one_way(result, direction):
    return [f for f in result['flows'] if f['direction'] == direction]


def fairness(result, direction, start=10):
    """Jain's index over the flows of a direction, of their means after the start."""
    found = [stats.mean(span(f, start, math.inf)) for f in one_way(result, direction)]
    return stats.jain(found) if len(found) > 1 else math.nan


def tcp_rate(result, kinds=('up', 'bulk')):
    return sum(t['bitrate'] for t in result['tcp'] if t['kind'] in kinds) / 1e3


def worst(found, start=10):
    """The 5th percentile of seconds of the flow that has least."""
    least = [stats.percentile(span(f, start, math.inf), 0.05) for r in found for f in r['flows']]
    return min(stats.known(least), default=math.nan)


def largest(result, quantile):
    return max(stats.known([f['delay'][quantile] for f in result['flows']]), default=math.nan)


def settles(rates, at, level, below):
    """s after @at until a second at or beyond @level."""
    for i, rate in enumerate(rates[at:]):
        if (rate <= level) if below else (rate >= level):
            return i + 1.0
    return math.nan


HEADS = ('Case', 'Sender', 'Up, kbit/s each', 'Down, kbit/s each', 'Delay p50, ms', 'p95', 'p99',
         'Lost, %', 'Jain up', 'Jain down', 'Others, kbit/s')


def row(title, name, found):
    def each(direction):
        return mean([stats.mean([f['received'] / 1e3 for f in one_way(r, direction)])
                     for r in found], 0)

    return (title, name, each('rev'), each('fwd'),
            *(number(stats.mean([largest(r, q) for r in found]), 0) for q in ('p50', 'p95', 'p99')),
            mean([100 * max((f['lost'] for f in r['flows']), default=math.nan) for r in found], 2),
            *(number(stats.mean([fairness(r, d) for r in found]), 3) for d in ('rev', 'fwd')),
            number(stats.mean([tcp_rate(r, ('up', 'bulk', 'cbr-up')) for r in found])
                   if found[0]['tcp'] else None, 0))


def wifi_table(caption, cases, results):
    rows = []
    for case, (title, *_) in cases.items():
        title = f'{case}: {title}'
        rows += [row(title, VARIANTS[v][0], results[case, v]) for v in variants(case)]
        if (case, 'tcp') in results:
            rows.append(row(title, 'TCP in their place', results[case, 'tcp']))
    return Table(caption, HEADS, rows, leading=2)


def calls(result):
    """Those that were heard for ten seconds of what counts."""
    return [f for f in result['flows'] if len(span(f, 20, math.inf)) >= 10]


def cell_figures(found):
    heard = [f for r in found for f in calls(r)]
    rates = [stats.mean(span(f, 20, math.inf)) for f in heard]
    return {
        'n': len(heard),
        'rates': rates,
        'cell': [stats.mean(together(r, 20, int(r['duration']))) for r in found],
        'p50': [f['delay']['p50'] for f in heard], 'p95': [f['delay']['p95'] for f in heard],
        'lost': [100 * f['lost'] for f in heard],
        'swing': [stats.deviation(span(f, 20, math.inf)) / m for f, m in zip(heard, rates) if m],
    }


def cell_table(results):
    rows = []
    for case, (title, *_) in CELLS.items():
        for variant in variants(case):
            c = cell_figures(results[case, variant])
            rows.append((title, VARIANTS[variant][0], str(c['n']), mean(c['cell'], 0),
                         *(number(stats.percentile(c['rates'], q), 0) for q in (.05, .5, .95)),
                         *(number(stats.percentile(c['p50'], q), 0) for q in (.5,)),
                         *(number(stats.percentile(c['p95'], q), 0) for q in (.5, .95)),
                         mean(c['lost'], 2), number(100 * stats.mean(c['swing']), 0)))
    return Table('Cellular: over the calls', (
        'Case', 'Sender', 'Calls', 'All cells, kbit/s', 'A call\u2019s p5, kbit/s', 'p50', 'p95',
        'Its median delay, ms: p50', 'Its p95: p50', 'p95', 'Lost, %', 'Rate varies by, %'),
        rows, leading=2)


def cell_chart(results):
    lines = []
    for colour, case in zip(COLOURS, ('2.1-2.8-40', '2.1-10.5-40', '2.2-2.8-40', '2.2-7-40')):
        rates = sorted(stats.known(cell_figures(results[case, 'default'])['rates']))
        lines.append(Line(CELLS[case][0], rates, [100 * (i + 1) / len(rates)
                                                  for i in range(len(rates))], colour,
                          dash='dashed' if case.startswith('2.2') else ''))
    return Chart('rfc8869-cells', 'Cellular: rates of the calls', 'kbit/s', 'calls below, %',
                 tuple(lines), top=100)


def wifi_chart(case, key, title, results, variant='default'):
    found = results[case, variant]
    lines = []
    for name, direction, colour, dash in (('up, each', 'rev', 'target', ''),
                                          ('down, each', 'fwd', 'received', 'dashed')):
        rates = [[stats.mean(column) for column in
                  zip(*(f['rates'] for f in one_way(r, direction)))]
                 for r in found if one_way(r, direction)]
        if rates:
            y = [stats.mean(column) for column in zip(*rates)]
            lines.append(Line(name, [i + 1.0 for i in range(len(y))], y, colour, dash=dash))
    return Chart(f'rfc8869-{key.replace(".", "-")}', title, 'time, s', 'kbit/s', tuple(lines))


def better(text, good):
    return Verdict(f'{text}: {"reached" if good else "missed"}', bool(good))


def home_verdicts(results):
    def up(case, start, stop):
        return [stats.mean(span(one_way(r, 'rev')[0], start, stop))
                for r in results[case, 'default']]

    out = [reach('3.1 a, up, of 1 Mbit/s after 20 s', [x / 10 for x in up('3.1-a', 20, 119)],
                 80, 0, '%')]
    for way, name in (('rev', 'up'), ('fwd', 'down')):
        out.append(reach(f'3.1 b, {name}, of 1 Mbit/s after 20 s', [
            stats.mean(span(one_way(r, way)[0], 20, 119)) / 10
            for r in results['3.1-b', 'default']], 80, 0, '%'))
    swing = [100 * stats.deviation(f) / stats.mean(f) for f in (
        span(r['flows'][0], 20, 119) for r in results['3.1-a', 'default']) if len(f) > 1]
    out.append(reach('3.1 a, standard deviation of a second\u2019s rate after 20 s, of the mean',
                     swing, 15, 1, '%', least=False))
    for case, below, level, what in (
            ('3.1-c', False, 0.8 * 1000, 'the CBR flow leaves, up until 800 kbit/s'),
            ('3.1-d', True, 1.1 * 500, 'the CBR flow comes, up until 550 kbit/s')):
        took = [settles(one_way(r, 'rev')[0]['rates'], 60, level, below)
                for r in results[case, 'default']]
        took = [t if math.isfinite(t) else 60.0 for t in took]
        out.append(reach(f'{case.replace("-", " ")}, after {what}', took, REACTS, 0, 's',
                         least=False))
    out.append(reach('3.1 e, beside TCP, of an equal share', [x / 5 for x in up('3.1-e', 20, 119)],
                     50, 0, '%'))
    return out


def office_verdicts(results):
    out = []
    for case, what in (('3.2-a', 'all down'), ('3.2-b', 'all up'), ('3.2-c', 'both ways')):
        media_rate = [stats.mean(together(r, 20, 60)) for r in results[case, 'default']]
        tcp = stats.mean([tcp_rate(r) for r in results[case, 'tcp']])
        # no source sends more than its most, however much TCP takes
        most = 1520 * len(results[case, 'default'][0]['flows'])
        out.append(reach(f'{case.replace("-", " ")}, {what}, media of TCP\u2019s '
                         f'{number(tcp, 0)} kbit/s (or of the sources\u2019 {most})',
                         [100 * m / min(tcp, most) for m in media_rate], 100 * SHARE, 0, '%'))
    for case, direction in (('3.2-a', 'fwd'), ('3.2-b', 'rev'), ('3.2-c', 'fwd'), ('3.2-c', 'rev'),
                            ('3.2-e', 'fwd')):
        out.append(reach(f'{case.replace("-", " ")}, Jain\u2019s index '
                         f'{"down" if direction == "fwd" else "up"}',
                         [fairness(r, direction) for r in results[case, 'default']], FAIR, 3, ''))
    for case in ('3.2-a', '3.2-b', '3.2-c'):
        out.append(reach(f'{case.replace("-", " ")}, p95 of the delay of the worst flow',
                         [largest(r, 'p95') for r in results[case, 'default']], DELAY, 0, 'ms',
                         least=False))
    return out


def reaction(rates, at, falls):
    """s after @at until the mean of three seconds is 80 % of the way from the ten seconds
    before to the last ten; all there is where they do not @falls, or rise."""
    if len(rates) <= at:
        return math.nan
    before, after = stats.mean(rates[at - 10:at]), stats.mean(rates[-10:])
    smooth = [stats.mean(rates[max(i - 2, at):i + 1]) for i in range(at, len(rates))]
    took = settles(smooth, 0, before + 0.8 * (after - before), falls)
    if (after < before) != falls or not math.isfinite(took):
        return float(len(rates) - at)
    return took


def reaction_verdicts(results):
    out = []
    for case, at, falls, what in (('3.2-d-on', 30, False, 'CBR leaves'),
                                  ('3.2-d-off', 30, True, 'CBR comes'),
                                  ('3.2-e', 40, False, 'TCP leaves')):
        took = [reaction(together(r, 0, int(r['duration'])), at, falls)
                for r in results[case, 'default']]
        out.append(reach(f'{case.replace("-", " ")}, {what}: 80 % of the way to the new rate after',
                         took, REACTS, 0, 's', least=False))
    found, shares = results['3.2-e', 'default'], []
    tcp = stats.mean([tcp_rate(r) for r in results['3.2-e', 'tcp']])
    for r in found:
        shares.append(100 * stats.mean(together(r, 25, 40)) / (tcp * 4 / 5))
    out.append(reach('3.2 e, media while TCP is there, of what four TCP flows have in their '
                     f'place ({number(tcp * 4 / 5, 0)} kbit/s)', shares, 100 * SHARE, 0, '%'))
    for case in ('3.1-e', '3.2-a', '3.2-b', '3.2-c', '3.2-e', '3.2-f-6'):
        least = worst(results[case, 'default'])
        out.append(better(f'{case.replace("-", " ", 1)}, no starvation: {number(least, 0)} '
                          'kbit/s in the 5th percentile of seconds of the worst flow, the least '
                          'rate is 170',
                          least >= STARVED))
    steps = [stats.mean([stats.mean([f['received'] / 1e3 for f in r['flows']]) for r in
                         results[case, 'default']]) for case in ('3.2-f-2', '3.2-c', '3.2-f-6')]
    out.append(better('3.2 f, with 2, 4 and 6 flows each has '
                      f'{", ".join(number(s, 0) for s in steps)} kbit/s, which is to fall with '
                      'their number from near the most', steps[0] >= 0.8 * 1520
                      and steps[0] >= 0.97 * steps[1] and steps[1] >= 0.97 * steps[2]))
    return out


def cell_verdicts(results):
    out = []
    for case in CELLS:
        c = cell_figures(results[case, 'default'])
        title = CELLS[case][0]
        out.append(reach(f'{title}, p95 of the delay of the 95th percentile of calls',
                         [stats.percentile(c['p95'], 0.95)], DELAY, 0, 'ms', least=False))
        out.append(reach(f'{title}, lost', c['lost'], 1, 2, '%', least=False))
    for case in ('2.1-2.8-40', '2.2-2.8-40'):
        rates = cell_figures(results[case, 'default'])['rates']
        out.append(reach(f'{CELLS[case][0]}, a call, of 1520 kbit/s',
                         [100 * r / 1520 for r in rates], 80, 0, '%'))
    return out


def show(results):
    out = [Note('Delay and loss: of the flow that has most, as a whole; rates: over the whole '
                'run.  Bounds: 20 s for \u201ctens of seconds\u201d, 80 % of TCP\u2019s rate for '
                '\u201cnot significantly lower\u201d, 90 % of the least rate for no starvation.  '
                'A fair share has Jain\u2019s index 0.9, an acceptable range 400 ms one way and '
                '1 % of loss.'),
           *home_verdicts(results), *office_verdicts(results), *reaction_verdicts(results),
           *cell_verdicts(results),
           wifi_table('3.1, the wire is the bottleneck', HOMES, results),
           wifi_table('3.2, Wi-Fi is the bottleneck', OFFICES, results), cell_table(results),
           Note('A call of 2.2 that stays at the least rate without loss or queue is a phone at '
                'the edge of the cell.  Nothing of it reaches the eNB, at 24 dBm; without '
                'feedback GCC sends as little as it may.  Where a flow of 3.2 f has nothing, '
                'ns-3\u2019s access point has stopped sending to that station, whatever the '
                'sender does.  It happened in one run of three, and not in the same run without '
                'A-MPDUs.')]
    for case in ('3.1-c', '3.1-e', '3.2-a', '3.2-d-off', '3.2-e'):
        out.append(wifi_chart(case, case, f'{case.replace("-", " ", 1)}, '
                              f'{(HOMES | OFFICES)[case][0]}: means over the seeds', results))
    return [*out, cell_chart(results)]
