/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * tfrc/tfrc.h - TCP Friendly Rate Control over RTP: RFC 5348's sender and receiver, both here
 *
 * The sender-based variant (RFC 5348 7). Feedback per packet (RFC 8888, transport-wide) says what
 * arrived when, and section 6's receiver is run on that. A packet received without a time (Loss
 * RLE) counts by its departure, as if the path took as long as ever. Answers RCC_TARGET (X, for
 * the encoders) and RCC_PACING (X_inst, 4.5), in bit/s of RTP packets. UDP and IP do not count,
 * as in RFC 5348 3.1. RccConfig.start_bps is the rate until the first round-trip time is known;
 * 0: RFC 5348's one packet a second (4.2).
 */
#ifndef RCC_TFRC_H
#define RCC_TFRC_H

#include "core/stats.h"
#include "core/tfrc/sender.h"

#define RCC_TFRC_LATE 64                /* lost packets that may still come */
#define RCC_TFRC_BACKS 16               /* messages that the way back is learnt from */
#define RCC_TFRC_STREAMS 8              /* SSRCs that receiver reports are kept of */

typedef struct {                        /* what receiver reports say of one stream */
  uint32_t ssrc, reporter;
  int64_t highest, lost;
  RccTime at;                           /* RCC_NEVER: the slot is free */
  double x_recv;                        /* bytes/s */
  double p;                             /* of packets, not events */
} RccTfrcStream;

typedef struct {
  RccSender sender;                     /* first: the family's handle */
  RccConfig limits;
  RccTfrcSender rate;
  RccTfrcReceiver receiver;
  /* Packets are counted as feedback tells of them, across SSRCs: what it never speaks
   * of is neither received nor lost. */
  int64_t reported;
  RccTime newest_sent;                  /* of what was told; 0: nothing */
  struct {
    uint32_t ssrc;
    int64_t seq;                        /* feedback's numbering */
    int64_t number;                     /* ours; 0: free */
  } lost[RCC_TFRC_LATE];
  unsigned n_lost;                      /* ever: the ring's next */
  int64_t ahead;                        /* of the receiver's clock and the way there, ns:
                                         * the last arrived - sent; 0: none known */
  RccTfrcStream streams[RCC_TFRC_STREAMS];
  uint32_t remb_bps;                    /* UINT32_MAX: none */
  RccTime heard;                        /* last feedback or report; RCC_NEVER */
  RccTime feedback_heard;               /* last feedback per packet; RCC_NEVER */
  RccTime interval;                     /* between what is heard, the longest of late */
  int64_t back[RCC_TFRC_BACKS];         /* now - arrived of the newest arrivals, ns */
  unsigned n_back;                      /* ever: the ring's next */
  RccTime sample;                       /* newest R_sample; 0: none */
  double held;                          /* of it, the receiver's as reports show, ns */
  RccTime rtt_least;                    /* the shortest that those reports told of, ns */
  bool held_known;
  /* state, for stats */
  uint32_t target_bps, pacing_bps;
  uint32_t x_bps, x_recv_bps, equation_bps;     /* UINT32_MAX: no limit */
  RccTime rtt;                          /* R; RCC_NEVER: unknown */
  const char *loss_source;              /* "feedback", "report" (TFRC-like), "none" */
  uint64_t feedbacks, reports, rembs;
} RccTfrc;

extern const RccField rcc_tfrc_fields[];

void rcc_tfrc_init (RccTfrc *t, const RccTfrcConfig *config, const RccConfig *limits);

#endif
