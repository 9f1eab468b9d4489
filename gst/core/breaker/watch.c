/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * RFC 8083 4.5: "might find it beneficial to use this information to provide a user interface cue
 * that problems are occurring in advance of the circuit breaker triggering".
 */
#include "core/breaker/watch.h"

#include <string.h>

/* 4.1 and 4.3: SHOULD NOT be larger */
#define TD_MOST (5 * RCC_SEC)
#define RR_INTERVAL_MOST (4 * RCC_SEC)
/* RFC 3550 6.3.1 draws intervals of up to 1.5 Td / 1.21828: a mean beyond that is no chance */
#define OBSERVED_MOST (TD_MOST / 10 * 15 / 121828 * 100000)
/* A packet later than this after it was due to open: this host slept (breaker.c). */
#define LATE RCC_SEC

/* Reports with loss until a missing RTT is said: a first sender report may be lost by chance. */
#define BLIND_INTERVALS 3

enum { WARN_TD, WARN_TDR, WARN_RR_INTERVAL, WARN_RTT };

static RccTime
since (RccTime then, RccTime now)
{
  return now > then ? now - then : 0;
}

void
rcc_breaker_watch_init (RccBreakerWatch *w)
{
  memset (w, 0, sizeof *w);
}

static void
add (RccBreakerWatch *w, const RccBreakerNotice *notice)
{
  w->notices[w->n_notices++ % RCC_BREAKER_NOTICES] = *notice;
}

/* --- 4.1 ------------------------------------------------------------------- */

bool
rcc_breaker_watch_silence (RccBreakerWatch *w, const RccBreaker *b, RccTime now)
{
  const RccTime due = rcc_breaker_timeout_due (b);
  const bool is_near = due != RCC_NEVER && since (now, due) <= b->timing.td
      && since (due, now) <= LATE;
  const bool opened = b->state == RCC_BREAKER_OPEN && b->reason == RCC_BREAKER_RTCP_TIMEOUT;

  if (is_near != w->silent && (is_near || !opened))
    add (w, &(RccBreakerNotice) { .nearing = is_near, .reason = RCC_BREAKER_RTCP_TIMEOUT,
        .rtt = RCC_NEVER, .opens_in = is_near ? since (now, due) : 0 });
  w->silent = is_near;
  return w->notices_taken != w->n_notices;
}

/* --- 4.2 to 4.4 -------------------------------------------------------------- */

/* The core itself is asked what it would say to the newest interval once more.  So Mathis or
 * Padhye, the draft's rule and "no report decides alone" all hold here too. */
static bool
congestion_nears (const RccBreakerStream *s, const RccBreakerConfig *config)
{
  RccBreakerCongestion next = s->congestion;
  const uint64_t n = next.n_intervals;
  RccBreakerInterval again;

  if (n == 0)
    return false;
  again = next.intervals[(n - 1) % RCC_BREAKER_INTERVALS];
  if (!(again.fraction > 0) && !next.waiting)
    return false;
  if (again.rtt == RCC_NEVER)
    again.rtt = next.rtt;
  const int64_t lost = next.lost + (next.lost - again.lost_before);
  again.lost_before = next.lost;
  rcc_breaker_congestion_add (&next, &again, lost);
  return rcc_breaker_congestion_judge (&next, config, s->cb_interval, s->packet_size);
}

static RccTime
one_interval (const RccBreaker *b)
{
  return b->timing.observed != RCC_NEVER ? b->timing.observed : b->timing.tdr;
}

static RccBreakerReason
nears (RccBreakerWatch *w, unsigned place, const RccBreaker *b, RccTime now)
{
  const RccBreakerStream *s = &b->streams[place];

  if (s->congestion.n_intervals != w->streams[place].judged) {
    w->streams[place].judged = s->congestion.n_intervals;
    w->streams[place].congested = congestion_nears (s, &b->config);
  }
  if (!s->sending || s->state == RCC_BREAKER_OPEN)
    return RCC_BREAKER_NO_REASON;
  if (s->unreceived > 0 && s->unreceived + 1 >= s->media_timeout)
    return RCC_BREAKER_MEDIA_TIMEOUT;
  if (w->streams[place].congested)
    return RCC_BREAKER_CONGESTION;
  if (s->unusable_since != RCC_NEVER
      && since (s->unusable_since, now) + one_interval (b) >= b->config.unusable_time)
    return RCC_BREAKER_USABILITY;
  return RCC_BREAKER_NO_REASON;
}

static void
look_at (RccBreakerWatch *w, unsigned place, const RccBreaker *b, RccTime now)
{
  const RccBreakerStream *s = &b->streams[place];
  RccBreakerReason before, reason;

  if (w->streams[place].ssrc != s->ssrc) {
    memset (&w->streams[place], 0, sizeof w->streams[place]);
    w->streams[place].ssrc = s->ssrc;
  }
  before = w->streams[place].near;
  reason = nears (w, place, b, now);
  w->streams[place].near = reason;
  /* what has opened or was reduced has said so itself */
  if (reason == before || (!reason && s->state != RCC_BREAKER_CLOSED))
    return;
  add (w, &(RccBreakerNotice) { .nearing = reason != RCC_BREAKER_NO_REASON,
      .reason = reason ? reason : before, .ssrc = b->config.together ? 0 : s->ssrc,
      .loss = s->loss, .rtt = s->rtt, .tcp_bps = s->tcp_bps, .sent_bps = s->sent_bps,
      .opens_in = reason ? one_interval (b) : 0 });
}

/* --- limits ------------------------------------------------------------------ */

static void
warn (RccBreakerWatch *w, unsigned which, const RccBreakerWarning *warning)
{
  if (w->warned & 1u << which)
    return;
  w->warned |= 1u << which;
  add (w, &(RccBreakerNotice) { .warning = *warning });
}

static void
limit (RccBreakerWatch *w, unsigned which, const RccBreakerWarning *warning)
{
  if (warning->value > warning->limit)
    warn (w, which, warning);
}

static void
check_limits (RccBreakerWatch *w, const RccBreaker *b)
{
  const RccBreakerTiming *t = &b->timing;
  const RccTime seen = t->observed == RCC_NEVER || t->observed <= OBSERVED_MOST ? 0
      : t->observed;

  limit (w, WARN_TD, &(RccBreakerWarning) {
      "the RTCP bandwidth makes the RTCP reporting interval Td longer than it should be: if "
      "RTCP stays away, media goes on for three of them", "4.1", t->td, TD_MOST });
  limit (w, WARN_TDR, &(RccBreakerWarning) {
      "the receiver's RTCP reports are further apart than they should be: congestion is "
      "noticed late", "4.3", RCC_MAX (t->tdr, seen), TD_MOST });
  limit (w, WARN_RR_INTERVAL, &(RccBreakerWarning) {
      "T_rr_interval (rtcp-rr-interval) is longer than it should be: congestion is noticed "
      "late", "4.1, 4.3", b->config.rr_interval, RR_INTERVAL_MOST });
}

/* 4.3: X needs Tr, which only a report that answers a sender report tells.  Reports can
 * come several a second, sender reports each Td: three of these have to have had time. */
static void
check_rtt (RccBreakerWatch *w, const RccBreaker *b, const RccBreakerStream *s, RccTime now)
{
  const RccBreakerCongestion *c = &s->congestion;

  if (c->rtt != RCC_NEVER || c->n_intervals < BLIND_INTERVALS || !s->sending
      || now - s->started < BLIND_INTERVALS * b->timing.td)
    return;
  for (uint64_t n = c->n_intervals - BLIND_INTERVALS; n < c->n_intervals; n++)
    if (!(c->intervals[n % RCC_BREAKER_INTERVALS].fraction > 0))
      return;
  warn (w, WARN_RTT, &(RccBreakerWarning) {
      .text = "packets are lost, but no report tells the round-trip time, so congestion cannot "
      "be judged; see that the sender's RTCP passes send_rtcp_sink and reaches the receiver",
      .section = "4.3" });
}

bool
rcc_breaker_watch_look (RccBreakerWatch *w, const RccBreaker *b, RccTime now)
{
  for (unsigned i = 0; i < b->n_streams; i++) {
    look_at (w, i, b, now);
    check_rtt (w, b, &b->streams[i], now);
  }
  check_limits (w, b);
  return rcc_breaker_watch_silence (w, b, now);
}

bool
rcc_breaker_watch_take (RccBreakerWatch *w, RccBreakerNotice *notice)
{
  if (w->n_notices - w->notices_taken > RCC_BREAKER_NOTICES)
    w->notices_taken = w->n_notices - RCC_BREAKER_NOTICES;
  if (w->notices_taken == w->n_notices)
    return false;
  *notice = w->notices[w->notices_taken++ % RCC_BREAKER_NOTICES];
  return true;
}
