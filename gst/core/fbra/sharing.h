/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fbra/sharing.h - whether others share the queue, and how FBRA+ behaves then: ours
 *
 * What comes out of a queue that is ours alone comes at the rate of the link, report after
 * report. Where packets of others are among ours it varies, and the less is ours the more. A link
 * whose rate changes steps once.
 *
 * FBRA raises and lowers its rate in proportion, which keeps the ratio of two flows as it is
 * (Chiu and Jain, "Analysis of the Increase and Decrease Algorithms for Congestion Avoidance",
 * 1989). So with others a probe has a fixed rate of parity, and each fall goes back to a share.
 * Then rates draw near to each other.
 */
#ifndef RCC_FBRA_SHARING_H
#define RCC_FBRA_SHARING_H

#include "core/fbra/config.h"

typedef struct {
  double last;                          /* bit/s by the report before; 0: there was no queue */
  double varies;                        /* mean change from report to report, a share of it */
  bool shared;
} RccFbraSharing;

/* A report: @bps is what came, of a queue; 0: there was none. */
void rcc_fbra_sharing_report (RccFbraSharing *s, const RccFbraConfig *config, double bps);
/* N of a probe from @rate, bit/s, whose parity is config.share_step. */
uint32_t rcc_fbra_sharing_n (const RccFbraConfig *config, double rate);

#endif
