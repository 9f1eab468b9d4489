/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * arrivals.h - what has come of each stream, until its sender has been told
 *
 * Who reports keeps what it knows of a stream in a struct of its own, which begins with an
 * RccArrivalStream. Of single packets there is one log for all streams together.
 */
#ifndef RCC_WIRE_ARRIVALS_H
#define RCC_WIRE_ARRIVALS_H

#include "core/packet-log.h"
#include "core/seq.h"
#include "core/ssrcs.h"

#define RCC_ARRIVALS_SPAN 2048          /* numbers; what is further back is no reordering */

typedef struct {
  RccLogKey key;                        /* when it came first */
  uint8_t ecn;
  bool late;
} RccArrival;

typedef struct {
  uint32_t ssrc;
  bool any;
  RccUnwrap unwrap;                     /* .last: the highest number that came */
  int64_t begin;                        /* first number not told yet */
  int64_t run;                          /* from it to the highest all came */
  unsigned stale;                       /* numbers in a row that were no reordering */
} RccArrivalStream;

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

typedef enum {
  RCC_ARRIVAL_NEWS,
  RCC_ARRIVAL_COPY,                     /* it came before */
  RCC_ARRIVAL_STALE,                    /* too far back; ignored */
  RCC_ARRIVAL_ANEW,                     /* news, and the sender's numbers have begun anew:
                                         * all is as if @s were new but for its numbers */
} RccArrivalVerdict;

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
