# SPDX-License-Identifier: LGPL-2.1-or-later
"""Many runs: some at a time, each again where the machine was too slow, and kept in a file as soon
as it has ended, so that a campaign goes on where it was."""
import concurrent.futures
import csv
import pathlib
import sys
import threading
import time

from . import flows, run

TRIES = 3
TEXTS = 'what', 'case', 'name', 'in-time', 'machine'
KEYS = 'what', 'case', 'seed', 'duration'


class Progress:
    """One line on a terminal, and the time that is left."""

    def __init__(self, runs, seconds, jobs):
        self.runs, self.seconds, self.jobs = runs, seconds, jobs
        self.begun, self.last, self.lock = 0, 0., threading.Lock()
        self.on = sys.stderr.isatty()

    def begin(self):
        with self.lock:
            self.begun += 1

    def tell(self, left):
        with self.lock:
            if self.on and time.monotonic() - self.last >= .5:
                self.last = time.monotonic()
                left += (self.runs - self.begun) * self.seconds / self.jobs
                sys.stderr.write(f'\rrun {self.begun} of {self.runs}, {left:.0f} s left \033[K')
                sys.stderr.flush()

    def clear(self):
        if self.on:
            sys.stderr.write('\r\033[K')


def cell(text, name):
    if name in TEXTS:
        return {'True': True, 'False': False}.get(text, text)
    return float(text) if text else None


class Kept:
    """Runs in a CSV file, a line for each flow.  Each run is there whole or not at all."""

    def __init__(self, path, goes_on):
        self.path, self.lock, self.runs = path and pathlib.Path(path), threading.Lock(), {}
        self.failed = []        # a sentence for each cause why runs could not be made
        if not path or not self.path.exists() or not self.path.stat().st_size:
            return
        if not goes_on:
            raise flows.Wrong(f'{path} is there: go on with --resume, or remove it')
        try:
            self.read()
        except (KeyError, ValueError, OSError) as error:
            raise flows.Wrong(f'{path} has no runs of the testbed: {error}') from None

    def lacks(self, key):
        """A run in which the link was late is to be made again."""
        return key not in self.runs or not self.runs[key]['in-time']

    def read(self):
        with self.path.open(encoding='utf-8', newline='') as file:
            for line in csv.DictReader(file):
                row = {name: cell(text, name) for name, text in line.items()}
                what, case, seed, duration = (row.pop(name) for name in KEYS)
                made = self.runs.setdefault((what, case, int(seed), duration), {
                    'seed': int(seed), 'in-time': row.pop('in-time'), 'flows': []})
                row.pop('in-time', None)
                made['flows'].append(row)

    def write(self):
        names = list(dict.fromkeys(name for made in self.runs.values() for flow in made['flows']
                                   for name in flow))
        fresh = self.path.with_name(self.path.name + '.new')
        with fresh.open('w', encoding='utf-8', newline='') as file:
            out = csv.DictWriter(file, [*KEYS, 'in-time', *names], lineterminator='\n')
            out.writeheader()
            for key in sorted(self.runs):
                made = self.runs[key]
                for flow in made['flows']:
                    out.writerow({**dict(zip(KEYS, key)), 'in-time': made['in-time'], **{
                        name: f'{value:.6g}' if isinstance(value, float) else value
                        for name, value in flow.items()}})
        fresh.replace(self.path)

    def add(self, key, made):
        with self.lock:
            self.runs[key] = made
            if self.path:
                self.write()


class Job:
    """A run to make: its key is what it stands for.  @then is called with it and its folder."""

    def __init__(self, what, case, setup, seed, folder, then=None):
        self.key = what, case, seed, float(setup.duration)
        self.setup, self.seed, self.folder, self.then = setup, seed, folder, then

    def why_not(self):
        """A sentence where the kernel lacks what it takes."""
        return next(filter(None, (flow.why_not() for flow in self.setup.tcps)), None)

    def make(self, progress, stops):
        progress.begin()
        for attempt in range(1, TRIES + 1):
            name = f'run-{self.seed}' + (f'-again-{attempt}' if attempt > 1 else '')
            where = self.folder / name
            made = run.Run(self.setup, self.seed, where, progress.tell, stops).measure()
            if made['in-time']:
                break
        if self.then:
            self.then(made, where)
        return made


def by_cause(failures):
    """A sentence for each cause of [(run, cause), ...]."""
    runs = {}
    for name, cause in failures:
        runs.setdefault(cause, []).append(name)
    return [names[0] + (f', and {len(names) - 1} more' if len(names) > 1 else '') + f': {cause}'
            for cause, names in runs.items()]


def measure(jobs, kept, options):
    """{key: run} of those that are kept or could be made; kept.failed has the others."""
    todo = [job for job in jobs if kept.lacks(job.key)]
    refused = {job: why for job in todo if (why := job.why_not())}
    todo = [job for job in todo if job not in refused]
    stops, begin = threading.Event(), time.monotonic()
    seconds = options.duration + run.SETTLE
    progress = Progress(len(todo), seconds, options.jobs)
    end = begin + 60 * options.minutes if options.minutes else float('inf')

    made = []                   # keys

    def make(job):
        if stops.is_set() or time.monotonic() + seconds + run.HANG_UP > end:
            return
        try:
            kept.add(job.key, job.make(progress, stops))
            made.append(job.key)
        except run.Failed:
            # What has worked goes on without it; what never has is set up wrong.
            if not made:
                stops.set()
            raise
        except BaseException:
            stops.set()         # for the others
            raise

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        waiting = [pool.submit(make, job) for job in todo]
        done = concurrent.futures.wait(waiting).done
    progress.clear()
    failures = [one.exception() for one in waiting if one in done and one.exception()]
    # one that was stopped by another's failure is not the cause
    failures.sort(key=lambda failure: isinstance(failure, run.Stopped))
    if stops.is_set():
        raise failures[0]
    causes = refused | {job: str(one.exception()) for job, one in zip(todo, waiting)
                        if one.exception()}
    kept.failed = by_cause([(f'{job.key[1]}, seed {job.seed}', why) for job, why in causes.items()])
    return {job.key: kept.runs[job.key] for job in jobs if job.key in kept.runs}
