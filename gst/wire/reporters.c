/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire/reporters.h"

#include <string.h>

#define REMB_INTERVALS 5                /* without a REMB: it asks for nothing any more */
#define REMB_LEAST (2 * RCC_SEC)
#define REMB_MOST (15 * RCC_SEC)
#define REMB_ONCE (5 * RCC_SEC)
#define SOURCE_INTERVALS 4              /* without a message: another may tell */
#define SOURCE_LEAST (250 * RCC_MSEC)
#define SOURCE_MOST (2 * RCC_SEC)
#define INTERVAL_MEMORY 0.75            /* per message */
#define PROBATION (200 * RCC_MSEC)      /* and ... */
#define PROBATION_MESSAGES 3
#define UNHEARD (5 * RCC_SEC)           /* and ... */
#define UNHEARD_MESSAGES 5

void
rcc_reporters_init (RccReporters *r)
{
  memset (r, 0, sizeof *r);
}

static bool
is_there (const RccReporterEntry *e, RccTime now)
{
  return e->proved != RCC_NEVER && now < e->proved + RCC_REPORTER_KEEP;
}

static RccReporterEntry *
find (RccReporters *r, uint32_t ssrc)
{
  for (unsigned i = 0; i < r->n; i++)
    if (r->entries[i].ssrc == ssrc)
      return &r->entries[i];
  return NULL;
}

static const RccReporterEntry *
find_there (const RccReporters *r, uint32_t ssrc, RccTime now)
{
  for (unsigned i = 0; i < r->n; i++)
    if (r->entries[i].ssrc == ssrc && is_there (&r->entries[i], now))
      return &r->entries[i];
  return NULL;
}

static bool
anybody_echoed (const RccReporters *r, RccTime now)
{
  for (unsigned i = 0; i < r->n; i++)
    if (r->entries[i].echoed && is_there (&r->entries[i], now))
      return true;
  return false;
}

static bool
source_is_there (const RccReporters *r, RccTime now)
{
  const RccTime keep = r->source.interval == 0 ? SOURCE_MOST
      : RCC_CLAMP (SOURCE_INTERVALS * r->source.interval, SOURCE_LEAST, SOURCE_MOST);

  return r->source.known && now < r->source.heard + keep;
}

static bool
limit_holds (const RccReporterEntry *e, RccLimitKind kind, RccTime now)
{
  const RccTime interval = e->limits[kind].interval;

  if (e->limits[kind].bps == UINT64_MAX)
    return false;
  if (kind == RCC_LIMIT_TMMBR)
    return now < e->limits[kind].at + RCC_REPORTER_KEEP || is_there (e, now);
  return now < e->limits[kind].at + (interval == 0 ? REMB_ONCE
      : RCC_CLAMP (REMB_INTERVALS * interval, REMB_LEAST, REMB_MOST));
}

/* With limits, for long enough not to be a guess. */
static bool
goes_on (const RccReporterEntry *e, RccTime now)
{
  for (unsigned k = 0; k < RCC_LIMITS; k++)
    if (limit_holds (e, (RccLimitKind) k, now) && e->limits[k].times >= PROBATION_MESSAGES
        && e->limits[k].at >= e->limiting + PROBATION)
      return true;
  return false;
}

static bool
stays (const RccReporters *r, const RccReporterEntry *e, RccTime now)
{
  return (e->echoed && is_there (e, now)) || goes_on (e, now)
      || (source_is_there (r, now) && r->source.ssrc == e->ssrc);
}

/* Who is listened to makes no room for who is not; then the one heard longest ago goes. */
static bool
goes_first (const RccReporters *r, const RccReporterEntry *a, const RccReporterEntry *b,
    RccTime now)
{
  const bool a_stays = stays (r, a, now), b_stays = stays (r, b, now);

  return a_stays != b_stays ? b_stays : a->heard < b->heard;
}

static RccReporterEntry *
entry (RccReporters *r, uint32_t ssrc, RccTime now)
{
  RccReporterEntry *e = find (r, ssrc);

  if (e)
    return e;
  e = &r->entries[0];
  for (unsigned i = 1; i < r->n; i++)
    if (goes_first (r, &r->entries[i], e, now))
      e = &r->entries[i];
  if (r->n < RCC_REPORTERS)
    e = &r->entries[r->n++];
  *e = (RccReporterEntry) { .ssrc = ssrc, .proved = RCC_NEVER, .probation = RCC_NEVER };
  for (unsigned k = 0; k < RCC_LIMITS; k++)
    e->limits[k].bps = UINT64_MAX;
  return e;
}

void
rcc_reporters_proved (RccReporters *r, uint32_t ssrc, RccProof proof, RccTime now)
{
  RccReporterEntry *e = entry (r, ssrc, now);

  /* an echo proves who it was then; a reporter that has left begins anew */
  e->echoed = proof == RCC_PROOF_ECHO || (e->echoed && is_there (e, now));
  e->proved = e->heard = now;
}

bool
rcc_reporters_trusts (const RccReporters *r, uint32_t ssrc, RccTime now)
{
  const RccReporterEntry *e = find_there (r, ssrc, now);

  return e && (e->echoed || !anybody_echoed (r, now));
}

bool
rcc_reporters_any (const RccReporters *r, RccTime now)
{
  for (unsigned i = 0; i < r->n; i++)
    if (is_there (&r->entries[i], now))
      return true;
  return false;
}

void
rcc_reporters_ignore (RccReporters *r, RccTime now)
{
  r->unproven++;
  if (rcc_reporters_any (r, now))
    r->unheard.n = 0;
  else if (r->unheard.n++ == 0)
    r->unheard.since = now;
}

bool
rcc_reporters_unheard (RccReporters *r, RccTime now)
{
  if (r->unheard.said || r->unheard.n < UNHEARD_MESSAGES || now < r->unheard.since + UNHEARD
      || rcc_reporters_any (r, now))
    return false;
  return r->unheard.said = true;
}

/* --- single packets ------------------------------------------------------- */

static bool
has_echoed (const RccReporters *r, uint32_t ssrc, RccTime now)
{
  const RccReporterEntry *e = find_there (r, ssrc, now);

  return e && e->echoed;
}

/* Who has echoed no SR, while somebody has, must have told of what is in flight for a
 * while. */
static bool
has_proved_enough (const RccReporters *r, const RccReporterEntry *e, RccTime now)
{
  return e->echoed || !anybody_echoed (r, now)
      || (e->reported >= PROBATION_MESSAGES && now >= e->probation + PROBATION);
}

static const RccReporterEntry *
note_reported (RccReporters *r, uint32_t ssrc, RccTime now)
{
  RccReporterEntry *e;

  rcc_reporters_proved (r, ssrc, RCC_PROOF_COUNT, now);
  e = find (r, ssrc);
  if (e->probation == RCC_NEVER)
    e->probation = now;
  e->reported++;
  return e;
}

/* Feedback may come from another SSRC than reports do (pion). */
static bool
may_tell (RccReporters *r, uint32_t ssrc, bool proved, RccTime now)
{
  return proved && has_proved_enough (r, note_reported (r, ssrc, now), now);
}

/* Nobody has echoed an SR, and somebody else with a proof goes on with limits.  Who tells of
 * packets then is heard once an SR was echoed, or the limits have ended. */
static bool
is_late_comer (const RccReporters *r, uint32_t ssrc, RccTime now)
{
  if (anybody_echoed (r, now))
    return false;
  for (unsigned i = 0; i < r->n; i++)
    if (r->entries[i].ssrc != ssrc && is_there (&r->entries[i], now)
        && goes_on (&r->entries[i], now))
      return true;
  return false;
}

static void
note_interval (RccReporters *r, RccTime now)
{
  const RccTime gap = RCC_MIN (now - r->source.heard, SOURCE_MOST);

  r->source.interval = RCC_MAX (gap,
      (RccTime) (INTERVAL_MEMORY * (double) r->source.interval));
  r->source.heard = now;
}

RccFeedbackSource
rcc_reporters_tells (RccReporters *r, uint32_t ssrc, uint8_t format, bool proved, RccTime now)
{
  const bool same = r->source.known && r->source.ssrc == ssrc && r->source.format == format;
  const bool known = r->source.known;

  if (same && (proved || source_is_there (r, now))) {
    if (proved) {
      note_reported (r, ssrc, now);
      note_interval (r, now);
    }
    return RCC_SOURCE_SAME;
  }
  if ((source_is_there (r, now)
          && (has_echoed (r, r->source.ssrc, now) || !has_echoed (r, ssrc, now)
              || r->source.ssrc == ssrc))
      || is_late_comer (r, ssrc, now) || !may_tell (r, ssrc, proved, now)) {
    rcc_reporters_ignore (r, now);
    return RCC_SOURCE_IGNORED;
  }
  r->source.known = true;
  r->source.ssrc = ssrc;
  r->source.format = format;
  r->source.heard = now;
  r->source.interval = 0;
  return known ? RCC_SOURCE_NEW : RCC_SOURCE_SAME;
}

/* --- limits --------------------------------------------------------------- */

static uint64_t
limit_of (const RccReporterEntry *e, RccTime now)
{
  uint64_t bps = UINT64_MAX;

  for (unsigned k = 0; k < RCC_LIMITS; k++)
    if (limit_holds (e, (RccLimitKind) k, now))
      bps = RCC_MIN (bps, e->limits[k].bps);
  return bps;
}

/* Somebody who has proved something tells how fast we may send. */
static bool
is_reported_by_proof (const RccReporters *r, RccTime now)
{
  const RccReporterEntry *source = find_there (r, r->source.ssrc, now);

  if (source && source_is_there (r, now) && has_proved_enough (r, source, now))
    return true;
  for (unsigned i = 0; i < r->n; i++)
    if (rcc_reporters_trusts (r, r->entries[i].ssrc, now)
        && limit_of (&r->entries[i], now) != UINT64_MAX)
      return true;
  return false;
}

/* Of those without a proof: who goes on with limits, the first of them; NULL: nobody yet. */
static const RccReporterEntry *
limiter (const RccReporters *r, RccTime now)
{
  const RccReporterEntry *first = NULL;

  for (unsigned i = 0; i < r->n; i++) {
    const RccReporterEntry *e = &r->entries[i];

    if (goes_on (e, now) && (!first || e->limiting < first->limiting))
      first = e;
  }
  return first;
}

static bool
may_limit (const RccReporters *r, uint32_t ssrc, RccTime now)
{
  const RccReporterEntry *first;

  if (rcc_reporters_trusts (r, ssrc, now))
    return true;
  if (is_reported_by_proof (r, now))
    return false;
  first = limiter (r, now);
  return !first || first->ssrc == ssrc;
}

bool
rcc_reporters_limit (RccReporters *r, uint32_t ssrc, RccLimitKind kind, uint64_t bps,
    RccTime now)
{
  RccReporterEntry *e;
  RccTime gap;

  if (!may_limit (r, ssrc, now)) {
    rcc_reporters_ignore (r, now);
    return false;
  }
  e = entry (r, ssrc, now);
  if (limit_of (e, now) == UINT64_MAX) {
    e->limiting = now;
    e->limits[RCC_LIMIT_REMB].times = e->limits[RCC_LIMIT_TMMBR].times = 0;
  }
  gap = e->limits[kind].bps == UINT64_MAX ? 0 : now - e->limits[kind].at;
  e->heard = now;
  e->limits[kind].interval = RCC_MAX (RCC_MIN (gap, REMB_MOST),
      (RccTime) (INTERVAL_MEMORY * (double) e->limits[kind].interval));
  e->limits[kind].bps = bps;
  e->limits[kind].at = now;
  e->limits[kind].times++;
  return true;
}

/* Of those without a proof the one that goes on, or while there is none yet the mildest of what
 * is said. Who only guesses must not be able to hold a call down. */
static uint64_t
unproven_bps (const RccReporters *r, RccTime now)
{
  const RccReporterEntry *first = limiter (r, now);
  uint64_t bps = 0;
  bool any = false;

  if (first)
    return limit_of (first, now);
  for (unsigned i = 0; i < r->n; i++) {
    const uint64_t one = limit_of (&r->entries[i], now);

    any |= one != UINT64_MAX;
    bps = one == UINT64_MAX ? bps : RCC_MAX (bps, one);
  }
  return any ? bps : UINT64_MAX;
}

uint64_t
rcc_reporters_limit_bps (const RccReporters *r, RccTime now)
{
  uint64_t bps = UINT64_MAX;

  if (!is_reported_by_proof (r, now))
    return unproven_bps (r, now);
  for (unsigned i = 0; i < r->n; i++)
    if (rcc_reporters_trusts (r, r->entries[i].ssrc, now))
      bps = RCC_MIN (bps, limit_of (&r->entries[i], now));
  return bps;
}
