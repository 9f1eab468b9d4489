/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * rtcp-source.h - who we are in the session, and the start of a compound of our own
 */
#ifndef RCC_WIRE_MEMBER_H
#define RCC_WIRE_MEMBER_H

#include "wire/rtcp.h"

typedef struct {
  uint32_t ssrc;                        /* ours; taken over from passing RTCP */
  bool adopted;
  char cname[256];                      /* empty until a compound has passed */
} RccMember;

/* @ssrc: used until a compound of the session has passed. */
void rcc_member_init (RccMember *m, uint32_t ssrc);

/* A compound of our session goes out: whose it is, and its CNAME. */
void rcc_member_rtcp_passed (RccMember *m, RccBytes compound);

/* An empty RR and, if it is known, the CNAME; 0 when there is no room for the RR. */
size_t rcc_member_begin (const RccMember *m, uint8_t *out, size_t size);

#endif
