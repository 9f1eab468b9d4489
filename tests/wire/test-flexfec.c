/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "parity-rig.h"
#include "vectors-fec.h"
#include "wire/flexfec.h"

#define REPAIR_SSRC 0x01020304

static const RccRtp repair = { .pt = 110, .seq = 77, .timestamp = 0x11223344,
  .ssrc = REPAIR_SSRC };

static gboolean
try_parse (const guint8 *packet, gsize size, RccParity *parity)
{
  const RccBytes bytes = { packet, size };
  RccRtp rtp;

  return rcc_rtp_parse (bytes, &rtp) && rcc_flexfec_parse (bytes, &rtp, parity);
}

static guint8 *
built (const RccParityBlock *block, gsize mask, gsize *size)
{
  const gsize want = 16 + 8 + mask + block->size;
  guint8 *packet = g_malloc (want);

  *size = rcc_flexfec_build (packet, want, &repair, block);
  g_assert_cmpuint (*size, ==, want);
  g_assert_cmpuint (rcc_flexfec_build (packet, want - 1, &repair, block), ==, 0);
  g_assert_cmpuint (rcc_flexfec_build (packet, want, &repair, block), ==, want);
  return packet;
}

static void
block_comes_back (Rig *rig, const RccParityBlock *block, gsize mask)
{
  RccParity parity;
  guint8 *packet;
  gsize size;

  packet = built (block, mask, &size);
  g_assert_true (try_parse (packet, size, &parity));
  g_assert_cmpuint (parity.n_streams, ==, 1);
  g_assert_cmpuint (parity.streams[0].ssrc, ==, MEDIA_SSRC);
  assert_each_comes_back (rig, &parity);
  g_free (packet);
}

static gsize
mask_of (guint span)
{
  return span <= 15 ? 4 : span <= 46 ? 8 : 16;
}

static void
every_single_loss (void)
{
  RccParityBlock block;
  Rig rig;

  rig_init (&rig, 1);
  for (guint round = 0; round < 100; round++)
    for (guint n = 1; n <= 16; n++) {
      rcc_parity_init (&block, RCC_FLEXFEC_SPAN_LONG);
      rig_block (&rig, &block, n, (guint16) (65536 - rig_draw (&rig, n + 1)), 0);
      block_comes_back (&rig, &block, mask_of (n));
    }
}

/* Every length of the mask there is, and with holes. */
static void
masks (void)
{
  RccParityBlock block;
  Rig rig;

  rig_init (&rig, 2);
  for (guint n = 1; n <= 110; n++) {
    rcc_parity_init (&block, RCC_FLEXFEC_SPAN_LONGEST);
    rig_block (&rig, &block, n, 65500, 0);
    block_comes_back (&rig, &block, mask_of (n));
  }
  for (guint last = 1; last < 110; last++) {
    rcc_parity_init (&block, RCC_FLEXFEC_SPAN_LONGEST);
    rig.n = 0;
    g_assert_true (rcc_parity_add (&block, rig_bytes (rig_add (&rig, MEDIA_SSRC, 65500, 90))));
    g_assert_true (rcc_parity_add (&block, rig_bytes (rig_add (&rig, MEDIA_SSRC,
                    (guint16) (65500 + last), 80))));
    block_comes_back (&rig, &block, mask_of (last + 1));
  }
}

/* Figure 12, to the bit: packets 10, 24, 25, 55, 56 and 119 have one bit in each
 * corner of the three masks. */
static void
layout (void)
{
  const guint16 seqs[] = { 10, 24, 25, 55, 56, 119 };
  const guint8 want[] = {
    0x81, 110, 0, 77, 0x11, 0x22, 0x33, 0x44, 1, 2, 3, 4, 0xde, 0xad, 0xbe, 0xef,
    0x00, 0x00, 0, 0, 0, 0, 0, 0,       /* R F P X CC M PT, lengths, timestamps: even counts */
    0, 10, 0xc0, 0x01, 0xc0, 0, 0, 0x01, 0x80, 0, 0, 0, 0, 0, 0, 0x01,
    'f', 'l'
  };
  RccParityBlock block;
  guint8 *packet;
  gsize size;

  rcc_parity_init (&block, RCC_FLEXFEC_SPAN_LONGEST);
  for (guint i = 0; i < G_N_ELEMENTS (seqs); i++) {
    guint8 media[14] = { 0x80, 0x80 | 96, seqs[i] >> 8, (guint8) seqs[i], 1, 2, 3, 4,
      0xde, 0xad, 0xbe, 0xef };

    media[12] = i == 0 ? 'f' : 0;
    media[13] = i == 5 ? 'l' : 0;
    g_assert_true (rcc_parity_add (&block, (RccBytes) { media, sizeof media }));
  }
  packet = built (&block, 16, &size);
  g_assert_cmpmem (packet, size, want, sizeof want);
  g_free (packet);
}

/* The head of a repair packet in rows or columns, or with two streams; then @body is
 * the sum of all packets of the rig. */
static guint8 *
by_hand (const Rig *rig, const guint8 *head, gsize head_size, guint8 fec, gsize *size)
{
  const gsize start = head[0] % 16 * 4u + 12;
  gsize longest = 0;
  guint16 length = 0;
  guint64 sum = 0;
  guint8 *packet;

  for (guint i = 0; i < rig->n; i++)
    longest = MAX (longest, rig->packets[i].size - 12);
  *size = head_size + longest;
  packet = g_malloc0 (*size);
  memcpy (packet, head, head_size);
  for (guint i = 0; i < rig->n; i++) {
    const RigPacket *one = &rig->packets[i];

    sum ^= rcc_be64 (one->data);
    length ^= (guint16) (one->size - 12);
    for (gsize at = 12; at < one->size; at++)
      packet[head_size + at - 12] ^= one->data[at];
  }
  packet[start] = (guint8) ((sum >> 56 & 0x3f) | fec);
  packet[start + 1] = (guint8) (sum >> 48);
  rcc_put16 (packet + start + 2, length);
  rcc_put32 (packet + start + 4, (guint32) sum);
  return packet;
}

static void
rows_come_back (Rig *rig, guint16 base, guint8 l, guint8 d, guint step, guint n)
{
  guint8 head[28] = { 0x81, 110, [12] = 0xde, 0xad, 0xbe, 0xef, [24] = base >> 8,
    (guint8) base, l, d };
  RccParity parity;
  guint8 *packet;
  gsize size;

  rig->n = 0;
  for (guint i = 0; i < n; i++)
    rig_add (rig, MEDIA_SSRC, (guint16) (base + i * step), rig_size (rig));
  packet = by_hand (rig, head, sizeof head, 0x40, &size);
  g_assert_true (try_parse (packet, size, &parity));
  assert_each_comes_back (rig, &parity);
  g_assert_false (rcc_parity_protects (&parity, MEDIA_SSRC, (guint16) (base + n * step)));
  g_assert_false (rcc_parity_protects (&parity, MEDIA_SSRC, (guint16) (base - 1)));
  g_free (packet);
}

/* Figure 14. */
static void
rows_and_columns (void)
{
  Rig rig;

  rig_init (&rig, 3);
  rows_come_back (&rig, 65530, 1, 0, 1, 1);
  rows_come_back (&rig, 65530, 10, 0, 1, 10);
  rows_come_back (&rig, 65530, 10, 1, 1, 10);
  rows_come_back (&rig, 65530, 10, 2, 10, 2);
  rows_come_back (&rig, 65530, 10, 10, 10, 10);
  rows_come_back (&rig, 65530, 1, 5, 1, 5);
  rows_come_back (&rig, 65530, 64, 0, 1, 64);
  rows_come_back (&rig, 65530, 65, 1, 1, 65);
  rows_come_back (&rig, 65530, 255, 0, 1, 255);
  rows_come_back (&rig, 65530, 255, 255, 255, 255);
}

/* Its base is far before the only packet: the first of the mask's words is zero. */
static void
a_mask_of_its_last_bits_alone (void)
{
  const guint8 head[40] = { 0x81, 110, [12] = 0xde, 0xad, 0xbe, 0xef, [25] = 10, 0x80, 0, 0x80,
    [38] = 0x02 };
  RccParity parity;
  guint8 *packet;
  gsize size;
  Rig rig;

  rig_init (&rig, 5);
  rig_add (&rig, MEDIA_SSRC, 10 + 100, 90);
  packet = by_hand (&rig, head, sizeof head, 0, &size);
  g_assert_true (try_parse (packet, size, &parity));
  assert_each_comes_back (&rig, &parity);
  packet[38] = 0;                       /* and none is refused */
  g_assert_false (try_parse (packet, size, &parity));
  g_free (packet);
}

/* Two streams below one parity: the packet that is lost belongs to either, and both
 * may have the same sequence number. */
static void
two_streams (void)
{
  const guint8 masked[] = { 0x82, 110, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 6,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 10, 0x70, 0, 0xff, 0xff, 0xc0, 0, 0, 0, 0, 2 };
  const guint8 fixed[] = { 0x82, 110, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 6,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 10, 3, 0, 0xff, 0xff, 45, 2 };
  RccParity parity;
  guint8 *packet;
  gsize size;
  Rig rig;

  rig_init (&rig, 4);
  for (guint i = 0; i < 3; i++)
    rig_add (&rig, 5, (guint16) (10 + i), rig_size (&rig));
  rig_add (&rig, 6, 65535, rig_size (&rig));
  rig_add (&rig, 6, 44, rig_size (&rig));
  packet = by_hand (&rig, fixed, sizeof fixed, 0x40, &size);
  g_assert_true (try_parse (packet, size, &parity));
  g_assert_cmpuint (parity.n_streams, ==, 2);
  assert_each_comes_back (&rig, &parity);
  g_free (packet);
  rcc_put16 (rig.packets[4].data + 2, 43);      /* 65535 + 44: the last but one bit of 46 */
  rig.packets[4].seq = 43;
  packet = by_hand (&rig, masked, sizeof masked, 0, &size);
  g_assert_true (try_parse (packet, size, &parity));
  assert_each_comes_back (&rig, &parity);
  g_free (packet);
}

static void
refused (void)
{
  const Vector vectors[] = { RCC_FLEXFEC_VECTORS (VECTOR) };
  RccParity parity;

  for (guint i = 0; i < G_N_ELEMENTS (vectors); i++) {
    const RccBytes bytes = { g_memdup2 (vectors[i].data, vectors[i].size), vectors[i].size };
    RccRtp rtp;

    g_test_message ("%s", vectors[i].name);
    g_assert_true (rcc_rtp_parse (bytes, &rtp));
    g_assert_false (rcc_flexfec_parse (bytes, &rtp, &parity));
    g_assert_cmpuint (parity.n_streams, ==, 0);
    g_free ((guint8 *) bytes.data);
  }
}

/* Padding of the repair packet is not part of the body. */
static void
own_padding (void)
{
  RccParityBlock block;
  RccParity parity;
  guint8 *packet;
  gsize size;
  Rig rig;

  rig_init (&rig, 5);
  rcc_parity_init (&block, RCC_FLEXFEC_SPAN);
  rig_block (&rig, &block, 10, 65530, 0);
  packet = built (&block, 4, &size);
  packet = g_realloc (packet, size + 4);
  memset (packet + size, 0xee, 3);
  packet[size + 3] = 4;
  packet[0] |= 0x20;
  g_assert_true (try_parse (packet, size + 4, &parity));
  g_assert_cmpuint (parity.body.size, ==, block.size);
  assert_each_comes_back (&rig, &parity);
  g_free (packet);
}

/* Cut anywhere: refused while the head is there, and never a packet with less than all
 * its bytes after that. */
static void
cut (void)
{
  RccParityBlock block;
  RccParity parity;
  guint8 *packet;
  gsize size;
  Rig rig;

  rig_init (&rig, 6);
  for (guint span = 15; span <= 110; span += 31) {
    rcc_parity_init (&block, span);
    rig_block (&rig, &block, span, 65530, 0);
    rig.packets[0].lost = TRUE;
    packet = built (&block, mask_of (span), &size);
    for (gsize part = 0; part < size; part++) {
      const gboolean whole = part >= 24 + mask_of (span);

      g_assert_cmpint (try_parse (packet, part, &parity), ==, whole);
      if (whole && part < size - block.size + rig.packets[0].size - 12)
        assert_verdict (&rig, &parity, RCC_PARITY_REFUSED);
    }
    g_free (packet);
  }
}

static void
cut_in_rows (void)
{
  const guint8 heads[2][36] = {
    { 0x81, 110, [12] = 0xde, 0xad, 0xbe, 0xef, [24] = 0, 10, 5, 0 },
    { 0x82, 110, [12] = 0xde, 0xad, 0xbe, 0xef, 0, 0, 0, 6, [28] = 0, 10, 5, 0, 0, 10, 5, 3 },
  };
  static const gsize sizes[] = { 28, 36 };

  for (guint i = 0; i < 2; i++) {
    Rig rig;
    RccParity parity;
    guint8 *packet;
    gsize size;

    rig_init (&rig, 7);
    for (guint k = 0; k < 5; k++)
      rig_add (&rig, MEDIA_SSRC, (guint16) (10 + k), rig_size (&rig));
    packet = by_hand (&rig, heads[i], sizes[i], 0x40, &size);
    for (gsize part = 0; part <= size; part++) {
      guint8 *heap = g_memdup2 (packet, part);  /* its own block: an over-read shows */

      g_assert_cmpint (try_parse (heap, part, &parity), ==, part >= sizes[i]);
      if (part >= sizes[i])
        g_assert_cmpuint (parity.body.size, ==, part - sizes[i]);
      g_free (heap);
    }
    g_free (packet);
  }
}

/* As much of it as the packet has: what is left is head and body, or too little. */
static void
padding_of_any_length (void)
{
  RccParityBlock block;
  RccParity parity;
  guint8 *packet;
  gsize size;
  Rig rig;

  rig_init (&rig, 8);
  rcc_parity_init (&block, RCC_FLEXFEC_SPAN);
  for (guint i = 0; i < 10; i++) {
    rig.n = 0;
    g_assert_true (rcc_parity_add (&block, rig_bytes (rig_add (&rig, MEDIA_SSRC,
                    (guint16) (10 + i), 150))));
  }
  packet = built (&block, 4, &size);
  packet[0] |= 0x20;
  for (guint count = 0; count < 256; count++) {
    const gsize payload = size - 16;
    const gboolean fits = count > 0 && count <= payload && payload - count >= 8 + 4;

    packet[size - 1] = (guint8) count;
    g_assert_cmpint (try_parse (packet, size, &parity), ==, fits);
    if (fits)
      g_assert_cmpuint (parity.body.size, ==, payload - count - 12);
  }
  g_free (packet);
}

static void
nothing_to_build (void)
{
  guint8 out[100];
  RccParityBlock block;

  rcc_parity_init (&block, 15);
  g_assert_cmpuint (rcc_flexfec_build (out, sizeof out, &repair, &block), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/flexfec/every-single-loss", every_single_loss);
  g_test_add_func ("/flexfec/masks", masks);
  g_test_add_func ("/flexfec/layout", layout);
  g_test_add_func ("/flexfec/rows-and-columns", rows_and_columns);
  g_test_add_func ("/flexfec/two-streams", two_streams);
  g_test_add_func ("/flexfec/a-mask-of-its-last-bits", a_mask_of_its_last_bits_alone);
  g_test_add_func ("/flexfec/own-padding", own_padding);
  g_test_add_func ("/flexfec/nothing-to-build", nothing_to_build);
  g_test_add_func ("/flexfec/f1/refused", refused);
  g_test_add_func ("/flexfec/f1/cut", cut);
  g_test_add_func ("/flexfec/padding-of-any-length", padding_of_any_length);
  g_test_add_func ("/flexfec/f1/cut-in-rows", cut_in_rows);
  return g_test_run ();
}
