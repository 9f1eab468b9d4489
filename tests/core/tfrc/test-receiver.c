/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <math.h>
#include <glib.h>
#include "core/rng.h"
#include "core/tcpeq.h"
#include "core/tfrc/receiver.h"

#define NEAR(a, b) g_assert_cmpfloat_with_epsilon ((a), (b), 1e-6 * fabs (b) + 1e-9)
#define MS(n) ((n) * RCC_MSEC)
#define SIZE 1000
#define R 100                           /* ms */
#define OWD 30                          /* ms, and an offset of the clocks */

static RccTfrcReceiver r;
static RccTfrcFeedback feedback;

static void
start (void)
{
  rcc_tfrc_receiver_init (&r, TRUE);
}

static gboolean
data_rtt (gint64 seq, guint ms, guint rtt_ms)
{
  return rcc_tfrc_receiver_data (&r, &(RccTfrcData) {
    .seq = seq, .size = SIZE, .sent = MS (ms), .arrived = MS (ms + OWD),
    .rtt = MS (rtt_ms),
  });
}

/* Sent at @ms. */
static gboolean
data (gint64 seq, guint ms)
{
  return data_rtt (seq, ms, R);
}

static gboolean
answer (guint ms)
{
  return rcc_tfrc_receiver_feedback (&r, MS (ms + OWD), &feedback);
}

/* A packet every 10 ms from number @from on, and feedback whenever it is due. */
static void
stream (guint from, guint to)
{
  for (guint i = from; i <= to; i++)
    if (data (i, i * 10))
      answer (i * 10);
}

/* 6.3 */
static void
answers_the_first_packet (void)
{
  start ();
  g_assert_cmpuint (r.due, ==, RCC_NEVER);
  g_assert_false (answer (0));
  g_assert_true (data (1, 1000));
  g_assert_true (answer (1002));
  g_assert_cmpfloat (feedback.x_recv, ==, 0.0);
  g_assert_cmpfloat (feedback.p, ==, 0.0);
  g_assert_cmpuint (feedback.recvdata, ==, MS (1000));
  g_assert_cmpuint (feedback.delay, ==, MS (2));
  g_assert_cmpuint (r.due, ==, MS (1002 + OWD + R));
  g_assert_cmpuint (r.n_marks, ==, 1);          /* a second one would crowd out others */
}

/* 6.3.1: nothing is measured yet, so half a packet per round trip is all there is. */
static void
a_mark_on_the_first_packet (void)
{
  const RccTcpPath path = { .packet_size = SIZE, .rtt = MS (R) };

  start ();
  g_assert_true (rcc_tfrc_receiver_data (&r, &(RccTfrcData) { .seq = 1, .size = SIZE,
    .sent = MS (1000), .arrived = MS (1000 + OWD), .rtt = MS (R), .marked = true }));
  g_assert_true (answer (1000));
  NEAR (feedback.p, rcc_tcp_loss (RCC_TCP_PADHYE, &path, 0.5 * SIZE * 1000 / R));
}

/* 6.2 */
static void
measures_over_a_round_trip (void)
{
  start ();
  stream (1, 51);                       /* feedback at 10, 110, ... 510 */
  NEAR (feedback.x_recv, 100000.0);
  g_assert_cmpuint (feedback.span, ==, MS (R));
  for (guint i = 1; i < 20; i++)        /* twice as fast from here on */
    g_assert_false (data (51 + i, 510 + i * 5));
  g_assert_true (data (71, 610) && answer (610));
  NEAR (feedback.x_recv, 200000.0);
}

static void
answers_once_per_round_trip (void)
{
  guint answers = 0;

  start ();
  for (guint i = 0; i < 1000; i++)
    if (data (i, i * 10) && answer (i * 10))
      answers++;
  g_assert_cmpuint (answers, ==, 100);
}

static void
answers_a_loss_event_at_once (void)
{
  start ();
  stream (1, 44);
  g_assert_cmpuint (r.due, ==, MS (510 + OWD));
  g_assert_false (data (46, 460));
  g_assert_false (data (47, 470));
  g_assert_true (data (48, 480));
  g_assert_true (answer (480));
  g_assert_true (feedback.new_loss);
  g_assert_cmpfloat (feedback.p, >, 0.0);
  /* back to an expiry that was R ago at least: 310, not 410 */
  g_assert_cmpuint (feedback.span, ==, MS (170));
  NEAR (feedback.x_recv, 16 * SIZE / 0.17);
  /* 49 is within R of 45: the same event, no hurry, nothing new */
  g_assert_false (data (50, 500));
  g_assert_false (data (51, 510));
  g_assert_false (data (52, 520));
  g_assert_true (data (58, 580));
  g_assert_true (answer (580));
  g_assert_false (feedback.new_loss);
}

static void
says_nothing_of_silence (void)
{
  start ();
  stream (1, 31);
  g_assert_cmpuint (r.due, ==, MS (410 + OWD));
  answer (310);
  g_assert_false (answer (410));
  g_assert_cmpuint (r.due, ==, MS (510 + OWD));
  g_assert_false (answer (510));
  g_assert_true (data (32, 700));       /* at once, and a packet per R */
  g_assert_true (answer (700));
  NEAR (feedback.x_recv, SIZE / 0.1);
  g_assert_true (data (33, 2000));      /* nobody woke up in between */
  g_assert_true (answer (2000));
  NEAR (feedback.x_recv, SIZE / 0.1);
}

static void
answers_every_packet_of_a_slow_sender (void)
{
  start ();
  for (guint i = 0; i < 20; i++) {
    g_assert_true (data (i, i * 250));
    g_assert_true (answer (i * 250));
    if (i > 0)
      NEAR (feedback.x_recv, SIZE / 0.1);
  }
}

static void
answers_every_packet_without_a_round_trip_time (void)
{
  start ();
  for (guint i = 0; i < 20; i++)
    g_assert_true (data_rtt (i, i * 10, 0) && answer (i * 10));
  NEAR (feedback.x_recv, 100000.0);
  g_assert_true (data (20, 200) && answer (200));
  g_assert_false (data (21, 210));
}

/* 6.3.1: the rate that the first loss is taken to stand for */
static void
first_loss_stands_for_the_largest_rate (void)
{
  const RccTcpPath path = { .packet_size = SIZE, .rtt = MS (R) };

  start ();
  stream (1, 50);                       /* 100000 B/s */
  for (guint i = 51; i < 71; i++)       /* half of that */
    if (data (i, 500 + (i - 50) * 20))
      answer (500 + (i - 50) * 20);
  NEAR (feedback.x_recv, 50000.0);
  for (guint i = 72; i <= 74; i++)
    if (data (i, 500 + (i - 50) * 20))
      answer (500 + (i - 50) * 20);
  g_assert_true (feedback.new_loss);
  g_assert_cmpfloat_with_epsilon (rcc_tcp_throughput (RCC_TCP_PADHYE, &path, feedback.p),
      100000.0, 5000.0);                /* "within 5 %" */
  /* still reported as measured: at 980, 7 packets since the expiry at 820 */
  NEAR (feedback.x_recv, 7 * SIZE / 0.16);
}

static void
tells_of_a_hole_that_filled (void)
{
  start ();
  stream (1, 42);
  data (44, 440);
  data (45, 450);
  g_assert_true (data (46, 460) && answer (460));
  g_assert_cmpfloat (feedback.p, >, 0.0);
  g_assert_true (data (43, 461) && answer (461));
  g_assert_cmpfloat (feedback.p, ==, 0.0);
}

/* An early answer after silence: the timer went on expiring meanwhile, unseen. */
static void
silence_does_not_dilute_the_rate (void)
{
  start ();
  stream (1, 31);
  for (guint i = 0; i < 6; i++)         /* 32 to 38 without 34, from 2000 ms on */
    if (data (32 + i + (i > 1), 2000 + 10 * i))
      answer (2000 + 10 * i);
  g_assert_true (feedback.new_loss);
  g_assert_cmpuint (feedback.span, ==, MS (R + 40));
  NEAR (feedback.x_recv, 5 * SIZE / 0.14);
}

static void
survives_a_clock_set_back (void)
{
  guint answers = 0;

  start ();
  stream (1, 500);
  for (guint i = 501; i < 600; i++)     /* by 5 s */
    if (data (i, (i - 500) * 10) && answer ((i - 500) * 10))
      answers++;
  g_assert_cmpuint (answers, ==, 10);
  NEAR (feedback.x_recv, 100000.0);
  g_assert_cmpfloat (feedback.p, ==, 0.0);
}

/* ... from the first packet on, where all that came is told at once. */
static void
measures_anew_from_a_clock_set_back (void)
{
  start ();
  stream (1, 500);
  for (guint i = 0; i <= 15; i++)
    data (501 + i, 1000 + 10 * i);
  g_assert_true (answer (1150));
  g_assert_cmpfloat (feedback.x_recv, >=, 15 * SIZE / 0.15);    /* or with the first */
  g_assert_cmpfloat (feedback.x_recv, <=, 16 * SIZE / 0.15 + 1);
}

/* Told in the order they were sent, some overtaken on the way. */
static void
overtaking_is_no_clock_set_back (void)
{
  start ();
  for (guint i = 1; i < 500; i++)
    if (data (i, i * 10 + (i % 2) * 15))
      answer (i * 10 + (i % 2) * 15);
  g_assert_cmpfloat_with_epsilon (feedback.x_recv, 100000.0, 10000.0);
}

static void
anything_may_come (void)
{
  RccRng rng;

  rcc_rng_init (&rng, 3, 1);
  for (guint round = 0; round < 40; round++) {
    RccTime now = rcc_rng_u32 (&rng);
    gint64 seq = 0;

    start ();
    for (guint i = 0; i < 2000; i++) {
      const guint what = rcc_rng_u32 (&rng) % 64;
      RccTfrcData d = { .seq = seq += what % 5, .size = rcc_rng_u32 (&rng) % 2000,
        .marked = what == 0, .sent = rcc_rng_u32 (&rng), .rtt = rcc_rng_u32 (&rng) / 4 };

      now += rcc_rng_u32 (&rng) >> (rcc_rng_u32 (&rng) % 32);
      d.arrived = what == 1 ? G_MAXUINT64 : what == 2 ? 0 : now;
      d.rtt = what == 3 ? G_MAXUINT64 : what == 4 ? 0 : d.rtt;
      d.size = what == 5 ? G_MAXUINT32 : d.size;
      d.seq = what == 6 ? G_MININT64 : d.seq;
      if (!rcc_tfrc_receiver_data (&r, &d) && what < 40)
        continue;
      if (!rcc_tfrc_receiver_feedback (&r, what == 7 ? 0 : now, &feedback))
        continue;
      g_assert_true (feedback.p >= 0.0 && feedback.p <= 1.0);
      g_assert_true (feedback.x_recv >= 0.0 && isfinite (feedback.x_recv));
      g_assert_cmpuint (r.due, >=, r.last.arrived == 0 ? 0 : 1);
      g_assert_cmpuint (r.n_marks, <=, RCC_TFRC_MARKS);
    }
  }
}

static void
averages_the_packet_size (void)
{
  start ();
  for (guint i = 0; i < 2000; i++)
    rcc_tfrc_receiver_data (&r, &(RccTfrcData) { .seq = i, .size = i & 1 ? 200 : 1000,
          .sent = MS (i), .arrived = MS (i + OWD), .rtt = MS (R) });
  g_assert_cmpfloat_with_epsilon (r.packet_size, 600.0, 20.0);
}

/* 6.2: since the last feedback, where that was longer ago than R. */
static void
an_answer_that_comes_late_measures_all_of_its_time (void)
{
  start ();
  for (guint i = 1; i <= 200; i++) {
    data (i, i * 10);
    if (i % 25)
      continue;
    answer (i * 10);
    if (i > 25) {
      NEAR (feedback.x_recv, 100000.0);
      g_assert_cmpuint (feedback.span, ==, MS (250));
    }
  }
}

/* Less than R after the first packet there is nothing to measure over but a packet per R. */
static void
an_early_answer_measures_a_packet_per_round_trip (void)
{
  start ();
  data (1, 1000);
  answer (1000);
  for (guint i = 2; i <= 6; i++)
    if (i != 3)
      data (i, 1000 + 10 * i);
  g_assert_true (answer (1060));
  g_assert_true (feedback.new_loss);
  NEAR (feedback.x_recv, SIZE / 0.1);
}

/* Nor over no time, where R is not known. */
static void
no_time_is_no_rate (void)
{
  start ();
  data_rtt (1, 1000, 0);
  answer (1000);
  data_rtt (2, 1000, 0);
  g_assert_true (answer (1000));
  g_assert_cmpfloat (feedback.x_recv, ==, 0.0);
  g_assert_cmpuint (feedback.span, ==, 0);
}

/* The delay is since the newest arrival, in whatever order they are told. */
static void
the_delay_is_since_the_newest_arrival (void)
{
  start ();
  data (1, 1000);
  answer (1000);
  data (3, 1020);
  data (2, 1010);
  g_assert_true (answer (1025));
  g_assert_cmpuint (feedback.delay, ==, MS (5));
}

/* 6.2: over R at least, from the first arrival on. */
static void
measures_from_the_first_arrival (void)
{
  start ();
  for (guint i = 0; i <= 10; i++)
    data_rtt (i, i * 10, 300);
  g_assert_true (answer (100));
  g_assert_cmpfloat (feedback.x_recv, ==, 0);   /* the first says nothing of it */
  for (guint i = 11; i <= 32; i++)
    data_rtt (i, i * 10, 300);
  g_assert_true (answer (320));
  g_assert_cmpuint (feedback.span, ==, MS (320));
  NEAR (feedback.x_recv, 32 * SIZE / 0.32);
}

static void
counts_what_came (void)
{
  start ();
  for (guint i = 1; i <= 5; i++) {
    data (i, i * 10);
    g_assert_cmpuint (r.packets, ==, i);
    g_assert_cmpuint (r.bytes, ==, i * SIZE);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(f) g_test_add_func ("/tfrc-receiver/" #f, f)
  ADD (answers_the_first_packet);
  ADD (a_mark_on_the_first_packet);
  ADD (measures_from_the_first_arrival);
  ADD (measures_over_a_round_trip);
  ADD (answers_once_per_round_trip);
  ADD (answers_a_loss_event_at_once);
  ADD (says_nothing_of_silence);
  ADD (answers_every_packet_of_a_slow_sender);
  ADD (answers_every_packet_without_a_round_trip_time);
  ADD (first_loss_stands_for_the_largest_rate);
  ADD (tells_of_a_hole_that_filled);
  ADD (silence_does_not_dilute_the_rate);
  ADD (survives_a_clock_set_back);
  ADD (measures_anew_from_a_clock_set_back);
  ADD (overtaking_is_no_clock_set_back);
  ADD (anything_may_come);
  ADD (averages_the_packet_size);
  ADD (an_answer_that_comes_late_measures_all_of_its_time);
  ADD (an_early_answer_measures_a_packet_per_round_trip);
  ADD (no_time_is_no_rate);
  ADD (the_delay_is_since_the_newest_arrival);
  g_test_add_func ("/tfrc-receiver/counts-what-came", counts_what_came);
  return g_test_run ();
}
