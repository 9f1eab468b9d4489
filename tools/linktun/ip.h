/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * ip.h - what a link reads of an IP packet (RFC 791, RFC 8200), and its mark (RFC 3168)
 *
 * Packets may be anything: each read is within the length given.
 */
#ifndef LINKTUN_IP_H
#define LINKTUN_IP_H

#include "core/rcc.h"

typedef struct {
  unsigned version;                     /* 4 or 6; 0: it is no IP packet */
  RccEcn ecn;
  unsigned protocol;                    /* 17: UDP; of IPv6 behind the headers that are known */
  unsigned source, destination;         /* ports of UDP and TCP; 0: none, or a later fragment */
} IpPacket;

/* What is no IP packet, or ends too early, is all 0. */
IpPacket ip_read (const uint8_t *data, size_t length);
/* Congestion experienced, on a packet whose version ip_read() tells; the checksum of IPv4
 * is kept right (RFC 1624).  A wrong one stays wrong. */
void ip_mark (uint8_t *data, unsigned version);

#endif
