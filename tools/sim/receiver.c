/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sim/receiver.h"

#include <math.h>
#include <stdlib.h>

#include "sim/sender.h"               /* payload types and extension ids */

#define UDP_IP 28

static void
report_in (RccWorldReceiver *r, RccFeedbackFormat format)
{
  RccGccConfig gcc = r->config.gcc;

  if (format == RCC_FEEDBACK_TWCC || format == RCC_FEEDBACK_CCFB) {
    gcc.arrivals = true;
    gcc.feedback_interval = r->config.feedback_interval;
  }
  rcc_gcc_receiver_init (&r->gcc, &gcc, &r->config.limits);
  rcc_reporter_clear (r->reporter);
  rcc_reporter_init (r->reporter, format, r->config.ssrc + r->config.apart, realloc);
  r->reporter->twcc_id = RCC_WORLD_EXT_TWCC;
}

/* As where a call is handed over to another server, or somebody sets a property. */
static void
change (RccWorldReceiver *r, RccTime now)
{
  const double share = r->gcc.rtcp_share;

  while (r->changed < r->config.n_changes && now >= r->config.changes[r->changed].at)
    report_in (r, r->config.changes[r->changed++].feedback);
  r->gcc.rtcp_share = share;
}

void
rcc_world_receiver_init (RccWorldReceiver *r, const RccWorldReceiverConfig *config,
    RccTime now)
{
  *r = (RccWorldReceiver) { .config = *config, .rr_next = RCC_NEVER };
  rcc_rng_init (&r->rng, config->seed, 0x3550);
  rcc_send_clock_init (&r->clock, RCC_WORLD_EXT_ABS);
  r->reporter = calloc (1, sizeof *r->reporter);
  report_in (r, config->feedback);
  if (config->discards) {
    r->extended = malloc (sizeof *r->extended);
    rcc_world_extended_init (r->extended, config->ssrc, config->feedback_interval,
        config->rtcp_share, config->early, config->discards);
  }
  if (config->repairs) {
    r->repair = malloc (sizeof *r->repair);
    rcc_world_repair_init (r->repair, config->repairs);
  }
  if (config->nacks.times > 0) {
    r->nacks = malloc (sizeof *r->nacks);
    rcc_nacks_init (r->nacks, &config->nacks);
  }
}

void
rcc_world_receiver_clear (RccWorldReceiver *r)
{
  rcc_reporter_clear (r->reporter);
  free (r->reporter);
  free (r->repair);
  free (r->nacks);
  if (r->extended)
    rcc_world_extended_clear (r->extended);
  free (r->extended);
}

static RccWorldSource *
source (RccWorldReceiver *r, uint32_t ssrc)
{
  for (unsigned i = 0; i < r->n_sources; i++)
    if (r->sources[i].ssrc == ssrc)
      return &r->sources[i];
  if (r->n_sources == RCC_WORLD_SSRCS)
    return NULL;
  r->sources[r->n_sources] = (RccWorldSource) { .ssrc = ssrc, .sr_at = RCC_NEVER };
  return &r->sources[r->n_sources++];
}

static void
count (RccWorldReceiver *r, const RccRtp *rtp, RccTime now)
{
  RccWorldSource *s = source (r, rtp->ssrc);
  int64_t seq, transit;

  if (!s)
    return;
  s->clock_rate = rtp->pt == RCC_WORLD_PT_AUDIO ? 48000 : 90000;
  seq = rcc_unwrap (&s->unwrap, rtp->seq, 16);
  transit = (int64_t) ((double) now * 1e-9 * s->clock_rate) - rtp->timestamp;
  if (!s->any) {
    s->any = true;
    s->base = s->highest = seq;
    s->transit = transit;
  }
  s->highest = RCC_MAX (s->highest, seq);
  s->heard = true;
  s->received++;
  s->jitter += (fabs ((double) (transit - s->transit)) - s->jitter) / 16.0;
  s->transit = transit;
}

static uint32_t
clock_rate (const RccRtp *rtp)
{
  return rtp->pt == RCC_WORLD_PT_AUDIO ? 48000 : 90000;
}

/* RFC 3550 6.3.1: T.  6.3.6 draws again when the time has come, which 1.21828 makes up
 * for: the mean of what results is Td. */
#define COMPENSATION 1.21828

static RccTime
draw (RccWorldReceiver *r)
{
  const double td = (double) r->config.rtcp_interval / (r->rr_sent ? 1 : 2);

  if (!r->config.rtcp_random)
    return (RccTime) td;
  return (RccTime) (td * (0.5 + rcc_rng_uniform (&r->rng)) / COMPENSATION);
}

/* 6.3.6, timer reconsideration */
static bool
is_due (RccWorldReceiver *r, RccTime now)
{
  if (now < r->rr_next)
    return false;
  if (r->config.rtcp_random)
    r->rr_next = r->rr_from + draw (r);
  return now >= r->rr_next;
}

void
rcc_world_receiver_rtp (RccWorldReceiver *r, const uint8_t *data, size_t size,
    RccEcn ecn, RccTime now)
{
  RccRtp rtp;
  RccTime send;

  if (!rcc_rtp_parse ((RccBytes) { data, size }, &rtp))
    return;
  change (r, now);
  count (r, &rtp, now);
  r->packets++;
  *(rtp.pt == RCC_WORLD_PT_PARITY ? &r->parity_bytes
      : rtp.padding ? &r->padding_bytes : &r->media_bytes) += size;
  if (r->repair)
    rcc_world_repair_packet (r->repair, &rtp, (RccBytes) { data, size });
  if (r->nacks)
    rcc_nacks_packet (r->nacks, &rtp, (RccBytes) { data, size }, now);
  if (r->extended) {
    rcc_world_extended_packet (r->extended, &rtp, (uint32_t) size, now);
    return;
  }
  if (!r->config.reports_alone) {
    rcc_reporter_packet (r->reporter, &rtp, (uint8_t) ecn, now);
    send = rcc_send_clock_time (&r->clock, &rtp, clock_rate (&rtp), now);
    rcc_gcc_receiver_missing (&r->gcc, r->reporter->missing);
    rcc_gcc_receiver_packet (&r->gcc, send, now, (uint32_t) size);
  }
  if (r->rr_next == RCC_NEVER)
    r->rr_next = (r->rr_from = now) + draw (r);
}

void
rcc_world_receiver_rtcp (RccWorldReceiver *r, const uint8_t *data, size_t size,
    RccTime now)
{
  RccBytes rest = { data, size };
  RccRtcpPacket packet;
  RccRtcpReport report;

  while (rcc_rtcp_next (&rest, &packet)) {
    RccWorldSource *s;

    if (!rcc_rtcp_report (&packet, &report) || !report.is_sr)
      continue;
    if ((s = source (r, report.ssrc))) {
      s->lsr = rcc_ntp_middle (report.ntp);
      s->sr_at = now;
    }
  }
}

static RccReportBlock
block (RccWorldSource *s, RccTime now)
{
  const uint64_t expected = (uint64_t) (s->highest - s->base + 1);
  const uint64_t expected_now = expected - s->expected_prior;
  const uint64_t received_now = s->received - s->received_prior;
  const uint64_t lost_now = expected_now > received_now
      ? expected_now - received_now : 0;

  s->expected_prior = expected;
  s->received_prior = s->received;
  s->heard = false;
  return (RccReportBlock) {
    .ssrc = s->ssrc,
    .fraction = (uint8_t) (expected_now ? RCC_MIN (lost_now * 256 / expected_now, 255) : 0),
    .lost = (int32_t) ((int64_t) expected - (int64_t) s->received),
    .highest_seq = (uint32_t) s->highest, .jitter = (uint32_t) s->jitter,
    .lsr = s->sr_at == RCC_NEVER ? 0 : s->lsr,
    .dlsr = s->sr_at == RCC_NEVER ? 0
        : (uint32_t) (((now - s->sr_at) << 16) / RCC_SEC),
  };
}

static RccDatagram *
begin_compound (RccWorldReceiver *r, RccTime now)
{
  RccDatagram *d = calloc (1, sizeof *d);
  RccReportBlock blocks[RCC_WORLD_SSRCS];
  unsigned n = 0;

  for (unsigned i = 0; i < r->n_sources; i++)
    if (r->sources[i].any && (r->sources[i].heard || !r->config.omit_silent))
      blocks[n++] = block (&r->sources[i], now);
  d->rtcp = true;
  d->size = (uint32_t) rcc_rtcp_build_rr (d->data, sizeof d->data, r->config.ssrc,
      blocks, n);
  d->size += (uint32_t) rcc_rtcp_build_cname (d->data + d->size,
      sizeof d->data - d->size, r->config.ssrc, "receiver@world");
  return d;
}

static RccDatagram *
make_extended (RccWorldReceiver *r, RccTime now)
{
  RccDatagram *d;

  if (now < rcc_avpf_deadline (&r->extended->avpf) || !rcc_avpf_due (&r->extended->avpf, now))
    return NULL;
  d = begin_compound (r, now);
  if (rcc_world_extended_append (r->extended, d, now))
    return d;
  free (d);
  return NULL;
}

static RccDatagram *
make_rr (RccWorldReceiver *r, RccTime now)
{
  RccDatagram *d = begin_compound (r, now);
  size_t more;

  if (!r->config.apart)
    rcc_rtcp_source_rtcp_passed (&r->reporter->source, (RccBytes) { d->data, d->size });
  if (rcc_gcc_receiver_deadline (&r->gcc) != RCC_NEVER && !r->config.apart) {
    r->reporter->repeat = rcc_gcc_receiver_repeat (&r->gcc, now);
    more = rcc_reporter_packet_of (r->reporter, r->gcc.bps, now, d->data + d->size,
        sizeof d->data - d->size);
    d->size += (uint32_t) more;
    if (more)
      rcc_gcc_receiver_reported (&r->gcc, d->size + UDP_IP, rcc_reporter_pending (r->reporter),
          now);
  }
  r->rr_sent = true;
  r->rr_from = now;
  r->rr_next = now + draw (r);
  return d;
}

void
rcc_world_receiver_space (RccWorldReceiver *r, RccTime interval)
{
  if (r->extended)
    r->extended->avpf.config.interval = interval;
  r->config.rtcp_interval = interval;
  r->gcc.config.feedback_interval = interval;
  if (r->rr_next != RCC_NEVER)
    r->rr_next = r->rr_from + draw (r);
}

RccTime
rcc_world_receiver_next (const RccWorldReceiver *r)
{
  const RccTime nack = r->nacks ? rcc_nacks_next (r->nacks) : RCC_NEVER;

  if (r->extended)
    return RCC_MIN (nack, rcc_avpf_deadline (&r->extended->avpf));
  return RCC_MIN (nack, RCC_MIN (r->rr_next, rcc_gcc_receiver_deadline (&r->gcc)));
}

RccDatagram *
rcc_world_receiver_poll (RccWorldReceiver *r, RccTime now)
{
  RccDatagram *d = r->nacks ? rcc_nacks_poll (r->nacks, now) : NULL;

  if (d)
    return d;
  if (r->extended)
    return make_extended (r, now);
  if (is_due (r, now))
    return make_rr (r, now);
  if (now < rcc_gcc_receiver_deadline (&r->gcc))
    return NULL;
  d = calloc (1, sizeof *d);
  d->rtcp = true;
  r->reporter->repeat = rcc_gcc_receiver_repeat (&r->gcc, now);
  d->size = (uint32_t) rcc_reporter_compound (r->reporter, r->gcc.bps, now, d->data,
      sizeof d->data);
  rcc_gcc_receiver_reported (&r->gcc, d->size + UDP_IP,
      d->size > 0 && rcc_reporter_pending (r->reporter), now);
  if (d->size > 0)
    return d;
  free (d);                             /* no packet has come since the last one */
  return NULL;
}

void
rcc_world_receiver_counts (const RccWorldReceiver *r, uint64_t *expected,
    uint64_t *received)
{
  *expected = *received = 0;
  for (unsigned i = 0; i < r->n_sources; i++) {
    const RccWorldSource *s = &r->sources[i];

    *expected += s->any ? (uint64_t) (s->highest - s->base + 1) : 0;
    *received += s->received;
  }
}
