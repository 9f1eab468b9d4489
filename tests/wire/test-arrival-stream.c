/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire-test.h"
#include "wire/arrival-stream.h"

static RccArrivalStream s;
static guint32 beginnings;
static gint64 number;

static void
start (void)
{
  memset (&s, 0, sizeof s);
  beginnings = 0;
}

static RccArrivalVerdict
take (guint seq)
{
  return rcc_arrival_stream_take (&s, (guint16) seq, &beginnings, &number);
}

static void
numbers_go_on_where_they_wrap (void)
{
  gint64 first;

  start ();
  g_assert_cmpint (take (65534), ==, RCC_ARRIVAL_NEWS);
  g_assert_cmpint (number, ==, (G_GINT64_CONSTANT (1) << 31) + 65534);
  first = number;
  g_assert_cmpint (s.begin, ==, first);
  for (guint i = 1; i < 200000; i++) {
    g_assert_cmpint (take (65534 + i), ==, RCC_ARRIVAL_NEWS);
    g_assert_cmpint (number, ==, first + i);
  }
  g_assert_cmpint (s.begin, ==, first);
  g_assert_cmpint (s.run, ==, first);
  g_assert_cmpint (s.unwrap.last, ==, number);
}

/* From s.run on there is no hole. */
static void
a_hole_ends_the_run (void)
{
  start ();
  take (10);
  take (11);
  g_assert_cmpint (s.run & 0xffff, ==, 10);
  g_assert_cmpint (take (13), ==, RCC_ARRIVAL_NEWS);
  g_assert_cmpint (s.run & 0xffff, ==, 13);
  g_assert_cmpint (take (12), ==, RCC_ARRIVAL_COPY);
  g_assert_cmpint (number & 0xffff, ==, 12);
  g_assert_cmpint (s.run & 0xffff, ==, 13);
  g_assert_cmpint (s.unwrap.last & 0xffff, ==, 13);
}

static void
so_far_back_and_no_further (void)
{
  start ();
  take (5000);
  g_assert_cmpint (take (5000), ==, RCC_ARRIVAL_COPY);
  g_assert_cmpint (take (5000 - RCC_ARRIVALS_SPAN + 1), ==, RCC_ARRIVAL_COPY);
  g_assert_cmpint (take (5000 - RCC_ARRIVALS_SPAN), ==, RCC_ARRIVAL_STALE);
  g_assert_cmpint (s.unwrap.last & 0xffff, ==, 5000);
}

/* The third in a row: whatever else comes of the numbers that go on ends the row. */
static void
the_third_stranger_begins_anew (void)
{
  start ();
  take (5000);
  for (guint i = 0; i < 3; i++) {
    g_assert_cmpint (take (100), ==, RCC_ARRIVAL_STALE);
    g_assert_cmpint (take (101), ==, RCC_ARRIVAL_STALE);
    g_assert_cmpint (take (i ? 5000 + i : 5000), ==, i ? RCC_ARRIVAL_NEWS : RCC_ARRIVAL_COPY);
  }
  take (100);
  take (101);
  g_assert_cmpint (take (102), ==, RCC_ARRIVAL_ANEW);
  g_assert_cmpint (number, ==, (G_GINT64_CONSTANT (2) << 31) + 102);
  g_assert_cmpint (s.begin, ==, number);
  g_assert_cmpint (s.run, ==, number);
  g_assert_cmpuint (beginnings, ==, 2);
  for (guint i = 0; i < 2; i++)         /* and it takes three again */
    g_assert_cmpint (take (102 - RCC_ARRIVALS_SPAN), ==, RCC_ARRIVAL_STALE);
  g_assert_cmpint (take (103), ==, RCC_ARRIVAL_NEWS);
}

/* Each stream's numbers, and each beginning's, are of their own. */
static void
no_two_beginnings_share_numbers (void)
{
  RccArrivalStream other = { 0 };
  gint64 theirs;

  start ();
  take (7);
  rcc_arrival_stream_take (&other, 7, &beginnings, &theirs);
  g_assert_cmpint (theirs - number, ==, G_GINT64_CONSTANT (1) << 31);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, func) g_test_add_func ("/arrival-stream/" path, func)
  ADD ("wrap", numbers_go_on_where_they_wrap);
  ADD ("run", a_hole_ends_the_run);
  ADD ("span", so_far_back_and_no_further);
  ADD ("anew", the_third_stranger_begins_anew);
  ADD ("beginnings", no_two_beginnings_share_numbers);
  return g_test_run ();
}
