/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire/arrivals.h"

#include <string.h>

#define STALE_MAX 3                     /* then the numbers have begun anew */

void
rcc_arrivals_init (RccArrivals *a, size_t stream_size, RccTime keep, size_t bytes_max,
    RccResize resize)
{
  memset (a, 0, sizeof *a);
  rcc_ssrcs_init (&a->streams, stream_size, resize);
  rcc_log_init (&a->log, sizeof (RccArrival), keep, bytes_max, resize);
}

void
rcc_arrivals_clear (RccArrivals *a)
{
  rcc_ssrcs_clear (&a->streams);
  rcc_log_clear (&a->log);
}

void *
rcc_arrivals_stream (RccArrivals *a, uint32_t ssrc)
{
  bool is_new;
  RccArrivalStream *s = rcc_ssrcs_use (&a->streams, ssrc, &is_new);

  s->ssrc = ssrc;
  return s;
}

/* Numbers that no packet had so far, lest one of before be found under them. */
static int64_t
begin_anew (RccArrivals *a, RccArrivalStream *s, uint16_t seq)
{
  const int64_t number = (int64_t) ++a->beginnings << 31 | seq;

  s->unwrap = (RccUnwrap) { number, true };
  s->begin = s->run = number;
  s->stale = 0;
  return number;
}

/* What is forgotten must not be told as lost. */
static void
give_up (RccArrivals *a, RccArrivalStream *s, RccTime at)
{
  const RccLogKey *victim = rcc_log_victim (&a->log, at);

  if (!victim)
    return;
  if (victim->stream != s->ssrc)
    s = rcc_ssrcs_find (&a->streams, victim->stream);
  if (!s || victim->number < s->begin)
    return;
  s->begin = victim->number + 1;
  a->unreported++;
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
  } else if (*number > s->unwrap.last) {
    if (*number > s->unwrap.last + 1)
      s->run = *number;
    s->unwrap.last = *number;
  } else if (*number <= s->unwrap.last - RCC_ARRIVALS_SPAN) {
    if (++s->stale < STALE_MAX)
      return RCC_ARRIVAL_STALE;
    *number = begin_anew (a, s, seq);      /* RFC 3550 A.1 in spirit */
    verdict = RCC_ARRIVAL_ANEW;
  } else if ((*arrival = rcc_arrivals_find (a, s, *number))) {
    s->stale = 0;
    return RCC_ARRIVAL_COPY;
  }
  s->stale = 0;
  give_up (a, s, at);
  *arrival = rcc_log_add (&a->log, s->ssrc, *number, at);
  (*arrival)->ecn = 0;
  (*arrival)->late = false;
  return verdict;
}
