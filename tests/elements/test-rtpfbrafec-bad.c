/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Malformed RTCP and odd RTP at rtpfbrafec: bytes pass, rates stay within their limits,
 * what is good is heard afterwards, and parity never repairs a packet that was not. */
#include "fbra-rig.h"

#undef SSRC                             /* a word of vectors.h too */
#include "../fuzz/mutator.h"
#include "tuning.h"

#define MUTANTS 100000
#define SEED 17
#define OURS 9                          /* the SSRC of which the vectors speak */

static Rig *
new_rig (void)
{
  return rig_new (VIDEO_CAPS, "min-bitrate", 100000, "max-bitrate", 3000000,
      "start-bitrate", 1000000, NULL);
}

static void
media (Rig *rig)
{
  const guint16 seq = rig->seq++;

  fail_unless_equals_int (gst_harness_push (rig->h, rig_packet (OURS, seq, 1800u * seq,
              TRUE, 200)), GST_FLOW_OK);
  rig_collect (rig);
  rig_wait (rig, 20 * GST_MSECOND);
}

static void
hear (GstHarness *h, Rig *rig, const guint8 *data, gsize size)
{
  GstBuffer *out;
  GstMapInfo info;
  guint target;

  fail_unless_equals_int (gst_harness_push (h, size ? gst_buffer_new_memdup (data, size)
          : gst_buffer_new ()), GST_FLOW_OK);
  out = gst_harness_try_pull (h);
  fail_unless (out != NULL);
  gst_buffer_map (out, &info, GST_MAP_READ);
  fail_unless (info.size >= size && (size == 0 || memcmp (info.data, data, size) == 0));
  gst_buffer_unmap (out, &info);
  gst_buffer_unref (out);
  target = rig_uint (rig, "estimated-bitrate");
  fail_unless (target >= 100000 && target <= 3000000, "target %u", target);
  fail_unless (rig_uint (rig, "fec-bitrate") < target);
}

/* Reports without loss still make it probe. */
static void
is_well (Rig *rig)
{
  rig_wait (rig, 3 * GST_SECOND);
  for (guint i = 0; i < 200; i++) {
    RccCcfbReport reports[5];
    guint8 data[128];
    gsize size = rcc_ccfb_begin (data, sizeof data, 1);
    const RccTime made = gst_clock_get_time (GST_CLOCK (rig->clock)) + GST_SECOND;

    for (guint k = 0; k < 5; k++) {
      rig_wait (rig, 10 * GST_MSECOND);
      gst_harness_push (rig->h, rig_packet (OURS, (guint16) (rig->seq + k), 0, TRUE, 1400));
      reports[k] = (RccCcfbReport) { TRUE, RCC_ECN_NOT_ECT, 40 * GST_MSECOND };
    }
    rig_collect (rig);
    size = rcc_ccfb_add (data, sizeof data, size, OURS, rig->seq, reports, 5);
    size = rcc_ccfb_end (data, sizeof data, size,
        (guint32) gst_util_uint64_scale (made, 65536, GST_SECOND));
    rig->seq += 5;
    hear (rig->rtcp, rig, data, size);
    if (rig_is (rig, "probe"))
      return;
  }
  fail ("what is good is not heard any more");
}

TEST (test_vectors)
{
  g_autoptr (Rig) rig = new_rig ();
  guint heard = 0;

  for (gsize i = 0; i < n_seeds - BUILT_MAX; i++)
    for (gsize cut = 0; cut <= seeds[i].bytes.size; cut++, heard++) {
      if (heard % 50 == 0)
        media (rig);
      hear (rig->rtcp, rig, seeds[i].bytes.data, cut);
    }
  fail_unless_equals_uint64 (rig_stat (rig, "rtcp-compounds"), heard);
  fail_unless (rig_stat (rig, "rtcp-truncated") > 0);
  fail_unless (rig_stat (rig, "rtcp-ignored") > 0);
  is_well (rig);
}

TEST (test_mutants)
{
  g_autoptr (Rig) rig = new_rig ();
  static guint8 data[SIZE_MAX_INPUT];

  for (guint i = 0; i < MUTANTS; i++) {
    if (i % 50 == 0)
      media (rig);
    hear (rig->rtcp, rig, data, mutant (SEED, i, data));
  }
  fail_unless_equals_uint64 (rig_stat (rig, "rtcp-compounds"), MUTANTS);
  fail_unless (rig_stat (rig, "feedback-unknown-packets") > 0);
  fail_unless_equals_uint64 (rig_stat (rig, "packets-sent"), MUTANTS / 50);
  is_well (rig);
}

/* What goes out is not feedback. */
TEST (test_outgoing_mutants)
{
  g_autoptr (Rig) rig = new_rig ();
  GstHarness *out = gst_harness_new_with_element (rig->e, "send_rtcp_sink",
      "send_rtcp_src");
  static guint8 data[SIZE_MAX_INPUT];

  gst_harness_set_src_caps_str (out, "application/x-rtcp");
  for (guint i = 0; i < MUTANTS / 4; i++)
    hear (out, rig, data, mutant (SEED + 1, i, data));
  fail_unless_equals_int (rig_uint (rig, "estimated-bitrate"), 1000000);
  fail_unless_equals_uint64 (rig_stat (rig, "rtcp-compounds"), 0);
  gst_harness_teardown (out);
}

/* --- RTP ------------------------------------------------------------------ */

/* Whatever our decoder makes of @parity is one of the packets that left before it, the
 * number of which some have in common. */
static void
check_repairs (Rig *rig, guint at, guint *repaired)
{
  RigStore store = {.packets = g_ptr_array_new_with_free_func (g_free) };
  const RccParitySource source = {.packet = rig_find,.user = &store };
  guint8 out[RCC_PARITY_PACKET_MAX];
  const GstMapInfo *fec;
  RccParity parity;
  RccRtp rtp;

  for (guint i = at < 60 ? 0 : at - 60; i <= at; i++) {
    GstMapInfo *info;

    if (gst_buffer_get_size (rig->left->pdata[i]) < 12)
      continue;
    info = g_new (GstMapInfo, 1);
    gst_buffer_map (rig->left->pdata[i], info, GST_MAP_READ);
    g_ptr_array_add (store.packets, info);
  }
  fec = store.packets->pdata[store.packets->len - 1];
  fail_unless (rcc_rtp_parse ((RccBytes) { fec->data, fec->size }, &rtp));
  fail_unless (rcc_ulpfec_parse ((RccBytes) { fec->data + rtp.header_size,
              fec->size - rtp.header_size }, OURS, &parity));
  for (store.lost = 0; store.lost + 1 < store.packets->len; store.lost++) {
    const GstMapInfo *was = store.packets->pdata[store.lost];
    RccParityResult result;

    if (!rcc_parity_protects (&parity, rcc_be32 (was->data + 8), rcc_be16 (was->data + 2)))
      continue;
    result = rcc_parity_recover (&parity, &source, out, sizeof out);
    if (result.verdict == RCC_PARITY_RECOVERED) {
      fail_unless (result.size == was->size && memcmp (out, was->data, was->size) == 0);
      ++*repaired;
    }
  }
  for (guint i = 0; i < store.packets->len; i++)
    gst_buffer_unmap (rig->left->pdata[at], store.packets->pdata[i]);     /* any buffer does */
  g_ptr_array_unref (store.packets);
}

/* Copies, jumps, steps back, other SSRCs and bytes that are no RTP, in any order. */
TEST_EACH (test_odd_stream, 4)
{
  const gboolean at_marker = __i__ % 2, apart = __i__ / 2 % 2;
  g_autoptr (Rig) rig = apart ? rig_new_fec (VIDEO_CAPS, "probe-for", 1, "tuning",
      tuning ("fec-interval-min=5"),
      "feedback-interval", 10 * GST_SECOND, "fec-ssrc", 77, NULL)
      : rig_new (VIDEO_CAPS, "probe-for", 1, "tuning", tuning ("fec-interval-min=5"), "feedback-interval",
      10 * GST_SECOND, "close-at-marker", at_marker, NULL);
  guint parity = 0, repaired = 0, rtp, pushed = 2000;
  RccRng rng;

  rcc_rng_init (&rng, SEED, __i__);
  for (guint bps = 1000000; bps <= 9000000; bps *= 3)
    push_target (rig->h, bps);
  for (guint i = 0; i < pushed; i++) {
    const guint odd = rcc_rng_u32 (&rng) % 40;
    const guint size = 12 + rcc_rng_u32 (&rng) % 2200;
    GstBuffer *buffer;

    rig->seq = (guint16) (rig->seq + (odd == 0 ? 0 : odd == 1 ? 60 : odd == 2 ? 65530 : 1));
    buffer = rig_packet (odd == 3 ? 8 : OURS, rig->seq, i, i % 4 == 3, size);
    if (odd == 4)
      gst_buffer_memset (buffer, 0, (guint8) rcc_rng_u32 (&rng), 12);
    if (odd == 5)
      gst_buffer_resize (buffer, 0, rcc_rng_u32 (&rng) % 12);
    fail_unless_equals_int (gst_harness_push (rig->h, buffer), GST_FLOW_OK);
    rig_collect (rig);
  }
  for (guint i = 0; i < rig->left->len; i++)
    if (GST_BUFFER_FLAG_IS_SET (rig->left->pdata[i], GST_RTP_BUFFER_FLAG_REDUNDANT)) {
      parity++;
      check_repairs (rig, i, &repaired);
    }
  fail_unless (repaired > parity, "%u of %u", repaired, parity);
  rtp = (guint) (rig_stat (rig, "packets-sent") + rig_stat (rig, "rtp-malformed"));
  fail_unless_equals_int (rtp, pushed);
  fail_unless (parity > 100, "%u", parity);
  fail_unless_equals_uint64 (rig_stat (rig, "fec-packets-sent"), parity);
  fail_unless_equals_int (rig->left->len, pushed + parity);
}

SUITE (bad)
{
  build_seeds (SEED);
}
