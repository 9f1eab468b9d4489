/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire/reports.h"

#include <string.h>

#include "wire/ccfb.h"
#include "wire/ecn.h"
#include "wire/remb.h"
#include "wire/tmmbr.h"
#include "wire/xr.h"

#define FMT_CCFB 11
#define FMT_TWCC 15

const RccField rcc_reports_fields[] = {
  RCC_FIELD (RccReports, compounds, "rtcp-compounds", RCC_U64, ""),
  RCC_FIELD (RccReports, truncated_bytes, "rtcp-truncated", RCC_U64, "B"),
  RCC_FIELD (RccReports, ignored, "rtcp-ignored", RCC_U64, ""),
  RCC_FIELD (RccReports, forged, "rtcp-forged", RCC_U64, ""),
  RCC_FIELD (RccReports, duplicates, "rtcp-duplicates", RCC_U64, ""),
  RCC_FIELD (RccReports, stale, "rtcp-stale", RCC_U64, ""),
  RCC_FIELD (RccReports, reporters.unproven, "rtcp-unproven", RCC_U64, ""),
  RCC_FIELD (RccReports, rtt.smoothed, "rtt-smoothed", RCC_TIME, "ns"),
  RCC_FIELDS_END,
};

void
rcc_reports_init (RccReports *r, RccResize resize)
{
  memset (r, 0, sizeof *r);
  rcc_ssrcs_init (&r->streams, sizeof (RccReportsStream), resize);
  rcc_sr_log_init (&r->srs, resize);
  rcc_rtt_init (&r->rtt);
  rcc_reporters_init (&r->reporters);
}

void
rcc_reports_clear (RccReports *r)
{
  rcc_ssrcs_clear (&r->streams);
  rcc_log_clear (&r->srs);
}

void
rcc_reports_reset (RccReports *r)
{
  const RccResize resize = r->streams.resize;

  rcc_reports_clear (r);
  rcc_reports_init (r, resize);
}

/* --- what we send --------------------------------------------------------- */

RccReportsStream *
rcc_reports_find (RccReports *r, uint32_t ssrc)
{
  RccReportsStream *s = rcc_ssrcs_find (&r->streams, ssrc);

  return s && s->packets > 0 ? s : NULL;
}

/* Streams come from what we send, never from what RTCP says. */
static RccReportsStream *
our_stream (RccReports *r, uint32_t ssrc)
{
  bool is_new;
  RccReportsStream *s = rcc_ssrcs_use (&r->streams, ssrc, &is_new);

  if (is_new)
    rcc_reports_stream_init (s, ssrc);
  return s;
}

RccReportsStream *
rcc_reports_sent (RccReports *r, const RccRtp *rtp, RccTime now)
{
  RccReportsStream *s = our_stream (r, rtp->ssrc);

  rcc_reports_stream_sent (s, rtp->seq, now);
  return s;
}

void
rcc_reports_clock_rate (RccReports *r, uint32_t ssrc, uint32_t clock_rate)
{
  our_stream (r, ssrc)->clock_rate = clock_rate;
}

/* An SR may come before the first packet of its stream, but takes nobody's place. */
void
rcc_reports_rtcp_sent (RccReports *r, RccBytes compound, RccTime now)
{
  RccRtcpPacket packet;
  RccRtcpReport report;

  while (rcc_rtcp_next (&compound, &packet)) {
    if (!rcc_rtcp_report (&packet, &report) || !report.is_sr)
      continue;
    if (r->streams.n < RCC_REPORTS_STREAMS || rcc_ssrcs_find (&r->streams, report.ssrc))
      rcc_srs_sent (&r->srs, &our_stream (r, report.ssrc)->srs, rcc_ntp_middle (report.ntp), now);
  }
}

/* --- a compound ----------------------------------------------------------- */

static RccReportVerdict
judge (const RccReports *r, const RccReportsCompound *c, const RccReportsStream *s,
    uint32_t reporter, const RccReportBlock *block, RccReportJudged *judged)
{
  return rcc_reports_stream_judge (s, &r->srs, reporter, block, c->ntp_middle, c->now, judged);
}

static bool
note_report (RccReports *r, RccReportsCompound *c, const RccRtcpPacket *packet)
{
  const RccReportsStream *s;
  RccReportJudged judged;
  RccRtcpReport report;
  RccReportBlock block;

  if (!rcc_rtcp_report (packet, &report)) {
    r->ignored++;
    return true;
  }
  if (c->rtcp.n_reporters < RCC_REPORTS_REPORTERS)
    c->reporters[c->rtcp.n_reporters++] = report.ssrc;
  c->rtcp.from_sender |= report.is_sr;
  c->rtcp.n_blocks = RCC_MAX (c->rtcp.n_blocks, report.n_blocks);
  for (unsigned i = 0; i < report.n_blocks; i++) {
    rcc_rtcp_block (&report, i, &block);
    if (!(s = rcc_reports_find (r, block.ssrc)))
      continue;
    c->rtcp.about_us = true;
    if (judge (r, c, s, report.ssrc, &block, &judged) == RCC_REPORT_FORGED) {
      r->rtt.refused += judged.echo == RCC_ECHO_FORGED;
      return false;
    }
  }
  return true;
}

/* @ssrc tells of a packet of @s by its number.  All that it names have to be right: who
 * guesses names many. */
static void
note_number (RccReportsCompound *c, const RccReportsStream *s, uint16_t seq, uint32_t ssrc)
{
  c->rtcp.about_us = true;
  if (rcc_reports_stream_is_recent (s, rcc_unwrap_peek (&s->unwrap, seq, 16)))
    c->proved.any = true;
  else
    c->proved.wrong = true;
  c->proved.ssrc = ssrc;
}

/* RFC 8083 5: only where an SR or RR comes with it.  RFC 8888 has marks as well, by
 * packet: they are its reader's. */
static void
note_ecn (RccReports *r, RccReportsCompound *c, const RccEcnCounters *counters)
{
  const RccReportsStream *s = rcc_reports_find (r, counters->ssrc);
  unsigned place;

  if (!s)
    return;
  c->rtcp.about_us = true;
  place = rcc_ssrcs_place (&r->streams, s);
  c->ecn[place].known = true;
  c->ecn[place].ce = counters->ce;
}

static bool
speaks_of_packets (const RccXrBlock *block)
{
  return block->type == RCC_XR_LOSS_RLE || block->type == RCC_XR_DISCARD_RLE
      || block->type == RCC_XR_RECEIPT_TIMES;
}

static void
note_xr (RccReports *r, RccReportsCompound *c, const RccRtcpPacket *packet)
{
  const RccReportsStream *s;
  RccEcnCounters counters;
  RccXrBlock block;
  RccXrRange range;
  RccXr xr;

  if (!rcc_xr_parse (packet, &xr))
    return;
  while (rcc_xr_next (&xr.blocks, &block)) {
    if (block.type == RCC_XR_ECN_SUMMARY)
      while (rcc_ecn_next (&block.body, &counters))
        note_ecn (r, c, &counters);
    else if (speaks_of_packets (&block) && rcc_xr_range_parse (&block, &range)
        && (s = rcc_reports_find (r, range.ssrc)))
      note_number (c, s, (uint16_t) (range.end_seq - 1), xr.ssrc);
  }
  r->truncated_bytes += xr.blocks.size;
}

static bool
remb_names_us (RccReports *r, const RccRemb *remb)
{
  for (unsigned i = 0; i < remb->n_ssrcs; i++)
    if (rcc_reports_find (r, rcc_remb_ssrc (remb, i)))
      return true;
  return false;
}

static bool
feedback_names_us (RccReports *r, RccReportsCompound *c, const RccRtcpPacket *packet)
{
  const RccReportsStream *s;
  RccRtcpFeedback fb;
  RccRemb remb;
  RccTmmbr tmmbr;
  RccTmmbrEntry entry;
  RccCcfb ccfb;
  RccCcfbBlock block;

  if (rcc_remb_parse (packet, &remb))
    return remb_names_us (r, &remb);
  if (rcc_tmmbr_parse (packet, &tmmbr)) {
    for (unsigned i = 0; i < tmmbr.n_entries; i++) {
      rcc_tmmbr_entry (&tmmbr, i, &entry);
      if (rcc_reports_find (r, entry.ssrc))
        return true;
    }
    return false;
  }
  if (rcc_ccfb_parse (packet, &ccfb)) {
    while (rcc_ccfb_next (&ccfb.blocks, &block))
      if ((s = rcc_reports_find (r, block.ssrc)))
        note_number (c, s, (uint16_t) (block.begin_seq + block.n_reports - 1),
            ccfb.sender_ssrc);
    return c->rtcp.about_us;
  }
  return rcc_rtcp_feedback (packet, &fb) && rcc_reports_find (r, fb.media_ssrc);
}

/* Transport-wide feedback is of all streams, whichever its media SSRC is. */
static void
note_feedback (RccReports *r, RccReportsCompound *c, const RccRtcpPacket *packet)
{
  const uint8_t format = packet->type == RCC_RTCP_RTPFB ? packet->count : 0;

  c->rtcp.about_us = c->rtcp.about_us || feedback_names_us (r, c, packet);
  c->rtcp.arrivals |= format == FMT_TWCC || (format == FMT_CCFB && c->rtcp.about_us);
}

/* RFC 3550 6: all types but those that nobody knows begin with the SSRC of who sends them. */
static void
note_origin (RccReports *r, RccReportsCompound *c, const RccRtcpPacket *packet)
{
  if (packet->body.size >= 4 && packet->type >= RCC_RTCP_SR && packet->type <= RCC_RTCP_XR)
    c->rtcp.from_reporter |= rcc_reporters_trusts (&r->reporters,
        rcc_be32 (packet->body.data), c->now);
}

static bool
note (RccReports *r, RccReportsCompound *c, const RccRtcpPacket *packet)
{
  RccEcnFeedback ecn;

  note_origin (r, c, packet);
  switch (packet->type) {
    case RCC_RTCP_SR:
    case RCC_RTCP_RR:
      return note_report (r, c, packet);
    case RCC_RTCP_XR:
      note_xr (r, c, packet);
      break;
    case RCC_RTCP_RTPFB:
    case RCC_RTCP_PSFB:
      if (rcc_ecn_parse (packet, &ecn))
        note_ecn (r, c, &ecn.counters);
      else
        note_feedback (r, c, packet);
      break;
    default:                            /* SDES, BYE, APP and the unknown */
      break;
  }
  return true;
}

bool
rcc_reports_open (RccReports *r, RccReportsCompound *c, RccBytes compound,
    uint32_t ntp_middle, RccTime now)
{
  const size_t most = RCC_MIN (compound.size, RCC_REPORTS_COMPOUND_MAX);
  RccBytes rest = { compound.data, most };
  RccRtcpPacket packet;

  memset (c, 0, sizeof *c);
  c->rtcp.size = (uint32_t) compound.size;
  c->rtcp.reporters = c->reporters;
  c->ntp_middle = ntp_middle;
  c->now = now;
  c->whole = c->rest = rest;
  r->compounds++;
  while (rcc_rtcp_next (&rest, &packet))
    if (!note (r, c, &packet)) {
      r->forged++;
      return false;
    }
  r->truncated_bytes += compound.size - most + rest.size;
  if (c->proved.any && !c->proved.wrong) {
    rcc_reporters_proved (&r->reporters, c->proved.ssrc, RCC_PROOF_COUNT, now);
    c->rtcp.from_reporter |= rcc_reporters_trusts (&r->reporters, c->proved.ssrc, now);
  }
  return rest.size < most;
}

/* Whether one may say it who does: a block that echoes an SR of ours is its own proof. */
static bool
may_say (RccReports *r, const RccReportsCompound *c, const RccReportsStream *s,
    const RccReportJudged *judged)
{
  const bool echoes = judged->echo == RCC_ECHO_SAMPLE && judged->lsr_at != RCC_NEVER;

  if (echoes || rcc_reports_stream_is_recent (s, judged->highest)
      || !rcc_reporters_any (&r->reporters, c->now))
    rcc_reporters_proved (&r->reporters, judged->reporter,
        echoes ? RCC_PROOF_ECHO : RCC_PROOF_COUNT, c->now);
  if (rcc_reporters_trusts (&r->reporters, judged->reporter, c->now))
    return true;
  rcc_reporters_ignore (&r->reporters, c->now);
  return false;
}

/* What was judged alone is judged again, after those before it were believed. */
static bool
hear_block (RccReports *r, const RccReportsCompound *c, const RccReportBlock *block,
    RccReport *report)
{
  RccReportsStream *s = rcc_reports_find (r, block->ssrc);
  RccReportVerdict verdict;
  RccReportJudged judged;
  unsigned i;

  if (!s) {
    r->ignored++;
    return false;
  }
  i = rcc_ssrcs_place (&r->streams, s);
  verdict = judge (r, c, s, c->report.ssrc, block, &judged);
  if (verdict != RCC_REPORT_STALE && !may_say (r, c, s, &judged))
    return false;
  r->duplicates += verdict == RCC_REPORT_COPY;
  r->stale += verdict == RCC_REPORT_STALE;
  if (!rcc_reports_stream_take (s, verdict, block, &judged,
          c->ecn[i].known ? c->ecn[i].ce : -1, c->now, report))
    return false;
  rcc_rtt_take (&r->rtt, &s->srs, judged.echo, judged.rtt);
  return true;
}

bool
rcc_reports_next (RccReports *r, RccReportsCompound *c, RccReport *report)
{
  RccRtcpPacket packet;
  RccReportBlock block;

  for (;;) {
    while (c->block < c->report.n_blocks) {
      rcc_rtcp_block (&c->report, c->block++, &block);
      if (hear_block (r, c, &block, report)) {
        c->rtcp.from_reporter = true;
        return true;
      }
    }
    if (!rcc_rtcp_next (&c->rest, &packet))
      return false;
    rcc_rtcp_report (&packet, &c->report);      /* no blocks in what is none */
    c->block = 0;
  }
}

RccUpdate
rcc_reports_rtcp (RccReports *r, RccBytes compound, uint32_t ntp_middle, RccTime now,
    RccSender *sender)
{
  RccUpdate update = { 0 };
  RccReportsCompound c;
  RccReport report;

  if (!rcc_reports_open (r, &c, compound, ntp_middle, now))
    return update;
  while (rcc_reports_next (r, &c, &report))
    update = rcc_update_merge (update, rcc_tell (sender, on_report, &report, now));
  return rcc_update_merge (update, rcc_tell (sender, on_rtcp, &c.rtcp, now));
}
