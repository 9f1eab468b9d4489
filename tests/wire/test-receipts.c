/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire-test.h"
#include "wire/receipts.h"

static RccReceipts r;

static void
start (void)
{
  memset (&r, 0xa5, sizeof r);
  rcc_receipts_init (&r, g_realloc);
}

/* Number @n, at @n ticks. */
static void
add (guint stream, guint n)
{
  if (rcc_receipts_full (&r))
    g_assert_true (rcc_receipts_grow (&r));
  rcc_receipts_add (&r, stream, n, n % 3 == 0, n);
}

static void
assert_numbers (guint from, guint step)
{
  for (guint i = 0; i < r.live; i++) {
    const RccReceipt *receipt = rcc_receipts_at (&r, i);

    g_assert_cmpuint (receipt->number, ==, from + i * step);
    g_assert_cmpuint (receipt->ticks, ==, from + i * step);
    g_assert_cmpuint (receipt->late, ==, (from + i * step) % 3 == 0);
  }
}

/* In order, wherever in the ring they stood as it grew. */
static void
it_grows_and_keeps_the_order (void)
{
  for (guint dropped = 0; dropped < 200; dropped += 13) {
    start ();
    for (guint n = 0; n < dropped; n++) {
      add (1, n);
      rcc_receipts_drop_oldest (&r);
    }
    g_assert_cmpuint (r.live, ==, 0);
    for (guint n = 0; n < 1000; n++) {
      add (1, dropped + n);
      g_assert_cmpuint (r.live, ==, n + 1);
      g_assert_cmpuint (r.capacity, <=, MAX (64, 2 * n));
    }
    assert_numbers (dropped, 1);
    rcc_receipts_clear (&r);
    g_assert_null (r.receipts);
    g_assert_true (rcc_receipts_full (&r));
  }
}

static void
it_grows_so_far (void)
{
  guint n = 0;

  start ();
  while (!rcc_receipts_full (&r) || rcc_receipts_grow (&r))
    rcc_receipts_add (&r, 0, n++, false, 0);
  g_assert_cmpuint (n, ==, RCC_RECEIPTS);
  g_assert_cmpuint (r.live, ==, RCC_RECEIPTS);
  rcc_receipts_clear (&r);
}

/* Places wrap, which nobody notices. */
static void
it_lives_long (void)
{
  start ();
  add (1, 0);
  rcc_receipts_drop_oldest (&r);
  r.places = G_MAXUINT32 - 100;
  for (guint n = 0; n < 1000; n++)
    add (1, n);
  assert_numbers (0, 1);
  rcc_receipts_clear (&r);
}

static void
what_it_holds_is_what_it_was_given (void)
{
  start ();
  g_assert_true (rcc_receipts_grow (&r));
  rcc_receipts_add (&r, 63, G_GINT64_CONSTANT (0x123456789abcd), true, 0xfedcba98);
  g_assert_cmphex (rcc_receipts_at (&r, 0)->number, ==, 0x9abcd);
  g_assert_cmphex (rcc_receipts_at (&r, 0)->ticks, ==, 0xfedcba98);
  g_assert_cmpuint (rcc_receipts_at (&r, 0)->stream, ==, 63);
  g_assert_true (rcc_receipts_at (&r, 0)->late);
  g_assert_true (rcc_receipt_is_current (&r, rcc_receipts_at (&r, 0)));
  rcc_receipts_clear (&r);
}

static bool
is_even (void *user, const RccReceipt *receipt)
{
  ++*(guint *) user;
  return receipt->number % 2 == 0;
}

static void
what_is_not_needed_goes (void)
{
  guint asked = 0;

  start ();
  for (guint n = 0; n < 300; n++)
    add (1, n);
  rcc_receipts_keep (&r, is_even, &asked);
  g_assert_cmpuint (asked, ==, 300);
  g_assert_cmpuint (r.live, ==, 150);
  assert_numbers (0, 2);
  for (guint n = 300; n < 600; n += 2)
    add (1, n);                         /* and it goes on */
  g_assert_cmpuint (r.live, ==, 300);
  assert_numbers (0, 2);
  rcc_receipts_clear (&r);
}

/* Of a stream that has gone nobody is asked; that of another place stays. */
static void
a_stream_takes_its_receipts_along (void)
{
  guint asked = 0;

  start ();
  for (guint n = 0; n < 100; n += 2) {
    add (5, n);
    add (6, n + 1);
  }
  g_assert_false (rcc_receipts_renew (&r, 6));
  for (guint i = 0; i < r.live; i++)
    g_assert_true (rcc_receipt_is_current (&r, rcc_receipts_at (&r, i)) == (i % 2 == 0));
  rcc_receipts_keep (&r, is_even, &asked);
  g_assert_cmpuint (asked, ==, 50);
  g_assert_cmpuint (r.live, ==, 50);
  assert_numbers (0, 2);
  rcc_receipts_clear (&r);
}

/* 32 lives of a place are told apart, whatever became of other places. */
static void
a_place_has_so_many_lives (void)
{
  guint asked = 0;

  start ();
  add (7, 0);
  for (guint life = 1; life < 32; life++) {
    g_assert_false (rcc_receipts_renew (&r, 7));
    g_assert_false (rcc_receipt_is_current (&r, rcc_receipts_at (&r, 0)));
  }
  add (7, 2);
  g_assert_false (rcc_receipts_renew (&r, 8));
  g_assert_true (rcc_receipts_renew (&r, 7));
  rcc_receipts_keep (&r, is_even, &asked);
  g_assert_cmpuint (asked, ==, 1);      /* the first: which is why it has to go by then */
  for (guint life = 1; life < 32; life++)
    g_assert_false (rcc_receipts_renew (&r, 7));
  g_assert_true (rcc_receipts_renew (&r, 7));
  rcc_receipts_clear (&r);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, func) g_test_add_func ("/receipts/" path, func)
  ADD ("order", it_grows_and_keeps_the_order);
  ADD ("so-far", it_grows_so_far);
  ADD ("long", it_lives_long);
  ADD ("as-given", what_it_holds_is_what_it_was_given);
  ADD ("keep", what_is_not_needed_goes);
  ADD ("streams", a_stream_takes_its_receipts_along);
  ADD ("lives", a_place_has_so_many_lives);
  return g_test_run ();
}
