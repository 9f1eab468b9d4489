/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire/feedback.h"

#include <string.h>

#include "wire/ccfb.h"
#include "wire/remb.h"
#include "wire/tmmbr.h"

#define PACKET_RATE_WINDOW RCC_SEC
#define ARRIVALS_KEEP (2 * RCC_SEC)

const RccField rcc_feedback_fields[] = {
  RCC_FIELD (RccFeedback, compounds, "rtcp-compounds", RCC_U64, ""),
  RCC_FIELD (RccFeedback, truncated_bytes, "rtcp-truncated", RCC_U64, "B"),
  RCC_FIELD (RccFeedback, ignored, "rtcp-ignored", RCC_U64, ""),
  RCC_FIELD (RccFeedback, forged, "rtcp-forged", RCC_U64, ""),
  RCC_FIELD (RccFeedback, unknown_packets, "feedback-unknown-packets", RCC_U64, ""),
  RCC_FIELD (RccFeedback, rtt.smoothed, "rtt-smoothed", RCC_TIME, "ns"),
  RCC_FIELDS_END,
};

void
rcc_feedback_init (RccFeedback *f)
{
  memset (f, 0, sizeof *f);
  rcc_history_init (&f->transport);
  rcc_rtt_init (&f->rtt);
  rcc_window_init (&f->packet_rate, PACKET_RATE_WINDOW);
}

static RccFeedbackStream *
find_stream (RccFeedback *f, uint32_t ssrc)
{
  for (unsigned i = 0; i < f->n_streams; i++)
    if (f->streams[i].ssrc == ssrc)
      return &f->streams[i];
  return NULL;
}

/* Streams come from what we send, never from what RTCP says; beyond the table the
 * one that has not sent for longest makes room. */
static RccFeedbackStream *
our_stream (RccFeedback *f, uint32_t ssrc)
{
  RccFeedbackStream *s = find_stream (f, ssrc);

  if (s)
    return s;
  s = &f->streams[0];
  for (unsigned i = 1; i < f->n_streams; i++)
    if (f->streams[i].used < s->used)
      s = &f->streams[i];
  if (f->n_streams < RCC_FEEDBACK_STREAMS)
    s = &f->streams[f->n_streams++];
  memset (s, 0, sizeof *s);
  s->ssrc = ssrc;
  s->newest = INT64_MIN;
  rcc_history_init (&s->history);
  return s;
}

void
rcc_feedback_sent (RccFeedback *f, const RccRtp *rtp, int twcc, uint32_t size,
    uint32_t probe, RccTime now)
{
  RccFeedbackStream *s = our_stream (f, rtp->ssrc);

  s->used = now;
  rcc_history_sent (&s->history, rtp->seq, size, probe, now);
  s->newest = RCC_MAX (s->newest, s->history.unwrap.last);
  if (twcc >= 0)
    rcc_history_sent (&f->transport, (uint16_t) twcc, size, probe, now);
  rcc_window_add (&f->packet_rate, 1, now);
}

void
rcc_feedback_forget_transport (RccFeedback *f)
{
  rcc_history_init (&f->transport);
}

void
rcc_feedback_withheld (RccFeedback *f, const RccRtp *rtp, RccTime now)
{
  RccFeedbackStream *s = our_stream (f, rtp->ssrc);

  rcc_history_withheld (&s->history, rtp->seq, now);
  s->newest = RCC_MAX (s->newest, s->history.unwrap.last);
}

void
rcc_feedback_clock_rate (RccFeedback *f, uint32_t ssrc, uint32_t clock_rate)
{
  our_stream (f, ssrc)->clock_rate = clock_rate;
}

void
rcc_feedback_rtcp_sent (RccFeedback *f, RccBytes compound, RccTime now)
{
  RccRtcpPacket packet;
  RccRtcpReport report;

  while (rcc_rtcp_next (&compound, &packet))
    if (rcc_rtcp_report (&packet, &report) && report.is_sr)
      rcc_rtt_sr_sent (&f->rtt, rcc_ntp_middle (report.ntp), now);
}

size_t
rcc_feedback_notification (RccFeedback *f, RccBytes compound, uint8_t *out, size_t size)
{
  const RccTmmbrEntry entry = { f->limit.owner, f->limit.bps, f->limit.overhead };
  RccRtcpPacket packet;
  size_t written;

  if (!f->limit.pending || !rcc_rtcp_next (&compound, &packet) || packet.body.size < 4)
    return 0;
  written = rcc_tmmbr_build (out, size, rcc_be32 (packet.body.data), true, &entry, 1);
  f->limit.pending = written == 0;
  return written;
}

typedef struct {
  RccFeedback *f;
  RccSender *sender;
  uint32_t wall;
  RccTime now;
  RccUpdate update;
} Ear;

static void
answer (Ear *e, RccUpdate u)
{
  e->update = rcc_update_merge (e->update, u);
}

static RccTime
jitter_ns (const RccFeedbackStream *s, uint32_t jitter)
{
  return s->clock_rate ? (RccTime) jitter * RCC_SEC / s->clock_rate : RCC_NEVER;
}

static void
hear_block (Ear *e, const RccReportBlock *b)
{
  RccFeedbackStream *s = find_stream (e->f, b->ssrc);
  int64_t highest;
  double lost;
  uint32_t withheld;
  RccReport report;

  if (!s || s->history.added == 0) {
    e->f->ignored++;
    return;
  }
  highest = rcc_unwrap_peek (&s->history.unwrap, (uint16_t) b->highest_seq, 16);
  if (highest > s->newest) {            /* of packets not sent yet */
    e->f->forged++;
    return;
  }
  report = (RccReport) {
    .ssrc = b->ssrc, .highest_seq = highest, .lost = b->lost,
    .fraction_lost = b->fraction / 256.0,
    .jitter = jitter_ns (s, b->jitter),
    .rtt = rcc_rtt_block (&e->f->rtt, b->lsr, b->dlsr, e->wall, e->now),
  };
  if (s->reported && highest > s->highest) {
    report.expected = (uint32_t) (highest - s->highest);
    withheld = rcc_history_count_withheld (&s->history, s->highest, highest);
    lost = report.fraction_lost * report.expected - withheld;
    report.fraction_lost = RCC_MAX (lost, 0.0) / report.expected;
  }
  s->highest = s->reported ? RCC_MAX (s->highest, highest) : highest;
  s->reported = true;
  answer (e, rcc_tell (e->sender, on_report, &report, e->now));
}

static void
hear_report (Ear *e, const RccRtcpPacket *packet)
{
  RccRtcpReport report;
  RccReportBlock block;

  if (!rcc_rtcp_report (packet, &report)) {
    e->f->ignored++;
    return;
  }
  for (unsigned i = 0; i < report.n_blocks; i++) {
    rcc_rtcp_block (&report, i, &block);
    hear_block (e, &block);
  }
}

static uint32_t
saturate (uint64_t bps)
{
  return (uint32_t) RCC_MIN (bps, UINT32_MAX - 1);
}

static void
hear_remb (Ear *e, const RccRemb *remb)
{
  bool ours = remb->n_ssrcs == 0;       /* names nobody: meant for the session */

  for (unsigned i = 0; i < remb->n_ssrcs && !ours; i++)
    ours = find_stream (e->f, rcc_remb_ssrc (remb, i)) != NULL;
  if (ours)
    answer (e, rcc_tell (e->sender, on_remb, saturate (remb->bps), e->now));
  else
    e->f->ignored++;
}

/* MxTBR counts what lies below RTP too (RFC 5104 4.2.1.1). */
static void
hear_tmmbr (Ear *e, const RccTmmbr *tmmbr)
{
  const uint64_t packets = rcc_window_bps (&e->f->packet_rate, e->now) / 8;

  for (unsigned i = 0; i < tmmbr->n_entries; i++) {
    RccTmmbrEntry entry;
    uint64_t below;

    rcc_tmmbr_entry (tmmbr, i, &entry);
    if (!find_stream (e->f, entry.ssrc)) {
      e->f->ignored++;
      continue;
    }
    e->f->limit.pending = true;         /* the newest is the bounding set */
    e->f->limit.owner = tmmbr->sender_ssrc;
    e->f->limit.bps = entry.bps;
    e->f->limit.overhead = entry.overhead;
    below = 8 * entry.overhead * packets;
    answer (e, rcc_tell (e->sender, on_remb,
            saturate (entry.bps > below ? entry.bps - below : 0), e->now));
  }
}

/* One packet's fate, once: a number that is reported lost and arrives later after
 * all is told as received then. */
static size_t
judge (Ear *e, RccSentPacket *s, bool received, RccTime arrived, size_t n)
{
  if (!s || s->withheld) {
    e->f->unknown_packets += !s;
    return n;
  }
  if (s->packet.arrived != RCC_NEVER || (s->judged && !received))
    return n;
  s->judged = true;
  s->packet.arrived = received ? arrived : RCC_NEVER;
  if (received && arrived == RCC_NEVER)
    return n;                           /* it came, nobody knows when */
  e->f->packets[n] = s->packet;
  return n + 1;
}

static void
tell_feedback (Ear *e, size_t n)
{
  if (n > 0)
    answer (e, rcc_tell (e->sender, on_feedback, e->f->packets, n, e->now));
}

/* A receiver's clock, less than a wrap below 0.  One that is set back again and
 * again (or forged) starts anew rather than going under for days. */
static int64_t
unwrap_clock (RccUnwrap *u, uint32_t value, unsigned bits)
{
  int64_t clock = rcc_unwrap (u, value, bits);

  if (clock < -(INT64_C (1) << bits) || clock > INT64_C (1) << 42) {
    *u = (RccUnwrap) { 0 };
    clock = rcc_unwrap (u, value, bits);
  }
  return clock;
}

static void
hear_twcc (Ear *e, const RccTwcc *twcc)
{
  const int64_t reference = unwrap_clock (&e->f->reference,
      (uint32_t) twcc->reference & 0xffffff, 24);
  /* statuses count from the zero of the wrapped reference; 2^24 steps of 64 ms lie
   * between wraps, one of them keeps early arrivals positive */
  const int64_t wraps_us = (reference - twcc->reference + (1 << 24)) * 64000;
  size_t n = 0;

  for (unsigned i = 0; i < twcc->n_statuses; i++) {
    const RccTwccStatus *s = &e->f->statuses[i];
    const int64_t us = s->arrived_us + wraps_us;

    n = judge (e, rcc_history_find (&e->f->transport, (uint16_t) (twcc->base_seq + i)),
        s->received, s->received && us >= 0 ? (RccTime) us * RCC_USEC : RCC_NEVER, n);
  }
  tell_feedback (e, n);
}

/* By departure: each block is in order, several SSRCs are not.  Heap sort: no heap,
 * no stack, and hostile order costs nothing more. */
static bool
later (const RccPacket *a, const RccPacket *b)
{
  if (a->sent != b->sent)
    return a->sent > b->sent;
  return a->arrived > b->arrived;       /* a pacer group leaves at one instant */
}

static void
sift (RccPacket *p, size_t root, size_t n)
{
  for (size_t child; (child = 2 * root + 1) < n; root = child) {
    RccPacket swap = p[root];

    if (child + 1 < n && later (&p[child + 1], &p[child]))
      child++;
    if (!later (&p[child], &swap))
      return;
    p[root] = p[child];
    p[child] = swap;
  }
}

static void
sort_by_departure (RccPacket *p, size_t n)
{
  for (size_t i = n / 2; i-- > 0;)
    sift (p, i, n);
  for (size_t i = n; i-- > 1;) {
    RccPacket swap = p[0];

    p[0] = p[i];
    p[i] = swap;
    sift (p, 0, i);
  }
}

static void
hear_ccfb (Ear *e, const RccCcfb *ccfb)
{
  /* a wrap on top keeps arrivals before the first report positive */
  const int64_t stamp = unwrap_clock (&e->f->timestamp, ccfb->timestamp, 32)
      + (INT64_C (2) << 32);
  const RccTime made = (RccTime) stamp * 1953125 / 128;         /* 10^9 / 2^16 */
  RccBytes rest = ccfb->blocks;
  RccCcfbBlock block;
  unsigned blocks = 0;
  size_t n = 0;

  while (rcc_ccfb_next (&rest, &block)) {
    RccFeedbackStream *s = find_stream (e->f, block.ssrc);

    blocks++;
    if (!s) {
      e->f->ignored++;
      continue;
    }
    for (unsigned i = 0; i < block.n_reports && n < RCC_TWCC_STATUSES_MAX; i++) {
      RccCcfbReport r;

      rcc_ccfb_report (&block, i, &r);
      n = judge (e, rcc_history_find (&s->history, (uint16_t) (block.begin_seq + i)),
          r.received, r.before == RCC_NEVER ? RCC_NEVER : made - r.before, n);
    }
  }
  if (blocks > 1)
    sort_by_departure (e->f->packets, n);
  tell_feedback (e, n);
}

/* Both formats at once tell every packet's fate twice, on two clocks: the one that
 * spoke first is followed until it falls silent. */
static bool
followed (RccFeedback *f, uint8_t fmt, RccTime now)
{
  if (f->arrivals_fmt != fmt && f->arrivals_fmt != 0
      && now < f->arrivals_heard + ARRIVALS_KEEP) {
    f->ignored++;
    return false;
  }
  f->arrivals_fmt = fmt;
  f->arrivals_heard = now;
  return true;
}

static void
hear_rtpfb (Ear *e, const RccRtcpPacket *packet)
{
  RccTwcc twcc;
  RccCcfb ccfb;
  RccTmmbr tmmbr;

  if (rcc_twcc_parse (packet, &twcc, e->f->statuses)) {
    if (e->f->transport.added > 0 && followed (e->f, packet->count, e->now))
      hear_twcc (e, &twcc);
  } else if (rcc_ccfb_parse (packet, &ccfb)) {
    if (followed (e->f, packet->count, e->now))
      hear_ccfb (e, &ccfb);
  } else if (rcc_tmmbr_parse (packet, &tmmbr) && !tmmbr.notification)
    hear_tmmbr (e, &tmmbr);
}

RccUpdate
rcc_feedback_rtcp (RccFeedback *f, RccBytes compound, uint32_t wall, RccTime now,
    RccSender *sender)
{
  Ear e = { .f = f, .sender = sender, .wall = wall, .now = now };
  RccRtcpPacket packet;
  RccRemb remb;

  f->compounds++;
  while (rcc_rtcp_next (&compound, &packet)) {
    switch (packet.type) {
      case RCC_RTCP_SR:
      case RCC_RTCP_RR:
        hear_report (&e, &packet);
        break;
      case RCC_RTCP_RTPFB:
        hear_rtpfb (&e, &packet);
        break;
      case RCC_RTCP_PSFB:
        if (rcc_remb_parse (&packet, &remb))
          hear_remb (&e, &remb);
        break;
      default:                          /* SDES, BYE, APP, XR and the unknown */
        break;
    }
  }
  f->truncated_bytes += compound.size;
  return e.update;
}
