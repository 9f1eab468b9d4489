/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "round.h"

static void
starts_in_stay_at_the_start (void)
{
  start ();
  g_assert_cmpstr (f.sender.ops->name, ==, "fbra");
  g_assert_cmpstr (f.state_name, ==, "STAY");
  g_assert_cmpuint (f.target_bps, ==, 100000);
  g_assert_cmpuint (f.fec_bps + f.fec_interval, ==, 0);
  g_assert_cmpuint (rcc_deadline (&f.sender), ==, RCC_NEVER);
}

/* Four reports a cycle: held near the capacity, PROBE, UP, STAY. */
static void
climbs_by_a_probe_in_four_reports (void)
{
  RccUpdate u;

  start ();
  g_assert_cmpuint (f.rtt_min, ==, RCC_NEVER);
  u = round_of (CLEAN);
  g_assert_cmpuint (f.rtt_min, ==, 2 * DELAY);
  g_assert_cmpuint (u.changed, ==, 0);
  g_assert_cmpstr (f.reason, ==, "close to the highest rate of late");
  u = round_of (CLEAN);
  g_assert_cmpstr (f.state_name, ==, "PROBE");
  g_assert_cmpuint (u.changed, ==, RCC_TARGET | RCC_FEC | RCC_STATE);
  g_assert_cmpuint (u.target_bps, ==, 150000);
  g_assert_cmpuint (u.fec_bps, ==, 50000);
  g_assert_cmpuint (f.fec_interval, ==, 2);
  u = round_of (CLEAN);
  g_assert_cmpstr (f.state_name, ==, "UP");
  g_assert_cmpuint (u.changed, ==, RCC_FEC | RCC_STATE);
  g_assert_cmpuint (f.target_bps, ==, 150000);
  g_assert_cmpuint (f.fec_bps + f.fec_interval, ==, 0);
  u = round_of (CLEAN);
  g_assert_cmpstr (f.state_name, ==, "STAY");
  g_assert_cmpuint (u.changed, ==, RCC_STATE);
  rounds (1);
  g_assert_cmpstr (f.state_name, ==, "STAY");
  rounds (1);
  g_assert_cmpstr (f.state_name, ==, "PROBE");
  g_assert_cmpuint (f.fec_interval, ==, 14);
  rounds (1);
  /* rate += rate / 14 */
  g_assert_cmpuint (f.target_bps, ==, 160714);
  g_assert_cmpuint (f.probes, ==, 2);
  g_assert_cmpuint (f.probes_passed, ==, 2);
  g_assert_cmpuint (f.probes_void, ==, 2);      /* no round had parity */
}

/* 20 % lost late in the report: 0.9 (100 - 2 * 20) = 54. */
static void
undershoots_by_twice_the_difference (void)
{
  RccUpdate u;

  start ();
  settle ();
  u = ROUND_OF (.lost = 3 << 6);
  g_assert_cmpstr (f.state_name, ==, "DOWN");
  g_assert_cmpuint (u.changed, ==, RCC_TARGET | RCC_STATE);
  g_assert_cmpuint (u.target_bps, ==, 54000);
  g_assert_cmpuint (f.goodput_bps, ==, 80000);
}

static void
undershoots_by_the_factor_alone_where_goodput_is_the_rate (void)
{
  start ();
  settle ();
  ROUND_OF (.queue = 10 * MS);
  g_assert_cmpstr (f.state_name, ==, "STAY");
  ROUND_OF (.queue = 10 * MS);
  g_assert_cmpstr (f.state_name, ==, "DOWN");
  g_assert_cmpstr (f.reason, ==, "delay above its usual, again");
  g_assert_cmpuint (f.target_bps, ==, 90000);
}

static void
undershoot_ends_at_the_minimum (void)
{
  start ();
  settle ();
  ROUND_OF (.lost = 0x3f8);
  g_assert_cmpuint (f.target_bps, ==, limits.min_bps);
  /* of none, a kilobit per second, from which probes lead up */
  start_with (rcc_fbra_config (), (RccConfig) { 0, 100000, 2000000 });
  settle ();
  ROUND_OF (.lost = 0x3f8);
  g_assert_cmpfloat (f.rate, ==, 1000.0);
}

/* A source at half its rate that loses a fifth of it: 0.9 (50 - 2 * 10). */
static void
undershoot_goes_by_what_was_sent (void)
{
  start ();
  settle ();
  ROUND_OF (.lost = 2, .used = 0.5);
  ROUND_OF (.lost = 3 << 6, .used = 0.5);
  g_assert_cmpuint (f.target_bps, ==, 27000);
}

static void
deactivation_ignores_the_next_report (void)
{
  start ();
  settle ();
  ROUND_OF (.lost = 3 << 6);
  g_assert_cmpuint (ROUND_OF (.lost = 0x3ff).changed, ==, 0);
  g_assert_cmpuint (f.target_bps, ==, 54000);
  g_assert_cmpuint (f.ignored, ==, 1);
  /* though it comes late, it is the next */
  start ();
  settle ();
  ROUND_OF (.lost = 3 << 6);
  g_assert_cmpuint (ROUND_OF (.lost = 0x3fe, .after = 3 * ROUND).changed, ==, 0);
  g_assert_cmpuint (f.ignored, ==, 1);
}

static void
bounces_back_to_0_9_of_the_goodput_when_calm (void)
{
  start ();
  settle ();
  ROUND_OF (.lost = 3 << 6);
  rounds (2);
  g_assert_cmpstr (f.state_name, ==, "STAY");
  g_assert_cmpuint (f.target_bps, ==, 72000);
  g_assert_cmpuint (f.bounces, ==, 1);
  g_assert_cmpstr (f.reason, ==, "back towards the goodput before the undershoot");
}

static void
never_bounces_above_the_rate_before (void)
{
  start ();
  settle ();
  ROUND_OF (.queue = 10 * MS);
  ROUND_OF (.queue = 10 * MS);
  f.saved_goodput = 500000;             /* a queue that drains shows more than was sent */
  rounds (2);
  g_assert_cmpuint (f.target_bps, ==, 100000);
}

static void
undershoots_again_and_stays_awake_when_not_calm (void)
{
  start ();
  settle ();
  ROUND_OF (.lost = 3 << 6);
  rounds (1);
  ROUND_OF (.lost = 1 << 1);            /* not even recent: calm is no loss at all */
  g_assert_cmpstr (f.state_name, ==, "DOWN");
  /* 0.9 (54 - 2 * 5.4) */
  g_assert_cmpuint (f.target_bps, ==, 38880);
  /* awake: the very next report counts */
  ROUND_OF (.lost = 1 << 1);
  g_assert_cmpuint (f.target_bps, <, 38880);
  g_assert_cmpuint (f.ignored, ==, 1);
  rounds (1);
  g_assert_cmpstr (f.state_name, ==, "STAY");
}

/* config.bounce_kept: the undershoots in between are not what to come back to. */
static void
still_owes_the_bounce_when_not_calm (void)
{
  start ();
  f.config.bounce_kept = true;
  settle ();
  ROUND_OF (.lost = 3 << 6);
  rounds (1);
  for (guint i = 0; i < 2; i++) {
    ROUND_OF (.lost = 1 << 1);
    g_assert_cmpstr (f.state_name, ==, "DOWN");
  }
  g_assert_cmpuint (f.target_bps, <, 38880);
  g_assert_cmpuint (f.bounces, ==, 0);
  rounds (1);
  g_assert_cmpstr (f.state_name, ==, "STAY");
  g_assert_cmpuint (f.target_bps, ==, 72000);
  g_assert_cmpuint (f.bounces, ==, 1);
  /* that is all of it: the next fall has a goodput of its own */
  ROUND_OF (.lost = 3 << 6);
  rounds (2);
  g_assert_cmpuint (f.target_bps, <, 72000);
  g_assert_cmpuint (f.bounces, ==, 2);
}

static void
below_0_9_of_the_peak_probes_at_once (void)
{
  start ();
  settle ();
  ROUND_OF (.lost = 3 << 6);
  rounds (2);
  g_assert_cmpuint (f.target_bps, ==, 72000);
  rounds (1);
  g_assert_cmpstr (f.state_name, ==, "PROBE");
  /* 72 < 0.85 of the initial 100; but the first probe it is */
  g_assert_cmpuint (f.fec_interval, ==, 2);
}

static void
a_source_that_does_not_fill_its_rate_does_not_probe (void)
{
  start ();
  for (guint i = 0; i < 50; i++)
    ROUND_OF (.used = 0.6);
  g_assert_cmpuint (f.probes, ==, 0);
  g_assert_cmpuint (f.target_bps, ==, 100000);
  for (guint i = 0; i < 50; i++)
    ROUND_OF (.used = 0.7);
  g_assert_cmpuint (f.probes, >, 5);
}

static void
delays_of_reports_with_loss_are_not_taken_in (void)
{
  start ();
  rounds (5);
  g_assert_cmpuint (f.owds.n, ==, 5);
  ROUND_OF (.lost = 1);
  ROUND_OF (.late = 1);
  g_assert_cmpuint (f.owds.n, ==, 5);
  rounds (1);
  g_assert_cmpuint (f.owds.n, ==, 6);
  g_assert_cmpuint (f.owd_high, ==, DELAY);
}

static void
later_than_d_max_is_a_discard (void)
{
  start ();
  rounds (1);
  ROUND_OF (.queue = 350 * MS);
  g_assert_cmpuint (f.discards, ==, 0);
  ROUND_OF (.queue = 351 * MS);
  g_assert_cmpuint (f.discards, ==, 10);
  g_assert_cmpstr (f.reason, ==, "discards");
  start ();
  rounds (1);
  ROUND_OF (.late = 1 << 8);
  g_assert_cmpuint (f.discards, ==, 1);
  g_assert_cmpstr (f.reason, ==, "discards");
}

/* Half the path is 5 ms here: 6 ms are 1.2 times as much, or 1.02 with a floor of 50. */
static void
the_floor_keeps_a_short_path_calm (void)
{
  RccFbraConfig config = rcc_fbra_config ();

  config.owd_floor = 0;
  for (guint k = 0; k < 2; k++) {
    start_with (config, limits);
    for (guint i = 0; i < 8; i++) {
      const RccReport report = { .highest_seq = i, .expected = 1, .rtt = 10 * MS };
      const RccPacket p = { .size = 1000, .sent = now,
        .arrived = now + 5 * MS + (i > 5 ? MS : 0) };

      now += ROUND;
      rcc_tell (&f.sender, on_report, &report, now);
      rcc_tell (&f.sender, on_feedback, &p, 1, now);
      rcc_tell (&f.sender, on_rtcp, &rtcp, now);
    }
    if (k == 0)
      g_assert_cmpfloat_with_epsilon (f.corr_high, 1.2, 1e-3);
    else
      g_assert_cmpfloat_with_epsilon (f.corr_high, 56.0 / 55.0, 1e-3);
    config.owd_floor = 50 * MS;
  }
}

static void
parity_least_makes_a_probe_wait (void)
{
  RccFbraConfig config = rcc_fbra_config ();

  config.parity_least = 1;
  start_with (config, limits);
  rounds (2);
  g_assert_cmpstr (f.state_name, ==, "PROBE");
  rounds (3);
  g_assert_cmpstr (f.state_name, ==, "PROBE");
  g_assert_cmpuint (f.fec_interval, ==, 2);
  ROUND_OF (.parity = 1 << 9);
  g_assert_cmpstr (f.state_name, ==, "UP");
  g_assert_cmpuint (f.probes_void, ==, 0);
}

static void
less_parity_while_the_low_ratio_is_high (void)
{
  start ();
  rounds (10);
  for (guint i = 0; f.state != RCC_FBRA_PROBE && i < 10; i++)
    rounds (1);
  g_assert_cmpstr (f.state_name, ==, "PROBE");
  /* most of the window holds 62 ms, two fifths of it 50 */
  rcc_owd_init (&f.owds, 30 * RCC_SEC);
  for (guint i = 0; i < 100; i++)
    rcc_owd_add (&f.owds, i < 45 ? DELAY : 62 * MS, now);
  f.n = 12;
  for (guint n = 13; n < 18; n++) {
    ROUND_OF (.queue = 12 * MS);
    g_assert_cmpstr (f.state_name, ==, "PROBE");
    g_assert_cmpuint (f.fec_interval, ==, MIN (n, 14));
  }
}

static void
the_maximum_holds_and_is_reached (void)
{
  const RccConfig l = { 10000, 100000, 130000 };

  start_with (rcc_fbra_config (), l);
  for (guint i = 0; i < 40; i++) {
    round_of (CLEAN);
    g_assert_cmpuint (f.target_bps, <=, 130000);
    g_assert_cmpuint (f.fec_bps, <=, f.target_bps / 3);
  }
  g_assert_cmpuint (f.target_bps, ==, 130000);
  g_assert_cmpuint (f.fec_interval, ==, 0);
  g_assert_cmpstr (f.reason, ==, "at the maximum");
}

static void
limits_move (void)
{
  const RccConfig crossed = { 800000, 300000, 400000 }, zero = { 0, 0, 0 };
  const RccConfig low = { 10000, 0, 60000 };

  start ();
  rounds (2);
  g_assert_cmpstr (f.state_name, ==, "PROBE");
  g_assert_cmpuint (rcc_tell (&f.sender, on_config, &low, now).target_bps, ==, 60000);
  g_assert_cmpuint (f.fec_interval, ==, 0);
  g_assert_cmpuint (rcc_tell (&f.sender, on_config, &crossed, now).target_bps, ==, 800000);
  g_assert_cmpuint (rcc_tell (&f.sender, on_config, &zero, now).target_bps, ==, 0);
  rcc_tell (&f.sender, on_config, &limits, now);
  g_assert_cmpuint (f.target_bps, ==, limits.min_bps);
}

#define TEST(name, function) g_test_add_func ("/fbra/" name, function)

/* config.by_capacity: a round trip of 100 ms after an increase, and no sooner. */
static void
an_increase_has_its_answer_after_a_round_trip (void)
{
  for (guint i = 0; i < 2; i++) {
    start_with (rcc_fbra_config_plus (), limits);
    rounds (20);
    f.state = RCC_FBRA_STAY;
    f.raised = now + ROUND + 2 * DELAY - (i ? 140 * MS : 60 * MS);
    round_of (CLEAN);
    if (i)
      g_assert_cmpstr (f.reason, !=, "the last increase has no answer yet");
    else
      g_assert_cmpstr (f.reason, ==, "the last increase has no answer yet");
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  TEST ("starts-in-stay-at-the-start", starts_in_stay_at_the_start);
  TEST ("climbs-by-a-probe-in-four-reports", climbs_by_a_probe_in_four_reports);
  TEST ("undershoots-by-twice-the-difference", undershoots_by_twice_the_difference);
  TEST ("undershoots-by-the-factor-alone-where-goodput-is-the-rate",
      undershoots_by_the_factor_alone_where_goodput_is_the_rate);
  TEST ("undershoot-ends-at-the-minimum", undershoot_ends_at_the_minimum);
  TEST ("undershoot-goes-by-what-was-sent", undershoot_goes_by_what_was_sent);
  TEST ("deactivation-ignores-the-next-report", deactivation_ignores_the_next_report);
  TEST ("bounces-back-to-0.9-of-the-goodput-when-calm",
      bounces_back_to_0_9_of_the_goodput_when_calm);
  TEST ("still-owes-the-bounce-when-not-calm", still_owes_the_bounce_when_not_calm);
  TEST ("never-bounces-above-the-rate-before", never_bounces_above_the_rate_before);
  TEST ("undershoots-again-and-stays-awake-when-not-calm",
      undershoots_again_and_stays_awake_when_not_calm);
  TEST ("below-0.9-of-the-peak-probes-at-once", below_0_9_of_the_peak_probes_at_once);
  TEST ("a-source-that-does-not-fill-its-rate-does-not-probe",
      a_source_that_does_not_fill_its_rate_does_not_probe);
  TEST ("delays-of-reports-with-loss-are-not-taken-in",
      delays_of_reports_with_loss_are_not_taken_in);
  TEST ("later-than-d-max-is-a-discard", later_than_d_max_is_a_discard);
  TEST ("the-floor-keeps-a-short-path-calm", the_floor_keeps_a_short_path_calm);
  TEST ("parity-least-makes-a-probe-wait", parity_least_makes_a_probe_wait);
  TEST ("less-parity-while-the-low-ratio-is-high", less_parity_while_the_low_ratio_is_high);
  TEST ("the-maximum-holds-and-is-reached", the_maximum_holds_and_is_reached);
  TEST ("limits-move", limits_move);
  g_test_add_func ("/fbra/an-increase-has-its-answer-after-a-round-trip",
      an_increase_has_its_answer_after_a_round_trip);
  return g_test_run ();
}
