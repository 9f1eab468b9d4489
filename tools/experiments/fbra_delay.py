# SPDX-License-Identifier: LGPL-2.1-or-later
"""The delay of RRTCC's packets beside another and beside TCP: figure 10 of the FBRA paper."""
from . import stats
from .target import Chart, Line, Note, Table, mean, number, reach
from .verdicts import above

NAME = 'fbra-delay'
TITLE = 'FBRA, figure 10: the delay of RRTCC and of FBRA at 100 ms'
SOURCE = ('Nagy, Singh, Ott, Eggert: Congestion Control using FEC for Conversational '
          'Multimedia Communication (MMSys 2014), figure 10')
ABOUT = ('120 s on a link of 1 Mbit/s and 100 ms each way: two flows, and one flow beside short '
         'TCP.  The paper had Chrome and Dummynet and says that RRTCC\u2019s delay rarely goes '
         'below 400 ms, with spikes of 3 s, and that FBRA\u2019s never exceeds 400.  It does not '
         'say how long the queue was: Dummynet has 50 packets unless told, and then there cannot be spikes of '
         '3 s.  Here 50 packets and 250, which are 3 s of full ones.  Ten TCP flows fetch pages of '
         '30 to 50 kB, 1 s idle on average.  Drawn are shares of packets and not times.')
RUNS = 10
PROGRAMS = ('rccns3',)

QUEUES = (50, 250)                      # packets
FLOWS = {'rrtcc': ('RRTCC', 'cc=rrtcc'), 'fbra': ('FBRA', 'cc=fbra,fbra-parity-least=1')}
SCENES = {'two': 'two flows', 'tcp': 'beside ten short TCP flows'}
USEFUL, RARELY = 400, 90                # ms; % of packets that are above it
STEPS = 20                              # of the quantiles in summary.h


def plan(tools, n, quick):
    cases = {}
    for queue in QUEUES:
        scenario = tools.scenario(f'0 both delay 100\n0 fwd rate 1M queue {queue}\n')
        for who, (_, flow) in FLOWS.items():
            for scene in SCENES:
                flow_ = f'{flow},owd=100,max=2M,source=constant,count={2 if scene == "two" else 1}'
                tcp = ('--tcp-short', 10, '--tcp-short-on', 2, '--tcp-idle', 1)
                cases[queue, who, scene] = [
                    tools.rccns3('--scenario', scenario, '-d', 20 if quick else 120, '--seed',
                                 seed, '--flow', flow_, *(tcp if scene == 'tcp' else ()))
                    for seed in range(1, n + 1)]
    return cases


def quantiles(found):
    """Each quantile's mean over the flows and runs."""
    rows = [flow['delay']['quantiles'] for result in found for flow in result['flows']
            if flow['delay']['quantiles']]
    return [stats.mean(column) for column in zip(*rows)]


def share_above(flow, limit):
    """Per cent of the packets, to a twentieth, as quantiles have it."""
    values = flow['delay']['quantiles']
    return 100 * sum(value > limit for value in values[1:]) / STEPS if values else None


def figures(found):
    flows = [result['flows'] for result in found]
    return {
        'above': [stats.mean([share_above(f, USEFUL) for f in some]) for some in flows],
        'p95': [max(f['delay']['p95'] or 0 for f in some) for some in flows],
        'most': [max(f['delay']['quantiles'][-1:] or [0])
                 for some in flows for f in some],
        'goodput': [stats.mean([f['goodput'] for f in some]) / 1e3 for some in flows],
    }


def show(results):
    columns = {case: figures(found) for case, found in results.items()}
    rows, lines, out = [], {queue: [] for queue in QUEUES}, []
    for (queue, who, scene), ours in columns.items():
        rows.append((f'{queue} packets', FLOWS[who][0], SCENES[scene], mean(ours['above'], 0),
                     mean(ours['p95'], 0), number(max(ours['most']), 0), mean(ours['goodput'], 0)))
        lines[queue].append(Line(
            f'{FLOWS[who][0]}, {SCENES[scene]}', quantiles(results[queue, who, scene]),
            [100 * i / STEPS for i in range(STEPS + 1)], 'received' if who == 'rrtcc' else 'target',
            dash='' if scene == 'two' else 'dashed'))
    for (queue, who, scene), ours in columns.items():
        label = f'{queue} packets, {FLOWS[who][0]}, {SCENES[scene]}'
        out.append(above(f'{label}, packets later than {USEFUL} ms, the paper has nearly all',
                         ours['above'], RARELY, 0, '%') if who == 'rrtcc' else
                   reach(f'{label}, delay p95', ours['p95'], USEFUL, 0, 'ms', least=False))
    return [Table('Figure 10', ('Queue', 'Controller', 'Scenario', f'Later than {USEFUL} ms, %',
                                'Delay p95, ms', 'most, ms', 'Goodput, kbit/s'), rows, leading=3),
            *(Chart(f'fbra-10-{queue}', f'Figure 10: delay with a queue of {queue} packets',
                    'delay, ms', 'packets at most so late, %', tuple(lines[queue]), top=102)
              for queue in QUEUES), *out,
            Note('Quantiles are means over flows and runs.')]
