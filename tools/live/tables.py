# SPDX-License-Identifier: LGPL-2.1-or-later
"""Tables 4 and 5 of the FBRA paper (Nagy et al., MMSys'14, section 5.5): two calls, and a call
beside ten short TCP flows, on 1 Mbit/s.

As in the paper: the capacity, the delays, a queue of 50 packets (Dummynet's), VGA at 15 frames a
second, TCP as of its section 5.3.  Not as there: the film (its is `News' of xiph.org), the encoder
has no key frames but those that are asked for, and the paper does not say how long a run is.  Its
goodput is beside our rate of IP packets, headers and parity in it.
"""
import pathlib

DELAYS = 50, 100        # ms, one way
RUNS = 10               # the paper's; with fewer there is no verdict
LINK = '0 both delay {} rate 1M queue 50\n'
# (mean, standard deviation) of 10 runs
PAPER = {
    'table4': {
        50: [('call 1', {'rate': (375.39, 88.25), 'loss': (.0121, .0019), 'psnr': (38.08, 2.1)}),
             ('call 2', {'rate': (348.77, 83.64), 'loss': (.0139, .0069), 'psnr': (37.7, 1.53)})],
        100: [('call 1', {'rate': (295.33, 48.27), 'loss': (.0315, .0093), 'psnr': (35.64, 1.17)}),
              ('call 2', {'rate': (351.1, 63.4), 'loss': (.0233, .0086), 'psnr': (37.32, 1.65)})]},
    'table5': {
        50: [('call', {'rate': (302.24, 87.07), 'loss': (.0424, .0089), 'psnr': (35.62, 1.49)}),
             ('TCP', {'rate': (612.22, 48.45)})],
        100: [('call', {'rate': (280.97, 92.15), 'loss': (.041, .0058), 'psnr': (34.7, 2.26)}),
              ('TCP', {'rate': (575.11, 45.67)})]}}
CONTROLLERS = {'FBRA': 'cc=fbra,feedback=xr', 'FBRA+': 'cc=fbra,profile=plus,feedback=ccfb',
               'RRTCC': 'cc=rrtcc', 'GCC': 'cc=gcc,feedback=ccfb'}
PICTURE = 'resolution=640x480,fps=15'
# What rtpcall's demo plays; else its test picture.
FILM = '/usr/lib/python3/dist-packages/imageio/resources/images/cockatoo.mp4'


def film():
    return FILM if pathlib.Path(FILM).is_file() else 'test'


def setups(table, controllers, delays, folder):
    """(controller, delay, link, texts of calls, texts of TCP), one after the other."""
    for delay in delays:
        link = folder / f'delay-{delay}'
        link.write_text(LINK.format(delay), encoding='ascii')
        for controller in controllers:
            call = f'{CONTROLLERS[controller]},{PICTURE},input={film()}'
            names = [name for name, _ in PAPER[table][delay]]
            calls = [f'{call},name={controller} {name}' for name in names if name != 'TCP']
            tcps = [f'cc=cubic,kind=short,count=10,name={controller} {name}' for name in names
                    if name == 'TCP']
            yield controller, delay, str(link), calls, tcps


def paper_rows(table, delay):
    return [{'name': f'paper {name}', **figures} for name, figures in PAPER[table][delay]]


def verdict(table, delay, rows, runs):
    """Of FBRA alone: each rate and PSNR within two of the paper's standard deviations."""
    if runs < RUNS:
        return f'no verdict: n = {runs}, the paper has {RUNS}'
    said = []
    for row, (name, paper) in zip(rows, PAPER[table][delay]):
        for key in 'rate', 'psnr':
            if key in paper:
                away = (row[key][0] - paper[key][0]) / paper[key][1]
                said.append(f'{name} {key} {"within" if abs(away) <= 2 else "not within"} 2 sd '
                            f'({away:+.1f})')
    return 'FBRA: ' + ', '.join(said)
