/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <glib.h>
#include <string.h>
#include "core/history.h"

#define US 7u

static RccHistory h;

static void
start (void)
{
  rcc_history_init (&h, g_realloc);
}

static RccSentPacket *
sent (gint64 number, gint transport, RccTime now)
{
  RccSentPacket *s = rcc_history_sent (&h, US, number, transport, now);

  s->size = 1000 + (guint32) number % 100;
  return s;
}

static RccSentPacket *
by_transport (guint16 number)
{
  return rcc_history_find_transport (&h, rcc_history_transport (&h, number));
}

static void
a_packet_is_found_by_both_numbers (void)
{
  RccSentPacket *s;

  start ();
  g_assert_null (rcc_history_find (&h, US, 5));
  g_assert_null (by_transport (5));
  s = sent (5, 9, RCC_SEC);
  s->probe = 3;
  s = rcc_history_find (&h, US, 5);
  g_assert_nonnull (s);
  g_assert_true (s == by_transport (9));
  g_assert_cmpuint (s->key.at, ==, RCC_SEC);
  g_assert_cmpuint (s->size, ==, 1005);
  g_assert_cmpuint (s->probe, ==, 3);
  g_assert_cmpuint (s->arrived, ==, RCC_NEVER);
  g_assert_false (s->judged || s->received || s->unsent || s->said);
  g_assert_null (rcc_history_find (&h, US + 1, 5));
  g_assert_null (by_transport (5));
  rcc_history_clear (&h);
}

/* A number that is sent again is another packet. */
static void
nothing_is_left_of_the_one_before (void)
{
  start ();
  sent (5, 1, 1)->judged = true;
  sent (5, 2, 2);
  g_assert_false (rcc_history_find (&h, US, 5)->judged);
  g_assert_true (by_transport (1)->judged);
  rcc_history_clear (&h);
}

static void
transport_numbers_wrap (void)
{
  start ();
  for (guint i = 0; i < 200000; i++) {
    sent (i, (gint) (i & 0xffff), i * RCC_MSEC);
    if (i % 100 == 0) {
      const guint back = MIN (i, 7000);

      g_assert_cmpint (by_transport ((guint16) (i - back))->key.number, ==, i - back);
      g_assert_null (by_transport ((guint16) (i + 1)));
      g_assert_cmpint (rcc_history_transport (&h, (guint16) (i + 1)), >, h.transport.last);
    }
  }
  g_assert_cmpuint (h.log.capacity, ==, 8192);  /* 8 s of 1000 a second */
  g_assert_null (by_transport ((guint16) (199999 - 8192)));
  rcc_history_clear (&h);
}

/* What overtakes the first one has a number, too. */
static void
the_first_may_be_overtaken (void)
{
  start ();
  sent (1, 0, 1);
  sent (2, 65535, 2);
  g_assert_cmpint (by_transport (65535)->key.number, ==, 2);
  g_assert_cmpint (by_transport (0)->key.number, ==, 1);
  rcc_history_clear (&h);
}

/* Some have no such number, and those of others still are found when the log grows. */
static void
not_all_have_transport_numbers (void)
{
  start ();
  for (guint i = 0; i < 3000; i++)
    sent (i, i % 3 ? -1 : (gint) (i / 3), i);
  for (guint i = 0; i < 3000; i++)
    g_assert_cmpint (rcc_history_find (&h, US, i)->transport, ==,
        i % 3 ? -1 : (gint64) (65536 + i / 3));
  for (guint i = 0; i < 1000; i++)
    g_assert_cmpint (by_transport ((guint16) i)->key.number, ==, 3 * i);
  rcc_history_clear (&h);
}

static void
zero_is_a_number (void)
{
  start ();
  g_assert_null (by_transport (0));
  sent (5, 0, RCC_SEC);
  g_assert_nonnull (by_transport (0));
  g_assert_cmpint (by_transport (0)->key.number, ==, 5);
  rcc_history_clear (&h);
}

static void
other_transport_numbers_begin_anew (void)
{
  start ();
  for (guint i = 0; i < 100; i++)
    sent (i, (gint) (40000 + i), i);
  rcc_history_forget_transport (&h);
  g_assert_null (by_transport (40050));
  g_assert_cmpint (rcc_history_find (&h, US, 50)->transport, ==, -1);
  sent (100, 3, 100);
  g_assert_cmpint (by_transport (3)->key.number, ==, 100);
  g_assert_null (by_transport (40050));
  rcc_history_clear (&h);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, func) g_test_add_func ("/history/" path, func)
  ADD ("a-packet-is-found-by-both-numbers", a_packet_is_found_by_both_numbers);
  ADD ("nothing-is-left-of-the-one-before", nothing_is_left_of_the_one_before);
  ADD ("transport-numbers-wrap", transport_numbers_wrap);
  ADD ("the-first-may-be-overtaken", the_first_may_be_overtaken);
  ADD ("not-all-have-transport-numbers", not_all_have_transport_numbers);
  ADD ("other-transport-numbers-begin-anew", other_transport_numbers_begin_anew);
  ADD ("zero-is-a-number", zero_is_a_number);
  return g_test_run ();
}
