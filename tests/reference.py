#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""docs/reference and docs/settings.md are what tools/reference writes, no statistic or message of
a live call is missing there, and a text that is taken away is missed.

    tests/reference.py SOURCE-ROOT BUILD-ROOT"""
import importlib.machinery
import importlib.util
import json
import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
BUILD = pathlib.Path(sys.argv.pop(1)).resolve()
LEAST = 150, 10, 10, 300         # properties, signals, messages, statistics
TOOL = ROOT / 'tools' / 'reference'


def load():
    loader = importlib.machinery.SourceFileLoader('reference', str(TOOL))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader('reference', loader))
    loader.exec_module(module)
    return module


class Reference(unittest.TestCase):
    # With live calls: what only they show counts, too.
    def test_pages(self):
        done = subprocess.run([sys.executable, str(TOOL), '--check', '--build', str(BUILD)],
                              capture_output=True, text=True, timeout=150, check=False)
        if done.returncode == 77:
            self.skipTest(done.stdout)
        said = '\n'.join(line for line in done.stderr.splitlines() if 'tools/reference:' in line)
        self.assertEqual(done.returncode, 0, said or done.stderr)
        # 100 %, and none is lost from sight
        counts = re.findall(r'(\d+) of (\d+) \w+', done.stdout)
        self.assertEqual([described for described, _ in counts], [named for _, named in counts])
        self.assertTrue(all(int(named) >= least for (_, named), least in zip(
            counts, LEAST, strict=True)), done.stdout)
        print(done.stdout)

    def test_what_is_taken_away_is_missed(self):
        module = load()
        try:
            module.elements.start(BUILD)
        except (ImportError, ValueError):
            self.skipTest('python3-gi or gir1.2-gstreamer-1.0 is not installed')
        kept = module.texts.load
        seen = json.loads(module.SEEN.read_text(encoding='utf-8'))
        for kind, key in (('statistics', 'fec-packets-sent'), ('statistics', 'l4s-alpha'),
                          ('signals', 'reset'), ('messages', 'GstRtpCcBin'),
                          ('elements', 'psnr')):
            def without(name, kind=kind, key=key):
                table = kept(name)
                if name == kind:
                    del table[key]
                return table
            with self.subTest(f'{kind}: {key}'):
                module.texts.load = without
                said = module.render(BUILD, seen)[1]
                self.assertTrue(any(key in line for line in said.missing), said.missing)
        module.texts.load = kept


if __name__ == '__main__':
    unittest.main(verbosity=2)
