# SPDX-License-Identifier: LGPL-2.1-or-later
"""The circuit breaker in a model of 21 cells, by load and by how long packets may wait there."""
from . import stats
from .breaker_lte import delays, share, slow, whole
from .breaker_trace import loss, triggered
from .target import Chart, Headline, Line, Note, Table, number
from .verdicts import above, evidence, untold, Verdict

NAME = 'breaker-cell'
TITLE = 'Circuit breaker in 21 cells, by the wait that the AQM allows: figures 4 and 11'
SOURCE = ('Sarker, Singh, Perkins: An Evaluation of RTP Circuit Breaker Performance on LTE '
          'Networks, figures 4 and 11; a second opinion beside breaker-lte')
ABOUT = ('rccell is a small model of our own, with the breaker, the RTP and the RTCP of the '
         'project.  3GPP case 1 (TR 25.814): seven sites of three sectors, wrapped around, 10 '
         'MHz, best server, 8 dB of shadowing, Rayleigh fading at two antennas at 3 km/h.  A '
         'cell disturbs the others for as much of the time as it sends.  Each ms is shared by '
         'proportional fairness at 3 dB from Shannon\u2019s bound; there are no errors and no '
         'handover, as a walker goes 25 m in a call.  Calls of 30 s and 1.5 Mbit/s begin as a '
         'Poisson process, RTCP each 5 s at random, the breaker of the draft of 2014.  The '
         'paper describes neither its AQM nor its loads; it says that high is almost five '
         'times and extreme almost ten times moderate, which is busy but not overloaded.  Here '
         'the AQM drops what has waited in the cell for 0.1, 0.2, 0.25 or 1 s.  Moderate is '
         'the load that uses half of the cells\u2019 time at 0.2 s without a breaker.  It was '
         'looked for before any breaker ran, on seeds that are not judged here.  The wait of '
         '0.2 s for the headline and the bounds (moderate at most 2 and 6 %, else those of the '
         'paper) were written down before, too.  Only calls that could last 30 s count.  A bound '
         'is judged by the shares of the seeds.')
RUNS = 3
PROGRAMS = ('rccell',)

MODERATE = 0.088                        # calls a second and cell
LESS = 0.71                             # of the loads: how much depends on them
FACTORS = {'moderate': 1, 'high': 5, 'extreme': 10}
LENGTHS = {'moderate': 100, 'high': 50, 'extreme': 40}         # s
WAITS = (0.1, 0.2, 0.25, 1)             # s
JUDGED = 0.2
MODELS = {'mathis': 'Mathis', 'padhye': 'Padhye'}
COLOURS = {'moderate': 'sent', 'high': 'target', 'extreme': 'over'}
BOUNDS = {('mathis', 'moderate'): (0, 2), ('mathis', 'high'): (40, 60),
          ('mathis', 'extreme'): (40, 60), ('padhye', 'moderate'): (0, 6),
          ('padhye', 'high'): (50, 70), ('padhye', 'extreme'): (50, 70)}


def plan(tools, n, quick):
    def run(model, load, wait, less, seed):
        length, call = (5, 2) if quick else (LENGTHS[load], 30)
        return tools.rccell(
            '--rate', f'{MODERATE * FACTORS[load] * less:g}', '--call', call, '-d', length,
            '--discard', wait, '--seed', seed, '--flow',
            'fixed=1.5M,audio=0,packet-size=1436,breaker-mode=draft2014,real-rtcp=1,'
            f'rtcp-interval=5,breaker={model}')
    cases = [('off', load, JUDGED, 1) for load in FACTORS]
    cases += [(model, load, wait, 1) for model in MODELS for load in FACTORS for wait in WAITS]
    cases += [(model, load, JUDGED, LESS) for model in MODELS for load in FACTORS]
    return {case: [run(*case, seed) for seed in range(1, n + 1)] for case in cases}


def by_seed(found):
    """Per cent of each seed's calls that the breaker stopped."""
    return [100 * stats.mean([triggered(flow) for flow in calls])
            for calls in (whole([result]) for result in found) if calls]


def text_of(found):
    hit, low, high = share(whole(found))
    return f'{number(hit, 0)} ({number(low, 0)} to {number(high, 0)})'


def paper_of(model, load):
    low, high = BOUNDS[model, load]
    return f'{low} to {high}' if load != 'moderate' else '0' if model == 'mathis' else 'above 0'


def table(results):
    rows = []
    for less in (1, LESS):
        for load in FACTORS:
            for wait in WAITS if less == 1 else (JUDGED,):
                found = [results[model, load, wait, less] for model in MODELS]
                rows.append((load if less == 1 else f'{load}, {less:g} of it', f'{wait:g}',
                             str(len(whole(found[0]))),
                             *(cell for model, some in zip(MODELS, found)
                               for cell in (text_of(some), paper_of(model, load)))))
    return Table('Sessions that the breaker stops, by load and by the wait', (
        'Load', 'Wait, s', 'Calls', 'Mathis, % (95 %)', 'paper', 'Padhye, % (95 %)', 'paper'),
        rows, leading=2)


def without(results):
    rows = []
    for load, factor in FACTORS.items():
        found = results['off', load, JUDGED, 1]
        calls = whole(found)
        rows.append((load, f'{MODERATE * factor:g}', str(len(calls)),
                     number(100 * stats.mean([r['utilisation'] for r in found]), 0),
                     number(slow(calls), 0), number(stats.mean(delays(calls, 'mean')), 0),
                     number(stats.mean(list(map(loss, calls))), 1)))
    return Table(f'Without a breaker, {JUDGED:g} s', (
        'Load', 'Calls a second and cell', 'Calls', 'Cells\u2019 time used, %',
        'p98 of frame delay above 200 ms, %', 'Mean delay, ms', 'Mean loss, %'), rows)


def chart(results):
    lines = []
    for load in FACTORS:
        for model, dash in (('mathis', ''), ('padhye', 'dashed')):
            lines.append(Line(f'{load}, {MODELS[model]}', list(range(len(WAITS))),
                              [share(whole(results[model, load, wait, 1]))[0] for wait in WAITS],
                              COLOURS[load], dash=dash, marker='o'))
    return Chart('cell-map', 'Sessions that the breaker stops', 'wait in the cell, s', '%',
                 tuple(lines), tuple((i, f'{wait:g}') for i, wait in enumerate(WAITS)), top=102)


def by_load(results, model):
    """[(times the moderate load, % that it stops)] at the judged wait, from least to most."""
    return sorted((factor * less, share(whole(results[model, load, JUDGED, less]))[0])
                  for load, factor in FACTORS.items() for less in (1, LESS))


def fitting(points, low, high):
    """From and to which load the share, by straight lines between @points, is from @low to @high;
    None beyond the points."""
    def reaches(level):
        for (a, below), (b, above_) in zip(points, points[1:]):
            if below < level <= above_:
                return a + (b - a) * (level - below) / (above_ - below)
        return None
    return reaches(low), reaches(high)


def load_chart(results):
    lines = []
    for model, colour in (('mathis', 'target'), ('padhye', 'over')):
        low, high = BOUNDS[model, 'high']
        points = by_load(results, model)
        lines.append(Line(MODELS[model], [x for x, _ in points], [y for _, y in points], colour,
                          marker='o'))
        lines += [Line(f'{MODELS[model]}, the paper at {factor} times', [factor] * 2,
                       [low, high], colour, dash='dotted', marker='x')
                  for factor in (FACTORS['high'], FACTORS['extreme'])]
    return Chart('cell-load', f'Sessions that the breaker stops, {JUDGED:g} s, by load',
                 'times the moderate load', '%', tuple(lines), top=102)


def would(results):
    """What would give the paper\u2019s shares, as far as the runs say."""
    ranges = [fitting(by_load(results, model), *BOUNDS[model, 'high']) for model in MODELS]
    firsts, lasts = zip(*ranges)
    words = 'no load that was run gives'
    if None not in firsts + lasts and max(firsts) < min(lasts):
        words = (f'loads from {number(max(firsts), 1)} to {number(min(lasts), 1)} times the '
                 'moderate one give')
    met = [f'{wait:g} s' for wait in WAITS if all(
        low <= share(whole(results[model, 'extreme', wait, 1]))[0] <= high
        for model, (low, high) in ((m, BOUNDS[m, 'extreme']) for m in MODELS))]
    return Note(
        'What would give the paper\u2019s figures: the paper has the same shares at almost five '
        'and at almost ten times its moderate load.  Here the share grows with the load.  At '
        f'{JUDGED:g} s {words} both models the shares that the paper has for high and for '
        'extreme.  ' + (f'At ten times a wait of {", ".join(met)} gives both.  ' if met else
                        'At ten times no wait of the map gives both, so another AQM is not enough.  '
                        'The step from high to extreme would have to be smaller, as where calls are '
                        'refused or given up.  The paper tells of neither.  ')
        + 'The loads and the bounds stay as they were fixed before the run.')


def judge(results, model, load):
    low, high = BOUNDS[model, load]
    found = results[model, load, JUDGED, 1]
    good, lacks = evidence(by_seed(found), low, high)
    said = f'{MODELS[model]}, {load} load, {JUDGED:g} s: {text_of(found)} %, bound {low} to {high}'
    return untold(said, lacks) if good is None else Verdict(
        f'{said}: {"reproduced" if good else "differs"}', good)


def differences(results, load, wait):
    """Padhye less Mathis, seed by seed."""
    return [b - a for a, b in zip(by_seed(results['mathis', load, wait, 1]),
                                  by_seed(results['padhye', load, wait, 1]))]


def verdicts(results):
    return [judge(results, model, load) for model in MODELS for load in FACTORS] + [
        above(f'{load.capitalize()} load, {wait:g} s: Padhye stops more than Mathis',
              differences(results, load, wait), 0, 1, 'points')
        for load in ('high', 'extreme') for wait in (0.1, JUDGED)]


def headline(results, model):
    """All loads at once."""
    goods = [judge(results, model, load).good for load in FACTORS]
    theirs = {'mathis': '0, 40 to 60, 40 to 60 %', 'padhye': 'above 0, 50 to 70, 50 to 70 %'}
    less = ', '.join(number(share(whole(results[model, load, JUDGED, LESS]))[0], 0)
                     for load in FACTORS)
    return Headline(
        'Circuit breaker on LTE', f'{MODELS[model]} stops, at moderate, high and extreme load, in '
        'a model of 21 cells', theirs[model],
        ', '.join(text_of(results[model, load, JUDGED, 1]) for load in FACTORS) + ' %',
        False if False in goods else None if None in goods else True,
        f'The AQM\u2019s wait ({JUDGED:g} s) and the loads are ours, fixed before the run, as the '
        f'paper tells neither.  With {100 * (1 - LESS):.0f} % less load: {less} %.')


def show(results):
    return [headline(results, 'mathis'), headline(results, 'padhye'), table(results),
            chart(results), load_chart(results), would(results), without(results),
            *verdicts(results),
            Note('Intervals of shares: Wilson\u2019s, as if calls were independent, which those of '
                 'one run are not quite.')]
