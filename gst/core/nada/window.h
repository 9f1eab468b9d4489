/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * nada/window.h - RFC 8698's packet statistics of the last LOGWIN (5.1.2, 5.1.3)
 *
 * Time is the receiver's, as packets arrive.  A lost packet counts where the newest arrival is.
 * Counts are kept in bins, so memory does not depend on the packet rate.
 */
#ifndef RCC_NADA_WINDOW_H
#define RCC_NADA_WINDOW_H

#include "core/rcc.h"

#define RCC_NADA_BINS 50

typedef struct {
  uint64_t bytes;
  uint32_t received, lost, marked, queued;      /* packets */
} RccNadaCounts;

typedef struct {
  RccTime span;
  RccTime edge;                         /* end of the newest bin; 0: nothing arrived yet */
  RccTime newest_arrived;
  unsigned newest;
  RccNadaCounts sum;                    /* of all bins */
  RccNadaCounts bins[RCC_NADA_BINS];
} RccNadaWindow;

void rcc_nada_window_init (RccNadaWindow *w, RccTime span);

/* @queued: its queuing delay was not below QEPS.  One that is older than the window, within a
 * second, is not counted; an older one is a clock that was set back: all begins anew. */
void rcc_nada_window_arrived (RccNadaWindow *w, RccTime arrived, uint32_t size, bool marked,
    bool queued);
/* It came; nobody says when. */
void rcc_nada_window_received (RccNadaWindow *w, uint32_t size, bool marked);
void rcc_nada_window_lost (RccNadaWindow *w);

/* p_inst and its like for marks, 0..1; of nothing 0. */
double rcc_nada_window_loss (const RccNadaWindow *w);
double rcc_nada_window_marks (const RccNadaWindow *w);
/* r_recv, bit/s */
double rcc_nada_window_bps (const RccNadaWindow *w);

#endif
