# SPDX-License-Identifier: LGPL-2.1-or-later
"""What GCC is to reach on each path, beside what it reaches today."""
import dataclasses
import math
from typing import Callable

from . import control, metrics, rfc8867, stats
from .rfc8867_verdicts import worst_seconds
from .target import Note, Table, mean, number, reach
from .verdicts import evidence

NAME = 'control-rows'
TITLE = 'What GCC is to reach on each path, beside what it reaches today'
SOURCE = ('Our own targets, set before what was to reach them was built; "before" is the project '
          'at commit a35bfa9.')
ABOUT = ('The cases are those of the targets control (over rccsim) and rfc8867 (over ns-3).  PIE, '
         'FQ-CoDel and TCP Cubic are those of ns-3.  Eight and twenty flows are cases of this page, '
         'over ns-3, too.  Not here: the live call over a kernel token bucket of 2000, 700 and '
         '2000 kbit/s, and that the breaker never opens.')
RUNS = 5
PROGRAMS = ('rccsim', 'rccns3')
TUNABLE = True                  # heeds tools.first and tools.settings
TOLD_IN_TABLES = True          # by marks, beside each figure

FORMATS = {'remb': 'REMB', 'twcc': 'TWCC', 'ccfb': 'RFC 8888'}
NEVER = 300                     # s that what never comes counts as
QUICK = 6                       # s
LEAST, MOST = '\u2265', '\u2264'

SIMULATED = {name: control.CASES[name] for name in (
    '5.1', 'loss-5', 'loss-10', 'reverse-30', 'outage', 'long', 'fast', 'every-1', 'codel',
    'bucket-1600', 'bucket-3000', 'bucket-10000', 'reno-30', 'reno-100', 'reno-300')} | {
        'deaf': control.DEAF, 'start': control.START, 'reorder': control.REORDER}
MARKS = ('step 1 ms', 'step 5 ms')
CUBIC = ('--tcp', 'cubic', '--tcp-bulk', 1)


def alone(rate, queue, *others):
    """(seconds, scenario, flows, other options) of a flow of up to @rate over ns-3."""
    return 120, rfc8867.path(rate, queue=queue), ('max=6M',), others


def together(n):
    """Flows, one a second more, which may send less than a call of RFC 8867 does."""
    return tuple(f'from={i},min=30k' for i in range(n))


NS3 = {
    **{name: (rfc8867.CASES[name].seconds, rfc8867.CASES[name].scenario,
              rfc8867.CASES[name].flows, rfc8867.CASES[name].others)
       for name in ('5.2', '5.4', '5.5', '5.6', '5.7', '5.8')},
    'eight': (120, rfc8867.path('1M'), together(8), ()),
    'twenty': (120, rfc8867.path('4M', queue='100ms'), together(20), ()),
    'pie': alone('5M', '300ms', '--queue', 'pie'),
    'fqcodel': alone('5M', '300ms', '--queue', 'fqcodel'),
    'cubic-30': alone('2M', '30ms', *CUBIC),
    'cubic-300': alone('2M', '300ms', *CUBIC),
    'cubic-codel': alone('2M', '300ms', '--queue', 'codel', *CUBIC),
    'cubic-fqcodel': alone('2M', '300ms', '--queue', 'fqcodel', *CUBIC),
}
FBRA = {'fbra-1': '1M', 'fbra-2': '2M'}         # two calls of FBRA+, the second 20 s later


# --- what is run --------------------------------------------------------------


def simulated(tools, case, quick, *options):
    words = ['-s', tools.scenario(case.scenario), '-d',
             case.seconds if not quick or case.phase is not None else QUICK,
             '--max-bitrate', control.bits(case.most), *case.options, *options]
    for setting in tools.settings:
        words += ['--set', setting]
    return lambda seed: tools.rccsim(*words, '--seed', seed)


def over_ns3(tools, case, quick, options, settings=()):
    seconds, scenario, flows, others = case
    words = ['--scenario', tools.scenario(scenario) if '\n' in scenario else scenario,
             '-d', QUICK if quick else seconds, *others]
    for flow in flows:
        words += ['--flow', ','.join((options, rfc8867.LEAST, *filter(None, (flow,)), *settings))]
    return lambda seed: tools.rccns3(*words, '--seed', seed)


def plan(tools, n, quick):
    makers = {}
    for form in ('remb',) if quick else FORMATS:
        makers |= {(name, form): simulated(tools, case, quick, '-f', form)
                   for name, case in SIMULATED.items()}
        makers |= {(name, form): over_ns3(tools, case, quick, f'feedback={form}', tools.settings)
                   for name, case in NS3.items()}
    makers |= {(mark, 'ccfb'): simulated(tools, control.ecn_case(mark), quick, '-f', 'ccfb',
                                         *control.ECN_CONTROLLERS['GCC, l4s']) for mark in MARKS}
    makers |= {(name, 'ccfb'): over_ns3(
        tools, (120, rfc8867.path(rate), ('to=119', 'from=20,to=119'), ()), quick,
        'cc=fbra,fbra-plus=1,feedback=ccfb') for name, rate in FBRA.items()}
    return {case: [make(seed) for seed in range(tools.first, tools.first + n)]
            for case, make in makers.items()}


# --- what is read from a run --------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Figure:
    name: str
    read: Callable              # of a run's result
    digits: int
    unit: str = ''


def of_flow(i, key, factor=1.0):
    return lambda r: factor * r['flows'][i][key]


def lost_most(result):
    return 100 * max(f['lost'] for f in result['flows'])


def phase_queue(i):
    return lambda r: r['phases'][i]['queue-p95'] if len(r['phases']) > i else math.nan


def own(result, flow=0):
    """Of what our flow and TCP receive."""
    total = result['flows'][flow]['received'] + sum(t['bitrate'] for t in result['tcp'])
    return result['flows'][flow]['received'] / total if total else math.nan


def capped(value, most=NEVER):
    return most if value is None else value


SHARE = Figure('share', lambda r: r['link']['utilisation'], 3)
Q95 = Figure('queue p95', lambda r: r['link']['queue-p95'], 0, 'ms')
AFTER_Q95 = Figure('queue p95', lambda r: r['phases'][-1]['queue-p95'], 0, 'ms')
FINE_Q95 = dataclasses.replace(Q95, digits=1)
LOST = Figure('lost', lost_most, 3, '%')
FRAME = Figure('frame p98', lambda r: r['flows'][0]['frames']['p98'], 0, 'ms')
JAIN = Figure('Jain over 20 s', lambda r: metrics.fairness(r, 20), 3)
LATE = Figure('share of the flow of 150 ms, of 800 kbit/s',
              lambda r: stats.mean(r['flows'][4]['rates'][60:299]) / 800, 3)
RATE = Figure('rate', of_flow(0, 'received', 1e-3), 0, 'kbit/s')
WORST = Figure('worst seconds', lambda r: worst_seconds([r], range(len(r['flows']))), 0, 'kbit/s')
OWN = Figure('own part', own, 3)
TCP = Figure('TCP\u2019s part', lambda r: 1 - own(r), 3)
SILENT = Figure('sent after 3 s', lambda r: control.deaf(r)[0] / 10, 1, '%')
RETURN = Figure('90 % again after', lambda r: capped(control.deaf(r)[1]), 1, 's')
CLIMB = Figure('90 % after', lambda r: capped(control.reaches(r, 1800)), 1, 's')
ORDER = Figure('90 % after', lambda r: capped(control.reaches(r, 1350)), 1, 's')
TOGETHER = Figure('Jain, from 40 s on',
                  lambda r: stats.jain([stats.mean(f['rates'][40:119]) for f in r['flows']]), 3)


@dataclasses.dataclass(frozen=True)
class Row:
    case: str
    title: str
    figure: Figure
    before: str                 # as it was written down before
    must: float
    least: bool = False         # at least so much; else at most
    forms: tuple = tuple(FORMATS)

    @property
    def bound(self):
        return f'{LEAST if self.least else MOST} {number(self.must, places(self.must))}'

    def off(self, values):
        """How many times what was asked for; above 1: missed."""
        value = stats.mean(values)
        over, under = (self.must, value) if self.least else (value, self.must)
        return over / under if under > 0 else math.inf if over > 0 else math.nan


def places(value):
    return next((n for n in range(3) if round(value, n) == value), 3)


def queues(case, title, before, most, rate, jain, *more):
    return (Row(case, title, Q95, before, most), Row(case, title, JAIN, '', jain, True),
            *((Row(case, title, SHARE, number(rate, 3), rate, True),) if rate else ()), *more)


def managed(case, title, before):
    return Row(case, title, LOST, before, 1), Row(case, title, SHARE, '.95', .92, True)


ROWS = (
    Row('5.1', '5.1', SHARE, '.957', .957, True),
    *(Row('5.1', '5.1', dataclasses.replace(FINE_Q95, name=f'queue p95, phase {i + 1}',
                                            read=phase_queue(i)), str(most), most)
      for i, most in enumerate((31, 3, 69, 30))),
    Row('5.1', '5.1', LOST, '.1', .1),
    *queues('5.2', '5.2, two flows', '123', 80, .941, .99),
    *queues('5.4', '5.4, three flows', '60 to 69', 40, .946, .99),
    *queues('5.5', '5.5, five round trips', '120', 60, .925, .97,
            Row('5.5', '5.5, five round trips', LATE, '.42', .8, True)),
    *queues('5.8', '5.8, pause and resume', '67', 45, None, .99),
    Row('5.1', '5.1', FRAME, '263', 215),
    Row('long', '2 Mbit/s alone', FRAME, '290', 200),
    Row('fast', '50 Mbit/s', FRAME, '251', 190),
    Row('every-1', '1 and 2 Mbit/s, a second each', SHARE, '.61', .70, True),
    Row('every-1', '1 and 2 Mbit/s, a second each', Q95, '268', 180),
    Row('5.6', '5.6, beside a long TCP flow', RATE, '547', 500, True),
    Row('5.7', '5.7, short TCP', WORST, '141', 150, True),
    Row('loss-5', '5.1 with 5 % random loss', SHARE, '.80', .86, True),
    Row('loss-10', '5.1 with 10 % random loss', SHARE, '.2', .83, True),
    Row('reverse-30', '5.1 with 30 % of feedback lost', SHARE, '.86', .945, True, ('ccfb',)),
    Row('reverse-30', '5.1 with 30 % of feedback lost', SHARE, '.86', .90, True, ('twcc',)),
    Row('outage', 'the minute after an outage of 5 s', AFTER_Q95, '579', 100),
    *managed('codel', 'CoDel, 5 Mbit/s', '4.7'),
    *managed('pie', 'PIE, 5 Mbit/s', '13.3'),
    *managed('fqcodel', 'FQ-CoDel, 5 Mbit/s', '4.8'),
    *(Row(case, f'beside {name}, queue of 30 ms', figure, before, must, least)
      for case, name in (('reno-30', 'Reno'), ('cubic-30', 'Cubic'))
      for figure, before, must, least in ((LOST, '9.8', 2.5, False), (TCP, '.04', .25, True))),
    Row('reno-100', 'beside Reno, queue of 100 ms', OWN, '.57', .40, True),
    Row('reno-100', 'beside Reno, queue of 100 ms', OWN, '.57', .60),
    Row('reno-300', 'beside Reno, queue of 300 ms', OWN, '.27', .27, True),
    Row('fast', '50 Mbit/s, 20 ms each way, 100 ms', Q95, '99', 50),
    Row('fast', '50 Mbit/s, 20 ms each way, 100 ms', LOST, '2.2', .05),
    Row('deaf', 'feedback stops for 3 s', SILENT, '48', 5),
    Row('deaf', 'feedback stops for 3 s', RETURN, '', 1),
    Row('start', 'from 100 kbit/s, equal frames, 2 Mbit/s', CLIMB, '14.4', 4, False, ('remb',)),
    *(Row(mark, f'L4S, {mark}', figure, before, must, least, ('ccfb',))
      for mark, figure, before, must, least in (
          (MARKS[0], SHARE, '.23', .65, True), (MARKS[0], FINE_Q95, '', 3, False),
          (MARKS[0], FRAME, '', 60, False), (MARKS[1], SHARE, '.84', .85, True),
          (MARKS[1], FINE_Q95, '67', 8, False))),
    *(Row(f'bucket-{size}', f'700 kbit/s, bucket of {size} bytes', figure, before, must, least)
      for size, *befores in ((1600, '', '36', ''), (3000, '.83', '', ''),
                             (10000, '', '300', '4.7'))
      for (figure, must, least), before in zip(((SHARE, .92, True), (Q95, 60, False),
                                                (LOST, .2, False)), befores)),
    Row('reorder', '20 ms of jitter with reordering, 1.5 Mbit/s', ORDER, '23', 5),
    *(Row(case, title, figure, '', must, least)
      for case, title, rate in (('eight', 'eight flows on 1 Mbit/s', .80),
                                ('twenty', 'twenty flows on 4 Mbit/s, queue of 100 ms', .85))
      for figure, must, least in ((LOST, 5, False), (SHARE, rate, True))),
    Row('cubic-300', 'beside Cubic, queue of 300 ms', OWN, '.09', .30, True),
    Row('cubic-codel', 'beside Cubic, CoDel', OWN, '.14', .30, True),
    Row('cubic-fqcodel', 'beside Cubic, FQ-CoDel', OWN, '.33', .45, True),
    *(Row(case, f'two FBRA+ calls on {rate[0]} Mbit/s', TOGETHER, '.59 to .63', .95, True,
          ('ccfb',)) for case, rate in FBRA.items()),
)

# --- what is shown ------------------------------------------------------------

SIGNS = {True: '\u2713', False: '\u2717', None: '?'}


def found(row, results):
    """{format: a value of each seed} of those that were run."""
    return {form: [row.figure.read(r) for r in results[row.case, form]]
            for form in row.forms if (row.case, form) in results}


def holds(row, values):
    low, high = (row.must, math.inf) if row.least else (-math.inf, row.must)
    return evidence(values, low, high)[0]


def cells(row, values):
    out = [f'{mean(values[form], row.figure.digits)} {SIGNS[holds(row, values[form])]}'
           if form in values else number(None, 0) for form in FORMATS]
    return (*out, number(max((row.off(v) for v in values.values()), default=math.nan), 2))


HEADS = ('Case', 'Figure', 'Before', 'Must', *FORMATS.values(), 'Worst, of the must')


def named(row):
    return f'{row.figure.name}, {row.figure.unit}'.rstrip(', ')


def table(results):
    return Table('Each target', HEADS, [
        (row.title, named(row), row.before or number(None, 0), row.bound,
         *cells(row, found(row, results))) for row in ROWS], leading=2)


def furthest(results):
    misses = [(row.off(values), row, form, values) for row in ROWS
              for form, values in found(row, results).items() if row.off(values) > 1]
    misses.sort(key=lambda miss: -miss[0])
    return Table('What misses its target, the furthest first', (
        'Case', 'Figure', 'Feedback', 'Must', 'Now', 'Of the must'), [
            (row.title, named(row), FORMATS[form], row.bound, mean(values, row.figure.digits),
             number(off, 2)) for off, row, form, values in misses], leading=3)


NOTE = Note(
    f'{SIGNS[True]}: the 95 % interval of the mean lies within the target; {SIGNS[False]}: it lies '
    f'beyond; {SIGNS[None]}: it reaches over it, or there are too few seeds.  Worst, of the must: '
    'of the three kinds of feedback; above 1 is missed.  Share: of the capacity, or of what the '
    'source makes at most; own part and TCP\u2019s: of what both receive.  Lost: of the flow that '
    f'loses most.  What never comes counts as {NEVER} s.  L4S is GCC with l4s, FBRA+ is FBRA.')


def show(results):
    verdicts = [reach(f'{row.title}, {FORMATS[form]}, {row.figure.name}', values, row.must,
                      row.figure.digits, row.figure.unit, row.least)
                for row in ROWS for form, values in found(row, results).items()]
    return [NOTE, table(results), furthest(results), *verdicts]
