/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The parity of rtpfbrafec, byte for byte, and what it leaves alone. */
#include "fbra-repair.h"
#include "tuning.h"

#define SEED 5

static const guint intervals[] = { 2, 3, 5, 14, 17, 48 };

TEST_EACH (test_among_the_media, G_N_ELEMENTS (intervals))
{
  const guint n = intervals[__i__];
  g_autoptr (Rig) rig = rig_new (VIDEO_CAPS, PROBING, "tuning",
      tuning ("fec-interval-max=48,fec-interval-min=%u", n), NULL);
  RccRng rng;

  rcc_rng_init (&rng, SEED, n);
  rig->seq = 65000;             /* over the wrap */
  want_more (rig);
  push_any (rig, &rng, 1000);
  fail_unless_equals_int (rig->left->len, 1000 + 1000 / n);
  fail_unless_equals_int (check_all (rig, FALSE), 1000 / n * n);
  check_numbers (rig, SSRC, 1000 + 1000 / n);
  fail_unless_equals_uint64 (rig_stat (rig, "fec-packets-sent"), 1000 / n);
  fail_unless_equals_uint64 (rig_stat (rig, "packets-sent"), 1000);
}

/* Parity has the timestamps of the packet it follows, which is its block's last one. */
TEST (test_place)
{
  g_autoptr (Rig) rig = rig_new (VIDEO_CAPS, PROBING, "tuning",
      tuning ("fec-interval-max=48,fec-interval-min=5"), NULL);

  want_more (rig);
  for (guint i = 0; i < 20; i++)
    rig_push (rig, 100 + i);
  for (guint i = 0; i < rig->left->len; i++) {
    guint8 head[12], before[12];

    fail_unless_equals_int (rig_is_parity (rig->left->pdata[i]), i % 6 == 5);
    if (i % 6 != 5)
      continue;
    gst_buffer_extract (rig->left->pdata[i], 0, head, 12);
    gst_buffer_extract (rig->left->pdata[i - 1], 0, before, 12);
    fail_unless_equals_int (rcc_be32 (head + 4), rcc_be32 (before + 4));
    fail_unless_equals_uint64 (GST_BUFFER_PTS (rig->left->pdata[i]),
        GST_BUFFER_PTS (rig->left->pdata[i - 1]));
    fail_unless_equals_uint64 (GST_BUFFER_DTS (rig->left->pdata[i]),
        GST_BUFFER_DTS (rig->left->pdata[i - 1]));
  }
}

/* On fec_src, in either format: the media is what it was, to the byte. */
TEST_EACH (test_apart, 2 * G_N_ELEMENTS (intervals))
{
  const guint n = intervals[__i__ % 6];
  const gboolean flexfec = __i__ >= 6;
  g_autoptr (Rig) rig = rig_new_fec (VIDEO_CAPS, PROBING, "tuning",
      tuning ("fec-interval-max=48,fec-interval-min=%u", n), "fec-format",
      flexfec, "fec-ssrc", 77, NULL);
  GPtrArray *was = g_ptr_array_new_with_free_func ((GDestroyNotify) gst_buffer_unref);
  guint media = 0;
  RccRng rng;

  rcc_rng_init (&rng, SEED, n);
  want_more (rig);
  rig->seq = 65500;
  for (guint i = 0; i < 600; i++) {
    GstBuffer *buffer = any_packet (&rng, rig->seq++, i % 3 == 2, 1 + i % 4);

    g_ptr_array_add (was, gst_buffer_copy_deep (buffer));
    gst_harness_push (rig->h, buffer);
    rig_collect (rig);
  }
  for (guint i = 0; i < rig->left->len; i++) {
    GstMapInfo info;

    if (rig_is_parity (rig->left->pdata[i]))
      continue;
    gst_buffer_map (was->pdata[media], &info, GST_MAP_READ);
    fail_unless (gst_buffer_get_size (rig->left->pdata[i]) == info.size
        && gst_buffer_memcmp (rig->left->pdata[i], 0, info.data, info.size) == 0);
    gst_buffer_unmap (was->pdata[media++], &info);
  }
  fail_unless_equals_int (media, 600);
  fail_unless_equals_int (check_all (rig, flexfec), 600 / n * n);
  check_numbers (rig, 77, 600 / n);
  fail_unless_equals_uint64 (rig_stat (rig, "packets-renumbered"), 0);
  g_ptr_array_unref (was);
}

/* Parity waits for the marker, behind which it stands whatever the interval. */
TEST_EACH (test_close_at_marker, G_N_ELEMENTS (intervals))
{
  const guint n = intervals[__i__];
  g_autoptr (Rig) rig = rig_new (VIDEO_CAPS, PROBING, "tuning",
      tuning ("fec-interval-max=48,fec-interval-min=%u", n), "close-at-marker", TRUE,
      NULL);
  guint parity = 0, frames;

  want_more (rig);
  for (guint i = 0; i < 700; i++) {
    gst_harness_push (rig->h, rig_packet (SSRC, rig->seq++, i / 7, i % 7 == 6,
            20 + i % 1000));
    rig_collect (rig);
  }
  for (guint i = 0; i < rig->left->len; i++) {
    guint8 before[2] = { 0 };

    if (!rig_is_parity (rig->left->pdata[i]))
      continue;
    parity++;
    gst_buffer_extract (rig->left->pdata[i - 1], 0, before, 2);
    fail_unless (before[1] >> 7 || rig_is_parity (rig->left->pdata[i - 1]));
  }
  /* so many frames to a run, with a parity packet for each whole block in them */
  frames = (MIN (n, 24) + 6) / 7;
  fail_unless_equals_int (parity, 100 / frames * (7 * frames / MIN (n, 24)));
  fail_unless_equals_int (check_all (rig, FALSE), 100 / frames * frames * 7);
  check_numbers (rig, SSRC, 700 + parity);
}

/* rtpsession writes transport-wide numbers behind us: what is repaired has others, and is
 * otherwise the packet that was lost. */
TEST (test_extension_written_anew)
{
  g_autoptr (Rig) rig = rig_new (VIDEO_CAPS ",extmap-5=(string)http://www.ietf.org/id/draft-holmer-"
      "rmcat-transport-wide-cc-extensions-01", PROBING, "tuning", tuning ("fec-interval-max=48,fec-interval-min=5"), NULL);
  RigStore store;
  guint repaired = 0;

  want_more (rig);
  for (guint i = 0; i < 100; i++) {
    static const guint8 ext[] = { 0xbe, 0xde, 0, 1, 0x51, 0, 0, 0 }, first = 0x90;
    GstBuffer *buffer = rig_packet (SSRC, rig->seq++, i, TRUE, 200 + i);

    gst_buffer_fill (buffer, 0, &first, 1);
    gst_buffer_fill (buffer, 12, ext, sizeof ext);
    gst_harness_push (rig->h, buffer);
    rig_collect (rig);
  }
  for (guint i = 0; i < rig->left->len; i++) {
    const guint8 number[] = { (guint8) (i * 7), (guint8) (i * 13 + 1) };

    rig->left->pdata[i] = gst_buffer_make_writable (rig->left->pdata[i]);
    gst_buffer_fill (rig->left->pdata[i], 17, number, 2);
  }
  store_fill (&store, rig->left);
  for (guint i = 0; i < rig->left->len; i++) {
    const RccParitySource source = {.packet = rig_find,.user = &store };
    guint8 out[RCC_PARITY_PACKET_MAX];
    RccParity parity;

    if (!parse_parity (store.packets->pdata[i], FALSE, &parity))
      continue;
    for (guint k = i - 5; k < i; k++) {
      const GstMapInfo *was = store.packets->pdata[k];
      RccParityResult result;

      store.lost = k;
      result = rcc_parity_recover (&parity, &source, out, sizeof out);
      fail_unless_equals_int (result.verdict, RCC_PARITY_RECOVERED);
      fail_unless_equals_int (result.size, was->size);
      fail_unless (memcmp (out, was->data, 17) == 0
          && memcmp (out + 19, was->data + 19, was->size - 19) == 0);
      repaired++;
    }
  }
  fail_unless_equals_int (repaired, 100);
  store_clear (&store, rig->left);
}

/* Off: the same bytes in the same memory. */
TEST (test_off)
{
  g_autoptr (Rig) rig = rig_new (VIDEO_CAPS, NULL, NULL);
  RccRng rng;

  rcc_rng_init (&rng, SEED, 1);
  for (guint i = 0; i < 300; i++) {
    GstBuffer *buffer = any_packet (&rng, (guint16) (i * 7), i % 3 == 2, 1 + i % 4);
    GstBuffer *kept = gst_buffer_ref (buffer);

    gst_harness_push (rig->h, buffer);
    rig_collect (rig);
    fail_unless (rig->left->pdata[i] == kept);
    gst_buffer_unref (kept);
  }
}

/* Others hold what is renumbered: theirs does not change. */
TEST (test_shared_memory)
{
  g_autoptr (Rig) rig = rig_new (VIDEO_CAPS, PROBING, "tuning",
      tuning ("fec-interval-max=48,fec-interval-min=2"), NULL);
  RccRng rng;

  rcc_rng_init (&rng, SEED, 2);
  want_more (rig);
  for (guint i = 0; i < 200; i++) {
    GstBuffer *buffer = any_packet (&rng, rig->seq++, FALSE, 1 + i % 4);
    GstBuffer *kept = i % 2 ? gst_buffer_ref (buffer) : gst_buffer_copy (buffer);
    GstBuffer *was = gst_buffer_copy_deep (buffer);
    GstMapInfo info;

    gst_harness_push (rig->h, buffer);
    rig_collect (rig);
    gst_buffer_map (was, &info, GST_MAP_READ);
    fail_unless (gst_buffer_memcmp (kept, 0, info.data, info.size) == 0);
    gst_buffer_unmap (was, &info);
    gst_buffer_unref (was);
    gst_buffer_unref (kept);
  }
  fail_unless_equals_int (check_all (rig, FALSE), 200);
}

/* What is no RTP, or too large, passes as it is and is counted; so do other SSRCs,
 * retransmissions and what has the parity's payload type. */
TEST (test_unprotected)
{
  static const guint8 nonsense[20] = { 0x12, 0x34 };
  g_autoptr (Rig) rig = rig_new (VIDEO_CAPS, PROBING, "tuning",
      tuning ("fec-interval-max=48,fec-interval-min=2"), NULL);

  want_more (rig);
  rig_push (rig, 100);
  gst_harness_push (rig->h, gst_buffer_new ());
  for (guint size = 4; size <= sizeof nonsense; size += 4)
    gst_harness_push (rig->h, gst_buffer_new_memdup (nonsense, size));
  gst_harness_push (rig->h, rig_packet (99, 5, 0, FALSE, 100));
  gst_harness_push (rig->h, rig_packet (SSRC, rig->seq++, 0, FALSE,
          RCC_PARITY_PACKET_MAX + 1));
  for (guint i = 0; i < 3; i++) {
    GstBuffer *buffer = rig_packet (SSRC, rig->seq++, 0, FALSE, 100);
    const guint8 pt = FEC_PT;

    if (i == 2)
      gst_buffer_fill (buffer, 1, &pt, 1);
    else
      GST_BUFFER_FLAG_SET (buffer, i ? GST_RTP_BUFFER_FLAG_REDUNDANT
          : GST_RTP_BUFFER_FLAG_RETRANSMISSION);
    gst_harness_push (rig->h, buffer);
  }
  rig_collect (rig);
  fail_unless_equals_uint64 (rig_stat (rig, "rtp-malformed"), 6);
  fail_unless_equals_uint64 (rig_stat (rig, "packets-unprotected"), 5);
  fail_unless_equals_int (rig->left->len, 12);
  fail_unless_equals_uint64 (rig_stat (rig, "fec-packets-sent"), 0);
  rig_push (rig, 100);
  fail_unless_equals_uint64 (rig_stat (rig, "fec-packets-sent"), 1);
}

TEST_MAIN (parity);
