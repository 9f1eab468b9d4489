/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "world/sender.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define AUDIO_INTERVAL (20 * RCC_MSEC)
#define HEADER 24                       /* RTP with both extensions */
#define HEADER_PLAIN 12
#define PADDING 255
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
encoder_target (const RccWorldSender *s)
{
  const uint32_t share = encoder_share (s, s->target_bps);

  return RCC_MIN (share, s->config.breaker.together
      ? encoder_share (s, s->allowed_bps) : payload_share (s, s->allowed_bps));
}

bool
rcc_world_sender_init (RccWorldSender *s, const RccWorldSenderConfig *config,
    RccTime now, char *error, size_t error_size)
{
  RccWorldControllerView control;

  *s = (RccWorldSender) {
    .config = *config, .seq = 65000, .audio_seq = 100,
    .audio_next = config->audio_ssrc ? now : RCC_NEVER, .sr_next = now,
    .target_bps = config->limits.start_bps, .allowed_bps = UINT32_MAX,
    .ledger = { .to = RCC_NEVER, .expiry = { RCC_NEVER, RCC_NEVER } },
  };
  rcc_rng_init (&s->rng, config->seed, 0x5bb9);
  rcc_world_controller_init (&s->control, &config->controller, &config->limits);
  control = rcc_world_controller_view (&s->control);
  rcc_outqueue_init (&s->queue, &config->queue, config->adapt ? control.pacing_bps
      : config->limits.start_bps * 2, control.burst, config->max_queue, now);
  rcc_orders_init (&s->orders, encoder_target (s));
  s->feedback = malloc (sizeof *s->feedback);
  rcc_feedback_init (s->feedback);
  if (config->breaks) {
    s->fuse = malloc (sizeof *s->fuse);
    rcc_world_fuse_init (s->fuse, &config->breaker, now);
  }
  if (config->parity_ssrc) {
    s->protect = malloc (sizeof *s->protect);
    rcc_world_protect_init (s->protect, config->parity_ssrc);
    rcc_world_protect_set (s->protect, config->parity_always, config->parity_depth);
  }
  return rcc_source_init (&s->source, &config->source, s->orders.bps,
      config->seed, now, error, error_size);
}

void
rcc_world_sender_clear (RccWorldSender *s)
{
  rcc_outqueue_clear (&s->queue);
  rcc_source_clear (&s->source);
  free (s->feedback);
  free (s->fuse);
  free (s->protect);
  free (s->parity);
}

static RccProtection
protection_of (const RccWorldSender *s)
{
  return (RccProtection) { s->protect ? s->config.parity_always : 0,
    RCC_MAX (s->config.parity_depth, 1) };
}

/* What the controller's target leaves for media: its own parity goes off, or where it
 * asks for none, what the sender protects itself with all the time. */
static void
divide (RccWorldSender *s)
{
  const RccWorldControllerView control = rcc_world_controller_view (&s->control);
  const RccProtection protection = protection_of (s);
  const uint32_t own = control.fec_interval;

  s->target_bps = control.target_bps
      - rcc_protection_bps (&protection, own, control.target_bps, control.fec_bps);
  if (s->protect)
    rcc_world_protect_set (s->protect, rcc_protection_interval (&protection, own),
        rcc_protection_depth (&protection, own));
}

static void
apply (RccWorldSender *s, const RccUpdate *u, RccTime now)
{
  const RccWorldControllerView control = rcc_world_controller_view (&s->control);

  if (!s->config.adapt)
    return;
  if (u->changed & RCC_PACING)
    rcc_pacer_set_rate (&s->queue.pacer, u->pacing_bps, now);
  if (u->changed & RCC_PROBE)
    rcc_pacer_probe (&s->queue.pacer, u->probe_bps, u->probe_bytes, u->probe_id);
  if (u->changed & RCC_TARGET && !control.paces)
    rcc_pacer_set_rate (&s->queue.pacer, control.pacing_bps, now);
  if (u->changed & (RCC_TARGET | RCC_FEC)) {
    divide (s);
    rcc_orders_put (&s->orders, encoder_target (s), now + s->config.encoder_delay);
  }
}

/* What the breaker said reaches the encoder as any other target does. */
static void
apply_breaker (RccWorldSender *s, const RccUpdate *u, RccTime now)
{
  if (!(u->changed & (RCC_TARGET | RCC_STOP)))
    return;
  s->allowed_bps = rcc_world_fuse_allows (s->fuse, s->config.ssrc);
  rcc_orders_put (&s->orders, encoder_target (s), now + s->config.encoder_delay);
}

/* What was numbered when it was made leaves a gap that is not the network's. */
static void
drop (RccWorldSender *s, RccOutqueueOut out, RccTime now)
{
  RccRtp rtp;

  rcc_ledger_dropped (&s->ledger, out.datagram, out.cause);
  if (!s->config.queue.scheduled) {
    rcc_rtp_parse ((RccBytes) { out.datagram->data, out.datagram->size }, &rtp);
    rcc_feedback_withheld (s->feedback, &rtp, now);
  }
  s->dropped++;
  free (out.datagram);
}

static void
enqueue (RccWorldSender *s, RccDatagram *d, RccTime now)
{
  RccOutqueueOut out;

  rcc_ledger_offered (&s->ledger, d);
  if (!rcc_outqueue_put (&s->queue, d, rcc_ledger_expiry (&s->ledger, d), now))
    drop (s, (RccOutqueueOut) { d, true, RCC_SBPN_FULL, false }, now);
  while (rcc_outqueue_surplus (&s->queue, now, &out))
    drop (s, out, now);
}

/* A scheduler drops and reorders: its packets are numbered as they leave. */
static uint16_t
number_now (const RccWorldSender *s, uint16_t *seq)
{
  return s->config.queue.scheduled ? 0 : (*seq)++;
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

  rcc_source_target (&s->source, rcc_orders_due (&s->orders, now), now);
  left = rcc_source_frame (&s->source);
  packets = packets_of (s, &left);
  s->timestamp = rcc_world_ticks (now, VIDEO_CLOCK);
  s->frame++;
  for (; packets > 0; packets--) {
    const uint32_t payload = left / packets;
    const RccRtp rtp = { .pt = RCC_WORLD_PT_VIDEO, .marker = packets == 1,
      .seq = number_now (s, &s->seq), .timestamp = s->timestamp, .ssrc = s->config.ssrc };
    RccDatagram *d = rcc_datagram_rtp (&rtp, s->config.plain, payload, now);

    d->stream = RCC_WORLD_VIDEO;
    d->frame = s->frame;
    enqueue (s, d, now);
    left -= payload;
  }
}

static void
make_audio (RccWorldSender *s, RccTime now)
{
  const RccRtp rtp = { .pt = RCC_WORLD_PT_AUDIO, .seq = number_now (s, &s->audio_seq),
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
  if (s->fuse)
    rcc_world_fuse_rtcp_sent (s->fuse, (RccBytes) { d->data, d->size }, now);
  s->sr_next += s->config.sr_interval;
  return d;
}

static bool
passes (RccWorldSender *s, const RccRtp *rtp, uint32_t size, RccTime now)
{
  return !s->fuse || rcc_world_fuse_rtp (s->fuse, rtp, size,
      rtp->pt == RCC_WORLD_PT_AUDIO ? AUDIO_CLOCK : VIDEO_CLOCK, now);
}

/* Bytes that a packet of @size counts for in the pacer. */
static uint32_t
cost (const RccWorldSender *s, uint32_t size)
{
  const uint32_t equal = rcc_world_controller_view (&s->control).packet_cost;

  return equal ? equal : size;
}

static void
count_sent (RccWorldSender *s, const RccDatagram *d, const RccRtp *rtp)
{
  if (d->parity) {
    s->parity_bytes += d->size;
    return;
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

/* Numbers and times that are known only now; then it is gone, unless the breaker, which
 * stands behind the controller, is open.  Parity passes the pacer by: it leaves with the
 * last packet that it protects. */
static bool
stamp (RccWorldSender *s, RccDatagram *d, RccTime now)
{
  RccPacket packet = { .size = d->size, .sent = now };
  RccBytes value;
  RccRtp rtp;

  if (s->config.queue.scheduled && !d->padding && !d->parity)
    rcc_put16 (d->data + 2, d->stream == RCC_WORLD_AUDIO ? s->audio_seq++ : s->seq++);
  rcc_rtp_parse ((RccBytes) { d->data, d->size }, &rtp);
  packet.ssrc = rtp.ssrc;
  packet.timestamp = rtp.timestamp;
  if (rcc_rtp_ext (&rtp, RCC_WORLD_EXT_ABS, &value))
    rcc_put24 (d->data + (value.data - d->data), rcc_abs_send_time (now));
  if (rcc_rtp_ext (&rtp, RCC_WORLD_EXT_TWCC, &value))
    rcc_put16 (d->data + (value.data - d->data), s->twcc);
  packet.probe = d->parity ? (probing (s) ? RCC_FATE_PARITY : 0)
      : rcc_outqueue_sent (&s->queue, d, cost (s, d->size), now);
  rcc_feedback_sent (s->feedback, &rtp, s->config.plain ? -1 : s->twcc++, d->size,
      packet.probe, now);
  rcc_tell (&s->control.sender, on_sent, &packet);
  if (!passes (s, &rtp, d->size, now))
    return false;
  count_sent (s, d, &rtp);
  if (s->protect && d->stream == RCC_WORLD_VIDEO && !d->parity && !d->padding)
    s->parity = rcc_world_protect_sent (s->protect, d, now);
  return true;
}

/* On the media SSRC, after whatever is queued: a number of its own, the timestamp of
 * the frame before it.  Packets already queued carry later numbers only if there are
 * none, which is when the pacer asks for padding. */
static RccDatagram *
make_padding (RccWorldSender *s, RccTime now)
{
  const RccRtp rtp = { .pt = RCC_WORLD_PT_VIDEO, .padding = true, .seq = s->seq++,
    .timestamp = s->timestamp, .ssrc = s->config.ssrc };
  RccDatagram *d = rcc_datagram_rtp (&rtp, s->config.plain, PADDING, now);

  d->padding = true;
  return d;
}

/* What the queue has to give at this turn; NULL: nothing. */
static RccDatagram *
take (RccWorldSender *s, bool *expired, RccTime now)
{
  RccOutqueueOut out;

  while (rcc_outqueue_next (&s->queue, now, &out)) {
    const uint32_t size = out.datagram->size;

    *expired = out.expired;
    if (!out.dropped)
      return out.datagram;
    drop (s, out, now);
    if (s->config.queue.drops_take_turns && out.cause == RCC_SBPN_EXPIRED) {
      rcc_pacer_sent (&s->queue.pacer, cost (s, size), true, now);
      return NULL;
    }
  }
  return NULL;
}

/* NULL: none is due, or it does not pass. */
static RccDatagram *
send_parity (RccWorldSender *s, RccTime now)
{
  RccDatagram *d = s->parity;

  s->parity = d ? rcc_world_protect_next (s->protect, now) : NULL;
  if (!d || stamp (s, d, now))
    return d;
  free (d);
  return NULL;
}

/* The next packet that leaves; NULL: none for now. */
static RccDatagram *
send_rtp (RccWorldSender *s, RccTime now)
{
  RccDatagram *parity = send_parity (s, now);

  if (parity)
    return parity;
  for (;;) {
    RccTime when;
    const RccPacerVerdict next = rcc_pacer_next (&s->queue.pacer, now, &when);
    bool expired = false;
    RccDatagram *d;

    if (next == RCC_PACER_WAIT)
      return NULL;
    d = next == RCC_PACER_MEDIA ? take (s, &expired, now) : make_padding (s, now);
    if (!d)
      continue;
    if (stamp (s, d, now)) {
      rcc_ledger_sent (&s->ledger, d, expired, now);
      return d;
    }
    rcc_ledger_withheld (&s->ledger, d);
    free (d);
  }
}

RccTime
rcc_world_sender_next (RccWorldSender *s, RccTime now)
{
  RccTime when = now, next;

  if (s->parity || rcc_pacer_next (&s->queue.pacer, now, &when) != RCC_PACER_WAIT)
    when = now;
  next = RCC_MIN (s->source.next, s->audio_next);
  next = RCC_MIN (next, s->sr_next);
  if (s->config.adapt)
    next = RCC_MIN (next, rcc_deadline (&s->control.sender));
  if (s->fuse)
    next = RCC_MIN (next, rcc_deadline (&s->fuse->breaker.sender));
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
  if (s->config.adapt && now >= rcc_deadline (&s->control.sender)) {
    const RccUpdate u = rcc_tell (&s->control.sender, on_deadline, now);

    apply (s, &u, now);
  }
  if (s->fuse && now >= rcc_deadline (&s->fuse->breaker.sender)) {
    const RccUpdate u = rcc_tell (&s->fuse->breaker.sender, on_deadline, now);

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
  const RccTime rtt = own != RCC_NEVER ? own : s->feedback->reports.rtt.smoothed;

  rcc_outqueue_rtt (&s->queue, rtt, now);
}

void
rcc_world_sender_rtcp (RccWorldSender *s, const uint8_t *data, size_t size,
    RccTime now)
{
  /* receipt times (RFC 3611 4.3) count in it */
  if (s->protect) {
    rcc_feedback_clock_rate (s->feedback, s->config.ssrc, VIDEO_CLOCK);
    rcc_feedback_clock_rate (s->feedback, s->config.parity_ssrc, VIDEO_CLOCK);
  }
  const RccUpdate u = rcc_feedback_rtcp (s->feedback, (RccBytes) { data, size },
      rcc_ntp_middle (rcc_ns_to_ntp (now)), now,
      rcc_outqueue_ear (&s->queue, &s->control.sender));

  apply (s, &u, now);
  learn_rtt (s, now);
  if (s->fuse) {
    const RccUpdate b = rcc_world_fuse_rtcp (s->fuse, (RccBytes) { data, size }, now);

    apply_breaker (s, &b, now);
  }
}
