/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * twcc.h - transport-wide congestion control feedback
 * (draft-holmer-rmcat-transport-wide-cc-extensions-01)
 */
#ifndef RCC_WIRE_TWCC_H
#define RCC_WIRE_TWCC_H

#include "wire/rtcp.h"

/* What one message is built of at most; more are read. */
#define RCC_TWCC_STATUSES_MAX 2048

typedef struct {
  bool received;
  int64_t arrived_us;                   /* from the reference time's zero; if received */
} RccTwccStatus;

typedef struct {
  uint32_t sender_ssrc, media_ssrc;
  uint16_t base_seq;
  uint16_t n_statuses;                  /* those claimed */
  int32_t reference;                    /* signed 24 bit, x 64 ms: wraps after 12.4 days,
                                         * so unwrap it and move arrived_us along */
  uint8_t fb_count;
  RccBytes chunks, deltas;              /* not read when building */
} RccTwcc;

/* False for anything but RTPFB FMT 15, a claim of 0 statuses, or of more than the chunks
 * have symbols for. */
bool rcc_twcc_parse (const RccRtcpPacket *packet, RccTwcc *twcc);

typedef struct {                        /* a walk over the statuses; begin sets it up */
  RccBytes chunks, deltas;
  uint32_t left;                        /* statuses */
  uint16_t seq;
  uint16_t chunk;                       /* the one under way ... */
  unsigned chunk_left;                  /* ... and how many statuses it still has */
  int64_t us;
} RccTwccWalk;

typedef struct {                        /* packets next to one another */
  uint16_t seq;                         /* of the first */
  uint16_t n;                           /* 1 where they were received */
  RccTwccStatus status;
} RccTwccRun;

void rcc_twcc_begin (RccTwccWalk *walk, const RccTwcc *twcc);
/* The next of them.  False at the end, which is where deltas end early, and at the reserved
 * symbol 3. */
bool rcc_twcc_next (RccTwccWalk *walk, RccTwccRun *run);

/* Builds one message for @n packets from the base_seq of @head on, with its SSRCs and fb_count.
 * arrived_us is as above, rounded to 250 us. The reference is the first arrival's 64 ms step
 * (that of @head when none arrived). A delta that fits in no 16 bits, @size and
 * RCC_TWCC_STATUSES_MAX end the message early. Then @done gets how many statuses went in: call
 * again for the rest. Returns the bytes written, 0 when no status went in. */
size_t rcc_twcc_build (uint8_t *out, size_t size, const RccTwcc *head,
    const RccTwccStatus *statuses, unsigned n, unsigned *done);

#endif
