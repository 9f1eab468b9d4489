/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "parity-rig.h"
#include "vectors-fec.h"
#include "wire/ulpfec.h"

/* A packet whose payload is its own heap block: a byte too far is one beyond it. */
static RccParity
parsed (guint8 *payload, gsize size)
{
  RccParity parity;

  g_assert_true (rcc_ulpfec_parse ((RccBytes) { payload, size }, MEDIA_SSRC, &parity));
  g_assert_cmpuint (parity.n_streams, ==, 1);
  return parity;
}

static guint8 *
built (const RccParityBlock *block, gsize *size)
{
  const gsize head = block->mask[0] << 16 ? 18 : 14;
  guint8 *payload = g_malloc (head + block->size);

  *size = rcc_ulpfec_build (payload, head + block->size, block);
  g_assert_cmpuint (*size, ==, head + block->size);
  g_assert_cmpuint (rcc_ulpfec_build (payload, *size - 1, block), ==, 0);
  g_assert_cmpuint (rcc_ulpfec_build (payload, *size, block), ==, *size);
  return payload;
}

static void
block_comes_back (Rig *rig, const RccParityBlock *block)
{
  RccParity parity;
  guint8 *payload;
  gsize size;

  payload = built (block, &size);
  parity = parsed (payload, size);
  g_assert_cmpuint (parity.streams[0].ssrc, ==, MEDIA_SSRC);
  g_assert_cmpuint (parity.streams[0].base, ==, block->base);
  assert_each_comes_back (rig, &parity);
  g_free (payload);
}

/* Every loss of one packet, blocks of 1 to 16, sizes of 12 to 1500 mixed, with every
 * part that a packet may have; the sequence wraps inside the block every time. */
static void
every_single_loss (void)
{
  RccParityBlock block;
  Rig rig;

  rig_init (&rig, 1);
  for (guint round = 0; round < 100; round++)
    for (guint n = 1; n <= 16; n++) {
      rcc_parity_init (&block, RCC_ULPFEC_SPAN);
      rig_block (&rig, &block, n, (guint16) (65536 - rig_draw (&rig, n + 1)), 0);
      block_comes_back (&rig, &block);
    }
}

static void
gaps_in_the_block (void)
{
  guint with_gaps = 0;
  RccParityBlock block;
  Rig rig;

  rig_init (&rig, 2);
  for (guint round = 0; round < 300; round++) {
    const guint n = 2 + round % 7;

    rcc_parity_init (&block, RCC_ULPFEC_SPAN);
    rig_block (&rig, &block, n, (guint16) (65536 - rig_draw (&rig, 16)), 15 / (n - 1) - 1);
    with_gaps += block.mask[0] != ~(~UINT64_C (0) >> n);
    block_comes_back (&rig, &block);
  }
  g_assert_cmpuint (with_gaps, >, 200);
}

static void
forty_eight (void)
{
  RccParityBlock block;
  Rig rig;

  rig_init (&rig, 3);
  for (guint n = 17; n <= 48; n++) {
    rcc_parity_init (&block, RCC_ULPFEC_SPAN_LONG);
    rig_block (&rig, &block, n, 65530, 0);
    block_comes_back (&rig, &block);
  }
  rcc_parity_init (&block, RCC_ULPFEC_SPAN_LONG);
  rig_block (&rig, &block, 12, 65530, 3);
  block_comes_back (&rig, &block);
}

static void
nothing_to_build (void)
{
  static guint8 out[4096];
  RccParityBlock block;
  Rig rig;

  rig_init (&rig, 4);
  rcc_parity_init (&block, 16);
  g_assert_cmpuint (rcc_ulpfec_build (out, sizeof out, &block), ==, 0);
  rcc_parity_init (&block, 110);
  rig_block (&rig, &block, 48, 0, 0);
  g_assert_cmpuint (rcc_ulpfec_build (out, sizeof out, &block), >, 0);
  g_assert_true (rcc_parity_add (&block, rig_bytes (rig_add (&rig, MEDIA_SSRC, 48, 100))));
  g_assert_cmpuint (rcc_ulpfec_build (out, sizeof out, &block), ==, 0);
  rcc_parity_init (&block, 110);
  rig.n = 0;
  g_assert_true (rcc_parity_add (&block, rig_bytes (rig_add (&rig, MEDIA_SSRC, 0, 100))));
  g_assert_true (rcc_parity_add (&block, rig_bytes (rig_add (&rig, MEDIA_SSRC, 64, 100))));
  g_assert_cmpuint (rcc_ulpfec_build (out, sizeof out, &block), ==, 0);
}

/* The four packets of RFC 5109 section 10. */
static void
rfc_packets (Rig *rig)
{
  const gsize payload[] = { 200, 140, 100, 340 };
  const guint8 types[] = { 0x80 | 11, 18, 0x80 | 11, 18 };

  rig->n = 0;
  for (guint i = 0; i < 4; i++) {
    RigPacket *packet = rig_add (rig, MEDIA_SSRC, (guint16) (8 + i), 12 + payload[i]);

    packet->data[0] = 0x80;
    packet->data[1] = types[i];
    rcc_put32 (packet->data + 4, 3 + 2 * i);
  }
}

static void
rfc_example_10_1 (void)
{
  const guint8 want[] = { 0, 0, 0, 8, 0, 0, 0, 8, 0x01, 0x74,  /* Figure 8: 372 */
    0x01, 0x54, 0xf0, 0x00 };                                   /* Figure 9: 340 */
  RccParityBlock block;
  guint8 *payload;
  gsize size;
  Rig rig;

  rig_init (&rig, 5);
  rfc_packets (&rig);
  rcc_parity_init (&block, 16);
  for (guint i = 0; i < 4; i++)
    g_assert_true (rcc_parity_add (&block, rig_bytes (&rig.packets[i])));
  payload = built (&block, &size);
  g_assert_cmpuint (size, ==, 354);
  g_assert_cmpmem (payload, sizeof want, want, sizeof want);
  for (guint i = 0; i < 340; i++) {
    guint8 sum = 0;

    for (guint p = 0; p < 4; p++)
      sum ^= 12 + i < rig.packets[p].size ? rig.packets[p].data[12 + i] : 0;
    g_assert_cmpuint (payload[14 + i], ==, sum);
  }
  g_free (payload);
  block_comes_back (&rig, &block);
}

/* Adds level @n's header and body of @length bytes from @from on over @mask's packets. */
static gsize
put_level (guint8 *p, const Rig *rig, gsize from, gsize length, guint mask)
{
  memset (p + 4, 0, length);
  rcc_put16 (p, (guint16) length);
  rcc_put16 (p + 2, (guint16) mask);
  for (guint i = 0; i < rig->n; i++)
    for (gsize at = 0; at < length && mask >> (15 - i) & 1; at++)
      if (from + at < rig->packets[i].size)
        p[4 + at] ^= rig->packets[i].data[from + at];
  return 4 + length;
}

/* Packet #2 of section 10.2: C and D at level 0, all four at level 1.  Level 0 alone
 * covers neither, so neither may be delivered; a D of 60 bytes comes back. */
static void
rfc_example_10_2 (void)
{
  guint8 payload[10 + 74 + 94] = { 0, 25, 0, 8, 0, 0, 0, 14, 0x01, 0x30 };     /* Figure 15 */
  RccParityResult result;
  RccParity parity;
  guint8 *out;
  Rig rig;

  rig_init (&rig, 6);
  rfc_packets (&rig);
  payload[1] |= 0x80;                   /* M of C; the figure has the sum of all four */
  put_level (payload + 10, &rig, 12, 70, 12288);
  put_level (payload + 84, &rig, 82, 90, 61440);
  parity = parsed (payload, sizeof payload);
  g_assert_cmpuint (parity.body.size, ==, 70);
  g_assert_false (rcc_parity_protects (&parity, MEDIA_SSRC, 9));
  assert_verdict (&rig, &parity, RCC_PARITY_COMPLETE);
  rig.packets[0].lost = TRUE;           /* not below level 0: no matter */
  assert_verdict (&rig, &parity, RCC_PARITY_COMPLETE);
  for (guint i = 2; i < 4; i++) {
    rig.packets[i].lost = TRUE;
    assert_verdict (&rig, &parity, RCC_PARITY_REFUSED);
    rig.packets[i].lost = FALSE;
  }
  rig.packets[3].size = 60;
  rcc_put16 (payload + 8, 100 ^ 48);
  put_level (payload + 10, &rig, 12, 70, 12288);
  rig.packets[3].lost = TRUE;
  result = rig_recover (&rig, &parity, &out);
  g_assert_cmpint (result.verdict, ==, RCC_PARITY_REFUSED);    /* parsed before the change */
  g_free (out);
  parity = parsed (payload, sizeof payload);
  result = rig_recover (&rig, &parity, &out);
  g_assert_cmpint (result.verdict, ==, RCC_PARITY_RECOVERED);
  g_assert_cmpmem (out, result.size, rig.packets[3].data, 60);
  g_free (out);
}

/* 7.3: "SHALL be set to 0, and SHOULD be ignored by the receiver". */
static void
extension_bit (void)
{
  RccParityBlock block;
  RccParity parity;
  guint8 *payload;
  gsize size;
  Rig rig;

  rig_init (&rig, 7);
  rcc_parity_init (&block, 16);
  rig_block (&rig, &block, 10, 65530, 0);
  payload = built (&block, &size);
  g_assert_cmpuint (payload[0] & 0xc0, ==, 0);
  payload[0] |= 0x80;
  parity = parsed (payload, size);
  assert_each_comes_back (&rig, &parity);
  g_free (payload);
}

static void
refused (void)
{
  const Vector vectors[] = { RCC_ULPFEC_VECTORS (VECTOR) };
  RccParity parity;

  for (guint i = 0; i < G_N_ELEMENTS (vectors); i++) {
    const gsize size = vectors[i].size - 12;
    guint8 *payload = g_malloc (MAX (size, 1));

    memcpy (payload, vectors[i].data + 12, size);
    g_test_message ("%s", vectors[i].name);
    g_assert_false (rcc_ulpfec_parse ((RccBytes) { payload, size }, 3, &parity));
    g_assert_cmpuint (parity.n_streams, ==, 0);
    g_free (payload);
  }
}

/* A packet cut anywhere is refused, and so is one that grew. */
static void
cut (void)
{
  RccParityBlock block;
  RccParity parity;
  guint8 *payload;
  gsize size;
  Rig rig;

  rig_init (&rig, 8);
  for (guint span = 16; span <= 48; span += 32) {
    rcc_parity_init (&block, span);
    rig_block (&rig, &block, span, 65530, 0);
    payload = built (&block, &size);
    for (gsize part = 0; part < size; part++)
      g_assert_false (rcc_ulpfec_parse ((RccBytes) { payload, part }, 3, &parity));
    payload = g_realloc (payload, size + 3);
    memset (payload + size, 0, 3);
    for (gsize more = 1; more <= 3; more++)
      g_assert_false (rcc_ulpfec_parse ((RccBytes) { payload, size + more }, 3, &parity));
    g_free (payload);
  }
}

/* Row F1: honest protection lengths at both ends, a base half the range away from all
 * that is there, a full mask over nothing, a parity of more than any packet. */
static void
odd_but_well_formed (void)
{
  static guint8 payload[14 + 65000];
  const guint8 empty[] = { 0, 96, 0, 10, 0, 0, 0, 5, 0, 0, LEVEL (0, 0x8000) };
  RccParityBlock block;
  RccParityResult result;
  RccParity parity;
  guint8 *out;
  Rig rig;

  rig_init (&rig, 9);
  parity = parsed ((guint8 *) empty, sizeof empty);
  result = rig_recover (&rig, &parity, &out);   /* packet 10 was a bare header */
  g_assert_cmpint (result.verdict, ==, RCC_PARITY_RECOVERED);
  g_assert_cmpuint (result.size, ==, 12);
  g_assert_cmpuint (rcc_be16 (out + 2), ==, 10);
  g_assert_cmpuint (rcc_be32 (out + 4), ==, 5);
  g_assert_cmpuint (rcc_be32 (out + 8), ==, MEDIA_SSRC);
  g_free (out);

  rcc_parity_init (&block, 16);
  rig_block (&rig, &block, 16, 100, 0);
  rcc_ulpfec_build (payload, sizeof payload, &block);
  rcc_put16 (payload + 2, (guint16) (100 + 32768));
  parity = parsed (payload, 14 + block.size);
  assert_verdict (&rig, &parity, RCC_PARITY_SHORT);

  memset (payload, 0xff, sizeof payload);
  payload[0] = 0x3f;
  rcc_put16 (payload + 10, 65000);
  parity = parsed (payload, sizeof payload);
  assert_verdict (&rig, &parity, RCC_PARITY_SHORT);
  rcc_put16 (payload + 12, 0x8000);
  parity = parsed (payload, sizeof payload);
  {
    const RccParitySource source = { rig_lookup, NULL, &rig };
    guint8 room[RCC_PARITY_PACKET_MAX];

    result = rcc_parity_recover (&parity, &source, room, sizeof room);
    g_assert_cmpint (result.verdict, ==, RCC_PARITY_REFUSED);
  }
}

/* Row F2: parity over an FEC packet's number, as a shared sequence space has: it is no
 * media, so nothing is ever made up for it. */
static void
its_own_number (void)
{
  RccParityBlock block;
  RccParity parity;
  guint8 *payload;
  gsize size;
  Rig rig;

  rig_init (&rig, 10);
  rcc_parity_init (&block, 16);
  rig_block (&rig, &block, 5, 100, 0);
  payload = built (&block, &size);
  payload[12] |= 0x04;                  /* 105 */
  parity = parsed (payload, size);
  rig.packets[2].lost = TRUE;
  assert_verdict (&rig, &parity, RCC_PARITY_SHORT);
  g_free (payload);
}

static void
from_gstreamer (const Vector *vectors, guint n, guint8 fec_head)
{
  RccParityBlock block;
  RccParity parity;
  guint8 *payload;
  gsize size;
  Rig rig;
  RccRtp rtp;

  rig_init (&rig, 11);
  rcc_parity_init (&block, RCC_ULPFEC_SPAN_LONG);
  for (guint i = 0; i + 1 < n; i++) {
    RigPacket *packet = &rig.packets[rig.n++];

    memcpy (packet->data, vectors[i].data, vectors[i].size);
    packet->size = vectors[i].size;
    packet->seq = rcc_be16 (packet->data + 2);
    packet->ssrc = MEDIA_SSRC;
    g_assert_true (rcc_parity_add (&block, rig_bytes (packet)));
  }
  g_assert_true (rcc_rtp_parse ((RccBytes) { vectors[n - 1].data, vectors[n - 1].size }, &rtp));
  g_assert_cmpuint (rtp.pt, ==, 100);
  g_assert_cmpuint (rtp.header_size, ==, 12);
  parity = parsed ((guint8 *) vectors[n - 1].data + 12, vectors[n - 1].size - 12);
  assert_each_comes_back (&rig, &parity);
  payload = built (&block, &size);      /* and ours is theirs */
  g_assert_cmpmem (payload, size, vectors[n - 1].data + 12, vectors[n - 1].size - 12);
  g_assert_cmpuint (payload[0] & 0x40, ==, fec_head);
  g_free (payload);
}

static void
gstreamer_blocks (void)
{
  const Vector five[] = { RCC_GST_BLOCK (VECTOR) }, twenty[] = { RCC_GST_LONG_BLOCK (VECTOR) };

  from_gstreamer (five, G_N_ELEMENTS (five), 0);
  from_gstreamer (twenty, G_N_ELEMENTS (twenty), 0x40);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ulpfec/every-single-loss", every_single_loss);
  g_test_add_func ("/ulpfec/gaps-in-the-block", gaps_in_the_block);
  g_test_add_func ("/ulpfec/forty-eight", forty_eight);
  g_test_add_func ("/ulpfec/nothing-to-build", nothing_to_build);
  g_test_add_func ("/ulpfec/rfc-example-10.1", rfc_example_10_1);
  g_test_add_func ("/ulpfec/rfc-example-10.2", rfc_example_10_2);
  g_test_add_func ("/ulpfec/gstreamer", gstreamer_blocks);
  g_test_add_func ("/ulpfec/f1/refused", refused);
  g_test_add_func ("/ulpfec/f1/cut", cut);
  g_test_add_func ("/ulpfec/f1/extension-bit", extension_bit);
  g_test_add_func ("/ulpfec/f1/odd-but-well-formed", odd_but_well_formed);
  g_test_add_func ("/ulpfec/f2/its-own-number", its_own_number);
  return g_test_run ();
}
