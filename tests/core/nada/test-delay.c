/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/nada/delay.h"

#include <glib.h>

#define MS RCC_MSEC
#define S RCC_SEC

static RccNadaDelay d;
static guint64 ahead;                   /* the receiver's clock */

/* Under way for @ms; told of 100 ms after it left. */
static RccTime
packet (RccTime sent, guint ms)
{
  return rcc_nada_delay_packet (&d, sent, sent + ahead + ms * MS, sent + 1000 * MS);
}

static void
above_the_least (void)
{
  const guint64 clocks[] = { 0, 77 * S, -(77 * S), 0x1p63 };

  for (guint i = 0; i < G_N_ELEMENTS (clocks); i++) {
    ahead = clocks[i];
    rcc_nada_delay_init (&d, 600 * S);
    g_assert_cmpuint (rcc_nada_delay_queue (&d), ==, 0);
    g_assert_cmpuint (packet (100 * S, 60), ==, 0);
    g_assert_cmpuint (packet (101 * S, 75), ==, 15 * MS);
    g_assert_cmpuint (packet (102 * S, 50), ==, 0);
    g_assert_cmpuint (packet (103 * S, 75), ==, 25 * MS);
    g_assert_cmpuint (d.restarts, ==, 0);
  }
}

/* 5.1.1: one good packet among 15 is enough, a spike is none */
static void
the_least_of_fifteen (void)
{
  ahead = 0;
  rcc_nada_delay_init (&d, 600 * S);
  packet (1 * S, 50);
  for (guint i = 1; i <= 14; i++)
    packet (1 * S + i * MS, 90);
  g_assert_cmpuint (rcc_nada_delay_queue (&d), ==, 0);
  packet (2 * S, 95);
  g_assert_cmpuint (rcc_nada_delay_queue (&d), ==, 40 * MS);
  packet (3 * S, 62);
  g_assert_cmpuint (rcc_nada_delay_queue (&d), ==, 12 * MS);
}

/* The path became longer by 30 ms: a queue until the ten minutes are over. */
static void
the_base_expires (void)
{
  ahead = 0;
  rcc_nada_delay_init (&d, 600 * S);
  packet (10 * S, 50);
  for (guint t = 11; t < 605; t++)
    g_assert_cmpuint (packet (t * S, 80), ==, 30 * MS);
  for (guint t = 680; t < 700; t++)
    g_assert_cmpuint (packet (t * S, 80), ==, 0);
  packet (5000 * S, 90);                /* after a long pause */
  g_assert_cmpuint (packet (5001 * S, 120), ==, 30 * MS);
  g_assert_cmpuint (packet (5500 * S, 120), ==, 30 * MS);
  g_assert_cmpuint (packet (5700 * S, 120), ==, 0);
  rcc_nada_delay_init (&d, RCC_NEVER);
  packet (10 * S, 50);
  g_assert_cmpuint (packet (100000 * S, 80), ==, 30 * MS);
}

/* A packet has not waited for longer than since it left. */
static void
a_clock_that_was_set (void)
{
  ahead = 0;
  rcc_nada_delay_init (&d, 600 * S);
  packet (10 * S, 50);
  ahead = 3600 * S;
  g_assert_cmpuint (packet (11 * S, 50), ==, 0);
  g_assert_cmpuint (d.restarts, ==, 1);
  g_assert_cmpuint (packet (12 * S, 70), ==, 20 * MS);
  ahead = -(3600 * S);
  g_assert_cmpuint (packet (13 * S, 50), ==, 0);
  g_assert_cmpuint (packet (14 * S, 70), ==, 20 * MS);
}

static void
the_future (void)
{
  ahead = 0;
  rcc_nada_delay_init (&d, 600 * S);
  packet (10 * S, 50);
  g_assert_cmpuint (rcc_nada_delay_packet (&d, 20 * S, 20 * S, 11 * S), ==, RCC_NEVER);
  g_assert_cmpuint (packet (11 * S, 60), ==, 10 * MS);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/nada/delay/above-the-least", above_the_least);
  g_test_add_func ("/core/nada/delay/the-least-of-fifteen", the_least_of_fifteen);
  g_test_add_func ("/core/nada/delay/the-base-expires", the_base_expires);
  g_test_add_func ("/core/nada/delay/a-clock-that-was-set", a_clock_that_was_set);
  g_test_add_func ("/core/nada/delay/the-future", the_future);
  return g_test_run ();
}
