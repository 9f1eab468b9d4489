/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "send/private.h"

#define NONE RCC_SBPN_NONE
#define BURST (5 * RCC_MSEC)            /* ANRW'16 3 */
#define RATE_SPAN RCC_SEC
#define REPORT_STEP (50 * RCC_MSEC)     /* of the queue's time, by which it is told anew */
#define REPORT_FROM 2                   /* steps; a frame's packets are no backlog */
#define REPORT_PACKETS 4                /* nor are so few */
#define MAX_TIME (2 * RCC_SEC)          /* libwebrtc's limit of its pacer's queue */
#define STAND_INS 16                    /* packets whose copies speak of padding, in turn */
#define STAND_IN_REACH 128              /* numbers back; a train of probes has fewer */
#define STAND_IN_TRIES 4                /* of those that a request waits for already */

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
  s->send_time_offset = 0;
  s->free = NONE;
  s->feedback = feedback;
  s->amend = NULL;
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
    rcc_send_let_free (s, i);
  s->capacity = capacity;
  rcc_pacer_init (&s->pacer, 0, config->burst, now);
  s->pacer.idle_credit = config->idle_credit;
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
  s->pacer.idle_credit = config->idle_credit;
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

/* Whoever keeps packets upstream has no padding. A copy of another packet is asked for in its
 * place, each time one of STAND_INS, as several may be under way at once. */
static bool
find_stand_in (RccSend *s, const RccSeqRewrite *n, uint16_t *former)
{
  unsigned pass = s->stand_ins++ % STAND_INS, tries = 0;

  for (uint16_t i = 0; i < STAND_IN_REACH && tries < STAND_IN_TRIES; i++) {
    if (!rcc_seq_rewrite_request (n, (uint16_t) (n->last - i), former))
      continue;
    if (pass > 0)
      pass--;
    else if (!rcc_rtx_answer (&s->rtx, *former))
      return true;
    else
      tries++;
  }
  return false;
}

/* Padding that is lost is a gap as any other. A browser decodes nothing behind it until it gives
 * up and asks for a key frame, after 3 s. Parity is not answered for: it stands within frames,
 * where rtph264depay takes no packet without payload. */
static bool
find_requested (RccSend *s, const RccSeqRewrite *n, RccRtxPacket *packet)
{
  if (rcc_seq_rewrite_request (n, packet->left, &packet->former))
    return true;
  packet->empty = rcc_seq_rewrite_is_padding (n, packet->left);
  packet->size = RCC_RTP_HEADER_MIN + RCC_RTX_OSN_SIZE;
  return packet->empty && find_stand_in (s, n, &packet->former);
}

bool
rcc_send_request (RccSend *s, uint32_t ssrc, uint32_t seq, bool decided, RccTime now,
    uint16_t *former)
{
  RccSendStream *stream = rcc_ssrcs_find (&s->streams, ssrc);
  const RccSentPacket *sent = seq <= UINT16_MAX
      ? rcc_feedback_find (s->feedback, ssrc, (uint16_t) seq) : NULL;
  const RccRtxPath path = { s->target_bps, s->rtt, rcc_skew_owd_rtt_min (&s->owd.clock) };
  RccRtxPacket packet = { .ssrc = ssrc, .left = (uint16_t) seq };

  if (sent) {
    packet.size = sent->size;
    packet.sent = sent->key.at;
  }
  if (!stream || !sent || !find_requested (s, &stream->seq_rewrite, &packet)) {
    s->rtx.unknown++;
    return false;
  }
  *former = packet.former;
  if (!decided && rcc_send_gives_up (s, stream, &packet, &path, now))
    return false;
  if (!decided)
    return rcc_rtx_request (&s->rtx, &packet, &path, &stream->requests, now);
  rcc_rtx_requested (&s->rtx, &packet, now);
  return true;
}
