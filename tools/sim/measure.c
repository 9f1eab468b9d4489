/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What RFC 8868 asks to be measured, from the samples of a run.
 */
#include <stdlib.h>

#include "sim/world.h"

#define LARGEST_BPS 1e13                /* tools/report.py draws no more */

static int
by_value (const void *a, const void *b)
{
  const double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

static double
percentile (double *values, size_t n, double p)
{
  if (n == 0)
    return 0.0;
  qsort (values, n, sizeof *values, by_value);
  return values[(size_t) (p / 100.0 * (double) (n - 1) + 0.5)];
}

static bool
within (RccTime t, RccTime from, RccTime to)
{
  return t >= from && t < to;
}

bool
rcc_flow_is_heard (const RccFlowConfig *c, RccTime at)
{
  return at >= c->start && (c->stop == RCC_NEVER || at < c->stop)
      && !within (at, c->pause, c->resume);
}

/* What the flows that run could send at most over the forward bottleneck. */
static double
offered_bps (const RccWorld *w, RccTime at)
{
  double bps = 0.0;

  for (unsigned i = 0; i < w->n_flows; i++) {
    const RccFlowConfig *c = &w->flows[i]->config;

    if (c->direction == RCC_FORWARD && rcc_flow_is_heard (c, at))
      bps += c->limits.max_bps;
  }
  return bps;
}

double
rcc_flow_mean_bps (const RccFlow *f, RccTime from, RccTime to)
{
  double sum = 0.0;
  size_t n = 0;

  for (size_t i = 0; i < f->n_samples; i++) {
    if (f->samples[i].time <= from || f->samples[i].time > to)
      continue;
    sum += f->samples[i].received_bps;
    n++;
  }
  return n ? sum / (double) n : 0.0;
}

RccLosses
rcc_flow_media (const RccFlow *f, RccTime from, RccTime to)
{
  RccLosses sum = { 0 };

  for (size_t i = 0; i < f->n_samples; i++)
    if (f->samples[i].time > from && f->samples[i].time <= to)
      rcc_losses_add (&sum, &f->media[i]);
  return sum;
}

/* Of one flow that goes forward. */
static void
add_flow (RccPhase *p, const RccFlow *f, RccTime from, RccTime to)
{
  const RccLosses media = rcc_flow_media (f, from, to);

  p->delivered_bps += rcc_flow_mean_bps (f, from, to);
  rcc_losses_add (&p->media, &media);
}

RccPhase
rcc_world_phase (const RccWorld *w, RccTime from, RccTime to)
{
  double *queue = malloc (w->n_queue * sizeof *queue), possible = 0.0;
  RccPhase p = { 0 };
  size_t n = 0;

  for (size_t i = 0; i < w->n_queue; i++) {
    if (!within (w->queue[i].time, from, to))
      continue;
    queue[n++] = (double) w->queue[i].queue * 1e-6;
    possible += RCC_MIN ((double) w->queue[i].capacity_bps,
        offered_bps (w, w->queue[i].time));
  }
  p.queue_p50 = percentile (queue, n, 50);
  p.queue_p95 = percentile (queue, n, 95);
  p.queue_p99 = percentile (queue, n, 99);
  for (unsigned i = 0; i < w->n_flows; i++)
    if (w->flows[i]->config.direction == RCC_FORWARD)
      add_flow (&p, w->flows[i], from, to);
  p.utilisation = possible > 0 ? p.delivered_bps / (possible / (double) n) : 0.0;
  free (queue);
  return p;
}

RccTime
rcc_world_queue_settles (const RccWorld *w, RccTime limit, RccTime hold, RccTime from,
    RccTime to)
{
  RccTime since = RCC_NEVER;

  for (size_t i = 0; i < w->n_queue; i++) {
    const RccQueueSample *q = &w->queue[i];

    if (!within (q->time, from, to))
      continue;
    if (q->queue > limit)
      since = RCC_NEVER;
    else if (since == RCC_NEVER)
      since = q->time;
    if (since != RCC_NEVER && q->time >= since + hold)
      return since;
  }
  return RCC_NEVER;
}

RccTime
rcc_flow_reaches (const RccFlow *f, double bps, RccTime from, RccTime to)
{
  for (size_t i = 0; i < f->n_samples; i++) {
    const RccTime t = f->samples[i].time;

    if (t >= from + RCC_SEC && t < to && rcc_flow_mean_bps (f, t - RCC_SEC, t) >= bps)
      return t;
  }
  return RCC_NEVER;
}

double
rcc_flow_delay (const RccFlow *f, double p, RccTime from, RccTime to)
{
  double *values = malloc (RCC_MAX (f->n_delays, 1) * sizeof *values), result;
  size_t n = 0;

  for (size_t i = 0; i < f->n_delays; i++)
    if (within (f->delay_times[i], from, to))
      values[n++] = f->delays[i];
  result = percentile (values, n, p);
  free (values);
  return result;
}

RccTime
rcc_flow_triggered (const RccFlow *f)
{
  return f->n_events ? f->events[0].at : RCC_NEVER;
}

static void
ms (FILE *out, RccTime t)
{
  if (t == RCC_NEVER)
    fputs (",", out);
  else
    fprintf (out, ",%.2f", (double) t * 1e-6);
}

/* Without loss there is no TCP rate: a gap.  Without a breaker there is nothing. */
static void
write_breaker (const RccFlowSample *s, FILE *out)
{
  if (!s->breaker_state)
    fputs (",,,,,", out);
  else if (s->tcp_bps > LARGEST_BPS)
    fprintf (out, ",%s,%.4f,%.0f,,", s->breaker_state, s->breaker_loss, s->breaker_bps);
  else
    fprintf (out, ",%s,%.4f,%.0f,%.0f,%.0f", s->breaker_state, s->breaker_loss, s->breaker_bps,
        s->tcp_bps, s->limit_bps);
}

static bool
is_reported_by_stream (const RccFlow *f)
{
  return f->config.queue.scheduled || f->config.controller != rcc_registry_row (0);
}

static void
write_stream_names (FILE *out)
{
  fputs (",loss-event-rate,equation-bitrate", out);
  for (int k = 0; k < RCC_WORLD_STREAMS; k++) {
    const char *name = rcc_world_stream_names[k];

    fprintf (out, ",%s-offered,%s-sent,%s-received,%s-in-time", name, name, name, name);
    for (int i = 0; i < RCC_SBPN_FLUSHED; i++)
      fprintf (out, ",%s-dropped-%s", name, rcc_sbpn_cause_names[i]);
    fprintf (out, ",%s-wait", name);
  }
}

static unsigned
grown (uint64_t now, uint64_t before)
{
  return (unsigned) (now - before);
}

/* What of a stream came between two samples. */
static void
write_stream (const RccStreamCount *now, const RccStreamCount *before, FILE *out)
{
  const unsigned sent = grown (now->sent, before->sent);

  fprintf (out, ",%u,%u,%u,%u", grown (now->offered, before->offered), sent,
      grown (now->received, before->received), grown (now->on_time, before->on_time));
  for (int i = 0; i < RCC_SBPN_FLUSHED; i++)
    fprintf (out, ",%u", grown (now->dropped[i], before->dropped[i]));
  ms (out, sent ? (RccTime) ((now->queue_time - before->queue_time) / sent) : RCC_NEVER);
}

static void
write_streams (const RccFlowSample *s, const RccFlowSample *before, FILE *out)
{
  static const RccStreamCount none;

  fprintf (out, ",%.5f,", s->loss_event_rate);
  if (s->equation_bps != UINT32_MAX)
    fprintf (out, "%u", s->equation_bps);
  for (int k = 0; k < RCC_WORLD_STREAMS; k++)
    write_stream (&s->streams[k], before ? &before->streams[k] : &none, out);
}

static void
write_losses (const RccLosses *l, FILE *out)
{
  fprintf (out, ",%.4f,%u,%u,%u,%u,", rcc_losses_lost (l), (unsigned) l->offered,
      (unsigned) l->unsent, (unsigned) l->left, (unsigned) l->lost);
  if (l->deadline)
    fprintf (out, "%u", (unsigned) l->late);
}

void
rcc_world_write_csv (const RccWorld *w, const RccFlow *f, FILE *out)
{
  const size_t step = (size_t) (200 * RCC_MSEC / (10 * RCC_MSEC));

  fputs ("time,capacity,target,sent,received,rtt,owd,owd-max,queue,"
      "loss,offered,unsent,left,lost,late,pacer-queue,estimate,threshold,state,usage,"
      "breaker,breaker-loss,breaker-sent,breaker-tcp,breaker-limit", out);
  if (is_reported_by_stream (f))
    write_stream_names (out);
  fputc ('\n', out);
  for (size_t i = 0; i < f->n_samples; i++) {
    const RccFlowSample *s = &f->samples[i];
    const RccQueueSample *q = &w->queue[RCC_MIN ((i + 1) * step, w->n_queue - 1)];

    fprintf (out, "%.1f,", (double) s->time * 1e-9);
    if (q->capacity_bps != RCC_LINK_UNLIMITED)
      fprintf (out, "%llu", (unsigned long long) q->capacity_bps);
    fprintf (out, ",%u,%u,%u", s->target_bps, s->sent_bps, s->received_bps);
    ms (out, s->rtt);
    ms (out, s->owd);
    ms (out, s->owd_max);
    ms (out, q->queue);
    write_losses (&f->media[i], out);
    ms (out, s->pacer_queue);
    fprintf (out, ",%.3f,%.3f,%s,%s", s->trend, s->threshold, s->state, s->usage);
    write_breaker (s, out);
    if (is_reported_by_stream (f))
      write_streams (s, i > 0 ? s - 1 : NULL, out);
    fputc ('\n', out);
  }
}
