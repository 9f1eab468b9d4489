/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/rtt.h"

void
rcc_rtt_init (RccRtt *r)
{
  *r = (RccRtt) { .last = RCC_NEVER, .smoothed = RCC_NEVER, .min = RCC_NEVER };
}

void
rcc_rtt_sr_sent (RccRtt *r, uint32_t ntp_middle, RccTime now)
{
  r->srs[r->n % RCC_RTT_SRS].ntp = ntp_middle;
  r->srs[r->n % RCC_RTT_SRS].at = now;
  r->n++;
}

static int64_t
ntp_short_ns (uint32_t v)
{
  return (int64_t) (((uint64_t) v * RCC_SEC) >> 16);
}

static RccTime
sent_at (const RccRtt *r, uint32_t lsr)
{
  for (unsigned i = 1; i <= RCC_RTT_SRS && i <= r->n; i++)
    if (r->srs[(r->n - i) % RCC_RTT_SRS].ntp == lsr)
      return r->srs[(r->n - i) % RCC_RTT_SRS].at;
  return RCC_NEVER;
}

RccTime
rcc_rtt_block (RccRtt *r, uint32_t lsr, uint32_t dlsr, uint32_t wall, RccTime now)
{
  const RccTime at = sent_at (r, lsr);
  int64_t rtt;

  if (lsr == 0)                         /* RFC 3550: no SR received yet */
    return RCC_NEVER;
  if (at != RCC_NEVER)
    rtt = (int64_t) (now - at) - ntp_short_ns (dlsr);
  else if (r->n == 0 && wall != 0)
    rtt = ntp_short_ns (wall - lsr) - ntp_short_ns (dlsr);
  else
    rtt = -1;
  if (rtt < 0 || rtt > (int64_t) RCC_RTT_MAX) {
    r->refused++;
    return RCC_NEVER;
  }
  r->last = (RccTime) rtt;
  /* RFC 8083 3: Tr = 0.8 Tr + 0.2 Tr_new */
  r->smoothed = r->samples++ ? (r->smoothed * 4 + r->last) / 5 : r->last;
  r->min = RCC_MIN (r->min, r->last);
  return r->last;
}
