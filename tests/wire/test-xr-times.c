/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire-test.h"
#include "wire/xr-times.h"

static guint8 received[65536];

static guint32
tick_of (guint16 seq)
{
  return 0xfffff000u + 3000u * seq;     /* wraps on the way */
}

static bool
when (void *user, uint16_t seq, uint32_t *ticks)
{
  *ticks = tick_of (seq);
  return received[seq];
}

/* 65535 and 0 at 0x01020304 and 0x01020307; then one in four from 5 on. */
static const guint8 two[] = { 0x80, 207, 0, 11, 0, 0, 0, 1,
  3, 0xf0, 0, 4, 0, 0, 0, 9, 0xff, 0xff, 0, 1, 1, 2, 3, 4, 1, 2, 3, 7,
  3, 0x02, 0, 4, 0, 0, 0, 9, 0, 5, 0, 13, 0, 0, 0, 8, 0, 0, 0, 12 };

static void
reads_the_wire (void)
{
  const RccRtcpPacket packet = only_packet (ALL (two));
  RccXrTimesWalk w;
  RccXrTimes times;
  RccXrBlock block;
  guint32 ticks;
  guint16 seq;
  RccXr xr;

  rcc_xr_parse (&packet, &xr);
  g_assert_true (rcc_xr_next (&xr.blocks, &block) && rcc_xr_times_parse (&block, &times));
  g_assert_cmpuint (times.range.ssrc, ==, 9);
  g_assert_cmpuint (times.range.thinning, ==, 0);
  rcc_xr_times_begin (&w, &times);
  g_assert_true (rcc_xr_times_next (&w, &seq, &ticks));
  g_assert_true (seq == 65535 && ticks == 0x01020304);
  g_assert_true (rcc_xr_times_next (&w, &seq, &ticks));
  g_assert_true (seq == 0 && ticks == 0x01020307);
  g_assert_false (rcc_xr_times_next (&w, &seq, &ticks));
  g_assert_true (rcc_xr_next (&xr.blocks, &block) && rcc_xr_times_parse (&block, &times));
  rcc_xr_times_begin (&w, &times);
  for (guint i = 8; i <= 12; i += 4) {
    g_assert_true (rcc_xr_times_next (&w, &seq, &ticks));
    g_assert_true (seq == i && ticks == i);
  }
  g_assert_false (rcc_xr_times_next (&w, &seq, &ticks));
  rcc_xr_times_begin (&w, &times);
  rcc_xr_times_skip (&w, 1);
  g_assert_true (rcc_xr_times_next (&w, &seq, &ticks) && seq == 12 && ticks == 12);
  rcc_xr_times_skip (&w, 1000);
  g_assert_false (rcc_xr_times_next (&w, &seq, &ticks));
}

/* C5: ranges beyond the times, times beyond the range, cut at every byte. */
static void
hostile_blocks (void)
{
  static const struct {
    guint16 begin, end;
    guint thinning, said;
  } ranges[] = { { 0, 1, 0, 1 }, { 0, 60000, 0, 3 }, { 9, 3, 0, 3 }, { 7, 7, 0, 0 },
    { 65535, 2, 0, 3 }, { 1, 8, 3, 0 }, { 1, 9, 3, 1 }, { 0, 65533, 15, 2 } };
  guint8 body[20] = { 0, 0, 0, 9 };
  RccXrBlock block = { RCC_XR_RECEIPT_TIMES, 0, { ALL (body) } };
  RccXrTimesWalk w;
  RccXrTimes times;
  guint32 ticks;
  guint16 seq;
  guint said;

  for (guint i = 0; i < G_N_ELEMENTS (ranges); i++) {
    rcc_put16 (body + 4, ranges[i].begin);
    rcc_put16 (body + 6, ranges[i].end);
    block.specific = (guint8) ranges[i].thinning;
    for (block.body.size = 0; block.body.size <= sizeof body; block.body.size++) {
      const guint there = block.body.size < 8 ? 0 : (guint) (block.body.size - 8) / 4;
      g_autofree guint8 *heap = g_memdup2 (body, block.body.size);

      block.body.data = heap;
      g_assert_cmpint (rcc_xr_times_parse (&block, &times), ==, block.body.size >= 8);
      rcc_xr_times_begin (&w, &times);
      for (said = 0; rcc_xr_times_next (&w, &seq, &ticks);)
        said++;
      g_assert_cmpuint (said, ==, MIN (there, ranges[i].said));
    }
  }
  block.body = (RccBytes) { ALL (body) };
  rcc_put16 (body + 4, 100);
  rcc_put16 (body + 6, 98);             /* 65534 numbers: a MUST NOT */
  g_assert_false (rcc_xr_times_parse (&block, &times));
  rcc_put16 (body + 6, 101);
  block.type = RCC_XR_LOSS_RLE;
  g_assert_false (rcc_xr_times_parse (&block, &times));
}

/* What the blocks of one packet say; returns how many blocks. */
static guint
read_back (const guint8 *bytes, gsize size, guint8 *reported)
{
  const RccRtcpPacket packet = only_packet (bytes, size);
  RccXrTimesWalk w;
  RccXrTimes times;
  RccXrBlock block;
  guint32 ticks;
  guint n = 0;
  guint16 seq;
  RccXr xr;

  g_assert_true (rcc_xr_parse (&packet, &xr));
  for (; rcc_xr_next (&xr.blocks, &block); n++) {
    guint16 first;

    g_assert_true (rcc_xr_times_parse (&block, &times));
    g_assert_cmpuint (times.times.size, ==, 4 * rcc_xr_range_count (&times.range, &first));
    rcc_xr_times_begin (&w, &times);
    while (rcc_xr_times_next (&w, &seq, &ticks)) {
      g_assert_cmpuint (ticks, ==, tick_of (seq));
      g_assert_cmpuint (reported[seq]++, ==, 0);
    }
  }
  g_assert_cmpuint (xr.blocks.size, ==, 0);
  return n;
}

/* 4.3: "several blocks are required" where packets were lost; and in several packets
 * where room is short. */
static void
round_trip (void)
{
  static guint8 reported[65536];
  RccRng r;

  rcc_rng_init (&r, SEED, 41);
  for (guint i = 0; i < 400; i++) {
    const gsize size = 24 + rcc_rng_u32 (&r) % 300;
    const guint length = rcc_rng_u32 (&r) % 200, loss = 1 + rcc_rng_u32 (&r) % 20;
    RccXrRange range = { 9, 65450, (guint16) (65450 + length), (guint8) (rcc_rng_u32 (&r) % 3) };
    guint packets = 0;
    guint8 out[400];

    memset (reported, 0, sizeof reported);
    for (guint k = 0; k < 65536; k++)
      received[k] = rcc_rng_u32 (&r) % loss > 0;
    do {
      guint16 end;
      gsize used = rcc_xr_begin (out, size, 1);

      used = rcc_xr_times_add (out, size, used, &range, when, NULL, &end);
      g_assert_cmpuint (used, >=, 8);
      g_assert_cmpuint (used, <=, size);
      read_back (out, used, reported);
      g_assert_cmpuint (++packets, <=, 201);
      range.begin_seq = end;
    } while (range.begin_seq != range.end_seq);
    for (guint k = 0; k < length; k++) {
      const guint16 seq = (guint16) (65450 + k);

      g_assert_cmpint (reported[seq], ==, received[seq] && seq % (1u << range.thinning) == 0);
    }
  }
}

static void
a_block_for_each_stretch (void)
{
  RccXrRange range = { 9, 10, 20, 0 };
  guint8 reported[65536] = { 0 }, out[200];
  guint16 end;
  gsize used;

  memset (received, 1, sizeof received);
  used = rcc_xr_times_add (ALL (out), rcc_xr_begin (ALL (out), 1), &range, when, NULL, &end);
  g_assert_cmpuint (used, ==, 8 + 12 + 40);
  g_assert_cmpuint (read_back (out, used, reported), ==, 1);
  received[10] = received[14] = received[15] = 0;
  memset (reported, 0, sizeof reported);
  used = rcc_xr_times_add (ALL (out), rcc_xr_begin (ALL (out), 1), &range, when, NULL, &end);
  g_assert_cmpuint (used, ==, 8 + 2 * 12 + 28);
  g_assert_cmpuint (read_back (out, used, reported), ==, 2);
  g_assert_true (reported[10] == 0 && reported[11] == 1 && reported[15] == 0 && reported[19] == 1);
  range.thinning = 1;                   /* 10, 14 were lost: 12 stands alone, 16 and 18 */
  used = rcc_xr_times_add (ALL (out), rcc_xr_begin (ALL (out), 1), &range, when, NULL, &end);
  g_assert_cmpuint (used, ==, 8 + 2 * 12 + 12);
  memset (received, 0, sizeof received);
  used = rcc_xr_times_add (ALL (out), 8, &range, when, NULL, &end);
  g_assert_cmpuint (used, ==, 8);
  g_assert_cmpuint (end, ==, 20);
}

static void
no_room (void)
{
  const RccXrRange range = { 9, 10, 20, 0 };
  guint8 out[64];
  guint16 end;

  memset (received, 1, sizeof received);
  received[10] = 0;
  rcc_xr_begin (ALL (out), 1);
  for (gsize size = 8; size < 24; size++) {
    g_assert_cmpuint (rcc_xr_times_add (out, size, 8, &range, when, NULL, &end), ==, 0);
    g_assert_cmpuint (end, ==, 11);
  }
  g_assert_cmpuint (rcc_xr_times_add (out, 27, 8, &range, when, NULL, &end), ==, 24);
  g_assert_cmpuint (end, ==, 12);
}

static void
ticks_of_a_clock (void)
{
  g_assert_cmpuint (rcc_xr_ticks (0, 90000), ==, 0);
  g_assert_cmpuint (rcc_xr_ticks (RCC_SEC + RCC_SEC / 2, 90000), ==, 135000);
  g_assert_cmpuint (rcc_xr_ticks (RCC_MSEC * 125, 8000), ==, 1000);
  /* 584 years: floor (18446744073.709551615 s * 48000) modulo 2^32 */
  g_assert_cmpuint (rcc_xr_ticks (UINT64_MAX, 48000), ==,
      (guint32) (G_GUINT64_CONSTANT (18446744073) * 48000 + 34058));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, func) g_test_add_func ("/xr-times/" path, func)
  ADD ("reads-the-wire", reads_the_wire);
  ADD ("hostile-blocks", hostile_blocks);
  ADD ("round-trip", round_trip);
  ADD ("a-block-for-each-stretch", a_block_for_each_stretch);
  ADD ("no-room", no_room);
  ADD ("ticks-of-a-clock", ticks_of_a_clock);
  return g_test_run ();
}
