/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What is noted of a run as it goes on: the queue every 10 ms, the flows every 200 ms; of a
 * run of more than an hour less often.
 */
#include <math.h>
#include <string.h>

#include "sim/world.h"

static uint32_t
bin_bps (const RccWorld *w, uint64_t now, uint64_t *before)
{
  const uint64_t bytes = now - *before;

  *before = now;
  return (uint32_t) ((double) bytes * 8e9 / (double) (w->grain * RCC_WORLD_BIN));
}

static void
note_breaker (const RccFlow *f, RccFlowSample *s)
{
  const RccBreakerStream *stream;

  if (!f->sender.gate)
    return;
  stream = rcc_gate_stream (f->sender.gate, f->sender.config.ssrc);
  s->breaker_state = f->sender.gate->breaker.state_name;
  s->tcp_bps = s->limit_bps = HUGE_VAL;
  if (!stream || stream->sent_bps <= 0) /* no verdict yet */
    return;
  s->breaker_reports = stream->reports;
  s->breaker_loss = stream->loss;
  s->breaker_bps = stream->sent_bps;
  s->tcp_bps = stream->tcp_bps;
  s->limit_bps = f->sender.gate->breaker.config.multiplier * stream->tcp_bps;
}

/* REMB and TMMBR are made by the over-use detector at the receiver. */
static void
view_receiver (const RccFlow *f, RccSenderView *control)
{
  const RccGccDelay *delay = &f->receiver.gcc.delay;

  control->trend = delay->trend;
  control->threshold = delay->threshold;
  control->state = delay->state;
  control->usage = delay->usage;
}

static void
close_bin (RccWorld *w, RccFlow *f)
{
  RccFlowSample *s = &f->samples[f->n_samples++];
  RccSenderView control = rcc_world_controller_view (&f->sender.control);

  f->sender.delivery.bin = f->n_samples;
  if (f->config.controller->estimates_at_receiver
      && f->config.feedback <= RCC_FEEDBACK_TMMBR)
    view_receiver (f, &control);
  *s = (RccFlowSample) {
    .time = w->now, .target_bps = control.target_bps,
    .sent_bps = bin_bps (w, f->sender.media_bytes, &f->bin_sent),
    .received_bps = bin_bps (w, f->receiver.media_bytes, &f->bin_received),
    .fec_bps = f->packet_trace ? bin_bps (w, f->packet_trace->metrics.parity_bytes, &f->bin_parity)
    : 0, .owd = f->bin_packets ? (RccTime) (f->bin_owd / f->bin_packets) : RCC_NEVER,
    .owd_max = f->bin_packets ? f->bin_owd_max : RCC_NEVER,
    .rtt = f->sender.feedback->reports.rtt.last,
    .pacer_queue = rcc_pacer_queue_time (&f->sender.path.pacer),
    .trend = control.trend, .threshold = control.threshold,
    .state = control.state, .usage = control.usage,
    .equation_bps = control.equation_bps, .loss_event_rate = control.loss_event_rate,
  };
  memcpy (s->streams, f->sender.delivery.streams, sizeof s->streams);
  note_breaker (f, s);
  f->bin_owd = 0;
  f->bin_owd_max = 0;
  f->bin_packets = 0;
}

static RccQueueSample
view_queue (RccWorld *w)
{
  const RccWorldNetwork *n = &w->network;

  if (n->carry)
    return (RccQueueSample) { w->now, n->queue_time (n->user), n->capacity (n->user) };
  return (RccQueueSample) { w->now, rcc_link_queue_time (&w->link[RCC_FORWARD], w->now),
    rcc_link_capacity (&w->link[RCC_FORWARD], w->now) };
}

void
rcc_world_sample (RccWorld *w)
{
  if (w->now >= w->queue_next) {
    w->queue[w->n_queue++] = view_queue (w);
    w->queue_next += w->grain * RCC_WORLD_QUEUE_STEP;
  }
  if (w->now >= w->bin_next) {
    for (unsigned i = 0; i < w->n_flows; i++)
      close_bin (w, w->flows[i]);
    w->bin_next += w->grain * RCC_WORLD_BIN;
  }
}
