# SPDX-License-Identifier: LGPL-2.1-or-later
"""A link between two ports, for calls of two processes, and one where a stranger sends as well."""
import collections
import random
import select
import socket
import struct
import threading
import time

LINK_BPS, QUEUE_S = 800e3, 0.3


def has_goodbye(compound):
    """Whether one of its packets of RTCP is BYE; not of RTP."""
    while len(compound) >= 4 and 192 <= compound[1] <= 223:
        if compound[1] == 203:
            return True
        compound = compound[4 * (struct.unpack_from('>H', compound, 2)[0] + 1):]
    return False


class Link(threading.Thread):
    """Carries datagrams from a port to another at LINK_BPS, and back at once."""

    def __init__(self, family, host, port, to):
        super().__init__(daemon=True)
        self.near, self.far = (socket.socket(family, socket.SOCK_DGRAM) for _ in range(2))
        self.near.bind((host, port))
        self.to, self.sender = (host, to), None
        self.queue, self.busy_until = collections.deque(), 0
        self.done = False
        self.late = []                  # s, of each datagram

    def punctual(self):
        """Whether the machine lets the link, and so both ends, be on time."""
        return sorted(self.late)[int(len(self.late) * 0.99)] <= 0.01

    def take(self, now):
        data, self.sender = self.near.recvfrom(65536)
        self.last = data
        if self.passes(data) and self.busy_until < now + QUEUE_S:
            self.busy_until = max(self.busy_until, now) + (len(data) + 28) * 8 / LINK_BPS
            self.queue.append((self.busy_until, data))

    def passes(self, data):
        return True

    def tick(self, now):
        pass

    def back(self, data):
        return [data]

    def run(self):
        while not self.done:
            wait = self.queue[0][0] - time.monotonic() if self.queue else 0.01
            ready, _, _ = select.select([self.near, self.far], [], [], max(0, wait))
            now = time.monotonic()
            self.tick(now)
            if self.near in ready:
                self.take(now)
            if self.far in ready:
                try:
                    data = self.far.recv(65536)
                except ConnectionError:
                    continue
                for each in self.back(data) if self.sender else []:
                    self.near.sendto(each, self.sender)
            while self.queue and self.queue[0][0] <= now:
                self.late.append(now - self.queue[0][0])
                self.far.sendto(self.queue.popleft()[1], self.to)

    def end(self):
        self.done = True
        self.join()
        self.near.close()
        self.far.close()


class Forgetful(Link):
    """Loses the first goodbye (BYE) of RTCP."""

    forgot = False

    def passes(self, data):
        goes, self.forgot = self.forgot or not has_goodbye(data), self.forgot or has_goodbye(data)
        return goes


class Stranger(Link):
    """A link to whose end another host sends as well, from a quarter of the time on: each second
    100 reports of strangers, 48 kbit/s, 10 streams of them, two packets each, 10 old packets of the
    call, so that its SSRC has two addresses, and 10 goodbyes in its name.  At half the time the
    sender's own address changes, as behind a NAT."""

    def __init__(self, *where, seconds):
        super().__init__(*where)
        self.other = socket.socket(self.near.family, socket.SOCK_DGRAM)
        self.other.bind(('127.0.0.9', 0))
        self.seconds, self.forged = seconds, 0
        self.next = self.moves = float('inf')
        self.old = collections.deque(maxlen=100)        # packets, and so more than QUEUE_S

    def take(self, now):
        super().take(now)
        if not self.old:                # the call has begun, which a slow machine does late
            self.next, self.moves = now + self.seconds / 4, now + self.seconds / 2
        if not self.old or not self.is_rtcp():
            self.old.append(self.last)
        if now >= self.moves:
            self.moves = float('inf')
            self.far.close()
            self.far = socket.socket(self.near.family, socket.SOCK_DGRAM)

    def is_rtcp(self):
        return 200 <= self.last[1] <= 207

    def tick(self, now):
        if now < self.next or not self.old:
            return
        self.next, self.forged = now + 0.01, self.forged + 1
        ssrc = random.getrandbits(32)
        report = struct.pack('>BBHIBBHI6s6x', 0x80, 201, 1, ssrc, 0x81, 202, 4, ssrc, b'\1\4call')
        self.other.sendto(report, self.to)
        if self.forged % 10 == 5:
            ssrc, = struct.unpack('>I', self.last[4:8] if self.is_rtcp() else self.last[8:12])
            self.other.sendto(struct.pack('>BBHIBBHI', 0x80, 201, 1, ssrc, 0x81, 203, 1, ssrc),
                              self.to)
        if self.forged % 10 != 1 or 200 <= self.old[0][1] <= 207:
            return
        self.other.sendto(self.old[0], self.to)
        for seq in range(2):            # rtpsession's probation
            self.other.sendto(struct.pack('>BBHII4x', 0x80, 96, seq, 0, ssrc), self.to)

    def end(self):
        super().end()
        self.other.close()
