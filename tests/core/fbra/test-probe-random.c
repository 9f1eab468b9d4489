/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Random controllers and paths around the probe: each step held against what probe.h says.  The
 * outcomes, their clock and the fitting of parity are the core's, but others.
 */
#include <math.h>
#include <glib.h>
#include "core/fbra/fec.h"
#include "core/fbra/probe.h"
#include "core/rng.h"

#define LIVES 300
#define STEPS 300

typedef struct {
  RccFbraProbeConfig c;
  RccConfig limits;
  RccFbraState state, shown;
  gdouble external, media, proved, probe_media, probe_fec;
  guint n;
  RccTime began, hold;
  RccSkewOwd clock;
  RccOutcomes outcomes;
  gboolean fresh;
  guint32 target, fec, interval;
  guint64 probes, passed, timeouts;
} Model;

static RccRng rng;
static RccFbraProbe p;
static Model m;
static RccPacket waiting[64];
static guint n_waiting;
static RccTime now;
static gint64 seq;

static guint
below (guint n)
{
  return rcc_rng_u32 (&rng) % n;
}

static gboolean
chance (gdouble x)
{
  return rcc_rng_uniform (&rng) < x;
}

/* Of the reports; two round trips at least, a minute at most */
static RccTime
intervals (gdouble n)
{
  const RccTime rtt = rcc_skew_owd_rtt_min (&m.clock);
  gdouble one = (gdouble) m.c.reports.interval;

  if (rtt != RCC_NEVER)
    one = MAX (one, m.c.reports.interval_rtts * (gdouble) rtt);
  return (RccTime) MIN (n * one, 60e9);
}

/* The minimum wins. */
static gdouble
wanted (void)
{
  return MAX (MIN (m.external, m.limits.max_bps), m.limits.min_bps);
}

static void
renew (void)
{
  rcc_outcomes_close (&m.outcomes, 1.0, now);
}

static RccUpdate
publish (const char *reason)
{
  const gboolean probing = m.state == RCC_FBRA_PROBE;
  const guint32 fec = probing ? (guint32) m.probe_fec : 0;
  const guint32 target = (guint32) (probing ? m.probe_media : m.media) + fec;
  const guint32 interval = probing ? m.n : 0;
  const RccUpdate u = { .reason = reason, .target_bps = target, .fec_bps = fec,
    .changed = (m.shown != m.state ? RCC_STATE : 0) | (target != m.target ? RCC_TARGET : 0)
        | (fec != m.fec || interval != m.interval ? RCC_FEC : 0) };

  m.shown = m.state;
  m.target = target;
  m.fec = fec;
  m.interval = interval;
  return u;
}

static void
plan (void)
{
  m.n = rcc_fbra_fit (m.c.n_min, m.c.n_max, m.media, wanted (), &m.probe_media, &m.probe_fec);
}

static RccUpdate
follow (const char *reason)
{
  const gdouble target = wanted ();

  if (target < m.media) {               /* a decrease takes effect at once */
    m.media = target;
    m.proved = MIN (m.proved, target);
    m.state = RCC_FBRA_DOWN;
    return publish ("the controller went down");
  }
  if (target <= m.media || target <= m.c.direct * m.proved) {
    m.media = target;                   /* so does what is as good as proved */
    m.state = m.state == RCC_FBRA_PROBE ? RCC_FBRA_STAY : m.state;
    return publish (reason);
  }
  if (m.state == RCC_FBRA_PROBE) {      /* an increase beyond it is the next probe's */
    if (target < m.probe_media + m.probe_fec)
      plan ();
    return publish (reason);
  }
  if (m.state != RCC_FBRA_STAY || now < m.hold || m.media <= 0)
    return publish (reason);
  plan ();
  m.state = RCC_FBRA_PROBE;
  m.began = now;
  m.probes++;
  renew ();
  return publish ("probing for the controller");
}

static RccUpdate
model_external (guint32 bps)
{
  const gboolean first = m.external < 0 || m.media <= 0;

  m.external = bps;
  if (!first)
    return follow ("the controller's target");
  m.media = m.proved = wanted ();
  return publish ("the controller's first target");
}

static RccUpdate
model_limits (void)
{
  if (m.external < 0)
    return (RccUpdate) { 0 };
  if (m.media < m.limits.min_bps) {     /* an order, not a wish */
    m.media = m.limits.min_bps;
    m.state = RCC_FBRA_STAY;
  }
  m.proved = MAX (m.proved, m.media);
  return follow ("limits changed");
}

static void
model_feedback (const RccPacket *packets, guint n)
{
  guint before = 0;

  /* what left before a probe says nothing of it */
  while (m.state == RCC_FBRA_PROBE && before < n && packets[before].sent < m.began)
    before++;
  rcc_outcomes_take (&m.outcomes, &m.clock, packets, before, now);
  if (before > 0)
    renew ();
  rcc_outcomes_take (&m.outcomes, &m.clock, packets + before, n - before, now);
  m.fresh |= n > 0;
}

static RccUpdate
model_rtcp (void)
{
  const gboolean failed = m.outcomes.sum.losses + m.outcomes.sum.discards > 0;
  const char *reason = "a report";

  if (!m.fresh || m.external < 0)
    return (RccUpdate) { 0 };
  m.fresh = FALSE;
  if (failed) {
    reason = m.state == RCC_FBRA_PROBE ? "losses while probing" : "losses, no probe";
    m.hold = now + intervals (m.c.back_off);
    if (m.state != RCC_FBRA_PROBE)
      renew ();
    m.state = RCC_FBRA_STAY;
  } else if (m.state != RCC_FBRA_PROBE) {
    m.state = RCC_FBRA_STAY;
    renew ();
  } else if (m.outcomes.sum.parity >= m.c.parity_least) {
    reason = "the probe passed";
    m.media = m.proved = m.probe_media + m.probe_fec;
    m.state = RCC_FBRA_UP;
    m.passed++;
    renew ();
  }
  return follow (reason);
}

static RccTime
due (void)
{
  return m.state == RCC_FBRA_PROBE ? m.began + intervals (m.c.timeout) : RCC_NEVER;
}

static RccUpdate
model_deadline (void)
{
  if (m.state != RCC_FBRA_PROBE || now < due ())
    return (RccUpdate) { 0 };
  m.timeouts++;
  m.state = RCC_FBRA_STAY;
  m.hold = now + intervals (m.c.back_off);
  return publish ("no report on the probe");
}

static void
same (RccUpdate a, RccUpdate b)
{
  g_assert_cmpint (p.state, ==, m.state);
  g_assert_cmpstr (p.state_name, ==, rcc_fbra_state_name (m.shown));
  g_assert_cmpfloat (p.media, ==, m.media);
  g_assert_cmpuint (p.target_bps, ==, m.target);
  g_assert_cmpuint (p.fec_bps, ==, m.fec);
  g_assert_cmpuint (p.fec_interval, ==, m.interval);
  g_assert_cmpuint (p.probes, ==, m.probes);
  g_assert_cmpuint (p.probes_passed, ==, m.passed);
  g_assert_cmpuint (p.timeouts, ==, m.timeouts);
  g_assert_cmpuint (rcc_deadline (&p.sender), ==, due ());
  g_assert_cmpuint (a.changed, ==, b.changed);
  g_assert_cmpuint (a.target_bps, ==, b.target_bps);
  g_assert_cmpuint (a.fec_bps, ==, b.fec_bps);
  g_assert_cmpstr (a.reason, ==, b.reason);
  if (a.reason) {
    g_assert_cmpstr (p.reason, ==, a.reason);
    if (m.external >= 0)
      g_assert_cmpuint (p.external_bps, ==, (guint32) m.external);
  }
}

static RccConfig
any_limits (void)
{
  const guint32 min = chance (0.5) ? 0 : below (200000);

  return (RccConfig) { min, 0, chance (0.1) ? min / 2 : min + below (3000000) };
}

static void
report (gdouble bad)
{
  const RccRtcp rtcp = { .about_us = true };
  const RccReport r = { .rtt = chance (0.5) ? RCC_NEVER : (20 + below (200)) * RCC_MSEC };
  const guint n = chance (0.1) ? 0 : n_waiting, held = n > 1 && chance (0.2);
  RccPacket late = waiting[0];
  RccUpdate a;

  for (guint i = 0; i < n; i++) {
    waiting[i].arrived = chance (bad) ? RCC_NEVER
        : waiting[i].sent + (30 + (chance (bad) ? below (600) : 0)) * RCC_MSEC;
    now = MAX (now, waiting[i].sent + 700 * RCC_MSEC);
  }
  g_assert_cmpuint (rcc_tell (&p.sender, on_report, &r, now).changed, ==, 0);
  if (r.rtt != RCC_NEVER)
    rcc_skew_owd_rtt (&m.clock, r.rtt, now);
  /* of the oldest the next report tells, and may be the first after a probe to do so */
  g_assert_cmpuint (rcc_tell (&p.sender, on_feedback, waiting + held, n - held, now).changed,
      ==, 0);
  model_feedback (waiting + held, n - held);
  n_waiting -= n;
  if (held)
    waiting[n_waiting++] = late;
  a = rcc_tell (&p.sender, on_rtcp, &rtcp, now);
  same (a, model_rtcp ());
}

static void
send_some (void)
{
  for (guint i = below (12); i > 0 && n_waiting < G_N_ELEMENTS (waiting); i--) {
    waiting[n_waiting++] = (RccPacket) { .seq = seq++, .size = 1000, .sent = now,
      .flags = m.interval > 0 && chance (0.2) ? RCC_PACKET_PARITY : 0 };
    now += 10 * RCC_MSEC;
  }
}

static void
step (gdouble bad)
{
  const guint what = below (20);

  if (what < 8) {
    send_some ();
  } else if (what < 13) {
    report (bad);
  } else if (what < 17) {
    const guint32 bps = chance (0.03) ? below (3)
        : (guint32) (MAX (m.external, 50000) * (0.8 + 0.6 * rcc_rng_uniform (&rng)));
    const guint32 asked = chance (0.1) ? (guint32) MAX (m.external, 0) : bps % 5000000;

    same (rcc_fbra_external (&p, asked, now), model_external (asked));
  } else if (what < 18) {
    m.limits = any_limits ();
    same (rcc_tell (&p.sender, on_config, &m.limits, now), model_limits ());
  } else {
    if (chance (0.5) && due () != RCC_NEVER) {
      const RccTime then = due () - below (2);

      now = MAX (now, then);
    }
    same (rcc_tell (&p.sender, on_deadline, now), model_deadline ());
  }
}

static void
an_increase_is_parity_first (void)
{
  for (guint i = 0; i < LIVES; i++) {
    gdouble bad;

    rcc_rng_init (&rng, 7, i);
    bad = chance (0.5) ? 0 : 0.05;
    m = (Model) { .c = rcc_fbra_probe_config (), .limits = any_limits (), .external = -1,
      .state = RCC_FBRA_STAY, .shown = RCC_FBRA_STAY };
    m.c.parity_least = below (3);
    now = RCC_SEC;
    n_waiting = 0;
    rcc_skew_owd_init (&m.clock);
    rcc_outcomes_init (&m.outcomes, m.c.d_max);
    memset (&p, 0xa5, sizeof p);
    rcc_fbra_probe_init (&p, &m.c, &m.limits);
    same ((RccUpdate) { 0 }, (RccUpdate) { 0 });
    for (guint k = 0; k < STEPS; k++)
      step (bad);
  }
}

/* As probe.h says. */
static void
defaults (void)
{
  const RccFbraProbeConfig c = rcc_fbra_probe_config ();

  g_assert_cmpuint (c.reports.interval, ==, 100 * RCC_MSEC);
  g_assert_cmpfloat (c.reports.interval_rtts, ==, 2);
  g_assert_true (c.reports.pool);
  g_assert_cmpuint (c.n_min, ==, 2);
  g_assert_cmpuint (c.n_max, ==, 14);
  g_assert_cmpuint (c.parity_least, ==, 1);
  g_assert_cmpfloat (c.direct, ==, 1.02);
  g_assert_cmpfloat (c.back_off, ==, 2);
  g_assert_cmpfloat (c.timeout, ==, 8);
  g_assert_cmpuint (c.d_max, ==, 400 * RCC_MSEC);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/probe-random/an-increase-is-parity-first", an_increase_is_parity_first);
  g_test_add_func ("/probe-random/defaults", defaults);
  return g_test_run ();
}
