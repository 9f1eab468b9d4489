/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <glib.h>
#include "send/rtx.h"

#define MS RCC_MSEC
#define RTT (100 * MS)
#define TARGET 1000000

static RccRtx r;

static void
begin (void)
{
  const RccRtxConfig config = rcc_rtx_config ();

  rcc_rtx_init (&r, &config, 0);
}

static bool
ask (guint16 seq, guint32 size, RccTime sent, RccTime now)
{
  return rcc_rtx_request (&r, &(RccRtxPacket) { 7, (guint16) (seq - 3), seq, size, sent },
      TARGET, RTT, now);
}

/* A browser asks for each gap ten times. */
static void
once_per_round_trip (void)
{
  guint heard = 0;

  begin ();
  for (RccTime t = 1000 * MS; t < 1100 * MS; t += 10 * MS)
    heard += ask (50, 1200, 990 * MS, t);
  g_assert_cmpuint (heard, ==, 1);
  g_assert_cmpuint (r.repeated, ==, 9);
  rcc_rtx_left (&r, 47, 1200, false, 1100 * MS);
  g_assert_false (ask (50, 1200, 990 * MS, 1199 * MS));
  g_assert_true (ask (50, 1200, 990 * MS, 1200 * MS));
  g_assert_true (ask (51, 1200, 990 * MS, 1200 * MS));  /* another packet */
}

/* A queue that has filled makes the round trip longer than is known: a receiver that asks each
 * 20 ms, ten times, has two copies. */
static void
each_further_copy_waits_twice_as_long (void)
{
  static const RccTime wanted[] = { 0, 100 * MS, 300 * MS, 700 * MS };
  guint heard = 0;

  begin ();
  for (RccTime now = 0; now <= 900 * MS; now += 20 * MS) {
    if (!ask (50, 1200, 0, now))
      continue;
    g_assert_cmpuint (heard, <, G_N_ELEMENTS (wanted));
    g_assert_cmpuint (now, ==, wanted[heard++]);
    rcc_rtx_left (&r, 47, 1202, false, now);
  }
  g_assert_cmpuint (heard, ==, G_N_ELEMENTS (wanted));
}

/* While the copy waits to leave there is no second one; if it never comes, there is. */
static void
not_while_a_copy_waits (void)
{
  begin ();
  r.config.life = 10 * RCC_SEC;
  g_assert_true (ask (50, 1200, 0, 500 * MS));
  g_assert_false (ask (50, 1200, 0, 1400 * MS));
  g_assert_true (ask (50, 1200, 0, 1500 * MS));
}

static void
not_when_it_is_of_no_use (void)
{
  begin ();
  g_assert_true (ask (50, 1200, 0, 1000 * MS));
  g_assert_false (ask (51, 1200, 0, 1001 * MS));
  g_assert_cmpuint (r.late, ==, 1);
  g_assert_false (ask (52, 1200, RCC_NEVER, 1001 * MS));
  /* on a long path everything is that old */
  g_assert_true (rcc_rtx_request (&r, &(RccRtxPacket) { 7, 60, 60, 1200, 0 }, TARGET,
          600 * MS, 1199 * MS));
}

/* Half the target, of which a second may be used at once. */
static void
as_far_as_its_share_goes (void)
{
  guint heard = 0;

  begin ();
  for (guint i = 0; i < 1000; i++)
    heard += ask ((guint16) i, 1000, 10 * RCC_SEC - MS, 10 * RCC_SEC);
  g_assert_cmpuint (heard, ==, 62);     /* x 8000 bit <= 500 kbit */
  g_assert_cmpuint (r.over_budget, ==, 938);
  heard = 0;
  for (guint i = 0; i < 10000; i++)
    heard += ask ((guint16) i, 1000, 10 * RCC_SEC + i * MS, 10 * RCC_SEC + (i + 1) * MS);
  g_assert_cmpuint (heard, >=, 624);
  g_assert_cmpuint (heard, <=, 626);
}

/* 20 kbit/s may repair, too, and a packet larger than all of the budget never. */
static void
low_rates_and_large_packets (void)
{
  begin ();
  for (guint i = 0; i < 4; i++)
    g_assert_true (rcc_rtx_request (&r, &(RccRtxPacket) { 7, 1, (guint16) i, 1500, 0 }, 20000,
            RTT, MS));
  g_assert_false (rcc_rtx_request (&r, &(RccRtxPacket) { 7, 1, 9, 1500, 0 }, 20000, RTT, MS));
  begin ();
  g_assert_false (ask (1, 65000, 900 * RCC_SEC, 900 * RCC_SEC));
  g_assert_cmpuint (r.over_budget, ==, 1);
}

static void
a_copy_says_what_left (void)
{
  guint16 left;

  begin ();
  g_assert_false (rcc_rtx_answer (&r, 47, &left));
  ask (50, 1200, 0, MS);
  g_assert_true (rcc_rtx_answer (&r, 47, &left));
  g_assert_cmpuint (left, ==, 50);
  g_assert_true (rcc_rtx_admit (&r, true, 1200, TARGET, MS));
  rcc_rtx_left (&r, 47, 1210, false, 2 * MS);
  g_assert_cmpuint (r.packets, ==, 1);
  g_assert_cmpuint (r.bytes, ==, 1210);
  g_assert_cmpuint (rcc_rtx_bps (&r, 2 * MS), >, 0);
  for (guint i = 0; i < RCC_RTX_REQUESTS; i++)
    ask ((guint16) (1000 + i), 10, 0, 10 * MS + i * MS);
  g_assert_false (rcc_rtx_answer (&r, 47, &left));
}

/* What nobody asked for comes out of the budget, or not at all. */
static void
unasked_copies_are_paid_for (void)
{
  guint admitted = 0;

  begin ();
  for (guint i = 0; i < 100; i++)
    admitted += rcc_rtx_admit (&r, false, 1500, TARGET, 0);
  g_assert_cmpuint (admitted, ==, 4);
  g_assert_cmpuint (r.unasked, ==, 100);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rtx/once-per-round-trip", once_per_round_trip);
  g_test_add_func ("/rtx/each-further-copy-waits-twice-as-long",
      each_further_copy_waits_twice_as_long);
  g_test_add_func ("/rtx/not-while-a-copy-waits", not_while_a_copy_waits);
  g_test_add_func ("/rtx/not-when-it-is-of-no-use", not_when_it_is_of_no_use);
  g_test_add_func ("/rtx/as-far-as-its-share-goes", as_far_as_its_share_goes);
  g_test_add_func ("/rtx/low-rates-and-large-packets", low_rates_and_large_packets);
  g_test_add_func ("/rtx/a-copy-says-what-left", a_copy_says_what_left);
  g_test_add_func ("/rtx/unasked-copies-are-paid-for", unasked_copies_are_paid_for);
  return g_test_run ();
}
