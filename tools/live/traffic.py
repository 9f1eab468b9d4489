#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""TCP of the kernel, or UDP at a constant rate: a process of its own at each end.

  traffic.py serve PORT...                         until SIGTERM; then bytes by port, as JSON
  traffic.py send HOST PORT CC KIND COUNT SECONDS SEED
  traffic.py udp HOST PORT RATE SIZE SECONDS       both ways; RATE in bit/s and SIZE of IP packets

The last prints a line for each packet that came: when it was sent and when the kernel had it, ns.

KIND is long (a flow that always has something to send) or short: pages of 100 kB to 1.5 MB, each
over a connection of its own, with pauses of 10 s on average between them (section 5.3 of the FBRA
paper).
"""
import json
import os
import random
import selectors
import signal
import socket
import struct
import sys
import threading
import time

PAGE = 100e3, 1.5e6     # bytes, drawn evenly, and whole: of a part none can be sent
PAUSE = 10              # s, on average, exponential
BLOCK = bytes(16384)
STAMPS = 35             # SO_TIMESTAMPNS
HEADERS = 28            # of IPv4 and UDP
DRAINS = 2              # s


def serve(ports):
    counts = dict.fromkeys(ports, 0)
    done = []
    signal.signal(signal.SIGTERM, lambda *_: done.append(True))
    selector = selectors.DefaultSelector()
    for port in ports:
        server = socket.create_server(('', port), backlog=64)
        server.setblocking(False)
        selector.register(server, selectors.EVENT_READ, (port, True))
    print('ready', flush=True)
    while not done:
        for key, _ in selector.select(.1):
            port, listens = key.data
            if listens:
                connection = key.fileobj.accept()[0]
                connection.setblocking(False)
                selector.register(connection, selectors.EVENT_READ, (port, False))
                continue
            try:
                data = key.fileobj.recv(1 << 18)
            except BlockingIOError:
                continue
            except OSError:
                data = b''
            counts[port] += len(data)
            if not data:
                selector.unregister(key.fileobj)
                key.fileobj.close()
    print(json.dumps(counts))


def send(to, control, size, end):
    """So many bytes, or until it is time."""
    with socket.socket() as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, control.encode())
        connection.settimeout(1)
        connection.connect(to)
        while size > 0 and time.monotonic() < end:
            try:
                size -= connection.send(BLOCK[:int(min(size, len(BLOCK)))])
            except socket.timeout:
                pass


def generate(to, control, short, end, draw):
    while time.monotonic() < end:
        if short:
            time.sleep(min(draw.expovariate(1 / PAUSE), max(end - time.monotonic(), 0)))
        try:
            send(to, control, int(draw.uniform(*PAGE)) if short else float('inf'), end)
        except OSError:         # of a link that is full; one that is down is tried again
            time.sleep(.1)


def take(end, came):
    """All that has come."""
    while True:
        try:
            data, ancillary, _, _ = end.recvmsg(2048, 64)
        except OSError:         # nothing more, or a port that is not there yet
            return
        seconds, nanoseconds = struct.unpack('qq', ancillary[0][2][:16])
        came.append((struct.unpack('q', data[:8])[0], seconds * 10**9 + nanoseconds))


def udp(host, port, rate, size, seconds):
    """A packet each so often after the last that left: none comes early behind a late one."""
    came, gap = [], size * 8 / rate
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as end:
        end.setsockopt(socket.SOL_SOCKET, STAMPS, 1)
        end.setblocking(False)
        end.bind(('', port))
        print('ready', flush=True)
        begin = due = time.monotonic()
        selector = selectors.DefaultSelector()
        selector.register(end, selectors.EVENT_READ)
        while (now := time.monotonic()) < begin + seconds + DRAINS:
            if due <= now < begin + seconds:
                due = now + gap
                stamp = struct.pack('q', time.time_ns())
                try:
                    end.sendto(stamp + bytes(size - HEADERS - len(stamp)), (host, port))
                except OSError:
                    pass
            if selector.select(max(min(due, now + .1) - time.monotonic(), 0)):
                take(end, came)
    print('\n'.join(f'{sent} {there}' for sent, there in came))


def main():
    if sys.argv[1] == 'udp':
        host, *numbers = sys.argv[2:]
        port, rate, size = map(int, numbers[:3])
        udp(host, port, rate, size, float(numbers[3]))
        return
    if sys.argv[1] == 'serve':
        serve([int(port) for port in sys.argv[2:]])
        return
    host, port, control, kind, count, seconds, seed = sys.argv[2:]
    end = time.monotonic() + float(seconds)
    threads = [threading.Thread(daemon=True, target=generate, args=(
        (host, int(port)), control, kind == 'short', end, random.Random(f'{seed} {i}')))
        for i in range(int(count))]
    for thread in threads:
        thread.start()
    time.sleep(max(end - time.monotonic(), 0))
    sys.stdout.flush()
    os._exit(0)         # what still waits for the link would make it late


if __name__ == '__main__':
    main()
