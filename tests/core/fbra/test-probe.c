/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <math.h>
#include <glib.h>
#include "core/fbra/probe.h"
#include "core/rng.h"

#define MS RCC_MSEC
#define DELAY (50 * MS)

static const RccConfig limits = { 10000, 100000, 2000000 };
static const RccRtcp rtcp = { .about_us = true, .from_reporter = true, .n_reporters = 1 };

static RccFbraProbe p;
static RccTime now;

static void
start (guint first)
{
  const RccFbraProbeConfig config = rcc_fbra_probe_config ();

  rcc_fbra_probe_init (&p, &config, &limits);
  now = RCC_SEC;
  if (first)
    rcc_fbra_external (&p, first, now);
}

/* Packets of which number @parity is parity and number @lost is lost; then a report. */
static RccUpdate
report (guint n, guint parity, guint lost)
{
  RccPacket packets[16];

  for (guint i = 0; i < n; i++, now += 10 * MS)
    packets[i] = (RccPacket) { .size = 1000, .sent = now,
      .flags = i == parity ? RCC_PACKET_PARITY : 0,
      .arrived = i == lost ? RCC_NEVER : now + DELAY };
  now += 2 * DELAY;
  rcc_tell (&p.sender, on_feedback, packets, n, now);
  return rcc_tell (&p.sender, on_rtcp, &rtcp, now);
}

#define NONE 99

static void
says_nothing_before_the_controller (void)
{
  start (0);
  g_assert_cmpstr (p.sender.ops->name, ==, "fbra-probe");
  g_assert_cmpuint (report (10, NONE, NONE).changed, ==, 0);
  g_assert_cmpuint (p.target_bps, ==, 0);
  g_assert_cmpuint (rcc_tell (&p.sender, on_config, &limits, now).changed, ==, 0);
}

static void
the_first_target_is_media_at_once (void)
{
  RccUpdate u;

  start (0);
  u = rcc_fbra_external (&p, 300000, now);
  g_assert_cmpuint (u.changed, ==, RCC_TARGET);
  g_assert_cmpuint (u.target_bps, ==, 300000);
  g_assert_cmpuint (p.fec_interval, ==, 0);
}

static void
an_increase_is_parity_first (void)
{
  RccUpdate u;

  start (300000);
  u = rcc_fbra_external (&p, 360000, now);
  g_assert_cmpuint (u.changed, ==, RCC_TARGET | RCC_FEC | RCC_STATE);
  g_assert_cmpuint (u.target_bps, ==, 360000);
  g_assert_cmpuint (u.fec_bps, ==, 60000);
  g_assert_cmpuint (p.fec_interval, ==, 5);
  g_assert_cmpstr (p.state_name, ==, "PROBE");
}

/* Be it the amount, the interval or both. */
static void
every_change_of_parity_is_told (void)
{
  guint amount_alone = 0;

  start (300000);
  rcc_fbra_external (&p, 360000, now);
  for (guint bps = 359000; bps > 301000; bps -= 1000) {
    const guint fec = p.fec_bps, interval = p.fec_interval;
    const RccUpdate u = rcc_fbra_external (&p, bps, now);

    g_assert_cmpint (!!(u.changed & RCC_FEC), ==,
        p.fec_bps != fec || p.fec_interval != interval);
    amount_alone += p.fec_bps != fec && p.fec_interval == interval;
  }
  g_assert_cmpuint (amount_alone, >, 0);
}

static void
and_media_once_parity_was_reported (void)
{
  RccUpdate u;

  start (300000);
  rcc_fbra_external (&p, 360000, now);
  g_assert_cmpuint (report (10, NONE, NONE).changed, ==, 0);
  u = report (10, 5, NONE);
  g_assert_cmpuint (u.changed, ==, RCC_FEC | RCC_STATE);
  g_assert_cmpuint (p.target_bps, ==, 360000);
  g_assert_cmpuint (p.fec_bps, ==, 0);
  g_assert_cmpstr (p.state_name, ==, "UP");
  report (10, NONE, NONE);
  g_assert_cmpstr (p.state_name, ==, "STAY");
  g_assert_cmpuint (p.probes_passed, ==, 1);
}

static void
but_not_if_a_packet_was_lost (void)
{
  RccUpdate u;

  start (300000);
  rcc_fbra_external (&p, 360000, now);
  u = report (10, 5, 0);
  g_assert_cmpuint (u.changed, ==, RCC_TARGET | RCC_FEC | RCC_STATE);
  g_assert_cmpuint (u.target_bps, ==, 300000);
  g_assert_cmpuint (p.fec_interval, ==, 0);
  /* two intervals of 2 RTT, 110 ms by the feedback, until the next one */
  rcc_fbra_external (&p, 360000, now + 439 * MS);
  g_assert_cmpstr (p.state_name, ==, "STAY");
  rcc_fbra_external (&p, 360000, now + 440 * MS);
  g_assert_cmpstr (p.state_name, ==, "PROBE");
}

static void
losses_before_the_probe_do_not_count (void)
{
  RccPacket packets[10];

  start (300000);
  for (guint i = 0; i < 10; i++, now += 10 * MS) {
    if (i == 5)
      rcc_fbra_external (&p, 360000, now);
    packets[i] = (RccPacket) { .size = 1000, .sent = now, .arrived = i == 3 ? RCC_NEVER
          : now + DELAY, .flags = i == 7 ? RCC_PACKET_PARITY : 0 };
  }
  rcc_tell (&p.sender, on_feedback, packets, 10, now + 2 * DELAY);
  rcc_tell (&p.sender, on_rtcp, &rtcp, now + 2 * DELAY);
  g_assert_cmpstr (p.state_name, ==, "UP");
}

static void
a_decrease_takes_effect_at_once (void)
{
  RccUpdate u;

  start (300000);
  u = rcc_fbra_external (&p, 200000, now);
  g_assert_cmpuint (u.target_bps, ==, 200000);
  g_assert_cmpstr (p.state_name, ==, "DOWN");
  report (10, NONE, NONE);
  rcc_fbra_external (&p, 300000, now);
  g_assert_cmpstr (p.state_name, ==, "PROBE");
  /* in the middle of a probe, too: onto less than the media, and onto less parity */
  u = rcc_fbra_external (&p, 220000, now);
  g_assert_cmpuint (u.target_bps, ==, 220000);
  g_assert_cmpuint (p.fec_interval, ==, 10);
  u = rcc_fbra_external (&p, 150000, now);
  g_assert_cmpuint (u.changed, ==, RCC_TARGET | RCC_FEC | RCC_STATE);
  g_assert_cmpuint (u.target_bps, ==, 150000);
  g_assert_cmpuint (p.fec_interval + p.fec_bps, ==, 0);
}

/* From 100 to 400 kbit/s: parity is at most half the media, and a whole number of media
 * packets to one of it; what is then left is too little to probe for. */
static void
a_large_increase_takes_several_probes (void)
{
  static const guint total[] = { 150000, 225000, 337500, 393750 };
  static const guint media[] = { 150000, 225000, 337500, 400000 };

  start (100000);
  rcc_fbra_external (&p, 400000, now);
  for (guint i = 0; i < G_N_ELEMENTS (media); i++) {
    g_assert_cmpstr (p.state_name, ==, "PROBE");
    g_assert_cmpuint (p.target_bps, ==, total[i]);
    report (10, 5, NONE);
    g_assert_cmpuint (p.target_bps - p.fec_bps, ==, media[i]);
    report (10, NONE, NONE);
  }
  g_assert_cmpstr (p.state_name, ==, "STAY");
  g_assert_cmpuint (p.probes, ==, 4);
}

/* Less than a fourteenth: the media gives way for the probe, the sum is the target. */
static void
a_small_increase_is_probed_within_it (void)
{
  start (300000);
  rcc_fbra_external (&p, 309000, now);
  g_assert_cmpuint (p.fec_interval, ==, 14);
  g_assert_cmpuint (p.target_bps, ==, 309000);
  g_assert_cmpuint (p.target_bps - p.fec_bps, <, 300000);
  report (10, 5, NONE);
  g_assert_cmpuint (p.target_bps, ==, 309000);
  g_assert_cmpuint (p.fec_bps, ==, 0);
}

/* A controller that creeps in steps too small to probe does not get by in sum. */
static void
creeping_is_probed_too (void)
{
  start (300000);
  rcc_fbra_external (&p, 305000, now);
  g_assert_cmpuint (p.probes, ==, 0);
  g_assert_cmpuint (p.target_bps, ==, 305000);
  rcc_fbra_external (&p, 310000, now);
  g_assert_cmpuint (p.probes, ==, 1);
}

/* 2 % need no parity, counted from what was last shown to pass: to go down a little from there
 * and up again shows nothing. */
static void
small_steps_do_not_add_up (void)
{
  start (300000);
  for (guint i = 0; i < 50; i++) {
    rcc_fbra_external (&p, 305900, now);
    rcc_fbra_external (&p, 305000, now);
    rcc_fbra_external (&p, 311000, now);
    g_assert_cmpfloat (p.proved, ==, 300000);
    g_assert_cmpfloat (p.media, <=, 306000);
    rcc_fbra_external (&p, 305000, now);
  }
}

static void
a_probe_nobody_reports_on_fails (void)
{
  RccTime at;

  start (300000);
  g_assert_cmpuint (rcc_deadline (&p.sender), ==, RCC_NEVER);
  rcc_fbra_external (&p, 360000, now);
  at = rcc_deadline (&p.sender);
  g_assert_cmpuint (at, ==, now + 800 * MS);
  g_assert_cmpuint (rcc_tell (&p.sender, on_deadline, at - 1).changed, ==, 0);
  g_assert_cmpuint (rcc_tell (&p.sender, on_deadline, at).target_bps, ==, 300000);
  g_assert_cmpuint (p.timeouts, ==, 1);
  g_assert_cmpuint (rcc_deadline (&p.sender), ==, RCC_NEVER);
}

static void
limits_move (void)
{
  const RccConfig high = { 500000, 0, 2000000 }, low = { 0, 0, 100000 }, none = { 0 };
  const RccConfig floorless = { 0, 0, 2000000 };

  start (300000);
  g_assert_cmpuint (rcc_tell (&p.sender, on_config, &high, now).target_bps, ==, 500000);
  g_assert_cmpuint (rcc_tell (&p.sender, on_config, &low, now).target_bps, ==, 100000);
  g_assert_cmpuint (rcc_tell (&p.sender, on_config, &none, now).target_bps, ==, 0);
  /* from nothing there is no probe: what the controller says counts */
  rcc_tell (&p.sender, on_config, &floorless, now);
  g_assert_cmpuint (rcc_fbra_external (&p, 300000, now).target_bps, ==, 300000);
}

static void
a_storm_stays_within_limits (void)
{
  RccConfig l = limits;
  RccRng r;

  rcc_rng_init (&r, 9, 0);
  start (100000);
  for (guint i = 0; i < 1000000; i++) {
    RccPacket packets[8];

    now += rcc_rng_u32 (&r) % (20 * MS);
    switch (rcc_rng_u32 (&r) % 6) {
      case 0:
        if (rcc_rng_u32 (&r) % 100 == 0)
          l = (RccConfig) { rcc_rng_u32 (&r) >> rcc_rng_u32 (&r) % 32, 0,
            rcc_rng_u32 (&r) >> rcc_rng_u32 (&r) % 32 };
        rcc_tell (&p.sender, on_config, &l, now);
        break;
      case 1:
        if (rcc_rng_u32 (&r) % 50 == 0)
          rcc_fbra_external (&p, rcc_rng_u32 (&r) >> rcc_rng_u32 (&r) % 32, now);
        break;
      case 2:
        rcc_fbra_external (&p, (guint) MIN (p.external_bps * 1.1, UINT32_MAX), now);
        break;
      case 3:
        rcc_tell (&p.sender, on_deadline, now);
        break;
      default:
        for (guint k = 0; k < 8; k++)
          packets[k] = (RccPacket) { .size = rcc_rng_u32 (&r),
            .flags = rcc_rng_u32 (&r) % 2 ? RCC_PACKET_PARITY : 0,
            .sent = now - rcc_rng_u32 (&r) % (rcc_rng_u32 (&r) % 50 ? 20 * MS : RCC_SEC),
            .arrived = rcc_rng_u32 (&r) % 300 ? now : RCC_NEVER };
        rcc_tell (&p.sender, on_feedback, packets, 8, now);
        rcc_tell (&p.sender, on_rtcp, &rtcp, now);
    }
    g_assert_cmpuint (p.target_bps, >=, l.min_bps);
    g_assert_cmpuint (p.target_bps, <=, MAX (l.min_bps, l.max_bps));
    g_assert_cmpuint (p.target_bps, <=, MAX (l.min_bps, p.external_bps));
    g_assert_cmpuint (p.fec_bps, <=, p.target_bps / 3 + 1);
    g_assert_true (p.fec_interval == 0 || (p.fec_interval >= 2 && p.fec_interval <= 14));
    g_assert_true (isfinite (p.media) && p.media >= 0);
  }
  g_assert_cmpuint (p.probes, >, 1000);
  g_assert_cmpuint (p.probes_passed, >, 100);
}

#define TEST(name, f) g_test_add_func ("/fbra-probe/" name, f)

/* Reports that know of none say nothing about the smallest round trip of late. */
static void
a_report_without_round_trip_forgets_none (void)
{
  start (300000);
  rcc_tell (&p.sender, on_report, &((RccReport) { .rtt = 400 * MS }), now);
  for (guint i = 0; i < 3; i++) {
    now += 61 * RCC_SEC;
    rcc_tell (&p.sender, on_report, &((RccReport) { .rtt = RCC_NEVER }), now);
  }
  g_assert_cmpuint (rcc_skew_owd_rtt_min (&p.clock), ==, 400 * MS);
  rcc_fbra_external (&p, 360000, now);
  g_assert_cmpuint (rcc_deadline (&p.sender), ==, now + 8 * 2 * 400 * MS);
}

/* For logs and traces: whatever changes says why. */
static void
each_change_has_a_reason (void)
{
  const RccConfig less = { 10000, 100000, 200000 };

  start (0);
  g_assert_cmpstr (rcc_fbra_external (&p, 300000, now).reason, ==, "the controller's first target");
  g_assert_cmpstr (rcc_fbra_external (&p, 290000, now).reason, ==, "the controller went down");
  report (10, NONE, NONE);
  g_assert_cmpstr (rcc_fbra_external (&p, 360000, now).reason, ==, "probing for the controller");
  g_assert_cmpstr (report (10, 5, NONE).reason, ==, "the probe passed");
  g_assert_cmpstr (p.reason, ==, "the probe passed");
  g_assert_cmpstr (rcc_tell (&p.sender, on_config, &less, now).reason, ==,
      "the controller went down");
  g_assert_cmpstr (rcc_tell (&p.sender, on_config, &less, now).reason, ==, "limits changed");
  g_assert_cmpstr (report (10, NONE, 3).reason, ==, "losses, no probe");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  TEST ("says-nothing-before-the-controller", says_nothing_before_the_controller);
  TEST ("the-first-target-is-media-at-once", the_first_target_is_media_at_once);
  TEST ("an-increase-is-parity-first", an_increase_is_parity_first);
  TEST ("and-media-once-parity-was-reported", and_media_once_parity_was_reported);
  TEST ("but-not-if-a-packet-was-lost", but_not_if_a_packet_was_lost);
  TEST ("losses-before-the-probe-do-not-count", losses_before_the_probe_do_not_count);
  TEST ("a-decrease-takes-effect-at-once", a_decrease_takes_effect_at_once);
  TEST ("a-large-increase-takes-several-probes", a_large_increase_takes_several_probes);
  TEST ("a-small-increase-is-probed-within-it", a_small_increase_is_probed_within_it);
  TEST ("creeping-is-probed-too", creeping_is_probed_too);
  TEST ("small-steps-do-not-add-up", small_steps_do_not_add_up);
  TEST ("a-probe-nobody-reports-on-fails", a_probe_nobody_reports_on_fails);
  TEST ("limits-move", limits_move);
  TEST ("a-storm-stays-within-limits", a_storm_stays_within_limits);
  TEST ("every-change-of-parity-is-told", every_change_of_parity_is_told);
  TEST ("a-report-without-round-trip-forgets-none", a_report_without_round_trip_forgets_none);
  TEST ("each-change-has-a-reason", each_change_has_a_reason);
  return g_test_run ();
}
