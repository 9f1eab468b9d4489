/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/rtt.h"

#define LOG_BYTES (128u << 10)          /* 4096 SRs: of 64 streams, one each 50 ms, 3 s */

void
rcc_sr_log_init (RccSrLog *log, RccResize resize)
{
  rcc_log_init (log, sizeof (RccLogKey), RCC_RTT_MAX, LOG_BYTES, resize);
}

void
rcc_srs_init (RccSrs *srs, uint32_t source)
{
  *srs = (RccSrs) { .source = source };
}

void
rcc_srs_sent (RccSrLog *log, RccSrs *srs, uint32_t ntp_middle, RccTime now)
{
  if (srs->n++ == 0)
    srs->first = ntp_middle;
  rcc_log_add (log, srs->source, ntp_middle, now);
}

RccTime
rcc_srs_find (const RccSrLog *log, const RccSrs *srs, uint32_t lsr)
{
  const RccLogKey *sr = rcc_log_find (log, srs->source, lsr);

  return sr ? sr->at : RCC_NEVER;
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

/* Who begins to watch in the middle of a call hears echoes of what left just before. That ends
 * when one of what was seen to leave comes back. */
static bool
may_be_older (const RccSrs *srs, uint32_t lsr)
{
  return !srs->echoed && lsr != srs->first
      && ntp_short_ns (srs->first - lsr) <= (int64_t) RCC_RTT_MAX;
}

/* Seen to leave and forgotten by now, if its own time is to be believed: no sample, but no
 * forgery.  All sources' NTP times are of one clock. */
static bool
may_be_forgotten (const RccSrLog *log, const RccSrs *srs, uint32_t lsr, uint32_t dlsr,
    RccTime now)
{
  const RccLogKey *oldest;
  RccTime sample;

  if (log->live == 0 || log->places == log->live || (int32_t) (lsr - srs->first) < 0)
    return false;
  oldest = rcc_log_at (log, rcc_log_first (log));
  return subtract ((int64_t) (now - oldest->at)
      + ntp_short_ns ((uint32_t) oldest->number - lsr), dlsr, &sample);
}

RccEcho
rcc_rtt_judge (const RccSrLog *log, const RccSrs *srs, RccTime at, uint32_t lsr,
    uint32_t dlsr, uint32_t ntp_middle, RccTime now, RccTime *sample)
{
  *sample = RCC_NEVER;
  if (lsr == 0)
    return RCC_ECHO_NONE;
  if (at != RCC_NEVER)
    return subtract ((int64_t) (now - at), dlsr, sample) ? RCC_ECHO_SAMPLE
        : RCC_ECHO_FORGED;
  if (srs->n == 0)
    return ntp_middle != 0 && subtract (ntp_short_ns (ntp_middle - lsr), dlsr, sample)
        ? RCC_ECHO_SAMPLE : RCC_ECHO_UNKNOWN;
  return may_be_older (srs, lsr) || may_be_forgotten (log, srs, lsr, dlsr, now)
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
