/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * peers.h - from where a receiver of RTP hears its call, and where its RTCP goes
 *
 * The address of a datagram proves nothing. Who takes the newest one lets anybody turn the feedback
 * away with an empty report. Who keeps the first one loses a sender whose NAT binding changes, or
 * that starts again. So feedback goes to each address that RTCP of a member came from, until that
 * is silent. A member is an SSRC whose RTP has come.
 *
 * What strangers send must not cost much either. An SSRC of RTP has a jitterbuffer with a thread,
 * and one of RTCP a share of the session's bandwidth (RFC 3550 6.3.1). So few are let in from other
 * hosts than the first, and of RTCP members alone. Who knows an SSRC has no more than that. One
 * host gets no more than two thirds of these places: who sends before the call leaves it the rest.
 *
 * The first host is the one that a member's RTP came from first, whoever is the first to send RTCP
 * of it: a stranger who has heard the SSRC may be. Where the call's RTCP comes from another host
 * than its RTP, or both have moved, that host is the first when the other was silent for
 * RCC_PEER_KEEP.
 *
 * What this cannot keep out is somebody who forges the host's address, or who was there first. SRTP
 * (RFC 3711) does.
 */
#ifndef RCC_WIRE_PEERS_H
#define RCC_WIRE_PEERS_H

#include "core/rcc.h"

#define RCC_PEERS 3
#define RCC_PEER_STRANGERS 24           /* SSRCs, */
#define RCC_PEER_OF_HOST 16             /* and so many of them of one host: a call may have 16 */
/* RTCP comes each 5 s and a half of it (RFC 3550 6.2), and one message may be lost. */
#define RCC_PEER_KEEP (15 * RCC_SEC)
#define RCC_PEER_HOST 64                /* bytes */

typedef struct {
  char host[RCC_PEER_HOST];             /* as text; an IPv6 address may have a scope */
  uint16_t port;
  bool proven;                          /* a member was heard from there */
  RccTime heard;                        /* when last; not proven: when it came */
} RccPeer;

typedef struct {
  RccPeer entries[RCC_PEERS];           /* where RTCP goes, the first host first */
  unsigned n;
  char media[RCC_PEER_HOST];            /* the first host; "": no member was heard */
  bool absent;                          /* members are heard, and none from there, */
  RccTime absent_since;
  struct {
    uint32_t ssrc;
    char host[RCC_PEER_HOST];
  } strangers[RCC_PEER_STRANGERS];      /* SSRCs from other hosts than the first */
  unsigned n_strangers;
} RccPeers;                             /* all zero at first */

/* A packet of @ssrc came from @host. False: it is one too many from there or from such hosts, and
 * should be dropped, if nothing else tells that @ssrc is of the call. */
bool rcc_peers_let_in (RccPeers *p, uint32_t ssrc, const char *host);

/* RTCP of @ssrc came from @host and @port, of a @member or not. Whether the entries have changed.
 * The first is taken from anybody until a member comes, as RTP may be later. One that is too long
 * is not taken. */
bool rcc_peers_heard (RccPeers *p, const char *host, uint16_t port, uint32_t ssrc, bool member,
    RccTime now);
/* Whether RTCP from there is for the session: of a @member, or from the first address, as a peer
 * may have more SSRCs than it sends RTP with. */
bool rcc_peers_admit (const RccPeers *p, const char *host, uint16_t port, bool member);
/* Whether it is the first address, which nobody else has while it is heard. */
bool rcc_peers_is_first (const RccPeers *p, const char *host, uint16_t port);

#endif
