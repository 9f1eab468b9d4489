/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire-test.h"
#include "wire/xr-rle.h"

#define NUMBERS 65536
#define VECTOR(bits) 0x8000 | (bits)
#define ONES(n) 0x4000 | (n)

static guint8 trace[NUMBERS];           /* by sequence number */

static bool
traced (void *user, uint16_t seq)
{
  (*(guint *) user)++;
  return trace[seq];
}

/* A block with these chunks, as it stands on the wire. */
static RccXrBlock
block_of (guint8 *body, RccXrRange range, const guint16 *chunks, guint n)
{
  rcc_put32 (body, range.ssrc);
  rcc_put16 (body + 4, range.begin_seq);
  rcc_put16 (body + 6, range.end_seq);
  for (guint i = 0; i < n; i++)
    rcc_put16 (body + 8 + 2 * i, chunks[i]);
  return (RccXrBlock) { RCC_XR_LOSS_RLE, range.thinning, { body, 8 + 2 * n } };
}

static guint
walk (const RccXrRle *rle, const gchar *expected)
{
  RccXrRleWalk w;
  guint n = 0, step = 1u << rle->range.thinning;
  guint16 seq, at = 0;
  bool bit;

  rcc_xr_range_count (&rle->range, &at);
  for (rcc_xr_rle_begin (&w, rle); rcc_xr_rle_next (&w, &seq, &bit); n++) {
    g_assert_cmpuint (seq, ==, (guint16) (at + n * step));
    if (expected)
      g_assert_cmpint (bit, ==, expected[n] == '1');
  }
  g_assert_false (rcc_xr_rle_next (&w, &seq, &bit));
  if (expected)
    g_assert_cmpuint (n, ==, strlen (expected));
  return n;
}

static void
says (RccXrRange range, const guint16 *chunks, guint n, const gchar *expected)
{
  guint8 body[64];
  const RccXrBlock block = block_of (body, range, chunks, n);
  RccXrRle rle;

  g_assert_true (rcc_xr_rle_parse (&block, &rle));
  g_assert_cmpuint (rle.range.ssrc, ==, range.ssrc);
  g_assert_false (rle.discard || rle.early);
  walk (&rle, expected);
}

/* The four encodings in RFC 3611 4.1, of 45 packets from 13821 on. */
static void
the_examples_of_rfc3611 (void)
{
  static const gchar first[] = "111111111111111111111010111111111111111111111";
  static const gchar last[] = "111111111111111111111010111111111111111111101";
  static const guint16 vectors[] = { VECTOR (0x7fff), VECTOR (0x7eb << 4 | 0xf),
    VECTOR (0x7fff), 0 };
  static const guint16 runs[] = { ONES (21), VECTOR (0x2fff), ONES (9), 0 };
  static const guint16 beyond[] = { ONES (21), VECTOR (0x2fff), VECTOR (0x7f40), 0 };
  static const guint16 thinned[] = { VECTOR (0x7de0 & 0x7fff), 0 };
  const RccXrRange range = { 9, 13821, 13821 + 45, 0 };
  const RccXrRange thin = { 9, 13821, 13821 + 45, 2 };

  says (range, vectors, 4, first);
  says (range, runs, 4, first);
  says (range, beyond, 4, last);
  says (thin, thinned, 2, "11111011110");
}

static void
reads_the_wire (void)
{
  static const guint8 loss[] = { 0x80, 207, 0, 5, 0, 0, 0, 1,
    1, 0xf0, 0, 3, 0, 0, 0, 9, 0xff, 0xfe, 0, 2, 0x00, 0x01, 0xb0, 0x00 };
  static const guint8 discard[] = { 0x80, 207, 0, 5, 0, 0, 0, 1,
    25, 0xf3, 0, 3, 0, 0, 0, 9, 0, 1, 0, 33, 0x40, 0x02, 0x80, 0x00 };
  RccRtcpPacket packet = only_packet (ALL (loss));
  RccXrBlock block;
  RccXrRle rle;
  RccXr xr;

  rcc_xr_parse (&packet, &xr);
  g_assert_true (rcc_xr_next (&xr.blocks, &block) && rcc_xr_rle_parse (&block, &rle));
  g_assert_false (rle.discard || rle.early);    /* reserved bits are not looked at */
  g_assert_cmpuint (rle.range.thinning, ==, 0);
  walk (&rle, "0011");                  /* 65534 .. 1: a run of one, a vector cut off */
  packet = only_packet (ALL (discard));
  rcc_xr_parse (&packet, &xr);
  g_assert_true (rcc_xr_next (&xr.blocks, &block) && rcc_xr_rle_parse (&block, &rle));
  g_assert_true (rle.discard && rle.early);
  g_assert_cmpuint (rle.range.thinning, ==, 3);
  walk (&rle, "1100");                  /* 8, 16, 24, 32 */
  block.specific = 0xe3;
  g_assert_true (rcc_xr_rle_parse (&block, &rle));
  g_assert_true (rle.discard && !rle.early);
}

/* C5: what a length, a range or a run claims never goes beyond what is there. */
static void
hostile_blocks (void)
{
  static const guint16 long_run[] = { ONES (16383), ONES (16383), ONES (16383),
    ONES (16383), ONES (16383), ONES (16383) };
  static const guint16 nulls[] = { 0, ONES (3), 0, 0, 5, 0 };
  guint8 body[64];
  RccXrBlock block;
  RccXrRle rle;

  block = block_of (body, (RccXrRange) { 9, 100, 98, 0 }, long_run, 6);
  g_assert_false (rcc_xr_rle_parse (&block, &rle));     /* 65534 numbers: a MUST NOT */
  block = block_of (body, (RccXrRange) { 9, 100, 99, 0 }, long_run, 6);
  g_assert_false (rcc_xr_rle_parse (&block, &rle));
  block = block_of (body, (RccXrRange) { 9, 100, 97, 0 }, long_run, 6);
  g_assert_true (rcc_xr_rle_parse (&block, &rle));
  g_assert_cmpuint (walk (&rle, NULL), ==, 65533);
  block = block_of (body, (RccXrRange) { 9, 9, 3, 0 }, NULL, 0);        /* end before begin */
  g_assert_true (rcc_xr_rle_parse (&block, &rle));
  g_assert_cmpuint (walk (&rle, NULL), ==, 0);
  block = block_of (body, (RccXrRange) { 9, 7, 7, 0 }, long_run, 6);
  g_assert_true (rcc_xr_rle_parse (&block, &rle));
  g_assert_cmpuint (walk (&rle, NULL), ==, 0);
  block = block_of (body, (RccXrRange) { 9, 5, 8, 3 }, long_run, 6);    /* no multiple of 8 */
  g_assert_true (rcc_xr_rle_parse (&block, &rle));
  g_assert_cmpuint (walk (&rle, NULL), ==, 0);
  says ((RccXrRange) { 9, 0, 5, 0 }, long_run, 6, "11111");
  says ((RccXrRange) { 9, 0, 100, 0 }, nulls, 6, "11100000");   /* chunks end first */
  for (gsize size = 0; size < 8; size++) {
    block.body.size = size;
    g_assert_false (rcc_xr_rle_parse (&block, &rle));
  }
  block = block_of (body, (RccXrRange) { 9, 0, 100, 0 }, long_run, 2);
  block.body.size--;                    /* half a chunk */
  g_assert_true (rcc_xr_rle_parse (&block, &rle));
  g_assert_cmpuint (walk (&rle, NULL), ==, 100);
  block = block_of (body, (RccXrRange) { 9, 0, 100, 0 }, nulls, 2);
  block.body.size--;
  g_assert_true (rcc_xr_rle_parse (&block, &rle));
  g_assert_cmpuint (walk (&rle, NULL), ==, 0);  /* half of a run is none */
  block.type = 2;                       /* Duplicate RLE is none of ours */
  g_assert_false (rcc_xr_rle_parse (&block, &rle));
}

static void
skips_as_it_walks (void)
{
  RccRng r;

  rcc_rng_init (&r, SEED, 31);
  for (guint i = 0; i < 3000; i++) {
    guint16 chunks[10], seq, seq2;
    guint8 body[64];
    bool bit, bit2;
    const RccXrRange range = { 9, (guint16) rcc_rng_u32 (&r),
      (guint16) rcc_rng_u32 (&r), (guint8) (rcc_rng_u32 (&r) % 4) };
    const guint32 n = rcc_rng_u32 (&r) % 300;
    RccXrBlock block;
    RccXrRleWalk a, b;
    RccXrRle rle;
    guint32 k = 0;

    for (guint c = 0; c < 10; c++)
      chunks[c] = (guint16) (rcc_rng_u32 (&r) & (rcc_rng_u32 (&r) & 1 ? 0xc00f : 0xffff));
    block = block_of (body, range, chunks, 10);
    if (!rcc_xr_rle_parse (&block, &rle))
      continue;
    rcc_xr_rle_begin (&a, &rle);
    rcc_xr_rle_begin (&b, &rle);
    while (k < n && rcc_xr_rle_next (&a, &seq, &bit))
      k++;
    rcc_xr_rle_skip (&b, n);
    do {
      k = rcc_xr_rle_next (&a, &seq, &bit);
      g_assert_cmpint (rcc_xr_rle_next (&b, &seq2, &bit2), ==, k);
      if (k)
        g_assert_true (seq == seq2 && bit == bit2);
    } while (k);
  }
}

/* --- building ------------------------------------------------------------- */

typedef struct {
  RccXrRle rle;                         /* as parsed back */
  guint chunks;                         /* without the null chunk */
} Built;

/* Builds, and asserts that what was built is well-formed and says the trace. */
static Built
build (guint8 *out, gsize size, const RccXrRle *rle, guint16 *end)
{
  const gsize begun = rcc_xr_begin (out, size, 1);
  guint asked = 0, numbers = 0;
  gsize used = rcc_xr_rle_add (out, size, begun, rle, traced, &asked, end);
  Built b = { .chunks = 0 };
  RccRtcpPacket packet;
  RccXrRleWalk w;
  RccXrBlock block;
  guint16 seq, first;
  bool bit;
  RccXr xr;

  if (used == 0 || used == begun)
    return b;
  packet = only_packet (out, used);
  g_assert_true (rcc_xr_parse (&packet, &xr) && rcc_xr_next (&xr.blocks, &block));
  g_assert_cmpuint (xr.blocks.size, ==, 0);
  g_assert_true (rcc_xr_rle_parse (&block, &b.rle));
  g_assert_cmpuint (b.rle.range.begin_seq, ==, rle->range.begin_seq);
  g_assert_cmpuint (b.rle.range.end_seq, ==, *end);
  g_assert_cmpuint (b.rle.range.thinning, ==, rle->range.thinning);
  g_assert_true (b.rle.discard == rle->discard && b.rle.early == rle->early);
  for (rcc_xr_rle_begin (&w, &b.rle); rcc_xr_rle_next (&w, &seq, &bit); numbers++)
    g_assert_cmpint (bit, ==, trace[seq]);
  g_assert_cmpuint (numbers, ==, rcc_xr_range_count (&b.rle.range, &first));
  g_assert_cmpuint (asked, <=, 3 * numbers + 16 + 16383);
  b.chunks = (guint) b.rle.chunks.size / 2;
  b.chunks -= rcc_be16 (b.rle.chunks.data + b.rle.chunks.size - 2) == 0;
  return b;
}

static void
random_trace (RccRng *r)
{
  const guint kind = rcc_rng_u32 (r) % 4;
  guint8 value = 1;

  for (guint i = 0; i < NUMBERS; i++) {
    if (kind == 0 || rcc_rng_u32 (r) % (kind == 1 ? 4 : kind == 2 ? 40 : 4000) == 0)
      value = rcc_rng_u32 (r) & 1;
    trace[i] = value;
  }
}

/* The fewest chunks there can be, by trying both kinds and every length of run. */
static guint
fewest (guint16 first, guint n, guint step)
{
  static guint best[4001];

  for (guint i = n; i-- > 0;) {
    const guint8 value = trace[(guint16) (first + i * step)];

    best[n] = 0;
    best[i] = 1 + best[MIN (i + 15, n)];
    for (guint k = i; k < n && trace[(guint16) (first + k * step)] == value; k++)
      best[i] = MIN (best[i], 1 + best[k + 1]);
  }
  return best[0];
}

static void
round_trips_in_the_fewest_chunks (void)
{
  static guint8 out[20000];
  RccRng r;

  rcc_rng_init (&r, SEED, 32);
  for (guint i = 0; i < 600; i++) {
    const guint length = rcc_rng_u32 (&r) % 600, t = rcc_rng_u32 (&r) % 4;
    const guint16 begin = (guint16) (rcc_rng_u32 (&r) % 2 ? rcc_rng_u32 (&r) : 65500);
    RccXrRle rle = { .range = { 9, begin, (guint16) (begin + length), (guint8) t },
      .discard = rcc_rng_u32 (&r) & 1 };
    guint16 first = 0, end;
    guint n;
    Built b;

    rle.early = rle.discard && rcc_rng_u32 (&r) & 1;
    n = rcc_xr_range_count (&rle.range, &first);
    random_trace (&r);
    b = build (ALL (out), &rle, &end);
    g_assert_cmpuint (end, ==, rle.range.end_seq);
    if (n == 0) {
      g_assert_cmpuint (b.chunks, ==, 0);
      continue;
    }
    g_assert_cmpuint (b.chunks, ==, fewest (first, n, 1u << t));
    g_assert_cmpuint (b.chunks, <=, (n + 14) / 15);
    g_assert_cmpuint (b.rle.chunks.size, <=, ((n + 14) / 15 + 1) / 2 * 4);
  }
}

static void
long_runs_are_one_chunk (void)
{
  RccXrRle rle = { .range = { 9, 60000, (guint16) (60000 + 16383), 0 } };
  guint8 out[64];
  guint16 end;

  memset (trace, 1, sizeof trace);
  g_assert_cmpuint (build (ALL (out), &rle, &end).chunks, ==, 1);
  g_assert_cmphex (rcc_be32 (out + 20), ==, 0x7fff0000);
  rle.range.end_seq++;
  g_assert_cmpuint (build (ALL (out), &rle, &end).chunks, ==, 2);
  memset (trace, 0, sizeof trace);
  rle.range.end_seq = 60001;
  g_assert_cmpuint (build (ALL (out), &rle, &end).chunks, ==, 1);
  g_assert_cmphex (rcc_be32 (out + 20), ==, 0x00010000);
  rle.range.end_seq = (guint16) (60000 + RCC_XR_RANGE_MAX);
  g_assert_cmpuint (build (ALL (out), &rle, &end).chunks, ==, 5);
  rle.range.end_seq += 2;               /* more than a block may speak of: in two */
  g_assert_cmpuint (build (ALL (out), &rle, &end).chunks, ==, 5);
  g_assert_cmpuint (end, ==, (guint16) (60000 + RCC_XR_RANGE_MAX));
}

/* An outage that one packet has no room for is told in parts. */
static void
tells_what_fits_and_where_to_go_on (void)
{
  RccRng r;

  rcc_rng_init (&r, SEED, 33);
  for (guint i = 0; i < 300; i++) {
    const gsize size = 24 + rcc_rng_u32 (&r) % 60;
    const guint16 upto = (guint16) (65000 + 2000 + rcc_rng_u32 (&r) % 500);
    RccXrRle rle = { .range = { 9, 65000, upto, (guint8) (rcc_rng_u32 (&r) % 3) } };
    guint8 out[100];
    guint parts = 0;

    random_trace (&r);
    while (rle.range.begin_seq != upto) {
      guint16 end;
      const Built b = build (out, size, &rle, &end);

      g_assert_cmpuint (++parts, <=, 200);
      g_assert_true (b.chunks > 0 || end == upto);
      g_assert_cmpuint ((guint16) (end - 65000), <=, (guint16) (upto - 65000));
      rle.range.begin_seq = end;
    }
  }
}

static void
no_room_leaves_what_was_there (void)
{
  const RccXrRle rle = { .range = { 9, 5, 10, 0 } };
  guint8 out[28], before[28];
  guint16 end;
  guint asked = 0;

  memset (trace, 1, sizeof trace);
  memset (out, 0, sizeof out);
  rcc_xr_begin (ALL (out), 1);
  memcpy (before, out, sizeof out);
  for (gsize size = 8; size < 24; size++) {
    g_assert_cmpuint (rcc_xr_rle_add (out, size, 8, &rle, traced, &asked, &end), ==, 0);
    g_assert_cmpuint (end, ==, 5);
    g_assert_cmpmem (out, sizeof out, before, sizeof before);
  }
  g_assert_cmpuint (asked, ==, 0);
  g_assert_cmpuint (rcc_xr_rle_add (out, 27, 8, &rle, traced, &asked, &end), ==, 24);
  g_assert_cmpuint (rcc_xr_rle_add (out, 28, 0, &rle, traced, &asked, &end), ==, 0);
}

static void
an_empty_range_adds_nothing (void)
{
  static const RccXrRange empty[] = { { 9, 7, 7, 0 }, { 9, 65535, 65535, 2 }, { 9, 5, 8, 3 } };
  guint8 out[64] = { 0 }, before[64];
  guint asked = 0;

  rcc_xr_begin (ALL (out), 1);
  memcpy (before, out, sizeof out);
  for (guint i = 0; i < G_N_ELEMENTS (empty); i++)
    for (gsize size = 8; size <= sizeof out; size++) {
      const RccXrRle rle = { .range = empty[i] };
      guint16 end = 0;

      g_assert_cmpuint (rcc_xr_rle_add (out, size, 8, &rle, traced, &asked, &end), ==, 8);
      g_assert_cmpuint (end, ==, empty[i].end_seq);
      g_assert_cmpmem (out, sizeof out, before, sizeof before);
    }
  g_assert_cmpuint (asked, ==, 0);
}

static bool
every_other (void *user, uint16_t seq)
{
  return seq & 1;
}

/* Where there is no room, nothing is said, and of nothing all is said. */
static void
says_where_the_rest_begins (void)
{
  guint8 out[64];

  for (guint16 n = 0; n < 5; n++) {
    const RccXrRle rle = { .range = { 9, 100, (guint16) (100 + n), 0 } };
    const gsize used = rcc_xr_begin (out, sizeof out, 7);

    for (gsize size = used; size < used + 16; size++) {
      guint16 end = 0;

      g_assert_cmpuint (rcc_xr_rle_add (out, size, used, &rle, every_other, NULL, &end), ==,
          n == 0 ? used : 0);
      g_assert_cmpuint (end, ==, 100);
    }
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, func) g_test_add_func ("/xr-rle/" path, func)
  ADD ("the-examples-of-rfc3611", the_examples_of_rfc3611);
  ADD ("says-where-the-rest-begins", says_where_the_rest_begins);
  ADD ("reads-the-wire", reads_the_wire);
  ADD ("hostile-blocks", hostile_blocks);
  ADD ("skips-as-it-walks", skips_as_it_walks);
  ADD ("round-trips-in-the-fewest-chunks", round_trips_in_the_fewest_chunks);
  ADD ("long-runs-are-one-chunk", long_runs_are_one_chunk);
  ADD ("tells-what-fits-and-where-to-go-on", tells_what_fits_and_where_to_go_on);
  ADD ("no-room-leaves-what-was-there", no_room_leaves_what_was_there);
  ADD ("an-empty-range-adds-nothing", an_empty_range_adds_nothing);
  return g_test_run ();
}
