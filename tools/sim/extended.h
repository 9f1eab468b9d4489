/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * extended.h - the receiver's extended reports, as FBRA's paper has them
 *
 * Loss and discard RLE and receipt times are in a compound of their own time (RFC 4585).
 */
#ifndef RCC_WORLD_EXTENDED_H
#define RCC_WORLD_EXTENDED_H

#include "core/fbra/avpf.h"
#include "core/fbra/discard-filter.h"
#include "wire/sendtime.h"
#include "wire/xrreporter.h"
#include "sim/packet.h"

typedef struct {
  RccTime d_max;                        /* what takes longer is discarded */
  RccXrReporter reporter;
  RccAvpf avpf;
  RccDiscardFilter discard_filter;
  RccSendClock clock;                   /* of the media; parity is never late */
} RccWorldExtended;

/* @early: a loss or a discard may be told before its time. */
void rcc_world_extended_init (RccWorldExtended *x, uint32_t ssrc, RccTime interval,
    double share, bool early, RccTime d_max);
void rcc_world_extended_clear (RccWorldExtended *x);
void rcc_world_extended_packet (RccWorldExtended *x, const RccRtp *rtp, uint32_t size,
    RccTime now);
/* The round trip was measured. */
void rcc_world_extended_rtt (RccWorldExtended *x, RccTime rtt, RccTime now);
/* Appends the XR to @d, an RR and a CNAME, which then leaves; false: it does not, for
 * there is nothing to say. */
bool rcc_world_extended_append (RccWorldExtended *x, RccDatagram *d, RccTime now);

#endif
