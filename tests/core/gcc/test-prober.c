/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <glib.h>
#include "core/gcc/prober.h"
#include "core/rng.h"

#define SPAN (20 * RCC_MSEC)
#define INTERVAL (3 * RCC_SEC)

static RccProber
started (RccTime now)
{
  RccProber p;

  rcc_prober_init (&p, 2.0, 2.0, 0, INTERVAL, SPAN);
  g_assert_cmpuint (p.next, ==, RCC_NEVER);
  rcc_prober_start (&p, now);
  return p;
}

/* Without a factor there are no probes; any factor is one. */
static void
a_factor_of_none_starts_nothing (void)
{
  for (guint i = 0; i < 2; i++) {
    RccProber p;

    rcc_prober_init (&p, 0, i, 0, INTERVAL, SPAN);
    rcc_prober_start (&p, RCC_SEC);
    g_assert_cmpuint (p.next, ==, i ? RCC_SEC : RCC_NEVER);
  }
}

/* At once, as long as the link was never full; then the new rate must reach it first. */
static void
follows_an_answer (void)
{
  for (guint i = 0; i < 2; i++) {
    RccProber p = started (RCC_SEC);
    const RccTime answered = 4 * RCC_SEC;

    if (i == 1)
      rcc_prober_target (&p, 300000, TRUE, RCC_SEC);
    g_assert_cmpuint (rcc_prober_poll (&p, 300000, 10000000, 3 * RCC_SEC).probe_bps, ==, 600000);
    rcc_prober_target (&p, 600000, FALSE, answered);
    g_assert_cmpuint (p.next, ==, i == 0 ? answered : answered + 100 * RCC_MSEC);
  }
}

static void
starts_exponentially (void)
{
  RccTime now = RCC_SEC;
  RccProber p = started (now);
  guint32 target = 300000, probes = 0;

  /* a link that answers every probe in full, up to 10 Mbit/s; 100 ms each way */
  while (now < 4 * RCC_SEC) {
    const RccUpdate u = rcc_prober_poll (&p, target, 100000000, now);

    if (u.changed) {
      g_assert_cmpuint (u.changed, ==, RCC_PROBE);
      g_assert_cmpuint (u.probe_bps, ==, 2 * target);
      g_assert_cmpuint (u.probe_id, ==, ++probes);
      g_assert_cmpuint (u.probe_bytes, >=, RCC_MAX (u.probe_bps / 8 / 50, 1500));
      target = RCC_MIN (u.probe_bps, 10000000);
      now += 200 * RCC_MSEC;
      rcc_prober_target (&p, target, FALSE, now);
    }
    now = RCC_MAX (now + RCC_MSEC, p.next);
  }
  g_assert_cmpuint (target, ==, 10000000);
  /* five doublings to 9.6 M, then one that the link could not answer */
  g_assert_cmpuint (p.answered, ==, 5);
  g_assert_cmpuint (probes, >=, 6);
}

/* The first one alone: a slow link that cannot answer it is not asked for as much again. */
static void
the_first_goes_further (void)
{
  RccUpdate u;
  RccProber p;

  rcc_prober_init (&p, 3.0, 2.0, 0, INTERVAL, SPAN);
  rcc_prober_start (&p, RCC_SEC);
  u = rcc_prober_poll (&p, 150000, 10000000, RCC_SEC);
  g_assert_cmpuint (u.probe_bps, ==, 450000);
  rcc_prober_target (&p, 250000, FALSE, RCC_SEC + 200 * RCC_MSEC);
  g_assert_cmpuint (p.answered, ==, 0);
  u = rcc_prober_poll (&p, 250000, 10000000, RCC_SEC + INTERVAL);
  g_assert_cmpuint (u.probe_bps, ==, 500000);
  rcc_prober_init (&p, 0, 2.0, 0, INTERVAL, SPAN);
  rcc_prober_start (&p, RCC_SEC);
  u = rcc_prober_poll (&p, 150000, 10000000, RCC_SEC);
  g_assert_cmpuint (u.probe_bps, ==, 300000);
}

static void
an_unanswered_probe_waits_for_its_interval (void)
{
  RccProber p = started (RCC_SEC);

  g_assert_cmpuint (rcc_prober_poll (&p, 300000, 10000000, RCC_SEC).changed, ==, RCC_PROBE);
  rcc_prober_target (&p, 310000, FALSE, RCC_SEC + 200 * RCC_MSEC);
  g_assert_cmpuint (rcc_prober_poll (&p, 310000, 10000000,
          RCC_SEC + INTERVAL - 1).changed, ==, 0);
  g_assert_cmpuint (rcc_prober_poll (&p, 310000, 10000000,
          RCC_SEC + INTERVAL).changed, ==, RCC_PROBE);
}

static void
no_probe_within_a_second_of_congestion (void)
{
  for (guint ms = 0; ms < 1100; ms += 50) {
    RccProber p = started (RCC_SEC);
    const RccTime bad = 10 * RCC_SEC - ms * RCC_MSEC;

    p.next = 10 * RCC_SEC;
    rcc_prober_target (&p, 200000, TRUE, bad);
    g_assert_cmpuint (rcc_prober_poll (&p, 200000, 10000000, 10 * RCC_SEC).changed, ==,
        ms >= 1000 ? RCC_PROBE : 0);
    if (ms < 1000)
      g_assert_cmpuint (p.next, ==, bad + RCC_SEC);
  }
}

/* The first probe after a fall asks for less, and is answered only in full; before anything was
 * answered there is no care, as nothing has been shown yet. */
static void
probes_with_care_after_congestion (void)
{
  static const guint answers[] = { 450000, 400000 };    /* of 450 kbit/s asked for */

  for (guint i = 0; i < 2; i++) {
    RccProber p;
    RccUpdate u;

    rcc_prober_init (&p, 2.0, 2.0, 1.5, INTERVAL, SPAN);
    rcc_prober_start (&p, RCC_SEC);
    rcc_prober_target (&p, 200000, TRUE, RCC_SEC);
    u = rcc_prober_poll (&p, 200000, 10000000, 2 * RCC_SEC);
    g_assert_cmpuint (u.probe_bps, ==, 400000);
    g_assert_cmpuint (u.probe_bytes, ==, 1500);
    rcc_prober_target (&p, 400000, FALSE, 5 * RCC_SEC / 2);
    g_assert_cmpuint (p.answered, ==, 1);
    rcc_prober_target (&p, 300000, TRUE, 3 * RCC_SEC);
    u = rcc_prober_poll (&p, 300000, 10000000, 9 * RCC_SEC);
    g_assert_cmpuint (u.probe_bps, ==, 450000);
    g_assert_cmpuint (u.probe_bytes, ==, 3000);
    rcc_prober_target (&p, answers[i], FALSE, 10 * RCC_SEC);
    g_assert_cmpuint (p.answered, ==, i == 0 ? 2 : 1);
    g_assert_cmpuint (p.next, ==, i == 0 ? 10 * RCC_SEC + 100 * RCC_MSEC : 12 * RCC_SEC);
    g_assert_cmpuint (rcc_prober_poll (&p, answers[i], 10000000, p.next).probe_bps, ==,
        2 * answers[i]);
  }
}

/* Beside somebody who overflows the queue, care only yields: not for half a minute. */
static void
loss_ends_the_care (void)
{
  static const guint after_ms[] = { 1, 29999, 30000 };

  for (guint i = 0; i < 3; i++) {
    RccProber p;

    rcc_prober_init (&p, 2.0, 2.0, 1.2, INTERVAL, SPAN);
    rcc_prober_start (&p, RCC_SEC);
    p.answered = 1;
    rcc_prober_target (&p, 400000, TRUE, 2 * RCC_SEC);
    rcc_prober_loss (&p, 5 * RCC_SEC);
    g_assert_cmpuint (rcc_prober_poll (&p, 400000, 10000000, 5 * RCC_SEC).probe_bps, ==, 800000);
    rcc_prober_target (&p, 300000, TRUE, 5 * RCC_SEC + after_ms[i] * RCC_MSEC);
    g_assert_cmpuint (rcc_prober_poll (&p, 300000, 10000000, 60 * RCC_SEC).probe_bps, ==,
        i < 2 ? 600000 : 360000);
  }
}

static void
nothing_above_the_maximum (void)
{
  RccProber p = started (RCC_SEC);
  RccUpdate u = rcc_prober_poll (&p, 600000, 1000000, RCC_SEC);

  g_assert_cmpuint (u.probe_bps, ==, 1000000);
  p = started (RCC_SEC);
  /* too little above what is used already; at it; and a maximum below it */
  g_assert_cmpuint (rcc_prober_poll (&p, 900000, 1000000, RCC_SEC).changed, ==, 0);
  g_assert_cmpuint (rcc_prober_poll (&p, 1000000, 1000000, 60 * RCC_SEC).changed, ==, 0);
  g_assert_cmpuint (rcc_prober_poll (&p, 1000000, 500000, 120 * RCC_SEC).changed, ==, 0);
  g_assert_cmpuint (p.probes, ==, 0);
}

static void
factor_0_never_probes (void)
{
  RccProber p;

  rcc_prober_init (&p, 0, 0, 0, INTERVAL, SPAN);
  rcc_prober_start (&p, RCC_SEC);
  rcc_prober_target (&p, 1000000, FALSE, 2 * RCC_SEC);
  g_assert_cmpuint (p.next, ==, RCC_NEVER);
  g_assert_cmpuint (rcc_prober_poll (&p, 1000000, 10000000, 60 * RCC_SEC).changed, ==, 0);
}

/* The start goes on while it is answered; nothing is due for ever once it is over, and no
 * owner that polls at the deadline stands still. */
static void
interval_0_probes_at_the_start_only (void)
{
  static const struct { guint target, after_ms, congested, probes; } cases[] = {
    { 600000, 200, FALSE, 2 },          /* an answer: the start goes on */
    { 310000, 200, FALSE, 1 },          /* none */
    { 600000, 1001, FALSE, 1 },         /* too late to be one */
    { 290000, 200, TRUE, 1 },
    { 600000, 200, TRUE, 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const RccTime later = RCC_SEC + cases[i].after_ms * RCC_MSEC;
    RccProber p;

    rcc_prober_init (&p, 2.0, 2.0, 1.5, 0, SPAN);
    rcc_prober_start (&p, RCC_SEC);
    g_assert_cmpuint (rcc_prober_poll (&p, 300000, 10000000, RCC_SEC).changed, ==, RCC_PROBE);
    g_assert_cmpuint (p.next, ==, RCC_NEVER);
    rcc_prober_target (&p, cases[i].target, cases[i].congested, later);
    for (guint polls = 0; p.next != RCC_NEVER; polls++) {
      g_assert_cmpuint (polls, <, 3);
      rcc_prober_poll (&p, cases[i].target, 10000000, p.next);
    }
    g_assert_cmpuint (p.probes, ==, cases[i].probes);
    /* what comes after it is too late for the second one as well */
    rcc_prober_target (&p, 5000000, FALSE, later + 10 * RCC_SEC);
    g_assert_cmpuint (p.next, ==, RCC_NEVER);
  }
}

/* There was no room for the first one: none is due any more. */
static void
interval_0_does_not_wait_for_room (void)
{
  RccProber p;

  rcc_prober_init (&p, 2.0, 2.0, 0, 0, SPAN);
  rcc_prober_start (&p, RCC_SEC);
  g_assert_cmpuint (rcc_prober_poll (&p, 1000000, 1000000, RCC_SEC).changed, ==, 0);
  g_assert_cmpuint (p.next, ==, RCC_NEVER);
}

/* A probe at @now is answered 200 ms later; after another 500 ms congestion leaves @left. */
static RccTime
misled (RccProber *p, guint left, RccTime now)
{
  g_assert_cmpuint (rcc_prober_poll (p, 300000, 10000000, now).changed, ==, RCC_PROBE);
  rcc_prober_target (p, 600000, FALSE, now + 200 * RCC_MSEC);
  rcc_prober_target (p, left, TRUE, now + 700 * RCC_MSEC);
  return now + 700 * RCC_MSEC;
}

static void
what_misled_is_asked_for_less_often (void)
{
  static const guint waits_s[] = { 6, 12, 20, 20 };
  RccProber p = started (RCC_SEC);
  RccTime now = RCC_SEC;

  p.interval_most = 20 * RCC_SEC;
  for (guint i = 0; i < G_N_ELEMENTS (waits_s); i++) {
    const RccTime then = misled (&p, 350000, now);

    g_assert_cmpuint (p.next, ==, then + waits_s[i] * RCC_SEC);
    now = p.next;
  }
  /* one that stands for 2 s is believed: the interval is the first again */
  g_assert_cmpuint (rcc_prober_poll (&p, 300000, 10000000, now).changed, ==, RCC_PROBE);
  rcc_prober_target (&p, 600000, FALSE, now + 200 * RCC_MSEC);
  rcc_prober_target (&p, 610000, FALSE, now + 2199 * RCC_MSEC);
  g_assert_cmpuint (p.wait, ==, 20 * RCC_SEC);
  rcc_prober_target (&p, 610000, FALSE, now + 2200 * RCC_MSEC);
  g_assert_cmpuint (p.wait, ==, INTERVAL);
}

/* Congestion at the end of a climb is none of its fault; without the option nothing is. */
static void
an_answer_that_leaves_a_gain_did_not_mislead (void)
{
  static const struct { guint left; RccTime most; guint wait_s; } cases[] = {
    { 360000, 20 * RCC_SEC, 3 }, { 359999, 20 * RCC_SEC, 6 }, { 300000, 0, 3 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    RccProber p = started (RCC_SEC);

    p.interval_most = cases[i].most;
    misled (&p, cases[i].left, RCC_SEC);
    g_assert_cmpuint (p.wait, ==, cases[i].wait_s * RCC_SEC);
  }
}

static void
a_rate_of_0_is_not_doubled (void)
{
  RccProber p = started (RCC_SEC);

  g_assert_cmpuint (rcc_prober_poll (&p, 0, 10000000, RCC_SEC).changed, ==, 0);
  g_assert_cmpuint (rcc_prober_poll (&p, 300000, 0, 60 * RCC_SEC).changed, ==, 0);
  g_assert_cmpuint (p.next, >, 60 * RCC_SEC);
}

static void
keeps_its_promises_whatever_comes (void)
{
  RccTime now = RCC_SEC, bad = 0, last = 0;
  RccProber p = started (now);
  RccRng r;

  rcc_rng_init (&r, 3, 1);
  for (guint i = 0; i < 1000000; i++) {
    const guint32 target = rcc_rng_u32 (&r) >> rcc_rng_u32 (&r) % 32;
    const guint32 max = rcc_rng_u32 (&r) >> rcc_rng_u32 (&r) % 32;
    RccUpdate u;

    now += rcc_rng_u32 (&r) % RCC_SEC;
    if (i % 3 == 0) {
      if (i % 2)
        bad = now;
      rcc_prober_target (&p, target, i % 2, now);
      continue;
    }
    u = rcc_prober_poll (&p, target, max, now);
    if (!u.changed)
      continue;
    g_assert_cmpuint (u.probe_bps, >, 0);
    g_assert_cmpuint (u.probe_bps, <=, max);
    g_assert_cmpuint (u.probe_bps, <=, 2 * (guint64) target);
    g_assert_cmpuint (u.probe_bytes, >=, 1500);
    g_assert_cmpuint (now, >=, bad + RCC_SEC);
    g_assert_cmpuint (now, >=, last + 100 * RCC_MSEC);
    last = now;
  }
  g_assert_cmpuint (p.probes, >, 1000);
}

/* 70 % of what was asked for is an answer; 15 % above the target are worth asking for. */
static void
how_much_is_an_answer (void)
{
  for (guint less = 0; less < 2; less++) {
    RccProber p = started (RCC_SEC);

    g_assert_cmpuint (rcc_prober_poll (&p, 300000, 10000000, RCC_SEC).probe_bps, ==, 600000);
    rcc_prober_target (&p, less ? 419999 : 420001, FALSE, 2 * RCC_SEC);
    g_assert_cmpuint (p.answered, ==, !less);
    p = started (RCC_SEC);
    g_assert_cmpuint (rcc_prober_poll (&p, 1000000, less ? 1149999 : 1150001, RCC_SEC).changed,
        ==, less ? 0 : RCC_PROBE);
  }
}

/* No answer is below the target that there was before, however little was asked for. */
static void
what_was_there_before_is_no_answer (void)
{
  RccProber p;

  rcc_prober_init (&p, 1.2, 1.2, 0, INTERVAL, SPAN);
  rcc_prober_start (&p, RCC_SEC);
  g_assert_cmpuint (rcc_prober_poll (&p, 300000, 10000000, RCC_SEC).probe_bps, ==, 360000);
  rcc_prober_target (&p, 299999, FALSE, 2 * RCC_SEC);
  rcc_prober_target (&p, 300000, FALSE, 2 * RCC_SEC);
  g_assert_cmpuint (p.answered, ==, 0);
  rcc_prober_target (&p, 300001, FALSE, 2 * RCC_SEC);
  g_assert_cmpuint (p.answered, ==, 1);
}

/* Without congestion there is none to be waited out after, however early it is. */
static void
the_first_probe_may_leave_at_0 (void)
{
  RccProber p = started (0);

  g_assert_cmpuint (rcc_prober_poll (&p, 300000, 10000000, 0).changed, ==, RCC_PROBE);
  g_assert_cmpuint (p.next, ==, INTERVAL);
}

static void
a_probe_says_what_it_is (void)
{
  RccProber p = started (RCC_SEC);

  g_assert_cmpstr (rcc_prober_poll (&p, 300000, 10000000, RCC_SEC).reason, ==, "probe");
}

/* @later is 0 or a factor, a small one too. */
static void
care_is_any_factor (void)
{
  static const double later[] = { 0, 0.5, 1, 1.5 };

  for (guint i = 0; i < G_N_ELEMENTS (later); i++) {
    RccProber p;

    rcc_prober_init (&p, 2.0, 2.0, later[i], INTERVAL, SPAN);
    rcc_prober_start (&p, RCC_SEC);
    rcc_prober_poll (&p, 300000, 10000000, RCC_SEC);
    rcc_prober_target (&p, 600000, FALSE, RCC_SEC + 200 * RCC_MSEC);
    g_assert_cmpuint (p.answered, ==, 1);
    g_assert_false (p.careful);
    rcc_prober_target (&p, 400000, TRUE, 2 * RCC_SEC);
    g_assert_cmpint (p.careful, ==, later[i] > 0);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gcc-prober/care-is-any-factor", care_is_any_factor);
  g_test_add_func ("/gcc-prober/the-first-goes-further", the_first_goes_further);
  g_test_add_func ("/gcc-prober/probes-with-care-after-congestion",
      probes_with_care_after_congestion);
  g_test_add_func ("/gcc-prober/loss-ends-the-care", loss_ends_the_care);
  g_test_add_func ("/gcc-prober/starts-exponentially", starts_exponentially);
  g_test_add_func ("/gcc-prober/follows-an-answer", follows_an_answer);
  g_test_add_func ("/gcc-prober/a-factor-of-none", a_factor_of_none_starts_nothing);
  g_test_add_func ("/gcc-prober/an-unanswered-probe-waits-for-its-interval",
      an_unanswered_probe_waits_for_its_interval);
  g_test_add_func ("/gcc-prober/no-probe-within-a-second-of-congestion",
      no_probe_within_a_second_of_congestion);
  g_test_add_func ("/gcc-prober/nothing-above-the-maximum", nothing_above_the_maximum);
  g_test_add_func ("/gcc-prober/factor-0-never-probes", factor_0_never_probes);
  g_test_add_func ("/gcc-prober/interval-0-probes-at-the-start-only",
      interval_0_probes_at_the_start_only);
  g_test_add_func ("/gcc-prober/interval-0-does-not-wait-for-room",
      interval_0_does_not_wait_for_room);
  g_test_add_func ("/gcc-prober/what-misled-is-asked-for-less-often",
      what_misled_is_asked_for_less_often);
  g_test_add_func ("/gcc-prober/an-answer-that-leaves-a-gain-did-not-mislead",
      an_answer_that_leaves_a_gain_did_not_mislead);
  g_test_add_func ("/gcc-prober/a-rate-of-0-is-not-doubled", a_rate_of_0_is_not_doubled);
  g_test_add_func ("/gcc-prober/keeps-its-promises-whatever-comes",
      keeps_its_promises_whatever_comes);
  g_test_add_func ("/gcc-prober/how-much-is-an-answer", how_much_is_an_answer);
  g_test_add_func ("/gcc-prober/what-was-there-before-is-no-answer",
      what_was_there_before_is_no_answer);
  g_test_add_func ("/gcc-prober/the-first-probe-may-leave-at-0", the_first_probe_may_leave_at_0);
  g_test_add_func ("/gcc-prober/a-probe-says-what-it-is", a_probe_says_what_it_is);
  return g_test_run ();
}
