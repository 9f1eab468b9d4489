# SPDX-License-Identifier: LGPL-2.1-or-later
"""address.py DEVICE ADDRESS: another IPv4 address for a device of this network namespace, in one
step, as where a telephone goes from one network to the next."""
import fcntl
import socket
import struct
import sys

SET_ADDRESS, SET_MASK = 0x8916, 0x891c          # SIOCSIFADDR, SIOCSIFNETMASK
MASK = '255.255.255.0'                          # linktun's


def request(device, address):
    """A struct ifreq with a sockaddr_in."""
    return struct.pack('16sHH4s16x', device.encode(), socket.AF_INET, 0,
                       socket.inet_aton(address))


def change(device, address):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, SET_ADDRESS, request(device, address))
        fcntl.ioctl(any_socket, SET_MASK, request(device, MASK))


if __name__ == '__main__':
    change(*sys.argv[1:])
