/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A receiver that asks for what is missing as often as a browser does: no storm, no gap of
 * our own, and what was lost comes.
 */
#include "flows.h"
#include "sim/options.h"

#define S RCC_SEC
#define MS RCC_MSEC
#define FALL "0 both delay 50ms\n0 fwd rate 1M queue 300ms\n20 fwd rate 500k\n40 fwd rate 1M\n"
#define DEEP_FALL "0 both delay 50ms\n0 fwd rate 2.5M queue 300ms\n20 fwd rate 500k\n"
#define LOSSY "0 both delay 50ms\n0 fwd rate 1M queue 300ms loss 3%\n"

/* --- the receiver's list -------------------------------------------------- */

static void
come (RccNacks *k, guint ssrc, guint8 pt, guint16 seq, guint16 osn, RccTime now)
{
  const RccRtp rtp = { .ssrc = ssrc, .pt = pt, .seq = seq, .header_size = 12 };
  guint8 bytes[14] = { 0 };

  rcc_put16 (bytes + 12, osn);
  rcc_nacks_packet (k, &rtp, (RccBytes) { bytes, sizeof bytes }, now);
}

static void
video (RccNacks *k, guint16 seq, RccTime now)
{
  come (k, 1, RCC_WORLD_PT_VIDEO, seq, 0, now);
}

/* How many numbers it asks for now. */
static guint
asked (RccNacks *k, RccTime now)
{
  const guint64 before = k->requests;

  g_free (rcc_nacks_poll (k, now));
  return (guint) (k->requests - before);
}

static RccNacks
nacks_new (guint times)
{
  const RccNacksConfig config = { .ssrc = 1, .own = 9, .times = times, .interval = 20 * MS };
  RccNacks k;

  rcc_nacks_init (&k, &config);
  return k;
}

static void
a_gap_is_asked_for (void)
{
  RccNacks k = nacks_new (3);

  video (&k, 65534, 0);
  g_assert_cmpuint (rcc_nacks_next (&k), ==, RCC_NEVER);
  video (&k, 2, 10 * MS);               /* 65535, 0 and 1 are missing */
  g_assert_cmpuint (rcc_nacks_next (&k), ==, 10 * MS);
  g_assert_cmpuint (asked (&k, 10 * MS), ==, 3);
  g_assert_cmpuint (asked (&k, 29 * MS), ==, 0);
  video (&k, 0, 29 * MS);               /* was late, not lost */
  g_assert_cmpuint (asked (&k, 30 * MS), ==, 2);
  come (&k, 2, RCC_WORLD_PT_RTX, 7, 65535, 40 * MS);
  come (&k, 2, RCC_WORLD_PT_RTX, 8, 65535, 40 * MS);
  g_assert_cmpuint (k.recovered, ==, 1);
  g_assert_cmpuint (k.unneeded, ==, 1);
  g_assert_cmpuint (asked (&k, 50 * MS), ==, 1);
  g_assert_cmpuint (asked (&k, 1049 * MS), ==, 0);
  g_assert_cmpuint (k.given_up, ==, 0);
  g_assert_cmpuint (asked (&k, 1050 * MS), ==, 0);
  g_assert_cmpuint (k.given_up, ==, 1);
  g_assert_cmpuint (rcc_nacks_next (&k), ==, RCC_NEVER);
}

static void
a_stream_that_begins_anew_is_no_gap_for_ever (void)
{
  RccNacks k = nacks_new (10);

  video (&k, 0, 0);
  video (&k, 20000, 0);
  g_assert_cmpuint (k.n, <=, RCC_NACKS_MISSING);
  g_assert_cmpuint (asked (&k, 0), <=, RCC_NACKS_IN_ONE);
}

/* --- calls ---------------------------------------------------------------- */

typedef struct {
  guint64 lost, again, recovered, given_up, unsent, left_out;
} Repair;

static void
add_repair (Repair *sum, const RccFlow *f)
{
  sum->lost += f->n_losses;
  sum->again += f->sender.path.rtx.packets;
  sum->recovered += f->receiver.nacks->recovered;
  sum->given_up += f->receiver.nacks->given_up;
  sum->unsent += rcc_flow_media (f, 0, RCC_NEVER).unsent;
  sum->left_out += f->sender.gaps;
}

/* Key frames of 40 kB; each number is asked for ten times, 20 ms apart. */
static RccFlowConfig
browser (RccFeedbackFormat feedback, const gchar *late)
{
  RccFlowConfig c = rcc_flow_config (RCC_GCC_DEFAULT);
  char why[RCC_SCENARIO_ERROR];

  c.feedback = feedback;
  g_assert_true (rcc_flow_option (&c, "nack", "10/20", why, sizeof why));
  g_assert_cmpuint (c.nack_times, ==, 10);
  g_assert_cmpuint (c.nack_interval, ==, 20 * MS);
  g_assert_false (rcc_flow_option (&c, "nack", "10", why, sizeof why));
  g_assert_false (rcc_flow_option (&c, "nack", "10/0", why, sizeof why));
  c.source.gop = 100;
  c.source.gop_factor = 1;
  c.source.key_size = 40000;
  if (late) {
    const RccClockFaults faults = clock_faults (late, NULL, NULL);

    set_clock (&c, &faults);
  }
  return c;
}

/* No run sends more than two copies for each packet that the link lost, drops coded media,
 * or leaves out a number.  @fits: all copies fit within their budget, a second of half the
 * target. */
static void
falls (const gchar *name, const gchar *text, const gchar *late, gboolean fits)
{
  static const RccFeedbackFormat formats[] = { RCC_FEEDBACK_REMB, RCC_FEEDBACK_TWCC,
    RCC_FEEDBACK_CCFB };
  Repair sum = { 0 };

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    for (guint seed = 1; seed <= 6; seed++) {
      const RccFlowConfig c = browser (formats[i], late);
      RccWorld *w = run_text (text, 60 * S, seed, &c, 1);
      Repair r = { 0 };

      add_repair (&r, w->flows[0]);
      add_repair (&sum, w->flows[0]);
      g_assert_cmpuint (r.again, <=, 2 * r.lost);
      g_assert_cmpuint (r.unsent, ==, 0);
      g_assert_cmpuint (r.left_out, ==, 0);
      rcc_world_free (w);
    }
  }
  g_test_message ("%s, %s: %" G_GUINT64_FORMAT " lost on the link, %" G_GUINT64_FORMAT " sent "
      "again, %" G_GUINT64_FORMAT " recovered, %" G_GUINT64_FORMAT " given up", name,
      late ? "late" : "punctual", sum.lost, sum.again, sum.recovered, sum.given_up);
  g_assert_cmpuint (sum.lost, >=, 20);
  g_assert_cmpuint (sum.recovered, >, sum.lost / 2);
  if (fits)
    g_assert_cmpuint (50 * sum.given_up, <=, sum.recovered);
}

static void
no_storm_at_a_fall (void)
{
  falls ("1 Mbit/s, 500 kbit/s, 1 Mbit/s", FALL, NULL, TRUE);
  falls ("1 Mbit/s, 500 kbit/s, 1 Mbit/s", FALL, "exp:10ms", TRUE);
}

static void
no_storm_at_a_deep_fall (void)
{
  falls ("2.5 Mbit/s, 500 kbit/s", DEEP_FALL, NULL, FALSE);
  falls ("2.5 Mbit/s, 500 kbit/s", DEEP_FALL, "exp:10ms", FALSE);
}

/* What is lost at random comes, and what is sent again counts within the target. */
static void
random_loss_is_repaired (void)
{
  RccFlowConfig c = browser (RCC_FEEDBACK_TWCC, NULL);
  Repair r = { 0 };
  RccWorld *w;
  RccPhase p;

  c.nack_interval = 100 * MS;
  w = run_text (LOSSY, 60 * S, 1, &c, 1);
  p = rcc_world_phase (w, 10 * S, 60 * S);
  add_repair (&r, w->flows[0]);
  g_test_message ("3 %% at random: %" G_GUINT64_FORMAT " lost, %" G_GUINT64_FORMAT " sent again, %"
      G_GUINT64_FORMAT " recovered, %" G_GUINT64_FORMAT " given up; queue p95 %.0f ms", r.lost,
      r.again, r.recovered, r.given_up, p.queue_p95);
  g_assert_cmpuint (r.lost, >=, 50);
  g_assert_cmpuint (r.again, <=, 2 * r.lost);
  g_assert_cmpuint (50 * r.given_up, <=, r.recovered);
  g_assert_cmpuint (r.unsent, ==, 0);
  g_assert_cmpuint (r.left_out, ==, 0);
  rcc_world_free (w);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/nacks/a-gap-is-asked-for", a_gap_is_asked_for);
  g_test_add_func ("/nacks/a-stream-that-begins-anew", a_stream_that_begins_anew_is_no_gap_for_ever);
  g_test_add_func ("/nacks/no-storm-at-a-fall", no_storm_at_a_fall);
  g_test_add_func ("/nacks/no-storm-at-a-deep-fall", no_storm_at_a_deep_fall);
  g_test_add_func ("/nacks/random-loss-is-repaired", random_loss_is_repaired);
  return g_test_run ();
}
