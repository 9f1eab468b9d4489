# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs side by side: as processes here, or on the workers of a Dask cluster."""
import concurrent.futures
import contextlib
import functools
import logging
import queue
import socket
import threading

from . import Refusal, runs

LOOK, PATIENCE = 1, 60      # seconds between looks at a cluster, and that it may lack workers
GONE = ('the Dask scheduler at {} is gone; start it again and run the same command again to go '
        'on')


class _Processes:
    """What runs, so that it can be ended."""

    def __init__(self):
        self.lock, self.alive, self.over = threading.Lock(), set(), False

    def add(self, process):
        with self.lock:
            # poll() here would wait for a process whose end another thread waits for
            self.alive = {p for p in self.alive if p.returncode is None} | {process}
            if self.over:
                process.kill()

    def end(self):
        with self.lock:
            self.over = True
            for process in self.alive:
                if process.poll() is None:
                    process.kill()


def attempt(run, name=None, started=None):
    """(result, seconds of a processor, None) or (None, None, sentence). They are plain types, as
    they come back from workers that know nothing of us. @name: what the run is called where it
    was planned."""
    try:
        if name and runs.key(run) != name:
            return None, None, (f'{run.program} or a file of its run is not the same on '
                                f'{socket.gethostname()}: put the same build there')
        done = runs.execute(run, started)
        return done.result, done.cpu, None
    except Refusal as refusal:
        return None, None, str(refusal)


@contextlib.contextmanager
def _here(wanted, jobs):
    processes = _Processes()
    pool = concurrent.futures.ThreadPoolExecutor(jobs)      # each thread waits for a process
    futures = {pool.submit(attempt, run, None, processes.add): name
               for name, run in wanted.items()}
    try:
        yield futures, concurrent.futures.as_completed
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        processes.end()
        raise
    finally:
        pool.shutdown()


def _look(client, address):
    """Whether the cluster has a worker; a Refusal where it has gone."""
    try:
        return bool(client.scheduler_info()['workers'])
    except Exception:       # pylint: disable=broad-except
        # whatever Dask makes of an end of the connection
        raise Refusal(GONE.format(address)) from None


def _as_they_end(client, address, futures):
    """Dask itself waits for ever for workers that never come."""
    ended, idle = queue.SimpleQueue(), 0
    for future in futures:
        future.add_done_callback(ended.put)
    for _ in futures:
        future = None
        while future is None:
            with contextlib.suppress(queue.Empty):
                future = ended.get(timeout=LOOK)
            idle = 0 if future or _look(client, address) else idle + LOOK
            if idle >= PATIENCE:
                raise Refusal(f'the Dask cluster at {address} has no workers; start some '
                              f'(dask-worker {address}) and run the same command again to go on')
        if future.cancelled():          # Dask does that when it loses its scheduler
            raise Refusal(GONE.format(address))
        yield future


@contextlib.contextmanager
def _cluster(wanted, address):
    try:
        import cloudpickle
        import distributed
    except ImportError:
        raise Refusal('--scheduler needs Dask: install the Debian package '
                      'python3-distributed') from None
    import experiments
    cloudpickle.register_pickle_by_value(experiments)          # workers do not have it
    logging.disable(logging.CRITICAL)       # what Dask says of ends, in tracebacks, we say plainly
    try:
        client = distributed.Client(address, timeout=10)
    except (OSError, TimeoutError, ValueError) as error:
        raise Refusal(f'no Dask scheduler answers at {address}: {error}') from None
    try:
        # cloudpickle takes what it was told to only where pickle fails, as with a lambda
        futures = {client.submit(lambda run=run, name=name: attempt(run, name), pure=False,
                                 retries=2): name for name, run in wanted.items()}
        yield futures, functools.partial(_as_they_end, client, address)
        client.close()
    except BaseException:
        with contextlib.suppress(Exception):
            client.cancel(list(futures))
        client.close()
        raise


def _take(future, run):
    try:
        result, cpu, sentence = future.result()
    except Exception as error:      # pylint: disable=broad-except
        # a worker that is lost has no other name here
        raise Refusal(f'{run.command} was lost with its worker ({type(error).__name__}); run '
                      'the same command again to go on') from None
    if sentence:
        raise Refusal(sentence)
    return runs.Done(result, cpu)


def results(wanted, cache, jobs, address, progress):
    """{run: Done} of all of @wanted, begun in that order.  What is done is kept at once,
    whatever happens to the rest; the first run that fails ends the campaign."""
    names = {run: runs.key(run) for run in dict.fromkeys(wanted)}
    kept = {run: cache.get(name) for run, name in names.items()}
    done = {run: found for run, found in kept.items() if found}
    missing = {name: run for run, name in names.items() if run not in done}
    progress.begin([run.case for run in missing.values()],
                   [(run.case, found.cpu) for run, found in done.items()])
    if not missing:
        return done
    with (_cluster(missing, address) if address else _here(missing, jobs)) as (futures, wait):
        for future in wait(futures):
            name = futures[future]
            run = missing[name]
            found = _take(future, run)
            if runs.key(run) != name:
                raise Refusal(f'{run.program} was changed while it ran; run the same command '
                              'again')
            cache.put(name, run, found)
            done[run] = found
            progress.step(run.case, found.cpu)
    progress.end()
    return done
