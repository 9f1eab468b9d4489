# SPDX-License-Identifier: LGPL-2.1-or-later
"""Numbers as the pages print them."""
import math

from . import stats

MINUS, TIMES, PLUS_MINUS, DASH = '\u2212', '\u00d7', '\u00b1', '\u2013'


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
