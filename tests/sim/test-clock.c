/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Flows whose ends wake late, stall or receive in clumps: what the network sees, what
 * the ends see, and that a punctual clock changes nothing.
 */
#include "flows.h"

#define S RCC_SEC
#define WIDE "0 both rate 10M delay 50\n"

static void
assert_same (const RccWorld *a, const RccWorld *b)
{
  const RccFlow *f = a->flows[0], *g = b->flows[0];

  g_assert_cmpuint (f->receiver.media_bytes, ==, g->receiver.media_bytes);
  g_assert_cmpmem (f->delays, f->n_delays * sizeof (double), g->delays,
      g->n_delays * sizeof (double));
  g_assert_cmpmem (f->frame_stats.frames, f->frame_stats.n_frames * sizeof (double),
      g->frame_stats.frames, g->frame_stats.n_frames * sizeof (double));
}

/* Some nanoseconds are between them where two things happen in the same one. */
static void
assert_alike (const RccWorld *a, const RccWorld *b)
{
  const RccFlow *f = a->flows[0], *g = b->flows[0];

  g_assert_cmpuint (f->receiver.media_bytes, ==, g->receiver.media_bytes);
  g_assert_cmpuint (f->frame_stats.n_frames, ==, g->frame_stats.n_frames);
  for (gsize i = 0; i < f->frame_stats.n_frames; i++)
    g_assert_cmpfloat_with_epsilon (f->frame_stats.frames[i], g->frame_stats.frames[i], 1e-4);
}

/* With nothing late, the way of late ends is that of punctual ones: datagrams are handed
 * over at each nanosecond.  At 30 frames/s a frame would meet feedback in the same one,
 * and which of them comes first is nobody's promise.  A controller decides by thresholds,
 * which a nanosecond can cross: there the rate is the same within 2 %. */
static void
nothing_late (gconstpointer data)
{
  const RccClockFaults each_ns = { .clump = 1 };
  RccFlowConfig c = rcc_flow_config (RCC_GCC_DEFAULT);
  RccWorld *punctual, *off, *through;

  c.feedback = (RccFeedbackFormat) GPOINTER_TO_INT (data);
  c.breaks = true;
  c.source.fps = 29.97;
  punctual = run_world ("rfc8867-5.1", 100 * S, 1, &c, 1);
  set_clock (&c, &(RccClockFaults) { 0 });
  off = run_world ("rfc8867-5.1", 100 * S, 1, &c, 1);
  set_clock (&c, &each_ns);
  through = run_world ("rfc8867-5.1", 100 * S, 1, &c, 1);
  assert_same (punctual, off);
  g_assert_cmpfloat_with_epsilon ((double) through->flows[0]->receiver.media_bytes
      / (double) punctual->flows[0]->receiver.media_bytes, 1.0, 0.02);
  rcc_world_free (punctual);
  rcc_world_free (through);
  c.adapt = false;
  set_clock (&c, &(RccClockFaults) { 0 });
  punctual = run_world ("rfc8867-5.1", 100 * S, 1, &c, 1);
  set_clock (&c, &each_ns);
  through = run_world ("rfc8867-5.1", 100 * S, 1, &c, 1);
  assert_alike (punctual, through);
  rcc_world_free (punctual);
  rcc_world_free (off);
  rcc_world_free (through);
}

/* Video alone, a packet a frame, over a path of 50 ms that it does not fill. */
static RccWorld *
run_fixed (const RccClockFaults *sender, const RccClockFaults *receiver)
{
  RccFlowConfig c = fixed_flow (100000);

  if (sender)
    c.clock[RCC_END_SENDER] = *sender;
  if (receiver)
    c.clock[RCC_END_RECEIVER] = *receiver;
  return run_text (WIDE, 30 * S, 1, &c, 1);
}

static double
mean (const double *values, gsize n)
{
  double sum = 0;

  g_assert_cmpuint (n, >, 0);
  for (gsize i = 0; i < n; i++)
    sum += values[i];
  return sum / (double) n;
}

static double
largest (const double *values, gsize n)
{
  double most = 0;

  for (gsize i = 0; i < n; i++)
    most = MAX (most, values[i]);
  return most;
}

static double
frame_delay (const RccWorld *w)
{
  return mean (w->flows[0]->frame_stats.frames, w->flows[0]->frame_stats.n_frames);
}

static double
path_delay (const RccWorld *w)
{
  return mean (w->flows[0]->delays, w->flows[0]->n_delays);
}

/* ms, as the sender measures it */
static double
round_trip (const RccWorld *w)
{
  return (double) w->flows[0]->sender.feedback->reports.rtt.min * 1e-6;
}

static void
between (double value, double from, double to)
{
  g_assert_cmpfloat (value, >=, from);
  g_assert_cmpfloat (value, <=, to);
}

/* Each end adds what it is late to the frames that pass through it, and nothing to the
 * network's own delay.  The round trip holds the SR's wait at the receiver and the RR's at
 * the sender.  All of it may be less: an arrival may join a wake-up that is under way. */
static void
late_ends (void)
{
  const RccClockFaults late = clock_faults ("20ms", NULL, NULL);
  RccWorld *none = run_fixed (NULL, NULL), *sender = run_fixed (&late, NULL);
  RccWorld *receiver = run_fixed (NULL, &late), *both = run_fixed (&late, &late);

  g_test_message ("frames %.2f, %.2f, %.2f, %.2f ms", frame_delay (none), frame_delay (sender),
      frame_delay (receiver), frame_delay (both));
  g_test_message ("round trip %.2f, %.2f, %.2f, %.2f ms", round_trip (none),
      round_trip (sender), round_trip (receiver), round_trip (both));
  g_assert_cmpfloat (frame_delay (none), <, 52);
  between (frame_delay (sender), frame_delay (none) + 17, frame_delay (none) + 20);
  between (frame_delay (receiver), frame_delay (none) + 17, frame_delay (none) + 20);
  between (frame_delay (both), frame_delay (none) + 34, frame_delay (none) + 40);
  g_assert_cmpfloat_with_epsilon (path_delay (receiver), path_delay (none), 0.01);
  g_assert_cmpfloat_with_epsilon (path_delay (sender), path_delay (none), 0.01);
  between (round_trip (sender), round_trip (none) + 1, round_trip (none) + 20);
  between (round_trip (receiver), round_trip (none) + 1, round_trip (none) + 20);
  between (round_trip (both), round_trip (none) + 2, round_trip (none) + 40);
  rcc_world_free (none);
  rcc_world_free (sender);
  rcc_world_free (receiver);
  rcc_world_free (both);
}

/* What comes at the beginning of a stall of 300 ms waits for its end. */
static void
stalled_receiver (void)
{
  const RccClockFaults stall = clock_faults (NULL, "300ms/5s", NULL);
  RccWorld *none = run_fixed (NULL, NULL), *w = run_fixed (NULL, &stall);
  const RccFlow *f = w->flows[0];
  guint waited = 0;

  for (gsize i = 0; i < f->frame_stats.n_frames; i++)
    waited += f->frame_stats.frames[i] > 60;
  g_test_message ("longest frame %.1f ms, %u of %" G_GSIZE_FORMAT " waited",
      largest (f->frame_stats.frames, f->frame_stats.n_frames), waited, f->frame_stats.n_frames);
  between (largest (f->frame_stats.frames, f->frame_stats.n_frames), 310, 360);
  g_assert_cmpuint (waited, >=, 6 * 8);         /* of nine frames in each stall */
  g_assert_cmpuint (waited, <=, 6 * 10);
  g_assert_cmpuint (f->receiver.media_bytes, ==, none->flows[0]->receiver.media_bytes);
  g_assert_cmpfloat_with_epsilon (path_delay (w), path_delay (none), 0.01);
  rcc_world_free (none);
  rcc_world_free (w);
}

/* A sender that receives in clumps hears of the path at multiples of 20 ms alone, and
 * sends when it would. */
static void
clumps_at_the_sender (void)
{
  const RccClockFaults clump = clock_faults (NULL, NULL, "20ms");
  RccWorld *none = run_fixed (NULL, NULL), *w = run_fixed (&clump, NULL);
  const RccFrameStats *d = &w->flows[0]->frame_stats;

  g_assert_cmpuint (d->n_reports, >=, 20);
  for (gsize i = 0; i < d->n_reports; i++)
    g_assert_cmpuint (d->reports[i].at % (20 * RCC_MSEC), ==,
        d->reports[0].at % (20 * RCC_MSEC));
  g_assert_cmpfloat_with_epsilon (frame_delay (w), frame_delay (none), 0.01);
  rcc_world_free (none);
  rcc_world_free (w);
}

/* On average a receiver has to wait for half a clump. */
static void
clumps_at_the_receiver (void)
{
  const RccClockFaults clump = clock_faults (NULL, NULL, "20ms");
  RccWorld *none = run_fixed (NULL, NULL), *w = run_fixed (NULL, &clump);
  const double more = frame_delay (w) - frame_delay (none);

  g_test_message ("frames wait %.1f ms", more);
  between (more, 8, 12);
  rcc_world_free (none);
  rcc_world_free (w);
}

/* A flow that ends: what is on its way is read late all the same, and nothing hangs. */
static void
ends_of_a_flow (void)
{
  const RccClockFaults late = clock_faults ("exp:5ms", "300ms/2s", "5ms");
  RccFlowConfig c[2] = { fixed_flow (100000), fixed_flow (100000) };
  RccWorld *w;

  for (guint i = 0; i < 2; i++)
    set_clock (&c[i], &late);
  c[1].direction = RCC_REVERSE;
  c[1].start = 5 * S;
  c[1].stop = 15 * S;
  w = run_text (WIDE, 30 * S, 1, c, 2);
  for (guint i = 0; i < 2; i++) {
    const double seconds = i == 0 ? 30 : 10;
    const double bps = (double) w->flows[i]->receiver.media_bytes * 8 / seconds;

    g_test_message ("flow %u: %.0f bit/s", i, bps);
    between (bps, 95000, 105000);
  }
  rcc_world_free (w);
}

/* RFC 8867 5.1 by a clock as a busy machine has it.  A pacer that loses what a late wake-up
 * did not send comes to 0.5, and drops.  What it costs by the first of them, and why, is
 * test-late.c's. */
static void
rfc8867 (gconstpointer data)
{
  static const struct {
    const gchar *late, *stall, *clump;
  } clocks[] = {
    { "exp:10ms", NULL, NULL }, { "10ms", NULL, NULL }, { NULL, "100ms/5s", NULL },
    { NULL, NULL, "5ms" }, { "exp:10ms", "300ms/5s", "5ms" },
  };
  RccFlowConfig c = rcc_flow_config (RCC_GCC_DEFAULT);

  c.feedback = (RccFeedbackFormat) GPOINTER_TO_INT (data);
  print_head ();
  for (guint i = 0; i < G_N_ELEMENTS (clocks); i++) {
    const RccClockFaults faults = clock_faults (clocks[i].late, clocks[i].stall,
        clocks[i].clump);
    gchar text[RCC_CLOCK_TEXT];
    RccWorld *w, *again;

    set_clock (&c, &faults);
    rcc_clock_text (c.clock, text);
    w = run_world ("rfc8867-5.1", 100 * S, 1, &c, 1);
    again = run_world ("rfc8867-5.1", 100 * S, 1, &c, 1);
    print_phase (w, text, 0, 100 * S);
    assert_same (w, again);
    g_assert_cmpfloat (rcc_world_phase (w, 0, 100 * S).utilisation, >=, 0.85);
    g_assert_cmpfloat (lost_share (w, 0, 100 * S), <=, 0.04);
    g_assert_cmpuint (w->flows[0]->sender.dropped, ==, 0);
    rcc_world_free (w);
    rcc_world_free (again);
  }
}

int
main (int argc, char **argv)
{
  static const RccFeedbackFormat formats[] = { RCC_FEEDBACK_REMB, RCC_FEEDBACK_TWCC,
    RCC_FEEDBACK_CCFB };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    g_autofree gchar *off = g_strdup_printf ("/clock/off/%s", feedback_name (formats[i]));
    g_autofree gchar *late = g_strdup_printf ("/clock/rfc8867/%s", feedback_name (formats[i]));

    g_test_add_data_func (off, GINT_TO_POINTER (formats[i]), nothing_late);
    g_test_add_data_func (late, GINT_TO_POINTER (formats[i]), rfc8867);
  }
  g_test_add_func ("/clock/late", late_ends);
  g_test_add_func ("/clock/stall", stalled_receiver);
  g_test_add_func ("/clock/clump/sender", clumps_at_the_sender);
  g_test_add_func ("/clock/clump/receiver", clumps_at_the_receiver);
  g_test_add_func ("/clock/ends", ends_of_a_flow);
  return g_test_run ();
}
