#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The two lines of a call, rtpccsink's and rtpccsrc's, as two processes with a link of
800 kbit/s between them; and what they say when something is wrong, or somebody forges RTCP.

    tests/calluri.py

in an environment that finds the plugins."""
import base64
import concurrent.futures
import functools
import importlib.util
import os
import random
import re
import socket
import struct
import subprocess
import sys
import threading
import time
import unittest

from ports import free_port
from udplink import LINK_BPS, Link, Stranger

SENDER = ('gst-launch-1.0 -v -m videotestsrc is-live=true horizontal-speed=3 '
          '! video/x-raw,width=640,height=480,framerate=25/1 '
          '! x264enc tune=zerolatency speed-preset=superfast ! rtph264pay '
          '! rtpccsink uri=rtp://{host}:{port}{query}{key}')
RECEIVER = ('gst-launch-1.0 -v rtpccsrc uri=rtp://{host}:{port}{query}{key} '
            '! decodebin ! fakesink')
DECODED = r'fakesink0.*caps = video/x-raw'
SECONDS = 20


def new_key():
    return ' key=' + base64.b64encode(os.urandom(30)).decode()


class Forger(Link):
    """A link that, from the tenth second on, adds a REMB of 64 kbit/s in the receiver's name
    behind each of its RTCP messages.  It knows all SSRCs: even SRTP and SRTCP show them."""
    spy = None                          # the link of RTP

    def __init__(self, *where):
        super().__init__(*where)
        self.since, self.forged = time.monotonic() + SECONDS / 2, 0

    def back(self, data):
        receiver, = struct.unpack('>I', data[4:8])
        if time.monotonic() < self.since:
            return [data]
        self.forged += 1
        media, = struct.unpack('>I', self.spy.last[8:12])
        report = struct.pack('>BBHI', 0x80, 201, 1, receiver)
        # 64 kbit/s: exponent 0, mantissa 64000 (draft-alvestrand-rmcat-remb-03)
        remb = struct.pack('>BBHII4sII', 0x8f, 206, 5, receiver, 0, b'REMB',
                           1 << 24 | 64000, media)
        return [data, report + remb]


class Lossy(Link):
    """Loses 3 % of the media, at random, and counts what is sent again."""

    def __init__(self, *where):
        super().__init__(*where)
        self.random, self.lost, self.copies = random.Random(7), 0, 0

    def passes(self, data):
        copy = data[1] & 0x7f >= 112
        self.copies += copy
        lost = not copy and self.random.random() < 0.03
        self.lost += lost
        return not lost


# Prints the jitterbuffer's statistics at the end.
COUNTING = '''
import signal, sys, gi
gi.require_version('Gst', '1.0')
from gi.repository import GLib, Gst
Gst.init(None)
pipeline = Gst.parse_launch(sys.argv[1])
loop = GLib.MainLoop()
GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, signal.SIGINT, loop.quit)
pipeline.set_state(Gst.State.PLAYING)
loop.run()
found = pipeline.iterate_recurse()
while True:
    more, element = found.next()
    if more != Gst.IteratorResult.OK:
        break
    if element.get_factory().get_name() == 'rtpjitterbuffer':
        print(element.get_property('stats').to_string())
pipeline.set_state(Gst.State.NULL)
'''


# An end prints 500 kB. Of that a message has the lines that say what went wrong, and the last.
BAD = re.compile('CRITICAL|WARNING|ERROR|GstRtpCircuitBreaker,')


def gist(out):
    """Of what a program printed."""
    lines = [line[:300] for line in out.splitlines()]
    return '\n'.join([line for line in lines if BAD.search(line)][:20] + ['...'] + lines[-5:])


def start(line):
    return subprocess.Popen(line if isinstance(line, list) else line.split(),
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


# What a stranger makes a receiver say.
WARNED = re.compile('WARNING: .*( as well as from | more than 16 SSRCs ).*')


class Call(unittest.TestCase):
    def call(self, host='127.0.0.1', query='', key='', rtp_link=Link, rtcp_link=Link):
        family = socket.AF_INET6 if ':' in host else socket.AF_INET
        port = free_port(host)
        way = free_port(host)
        links = [kind(family, host, way + i, port + i)
                 for i, kind in enumerate((rtp_link, rtcp_link))]
        links[1].spy = links[0]
        for each in links:
            each.start()
        host = f'[{host}]' if ':' in host else host
        receiver = start(RECEIVER.format(host=host, port=port, query=query, key=key))
        sender = start(SENDER.format(host=host, port=way, query=query, key=key))
        for program in (sender, receiver):
            self.addCleanup(program.kill)       # what has failed leaves nobody behind
        outs = {}
        readers = [threading.Thread(target=lambda k=k, p=p: outs.update({k: p.stdout.read()}))
                   for k, p in (('sender', sender), ('receiver', receiver))]
        for reader in readers:
            reader.start()
        time.sleep(SECONDS)
        with open(f'/proc/{receiver.pid}/status', encoding='utf-8') as status:
            self.assertLess(int(re.search(r'Threads:\s*(\d+)', status.read())[1]), 100)
        for program in (sender, receiver):
            program.send_signal(2)
        for reader in readers:
            reader.join(20)
        gists = '\n'.join(f'{name} said:\n{gist(out)}' for name, out in outs.items())
        self.assertEqual((sender.wait(20), receiver.wait(20)), (0, 0), gists)
        for program in (sender, receiver):
            program.stdout.close()
        for each in links:
            each.end()
        for out in outs.values():
            if isinstance(links[1], Stranger):
                out = WARNED.sub('', out)
            self.assertFalse(re.search('CRITICAL|WARNING|ERROR', out), gists)
        if rtcp_link is Forger:
            self.assertGreater(links[1].forged, 5)
        # decoded
        self.assertTrue(re.search(DECODED, outs['receiver']), gists)
        return [int(bps) for bps in re.findall(r'adapter0: encoder-bitrate = (\d+)',
                                               outs['sender'])], outs['sender'], links[0].punctual()

    def follows(self, rates, out, punctual):
        # It starts at 300 and is not told of the link.
        print('encoder, kbit/s:', [bps // 1000 for bps in rates[-10:]],
              '' if punctual else '(the machine was late)')
        self.assertTrue('GstRtpCcBin,' in out, gist(out))
        last = rates[len(rates) // 2:]
        # A late link is another link, but no reason to stop.
        least, most = (0.6, 1.05) if punctual else (0.25, 1.6)
        self.assertGreater(sum(last) / len(last), least * LINK_BPS, gist(out))
        self.assertLess(sum(last) / len(last), most * LINK_BPS, gist(out))

    # On two ports, on one, and by IPv6.
    def test_calls(self):
        calls = [{}, {'query': '?rtcp-mux=true'}] + [{'host': '::1'}] * socket.has_ipv6
        for result in self.at_once(*calls):
            self.follows(*result)

    def at_once(self, *calls):
        """Their results: what each encoder was told, in bit/s, and all that its end said."""
        with concurrent.futures.ThreadPoolExecutor() as pool:
            return list(pool.map(lambda keys: self.call(**keys), calls))

    # What can be forged without a key, and what with one.
    def test_forged(self):
        (bare, *_), encrypted, one_port = self.at_once(
            {'rtcp_link': Forger}, {'rtcp_link': Forger, 'key': new_key()},
            {'key': new_key(), 'query': '?rtcp-mux=true'})
        print('forged, no key, kbit/s:', [bps // 1000 for bps in bare[-10:]])
        self.assertLess(bare[-1], 100e3)
        self.follows(*encrypted)
        self.follows(*one_port)
        self.assertGreater(encrypted[0][-1], (0.6 if encrypted[2] else 0.25) * LINK_BPS)

    def test_a_stranger_and_another_address(self):
        link = functools.partial(Stranger, seconds=SECONDS)
        links = {'rtp_link': link, 'rtcp_link': link}
        mux = {'query': '?rtcp-mux=true', **links}
        for result in self.at_once(links, mux, {'key': new_key(), **links},
                                   {'key': new_key(), **mux}):
            self.follows(*result)

    def lossy_call(self, query):
        """(lost, sent again, the jitterbuffer's packets that did not come in time, whether the
        machine was on time)"""
        port, way = (free_port() for _ in range(2))
        links = [kind(socket.AF_INET, '127.0.0.1', way + i, port + i)
                 for i, kind in enumerate((Lossy, Link))]
        for each in links:
            each.start()
        receiver = RECEIVER.format(host='127.0.0.1', port=port, query=query, key='')
        ends = [start([sys.executable, '-c', COUNTING, receiver.replace('gst-launch-1.0 -v ', '')]),
                start(SENDER.format(host='127.0.0.1', port=way, query=query, key=''))]
        time.sleep(SECONDS)
        for end in reversed(ends):
            end.send_signal(2)
            time.sleep(1)
        outs = [end.communicate(timeout=20)[0] for end in ends]
        for each in links:
            each.end()
        self.assertFalse(re.search('CRITICAL|ERROR', outs[0] + outs[1]), gist(outs[0] + outs[1]))
        lost = sum(map(int, re.findall(r'num-lost=\(guint64\)(\d+)', outs[0])))
        return links[0].lost, links[0].copies, lost, links[0].punctual()

    @unittest.skipUnless(importlib.util.find_spec('gi'), 'python3-gi is absent')
    def test_lost_packets_are_sent_again(self):
        with concurrent.futures.ThreadPoolExecutor() as pool:
            cases = list(pool.map(self.lossy_call, ('', '?do-retransmission=false')))
        (lost, again, missing, punctual), (bare_lost, bare_again, bare_missing, _) = cases
        print('lost, sent again, missing, on time:', cases)
        self.assertGreater(lost, 10)
        self.assertGreaterEqual(again, (0.8 if punctual else 0.6) * lost)
        self.assertLess(again, 2 * lost)
        # on a late machine more copies come too late
        self.assertLess(missing, (0.1 if punctual else 0.5) * lost)
        self.assertEqual(bare_again, 0)
        self.assertGreater(bare_missing, 0.8 * bare_lost)


class Words(unittest.TestCase):
    def says(self, line, pattern):
        done = subprocess.run(line.split(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, timeout=30)
        self.assertNotEqual(done.returncode, 0)
        self.assertTrue(re.search(pattern, done.stdout), f'not {pattern}: {gist(done.stdout)}')

    def test_bad_port(self):
        for port in ('99999', 'x', '0', ''):
            self.says(f'gst-launch-1.0 rtpccsrc uri=rtp://127.0.0.1:{port} ! fakesink',
                      r'is bad or missing: write one from 1 to 65534|is no address: write rtp')

    def test_port_in_use(self):
        port = free_port()
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
            other.bind(('127.0.0.1', port))
            self.says(f'gst-launch-1.0 rtpccsrc uri=rtp://127.0.0.1:{port} ! fakesink',
                      rf'Port {port} of 127.0.0.1 cannot be had .*take another port')

    def test_unknown_host(self):
        self.says('gst-launch-1.0 videotestsrc ! x264enc ! rtph264pay '
                  '! rtpccsink uri=rtp://nobody.invalid:5004',
                  r'The host "nobody.invalid" is not known')

    def test_unknown_property(self):
        self.says('gst-launch-1.0 rtpccsrc uri=rtp://127.0.0.1:5004?nonsense=1 ! fakesink',
                  r'"nonsense" behind the \? of the URI is no property')

    def test_bad_key(self):
        for key in ('short', 'A' * 41, '!' * 40):
            self.says(f'gst-launch-1.0 rtpccsrc uri=rtp://127.0.0.1:5004 key={key} ! fakesink',
                      r'The key is not 30 bytes in base64')

    def test_key_in_the_uri(self):
        self.says('gst-launch-1.0 rtpccsrc uri=rtp://127.0.0.1:5004?key=x ! fakesink',
                  r'A key in the URI would be in every log')

    def other_key(self, sender, receiver, pattern):
        port = free_port()
        # Without a key, what is encrypted reaches the depayloader, which may give it up first.
        line = RECEIVER if receiver else RECEIVER.replace('decodebin ! ', '')
        ends = [start(line.format(host='127.0.0.1', port=port, query='', key=key))
                for line, key in ((line, receiver), (SENDER, sender))]
        # Six programs start at once, so it waits for the words; then for a second time of them.
        said, heard = [], threading.Event()

        def listen():
            for line in ends[0].stdout:
                said.append(line)
                if re.search(pattern, line):
                    heard.set()

        reader = threading.Thread(target=listen)
        reader.start()
        heard.wait(60)
        time.sleep(5)
        for end in ends:
            end.send_signal(2)
        outs = ['', ends[1].communicate(timeout=20)[0]]
        reader.join(20)
        ends[0].wait(20)
        ends[0].stdout.close()
        outs[0] = ''.join(said)
        self.assertEqual(len(re.findall(pattern, outs[0])), 1, gist(outs[0]))
        self.assertFalse(re.search(DECODED, outs[0]), gist(outs[0]))

    def test_other_keys(self):
        unreadable = 'Nothing that comes can be decrypted: set the same key at both ends'
        locked = 'RTCP comes that cannot be read: where the other end has a key, set the same'
        with concurrent.futures.ThreadPoolExecutor() as pool:
            list(pool.map(lambda case: self.other_key(*case), (
                (new_key(), new_key(), unreadable),
                ('', new_key(), unreadable),
                (new_key(), '', locked))))

    def test_lengths(self):
        self.assertLessEqual(len(RECEIVER.replace('gst-launch-1.0 -v ', '').split()), 6)
        line = SENDER[SENDER.index('! x264enc'):]
        self.assertLessEqual(len(line.split()), 12)


if __name__ == '__main__':
    unittest.main(verbosity=2)
