/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Random lives of a circuit breaker, each step held against RFC 8083 4.1 to 4.5 and 8, with what
 * breaker.c, stream.c and state.c say they depart by.  Td, s, Tf and the verdict on congestion are
 * the core's, but others.
 */
#include "model-judge.h"

#define LIVES 150
#define STEPS 500

static void
same_stream (const RccBreakerStream *a, const Stream *s)
{
  g_assert_cmpuint (a->ssrc, ==, s->ssrc);
  g_assert_cmpint (a->state, ==, s->state);
  g_assert_cmpstr (a->state_name, ==, rcc_breaker_state_names[s->state]);
  g_assert_cmpint (a->reason, ==, s->reason);
  g_assert_cmpstr (a->reason_name, ==, rcc_breaker_reason_names[s->reason]);
  g_assert_cmpint (a->sending, ==, s->sending);
  g_assert_cmpuint (a->rtt, ==, s->rtt);
  g_assert_cmpuint (a->frame_interval, ==, s->tf);
  g_assert_cmpuint (a->unreceived, ==, s->unreceived);
  g_assert_cmpuint (a->reports, ==, s->reports);
  g_assert_cmpuint (a->media_timeout, ==, s->timeout);
  if (s->sending)
    g_assert_cmpuint (a->cb_interval, ==, s->cb);
  if (s->state == RCC_BREAKER_REDUCED)
    g_assert_cmpuint (a->target_bps, ==, s->target);
  g_assert_cmpfloat (a->loss, ==, s->congestion.figures.loss);
  g_assert_cmpfloat (a->tcp_bps, ==, s->congestion.figures.tcp_bps);
  g_assert_cmpfloat (a->sent_bps, ==, s->congestion.figures.sent_bps);
}

static void
same (RccUpdate x, RccUpdate y)
{
  g_assert_cmpuint (b.n_streams, ==, m.streams->len);
  for (guint i = 0; i < b.n_streams; i++)
    same_stream (&b.streams[i], nth (i));
  for (guint i = 0; i < SSRCS; i++)
    g_assert_cmpint (rcc_breaker_passes (&b, i), ==, passes (i));
  g_assert_cmpint (b.state, ==, worst ());
  g_assert_cmpstr (b.state_name, ==, rcc_breaker_state_names[worst ()]);
  g_assert_cmpint (b.sending, ==, m.sending);
  g_assert_cmpuint (b.heard, ==, m.heard);
  g_assert_cmpuint (b.bytes, ==, m.bytes);
  g_assert_cmpuint (b.triggers, ==, m.triggers);
  g_assert_cmpuint (b.n_events, ==, m.events);
  if (m.events > 0)
    g_assert_cmpmem (&b.events[(m.events - 1) % RCC_BREAKER_EVENTS], sizeof m.event, &m.event,
        sizeof m.event);
  g_assert_cmpuint (b.timing.td, ==, m.timing.td);
  g_assert_cmpuint (b.timing.tdr, ==, m.timing.tdr);
  g_assert_cmpuint (rcc_deadline (&b.sender), ==, m.deadline);
  g_assert_cmpuint (rcc_breaker_retry_after (&b, now), ==,
      worst () == RCC_BREAKER_CLOSED || m.retry <= now ? 0 : m.retry - now);
  g_assert_cmpuint (x.changed, ==, y.changed);
  g_assert_cmpuint (x.target_bps, ==, y.target_bps);
  g_assert_cmpstr (x.reason, ==, y.reason);
}

/* What is asked for while congestion nears decides on nothing, and the model has none of it. */
static RccUpdate
but_for_ceiling (RccUpdate u)
{
  return u.changed && strstr (u.reason, "congestion nears") ? (RccUpdate) { 0 } : u;
}

static RccBreakerConfig
any_config (void)
{
  RccBreakerConfig c = rcc_breaker_config (chance (0.2) ? RCC_BREAKER_DRAFT2014
      : RCC_BREAKER_RFC8083);

  c.model = chance (0.5) ? RCC_TCP_MATHIS : RCC_TCP_PADHYE;
  c.multiplier = chance (0.5) ? 10 : 0.5 + rcc_rng_uniform (&rng);
  c.reduce_first = chance (0.5);
  c.together = chance (0.5);
  c.require_rtcp = chance (0.7);
  c.ecn_as_loss = chance (0.5);
  c.frame_group = chance (0.5) ? 1 : 1 + below (400);
  c.interval_size = chance (0.5);
  c.hold_below = chance (0.5) ? 0.5 : 0;
  c.frame_interval = chance (0.7) ? RCC_NEVER : below (2000) * RCC_MSEC;
  c.rtcp_min_interval = chance (0.4) ? RCC_NEVER : below (4000) * RCC_MSEC;
  c.usability = chance (0.3);
  c.unusable_loss = 0.2;
  c.unusable_delay = 200 * RCC_MSEC;
  c.unusable_time = below (10) * RCC_SEC;
  return c;
}

static void
begin (void)
{
  const RccBreakerConfig config = any_config ();

  g_array_set_size (m.streams, 0);
  m = (Model) { .c = rcc_breaker_config_clamp (&config), .streams = m.streams };
  now = chance (0.2) ? 0 : 100 * RCC_SEC;
  model_resume (0);
  memset (&b, 0xa5, sizeof b);
  rcc_breaker_init (&b, &config, now);
  for (guint i = 0; i < SSRCS; i++) {
    seqs[i] = below (1000);
    told[i] = seqs[i] - 1;
    lost[i] = 0;
  }
  same ((RccUpdate) { 0 }, (RccUpdate) { 0 });
}

static void
send_some (guint streams, RccTime gap)
{
  for (guint i = 1 + below (30); i > 0; i--) {
    const guint ssrc = below (streams);
    const RccPacket p = { .ssrc = ssrc, .seq = seqs[ssrc]++, .size = 100 + below (1200),
      .timestamp = (guint32) (now / (40 * RCC_MSEC)), .sent = now };

    same (rcc_tell (&b.sender, on_sent, &p), (model_sent (&p), (RccUpdate) { 0 }));
    now += gap;
  }
}

static void
block (guint ssrc, guint32 reporter, gdouble bad, gboolean arrives)
{
  const gint64 more = arrives ? seqs[ssrc] - 1 - told[ssrc] : 0;
  const gdouble fraction = chance (0.3) ? 0 : bad * 2 * rcc_rng_uniform (&rng);
  RccReport r = { .ssrc = ssrc, .reporter = reporter, .fraction_lost = fraction,
    .expected = chance (0.1) ? 0 : (guint) more, .ce = chance (0.8) ? 0 : below (10),
    .jitter = chance (0.3) ? RCC_NEVER : timed && chance (0.9) ? below (100) * RCC_MSEC
        : 200 * RCC_MSEC,
    .rtt = !timed || chance (0.3) ? RCC_NEVER : (1 + below (below (2) ? 20 : 800)) * RCC_MSEC };

  told[ssrc] += more;
  lost[ssrc] += (gint64) (fraction * (gdouble) more);
  if (chance (0.02))                    /* a receiver that began again */
    lost[ssrc] = told[ssrc] = 0;
  if (!arrives && chance (0.1))         /* or nearly: late and double packets */
    lost[ssrc] -= 63 + below (3);
  else if (!arrives && chance (0.1))
    told[ssrc]--;
  r.highest_seq = told[ssrc];
  r.lost = lost[ssrc];
  same (but_for_ceiling (rcc_tell (&b.sender, on_report, &r, now)), model_report (&r));
}

static void
report (guint streams, gdouble bad, gboolean arrives)
{
  const guint32 reporters[] = { below (10) ? 77 : 78, 79 };
  RccRtcp r = { .size = 60 + below (200), .n_reporters = chance (0.9) ? 1 + below (2) : 0,
    .reporters = reporters, .from_sender = chance (0.3),
    .n_blocks = chance (0.9) ? below (4) : 28 + below (6), .from_reporter = chance (0.9) };

  r.about_us = chance (0.1);
  for (guint i = 0; i < streams; i++)
    if (chance (0.7)) {
      block (i, reporters[0], bad, arrives);
      r.about_us = TRUE;
    }
  same (rcc_tell (&b.sender, on_rtcp, &r, now), model_rtcp (&r));
}

static void
reset (void)
{
  RccUpdate x, y;
  gboolean mine;

  if (chance (0.5) && rcc_breaker_retry_after (&b, now) > 0)
    now += rcc_breaker_retry_after (&b, now) - below (2);
  mine = model_reset (&y);
  g_assert_cmpint (rcc_breaker_reset (&b, now, &x), ==, mine);
  same (x, y);
}

static void
adjust (void)
{
  const RccBreakerConfig config = any_config ();

  rcc_breaker_adjust (&b, &config, now);
  model_adjust (&config);
  same ((RccUpdate) { 0 }, (RccUpdate) { 0 });
}

static void
resume (void)
{
  const RccBreakerConfig config = m.c;
  const RccTime left = rcc_breaker_retry_after (&b, now);

  now += 1000 * RCC_SEC;
  rcc_breaker_resume (&b, &config, left, now);
  model_resume (left);
  same ((RccUpdate) { 0 }, (RccUpdate) { 0 });
}

/* No loss for a while, in which a reduction ends. */
static void
recover (guint streams, RccTime gap)
{
  for (guint i = below (100); i > 0 && worst () == RCC_BREAKER_REDUCED; i--) {
    send_some (streams, gap);
    now += m.timing.tdr / 2;
    report (streams, 0, TRUE);
  }
}

static void
live (void)
{
  const guint most = 1 + below (SSRCS);
  guint streams = chance (0.5) ? 1 : most;
  const RccTime gap = (1 + below (20)) * RCC_MSEC;
  gdouble bad = 0;
  gboolean arrives = TRUE;

  timed = chance (0.8);
  begin ();
  for (guint i = 0; i < STEPS; i++) {
    const guint what = below (1000);

    if (what < 500)
      send_some (chance (0.2) ? 1 : streams, chance (0.02) ? RCC_SEC : gap);
    else if (what < 800)
      report (streams, bad, arrives);
    else if (what < 900) {
      if (chance (0.5) && m.deadline != RCC_NEVER) {
        const RccTime then = m.deadline + (chance (0.3) ? below (3000) * RCC_MSEC : 0);

        now = MAX (now, then);
      }
      same (rcc_tell (&b.sender, on_deadline, now), model_deadline ());
    } else if (what < 930)
      reset ();
    else if (what < 935)
      adjust ();
    else if (what < 938)
      resume ();
    else if (what < 941) {
      rcc_breaker_ended (&b);
      stop_all ();
      same ((RccUpdate) { 0 }, (RccUpdate) { 0 });
    } else if (what < 950)
      now += below (30) * RCC_SEC;
    else if (what < 970)
      now += below (1000) * RCC_MSEC;
    else if (what < 975)
      recover (streams, gap);
    else if (what < 980)
      streams = MIN (streams + 1, most);
    else {
      bad = chance (0.4) ? 0 : rcc_rng_uniform (&rng);
      arrives = chance (0.7);
    }
  }
}

static void
a_breaker_does_what_rfc_8083_says (void)
{
  m.streams = g_array_new (FALSE, TRUE, sizeof (Stream));
  for (guint i = 0; i < LIVES; i++) {
    rcc_rng_init (&rng, 8083, i);
    live ();
  }
  g_array_unref (m.streams);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/breaker-random/a_breaker_does_what_rfc_8083_says",
      a_breaker_does_what_rfc_8083_says);
  return g_test_run ();
}
