# SPDX-License-Identifier: LGPL-2.1-or-later
"""A place of our own for a run: namespaces of processes, mounts and networks, of which nothing is
left when the run has ended, however it ended.

The first process stays outside.  It holds a pipe whose end is the order to stop, so that its own
death is one too.  Inside we are process 1: with us the kernel ends all others.
"""
import os
import pathlib
import select
import signal
import subprocess
import sys
import time

RIGHTS = 4              # our exit code without them; linktun's as well
TUN = '/dev/net/tun'


def unshare():
    user = [] if os.geteuid() == 0 else ['--user', '--map-root-user']
    return ['unshare', *user, '--pid', '--fork', '--kill-child', '--mount-proc']


def why_not():
    """One sentence, or None where we may."""
    if not os.path.exists(TUN):
        return f'there is no {TUN}: load the module tun'
    if not os.access(TUN, os.R_OK | os.W_OK):
        return f'{TUN} is not ours to open: run as root, or let everybody in (chmod 666 {TUN})'
    try:
        done = subprocess.run([*unshare(), 'true'], capture_output=True, text=True, timeout=20,
                              check=False)
    except OSError:
        return 'unshare is missing: install the Debian package util-linux'
    if done.returncode:
        return ('namespaces cannot be made here: run as root, or allow unprivileged user '
                f'namespaces ({done.stderr.strip().splitlines()[-1:]})')
    return None


def inside(arguments):
    """Runs this program again inside; its exit code."""
    reading, writing = os.pipe()
    stops = []
    for number in signal.SIGINT, signal.SIGTERM, signal.SIGHUP:
        signal.signal(number, lambda number, _frame: stops.append(number))
    with subprocess.Popen([*unshare(), sys.executable, *arguments], stdin=reading,
                          start_new_session=True) as process:
        os.close(reading)
        while process.poll() is None:
            if stops and writing is not None:
                os.close(writing)
                writing = None
            time.sleep(.05)
    return 128 + stops[0] if stops else process.returncode


def told_to_stop():
    """Inside: whether the one outside has let go of the pipe."""
    return bool(select.select([sys.stdin], [], [], 0)[0])


class Network:
    """A network namespace, as long as its process, which ends with our end of its pipe."""

    def __init__(self):
        ours = os.readlink('/proc/self/ns/net')
        self.keeper = subprocess.Popen(['unshare', '--net', 'cat'], stdin=subprocess.PIPE,
                                       stdout=subprocess.DEVNULL)
        self.name = str(self.keeper.pid)
        for _ in range(1000):
            if os.readlink(f'/proc/{self.name}/ns/net') != ours:
                return
            time.sleep(.005)
        raise RuntimeError('no network namespace was made')

    def enter(self):
        """What to put before a command that is to run there."""
        return ['nsenter', f'--net=/proc/{self.name}/ns/net', '--']

    def close(self):
        self.keeper.stdin.close()
        self.keeper.wait()


class Awake:
    """All that begins now runs on two CPUs, and a process on each takes the time that nobody wants.
    A virtual machine's CPU that has nothing to do sleeps, and its host takes tenths of a millisecond
    to wake it."""

    def __init__(self):
        self.processes, self.before = [], os.sched_getaffinity(0)
        cpus = sorted(self.before)[:2]
        os.sched_setaffinity(0, cpus)
        for cpu in cpus:
            process = subprocess.Popen([sys.executable, '-c', 'while True: pass'])
            self.processes.append(process)
            os.sched_setscheduler(process.pid, os.SCHED_IDLE, os.sched_param(0))
            os.sched_setaffinity(process.pid, {cpu})

    def close(self):
        for process in self.processes:
            process.kill()
            process.wait()
        os.sched_setaffinity(0, self.before)


def run_alone():
    """Builds beside us must not take our turns: our session goes first, where we may say so."""
    try:
        pathlib.Path('/proc/self/autogroup').write_text('-20', encoding='ascii')
    except OSError:
        pass
