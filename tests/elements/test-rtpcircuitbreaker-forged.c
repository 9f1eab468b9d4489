/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * C4 and C9 to C12: reports that cannot be true, in any number, change nothing; a single
 * one that could be opens nothing; and reports that are late, lost or twice do not either.
 */
#include <malloc.h>

#include "breaker-rig.h"

#define FORGED 1000000
#define FORGED_SSRCS 16384
#define MEMORY (64 * 1024)

/* A call that goes well. */
static Cb *
call_new (void)
{
  Cb *cb = cb_new (NULL);

  cb_reports (cb, 6, 0.01);
  cb_expect (cb, "closed");
  return cb;
}

static void
hear (Cb *cb, guint32 reporter, const RccReportBlock *block)
{
  guint8 data[64];

  cb_rtcp (cb, cb->rtcp, data, rcc_rtcp_build_rr (data, sizeof data, reporter, block,
          block != NULL));
}

/* But for the counters of what was refused. */
static gchar *
stats_but_counters (Cb *cb)
{
  GstStructure *stats = cb_stats (cb);
  gchar *string;

  gst_structure_remove_fields (stats, "rtcp-compounds", "rtcp-forged", "rtcp-ignored",
      "rtcp-truncated", NULL);
  string = gst_structure_to_string (stats);
  gst_structure_free (stats);
  return string;
}

/* --- C9: what cannot be true ---------------------------------------------- */

static const struct
{
  const gchar *name;
  guint highest;                /* beyond what was sent */
  gint32 lsr;                   /* 0: the true one's; otherwise plus this */
  guint32 dlsr;
} impossible[] = {
  {"highest + 1", 1, 0, 0},
  {"highest + 1000", 1000, 0, 0},
  {"highest + 30000", 30000, 0, 0},
  {"LSR never issued", 0, 12345, 0},
  {"LSR of the future", 0, 1 << 20, 0},
  {"held for longer than it exists", 0, 0, 65536 * 3},
  {"held for ever", 0, 0, 0xffffffffu},
};

TEST_EACH (test_impossible, G_N_ELEMENTS (impossible))
{
  g_autoptr (Cb) cb = call_new ();
  const guint32 lsr = cb_sr (cb, 0);
  RccReportBlock block = {.ssrc = CB_SSRC,.fraction = 255,.lost = 0x7fffff,
    .lsr = lsr + (guint32) impossible[__i__].lsr,.dlsr = impossible[__i__].dlsr };
  gchar *before, *after;

  cb_stream (cb, GST_SECOND);
  block.highest_seq = (guint16) (cb->streams[0].seq - 1 + impossible[__i__].highest);
  before = stats_but_counters (cb);
  for (guint i = 0; i < 1000; i++)
    hear (cb, CB_PEER, &block);
  after = stats_but_counters (cb);
  fail_unless_equals_string (before, after);
  fail_unless_equals_uint64 (cb_stat (cb, "rtcp-forged"), 1000);
  cb_expect (cb, "closed");
  g_free (before);
  g_free (after);
  cb_reports (cb, 3, 0.01);
  fail_unless_equals_uint64 (cb_stat (cb, "rtcp-forged"), 1000);
  cb_expect (cb, "closed");
}

/* --- C10: by who knows nothing -------------------------------------------- */

/* With 16 k SSRCs, as reporter and as reported; then BYEs of all of them and of us. */
TEST (test_strangers)
{
  g_autoptr (Cb) cb = call_new ();
  gchar *before, *after;
  gsize used, grown;
  GstBuffer *buffer;
  guint8 data[64];
  gsize size;

  hear (cb, 1, NULL);
  before = stats_but_counters (cb);
  used = mallinfo2 ().uordblks;
  for (guint i = 0; i < FORGED; i++) {
    const RccReportBlock block = {.ssrc = 0x5000000 + i % FORGED_SSRCS * 7919,
      .fraction = 255,.lost = 1000,.highest_seq = i };

    size = rcc_rtcp_build_rr (data, sizeof data, 0x9000000 + i * 104729u, &block, 1);
    if (i % 100 == 0) {
      rcc_rtcp_put_header (data, RCC_RTCP_BYE, 1, 8);
      rcc_put32 (data + 4, i % 200 ? CB_SSRC : block.ssrc);
      size = 8;
    }
    gst_harness_push (cb->rtcp, gst_buffer_new_memdup (data, size));
    if ((buffer = gst_harness_try_pull (cb->rtcp)))
      gst_buffer_unref (buffer);
  }
  grown = MAX (mallinfo2 ().uordblks, used) - used;
  fail_unless (grown <= MEMORY, "%" G_GSIZE_FORMAT " bytes more", grown);
  after = stats_but_counters (cb);
  fail_unless_equals_string (before, after);
  fail_unless_equals_uint64 (cb_stat (cb, "rtcp-compounds"), 6 + 1 + FORGED);
  fail_unless (cb_stat (cb, "rtcp-ignored") >= FORGED * 99 / 100);
  g_free (before);
  g_free (after);
  cb_reports (cb, 3, 0.01);
  cb_expect (cb, "closed");
}

/* It is no sign of life either: a stranger does not keep the breaker from opening. */
TEST (test_strangers_keep_nothing_alive)
{
  g_autoptr (Cb) cb = call_new ();

  for (guint i = 0; i < 15; i++) {
    cb_expect (cb, "closed");
    cb_stream (cb, GST_SECOND);
    hear (cb, 0x1000 + i, &(RccReportBlock) {.ssrc = 0x2000 });
  }
  cb_expect (cb, "open");
}

/* --- C11: by who knows our SSRC ------------------------------------------- */

TEST (test_one_forged_report)
{
  static const RccReportBlock blocks[] = {
    {.ssrc = CB_SSRC,.fraction = 255,.lost = 0x7fffff},
    {.ssrc = CB_SSRC,.fraction = 255,.lost = -0x800000},
    {.ssrc = CB_SSRC,.fraction = 255,.lost = -1},
    {.ssrc = CB_SSRC,.fraction = 255,.lost = 100,.jitter = 0xffffffffu},
    {.ssrc = CB_SSRC,.fraction = 0,.lost = 0},
  };

  for (guint i = 0; i < G_N_ELEMENTS (blocks); i++)
    for (guint stuck = 0; stuck < 2; stuck++) {
      Cb *cb = call_new ();
      RccReportBlock block = blocks[i];

      g_object_set (cb->e, "media-usability", TRUE, NULL);
      cb_stream (cb, GST_SECOND);
      block.highest_seq = (guint16) (cb->streams[0].seq - 1 - (stuck ? 60 : 0));
      hear (cb, CB_PEER + stuck, &block);
      cb_expect (cb, "closed");
      for (guint k = 0; k < 6; k++) {
        cb_reports (cb, 1, 0.01);
        cb_expect (cb, "closed");
      }
      cb_no_message (cb);
      cb_free (cb);
    }
}

/* Fast: a thousand in 100 ms are one interval. */
TEST (test_many_at_once)
{
  g_autoptr (Cb) cb = call_new ();

  for (guint i = 0; i < 1000; i++) {
    if (i % 10 == 0)
      cb_stream (cb, GST_MSECOND);
    hear (cb, CB_PEER, &(RccReportBlock) {.ssrc = CB_SSRC,.fraction = 255,
          .lost = (gint32) i,.highest_seq = (guint16) (cb->streams[0].seq - 1) });
  }
  cb_expect (cb, "closed");
}

/* --- C12: a bad way back -------------------------------------------------- */

typedef struct {
  guint8 data[64];
  gsize size;
} Kept;

/* What cb_report() would say now, to be said later: as long a round trip as that with
 * any loss would be congestion. */
static Kept
keep_report (Cb *cb)
{
  RccReportBlock block = cb_block (cb, 0, 0);
  Kept kept;

  block.lsr = cb_sr (cb, 0);
  kept.size = rcc_rtcp_build_rr (kept.data, sizeof kept.data, CB_PEER, &block, 1);
  return kept;
}

static void
say (Cb *cb, const Kept *kept)
{
  cb_rtcp (cb, cb->rtcp, kept->data, kept->size);
}

TEST (test_late_twice_and_out_of_order)
{
  g_autoptr (Cb) cb = call_new ();
  Kept kept[12];

  /* 5 s late, ten times each */
  for (guint i = 0; i < 12; i++) {
    kept[i] = keep_report (cb);
    cb_stream (cb, 5 * GST_SECOND);
    for (guint k = 0; k < 10; k++)
      say (cb, &kept[i]);
    cb_expect (cb, "closed");
  }
  fail_unless_equals_uint64 (cb_stat (cb, "rtcp-duplicates"), 12 * 9);
  /* pairs that overtook each other */
  for (guint i = 0; i < 12; i++) {
    kept[i] = keep_report (cb);
    cb_stream (cb, 2 * GST_SECOND);
    if (i % 2) {
      say (cb, &kept[i]);
      say (cb, &kept[i - 1]);
    }
    cb_expect (cb, "closed");
  }
  fail_unless (cb_stat (cb, "rtcp-stale") >= 5);
  fail_unless_equals_uint64 (cb_stat (cb, "rtcp-forged"), 0);
}

/* RTCP is away for a while and comes back: only 15 s are too long. */
TEST (test_lost_for_a_while)
{
  static const struct
  {
    guint seconds;
    const gchar *state;
  } outages[] = { {1, "closed"}, {5, "closed"}, {9, "closed"}, {30, "open"} };

  for (guint i = 0; i < G_N_ELEMENTS (outages); i++) {
    Cb *cb = call_new ();

    cb_stream (cb, 5 * GST_SECOND + outages[i].seconds * GST_SECOND);
    cb_expect (cb, outages[i].state);
    if (g_str_equal (outages[i].state, "open")) {
      /* it has been open since 15 s after the last report: 15 s more, it may close */
      fail_unless_equals_uint64 (cb_stat (cb, "retry-after"), 0);
      fail_unless (cb_reset (cb));
    }
    cb_report (cb, 0.01);
    for (guint k = 0; k < 8; k++) {
      cb_reports (cb, 1, 0.01);
      cb_expect (cb, "closed");
    }
    cb_free (cb);
  }
}

TEST_MAIN (rtpcircuitbreaker_forged);
