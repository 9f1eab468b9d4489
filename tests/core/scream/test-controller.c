/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/rows.h"

#include <glib.h>

#include "core/scream/scream.h"

static const RccConfig limits = { 100000, 400000, 2000000 };

static void
says_what_the_core_says (void)
{
  RccScreamConfig config;
  RccScream s;
  RccSenderView v;

  rcc_controller_scream.defaults (&config);
  rcc_controller_scream.init (&s.sender, &config, &limits);
  v = rcc_controller_scream.view (&s.sender);
  g_assert_cmpuint (v.target_bps, ==, 400000);
  g_assert_cmpuint (v.pacing_bps, ==, 600000);
  g_assert_true (v.paces);
  g_assert_cmpuint (v.rtt, ==, RCC_NEVER);
  g_assert_cmpuint (v.equation_bps, ==, UINT32_MAX);
  g_assert_cmpstr (v.state, ==, "start");
  s.rtt = 40 * RCC_MSEC;
  g_assert_cmpuint (rcc_controller_scream.view (&s.sender).rtt, ==, 40 * RCC_MSEC);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/scream/controller/says-what-the-core-says", says_what_the_core_says);
  return g_test_run ();
}
