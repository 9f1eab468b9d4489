/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire/sendtime-finder.h"

#define WRAP ((int64_t) RCC_SENDTIME_WRAP)
#define STEP ((int64_t) RCC_MSEC)       /* by which value and clock advance together */
#define STEPS 8
#define SPREADS 4
#define MISSES 8                        /* in a row, and it is something else */
#define OLD (4 << 18)                   /* ticks of 2^-18 s: a retransmission's stamp */
#define AHEAD (1 << 16)                 /* ticks */
#define DRIFT ((int64_t) (10 * RCC_USEC))       /* a packet, 300 ppm of 30 packets/s */
#define SILENT (2 * RCC_SEC)            /* an SSRC that is left for another */

const RccSendTimeEvidence rcc_sendtime_received = { 20, RCC_SEC / 2, RCC_SEC / 2 };
const RccSendTimeEvidence rcc_sendtime_sent = { 30, RCC_SEC / 2, RCC_SEC / 20 };

void
rcc_sendtime_finder_init (RccSendTimeFinder *f, const RccSendTimeEvidence *evidence)
{
  *f = (RccSendTimeFinder) { .evidence = evidence };
}

/* @t modulo 64 s, nearest to 0. */
static int64_t
nearest (int64_t t)
{
  t %= WRAP;
  return t >= WRAP / 2 ? t - WRAP : t < -WRAP / 2 ? t + WRAP : t;
}

/* @value's clock less ours. */
static int64_t
ahead_of (RccBytes value, RccTime now)
{
  return nearest (rcc_abs_send_time_to_ns (rcc_be24 (value.data))
      - (int64_t) (now % (RccTime) WRAP));
}

static void
start (RccSendTimeCandidate *c, uint8_t id, uint32_t ssrc, int64_t ahead, RccTime now)
{
  *c = (RccSendTimeCandidate) { .id = id, .ssrc = ssrc, .packets = 1, .first = now, .last = now,
    .anchor = ahead, .stepped_at = now };
}

/* The one of @id, or a free one, or the one that was silent for longest. */
static RccSendTimeCandidate *
candidate_of (RccSendTimeFinder *f, uint8_t id)
{
  RccSendTimeCandidate *place = &f->candidates[0];

  for (unsigned i = 0; i < RCC_SENDTIME_CANDIDATES; i++) {
    RccSendTimeCandidate *c = &f->candidates[i];

    if (c->id == id)
      return c;
    if (c->id == 0 ? place->id != 0 : place->id != 0 && c->last < place->last)
      place = c;
  }
  place->id = 0;
  return place;
}

/* The packet fits the row, or another row begins with it. */
static void
follow (RccSendTimeCandidate *c, int64_t ahead, RccTime spread, RccTime now)
{
  const int64_t moved = nearest (ahead - c->anchor);
  const int64_t least = RCC_MIN (c->least, moved), most = RCC_MAX (c->most, moved);
  const int64_t at = (int64_t) (now - c->first) + moved;

  if (most - least > (int64_t) spread) {
    start (c, c->id, c->ssrc, ahead, now);
    return;
  }
  c->least = least;
  c->most = most;
  c->last = now;
  c->packets++;
  if (at - c->stepped >= STEP && now - c->stepped_at >= (RccTime) STEP) {
    c->stepped = at;
    c->stepped_at = now;
    c->steps++;
  }
}

static bool
is_found (const RccSendTimeCandidate *c, const RccSendTimeEvidence *e)
{
  const RccTime span = c->last - c->first;

  return c->packets >= e->packets && c->steps >= STEPS && span >= e->span
      && span >= SPREADS * (RccTime) (c->most - c->least);
}

static void
look_at (RccSendTimeFinder *f, uint8_t id, uint32_t ssrc, RccBytes value, RccTime now)
{
  RccSendTimeCandidate *c = candidate_of (f, id);
  const int64_t ahead = ahead_of (value, now);

  if (c->id == 0 || now < c->last || now - c->last > SILENT)
    start (c, id, ssrc, ahead, now);
  else if (c->ssrc == ssrc)
    follow (c, ahead, f->evidence->spread, now);
  if (!is_found (c, f->evidence))
    return;
  f->id = id;
  f->offset = c->anchor + c->most;
  f->misses = 0;
}

uint8_t
rcc_sendtime_finder_look (RccSendTimeFinder *f, const RccRtp *rtp, RccTime now)
{
  RccBytes rest = { 0 }, value, only;
  uint8_t id;

  while (f->id == 0 && rcc_rtp_ext_next (rtp, &rest, &id, &value))
    if (value.size == RCC_ABS_SEND_TIME_SIZE && rcc_rtp_ext (rtp, id, &only))
      look_at (f, id, rtp->ssrc, value, now);
  return f->id;
}

/* How many ticks @value is behind the found clock; all 24 bits wrap as that does. */
static int32_t
ticks_late (const RccSendTimeFinder *f, RccBytes value, RccTime now)
{
  const uint32_t ticks = rcc_abs_send_time (rcc_sendtime_finder_time (f, now));

  return (int32_t) ((ticks - rcc_be24 (value.data)) << 8) / 256;
}

bool
rcc_sendtime_finder_fits (RccSendTimeFinder *f, RccBytes value, RccTime now)
{
  const int32_t late = ticks_late (f, value, now);

  if (late <= OLD && late >= -AHEAD) {
    f->misses = 0;
    if (late != 0)
      f->offset = nearest (f->offset - RCC_MIN (rcc_abs_send_time_to_ns (late), DRIFT));
    return true;
  }
  if (++f->misses >= MISSES)
    rcc_sendtime_finder_init (f, f->evidence);
  return false;
}
