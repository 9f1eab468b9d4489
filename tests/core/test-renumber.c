/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <glib.h>
#include "core/renumber.h"

#define SSRC 0xdeadbeefu

static RccRenumber *
new_one (void)
{
  RccRenumber *r = g_new0 (RccRenumber, 1);

  rcc_renumber_init (r);
  return r;
}

/* From any first number through the wrap, with every third packet dropped before. */
static void
consecutive_through_the_wrap (void)
{
  RccRenumber *r = new_one ();
  guint16 expected = 65000, seq = 65000, former;

  for (guint i = 0; i < 3000; i++, seq++) {
    if (i % 3 == 2)
      continue;
    g_assert_cmpuint (rcc_renumber_depart (r, SSRC, seq, 4), ==, expected);
    g_assert_true (rcc_renumber_request (r, SSRC, expected, &former));
    g_assert_cmpuint (former, ==, seq);
    expected++;
  }
  g_assert_cmpuint (rcc_renumber_owner (r, SSRC), ==, 4);
  rcc_renumber_disown (r, 4);
  g_assert_cmpuint (rcc_renumber_owner (r, SSRC), ==, RCC_RENUMBER_NOBODY);
  g_free (r);
}

static void
overtaken_packets_are_found (void)
{
  static const guint16 order[] = { 10, 13, 11, 12, 20, 15 };
  RccRenumber *r = new_one ();
  guint16 former, left;

  for (guint i = 0; i < G_N_ELEMENTS (order); i++)
    g_assert_cmpuint (rcc_renumber_depart (r, SSRC, order[i], 0), ==, 10 + i);
  for (guint i = 0; i < G_N_ELEMENTS (order); i++) {
    g_assert_true (rcc_renumber_request (r, SSRC, (guint16) (10 + i), &former));
    g_assert_cmpuint (former, ==, order[i]);
    g_assert_true (rcc_renumber_answer (r, former, &left));
    g_assert_cmpuint (left, ==, 10 + i);
  }
  g_free (r);
}

/* What never left, what left too long ago, and whom nobody knows. */
static void
requests_beyond_memory (void)
{
  RccRenumber *r = new_one ();
  guint16 former;

  g_assert_true (rcc_renumber_request (r, SSRC, 77, &former));
  g_assert_cmpuint (former, ==, 77);
  g_assert_false (rcc_renumber_answer (r, 77, &former));
  for (guint16 seq = 0; seq < 2 * RCC_RENUMBER_RING; seq++)
    rcc_renumber_depart (r, SSRC, seq, 0);
  g_assert_false (rcc_renumber_request (r, SSRC, 2 * RCC_RENUMBER_RING, &former));
  g_assert_false (rcc_renumber_request (r, SSRC, RCC_RENUMBER_RING - 1, &former));
  g_assert_true (rcc_renumber_request (r, SSRC, RCC_RENUMBER_RING, &former));
  g_assert_cmpuint (former, ==, RCC_RENUMBER_RING);
  g_assert_false (rcc_renumber_request (r, SSRC, 65535, &former));
  g_free (r);
}

/* Each SSRC counts for itself; one too many forgets the one used longest ago. */
static void
many_streams (void)
{
  RccRenumber *r = new_one ();

  for (guint i = 0; i < RCC_RENUMBER_STREAMS; i++)
    g_assert_cmpuint (rcc_renumber_depart (r, i, (guint16) (100 * i), i), ==, 100 * i);
  for (guint i = 0; i < RCC_RENUMBER_STREAMS; i++)
    g_assert_cmpuint (rcc_renumber_depart (r, i, 7, i), ==, 100 * i + 1);
  g_assert_cmpuint (rcc_renumber_depart (r, 1000, 5, 0), ==, 5);
  g_assert_cmpuint (rcc_renumber_owner (r, 0), ==, RCC_RENUMBER_NOBODY);
  g_assert_cmpuint (rcc_renumber_owner (r, 1), ==, 1);
  g_assert_cmpuint (rcc_renumber_depart (r, 1, 7, 1), ==, 102);
  g_free (r);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/renumber/consecutive", consecutive_through_the_wrap);
  g_test_add_func ("/renumber/overtaken", overtaken_packets_are_found);
  g_test_add_func ("/renumber/memory", requests_beyond_memory);
  g_test_add_func ("/renumber/streams", many_streams);
  return g_test_run ();
}
