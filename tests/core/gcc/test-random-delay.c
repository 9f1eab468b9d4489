/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Random usage and paths: the rate held against Figure 3 of ANRW'16, 5.5 of the draft and what
 * aimd.h adds, and the delay-based controller against its parts, put together once more as delay.h
 * and config.h say.
 */
#include <math.h>
#include <glib.h>
#include "core/gcc/config.h"
#include "core/gcc/delay.h"
#include "../../random.h"

#define LIVES 300
#define STEPS 400

typedef struct {
  RccAimdConfig c;
  RccAimdState state;
  gdouble bps, noise, capacity, deviation, shown, resume, undrained;
  RccTime rtt, updated, fell, shown_at, judged, long_queue, short_queue, waited;
  gboolean unprobed;
  guint vain;
  gdouble lost;                         /* share */
  RccTime lost_at, lossy_at;
  RccDoubt doubt;                       /* a part; test-doubt.c */
} Rate;

typedef struct {
  RccGccConfig c;
  RccGroups groups;
  RccKalman kalman;
  RccKalman2 kalman2;
  RccTrendline trendline;
  RccOveruse overuse;
  RccWindow slow, fast;
  Rate rate;
  GArray *arrivals;                     /* of 20 s */
  gboolean any;
  gint64 owd, base[2];
  RccTime arrival, base_since, least_since, least[2], stands, queue;
  guint64 stood, samples;
} Delay;

static RccAimd a;
static RccGccDelay d;
static Rate r;
static Delay m;
static RccTime now;

/* --- the rate --------------------------------------------------------------- */

static void
rate_init (Rate *x, const RccAimdConfig *c, gdouble start)
{
  *x = (Rate) { .c = *c, .state = RCC_AIMD_INCREASE, .bps = start, .rtt = 200 * RCC_MSEC,
    .updated = RCC_NEVER, .fell = RCC_NEVER, .shown_at = RCC_NEVER, .lost_at = RCC_NEVER,
    .lossy_at = RCC_NEVER, .waited = RCC_NEVER };
  rcc_doubt_init (&x->doubt, c->doubt);
}

static void
outgrow (Rate *x)
{
  rcc_doubt_claim (&x->doubt, x->capacity, x->deviation);
  x->capacity = 0;
}

static gdouble
growth (const Rate *x)
{
  if (!x->c.eta_varies)
    return x->c.eta;
  /* 1.005 < eta < 1.3, the less the longer the round trip and the noisier the path */
  return MIN (1.3, 1.005 + 0.0407 / (1 + exp (0.0025
              * (0.85e-6 * (gdouble) x->rtt - (800 - 6.15 * x->noise)))));
}

/* A source that the fall has stopped, and nobody probes. */
static gboolean
is_free (const Rate *x)
{
  return x->c.recover_free && x->unprobed && x->fell != RCC_NEVER && now >= x->fell
      && now - x->fell < 10 * RCC_SEC;
}

static gboolean
recovers (const Rate *x, RccTime queue)
{
  return x->c.recover > 0 && x->capacity > 0 && queue < x->c.queue_floor
      && x->bps < x->c.recover * x->capacity;
}

/* Nobody knows the path, nobody probes it, and the last fall is over: eta more than once. */
static gdouble
power (const Rate *x, RccTime queue)
{
  if (x->c.climb <= 0 || !x->unprobed || x->capacity > 0 || queue >= x->c.queue_floor)
    return 1;
  return x->fell == RCC_NEVER || now >= x->fell + 3 * RCC_SEC ? x->c.climb : 1;
}

static void
climb (Rate *x, gdouble received, RccTime queue, gdouble dt)
{
  const gdouble response = 0.1 + 1e-9 * (gdouble) x->rtt;
  gdouble most = x->c.cap * received + 10000, step;

  dt = MIN (dt, 1);
  rcc_doubt_normal (&x->doubt, received, queue > x->c.queue_floor, now);
  if (x->capacity > 0 && received > x->capacity + 3 * x->deviation)
    outgrow (x);
  if (recovers (x, queue)) {
    most = is_free (x) ? INFINITY : most;
    step = MIN (x->bps * (pow (1.5, dt) - 1), x->c.recover * x->capacity - x->bps);
  } else if (x->c.converge && x->capacity > 0
      && fabs (received - x->capacity) < 3 * x->deviation) {
    /* half a packet of the mean size in a response time */
    const gdouble frame = MAX (x->bps, 1) / 30;

    step = 0.5 * MIN (dt / response, 1) * frame / ceil (frame / 9600);
  } else {
    step = x->bps * (pow (growth (x), dt * power (x, queue)) - 1);
  }
  step = MAX (step, 1000 * dt);
  if (x->bps < most)
    x->bps = MIN (x->bps + step, most);
}

static gboolean
of_late (RccTime then)
{
  return then != RCC_NEVER && ABS ((gint64) (now - then)) < 30 * (gint64) RCC_SEC;
}

static void
lose (Rate *x, gint lost, guint expected)
{
  const gdouble share = expected == 0 ? 0 : CLAMP ((gdouble) lost / expected, -1, 1);
  const gdouble weight = MIN (expected / 600.0, 1);

  x->lost = (1 - weight) * x->lost + weight * share;
  if (lost > 0)
    x->lost_at = now;
  if (x->lost > 0.03)
    x->lossy_at = now;
}

/* Mostly few; now and then so many, or late ones that come after all. */
static gint
some (void)
{
  return chance (0.8) ? 0 : chance (0.9) ? 1 : (gint) below (30) - 2;
}

static void
fall (Rate *x, gdouble received, RccTime queue)
{
  const guint vain = of_late (x->lossy_at) ? 0 : x->vain;
  gdouble share = x->c.beta, to;

  if (queue < x->c.queue_floor)
    return;
  if (x->shown_at != RCC_NEVER && now >= x->shown_at && now - x->shown_at < 500 * RCC_MSEC)
    received = MAX (received, x->shown);
  /* not twice in a round trip, unless that much less arrives */
  if (x->fell != RCC_NEVER && now >= x->fell
      && now - x->fell < CLAMP (x->rtt, 10 * RCC_MSEC, 200 * RCC_MSEC)
      && received >= 0.5 * x->bps)
    return;
  if (x->resume == 0)
    x->undrained = x->bps;
  x->resume = x->c.drain_resume * MIN (received, x->undrained);
  if (x->c.drain_time > 0)
    share = MAX (0.5, x->c.beta_small
        - (gdouble) queue / (gdouble) x->c.drain_time / (gdouble) (1 << vain));
  if (x->c.drain_time > 0
      && (x->long_queue == 0 || now + x->c.drain_time + x->rtt < x->judged)) {
    x->judged = now + x->c.drain_time + x->rtt;
    x->long_queue = x->short_queue = queue;
  }
  to = share * received;
  if (x->capacity > 0 && to > x->bps)
    to = share * x->capacity;
  x->bps = MIN (x->bps, to);
  rcc_doubt_over_use (&x->doubt, received);
  if (x->capacity > 0 && received < x->capacity - 3 * x->deviation)
    x->capacity = 0;
  x->fell = now;
  if (!x->c.converge && x->c.recover == 0)
    return;                             /* nobody asks for the capacity */
  if (x->capacity == 0) {
    x->capacity = received;
    x->deviation = 0.05 * received;
  } else {
    const gdouble off = received - x->capacity;

    x->capacity += x->c.learn * off;
    x->deviation = sqrt ((1 - x->c.learn) * x->deviation * x->deviation
        + x->c.learn * off * off);
    x->deviation = CLAMP (x->deviation, 0.01 * x->capacity, 0.05 * x->capacity);
  }
}

/* What a decrease did to the queue, and what follows from it. */
static void
drained (Rate *x, RccTime queue)
{
  if (queue < x->c.queue_floor) {
    x->bps = MAX (x->bps, x->resume);
    x->resume = 0;
    x->long_queue = 0;
    x->vain = 0;
    return;
  }
  x->short_queue = MIN (x->short_queue, queue);
  if (x->long_queue == 0 || now < x->judged)
    return;
  if ((gdouble) x->short_queue > 0.7 * (gdouble) x->long_queue
      && x->short_queue >= 100 * RCC_MSEC && of_late (x->lost_at))
    x->vain = MIN (x->vain + 1, x->c.drain_doubt);
  else
    x->vain -= x->vain > 0;
  x->long_queue = 0;
}

static void
rate_update (Rate *x, RccUsage usage, gdouble received, RccTime queue)
{
  const gdouble dt = x->updated == RCC_NEVER || now < x->updated ? 0
      : 1e-9 * (gdouble) (now - x->updated);

  x->updated = now;
  /* Figure 3 */
  if (usage == RCC_USAGE_OVER)
    x->state = RCC_AIMD_DECREASE;
  else if (usage == RCC_USAGE_UNDER)
    x->state = RCC_AIMD_HOLD;
  else
    x->state = x->state == RCC_AIMD_DECREASE ? RCC_AIMD_HOLD : RCC_AIMD_INCREASE;
  if (is_free (x)) {                    /* the last packet knows the queue sooner */
    queue = MIN (queue, x->waited);
    if (usage == RCC_USAGE_UNDER && recovers (x, x->waited))
      x->state = RCC_AIMD_INCREASE;
  }
  if (received <= 0)
    return;
  if (x->state == RCC_AIMD_INCREASE)
    climb (x, received, queue, dt);
  if (x->state == RCC_AIMD_DECREASE)
    fall (x, received, queue);
  drained (x, queue);
}

static void
rate_raise (Rate *x, gdouble bps)
{
  if (bps <= x->bps)
    return;
  bps = rcc_doubt_believed (&x->doubt, MAX (x->bps, x->capacity), bps);
  x->bps = x->shown = bps;
  x->shown_at = x->updated = now;
  if (x->capacity > 0 && bps > x->capacity + 3 * x->deviation)
    outgrow (x);
}

static void
same_rate (const RccAimd *x, Rate *y)
{
  g_assert_cmpint (x->state, ==, y->state);
  g_assert_cmpfloat_with_epsilon (x->bps, y->bps, 1e-8 * (1 + y->bps));
  g_assert_cmpfloat_with_epsilon (x->capacity, y->capacity, 1e-8 * (1 + y->capacity));
  g_assert_cmpfloat_with_epsilon (x->deviation, y->deviation, 1e-6 * (1 + y->deviation));
  y->bps = x->bps;                      /* the last bit may differ: not by and by */
  y->capacity = x->capacity;
  y->deviation = x->deviation;
}

static RccAimdConfig
any_rate (void)
{
  RccAimdConfig c = rcc_gcc_config ((RccGccProfile) below (3)).aimd;

  if (chance (0.3))
    c.converge = chance (0.5);
  if (chance (0.3))
    c.recover = chance (0.5) ? 0 : rcc_rng_uniform (&rng);
  if (chance (0.3))
    c.queue_floor = below (30) * RCC_MSEC;
  if (chance (0.3))
    c.drain_time = below (3) * 100 * RCC_MSEC;
  if (chance (0.3))
    c.drain_resume = chance (0.5) ? 0 : rcc_rng_uniform (&rng);
  if (chance (0.3))
    c.drain_doubt = below (5);
  if (chance (0.3))
    c.doubt = below (5);
  return c;
}

static void
rates_follow_usage (void)
{
  for (guint life = 0; life < LIVES; life++) {
    RccAimdConfig c;
    gdouble path = 1e6, start;

    rcc_rng_init (&rng, 55, life);
    c = any_rate ();
    start = chance (0.05) ? 0 : 1000.0 + below (1000000);
    now = chance (0.5) ? 0 : 100 * RCC_SEC;
    memset (&a, 0xa5, sizeof a);
    rcc_aimd_init (&a, &c, start);
    rate_init (&r, &c, start);
    if (chance (0.7))
      a.rtt = r.rtt = below (400) * RCC_MSEC;
    a.noise = r.noise = below (200);
    r.unprobed = chance (0.4);
    a.unprobed = r.unprobed;
    for (guint i = 0; i < STEPS; i++) {
      const RccUsage usage = chance (0.75) ? RCC_USAGE_NORMAL : chance (0.5) ? RCC_USAGE_OVER
          : RCC_USAGE_UNDER;
      const gdouble received = chance (0.05) ? 0 : MIN (path, r.bps)
          * (0.9 + 0.2 * rcc_rng_uniform (&rng));
      const RccTime queue = chance (0.5) ? 0 : below (chance (0.5) ? 100 : 400) * RCC_MSEC;

      a.waited = r.waited = chance (0.3) ? RCC_NEVER : below (60) * RCC_MSEC;
      if (chance (0.1)) {
        const gint lost = some ();
        const guint expected = below (100);

        rcc_drain_losses (&a.drain, lost, expected, now);
        lose (&r, lost, expected);
      }
      if (chance (0.03)) {
        const gdouble shown = r.bps * (0.8 + rcc_rng_uniform (&rng));

        rcc_aimd_raise (&a, shown, now);
        rate_raise (&r, shown);
        same_rate (&a, &r);
      }
      g_assert_cmpfloat (rcc_aimd_update (&a, usage, received, queue, now), ==, a.bps);
      rate_update (&r, usage, received, queue);
      same_rate (&a, &r);
      now += chance (0.05) ? below (3000) * RCC_MSEC : below (100) * RCC_MSEC;
      if (chance (0.005)) {             /* the arrival clock is set back */
        const RccTime back = below (2000) * RCC_MSEC;

        now -= MIN (now, back);
      }
      if (chance (0.02))
        path = 1e5 + below (3000000);
    }
  }
}

/* --- the controller --------------------------------------------------------- */

static gdouble
filtered (const RccGroupDelta *delta)
{
  if (m.c.filter == RCC_FILTER_KALMAN)
    return rcc_kalman_update (&m.kalman, delta);
  if (m.c.filter == RCC_FILTER_KALMAN2)
    return rcc_kalman2_update (&m.kalman2, delta, m.overuse.usage);
  return 4 * rcc_trendline_update (&m.trendline, delta);
}

/* Above the least of this and of the previous 10 s; a minute's step is a clock's. */
static void
note_queue (RccTime send)
{
  const gint64 owd = (gint64) (now - send);

  if (m.any && ABS (owd - m.owd) > 60 * (gint64) RCC_SEC)
    m.any = FALSE;
  if (!m.any || now >= m.base_since + 10 * RCC_SEC) {
    m.base[1] = m.any ? m.base[0] : G_MAXINT64;
    m.base[0] = owd;
    m.base_since = now;
  }
  m.any = TRUE;
  m.owd = owd;
  m.base[0] = MIN (m.base[0], owd);
  m.queue = (RccTime) (owd - MIN (m.base[0], m.base[1]));
  if (now >= m.least_since + 30 * RCC_MSEC || now < m.least_since) {
    m.least[1] = m.least[0];
    m.least[0] = m.queue;
    m.least_since = now;
  }
  m.least[0] = MIN (m.least[0], m.queue);
  m.rate.doubt.crowded = MIN (m.least[0], m.least[1]) >= m.c.aimd.queue_floor;
}

static gdouble
rate_received (RccUsage usage)
{
  const gdouble slow = rcc_window_bps (&m.slow, now);
  gdouble bps = slow, fast;
  const RccTime stood = now - m.stands;

  if (usage != RCC_USAGE_OVER)
    return slow;
  if (m.c.fast_window > 0) {
    fast = rcc_window_bps (&m.fast, now);
    if (fast > 1.3 * slow)
      bps = fast;
    else if (1.3 * fast < slow)
      bps = MAX (fast, slow / 2);
  }
  /* what leaves a standing queue is what the path takes */
  if (m.c.stand_time > 0 && stood >= m.c.stand_time && stood < m.c.rate_window)
    bps = MAX (bps, 8e9 * (gdouble) m.stood / (gdouble) stood);
  return bps;
}

static RccTime
standing (void)
{
  if (m.c.stand_time == 0)
    return m.queue;
  if (now - m.stands < m.c.stand_time && m.queue < m.c.stand_time)
    return 0;
  return MIN (m.least[0], m.least[1]);
}

static gboolean
model_packet (RccTime send, guint32 size)
{
  RccGroupDelta delta;
  RccUsage usage;
  gdouble out;

  if (now + m.c.rate_window < m.arrival) {      /* the clock was set back */
    rcc_window_init (&m.slow, m.c.rate_window);
    rcc_window_init (&m.fast, m.c.fast_window);
  }
  m.arrival = now;
  rcc_window_add (&m.slow, size, now);
  if (m.c.fast_window > 0)
    rcc_window_add (&m.fast, size, now);
  note_queue (send);
  if (m.queue >= m.c.aimd.queue_floor && now >= m.stands) {
    m.stood += size;
  } else {
    m.stands = now;
    m.stood = 0;
  }
  m.groups.normal_bps = m.c.merge_faster * rcc_window_bps (&m.slow, now);
  if (!rcc_groups_add (&m.groups, send, now, size, &delta))
    return FALSE;
  m.samples++;
  out = filtered (&delta);
  if (m.c.filter == RCC_FILTER_KALMAN2)
    m.rate.noise = m.kalman2.var;
  out *= MIN ((gdouble) m.samples, m.c.gain);
  usage = rcc_overuse_update (&m.overuse, out, delta.d_send, now);
  g_assert_cmpfloat (d.trend, ==, out);
  g_assert_cmpfloat (d.variation, ==, 1e-6 * (gdouble) (delta.d_arrival - delta.d_send));
  g_assert_cmpuint (d.received_bps, ==, rcc_window_bps (&m.slow, now));
  rate_update (&m.rate, usage, rate_received (usage), standing ());
  return TRUE;
}

static void
same_words (void)
{
  static const char *const usages[] = { "under", "normal", "over" };
  static const char *const states[] = { "hold", "increase", "decrease" };

  g_assert_cmpstr (d.usage, ==, usages[m.overuse.usage + 1]);
  g_assert_cmpstr (d.state, ==, states[m.rate.state]);
  g_assert_cmpfloat (d.threshold, ==, m.overuse.threshold);
  g_assert_cmpuint (d.estimate_bps, ==, (guint32) MIN (m.rate.bps, G_MAXUINT32));
  g_assert_cmpfloat (rcc_gcc_delay_bps (&d), ==, m.rate.bps);
}

static void
begin (void)
{
  m = (Delay) { .c = rcc_gcc_config ((RccGccProfile) below (3)) };
  m.c.base_rise = 0;                    /* test-base-delay.c */
  m.c.capacity_drop = 0;                /* test-capacity-drop.c */
  m.c.stand_limit = 0;                  /* test-standing.c, test-delay.c */
  m.c.full_queue = 0;                   /* test-full-queue.c */
  m.c.tcp_share = 0;                    /* test-tcp-share.c */
  m.c.filter = (RccFilterKind) below (3);
  m.c.aimd = any_rate ();
  if (chance (0.5))
    m.c.fast_window = chance (0.5) ? 0 : 150 * RCC_MSEC;
  if (chance (0.5))
    m.c.stand_time = chance (0.5) ? 0 : 60 * RCC_MSEC;
  if (chance (0.3))
    m.c.merge_faster = 0;
  if (chance (0.2))
    m.c.slope_noise = m.c.offset_noise = 1e-3;
  m.base[0] = m.base[1] = G_MAXINT64;
  rcc_groups_init (&m.groups, m.c.grouping, m.c.burst, m.c.merge_cap);
  rcc_kalman_init (&m.kalman);
  m.c.clip_state = chance (0.2);
  m.kalman.clip = m.c.clip;
  m.kalman.clip_state = m.c.clip_state;
  rcc_kalman2_init (&m.kalman2);
  if (m.c.slope_noise > 0)
    m.kalman2.slope_noise = m.c.slope_noise;
  if (m.c.offset_noise > 0)
    m.kalman2.offset_noise = m.c.offset_noise;
  rcc_trendline_init (&m.trendline);
  rcc_overuse_init (&m.overuse, &m.c.overuse);
  rcc_window_init (&m.slow, m.c.rate_window);
  rcc_window_init (&m.fast, m.c.fast_window);
  rate_init (&m.rate, &m.c.aimd, 300000);
  memset (&d, 0xa5, sizeof d);
  rcc_gcc_delay_init (&d, &m.c, 300000);
  g_assert_cmpint (rcc_gcc_delay_base (&d), ==, G_MAXINT64);
  same_words ();
}

static void
lift (void)
{
  const gdouble shown = m.rate.bps * (0.5 + 2 * rcc_rng_uniform (&rng));

  rcc_gcc_delay_raise (&d, shown, now);
  rate_raise (&m.rate, shown);
  same_rate (&d.aimd, &m.rate);
  same_words ();
}

static void
controllers_are_what_their_parts_say (void)
{
  for (guint life = 0; life < LIVES; life++) {
    RccTime send = RCC_SEC, busy = 0, hold = 0;
    gdouble link = 1e6, share = 1;
    gint64 offset;

    rcc_rng_init (&rng, 54, life);
    begin ();
    offset = chance (0.5) ? 0 : 3 * (gint64) RCC_SEC;
    for (guint i = 0; i < STEPS; i++) {
      const guint32 size = 200 + below (1000);

      busy = MAX (busy, send) + (RccTime) (8e9 * size / link);
      busy = MAX (busy, hold);
      now = (RccTime) ((gint64) (busy + 20 * RCC_MSEC) + offset);
      g_assert_cmpint (rcc_gcc_delay_packet (&d, send, now, size), ==, model_packet (send, size));
      same_rate (&d.aimd, &m.rate);
      g_assert_cmpint (rcc_gcc_delay_base (&d), ==, MIN (m.base[0], m.base[1]));
      g_assert_cmpuint (d.queue, ==, m.queue);
      same_words ();
      if (chance (0.1)) {
        const gint lost = some ();
        const guint expected = below (100);

        rcc_gcc_delay_losses (&d, lost, expected);
        lose (&m.rate, lost, expected);
      }
      if (chance (0.01))
        lift ();
      if (chance (0.01)) {
        const RccTime rtt = below (300) * RCC_MSEC;

        rcc_gcc_delay_set_rtt (&d, rtt);
        m.rate.rtt = rtt;
      }
      send += chance (0.3) ? 0 : (RccTime) (8e9 * size / MAX (share * MIN (m.rate.bps, 4e6), 1e4));
      if (chance (0.01))
        send += below (12000) * RCC_MSEC;
      if (chance (0.01))
        link = 1e5 + below (4000000);
      if (chance (0.02))
        share = chance (0.5) ? 1 : 0.5 + 2 * rcc_rng_uniform (&rng);
      if (chance (0.01))
        hold = send + below (300) * RCC_MSEC;
      if (chance (0.003))
        offset += chance (0.5) ? 1000 * (gint64) RCC_SEC : 2 * (gint64) RCC_SEC;
      else if (chance (0.003) && offset > 0)
        offset -= offset / 2;
    }
  }
}

/* --- the detector ----------------------------------------------------------- */

/* 5.4 of the draft: over-use when the trend has been above the threshold for overuse_time, twice at
 * least, and does not fall; the threshold follows it, but not what is far off. */
static void
usages_follow_trends (void)
{
  for (guint life = 0; life < LIVES; life++) {
    RccOveruse o;
    RccOveruseConfig c;
    gdouble threshold, before = 0, trend = 0;
    RccTime over = RCC_NEVER, adapted = RCC_NEVER;
    RccUsage usage = RCC_USAGE_NORMAL;
    guint64 overuses = 0;
    guint n = 0;

    rcc_rng_init (&rng, 53, life);
    c = rcc_gcc_config ((RccGccProfile) below (3)).overuse;
    c.overuse_time = below (5) * 10 * RCC_MSEC;
    c.threshold = chance (0.5) ? 0 : 1 + below (700);
    memset (&o, 0xa5, sizeof o);
    rcc_overuse_init (&o, &c);
    threshold = c.threshold > 0 ? c.threshold : 12.5;
    now = chance (0.5) ? 0 : RCC_SEC;
    for (guint i = 0; i < STEPS; i++) {
      const gint64 step = chance (0.05) ? -1000 : (gint64) (below (5) * 5 * RCC_MSEC);
      gdouble off, ms;

      trend = chance (0.3) ? trend : threshold * (2.6 * rcc_rng_uniform (&rng) - 1.2)
          + (chance (0.1) ? 40 : 0);
      if (chance (0.02))
        trend = threshold;
      now += (RccTime) MAX (step, 0);
      if (chance (0.02))
        now += RCC_SEC;
      if (trend <= threshold) {
        over = RCC_NEVER;
        n = 0;
        usage = trend < -threshold ? RCC_USAGE_UNDER : RCC_USAGE_NORMAL;
      } else {
        over = over == RCC_NEVER ? (RccTime) MAX (step, 0) / 2 : over + (RccTime) MAX (step, 0);
        n++;
        if (over > c.overuse_time && n >= 2 && trend >= before) {
          over = n = 0;
          usage = RCC_USAGE_OVER;
          overuses++;
        }
      }
      before = trend;
      off = fabs (trend) - threshold;
      ms = adapted == RCC_NEVER ? 0 : MIN (100, 1e-6 * (gdouble) (now - adapted));
      adapted = now;
      if (off <= 15)
        threshold = CLAMP (threshold + ms * (off < 0 ? c.k_down : c.k_up) * off, 6, 600);
      g_assert_cmpint (rcc_overuse_update (&o, trend, step, now), ==, usage);
      g_assert_cmpfloat_with_epsilon (o.threshold, threshold, 1e-9);
      threshold = o.threshold;
      g_assert_cmpuint (o.overuses, ==, overuses);
    }
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gcc-random-delay/rates-follow-usage", rates_follow_usage);
  g_test_add_func ("/gcc-random-delay/controllers-are-what-their-parts-say",
      controllers_are_what_their_parts_say);
  g_test_add_func ("/gcc-random-delay/usages-follow-trends", usages_follow_trends);
  return g_test_run ();
}
