/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * private.h - what the halves of the send path share: path.c queues, depart.c lets go
 */
#ifndef RCC_SEND_PRIVATE_H
#define RCC_SEND_PRIVATE_H

#include "send/path.h"

extern const RccSenderOps rcc_send_listen_ops;

/* Nothing is in slot @i any more. */
void rcc_send_let_free (RccSend *s, uint32_t i);
/* The packet in @slot, of @stream, leaves now, as @out says. */
void rcc_send_depart (RccSend *s, const RccSendSlot *slot, RccSendStream *stream, RccTime now,
    RccSendOut *out);
/* It does not; @from: what the scheduler says of it, NULL: it never was queued. */
void rcc_send_mark_unsent (RccSend *s, const RccSendSlot *slot, const RccSbpnOut *from, RccTime now,
    RccSendOut *out);
/* Its stream; NULL: it is no RTP. */
RccSendStream *rcc_send_stream_of (RccSend *s, const RccSendSlot *slot);
/* Whether a probe may be filled up now. */
bool rcc_send_can_pad (const RccSend *s);
/* What the scheduler is asked next is asked for packets that leave @now. */
void rcc_send_look_ahead (RccSend *s, RccTime now);
/* What the pacer counts for a packet of @size. */
uint32_t rcc_send_cost (const RccSend *s, uint32_t size);
/* Notes what is only known at departure, and where to write it.  Returns the transport-wide
 * number; -1: it is not known. */
int rcc_send_note_header (RccSend *s, const RccSendPacket *p, RccTime now, RccSendOut *out);
/* A packet leaves.  Feedback will speak of it.  The controller hears of it, and its answer is
 * done.  @out->update.changed is 0. */
void rcc_send_tell_sent (RccSend *s, const RccRtp *rtp, uint32_t size, int transport,
    RccTime now, RccSendOut *out);
/* The controller said @answer, which is amended and done. */
RccUpdate rcc_send_answered (RccSend *s, RccUpdate answer, RccTime now);
/* What of parity is due has changed. */
void rcc_send_count_parity (RccSend *s, RccTime now);
/* A probe wants padding: whether it gets parity in its place, which is due now. */
bool rcc_send_fills_probe (RccSend *s);
/* Parity is due: whether it may leave; else @when to ask again. */
bool rcc_send_parity_may_leave (RccSend *s, RccTime now, RccTime *when);
/* Whether @packet, which the receiver wants again, is given up for a key frame. */
bool rcc_send_gives_up (RccSend *s, RccSendStream *stream, const RccRtxPacket *packet,
    const RccRtxPath *path, RccTime now);
/* Asks for a key frame of @stream, unless it has just done so. */
void rcc_send_want_key (RccSend *s, RccSendStream *stream, RccTime now);

#endif
