/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sim/framestats.h"

#include <math.h>
#include <stdlib.h>

void
rcc_frame_stats_init (RccFrameStats *d, unsigned every)
{
  *d = (RccFrameStats) { .every = every };
}

void
rcc_frame_stats_clear (RccFrameStats *d)
{
  free (d->frames);
  free (d->reports);
}

void
rcc_frame_stats_received (RccFrameStats *d, uint64_t frame, RccTime created, RccTime now)
{
  const size_t i = (size_t) ((frame - 1) / d->every);

  if ((frame - 1) % d->every > 0)
    return;
  if (i >= d->room_frames) {
    d->room_frames = RCC_MAX (2 * d->room_frames, i + 1024);
    d->frames = realloc (d->frames, d->room_frames * sizeof *d->frames);
  }
  while (d->n_frames <= i)
    d->frames[d->n_frames++] = -1;
  d->frames[i] = (double) (now - created) * 1e-6;
}

static int
by_value (const void *a, const void *b)
{
  const double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

double
rcc_frame_stats_delay (const RccFrameStats *d, double percentile)
{
  double *sorted = malloc (RCC_MAX (d->n_frames, 1) * sizeof *sorted), delay = INFINITY;
  size_t n = 0;

  for (size_t i = 0; i < d->n_frames; i++)
    if (d->frames[i] >= 0)
      sorted[n++] = d->frames[i];
  qsort (sorted, n, sizeof *sorted, by_value);
  if (n > 0)
    delay = sorted[(size_t) (percentile / 100 * (double) (n - 1) + 0.5)];
  free (sorted);
  return delay;
}

double
rcc_frame_stats_mean (const RccFrameStats *d, size_t *n)
{
  double sum = 0;
  size_t came = 0;

  for (size_t i = 0; i < d->n_frames; i++)
    if (d->frames[i] >= 0) {
      sum += d->frames[i];
      came++;
    }
  if (n)
    *n = came;
  return came > 0 ? sum / (double) came : INFINITY;
}

/* Not every report is judged: early ones may be one interval together. */
void
rcc_frame_stats_heard (RccFrameStats *d, const RccBreakerStream *s, RccTime now)
{
  const RccBreakerCongestion *c = &s->congestion;
  RccFrameStatsReport *report;

  if (c->n_intervals <= d->judged) {
    d->judged = c->n_intervals;         /* or they were forgotten */
    return;
  }
  d->judged = c->n_intervals;
  if (d->heard++ % d->every > 0)
    return;
  d->reports = realloc (d->reports, (d->n_reports + 1) * sizeof *d->reports);
  report = &d->reports[d->n_reports++];
  *report = (RccFrameStatsReport) { .at = now, .loss = s->loss, .tcp_bps = s->tcp_bps,
    .sent_bps = s->sent_bps,
    .rtt = c->n_rtts ? c->rtts[(c->n_rtts - 1) % RCC_BREAKER_RTTS] : RCC_NEVER };
}
