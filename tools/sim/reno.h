/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * reno.h - bulk TCP Reno: a sender that always has data and its receiver, to compete with
 *
 * Slow start, congestion avoidance, fast retransmit, fast recovery and timeouts as RFC
 * 5681 has them, the retransmission timer of RFC 6298.  Each segment is one datagram with a
 * TCP header of 20 bytes in it (ports name the flow; no options, no checksum, no
 * handshake), each acknowledgement such a header alone.
 *
 * Departs from them: a window in packets of equal size; the receiver acknowledges every
 * packet, at once (b = 1), and has room for everything; RFC 6582's partial
 * acknowledgements and RFC 3042's limited transmit are options; the timeout has no least of
 * 1 s, but RTTVAR has one.  Numbers do not wrap: up to 4 GB.
 */
#ifndef RCC_WORLD_RENO_H
#define RCC_WORLD_RENO_H

#include "core/rng.h"
#include "sim/packet.h"

#define RCC_RENO_HEADER 20
#define RCC_RENO_WINDOW 1024            /* packets in flight at most */

typedef struct {
  uint32_t packet_size;                 /* bytes on the link, header included */
  RccTime start, stop;                  /* RCC_NEVER: the end */
  RccTime rto_slack;                    /* least of 4 RTTVAR in the timeout; Linux: 200 ms */
  uint32_t max_window;                  /* packets; at most RCC_RENO_WINDOW */
  bool newreno;                         /* RFC 6582 */
  bool limited_transmit;                /* RFC 3042 */
  RccTime overhead;                     /* the host takes up to that, at random, over a
                                         * packet. It breaks the lock-step in which drop-tail
                                         * queues pick on one flow (Floyd, Jacobson 1992) */
  uint64_t seed;
} RccRenoConfig;

/* 519 B packets (Send Best Packet Next 5.2), NewReno with limited transmit and 200
 * ms, which is Linux but for selective acknowledgements; 1 ms of overhead. */
RccRenoConfig rcc_reno_config (void);

typedef struct {
  RccRenoConfig config;
  /* sender, in packets */
  uint32_t una, next, high;             /* oldest not acknowledged, next to send, first
                                         * never sent */
  double window, threshold;             /* cwnd, ssthresh */
  unsigned duplicates;
  bool recovering;
  uint32_t recover;                     /* RFC 6582 */
  RccTime srtt, rttvar, rto;            /* srtt 0: no sample */
  RccTime timer;                        /* RCC_NEVER: not running */
  uint32_t timed;                       /* the packet whose round trip is measured ... */
  RccTime timed_at;                     /* ... since; RCC_NEVER: none (Karn) */
  bool again;                           /* retransmit una now */
  RccTime ready;                        /* the host is busy until then */
  RccRng rng;
  /* receiver */
  uint32_t expected;
  uint8_t held[RCC_RENO_WINDOW];        /* beyond expected, by number */
  uint64_t delivered;                   /* packets in order, ever */
  uint64_t sent, retransmitted, timeouts, fast_retransmits;
} RccReno;

void rcc_reno_init (RccReno *r, const RccRenoConfig *config);

/* When the sender has something to do without being told; RCC_NEVER. */
RccTime rcc_reno_next (const RccReno *r, RccTime now);
/* The next segment to send, the caller's; NULL: none for now. */
RccDatagram *rcc_reno_poll (RccReno *r, RccTime now);
/* A segment arrived: the acknowledgement, the caller's; NULL: it is none of ours. */
RccDatagram *rcc_reno_segment (RccReno *r, const uint8_t *data, size_t size);
/* An acknowledgement arrived. */
void rcc_reno_ack (RccReno *r, const uint8_t *data, size_t size, RccTime now);

#endif
