#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The metrics of RFC 8868 and what is made of them, on rates made by hand.  Usage: test-metrics.py SOURCE_ROOT."""
import math
import pathlib
import sys
import unittest

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
sys.path.insert(0, str(ROOT / 'tools'))
sys.dont_write_bytecode = True
from experiments import metrics, rfc8867_verdicts  # noqa: E402
from experiments.verdicts import LEAST  # noqa: E402


def flow(rates, start=0, direction='fwd', sent=None):
    bins = [rate for rate in rates for _ in range(5)] if sent is None else sent
    return {'rates': [0] * start + list(rates), 'sent': bins, 'start': start,
            'direction': direction}


def result(flows, *edges):
    """Phases between the edges: (from, flows that are heard)."""
    return {'flows': flows, 'phases': [
        {'from': at, 'to': until, 'capacity': 1e6, 'flows': heard}
        for (at, heard), (until, _) in zip(edges, edges[1:])]}


class Fairness(unittest.TestCase):
    def test_two_flows(self):
        one, two = flow([900] * 40), flow([300] * 20, start=20)
        run = result([one, two], (0, [0]), (20, [0, 1]), (40, []))
        self.assertEqual(len(metrics.windows(run, 1)), 20)      # not while there is one
        self.assertEqual(metrics.windows(run, 20), [[900, 300]])
        self.assertAlmostEqual(metrics.fairness(run, 5), 1200 ** 2 / (2 * (900 ** 2 + 300 ** 2)))
        self.assertEqual(metrics.bounded(run, 20), 1)           # 3 is not beyond
        self.assertTrue(math.isnan(metrics.fairness(run, 21)))

    def test_turns(self):
        """Whoever takes turns is fair over 20 s and not over 1 s."""
        run = result([flow([1000, 100] * 10), flow([100, 1000] * 10)], (0, [0, 1]), (20, []))
        self.assertAlmostEqual(metrics.fairness(run, 20), 1)
        self.assertAlmostEqual(metrics.fairness(run, 1), 1100 ** 2 / (2 * (1000 ** 2 + 100 ** 2)))
        self.assertEqual(metrics.bounded(run, 20), 1)
        self.assertEqual(metrics.bounded(run, 1), 0)

    def test_windows_end_with_the_phase(self):
        run = result([flow([1] * 30), flow([1] * 30)], (0, [0, 1]), (12.5, [0, 1]), (30, []))
        self.assertEqual(len(metrics.windows(run, 5)), 2 + 3)   # of 12 s and of 17

    def test_silence_and_one_way(self):
        run = result([flow([1] * 5), flow([0] * 5)], (0, [0, 1]), (5, []))
        self.assertEqual(metrics.bounded(run, 5), 0)
        run = result([flow([1] * 5), flow([1] * 5, direction='rev')], (0, [0, 1]), (5, []))
        self.assertTrue(math.isnan(metrics.bounded(run, 5)))


class Convergence(unittest.TestCase):
    def test_climb(self):
        rates = [100, 200, 400, 760, 900, 1000, 1000, 1000, 1000, 1000]
        self.assertEqual(metrics.settles(rates, 1000), 3)
        self.assertEqual(metrics.settles(rates, 1000, near=0.05), 5)
        self.assertIsNone(metrics.settles(rates, 1000, hold=8))
        self.assertIsNone(metrics.settles(rates, 2000))
        self.assertEqual(metrics.settles([1000] * 5, 1000), 0)

    def test_a_visit_is_no_convergence(self):
        self.assertEqual(metrics.settles([1000] * 4 + [100] + [1000] * 5, 1000), 5)

    def test_of_a_phase(self):
        one = flow([100] * 10 + [500] * 10 + [1000] * 20)
        phase = {'from': 10, 'to': 40}
        self.assertEqual(metrics.convergence(one, phase), 10)           # 1000: what it comes to
        self.assertEqual(metrics.convergence(one, phase, 500), 0)
        self.assertIsNone(metrics.convergence(one, phase, 3000))
        self.assertEqual(metrics.at_the_latest(None, phase), 30)
        self.assertEqual(metrics.at_the_latest(0.0, phase), 0)


class Oscillation(unittest.TestCase):
    def test_swings(self):
        saw = [500, 1000, 2000, 1000, 500, 2000]
        self.assertEqual(metrics.swings(saw, 500, 2000, 2), 3)
        self.assertEqual(metrics.swings(saw, 500, 2000, 1), 1)
        self.assertEqual(metrics.swings(saw, 400, 2000, 9), 0)
        self.assertEqual(metrics.swings([600] * 9, 500, 2000, 9), 0)
        self.assertEqual(metrics.swings([], 500, 2000, 9), 0)
        # from the last sample that was high: it may have stood there
        self.assertEqual(metrics.swings([2000] * 9 + [500], 500, 2000, 1), 1)

    def test_a_minute(self):
        bins = ([600] * 5 + [1600] * 5) * 30
        one = flow([1100] * 60, sent=bins)
        run = result([one], (0, [0]), (60, []))
        self.assertAlmostEqual(metrics.oscillation(run, one, 2, 2.0), 59)
        self.assertAlmostEqual(metrics.oscillation(run, one, 4, 2.0), 0)
        self.assertAlmostEqual(metrics.oscillation(run, one, 2, 0.2), 59)

    def test_a_climb_is_none(self):
        one = flow([100] * 10 + [1000] * 50)
        run = result([one], (0, [0]), (60, []))
        self.assertEqual(metrics.oscillation(run, one, 2, 2.0), 0)
        self.assertEqual(metrics.swings(one['sent'], 300, 900, 10), 1)

    def test_where_a_flow_is_not_heard(self):
        """A pause is no swing, and is not in the time."""
        one = flow([1000] * 20 + [0] * 20 + [1000] * 20)
        run = result([one], (0, [0]), (20, []), (40, [0]), (60, []))
        self.assertEqual(metrics.oscillation(run, one, 2, 2.0), 0)
        self.assertEqual(metrics.deviation(run, one), 0)

    def test_a_late_start(self):
        """What is sent counts from the flow's start, rates from that of the run."""
        one = flow([1000] * 30, start=10)
        self.assertEqual(len(metrics.sent(one, {'from': 10, 'to': 40})), 150)
        self.assertEqual(len(metrics.sent(one, {'from': 30, 'to': 40})), 50)

    def test_deviation(self):
        one = flow([900, 1100] * 20)
        run = result([one], (0, [0]), (40, []))
        self.assertAlmostEqual(metrics.deviation(run, one), 0.1 * math.sqrt(20 / 19))


class Verdicts(unittest.TestCase):
    """Each of them can say either."""

    def test_priority(self):
        def said(*rates):
            flows = [flow([rate] * 120) for rate in rates]
            return rfc8867_verdicts.of_6_1({('5.4', 'default'): [result(flows)]})
        self.assertFalse(said(1160, 1160, 1160)[0].good)
        self.assertIn('differs', said(1160, 1160, 1160)[0].text)
        self.assertTrue(said(1520, 990, 990)[0].good)
        self.assertTrue(said(1700, 850, 850)[0].good)
        self.assertFalse(said(2500, 500, 500)[0].good)
        self.assertEqual(rfc8867_verdicts.of_6_1(
            {('5.4', 'default'): [result([flow([1000] * 50)] * 3)]}), [])

    def pause(self, second, others=1520):
        flows = [flow([1160] * 40 + [others] * 20 + [1160] * 60) for _ in range(3)]
        flows[1] = flow([1160] * 40 + [0] * 20 + second)
        run = result(flows, (0, [0, 1, 2]), (40, [0, 2]), (60, [0, 1, 2]), (119, []))
        return rfc8867_verdicts.of_5_8({('5.8', 'default'): [run] * LEAST})

    def test_pause(self):
        self.assertEqual([v.good for v in self.pause([1160] * 60)], [True, True, True])
        self.assertEqual([v.good for v in self.pause([300] * 8 + [1160] * 52)], [True] * 3)
        self.assertEqual([v.good for v in self.pause([300] * 12 + [1160] * 48)],
                         [True, False, True])
        never = self.pause([300] * 60)
        self.assertEqual([v.good for v in never], [True, False, False])
        self.assertIn('59.0 ± 0.0 s', never[1].text)          # as long as the phase is
        self.assertEqual(self.pause([1160] * 60, others=1160)[0].good, False)

    def test_two_bottlenecks(self):
        def said(*rates):
            flows = [{**flow([rate] * 300), 'received': 1e3 * rate, 'stop': 299} for rate in rates]
            verdicts = rfc8867_verdicts.of_6_3({('6.3', 'default'): [result(flows)] * LEAST},
                                               (750, 1250, 750))
            return [v.good for v in verdicts]
        self.assertEqual(said(740, 1240, 740), [True] * 4)
        self.assertEqual(said(300, 1510, 1150), [True, True, True, False])
        self.assertEqual(said(740, 900, 740), [False, True, True, True])
        self.assertEqual(said(50, 1800, 1400), [True, True, False, False])

    def test_ecn(self):
        def run(used, p95, loss, rate=1000):
            return [{'link': {'utilisation': used, 'queue-p95': p95},
                     'flows': [{'lost': loss, 'received': 1e3 * rate}]}] * LEAST

        def said(off, on):
            return [v.good for v in rfc8867_verdicts.of_6_2(
                {('6.2', '5.1', 'off'): off, ('6.2', '5.1', 'heeded'): on,
                 ('6.2', '5.6', 'off'): run(0, 0, 0, 1400),
                 ('6.2', '5.6', 'heeded'): run(0, 0, 0, 900)}, ('5.1', '5.6'))]
        self.assertEqual(said(run(.95, 30, .01), run(.94, 31, 0)), [True] * 4)
        self.assertEqual(said(run(.95, 30, .01), run(.94, 40, 0)), [True] * 3 + [False])
        self.assertEqual(said(run(.95, 30, .01), run(.8, 30, 0)), [True, True, False, False])


if __name__ == '__main__':
    unittest.main()
