/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * rtcp-source.h - who we are in the session, and the start of a compound of our own
 */
#ifndef RCC_WIRE_RTCP_SOURCE_H
#define RCC_WIRE_RTCP_SOURCE_H

#include "wire/rtcp.h"

typedef struct {
  uint32_t ssrc;                        /* ours; taken over from passing RTCP */
  bool adopted;
  char cname[256];                      /* empty: not known */
} RccRtcpSource;

/* @ssrc: used until a compound of the session has passed. */
void rcc_rtcp_source_init (RccRtcpSource *s, uint32_t ssrc);
/* A CNAME until then, of 96 bits (RFC 7022 4.2). */
void rcc_rtcp_source_name (RccRtcpSource *s, const uint32_t random[3]);

/* A compound of our session goes out: whose it is, and its CNAME. */
void rcc_rtcp_source_rtcp_passed (RccRtcpSource *s, RccBytes compound);

/* An empty RR and the CNAME, where one is known; 0 when there is no room for both. Without it the
 * compound is of reduced size, which somebody has to negotiate (RFC 5506). A session whose own
 * compounds have none is taken to have done so. */
size_t rcc_rtcp_source_begin (const RccRtcpSource *s, uint8_t *out, size_t size);

#endif
