/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <glib.h>

#include "core/utilization.h"

#define MOST 1.2
#define AIM .95
#define BPS 500000
#define FRAME (40 * RCC_MSEC)
#define SECOND 25                       /* pictures */

typedef struct {
  RccUtilization u;
  RccTime now;
} Fixture;

static Fixture
begin (void)
{
  Fixture f = { .now = RCC_SEC };

  rcc_utilization_init (&f.u, MOST);
  return f;
}

/* @n pictures of an encoder that makes @share of what it is set to. */
static void
pictures (Fixture *f, unsigned n, uint32_t bps, double share)
{
  for (unsigned i = 0; i < n; i++, f->now += FRAME)
    rcc_utilization_picture (&f->u, (uint32_t) (bps * share / SECOND / 8), bps, f->now);
}

static void
near (double value, double expected)
{
  g_assert_cmpfloat_with_epsilon (value, expected, 0.005);
}

/* Whatever it is set to: the correction does not act upon itself. */
static void
corrects_what_is_missing (void)
{
  Fixture f = begin ();

  g_assert_cmpfloat (rcc_utilization_share (&f.u), ==, 0);
  g_assert_cmpfloat (rcc_utilization_correction (&f.u), ==, 1);
  pictures (&f, SECOND, BPS, .86);
  g_assert_cmpfloat (rcc_utilization_correction (&f.u), ==, 1);  /* not a second yet */
  for (unsigned i = 0; i < 10; i++) {
    pictures (&f, SECOND, (uint32_t) (BPS * rcc_utilization_correction (&f.u)), .86);
    if (i < 6)                          /* the correction came at once, which is a climb */
      continue;
    near (rcc_utilization_share (&f.u), .86);
    near (rcc_utilization_correction (&f.u), AIM / .86);
  }
}

static void
easy_pictures_get_no_more (void)
{
  static const double shares[][2] = {
    { AIM, 1 }, { .9, AIM / .9 }, { AIM / MOST, MOST }, { .75, 2 * MOST - AIM / .75 }, { .67, 1 },
    { .3, 1 }, { 1, 1 }, { 1.3, 1 },
  };

  for (unsigned i = 0; i < G_N_ELEMENTS (shares); i++) {
    Fixture f = begin ();

    pictures (&f, 10 * SECOND, BPS, shares[i][0]);
    near (rcc_utilization_correction (&f.u), shares[i][1]);
  }
}

/* A scene that needs all of it is corrected no more 2 s later. */
static void
forgets (void)
{
  Fixture f = begin ();

  pictures (&f, 10 * SECOND, BPS, .85);
  pictures (&f, 2 * SECOND, BPS, 1.1);
  g_assert_cmpfloat (rcc_utilization_correction (&f.u), ==, 1);
}

/* The adapter keeps pictures back while a queue is long. */
static void
missing_pictures_do_not_count (void)
{
  Fixture f = begin ();

  for (unsigned i = 0; i < 50; i++) {
    pictures (&f, 8, BPS, 1);
    f.now += 3 * FRAME;
  }
  near (rcc_utilization_share (&f.u), 1);
}

/* From 1 to 2 Mbit/s within 3 s, by an encoder that is 300 ms behind. */
static void
a_climb_is_no_lack (void)
{
  Fixture f = begin ();

  pictures (&f, 10 * SECOND, 1000000, 1);
  for (unsigned i = 0; i < 3 * SECOND; i++) {
    const double bps = 1e6 * (1 + i / (3. * SECOND)), before = 1e6 * (1 + (i - 8.) / (3. * SECOND));

    pictures (&f, 1, (uint32_t) bps, RCC_MAX (before, 1e6) / bps);
    g_assert_cmpfloat (rcc_utilization_correction (&f.u), <, 1.01);
  }
}

/* After a change of the frame rate it is measured again. */
static void
another_frame_rate (void)
{
  Fixture f = begin ();

  pictures (&f, 2 * SECOND, BPS, 1);
  for (unsigned i = 0; i < 10 * SECOND; i++, f.now += 4 * FRAME)
    rcc_utilization_picture (&f.u, (uint32_t) (4 * BPS * .9 / SECOND / 8), BPS, f.now);
  near (rcc_utilization_share (&f.u), .9);
}

static void
odd_times (void)
{
  Fixture f = begin ();

  pictures (&f, 2 * SECOND, BPS, .9);
  rcc_utilization_picture (&f.u, 100000, BPS, RCC_NEVER);
  rcc_utilization_picture (&f.u, 100000, BPS, f.now - FRAME);   /* the last one's */
  rcc_utilization_picture (&f.u, 100000, BPS, 0);
  f.now = FRAME;
  pictures (&f, SECOND, BPS, .9);
  near (rcc_utilization_share (&f.u), .9);
  rcc_utilization_picture (&f.u, 100000, 0, f.now);     /* not set yet */
  near (rcc_utilization_share (&f.u), .9);
}

static void
off (void)
{
  Fixture f = begin ();

  rcc_utilization_init (&f.u, 0);
  pictures (&f, 10 * SECOND, BPS, .9);
  near (rcc_utilization_share (&f.u), .9);
  g_assert_cmpfloat (rcc_utilization_correction (&f.u), ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/utilization/corrects-what-is-missing", corrects_what_is_missing);
  g_test_add_func ("/utilization/easy-pictures-get-no-more", easy_pictures_get_no_more);
  g_test_add_func ("/utilization/forgets", forgets);
  g_test_add_func ("/utilization/missing-pictures-do-not-count", missing_pictures_do_not_count);
  g_test_add_func ("/utilization/a-climb-is-no-lack", a_climb_is_no_lack);
  g_test_add_func ("/utilization/another-frame-rate", another_frame_rate);
  g_test_add_func ("/utilization/odd-times", odd_times);
  g_test_add_func ("/utilization/off", off);
  return g_test_run ();
}
