/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/tfrc/controller.h"

#include <glib.h>

#include "core/tfrc/tfrc.h"

static const RccConfig limits = { 100000, 400000, 2000000 };

/* RFC 5348 4.6: the pacer counts every packet for s bytes, that of the configuration. */
static void
counts_packets_for_their_size (void)
{
  RccTfrcConfig config;
  RccTfrc tfrc;
  RccSenderView v;

  rcc_controller_tfrc.defaults (&config);
  config.packet_size = 777;
  rcc_controller_tfrc.init (&tfrc.sender, &config, &limits);
  v = rcc_controller_tfrc.view (&tfrc.sender);
  g_assert_cmpuint (v.packet_cost, ==, 777);
  g_assert_true (v.paces);
  g_assert_cmpuint (v.pacing_bps, ==, tfrc.pacing_bps);
  g_assert_cmpuint (v.equation_bps, ==, tfrc.equation_bps);
  g_assert_cmpfloat (v.loss_event_rate, ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/tfrc/controller/counts-packets-for-their-size",
      counts_packets_for_their_size);
  return g_test_run ();
}
