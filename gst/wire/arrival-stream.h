/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * arrival-stream.h - the sequence numbers of a stream, as its packets come
 *
 * Who reports keeps what it knows of a stream in a struct of its own, which begins with an
 * RccArrivalStream.
 */
#ifndef RCC_WIRE_ARRIVAL_STREAM_H
#define RCC_WIRE_ARRIVAL_STREAM_H

#include "core/seq.h"

#define RCC_ARRIVALS_SPAN 2048          /* numbers; what is further back is no reordering */

typedef struct {
  uint32_t ssrc;
  bool any;
  RccUnwrap unwrap;                     /* .last: the highest number that came */
  int64_t begin;                        /* first number not told yet */
  int64_t run;                          /* from it to the highest all came */
  unsigned stale;                       /* numbers in a row that were no reordering */
} RccArrivalStream;

typedef enum {
  RCC_ARRIVAL_NEWS,
  RCC_ARRIVAL_COPY,                     /* it came before */
  RCC_ARRIVAL_STALE,                    /* too far back; ignored */
  RCC_ARRIVAL_ANEW,                     /* news, and the sender's numbers have begun anew:
                                         * all is as if @s were new but for its numbers */
} RccArrivalVerdict;

/* Packet @seq of @s came; @number gets its number, unwrapped. A stream's numbers begin at a
 * multiple of 2^31, of which @beginnings counts those given so far. COPY: it is not higher than
 * the highest, and the caller has to see whether it came before. */
RccArrivalVerdict rcc_arrival_stream_take (RccArrivalStream *s, uint16_t seq,
    uint32_t *beginnings, int64_t *number);

#endif
