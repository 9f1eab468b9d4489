# SPDX-License-Identifier: LGPL-2.1-or-later
"""What a target of tools/reproduce is made of: a plan of runs, and what they show.

A target is a module with
  NAME, TITLE   of the command line and of the page
  SOURCE        whose figures stand beside ours
  ABOUT         the set-up, and what of it was not to be had, in sentences
  RUNS          seeds of each case in the full campaign
  PROGRAMS      that it needs, of rccsim and rccns3
  TOLD_IN_TABLES  (may be absent) its tables have each verdict: a Markdown page does not list them
  plan(tools, n, quick)  {case: [Run, ...]}; a case is a tuple, its runs differ in the seed
  show(results)          [Table | Chart | Verdict | Note | Headline, ...] of {case: [result, ...]}
"""
import dataclasses

# For those who make targets, this is the one place to look.
from .verdicts import Headline, Verdict, beside, reach  # noqa: F401
from .words import DASH, MINUS, PLUS_MINUS, TIMES, mean, number  # noqa: F401


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
    bars: bool = False          # each of them up to its x
    steps: bool = False         # a share of so many: it jumps at each
    box: bool = False           # y has the 5, 25, 50, 75 and 95th percentile at one x


@dataclasses.dataclass(frozen=True)
class Chart:
    key: str
    title: str
    x: str                      # what is along the axis, with its unit
    y: str
    lines: tuple
    ticks: tuple = ()           # (place, text) along x; else numbers
    top: float = None
    spans: tuple = ()           # (from, to) along x that are shaded


@dataclasses.dataclass(frozen=True)
class Note:
    text: str


def cdf(label, values, colour, dash=''):
    """Per cent of @values at most x."""
    values = sorted(values)
    return Line(label, values[:1] + values, [100 * i / len(values) for i in range(len(values) + 1)],
                colour, dash=dash, steps=True)
