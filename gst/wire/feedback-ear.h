/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * feedback-ear.h - what any format of feedback says of single packets: told once, in
 * order, and by one reporter in one format at a time
 */
#ifndef RCC_WIRE_FEEDBACK_EAR_H
#define RCC_WIRE_FEEDBACK_EAR_H

#include "wire/feedback.h"

typedef struct {                        /* a compound, on its way to @sender */
  RccFeedback *f;
  RccSender *sender;
  RccTime now;
  RccUpdate update;                     /* what it has answered */
} RccEar;

static inline void
rcc_ear_answer (RccEar *e, RccUpdate u)
{
  e->update = rcc_update_merge (e->update, u);
}

/* Whether to listen to what @ssrc tells of packets in @format (an RTPFB format, or
 * RCC_RTCP_XR); @proved: of some that were in flight. */
bool rcc_ear_follow (RccEar *e, uint32_t ssrc, uint8_t format, bool proved);

typedef enum {
  RCC_EAR_NOTHING,                      /* nobody can know whether it is true */
  RCC_EAR_PROOF,                        /* the packet was in flight */
  RCC_EAR_IMPOSSIBLE,                   /* it never left */
} RccEarProof;

/* What it proves of whoever says it that packet @seq of @history came. */
RccEarProof rcc_ear_proof (RccHistory *history, uint16_t seq);

/* @s (NULL: never sent) came, @arrived then (RCC_NEVER: nobody knows), or did not; @fate:
 * and was discarded for being late (RCC_FATE_LATE), or was marked (RCC_FATE_CE).  If that is
 * news, it is e->f->packets[n], with @arrived and the flags that say so.  Returns how many
 * there are now. */
size_t rcc_ear_judge (RccEar *e, RccSentPacket *s, bool came, uint32_t fate, RccTime arrived,
    size_t n);
/* By departure, then arrival. */
void rcc_ear_sort (RccEar *e, size_t n);
/* The first @n of e->f->packets, to the sender. */
void rcc_ear_tell (RccEar *e, size_t n);

#endif
