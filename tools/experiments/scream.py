# SPDX-License-Identifier: LGPL-2.1-or-later
"""SCReAM v2 as the draft has it, beside its authors' code, and what lowers its rate."""
from . import control, published
from .target import DASH, Note, Table, mean, reach

NAME = 'scream'
TITLE = 'SCReAM v2 beside its authors\u2019 code'
SOURCE = ('EricssonResearch/scream of June 2026 in this project\u2019s simulator: to compare with, '
          'not the authors\u2019 results')
ABOUT = ('Video after RFC 8593 with 20 kbit/s of audio in rccsim, with RFC 8888 feedback; 50 ms '
         'each way and a drop-tail queue of 300 ms unless the case differs.  docs/scream.md says '
         'how the draft is read.')
RUNS = 10
PROGRAMS = ('rccsim',)

JITTER, UNDERSHOOT = ('--set', 'scream-reduce-jitter=1'), ('--set', 'scream-undershoot=1')
NO_ADJUSTMENT, NO_FRAMES = ('--set', 'scream-adjust-gain=0'), ('--set', 'scream-frame-gain=0')
L4S = ('--ecn', 'ect1', '--set', 'l4s=1')
WAYS = {
    'draft': ('as it is', ()),
    'steady': ('scream-reduce-jitter=1, scream-undershoot=1', (*JITTER, *UNDERSHOOT)),
    'l4s': ('l4s=1', L4S),
}
# One taken away after the other.
PARTS = {
    'draft': ('as it is', ()),
    'no-adjustment': ('without the adjustment by the send queue (scream-adjust-gain=0)',
                      NO_ADJUSTMENT),
    'no-frames': ('without that by frame sizes, too (scream-frame-gain=0)',
                  (*NO_ADJUSTMENT, *NO_FRAMES)),
    'undershoot': ('with 4.5.3, too (scream-undershoot=1)',
                   (*NO_ADJUSTMENT, *NO_FRAMES, *UNDERSHOOT)),
    'jitter': ('with REDUCE_JITTER, too (scream-reduce-jitter=1)',
               (*NO_ADJUSTMENT, *NO_FRAMES, *UNDERSHOOT, *JITTER)),
}
CASES = {
    **{name: control.CASES[name] for name in ('5.1', 'long', 'short', 'codel', 'far', 'fast')},
    'loss-1': control.Case('1 Mbit/s with 1 % random loss', control.path('1M loss 1%')),
    'l4s': control.Case('5 Mbit/s, CE above 1 ms', control.path('5M', more='0 fwd ecn 1ms\n'),
                        most='6M'),
}
AUTHORS = {
    '5.1': ('.896', '9 / 65', '.07'),
    'long': ('.901', '10 / 46', '0'),
    'short': ('.697', '3 / 19', '.93'),
    'codel': ('.725', '2 / 19', '.26'),
    'far': ('.597', None, None),
    'fast': ('.890', '14 / 42', '0'),
    'l4s': ('.499', f'{DASH} / 2.2', None),
}


def ways_of(name):
    return ('l4s',) if name == 'l4s' else ('draft', 'steady')


def plan(tools, n, quick):
    def runs(case, options):
        return published.runs(tools, case, ('--controller', 'scream', *options), n, quick)
    return {**{(name, way): runs(case, WAYS[way][1]) for name, case in CASES.items()
               for way in ways_of(name)},
            **{('parts', part): runs(CASES['long'], options)
               for part, (_, options) in PARTS.items()}}


def parts(results):
    rows = []
    for part, (label, _) in PARTS.items():
        found = [control.seen(CASES['long'], one) for one in results['parts', part]]
        rows.append((label, mean([one.share for one in found], 3),
                     mean([one.q95 for one in found], 0)))
    return Table(f'What lowers the rate: {CASES["long"].title}',
                 ('SCReAM v2', 'Share', 'Queue p95, ms'), rows)


def verdicts(results):
    varying, marked = results['5.1', 'draft'], results['l4s', 'l4s']
    return [
        reach(f'{CASES["5.1"].title}, share', published.figure(CASES['5.1'], varying, 'share'), .75,
              3, ''),
        published.at_most(CASES['5.1'], varying, 'q95', 130),
        published.at_most(CASES['5.1'], varying, 'lost', .5),
        reach(f'{CASES["l4s"].title}, share', published.figure(CASES['l4s'], marked, 'share'), .4,
              3, ''),
        published.at_most(CASES['l4s'], marked, 'q95', 5)]


def show(results):
    return [Note(published.NOTE.format('tests/sim/test-scream.c')), *verdicts(results),
            published.table('SCReAM v2', CASES, WAYS, results, AUTHORS), parts(results)]
