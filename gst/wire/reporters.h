/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * reporters.h - who reports to us: whose word counts, in which format, and what it asks for
 *
 * RTCP has no proof of origin. A reporter is an SSRC that has said what only a receiver of our
 * packets can know. That is numbers of ours that are in flight, counts that fit (RFC 3550 6.4.1),
 * or the time of one of our SRs. The last is the strongest. While somebody has echoed an SR,
 * nobody else's reports count, and single packets' outcomes are heard from others only after
 * probation. Before that the first is heard who tells of packets, or goes on with limits. Limits
 * have no proof in them, and some receivers sign them with another SSRC than their reports. One
 * such SSRC is heard: the first that goes on, while nobody with a proof tells of packets or sets a
 * limit. All of it expires with the reporter.
 *
 * What this cannot keep out is somebody who sees the packets; SRTCP (RFC 3711) does.
 */
#ifndef RCC_WIRE_REPORTERS_H
#define RCC_WIRE_REPORTERS_H

#include "core/rcc.h"

#define RCC_REPORTERS 8
/* Without a word a reporter has left: RFC 3550 6.3.5, five times 5 s and more. */
#define RCC_REPORTER_KEEP (30 * RCC_SEC)

typedef enum {                          /* how well it fits what was sent */
  RCC_PROOF_COUNT,                      /* a count, or numbers that were in flight */
  RCC_PROOF_ECHO,                       /* an SR of ours */
} RccProof;

typedef enum {
  RCC_LIMIT_REMB,                       /* draft-alvestrand-rmcat-remb: for as long as it is
                                         * repeated */
  RCC_LIMIT_TMMBR,                      /* RFC 5104 4.2.1: for as long as its owner is there */
  RCC_LIMITS,
} RccLimitKind;

typedef struct {
  uint32_t ssrc;
  bool echoed;                          /* an SR of ours */
  RccTime proved;                       /* its newest proof */
  RccTime heard;                        /* its newest message */
  RccTime probation;                    /* since when it tells of packets; RCC_NEVER: does not */
  unsigned reported;                    /* messages of that */
  RccTime limiting;                     /* since when it sets limits, if it does */
  struct {
    uint64_t bps;                       /* UINT64_MAX: none */
    RccTime at, interval;               /* interval 0: it was said once */
    unsigned times;
  } limits[RCC_LIMITS];
} RccReporterEntry;

typedef struct {
  RccReporterEntry entries[RCC_REPORTERS];
  unsigned n;
  struct {                              /* who tells of single packets */
    bool known;
    uint32_t ssrc;
    uint8_t format;                     /* RTPFB format, or 207: XR */
    RccTime heard, interval;
  } source;
  uint64_t unproven;                    /* messages ignored for want of proof */
  struct {                              /* of those, while there was nobody else */
    RccTime since;
    unsigned n;
    bool said;
  } unheard;
} RccReporters;

void rcc_reporters_init (RccReporters *r);

/* A message of @ssrc has proved so much. */
void rcc_reporters_proved (RccReporters *r, uint32_t ssrc, RccProof proof, RccTime now);
/* Whether reports of @ssrc count. */
bool rcc_reporters_trusts (const RccReporters *r, uint32_t ssrc, RccTime now);
/* Whether there is anybody whose reports count. */
bool rcc_reporters_any (const RccReporters *r, RccTime now);
/* A message does not count for want of proof. */
void rcc_reporters_ignore (RccReporters *r, RccTime now);
/* Whether that has gone on for 5 s, and nobody else is there. Then somebody reports, but cannot
 * show that he receives our packets, and a person should know. True once. */
bool rcc_reporters_unheard (RccReporters *r, RccTime now);

typedef enum {
  RCC_SOURCE_IGNORED,
  RCC_SOURCE_SAME,
  RCC_SOURCE_NEW,                       /* arrivals are by another clock than before */
} RccFeedbackSource;

/* @ssrc tells of packets in @format; @proved: of some that were in flight.  One reporter and
 * one format at a time: two would tell each outcome twice, by two clocks. */
RccFeedbackSource rcc_reporters_tells (RccReporters *r, uint32_t ssrc, uint8_t format, bool proved,
    RccTime now);

/* @ssrc asks for at most @bps.  False: it may not. */
bool rcc_reporters_limit (RccReporters *r, uint32_t ssrc, RccLimitKind kind, uint64_t bps,
    RccTime now);
/* The least of what is asked for; UINT64_MAX: nothing is. */
uint64_t rcc_reporters_limit_bps (const RccReporters *r, RccTime now);

#endif
