/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>
#include <glib.h>
#include "core/history.h"

static RccHistory h;

static void
finds_what_was_sent (void)
{
  RccSentPacket *s;

  rcc_history_init (&h);
  g_assert_null (rcc_history_find (&h, 0));
  rcc_history_sent (&h, 7, 1200, 3, RCC_SEC);
  s = rcc_history_find (&h, 7);
  g_assert_nonnull (s);
  g_assert_cmpuint (s->packet.size, ==, 1200);
  g_assert_cmpuint (s->packet.probe, ==, 3);
  g_assert_cmpuint (s->packet.sent, ==, RCC_SEC);
  g_assert_cmpuint (s->packet.arrived, ==, RCC_NEVER);
  g_assert_false (s->judged);
  g_assert_null (rcc_history_find (&h, 6));
  g_assert_null (rcc_history_find (&h, 8));
}

static void
forgets_the_oldest (void)
{
  rcc_history_init (&h);
  for (guint i = 0; i <= RCC_HISTORY_SIZE; i++)
    rcc_history_sent (&h, (guint16) i, 100, 0, i);
  g_assert_null (rcc_history_find (&h, 0));
  for (guint i = 1; i <= RCC_HISTORY_SIZE; i++)
    g_assert_cmpint (rcc_history_find (&h, (guint16) i)->packet.seq, ==, i);
}

/* Numbers that are not out yet share slots with those that are. */
static void
does_not_know_the_future (void)
{
  rcc_history_init (&h);
  for (guint i = 0; i < RCC_HISTORY_SIZE; i++)
    rcc_history_sent (&h, (guint16) i, 100, 0, i);
  for (guint i = 1; i < 3000; i++)
    g_assert_null (rcc_history_find (&h, (guint16) (RCC_HISTORY_SIZE - 1 + i)));
}

static void
wraps (void)
{
  const guint n = 1000000;              /* 15 wraps */

  rcc_history_init (&h);
  for (guint i = 65000; i < 65000 + n; i++) {
    RccSentPacket *s;

    rcc_history_sent (&h, (guint16) i, 100, 0, i);
    s = rcc_history_find (&h, (guint16) (i - RCC_MIN (i - 65000, 2000)));
    g_assert_nonnull (s);
    g_assert_cmpint (s->packet.seq, ==, i - RCC_MIN (i - 65000, 2000));
  }
  g_assert_cmpuint (h.added, ==, n);
}

static void
starts_below_its_first (void)
{
  rcc_history_init (&h);
  rcc_history_sent (&h, 1, 100, 0, 1);
  rcc_history_sent (&h, 65535, 100, 0, 2);
  g_assert_cmpint (rcc_history_find (&h, 65535)->packet.seq, ==, -1);
  g_assert_cmpint (rcc_history_find (&h, 1)->packet.seq, ==, 1);
}

static void
a_number_sent_twice_is_judged_anew (void)
{
  rcc_history_init (&h);
  rcc_history_sent (&h, 5, 100, 0, 1);
  rcc_history_find (&h, 5)->judged = true;
  rcc_history_sent (&h, 5, 200, 0, 2);
  g_assert_false (rcc_history_find (&h, 5)->judged);
  g_assert_cmpuint (rcc_history_find (&h, 5)->packet.size, ==, 200);
}

static void
counts_what_was_withheld (void)
{
  rcc_history_init (&h);
  g_assert_cmpuint (rcc_history_count_withheld (&h, 0, 100), ==, 0);
  for (guint i = 0; i < 100; i++)
    if (i % 10 == 0)
      rcc_history_withheld (&h, (guint16) i, i);
    else
      rcc_history_sent (&h, (guint16) i, 100, 0, i);
  g_assert_cmpuint (h.withheld, ==, 10);
  g_assert_cmpuint (rcc_history_count_withheld (&h, -1, 99), ==, 10);
  g_assert_cmpuint (rcc_history_count_withheld (&h, 0, 99), ==, 9);
  g_assert_cmpuint (rcc_history_count_withheld (&h, 0, 10), ==, 1);
  g_assert_cmpuint (rcc_history_count_withheld (&h, 99, 99), ==, 0);
  g_assert_cmpuint (rcc_history_count_withheld (&h, 99, 0), ==, 0);
  /* a hostile span costs no more than the memory there is */
  g_assert_cmpuint (rcc_history_count_withheld (&h, INT64_MIN / 2, 99), ==, 10);
  g_assert_true (rcc_history_find (&h, 10)->withheld);
  g_assert_false (rcc_history_find (&h, 11)->withheld);
}

static void
starts_clean_again (void)
{
  memset (&h, 0xa5, sizeof h);
  rcc_history_init (&h);
  rcc_history_withheld (&h, 5, 1);
  rcc_history_init (&h);
  rcc_history_withheld (&h, 100, 2);
  g_assert_null (rcc_history_find (&h, 5));
  g_assert_cmpuint (rcc_history_count_withheld (&h, 0, 50), ==, 0);
  g_assert_cmpuint (rcc_history_count_withheld (&h, 0, 100), ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/history/finds-what-was-sent", finds_what_was_sent);
  g_test_add_func ("/history/forgets-the-oldest", forgets_the_oldest);
  g_test_add_func ("/history/does-not-know-the-future", does_not_know_the_future);
  g_test_add_func ("/history/wraps", wraps);
  g_test_add_func ("/history/starts-below-its-first", starts_below_its_first);
  g_test_add_func ("/history/a-number-sent-twice-is-judged-anew",
      a_number_sent_twice_is_judged_anew);
  g_test_add_func ("/history/counts-what-was-withheld", counts_what_was_withheld);
  g_test_add_func ("/history/starts-clean-again", starts_clean_again);
  return g_test_run ();
}
