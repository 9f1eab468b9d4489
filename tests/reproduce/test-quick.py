#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Every target of tools/reproduce, one seed and short runs, with the real programs.
Usage: test-quick.py SOURCE_ROOT RCCSIM.  Exits 77 without matplotlib or rccns3."""
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT, RCCSIM = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
sys.path[:0] = [str(ROOT / 'tools'), str(ROOT / 'tests')]
sys.dont_write_bytecode = True
try:
    import matplotlib  # noqa: F401
except ImportError:
    print('SKIP: reproduce: matplotlib is absent (python3-matplotlib)')
    sys.exit(77)
if not (RCCSIM.parent / 'rccns3' / 'rccns3').exists():
    print('SKIP: reproduce: rccns3 was not built (ns3, libns3-dev)')
    sys.exit(77)
from experiments import targets  # noqa: E402
from readpage import Page  # noqa: E402

EXACT = 1       # verdicts of an equation, which need no runs

with tempfile.TemporaryDirectory() as folder:
    output = pathlib.Path(folder) / 'page.html'
    done = subprocess.run(
        [sys.executable, str(ROOT / 'tools' / 'reproduce'), 'all', '--quick', '--runs', '1',
         '--programs', str(RCCSIM.parent), '--cache', folder + '/cache', '--output', str(output),
         '--data', folder + '/data'],
        capture_output=True, text=True, check=False)
    print(done.stdout, done.stderr)
    assert done.returncode == 0, done.returncode
    page = Page(output.read_text(encoding='utf-8'))
    assert not page.faults, page.faults
    for target in targets.ALL:
        there = target.NAME in page.ids
        assert there or (target.NAME == 'grouping' and not os.environ.get('RCC_TRACES')), target
        for name in ('runs', 'tables', 'figures', 'verdicts') if there else ():
            path = pathlib.Path(folder) / 'data' / target.NAME / f'{name}.csv'
            assert len(path.read_text(encoding='utf-8').splitlines()) > 1 or name == 'figures', path
        if not there:
            assert 'grouping is left out' in done.stderr
    # all are there, and what one short run says is no result
    kinds = page.classes('li')
    assert kinds.count('untold') >= 80, kinds.count('untold')
    assert kinds.count('good') + kinds.count('bad') <= EXACT, kinds
    assert page.classes('td').count('untold') >= 2       # headlines
    assert page.count('table') >= 20
