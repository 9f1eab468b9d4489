/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire-test.h"
#include "wire/arrivals.h"

typedef struct {
  RccArrivalStream come;
  guint mine;
} Stream;

static RccArrivals a;
static gint64 number;
static RccArrival *arrival;

static void
start (void)
{
  memset (&a, 0xa5, sizeof a);
  rcc_arrivals_init (&a, sizeof (Stream), RCC_SEC, 1 << 20, g_realloc);
}

static RccArrivalVerdict
add (guint32 ssrc, guint16 seq, RccTime at)
{
  return rcc_arrivals_add (&a, rcc_arrivals_stream (&a, ssrc), seq, at, &number, &arrival);
}

static void
the_first_copy_counts (void)
{
  start ();
  g_assert_cmpint (add (1, 65535, 5), ==, RCC_ARRIVAL_NEWS);
  g_assert_cmpint (add (1, 0, 6), ==, RCC_ARRIVAL_NEWS);
  g_assert_cmpint (add (1, 65535, 7), ==, RCC_ARRIVAL_COPY);
  g_assert_cmpuint (arrival->key.at, ==, 5);
  g_assert_cmpint (add (2, 0, 8), ==, RCC_ARRIVAL_NEWS);
  g_assert_cmpint (add (1, 65533, 9), ==, RCC_ARRIVAL_NEWS);
  g_assert_null (rcc_arrivals_find (&a, rcc_arrivals_at (&a, 0), number + 1));
  g_assert_true (rcc_arrivals_find (&a, rcc_arrivals_at (&a, 0), number) == arrival);
  rcc_arrivals_clear (&a);
}

/* What a stream's owner keeps with it goes with the stream only. */
static void
streams_keep_what_is_theirs (void)
{
  start ();
  for (guint i = 0; i < RCC_SSRCS; i++)
    ((Stream *) rcc_arrivals_stream (&a, 1000 + i))->mine = i;
  for (guint i = 0; i < RCC_SSRCS; i++)
    g_assert_cmpuint (((Stream *) rcc_arrivals_stream (&a, 1000 + i))->mine, ==, i);
  g_assert_cmpuint (((Stream *) rcc_arrivals_stream (&a, 1))->mine, ==, 0);
  g_assert_cmpuint (rcc_arrivals_n (&a), ==, RCC_SSRCS);
  g_assert_null (rcc_ssrcs_find (&a.streams, 1000));    /* the longest silent */
  g_assert_cmpuint (((Stream *) rcc_arrivals_stream (&a, 1001))->mine, ==, 1);
  rcc_arrivals_clear (&a);
}

/* Not what was known of the packet whose place it has. */
static void
of_a_new_packet_nothing_is_known (void)
{
  start ();
  for (guint i = 0; i < 5000; i++) {
    g_assert_cmpint (add (1, (guint16) i, i * 10 * RCC_SEC), ==, RCC_ARRIVAL_NEWS);
    g_assert_cmpuint (arrival->key.at, ==, i * 10 * RCC_SEC);
    g_assert_cmpuint (arrival->ecn, ==, 0);
    arrival->ecn = 3;
  }
  g_assert_cmpuint (a.log.capacity, <, 5000);
  rcc_arrivals_clear (&a);
}

static void
three_numbers_from_elsewhere_begin_anew (void)
{
  gint64 before;

  start ();
  for (guint i = 0; i < 100; i++)
    add (1, (guint16) (5000 + i), i);
  before = number;
  g_assert_cmpint (add (1, 100, 200), ==, RCC_ARRIVAL_STALE);
  g_assert_cmpint (add (1, 101, 201), ==, RCC_ARRIVAL_STALE);
  g_assert_cmpint (add (1, 5100, 202), ==, RCC_ARRIVAL_NEWS);   /* it goes on */
  g_assert_cmpint (add (1, 5090, 203), ==, RCC_ARRIVAL_COPY);
  for (guint i = 0; i < 2; i++)
    g_assert_cmpint (add (1, (guint16) (100 + i), 210), ==, RCC_ARRIVAL_STALE);
  g_assert_cmpint (add (1, 102, 211), ==, RCC_ARRIVAL_ANEW);
  g_assert_cmpint (number, >, before + 65536);
  g_assert_cmpint (number & 0xffff, ==, 102);
  /* the same numbers as before are other packets */
  for (guint i = 0; i < 5100; i++)
    g_assert_cmpint (add (1, (guint16) (103 + i), 300), ==, RCC_ARRIVAL_NEWS);
  rcc_arrivals_clear (&a);
}

/* What nobody was told of before it is forgotten is counted, and not told as lost later. */
static void
what_is_forgotten_is_given_up (void)
{
  Stream *s;

  start ();
  for (guint i = 0; i < 1000; i++)
    add (1 + i % 2, (guint16) (i / 2), i * 100 * RCC_MSEC);
  for (guint k = 0; k < 2; k++) {
    s = rcc_arrivals_at (&a, k);
    g_assert_cmpint (s->come.unwrap.last - s->come.begin + 1, ==, 32);
    for (gint64 n = s->come.begin; n <= s->come.unwrap.last; n++)
      g_assert_nonnull (rcc_arrivals_find (&a, &s->come, n));
  }
  g_assert_cmpuint (a.unreported, ==, 1000 - 64);
  rcc_arrivals_clear (&a);
}

/* In a row: a copy in between is of the numbers that go on. */
static void
a_copy_ends_a_row_of_strange_numbers (void)
{
  start ();
  for (guint i = 0; i < 100; i++)
    add (1, (guint16) (5000 + i), i);
  for (guint i = 0; i < 4; i++) {
    g_assert_cmpint (add (1, (guint16) (100 + 2 * i), 200), ==, RCC_ARRIVAL_STALE);
    g_assert_cmpint (add (1, (guint16) (101 + 2 * i), 200), ==, RCC_ARRIVAL_STALE);
    g_assert_cmpint (add (1, 5099, 201), ==, RCC_ARRIVAL_COPY);
  }
  rcc_arrivals_clear (&a);
}

/* ... where some never came, too: what is left of the numbers is known of each. */
static void
what_is_given_up_may_have_holes (void)
{
  Stream *s;
  guint known = 0;

  start ();
  for (guint i = 0; i < 1000; i++)
    add (1, (guint16) (3 * i), i * 100 * RCC_MSEC);
  s = rcc_arrivals_at (&a, 0);
  for (gint64 n = s->come.unwrap.last; n >= s->come.begin; n -= 3, known++)
    g_assert_nonnull (rcc_arrivals_find (&a, &s->come, n));
  g_assert_cmpuint (known, >=, 10);     /* those of a second */
  g_assert_cmpuint (a.unreported, ==, 1000 - known);
  rcc_arrivals_clear (&a);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, func) g_test_add_func ("/arrivals/" path, func)
  ADD ("what-is-given-up-may-have-holes", what_is_given_up_may_have_holes);
  ADD ("the-first-copy-counts", the_first_copy_counts);
  ADD ("streams-keep-what-is-theirs", streams_keep_what_is_theirs);
  ADD ("of-a-new-packet-nothing-is-known", of_a_new_packet_nothing_is_known);
  ADD ("three-numbers-from-elsewhere-begin-anew", three_numbers_from_elsewhere_begin_anew);
  ADD ("what-is-forgotten-is-given-up", what_is_forgotten_is_given_up);
  ADD ("a-copy-ends-a-row-of-strange-numbers", a_copy_ends_a_row_of_strange_numbers);
  return g_test_run ();
}
