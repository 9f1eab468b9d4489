/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/rows.h"

#include <glib.h>

#include "core/nada/nada.h"

static const RccConfig limits = { 100000, 400000, 2000000 };

/* RFC 8698 5.2: r_vin for the encoder, r_send for the pacer. */
static void
paces_at_the_sending_rate (void)
{
  const RccBacklog waits = { .bytes = 500 };    /* 0.1 * 8 * 500 * 30 = 12 kbit/s */
  RccNadaConfig config;
  RccNada nada;
  RccSenderView v;

  rcc_controller_nada.defaults (&config);
  rcc_controller_nada.init (&nada.sender, &config, &limits);
  nada.sender.backlog = &waits;
  rcc_tell (&nada.sender, on_config, &limits, RCC_SEC);
  v = rcc_controller_nada.view (&nada.sender);
  g_assert_true (v.paces);
  g_assert_cmpuint (v.target_bps, ==, 388000);
  g_assert_cmpuint (v.pacing_bps, ==, 412000);
  g_assert_cmpuint (v.equation_bps, ==, UINT32_MAX);
  g_assert_cmpstr (v.state, ==, "start");
  g_assert_cmpuint (v.rtt, ==, RCC_NEVER);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/nada/controller/paces-at-the-sending-rate", paces_at_the_sending_rate);
  return g_test_run ();
}
