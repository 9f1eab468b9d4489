/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <glib.h>
#include <math.h>
#include "core/rng.h"
#include "send/pacer.h"

#define BURST (5 * RCC_MSEC)
#define SIZE 1200

/* What the pacer asked for left. */
static guint32
send (RccPacer *p, guint32 size, gboolean padding, RccTime now)
{
  if (!padding)
    rcc_pacer_removed (p, size);
  return rcc_pacer_sent (p, size, now);
}

/* Drives @p with a queue that never runs dry from *@now to @until; says by how much
 * what was sent strayed from bps * time over any window, in bits, and how much was
 * sent in all. */
typedef struct {
  double stray, bits;
  RccTime shortest_pause;               /* between departures that do not coincide */
} Run;

static Run
backlogged (RccPacer *p, RccTime *now, RccTime until, RccRng *sizes)
{
  const RccTime start = *now;
  double low = 0, high = 0;
  Run run = { .shortest_pause = RCC_NEVER };
  RccTime last = RCC_NEVER;
  guint size = SIZE;

  rcc_pacer_queued (p, size, *now);
  while (*now < until) {
    RccTime when;

    if (rcc_pacer_next (p, *now, &when) == RCC_PACER_WAIT) {
      g_assert_cmpuint (when, >, *now);
      *now = when;
      continue;
    }
    if (last != RCC_NEVER && *now > last)
      run.shortest_pause = RCC_MIN (run.shortest_pause, *now - last);
    last = *now;
    low = RCC_MIN (low, run.bits - p->bps * (double) (*now - start) * 1e-9);
    send (p, size, false, *now);
    run.bits += 8.0 * size;
    high = RCC_MAX (high, run.bits - p->bps * (double) (*now - start) * 1e-9);
    size = sizes ? 100 + rcc_rng_u32 (sizes) % 1101 : SIZE;
    rcc_pacer_queued (p, size, *now);
  }
  rcc_pacer_removed (p, size);
  run.stray = high - low;
  return run;
}

static void
holds_the_rate_over_any_window (void)
{
  static const guint32 rates[] = { 50000, 150000, 1000000, 2500000, 20000000 };
  RccRng rng;

  rcc_rng_init (&rng, 1, 1);
  for (gsize i = 0; i < 2 * G_N_ELEMENTS (rates); i++) {
    const guint32 bps = rates[i / 2];
    const double group = bps * 0.005;
    RccTime now = RCC_SEC;
    RccPacer p;
    Run run;

    rcc_pacer_init (&p, bps, BURST, now);
    run = backlogged (&p, &now, 31 * RCC_SEC, i % 2 ? &rng : NULL);
    /* one group and one packet: what may coincide at either end of the window */
    g_assert_cmpfloat (run.stray, <=, group + 8.0 * SIZE + 1);
    g_assert_cmpfloat (run.bits, >=, bps * 30.0 - 8.0 * SIZE - group);
    g_assert_cmpfloat (run.bits, <=, bps * 30.0 + 8.0 * SIZE + group);
  }
}

static void
leaves_in_groups (void)
{
  RccTime now = 0;
  RccPacer p;
  Run run;

  rcc_pacer_init (&p, 5000000, BURST, now);
  run = backlogged (&p, &now, 2 * RCC_SEC, NULL);
  g_assert_cmpuint (run.shortest_pause, >=, BURST);
  g_assert_cmpuint (run.shortest_pause, <=, BURST + RCC_USEC);
}

/* A second without packets is a second of the rate at once, at whatever it is by then; without
 * the option it is one group. */
static void
idle_credit (void)
{
  for (guint on = 0; on < 2; on++) {
    RccTime when;
    guint left = 0;
    RccPacer p;

    rcc_pacer_init (&p, 960000, BURST, RCC_SEC);
    p.idle_credit = on;
    rcc_pacer_set_rate (&p, 480000, 2 * RCC_SEC);
    for (guint i = 0; i < 200; i++)
      rcc_pacer_queued (&p, SIZE, 2 * RCC_SEC);
    while (rcc_pacer_next (&p, 2 * RCC_SEC, &when) == RCC_PACER_MEDIA) {
      send (&p, SIZE, false, 2 * RCC_SEC);
      left++;
    }
    /* 480 kbit of it, and the group */
    g_assert_cmpuint (left, >=, on ? 50 : 1);
    g_assert_cmpuint (left, <=, on ? 51 : 1);
    g_assert_cmpuint (when, >, 2 * RCC_SEC);
  }
}

/* How much of the rate leaves a queue that never runs dry, woken later each time by what
 * @late says; and the largest group, as a span of the rate. */
typedef struct {
  double share;
  RccTime group;
} Late;

static Late
woken_late (guint32 bps, RccTime constant, RccTime mean, RccTime span)
{
  RccTime now = RCC_SEC, when;
  double group = 0, largest = 0, bits = 0;
  RccPacer p;
  RccRng r;

  rcc_rng_init (&r, bps, mean + constant);
  rcc_pacer_init (&p, bps, BURST, now);
  rcc_pacer_queued (&p, SIZE, now);
  while (now < RCC_SEC + span) {
    if (rcc_pacer_next (&p, now, &when) == RCC_PACER_WAIT) {
      now = when + constant
          + (RccTime) (-log (1.0 - rcc_rng_uniform (&r)) * (double) mean);
      group = 0;
      continue;
    }
    send (&p, SIZE, false, now);
    rcc_pacer_queued (&p, SIZE, now);
    group += 8.0 * SIZE;
    bits += 8.0 * SIZE;
    largest = MAX (largest, group);
  }
  return (Late) { bits / (bps * (double) span * 1e-9), (RccTime) (largest / bps * 1e9) };
}

/* S1 of the findings: 64 % left when woken 10 ms late, 27 % at 30 ms.  At the low rates a
 * packet takes longer than a group may: there 5 % left. */
static void
late_wakes_cost_no_rate (void)
{
  static const guint32 rates[] = { 20000, 64000, 150000, 500000, 1000000, 2000000, 10000000 };

  for (guint i = 0; i < G_N_ELEMENTS (rates); i++)
    for (RccTime late = 0; late <= 35 * RCC_MSEC; late += 5 * RCC_MSEC) {
      const bool exponential = late > 30 * RCC_MSEC;
      const RccTime packet = SIZE * 8 * RCC_SEC / rates[i];
      const RccTime span = RCC_MAX (60 * RCC_SEC, 1000 * packet);
      const Late l = exponential ? woken_late (rates[i], 0, 10 * RCC_MSEC, span)
          : woken_late (rates[i], late, 0, span);

      g_test_message ("%6.3f Mbit/s, woken %s%2.0f ms late: %.1f %% of the rate, groups up to "
          "%.1f ms", rates[i] * 1e-6, exponential ? "exponentially " : "",
          exponential ? 10.0 : late * 1e-6, 100 * l.share, l.group * 1e-6);
      g_assert_cmpfloat (l.share, >=, 0.99);
      g_assert_cmpfloat (l.share, <=, 1.01);
      g_assert_cmpuint (l.group, <=, RCC_MAX (40 * RCC_MSEC, packet));
    }
}

/* T1: stopped for 2 s, it makes up for 250 ms of them, and not at once. */
static void
catches_up_slowly_after_a_stall (void)
{
  RccTime now = 0, when;
  RccPacer p;
  guint at_once = 0;
  Run run;

  rcc_pacer_init (&p, 2000000, BURST, now);
  backlogged (&p, &now, RCC_SEC, NULL);
  rcc_pacer_queued (&p, SIZE, now);
  now += 2 * RCC_SEC;
  while (rcc_pacer_next (&p, now, &when) == RCC_PACER_MEDIA) {
    send (&p, SIZE, false, now);
    rcc_pacer_queued (&p, SIZE, now);
    at_once++;
  }
  g_assert_cmpuint (at_once * SIZE, <=, 2000000 / 8 / 25);      /* 40 ms */
  rcc_pacer_removed (&p, SIZE);
  run = backlogged (&p, &now, now + 100 * RCC_MSEC, NULL);
  g_assert_cmpfloat (run.bits, <=, 1.25 * 200000 + 2 * 8 * SIZE);
  run = backlogged (&p, &now, now + 1900 * RCC_MSEC, NULL);
  g_assert_cmpfloat (run.bits, <=, 2000000 * (1.9 + 0.25) + 8 * SIZE);
}

/* Nothing to send is no credit. */
static void
idle_time_is_no_credit (void)
{
  RccTime now = 0, when;
  guint at_once = 0;
  RccPacer p;

  rcc_pacer_init (&p, 2000000, BURST, now);
  backlogged (&p, &now, RCC_SEC, NULL);
  for (now += 2 * RCC_SEC; at_once < 100; at_once++) {
    rcc_pacer_queued (&p, SIZE, now);
    if (rcc_pacer_next (&p, now, &when) != RCC_PACER_MEDIA)
      break;
    send (&p, SIZE, false, now);
  }
  g_assert_cmpuint (at_once * SIZE, <=, 2000000 / 8 / 200 + SIZE);
}

/* What the owner wants out in time leaves faster. */
static void
drains (void)
{
  RccTime now = 0;
  RccPacer p;
  Run run;

  rcc_pacer_init (&p, 1000000, BURST, now);
  rcc_pacer_drain (&p, 3000000, now);
  run = backlogged (&p, &now, RCC_SEC, NULL);
  g_assert_cmpfloat (run.bits, >=, 2.95e6);
  g_assert_cmpfloat (run.bits, <=, 3.05e6);
  rcc_pacer_drain (&p, 500000, now);
  run = backlogged (&p, &now, now + RCC_SEC, NULL);
  g_assert_cmpfloat (run.bits, <=, 1.02e6);
}

static void
follows_the_rate (void)
{
  RccTime now = 0, when;
  RccPacer p;
  Run run;

  rcc_pacer_init (&p, 0, BURST, now);
  rcc_pacer_queued (&p, SIZE, now);
  g_assert_cmpint (rcc_pacer_next (&p, now, &when), ==, RCC_PACER_WAIT);
  g_assert_cmpuint (when, ==, RCC_NEVER);
  rcc_pacer_removed (&p, SIZE);
  rcc_pacer_set_rate (&p, 500000, now);
  run = backlogged (&p, &now, 10 * RCC_SEC, NULL);
  g_assert_cmpfloat (run.bits, >=, 5e6 - 9600);
  rcc_pacer_set_rate (&p, 4000000, now);
  run = backlogged (&p, &now, now + 10 * RCC_SEC, NULL);
  g_assert_cmpfloat (run.bits, >=, 40e6 - 9600 - 20000);
  g_assert_cmpfloat (run.bits, <=, 40e6 + 9600 + 20000);
}

static void
tells_the_time_of_the_queue (void)
{
  RccPacer p;

  rcc_pacer_init (&p, 1000000, BURST, 0);
  for (guint i = 0; i < 100; i++)
    rcc_pacer_queued (&p, SIZE, 0);
  g_assert_cmpuint (rcc_pacer_queue_time (&p), ==, 960 * RCC_MSEC);
  for (guint i = 0; i < 101; i++)
    rcc_pacer_removed (&p, SIZE);       /* one too many is no underflow */
  g_assert_cmpuint (p.queued_bytes, ==, 0);
  g_assert_cmpuint (p.queued_packets, ==, 0);
  g_assert_cmpuint (rcc_pacer_queue_time (&p), ==, 0);
}

/* Runs the cluster; returns its packets, and when its last one left. */
static guint
cluster (RccPacer *p, RccTime now, guint media, RccTime *end)
{
  guint packets = 0;

  p->may_pad = true;
  *end = now;
  for (guint i = 0; i < media; i++)
    rcc_pacer_queued (p, SIZE, now);
  while (p->probe_id != 0) {
    RccTime when;
    const RccPacerVerdict v = rcc_pacer_next (p, now, &when);

    if (v == RCC_PACER_WAIT) {
      g_assert_cmpuint (when, >, now);
      now = when;
      continue;
    }
    g_assert_cmpint (v, ==, p->queued_packets ? RCC_PACER_MEDIA : RCC_PACER_PADDING);
    g_assert_cmpuint (send (p, SIZE, v == RCC_PACER_PADDING, now), ==, 9);
    packets++;
    *end = now;
  }
  return packets;
}

static void
probes_at_their_rate (void)
{
  RccTime end, now = RCC_SEC;
  double bits;
  RccPacer p;
  Run run;

  rcc_pacer_init (&p, 1000000, BURST, now);
  rcc_pacer_probe (&p, 4000000, 20000, 9);
  g_assert_cmpuint (cluster (&p, now, 3, &end), ==, 17);        /* 17 x 1200 >= 20000 */
  /* the last of 17 leaves when the 16 before it are paid for at 4 Mbit/s */
  g_assert_cmpuint (end - now, >=, 16 * 2400 * RCC_USEC - RCC_USEC);
  g_assert_cmpuint (end - now, <=, 16 * 2400 * RCC_USEC + RCC_USEC);
  bits = 17 * 9600;
  run = backlogged (&p, &end, now + 5 * RCC_SEC, NULL);
  bits += run.bits;                     /* 100 ms of it were owed and have been paid */
  g_assert_cmpfloat (bits, <=, 5e6 + 9600 + 5000 + (17 * 9600 - 38400 - 100000));
  g_assert_cmpfloat (bits, >=, 5e6 - 9600 - 5000);
}

static void
clusters_have_six_packets (void)
{
  RccTime end;
  RccPacer p;

  rcc_pacer_init (&p, 1000000, BURST, 0);
  rcc_pacer_probe (&p, 2000000, 1, 9);
  g_assert_cmpuint (cluster (&p, RCC_SEC, 1, &end), ==, RCC_PACER_PROBE_PACKETS);
}

static void
probes_wait_for_media (void)
{
  RccTime when;
  RccPacer p;

  rcc_pacer_init (&p, 1000000, BURST, 0);
  rcc_pacer_probe (&p, 2000000, 5000, 9);
  g_assert_cmpint (rcc_pacer_next (&p, RCC_SEC, &when), ==, RCC_PACER_WAIT);
  g_assert_cmpuint (when, ==, RCC_NEVER);
  rcc_pacer_queued (&p, 60, 9 * RCC_SEC);       /* audio, before there is video to pad on */
  g_assert_cmpint (rcc_pacer_next (&p, 9 * RCC_SEC, &when), ==, RCC_PACER_MEDIA);
  g_assert_cmpuint (send (&p, 60, false, 9 * RCC_SEC), ==, 0);
  g_assert_cmpuint (p.probe_id, ==, 9);
  p.may_pad = true;
  rcc_pacer_queued (&p, SIZE, 9 * RCC_SEC);
  g_assert_cmpint (rcc_pacer_next (&p, 9 * RCC_SEC, &when), ==, RCC_PACER_MEDIA);
  g_assert_cmpuint (send (&p, SIZE, false, 9 * RCC_SEC), ==, 9);
  /* the owner was away: a cluster with a hole in it says nothing */
  g_assert_cmpint (rcc_pacer_next (&p, 10 * RCC_SEC, &when), ==, RCC_PACER_WAIT);
  g_assert_cmpuint (p.probe_id, ==, 0);
}

/* A key frame is under way, which takes longer than the probe's whole cluster. */
static void
probes_need_no_padding_where_much_waits (void)
{
  RccTime when;
  RccPacer p;

  rcc_pacer_init (&p, 1000000, BURST, 0);
  rcc_pacer_probe (&p, 2000000, 5000, 9);
  for (guint i = 0; i < 4; i++) {
    rcc_pacer_queued (&p, SIZE, RCC_SEC);
    rcc_pacer_next (&p, RCC_SEC, &when);
    g_assert_cmpuint (p.probe_start, ==, RCC_NEVER);
  }
  rcc_pacer_queued (&p, SIZE, RCC_SEC);
  rcc_pacer_next (&p, RCC_SEC, &when);
  g_assert_cmpuint (p.probe_start, ==, RCC_SEC);
}

static void
a_probe_without_a_rate_is_none (void)
{
  RccTime when;
  RccPacer p;

  rcc_pacer_init (&p, 1000000, BURST, 0);
  rcc_pacer_probe (&p, 0, 5000, 9);
  rcc_pacer_queued (&p, SIZE, RCC_SEC);
  g_assert_cmpint (rcc_pacer_next (&p, RCC_SEC, &when), ==, RCC_PACER_MEDIA);
  g_assert_cmpuint (send (&p, SIZE, false, RCC_SEC), ==, 0);
  g_assert_cmpint (rcc_pacer_next (&p, RCC_SEC, &when), ==, RCC_PACER_WAIT);
  g_assert_cmpuint (when, ==, RCC_NEVER);
}

/* What the source made while the pacer's owner slept is queued by its own time, which may
 * be before the last thing that the pacer heard: that is no credit. */
static void
the_past_is_no_credit (void)
{
  RccTime when;
  RccPacer p;

  rcc_pacer_init (&p, 1000000, BURST, 0);
  rcc_pacer_set_rate (&p, 900000, RCC_SEC);
  rcc_pacer_queued (&p, SIZE, RCC_SEC - 10 * RCC_MSEC);
  rcc_pacer_queued (&p, SIZE, RCC_SEC - 10 * RCC_MSEC);
  g_assert_cmpint (rcc_pacer_next (&p, RCC_SEC, &when), ==, RCC_PACER_MEDIA);
  send (&p, SIZE, false, RCC_SEC);
  g_assert_cmpfloat (p.debt, >, 0);
  g_assert_cmpint (rcc_pacer_next (&p, RCC_SEC, &when), ==, RCC_PACER_WAIT);
}

/* F4: rates and sizes from 0 to the end of their types */
static void
random_events_keep_it_sane (void)
{
  RccTime now = 0, when;
  RccPacer p;
  RccRng r;

  rcc_rng_init (&r, 7, 7);
  rcc_pacer_init (&p, 300000, BURST, 0);
  for (guint i = 0; i < 1000000; i++) {
    const guint32 dice = rcc_rng_u32 (&r) % 8, any = rcc_rng_u32 (&r);

    now += any % (10 * RCC_MSEC);
    if (dice == 0)
      rcc_pacer_set_rate (&p, any >> (any % 32), now);
    else if (dice == 1)
      rcc_pacer_probe (&p, any >> (any % 32), any % 100000, i);
    p.may_pad = any & 1;
    if (dice >= 2 && dice < 5)
      rcc_pacer_queued (&p, any % 65536, now);
    while (p.queued_packets > 100)
      rcc_pacer_removed (&p, RCC_MAX (1500, p.queued_bytes / p.queued_packets));
    for (guint k = 0; k < 10; k++) {
      const RccPacerVerdict v = rcc_pacer_next (&p, now, &when);

      if (v == RCC_PACER_WAIT) {
        g_assert_cmpuint (when, >, now);
        break;
      }
      g_assert_true (v == RCC_PACER_PADDING || p.queued_packets > 0);
      send (&p, SIZE, v == RCC_PACER_PADDING, now);
    }
    g_assert_true (p.debt > -1.1e9 && p.debt < 1e12);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pacer/holds-the-rate-over-any-window", holds_the_rate_over_any_window);
  g_test_add_func ("/pacer/leaves-in-groups", leaves_in_groups);
  g_test_add_func ("/pacer/idle-credit", idle_credit);
  g_test_add_func ("/pacer/late-wakes-cost-no-rate", late_wakes_cost_no_rate);
  g_test_add_func ("/pacer/catches-up-slowly-after-a-stall", catches_up_slowly_after_a_stall);
  g_test_add_func ("/pacer/idle-time-is-no-credit", idle_time_is_no_credit);
  g_test_add_func ("/pacer/the-past-is-no-credit", the_past_is_no_credit);
  g_test_add_func ("/pacer/drains", drains);
  g_test_add_func ("/pacer/follows-the-rate", follows_the_rate);
  g_test_add_func ("/pacer/tells-the-time-of-the-queue", tells_the_time_of_the_queue);
  g_test_add_func ("/pacer/probes-at-their-rate", probes_at_their_rate);
  g_test_add_func ("/pacer/clusters-have-six-packets", clusters_have_six_packets);
  g_test_add_func ("/pacer/probes-wait-for-media", probes_wait_for_media);
  g_test_add_func ("/pacer/probes-need-no-padding-where-much-waits",
      probes_need_no_padding_where_much_waits);
  g_test_add_func ("/pacer/a-probe-without-a-rate-is-none", a_probe_without_a_rate_is_none);
  g_test_add_func ("/pacer/random-events-keep-it-sane", random_events_keep_it_sane);
  return g_test_run ();
}
