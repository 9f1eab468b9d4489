# SPDX-License-Identifier: LGPL-2.1-or-later
"""NADA as the RFC has it, beside the authors' class, and what some of its constants do."""
from . import control, published
from .target import Note

NAME = 'nada'
TITLE = 'NADA (RFC 8698) beside its authors\u2019 class'
SOURCE = ('cisco/ns3-rmcat, its class alone in this project\u2019s simulator, BETA 0.1: to compare '
          'with, not the authors\u2019 results')
ABOUT = ('Video of up to 1.5 Mbit/s after RFC 8593 with 20 kbit/s of audio in rccsim, with RFC '
         '8888 feedback.  The path has 50 ms each way and a drop-tail queue of 300 ms.  '
         'docs/nada.md says how the RFC is read.  The cases of RFC 8867 over ns-3 are those of '
         'the target rfc8867.')
RUNS = 10
PROGRAMS = ('rccsim',)

WAYS = {
    'rfc': ('RFC 8698', ()),
    'still': ('BETA_V = BETA_S = 0', ('--set', 'nada-beta-v=0', '--set', 'nada-beta-s=0')),
    'code': ('nada-form=ns3-rmcat', ('--set', 'nada-form=ns3-rmcat')),
    'far': ('x of up to 3.2767 s', ('--set', 'nada-x-max=3276700000')),
}
CASES = {
    '5.1': control.CASES['5.1'],
    'jitter': control.CASES['jitter'],
    'loss-1': control.Case('5.1 with 1 % random loss', control.VARYING + '0 fwd loss 1%\n'),
    'loss-3': control.CASES['loss-3'],
    'loss-5': control.CASES['loss-5'],
}
ALL_WAYS = '5.1'                        # the other cases have the RFC's alone
AUTHORS = {
    '5.1': ('.861', '6 / 46', '.42'),
    'jitter': ('.621', '1 / 11', '.18'),
    'loss-1': ('.752', None, None),
    'loss-3': ('.270', None, None),
    'loss-5': ('.170', None, None),
}
# The same as numbers, with the loss of 5.1 with 3 %: share, ms, %.
BOUNDS = {'5.1': (.861, 46, .42), 'jitter': (.621, 11, .18), 'loss-3': (.270, 11, 3.3)}


def plan(tools, n, quick):
    return {(name, way): published.runs(tools, case, ('--controller', 'nada', *options), n, quick)
            for name, case in CASES.items() for way, (_, options) in WAYS.items()
            if way == 'rfc' or name == ALL_WAYS}


def verdicts(results):
    out = []
    for name, (share, queue, lost) in BOUNDS.items():
        case, found = CASES[name], results[name, 'rfc']
        out += [published.near(case, found, share, .1),
                published.at_most(case, found, 'q95', 1.5 * queue),
                published.at_most(case, found, 'lost', lost + .5)]
    return out


def show(results):
    return [Note(published.NOTE.format('tests/sim/test-nada.c')), *verdicts(results),
            published.table('NADA', CASES, WAYS, results, AUTHORS)]
