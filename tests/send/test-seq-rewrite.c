/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <glib.h>
#include "core/rng.h"
#include "send/seq-rewrite.h"

static RccSeqRewrite n;

static guint16
pass (guint16 seq)
{
  return rcc_seq_rewrite_depart (&n, rcc_seq_rewrite_arrive (&n, seq));
}

static void
numbers_stay_until_something_changes (void)
{
  guint16 former;

  rcc_seq_rewrite_init (&n);
  for (guint i = 0; i < 70000; i++)
    g_assert_cmpuint (pass ((guint16) (65000 + i)), ==, (guint16) (65000 + i));
  g_assert_cmpuint (n.changed, ==, 0);
  g_assert_true (rcc_seq_rewrite_request (&n, (guint16) (65000 + 69999), &former));
  g_assert_cmpuint (former, ==, (guint16) (65000 + 69999));
  g_assert_false (rcc_seq_rewrite_request (&n, (guint16) (65000 + 70000), &former));
}

/* What is dropped here is no gap, across the wrap too. */
static void
a_drop_leaves_no_gap (void)
{
  guint16 expected = 65530, former;

  rcc_seq_rewrite_init (&n);
  for (guint i = 0; i < 1000; i++) {
    const RccNumber number = rcc_seq_rewrite_arrive (&n, (guint16) (65530 + i));

    if (i % 7 == 3) {
      rcc_seq_rewrite_drop (&n, number, false);
      continue;
    }
    g_assert_cmpuint (rcc_seq_rewrite_depart (&n, number), ==, expected);
    g_assert_true (rcc_seq_rewrite_request (&n, expected, &former));
    g_assert_cmpuint (former, ==, (guint16) (65530 + i));
    expected++;
  }
  g_assert_cmpuint (n.changed, >, 800);
}

/* Before the first packet has left nothing is missing to anybody. */
static void
a_drop_before_the_first_is_nothing (void)
{
  rcc_seq_rewrite_init (&n);
  rcc_seq_rewrite_drop (&n, rcc_seq_rewrite_arrive (&n, 10), true);
  g_assert_cmpuint (pass (11), ==, 11);
  g_assert_cmpuint (pass (12), ==, 12);
}

static void
a_broken_frame_leaves_one_number_out (void)
{
  guint16 former;

  rcc_seq_rewrite_init (&n);
  pass (10);
  for (guint i = 11; i < 16; i++)
    rcc_seq_rewrite_drop (&n, rcc_seq_rewrite_arrive (&n, (guint16) i), true);
  g_assert_cmpuint (pass (16), ==, 12);
  g_assert_false (rcc_seq_rewrite_request (&n, 11, &former));
  g_assert_true (rcc_seq_rewrite_request (&n, 12, &former));
  g_assert_cmpuint (former, ==, 16);
  g_assert_cmpuint (pass (17), ==, 13);
}

/* What was missing before it came here is missing behind too, drops or not. */
static void
gaps_and_copies_stay (void)
{
  guint16 former;

  rcc_seq_rewrite_init (&n);
  pass (100);
  g_assert_cmpuint (pass (104), ==, 104);
  g_assert_cmpuint (pass (104), ==, 104);       /* a copy */
  g_assert_cmpuint (pass (102), ==, 102);       /* overtaken */
  g_assert_cmpuint (pass (105), ==, 105);
  g_assert_cmpuint (rcc_seq_rewrite_insert (&n, true), ==, 106);
  g_assert_cmpuint (pass (108), ==, 109);       /* 106, 107 are missing */
  g_assert_cmpuint (pass (107), ==, 108);
  g_assert_cmpuint (pass (105), ==, 105);
  rcc_seq_rewrite_drop (&n, rcc_seq_rewrite_arrive (&n, 110), false);   /* behind a gap */
  g_assert_cmpuint (pass (111), ==, 111);
  g_assert_false (rcc_seq_rewrite_request (&n, 110, &former));
  g_assert_cmpuint (pass ((guint16) (111 + 5000)), ==, (guint16) (111 + 5000));
  g_assert_cmpuint (pass ((guint16) (111 + 5001)), ==, (guint16) (111 + 5001));
}

/* So does a new beginning. */
static void
a_new_beginning_stays (void)
{
  rcc_seq_rewrite_init (&n);
  pass (40000);
  g_assert_cmpuint (pass (40001), ==, 40001);
  g_assert_cmpuint (pass (100), ==, 100);
  g_assert_cmpuint (pass (101), ==, 101);
  rcc_seq_rewrite_init (&n);
  pass (30000);
  rcc_seq_rewrite_insert (&n, true);
  g_assert_cmpuint (pass (20000), ==, 20001);
  g_assert_cmpuint (pass (20001), ==, 20002);
  g_assert_cmpuint (pass (19500), ==, 19501);   /* late, but unheard of */
  g_assert_cmpuint (pass (20002), ==, 20003);
}

static void
ours_are_nobodys (void)
{
  guint16 former;

  rcc_seq_rewrite_init (&n);
  pass (1);
  g_assert_cmpuint (rcc_seq_rewrite_insert (&n, true), ==, 2);
  g_assert_cmpuint (rcc_seq_rewrite_insert (&n, true), ==, 3);
  g_assert_cmpuint (pass (2), ==, 4);
  g_assert_false (rcc_seq_rewrite_request (&n, 2, &former));
  g_assert_false (rcc_seq_rewrite_request (&n, 3, &former));
  g_assert_false (rcc_seq_rewrite_request (&n, 5, &former));
  g_assert_false (rcc_seq_rewrite_request (&n, 0, &former));
  g_assert_true (rcc_seq_rewrite_request (&n, 1, &former));
  g_assert_cmpuint (former, ==, 1);
  g_assert_true (rcc_seq_rewrite_request (&n, 4, &former));
  g_assert_cmpuint (former, ==, 2);
}

static void
what_left_long_ago_is_forgotten (void)
{
  guint16 former;

  rcc_seq_rewrite_init (&n);
  for (guint i = 0; i < 3000; i++) {
    pass ((guint16) i);
    if (i % 3 == 0)
      rcc_seq_rewrite_insert (&n, true);
  }
  g_assert_cmpuint (n.last, ==, 3999);
  g_assert_true (rcc_seq_rewrite_request (&n, 3999 - 1021, &former));
  g_assert_false (rcc_seq_rewrite_request (&n, 3999 - 1024, &former));
  g_assert_false (rcc_seq_rewrite_request (&n, 5, &former));
}

/* Any events: each number is used once, by a packet of one former number; those that came
 * in order leave in order, and what was asked for is found. */
static void
random_events_keep_it_sane (void)
{
  guint16 seq = 77, former, last = 0;
  gboolean any = FALSE;
  RccRng r;

  rcc_rng_init (&r, 3, 3);
  rcc_seq_rewrite_init (&n);
  for (guint i = 0; i < 200000; i++) {
    const guint32 dice = rcc_rng_u32 (&r) % 100;
    guint16 left;
    RccNumber number;

    if (dice < 3 && any) {
      left = rcc_seq_rewrite_insert (&n, true);
      g_assert_cmpint ((gint16) (left - last), >, 0);
      g_assert_false (rcc_seq_rewrite_request (&n, left, &former));
      last = left;
      continue;
    }
    seq = (guint16) (seq + (dice < 5 ? 1 + rcc_rng_u32 (&r) % 30 : 1));
    number = rcc_seq_rewrite_arrive (&n, seq);
    if (dice < 20) {
      rcc_seq_rewrite_drop (&n, number, dice < 8);
      continue;
    }
    left = rcc_seq_rewrite_depart (&n, number);
    g_assert_true (!any || (gint16) (left - last) > 0);
    g_assert_true (!any || (guint16) (left - last) <= 2 + number.gap);
    g_assert_true (rcc_seq_rewrite_request (&n, left, &former));
    g_assert_cmpuint (former, ==, seq);
    any = TRUE;
    last = left;
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/seq-rewrite/numbers-stay-until-something-changes",
      numbers_stay_until_something_changes);
  g_test_add_func ("/seq-rewrite/a-drop-leaves-no-gap", a_drop_leaves_no_gap);
  g_test_add_func ("/seq-rewrite/a-drop-before-the-first-is-nothing",
      a_drop_before_the_first_is_nothing);
  g_test_add_func ("/seq-rewrite/a-broken-frame-leaves-one-number-out",
      a_broken_frame_leaves_one_number_out);
  g_test_add_func ("/seq-rewrite/gaps-and-copies-stay", gaps_and_copies_stay);
  g_test_add_func ("/seq-rewrite/a-new-beginning-stays", a_new_beginning_stays);
  g_test_add_func ("/seq-rewrite/ours-are-nobodys", ours_are_nobodys);
  g_test_add_func ("/seq-rewrite/what-left-long-ago-is-forgotten",
      what_left_long_ago_is_forgotten);
  g_test_add_func ("/seq-rewrite/random-events-keep-it-sane", random_events_keep_it_sane);
  return g_test_run ();
}
