/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * returns.h - the addresses that RTCP is sent back to: those that RTCP of the call came from
 *
 * The address of a datagram proves nothing. Who takes the newest one lets anybody turn the feedback
 * away with an empty report. Who keeps the first one loses a sender whose NAT binding changes, or
 * that starts again. So feedback goes to each address that RTCP of a member came from, until that
 * is silent. A member is an SSRC whose RTP has come.
 *
 * RTCP from elsewhere is not for the session either. Each SSRC there is one more who shares its
 * bandwidth (RFC 3550 6.3.1), and 100 in a second would end the feedback.
 *
 * What this cannot keep out is somebody who knows an SSRC. SRTCP (RFC 3711) does.
 */
#ifndef RCC_WIRE_RETURNS_H
#define RCC_WIRE_RETURNS_H

#include "core/rcc.h"

#define RCC_RETURNS 3
/* RTCP comes each 5 s and a half of it (RFC 3550 6.2), and one message may be lost. */
#define RCC_RETURN_KEEP (15 * RCC_SEC)

typedef struct {
  char host[64];                        /* as text; an IPv6 address may have a scope */
  uint16_t port;
  bool proven;                          /* a member was heard from there */
  RccTime heard;                        /* when last; not proven: when it came */
} RccReturn;

typedef struct {
  RccReturn entries[RCC_RETURNS];       /* the first to come is the first here */
  unsigned n;
} RccReturns;                           /* all zero at first */

/* RTCP came from @host and @port, of a @member or not. Whether the addresses have changed.  The
 * first is taken from anybody, as RTP may come later. One that is too long is not taken. */
bool rcc_returns_heard (RccReturns *r, const char *host, uint16_t port, bool member, RccTime now);
/* Whether RTCP from there is for the session. */
bool rcc_returns_admits (const RccReturns *r, const char *host, uint16_t port);

#endif
