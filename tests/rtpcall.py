#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""rtpcall as people use it: calls over the simulated link and over UDP, their
report, and one plain sentence for everything that can go wrong.

    tests/rtpcall.py path/to/rtpcall

in an environment that finds the plugins."""
import csv
import html
import json
import os
import pathlib
import re
import select
import signal
import statistics
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import atonce
from ports import free_port
from udplink import LINK_BPS, Forgetful, Stranger

RTPCALL = sys.argv.pop(1)
SMALL = ('--resolution', '320x240', '--fps', '15')


def without_machine(said):
    """What rtpcall said on stderr, without and of the machine that these tests run on."""
    lines = said.splitlines(keepends=True)
    of_machine = [line for line in lines if line.startswith('rtpcall: the machine was too slow')]
    return ''.join(line for line in lines if line not in of_machine), ''.join(of_machine)


def call(*args, env=None, timeout=60, page=False, **kwargs):
    """Of a report only the data, unless @page: that takes a second and a half of processor time."""
    no_page = ['--no-page'] if '--report' in args and not page else []
    done = subprocess.run([RTPCALL, *args, *no_page], capture_output=True, text=True,
                          timeout=timeout, env={**os.environ, 'LC_ALL': 'C.UTF-8', **(env or {})}, **kwargs)
    done.stderr, done.machine = without_machine(done.stderr)
    return done


def table(path):
    with open(path, newline='') as file:
        return list(csv.DictReader(file))


def numbers(rows, column):
    return [float(row[column]) for row in rows if row[column]]


class Relay:
    """Two ports between a sender and a receiver, that remember when what passed."""

    def __init__(self, receiver):
        self.port, self.receiver = free_port(), receiver
        self.media, self.reports = [], []       # times of RTP there, of RTCP back that counts
        self.known = set()                      # SSRCs
        self.sockets = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2)]
        for i, one in enumerate(self.sockets):
            one.bind(('127.0.0.1', self.port + i))
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self):
        senders = [None, None]
        while not self.ended.is_set():
            for one in select.select(self.sockets, [], [], 0.05)[0]:
                data, source = one.recvfrom(65536)
                i = self.sockets.index(one)
                if source[1] == self.receiver + i:
                    if i == 1 and self.counts(data):
                        self.reports.append(time.monotonic())
                    if senders[i]:
                        one.sendto(data, senders[i])
                    continue
                senders[i] = source
                if i == 0:
                    self.media.append(time.monotonic())
                one.sendto(data, ('127.0.0.1', self.receiver + i))

    def counts(self, data):
        """Whether its sender has reported on what it received, now or before: RFC 8083 4.1."""
        if data[1] in (200, 201) and data[0] & 31:
            self.known.add(data[4:8])
        return data[4:8] in self.known

    def close(self):
        self.ended.set()
        self.thread.join()
        for one in self.sockets:
            one.close()


def summary_of(info, name):
    return info['summary'][name]['value']


def gaps(times):
    return [b - a for a, b in zip(times, times[1:])]


def key_frames(packets):
    """Whether each picture of these RTP packets is one (RFC 6184)."""
    keys = {}
    for packet in packets:
        if packet[1] & 0x7f != 96:
            continue
        start = 12 + 4 * (packet[0] & 15)
        if packet[0] & 0x10:
            start += 4 + 4 * int.from_bytes(packet[start + 2:start + 4], 'big')
        kind = packet[start] & 31
        # of an aggregate the first, of a fragment its own
        kind = packet[start + (3 if kind == 24 else 1)] & 31 if kind in (24, 28) else kind
        keys[packet[4:8]] = keys.get(packet[4:8], False) or kind in (5, 7)
    return list(keys.values())


class Case(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.directory = pathlib.Path(scratch.name)

    def good(self, done):
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotRegex(done.stderr, 'CRITICAL|WARNING')

    def refused(self, expected, *args, status=2, **kwargs):
        """Fails with one sentence that says `expected`.  status 2: an option is wrong."""
        done = call(*args, **kwargs)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        lines = done.stderr.splitlines()
        self.assertEqual(len(lines), 1, done.stderr)
        self.assertRegex(lines[0], '^rtpcall: ')
        self.assertRegex(lines[0], expected)
        self.assertEqual(done.stdout, '')

    def report(self, directory):
        info = json.loads((directory / 'call.json').read_text())
        return info, table(directory / 'samples.csv'), table(directory / 'frames.csv')

    def was_punctual(self, info):
        """Whether a call of a few seconds says how well a call goes: one stall of this machine
        is a tenth of it, and no percentile of its timers shows that."""
        machine = info['machine']
        punctual = machine['fast-enough'] and machine['timer-lateness-max'] < 100
        if not punctual:
            print('bounds of quality left out:', machine['line'])
        return punctual


class Calls(Case):
    def test_adapts_and_reports(self):
        report = self.directory / 'report'
        done = call('--link', 'constant:1M', '--duration', '8', '--report', str(report), page=True)
        self.good(done)
        info, samples, frames = self.report(report)
        self.assertGreaterEqual(info['duration'], 8)
        self.assertIn('--link constant:1M', info['command'])
        self.assertEqual(info['flows'], ['video', 'audio'])
        about = info['about']
        self.assertEqual(list(about), ['link', 'film', 'encoder', 'controller', 'gstreamer',
                                       'machine'])
        self.assertEqual(about['link'], 'constant:1M')
        self.assertRegex(about['film'], r'^test, \d+ x \d+, \d+ pictures a second$')
        self.assertRegex(about['encoder'], r'^x264enc \(\S+ \d\S*\)$')
        self.assertEqual(about['controller'], 'gcc, profile default, feedback remb')
        self.assertRegex(about['gstreamer'], r'^1\.\d+\.\d+$')
        self.assertRegex(about['machine'], r'^.+, \d+ cores, Linux ')
        self.assertGreaterEqual(len(samples), 39)
        # GCC left its start of 150 kbit/s behind, and stayed on the link.
        self.assertGreater(max(numbers(samples[20:], 'target')), 250e3)
        self.assertLess(max(numbers(samples[20:], 'received')), 1.5e6)
        self.assertGreater(sum(numbers(samples[5:], 'received')), 0)
        self.assertEqual(set(numbers(samples, 'capacity')), {1e6})
        self.assertGreaterEqual(min(numbers(samples, 'owd')), 50)
        self.assertGreaterEqual(numbers(samples, 'rtt')[-1], 100)
        self.assertEqual(info['profile']['scheduler'], 'sbpn2')
        for medium in ('audio', 'video'):
            if self.was_punctual(info):
                self.assertGreater(summary_of(info, f'{medium} on time'), 0.9)
            self.assertLessEqual(max(numbers(samples, f'{medium}-on-time')), 1)
            self.assertGreaterEqual(min(numbers(samples, f'{medium}-wait')), 0)
        self.assertEqual(info['profile']['breaker'], 'mathis')
        self.assertEqual({row['breaker'] for row in samples[10:]}, {'closed'})
        self.assertGreater(numbers(samples, 'breaker-sent')[-1], 100e3)
        summary = info['summary']
        self.assertEqual(summary['stops by the breaker']['value'], 0)
        if self.was_punctual(info):
            self.assertGreater(summary['mean PSNR']['value'], 25)
            self.assertLess(summary['longest freeze']['value'], 1)
        self.assertLess(summary['lost on the link']['value'], 0.1)
        self.assertGreater(summary['media packets received']['value'], 100)
        # The same from the frames.
        self.assertGreater(len(frames), 80)
        psnr = numbers(frames, 'psnr')
        self.assertAlmostEqual(sum(psnr) / len(psnr), summary['mean PSNR']['value'], delta=0.1)
        self.assertGreater(sum(numbers(frames, 'size')), 0)
        for text in ('mean PSNR', 'longest freeze', 'mean received'):
            self.assertIn(text, done.stdout)
        if (report / 'report.html').exists():
            self.assertIn(f'report: {report}', done.stdout)
        else:
            self.assertIn('matplotlib', done.stderr)

    # Of 3 % that are lost at random, most comes again in time: fewer frames freeze.
    def test_what_is_lost_is_sent_again(self):
        link = self.directory / 'lossy.scn'
        link.write_text('0 both delay 50ms\n0 fwd rate 1M queue 300ms loss 3%\n')
        frozen = {}
        for repair in ('off', 'auto'):
            report = self.directory / repair
            self.good(call('--link', str(link), '--duration', '15', '--repair', repair,
                           '--report', str(report)))
            info = self.report(report)[0]
            self.assertEqual(info['profile']['repair'], repair)
            self.assertGreater(summary_of(info, 'lost on the link'), 0.01)
            frozen[repair] = summary_of(info, 'frozen frames')
            again = summary_of(info, 'sent again')
            sent = summary_of(info, 'media packets sent')
        print(f'frozen {frozen["off"]:.1%} without, {frozen["auto"]:.1%} with retransmissions')
        self.assertGreater(again, 5)
        self.assertLess(again, 0.1 * sent)
        if self.was_punctual(info):
            self.assertLess(frozen['auto'], 0.7 * frozen['off'])

    def test_the_wait_grows_with_the_way_of_copies(self):
        """A copy takes 300 ms and more: the receiver waits for it, unless it was told how long."""
        link = self.directory / 'link'
        link.write_text('0 fwd rate 1M\n0 both delay 150\n0 fwd loss 3%\n')
        waits = []
        for option in ([], ['--jitterbuffer-latency', '300']):
            report = self.directory / f'wait{len(option)}'
            self.good(call('--link', str(link), '--duration', '9', '--repair', 'rtx', '--quiet',
                           '--report', str(report), *option, *SMALL))
            info = self.report(report)[0]
            self.assertGreater(summary_of(info, 'sent again'), 0)
            waits.append(summary_of(info, 'longest jitterbuffer latency'))
        print('longest jitterbuffer latency, by itself and told, ms:', waits)
        self.assertGreaterEqual(waits[0], 450)
        self.assertEqual(waits[1], 300)

    def test_every_feedback_arrives(self):
        for feedback in ('tmmbr', 'twcc', 'ccfb'):
            with self.subTest(feedback):
                report = self.directory / feedback
                self.good(call('--feedback', feedback, '--duration', '6', '--quiet',
                               '--report', str(report)))
                info, samples, _ = self.report(report)
                self.assertEqual(info['profile']['feedback'], feedback)
                self.assertGreater(max(numbers(samples, 'target')), 250e3)

    def test_nada_goes_by_feedback_per_packet(self):
        """From 150 kbit/s over an empty link it can but climb; the signal is the queue's."""
        for feedback in ('ccfb', 'twcc'):
            with self.subTest(feedback):
                report = self.directory / feedback
                self.good(call('--cc', 'nada', '--feedback', feedback, '--duration', '6',
                               '--link', 'constant:2M', '--quiet', '--report', str(report)))
                info, samples, _ = self.report(report)
                self.assertEqual(info['profile']['congestion control'], 'nada')
                self.assertGreater(max(numbers(samples, 'target')), 165e3)
                self.assertLessEqual({s['state'] for s in samples},
                                     {'start', 'ramp-up', 'gradual'})

    def test_tfrc_follows_what_it_hears(self):
        """The rate is the mux's: it doubles until something is lost, and says so."""
        for feedback in ('ccfb', 'twcc'):
            with self.subTest(feedback):
                report = self.directory / feedback
                self.good(call('--cc', 'tfrc', '--feedback', feedback, '--duration', '8',
                               '--link', 'constant:800k', '--quiet', '--report', str(report)))
                info, samples, _ = self.report(report)
                self.assertEqual(info['profile']['congestion control'], 'tfrc')
                self.assertGreater(max(numbers(samples, 'target')), 600e3)
                self.assertLess(max(numbers(samples[20:], 'target')), 2.5e6)
                self.assertGreater(max(numbers(samples, 'loss')), 0)
                # its own estimate, by what reports say of how long feedback is held
                self.assertGreaterEqual(statistics.median(numbers(samples[20:], 'rtt')), 100)
                self.assertGreater(max(numbers(samples, 'encoder')), 300e3)

    def test_fbra_probes_with_parity_that_is_repaired(self):
        """Over a link that loses 8 % from 6 s on: what was climbing falls, and GStreamer's
        own decoder repairs what parity there was for."""
        link = self.directory / 'link'
        link.write_text('0 fwd rate 1M delay 20\n6 fwd loss 8%\n')      # of 100 packets some
        for feedback in ('xr', 'ccfb', 'twcc'):
            with self.subTest(feedback):
                report = self.directory / feedback
                self.good(call('--cc', 'fbra', '--feedback', feedback, '--duration', '14',
                               '--link', str(link), '--quiet', '--report', str(report)))
                info, samples, _ = self.report(report)
                self.assertEqual(info['profile']['congestion control'], 'fbra')
                self.assertGreaterEqual(summary_of(info, 'probes'), 2)
                self.assertGreater(max(numbers(samples, 'fec')), 5e3)
                self.assertGreater(summary_of(info, 'mean parity'), 1e3)
                self.assertGreater(max(numbers(samples[:30], 'target')), 200e3)
                self.assertIn('PROBE', {row['state'] for row in samples})
                self.assertIn('DOWN', {row['state'] for row in samples[30:]})
                self.assertLessEqual(max(numbers(samples, 'video-on-time')), 1)
                self.assertGreater(summary_of(info, 'video lost or late before repair'), 0)
                self.assertLessEqual(summary_of(info, 'video lost or late after repair'),
                                     summary_of(info, 'video lost or late before repair'))

    def test_protection_repairs_without_a_probe(self):
        """At a rate that stays nothing is probed for: the parity is there all the same, its
        share is the video's loss, and it repairs."""
        link = self.directory / 'link'
        link.write_text('0 fwd rate 1M delay 20\n2 fwd loss 3%\n')
        rate = [f'--{which}-bitrate=500k' for which in ('min', 'start', 'max')]
        for cc, depth in (('fbra', '1'), ('cnadu', '2')):
            with self.subTest(cc):
                report = self.directory / cc
                self.good(call('--cc', cc, '--fec-protection', '4', '--fec-interleave', depth,
                               '--duration', '14', '--link', str(link), '--quiet',
                               '--jitterbuffer-latency', '500', *rate, '--report', str(report)))
                info, samples, _ = self.report(report)
                self.assertEqual(info['profile']['fec-protection'], 4)
                self.assertEqual(set(numbers(samples[5:], 'fec')), {100e3})
                self.assertEqual(summary_of(info, 'probes'), 0)
                self.assertGreater(summary_of(info, 'mean parity'), 50e3)
                self.assertGreater(summary_of(info, 'frames recovered'), 3)
                self.assertGreater(summary_of(info, 'FFRE'), 0.3)
                self.assertLess(summary_of(info, 'video lost or late after repair'),
                                summary_of(info, 'video lost or late before repair'))

    def test_probes_of_parity(self):
        """Parity leaves where padding would: in probes, and with none asked for."""
        parity = []
        for option in ([], ['--probe-protection']):
            report = self.directory / f'probes{len(option)}'
            self.good(call('--duration', '4', '--link', 'constant:2M', '--quiet', '--report',
                           str(report), *option, *SMALL))
            parity.append(summary_of(self.report(report)[0], 'mean parity'))
        print('mean parity without and with, bit/s:', parity)
        self.assertEqual(parity[0] or 0, 0)
        self.assertGreater(parity[1], 0)

    def test_plus_climbs_through_stray_losses(self):
        """Over a link that loses 2 % and has room."""
        link = self.directory / 'link'
        link.write_text('0 fwd rate 2M delay 20\n4 fwd loss 2%\n')
        report = self.directory / 'plus'
        self.good(call('--cc', 'fbra', '--profile', 'plus', '--feedback', 'ccfb',
                       '--duration', '12', '--link', str(link), '--quiet', '--report',
                       str(report)))
        info, samples, _ = self.report(report)
        self.assertEqual(info['profile']['name'], 'fbra plus')
        self.assertGreater(summary_of(info, 'lost on the link'), 0.003)
        self.assertGreater(summary_of(info, 'probes'), 1)
        self.assertGreater(numbers(samples, 'target')[-1], 1.2 * 150e3)

    def test_the_baselines_climb(self):
        for cc, feedback in (('gcc-paper', 'remb'), ('rrtcc', 'tmmbr'), ('cnadu', 'xr')):
            with self.subTest(cc):
                report = self.directory / cc
                self.good(call('--cc', cc, '--duration', '12', '--quiet', '--report',
                               str(report)))
                info, samples, _ = self.report(report)
                self.assertEqual(info['profile']['feedback'], feedback)
                # C-NADU takes what waits in a late machine for a queue: it falls first, then climbs.
                targets = numbers(samples, 'target')
                climbs = [n / min(targets[:i]) for i, n in enumerate(targets) if i > 0]
                self.assertGreater(max(climbs), 1.05)
                self.assertFalse([n for n in numbers(samples, 'fec') if n > 0])
                self.assertGreaterEqual(numbers(samples, 'rtt')[-1], 100)

    def test_a_foreign_controller(self):
        """rtpgccbwe, where somebody has installed it; else one sentence."""
        there = subprocess.run(['gst-inspect-1.0', 'rtpgccbwe'], capture_output=True,
                               check=False).returncode == 0
        for estimator in 'kalman', 'linear-regression':
            with self.subTest(estimator):
                report = self.directory / estimator
                args = ('--cc', 'rtpgccbwe', '--profile', estimator, '--duration', '8',
                        '--no-audio', '--quiet', '--report', str(report), *SMALL)
                if not there:
                    self.refused('rtpgccbwe is missing: build the crate gst-plugin-rtp', *args,
                                 status=1)
                    continue
                self.good(call(*args))
                info, samples, _ = self.report(report)
                self.assertEqual(info['profile']['feedback'], 'twcc')
                self.assertGreater(len(set(numbers(samples, 'target'))), 3)
                self.assertGreater(max(numbers(samples, 'encoder')), 0)

    def test_without_control_the_rate_stays(self):
        report = self.directory / 'report'
        self.good(call('--cc', 'none', '--start-bitrate', '400k', '--duration', '4', '--quiet',
                       '--no-audio', '--breaker=off', '--report', str(report), *SMALL))
        info, samples, _ = self.report(report)
        self.assertEqual(info['flows'], ['video'])
        self.assertEqual(info['profile']['breaker'], 'off')
        self.assertEqual({row['breaker'] for row in samples}, {''})
        self.assertIsNone(info['summary']['stops by the breaker']['value'])
        self.assertEqual(set(numbers(samples, 'target')), {400e3})
        self.assertEqual(len(set(numbers(samples, 'encoder'))), 1)

    def test_a_lost_picture_is_asked_for_again(self):
        """Without PLI nothing would come back after the first loss: there is one key
        frame in a call."""
        link = self.directory / 'link'
        link.write_text('0 fwd rate 1M delay 20\n2 fwd loss 30%\n2.5 fwd loss 0\n')
        report = self.directory / 'report'
        self.good(call('--link', str(link), '--duration', '7', '--report', str(report),
                       '--cc', 'none', '--start-bitrate', '400k', '--quiet', *SMALL))
        info, samples, frames = self.report(report)
        self.assertGreater(max(numbers(samples, 'loss')), 0.1)
        tail = [row for row in frames if float(row['time']) > 5]
        self.assertGreater(len(tail), 15)
        self.assertGreater(min(numbers(tail, 'psnr')), 20)
        self.assertEqual(sum(numbers(tail, 'frozen')), 0)

    def make_film(self, film):
        """Of two seconds."""
        made = subprocess.run(
            ['gst-launch-1.0', '-q', 'videotestsrc', 'num-buffers=30', 'pattern=ball', '!',
             'video/x-raw,width=640,height=360,framerate=15/1', '!', 'x264enc', '!',
             'mp4mux', 'name=m', '!', 'filesink', f'location={film}',
             'audiotestsrc', 'num-buffers=86', '!', 'audioconvert', '!', 'opusenc', '!', 'm.'],
            capture_output=True, text=True, timeout=30)
        self.assertEqual(made.returncode, 0, made.stderr)

    def test_a_film_goes_round_without_a_seam(self):
        film, report = self.directory / 'film.mp4', self.directory / 'report'
        self.make_film(film)
        self.good(call('--input', str(film), '--duration', '6', '--cc', 'none', '--start-bitrate',
                       '500k', '--report', str(report), '--quiet', *SMALL))
        _, _, frames = self.report(report)
        times = numbers(frames, 'time')
        self.assertGreater(times[-1], 5)
        steps = [b - a for a, b in zip(times, times[1:])]
        self.assertLess(max(steps), 2.5 / 15)
        self.assertGreater(min(steps), 0.5 / 15)
        shown = numbers(frames, 'frame')        # from the first that arrived
        self.assertEqual(shown, [shown[0] + i for i in range(len(shown))])

    def test_samples_as_csv(self):
        done = call('--duration', '3', '--csv', '--no-audio', *SMALL)
        self.good(done)
        rows = list(csv.DictReader(done.stdout.splitlines()))
        self.assertGreaterEqual(len(rows), 14)
        self.assertEqual(numbers(rows, 'time'), [round(0.2 * (i + 1), 1) for i in range(len(rows))])

    def test_interrupted_it_still_reports(self):
        """By Ctrl-C, or with the terminal that it ran in."""
        for how in (signal.SIGINT, signal.SIGHUP):
            with self.subTest(how):
                report = self.directory / how.name
                with subprocess.Popen([RTPCALL, '--report', str(report), *SMALL], text=True,
                                      stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
                    for line in process.stdout:         # one a second
                        if re.match(r' *3\.\d s', line):
                            break
                    process.send_signal(how)
                    out, err = process.communicate(timeout=30)
                self.assertEqual(process.returncode, 0, err)
                self.assertIn('mean PSNR', out)
                info, samples, _ = self.report(report)
                self.assertGreaterEqual(info['duration'], 3)
                self.assertGreaterEqual(len(samples), 15)

    def test_a_page_that_cannot_be_written_is_an_error(self):
        report = self.directory / 'report'
        (report / 'report.html').mkdir(parents=True)
        done = call('--duration', '2', '--quiet', '--report', str(report), *SMALL, page=True)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, '^rtpcall: the page was not drawn: .+\n$')
        self.assertGreaterEqual(len(self.report(report)[1]), 5)

    def test_a_report_without_a_page(self):
        report = self.directory / 'report'
        self.good(call('--duration', '2', '--quiet', '--report', str(report), *SMALL))
        self.assertGreaterEqual(len(self.report(report)[1]), 5)
        self.assertFalse((report / 'report.html').exists())

    def test_without_a_network_it_says_so(self):
        alone = ['unshare', '--map-root-user', '--net']
        if subprocess.run([*alone, 'true'], check=False, stderr=subprocess.DEVNULL).returncode:
            self.skipTest('there is no way to be without a network here')
        done = subprocess.run([*alone, RTPCALL, '--send', '192.0.2.9:5004', '--duration', '2',
                               '--quiet', *SMALL], capture_output=True, text=True, timeout=30,
                              check=False)
        self.assertRegex(done.stderr, 'rtpcall: nothing can be sent to 192.0.2.9: .+; is there a '
                         r'network\?\n')
        self.assertEqual(done.stderr.count('nothing can be sent'), 1)

    def test_two_processes(self):
        for host in ('127.0.0.1', 'localhost'):
            with self.subTest(host):
                port = free_port()
                rx, tx = self.directory / f'rx-{host}', self.directory / f'tx-{host}'
                with subprocess.Popen([RTPCALL, '--receive', str(port), '--report', str(rx)],
                                      text=True, stdout=subprocess.PIPE,
                                      stderr=subprocess.PIPE) as receiver:
                    self.assertIn(' s  target', receiver.stdout.readline())     # it listens
                    self.good(call('--send', f'{host}:{port}', '--duration', '4', '--quiet',
                                   '--breaker', 'padhye', '--report', str(tx), *SMALL))
                    # The sender's goodbye ends it.
                    _, err = receiver.communicate(timeout=30)
                self.assertEqual(receiver.returncode, 0, err)
                heard, sent = self.report(rx), self.report(tx)
                self.assertGreater(summary_of(heard[0], 'media packets received'), 50)
                self.assertLess(summary_of(heard[0], 'lost on the link'), 0.05)
                # No end alone knows all: what the sender hears is not what was lost.
                self.assertIsNone(summary_of(heard[0], 'dropped before sending'))
                self.assertIsNone(summary_of(sent[0], 'lost on the link'))
                self.assertLess(summary_of(sent[0], 'dropped before sending'), 0.05)
                self.assertLess(summary_of(sent[0], 'loss as reported'), 0.05)
                for info in (heard[0], sent[0]):
                    self.assertIsNone(summary_of(info, 'too late'))
                self.assertEqual(numbers(sent[1], 'loss') + numbers(sent[1], 'lost'), [])
                self.assertEqual(numbers(heard[1], 'offered'), [])
                self.assertTrue(numbers(sent[1], 'reported-loss'))
                self.assertEqual(sent[0]['profile']['breaker'], 'padhye')
                # Feedback came back: the sender knows the round-trip time and climbed.
                self.assertTrue(numbers(sent[1], 'rtt'))
                self.assertGreater(max(numbers(sent[1], 'target')), 160e3)
                self.assertEqual(numbers(sent[1], 'received'), [])
                # How long packets wait the sender knows, but no end alone what is on time.
                self.assertTrue(numbers(sent[1], 'audio-wait'))
                for rows in (heard[1], sent[1]):
                    self.assertEqual(numbers(rows, 'audio-on-time'), [])
                self.assertEqual(numbers(heard[1], 'video-wait'), [])

    def test_a_lost_goodbye_is_said_again(self):
        """The receiver ends with the sender, and not seconds later."""
        port, way, report = free_port(), free_port(), self.directory / 'report'
        links = [Forgetful(socket.AF_INET, '127.0.0.1', way + i, port + i) for i in range(2)]
        with subprocess.Popen([RTPCALL, '--receive', str(port), '--quiet', '--duration', '60',
                               '--report', str(report)], text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as receiver:
            for link in links:
                link.start()
            done = call('--send', f'127.0.0.1:{way}', '--duration', '3', '--quiet', *SMALL)
            _, err = receiver.communicate(timeout=70)
        for link in links:
            link.end()
        self.good(done)
        self.assertEqual(receiver.returncode, 0, err)
        self.assertEqual([link.forgot for link in links], [False, True])
        self.assertLess(self.report(report)[0]['duration'], 50)

    def test_a_stranger_and_another_address(self):
        """Reports of a stranger turn no feedback away, nor does a second address of the SSRC;
        when the sender's own changes, the call goes on."""
        port, way, report = free_port(), free_port(), self.directory / 'report'
        links = [Stranger(socket.AF_INET, '127.0.0.1', way + i, port + i, seconds=16)
                 for i in range(2)]
        with subprocess.Popen([RTPCALL, '--receive', str(port), '--quiet', '--duration', '40'],
                              text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as receiver:
            for link in links:
                link.start()
            done = call('--send', f'127.0.0.1:{way}', '--duration', '16', '--quiet',
                        '--start-bitrate', '500k', '--report', str(report))
            _, err = receiver.communicate(timeout=40)
        for link in links:
            link.end()
        self.good(done)
        self.assertEqual(receiver.returncode, 0, err)
        self.assertIn('more than 16 SSRCs', err)
        self.assertGreater(min(link.forged for link in links), 20)
        _, samples, _ = self.report(report)
        for quarter in 1, 2, 3:
            part = numbers(samples[len(samples) * quarter // 4:len(samples) * (quarter + 1) // 4],
                           'target')
            self.assertGreater(statistics.mean(part),
                               (.6 if all(link.punctual() for link in links) else .25) * LINK_BPS)

    def test_too_many_streams(self):
        """One host may send many.  rtpbin drops what it has no room for, and it is said."""
        port = free_port()
        with subprocess.Popen([RTPCALL, '--receive', str(port), '--quiet', '--duration', '40'],
                              text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as receiver:
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as end:
                end.bind(('127.0.0.1', 0))
                begin, ssrc = time.monotonic(), 1
                while ssrc < 400 and receiver.poll() is None and time.monotonic() < begin + 30:
                    # RTCP of a stream that came makes its host the call's
                    end.sendto(struct.pack('>BBHIQIII', 0x80, 200, 6, 1, 1 << 32, 1, 1, 1),
                               ('127.0.0.1', port + 1))
                    ssrc += 1
                    # rtpsession wants two in a row of a source (RFC 3550 A.1)
                    for number, one in ((ssrc, 1), (1, ssrc), (2, ssrc)):
                        end.sendto(struct.pack('>BBHIIB', 0x80, 96, number, 1, one, 0),
                                   ('127.0.0.1', port))
                    time.sleep(.01)
            receiver.send_signal(signal.SIGINT)
            _, err = receiver.communicate(timeout=40)
        self.assertEqual(err.count('256 streams have come'), 1, err)

    def pictures(self, *options):
        """Of what is sent to nobody: whether each picture is a key frame."""
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as end:
            end.bind(('127.0.0.1', 0))
            end.settimeout(.5)
            port, packets = end.getsockname()[1], []
            with subprocess.Popen([RTPCALL, '--send', f'127.0.0.1:{port}', '--cc', 'none',
                                   '--breaker=off', '--no-audio', '--quiet', '--duration', '4',
                                   *options, *SMALL], stderr=subprocess.PIPE, text=True) as sender:
                while sender.poll() is None:
                    try:
                        packets.append(end.recv(2000))
                    except TimeoutError:
                        pass
            self.assertEqual(sender.returncode, 0)
        return key_frames(packets)

    def test_key_frames(self):
        """Each tenth, or the first alone, as nobody asks for one."""
        keys = self.pictures('--gop', '10')
        self.assertGreater(len(keys), 40)
        self.assertEqual([i for i, key in enumerate(keys) if key], list(range(0, len(keys), 10)))
        keys = self.pictures()
        self.assertEqual([i for i, key in enumerate(keys) if key], [0])

    def test_skewed_clock(self):
        """5 % too fast: so are the RTP timestamps, by the machine's clock."""
        report = self.directory / 'report'
        self.pictures('--clock-skew', '50000', '--stamp', '--report', str(report))
        rows = [row for row in table(report / 'packets.csv') if row['kind'] == 'video']
        self.assertEqual({row['place'] for row in rows}, {'sent'})
        first, last = rows[len(rows) // 4], rows[-1]
        seconds = (int(last['clock']) - int(first['clock'])) / 1e6
        self.assertGreater(seconds, 2)
        speed = (int(last['timestamp']) - int(first['timestamp'])) % 2**32 / 9e4 / seconds
        # 2 % are 40 ms in 2 s
        self.assertAlmostEqual(speed, 1.05, delta=.02)

    def sent_and_received(self, sent, received):
        """Over UDP without control; the report of the receiver."""
        port, report = free_port(), self.directory / 'report'
        with subprocess.Popen([RTPCALL, '--receive', str(port), '--report', str(report), '--cc',
                               'none', *received, *SMALL], text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as receiver:
            self.assertIn(' s  target', receiver.stdout.readline())     # it listens
            self.good(call('--send', f'127.0.0.1:{port}', '--duration', '5', '--quiet', '--cc',
                           'none', '--start-bitrate', '600k', *sent, *SMALL))
            _, err = receiver.communicate(timeout=30)
        self.assertEqual(receiver.returncode, 0, err)
        return self.report(report)

    def test_quality_over_udp(self):
        """The receiver has the film too: each picture finds its own, round after round."""
        film = self.directory / 'film.mp4'
        self.make_film(film)
        info, samples, frames = self.sent_and_received(
            ('--stamp', '--input', str(film)), ('--reference', str(film)))
        packets = table(self.directory / 'report' / 'packets.csv')
        self.assertEqual({row['place'] for row in packets}, {'arrived', 'decoded'})
        self.assertGreater(len({row['timestamp'] for row in packets}), len(frames) - 5)
        self.assertGreater(len(frames), 55)
        self.assertEqual(summary_of(info, 'frames scored'), len(frames))
        self.assertLess(summary_of(info, 'frozen frames'), .2)
        good = [float(row['psnr']) for row in frames if row['frozen'] == '0']
        self.assertGreater(statistics.median(good), 35)
        # the one before its own would be far below: the ball is elsewhere
        self.assertGreater(statistics.quantiles(good, n=20)[0], 28)
        # in the receiver's time, so that they stand beside what it received
        moving = [row for row in samples if row['psnr']]
        self.assertGreater(len(moving), 15)
        self.assertTrue(all(float(row['received']) > 0 for row in moving[1:-5]))

    def test_quality_needs_both_ends(self):
        info, _, frames = self.sent_and_received(('--input', 'test'), ('--reference', 'test'))
        self.assertEqual((frames, summary_of(info, 'frames scored')), ([], 0))
        self.assertIsNone(summary_of(info, 'mean PSNR'))

    def test_both_ways(self):
        ports = free_port(), free_port()
        reports = [self.directory / name for name in ('here', 'there')]
        with subprocess.Popen([RTPCALL, '--call', f'localhost:{ports[0]}', '--listen',
                               str(ports[1]), '--report', str(reports[1]), *SMALL], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE) as other:
            self.assertIn(' s  target', other.stdout.readline())
            done = call('--call', f'127.0.0.1:{ports[1]}', '--listen', str(ports[0]),
                        '--duration', '6', '--report', str(reports[0]), '--json', *SMALL)
            # Its goodbye ends the other one.
            out, err = other.communicate(timeout=30)
        self.good(done)
        self.assertEqual(other.returncode, 0, err)
        self.assertRegex(out, r'(?s)What was sent\n.*What was received\n')
        told = json.loads(done.stdout)
        received = told.pop('received')
        for one, report in (told, reports[0]), (received, reports[0] / 'received'):
            self.assertEqual(one, json.loads((report / 'call.json').read_text(encoding='utf-8')))
        for report in reports:
            sent, received = self.report(report), self.report(report / 'received')
            self.assertGreater(max(numbers(sent[1], 'target')), 160e3)      # feedback came
            self.assertLess(summary_of(sent[0], 'loss as reported'), 0.05)
            self.assertGreater(summary_of(received[0], 'media packets received'), 50)
            self.assertLess(summary_of(received[0], 'lost on the link'), 0.05)


class Losses(Case):
    WORDS = {'lost on the link': ('lost', 'left'), 'dropped before sending': ('unsent', 'offered'),
             'too late': ('late', 'left')}

    def shares(self, done, report):
        """What was lost, unsent and late, once terminal, JSON, samples.csv and page agree."""
        self.good(done)
        info, samples, _ = self.report(report)
        found = {word: summary_of(info, word) for word in self.WORDS}
        for word, (part, whole) in self.WORDS.items():
            printed = f'{100 * found[word]:.{2 if found[word] < 0.1 else 1}f} %'
            self.assertEqual(re.findall(f'^{word} +(.*)$', done.stdout, re.MULTILINE), [printed])
            pairs = [(float(row[part]), float(row[whole])) for row in samples if row[part]]
            self.assertAlmostEqual(sum(p for p, _ in pairs) / sum(w for _, w in pairs),
                                   found[word], places=8)
            if (report / 'report.html').exists():
                page = html.unescape((report / 'report.html').read_text())
                overview = page[page.index('<caption>The call in one line'):]
                heads, cells = (re.findall(f'<{tag}[^>]*>([^<]*)</{tag}>', overview.split(
                    '</table>')[0]) for tag in ('th', 'td'))
                cell = cells[heads.index(word.capitalize()) - 1]
                self.assertEqual(cell.replace('\u00a0', ' '), printed)
                summary = page[page.index('<caption>As the call itself summed up'):]
                self.assertIn(f'<th scope="row">{word}</th><td>{cell}</td>', summary)
        return found

    def test_one_definition(self):
        """Over a link that loses 3 % and holds some packets for long."""
        link, report = self.directory / 'link', self.directory / 'report'
        link.write_text('0 both rate 1M delay 20\n1 fwd loss 3%\n4 fwd rate 300k\n5 fwd rate 1M\n')
        done = call('--link', str(link), '--duration', '9', '--report', str(report), page=True)
        found = self.shares(done, report)
        self.assertGreater(found['lost on the link'], 0.005)
        self.assertLess(found['lost on the link'], 0.15)
        self.assertLess(found['too late'], 0.5)

    def test_what_we_drop_is_no_loss(self):
        """An encoder that does not adapt, on a wide link, behind a controller that may not
        follow it: what falls falls in the mux, and links lose nothing."""
        report = self.directory / 'report'
        done = call('--link', 'constant:4M', '--video-bitrate', '1200k', '--max-bitrate', '500k',
                    '--duration', '7', '--report', str(report), page=True)
        found = self.shares(done, report)
        self.assertEqual(found['lost on the link'], 0)
        self.assertGreater(found['dropped before sending'], 0.2)

    def test_what_the_breaker_stops_is_no_loss(self):
        """All reports are lost, so it opens; the way there is clean."""
        link, report = self.directory / 'link', self.directory / 'report'
        link.write_text('0 both rate 4M delay 20\n2 rev loss 100%\n')
        done = call('--link', str(link), '--cc', 'none', '--start-bitrate', '400k', '--duration',
                    '24', '--report', str(report), *SMALL, page=True)
        self.assertEqual(done.returncode, 3, done.stderr)
        done.returncode = 0
        found = self.shares(done, report)
        self.assertEqual(found['lost on the link'], 0)
        self.assertGreater(found['dropped before sending'], 0.1)


class Scheduler(Case):
    def test_audio_first_at_half_the_needed_capacity(self):
        """An encoder that does not adapt, on a link of half what the call needs: what
        the mux lets out is about the same, and with sbpn2 it is what counts."""
        modes, ends, figures = ('sbpn2', 'fifo'), {}, {}

        def one(mode):
            ends[mode] = call('--scheduler', mode, '--link', 'constant:400k', '--video-bitrate',
                              '740k', '--start-bitrate', '300k', '--duration', '12', '--quiet',
                              '--report', str(self.directory / mode))

        threads = [threading.Thread(target=one, args=(mode,)) for mode in modes]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for mode in modes:
            self.good(ends[mode])
            info, samples, _ = self.report(self.directory / mode)
            self.assertEqual(info['profile']['scheduler'], mode)
            self.assertEqual(set(numbers(samples, 'encoder')), {740e3})
            figures[mode] = {name: entry['value'] for name, entry in info['summary'].items()}
            print(mode, *(f'{name} {figures[mode][name]:.3f};' for name in (
                'audio on time', 'video on time', 'mean wait of audio', 'received of capacity',
                'dropped as expired', 'dropped with their frame')))
        sbpn, fifo = (figures[mode] for mode in modes)
        self.assertGreaterEqual(sbpn['audio on time'], 0.98)
        self.assertGreater(sbpn['audio on time'], fifo['audio on time'])
        self.assertGreater(sbpn['dropped as expired'], 0)
        # What was dropped was counted there, and was loss to nobody.
        self.assertLess(sbpn['lost on the link'], 0.02)
        self.assertGreater(sbpn['dropped before sending'], 0.1)
        self.assertGreater(sbpn['received of capacity'], 0.6)

    def test_every_mode(self):
        for mode in ('sbpn1', 'sbpn3', 'weighted'):
            with self.subTest(mode):
                report = self.directory / mode
                self.good(call('--scheduler', mode, '--duration', '3', '--quiet', '--report',
                               str(report), *SMALL))
                info, samples, _ = self.report(report)
                self.assertEqual(info['profile']['scheduler'], mode)
                self.assertGreater(sum(numbers(samples, 'received')), 0)


class Breaker(Case):
    def test_congestion_stops_the_video(self):
        """A fixed rate of five times what the link carries from the third second on."""
        link, report = self.directory / 'link', self.directory / 'report'
        link.write_text('0 both rate 2M delay 50 queue 300ms\n3 fwd rate 200k\n')
        done = call('--link', str(link), '--cc', 'none', '--start-bitrate', '1M', '--duration',
                    '13', '--quiet', '--report', str(report))
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertNotRegex(done.stderr, 'CRITICAL|WARNING')
        self.assertRegex(done.stderr, r'^rtpcall: the circuit breaker stopped the video after '
                         r'[\d.]+ s: it sent \d+ kbit/s, more than 10 times the \d+ kbit/s that '
                         r'TCP would get on this path \([\d.]+ % lost, round trip \d+ ms\); try '
                         r'again in \d+ s at the earliest, with a lower --start-bitrate .*\n$')
        info = json.loads((report / 'call.json').read_text())
        self.assertEqual(info['summary']['stops by the breaker']['value'], 1)
        at = info['summary']['first stop after']['value']
        # 10 round trips (RFC 8083, 4.3) of at most 400 ms are 4 s; whole reports are counted,
        # and at most two of them, 1 to 2 s each, come on top.
        self.assertGreater(at, 3)
        self.assertLess(at, 3 + 4 + 4)
        told = [row for row in table(report / 'events.csv') if row['what'] == 'open: congestion']
        self.assertEqual(len(told), 1)
        self.assertIn(told[0]['detail'], done.stderr)
        samples = table(report / 'samples.csv')
        states = [row['breaker'] for row in samples]
        opened = samples[states.index('open')]
        self.assertNotIn('closed', states[states.index('open'):])
        self.assertGreater(float(opened['breaker-sent']), float(opened['breaker-limit']))
        self.assertAlmostEqual(float(opened['breaker-limit']) / float(opened['breaker-tcp']), 10,
                               delta=0.01)
        self.assertGreater(float(opened['breaker-loss']), 0.1)
        # The audio goes on.
        rest = numbers(samples[states.index('open') + 2:], 'sent')
        self.assertLess(max(rest), 100e3)
        self.assertGreater(min(rest), 10e3)

    def test_a_killed_receiver_stops_the_sender(self):
        """RFC 8083 4.1: three times 5 s after the last RTCP, and no more than it takes to
        notice."""
        port, report = free_port(), self.directory / 'report'
        relay = Relay(port)
        self.addCleanup(relay.close)
        with subprocess.Popen([RTPCALL, '--receive', str(port)], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True) as receiver, \
                subprocess.Popen([RTPCALL, '--send', f'127.0.0.1:{relay.port}', '--report',
                                  str(report), '--quiet', *SMALL], stdout=subprocess.DEVNULL,
                                 stderr=subprocess.PIPE, text=True) as sender:
            while len(relay.reports) < 4 and sender.poll() is None:
                time.sleep(0.05)
            receiver.kill()
            said = sender.stderr.readline()
            stopped = time.monotonic()
            said, _ = without_machine(said + sender.communicate(timeout=60)[1])
        self.assertEqual(sender.returncode, 3, said)
        self.assertRegex(said, '^rtpcall: the circuit breaker stopped all media after [0-9.]+ s: '
                         r'nothing has been heard of the receiver for 15 s \(no RTCP\); .*\n$')
        self.assertGreater(stopped - relay.reports[-1], 15)
        if self.was_punctual(self.report(report)[0]):
            # Feedback comes between the session's regular reports, 0.5 s apart or more.
            self.assertLess(relay.media[-1] - relay.reports[-1],
                            15 + 2 * max(0.5, *gaps(relay.reports)))
            self.assertGreater(relay.media[-1] - relay.reports[-1], 14.5)
        self.assertEqual(table(report / 'samples.csv')[-1]['breaker'], 'open')


class Machine(Case):
    FIELDS = {'fast-enough', 'line', 'warning', 'timer-lateness-p50', 'timer-lateness-p99',
              'timer-lateness-max', 'pictures', 'pictures-not-made', 'pictures-skipped',
              'cpu-of-one-core', 'cpu-of-the-machine', 'cores'}

    def judged(self, done, report):
        """What call.json says of it, which the terminal and the page say too."""
        self.good(done)
        machine = self.report(report)[0]['machine']
        self.assertEqual(set(machine), self.FIELDS)
        lines = re.findall('^machine +(.*)$', done.stdout, re.MULTILINE)
        self.assertEqual(lines, [machine['line']])
        self.assertEqual(machine['fast-enough'], machine['warning'] is None)
        self.assertEqual(done.machine, '' if machine['fast-enough']
                         else f'rtpcall: {machine["warning"]}\n')
        if (report / 'report.html').exists():
            page = html.unescape((report / 'report.html').read_text())
            self.assertIn(machine['line'], page)
            self.assertEqual(page.count('role="alert"'), 0 if machine['fast-enough'] else 1)
            self.assertIn((machine['warning'] or 'M')[1:], page)
        return machine

    def test_it_is_judged(self):
        report = self.directory / 'report'
        done = call('--duration', '4', '--report', str(report), *SMALL, page=True)
        machine = self.judged(done, report)
        self.assertRegex(machine['line'], r'^(fast enough|too slow): 99 % of the timers within '
                         r'[\d.]+ ms, half within [\d.]+ ms, all within [\d.]+ ms; \d+ of \d+ '
                         r'pictures not made; CPU [\d.]+ % of one core, [\d.]+ % of the machine$')
        self.assertLessEqual(machine['timer-lateness-p50'], machine['timer-lateness-p99'])
        self.assertLessEqual(machine['timer-lateness-p99'], machine['timer-lateness-max'])
        self.assertGreater(machine['pictures'], 40)
        self.assertGreater(machine['cpu-of-one-core'], 0)
        self.assertAlmostEqual(machine['cpu-of-one-core'] / machine['cores'],
                               machine['cpu-of-the-machine'], places=6)

    def test_a_busy_one_is_named(self):
        """All of it on one core that ten others want as well."""
        core, report = {min(os.sched_getaffinity(0))}, self.directory / 'report'
        busy = [subprocess.Popen([sys.executable, '-c', 'while True: pass'],
                                 preexec_fn=lambda: os.sched_setaffinity(0, core))
                for _ in range(10)]
        try:
            done = call('--duration', '6', '--resolution', '1280x720', '--fps', '60', '--report',
                        str(report), preexec_fn=lambda: os.sched_setaffinity(0, core))
        finally:
            for one in busy:
                one.kill()
                one.wait()
        machine = self.judged(done, report)
        print(machine['line'])
        self.assertFalse(machine['fast-enough'], machine)
        self.assertRegex(done.machine, '^rtpcall: the machine was too slow for this call, .*; end '
                         'other programs, or call again with a lower --resolution or --fps\n$')


class Refusals(Case):
    def test_values(self):
        for expected, *args in (
                ('there is no such file', '--input', '/nonexistent/film.mp4'),
                ('is a directory', '--input', str(self.directory)),
                ('--cc takes one of gcc, gcc-paper, rrtcc, fbra, cnadu, tfrc, nada, scream, none, rtpgccbwe, '
                 'screamtx, not "bbr"', '--cc', 'bbr'),
                ('--cc tfrc needs --feedback ccfb or twcc, not remb', '--cc', 'tfrc',
                 '--feedback', 'remb'),
                ('--profile is for --cc gcc', '--cc', 'tfrc', '--profile', 'paper'),
                ('--profile takes one of paper, plus, not "default"', '--cc', 'fbra',
                 '--profile', 'default'),
                ('--profile takes one of default, paper, not "plus"', '--profile', 'plus'),
                ('is for the end that sends', '--cc', 'fbra', '--profile', 'plus', '--receive',
                 '5004'),
                ('of --cc rtpgccbwe is for the end that sends', '--cc', 'rtpgccbwe', '--profile',
                 'kalman', '--receive', '5004'),
                ('--cc rtpgccbwe needs --feedback twcc, not remb', '--cc', 'rtpgccbwe',
                 '--feedback', 'remb'),
                ('--feedback takes one of', '--feedback', 'pigeon'),
                ('--breaker takes one of mathis, padhye, off', '--breaker=fuse'),
                ('for the end that sends', '--receive', '5004', '--breaker'),
                ('--scheduler takes one of fifo, sbpn1, sbpn2, sbpn3, weighted', '--scheduler',
                 'lifo'),
                ('for the end that sends', '--receive', '5004', '--scheduler', 'fifo'),
                ('for the end that sends, with --cc fbra or cnadu', '--fec-protection', '5'),
                ('--fec-protection takes 0 to 48', '--cc', 'fbra', '--fec-protection', '49'),
                ('--fec-interleave takes 1 to 16', '--cc', 'fbra', '--fec-interleave', '0'),
                ('--fec-interleave needs --fec-protection', '--cc', 'fbra', '--fec-interleave',
                 '3'),
                ('--video-bitrate takes a bitrate', '--video-bitrate', 'low'),
                ('--profile takes one of', '--profile', 'best'),
                ('--duration takes seconds', '--duration', 'soon'),
                ('--duration takes seconds', '--duration', '-1'),
                ('--max-bitrate takes a bitrate', '--max-bitrate', '2.5 MB'),
                ('is above --max-bitrate', '--min-bitrate', '2M', '--max-bitrate', '1M'),
                ('is not between', '--start-bitrate', '20k'),
                ('--resolution takes', '--resolution', '640'),
                ('--resolution takes', '--resolution', '641x480'),
                ('--fps takes', '--fps', '0'),
                ('--clock-skew needs two ends', '--clock-skew', '100'),
                ('--clock-skew takes -100000', '--clock-skew', '100001', '--receive', '5004'),
                ('--gop takes 0 to 100000 frames', '--gop', '-1'),
                ('--gop is for the end that sends', '--gop', '14', '--receive', '5004'),
                ('--jitterbuffer-latency takes', '--jitterbuffer-latency', '-5'),
                ('HOST:PORT', '--send', 'somewhere'),
                ('a port from', '--send', 'somewhere:0'),
                ('a port from', '--receive', '65535'),
                ('--probe-protection is for', '--cc', 'nada', '--probe-protection'),
                ('--probe-protection is for', '--receive', '5004', '--probe-protection'),
                ('exclude each other', '--send', 'a:1', '--receive', '1'),
                ('exclude each other', '--call', 'a:1', '--receive', '1'),
                ('HOST:PORT', '--call', 'somewhere'),
                ('--listen takes a port from', '--call', 'somewhere:5004', '--listen', 'x'),
                ('belongs to --call', '--listen', '5004'),
                ('leave it away with --call', '--call', 'somewhere:5004', '--csv'),
                ('--link needs both ends', '--receive', '5004', '--link', 'outage'),
                ('--stamp is for --send or --call', '--stamp'),
                ('--no-page is for --report', '--no-page'),
                ('--stamp is for', '--receive', '5004', '--stamp'),
                ('--reference is for --receive or --call', '--reference', 'test'),
                ('a film, or test', '--receive', '5004', '--reference', 'camera'),
                ('there is no such file', '--receive', '5004', '--reference', '/no/film.mp4'),
                ('belongs to no option', 'film.mp4'),
                ('Unknown option --loud', '--loud')):
            with self.subTest(' '.join(args)):
                self.refused(expected, *args)

    def test_report_that_cannot_be_made(self):
        self.refused('cannot be made', '--report', '/dev/null/report', status=1)

    def test_scenarios(self):
        link = self.directory / 'link'
        link.write_text('0 fwd rate 1M\n# so far so good\n3 fwd rate fast\n')
        self.refused(re.escape(f'{link}:3: '), '--link', str(link), status=1)
        self.refused('none of the built-in ones', '--link', 'nowhere', status=1)

    def test_film_that_is_none(self):
        film = self.directory / 'film.mp4'
        film.write_bytes(b'not a film at all\n' * 100)
        self.refused(f'{re.escape(str(film))} cannot be played: .', '--input', str(film),
                     status=1)

    def test_port_in_use(self):
        port = free_port()
        for taken in (port, port + 1):
            with self.subTest(taken - port), \
                    socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
                other.bind(('', taken))
                self.refused(f'UDP port {taken} is in use', '--receive', str(port), status=1)

    def test_missing_elements(self):
        nothing = {'GST_PLUGIN_SYSTEM_PATH_1_0': str(self.directory),
                   'GST_PLUGIN_SYSTEM_PATH': str(self.directory),
                   'GST_REGISTRY': str(self.directory / 'registry')}
        self.refused('install the Debian package gstreamer1.0-plugins-', env=nothing, status=1)
        ours = {'GST_PLUGIN_PATH_1_0': '', 'GST_PLUGIN_PATH': '',
                'GST_REGISTRY': str(self.directory / 'registry-2')}
        self.refused('of gst-rtpcc is missing', env=ours, status=1)


if __name__ == '__main__':
    # Machine loads it.
    atonce.main(4, alone=[Machine])
