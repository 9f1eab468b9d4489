# SPDX-License-Identifier: LGPL-2.1-or-later
"""Tables 4 and 5 of the FBRA paper (Nagy et al., MMSys'14, section 5.5): two calls, and a call
beside ten short TCP flows, on 1 Mbit/s.

As in the paper: the capacity, the delays, a queue of 50 packets (Dummynet's), VGA at 15 frames a
second, a key frame each 14 frames, video alone, TCP as of its section 5.3, and for FBRA parity as
the only repair.  Not as there: the film (its is `News' of xiph.org), and the paper does not say how
long a run is.  Its goodput is beside our video in RTP packets that came within 400 ms or were
repaired.
"""
from . import film

DELAYS = 50, 100        # ms, one way
RUNS = 10               # the paper's; with fewer there is no verdict
TCP_FLOWS = 10          # of its simulations; of its testbed the paper does not say
LINK = '0 both delay {} rate 1M queue 50\n'


def of_paper(goodput, loss=None, parity=None, lost=None, protected=None, ffre=None, frcc=None,
             psnr=None):
    """Each (mean, standard deviation) of 10 runs, as the paper prints it; shares in per cent."""
    figures = {'goodput': goodput, 'parity': parity, 'frames-lost': lost,
               'frames-protected': protected, 'psnr': psnr}
    figures |= {name: share and tuple(value / 100 for value in share)
                for name, share in (('loss', loss), ('ffre', ffre), ('frcc', frcc))}
    return {name: figure for name, figure in figures.items() if figure}


PAPER = {
    'table4': {
        50: [('call 1', of_paper((375.39, 88.25), (1.21, .19), (12.24, 1.64), (72.5, 7.8),
                                 (15.3, 3.44), (7.41, 9.76), (83.19, 2.55), (38.08, 2.1))),
             ('call 2', of_paper((348.77, 83.64), (1.39, .69), (11.78, 1.39), (80.1, 27.85),
                                 (14.6, 2.73), (2.2, 3.58), (83.39, 2.62), (37.7, 1.53)))],
        100: [('call 1', of_paper((295.33, 48.27), (3.15, .93), (10.7, .68), (174.6, 92.44),
                                  (3., 2.1), (0., 0.), (82.99, 2.16), (35.64, 1.17))),
              ('call 2', of_paper((351.1, 63.4), (2.33, .86), (11.69, 1.52), (133.8, 42.33),
                                  (4.1, 3.14), (1.54, 4.62), (84.69, 3.79), (37.32, 1.65)))]},
    'table5': {
        50: [('call', of_paper((302.24, 87.07), (4.24, .89), (13.6, 2.15), (154.6, 16.56),
                               (38., 6.08), (6.62, 4.01), (83.32, 2.7), (35.62, 1.49))),
             ('TCP', of_paper((612.22, 48.45)))],
        100: [('call', of_paper((280.97, 92.15), (4.1, .58), (12.58, 2.18), (170.9, 12.38),
                                (23.7, 8.99), (6.77, 5.8), (84.06, 2.81), (34.7, 2.26))),
              ('TCP', of_paper((575.11, 45.67)))]}}
CONTROLLERS = {'FBRA': 'cc=fbra,feedback=xr,repair=off',
               'FBRA+': 'cc=fbra,profile=plus,feedback=ccfb,repair=off',
               'RRTCC': 'cc=rrtcc', 'GCC': 'cc=gcc,feedback=ccfb',
               'GCC parity probes': 'cc=gcc,feedback=ccfb,probe-protection=on'}
PICTURE = 'resolution=640x480,fps=15,gop=14,audio=off'
COLUMNS = (('goodput kbit/s', 'goodput', 1, '.0f'), ('on the link', 'rate', 1, '.0f'),
           ('lost %', 'loss', 100, '.2f'), ('parity kbit/s', 'parity', 1, '.1f'),
           ('frames lost', 'frames-lost', 1, '.0f'), ('with parity', 'frames-protected', 1, '.0f'),
           ('FFRE %', 'ffre', 100, '.1f'), ('FRCC %', 'frcc', 100, '.1f'),
           ('PSNR dB', 'psnr', 1, '.1f'), ('frozen %', 'frozen', 100, '.1f'),
           ('freezes', 'freezes', 1, '.0f'), ('delay ms', 'delay', 1, '.0f'),
           ('95 %', 'delay-p95', 1, '.0f'), ('wait ms', 'wait', 1, '.0f'))


def setups(table, controllers, delays, folder, tcp_flows=TCP_FLOWS):
    """(controller, delay, link, texts of calls, texts of TCP), one after the other."""
    for delay in delays:
        link = folder / f'delay-{delay}'
        link.write_text(LINK.format(delay), encoding='ascii')
        for controller in controllers:
            call = f'{CONTROLLERS[controller]},{PICTURE},input={film.small(folder)}'
            names = [name for name, _ in PAPER[table][delay]]
            calls = [f'{call},name={controller} {name}' for name in names if name != 'TCP']
            tcps = [f'cc=cubic,kind=short,count={tcp_flows},name={controller} {name}'
                    for name in names if name == 'TCP']
            yield controller, delay, str(link), calls, tcps


def case(table, controller, delay, tcp_flows=TCP_FLOWS):
    """The name of a setup."""
    others = f', {tcp_flows} TCP' if table == 'table5' and tcp_flows != TCP_FLOWS else ''
    return f'{controller}, {delay} ms{others}'


def paper_rows(table, delay):
    return [{'name': f'paper {name}', **figures} for name, figures in PAPER[table][delay]]


def verdict(table, delay, rows, runs):
    """Of FBRA alone: each goodput and PSNR within two of the paper's standard deviations."""
    if runs < RUNS:
        return f'no verdict: n = {runs}, the paper has {RUNS}'
    said = []
    for row, (name, paper) in zip(rows, PAPER[table][delay]):
        for key in 'goodput', 'psnr':
            if key in paper and row.get(key):
                away = (row[key][0] - paper[key][0]) / paper[key][1]
                said.append(f'{name} {key} {"within" if abs(away) <= 2 else "not within"} 2 sd '
                            f'({away:+.1f})')
    return 'FBRA: ' + ', '.join(said)


def beside_fbra(controller, rows, fbra):
    """Whether another controller's PSNR is at least FBRA's, call by call; '' without either."""
    said = []
    for row, other in zip(rows, fbra):
        if row.get('psnr') and other.get('psnr'):
            more = row['psnr'][0] - other['psnr'][0]
            said.append(f'{row["name"].removeprefix(controller + " ")} '
                        f'{"yes" if more >= 0 else "no"} ({more:+.1f} dB)')
    return f'{controller}, PSNR at least FBRA\'s: {", ".join(said)}' if said else ''
