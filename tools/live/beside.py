# SPDX-License-Identifier: LGPL-2.1-or-later
"""Our controllers beside one long flow of the kernel's TCP: each TCP behind each queue.

The call and TCP begin together and share the link.  Encoder, film and repair are those of peers.
A TCP that the kernel lacks is left out, and said so.  The cases stood before the first run.
"""
from . import film, peers

CONTROLLERS = {name: text for name, text in peers.CONTROLLERS.items() if 'cc=gcc' in text}
TCPS = {'Reno': 'reno', 'Cubic': 'cubic', 'BBR': 'bbr'}
QUEUES = {'30 ms': 'queue 30ms', '100 ms': 'queue 100ms', '300 ms': 'queue 300ms',
          'CoDel': 'queue 300ms aqm codel'}
CASES = {f'2 Mbit/s, {queue}, beside one {tcp}': (QUEUES[queue], TCPS[tcp])
         for queue in QUEUES for tcp in TCPS}


def columns(case, rows):
    return peers.COLUMNS


def setups(controllers, duration, folder):
    """(case, controller, link, texts of calls, texts of TCP)"""
    for number, (case, (queue, tcp)) in enumerate(CASES.items()):
        link = folder / f'case-{number}'
        link.write_text(f'0 both delay 25\n0 fwd rate 2M {queue}\n', encoding='ascii')
        for controller in controllers:
            call = (f'{CONTROLLERS[controller]},{peers.PICTURE},input={film.small(folder)},'
                    f'name={controller}')
            yield case, controller, str(link), [call], [f'cc={tcp},name=TCP beside {controller}']
