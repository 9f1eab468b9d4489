/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <math.h>
#include <glib.h>
#include "core/fbra/fecmetrics.h"

static RccFecMetrics m;

static void
path (const char *states)
{
  for (; *states; states++)
    rcc_fecmetrics_state (&m, *states == 'D' ? RCC_FBRA_DOWN
        : *states == 'S' ? RCC_FBRA_STAY
        : *states == 'P' ? RCC_FBRA_PROBE : RCC_FBRA_UP);
}

static double
frcc (const char *states)
{
  rcc_fecmetrics_init (&m);
  path (states);
  rcc_fecmetrics_close (&m, RCC_SEC);
  return m.frcc;
}

/* 5.1: right if the path comes back to STAY without DOWN. */
static void
frcc_by_hand (void)
{
  g_assert_cmpfloat (frcc ("SPUS"), ==, 100);
  g_assert_cmpfloat (frcc ("SPS"), ==, 100);
  g_assert_cmpfloat (frcc ("SPPPUUS"), ==, 100);
  g_assert_cmpfloat (frcc ("SPDS"), ==, 0);
  g_assert_cmpfloat (frcc ("SPUDDS"), ==, 0);
  g_assert_cmpfloat (frcc ("SPUSPDSPSPUSD"), ==, 75);
  g_assert_cmpuint (m.probes, ==, 4);
  /* DOWN without a probe is no one's fault here; an open episode does not count */
  g_assert_cmpfloat (frcc ("SDSDSP"), ==, 0);
  g_assert_cmpuint (m.probes, ==, 0);
  rcc_fecmetrics_state (&m, RCC_FBRA_UP);
  rcc_fecmetrics_state (&m, RCC_FBRA_STAY);
  rcc_fecmetrics_close (&m, RCC_SEC);
  g_assert_cmpfloat (m.frcc, ==, 100);
}

/* Parity in an episode, twice in one, right behind one, behind that again, and in none. */
static void
episodes_with_parity (void)
{
  rcc_fecmetrics_init (&m);
  rcc_fecmetrics_parity (&m, 100);
  path ("SP");
  g_assert_cmpuint (m.probes_covered, ==, 0);
  rcc_fecmetrics_parity (&m, 100);
  rcc_fecmetrics_parity (&m, 100);
  path ("US");
  g_assert_cmpuint (m.probes_covered, ==, 1);
  path ("SPS");
  g_assert_cmpuint (m.probes_covered, ==, 1);
  rcc_fecmetrics_parity (&m, 100);
  rcc_fecmetrics_parity (&m, 100);
  g_assert_cmpuint (m.probes_covered, ==, 2);
  path ("PPDSPUS");
  g_assert_cmpuint (m.probes, ==, 4);
  g_assert_cmpuint (m.probes_covered, ==, 2);
}

/* Of 100 frames 10 lost, 4 of these protected, 1 recovered: 25 %. */
static void
ffre_by_hand (void)
{
  rcc_fecmetrics_init (&m);
  for (guint i = 0; i < 100; i++)
    rcc_fecmetrics_frame (&m, i < 10, i < 4 || i > 50, i < 1 || i > 80);
  rcc_fecmetrics_close (&m, RCC_SEC);
  g_assert_cmpuint (m.frames, ==, 100);
  g_assert_cmpuint (m.frames_lost, ==, 10);
  g_assert_cmpuint (m.frames_protected, ==, 4);
  g_assert_cmpuint (m.frames_recovered, ==, 1);
  g_assert_cmpfloat (m.ffre, ==, 25);
}

/* Table 2, 50 ms: 669.76 kbit/s is 147.35 % of 5 Mbit/s over 11. */
static void
tfs_as_in_table_2 (void)
{
  rcc_fecmetrics_init (&m);
  rcc_fecmetrics_tcp (&m, 669760, 5e6, 11);
  rcc_fecmetrics_close (&m, RCC_SEC);
  g_assert_cmpfloat_with_epsilon (m.tfs, 147.35, 0.005);
  rcc_fecmetrics_tcp (&m, 4e6, 5e6, 1);         /* alone all of it is its share */
  rcc_fecmetrics_close (&m, RCC_SEC);
  g_assert_cmpfloat (m.fair_bps, ==, 5e6);
  g_assert_cmpfloat_with_epsilon (m.tfs, 80, 1e-9);
}

static void
rates_and_losses_by_hand (void)
{
  rcc_fecmetrics_init (&m);
  for (guint i = 0; i < 200; i++)
    rcc_fecmetrics_media (&m, 1000, i < 6 ? RCC_MEDIA_LOST : i < 10 ? RCC_MEDIA_LATE
        : RCC_MEDIA_GOOD, i % 2);
  for (guint i = 0; i < 20; i++)
    rcc_fecmetrics_parity (&m, 500);
  rcc_fecmetrics_capacity (&m, 500000, 2 * RCC_SEC);
  rcc_fecmetrics_capacity (&m, 300000, 2 * RCC_SEC);
  rcc_fecmetrics_close (&m, 4 * RCC_SEC);
  g_assert_cmpfloat (m.loss_before, ==, 5);
  g_assert_cmpfloat (m.loss_after, ==, 2.5);
  g_assert_cmpfloat (m.media_bps, ==, 400000);
  g_assert_cmpfloat (m.goodput_bps, ==, 390000);
  g_assert_cmpfloat (m.fec_bps, ==, 20000);
  g_assert_cmpfloat_with_epsilon (m.abu, 97.5, 1e-9);
}

static void
nothing_is_no_nan (void)
{
  rcc_fecmetrics_init (&m);
  rcc_fecmetrics_tcp (&m, 1e6, 1e6, 0);
  g_assert_cmpfloat (m.fair_bps, ==, 0);
  rcc_fecmetrics_close (&m, 0);
  for (const RccField *f = rcc_fecmetrics_fields; f->name; f++)
    if (f->type == RCC_DOUBLE)
      g_assert_true (isfinite (G_STRUCT_MEMBER (double, &m, f->offset)));
  g_assert_cmpfloat (m.frcc + m.ffre + m.tfs + m.abu + m.loss_after, ==, 0);
}

static void
no_time_has_no_rates (void)
{
  rcc_fecmetrics_init (&m);
  rcc_fecmetrics_media (&m, 1000, RCC_MEDIA_GOOD, true);
  rcc_fecmetrics_parity (&m, 500);
  rcc_fecmetrics_close (&m, 0);
  g_assert_cmpfloat (m.media_bps, ==, 0);
  g_assert_cmpfloat (m.goodput_bps, ==, 0);
  g_assert_cmpfloat (m.fec_bps, ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/fecmetrics/frcc-by-hand", frcc_by_hand);
  g_test_add_func ("/fecmetrics/episodes-with-parity", episodes_with_parity);
  g_test_add_func ("/fecmetrics/ffre-by-hand", ffre_by_hand);
  g_test_add_func ("/fecmetrics/tfs-as-in-table-2", tfs_as_in_table_2);
  g_test_add_func ("/fecmetrics/rates-and-losses-by-hand", rates_and_losses_by_hand);
  g_test_add_func ("/fecmetrics/nothing-is-no-nan", nothing_is_no_nan);
  g_test_add_func ("/fecmetrics/no-time-has-no-rates", no_time_has_no_rates);
  return g_test_run ();
}
