/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What the pacer sends, as the receiver's search for probes in it sees that (gcc/probe-bitrate.h).
 */
#include <glib.h>

#include "core/gcc/config.h"
#include "core/gcc/probe-bitrate.h"
#include "core/rng.h"
#include "send/pacer.h"

#define SIZE 1200

/* What the pacer asked for left. */
static guint32
send (RccPacer *p, guint32 size, gboolean padding, RccTime now)
{
  if (!padding)
    rcc_pacer_removed (p, size);
  return rcc_pacer_sent (p, size, now);
}

/* When a packet that left at @send is through a link of @bps that was idle, or busy
 * until @*free. */
static RccTime
through (RccTime send, guint size, double bps, RccTime *free)
{
  *free = RCC_MAX (*free, send) + (RccTime) (8e9 * size / bps);
  return *free + 30 * RCC_MSEC;
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
  RccProbeFinder f;
  RccPacer p;
  RccRng r;
  guint found = 0, id = 0;
  guint sizes[4096], head = 0, tail = 0;

  rcc_rng_init (&r, seed, 1);
  rcc_probe_finder_init (&f, by.train, 0);
  rcc_pacer_init (&p, (guint32) (by.pacing * estimate), 5 * RCC_MSEC, now);
  p.may_pad = true;
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
        rcc_pacer_queued (&p, sizes[(head - 1) % 4096], now);
      }
    }
    v = rcc_pacer_next (&p, now, &when);
    if (v == RCC_PACER_WAIT) {
      now = RCC_MIN (when, frame);
      continue;
    }
    if (v == RCC_PACER_MEDIA)
      size = sizes[tail++ % 4096];
    send (&p, size, v == RCC_PACER_PADDING, now);
    found_bps = rcc_probe_finder_add (&f, now, through (now, size, capacity, &free), size, estimate);
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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/probe-train/a-paced-stream-is-no-probe", a_paced_stream_is_no_probe);
  g_test_add_func ("/probe-train/finds-the-probe-in-the-stream",
      finds_the_probe_in_the_stream);
  return g_test_run ();
}
