#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What --json prints is what docs/json.md says: each field is there, and no other.

    tests/jsonfields.py SOURCE-ROOT BUILD-ROOT

in an environment that finds the plugins."""
import contextlib
import importlib.machinery
import importlib.util
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import types
import unittest

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
TOOLS = pathlib.Path(sys.argv.pop(1)).resolve() / 'tools'
sys.dont_write_bytecode = True
DOCS = (ROOT / 'docs' / 'json.md').read_text(encoding='utf-8')
UNITS = {'', 's', 'ms', 'bit/s', 'kbit/s', '0..1', '%', 'packets', 'frames', 'faults', 'pixels',
         '1/s', 'blocks', 'share', 'dB', 'ratio', 'inputs', 'calls', 'lines', 'bytes'}
# Together they have all that a run can have.
SIMULATIONS = (
    ['--breaker', '--reno', '1', '--nack', '10/100', '--set', 'note-groups=1'],
    ['--fixed', '--start-bitrate', '1500000', '--max-bitrate', '1500000', '--scenario',
     'constant:150k', '--breaker', '--duration', '30'],
    ['--controller', 'fbra', '--scenario', 'constant:500k'],
)
FORGED = '''# twcc              REMB     all          moved  85.3 %, after 2 s    inf %
# twcc              REMB     numbers      each 0.1 s: delivered 0.98
# breaker           RR       numbers      opens at 0 s (0 expected); while nobody reports at 15 s (without him at 16 s)
'''


def tables(chapter):
    """Of each table in it: (head, [cells of a row])."""
    text = re.search(rf'^## {re.escape(chapter)}\n(.*?)(?=^## |\Z)', DOCS, re.S | re.M)[1]
    for block in re.findall(r'(?:^\|.*\n)+', text, re.M):
        head, _, *rows = [[cell.strip().strip('`') for cell in line.strip('|\n').split('|')]
                          for line in block.splitlines()]
        yield head[0], [[row[0].strip(' `'), *row[1:]] for row in rows]


def documented(chapter, number=0):
    return {row[0] for row in list(tables(chapter))[number][1]}


def fields(value, path=''):
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from fields(inner, f'{path}.{name}' if path else name)
    elif isinstance(value, list):
        for inner in value:
            yield from fields(inner, path + '[]')
    else:
        yield path


def run(*command):
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=100,
                          check=False)


def load(name):
    """A tool, which has no suffix, as a module."""
    path = str(ROOT / 'tools' / name)
    loader = importlib.machinery.SourceFileLoader(name, path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


class Fields(unittest.TestCase):
    maxDiff = None

    def told(self, *command):
        done = run(*command)
        self.assertEqual((done.returncode, done.stderr), (0, ''))
        return json.loads(done.stdout, parse_constant=self.fail)

    def test_units(self):
        for chapter in re.findall(r'^## (.*)$', DOCS, re.M):
            for _, rows in tables(chapter):
                for name, unit, _ in rows:
                    for one in unit.split(', '):
                        self.assertIn(one, UNITS, name)
                names = [row[0] for row in rows]
                self.assertEqual(len(names), len(set(names)), chapter)

    def test_rccsim(self):
        found = set()
        for args in SIMULATIONS:
            found |= set(fields(self.told(TOOLS / 'rccsim', '--duration', '12', *args, '--json')))
        self.assertEqual(found, documented('rccsim and rccns3'))

    def test_rccns3(self):
        program = TOOLS / 'rccns3' / 'rccns3'
        if not program.exists():
            self.skipTest('rccns3 was not built (ns3, libns3-dev)')
        found = set(fields(self.told(program, '--scenario', 'constant:1M', '--duration', '12',
                                     '--tcp-short', '2', '--json')))
        more = documented('rccsim and rccns3', 1)
        self.assertLessEqual(more, found)
        self.assertLessEqual(found, documented('rccsim and rccns3') | more)

    def test_rccell(self):
        found = set(fields(self.told(TOOLS / 'rccell' / 'rccell', '--rate', '0.02', '--duration',
                                     '10', '--flow', 'breaker=mathis', '--json')))
        self.assertEqual(found, documented('rccell'))

    def rtpcall(self, *args):
        done = run(TOOLS / 'rtpcall', '--duration', '3', '--resolution', '320x240', '--fps', '15',
                   '--json', *args)
        if 'is not installed' in done.stderr or 'apt-get install' in done.stderr:
            self.skipTest(done.stderr.strip())
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout, parse_constant=self.fail)

    def test_rtpcall(self):
        with tempfile.TemporaryDirectory() as folder:
            told = self.rtpcall('--report', folder)
            kept = json.loads((pathlib.Path(folder) / 'call.json').read_text(encoding='utf-8'))
        self.assertEqual(told, kept)
        figures = dict(row[:2] for row in list(tables('rtpcall'))[1][1])
        self.assertEqual(figures, {name: one['unit'] for name, one in told['summary'].items()})
        told['summary'] = {'*': told['summary']['mean sent']}
        self.assertEqual(set(fields(told)), documented('rtpcall'))

    def test_rtpcall_has_one_output(self):
        done = run(TOOLS / 'rtpcall', '--json', '--csv')
        self.assertEqual((done.returncode, done.stdout), (2, ''))
        self.assertIn('leave one away', done.stderr)

    # In namespaces that last as long as their processes.
    def test_linktun(self):
        program = TOOLS / 'linktun' / 'linktun'
        if not program.exists():
            self.skipTest('linktun was not built (linux/if_tun.h)')
        with contextlib.ExitStack() as stack:
            ends = [stack.enter_context(subprocess.Popen(['unshare', '--net', 'cat'],
                                                         stdin=subprocess.PIPE))
                    for _ in range(2)]
            time.sleep(.3)
            done = run(program, '--duration', '.2', '--json', *(end.pid for end in ends))
            for end in ends:
                end.stdin.close()
        if done.returncode not in (0, 3):       # 3: it came late, on a busy machine
            self.skipTest(done.stderr.strip())
        self.assertTrue(done.stderr.startswith('ready\n'), done.stderr)
        told = json.loads(done.stdout, parse_constant=self.fail)
        self.assertEqual(set(fields(told)), documented('linktun'))
        self.assertAlmostEqual(told['duration'], .2, 1)

    def test_webrtccall(self):
        program = TOOLS / 'webrtccall'
        if not program.exists():
            self.skipTest('webrtccall was not built: libgstreamer-plugins-bad1.0-dev is missing')
        done = run(program, '--duration', '4', '--json')
        if 'no picture arrived' in done.stderr or 'no element' in done.stderr:
            self.skipTest(done.stderr.strip())
        self.assertEqual((done.returncode, done.stderr), (0, ''))
        told = json.loads(done.stdout, parse_constant=self.fail)
        self.assertEqual(set(fields(told)), documented('webrtccall'))
        self.assertGreater(told['frames'], 10)
        self.assertGreater(max(told['targets']), 0)

    # What is null in one section is known in another.
    def test_results(self):
        results = load('results')
        results.SEEDS, results.CONTROLLERS = (1,), (('gcc', 'ccfb'),)
        results.SCENARIOS = (('constant:1M', 'several', '--flows 2'),
                             ('constant:1M', 'beside TCP', '--reno 1'))
        results.PROFILES, results.FIVE = results.PROFILES[:1], results.FIVE[:1]
        told = json.loads(json.dumps(results.measure(TOOLS.parent), allow_nan=False))
        found = {re.sub(r'\.(mean|least|most)$', '.*', name) for name in fields(told)}
        found -= {'sections[].rows[].fairness', 'sections[].rows[].of-an-equal-share'}
        self.assertEqual(found, documented('tools/results'))
        self.assertIn('of an equal share', results.text_of(told['sections'][1]))

    def test_forgery(self):
        with tempfile.TemporaryDirectory() as folder:
            lines = pathlib.Path(folder) / 'lines'
            lines.write_text(FORGED, encoding='utf-8')
            told = self.told(sys.executable, ROOT / 'tools' / 'forgery', '--lines', lines, '--json',
                             pathlib.Path(folder) / 'page.md')
        self.assertEqual(set(fields(told)), documented('tools/forgery'))
        self.assertEqual(told['once'][0], {'call': 'twcc', 'message': 'REMB', 'knows': 'all',
                                           'moved': 85.3, 'after': None})
        self.assertEqual(told['breaker'][0]['silent-alone'], 16)

    def test_mutate(self):
        mutate = load('mutate')
        verdicts = iter(('killed', 'none', 'survived'))
        mutate.judge = lambda *_: (next(verdicts), 'some-test')
        faults = [mutate.Mutant(ROOT / 'gst' / 'core' / 'breaker' / 'breaker.c', line, 'x')
                  for line in (3, 4, 5)]
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            mutate.run(types.SimpleNamespace(faults=200, seed=7, jobs=1, json=True), None, faults,
                       {})
        told = json.loads(said.getvalue())
        self.assertEqual(set(fields(told)), documented('tools/mutate'))
        self.assertEqual([told[name] for name in ('seed', 'killed', 'survived', 'equivalent')],
                         [7, 1, 1, 0])
        self.assertEqual(told['faults'][1]['line'], 6)

    def test_fuzz_coverage(self):
        coverage = load('fuzz-coverage')
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            coverage.say(types.SimpleNamespace(room='wire', wire=5, life=2, json=True),
                         {'rtp.c': {1: 3, 2: 0, 3: 1}, 'nack.c': {7: 1}})
        told = json.loads(said.getvalue())
        self.assertEqual(set(fields(told)), documented('tools/fuzz-coverage'))
        self.assertEqual((told['lines'], told['reached']), (4, 3))
        self.assertEqual(told['files'][1], {'file': 'wire/rtp.c', 'lines': 3, 'reached': 2,
                                            'missing': [2]})

    def test_reproduce(self):
        if importlib.util.find_spec('matplotlib') is None:
            self.skipTest('matplotlib is absent (python3-matplotlib)')
        with tempfile.TemporaryDirectory() as folder:
            told = self.told(sys.executable, ROOT / 'tools' / 'reproduce', 'fbra-table1', '--quick',
                             '--runs', '1', '--quiet', '--json', '--programs', TOOLS, '--cache',
                             folder, '--output', folder + '/page.html')
            self.assertTrue(pathlib.Path(told['page']).exists())
        self.assertEqual(set(fields(told)), documented('tools/reproduce'))
        target, = told['targets']
        self.assertEqual(len(target['verdicts']), target['told'] + target['untold'])
        self.assertGreater(target['processor-seconds'], 0)

    def test_campaigns(self):
        campaigns = load('campaigns')
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / 'page.md'
            page.write_text('<!-- tools/campaigns: tools/none --here -->\n<!-- tools/campaigns: end '
                            '-->\n<!-- tools/campaigns: build/tools/rccsim --help -->\n'
                            '<!-- tools/campaigns: end -->\n', encoding='utf-8')
            campaigns.PAGES = [page]
            for words, code in (((), 1), (('rccsim',), 0), (('--list',), 0)):
                said = io.StringIO()
                sys.argv = ['campaigns', '--json', '--build', str(TOOLS.parent), *words]
                with contextlib.redirect_stdout(said), contextlib.redirect_stderr(io.StringIO()):
                    self.assertEqual(campaigns.main(), code)
                told = json.loads(said.getvalue())
                self.assertEqual(set(fields(told)), documented('tools/campaigns'))
                self.assertEqual([one['lines'] for one in told['tables']] == [None, None],
                                 '--list' in words)
            self.assertIn('Printed on', page.read_text(encoding='utf-8'))

    # A table of kept runs has the day of the runs, whenever it is printed.
    def test_day_of_kept_runs(self):
        campaigns = load('campaigns')
        with tempfile.TemporaryDirectory() as folder:
            campaigns.ROOT = pathlib.Path(folder)
            runs = campaigns.ROOT / 'runs.csv'
            runs.write_text('1\n', encoding='ascii')
            self.assertEqual(campaigns.newest('runs.csv'), time.strftime('%Y-%m-%d'))
            for words in (('init', '-q'), ('add', 'runs.csv'),
                          ('-c', 'user.name=x', '-c', 'user.email=x', 'commit', '-qm', 'runs')):
                subprocess.run(['git', *words], cwd=folder, check=True,
                               env=dict(os.environ, GIT_COMMITTER_DATE='2020-01-02T12:00:00Z'))
            self.assertIn('Newest run: 2020-01-02.',
                          campaigns.table('tools/testbed --csv runs.csv', ['1']))
            runs.write_text('2\n', encoding='ascii')
            self.assertEqual(campaigns.newest('runs.csv'), time.strftime('%Y-%m-%d'))

    def test_reference(self):
        done = run(sys.executable, ROOT / 'tools' / 'reference', '--check', '--no-calls', '--json',
                   '--build', TOOLS.parent)
        if done.returncode == 77:
            self.skipTest(done.stdout.strip())
        found = set(fields(json.loads(done.stdout)))
        self.assertEqual(found, documented('tools/reference') - {'wrong[]'}, done.stderr)

    # Where there is no repository each platform fails at once.
    def test_platforms(self):
        with tempfile.TemporaryDirectory() as folder:
            tool = pathlib.Path(folder) / 'tools' / 'platforms'
            tool.parent.mkdir()
            tool.write_bytes((ROOT / 'tools' / 'platforms').read_bytes())
            done = run('bash', tool, 'plugins', 'dist', '--json', '--root', folder + '/root')
        told = json.loads(done.stdout)
        self.assertEqual(set(fields(told)), documented('tools/platforms'))
        self.assertEqual((done.returncode, told['passed'], told['failed']), (1, 0, 2))
        self.assertEqual([one['name'] for one in told['platforms']], ['plugins', 'dist'])
        self.assertIn('plugins: failed', done.stderr)

    def test_tally(self):
        with tempfile.TemporaryDirectory() as folder:
            log = pathlib.Path(folder) / 'log.json'
            log.write_text(''.join(json.dumps({'name': f'of {result}', 'result': result}) + '\n'
                                   for result in ('OK', 'FAIL', 'SKIP')), encoding='utf-8')
            done = run(sys.executable, ROOT / 'tools' / 'tally.py', '--json', f'1:{log}')
        told = json.loads(done.stdout)
        self.assertEqual(set(fields(told)), documented('tools/tally.py'))
        self.assertEqual((done.returncode, told['passed'], told['skips']), (1, 1, ['of SKIP']))

    # tools/demo prints what rtpcall does, and tools/test what tools/tally.py does.
    def test_every_tool_has_it(self):
        kept = {'setup', 'site', 'report.py', 'demo', 'test'}
        for path in (ROOT / 'tools').iterdir():
            if path.is_file() and path.stat().st_mode & 0o100 and path.name not in kept:
                with self.subTest(path.name):
                    self.assertIn(f'\n## tools/{path.name}\n', DOCS)


if __name__ == '__main__':
    unittest.main(verbosity=2)
