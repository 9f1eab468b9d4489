/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * arrivals.h - what has come of each stream, for a while after its sender has been told, too
 *
 * Of single packets there is one log for all streams together.
 */
#ifndef RCC_WIRE_ARRIVALS_H
#define RCC_WIRE_ARRIVALS_H

#include "core/packet-log.h"
#include "core/ssrcs.h"
#include "wire/arrival-stream.h"

typedef struct {
  RccLogKey key;                        /* when it came first */
  uint8_t ecn;
} RccArrival;

typedef struct {
  RccSsrcs streams;                     /* records begin with an RccArrivalStream */
  RccLog log;                           /* of RccArrival */
  uint32_t beginnings;                  /* of numbers */
  uint64_t unreported;                  /* packets forgotten before anybody was told */
} RccArrivals;

/* @keep: for so long packets have to be remembered; in no more than @bytes_max. */
void rcc_arrivals_init (RccArrivals *a, size_t stream_size, RccTime keep, size_t bytes_max,
    RccResize resize);
void rcc_arrivals_clear (RccArrivals *a);

/* The stream of @ssrc, of which a packet has come; zeroed where it is new. */
void *rcc_arrivals_stream (RccArrivals *a, uint32_t ssrc);
static inline unsigned
rcc_arrivals_n (const RccArrivals *a)
{
  return a->streams.n;
}
static inline void *
rcc_arrivals_at (const RccArrivals *a, unsigned i)
{
  return rcc_ssrcs_at (&a->streams, i);
}

/* Packet @seq of @s came at @at; @number gets its number, unwrapped, and @arrival its record
 * (not for STALE). */
RccArrivalVerdict rcc_arrivals_add (RccArrivals *a, RccArrivalStream *s, uint16_t seq, RccTime at,
    int64_t *number, RccArrival **arrival);
/* NULL: it has not come, or is forgotten. */
static inline RccArrival *
rcc_arrivals_find (const RccArrivals *a, const RccArrivalStream *s, int64_t number)
{
  return (RccArrival *) rcc_log_find (&a->log, s->ssrc, number);
}

#endif
