/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/scream/delay.h"

#include <glib.h>

#define MS RCC_MSEC
#define EPS 1e-9
#define AHEAD (777 * RCC_SEC)           /* of the receiver's clock */
#define PATH (20 * MS)                  /* one way; the round trip is twice that */

static RccScreamConfig config;
static RccScreamDelay d;

/* A packet that waited for @queue in the path, of which we hear at @now. */
static void
hear (RccTime queue, RccTime now)
{
  const RccTime sent = now - 2 * PATH - queue;

  rcc_scream_delay_packet (&d, &config, sent, sent + PATH + queue + AHEAD, 2 * PATH, now);
}

static void
begin (void)
{
  config = rcc_scream_config ();
  rcc_scream_delay_init (&d, &config);
}

/* 4.2.1.4: a quarter of what is above the mean, all of what is below, each 25 ms. */
static void
the_mean_rises_slowly_and_falls_at_once (void)
{
  begin ();
  hear (0, 1000 * MS);
  g_assert_cmpfloat_with_epsilon (d.mean, 0.0, EPS);
  hear (40 * MS, 1025 * MS);
  g_assert_cmpfloat_with_epsilon (d.qdelay, 0.040, EPS);
  g_assert_cmpfloat_with_epsilon (d.mean, 0.010, EPS);
  hear (80 * MS, 1049 * MS);            /* 24 ms later: not yet */
  g_assert_cmpfloat_with_epsilon (d.qdelay, 0.080, EPS);
  g_assert_cmpfloat_with_epsilon (d.mean, 0.010, EPS);
  hear (50 * MS, 1050 * MS);
  g_assert_cmpfloat_with_epsilon (d.mean, 0.020, EPS);
  hear (5 * MS, 1075 * MS);
  g_assert_cmpfloat_with_epsilon (d.mean, 0.005, EPS);
}

/* RFC 6817 2.3: minima of ten minutes. */
static void
the_base_is_forgotten_after_ten_minutes (void)
{
  begin ();
  hear (0, RCC_SEC);
  for (guint s = 2; s <= 599; s++)
    hear (30 * MS, s * RCC_SEC);
  g_assert_cmpfloat_with_epsilon (d.qdelay, 0.030, EPS);
  for (guint s = 600; s <= 662; s++)
    hear (30 * MS, s * RCC_SEC);
  g_assert_cmpfloat_with_epsilon (d.qdelay, 0.0, EPS);
}

/* A queue is no longer than the time since the packet left. */
static void
a_clock_that_is_set_anew_is_no_queue (void)
{
  begin ();
  hear (0, RCC_SEC);
  rcc_scream_delay_packet (&d, &config, 1100 * MS, 1120 * MS + AHEAD + 3600 * RCC_SEC,
      40 * MS, 1140 * MS);
  g_assert_cmpfloat_with_epsilon (d.qdelay, 0.0, EPS);
  g_assert_cmpuint (d.resets, ==, 1);
  rcc_scream_delay_packet (&d, &config, 1200 * MS, 1230 * MS + AHEAD + 3600 * RCC_SEC,
      40 * MS, 1250 * MS);
  g_assert_cmpfloat_with_epsilon (d.qdelay, 0.010, EPS);
  hear (0, 1300 * MS);                  /* back: a lower base */
  g_assert_cmpfloat_with_epsilon (d.qdelay, 0.0, EPS);
  rcc_scream_delay_packet (&d, &config, 1400 * MS, 0, 40 * MS, 1440 * MS);
  rcc_scream_delay_packet (&d, &config, 1400 * MS, RCC_NEVER - 1, 40 * MS, 1440 * MS);
  g_assert_cmpfloat (d.qdelay, >=, 0.0);
  g_assert_cmpfloat (d.qdelay, <=, 0.040);
}

/* From 60 ms and 0: 56.25 and 3.515625 ms, of whose difference 1/32 is 1.647949 ms, and that of
 * 10 ms leaves .8352051. */
static void
the_variation_scales (void)
{
  begin ();
  hear (0, RCC_SEC);
  g_assert_cmpfloat_with_epsilon (d.scale, 1.0, EPS);   /* off */
  begin ();
  config.reduce_jitter = true;
  hear (0, RCC_SEC);
  g_assert_cmpfloat_with_epsilon (d.most, 0.05625, EPS);
  g_assert_cmpfloat_with_epsilon (d.least, 0.003515625, EPS);
  g_assert_cmpfloat_with_epsilon (d.scale, 0.8352051, 1e-7);
  for (guint i = 1; i < 4000; i++)      /* it never empties and never varies */
    hear (0, RCC_SEC + i * 25 * MS);
  g_assert_cmpfloat_with_epsilon (d.scale, 1.0, 1e-6);
  for (guint i = 4000; i < 8000; i++)
    hear (i % 2 * 50 * MS, RCC_SEC + i * 25 * MS);
  g_assert_cmpfloat_with_epsilon (d.scale, 0.0, EPS);
}

/* 40 ms that never go: 40 (1 - (255/256)^n) is above 15 from n = 121 on. */
static void
a_base_that_drifted_is_forgotten (void)
{
  guint n = 0;

  begin ();
  config.clock_drift = false;
  for (guint i = 0; i < 1000; i++) {
    hear (i == 0 ? 0 : 40 * MS, RCC_SEC + i * 40 * MS);
    g_assert_false (rcc_scream_delay_drift (&d, &config, 40 * MS, RCC_SEC + i * 40 * MS));
  }
  begin ();
  hear (0, RCC_SEC);
  rcc_scream_delay_drift (&d, &config, 40 * MS, RCC_SEC);
  for (guint i = 1; n == 0; i++) {
    hear (40 * MS, RCC_SEC + i * 40 * MS);
    if (rcc_scream_delay_drift (&d, &config, 40 * MS, RCC_SEC + i * 40 * MS))
      n = i;
    g_assert_cmpuint (i, <=, 121);
  }
  g_assert_cmpuint (n, ==, 121);
  hear (40 * MS, 10 * RCC_SEC);
  g_assert_cmpfloat_with_epsilon (d.qdelay, 0.0, EPS);
}

/* A queue that hardly varies: the window grows as ever, and no faster, also where the average of
 * the least is above that of the most for a while. */
static void
a_standing_queue_scales_nothing (void)
{
  begin ();
  config.reduce_jitter = true;
  hear (0, 1000 * MS);
  for (guint i = 1; i <= 1000; i++) {
    hear ((i < 500 ? 60 : 57) * MS, 1000 * MS + i * 25 * MS);
    g_assert_cmpfloat (d.scale, <=, 1.0);
  }
  g_assert_cmpfloat_with_epsilon (d.scale, 1.0, EPS);
}

/* Minutes count from the first packet on, and from each new clock. */
static void
the_first_minute_is_a_whole_one (void)
{
  begin ();
  hear (0, 59 * RCC_SEC);
  for (guint s = 60; s <= 658; s++)
    hear (30 * MS, s * RCC_SEC);
  g_assert_cmpfloat_with_epsilon (d.qdelay, 0.030, EPS);
  hear (30 * MS, 659 * RCC_SEC);
  g_assert_cmpfloat_with_epsilon (d.qdelay, 0.0, EPS);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/scream/delay/mean", the_mean_rises_slowly_and_falls_at_once);
  g_test_add_func ("/core/scream/delay/base", the_base_is_forgotten_after_ten_minutes);
  g_test_add_func ("/core/scream/delay/clock", a_clock_that_is_set_anew_is_no_queue);
  g_test_add_func ("/core/scream/delay/variation", the_variation_scales);
  g_test_add_func ("/core/scream/delay/drift", a_base_that_drifted_is_forgotten);
  g_test_add_func ("/core/scream/delay/standing", a_standing_queue_scales_nothing);
  g_test_add_func ("/core/scream/delay/first-minute", the_first_minute_is_a_whole_one);
  return g_test_run ();
}
