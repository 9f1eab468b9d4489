/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire/xrreporter.h"

#include <string.h>

#include "wire/xr-rle.h"
#include "wire/xr-rtt.h"
#include "wire/xr-times.h"

#define KEEP (8 * RCC_SEC)              /* RFC 3550's 5 s, and half as much */
#define BYTES_MAX (3u << 19)            /* as in reporter.c */
#define RRTR_INTERVAL RCC_SEC
#define THINNING_MAX 6
#define REFERENCES 0                    /* sources of what is echoed */
#define SRS 1
#define RANGE_MAX 60000                 /* well inside RCC_XR_RANGE_MAX; older ones are not told */
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
  rcc_arrivals_init (&r->arrivals, sizeof (RccXrStream), KEEP, BYTES_MAX, resize);
  rcc_sr_log_init (&r->echoes, resize);
  rcc_srs_init (&r->rrtrs, REFERENCES);
  rcc_srs_init (&r->srs, SRS);
  rcc_rtt_init (&r->rtt);
  r->rrtr_sent = RCC_NEVER;
}

void
rcc_xr_reporter_clear (RccXrReporter *r)
{
  rcc_arrivals_clear (&r->arrivals);
  rcc_log_clear (&r->echoes);
}

/* --- the log -------------------------------------------------------------- */

static RccXrStream *
stream (const RccXrReporter *r, unsigned i)
{
  return rcc_arrivals_at (&r->arrivals, i);
}

static const RccArrival *
received (const RccXrReporter *r, const RccXrStream *s, int64_t number)
{
  return rcc_arrivals_find (&r->arrivals, &s->come, number);
}

static void
begin_stream (RccXrStream *s)
{
  s->judged = s->come.begin;
  s->held = INT64_MIN;
  s->n_stragglers = 0;
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

/* Whether some hole has become a loss.  Packets that have been told of are no news, and may be
 * forgotten where the stream paused. */
static bool
loses (RccXrReporter *r, RccXrStream *s)
{
  const int64_t sure = s->come.unwrap.last - RCC_XR_REORDER;

  for (s->judged = RCC_MAX (s->judged, s->come.begin); s->judged <= sure
      && s->judged < s->come.run; s->judged++)
    if (!received (r, s, s->judged)) {
      s->judged = sure + 1;
      return true;
    }
  s->judged = RCC_MAX (s->judged, sure + 1);
  return false;
}

/* Nobody will be told of the numbers below @end, of which some may have come. */
static void
forget (RccXrReporter *r, RccXrStream *s, int64_t end)
{
  uint32_t place = rcc_log_first (&r->arrivals.log);

  if (end <= s->come.begin)
    return;
  for (uint32_t i = 0; i < r->arrivals.log.live; i++, place++) {
    const RccArrival *a = rcc_log_at (&r->arrivals.log, place);

    r->arrivals.unreported += a->key.stream == s->come.ssrc && a->key.number >= s->come.begin
        && a->key.number < end;
  }
  s->come.begin = end;
}

bool
rcc_xr_reporter_packet (RccXrReporter *r, const RccRtp *rtp, bool late, RccTime at)
{
  RccXrStream *s = rcc_arrivals_stream (&r->arrivals, rtp->ssrc);
  const bool fresh = !s->come.any;
  RccArrival *arrival;
  int64_t number;

  switch (rcc_arrivals_add (&r->arrivals, &s->come, rtp->seq, at, &number, &arrival)) {
    case RCC_ARRIVAL_STALE:
      return late;
    case RCC_ARRIVAL_COPY:              /* 4.3: none but the first copy's time */
      return false;
    case RCC_ARRIVAL_ANEW:
      begin_stream (s);
      break;
    case RCC_ARRIVAL_NEWS:
      if (fresh)
        begin_stream (s);
      break;
  }
  arrival->late = late;
  if (number < s->come.begin)
    add_straggler (s, number);
  return loses (r, s) || late;
}

bool
rcc_xr_reporter_pending (const RccXrReporter *r)
{
  for (unsigned i = 0; i < rcc_arrivals_n (&r->arrivals); i++) {
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
  int64_t first;                        /* the number of came[0] */
  const RccArrival **arrivals;          /* of the stream's numbers; NULL: lost */
  const RccArrival **all;               /* of all streams' */
} Writer;

static int64_t
number (const Writer *w, uint16_t seq)
{
  return w->begin + (uint16_t) (seq - (uint16_t) w->begin);
}

static bool
is_late (const RccArrival *a)
{
  return a && a->late;
}

static bool
was_received (void *user, uint16_t seq)
{
  const Writer *w = user;

  return w->arrivals[number (w, seq) - w->first];
}

static bool
received_late (void *user, uint16_t seq)
{
  const Writer *w = user;

  return is_late (w->arrivals[number (w, seq) - w->first]);
}

static bool
received_at (void *user, uint16_t seq, uint32_t *ticks)
{
  const Writer *w = user;
  const RccArrival *a = w->arrivals[number (w, seq) - w->first];

  if (a)
    *ticks = rcc_xr_ticks (a->key.at, w->r->clock_rate);
  return a;
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
    if (is_late (w->arrivals[n - w->first]))
      return true;
  return false;
}

static void
count (const Writer *w)
{
  for (int64_t n = w->begin; n < w->end; n++) {
    const RccArrival *a = w->arrivals[n - w->first];

    w->r->reported_received += a != NULL;
    w->r->reported_lost += !a;
    w->r->reported_late += is_late (a);
  }
}

/* Looks each of w's numbers up, once: RLE and receipt times ask several times. */
static void
look_up (Writer *w)
{
  w->first = w->begin;
  for (int64_t n = w->begin; n < w->end; n++)
    w->arrivals[n - w->begin] = received (w->r, w->s, n);
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

  look_up (w);
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
settled (const RccXrReporter *r, RccXrStream *s, int64_t most)
{
  const int64_t last = s->come.unwrap.last;

  if (last + 1 - s->come.begin > most)
    return s->come.begin + most;
  for (int64_t n = RCC_MAX (s->come.begin, last - RCC_XR_REORDER + 1); n < s->come.run; n++)
    if (!received (r, s, n)) {
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
  RccXrStream *s = w->s;
  unsigned done = 0, next;

  for (; done < s->n_stragglers; done = next) {
    next = done + 1;
    w->begin = s->stragglers[done];
    w->end = w->begin + 1;
    while (next < s->n_stragglers && s->stragglers[next] == w->end)
      next++, w->end++;
    if (!received (w->r, s, w->begin))  /* forgotten by now */
      continue;
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

/* Tells of as many streams as there is room for.  The next report begins with the first of the
 * others. */
static void
write_streams (Writer *w, unsigned first, unsigned n)
{
  int64_t left = REPORT_MAX;

  for (unsigned i = 0; i < n; i++) {
    RccXrStream *s = w->s = stream (w->r, (first + i) % n);

    forget (w->r, s, s->come.unwrap.last - RANGE_MAX);
    s->reported_from = s->reported_to = w->begin = s->come.begin;
    w->end = settled (w->r, s, left);
    s->reported_at = (unsigned) (w->arrivals - w->all);
    if (w->begin < w->end && write_outcomes (w)) {
      s->come.begin = s->reported_to = w->end;
      w->arrivals += w->end - w->begin;
      left -= w->end - w->begin;
    }
    if (s->come.begin <= s->come.unwrap.last && w->r->next == first)
      w->r->next = (first + i) % n;
  }
}

size_t
rcc_xr_reporter_packet_of (RccXrReporter *r, RccTime now, size_t budget, uint8_t *out,
    size_t size)
{
  const unsigned n = rcc_arrivals_n (&r->arrivals), first = n > 0 ? r->next % n : 0;
  const RccArrival *all[REPORT_MAX + RCC_XR_STRAGGLERS];
  Writer w = { .r = r, .out = out, .size = size, .arrivals = all, .all = all };
  size_t bare;

  if (!rcc_xr_reporter_pending (r) || size < 8)
    return 0;
  w.used = rcc_xr_begin (out, size, r->source.ssrc);
  write_reference (&w, now);
  bare = w.used;
  write_streams (&w, first, n);
  for (unsigned i = 0; i < n; i++) {
    w.s = stream (r, i);
    write_stragglers (&w);
  }
  w.enough = RCC_MIN (size, RCC_MAX (budget, 2 * w.used));
  for (unsigned i = 0; i < n; i++) {
    w.s = stream (r, i);
    w.arrivals = w.all + w.s->reported_at;
    w.begin = w.first = w.s->reported_from;
    w.end = w.s->reported_to;
    if (w.begin < w.end)
      write_times (&w);
  }
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
