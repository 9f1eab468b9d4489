/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/gcc/reorder.h"

#include <glib.h>

#include "core/rng.h"

#define SPAN (20 * RCC_MSEC)

static guint
take_all (RccReorder *r, RccTime now, RccTime *sends)
{
  RccReorderPacket p;
  guint n = 0;

  while (rcc_reorder_take (r, now, &p)) {
    sends[n++] = p.send;
    g_assert_cmpuint (n, <=, RCC_REORDER_PACKETS);
  }
  return n;
}

/* From here on the path is known to reorder. */
static void
late_one (RccReorder *r)
{
  RccTime sends[RCC_REORDER_PACKETS];

  rcc_reorder_add (r, r->newest + RCC_USEC, RCC_USEC, 1000);
  rcc_reorder_add (r, r->newest - 1, RCC_USEC, 1000);
  g_assert_cmpuint (take_all (r, RCC_SEC, sends), ==, 2);
}

/* In the order in which they left, once each has waited for what may be late. */
static void
order_of_departure (void)
{
  static const guint came[] = { 2, 1, 4, 3, 5 };
  RccTime sends[RCC_REORDER_PACKETS];
  RccReorder r;

  rcc_reorder_init (&r, SPAN);
  late_one (&r);
  for (guint i = 0; i < G_N_ELEMENTS (came); i++) {
    rcc_reorder_add (&r, 50 * RCC_MSEC + came[i], 100 * RCC_MSEC + i * RCC_MSEC, 1000);
    g_assert_cmpuint (take_all (&r, 100 * RCC_MSEC + i * RCC_MSEC, sends), ==, 0);
  }
  /* the first to leave came 1 ms after the one behind it */
  g_assert_cmpuint (take_all (&r, 120 * RCC_MSEC, sends), ==, 0);
  g_assert_cmpuint (take_all (&r, 121 * RCC_MSEC, sends), ==, 2);
  g_assert_cmpuint (sends[0], ==, 50 * RCC_MSEC + 1);
  g_assert_cmpuint (sends[1], ==, 50 * RCC_MSEC + 2);
  g_assert_cmpuint (take_all (&r, 124 * RCC_MSEC, sends), ==, 3);
  for (guint i = 0; i < 3; i++)
    g_assert_cmpuint (sends[i], ==, 50 * RCC_MSEC + i + 3);
}

/* One that is later than that comes out as it came, and nothing waits for it. */
static void
too_late (void)
{
  RccTime sends[RCC_REORDER_PACKETS];
  RccReorder r;

  rcc_reorder_init (&r, SPAN);
  late_one (&r);
  rcc_reorder_add (&r, 2 * RCC_MSEC, RCC_SEC, 1000);
  g_assert_cmpuint (take_all (&r, RCC_SEC + SPAN, sends), ==, 1);
  rcc_reorder_add (&r, RCC_MSEC, RCC_SEC + SPAN, 1000);
  g_assert_cmpuint (take_all (&r, RCC_SEC + 2 * SPAN, sends), ==, 1);
  g_assert_cmpuint (sends[0], ==, RCC_MSEC);
}

/* Where nothing is late nothing waits, and not for ever once something was. */
static void
in_order (void)
{
  RccTime sends[RCC_REORDER_PACKETS];
  RccReorder r;

  rcc_reorder_init (&r, SPAN);
  rcc_reorder_add (&r, RCC_MSEC, RCC_SEC, 1000);
  g_assert_cmpuint (take_all (&r, RCC_SEC, sends), ==, 1);
  late_one (&r);
  rcc_reorder_add (&r, 9 * RCC_SEC, 10 * RCC_SEC, 1000);
  g_assert_cmpuint (take_all (&r, 10 * RCC_SEC, sends), ==, 0);
  rcc_reorder_add (&r, 10 * RCC_SEC, 11 * RCC_SEC, 1000);
  g_assert_cmpuint (take_all (&r, 11 * RCC_SEC, sends), ==, 2);
}

/* Whatever the clocks say, there is always room, and what follows is in order again. */
static void
any_times (void)
{
  RccTime sends[RCC_REORDER_PACKETS];
  const RccTime end = 100 * RCC_SEC;
  guint out = 0;
  RccReorder r;
  RccRng rng;

  rcc_rng_init (&rng, 1, 1);
  rcc_reorder_init (&r, SPAN);
  for (guint i = 0; i < 100000; i++) {
    const RccTime wild = (RccTime) rcc_rng_u32 (&rng) << rcc_rng_u32 (&rng) % 33;
    const RccTime now = rcc_rng_u32 (&rng) % 20 ? i * RCC_MSEC : wild;

    rcc_reorder_add (&r, rcc_rng_u32 (&rng) % 20 ? now : wild, now, 1000);
    out += take_all (&r, now, sends);
    g_assert_cmpuint (r.n, <, RCC_REORDER_PACKETS);
  }
  g_assert_cmpuint (out, >, 50000);
  for (guint i = 0; i < 200; i++) {
    rcc_reorder_add (&r, end + (i ^ 1) * RCC_MSEC, end + i * RCC_MSEC, 1000);
    out = take_all (&r, end + i * RCC_MSEC, sends);
    if (i > 120) {
      g_assert_cmpuint (out, ==, i % 2 ? 2 : 0);
      g_assert_true (out == 0 || sends[0] < sends[1]);
    }
  }
}

static void
overtaken (void)
{
  RccPacket p[] = {
    {.sent = 30 * RCC_MSEC,.arrived = 60 * RCC_MSEC },
    {.sent = 40 * RCC_MSEC,.arrived = RCC_NEVER },
    {.sent = 45 * RCC_MSEC,.arrived = 60 * RCC_MSEC - 1 },
  };

  g_assert_true (rcc_reorder_overtaken (p, 3, SPAN));
  g_assert_false (rcc_reorder_overtaken (p, 2, SPAN));
  g_assert_false (rcc_reorder_overtaken (p, 3, 14 * RCC_MSEC));
  g_assert_false (rcc_reorder_overtaken (p, 3, 0));
  p[2].arrived = 60 * RCC_MSEC;
  g_assert_false (rcc_reorder_overtaken (p, 3, SPAN));
  g_assert_false (rcc_reorder_overtaken (p, 0, SPAN));
}

/* Three are missing, of which one may be late; it comes with the next feedback, another one does
 * not and is lost then. */
static void
what_may_be_late_is_not_lost (void)
{
  RccPacket p[] = {
    {.sent = RCC_MSEC,.arrived = RCC_NEVER }, {.sent = 10 * RCC_MSEC,.arrived = RCC_NEVER },
    {.sent = 30 * RCC_MSEC,.arrived = RCC_NEVER }, {.sent = 50 * RCC_MSEC,.arrived = RCC_SEC },
  };
  RccPacket q[] = {
    {.sent = 30 * RCC_MSEC,.arrived = RCC_SEC,.flags = RCC_PACKET_MISSED },
    {.sent = 60 * RCC_MSEC,.arrived = RCC_SEC }, {.sent = 90 * RCC_MSEC,.arrived = RCC_SEC },
  };
  RccReorderLosses l = {.until = RCC_SEC }, none = { 0 };
  size_t lost = 3, n = 4;

  rcc_reorder_settle (&l, p, &n, 0, &lost, 0);
  g_assert_true (lost == 3 && n == 4 && l.pending == 0);
  rcc_reorder_settle (&none, p, &n, SPAN, &lost, 0);    /* nothing came after all of late */
  g_assert_true (lost == 3 && n == 4 && none.pending == 0);
  rcc_reorder_settle (&l, p, &n, SPAN, &lost, 0);
  g_assert_true (lost == 2 && n == 3 && l.pending == 1);
  lost = 0, n = 3;
  rcc_reorder_settle (&l, q, &n, 0, &lost, RCC_SEC);    /* off: nor does what came after all */
  g_assert_true (lost == 0 && n == 3 && l.pending == 1 && l.until == RCC_SEC);
  rcc_reorder_settle (&l, q, &n, SPAN, &lost, RCC_SEC);
  g_assert_true (lost == 0 && n == 3 && l.pending == 0);
  g_assert_cmpuint (l.until, ==, 11 * RCC_SEC);
  l.pending = 1, lost = 0, n = 2;
  rcc_reorder_settle (&l, &q[1], &n, SPAN, &lost, RCC_SEC);
  g_assert_true (lost == 1 && n == 3 && l.pending == 0);
  /* one that was told as lost, and comes later than that: its loss stays */
  lost = 0, n = 1;
  rcc_reorder_settle (&l, q, &n, SPAN, &lost, RCC_SEC);
  g_assert_true (lost == 0 && n == 0 && l.pending == 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gcc-reorder/order-of-departure", order_of_departure);
  g_test_add_func ("/gcc-reorder/too-late", too_late);
  g_test_add_func ("/gcc-reorder/in-order", in_order);
  g_test_add_func ("/gcc-reorder/any-times", any_times);
  g_test_add_func ("/gcc-reorder/overtaken", overtaken);
  g_test_add_func ("/gcc-reorder/what-may-be-late-is-not-lost", what_may_be_late_is_not_lost);
  return g_test_run ();
}
