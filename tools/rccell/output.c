/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <math.h>

#include "rccell/network.h"

static void
number (FILE *out, const char *name, double value)
{
  fprintf (out, isfinite (value) ? "\"%s\": %.6g" : "\"%s\": null", name, value);
}

/* Of the round trips that the breaker was told of; NaN: none. */
static double
mean_rtt (const RccFlow *f)
{
  double sum = 0;
  size_t known = 0;

  for (size_t i = 0; i < f->frame_stats.n_reports; i++)
    if (f->frame_stats.reports[i].rtt != RCC_NEVER) {
      sum += (double) f->frame_stats.reports[i].rtt * 1e-9;
      known++;
    }
  return known > 0 ? sum / (double) known : NAN;
}

static void
write_breaker (FILE *out, const RccFlow *f)
{
  const RccTime at = rcc_flow_triggered (f);

  if (!f->config.breaks) {
    fputs ("\"breaker\": null", out);
    return;
  }
  fputs ("\"breaker\": {", out);
  number (out, "triggered", at == RCC_NEVER ? NAN : (double) at * 1e-9);
  fprintf (out, ", \"reason\": \"%s\", ", rcc_breaker_reason_names[f->n_events > 0
          ? f->events[0].reason : RCC_BREAKER_NO_REASON]);
  number (out, "rtt", mean_rtt (f));
  fputc ('}', out);
}

static double
sinr_db (const RccPlace *place)
{
  double load[RCC_LAYOUT_CELLS];

  for (unsigned k = 0; k < RCC_LAYOUT_CELLS; k++)
    load[k] = 0.5;
  return 10 * log10 (rcc_layout_sinr (place, load));
}

static void
write_call (FILE *out, const RccNetwork *n, unsigned i)
{
  const RccFlow *f = n->world->flows[i];
  const RccLosses media = rcc_flow_media (f, 0, RCC_NEVER);
  const RccFrameStats *frames = &f->frame_stats;

  fputc ('{', out);
  number (out, "start", (double) f->config.start * 1e-9);
  fputs (", ", out);
  number (out, "stop", (double) RCC_MIN (f->config.stop, n->config.duration) * 1e-9);
  fputs (", ", out);
  number (out, "lost", rcc_losses_lost (&media));
  fputs (", ", out);
  number (out, "sinr", sinr_db (&n->callers[i].place));
  fputs (", \"frames\": {", out);
  number (out, "mean", rcc_frame_stats_mean (frames, NULL));
  fputs (", ", out);
  number (out, "p98", rcc_frame_stats_delay (frames, 98));
  fputs ("}, ", out);
  write_breaker (out, f);
  fputc ('}', out);
}

void
rcc_network_write (const RccNetwork *n, FILE *out)
{
  fputc ('{', out);
  number (out, "duration", (double) n->config.duration * 1e-9);
  fprintf (out, ", \"seed\": %llu, ", (unsigned long long) n->config.seed);
  number (out, "utilisation", rcc_network_utilisation (n));
  fputs (", \"flows\": [", out);
  for (unsigned i = 0; i < n->world->n_flows; i++) {
    fputs (i > 0 ? ",\n  " : "\n  ", out);
    write_call (out, n, i);
  }
  fputs ("]}\n", out);
}
