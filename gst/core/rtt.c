/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/rtt.h"

void
rcc_srs_sent (RccSrs *srs, uint32_t ntp_middle, RccTime now)
{
  if (srs->n == 0)
    srs->first = ntp_middle;
  srs->srs[srs->n % RCC_RTT_SRS].ntp = ntp_middle;
  srs->srs[srs->n % RCC_RTT_SRS].at = now;
  srs->n++;
}

RccTime
rcc_srs_find (const RccSrs *srs, uint32_t lsr)
{
  for (unsigned i = 1; i <= RCC_RTT_SRS && i <= srs->n; i++)
    if (srs->srs[(srs->n - i) % RCC_RTT_SRS].ntp == lsr)
      return srs->srs[(srs->n - i) % RCC_RTT_SRS].at;
  return RCC_NEVER;
}

void
rcc_rtt_init (RccRtt *r)
{
  *r = (RccRtt) { .last = RCC_NEVER, .smoothed = RCC_NEVER, .min = RCC_NEVER };
}

static int64_t
ntp_short_ns (uint32_t v)
{
  return (int64_t) (((uint64_t) v * RCC_SEC) >> 16);
}

static bool
subtract (int64_t age, uint32_t dlsr, RccTime *sample)
{
  const int64_t held = ntp_short_ns (dlsr);
  const int64_t tolerance = RCC_MAX (held / 1000, (int64_t) RCC_RTT_TOLERANCE);
  const int64_t rtt = age - held;

  if (rtt < -tolerance || rtt > (int64_t) RCC_RTT_MAX)
    return false;
  *sample = (RccTime) RCC_MAX (rtt, 0);
  return true;
}

/* Who begins to watch in the middle of a call hears echoes of what left just before,
 * until one of what was seen to leave comes back. */
static bool
may_be_older (const RccSrs *srs, uint32_t lsr)
{
  return !srs->echoed && lsr != srs->first
      && ntp_short_ns (srs->first - lsr) <= (int64_t) RCC_RTT_MAX;
}

/* Forgotten by now, if its own time is to be believed: no sample, but no forgery. */
static bool
may_be_forgotten (const RccSrs *srs, uint32_t lsr, uint32_t dlsr, RccTime now)
{
  const unsigned oldest = (unsigned) (srs->n % RCC_RTT_SRS);
  RccTime sample;

  return srs->n > RCC_RTT_SRS && subtract ((int64_t) (now - srs->srs[oldest].at)
      + ntp_short_ns (srs->srs[oldest].ntp - lsr), dlsr, &sample);
}

RccEcho
rcc_rtt_judge (const RccSrs *srs, RccTime at, uint32_t lsr, uint32_t dlsr,
    uint32_t wall, RccTime now, RccTime *sample)
{
  *sample = RCC_NEVER;
  if (lsr == 0)
    return RCC_ECHO_NONE;
  if (at != RCC_NEVER)
    return subtract ((int64_t) (now - at), dlsr, sample) ? RCC_ECHO_SAMPLE
        : RCC_ECHO_FORGED;
  if (srs->n == 0)
    return wall != 0 && subtract (ntp_short_ns (wall - lsr), dlsr, sample)
        ? RCC_ECHO_SAMPLE : RCC_ECHO_UNKNOWN;
  return may_be_older (srs, lsr) || may_be_forgotten (srs, lsr, dlsr, now)
      ? RCC_ECHO_UNKNOWN : RCC_ECHO_FORGED;
}

void
rcc_rtt_take (RccRtt *r, RccSrs *srs, RccEcho echo, RccTime sample)
{
  if (echo != RCC_ECHO_SAMPLE) {
    r->refused += echo != RCC_ECHO_NONE;
    return;
  }
  srs->echoed |= srs->n > 0;
  r->last = sample;
  /* RFC 8083 3: Tr = 0.8 Tr + 0.2 Tr_new */
  r->smoothed = r->samples++ ? (r->smoothed * 4 + r->last) / 5 : r->last;
  r->min = RCC_MIN (r->min, r->last);
}
