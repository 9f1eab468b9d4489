/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire/arrival-stream.h"

#define STALE_MAX 3                     /* then the numbers have begun anew */

/* Numbers that no packet had so far, lest one of before be found under them. */
static int64_t
begin_anew (RccArrivalStream *s, uint16_t seq, uint32_t *beginnings)
{
  const int64_t number = (int64_t) ++*beginnings << 31 | seq;

  s->unwrap = (RccUnwrap) { number, true };
  s->begin = s->run = number;
  s->stale = 0;
  return number;
}

RccArrivalVerdict
rcc_arrival_stream_take (RccArrivalStream *s, uint16_t seq, uint32_t *beginnings,
    int64_t *number)
{
  *number = rcc_unwrap_peek (&s->unwrap, seq, 16);
  if (!s->any) {
    s->any = true;
    *number = begin_anew (s, seq, beginnings);
  } else if (*number > s->unwrap.last) {
    if (*number > s->unwrap.last + 1)
      s->run = *number;
    s->unwrap.last = *number;
  } else if (*number > s->unwrap.last - RCC_ARRIVALS_SPAN) {
    s->stale = 0;
    return RCC_ARRIVAL_COPY;
  } else {
    if (++s->stale < STALE_MAX)
      return RCC_ARRIVAL_STALE;
    *number = begin_anew (s, seq, beginnings);  /* RFC 3550 A.1 in spirit */
    return RCC_ARRIVAL_ANEW;
  }
  s->stale = 0;
  return RCC_ARRIVAL_NEWS;
}
