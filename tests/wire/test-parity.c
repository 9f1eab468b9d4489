/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What both formats share: which packets join a block, and what is never delivered.
 * The parity here is made by hand, without either format.
 */
#include "parity-rig.h"

/* What a receiver would have parsed. */
static RccParity
parity_of (const RccParityBlock *block)
{
  return (RccParity) {
    .head = block->head, .length = block->length, .body = { block->body, block->size },
    .n_streams = 1,
    .streams = { { block->ssrc, block->base, 1, { block->mask[0], block->mask[1] } } },
  };
}

static void
joining (void)
{
  RccParityBlock block;
  RigPacket *packet;
  Rig rig;

  rig_init (&rig, 1);
  rcc_parity_init (&block, 16);
  g_assert_cmpuint (block.n, ==, 0);
  g_assert_true (rcc_parity_add (&block, rig_bytes (rig_add (&rig, 7, 65530, 100))));
  g_assert_false (rcc_parity_add (&block, rig_bytes (rig_add (&rig, 7, 65529, 100))));
  g_assert_false (rcc_parity_add (&block, rig_bytes (rig_add (&rig, 8, 65531, 100))));
  g_assert_false (rcc_parity_add (&block, rig_bytes (rig_add (&rig, 7, 65530 + 16 - 65536, 100))));
  g_assert_false (rcc_parity_add (&block, rig_bytes (rig_add (&rig, 7, 65530 - 32768, 100))));
  g_assert_cmpuint (block.n, ==, 1);
  packet = rig_add (&rig, 7, 9, 200);   /* the last that the span reaches */
  g_assert_true (rcc_parity_add (&block, rig_bytes (packet)));
  g_assert_cmpuint (block.n, ==, 2);
  g_assert_true (block.mask[0] == (UINT64_C (0x8001) << 48) && block.mask[1] == 0);
  g_assert_cmpuint (block.base, ==, 65530);
  g_assert_cmpuint (block.size, ==, 188);
  g_assert_cmpuint (block.length, ==, 88 ^ 188);
  packet->data[50] ^= 1;                /* a copy, even one that differs */
  g_assert_true (rcc_parity_add (&block, rig_bytes (packet)));
  g_assert_cmpuint (block.n, ==, 2);
  g_assert_cmpuint (block.length, ==, 88 ^ 188);
}

static void
no_packets (void)
{
  guint8 data[RCC_PARITY_PACKET_MAX + 1] = { 0x80 };
  RccParityBlock block;

  rcc_parity_init (&block, 16);
  g_assert_false (rcc_parity_add (&block, (RccBytes) { data, 11 }));
  g_assert_false (rcc_parity_add (&block, (RccBytes) { data, 0 }));
  g_assert_false (rcc_parity_add (&block, (RccBytes) { data, sizeof data }));
  data[0] = 0x40;
  g_assert_false (rcc_parity_add (&block, (RccBytes) { data, 100 }));
  data[0] = 0x8f;                       /* 15 CSRCs are 60 bytes */
  g_assert_false (rcc_parity_add (&block, (RccBytes) { data, 71 }));
  g_assert_cmpuint (block.n, ==, 0);
  g_assert_true (rcc_parity_add (&block, (RccBytes) { data, 72 }));
  data[0] = 0x80;
  data[3] = 1;
  g_assert_true (rcc_parity_add (&block, (RccBytes) { data, RCC_PARITY_PACKET_MAX }));
  g_assert_cmpuint (block.size, ==, RCC_PARITY_BODY_MAX);
}

/* A block's memory keeps what was there before; none of it may show. */
static void
used_again (void)
{
  RccParityBlock block;
  RccParity parity;
  Rig rig;

  rig_init (&rig, 2);
  memset (&block, 0xa5, sizeof block);
  for (guint round = 0; round < 200; round++) {
    rcc_parity_init (&block, 16);
    rig_block (&rig, &block, 1 + round % 16, (guint16) rcc_rng_u32 (&rig.rng), 0);
    parity = parity_of (&block);
    assert_each_comes_back (&rig, &parity);
  }
}

static void
spans (void)
{
  RccParityBlock block;
  RccParity parity;
  Rig rig;

  rig_init (&rig, 3);
  rcc_parity_init (&block, 0);
  g_assert_true (rcc_parity_add (&block, rig_bytes (rig_add (&rig, 7, 1, 100))));
  g_assert_false (rcc_parity_add (&block, rig_bytes (rig_add (&rig, 7, 2, 100))));
  rcc_parity_init (&block, 10000);
  rig_block (&rig, &block, 110, 65500, 0);
  g_assert_false (rcc_parity_add (&block, rig_bytes (rig_add (&rig, MEDIA_SSRC, 74, 100))));
  rig.n--;
  parity = parity_of (&block);
  assert_each_comes_back (&rig, &parity);
}

/* Four packets of which the first is lost; its size is the longest or not. */
static RccParity
four (Rig *rig, RccParityBlock *block, gsize first)
{
  rig->n = 0;
  rcc_parity_init (block, 16);
  for (guint i = 0; i < 4; i++)
    g_assert_true (rcc_parity_add (block, rig_bytes (rig_add (rig, 7, (guint16) (10 + i),
                    i ? 300 : first))));
  rig->packets[0].lost = TRUE;
  return parity_of (block);
}

/* Row F1: "never deliver a packet padded with zeros". */
static void
never_padded (void)
{
  RccParityBlock block;
  RccParity parity;
  Rig rig;

  rig_init (&rig, 4);
  parity = four (&rig, &block, 500);
  for (gsize size = 0; size < 488; size++) {
    parity.body.size = size;
    assert_verdict (&rig, &parity, RCC_PARITY_REFUSED);
  }
  parity.body.size = 488;
  rig.packets[0].lost = FALSE;
  rig.packets[1].lost = TRUE;           /* short enough for a parity that was cut */
  parity.body.size = 288;
  {
    RccParityResult result;
    guint8 *out;

    result = rig_recover (&rig, &parity, &out);
    g_assert_cmpint (result.verdict, ==, RCC_PARITY_RECOVERED);
    g_assert_cmpmem (out, result.size, rig.packets[1].data, 300);
    g_free (out);
  }
  parity.body.size = 287;
  assert_verdict (&rig, &parity, RCC_PARITY_REFUSED);
}

static void
no_room (void)
{
  const gsize sizes[] = { 0, 11, 12, 311, 499 };
  RccParityBlock block;
  RccParity parity;
  guint8 out[500];
  Rig rig;

  rig_init (&rig, 5);
  parity = four (&rig, &block, 500);
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    const RccParitySource source = { rig_lookup, NULL, &rig };
    const RccParityResult result = rcc_parity_recover (&parity, &source, out, sizes[i]);

    g_assert_cmpint (result.verdict, ==, RCC_PARITY_REFUSED);
    g_assert_cmpuint (result.size, ==, 0);
    g_assert_cmpuint (result.seq, ==, 10);
    g_assert_cmpuint (result.ssrc, ==, 7);
  }
}

/* Any length but the true one leaves bytes behind it or takes zeros for bytes. */
static void
wrong_length (void)
{
  RccParityBlock block;
  RccParity parity;
  Rig rig;

  rig_init (&rig, 6);
  parity = four (&rig, &block, 200);
  rig.packets[0].data[0] = 0x80;        /* so that no rule of the header's hits first */
  rig.packets[0].data[199] = 1;
  rcc_parity_init (&block, 16);
  for (guint i = 0; i < 4; i++)
    rcc_parity_add (&block, rig_bytes (&rig.packets[i]));
  parity = parity_of (&block);
  for (guint length = 0; length < 65536; length++) {
    parity.length = (guint16) (block.length ^ length ^ 188);
    if (length < 188 || length > 288)
      assert_verdict (&rig, &parity, RCC_PARITY_REFUSED);
  }
}

/* Rows F1 and F2: what comes out is held to what a packet off the network is. */
static void
validated (void)
{
  RccParityBlock block;
  RccParity parity;
  Rig rig;

  rig_init (&rig, 7);
  parity = four (&rig, &block, 60);
  rig.packets[0].data[0] = 0x80;
  rcc_parity_init (&block, 16);
  for (guint i = 0; i < 4; i++)
    rcc_parity_add (&block, rig_bytes (&rig.packets[i]));
  parity = parity_of (&block);
  parity.head ^= UINT64_C (15) << 56;   /* 60 bytes of CSRCs in 48 */
  assert_verdict (&rig, &parity, RCC_PARITY_REFUSED);
  parity.head = block.head ^ UINT64_C (0x10) << 56;     /* an extension of 4 + 48 bytes */
  block.body[2] ^= rig.packets[0].data[14];
  block.body[3] ^= rig.packets[0].data[15] ^ 12;        /* one word too many */
  assert_verdict (&rig, &parity, RCC_PARITY_REFUSED);
  parity.head = block.head ^ UINT64_C (0x20) << 56;     /* padding of more than there is */
  block.body[47] ^= rig.packets[0].data[59] ^ 49;
  assert_verdict (&rig, &parity, RCC_PARITY_REFUSED);
  block.body[47] ^= 49 ^ 0;
  assert_verdict (&rig, &parity, RCC_PARITY_REFUSED);
}

/* Row F2: forged parity that makes a payload type nobody has agreed on. */
static void
unknown_payload_type (void)
{
  RccParityBlock block;
  RccParityResult result;
  RccParity parity;
  guint8 *out;
  Rig rig;

  rig_init (&rig, 8);
  parity = four (&rig, &block, 400);
  rig.refused_pt = (rig.packets[0].data[1] & 0x7f) ^ 1;
  result = rig_recover (&rig, &parity, &out);
  g_assert_cmpint (result.verdict, ==, RCC_PARITY_RECOVERED);
  g_free (out);
  parity.head ^= UINT64_C (1) << 48;
  assert_verdict (&rig, &parity, RCC_PARITY_REFUSED);
}

/* Row F2: a history that answers with another stream's packet, another number's, a
 * packet of no version or a stump: it is as if nothing were there. */
static void
foreign_packets (void)
{
  RccParityBlock block;
  RccParity parity;
  RigPacket *foreign;
  Rig rig;

  rig_init (&rig, 9);
  parity = four (&rig, &block, 400);
  rig.packets[0].lost = FALSE;
  rig.packets[1].lost = rig.packets[2].lost = TRUE;
  foreign = rig_add (&rig, 8, 11, 300);
  rig.instead = rig_bytes (foreign);
  assert_verdict (&rig, &parity, RCC_PARITY_SHORT);
  rcc_put32 (foreign->data + 8, 7);
  foreign->data[0] &= 0x3f;
  assert_verdict (&rig, &parity, RCC_PARITY_SHORT);
  foreign->data[0] |= 0x80;
  rig.instead.size = 11;
  assert_verdict (&rig, &parity, RCC_PARITY_SHORT);
  rcc_put16 (foreign->data + 2, 13);
  rig.instead.size = 300;
  assert_verdict (&rig, &parity, RCC_PARITY_SHORT);
}

/* One bit of one packet changed on the way, or a packet that grew or shrank: a lost
 * packet shorter than the longest tells. */
static void
changed_packets (void)
{
  RccParityBlock block;
  RccParity parity;
  Rig rig;

  rig_init (&rig, 10);
  parity = four (&rig, &block, 100);
  for (guint at = 100; at < 300; at++) {
    rig.packets[2].data[at] ^= 0x10;
    assert_verdict (&rig, &parity, RCC_PARITY_REFUSED);
    rig.packets[2].data[at] ^= 0x10;
  }
  rig.packets[2].size = 250;
  assert_verdict (&rig, &parity, RCC_PARITY_REFUSED);
}

/* Row F3: a burst longer than the block, and nothing at all: no look-up beyond the
 * second that is missing. */
static void
bursts (void)
{
  RccParityBlock block;
  RccParity parity;
  Rig rig;

  rig_init (&rig, 11);
  parity = four (&rig, &block, 100);
  for (guint i = 0; i < 4; i++)
    rig.packets[i].lost = TRUE;
  assert_verdict (&rig, &parity, RCC_PARITY_SHORT);
  g_assert_cmpuint (rig.looked_up, ==, 2);
  parity.n_streams = 0;
  assert_verdict (&rig, &parity, RCC_PARITY_COMPLETE);
}

static void
protects (void)
{
  RccParity parity = { .n_streams = 3, .streams = {
      { 7, 65534, 5, { UINT64_C (3) << 62, 0, 0, 2 } }, { 8, 1, 1, { 1 } },
      { 10, 0, 1, { 2, UINT64_C (1) << 63 } } } };

  g_assert_true (rcc_parity_protects (&parity, 7, 65534));
  g_assert_true (rcc_parity_protects (&parity, 7, 3));
  g_assert_true (rcc_parity_protects (&parity, 7, (guint16) (65534 + 254 * 5)));
  g_assert_true (rcc_parity_protects (&parity, 8, 64));
  g_assert_true (rcc_parity_protects (&parity, 10, 62));
  g_assert_true (rcc_parity_protects (&parity, 10, 64));        /* the next word's first bit */
  g_assert_false (rcc_parity_protects (&parity, 10, 63));
  g_assert_false (rcc_parity_protects (&parity, 8, 3));
  g_assert_false (rcc_parity_protects (&parity, 7, 65535));
  g_assert_false (rcc_parity_protects (&parity, 9, 65534));
}

static void
assert_same_block (const RccParityBlock *a, const RccParityBlock *b)
{
  g_assert_cmpuint (a->n, ==, b->n);
  g_assert_cmpuint (a->base, ==, b->base);
  g_assert_cmpuint (a->ssrc, ==, b->ssrc);
  g_assert_cmpuint (a->length, ==, b->length);
  g_assert_true (a->head == b->head && a->mask[0] == b->mask[0] && a->mask[1] == b->mask[1]);
  g_assert_cmpmem (a->body, a->size, b->body, b->size);
}

/* Cut anywhere behind the header, it is the same packet. */
static void
parts (void)
{
  RccParityBlock whole, cut;
  Rig rig;

  rig_init (&rig, 12);
  rcc_parity_init (&whole, 48);
  rcc_parity_init (&cut, 48);
  for (guint i = 0; i < 40; i++) {
    const RccBytes packet = rig_bytes (rig_add (&rig, 7, (guint16) (65520 + i), rig_size (&rig)));
    RccBytes pieces[5] = { packet };
    RccRtp rtp;
    guint n = 1;

    g_assert_true (rcc_rtp_parse (packet, &rtp));
    pieces[0].size = rtp.header_size;
    for (gsize at = rtp.header_size; at < packet.size || n < 3; n++) {
      const gsize size = n == 4 ? packet.size - at : rig_draw (&rig, (guint) (packet.size - at + 1));

      pieces[n] = (RccBytes) { packet.data + at, size };
      at += size;
      if (n == 4) {
        n++;
        break;
      }
    }
    g_assert_true (rcc_parity_add (&whole, packet));
    g_assert_true (rcc_parity_add_parts (&cut, &rtp, pieces, n));
    assert_same_block (&whole, &cut);
  }
}

/* Two blocks become what one of all their packets is, wherever it is cut and however far
 * the second one stands off; and where that cannot be, nothing changes. */
static void
merging (void)
{
  static RccParityBlock first, second, all, before;
  Rig rig;

  for (guint cut = 1; cut < 100; cut++) {
    const guint gap = cut % 5;

    rig_init (&rig, cut);
    rcc_parity_init (&first, 110);
    rcc_parity_init (&second, 110);
    rcc_parity_init (&all, 110);
    for (guint i = 0; i < 100; i++) {
      const RccBytes packet = rig_bytes (rig_add (&rig, 7,
              (guint16) (65500 + i + (i < cut ? 0 : gap)), rig_size (&rig)));

      g_assert_true (rcc_parity_add (i < cut ? &first : &second, packet));
      g_assert_true (rcc_parity_add (&all, packet));
    }
    g_assert_true (rcc_parity_merge (&first, &second));
    assert_same_block (&first, &all);
    before = first;
    g_assert_false (rcc_parity_merge (&first, &second));        /* it is in there */
    assert_same_block (&first, &before);
    g_assert_false (rcc_parity_merge (&second, &all));          /* begins before it */
    second.ssrc = 8;
    g_assert_false (rcc_parity_merge (&first, &second));
    assert_same_block (&first, &before);
  }
  rcc_parity_init (&first, 48);
  rcc_parity_init (&second, 48);
  g_assert_true (rcc_parity_merge (&first, &second));
  g_assert_true (rcc_parity_add (&first, rig_bytes (rig_add (&rig, 7, 0, 100))));
  g_assert_true (rcc_parity_add (&second, rig_bytes (rig_add (&rig, 7, 47, 100))));
  g_assert_true (rcc_parity_add (&second, rig_bytes (rig_add (&rig, 7, 48, 100))));
  g_assert_false (rcc_parity_merge (&first, &second));  /* one beyond the span */
  g_assert_cmpuint (first.n, ==, 1);
}

/* The longest packet there is arrives like any other; what is longer is none. */
static void
longest_packet (void)
{
  Rig rig;
  guint8 *bytes = g_malloc0 (65536), *body = g_malloc0 (65536);
  guint8 lost[14] = { 0x80, 96, 0, 11, 0, 0, 0, 0, [12] = 'a', 'b' };

  rig_init (&rig, 91);
  rcc_put32 (lost + 8, MEDIA_SSRC);
  memcpy (bytes, lost, 12);
  bytes[3] = 10;
  bytes[65534] = 'z';
  rig.instead.data = bytes;
  for (gsize size = 65534; size <= 65536; size++) {
    RccParity parity = { .head = rcc_be64 (bytes) ^ rcc_be64 (lost),
      .length = (guint16) ((size - 12) ^ 2), .body = { body, size - 12 }, .n_streams = 1,
      .streams = { { .ssrc = MEDIA_SSRC, .base = 10, .step = 1, .mask = { UINT64_C (3) << 62 } } }
    };
    RccParityResult result;
    guint8 *out;

    memcpy (body, bytes + 12, size - 12);
    body[0] ^= 'a';
    body[1] ^= 'b';
    rig.instead.size = size;
    result = rig_recover (&rig, &parity, &out);
    if (size <= 65535) {
      g_assert_cmpint (result.verdict, ==, RCC_PARITY_RECOVERED);
      g_assert_cmpuint (result.seq, ==, 11);
      g_assert_cmpmem (out, result.size, lost, sizeof lost);
    } else {
      g_assert_cmpint (result.verdict, ==, RCC_PARITY_SHORT);
    }
    g_free (out);
  }
  g_free (bytes);
  g_free (body);
}

/* Of both words of a mask. */
static void
the_longest_span_is_not_overrun (void)
{
  for (guint by = 9; by <= 10; by++) {
    RccParityBlock first, second;
    Rig rig;

    rig_init (&rig, 12);
    rcc_parity_init (&first, 110);
    rcc_parity_init (&second, 110);
    g_assert_true (rcc_parity_add (&first, rig_bytes (rig_add (&rig, 7, 1000, 50))));
    g_assert_true (rcc_parity_add (&second, rig_bytes (rig_add (&rig, 7, 1000 + by, 50))));
    g_assert_true (rcc_parity_add (&second, rig_bytes (rig_add (&rig, 7, 1100 + by, 50))));
    g_assert_cmpint (rcc_parity_merge (&first, &second), ==, by == 9);  /* up to 1109 */
  }
}

static void
streams_are_not_merged (void)
{
  static RccParityBlock first, second;
  Rig rig;

  rig_init (&rig, 13);
  rcc_parity_init (&first, 48);
  rcc_parity_init (&second, 48);
  g_assert_true (rcc_parity_add (&first, rig_bytes (rig_add (&rig, 7, 0, 100))));
  g_assert_true (rcc_parity_add (&second, rig_bytes (rig_add (&rig, 8, 1, 100))));
  g_assert_false (rcc_parity_merge (&first, &second));
  g_assert_cmpuint (first.n, ==, 1);
  g_assert_cmpuint (first.ssrc, ==, 7);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/parity/joining", joining);
  g_test_add_func ("/parity/no-packets", no_packets);
  g_test_add_func ("/parity/used-again", used_again);
  g_test_add_func ("/parity/spans", spans);
  g_test_add_func ("/parity/parts", parts);
  g_test_add_func ("/parity/merging", merging);
  g_test_add_func ("/parity/f1/never-padded", never_padded);
  g_test_add_func ("/parity/f1/no-room", no_room);
  g_test_add_func ("/parity/f1/wrong-length", wrong_length);
  g_test_add_func ("/parity/f2/validated", validated);
  g_test_add_func ("/parity/f2/unknown-payload-type", unknown_payload_type);
  g_test_add_func ("/parity/f2/foreign-packets", foreign_packets);
  g_test_add_func ("/parity/f2/changed-packets", changed_packets);
  g_test_add_func ("/parity/f3/bursts", bursts);
  g_test_add_func ("/parity/protects", protects);
  g_test_add_func ("/parity/longest-packet", longest_packet);
  g_test_add_func ("/parity/the-longest-span", the_longest_span_is_not_overrun);
  g_test_add_func ("/parity/streams-are-not-merged", streams_are_not_merged);
  return g_test_run ();
}
