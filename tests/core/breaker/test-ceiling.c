/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What a stream is asked for while congestion nears: so that a controller which takes loss for
 * random is not stopped for it, and nothing else is slowed down.
 */
#include <math.h>
#include "world.h"

static World w;

static RccBreakerConfig
rfc (double hold_below)
{
  RccBreakerConfig config = rcc_breaker_config (RCC_BREAKER_RFC8083);

  config.hold_below = hold_below;
  config.rtcp_min_interval = S (1);
  return config;
}

static RccBreakerStream *
begin (RccBreakerConfig config, double bps, double rtt_s)
{
  world_init (&w, &config);
  w.rtt_s = rtt_s;
  world_flow (&w, bps, 1000);
  world_run (&w, w.now + MS (100));
  return &w.b.streams[0];
}

/* A controller that takes the loss for random wants @bps, and an encoder that obeys. */
static void
follow (double bps)
{
  w.flows[0].spacing = 8e9 * w.flows[0].size / MIN (bps, (double) w.b.streams[0].ceiling.bps);
}

static double
share_lost (GRand *rand, double p)
{
  const gint64 expected = w.flows[0].seq - 1 - w.flows[0].reported;
  guint lost = 0;

  for (gint64 i = 0; i < expected; i++)
    lost += g_rand_double (rand) < p;
  return expected > 0 ? (double) lost / expected : 0;
}

/* 60 s of a call: whether it was stopped. */
static bool
is_stopped (double hold_below, double bps, double rtt_s, double p, GRand *rand)
{
  begin (rfc (hold_below), bps, rtt_s);
  for (guint i = 0; i < 60 && w.stops == 0; i++) {
    world_run (&w, w.now + (RccTime) (g_rand_double_range (rand, 0.5, 1.5) * 1e9));
    world_report (&w, share_lost (rand, p));
    follow (bps);
  }
  return w.stops > 0;
}

static guint
stopped_of (guint calls, double hold_below, double bps, double rtt_s, double p)
{
  GRand *rand = g_rand_new_with_seed (1);
  guint n = 0;

  for (guint i = 0; i < calls; i++)
    n += is_stopped (hold_below, bps, rtt_s, p, rand);
  g_rand_free (rand);
  return n;
}

/* 3 % and 0.5 s: ten times TCP is 1.1 Mbit/s of these packets. */
static void
random_loss_ends_no_call (void)
{
  g_assert_cmpuint (stopped_of (200, 0, 1.5e6, 0.5, 0.03), >=, 160);
  g_assert_cmpuint (stopped_of (200, 0.5, 1.5e6, 0.5, 0.03), <=, 4);
  g_assert_cmpuint (stopped_of (200, 0, 3e6, 0.3, 0.05), >=, 160);
  g_assert_cmpuint (stopped_of (200, 0.5, 3e6, 0.3, 0.05), <=, 4);
}

/* Who does not obey is stopped as before. */
static void
who_does_not_obey_is_stopped (void)
{
  RccBreakerStream *s = begin (rfc (0.5), 1.5e6, 0.5);

  world_reports (&w, 30, S (1), 0.05);
  g_assert_cmpuint (w.stops, ==, 1);
  g_assert_cmpint (s->state, ==, RCC_BREAKER_OPEN);
  g_assert_cmpuint (s->ceiling.bps, ==, RCC_BREAKER_NO_CEILING);
}

static void
until_held (RccBreakerStream *s, double loss)
{
  for (guint i = 0; i < 30 && s->ceiling.bps == RCC_BREAKER_NO_CEILING; i++)
    world_reports (&w, 1, S (1), loss);
  g_assert_cmpuint (s->ceiling.bps, !=, RCC_BREAKER_NO_CEILING);
  g_assert_cmpuint (w.stops, ==, 0);
}

/* Half of ten times Mathis; loss that ends ends it, when none is left in CB_INTERVAL. */
static void
half_of_the_limit (void)
{
  RccBreakerStream *s = begin (rfc (0.5), 1.5e6, 0.5);
  const double x = 8 * 1000 / (0.5 * sqrt (2 * 0.05 / 3)); /* s = 1000 B */

  until_held (s, 0.05);
  g_assert_cmpfloat (fabs (s->ceiling.bps - 5 * x), <, 0.01 * 5 * x);
  g_assert_cmpint (w.last.changed, ==, RCC_TARGET);
  g_assert_cmpuint (w.last.target_bps, ==, s->ceiling.bps);
  for (guint i = 0; i < 20; i++) {
    follow (1.5e6);
    world_reports (&w, 1, S (1), 0.05);
    g_assert_cmpfloat (fabs (s->ceiling.bps - 5 * x), <, 0.1 * 5 * x);
  }
  g_assert_cmpuint (w.stops, ==, 0);
  world_reports (&w, s->cb_interval, S (1), 0);
  g_assert_cmpuint (s->ceiling.bps, ==, RCC_BREAKER_NO_CEILING);
}

/* A shorter path carries more, and the ceiling says so. */
static void
it_follows_the_path (void)
{
  RccBreakerStream *s = begin (rfc (0.5), 1.5e6, 0.5);
  guint32 before;

  until_held (s, 0.05);
  before = s->ceiling.bps;
  w.rtt_s = 0.35;
  for (guint i = 0; i < 20; i++) {
    follow (1.5e6);
    world_reports (&w, 1, S (1), 0.05);
  }
  g_assert_cmpuint (s->ceiling.bps, >, 1.3 * before);
  g_assert_cmpuint (s->ceiling.bps, <, 1.5 * before);
  w.rtt_s = 0.1;                        /* what it sent before is allowed */
  for (guint i = 0; i < 20; i++) {
    follow (1.5e6);
    world_reports (&w, 1, S (1), 0.05);
  }
  g_assert_cmpuint (s->ceiling.bps, ==, RCC_BREAKER_NO_CEILING);
}

/* rtpsession of 1.22 was seen to put reports off for 26 s, while GCC went from 0.3 to 2.5 Mbit/s: what
 * the first report after that says is in time. */
static void
reports_that_stay_away (void)
{
  RccBreakerConfig config = rfc (0.5);
  RccBreakerStream *s;

  config.require_rtcp = false;          /* feedback per packet keeps it alive */
  s = begin (config, 3e5, 0.5);
  world_reports (&w, 8, S (1), 0.03);
  g_assert_cmpuint (s->ceiling.bps, ==, RCC_BREAKER_NO_CEILING);
  w.flows[0].spacing = 8e9 * w.flows[0].size / 2.5e6;
  world_reports (&w, 1, S (26), 0.03);
  g_assert_cmpuint (s->ceiling.bps, <, 600000);
  for (guint i = 0; i < 20; i++) {
    follow (2.5e6);
    world_reports (&w, 1, S (1), 0.03);
  }
  g_assert_cmpuint (w.stops, ==, 0);
}

/* One report of a stranger who knows the numbers: nothing is asked for, however bad it is. */
static void
one_report_alone_holds_nothing (void)
{
  RccBreakerStream *s = begin (rfc (0.5), 1.5e6, 0.5);

  world_reports (&w, 6, S (1), 0.001);
  w.targets = 0;
  for (guint i = 0; i < 8; i++) {
    const gint64 lost = w.flows[0].lost;

    world_reports (&w, 1, S (1), i == 0 ? 1 : 0);
    w.flows[0].lost = lost;             /* the receiver knows nothing of it */
    g_assert_cmpuint (s->ceiling.bps, ==, RCC_BREAKER_NO_CEILING);
  }
  g_assert_cmpuint (w.targets, ==, 0);
  g_assert_cmpuint (w.stops, ==, 0);
}

/* Far from the limit, in the draft, or where it is off nobody is asked for anything. */
static void
not_where_nothing_nears (void)
{
  RccBreakerConfig draft = rcc_breaker_config (RCC_BREAKER_DRAFT2014);
  RccBreakerStream *s = begin (rfc (0.5), 1e6, 0.1);

  world_reports (&w, 30, S (1), 0.05);
  g_assert_cmpuint (s->ceiling.bps, ==, RCC_BREAKER_NO_CEILING);
  g_assert_cmpuint (w.targets, ==, 0);
  s = begin (rfc (0), 1.5e6, 0.5);
  world_reports (&w, 4, S (1), 0.05);
  g_assert_cmpuint (s->ceiling.bps, ==, RCC_BREAKER_NO_CEILING);
  draft.rtcp_min_interval = S (1);
  s = begin (draft, 1.5e6, 0.5);
  for (guint i = 0; i < 10; i++) {
    world_reports (&w, 1, S (1), i % 2 ? 0 : 0.2);
    g_assert_cmpuint (s->ceiling.bps, ==, RCC_BREAKER_NO_CEILING);
  }
  g_assert_cmpuint (w.targets, ==, 0);
}

/* Switched off in a call, it is over with the next report. */
static void
switched_off_it_is_over (void)
{
  RccBreakerConfig config = rfc (0.5);
  RccBreakerStream *s = begin (config, 1.5e6, 0.5);

  until_held (s, 0.05);
  config.hold_below = 0;
  rcc_breaker_adjust (&w.b, &config, w.now);
  follow (1);
  world_reports (&w, 1, S (1), 0.05);
  g_assert_cmpuint (s->ceiling.bps, ==, RCC_BREAKER_NO_CEILING);
  g_assert_cmpint (w.last.changed, ==, RCC_TARGET);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ceiling/random-loss", random_loss_ends_no_call);
  g_test_add_func ("/ceiling/who-does-not-obey", who_does_not_obey_is_stopped);
  g_test_add_func ("/ceiling/half-of-the-limit", half_of_the_limit);
  g_test_add_func ("/ceiling/follows-the-path", it_follows_the_path);
  g_test_add_func ("/ceiling/late-reports", reports_that_stay_away);
  g_test_add_func ("/ceiling/one-report", one_report_alone_holds_nothing);
  g_test_add_func ("/ceiling/nothing-nears", not_where_nothing_nears);
  g_test_add_func ("/ceiling/switched-off", switched_off_it_is_over);
  return g_test_run ();
}
