/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <math.h>
#include <glib.h>
#include "core/gcc-config.h"
#include "core/gcc-train.h"
#include "core/pacer.h"
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
  RccTrain t;

  for (guint i = 0; i < n; i++) {
    const RccTime send = RCC_SEC + (RccTime) (i * 8e9 * SIZE / in);
    const RccTime arrival = through (send, SIZE, bps, &free);

    if (i == 0)
      rcc_train_start (&t, send, arrival, SIZE);
    else
      rcc_train_add (&t, send, arrival, SIZE);
  }
  return rcc_train_result (&t);
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

static void
short_trains_give_nothing (void)
{
  g_assert_cmpfloat (result (RCC_TRAIN_PACKETS - 1, 1e6, 1e9), ==, 0);
  g_assert_cmpfloat (result (RCC_TRAIN_PACKETS, 1e6, 1e9), >, 0);
  /* many packets in less than 10 ms */
  g_assert_cmpfloat (result (20, 1e8, 1e9), ==, 0);
}

static void
sending_rate_leaves_the_last_packet_out (void)
{
  RccTrain t;

  rcc_train_start (&t, RCC_SEC, 2 * RCC_SEC, 500);
  g_assert_cmpfloat (rcc_train_send_bps (&t), ==, 0);
  rcc_train_add (&t, RCC_SEC + 10 * RCC_MSEC, 2 * RCC_SEC + 10 * RCC_MSEC, 1500);
  g_assert_cmpfloat_with_epsilon (rcc_train_send_bps (&t), 500 * 8 / 0.01, 1);
  /* no time between them: no division by it */
  rcc_train_start (&t, RCC_SEC, 2 * RCC_SEC, 500);
  rcc_train_add (&t, RCC_SEC, 2 * RCC_SEC, 500);
  g_assert_true (isfinite (rcc_train_send_bps (&t)));
}

/* Sent in 40 ms, delivered in 4: an outage let go of it.  What the path can carry
 * that does not say. */
static void
a_burst_says_nothing (void)
{
  RccTrain t;

  rcc_train_start (&t, RCC_SEC, 2 * RCC_SEC, SIZE);
  for (guint i = 1; i <= 10; i++)
    rcc_train_add (&t, RCC_SEC + i * 4 * RCC_MSEC, 2 * RCC_SEC + i * 400 * RCC_USEC, SIZE);
  g_assert_cmpfloat (rcc_train_result (&t), ==, 0);
}

static void
a_reordered_train_says_nothing (void)
{
  RccTime order[10];
  RccTrain t;

  for (guint i = 0; i < 10; i++)
    order[i] = RCC_SEC + (i == 9 ? 2 : i >= 2 ? i + 1 : i) * 4 * RCC_MSEC;
  rcc_train_start (&t, order[0], 2 * RCC_SEC, SIZE);
  for (guint i = 1; i < 10; i++)
    rcc_train_add (&t, order[i], 2 * RCC_SEC + i * 4 * RCC_MSEC, SIZE);
  g_assert_cmpfloat (rcc_train_result (&t), ==, 0);
}

/* How fast a train must be, and what the pacer does: with room to spare, and as the
 * profile ships. */
typedef struct {
  double train, pacing;
} Factors;

static Factors
factors (guint i)
{
  const RccGccConfig c = rcc_gcc_config (RCC_GCC_DEFAULT);

  return i == 0 ? (Factors) { 1.3, 1.1 } : (Factors) { c.train_factor, c.pacing_factor };
}

/* A real pacer at its factor times the estimate, fed @load of it in 30 fps frames;
 * @probe: a cluster at twice the estimate now and then.  Returns how often the
 * finder spoke, and the largest it said. */
static guint
paced (double estimate, Factors by, double load, gboolean probe, double capacity,
    double *largest, guint64 seed)
{
  RccTime now = RCC_SEC, frame = now, free = 0;
  RccTrainFinder f;
  RccPacer p;
  RccRng r;
  guint found = 0, id = 0;
  guint sizes[4096], head = 0, tail = 0;

  rcc_rng_init (&r, seed, 1);
  rcc_train_finder_init (&f, by.train);
  rcc_pacer_init (&p, (guint32) (by.pacing * estimate), 5 * RCC_MSEC, RCC_SEC, now);
  *largest = 0;
  while (now < 61 * RCC_SEC) {
    RccTime when;
    RccPacerVerdict v;
    double found_bps;
    guint size = SIZE;

    for (; frame <= now; frame += RCC_SEC / 30) {
      double bytes = load * estimate / 8 / 30 * (0.7 + 0.6 * rcc_rng_uniform (&r));

      if (probe && ++id % 60 == 0)
        rcc_pacer_probe (&p, (guint32) (2 * estimate), (guint) (2 * estimate / 8 * 0.03), id);
      for (; bytes > 0; bytes -= SIZE) {
        sizes[head++ % 4096] = (guint) RCC_CLAMP (bytes, 100, SIZE);
        rcc_pacer_queued (&p, sizes[(head - 1) % 4096]);
      }
    }
    v = rcc_pacer_next (&p, now, &when);
    if (v == RCC_PACER_WAIT) {
      now = RCC_MIN (when, frame);
      continue;
    }
    if (v == RCC_PACER_MEDIA)
      size = sizes[tail++ % 4096];
    rcc_pacer_sent (&p, size, v == RCC_PACER_PADDING, now);
    found_bps = rcc_train_finder_add (&f, now, through (now, size, capacity, &free), size, estimate);
    if (found_bps > 0)
      found++, *largest = RCC_MAX (*largest, found_bps);
  }
  return found;
}

static void
a_paced_stream_is_no_probe (void)
{
  static const double estimates[] = { 1e5, 3e5, 1e6, 2e6, 3e6, 5e6, 1e7, 2e7 };
  static const double loads[] = { 0.3, 0.6, 0.9, 1.0 };

  for (guint i = 0; i < 2 * G_N_ELEMENTS (estimates); i++)
    for (guint l = 0; l < G_N_ELEMENTS (loads); l++) {
      const double estimate = estimates[i / 2];
      double largest;
      const guint found = paced (estimate, factors (i % 2), loads[l], FALSE, 1e9,
          &largest, 1);

      g_test_message ("train %g estimate %g load %g: %u found, largest %g of it",
          factors (i % 2).train, estimate, loads[l], found, largest / estimate);
      g_assert_cmpuint (found, ==, 0);
    }
}

static void
finds_the_probe_in_the_stream (void)
{
  static const double estimates[] = { 5e5, 1e6, 3e6, 1e7 };

  for (guint i = 0; i < 2 * G_N_ELEMENTS (estimates); i++) {
    const double estimate = estimates[i / 2];
    double largest;

    /* 30 clusters in 60 s */
    g_assert_cmpuint (paced (estimate, factors (i % 2), 0.9, TRUE, 1e9, &largest, 1),
        >=, 25);
    g_assert_cmpfloat (largest / estimate, >, 1.7);
    g_assert_cmpfloat (largest / estimate, <, 2.3);
    /* on a link of 1.4 times the estimate it finds the link */
    paced (estimate, factors (i % 2), 0.9, TRUE, 1.4 * estimate, &largest, 1);
    g_assert_cmpfloat (largest / estimate, <=, 1.45);
  }
}

static void
any_stream_gives_finite_results (void)
{
  RccTime send = 1000 * RCC_SEC, arrival = 2000 * RCC_SEC;
  RccTrainFinder f;
  RccRng r;

  rcc_rng_init (&r, 5, 1);
  rcc_train_finder_init (&f, 1.3);
  for (guint i = 0; i < 1000000; i++) {
    const guint32 dice = rcc_rng_u32 (&r);
    double bps;

    send += dice % (6 * RCC_MSEC) - RCC_MSEC / 2;
    arrival += (dice >> 8) % (6 * RCC_MSEC) - RCC_MSEC / 2;
    if (dice % 5000 == 0)
      send += dice & 1 ? 3600 * RCC_SEC : -900 * RCC_SEC;
    bps = rcc_train_finder_add (&f, send, arrival, dice % 65536, dice & 64 ? 1e6 : 0);
    g_assert_true (isfinite (bps) && bps >= 0);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gcc-train/an-open-link-gives-the-rate-of-the-train",
      an_open_link_gives_the_rate_of_the_train);
  g_test_add_func ("/gcc-train/a-full-link-gives-its-capacity",
      a_full_link_gives_its_capacity);
  g_test_add_func ("/gcc-train/short-trains-give-nothing", short_trains_give_nothing);
  g_test_add_func ("/gcc-train/sending-rate-leaves-the-last-packet-out",
      sending_rate_leaves_the_last_packet_out);
  g_test_add_func ("/gcc-train/a-burst-says-nothing", a_burst_says_nothing);
  g_test_add_func ("/gcc-train/a-reordered-train-says-nothing",
      a_reordered_train_says_nothing);
  g_test_add_func ("/gcc-train/a-paced-stream-is-no-probe", a_paced_stream_is_no_probe);
  g_test_add_func ("/gcc-train/finds-the-probe-in-the-stream", finds_the_probe_in_the_stream);
  g_test_add_func ("/gcc-train/any-stream-gives-finite-results",
      any_stream_gives_finite_results);
  return g_test_run ();
}
