/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <math.h>
#include <stdlib.h>
#include "flows.h"

#define S RCC_SEC

static void
point (const char *text, guint renos, guint rtt, guint q, gboolean tail, RccTfrcForm form, gboolean fr)
{
  static const char *n[] = {"fifo","sbpn1","sbpn2","sbpn3","weig"};
  const guint seeds = getenv("SEEDS") ? atoi (getenv ("SEEDS")) : 5;
  GString *s = g_string_new (NULL);
    for (gint mode = 0; mode <= RCC_SBPN_WEIGHTED; mode++) {
  double au=0, vi=0, p=0, k=0, r=0, dr=0;
  for (guint seed = 1; seed <= seeds; seed++) {
      RccFlowConfig c = rcc_flow_config_sbpn ((RccSbpnMode) mode, q, rtt * RCC_MSEC);
      c.queue.tail_drop = tail; c.tfrc.form = form; c.tfrc.faster_restart = fr;
      RccWorld *w = run_tcp (text, 61 * S, seed, &c, 1, renos);
      RccFlow *f = w->flows[0];
      const RccStreamCount *a = &f->sender.ledger.streams[0], *v = &f->sender.ledger.streams[1];
      au += 100*rcc_stream_on_time (a)/seeds; vi += 100*rcc_stream_on_time(v)/seeds; k+= rcc_flow_mean_bps (f, 3*S, 60*S)/1000/seeds;
      p += f->samples[290].loss_event_rate*100/seeds; r += f->sender.control.tfrc.rtt*1e-6/seeds;
      dr += 100.0*(a->received+v->received-a->on_time-v->on_time)/(a->offered+v->offered)/seeds;
      rcc_world_free (w);
  }
  g_string_append_printf (s, " | %s %5.1f %5.1f %3.0fk p%4.1f r%3.0f d%4.1f", n[mode], au, vi, k, p, r, dr);
    }
  g_test_message ("%s", s->str);
}

static void
try (void)
{
 for (int tail=0; tail<2; tail++) { g_test_message ("LOSS tail %d", tail);
  for (guint loss = 0; loss <= 10; loss += 2) {
      g_autofree gchar *text = g_strdup_printf ("0 both rate unlimited delay 40\n0 fwd loss %u%%\n", loss);
      point (text, 0, 80, 5, tail, RCC_TFRC_RFC3448, FALSE); } }
 for (int tail=0; tail<2; tail++) for (int q = 5; q <=32; q+=27){ g_test_message ("TCP tail %d q %d", tail, q);
  for (guint k = 400; k <= 2000; k += 200) {
      g_autofree gchar *text = g_strdup_printf ("0 both rate %uk delay 40 queue %u\n", k, MAX (10, k*50/8/519));
      point (text, 2, 80, q, tail, RCC_TFRC_RFC3448, FALSE);} }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sbpn/try", try);
  return g_test_run ();
}
