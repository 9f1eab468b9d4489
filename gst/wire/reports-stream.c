/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire/reports-stream.h"

#include <string.h>

void
rcc_reports_stream_init (RccReportsStream *s, uint32_t ssrc)
{
  memset (s, 0, sizeof *s);
  s->ssrc = ssrc;
  s->newest = INT64_MIN;
  s->lsr_at = s->stale_since = RCC_NEVER;
}

void
rcc_reports_stream_sent (RccReportsStream *s, uint16_t seq, RccTime now)
{
  s->used = now;
  s->packets++;
  rcc_unwrap (&s->unwrap, seq, 16);
  s->newest = RCC_MAX (s->newest, s->unwrap.last);
}

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
is_stale (const RccReportsStream *s, const RccReportJudged *j, const RccReportBlock *b,
    RccTime now)
{
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
judge_echo (const RccReportsStream *s, RccReportJudged *j, const RccReportBlock *b,
    uint32_t wall, RccTime now)
{
  const bool again = s->reported && b->lsr == s->last.lsr;

  j->lsr_at = rcc_srs_find (&s->srs, b->lsr);
  if (j->lsr_at == RCC_NEVER && again)
    j->lsr_at = s->lsr_at;
  j->echo = rcc_rtt_judge (&s->srs, j->lsr_at, b->lsr, b->dlsr, wall, now, &j->rtt);
  if (j->echo == RCC_ECHO_FORGED && j->lsr_at == RCC_NEVER && again)
    j->echo = RCC_ECHO_UNKNOWN;         /* left before any was seen, and believed */
}

RccReportVerdict
rcc_reports_stream_judge (const RccReportsStream *s, uint32_t reporter,
    const RccReportBlock *b, uint32_t wall, RccTime now, RccReportJudged *j)
{
  j->reporter = reporter;
  j->highest = unwrap_highest (s, b->highest_seq);
  judge_echo (s, j, b, wall, now);
  if (j->highest == INT64_MAX || j->echo == RCC_ECHO_FORGED)
    return RCC_REPORT_FORGED;
  if (s->reported && is_copy (s, b, now))
    return RCC_REPORT_COPY;
  return s->reported && is_stale (s, j, b, now) ? RCC_REPORT_STALE : RCC_REPORT_NEWS;
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
tell (const RccReportsStream *s, const RccReportBlock *b, const RccReportJudged *j,
    RccReport *report)
{
  *report = (RccReport) {
    .ssrc = b->ssrc, .reporter = j->reporter,
    .highest_seq = j->highest, .lost = b->lost, .fraction_lost = b->fraction / 256.0,
    .jitter = s->clock_rate ? (RccTime) b->jitter * RCC_SEC / s->clock_rate : RCC_NEVER,
    .newly_lost = RCC_LOST_UNKNOWN, .rtt = j->rtt,
    .nothing_new = s->reported && j->highest <= s->highest,
  };
  if (s->reported && j->highest > s->highest) {
    report->expected = (uint32_t) RCC_MIN (j->highest - s->highest, (int64_t) UINT32_MAX);
    report->newly_lost = (int64_t) b->lost - s->last.lost;
  }
}

bool
rcc_reports_stream_take (RccReportsStream *s, RccReportVerdict verdict,
    const RccReportBlock *b, const RccReportJudged *j, int ce, RccTime now,
    RccReport *report)
{
  if (verdict == RCC_REPORT_STALE && s->stale_since == RCC_NEVER)
    s->stale_since = now;
  if (verdict != RCC_REPORT_NEWS)
    return false;
  tell (s, b, j, report);
  if (ce >= 0)
    report->ce = count_ce (s, j->reporter, (uint16_t) ce, report->expected);
  s->reported = true;
  s->last = *b;
  s->reporter = j->reporter;
  s->last_at = now;
  s->highest = j->highest;
  s->lsr_at = j->lsr_at;
  s->stale_since = RCC_NEVER;
  return true;
}
