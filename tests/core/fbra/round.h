/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fbra-round.h - FBRA told of rounds of ten packets and a report, for its tests
 */
#ifndef FBRA_ROUND_H
#define FBRA_ROUND_H

#include <math.h>
#include <glib.h>
#include "core/fbra/fbra.h"

#define MS RCC_MSEC
#define DELAY (50 * MS)
#define ROUND (200 * MS)                /* between reports, ten packets each */

static const RccConfig limits = { 10000, 100000, 2000000 };
static const RccRtcp rtcp = { .about_us = true, .from_reporter = true, .n_reporters = 1 };

static RccFbra f;
static RccTime now, reported;           /* the sender's; of the last report */
static gint64 seq;

G_GNUC_UNUSED static void
start_with (RccFbraConfig config, RccConfig l)
{
  rcc_fbra_init (&f, &config, &l);
  now = 100 * RCC_SEC;
  reported = seq = 0;
}

G_GNUC_UNUSED static void
start (void)
{
  start_with (rcc_fbra_config (), limits);
}

typedef struct {
  guint lost;                           /* bits: of the ten packets, 1 << 0 the first */
  guint late;
  guint parity;
  RccTime queue;
  double used;                          /* of the rate; 0: all of it */
  RccTime after;                        /* the report comes so long after the last; 0: ROUND */
} Round;

/* Ten packets leave over a round of the media rate that stands, and a report comes. */
G_GNUC_UNUSED static RccUpdate
round_of (Round r)
{
  const RccTime spacing = (r.after ? r.after : ROUND) / 10;
  const double media = (r.used > 0 ? r.used : 1.0) * (f.target_bps - f.fec_bps);
  const RccReport report = { .highest_seq = seq + 9, .expected = 10, .rtt = 2 * DELAY };
  RccPacket p[10];
  RccUpdate u;

  for (guint i = 0; i < 10; i++) {
    const gboolean gone = r.lost >> i & 1;

    p[i] = (RccPacket) { .seq = seq++, .size = (guint32) (media * (double) spacing / 8e9),
      .sent = now + i * spacing };
    p[i].arrived = gone ? RCC_NEVER : p[i].sent + DELAY + r.queue;
    p[i].flags = (r.late >> i & 1 ? RCC_PACKET_LATE : 0)
        | (r.parity >> i & 1 ? RCC_PACKET_PARITY : 0);
    rcc_tell (&f.sender, on_sent, &p[i]);
  }
  now += 10 * spacing;
  /* a round trip after the last of them */
  reported = MAX (reported, now + 2 * DELAY + r.queue);
  rcc_tell (&f.sender, on_report, &report, reported);
  rcc_tell (&f.sender, on_feedback, p, 10, reported);
  u = rcc_tell (&f.sender, on_rtcp, &rtcp, reported);
  if (u.changed) {                      /* whatever changes says why */
    g_assert_nonnull (u.reason);
    g_assert_cmpstr (u.reason, !=, "");
  }
  return u;
}

#define ROUND_OF(...) round_of ((Round) { __VA_ARGS__ })
#define CLEAN (Round) { 0 }

G_GNUC_UNUSED static void
rounds (guint n)
{
  while (n--)
    round_of (CLEAN);
}

/* STAY at the start's rate, with a history and no probe since. */
G_GNUC_UNUSED static void
settle (void)
{
  rounds (1);
  for (guint i = 0; i < 20; i++)
    ROUND_OF (.lost = 1 << 1);          /* early in the report: no probe */
  /* of which no delay was taken in: with one sample the next is a percentile itself */
  for (guint i = 0; i < 20; i++)
    rcc_owd_add (&f.owds, DELAY, now);
  g_assert_cmpstr (f.state_name, ==, "STAY");
  g_assert_cmpuint (f.target_bps, ==, 100000);
}

#endif
