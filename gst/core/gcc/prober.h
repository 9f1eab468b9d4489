/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * gcc/prober.h - when to probe, and how fast (ours; no paper has it)
 *
 * At the start every answered probe is followed by the next, each at @factor times
 * the target that the last one brought: the link is asked for at most twice what it
 * has shown.  Until the first congestion that is at once, as it is in libwebrtc.  When a
 * probe brings nothing, the next comes after @interval, and only while nothing says
 * congestion.  Without an @interval the start ends there: a second after the last probe, or
 * at the first congestion after one, and nothing asks any more.
 *
 * With @interval_most an answer of which congestion leaves nothing within two seconds was none: it
 * doubles the interval, up to that.  One that stands brings the first interval back.
 *
 * Once the target has fallen, the next probe is at @later times the target only:
 * flows that share a link and its queue find it empty at the same time.  If each asked for twice
 * its rate then, all would get it and leave a long queue.  Where packets were lost
 * of late that does not hold: somebody fills that queue until it overflows (TCP does, flows
 * like this one do not), and takes what care leaves.
 */
#ifndef RCC_GCC_PROBER_H
#define RCC_GCC_PROBER_H

#include "core/rcc.h"

typedef struct {
  double first;                         /* of the first one, as libwebrtc has it; 0: as ever */
  double factor;                        /* 0: never probe */
  double later;                         /* of the first after congestion; 0: as ever */
  bool careful;                         /* the target has fallen since the last probe */
  double near;                          /* to the last probe: it is answered */
  RccTime interval, span;               /* interval 0: none after the start */
  RccTime next;                         /* RCC_NEVER: nothing planned */
  RccTime lost;                         /* when it was last heard of; RCC_NEVER: never */
  RccTime calm_since;                   /* of the last bad news; RCC_NEVER: none */
  RccTime interval_most;                /* what answers that were none make of it; 0: nothing */
  RccTime wait;                         /* the interval now */
  RccTime believed;                     /* the last answer, until it is judged; RCC_NEVER: none */
  uint32_t believed_bps;                /* the target before it */
  RccTime sent;                         /* the last probe */
  uint32_t sent_bps;                    /* of the last probe; 0: none, or answered */
  uint32_t asked_bps;                   /* of the last probe, answered or not */
  uint32_t base_bps;                    /* the target when it was sent */
  uint32_t id;
  uint64_t probes, answered;
} RccProber;

void rcc_prober_init (RccProber *p, double first, double factor, double later,
    RccTime interval, RccTime span);
/* The first packet has left. */
void rcc_prober_start (RccProber *p, RccTime now);
/* The target is now @bps; congested: over-use, loss or silence brought it down. */
void rcc_prober_target (RccProber *p, uint32_t bps, bool congested, RccTime now);
/* Packets are missing, or marked where that counts as loss. */
void rcc_prober_loss (RccProber *p, RccTime now);
/* Called at @next or later: a probe (changed = RCC_PROBE) or nothing. */
RccUpdate rcc_prober_poll (RccProber *p, uint32_t target_bps, uint32_t max_bps,
    RccTime now);

#endif
