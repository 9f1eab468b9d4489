/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <glib.h>
#include "core/fbra/capacity.h"

#define MS RCC_MSEC

static RccFbraConfig config;
static RccFbraCapacity c;

static void
start (void)
{
  config = rcc_fbra_config_plus ();
  config.probe_backoff = 4 * RCC_SEC;
  config.probe_backoff_max = 10 * RCC_SEC;
  c = (RccFbraCapacity) { 0 };
}

static void
is_the_mean_of_two_reports_with_backoff (void)
{
  start ();
  c.before = 80000;
  g_assert_cmpfloat (rcc_fbra_capacity_fall (&c, &config, 150000, 120000, 0), ==, 100000);
  start ();
  config.probe_backoff = 0;
  c.before = 80000;
  g_assert_cmpfloat (rcc_fbra_capacity_fall (&c, &config, 150000, 120000, 0), ==, 120000);
  g_assert_cmpfloat (c.known, ==, 0);
  rcc_fbra_capacity_refine (&c, 60000); /* the second of them */
  g_assert_cmpfloat (c.bps, ==, 90000);
  rcc_fbra_capacity_refine (&c, 60000);
  g_assert_cmpfloat (c.bps, ==, 80000);
}

/* The same again: the next probe waits twice as long, however slow the path is. */
static void
the_same_again_doubles_the_wait (void)
{
  static const double paths[] = { 1e6, 1e3, 0.5 };

  for (guint i = 0; i < G_N_ELEMENTS (paths); i++) {
    start ();
    rcc_fbra_capacity_fall (&c, &config, 1.5 * paths[i], paths[i], 0);
    g_assert_cmpuint (c.probe_backoff, ==, 4 * RCC_SEC);
    c.falls = 0;
    rcc_fbra_capacity_fall (&c, &config, 1.5 * paths[i], 1.05 * paths[i], 0);
    g_assert_cmpuint (c.probe_backoff, ==, 8 * RCC_SEC);
    c.falls = 0;
    rcc_fbra_capacity_fall (&c, &config, 3.0 * paths[i], 2.0 * paths[i], 0);
    g_assert_cmpuint (c.probe_backoff, ==, 4 * RCC_SEC);
  }
}

static void
is_refined_while_the_queue_is_there (void)
{
  start ();
  c.before = 110000;
  rcc_fbra_capacity_fall (&c, &config, 150000, 130000, 0);
  rcc_fbra_capacity_refine (&c, 90000);
  rcc_fbra_capacity_refine (&c, 90000);
  g_assert_cmpfloat_with_epsilon (c.bps, 105000, 1);
  g_assert_cmpfloat_with_epsilon (c.known, 105000, 1);
  /* below the capacity what comes is what was sent */
  rcc_fbra_capacity_fall (&c, &config, 60000, 50000, 0);
  rcc_fbra_capacity_refine (&c, 50000);
  g_assert_cmpfloat_with_epsilon (c.known, 105000, 1);
  g_assert_cmpfloat (c.bps, >, 80000);
}

/* From 200 to 100 kbit/s 240 ms away: 50 ms of queue, of packets that left at twice the
 * capacity, and 480 ms more of them on their way: 580 ms.  All of it is gone after 1160 ms
 * at 0.4 of the capacity. */
static void
share_counts_what_is_on_its_way (void)
{
  start ();
  g_assert_cmpfloat_with_epsilon (rcc_fbra_capacity_share (&config, 100000, 200000, 50 * MS,
          480 * MS, 1160 * MS), (config.undershoot_factor - 0.5) * 100000, 1);
  /* never nothing */
  g_assert_cmpfloat (rcc_fbra_capacity_share (&config, 100000, 200000, 50 * MS, 480 * MS,
          100 * MS), ==, 10000);
  /* a queue of large frames, below the capacity: nothing to make up for */
  g_assert_cmpfloat_with_epsilon (rcc_fbra_capacity_share (&config, 100000, 90000, 50 * MS,
          480 * MS, 500 * MS), config.undershoot_factor * 100000, 1);
  config.ahead = FALSE;
  g_assert_cmpfloat_with_epsilon (rcc_fbra_capacity_share (&config, 100000, 200000, 50 * MS,
          480 * MS, 500 * MS), (config.undershoot_factor - 0.1) * 100000, 1);
  g_assert_cmpfloat_with_epsilon (rcc_fbra_capacity_share (&config, 100000, 200000,
          100 * RCC_SEC, 480 * MS, 500 * MS), 30000, 1e-6);
}

static void
no_probe_leads_there_before_the_backoff_is_over (void)
{
  start ();
  rcc_fbra_capacity_fall (&c, &config, 110000, 100000, 20 * RCC_SEC);
  g_assert_true (rcc_fbra_capacity_allows (&c, &config, 80000, 21 * RCC_SEC));
  g_assert_false (rcc_fbra_capacity_allows (&c, &config, 90000, 21 * RCC_SEC));
  g_assert_false (rcc_fbra_capacity_allows (&c, &config, 90000, 24 * RCC_SEC - 1));
  g_assert_true (rcc_fbra_capacity_allows (&c, &config, 90000, 24 * RCC_SEC));
  config.probe_backoff = 0;
  g_assert_true (rcc_fbra_capacity_allows (&c, &config, 90000, 21 * RCC_SEC));
}

static void
the_backoff_grows_where_a_probe_finds_the_same (void)
{
  start ();
  rcc_fbra_capacity_fall (&c, &config, 110000, 100000, 0);
  c.falls = 0;
  rcc_fbra_capacity_fall (&c, &config, 110000, 95000, 0);
  g_assert_cmpuint (c.probe_backoff, ==, 8 * RCC_SEC);
  c.falls = 0;
  rcc_fbra_capacity_fall (&c, &config, 110000, 100000, 0);
  g_assert_cmpuint (c.probe_backoff, ==, config.probe_backoff_max);
  /* not a probe: the rate was within what is known to work */
  c.falls = 0;
  rcc_fbra_capacity_fall (&c, &config, 90000, 95000, 50 * RCC_SEC);
  g_assert_cmpuint (c.until, ==, config.probe_backoff_max);
  g_assert_cmpfloat (c.known, ==, 100000);
  /* another capacity */
  c.falls = 0;
  rcc_fbra_capacity_fall (&c, &config, 90000, 60000, 50 * RCC_SEC);
  g_assert_cmpuint (c.probe_backoff, ==, config.probe_backoff);
  g_assert_cmpfloat (c.known, ==, 60000);
}

static void
low_delay_in_a_row_ends_the_backoff (void)
{
  start ();
  config.roomy = 3;
  rcc_fbra_capacity_fall (&c, &config, 110000, 100000, 0);
  for (guint i = 0; i < 2; i++) {
    rcc_fbra_capacity_delay (&c, &config, true);
    rcc_fbra_capacity_delay (&c, &config, true);
    rcc_fbra_capacity_delay (&c, &config, false);
  }
  g_assert_false (rcc_fbra_capacity_allows (&c, &config, 100000, RCC_SEC));
  for (guint i = 0; i < 3; i++)
    rcc_fbra_capacity_delay (&c, &config, true);
  g_assert_true (rcc_fbra_capacity_allows (&c, &config, 100000, RCC_SEC));
  start ();
  config.roomy = 1;                     /* or a single one */
  rcc_fbra_capacity_fall (&c, &config, 110000, 100000, 0);
  g_assert_false (rcc_fbra_capacity_allows (&c, &config, 100000, RCC_SEC));
  rcc_fbra_capacity_delay (&c, &config, true);
  g_assert_true (rcc_fbra_capacity_allows (&c, &config, 100000, RCC_SEC));
}

static void
parity_doubles_beyond_what_is_known (void)
{
  start ();
  config.n_min = 2;
  g_assert_cmpuint (rcc_fbra_capacity_n (&c, &config, 100000), ==, 14);
  rcc_fbra_capacity_passed (&c, &config, 107000);
  g_assert_cmpuint (rcc_fbra_capacity_n (&c, &config, 107000), ==, 7);
  for (guint i = 0; i < 20; i++)
    rcc_fbra_capacity_passed (&c, &config, 107000);
  g_assert_cmpuint (rcc_fbra_capacity_n (&c, &config, 107000), ==, 2);
  rcc_fbra_capacity_fall (&c, &config, 170000, 150000, 0);
  g_assert_cmpuint (rcc_fbra_capacity_n (&c, &config, 60000), ==, 14);
  /* below: up to it; around it: the least */
  rcc_fbra_capacity_passed (&c, &config, 100000);
  rcc_fbra_capacity_passed (&c, &config, 110000);
  g_assert_cmpuint (rcc_fbra_capacity_n (&c, &config, 110000), ==, 4);
  g_assert_cmpuint (rcc_fbra_capacity_n (&c, &config, 120000), ==, 6);
  rcc_fbra_capacity_passed (&c, &config, 150000);
  g_assert_cmpuint (rcc_fbra_capacity_n (&c, &config, 150000), ==, 14);
  /* beyond it anew */
  rcc_fbra_capacity_passed (&c, &config, 170000);
  g_assert_cmpuint (rcc_fbra_capacity_n (&c, &config, 170000), ==, 7);
}

/* 3 % of losses at random are the path's; 10 %, or with a queue, are not. */
static void
few_losses_without_delay_are_stray (void)
{
  start ();
  for (guint i = 0; i < 200; i++)
    g_assert_true (rcc_fbra_capacity_stray (&c, &config, 10, i % 10 < 3, false));
  g_assert_false (rcc_fbra_capacity_stray (&c, &config, 10, 1, true));
  for (guint i = 0; i < 200; i++)
    rcc_fbra_capacity_stray (&c, &config, 10, 1, false);
  g_assert_false (rcc_fbra_capacity_stray (&c, &config, 10, 1, false));
  start ();                             /* a report of one packet is one, of none is none */
  g_assert_true (rcc_fbra_capacity_stray (&c, &config, 0, 0, false));
  g_assert_cmpfloat (c.lossy, ==, 0);
  rcc_fbra_capacity_stray (&c, &config, 1, 1, false);
  g_assert_cmpfloat (c.lossy, >, 0);
  config.stray = c.lossy;               /* up to that share */
  g_assert_true (rcc_fbra_capacity_stray (&c, &config, 0, 0, false));
  start ();
  config.stray = 0;
  g_assert_false (rcc_fbra_capacity_stray (&c, &config, 10, 0, false));
}

/* Of 200 packets; of more at once all that they say, and nothing beyond. */
static void
the_share_lost_is_of_200_packets (void)
{
  start ();
  rcc_fbra_capacity_stray (&c, &config, 100, 10, false);
  g_assert_cmpfloat_with_epsilon (c.lossy, 0.05, 1e-9);
  rcc_fbra_capacity_stray (&c, &config, 200, 40, false);
  g_assert_cmpfloat_with_epsilon (c.lossy, 0.2, 1e-9);
  rcc_fbra_capacity_stray (&c, &config, 2000, 200, false);
  g_assert_cmpfloat_with_epsilon (c.lossy, 0.1, 1e-9);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/fbra-capacity/" #name, name)
  ADD (is_the_mean_of_two_reports_with_backoff);
  ADD (the_same_again_doubles_the_wait);
  ADD (is_refined_while_the_queue_is_there);
  ADD (share_counts_what_is_on_its_way);
  ADD (no_probe_leads_there_before_the_backoff_is_over);
  ADD (the_backoff_grows_where_a_probe_finds_the_same);
  ADD (low_delay_in_a_row_ends_the_backoff);
  ADD (parity_doubles_beyond_what_is_known);
  ADD (few_losses_without_delay_are_stray);
  g_test_add_func ("/fbra-capacity/share-lost", the_share_lost_is_of_200_packets);
  return g_test_run ();
}
