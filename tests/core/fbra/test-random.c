/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Random lives of FBRA's sender, each step held against what the paper's 4.3 and 4.4, config.h and
 * the notes at the top of fbra.c say.  The parts (states, outcomes, delays, capacity, N) are the
 * core's, but others.
 */
#include <math.h>
#include <glib.h>
#include "core/fbra/fbra.h"
#include "../../random.h"

#define LIVES 200
#define STEPS 250
#define WAITING 400
#define NEAR_CAPACITY "close to the highest rate of late"

typedef struct {
  RccFbraConfig c;
  RccConfig limits;
  RccFbraState state;
  gdouble rate, first_goodput, good_then, rate_then;
  guint n, ignore, parity;
  RccSkewOwd clock;
  RccOwd delays;
  RccOutcomes outcomes;
  RccWindow media;
  RccFbraPeak peak;
  RccFbraCapacity capacity;
  RccFbraSharing sharing;
  RccReportTimer timer;
  gboolean high, held, bounce, fresh;
  RccTime raised, deaf_until, fed;
  RccReport report;
  gint64 highest_seq;
  /* told */
  guint32 target, fec, interval, goodput, sent;
  RccFbraState shown;
  guint64 losses, discards, repairs, reports, ignored, early, silences, probes, passed, unproved;
  guint64 undershoots, bounces;
  RccTime owd;
} Model;

static RccFbra f;
static Model m;
static RccPacket waiting[WAITING];
static guint n_waiting;
static RccTime now, busy, deepest;
static gint64 seq;

static gdouble
most (void)
{
  return MAX (m.limits.min_bps, m.limits.max_bps);
}

/* 1 kbit/s at least, unless all that is allowed is less. */
static gdouble
limited (gdouble rate)
{
  return MIN (MAX (rate, MAX (m.limits.min_bps, 1000.0)), most ());
}

static RccUpdate
publish (const char *reason)
{
  gdouble media = m.rate, parity = 0;
  guint32 interval = 0, target;
  RccUpdate u = { .reason = reason };

  if (m.state == RCC_FBRA_PROBE)
    interval = rcc_fbra_fit (m.n, m.c.n_max, m.rate, most (), &media, &parity);
  target = (guint32) media + (guint32) parity;
  u.changed = (m.shown != m.state ? RCC_STATE : 0) | (target != m.target ? RCC_TARGET : 0)
      | ((guint32) parity != m.fec || interval != m.interval ? RCC_FEC : 0);
  m.shown = m.state;
  u.target_bps = m.target = target;
  u.fec_bps = m.fec = (guint32) parity;
  m.interval = interval;
  return u;
}

static RccTime
rtt (void)
{
  return rcc_skew_owd_rtt_min (&m.clock);
}

/* What is above the lowest tenth is a queue. */
static RccTime
queue (void)
{
  const RccTime usual = rcc_owd_percentile (&m.delays, 0.1);

  return m.owd == RCC_NEVER || usual == RCC_NEVER ? 0 : m.owd > usual ? m.owd - usual : 0;
}

/* Until what leaves now is reported. */
static RccTime
answer_time (void)
{
  return queue () + (rtt () == RCC_NEVER ? 0 : rtt ());
}

static RccTime
spacing (void)
{
  return rcc_report_timer_spacing (&m.timer, &m.c.reports, rtt ());
}

static gdouble
came (const RccOutcomesSum *sum)
{
  return m.c.probe_backoff > 0 ? sum->path_bps : sum->received_bps;
}

/* 4.4: twice the difference to what was good, and 0.9 of that; or by what the path takes */
static void
undershoot (const RccOutcomesSum *sum)
{
  gdouble to;

  m.undershoots++;
  if (m.c.by_capacity && sum->rated && sum->received_bps > 0) {
    const gdouble takes = rcc_fbra_capacity_fall (&m.capacity, &m.c, m.rate, came (sum), now);

    to = rcc_fbra_capacity_share (&m.c, takes, m.rate, queue (), rtt () == RCC_NEVER ? 0 : rtt (),
        MAX (answer_time (), spacing ()));
    m.good_then = m.capacity.bps;
    if (m.sharing.shared)
      m.capacity.until = now + m.c.share_backoff;
    m.rate_then = m.capacity.falls > 1 ? MAX (m.rate, m.rate_then) : m.rate;
  } else {
    const gdouble sent = sum->rated && sum->sent_bps > 0 ? MIN (m.rate, sum->sent_bps) : m.rate;
    const gdouble good = sum->rated ? sum->goodput_bps : sent;

    to = m.c.undershoot_factor * (sent - m.c.undershoot_delta * MAX (sent - good, 0));
    if (!m.bounce) {
      m.good_then = good;
      m.rate_then = m.rate;
    }
  }
  m.rate = limited (MIN (m.rate, to));
}

static void
deactivate (void)
{
  const RccTime some = (RccTime) (m.c.deactivate * (gdouble) spacing ());

  m.deaf_until = now + (m.c.by_capacity ? MAX (answer_time (), some) : some);
  m.ignore = m.c.deactivate_reports;
  m.bounce = TRUE;
}

static void
choose_n (void)
{
  if (m.sharing.shared)
    m.n = rcc_fbra_sharing_n (&m.c, m.rate);
  else if (m.c.rule == RCC_FBRA_N_STREAK)
    m.n = rcc_fbra_capacity_n (&m.capacity, &m.c, m.rate);
  else
    m.n = rcc_fbra_choose_n (&m.c, m.rate, m.first_goodput, rcc_fbra_peak (&m.peak, now),
        m.probes == 0);
  m.probes++;
  m.parity = 0;
}

static void
pass (void)
{
  gdouble media = m.rate, parity = 0;

  rcc_fbra_fit (m.n, m.c.n_max, m.rate, most (), &media, &parity);
  m.rate = limited (media + parity);
  m.raised = now;
  m.passed++;
  m.unproved += m.parity == 0;
  rcc_fbra_capacity_passed (&m.capacity, &m.c, m.rate);
}

static void
act (const RccFbraStep *step, const RccOutcomesSum *sum)
{
  if (step->fec == RCC_FBRA_FEC_ON)
    choose_n ();
  if (step->fec == RCC_FBRA_FEC_LESS)
    m.n = m.n < m.c.n_max ? m.n + 1 : m.n;
  if (step->fec == RCC_FBRA_FEC_SWAP)
    pass ();
  if (step->undershoot)
    undershoot (sum);
  if (step->deactivate || (step->undershoot && m.c.by_capacity))
    deactivate ();
  m.held = g_strcmp0 (step->reason, NEAR_CAPACITY) == 0;
  m.state = step->state;
}

static RccFbraStep
bounce (const RccFbraCues *cues, gboolean early)
{
  const RccFbraConfig at = rcc_fbra_config_at (&m.c, f.owd_high);

  m.bounce = FALSE;
  if (early || cues->losses > 0 || cues->discards > 0
      || cues->corr_high > at.alpha_undershoot) {
    m.bounce = m.c.bounce_kept;
    return (RccFbraStep) { .state = RCC_FBRA_DOWN, .undershoot = true, .fec = RCC_FBRA_FEC_OFF,
      .reason = "congested after the undershoot" };
  }
  m.capacity.falls = 0;
  m.raised = now;
  m.rate = limited (MAX (m.rate, MIN ((m.sharing.shared ? m.c.share_bounce : m.c.bounce)
              * m.good_then, m.rate_then)));
  m.bounces++;
  return (RccFbraStep) { .state = RCC_FBRA_STAY, .fec = RCC_FBRA_FEC_OFF,
    .reason = "back towards the goodput before the undershoot" };
}

/* What speaks against a probe. */
static const char *
against (const RccOutcomesSum *sum)
{
  if (m.rate >= most ())
    return "at the maximum";
  if (!rcc_fbra_capacity_allows (&m.capacity, &m.c, m.rate, now))
    return "the path was full at that rate";
  if (sum->rated && sum->sent_bps < m.c.filled * m.rate)
    return "the source does not fill its rate";
  if (m.c.by_capacity && m.raised != RCC_NEVER && now < m.raised + answer_time ())
    return "the last increase has no answer yet";
  if (!m.held && m.rate > m.c.near * rcc_fbra_peak (&m.peak, now))
    return NEAR_CAPACITY;
  return NULL;
}

/* A report alone: its losses are recent ones, half its round trip is the delay. */
static RccOutcomesSum
by_report (void)
{
  const gdouble lost = CLAMP (m.report.fraction_lost, 0, 1);
  RccOutcomesSum sum = { .packets = m.report.expected, .rated = rcc_window_full (&m.media, now),
    .owd = m.report.rtt == RCC_NEVER ? RCC_NEVER : m.report.rtt / 2 };

  sum.losses = sum.recent_losses = (guint) lrint (lost * m.report.expected);
  sum.sent_bps = rcc_window_bps (&m.media, now);
  sum.goodput_bps = (1 - lost) * sum.sent_bps;
  return sum;
}

static RccFbraCues
cues_of (const RccOutcomesSum *sum)
{
  RccFbraCues cues = { .losses = sum->losses, .discards = sum->discards,
    .recent_losses = sum->recent_losses, .recent_discards = sum->recent_discards,
    .high_before = m.high };
  RccTime high;
  RccFbraConfig at;

  m.reports++;
  m.losses += sum->losses;
  m.discards += sum->discards;
  m.owd = sum->owd;
  rcc_owd_expire (&m.delays, now);
  high = rcc_owd_percentile (&m.delays, m.c.p_high);
  cues.corr_low = rcc_owd_correlation (m.owd, rcc_owd_percentile (&m.delays, m.c.p_low),
      m.c.owd_floor);
  cues.corr_high = rcc_owd_correlation (m.owd, high, m.c.owd_floor);
  g_assert_cmpfloat (f.corr_low, ==, cues.corr_low);
  g_assert_cmpfloat (f.corr_high, ==, cues.corr_high);
  g_assert_cmpuint (f.owd_high, ==, high);
  at = rcc_fbra_config_at (&m.c, high);
  rcc_fbra_capacity_delay (&m.capacity, &m.c, cues.corr_low < 1);
  m.high = cues.corr_high > at.alpha_stay;
  rcc_fbra_sharing_report (&m.sharing, &m.c, m.high && sum->rated ? came (sum) : 0);
  cues.alarm = m.c.alarm_excess > 0 && cues.corr_high > at.alpha_undershoot;
  if (rcc_fbra_capacity_stray (&m.capacity, &m.c, sum->packets, sum->losses, m.high))
    cues.losses = cues.recent_losses = 0;
  /* only what came well says what is usual */
  if (m.owd != RCC_NEVER && cues.losses + sum->discards == 0)
    rcc_owd_add (&m.delays, m.owd, now);
  if (sum->rated) {
    m.goodput = (guint32) MIN (sum->goodput_bps, G_MAXUINT32);
    m.sent = (guint32) MIN (sum->sent_bps, G_MAXUINT32);
    if (m.first_goodput == 0)
      m.first_goodput = sum->goodput_bps;
    rcc_fbra_peak_add (&m.peak, sum->goodput_bps, now);
  }
  rcc_fbra_peak_add (&m.peak, m.target, now);
  return cues;
}

static RccUpdate
judge (const RccOutcomesSum *sum, gboolean early)
{
  RccFbraCues cues = cues_of (sum);
  const RccFbraConfig at = rcc_fbra_config_at (&m.c, f.owd_high);
  RccFbraStep step;

  if (now < m.deaf_until || m.ignore > 0) {
    m.ignored++;
    m.ignore -= MIN (m.ignore, 1);
    if (m.c.by_capacity && m.c.probe_backoff > 0 && sum->rated && m.high) {
      rcc_fbra_capacity_refine (&m.capacity, came (sum));
      m.good_then = m.capacity.bps;
    }
    return (RccUpdate) { 0 };
  }
  m.parity += sum->parity;
  cues.unproved = m.parity < m.c.parity_least;
  cues.hold = against (sum);
  if (m.bounce)
    step = bounce (&cues, early);
  else if (early && m.state != RCC_FBRA_DOWN)
    step = (RccFbraStep) { .state = RCC_FBRA_DOWN, .undershoot = true, .deactivate = true,
      .fec = RCC_FBRA_FEC_OFF, .reason = "an early report" };
  else
    step = rcc_fbra_step (&at, m.state, &cues);
  act (&step, sum);
  m.capacity.before = sum->rated ? came (sum) : 0;
  return publish (step.reason);
}

static RccUpdate
model_rtcp (void)
{
  RccReportTiming timing;
  RccOutcomesSum sum;

  if (!m.fresh)
    return (RccUpdate) { 0 };
  m.fresh = FALSE;
  timing = rcc_report_timer_heard (&m.timer, &m.c.reports, rtt (), now);
  if (timing == RCC_REPORT_POOLED)
    return (RccUpdate) { 0 };
  m.early += timing == RCC_REPORT_EARLY;
  sum = m.outcomes.sum.packets == 0 ? by_report ()
      : rcc_outcomes_close (&m.outcomes, m.c.recent, now);
  m.report.expected = 0;
  return judge (&sum, timing == RCC_REPORT_EARLY);
}

static void
model_report (const RccReport *r)
{
  if (r->rtt != RCC_NEVER)
    rcc_skew_owd_rtt (&m.clock, r->rtt, now);
  if (r->expected == 0 && r->highest_seq == m.highest_seq)
    return;                             /* nothing new */
  m.highest_seq = r->highest_seq;
  m.report = *r;
  /* while feedback comes, it is what counts */
  if (m.fed == RCC_NEVER || (now > m.fed && now - m.fed > MAX (2 * RCC_SEC, 2 * m.timer.interval)))
    m.fresh = TRUE;
}

static RccUpdate
model_deadline (void)
{
  if (!rcc_report_timer_silent (&m.timer, now))
    return (RccUpdate) { 0 };
  m.silences++;
  m.rate = limited (m.rate / 2);
  m.state = RCC_FBRA_DOWN;
  m.bounce = m.held = m.high = FALSE;
  m.deaf_until = m.ignore = 0;
  return publish ("no report");
}

static RccUpdate
model_limits (const RccConfig *limits)
{
  m.limits = *limits;
  m.rate = limited (m.rate);
  if (m.state == RCC_FBRA_PROBE && m.rate >= most ())
    m.state = RCC_FBRA_STAY;
  return publish ("limits changed");
}

static void
same (RccUpdate a, RccUpdate b)
{
  g_assert_cmpint (f.state, ==, m.state);
  g_assert_cmpstr (f.state_name, ==, rcc_fbra_state_name (m.shown));
  g_assert_cmpfloat_with_epsilon (f.rate, m.rate, 1e-6 * m.rate);
  m.rate = f.rate;
  g_assert_cmpuint (f.target_bps, ==, m.target);
  g_assert_cmpuint (f.fec_bps, ==, m.fec);
  g_assert_cmpuint (f.fec_interval, ==, m.interval);
  g_assert_cmpuint (f.goodput_bps, ==, m.goodput);
  g_assert_cmpuint (f.sent_bps, ==, m.sent);
  g_assert_cmpuint (f.owd, ==, m.owd);
  g_assert_cmpuint (f.losses, ==, m.losses);
  g_assert_cmpuint (f.discards, ==, m.discards);
  g_assert_cmpuint (f.parity_packets, ==, m.repairs);
  g_assert_cmpuint (f.reports, ==, m.reports);
  g_assert_cmpuint (f.ignored, ==, m.ignored);
  g_assert_cmpuint (f.early, ==, m.early);
  g_assert_cmpuint (f.silences, ==, m.silences);
  g_assert_cmpuint (f.probes, ==, m.probes);
  g_assert_cmpuint (f.probes_passed, ==, m.passed);
  g_assert_cmpuint (f.probes_void, ==, m.unproved);
  g_assert_cmpuint (f.undershoots, ==, m.undershoots);
  g_assert_cmpuint (f.bounces, ==, m.bounces);
  g_assert_cmpint (f.sharing.shared, ==, m.sharing.shared);
  g_assert_cmpuint (rcc_deadline (&f.sender), ==, m.timer.silence_next);
  g_assert_cmpuint (a.changed, ==, b.changed);
  g_assert_cmpuint (a.target_bps, ==, b.target_bps);
  g_assert_cmpuint (a.fec_bps, ==, b.fec_bps);
  g_assert_cmpstr (a.reason, ==, b.reason);
  if (a.reason)
    g_assert_cmpstr (f.reason, ==, a.reason);
}

static RccConfig
any_limits (void)
{
  const guint32 min = chance (0.2) ? 0 : below (100000);
  const guint32 max = chance (0.05) ? below (2000) : min + below (chance (0.3) ? 300000 : 5000000);

  return (RccConfig) { min, chance (0.1) ? 0 : 20000 + below (500000), max };
}

static RccFbraConfig
any_config (void)
{
  RccFbraConfig c = chance (0.5) ? rcc_fbra_config () : rcc_fbra_config_plus ();

  if (chance (0.5))
    c.rule = (RccFbraRule) below (3);
  if (chance (0.2))
    c.probe_backoff = 0;
  if (chance (0.3))
    c.deactivate_reports = below (3);
  if (chance (0.3))
    c.bounce_kept = true;
  if (chance (0.3))
    c.parity_least = below (3);
  if (chance (0.3))
    c.reports.pool = chance (0.5);
  if (chance (0.2))
    c.filled = 0;
  return c;
}

static void
begin (void)
{
  m = (Model) {
    .c = any_config (), .limits = any_limits (), .state = RCC_FBRA_STAY, .shown = RCC_FBRA_STAY,
    .highest_seq = G_MININT64, .fed = RCC_NEVER, .owd = RCC_NEVER, .raised = RCC_NEVER,
  };
  now = busy = RCC_SEC + below (100000) * RCC_MSEC;
  deepest = chance (0.2) ? 5 * RCC_SEC : RCC_SEC;
  n_waiting = 0;
  seq = below (1000);
  rcc_report_timer_init (&m.timer);
  rcc_skew_owd_init (&m.clock);
  rcc_owd_init (&m.delays, m.c.owd_window);
  rcc_outcomes_init (&m.outcomes, m.c.d_max);
  rcc_window_init (&m.media, RCC_SEC);
  rcc_fbra_peak_init (&m.peak, m.c.rates_window);
  m.rate = limited (m.limits.start_bps);
  publish ("start");
  memset (&f, 0xa5, sizeof f);
  rcc_fbra_init (&f, &m.c, &m.limits);
  same ((RccUpdate) { 0 }, (RccUpdate) { 0 });
}

static void
send_for (RccTime span, gdouble share, gdouble link, gdouble bad)
{
  const RccTime end = now + span;

  while (now < end && n_waiting < WAITING) {
    RccPacket *p = &waiting[n_waiting++];
    const gboolean repairs = m.interval > 0 && seq % (m.interval + 1) == 0;

    *p = (RccPacket) { .seq = seq++, .size = 200 + below (1000), .sent = now,
      .arrived = RCC_NEVER, .flags = repairs ? RCC_PACKET_PARITY : 0 };
    g_assert_cmpuint (rcc_tell (&f.sender, on_sent, p).changed, ==, 0);
    if (repairs)
      m.repairs++;
    else
      rcc_window_add (&m.media, p->size, now);
    rcc_report_timer_sent (&m.timer, &m.c.reports, rtt (), now);
    busy = MAX (busy, now) + (RccTime) (8e9 * p->size / link);
    if (!chance (bad) && busy - now < deepest)
      p->arrived = busy + 30 * RCC_MSEC + 7 * RCC_SEC;
    p->flags |= chance (bad / 3) ? RCC_PACKET_LATE : 0;
    now += MIN ((RccTime) (8e9 * p->size / MAX (share * m.target, 2000)), 100 * RCC_MSEC);
  }
}

/* One compound: report, feedback and what closes it, any of them alone, too. */
static void
report (gboolean fed, gdouble bad)
{
  const RccRtcp rtcp = { .about_us = true, .from_reporter = true, .n_reporters = 1 };
  const RccReport r = {
    .highest_seq = chance (0.2) ? m.highest_seq : seq - below (3),
    .expected = chance (0.2) ? 0 : 1 + below (60),
    .fraction_lost = chance (0.5) ? 0 : 3 * bad * rcc_rng_uniform (&rng) - 0.05,
    .rtt = chance (0.3) ? RCC_NEVER : (60 + below (40)) * RCC_MSEC,
  };
  RccUpdate a;

  if (chance (0.7)) {
    g_assert_cmpuint (rcc_tell (&f.sender, on_report, &r, now).changed, ==, 0);
    model_report (&r);
  }
  if (fed) {
    const guint n = chance (0.05) ? 0 : n_waiting;

    g_assert_cmpuint (rcc_tell (&f.sender, on_feedback, waiting, n, now).changed, ==, 0);
    if (n > 0) {
      rcc_outcomes_take (&m.outcomes, &m.clock, waiting, n, now);
      m.fed = now;
      m.fresh = TRUE;
    }
    n_waiting -= n;
  } else if (n_waiting > WAITING / 2) {
    n_waiting = 0;
  }
  a = rcc_tell (&f.sender, on_rtcp, &rtcp, now);
  same (a, model_rtcp ());
}

static void
live (void)
{
  const gboolean fed = chance (0.8);
  const RccTime span = (50 + below (400)) * RCC_MSEC;
  gdouble link = 1e6, bad = 0, share = 1;

  begin ();
  for (guint i = 0; i < STEPS; i++) {
    const guint what = below (100);

    send_for (chance (0.05) ? span / 4 : span, share, link, bad);
    if (what < 80) {
      now += (30 + below (20)) * RCC_MSEC;
      report (fed && i / 50 != 3, bad);
    } else if (what < 90) {
      if (chance (0.3) && m.timer.silence_next != RCC_NEVER)
        now = MAX (now, m.timer.silence_next);
      same (rcc_tell (&f.sender, on_deadline, now), model_deadline ());
    } else if (what < 92) {
      const RccConfig limits = any_limits ();

      same (rcc_tell (&f.sender, on_config, &limits, now), model_limits (&limits));
    } else {
      link = 1e5 + below (3000000);
      bad = chance (0.6) ? 0 : 0.1 * rcc_rng_uniform (&rng);
      share = chance (0.7) ? 1 : 0.3 + rcc_rng_uniform (&rng);
    }
  }
}

static void
a_sender_does_what_the_paper_says (void)
{
  for (guint i = 0; i < LIVES; i++) {
    rcc_rng_init (&rng, 1310, i);
    live ();
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/fbra-random/a_sender_does_what_the_paper_says",
      a_sender_does_what_the_paper_says);
  return g_test_run ();
}
