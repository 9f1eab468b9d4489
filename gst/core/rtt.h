/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * rtt.h - round-trip time from SR and RR (RFC 3550 6.4.1)
 *
 * The sender remembers when each of its SRs went by; a report block that echoes
 * one (LSR) and says how long it held it (DLSR) gives a sample without any wall
 * clock.  An echo of an SR that never went by is refused as forged, unless only
 * the wall clock is there to go by.
 */
#ifndef RCC_RTT_H
#define RCC_RTT_H

#include "core/rcc.h"

#define RCC_RTT_SRS 16
#define RCC_RTT_MAX (60 * RCC_SEC)

typedef struct {
  struct {
    uint32_t ntp;                       /* middle 32 bits */
    RccTime at;
  } srs[RCC_RTT_SRS];
  unsigned n;                           /* SRs seen */
  RccTime last, smoothed, min;          /* RCC_NEVER: no sample yet */
  uint64_t samples, refused;
} RccRtt;

void rcc_rtt_init (RccRtt *r);
void rcc_rtt_sr_sent (RccRtt *r, uint32_t ntp_middle, RccTime now);

/* @wall: middle 32 bits of the NTP time now, used only while no SR has been seen
 * to leave (rtpbin's SRs carry the system's NTP time by default); 0: unknown.
 * Returns the sample, RCC_NEVER when there is none or it is absurd. */
RccTime rcc_rtt_block (RccRtt *r, uint32_t lsr, uint32_t dlsr, uint32_t wall,
    RccTime now);

#endif
