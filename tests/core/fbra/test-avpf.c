/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <glib.h>
#include "core/fbra/avpf.h"
#include "core/rng.h"

#define MS RCC_MSEC
#define SHARE 0.05
#define UDP_IP 28
#define COMPOUND 72                     /* 100 bytes on the wire */

static const RccAvpfConfig config = { 100 * MS, SHARE, true };
static RccAvpf a;

/* A packet every @gap, and every report sent when it may be; the times of those in @at. */
static guint
run (RccTime from, RccTime to, RccTime gap, guint32 size, guint32 compound, RccTime *at)
{
  RccTime packet = from;
  guint n = 0;

  while (MIN (packet, rcc_avpf_deadline (&a)) < to) {
    const RccTime now = MIN (packet, rcc_avpf_deadline (&a));

    if (now == packet) {
      rcc_avpf_packet (&a, size, now);
      packet += gap;
    }
    if (now < rcc_avpf_deadline (&a) || !rcc_avpf_due (&a, now))
      continue;
    rcc_avpf_sent (&a, compound, false, now);
    if (at)
      at[n] = now;
    n++;
  }
  return n;
}

static void
nothing_to_say (void)
{
  rcc_avpf_init (&a, &config);
  g_assert_cmpuint (rcc_avpf_deadline (&a), ==, RCC_NEVER);
  g_assert_false (rcc_avpf_due (&a, 100 * RCC_SEC));
  g_assert_false (rcc_avpf_may_append (&a, 100 * RCC_SEC));
}

/* What is due stays so while packets come. */
static void
packets_put_off_no_early_report (void)
{
  rcc_avpf_init (&a, &config);
  rcc_avpf_packet (&a, 1200, RCC_SEC);
  rcc_avpf_event (&a, RCC_SEC + MS);
  g_assert_cmpuint (rcc_avpf_deadline (&a), ==, RCC_SEC + MS);
  rcc_avpf_packet (&a, 1200, RCC_SEC + 5 * MS);
  g_assert_cmpuint (rcc_avpf_deadline (&a), ==, RCC_SEC + MS);
}

/* With bandwidth to spare reports come at the interval, to the nanosecond. */
static void
regular_reports_keep_the_interval (void)
{
  RccTime at[64];

  rcc_avpf_init (&a, &config);
  g_assert_cmpuint (run (RCC_SEC, 3 * RCC_SEC, 5 * MS, 1200, COMPOUND, at), ==, 19);
  for (guint i = 0; i < 19; i++)
    g_assert_cmpuint (at[i], ==, RCC_SEC + (i + 1) * 100 * MS);
  g_assert_cmpuint (a.regular, ==, 19);
  g_assert_cmpuint (a.early, ==, 0);
}

/* Without packets there is nothing to report; the first one after a pause is reported as
 * soon as the interval allows. */
static void
a_pause_is_silent (void)
{
  RccTime at[64];

  rcc_avpf_init (&a, &config);
  run (RCC_SEC, 2 * RCC_SEC, 5 * MS, 1200, COMPOUND, NULL);
  run (2 * RCC_SEC, 2 * RCC_SEC + 1, 5 * MS, 1200, COMPOUND, NULL);
  while (rcc_avpf_deadline (&a) != RCC_NEVER) {
    g_assert_cmpuint (rcc_avpf_deadline (&a), <, 2200 * MS);
    g_assert_true (rcc_avpf_due (&a, rcc_avpf_deadline (&a)));
    rcc_avpf_sent (&a, COMPOUND, false, rcc_avpf_deadline (&a));
  }
  rcc_avpf_packet (&a, 1200, 20 * RCC_SEC);
  g_assert_cmpuint (rcc_avpf_deadline (&a), <=, 20 * RCC_SEC);
  g_assert_true (rcc_avpf_due (&a, 20 * RCC_SEC));
  rcc_avpf_sent (&a, COMPOUND, false, 20 * RCC_SEC);
  run (20 * RCC_SEC + 1, 21 * RCC_SEC, 5 * MS, 1200, COMPOUND, at);
  g_assert_cmpuint (at[0], >=, 20 * RCC_SEC + 100 * MS);
}

/* ... with bandwidth to spare. */
static void
events_at (RccTime now)
{
  rcc_avpf_packet (&a, 12000, now);
  rcc_avpf_event (&a, now);
}

/* RFC 4585 3.5.2: te = t0; then tn = tp + 2 T_rr, and no other early one before. */
static void
an_event_has_one_early_report (void)
{
  const RccTime tp = 2 * RCC_SEC;
  RccTime at[64];

  rcc_avpf_init (&a, &config);
  g_assert_cmpuint (run (RCC_SEC, tp + 1, 5 * MS, 1200, COMPOUND, at), ==, 10);
  g_assert_cmpuint (at[9], ==, tp);
  events_at (tp + 30 * MS);
  g_assert_cmpuint (rcc_avpf_deadline (&a), ==, tp + 30 * MS);
  g_assert_true (rcc_avpf_due (&a, tp + 30 * MS));
  rcc_avpf_sent (&a, COMPOUND, false, tp + 30 * MS);
  g_assert_cmpuint (a.early, ==, 1);

  events_at (tp + 40 * MS);             /* 4a: waits for the regular one */
  g_assert_cmpuint (rcc_avpf_deadline (&a), ==, tp + 200 * MS);
  g_assert_false (rcc_avpf_due (&a, tp + 199 * MS));
  g_assert_true (rcc_avpf_due (&a, tp + 200 * MS));
  rcc_avpf_sent (&a, COMPOUND, false, tp + 200 * MS);
  g_assert_cmpuint (a.early, ==, 1);

  events_at (tp + 210 * MS);            /* 6: allowed again */
  g_assert_cmpuint (rcc_avpf_deadline (&a), ==, tp + 210 * MS);
}

static void
early_reports_can_be_off (void)
{
  rcc_avpf_init (&a, &config);
  a.config.early = false;
  run (RCC_SEC, 2 * RCC_SEC + 1, 5 * MS, 1200, COMPOUND, NULL);
  events_at (2 * RCC_SEC + 30 * MS);
  g_assert_cmpuint (rcc_avpf_deadline (&a), ==, 2 * RCC_SEC + 100 * MS);
}

/* 30 packets of 200 bytes a second leave 300 B/s for reports: 100 bytes each third of a
 * second, whatever the interval. */
static void
bandwidth_makes_the_interval_longer (void)
{
  RccTime at[64];
  guint n;

  rcc_avpf_init (&a, &config);
  n = run (RCC_SEC, 11 * RCC_SEC, RCC_SEC / 30, 200, COMPOUND, at);
  g_assert_cmpuint (n, >=, 28);
  g_assert_cmpuint (n, <=, 31);
  for (guint i = 2; i < n; i++)
    g_assert_cmpuint (at[i] - at[i - 1], >=, 300 * MS);
}

/* However little comes, RFC 3550's minimum interval is not refused for long. */
static void
next_to_no_bandwidth (void)
{
  guint n;

  rcc_avpf_init (&a, &config);
  n = run (RCC_SEC, 601 * RCC_SEC, RCC_SEC, 20, COMPOUND, NULL);
  g_assert_cmpuint (n, >=, 100);
  g_assert_cmpuint (n, <=, 121);
}

/* The bound holds at every moment, whatever is lost and however large reports get. */
static void
share_is_never_exceeded (gconstpointer data)
{
  const guint rate = GPOINTER_TO_UINT (data);
  const guint32 size = 1000;

  for (guint loss = 0; loss <= 60; loss += 20) {
    double received = 0, reported = 0;
    RccTime packet = RCC_SEC;
    guint n = 0;
    RccRng rng;

    rcc_rng_init (&rng, 17, loss + rate);
    rcc_avpf_init (&a, &config);
    while (packet < 61 * RCC_SEC) {
      const RccTime now = MIN (packet, rcc_avpf_deadline (&a));

      if (now == packet) {
        packet += RCC_SEC / rate;
        if (rcc_rng_u32 (&rng) % 100 < loss) {
          if (a.begun)
            rcc_avpf_event (&a, now);
        } else {
          rcc_avpf_packet (&a, size, now);
          received += size;
        }
      }
      if (now >= rcc_avpf_deadline (&a) && rcc_avpf_due (&a, now)) {
        const guint32 compound = 60 + rcc_rng_u32 (&rng) % 240;

        rcc_avpf_sent (&a, compound, false, now);
        reported += compound + UDP_IP;
        n++;
        g_assert_cmpfloat (reported, <=, SHARE * received + compound + UDP_IP);
      }
    }
    g_assert_cmpuint (n, >, 60);        /* nor is it starved: */
    if (rate == 1000)
      g_assert_cmpuint (n, >, 500);
    g_assert_cmpuint (a.early > 0, ==, loss > 0);
    g_assert_cmpuint (a.early, <=, a.regular + 1);
  }
}

/* What rides on the session's compounds is no early report to whoever sees it: not before
 * three quarters of the interval, unless one was due. */
static void
appends_near_the_regular_time (void)
{
  const RccTime tp = 2 * RCC_SEC;

  rcc_avpf_init (&a, &config);
  run (RCC_SEC, tp + 1, 5 * MS, 1200, COMPOUND, NULL);
  rcc_avpf_packet (&a, 12000, tp + 1 * MS);
  g_assert_false (rcc_avpf_may_append (&a, tp + 74 * MS));
  g_assert_true (rcc_avpf_may_append (&a, tp + 75 * MS));
  rcc_avpf_sent (&a, 40, true, tp + 75 * MS);
  g_assert_cmpuint (a.appended, ==, 1);
  rcc_avpf_packet (&a, 12000, tp + 76 * MS);
  g_assert_cmpuint (rcc_avpf_deadline (&a), ==, tp + 175 * MS);
  rcc_avpf_event (&a, tp + 77 * MS);
  g_assert_true (rcc_avpf_may_append (&a, tp + 77 * MS));
}

/* A wake-up that is late by a little does not put off those after it; one that is late by
 * much does not bring them in a burst. */
static void
late_wakes (void)
{
  const RccTime tp = 2 * RCC_SEC;

  rcc_avpf_init (&a, &config);
  run (RCC_SEC, tp + 1, 5 * MS, 1200, COMPOUND, NULL);
  rcc_avpf_packet (&a, 12000, tp + 5 * MS);
  g_assert_true (rcc_avpf_due (&a, tp + 104 * MS));
  rcc_avpf_sent (&a, COMPOUND, false, tp + 104 * MS);
  rcc_avpf_packet (&a, 12000, tp + 105 * MS);
  g_assert_cmpuint (rcc_avpf_deadline (&a), ==, tp + 200 * MS);
  rcc_avpf_sent (&a, COMPOUND, false, tp + 212 * MS);   /* less than an eighth of T_rr */
  rcc_avpf_packet (&a, 12000, tp + 213 * MS);
  g_assert_cmpuint (rcc_avpf_deadline (&a), ==, tp + 300 * MS);
  rcc_avpf_packet (&a, 60000, tp + 900 * MS);
  rcc_avpf_sent (&a, COMPOUND, false, tp + 900 * MS);
  rcc_avpf_packet (&a, 12000, tp + 905 * MS);
  g_assert_cmpuint (rcc_avpf_deadline (&a), ==, tp + 1000 * MS);
}

/* F4 of the fault list: no sum of absurd settings stops or floods. */
static void
absurd_settings (void)
{
  static const RccAvpfConfig bad[] = {
    { 0, 1.0, true }, { 0, 1e-9, true }, { 60 * RCC_SEC, 1.0, true }, { 0, 1e-9, false },
  };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++) {
    guint n;

    rcc_avpf_init (&a, &bad[i]);
    n = run (RCC_SEC, 301 * RCC_SEC, 50 * MS, 1200, COMPOUND, NULL);
    g_assert_cmpuint (n, >=, 4);
    g_assert_cmpuint (n, <=, 6001);
  }
}

/* What was earned since the last report, whichever way that went; UDP/IP is not for us. */
static void
budget_is_what_was_earned_since (void)
{
  rcc_avpf_init (&a, &config);
  g_assert_cmpuint (rcc_avpf_budget (&a), ==, 0);
  for (guint i = 0; i < 3; i++) {
    const RccTime now = RCC_SEC + i * 100 * MS;

    rcc_avpf_packet (&a, 12000, now);
    g_assert_cmpuint (rcc_avpf_budget (&a), ==, 600 - UDP_IP);
    rcc_avpf_packet (&a, 12000, now + MS);
    g_assert_cmpuint (rcc_avpf_budget (&a), ==, 1200 - UDP_IP);
    if (i == 0)
      rcc_avpf_nothing (&a, now + 100 * MS);
    else
      rcc_avpf_sent (&a, COMPOUND, i == 2, now + 100 * MS);
    g_assert_cmpuint (rcc_avpf_budget (&a), ==, 0);
    g_assert_cmpfloat (a.earned, ==, 0);
  }
}

static void
a_report_that_rides_costs_its_own_bytes (void)
{
  double average;

  rcc_avpf_init (&a, &config);
  run (RCC_SEC, 2 * RCC_SEC + 1, 5 * MS, 1200, COMPOUND, NULL);
  rcc_avpf_packet (&a, 12000, 2 * RCC_SEC + 75 * MS);
  average = a.average_size;
  g_assert_cmpfloat (a.budget, ==, average);
  rcc_avpf_sent (&a, 40, true, 2 * RCC_SEC + 75 * MS);
  g_assert_cmpfloat (a.budget, ==, average - 40);
  g_assert_cmpfloat (a.average_size, ==, average);
  rcc_avpf_packet (&a, 12000, 2 * RCC_SEC + 175 * MS);
  rcc_avpf_sent (&a, 200, false, 2 * RCC_SEC + 175 * MS);
  g_assert_cmpfloat (a.budget, ==, average - 200 - UDP_IP);
  g_assert_cmpfloat_with_epsilon (a.average_size, average + (200 + UDP_IP - average) / 16, 1e-9);
}

static void
nothing_after_all_waits_for_a_packet (void)
{
  rcc_avpf_init (&a, &config);
  rcc_avpf_packet (&a, 12000, RCC_SEC);
  g_assert_true (rcc_avpf_due (&a, RCC_SEC + 100 * MS));
  rcc_avpf_nothing (&a, RCC_SEC + 100 * MS);
  g_assert_cmpuint (rcc_avpf_deadline (&a), ==, RCC_NEVER);
  g_assert_false (rcc_avpf_due (&a, RCC_SEC + 500 * MS));
  rcc_avpf_packet (&a, 12000, RCC_SEC + 110 * MS);
  g_assert_cmpuint (rcc_avpf_deadline (&a), ==, RCC_SEC + 200 * MS);
}

/* 6: at tn the next event may have its early report, for which the budget need not be full. */
static void
early_is_allowed_again_at_tn (void)
{
  const RccTime tp = 2 * RCC_SEC;

  rcc_avpf_init (&a, &config);
  run (RCC_SEC, tp + 1, 5 * MS, 1200, COMPOUND, NULL);
  events_at (tp + 30 * MS);
  rcc_avpf_sent (&a, COMPOUND, false, tp + 30 * MS);
  rcc_avpf_packet (&a, 200, tp + 40 * MS);
  rcc_avpf_event (&a, tp + 40 * MS);
  g_assert_cmpfloat (a.budget, >=, 0);
  g_assert_cmpfloat (a.budget, <, a.average_size);
  g_assert_false (rcc_avpf_due (&a, tp + 200 * MS - 1));
  g_assert_true (rcc_avpf_due (&a, tp + 200 * MS));
}

/* RCC_AVPF_LONGEST's, that a debt has put off: it does not make the debt larger. */
static void
a_report_in_debt_is_a_gift (void)
{
  static const double debts[] = { -0.5, -50 };

  for (guint i = 0; i < G_N_ELEMENTS (debts); i++) {
    rcc_avpf_init (&a, &config);
    rcc_avpf_packet (&a, 1200, RCC_SEC);
    a.budget = debts[i];
    g_assert_false (rcc_avpf_due (&a, 6 * RCC_SEC - 1));
    g_assert_true (rcc_avpf_due (&a, 6 * RCC_SEC));
    rcc_avpf_sent (&a, COMPOUND, false, 6 * RCC_SEC);
    g_assert_cmpfloat (a.budget, ==, debts[i]);
  }
}

/* What has just been sent leaves nothing to be sent, however it went. */
static void
a_report_ends_the_wait (void)
{
  for (guint appended = 0; appended < 2; appended++) {
    rcc_avpf_init (&a, &config);
    for (guint i = 0; i < 30; i++)
      rcc_avpf_packet (&a, 1200, RCC_SEC + i * 5 * MS);
    g_assert_cmpuint (rcc_avpf_deadline (&a), <, RCC_NEVER);
    rcc_avpf_sent (&a, COMPOUND, appended, RCC_SEC + 150 * MS);
    g_assert_cmpuint (rcc_avpf_deadline (&a), ==, RCC_NEVER);
  }
}

/* ... nor before three quarters of what a report costs are there: 90 of 120 bytes. */
static void
appends_for_three_quarters_of_the_cost (void)
{
  for (guint i = 0; i < 2; i++) {
    rcc_avpf_init (&a, &config);
    rcc_avpf_packet (&a, 1799 + 2 * i, RCC_SEC);        /* a twentieth of it is earned */
    g_assert_cmpint (rcc_avpf_may_append (&a, RCC_SEC + 90 * MS), ==, i > 0);
    g_assert_false (rcc_avpf_due (&a, RCC_SEC + 90 * MS));
  }
}

/* What did not fit into a report makes the next one, without a further packet. */
static void
more_is_a_report_of_its_own (void)
{
  rcc_avpf_init (&a, &config);
  run (RCC_SEC, 2 * RCC_SEC + 1, 5 * MS, 1200, COMPOUND, NULL);
  rcc_avpf_sent (&a, COMPOUND, false, 2100 * MS);
  g_assert_cmpuint (rcc_avpf_deadline (&a), ==, RCC_NEVER);
  rcc_avpf_more (&a, 2100 * MS);
  g_assert_cmpuint (rcc_avpf_deadline (&a), <, RCC_NEVER);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/avpf/nothing-to-say", nothing_to_say);
  g_test_add_func ("/avpf/packets-put-off-no-early-report", packets_put_off_no_early_report);
  g_test_add_func ("/avpf/regular", regular_reports_keep_the_interval);
  g_test_add_func ("/avpf/pause", a_pause_is_silent);
  g_test_add_func ("/avpf/early-once", an_event_has_one_early_report);
  g_test_add_func ("/avpf/appends-for-three-quarters", appends_for_three_quarters_of_the_cost);
  g_test_add_func ("/avpf/early-off", early_reports_can_be_off);
  g_test_add_func ("/avpf/bandwidth", bandwidth_makes_the_interval_longer);
  g_test_add_func ("/avpf/next-to-no-bandwidth", next_to_no_bandwidth);
  g_test_add_data_func ("/avpf/share/30", GUINT_TO_POINTER (30), share_is_never_exceeded);
  g_test_add_data_func ("/avpf/share/1000", GUINT_TO_POINTER (1000),
      share_is_never_exceeded);
  g_test_add_func ("/avpf/append", appends_near_the_regular_time);
  g_test_add_func ("/avpf/late-wakes", late_wakes);
  g_test_add_func ("/avpf/absurd-settings", absurd_settings);
  g_test_add_func ("/avpf/budget", budget_is_what_was_earned_since);
  g_test_add_func ("/avpf/ride", a_report_that_rides_costs_its_own_bytes);
  g_test_add_func ("/avpf/nothing", nothing_after_all_waits_for_a_packet);
  g_test_add_func ("/avpf/early-again", early_is_allowed_again_at_tn);
  g_test_add_func ("/avpf/gift", a_report_in_debt_is_a_gift);
  g_test_add_func ("/avpf/ends-the-wait", a_report_ends_the_wait);
  g_test_add_func ("/avpf/more", more_is_a_report_of_its_own);
  return g_test_run ();
}
