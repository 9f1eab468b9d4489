/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * protect.h - the sender's parity: one ULPFEC packet (RFC 5109) to N of media, as a
 * stream of its own
 */
#ifndef RCC_WORLD_PROTECT_H
#define RCC_WORLD_PROTECT_H

#include "core/protection.h"
#include "wire/interleave.h"
#include "wire/ulpfec.h"
#include "world/packet.h"

typedef struct {
  uint32_t ssrc;
  uint16_t seq;
  uint32_t timestamp;                   /* of the newest media packet */
  RccInterleave blocks;
} RccWorldProtect;

void rcc_world_protect_init (RccWorldProtect *p, uint32_t ssrc);
/* @n media packets to one of parity from now on, of @depth blocks that lie between one
 * another; @n 0: none, what was begun is dropped. */
void rcc_world_protect_set (RccWorldProtect *p, uint32_t n, uint32_t depth);
/* A media packet has left as it stands.  The first parity that is now due, the caller's;
 * NULL: none.  Before the next packet leaves, _next() has to be asked for the others. */
RccDatagram *rcc_world_protect_sent (RccWorldProtect *p, const RccDatagram *media,
    RccTime now);
RccDatagram *rcc_world_protect_next (RccWorldProtect *p, RccTime now);

#endif
