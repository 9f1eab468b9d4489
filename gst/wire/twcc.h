/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * twcc.h - transport-wide congestion control feedback
 * (draft-holmer-rmcat-transport-wide-cc-extensions-01)
 */
#ifndef RCC_WIRE_TWCC_H
#define RCC_WIRE_TWCC_H

#include "wire/rtcp.h"

/* More statuses in one message than this are not read: a claim of 65535 would
 * otherwise cost work that 20 bytes did not pay for. */
#define RCC_TWCC_STATUSES_MAX 2048

typedef struct {
  bool received;
  int64_t arrived_us;                   /* from the reference time's zero; if received */
} RccTwccStatus;

typedef struct {
  uint32_t sender_ssrc, media_ssrc;
  uint16_t base_seq;
  uint16_t n_statuses;                  /* those decoded */
  int32_t reference;                    /* signed 24 bit, x 64 ms: wraps after 12.4 days,
                                         * so unwrap it and move arrived_us along */
  uint8_t fb_count;
} RccTwcc;

/* Fills @statuses (room for RCC_TWCC_STATUSES_MAX) with the statuses of base_seq,
 * base_seq + 1, ...  False for anything but RTPFB FMT 15, a claim of 0 statuses,
 * more than the maximum, or more than the chunks have symbols for.  Where deltas
 * end early, or at the reserved symbol 3, it gives the statuses before that; false
 * when there are none. */
bool rcc_twcc_parse (const RccRtcpPacket *packet, RccTwcc *twcc,
    RccTwccStatus *statuses);

/* Builds one message for @n packets from the base_seq of @head on, with its SSRCs
 * and fb_count; arrived_us as above, rounded to 250 us.  The reference is the first
 * arrival's 64 ms step (that of @head when none arrived).  A delta that fits in no
 * 16 bits, @size and RCC_TWCC_STATUSES_MAX end the message early: @done gets how
 * many statuses went in; call again for the rest.  Returns the bytes written, 0
 * when no status went in. */
size_t rcc_twcc_build (uint8_t *out, size_t size, const RccTwcc *head,
    const RccTwccStatus *statuses, unsigned n, unsigned *done);

#endif
