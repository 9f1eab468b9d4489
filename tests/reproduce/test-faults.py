#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Every way in which a campaign can go wrong: one plain sentence, an exit code, and nothing
half written that is taken for a result.
Usage: test-faults.py SOURCE_ROOT RCCSIM.  Exits 77 without matplotlib."""
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import unittest

import rig
from rig import CASES, PATIENCE, RCCSIM
from experiments import runs, schedule, targets
from readpage import Page

SPACE = ['unshare', '--map-root-user', '--mount']       # where a mount is ours alone


def limit(size):
    """Of any file, in a child."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)


def read(path):
    try:
        return path.read_bytes()
    except OSError:         # it has ended
        return b''


class Faults(rig.Campaign):
    def test_a_run_that_fails(self):
        self.how('fail 2')
        self.refused(self.run_it('--runs', '3', '--quiet', '--jobs', '1'),
                     '--seed 12', 'failed', 'the moon is in the way')
        self.assertGreaterEqual(self.kept(), 1)
        self.well()
        before, known = self.started(), self.kept()
        self.assertEqual(self.run_it('--runs', '3', '--quiet').returncode, 0)
        self.assertEqual(self.started() - before, 3 * CASES - known)

    def test_a_run_that_is_killed(self):
        self.how('die 2')
        self.refused(self.run_it('--runs', '2', '--quiet', '--jobs', '1'), 'was killed by SIGKILL',
                     'go on')
        known, before = self.kept(), self.started()
        self.assertEqual(known, CASES)
        self.well()
        self.assertEqual(self.run_it('--runs', '2', '--quiet').returncode, 0)
        self.assertEqual(self.started() - before, CASES)

    def test_half_a_result_is_none(self):
        for what in ('half', 'list', 'bytes'):
            with self.subTest(what):
                self.how(f'{what} all')
                self.refused(self.run_it('--runs', '1', '--quiet'), 'printed no result')
                self.assertEqual(self.kept(), 0)

    def test_a_result_of_another_version(self):
        self.how('lack all')
        self.refused(self.run_it('--runs', '1', '--quiet'), 'lacks', 'build the programs')

    def test_half_a_file_is_no_result(self):
        self.run_it('--runs', '1', '--quiet')
        files = sorted(self.cache.rglob('*.json'))
        files[0].write_text(files[0].read_text(encoding='utf-8')[:100], encoding='utf-8')
        files[1].write_text('{"result": 7}', encoding='utf-8')
        files[2].write_bytes(b'\xff\xfe\x00')
        self.assertEqual(self.run_it('--runs', '1', '--quiet').returncode, 0)
        self.assertEqual(self.started(), CASES + 3)
        self.assertEqual(self.kept(), CASES)

    def test_a_file_that_grows_too_large(self):
        self.how('large 2')
        self.refused(self.run_it('--runs', '2', '--quiet', '--jobs', '1',
                                 preexec_fn=lambda: limit(100000)), 'cannot be written', 'is kept')
        self.assertEqual(self.kept(), CASES)

    def small_disk(self, folder, size, *command):
        """Runs it where @folder is a disk of @size kB, whose files are then in full/."""
        script = (f'mount -t tmpfs -o size={size}k none "$0" && cp -r "$0.first/." "$0" && '
                  '{ "$@"; code=$?; cp -r "$0/." "$0.full"; exit $code; } || exit $?')
        for path in (folder, folder.with_name(folder.name + '.full'),
                     folder.with_name(folder.name + '.first')):
            path.mkdir(exist_ok=True)
        if subprocess.run(SPACE + ['mount', '-t', 'tmpfs', 'none', str(folder)], check=False,
                          capture_output=True).returncode:
            self.skipTest('no mount of our own here; files that grow too large are tested')
        return subprocess.run([*SPACE, 'sh', '-c', script, str(folder), *command], env=self.env,
                              capture_output=True, text=True, check=False, timeout=PATIENCE)

    def test_a_full_disk_under_the_cache(self):
        self.how('large 2')
        done = self.small_disk(self.cache, 224, *self.command('--runs', '2', '--quiet', '--jobs',
                                                              '1'))
        self.refused(done, 'No space left', 'is kept')
        self.assertEqual(self.kept(self.folder / 'cache.full'), CASES)

    def test_a_full_disk_under_the_new_page(self):
        disk = self.folder / 'disk'
        (self.folder / 'disk.first').mkdir()
        (self.folder / 'disk.first' / 'page.html').write_text('before', encoding='utf-8')
        self.page = disk / 'page.html'
        done = self.small_disk(disk, 64, *self.command('--runs', '1', '--quiet'))
        self.refused(done, 'page.html', 'No space left')
        self.assertEqual([(path.name, path.read_text(encoding='utf-8'))
                          for path in (self.folder / 'disk.full').iterdir()],
                         [('page.html', 'before')])
        self.assertEqual(self.kept(), CASES)

    def test_a_page_that_grows_too_large(self):
        self.refused(self.run_it('--runs', '1', '--quiet', preexec_fn=lambda: limit(20000)),
                     'page.html', 'cannot be written')
        self.assertEqual(self.kept(), CASES)

    def test_a_run_that_somebody_kills(self):
        """A real one, from outside."""
        process = self.begin('--quick', '--runs', '1', '--quiet', '--jobs', '1',
                             programs=RCCSIM.parent)
        child = pathlib.Path(f'/proc/{process.pid}/task')
        found = []

        def running():
            found[:] = [pid for task in child.glob('*/children')
                        for pid in task.read_text(encoding='utf-8').split()]
            return found

        self.until(running, process)
        os.kill(int(found[0]), signal.SIGSTOP)
        os.kill(int(found[0]), signal.SIGKILL)
        said = process.communicate(timeout=PATIENCE)[1]
        self.assertEqual(process.returncode, 1, said)
        self.assertIn('was killed by SIGKILL; run the same command again to go on', said)
        self.assertEqual(len(said.splitlines()), 1)
        known = self.kept()
        self.assertLess(known, CASES)
        done = self.run_it('--quick', '--runs', '1', programs=RCCSIM.parent)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.kept(), CASES)

    def test_a_campaign_that_is_stopped(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number.name):
                shutil.rmtree(self.cache, ignore_errors=True)
                self.page.unlink(missing_ok=True)
                self.how('wait 2')
                before = self.started()
                process = self.begin('--runs', '2', '--quiet', '--jobs', '1')
                # the first seed of each case is kept, a second waits
                self.until(lambda before=before: self.started() > before + CASES
                           and len(self.results()) == CASES, process)
                process.send_signal(number)
                said = process.communicate(timeout=PATIENCE)[1]
                self.assertEqual(process.returncode, 130, said)
                self.assertRegex(said, f'^reproduce: stopped; ({CASES - 1}|{CASES}) of {2 * CASES} runs are kept')
                self.assertEqual(len(said.splitlines()), 1)
                self.assertEqual(self.kept(), CASES)
                self.assertFalse(self.page.exists())
                self.well()
                before = self.started()
                self.assertEqual(self.run_it('--runs', '2', '--quiet').returncode, 0)
                self.assertEqual(self.started() - before, CASES)
                self.assertEqual(self.kept(), 2 * CASES)

    def test_a_stopped_campaign_leaves_nothing_running(self):
        self.how('wait all')
        process = self.begin('--runs', '2', '--quiet', '--jobs', '2')
        self.until(lambda: self.started() == 2, process)
        mine = re.compile(rb'\0' + re.escape(str(self.program).encode()) + rb'\0')

        def alive():
            return [path for path in pathlib.Path('/proc').glob('[0-9]*/cmdline')
                    if mine.search(read(path))]

        self.assertEqual(len(alive()), 2)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE)
        self.assertEqual(alive(), [])
        self.assertEqual(self.kept(), 0)

    def test_two_campaigns_at_once(self):
        """On one cache and one page: both end well, and all there is is whole."""
        self.how('wait 1')
        both = [self.begin('--runs', '2', '--quiet', '--jobs', '2') for _ in range(2)]
        self.until(lambda: self.started() == 4, *both)
        self.well()
        for process in both:
            said = process.communicate(timeout=PATIENCE)[1]
            self.assertEqual(process.returncode, 0, said)
        self.assertEqual(self.kept(), 2 * CASES)
        self.assertEqual(Page(self.page.read_text(encoding='utf-8')).faults, [])
        self.assertEqual(list(self.folder.rglob('*.part')), [])

    def test_results_of_before_have_no_cost(self):
        """As entries had it that were kept before there was one: results all the same."""
        self.run_it('--runs', '1', '--quiet')
        files = sorted(self.cache.rglob('*.json'))
        for cost, path in zip((None, 'much', True, -1, 1e300), files):
            entry = json.loads(path.read_text(encoding='utf-8'))
            del entry['cpu']
            path.write_text(json.dumps(entry if cost is None else {**entry, 'cpu': cost}),
                            encoding='utf-8')
        done = self.run_it('--runs', '1', '--quiet')
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.started(), CASES)
        self.assertIn(f'5 of {CASES} runs not known', done.stdout)
        self.assertIn(f'5 of {CASES} runs not known', self.page.read_text(encoding='utf-8'))

    def test_half_a_scenario_is_written_anew(self):
        """In the cache, by someone whose disk was full."""
        tools = targets.Tools(self.programs, None, self.cache / 'scenarios')
        path = pathlib.Path(tools.scenario('0 both rate 500k delay 40\n'))
        path.write_bytes(b'0 both ra\xff')
        self.assertEqual(tools.scenario('0 both rate 500k delay 40\n'), str(path))
        self.assertEqual(path.read_text(encoding='utf-8'), '0 both rate 500k delay 40\n')
        self.assertEqual(list(path.parent.iterdir()), [path])

    def test_a_bad_scenario(self):
        """What the programs say of one, in the campaign's sentence."""
        path = self.folder / 'bad.scenario'
        path.write_text('0 both rate fast\n', encoding='utf-8')
        for program in (RCCSIM, RCCSIM.parent / 'rccns3' / 'rccns3'):
            if not program.exists():
                continue
            with self.subTest(program.name):
                for scenario in (str(path), str(self.folder / 'none.scenario')):
                    one = runs.Run(str(program), ('--scenario', scenario, '-d', '1', '--json'))
                    result, _, sentence = schedule.attempt(one)
                    self.assertIsNone(result)
                    self.assertIn(' failed: ', sentence)
                    self.assertIn(pathlib.Path(scenario).name, sentence.split(' failed: ')[1])
                    self.assertEqual(len(sentence.splitlines()), 1)

    def test_programs_that_are_not_there(self):
        self.program.unlink()
        self.refused(self.run_it('--runs', '1'), 'rccsim is not in', '--programs')
        self.refused(self.run_it('--runs', '1', what='rfc8867'), 'rccns3 is not in', 'ns-3')

    def test_traces_that_are_not_there(self):
        self.refused(self.run_it('--runs', '1', what='grouping'), 'google-wifi', '--traces')

    def test_a_program_that_cannot_start(self):
        self.program.chmod(0o644)
        self.refused(self.run_it('--runs', '1', '--quiet'), 'cannot be started')

    def test_a_cache_that_cannot_be(self):
        self.cache.write_text('a file', encoding='utf-8')
        self.refused(self.run_it('--runs', '1', '--quiet'), 'cannot be made')


if __name__ == '__main__':
    unittest.main()
