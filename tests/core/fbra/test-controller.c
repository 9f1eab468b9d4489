/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/rows.h"

#include <glib.h>

#include "core/fbra/cnadu.h"
#include "core/fbra/fbra.h"

static const RccConfig limits = { 100000, 400000, 2000000 };

static void
views_what_was_configured (void)
{
  RccFbraConfig config;
  RccFbra fbra;
  RccSenderView v;

  rcc_controller_fbra.defaults (&config);
  config.alpha_stay = 1.25;
  rcc_controller_fbra.init (&fbra.sender, &config, &limits);
  v = rcc_controller_fbra.view (&fbra.sender);
  g_assert_cmpfloat (v.threshold, ==, 1.25);
  g_assert_cmpuint (v.fec_state, ==, fbra.state);
  g_assert_cmpuint (v.fec_bps, ==, fbra.fec_bps);
  g_assert_cmpstr (v.state, ==, "STAY");
  g_assert_cmpstr (v.usage, ==, "start");
  g_assert_cmpfloat (v.trend, ==, 1);
  g_assert_cmpuint (v.target_bps, ==, 400000);
  g_assert_cmpuint (v.pacing_bps, ==, 800000);
  g_assert_cmpuint (v.burst, ==, 5 * RCC_MSEC);
  g_assert_cmpuint (v.rtt, ==, RCC_NEVER);
  g_assert_cmpuint (v.equation_bps, ==, UINT32_MAX);
  g_assert_true (rcc_controller_fbra.parity);
}

/* What the core is at now, whatever that is: each figure is its own. */
static void
views_what_is (void)
{
  RccFbraConfig config;
  RccFbra fbra;
  RccSenderView v;

  rcc_controller_fbra.defaults (&config);
  rcc_controller_fbra.init (&fbra.sender, &config, &limits);
  fbra.target_bps = 1001;
  fbra.fec_bps = 102;
  fbra.fec_interval = 13;
  fbra.state = RCC_FBRA_PROBE;
  fbra.state_name = "a state";
  fbra.reason = "a reason";
  fbra.corr_high = 1.75;
  v = rcc_controller_fbra.view (&fbra.sender);
  g_assert_cmpuint (v.target_bps, ==, 1001);
  g_assert_cmpuint (v.pacing_bps, ==, 2002);
  g_assert_cmpuint (v.fec_bps, ==, 102);
  g_assert_cmpuint (v.fec_interval, ==, 13);
  g_assert_cmpint (v.fec_state, ==, RCC_FBRA_PROBE);
  g_assert_cmpstr (v.state, ==, "a state");
  g_assert_cmpstr (v.usage, ==, "a reason");
  g_assert_cmpfloat (v.trend, ==, 1.75);
}

/* Neither paces: what a pacer would get is twice the target, and never less than it. */
static void
neither_paces (void)
{
  const RccConfig wide = { 100000, UINT32_MAX - 1, UINT32_MAX };
  RccCnaduConfig config;
  RccCnadu cnadu;
  RccSenderView v;

  rcc_controller_cnadu.defaults (&config);
  rcc_controller_cnadu.init (&cnadu.sender, &config, &limits);
  v = rcc_controller_cnadu.view (&cnadu.sender);
  g_assert_false (v.paces);
  g_assert_cmpuint (v.pacing_bps, ==, 800000);
  g_assert_cmpuint (v.target_bps, ==, 400000);
  g_assert_cmpuint (v.equation_bps, ==, UINT32_MAX);
  g_assert_cmpuint (v.rtt, ==, RCC_NEVER);
  g_assert_cmpuint (v.burst, ==, 5 * RCC_MSEC);
  g_assert_cmpstr (v.state, ==, "");
  g_assert_cmpstr (v.usage, ==, "start");
  g_assert_false (rcc_controller_cnadu.parity);

  rcc_controller_cnadu.init (&cnadu.sender, &config, &wide);
  v = rcc_controller_cnadu.view (&cnadu.sender);
  g_assert_cmpuint (v.pacing_bps, ==, UINT32_MAX);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/fbra/controller/views-what-was-configured", views_what_was_configured);
  g_test_add_func ("/core/fbra/controller/views-what-is", views_what_is);
  g_test_add_func ("/core/fbra/controller/neither-paces", neither_paces);
  return g_test_run ();
}
