# SPDX-License-Identifier: LGPL-2.1-or-later
"""Whether the machine lets programs be on time, while a test runs."""
import threading
import time

STEP = .01              # s
LATE = .02              # s, of one step in a hundred


class OnTime:
    """with OnTime() as machine: ...; then machine.late is how late a step in a hundred was, s."""

    def __enter__(self):
        self.steps, self.late, self.done = [], 0, threading.Event()
        self.thread = threading.Thread(target=self.run)
        self.thread.start()
        return self

    def run(self):
        while not self.done.is_set():
            due = time.monotonic() + STEP
            time.sleep(STEP)
            self.steps.append(time.monotonic() - due)

    def __exit__(self, *_):
        self.done.set()
        self.thread.join()
        self.late = sorted(self.steps)[int(len(self.steps) * .99)]

    def was_punctual(self):
        if self.late > LATE:
            print(f'bounds of time left out: the machine was {1000 * self.late:.0f} ms late')
        return self.late <= LATE
