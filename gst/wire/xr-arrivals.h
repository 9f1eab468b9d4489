/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * xr-arrivals.h - what has come of each stream, until extended reports have told its sender
 */
#ifndef RCC_WIRE_XR_ARRIVALS_H
#define RCC_WIRE_XR_ARRIVALS_H

#include "wire/arrival-stream.h"
#include "wire/receipts.h"
#include "wire/rtp.h"

#define RCC_XR_STRAGGLERS 16            /* of each, in one report */
#define RCC_XR_TELL_MAX 60000           /* numbers back; well inside RCC_XR_RANGE_MAX */
#define RCC_XR_REORDER 3                /* later numbers make a hole a loss (RFC 5348 5.1) */

typedef struct {
  int64_t number;
  bool late;
} RccXrStraggler;

typedef struct {
  RccArrivalStream come;
  uint64_t seen[RCC_ARRIVALS_SPAN / 64];        /* a bit for each of the last numbers: it came */
  int64_t swept;                        /* when it was the highest, receipts were looked through */
  int64_t reported_from, reported_to;   /* the numbers of the report under way, */
  unsigned reported_at;                 /* and where it has what became of them */
  int64_t judged;                       /* below it every hole is known to be one */
  int64_t held;                         /* the hole that the last report waited for */
  RccXrStraggler stragglers[RCC_XR_STRAGGLERS]; /* ascending */
  unsigned n_stragglers;
} RccXrStream;

typedef struct {
  RccSsrcs streams;                     /* records are RccXrStreams */
  uint32_t beginnings;                  /* of numbers */
  RccReceipts receipts;                 /* of what nobody was told of, but stragglers; and of
                                         * what came in between */
  uint32_t rate;                        /* Hz, of their ticks */
  bool rate_changed;                    /* some are of another rate */
  uint64_t unreported;                  /* packets forgotten before anybody was told */
} RccXrArrivals;

void rcc_xr_arrivals_init (RccXrArrivals *a, RccResize resize);
/* Gives its memory back. */
void rcc_xr_arrivals_clear (RccXrArrivals *a);

static inline RccXrStream *
rcc_xr_arrivals_stream (const RccXrArrivals *a, unsigned place)
{
  return (RccXrStream *) rcc_ssrcs_at (&a->streams, place);
}

/* As rcc_xr_reporter_packet().  @clock_rate: 0 where it is not known. */
bool rcc_xr_arrivals_packet (RccXrArrivals *a, const RccRtp *rtp, bool late, RccTime at,
    uint32_t clock_rate);

/* Whether @number of @s came, which is no higher than the highest that did.  Further back than
 * RCC_ARRIVALS_SPAN nothing is known to have. */
static inline bool
rcc_xr_came (const RccXrStream *s, int64_t number)
{
  return number > s->come.unwrap.last - RCC_ARRIVALS_SPAN
      && s->seen[number / 64 % (RCC_ARRIVALS_SPAN / 64)] >> (number % 64) & 1;
}

/* The number of a receipt of @s. */
static inline int64_t
rcc_xr_number (const RccXrStream *s, const RccReceipt *receipt)
{
  return s->come.unwrap.last
      - ((s->come.unwrap.last - receipt->number) & (RCC_RECEIPT_NUMBERS - 1));
}

/* Nobody will be told of numbers RCC_XR_TELL_MAX below the highest any more. Those of them that
 * came are counted. */
void rcc_xr_arrivals_forget (RccXrArrivals *a);
/* A report has told of all below each stream's come.begin: their receipts go, as soon as they
 * are the oldest. */
void rcc_xr_arrivals_told (RccXrArrivals *a);

#endif
