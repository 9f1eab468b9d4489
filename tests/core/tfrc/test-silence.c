/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * RccTfrcSender without feedback, or with nothing to send (RFC 5348 4.4).
 */
#include "sender-rig.h"

/* 4.4 without a round-trip time: halved while something is sent */
static void
no_feedback_at_all (void)
{
  start ();
  rcc_tfrc_sender_sent (&s, (guint) SIZE, now);
  expire ();
  NEAR (s.x, SIZE / 2.0);
  g_assert_cmpuint (s.timer, ==, now + 4 * RCC_SEC);    /* 2 s/X */
  rcc_tfrc_sender_sent (&s, (guint) SIZE, now + 1);
  expire ();
  NEAR (s.x, SIZE / 4.0);
  expire ();                            /* idle since: left alone, and asleep */
  NEAR (s.x, SIZE / 4.0);
  g_assert_cmpuint (s.timer, ==, RCC_NEVER);
  rcc_tfrc_sender_sent (&s, (guint) SIZE, now + RCC_SEC);
  g_assert_cmpuint (s.timer, ==, now + 9 * RCC_SEC);
  for (guint i = 0; i < 20; i++) {
    rcc_tfrc_sender_sent (&s, (guint) SIZE, s.timer - 1);
    expire ();
  }
  NEAR (s.x, SIZE / 64.0);
}

static void
no_feedback_in_slow_start (void)
{
  begin ();
  round_of (1.0, s.x, 0.0);
  round_of (1.0, s.x, 0.0);
  NEAR (s.x, 4 * INITIAL);
  expire ();                            /* idle, but above twice the recover rate */
  NEAR (s.x, 2 * INITIAL);
  g_assert_cmpuint (s.timer, ==, now + MS (4 * R));
  expire ();
  NEAR (s.x, INITIAL);
  expire ();                            /* X < 2 recover_rate */
  NEAR (s.x, INITIAL);
  g_assert_cmpuint (s.timer, ==, RCC_NEVER);
  rcc_tfrc_sender_sent (&s, (guint) SIZE, now + RCC_SEC);       /* not idle: no floor */
  expire ();
  NEAR (s.x, INITIAL / 2);
}

static void
no_feedback_where_received_limits (void)
{
  avoid (20000.0, 0.001);               /* X = 2 X_recv = 40000 < X_Bps */
  rcc_tfrc_sender_sent (&s, (guint) SIZE, now + 1);
  expire ();                            /* Update_Limits(X_recv) */
  NEAR (s.recv_set[0].rate, 10000.0);
  NEAR (s.x, 20000.0);
  g_assert_cmpstr (s.state, ==, "no-feedback");
  g_assert_cmpuint (s.timeouts, ==, 1);
  g_assert_cmpuint (s.timer, ==, now + MS (4 * R));
}

static void
no_feedback_where_the_equation_limits (void)
{
  avoid (0.7 * equation (0.01), 0.01);
  NEAR (s.x, equation (0.01));
  rcc_tfrc_sender_sent (&s, (guint) SIZE, now + 1);
  expire ();                            /* Update_Limits(X_Bps/2) */
  NEAR (s.x, equation (0.01) / 2);
  NEAR (s.recv_set[0].rate, equation (0.01) / 4);
}

static void
idle_is_not_punished_below_the_initial_rate (void)
{
  avoid (30000.0, 0.0001);              /* X_recv < recover_rate */
  now = s.timer;
  expire ();
  NEAR (s.x, 60000.0);
  g_assert_cmpuint (s.timer, ==, RCC_NEVER);

  avoid (400000.0, 0.0001);             /* 10 times that: halved until below */
  for (guint i = 0; s.timer != RCC_NEVER; i++) {
    g_assert_cmpuint (i, <, 10);
    expire ();
  }
  g_assert_cmpfloat (s.x, >=, INITIAL);
  g_assert_cmpfloat (s.x, <, 2 * INITIAL);
}

static void
waits_as_long_as_told (void)
{
  avoid (1e6, 0.01);
  s.least_timeout = 3 * RCC_SEC;
  round_of (1.0, 1e6, 0.01);
  g_assert_cmpuint (s.timer, ==, now + 3 * RCC_SEC);
}

/* Feedbacks until X is back at three quarters of what it was before a pause. */
static guint
back_after_a_pause (gboolean faster, guint seconds, double loss)
{
  double before;
  guint n = 0;

  start ();
  s.config.faster_restart = faster;
  rcc_tfrc_sender_sent (&s, (guint) SIZE, now);
  now += MS (R);
  feedback (0.0, 0.0);
  for (guint i = 0; i < 8; i++)
    round_of (1.0, MIN (s.x, 1e6), i < 4 ? 0.0 : 1e-6);
  before = s.x;
  while (s.timer != RCC_NEVER)
    expire ();
  now += seconds * RCC_SEC;
  g_assert_cmpfloat (s.x, <=, 4 * INITIAL);
  g_assert_cmpfloat (s.x, >=, INITIAL);
  for (; s.x < 0.75 * before && n < 50; n++) {
    const double x = s.x;

    send_for (R, 1.0, 1);
    feedback_rtt (x, 1e-6 + (n == 0 ? loss : 0), n == 0 && loss > 0, R);
    g_assert_cmpfloat (s.x, <=, (faster ? 4.0 : 2.0) * x * 1.0001);
  }
  return n;
}

static void
faster_restart (void)
{
  const guint usual = back_after_a_pause (FALSE, 1, 0.0);
  const guint faster = back_after_a_pause (TRUE, 1, 0.0);

  g_assert_cmpuint (usual, >=, 4);
  g_assert_cmpuint (faster, <=, usual - 2);
  /* loss makes it forget, and so does time */
  g_assert_cmpuint (back_after_a_pause (TRUE, 1, 1e-7), >, faster);
  g_assert_cmpuint (back_after_a_pause (TRUE, 1200, 0.0), >, faster);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(f) g_test_add_func ("/tfrc-sender/" #f, f)
  ADD (no_feedback_at_all);
  ADD (no_feedback_in_slow_start);
  ADD (no_feedback_where_received_limits);
  ADD (no_feedback_where_the_equation_limits);
  ADD (idle_is_not_punished_below_the_initial_rate);
  ADD (waits_as_long_as_told);
  ADD (faster_restart);
  return g_test_run ();
}
