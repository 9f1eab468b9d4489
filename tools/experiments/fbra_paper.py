# SPDX-License-Identifier: LGPL-2.1-or-later
"""What the FBRA paper and Singh's thesis print of Table 1, and the set-up that we read in them."""

OWDS = (50, 100, 240)
CONTROLLERS = {'fbra': 'FBRA', 'rrtcc': 'RRTCC'}
FPS = 30
HEADERS = 40    # bytes a packet below RTP that the paper's goodput is inferred to have

# goodput kbit/s, lost or late %, frames lost, each with its standard deviation
PAPER = {
    ('fbra', 50): (179.13, 2.26, 1.23, 0.28, 441.43, 82.37),
    ('fbra', 100): (172.83, 2.74, 1.72, 0.37, 562.83, 103.44),
    ('fbra', 240): (144.89, 8.35, 2.82, 0.89, 789.93, 223.55),
    ('rrtcc', 50): (181.8, 3.11, 4.27, 0.78, 1842, 25.4),
    ('rrtcc', 100): (172.48, 6.6, 3.09, 0.85, 740, 42.82),
    ('rrtcc', 240): (169.22, 5.68, 2.98, 0.55, 705.67, 41.33),
}
# FRCC % with its deviation (which the thesis alone has); the thesis': parity kbit/s, frames lost
# that parity protected
FRCC = {50: (92.6, 2.84), 100: (95.9, 1.95), 240: (90.1, 7.26)}
THESIS = {50: (17.51, 91), 100: (20.05, 131), 240: (16.22, 178)}
# parity of all bytes in figure 6, %, read off the same plots in the thesis
PARITY = {50: 2.80, 100: 2.50, 240: 2.46}

# Frames of equal size: "represent each frame as a packet of equal size", section 5.
EQUAL = ('--constant',)
PROVED = ('--set', 'fbra-parity-least=1')
FLUSH = ('--set', 'fbra-fec-flush=1')
# FBRA as the page has it: whose probes show parity before they pass.
FBRA = ('--controller', 'fbra', *EQUAL, *PROVED)


def table1(tools, owd, given, quick, seeds):
    # Late by a little: where frames are equal, seeds differ in nothing else.
    return [tools.rccsim(*given, '--late', 'exp:1ms', '--owd', owd, '--scenario', f'fbra:{owd}',
                         '-d', 120 if quick else 900, '--seed', seed) for seed in seeds]


def distinct(found):
    """Runs that are one and the same, whatever their seeds are, are one run."""
    return list({repr((r['flows'][0]['goodput'], r['flows'][0]['rates'])): r
                 for r in found}.values())


def headers(result):
    """kbit/s that so many bytes of headers are, of the packets that were of use."""
    fec, span = result['flows'][0]['fec'], result['duration']
    counted = span - 5 if span > 10 else span       # summary.c leaves out what is under way
    good = fec['media-packets'] * (1 - fec['loss-after-repair'] / 100)
    return good * HEADERS * 8 / counted / 1e3


def above_capacity(result):
    """Seconds in which what came, with headers, is above the capacity."""
    rates, count = result['flows'][0]['rates'], 0
    for phase in result['phases']:
        least = phase['capacity'] / 1e3 - FPS * HEADERS * 8 / 1e3
        count += sum(rate > least for rate in rates[round(phase['from']):round(phase['to'])])
    return count


def covered(result):
    """Per cent of probes that had parity."""
    fec = result['flows'][0]['fec']
    episodes = fec['probe-episodes']
    return 100 * fec['probe-episodes-with-parity'] / episodes if episodes else None
