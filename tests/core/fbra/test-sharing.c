/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <glib.h>
#include "core/fbra/sharing.h"

static RccFbraConfig config;
static RccFbraSharing s;

static void
start (void)
{
  config = rcc_fbra_config_plus ();
  s = (RccFbraSharing) { 0 };
}

/* Reports in turn of @bps less and more by @part. */
static void
reports (guint n, double bps, double part)
{
  for (guint i = 0; i < n; i++)
    rcc_fbra_sharing_report (&s, &config, i % 2 ? bps * (1 + part) : bps);
}

static void
a_queue_of_our_own_has_one_rate (void)
{
  start ();
  reports (1000, 1e6, 0.01);            /* what 1/1024 s among 100 ms leave open */
  g_assert_false (s.shared);
  g_assert_cmpfloat (s.varies, <, 0.011);
}

static void
others_in_it_are_found_soon (void)
{
  start ();
  reports (5, 1e5, 0.3);
  g_assert_true (s.shared);
}

static void
a_few_per_cent_are_found_too (void)
{
  start ();
  reports (40, 1.8e6, 0.04);
  g_assert_true (s.shared);
}

static void
the_step_of_a_link_is_none_of_it (void)
{
  start ();
  for (guint i = 0; i < 10; i++)
    reports (10, i % 2 ? 2e6 : 3e5, 0.005);
  g_assert_false (s.shared);
}

static void
without_a_queue_nothing_is_told (void)
{
  start ();
  for (guint i = 0; i < 1000; i++)
    rcc_fbra_sharing_report (&s, &config, i % 2 ? 0 : 1e5 + 1e3 * (i % 100));
  g_assert_cmpfloat (s.varies, ==, 0);
  g_assert_false (s.shared);
}

static void
alone_again_is_found_too (void)
{
  start ();
  reports (20, 1e6, 0.3);
  g_assert_true (s.shared);
  reports (5, 1e6, 0.005);              /* it was sure of it */
  g_assert_true (s.shared);
  reports (20, 1e6, 0.005);
  g_assert_false (s.shared);
}

static void
off_it_finds_nobody (void)
{
  start ();
  config.share_varies = 0;
  reports (100, 1e5, 0.3);
  g_assert_false (s.shared);
  g_assert_false (rcc_fbra_config ().share_varies > 0);
}

static void
a_probe_has_the_parity_that_is_asked_for (void)
{
  start ();
  config.share_step = 50000;
  g_assert_cmpuint (rcc_fbra_sharing_n (&config, 1e6), ==, 20);
  g_assert_cmpuint (rcc_fbra_sharing_n (&config, 30000), ==, 2);
  g_assert_cmpuint (rcc_fbra_sharing_n (&config, 0), ==, 2);
  g_assert_cmpuint (rcc_fbra_sharing_n (&config, 1e30), ==, 40);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/fbra-sharing/a-queue-of-our-own-has-one-rate",
      a_queue_of_our_own_has_one_rate);
  g_test_add_func ("/fbra-sharing/others-in-it-are-found-soon", others_in_it_are_found_soon);
  g_test_add_func ("/fbra-sharing/a-few-per-cent-are-found-too", a_few_per_cent_are_found_too);
  g_test_add_func ("/fbra-sharing/the-step-of-a-link-is-none-of-it",
      the_step_of_a_link_is_none_of_it);
  g_test_add_func ("/fbra-sharing/without-a-queue-nothing-is-told",
      without_a_queue_nothing_is_told);
  g_test_add_func ("/fbra-sharing/alone-again-is-found-too", alone_again_is_found_too);
  g_test_add_func ("/fbra-sharing/off-it-finds-nobody", off_it_finds_nobody);
  g_test_add_func ("/fbra-sharing/a-probe-has-the-parity-that-is-asked-for",
      a_probe_has_the_parity_that_is_asked_for);
  return g_test_run ();
}
