/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire/xrreporter.h"

#include <string.h>

#include "wire/xr-rle.h"
#include "wire/xr-rtt.h"
#include "wire/xr-times.h"

#define STALE_MAX 3                     /* then the numbers have started anew */
#define RRTR_INTERVAL RCC_SEC
#define THINNING_MAX 6
#define RANGE_MAX 60000                 /* well inside RCC_XR_RANGE_MAX; the rest next time */

const RccField rcc_xr_reporter_fields[] = {
  RCC_FIELD (RccXrReporter, told_received, "told-received", RCC_U64, ""),
  RCC_FIELD (RccXrReporter, told_lost, "told-lost", RCC_U64, ""),
  RCC_FIELD (RccXrReporter, told_late, "told-late", RCC_U64, ""),
  RCC_FIELD (RccXrReporter, told_again, "told-again", RCC_U64, ""),
  RCC_FIELD (RccXrReporter, untold, "untold", RCC_U64, ""),
  RCC_FIELDS_END
};

void
rcc_xr_reporter_init (RccXrReporter *r, uint32_t ssrc)
{
  memset (r, 0, sizeof *r);
  rcc_member_init (&r->member, ssrc);
  rcc_rtt_init (&r->rtt);
  r->rrtr_sent = RCC_NEVER;
}

/* *** the log *** */

static unsigned
slot_of (int64_t seq)
{
  return (uint64_t) seq % RCC_XR_NUMBERS;
}

static bool
received (const RccXrStream *s, int64_t seq)
{
  return s->slots[slot_of (seq)].seq == seq;
}

static void
begin_stream (RccXrStream *s, uint16_t first)
{
  s->unwrap = (RccUnwrap) { first, true };
  s->begin = s->judged = first;
  s->held = INT64_MIN;
  s->stale = s->n_stragglers = 0;
  for (unsigned i = 0; i < RCC_XR_NUMBERS; i++)
    s->slots[i].seq = INT64_MIN;
}

/* The table is small on purpose: who sends us RTP is not ours to choose.  The one
 * not heard for longest makes room. */
static RccXrStream *
stream (RccXrReporter *r, const RccRtp *rtp)
{
  RccXrStream *oldest = &r->streams[0];

  for (unsigned i = 0; i < r->n_streams; i++) {
    if (r->streams[i].ssrc == rtp->ssrc)
      return &r->streams[i];
    if (r->streams[i].heard < oldest->heard)
      oldest = &r->streams[i];
  }
  if (r->n_streams < RCC_XR_STREAMS)
    oldest = &r->streams[r->n_streams++];
  oldest->ssrc = rtp->ssrc;
  begin_stream (oldest, rtp->seq);
  return oldest;
}

/* Told as lost, it came after all; with no place left it stays lost. */
static void
add_straggler (RccXrStream *s, int64_t seq)
{
  unsigned i = s->n_stragglers;

  if (i == RCC_XR_STRAGGLERS)
    return;
  for (s->n_stragglers++; i > 0 && s->stragglers[i - 1] > seq; i--)
    s->stragglers[i] = s->stragglers[i - 1];
  s->stragglers[i] = seq;
}

/* Whether a hole has become a loss; one is enough to know. */
static bool
loses (RccXrStream *s)
{
  const int64_t sure = s->unwrap.last - RCC_XR_REORDER;

  for (; s->judged <= sure; s->judged++)
    if (!received (s, s->judged)) {
      s->judged = sure + 1;
      return true;
    }
  return false;
}

/* Nobody will be told of the numbers below @end, of which some may have come. */
static void
forget (RccXrReporter *r, RccXrStream *s, int64_t end)
{
  if (end <= s->begin)
    return;
  for (unsigned i = 0; i < RCC_XR_NUMBERS; i++)
    r->untold += s->slots[i].seq >= s->begin && s->slots[i].seq < end;
  s->begin = end;
}

bool
rcc_xr_reporter_packet (RccXrReporter *r, const RccRtp *rtp, bool late, RccTime arrival)
{
  RccXrStream *s = stream (r, rtp);
  int64_t seq = rcc_unwrap_peek (&s->unwrap, rtp->seq, 16);
  unsigned i;

  s->heard = arrival;
  if (seq <= s->unwrap.last - RCC_XR_NUMBERS) {
    if (++s->stale < STALE_MAX)
      return late;
    begin_stream (s, rtp->seq);         /* the sender restarted; RFC 3550 A.1 in spirit */
    seq = rtp->seq;
  }
  s->stale = 0;
  i = slot_of (seq);
  if (s->slots[i].seq == seq)           /* 4.3: none but the first copy's time */
    return false;
  /* one that nobody was told of makes room for one a whole log later */
  forget (r, s, RCC_MAX (s->slots[i].seq + 1, seq - RANGE_MAX));
  s->slots[i].seq = seq;
  s->slots[i].at = arrival;
  s->slots[i].late = late;
  if (seq < s->begin)
    add_straggler (s, seq);
  s->unwrap.last = RCC_MAX (s->unwrap.last, seq);
  return loses (s) || late;
}

bool
rcc_xr_reporter_pending (const RccXrReporter *r)
{
  for (unsigned i = 0; i < r->n_streams; i++)
    if (r->streams[i].begin <= r->streams[i].unwrap.last || r->streams[i].n_stragglers)
      return true;
  return false;
}

/* *** reports *** */

typedef struct {
  RccXrReporter *r;
  RccXrStream *s;
  int64_t begin, end;                   /* the numbers under way; end is not among them */
  uint8_t *out;
  size_t size, used;
  size_t enough;                        /* size, for receipt times */
} Writer;

static int64_t
number (const Writer *w, uint16_t seq)
{
  return w->begin + (uint16_t) (seq - (uint16_t) w->begin);
}

static bool
came (void *user, uint16_t seq)
{
  const Writer *w = user;

  return received (w->s, number (w, seq));
}

static bool
came_late (void *user, uint16_t seq)
{
  const Writer *w = user;
  const int64_t n = number (w, seq);

  return received (w->s, n) && w->s->slots[slot_of (n)].late;
}

static bool
came_at (void *user, uint16_t seq, uint32_t *ticks)
{
  const Writer *w = user;
  const int64_t n = number (w, seq);

  *ticks = rcc_xr_ticks (w->s->slots[slot_of (n)].at, w->r->clock_rate);
  return received (w->s, n);
}

static RccXrRange
range_of (const Writer *w)
{
  return (RccXrRange) { .ssrc = w->s->ssrc, .begin_seq = (uint16_t) w->begin,
    .end_seq = (uint16_t) w->end };
}

static bool
any_late (const Writer *w)
{
  for (int64_t n = w->begin; n < w->end; n++)
    if (received (w->s, n) && w->s->slots[slot_of (n)].late)
      return true;
  return false;
}

static void
count (const Writer *w)
{
  for (int64_t n = w->begin; n < w->end; n++) {
    const bool here = received (w->s, n);

    w->r->told_received += here;
    w->r->told_lost += !here;
    w->r->told_late += here && w->s->slots[slot_of (n)].late;
  }
}

/* One RLE block over w's numbers, of which it says as many as fit.  False: none do. */
static bool
write_rle (Writer *w, bool discard)
{
  const RccXrRle rle = { .range = range_of (w), .discard = discard };
  uint16_t end;
  size_t used;

  used = rcc_xr_rle_add (w->out, w->size, w->used, &rle, discard ? came_late : came, w, &end);
  if (used == 0)
    return false;
  w->used = used;
  w->end = number (w, end);
  return true;
}

/* Tells of w's numbers or the first of them: w->end is then where the rest begins.  A
 * loss report without its discards would be wrong: both or none, of as many numbers as
 * there is room for both of. */
static bool
write_fates (Writer *w)
{
  const size_t before = w->used;

  while (w->begin < w->end && write_rle (w, false)) {
    const int64_t end = w->end;

    if (!any_late (w) || (write_rle (w, true) && w->end == end)) {
      count (w);
      return true;
    }
    w->used = before;
    w->end = w->begin + (end - w->begin) / 2;
  }
  rcc_rtcp_put_header (w->out, RCC_RTCP_XR, 0, before);
  return false;
}

/* Of every packet, every second, fourth ... until it is not too much; of none, if need be. */
static void
write_times (Writer *w)
{
  RccXrRange range = range_of (w);

  if (!w->r->times || w->r->clock_rate == 0)
    return;
  for (; range.thinning <= THINNING_MAX; range.thinning++) {
    uint16_t end;
    const size_t used = rcc_xr_times_add (w->out, w->enough, w->used, &range, came_at, w,
        &end);

    if (used > 0 && end == range.end_seq) {
      w->used = used;
      return;
    }
    rcc_rtcp_put_header (w->out, RCC_RTCP_XR, 0, w->used);
  }
}

/* Where the report ends: before a hole that reordering may yet fill, the first time. */
static int64_t
settled (RccXrStream *s)
{
  const int64_t last = s->unwrap.last;

  for (int64_t n = RCC_MAX (s->begin, last - RCC_XR_REORDER + 1); n < last; n++)
    if (!received (s, n)) {
      if (n <= s->held)
        continue;
      s->held = n;
      return n;
    }
  return RCC_MIN (last + 1, s->begin + RANGE_MAX);
}

/* Each by itself, or with its neighbours; without a time: late news of no use for delay. */
static void
write_stragglers (Writer *w)
{
  RccXrStream *s = w->s;
  unsigned done = 0, next;

  for (; done < s->n_stragglers; done = next) {
    next = done + 1;
    w->begin = s->stragglers[done];
    w->end = w->begin + 1;
    while (next < s->n_stragglers && s->stragglers[next] == w->end)
      next++, w->end++;
    if (w->begin <= s->unwrap.last - RCC_XR_NUMBERS)    /* its place is another's by now */
      continue;
    if (!write_fates (w))
      break;
    w->r->told_again += next - done;
  }
  s->n_stragglers -= done;
  memmove (s->stragglers, s->stragglers + done, s->n_stragglers * sizeof s->stragglers[0]);
}

static void
write_reference (Writer *w, RccTime now)
{
  const uint64_t ntp = rcc_ns_to_ntp (now);
  size_t used;

  if (w->r->rrtr_sent != RCC_NEVER && now < w->r->rrtr_sent + RRTR_INTERVAL)
    return;
  used = rcc_xr_rrtr_add (w->out, w->size, w->used, ntp);
  if (used == 0)
    return;
  w->used = used;
  w->r->rrtr_sent = now;
  rcc_srs_sent (&w->r->rrtrs, rcc_ntp_middle (ntp), now);
}

size_t
rcc_xr_reporter_packet_of (RccXrReporter *r, RccTime now, size_t budget, uint8_t *out,
    size_t size)
{
  Writer w = { .r = r, .out = out, .size = size };
  int64_t begins[RCC_XR_STREAMS];
  size_t bare;

  if (!rcc_xr_reporter_pending (r) || size < 8)
    return 0;
  w.used = rcc_xr_begin (out, size, r->member.ssrc);
  write_reference (&w, now);
  bare = w.used;
  for (unsigned i = 0; i < r->n_streams; i++) {
    w.s = &r->streams[i];
    begins[i] = w.begin = w.s->begin;
    w.end = settled (w.s);
    if (w.begin < w.end && write_fates (&w))
      w.s->begin = w.end;
  }
  for (unsigned i = 0; i < r->n_streams; i++) {
    w.s = &r->streams[i];
    write_stragglers (&w);
  }
  w.enough = RCC_MIN (size, RCC_MAX (budget, 2 * w.used));
  for (unsigned i = 0; i < r->n_streams; i++) {
    w.s = &r->streams[i];
    w.begin = begins[i];
    w.end = w.s->begin;
    if (w.begin < w.end)
      write_times (&w);
  }
  return w.used > bare ? w.used : 0;
}

size_t
rcc_xr_reporter_compound (RccXrReporter *r, RccTime now, size_t budget, uint8_t *out,
    size_t size)
{
  const size_t used = rcc_member_begin (&r->member, out, size);
  const size_t more = used ? rcc_xr_reporter_packet_of (r, now,
      budget > used ? budget - used : 0, out + used, size - used) : 0;

  return more ? used + more : 0;
}

/* *** the round trip *** */

static bool
hear_dlrr (RccXrReporter *r, RccBytes entries, RccTime now)
{
  RccXrDlrr entry;
  bool any = false;

  while (rcc_xr_dlrr_next (&entries, &entry)) {
    RccTime sample;

    if (entry.ssrc != r->member.ssrc || entry.lrr == 0)
      continue;
    sample = rcc_xr_rtt (&r->rrtrs, &entry, now);
    rcc_rtt_take (&r->rtt, &r->rrtrs, sample != RCC_NEVER ? RCC_ECHO_SAMPLE
        : RCC_ECHO_FORGED, sample);
    any |= sample != RCC_NEVER;
  }
  return any;
}

void
rcc_xr_reporter_rtcp_passed (RccXrReporter *r, RccBytes compound, RccTime now)
{
  RccRtcpPacket p;
  RccRtcpReport report;

  rcc_member_rtcp_passed (&r->member, compound);
  while (rcc_rtcp_next (&compound, &p))
    if (rcc_rtcp_report (&p, &report) && report.is_sr)
      rcc_srs_sent (&r->srs, rcc_ntp_middle (report.ntp), now);
}

static bool
hear_report (RccXrReporter *r, const RccRtcpReport *report, RccTime now)
{
  RccReportBlock block;
  RccTime sample;
  bool any = false;

  for (unsigned i = 0; i < report->n_blocks; i++) {
    RccEcho echo;

    rcc_rtcp_block (report, i, &block);
    if (block.ssrc != r->member.ssrc)
      continue;
    echo = rcc_rtt_judge (&r->srs, rcc_srs_find (&r->srs, block.lsr), block.lsr,
        block.dlsr, 0, now, &sample);
    rcc_rtt_take (&r->rtt, &r->srs, echo, sample);
    any |= echo == RCC_ECHO_SAMPLE;
  }
  return any;
}

bool
rcc_xr_reporter_rtcp (RccXrReporter *r, RccBytes compound, RccTime now)
{
  RccRtcpPacket p;
  RccRtcpReport report;
  RccXr xr;
  RccXrBlock block;
  bool any = false;

  while (rcc_rtcp_next (&compound, &p)) {
    if (rcc_rtcp_report (&p, &report))
      any |= hear_report (r, &report, now);
    if (!rcc_xr_parse (&p, &xr))
      continue;
    while (rcc_xr_next (&xr.blocks, &block))
      if (block.type == RCC_XR_DLRR)
        any |= hear_dlrr (r, block.body, now);
  }
  return any;
}
