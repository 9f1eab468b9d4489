# SPDX-License-Identifier: LGPL-2.1-or-later
"""One simulated run: what it is, what came of it, and how it is kept.

A run is a program of ours and its arguments; the program prints one JSON object
(tools/rccns3/summary.h).  Its result is kept under a name made of all that it depends on. That is
the program's own bytes, the arguments, and the bytes of every file that they name. So a changed
program or scenario has no results yet, and an interrupted campaign goes on where it stopped.
"""
import dataclasses
import hashlib
import json
import os
import pathlib
import shlex
import signal
import socket
import subprocess
import tempfile

from . import disk, Refusal


@dataclasses.dataclass(frozen=True)
class Run:
    program: str                # path
    args: tuple                 # of str
    files: tuple = ()           # paths whose bytes matter, those among the arguments not by name

    @property
    def command(self):
        return shlex.join((self.program, *self.args))

    @property
    def case(self):
        """What runs that differ in the seed have in common."""
        if '--seed' not in self.args:
            return (self.program, *self.args)
        at = self.args.index('--seed')
        return (self.program, *self.args[:at], *self.args[at + 2:])


@dataclasses.dataclass(frozen=True)
class Done:
    result: dict
    cpu: float                  # seconds of a processor; None: it was not measured


# Of a file as it was on that machine: its bytes are read once there.  A plain dict, as this
# module goes to workers by value, and what functools makes does not.
_digests = {}


def digest(path):
    try:
        now = os.stat(path)
        seen = socket.gethostname(), path, now.st_size, now.st_mtime_ns
        if seen not in _digests:
            _digests[seen] = hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()
        return _digests[seen]
    except OSError as error:
        raise Refusal(f'{path} cannot be read: {error.strerror}') from None


def key(run):
    parts = [digest(run.program), *(digest(arg) if arg in run.files else arg
                                    for arg in run.args)]
    parts += [digest(path) for path in run.files if path not in run.args]
    return hashlib.sha256('\0'.join(parts).encode()).hexdigest()


def _signal(number):
    try:
        return signal.Signals(number).name
    except ValueError:
        return f'signal {number}'


def _ended(process):
    """Waits for its end; the seconds of a processor that it took."""
    try:
        _, status, used = os.wait4(process.pid, 0)
    except ChildProcessError:           # whoever killed it was first to wait for it
        process.wait()
        return None
    process.returncode = os.waitstatus_to_exitcode(status)
    return round(used.ru_utime + used.ru_stime, 3)


def _finish(run, started):
    """(exit code, what it printed, what it complained of, seconds of a processor)"""
    try:
        # A session of its own: Ctrl-C is for the campaign, which then ends its runs.
        with tempfile.TemporaryFile('w+', errors='replace') as complaint, subprocess.Popen(
                (run.program, *run.args), stdout=subprocess.PIPE, stderr=complaint,
                stdin=subprocess.DEVNULL, text=True, errors='replace',
                start_new_session=True) as process:
            if started:
                started(process)
            printed = process.stdout.read()
            cpu = _ended(process)
            complaint.seek(0)
            return process.returncode, printed, complaint.read(), cpu
    except OSError as error:
        raise Refusal(f'{run.program} cannot be started: {error.strerror}') from None


def execute(run, started=None):
    """What came of the run.  Everything but one whole JSON object is a Refusal.  @started is
    told of the process, which whoever gives up may kill."""
    code, printed, complaint, cpu = _finish(run, started)
    if code < 0:
        raise Refusal(f'{run.command} was killed by {_signal(-code)}; '
                      'run the same command again to go on')
    if code:
        said = complaint.strip().splitlines() or ['it said nothing']
        raise Refusal(f'{run.command} failed: {said[-1]}')
    try:
        result = json.loads(printed)
    except ValueError:
        raise Refusal(f'{run.command} printed no result') from None
    if not isinstance(result, dict):
        raise Refusal(f'{run.command} printed no result')
    return Done(result, cpu)


class Cache:
    """Results by name, one file each, each there as a whole or not at all."""

    def __init__(self, directory):
        self.directory = pathlib.Path(directory)
        try:
            self.directory.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise Refusal(f'{self.directory} cannot be made: {error.strerror}') from None

    def path(self, name):
        return self.directory / name[:2] / f'{name[2:]}.json'

    def get(self, name):
        """None: there is none, or what is there is no result."""
        try:
            kept = json.loads(self.path(name).read_text(encoding='utf-8'))
        except (OSError, ValueError):
            return None
        result = kept.get('result') if isinstance(kept, dict) else None
        if not isinstance(result, dict):
            return None
        cpu = kept.get('cpu')   # of an entry of 0.1 there is none
        known = isinstance(cpu, (int, float)) and not isinstance(cpu, bool) and 0 <= cpu < 1e9
        return Done(result, cpu if known else None)

    def put(self, name, run, done):
        disk.write(self.path(name), json.dumps(
            {'command': run.command, 'cpu': done.cpu, 'result': done.result}),
            '; what was there before is kept')
