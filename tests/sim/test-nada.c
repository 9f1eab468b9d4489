/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * NADA (RFC 8698) in the simulated world, held against the authors' own class
 * (cisco/ns3-rmcat) in the same one: its figures were measured before this controller was
 * written.  The RFC has none.
 */
#include <stdlib.h>
#include <string.h>

#include "flows.h"
#include "sim/options.h"

#define S RCC_SEC
#define SEEDS 3

typedef struct {
  const gchar *name, *scenario;
  RccFeedbackFormat feedback;
  gboolean code;                        /* nada-form=ns3-rmcat */
  gdouble used, queue_p95, lost;        /* of the authors' class: share, ms, share */
} Case;

#define JITTER "0 both delay 50 queue 300ms\n0 fwd rate 1M jitter 30\n40 fwd rate 2.5M\n" \
  "60 fwd rate 600k\n80 fwd rate 1M\n"
#define LOSS "0 both delay 50 queue 300ms\n0 fwd rate 1M loss 3%\n40 fwd rate 2.5M\n" \
  "60 fwd rate 600k\n80 fwd rate 1M\n"
#define VARYING "0 both delay 50 queue 300ms\n0 fwd rate 1M\n40 fwd rate 2.5M\n" \
  "60 fwd rate 600k\n80 fwd rate 1M\n"

static const Case cases[] = {
  { "5.1", VARYING, RCC_FEEDBACK_CCFB, FALSE, .861, 46, .0042 },
  { "5.1-twcc", VARYING, RCC_FEEDBACK_TWCC, FALSE, .861, 46, .0042 },
  { "5.1-code", VARYING, RCC_FEEDBACK_CCFB, TRUE, .900, 32, .0042 },
  { "5.1-jitter", JITTER, RCC_FEEDBACK_CCFB, FALSE, .621, 11, .0018 },
  { "5.1-loss", LOSS, RCC_FEEDBACK_CCFB, FALSE, .270, 11, .033 },
};

/* Within a tenth of the share; a queue of half as much again, and a half per cent of loss. */
static void
as_the_authors_class (gconstpointer data)
{
  const Case *k = data;
  RccFlowConfig c = rcc_flow_config (RCC_GCC_DEFAULT);
  gdouble used = 0, queue = 0, lost = 0;

  rcc_flow_control (&c, rcc_registry_find ("nada"));
  c.feedback = k->feedback;
  if (k->code)
    g_assert_true (rcc_flow_set (&c, "nada-form", "ns3-rmcat"));
  print_head ();
  for (guint64 seed = 1; seed <= SEEDS; seed++) {
    RccWorld *w = run_text (k->scenario, 100 * S, seed, &c, 1);
    const RccPhase all = rcc_world_phase (w, 0, 100 * S);

    print_phase (w, k->name, 0, 100 * S);
    used += all.utilisation / SEEDS;
    queue += all.queue_p95 / SEEDS;
    lost += rcc_losses_lost (&all.media) / SEEDS;
    rcc_world_free (w);
  }
  g_assert_cmpfloat (used, >=, k->used - 0.1);
  g_assert_cmpfloat (used, <=, k->used + 0.1);
  g_assert_cmpfloat (queue, <=, 1.5 * k->queue_p95);
  g_assert_cmpfloat (lost, <=, k->lost + 0.005);
}

/* In 3 s without feedback the authors' class sends on at 1977 of 2000
 * kbit/s.  Here the rate is halved once after 2 s, and again each 2 s. */
static void
falls_in_silence (void)
{
  RccFlowConfig c = rcc_flow_config (RCC_GCC_DEFAULT);
  guint32 before = 0, after = 0;
  RccWorld *w;

  rcc_flow_control (&c, rcc_registry_find ("nada"));
  c.feedback = RCC_FEEDBACK_CCFB;
  w = run_text ("0 both delay 50 queue 300ms\n0 fwd rate 2M\n40 rev loss 100%\n", 47 * S, 1, &c,
      1);
  for (gsize i = 0; i < w->flows[0]->n_samples; i++) {
    if (w->flows[0]->samples[i].time <= 40 * S)
      before = w->flows[0]->samples[i].target_bps;
    after = w->flows[0]->samples[i].target_bps;
  }
  g_assert_cmpuint (before, >=, 1200000);
  g_assert_cmpuint (after, <=, before / 7);     /* three times, within 6.2 s */
  g_assert_cmpuint (after, >=, 150000);
  rcc_world_free (w);
}

/* rccsim --settings names what a controller of its own table knows. */
static void
settings_are_listed (void)
{
  RccFlowConfig c = rcc_flow_config (RCC_GCC_DEFAULT);

  for (guint i = 0; i < 2; i++) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream (&text, &size);

    rcc_flow_print_settings (&c, out);
    fclose (out);
    g_assert_true ((strstr (text, "| `nada-kappa` | 0.5 |") != NULL) == (i == 1));
    free (text);
    rcc_flow_control (&c, rcc_registry_find ("nada"));
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree gchar *path = g_strdup_printf ("/nada/as-the-authors-class/%s", cases[i].name);

    g_test_add_data_func (path, &cases[i], as_the_authors_class);
  }
  g_test_add_func ("/nada/settings-are-listed", settings_are_listed);
  g_test_add_func ("/nada/falls-in-silence", falls_in_silence);
  return g_test_run ();
}
