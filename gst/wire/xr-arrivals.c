/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire/xr-arrivals.h"

#include <string.h>

#include "wire/xr-times.h"

#define KEEP 8                          /* s: RFC 3550's 5, and half as much */
#define NO_RATE 1000                    /* Hz: without times, too, ticks tell how old they are */

void
rcc_xr_arrivals_init (RccXrArrivals *a, RccResize resize)
{
  memset (a, 0, sizeof *a);
  rcc_ssrcs_init (&a->streams, sizeof (RccXrStream), resize);
  rcc_receipts_init (&a->receipts, resize);
}

void
rcc_xr_arrivals_clear (RccXrArrivals *a)
{
  rcc_ssrcs_clear (&a->streams);
  rcc_receipts_clear (&a->receipts);
}

static void
set_came (RccXrStream *s, int64_t number, bool did)
{
  uint64_t *word = &s->seen[number / 64 % (RCC_ARRIVALS_SPAN / 64)];
  const uint64_t bit = UINT64_C (1) << (number % 64);

  *word = did ? *word | bit : *word & ~bit;
}

/* The highest is @number, and was @before: those in between have not come. */
static void
advance (RccXrStream *s, int64_t number, int64_t before)
{
  if (number - before >= RCC_ARRIVALS_SPAN)
    memset (s->seen, 0, sizeof s->seen);
  else
    for (int64_t n = before + 1; n < number; n++)
      set_came (s, n, false);
}

static bool
is_untold (void *user, const RccReceipt *receipt)
{
  const RccXrStream *s = rcc_xr_arrivals_stream (user, receipt->stream);

  return rcc_xr_number (s, receipt) >= s->come.begin;
}

static bool
will_be_told (RccXrArrivals *a, const RccReceipt *receipt)
{
  return rcc_receipt_is_current (&a->receipts, receipt) && is_untold (a, receipt);
}

static int64_t
first_to_tell (const RccXrStream *s)
{
  return s->come.unwrap.last - RCC_XR_TELL_MAX;
}

static bool
any_to_forget (const RccXrArrivals *a)
{
  for (unsigned i = 0; i < a->streams.n; i++) {
    const RccXrStream *s = rcc_xr_arrivals_stream (a, i);

    if (s->come.begin < first_to_tell (s))
      return true;
  }
  return false;
}

/* Looks at each receipt once, however many streams there are. */
void
rcc_xr_arrivals_forget (RccXrArrivals *a)
{
  if (!any_to_forget (a))
    return;
  for (uint32_t i = 0; i < a->receipts.live; i++) {
    const RccReceipt *receipt = rcc_receipts_at (&a->receipts, i);
    const RccXrStream *s = rcc_xr_arrivals_stream (a, receipt->stream);

    a->unreported += will_be_told (a, receipt) && rcc_xr_number (s, receipt) < first_to_tell (s);
  }
  for (unsigned i = 0; i < a->streams.n; i++) {
    RccXrStream *s = rcc_xr_arrivals_stream (a, i);

    s->come.begin = RCC_MAX (s->come.begin, first_to_tell (s));
  }
}

static void
begin_stream (RccXrArrivals *a, RccXrStream *s)
{
  if (rcc_receipts_renew (&a->receipts, rcc_ssrcs_place (&a->streams, s)))
    rcc_receipts_keep (&a->receipts, is_untold, a);
  memset (s->seen, 0, sizeof s->seen);
  s->judged = s->swept = s->come.begin;
  s->held = INT64_MIN;
  s->n_stragglers = 0;
}

/* Before the number of a receipt that is there could be another one's, too. */
static void
sweep (RccXrArrivals *a, RccXrStream *s)
{
  if (s->come.unwrap.last - s->swept < RCC_RECEIPT_NUMBERS / 2)
    return;
  rcc_xr_arrivals_forget (a);
  rcc_receipts_keep (&a->receipts, is_untold, a);
  s->swept = s->come.unwrap.last;
}

/* Whether it has waited for so long that nobody will ask for it. A clock that went back makes
 * nothing old, nor does one of another rate. */
static bool
is_old (const RccXrArrivals *a, const RccReceipt *receipt, uint32_t ticks)
{
  return !a->rate_changed && (int32_t) (ticks - receipt->ticks) >= KEEP * (int64_t) a->rate;
}

/* For one more receipt. What is old, or one of too many, is given up. It must not be told as
 * lost. */
static void
make_room (RccXrArrivals *a, uint32_t ticks)
{
  const RccReceipt *oldest;
  RccXrStream *s;

  if (!rcc_receipts_full (&a->receipts))
    return;
  oldest = a->receipts.live ? rcc_receipts_at (&a->receipts, 0) : NULL;
  if ((!oldest || !is_old (a, oldest, ticks)) && rcc_receipts_grow (&a->receipts))
    return;
  s = rcc_xr_arrivals_stream (a, oldest->stream);
  if (will_be_told (a, oldest)) {
    s->come.begin = rcc_xr_number (s, oldest) + 1;
    a->unreported++;
  }
  rcc_receipts_drop_oldest (&a->receipts);
}

static void
add_receipt (RccXrArrivals *a, RccXrStream *s, int64_t number, bool late, RccTime at,
    uint32_t clock_rate)
{
  const uint32_t rate = clock_rate ? clock_rate : NO_RATE;
  const uint32_t ticks = rcc_xr_ticks (at, rate);

  a->rate_changed = a->receipts.live > 0 && (a->rate_changed || rate != a->rate);
  a->rate = rate;
  make_room (a, ticks);
  rcc_receipts_add (&a->receipts, rcc_ssrcs_place (&a->streams, s), number, late, ticks);
}

/* Told as lost, it came after all; with no place left it stays lost. */
static void
add_straggler (RccXrStream *s, int64_t number, bool late)
{
  unsigned i = s->n_stragglers;

  if (i == RCC_XR_STRAGGLERS)
    return;
  for (s->n_stragglers++; i > 0 && s->stragglers[i - 1].number > number; i--)
    s->stragglers[i] = s->stragglers[i - 1];
  s->stragglers[i] = (RccXrStraggler) { number, late };
}

/* Whether some hole has become a loss.  Packets that have been told of are no news. */
static bool
loses (RccXrStream *s)
{
  const int64_t sure = s->come.unwrap.last - RCC_XR_REORDER;

  for (s->judged = RCC_MAX (s->judged, s->come.begin); s->judged <= sure
      && s->judged < s->come.run; s->judged++)
    if (!rcc_xr_came (s, s->judged)) {
      s->judged = sure + 1;
      return true;
    }
  s->judged = RCC_MAX (s->judged, sure + 1);
  return false;
}

bool
rcc_xr_arrivals_packet (RccXrArrivals *a, const RccRtp *rtp, bool late, RccTime at,
    uint32_t clock_rate)
{
  bool is_new;
  RccXrStream *s = rcc_ssrcs_use (&a->streams, rtp->ssrc, &is_new);
  const int64_t before = s->come.unwrap.last;
  int64_t number;

  s->come.ssrc = rtp->ssrc;
  switch (rcc_arrival_stream_take (&s->come, rtp->seq, &a->beginnings, &number)) {
    case RCC_ARRIVAL_STALE:
      return late;
    case RCC_ARRIVAL_COPY:              /* 4.3: none but the first copy's time */
      if (rcc_xr_came (s, number))
        return false;
      break;
    case RCC_ARRIVAL_ANEW:
      begin_stream (a, s);
      break;
    case RCC_ARRIVAL_NEWS:
      if (is_new)
        begin_stream (a, s);
      else
        advance (s, number, before);
      break;
  }
  set_came (s, number, true);
  if (number < s->come.begin)
    add_straggler (s, number, late);
  else
    add_receipt (a, s, number, late, at, clock_rate);
  sweep (a, s);
  return loses (s) || late;
}

void
rcc_xr_arrivals_told (RccXrArrivals *a)
{
  while (a->receipts.live > 0 && !will_be_told (a, rcc_receipts_at (&a->receipts, 0)))
    rcc_receipts_drop_oldest (&a->receipts);
}
