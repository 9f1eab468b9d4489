/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <math.h>
#include <glib.h>
#include "core/gcc/probe-bitrate.h"
#include "core/rng.h"

#define SIZE 1200

/* When a packet that left at @send is through a link of @bps that was idle, or busy
 * until @*free. */
static RccTime
through (RccTime send, guint size, double bps, RccTime *free)
{
  *free = RCC_MAX (*free, send) + (RccTime) (8e9 * size / bps);
  return *free + 30 * RCC_MSEC;
}

/* @n packets at @in through @bps. */
static double
result (guint n, double in, double bps)
{
  RccTime free = 0;
  RccProbeBitrate t;

  for (guint i = 0; i < n; i++) {
    const RccTime send = RCC_SEC + (RccTime) (i * 8e9 * SIZE / in);
    const RccTime arrival = through (send, SIZE, bps, &free);

    if (i == 0)
      rcc_probe_bitrate_start (&t, send, arrival, SIZE);
    else
      rcc_probe_bitrate_add (&t, send, arrival, SIZE);
  }
  return rcc_probe_bitrate_result (&t, 0);
}

static void
an_open_link_gives_the_rate_of_the_train (void)
{
  g_assert_cmpfloat_with_epsilon (result (10, 2e6, 1e9) / 2e6, 1, 0.001);
  g_assert_cmpfloat_with_epsilon (result (20, 5e6, 6e6) / 5e6, 1, 0.001);
}

/* Saturated: what came out is the capacity, less a little to let it drain. */
static void
a_full_link_gives_its_capacity (void)
{
  g_assert_cmpfloat_with_epsilon (result (10, 4e6, 1e6) / 1e6, 0.95, 0.001);
  g_assert_cmpfloat_with_epsilon (result (40, 4e6, 3e6) / 3e6, 0.95, 0.001);
}

/* At 300 kbit/s a packet of 700 B takes 19 ms: that is no pause.  One of a whole frame is. */
static void
finds_a_slow_train (void)
{
  static const RccTime pauses[] = { 0, 33 * RCC_MSEC };

  for (guint i = 0; i < G_N_ELEMENTS (pauses); i++) {
    RccTime send = RCC_SEC, free = 0;
    RccProbeFinder f;
    double found = 0;

    rcc_probe_finder_init (&f, 1.15, 0);
    for (guint k = 0; k < 8; k++) {     /* the last one comes a second later */
      const RccTime arrival = through (send, 700, 1e7, &free);
      const double said = rcc_probe_finder_add (&f, send, arrival, 700, 150000);

      found = RCC_MAX (found, said);
      send += k < 6 ? (RccTime) (8e9 * 700 / 300000) + pauses[i] : RCC_SEC;
    }
    if (i == 0)
      g_assert_cmpfloat_with_epsilon (found / 300000, 1, 0.02);
    else
      g_assert_cmpfloat (found, ==, 0);
  }
}

static void
short_trains_give_nothing (void)
{
  g_assert_cmpfloat (result (RCC_PROBE_BITRATE_PACKETS - 1, 1e6, 1e9), ==, 0);
  g_assert_cmpfloat (result (RCC_PROBE_BITRATE_PACKETS, 1e6, 1e9), >, 0);
  /* many packets in less than 10 ms */
  g_assert_cmpfloat (result (20, 1e8, 1e9), ==, 0);
}

static void
sending_rate_leaves_the_last_packet_out (void)
{
  RccProbeBitrate t;

  rcc_probe_bitrate_start (&t, RCC_SEC, 2 * RCC_SEC, 500);
  g_assert_cmpfloat (rcc_probe_bitrate_send_bps (&t), ==, 0);
  rcc_probe_bitrate_add (&t, RCC_SEC + 10 * RCC_MSEC, 2 * RCC_SEC + 10 * RCC_MSEC, 1500);
  g_assert_cmpfloat_with_epsilon (rcc_probe_bitrate_send_bps (&t), 500 * 8 / 0.01, 1);
  /* no time between them: no division by it */
  rcc_probe_bitrate_start (&t, RCC_SEC, 2 * RCC_SEC, 500);
  rcc_probe_bitrate_add (&t, RCC_SEC, 2 * RCC_SEC, 500);
  g_assert_true (isfinite (rcc_probe_bitrate_send_bps (&t)));
}

/* Sent in 40 ms, delivered in 4: an outage let go of it.  What the path can carry
 * that does not say. */
static void
a_burst_says_nothing (void)
{
  RccProbeBitrate t;

  rcc_probe_bitrate_start (&t, RCC_SEC, 2 * RCC_SEC, SIZE);
  for (guint i = 1; i <= 10; i++)
    rcc_probe_bitrate_add (&t, RCC_SEC + i * 4 * RCC_MSEC, 2 * RCC_SEC + i * 400 * RCC_USEC, SIZE);
  g_assert_cmpfloat (rcc_probe_bitrate_result (&t, 0), ==, 0);
}

static void
a_reordered_train_says_nothing (void)
{
  RccTime order[10];
  RccProbeBitrate t;

  for (guint i = 0; i < 10; i++)
    order[i] = RCC_SEC + (i == 9 ? 2 : i >= 2 ? i + 1 : i) * 4 * RCC_MSEC;
  rcc_probe_bitrate_start (&t, order[0], 2 * RCC_SEC, SIZE);
  for (guint i = 1; i < 10; i++)
    rcc_probe_bitrate_add (&t, order[i], 2 * RCC_SEC + i * 4 * RCC_MSEC, SIZE);
  g_assert_cmpfloat (rcc_probe_bitrate_result (&t, 0), ==, 0);
}

static void
any_stream_gives_finite_results (void)
{
  RccTime send = 1000 * RCC_SEC, arrival = 2000 * RCC_SEC;
  RccProbeFinder f;
  RccRng r;

  rcc_rng_init (&r, 5, 1);
  rcc_probe_finder_init (&f, 1.3, 0);
  for (guint i = 0; i < 1000000; i++) {
    const guint32 dice = rcc_rng_u32 (&r);
    double bps;

    send += dice % (6 * RCC_MSEC) - RCC_MSEC / 2;
    arrival += (dice >> 8) % (6 * RCC_MSEC) - RCC_MSEC / 2;
    if (dice % 5000 == 0)
      send += dice & 1 ? 3600 * RCC_SEC : -900 * RCC_SEC;
    bps = rcc_probe_finder_add (&f, send, arrival, dice % 65536, dice & 64 ? 1e6 : 0);
    g_assert_true (isfinite (bps) && bps >= 0);
  }
}

/* A small packet is over quickly, but what follows within 15 ms belongs to it. */
static void
a_small_packet_ends_no_train (void)
{
  RccProbeFinder f;

  rcc_probe_finder_init (&f, 1.0, 0);
  for (guint i = 0; i < 20; i++) {
    const RccTime send = RCC_SEC + i * 14 * RCC_MSEC;

    g_assert_cmpfloat (rcc_probe_finder_add (&f, send, send + 30 * RCC_MSEC, i % 2 ? 100 : 2900,
            700e3), ==, 0);
  }
  g_assert_cmpfloat_with_epsilon (rcc_probe_finder_add (&f, 3 * RCC_SEC, 3 * RCC_SEC, 100, 700e3)
      / (8 * 1500 / 0.014), 1, 0.1);
}

/* Within a millisecond: the rate is that from group to group. */
static void
packets_within_a_millisecond_are_one_group (void)
{
  RccProbeBitrate t;

  rcc_probe_bitrate_start (&t, RCC_SEC, 2 * RCC_SEC, SIZE);
  for (guint i = 1; i < 10; i++) {
    const RccTime at = i / 2 * 10 * RCC_MSEC + i % 2 * RCC_MSEC;

    rcc_probe_bitrate_add (&t, RCC_SEC + at, 2 * RCC_SEC + at, SIZE);
  }
  g_assert_cmpfloat_with_epsilon (rcc_probe_bitrate_send_bps (&t), 8 * SIZE * 8 / 0.04, 1);
}

/* Faster than the estimate, but not by the factor and what a pacer may be ahead: no train. */
static void
a_train_is_faster_by_the_factor (void)
{
  static const double rates[] = { 1.2e6, 1.4e6 };

  for (guint i = 0; i < G_N_ELEMENTS (rates); i++) {
    double found = 0;
    RccProbeFinder f;

    rcc_probe_finder_init (&f, 1.15, 0);
    for (guint k = 0; k <= 40; k++) {
      const RccTime send = RCC_SEC + (k < 40 ? (RccTime) (k * 8e9 * SIZE / rates[i]) : RCC_SEC);

      found += rcc_probe_finder_add (&f, send, send + 30 * RCC_MSEC, SIZE, 1e6);
    }
    g_assert_cmpfloat_with_epsilon (found, i ? rates[i] : 0.0, 0.01 * rates[i]);
  }
}

/* A link is full from less than 90 % of what left. */
static void
nine_tenths_is_no_full_link (void)
{
  g_assert_cmpfloat_with_epsilon (result (40, 1e6, 0.91e6) / 0.91e6, 1, 0.001);
  g_assert_cmpfloat_with_epsilon (result (40, 1e6, 0.89e6) / 0.89e6, 0.95, 0.001);
}

/* Twice as fast as it left is a path's jitter, faster is not. */
static void
twice_the_rate_is_believed (void)
{
  static const guint us[] = { 2100, 1900 };

  for (guint k = 0; k < 2; k++) {
    RccProbeBitrate t;

    rcc_probe_bitrate_start (&t, RCC_SEC, 2 * RCC_SEC, SIZE);
    for (guint i = 1; i <= 10; i++)
      rcc_probe_bitrate_add (&t, RCC_SEC + i * 4 * RCC_MSEC, 2 * RCC_SEC + i * us[k] * RCC_USEC,
          SIZE);
    g_assert_cmpfloat_with_epsilon (rcc_probe_bitrate_result (&t, 0), k == 0 ? 8 * SIZE / 0.004 : 0.0,
        1);
  }
}

/* @n packets at @bps from @send on; the result of what ended before. */
static double
feed (RccProbeFinder *f, RccTime send, guint n, double bps)
{
  double found = 0;

  for (guint i = 0; i < n; i++) {
    const RccTime at = send + (RccTime) (i * 8e9 * SIZE / bps);

    found += rcc_probe_finder_add (f, at, at + 30 * RCC_MSEC, SIZE, 1e6);
  }
  return found;
}

/* A finder that waits sees a train that came in another order; without waiting it sees none. */
static void
waits_for_what_is_late (void)
{
  static const RccTime waits[] = { 0, 20 * RCC_MSEC };

  for (guint k = 0; k < G_N_ELEMENTS (waits); k++) {
    RccProbeFinder f;
    double found = 0;

    rcc_probe_finder_init (&f, 1.15, waits[k]);
    for (guint i = 0; i < 40; i++) {    /* 2 Mbit/s, every two of them changed over; then slow */
      const RccTime sent = i < 20 ? (i ^ 1) * 4 * RCC_MSEC : 80 * RCC_MSEC + (i - 20) * 20 * RCC_MSEC;
      const RccTime arrived = i < 20 ? i * 4 * RCC_MSEC : sent;
      const double said = rcc_probe_finder_add (&f, RCC_SEC + sent, 2 * RCC_SEC + arrived, SIZE,
          1e6);

      found = RCC_MAX (found, said);
    }
    if (k == 0)
      g_assert_cmpfloat (found, ==, 0);
    else
      g_assert_cmpfloat_with_epsilon (found, 8 * SIZE / 0.004, 0.1 * 8 * SIZE / 0.004);
  }
}

/* What left, or came, before the packet before it ends a train, and spoils none. */
static void
reordering_ends_a_train (void)
{
  for (guint arrival = 0; arrival < 2; arrival++) {
    RccProbeFinder f;
    RccTime last;

    rcc_probe_finder_init (&f, 1.15, 0);
    g_assert_cmpfloat (feed (&f, RCC_SEC, 20, 2e6), ==, 0);
    last = f.train.last_send;
    g_assert_cmpfloat_with_epsilon (rcc_probe_finder_add (&f,
            last + (arrival ? RCC_MSEC : (RccTime) -1),
            last + 30 * RCC_MSEC + (arrival ? (RccTime) -1 : RCC_MSEC), SIZE, 1e6), 2e6, 1e3);
    g_assert_cmpuint (f.train.packets, ==, 1);
  }
}

/* Two that come at once have not overtaken each other. */
static void
packets_may_come_at_once (void)
{
  RccProbeBitrate t;

  rcc_probe_bitrate_start (&t, RCC_SEC, 2 * RCC_SEC, SIZE);
  for (guint i = 1; i < 20; i++)
    rcc_probe_bitrate_add (&t, RCC_SEC + i * 4 * RCC_MSEC, 2 * RCC_SEC + (i + 1) / 2 * 8 * RCC_MSEC,
        SIZE);
  g_assert_cmpuint (t.reordered, ==, 0);
  g_assert_cmpfloat_with_epsilon (rcc_probe_bitrate_result (&t, 0), 8 * SIZE / 0.004,
      0.1 * 8 * SIZE / 0.004);
}

/* How long a pause may be depends on the packet before it, not on the first one. */
static void
a_small_first_packet_makes_no_pause (void)
{
  RccTime send = RCC_SEC;
  RccProbeFinder f;
  double found = 0;

  rcc_probe_finder_init (&f, 1.15, 0);
  for (guint k = 0; k < 9; k++) {
    const guint size = k == 0 ? 100 : 700;

    found += rcc_probe_finder_add (&f, send, send + 30 * RCC_MSEC, size, 150000);
    send += k == 0 ? 5 * RCC_MSEC : k < 7 ? (RccTime) (8e9 * 700 / 300000) : RCC_SEC;
  }
  g_assert_cmpfloat_with_epsilon (found / 300000, 1, 0.05);
}

/* Send clocks begin anywhere, at 0 as well. */
static void
a_train_may_leave_at_0 (void)
{
  RccProbeFinder f;

  rcc_probe_finder_init (&f, 1.15, 0);
  g_assert_cmpfloat (feed (&f, 3 * RCC_MSEC, 20, 2e6), ==, 0);
  g_assert_cmpfloat_with_epsilon (feed (&f, 10 * RCC_SEC, 1, 2e6), 2e6, 1e3);
}

/* A pair in an even stream is what a pacer had in advance. The rate goes by what left before the
 * pair, and is no faster for it. */
static void
a_pair_makes_no_train (void)
{
  double found = 0;
  RccProbeFinder f;

  rcc_probe_finder_init (&f, 1.0, 0);
  for (guint k = 0; k <= 40; k++) {     /* 960 kbit/s; the fifth is half a millisecond behind */
    const RccTime send = RCC_SEC + (k == 40 ? 3 * RCC_SEC : k < 4 ? k * 10 * RCC_MSEC
        : (k - 1) * 10 * RCC_MSEC + (k == 4 ? RCC_MSEC / 2 : 0));

    found += rcc_probe_finder_add (&f, send, send + 30 * RCC_MSEC, SIZE, 900e3);
  }
  g_assert_cmpfloat (found, ==, 0);
}

/* What was sent before the newest ends the train, which says what it has shown; without an
 * estimate, too. */
static void
an_overtaken_packet_ends_a_train (void)
{
  RccTime send = RCC_SEC, free = 0;
  RccProbeFinder f;
  double said = 0;

  rcc_probe_finder_init (&f, 1.15, 0);
  for (guint k = 0; k < 8; k++) {
    g_assert_cmpfloat (said, ==, 0);
    said = rcc_probe_finder_add (&f, send, through (send, 700, 1e7, &free), 700, 0);
    send += (RccTime) (8e9 * 700 / 300000);
  }
  send -= (RccTime) (8e9 * 700 / 300000) + RCC_MSEC;
  said = rcc_probe_finder_add (&f, send, through (send, 700, 1e7, &free) + RCC_MSEC, 700, 0);
  g_assert_cmpfloat_with_epsilon (said / 300000, 1, 0.02);
}

/* Ten packets at 3 Mbit/s, 20 ms after another: with that pause they leave at 1.8.  A probe leaves
 * right behind the packets before it. */
static void
what_was_deferred_is_told (void)
{
  static const struct { RccTime before; double estimate; bool deferred; } cases[] = {
    { 20 * RCC_MSEC, 1.7e6, true }, { 20 * RCC_MSEC, 1.0e6, false }, { 3200 * RCC_USEC, 1.7e6, false },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    RccTime send = RCC_SEC;
    RccProbeFinder f;
    double found = 0;

    rcc_probe_finder_init (&f, 1.15, 0);
    for (guint k = 0; k < 12; k++) {    /* the first and the last are of other trains */
      const double said = rcc_probe_finder_add (&f, send, send + 30 * RCC_MSEC, SIZE,
          cases[i].estimate);

      found = RCC_MAX (found, said);
      send += k == 0 ? cases[i].before : k < 10 ? (RccTime) (8e9 * SIZE / 3e6) : RCC_SEC;
    }
    g_assert_cmpfloat_with_epsilon (found / 3e6, 1, 0.02);
    g_assert_cmpint (f.deferred, ==, cases[i].deferred);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gcc-probe-bitrate/an-open-link-gives-the-rate-of-the-train",
      an_open_link_gives_the_rate_of_the_train);
  g_test_add_func ("/gcc-probe-bitrate/a-full-link-gives-its-capacity",
      a_full_link_gives_its_capacity);
  g_test_add_func ("/gcc-probe-bitrate/finds-a-slow-train", finds_a_slow_train);
  g_test_add_func ("/gcc-probe-bitrate/an-overtaken-packet-ends-a-train",
      an_overtaken_packet_ends_a_train);
  g_test_add_func ("/gcc-probe-bitrate/short-trains-give-nothing", short_trains_give_nothing);
  g_test_add_func ("/gcc-probe-bitrate/sending-rate-leaves-the-last-packet-out",
      sending_rate_leaves_the_last_packet_out);
  g_test_add_func ("/gcc-probe-bitrate/a-burst-says-nothing", a_burst_says_nothing);
  g_test_add_func ("/gcc-probe-bitrate/a-reordered-train-says-nothing",
      a_reordered_train_says_nothing);
  g_test_add_func ("/gcc-probe-bitrate/any-stream-gives-finite-results",
      any_stream_gives_finite_results);
  g_test_add_func ("/gcc-probe-bitrate/a-small-packet-ends-no-train", a_small_packet_ends_no_train);
  g_test_add_func ("/gcc-probe-bitrate/packets-within-a-millisecond-are-one-group", packets_within_a_millisecond_are_one_group);
  g_test_add_func ("/gcc-probe-bitrate/a-train-is-faster-by-the-factor",
      a_train_is_faster_by_the_factor);
  g_test_add_func ("/gcc-probe-bitrate/nine-tenths-is-no-full-link", nine_tenths_is_no_full_link);
  g_test_add_func ("/gcc-probe-bitrate/twice-the-rate-is-believed", twice_the_rate_is_believed);
  g_test_add_func ("/gcc-probe-bitrate/reordering-ends-a-train", reordering_ends_a_train);
  g_test_add_func ("/gcc-probe-bitrate/waits-for-what-is-late", waits_for_what_is_late);
  g_test_add_func ("/gcc-probe-bitrate/packets-may-come-at-once", packets_may_come_at_once);
  g_test_add_func ("/gcc-probe-bitrate/a-small-first-packet-makes-no-pause",
      a_small_first_packet_makes_no_pause);
  g_test_add_func ("/gcc-probe-bitrate/a-train-may-leave-at-0", a_train_may_leave_at_0);
  g_test_add_func ("/gcc-probe-bitrate/a-pair-makes-no-train", a_pair_makes_no_train);
  g_test_add_func ("/gcc-probe-bitrate/what-was-deferred", what_was_deferred_is_told);
  return g_test_run ();
}
