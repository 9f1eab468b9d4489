/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * rtx.h - which requests for retransmissions are heard (RFC 4585 6.2.1, RFC 4588)
 *
 * A packet is sent again once per round trip at most, and after twice as long each further time:
 * a queue that has filled makes the round trip longer than is known.  It is sent again while it
 * can be of use, and as far as a share of the target goes.  The requests that are heard are remembered: the copy
 * says by which number its packet left (RFC 4588 4, OSN), and its cost is paid already.
 */
#ifndef RCC_SEND_RTX_H
#define RCC_SEND_RTX_H

#include "core/rcc.h"
#include "core/stats.h"
#include "core/window.h"

#define RCC_RTX_REQUESTS 256            /* that are remembered */

typedef struct {
  double share;                         /* of the target, 0..1; libwebrtc allows all of it */
  RccTime burst;                        /* of that share may be used at once */
  RccTime life;                         /* older packets are of no use; two round trips if
                                         * that is longer */
} RccRtxConfig;

typedef struct {
  uint32_t ssrc;                        /* of the packet, not of its copy */
  uint16_t former, left;                /* its number as it came and as it left */
  uint32_t size;
  RccTime at;                           /* when it was asked for, or its copy left */
  bool pending;                         /* the copy has not left yet */
  uint32_t copies;                      /* of that packet so far, with this one */
} RccRtxRequest;

typedef struct {
  RccRtxConfig config;
  RccRtxRequest requests[RCC_RTX_REQUESTS];
  uint64_t heard;                       /* requests that were let through, ever */
  double bits;                          /* of the budget */
  RccTime updated;
  RccWindow sent;                       /* copies that left */
  uint64_t unknown, repeated, late, over_budget;        /* requests refused */
  uint64_t packets, bytes, unasked;     /* copies that left; nobody had asked for those */
} RccRtx;

extern const RccField rcc_rtx_fields[];

RccRtxConfig rcc_rtx_config (void);
void rcc_rtx_init (RccRtx *r, const RccRtxConfig *config, RccTime now);

typedef struct {
  uint32_t ssrc;
  uint16_t former, left;
  uint32_t size;
  RccTime sent;                         /* when it left */
} RccRtxPacket;

/* The receiver wants @packet again.  @rtt RCC_NEVER: not known, taken as 100 ms.  True:
 * the request is to be passed on. */
bool rcc_rtx_request (RccRtx *r, const RccRtxPacket *packet, uint32_t target_bps, RccTime rtt,
    RccTime now);

/* A copy of what was called @former comes: *@left is the number that its packet left by.
 * False: nobody has asked for it. */
bool rcc_rtx_answer (const RccRtx *r, uint16_t former, uint16_t *left);
/* Whether a copy of @size may be queued.  One that was asked for is paid for already. */
bool rcc_rtx_admit (RccRtx *r, bool asked, uint32_t size, uint32_t target_bps, RccTime now);
/* It left, or (@dropped) it did not. */
void rcc_rtx_left (RccRtx *r, uint16_t former, uint32_t size, bool dropped, RccTime now);

/* bit/s that copies had in the last second. */
uint32_t rcc_rtx_bps (RccRtx *r, RccTime now);

#endif
