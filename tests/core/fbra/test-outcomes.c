/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <math.h>
#include <glib.h>
#include "core/fbra/outcomes.h"
#include "core/rng.h"

#define DELAY (50 * RCC_MSEC)
#define MS RCC_MSEC

static RccOutcomes f;
static RccSkewOwd c;

static void
start (void)
{
  rcc_skew_owd_init (&c);
  rcc_skew_owd_rtt (&c, 2 * DELAY, 0);
  rcc_outcomes_init (&f, 400 * MS);
}

static RccPacket
packet (RccTime sent, RccTime delay)
{
  return (RccPacket) { .size = 1000, .sent = sent,
    .arrived = delay == RCC_NEVER ? RCC_NEVER : sent + delay };
}

static void
take (RccPacket p)
{
  rcc_outcomes_take (&f, &c, &p, 1, p.sent + RCC_SEC);
}

static void
counts_what_became_of_them (void)
{
  RccPacket late = packet (4 * MS, RCC_NEVER), received = late, parity = packet (6 * MS, DELAY);
  RccOutcomesSum s;

  start ();
  late.flags = RCC_PACKET_LATE;
  received.flags = RCC_PACKET_RECEIVED;
  parity.flags = RCC_PACKET_PARITY;
  take (packet (1 * MS, DELAY));
  take (packet (2 * MS, RCC_NEVER));
  take (packet (3 * MS, DELAY + 351 * MS));     /* 401 ms */
  take (late);
  take (received);
  take (parity);
  take (packet (7 * MS, DELAY + 350 * MS));     /* d_max itself is in time */
  s = rcc_outcomes_close (&f, 1.0, RCC_SEC);
  g_assert_cmpuint (s.packets, ==, 7);
  g_assert_cmpuint (s.losses, ==, 1);
  g_assert_cmpuint (s.discards, ==, 2);
  g_assert_cmpuint (s.parity, ==, 1);
  g_assert_cmpuint (s.bad_sent, ==, 2 * MS);
  g_assert_cmpuint (s.newest_sent, ==, 7 * MS);
  g_assert_cmpuint (s.owd, ==, (50 + 401 + 50 + 400) * MS / 4);
  /* nothing of it is left */
  s = rcc_outcomes_close (&f, 1.0, 2 * RCC_SEC);
  g_assert_cmpuint (s.packets + s.losses + s.discards + s.parity, ==, 0);
  g_assert_cmpuint (s.owd, ==, RCC_NEVER);
  g_assert_false (s.rated);
}

/* However they are told of. */
static void
the_newest_is_the_last_that_left (void)
{
  start ();
  take (packet (3 * MS, DELAY));
  take (packet (5 * MS, DELAY));
  take (packet (4 * MS, DELAY));
  g_assert_cmpuint (rcc_outcomes_close (&f, 1.0, RCC_SEC).newest_sent, ==, 5 * MS);
}

/* One loss at each place of a report of ten: recent from the sixth on. */
static void
recent_is_the_later_half (void)
{
  for (guint lost = 0; lost < 10; lost++) {
    RccOutcomesSum s;

    start ();
    for (guint i = 0; i < 10; i++)
      take (packet (i * 10 * MS, i == lost ? RCC_NEVER : DELAY));
    s = rcc_outcomes_close (&f, 0.5, RCC_SEC);
    g_assert_cmpuint (s.losses, ==, 1);
    g_assert_cmpuint (s.recent_losses, ==, lost >= 5);
    start ();
    for (guint i = 0; i < 10; i++)
      take (packet (i * 10 * MS, i == lost ? DELAY + RCC_SEC / 2 : DELAY));
    s = rcc_outcomes_close (&f, 0.3, RCC_SEC);
    g_assert_cmpuint (s.recent_discards, ==, lost >= 7);
  }
}

/* Far more packets than cells: the split is as exact as a cell. */
static void
a_long_report_keeps_its_order (void)
{
  for (guint lost = 0; lost < 5000; lost += 7) {
    RccOutcomesSum s;

    start ();
    for (guint i = 0; i < 5000; i++)
      take (packet (i * MS, i == lost ? RCC_NEVER : DELAY));
    s = rcc_outcomes_close (&f, 0.5, 6 * RCC_SEC);
    g_assert_cmpuint (s.packets, ==, 5000);
    g_assert_cmpuint (s.losses, ==, 1);
    if (lost >= 2500)
      g_assert_cmpuint (s.recent_losses, ==, 1);
    if (lost + 5000 / 64 < 2500)
      g_assert_cmpuint (s.recent_losses, ==, 0);
  }
}

/* 1000 bytes every 10 ms are 800 kbit/s, whenever the report came. */
static void
rates_do_not_depend_on_the_reports_spacing (void)
{
  static const RccTime closes[] = { 260 * MS, 440 * MS, 710 * MS, 860 * MS };
  guint sent = 0;

  start ();
  for (guint k = 0; k < G_N_ELEMENTS (closes); k++) {
    RccOutcomesSum s;

    for (; sent * 10 * MS + DELAY + 60 * MS <= closes[k]; sent++)
      take (packet (sent * 10 * MS, sent % 10 == 4 ? RCC_NEVER : DELAY));
    s = rcc_outcomes_close (&f, 0.5, closes[k]);
    g_assert_cmpint (s.rated, ==, k > 0);
    if (k > 0) {
      g_assert_cmpfloat_with_epsilon (s.sent_bps, 800000, 1);
      g_assert_cmpfloat (s.goodput_bps, >, 640000);
      g_assert_cmpfloat (s.goodput_bps, <, 780000);
    }
  }
}

/* The queue fills: what comes is the link's rate, though more was sent. */
static void
goodput_is_what_the_link_carries (void)
{
  RccOutcomesSum s = { 0 };

  start ();
  for (guint i = 0; i < 80; i++) {
    take (packet (i * 10 * MS, DELAY + i * 2 * MS + DELAY));
    if (i == 39 || i == 79)
      s = rcc_outcomes_close (&f, 0.5, i * 12 * MS + 200 * MS);
  }
  g_assert_cmpfloat_with_epsilon (s.sent_bps, 800000, 1);
  g_assert_cmpfloat_with_epsilon (s.goodput_bps, 800000 / 1.2, 1);
}

/* The last six of ten are lost, then all ten come: 40 %, and then all of it. */
static void
a_tail_of_losses_is_part_of_the_range (void)
{
  start ();
  for (guint i = 0; i < 40; i++) {
    take (packet (i * 10 * MS, i >= 24 && i < 30 ? RCC_NEVER : DELAY));
    if (i % 10 == 9) {
      const RccOutcomesSum s = rcc_outcomes_close (&f, 0.5, i * 10 * MS + 200 * MS);

      if (i > 10)
        g_assert_cmpfloat_with_epsilon (s.goodput_bps, i == 29 ? 320000 : 800000, 1);
    }
  }
}

static void
parity_is_no_goodput (void)
{
  RccOutcomesSum s = { 0 };

  start ();
  for (guint i = 0; i < 80; i++) {
    RccPacket p = packet (i * 10 * MS, DELAY);

    p.flags = i % 4 == 3 ? RCC_PACKET_PARITY : 0;
    take (p);
    if (i == 39 || i == 79)
      s = rcc_outcomes_close (&f, 0.5, i * 10 * MS + 200 * MS);
  }
  g_assert_cmpfloat_with_epsilon (s.goodput_bps, 600000, 1);
  g_assert_cmpfloat_with_epsilon (s.sent_bps, 600000, 1);
  g_assert_cmpuint (s.parity, ==, 10);
}

/* A receiver's clock that is set anew lies about the span; the reports do not. */
static void
a_clock_jump_does_not_move_the_goodput (void)
{
  static const gint64 jumps[] = { 3600, -3600, 3, -3 };

  for (guint j = 0; j < G_N_ELEMENTS (jumps); j++) {
    start ();
    for (guint i = 0; i < 120; i++) {
      RccPacket p = packet (7200 * RCC_SEC + i * 10 * MS, DELAY);

      if (i >= 60)
        p.arrived += (guint64) (jumps[j] * (gint64) RCC_SEC);
      take (p);
      if (i % 40 == 39) {
        const RccOutcomesSum s = rcc_outcomes_close (&f, 0.5, p.sent + 2 * DELAY);

        g_assert_cmpuint (s.discards, ==, 0);
        if (i > 40)
          g_assert_cmpfloat_with_epsilon (s.goodput_bps, 800000, 1);
      }
    }
  }
}

static void
hostile_packets_are_survived (void)
{
  RccTime now = RCC_SEC;
  RccRng r;

  rcc_rng_init (&r, 5, 0);
  start ();
  for (guint i = 0; i < 300000; i++) {
    RccPacket p[4];

    now += rcc_rng_u32 (&r) % (10 * MS);
    for (guint k = 0; k < 4; k++)
      p[k] = (RccPacket) { .size = rcc_rng_u32 (&r), .flags = rcc_rng_u32 (&r) % 256,
        .sent = rcc_rng_u32 (&r) % 4 ? now : (guint64) rcc_rng_u32 (&r) << rcc_rng_u32 (&r) % 33,
        .arrived = rcc_rng_u32 (&r) % 4 ? now + MS
            : (guint64) rcc_rng_u32 (&r) << rcc_rng_u32 (&r) % 33 };
    rcc_outcomes_take (&f, &c, p, rcc_rng_u32 (&r) % 5, now);
    if (rcc_rng_u32 (&r) % 50 == 0) {
      const RccOutcomesSum s = rcc_outcomes_close (&f, rcc_rng_uniform (&r), now);

      g_assert_true (isfinite (s.sent_bps) && isfinite (s.goodput_bps));
      g_assert_true (s.goodput_bps >= 0 && s.sent_bps >= 0);
      g_assert_cmpuint (s.losses + s.discards, <=, s.packets);
      g_assert_cmpuint (s.recent_losses, <=, s.losses);
      g_assert_cmpuint (s.recent_discards, <=, s.discards);
      g_assert_true (s.newest_sent == RCC_NEVER || s.newest_sent <= now);
    }
  }
}

/* The path carried it, so it says how fast the path is. */
static void
what_came_late_came (void)
{
  RccOutcomesSum s;

  start ();
  for (guint i = 1; i <= 10; i++)
    take (packet (i * 10 * MS, DELAY));
  rcc_outcomes_close (&f, 0.5, 200 * MS);
  for (guint i = 11; i <= 20; i++)
    take (packet (i * 10 * MS, i < 16 ? DELAY : DELAY + 500 * MS));
  s = rcc_outcomes_close (&f, 0.5, 900 * MS);
  g_assert_cmpuint (s.discards, ==, 5);
  g_assert_cmpuint (s.losses, ==, 0);
  g_assert_cmpfloat_with_epsilon (s.received_bps, 2 * s.goodput_bps, 1);
  g_assert_cmpfloat_with_epsilon (s.received_bps, 8 * 10 * 1000 / 0.6, 1);
}

/* ... and parity with it: the path does not know which is which. */
static void
parity_came_too (void)
{
  RccOutcomesSum s;

  start ();
  take (packet (10 * MS, DELAY));
  rcc_outcomes_close (&f, 0.5, 200 * MS);
  for (guint i = 2; i <= 11; i++) {
    RccPacket p = packet (i * 10 * MS, DELAY);

    p.flags = i % 2 ? RCC_PACKET_PARITY : 0;
    take (p);
  }
  s = rcc_outcomes_close (&f, 0.5, 300 * MS);
  g_assert_cmpuint (s.parity, ==, 5);
  g_assert_cmpfloat_with_epsilon (s.path_bps, 2 * s.goodput_bps, 1);
  g_assert_cmpfloat_with_epsilon (s.received_bps, s.goodput_bps, 1);
}

/* Two reports at one time have nothing between them to divide by. */
static void
a_report_that_took_no_time_is_not_rated (void)
{
  RccOutcomesSum s;

  start ();
  take (packet (10 * MS, DELAY));
  rcc_outcomes_close (&f, 0.5, 200 * MS);
  take (packet (20 * MS, DELAY));
  s = rcc_outcomes_close (&f, 0.5, 200 * MS);
  g_assert_cmpuint (s.packets, ==, 1);
  g_assert_false (s.rated);
  g_assert_cmpfloat (s.sent_bps, ==, 0);
  g_assert_cmpfloat (s.goodput_bps, ==, 0);
  g_assert_cmpuint (s.owd, ==, DELAY);
}

/* A century and a half between two reports, and half of that by departures: they agree. */
static void
the_longest_time_does_not_overflow (void)
{
  const RccTime sent = UINT64_C (1) << 61;
  RccOutcomesSum s;

  start ();
  take (packet (0, DELAY));
  rcc_outcomes_close (&f, 0.5, 0);
  take (packet (sent, DELAY));
  s = rcc_outcomes_close (&f, 0.5, 2 * sent);
  g_assert_true (s.rated);
  g_assert_cmpfloat_with_epsilon (s.sent_bps * (double) sent, 8e9 * 1000, 1);
}

/* The path's rate is of what came by it, on time or not, parity among it. */
static void
the_paths_rate_is_of_what_came (void)
{
  RccPacket parity = packet (1300 * MS, DELAY);
  RccOutcomesSum s;

  start ();
  take (packet (1000 * MS, DELAY));
  rcc_outcomes_close (&f, 1.0, 1100 * MS);
  parity.flags = RCC_PACKET_PARITY;
  take (packet (1100 * MS, RCC_NEVER));
  take (packet (1200 * MS, RCC_NEVER));
  take (parity);
  take (packet (2000 * MS, DELAY));
  s = rcc_outcomes_close (&f, 1.0, 2100 * MS);
  g_assert_true (s.rated);
  g_assert_cmpfloat_with_epsilon (s.path_bps, 2 * 8000.0, 1e-6);
  g_assert_cmpfloat_with_epsilon (s.received_bps, 8000.0, 1e-6);
  g_assert_cmpfloat_with_epsilon (s.goodput_bps, 8000.0, 1e-6);
  g_assert_cmpfloat_with_epsilon (s.sent_bps, 3 * 8000.0, 1e-6);
}

/* Times that tell another span than the reports by more than four times tell none. */
static void
the_reports_spacing_stands_in_for_absurd_times (void)
{
  static const guint spans[] = { 240, 260, 3900, 4100 };      /* ms, of a second */

  for (guint i = 0; i < G_N_ELEMENTS (spans); i++) {
    const double seconds = i == 1 || i == 2 ? spans[i] / 1e3 : 1.0;
    RccOutcomesSum s;

    start ();
    take (packet (10 * RCC_SEC, DELAY));
    rcc_outcomes_close (&f, 1.0, 20 * RCC_SEC);
    take (packet (10 * RCC_SEC + spans[i] * MS, DELAY));
    s = rcc_outcomes_close (&f, 1.0, 21 * RCC_SEC);
    g_assert_cmpfloat_with_epsilon (s.sent_bps, 8000 / seconds, 1e-3);
    g_assert_cmpfloat_with_epsilon (s.received_bps, 8000 / seconds, 1e-3);
  }
}

/* Of reports 2 ns apart: 1 ns is a span, none is not. */
static void
a_nanosecond_is_a_span (void)
{
  for (guint i = 0; i < 2; i++) {
    RccOutcomesSum s;

    start ();
    take (packet (RCC_SEC, DELAY));
    rcc_outcomes_close (&f, 1.0, 2 * RCC_SEC);
    take (packet (RCC_SEC + i, DELAY));
    s = rcc_outcomes_close (&f, 1.0, 2 * RCC_SEC + 2);
    g_assert_cmpfloat (s.sent_bps, ==, 8e12 / (2 - i));
    g_assert_cmpfloat (s.received_bps, ==, 8e12 / (2 - i));
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/outcomes/counts-what-became-of-them", counts_what_became_of_them);
  g_test_add_func ("/outcomes/recent-is-the-later-half", recent_is_the_later_half);
  g_test_add_func ("/outcomes/a-long-report-keeps-its-order", a_long_report_keeps_its_order);
  g_test_add_func ("/outcomes/rates-do-not-depend-on-the-reports-spacing",
      rates_do_not_depend_on_the_reports_spacing);
  g_test_add_func ("/outcomes/goodput-is-what-the-link-carries",
      goodput_is_what_the_link_carries);
  g_test_add_func ("/outcomes/a-tail-of-losses-is-part-of-the-range",
      a_tail_of_losses_is_part_of_the_range);
  g_test_add_func ("/outcomes/parity-is-no-goodput", parity_is_no_goodput);
  g_test_add_func ("/outcomes/a-clock-jump-does-not-move-the-goodput",
      a_clock_jump_does_not_move_the_goodput);
  g_test_add_func ("/outcomes/hostile-packets-are-survived", hostile_packets_are_survived);
  g_test_add_func ("/outcomes/what-came-late-came", what_came_late_came);
  g_test_add_func ("/outcomes/parity-came-too", parity_came_too);
  g_test_add_func ("/outcomes/a-report-that-took-no-time-is-not-rated",
      a_report_that_took_no_time_is_not_rated);
  g_test_add_func ("/outcomes/the-longest-time-does-not-overflow",
      the_longest_time_does_not_overflow);
  g_test_add_func ("/outcomes/the-paths-rate-is-of-what-came", the_paths_rate_is_of_what_came);
  g_test_add_func ("/outcomes/the-reports-spacing-stands-in-for-absurd-times",
      the_reports_spacing_stands_in_for_absurd_times);
  g_test_add_func ("/outcomes/a-nanosecond-is-a-span", a_nanosecond_is_a_span);
  g_test_add_func ("/outcomes/the-newest-is-the-last-that-left", the_newest_is_the_last_that_left);
  return g_test_run ();
}
