/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * SCReAM v2 in the simulated world.  Bounds come from the draft's constants, and from what the
 * authors' implementation reached over the same links (docs/scream.md).
 */
#include <math.h>

#include "core/scream/scream.h"
#include "flows.h"
#include "sim/options.h"

#define S RCC_SEC
#define STEADY "0 both rate 2M delay 50ms queue 300ms\n0 rev rate unlimited\n"

static RccFlowConfig
flow (guint32 max_bps)
{
  RccFlowConfig c = rcc_flow_config (RCC_GCC_DEFAULT);

  rcc_flow_control (&c, rcc_registry_find ("scream"));
  c.feedback = RCC_FEEDBACK_CCFB;
  c.limits.max_bps = c.source.max_bps = max_bps;
  return c;
}

static const RccScream *
core (const RccWorld *w)
{
  return (const RccScream *) w->flows[0]->sender.control.sender;
}

/* The authors' code has .896 of it, 65 ms at the 95th percentile and .07 % lost.  Ours goes by the
 * draft's text without 4.5: less of it, a longer queue, both by less than half. */
static void
adapts (gconstpointer data)
{
  RccFlowConfig c = flow (1520000);
  RccPhase all;
  RccWorld *w;

  c.feedback = (RccFeedbackFormat) GPOINTER_TO_INT (data);
  w = run_world ("rfc8867-5.1", 100 * S, 1, &c, 1);
  all = rcc_world_phase (w, 0, 100 * S);
  print_head ();
  print_phase (w, feedback_name (c.feedback), 0, 100 * S);
  g_assert_cmpfloat (all.utilisation, >=, 0.75);
  g_assert_cmpfloat (all.queue_p95, <=, 130.0);
  g_assert_cmpfloat (lost_share (w, 0, 100 * S), <=, 0.005);
  rcc_world_free (w);
}

/* The window is asked before each packet: when feedback ends at 20 s, three windows may be in
 * flight, and after each timeout (1 and 3 s later, and the 0.7 of them is undone here) 3000
 * bytes and a packet. */
static void
the_window_holds_packets_back (void)
{
  const RccFlowConfig c = flow (10000000);
  RccWorld *w = run_text (STEADY "20 rev loss 100%\n", 24 * S, 1, &c, 1);
  const RccFlow *f = w->flows[0];
  const RccScream *s = core (w);
  double sent = 0, most;

  for (gsize i = 0; i < f->n_samples; i++)
    if (f->samples[i].time > 20200 * RCC_MSEC)
      sent += 0.2 * f->samples[i].sent_bps / 8;
  g_assert_cmpuint (s->timeouts, ==, 2);
  most = 3.0 * s->window.bytes / pow (0.7, 2) + 2 * (3000 + 1204);
  g_test_message ("%.0f bytes without feedback, of %.0f", sent, most);
  g_assert_cmpfloat (sent, <=, most);
  g_assert_cmpfloat (sent, >, 0);
  g_assert_cmpuint (rcc_scream_in_flight (&s->flight), <=, 3000);
  rcc_world_free (w);
}

/* 3 s without feedback cost no more than a few seconds: half of the rate is back 5 s after. */
static void
it_comes_back_after_silence (void)
{
  const RccFlowConfig c = flow (10000000);
  RccWorld *w = run_text (STEADY "20 rev loss 100%\n23 rev loss 0\n", 40 * S, 1, &c, 1);
  const double before = rcc_world_phase (w, 10 * S, 20 * S).utilisation;
  const double after = rcc_world_phase (w, 28 * S, 38 * S).utilisation;

  g_test_message ("%.3f before, %.3f after", before, after);
  g_assert_cmpfloat (before, >=, 0.6);
  g_assert_cmpfloat (after, >=, 0.5 * before);
  rcc_world_free (w);
}

/* Marks above 1 ms on 5 Mbit/s: the authors' code has .50 of it and 2.2 ms. */
static void
l4s_keeps_the_queue_short (void)
{
  RccFlowConfig c = flow (10000000);
  RccPhase all;
  RccWorld *w;

  c.ecn = RCC_ECN_ECT1;
  g_assert_true (rcc_flow_set (&c, "scream-l4s", "1"));
  w = run_text ("0 both rate 5M delay 50ms queue 300ms\n0 fwd ecn 1ms\n0 rev rate unlimited\n",
      100 * S, 1, &c, 1);
  all = rcc_world_phase (w, 0, 100 * S);
  print_head ();
  print_phase (w, "l4s", 0, 100 * S);
  g_assert_cmpuint (core (w)->ce, >, 0);
  g_assert_cmpuint (core (w)->window.marks, >, 0);
  g_assert_cmpfloat (all.utilisation, >=, 0.4);
  g_assert_cmpfloat (all.queue_p95, <=, 5.0);
  g_assert_cmpfloat (lost_share (w, 0, 100 * S), ==, 0.0);
  rcc_world_free (w);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/scream/5.1/ccfb", GINT_TO_POINTER (RCC_FEEDBACK_CCFB), adapts);
  g_test_add_data_func ("/scream/5.1/twcc", GINT_TO_POINTER (RCC_FEEDBACK_TWCC), adapts);
  g_test_add_func ("/scream/window", the_window_holds_packets_back);
  g_test_add_func ("/scream/silence", it_comes_back_after_silence);
  g_test_add_func ("/scream/l4s", l4s_keeps_the_queue_short);
  return g_test_run ();
}
