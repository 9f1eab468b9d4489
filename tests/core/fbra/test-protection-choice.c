/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <glib.h>

#include "core/fbra/protection-choice.h"

#define S RCC_SEC
#define MS RCC_MSEC

static RccProtectionChoice
choice_new (void)
{
  const RccProtectionChoiceConfig config = rcc_protection_choice_config ();
  RccProtectionChoice c;

  rcc_protection_choice_init (&c, &config);
  return c;
}

/* A report each 200 ms from @from to @to; what the last one leads to. */
static guint
hear (RccProtectionChoice *c, RccTime from, RccTime to, double loss, RccTime rtt)
{
  guint every = 0;

  for (RccTime now = from; now < to; now += 200 * MS)
    every = rcc_protection_choose (c, loss, rtt, now);
  return every;
}

static void
only_where_copies_are_late (void)
{
  RccProtectionChoice c = choice_new ();

  g_assert_cmpuint (hear (&c, 0, 20 * S, 0.02, 100 * MS), ==, 0);
  g_assert_cmpuint (hear (&c, 20 * S, 40 * S, 0.02, 200 * MS), ==, 0);
  g_assert_cmpuint (hear (&c, 40 * S, 60 * S, 0.02, 600 * MS), >, 0);
  g_assert_cmpuint (hear (&c, 60 * S, 61 * S, 0.02, 100 * MS), ==, 0);
  g_assert_cmpuint (hear (&c, 61 * S, 80 * S, 0.02, RCC_NEVER), ==, 0);
  c.config.latency = 0;                 /* nothing is sent again */
  g_assert_cmpuint (hear (&c, 80 * S, 90 * S, 0.02, 20 * MS), >, 0);
  g_assert_cmpuint (hear (&c, 90 * S, 100 * S, 0.02, RCC_NEVER), >, 0);
}

static void
only_where_losses_persist (void)
{
  RccProtectionChoice c = choice_new ();

  g_assert_cmpuint (hear (&c, 0, 10 * S, 0, 600 * MS), ==, 0);
  /* one report of 5 % is an average of a quarter of that, and has gone soon */
  g_assert_cmpuint (hear (&c, 10 * S, 10 * S + 200 * MS, 0.05, 600 * MS), ==, 0);
  g_assert_cmpuint (hear (&c, 10 * S + 200 * MS, 20 * S, 0, 600 * MS), ==, 0);
  g_assert_cmpuint (hear (&c, 20 * S, 21 * S, 0.01, 600 * MS), ==, 0);
  g_assert_cmpuint (hear (&c, 21 * S, 30 * S, 0.01, 600 * MS), >, 0);
  g_assert_cmpuint (hear (&c, 30 * S, 33 * S, 0, 600 * MS), >, 0);
  g_assert_cmpuint (hear (&c, 33 * S, 40 * S, 0, 600 * MS), ==, 0);
}

static void
more_loss_more_parity (void)
{
  static const struct {
    double loss;
    guint every;
  } cases[] = { { 0.006, 8 }, { 0.0101, 4 }, { 0.03, 3 }, { 0.2, 3 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    RccProtectionChoice c = choice_new ();

    g_assert_cmpuint (hear (&c, 0, 60 * S, cases[i].loss, S), ==, cases[i].every);
  }
}

/* Late or early: time that stands or runs backwards changes nothing. */
static void
the_clock_may_stand (void)
{
  RccProtectionChoice c = choice_new ();

  hear (&c, 0, 20 * S, 0.02, 600 * MS);
  for (guint i = 0; i < 100; i++)
    g_assert_cmpuint (rcc_protection_choose (&c, 0, 600 * MS, 19 * S), >, 0);
}

/* However many are lost: config.least. */
static void
not_before_losses_have_lasted (void)
{
  RccProtectionChoice c = choice_new ();
  RccTime now = 0;

  for (; c.above == RCC_NEVER; now += 200 * MS)
    g_assert_cmpuint (rcc_protection_choose (&c, 0.5, 600 * MS, now), ==, 0);
  for (; now < c.above + c.config.least; now += 200 * MS)
    g_assert_cmpuint (rcc_protection_choose (&c, 0.5, 600 * MS, now), ==, 0);
  g_assert_cmpuint (now, >, c.above + 200 * MS);
  g_assert_cmpuint (rcc_protection_choose (&c, 0.5, 600 * MS, c.above + c.config.least), >, 0);
}

/* What keeps it does not begin it: config.on is above config.off. */
static void
what_keeps_it_does_not_begin_it (void)
{
  RccProtectionChoice c = choice_new ();
  const double between = (c.config.on + c.config.off) / 2;

  g_assert_cmpuint (hear (&c, 0, 60 * S, between, 600 * MS), ==, 0);
  g_assert_cmpuint (hear (&c, 60 * S, 80 * S, 2 * c.config.on, 600 * MS), >, 0);
  g_assert_cmpuint (hear (&c, 80 * S, 200 * S, between, 600 * MS), >, 0);
  g_assert_cmpuint (hear (&c, 200 * S, 260 * S, c.config.off / 2, 600 * MS), ==, 0);
  g_assert_cmpuint (hear (&c, 260 * S, 320 * S, between, 600 * MS), ==, 0);
}

/* A copy comes after a round trip and a half: beyond 200 ms for what waits 300 ms. */
static void
a_copy_takes_a_round_trip_and_a_half (void)
{
  for (guint i = 0; i < 2; i++) {
    RccProtectionChoice c = choice_new ();

    g_assert_cmpuint (hear (&c, 0, 20 * S, 0.02, (200 + 2 * i) * MS) > 0, ==, i);
  }
}

static void
one_in_ten_is_the_least (void)
{
  RccProtectionChoice c = choice_new ();

  g_assert_cmpuint (hear (&c, 0, 20 * S, 0.006, 600 * MS), ==, 8);
  g_assert_cmpuint (hear (&c, 20 * S, 60 * S, 0.0025, 600 * MS), ==, 10);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/protection-choice/a-round-trip-and-a-half",
      a_copy_takes_a_round_trip_and_a_half);
  g_test_add_func ("/protection-choice/what-keeps-it", what_keeps_it_does_not_begin_it);
  g_test_add_func ("/protection-choice/only-where-copies-are-late", only_where_copies_are_late);
  g_test_add_func ("/protection-choice/only-where-losses-persist", only_where_losses_persist);
  g_test_add_func ("/protection-choice/more-loss-more-parity", more_loss_more_parity);
  g_test_add_func ("/protection-choice/the-clock-may-stand", the_clock_may_stand);
  g_test_add_func ("/protection-choice/not-before-losses-have-lasted",
      not_before_losses_have_lasted);
  g_test_add_func ("/protection-choice/one-in-ten", one_in_ten_is_the_least);
  return g_test_run ();
}
