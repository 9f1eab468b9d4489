/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire/xrreporter.h"

#include <string.h>

#include "wire/xr-rle.h"
#include "wire/xr-rtt.h"
#include "wire/xr-times.h"

#define RRTR_INTERVAL RCC_SEC
#define THINNING_MAX 6
#define REFERENCES 0                    /* sources of what is echoed */
#define SRS 1
#define REPORT_MAX 2048                 /* numbers in a report; the rest next time */

const RccField rcc_xr_reporter_fields[] = {
  RCC_FIELD (RccXrReporter, reported_received, "reported-received", RCC_U64, ""),
  RCC_FIELD (RccXrReporter, reported_lost, "reported-lost", RCC_U64, ""),
  RCC_FIELD (RccXrReporter, reported_late, "reported-late", RCC_U64, ""),
  RCC_FIELD (RccXrReporter, reported_again, "reported-again", RCC_U64, ""),
  RCC_FIELD (RccXrReporter, arrivals.unreported, "unreported", RCC_U64, ""),
  RCC_FIELDS_END
};

void
rcc_xr_reporter_init (RccXrReporter *r, uint32_t ssrc, RccResize resize)
{
  memset (r, 0, sizeof *r);
  rcc_rtcp_source_init (&r->source, ssrc);
  rcc_xr_arrivals_init (&r->arrivals, resize);
  rcc_sr_log_init (&r->echoes, resize);
  rcc_srs_init (&r->rrtrs, REFERENCES);
  rcc_srs_init (&r->srs, SRS);
  rcc_rtt_init (&r->rtt);
  r->rrtr_sent = RCC_NEVER;
}

void
rcc_xr_reporter_clear (RccXrReporter *r)
{
  rcc_xr_arrivals_clear (&r->arrivals);
  rcc_log_clear (&r->echoes);
}

static RccXrStream *
stream (const RccXrReporter *r, unsigned i)
{
  return rcc_xr_arrivals_stream (&r->arrivals, i);
}

bool
rcc_xr_reporter_packet (RccXrReporter *r, const RccRtp *rtp, bool late, RccTime at)
{
  return rcc_xr_arrivals_packet (&r->arrivals, rtp, late, at, r->clock_rate);
}

bool
rcc_xr_reporter_pending (const RccXrReporter *r)
{
  for (unsigned i = 0; i < r->arrivals.streams.n; i++) {
    const RccXrStream *s = stream (r, i);

    if (s->come.begin <= s->come.unwrap.last || s->n_stragglers)
      return true;
  }
  return false;
}

/* --- reports -------------------------------------------------------------- */

typedef struct {
  RccXrReporter *r;
  RccXrStream *s;
  int64_t begin, end;                   /* the numbers under way; end is not among them */
  uint8_t *out;
  size_t size, used;
  size_t enough;                        /* size, for receipt times */
  int64_t first;                        /* the number of receipts[0] */
  const RccReceipt **receipts;          /* of the stream's numbers; NULL: lost */
  const RccReceipt **all;               /* of all streams' */
} Writer;

static int64_t
number (const Writer *w, uint16_t seq)
{
  return w->begin + (uint16_t) (seq - (uint16_t) w->begin);
}

static bool
is_late (const RccReceipt *receipt)
{
  return receipt && receipt->late;
}

static bool
was_received (void *user, uint16_t seq)
{
  const Writer *w = user;

  return w->receipts[number (w, seq) - w->first];
}

static bool
received_late (void *user, uint16_t seq)
{
  const Writer *w = user;

  return is_late (w->receipts[number (w, seq) - w->first]);
}

static bool
received_at (void *user, uint16_t seq, uint32_t *ticks)
{
  const Writer *w = user;
  const RccReceipt *receipt = w->receipts[number (w, seq) - w->first];

  if (receipt)
    *ticks = receipt->ticks;
  return receipt;
}

static RccXrRange
range_of (const Writer *w)
{
  return (RccXrRange) { .ssrc = w->s->come.ssrc, .begin_seq = (uint16_t) w->begin,
    .end_seq = (uint16_t) w->end };
}

static bool
any_late (const Writer *w)
{
  for (int64_t n = w->begin; n < w->end; n++)
    if (is_late (w->receipts[n - w->first]))
      return true;
  return false;
}

static void
count (const Writer *w)
{
  for (int64_t n = w->begin; n < w->end; n++) {
    const RccReceipt *receipt = w->receipts[n - w->first];

    w->r->reported_received += receipt != NULL;
    w->r->reported_lost += !receipt;
    w->r->reported_late += is_late (receipt);
  }
}

/* One RLE block over w's numbers, of which it says as many as fit.  False: none do. */
static bool
write_rle (Writer *w, bool discard)
{
  const RccXrRle rle = { .range = range_of (w), .discard = discard };
  uint16_t end;
  size_t used;

  used = rcc_xr_rle_add (w->out, w->size, w->used, &rle, discard ? received_late : was_received, w,
      &end);
  if (used == 0)
    return false;
  w->used = used;
  w->end = number (w, end);
  return true;
}

/* Tells of as many of w's numbers as there is room for; the rest begins at w->end then.  A loss
 * report without its discards would be wrong.  So both are written, of the same numbers, or
 * none. */
static bool
write_outcomes (Writer *w)
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

  if (!w->r->times || w->r->clock_rate == 0 || w->r->arrivals.rate_changed)
    return;
  for (; range.thinning <= THINNING_MAX; range.thinning++) {
    uint16_t end;
    const size_t used = rcc_xr_times_add (w->out, w->enough, w->used, &range, received_at, w,
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
settled (RccXrStream *s, int64_t most)
{
  const int64_t last = s->come.unwrap.last;

  if (last + 1 - s->come.begin > most)
    return s->come.begin + most;
  for (int64_t n = RCC_MAX (s->come.begin, last - RCC_XR_REORDER + 1); n < s->come.run; n++)
    if (!rcc_xr_came (s, n)) {
      if (n <= s->held)
        continue;
      s->held = n;
      return n;
    }
  return last + 1;
}

/* Tells each one by itself, or with its neighbours.  It has no time: late news is of no use for
 * delay. */
static void
write_stragglers (Writer *w)
{
  static const RccReceipt on_time = { 0 }, late = { .late = 1 };
  const RccReceipt *receipts[RCC_XR_STRAGGLERS];
  RccXrStream *s = w->s;
  unsigned done = 0, next;

  w->receipts = receipts;
  for (; done < s->n_stragglers; done = next) {
    w->begin = w->end = w->first = s->stragglers[done].number;
    for (next = done; next < s->n_stragglers && s->stragglers[next].number == w->end; next++)
      receipts[w->end++ - w->begin] = s->stragglers[next].late ? &late : &on_time;
    if (!write_outcomes (w))
      break;
    w->r->reported_again += next - done;
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
  rcc_srs_sent (&w->r->echoes, &w->r->rrtrs, rcc_ntp_middle (ntp), now);
}

/* Which numbers to tell of: of the streams from @first on, as many as a report may. */
static void
choose (Writer *w, unsigned first, unsigned n)
{
  unsigned chosen = 0;

  rcc_xr_arrivals_forget (&w->r->arrivals);
  for (unsigned i = 0; i < n; i++) {
    RccXrStream *s = stream (w->r, (first + i) % n);

    s->reported_from = s->come.begin;
    s->reported_to = settled (s, REPORT_MAX - chosen);
    s->reported_at = chosen;
    chosen += (unsigned) (s->reported_to - s->reported_from);
  }
  memset (w->all, 0, chosen * sizeof w->all[0]);
}

/* Which of them came. */
static void
sort_receipts (Writer *w)
{
  const RccReceipts *receipts = &w->r->arrivals.receipts;

  for (uint32_t i = 0; i < receipts->live; i++) {
    const RccReceipt *receipt = rcc_receipts_at (receipts, i);
    const RccXrStream *s = stream (w->r, receipt->stream);
    const int64_t n = rcc_xr_number (s, receipt);

    if (rcc_receipt_is_current (receipts, receipt) && n >= s->reported_from
        && n < s->reported_to)
      w->all[s->reported_at + (n - s->reported_from)] = receipt;
  }
}

static void
begin_writing (Writer *w, RccXrStream *s)
{
  w->s = s;
  w->receipts = w->all + s->reported_at;
  w->begin = w->first = s->reported_from;
  w->end = s->reported_to;
}

/* Tells of as many streams as there is room for.  The next report begins with the first of the
 * others. */
static void
write_streams (Writer *w, unsigned first, unsigned n)
{
  for (unsigned i = 0; i < n; i++) {
    RccXrStream *s = stream (w->r, (first + i) % n);

    begin_writing (w, s);
    s->reported_to = s->reported_from;
    if (w->begin < w->end && write_outcomes (w))
      s->come.begin = s->reported_to = w->end;
    if (s->come.begin <= s->come.unwrap.last && w->r->next == first)
      w->r->next = (first + i) % n;
  }
}

size_t
rcc_xr_reporter_packet_of (RccXrReporter *r, RccTime now, size_t budget, uint8_t *out,
    size_t size)
{
  const unsigned n = r->arrivals.streams.n, first = n > 0 ? r->next % n : 0;
  const RccReceipt *all[REPORT_MAX];
  Writer w = { .r = r, .out = out, .size = size, .all = all };
  size_t bare;

  if (!rcc_xr_reporter_pending (r) || size < 8)
    return 0;
  w.used = rcc_xr_begin (out, size, r->source.ssrc);
  write_reference (&w, now);
  bare = w.used;
  choose (&w, first, n);
  sort_receipts (&w);
  write_streams (&w, first, n);
  for (unsigned i = 0; i < n; i++) {
    w.s = stream (r, i);
    write_stragglers (&w);
  }
  w.enough = RCC_MIN (size, RCC_MAX (budget, 2 * w.used));
  for (unsigned i = 0; i < n; i++) {
    begin_writing (&w, stream (r, i));
    if (w.begin < w.end)
      write_times (&w);
  }
  rcc_xr_arrivals_told (&r->arrivals);
  return w.used > bare ? w.used : 0;
}

size_t
rcc_xr_reporter_compound (RccXrReporter *r, RccTime now, size_t budget, uint8_t *out,
    size_t size)
{
  const size_t used = rcc_rtcp_source_begin (&r->source, out, size);
  const size_t more = used ? rcc_xr_reporter_packet_of (r, now,
      budget > used ? budget - used : 0, out + used, size - used) : 0;

  return more ? used + more : 0;
}
