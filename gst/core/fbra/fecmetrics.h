/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fbra/fecmetrics.h - the figures of the FBRA paper (5.1), from events
 *
 * One place for simulator and report.  The paper's formulas are lost; these are its
 * prose.  A ratio of nothing is 0: the counts beside it tell.
 */
#ifndef RCC_FECMETRICS_H
#define RCC_FECMETRICS_H

#include "core/fbra/state.h"

typedef enum {
  RCC_MEDIA_GOOD,                       /* received in time */
  RCC_MEDIA_LOST,
  RCC_MEDIA_LATE,                       /* received too late and discarded */
} RccMediaOutcome;

typedef struct {
  /* state path */
  RccFbraState state;
  bool probing;                         /* an episode is open */
  uint64_t probes;                      /* closed episodes: begun in STAY with parity */
  uint64_t probes_right;                /* that came back to STAY and not by DOWN */
  bool covered;                         /* parity left in the last episode, or behind it */
  uint64_t probes_covered;              /* closed episodes with parity */
  /* packets */
  uint64_t media_packets, parity_packets, lost, late;
  uint64_t recovered;                   /* of lost and late, by parity and in time */
  uint64_t good_bytes, media_bytes, parity_bytes;
  /* frames */
  uint64_t frames, frames_lost, frames_protected, frames_recovered;
  /* the path and its other users */
  double capacity_bits;                 /* that it could have carried */
  double tcp_bps, fair_bps;
  /* what comes of it, after rcc_fecmetrics_close() */
  double frcc, ffre, tfs, abu;          /* per cent */
  double goodput_bps, media_bps, fec_bps;
  double loss_before, loss_after;       /* per cent of media packets; late is lost */
} RccFecMetrics;

extern const RccField rcc_fecmetrics_fields[];

void rcc_fecmetrics_init (RccFecMetrics *m);

/* The controller's state, whenever it may have changed. */
void rcc_fecmetrics_state (RccFecMetrics *m, RccFbraState state);
/* A media packet's end; @bytes as goodput counts them, @recovered: parity gave it back
 * in time. */
void rcc_fecmetrics_media (RccFecMetrics *m, uint32_t bytes, RccMediaOutcome outcome,
    bool recovered);
/* Parity leaves.  Behind an episode it is that one's, for what is left of its last block: a
 * controller that protects all the time has none without. */
void rcc_fecmetrics_parity (RccFecMetrics *m, uint32_t bytes);
/* A frame's end. @lost: packets of it were, before repair. @covered: parity that was sent
 * protects one of those. @recovered: whole again after repair, in time. The last two mean nothing
 * without @lost. */
void rcc_fecmetrics_frame (RccFecMetrics *m, bool lost, bool covered, bool recovered);
void rcc_fecmetrics_capacity (RccFecMetrics *m, double bps, RccTime span);
/* One TCP flow's throughput, on a link of @capacity_bps that @flows share. */
void rcc_fecmetrics_tcp (RccFecMetrics *m, double bps, double capacity_bps,
    unsigned flows);

/* Works the ratios out, over @span; may be called again later.  An episode that is
 * still open does not count. */
void rcc_fecmetrics_close (RccFecMetrics *m, RccTime span);

#endif
