/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire/feedback.h"

#include <string.h>

#include "wire/ccfb.h"
#include "wire/feedback-xr.h"
#include "wire/remb.h"
#include "wire/tmmbr.h"

#define PACKET_RATE_WINDOW RCC_SEC

const RccField rcc_feedback_fields[] = {
  RCC_FIELD (RccFeedback, unknown_packets, "feedback-unknown-packets", RCC_U64, ""),
  RCC_FIELDS_END,
};

void
rcc_feedback_init (RccFeedback *f)
{
  memset (f, 0, sizeof *f);
  rcc_reports_init (&f->reports);
  rcc_history_init (&f->transport);
  rcc_xr_clock_init (&f->xr.clock);
  rcc_window_init (&f->packet_rate, PACKET_RATE_WINDOW);
  f->limit_bps = UINT64_MAX;
}

RccHistory *
rcc_feedback_history (RccFeedback *f, uint32_t ssrc)
{
  const RccReportsStream *s = rcc_reports_find (&f->reports, ssrc);

  return s ? &f->histories[s - f->reports.streams] : NULL;
}

static RccHistory *
history_of_next (RccFeedback *f, const RccRtp *rtp, RccTime now)
{
  const RccReportsStream *s = rcc_reports_sent (&f->reports, rtp, now);
  RccHistory *history = &f->histories[s - f->reports.streams];

  if (s->packets == 1) {
    rcc_history_init (history);
    rcc_xr_clock_forget (&f->xr.clock, (unsigned) (s - f->reports.streams));
  }
  return history;
}

static int64_t
remember (RccHistory *history, const RccRtp *rtp, uint16_t number, uint32_t size,
    uint32_t probe, RccTime now)
{
  RccPacket *packet = &rcc_history_sent (history, number, size, probe, now)->packet;

  packet->ssrc = rtp->ssrc;
  packet->timestamp = rtp->timestamp;
  return packet->seq;
}

int64_t
rcc_feedback_sent (RccFeedback *f, const RccRtp *rtp, int twcc, uint32_t size,
    uint32_t probe, RccTime now)
{
  const int64_t number = remember (history_of_next (f, rtp, now), rtp, rtp->seq, size, probe, now);

  if (twcc >= 0)
    remember (&f->transport, rtp, (uint16_t) twcc, size, probe, now);
  rcc_window_add (&f->packet_rate, 1, now);
  return number;
}

void
rcc_feedback_forget_transport (RccFeedback *f)
{
  rcc_history_init (&f->transport);
}

void
rcc_feedback_withheld (RccFeedback *f, const RccRtp *rtp, RccTime now)
{
  rcc_history_withheld (history_of_next (f, rtp, now), rtp->seq, now);
}

void
rcc_feedback_clock_rate (RccFeedback *f, uint32_t ssrc, uint32_t clock_rate)
{
  rcc_reports_clock_rate (&f->reports, ssrc, clock_rate);
}

void
rcc_feedback_rtcp_sent (RccFeedback *f, RccBytes compound, RccTime now)
{
  rcc_reports_rtcp_sent (&f->reports, compound, now);
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

/* No more loss than the cumulative count bears out, and none where it grew by more than
 * there was to lose: who forges a report has to know that count, too.  Where RRs were lost
 * the two speak of different spans, and the milder one holds. */
static void
bear_out (RccReport *report)
{
  const int64_t lost = report->newly_lost;

  if (lost == RCC_LOST_UNKNOWN || report->expected == 0)
    return;
  if (lost <= 0 || lost > report->expected)
    report->fraction_lost = 0;
  else
    report->fraction_lost = RCC_MIN (report->fraction_lost, (double) lost / report->expected);
}

/* What we held back is missing there, but the network has not lost it. */
static void
leave_out_withheld (RccFeedback *f, RccReport *report)
{
  uint32_t withheld;
  double lost;

  if (report->expected == 0)
    return;
  withheld = rcc_history_count_withheld (rcc_feedback_history (f, report->ssrc),
      report->highest_seq - report->expected, report->highest_seq);
  lost = report->fraction_lost * report->expected - withheld;
  report->fraction_lost = RCC_MAX (lost, 0.0) / report->expected;
}

static uint32_t
saturate (uint64_t bps)
{
  return (uint32_t) RCC_MIN (bps, UINT32_MAX - 1);
}

/* UINT32_MAX would say that there is none. */
static uint32_t
limit_now (RccFeedback *f, RccTime now)
{
  f->limit_bps = rcc_reporters_limit_bps (&f->reports.reporters, now);
  return f->limit_bps == UINT64_MAX ? UINT32_MAX : saturate (f->limit_bps);
}

static void
limit (RccEar *e, uint32_t ssrc, RccLimitKind kind, uint64_t bps)
{
  if (rcc_reporters_limit (&e->f->reports.reporters, ssrc, kind, bps, e->now))
    rcc_ear_answer (e, rcc_tell (e->sender, on_remb, limit_now (e->f, e->now), e->now));
}

/* What is not repeated, or was asked for by one who has left. */
static void
lift_limits (RccEar *e)
{
  const uint64_t before = e->f->limit_bps;
  const uint32_t bps = limit_now (e->f, e->now);

  if (e->f->limit_bps != before)
    rcc_ear_answer (e, rcc_tell (e->sender, on_remb, bps, e->now));
}

static void
hear_remb (RccEar *e, const RccRemb *remb)
{
  /* names nobody: meant for the session, by one who is known */
  bool ours = remb->n_ssrcs == 0
      && rcc_reporters_trusts (&e->f->reports.reporters, remb->sender_ssrc, e->now);

  for (unsigned i = 0; i < remb->n_ssrcs && !ours; i++)
    ours = rcc_feedback_history (e->f, rcc_remb_ssrc (remb, i)) != NULL;
  if (ours)
    limit (e, remb->sender_ssrc, RCC_LIMIT_REMB, remb->bps);
  else
    e->f->reports.ignored++;
}

/* MxTBR counts what lies below RTP too (RFC 5104 4.2.1.1). */
static void
hear_tmmbr (RccEar *e, const RccTmmbr *tmmbr)
{
  const uint64_t packets = rcc_window_bps (&e->f->packet_rate, e->now) / 8;

  for (unsigned i = 0; i < tmmbr->n_entries; i++) {
    RccTmmbrEntry entry;
    uint64_t below;

    rcc_tmmbr_entry (tmmbr, i, &entry);
    if (!rcc_feedback_history (e->f, entry.ssrc)) {
      e->f->reports.ignored++;
      continue;
    }
    e->f->limit.pending = true;         /* the newest is the bounding set */
    e->f->limit.owner = tmmbr->sender_ssrc;
    e->f->limit.bps = entry.bps;
    e->f->limit.overhead = entry.overhead;
    below = 8 * entry.overhead * packets;
    limit (e, tmmbr->sender_ssrc, RCC_LIMIT_TMMBR, entry.bps > below ? entry.bps - below : 0);
  }
}

/* Where the media SSRC is nobody's (0, from some SFUs), its sender has to be known. */
static bool
twcc_is_for_us (RccEar *e, const RccTwcc *twcc)
{
  return e->f->transport.added > 0 && (rcc_feedback_history (e->f, twcc->media_ssrc)
      || rcc_reporters_trusts (&e->f->reports.reporters, twcc->sender_ssrc, e->now));
}

/* False: it says that something came which never left. */
static bool
twcc_is_possible (RccEar *e, const RccTwcc *twcc, bool *proved)
{
  *proved = false;
  for (unsigned i = 0; i < twcc->n_statuses; i++) {
    RccEarProof proof;

    if (!e->f->statuses[i].received)
      continue;
    proof = rcc_ear_proof (&e->f->transport, (uint16_t) (twcc->base_seq + i));
    if (proof == RCC_EAR_IMPOSSIBLE)
      return false;
    *proved |= proof == RCC_EAR_PROOF;
  }
  return true;
}

static void
hear_twcc (RccEar *e, const RccTwcc *twcc)
{
  const int64_t reference = rcc_unwrap_clock (&e->f->reference,
      (uint32_t) twcc->reference & 0xffffff, 24);
  /* statuses count from the zero of the wrapped reference; 2^24 steps of 64 ms lie
   * between wraps, one of them keeps early arrivals positive */
  const int64_t wraps_us = (reference - twcc->reference + (1 << 24)) * 64000;
  size_t n = 0;

  for (unsigned i = 0; i < twcc->n_statuses; i++) {
    const RccTwccStatus *s = &e->f->statuses[i];
    const int64_t us = s->arrived_us + wraps_us;

    n = rcc_ear_judge (e, rcc_history_find (&e->f->transport, (uint16_t) (twcc->base_seq + i)),
        s->received, 0,
        s->received && us >= 0 ? (RccTime) us * RCC_USEC : RCC_NEVER, n);
  }
  rcc_ear_tell (e, n);
}

static void
hear_ccfb (RccEar *e, const RccCcfb *ccfb)
{
  /* a wrap on top keeps arrivals before the first report positive */
  const int64_t stamp = rcc_unwrap_clock (&e->f->timestamp, ccfb->timestamp, 32)
      + (INT64_C (2) << 32);
  const RccTime made = (RccTime) stamp * 1953125 / 128;         /* 10^9 / 2^16 */
  RccBytes rest = ccfb->blocks;
  RccCcfbBlock block;
  unsigned blocks = 0;
  size_t n = 0;

  while (rcc_ccfb_next (&rest, &block)) {
    RccHistory *history = rcc_feedback_history (e->f, block.ssrc);

    blocks++;
    if (!history) {
      e->f->reports.ignored++;
      continue;
    }
    for (unsigned i = 0; i < block.n_reports && n < RCC_TWCC_STATUSES_MAX; i++) {
      RccCcfbReport r;

      rcc_ccfb_report (&block, i, &r);
      n = rcc_ear_judge (e, rcc_history_find (history, (uint16_t) (block.begin_seq + i)),
          r.received, r.ecn == RCC_ECN_CE ? RCC_FATE_CE : 0,
          r.before == RCC_NEVER ? RCC_NEVER : made - r.before, n);
    }
  }
  if (blocks > 1)
    rcc_ear_sort (e, n);
  rcc_ear_tell (e, n);
}

/* False: it says that something came which never left. */
static bool
ccfb_is_possible (RccEar *e, const RccCcfb *ccfb, bool *proved)
{
  RccBytes rest = ccfb->blocks;
  RccCcfbBlock block;

  *proved = false;
  while (rcc_ccfb_next (&rest, &block)) {
    RccHistory *history = rcc_feedback_history (e->f, block.ssrc);

    for (unsigned i = 0; history && i < block.n_reports; i++) {
      RccEarProof proof;
      RccCcfbReport r;

      rcc_ccfb_report (&block, i, &r);
      if (!r.received)
        continue;
      proof = rcc_ear_proof (history, (uint16_t) (block.begin_seq + i));
      if (proof == RCC_EAR_IMPOSSIBLE)
        return false;
      *proved |= proof == RCC_EAR_PROOF;
    }
  }
  return true;
}

static void
hear_rtpfb (RccEar *e, const RccRtcpPacket *packet)
{
  RccTwcc twcc;
  RccCcfb ccfb;
  RccTmmbr tmmbr;
  bool proved;

  if (rcc_twcc_parse (packet, &twcc, e->f->statuses)) {
    if (!twcc_is_for_us (e, &twcc))
      e->f->reports.ignored++;
    else if (!twcc_is_possible (e, &twcc, &proved))
      e->f->reports.forged++;
    else if (rcc_ear_follow (e, twcc.sender_ssrc, packet->count, proved))
      hear_twcc (e, &twcc);
  } else if (rcc_ccfb_parse (packet, &ccfb)) {
    if (!ccfb_is_possible (e, &ccfb, &proved))
      e->f->reports.forged++;
    else if (rcc_ear_follow (e, ccfb.sender_ssrc, packet->count, proved))
      hear_ccfb (e, &ccfb);
  } else if (rcc_tmmbr_parse (packet, &tmmbr) && !tmmbr.notification)
    hear_tmmbr (e, &tmmbr);
}

size_t
rcc_feedback_answer (RccFeedback *f, RccBytes compound, RccTime now, uint8_t *out, size_t size)
{
  size_t used;

  rcc_feedback_rtcp_sent (f, compound, now);
  used = rcc_feedback_notification (f, compound, out, size);
  return used + rcc_feedback_dlrr (f, compound, now, out + used, size - used);
}

RccUpdate
rcc_feedback_rtcp (RccFeedback *f, RccBytes compound, uint32_t wall, RccTime now,
    RccSender *sender)
{
  RccEar e = { .f = f, .sender = sender, .now = now };
  const RccBytes whole = compound;
  RccReportsCompound reports;
  RccRtcpPacket packet;
  RccReport report;
  RccRemb remb;

  if (!rcc_reports_open (&f->reports, &reports, compound, wall, now))
    return e.update;
  while (rcc_reports_next (&f->reports, &reports, &report)) {
    bear_out (&report);
    leave_out_withheld (f, &report);
    rcc_ear_answer (&e, rcc_tell (sender, on_report, &report, now));
  }
  while (rcc_rtcp_next (&compound, &packet)) {
    if (packet.type == RCC_RTCP_RTPFB)
      hear_rtpfb (&e, &packet);
    else if (rcc_remb_parse (&packet, &remb))
      hear_remb (&e, &remb);
  }
  rcc_feedback_xr (&e, whole);
  lift_limits (&e);
  rcc_ear_answer (&e, rcc_tell (sender, on_rtcp, &reports.rtcp, now));
  return e.update;
}
