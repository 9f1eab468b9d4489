/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Read-out under the pointer or by keyboard: a line through every chart at the
 * same time, and the values there beside the legend.  The page is complete
 * without it. */
'use strict';
(function () {
  const data = JSON.parse(document.getElementById('data').textContent);
  const figures = Array.from(document.querySelectorAll('figure'));
  const plots = figures.map((figure) => figure.querySelector('.plot'));
  const ROWS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1,
    PageDown: -10, PageUp: 10, Home: -Infinity, End: Infinity };
  let shown = null;     /* the time that is read out, s */

  /* Index of the row nearest to t. */
  function rowAt(times, t) {
    let low = 0, high = times.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (times[middle] <= t) low = middle + 1; else high = middle;
    }
    return low > 0 && !(times[low] - t < t - times[low - 1]) ? low - 1 : low;
  }

  function timesOf(figure) {
    return data.times[data.charts[figure.id].series.find((s) => s).time];
  }

  function place(svg, t) {
    const left = +svg.dataset.left, right = +svg.dataset.right;
    let line = svg.querySelector('.cross');
    if (t === null) {
      if (line) line.remove();
      return;
    }
    if (!line) {
      line = document.createElementNS(svg.namespaceURI, 'line');
      line.setAttribute('class', 'cross');
      line.setAttribute('y1', svg.dataset.top);
      line.setAttribute('y2', svg.dataset.bottom);
      svg.appendChild(line);
    }
    const x = left + (right - left) * t / data.duration;
    line.setAttribute('x1', x);
    line.setAttribute('x2', x);
  }

  function text(chart, series, t) {
    const value = t === null ? null : series.values[rowAt(data.times[series.time], t)];
    return value === null ? ''
      : value.toFixed(chart.digits) + (chart.unit ? '\u00a0' + chart.unit : '');
  }

  /* The same for those who hear it. */
  function speak(figure, plot, t) {
    const chart = data.charts[figure.id];
    const values = chart.series.filter((s) => s && text(chart, s, t))
      .map((s) => s.label + ' ' + text(chart, s, t));
    const marks = chart.marks.filter((m) => m[1].some((s) => s[0] <= t && t <= s[1]))
      .map((m) => m[0]);
    plot.setAttribute('aria-valuenow', t.toFixed(2));
    plot.setAttribute('aria-valuetext', [t.toFixed(2) + ' s', ...values, ...marks].join(', '));
  }

  function show(t) {
    shown = t;
    figures.forEach((figure, i) => {
      const chart = data.charts[figure.id];
      figure.querySelectorAll('svg').forEach((svg) => place(svg, t));
      figure.querySelectorAll('[data-series]').forEach((cell) => {
        cell.textContent = text(chart, chart.series[+cell.dataset.series], t);
      });
      figure.querySelector('.at').textContent = t === null ? '' : 'at ' + t.toFixed(2) + ' s';
      if (t !== null) speak(figure, plots[i], t);
    });
  }

  function press(figure, event) {
    const times = timesOf(figure), last = times.length - 1;
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'Escape') {
      show(null);
    } else if (event.key in ROWS) {
      const row = shown === null ? 0 : rowAt(times, shown);
      show(times[Math.min(last, Math.max(0, row + ROWS[event.key]))]);
      event.preventDefault();
    }
  }

  figures.forEach((figure, i) => {
    const plot = plots[i], times = timesOf(figure);
    plot.tabIndex = 0;
    plot.setAttribute('role', 'slider');
    plot.setAttribute('aria-label', figure.querySelector('svg title').textContent);
    plot.setAttribute('aria-describedby', figure.querySelector('svg desc').id);
    plot.setAttribute('aria-valuemin', times[0]);
    plot.setAttribute('aria-valuemax', times[times.length - 1]);
    speak(figure, plot, times[0]);
    plot.addEventListener('keydown', (event) => press(figure, event));
    plot.addEventListener('focus', () => show(shown === null ? times[0] : shown));
    plot.addEventListener('blur', (event) => {
      if (!plots.includes(event.relatedTarget)) show(null);
    });
  });
  document.querySelector('.keys').hidden = figures.length === 0;

  figures.forEach((figure) => figure.querySelectorAll('svg').forEach((svg) => {
    svg.addEventListener('pointermove', (event) => {
      const box = svg.getBoundingClientRect();
      const x = (event.clientX - box.left) * svg.viewBox.baseVal.width / box.width;
      const left = +svg.dataset.left, right = +svg.dataset.right;
      const t = (x - left) / (right - left) * data.duration;
      show(t >= 0 && t <= data.duration ? t : null);
    });
    svg.addEventListener('pointerleave', () => show(null));
  }));
}());
