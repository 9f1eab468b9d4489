/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * framestats.h - what a flow's frames and reports came to, for summary.h
 */
#ifndef RCC_WORLD_FRAME_STATS_H
#define RCC_WORLD_FRAME_STATS_H

#include "core/breaker/stream.h"

typedef struct {                        /* a report that the breaker judged */
  RccTime at, rtt;                      /* rtt: its newest sample; RCC_NEVER: none */
  double loss, tcp_bps, sent_bps;       /* tcp_bps: infinite without loss */
} RccFrameStatsReport;

typedef struct {
  unsigned every;                       /* of so many frames and reports one is kept */
  double *frames;                       /* number every * i + 1: ms from when it was made until the
                                         * last of its packets that came; < 0: none came */
  size_t n_frames, room_frames;
  RccFrameStatsReport *reports;
  size_t n_reports;
  uint64_t judged, heard;               /* intervals of the breaker; reports */
} RccFrameStats;

void rcc_frame_stats_init (RccFrameStats *d, unsigned every);
void rcc_frame_stats_clear (RccFrameStats *d);
/* A packet of frame number @frame (from 1), which was made at @created, came. */
void rcc_frame_stats_received (RccFrameStats *d, uint64_t frame, RccTime created, RccTime now);
/* Percentile (0..100) of the frames' delay, ms; INFINITY: none came. */
double rcc_frame_stats_delay (const RccFrameStats *d, double percentile);
/* Their mean, ms, and in @n, unless NULL, how many came; INFINITY: none did. */
double rcc_frame_stats_mean (const RccFrameStats *d, size_t *n);
/* RTCP has come; @s: the breaker's view of the flow. */
void rcc_frame_stats_heard (RccFrameStats *d, const RccBreakerStream *s, RccTime now);

#endif
