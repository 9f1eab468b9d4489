# SPDX-License-Identifier: LGPL-2.1-or-later
"""How far a campaign is, and how long it still takes."""
import collections
import time

WIDTH = 30


def span(seconds):
    seconds = round(seconds)
    if seconds < 60:
        return f'{seconds} s'
    if seconds < 3600:
        return f'{seconds // 60} min {seconds % 60:02} s'
    return f'{seconds // 3600} h {seconds // 60 % 60:02} min'


class Progress:
    """A line that is written anew on a terminal, a line for each tenth elsewhere.

    Runs of one case, which differ in the seed, take about the same; those of two cases may
    differ by a factor of a thousand.  So what is left is the sum of what runs of the same cases
    took. A case of which no run is known yet counts as the mean of all others."""

    def __init__(self, stream, quiet=False, clock=time.monotonic):
        self.stream, self.quiet, self.clock = stream, quiet, clock
        self.total = self.done = self.kept = 0
        self.began = self.spent = 0.0
        self.waiting = collections.Counter()
        self.took = collections.defaultdict(list)       # seconds of a processor, of each case

    def begin(self, cases, known):
        """@cases: of each run that is missing.  @known: (case, cost) of each that is kept."""
        self.total, self.done, self.kept, self.began = len(cases), 0, len(known), self.clock()
        self.waiting = collections.Counter(cases)
        for case, cost in known:
            self._learn(case, cost)
        if known and not self.quiet:
            self.stream.write(f'{self.kept} of {self.kept + self.total} runs are known from '
                              'before\n')
        self._show()

    def step(self, case, cost):
        self.done += 1
        self.waiting[case] -= 1
        self.spent += cost or 0.0
        self._learn(case, cost)
        self._show()

    def end(self):
        if self.total and not self.quiet and self.stream.isatty():
            self.stream.write('\n')

    def _learn(self, case, cost):
        if cost is not None:
            self.took[case].append(cost)

    def left(self):
        """(seconds, whether there is a case of which nothing is known)"""
        elapsed, waiting = self.clock() - self.began, +self.waiting
        means = {case: sum(costs) / len(costs) for case, costs in self.took.items()}
        usual = sum(means.values()) / len(means) if means else 0.0
        ahead = sum(n * means.get(case, usual) for case, n in waiting.items())
        if not self.spent:
            return elapsed / self.done * (self.total - self.done), True
        return elapsed * ahead / self.spent, not waiting.keys() <= means.keys()

    def _show(self):
        if self.quiet or not self.total:
            return
        if self.stream.isatty():
            self.stream.write(f'\r{self.line():78}')
        elif self.done == 0 or self.done * 10 // self.total > (self.done - 1) * 10 // self.total:
            self.stream.write(self.line() + '\n')
        self.stream.flush()

    def line(self):
        filled = WIDTH * self.done // self.total
        text = f'[{"#" * filled}{"." * (WIDTH - filled)}] {self.done}/{self.total} runs'
        if self.done == self.total:
            return f'{text}, {span(self.clock() - self.began)}'
        if self.done:
            seconds, rough = self.left()
            text += f', {"roughly " if rough else ""}{span(seconds)} left'
        return text
