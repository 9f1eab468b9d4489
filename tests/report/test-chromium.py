#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The page of tools/report.py in headless Chromium: no console message, the
read-out works, and the pictures are there without JavaScript.
Usage: test-chromium.py SOURCE_ROOT.  Exits 77 when something is absent."""
import html
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
sys.path.insert(0, str(ROOT / 'tests' / 'report'))
sys.dont_write_bytecode = True
import calls  # noqa: E402

CHROMIUM = shutil.which('chromium') or shutil.which('chromium-browser')
try:
    import matplotlib  # noqa: F401
except ImportError:
    print('SKIP: report in Chromium: matplotlib is absent (python3-matplotlib)')
    sys.exit(77)
if not CHROMIUM:
    print('SKIP: report in Chromium: no chromium on PATH (package chromium)')
    sys.exit(77)

POINTER = '''<script>
const svg = Array.from(document.querySelectorAll('svg')).find((s) => s.clientWidth);
const box = svg.getBoundingClientRect();
svg.dispatchEvent(new PointerEvent('pointermove', {
  clientX: box.left + box.width / 2, clientY: box.top + 10, bubbles: true}));
</script>'''
# As a keyboard does it; what is said after each key goes to the title.
KEYS = '''<script>
const plot = document.querySelector('.plot'), said = [];
function press(key, more) {
  plot.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true, ...more}));
  said.push([plot.getAttribute('aria-valuenow'), document.querySelectorAll('.cross').length]);
}
plot.focus();
for (const key of ['ArrowRight', 'PageUp', 'End', 'ArrowRight', 'ArrowLeft', 'Home', 'ArrowDown'])
  press(key);
press('End', {ctrlKey: true});
press('x');
press('End');
document.title = JSON.stringify({said, text: plot.getAttribute('aria-valuetext'),
  role: plot.getAttribute('role'), label: plot.getAttribute('aria-label'),
  max: plot.getAttribute('aria-valuemax'), at: document.querySelector('.at').textContent,
  hint: document.querySelector('.keys').hidden});
press('Escape');
if (document.querySelector('.cross') || document.querySelector('.at').textContent)
  document.title = 'Escape left the read-out';
</script>'''
# The page in frames that run no script, one for each width in pixels; only the
# page around them may look.
FRAMES = '''<!DOCTYPE html><title>waiting</title><body><script>
const page = %s, seen = [];
for (const width of [1200, 400]) {
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', 'allow-same-origin');
  frame.style.cssText = `width: ${width}px; height: 900px; border: 0`;
  frame.onload = () => {
    const inner = frame.contentDocument;
    seen.push([width, inner.documentElement.scrollWidth - inner.documentElement.clientWidth,
      Array.from(inner.querySelectorAll('svg'), (s) => s.getBoundingClientRect().height > 90 ? 1
        : 0).join(''), inner.querySelectorAll('.cross').length]);
    if (seen.length == 2) document.title = JSON.stringify(seen.sort((a, b) => b[0] - a[0]));
  };
  frame.srcdoc = page;
  document.body.appendChild(frame);
}
</script>'''


def chromium(page, *flags):
    """The DOM after loading, and what the console said."""
    with tempfile.TemporaryDirectory() as profile:
        done = subprocess.run(
            [CHROMIUM, '--headless', '--no-sandbox', '--disable-gpu', '--disable-quic',
             '--no-first-run', '--disable-background-networking', '--disable-component-update',
             '--disable-sync', f'--user-data-dir={profile}', '--enable-logging=stderr', *flags,
             '--dump-dom', page.as_uri()],
            capture_output=True, text=True, timeout=120, check=True)
    return done.stdout, [line for line in done.stderr.splitlines() if 'CONSOLE' in line]


class Chromium(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(holder.cleanup)
        cls.place = pathlib.Path(holder.name)
        call = calls.write(cls.place / 'call')
        subprocess.run([sys.executable, ROOT / 'tools' / 'report.py', call], check=True,
                       stdout=subprocess.DEVNULL)
        cls.page = call / 'report.html'

    def changed(self, name, extra):
        path = self.place / name
        path.write_text(self.page.read_text(encoding='utf-8').replace(
            '</body>', extra + '</body>'), encoding='utf-8')
        return path

    def test_the_console_stays_silent(self):
        dom, console = chromium(self.page)
        self.assertEqual(console, [])
        self.assertEqual(dom.count('<svg'), 10)
        # That a message would have been seen:
        _, console = chromium(self.changed('loud.html', '<script>nothing.at.all</script>'))
        self.assertEqual(len(console), 1, console)

    def test_the_read_out_follows_the_pointer(self):
        dom, console = chromium(self.changed('pointed.html', POINTER))
        self.assertEqual(console, [])
        self.assertEqual(dom.count('class="cross"'), 10)
        shown = re.search(r'<b data-series="0">(.*?)</b>', dom)[1]
        self.assertEqual(shown, '2.50&nbsp;Mbit/s')

    def test_the_read_out_goes_by_keyboard(self):
        dom, console = chromium(self.changed('keys.html', KEYS))
        self.assertEqual(console, [])
        seen = json.loads(html.unescape(re.search('<title>(.*?)</title>', dom)[1]))
        self.assertEqual([time for time, _ in seen['said']], [
            '0.40', '2.40', '60.00', '60.00', '59.80', '0.20', '0.20', '0.20', '0.20', '60.00'])
        self.assertEqual({lines for _, lines in seen['said']}, {10})
        self.assertEqual((seen['role'], seen['label'], float(seen['max']), seen['at'],
                          seen['hint']), ('slider', 'Rate over time', 60.0, 'at 60.00 s', False))
        self.assertRegex(seen['text'], '^60.00 s, capacity 1.00\u00a0Mbit/s, sent ')

    def test_pictures_without_javascript_in_both_widths(self):
        text = self.page.read_text(encoding='utf-8').replace('</body>', POINTER + '</body>')
        outer = self.place / 'frames.html'
        outer.write_text(FRAMES % json.dumps(text).replace('</', '<\\/'), encoding='utf-8')
        dom, _ = chromium(outer)
        title = re.search('<title>(.*?)</title>', dom)[1]
        # Width, overflow to the side, which drawings show, lines the pointer left.
        self.assertEqual(json.loads(title), [[1200, 0, '10' * 5, 0], [400, 0, '01' * 5, 0]])


if __name__ == '__main__':
    unittest.main()
