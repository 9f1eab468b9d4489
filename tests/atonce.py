# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs the tests of a file some at a time, as most of a call is waiting."""
import concurrent.futures
import io
import threading
import unittest


def flat(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from flat(test)
        else:
            yield test


def main(workers, alone=()):
    """Like unittest.main().  Tests of the classes in `alone` run one by one, after the others."""
    class Suite(unittest.TestSuite):
        def run(self, result, debug=False):
            cases = list(flat(self))
            last = [case for case in cases if isinstance(case, tuple(alone))]
            lock = threading.Lock()

            def one(case):
                stream = io.StringIO()
                own = unittest.TextTestResult(
                    unittest.runner._WritelnDecorator(stream), True, 2)
                case.run(own)
                with lock:
                    result.stream.write(stream.getvalue())
                    result.stream.flush()
                    result.testsRun += own.testsRun
                    for what in ('errors', 'failures', 'skipped'):
                        getattr(result, what).extend(getattr(own, what))

            with concurrent.futures.ThreadPoolExecutor(workers) as pool:
                list(pool.map(one, (case for case in cases if case not in last)))
            for case in last:
                one(case)
            return result

    loader = unittest.TestLoader()
    loader.suiteClass = Suite
    unittest.main(verbosity=2, testLoader=loader)
