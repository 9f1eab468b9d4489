/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * crossing.h - one direction of linktun: IP packets over a link of a scenario
 *
 * It has no clock and no I/O.  Times are ns since the run began.
 *
 * A scenario's `overhead' is what lies below RTP, 28 bytes unless it says more: UDP and IPv4.  An
 * IP packet has these bytes in it, so the link is told 28 less than its length.  A call takes as
 * much of the link as in linksim and rccsim then, and 20 bytes a packet more over IPv6.
 */
#ifndef LINKTUN_CROSSING_H
#define LINKTUN_CROSSING_H

#include "link/scenario.h"
#include "linktun/ip.h"

#define CROSSING_BELOW_RTP 28u          /* bytes of UDP and IPv4 */
#define CROSSING_MOST 65575u            /* bytes of an IP packet; more is cut off before */

typedef struct {
  uint64_t number;                      /* counts what came, from 0 */
  IpPacket ip;                          /* as it came */
  RccLinkPacket link;                   /* when it came and left, its mark, why it was dropped */
  size_t length;
  uint8_t *data;                        /* NULL: it was dropped as it came */
} CrossingPacket;

typedef struct {                        /* all private */
  RccLink link;
  RccScenarioRun run;
  uint64_t n;
} Crossing;

/* @scenario outlives it; NULL: an unlimited link. */
void crossing_init (Crossing *c, const RccScenario *scenario, RccDirection direction,
    uint64_t seed);
/* What is under way is lost. */
void crossing_clear (Crossing *c);
/* Copies @data.  False: it was dropped, see *@dropped. */
bool crossing_push (Crossing *c, const uint8_t *data, size_t length, RccTime now,
    CrossingPacket *dropped);
/* Nothing leaves before, unless something is pushed. */
RccTime crossing_next (const Crossing *c);
/* What was delivered or dropped up to @now, in order.  Its mark is written into the packet.
 * free (out->data) */
bool crossing_pop (Crossing *c, RccTime now, CrossingPacket *out);

#endif
