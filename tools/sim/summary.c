/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sim/summary.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#define SHORTEST (5 * RCC_SEC)          /* of a phase */
#define UNDER_WAY (5 * RCC_SEC)         /* a full queue may take so long to leave */
#define LOW_QUEUE (50 * RCC_MSEC)
#define QUANTILES 21

static void
number (FILE *out, const char *name, double value)
{
  if (isfinite (value))
    fprintf (out, "\"%s\": %.7g", name, value);
  else
    fprintf (out, "\"%s\": null", name);
}

static void
more (FILE *out, const char *name, double value)
{
  fputs (", ", out);
  number (out, name, value);
}

/* core/losses.h */
static void
write_losses (FILE *out, const RccLosses *l)
{
  more (out, "lost", rcc_losses_lost (l));
  more (out, "unsent", rcc_losses_unsent (l));
  more (out, "late", rcc_losses_late (l));
}

static double
seconds (RccTime t)
{
  return t == RCC_NEVER ? INFINITY : (double) t * 1e-9;
}

static void
write_span (FILE *out, const RccWorld *w, RccTime from, RccTime to)
{
  const RccPhase p = rcc_world_phase (w, from, to);

  number (out, "utilisation", p.utilisation);
  more (out, "queue-p50", p.queue_p50);
  more (out, "queue-p95", p.queue_p95);
  more (out, "queue-p99", p.queue_p99);
  write_losses (out, &p.media);
  more (out, "delivered", p.delivered_bps);
}

static void
write_heard (FILE *out, const RccWorld *w, RccTime at)
{
  const char *separator = "";

  fputs (", \"flows\": [", out);
  for (unsigned i = 0; i < w->n_flows; i++) {
    if (!rcc_flow_is_heard (&w->flows[i]->config, at))
      continue;
    fprintf (out, "%s%u", separator, i);
    separator = ", ";
  }
  fputc (']', out);
}

static void
write_phase (FILE *out, const RccWorld *w, RccTime from, RccTime to, uint64_t capacity)
{
  const RccTime settles = rcc_world_queue_settles (w, LOW_QUEUE, RCC_SEC, from, to);

  fputc ('{', out);
  number (out, "from", seconds (from));
  more (out, "to", seconds (to));
  more (out, "capacity", capacity == RCC_LINK_UNLIMITED ? INFINITY : (double) capacity);
  more (out, "settles", settles == RCC_NEVER ? INFINITY : seconds (settles - from));
  fputs (", ", out);
  write_span (out, w, from, to);
  write_heard (out, w, from);
  fputc ('}', out);
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
write_phases (FILE *out, const RccWorld *w)
{
  const char *separator = "";
  RccTime from = 0;

  fputs ("\"phases\": [", out);
  for (size_t i = 1; i <= w->n_queue; i++) {
    const RccTime to = i < w->n_queue ? w->queue[i].time : w->duration;

    if (i < w->n_queue && !changes (w, &w->queue[i - 1], &w->queue[i]))
      continue;
    if (to - from >= SHORTEST) {
      fputs (separator, out);
      write_phase (out, w, from, to, w->queue[i - 1].capacity_bps);
      separator = ",\n  ";
    }
    from = to;
  }
  fputs ("]", out);
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
write_delay (FILE *out, const RccFlow *f)
{
  const size_t n = f->n_delays;
  double *sorted = malloc (RCC_MAX (n, 1) * sizeof *sorted), sum = 0;

  for (size_t i = 0; i < n; i++) {
    sorted[i] = f->delays[i];
    sum += sorted[i];
  }
  qsort (sorted, n, sizeof *sorted, by_value);
  fputs ("\"delay\": {", out);
  number (out, "mean", n ? sum / (double) n : INFINITY);
  more (out, "p50", quantile (sorted, n, 0.50));
  more (out, "p95", quantile (sorted, n, 0.95));
  more (out, "p98", quantile (sorted, n, 0.98));
  more (out, "p99", quantile (sorted, n, 0.99));
  fputs (", \"quantiles\": [", out);
  for (int i = 0; n && i < QUANTILES; i++)
    fprintf (out, "%s%.2f", i ? ", " : "", quantile (sorted, n, i / (QUANTILES - 1.0)));
  fputs ("]}", out);
  free (sorted);
}

static void
write_frames (FILE *out, const RccFrameStats *d)
{
  size_t n;
  const double mean = rcc_frame_stats_mean (d, &n);

  fputs (", \"frames\": {", out);
  number (out, "received", (double) n);
  more (out, "mean", mean);
  more (out, "p98", rcc_frame_stats_delay (d, 98));
  fputc ('}', out);
}

/* Means of each second of a rate, or of each bin of a long run; the rate is at @offset of a
 * sample. */
static void
write_rates (FILE *out, const RccWorld *w, const RccFlow *f, const char *name, size_t offset)
{
  const size_t each = w->grain == 1 ? RCC_SEC / RCC_WORLD_BIN : 1;

  fprintf (out, "\"%s\": [", name);
  for (size_t i = 0; i + each <= f->n_samples; i += each) {
    double sum = 0;

    for (size_t k = i; k < i + each; k++)
      sum += *(const uint32_t *) (const void *) ((const char *) &f->samples[k] + offset);
    fprintf (out, "%s%.1f", i ? ", " : "", sum / (double) each / 1e3);
  }
  fputs ("]", out);
}

static void
write_sent (FILE *out, const RccWorld *w, const RccFlow *f)
{
  const RccTime bin = w->grain * RCC_WORLD_BIN;
  const size_t to = (size_t) (f->config.stop / bin);
  const char *separator = "";

  fputs ("\"sent\": [", out);
  for (size_t i = (size_t) (f->config.start / bin); i < f->n_samples && i < to; i++) {
    fprintf (out, "%s%.0f", separator, f->samples[i].sent_bps / 1e3);
    separator = ",";
  }
  fputc (']', out);
}

static void
write_streams (FILE *out, const RccFlow *f)
{
  fputs ("\"streams\": {", out);
  for (int k = 0; k < RCC_WORLD_STREAMS; k++) {
    const RccStreamCount *c = &f->sender.delivery.streams[k];

    fprintf (out, "%s\"%s\": {", k ? ", " : "", rcc_world_stream_names[k]);
    number (out, "offered", (double) c->offered);
    more (out, "sent", (double) c->sent);
    more (out, "received", (double) c->received);
    more (out, "on-time", (double) c->on_time);
    fputc ('}', out);
  }
  fputc ('}', out);
}

static void
plain (FILE *out, double value)
{
  if (isfinite (value))
    fprintf (out, ", %.5g", value);
  else
    fputs (", null", out);
}

static void
write_reports (FILE *out, const RccFrameStats *d)
{
  fputs (", \"reports\": [", out);
  for (size_t i = 0; i < d->n_reports; i++) {
    const RccFrameStatsReport *r = &d->reports[i];

    fprintf (out, "%s[%.3f", i ? ", " : "", seconds (r->at));
    plain (out, r->loss);
    plain (out, seconds (r->rtt));
    plain (out, r->tcp_bps);
    plain (out, r->sent_bps);
    fputc (']', out);
  }
  fputs ("]", out);
}

static void
write_breaker (FILE *out, const RccFlow *f)
{
  const RccBreakerEvent *e = f->events;

  fputs ("\"breaker\": ", out);
  if (!f->config.breaks) {
    fputs ("null", out);
    return;
  }
  fputc ('{', out);
  number (out, "triggered", seconds (rcc_flow_triggered (f)));
  if (f->n_events) {
    fprintf (out, ", \"reason\": \"%s\"", rcc_breaker_reason_names[e->reason]);
    more (out, "loss", e->loss);
    more (out, "rtt", seconds (e->rtt));
    more (out, "tcp", e->tcp_bps);
    more (out, "sent", e->sent_bps);
  }
  write_reports (out, &f->frame_stats);
  fputc ('}', out);
}

static void
write_fec (FILE *out, RccFlow *f)
{
  const char *metrics = f->packet_trace ? (const char *) &f->packet_trace->metrics : NULL;

  fputs ("\"fec\": ", out);
  if (!metrics) {
    fputs ("null", out);
    return;
  }
  fputc ('{', out);
  for (const RccField *field = rcc_fecmetrics_fields; field->name; field++) {
    const char *at = metrics + field->offset;

    fputs (field == rcc_fecmetrics_fields ? "" : ", ", out);
    number (out, field->name, field->type == RCC_DOUBLE ? *(const double *) at
        : (double) *(const uint64_t *) at);
  }
  more (out, "lost", (double) f->packet_trace->metrics.lost);
  more (out, "late", (double) f->packet_trace->metrics.late);
  more (out, "media-packets", (double) f->packet_trace->metrics.media_packets);
  fputc ('}', out);
}

/* Of all media packets of the run: the shares, and the counts that they are made of. */
static void
write_media (FILE *out, const RccFlow *f)
{
  const RccLosses l = rcc_flow_media (f, 0, RCC_NEVER);

  write_losses (out, &l);
  fputs (", \"media\": {", out);
  number (out, "offered", (double) l.offered);
  more (out, "unsent", (double) l.unsent);
  more (out, "left", (double) l.left);
  more (out, "lost", (double) l.lost);
  more (out, "late", l.deadline ? (double) l.late : INFINITY);
  fputc ('}', out);
}

static void
write_repair (FILE *out, const RccFlow *f)
{
  const RccNacks *k = f->receiver.nacks;

  fputs (", \"repair\": ", out);
  if (!k) {
    fputs ("null", out);
    return;
  }
  fputc ('{', out);
  number (out, "link-lost", (double) f->n_losses);
  more (out, "requests", (double) k->requests);
  more (out, "sent-again", (double) f->sender.path.rtx.packets);
  more (out, "recovered", (double) k->recovered);
  more (out, "given-up", (double) k->given_up);
  more (out, "unneeded", (double) k->unneeded);
  more (out, "left-out", (double) f->sender.gaps);
  fputc ('}', out);
}

static void
write_clock (FILE *out, const RccFlow *f)
{
  char text[RCC_CLOCK_TEXT];

  rcc_clock_text (f->config.clock, text);
  fprintf (out, ", \"clock\": \"%s\"", text);
}

static void
write_over_time (FILE *out, const RccWorld *w, const RccFlow *f)
{
  fputs (",\n   ", out);
  write_rates (out, w, f, "rates", offsetof (RccFlowSample, received_bps));
  fputs (",\n   ", out);
  write_sent (out, w, f);
  fputs (",\n   ", out);
  if (f->packet_trace) {
    write_rates (out, w, f, "targets", offsetof (RccFlowSample, target_bps));
    fputs (",\n   ", out);
    write_rates (out, w, f, "fec-rates", offsetof (RccFlowSample, fec_bps));
    fputs (",\n   ", out);
  }
}

static void
write_flow (FILE *out, const RccWorld *w, RccFlow *f)
{
  const RccTime stop = RCC_MIN (f->config.stop, w->duration);
  const RccTime end = w->duration > 2 * UNDER_WAY ? w->duration - UNDER_WAY : w->duration;
  double received = rcc_flow_mean_bps (f, f->config.start, stop), goodput = received;

  if (f->packet_trace) {
    rcc_packet_trace_close (f->packet_trace, end, end);
    goodput = f->packet_trace->metrics.goodput_bps;
    received = rcc_flow_mean_bps (f, f->config.start, RCC_MIN (stop, end));
  }
  fprintf (out, "{\"controller\": \"%s\", \"direction\": \"%s\"",
      f->config.adapt ? f->config.controller->name : "fixed",
      f->config.direction == RCC_FORWARD ? "fwd" : "rev");
  write_clock (out, f);
  more (out, "start", seconds (f->config.start));
  more (out, "stop", seconds (stop));
  more (out, "pause", f->config.pause < f->config.resume ? seconds (f->config.pause) : INFINITY);
  more (out, "resume", f->config.pause < f->config.resume ? seconds (f->config.resume)
      : INFINITY);
  more (out, "goodput", goodput);
  more (out, "received", received);
  write_media (out, f);
  more (out, "marked", f->n_received > 0 ? (double) f->n_marked / (double) f->n_received : 0.0);
  fputs (",\n   ", out);
  write_delay (out, f);
  write_frames (out, &f->frame_stats);
  write_repair (out, f);
  write_over_time (out, w, f);
  write_streams (out, f);
  fputs (", ", out);
  write_breaker (out, f);
  fputs (",\n   ", out);
  write_fec (out, f);
  if (f->config.notes_groups) {
    fputs (",\n   \"groups\": ", out);
    rcc_group_notes_write (&f->groups, out);
  }
  fputc ('}', out);
}

static void
write_tcp (FILE *out, const RccSummaryTcp *tcp)
{
  fprintf (out, "{\"kind\": \"%s\"", tcp->kind);
  more (out, "bitrate", tcp->bps);
  if (tcp->pages) {
    more (out, "pages", (double) tcp->pages);
    more (out, "page-time", tcp->page_time);
  }
  fputc ('}', out);
}

static void
write_tcps (FILE *out, const RccWorld *w, const RccSummaryTcp *tcp, size_t n)
{
  fputs ("\"tcp\": [", out);
  for (unsigned i = 0; i < w->n_renos; i++) {
    const RccSummaryTcp reno = { .kind = "reno", .bps = 8e9 * (double) w->renos[i]->delivered
        * w->renos[i]->config.packet_size / (double) w->duration };

    fputs (i ? ",\n  " : "", out);
    write_tcp (out, &reno);
  }
  for (size_t i = 0; i < n; i++) {
    fputs (i || w->n_renos ? ",\n  " : "", out);
    write_tcp (out, &tcp[i]);
  }
  fputs ("]", out);
}

void
rcc_world_write_summary (const RccWorld *w, const RccSummaryTcp *tcp, size_t n, FILE *out)
{
  fputc ('{', out);
  number (out, "duration", seconds (w->duration));
  more (out, "bin", seconds (w->grain * RCC_WORLD_BIN));
  fprintf (out, ", \"seed\": %llu,\n \"link\": {", (unsigned long long) w->seed);
  write_span (out, w, 0, w->duration);
  fputs ("},\n ", out);
  write_phases (out, w);
  fputs (",\n \"flows\": [", out);
  for (unsigned i = 0; i < w->n_flows; i++) {
    fputs (i ? ",\n  " : "", out);
    write_flow (out, w, w->flows[i]);
  }
  fputs ("],\n ", out);
  write_tcps (out, w, tcp, n);
  fputs ("}\n", out);
}
