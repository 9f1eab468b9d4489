/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire/arrivals.h"

#include <string.h>

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
  const RccArrivalVerdict verdict = rcc_arrival_stream_take (s, seq, &a->beginnings, number);

  if (verdict == RCC_ARRIVAL_STALE)
    return verdict;
  if (verdict == RCC_ARRIVAL_COPY && (*arrival = rcc_arrivals_find (a, s, *number)))
    return verdict;
  give_up (a, s, at);
  *arrival = rcc_log_add (&a->log, s->ssrc, *number, at);
  (*arrival)->ecn = 0;
  return verdict == RCC_ARRIVAL_COPY ? RCC_ARRIVAL_NEWS : verdict;
}
