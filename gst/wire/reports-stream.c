/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire/reports-stream.h"

#include <string.h>

#define MARK_INTERVAL (2 * RCC_SEC)

void
rcc_reports_stream_init (RccReportsStream *s, uint32_t ssrc)
{
  memset (s, 0, sizeof *s);
  s->ssrc = ssrc;
  s->newest = s->mark = s->mark_before = INT64_MIN;
  rcc_srs_init (&s->srs, ssrc);
}

/* NULL: nothing believed yet. */
static const RccReportsFrom *
find (const RccReportsStream *s, uint32_t reporter)
{
  for (unsigned i = 0; i < s->n_from; i++)
    if (s->from[i].reporter == reporter)
      return &s->from[i];
  return NULL;
}

void
rcc_reports_stream_sent (RccReportsStream *s, uint16_t seq, RccTime now)
{
  if (now >= s->marked + MARK_INTERVAL) {
    s->mark_before = s->mark;
    s->mark = s->newest;
    s->marked = now;
  }
  s->packets++;
  rcc_unwrap (&s->unwrap, seq, 16);
  s->newest = RCC_MAX (s->newest, s->unwrap.last);
}

bool
rcc_reports_stream_is_recent (const RccReportsStream *s, int64_t highest)
{
  return highest <= s->newest && highest > s->mark_before;
}

/* The number next to what we send now; INT64_MAX where only numbers never sent will do. How often
 * the peer has seen it wrap is its own affair (RFC 3550 6.4.1). It helps only with one that is
 * more than half a wrap behind: cut off, or far down a queue. */
static int64_t
unwrap_highest (const RccReportsStream *s, const RccReportsFrom *from, uint32_t extended)
{
  const int64_t near = rcc_unwrap_peek (&s->unwrap, (uint16_t) extended, 16);
  const int64_t step = from ? (int32_t) (extended - from->last.highest_seq) : 0;

  if (from && step == 0)
    return from->highest;
  if (near <= s->newest)
    return near;
  if (step > 0 && from->highest + step <= s->newest)
    return from->highest + step;
  return INT64_MAX;
}

/* Receivers with several SSRCs report with each of them. The same counts, held for as long, are
 * the same news whoever signs. The later ones' fraction may be of no packets. A later report of a
 * path that is cut has another DLSR. */
static bool
is_copy_of (const RccReportsFrom *from, const RccReportBlock *b, RccTime now)
{
  return from->last.highest_seq == b->highest_seq && from->last.lost == b->lost
      && from->last.lsr == b->lsr && from->last.dlsr == b->dlsr
      && (b->lsr != 0 || now < from->last_at + RCC_REPORTS_COPY);
}

static bool
is_copy (const RccReportsStream *s, const RccReportBlock *b, RccTime now)
{
  for (unsigned i = 0; i < s->n_from; i++)
    if (is_copy_of (&s->from[i], b, now))
      return true;
  return false;
}

static int
compare (uint64_t a, uint64_t b)
{
  return (a > b) - (a < b);
}

/* Whether LSR and DLSR say that the block was made before (-1) or after (1) the last believed. 0:
 * they do not say. Our clock may be set back between two SRs: when they left decides, where it is
 * known. */
static int
made (const RccReportsFrom *from, const RccReportBlock *b, RccTime lsr_at)
{
  if (b->lsr == 0)
    return 0;
  if (from->last.lsr == 0)
    return 1;
  if (b->lsr == from->last.lsr)
    return compare (b->dlsr, from->last.dlsr);
  if (lsr_at != RCC_NEVER && from->lsr_at != RCC_NEVER)
    return compare (lsr_at, from->lsr_at);
  return (int32_t) (b->lsr - from->last.lsr) > 0 ? 1 : -1;
}

/* Overtaken on the way.  A receiver that has started anew also says less, but later.
 * Where nothing new has arrived only the same SR tells before from after: two SRs may
 * have overtaken each other as well. */
static bool
is_stale (const RccReportsFrom *from, const RccReportJudged *j, const RccReportBlock *b,
    RccTime now)
{
  if (!from || j->highest > from->highest)
    return false;
  if (j->highest == from->highest
      ? b->lsr == 0 || b->lsr != from->last.lsr || b->dlsr >= from->last.dlsr
      : made (from, b, j->lsr_at) > 0)
    return false;
  return from->stale_since == RCC_NEVER || now < from->stale_since + RCC_REPORTS_STALE;
}

/* An SR that is forgotten is known all the same while the peer goes on echoing it. On a path that
 * is cut that may be for minutes. */
static void
judge_echo (const RccReportsStream *s, const RccSrLog *log, const RccReportsFrom *from,
    RccReportJudged *j, const RccReportBlock *b, uint32_t ntp_middle, RccTime now)
{
  const bool again = from && b->lsr == from->last.lsr;

  j->lsr_at = rcc_srs_find (log, &s->srs, b->lsr);
  if (j->lsr_at == RCC_NEVER && again)
    j->lsr_at = from->lsr_at;
  j->echo = rcc_rtt_judge (log, &s->srs, j->lsr_at, b->lsr, b->dlsr, log->live > 0 ? 0 : ntp_middle,
      now, &j->rtt);
  if (j->echo == RCC_ECHO_FORGED && j->lsr_at == RCC_NEVER && again)
    j->echo = RCC_ECHO_UNKNOWN;         /* left before any was seen, and believed */
}

RccReportVerdict
rcc_reports_stream_judge (const RccReportsStream *s, const RccSrLog *log, uint32_t reporter,
    const RccReportBlock *b, uint32_t ntp_middle, RccTime now, RccReportJudged *j)
{
  const RccReportsFrom *from = find (s, reporter);

  j->reporter = reporter;
  j->highest = unwrap_highest (s, from, b->highest_seq);
  judge_echo (s, log, from, j, b, ntp_middle, now);
  if (j->highest == INT64_MAX || j->echo == RCC_ECHO_FORGED)
    return RCC_REPORT_FORGED;
  if (is_copy (s, b, now))
    return RCC_REPORT_COPY;
  return is_stale (from, j, b, now) ? RCC_REPORT_STALE : RCC_REPORT_NEWS;
}

/* Packets marked since the counter before: the first is where counting begins, as is one that
 * went back. A report that says nothing of new packets leaves the marks to the next. As
 * duplicates are counted too (RFC 6679 5.1), more than all is all. */
static uint32_t
count_ce (RccReportsFrom *from, uint16_t ce, uint32_t expected)
{
  const uint16_t step = (uint16_t) (ce - from->ce);
  const bool follows = from->ce_known && step < 0x8000;

  if (follows && expected == 0)
    return 0;
  from->ce_known = true;
  from->ce = ce;
  return follows ? RCC_MIN (step, expected) : 0;
}

/* Of a reporter, for the first time; beyond the table the one silent for longest makes
 * room. */
static RccReportsFrom *
add_from (RccReportsStream *s, uint32_t reporter)
{
  unsigned oldest = 0;

  for (unsigned i = 1; i < s->n_from; i++)
    if (s->from[i].last_at < s->from[oldest].last_at)
      oldest = i;
  if (s->n_from < RCC_REPORTS_FROM)
    oldest = s->n_from++;
  s->from[oldest] = (RccReportsFrom) { .reporter = reporter, .last_at = RCC_NEVER,
    .stale_since = RCC_NEVER };
  return &s->from[oldest];
}

static void
tell (const RccReportsStream *s, const RccReportsFrom *from, const RccReportBlock *b,
    const RccReportJudged *j, RccReport *report)
{
  const bool reported = from->last_at != RCC_NEVER;

  *report = (RccReport) {
    .ssrc = b->ssrc, .reporter = j->reporter,
    .highest_seq = j->highest, .lost = b->lost, .fraction_lost = b->fraction / 256.0,
    .jitter = s->clock_rate ? (RccTime) b->jitter * RCC_SEC / s->clock_rate : RCC_NEVER,
    .newly_lost = RCC_LOST_UNKNOWN, .rtt = j->rtt,
    .nothing_new = reported && j->highest <= from->highest,
  };
  if (reported && j->highest > from->highest) {
    report->expected = (uint32_t) RCC_MIN (j->highest - from->highest, (int64_t) UINT32_MAX);
    report->newly_lost = (int64_t) b->lost - from->last.lost;
  }
}

bool
rcc_reports_stream_take (RccReportsStream *s, RccReportVerdict verdict,
    const RccReportBlock *b, const RccReportJudged *j, int ce, RccTime now,
    RccReport *report)
{
  RccReportsFrom *from = (RccReportsFrom *) find (s, j->reporter);

  if (verdict == RCC_REPORT_STALE && from->stale_since == RCC_NEVER)
    from->stale_since = now;
  if (verdict != RCC_REPORT_NEWS)
    return false;
  if (!from)
    from = add_from (s, j->reporter);
  tell (s, from, b, j, report);
  if (ce >= 0)
    report->ce = count_ce (from, (uint16_t) ce, report->expected);
  from->last = *b;
  from->last_at = now;
  from->highest = j->highest;
  from->lsr_at = j->lsr_at;
  from->stale_since = RCC_NEVER;
  return true;
}
