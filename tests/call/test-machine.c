/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Whether the machine was fast enough: how late timers are, in virtual time; pictures that
 * came and were not made; where the verdict turns, and what it says.
 */
#include <math.h>
#include <string.h>

#include "machine.h"

/* Sleeps through @n naps of which each wakes late by what @late says, in ms. */
static void
sleep_through (CallLateness *l, guint n, double (*late) (guint i))
{
  GstClockTime now = 1234567 * GST_MSECOND;

  for (guint i = 0; i < n; i++) {
    const GstClockTime due = now + CALL_NAP;

    now = due + (GstClockTime) (late (i) * 1e6);
    call_lateness_woke (l, due, now);
  }
}

static void
near (double value, double wanted)
{
  g_assert_cmpfloat (value, >=, wanted * 0.9999);
  g_assert_cmpfloat (value, <=, wanted * 1.021);
}

/* 1, 2 ... 1000 tenths of a millisecond, in another order. */
static double
evenly (guint i)
{
  return (i * 377 % 1000 + 1) / 10.0;
}

static double
never (guint i)
{
  return 0;
}

/* A stall of 43 ms at each fiftieth. */
static double
stalling (guint i)
{
  return i % 50 == 49 ? 43 : 0.06;
}

static double
for_ever (guint i)
{
  return 3600e3;
}

static void
percentiles (void)
{
  CallLateness l = { 0 };

  sleep_through (&l, 1000, evenly);
  g_assert_cmpuint (l.naps, ==, 1000);
  near (call_lateness_percentile (&l, 0.5), 50);
  near (call_lateness_percentile (&l, 0.99), 99);
  near (call_lateness_percentile (&l, 0), 0.1);
  g_assert_cmpfloat (call_lateness_percentile (&l, 1), ==, 100);
  g_assert_cmpuint (l.max, ==, 100 * GST_MSECOND);
}

static void
one_in_fifty (void)
{
  CallLateness l = { 0 };

  sleep_through (&l, 5000, stalling);
  near (call_lateness_percentile (&l, 0.5), 0.06);
  near (call_lateness_percentile (&l, 0.98), 0.06);
  near (call_lateness_percentile (&l, 0.99), 43);
}

static void
extremes (void)
{
  CallLateness none = { 0 }, punctual = { 0 }, hours = { 0 };

  g_assert_true (isnan (call_lateness_percentile (&none, 0.99)));
  sleep_through (&punctual, 10, never);
  g_assert_cmpfloat (call_lateness_percentile (&punctual, 0.99), ==, 0);
  call_lateness_woke (&punctual, 7 * GST_SECOND, 6 * GST_SECOND);
  g_assert_cmpuint (punctual.max, ==, 0);
  sleep_through (&hours, 3, for_ever);
  g_assert_cmpfloat (call_lateness_percentile (&hours, 0.5), >, 90e3);
  g_assert_cmpuint (hours.max, ==, 3600 * GST_SECOND);
}

/* 40 ms apart; @is_made says which. */
static guint64
unmade_of (guint n, gboolean (*is_made) (guint i), guint64 skipped)
{
  CallPictures p;
  guint64 unmade;

  call_pictures_init (&p);
  for (guint i = 0; i < n; i++) {
    call_pictures_produced (&p, i * 40 * GST_MSECOND);
    if (is_made (i))
      call_pictures_made (&p, i * 40 * GST_MSECOND);
  }
  g_assert_cmpuint (p.produced, ==, n);
  unmade = call_pictures_unmade (&p, skipped);
  call_pictures_clear (&p);
  return unmade;
}

static gboolean
all (guint i)
{
  return TRUE;
}

static gboolean
none (guint i)
{
  return FALSE;
}

static gboolean
all_but_each_tenth (guint i)
{
  return i % 10 != 4;
}

/* The last ones may be on their way. */
static gboolean
all_but_the_last_two (guint i)
{
  return i < 98;
}

static void
pictures (void)
{
  g_assert_cmpuint (unmade_of (100, all, 0), ==, 0);
  g_assert_cmpuint (unmade_of (100, all_but_the_last_two, 0), ==, 0);
  g_assert_cmpuint (unmade_of (100, all_but_each_tenth, 0), ==, 10);
  g_assert_cmpuint (unmade_of (100, all_but_each_tenth, 8), ==, 2);
  g_assert_cmpuint (unmade_of (100, all_but_each_tenth, 12), ==, 0);
  g_assert_cmpuint (unmade_of (100, none, 0), ==, 97);
  g_assert_cmpuint (unmade_of (0, none, 0), ==, 0);
}

/* An encoder that makes them some time after they came. */
static void
late_pictures (void)
{
  CallPictures p;

  call_pictures_init (&p);
  for (guint i = 0; i < 100; i++) {
    call_pictures_produced (&p, i * 40 * GST_MSECOND);
    if (i >= 2 && i != 50)
      call_pictures_made (&p, (i - 2) * 40 * GST_MSECOND);
  }
  g_assert_cmpuint (call_pictures_unmade (&p, 0), ==, 1);
  call_pictures_clear (&p);
}

static const CallMachineFigures good = { .naps = 2000, .late_p50 = 0.1, .late_p99 = 0.6,
  .late_max = 3, .codes = TRUE, .pictures = 1000, .of_one_core = 0.257, .cores = 2 };

static void
says (const CallMachineFigures *f, gboolean slow, const char *const *parts)
{
  g_autofree char *line = call_machine_line (f), *warning = call_machine_warning (f);

  g_test_message ("%s", line);
  if (warning)
    g_test_message ("  %s", warning);
  g_assert_true (call_machine_too_slow (f) == slow);
  g_assert_true (g_str_has_prefix (line, slow ? "too slow: " : "fast enough: "));
  g_assert_true ((warning != NULL) == slow);
  for (; *parts; parts++)
    g_assert_true (strstr (line, *parts) || (warning && strstr (warning, *parts)));
}

static void
verdict (void)
{
  CallMachineFigures f = good;

  says (&f, FALSE, (const char *[]) { "99 % of the timers within 0.6 ms", "half within 0.1 ms",
        "0 of 1000 pictures", "25.7 % of one core", "12.8 % of the machine", NULL });
  f.late_p99 = 10;
  f.unmade = 20;
  says (&f, FALSE, (const char *[]) { "20 of 1000 pictures", NULL });
  f.late_p99 = 43;
  says (&f, TRUE, (const char *[]) { "more than 43 ms late (10 are allowed); end", NULL });
  f.unmade = 21;
  says (&f, TRUE, (const char *[]) { "allowed) and 2.1 % of the pictures", NULL });
  f.late_p99 = 0.6;
  says (&f, TRUE, (const char *[]) { "own: 2.1 % of the pictures were not made (2 %", NULL });
}

/* A receiver codes nothing, and what is not known is no reason. */
static void
less_is_known (void)
{
  CallMachineFigures f = good;

  f.codes = FALSE;
  f.pictures = 0;
  says (&f, FALSE, (const char *[]) { "3.0 ms; CPU 25.7", NULL });
  f.of_one_core = f.late_p50 = f.late_p99 = f.late_max = NAN;
  f.naps = 0;
  f.codes = TRUE;
  f.pictures = 7;
  f.skipped = 3;
  says (&f, FALSE, (const char *[]) { "fast enough: 0 of 7 pictures not made, 3 skipped", NULL });
}

/* The thread itself sleeps, and says what it cost. */
static void
thread_sleeps (void)
{
  CallMachine *m = call_machine_new (NULL, NULL);
  CallMachineFigures f;

  g_usleep (200000);
  call_machine_stop (m, NULL);
  f = call_machine_figures (m);
  says (&f, call_machine_too_slow (&f), (const char *[]) { "of one core", NULL });
  g_assert_cmpuint (f.naps, >, 0);
  g_assert_cmpuint (f.naps, <=, 60 + f.naps / 5);
  g_assert_cmpfloat (f.late_p50, <=, f.late_p99);
  g_assert_cmpfloat (f.late_p99, <=, f.late_max);
  g_assert_false (f.codes);
  call_machine_free (m);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/machine/lateness/percentiles", percentiles);
  g_test_add_func ("/machine/lateness/one-in-fifty", one_in_fifty);
  g_test_add_func ("/machine/lateness/extremes", extremes);
  g_test_add_func ("/machine/pictures/unmade", pictures);
  g_test_add_func ("/machine/pictures/late", late_pictures);
  g_test_add_func ("/machine/verdict", verdict);
  g_test_add_func ("/machine/less-is-known", less_is_known);
  g_test_add_func ("/machine/thread", thread_sleeps);
  return g_test_run ();
}
