#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""tools/report.py as a command: what it writes and what it refuses.
Usage: test-report.py SOURCE_ROOT.  Exits 77 when matplotlib is absent."""
import contextlib
import io
import json
import math
import pathlib
import random
import re
import sys
import tempfile
import unittest
import urllib.request

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
sys.path[:0] = [str(ROOT / 'tools'), str(ROOT / 'tests' / 'report'), str(ROOT / 'tests')]
sys.dont_write_bytecode = True
try:
    import matplotlib  # noqa: F401
except ImportError:
    print('SKIP: report page: matplotlib is absent (python3-matplotlib)')
    sys.exit(77)
import calls  # noqa: E402
import report  # noqa: E402
from callreport import Refusal, charts, measure, page, read  # noqa: E402
from readpage import Page  # noqa: E402


class Report(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.place = pathlib.Path(holder.name)

    def command(self, *args):
        """Exit status and what it said on stderr; never a traceback."""
        argv, sys.argv = sys.argv, ['report.py', *map(str, args)]
        said = io.StringIO()
        try:
            with contextlib.redirect_stderr(said), contextlib.redirect_stdout(io.StringIO()):
                status = report.main()
        finally:
            sys.argv = argv
        return status, said.getvalue()

    def page(self, directory, *args):
        output = self.place / 'page.html'
        status, said = self.command(directory, '-o', output, *args)
        self.assertEqual((status, said), (0, ''))
        page = Page(output.read_text(encoding='utf-8'))
        self.assertEqual(page.faults, [])
        self.assertNotIn(None, [attrs.get('scope') for tag, attrs in page.tags if tag == 'th'],
                         'a table header without scope')
        for used in re.findall(r'(?:url\(|href=")#([^)"]+)', page.text):
            self.assertIn(used, page.ids)
        self.assertNotRegex(page.text, r'(?i)(https?:)?//[a-z0-9.-]+\.[a-z]{2,}|@import|url\((?!#)')
        return page

    def refused(self, directory, *parts):
        status, said = self.command(directory, '-o', self.place / 'page.html')
        self.assertEqual(status, 1)
        self.assertEqual(said.count('\n'), 1, said)
        for part in parts:
            self.assertIn(part, said)
        self.assertFalse((self.place / 'page.html').exists())


class Pages(Report):
    def test_a_whole_call(self):
        page = self.page(calls.write(self.place / 'call'))
        figures = [attrs['id'] for tag, attrs in page.tags if tag == 'figure']
        self.assertEqual(figures, ['rate', 'delay', 'loss', 'psnr', 'estimator'])
        self.assertEqual(page.count('svg', **{'class': 'wide'}), 5)
        self.assertEqual(page.count('svg', **{'class': 'narrow'}), 5)
        for tag, attrs in page.tags:
            if tag == 'svg':
                self.assertEqual(attrs['role'], 'img')
                for name in attrs['aria-labelledby'].split():
                    self.assertIn(name, page.ids)
        self.assertIn('1 freeze, the longest 0.80\u00a0s', page.words['p'])
        self.assertIn('36\u201348\u00a0s', page.words['th'])
        self.assertIn('1.04\u00a0Mbit/s', page.words['td'])
        self.assertIn('frame 1098 shown again', page.words['td'])
        self.assertIn('--link rfc8867-5.1-60s.link', page.words['code'])

    def test_the_machine(self):
        page = self.page(calls.write(self.place / 'fast'))
        self.assertIn('Machine: fast enough: 99 % of the timers within 0.6 ms.', page.words['p'])
        self.assertEqual(page.count('p', role='alert'), 0)
        page = self.page(calls.write(self.place / 'slow', machine={
            'line': 'too slow: 99 % within 43 ms', 'warning': 'the machine was <too> slow'}))
        self.assertIn('The machine was <too> slow.', page.words['p'])
        self.assertEqual(page.count('p', role='alert'), 1)
        two = self.page(self.place / 'slow', '--compare', self.place / 'fast')
        self.assertEqual(two.count('p', role='alert'), 1)
        self.assertIn('default (slow)', two.words['b'])
        for odd in ({}, {'line': 7, 'warning': ['x']}, {'line': None, 'warning': None}):
            page = self.page(calls.write(self.place / 'odd', machine=odd))
            self.assertNotIn('Machine:', page.words['p'])
        (self.place / 'page.html').unlink()
        self.refused(calls.write(self.place / 'bad', machine=[]), '"machine"', 'wrong type')

    def test_the_title_block(self):
        page = self.page(calls.write(self.place / 'call'))
        self.assertEqual(page.words['dt'], 'LinkFilmEncoderControllerGStreamerMachineMade with'
                         'DurationDateData')
        for said in ('x264enc (gst-plugins-ugly 1.26.2)', '2026-01-31 12:00:00+01:00', 'two cores'):
            self.assertIn(said, page.words['dd'])
        bare = self.page(calls.write(self.place / 'bare', about={}, started='2026-01-31T12:00:00.97Z'))
        self.assertIn('2026-01-31 12:00:00Z', bare.words['dd'])
        bare = self.page(calls.write(self.place / 'bare', about={'link': 'x < y'}, started=''))
        self.assertEqual(bare.words['dt'], 'LinkMade withDurationData')
        self.assertTrue(bare.words['dd'].startswith('x < y'))
        two = self.page(self.place / 'call', '--compare', self.place / 'bare')
        self.assertEqual(two.count('dl'), 2)
        self.assertIn('default (bare)', two.words['h2'])
        (self.place / 'page.html').unlink()
        self.refused(calls.write(self.place / 'bad', about={'link': 3}), '"link" of "about"')

    def test_its_data_is_in_the_page(self):
        call = calls.write(self.place / 'call', with_frames=False, events=[
            {'time': 1, 'source': '#?&%"', 'what': '<\u2713>', 'detail': 'a, b'}])
        page = self.page(call)
        found = {attrs['download']: attrs['href'] for tag, attrs in page.tags if tag == 'a'}
        self.assertEqual(list(found), ['samples.csv', 'events.csv', 'call.json'])
        for name, address in found.items():
            with urllib.request.urlopen(address) as stored:
                self.assertEqual(stored.read(), (call / name).read_bytes())
                self.assertEqual(stored.headers['content-type'].partition(';')[0],
                                 'application/json' if name == 'call.json' else 'text/csv')

    def folded(self, *rows, frames=True):
        """The charts of a page in order; those in brackets are folded."""
        made = [calls.write(pathlib.Path(tempfile.mkdtemp(dir=self.place)), rows=r, with_frames=frames,
                            profile={'name': f'call{i}'})
                for i, r in enumerate(rows)]
        page = self.page(made[0], *(['--compare', made[1]] if made[1:] else []))
        seen, inside = [], False
        for tag, attrs in page.tags:
            if tag == 'details':
                inside = attrs.get('class') == 'flat'
            elif tag == 'figure':
                seen.append(f'({attrs["id"]})' if inside else attrs['id'])
                inside = False
        return seen, page

    def test_what_is_flat_is_folded_and_comes_last(self):
        rows = calls.samples(10)
        seen, page = self.folded(rows)
        self.assertEqual(seen, ['rate', 'delay', 'psnr', 'estimator', '(loss)'])
        self.assertIn('lost on the link 0.0 %; dropped before sending 2.0 %', page.words['summary'])
        # A single bin with a loss is something to see.
        struck = [{**row, 'loss': 0.02 if i == 30 else 0.0} for i, row in enumerate(rows)]
        self.assertEqual(self.folded(struck)[0], ['rate', 'delay', 'loss', 'psnr', 'estimator'])
        # The rates are shown even if nothing moves; so are two runs that differ.
        still = [{'time': row['time'], 'target': 5e5, 'received': 5e5, 'owd': 50} for row in rows]
        other = [{**row, 'owd': 80} for row in still]
        self.assertEqual(self.folded(still, frames=False)[0], ['rate', '(delay)'])
        self.assertEqual(self.folded(still, other, frames=False)[0], ['rate', 'delay'])

    def test_the_circuit_breaker(self):
        call = calls.write(self.place / 'call', rows=calls.broken(calls.samples()))
        page = self.page(call)
        figures = [attrs['id'] for tag, attrs in page.tags if tag == 'figure']
        self.assertEqual(figures[5:], ['breaker', 'breaker-loss', 'breaker-rtt'])
        self.assertIn('The circuit breaker stopped the media after 44.0\u00a0s', page.words['p'])
        self.assertIn('opens above', page.words['li'])
        rates, loss, _ = charts.of([read.call(call)])[5:]
        limit, tcp, sent = rates.series
        # The bins that end at 39.8, 40, 44 and 44.2 s.
        at = [next(i for i, t in enumerate(sent.time) if abs(t - wanted) < 0.01)
              for wanted in (39.8, 40, 44, 44.2)]
        self.assertEqual([limit.values[i] for i in at[1:3]], [500.0, 500.0])
        self.assertEqual([tcp.values[i] for i in at[1:3]], [50.0, 50.0])
        self.assertTrue(all(math.isnan(limit.values[i]) for i in (at[0], at[3])))
        # Of what is said after it opened, nothing is shown but that it is open.
        self.assertGreater(sent.values[at[2]], 0)
        self.assertTrue(math.isnan(sent.values[at[3]]))
        self.assertEqual([s.label for s in loss.spans], ['open'])
        self.assertAlmostEqual(loss.spans[0].spans[0][0], 43.8, places=2)
        self.assertAlmostEqual(loss.spans[0].spans[0][1], 60.0, places=2)

    def test_the_mux(self):
        call = calls.write(self.place / 'call', rows=calls.muxed(calls.samples()))
        page = self.page(call)
        figures = [attrs['id'] for tag, attrs in page.tags if tag == 'figure']
        self.assertEqual((figures[4], figures[6:]), ('on-time', ['wait']))
        self.assertIn('dropped: expired', page.words['li'])
        self.assertNotIn('dropped: full', page.words['li'])
        punctual, wait = charts.of([read.call(call)])[4::2]
        self.assertEqual([s.label for s in punctual.series], ['video', 'audio'])
        self.assertEqual((min(punctual.series[0].values), min(punctual.series[1].values)),
                         (40.0, 100.0))
        self.assertEqual([s.label for s in punctual.spans],
                         ['dropped: expired', 'dropped: frame'])
        for spans in punctual.spans:
            (start, end), = spans.spans
            self.assertAlmostEqual(start, 36.0, places=2)
            self.assertAlmostEqual(end, 40.0, places=2)
        self.assertEqual(max(wait.series[0].values), 150.0)
        two = self.page(call, '--compare', calls.write(
            self.place / 'other', rows=calls.muxed(calls.samples(), 5, 6), profile={}))
        self.assertIn('audio, other', two.words['li'])

    def test_parity(self):
        call = calls.write(self.place / 'call', rows=calls.probed(calls.samples()))
        page = self.page(call)
        figures = [attrs['id'] for tag, attrs in page.tags if tag == 'figure']
        self.assertEqual(figures[5:], ['parity'])
        chart = charts.of([read.call(call)])[5]
        self.assertEqual(max(chart.series[0].values), 20.0)
        spans = {s.label: s.spans for s in chart.spans}
        self.assertEqual(set(spans), {'state: down', 'state: probe', 'state: stay'})
        (start, end), = spans['state: down']
        self.assertAlmostEqual(start, 36.0, places=2)
        self.assertAlmostEqual(end, 37.0, places=2)
        # Without parity there is nothing to show.
        other = calls.write(self.place / 'other', profile={})
        self.assertNotIn('parity', [c.key for c in charts.of([read.call(other)])])
        two = self.page(call, '--compare', other)
        self.assertIn('Parity, which probes and repairs', two.words['h2'])

    def test_a_breaker_that_never_opens(self):
        call = calls.write(self.place / 'call', rows=calls.broken(calls.samples(10)))
        page = self.page(call)
        self.assertNotIn('breaker stopped', page.words['p'])
        self.assertNotIn('opens above', page.words['li'])       # there was no loss
        two = self.page(call, '--compare', calls.write(
            self.place / 'other', rows=calls.broken(calls.samples(), 5, 6), profile={}))
        self.assertIn('open, other', two.words['li'])

    def test_no_colour_is_fixed(self):
        page = self.page(calls.write(self.place / 'call', rows=calls.broken(calls.samples())))
        drawings = ''.join(re.findall(r'<svg.*?</svg>', page.text, re.S))
        self.assertEqual(re.findall(r'#[0-9a-f]{6}\b', drawings), [])
        used = set(re.findall(r'var\((--[a-z]+)\)', page.text)) - {'--c'}
        light, dark = re.findall(r':root \{(.*?)\}', page.text, re.S)
        for name in used:
            self.assertIn(name + ':', light)
            self.assertIn(name + ':', dark)

    def test_the_data_for_the_read_out_is_json(self):
        page = self.page(calls.write(self.place / 'call'))
        data = json.loads(re.search(r'id="data">(.*?)</script>', page.text, re.S)[1])
        for tag, attrs in page.tags:
            if 'data-series' in attrs:
                self.assertLess(int(attrs['data-series']), 6)
        self.assertEqual(set(data['charts']), {'rate', 'delay', 'loss', 'psnr', 'estimator'})
        for chart in data['charts'].values():
            for series in filter(None, chart['series']):
                self.assertEqual(len(data['times'][series['time']]), len(series['values']))
        self.assertEqual(data['charts']['rate']['series'][0]['values'][0], 1.0)

    def test_missing_columns_are_not_drawn(self):
        call = calls.write(self.place / 'call', with_frames=False, events=None,
                           columns=['time', 'target', 'unheard-of'],
                           rows=[{**row, 'unheard-of': 'x'} for row in calls.samples(10)])
        page = self.page(call)
        self.assertEqual([a['id'] for t, a in page.tags if t == 'figure'], ['rate'])
        self.assertIn('target', page.words['li'])
        self.assertNotIn('capacity', page.words['li'])
        self.assertIn('Nothing was measured', page.words['p'])

    def test_hostile_text_stays_text(self):
        bad = '<script>alert(1)</script> & "\'</code>'
        call = calls.write(
            self.place / 'call', command=bad, version=bad, started=bad, flows=[bad, 3],
            profile={'name': bad, bad: bad}, summary={bad: {'value': bad, 'unit': bad}},
            events=[{'time': 1, 'source': bad, 'what': bad, 'detail': bad}],
            rows=[{**row, 'state': bad, 'usage': bad} for row in calls.samples(10)])
        page = self.page(call)
        self.assertEqual(page.count('script'), 2)
        self.assertIn('&lt;script&gt;alert(1)', page.text)
        data = re.search(r'id="data">(.*?)</script>', page.text, re.S)[1]
        self.assertNotIn('<', data)
        self.assertEqual(json.loads(data)['charts']['estimator']['marks'][0][0], 'state: ' + bad)
        self.assertEqual(page.words['code'], bad)

    def test_unicode(self):
        call = calls.write(self.place / 'Übertragung \u2713', command='rtpcall --input "Κακαδού \U0001f99c.mp4"',
                           profile={}, flows=['画像'])
        page = self.page(call)
        self.assertIn('Κακαδού \U0001f99c.mp4', page.words['code'])
        self.assertIn('Übertragung \u2713', page.words['h1'])

    def test_two_runs(self):
        page = self.page(calls.write(self.place / 'a'), '--compare', calls.write(
            self.place / 'b', rows=calls.samples(climb=0.03), profile={'name': 'paper'}))
        for name in ('received, default', 'received, paper', 'frozen, paper'):
            self.assertIn(name, page.words['li'])
        self.assertEqual(page.words['th'].count('paper'), 1 + 4 + 1)   # overview, phases, summary
        self.assertEqual(page.count('pre'), 2)

    def test_two_runs_of_one_name_are_told_apart(self):
        page = self.page(calls.write(self.place / 'a'), '--compare', calls.write(self.place / 'b'))
        self.assertIn('default (a) and default (b)', page.words['h1'])

    def test_not_a_number_leaves_a_gap(self):
        rows = calls.samples(10)
        for i, value in enumerate(('nan', 'inf', '-inf', '', 'NaN')):
            for name in ('target', 'received', 'owd', 'loss', 'threshold', 'capacity'):
                rows[10 + i][name] = value
        rows[3]['psnr'] = 'inf'
        page = self.page(calls.write(self.place / 'call', rows=rows, with_frames=False))
        drawings = ''.join(re.findall(r'<svg.*?</svg>', page.text, re.S))
        self.assertNotRegex(drawings, r'(?i)\b(nan|inf)\b')
        self.assertIn('highest 60.0 dB', page.words['desc'])

    def test_a_column_of_nothing_but_nan(self):
        rows = [{**row, **dict.fromkeys(
            ('queue', 'loss', 'lost', 'unsent', 'late', 'received', 'psnr', 'estimate'), 'nan')}
                for row in calls.samples(4)]
        page = self.page(calls.write(self.place / 'call', rows=rows, with_frames=False))
        self.assertEqual([a['id'] for t, a in page.tags if t == 'figure'],
                         ['rate', 'delay', 'estimator'])

    def test_one_row_all_zero(self):
        rows = [{name: 0 if name not in ('state', 'usage') else '' for name in calls.samples(1)[0]}]
        self.page(calls.write(self.place / 'call', rows=rows, with_frames=False, events=None,
                              duration=0))

    def test_a_last_line_cut_off_is_ignored(self):
        call = calls.write(self.place / 'call')
        for tail in ('60.2,1000', '60.2,10000,' + '1,' * 13 + 'hold', '60.2,"ab'):
            with open(call / 'samples.csv', 'a', encoding='utf-8') as out:
                out.write(tail)
            page = self.page(call)
            self.assertIn('79.1\u00a0%', page.words['td'])
            text = (call / 'samples.csv').read_text()
            (call / 'samples.csv').write_text(text[:-len(tail)])

    def test_many_events_stay_out_of_the_pictures(self):
        events = [{'time': i / 10, 'source': 's', 'what': 'w', 'detail': ''} for i in range(400)]
        few = self.page(calls.write(self.place / 'few', events=events[:3]))
        many = self.page(calls.write(self.place / 'many', events=events))
        none = self.page(calls.write(self.place / 'none', events=None))
        paths = [page.count('path') for page in (none, many, few)]
        self.assertEqual(paths[0], paths[1])
        self.assertGreater(paths[2], paths[1])
        self.assertIn('400 events', many.words['summary'])


    def test_events_may_come_in_any_order(self):
        ordered = self.page(calls.write(self.place / 'ordered', events=calls.EVENTS))
        mixed = self.page(calls.write(self.place / 'mixed', events=calls.EVENTS[::-1]))
        for page in (ordered, mixed):
            at = [page.text.index(event['detail']) for event in calls.EVENTS]
            self.assertEqual(at, sorted(at))


class Refusals(Report):
    def test_missing_files(self):
        call = calls.write(self.place / 'call')
        self.refused(self.place / 'nowhere', 'nowhere is not a directory')
        for name in ('samples.csv', 'call.json'):
            (call / name).rename(self.place / name)
            self.refused(call, name, 'is missing')
            (self.place / name).rename(call / name)

    def test_empty_files(self):
        call = calls.write(self.place / 'call')
        text = (call / 'samples.csv').read_text()
        for content, said in (('', 'is empty'), ('\n\n', 'is empty'),
                              (text.splitlines()[0], 'is empty'),
                              (text.splitlines()[0] + '\n', 'no rows')):
            (call / 'samples.csv').write_text(content)
            self.refused(call, 'samples.csv', said)

    def test_bad_numbers_name_file_and_line(self):
        call = calls.write(self.place / 'call')
        lines = (call / 'samples.csv').read_text().splitlines(keepends=True)
        width = lines[0].count(',')
        for bad, said in (('4.0' + ',1' * (width - 1), f'{width} fields where the header has'),
                          ('4.0,12kbit' + ',1' * (width - 1), '"12kbit" in column capacity'),
                          ('4.0,1e300' + ',1' * (width - 1), 'out of range'),
                          (',1' * width, 'no time'), ('nan' + ',1' * width, 'no time'),
                          ('1.0' + ',1' * width, 'time goes back'),
                          ('"4.0' + ',1' * width, 'samples.csv'),
                          ('\0' + ',1' * width, 'samples.csv:21')):
            (call / 'samples.csv').write_text(''.join(lines[:20] + [bad + '\n'] + lines[21:]))
            self.refused(call, said, 'samples.csv:')

    def test_other_tables_are_read_as_strictly(self):
        for name in ('frames.csv', 'events.csv'):
            call = calls.write(self.place / 'call')
            with open(call / name, 'a', encoding='utf-8') as out:
                out.write('garbage' + ',1' * (6 if name == 'frames.csv' else 3) + '\n')
            self.refused(call, name, '"garbage" in column time is not a number')
            (call / name).unlink()

    def test_not_a_table(self):
        call = calls.write(self.place / 'call')
        for content, said in ((b'\x89PNG\r\n\x1a\n\xff\xfe', 'not UTF-8'), (b'a,b\n1,2\n', '"time"'),
                              (b'time,psnr,psnr\n1,2,3\n', 'twice')):
            (call / 'samples.csv').write_bytes(content)
            self.refused(call, 'samples.csv', said)

    def test_bad_description(self):
        call = calls.write(self.place / 'call')
        for content, said in (
                ('{"command": "x",\n"duration": }', 'call.json:2'), ('[]', 'not an object'),
                ('', 'call.json:1'), ('{"duration": 1}', '"command"'),
                ('{"command": "x"}', '"duration"'), ('[' * 100000, 'nested'),
                ('{"command": "x", "duration": "long"}', 'wrong type'),
                ('{"command": "x", "duration": NaN}', 'number of seconds'),
                ('{"command": "x", "duration": 1e400}', 'number of seconds'),
                ('{"command": 5, "duration": 1}', 'wrong type'),
                ('{"command": "x", "duration": 1, "summary": {"a": 3}}', '"a" of the summary')):
            (call / 'call.json').write_text(content)
            self.refused(call, 'call.json', said)

    def test_numbers_out_of_reach(self):
        huge = '1' + '0' * 400
        call = calls.write(self.place / 'call')
        for text in ('"summary": {"a": {"value": %s, "unit": "ms"}}' % huge,
                     '"summary": {"a": {"value": NaN, "unit": "s"}}',
                     '"profile": {"max-bitrate": %s, "bin": %s, "x": Infinity}' % (huge, huge),
                     '"profile": {"name": "\\ud800"}'):
            (call / 'call.json').write_text('{"command": "x", "duration": 1, %s}' % text)
            status, said = self.command(call, '-o', self.place / 'page.html')
            self.assertEqual((status, said), (0, ''), text)
        for text in (huge, '9' * 5000):
            (self.place / 'page.html').unlink(missing_ok=True)
            (call / 'call.json').write_text('{"command": "x", "duration": %s}' % text)
            self.refused(call, 'call.json')

    def test_mutated_files_end_in_a_page_or_a_sentence(self):
        rng = random.Random(7)
        call = calls.write(self.place / 'call', rows=calls.samples(30))
        whole = {path: path.read_bytes() for path in call.iterdir()}
        ends = {True: 0, False: 0}
        for _ in range(400):
            path = rng.choice(sorted(whole))
            data = bytearray(whole[path])
            for _ in range(rng.randint(1, 4)):
                at = rng.randrange(len(data))
                data[at:at + rng.randint(0, 3)] = rng.choice((
                    b'', b',', b'\n', b'"', b'-', b'e9', b'nan', b'\0', b'\xff', b'9' * 30, b'0'))
            path.write_bytes(data)
            try:
                one = read.call(call)
                page.verdict(one)
                for part in (page.overview, page.phase_table, page.summary_table,
                             page.event_list, page.making, charts.of):
                    part([one])
                ends[True] += 1
            except Refusal as refusal:
                self.assertNotIn('\n', str(refusal))
                ends[False] += 1
            path.write_bytes(whole[path])
        self.assertGreater(min(ends.values()), 40, ends)

    def test_an_output_that_cannot_be_written(self):
        call = calls.write(self.place / 'call')
        status, said = self.command(call, '-o', self.place / 'no' / 'page.html')
        self.assertEqual(status, 1)
        self.assertIn('cannot be written', said)


class Measures(Report):
    def load(self, rows, **more):
        return read.call(calls.write(self.place / 'call', rows=rows, with_frames=False, **more))

    @staticmethod
    def rows(count, **columns):
        return [{'time': (i + 1) * 0.2, **{name: make(i) for name, make in columns.items()}}
                for i in range(count)]

    def test_percentile_is_a_value_of_the_data(self):
        self.assertEqual(measure.percentile(range(1, 101), 0.95), 95)
        self.assertEqual(measure.percentile([7.0], 0.5), 7.0)
        self.assertNotEqual(measure.percentile([], 0.5), measure.percentile([], 0.5))

    def test_phases_of_a_schedule(self):
        call = self.load(calls.samples())
        self.assertEqual([(round(p.start, 6), round(p.end, 6), p.capacity)
                          for p in measure.phases(call)],
                         [(0, 24, 1e6), (24, 36, 2.5e6), (36, 48, 0.6e6), (48, 60, 1e6)])

    def test_a_bin_across_a_step_is_no_phase(self):
        call = self.load(self.rows(40, capacity=lambda i: 1e6 if i < 20 else
                                   1.5e6 if i == 20 else 2e6, received=lambda i: 5e5))
        self.assertEqual([p.capacity for p in measure.phases(call)], [1e6, 2e6])

    def test_a_trace_or_a_constant_has_no_phases(self):
        self.assertEqual(measure.phases(self.load(self.rows(
            100, capacity=lambda i: 1e6 + 2e5 * (i % 5)))), [])
        self.assertEqual(measure.phases(self.load(self.rows(100, capacity=lambda i: 1e6))), [])

    def test_convergence_after_a_rise_and_a_fall(self):
        # Rise at 10 s, 95 % from 13 s on but for one lone good bin at 11 s;
        # fall at 20 s, queue below 50 ms from 21.6 s on.
        def received(i):
            return 1e6 if i < 50 else 1.9e6 if i == 55 or i >= 65 else 1e6
        call = self.load(self.rows(
            150, capacity=lambda i: 1e6 if i < 50 else 2e6 if i < 100 else 5e5,
            received=lambda i: received(i) if i < 100 else 5e5,
            queue=lambda i: 300 if 100 <= i < 108 else 5))
        settled = [measure.convergence(call, p) for p in measure.phases(call)]
        for got, expected in zip(settled, (0.0, 3.0, 1.6)):
            self.assertAlmostEqual(got, expected, places=6)

    def test_a_source_at_its_ceiling_has_converged(self):
        call = self.load(self.rows(60, capacity=lambda i: 1e6 if i < 30 else 4e6,
                                   received=lambda i: 1e6), profile={'max-bitrate': 1e6})
        self.assertAlmostEqual(measure.convergence(call, measure.phases(call)[1]), 0.0)

    def test_losses_are_shares_of_packets(self):
        """Whatever the bytes and the shares of the bins; a bin of which nobody knows is none."""
        call = self.load(self.rows(
            4, offered=lambda i: (100, 100, 200, '')[i], unsent=lambda i: (10, 0, 30, '')[i],
            left=lambda i: (90, 100, 110, 50)[i], lost=lambda i: (9, 0, 6, '')[i],
            late=lambda i: (0, 0, 3, '')[i], loss=lambda i: 0.9, sent=lambda i: 1e6))
        whole = measure.whole(call)
        self.assertAlmostEqual(measure.lost(call, whole), 15 / 300)
        self.assertAlmostEqual(measure.unsent(call, whole), 40 / 400)
        self.assertAlmostEqual(measure.late(call, whole), 3 / 300)
        self.assertEqual(page.losses(call, whole),
                         ('5.00\u00a0%', '10.0\u00a0%', '1.00\u00a0%'))
        made = charts.loss([call])
        self.assertEqual([s.label for s in made.series],
                         ['lost on the link', 'dropped before sending', 'too late'])
        self.assertEqual(made.series[1].values[:3], [10, 0, 15])

    def test_what_a_sender_alone_hears_is_drawn_as_that(self):
        call = self.load(self.rows(4, **{'reported-loss': lambda i: 0.1, 'loss': lambda i: ''}))
        self.assertEqual([s.label for s in charts.loss([call]).series],
                         ['loss as reported to the sender'])
        self.assertEqual(page.losses(call, measure.whole(call)), (page.UNKNOWN,) * 3)

    def test_loss_weighs_by_what_was_sent(self):
        call = self.load(self.rows(2, sent=lambda i: (1e6, 3e6)[i], loss=lambda i: (0.4, 0.0)[i]))
        self.assertAlmostEqual(measure.lost(call, measure.whole(call)), 0.1)

    def test_utilisation_counts_only_known_bins(self):
        call = self.load(self.rows(4, capacity=lambda i: (1e6, '', 1e6, 2e6)[i],
                                   received=lambda i: (5e5, 9e9, '', 1e6)[i]))
        self.assertAlmostEqual(measure.utilisation(call, measure.whole(call)), 0.5)

    def test_freezes_from_frames(self):
        call = read.call(calls.write(self.place / 'framed'))
        found = measure.freezes(call)
        self.assertEqual((found.frames, len(found.spans)), (24, 1))
        self.assertAlmostEqual(found.longest, 0.8, places=2)

    def test_a_fast_link_does_not_flatten_the_rates(self):
        call = self.load(self.rows(20, capacity=lambda i: 1e9, received=lambda i: 2e6))
        self.assertLess(charts.rate([call]).top, 5)


if __name__ == '__main__':
    unittest.main()
