/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <glib.h>
#include <math.h>
#include "core/gcc/l4s.h"

#define RTT (100 * RCC_MSEC)

static RccL4s
fresh (void)
{
  RccL4s l;

  rcc_l4s_init (&l);
  g_assert_true (isinf (l.bps));
  return l;
}

static void
report (RccL4s *l, guint packets, guint marks, gdouble target, RccTime queue, RccTime now)
{
  const RccL4sReport report = { packets, marks, now - MIN (now, RTT), queue };

  rcc_l4s_report (l, &report, target, now);
}

/* Feedback each 20 ms of 100 packets, of which @marks in all rounds bear CE. */
static RccTime
rounds (RccL4s *l, guint n, guint marks, gdouble target, RccTime queue, RccTime now)
{
  for (guint i = 0; i < 5 * n; i++) {
    report (l, 100, marks, RCC_MIN (l->bps, target), queue, now);
    now += RTT / 5;
  }
  return now;
}

static void
without_marks_there_is_no_limit (void)
{
  RccL4s l = fresh ();

  rounds (&l, 100, 0, 1e6, 0, RCC_SEC);
  g_assert_true (isinf (l.bps));
  g_assert_cmpuint (l.decreases, ==, 0);
  g_assert_false (rcc_l4s_active (&l, 11 * RCC_SEC));
}

static void
one_mark_is_enough (void)
{
  RccL4s l = fresh ();

  report (&l, 100, 1, 1e6, 0, RCC_SEC);
  g_assert_true (rcc_l4s_active (&l, RCC_SEC));
}

/* Prague: a round trip with marks takes half of alpha, however many feedbacks it has.  Where marks
 * have just begun and no queue stands it is a quarter of that. */
static void
a_round_takes_half_of_alpha (void)
{
  static const struct { RccTime queue; gdouble share; } cases[] = {
    { 20 * RCC_MSEC, 0.1 }, { 5 * RCC_MSEC, 0.025 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    RccL4s l = fresh ();

    rounds (&l, 1, 20, 1e6, 0, RCC_SEC);
    g_assert_cmpuint (l.decreases, ==, 0);
    report (&l, 100, 20, 1e6, cases[i].queue, RCC_SEC + RTT);
    g_assert_cmpuint (l.decreases, ==, 1);
    g_assert_cmpfloat_with_epsilon (l.alpha, 0.2, 1e-9);
    /* then a tenth of a second's growth */
    g_assert_cmpfloat (l.bps, >, (1 - cases[i].share) * 1e6);
    g_assert_cmpfloat (l.bps, <, (1 - cases[i].share) * 1e6 + 0.1 * 960e3);
  }
}

/* What was sent before a decrease says nothing of the rate after it.  But a queue that stands makes
 * round trips long, and is not waited for. */
static void
a_round_ends_with_a_packet_sent_in_it (void)
{
  RccL4s l = fresh ();
  RccL4sReport old = { 100, 50, RCC_SEC, 0 };

  for (RccTime now = RCC_SEC + RTT; now < 3 * RCC_SEC; now += RTT)
    rcc_l4s_report (&l, &old, 1e6, now);
  g_assert_cmpuint (l.decreases, ==, 0);
  old.sent = RCC_SEC + RTT;
  rcc_l4s_report (&l, &old, 1e6, 3 * RCC_SEC);
  g_assert_cmpuint (l.decreases, ==, 1);
  rcc_l4s_report (&l, &old, 1e6, 3 * RCC_SEC + RTT);
  g_assert_cmpuint (l.decreases, ==, 1);
  old.queue = 20 * RCC_MSEC;
  rcc_l4s_report (&l, &old, 1e6, 3 * RCC_SEC + 2 * RTT);
  g_assert_cmpuint (l.decreases, ==, 2);
}

/* SCReAM v2's scl_t: back to where marks began at once, past it slowly. */
static void
it_grows_slowly_where_marks_began (void)
{
  RccL4s l = fresh ();
  RccTime now = rounds (&l, 1, 60, 2e7, 20 * RCC_MSEC, RCC_SEC);
  gdouble before, far, near;

  g_assert_cmpfloat (l.bps, <, 0.8 * l.inflection);
  now = rounds (&l, 1, 0, 2e7, 0, now);
  before = l.bps;
  now = rounds (&l, 1, 0, 2e7, 0, now);
  far = l.bps - before;
  while (l.bps < 0.97 * l.inflection)
    now = rounds (&l, 1, 0, 2e7, 0, now);
  before = l.bps;
  rounds (&l, 1, 0, 2e7, 0, now);
  near = l.bps - before;
  g_assert_cmpfloat_with_epsilon (far, 0.1 * 960e3, 1e3);
  g_assert_cmpfloat_with_epsilon (near, far / 4, 1e3);
}

static void
alpha_follows_the_share (void)
{
  RccL4s l = fresh ();
  RccTime now = rounds (&l, 2, 100, 1e6, 0, RCC_SEC);

  g_assert_cmpfloat_with_epsilon (l.alpha, 1.0, 1e-9);
  now = rounds (&l, 16, 10, 1e6, 0, now);
  /* a gain of 1/16: after 16 rounds 1/e of the way is left */
  g_assert_cmpfloat (l.alpha, <, 0.1 + 0.9 * 0.40);
  g_assert_cmpfloat (l.alpha, >, 0.1 + 0.9 * 0.33);
}

/* A path that marks above a rate: the rate stays there, and the less the fewer packets it
 * marks.  Its share of marks is what the growth of a round trip makes up for. */
static void
it_stays_at_the_rate_where_marks_begin (void)
{
  static const gdouble paths[] = { 2e5, 1e6, 2e7 };

  for (guint i = 0; i < G_N_ELEMENTS (paths); i++) {
    RccL4s l = fresh ();
    gdouble least = INFINITY, most = 0;

    for (guint k = 0; k < 3000; k++) {
      const RccTime now = RCC_SEC + k * 20 * RCC_MSEC;
      const gdouble target = RCC_MIN (l.bps, 2 * paths[i]);
      const gdouble over = RCC_CLAMP (target / paths[i] - 1.0, 0.0, 1.0);

      report (&l, 100, (guint) (100 * over), target, 0, now);
      if (k > 1000) {
        least = MIN (least, target);
        most = MAX (most, target);
      }
    }
    g_assert_cmpfloat (least, >, 0.9 * paths[i]);
    g_assert_cmpfloat (most, <, 1.15 * paths[i]);
  }
}

/* Marks that end leave no limit behind: half a minute at most, without a probe. */
static void
it_ends_with_the_marks (void)
{
  RccL4s l = fresh ();
  RccTime now = rounds (&l, 20, 100, 1e6, 0, RCC_SEC);

  g_assert_true (rcc_l4s_active (&l, now));
  g_assert_cmpfloat (l.bps, <, 0.3e6);
  for (guint i = 0; i < 1500 && !isinf (l.bps); i++) {
    report (&l, 100, 0, RCC_MIN (l.bps, 1e6), 0, now);
    now += 20 * RCC_MSEC;
  }
  g_assert_true (isinf (l.bps));
  g_assert_false (rcc_l4s_active (&l, now));
}

/* Not while there are marks: what it shows then is a queue. */
static void
a_probe_lifts_the_limit_once_marks_have_ended (void)
{
  RccL4s l = fresh ();
  const RccTime now = rounds (&l, 20, 100, 1e6, 0, RCC_SEC);
  const gdouble before = l.bps;

  rcc_l4s_shown (&l, 1e6, now + RCC_SEC);
  g_assert_cmpfloat (l.bps, ==, before);
  rcc_l4s_shown (&l, 1e6, now + 2 * RCC_SEC);
  g_assert_cmpfloat (l.bps, ==, 1e6);
  rcc_l4s_shown (&l, 5e5, now + 2 * RCC_SEC);
  g_assert_cmpfloat (l.bps, ==, 1e6);
}

/* 0 packets make no share. */
static void
odd_feedback_does_no_harm (void)
{
  RccL4s l = fresh ();

  report (&l, 0, 0, 1e6, 0, 0);
  report (&l, 0, 0, 1e6, 0, RCC_SEC);
  g_assert_cmpfloat (l.alpha, <, 0);
  report (&l, 1, 1, 1e6, 0, RCC_SEC);
  report (&l, 1, 1, 0, RCC_NEVER, 5 * RCC_SEC);
  g_assert_true (l.alpha >= 0 && l.alpha <= 1);
  g_assert_false (isnan (l.bps));
}

/* Marks round after round began once; after a round without they begin anew. */
static void
marks_begin_after_a_round_without (void)
{
  RccL4s l = fresh ();
  RccTime now = rounds (&l, 4, 20, 1e6, 20 * RCC_MSEC, RCC_SEC);

  g_assert_cmpuint (l.decreases, >=, 3);
  g_assert_cmpfloat (l.inflection, ==, 1e6);
  now = rounds (&l, 2, 0, 1e6, 20 * RCC_MSEC, now);
  rounds (&l, 2, 20, 1e6, 20 * RCC_MSEC, now);
  g_assert_cmpfloat (l.inflection, <, 1e6);
  g_assert_cmpfloat (l.inflection, >, 0);
}

/* Prague's virtual round trip: on a shorter path, too, a round has 25 ms. */
static void
a_round_has_25_ms_at_least (void)
{
  RccL4s l = fresh ();
  RccL4sReport each = { 10, 1, RCC_SEC, 0 };

  for (RccTime ms = 0; ms <= 24; ms += 4) {
    each.sent = RCC_SEC + ms * RCC_MSEC;
    rcc_l4s_report (&l, &each, 1e6, RCC_SEC + ms * RCC_MSEC);
    g_assert_cmpuint (l.decreases, ==, 0);
  }
  rcc_l4s_report (&l, &each, 1e6, RCC_SEC + 25 * RCC_MSEC);
  g_assert_cmpuint (l.decreases, ==, 1);
}

/* Where every packet is marked it is half, and a kilobit a second on top, or it would end at 0. */
static void
it_grows_by_a_kilobit_a_second_at_least (void)
{
  RccL4s l = fresh ();

  report (&l, 0, 0, 1e6, 0, RCC_SEC);
  report (&l, 100, 100, 1e6, 20 * RCC_MSEC, RCC_SEC + 100 * RCC_MSEC);
  g_assert_cmpfloat_with_epsilon (l.bps, 0.5e6 + 100, 1e-3);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define T(name, f) g_test_add_func ("/gcc-l4s/" name, f)
  T ("without-marks-there-is-no-limit", without_marks_there_is_no_limit);
  T ("a-round-takes-half-of-alpha", a_round_takes_half_of_alpha);
  T ("a-round-ends-with-a-packet-sent-in-it", a_round_ends_with_a_packet_sent_in_it);
  T ("it-grows-slowly-where-marks-began", it_grows_slowly_where_marks_began);
  T ("alpha-follows-the-share", alpha_follows_the_share);
  T ("it-stays-at-the-rate-where-marks-begin", it_stays_at_the_rate_where_marks_begin);
  T ("it-ends-with-the-marks", it_ends_with_the_marks);
  T ("a-probe-lifts-the-limit-once-marks-have-ended",
      a_probe_lifts_the_limit_once_marks_have_ended);
  T ("odd-feedback-does-no-harm", odd_feedback_does_no_harm);
  T ("marks-begin-after-a-round-without", marks_begin_after_a_round_without);
  T ("a-round-has-25-ms-at-least", a_round_has_25_ms_at_least);
  T ("it-grows-by-a-kilobit-a-second-at-least", it_grows_by_a_kilobit_a_second_at_least);
  T ("one-mark-is-enough", one_mark_is_enough);
#undef T
  return g_test_run ();
}
