/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <glib.h>
#include "core/rng.h"
#include "core/window.h"

static void
measures_a_constant_rate (void)
{
  RccWindow w;

  rcc_window_init (&w, 500 * RCC_MSEC);
  for (RccTime t = 0; t < 3 * RCC_SEC; t += 10 * RCC_MSEC)
    rcc_window_add (&w, 1250, t);       /* 1 Mbit/s */
  g_assert_true (rcc_window_full (&w, 3 * RCC_SEC));
  g_assert_cmpuint (rcc_window_bps (&w, 3 * RCC_SEC - 1), >=, 980000);
  g_assert_cmpuint (rcc_window_bps (&w, 3 * RCC_SEC - 1), <=, 1020000);
}

static void
forgets_after_its_span (void)
{
  RccWindow w;

  rcc_window_init (&w, 500 * RCC_MSEC);
  rcc_window_add (&w, 125000, RCC_SEC);
  g_assert_cmpuint (rcc_window_bps (&w, RCC_SEC + 490 * RCC_MSEC), >, 1900000);
  g_assert_cmpuint (rcc_window_bps (&w, RCC_SEC + 510 * RCC_MSEC), ==, 0);
  rcc_window_add (&w, 1000, 3600 * RCC_SEC);
  g_assert_cmpuint (rcc_window_bps (&w, 3600 * RCC_SEC), ==, 16000);
}

static void
starts_without_a_spike (void)
{
  RccWindow w;

  rcc_window_init (&w, 500 * RCC_MSEC);
  g_assert_cmpuint (rcc_window_bps (&w, 0), ==, 0);
  g_assert_false (rcc_window_full (&w, 0));
  rcc_window_add (&w, 1250, RCC_SEC);
  /* one packet counts over a tenth of the span, not over zero time */
  g_assert_cmpuint (rcc_window_bps (&w, RCC_SEC), ==, 200000);
}

/* All bytes of the last fifty bins, this one among them, over the span or the time since the first;
 * over a tenth of it at least. */
static void
counts_what_left_of_late (void)
{
  for (guint life = 0; life < 100; life++) {
    guint64 bins[2000] = { 0 }, n = 0;
    RccTime first = RCC_NEVER, now, width;
    RccWindow w;
    RccRng r;

    rcc_rng_init (&r, 50, life);
    width = (1 + rcc_rng_u32 (&r) % 20) * RCC_MSEC;
    now = rcc_rng_u32 (&r) % 2 ? 0 : 3 * width + 5;
    rcc_window_init (&w, RCC_WINDOW_BINS * width);
    while (now / width < G_N_ELEMENTS (bins) - 200) {
      const guint64 bin = now / width, size = rcc_rng_u32 (&r) % 1500;
      guint64 sum = 0;
      RccTime span = RCC_WINDOW_BINS * width;
      gdouble bps;

      if (rcc_rng_u32 (&r) % 4) {
        first = first == RCC_NEVER ? now : first;
        rcc_window_add (&w, (guint32) size, now);
        bins[bin] += size;
        n++;
      }
      for (guint64 b = bin >= RCC_WINDOW_BINS - 1 ? bin - (RCC_WINDOW_BINS - 1) : 0; b <= bin; b++)
        sum += bins[b];
      g_assert_cmpint (rcc_window_full (&w, now), ==, first != RCC_NEVER && now - first >= span);
      if (first != RCC_NEVER && now - first < span)
        span = MAX (now - first, span / 10);
      bps = 8e9 * (gdouble) sum / (gdouble) span;
      g_assert_cmpuint (rcc_window_bps (&w, now), ==, (guint32) MIN (bps, G_MAXUINT32));
      now += rcc_rng_u32 (&r) % (2 * width);
      if (rcc_rng_u32 (&r) % 50 == 0)
        now += rcc_rng_u32 (&r) % 120 * width;
    }
    g_assert_cmpuint (n, >, 100);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/window/measures-a-constant-rate", measures_a_constant_rate);
  g_test_add_func ("/window/forgets-after-its-span", forgets_after_its_span);
  g_test_add_func ("/window/starts-without-a-spike", starts_without_a_spike);
  g_test_add_func ("/window/counts-what-left-of-late", counts_what_left_of_late);
  return g_test_run ();
}
