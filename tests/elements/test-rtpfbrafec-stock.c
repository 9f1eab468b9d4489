/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What rtpfbrafec sends, repaired by GStreamer's own rtpulpfecdec. */
#include "fbra-rig.h"
#include "tuning.h"

#define PACKETS 300
#define DECODER_CAPS "application/x-rtp,media=(string)video,clock-rate=(int)90000," \
    "encoding-name=(string)H264,ssrc=(uint)287454020"

/* As parity comes over a network: flags stay behind. */
static GstBuffer *
arrival (GstBuffer *left, guint media)
{
  GstBuffer *buffer = gst_buffer_copy_deep (left);

  GST_BUFFER_FLAG_UNSET (buffer, GST_RTP_BUFFER_FLAG_REDUNDANT);
  GST_BUFFER_PTS (buffer) = GST_BUFFER_DTS (buffer) = media * 10 * GST_MSECOND;
  return buffer;
}

/* The clock goes on, stopping wherever the jitterbuffer waits for it. */
static void
advance (GstHarness *h, GstTestClock *clock, GstClockTime until)
{
  for (;;) {
    GstClockID id;
    GstClockTime time;

    g_usleep (200);             /* its task takes a moment to wait again */
    if (!gst_test_clock_peek_next_pending_id (clock, &id))
      break;
    time = gst_clock_id_get_time (id);
    gst_clock_id_unref (id);
    if (time > until)
      break;
    if (time > gst_clock_get_time (GST_CLOCK (clock)))
      gst_test_clock_set_time (clock, time);
    if ((id = gst_test_clock_process_next_clock_id (clock)))
      gst_clock_id_unref (id);
  }
  if (until > gst_clock_get_time (GST_CLOCK (clock)))
    gst_test_clock_set_time (clock, until);
}

/* Timestamps, SSRC and all behind them; numbers are the decoder's own. */
static gboolean
is_same (GstBuffer *received, GstBuffer *sent)
{
  const gsize size = gst_buffer_get_size (sent);
  GstMapInfo info;
  gboolean same;

  gst_buffer_map (sent, &info, GST_MAP_READ);
  same = gst_buffer_get_size (received) == size
      && gst_buffer_memcmp (received, 0, info.data, 2) == 0
      && gst_buffer_memcmp (received, 4, info.data + 4, size - 4) == 0;
  gst_buffer_unmap (sent, &info);
  return same;
}

/* The first or the second packet below each parity is lost; not the very
 * first, which nobody would miss.  Returns how many. */
static guint
lose (Rig *rig, gboolean *lost)
{
  guint n = 0;

  for (guint i = 0; i < rig->left->len; i++) {
    GstMapInfo info;
    RccParity parity;
    guint below = 0;

    if (!rig_is_parity (rig->left->pdata[i]))
      continue;
    gst_buffer_map (rig->left->pdata[i], &info, GST_MAP_READ);
    fail_unless (rcc_ulpfec_parse ((RccBytes) { info.data + 12, info.size - 12 }, SSRC,
            &parity));
    for (guint k = 1; k < i; k++) {
      guint8 head[12];

      gst_buffer_extract (rig->left->pdata[k], 0, head, 12);
      if (rcc_parity_protects (&parity, SSRC, rcc_be16 (head + 2)) && below++ == n % 2) {
        lost[k] = TRUE;
        n++;
        break;
      }
    }
    gst_buffer_unmap (rig->left->pdata[i], &info);
  }
  return n;
}

static void
pull_all (GstHarness *h, GPtrArray *received)
{
  GstBuffer *buffer;

  while ((buffer = gst_harness_try_pull (h)))
    g_ptr_array_add (received, buffer);
}

static gint
by_timestamp (gconstpointer a, gconstpointer b)
{
  guint8 x[12], y[12];

  gst_buffer_extract (*(GstBuffer *const *) a, 0, x, 12);
  gst_buffer_extract (*(GstBuffer *const *) b, 0, y, 12);
  return (gint) (rcc_be32 (x + 4) - rcc_be32 (y + 4));
}

static void
ghost (GstElement *bin, const gchar *element, const gchar *name)
{
  g_autoptr (GstElement) e = gst_bin_get_by_name (GST_BIN (bin), element);
  g_autoptr (GstPad) pad = gst_element_get_static_pad (e, name);

  gst_element_add_pad (bin, gst_ghost_pad_new (name, pad));
}

static GstHarness *
new_receiver (void)
{
  GstElement *bin = gst_parse_bin_from_description ("rtpstorage name=storage "
      "size-time=1000000000 ! rtpjitterbuffer do-lost=true latency=400 ! rtpptdemux "
      "ignored-payload-types=<(int)122> ! rtpulpfecdec name=fec pt=122", FALSE, NULL);
  GstHarness *h;

  ghost (bin, "storage", "sink");
  ghost (bin, "fec", "src");
  h = gst_harness_new_with_element (bin, "sink", "src");
  gst_object_unref (bin);
  return h;
}

static void
push_media (Rig *rig)
{
  for (guint i = 0; i < PACKETS; i++) {
    gst_harness_push (rig->h, rig_packet (SSRC, rig->seq++, 900 * i, i % 3 == 2,
            100 + i * 37 % 1000));
    rig_collect (rig);
  }
}

/* What comes behind the decoder of all that left, without what is @lost: whatever it is, it
 * is what was sent.  Returns how many media packets came. */
static guint
receive (Rig *rig, const gboolean *lost)
{
  GPtrArray *received = g_ptr_array_new_with_free_func ((GDestroyNotify) gst_buffer_unref);
  GstHarness *h = new_receiver ();
  GstTestClock *clock;
  guint media = 0, n;

  gst_harness_use_testclock (h);
  clock = gst_harness_get_testclock (h);
  gst_harness_set_src_caps_str (h, DECODER_CAPS);
  for (guint i = 0; i < rig->left->len; i++) {
    advance (h, clock, media * 10 * GST_MSECOND);
    if (!lost[i])
      fail_unless_equals_int (gst_harness_push (h, arrival (rig->left->pdata[i], media)),
          GST_FLOW_OK);
    media += !rig_is_parity (rig->left->pdata[i]);
    pull_all (h, received);
  }
  for (guint i = 0; i < 200 && received->len < PACKETS; i++) {
    advance (h, clock, (PACKETS + 2 * i) * 10 * GST_MSECOND);
    pull_all (h, received);
  }
  /* the jitterbuffer has a thread, which may have been kept waiting */
  for (guint i = 0; i < 500 && received->len < PACKETS; i++) {
    g_usleep (1000);
    pull_all (h, received);
  }
  g_ptr_array_sort (received, by_timestamp);
  for (guint i = 0, k = 0; i < rig->left->len && k < received->len; i++)
    if (!rig_is_parity (rig->left->pdata[i])
        && by_timestamp (&rig->left->pdata[i], &received->pdata[k]) == 0)
      fail_unless (is_same (received->pdata[k++], rig->left->pdata[i]));
  n = received->len;
  g_ptr_array_unref (received);
  gst_object_unref (clock);
  gst_harness_teardown (h);
  return n;
}

/* All comes, in either place of parity. */
TEST_EACH (test_repair, 8)
{
  static const guint intervals[] = { 2, 5, 14, 17 };
  const guint n = intervals[__i__ / 2];
  g_autoptr (Rig) rig = rig_new (VIDEO_CAPS, "probe-for", 1, "feedback-interval", 10 * GST_SECOND,
      "tuning", tuning ("fec-interval-min=%u", n), "close-at-marker", __i__ % 2, NULL);
  gboolean lost[2 * PACKETS] = { FALSE };

  for (guint bps = 1000000; bps < 10000000; bps *= 5)
    push_target (rig->h, bps);
  push_media (rig);
  fail_unless (lose (rig, lost) >= PACKETS / (n + 3) - 1);
  fail_unless_equals_int (receive (rig, lost), PACKETS);
}

/* Outside probes, one packet of each block is lost: all comes. */
TEST_EACH (test_protection, 6)
{
  static const guint depths[] = { 1, 2, 4 };
  const guint depth = depths[__i__ / 2];
  g_autoptr (Rig) rig = rig_new (VIDEO_CAPS, "protection", 5, "interleave", depth,
      "close-at-marker",
      __i__ % 2, NULL);
  gboolean lost[2 * PACKETS] = { FALSE };

  push_media (rig);
  fail_unless (lose (rig, lost) >= PACKETS / (5 + 3) - 1);
  fail_unless_equals_int (receive (rig, lost), PACKETS);
}

/* Of each D blocks D packets in a row are lost, parity among them now and then: all comes,
 * and hardly any of it where blocks do not lie between one another.  The last packets have no
 * parity, and are not lost. */
TEST_EACH (test_bursts, 3)
{
  const guint depth = 4, every = 5 * depth + depth;
  const gboolean interleaved = __i__ > 0;
  g_autoptr (Rig) rig = rig_new (VIDEO_CAPS, "protection", 5, "interleave", interleaved ? depth : 1,
      "close-at-marker", __i__ == 2, NULL);
  gboolean lost[2 * PACKETS] = { FALSE };
  guint gone = 0, received;

  push_media (rig);
  for (guint i = 2; i + 2 * every < rig->left->len; i += every + 1)
    for (guint k = i; k < i + depth; k++) {
      lost[k] = TRUE;
      gone += !rig_is_parity (rig->left->pdata[k]);
    }
  fail_unless (gone > 30);
  received = receive (rig, lost);
  fail_unless (interleaved ? received == PACKETS : received <= PACKETS - gone / 2,
      "%u of %u came back", received + gone - PACKETS, gone);
}

TEST_MAIN (stock);
