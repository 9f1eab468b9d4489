/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sim/summary.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "sim/json.h"

#define SHORTEST (5 * RCC_SEC)          /* of a phase */
#define UNDER_WAY (5 * RCC_SEC)         /* a full queue may take so long to leave */
#define LOW_QUEUE (50 * RCC_MSEC)
#define QUANTILES 21

/* core/losses.h */
static void
write_losses (RccJson *j, const RccLosses *l)
{
  rcc_json_number (j, "lost", rcc_losses_lost (l));
  rcc_json_number (j, "unsent", rcc_losses_unsent (l));
  rcc_json_number (j, "late", rcc_losses_late (l));
}

static double
seconds (RccTime t)
{
  return t == RCC_NEVER ? INFINITY : (double) t * 1e-9;
}

static void
write_span (RccJson *j, const RccWorld *w, RccTime from, RccTime to)
{
  const RccPhase p = rcc_world_phase (w, from, to);

  rcc_json_number (j, "utilisation", p.utilisation);
  rcc_json_number (j, "queue-p50", p.queue_p50);
  rcc_json_number (j, "queue-p95", p.queue_p95);
  rcc_json_number (j, "queue-p99", p.queue_p99);
  write_losses (j, &p.media);
  rcc_json_number (j, "delivered", p.delivered_bps);
}

static void
write_heard (RccJson *j, const RccWorld *w, RccTime at)
{
  rcc_json_array (j, "flows");
  for (unsigned i = 0; i < w->n_flows; i++)
    if (rcc_flow_is_heard (&w->flows[i]->config, at))
      rcc_json_count (j, NULL, i);
  rcc_json_end (j);
}

static void
write_phase (RccJson *j, const RccWorld *w, RccTime from, RccTime to, uint64_t capacity)
{
  const RccTime settles = rcc_world_queue_settles (w, LOW_QUEUE, RCC_SEC, from, to);

  rcc_json_object (j, NULL);
  rcc_json_number (j, "from", seconds (from));
  rcc_json_number (j, "to", seconds (to));
  rcc_json_number (j, "capacity", capacity == RCC_LINK_UNLIMITED ? INFINITY : (double) capacity);
  rcc_json_number (j, "settles", settles == RCC_NEVER ? INFINITY : seconds (settles - from));
  write_span (j, w, from, to);
  write_heard (j, w, from);
  rcc_json_end (j);
}

static bool
changes (const RccWorld *w, const RccQueueSample *before, const RccQueueSample *now)
{
  if (now->capacity_bps != before->capacity_bps)
    return true;
  for (unsigned i = 0; i < w->n_flows; i++)
    if (rcc_flow_is_heard (&w->flows[i]->config, now->time)
        != rcc_flow_is_heard (&w->flows[i]->config, before->time))
      return true;
  return false;
}

static void
write_phases (RccJson *j, const RccWorld *w)
{
  RccTime from = 0;

  rcc_json_array (j, "phases");
  for (size_t i = 1; i <= w->n_queue; i++) {
    const RccTime to = i < w->n_queue ? w->queue[i].time : w->duration;

    if (i < w->n_queue && !changes (w, &w->queue[i - 1], &w->queue[i]))
      continue;
    if (to - from >= SHORTEST)
      write_phase (j, w, from, to, w->queue[i - 1].capacity_bps);
    from = to;
  }
  rcc_json_end (j);
}

static int
by_value (const void *a, const void *b)
{
  const double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

static double
quantile (const double *sorted, size_t n, double share)
{
  return n ? sorted[(size_t) (share * (double) (n - 1) + 0.5)] : INFINITY;
}

static void
write_delay (RccJson *j, const RccFlow *f)
{
  const size_t n = f->n_delays;
  double *sorted = malloc (RCC_MAX (n, 1) * sizeof *sorted), sum = 0;

  for (size_t i = 0; i < n; i++) {
    sorted[i] = f->delays[i];
    sum += sorted[i];
  }
  qsort (sorted, n, sizeof *sorted, by_value);
  rcc_json_object (j, "delay");
  rcc_json_number (j, "mean", n ? sum / (double) n : INFINITY);
  rcc_json_number (j, "p50", quantile (sorted, n, 0.50));
  rcc_json_number (j, "p95", quantile (sorted, n, 0.95));
  rcc_json_number (j, "p98", quantile (sorted, n, 0.98));
  rcc_json_number (j, "p99", quantile (sorted, n, 0.99));
  rcc_json_array (j, "quantiles");
  for (int i = 0; n && i < QUANTILES; i++)
    rcc_json_rounded (j, NULL, quantile (sorted, n, i / (QUANTILES - 1.0)), 2);
  rcc_json_end (j);
  rcc_json_end (j);
  free (sorted);
}

static void
write_frames (RccJson *j, const RccFrameStats *d)
{
  size_t n;
  const double mean = rcc_frame_stats_mean (d, &n);

  rcc_json_object (j, "frames");
  rcc_json_number (j, "received", (double) n);
  rcc_json_number (j, "mean", mean);
  rcc_json_number (j, "p98", rcc_frame_stats_delay (d, 98));
  rcc_json_end (j);
}

/* Means of each second of a rate, or of each bin of a long run; the rate is at @offset of a
 * sample. */
static void
write_rates (RccJson *j, const RccWorld *w, const RccFlow *f, const char *name, size_t offset)
{
  const size_t each = w->grain == 1 ? RCC_SEC / RCC_WORLD_BIN : 1;

  rcc_json_array (j, name);
  for (size_t i = 0; i + each <= f->n_samples; i += each) {
    double sum = 0;

    for (size_t k = i; k < i + each; k++)
      sum += *(const uint32_t *) (const void *) ((const char *) &f->samples[k] + offset);
    rcc_json_rounded (j, NULL, sum / (double) each / 1e3, 1);
  }
  rcc_json_end (j);
}

static void
write_sent (RccJson *j, const RccWorld *w, const RccFlow *f)
{
  const RccTime bin = w->grain * RCC_WORLD_BIN;
  const size_t to = (size_t) (f->config.stop / bin);

  rcc_json_array (j, "sent");
  for (size_t i = (size_t) (f->config.start / bin); i < f->n_samples && i < to; i++)
    rcc_json_rounded (j, NULL, f->samples[i].sent_bps / 1e3, 0);
  rcc_json_end (j);
}

static void
write_streams (RccJson *j, const RccFlow *f)
{
  rcc_json_object (j, "streams");
  for (int k = 0; k < RCC_WORLD_STREAMS; k++) {
    const RccStreamCount *c = &f->sender.delivery.streams[k];

    rcc_json_object (j, rcc_world_stream_names[k]);
    rcc_json_number (j, "offered", (double) c->offered);
    rcc_json_number (j, "sent", (double) c->sent);
    rcc_json_number (j, "received", (double) c->received);
    rcc_json_number (j, "on-time", (double) c->on_time);
    rcc_json_end (j);
  }
  rcc_json_end (j);
}

static void
write_reports (RccJson *j, const RccFrameStats *d)
{
  rcc_json_array (j, "reports");
  for (size_t i = 0; i < d->n_reports; i++) {
    const RccFrameStatsReport *r = &d->reports[i];

    rcc_json_array (j, NULL);
    rcc_json_rounded (j, NULL, seconds (r->at), 3);
    rcc_json_number (j, NULL, r->loss);
    rcc_json_number (j, NULL, seconds (r->rtt));
    rcc_json_number (j, NULL, r->tcp_bps);
    rcc_json_number (j, NULL, r->sent_bps);
    rcc_json_end (j);
  }
  rcc_json_end (j);
}

static void
write_breaker (RccJson *j, const RccFlow *f)
{
  const RccBreakerEvent *e = f->events;

  if (!f->config.breaks) {
    rcc_json_text (j, "breaker", NULL);
    return;
  }
  rcc_json_object (j, "breaker");
  rcc_json_number (j, "triggered", seconds (rcc_flow_triggered (f)));
  if (f->n_events) {
    rcc_json_text (j, "reason", rcc_breaker_reason_names[e->reason]);
    rcc_json_number (j, "loss", e->loss);
    rcc_json_number (j, "rtt", seconds (e->rtt));
    rcc_json_number (j, "tcp", e->tcp_bps);
    rcc_json_number (j, "sent", e->sent_bps);
  }
  write_reports (j, &f->frame_stats);
  rcc_json_end (j);
}

static void
write_fec (RccJson *j, RccFlow *f)
{
  const char *metrics = f->packet_trace ? (const char *) &f->packet_trace->metrics : NULL;

  if (!metrics) {
    rcc_json_text (j, "fec", NULL);
    return;
  }
  rcc_json_object (j, "fec");
  for (const RccField *field = rcc_fecmetrics_fields; field->name; field++) {
    const char *at = metrics + field->offset;

    rcc_json_number (j, field->name, field->type == RCC_DOUBLE ? *(const double *) at
        : (double) *(const uint64_t *) at);
  }
  rcc_json_number (j, "lost", (double) f->packet_trace->metrics.lost);
  rcc_json_number (j, "late", (double) f->packet_trace->metrics.late);
  rcc_json_number (j, "media-packets", (double) f->packet_trace->metrics.media_packets);
  rcc_json_end (j);
}

/* Of all media packets of the run: the shares, and the counts that they are made of. */
static void
write_media (RccJson *j, const RccFlow *f)
{
  const RccLosses l = rcc_flow_media (f, 0, RCC_NEVER);

  write_losses (j, &l);
  rcc_json_object (j, "media");
  rcc_json_number (j, "offered", (double) l.offered);
  rcc_json_number (j, "unsent", (double) l.unsent);
  rcc_json_number (j, "left", (double) l.left);
  rcc_json_number (j, "lost", (double) l.lost);
  rcc_json_number (j, "late", l.deadline ? (double) l.late : INFINITY);
  rcc_json_end (j);
}

static void
write_repair (RccJson *j, const RccFlow *f)
{
  const RccNacks *k = f->receiver.nacks;

  if (!k) {
    rcc_json_text (j, "repair", NULL);
    return;
  }
  rcc_json_object (j, "repair");
  rcc_json_number (j, "link-lost", (double) f->n_losses);
  rcc_json_number (j, "requests", (double) k->requests);
  rcc_json_number (j, "sent-again", (double) f->sender.path.rtx.packets);
  rcc_json_number (j, "recovered", (double) k->recovered);
  rcc_json_number (j, "given-up", (double) k->given_up);
  rcc_json_number (j, "unneeded", (double) k->unneeded);
  rcc_json_number (j, "left-out", (double) f->sender.gaps);
  rcc_json_end (j);
}

static void
write_clock (RccJson *j, const RccFlow *f)
{
  char text[RCC_CLOCK_TEXT];

  rcc_clock_text (f->config.clock, text);
  rcc_json_text (j, "clock", text);
}

static void
write_over_time (RccJson *j, const RccWorld *w, const RccFlow *f)
{
  write_rates (j, w, f, "rates", offsetof (RccFlowSample, received_bps));
  write_sent (j, w, f);
  if (f->packet_trace) {
    write_rates (j, w, f, "targets", offsetof (RccFlowSample, target_bps));
      write_rates (j, w, f, "fec-rates", offsetof (RccFlowSample, fec_bps));
    }
}

static void
write_flow (RccJson *j, const RccWorld *w, RccFlow *f)
{
  const RccTime stop = RCC_MIN (f->config.stop, w->duration);
  const RccTime end = w->duration > 2 * UNDER_WAY ? w->duration - UNDER_WAY : w->duration;
  double received = rcc_flow_mean_bps (f, f->config.start, stop), goodput = received;

  if (f->packet_trace) {
    rcc_packet_trace_close (f->packet_trace, end, end);
    goodput = f->packet_trace->metrics.goodput_bps;
    received = rcc_flow_mean_bps (f, f->config.start, RCC_MIN (stop, end));
  }
  rcc_json_object (j, NULL);
  rcc_json_text (j, "controller", f->config.adapt ? f->config.controller->name : "fixed");
  rcc_json_text (j, "direction", f->config.direction == RCC_FORWARD ? "fwd" : "rev");
  write_clock (j, f);
  rcc_json_number (j, "start", seconds (f->config.start));
  rcc_json_number (j, "stop", seconds (stop));
  rcc_json_number (j, "pause", f->config.pause < f->config.resume ? seconds (f->config.pause) : INFINITY);
  rcc_json_number (j, "resume", f->config.pause < f->config.resume ? seconds (f->config.resume)
      : INFINITY);
  rcc_json_number (j, "goodput", goodput);
  rcc_json_number (j, "received", received);
  write_media (j, f);
  rcc_json_number (j, "marked", f->n_received > 0 ? (double) f->n_marked / (double) f->n_received : 0.0);
  write_delay (j, f);
  write_frames (j, &f->frame_stats);
  write_repair (j, f);
  write_over_time (j, w, f);
  write_streams (j, f);
  write_breaker (j, f);
  write_fec (j, f);
  if (f->config.notes_groups)
    rcc_group_notes_write (&f->groups, j);
  rcc_json_end (j);
}

static void
write_tcp (RccJson *j, const RccSummaryTcp *tcp)
{
  rcc_json_object (j, NULL);
  rcc_json_text (j, "kind", tcp->kind);
  rcc_json_number (j, "bitrate", tcp->bps);
  if (tcp->pages) {
    rcc_json_number (j, "pages", (double) tcp->pages);
    rcc_json_number (j, "page-time", tcp->page_time);
  }
  rcc_json_end (j);
}

static void
write_tcps (RccJson *j, const RccWorld *w, const RccSummaryTcp *tcp, size_t n)
{
  rcc_json_array (j, "tcp");
  for (unsigned i = 0; i < w->n_renos; i++) {
    const RccSummaryTcp reno = { .kind = "reno", .bps = 8e9 * (double) w->renos[i]->delivered
        * w->renos[i]->config.packet_size / (double) w->duration };

    write_tcp (j, &reno);
  }
  for (size_t i = 0; i < n; i++)
    write_tcp (j, &tcp[i]);
  rcc_json_end (j);
}

void
rcc_world_write_summary (const RccWorld *w, const RccSummaryTcp *tcp, size_t n, FILE *out)
{
  RccJson json = rcc_json (out), *j = &json;

  rcc_json_object (j, NULL);
  rcc_json_number (j, "duration", seconds (w->duration));
  rcc_json_number (j, "bin", seconds (w->grain * RCC_WORLD_BIN));
  rcc_json_count (j, "seed", w->seed);
  rcc_json_object (j, "link");
  write_span (j, w, 0, w->duration);
  rcc_json_end (j);
  write_phases (j, w);
  rcc_json_array (j, "flows");
  for (unsigned i = 0; i < w->n_flows; i++)
    write_flow (j, w, w->flows[i]);
  rcc_json_end (j);
  write_tcps (j, w, tcp, n);
  rcc_json_end (j);
}
