#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What README.md and docs promise: links lead somewhere, files and elements that they name are
there, README keeps its limits, and the commands of figures print figures.

    tests/docs.py SOURCE-ROOT BUILD-ROOT"""
import datetime
import json
import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
BUILD = pathlib.Path(sys.argv.pop(1)).resolve()
README = ROOT / 'README.md'
PAGES = [README, *sorted((ROOT / 'docs').rglob('*.md'))]
# Issue 21.
LINES, WORDS, NUMBERS = 200, 16, 5
FIGURES = ('best-packet-next', 'campaigns', 'experiments', 'fbra', 'nada', 'rtpcall', 'scream', 'testbed')
# On these pages: of set-ups (an encoder, random loss, x of NADA), bounds, and the level of intervals.
SET = {'2500 kbit/s', '3 %', '3.2767 s', '2 %', '0.3 ms', '99 %', '0.2 %', '95 %'}
# Files that docs/controller.md tells its reader to make.
MADE = {'gst/core/aimd.c', 'tests/core/test-aimd.c', 'gst/core/aimd/aimd.c',
        'tests/core/aimd/test-aimd.c'}


def read(path):
    return path.read_text(encoding='utf-8')


def without_code(text):
    """Neither blocks nor what stands in backticks has links."""
    return re.sub(r'`[^`\n]*`', '', re.sub(r'^```.*?^```', '', text, flags=re.S | re.M))


def anchors(text):
    """The headings of a page as a link has them."""
    heads = re.findall(r'^#+ (.*)$', re.sub(r'^```.*?^```', '', text, flags=re.S | re.M), re.M)
    return {re.sub(r'[^\w\- ]', '', head.lower()).strip().replace(' ', '-') for head in heads}


def links(page):
    text = without_code(read(page))
    return re.findall(r'\]\(([^)\s]+)\)', text)


def sentences(text):
    """Those of paragraphs and lists: no code, tables, headings, comments or pictures."""
    text = re.sub(r'^```.*?^```|<!--.*?-->|!\[.*?\]\(.*?\)', '', text, flags=re.S | re.M)
    text = re.sub(r'\]\([^)]*\)', ']', text)
    text = re.sub(r'^(?:\||#).*$', '', text, flags=re.M)
    parts = re.split(r'(?<=[.!?:])\s+(?=\S)|\n\s*\n|\n(?=[*-] )', text)
    return [part for part in parts if len(part.split()) > 1]


def rows_printed(program, enough):
    """How many lines with figures it prints, read until there are enough."""
    rows = 0
    with subprocess.Popen([str(program), '--verbose', '--tap'], stdout=subprocess.PIPE,
                          text=True) as running:
        for line in running.stdout:
            rows += bool(re.match(r'# .*\d', line))
            if rows == enough:
                break
        running.kill()
    return rows


class Links(unittest.TestCase):
    def test_links_lead_somewhere(self):
        dead, checked = [], 0
        for page in PAGES:
            for link in links(page):
                if link.startswith('https://'):
                    continue
                checked += 1
                path, _, anchor = link.partition('#')
                target = (page.parent / path).resolve() if path else page
                if not target.exists():
                    dead.append(f'{page.relative_to(ROOT)}: {link}')
                elif anchor and anchor not in anchors(read(target)):
                    dead.append(f'{page.relative_to(ROOT)}: {link} (no such heading)')
        self.assertEqual(dead, [])
        self.assertGreater(checked, 100)

    # From README and the index on.
    def test_every_page_is_linked(self):
        seen, todo = set(), [README]
        while todo:
            page = todo.pop()
            seen.add(page)
            for link in links(page):
                target = (page.parent / link.partition('#')[0]).resolve()
                if target.suffix == '.md' and target in PAGES and target not in seen:
                    todo.append(target)
        self.assertEqual([str(p.relative_to(ROOT)) for p in PAGES if p not in seen], [])

    def test_no_bare_http(self):
        for page in PAGES:
            for link in links(page):
                self.assertFalse(link.startswith('http:'), f'{page.name}: {link}')

    def test_every_file_it_names_is_there(self):
        for page in PAGES:
            for name in re.findall(r'`((?:gst|tools|tests|pipelines)/[\w./-]+)`', read(page)):
                with self.subTest(page=page.name, name=name):
                    self.assertTrue(name in MADE or (ROOT / name.rstrip('.')).exists())


class Readme(unittest.TestCase):
    def test_lines(self):
        self.assertLessEqual(len(read(README).splitlines()), LINES)

    def test_sentences(self):
        found = sentences(read(README))
        self.assertGreater(len(found), 30)
        self.assertLessEqual(sum(len(s.split()) for s in found) / len(found), WORDS)

    def test_what_it_has(self):
        text = read(README)
        for part in ('tools/demo\n', 'tools/test\n', 'rtpccsink uri=', 'rtpccsrc uri=', '![',
                     'LGPL-2.1-or-later', '## Status and licence', 'docs/tutorial.md',
                     'docs/controller.md', 'docs/reference/index.md'):
            self.assertIn(part, text)

    def test_numbers_are_what_their_commands_print(self):
        rows = re.findall(r'^\| \d\S* .*\| `build/tools/rccsim', read(README), re.M)
        self.assertGreaterEqual(len(rows), NUMBERS)
        done = subprocess.run([sys.executable, str(ROOT / 'tools/results'), '--check', '--build',
                               str(BUILD)], capture_output=True, text=True, timeout=120,
                              check=False)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_every_element_is_named(self):
        done = subprocess.run(['gst-inspect-1.0', '--no-colors'], capture_output=True, text=True,
                              timeout=60, check=True)
        names = re.findall(r'^(?:rtpcc|linksim|psnr): +([a-z0-9]+):', done.stdout, re.MULTILINE)
        self.assertGreaterEqual(len(names), 16, done.stdout[-500:])
        for name in names:
            self.assertIn(f'`{name}`', read(README))
            self.assertTrue((ROOT / f'docs/reference/{name}.md').exists(), name)


class Campaigns(unittest.TestCase):
    # Each table has its command, which is there.
    def test_every_table_is_printed_by_a_command(self):
        found = 0
        for page in PAGES:
            text = read(page)
            blocks = re.findall(r'<!-- tools/campaigns: (?:[A-Z_]+=\S+ )*((?:build|tools|tests)/\S+)(.*?) -->\n(.*?)'
                                r'<!-- tools/campaigns: end -->', text, re.S)
            self.assertEqual(len(blocks), text.count('<!-- tools/campaigns: end -->'), page.name)
            found += len(blocks)
            for program, words, table in blocks:
                with self.subTest(program):
                    day = 'Newest run: ' if '--csv' in words else 'Printed on '
                    self.assertRegex(table, r'\A```text\n(.*\n)+```\n\n' + day + r'[\d-]{10}\.\n\n\Z')
                    if 'ns3' in program and not (BUILD / 'tools/rccns3/rccns3').exists():
                        continue        # built where ns-3 is
                    where = (BUILD / program.removeprefix('build/') if program.startswith('build/')
                             else ROOT / program)
                    self.assertTrue(where.exists())
        self.assertGreaterEqual(found, 10)

    def test_no_other_figures(self):
        """Pages of figures have no table but what a command wrote."""
        self.assertNotRegex(read(ROOT / 'docs/campaigns.md'), r'(?m)^\|')
        for page in (ROOT / 'docs/experiments.md', ROOT / 'docs/nada.md', ROOT / 'docs/scream.md'):
            figures = [line for line in re.findall(r'(?m)^\|.*', read(page))
                       if re.search(r'\| *(?:\d*\.\d+|\d+) */', line)]
            self.assertEqual(figures, [], page.name)

    def test_no_figure_in_prose(self):
        """A rate, share, delay or quality on a page of figures is printed by a command."""
        for page in FIGURES:
            text = re.sub(r'<!-- tools/campaigns.*?<!-- tools/campaigns: end -->', '',
                          read(ROOT / 'docs' / f'{page}.md'), flags=re.S)
            found = re.findall(r'\d+\.\d+ (?:%|dB|ms|s|kbit/s)(?!\w)|\b\d+ (?:%|dB|kbit/s)(?!\w)',
                               without_code(text))
            self.assertEqual([one for one in found if one not in SET], [], page)

    def test_pages_of_targets(self):
        pages = [page for page in PAGES if page.parent.name == 'reproduced']
        self.assertGreaterEqual(len(pages), 5)
        for page in pages:
            self.assertIn(f'<!-- tools/reproduce {page.stem} ', read(page))
            self.assertRegex(read(page), r'--tables docs/reproduced/ writes this page\. -->')


class Version(unittest.TestCase):
    def test_all_say_the_same(self):
        version = re.search(r"version: '([\d.]+)'", read(ROOT / 'meson.build'))[1]
        for page in (README, ROOT / 'docs/stability.md'):
            self.assertIn(f'This is version {version}.', read(page), page.name)
        changes = read(ROOT / 'CHANGELOG.md')
        self.assertEqual(re.search(r'^## \[([\d.]+)\]', changes, re.M)[1], version)
        package = read(ROOT / 'debian/changelog')
        self.assertTrue(package.startswith(f'gst-rtpcc ({version}-'))
        day = re.search(r'^ -- .*>  \w+, (\d+ \w+ \d+) ', package, re.M)[1]
        self.assertIn(f'## [{version}] - {datetime.datetime.strptime(day, "%d %b %Y").date()}\n',
                      changes)


class Examples(unittest.TestCase):
    # Without a host it is localhost, ::1 on most hosts, and udpsrc listens on 0.0.0.0.
    def test_every_udpsink_names_its_host(self):
        sinks = [sink for page in PAGES if 'reference' not in page.parts
                 for sink in re.findall(r'udpsink (\S+=\S+)', read(page))]
        self.assertGreaterEqual(len(sinks), 6)
        self.assertEqual(set(sinks), {'host=127.0.0.1'})

    # A figure's command prints figures.  Whether they hold is asserted where it is a test of its
    # own: here it ends when it has printed a table.
    def test_commands_of_figures(self):
        commands = {command for page in PAGES
                    for command in re.findall(r'`build/(tests/[\w/.-]+) --verbose`', read(page))}
        self.assertGreaterEqual(len(commands), 5)
        tests = json.loads(read(BUILD / 'meson-info/intro-tests.json'))
        tested = {str(pathlib.Path(test['cmd'][0]).relative_to(BUILD)) for test in tests
                  if pathlib.Path(test['cmd'][0]).is_relative_to(BUILD)}
        for command in sorted(commands):
            # built where ns-3 is
            if command.startswith('tests/ns3/') and not (BUILD / 'tools/rccns3/rccns3').exists():
                continue
            self.assertIn(command, tested, f'no test of its own runs {command}')
            self.assertEqual(rows_printed(BUILD / command, 8), 8, f'{command} prints no table')


if __name__ == '__main__':
    unittest.main(verbosity=2)
