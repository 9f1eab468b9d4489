/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Which packets share a parity, when it is due, and that losses in a row come back.
 */
#include "parity-rig.h"

#include "wire/flexfec.h"
#include "wire/interleave.h"
#include "wire/ulpfec.h"

#define SPAN RCC_ULPFEC_SPAN_LONG

static RccInterleave x;

static gboolean
add (Rig *rig, guint16 seq)
{
  const RccBytes packet = rig_bytes (rig_add (rig, MEDIA_SSRC, seq, 40 + rig_draw (rig, 1400)));
  RccRtp rtp;

  g_assert_true (rcc_rtp_parse (packet, &rtp));
  return rcc_interleave_add (&x, &rtp, &packet, 1);
}

/* What is due, as the numbers below it from the first packet on: "0+3 1+4 ". */
static gchar *
due (guint16 first)
{
  GString *text = g_string_new (NULL);
  RccParityBlock *block;

  while ((block = rcc_interleave_due (&x))) {
    for (guint i = 0, n = 0; n < block->n; i++)
      if (block->mask[i / 64] >> (63 - i % 64) & 1)
        g_string_append_printf (text, n++ ? "+%u" : "%u",
            (guint16) (block->base + i - first));
    g_string_append_c (text, ' ');
    rcc_interleave_written (&x, block);
  }
  return g_string_free (text, FALSE);
}

static void
assert_due (guint16 first, const gchar *expected)
{
  g_autofree gchar *text = due (first);

  g_assert_cmpstr (text, ==, expected);
}

/* Anew, with parity over @packets of them, @depth apart. */
static void
begin (Rig *rig, guint seed, guint packets, guint depth)
{
  rig_init (rig, seed);
  rcc_interleave_clear (&x);
  rcc_interleave_init (&x, SPAN, g_realloc);
  rcc_interleave_set (&x, packets, depth);
}

static void
turns (void)
{
  Rig rig;

  rig_init (&rig, 1);
  rcc_interleave_clear (&x);
  rcc_interleave_init (&x, SPAN, g_realloc);
  g_assert_false (add (&rig, 1));       /* off */
  rcc_interleave_set (&x, 3, 3);
  for (guint i = 0; i < 90; i++) {
    g_assert_true (add (&rig, (guint16) (65500 + i)));
    assert_due ((guint16) (65500 + i / 9 * 9), i % 9 == 8 ? "0+3+6 1+4+7 2+5+8 " : "");
  }
  g_assert_cmpuint (rcc_interleave_begun (&x), ==, 0);
}

static void
fits (void)
{
  for (guint n = 1; n <= SPAN; n++)
    for (guint wanted = 0; wanted <= 20; wanted++) {
      const guint depth = rcc_interleave_fit (wanted, n, SPAN);

      g_assert_cmpuint (depth, >=, 1);
      g_assert_cmpuint (depth, <=, RCC_INTERLEAVE_DEPTH);
      g_assert_cmpuint (depth, <=, MAX (wanted, 1));
      if (depth > 1)
        g_assert_cmpuint ((n - 1) * depth + 1, <=, SPAN);
      if (depth < MIN (wanted, RCC_INTERLEAVE_DEPTH))
        g_assert_cmpuint ((n - 1) * (depth + 1) + 1, >, SPAN);
    }
  g_assert_cmpuint (rcc_interleave_fit (9, 14, SPAN), ==, 3);
  g_assert_cmpuint (rcc_interleave_fit (9, 14, RCC_FLEXFEC_SPAN_LONGEST), ==, 8);
}

/* What is begun is due behind the next packet where the depth changes, and when its packets
 * are enough where the number does; without any it is dropped. */
static void
changes (void)
{
  Rig rig;

  begin (&rig, 2, 4, 3);
  for (guint i = 0; i < 4; i++)
    add (&rig, (guint16) i);
  rcc_interleave_set (&x, 4, 1);
  g_assert_null (rcc_interleave_due (&x));
  add (&rig, 4);
  assert_due (0, "2 0+3 1+4 ");
  for (guint i = 5; i < 8; i++)
    add (&rig, (guint16) i);
  g_assert_null (rcc_interleave_due (&x));
  rcc_interleave_set (&x, 3, 1);
  assert_due (0, "5+6+7 ");
  add (&rig, 8);
  rcc_interleave_set (&x, 3, 2);
  rcc_interleave_set (&x, 3, 1);        /* back before a packet has seen it */
  add (&rig, 9);
  g_assert_null (rcc_interleave_due (&x));
  rcc_interleave_set (&x, 0, 1);
  g_assert_cmpuint (rcc_interleave_begun (&x), ==, 0);
  rcc_interleave_set (&x, 2, 1);
  add (&rig, 10);
  add (&rig, 11);
  assert_due (0, "10+11 ");
}

/* As if nothing had been begun: the next packet is the first of the first block. */
static void
what_is_dropped_leaves_nothing (void)
{
  Rig rig;

  begin (&rig, 7, 2, 3);
  for (guint i = 0; i < 4; i++)
    add (&rig, (guint16) i);
  rcc_interleave_end (&x);
  rcc_interleave_drop (&x);
  g_assert_cmpuint (rcc_interleave_begun (&x), ==, 0);
  for (guint i = 10; i < 15; i++) {
    g_assert_true (add (&rig, (guint16) i));
    g_assert_null (rcc_interleave_due (&x));
  }
  add (&rig, 15);
  assert_due (10, "0+3 1+4 2+5 ");
  add (&rig, 16);
  rcc_interleave_set (&x, 2, 1);        /* which holds at once when that is dropped */
  rcc_interleave_drop (&x);
  add (&rig, 17);
  add (&rig, 18);
  assert_due (17, "0+1 ");
}

/* A number that a mask cannot name, before or behind: first what is begun has to go. */
static void
jumps (void)
{
  Rig rig;

  begin (&rig, 3, 4, 2);
  for (guint i = 0; i < 3; i++)
    add (&rig, (guint16) i);
  add (&rig, 3);
  g_assert_false (add (&rig, 48));
  g_assert_cmpuint (rcc_interleave_begun (&x), ==, 2);
  rcc_interleave_end (&x);
  assert_due (0, "0+2 1+3 ");
  g_assert_true (add (&rig, 48));
  rcc_interleave_end (&x);
  assert_due (0, "48 ");
  rcc_interleave_end (&x);              /* of nothing */
  g_assert_true (add (&rig, 49));
  g_assert_null (rcc_interleave_due (&x));
}

static void
merges (void)
{
  static RccInterleave y;
  Rig rig;

  begin (&rig, 4, 3, 2);
  for (guint i = 0; i < 3; i++)
    add (&rig, (guint16) (i + 6));
  y = x;
  rcc_interleave_init (&x, SPAN, g_realloc);
  rcc_interleave_set (&x, 3, 2);
  for (guint i = 0; i < 6; i++)
    add (&rig, (guint16) i);
  rcc_interleave_merge (&x, &y);
  g_assert_cmpuint (rcc_interleave_begun (&y), ==, 0);
  assert_due (0, "1+3+5+7 0+2+4+6+8 ");
  rcc_interleave_clear (&y);
}

/* Every run of D losses over D blocks, in either format's longest mask, comes back to the
 * byte; one more does not. */
static void
losses_in_a_row (void)
{
  for (guint depth = 1; depth <= RCC_INTERLEAVE_DEPTH; depth++) {
    const guint n = rcc_interleave_fit (depth, 5, SPAN) == depth ? 5 : 3;
    RccParityBlock blocks[RCC_INTERLEAVE_DEPTH];
    RccParityBlock *block;
    guint n_blocks = 0;
    Rig rig;

    begin (&rig, depth, n, depth);
    for (guint i = 0; i < n * depth; i++)
      g_assert_true (add (&rig, (guint16) (100 + i)));
    while ((block = rcc_interleave_due (&x))) {
      blocks[n_blocks++] = *block;
      rcc_interleave_written (&x, block);
    }
    g_assert_cmpuint (n_blocks, ==, depth);
    for (guint from = 0; from + depth <= n * depth; from++)
      for (guint more = 0; more < 2 && from + depth + more <= n * depth; more++) {
        guint back = 0;

        for (guint i = 0; i < n * depth; i++)
          rig.packets[i].lost = i >= from && i < from + depth + more;
        for (guint k = 0; k < depth; k++) {
          guint8 payload[RCC_PARITY_PACKET_MAX + RCC_ULPFEC_HEADER_MAX];
          guint8 out[RCC_PARITY_PACKET_MAX];
          RccParity parity;
          RccParityResult result;
          const RccParitySource source = { rig_lookup, NULL, &rig };

          g_assert_true (rcc_ulpfec_parse ((RccBytes) { payload,
                    rcc_ulpfec_build (payload, sizeof payload, &blocks[k]) }, MEDIA_SSRC,
                  &parity));
          result = rcc_parity_recover (&parity, &source, out, sizeof out);
          if (result.verdict != RCC_PARITY_RECOVERED)
            continue;
          g_assert_cmpmem (out, result.size, rig.packets[result.seq - 100].data,
              rig.packets[result.seq - 100].size);
          back++;
        }
        g_assert_cmpuint (back, ==, more ? depth - 1 : depth);
      }
  }
}

/* What does not fit stays, and with it the depth that it was begun with. */
static void
what_does_not_fit_stays (void)
{
  static RccInterleave y;
  Rig rig;

  begin (&rig, 5, 3, 1);
  add (&rig, 30000);                    /* beyond any mask from 0 */
  rcc_interleave_set (&x, 3, 2);
  y = x;
  rcc_interleave_init (&x, SPAN, g_realloc);
  rcc_interleave_set (&x, 3, 1);
  add (&rig, 0);
  rcc_interleave_merge (&x, &y);
  g_assert_cmpuint (rcc_interleave_begun (&x), ==, 1);
  g_assert_cmpuint (rcc_interleave_begun (&y), ==, 1);
  g_assert_cmpuint (y.depth, ==, 1);
  rcc_interleave_clear (&y);
}

static void
each_packet_may_have_one (void)
{
  Rig rig;

  begin (&rig, 9, 1, 1);
  for (guint16 i = 0; i < 5; i++) {
    add (&rig, i);
    assert_due (i, "0 ");
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/interleave/what-does-not-fit-stays", what_does_not_fit_stays);
  g_test_add_func ("/interleave/turns", turns);
  g_test_add_func ("/interleave/fits", fits);
  g_test_add_func ("/interleave/changes", changes);
  g_test_add_func ("/interleave/what-is-dropped-leaves-nothing", what_is_dropped_leaves_nothing);
  g_test_add_func ("/interleave/jumps", jumps);
  g_test_add_func ("/interleave/merges", merges);
  g_test_add_func ("/interleave/losses-in-a-row", losses_in_a_row);
  g_test_add_func ("/interleave/each-packet", each_packet_may_have_one);
  return g_test_run ();
}
