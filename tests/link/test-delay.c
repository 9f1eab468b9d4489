/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "link-rig.h"

#define N 20000

static void
without_reordering_it_is_the_delay (void)
{
  const RccLinkDelays d = {.delay = 50 * MS };
  RccDelayLine line;

  rcc_delay_line_init (&line, 1);
  g_assert_cmpuint (rcc_delay_line_delivery (&line, &d, 7 * MS, MS), ==, 57 * MS);
  g_assert_cmpuint (rcc_delay_line_delivery (&line, &d, RCC_NEVER - 1, MS), ==, RCC_NEVER);
}

/* The share is late, evenly in 0..by, and nothing waits for it. */
static void
a_share_is_late (void)
{
  const RccLinkDelays d = {.delay = 50 * MS,.reorder = 0.1,.reorder_by = 20 * MS };
  gdouble sum = 0, most = 0;
  RccDelayLine line;
  guint late = 0;

  rcc_delay_line_init (&line, 3);
  for (guint i = 0; i < N; i++) {
    const RccTime t = i * MS;
    const gdouble more = (gdouble) (rcc_delay_line_delivery (&line, &d, t, MS) - t - 50 * MS);

    late += more > 0;
    sum += more;
    most = MAX (most, more);
  }
  g_assert_cmpfloat_with_epsilon (late / (gdouble) N, 0.1, 0.01);
  g_assert_cmpfloat_with_epsilon (sum / late, 10e6, 0.5e6);
  g_assert_cmpfloat (most, <, 20e6);
  g_assert_cmpfloat (most, >, 19.5e6);
}

/* Reordering draws from a sequence of its own: without it, jitter is the same. */
static void
jitter_is_not_moved (void)
{
  RccLinkDelays d = {.delay = 50 * MS,.jitter = 30 * MS };
  RccDelayLine with, without;

  rcc_delay_line_init (&with, 5);
  rcc_delay_line_init (&without, 5);
  for (guint i = 0; i < 1000; i++) {
    const RccTime t = i * 3 * MS, plain = rcc_delay_line_delivery (&without, &d, t, MS);
    RccLinkDelays r = d;

    r.reorder = 0.5;
    r.reorder_by = MS;
    g_assert_cmpuint (rcc_delay_line_delivery (&with, &r, t, MS) - plain, <, MS);
  }
}

/* In a link: each packet comes once, in order of delivery, and some after their successors. */
static void
a_link_reorders (void)
{
  RccLinkConfig c = quiet (2000000);
  g_autoptr (GArray) out = packets_new ();
  guint overtaken = 0;
  guint64 newest = 0;
  RccLink l;

  c.delay = 50 * MS;
  c.reorder = 1.0;
  c.reorder_by = 20 * MS;
  rcc_link_init (&l, &c, 1);
  for (guint i = 0; i < 1000; i++) {
    RccTime next;

    rcc_link_push (&l, i, 1000, RCC_ECN_NOT_ECT, i * 5 * MS);
    while ((next = rcc_link_next (&l)) < (i + 1) * 5 * MS) {
      collect (&l, next, out);
      assert_accounts (&l, next);
    }
  }
  collect (&l, 10 * RCC_SEC, out);
  g_assert_cmpuint (out->len, ==, 1000);
  for (guint i = 0; i < out->len; i++) {
    const RccLinkPacket *p = at (out, i);

    g_assert_cmpuint (p->delivered, >=, p->departed + 50 * MS);
    g_assert_cmpuint (p->delivered, <, p->departed + 70 * MS);
    g_assert_true (i == 0 || p->delivered >= at (out, i - 1)->delivered);
    overtaken += p->cookie < newest;
    newest = MAX (newest, p->cookie);
  }
  g_assert_cmpuint (overtaken, >, 300);
  finish (&l);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define T(name, f) g_test_add_func ("/delay/" name, f)
  T ("without-reordering-it-is-the-delay", without_reordering_it_is_the_delay);
  T ("a-share-is-late", a_share_is_late);
  T ("jitter-is-not-moved", jitter_is_not_moved);
  T ("a-link-reorders", a_link_reorders);
  return g_test_run ();
}
