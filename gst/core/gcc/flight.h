/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * gcc/flight.h - data in flight, and how far too much of it lowers the target
 *
 * What has left and has not been reported is in flight.  It may be what the target sends in the
 * least round trip of late, an interval of feedback and @extra (libwebrtc: 350 ms).  The default's
 * 500 ms leave the queue of RFC 8867, 300 ms, to drain by itself.  More is a queue that grows, or
 * feedback that does not come.  The more there is, the lower the target becomes.  At LIMIT times
 * as much it is 0.  It is back as soon as feedback comes: nothing is remembered, unlike
 * libwebrtc's pushback (.95 or .9 a packet, 1.05 back).
 */
#ifndef RCC_GCC_FLIGHT_H
#define RCC_GCC_FLIGHT_H

#include "core/rcc.h"

#define RCC_FLIGHT_MARKS 256            /* 10 ms each, or longer where the ring is full */
#define RCC_FLIGHT_TRIPS 32             /* feedbacks whose shortest round trip counts */

typedef struct {
  RccTime extra;                        /* ns; 0: off */
  uint64_t sent, reported;              /* bytes that left; of them, up to the last reported */
  struct {
    RccTime end;                        /* the last packet that counts here left then */
    uint64_t sent;                      /* bytes up to it */
  } marks[RCC_FLIGHT_MARKS];
  unsigned head, tail;                  /* running; head == tail: none */
  RccTime begun;                        /* the newest mark */
  RccTime trips[RCC_FLIGHT_TRIPS];
  unsigned n_trips;                     /* running */
} RccFlight;

void rcc_flight_init (RccFlight *f, RccTime extra);
void rcc_flight_sent (RccFlight *f, uint32_t size, RccTime now);

/* Feedback reports packets.  The last of them left at @last.  From the departure of the oldest
 * that arrived until now it took @trip; 0: none arrived. */
void rcc_flight_reported (RccFlight *f, RccTime last, RccTime trip);

/* 1: none too much at @bps; 0: nothing more may leave.  1 before the first feedback.  @interval:
 * of feedback, the longest of late; RTCP of a slow path may take a second (RFC 3550 6.2). */
double rcc_flight_share (const RccFlight *f, double bps, RccTime interval);

/* bytes */
uint64_t rcc_flight_bytes (const RccFlight *f);

#endif
