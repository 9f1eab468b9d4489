# SPDX-License-Identifier: LGPL-2.1-or-later
"""What may be said of a paper's finding, or of a target of ours, from seeded runs.

There are three answers: it is reproduced (reached), it differs (is missed), or it cannot be
told.  The bound is fixed before the run.  The answer is of the 95 % interval of the mean, not of
the mean alone:
  all of it within the bound   reproduced, reached
  all of it beyond the bound   differs, missed
  it reaches over the bound    cannot be told
  fewer than LEAST runs        cannot be told
So ignorance is neither success nor failure, and more runs settle it.
"""
import dataclasses
import math
import re

from . import stats
from .words import mean, number

LEAST = 3       # runs: an interval of two is so wide that it says nothing
RESULT = re.compile(r'[:;] (?:reproduced|differs|reached|missed)\b.*$', re.DOTALL)


@dataclasses.dataclass(frozen=True)
class Verdict:
    text: str
    good: bool                  # None: cannot be told
    exact: bool = False         # of an equation, and of no run


@dataclasses.dataclass(frozen=True)
class Headline:
    """What a paper is known for, on top of the page."""
    paper: str
    claim: str
    theirs: str                 # with its unit
    ours: str                   # with its 95 % interval
    good: bool                  # None: cannot be told
    why: str


def untold(text, why):
    """@text, which may have a result at its end, as a verdict without one."""
    return Verdict(f'{RESULT.sub("", text)}: cannot be told: {why}', None)


def evidence(values, low, high):
    """(True, False or None, why it cannot be told) that the mean is from @low to @high."""
    n, middle, half = len(stats.known(values)), stats.mean(values), stats.interval(values)
    if n < LEAST:
        return None, f'n = {n}'
    if low <= middle - half and middle + half <= high:
        return True, ''
    if middle + half < low or middle - half > high:
        return False, ''
    edge = high if middle + half > high and middle - half <= high else low
    return None, f'its 95 % interval reaches over the bound ({number(edge, digits_of(half))})'


def digits_of(half):
    """So many that an interval of that half width shows."""
    return 0 if not half > 0 or half >= 10 else 1 if half >= 1 else 2 if half >= 0.1 else 3


def word(good, yes='reproduced', no='differs'):
    return 'cannot be told' if good is None else yes if good else no


def beside(what, values, paper, digits, unit, within, why):
    """Reproduced where the mean is no further than @within from the paper's figure; @why
    says what that distance is."""
    good, lacks = evidence(values, paper - within, paper + within)
    off = stats.mean(values) - paper
    said = f'{what}: {mean(values, digits, unit)}, the paper has {number(paper, digits)}'
    if good is None:
        return untold(said, lacks)
    if good:
        return Verdict(f'{said}: reproduced ({why})', True)
    share = f' ({number(100 * off / paper, 0)} %)' if paper else ''
    return Verdict(f'{said}: differs by {number(off, digits)} {unit}{share}', False)


def reach(what, values, bound, digits, unit, least=True):
    """Of our own targets: at least, or at most, @bound."""
    good, lacks = evidence(values, bound, math.inf) if least else evidence(
        values, -math.inf, bound)
    said = (f'{what}: {mean(values, digits, unit)}, the target is '
            f'{"at least" if least else "at most"} {number(bound, digits)}')
    if good is None:
        return untold(said, lacks)
    if good:
        return Verdict(f'{said}: reached', True)
    off = number(abs(stats.mean(values) - bound), digits)
    return Verdict(f'{said}: missed by {off} {unit}'.strip(), False)


def above(what, values, bound, digits, unit):
    """Of what the paper says in words: the mean is more than @bound."""
    return _said(what, values, bound, math.inf, digits, unit)


def below(what, values, bound, digits, unit):
    return _said(what, values, -math.inf, bound, digits, unit)


def alike(what, values, within, digits, unit):
    """The paper finds no difference: the interval of it lies within @within of none
    (equivalence).  That it merely reaches over none does not show that."""
    return _said(what, values, -within, within, digits, unit, f' (within {within:g})')


def _said(what, values, low, high, digits, unit, how=''):
    good, lacks = evidence(values, low, high)
    said = f'{what}: {mean(values, digits, unit)}'
    return untold(said, lacks) if good is None else Verdict(
        f'{said}: {word(good)}{how if good else ""}', good)


def settled(shown, seeds, quick):
    """@shown as it may be printed: without results where there were too few runs for any."""
    why = 'quick runs are no reproduction' if quick else f'n = {seeds}'
    few = quick or seeds < LEAST
    return [_weak(part, why) if few else part for part in shown]


def _weak(part, why):
    if isinstance(part, Headline):
        return dataclasses.replace(part, good=None, why=f'Cannot be told: {why}.')
    if not isinstance(part, Verdict) or part.exact:
        return part
    return untold(RESULT.sub('', part.text.split(': cannot be told')[0]), why)


def tally(shown):
    """(reproduced or reached, of those that can be told, that cannot)"""
    found = [part.good for part in shown if isinstance(part, Verdict)]
    told = [good for good in found if good is not None]
    return sum(told), len(told), len(found) - len(told)
