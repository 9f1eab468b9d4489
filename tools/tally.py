#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Adds up Meson test logs.

    tally.py [--json] [--broken WHAT]... [STATUS:LOG]...

STATUS is what `meson test` exited with, LOG its testlog.json.  Each --broken
names a step that failed before it had a log, and counts as one failure; so
does a run that failed without a failed test in its log.  Names the tests that
took longest, and what failed with the lines that say why.  Ends with one line,
"N passed, N failed" or "N passed, N failed, N skipped"; exits 1 when anything
failed or nothing passed.  With --json it prints one object instead
(docs/json.md)."""
import argparse
import collections
import json
import pathlib
import re
import sys

KIND = {'OK': 'passed', 'EXPECTEDFAIL': 'passed', 'SKIP': 'skipped'}
# What a line has that says why a test failed, for each way in which tests of ours are written.
WHY = re.compile(r'MISSED|missed|ERROR|Error:|FAIL|Bail out|not ok|runtime error|Assertion|:[FE]:')
LINES, WIDTH, LONGEST = 6, 160, 8


def results(log):
    """(name, result, seconds, output) of each test; a line cut short is a test cut short."""
    try:
        lines = pathlib.Path(log).read_text(encoding='utf-8', errors='replace').splitlines()
    except OSError:
        return
    for line in lines:
        try:
            test = json.loads(line)
            yield (test['name'], test['result'], test.get('duration') or 0,
                   (test.get('stdout') or '') + '\n' + (test.get('stderr') or ''))
        except (ValueError, KeyError, TypeError):
            yield f'{log}: unreadable entry', 'ERROR', 0, ''


def why(output):
    """The first lines of a test's @output that say why it failed; its last where none does."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    telling = [line for line in lines if WHY.search(line)][:LINES] or lines[-LINES:]
    return [line[:WIDTH] for line in telling]


def say(passed, bad, skipped, as_json):
    """@bad: what failed, and why in lines."""
    if as_json:
        print(json.dumps({'passed': passed, 'failed': len(bad), 'skipped': len(skipped),
                          'failures': [what for what, _ in bad], 'skips': skipped}, indent=1))
        return
    for name in skipped:
        print(f'skipped: {name}')
    for what, lines in bad:
        print('\n    '.join([f'failed: {what}', *lines]))
    line = f'{passed} passed, {len(bad)} failed'
    print(line + (f', {len(skipped)} skipped' if skipped else ''))


def say_longest(took):
    took = sorted(took, reverse=True)[:LONGEST]
    if took and took[0][0] >= 1:
        print('longest:', ', '.join(f'{name} {seconds:.0f} s' for seconds, name in took))


def main(argv):
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--json', action='store_true')
    parser.add_argument('--broken', action='append', default=[], metavar='WHAT')
    parser.add_argument('runs', nargs='*', metavar='STATUS:LOG')
    options = parser.parse_args(argv)
    count, bad, skipped, took = collections.Counter(), [(w, []) for w in options.broken], [], []
    for run in options.runs:
        status, log = run.split(':', 1)
        before = len(bad)
        for name, result, seconds, output in results(log):
            kind = KIND.get(result, 'failed')
            count[kind] += 1
            took.append((seconds, name))
            if kind == 'failed':
                bad.append((f'{name} ({result.lower()}, {log})', why(output)))
            elif kind == 'skipped':
                skipped.append(name)
        if status != '0' and len(bad) == before:
            bad.append((f'meson test exited with {status} ({log})', []))
    if not options.json:
        say_longest(took)
    say(count['passed'], bad, skipped, options.json)
    return 1 if bad or not count['passed'] else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
