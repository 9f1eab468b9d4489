/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * protect.h - the sender's parity: one ULPFEC packet (RFC 5109) to N of media, as a
 * stream of its own
 */
#ifndef RCC_WORLD_PROTECT_H
#define RCC_WORLD_PROTECT_H

#include "wire/ulpfec.h"
#include "world/packet.h"

#define RCC_PROTECT_DEPTH 3             /* blocks at most that are begun at a time: 14
                                         * packets of each lie within the 48-bit mask */

typedef struct {
  uint32_t ssrc;
  uint16_t seq;
  uint32_t interval;                    /* N; 0: off */
  unsigned depth;                       /* every depth'th packet shares a parity */
  unsigned next;                        /* block */
  RccParityBlock blocks[RCC_PROTECT_DEPTH];
} RccWorldProtect;

/* @depth: 1 but for parity that outlives bursts. */
void rcc_world_protect_init (RccWorldProtect *p, uint32_t ssrc, unsigned depth);
/* @n media packets to one of parity from now on; 0: none, what was begun is dropped. */
void rcc_world_protect_interval (RccWorldProtect *p, uint32_t n);
/* A media packet has left as it stands.  The parity that its block is now due, the
 * caller's; NULL: none. */
RccDatagram *rcc_world_protect_sent (RccWorldProtect *p, const RccDatagram *media,
    RccTime now);

#endif
