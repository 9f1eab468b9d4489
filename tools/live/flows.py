# SPDX-License-Identifier: LGPL-2.1-or-later
"""What is to run: calls and TCP, as they are written on the command line."""
import pathlib

CALLS = 5000            # the port of the first call; the next is 10 higher
TCPS = 7000
CONTROLS = '/proc/sys/net/ipv4/tcp_available_congestion_control'
# Options of rtpcall by the ends that take them.
BOTH = ('cc', 'feedback', 'repair', 'resolution', 'fps', 'jitterbuffer-latency')
SENDER = ('profile', 'breaker', 'scheduler', 'min-bitrate', 'start-bitrate', 'max-bitrate',
          'video-bitrate', 'fec-protection', 'fec-interleave', 'gop', 'clock-skew',
          'input')


class Wrong(Exception):
    """One sentence for who asked for it."""


def read_pairs(text, known, option):
    pairs = {}
    for pair in text.split(',') if text else ():
        name, equals, value = pair.partition('=')
        if not equals or name not in known:
            raise Wrong(f'{option} takes NAME=VALUE,... of {", ".join(known)}, not "{pair}"')
        pairs[name] = value
    return pairs


def read_number(pairs, name, default, option, least=0, kind=float):
    try:
        number = kind(pairs.get(name, default))
    except ValueError:
        number = least - 1
    if number < least:
        raise Wrong(f'{name} of {option} is a number of at least {least}, not "{pairs[name]}"')
    return number


def read_switch(pairs, name, default, option):
    value = pairs.pop(name, default)
    if value not in ('on', 'off'):
        raise Wrong(f'{name} of {option} is on or off, not "{value}"')
    return value == 'on'


class CallFlow:
    def __init__(self, text, option='--call'):
        pairs = read_pairs(text, ('name', 'start', 'count', 'audio', 'killed',
                                  'probe-protection', *BOTH, *SENDER), option)
        self.count = read_number(pairs, 'count', 1, option, 1, int)
        self.start = read_number(pairs, 'start', 0, option)
        # s after its start, when its receiver is killed; 0: never
        self.killed = read_number(pairs, 'killed', 0, option)
        self.name = pairs.get('name') or ' '.join(
            [pairs.get('cc', 'gcc')] + [pairs[k] for k in ('profile', 'feedback') if k in pairs])
        self.input = pairs.pop('input', 'test')
        if self.input == 'camera' or (self.input != 'test'
                                      and not pathlib.Path(self.input).is_file()):
            raise Wrong(f'input of {option} is a film or test, not "{self.input}"')
        self.silence = [] if read_switch(pairs, 'audio', 'on', option) else ['--no-audio']
        self.probes = (['--probe-protection']
                       if read_switch(pairs, 'probe-protection', 'off', option) else [])
        self.options = pairs

    def of(self, names):
        return self.silence + [f'--{name}={self.options[name]}' for name in names
                               if name in self.options]

    def receiver(self, port, duration):
        return ['--receive', str(port), '--duration', f'{duration:g}', '--reference', self.input,
                *self.of(BOTH)]

    def sender(self, host, port, duration):
        return ['--send', f'{host}:{port}', '--duration', f'{duration:g}', '--stamp', '--quiet',
                '--input', self.input, *self.probes, *self.of(BOTH + SENDER)]


class TcpFlow:
    def __init__(self, text, option='--tcp'):
        pairs = read_pairs(text, ('name', 'cc', 'kind', 'count', 'start'), option)
        self.control = pairs.get('cc', 'cubic')
        self.kind = pairs.get('kind', 'long')
        self.count = read_number(pairs, 'count', 1, option, 1, int)
        self.start = read_number(pairs, 'start', 0, option)
        self.name = pairs.get('name') or f'{self.count} {self.kind} TCP {self.control}'
        if self.kind not in ('long', 'short'):
            raise Wrong(f'kind of {option} is long or short, not "{self.kind}"')

    def why_not(self):
        """A sentence where the kernel lacks it."""
        with open(CONTROLS, encoding='ascii') as file:
            known = file.read().split()
        if self.control in known:
            return None
        return (f'the kernel has no TCP {self.control}, only {", ".join(known)}: '
                f'try modprobe tcp_{self.control}')


def every(calls, tcps):
    """[(port, flow)], each call on its own, the TCP of one option together."""
    single = [flow for flow in calls for _ in range(flow.count)]
    return ([(CALLS + 10 * i, flow) for i, flow in enumerate(single)]
            + [(TCPS + i, flow) for i, flow in enumerate(tcps)])
