/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * One RccTfrc that is told of packets and reports.
 */
#ifndef TEST_TFRC_RIG_H
#define TEST_TFRC_RIG_H

#include "path.h"

#define NEAR(a, b) g_assert_cmpfloat_with_epsilon ((a), (b), 1e-6 * fabs (b) + 1e-9)
#define MS(n) ((n) * RCC_MSEC)

static const RccConfig limits = { 50000, 300000, 20000000 };
static const RccConfig boundless = { 0, 0, 2000000000 };

static RccTfrc t;

static inline void
start (void)
{
  RccTfrcConfig config = rcc_tfrc_config ();

  config.packet_size = SIZE;
  rcc_tfrc_init (&t, &config, &limits);
}

static inline void
sent (guint ms)
{
  rcc_tell (&t.sender, on_sent, &(RccPacket) { .size = SIZE, .sent = MS (ms) });
}

/* Packet @seq of stream @ssrc, sent at @ms and received @owd later (0: lost). */
static inline RccPacket
outcome (guint32 ssrc, gint64 seq, guint ms, guint owd)
{
  return (RccPacket) { .ssrc = ssrc, .seq = seq, .size = SIZE, .sent = MS (ms),
    .arrived = owd ? MS (ms + owd) : RCC_NEVER };
}

/* A message at @ms about @n packets in a row, 10 ms apart, the newest sent at @newest;
 * those whose bit is set in @lost (0: the oldest) are lost. */
static inline RccUpdate
feedback (gint64 seq, guint n, guint newest, guint64 lost, guint ms)
{
  RccPacket packets[64];

  for (guint i = 0; i < n; i++)
    packets[i] = outcome (1, seq + i, newest - 10 * (n - 1 - i), lost >> i & 1 ? 0 : 50);
  return rcc_tell (&t.sender, on_feedback, packets, n, MS (ms));
}

static inline RccUpdate
report (gint64 highest, gint64 lost, double fraction, guint ms)
{
  const RccReport r = { .ssrc = 1, .reporter = 2, .highest_seq = highest, .lost = lost,
    .fraction_lost = fraction, .rtt = MS (100) };

  return rcc_tell (&t.sender, on_report, &r, MS (ms));
}

#endif
