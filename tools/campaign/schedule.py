# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs side by side: as processes here, or on the workers of a Dask cluster."""
import concurrent.futures
import contextlib

from . import Refusal, runs


@contextlib.contextmanager
def _here(wanted, jobs):
    pool = concurrent.futures.ThreadPoolExecutor(jobs)      # each thread waits for a process
    futures = {pool.submit(runs.execute, run): run for run in wanted}
    try:
        yield futures, concurrent.futures.as_completed
    finally:
        pool.shutdown(cancel_futures=True)


@contextlib.contextmanager
def _cluster(wanted, address):
    try:
        import distributed
    except ImportError:
        raise Refusal('--scheduler needs Dask: install the Debian package '
                      'python3-distributed') from None
    try:
        client = distributed.Client(address, timeout=10)
    except (OSError, TimeoutError, ValueError) as error:
        raise Refusal(f'no Dask scheduler answers at {address}: {error}') from None
    try:
        futures = {client.submit(runs.execute, run, pure=False, retries=2): run
                   for run in wanted}
        yield futures, distributed.as_completed
    finally:
        client.close()


def results(wanted, cache, jobs, address, progress):
    """{run: result} of all of @wanted.  What is done is kept at once, whatever happens to
    the rest; the first run that fails ends the campaign."""
    done = {}
    for run in dict.fromkeys(wanted):
        kept = cache.get(run)
        if kept is not None:
            done[run] = kept
    missing = [run for run in dict.fromkeys(wanted) if run not in done]
    progress.begin(len(missing), len(done))
    if not missing:
        return done
    with (_cluster(missing, address) if address else _here(missing, jobs)) as (futures, wait):
        for future in wait(futures):
            run = futures[future]
            try:
                result = future.result()
            except Refusal:
                raise
            except Exception as error:      # pylint: disable=broad-except
                # a worker that is lost has no other name here
                raise Refusal(f'{run.command} was lost with its worker '
                              f'({type(error).__name__}); run the same command again to go '
                              'on') from None
            cache.put(run, result)
            done[run] = result
            progress.step()
    progress.end()
    return done
