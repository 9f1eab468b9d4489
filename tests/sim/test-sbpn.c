/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <math.h>
#include "flows.h"

#define S RCC_SEC

static void
try (void)
{
  for (guint loss = 0; loss <= 10; loss += 2)
    for (gint mode = 0; mode <= RCC_SBPN_WEIGHTED; mode++) {
      RccFlowConfig c = rcc_flow_config_sbpn ((RccSbpnMode) mode, 5, 80 * RCC_MSEC);
      g_autofree gchar *text = g_strdup_printf ("0 both rate unlimited delay 40\n0 fwd loss %u%%\n", loss);
      RccWorld *w = run_text (text, 61 * S, 1, &c, 1);
      RccFlow *f = w->flows[0];
      const RccStreamCount *a = &f->sender.ledger.streams[0], *v = &f->sender.ledger.streams[1];

      g_test_message ("loss %2u%% %-8s audio %.3f (rx %.3f, full %lu exp %lu of %lu) video %.3f (rx %.3f full %lu exp %lu of %lu) kbps %.0f p %.4f rtt %.0f", loss,
          rcc_sbpn_mode_names[mode],
          rcc_stream_on_time (a), rcc_stream_received (a), a->dropped[1], a->dropped[0], a->offered,
          rcc_stream_on_time (v), rcc_stream_received (v), v->dropped[1], v->dropped[0], v->offered,
          rcc_flow_mean_bps (f, 3*S, 60*S)/1000, f->samples[290].loss_event_rate, f->sender.control.tfrc.rtt * 1e-6);
      rcc_world_free (w);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sbpn/try", try);
  return g_test_run ();
}
