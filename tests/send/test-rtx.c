/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <glib.h>
#include "send/rtx.h"

#define MS RCC_MSEC
#define RTT (100 * MS)
#define TARGET 1000000

static RccRtx r;
static RccSpurious stream;

static void
begin (void)
{
  const RccRtxConfig config = rcc_rtx_config ();

  rcc_rtx_clear (&r);                   /* of the test before */
  rcc_rtx_init (&r, &config, g_realloc, 0);
  stream = (RccSpurious) { 0 };
}

static bool
ask (guint16 seq, guint32 size, RccTime sent, RccTime now)
{
  return rcc_rtx_request (&r, &(RccRtxPacket) { 7, (guint16) (seq - 3), seq, size, sent },
      &(RccRtxPath) { TARGET, RTT, RCC_NEVER }, &stream, now);
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

/* A queue that has filled makes the round trip longer than is known, or none is: the first
 * request has shown it. */
static void
the_first_request_tells_the_round_trip (void)
{
  static const RccTime wanted[] = { 240 * MS, 480 * MS, 720 * MS, 960 * MS };
  guint heard = 0;

  begin ();
  for (RccTime now = 240 * MS; now <= 1000 * MS; now += 20 * MS) {
    if (!ask (50, 1200, 0, now))
      continue;
    g_assert_cmpuint (heard, <, G_N_ELEMENTS (wanted));
    g_assert_cmpuint (now, ==, wanted[heard++]);
    rcc_rtx_left (&r, 47, 1202, false, now);
  }
  g_assert_cmpuint (heard, ==, G_N_ELEMENTS (wanted));
}

/* rtpjitterbuffer asks for the next packet when it is due, on its way or not. */
static void
not_before_it_could_be_missed (void)
{
  const RccRtxPath path = { TARGET, 300 * MS, 100 * MS };
  const RccRtxPacket packet = { 7, 47, 50, 1200, 1000 * MS };

  begin ();
  g_assert_false (rcc_rtx_request (&r, &packet, &path, &stream, 1001 * MS));
  g_assert_false (rcc_rtx_request (&r, &packet, &path, &stream, 1074 * MS));
  g_assert_cmpuint (r.early, ==, 2);
  g_assert_true (rcc_rtx_request (&r, &packet, &path, &stream, 1100 * MS));
}

/* Where most requests are for nothing, what is still missing is asked for again. */
static void
in_doubt_what_is_asked_for_twice (void)
{
  guint heard = 0;

  begin ();
  stream.likely = stream.alone = true;
  for (RccTime now = 100 * MS; now < 200 * MS; now += MS)
    heard += ask (50, 1200, 0, now);
  g_assert_cmpuint (heard, ==, 1);
  g_assert_cmpuint (r.doubted, ==, 1);
  g_assert_cmpuint (r.repeated, ==, 98);
  g_assert_cmpuint (r.heard, ==, 1);
  g_assert_true (r.spurious);
  for (guint16 seq = 100; seq < 200; seq++)
    heard += ask (seq, 1200, 0, 200 * MS);
  g_assert_cmpuint (heard, ==, 1);
  g_assert_cmpuint (r.doubted, ==, 101);
  g_assert_cmpfloat (stream.asked, ==, 101);
}

/* Nearer to the network somebody has counted them. */
static void
what_is_decided_is_not_weighed (void)
{
  begin ();
  stream.likely = stream.alone = true;
  for (guint16 seq = 0; seq < 200; seq++)
    rcc_rtx_requested (&r, &(RccRtxPacket) { 7, seq, (guint16) (seq + 3), 1200, 0 }, MS);
  g_assert_cmpuint (r.heard, ==, 200);
  g_assert_cmpuint (rcc_rtx_answer (&r, 47)->left, ==, 50);
  g_assert_cmpfloat (stream.asked, ==, 0);
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
  g_assert_true (rcc_rtx_request (&r, &(RccRtxPacket) { 7, 60, 60, 1200, 0 },
          &(RccRtxPath) { TARGET, 600 * MS, RCC_NEVER }, &stream, 1199 * MS));
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
  const RccRtxPath path = { 20000, RTT, RCC_NEVER };

  begin ();
  for (guint i = 0; i < 4; i++)
    g_assert_true (rcc_rtx_request (&r, &(RccRtxPacket) { 7, 1, (guint16) i, 1500, 0 }, &path,
            &stream, MS));
  g_assert_false (rcc_rtx_request (&r, &(RccRtxPacket) { 7, 1, 9, 1500, 0 }, &path, &stream, MS));
  begin ();
  g_assert_false (ask (1, 65000, 900 * RCC_SEC, 900 * RCC_SEC));
  g_assert_cmpuint (r.over_budget, ==, 1);
}

static void
a_copy_says_what_left (void)
{
  begin ();
  g_assert_null (rcc_rtx_answer (&r, 47));
  ask (50, 1200, 0, MS);
  g_assert_cmpuint (rcc_rtx_answer (&r, 47)->left, ==, 50);
  g_assert_true (rcc_rtx_admit (&r, true, 1200, TARGET, MS));
  rcc_rtx_left (&r, 47, 1210, false, 2 * MS);
  g_assert_cmpuint (r.packets, ==, 1);
  g_assert_cmpuint (r.bytes, ==, 1210);
  g_assert_cmpuint (rcc_rtx_bps (&r, 2 * MS), >, 0);
  for (guint i = 0; i < RCC_RTX_REQUESTS; i++)
    ask ((guint16) (1000 + i), 10, 0, 10 * MS + i * MS);
  g_assert_null (rcc_rtx_answer (&r, 47));
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
  g_test_add_func ("/rtx/the-first-request-tells-the-round-trip",
      the_first_request_tells_the_round_trip);
  g_test_add_func ("/rtx/not-before-it-could-be-missed", not_before_it_could_be_missed);
  g_test_add_func ("/rtx/in-doubt-what-is-asked-for-twice", in_doubt_what_is_asked_for_twice);
  g_test_add_func ("/rtx/what-is-decided-is-not-weighed", what_is_decided_is_not_weighed);
  g_test_add_func ("/rtx/not-while-a-copy-waits", not_while_a_copy_waits);
  g_test_add_func ("/rtx/not-when-it-is-of-no-use", not_when_it_is_of_no_use);
  g_test_add_func ("/rtx/as-far-as-its-share-goes", as_far_as_its_share_goes);
  g_test_add_func ("/rtx/low-rates-and-large-packets", low_rates_and_large_packets);
  g_test_add_func ("/rtx/a-copy-says-what-left", a_copy_says_what_left);
  g_test_add_func ("/rtx/unasked-copies-are-paid-for", unasked_copies_are_paid_for);
  return g_test_run ();
}
