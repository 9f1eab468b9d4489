/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sender-rig.h"

static void
starts_with_a_packet_a_second (void)
{
  start ();
  NEAR (s.x, SIZE);
  g_assert_cmpuint (s.timer, ==, RCC_NEVER);
  rcc_tfrc_sender_sent (&s, (guint) SIZE, now);
  g_assert_cmpuint (s.timer, ==, now + 2 * RCC_SEC);
  rcc_tfrc_sender_init (&s, &config, 37500.0);
  NEAR (s.x, 37500.0);
}

static double
initial (guint mss)
{
  start ();
  s.config.mss = mss;
  rcc_tfrc_sender_sent (&s, (guint) SIZE, now);
  now += MS (R);
  feedback (0.0, 0.0);
  return s.x;
}

/* 4.2: min (4 MSS, max (2 MSS, 4380)) / R */
static void
initial_window (void)
{
  NEAR (initial (500), 20000.0);
  NEAR (initial (1000), 40000.0);
  NEAR (initial (1200), 43800.0);
  NEAR (initial (3000), 60000.0);
}

/* 4.3: X_recv = 0 is the first feedback, which says nothing of the sender */
static void
a_first_feedback_is_not_data_limited (void)
{
  start ();
  rcc_tfrc_sender_init (&s, &config, 37500.0);
  for (guint i = 0; i < 10; i++, now += MS (R))
    rcc_tfrc_sender_sent (&s, (guint) SIZE, now);
  feedback (0.0, 0.0);
  g_assert_false (s.data_limited);
  rcc_tfrc_sender_init (&s, &config, 37500.0);
  for (guint i = 0; i < 10; i++, now += MS (R))
    rcc_tfrc_sender_sent (&s, (guint) SIZE, now);
  feedback (10000.0, 0.0);
  g_assert_true (s.data_limited);
}

static void
a_first_feedback_with_loss_obeys_the_equation (void)
{
  start ();
  rcc_tfrc_sender_sent (&s, (guint) SIZE, now);
  now += MS (R);
  feedback_rtt (0.0, 0.2, TRUE, R);
  NEAR (s.x, equation (0.2));
}

/* 4.3 steps 1 to 3 */
static void
round_trip_time (void)
{
  begin ();
  NEAR (s.rtt, 0.1);
  now += MS (R);
  rcc_tfrc_sender_feedback (&s, &(RccTfrcFeedback) {
    .recvdata = now - MS (250), .delay = MS (50), .x_recv = 40000.0,
  }, now);
  NEAR (s.rtt, 0.9 * 0.1 + 0.1 * 0.2);
  g_assert_cmpuint (s.timer, ==, now + MS (440));       /* 4 R */
  s.x = 2000.0;                                         /* 2 s/X is more */
  s.doubled = now;
  feedback_rtt (2000.0, 0.0, FALSE, 110);
  g_assert_cmpuint (s.timer, ==, now + RCC_SEC);
}

static void
slow_start_doubles_every_round_trip (void)
{
  begin ();
  for (guint i = 1; i <= 5; i++) {
    round_of (1.0, s.x, 0.0);
    NEAR (s.x, INITIAL * (1 << i));
    g_assert_cmpstr (s.state, ==, "slow-start");
    now += MS (R / 2);                  /* sooner than R: not again */
    feedback (s.x, 0.0);
    NEAR (s.x, INITIAL * (1 << i));
    now -= MS (R / 2);
  }
}

/* X_recv_set begins with infinity, for two round-trip times */
static void
slow_start_is_limited_by_what_is_received (void)
{
  begin ();
  round_of (1.0, 10000.0, 0.0);
  NEAR (s.x, 2 * INITIAL);
  round_of (1.0, 50000.0, 0.0);
  NEAR (s.x, 100000.0);
  round_of (1.0, 10000.0, 0.0);         /* the 50000 of just before */
  NEAR (s.x, 100000.0);
  for (guint i = 0; i < 3; i++)
    round_of (1.0, 10000.0, 0.0);
  NEAR (s.x, INITIAL);                  /* the floor; 2 X_recv is less */
}

static void
congestion_avoidance (void)
{
  avoid (1e6, 0.01);
  NEAR (s.x, equation (0.01));
  g_assert_cmpstr (s.state, ==, "equation");
  avoid (20000.0, 0.01);
  NEAR (s.x, 40000.0);
  g_assert_cmpstr (s.state, ==, "receive-rate");
  avoid (1e6, 1.0);
  NEAR (s.x, equation (1.0));
  for (guint i = 0; i < 3; i++) {
    now += MS (200);
    feedback (0.5, 0.01);               /* s/t_mbi is 15.6 */
  }
}

static void
one_packet_in_64_seconds_at_least (void)
{
  avoid (1e6, 0.01);
  for (guint i = 0; i < 200; i++)
    round_of (1.0, 1.0, 0.01);
  NEAR (s.x, SIZE / 64.0);
}

/* Update X_recv_set(): the largest of two round-trip times, three values at most */
static void
remembers_two_round_trips (void)
{
  avoid (30000.0, 0.0001);
  NEAR (s.x, 60000.0);
  round_of (1.0, 10000.0, 0.0001);
  NEAR (s.x, 60000.0);
  round_of (1.0, 10000.0, 0.0001);
  NEAR (s.x, 60000.0);
  round_of (1.0, 10000.0, 0.0001);
  NEAR (s.x, 20000.0);
  g_assert_false (s.data_limited);
  avoid (30000.0, 0.0001);
  for (guint i = 0; i < 2; i++) {       /* by age, not by number */
    send_for (3 * R / 2, 1.0, 1);
    feedback (10000.0, 0.0001);
    NEAR (s.x, i == 0 ? 60000.0 : 20000.0);
  }
  for (guint i = 0; i < 4; i++) {       /* early feedback pushes it out */
    send_for (R / 10, 1.0, 1);
    feedback (i == 0 ? 30000.0 : 10000.0, 0.0001);
    NEAR (s.x, i < 3 ? 60000.0 : 20000.0);
  }
}

static void
knows_when_it_is_data_limited (void)
{
  avoid (50000.0, 0.0001);
  g_assert_false (s.data_limited);
  for (guint i = 0; i < 3; i++)
    round_of (0.5, 50000.0, 0.0001);
  g_assert_true (s.data_limited);
  round_of (1.0, 50000.0, 0.0001);
  round_of (1.0, 50000.0, 0.0001);
  round_of (1.0, 50000.0, 0.0001);
  g_assert_false (s.data_limited);
  for (guint i = 0; i < 3; i++) {       /* 4.3: in pairs, it is not */
    send_for (R, 1.0, 2);
    feedback (50000.0, 0.0001);
    g_assert_false (s.data_limited);
  }
  for (guint i = 0; i < 3; i++)
    round_of (0.8, 50000.0, 0.0001);
  g_assert_true (s.data_limited);
}

/* A feedback that covers much more than R is not data-limited if any of it was not. */
static void
a_long_interval_counts_as_a_whole (void)
{
  avoid (50000.0, 0.0001);
  send_for (R, 1.0, 1);
  send_for (5 * R, 0.3, 1);
  rcc_tfrc_sender_feedback (&s, &(RccTfrcFeedback) {
    .recvdata = now - MS (R), .x_recv = 20000.0, .p = 0.0001, .span = MS (6 * R),
  }, now);
  g_assert_false (s.data_limited);
}

/* 4.3 step 4, first branch: data-limited */
static void
a_data_limited_sender_keeps_its_rate (void)
{
  avoid (30000.0, 0.0001);
  for (guint i = 0; i < 20; i++)
    round_of (0.1, 3000.0, 0.0001);
  g_assert_true (s.data_limited);
  g_assert_cmpuint (s.n_recv, ==, 1);
  NEAR (s.x, 60000.0);
  round_of (0.6, 36000.0, 0.0001);      /* more is received: it counts */
  NEAR (s.x, 72000.0);
}

static void
loss_while_data_limited_halves_the_memory (void)
{
  avoid (30000.0, 0.0001);
  round_of (0.1, 3000.0, 0.0001);
  round_of (0.1, 3000.0, 0.0001);
  send_for (R, 0.1, 1);
  feedback_rtt (3000.0, 0.0001, TRUE, R);       /* a new event at the same p */
  NEAR (s.x, 15000.0);                          /* max, not twice it */
  round_of (0.1, 3000.0, 0.0001);               /* and then twice again */
  NEAR (s.x, 30000.0);
  round_of (0.1, 3000.0, 0.0002);               /* p went up */
  NEAR (s.x, 7500.0);
  send_for (R, 0.1, 1);
  feedback_rtt (10000.0, 0.0002, TRUE, R);      /* 0.85 X_recv is the larger one */
  NEAR (s.x, 8500.0);
}

static void
infinity_is_never_halved_into_the_set (void)
{
  begin ();
  send_for (R, 0.1, 1);
  feedback (4000.0, 0.0);
  send_for (R, 0.1, 1);
  feedback_rtt (4000.0, 0.0001, TRUE, R);
  g_assert_true (s.data_limited);
  NEAR (s.x, 0.85 * 4000.0 > 4000.0 / 2 ? 3400.0 : 0.0);
}

/* 4.5 */
static void
damps_oscillations (void)
{
  const double sqmean = 0.9 * sqrt (0.1) + 0.1 * sqrt (0.4);
  double damped;

  avoid (1e6, 0.01);
  NEAR (s.x_inst, s.x);
  send_for (R, 1.0, 1);
  feedback_rtt (1e6, 0.01, FALSE, 400);
  NEAR (s.sqmean, sqmean);
  NEAR (s.x_inst, s.x * sqmean / sqrt (0.4));
  send_for (R, 1.0, 1);
  feedback_rtt (1e6, 0.01, FALSE, 25);  /* and above X where the queue drains */
  g_assert_cmpfloat (s.x_inst, >, 1.5 * s.x);
  damped = s.x_inst / s.x;              /* no feedback changes nothing about it */
  rcc_tfrc_sender_sent (&s, (guint) SIZE, now + 1);
  expire ();
  NEAR (s.x_inst, damped * s.x);

  start ();
  s.config.damping = FALSE;
  rcc_tfrc_sender_sent (&s, (guint) SIZE, now);
  now += MS (R);
  feedback (0.0, 0.0);
  now += MS (R);
  feedback_rtt (1e6, 0.01, FALSE, 400);
  NEAR (s.x_inst, s.x);
}

/* X = max (min (X_calc, 2 X_recv), s/t_mbi) */
static void
rfc_3448_has_no_memory (void)
{
  start ();
  s.config.form = RCC_TFRC_RFC3448;
  rcc_tfrc_sender_sent (&s, (guint) SIZE, now);
  now += MS (R);
  feedback (0.0, 0.0);
  NEAR (s.x, 2.0 * SIZE / 0.1);         /* two packets per R */
  round_of (1.0, s.x, 0.0);
  NEAR (s.x, 4.0 * SIZE / 0.1);
  round_of (1.0, 1e6, 0.01);
  NEAR (s.x, equation (0.01));
  round_of (1.0, 30000.0, 0.0001);
  NEAR (s.x, 60000.0);
  round_of (0.1, 3000.0, 0.0001);       /* data-limited or not */
  NEAR (s.x, 6000.0);
  rcc_tfrc_sender_expired (&s, s.timer);
  NEAR (s.x, 6000.0);                   /* idle below two packets per R */
  g_assert_cmpuint (s.timer, ==, RCC_NEVER);
}

/* 4.1 */
static void
averages_the_packet_size (void)
{
  start ();
  s.config.packet_size = 0;
  rcc_tfrc_sender_sent (&s, 300, now);
  NEAR (s.packet_size, 300.0);
  for (guint i = 0; i < 2000; i++)
    rcc_tfrc_sender_sent (&s, i & 1 ? 200 : 1000, now + i);
  g_assert_cmpfloat_with_epsilon (s.packet_size, 600.0, 10.0);
}

static void
anything_may_come (void)
{
  RccRng rng;

  rcc_rng_init (&rng, 11, 1);
  for (guint round = 0; round < 60; round++) {
    start ();
    s.config.form = round % 3 == 0 ? RCC_TFRC_RFC3448 : RCC_TFRC_RFC5348;
    s.config.faster_restart = round & 1;
    s.config.packet_size = round & 2 ? 0 : (guint) SIZE;
    for (guint i = 0; i < 2000; i++) {
      const guint what = rcc_rng_u32 (&rng) % 32;

      now += rcc_rng_u32 (&rng) >> (rcc_rng_u32 (&rng) % 32);
      if (what < 16)
        rcc_tfrc_sender_sent (&s, what == 0 ? G_MAXUINT32 : rcc_rng_u32 (&rng) % 1500,
            now);
      else if (what < 28)
        rcc_tfrc_sender_feedback (&s, &(RccTfrcFeedback) {
          .recvdata = what == 16 ? G_MAXUINT64 : what == 17 ? 0
              : now - rcc_rng_u32 (&rng) / 8,
          .delay = what == 18 ? G_MAXUINT64 : 0,
          .x_recv = what == 19 ? INFINITY : what == 20 ? -1.0
              : rcc_rng_exponential (&rng, 1e5),
          .p = what == 21 ? 1e9 : what == 22 ? -1.0 : rcc_rng_uniform (&rng) / what,
          .span = what == 23 ? G_MAXUINT64 : rcc_rng_u32 (&rng), .new_loss = what & 1,
        }, now);
      if (now >= s.timer) {
        rcc_tfrc_sender_expired (&s, now);
        g_assert_cmpuint (s.timer, >, now);
      }
      g_assert_true (s.x >= 0.0 && s.x <= 1e12);
      g_assert_true (s.x_inst > 0.0 && isfinite (s.x_inst));
      g_assert_true (s.rtt == 0.0 || s.config.packet_size == 0 || s.x >= SIZE / 64.0);
      g_assert_true (s.p >= 0.0 && s.p <= 1.0);
      g_assert_true (s.rtt >= 0.0 && s.rtt <= 64.0);
      g_assert_true (s.n_recv >= 1 && s.n_recv <= RCC_TFRC_RECV_SET);
    }
  }
}

/* 8.2.1: whoever could still send a packet has not sent all that it may. */
static void
a_sender_with_leave_to_send_is_data_limited (void)
{
  avoid (50000.0, 0.0001);
  for (guint i = 0; i < 3; i++) {
    const RccTime end = now + MS (R);

    for (guint k = 0; k < 5; k++, now += MS (R / 5))
      rcc_tfrc_sender_sent (&s, (guint) SIZE / 4, now);
    now = end;
    feedback (12500.0, 0.0001);
  }
  g_assert_true (s.data_limited);
}

static void
a_large_packet_leaves_no_credit_and_no_debt (void)
{
  start ();
  rcc_tfrc_sender_sent (&s, (guint) SIZE, now);
  g_assert_cmpfloat (s.credit, ==, 0.0);
  rcc_tfrc_sender_sent (&s, 60000, now + RCC_SEC);
  g_assert_cmpfloat (s.credit, ==, 0.0);
  rcc_tfrc_sender_sent (&s, 50, now + 2 * RCC_SEC);
  NEAR (s.credit, 0.95 * SIZE - 50);
}

/* The least that leaves is a byte: s of 0 would make X 0, for good. */
static void
a_packet_of_no_size_counts_as_a_byte (void)
{
  start ();
  s.config.packet_size = 0;
  rcc_tfrc_sender_sent (&s, 0, now);
  g_assert_cmpfloat (s.packet_size, ==, 1.0);
}

static void
a_long_round_trip_is_believed (void)
{
  start ();
  now = 200 * RCC_SEC;
  feedback_rtt (0.0, 0.0, FALSE, 5000);
  NEAR (s.rtt, 5.0);
  start ();
  now = 200 * RCC_SEC;
  feedback_rtt (0.0, 0.0, FALSE, 100000);
  NEAR (s.rtt, 64.0);                   /* t_mbi: a longer one is none */
}

/* A clock that begins at 0 is a clock. */
static void
the_first_packet_may_leave_at_0 (void)
{
  start ();
  rcc_tfrc_sender_sent (&s, (guint) SIZE, 0);
  g_assert_cmpuint (s.timer, ==, 2 * RCC_SEC);
}

/* 4.3: twice X_recv, however little that is. */
static void
less_than_a_byte_a_second_is_received (void)
{
  start ();
  s.config.form = RCC_TFRC_RFC3448;
  s.config.packet_size = 10;
  s.packet_size = 10.0;
  feedback_rtt (0.0, 0.0, FALSE, R);
  now += RCC_SEC;
  feedback_rtt (0.3, 0.01, FALSE, R);
  NEAR (s.x, 0.6);
}

/* Nor is one of no size divided by. */
static void
there_is_no_initial_rate_without_a_round_trip (void)
{
  start ();
  g_assert_cmpfloat (rcc_tfrc_sender_initial_rate (&s), ==, 0.0);
  rcc_tfrc_sender_sent (&s, (guint) SIZE, now);
  now += MS (R);
  feedback (0.0, 0.0);
  g_assert_cmpstr (s.state, ==, "initial");
  NEAR (rcc_tfrc_sender_initial_rate (&s), INITIAL);
  NEAR (initial (0), 40.0);
}

/* No UDP packet is larger, and one of no bytes is one of a byte. */
static void
a_packet_has_65535_bytes_at_most (void)
{
  static const guint sizes[] = { 65535, 65536, G_MAXUINT, 1, 0 };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    RccTfrcConfig c = config;

    start ();
    c.packet_size = 0;
    rcc_tfrc_sender_init (&s, &c, 0.0);
    rcc_tfrc_sender_sent (&s, sizes[i], now);
    g_assert_cmpfloat (s.packet_size, ==, i < 3 ? 65535 : 1);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(f) g_test_add_func ("/tfrc-sender/" #f, f)
  ADD (starts_with_a_packet_a_second);
  ADD (initial_window);
  ADD (a_first_feedback_is_not_data_limited);
  ADD (a_first_feedback_with_loss_obeys_the_equation);
  ADD (round_trip_time);
  ADD (slow_start_doubles_every_round_trip);
  ADD (slow_start_is_limited_by_what_is_received);
  ADD (congestion_avoidance);
  ADD (one_packet_in_64_seconds_at_least);
  ADD (remembers_two_round_trips);
  ADD (knows_when_it_is_data_limited);
  ADD (a_sender_with_leave_to_send_is_data_limited);
  ADD (a_large_packet_leaves_no_credit_and_no_debt);
  ADD (a_long_interval_counts_as_a_whole);
  ADD (a_data_limited_sender_keeps_its_rate);
  ADD (loss_while_data_limited_halves_the_memory);
  ADD (infinity_is_never_halved_into_the_set);
  ADD (damps_oscillations);
  ADD (rfc_3448_has_no_memory);
  ADD (averages_the_packet_size);
  ADD (a_packet_of_no_size_counts_as_a_byte);
  ADD (anything_may_come);
  ADD (a_long_round_trip_is_believed);
  ADD (the_first_packet_may_leave_at_0);
  ADD (less_than_a_byte_a_second_is_received);
  ADD (there_is_no_initial_rate_without_a_round_trip);
  g_test_add_func ("/tfrc-sender/packet-size", a_packet_has_65535_bytes_at_most);
  return g_test_run ();
}
