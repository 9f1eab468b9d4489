# SPDX-License-Identifier: LGPL-2.1-or-later
"""One run: a link, what crosses it, and what came of it."""
import json
import pathlib
import subprocess
import sys
import time

from . import figures, flows, sandbox

HOST = '10.77.0.2'
LATE = 3                # linktun's exit code for a run that does not count
STOPPED = 3             # rtpcall's when the circuit breaker has stopped something
SETTLE = 1.0            # s until the receivers listen
HANG_UP = 6.0           # s for goodbyes and pages, then they are told
TRAFFIC = pathlib.Path(__file__).with_name('traffic.py')


class Stopped(Exception):
    """Somebody wants us to end."""


class Failed(Exception):
    """One sentence: a process did not do what it is for."""


class Setup:
    """What is the same in each run."""

    def __init__(self, options, link, calls, tcps):
        self.rtpcall, self.linktun = options.rtpcall, options.linktun
        self.link, self.duration, self.calls, self.tcps = link, options.duration, calls, tcps
        # A page is drawn where somebody will see it: many at once disturb other runs.
        self.pages = [] if options.keep else ['--no-page']
        self.every = flows.every(calls, tcps)


class Run:
    def __init__(self, setup, seed, folder, tell, stops):
        """@stops: an Event that ends it."""
        self.setup, self.seed, self.tell, self.stops = setup, seed, tell, stops
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.processes = []
        self.waiting = []               # (when, what to do)
        self.killed = set()             # names of processes
        self.end = time.monotonic() + SETTLE + setup.duration

    def start(self, name, network, command, **more):
        """In the network, its complaints in a file."""
        with open(self.folder / f'{name}.err', 'w', encoding='utf-8') as complaints:
            # A group of its own: a terminal's Ctrl-C is for us.  Not a session: Linux schedules
            # each as one (sched(7), autogroup), and what sends in time waits for its encoder.
            process = subprocess.Popen([*(network.enter() if network else []), *command],
                                       stderr=complaints, text=True, process_group=0,
                                       stdin=subprocess.DEVNULL, **more)
        self.processes.append((name, process))
        return process

    def complaint(self, name):
        lines = (self.folder / f'{name}.err').read_text(encoding='utf-8').strip().splitlines()
        return lines[-1] if lines else 'without a word'

    def start_link(self, here, there):
        """Its time begins now."""
        self.link = self.start('linktun', None, [
            self.setup.linktun, '--scenario', self.setup.link, '--seed', str(self.seed),
            '--log', str(self.folder / 'link.csv'), here.name, there.name],
            stdout=subprocess.PIPE)
        if self.link.stdout.readline() != 'ready\n':
            self.link.wait()
            raise Failed(f'there is no link: {self.complaint("linktun")}')

    def start_server(self, there):
        ports = [str(port) for port, flow in self.setup.every if isinstance(flow, flows.TcpFlow)]
        self.server = self.start('tcp-server', there, [
            sys.executable, str(TRAFFIC), 'serve', *ports], stdout=subprocess.PIPE)
        if self.server.stdout.readline() != 'ready\n':
            raise Failed(f'TCP does not listen: {self.complaint("tcp-server")}')

    def start_receiver(self, port, flow, there):
        self.start(f'receiver-{port}', there, [
            self.setup.rtpcall, *flow.receiver(port, self.setup.duration + SETTLE + HANG_UP),
            '--quiet', '--report', str(self.folder / f'receiver-{port}'), *self.setup.pages],
            stdout=subprocess.DEVNULL)

    def start_flow(self, port, flow, here):
        seconds = self.setup.duration - flow.start
        if isinstance(flow, flows.CallFlow):
            self.start(f'sender-{port}', here, [
                self.setup.rtpcall, *flow.sender(HOST, port, seconds), '--report',
                str(self.folder / f'sender-{port}'), *self.setup.pages],
                stdout=subprocess.DEVNULL)
            if flow.killed:
                self.later(time.monotonic() + flow.killed, self.kill, f'receiver-{port}')
        else:
            self.start(f'tcp-{port}', here, [
                sys.executable, str(TRAFFIC), 'send', HOST, str(port), flow.control, flow.kind,
                str(flow.count), f'{seconds:g}', f'{self.seed} {port}'])

    def later(self, when, do, *arguments):
        self.waiting.append((when, lambda: do(*arguments)))
        self.waiting.sort(key=lambda item: item[0])

    def kill(self, name):
        """Without a goodbye, as where a machine loses its power."""
        self.killed.add(name)
        dict(self.processes)[name].kill()

    def check(self):
        """A process that ends before its time, other than by a circuit breaker, spoils the run."""
        if sandbox.told_to_stop() or self.stops.is_set():
            raise Stopped
        for name, process in self.processes:
            if process.poll() not in (None, 0, STOPPED) and name not in self.killed:
                raise Failed(f'{name} has ended: {self.complaint(name)}')

    def go_on(self, until):
        """Until that time, with what has to begin on its way."""
        while (now := time.monotonic()) < until:
            while self.waiting and self.waiting[0][0] <= now:
                self.waiting.pop(0)[1]()
            self.check()
            self.tell(max(self.end - now, 0))
            time.sleep(min(.1, max(until - time.monotonic(), 0)))

    def wait_for(self, kind, seconds):
        """True when all of that kind have ended."""
        end = time.monotonic() + seconds
        while any(process.poll() is None for name, process in self.processes
                  if name.startswith(kind)):
            if time.monotonic() > end:
                return False
            self.check()
            time.sleep(.05)
        return True

    def stop(self):
        """All of them; nothing is left running."""
        for _, process in self.processes:
            if process.poll() is None:
                process.terminate()
        for _, process in self.processes:
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def measure(self):
        here, there = sandbox.Network(), sandbox.Network()
        try:
            if self.setup.tcps:
                self.start_server(there)
            for port, flow in self.setup.every:
                if isinstance(flow, flows.CallFlow):
                    self.start_receiver(port, flow, there)
            self.go_on(time.monotonic() + SETTLE)
            self.start_link(here, there)
            begin = time.monotonic()
            for port, flow in self.setup.every:
                self.later(begin + flow.start, self.start_flow, port, flow, here)
            self.go_on(begin + self.setup.duration)
            for kind in 'sender', 'receiver':
                if not self.wait_for(kind, HANG_UP + 10):
                    raise Failed(f'a {kind} does not end')
            self.link.terminate()
            out, _ = self.link.communicate()
            (self.folder / 'linktun.out').write_text(out, encoding='utf-8')
            counts = {}
            if self.setup.tcps:
                self.server.terminate()
                counts = json.loads(self.server.communicate()[0])
            return self.figures(counts, self.link.returncode != LATE)
        finally:
            self.stop()
            for network in here, there:
                network.close()

    def figures(self, counts, in_time):
        log = figures.of_log(self.folder / 'link.csv')
        rows = []
        for port, flow in self.setup.every:
            seconds = self.setup.duration - flow.start
            row = {'name': flow.name, **figures.of_link(log, port, seconds, flow.start)}
            if isinstance(flow, flows.TcpFlow):
                row['goodput'] = counts[str(port)] * 8 / seconds / 1e3
            elif flow.killed:
                row['after'] = figures.sent_since(
                    self.folder / 'link.csv', port, flow.start + 2 * flow.killed,
                    self.setup.duration)
                row |= figures.of_sender(self.folder / f'sender-{port}')
            else:
                row |= figures.of_reports(self.folder / f'sender-{port}',
                                          self.folder / f'receiver-{port}', seconds)
            rows.append(row)
        whole = sum(row['bytes'] for row in rows)
        for row in rows:
            row['share'] = row['bytes'] / whole if whole else None
        return {'seed': self.seed, 'in-time': in_time, 'flows': rows}
