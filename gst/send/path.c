/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/sbpn/eviction.h"
#include "send/private.h"
#include "send/protect.h"

#define NONE RCC_SBPN_NONE
#define BURST (5 * RCC_MSEC)            /* ANRW'16 3 */
#define DRAIN_MAX 1.25                  /* times the rate: an encoder that is deaf to it must
                                         * not send as it likes */
#define RATE_SPAN RCC_SEC
#define REPORT_STEP (50 * RCC_MSEC)     /* of the queue's time, by which it is told anew */
#define REPORT_FROM 2                   /* steps; a frame's packets are no backlog */
#define REPORT_PACKETS 4                /* nor are so few */
#define MAX_TIME (2 * RCC_SEC)          /* libwebrtc's limit of its pacer's queue */

const RccField rcc_send_fields[] = {
  RCC_FIELD (RccSend, packets, "packets-sent", RCC_U64, ""),
  RCC_FIELD (RccSend, bytes, "bytes-sent", RCC_U64, "B"),
  RCC_FIELD (RccSend, padding_packets, "padding-packets-sent", RCC_U64, ""),
  RCC_FIELD (RccSend, padding_bytes, "padding-bytes-sent", RCC_U64, "B"),
  RCC_FIELD (RccSend, dropped, "packets-dropped", RCC_U64, ""),
  RCC_FIELD (RccSend, dropped_media, "media-packets-dropped", RCC_U64, ""),
  RCC_FIELD (RccSend, dropped_audio, "audio-packets-dropped", RCC_U64, ""),
  RCC_FIELD (RccSend, malformed, "rtp-malformed", RCC_U64, ""),
  RCC_FIELD (RccSend, key_requests, "key-requests", RCC_U64, ""),
  RCC_FIELD (RccSend, renumbered, "packets-renumbered", RCC_U64, ""),
  RCC_FIELD (RccSend, paced, "paced", RCC_BOOL, ""),
  RCC_FIELD (RccSend, pacer.bps, "paced-bitrate", RCC_U32, "bit/s"),
  RCC_FIELD (RccSend, pacer.queued_packets, "queue-packets", RCC_U64, ""),
  RCC_FIELD (RccSend, pacer.queued_bytes, "queue-bytes", RCC_U64, "B"),
  RCC_FIELDS_END,
};

const RccField rcc_send_pad_fields[] = {
  RCC_FIELD (RccSendPad, malformed, "rtp-malformed", RCC_U64, ""),
  RCC_FIELD (RccSendPad, retransmissions, "retransmissions-in", RCC_U64, ""),
  RCC_FIELD (RccSendPad, key_requests, "key-requests", RCC_U64, ""),
  RCC_FIELD (RccSendPad, bps, "bitrate-in", RCC_U32, "bit/s"),
  RCC_FIELDS_END,
};

RccSendConfig
rcc_send_config (void)
{
  RccSendConfig config = {
    .scheduler = rcc_sbpn_config (), .burst = BURST, .rtx = rcc_rtx_config (),
  };

  config.scheduler.max_time = MAX_TIME;
  return config;
}

/* --- entries -------------------------------------------------------------- */

static void
let_free (RccSend *s, uint32_t i)
{
  s->slots[i].next = s->free;
  s->free = i;
}

static void *
handle_of (uint32_t i)
{
  return (void *) (uintptr_t) i;
}

static RccSendSlot *
slot_of (RccSend *s, const RccSbpnOut *from)
{
  return &s->slots[(uintptr_t) from->packet.handle];
}

void
rcc_send_grow (RccSend *s, RccSbpnEntry *entries, RccSendSlot *slots, uint32_t capacity)
{
  s->entries = entries;
  s->slots = slots;
  for (uint32_t i = capacity; i-- > s->capacity;)
    let_free (s, i);
  s->capacity = capacity;
  rcc_sbpn_grow (&s->sbpn, entries, capacity);
}

bool
rcc_send_is_full (const RccSend *s)
{
  return s->sbpn.queue.total.queued.packets + 1 >= s->capacity;
}

/* --- a life --------------------------------------------------------------- */

/* Audio before retransmissions before the rest; each in order of arrival, as nothing
 * expires. */
static void
open_classes (RccSend *s)
{
  for (uint32_t k = 0; k < RCC_SEND_CLASSES; k++)
    rcc_sbpn_set_class (&s->sbpn, k, &(RccSbpnClassConfig) { .priority = k, .weight = 1,
      .whole_frames = k == RCC_SEND_MEDIA, .up_to_key = k == RCC_SEND_MEDIA });
}

static void
pad_init (RccSendPad *pad, RccTime life)
{
  *pad = (RccSendPad) { .life = life };
  rcc_window_init (&pad->rate, RATE_SPAN);
}

void
rcc_send_add (RccSend *s, uint32_t k)
{
  const RccResize resize = s->feedback->reports.streams.resize;
  const uint32_t n = RCC_MIN (RCC_MAX (k + 1, 2 * s->n_pads), RCC_SEND_PADS);

  if (k < s->n_pads)
    return;
  s->pads = resize (s->pads, n * sizeof *s->pads);
  s->classes = resize (s->classes, n * sizeof *s->classes);
  rcc_sbpn_grow_classes (&s->sbpn, s->classes, n);
  while (s->n_pads < n)
    pad_init (&s->pads[s->n_pads++], RCC_NEVER);
}

/* RCC_NEVER where any lives for ever, or there are none. */
static void
measure_life (RccSend *s)
{
  RccTime life = 0;

  for (uint32_t k = 0; k < RCC_SEND_PADS; k++)
    if (rcc_sbpn_class (&s->sbpn, k)->open)
      life = RCC_MAX (life, s->pads[k].life);
  s->owd.life = life > 0 ? life : RCC_NEVER;
}

static RccSbpnConfig
scheduler_of (const RccSendConfig *config)
{
  RccSbpnConfig scheduler = config->scheduler;

  if (!config->scheduled)
    scheduler.mode = RCC_SBPN_1;
  return scheduler;
}

void
rcc_send_init (RccSend *s, const RccSendConfig *config, RccSbpnEntry *entries,
    RccSendSlot *slots, uint32_t capacity, RccFeedback *feedback, RccTime now)
{
  const RccSbpnConfig scheduler = scheduler_of (config);

  s->sender = (RccSender) { .ops = &rcc_send_listen_ops };
  s->config = *config;
  s->capacity = 0;
  s->free = NONE;
  s->feedback = feedback;
  s->parity = NULL;
  s->parity_counted.packets = s->parity_counted.bytes = 0;
  for (uint32_t k = 0; k < RCC_SEND_PADS; k++)
    s->arrived[k] = s->departed[k] = 0;
  s->pads = NULL;
  s->classes = NULL;
  s->n_pads = 0;
  rcc_sbpn_init (&s->sbpn, &scheduler, entries, capacity, NULL, 0);
  rcc_send_add (s, RCC_SEND_CLASSES - 1);
  s->entries = entries;
  s->slots = slots;
  for (uint32_t i = capacity; i-- > 0;)
    let_free (s, i);
  s->capacity = capacity;
  rcc_pacer_init (&s->pacer, 0, config->burst, now);
  rcc_ssrcs_init (&s->streams, sizeof (RccSendStream), feedback->reports.streams.resize);
  rcc_rtx_init (&s->rtx, &config->rtx, feedback->reports.streams.resize, now);
  rcc_send_forget (s);
  rcc_send_restart (s, config, now);
}

void
rcc_send_clear (RccSend *s)
{
  rcc_release (s->streams.resize, s->pads);
  rcc_release (s->streams.resize, s->classes);
  s->pads = NULL;
  s->classes = NULL;
  s->n_pads = 0;
  rcc_ssrcs_clear (&s->streams);
  rcc_rtx_clear (&s->rtx);
}

static void
reset_counters (RccSend *s)
{
  s->packets = s->bytes = s->padding_packets = s->padding_bytes = 0;
  s->dropped = s->dropped_media = s->dropped_audio = s->malformed = s->key_requests = 0;
  s->renumbered = 0;
}

void
rcc_send_restart (RccSend *s, const RccSendConfig *config, RccTime now)
{
  const RccSbpnConfig scheduler = scheduler_of (config);
  RccPacer before;

  for (uint32_t k = 0; k < RCC_SEND_CLASSES && config->scheduled && !s->config.scheduled; k++)
    rcc_sbpn_close_class (&s->sbpn, k);
  if (s->parity)
    rcc_send_parity_restart (s->parity);
  rcc_send_count_parity (s, now);
  before = s->pacer;
  s->config = *config;
  rcc_pacer_init (&s->pacer, 0, config->burst, now);
  s->pacer.queued_bytes = before.queued_bytes;  /* what is queued stays queued */
  s->pacer.queued_packets = before.queued_packets;
  s->paced = false;
  rcc_sbpn_adjust (&s->sbpn, &scheduler);
  rcc_sbpn_count_anew (&s->sbpn);
  if (!config->scheduled)
    open_classes (s);
  rcc_sbpn_owd_init (&s->owd, config->owd);
  measure_life (s);
  rcc_rtx_restart (&s->rtx, &config->rtx, now);
  rcc_feedback_reset (s->feedback);
  rcc_send_transport_init (&s->transport);
  for (unsigned i = 0; i < s->streams.n; i++) {
    RccSendStream *stream = rcc_ssrcs_at (&s->streams, i);

    stream->clock_rate = 0;             /* to be told again */
    stream->requests = (RccSpurious) { 0 };
  }
  s->controller = NULL;
  s->backlog = (RccBacklog) { .since = RCC_NEVER };
  s->target_bps = UINT32_MAX;
  s->rtt = RCC_NEVER;
  s->packet_cost = 0;
  s->key_request_pads = 0;
  s->backlog_reported = s->rtx_reported = 0;
  reset_counters (s);
}

void
rcc_send_forget (RccSend *s)
{
  rcc_ssrcs_forget (&s->streams);
  s->padded = -1;
  if (s->parity)
    rcc_send_parity_forget (s->parity);
  rcc_send_count_parity (s, s->pacer.updated);
  s->writes = s->parity_passed = s->transport.session = false;
  s->transport.next = 0;
}

void
rcc_send_open (RccSend *s, uint32_t k, const RccSbpnClassConfig *config, RccTime life)
{
  rcc_send_add (s, k);
  if (!rcc_sbpn_class (&s->sbpn, k)->open)
    pad_init (&s->pads[k], life);
  s->pads[k].life = life;
  rcc_sbpn_set_class (&s->sbpn, k, config);
  measure_life (s);
}

void
rcc_send_close (RccSend *s, uint32_t k)
{
  rcc_sbpn_close_class (&s->sbpn, k);
  for (unsigned i = 0; i < s->streams.n; i++) {
    RccSendStream *stream = rcc_ssrcs_at (&s->streams, i);

    if (stream->pad == k)
      stream->pad = RCC_SEND_PADS;
  }
  s->key_request_pads &= ~(UINT32_C (1) << k);
  measure_life (s);
}

uint32_t
rcc_send_measure (RccSend *s, uint32_t k, RccTime now)
{
  s->pads[k].bps = rcc_window_bps (&s->pads[k].rate, now);
  return s->pads[k].bps;
}

/* --- what it is told ------------------------------------------------------ */

void
rcc_send_attach (RccSend *s, RccSender *sender)
{
  s->controller = sender;
  if (sender)
    sender->backlog = &s->backlog;
}

void
rcc_send_rate (RccSend *s, uint32_t bps, RccTime now)
{
  s->paced = bps != UINT32_MAX;
  rcc_pacer_set_rate (&s->pacer, s->paced ? bps : 0, now);
}

RccUpdate
rcc_send_act (RccSend *s, RccUpdate update, RccTime now)
{
  if (update.changed & RCC_TARGET)
    s->target_bps = update.target_bps;
  if (update.changed & RCC_PACING)
    rcc_send_rate (s, update.pacing_bps, now);
  if (update.changed & RCC_PROBE)
    rcc_pacer_probe (&s->pacer, update.probe_bps, update.probe_bytes, update.probe_id);
  return update;
}

void
rcc_send_end_probe (RccSend *s)
{
  s->pacer.probe_id = 0;
}

void
rcc_send_look_ahead (RccSend *s, RccTime now)
{
  if (s->config.scheduled)
    rcc_sbpn_set_owd (&s->sbpn, rcc_sbpn_owd_estimate (&s->owd, now));
}

void
rcc_send_adjust (RccSend *s, const RccSendConfig *config, RccTime now)
{
  const RccSbpnConfig scheduler = scheduler_of (config);

  s->config = *config;
  s->owd.kind = config->owd;
  rcc_send_look_ahead (s, now);
  rcc_sbpn_adjust (&s->sbpn, &scheduler);
}

void
rcc_send_rtt (RccSend *s, RccTime rtt, RccTime now)
{
  s->rtt = rtt;
  rcc_sbpn_owd_rtt (&s->owd, rtt, now);
  rcc_send_look_ahead (s, now);
}

uint32_t
rcc_send_encoder_bps (const RccSend *s, uint32_t bps)
{
  const double most = (double) bps * (double) s->config.backlog_from * 1e-9;
  const double excess = 8.0 * (double) s->pacer.queued_bytes - most;

  if (s->config.backlog_over == 0 || excess <= 0)
    return bps;
  return bps - (uint32_t) RCC_MIN (excess * 1e9 / (double) s->config.backlog_over, 0.5 * bps);
}

uint32_t
rcc_send_rtx_bps (RccSend *s, uint32_t bps, RccTime now)
{
  if (s->rtx.packets == 0 || now == RCC_NEVER)
    return 0;
  return RCC_MIN (rcc_rtx_bps (&s->rtx, now), bps / 2);
}

RccTime
rcc_send_queue_time (const RccSend *s, uint32_t k)
{
  const RccTime all = rcc_pacer_queue_time (&s->pacer);

  if (k == RCC_SBPN_ALL || all == RCC_NEVER || s->pacer.queued_bytes == 0)
    return all;
  return (RccTime) ((double) all * (double) rcc_sbpn_class (&s->sbpn, k)->count.queued.bytes
      / (double) s->pacer.queued_bytes);
}

/* By more than a twentieth of the target. */
static bool
rtx_moved (RccSend *s, RccTime now)
{
  const uint32_t bps = rcc_send_rtx_bps (s, s->target_bps, now), reported = s->rtx_reported;
  const uint32_t moved = RCC_MAX (bps, reported) - RCC_MIN (bps, reported);

  if (s->target_bps == UINT32_MAX || moved <= s->target_bps / 20)
    return false;
  s->rtx_reported = bps;
  return true;
}

bool
rcc_send_report_again (RccSend *s, RccTime now)
{
  RccTime steps;

  if (s->rtx.packets > 0 && rtx_moved (s, now))
    return true;
  if (s->backlog_reported == 0 && s->pacer.queued_packets < REPORT_PACKETS)
    return false;
  steps = rcc_send_queue_time (s, RCC_SBPN_ALL) / REPORT_STEP;
  if (steps < REPORT_FROM)
    steps = 0;
  if (!s->paced || steps == s->backlog_reported)
    return false;
  s->backlog_reported = steps;
  return true;
}

uint32_t
rcc_send_key_requests (RccSend *s)
{
  const uint32_t key_requests = s->key_request_pads;

  s->key_request_pads = 0;
  return key_requests;
}

uint32_t
rcc_send_owner (RccSend *s, uint32_t ssrc)
{
  const RccSendStream *stream = rcc_ssrcs_find (&s->streams, ssrc);

  return stream ? stream->pad : RCC_SEND_PADS;
}

uint32_t
rcc_send_class (RccSend *s, uint32_t ssrc, uint32_t pad)
{
  const RccSendStream *stream = rcc_ssrcs_find (&s->streams, ssrc);

  if (s->config.scheduled)
    return pad;
  return stream && rcc_send_stream_is_audio (stream) ? RCC_SEND_AUDIO : RCC_SEND_MEDIA;
}

bool
rcc_send_request (RccSend *s, uint32_t ssrc, uint32_t seq, bool decided, RccTime now,
    uint16_t *former)
{
  RccSendStream *stream = rcc_ssrcs_find (&s->streams, ssrc);
  const RccSentPacket *sent = seq <= UINT16_MAX
      ? rcc_feedback_find (s->feedback, ssrc, (uint16_t) seq) : NULL;
  const RccRtxPath path = { s->target_bps, s->rtt, rcc_skew_owd_rtt_min (&s->owd.clock) };
  RccRtxPacket packet;

  if (!stream || !sent
      || !rcc_seq_rewrite_request (&stream->seq_rewrite, (uint16_t) seq, former)) {
    s->rtx.unknown++;
    return false;
  }
  packet = (RccRtxPacket) { ssrc, *former, (uint16_t) seq, sent->size, sent->key.at };
  if (!decided)
    return rcc_rtx_request (&s->rtx, &packet, &path, &stream->requests, now);
  rcc_rtx_requested (&s->rtx, &packet, now);
  return true;
}

/* --- what comes ----------------------------------------------------------- */

static uint32_t
class_of (const RccSend *s, const RccSendPacket *p, const RccSendStream *stream)
{
  if (s->config.scheduled)
    return p->pad;
  if (p->retransmission)
    return RCC_SEND_RTX;
  if (p->media == RCC_MEDIA_AUDIO || (stream && rcc_send_stream_is_audio (stream)))
    return RCC_SEND_AUDIO;
  return RCC_SEND_MEDIA;
}

static void
note_pad (RccSendPad *pad, const RccSendPacket *p, bool scheduled, RccTime now)
{
  pad->malformed += !p->rtp;
  pad->retransmissions += p->retransmission;
  if (scheduled)
    rcc_window_add (&pad->rate, p->size, now);
}

/* False: a retransmission that is too much. */
static bool
note_arrival (RccSend *s, RccSendSlot *slot, RccTime now)
{
  const RccSendPacket *p = &slot->packet;
  RccSendStream *stream = p->rtp ? rcc_send_stream_get (&s->streams, p->ssrc) : NULL;
  bool admitted = true;

  slot->asked = false;
  s->malformed += !stream;
  rcc_send_add (s, p->pad);
  note_pad (&s->pads[p->pad], p, s->config.scheduled, now);
  if (stream) {
    stream->pad = p->pad;
    slot->number = rcc_seq_rewrite_arrive (&stream->seq_rewrite, p->seq);
    if (!p->retransmission)
      rcc_send_stream_note (stream, p);
  }
  if (stream && p->retransmission) {
    slot->asked = rcc_rtx_answer (&s->rtx, p->osn, &slot->left);
    admitted = rcc_rtx_admit (&s->rtx, slot->asked, p->size, s->target_bps, now);
  }
  slot->class_index = class_of (s, p, stream);
  s->arrived[slot->class_index]++;
  return admitted;
}

/* Frames behind a broken one are of no use until a key frame comes. */
static bool
is_doomed (RccSend *s, const RccSendSlot *slot)
{
  RccSendStream *stream = rcc_send_stream_of (s, slot);

  if (!stream || !stream->needs_key || slot->packet.retransmission || slot->packet.parity)
    return false;
  if (!slot->packet.delta)
    stream->needs_key = false;
  return slot->packet.delta
      && rcc_sbpn_class (&s->sbpn, slot->class_index)->config.up_to_key;
}

/* A packet's frame is its SSRC and timestamp; a retransmission mends one that is gone. */
static RccSbpnPacket
describe (const RccSendSlot *slot, uint32_t i, bool doomed)
{
  const RccSendPacket *p = &slot->packet;
  RccSbpnPacket packet = {
    .handle = handle_of (i), .expiry = p->expiry, .size = p->size, .class_index = slot->class_index,
    .keep = p->keep, .delta = p->delta, .doomed = doomed,
  };

  if (p->rtp && !p->retransmission)
    packet.frame = RCC_MAX ((uint64_t) p->ssrc << 32 | p->timestamp, 1);
  return packet;
}

/* The pacer counts it already. */
static bool
enqueue (RccSend *s, uint32_t i, RccTime now)
{
  RccSendSlot *slot = &s->slots[i];
  const RccSbpnPacket packet = describe (slot, i, is_doomed (s, slot));

  return rcc_sbpn_put (&s->sbpn, &packet, now);
}

static bool
is_allowed (const RccSend *s, uint32_t size, RccTime now)
{
  const RccSender *c = s->controller;

  return !c || !c->ops->allowance || c->ops->allowance (c, now) >= size;
}

/* In the middle of a frame padding would spoil it for depayloaders that take packets as
 * they come: the frame's next packet goes on with the probe. */
static bool
may_pad (const RccSend *s)
{
  return rcc_send_can_pad (s) && rcc_send_padded (s)->frame_ended;
}

/* What the pacer has to say where it says anything. */
static RccPacerVerdict
ask_pacer (RccSend *s, RccTime now, RccTime *when)
{
  *when = RCC_NEVER;
  if (!s->paced)
    return rcc_send_is_empty (s) ? RCC_PACER_WAIT : RCC_PACER_MEDIA;
  s->pacer.may_pad = may_pad (s);
  return rcc_pacer_next (&s->pacer, now, when);
}

/* The queue is empty and nobody is pushing: whether @slot may leave at once. */
static bool
may_pass (RccSend *s, const RccSendSlot *slot, RccTime now)
{
  RccTime when;

  return (!s->paced || ask_pacer (s, now, &when) == RCC_PACER_MEDIA)
      && is_allowed (s, slot->packet.size, now);
}

/* In the paper's kernel what finds a full queue falls. */
static bool
is_tail_dropped (const RccSend *s)
{
  return s->config.tail_drop && s->sbpn.config.max_packets > 0
      && s->sbpn.queue.total.queued.packets >= s->sbpn.config.max_packets;
}

/* A rate at which the oldest packet, and all that is queued with it, leaves in time. */
static uint32_t
drain_bps (const RccSend *s, RccTime now)
{
  const RccTime drain = s->config.drain, least = drain / 8;
  RccTime waited, left;
  double bps;

  if (drain == 0 || s->backlog.since == RCC_NEVER)
    return 0;
  waited = now - RCC_MIN (s->backlog.since, now);
  left = RCC_MAX (drain - RCC_MIN (waited, drain), least);
  bps = 8e9 * (double) s->pacer.queued_bytes / (double) left;
  return (uint32_t) RCC_MIN (bps, DRAIN_MAX * s->pacer.bps);
}

static void
note_backlog (RccSend *s, RccTime now)
{
  const uint32_t oldest = rcc_sbpn_queue_oldest (&s->sbpn.queue, true);

  s->backlog.packets = s->pacer.queued_packets;
  s->backlog.bytes = s->pacer.queued_bytes;
  s->backlog.since = oldest == NONE ? RCC_NEVER : s->sbpn.queue.entries[oldest].queued;
  rcc_pacer_drain (&s->pacer, drain_bps (s, now), now);
}

/* Only what says whether the rest means anything: clearing all of it takes as long as
 * sending. */
static void
begin_out (RccSendOut *out, RccTime queue_time, bool expired)
{
  out->queue_time = queue_time;
  out->expired = expired;
  out->cause = 0;
  out->sent.size = out->sent.probe = out->sent.flags = 0;
  out->renumbered = out->shown = false;
  out->send_time_at = out->transport_at = out->osn_at = 0;
  out->update.changed = 0;
}

/* What the scheduler gives out, which leaves or falls. */
static RccSendVerdict
take (RccSend *s, RccSbpnVerdict verdict, const RccSbpnOut *from, RccTime now, RccSendOut *out)
{
  const RccSendSlot *slot = slot_of (s, from);

  begin_out (out, from->queue_time, from->expired);
  if (verdict == RCC_SBPN_SEND)
    rcc_send_depart (s, slot, now, out);
  else
    rcc_send_mark_unsent (s, slot, from, now, out);
  let_free (s, (uint32_t) (slot - s->slots));
  note_backlog (s, now);
  return verdict == RCC_SBPN_SEND ? RCC_SEND_PACKET : RCC_SEND_DROPPED;
}

static RccSendVerdict
refuse (RccSend *s, uint32_t i, RccTime now, RccSendOut *out)
{
  rcc_send_mark_unsent (s, &s->slots[i], NULL, now, out);
  let_free (s, i);
  return RCC_SEND_DROPPED;
}

/* A key frame, or what lies behind a broken one: the queue decides. */
static bool
is_waiting_for_key (RccSend *s, const RccSendSlot *slot)
{
  const RccSendStream *stream = rcc_send_stream_of (s, slot);

  return stream && stream->needs_key;
}

RccSendPacket *
rcc_send_room (RccSend *s)
{
  return &s->slots[s->free].packet;     /* one is free, as one entry is */
}

RccSendVerdict
rcc_send_put (RccSend *s, bool alone, RccTime now, RccSendOut *out)
{
  const uint32_t i = s->free;
  RccSendSlot *slot = &s->slots[i];
  RccSbpnOut from;
  bool passes;

  s->free = slot->next;
  if (!note_arrival (s, slot, now) || is_tail_dropped (s))
    return refuse (s, i, now, out);
  rcc_pacer_queued (&s->pacer, slot->packet.size, now);
  passes = alone && rcc_send_is_empty (s) && may_pass (s, slot, now);
  if (passes && !s->config.scheduled && !is_waiting_for_key (s, slot)) {
    begin_out (out, 0, false);
    rcc_send_depart (s, slot, now, out);
    let_free (s, i);
    return RCC_SEND_PACKET;
  }
  rcc_send_look_ahead (s, now);
  if (!enqueue (s, i, now)) {
    rcc_pacer_removed (&s->pacer, slot->packet.size);
    return refuse (s, i, now, out);
  }
  if (passes)
    return take (s, rcc_sbpn_next (&s->sbpn, now, &from), &from, now, out);
  note_backlog (s, now);
  return RCC_SEND_WAIT;
}

bool
rcc_send_overflow (RccSend *s, RccTime now, RccSendOut *out)
{
  RccSbpnOut from;

  if (rcc_send_is_empty (s) || !rcc_sbpn_overflow (&s->sbpn, now, &from))
    return false;
  take (s, RCC_SBPN_DROP, &from, now, out);
  return true;
}

bool
rcc_send_flush (RccSend *s, uint32_t k, RccSendOut *out)
{
  RccSbpnOut from;

  rcc_send_end_probe (s);
  if (!rcc_sbpn_flush (&s->sbpn, k, &from))
    return false;
  take (s, RCC_SBPN_DROP, &from, 0, out);
  return true;
}

/* --- what leaves ---------------------------------------------------------- */

/* Something is queued and the pacer lets it go: whether the controller does. */
static bool
next_is_allowed (RccSend *s, RccTime now)
{
  RccSbpnPacket packet;

  if (!s->controller || !s->controller->ops->allowance)
    return true;
  return rcc_sbpn_peek (&s->sbpn, now, &packet) != RCC_SBPN_SEND
      || is_allowed (s, packet.size, now);
}

static RccSendVerdict
next_packet (RccSend *s, RccTime now, RccSendOut *out)
{
  RccSbpnVerdict verdict;
  RccSbpnOut from;

  rcc_send_look_ahead (s, now);
  if (!next_is_allowed (s, now))
    return RCC_SEND_WAIT;               /* until it hears of what is in flight */
  verdict = rcc_sbpn_next (&s->sbpn, now, &from);
  if (verdict == RCC_SBPN_EMPTY)
    return RCC_SEND_WAIT;
  take (s, verdict, &from, now, out);
  if (verdict == RCC_SBPN_SEND)
    return RCC_SEND_PACKET;
  if (s->config.drops_take_turns && out->cause == RCC_SBPN_EXPIRED && s->paced)
    rcc_pacer_sent (&s->pacer, rcc_send_cost (s, out->size), now);
  return RCC_SEND_DROPPED;
}

bool
rcc_send_parity_may_leave (RccSend *s, RccTime now, RccTime *when)
{
  *when = now;
  if (s->config.parity_at_once || !s->paced)
    return true;
  return ask_pacer (s, now, when) == RCC_PACER_MEDIA
      && is_allowed (s, s->parity->held[s->parity->first].size, now);
}

/* When what waits longest has done so for too long; RCC_NEVER: nothing will. */
static RccTime
too_old_at (const RccSend *s)
{
  const RccTime most = s->sbpn.config.max_time;

  if (s->backlog.since == RCC_NEVER || most >= RCC_NEVER - s->backlog.since)
    return RCC_NEVER;
  return s->backlog.since + most + 1;
}

static RccTime
sooner (RccTime when, RccTime old, RccTime now)
{
  return old > now ? RCC_MIN (when, old) : when;
}

RccTime
rcc_send_due (RccSend *s, RccTime now)
{
  const RccTime old = too_old_at (s);
  RccSbpnCause cause;
  RccTime when;

  if (rcc_sbpn_victim (&s->sbpn, now, &cause) != NONE)
    return now;
  if (rcc_send_parity_due (s))
    return rcc_send_parity_may_leave (s, now, &when) ? now : sooner (when, old, now);
  switch (ask_pacer (s, now, &when)) {
    case RCC_PACER_MEDIA:
      when = next_is_allowed (s, now) ? now : RCC_NEVER;
      break;
    case RCC_PACER_PADDING:
      when = may_pad (s) || !rcc_send_can_pad (s) ? now : RCC_NEVER;
      break;
    case RCC_PACER_WAIT:
      break;
  }
  return sooner (when, old, now);
}

RccSendVerdict
rcc_send_next (RccSend *s, RccTime now, RccTime *when, RccSendOut *out)
{
  RccSendVerdict verdict = RCC_SEND_WAIT;

  if (rcc_send_overflow (s, now, out))
    return RCC_SEND_DROPPED;
  if (rcc_send_parity_passes (s, now))
    return RCC_SEND_PARITY;
  switch (rcc_send_parity_due (s) ? RCC_PACER_WAIT : ask_pacer (s, now, when)) {
    case RCC_PACER_MEDIA:
      verdict = next_packet (s, now, out);
      break;
    case RCC_PACER_PADDING:
      if (may_pad (s))
        return RCC_SEND_PADDING;
      if (!rcc_send_can_pad (s))
        rcc_send_end_probe (s);
      break;
    case RCC_PACER_WAIT:
      break;
  }
  if (verdict == RCC_SEND_WAIT)
    *when = rcc_send_due (s, now);
  return verdict;
}
