/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * framestats.h - what a flow's frames and reports came to, for summary.h
 */
#ifndef RCC_WORLD_DIARY_H
#define RCC_WORLD_DIARY_H

#include "core/breaker/stream.h"

typedef struct {                        /* a report that the breaker judged */
  RccTime at, rtt;                      /* rtt: its newest sample; RCC_NEVER: none */
  double loss, tcp_bps, sent_bps;       /* tcp_bps: infinite without loss */
} RccDiaryReport;

typedef struct {
  unsigned every;                       /* of so many frames and reports one is kept */
  double *frames;                       /* number every * i + 1: ms from when it was made until the
                                         * last of its packets that came; < 0: none came */
  size_t n_frames, room_frames;
  RccDiaryReport *reports;
  size_t n_reports;
  uint64_t judged, heard;               /* intervals of the breaker; reports */
} RccDiary;

void rcc_diary_init (RccDiary *d, unsigned every);
void rcc_diary_clear (RccDiary *d);
/* A packet of frame number @frame (from 1), which was made at @created, came. */
void rcc_diary_received (RccDiary *d, uint64_t frame, RccTime created, RccTime now);
/* Percentile (0..100) of the frames' delay, ms; INFINITY: none came. */
double rcc_diary_delay (const RccDiary *d, double percentile);
/* RTCP has come; @s: the breaker's view of the flow. */
void rcc_diary_heard (RccDiary *d, const RccBreakerStream *s, RccTime now);

#endif
