/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * summary.h - what came of a finished run, as one JSON object
 *
 * docs/json.md has its fields, with their units. For programs: tools/reproduce reads nothing
 * else. What there is none of is null.
 */
#ifndef RCC_WORLD_SUMMARY_H
#define RCC_WORLD_SUMMARY_H

#include "sim/world.h"

typedef struct {
  const char *kind;
  double bps;                           /* of payload */
  uint64_t pages;                       /* 0: not one that fetches pages */
  double page_time;                     /* s, mean */
} RccSummaryTcp;

/* @tcp: of another network; the world's own Renos are told of anyway.  Once for each world:
 * it closes the packet traces. */
void rcc_world_write_summary (const RccWorld *w, const RccSummaryTcp *tcp, size_t n,
    FILE *out);

#endif
