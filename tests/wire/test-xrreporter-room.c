/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What RccXrReporter leaves out, and tells later, where there is no room for it.
 */
#include "xrreporter-rig.h"

/* More than a compound holds: told in parts, each whole in itself, in order. */
static void
what_does_not_fit_is_told_next (void)
{
  static const struct {
    gsize size;
    guint compounds;                    /* at least */
  } cases[] = { { MTU, 1 }, { 300, 2 }, { 120, 5 }, { 72, 15 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    start ();
    r.times = false;
    send_many (&media, 1, true);
    report (MTU);                       /* of a stranger not all would be looked up */
    for (guint k = 0; k < 1500; k++) {
      const guint luck = rcc_rng_u32 (&rng) % 3;

      leave (&media);
      if (luck > 0)
        arrive (&media, media.n - 1, luck > 1);
    }
    send_many (&media, 4, true);
    report_all (cases[i].size);
    assert_reported (&media, false);
    g_assert_cmpuint (compounds, >=, cases[i].compounds);
  }
}

/* There is room for outcomes, but not for all times: those are thinned, no outcome is. */
static void
times_give_way (void)
{
  static const struct {
    gsize budget;
    guint n, least, most;               /* times of 2 n packets */
  } cases[] = { { MTU, 600, 300, 340 }, { MTU, 100, 200, 200 }, { 700, 100, 100, 150 },
    { 0, 100, 3, 30 }, { 0, 2, 1, 4 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    guint timed = 0;

    start ();
    send_many (&media, cases[i].n, true);
    send_many (&parity, cases[i].n, true);
    budget = cases[i].budget;
    g_assert_cmpuint (report (MTU), <=, MAX (budget, 8 + 2 * 80));
    g_assert_false (rcc_xr_reporter_pending (&r));
    for (guint k = 0; k < cases[i].n; k++) {
      g_assert_cmpuint (media.reported[k], ==, RECEIVED);
      g_assert_cmpuint (parity.reported[k], ==, RECEIVED);
      timed += media.reported_at[k] != RCC_NEVER;
      timed += parity.reported_at[k] != RCC_NEVER;
    }
    g_assert_cmpuint (timed, >=, cases[i].least);
    g_assert_cmpuint (timed, <=, cases[i].most);
  }
}

static void
no_room_says_nothing (void)
{
  start ();
  send_many (&media, 50, true);
  for (gsize size = 0; size < 8 + 8 + 16; size++)
    report (size);
  g_assert_cmpuint (reported_in_all, ==, 0);
  report (MTU);
  assert_reported (&media, true);
}

static void
streams_make_room_for_one_another (void)
{
  start ();
  for (guint i = 0; i < 1000; i++) {
    const RccRtp rtp = { .ssrc = MEDIA + i, .seq = (guint16) i };

    rcc_xr_reporter_packet (&r, &rtp, false, now + CLOCK + i);
  }
  g_assert_cmpuint (r.arrivals.streams.n, ==, RCC_SSRCS);
  for (guint i = 0; i < RCC_SSRCS; i++)
    g_assert_cmpuint (r.arrivals.streams.ssrcs[i], >=, MEDIA + 1000 - RCC_SSRCS);
  report_all (MTU);
  g_assert_cmpuint (r.reported_received, ==, RCC_SSRCS);
}

/* Nobody asks for a report for longer than packets are remembered. */
static void
what_is_forgotten_is_counted (void)
{
  guint kept;

  start ();
  send_many (&media, 30000, true);
  kept = r.arrivals.receipts.live;
  g_assert_cmpuint (kept, <, 30000);
  report_all (MTU);
  g_assert_cmpuint (r.arrivals.unreported, ==, 30000 - kept);
  g_assert_cmpuint (r.reported_received, ==, kept);
  g_assert_cmpuint (r.reported_lost, ==, 0);
  g_assert_cmpuint (media.reported[30000 - kept - 1], ==, 0);
  for (guint k = 30000 - kept; k < 30000; k++)
    g_assert_cmpuint (media.reported[k], ==, RECEIVED);
}

/* Numbers and SSRCs that jump at random: what is written stays whole and bounded. */
static void
hostile_rtp (void)
{
  start ();
  for (guint i = 0; i < 300000; i++) {
    const RccRtp rtp = { .ssrc = MEDIA + rcc_rng_u32 (&rng) % 5,
      .seq = (guint16) rcc_rng_u32 (&rng) };
    RccBytes rest;
    RccRtcpPacket p;
    gsize n;

    rcc_xr_reporter_packet (&r, &rtp, rcc_rng_u32 (&rng) % 3 == 0, i * MS);
    if (i % 100)
      continue;
    n = rcc_xr_reporter_compound (&r, i * MS, rcc_rng_u32 (&rng) % MTU,
        out, 8 + rcc_rng_u32 (&rng) % (MTU - 8));
    for (rest = (RccBytes) { out, n }; rcc_rtcp_next (&rest, &p);) {
      RccXrBlock block;
      RccXr xr;

      if (!rcc_xr_parse (&p, &xr))
        continue;
      while (rcc_xr_next (&xr.blocks, &block))
        g_assert_true (block.body.size >= 8);
      g_assert_cmpuint (xr.blocks.size, ==, 0);
    }
    g_assert_cmpuint (rest.size, ==, 0);
  }
}

/* Whatever there is no room for, what is written is whole: version 2, no padding, no count. */
static void
no_room_leaves_the_rest_whole (void)
{
  for (gsize size = 32; size < 400; size += 4) {
    start ();
    for (guint k = 0; k < 200; k++) {
      Stream *s = k % 2 ? &media : &parity;
      const guint luck = rcc_rng_u32 (&rng) % 3;

      leave (s);
      if (luck > 0)
        arrive (s, s->n - 1, luck > 1);
    }
    for (guint i = 0; i < 8; i++) {
      RccBytes rest = { out, report (size) };
      RccRtcpPacket p;

      while (rcc_rtcp_next (&rest, &p))
        if (p.type == RCC_RTCP_XR)
          g_assert_cmphex (p.whole.data[0], ==, 0x80);
      g_assert_cmpuint (rest.size, ==, 0);
    }
  }
}

/* Room for one stream's news alone: they take turns. */
static void
no_stream_is_left_out_for_good (void)
{
  for (guint n = 1; n < 6; n++) {
    gsize size;

    start ();
    r.times = false;
    send_many (&media, 10, true);
    size = report (MTU);
    for (guint i = 0; i < 8; i++) {
      now += RCC_SEC;                   /* our own time is among it each time */
      send_many (&media, n, true);
      send_many (&parity, n, true);
      report (size);
      for (guint k = 0; i % 2 == 1 && k < n * (i + 1); k++)
        g_assert_cmpuint (parity.times[k], ==, 1);
      for (guint k = 0; i % 2 == 0 && k < 10 + n * (i + 1); k++)
        g_assert_cmpuint (media.times[k], ==, 1);
    }
  }
}

/* RFC 3611 4.1: no block spans 65535 numbers; what is too far behind is counted, not told. */
static void
what_is_too_far_behind_is_given_up (void)
{
  start ();
  for (guint i = 0; i < 4; i++) {
    const RccRtp rtp = { .ssrc = MEDIA, .seq = (guint16) (i * 30000) };

    rcc_xr_reporter_packet (&r, &rtp, false, now + CLOCK);
  }
  g_assert_cmpuint (rcc_xr_reporter_compound (&r, now + CLOCK, MTU, out, MTU), >, 0);
  g_assert_cmpuint (r.arrivals.unreported, ==, 1);
}

/* Those that there is no room for are told by the reports that follow, each once. */
static void
stragglers_that_do_not_fit_are_told_next (void)
{
  for (gsize size = 60; size < 300; size += 12) {
    start ();
    for (guint i = 0; i < 100; i++) {
      leave (&media);
      if (i < 20 || i > 50 || i % 2 == 0)
        arrive (&media, i, false);
    }
    report_all (MTU);
    for (guint i = 21; i <= 49; i += 2)
      arrive (&media, i, i % 6 == 3);
    report_all (size);
    g_assert_cmpuint (r.reported_again, ==, 15);
    for (guint k = 0; k < 100; k++) {
      g_assert_cmpuint (media.reported[k], ==, media.truth[k]);
      g_assert_cmpuint (media.times[k], ==, k > 20 && k < 50 && k % 2 ? 2 : 1);
    }
  }
}

/* 60000 numbers back nobody is told any more; those that had come are counted. */
static void
what_is_too_far_back_is_counted (void)
{
  for (guint beyond = 0; beyond < 120; beyond += 20) {
    RccRtp rtp = { .ssrc = MEDIA };

    start ();
    for (guint i = 0; i < 100; i++) {
      rtp.seq = (guint16) i;
      rcc_xr_reporter_packet (&r, &rtp, false, now);
      rtp.ssrc = PARITY;                /* of another stream none is */
      rcc_xr_reporter_packet (&r, &rtp, false, now);
      rtp.ssrc = MEDIA;
    }
    rtp.seq = 30000;
    rcc_xr_reporter_packet (&r, &rtp, false, now);
    rtp.seq = (guint16) (60000 + beyond);
    rcc_xr_reporter_packet (&r, &rtp, false, now);
    g_assert_cmpuint (rcc_xr_reporter_compound (&r, now, budget, out, sizeof out), >, 0);
    g_assert_cmpuint (r.arrivals.unreported, ==, MIN (beyond, 100));
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, func) g_test_add_func ("/xrreporter/" name, func)
  ADD ("too-far-back", what_is_too_far_back_is_counted);
  ADD ("stragglers-that-do-not-fit", stragglers_that_do_not_fit_are_told_next);
  ADD ("parts", what_does_not_fit_is_told_next);
  ADD ("times-give-way", times_give_way);
  ADD ("no-room", no_room_says_nothing);
  ADD ("streams", streams_make_room_for_one_another);
  ADD ("forgotten", what_is_forgotten_is_counted);
  ADD ("hostile-rtp", hostile_rtp);
  ADD ("no-room-whole", no_room_leaves_the_rest_whole);
  ADD ("turns", no_stream_is_left_out_for_good);
  ADD ("too-far-behind", what_is_too_far_behind_is_given_up);
  return g_test_run ();
}
