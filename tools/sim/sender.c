/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sim/sender.h"

#include "wire/feedback-rtcp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define AUDIO_INTERVAL (20 * RCC_MSEC)
#define HEADER 24                       /* RTP with both extensions */
#define HEADER_PLAIN 12
#define ENTRIES 16384                   /* unless told: some frames of 1 Gbit/s */
#define VIDEO_CLOCK 90000
#define AUDIO_CLOCK 48000

static uint32_t
header (const RccWorldSender *s)
{
  return s->config.plain ? HEADER_PLAIN : HEADER;
}

static uint32_t
payload_max (const RccWorldSender *s)
{
  return s->config.packet_size - header (s);
}

/* What is left for payload: rates count RTP headers. */
static uint32_t
payload_share (const RccWorldSender *s, uint32_t bps)
{
  const double frames = 8.0 * s->config.source.fps, frame = bps / frames;
  const double headers = header (s) * ceil (frame / s->config.packet_size);

  if (s->config.plain)                  /* small frames: not all packets are full */
    return frame > headers ? (uint32_t) (frames * (frame - headers)) : 0;
  return (uint32_t) ((uint64_t) bps * payload_max (s) / s->config.packet_size);
}

/* What is left for video payload: the target counts audio, too. */
static uint32_t
encoder_share (const RccWorldSender *s, uint32_t target)
{
  const uint32_t audio = s->config.audio_ssrc
      ? s->config.audio_size * 8 * 50 : 0;

  return target <= audio ? 0 : payload_share (s, target - audio);
}

/* Where several controllers stand in a row, the smallest target wins.  One SSRC's limit
 * is the video's alone. */
static uint32_t
encoder_target (RccWorldSender *s, RccTime now)
{
  const uint32_t bps = rcc_send_encoder_bps (&s->path, s->target_bps);
  const uint32_t share = encoder_share (s, bps - rcc_send_rtx_bps (&s->path, bps, now));

  return RCC_MIN (share, s->config.breaker.together
      ? encoder_share (s, s->allowed_bps) : payload_share (s, s->allowed_bps));
}

/* Both streams are pads of the path, by their number. */
static void
init_path (RccWorldSender *s, const RccSenderView *control, RccTime now)
{
  const uint32_t entries = s->config.entries > 0 ? s->config.entries : ENTRIES;
  RccSendConfig config = s->config.queue;

  config.burst = control->burst;
  if (s->config.adapt) {
    config.drain = control->drain;
    config.backlog_from = control->backlog_from;
    config.backlog_over = control->backlog_over;
  }
  config.numbers_transport = true;
  config.parity_at_once = !s->config.parity_first;
  s->feedback = malloc (sizeof *s->feedback);
  rcc_feedback_init (s->feedback, realloc);
  rcc_send_init (&s->path, &config, malloc (entries * sizeof (RccSbpnEntry)),
      malloc (entries * sizeof (RccSendSlot)), entries, s->feedback, now);
  for (uint32_t k = 0; config.scheduled && k < RCC_WORLD_STREAMS; k++)
    rcc_send_open (&s->path, k, &s->config.classes[k], s->config.expiry[k]);
  if (s->config.adapt)
    rcc_send_attach (&s->path, s->control.sender);
}

/* A stream of its own, of whose numbers the world begins at 2000. */
static void
init_parity (RccWorldSender *s)
{
  const RccSendParityConfig config = { .pt = RCC_WORLD_PT_PARITY, .apart = true,
    .flush = s->config.parity_flush, .fills_probes = s->config.parity_probes,
    .ssrc = s->config.ssrc, .fec_ssrc = s->config.parity_ssrc };

  rcc_send_parity_init (s->parity, &config, realloc);
  s->parity->seq = 1999;
  rcc_send_protect (&s->path, s->parity);
  rcc_send_parity_announce (s->parity, 0, !s->config.plain);
  s->path.parity_passed = s->config.parity_first;       /* as where it comes from upstream */
  rcc_send_parity_set (s->parity, s->config.parity_always, s->config.parity_depth);
}

/* A fixed rate stays what it is until the breaker stops it. */
static void
start_gate (RccWorldSender *s, RccTime now)
{
  RccBreakerConfig breaker = s->config.breaker;

  if (!s->config.adapt)
    breaker.hold_below = 0;
  rcc_gate_start (s->gate, &breaker, 0, now);
}

bool
rcc_world_sender_init (RccWorldSender *s, const RccWorldSenderConfig *config,
    RccTime now, char *error, size_t error_size)
{
  RccSenderView control;

  *s = (RccWorldSender) {
    .config = *config, .seq = 65000, .audio_seq = 100,
    .audio_next = config->audio_ssrc ? now : RCC_NEVER, .sr_next = now,
    .target_bps = config->limits.start_bps, .allowed_bps = UINT32_MAX,
    .video_seq = -1, .delivery = { .to = RCC_NEVER, .expiry = { RCC_NEVER, RCC_NEVER } },
  };
  rcc_rng_init (&s->rng, config->seed, 0x5bb9);
  rcc_world_controller_init (&s->control, config->controller, config->controller_config,
      &config->limits, config->parity_first, now);
  control = rcc_world_controller_view (&s->control);
  init_path (s, &control, now);
  rcc_target_delay_init (&s->target_delay, encoder_target (s, now));
  rcc_send_rate (&s->path, config->adapt ? control.pacing_bps : config->limits.start_bps * 2, now);
  if (config->breaks) {
    s->gate = malloc (sizeof *s->gate);
    rcc_gate_init (s->gate, realloc);
    s->gate->enforce = true;
    start_gate (s, now);
  }
  if (config->parity_ssrc) {
    s->parity = malloc (sizeof *s->parity);
    init_parity (s);
  }
  if (config->rtx_ssrc)
    s->history = calloc (1, sizeof *s->history);
  return rcc_source_init (&s->source, &config->source, s->target_delay.bps,
      config->seed, now, error, error_size);
}

void
rcc_world_sender_clear (RccWorldSender *s)
{
  RccSendOut out;

  while (s->feedback && rcc_send_flush (&s->path, RCC_SBPN_ALL, &out))
    free (out.handle);
  free (s->path.entries);
  free (s->path.slots);
  rcc_source_clear (&s->source);
  if (s->feedback) {
    rcc_send_clear (&s->path);
    rcc_feedback_clear (s->feedback);
  }
  if (s->gate)
    rcc_gate_clear (s->gate);
  rcc_world_controller_clear (&s->control);
  free (s->feedback);
  free (s->gate);
  if (s->parity)
    rcc_send_parity_clear (s->parity);
  free (s->parity);
  if (s->history)
    rcc_world_history_clear (s->history);
  free (s->history);
}

static RccProtection
protection_of (const RccWorldSender *s)
{
  return (RccProtection) { s->parity ? s->config.parity_always : 0,
    RCC_MAX (s->config.parity_depth, 1) };
}

/* What the controller's target leaves for media. Its own parity goes off, or where it asks for
 * none, what the sender protects itself with all the time. */
static void
divide (RccWorldSender *s)
{
  const RccSenderView control = rcc_world_controller_view (&s->control);
  const RccProtection protection = protection_of (s);
  const uint32_t own = control.fec_interval;

  s->target_bps = control.target_bps
      - rcc_protection_bps (&protection, own, control.target_bps, control.fec_bps);
  if (s->parity)
    rcc_send_parity_set (s->parity, rcc_protection_interval (&protection, own),
        rcc_protection_depth (&protection, own));
}

static void
apply (RccWorldSender *s, const RccUpdate *u, RccTime now)
{
  const RccSenderView control = rcc_world_controller_view (&s->control);

  if (!s->config.adapt)
    return;
  if (u->changed & RCC_TARGET && !control.paces)
    rcc_send_rate (&s->path, control.pacing_bps, now);
  if (u->changed & (RCC_TARGET | RCC_FEC)) {
    divide (s);
    rcc_target_delay_put (&s->target_delay, encoder_target (s, now), now + s->config.encoder_delay);
  }
}

/* What the breaker said reaches the encoder as any other target does. */
static void
apply_breaker (RccWorldSender *s, const RccUpdate *u, RccTime now)
{
  if (!(u->changed & (RCC_TARGET | RCC_STOP)))
    return;
  s->allowed_bps = rcc_gate_allows (s->gate, rcc_gate_stream (s->gate, s->config.ssrc));
  rcc_target_delay_put (&s->target_delay, encoder_target (s, now), now + s->config.encoder_delay);
}

static void
drop (RccWorldSender *s, const RccSendOut *out)
{
  const RccDatagram *d = out->handle;

  if (!d->rtx) {
    rcc_delivery_dropped (&s->delivery, d, out->cause);
    s->dropped++;
  }
  free (out->handle);
}

/* Where an extension's value of @size bytes stands; 0: nowhere. */
static uint16_t
find_ext (const RccDatagram *d, const RccRtp *rtp, uint8_t id, size_t size)
{
  RccBytes value;

  return rcc_rtp_ext (rtp, id, &value) && value.size == size
      ? (uint16_t) (value.data - d->data) : 0;
}

static void
enqueue (RccWorldSender *s, RccDatagram *d, RccTime now)
{
  const bool audio = d->stream == RCC_WORLD_AUDIO;
  RccSendPacket *packet = rcc_send_room (&s->path);
  RccSendOut out;
  RccRtp rtp;

  *packet = (RccSendPacket) { .handle = d, .size = d->size, .pad = d->stream, .rtp = true,
    .expiry = rcc_delivery_expiry (&s->delivery, d), .header = d->data, .transport = -1,
    .media = audio ? RCC_MEDIA_AUDIO : RCC_MEDIA_VIDEO, .retransmission = d->rtx };
  rcc_rtp_parse ((RccBytes) { d->data, d->size }, &rtp);
  packet->ssrc = rtp.ssrc;
  packet->timestamp = rtp.timestamp;
  packet->seq = rtp.seq;
  packet->header_size = (uint16_t) rtp.header_size;
  packet->pt = rtp.pt;
  packet->marker = rtp.marker;
  packet->send_time_at = find_ext (d, &rtp, RCC_WORLD_EXT_ABS, RCC_ABS_SEND_TIME_SIZE);
  packet->transport_at = find_ext (d, &rtp, RCC_WORLD_EXT_TWCC, RCC_TWCC_EXT_SIZE);
  if (d->rtx)
    packet->osn = rcc_be16 (d->data + rtp.header_size);
  else
    rcc_delivery_offered (&s->delivery, d);
  d->queued = now;
  if (rcc_send_put (&s->path, false, now, &out) == RCC_SEND_DROPPED)
    drop (s, &out);
  while (rcc_send_overflow (&s->path, now, &out))
    drop (s, &out);
}

/* Of a frame of @size bytes, which are made those of its payload. */
static uint32_t
packets_of (const RccWorldSender *s, uint32_t *size)
{
  uint32_t packets;

  if (s->config.source.model != RCC_SOURCE_EKIGA)
    return (*size + payload_max (s) - 1) / payload_max (s);
  packets = (*size + s->config.packet_size - 1) / s->config.packet_size;
  *size -= packets * header (s);
  return packets;
}

static void
make_frame (RccWorldSender *s, RccTime now)
{
  uint32_t left, packets;

  if (s->target_bps != UINT32_MAX && (s->history || s->path.config.backlog_over > 0))
    rcc_target_delay_put (&s->target_delay, encoder_target (s, now), now + s->config.encoder_delay);
  rcc_source_target (&s->source, rcc_target_delay_due (&s->target_delay, now), now);
  left = rcc_source_frame (&s->source);
  if (s->config.skip_queue > 0 && rcc_pacer_queue_time (&s->path.pacer) > s->config.skip_queue) {
    s->pictures_skipped++;
    return;
  }
  packets = packets_of (s, &left);
  s->timestamp = rcc_world_ticks (now, VIDEO_CLOCK);
  s->frame++;
  for (; packets > 0; packets--) {
    const uint32_t payload = left / packets;
    const RccRtp rtp = { .pt = RCC_WORLD_PT_VIDEO, .marker = packets == 1,
      .seq = s->seq++, .timestamp = s->timestamp, .ssrc = s->config.ssrc };
    RccDatagram *d = rcc_datagram_rtp (&rtp, s->config.plain, payload, now);

    d->stream = RCC_WORLD_VIDEO;
    d->frame = s->frame;
    if (s->history)
      rcc_world_history_keep (s->history, d);
    enqueue (s, d, now);
    left -= payload;
  }
}

static void
make_audio (RccWorldSender *s, RccTime now)
{
  const RccRtp rtp = { .pt = RCC_WORLD_PT_AUDIO, .seq = s->audio_seq++,
    .timestamp = rcc_world_ticks (now, AUDIO_CLOCK), .ssrc = s->config.audio_ssrc };
  RccDatagram *d = rcc_datagram_rtp (&rtp, s->config.plain,
      s->config.audio_size - header (s), now);

  d->stream = RCC_WORLD_AUDIO;
  enqueue (s, d, now);
  s->audio_next += AUDIO_INTERVAL;
}

static RccDatagram *
make_sr (RccWorldSender *s, RccTime now)
{
  RccDatagram *d = calloc (1, sizeof *d);
  const RccRtcpReport sr = { .ssrc = s->config.ssrc, .is_sr = true,
    .ntp = rcc_ns_to_ntp (now), .rtp_time = s->timestamp,
    .packets = s->packets, .octets = s->octets };

  d->rtcp = true;
  d->size = (uint32_t) rcc_rtcp_build_sr (d->data, sizeof d->data, &sr, NULL, 0);
  d->size += (uint32_t) rcc_rtcp_build_cname (d->data + d->size,
      sizeof d->data - d->size, sr.ssrc, "sender@world");
  rcc_feedback_rtcp_sent (s->feedback, (RccBytes) { d->data, d->size }, now);
  if (s->gate)
    rcc_gate_rtcp_sent (s->gate, (RccBytes) { d->data, d->size }, now);
  s->sr_next += s->config.sr_interval;
  return d;
}

static bool
passes (RccWorldSender *s, const RccRtp *rtp, uint32_t size, RccTime now)
{
  RccUpdate update = { 0 };

  return !s->gate || rcc_gate_rtp (s->gate, rtp, size,
      rtp->pt == RCC_WORLD_PT_AUDIO ? AUDIO_CLOCK : VIDEO_CLOCK, now, &update);
}

static void
count_sent (RccWorldSender *s, const RccDatagram *d, const RccRtp *rtp)
{
  if (d->parity || d->rtx) {
    s->parity_bytes += d->parity ? d->size : 0;
    return;
  }
  if (rtp->ssrc == s->config.ssrc) {
    s->gaps += s->video_seq < 0 ? 0 : (uint16_t) (rtp->seq - s->video_seq - 1);
    s->video_seq = rtp->seq;
  }
  s->packets++;
  s->octets += d->size - (uint32_t) rtp->header_size;
  *(d->padding ? &s->padding_bytes : &s->media_bytes) += d->size;
}

/* Parity is the controller's, or what there is outside probes: load as media is. */
static bool
probing (const RccWorldSender *s)
{
  return s->config.parity_always == 0
      || rcc_world_controller_view (&s->control).fec_interval > 0;
}

/* It leaves, unless the breaker, which stands behind the controller, is open. */
static bool
leaves (RccWorldSender *s, RccDatagram *d, RccTime now)
{
  RccRtp rtp;

  rcc_rtp_parse ((RccBytes) { d->data, d->size }, &rtp);
  if (!passes (s, &rtp, d->size, now))
    return false;
  count_sent (s, d, &rtp);
  return true;
}

static RccDatagram *
make_padding (RccWorldSender *s, RccTime now)
{
  RccDatagram *d = calloc (1, sizeof *d);
  RccSendOut out;

  rcc_send_pad (&s->path, d->data, now, &out);
  d->size = out.size;
  d->padding = true;
  d->stream = RCC_WORLD_VIDEO;
  d->created = now;
  return d;
}

/* Of the newest media packet's instant, as RFC 5109 14.1 has it for a stream apart. */
static RccDatagram *
make_parity (RccWorldSender *s, RccTime now)
{
  RccDatagram *d = calloc (1, sizeof *d);
  RccSendOut out;

  if (!rcc_send_parity (&s->path, d->data, sizeof d->data,
          probing (s) ? RCC_PACKET_PARITY : 0, now, &out)) {
    free (d);
    return NULL;
  }
  d->size = out.size;
  d->parity = true;
  d->stream = RCC_WORLD_VIDEO;
  d->created = now;
  return d;
}

/* What the path has to give at this turn; NULL: nothing. */
static RccDatagram *
take (RccWorldSender *s, RccSendOut *out, RccTime now)
{
  RccDatagram *d;
  RccTime when;

  s->path.packet_cost = rcc_world_controller_view (&s->control).packet_cost;
  for (;;)
    switch (rcc_send_next (&s->path, now, &when, out)) {
      case RCC_SEND_PACKET:
        d = out->handle;
        rcc_send_out_write (out, d->data, d->size);
        if (out->cut) {
          d->size = out->size;
          d->padding = true;
        }
        apply (s, &out->update, now);
        return d;
      case RCC_SEND_PADDING:
        out->shown = out->expired = false;
        return make_padding (s, now);
      case RCC_SEND_PARITY:
        out->shown = out->expired = false;
        if ((d = make_parity (s, now)))
          return d;
        break;
      case RCC_SEND_DROPPED:
        drop (s, out);
        break;
      case RCC_SEND_WAIT:
        return NULL;
    }
}

/* The next packet that leaves; NULL: none for now. */
static RccDatagram *
send_rtp (RccWorldSender *s, RccTime now)
{
  RccDatagram *d;
  RccSendOut out;

  while ((d = take (s, &out, now))) {
    if (leaves (s, d, now)) {
      if (out.shown)
        rcc_send_show (&s->path, &(RccBytes) { d->data, d->size }, 1, now);
      if (!d->rtx)
        rcc_delivery_sent (&s->delivery, d, out.expired, now);
      return d;
    }
    if (!d->rtx)
      rcc_delivery_stopped (&s->delivery, d);
    free (d);
  }
  return NULL;
}

RccTime
rcc_world_sender_next (RccWorldSender *s, RccTime now)
{
  RccTime next, when = rcc_send_due (&s->path, now);

  next = RCC_MIN (s->source.next, s->audio_next);
  next = RCC_MIN (next, s->sr_next);
  if (s->config.adapt)
    next = RCC_MIN (next, rcc_deadline (s->control.sender));
  if (s->gate)
    next = RCC_MIN (next, rcc_deadline (&s->gate->breaker.sender));
  return RCC_MIN (next, when);
}

/* What would be made in a pause is made when it ends. */
static void
rest (const RccWorldSender *s, RccTime *next)
{
  if (*next >= s->config.pause && *next < s->config.resume)
    *next = s->config.resume;
}

/* Video first where both are due, but for the model in which neither is favoured. */
static void
make_media (RccWorldSender *s, RccTime now)
{
  rest (s, &s->source.next);
  rest (s, &s->audio_next);
  if (s->config.source.model == RCC_SOURCE_EKIGA && now >= s->audio_next
      && s->audio_next == s->source.next && rcc_rng_uniform (&s->rng) < 0.5)
    make_audio (s, s->audio_next);
  for (; now >= s->source.next; rest (s, &s->source.next))
    make_frame (s, s->source.next);
  for (; now >= s->audio_next; rest (s, &s->audio_next))
    make_audio (s, s->audio_next);
}

RccDatagram *
rcc_world_sender_poll (RccWorldSender *s, RccTime now)
{
  if (s->config.adapt && now >= rcc_deadline (s->control.sender)) {
    const RccUpdate u = rcc_tell (&s->path.sender, on_deadline, now);

    apply (s, &u, now);
  }
  if (s->gate && now >= rcc_deadline (&s->gate->breaker.sender)) {
    const RccUpdate u = rcc_tell (&s->gate->breaker.sender, on_deadline, now);

    apply_breaker (s, &u, now);
  }
  make_media (s, now);
  if (now >= s->sr_next)
    return make_sr (s, now);
  return send_rtp (s, now);
}

/* The controller's, as the paper has it; else that of the reports. */
static void
learn_rtt (RccWorldSender *s, RccTime now)
{
  const RccTime own = rcc_world_controller_view (&s->control).rtt;

  if (own != RCC_NEVER)
    rcc_send_rtt (&s->path, own, now);
}

/* As rtpsession and rtprtxsend do it, with the path between them. */
static void
send_again (RccWorldSender *s, uint16_t seq, RccTime now)
{
  RccDatagram *d;
  uint16_t former;

  if (!rcc_send_request (&s->path, s->config.ssrc, seq, false, now, &former))
    return;
  d = rcc_world_history_copy (s->history, former, s->config.rtx_ssrc, s->config.plain);
  if (d)
    enqueue (s, d, now);
}

static void
hear_nacks (RccWorldSender *s, RccBytes rest, RccTime now)
{
  uint16_t seqs[RCC_NACK_SPAN];
  RccRtcpPacket packet;
  RccNack nack;

  while (rcc_rtcp_next (&rest, &packet)) {
    if (!rcc_nack_parse (&packet, &nack) || nack.media_ssrc != s->config.ssrc)
      continue;
    for (unsigned i = 0; i < nack.n_pairs; i++)
      for (unsigned k = 0, n = rcc_nack_pair (&nack, i, seqs); k < n; k++)
        send_again (s, seqs[k], now);
  }
}

void
rcc_world_sender_rtcp (RccWorldSender *s, const uint8_t *data, size_t size,
    RccTime now)
{
  /* receipt times (RFC 3611 4.3) count in it */
  if (s->parity) {
    rcc_feedback_clock_rate (s->feedback, s->config.ssrc, VIDEO_CLOCK);
    rcc_feedback_clock_rate (s->feedback, s->config.parity_ssrc, VIDEO_CLOCK);
  }
  const RccUpdate u = rcc_feedback_rtcp (s->feedback, (RccBytes) { data, size },
      rcc_ntp_middle (rcc_ns_to_ntp (now)), now, &s->path.sender);

  apply (s, &u, now);
  learn_rtt (s, now);
  if (s->history)
    hear_nacks (s, (RccBytes) { data, size }, now);
  if (s->gate) {
    const RccUpdate b = rcc_gate_rtcp (s->gate, (RccBytes) { data, size },
        rcc_ntp_middle (rcc_ns_to_ntp (now)), now);

    apply_breaker (s, &b, now);
  }
}
