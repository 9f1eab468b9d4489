/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What is told of packets by a receiver whose clock is anywhere, and what cannot be.
 */
#include <glib.h>

#include "core/tfrc/tfrc.h"

#define SIZE 1000
#define MS(n) ((n) * RCC_MSEC)

static const RccConfig limits = { 50000, 300000, 20000000 };

static RccTfrc t;

static void
start (void)
{
  RccTfrcConfig config = rcc_tfrc_config ();

  config.packet_size = SIZE;
  rcc_tfrc_init (&t, &config, &limits);
}

/* Packet @seq, sent at @ms and received after 50 ms or a little more; each 97th is lost, and in
 * each third message nobody says when the others came. */
static RccPacket
outcome (gint64 seq, guint ms, gint64 ahead_ms)
{
  const guint message = (guint) (seq / 10);
  const RccPacket lost = { .ssrc = 1, .seq = seq, .size = SIZE, .sent = MS (ms),
    .arrived = RCC_NEVER };
  RccPacket p = lost;

  if (seq % 97 == 0)
    return lost;
  p.flags = RCC_PACKET_RECEIVED;
  if (message % 3 != 2)
    p.arrived = (RccTime) ((gint64) MS (ms + 50 + message % 7) + ahead_ms * (gint64) RCC_MSEC);
  return p;
}

/* The offset of the clocks cancels, whichever is ahead, where nobody says when, too. */
static void
the_receivers_clock_may_be_anywhere (void)
{
  static const gint64 ahead_ms[] = { 0, 5000, -5000, -999000 };
  guint32 targets[60];

  for (guint k = 0; k < G_N_ELEMENTS (ahead_ms); k++) {
    start ();
    for (guint i = 0; i < G_N_ELEMENTS (targets); i++) {
      const guint ms = 1000000 + 100 * i;
      RccPacket packets[10];

      for (guint n = 0; n < 10; n++) {
        packets[n] = outcome (10 * i + n, ms + 10 * n, ahead_ms[k]);
        rcc_tell (&t.sender, on_sent, &packets[n]);
      }
      rcc_tell (&t.sender, on_feedback, packets, 10, MS (ms + 200));
      targets[i] = k == 0 ? t.target_bps : targets[i];
      g_assert_cmpuint (t.target_bps, ==, targets[i]);
    }
    g_assert_cmpuint (t.receiver.loss.lost, >, 0);
  }
}

/* A fraction that is none at all is no loss, nor does it make up for one. */
static void
a_negative_fraction_is_no_loss (void)
{
  RccReport r = { .ssrc = 1, .reporter = 2, .highest_seq = 100, .lost = 10,
    .fraction_lost = 0.5, .rtt = MS (100) };

  start ();
  rcc_tell (&t.sender, on_report, &r, MS (1000));
  g_assert_cmpfloat (t.rate.p, ==, 0.5);
  r.highest_seq = 200;
  r.fraction_lost = -0.5;
  rcc_tell (&t.sender, on_report, &r, MS (2000));
  g_assert_cmpfloat (t.rate.p, ==, 0.375);      /* three quarters of it */
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(f) g_test_add_func ("/tfrc-told/" #f, f)
  ADD (the_receivers_clock_may_be_anywhere);
  ADD (a_negative_fraction_is_no_loss);
  return g_test_run ();
}
