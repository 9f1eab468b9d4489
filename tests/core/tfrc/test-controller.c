/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/rows.h"

#include <glib.h>
#include <string.h>

#include "core/tfrc/tfrc.h"

static const RccConfig limits = { 100000, 400000, 2000000 };

/* RFC 5348 4.6: the pacer counts every packet for s bytes, that of the configuration. */
static void
counts_packets_for_their_size (void)
{
  RccTfrcConfig config;
  RccTfrc tfrc;
  RccSenderView v;

  memset (&config, 0xa5, sizeof config);
  rcc_controller_tfrc.defaults (&config);
  g_assert_cmpint (config.form, ==, RCC_TFRC_RFC5348);
  g_assert_cmpuint (config.mss, ==, 1200);
  g_assert_true (config.damping && config.discounting);
  g_assert_false (config.faster_restart);
  config.packet_size = 777;
  rcc_controller_tfrc.init (&tfrc.sender, &config, &limits);
  v = rcc_controller_tfrc.view (&tfrc.sender);
  g_assert_cmpuint (v.packet_cost, ==, 777);
  g_assert_true (v.paces);
  g_assert_cmpuint (v.pacing_bps, ==, tfrc.pacing_bps);
  g_assert_cmpuint (v.equation_bps, ==, tfrc.equation_bps);
  g_assert_cmpfloat (v.loss_event_rate, ==, 0);
  tfrc.target_bps = 1001;
  tfrc.pacing_bps = 2003;
  tfrc.equation_bps = 3007;
  tfrc.rtt = 4 * RCC_MSEC;
  tfrc.rate.p = 0.125;
  tfrc.rate.state = "a state";
  tfrc.rate.packet_size = 1199.5;
  v = rcc_controller_tfrc.view (&tfrc.sender);
  g_assert_cmpuint (v.target_bps, ==, 1001);
  g_assert_cmpuint (v.pacing_bps, ==, 2003);
  g_assert_cmpuint (v.equation_bps, ==, 3007);
  g_assert_cmpuint (v.rtt, ==, 4 * RCC_MSEC);
  g_assert_cmpfloat (v.loss_event_rate, ==, 0.125);
  g_assert_cmpstr (v.state, ==, "a state");
  g_assert_cmpstr (v.usage, ==, "");
  g_assert_cmpuint (v.packet_cost, ==, 1200);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/tfrc/controller/counts-packets-for-their-size",
      counts_packets_for_their_size);
  return g_test_run ();
}
