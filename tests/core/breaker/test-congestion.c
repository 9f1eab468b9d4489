/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <glib.h>
#include <math.h>
#include "core/breaker/congestion.h"
#include "core/rng.h"

#define MS(x) ((x) * RCC_MSEC)
#define S(x) ((x) * RCC_SEC)
#define SIZE 1200.0
#define CB 3

/* 1.5 Mbit/s of 1200 B at 200 ms: Mathis' limit is 0.15360 */
#define PACKETS 781
#define RTT MS (200)

static RccBreakerCongestion c;
static RccBreakerConfig config;
static gint64 lost;

static void
begin (RccBreakerMode mode)
{
  config = rcc_breaker_config (mode);
  rcc_breaker_congestion_init (&c);
  lost = 0;
}

/* Judged like the breaker does; @believable: the receiver's cumulative count agrees. */
static bool
interval (double fraction, RccTime duration, RccTime rtt, bool believable)
{
  const guint n = duration * PACKETS / S (5);
  const RccBreakerInterval i = { .duration = duration, .fraction = fraction, .rtt = rtt,
    .expected = n, .lost_before = lost, .sent = (guint64) (n * SIZE), .packets = n,
    .steady = true };

  if (believable)
    lost += (gint64) ceil (fraction * n);
  rcc_breaker_congestion_add (&c, &i, lost);
  return rcc_breaker_congestion_judge (&c, &config, CB, SIZE);
}

static bool
constant (double fraction)
{
  return interval (fraction, S (5), RTT, true);
}

static void
loss_that_lasts_trips_with_interval_cb (void)
{
  begin (RCC_BREAKER_RFC8083);
  g_assert_false (constant (0.2));
  g_assert_false (constant (0.2));
  g_assert_true (constant (0.2));
  g_assert_cmpfloat_with_epsilon (c.figures.loss, 0.2, 1e-12);
  g_assert_cmpfloat_with_epsilon (c.figures.sent_bps, PACKETS * SIZE * 8 / 5, 1e-6);
  g_assert_cmpfloat_with_epsilon (c.figures.tcp_bps * 10, 1.3145e6, 1e3);
  g_assert_cmpuint (c.figures.duration, ==, S (15));
}

static void
loss_is_weighted_by_duration (void)
{
  begin (RCC_BREAKER_RFC8083);
  interval (0.9, S (1), RTT, true);
  interval (0.0, S (5), RTT, true);
  g_assert_false (interval (0.0, S (4), RTT, true));
  g_assert_cmpfloat_with_epsilon (c.figures.loss, 0.09, 1e-12);
  begin (RCC_BREAKER_RFC8083);
  interval (0.1, S (1), RTT, true);
  interval (0.2, S (5), RTT, true);
  g_assert_true (interval (0.2, S (5), RTT, true));
}

/* 72 kbit/s in packets of 640 bytes.  A picture that stands still has frames of 43 bytes. */
static bool
still_picture (bool interval_size)
{
  const RccBreakerInterval i = { .duration = S (1), .fraction = 0.0225, .rtt = MS (555),
    .expected = 14, .lost_before = 0, .sent = 8960, .packets = 14, .steady = true };
  bool tripped = false;

  begin (RCC_BREAKER_RFC8083);
  config.interval_size = interval_size;
  for (guint k = 0; k < 8; k++) {
    rcc_breaker_congestion_add (&c, &i, k);
    tripped |= rcc_breaker_congestion_judge (&c, &config, CB, 43);
  }
  return tripped;
}

static void
a_still_picture_is_no_congestion (void)
{
  g_assert_true (still_picture (false));
  g_assert_cmpfloat_with_epsilon (c.figures.tcp_bps, 5063, 20);
  g_assert_false (still_picture (true));
  g_assert_cmpfloat_with_epsilon (c.figures.tcp_bps, 75320, 300);
}

/* A capacity fall: one interval of heavy loss, and the sender at a tenth since. */
static bool
interval_at (double share, double fraction)
{
  const guint n = PACKETS * share;
  const RccBreakerInterval i = { .duration = S (5), .fraction = fraction, .rtt = RTT,
    .expected = n, .lost_before = lost, .sent = (guint64) (n * SIZE), .packets = n,
    .steady = true };

  lost += (gint64) ceil (fraction * n);
  rcc_breaker_congestion_add (&c, &i, lost);
  return rcc_breaker_congestion_judge (&c, &config, CB, SIZE);
}

static void
who_has_slowed_down_is_not_stopped (void)
{
  begin (RCC_BREAKER_RFC8083);
  interval_at (1, 0);
  interval_at (1, 0);
  g_assert_false (interval_at (1, 0.7));        /* enough, but waits for the next report */
  g_assert_false (interval_at (0.1, 0.1));
  g_assert_cmpfloat_with_epsilon (c.figures.sent_bps, 78 * SIZE * 8 / 5, 1e-6);
  g_assert_false (interval_at (0.1, 0));
  g_assert_false (interval_at (1, 0));          /* its loss is out of the window */
}

static void
who_has_not_slowed_down_enough_is (void)
{
  begin (RCC_BREAKER_RFC8083);
  interval_at (1, 0);
  interval_at (1, 0);
  g_assert_false (interval_at (1, 0.7));
  g_assert_true (interval_at (0.95, 0.1));
}

/* The mean holds, too: coming back to speed is no reason. */
static void
who_has_only_just_speeded_up_is_not_stopped (void)
{
  begin (RCC_BREAKER_RFC8083);
  interval_at (0.1, 0.2);
  interval_at (0.1, 0.2);
  g_assert_false (interval_at (1, 0.2));
  interval_at (1, 0.2);
  g_assert_true (interval_at (1, 0.2));
}

/* RFC 8083 3 */
static void
rtt_is_smoothed_over_its_samples (void)
{
  begin (RCC_BREAKER_RFC8083);
  rcc_breaker_congestion_rtt (&c, MS (100));
  g_assert_cmpuint (c.rtt, ==, MS (100));
  rcc_breaker_congestion_rtt (&c, MS (200));
  g_assert_cmpuint (c.rtt, ==, MS (120));
  interval (0, S (5), RCC_NEVER, true);
  g_assert_cmpuint (c.rtt, ==, MS (120));
  interval (0, S (5), MS (20), true);
  g_assert_cmpuint (c.rtt, ==, MS (100));
}

static void
nothing_is_judged_without_rtt (void)
{
  begin (RCC_BREAKER_RFC8083);
  for (int i = 0; i < 20; i++)
    g_assert_false (interval (1, S (5), RCC_NEVER, true));
}

static void
pauses_make_no_verdict (void)
{
  RccBreakerInterval i = { .duration = S (5), .fraction = 1, .rtt = RTT, .expected = 700,
    .sent = 840000 };

  begin (RCC_BREAKER_RFC8083);
  for (int n = 0; n < 20; n++) {
    i.steady = n % CB != 0;             /* one of any three is not */
    i.lost_before = lost;
    rcc_breaker_congestion_add (&c, &i, lost += 700);
    g_assert_false (rcc_breaker_congestion_judge (&c, &config, CB, SIZE));
  }
}

/* One report that claims all is lost, over long time, and nothing before or after. */
static void
forged_loss_decides_nothing (void)
{
  for (guint place = 0; place < 8; place++) {
    begin (RCC_BREAKER_RFC8083);
    for (guint i = 0; i < 40; i++) {
      const bool forged = i == place;

      g_assert_false (interval (forged ? 1 : 0.01, forged ? S (60) : S (5), RTT, !forged));
    }
  }
}

/* Nor does it when it speaks of few numbers, so that little loss seems to bear it out. */
static void
forged_loss_of_few_numbers_decides_nothing (void)
{
  RccBreakerInterval forged = { .duration = S (30), .fraction = 1, .rtt = RTT,
    .expected = 1, .sent = 5000000, .packets = 4166, .steady = true };

  begin (RCC_BREAKER_RFC8083);
  for (guint i = 0; i < 3; i++)
    g_assert_false (constant (0.05));
  forged.lost_before = lost;
  rcc_breaker_congestion_add (&c, &forged, lost += 1);
  g_assert_false (rcc_breaker_congestion_judge (&c, &config, CB, SIZE));
  for (guint i = 0; i < 10; i++)
    g_assert_false (constant (0.05));
}

/* Loss just under the limit, and one sample of a minute: before, in and after the
 * window, and as the very first. */
static void
forged_rtt_decides_nothing (void)
{
  for (guint place = 0; place < 12; place++) {
    begin (RCC_BREAKER_RFC8083);
    for (guint i = 0; i < 100; i++)
      g_assert_false (interval (0.15, S (5), i == place ? S (60) : RTT, true));
  }
}

static void
forged_rtt_with_true_loss_decides_nothing (void)
{
  for (guint place = 0; place < 12; place++) {
    begin (RCC_BREAKER_RFC8083);
    for (guint i = 0; i < 100; i++) {
      const bool odd = i == place;

      g_assert_false (interval (odd ? 0.3 : 0.05, S (5), odd ? S (60) : RTT, true));
    }
  }
}

/* Half of everything gone in one interval: 0.5 / 3 > 0.154.  The next report's count
 * knows of it. */
static void
burst_trips_one_report_later (void)
{
  begin (RCC_BREAKER_RFC8083);
  for (guint i = 0; i < 6; i++)
    g_assert_false (constant (0));
  g_assert_false (constant (0.5));
  g_assert_true (c.waiting);
  g_assert_true (constant (0));
}

/* Likewise when what lay before the burst, and leaves the window, was needed too. */
static void
burst_is_judged_by_the_window_it_ended (void)
{
  begin (RCC_BREAKER_RFC8083);
  for (guint i = 0; i < 6; i++)
    g_assert_false (constant (0.05));
  g_assert_false (constant (0.37));
  g_assert_true (c.waiting);
  g_assert_true (constant (0.01));
}

static void
burst_that_nobody_bears_out_is_none (void)
{
  begin (RCC_BREAKER_RFC8083);
  for (guint i = 0; i < 6; i++)
    g_assert_false (constant (0));
  g_assert_false (interval (0.5, S (5), RTT, false));
  for (guint i = 0; i < 20; i++)
    g_assert_false (constant (0));
}

static void
a_window_of_one_interval_waits_for_the_next (void)
{
  RccBreakerInterval i = { .duration = S (20), .fraction = 0.5, .rtt = RTT,
    .expected = 3000, .sent = 3600000, .steady = true };

  begin (RCC_BREAKER_RFC8083);
  rcc_breaker_congestion_rtt (&c, RTT);
  rcc_breaker_congestion_add (&c, &i, 1500);
  g_assert_false (rcc_breaker_congestion_judge (&c, &config, 1, SIZE));
  i.lost_before = 1500;
  i.fraction = 0;
  rcc_breaker_congestion_add (&c, &i, 1500);
  g_assert_true (rcc_breaker_congestion_judge (&c, &config, 1, SIZE));
}

static void
draft_takes_two_reports_in_a_row (void)
{
  begin (RCC_BREAKER_DRAFT2014);
  g_assert_false (constant (0.2));
  g_assert_false (constant (0.1));
  g_assert_false (constant (0.2));
  g_assert_true (constant (0.2));
  /* each with its own RTT: smoothed, the second would be far from the limit */
  begin (RCC_BREAKER_DRAFT2014);
  for (int i = 0; i < 10; i++)
    g_assert_false (interval (0.2, S (5), MS (50), true));
  g_assert_false (constant (0.2));
  g_assert_true (constant (0.2));
}

/* 4.3: "more than" in the RFC; a factor or more in the draft */
static void
exactly_the_limit_trips_the_draft_only (void)
{
  const RccTcpPath path = { .packet_size = SIZE, .rtt = S (1) };
  RccBreakerInterval i = { .duration = S (8), .fraction = 0.5, .rtt = S (1),
    .expected = 100, .steady = true };

  begin (RCC_BREAKER_RFC8083);
  i.sent = 1 << 20;
  config.multiplier = (i.sent / 8.0) / rcc_tcp_throughput (RCC_TCP_MATHIS, &path, 0.5);
  for (guint n = 0; n < 10; n++) {
    i.lost_before = n * 100;
    rcc_breaker_congestion_add (&c, &i, (n + 1) * 100);
    g_assert_false (rcc_breaker_congestion_judge (&c, &config, CB, SIZE));
  }
  config.mode = RCC_BREAKER_DRAFT2014;
  g_assert_false (rcc_breaker_congestion_judge (&c, &config, CB, SIZE));
  g_assert_true (rcc_breaker_congestion_judge (&c, &config, CB, SIZE));
}

/* The judgement against the RFC's formula written plainly: it never trips where that
 * would not now and did not one report ago. */
static void
never_trips_where_the_rfc_would_not (void)
{
  RccRng rng;
  guint trips = 0;

  rcc_rng_init (&rng, 8083, 1);
  for (int round = 0; round < 300; round++) {
    const guint cb = 1 + rcc_rng_u32 (&rng) % 12;
    const double base = 0.4 * rcc_rng_uniform (&rng);
    bool before = false;
    double f[40], d[40];

    begin (RCC_BREAKER_RFC8083);
    for (guint n = 0; n < 40; n++) {
      const RccBreakerInterval i = { .duration = S (1) + rcc_rng_u32 (&rng) % S (1),
        .fraction = MIN (1, base * 2 * rcc_rng_uniform (&rng)), .rtt = RTT, .expected = 234,
        .lost_before = lost, .sent = 281250, .steady = true };
      double sum = 0, time = 0;
      bool now, tripped;

      f[n] = i.fraction;
      d[n] = i.duration / 1e9;
      lost += (gint64) (i.fraction * 234);
      rcc_breaker_congestion_add (&c, &i, lost);
      tripped = rcc_breaker_congestion_judge (&c, &config, cb, SIZE);
      for (guint k = n + 1; k-- > 0 && n - k < cb;) {
        sum += f[k] * d[k];
        time += d[k];
      }
      now = n + 1 >= cb && 281250 * cb / time > 10 * SIZE / (0.2 * sqrt (2 * sum / time / 3));
      if (tripped)
        g_assert_true (now || before);
      trips += tripped;
      before = now;
    }
  }
  g_assert_cmpuint (trips, >, 500);
}

/* The newest sample, which comes with no loss of its own. */
static void
a_forged_rtt_without_loss_decides_nothing (void)
{
  begin (RCC_BREAKER_RFC8083);
  for (guint i = 0; i < 6; i++)
    g_assert_false (constant (0.1));
  g_assert_false (interval (0, S (5), S (60), true));
}

/* Five seconds: more nanoseconds than 32 bits have. */
static void
long_round_trips_are_judged_too (void)
{
  begin (RCC_BREAKER_RFC8083);
  g_assert_false (interval (0.01, S (5), S (5), true));
  g_assert_false (interval (0.01, S (5), S (5), true));
  g_assert_true (interval (0.01, S (5), S (5), true));
}

/* Without either of two round trips the other one is left to judge by. */
static void
two_round_trips_are_enough (void)
{
  begin (RCC_BREAKER_RFC8083);
  g_assert_false (interval (0.2, S (5), RTT, true));
  g_assert_false (interval (0.2, S (5), RTT, true));
  g_assert_true (interval (0.2, S (5), RCC_NEVER, true));
  begin (RCC_BREAKER_RFC8083);
  g_assert_false (interval (0.2, S (5), RTT, true));
  g_assert_false (interval (0.2, S (5), RCC_NEVER, true));
  g_assert_false (interval (0.2, S (5), RCC_NEVER, true));
}

/* Without s there is no X, and no verdict. */
static void
packets_of_no_size_judge_nothing (void)
{
  static const double sizes[] = { 0, -1, NAN };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    begin (RCC_BREAKER_RFC8083);
    for (guint k = 0; k < 5; k++)
      constant (0.9);
    g_assert_false (rcc_breaker_congestion_judge (&c, &config, CB, sizes[i]));
    g_assert_true (rcc_breaker_congestion_judge (&c, &config, CB, SIZE));
  }
}

/* Without a round trip, or an interval, there is nothing to compare with: no verdict, and no
 * figures of one. */
static void
what_is_unknown_is_no_limit (void)
{
  static const RccBreakerMode modes[] = { RCC_BREAKER_RFC8083, RCC_BREAKER_DRAFT2014 };

  for (guint i = 0; i < G_N_ELEMENTS (modes); i++) {
    begin (modes[i]);
    for (guint k = 0; k < 10; k++)
      g_assert_false (interval (0.5, S (5), RCC_NEVER, true));
    g_assert_cmpfloat (c.figures.loss, ==, 0);
    g_assert_cmpuint (c.figures.duration, ==, 0);
    begin (modes[i]);
    rcc_breaker_congestion_rtt (&c, RTT);
    g_assert_false (rcc_breaker_congestion_judge (&c, &config, CB, SIZE));
    g_assert_cmpfloat (c.figures.loss, ==, 0);
    g_assert_cmpfloat (c.figures.sent_bps, ==, 0);
    g_assert_cmpuint (c.figures.duration, ==, 0);
  }
}

/* One sample of a round trip among others of none at all, whatever Tr is rounded to: without it
 * there is no limit to pass. */
static void
one_round_trip_alone_is_no_limit (void)
{
  for (guint ns = 0; ns < 20; ns++) {
    begin (RCC_BREAKER_RFC8083);
    g_assert_false (interval (0.5, S (5), RTT + ns, true));
    for (guint k = 0; k < 10; k++)
      g_assert_false (interval (0.5, S (5), 0, true));
  }
}

/* TCP's rate is the packets' size times theirs: of size 0 there is none to compare with. */
static void
packets_have_a_size (void)
{
  begin (RCC_BREAKER_RFC8083);
  for (guint i = 0; i < 3; i++)
    constant (0.3);
  g_assert_true (rcc_breaker_congestion_judge (&c, &config, CB, 1.0));
  g_assert_false (rcc_breaker_congestion_judge (&c, &config, CB, 0.0));
}

int
main (int argc, char **argv)
{
#define ADD(path, test) g_test_add_func ("/breaker-congestion/" path, test)
  g_test_init (&argc, &argv, NULL);
  ADD ("one-round-trip-alone", one_round_trip_alone_is_no_limit);
  ADD ("what-is-unknown-is-no-limit", what_is_unknown_is_no_limit);
  ADD ("loss-that-lasts-trips-with-interval-cb", loss_that_lasts_trips_with_interval_cb);
  ADD ("loss-is-weighted-by-duration", loss_is_weighted_by_duration);
  ADD ("packets-of-no-size-judge-nothing", packets_of_no_size_judge_nothing);
  ADD ("a-still-picture-is-no-congestion", a_still_picture_is_no_congestion);
  ADD ("who-has-slowed-down-is-not-stopped", who_has_slowed_down_is_not_stopped);
  ADD ("who-has-not-slowed-down-enough-is", who_has_not_slowed_down_enough_is);
  ADD ("who-has-only-just-speeded-up-is-not-stopped",
      who_has_only_just_speeded_up_is_not_stopped);
  ADD ("rtt-is-smoothed-over-its-samples", rtt_is_smoothed_over_its_samples);
  ADD ("nothing-is-judged-without-rtt", nothing_is_judged_without_rtt);
  ADD ("pauses-make-no-verdict", pauses_make_no_verdict);
  ADD ("forged-loss-decides-nothing", forged_loss_decides_nothing);
  ADD ("forged-loss-of-few-numbers-decides-nothing",
      forged_loss_of_few_numbers_decides_nothing);
  ADD ("forged-rtt-decides-nothing", forged_rtt_decides_nothing);
  ADD ("forged-rtt-with-true-loss-decides-nothing",
      forged_rtt_with_true_loss_decides_nothing);
  ADD ("burst-trips-one-report-later", burst_trips_one_report_later);
  ADD ("burst-is-judged-by-the-window-it-ended", burst_is_judged_by_the_window_it_ended);
  ADD ("burst-that-nobody-bears-out-is-none", burst_that_nobody_bears_out_is_none);
  ADD ("a-window-of-one-interval-waits-for-the-next",
      a_window_of_one_interval_waits_for_the_next);
  ADD ("draft-takes-two-reports-in-a-row", draft_takes_two_reports_in_a_row);
  ADD ("exactly-the-limit-trips-the-draft-only", exactly_the_limit_trips_the_draft_only);
  ADD ("never-trips-where-the-rfc-would-not", never_trips_where_the_rfc_would_not);
  ADD ("a-forged-rtt-without-loss-decides-nothing", a_forged_rtt_without_loss_decides_nothing);
  ADD ("long-round-trips-are-judged-too", long_round_trips_are_judged_too);
  ADD ("two-round-trips-are-enough", two_round_trips_are_enough);
  g_test_add_func ("/breaker-congestion/packets-have-a-size", packets_have_a_size);
  return g_test_run ();
}
