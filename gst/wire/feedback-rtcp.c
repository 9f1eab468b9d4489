/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire/feedback-rtcp.h"

#include "wire/ccfb.h"
#include "wire/remb.h"
#include "wire/tmmbr.h"
#include "wire/twcc.h"

#define FMT_CCFB 11
#define FMT_TWCC 15

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

/* Bounds the loss fraction by what the cumulative count says.  Whoever forges a report has to
 * know that count, too.  Where RRs were lost the two speak of different spans, and the milder
 * one holds. */
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

/* How many of the numbers up to @highest; false: it is forgotten. */
static bool
unsent_upto (const RccFeedback *f, const RccReportsStream *stream, int64_t highest, uint32_t *n)
{
  const RccSentPacket *s = rcc_history_find (&f->history, stream->ssrc, highest);

  if (s)
    *n = s->unsent_before + s->unsent;
  else
    *n = stream->unsent.n_asked;
  return s || highest == stream->unsent.asked;
}

/* Packets that we held back are missing at the receiver, but the network has not lost them.
 * One report's span ends where the next one's begins, which may be further back than the
 * history. */
static void
leave_out_unsent (RccFeedback *f, RccReport *report)
{
  RccReportsStream *stream = rcc_reports_find (&f->reports, report->ssrc);
  uint32_t before, upto;
  bool known;
  double lost;

  known = unsent_upto (f, stream, report->highest_seq - report->expected, &before);
  if (!unsent_upto (f, stream, report->highest_seq, &upto))
    return;
  stream->unsent.asked = report->highest_seq;
  stream->unsent.n_asked = upto;
  if (!known || report->expected == 0)
    return;
  lost = report->fraction_lost * report->expected - (upto - before);
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
limit (RccFeedbackParser *e, uint32_t ssrc, RccLimitKind kind, uint64_t bps)
{
  e->limited |= rcc_reporters_limit (&e->f->reports.reporters, ssrc, kind, bps, e->now);
}

/* Tells the limit once a compound.  It changes too where a limit is not repeated, or where the
 * one who asked has left. */
static void
tell_limit (RccFeedbackParser *e)
{
  const uint64_t before = e->f->limit_bps;
  const uint32_t bps = limit_now (e->f, e->now);

  if (e->limited || e->f->limit_bps != before)
    rcc_feedback_parser_answer (e, rcc_tell (e->sender, on_remb, bps, e->now));
}

static void
hear_remb (RccFeedbackParser *e, const RccRemb *remb)
{
  /* names nobody: meant for the session, by one who is known */
  bool ours = remb->n_ssrcs == 0
      && rcc_reporters_trusts (&e->f->reports.reporters, remb->sender_ssrc, e->now);

  for (unsigned i = 0; i < remb->n_ssrcs && !ours; i++)
    ours = rcc_reports_find (&e->f->reports, rcc_remb_ssrc (remb, i));
  if (ours)
    limit (e, remb->sender_ssrc, RCC_LIMIT_REMB, remb->bps);
  else
    e->f->reports.ignored++;
}

/* TMMBR counts the headers below RTP too (RFC 5104 4.2.1.1). */
static void
hear_tmmbr (RccFeedbackParser *e, const RccTmmbr *tmmbr)
{
  const uint64_t packets = rcc_window_bps (&e->f->packet_rate, e->now) / 8;

  for (unsigned i = 0; i < tmmbr->n_entries; i++) {
    RccTmmbrEntry entry;
    uint64_t below;

    rcc_tmmbr_entry (tmmbr, i, &entry);
    if (!rcc_reports_find (&e->f->reports, entry.ssrc)) {
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

/* The media SSRC may be nobody's (0, from some SFUs).  Then we have to know the sender. */
static bool
twcc_is_for_us (RccFeedbackParser *e, const RccTwcc *twcc)
{
  return e->f->history.transport.valid && (rcc_reports_find (&e->f->reports, twcc->media_ssrc)
      || rcc_reporters_trusts (&e->f->reports.reporters, twcc->sender_ssrc, e->now));
}

static void
hear_twcc (RccFeedbackParser *e, const RccTwcc *twcc)
{
  RccUnwrap unwrap = e->f->reference;
  const int64_t reference = rcc_unwrap_clock (&unwrap, (uint32_t) twcc->reference & 0xffffff, 24);
  /* Statuses count from the zero of the wrapped reference.  Wraps are 2^24 steps of 64 ms
   * apart.  One of them keeps early arrivals positive. */
  const int64_t wraps_us = (reference - twcc->reference + (1 << 24)) * 64000;
  RccTwccWalk walk;
  RccTwccRun run;

  rcc_feedback_parser_begin (e, twcc->sender_ssrc, FMT_TWCC);
  rcc_twcc_begin (&walk, twcc);
  while (rcc_twcc_next (&walk, &run)) {
    const int64_t us = run.status.arrived_us + wraps_us;
    const size_t to_come = walk.deltas.size;    /* the packets that came are at least told */

    for (uint32_t i = 0; i < run.n && rcc_feedback_parser_may (e, to_come); i++) {
      RccSentPacket *s = rcc_feedback_parser_find (e, NULL, (uint16_t) (run.seq + i),
          run.status.received);

      if (!s)
        continue;
      if (run.status.received && us >= 0)
        s->arrived = (RccTime) us * RCC_USEC;
      rcc_feedback_parser_note (e, s, !run.status.received ? RCC_SAID_LOST
          : us >= 0 ? RCC_SAID_RECEIVED | RCC_SAID_ARRIVED : RCC_SAID_RECEIVED);
    }
  }
  if (rcc_feedback_parser_end (e, twcc->sender_ssrc, FMT_TWCC))
    e->f->reference = unwrap;
}

/* False: it is of no stream of ours. */
static bool
note_ccfb (RccFeedbackParser *e, const RccCcfbBlock *block, RccTime made)
{
  const RccReportsStream *stream = rcc_reports_find (&e->f->reports, block->ssrc);

  if (!stream) {
    e->f->reports.ignored++;
    return false;
  }
  for (uint32_t i = 0; i < block->n_reports && rcc_feedback_parser_may (e, 0); i++) {
    RccSentPacket *s;
    RccCcfbReport r;

    rcc_ccfb_report (block, i, &r);
    s = rcc_feedback_parser_find (e, stream, (uint16_t) (block->begin_seq + i), r.received);
    if (!s)
      continue;
    if (r.received && r.before != RCC_NEVER)
      s->arrived = made - r.before;
    rcc_feedback_parser_note (e, s, !r.received ? RCC_SAID_LOST : (uint8_t) (RCC_SAID_RECEIVED
            | (r.before != RCC_NEVER ? RCC_SAID_ARRIVED : 0)
            | (r.ecn == RCC_ECN_CE ? RCC_SAID_CE : 0)));
  }
  return true;
}

static void
hear_ccfb (RccFeedbackParser *e, const RccCcfb *ccfb)
{
  /* a wrap on top keeps arrivals before the first report positive */
  RccUnwrap unwrap = e->f->timestamp;
  const int64_t stamp = rcc_unwrap_clock (&unwrap, ccfb->timestamp, 32) + (INT64_C (2) << 32);
  const RccTime made = (RccTime) stamp * 1953125 / 128;         /* 10^9 / 2^16 */
  RccBytes rest = ccfb->blocks;
  RccCcfbBlock block;
  bool any = false;

  rcc_feedback_parser_begin (e, ccfb->sender_ssrc, FMT_CCFB);
  while (rcc_ccfb_next (&rest, &block))
    any |= note_ccfb (e, &block, made);
  if (any && rcc_feedback_parser_end (e, ccfb->sender_ssrc, FMT_CCFB))
    e->f->timestamp = unwrap;
}

static void
hear_rtpfb (RccFeedbackParser *e, const RccRtcpPacket *packet)
{
  RccTwcc twcc;
  RccCcfb ccfb;
  RccTmmbr tmmbr;

  if (rcc_twcc_parse (packet, &twcc)) {
    if (twcc_is_for_us (e, &twcc))
      hear_twcc (e, &twcc);
    else
      e->f->reports.ignored++;
  } else if (rcc_ccfb_parse (packet, &ccfb))
    hear_ccfb (e, &ccfb);
  else if (rcc_tmmbr_parse (packet, &tmmbr) && !tmmbr.notification)
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
rcc_feedback_rtcp (RccFeedback *f, RccBytes compound, uint32_t ntp_middle, RccTime now,
    RccSender *sender)
{
  RccFeedbackParser e = rcc_feedback_parser (f, sender, compound.size, now);
  RccReportsCompound reports;
  RccRtcpPacket packet;
  RccBytes rest;
  RccReport report;
  RccRemb remb;

  if (!rcc_reports_open (&f->reports, &reports, compound, ntp_middle, now))
    return e.update;
  while (rcc_reports_next (&f->reports, &reports, &report)) {
    bear_out (&report);
    leave_out_unsent (f, &report);
    rcc_feedback_parser_answer (&e, rcc_tell (sender, on_report, &report, now));
  }
  rest = reports.whole;
  while (rcc_rtcp_next (&rest, &packet)) {
    if (packet.type == RCC_RTCP_RTPFB)
      hear_rtpfb (&e, &packet);
    else if (rcc_remb_parse (&packet, &remb))
      hear_remb (&e, &remb);
  }
  rcc_feedback_xr (&e, reports.whole);
  tell_limit (&e);
  rcc_feedback_parser_answer (&e, rcc_tell (sender, on_rtcp, &reports.rtcp, now));
  return e.update;
}
