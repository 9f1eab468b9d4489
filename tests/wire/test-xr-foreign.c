/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Extended reports as others write them, laid out by hand after the figures of RFC 3611: with the
 * blocks that we have no use for, null chunks at the end, runs where we would take a bit vector, in
 * any order and any number of packets; and the same cut short or changed in any byte.
 */
#include "feedback-rig.h"
#include "wire/feedback-xr.h"
#include "wire/xr.h"

#define MS RCC_MSEC
#define FIRST 100                       /* numbers FIRST to FIRST + SENT - 1 were sent */
#define SENT 10
#define LOST 3                          /* of them, the one that did not come */

#define WORD(x) (guint8) ((x) >> 24), (guint8) ((x) >> 16), (guint8) ((x) >> 8), (guint8) (x)
#define FRONT(type, specific, words) type, specific, 0, words
#define RANGE(ssrc, begin, end) WORD (ssrc), 0, begin, 0, end
#define TICKS(i) 0x80, 0x10, (guint8) ((0x2000 + 900 * (i)) >> 8), (guint8) (0x2000 + 900 * (i))

static const guint8 loss_runs[] = { FRONT (1, 0, 4), RANGE (MEDIA, FIRST, FIRST + SENT),
  0x40, 3, 0x00, 1, 0x40, 6, 0x00, 0x00 };
/* the bits beyond the range are no zeros, as they should be (4.1) */
static const guint8 loss_vector[] = { FRONT (1, 0, 3), RANGE (MEDIA, FIRST, FIRST + SENT),
  0xf7, 0xff, 0x00, 0x00 };
static const guint8 duplicates[] = { FRONT (2, 0, 3), RANGE (MEDIA, FIRST, FIRST + SENT),
  0x00, 10, 0x00, 0x00 };
static const guint8 times[] = { FRONT (3, 0, 8), RANGE (MEDIA, FIRST + 4, FIRST + SENT),
  TICKS (4), TICKS (5), TICKS (6), TICKS (7), TICKS (8), TICKS (9) };
/* fewer times than the range has room for */
static const guint8 times_short[] = { FRONT (3, 0, 3), RANGE (MEDIA, FIRST, FIRST + LOST),
  TICKS (0) };
static const guint8 rrtr[] = { FRONT (4, 0, 2), 1, 2, 3, 4, 5, 6, 7, 8 };
static const guint8 dlrr[] = { FRONT (5, 0, 6), WORD (0x88888888u), WORD (1), WORD (2),
  WORD (MEDIA), WORD (3), WORD (4) };
static const guint8 summary[] = { FRONT (6, 0xe8, 9), WORD (MEDIA), 0, FIRST, 0, FIRST + SENT,
  WORD (1), WORD (0), WORD (1), WORD (2), WORD (3), WORD (4), 1, 2, 3, 4 };
static const guint8 voip[] = { FRONT (7, 0, 8), WORD (MEDIA), 5, 6, 7, 8, WORD (9), WORD (10),
  WORD (11), WORD (12), WORD (13), WORD (14) };
static const guint8 unknown_empty[] = { FRONT (200, 0xff, 0) };
static const guint8 stranger[] = { FRONT (1, 0, 3), RANGE (MEDIA + 9, FIRST, FIRST + SENT),
  0x00, 10, 0x00, 0x00 };

#define ROW(block) { block, sizeof block }
static const struct {
  const guint8 *bytes;
  gsize size;
} blocks[] = {
  ROW (loss_runs), ROW (duplicates), ROW (times), ROW (times_short), ROW (rrtr), ROW (dlrr),
  ROW (summary), ROW (voip), ROW (unknown_empty), ROW (stranger), ROW (loss_vector),
};

static guint8 compound[1000];
static gsize size, packet_at;

static void
begin_packet (void)
{
  packet_at = size;
  size += rcc_xr_begin (compound + size, sizeof compound - size, PEER);
}

static void
add (guint block)
{
  memcpy (compound + size, blocks[block].bytes, blocks[block].size);
  size += blocks[block].size;
  rcc_rtcp_put_header (compound + packet_at, RCC_RTCP_XR, 0, size - packet_at);
}

static void
begin_call (void)
{
  start ();
  rcc_feedback_clock_rate (&f, MEDIA, 90000);
  sent_many (MEDIA, FIRST, SENT, RCC_SEC, 10 * MS);
  size = 0;
}

static void
check_told (void)
{
  g_assert_cmpuint (notes.feedbacks, ==, 1);
  g_assert_cmpuint (notes.n, ==, SENT);
  g_assert_cmpuint (notes.lost, ==, 1);
  g_assert_cmpuint (notes.timed, ==, 7);        /* six of the one block, one of the other */
  for (guint i = 0; i < SENT; i++) {
    const RccPacket *p = &notes.packets[i];

    g_assert_cmpint (p->seq, ==, FIRST + i);
    g_assert_cmpint (rcc_packet_received (p), ==, i != LOST);
    if (i > 4)                          /* ticks of 90 kHz: 10 ms apart */
      g_assert_cmpint (ABS ((gint64) (p->arrived - notes.packets[4].arrived)
              - (gint64) ((i - 4) * 10 * MS)), <=, 12 * (gint64) RCC_USEC);
  }
  g_assert_cmpuint (f.xr.n_rrtrs, ==, 1);
  g_assert_cmpuint (f.reports.ignored, ==, 1);  /* the stranger */
  g_assert_cmpuint (f.reports.streams.n, ==, 1);
}

static void
shuffle (RccRng *r, guint *order, guint n)
{
  for (guint i = 0; i < n; i++)
    order[i] = i;
  for (guint i = n; i > 1; i--) {
    const guint k = rcc_rng_u32 (r) % i, kept = order[k];

    order[k] = order[i - 1];
    order[i - 1] = kept;
  }
}

/* Any order, in one packet or in several with an empty one and others' packets between. */
static void
any_order_says_the_same (void)
{
  static const guint8 bye_of_nobody[] = { 0x80, RCC_RTCP_BYE, 0, 0 };
  guint order[G_N_ELEMENTS (blocks)];
  RccRng r;

  rcc_rng_init (&r, SEED, 3611);
  for (guint life = 0; life < 500; life++) {
    begin_call ();
    shuffle (&r, order, G_N_ELEMENTS (order));
    begin_packet ();
    for (guint i = 0; i < G_N_ELEMENTS (order); i++) {
      if (life % 2 && rcc_rng_u32 (&r) % 3 == 0) {
        memcpy (compound + size, bye_of_nobody, sizeof bye_of_nobody);
        size += sizeof bye_of_nobody;
        begin_packet ();
      }
      add (order[i]);
    }
    hear (compound, size, 2 * RCC_SEC);
    check_told ();
    hear (compound, size, 2 * RCC_SEC); /* the same again is no news */
    g_assert_cmpuint (notes.feedbacks, ==, 1);
  }
}

/* What was told is about packets that were sent, and nothing beyond the compound is read. */
static void
check_harmless (const guint8 *bytes, gsize n)
{
  guint8 *heap = g_memdup2 (bytes, n);  /* the sanitizers see the end of it */

  hear (heap, n, 2 * RCC_SEC);
  g_free (heap);
  g_assert_cmpuint (notes.n, <=, SENT);
  for (guint i = 0; i < notes.n; i++)
    g_assert_true (notes.packets[i].seq >= FIRST && notes.packets[i].seq < FIRST + SENT);
  g_assert_cmpuint (f.reports.streams.n, ==, 1);
  g_assert_cmpuint (f.xr.n_rrtrs, <=, RCC_FEEDBACK_RRTRS);
}

/* What stands before the end counts. */
static void
cut_anywhere (void)
{
  for (gsize end = 8;; end += 4) {
    begin_call ();
    begin_packet ();
    for (guint i = 0; i < G_N_ELEMENTS (blocks); i++)
      add (i);
    if (end > size)
      break;
    rcc_rtcp_put_header (compound, RCC_RTCP_XR, 0, end);
    check_harmless (compound, end);
    g_assert_cmpuint (notes.feedbacks, ==, end >= 8 + sizeof loss_runs);
    g_assert_cmpuint (notes.lost, ==, end >= 8 + sizeof loss_runs);
  }
}

/* Each byte, each word of length among them, with values that lie. */
static void
any_byte_may_lie (void)
{
  static const guint8 lies[] = { 0, 1, 2, 3, 4, 8, 16, 0x3f, 0x40, 0x7f, 0x80, 0xfe, 0xff };

  begin_call ();
  begin_packet ();
  for (guint i = 0; i < G_N_ELEMENTS (blocks); i++)
    add (i);
  for (gsize at = 4; at < size; at++)
    for (guint i = 0; i < G_N_ELEMENTS (lies); i++) {
      const guint8 truth = compound[at];

      start ();
      rcc_feedback_clock_rate (&f, MEDIA, 90000);
      sent_many (MEDIA, FIRST, SENT, RCC_SEC, 10 * MS);
      compound[at] = lies[i];
      check_harmless (compound, size);
      compound[at] = truth;
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/xr-foreign/any-order-says-the-same", any_order_says_the_same);
  g_test_add_func ("/xr-foreign/cut-anywhere", cut_anywhere);
  g_test_add_func ("/xr-foreign/any-byte-may-lie", any_byte_may_lie);
  return g_test_run ();
}
