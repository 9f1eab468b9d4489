/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * history.h - what was sent, by stream and number, until feedback speaks of it
 *
 * Each packet has its RTP number, and one in all streams together where it carries a
 * transport-wide number. By either it is the same record.
 */
#ifndef RCC_HISTORY_H
#define RCC_HISTORY_H

#include "core/packet-log.h"
#include "core/seq.h"

/* Feedback comes within a round trip and its interval: with the slowest XR 7.5 s. */
#define RCC_HISTORY_KEEP (8 * RCC_SEC)
/* 1.2 s of 1 Gbit/s: packets of 1200 B, 68 B for each. */
#define RCC_HISTORY_BYTES (9u << 20)

typedef struct {
  RccLogKey key;                        /* when it left, its RTP number, its SSRC */
  int64_t transport;                    /* -1: it has no such number */
  RccTime arrived;                      /* as RccPacket; scratch until it is judged */
  uint32_t size, timestamp;
  uint32_t probe : 24, flags : 8;       /* as in RccPacket */
  uint32_t ticks;                       /* scratch of who reads a compound, as are these: */
  uint8_t said;                         /* 0 between compounds */
  bool judged;                          /* feedback has spoken of it */
  bool received;                        /* and said that it arrived */
  bool unsent;                          /* given a number, but never let out: missing at the
                                         * receiver, though the network has not lost it */
  uint32_t unsent_before;               /* how many such numbers its stream had before */
} RccSentPacket;

typedef struct {
  RccLog log;
  uint32_t *transports;                 /* places, by transport-wide number */
  uint32_t mapped;                      /* of them */
  RccUnwrap transport;                  /* of those numbers, as sent */
} RccHistory;

void rcc_history_init (RccHistory *h, RccResize resize);
/* Gives the memory back. */
void rcc_history_clear (RccHistory *h);

/* A packet of @ssrc left with @number, unwrapped; @transport: 16 bits as on the wire, -1 when
 * it has none. */
RccSentPacket *rcc_history_sent (RccHistory *h, uint32_t ssrc, int64_t number, int transport,
    RccTime now);
/* NULL: it was never sent, or is forgotten. */
RccSentPacket *rcc_history_find (const RccHistory *h, uint32_t ssrc, int64_t number);

/* The transport-wide numbers so far are not those on the wire. */
void rcc_history_forget_transport (RccHistory *h);
/* What @number, as on the wire, is next to the newest one sent. */
int64_t rcc_history_transport (const RccHistory *h, uint16_t number);
RccSentPacket *rcc_history_find_transport (const RccHistory *h, int64_t number);

#endif
