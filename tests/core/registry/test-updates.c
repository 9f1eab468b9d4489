/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Random calls of every controller: an update says what has changed, and nothing else (rcc.h).
 */
#include "core/registry/registry.h"

#include "../../random.h"

#define LIVES 20
#define STEPS 400
#define KNOWN (RCC_TARGET | RCC_PACING | RCC_FEC | RCC_STOP | RCC_PROBE | RCC_STATE)

typedef struct {
  const RccController *row;
  RccSender *core;
  RccTime now;
  gint64 seq;
  RccPacket waiting[64];
  guint n_waiting;
} Call;

/* By what @u says of it the view has gone from @before to what it is. */
static void
told (const Call *c, const RccSenderView *before, RccUpdate u)
{
  const RccSenderView v = c->row->view (c->core);

  g_assert_cmphex (u.changed & ~KNOWN, ==, 0);
  if (u.changed) {
    g_assert_nonnull (u.reason);
    g_assert_cmpstr (u.reason, !=, "");
  }
  if (u.changed & RCC_TARGET)
    g_assert_cmpuint (u.target_bps, ==, v.target_bps);
  else
    g_assert_cmpuint (v.target_bps, ==, before->target_bps);
  if (v.paces && u.changed & RCC_PACING)
    g_assert_cmpuint (u.pacing_bps, ==, v.pacing_bps);
  else if (v.paces)
    g_assert_cmpuint (v.pacing_bps, ==, before->pacing_bps);
  if (u.changed & RCC_FEC)
    g_assert_cmpuint (u.fec_bps, ==, v.fec_bps);
  else
    g_assert_cmpuint (v.fec_bps, ==, before->fec_bps);
  if (u.changed & RCC_PROBE)
    g_assert_cmpuint (u.probe_id, >, 0);
}

static RccUpdate
leave (Call *c)
{
  RccPacket p = { .ssrc = 1, .seq = c->seq++, .size = 100 + below (1100), .sent = c->now,
    .timestamp = (guint32) (c->now / RCC_MSEC * 90) };

  if (c->n_waiting < G_N_ELEMENTS (c->waiting))
    c->waiting[c->n_waiting++] = p;
  return rcc_tell (c->core, on_sent, &p);
}

static RccUpdate
feedback (Call *c, gdouble loss)
{
  const guint n = c->n_waiting;

  for (guint i = 0; i < n; i++)
    c->waiting[i].arrived = chance (loss) ? RCC_NEVER
        : c->waiting[i].sent + (40 + below (20)) * RCC_MSEC;
  c->now += 60 * RCC_MSEC;
  c->n_waiting = 0;
  return rcc_tell (c->core, on_feedback, c->waiting, n, c->now);
}

static RccUpdate
report (Call *c, gdouble loss)
{
  const RccReport r = { .ssrc = 1, .reporter = 2, .highest_seq = c->seq, .expected = 20,
    .lost = (gint64) (loss * (gdouble) c->seq), .newly_lost = (gint64) (loss * 20),
    .fraction_lost = loss, .rtt = chance (0.3) ? RCC_NEVER : (80 + below (40)) * RCC_MSEC };

  return rcc_tell (c->core, on_report, &r, c->now);
}

static RccUpdate
step (Call *c, gdouble loss)
{
  const RccRtcp rtcp = { .size = 100, .about_us = true, .from_reporter = true };
  const guint what = below (40);

  c->now += below (20) * RCC_MSEC;
  if (what < 28)
    return leave (c);
  if (what < 32)
    return feedback (c, loss);
  if (what < 34)
    return report (c, loss);
  if (what < 36)
    return rcc_tell (c->core, on_rtcp, &rtcp, c->now);
  if (what < 37)
    return rcc_tell (c->core, on_remb, 50000 + below (3000000), c->now);
  if (what < 38)
    return rcc_tell (c->core, on_config, &((RccConfig) { below (200000), 0, below (4000000) }),
        c->now);
  if (chance (0.3) && rcc_deadline (c->core) != RCC_NEVER)
    c->now = MAX (c->now, MIN (rcc_deadline (c->core), c->now + 5 * RCC_SEC));
  return rcc_tell (c->core, on_deadline, c->now);
}

static void
live (const RccController *row, guint seed)
{
  const RccConfig limits = { 50000, 300000, 3000000 };
  g_autofree gpointer config = g_malloc0 (MAX (row->config_size, 1));
  Call c = { .row = row, .core = g_malloc0 (row->size), .now = 10 * RCC_SEC };
  gdouble loss;

  rcc_rng_init (&rng, 20261125, seed);
  loss = below (3) * 0.05;
  if (row->defaults)
    row->defaults (config);
  row->init (c.core, config, &limits);
  for (guint i = 0; i < STEPS; i++) {
    const RccSenderView before = row->view (c.core);

    told (&c, &before, step (&c, loss));
  }
  g_free (c.core);
}

static void
an_update_says_what_changed (void)
{
  const RccController *row;

  for (guint i = 0; (row = rcc_registry_row (i)); i++)
    for (guint k = 0; k < LIVES; k++)
      live (row, k);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/registry/an-update-says-what-changed", an_update_says_what_changed);
  return g_test_run ();
}
