# SPDX-License-Identifier: LGPL-2.1-or-later
"""How far a campaign is, and how long it still takes."""
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
    """A line that is written anew on a terminal, a line for each tenth elsewhere."""

    def __init__(self, stream, quiet=False, clock=time.monotonic):
        self.stream, self.quiet, self.clock = stream, quiet, clock
        self.total = self.done = self.kept = 0
        self.began = 0.0

    def begin(self, total, kept):
        self.total, self.done, self.kept, self.began = total, 0, kept, self.clock()
        if kept and not self.quiet:
            self.stream.write(f'{kept} of {kept + total} runs are known from before\n')
        self._show()

    def step(self):
        self.done += 1
        self._show()

    def end(self):
        if self.total and not self.quiet and self.stream.isatty():
            self.stream.write('\n')

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
            left = (self.clock() - self.began) / self.done * (self.total - self.done)
            text += f', {span(left)} left'
        return text
