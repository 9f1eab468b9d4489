/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Read-out under the pointer: a line through every chart at the same time, and
 * the values there beside the legend.  The page is complete without it. */
'use strict';
(function () {
  const data = JSON.parse(document.getElementById('data').textContent);
  const figures = Array.from(document.querySelectorAll('figure'));

  /* Index of the row nearest to t. */
  function rowAt(times, t) {
    let low = 0, high = times.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (times[middle] <= t) low = middle + 1; else high = middle;
    }
    return low > 0 && !(times[low] - t < t - times[low - 1]) ? low - 1 : low;
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

  function show(t) {
    for (const figure of figures) {
      const chart = data.charts[figure.id];
      figure.querySelectorAll('svg').forEach((svg) => place(svg, t));
      figure.querySelectorAll('[data-series]').forEach((cell) => {
        const series = chart.series[+cell.dataset.series];
        const value = t === null ? null : series.values[rowAt(data.times[series.time], t)];
        cell.textContent = value === null ? ''
          : value.toFixed(chart.digits) + (chart.unit ? '\u00a0' + chart.unit : '');
      });
    }
  }

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
