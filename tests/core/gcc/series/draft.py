#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The delay-based half of GCC once more, from the texts: draft-ietf-rmcat-gcc-02 5.2 to 5.5
(GCC) and Algorithm 1 of Carlucci et al., ANRW'16 (PG).  It shares nothing with gst/core/gcc.

Where gst/core/gcc departs from the texts and says so, this does the same, in a line marked
DEPARTS.  So a difference between the two is either a fault or a departure that is not declared.
Times are whole microseconds, variations and thresholds milliseconds, rates bit/s."""
import math

SEC, MSEC = 1000000, 1000
BURST = 5 * MSEC                        # burst_time, delta T
Q, CHI, E_START = 1e-3, 0.01, 0.1       # GCC 5.3
ETA, BETA, T_WINDOW = 1.08, 0.85, SEC // 2      # GCC 5.5
THRESHOLDS = {'draft': (0.01, 0.00018), 'webrtc': (0.0087, 0.039)}      # K_u, K_d


class Group:
    def __init__(self, ts, tr):
        self.first_ts = self.burst_ts = self.ts = ts
        self.tr = tr


class Grouping:
    """PG Algorithm 1 ("paper"), its second half alone ("none"), or GCC 5.2 ("draft")."""

    def __init__(self, mode):
        self.mode, self.group, self.before, self.last = mode, None, None, None

    def belongs(self, ts, tr):
        g, (ts_old, tr_old) = self.group, self.last
        if self.mode == 'draft':
            # an inter-arrival time below burst_time and an inter-group variation below 0
            if tr - g.tr < BURST and (tr - g.tr) - (ts - g.ts) < 0:
                if ts - g.burst_ts > BURST:
                    g.burst_ts = ts     # DEPARTS: what left with a merged packet is of its group
                return True
            return ts - g.burst_ts <= BURST     # sent within burst_time
        if self.mode == 'paper' and tr - tr_old < BURST and (tr - tr_old) - (ts - ts_old) < 0:
            return True
        return ts - ts_old < BURST

    def packet(self, ts, tr):
        """None, or (send delta, arrival delta) of the group that this packet ended."""
        delta = None
        if self.group is None:
            self.group = Group(ts, tr)
        elif ts < self.group.first_ts or tr < self.last[1]:
            return None                 # DEPARTS: what left or came out of order is not grouped
        elif self.belongs(ts, tr):
            self.group.ts, self.group.tr = max(self.group.ts, ts), max(self.group.tr, tr)
        else:
            if self.before:
                delta = self.group.ts - self.before.ts, self.group.tr - self.before.tr
            self.before, self.group = self.group, Group(ts, tr)
        self.last = ts, tr
        return delta


class Filter:
    """GCC 5.3."""

    def __init__(self):
        self.m, self.e = 0.0, E_START
        self.var = 50.0                 # DEPARTS: the draft does not say at what it starts
        self.sends = []

    def group(self, d_send, d):
        self.sends = [*self.sends, d_send][-60:]        # DEPARTS: K of f_max is 60
        rises = [x for x in self.sends if x > 0]
        f_max = 1 / (min(rises) / MSEC if rises else 33.0)
        alpha = (1 - CHI) ** (30 / (1000 * f_max))
        z = d - self.m
        limit = 3 * math.sqrt(self.var)
        outlier = max(-limit, min(z, limit))    # DEPARTS: the draft limits positive ones alone
        self.var = max(alpha * self.var + (1 - alpha) * outlier * outlier, 1.0)
        k = (self.e + Q) / (self.var + (self.e + Q))
        self.m += z * k
        self.e = (1 - k) * (self.e + Q)
        return self.m


class Detector:
    """GCC 5.4."""

    def __init__(self, thresholds):
        self.k_up, self.k_down = THRESHOLDS[thresholds]
        self.threshold, self.state, self.before = 12.5, 'normal', 0.0
        self.over_for, self.over_groups, self.at = None, 0, None

    def group(self, m, d_send, now):
        if m > self.threshold:
            step = max(d_send, 0)
            # DEPARTS: over-use begins in the middle of its first group
            self.over_for = step / 2 if self.over_for is None else self.over_for + step
            self.over_groups += 1
            # DEPARTS: of two groups at least
            if self.over_for > 10 * MSEC and self.over_groups >= 2 and not m < self.before:
                self.state, self.over_for, self.over_groups = 'over', 0, 0
        else:
            self.over_for, self.over_groups = None, 0
            self.state = 'under' if m < -self.threshold else 'normal'
        self.before = m
        # DEPARTS: the threshold adapts after it was compared with, as in libwebrtc, by the arrival
        # of the packet that ended the group, and by 100 ms at most
        dt = 0 if self.at is None else min(max(now - self.at, 0) / MSEC, 100)
        self.at = now
        off = abs(m) - self.threshold
        if off <= 15:
            self.threshold += dt * (self.k_down if off < 0 else self.k_up) * off
            self.threshold = min(max(self.threshold, 6.0), 600.0)
        return self.state


class Received:
    """R of GCC 5.5: of the last 500 ms."""

    BIN = T_WINDOW // 50                # DEPARTS: its edge is exact to a bin

    def __init__(self):
        self.packets = []

    def packet(self, tr, size):
        self.packets.append((tr, size))

    def rate(self, now):
        first = self.packets[0][0]
        bits = 8 * sum(size for tr, size in self.packets
                       if tr // self.BIN > now // self.BIN - 50)
        # DEPARTS: at first it is over what has gone by, and that is a tenth at least
        span = T_WINDOW if now >= first + T_WINDOW else max(now - first, T_WINDOW // 10)
        return int(bits * SEC / span)


class Rate:
    """GCC 5.5 and PG Figure 3, of a profile without the additive increase."""

    def __init__(self, start):
        self.a, self.state, self.at, self.fell = float(start), 'increase', None, None

    def group(self, usage, received, now):
        dt = 0.0 if self.at is None else (now - self.at) / SEC
        self.at = now
        if usage == 'over':
            self.state = 'decrease'
        elif usage == 'under' or self.state == 'decrease':
            self.state = 'hold'
        else:
            self.state = 'increase'
        if self.state == 'increase' and received > 0:
            step = self.a * (ETA ** min(dt, 1.0) - 1)
            step = max(step, 1000 * min(dt, 1.0))       # DEPARTS: 1000 bit/s in a second at least
            most = 1.5 * received + 10000               # DEPARTS: 10 kbit/s on top
            if self.a < most:                           # DEPARTS: ends increases and no more
                self.a = min(self.a + step, most)
        elif self.state == 'decrease' and received > 0:
            # DEPARTS: once in a round trip (200 ms here), unless R is below half of A
            if self.fell is None or now - self.fell >= 200 * MSEC or received < 0.5 * self.a:
                self.a = min(self.a, BETA * received)   # DEPARTS: never up
                self.fell = now
        return self.a


class Controller:
    def __init__(self, mode, thresholds, start):
        self.grouping, self.filter, self.detector = Grouping(mode), Filter(), Detector(thresholds)
        self.received, self.rate, self.groups = Received(), Rate(start), 0

    def packet(self, ts, tr, size):
        """None, or the group that it ended: (now, d_send, d_arrival, m, threshold, usage, R,
        state, A)."""
        self.received.packet(tr, size)
        delta = self.grouping.packet(ts, tr)
        if delta is None:
            return None
        self.groups += 1
        m = self.filter.group(delta[0], (delta[1] - delta[0]) / MSEC)
        # DEPARTS: libwebrtc's gain, for m alone would hardly ever pass 12.5 ms
        usage = self.detector.group(min(self.groups, 60) * m, delta[0], tr)
        r = self.received.rate(tr)
        a = self.rate.group(usage, r, tr)
        return (tr, *delta, m, self.detector.threshold, usage, r, self.rate.state, a)
