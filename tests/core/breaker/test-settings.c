/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/breaker/config.h"

#include "settings.h"

#define BREAKER_SETTINGS_NAMES \
  "tcp-model, multiplier, reduce-first, require-rtcp, rtcp-min-interval ns, " \
  "bandwidth bit/s, media-usability"

#define BREAKER_RULES_NAMES \
  "mode, media-timeout-reports, ecn-as-loss, frame-group-size, " \
  "hold-below, interval-packet-size, frame-interval ns, " \
  "rtcp-rr-interval ns, rtcp-fraction, unusable-loss, unusable-delay ns, unusable-time ns"

static void
rfc8083_is_in_range (void)
{
  const RccBreakerConfig config = rcc_breaker_config (RCC_BREAKER_RFC8083);

  assert_settings (rcc_breaker_settings, &config, sizeof config, BREAKER_SETTINGS_NAMES);
}

static void
the_rules_is_in_range (void)
{
  const RccBreakerConfig config = rcc_breaker_config (RCC_BREAKER_RFC8083);

  assert_settings (rcc_breaker_rules, &config, sizeof config, BREAKER_RULES_NAMES);
}

static void
the_draft_is_in_range (void)
{
  const RccBreakerConfig config = rcc_breaker_config (RCC_BREAKER_DRAFT2014);

  assert_settings (rcc_breaker_rules, &config, sizeof config, BREAKER_RULES_NAMES);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/breaker-settings/rfc8083", rfc8083_is_in_range);
  g_test_add_func ("/breaker-settings/the-rules", the_rules_is_in_range);
  g_test_add_func ("/breaker-settings/the-draft", the_draft_is_in_range);
  return g_test_run ();
}
