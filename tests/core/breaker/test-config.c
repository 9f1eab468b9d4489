/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <glib.h>
#include <math.h>
#include "core/breaker/config.h"

static void
defaults_are_the_rfcs (void)
{
  const RccBreakerConfig c = rcc_breaker_config (RCC_BREAKER_RFC8083);

  g_assert_cmpfloat (c.multiplier, ==, 10);
  g_assert_cmpint (c.model, ==, RCC_TCP_MATHIS);
  g_assert_cmpuint (c.media_timeout_reports, ==, 5);
  g_assert_cmpuint (c.frame_group, ==, 1);
  g_assert_cmpuint (c.frame_interval, ==, RCC_NEVER);
  g_assert_cmpuint (c.rtcp_min_interval, ==, RCC_NEVER);
  g_assert_cmpfloat (c.rtcp_fraction, ==, 0.05);
  g_assert_true (c.require_rtcp && c.interval_size);
  g_assert_cmpfloat (c.hold_below, ==, 0.5);
  g_assert_false (c.reduce_first || c.together || c.ecn_as_loss || c.usability);
}

static void
the_draft_counts_to_two_and_ce_as_loss (void)
{
  const RccBreakerConfig c = rcc_breaker_config (RCC_BREAKER_DRAFT2014);

  g_assert_cmpint (c.mode, ==, RCC_BREAKER_DRAFT2014);
  g_assert_cmpuint (c.media_timeout_reports, ==, 2);
  g_assert_true (c.ecn_as_loss && !c.interval_size);
  g_assert_cmpfloat (c.hold_below, ==, 0);
}

static void
what_is_fine_stays (void)
{
  RccBreakerConfig c = rcc_breaker_config (RCC_BREAKER_RFC8083), clean;

  c.multiplier = 5;
  c.frame_interval = 33 * RCC_MSEC;
  c.rtcp_min_interval = RCC_SEC;
  c.rr_interval = 4 * RCC_SEC;
  c.rtcp_fraction = 0.01;
  c.unusable_loss = 1;
  c.hold_below = 0.7;
  clean = rcc_breaker_config_clamp (&c);
  g_assert_cmpfloat (clean.multiplier, ==, 5);
  g_assert_cmpuint (clean.frame_interval, ==, 33 * RCC_MSEC);
  g_assert_cmpuint (clean.rtcp_min_interval, ==, RCC_SEC);
  g_assert_cmpuint (clean.rr_interval, ==, 4 * RCC_SEC);
  g_assert_cmpuint (clean.unusable_time, ==, 20 * RCC_SEC);
  g_assert_cmpfloat (clean.rtcp_fraction, ==, 0.01);
  g_assert_cmpfloat (clean.unusable_loss, ==, 1);
  g_assert_cmpfloat (clean.hold_below, ==, 0.7);
}

static void
what_is_absurd_is_brought_into_range (void)
{
  RccBreakerConfig c = rcc_breaker_config (RCC_BREAKER_RFC8083), clean;

  c.multiplier = c.rtcp_fraction = c.unusable_loss = c.hold_below = NAN;
  c.frame_group = c.media_timeout_reports = 0;
  c.rtcp_min_interval = 0;
  c.rr_interval = c.unusable_time = RCC_NEVER;
  c.frame_interval = RCC_NEVER - 1;
  clean = rcc_breaker_config_clamp (&c);
  g_assert_cmpfloat (clean.multiplier, ==, 10);
  g_assert_cmpfloat (clean.rtcp_fraction, ==, 0.05);
  g_assert_cmpfloat (clean.unusable_loss, ==, 0.5);
  g_assert_cmpfloat (clean.hold_below, ==, 0.5);
  g_assert_cmpuint (clean.frame_group, ==, 1);
  g_assert_cmpuint (clean.media_timeout_reports, ==, 1);
  g_assert_cmpuint (clean.rtcp_min_interval, ==, RCC_BREAKER_MIN_INTERVAL);
  g_assert_cmpuint (clean.rr_interval, ==, 3600 * RCC_SEC);
  g_assert_cmpuint (clean.frame_interval, ==, 3600 * RCC_SEC);
  g_assert_cmpuint (clean.unusable_time, ==, 3600 * RCC_SEC);
  c.frame_group = c.media_timeout_reports = UINT_MAX;
  clean = rcc_breaker_config_clamp (&c);
  g_assert_cmpuint (clean.frame_group, ==, 1000000);
  g_assert_cmpuint (clean.media_timeout_reports, ==, 1000);
  c.multiplier = -INFINITY;
  c.rtcp_fraction = INFINITY;
  clean = rcc_breaker_config_clamp (&c);
  g_assert_cmpfloat (clean.multiplier, ==, 1e-3);
  g_assert_cmpfloat (clean.rtcp_fraction, ==, 1);
  c.multiplier = c.rtcp_fraction = c.unusable_loss = -2;        /* a number, if a wrong one */
  clean = rcc_breaker_config_clamp (&c);
  g_assert_cmpfloat (clean.multiplier, ==, 1e-3);
  g_assert_cmpfloat (clean.rtcp_fraction, ==, 1e-6);
  g_assert_cmpfloat (clean.unusable_loss, ==, 0);
}

static void
every_state_and_reason_has_a_name (void)
{
  g_assert_cmpstr (rcc_breaker_state_names[RCC_BREAKER_CLOSED], ==, "closed");
  g_assert_cmpstr (rcc_breaker_state_names[RCC_BREAKER_REDUCED], ==, "reduced");
  g_assert_cmpstr (rcc_breaker_state_names[RCC_BREAKER_OPEN], ==, "open");
  g_assert_cmpstr (rcc_breaker_reason_names[RCC_BREAKER_NO_REASON], ==, "none");
  g_assert_cmpstr (rcc_breaker_reason_names[RCC_BREAKER_RTCP_TIMEOUT], ==, "rtcp-timeout");
  g_assert_cmpstr (rcc_breaker_reason_names[RCC_BREAKER_MEDIA_TIMEOUT], ==, "media-timeout");
  g_assert_cmpstr (rcc_breaker_reason_names[RCC_BREAKER_CONGESTION], ==, "congestion");
  g_assert_cmpstr (rcc_breaker_reason_names[RCC_BREAKER_USABILITY], ==, "usability");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/breaker-config/defaults-are-the-rfcs", defaults_are_the_rfcs);
  g_test_add_func ("/breaker-config/the-draft-counts-to-two-and-ce-as-loss",
      the_draft_counts_to_two_and_ce_as_loss);
  g_test_add_func ("/breaker-config/what-is-fine-stays", what_is_fine_stays);
  g_test_add_func ("/breaker-config/what-is-absurd-is-brought-into-range",
      what_is_absurd_is_brought_into_range);
  g_test_add_func ("/breaker-config/every-state-and-reason-has-a-name",
      every_state_and_reason_has_a_name);
  return g_test_run ();
}
