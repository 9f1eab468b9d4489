/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What nobody well-meant would send to a circuit breaker
 */
#include "world.h"

#include <math.h>
#include "core/rng.h"

static World w;

static RccBreakerConfig
rfc (void)
{
  return rcc_breaker_config (RCC_BREAKER_RFC8083);
}

/* C11: one forged block at any moment of a call with loss near the limit */
static void
one_forged_report_never_trips (void)
{
  for (guint model = 0; model < 2; model++) {
    for (guint at = 0; at < 40; at++) {
      RccBreakerConfig config = rfc ();
      const double limit = model ? 0.0597 : 0.1536;

      config.model = model;
      world_init (&w, &config);
      w.rtt_s = 0.2;
      world_flow (&w, 1.5e6, 1200);
      for (guint i = 0; i < 60; i++) {
        world_run (&w, w.now + MS (2500));
        if (i == at) {
          const Flow *f = &w.flows[0];
          const RccReport forged = { .ssrc = MEDIA, .reporter = PEER, .fraction_lost = 1,
            .highest_seq = f->seq - 1, .lost = f->lost + 400, .expected = 500,
            .rtt = at % 2 ? S (60) : MS (200) };

          world_tell (&w, &forged);
          world_compound (&w, PEER, 1, true);
        }
        world_run (&w, w.now + MS (2500));
        world_report (&w, 0.93 * limit);
      }
      g_assert_cmpuint (w.stops, ==, 0);
    }
  }
}

/* What a receiver says of streams that were never sent makes none. */
static void
streams_come_only_from_what_is_sent (void)
{
  RccBreakerConfig config = rfc ();

  world_init (&w, &config);
  for (guint i = 0; i < 20000; i++) {
    const RccReport r = { .ssrc = i, .reporter = i + 1, .highest_seq = i, .fraction_lost = 1,
      .rtt = S (1) };

    world_tell (&w, &r);
    world_compound (&w, i + 1, 1, true);
  }
  g_assert_cmpuint (w.b.n_streams, ==, 0);
  g_assert_cmpuint (rcc_deadline (&w.b.sender), ==, RCC_NEVER);
  g_assert_true (rcc_breaker_passes (&w.b, 1));
}

static guint64
wild (RccRng *rng)
{
  const guint64 r = (guint64) rcc_rng_u32 (rng) << 32 | rcc_rng_u32 (rng);

  switch (rcc_rng_u32 (rng) % 6) {
    case 0: return 0;
    case 1: return G_MAXUINT64;
    case 2: return r;
    case 3: return 1;
    default: return r >> (rcc_rng_u32 (rng) % 60);
  }
}

static RccReport
wild_report (RccRng *rng)
{
  static const double fractions[] = { 0, 1, 0.3, -1, 7, NAN, INFINITY };

  return (RccReport) { .ssrc = rcc_rng_u32 (rng) % w.n_flows, .reporter = rcc_rng_u32 (rng) % 3,
    .highest_seq = rcc_rng_u32 (rng) % 64 ? (gint64) (w.now >> 37 << 17) : (gint64) wild (rng),
    .lost = rcc_rng_u32 (rng) % 4 ? (gint64) (w.now >> 21) : (gint64) wild (rng),
    .expected = (guint32) wild (rng), .ce = (guint32) wild (rng),
    .fraction_lost = fractions[rcc_rng_u32 (rng) % G_N_ELEMENTS (fractions)],
    .jitter = wild (rng), .rtt = rcc_rng_u32 (rng) % 8 ? MS (300) : wild (rng) };
}

static void
wild_event (RccRng *rng, guint64 *sent)
{
  const guint32 reporters[2] = { rcc_rng_u32 (rng) % 3, rcc_rng_u32 (rng) % 3 };
  const RccPacket p = { .seq = (gint64) wild (rng), .size = (guint32) wild (rng),
    .ssrc = rcc_rng_u32 (rng) % w.n_flows, .timestamp = rcc_rng_u32 (rng) % 4, .sent = w.now };
  const RccRtcp rtcp = { .size = (guint32) wild (rng), .reporters = reporters,
    .n_reporters = rcc_rng_u32 (rng) % 3, .from_sender = rcc_rng_u32 (rng) % 2,
    .n_blocks = (guint) wild (rng), .about_us = rcc_rng_u32 (rng) % 2 };
  const RccReport r = wild_report (rng);
  const guint stops = w.stops;
  RccBreakerConfig config;
  RccUpdate u;

  switch (rcc_rng_u32 (rng) % 400) {
    case 0 ... 239:
      if (rcc_breaker_passes (&w.b, p.ssrc)) {
        world_take (&w, rcc_tell (&w.b.sender, on_sent, &p));
        (*sent)++;
      }
      g_assert_cmpuint (w.stops, ==, stops);
      break;
    case 240 ... 319:
      world_tell (&w, &r);
      break;
    case 320 ... 369:
      world_take (&w, rcc_tell (&w.b.sender, on_rtcp, &rtcp, w.now));
      break;
    case 370 ... 397:
      world_take (&w, rcc_tell (&w.b.sender, on_deadline, w.now));
      g_assert_cmpuint (rcc_deadline (&w.b.sender), >, w.now);
      break;
    default:
      config = w.b.config;
      config.multiplier = rcc_rng_u32 (rng) % 2 ? (double) wild (rng) : 0.1;
      config.frame_group = (guint) wild (rng);
      config.frame_interval = wild (rng);
      config.rtcp_min_interval = wild (rng);
      config.bandwidth_bps = (guint32) wild (rng);
      config.mode = rcc_rng_u32 (rng) % 2;
      config.model = rcc_rng_u32 (rng) % 2;
      config.reduce_first = rcc_rng_u32 (rng) % 2;
      config.together = rcc_rng_u32 (rng) % 4 == 0;
      config.usability = rcc_rng_u32 (rng) % 2;
      config.ecn_as_loss = rcc_rng_u32 (rng) % 2;
      rcc_breaker_adjust (&w.b, &config, w.now);
      if (!rcc_breaker_reset (&w.b, w.now, &u))
        g_assert_cmpuint (rcc_breaker_retry_after (&w.b, w.now), >, 0);
      else
        g_assert_cmpint (w.b.state, ==, RCC_BREAKER_CLOSED);
  }
}

static void
invariants (guint64 sent)
{
  RccBreakerState worst = RCC_BREAKER_CLOSED;

  if (w.stops)
    g_assert_cmpuint (sent, >, 0);
  for (guint i = 0; i < w.b.n_streams; i++) {
    const RccBreakerStream *s = &w.b.streams[i];

    worst = MAX (worst, s->state);
    g_assert_cmpuint (w.b.ssrcs[i], ==, s->ssrc);
    g_assert_cmpint (rcc_breaker_passes (&w.b, s->ssrc), ==, s->state != RCC_BREAKER_OPEN);
    g_assert_cmpuint (s->cb_interval, >=, 1);
    g_assert_cmpuint (s->cb_interval, <, RCC_BREAKER_INTERVALS);
    g_assert_cmpuint (s->unreceived, <=, s->media_timeout);
    g_assert_false (isnan (s->loss) || isnan (s->tcp_bps) || isnan (s->sent_bps));
    g_assert_true (s->loss >= 0 && s->loss <= 1.000001);
  }
  g_assert_cmpint (w.b.state, ==, worst);
  g_assert_cmpuint (w.b.timing.td, >=, S (5));
  g_assert_cmpuint (w.b.timing.tdr, >=, MS (100));
  if (!w.b.sending)
    g_assert_cmpuint (rcc_deadline (&w.b.sender), ==, RCC_NEVER);
}

static void
hostile_sequences_keep_the_invariants (void)
{
  guint reasons[RCC_BREAKER_USABILITY + 1] = { 0 };

  for (guint seed = 1; seed <= 40; seed++) {
    RccBreakerConfig config = rfc ();
    guint64 sent = 0;
    RccRng rng;

    rcc_rng_init (&rng, seed, 8083);
    world_init (&w, &config);
    w.now = 0;
    w.n_flows = 1 + seed % 12;
    for (guint i = 0; i < 5000; i++) {
      const guint32 step = rcc_rng_u32 (&rng) % 2048;

      w.now += step == 0 ? rcc_rng_u32 (&rng) * UINT64_C (100)
          : rcc_rng_u32 (&rng) >> (step % 16);
      wild_event (&rng, &sent);
      invariants (sent);
    }
    for (guint64 i = 0; i < MIN (w.b.n_events, RCC_BREAKER_EVENTS); i++)
      reasons[w.b.events[i].reason]++;
  }
  for (guint i = 0; i < G_N_ELEMENTS (reasons); i++)    /* it reaches what is to be reached */
    g_assert_cmpuint (reasons[i], >, 0);
}

int
main (int argc, char **argv)
{
#define ADD(path, test) g_test_add_func ("/breaker-hostile/" path, test)
  g_test_init (&argc, &argv, NULL);
  ADD ("one-forged-report-never-trips", one_forged_report_never_trips);
  ADD ("streams-come-only-from-what-is-sent", streams_come_only_from_what_is_sent);
  ADD ("hostile-sequences-keep-the-invariants", hostile_sequences_keep_the_invariants);
  return g_test_run ();
}
