/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * gcc/probe-bitrate.h - probe bitrate estimator: what rate a train of packets went in at
 * and came out at
 *
 * A sender that probes lets a few packets leave faster than its target.  At the
 * receiver that shows as a run of packets whose sending rate is well above the
 * estimate; the rate at which the run arrives is what the path could take.  No
 * marking is needed, so any sender's probes (and Chrome's paced frames) count.
 */
#ifndef RCC_GCC_PROBE_BITRATE_H
#define RCC_GCC_PROBE_BITRATE_H

#include "core/gcc/reorder.h"

typedef struct {
  RccTime first_send, last_send, first_arrival, last_arrival;
  RccTime group_send;                   /* when the last group began to leave */
  uint32_t group_before;                /* bytes of the groups before it */
  uint32_t first_size, last_size, bytes, packets;
  RccTime reordered;                    /* the most by which one came before those that left
                                         * earlier */
} RccProbeBitrate;

/* Shortest train that is judged. */
#define RCC_PROBE_BITRATE_PACKETS 5
#define RCC_PROBE_BITRATE_SPAN (10 * RCC_MSEC)

void rcc_probe_bitrate_start (RccProbeBitrate *t, RccTime send, RccTime arrival, uint32_t size);
void rcc_probe_bitrate_add (RccProbeBitrate *t, RccTime send, RccTime arrival, uint32_t size);

/* bit/s at departure, from group to group as the pacer let them go (packets within
 * 1 ms are one); 0 for a single group. */
double rcc_probe_bitrate_send_bps (const RccProbeBitrate *t);

/* What the path took, bit/s; 0 when the train is too short, was reordered by more than
 * @reordering or its rates contradict each other. */
double rcc_probe_bitrate_result (const RccProbeBitrate *t, RccTime reordering);

/* Receiver: finds trains in the packet stream.  Gives a result (bit/s, > 0) when
 * a train that left at more than @factor times @estimate has ended.  It waits for what is late by
 * up to @reordering (0: not). */
typedef struct {
  RccProbeBitrate train;
  RccReorder order;
  RccTime gap;                          /* longer pauses in sending end a train */
  double factor;
  RccTime idle;                         /* before the train: nothing left */
  bool deferred;                        /* the last train was not faster with that */
} RccProbeFinder;

void rcc_probe_finder_init (RccProbeFinder *f, double factor, RccTime reordering);
double rcc_probe_finder_add (RccProbeFinder *f, RccTime send, RccTime arrival,
    uint32_t size, double estimate);

#endif
