/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * sendtime-finder.h - which header extension is abs-send-time, from the bytes alone
 *
 * For whoever has neither caps nor SDP, as behind DTLS-SRTP or rtpfunnel.
 *
 * The evidence.  An element of three bytes, always under the same id, of one SSRC, is read as
 * 6.18 fixed-point seconds.  It is abs-send-time when in a row of packets
 *   - its clock less ours stayed within `spread`,
 *   - for `span` at least, and for SPREADS times as long as it really varied. So a counter that
 *     runs at another rate does not pass;
 *   - over `packets` of them,
 *   - and it advanced together with our clock, by STEP or more, STEPS times.
 * A single packet outside `spread` starts that row anew. Constant fields (playout-delay,
 * toffset), counters, frame numbers and RTP clocks of 90 kHz fail in the first row. Values at
 * random pass once in (64 s / spread) ^ STEPS rows.
 *
 * A sender writes into what was found, so it looks on. For each packet rcc_sendtime_finder_fits()
 * says whether its value is still that clock's, whose drift is followed. After MISSES in a row
 * the id is forgotten.
 */
#ifndef RCC_WIRE_SENDTIME_FINDER_H
#define RCC_WIRE_SENDTIME_FINDER_H

#include "wire/rtp.h"

#define RCC_SENDTIME_CANDIDATES 6       /* ids of three bytes that are looked at */
#define RCC_SENDTIME_WRAP (64 * RCC_SEC)

typedef struct {
  uint32_t packets;
  RccTime span, spread;
} RccSendTimeEvidence;

/* What arrives over a network, with a queue that grows; and what a payloader has just stamped. */
extern const RccSendTimeEvidence rcc_sendtime_received, rcc_sendtime_sent;

typedef struct {                        /* one id; all times in ns */
  uint8_t id;                           /* 0: free */
  uint32_t ssrc, packets, steps;
  RccTime first, last;                  /* on our clock */
  int64_t anchor;                       /* the first packet's value less our clock */
  int64_t least, most;                  /* of the others', less anchor */
  int64_t stepped;                      /* value at the last step, less the first's */
  RccTime stepped_at;
} RccSendTimeCandidate;

typedef struct {
  const RccSendTimeEvidence *evidence;
  uint8_t id;                           /* found; 0: not yet */
  int64_t offset;                       /* of its clock to ours, that of the fastest packet */
  unsigned misses;                      /* in a row */
  RccSendTimeCandidate candidates[RCC_SENDTIME_CANDIDATES];
} RccSendTimeFinder;

void rcc_sendtime_finder_init (RccSendTimeFinder *f, const RccSendTimeEvidence *evidence);

uint8_t rcc_sendtime_finder_look (RccSendTimeFinder *f, const RccRtp *rtp, RccTime now);

/* A packet at @now, until an id is found.  The id; 0: not yet. */
static inline uint8_t
rcc_sendtime_finder_packet (RccSendTimeFinder *f, const RccRtp *rtp, RccTime now)
{
  return f->id ? f->id : rcc_sendtime_finder_look (f, rtp, now);
}

/* Whether @value, of the found id in a packet that is here at @now, is of the found clock. A
 * retransmission may be 4 s old. */
bool rcc_sendtime_finder_fits (RccSendTimeFinder *f, RccBytes value, RccTime now);

/* @now on the found clock, which goes on where its owner's stamps were. */
static inline RccTime
rcc_sendtime_finder_time (const RccSendTimeFinder *f, RccTime now)
{
  return now + (RccTime) f->offset + (f->offset < 0 ? RCC_SENDTIME_WRAP : 0);
}

#endif
