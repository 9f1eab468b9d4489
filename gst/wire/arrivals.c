/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire/arrivals.h"

#include <string.h>

#define STALE_MAX 3                     /* then the numbers have begun anew */
#define ROOM_LEAST 2

void
rcc_arrivals_init (RccArrivals *a, size_t stream_size, RccTime keep, size_t bytes_max,
    RccResize resize)
{
  memset (a, 0, sizeof *a);
  a->resize = resize;
  a->stream_size = stream_size;
  rcc_log_init (&a->log, sizeof (RccArrival), keep, bytes_max, resize);
}

void
rcc_arrivals_clear (RccArrivals *a)
{
  rcc_release (a->resize, a->streams);
  a->streams = NULL;
  a->room = 0;
  rcc_ssrcs_init (&a->ssrcs);
  rcc_log_clear (&a->log);
}

static unsigned
longest_silent (const RccArrivals *a)
{
  unsigned oldest = 0;

  for (unsigned i = 1; i < a->ssrcs.n; i++)
    if (((RccArrivalStream *) rcc_arrivals_at (a, i))->heard
        < ((RccArrivalStream *) rcc_arrivals_at (a, oldest))->heard)
      oldest = i;
  return oldest;
}

static unsigned
add_stream (RccArrivals *a, uint32_t ssrc)
{
  unsigned i = a->ssrcs.n;

  if (i == RCC_SSRCS) {
    i = longest_silent (a);
    rcc_ssrcs_replace (&a->ssrcs, i, ssrc);
    return i;
  }
  if (i == a->room) {
    a->room = RCC_MAX (ROOM_LEAST, 2 * a->room);
    a->streams = a->resize (a->streams, a->room * a->stream_size);
  }
  rcc_ssrcs_add (&a->ssrcs, ssrc);
  return i;
}

void *
rcc_arrivals_stream (RccArrivals *a, uint32_t ssrc, RccTime now)
{
  const int known = rcc_ssrcs_find (&a->ssrcs, ssrc);
  const unsigned i = known >= 0 ? (unsigned) known : add_stream (a, ssrc);
  RccArrivalStream *s = rcc_arrivals_at (a, i);

  if (known < 0) {
    memset (s, 0, a->stream_size);
    s->ssrc = ssrc;
  }
  s->heard = now;
  return s;
}

/* Numbers that no packet had so far, lest one of before be found under them. */
static int64_t
begin_anew (RccArrivals *a, RccArrivalStream *s, uint16_t seq)
{
  const int64_t number = (int64_t) ++a->beginnings << 31 | seq;

  s->unwrap = (RccUnwrap) { number, true };
  s->begin = number;
  s->stale = 0;
  return number;
}

/* What is forgotten must not be told as lost. */
static void
give_up (RccArrivals *a, RccArrivalStream *s, RccTime at)
{
  const RccLogKey *victim = rcc_log_victim (&a->log, at);
  int i;

  if (!victim)
    return;
  if (victim->stream != s->ssrc) {
    if ((i = rcc_ssrcs_find (&a->ssrcs, victim->stream)) < 0)
      return;
    s = rcc_arrivals_at (a, (unsigned) i);
  }
  if (victim->number < s->begin)
    return;
  s->begin = victim->number + 1;
  a->untold++;
}

RccArrivalVerdict
rcc_arrivals_add (RccArrivals *a, RccArrivalStream *s, uint16_t seq, RccTime at,
    int64_t *number, RccArrival **arrival)
{
  RccArrivalVerdict verdict = RCC_ARRIVAL_NEWS;

  *number = rcc_unwrap_peek (&s->unwrap, seq, 16);
  if (!s->any) {
    s->any = true;
    *number = begin_anew (a, s, seq);
  } else if (*number <= s->unwrap.last - RCC_ARRIVALS_SPAN) {
    if (++s->stale < STALE_MAX)
      return RCC_ARRIVAL_STALE;
    *number = begin_anew (a, s, seq);      /* RFC 3550 A.1 in spirit */
    verdict = RCC_ARRIVAL_ANEW;
  }
  s->stale = 0;
  if ((*arrival = rcc_arrivals_find (a, s, *number)))
    return RCC_ARRIVAL_COPY;
  s->unwrap.last = RCC_MAX (s->unwrap.last, *number);
  give_up (a, s, at);
  *arrival = rcc_log_add (&a->log, s->ssrc, *number, at);
  (*arrival)->ecn = 0;
  (*arrival)->late = false;
  return verdict;
}
