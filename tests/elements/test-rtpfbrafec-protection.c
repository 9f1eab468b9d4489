/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Parity outside probes: what it repairs, what it costs, and what is left of it. */
#include "fbra-repair.h"
#include "tuning.h"

#define SEED 7

static void
set (Rig *rig, guint protection, guint interleave)
{
  g_object_set (rig->e, "protection", protection, "interleave", interleave, NULL);
}

/* --- off ------------------------------------------------------------------ */

/* Without a word about them parity is what it was before they existed, to the byte. */
TEST_EACH (test_off, 2)
{
  static const gchar *const before[] = {      /* of 26e458b */
    "6a4823a86b2a7912749cf2bc1b7233402dea4b63", "b5b8fe5560f7a84d7e1bc3b44db62275bb9bf1ae"
  };
  const gboolean at_marker = __i__;
  g_autoptr (Rig) rig = rig_new (VIDEO_CAPS, "probe-for", 1, "feedback-interval", 10 * GST_SECOND,
      "tuning", tuning ("fec-interval-min=5"), "close-at-marker", at_marker, NULL);
  GChecksum *sum = g_checksum_new (G_CHECKSUM_SHA1);
  RccRng rng;

  rcc_rng_init (&rng, SEED, 1);
  push_any (rig, &rng, 100);
  for (guint bps = 1000000; bps < 10000000; bps *= 9)
    push_target (rig->h, bps);
  push_any (rig, &rng, 400);
  for (guint i = 0; i < rig->left->len; i++) {
    GstMapInfo info;

    gst_buffer_map (rig->left->pdata[i], &info, GST_MAP_READ);
    g_checksum_update (sum, info.data, (gssize) info.size);
    gst_buffer_unmap (rig->left->pdata[i], &info);
  }
  fail_unless_equals_string (g_checksum_get_string (sum), before[__i__]);
  g_checksum_free (sum);
}

/* --- repair --------------------------------------------------------------- */

typedef struct {
  GPtrArray *packets;           /* GstMapInfo of all that left */
  gboolean *lost;               /* each of them */
  RccBytes *back;               /* what was lost and came back */
} Losses;

static RccBytes
find_left (void *user, uint32_t ssrc, uint16_t seq)
{
  const Losses *l = user;

  for (guint i = 0; i < l->packets->len; i++) {
    const GstMapInfo *info = l->packets->pdata[i];

    if (rcc_be16 (info->data + 2) == seq && rcc_be32 (info->data + 8) == ssrc)
      return l->lost[i] ? l->back[i] : (RccBytes) { info->data, info->size };
  }
  return (RccBytes) { NULL, 0 };
}

/* What is lost of the media and does not come back, whatever comes back is what it was. */
static guint
lost_for_good (Losses *l, gboolean flexfec)
{
  const RccParitySource source = {.packet = find_left,.user = l };
  guint left = 0, found;

  do {
    found = 0;
    for (guint i = 0; i < l->packets->len; i++) {
      guint8 out[RCC_PARITY_PACKET_MAX];
      RccParityResult result;
      RccParity parity;

      if (l->lost[i] || !parse_parity (l->packets->pdata[i], flexfec, &parity))
        continue;
      result = rcc_parity_recover (&parity, &source, out, sizeof out);
      for (guint k = 0; result.verdict == RCC_PARITY_RECOVERED && k < l->packets->len; k++) {
        const GstMapInfo *was = l->packets->pdata[k];

        if (rcc_be16 (was->data + 2) != result.seq || rcc_be32 (was->data + 8) != result.ssrc)
          continue;
        fail_unless (l->lost[k] && was->size == result.size
            && memcmp (was->data, out, result.size) == 0);
        l->back[k] = (RccBytes) { was->data, was->size };
        found++;
      }
    }
  } while (found > 0);
  for (guint i = 0; i < l->packets->len; i++) {
    const GstMapInfo *info = l->packets->pdata[i];

    left += l->lost[i] && !l->back[i].data && (info->data[1] & 0x7f) != FEC_PT;
  }
  return left;
}

/* Every burst of @length among the first @n that left; how many of them take something that
 * does not come back. */
static guint
bursts_for_good (Rig *rig, gboolean flexfec, guint length, guint n)
{
  RigStore store;
  guint bad = 0;

  store_fill (&store, rig->left);
  for (guint from = 0; from + length <= n; from++) {
    Losses l = { store.packets, g_new0 (gboolean, rig->left->len), g_new0 (RccBytes,
          rig->left->len) };

    for (guint i = from; i < from + length; i++)
      l.lost[i] = TRUE;
    bad += lost_for_good (&l, flexfec) > 0;
    g_free (l.lost);
    g_free (l.back);
  }
  store_clear (&store, rig->left);
  return bad;
}

enum { AMONG, AT_MARKER, APART, FLEXFEC, LAYOUTS };

static Rig *
rig_of (guint layout, guint controller, guint protection, guint interleave)
{
  return rig_new_apart (VIDEO_CAPS, layout >= APART, "tuning",
      tuning ("algorithm=%d", controller == 1), "probe-for", controller == 2,
      "fec-format", layout == FLEXFEC, "close-at-marker", layout == AT_MARKER, "fec-ssrc", 77,
      "protection", protection, "interleave", interleave, NULL);
}

/* In every layout and with every controller each single packet comes back. */
TEST_EACH (test_single_losses, 4 * LAYOUTS)
{
  static const guint every[] = { 1, 2, 5, 14 };
  const guint layout = __i__ % LAYOUTS, n = every[__i__ / LAYOUTS];

  for (guint controller = 0; controller < 3; controller++)
    for (guint depth = 1; depth <= 3; depth++) {
      Rig *rig = rig_of (layout, controller, n, depth);
      guint parity;
      RccRng rng;

      rcc_rng_init (&rng, SEED, __i__);
      rig->seq = 65400;
      push_any (rig, &rng, 420);
      parity = (guint) rig_stat (rig, "fec-packets-sent");
      if (layout != AT_MARKER) {
        fail_unless_equals_int (parity, 420 / (n * depth) * depth);
        fail_unless_equals_int (check_all (rig, layout == FLEXFEC), n * parity);
      } else {
        fail_unless (parity >= 420 / (n + 3 * depth) / 2);
        fail_unless (check_all (rig, FALSE) >= 420 - 2 * n * depth);
      }
      fail_unless_equals_int (rig->left->len, 420 + parity);
      fail_unless_equals_uint64 (rig_stat (rig, "packets-sent"), 420);
      fail_if (rig_is (rig, "probe"));
      if (layout < APART)
        check_numbers (rig, SSRC, 420 + parity);
      rig_free (rig);
    }
}

/* D packets in a row, of media and parity alike, wherever: all of the media comes back.  It
 * does not where blocks do not lie between one another. */
TEST_EACH (test_bursts, LAYOUTS)
{
  const guint layout = __i__;
  const guint depths[] = { 2, 3, 5, 8 };

  for (guint k = 0; k < G_N_ELEMENTS (depths); k++) {
    const guint depth = depths[k];

    for (guint on = 0; on < 2; on++) {
      Rig *rig = rig_of (layout, 0, 3, on ? depth : 1);
      guint bad, whole;
      RccRng rng;

      rcc_rng_init (&rng, SEED, depth);
      push_any (rig, &rng, 15 * depth);
      for (whole = rig->left->len; !rig_is_parity (rig->left->pdata[whole - 1]);)
        whole--;
      fail_unless (whole > 12 * depth);
      bad = bursts_for_good (rig, layout == FLEXFEC, depth, whole);
      fail_unless (on ? bad == 0 : bad > whole / 4, "%u losses in a row at depth %u: "
          "%u of %u stay", depth, on ? depth : 1, bad, whole);
      rig_free (rig);
    }
  }
}

/* Less than what was asked for where the mask does not reach over it, and the stats say so. */
TEST (test_mask)
{
  static const struct {
    guint layout, n, wanted, fits;
  } rows[] = {
    {AMONG, 14, 16, 3}, {AMONG, 48, 4, 1}, {AMONG, 5, 16, 11}, {AMONG, 4, 16, 15},
    {AMONG, 1, 16, 16}, {AT_MARKER, 14, 16, 1}, {AT_MARKER, 5, 16, 5},
    {AT_MARKER, 48, 2, 1}, {APART, 14, 16, 3}, {FLEXFEC, 14, 16, 8}, {FLEXFEC, 5, 16, 16},
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    Rig *rig = rig_of (rows[i].layout, 0, rows[i].n, rows[i].wanted);
    RccRng rng;

    rcc_rng_init (&rng, SEED, i);
    push_any (rig, &rng, 300);
    fail_unless_equals_uint64 (rig_stat (rig, "fec-interleave"), rows[i].fits);
    fail_unless (check_all (rig, rows[i].layout == FLEXFEC) >= 300 - 2 * rows[i].n
        * rows[i].fits);
    fail_unless_equals_int (rig_uint (rig, "interleave"), rows[i].wanted);
    rig_free (rig);
  }
}

/* --- the target ----------------------------------------------------------- */

static void
assert_target (Rig *rig, guint expected, guint expected_fec)
{
  guint target = 0, fec = 0;

  newest_target (rig->h, &target, &fec);
  fail_unless_equals_int (target, expected);
  fail_unless_equals_int (fec, expected_fec);
  fail_unless_equals_int (rig_uint (rig, "estimated-bitrate"), expected);
  fail_unless_equals_int (rig_uint (rig, "fec-bitrate"), expected_fec);
  fail_unless_equals_uint64 (rig_stat (rig, "fec-bitrate"), expected_fec);
}

/* The target stays, the media's part of it does not. */
TEST_EACH (test_share, 2)
{
  g_autoptr (Rig) rig = rig_new (VIDEO_CAPS, "tuning", tuning ("algorithm=%d", __i__),
      "start-bitrate", 600000, "protection",
      5, NULL);

  rig_push (rig, 100);
  assert_target (rig, 600000, 100000);
  fail_unless_equals_uint64 (rig_stat (rig, "fec-interval"), 5);
  set (rig, 2, 1);
  assert_target (rig, 600000, 200000);
  g_object_set (rig->e, "max-bitrate", 300000, NULL);
  assert_target (rig, 300000, 100000);
  set (rig, 0, 1);
  assert_target (rig, 300000, 0);
  fail_unless_equals_uint64 (rig_stat (rig, "fec-interval"), 0);
}

/* A probe has parity of its own, and its own share; then comes the protection's again.  What
 * was begun is not lost at either end. */
TEST (test_rests_in_a_probe)
{
  g_autoptr (Rig) rig = rig_new (VIDEO_CAPS, "probe-for", 1, "feedback-interval", 10 * GST_SECOND,
      "tuning", tuning ("fec-interval-min=4"), "protection", 3, "interleave", 3, NULL);

  fail_unless_equals_int (rig_uint (rig, "fec-bitrate"), 0);
  push_target (rig->h, 900000);
  assert_target (rig, 900000, 225000);
  for (guint i = 0; i < 10; i++)
    rig_push (rig, 100);
  fail_unless_equals_uint64 (rig_stat (rig, "fec-packets-sent"), 3);
  fail_unless_equals_uint64 (rig_stat (rig, "fec-interleave"), 3);
  push_target (rig->h, 9000000);
  fail_unless (rig_is (rig, "probe"));
  assert_target (rig, 1125000, 225000);
  for (guint i = 0; i < 9; i++)         /* the first ends what was begun */
    rig_push (rig, 100);
  fail_unless_equals_uint64 (rig_stat (rig, "fec-packets-sent"), 3 + 2 + 2);
  fail_unless_equals_uint64 (rig_stat (rig, "fec-interleave"), 1);
  push_target (rig->h, 600000);
  assert_target (rig, 600000, 150000);
  for (guint i = 0; i < 9; i++)
    rig_push (rig, 100);
  fail_unless_equals_uint64 (rig_stat (rig, "fec-packets-sent"), 3 + 2 + 2 + 3);
  fail_unless_equals_int (check_all (rig, FALSE), 10 + 9 + 9);
  fail_unless_equals_uint64 (rig_stat (rig, "fec-blocks-dropped"), 0);
}

/* The controller counts it as its rate's: a source that fills two thirds of that with media
 * and the rest with parity uses all of it, and is probed for.  Nothing of it is the probe's. */
TEST (test_is_load)
{
  g_autoptr (Rig) rig = rig_new (VIDEO_CAPS, "start-bitrate", 380000, "protection", 2, NULL);

  for (guint i = 0; i < 2; i++)
    rig_round (rig, 0);
  fail_unless (rig_stat (rig, "sent-bitrate") > 340000);        /* 240 of them are media */
  rig_rounds_until (rig, "probe");
  rig_rounds_until (rig, "up");
  fail_unless (rig_uint (rig, "estimated-bitrate") > 380000);
}

/* --- changes -------------------------------------------------------------- */

/* Whatever is set when, among lists and single packets: each packet that left is below one
 * parity at most, every block that was not dropped is repairable, numbers have no gap, and
 * what left is what came and the parity. */
TEST_EACH (test_changes, 3 * LAYOUTS)
{
  const guint layout = __i__ % LAYOUTS;
  g_autoptr (Rig) rig = rig_of (layout, __i__ / LAYOUTS % 3, 0, 1);
  guint below = 0, offs = 0;
  RccRng rng;

  rcc_rng_init (&rng, SEED, 100 + __i__);
  for (guint round = 0; round < 60; round++) {
    const gboolean off = rcc_rng_u32 (&rng) % 8 == 0;

    offs += off;
    set (rig, off ? 0 : 1 + rcc_rng_u32 (&rng) % 20, 1 + rcc_rng_u32 (&rng) % 6);
    push_any (rig, &rng, 1 + rcc_rng_u32 (&rng) % 30);
  }
  set (rig, 4, 3);
  gst_harness_push_event (rig->h, gst_event_new_eos ());
  rig_collect (rig);
  below = check_all (rig, layout == FLEXFEC);
  fail_unless (below > rig->seq / 2 && below <= rig->seq);
  fail_unless_equals_uint64 (rig->left->len, rig->seq + rig_stat (rig, "fec-packets-sent"));
  fail_unless (rig_stat (rig, "fec-blocks-dropped") <= 6 * (offs + 1) * 2);
  fail_unless_equals_uint64 (rig_stat (rig, "packets-sent"), rig->seq);
  if (layout < APART)
    check_numbers (rig, SSRC, rig->left->len);
}

/* A flush, the end and READY leave nothing behind. */
TEST_EACH (test_nothing_left, LAYOUTS)
{
  g_autoptr (Rig) rig = rig_of (__i__, 0, 3, 4);
  GstSegment segment;

  for (guint i = 0; i < 6; i++)
    rig_push (rig, 100);
  gst_harness_push_event (rig->h, gst_event_new_flush_start ());
  gst_harness_push_event (rig->h, gst_event_new_flush_stop (TRUE));
  fail_unless_equals_uint64 (rig_stat (rig, "fec-blocks-dropped")
      + rig_stat (rig, "fec-packets-sent"), 4);
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_harness_push_event (rig->h, gst_event_new_segment (&segment));
  for (guint i = 0; i < 14; i++)
    rig_push (rig, 100);
  gst_harness_push_event (rig->h, gst_event_new_eos ());
  rig_collect (rig);
  check_all (rig, __i__ == FLEXFEC);
  fail_unless_equals_uint64 (rig->left->len, 20 + rig_stat (rig, "fec-packets-sent"));
  gst_element_set_state (rig->e, GST_STATE_READY);
  fail_unless_equals_uint64 (rig_stat (rig, "fec-packets-sent"), 0);
  fail_unless_equals_int (rig_uint (rig, "protection"), 3);
}

static gpointer
change_on (gpointer data)
{
  Rig *rig = data;

  for (guint i = 0; i < 2000; i++)
    g_object_set (rig->e, "protection", i % 7, "interleave", 1 + i % 5, NULL);
  return NULL;
}

/* From another thread, while data flows. */
TEST (test_another_thread)
{
  g_autoptr (Rig) rig = rig_of (AMONG, 0, 2, 2);
  GThread *thread = g_thread_new ("changes", change_on, rig);

  for (guint i = 0; i < 3000; i++)
    rig_push (rig, 50);
  g_thread_join (thread);
  fail_unless_equals_uint64 (rig->left->len, 3000 + rig_stat (rig, "fec-packets-sent"));
  check_numbers (rig, SSRC, rig->left->len);
}

TEST_MAIN (protection);
