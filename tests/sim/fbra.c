/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <math.h>
#include <stdlib.h>

#include "fbra.h"

#define VARIABLE (900 * RCC_SEC)
#define BESIDE (200 * RCC_SEC)
#define UNDER_WAY (5 * RCC_SEC)         /* 50 packets of 1200 bytes at 100 kbit/s */

FbraRun
fbra_run (const RccWorld *w, guint i)
{
  const RccFlow *f = w->flows[i];
  RccFecMetrics *m = &f->packet_trace->metrics;
  const RccStreamCount *video = &f->sender.delivery.streams[RCC_WORLD_VIDEO];
  const RccTime end = w->duration - UNDER_WAY;
  double tcp = 0.0;

  /* parity is neither offered nor received */
  g_assert_cmpuint (video->sent, <=, video->offered);
  g_assert_cmpuint (video->received, <=, video->sent);

  rcc_packet_trace_close (f->packet_trace, end, end);
  for (guint r = 0; r < w->n_renos; r++)
    tcp += 8e6 * (double) w->renos[r]->delivered * w->renos[r]->config.packet_size
        / (double) w->duration / w->n_renos;
  return (FbraRun) {
    .goodput = m->goodput_bps / 1000, .received = rcc_flow_mean_bps (f, 0, end) / 1000,
    .bad = m->loss_before,
    .lost = 100.0 * (double) m->lost / (double) MAX (m->media_packets, 1),
    .after = m->loss_after, .frames_lost = (double) m->frames_lost,
    .frames_protected = (double) m->frames_protected,
    .frames_recovered = (double) m->frames_recovered,
    .frcc = m->frcc, .ffre = m->ffre,
    .parity = 100.0 * (double) m->parity_bytes
        / (double) MAX (m->parity_bytes + m->media_bytes, 1),
    .p95 = rcc_flow_delay (f, 95, 0, end), .p99 = rcc_flow_delay (f, 99, 0, end),
    .probes = (double) m->probes, .wrong = (double) f->packet_trace->wrong, .tcp = tcp,
  };
}

FbraMean
fbra_mean (const FbraRuns *r, gsize offset)
{
  FbraMean m = { 0.0, 0.0 };

  for (guint i = 0; i < r->n; i++)
    m.mean += G_STRUCT_MEMBER (double, &r->runs[i], offset) / r->n;
  for (guint i = 0; i < r->n; i++)
    m.sd += pow (G_STRUCT_MEMBER (double, &r->runs[i], offset) - m.mean, 2);
  m.sd = r->n > 1 ? sqrt (m.sd / (r->n - 1)) : 0.0;
  return m;
}

FbraRuns
fbra_variable (const RccFlowConfig *c, guint owd_ms, guint seeds)
{
  g_autofree gchar *name = g_strdup_printf ("fbra:%u", owd_ms);
  FbraRuns r = { .n = seeds };

  for (guint s = 0; s < seeds; s++) {
    RccWorld *w = run_world (name, VARIABLE, s + 1, c, 1);

    r.runs[s] = fbra_run (w, 0);
    rcc_world_free (w);
  }
  return r;
}

void
fbra_beside_tcp (const RccFlowConfig *c, guint owd_ms, guint n, guint tcp, guint seeds,
    FbraRuns *out)
{
  g_autofree gchar *text = g_strdup_printf ("0 both delay %u\n0 fwd rate 5M queue 50\n", owd_ms);
  const RccFlowConfig flows[] = { *c, *c };

  for (guint s = 0; s < seeds; s++) {
    RccWorld *w = run_tcp (text, BESIDE, s + 1, flows, n, tcp);

    for (guint i = 0; i < n; i++) {
      out[i].n = seeds;
      out[i].runs[s] = fbra_run (w, i);
    }
    rcc_world_free (w);
  }
}

guint
fbra_seeds (guint least)
{
  const gchar *seeds = g_getenv ("RCC_FBRA_SEEDS");

  return CLAMP (seeds ? (guint) atoi (seeds) : least, 1, FBRA_SEEDS_MAX);
}
