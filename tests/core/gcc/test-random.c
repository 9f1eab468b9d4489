/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Random lives of GCC's sender, each step held against what its header and the notes at the top of
 * gcc/sender.c say.  The parts (delay, loss, prober, cluster) are the core's, but others.
 */
#include <math.h>
#include <glib.h>
#include "core/gcc/sender.h"
#include "../../random.h"

#define LIVES 250
#define STEPS 400
#define WAITING 400

typedef struct {
  RccGccConfig config;
  RccConfig limits;
  RccGccDelay delay;
  RccGccLoss loss;
  RccProber prober;
  RccCluster cluster;
  RccWindow window;
  guint cluster_id;                     /* 0: none is being told of */
  gboolean delays, packets;             /* somebody tells of arrivals, of packets */
  RccTime fed, fed_gap, heard, gap, told, told_gap, first, silent, rtt;
  gdouble remb, quiet, aim, lost;       /* limits: +inf where there is none */
  guint32 target, pacing, loss_said;
  const char *by;
  guint64 reports, rembs, feedbacks, silences;
} Model;

static RccGccSender s;
static Model m;
static RccPacket waiting[WAITING];      /* sent, not told of */
static guint n_waiting, probe_left, probe_id;
static RccTime now, busy;

static guint32
whole (gdouble bps)
{
  return (guint32) CLAMP (bps, 0.0, (gdouble) G_MAXUINT32);
}

/* target = min (delay, loss, REMB), but for silence, in the limits; a lower limit that is above
 * the upper one wins. */
static RccUpdate
settle (const char *reason)
{
  const gdouble lo = m.limits.min_bps, hi = MAX (lo, m.limits.max_bps);
  const struct { gdouble bps; const char *name; } all[] = {
    { m.delays ? rcc_gcc_delay_bps (&m.delay) : INFINITY, rcc_gcc_delay_limit (&m.delay) },
    { m.remb, "remb" }, { MAX (m.loss.bps, m.delay.aimd.floor), m.loss.fraction < 0.02 ? "reports" : "loss" },
  };
  const guint32 target = m.target, pacing = m.pacing;
  gdouble bps = INFINITY;

  m.by = "max-bitrate";
  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    if (all[i].bps < bps) {
      bps = all[i].bps;
      m.by = all[i].name;
    }
  if (isinf (bps)) {
    bps = m.limits.start_bps;
    m.by = "start-bitrate";
  }
  m.aim = CLAMP (bps, lo, hi);
  if (m.quiet < bps)
    m.by = "feedback-timeout";
  bps = MIN (bps, m.quiet);
  if (bps >= hi)
    m.by = "max-bitrate";
  m.target = whole (CLAMP (bps, lo, hi));
  m.pacing = whole (MAX (m.config.pacing_factor * m.target, m.config.pacing_floor * lo));
  m.loss_said = whole (m.loss.bps);
  rcc_gcc_loss_follow (&m.loss, m.aim);
  rcc_prober_target (&m.prober, m.target, m.target < target, now);
  return (RccUpdate) {
    .changed = (m.target != target ? RCC_TARGET : 0) | (m.pacing != pacing ? RCC_PACING : 0),
    .target_bps = m.target, .pacing_bps = m.pacing, .reason = reason,
  };
}

static RccTime
longer_of (RccTime gap, RccTime span, RccTime memory)
{
  const gdouble left = 1 - (gdouble) MIN (span, memory) / (gdouble) memory;

  return MAX (MIN (span, 7500 * RCC_MSEC), (RccTime) (left * (gdouble) gap));
}

static RccTime
longer (RccTime gap, RccTime span)      /* forgotten within 4 s */
{
  return longer_of (gap, span, 4 * RCC_SEC);
}

static void
hear (void)
{
  const RccTime before = m.heard != RCC_NEVER ? m.heard : m.first;
  const gdouble since = m.heard != RCC_NEVER && now >= m.heard && now - m.heard <= m.gap
      ? 1e-9 * (gdouble) (now - m.heard) : 0;

  if (before != RCC_NEVER)
    m.gap = longer (m.gap, now - before);
  m.heard = now;
  m.silent = RCC_NEVER;
  if (isinf (m.quiet))
    return;
  m.quiet = MAX (MIN (4, MAX (2, pow (2, since / 0.1))) * m.quiet, 1000);
  if (m.quiet >= m.limits.max_bps)
    m.quiet = INFINITY;
}

/* The losses alone are left: they lead on from where the target is. */
static void
left_to_loss (void)
{
  if (!m.delays && isinf (m.remb))
    m.loss.bps = MIN (m.loss.bps, m.aim);
}

/* Four of its intervals without feedback of packets, a second at least, while others report. */
static void
outlive (void)
{
  if (!m.packets || now - m.fed < MAX (4 * m.fed_gap, RCC_SEC))
    return;
  m.delays = m.packets = FALSE;
  m.fed_gap = 0;
  m.cluster_id = 0;
  rcc_gcc_delay_init (&m.delay, &m.config, m.target);
  if (m.rtt != RCC_NEVER)
    rcc_gcc_delay_set_rtt (&m.delay, m.rtt);
  left_to_loss ();
}

static void
lose (gdouble fraction, guint expected)
{
  const gdouble before = m.loss.bps;
  const gboolean alone = !m.delays && isinf (m.remb);

  m.loss.alone = alone;
  rcc_gcc_loss_report (&m.loss, fraction, expected, m.aim, m.rtt == RCC_NEVER ? 0 : m.rtt, now);
  if (fraction > 0)
    rcc_prober_loss (&m.prober, now);
  m.lost = m.loss.fraction;
  /* a sender that fills less than two thirds of its target learns nothing from no loss */
  if (alone && m.loss.bps > m.aim && rcc_window_bps (&m.window, now) < 0.67 * m.aim)
    m.loss.bps = MIN (before, m.aim);
}

static RccUpdate
model_report (const RccReport *r)
{
  gdouble lost = r->fraction_lost;

  m.reports++;
  if (!r->nothing_new) {
    if (m.told != RCC_NEVER)
      m.told_gap = longer_of (m.told_gap, now - m.told, 30 * RCC_SEC);
    m.told = now;
    hear ();
    outlive ();
  }
  if (r->rtt != RCC_NEVER) {
    m.rtt = r->rtt;
    rcc_gcc_delay_set_rtt (&m.delay, r->rtt);
  }
  if (m.config.ecn_as_loss && r->expected > 0)
    lost = MIN (lost + (gdouble) r->ce / r->expected, 1.0);
  if (!m.packets)
    lose (lost, r->expected);
  return settle ("receiver report");
}

static RccUpdate
model_remb (guint32 bps)
{
  if (bps == G_MAXUINT32) {
    m.remb = INFINITY;
    left_to_loss ();
    return settle ("no REMB any more");
  }
  m.remb = bps;
  m.rembs++;
  hear ();
  outlive ();
  rcc_gcc_loss_remb (&m.loss);
  return settle ("REMB");
}

/* A packet that arrived; the first one after a cluster says what the path made of that. */
static void
arrive (const RccPacket *p)
{
  gdouble shown = 0.0;

  if (!m.delays)
    rcc_gcc_delay_raise (&m.delay, m.target, p->arrived);
  m.delays = TRUE;
  rcc_gcc_delay_packet (&m.delay, p->sent, p->arrived, p->size);
  if (m.cluster_id != 0 && p->probe != m.cluster_id) {
    shown = rcc_cluster_result (&m.cluster, m.prober.asked_bps, rcc_gcc_delay_base (&m.delay),
        m.config.reordering);
    m.cluster_id = 0;
  }
  if (p->probe != 0 && m.cluster_id == 0)
    rcc_cluster_start (&m.cluster, p->sent, p->arrived, p->size);
  else if (p->probe != 0)
    rcc_cluster_add (&m.cluster, p->sent, p->arrived, p->size);
  m.cluster_id = p->probe;
  if (shown > 0 && m.delay.overuse.usage != RCC_USAGE_OVER)
    rcc_gcc_delay_probed (&m.delay, shown, rcc_gcc_delay_least (&m.delay), p->arrived);
}

static RccUpdate
model_feedback (const RccPacket *packets, guint n)
{
  guint lost = 0;

  m.feedbacks++;
  hear ();
  for (guint i = 0; i < n; i++) {
    if (!rcc_packet_received (&packets[i])
        || (m.config.ecn_as_loss && (packets[i].flags & RCC_PACKET_CE)))
      lost++;
    if (packets[i].arrived != RCC_NEVER)
      arrive (&packets[i]);
  }
  if (n > 0) {
    if (m.packets)
      m.fed_gap = longer (m.fed_gap, now - m.fed);
    m.packets = TRUE;
    m.fed = now;
    rcc_gcc_delay_losses (&m.delay, lost, n);
    lose ((gdouble) lost / n, n);
  }
  return settle ("transport feedback");
}

static RccUpdate
model_deadline (void)
{
  RccUpdate u = { 0 };

  if (now >= m.silent) {
    m.quiet = MAX (0.5 * m.target, m.limits.min_bps);
    m.silences++;
    m.silent = RCC_NEVER;
    u = settle ("no feedback");
  }
  return rcc_update_merge (u,
      rcc_prober_poll (&m.prober, m.target, m.limits.max_bps, now));
}

/* Where reports are all there is, the next one may take three times as long as the last. */
static RccTime
patience (gboolean again)
{
  const gboolean alone = !m.delays && !m.packets && isinf (m.remb) && m.told != RCC_NEVER;

  if (!alone)
    return again ? m.gap : 2 * m.gap;
  if (m.told_gap == 0)
    return 7500 * RCC_MSEC;
  return again ? m.told_gap : MIN (3 * m.told_gap, 7500 * RCC_MSEC);
}

static void
model_sent (const RccPacket *p)
{
  if (m.first == RCC_NEVER) {
    m.first = now;
    rcc_prober_start (&m.prober, now);
  }
  if (m.silent == RCC_NEVER)
    m.silent = now + (m.quiet < INFINITY && m.config.timeout_repeat > 0
        ? MAX (m.config.timeout_repeat, patience (TRUE))
        : MAX (MAX (m.config.feedback_timeout, patience (FALSE)),
            /* a first report may take 6.5 s (RFC 3550 6.3.1) */
            m.heard == RCC_NEVER && m.silences == 0 ? 6500 * RCC_MSEC : 0));
  rcc_window_add (&m.window, p->size, now);
  m.loss.packet_size += (p->size - m.loss.packet_size) / 16;
}

static void
same_state (void)
{
  g_assert_cmpuint (s.target_bps, ==, m.target);
  g_assert_cmpuint (s.pacing_bps, ==, m.pacing);
  g_assert_cmpfloat (s.fraction_lost, ==, m.lost);
  g_assert_cmpfloat (s.loss.bps, ==, m.loss.bps);
  g_assert_cmpfloat (s.delay.aimd.bps, ==, m.delay.aimd.bps);
  g_assert_cmpuint (s.rtt, ==, m.rtt);
  g_assert_cmpuint (s.reports, ==, m.reports);
  g_assert_cmpuint (s.rembs, ==, m.rembs);
  g_assert_cmpuint (s.feedbacks, ==, m.feedbacks);
  g_assert_cmpuint (s.silences, ==, m.silences);
  g_assert_cmpuint (rcc_deadline (&s.sender), ==, MIN (m.silent, m.prober.next));
}

/* What is for people is as new as the last event that it is told of. */
static void
same (RccUpdate a, RccUpdate b)
{
  same_state ();
  g_assert_cmpstr (s.limited_by, ==, m.by);
  g_assert_cmpuint (a.changed, ==, b.changed);
  g_assert_cmpstr (a.reason, ==, b.reason);
  g_assert_cmpuint (a.target_bps, ==, b.target_bps);
  g_assert_cmpuint (a.pacing_bps, ==, b.pacing_bps);
  g_assert_cmpuint (a.probe_bps, ==, b.probe_bps);
  g_assert_cmpuint (a.probe_bytes, ==, b.probe_bytes);
  g_assert_cmpuint (a.probe_id, ==, b.probe_id);
  if (a.changed & RCC_PROBE) {
    probe_id = a.probe_id;
    probe_left = 10;
  }
  if (a.reason == NULL || (a.changed & RCC_PROBE))
    return;
  g_assert_cmpuint (s.delay_bps, ==, whole (m.delay.aimd.bps));
  g_assert_cmpuint (s.loss_bps, ==, m.loss_said);
  g_assert_cmpuint (s.sent_bps, ==, rcc_window_bps (&m.window, now));
}

static RccConfig
any_limits (void)
{
  const guint32 min = chance (0.2) ? 0 : below (200000), max = min + below (5000000);

  return (RccConfig) { min, min + below (max - min + 1), chance (0.05) ? min / 2 : max };
}

static void
begin (void)
{
  RccGccConfig config = rcc_gcc_config ((RccGccProfile) below (3));
  RccTime was;

  config.ecn_as_loss = chance (0.5);
  config.pacing_floor = chance (0.5) ? 1.5 : config.pacing_floor;
  config.feedback_timeout = (100 + below (2000)) * RCC_MSEC;
  config.timeout_repeat = chance (0.5) ? (100 + below (2000)) * RCC_MSEC : 0;
  /* of these the model knows nothing: test-sender.c, test-loss-cause.c, test-flight.c */
  config.loss_cause = config.fill_gaps = false;
  config.flight_extra = 0;
  m = (Model) {
    .config = config, .limits = any_limits (), .heard = RCC_NEVER, .first = RCC_NEVER,
    .told = RCC_NEVER, .silent = RCC_NEVER, .gap = 600 * RCC_MSEC, .rtt = RCC_NEVER, .remb = INFINITY,
    .quiet = INFINITY,
  };
  now = busy = chance (0.2) ? 0 : RCC_SEC + below (1000000) * RCC_MSEC;
  n_waiting = probe_left = 0;
  m.target = m.limits.start_bps;
  rcc_gcc_delay_init (&m.delay, &config, m.limits.start_bps);
  rcc_gcc_loss_init (&m.loss, config.loss, m.limits.start_bps);
  rcc_prober_init (&m.prober, config.probe_first, config.probe_factor, config.probe_later,
      config.probe_interval, config.probe_span);
  rcc_window_init (&m.window, config.rate_window);
  was = now;
  now = 0;                              /* a start above the limits is no congestion */
  settle ("start");
  now = was;
  memset (&s, 0xa5, sizeof s);
  rcc_gcc_sender_init (&s, &config, &m.limits);
  same_state ();
}

/* Packets that a link of that rate takes, and a few of which it loses, marks or holds up. */
static void
send_some (gdouble share, gdouble link, gdouble bad)
{
  for (guint i = 1 + below (20); i > 0 && n_waiting < WAITING; i--) {
    RccPacket *p = &waiting[n_waiting++];
    const gdouble bps = probe_left > 0 ? 2.0 * m.target : share * m.target;
    RccUpdate u;

    *p = (RccPacket) { .size = 100 + below (1100), .sent = now, .arrived = RCC_NEVER,
      .probe = probe_left > 0 ? probe_id : 0 };
    probe_left -= probe_left > 0;
    u = rcc_tell (&s.sender, on_sent, p);
    g_assert_cmpuint (u.changed, ==, 0);
    model_sent (p);
    same_state ();
    busy = MAX (busy, now) + (RccTime) (8e9 * p->size / link);
    p->flags = chance (bad) ? RCC_PACKET_CE : 0;
    if (!chance (bad))
      p->arrived = busy + 40 * RCC_SEC;         /* another clock */
    else if (chance (0.5))
      p->flags |= chance (0.5) ? RCC_PACKET_LATE : RCC_PACKET_RECEIVED;
    now += MIN ((RccTime) (8e9 * p->size / MAX (bps, 1000)), 200 * RCC_MSEC);
  }
}

static void
tell_packets (void)
{
  const guint n = chance (0.05) ? 0 : n_waiting - (n_waiting > 1 ? below (n_waiting / 2) : 0);

  same (rcc_tell (&s.sender, on_feedback, waiting, n, now), model_feedback (waiting, n));
  g_assert_cmpuint (s.acked_bps, ==, m.delay.received_bps);
  n_waiting -= n;
  memmove (waiting, waiting + n, n_waiting * sizeof *waiting);
}

static void
tell_report (gdouble bad)
{
  const RccReport r = {
    .expected = chance (0.1) ? 0 : 1 + below (100), .nothing_new = chance (0.1),
    .fraction_lost = chance (0.5) ? 0 : bad * rcc_rng_uniform (&rng) * 4,
    .ce = chance (0.7) ? 0 : below (20), .rtt = chance (0.3) ? RCC_NEVER : below (300) * RCC_MSEC,
  };

  same (rcc_tell (&s.sender, on_report, &r, now), model_report (&r));
}

static void
tell_remb (void)
{
  const guint32 bps = chance (0.2) ? G_MAXUINT32 : chance (0.05) ? 0
      : (guint32) (m.target * (0.5 + 2 * rcc_rng_uniform (&rng)));

  same (rcc_tell (&s.sender, on_remb, bps, now), model_remb (bps));
}

static void
move_limits (void)
{
  m.limits = any_limits ();
  same (rcc_tell (&s.sender, on_config, &m.limits, now), settle ("limits changed"));
}

static void
wake (void)
{
  const RccTime due = rcc_deadline (&s.sender);

  if (chance (0.8) && due != RCC_NEVER) {
    const RccTime then = due - (chance (0.2) && due > 0);

    now = MAX (now, then);
  }
  same (rcc_tell (&s.sender, on_deadline, now), model_deadline ());
}

static void
live (void)
{
  const gboolean fed = chance (0.6), reported = chance (0.6), rembs = chance (0.4);
  gdouble link = 3e6, bad = 0;

  begin ();
  for (guint i = 0; i < STEPS; i++) {
    const guint what = below (100);

    if (what < 50)
      send_some (0.4 + rcc_rng_uniform (&rng), link, bad);
    else if (what < 70 && fed && i / 100 != 2)
      tell_packets ();
    else if (what < 80 && reported)
      tell_report (bad);
    else if (what < 88 && rembs)
      tell_remb ();
    else if (what < 95)
      wake ();
    else if (what < 96)
      move_limits ();
    else if (what < 97)
      now += below (4000) * RCC_MSEC;
    else {
      link = 2e5 + below (5000000);
      bad = chance (0.5) ? 0 : 0.3 * rcc_rng_uniform (&rng);
    }
  }
}

static void
a_sender_is_the_least_of_its_parts (void)
{
  for (guint i = 0; i < LIVES; i++) {
    rcc_rng_init (&rng, 2016, i);
    live ();
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gcc-random/a_sender_is_the_least_of_its_parts",
      a_sender_is_the_least_of_its_parts);
  return g_test_run ();
}
