# SPDX-License-Identifier: LGPL-2.1-or-later
"""Our controllers beside somebody else's: the same encoder, film, link and receiver, one after the
other.

rtpgccbwe of gst-plugins-rs has two estimators; screamtx is SCReAM of its authors.  All begin with
rtpcall's start bitrate, have copies of what is lost (RTX) as their repair, and no audio.  The cases
stood before the first run.  There is no verdict: what is better depends on what somebody wants.
"""
from . import film

CONTROLLERS = {'rtpgccbwe kalman': 'cc=rtpgccbwe,profile=kalman',
               'rtpgccbwe linear': 'cc=rtpgccbwe,profile=linear-regression',
               'screamtx': 'cc=screamtx',
               'GCC REMB': 'cc=gcc,feedback=remb', 'GCC TWCC': 'cc=gcc,feedback=twcc',
               'GCC CCFB': 'cc=gcc,feedback=ccfb',
               'NADA CCFB': 'cc=nada,feedback=ccfb', 'SCReAM CCFB': 'cc=scream,feedback=ccfb'}
PICTURE = 'resolution=640x480,fps=30,audio=off,repair=rtx'
BASE = '0 both delay 25\n0 fwd queue 300ms\n'
# What the link does, TCP beside it, calls at a time, and more of each call.
CASES = {
    '2 Mbit/s, 0.7 from 1/3 to 2/3 of the time': ('0 fwd rate 2M\n{third} fwd rate 700k\n'
                                                  '{thirds} fwd rate 2M\n', None, 1, ''),
    '1 Mbit/s': ('0 fwd rate 1M\n', None, 1, ''),
    '1 Mbit/s, 1 % loss': ('0 fwd rate 1M loss 1%\n', None, 1, ''),
    '1 Mbit/s, 3 % loss': ('0 fwd rate 1M loss 3%\n', None, 1, ''),
    '1 Mbit/s, 5 % loss': ('0 fwd rate 1M loss 5%\n', None, 1, ''),
    '1 Mbit/s, jitter of 30 ms': ('0 fwd rate 1M jitter 30\n', None, 1, ''),
    '1 Mbit/s, round trip 600 ms': ('0 both delay 300\n0 fwd rate 1M\n', None, 1, ''),
    '2 Mbit/s beside one Cubic': ('0 fwd rate 2M\n', 'cc=cubic', 1, ''),
    '4 Mbit/s, four calls': ('0 fwd rate 4M\n', None, 4, ''),
    # No circuit breaker either, which would end it: what the controller does by itself.
    '1 Mbit/s, receiver killed at 1/3 of the time': ('0 fwd rate 1M\n', None, 1,
                                                     ',killed={third},breaker=off'),
}
COLUMNS = (('kbit/s', 'rate', 1, '.0f'), ('share %', 'share', 100, '.1f'),
           ('lost %', 'loss', 100, '.2f'), ('delay ms', 'delay', 1, '.0f'),
           ('95 %', 'delay-p95', 1, '.0f'), ('wait ms', 'wait', 1, '.0f'),
           ('PSNR dB', 'psnr', 1, '.1f'), ('frozen %', 'frozen', 100, '.1f'),
           ('longest s', 'freeze', 1, '.2f'))
# Where the link changes: each third by itself.
STEPS = (COLUMNS[0], *((f'{third} third', f'rate-{number}', 1, '.0f')
                       for number, third in enumerate(('1st', '2nd', '3rd'), 1)), *COLUMNS[2:])
# Behind the kill, from 2/3 of the time on.
KILLED = ('kbit/s', 'rate', 1, '.0f'), ('sent to nobody', 'after', 1, '.0f')


def columns(case, rows):
    """Runs of before thirds were measured have none."""
    if 'killed' in case:
        return KILLED
    return STEPS if 'from 1/3' in case and any(row.get('rate-1') for row in rows) else COLUMNS


def setups(controllers, duration, folder):
    """(case, controller, link, texts of calls, texts of TCP), all cases of a controller together: so
    runs at a time are hardly ever all of the case with the most calls."""
    times = {'third': f'{duration / 3:g}', 'thirds': f'{duration * 2 / 3:g}'}
    links = [folder / f'case-{number}' for number in range(len(CASES))]
    for link, (text, *_) in zip(links, CASES.values()):
        link.write_text(BASE + text.format(**times), encoding='ascii')
    for controller in controllers:
        for link, (case, (_, tcp, count, more)) in zip(links, CASES.items()):
            call = (f'{CONTROLLERS[controller]},{PICTURE},input={film.small(folder)},count={count},'
                    f'name={controller}{more.format(**times)}')
            yield (case, controller, str(link), [call],
                   [f'{tcp},name=TCP beside {controller}'] if tcp else [])
