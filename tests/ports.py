# SPDX-License-Identifier: LGPL-2.1-or-later
"""Free UDP ports for a test's calls."""
import contextlib
import random
import socket
import threading

given, lock = set(), threading.Lock()


def free_port(host=''):
    """An even one whose next is free as well.  Both are below those that the kernel gives to
    sockets without a port: the call's own would take them meanwhile.  None is given twice, as
    calls that begin at once have not yet bound theirs."""
    family = socket.AF_INET6 if ':' in host else socket.AF_INET
    while True:
        first = random.randrange(10000, 32000, 2)
        with lock:
            if first in given:
                continue
            given.add(first)
        with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as one, \
                socket.socket(family, socket.SOCK_DGRAM) as two:
            one.bind((host, first))
            two.bind((host, first + 1))
            return first
