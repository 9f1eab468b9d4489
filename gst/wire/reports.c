/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire/reports.h"

#include <string.h>

#include "wire/ccfb.h"
#include "wire/ecn.h"
#include "wire/remb.h"
#include "wire/tmmbr.h"
#include "wire/xr.h"

const RccField rcc_reports_fields[] = {
  RCC_FIELD (RccReports, compounds, "rtcp-compounds", RCC_U64, ""),
  RCC_FIELD (RccReports, truncated_bytes, "rtcp-truncated", RCC_U64, "B"),
  RCC_FIELD (RccReports, ignored, "rtcp-ignored", RCC_U64, ""),
  RCC_FIELD (RccReports, forged, "rtcp-forged", RCC_U64, ""),
  RCC_FIELD (RccReports, duplicates, "rtcp-duplicates", RCC_U64, ""),
  RCC_FIELD (RccReports, stale, "rtcp-stale", RCC_U64, ""),
  RCC_FIELD (RccReports, rtt.smoothed, "rtt-smoothed", RCC_TIME, "ns"),
  RCC_FIELDS_END,
};

void
rcc_reports_init (RccReports *r)
{
  memset (r, 0, sizeof *r);
  rcc_rtt_init (&r->rtt);
}

/* --- what we send ----------------------------------------------------------- */

static RccReportsStream *
known_stream (RccReports *r, uint32_t ssrc)
{
  for (unsigned i = 0; i < r->n_streams; i++)
    if (r->streams[i].ssrc == ssrc)
      return &r->streams[i];
  return NULL;
}

RccReportsStream *
rcc_reports_find (RccReports *r, uint32_t ssrc)
{
  RccReportsStream *s = known_stream (r, ssrc);

  return s && s->packets > 0 ? s : NULL;
}

/* Streams come from what we send, never from what RTCP says; beyond the table the
 * one that has not sent for longest makes room. */
static RccReportsStream *
our_stream (RccReports *r, uint32_t ssrc)
{
  RccReportsStream *s = known_stream (r, ssrc);

  if (s)
    return s;
  s = &r->streams[0];
  for (unsigned i = 1; i < r->n_streams; i++)
    if (r->streams[i].used < s->used)
      s = &r->streams[i];
  if (r->n_streams < RCC_REPORTS_STREAMS)
    s = &r->streams[r->n_streams++];
  memset (s, 0, sizeof *s);
  s->ssrc = ssrc;
  s->newest = INT64_MIN;
  s->lsr_at = s->stale_since = RCC_NEVER;
  return s;
}

RccReportsStream *
rcc_reports_sent (RccReports *r, const RccRtp *rtp, RccTime now)
{
  RccReportsStream *s = &r->streams[r->hit];

  if (r->n_streams == 0 || s->ssrc != rtp->ssrc) {
    s = our_stream (r, rtp->ssrc);
    r->hit = (unsigned) (s - r->streams);
  }
  s->used = now;
  s->packets++;
  rcc_unwrap (&s->unwrap, rtp->seq, 16);
  s->newest = RCC_MAX (s->newest, s->unwrap.last);
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
    r->srs++;
    if (r->n_streams < RCC_REPORTS_STREAMS || known_stream (r, report.ssrc))
      rcc_srs_sent (&our_stream (r, report.ssrc)->srs, rcc_ntp_middle (report.ntp), now);
  }
}

/* --- one block -------------------------------------------------------------- */

typedef enum { IGNORED, FORGED, DUPLICATE, STALE, BELIEVED } Verdict;

typedef struct {                        /* a block, understood */
  RccReportsStream *stream;
  uint32_t reporter;
  int64_t highest;
  RccTime lsr_at, rtt;
  RccEcho echo;
} Judged;

/* The number next to what we send now; INT64_MAX where only numbers never sent will do.
 * How often the peer has seen it wrap is its own affair (RFC 3550 6.4.1) and helps only
 * with one that is more than half a wrap behind: cut off, or far down a queue. */
static int64_t
unwrap_highest (const RccReportsStream *s, uint32_t extended)
{
  const int64_t near = rcc_unwrap_peek (&s->unwrap, (uint16_t) extended, 16);
  const int64_t step = (int32_t) (extended - s->last.highest_seq);

  if (s->reported && step == 0)
    return s->highest;
  if (near <= s->newest)
    return near;
  if (s->reported && step > 0 && s->highest + step <= s->newest)
    return s->highest + step;
  return INT64_MAX;
}

/* Receivers with several SSRCs report with each of them: the same counts, held for as
 * long, are the same news whoever signs, though the later ones' fraction may be of no
 * packets.  A later report of a path that is cut has another DLSR. */
static bool
is_copy (const RccReportsStream *s, const RccReportBlock *b, RccTime now)
{
  return s->last.highest_seq == b->highest_seq && s->last.lost == b->lost
      && s->last.lsr == b->lsr && s->last.dlsr == b->dlsr
      && (b->lsr != 0 || now < s->last_at + RCC_REPORTS_COPY);
}

static int
compare (uint64_t a, uint64_t b)
{
  return (a > b) - (a < b);
}

/* Whether LSR and DLSR say that the block was made before (-1) or after (1) the last
 * believed; 0: they do not say.  Our clock may be set back between two SRs: when they
 * left decides, where it is known. */
static int
made (const RccReportsStream *s, const RccReportBlock *b, RccTime lsr_at)
{
  if (b->lsr == 0)
    return 0;
  if (s->last.lsr == 0)
    return 1;
  if (b->lsr == s->last.lsr)
    return compare (b->dlsr, s->last.dlsr);
  if (lsr_at != RCC_NEVER && s->lsr_at != RCC_NEVER)
    return compare (lsr_at, s->lsr_at);
  return (int32_t) (b->lsr - s->last.lsr) > 0 ? 1 : -1;
}

/* Overtaken on the way.  A receiver that has started anew also says less, but later.
 * Where nothing new has arrived only the same SR tells before from after: two SRs may
 * have overtaken each other as well. */
static bool
is_stale (const Judged *j, const RccReportBlock *b, RccTime now)
{
  const RccReportsStream *s = j->stream;

  if (j->reporter != s->reporter || j->highest > s->highest)
    return false;
  if (j->highest == s->highest
      ? b->lsr == 0 || b->lsr != s->last.lsr || b->dlsr >= s->last.dlsr
      : made (s, b, j->lsr_at) > 0)
    return false;
  return s->stale_since == RCC_NEVER || now < s->stale_since + RCC_REPORTS_STALE;
}

/* An SR that is forgotten is known all the same while the peer goes on echoing it: on
 * a path that is cut, for minutes. */
static void
judge_echo (const RccReports *r, Judged *j, const RccReportBlock *b, uint32_t wall,
    RccTime now)
{
  const RccReportsStream *s = j->stream;
  const bool again = s->reported && b->lsr == s->last.lsr;

  j->lsr_at = rcc_srs_find (&s->srs, b->lsr);
  if (j->lsr_at == RCC_NEVER && again)
    j->lsr_at = s->lsr_at;
  j->echo = rcc_rtt_judge (&s->srs, j->lsr_at, b->lsr, b->dlsr,
      r->srs > 0 ? 0 : wall, now, &j->rtt);
  if (j->echo == RCC_ECHO_FORGED && j->lsr_at == RCC_NEVER && again)
    j->echo = RCC_ECHO_UNKNOWN;         /* left before any was seen, and believed */
}

static Verdict
judge (RccReports *r, const RccReportsCompound *c, uint32_t reporter,
    const RccReportBlock *b, Judged *j)
{
  *j = (Judged) { .stream = rcc_reports_find (r, b->ssrc), .reporter = reporter };
  if (!j->stream)
    return IGNORED;
  judge_echo (r, j, b, c->wall, c->now);
  j->highest = unwrap_highest (j->stream, b->highest_seq);
  if (j->highest == INT64_MAX || j->echo == RCC_ECHO_FORGED)
    return FORGED;
  if (j->stream->reported && is_copy (j->stream, b, c->now))
    return DUPLICATE;
  if (j->stream->reported && is_stale (j, b, c->now))
    return STALE;
  return BELIEVED;
}

/* Packets marked since the counter before: the first is where counting begins, as is
 * one that went back.  A report that says nothing of new packets leaves the marks to the
 * next, and as duplicates are counted too (RFC 6679 5.1), more than all is all. */
static uint32_t
count_ce (RccReportsStream *s, uint32_t reporter, uint16_t ce, uint32_t expected)
{
  const uint16_t step = (uint16_t) (ce - s->ce);
  const bool follows = s->ce_known && s->reporter == reporter && step < 0x8000;

  if (follows && expected == 0)
    return 0;
  s->ce_known = true;
  s->ce = ce;
  return follows ? RCC_MIN (step, expected) : 0;
}

static void
believe (RccReports *r, const RccReportsCompound *c, const Judged *j,
    const RccReportBlock *b, RccReport *report)
{
  RccReportsStream *s = j->stream;
  const size_t i = (size_t) (s - r->streams);

  *report = (RccReport) {
    .ssrc = b->ssrc, .reporter = j->reporter,
    .highest_seq = j->highest, .lost = b->lost, .fraction_lost = b->fraction / 256.0,
    .jitter = s->clock_rate ? (RccTime) b->jitter * RCC_SEC / s->clock_rate : RCC_NEVER,
    .rtt = j->rtt,
  };
  if (s->reported && j->highest > s->highest)
    report->expected = (uint32_t) RCC_MIN (j->highest - s->highest, (int64_t) UINT32_MAX);
  if (c->ecn[i].known)
    report->ce = count_ce (s, j->reporter, c->ecn[i].ce, report->expected);
  rcc_rtt_take (&r->rtt, &s->srs, j->echo, j->rtt);
  s->reported = true;
  s->last = *b;
  s->reporter = j->reporter;
  s->last_at = c->now;
  s->highest = j->highest;
  s->lsr_at = j->lsr_at;
  s->stale_since = RCC_NEVER;
}

/* --- a compound ------------------------------------------------------------- */

static bool
note_report (RccReports *r, RccReportsCompound *c, const RccRtcpPacket *packet)
{
  RccRtcpReport report;
  RccReportBlock block;
  bool forged = false;
  Judged j;

  if (!rcc_rtcp_report (packet, &report)) {
    r->ignored++;
    return true;
  }
  if (c->rtcp.n_reporters < RCC_REPORTS_REPORTERS)
    c->reporters[c->rtcp.n_reporters++] = report.ssrc;
  c->rtcp.from_sender |= report.is_sr;
  c->rtcp.n_blocks = RCC_MAX (c->rtcp.n_blocks, report.n_blocks);
  for (unsigned i = 0; i < report.n_blocks && !forged; i++) {
    rcc_rtcp_block (&report, i, &block);
    forged = judge (r, c, report.ssrc, &block, &j) == FORGED;
    c->rtcp.about_us |= j.stream != NULL;
    r->rtt.refused += forged && j.echo == RCC_ECHO_FORGED;
  }
  return !forged;
}

/* RFC 8083 5: only where an SR or RR comes with it.  RFC 8888 has marks as well, by
 * packet: they are its reader's. */
static void
note_ecn (RccReports *r, RccReportsCompound *c, const RccEcnCounters *counters)
{
  const RccReportsStream *s = rcc_reports_find (r, counters->ssrc);

  if (!s)
    return;
  c->rtcp.about_us = true;
  c->ecn[s - r->streams].known = true;
  c->ecn[s - r->streams].ce = counters->ce;
}

static void
note_xr (RccReports *r, RccReportsCompound *c, const RccRtcpPacket *packet)
{
  RccEcnCounters counters;
  RccXrBlock block;
  RccXr xr;

  if (!rcc_xr_parse (packet, &xr))
    return;
  while (rcc_xr_next (&xr.blocks, &block))
    if (block.type == RCC_XR_ECN_SUMMARY)
      while (rcc_ecn_next (&block.body, &counters))
        note_ecn (r, c, &counters);
  r->truncated_bytes += xr.blocks.size;
}

static bool
remb_names_us (RccReports *r, const RccRemb *remb)
{
  for (unsigned i = 0; i < remb->n_ssrcs; i++)
    if (rcc_reports_find (r, rcc_remb_ssrc (remb, i)))
      return true;
  return remb->n_ssrcs == 0;            /* names nobody: meant for the session */
}

static bool
feedback_names_us (RccReports *r, const RccRtcpPacket *packet)
{
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
      if (rcc_reports_find (r, block.ssrc))
        return true;
    return false;
  }
  return rcc_rtcp_feedback (packet, &fb)
      && (fb.media_ssrc == 0 || rcc_reports_find (r, fb.media_ssrc));
}

static bool
note (RccReports *r, RccReportsCompound *c, const RccRtcpPacket *packet)
{
  RccEcnFeedback ecn;

  switch (packet->type) {
    case RCC_RTCP_SR:
    case RCC_RTCP_RR:
      return note_report (r, c, packet);
    case RCC_RTCP_XR:
      note_xr (r, c, packet);
      return true;
    case RCC_RTCP_RTPFB:
    case RCC_RTCP_PSFB:
      if (rcc_ecn_parse (packet, &ecn))
        note_ecn (r, c, &ecn.counters);
      else
        c->rtcp.about_us = c->rtcp.about_us || feedback_names_us (r, packet);
      return true;
    default:                            /* SDES, BYE, APP and the unknown */
      return true;
  }
}

bool
rcc_reports_open (RccReports *r, RccReportsCompound *c, RccBytes compound,
    uint32_t wall, RccTime now)
{
  RccBytes rest = compound;
  RccRtcpPacket packet;

  memset (c, 0, sizeof *c);
  c->rtcp.size = (uint32_t) compound.size;
  c->rtcp.reporters = c->reporters;
  c->wall = wall;
  c->now = now;
  c->rest = compound;
  r->compounds++;
  while (rcc_rtcp_next (&rest, &packet))
    if (!note (r, c, &packet)) {
      r->forged++;
      return false;
    }
  r->truncated_bytes += rest.size;
  return rest.size < compound.size;
}

/* What was judged alone is judged again, after those before it were believed. */
static bool
hear_block (RccReports *r, const RccReportsCompound *c, const RccReportBlock *block,
    RccReport *report)
{
  Judged j;

  switch (judge (r, c, c->report.ssrc, block, &j)) {
    case BELIEVED:
      believe (r, c, &j, block, report);
      return true;
    case DUPLICATE:
      r->duplicates++;
      break;
    case STALE:
      r->stale++;
      if (j.stream->stale_since == RCC_NEVER)
        j.stream->stale_since = c->now;
      break;
    case FORGED:                        /* beside another block about the same stream */
    case IGNORED:
      r->ignored++;
      break;
  }
  return false;
}

bool
rcc_reports_next (RccReports *r, RccReportsCompound *c, RccReport *report)
{
  RccRtcpPacket packet;
  RccReportBlock block;

  for (;;) {
    while (c->block < c->report.n_blocks) {
      rcc_rtcp_block (&c->report, c->block++, &block);
      if (hear_block (r, c, &block, report))
        return true;
    }
    if (!rcc_rtcp_next (&c->rest, &packet))
      return false;
    rcc_rtcp_report (&packet, &c->report);      /* no blocks in what is none */
    c->block = 0;
  }
}

RccUpdate
rcc_reports_rtcp (RccReports *r, RccBytes compound, uint32_t wall, RccTime now,
    RccSender *sender)
{
  RccUpdate update = { 0 };
  RccReportsCompound c;
  RccReport report;

  if (!rcc_reports_open (r, &c, compound, wall, now))
    return update;
  while (rcc_reports_next (r, &c, &report))
    update = rcc_update_merge (update, rcc_tell (sender, on_report, &report, now));
  return rcc_update_merge (update, rcc_tell (sender, on_rtcp, &c.rtcp, now));
}
