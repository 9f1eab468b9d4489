/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What is known of packets that came and that nobody was told of yet, and for how long.
 */
#include "wire-test.h"
#include "core/rng.h"
#include "wire/xr-arrivals.h"

#define MEDIA 0xaaaa0000u
#define MS RCC_MSEC
#define RATE 90000

static RccXrArrivals a;
static RccTime now;
static guint32 rate;                    /* of the clock; 0: unknown */

static void
start (void)
{
  rcc_xr_arrivals_clear (&a);           /* of the test before */
  memset (&a, 0xa5, sizeof a);
  rcc_xr_arrivals_init (&a, g_realloc);
  now = 1000 * RCC_SEC;
  rate = RATE;
}

static bool
come (guint32 ssrc, guint seq)
{
  const RccRtp rtp = { .ssrc = ssrc, .seq = (guint16) seq };

  return rcc_xr_arrivals_packet (&a, &rtp, false, now, rate);
}

static RccXrStream *
stream (guint32 ssrc)
{
  return rcc_ssrcs_find (&a.streams, ssrc);
}

/* Those of @s that wait to be told, which have to be in order. */
static guint
receipts_of (const RccXrStream *s)
{
  gint64 last = -1;
  guint n = 0;

  for (guint i = 0; i < a.receipts.live; i++) {
    const RccReceipt *receipt = rcc_receipts_at (&a.receipts, i);

    if (receipt->stream != rcc_ssrcs_place (&a.streams, s)
        || !rcc_receipt_is_current (&a.receipts, receipt)
        || rcc_xr_number (s, receipt) < s->come.begin)
      continue;
    g_assert_cmpint (rcc_xr_number (s, receipt), >, last);
    last = rcc_xr_number (s, receipt);
    n++;
  }
  return n;
}

/* All below @number is told. */
static void
tell (RccXrStream *s, gint64 number)
{
  s->come.begin = number;
  rcc_xr_arrivals_told (&a);
}

static void
of_the_last_numbers_each_is_known (void)
{
  static gboolean truth[20000];
  RccXrStream *s;
  RccRng rng;

  start ();
  rcc_rng_init (&rng, SEED, 3);
  for (guint n = 0; n < G_N_ELEMENTS (truth); n++) {
    truth[n] = n % 997 > 200 ? rcc_rng_u32 (&rng) % 3 > 0 : n % 997 == 200 || n == 0;
    if (!truth[n])
      continue;
    come (MEDIA, 60000 + n);
    s = stream (MEDIA);
    for (guint back = 0; back <= MIN (n, RCC_ARRIVALS_SPAN - 1); back += 1 + back / 8)
      g_assert_true (rcc_xr_came (s, s->come.unwrap.last - back) == truth[n - back]);
    g_assert_false (rcc_xr_came (s, s->come.unwrap.last - RCC_ARRIVALS_SPAN));
  }
}

/* Gaps as long as what is remembered, and a few more and less. */
static void
nothing_came_in_a_gap (void)
{
  for (gint gap = RCC_ARRIVALS_SPAN - 70; gap < RCC_ARRIVALS_SPAN + 70; gap++) {
    RccXrStream *s;

    start ();
    for (guint n = 0; n < 3000; n++)
      come (MEDIA, n);
    come (MEDIA, 2999 + gap);
    s = stream (MEDIA);
    for (gint back = 1; back < RCC_ARRIVALS_SPAN; back++)
      g_assert_true (rcc_xr_came (s, s->come.unwrap.last - back) == (back >= gap));
  }
}

static void
what_was_told_goes (void)
{
  RccXrStream *s;

  start ();
  for (guint n = 0; n < 100; n++) {
    come (MEDIA, n);
    come (MEDIA + 1, n);
  }
  s = stream (MEDIA);
  tell (s, s->come.unwrap.last - 9);
  g_assert_cmpuint (receipts_of (s), ==, 10);
  g_assert_cmpuint (receipts_of (stream (MEDIA + 1)), ==, 100);
  g_assert_cmpuint (a.unreported, ==, 0);
  /* what was told stands between those that were not, and goes with them */
  g_assert_cmpuint (a.receipts.live, ==, 199);
  tell (stream (MEDIA + 1), stream (MEDIA + 1)->come.unwrap.last + 1);
  g_assert_cmpuint (a.receipts.live, ==, 20);
  g_assert_cmpuint (receipts_of (s), ==, 10);
  tell (s, s->come.unwrap.last + 1);
  g_assert_cmpuint (a.receipts.live, ==, 0);
}

/* What is told of already waits by itself: no receipt of it can be taken for a higher one's. */
static void
a_straggler_has_no_receipt (void)
{
  RccXrStream *s;

  start ();
  for (guint n = 0; n < 100; n++)
    if (n != 50)
      come (MEDIA, n);
  s = stream (MEDIA);
  tell (s, s->come.unwrap.last + 1);
  g_assert_false (come (MEDIA, 50));
  g_assert_cmpuint (a.receipts.live, ==, 0);
  g_assert_cmpuint (s->n_stragglers, ==, 1);
  g_assert_false (come (MEDIA, 50));
  g_assert_cmpuint (s->n_stragglers, ==, 1);
}

/* For eight seconds, and in no more than their number. */
static void
what_nobody_asks_for_is_given_up (void)
{
  static const struct {
    RccTime spacing;
    guint packets, capacity;
  } cases[] = { { 100 * MS, 1000, 128 }, { 10 * MS, 5000, 1024 },
    { 10 * RCC_USEC, 100000, RCC_RECEIPTS } };

  for (guint i = 0; i < 2 * G_N_ELEMENTS (cases); i++) {
    const guint k = i / 2;
    RccXrStream *s;

    start ();
    rate = i % 2 ? RATE : 0;
    for (guint n = 0; n < cases[k].packets; n++, now += cases[k].spacing)
      come (MEDIA, n);
    s = stream (MEDIA);
    g_assert_cmpuint (a.receipts.capacity, ==, cases[k].capacity);
    g_assert_cmpuint (a.receipts.live, ==, cases[k].capacity);
    g_assert_cmpuint (a.unreported, ==, cases[k].packets - cases[k].capacity);
    g_assert_cmpint (s->come.unwrap.last - s->come.begin + 1, ==, cases[k].capacity);
    g_assert_cmpuint (receipts_of (s), ==, cases[k].capacity);
  }
}

/* What is given up of a stream that has gone is nobody's loss, and nobody's beginning. */
static void
what_is_dead_is_given_up_unseen (void)
{
  RccXrStream *s;

  start ();
  for (guint n = 0; n < 64; n++)
    come (MEDIA, 30000 + n);
  g_assert_true (rcc_receipts_full (&a.receipts));
  now += 20 * RCC_SEC;
  for (guint n = 0; n < 66; n++)
    come (MEDIA, n);
  s = stream (MEDIA);
  g_assert_cmpuint (a.receipts.capacity, ==, 64);
  g_assert_cmpuint (receipts_of (s), ==, 64);
  g_assert_cmpint (s->come.begin & 0xffff, ==, 2);      /* two went unheard */
  g_assert_cmpuint (a.unreported, ==, 0);
}

/* Of a new stream nothing is known, not even of the numbers before its first. */
static void
a_stream_begins_in_any_order (void)
{
  start ();
  for (guint n = 0; n < RCC_XR_STRAGGLERS; n++) {
    g_assert_false (come (MEDIA, 100 - n));
    g_assert_cmpuint (stream (MEDIA)->n_stragglers, ==, n);
  }
}

/* A clock that goes back makes nothing old, by little or by much. */
static void
a_clock_that_goes_back (void)
{
  for (guint i = 0; i < 2; i++) {
    start ();
    for (guint n = 0; n < 1000; n++, now -= MS) {
      now -= i && n == 500 ? 900 * RCC_SEC : 0;
      come (MEDIA, n);
    }
    g_assert_cmpuint (a.receipts.live, ==, 1000);
    g_assert_cmpuint (a.unreported, ==, 0);
  }
}

/* Ticks of two rates say nothing about an age. */
static void
another_rate_makes_nothing_old (void)
{
  static const guint32 rates[] = { RATE, 8000, 0, 192000 };

  start ();
  for (guint n = 0; n < 1000; n++, now += MS) {
    rate = rates[n / 50 % 4];
    come (MEDIA, n);
  }
  g_assert_cmpuint (a.receipts.live, ==, 1000);
  g_assert_cmpuint (a.unreported, ==, 0);
}

/* A gap of so many that receipts' numbers of before it and after would be alike. */
static void
numbers_that_jump_are_told_apart (void)
{
  for (guint jumps = 1; jumps < 200; jumps += 7) {
    RccXrStream *s;

    start ();
    for (guint n = 0; n < 100; n++)
      come (MEDIA, n);
    for (guint i = 1; i <= jumps; i++)
      come (MEDIA, 99 + i * 32767);
    s = stream (MEDIA);
    rcc_xr_arrivals_forget (&a);
    g_assert_cmpuint (receipts_of (s), ==, jumps < 2 ? 101 : 2);
    rcc_xr_arrivals_told (&a);
    g_assert_cmpuint (a.receipts.live, ==, jumps < 2 ? 101 : 2);
    g_assert_cmpuint (a.unreported, ==, jumps < 2 ? 0 : 98 + jumps);
  }
}

static void
one_call_sends_for_long (void)
{
  start ();
  for (guint n = 0; n < 3000000; n++, now += MS / 10) {
    g_assert_false (come (MEDIA, n));
    if (n % 1000 != 999)
      continue;
    g_assert_cmpuint (receipts_of (stream (MEDIA)), ==, 1000);
    tell (stream (MEDIA), stream (MEDIA)->come.unwrap.last + 1);
    g_assert_cmpuint (a.receipts.live, ==, 0);
  }
  g_assert_cmpuint (a.unreported, ==, 0);
}

/* Forged SSRCs take places of one another, and a genuine stream's receipts stay its own. */
static void
strangers_leave_a_stream_its_receipts (void)
{
  guint n = 0;

  start ();
  for (guint i = 0; i < 20000; i++, now += RCC_USEC) {
    come (MEDIA + 1 + i, 1000 + i % 3);
    if (i % 20 == 0)
      come (MEDIA, n++);
  }
  g_assert_cmpuint (receipts_of (stream (MEDIA)), ==, n);
  for (guint i = 0; i < a.streams.n; i++)
    g_assert_cmpuint (receipts_of (rcc_xr_arrivals_stream (&a, i)), ==,
        a.streams.ssrcs[i] == MEDIA ? n : 1);
  g_assert_cmpuint (a.unreported, ==, 0);
  tell (stream (MEDIA), stream (MEDIA)->come.unwrap.last + 1);
  g_assert_cmpuint (a.receipts.live, <, RCC_SSRCS + 10);        /* from the oldest stranger on */
}

/* Of all streams that are too far ahead of what was told, each by itself. */
static void
what_is_too_far_back_is_forgotten_of_each (void)
{
  start ();
  for (guint32 i = 0; i < RCC_SSRCS; i++)
    for (guint n = 0; n < 10; n++)
      come (MEDIA + i, n);
  for (guint32 i = 0; i < RCC_SSRCS; i += 2) {
    come (MEDIA + i, 30000);
    come (MEDIA + i, 60005);
  }
  rcc_xr_arrivals_forget (&a);
  g_assert_cmpuint (a.unreported, ==, 5 * RCC_SSRCS / 2);
  for (guint32 i = 0; i < RCC_SSRCS; i++)
    g_assert_cmpuint (receipts_of (stream (MEDIA + i)), ==, i % 2 ? 10 : 7);
  rcc_xr_arrivals_forget (&a);          /* once */
  g_assert_cmpuint (a.unreported, ==, 5 * RCC_SSRCS / 2);
}

/* What came before numbers began anew is no news any more. */
static void
a_stream_that_begins_anew_has_no_receipts (void)
{
  start ();
  for (guint n = 0; n < 50; n++)
    come (MEDIA, 30000 + n);
  for (guint n = 0; n < 10; n++)
    come (MEDIA, n);
  g_assert_cmpuint (receipts_of (stream (MEDIA)), ==, 8);       /* two went unheard */
  rcc_xr_arrivals_told (&a);
  g_assert_cmpuint (a.receipts.live, ==, 8);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, func) g_test_add_func ("/xr-arrivals/" path, func)
  ADD ("came", of_the_last_numbers_each_is_known);
  ADD ("gap", nothing_came_in_a_gap);
  ADD ("told", what_was_told_goes);
  ADD ("straggler", a_straggler_has_no_receipt);
  ADD ("given-up", what_nobody_asks_for_is_given_up);
  ADD ("dead", what_is_dead_is_given_up_unseen);
  ADD ("any-order", a_stream_begins_in_any_order);
  ADD ("clock-back", a_clock_that_goes_back);
  ADD ("another-rate", another_rate_makes_nothing_old);
  ADD ("too-far-back", what_is_too_far_back_is_forgotten_of_each);
  ADD ("jumps", numbers_that_jump_are_told_apart);
  ADD ("long", one_call_sends_for_long);
  ADD ("strangers", strangers_leave_a_stream_its_receipts);
  ADD ("anew", a_stream_that_begins_anew_has_no_receipts);
  return g_test_run ();
}
