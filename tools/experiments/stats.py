# SPDX-License-Identifier: LGPL-2.1-or-later
"""Means of seeded runs and how far to trust them."""
import math
import statistics

# Student's t, two-sided 95 %, for 1 to 30 degrees of freedom; 1.96 beyond.
T95 = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
       2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
       2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042)


def known(values):
    return [v for v in values if v is not None and math.isfinite(v)]


def mean(values):
    values = known(values)
    return statistics.fmean(values) if values else math.nan


def deviation(values):
    """Over the runs; NaN of fewer than two."""
    values = known(values)
    return statistics.stdev(values) if len(values) > 1 else math.nan


def interval(values):
    """Half the width of the 95 % interval of the mean; NaN of fewer than two."""
    values = known(values)
    if len(values) < 2:
        return math.nan
    t = T95[len(values) - 2] if len(values) - 2 < len(T95) else 1.96
    return t * statistics.stdev(values) / math.sqrt(len(values))


def share_interval(hits, of):
    """Wilson's 95 % interval of a share, as (low, high)."""
    if not of:
        return math.nan, math.nan
    z, p = 1.96, hits / of
    middle = (p + z * z / (2 * of)) / (1 + z * z / of)
    half = z * math.sqrt(p * (1 - p) / of + z * z / (4 * of * of)) / (1 + z * z / of)
    return max(middle - half, 0), min(middle + half, 1)


def percentile(values, share):
    values = sorted(known(values))
    if not values:
        return math.nan
    return values[min(len(values) - 1, max(0, math.ceil(share * len(values)) - 1))]


def jain(rates):
    """Jain's index of fairness: 1 where all get the same, 1/n where one gets all."""
    rates = known(rates)
    squares = sum(r * r for r in rates)
    return sum(rates) ** 2 / (len(rates) * squares) if squares else math.nan
