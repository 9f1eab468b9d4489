/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The path here loses what is over its capacity, a share of the rest, or both.
 */
#include <math.h>
#include <glib.h>
#include "core/gcc/loss-cause.h"
#include "core/rng.h"

#define RTT (100 * RCC_MSEC)
#define EACH (50 * RCC_MSEC)            /* a feedback */
#define PACKET_BITS (1000.0 * 8)
#define WANTED 1e6                      /* bit/s, what all others allow */

typedef struct {
  RccLossCause cause;
  RccRng rng;
  double capacity, own;                 /* bit/s; share */
  double filled;                        /* bit/s: nothing is lost below, as there nobody fills what
                                         * we leave; 0: the losses are the path's own */
  guint burst;                          /* packets that are lost together */
  RccTime now;
  double target, rest, sent, lost;      /* bit/s; packets: not made yet, in all */
  double step_sent, step_lost;          /* of the newest feedback */
  gboolean calm;
} Path;

static Path
path (double capacity, double own, guint64 seed)
{
  Path p = { .capacity = capacity, .own = own, .burst = 1, .target = WANTED, .calm = TRUE };

  rcc_loss_cause_init (&p.cause);
  rcc_rng_init (&p.rng, seed, 1);
  return p;
}

static double
drop (Path *p, double packets)
{
  double lost = 0;

  if (p->target < p->filled)
    return 0;
  for (guint i = 0; i < (guint) packets; i++)
    if (rcc_rng_uniform (&p->rng) < p->own / p->burst)
      lost += p->burst;
  return MIN (lost, packets);
}

/* Feedback for @seconds; the limit is obeyed at once. */
static void
run (Path *p, double seconds)
{
  const RccTime to = p->now + (RccTime) (seconds * 1e9);

  for (; p->now < to; p->now += EACH) {
    const double made = p->target * EACH * 1e-9 / PACKET_BITS + p->rest, packets = floor (made);
    const double over = MAX (p->target - p->capacity, 0) / p->target * packets;
    const double lost = MIN (over + drop (p, packets), packets);

    rcc_loss_cause_packets (&p->cause, lost, packets, p->target * (1 - lost / packets), p->target,
        p->calm, RTT, p->now);
    p->target = MIN (WANTED, p->cause.bps);
    p->rest = made - packets;
    p->step_sent = packets;
    p->step_lost = lost;
    p->sent += packets;
    p->lost += lost;
  }
}

static void
without_loss_there_is_no_limit (void)
{
  Path p = path (2e6, 0, 1);

  run (&p, 60);
  g_assert_true (isinf (p.cause.bps));
  g_assert_cmpuint (p.cause.tests, ==, 0);
  g_assert_cmpfloat (rcc_loss_cause_rest (&p.cause, 0.08), ==, 0.0);
  g_assert_cmpfloat (rcc_loss_cause_rest (&p.cause, 0.01), ==, 0.01);
  g_assert_cmpfloat (rcc_loss_cause_rest (&p.cause, 0.30), ==, 0.30);
}

/* 20 % over the capacity: found within the time of 12 losses and one test, then the rate is
 * about the capacity and the loss small. */
static void
what_goes_with_the_rate_is_congestion (void)
{
  Path p = path (0.8e6, 0, 1);

  run (&p, 6);
  g_assert_cmpuint (p.cause.congestions, ==, 1);
  g_assert_cmpfloat (p.target, <, 1.02 * 0.8e6);
  p.sent = p.lost = 0;
  run (&p, 120);
  g_assert_cmpfloat (p.lost / p.sent, <, 0.02);
  g_assert_cmpfloat (p.sent * PACKET_BITS / 120, >, 0.9 * 0.8e6);
  g_assert_cmpfloat (p.cause.own, <, 0.005);
}

/* The tests, and a wrong finding now and then, cost 7 % of the rate in the mean of twenty seeds
 * and 15 % in the worst. */
static void
what_stays_is_the_paths_own (void)
{
  static const double shares[] = { 0.03, 0.05, 0.10 };

  for (guint i = 0; i < G_N_ELEMENTS (shares); i++) {
    double rate = 0;

    for (guint64 seed = 1; seed <= 20; seed++) {
      Path p = path (2e6, shares[i], seed);

      run (&p, 120);
      g_assert_cmpuint (p.cause.tests, >=, 1);
      g_assert_cmpfloat (p.sent * PACKET_BITS / 120, >, 0.85 * WANTED);
      rate += p.sent * PACKET_BITS / 120 / 20;
    }
    g_assert_cmpfloat (rate, >, 0.93 * WANTED);
  }
}

static void
losses_that_come_together_do_not_make_congestion (void)
{
  double rate = 0;

  for (guint64 seed = 1; seed <= 20; seed++) {
    Path p = path (2e6, 0.03, seed);

    p.burst = 3;
    run (&p, 120);
    rate += p.sent * PACKET_BITS / 120 / 20;
  }
  g_assert_cmpfloat (rate, >, 0.9 * WANTED);
}

/* A TCP flow beside fills the room of a small cut, and the losses stay: the path's own, by one test
 * alone. */
static void
who_fills_the_room_is_congestion (void)
{
  guint own = 0;

  for (guint64 seed = 1; seed <= 20; seed++) {
    Path one = path (2e6, 0.04, seed), two = path (2e6, 0.04, seed);

    one.filled = two.filled = 0.85 * WANTED;
    two.cause.second_cut = 0.8;
    run (&one, 20);
    run (&two, 20);
    own += one.cause.own > 0.01;
    g_assert_cmpuint (two.cause.congestions, >=, 1);
    g_assert_cmpfloat (two.cause.own, ==, 0);
  }
  g_assert_cmpuint (own, >, 0);         /* so one test is not enough */
}

/* It costs a fifth of the rate for 5 s at most, after 30 s again, then after 60: 3 % of 120 s. */
static void
a_second_test_costs_little (void)
{
  static const double shares[] = { 0.03, 0.05, 0.10 };

  for (guint i = 0; i < G_N_ELEMENTS (shares); i++) {
    double rate = 0;

    for (guint64 seed = 1; seed <= 20; seed++) {
      Path p = path (2e6, shares[i], seed);

      p.cause.second_cut = 0.8;
      run (&p, 120);
      g_assert_cmpfloat (p.sent * PACKET_BITS / 120, >, 0.80 * WANTED);
      rate += p.sent * PACKET_BITS / 120 / 20;
    }
    g_test_message ("%.2f lost: %.3f of the rate", shares[i], rate / WANTED);
    g_assert_cmpfloat (rate, >, 0.90 * WANTED);
  }
}

/* Once two tests have said so, one is enough, until there was congestion, or more than twice as much
 * is lost, as by chance here at times. */
static void
the_second_test_is_not_repeated (void)
{
  guint seen = 0;

  for (guint64 seed = 1; seed <= 20; seed++) {
    Path p = path (2e6, 0.05, seed);

    p.cause.second_cut = 0.8;
    run (&p, 20);
    for (guint i = 0; i < 2000 && p.cause.sure > 0; i++) {
      const RccLossCause before = p.cause;
      double share;

      run (&p, 1e-9 * EACH);
      share = (before.lost + p.step_lost) / (before.expected + p.step_sent);
      if (before.sure > 0 && before.phase == RCC_CAUSE_TEST && !before.second
          && RCC_MAX (before.before, share) <= 2 * before.sure) {
        g_assert_false (p.cause.second);
        seen += p.cause.phase == RCC_CAUSE_WATCH;
      }
    }
  }
  g_assert_cmpuint (seen, >, 20);
}

/* But five times what they found is another loss: where somebody fills the room it is congestion. */
static void
more_than_what_is_sure_is_tested_anew (void)
{
  static const double sure[] = { 0.10, 0.02 };
  guint own[2] = { 0 };

  for (guint i = 0; i < 2; i++) {
    for (guint64 seed = 1; seed <= 20; seed++) {
      Path p = path (2e6, 0.10, seed);

      p.filled = 0.72 * WANTED;
      p.cause.second_cut = 0.7;
      p.cause.sure = sure[i];
      run (&p, 8);
      own[i] += p.cause.own > 0.01;
    }
  }
  g_assert_cmpuint (own[0], >, 10);
  g_assert_cmpuint (own[1], ==, 0);
}

/* A path with 5 % of its own gets narrow: that is seen beside it. */
static void
congestion_is_seen_above_the_paths_own (void)
{
  Path p = path (2e6, 0.05, 3);

  run (&p, 20);
  g_assert_cmpfloat (p.cause.own, >, 0.02);
  p.capacity = 0.6e6;
  run (&p, 15);
  p.sent = p.lost = 0;
  run (&p, 60);
  g_assert_cmpfloat (p.lost / p.sent, <, 0.05 + 0.05);
  g_assert_cmpfloat (p.target, <, 1.1 * 0.6e6);
}

static void
more_than_anybody_sends_against_is_congestion (void)
{
  Path p = path (2e6, 0.4, 1);

  run (&p, 60);
  g_assert_cmpfloat (p.cause.own, <=, 0.15);
  g_assert_cmpfloat (rcc_loss_cause_rest (&p.cause, 0.45), ==, 0.45);
}

/* The limit of congestion is forgotten where there is room again: CUBIC's curve is at 1.25 of
 * the capacity 5 s * cbrt (.25 / .05) = 8.6 s after the 5 s back. */
static void
room_is_found_again (void)
{
  Path p = path (0.8e6, 0, 1);

  run (&p, 6);
  g_assert_cmpint (p.cause.phase, ==, RCC_CAUSE_CONGESTION);
  p.capacity = 2e6;
  run (&p, 10);
  g_assert_false (isinf (p.cause.bps));
  run (&p, 6);
  g_assert_true (isinf (p.cause.bps));
}

/* An encoder that is far below its target: the limit that is cut of the target comes back, too. */
static void
room_is_found_again_by_a_source_of_little (void)
{
  RccLossCause c;
  RccTime now = 0;

  rcc_loss_cause_init (&c);
  for (; c.tests == 0; now += EACH)
    rcc_loss_cause_packets (&c, 1, 20, 0.4 * WANTED, WANTED, TRUE, RTT, now);
  g_assert_cmpfloat (c.bps, >, 0.6 * WANTED);
  for (; now < 25 * RCC_SEC; now += EACH)
    rcc_loss_cause_packets (&c, 0, 20, 0.4 * WANTED, MIN (WANTED, c.bps), TRUE, RTT, now);
  g_assert_cmpuint (c.congestions, ==, 1);
  g_assert_true (isinf (c.bps));
}

/* What a long queue lost at a fall is the delay's to answer. */
static void
losses_of_a_long_queue_are_not_judged (void)
{
  Path p = path (0.5e6, 0, 1);

  p.calm = FALSE;
  run (&p, 5);
  g_assert_true (isinf (p.cause.bps));
  p.calm = TRUE;
  p.capacity = 2e6;
  run (&p, 5);
  g_assert_cmpuint (p.cause.tests, ==, 0);
}

static void
any_feedback_leaves_it_sane (void)
{
  RccRng rng;
  RccLossCause c;
  RccTime now = 0;

  rcc_rng_init (&rng, 7, 1);
  rcc_loss_cause_init (&c);
  for (guint i = 0; i < 200000; i++) {
    const double expected = floor (rcc_rng_uniform (&rng) * 100);
    const double target = exp (rcc_rng_uniform (&rng) * 20);

    now += (RccTime) (rcc_rng_uniform (&rng) * RCC_SEC);
    rcc_loss_cause_packets (&c, floor (expected * rcc_rng_uniform (&rng)), expected,
        rcc_rng_uniform (&rng) * 2 * target, target, rcc_rng_uniform (&rng) < 0.7,
        (RccTime) (rcc_rng_uniform (&rng) * RCC_SEC), now);
    g_assert_false (isnan (c.bps));
    g_assert_cmpfloat (c.bps, >, 0);
    g_assert_cmpfloat (c.own, >=, 0);
    g_assert_cmpfloat (c.own, <=, 0.15);
    g_assert_cmpfloat (c.mean, <=, 1);
    g_assert_cmpfloat (rcc_loss_cause_rest (&c, 0.5), <=, 0.5);
  }
}

/* Up to 1.5 % above the path's own is none, and over 25 % is congestion without a test. */
static void
the_rest_has_a_least (void)
{
  RccLossCause c;

  rcc_loss_cause_init (&c);
  c.own = c.recent = 0.0;
  g_assert_cmpfloat (rcc_loss_cause_rest (&c, 0.0149), ==, 0.0149);
  g_assert_cmpfloat (rcc_loss_cause_rest (&c, 0.015), ==, 0.0);
  g_assert_cmpfloat (rcc_loss_cause_rest (&c, 0.25), ==, 0.0);
  g_assert_cmpfloat (rcc_loss_cause_rest (&c, 0.26), ==, 0.26);
}

/* Of a few losses in many packets a share can be told, but not at once. */
static void
few_losses_take_two_seconds (void)
{
  RccLossCause c;

  rcc_loss_cause_init (&c);
  rcc_loss_cause_packets (&c, 3, 60, 9e5, 1e6, TRUE, RTT, RCC_SEC);
  rcc_loss_cause_packets (&c, 3, 60, 9e5, 1e6, TRUE, RTT, 2 * RCC_SEC - 1);
  g_assert_cmpfloat (c.expected, ==, 120);
  rcc_loss_cause_packets (&c, 0, 60, 9e5, 1e6, TRUE, RTT, 2 * RCC_SEC);
  g_assert_cmpfloat (c.expected, ==, 0);
}

/* Tests that begin where @own is the path's own, and @n reports tell of @lost each, of @expected in
 * all. */
static guint
tests_begun (double own, guint n, double lost, double expected)
{
  RccLossCause c;

  rcc_loss_cause_init (&c);
  c.own = own;
  c.known = RCC_NEVER;
  for (guint i = 0; i < n; i++)
    rcc_loss_cause_packets (&c, lost, expected / n, 0.8e6, 1e6, true, RTT,
        i + 1 < n ? RCC_MSEC : RCC_SEC);
  return c.tests;
}

/* Reports that tell fractions of a packet scatter no less than packets do: 10 + 3 sqrt (10) of
 * 100 are the path's own. */
static void
fractions_of_a_packet_are_no_surer (void)
{
  g_assert_cmpuint (tests_begun (0.1, 76, 0.25, 100), ==, 0);
  g_assert_cmpuint (tests_begun (0.1, 80, 0.25, 100), ==, 1);
}

/* Ten at a time are as one: 15 + 3 sqrt (10 * 15) of 300 are the path's own. */
static void
bursts_tell_less (void)
{
  g_assert_cmpuint (tests_begun (0.05, 4, 10, 300), ==, 0);
  g_assert_cmpuint (tests_begun (0.05, 6, 10, 300), ==, 1);
}

/* Half a minute after the first test, and twice as long after each: four minutes at most. */
static void
what_was_found_again_is_known_for_longer (void)
{
  static const guint seconds[] = { 30, 60, 120, 240, 240 };
  Path p = path (2e6, 0.1, 1);

  for (guint i = 0; i < G_N_ELEMENTS (seconds); i++) {
    const RccTime known = p.cause.known;

    p.cause.own = 0;                      /* forgotten: it is tested anew */
    while (p.cause.known == known)
      run (&p, 0.05);
    g_assert_cmpuint (p.cause.known, ==, p.now - EACH + seconds[i] * RCC_SEC);
  }
  g_assert_cmpuint (p.cause.congestions, ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/loss-cause/without-loss-there-is-no-limit", without_loss_there_is_no_limit);
  g_test_add_func ("/loss-cause/what-goes-with-the-rate-is-congestion",
      what_goes_with_the_rate_is_congestion);
  g_test_add_func ("/loss-cause/what-stays-is-the-paths-own", what_stays_is_the_paths_own);
  g_test_add_func ("/loss-cause/who-fills-the-room-is-congestion",
      who_fills_the_room_is_congestion);
  g_test_add_func ("/loss-cause/the-second-test-is-not-repeated", the_second_test_is_not_repeated);
  g_test_add_func ("/loss-cause/more-than-what-is-sure", more_than_what_is_sure_is_tested_anew);
  g_test_add_func ("/loss-cause/a-second-test-costs-little", a_second_test_costs_little);
  g_test_add_func ("/loss-cause/losses-that-come-together-do-not-make-congestion",
      losses_that_come_together_do_not_make_congestion);
  g_test_add_func ("/loss-cause/congestion-is-seen-above-the-paths-own",
      congestion_is_seen_above_the_paths_own);
  g_test_add_func ("/loss-cause/more-than-anybody-sends-against-is-congestion",
      more_than_anybody_sends_against_is_congestion);
  g_test_add_func ("/loss-cause/room-is-found-again", room_is_found_again);
  g_test_add_func ("/loss-cause/room-is-found-again-by-a-source-of-little",
      room_is_found_again_by_a_source_of_little);
  g_test_add_func ("/loss-cause/the-rest-has-a-least", the_rest_has_a_least);
  g_test_add_func ("/loss-cause/losses-of-a-long-queue-are-not-judged",
      losses_of_a_long_queue_are_not_judged);
  g_test_add_func ("/loss-cause/few-losses-take-two-seconds", few_losses_take_two_seconds);
  g_test_add_func ("/loss-cause/any-feedback-leaves-it-sane", any_feedback_leaves_it_sane);
  g_test_add_func ("/loss-cause/known-for-longer", what_was_found_again_is_known_for_longer);
  g_test_add_func ("/loss-cause/fractions-of-a-packet", fractions_of_a_packet_are_no_surer);
  g_test_add_func ("/loss-cause/bursts", bursts_tell_less);
  return g_test_run ();
}
