/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire/feedback.h"

#include <string.h>

#include "wire/ccfb.h"
#include "wire/remb.h"
#include "wire/tmmbr.h"

#define PACKET_RATE_WINDOW RCC_SEC
#define ARRIVALS_KEEP (2 * RCC_SEC)

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
  rcc_window_init (&f->packet_rate, PACKET_RATE_WINDOW);
}

static RccHistory *
find_history (RccFeedback *f, uint32_t ssrc)
{
  const RccReportsStream *s = rcc_reports_find (&f->reports, ssrc);

  return s ? &f->histories[s - f->reports.streams] : NULL;
}

static RccHistory *
history_of_next (RccFeedback *f, const RccRtp *rtp, RccTime now)
{
  const RccReportsStream *s = rcc_reports_sent (&f->reports, rtp, now);
  RccHistory *history = &f->histories[s - f->reports.streams];

  if (s->packets == 1)
    rcc_history_init (history);
  return history;
}

static void
remember (RccHistory *history, const RccRtp *rtp, uint16_t number, uint32_t size,
    uint32_t probe, RccTime now)
{
  RccPacket *packet = &rcc_history_sent (history, number, size, probe, now)->packet;

  packet->ssrc = rtp->ssrc;
  packet->timestamp = rtp->timestamp;
}

void
rcc_feedback_sent (RccFeedback *f, const RccRtp *rtp, int twcc, uint32_t size,
    uint32_t probe, RccTime now)
{
  remember (history_of_next (f, rtp, now), rtp, rtp->seq, size, probe, now);
  if (twcc >= 0)
    remember (&f->transport, rtp, (uint16_t) twcc, size, probe, now);
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

typedef struct {
  RccFeedback *f;
  RccSender *sender;
  RccTime now;
  RccUpdate update;
} Ear;

static void
answer (Ear *e, RccUpdate u)
{
  e->update = rcc_update_merge (e->update, u);
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
  withheld = rcc_history_count_withheld (find_history (f, report->ssrc),
      report->highest_seq - report->expected, report->highest_seq);
  lost = report->fraction_lost * report->expected - withheld;
  report->fraction_lost = RCC_MAX (lost, 0.0) / report->expected;
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
    ours = find_history (e->f, rcc_remb_ssrc (remb, i)) != NULL;
  if (ours)
    answer (e, rcc_tell (e->sender, on_remb, saturate (remb->bps), e->now));
  else
    e->f->reports.ignored++;
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
    if (!find_history (e->f, entry.ssrc)) {
      e->f->reports.ignored++;
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
    RccHistory *history = find_history (e->f, block.ssrc);

    blocks++;
    if (!history) {
      e->f->reports.ignored++;
      continue;
    }
    for (unsigned i = 0; i < block.n_reports && n < RCC_TWCC_STATUSES_MAX; i++) {
      RccCcfbReport r;

      rcc_ccfb_report (&block, i, &r);
      n = judge (e, rcc_history_find (history, (uint16_t) (block.begin_seq + i)),
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
    f->reports.ignored++;
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
  Ear e = { .f = f, .sender = sender, .now = now };
  RccReportsCompound reports;
  RccRtcpPacket packet;
  RccReport report;
  RccRemb remb;

  if (!rcc_reports_open (&f->reports, &reports, compound, wall, now))
    return e.update;
  while (rcc_reports_next (&f->reports, &reports, &report)) {
    bear_out (&report);
    leave_out_withheld (f, &report);
    answer (&e, rcc_tell (sender, on_report, &report, now));
  }
  while (rcc_rtcp_next (&compound, &packet)) {
    if (packet.type == RCC_RTCP_RTPFB)
      hear_rtpfb (&e, &packet);
    else if (rcc_remb_parse (&packet, &remb))
      hear_remb (&e, &remb);
  }
  answer (&e, rcc_tell (sender, on_rtcp, &reports.rtcp, now));
  return e.update;
}
