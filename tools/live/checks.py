# SPDX-License-Identifier: LGPL-2.1-or-later
"""Whether the testbed itself is right: its links against what they have to do, and against the
simulators on the same scenario."""
import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import threading

from . import figures, run, sandbox

LINK = '0 fwd rate 1M delay 50 queue 50\n0 rev rate 1M delay 10 queue 50\n'
SIZE = 1000             # bytes of an IP packet: 8 ms at 1 Mbit/s
LINKS = 8
CALM, FULL = 450e3, 1.5e6       # bit/s: no queue one way, always one the other
IDEAL = 58.             # ms
DELAY, RATE = .3, .2    # ms, % (docs/testbed.md): what is asked for
STEPS = '0 both rate 2M delay 50 queue 50\n8 fwd rate 700k\n16 fwd rate 2M\n'
STEPS_SECONDS, STEPS_RATE, STEPS_SIZE = 24, 1.2e6, 1200
ALIKE = 3.              # % of the rate
PORT = 5000
PRIORITY = 20           # SCHED_FIFO of what measures, below linktun's


class Link:
    """linktun and a process that sends and receives at either end."""

    def __init__(self, linktun, scenario, folder, size, rates, seconds):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / 'scenario').write_text(scenario, encoding='ascii')
        self.folder, self.networks, self.ends = folder, [], []
        try:
            self.networks = [sandbox.Network(), sandbox.Network()]
            self.tun = subprocess.Popen(
                [linktun, '--scenario', folder / 'scenario', '--log', folder / 'log.csv',
                 *(network.name for network in self.networks)], stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, text=True)
            if self.tun.stdout.readline() != 'ready\n':
                raise run.Failed(f'there is no link: {self.tun.stderr.read().strip()}')
            # what sends begins when the other listens
            for which in 1, 0:
                self.ends.append(subprocess.Popen(
                    [*self.networks[which].enter(), sys.executable, str(run.TRAFFIC), 'udp',
                     f'10.77.0.{2 - which}', str(PORT), str(int(rates[which])), str(size),
                     str(seconds)], stdout=subprocess.PIPE, text=True))
                # its own waiting for a CPU is no delay of the link
                with contextlib.suppress(OSError):
                    os.sched_setscheduler(self.ends[-1].pid, os.SCHED_FIFO,
                                          os.sched_param(PRIORITY))
                if self.ends[-1].stdout.readline() != 'ready\n':
                    raise run.Failed('UDP does not listen')
        except BaseException:
            self.close()
            raise

    def finish(self):
        """[(sent, came), ...] of what went there and of what came back, ns."""
        came = [[tuple(map(int, line.split())) for line in end.communicate()[0].splitlines()
                 if line] for end in self.ends]
        self.tun.terminate()
        self.said = self.tun.communicate()[0]
        return came

    def close(self):
        for process in (*self.ends, getattr(self, 'tun', None)):
            if process and process.poll() is None:
                process.kill()
                process.wait()
        for network in self.networks:
            network.close()


def measured(link):
    """ms above the ideal, and the rate's error in per cent."""
    there, back = link.finish()
    late = [(came - sent) / 1e6 - IDEAL for sent, came in there]
    # behind the first second the queue is full
    times = [came for sent, came in back if sent > back[0][0] + 1e9]
    rate = (len(times) - 1) * SIZE * 8 / ((times[-1] - times[0]) / 1e9)
    return {'p50': figures.percentile(late, .5), 'p99': figures.percentile(late, .99),
            'most': max(late), 'rate': 100 * (rate / 1e6 - 1), 'packets': len(late)}


def in_threads(work, items):
    """Its results, in order; what fails first is raised."""
    results, failures = [None] * len(items), []

    def do(i, item):
        try:
            results[i] = work(item)
        except Exception as failure:    # noqa: BLE001: raised below
            failures.append(failure)

    threads = [threading.Thread(target=do, args=pair) for pair in enumerate(items)]
    for thread in threads:
        thread.start()
    for thread in threads:
        while thread.is_alive():
            thread.join(.1)
            if sandbox.told_to_stop():
                raise run.Stopped
    if failures:
        raise failures[0]
    return results


def links(options, folder):
    """(result, text, whether it is as asked)."""
    made = [sandbox.Awake()]
    try:
        for i in range(LINKS):
            made.append(Link(options.linktun, LINK, folder / f'link-{i + 1}', SIZE, (CALM, FULL),
                             options.duration))
        rows = in_threads(measured, made[1:])
    finally:
        for link in made:
            link.close()
    lines = ['| link | late ms, half | 99 % | all | rate off % |', '|---|---|---|---|---|']
    lines += [f'| {i + 1} | {row["p50"]:.3f} | {row["p99"]:.3f} | {row["most"]:.3f} | '
              f'{row["rate"]:+.3f} |' for i, row in enumerate(rows)]
    p99, off = max(row['p99'] for row in rows), max(abs(row['rate']) for row in rows)
    good = p99 <= DELAY and off <= RATE
    lines.append(f'{LINKS} links at once, {options.duration:g} s: one-way delays within {p99:.3f} '
                 f'ms of the ideal in 99 % (asked: {DELAY:g}), rates within {off:.3f} % (asked: '
                 f'{RATE:g}): {"as asked" if good else "not as asked"}')
    return {'links': rows, 'good': good}, '\n'.join(lines), good


def simulated(command):
    done = subprocess.run([*map(str, command), '--json'], capture_output=True, text=True,
                          check=False)
    if done.returncode:
        raise run.Failed(f'{command[0]}: {done.stderr.strip()}')
    link = json.loads(done.stdout)['link']
    return link['delivered'] / 1e3, 100 * link['lost'], link['queue-p50'], link['queue-p95']


def crossed(options, folder):
    """The same, over the kernel; waits as the simulators have them, without the packet's own
    time on the link."""
    link = Link(options.linktun, STEPS, folder / 'cross', STEPS_SIZE, (STEPS_RATE, 1e3),
                STEPS_SECONDS)
    try:
        link.finish()
    finally:
        link.close()
    log = figures.rows_of_log(folder / 'cross' / 'log.csv')
    begin = float(log[0]['arrived'])
    log = [row for row in log if float(row['arrived']) < begin + STEPS_SECONDS]
    passed = [row for row in log if row['outcome'] == 'passed'
              and float(row['delivered']) < begin + STEPS_SECONDS]
    waits = [1e3 * (float(row['departed']) - float(row['arrived'])) for row in passed]
    return (len(passed) * STEPS_SIZE * 8 / STEPS_SECONDS / 1e3,
            100 * sum(row['outcome'] != 'passed' for row in log) / len(log),
            figures.percentile(waits, .5), figures.percentile(waits, .95))


def cross(options, folder):
    """(result, text, whether the rates agree)."""
    scenario = folder / 'steps'
    scenario.write_text(STEPS, encoding='ascii')
    rows = [('linktun', crossed(options, folder))]
    bitrate, fps = int(STEPS_RATE), STEPS_RATE / 8 / STEPS_SIZE
    rows.append(('rccsim', simulated([
        options.rccsim, '--scenario', scenario, '--duration', STEPS_SECONDS, '--fixed',
        '--constant', '--no-audio', '--fps', fps, '--start-bitrate', bitrate, '--max-bitrate', bitrate])))
    without = ''
    if options.rccns3:
        rows.append(('rccns3', simulated([
            options.rccns3, '--scenario', scenario, '--duration', STEPS_SECONDS, '--flow',
            f'fixed={bitrate},source=constant,audio=0,fps={fps:g}'])))
    else:
        without = '\nrccns3 is not there: build it with ns-3 (Debian: libns3-dev)'
    lines = ['| 2, 0.7, 2 Mbit/s | kbit/s | beside linktun % | lost % | queue ms, half | 95 % |',
             '|---|---|---|---|---|---|']
    real, worst = rows[0][1][0], 0.
    for name, (rate, lost, half, most) in rows:
        off = 100 * (rate / real - 1)
        worst = max(worst, abs(off))
        lines.append(f'| {name} | {rate:.1f} | {off:+.2f} | {lost:.2f} | {half:.1f} | {most:.1f} |')
    good = worst <= ALIKE
    lines.append(f'{bitrate / 1e3:g} kbit/s in packets of {STEPS_SIZE} bytes: rates within '
                 f'{worst:.2f} % of linktun (asked: {ALIKE:g}): '
                 f'{"as asked" if good else "not as asked"}{without}')
    return {'rows': [dict(zip(('name', 'rate', 'lost', 'queue-p50', 'queue-p95'), (name, *row)))
                     for name, row in rows], 'good': good}, '\n'.join(lines), good


def programs(options, find):
    """The simulators, for cross; without ns-3 there is one less."""
    options.rccsim = find('rccsim') or shutil.which('rccsim')
    options.rccns3 = find('rccns3/rccns3') or shutil.which('rccns3')
