#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Whether two flows on one link of 1 Mbit/s draw towards equal shares: shares.py RCCSIM.

The logarithm of the ratio of their rates, means of 10 s, is followed from one mean to the next.  A
slope of -1 would forget an unequal share within 10 s; with 0 nothing but chance ends it.  FBRA as
the paper has it raises in proportion to its rate (a probe's parity, 1/N of it) and falls in
proportion: such control does not converge to fairness (Chiu and Jain, 1989), as the paper does not
say.  GCC's additive increase does, and FBRA+'s fixed parity where others share the queue."""
import json
import math
import pathlib
import statistics
import subprocess
import sys
import tempfile
import unittest

RCCSIM = sys.argv.pop(1)
SECONDS, BIN = 400, 10
SETTINGS = ('--no-audio', '--fps', '15', '--min-bitrate', '100000', '--start-bitrate', '150000',
            '--max-bitrate', '2500000', '--flows', '2', '--duration', str(SECONDS), '--json')


class Shares(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.link = pathlib.Path(folder.name) / 'link'
        self.link.write_text('0 both delay 50 rate 1M queue 50\n')

    def rates(self, seed, *control):
        done = subprocess.run([RCCSIM, '--scenario', self.link, '--seed', str(seed), *control,
                               *SETTINGS], capture_output=True, text=True, timeout=60, check=True)
        return [[max(statistics.mean(flow['rates'][i:i + BIN]), 1)
                 for i in range(BIN, SECONDS - BIN, BIN)]
                for flow in json.loads(done.stdout)['flows']]

    def slope(self, name, seeds, *control):
        """Of the step over the logarithm it begins at, least squares; prints Jain's index too."""
        steps, jain = [], []
        for seed in range(1, seeds + 1):
            here, there = self.rates(seed, *control)
            logs = [math.log(a / b) for a, b in zip(here, there)]
            steps += zip(logs, (later - before for before, later in zip(logs, logs[1:])))
            # over 100 s, the length of a call of the paper's tables
            for i in range(0, len(here) - 9, 10):
                a, b = sum(here[i:i + 10]), sum(there[i:i + 10])
                jain.append((a + b) ** 2 / (2 * (a * a + b * b)))
        slope = statistics.linear_regression(*zip(*steps)).slope
        print(f'# {name}: slope {slope:+.2f} in {BIN} s, Jain over 100 s '
              f'{statistics.mean(jain):.2f} ({min(jain):.2f} to {max(jain):.2f}), {seeds} seeds')
        return slope

    def test_fbra_and_gcc(self):
        fbra = self.slope('FBRA paper', 20, '--controller', 'fbra', '--owd', '50')
        plus = self.slope('FBRA+', 10, '--controller', 'fbra', '--set', 'fbra-plus=1', '--owd', '50')
        gcc = self.slope('GCC default', 10, '--feedback', 'ccfb')
        self.assertLess(plus, -.2)
        self.assertLess(gcc, -.2)
        # at least three times as strong
        self.assertLess(3 * abs(fbra), abs(gcc))


if __name__ == '__main__':
    unittest.main(verbosity=2)
