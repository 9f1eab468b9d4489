/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sim/options.h"
#include "sim/world.h"

#include <stdlib.h>
#include <string.h>


RccWorld *
rcc_world_new (const char *scenario, RccTime duration, uint64_t seed, char *error)
{
  RccScenario *s = rcc_scenario_load (scenario, seed, error, RCC_SCENARIO_ERROR);
  RccWorld *w;

  if (!s)
    return NULL;
  w = calloc (1, sizeof *w);
  w->scenario = s;
  w->duration = duration;
  w->seed = seed;
  w->grain = duration <= RCC_WORLD_FINE ? 1
      : 5 * (unsigned) (1 + (duration - 1) / (5 * RCC_WORLD_FINE));
  w->queue = calloc (duration / (w->grain * RCC_WORLD_QUEUE_STEP) + 2, sizeof *w->queue);
  w->bin_next = w->grain * RCC_WORLD_BIN;
  for (int d = 0; d < RCC_DIRECTIONS; d++) {
    rcc_link_init (&w->link[d], NULL, seed * 2 + (uint64_t) d);
    rcc_scenario_run_init (&w->run[d], s, (RccDirection) d, 0);
  }
  return w;
}

void
rcc_world_set_overhead (RccWorld *w, uint32_t bytes)
{
  for (int d = 0; d < RCC_DIRECTIONS; d++) {
    RccLinkConfig config = rcc_link_config_default ();

    config.overhead = bytes;
    rcc_link_configure (&w->link[d], &config, w->now);
  }
}

static void
free_flow (RccFlow *f)
{
  rcc_world_sender_clear (&f->sender);
  rcc_world_receiver_clear (&f->receiver);
  free (f->forger);
  free (f->samples);
  free (f->media);
  free (f->delays);
  free (f->delay_times);
  free (f->losses);
  free (f->events);
  free (f->held);
  for (int e = 0; e < RCC_ENDS; e++)
    rcc_inbox_clear (&f->ends[e].inbox);
  rcc_frame_stats_clear (&f->frame_stats);
  if (f->packet_trace)
    rcc_packet_trace_clear (f->packet_trace);
  free (f->packet_trace);
  rcc_group_notes_clear (&f->groups);
  free (f);
}

void
rcc_world_free (RccWorld *w)
{
  RccLinkPacket p;

  for (int d = 0; d < RCC_DIRECTIONS; d++) {
    while (rcc_link_drain (&w->link[d], &p))
      free ((void *) (uintptr_t) p.cookie);
    rcc_link_clear (&w->link[d]);
  }
  for (unsigned i = 0; i < w->n_flows; i++)
    free_flow (w->flows[i]);
  for (unsigned i = 0; i < w->n_renos; i++)
    free (w->renos[i]);
  rcc_scenario_free (w->scenario);
  free (w->flows);
  free (w->queue);
  free (w);
}

static void
init_delivery (RccFlow *f)
{
  RccDeliveryStats *delivery = &f->sender.delivery;

  delivery->bins = f->media;
  delivery->latest = f->config.d_max;
  delivery->from = f->config.count_from;
  delivery->to = f->config.count_to;
  memcpy (delivery->expiry, f->config.expiry, sizeof delivery->expiry);
}

RccFlow *
rcc_world_add_flow (RccWorld *w, const RccFlowConfig *config, char *error)
{
  RccFlow *f = calloc (1, sizeof *f);
  const uint64_t seed = w->seed * 1000 + w->n_flows;
  const size_t bins = w->duration / (w->grain * RCC_WORLD_BIN) + 2;
  const uint32_t ssrc = 0x1000 + 0x10 * w->n_flows;
  const RccWorldSenderConfig sender = {
    .ssrc = ssrc, .audio_ssrc = config->audio ? ssrc + 1 : 0, .adapt = config->adapt,
    .controller = config->controller, .controller_config = rcc_flow_controller_config (config),
    .parity_ssrc = config->controller->parity || config->parity_probes || config->parity_first
        ? ssrc + 2 : 0,
    .rtx_ssrc = config->nack_times > 0 ? ssrc + 3 : 0, .sr_interval = config->sr_interval, .plain = config->plain, .parity_always = config->parity_always,
    .parity_depth = config->parity_depth, .parity_flush = config->fbra.flush,
    .parity_probes = config->parity_probes, .parity_first = config->parity_first,
    .limits = config->limits, .source = config->source, .queue = config->queue,
    .entries = config->entries, .skip_queue = config->skip_queue,
    .expiry = { config->expiry[RCC_WORLD_AUDIO], config->expiry[RCC_WORLD_VIDEO] },
    .classes = { config->classes[0], config->classes[1] }, .encoder_delay = config->encoder_delay,
    .pause = config->pause, .resume = config->resume,
    .packet_size = config->packet_size, .audio_size = config->audio_size, .breaks = config->breaks,
    .breaker = config->breaker, .seed = seed,
  };
  RccWorldReceiverConfig receiver = {
    .feedback = config->feedback, .n_changes = config->n_changes,
    .apart = config->apart, .reports_alone = config->reports_alone, .gcc = config->gcc, .limits = config->limits,
    .rtcp_interval = config->rtcp_interval, .rtcp_random = config->rtcp_random,
    .omit_silent = config->omit_silent, .feedback_interval = config->feedback_interval,
    .discards = config->extended ? config->d_max : 0, .early = config->extended_early,
    .rtcp_share = config->rtcp_share, .ssrc = ssrc + 8, .repairs = sender.parity_ssrc ? ssrc : 0,
    .nacks = { ssrc, ssrc + 8, config->nack_times, config->nack_interval }, .seed = seed,
  };

  memcpy (receiver.changes, config->changes, sizeof receiver.changes);
  f->config = *config;
  f->sender_next = config->start;
  for (int e = 0; e < RCC_ENDS; e++)
    rcc_wakeup_init (&f->ends[e].wakeup, &config->clock[e], seed, (RccEnd) e);
  f->samples = calloc (bins, sizeof *f->samples);
  f->media = calloc (bins, sizeof *f->media);
  rcc_frame_stats_init (&f->frame_stats, w->grain);
  rcc_world_receiver_init (&f->receiver, &receiver, config->start);
  if (!rcc_world_sender_init (&f->sender, &sender, config->start, error,
          RCC_SCENARIO_ERROR)) {
    free_flow (f);
    return NULL;
  }
  f->receiver.gcc.rtcp_share = config->rtcp_share;
  if (config->forger.on) {
    f->forger = malloc (sizeof *f->forger);
    rcc_forger_init (f->forger, &config->forger, seed);
  }
  if (config->d_max) {
    f->packet_trace = malloc (sizeof *f->packet_trace);
    rcc_packet_trace_init (f->packet_trace, config->d_max);
  }
  init_delivery (f);
  w->flows = realloc (w->flows, (w->n_flows + 1) * sizeof *w->flows);
  w->flows[w->n_flows++] = f;
  return f;
}

RccReno *
rcc_world_add_reno (RccWorld *w, const RccRenoConfig *config)
{
  RccReno *r;

  if (w->n_renos == RCC_WORLD_RENOS)
    return NULL;
  r = malloc (sizeof *r);
  rcc_reno_init (r, config);
  return w->renos[w->n_renos++] = r;
}

static void
note_loss (RccWorld *w, const RccDatagram *d)
{
  RccFlow *f = d->rtcp || d->tcp ? NULL : w->flows[d->flow];

  if (!f)
    return;
  if (!d->rtx)
    rcc_delivery_lost (&f->sender.delivery, d);
  if (f->n_losses++ >= RCC_WORLD_LOSSES)
    return;
  if (f->n_losses > f->room_losses) {
    f->room_losses = f->room_losses ? 2 * f->room_losses : 1024;
    f->losses = realloc (f->losses, f->room_losses * sizeof *f->losses);
  }
  f->losses[f->n_losses - 1] = w->now;
}

/* He sees what leaves either end. */
static void
show_forger (RccFlow *f, RccDirection direction, const RccDatagram *d)
{
  const RccBytes bytes = { d->data, d->size };

  if (!d->rtcp)
    rcc_forger_saw_rtp (f->forger, bytes);
  else if (direction != f->config.direction)
    rcc_forger_saw_rtcp (f->forger, bytes);
}

static void
push (RccWorld *w, RccDirection direction, unsigned flow, RccDatagram *d)
{
  d->flow = flow;
  d->ecn = d->tcp || d->rtcp ? RCC_ECN_NOT_ECT : w->flows[flow]->config.ecn;
  if (!d->tcp && w->flows[flow]->forger)
    show_forger (w->flows[flow], direction, d);
  if (!d->tcp && !d->rtcp && !d->rtx && w->flows[flow]->packet_trace)
    rcc_packet_trace_sent (w->flows[flow]->packet_trace, d, w->now);
  if (w->network.carry) {
    w->network.carry (w->network.user, direction, d);
    return;
  }
  if (rcc_link_push (&w->link[direction], (uint64_t) (uintptr_t) d, d->size,
          d->ecn, w->now) == RCC_LINK_PASSED)
    return;
  note_loss (w, d);
  free (d);
}

/* Of the network: whenever the receiver gets to read it. */
static void
note_delay (RccWorld *w, RccFlow *f, const RccLinkPacket *p)
{
  const RccTime owd = p->delivered - p->arrived;

  f->bin_owd += (double) owd;
  f->bin_owd_max = RCC_MAX (f->bin_owd_max, owd);
  f->bin_packets++;
  f->n_marked += p->ecn == RCC_ECN_CE;
  if (f->n_received++ % w->grain > 0)
    return;
  if (f->n_delays == f->room_delays) {
    f->room_delays = f->room_delays ? 2 * f->room_delays : 16384;
    f->delays = realloc (f->delays, f->room_delays * sizeof *f->delays);
    f->delay_times = realloc (f->delay_times,
        f->room_delays * sizeof *f->delay_times);
  }
  f->delays[f->n_delays] = (double) owd * 1e-6;
  f->delay_times[f->n_delays++] = w->now;
}

/* The receiver has read it: what it is good for counts from here. */
static void
note_arrival (RccWorld *w, RccFlow *f, const RccDatagram *d)
{
  uint8_t mended[RCC_PARITY_PACKET_MAX];
  size_t size;

  if (d->frame)
    rcc_frame_stats_received (&f->frame_stats, d->frame, d->created, w->now);
  if (!d->rtx)
    rcc_delivery_received (&f->sender.delivery, d, w->now);
  if (!f->packet_trace || d->rtx)
    return;
  if (!d->parity)
    rcc_packet_trace_received (f->packet_trace, rcc_be16 (d->data + 2), w->now);
  while (f->receiver.repair
      && (size = rcc_world_repair_next (f->receiver.repair, mended)) > 0)
    rcc_packet_trace_mended (f->packet_trace, (RccBytes) { mended, size }, w->now);
}

/* What the controller may just have come to. */
static void
note_events (RccFlow *f)
{
  const RccBreaker *b = f->sender.gate ? &f->sender.gate->breaker : NULL;

  while (b && f->n_events < b->n_events) {
    f->events = realloc (f->events, (f->n_events + 1) * sizeof *f->events);
    f->events[f->n_events] = b->events[f->n_events % RCC_BREAKER_EVENTS];
    f->n_events++;
  }
  if (f->packet_trace && f->config.controller->parity)
    rcc_fecmetrics_state (&f->packet_trace->metrics,
        (RccFbraState) rcc_world_controller_view (&f->sender.control).fec_state);
}

/* The receiver of a call has a round trip of its own, by its own SRs: the same. */
static void
space_reports (RccFlow *f, RccTime now)
{
  const RccTime rtt = f->sender.feedback->reports.rtt.smoothed;

  if (f->receiver.extended && rtt != RCC_NEVER)
    rcc_world_extended_rtt (f->receiver.extended, f->sender.feedback->reports.rtt.min, now);
  if (f->config.report_rtts > 0 && rtt != RCC_NEVER)
    rcc_world_receiver_space (&f->receiver, RCC_MAX (f->config.feedback_interval,
            (RccTime) (f->config.report_rtts * (double) rtt)));
}

static void
hear (RccWorld *w, RccFlow *f, RccDatagram *d)
{
  const RccBreakerStream *stream;

  for (unsigned i = 0; i < RCC_MAX (f->config.rtcp_copies, 1); i++)
    rcc_world_sender_rtcp (&f->sender, d->data, d->size, w->now);
  space_reports (f, w->now);
  if (f->sender.gate && (stream = rcc_gate_stream (f->sender.gate, f->sender.config.ssrc)))
    rcc_frame_stats_heard (&f->frame_stats, stream, w->now);
  note_events (f);
  free (d);
}

/* RTCP for the sender of @f, as badly as the flow is to have it. */
static void
deliver_rtcp (RccWorld *w, RccFlow *f, RccDatagram *d)
{
  RccDatagram *held = f->held;

  if (f->config.rtcp_swapped && !held) {
    f->held = d;
    return;
  }
  hear (w, f, d);
  if (held)
    hear (w, f, held);
  f->held = NULL;
}

static void
poll_reno (RccWorld *w, unsigned i)
{
  RccDatagram *d;

  while ((d = rcc_reno_poll (w->renos[i], w->now)))
    push (w, RCC_FORWARD, i, d);
}

/* Each acknowledgement has its answer before the next is read, as on a host. */
static void
deliver_tcp (RccWorld *w, RccDirection direction, RccDatagram *d, bool passed)
{
  RccReno *r = w->renos[d->flow];
  RccDatagram *ack = NULL;

  if (passed && direction == RCC_FORWARD)
    ack = rcc_reno_segment (r, d->data, d->size);
  else if (passed)
    rcc_reno_ack (r, d->data, d->size, w->now);
  if (ack)
    push (w, RCC_REVERSE, d->flow, ack);
  if (direction == RCC_REVERSE)
    poll_reno (w, d->flow);
  free (d);
}

/* One end of @f reads a datagram, which ends here; its socket had it at @stamp. */
static void
hand_over (RccWorld *w, RccFlow *f, RccEnd end, const RccLinkPacket *p, RccTime stamp)
{
  RccDatagram *d = (RccDatagram *) (uintptr_t) p->cookie;

  if (end == RCC_END_SENDER) {
    deliver_rtcp (w, f, d);
    return;
  }
  if (d->rtcp) {
    rcc_world_receiver_rtcp (&f->receiver, d->data, d->size, w->now);
  } else {
    rcc_world_receiver_rtp (&f->receiver, d->data, d->size, p->ecn,
        f->config.clock[end].stamp_read ? w->now : stamp);
    if (f->config.notes_groups)
      rcc_group_notes_see (&f->groups, &f->receiver.gcc);
    note_arrival (w, f, d);
  }
  free (d);
}

static bool
is_punctual (const RccFlow *f, RccEnd end)
{
  return rcc_clock_is_punctual (&f->config.clock[end]);
}

static void
deliver (RccWorld *w, RccDirection direction, const RccLinkPacket *p)
{
  RccDatagram *d = (RccDatagram *) (uintptr_t) p->cookie;
  RccFlowEnd *late;
  RccFlow *f;
  RccEnd end;

  if (d->tcp) {
    deliver_tcp (w, direction, d, p->outcome == RCC_LINK_PASSED);
    return;
  }
  if (p->outcome != RCC_LINK_PASSED) {
    note_loss (w, d);
    free (d);
    return;
  }
  f = w->flows[d->flow];
  end = direction == f->config.direction ? RCC_END_RECEIVER : RCC_END_SENDER;
  late = &f->ends[end];
  if (end == RCC_END_RECEIVER && !d->rtcp)
    note_delay (w, f, p);
  if (is_punctual (f, end))
    hand_over (w, f, end, p, w->now);
  else
    rcc_inbox_put (&late->inbox, p, rcc_wakeup_handed (&late->wakeup, w->now));
}

/* To ask a sender changes its pacer, where a probe may begin: while it sleeps, nobody
 * may.  It is asked as it falls asleep. */
static RccTime
due_at (const RccFlow *f, RccEnd end)
{
  const RccTime datagram = rcc_inbox_next (&f->ends[end].inbox);

  if (!f->running)
    return datagram;
  return RCC_MIN (datagram, end == RCC_END_SENDER ? f->sender_next
      : rcc_world_receiver_next (&f->receiver));
}

static void
run_sender (RccWorld *w, unsigned i)
{
  RccFlow *f = w->flows[i];
  RccDatagram *d;

  while ((d = rcc_world_sender_poll (&f->sender, w->now)))
    push (w, f->config.direction, i, d);
  note_events (f);
  if (!is_punctual (f, RCC_END_SENDER))
    f->sender_next = rcc_world_sender_next (&f->sender, w->now);
}

static void
run_receiver (RccWorld *w, unsigned i)
{
  RccFlow *f = w->flows[i];
  RccDatagram *d;

  while ((d = rcc_world_receiver_poll (&f->receiver, w->now)))
    push (w, f->config.direction == RCC_FORWARD ? RCC_REVERSE : RCC_FORWARD, i, d);
}

static void
run_forger (RccWorld *w, RccFlow *f)
{
  static uint8_t bytes[RCC_FORGER_SIZE];
  size_t size;

  while (f->forger && w->now >= f->forger->next)
    if ((size = rcc_forger_forge (f->forger, w->now, bytes)) > 0) {
      rcc_world_sender_rtcp (&f->sender, bytes, size, w->now);
      note_events (f);
    }
}

static void
poll_end (RccWorld *w, unsigned i, RccEnd end)
{
  RccFlow *f = w->flows[i];
  RccLinkPacket p;
  RccTime stamp;

  if (!is_punctual (f, end)
      && !rcc_wakeup_runs (&f->ends[end].wakeup, due_at (f, end), w->now))
    return;
  while (rcc_inbox_take (&f->ends[end].inbox, w->now, &p, &stamp))
    hand_over (w, f, end, &p, stamp);
  if (f->running && end == RCC_END_SENDER) {
    run_forger (w, f);
    run_sender (w, i);
  }
  else if (f->running)
    run_receiver (w, i);
}

static void
poll_flow (RccWorld *w, unsigned i)
{
  RccFlow *f = w->flows[i];

  f->running = w->now >= f->config.start
      && (f->config.stop == RCC_NEVER || w->now < f->config.stop);
  for (int end = 0; end < RCC_ENDS; end++)
    poll_end (w, i, (RccEnd) end);
}

static RccTime
next_of_end (const RccWorld *w, RccFlow *f, RccEnd end)
{
  if (!is_punctual (f, end))
    return rcc_wakeup_next (&f->ends[end].wakeup, due_at (f, end));
  if (!f->running)
    return RCC_NEVER;
  if (end == RCC_END_RECEIVER)
    return rcc_world_receiver_next (&f->receiver);
  return RCC_MIN (f->forger ? f->forger->next : RCC_NEVER,
      rcc_world_sender_next (&f->sender, w->now));
}

static RccTime
next_of_flow (const RccWorld *w, RccFlow *f)
{
  const RccTime next = RCC_MIN (next_of_end (w, f, RCC_END_SENDER),
      next_of_end (w, f, RCC_END_RECEIVER));

  return w->now < f->config.start ? RCC_MIN (next, f->config.start) : next;
}

static RccTime
next_event (RccWorld *w)
{
  RccTime next = RCC_MIN (w->queue_next, w->bin_next);

  for (int d = 0; d < RCC_DIRECTIONS; d++) {
    next = RCC_MIN (next, rcc_link_next (&w->link[d]));
    next = RCC_MIN (next, rcc_scenario_next (&w->run[d]));
  }
  for (unsigned i = 0; i < w->n_flows; i++)
    next = RCC_MIN (next, next_of_flow (w, w->flows[i]));
  for (unsigned i = 0; i < w->n_renos; i++)
    next = RCC_MIN (next, rcc_reno_next (w->renos[i], w->now));
  return RCC_MAX (next, w->now);
}

void
rcc_world_run (RccWorld *w)
{
  RccLinkPacket p;

  while (w->now <= w->duration) {
    for (int d = 0; d < RCC_DIRECTIONS; d++) {
      rcc_scenario_apply (&w->run[d], &w->link[d], w->now);
      while (rcc_link_pop (&w->link[d], w->now, &p))
        deliver (w, (RccDirection) d, &p);
    }
    for (unsigned i = 0; i < w->n_flows; i++)
      poll_flow (w, i);
    for (unsigned i = 0; i < w->n_renos; i++)
      poll_reno (w, i);
    rcc_world_sample (w);
    w->now = next_event (w);
  }
}

/* --- over another network ------------------------------------------------- */

void
rcc_world_set_network (RccWorld *w, const RccWorldNetwork *network)
{
  w->network = *network;
}

void
rcc_world_poll (RccWorld *w, unsigned i, RccTime now)
{
  w->now = now;
  poll_flow (w, i);
}

RccTime
rcc_world_next (RccWorld *w, unsigned i)
{
  return RCC_MAX (next_of_flow (w, w->flows[i]), w->now);
}

void
rcc_world_arrived (RccWorld *w, RccDirection direction, RccDatagram *d, RccTime sent,
    RccTime now)
{
  const RccLinkPacket p = { .cookie = (uint64_t) (uintptr_t) d, .size = d->size,
    .ecn = d->ecn, .outcome = RCC_LINK_PASSED, .arrived = sent, .departed = now, .delivered = now };

  w->now = now;
  deliver (w, direction, &p);
}

void
rcc_world_lost (RccWorld *w, RccDatagram *d, RccTime now)
{
  w->now = now;
  note_loss (w, d);
  free (d);
}
