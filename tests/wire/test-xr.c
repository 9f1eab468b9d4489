/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire-test.h"
#include "wire/xr.h"

/* A null block, a receiver reference time (BT 4), one of a type nobody knows. */
static const guint8 three[] = {
  0x80, 207, 0, 8, 0x11, 0x22, 0x33, 0x44,
  9, 1, 0, 0,
  4, 0, 0, 2, 1, 2, 3, 4, 5, 6, 7, 8,
  200, 0x7f, 0, 2, 9, 9, 9, 9, 8, 8, 8, 8,
};

static void
walks_what_it_does_not_know (void)
{
  const RccRtcpPacket packet = only_packet (ALL (three));
  RccXrBlock block;
  RccXr xr;

  g_assert_true (rcc_xr_parse (&packet, &xr));
  g_assert_cmphex (xr.ssrc, ==, 0x11223344);
  g_assert_true (rcc_xr_next (&xr.blocks, &block));
  g_assert_cmpuint (block.type, ==, 9);
  g_assert_cmpuint (block.specific, ==, 1);
  g_assert_cmpuint (block.body.size, ==, 0);
  g_assert_true (rcc_xr_next (&xr.blocks, &block));
  g_assert_cmpuint (block.type, ==, 4);
  g_assert_cmpuint (block.body.size, ==, 8);
  g_assert_cmpuint (block.body.data[0], ==, 1);
  g_assert_true (rcc_xr_next (&xr.blocks, &block));
  g_assert_cmpuint (block.type, ==, 200);
  g_assert_cmpuint (block.specific, ==, 0x7f);
  g_assert_false (rcc_xr_next (&xr.blocks, &block));
  g_assert_cmpuint (xr.blocks.size, ==, 0);
}

/* C5: what claims more than is there ends the walk; what stood before it was read. */
static void
stops_where_a_length_lies (void)
{
  static const guint16 lies[] = { 3, 255, 0x7fff, 65535 };
  guint8 bytes[sizeof three];
  RccRtcpPacket packet;
  RccXrBlock block;
  RccXr xr;

  for (guint i = 0; i < G_N_ELEMENTS (lies); i++) {
    memcpy (bytes, three, sizeof bytes);
    rcc_put16 (bytes + sizeof bytes - 10, lies[i]);
    packet = only_packet (ALL (bytes));
    g_assert_true (rcc_xr_parse (&packet, &xr));
    g_assert_true (rcc_xr_next (&xr.blocks, &block));
    g_assert_true (rcc_xr_next (&xr.blocks, &block));
    g_assert_false (rcc_xr_next (&xr.blocks, &block));
    g_assert_false (rcc_xr_next (&xr.blocks, &block));
    g_assert_cmpuint (xr.blocks.size, ==, 12);
  }
}

static void
refuses_what_is_none (void)
{
  static const guint8 no_ssrc[] = { 0x80, 207, 0, 0 };
  static const guint8 other[] = { 0x80, 204, 0, 1, 1, 2, 3, 4 };
  RccRtcpPacket packet = only_packet (ALL (no_ssrc));
  RccXr xr;

  g_assert_false (rcc_xr_parse (&packet, &xr));
  packet = only_packet (ALL (other));
  g_assert_false (rcc_xr_parse (&packet, &xr));
}

/* Every cut of every prefix, from an allocation that ends there. */
static void
reads_no_byte_beyond (void)
{
  for (gsize size = 8; size <= sizeof three; size += 4)
    for (guint length = 0; length < 16; length++) {
      g_autofree guint8 *heap = g_memdup2 (three, size);
      RccRtcpPacket packet;
      RccXrBlock block;
      gsize walked = 8;
      RccXr xr;

      rcc_put16 (heap + 2, (guint16) (size / 4 - 1));
      if (size >= 24)
        rcc_put16 (heap + 14, (guint16) length);
      packet = only_packet (heap, size);
      g_assert_true (rcc_xr_parse (&packet, &xr));
      while (rcc_xr_next (&xr.blocks, &block))
        walked += 4 + block.body.size;
      g_assert_cmpuint (walked + xr.blocks.size, ==, size);
    }
}

static void
builds_what_it_reads (void)
{
  guint8 bytes[sizeof three];
  RccXrBlock blocks[3];
  gsize used = rcc_xr_begin (ALL (bytes), 0x11223344);
  const RccRtcpPacket packet = only_packet (ALL (three));
  RccXr xr;

  rcc_xr_parse (&packet, &xr);
  for (guint i = 0; i < 3; i++) {
    g_assert_true (rcc_xr_next (&xr.blocks, &blocks[i]));
    only_packet (bytes, used);          /* whole at every step */
    used = rcc_xr_add (ALL (bytes), used, &blocks[i]);
  }
  g_assert_cmpmem (bytes, used, three, sizeof three);
  g_assert_cmpuint (rcc_xr_add (ALL (bytes), used, &blocks[0]), ==, 0);
  g_assert_cmpmem (bytes, used, three, sizeof three);
  blocks[1].body.size = 7;
  g_assert_cmpuint (rcc_xr_add (ALL (bytes), 8, &blocks[1]), ==, 0);
  g_assert_cmpuint (rcc_xr_begin (bytes, 7, 1), ==, 0);
}

/* 3: a block's length counts no header word, so 0 is the least. */
static void
the_last_block_may_have_no_body (void)
{
  static const guint8 bytes[] = { 0x80, 207, 0, 2, 0x11, 0x22, 0x33, 0x44, 9, 1, 0, 0 };
  const RccRtcpPacket packet = only_packet (ALL (bytes));
  RccXrBlock block;
  RccXr xr;

  g_assert_true (rcc_xr_parse (&packet, &xr));
  g_assert_true (rcc_xr_next (&xr.blocks, &block));
  g_assert_cmpuint (block.type, ==, 9);
  g_assert_cmpuint (block.body.size, ==, 0);
  g_assert_false (rcc_xr_next (&xr.blocks, &block));
}

/* RFC 3550 6.4.1: the length of a packet is 16 bits of words minus one. */
static void
a_packet_has_65536_words_at_most (void)
{
  const gsize most = 65536 * 4;
  g_autofree guint8 *bytes = g_malloc0 (most + 4), *body = g_malloc0 (most);
  RccXrBlock block = { .type = 200, .body = { body, most - 8 - 4 } };
  gsize used = rcc_xr_begin (bytes, most + 4, 0x11223344);

  g_assert_cmpuint (rcc_xr_room (most + 4, used), ==, block.body.size);
  g_assert_cmpuint (rcc_xr_add (bytes, most + 4, used, &block), ==, most);
  only_packet (bytes, most);
  block.body.size += 4;
  g_assert_cmpuint (rcc_xr_add (bytes, most + 4, used, &block), ==, 0);
}

/* 0 bytes used is a packet that there was no room to begin: nothing joins it. */
static void
nothing_joins_what_was_not_begun (void)
{
  const guint8 body[4] = { 0 };
  const RccXrBlock block = { .type = 4, .body = { body, sizeof body } };
  guint8 bytes[100], before[100];

  memset (bytes, 0xee, sizeof bytes);
  memcpy (before, bytes, sizeof bytes);
  g_assert_cmpuint (rcc_xr_begin (bytes, 4, 7), ==, 0);
  g_assert_cmpuint (rcc_xr_add (bytes, sizeof bytes, 0, &block), ==, 0);
  g_assert_cmpmem (bytes, sizeof bytes, before, sizeof before);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, func) g_test_add_func ("/xr/" path, func)
  ADD ("not-begun", nothing_joins_what_was_not_begun);
  ADD ("walks-what-it-does-not-know", walks_what_it_does_not_know);
  ADD ("stops-where-a-length-lies", stops_where_a_length_lies);
  ADD ("refuses-what-is-none", refuses_what_is_none);
  ADD ("reads-no-byte-beyond", reads_no_byte_beyond);
  ADD ("builds-what-it-reads", builds_what_it_reads);
  ADD ("the-last-block-may-have-no-body", the_last_block_may_have_no_body);
  ADD ("a-packet-has-65536-words-at-most", a_packet_has_65536_words_at_most);
  return g_test_run ();
}
