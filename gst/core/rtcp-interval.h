/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * rtcp-interval.h - the deterministic RTCP interval Td (RFC 3550 6.2, 6.3.1)
 */
#ifndef RCC_RTCP_INTERVAL_H
#define RCC_RTCP_INTERVAL_H

#include "core/rcc.h"

#define RCC_RTCP_TMIN (5 * RCC_SEC)
#define RCC_RTCP_UDP_IP 28              /* bytes that count with a compound, 6.2 */

typedef struct {
  unsigned members, senders;            /* senders <= members */
  bool we_sent;                         /* whose interval it is sends RTP */
  double average_size;                  /* avg_rtcp_size, bytes with UDP/IP; 0: none seen */
  double bandwidth;                     /* rtcp_bw, bytes/s; 0: unknown, then only Tmin */
  RccTime tmin;
} RccRtcpSession;

/* max (Tmin, n C), without randomisation and without the halved Tmin of the first
 * report; at most an hour. */
RccTime rcc_rtcp_interval (const RccRtcpSession *session);

/* avg_rtcp_size after one more compound of @size bytes; UDP/IP is not counted there, and added
 * here. It takes a sixteenth of it (6.3.3); the first one is the average. */
double rcc_rtcp_average_size (double average, uint32_t size);

#endif
