/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * rtx.h - which requests for retransmissions are heard (RFC 4585 6.2.1, RFC 4588)
 *
 * A packet is sent again once per round trip at most.  A queue that has filled makes the round
 * trip longer than reports say, so what the first request took counts too.  A packet is sent
 * again while it can be of use, and as far as a share of the target goes.  A request that comes
 * before the packet could be missed is not heard.  Where nearly all requests are for packets
 * that are not lost (spurious.h), only what is asked for twice is sent again.
 *
 * Where a path has got much narrower, more is lost than it carries again in time. Then a key frame
 * mends all of it at once, where the stream has such. What left before that is given up.
 *
 * The requests that are heard are remembered. The copy says by which number its packet left (RFC
 * 4588 4, OSN), and its cost is paid already.
 */
#ifndef RCC_SEND_RTX_H
#define RCC_SEND_RTX_H

#include "core/rcc.h"
#include "core/stats.h"
#include "core/window.h"
#include "send/spurious.h"

#define RCC_RTX_REQUESTS 256            /* that are remembered */
#define RCC_RTX_OSN_SIZE 2              /* of the payload (RFC 4588 4) */

typedef struct {
  double share;                         /* of the target, 0..1; libwebrtc allows all of it */
  RccTime burst;                        /* of that share may be used at once */
  RccTime life;                         /* older packets are of no use; two round trips if
                                         * that is longer */
  RccTime give_up;                      /* copies that wait for so long at the target are too
                                         * many; RCC_NEVER: as many as it takes */
} RccRtxConfig;

typedef struct {
  uint32_t ssrc;                        /* of the packet, not of its copy */
  uint16_t former, left;                /* its number as it came and as it left */
  uint32_t size;
  RccTime at;                           /* when it was asked for, or its copy left */
  bool empty;                           /* it has no payload: its copy gets none */
  bool heard;                           /* else it is to be asked for again */
  bool pending;                         /* the copy has not left yet */
  RccTime trip;                         /* from the packet's departure to its first request */
} RccRtxRequest;

typedef struct {
  RccRtxConfig config;
  RccResize resize;
  RccRtxRequest *requests;              /* a ring, once it has grown to RCC_RTX_REQUESTS */
  unsigned room;                        /* of them */
  uint64_t noted;                       /* in requests, ever */
  uint64_t heard;                       /* requests that were let through, ever */
  double bits;                          /* of the budget */
  RccTime updated;
  RccWindow sent;                       /* copies that left */
  /* requests refused */
  uint64_t unknown, repeated, early, late, over_budget, doubted, given_up;
  bool spurious;                        /* most requests for some stream were, once */
  uint64_t packets, bytes, unasked;     /* copies that left; nobody had asked for those */
} RccRtx;

extern const RccField rcc_rtx_fields[];

RccRtxConfig rcc_rtx_config (void);
void rcc_rtx_init (RccRtx *r, const RccRtxConfig *config, RccResize resize, RccTime now);
/* As new; the memory stays. */
void rcc_rtx_restart (RccRtx *r, const RccRtxConfig *config, RccTime now);
/* Gives its memory back. */
void rcc_rtx_clear (RccRtx *r);

typedef struct {
  uint32_t ssrc;
  uint16_t former, left;
  uint32_t size;
  RccTime sent;                         /* when it left */
  bool empty;                           /* padding; @former is another packet's, whose copy is to
                                         * speak of this one, and leave without its payload */
} RccRtxPacket;

typedef struct {
  uint32_t target_bps;                  /* of the path, bit/s */
  RccTime rtt;                          /* RCC_NEVER: not known, taken as 100 ms */
  RccTime rtt_min;                      /* of late; RCC_NEVER: not known */
} RccRtxPath;

/* The receiver wants @packet of a stream again.  True: the request is to be passed on. */
bool rcc_rtx_request (RccRtx *r, const RccRtxPacket *packet, const RccRtxPath *path,
    RccSpurious *stream, RccTime now);
/* Whether @packet cannot be mended in time: it is too old, or too much waits already. Unless a
 * copy of it is on its way. */
bool rcc_rtx_is_hopeless (const RccRtx *r, const RccRtxPacket *packet, const RccRtxPath *path,
    RccTime now);
/* Somebody between the receiver and us has decided that it is to be. */
void rcc_rtx_requested (RccRtx *r, const RccRtxPacket *packet, RccTime now);

/* A copy of what was called @former comes: the newest request that it answers. NULL: nobody has
 * asked for it. */
const RccRtxRequest *rcc_rtx_answer (const RccRtx *r, uint16_t former);
/* Whether a copy of @size may be queued.  One that was asked for is paid for already. */
bool rcc_rtx_admit (RccRtx *r, bool asked, uint32_t size, uint32_t target_bps, RccTime now);
/* It left, or (@dropped) it did not. */
void rcc_rtx_left (RccRtx *r, uint16_t former, uint32_t size, bool dropped, RccTime now);

/* bit/s that copies had in the last second. */
uint32_t rcc_rtx_bps (RccRtx *r, RccTime now);

#endif
