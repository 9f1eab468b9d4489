/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <glib.h>
#include "core/breaker/timing.h"
#include "core/rng.h"

#define PEER 0x70656572u
#define MS(x) ((x) * RCC_MSEC)
#define S(x) ((x) * RCC_SEC)

static const guint32 peer = PEER, other = PEER + 1;

static void
compound (RccBreakerTiming *t, const RccBreakerConfig *c, const guint32 *reporter,
    guint32 size, RccTime now)
{
  const RccRtcp rtcp = { .size = size, .n_reporters = 1, .reporters = &peer, .n_blocks = 1,
    .about_us = true };

  rcc_breaker_timing_rtcp (t, c, &rtcp, reporter, now / 8000, now);     /* 1 Mbit/s */
}

static void
cb_interval_of (RccTime td, RccTime tdr, guint g, RccTime tf, RccTime tr, RccTime rr,
    guint expected)
{
  RccBreakerConfig c = rcc_breaker_config (RCC_BREAKER_RFC8083);
  const RccBreakerTerms terms = { &c, td, tdr };

  c.frame_group = g;
  c.rr_interval = rr;
  g_assert_cmpuint (rcc_breaker_cb_interval (&terms, tf, tr), ==, expected);
}

/* RFC 8083 4.3 with 30 fps */
static void
cb_interval_is_as_worked_out (void)
{
  const RccTime tf = S (1) / 30;

  cb_interval_of (S (5), S (5), 1, tf, MS (100), 0, 3);
  cb_interval_of (S (5), S (1), 60, tf, MS (100), 0, 15);       /* min (20, 15) / 1 */
  cb_interval_of (S (5), S (1), 1, tf, MS (100), 0, 3);
  cb_interval_of (S (5), S (1), 1, tf, MS (900), 0, 9);
  cb_interval_of (S (5), S (10), 1, tf, MS (100), 0, 2);        /* min (30, 15) / 10 */
  cb_interval_of (S (5), S (30), 1, tf, MS (100), 0, 1);
  cb_interval_of (S (1), S (1), 60, tf, MS (100), 0, 15);       /* max (15, 3 Td) is 15 s */
  cb_interval_of (S (10), S (10), 1, tf, MS (100), 0, 3);       /* 3 Td = 30 s */
  cb_interval_of (S (5), S (1), 60, tf, MS (100), S (4), 4);    /* T_rr_interval */
  cb_interval_of (S (5), S (5), 60, tf, MS (100), S (4), 3);
  cb_interval_of (S (5), MS (100), 60, tf, MS (100), 0, 150);
  cb_interval_of (S (5), MS (100), 60, S (3600), S (60), 0, 150);
  cb_interval_of (S (3600), MS (100), 1000000, S (3600), 0, 0, RCC_BREAKER_INTERVALS - 1);
  cb_interval_of (S (5), S (5), 1, RCC_NEVER, RCC_NEVER, 0, 3); /* on joining */
}

static void
media_timeout_is_as_worked_out (void)
{
  RccBreakerConfig c = rcc_breaker_config (RCC_BREAKER_RFC8083);
  RccBreakerTerms terms = { &c, S (5), S (5) };

  g_assert_cmpuint (rcc_breaker_media_timeout (&terms, MS (33), MS (100)), ==, 5);
  g_assert_cmpuint (rcc_breaker_media_timeout (&terms, RCC_NEVER, RCC_NEVER), ==, 5);
  g_assert_cmpuint (rcc_breaker_media_timeout (&terms, S (6), 0), ==, 6);
  terms.tdr = S (1);
  g_assert_cmpuint (rcc_breaker_media_timeout (&terms, 0, MS (2500)), ==, 13);
  c.media_timeout_reports = 2;
  g_assert_cmpuint (rcc_breaker_media_timeout (&terms, S (12), 0), ==, 24);
  c.mode = RCC_BREAKER_DRAFT2014;
  g_assert_cmpuint (rcc_breaker_media_timeout (&terms, S (12), 0), ==, 2);
  g_assert_cmpuint (rcc_breaker_cb_interval (&terms, S (12), 0), ==, 2);
}

static void
a_regular_peer_is_believed_to_have_five_seconds (void)
{
  const RccBreakerConfig c = rcc_breaker_config (RCC_BREAKER_RFC8083);
  RccBreakerTiming t;
  RccTime now = 0;
  RccRng rng;
  guint moved = 0;

  rcc_rng_init (&rng, 3, 3);
  rcc_breaker_timing_init (&t, &c);
  g_assert_cmpuint (t.td, ==, S (5));
  g_assert_cmpuint (t.tdr, ==, S (5));
  rcc_breaker_timing_start (&t, 0, 0);
  for (int i = 0; i < 2000; i++) {
    double before, timer = 0;

    do {                                /* timer reconsideration (RFC 3550 6.3.6) */
      before = timer;
      timer = 5 * (0.5 + rcc_rng_uniform (&rng)) / 1.21828;
    } while (timer > before);
    now += (RccTime) (before * RCC_SEC);
    compound (&t, &c, &peer, 100, now);
    moved += t.tdr != S (5);
  }
  g_assert_cmpuint (moved, <, 40);      /* of 2000 */
  g_assert_cmpuint (t.td, ==, S (5));
}

static void
frequent_reports_set_the_timescale (void)
{
  const RccBreakerConfig c = rcc_breaker_config (RCC_BREAKER_RFC8083);
  RccBreakerTiming t;

  rcc_breaker_timing_init (&t, &c);
  for (guint i = 0; i <= 20; i++) {
    compound (&t, &c, &peer, 100, S (1) + i * S (1));
    /* feedback with an empty RR, and another receiver's reports, in between */
    compound (&t, &c, NULL, 100, S (1) + i * S (1) + MS (300));
    compound (&t, &c, &other, 100, S (1) + i * S (1) + MS (600));
    g_assert_cmpuint (t.tdr, ==, i < 4 ? S (5) : S (1));
    g_assert_cmpuint (t.td, ==, S (5));
  }
  /* an outage of half a minute is no interval */
  compound (&t, &c, &peer, 100, S (51));
  g_assert_cmpuint (t.tdr, ==, S (1));
  /* copies within 100 ms are one */
  for (guint i = 0; i < 50; i++)
    compound (&t, &c, &peer, 100, S (51) + i * MS (2));
  g_assert_cmpuint (t.tdr, ==, S (1));
}

static void
a_new_reporter_is_timed_anew (void)
{
  const RccBreakerConfig c = rcc_breaker_config (RCC_BREAKER_RFC8083);
  RccBreakerTiming t;

  rcc_breaker_timing_init (&t, &c);
  for (guint i = 0; i < 10; i++)
    compound (&t, &c, &peer, 100, S (1 + i));
  g_assert_cmpuint (t.tdr, ==, S (1));
  compound (&t, &c, &other, 100, S (10 + 15));  /* the former one may come back still */
  g_assert_cmpuint (t.tdr, ==, S (1));
  compound (&t, &c, &other, 100, S (10 + 16));
  g_assert_cmpuint (t.observed, ==, RCC_NEVER);
  g_assert_cmpuint (t.tdr, ==, S (5));
}

static void
a_given_minimum_is_not_observed (void)
{
  RccBreakerConfig c = rcc_breaker_config (RCC_BREAKER_RFC8083);
  RccBreakerTiming t;

  c.rtcp_min_interval = MS (2500);
  rcc_breaker_timing_init (&t, &c);
  for (guint i = 0; i < 20; i++)
    compound (&t, &c, &peer, 100, S (1) + i * MS (500));
  g_assert_cmpuint (t.tdr, ==, MS (2500));
  g_assert_cmpuint (t.td, ==, S (5));
}

/* Who sends next to nothing has a session of 64 kbit/s all the same. */
static void
a_session_has_64_kbit_at_least (void)
{
  RccBreakerConfig c = rcc_breaker_config (RCC_BREAKER_RFC8083);
  RccBreakerTiming idle, told;

  rcc_breaker_timing_init (&idle, &c);
  compound (&idle, &c, &peer, 20000, S (1));
  told = idle;
  idle.sent_bps = 100;
  rcc_breaker_timing_update (&idle, &c);
  c.bandwidth_bps = 64000;
  rcc_breaker_timing_update (&told, &c);
  g_assert_cmpuint (idle.td, >, RCC_RTCP_TMIN);
  g_assert_cmpuint (idle.td, ==, told.td);
  g_assert_cmpuint (idle.tdr, ==, told.tdr);
}

/* 6.2: little bandwidth, large compounds: n C = 1 x 1028 / (0.75 x 0.05 x 10000 / 8) */
static void
bandwidth_stretches_both (void)
{
  RccBreakerConfig c = rcc_breaker_config (RCC_BREAKER_RFC8083);
  RccBreakerTiming t;

  c.bandwidth_bps = 10000;
  rcc_breaker_timing_init (&t, &c);
  compound (&t, &c, &peer, 1000, S (1));
  /* two members, one of them sends: more than a quarter, all share all */
  g_assert_cmpuint (t.tdr, ==, (RccTime) (2 * 1028 / 62.5 * 1e9));
  g_assert_cmpuint (t.td, ==, t.tdr);
}

/* Neither a sender that hardly sends nor strangers' huge compounds stretch Td. */
static void
silence_and_strangers_stretch_nothing (void)
{
  const RccBreakerConfig c = rcc_breaker_config (RCC_BREAKER_RFC8083);
  const RccRtcp huge = { .size = 65535, .n_reporters = 1, .reporters = &other,
    .n_blocks = 31 };
  RccBreakerTiming t;

  rcc_breaker_timing_init (&t, &c);
  rcc_breaker_timing_start (&t, 0, 0);
  for (guint i = 1; i < 10; i++) {
    const RccRtcp small = { .size = 100, .n_reporters = 1, .reporters = &peer,
      .n_blocks = 1, .about_us = true };

    rcc_breaker_timing_rtcp (&t, &c, &huge, NULL, 100 * i, i * S (5) - 1);
    rcc_breaker_timing_rtcp (&t, &c, &small, &peer, 100 * i, i * S (5));
  }
  g_assert_cmpfloat_with_epsilon (t.sent_bps, 160, 20);
  g_assert_cmpuint (t.td, ==, S (5));
  g_assert_cmpuint (t.tdr, ==, S (5));
}

static void
nothing_is_known_at_first (void)
{
  const RccBreakerConfig c = rcc_breaker_config (RCC_BREAKER_RFC8083);
  RccBreakerTiming t;

  rcc_breaker_timing_init (&t, &c);
  g_assert_cmpfloat (t.sent_bps, ==, 0);
  g_assert_cmpfloat (t.rtcp_size, ==, 0);
  g_assert_cmpuint (t.observed, ==, RCC_NEVER);
  g_assert_cmpuint (t.n_intervals, ==, 0);
  g_assert_cmpuint (t.session.members + t.session.senders, ==, 0);
  compound (&t, &c, &peer, 100, S (1));
  g_assert_cmpfloat (t.rtcp_size, ==, 128);
}

/* Who paused 10 s ago sends nothing now. */
static void
the_rate_is_of_the_last_ten_seconds (void)
{
  const RccBreakerConfig c = rcc_breaker_config (RCC_BREAKER_RFC8083);
  const RccRtcp rtcp = { .size = 100, .n_reporters = 1, .reporters = &peer, .n_blocks = 1,
    .about_us = true };
  static const double bps[] = { 1e6, 5e5, 0, 0 };
  RccBreakerTiming t;

  rcc_breaker_timing_init (&t, &c);
  rcc_breaker_timing_start (&t, 0, S (100));
  for (guint i = 0; i < G_N_ELEMENTS (bps); i++) {
    rcc_breaker_timing_rtcp (&t, &c, &rtcp, &peer, 625000, S (105 + 5 * i));
    g_assert_cmpfloat (t.sent_bps, ==, bps[i]);
  }
}

/* With reports each second, too: it begins at the last but one of the marks, which are each
 * 5 s, and so 6 to 10 s ago. */
static void
frequent_reports_do_not_shorten_the_rates_time (void)
{
  const RccBreakerConfig c = rcc_breaker_config (RCC_BREAKER_RFC8083);
  const RccRtcp rtcp = { .size = 100, .n_reporters = 1, .reporters = &peer, .n_blocks = 1,
    .about_us = true };
  RccBreakerTiming t;

  rcc_breaker_timing_init (&t, &c);
  rcc_breaker_timing_start (&t, 0, S (100));
  for (guint i = 1; i <= 40; i++) {
    const guint since = i <= 10 ? i : 6 + (i - 1) % 5;

    rcc_breaker_timing_rtcp (&t, &c, &rtcp, &peer, i >= 16 ? 1000000 : 0, S (100 + i));
    g_assert_cmpfloat_with_epsilon (t.sent_bps,
        i >= 16 && i - since < 16 ? 8e6 / since : 0, 1e-3);
  }
}

/* Nobody counts further than an hour: ten of the longest are not less than one. */
static void
the_longest_times_do_not_wrap (void)
{
  const RccBreakerConfig c = rcc_breaker_config (RCC_BREAKER_RFC8083);
  const RccBreakerTerms terms = { &c, S (5), S (1) };
  const RccTime tenth = RCC_NEVER / 10 + 1, fifth = RCC_NEVER / 5 + 1;

  cb_interval_of (S (5), S (1), 1, tenth, 0, 0, 15);
  cb_interval_of (S (5), S (1), 1, 0, tenth, 0, 15);
  g_assert_cmpuint (rcc_breaker_media_timeout (&terms, fifth, 0), ==, 5 * 3600);
  g_assert_cmpuint (rcc_breaker_media_timeout (&terms, 0, fifth), ==, 5 * 3600);
}

/* A new count of what is sent: nothing else that was learnt is lost. */
static void
a_start_only_begins_to_count (void)
{
  const RccBreakerConfig c = rcc_breaker_config (RCC_BREAKER_RFC8083);
  RccBreakerTiming t, before;

  rcc_breaker_timing_init (&t, &c);
  rcc_breaker_timing_start (&t, 0, 0);
  for (guint i = 1; i < 10; i++)
    compound (&t, &c, &peer, 100, S (i));
  before = t;
  rcc_breaker_timing_start (&t, 7, S (20));
  g_assert_cmpfloat (t.sent_bps, ==, before.sent_bps);
  g_assert_cmpfloat (t.rtcp_size, ==, before.rtcp_size);
  g_assert_cmpuint (t.tdr, ==, before.tdr);
  for (guint i = 0; i < 2; i++) {
    g_assert_cmpuint (t.marks[i].at, ==, S (20));
    g_assert_cmpuint (t.marks[i].bytes, ==, 7);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/breaker-timing/cb-interval-is-as-worked-out",
      cb_interval_is_as_worked_out);
  g_test_add_func ("/breaker-timing/media-timeout-is-as-worked-out",
      media_timeout_is_as_worked_out);
  g_test_add_func ("/breaker-timing/a-regular-peer-is-believed-to-have-five-seconds",
      a_regular_peer_is_believed_to_have_five_seconds);
  g_test_add_func ("/breaker-timing/frequent-reports-set-the-timescale",
      frequent_reports_set_the_timescale);
  g_test_add_func ("/breaker-timing/a-new-reporter-is-timed-anew",
      a_new_reporter_is_timed_anew);
  g_test_add_func ("/breaker-timing/a-given-minimum-is-not-observed",
      a_given_minimum_is_not_observed);
  g_test_add_func ("/breaker-timing/64-kbit-at-least", a_session_has_64_kbit_at_least);
  g_test_add_func ("/breaker-timing/bandwidth-stretches-both", bandwidth_stretches_both);
  g_test_add_func ("/breaker-timing/silence-and-strangers-stretch-nothing",
      silence_and_strangers_stretch_nothing);
  g_test_add_func ("/breaker-timing/nothing-is-known-at-first", nothing_is_known_at_first);
  g_test_add_func ("/breaker-timing/the-rate-is-of-the-last-ten-seconds",
      the_rate_is_of_the_last_ten_seconds);
  g_test_add_func ("/breaker-timing/frequent-reports-do-not-shorten-the-rates-time",
      frequent_reports_do_not_shorten_the_rates_time);
  g_test_add_func ("/breaker-timing/the-longest-times-do-not-wrap",
      the_longest_times_do_not_wrap);
  g_test_add_func ("/breaker-timing/a-start-only-begins-to-count", a_start_only_begins_to_count);
  return g_test_run ();
}
