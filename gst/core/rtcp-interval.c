/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/rtcp-interval.h"

#define LONGEST (3600 * RCC_SEC)
#define SENDERS_SHARE 0.25              /* of the RTCP bandwidth, 6.2 */
#define NEW_SIZE (1.0 / 16)             /* 6.3.3 */

static RccTime
from_seconds (double s)
{
  return s < (double) LONGEST / RCC_SEC ? (RccTime) (s * RCC_SEC) : LONGEST;
}

/* 6.3.1 and A.7: n C, in seconds */
static double
calculated (const RccRtcpSession *s)
{
  const unsigned senders = RCC_MIN (s->senders, s->members);
  double n = s->members, bandwidth = s->bandwidth;

  if (senders <= SENDERS_SHARE * s->members) {
    n = s->we_sent ? senders : s->members - senders;
    bandwidth *= s->we_sent ? SENDERS_SHARE : 1 - SENDERS_SHARE;
  }
  return n * s->average_size / bandwidth;
}

RccTime
rcc_rtcp_interval (const RccRtcpSession *session)
{
  const RccTime tmin = RCC_MIN (session->tmin, LONGEST);

  if (!(session->bandwidth > 0) || !(session->average_size > 0))
    return tmin;
  return RCC_MAX (tmin, from_seconds (calculated (session)));
}

double
rcc_rtcp_average_size (double average, uint32_t size)
{
  const double whole = (double) size + RCC_RTCP_UDP_IP;

  return average > 0 ? average + (whole - average) * NEW_SIZE : whole;
}
