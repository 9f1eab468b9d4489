/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * inbox.h - datagrams that have come to an endpoint which has not run since
 */
#ifndef RCC_WORLD_INBOX_H
#define RCC_WORLD_INBOX_H

#include "link/link.h"
#include "sim/packet.h"

typedef struct {
  struct RccInboxEntry {
    RccLinkPacket packet;
    RccTime handed;                     /* the endpoint can have it from then on */
  } *entries;
  size_t first, n, room;
} RccInbox;

/* Frees the datagrams, too. */
void rcc_inbox_clear (RccInbox *b);
/* @p's cookie is an RccDatagram, the inbox's from now on.  @handed never runs backwards. */
void rcc_inbox_put (RccInbox *b, const RccLinkPacket *p, RccTime handed);
/* When the next one is handed over; RCC_NEVER: there is none. */
RccTime rcc_inbox_next (const RccInbox *b);
/* The oldest of what is handed over by @now; the datagram is the caller's.  @stamp: when the
 * socket had it. */
bool rcc_inbox_take (RccInbox *b, RccTime now, RccLinkPacket *p, RccTime *stamp);

#endif
