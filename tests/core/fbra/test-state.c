/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <glib.h>
#include "core/fbra/state.h"

#define CLEAN .corr_low = 1.0, .corr_high = 1.0

static void
expect (RccFbraState from, RccFbraCues cues, RccFbraState to, gboolean undershoot,
    gboolean deactivate, RccFbraFecStep fec)
{
  const RccFbraConfig config = rcc_fbra_config ();
  const RccFbraStep step = rcc_fbra_step (&config, from, &cues);

  g_assert_cmpstr (rcc_fbra_state_name (step.state), ==, rcc_fbra_state_name (to));
  g_assert_cmpint (step.undershoot, ==, undershoot);
  g_assert_cmpint (step.deactivate, ==, deactivate);
  g_assert_cmpint (step.fec, ==, fec);
  g_assert_nonnull (step.reason);
  g_assert_cmpstr (step.reason, !=, "");
}

#define OFF RCC_FBRA_FEC_OFF
#define EXPECT_DOWN(from, ...) \
  expect (from, (RccFbraCues) { __VA_ARGS__ }, RCC_FBRA_DOWN, TRUE, TRUE, OFF)
#define EXPECT_STAY(from, ...) \
  expect (from, (RccFbraCues) { __VA_ARGS__ }, RCC_FBRA_STAY, FALSE, FALSE, OFF)

/* 1a */
static void
down_with_losses_undershoots_and_stays_awake (void)
{
  expect (RCC_FBRA_DOWN, (RccFbraCues) { CLEAN, .losses = 1 }, RCC_FBRA_DOWN, TRUE, FALSE,
      OFF);
  expect (RCC_FBRA_DOWN, (RccFbraCues) { CLEAN, .losses = 1, .discards = 3 },
      RCC_FBRA_DOWN, TRUE, FALSE, OFF);
}

static void
down_with_discards_undershoots_and_stays_awake (void)
{
  expect (RCC_FBRA_DOWN, (RccFbraCues) { CLEAN, .discards = 1 }, RCC_FBRA_DOWN, TRUE,
      FALSE, OFF);
}

static void
down_with_delay_over_2_0_undershoots_and_sleeps (void)
{
  EXPECT_DOWN (RCC_FBRA_DOWN, .corr_low = 3.0, .corr_high = 2.01);
}

static void
down_with_delay_up_to_2_0_stays (void)
{
  EXPECT_STAY (RCC_FBRA_DOWN, .corr_low = 3.0, .corr_high = 2.0);
  EXPECT_STAY (RCC_FBRA_DOWN, CLEAN);
}

/* 1b */
static void
stay_with_recent_losses_goes_down (void)
{
  EXPECT_DOWN (RCC_FBRA_STAY, CLEAN, .losses = 1, .recent_losses = 1);
}

static void
stay_with_early_losses_stays (void)
{
  EXPECT_STAY (RCC_FBRA_STAY, CLEAN, .losses = 5);
  /* whatever else there is: the listing looks at losses first */
  EXPECT_STAY (RCC_FBRA_STAY, .losses = 5, .discards = 5, .recent_discards = 5,
      .corr_high = 9.0, .high_before = true);
}

static void
stay_with_recent_discards_goes_down (void)
{
  EXPECT_DOWN (RCC_FBRA_STAY, CLEAN, .discards = 1, .recent_discards = 1);
}

static void
stay_with_early_discards_probes (void)
{
  expect (RCC_FBRA_STAY, (RccFbraCues) { CLEAN, .discards = 2 }, RCC_FBRA_PROBE, FALSE,
      FALSE, RCC_FBRA_FEC_ON);
}

static void
stay_with_delay_over_1_1_stays (void)
{
  EXPECT_STAY (RCC_FBRA_STAY, .corr_low = 1.2, .corr_high = 1.11);
}

static void
stay_with_delay_over_1_1_again_goes_down (void)
{
  EXPECT_DOWN (RCC_FBRA_STAY, .corr_low = 1.2, .corr_high = 1.11, .high_before = true);
}

static void
stay_with_delay_back_to_1_1_probes (void)
{
  expect (RCC_FBRA_STAY, (RccFbraCues) { .corr_low = 1.2, .corr_high = 1.1,
        .high_before = true }, RCC_FBRA_PROBE, FALSE, FALSE, RCC_FBRA_FEC_ON);
}

static void
stay_on_hold_stays (void)
{
  EXPECT_STAY (RCC_FBRA_STAY, CLEAN, .hold = "for a reason");
}

static void
stay_with_an_alarm_goes_down_at_once (void)
{
  EXPECT_DOWN (RCC_FBRA_STAY, .corr_low = 1.5, .corr_high = 1.5, .alarm = TRUE);
  EXPECT_STAY (RCC_FBRA_STAY, .corr_low = 1.5, .corr_high = 1.5);
}

/* 1c */
static void
probe_with_recent_losses_goes_down (void)
{
  EXPECT_DOWN (RCC_FBRA_PROBE, CLEAN, .losses = 1, .recent_losses = 1);
}

static void
probe_with_recent_discards_goes_down (void)
{
  EXPECT_DOWN (RCC_FBRA_PROBE, CLEAN, .discards = 1, .recent_discards = 1);
}

static void
probe_with_early_losses_or_discards_stays (void)
{
  EXPECT_STAY (RCC_FBRA_PROBE, CLEAN, .losses = 1);
  EXPECT_STAY (RCC_FBRA_PROBE, CLEAN, .discards = 1);
  EXPECT_STAY (RCC_FBRA_PROBE, .losses = 1, .corr_high = 9.0);
}

static void
probe_with_delay_over_1_6_goes_down (void)
{
  EXPECT_DOWN (RCC_FBRA_PROBE, .corr_low = 2.0, .corr_high = 1.61);
}

static void
probe_with_delay_over_1_1_stays (void)
{
  EXPECT_STAY (RCC_FBRA_PROBE, .corr_low = 2.0, .corr_high = 1.6);
  EXPECT_STAY (RCC_FBRA_PROBE, .corr_low = 2.0, .corr_high = 1.11);
}

static void
probe_with_low_delay_ratio_over_1_2_probes_with_less (void)
{
  expect (RCC_FBRA_PROBE, (RccFbraCues) { .corr_low = 1.21, .corr_high = 1.1 },
      RCC_FBRA_PROBE, FALSE, FALSE, RCC_FBRA_FEC_LESS);
}

static void
probe_with_nothing_goes_up (void)
{
  expect (RCC_FBRA_PROBE, (RccFbraCues) { .corr_low = 1.2, .corr_high = 1.1 },
      RCC_FBRA_UP, FALSE, FALSE, RCC_FBRA_FEC_SWAP);
}

static void
probe_unproved_goes_on (void)
{
  expect (RCC_FBRA_PROBE, (RccFbraCues) { CLEAN, .unproved = true }, RCC_FBRA_PROBE,
      FALSE, FALSE, RCC_FBRA_FEC_KEEP);
}

/* 1d */
static void
up_with_recent_losses_goes_down (void)
{
  EXPECT_DOWN (RCC_FBRA_UP, CLEAN, .losses = 1, .recent_losses = 1);
}

static void
up_with_early_losses_stays (void)
{
  EXPECT_STAY (RCC_FBRA_UP, CLEAN, .losses = 1);
}

/* Any discard here, not the recent ones alone. */
static void
up_with_discards_goes_down (void)
{
  EXPECT_DOWN (RCC_FBRA_UP, CLEAN, .discards = 1);
}

static void
up_with_delay_over_1_4_goes_down (void)
{
  EXPECT_DOWN (RCC_FBRA_UP, .corr_low = 1.0, .corr_high = 1.41);
}

static void
up_with_delay_up_to_1_4_stays (void)
{
  EXPECT_STAY (RCC_FBRA_UP, .corr_low = 9.0, .corr_high = 1.4);
}

/* 4.4 */
static void
calm_is_no_loss_no_discard_and_delay_up_to_2_0 (void)
{
  const RccFbraConfig config = rcc_fbra_config ();

  g_assert_true (rcc_fbra_calm (&config, &(RccFbraCues) { .corr_high = 2.0 }));
  g_assert_false (rcc_fbra_calm (&config, &(RccFbraCues) { .corr_high = 2.01 }));
  g_assert_false (rcc_fbra_calm (&config, &(RccFbraCues) { CLEAN, .losses = 1 }));
  g_assert_false (rcc_fbra_calm (&config, &(RccFbraCues) { CLEAN, .discards = 1 }));
}

/* Every threshold is the configuration's: with each raised out of reach, or put at 1,
 * the branch it guards closes or opens. */
static void
thresholds_are_fields (void)
{
  RccFbraConfig c = rcc_fbra_config ();
  const RccFbraCues high = { .corr_low = 1.3, .corr_high = 1.05 };

  g_assert_cmpint (rcc_fbra_step (&c, RCC_FBRA_STAY, &high).state, ==, RCC_FBRA_PROBE);
  c.alpha_stay = 1.0;
  g_assert_cmpint (rcc_fbra_step (&c, RCC_FBRA_STAY, &high).state, ==, RCC_FBRA_STAY);
  c.alpha_down_probe = 1.0;
  g_assert_cmpint (rcc_fbra_step (&c, RCC_FBRA_PROBE, &high).state, ==, RCC_FBRA_DOWN);
  c.alpha_down_probe = c.alpha_stay = 1.1;
  g_assert_cmpint (rcc_fbra_step (&c, RCC_FBRA_PROBE, &high).fec, ==, RCC_FBRA_FEC_LESS);
  c.beta = 1.3;
  g_assert_cmpint (rcc_fbra_step (&c, RCC_FBRA_PROBE, &high).state, ==, RCC_FBRA_UP);
  c.alpha_down_up = 1.0;
  g_assert_cmpint (rcc_fbra_step (&c, RCC_FBRA_UP, &high).state, ==, RCC_FBRA_DOWN);
  c.alpha_undershoot = 1.0;
  g_assert_true (rcc_fbra_step (&c, RCC_FBRA_DOWN, &high).deactivate);
}

#define TEST(name, f) g_test_add_func ("/fbra-state/" name, f)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  TEST ("down-with-losses-undershoots-and-stays-awake",
      down_with_losses_undershoots_and_stays_awake);
  TEST ("down-with-discards-undershoots-and-stays-awake",
      down_with_discards_undershoots_and_stays_awake);
  TEST ("down-with-delay-over-2.0-undershoots-and-sleeps",
      down_with_delay_over_2_0_undershoots_and_sleeps);
  TEST ("down-with-delay-up-to-2.0-stays", down_with_delay_up_to_2_0_stays);
  TEST ("stay-with-recent-losses-goes-down", stay_with_recent_losses_goes_down);
  TEST ("stay-with-an-alarm-goes-down-at-once", stay_with_an_alarm_goes_down_at_once);
  TEST ("stay-with-early-losses-stays", stay_with_early_losses_stays);
  TEST ("stay-with-recent-discards-goes-down", stay_with_recent_discards_goes_down);
  TEST ("stay-with-early-discards-probes", stay_with_early_discards_probes);
  TEST ("stay-with-delay-over-1.1-stays", stay_with_delay_over_1_1_stays);
  TEST ("stay-with-delay-over-1.1-again-goes-down",
      stay_with_delay_over_1_1_again_goes_down);
  TEST ("stay-with-delay-back-to-1.1-probes", stay_with_delay_back_to_1_1_probes);
  TEST ("stay-on-hold-stays", stay_on_hold_stays);
  TEST ("probe-with-recent-losses-goes-down", probe_with_recent_losses_goes_down);
  TEST ("probe-with-recent-discards-goes-down", probe_with_recent_discards_goes_down);
  TEST ("probe-with-early-losses-or-discards-stays",
      probe_with_early_losses_or_discards_stays);
  TEST ("probe-with-delay-over-1.6-goes-down", probe_with_delay_over_1_6_goes_down);
  TEST ("probe-with-delay-over-1.1-stays", probe_with_delay_over_1_1_stays);
  TEST ("probe-with-low-delay-ratio-over-1.2-probes-with-less",
      probe_with_low_delay_ratio_over_1_2_probes_with_less);
  TEST ("probe-with-nothing-goes-up", probe_with_nothing_goes_up);
  TEST ("probe-unproved-goes-on", probe_unproved_goes_on);
  TEST ("up-with-recent-losses-goes-down", up_with_recent_losses_goes_down);
  TEST ("up-with-early-losses-stays", up_with_early_losses_stays);
  TEST ("up-with-discards-goes-down", up_with_discards_goes_down);
  TEST ("up-with-delay-over-1.4-goes-down", up_with_delay_over_1_4_goes_down);
  TEST ("up-with-delay-up-to-1.4-stays", up_with_delay_up_to_1_4_stays);
  TEST ("calm-is-no-loss-no-discard-and-delay-up-to-2.0",
      calm_is_no_loss_no_discard_and_delay_up_to_2_0);
  TEST ("thresholds-are-fields", thresholds_are_fields);
  return g_test_run ();
}
