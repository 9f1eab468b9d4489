/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * protect.h - parity on the send path
 *
 * The owner shows the path each packet that parity is made of (->shown), once it is written:
 *
 *   case RCC_SEND_PACKET: write (&out);
 *     if (out.shown)
 *       rcc_send_show (s, parts, n, now);
 *     push (out.handle); break;
 *
 * Parity that is due then comes as a verdict of rcc_send_next():
 *
 *   case RCC_SEND_PARITY:
 *     if (rcc_send_parity (s, bytes, size, mark, now, &out))
 *       push (bytes, out.size);
 *     break;
 *
 * Whoever has let a packet pass with rcc_send_put() asks rcc_send_parity_passes() instead.
 *
 * The same where a probe is filled with it.  Whoever asks then gets one at once.
 *
 * Parity gets its number when it leaves.  It goes before all else, as anything between it and
 * its packets makes a repair late.  Where the path paces, it waits for the pacer, unless
 * config.parity_at_once.
 */
#ifndef RCC_SEND_PROTECT_H
#define RCC_SEND_PROTECT_H

#include "send/path.h"

/* @parity, which is initialised, stays the owner's; NULL: none.  Nothing waits. */
void rcc_send_protect (RccSend *s, RccSendParity *parity);
/* As rcc_send_parity_configure() and _drop(), which are not to be called below a path. */
void rcc_send_protect_configure (RccSend *s, const RccSendParityConfig *config);
void rcc_send_protect_drop (RccSend *s);

/* The packet that left last, as it is written; as for rcc_send_parity_add(). */
void rcc_send_show (RccSend *s, const RccBytes *parts, unsigned n, RccTime now);

/* Whether parity may leave now. */
bool rcc_send_parity_passes (RccSend *s, RccTime now);
/* RCC_SEND_PARITY: the packet into @bytes of @size, rcc_send_parity_room (s->parity) at least;
 * it leaves now.  @flags: of RccPacket, for the controller and its feedback.  False: there
 * was none, or it could not be written and is dropped. */
bool rcc_send_parity (RccSend *s, uint8_t *bytes, size_t size, uint8_t flags, RccTime now,
    RccSendOut *out);

#endif
