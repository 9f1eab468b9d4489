/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Goodput is of media, whatever fills probes.  With parity in them, some losses are repaired.
 */
#include "flows.h"

#define S RCC_SEC

static RccFlowConfig
flow (RccFeedbackFormat feedback, gboolean parity)
{
  RccFlowConfig c = rcc_flow_config (RCC_GCC_DEFAULT);

  c.audio = false;
  c.feedback = feedback;
  c.d_max = 400 * RCC_MSEC;
  c.parity_probes = parity;
  return c;
}

/* Padding has the media's SSRC and numbers. */
static void
padding_is_no_media (void)
{
  const RccFlowConfig c = flow (RCC_FEEDBACK_TWCC, FALSE);
  RccWorld *w = run_text ("0 both delay 25ms\n0 fwd rate 2M queue 300ms\n", 60 * S, 1, &c, 1);
  RccFlow *f = w->flows[0];
  const RccFecMetrics *m = &f->packet_trace->metrics;

  rcc_packet_trace_close (f->packet_trace, 60 * S, RCC_NEVER - 1);
  g_test_message ("%" G_GUINT64_FORMAT " B of media, %" G_GUINT64_FORMAT " of padding; %"
      G_GUINT64_FORMAT " traced", f->sender.media_bytes, f->sender.padding_bytes, m->media_bytes);
  g_assert_cmpuint (f->sender.padding_bytes, >, 2000);
  g_assert_cmpuint (m->media_bytes, ==, f->sender.media_bytes);
  g_assert_cmpuint (m->media_packets, ==, f->sender.delivery.streams[RCC_WORLD_VIDEO].sent);
  rcc_world_free (w);
}

/* By each feedback; the rate is what it is with padding, within a tenth. */
static void
some_losses_are_repaired (gconstpointer data)
{
  const RccFeedbackFormat feedback = (RccFeedbackFormat) GPOINTER_TO_INT (data);
  gdouble bps[2];

  for (guint parity = 0; parity < 2; parity++) {
    const RccFlowConfig c = flow (feedback, parity);
    RccWorld *w = run_text ("0 both delay 25ms\n0 fwd rate 1M queue 300ms loss 3%\n", 120 * S, 1,
        &c, 1);
    RccFlow *f = w->flows[0];
    const RccFecMetrics *m = &f->packet_trace->metrics;

    rcc_packet_trace_close (f->packet_trace, 120 * S, 115 * S);
    bps[parity] = m->goodput_bps;
    g_test_message ("%s, %s: %.0f kbit/s, %.2f %% lost, %.2f after repair, %" G_GUINT64_FORMAT
        " of parity, %" G_GUINT64_FORMAT " B of padding", feedback_name (feedback),
        parity ? "parity" : "padding", bps[parity] / 1e3, m->loss_before, m->loss_after,
        f->sender.parity ? f->sender.parity->filled : 0, f->sender.padding_bytes);
    g_assert_cmpuint (f->packet_trace->wrong, ==, 0);
    if (parity) {
      g_assert_cmpuint (f->sender.parity->filled, >, 50);
      g_assert_cmpuint (f->sender.parity->filled, ==, f->sender.parity->packets);
      g_assert_cmpuint (m->recovered, >, 5);
      g_assert_cmpfloat (m->loss_after, <, m->loss_before);
    } else {
      g_assert_cmpfloat (m->loss_after, ==, m->loss_before);
    }
    rcc_world_free (w);
  }
  g_assert_cmpfloat (bps[1], >, .9 * bps[0]);
}

/* As rtpfbrafec probe-for=external in front: what GCC wants more is parity first. */
static void
increases_are_parity_first (void)
{
  RccFlowConfig c = flow (RCC_FEEDBACK_TWCC, FALSE);
  gdouble bps[2];

  for (guint first = 0; first < 2; first++) {
    RccWorld *w;
    RccFlow *f;

    c.parity_first = first;
    w = run_text ("0 both delay 25ms\n0 fwd rate 1M queue 300ms\n", 60 * S, 1, &c, 1);
    f = w->flows[0];
    rcc_packet_trace_close (f->packet_trace, 60 * S, 55 * S);
    bps[first] = f->packet_trace->metrics.goodput_bps;
    g_test_message ("%s: %.0f kbit/s, %" G_GUINT64_FORMAT " packets of parity, %" G_GUINT64_FORMAT
        " B of padding", first ? "parity first" : "as ever", bps[first] / 1e3,
        first ? f->sender.parity->packets : 0, f->sender.padding_bytes);
    g_assert_true (first == (f->sender.padding_bytes == 0));
    g_assert_true (!first || f->sender.parity->packets > 20);
    rcc_world_free (w);
  }
  g_assert_cmpfloat (bps[1], >, .5 * bps[0]);
}

int
main (int argc, char **argv)
{
  static const RccFeedbackFormat formats[] = { RCC_FEEDBACK_TWCC, RCC_FEEDBACK_CCFB,
    RCC_FEEDBACK_REMB };

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/probe-parity/padding-is-no-media", padding_is_no_media);
  g_test_add_func ("/probe-parity/increases-are-parity-first", increases_are_parity_first);
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    g_autofree gchar *name = g_strdup_printf ("/probe-parity/repaired/%s",
        feedback_name (formats[i]));

    g_test_add_data_func (name, GINT_TO_POINTER (formats[i]), some_losses_are_repaired);
  }
  return g_test_run ();
}
