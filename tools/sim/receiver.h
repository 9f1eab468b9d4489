/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * receiver.h - a media receiver of the simulated world: RTP in, RRs and congestion
 * feedback out, as bytes
 */
#ifndef RCC_WORLD_RECEIVER_H
#define RCC_WORLD_RECEIVER_H

#include "core/gcc/receiver.h"
#include "core/rng.h"
#include "wire/reporter.h"
#include "wire/sendtime.h"
#include "sim/extended.h"
#include "sim/nacks.h"
#include "sim/repair.h"

#define RCC_WORLD_SSRCS 4

typedef struct {                        /* RFC 3550 A.3 and A.8 */
  uint32_t ssrc, clock_rate;
  RccUnwrap unwrap;
  bool any;
  int64_t base, highest;
  uint64_t received, expected_prior, received_prior;
  bool heard;                           /* since the last report */
  double jitter;                        /* timestamp units */
  int64_t transit;
  uint32_t lsr;
  RccTime sr_at;                        /* RCC_NEVER: no SR yet */
} RccWorldSource;

#define RCC_WORLD_CHANGES 4

typedef struct {                        /* the receiver is another one from then on */
  RccTime at;
  RccFeedbackFormat feedback;
} RccWorldChange;

typedef struct {
  RccFeedbackFormat feedback;
  RccWorldChange changes[RCC_WORLD_CHANGES];
  unsigned n_changes;
  bool apart;                           /* it signs feedback with another SSRC than reports */
  bool reports_alone;                   /* it sends no feedback besides */
  RccGccConfig gcc;
  RccConfig limits;
  RccTime rtcp_interval;                /* of regular RRs: Td of RFC 3550 6.3.1 */
  bool rtcp_random;                     /* 6.3: at random about it, the first after half of
                                           it; else exactly that long apart */
  bool omit_silent;                     /* 6.4: no block on what is silent since the last RR */
  RccTime feedback_interval;            /* of TWCC and CCFB */
  RccTime discards;                     /* extended reports every feedback_interval in
                                         * place of all other RTCP, on what takes longer
                                         * than that, too; 0: none */
  bool early;                           /* and at once where something is amiss */
  double rtcp_share;                    /* that those may take */
  uint32_t ssrc;
  uint32_t repairs;                     /* the SSRC that parity is for; 0: none */
  RccNacksConfig nacks;                 /* times 0: it asks for nothing */
  uint64_t seed;
} RccWorldReceiverConfig;

typedef struct {
  RccWorldReceiverConfig config;
  RccGccReceiver gcc;
  RccReporter *reporter;
  RccWorldExtended *extended;           /* NULL: no such reports */
  RccWorldRepair *repair;               /* NULL: no parity */
  RccNacks *nacks;                      /* NULL: it asks for nothing */
  RccSendClock clock;
  RccWorldSource sources[RCC_WORLD_SSRCS];
  unsigned n_sources;
  unsigned changed;                     /* of config.changes */
  RccTime rr_next;                      /* RCC_NEVER: no RTP yet */
  RccTime rr_from;                      /* the last RR, or the first RTP */
  bool rr_sent;
  RccRng rng;
  uint64_t media_bytes, padding_bytes, parity_bytes, rtcp_bytes, packets;
} RccWorldReceiver;

void rcc_world_receiver_init (RccWorldReceiver *r,
    const RccWorldReceiverConfig *config, RccTime now);
void rcc_world_receiver_clear (RccWorldReceiver *r);

void rcc_world_receiver_rtp (RccWorldReceiver *r, const uint8_t *data, size_t size,
    RccEcn ecn, RccTime now);
void rcc_world_receiver_rtcp (RccWorldReceiver *r, const uint8_t *data, size_t size,
    RccTime now);
/* Reports and feedback are so far apart from the next on. */
void rcc_world_receiver_space (RccWorldReceiver *r, RccTime interval);
RccTime rcc_world_receiver_next (const RccWorldReceiver *r);
RccDatagram *rcc_world_receiver_poll (RccWorldReceiver *r, RccTime now);

/* Packets expected and received so far, over all SSRCs. */
void rcc_world_receiver_counts (const RccWorldReceiver *r, uint64_t *expected,
    uint64_t *received);

#endif
