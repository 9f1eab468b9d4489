/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/nada/window.h"

#include <glib.h>

#define MS RCC_MSEC

static RccNadaWindow w;

static void
begin (void)
{
  rcc_nada_window_init (&w, 500 * MS);
}

/* 1000 B each 10 ms are 800 kbit/s.  The window has 49 to 50 of its 50 bins. */
static void
rate_of_a_steady_stream (void)
{
  begin ();
  g_assert_cmpfloat (rcc_nada_window_bps (&w), ==, 0);
  for (guint i = 0; i < 200; i++) {
    rcc_nada_window_arrived (&w, 1000 * MS + i * 10 * MS, 1000, FALSE, FALSE);
    if (i >= 50) {
      g_assert_cmpfloat (rcc_nada_window_bps (&w), >=, 784e3);
      g_assert_cmpfloat (rcc_nada_window_bps (&w), <=, 817e3);
    }
  }
  /* 5.1.3: by the span, also while it is not full */
  begin ();
  rcc_nada_window_arrived (&w, 9999999, 12500, FALSE, FALSE);
  g_assert_cmpfloat_with_epsilon (rcc_nada_window_bps (&w), 200e3, 1);
}

/* 5.1.2: of what was sent within the window */
static void
ratios (void)
{
  begin ();
  g_assert_cmpfloat (rcc_nada_window_loss (&w), ==, 0);
  for (guint i = 0; i < 15; i++)
    rcc_nada_window_arrived (&w, 1000 * MS + i * MS, 1000, i < 4, i < 2);
  for (guint i = 0; i < 5; i++)
    rcc_nada_window_lost (&w);
  g_assert_cmpfloat (rcc_nada_window_loss (&w), ==, 0.25);
  g_assert_cmpfloat (rcc_nada_window_marks (&w), ==, 0.2);
  g_assert_cmpuint (w.sum.queued, ==, 2);
  rcc_nada_window_received (&w, 1000, TRUE);
  g_assert_cmpfloat (rcc_nada_window_marks (&w), ==, 5 / 21.0);
  g_assert_cmpuint (w.sum.bytes, ==, 16000);
}

static void
forgets (void)
{
  begin ();
  rcc_nada_window_arrived (&w, 1000 * MS, 1000, TRUE, TRUE);
  rcc_nada_window_lost (&w);
  rcc_nada_window_arrived (&w, 1480 * MS, 1000, FALSE, FALSE);
  g_assert_cmpuint (w.sum.lost, ==, 1);
  rcc_nada_window_arrived (&w, 1500 * MS, 1000, FALSE, FALSE);
  g_assert_cmpuint (w.sum.lost, ==, 0);
  g_assert_cmpuint (w.sum.queued, ==, 0);
  g_assert_cmpuint (w.sum.received, ==, 2);
  rcc_nada_window_arrived (&w, 9000 * MS, 500, FALSE, FALSE);
  g_assert_cmpuint (w.sum.received, ==, 1);
  g_assert_cmpuint (w.sum.bytes, ==, 500);
}

static void
out_of_order (void)
{
  begin ();
  rcc_nada_window_arrived (&w, 2000 * MS, 1000, FALSE, FALSE);
  rcc_nada_window_arrived (&w, 1700 * MS, 300, FALSE, FALSE);
  g_assert_cmpuint (w.sum.bytes, ==, 1300);
  rcc_nada_window_arrived (&w, 2250 * MS, 1000, FALSE, FALSE);
  g_assert_cmpuint (w.sum.bytes, ==, 2000);     /* that of 1700 is out */
  rcc_nada_window_arrived (&w, 1600 * MS, 300, FALSE, FALSE);
  g_assert_cmpuint (w.sum.bytes, ==, 2000);     /* too old to count */
  rcc_nada_window_arrived (&w, 100 * MS, 300, FALSE, FALSE);
  g_assert_cmpuint (w.sum.bytes, ==, 300);      /* a clock that was set back */
  rcc_nada_window_arrived (&w, 0, 300, FALSE, FALSE);
  rcc_nada_window_arrived (&w, RCC_NEVER - 1, 300, FALSE, FALSE);
  rcc_nada_window_arrived (&w, RCC_NEVER - 1, 300, FALSE, FALSE);
  g_assert_cmpuint (w.sum.bytes, ==, 600);
}

/* Bins that do not divide the span: what came a span ago counts in the oldest of them. */
static void
the_rest_of_the_span_is_the_oldest_bin (void)
{
  const RccTime width = 10, span = width * RCC_NADA_BINS + width - 1;

  rcc_nada_window_init (&w, span);
  rcc_nada_window_arrived (&w, 100000, 1000, FALSE, FALSE);
  rcc_nada_window_arrived (&w, w.edge - span, 300, FALSE, FALSE);
  g_assert_cmpuint (w.sum.bytes, ==, 1300);
  rcc_nada_window_arrived (&w, w.edge, 1000, FALSE, FALSE);
  g_assert_cmpuint (w.sum.bytes, ==, 2000);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/nada/window/rate-of-a-steady-stream", rate_of_a_steady_stream);
  g_test_add_func ("/core/nada/window/ratios", ratios);
  g_test_add_func ("/core/nada/window/forgets", forgets);
  g_test_add_func ("/core/nada/window/out-of-order", out_of_order);
  g_test_add_func ("/core/nada/window/the-rest-of-the-span-is-the-oldest-bin",
      the_rest_of_the_span_is_the_oldest_bin);
  return g_test_run ();
}
