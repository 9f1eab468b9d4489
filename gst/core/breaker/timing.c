/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * RFC 8083 3: the sender works out the receiver's Td as RFC 3550 6.2 does. For that it has the
 * mean size of what comes in, the members in the report blocks, and whether the receiver sends
 * too. What the RFC leaves open, the session's bandwidth and Tmin, comes from what is seen where
 * nobody says it:
 * - the bandwidth is what is sent, at least 64 kbit/s. A sender that pauses is no session without
 *   bandwidth, and Td SHOULD NOT be beyond 5 s (4.1);
 * - reports that come far more often than Tmin = 5 s allows for show another Tmin (6.2's reduced
 *   minimum, AVPF). CB_INTERVAL is a number of reports. With Tdr believed to be 5 s it would be
 *   3. Where they come each second that is 3 s instead of 15 s.
 * Only compounds with a block about us count. So who knows no SSRC of ours cannot stretch Td with
 * long ones, spoofed from off the path (C10 of what must be survived).
 */
#include "core/breaker/timing.h"

#include <string.h>

#define LONGEST (3600 * RCC_SEC)
#define DRAFT_REPORTS 2                 /* the LTE paper, II */
#define MARK_EVERY (5 * RCC_SEC)
#define RATE_OVER RCC_SEC               /* less shows no rate */
#define LEAST_BPS 64000.0
#define OBSERVED_AFTER 4                /* intervals */
#define OBSERVER_GONE (3 * RCC_RTCP_TMIN)
#define MEMBERS_MOST 100000u

static uint64_t
ceil_div (uint64_t a, uint64_t b)
{
  return a / b + (a % b != 0);
}

static RccTime
or_none (RccTime t)
{
  return t == RCC_NEVER ? 0 : RCC_MIN (t, LONGEST);
}

/* 4.3, in ns, so that 15 s / 5 s is 3.  G Tf beyond an hour makes no difference. */
uint32_t
rcc_breaker_cb_interval (const RccBreakerTerms *terms, RccTime tf, RccTime tr)
{
  const RccBreakerConfig *c = terms->config;
  const RccTime tdr = RCC_MAX (terms->tdr, c->rr_interval);
  const RccTime gtf = or_none (tf) > LONGEST / c->frame_group ? LONGEST
      : or_none (tf) * c->frame_group;
  const RccTime react = RCC_MAX (RCC_MAX (10 * gtf, 10 * or_none (tr)), 3 * tdr);
  const RccTime span = RCC_MIN (react, RCC_MAX (15 * RCC_SEC, 3 * terms->td));

  if (c->mode == RCC_BREAKER_DRAFT2014)
    return DRAFT_REPORTS;
  return (uint32_t) RCC_CLAMP (ceil_div (3 * span, 3 * tdr), 1, RCC_BREAKER_INTERVALS - 1);
}

/* 4.2 */
uint32_t
rcc_breaker_media_timeout (const RccBreakerTerms *terms, RccTime tf, RccTime tr)
{
  const uint64_t k = terms->config->media_timeout_reports;
  const RccTime longest = RCC_MAX (RCC_MAX (or_none (tf), or_none (tr)), terms->tdr);

  if (terms->config->mode == RCC_BREAKER_DRAFT2014)
    return (uint32_t) k;
  return (uint32_t) RCC_MIN (ceil_div (k * longest, terms->tdr), UINT32_MAX);
}

void
rcc_breaker_timing_init (RccBreakerTiming *t, const RccBreakerConfig *config)
{
  memset (t, 0, sizeof *t);
  t->observed = t->arrived = RCC_NEVER;
  rcc_breaker_timing_update (t, config);
}

void
rcc_breaker_timing_start (RccBreakerTiming *t, uint64_t bytes, RccTime now)
{
  for (int i = 0; i < 2; i++) {
    t->marks[i].at = now;
    t->marks[i].bytes = bytes;
  }
}

static void
measure_rate (RccBreakerTiming *t, uint64_t bytes, RccTime now)
{
  const RccTime span = now > t->marks[0].at ? now - t->marks[0].at : 0;

  if (span >= RATE_OVER)
    t->sent_bps = 8e9 * (double) (bytes - t->marks[0].bytes) / (double) span;
  if (now > t->marks[1].at && now - t->marks[1].at >= MARK_EVERY) {
    t->marks[0] = t->marks[1];
    t->marks[1].at = now;
    t->marks[1].bytes = bytes;
  }
}

/* The mean without the longest one: an outage of the return path is no interval. */
static RccTime
mean_interval (const RccBreakerTiming *t)
{
  const uint64_t n = RCC_MIN (t->n_intervals, RCC_BREAKER_ARRIVALS);
  RccTime sum = 0, longest = 0;

  if (n < OBSERVED_AFTER)
    return RCC_NEVER;
  for (uint64_t i = 0; i < n; i++) {
    sum += t->intervals[i];
    longest = RCC_MAX (longest, t->intervals[i]);
  }
  return (sum - longest) / (n - 1);
}

/* Only compounds with a block about us, and those of one reporter. Feedback in between may carry
 * an empty RR (RFC 4585 3.1), and other receivers have intervals of their own. */
static void
observe (RccBreakerTiming *t, uint32_t reporter, RccTime now)
{
  RccTime interval;

  if (t->arrived != RCC_NEVER && reporter != t->observer
      && now - t->arrived <= OBSERVER_GONE)
    return;
  if (t->arrived == RCC_NEVER || reporter != t->observer) {
    t->observer = reporter;
    t->arrived = now;
    t->n_intervals = 0;
    t->observed = RCC_NEVER;
    return;
  }
  interval = now > t->arrived ? now - t->arrived : 0;
  if (interval < RCC_BREAKER_MIN_INTERVAL)
    return;
  t->intervals[t->n_intervals++ % RCC_BREAKER_ARRIVALS] = RCC_MIN (interval, LONGEST);
  t->arrived = now;
  t->observed = mean_interval (t);
}

void
rcc_breaker_timing_update (RccBreakerTiming *t, const RccBreakerConfig *config)
{
  const bool automatic = config->rtcp_min_interval == RCC_NEVER;
  const double sent = RCC_MAX (t->sent_bps, LEAST_BPS);
  const double bps = config->bandwidth_bps ? config->bandwidth_bps : sent;
  RccRtcpSession session = t->session;

  session.average_size = t->rtcp_size;
  session.bandwidth = config->rtcp_fraction * bps / 8;
  session.tmin = automatic ? RCC_RTCP_TMIN : config->rtcp_min_interval;
  t->tdr = rcc_rtcp_interval (&session);
  /* RFC 3550 6.3.1 draws intervals at random: a mean a little less says nothing */
  if (automatic && t->observed != RCC_NEVER && t->observed < t->tdr / 4 * 3)
    t->tdr = t->observed;
  t->tdr = RCC_MAX (t->tdr, RCC_BREAKER_MIN_INTERVAL);
  session.we_sent = true;
  session.tmin = RCC_RTCP_TMIN;
  t->td = rcc_rtcp_interval (&session);
}

void
rcc_breaker_timing_rtcp (RccBreakerTiming *t, const RccBreakerConfig *config,
    const RccRtcp *rtcp, const uint32_t *reporter, uint64_t bytes, RccTime now)
{
  const unsigned blocks = RCC_MIN (rtcp->n_blocks, MEMBERS_MOST);
  const unsigned reporters = RCC_MIN (rtcp->n_reporters, MEMBERS_MOST);

  measure_rate (t, bytes, now);
  if (reporter) {
    t->rtcp_size = rcc_rtcp_average_size (t->rtcp_size, rtcp->size);
    observe (t, *reporter, now);
    t->session.members = blocks + reporters;
    t->session.senders = blocks + rtcp->from_sender;
    t->session.we_sent = rtcp->from_sender;
  }
  rcc_breaker_timing_update (t, config);
}
