/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * xr-rig.h - what a receiver has seen of N packets, as blocks of an extended report
 */
#ifndef XR_RIG_H
#define XR_RIG_H

#include "feedback-rig.h"
#include "wire/xr-rle.h"
#include "wire/xr-times.h"

#define MS RCC_MSEC
#define N 64                            /* packets that one report speaks of */
#define CLOCK (500000 * RCC_SEC)        /* the receiver's, ahead of ours */

enum { LOSS = 1, LATE = 2, EARLY = 4, TIMES = 8 };

/* What the receiver has seen of a stream's numbers, modulo 65536. */
typedef struct {
  guint32 ssrc, rate;
  gboolean lost[N], late[N], early[N];
  RccTime arrived[N];                   /* its clock */
  guint16 begin;
} Seen;

static guint8 out[3000];
static gsize used;

G_GNUC_UNUSED static bool
received (void *user, uint16_t seq)
{
  const Seen *seen = (const Seen *) user;

  return !seen->lost[(guint16) (seq - seen->begin)];
}

G_GNUC_UNUSED static bool
was_late (void *user, uint16_t seq)
{
  const Seen *seen = (const Seen *) user;

  return seen->late[(guint16) (seq - seen->begin)];
}

G_GNUC_UNUSED static bool
was_early (void *user, uint16_t seq)
{
  const Seen *seen = (const Seen *) user;

  return seen->early[(guint16) (seq - seen->begin)];
}

G_GNUC_UNUSED static bool
when (void *user, uint16_t seq, uint32_t *ticks)
{
  const Seen *seen = (const Seen *) user;
  const guint i = (guint16) (seq - seen->begin);

  *ticks = rcc_xr_ticks (seen->arrived[i], seen->rate);
  return !seen->lost[i];
}

G_GNUC_UNUSED static void
say (Seen *seen, guint what)
{
  RccXrRle rle = { .range = { seen->ssrc, seen->begin, (guint16) (seen->begin + N), 0 } };
  guint16 end;

  if (what & LOSS)
    used = rcc_xr_rle_add (ALL (out), used, &rle, received, seen, &end);
  rle.discard = true;
  if (what & LATE)
    used = rcc_xr_rle_add (ALL (out), used, &rle, was_late, seen, &end);
  rle.early = true;
  if (what & EARLY)
    used = rcc_xr_rle_add (ALL (out), used, &rle, was_early, seen, &end);
  if (what & TIMES)
    used = rcc_xr_times_add (ALL (out), used, &rle.range, when, seen, &end);
  g_assert_cmpuint (used, >, 0);
}

G_GNUC_UNUSED static void
begin (void)
{
  used = rcc_xr_begin (ALL (out), PEER);
}

/* The @i-th packet of a stream, there after 50 ms. */
G_GNUC_UNUSED static void
leave (Seen *seen, guint i, RccTime at)
{
  sent (seen->ssrc, (guint16) (seen->begin + i), -1, at);
  seen->arrived[i] = CLOCK + at + 50 * MS;
}

/* N packets of the stream, @gap apart. */
G_GNUC_UNUSED static Seen
send (guint32 ssrc, guint32 rate, guint16 first, RccTime from, RccTime gap)
{
  Seen seen = { .ssrc = ssrc, .rate = rate, .begin = first };

  for (guint i = 0; i < N; i++)
    leave (&seen, i, from + i * gap);
  return seen;
}

#endif
