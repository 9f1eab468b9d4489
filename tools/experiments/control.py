# SPDX-License-Identifier: LGPL-2.1-or-later
"""All controllers on all paths: rate, queue, loss, frames, fairness, and one score."""
import dataclasses
import math

from . import stats
from .target import Note, Table, mean, number, reach

NAME = 'control'
TITLE = 'Controllers beside each other: falls, losses, outages, short queues, TCP, cellular traces'
SOURCE = ('Our own comparison.  The cases are those in which RFC 8867, LTE traces and short queues '
          'tell controllers apart; no paper has them all.')
ABOUT = ('Video after RFC 8593 with 20 kbit/s of audio in rccsim; 50 ms each way and a drop-tail '
         'queue of 300 ms unless the case differs.  Half of the seeds and half of the traces are '
         'for building, the others only judge: no constant is chosen by them.')
RUNS = 10
PROGRAMS = ('rccsim',)

CONTROLLERS = {
    'gcc-remb': ('GCC, REMB', ('-f', 'remb')),
    'gcc-twcc': ('GCC, TWCC', ('-f', 'twcc')),
    'gcc-ccfb': ('GCC, RFC 8888', ('-f', 'ccfb')),
    'nada': ('NADA, RFC 8888', ('--controller', 'nada', '-f', 'ccfb')),
    'scream': ('SCReAM v2, RFC 8888', ('--controller', 'scream', '-f', 'ccfb')),
    'tfrc': ('TFRC, RFC 8888', ('--controller', 'tfrc', '-f', 'ccfb')),
}
MOBILE = ('mahimahi-cellular/ATT-LTE-driving-2016.down',
          'mahimahi-cellular/TMobile-UMTS-driving.down',
          'mahimahi-cellular/Verizon-EVDO-driving.down', 'wifi-google/google-wifi-3mbps.mm')
JUDGE_ONLY = MOBILE[1::2]
LOSS_UNIT, QUEUE_UNIT = 0.02, 300       # of the score: a share, ms
LEAST_SHARE = 1e-3                      # of the score: the logarithm has an end


@dataclasses.dataclass(frozen=True)
class Case:
    title: str
    scenario: str
    seconds: int = 100
    most: str = '1.5M'                  # that the sender makes
    options: tuple = ()
    phase: int = None                   # judged by this phase alone
    tcp: int = 0                        # flows beside, which share
    judge_only: bool = False


def path(rate, delay=50, queue='300ms', more=''):
    return f'0 both delay {delay} queue {queue}\n0 fwd rate {rate}\n{more}'


def steps(rates, each):
    return ''.join(f'{i * each} fwd rate {rate}\n' for i, rate in enumerate(rates))


VARYING = path('1M', more='40 fwd rate 2.5M\n60 fwd rate 600k\n80 fwd rate 1M\n')
OUTAGE = path('1M', more='20 fwd rate 0\n{} fwd rate 1M\n')
CASES = {
    '5.1': Case('RFC 8867 5.1, varying capacity', VARYING),
    'jitter': Case('5.1 with 30 ms of jitter', VARYING + '0 fwd jitter 30ms\n'),
    'loss-3': Case('5.1 with 3 % random loss', VARYING + '0 fwd loss 3%\n'),
    'loss-5': Case('5.1 with 5 % random loss', VARYING + '0 fwd loss 5%\n'),
    'loss-10': Case('5.1 with 10 % random loss', VARYING + '0 fwd loss 10%\n'),
    'bursts': Case('5.1 with losses in bursts, 3 % of the packets',
                   VARYING + '0 fwd ge 1% 32%\n'),
    'reverse-30': Case('5.1 with 30 % of the feedback lost', VARYING + '0 rev loss 30%\n'),
    'stall': Case('The 10 s after a stall of 300 ms, 1 Mbit/s',
                  path('1M', more='20 fwd rate 0\n20.3 fwd rate 1M\n'), 30, phase=-1),
    'outage': Case('The minute after an outage of 5 s, 1 Mbit/s', OUTAGE.format(25), 85, phase=-1),
    'short': Case('2 Mbit/s, queue of 30 ms, alone', path('2M', queue='30ms'), most='2.5M'),
    'long': Case('2 Mbit/s, queue of 300 ms, alone', path('2M'), most='2.5M'),
    'codel': Case('5 Mbit/s behind CoDel, alone', path('5M', more='0 fwd aqm codel\n'), 100,
                  '6M'),
    'fast': Case('50 Mbit/s, 20 ms each way, queue of 100 ms', path('50M', 20, '100ms'), 60, '60M'),
    'far': Case('2 Mbit/s, 300 ms each way', path('2M', 300), most='2.5M'),
    'every-1': Case('1 and 2 Mbit/s, a second each', path('1M', more=steps(('1M', '2M') * 40, 1)),
                    80, '2.5M'),
    'every-5': Case('3, 1, 2, 0.5 Mbit/s, 5 s each',
                    path('3M', more=steps(('3M', '1M', '2M', '500k') * 4, 5)), 80,
                    '4M'),
    'three': Case('Three calls on 3.5 Mbit/s', path('3.5M'), 120, options=('-n', '3')),
    **{f'bucket-{size}': Case(f'700 kbit/s behind a token bucket of {size} bytes',
                             path('700k', more=f'0 fwd bucket {size}B\n'))
       for size in (1600, 3000, 10000)},
    'reno-30': Case('Beside one Reno, 2 Mbit/s, queue of 30 ms', path('2M', queue='30ms'), 120,
                    '2.5M', ('--reno', '1'), tcp=1),
    'reno-100': Case('Beside one Reno, 2 Mbit/s, queue of 100 ms', path('2M', queue='100ms'), 120,
                     '2.5M', ('--reno', '1'), tcp=1),
    'reno-300': Case('Beside one Reno, 2 Mbit/s, queue of 300 ms', path('2M'), 120,
                     '2.5M', ('--reno', '1'), tcp=1),
}
# RFC 8593's source makes 150 kbit/s at least, which would be all that is seen.
DEAF = Case('No feedback from 20 to 23 s, 1 Mbit/s', path('1M', more=(
    '20 rev loss 100%\n23 rev loss 0\n')), 40, options=('--min-bitrate', '10000'))
START = Case('Equal frames of 100 kbit/s at first, 2 Mbit/s', path('2M'), 40,
             '2.5M', ('--constant', '--no-audio', '--start-bitrate', '100000'))
REORDER = Case('Each packet up to 20 ms later, out of order, 1.5 Mbit/s',
               path('1.5M', more='0 fwd reorder 100% 20ms\n'), 40, '2.5M')
ECN_MARKS = {'step 1 ms': '1ms', 'step 5 ms': '5ms', 'ramp 1 to 5 ms': '1ms-5ms'}
ECN_CONTROLLERS = {
    'GCC, ECN not heeded': ('--ecn', 'ect1'),
    'GCC, l4s': ('--ecn', 'ect1', '--set', 'l4s=1'),
    'GCC, l4s, paced at the target': ('--ecn', 'ect1', '--set', 'l4s=1', '--set', 'l4s-pacing=1'),
    'SCReAM v2, l4s': ('--controller', 'scream', '--ecn', 'ect1', '--set', 'l4s=1'),
}


def ecn_case(mark):
    return Case(f'5 Mbit/s, 20 ms each way, CE: {mark}',
                path('5M', 20, more=f'0 fwd ecn {ECN_MARKS[mark]}\n'), most='6M')


def bits(rate):
    return f'{float(rate[:-1]) * 1e6:.0f}'


def traces(tools):
    return {f'trace {name}': Case(name.rsplit('/', 1)[-1].rsplit('.', 1)[0], (
        f'0 both delay 25 queue 1s max-age 1s\n'
        f'0 fwd trace mahimahi:{tools.trace(name)}\n'), 100, '6M',
        judge_only=name in JUDGE_ONLY) for name in MOBILE}


def runs(tools, case, controller, n, quick):
    seconds = min(case.seconds, 40) if quick and case.phase is None else case.seconds
    return [tools.rccsim('-s', tools.scenario(case.scenario), '-d', seconds,
                         *CONTROLLERS[controller][1], '--max-bitrate', bits(case.most),
                         *case.options, '--seed', seed)
            for seed in range(1, n + 1)]


def plan(tools, n, quick):
    cases = CASES | {'deaf': DEAF, 'start': START, 'reorder': REORDER}
    if tools.traces:
        cases |= traces(tools)
    planned = {(name, controller): runs(tools, case, controller, n, quick)
               for name, case in cases.items() for controller in CONTROLLERS}
    for mark in ECN_MARKS:
        case = ecn_case(mark)
        for controller, options in ECN_CONTROLLERS.items():
            planned[mark, controller] = [
                tools.rccsim('-s', tools.scenario(case.scenario), '-d', 40 if quick else 100,
                             '-f', 'ccfb', '--max-bitrate', bits(case.most), *options,
                             '--seed', seed) for seed in range(1, n + 1)]
    return planned


# --- what is read from a run --------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Seen:
    share: float                        # of the capacity or of what the sources make at most
    q50: float                          # ms
    q95: float
    lost: float                         # of our own packets
    frame: float                        # ms, of the frame that comes later than 98 % of them
    jain: float

    @property
    def score(self):
        """Fixed before the first run; to find regressions with, no constant is chosen by it."""
        return (math.log(max(self.share, LEAST_SHARE)) - self.q95 / QUEUE_UNIT
                - self.lost / LOSS_UNIT)


def seen(case, result):
    flows = [f for f in result['flows'] if f['direction'] == 'fwd']
    where = result['link'] if case.phase is None else result['phases'][case.phase]
    share = where['utilisation']
    if case.tcp:
        own = flows[0]['received'] / 1e3
        fair = result['phases'][0]['capacity'] / 1e3 / (1 + case.tcp)
        share = min(own / fair, fair / own) if own else 0
    lost = where['lost'] if case.phase is not None else max(f['lost'] for f in flows)
    return Seen(share, where['queue-p50'], where['queue-p95'], lost,
                stats.mean([f['frames']['p98'] for f in flows]),
                stats.jain([f['received'] for f in flows]) if len(flows) > 1 else math.nan)


def deaf(result):
    """kbit/s sent in the last 0.4 s without feedback; s until 900 kbit/s are sent again."""
    sent = result['flows'][0]['sent']
    back = next((i for i in range(115, len(sent)) if sent[i] >= 900), None)
    return stats.mean(sent[113:115]), None if back is None else (back - 115) * 0.2


def reaches(result, rate):
    """s until so many kbit/s are sent; None: never."""
    sent = result['flows'][0]['sent']
    at = next((i for i in range(len(sent)) if sent[i] >= rate), None)
    return None if at is None else at * 0.2


# --- tables -------------------------------------------------------------------


HEADS = ('Controller', 'Share', 'Queue p50, ms', 'p95', 'Lost, %', 'Frame p98, ms', 'Jain',
         'Score: building', 'judging')


def halves(found):
    """Seeds for building, seeds for judging."""
    half = (len(found) + 1) // 2
    return found[:half], found[half:]


def case_table(name, case, results):
    rows = []
    for controller, (label, _) in CONTROLLERS.items():
        found = [seen(case, r) for r in results[name, controller]]
        building, judging = halves(found)
        rows.append((label, mean([s.share for s in found], 3),
                     *(number(stats.mean([getattr(s, q) for s in found]), 0)
                       for q in ('q50', 'q95')),
                     mean([100 * s.lost for s in found], 2), mean([s.frame for s in found], 0),
                     number(stats.mean([s.jain for s in found]), 3),
                     *(number(stats.mean([s.score for s in part]), 2)
                       for part in (building, judging))))
    return Table(case.title, HEADS, rows)


def score_table(cases, results):
    rows = []
    for controller, (label, _) in CONTROLLERS.items():
        building, judging = [], []
        for name, case in cases.items():
            parts = halves([seen(case, r).score for r in results[name, controller]])
            judging.append((stats.mean(parts[1]), case.title))
            if not case.judge_only:
                building.append((stats.mean(parts[0]), case.title))
        rows.append((label, *(text for part in (building, judging) for text in (
            number(sum(s for s, _ in part), 1), f'{number(min(part)[0], 1)}: {min(part)[1]}'))))
    return Table('Score: of the cases together, and the worst of them', (
        'Controller', 'Building', 'Worst', 'Judging', 'Worst'), rows)


def after(times):
    never = sum(t is None for t in times)
    return mean(times, 1) + (f' ({never} never)' if never else '')


def other_table(results):
    rows = []
    for controller, (label, _) in CONTROLLERS.items():
        silent = [deaf(r) for r in results['deaf', controller]]
        rows.append((label, mean([s for s, _ in silent], 0), mean([t for _, t in silent], 1),
                     after([reaches(r, 1800) for r in results['start', controller]]),
                     after([reaches(r, 1350) for r in results['reorder', controller]])))
    return Table('Feedback that stops from 20 to 23 s, 1 Mbit/s; a start at 100 kbit/s; and a '
                 'start where each packet is up to 20 ms late', (
                     'Controller', 'Sent after 3 s, kbit/s', '90 % again after, s',
                     '90 % of 2 Mbit/s after, s', 'Reordered: 90 % of 1.5 Mbit/s after, s'), rows)


def ecn_table(results):
    rows = []
    for mark in ECN_MARKS:
        for controller in ECN_CONTROLLERS:
            found = [seen(ecn_case(mark), r) for r in results[mark, controller]]
            marked = [100 * r['flows'][0]['marked'] for r in results[mark, controller]]
            rows.append((mark, controller, mean([s.share for s in found], 3),
                         mean([s.q95 for s in found], 1), mean([s.frame for s in found], 0),
                         mean(marked, 1)))
    return Table('L4S: 5 Mbit/s, 20 ms each way, RFC 8888', (
        'CE above a queue of', 'Controller', 'Share', 'Queue p95, ms', 'Frame p98, ms',
        'Marked, %'), rows)


# What GCC is to reach, with each feedback; set before it was built: case, figure, bound, digits,
# unit, at least
TARGETS = (
    ('5.1', 'share', .957, 3, '', True),
    ('loss-5', 'share', .86, 3, '', True),
    ('loss-10', 'share', .83, 3, '', True),
    ('reverse-30', 'share', .90, 3, '', True),
    ('outage', 'q95', 100, 0, 'ms', False),
    ('codel', 'lost', 1, 2, '%', False),
    ('codel', 'share', .92, 3, '', True),
    ('reno-30', 'lost', 2.5, 2, '%', False),
    ('fast', 'q95', 50, 0, 'ms', False),
    ('fast', 'lost', .05, 3, '%', False),
    ('every-1', 'share', .70, 3, '', True),
    ('every-1', 'q95', 180, 0, 'ms', False),
    *((f'bucket-{size}', *target) for size in (1600, 3000, 10000) for target in (
        ('share', .92, 3, '', True), ('q95', 60, 0, 'ms', False), ('lost', .2, 2, '%', False))),
)
ECN_TARGETS = (
    ('step 1 ms', 'share', .65, 3, '', True),
    ('step 1 ms', 'q95', 3, 1, 'ms', False),
    ('step 1 ms', 'frame', 60, 0, 'ms', False),
    ('step 5 ms', 'share', .85, 3, '', True),
    ('step 5 ms', 'q95', 8, 1, 'ms', False),
)
REORDER_TARGET = 5                      # s; what never comes counts as the run's length
FIGURES = {'share': 'share', 'q95': 'queue p95', 'lost': 'lost', 'frame': 'frame p98'}


def verdicts(results):
    out = []
    for name, figure, bound, digits, unit, least in TARGETS:
        for controller in ('gcc-remb', 'gcc-twcc', 'gcc-ccfb'):
            values = [getattr(seen(CASES[name], r), figure) for r in results[name, controller]]
            values = [100 * v for v in values] if figure == 'lost' else values
            out.append(reach(f'{CASES[name].title}, {CONTROLLERS[controller][0]}, '
                             f'{FIGURES[figure]}', values, bound, digits, unit, least))
    for controller in ('gcc-remb', 'gcc-twcc', 'gcc-ccfb'):
        values = [reaches(r, 1350) for r in results['reorder', controller]]
        out.append(reach(f'{REORDER.title}, {CONTROLLERS[controller][0]}, 90 % after',
                         [REORDER.seconds if t is None else t for t in values], REORDER_TARGET, 1,
                         's', False))
    for mark, figure, bound, digits, unit, least in ECN_TARGETS:
        values = [getattr(seen(ecn_case(mark), r), figure) for r in results[mark, 'GCC, l4s']]
        out.append(reach(f'{ecn_case(mark).title}, GCC, l4s, {FIGURES[figure]}', values, bound,
                         digits, unit, least))
    return out


NOTE = Note(
    'Share: of the capacity, or of what the source makes at most where that is less; beside TCP, '
    'of half the capacity, or the inverse where more is taken.  Lost: of our own packets, the '
    'path\u2019s own losses included.  Frame: from made to there, what 98 % of the frames stay '
    f'under.  Score of a run: ln share \u2212 p95 / {QUEUE_UNIT} ms \u2212 lost / '
    f'{100 * LOSS_UNIT:.0f} %.  It is for finding regressions.')


def show(results):
    cases = dict(CASES)
    cases |= {name: Case(name.rsplit('/', 1)[-1].rsplit('.', 1)[0], '', judge_only=any(
        name.endswith(one) for one in JUDGE_ONLY))
        for name, _ in results if name.startswith('trace ') and name not in cases}
    absent = () if len(cases) > len(CASES) else (Note(
        'The cellular traces were not there: --traces says in which folder they are.'),)
    return [NOTE, *absent, *verdicts(results), score_table(cases, results), other_table(results),
            ecn_table(results),
            *(case_table(name, case, results) for name, case in cases.items())]
