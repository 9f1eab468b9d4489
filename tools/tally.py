#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Adds up Meson test logs.

    tally.py [--json] [--broken WHAT]... [STATUS:LOG]...

STATUS is what `meson test` exited with, LOG its testlog.json.  Each --broken
names a step that failed before it had a log, and counts as one failure; so
does a run that failed without a failed test in its log.  Names what failed,
then ends with one line, "N passed, N failed" or "N passed, N failed, N
skipped"; exits 1 when anything failed or nothing passed.  With --json it prints
one object instead (docs/json.md)."""
import argparse
import collections
import json
import pathlib
import sys

KIND = {'OK': 'passed', 'EXPECTEDFAIL': 'passed', 'SKIP': 'skipped'}


def results(log):
    """(name, result) of each test; a line cut short is a test cut short."""
    try:
        lines = pathlib.Path(log).read_text(encoding='utf-8', errors='replace').splitlines()
    except OSError:
        return
    for line in lines:
        try:
            test = json.loads(line)
            yield test['name'], test['result']
        except (ValueError, KeyError, TypeError):
            yield f'{log}: unreadable entry', 'ERROR'


def say(passed, bad, skipped, as_json):
    if as_json:
        print(json.dumps({'passed': passed, 'failed': len(bad), 'skipped': len(skipped),
                          'failures': bad, 'skips': skipped}, indent=1))
        return
    for name in skipped:
        print(f'skipped: {name}')
    for what in bad:
        print(f'failed: {what}')
    line = f'{passed} passed, {len(bad)} failed'
    print(line + (f', {len(skipped)} skipped' if skipped else ''))


def main(argv):
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--json', action='store_true')
    parser.add_argument('--broken', action='append', default=[], metavar='WHAT')
    parser.add_argument('runs', nargs='*', metavar='STATUS:LOG')
    options = parser.parse_args(argv)
    count, bad, skipped = collections.Counter(), list(options.broken), []
    for run in options.runs:
        status, log = run.split(':', 1)
        before = len(bad)
        for name, result in results(log):
            kind = KIND.get(result, 'failed')
            count[kind] += 1
            if kind == 'failed':
                bad.append(f'{name} ({result.lower()}, {log})')
            elif kind == 'skipped':
                skipped.append(name)
        if status != '0' and len(bad) == before:
            bad.append(f'meson test exited with {status} ({log})')
    say(count['passed'], bad, skipped, options.json)
    return 1 if bad or not count['passed'] else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
