/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "round.h"
#include "core/rng.h"

static void
an_early_report_goes_down (void)
{
  start ();
  settle ();
  ROUND_OF (.after = ROUND / 2 + 10 * MS);
  g_assert_cmpuint (f.early, ==, 0);
  f.state = RCC_FBRA_STAY;
  ROUND_OF (.after = ROUND / 2 - 10 * MS);
  g_assert_cmpuint (f.early, ==, 1);
  g_assert_cmpstr (f.state_name, ==, "DOWN");
  g_assert_cmpstr (f.reason, ==, "an early report");
}

static void
pooled_feedback_is_never_early (void)
{
  RccFbraConfig config = rcc_fbra_config ();

  config.reports.pool = true;
  start_with (config, limits);
  for (guint i = 0; i < 200; i++)
    ROUND_OF (.after = 50 * MS);
  g_assert_cmpuint (f.early, ==, 0);
  g_assert_cmpuint (f.undershoots, ==, 0);
  /* every 200 ms = 2 RTT of 10 s */
  g_assert_cmpuint (f.reports, >=, 48);
  g_assert_cmpuint (f.reports, <=, 51);
  g_assert_cmpuint (f.target_bps, >, 150000);
}

static void
two_intervals_without_a_report_halve (void)
{
  RccTime at;
  RccUpdate u;

  start ();
  settle ();
  rcc_tell (&f.sender, on_sent, &(RccPacket) { .size = 1000, .sent = now + 2 * DELAY });
  at = rcc_deadline (&f.sender);
  g_assert_cmpuint (at, ==, now + 2 * DELAY + 2 * ROUND);
  g_assert_cmpuint (rcc_tell (&f.sender, on_deadline, at - 1).changed, ==, 0);
  u = rcc_tell (&f.sender, on_deadline, at);
  g_assert_cmpuint (u.changed, ==, RCC_TARGET | RCC_STATE);
  g_assert_cmpuint (u.target_bps, ==, 50000);
  g_assert_cmpstr (f.state_name, ==, "DOWN");
  /* an idle sender is left alone, one that sends is halved down to the minimum */
  g_assert_cmpuint (rcc_deadline (&f.sender), ==, RCC_NEVER);
  for (guint i = 0; i < 5; i++) {
    rcc_tell (&f.sender, on_sent, &(RccPacket) { .size = 1000, .sent = at });
    at = rcc_deadline (&f.sender);
    rcc_tell (&f.sender, on_deadline, at);
  }
  g_assert_cmpuint (f.target_bps, ==, limits.min_bps);
  g_assert_cmpuint (f.silences, ==, 6);
  now = at;
  rounds (1);
  g_assert_cmpstr (f.state_name, ==, "STAY");
}

static void
silence_ends_a_probe (void)
{
  RccUpdate u;

  start ();
  rounds (2);
  g_assert_cmpstr (f.state_name, ==, "PROBE");
  rcc_tell (&f.sender, on_sent, &(RccPacket) { .size = 1000, .sent = now + 2 * DELAY });
  u = rcc_tell (&f.sender, on_deadline, rcc_deadline (&f.sender));
  g_assert_cmpuint (u.changed, ==, RCC_TARGET | RCC_FEC | RCC_STATE);
  g_assert_cmpuint (f.fec_interval + f.fec_bps, ==, 0);
  g_assert_cmpuint (f.target_bps, ==, 50000);
}

/* C12: the same compound again tells of nothing new, with feedback or without. */
static void
a_duplicate_is_no_report (void)
{
  RccReport report = { .highest_seq = 12345, .expected = 10, .rtt = 2 * DELAY };

  for (guint fed = 0; fed < 2; fed++) {
    guint64 reports;

    start ();
    if (fed)
      settle ();
    for (guint i = 0; i < 5; i++, reported += ROUND) {
      report.highest_seq++;
      report.expected = 10;
      rcc_tell (&f.sender, on_report, &report, reported);
      rcc_tell (&f.sender, on_rtcp, &rtcp, reported);
    }
    reports = f.reports;
    report.expected = 0;                /* since the report before */
    for (guint i = 0; i < 10; i++) {
      rcc_tell (&f.sender, on_report, &report, reported + i);
      g_assert_cmpuint (rcc_tell (&f.sender, on_rtcp, &rtcp, reported + i).changed, ==, 0);
    }
    g_assert_cmpuint (f.reports, ==, reports);
    /* what is fed by packets is not judged by report blocks besides */
    g_assert_cmpuint (reports, ==, fed ? 21 : 5);
    g_assert_cmpuint (f.early, ==, 0);
  }
}

/* No feedback per packet: reports alone make it climb, and go down. */
static void
receiver_reports_alone_will_do (void)
{
  RccTime t = RCC_SEC;

  start ();
  for (guint i = 0; i < 100; i++, t += RCC_SEC) {
    const RccReport r = { .highest_seq = i, .expected = 100, .rtt = 2 * DELAY,
      .fraction_lost = i == 60 ? 0.1 : 0.0 };

    for (guint k = 0; k < 10; k++)
      rcc_tell (&f.sender, on_sent, &(RccPacket) { .size = f.target_bps / 80,
            .sent = t + k * 100 * MS });
    rcc_tell (&f.sender, on_report, &r, t + RCC_SEC);
    rcc_tell (&f.sender, on_rtcp, &rtcp, t + RCC_SEC);
    if (i == 59)
      g_assert_cmpuint (f.target_bps, >, 200000);
    if (i == 60)
      g_assert_cmpstr (f.state_name, ==, "DOWN");
  }
  g_assert_cmpuint (f.losses, ==, 10);
  g_assert_cmpuint (f.reports, ==, 100);
  g_assert_cmpuint (f.owd, ==, DELAY);
}

static RccTime
random_time (RccRng *r)
{
  switch (rcc_rng_u32 (r) % 20) {
    case 0: return RCC_NEVER;
    case 1: return 0;
    case 2: return (RccTime) rcc_rng_u32 (r) << 32;
    case 3: return now - rcc_rng_u32 (r) % RCC_SEC;
    default: return now - rcc_rng_u32 (r) % (100 * MS);
  }
}

static void
holds (const RccConfig *l, RccUpdate u)
{
  g_assert_cmpuint (f.target_bps, >=, l->min_bps);
  g_assert_cmpuint (f.target_bps, <=, RCC_MAX (l->min_bps, l->max_bps));
  g_assert_cmpuint (f.fec_bps, <=, f.target_bps);
  g_assert_true (f.fec_interval == 0 || (f.fec_interval >= 2 && f.fec_interval <= 14));
  g_assert_true ((f.fec_interval > 0) == (f.state == RCC_FBRA_PROBE));
  g_assert_true (isfinite (f.rate) && isfinite (f.corr_low) && isfinite (f.corr_high));
  g_assert_true (f.timer.silence_next > now || f.timer.silence_next == RCC_NEVER);
  if (u.changed & RCC_TARGET)
    g_assert_cmpuint (u.target_bps, ==, f.target_bps);
  if (u.changed & RCC_FEC)
    g_assert_cmpuint (u.fec_bps, ==, f.fec_bps);
}

static RccUpdate
random_event (RccRng *r, RccConfig *l)
{
  const RccReport report = { .highest_seq = rcc_rng_u32 (r) % 4,
    .expected = rcc_rng_u32 (r) >> rcc_rng_u32 (r) % 32,
    .fraction_lost = 3.0 * rcc_rng_uniform (r) - 1.0,
    .rtt = rcc_rng_u32 (r) % 3 ? RCC_NEVER : (RccTime) rcc_rng_u32 (r) << rcc_rng_u32 (r) % 33 };
  RccPacket p[8];

  switch (rcc_rng_u32 (r) % 8) {
    case 0:
      if (rcc_rng_u32 (r) % 50 == 0)
        *l = (RccConfig) { rcc_rng_u32 (r) >> rcc_rng_u32 (r) % 32, 0,
          rcc_rng_u32 (r) >> rcc_rng_u32 (r) % 32 };
      return rcc_tell (&f.sender, on_config, l, now);
    case 1:
      return rcc_tell (&f.sender, on_report, &report, now);
    case 2:
      return rcc_tell (&f.sender, on_deadline, now);
    case 3:
      return rcc_tell (&f.sender, on_rtcp, &rtcp, now);
    case 4:
      for (guint k = 0; k < 8; k++)
        p[k] = (RccPacket) { .size = rcc_rng_u32 (r) >> rcc_rng_u32 (r) % 32,
          .probe = rcc_rng_u32 (r) % 8, .sent = random_time (r), .arrived = random_time (r) };
      rcc_tell (&f.sender, on_feedback, p, rcc_rng_u32 (r) % 9, now);
      return rcc_tell (&f.sender, on_rtcp, &rtcp, now);
    default:
      return rcc_tell (&f.sender, on_sent, &(RccPacket) { .sent = now,
            .size = rcc_rng_u32 (r) % 65536, .probe = rcc_rng_u32 (r) % 2 });
  }
}

/* F4: whatever comes, what goes out is finite and within the limits. */
static void
an_event_storm_stays_within_limits (void)
{
  guint seen[4] = { 0 };

  for (guint run = 0; run < 6; run++) {
    RccFbraConfig config = rcc_fbra_config ();
    RccConfig l = limits;
    RccRng r;

    rcc_rng_init (&r, 42, run);
    config.reports.pool = run % 2;
    config.rule = run % 3 ? RCC_FBRA_N_STEP : RCC_FBRA_N_LINEAR;
    start_with (config, l);
    for (guint i = 0; i < 300000; i++) {
      now += rcc_rng_u32 (&r) % (30 * MS);
      if (rcc_rng_u32 (&r) % 10000 == 0)
        now += 3600 * RCC_SEC;
      /* the deadline is kept, as a driver would */
      if (rcc_deadline (&f.sender) <= now)
        holds (&l, rcc_tell (&f.sender, on_deadline, now));
      holds (&l, random_event (&r, &l));
      seen[f.state]++;
    }
  }
  g_assert_true (seen[0] > 0 && seen[1] > 0);
}

/* The same with packets that mostly arrive, so that every state is walked. */
static void
a_bad_path_walks_every_state_within_limits (void)
{
  guint seen[4] = { 0 };
  RccRng r;

  rcc_rng_init (&r, 43, 0);
  start ();
  for (guint i = 0; i < 100000; i++) {
    Round round = { 0 };

    if (rcc_rng_u32 (&r) % 10 == 0)
      round.lost = rcc_rng_u32 (&r) & rcc_rng_u32 (&r) & rcc_rng_u32 (&r);
    if (rcc_rng_u32 (&r) % 10 == 0)
      round.queue = rcc_rng_u32 (&r) % (400 * MS);
    if (rcc_rng_u32 (&r) % 30 == 0)
      round.after = MS + rcc_rng_u32 (&r) % RCC_SEC;
    holds (&limits, round_of (round));
    seen[f.state]++;
    if (rcc_deadline (&f.sender) <= now)
      rcc_tell (&f.sender, on_deadline, now);
  }
  for (guint i = 0; i < 4; i++)
    g_assert_cmpuint (seen[i], >, 1000);
}

#define TEST(name, function) g_test_add_func ("/fbra-reports/" name, function)

/* Their losses were counted packet by packet already. */
static void
reports_speak_where_feedback_is_two_seconds_old (void)
{
  RccReport r = { .expected = 10, .fraction_lost = 0.3, .rtt = 2 * DELAY };
  RccTime fed;
  guint64 reports;

  start ();
  settle ();
  fed = reported;
  reports = f.reports;
  for (guint i = 1; i <= 12; i++) {
    r.highest_seq = seq + 10 * i;
    rcc_tell (&f.sender, on_report, &r, fed + i * ROUND);
    rcc_tell (&f.sender, on_rtcp, &rtcp, fed + i * ROUND);
    g_assert_cmpuint (f.reports - reports, ==, i <= 10 ? 0 : i - 10);
  }
}

/* ... or two intervals, where those are longer. */
static void
feedback_is_old_after_two_intervals (void)
{
  RccReport r = { .expected = 10, .fraction_lost = 0.3, .rtt = RCC_NEVER };
  RccTime fed;
  guint64 reports;

  start ();
  for (guint i = 0; i < 5; i++)
    ROUND_OF (.after = 3 * RCC_SEC);
  g_assert_cmpuint (f.timer.interval, ==, 3 * RCC_SEC);
  fed = f.fed;
  reports = f.reports;
  for (guint i = 0; i < 4; i++) {
    const RccTime at = fed + 6 * RCC_SEC - 1 + i;       /* more than that */

    r.highest_seq = seq + 10 * (i + 1);
    rcc_tell (&f.sender, on_report, &r, at);
    rcc_tell (&f.sender, on_rtcp, &rtcp, at);
    g_assert_cmpuint (f.reports > reports, ==, i > 1);
  }
}

/* S4: "a bit more than the RTCP interval" is over at its end. */
static void
deactivation_ends_when_it_says (void)
{
  for (guint late = 0; late < 2; late++) {
    RccFbraConfig config = rcc_fbra_config ();
    RccPacket p;

    config.deactivate_reports = 0;
    start_with (config, limits);
    settle ();
    ROUND_OF (.lost = 3 << 6);
    g_assert_cmpstr (f.state_name, ==, "DOWN");
    reported = f.deactivated_until - 1 + late;
    p = (RccPacket) { .seq = seq, .size = 1000, .sent = reported - 2 * DELAY,
      .arrived = reported - DELAY };
    rcc_tell (&f.sender, on_feedback, &p, 1, reported);
    rcc_tell (&f.sender, on_rtcp, &rtcp, reported);
    g_assert_cmpuint (f.ignored, ==, !late);
  }
}

/* Whoever does not say how many it expected says so with a number that has gone up. */
static void
a_report_is_news_unless_it_repeats_the_last (void)
{
  static const struct {
    gint64 highest;
    guint expected, judged;
  } said[] = { { 51, 0, 1 }, { 52, 0, 2 }, { 52, 0, 2 }, { 52, 5, 3 }, { 55, 0, 4 }, { 55, 0, 4 } };

  start ();
  for (guint i = 0; i < G_N_ELEMENTS (said); i++) {
    const RccReport r = { .highest_seq = said[i].highest, .expected = said[i].expected,
      .rtt = 2 * DELAY };

    now += ROUND;
    rcc_tell (&f.sender, on_report, &r, now);
    rcc_tell (&f.sender, on_rtcp, &rtcp, now);
    g_assert_cmpuint (f.reports, ==, said[i].judged);
  }
}

/* Half of a round trip that nobody tells is no delay. */
static void
no_round_trip_is_no_delay (void)
{
  start ();
  for (guint i = 1; i <= 10; i++) {
    const RccReport report = { .highest_seq = i * 10, .expected = 10, .rtt = RCC_NEVER };

    rcc_tell (&f.sender, on_report, &report, now + i * RCC_SEC);
    rcc_tell (&f.sender, on_rtcp, &rtcp, now + i * RCC_SEC);
    g_assert_cmpuint (f.owd, ==, RCC_NEVER);
    g_assert_cmpstr (f.state_name, !=, "DOWN");
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  TEST ("feedback-is-old-after-two-intervals", feedback_is_old_after_two_intervals);
  TEST ("an-early-report-goes-down", an_early_report_goes_down);
  TEST ("pooled-feedback-is-never-early", pooled_feedback_is_never_early);
  TEST ("two-intervals-without-a-report-halve", two_intervals_without_a_report_halve);
  TEST ("silence-ends-a-probe", silence_ends_a_probe);
  TEST ("a-duplicate-is-no-report", a_duplicate_is_no_report);
  TEST ("receiver-reports-alone-will-do", receiver_reports_alone_will_do);
  TEST ("an-event-storm-stays-within-limits", an_event_storm_stays_within_limits);
  TEST ("a-bad-path-walks-every-state-within-limits",
      a_bad_path_walks_every_state_within_limits);
  TEST ("reports-speak-where-feedback-is-two-seconds-old",
      reports_speak_where_feedback_is_two_seconds_old);
  TEST ("deactivation-ends-when-it-says", deactivation_ends_when_it_says);
  TEST ("a-report-is-news-unless-it-repeats-the-last",
      a_report_is_news_unless_it_repeats_the_last);
  TEST ("no-round-trip-is-no-delay", no_round_trip_is_no_delay);
  return g_test_run ();
}
