/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What one forged RTCP message does to a call, and what a stream of them does: message by
 * what the forger knows by kind of call.  `--verbose' prints it, `-m thorough' tries the forger
 * who sees everything, too, and every stream.
 */
#include <math.h>

#include "flows.h"
#include "sim/options.h"

#define S RCC_SEC
#define ROOMY "0 both delay 50ms\n0 fwd rate 2M queue 300ms\n"
#define AT 20                           /* s: the call is as fast as it may be */
#define DURATION 40
#define STREAMS 3                       /* seeds 1 to 3 */
#define GONE 2                          /* s after which it must be as if it had not been */

typedef struct {
  const gchar *name, *options[6];       /* of the flow: name, value, ... */
} Call;

static const Call calls[] = {
  { "gcc-remb", { "feedback", "remb" } },
  { "gcc-twcc", { "feedback", "twcc" } },
  { "gcc-ccfb", { "feedback", "ccfb" } },
  { "gcc-remb-apart", { "feedback", "remb", "feedback-apart", "1" } },
  { "gcc-twcc-apart", { "feedback", "twcc", "feedback-apart", "1" } },
  { "gcc-remb-5s", { "feedback", "remb", "real-rtcp", "1", "rtcp-interval", "5" } },
  { "gcc-twcc-5s", { "feedback", "twcc", "real-rtcp", "1", "rtcp-interval", "5" } },
  { "gcc-ccfb-5s", { "feedback", "ccfb", "real-rtcp", "1", "rtcp-interval", "5" } },
  { "tfrc-ccfb", { "cc", "tfrc", "feedback", "ccfb" } },
  { "fbra-xr", { "cc", "fbra" } },
  { "cnadu-xr", { "cc", "cnadu" } },
};

typedef struct {
  gdouble moved;                        /* of the target without it: the most, within GONE */
  gdouble left;                         /* ... and after that */
  gdouble delivered;                    /* of the media without it, to the end */
} Harm;

static RccFlowConfig
flow_of (const Call *call)
{
  RccFlowConfig c = rcc_flow_config (RCC_GCC_DEFAULT);
  gchar why[RCC_SCENARIO_ERROR];

  for (guint i = 0; i + 1 < G_N_ELEMENTS (call->options) && call->options[i]; i += 2)
    if (!rcc_flow_option (&c, call->options[i], call->options[i + 1], why, sizeof why))
      g_error ("%s", why);
  rcc_flow_option (&c, "max", "1500k", why, sizeof why);
  return c;
}

static RccWorld *
run_call (const Call *call, const gchar *forge, guint seed)
{
  RccFlowConfig c = flow_of (call);
  gchar why[RCC_SCENARIO_ERROR];

  if (forge && !rcc_flow_option (&c, "forge", forge, why, sizeof why))
    g_error ("%s", why);
  return run_text (ROOMY, DURATION * S, seed, &c, 1);
}

static guint64
received (const RccWorld *w)
{
  return w->flows[0]->receiver.media_bytes;
}

static Harm
harm (const RccWorld *without, const RccWorld *with, gdouble at)
{
  const RccFlow *a = without->flows[0], *b = with->flows[0];
  Harm h = { .delivered = (gdouble) received (with) / received (without) };

  for (gsize i = 0; i < MIN (a->n_samples, b->n_samples); i++) {
    const gdouble since = a->samples[i].time / 1e9 - at;
    const gdouble moved = fabs ((gdouble) b->samples[i].target_bps / a->samples[i].target_bps - 1);

    if (since >= 0 && since < GONE)
      h.moved = MAX (h.moved, moved);
    else if (since >= GONE)
      h.left = MAX (h.left, moved);
  }
  return h;
}

/* The issue is who is no receiver: what he can do who sees every packet, the receiver's SSRC
 * included, is printed, and only SRTCP keeps it out. */
static const gdouble moved_most[] = { 0, .05, .15, INFINITY };

static void
one_message (gconstpointer data)
{
  const Call *call = data;
  const gint most = g_test_thorough () ? RCC_KNOWS_ALL : RCC_KNOWS_NUMBERS;
  RccWorld *without = run_call (call, NULL, 1);

  for (gint k = 0; k <= most; k++)
    for (gint m = 0; rcc_forger_message (m); m++) {
      g_autofree gchar *forge = g_strdup_printf ("%s/%s@%d", rcc_forger_message (m),
          rcc_forger_knowledge[k], AT);
      RccWorld *with = run_call (call, forge, 1);
      const Harm h = harm (without, with, AT);

      g_assert_cmpuint (with->flows[0]->forger->messages, ==, 1);
      g_test_message ("%-10s %-13s %-8s moved %5.1f %%, after %d s %5.1f %%", call->name,
          rcc_forger_message (m), rcc_forger_knowledge[k], 100 * h.moved, GONE, 100 * h.left);
      if (k < RCC_KNOWS_ALL) {
        g_assert_cmpfloat (h.moved, <=, moved_most[k]);
        g_assert_cmpfloat (h.left, <=, .01);
      }
      rcc_world_free (with);
    }
  rcc_world_free (without);
}

/* What is delivered of three calls with messages from the first second to the end, ten a second, up
 * to 50 kbit/s.  Whether a probe of the start is answered is chance: so it is the mean. */
static gdouble
delivered_from (const Call *call, RccWorld *without[STREAMS], gint message, gint knows)
{
  g_autofree gchar *forge = g_strdup_printf ("%s/%s@1-%d/0.1", rcc_forger_message (message),
      rcc_forger_knowledge[knows], DURATION);
  gdouble delivered = 0, kbps = 0;

  for (guint i = 0; i < STREAMS; i++) {
    RccWorld *with = run_call (call, forge, i + 1);

    delivered += harm (without[i], with, 1).delivered / STREAMS;
    kbps += with->flows[0]->forger->bytes * 8e-3 / (DURATION - 1) / STREAMS;
    rcc_world_free (with);
  }
  g_test_message ("%-10s %-13s %-8s each 0.1 s: delivered %.3f (%.0f kbit/s)", call->name,
      rcc_forger_message (message), rcc_forger_knowledge[knows], delivered,
      kbps);
  return delivered;
}

static void
a_stream (gconstpointer data)
{
  const Call *call = data;
  RccWorld *without[STREAMS];

  for (guint i = 0; i < STREAMS; i++)
    without[i] = run_call (call, NULL, i + 1);
  for (gint k = 0; k <= RCC_KNOWS_ALL; k++)
    for (gint m = 0; rcc_forger_message (m); m++) {
      if (k != RCC_KNOWS_NUMBERS && !g_test_thorough ())
        continue;
      g_assert_cmpfloat (delivered_from (call, without, m, k), >=,
          k == RCC_KNOWS_ALL ? 0 : .95);
    }
  for (guint i = 0; i < STREAMS; i++)
    rcc_world_free (without[i]);
}

/* --- the circuit breaker -------------------------------------------------- */

/* At which second it opened; 0: never. */
static guint
opened_at (const gchar *scenario, const gchar *forge)
{
  RccFlowConfig c = fixed_flow (500000);
  gchar why[RCC_SCENARIO_ERROR];
  RccWorld *w;
  guint at = 0;

  if (forge && !rcc_flow_option (&c, "forge", forge, why, sizeof why))
    g_error ("%s", why);
  w = run_text (scenario, 60 * S, 1, &c, 1);
  for (gsize i = 0; i < w->flows[0]->n_events && !at; i++)
    if (w->flows[0]->events[i].state == RCC_BREAKER_OPEN)
      at = (guint) (w->flows[0]->events[i].at / S);
  rcc_world_free (w);
  return at;
}

static void
the_breaker_is_the_receivers (void)
{
  static const gchar *const cut = ROOMY "20 rev loss 100%\n";
  const guint without = opened_at (cut, NULL);

  g_assert_cmpuint (opened_at (ROOMY, NULL), ==, 0);
  g_assert_cmpuint (without, >=, 33);
  g_assert_cmpuint (without, <=, 36);
  for (gint k = 0; k < RCC_KNOWS_ALL; k++)
    for (gint m = 0; rcc_forger_message (m); m++) {
      g_autofree gchar *forge = g_strdup_printf ("%s/%s@1-60/1", rcc_forger_message (m),
          rcc_forger_knowledge[k]);
      const guint calm = opened_at (ROOMY, forge), silent = opened_at (cut, forge);

      g_test_message ("breaker    %-13s %-8s opens at %u s (0: never); while nobody reports at "
          "%u s (without him at %u s)", rcc_forger_message (m), rcc_forger_knowledge[k], calm,
          silent, without);
      g_assert_cmpuint (calm, ==, 0);
      g_assert_cmpuint (silent, ==, without);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (calls); i++) {
    g_autofree gchar *one = g_strdup_printf ("/forgery/one/%s", calls[i].name);
    g_autofree gchar *stream = g_strdup_printf ("/forgery/stream/%s", calls[i].name);

    g_test_add_data_func (one, &calls[i], one_message);
    g_test_add_data_func (stream, &calls[i], a_stream);
  }
  g_test_add_func ("/forgery/breaker", the_breaker_is_the_receivers);
  return g_test_run ();
}
