/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * RFC 8867 5.1 to 5.4 with a circuit breaker behind every flow: a congestion controller
 * works inside the envelope of RFC 8083 (RFC 8868 asks for it), for both profiles and
 * every feedback, RTCP each 1 s and 5 s, both TCP models.
 */
#include "flows.h"

#define S RCC_SEC
#define SEEDS 5

typedef struct {
  const gchar *name, *scenario;
  guint seconds, n_flows;
  RccTime starts[3];
  RccDirection directions[3];
} Case;

static const Case cases[] = {
  { "5.1", "rfc8867-5.1", 100, 1, { 0 }, { RCC_FORWARD } },
  { "5.2", "rfc8867-5.2", 125, 2, { 0 }, { RCC_FORWARD } },
  /* one flow each way, so that media and feedback share the reverse path, too */
  { "5.3", "rfc8867-5.3", 100, 2, { 0 }, { RCC_FORWARD, RCC_REVERSE } },
  { "5.4", "constant:3.5M", 120, 3, { 0, 20 * S, 40 * S }, { RCC_FORWARD } },
};

typedef struct {
  double headroom;                      /* least limit / rate that any verdict saw */
  double loss;                          /* largest p */
  guint64 reports;
  guint triggers;
} Outcome;

static void
judge_flow (const RccFlow *f, Outcome *o)
{
  for (gsize i = 0; i < f->n_samples; i++) {
    const RccFlowSample *s = &f->samples[i];

    if (s->breaker_bps <= 0)
      continue;
    o->headroom = MIN (o->headroom, s->limit_bps / s->breaker_bps);
    o->loss = MAX (o->loss, s->breaker_loss);
  }
  o->reports += f->sender.gate->breaker.streams[0].reports;
  o->triggers += f->n_events;
  if (f->n_events)
    print_events ("tripped", f);
}

static Outcome
run_case (const Case *k, RccFlowConfig c)
{
  Outcome o = { .headroom = G_MAXDOUBLE };
  RccFlowConfig flows[3];

  c.breaks = c.rtcp_random = c.omit_silent = true;
  for (guint64 seed = 1; seed <= SEEDS; seed++) {
    RccWorld *w;

    for (guint i = 0; i < k->n_flows; i++) {
      flows[i] = c;
      flows[i].start = k->starts[i];
      flows[i].direction = k->directions[i];
    }
    w = run_world (k->scenario, k->seconds * S, seed, flows, k->n_flows);
    for (guint i = 0; i < k->n_flows; i++)
      judge_flow (w->flows[i], &o);
    rcc_world_free (w);
  }
  return o;
}

static Outcome
run_and_print (const Case *k, RccFlowConfig *c, RccTcpModel model)
{
  g_autofree gchar *headroom = NULL;
  Outcome o;

  c->breaker.model = model;
  o = run_case (k, *c);
  headroom = o.headroom == G_MAXDOUBLE ? g_strdup ("no loss")
      : g_strdup_printf ("%.2fx", o.headroom);
  g_test_message ("%-4s %-8s %-5s %-6s %2.0f s %8u %6.2f %% %12s %8u", k->name, c->name,
      feedback_name (c->feedback), model == RCC_TCP_PADHYE ? "padhye" : "mathis",
      c->rtcp_interval * 1e-9, (guint) o.reports, 100 * o.loss, headroom, o.triggers);
  return o;
}

/* What holds for one case, feedback and interval.
 *
 * With reports each second CB_INTERVAL is 3 of them, and 3 s after capacity has fallen to
 * less than a third the paper's profile still sends too much: once in a while it trips
 * there, and the breaker is right.  Padhye's limit lies far lower (the LTE paper calls it
 * over-sensitive outside of LTE); there the default trips, too, and only its reports each
 * 5 s are promised anything. */
static void
check_case (const Case *k, RccGccProfile profile, RccFeedbackFormat feedback,
    RccTime interval)
{
  RccFlowConfig c = rcc_flow_config (profile);
  const guint most = profile == RCC_GCC_PAPER && interval < 5 * S ? 1 : 0;
  Outcome mathis, padhye;

  c.feedback = feedback;
  c.rtcp_interval = interval;
  mathis = run_and_print (k, &c, RCC_TCP_MATHIS);
  padhye = run_and_print (k, &c, RCC_TCP_PADHYE);
  g_assert_cmpuint (mathis.triggers, <=, most);
  if (interval == 5 * S)
    g_assert_cmpfloat (mathis.headroom, >, 1);
  if (profile == RCC_GCC_DEFAULT && interval == 5 * S)
    g_assert_cmpuint (padhye.triggers, ==, 0);
  g_assert_cmpuint (padhye.triggers, >=, mathis.triggers);
  /* it has looked: a report each interval, in the mean, while the last flow ran */
  g_assert_cmpuint (mathis.reports, >=, SEEDS * (k->seconds - 50) / (interval / S));
}

static void
works_inside (gconstpointer data)
{
  static const RccFeedbackFormat formats[] =
      { RCC_FEEDBACK_REMB, RCC_FEEDBACK_TWCC, RCC_FEEDBACK_CCFB };
  const RccGccProfile profile = (RccGccProfile) GPOINTER_TO_INT (data);

  g_test_message ("%-4s %-8s %-5s %-6s %4s %8s %8s %12s %8s", "case", "profile", "fb",
      "model", "RTCP", "reports", "max p", "limit / rate", "triggers");
  for (guint k = 0; k < G_N_ELEMENTS (cases); k++)
    for (guint f = 0; f < G_N_ELEMENTS (formats); f++) {
      check_case (&cases[k], profile, formats[f], S);
      check_case (&cases[k], profile, formats[f], 5 * S);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/envelope/default", GINT_TO_POINTER (RCC_GCC_DEFAULT), works_inside);
  g_test_add_data_func ("/envelope/paper", GINT_TO_POINTER (RCC_GCC_PAPER), works_inside);
  return g_test_run ();
}
