#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""tools/reproduce on a Dask cluster whose scheduler and workers are processes of their own,
as on other machines: they know nothing of this project.
Usage: test-cluster.py SOURCE_ROOT RCCSIM.  Exits 77 without python3-distributed."""
import importlib.util
import os
import re
import shutil
import signal
import subprocess
import sys
import unittest
import unittest.mock

import rig
from rig import CASES, PATIENCE
from experiments import progress, Refusal, runs, schedule

if not importlib.util.find_spec('distributed'):
    print('SKIP: reproduce: Dask is absent (python3-distributed)')
    sys.exit(77)


class Cluster(rig.Campaign):
    def setUp(self):
        super().setUp()
        self.scheduler, self.address = self.serve(), None
        self.until(self.listens, self.scheduler)

    def listens(self):
        log = (self.folder / 'scheduler.log').read_text(encoding='utf-8', errors='replace')
        found = re.search(r'Scheduler at: +(tcp://\S+)', log)
        self.address = found and found[1]
        return found

    def serve(self, port='0'):
        return self.process('scheduler', '--host', '127.0.0.1', '--port', port)

    def process(self, name, *more):
        """A program of Dask; its session, and so what it runs, ends with the test."""
        kind = name.rstrip('0123456789')
        env = {name: value for name, value in self.env.items() if name != 'PYTHONPATH'}
        with (self.folder / f'{name}.log').open('w', encoding='utf-8') as log:
            process = subprocess.Popen(
                [sys.executable, '-m', f'distributed.cli.dask_{kind}', '--no-dashboard', *more],
                env=env, stdout=log, stderr=log, cwd='/', start_new_session=True)
        self.addCleanup(self.end, process)
        return process

    @staticmethod
    def end(process):
        process.kill()
        process.wait()

    def worker(self, number):
        where = self.folder / f'space{number}'
        log = self.folder / f'worker{number}.log'
        process = self.process(f'worker{number}', self.address, '--nthreads', '1', '--no-nanny',
                               '--local-directory', str(where))
        self.until(lambda: 'Registered to' in log.read_text(encoding='utf-8', errors='replace'),
                   process)
        return process

    def on_it(self, n):
        return ('--scheduler', self.address, '--quiet', '--runs', str(n))

    def at_work(self, n):
        """A campaign of two seeds whose second ones wait, when @n runs have begun."""
        self.how('wait 2')
        before = self.started()
        process = self.begin(*self.on_it(2))
        self.until(lambda: self.started() >= before + n and len(self.results()) >= CASES, process)
        return process

    def test_what_comes_is_what_comes_here(self):
        self.worker(1), self.worker(2)
        self.assertEqual(self.run_it(*self.on_it(2)).returncode, 0)
        self.assertEqual(self.started(), 2 * CASES)
        self.assertEqual(self.kept(), 2 * CASES)
        there = self.results()
        shutil.rmtree(self.cache)
        self.assertEqual(self.run_it('--quiet', '--runs', '2').returncode, 0)
        self.assertEqual(self.results(), there)
        self.page.unlink()
        self.how('fail 3')
        self.refused(self.run_it(*self.on_it(3)), '--seed 13', 'the moon is in the way')

    def test_a_worker_that_is_lost(self):
        """Its run is begun again on the other, or on one that comes."""
        workers = self.worker(1), self.worker(2)
        campaign = self.at_work(CASES + 2)
        self.end(workers[0])
        self.well()
        said = campaign.communicate(timeout=PATIENCE)[1]
        self.assertEqual((campaign.returncode, said), (0, ''))
        self.assertEqual(self.kept(), 2 * CASES)
        self.assertGreater(self.started(), 2 * CASES)

        shutil.rmtree(self.cache)
        campaign = self.at_work(CASES + 1)
        self.end(workers[1])
        self.well()
        self.worker(3)
        said = campaign.communicate(timeout=PATIENCE)[1]
        self.assertEqual((campaign.returncode, said), (0, ''))
        self.assertEqual(self.kept(), 2 * CASES)

    def test_no_workers(self):
        one = runs.Run(str(self.program), ('--seed', '1'))
        quiet = progress.Progress(None, quiet=True)
        with unittest.mock.patch.object(schedule, 'PATIENCE', 2), self.assertRaisesRegex(
                Refusal, f'has no workers; start some .dask-worker {self.address}. and run'):
            schedule.results([one], runs.Cache(self.cache), 1, self.address, quiet)
        self.assertEqual(self.kept(), 0)

    def test_a_scheduler_that_is_lost(self):
        self.worker(1)
        campaign = self.at_work(CASES + 1)
        self.end(self.scheduler)
        self.stopped(campaign, 'is gone', 'start it again')
        self.refused(self.run_it(*self.on_it(2)), 'no Dask scheduler answers at')
        self.scheduler = self.serve()
        self.until(self.listens, self.scheduler)
        self.worker(2)
        self.goes_on()

    def stopped(self, campaign, *words):
        said = campaign.communicate(timeout=PATIENCE)[1]
        self.assertEqual(campaign.returncode, 1, said)
        self.assertEqual(len(said.splitlines()), 1, said)
        for word in ('reproduce: ', *words, 'run the same command again to go on'):
            self.assertIn(word, said)
        self.assertFalse(self.page.exists())
        self.assertEqual(self.kept(), CASES)
        self.well()

    def goes_on(self):
        """With the runs that are missing."""
        before = self.started()
        done = self.run_it(*self.on_it(2))
        self.assertEqual((done.returncode, done.stderr), (0, ''))
        self.assertEqual(self.started() - before, CASES)
        self.assertEqual(self.kept(), 2 * CASES)

    def test_a_program_that_is_another_there(self):
        """A worker that sees other bytes at the program's path."""
        self.worker(1)
        self.how('wait all')
        campaign = self.begin(*self.on_it(1))
        self.until(lambda: self.started() >= 1, campaign)
        with self.program.open('a', encoding='utf-8') as file:
            file.write('# changed\n')
        self.well()
        said = campaign.communicate(timeout=PATIENCE)[1]
        self.assertEqual(campaign.returncode, 1, said)
        self.assertRegex(said, 'put the same build there|was changed while it ran')
        self.assertEqual(self.kept(), 0)

    def test_a_campaign_that_is_stopped(self):
        self.worker(1)
        campaign = self.at_work(CASES + 1)
        os.kill(campaign.pid, signal.SIGINT)
        said = campaign.communicate(timeout=PATIENCE)[1]
        self.assertEqual(campaign.returncode, 130, said)
        self.assertRegex(said, f'^reproduce: stopped; ({CASES - 1}|{CASES}) of {2 * CASES} runs are kept')
        self.assertEqual(len(said.splitlines()), 1, said)


class NoDask(rig.Campaign):
    def test_a_scheduler_without_dask(self):
        stub = self.folder / 'stub'
        stub.mkdir()
        (stub / 'distributed.py').write_text('raise ImportError\n', encoding='utf-8')
        self.env['PYTHONPATH'] = str(stub)
        self.refused(self.run_it('--runs', '1', '--scheduler', 'tcp://127.0.0.1:1'),
                     'python3-distributed')


if __name__ == '__main__':
    unittest.main()
