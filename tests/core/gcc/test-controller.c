/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/rows.h"

#include <glib.h>

#include "core/gcc/sender.h"

static const RccConfig limits = { 100000, 400000, 2000000 };

/* The view is the core's own state, and its send path is the configuration's. */
static void
views_what_was_configured (void)
{
  RccGccSender gcc, rrtcc;
  RccGccConfig config;
  RccSenderView v;

  rcc_controller_gcc.defaults (&config);
  config.backlog_over = 700 * RCC_MSEC;
  config.queue_drain = 3 * RCC_SEC;
  rcc_controller_gcc.init (&gcc.sender, &config, &limits);
  v = rcc_controller_gcc.view (&gcc.sender);
  g_assert_cmpint (v.backlog_over, ==, 700 * RCC_MSEC);
  g_assert_cmpint (v.drain, ==, 3 * RCC_SEC);
  g_assert_true (v.paces);
  g_assert_cmpuint (v.pacing_bps, ==, gcc.pacing_bps);
  g_assert_cmpfloat (v.threshold, >, 0);

  gcc.target_bps = 1001;
  gcc.pacing_bps = 2003;
  gcc.config.backlog_from = 4 * RCC_SEC;
  gcc.config.burst = 6 * RCC_MSEC;
  gcc.delay.trend = 7.5;
  gcc.delay.threshold = 8.5;
  gcc.delay.state = "a state";
  gcc.delay.usage = "a usage";
  v = rcc_controller_gcc.view (&gcc.sender);
  g_assert_cmpuint (v.target_bps, ==, 1001);
  g_assert_cmpuint (v.pacing_bps, ==, 2003);
  g_assert_cmpuint (v.backlog_from, ==, 4 * RCC_SEC);
  g_assert_cmpuint (v.burst, ==, 6 * RCC_MSEC);
  g_assert_cmpfloat (v.trend, ==, 7.5);
  g_assert_cmpfloat (v.threshold, ==, 8.5);
  g_assert_cmpstr (v.state, ==, "a state");
  g_assert_cmpstr (v.usage, ==, "a usage");
  g_assert_cmpuint (v.rtt, ==, RCC_NEVER);
  g_assert_cmpuint (v.equation_bps, ==, UINT32_MAX);

  rcc_controller_rrtcc.defaults (&config);
  rcc_controller_rrtcc.init (&rrtcc.sender, &config, &limits);
  g_assert_cmpint (rcc_controller_rrtcc.view (&rrtcc.sender).burst, ==, RCC_MSEC);
}

/* REMB comes first: without transport-wide feedback nothing else is sure to be there. */
static void
names_its_feedback (void)
{
  g_assert_cmpstr (rcc_controller_gcc.feedbacks[0], ==, "remb");
  g_assert_cmpstr (rcc_controller_rrtcc.feedbacks[0], ==, "tmmbr");
  g_assert_true (rcc_controller_gcc.estimates_at_receiver);
  g_assert_false (rcc_controller_gcc.parity);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/gcc/controller/views-what-was-configured", views_what_was_configured);
  g_test_add_func ("/core/gcc/controller/names-its-feedback", names_its_feedback);
  return g_test_run ();
}
