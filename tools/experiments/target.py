# SPDX-License-Identifier: LGPL-2.1-or-later
"""What a target of tools/reproduce is made of: a plan of runs, and what they show.

A target is a module with
  NAME, TITLE   of the command line and of the page
  SOURCE        whose figures stand beside ours
  ABOUT         the set-up, and what of it was not to be had, in sentences
  RUNS          seeds of each case in the full campaign
  PROGRAMS      that it needs, of rccsim and rccns3
  plan(tools, n, quick)  {case: [Run, ...]}; a case is a tuple, its runs differ in the seed
  show(results)          [Table | Chart | Verdict | Note, ...] of {case: [result, ...]}
"""
import dataclasses
import math

from . import stats

MINUS, TIMES, PLUS_MINUS, DASH = '\u2212', '\u00d7', '\u00b1', '\u2013'


@dataclasses.dataclass(frozen=True)
class Table:
    caption: str
    heads: tuple
    rows: list                  # of tuples of text
    leading: int = 1            # cells of a row that are its name


@dataclasses.dataclass(frozen=True)
class Line:
    label: str
    x: list
    y: list
    colour: str                 # of callreport.draw
    error: list = None          # half widths of intervals
    dash: str = ''              # '', dashed, dotted
    marker: str = ''            # of matplotlib
    joined: bool = True


@dataclasses.dataclass(frozen=True)
class Chart:
    key: str
    title: str
    x: str                      # what is along the axis, with its unit
    y: str
    lines: tuple
    ticks: tuple = ()           # (place, text) along x; else numbers
    top: float = None


@dataclasses.dataclass(frozen=True)
class Verdict:
    text: str
    good: bool


@dataclasses.dataclass(frozen=True)
class Note:
    text: str


def number(value, digits):
    if value is None or not math.isfinite(value):
        return DASH
    return f'{value:.{digits}f}'.replace('-', MINUS)


def mean(values, digits, unit=''):
    """The mean with its 95 % interval, as text."""
    half = stats.interval(values)
    text = number(stats.mean(values), digits)
    if math.isfinite(half):
        text += f' {PLUS_MINUS} {number(half, digits)}'
    return f'{text} {unit}'.strip()


def beside(what, values, paper, digits, unit, within, why):
    """Reproduced where the mean is no further than @within from the paper's figure; @why
    says what that distance is."""
    ours = stats.mean(values)
    off = ours - paper
    said = f'{what}: {mean(values, digits, unit)}, the paper has {number(paper, digits)}'
    if math.isfinite(off) and abs(off) <= within:
        return Verdict(f'{said}: reproduced ({why})', True)
    share = f' ({number(100 * off / paper, 0)} %)' if paper else ''
    return Verdict(f'{said}: differs by {number(off, digits)} {unit}{share}', False)


def reach(what, values, bound, digits, unit, least=True):
    """Of our own targets: at least, or at most, @bound."""
    ours = stats.mean(values)
    good = math.isfinite(ours) and (ours >= bound if least else ours <= bound)
    said = (f'{what}: {mean(values, digits, unit)}, the target is '
            f'{"at least" if least else "at most"} {number(bound, digits)}')
    if good:
        return Verdict(f'{said}: reached', True)
    return Verdict(f'{said}: missed by {number(abs(ours - bound), digits)} {unit}'.strip(), False)
