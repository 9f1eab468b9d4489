/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * history.h - the sender's copies of its video, for who asks for them again (RFC 4588)
 *
 * It stands before the send path, as rtprtxsend does. So it knows packets by the numbers that
 * they came with; who asks names those that they left with. The path translates.
 */
#ifndef RCC_WORLD_HISTORY_H
#define RCC_WORLD_HISTORY_H

#include "wire/nack.h"
#include "sim/packet.h"

#define RCC_HISTORY_PACKETS 1024

typedef struct {
  RccDatagram *packets[RCC_HISTORY_PACKETS];    /* by their numbers; NULL: none */
  uint16_t seq;                         /* of the RTX stream */
} RccWorldHistory;

void rcc_world_history_clear (RccWorldHistory *h);
/* A packet of the video is about to come to the send path. */
void rcc_world_history_keep (RccWorldHistory *h, const RccDatagram *d);
/* Packet @former again, in the RTX stream @ssrc, whether @plain or not; the caller's.  NULL:
 * it is not known any more. */
RccDatagram *rcc_world_history_copy (RccWorldHistory *h, uint16_t former, uint32_t ssrc,
    bool plain);

#endif
