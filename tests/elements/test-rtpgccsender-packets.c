/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What rtpgccsender makes of packets: bytes, padding, numbers; and its life. */
#include "sender-fixture.h"

#include <gst/rtp/gstrtpbuffer.h>

#define AUDIO_CAPS "application/x-rtp,media=audio,clock-rate=48000,encoding-name=OPUS"
#define PLAIN_CAPS "application/x-rtp"
#define FROM_PROFILE G_MAXUINT64

static void
assert_bytes (GstBuffer *buffer, const guint8 *data, gsize size)
{
  fail_unless_equals_int (gst_buffer_get_size (buffer), size);
  fail_unless_equals_int (gst_buffer_memcmp (buffer, 0, data, size), 0);
}

TEST (test_bytes_pass)
{
  g_autoptr (Fx) fx = fx_new (VIDEO_CAPS, "start-bitrate", 5000000, NULL);

  for (guint i = 0; i < 300; i++) {
    const guint size = 12 + 5 * i;
    GstBuffer *in = rtp_packet (SSRC, (guint16) (65400 + i), i, i % 2, size);
    GstBuffer *out;
    GstMapInfo info;
    guint8 *copy;

    GST_BUFFER_PTS (in) = i;
    GST_BUFFER_DTS (in) = GST_CLOCK_TIME_NONE;
    gst_buffer_map (in, &info, GST_MAP_READ);
    copy = g_memdup2 (info.data, size);
    gst_buffer_unmap (in, &info);
    fx_push_buffer (fx, in);
    fx_run (fx, fx_now (fx) + 10 * GST_MSECOND);
    out = gst_harness_pull (fx->h);
    assert_bytes (out, copy, size);
    fail_unless_equals_uint64 (GST_BUFFER_PTS (out), i);
    gst_buffer_unref (out);
    g_free (copy);
  }
}

/* abs-send-time is the clock's time at departure, 6.18 fixed point. */
static void
check_stamp (const gchar *caps, guint id)
{
  g_autoptr (Fx) fx = fx_new (caps, "start-bitrate", 100000, "abs-send-time-id", id, NULL);

  for (guint i = 0; i < 5; i++)
    fx_push_buffer (fx, fx_packet_abs ((guint16) i, 600));
  fx_run (fx, fx_now (fx) + GST_SECOND);
  fail_unless_equals_int (fx_left (fx), 5);
  for (guint i = 0; i < 5; i++) {
    const Left *l = &g_array_index (fx->out.left, Left, i);
    GstBuffer *buffer = gst_harness_pull (fx->h);
    guint8 value[3];

    gst_buffer_extract (buffer, 17, value, 3);
    fail_unless_equals_int (rcc_be24 (value),
        gst_util_uint64_scale (l->at % (64 * GST_SECOND), 1 << 18, GST_SECOND)
        & 0xffffff);
    fail_unless_equals_int (l->seq, i);
    fail_unless (i == 0 || l->at > l[-1].at);
    gst_buffer_unref (buffer);
  }
}

TEST (test_stamp)
{
  check_stamp (ABS_CAPS, 0);
  check_stamp (PLAIN_CAPS, 3);  /* as behind rtpfunnel */
}

/* R1: memory that others hold or nobody may write keeps its bytes. */
TEST (test_shared_memory_stays)
{
  g_autoptr (Fx) fx = fx_new (ABS_CAPS, "start-bitrate", 5000000, NULL);
  static const guint8 blank[] = { 0xaa, 0xbb, 0xcc };
  GstBuffer *held[3], *out;
  static guint8 rodata[100];

  held[0] = fx_packet_abs (0, 100);
  gst_buffer_extract (held[0], 0, rodata, sizeof rodata);
  held[1] = gst_buffer_copy (held[0]);  /* shares the memory */
  held[2] = gst_buffer_new_wrapped_full (GST_MEMORY_FLAG_READONLY, rodata,
      sizeof rodata, 0, sizeof rodata, NULL, NULL);
  for (guint i = 0; i < 3; i++) {
    fx_run (fx, fx_now (fx) + 20 * GST_MSECOND);
    fx_push_buffer (fx, i == 1 ? gst_buffer_copy (held[1]) : gst_buffer_ref (held[i]));
    out = gst_harness_pull (fx->h);
    fail_unless (gst_buffer_memcmp (out, 17, blank, 3) != 0);
    fail_unless (gst_buffer_memcmp (held[i], 17, blank, 3) == 0);
    gst_buffer_unref (out);
  }
  for (guint i = 0; i < 3; i++)
    gst_buffer_unref (held[i]);
}

/* Header and payload in memories of their own, the header itself in two. */
TEST (test_several_memories)
{
  g_autoptr (Fx) fx = fx_new (ABS_CAPS, "start-bitrate", 5000000, NULL);
  static const guint8 blank[] = { 0xaa, 0xbb, 0xcc };

  for (guint split = 1; split < 40; split++) {
    GstBuffer *whole = fx_packet_abs ((guint16) split, 100), *out;
    GstBuffer *in = gst_buffer_append (gst_buffer_copy_region (whole,
            GST_BUFFER_COPY_ALL | GST_BUFFER_COPY_DEEP, 0, split),
        gst_buffer_copy_region (whole, GST_BUFFER_COPY_ALL | GST_BUFFER_COPY_DEEP,
            split, 100 - split));
    guint8 a[100], b[100];

    fx_run (fx, fx_now (fx) + 10 * GST_MSECOND);
    fx_push_buffer (fx, in);
    out = gst_harness_pull (fx->h);
    gst_buffer_extract (whole, 0, a, 100);
    fail_unless_equals_int (gst_buffer_extract (out, 0, b, 100), 100);
    fail_unless (memcmp (b + 17, blank, 3) != 0);
    memcpy (a + 17, b + 17, 3);
    fail_unless (memcmp (a, b, 100) == 0);
    gst_buffer_unref (whole);
    gst_buffer_unref (out);
  }
  fail_unless_equals_uint64 (fx_stat (fx, "rtp-malformed"), 0);
}

/* R1: what is not RTP goes on unchanged, and is counted. */
TEST (test_malformed)
{
  g_autoptr (Fx) fx = fx_new (ABS_CAPS, "start-bitrate", 50000000, "max-bitrate", 50000000, NULL);
  guint8 data[64];
  guint n = 0;

  for (guint size = 0; size < 12; size++, n++)
    fx_push_buffer (fx, size == 0 ? gst_buffer_new ()
        : gst_buffer_new_memdup (memset (data, 0x80, size), size));
  memset (data, 0x11, sizeof data);     /* version 0 */
  fx_push_buffer (fx, gst_buffer_new_memdup (data, 64));
  data[0] = 0x8f;                       /* 15 CSRCs */
  fx_push_buffer (fx, gst_buffer_new_memdup (data, 24));
  memset (data, 0xff, sizeof data);
  data[0] = 0x90;                       /* an extension of 65535 words */
  fx_push_buffer (fx, gst_buffer_new_memdup (data, 64));
  n += 3;
  fx_run (fx, fx_now (fx) + 100 * GST_MSECOND);
  fail_unless_equals_int (fx_left (fx), n);
  fail_unless_equals_uint64 (fx_stat (fx, "rtp-malformed"), n);
  for (guint i = 0; i < n - 1; i++)
    gst_buffer_unref (gst_harness_pull (fx->h));
  {
    GstBuffer *last = gst_harness_pull (fx->h);

    assert_bytes (last, data, 64);
    gst_buffer_unref (last);
  }
  fail_unless_equals_uint64 (fx_stat (fx, "packets-sent"), 0);
}

/* R2, R3: extensions of every malformed kind, jumps, new SSRCs, a packet of 64 kB. */
TEST (test_hostile_rtp)
{
  g_autoptr (Fx) fx = fx_new (ABS_CAPS ",extmap-5=(string)" RCC_TWCC_URI, "start-bitrate",
      50000000, "max-bitrate", 50000000, "tuning", tuning (NO_TIMEOUT), NULL);
  static const guint16 seqs[] = { 0, 1, 2, 502, 501, 503, 33270, 503, 504, 33272, 65535, 0,
    0, 32768, 32767, 1
  };
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);

  for (guint i = 0; i < 3000; i++) {
    GstBuffer *buffer = rtp_packet (SSRC + i % 23, seqs[i % G_N_ELEMENTS (seqs)],
        g_rand_int (rand), i % 3 == 0, 40 + i % 400);
    guint8 head[28];

    gst_buffer_extract (buffer, 0, head, sizeof head);
    head[0] = (guint8) (0x80 | (g_rand_int (rand) & 0x3f));
    for (guint k = 12; k < sizeof head; k++)
      head[k] = (guint8) g_rand_int (rand);
    if (i % 2) {
      static const guint8 ext[] = { 0xbe, 0xde, 0, 2 };

      head[0] = 0x90;
      memcpy (head + 12, ext, 4);
      if (i % 4 == 1)
        head[12] = 0x10;
    }
    gst_buffer_fill (buffer, 0, head, sizeof head);
    fail_unless_equals_int (fx_push_buffer (fx, buffer), GST_FLOW_OK);
    fx_run (fx, fx_now (fx) + GST_MSECOND);
  }
  fx_push_buffer (fx, rtp_packet (SSRC, 5, 0, TRUE, 65536));
  fx_run (fx, fx_now (fx) + GST_SECOND);
  fail_unless_equals_uint64 (fx_left (fx), fx->pushed
      + fx_stat (fx, "padding-packets-sent"));
}

/* --- probing -------------------------------------------------------------- */

/* With nothing queued, only some patience shows whether the task waits for a probe's
 * next padding: small steps. */
static void
steps (Fx *fx, guint milliseconds)
{
  for (guint i = 0; i < milliseconds; i += 3) {
    g_usleep (200);
    fx_run (fx, fx_now (fx) + 3 * GST_MSECOND);
  }
}

/* @n frames of the video: one packet each, 33 ms apart. */
static void
frames (Fx *fx, guint n, guint size)
{
  while (n--) {
    fx_push (fx, size);
    steps (fx, 33);
  }
}

/* Every number once, in order, whatever was padding. */
static void
assert_no_gap (Fx *fx)
{
  for (guint i = 1; i < fx->out.left->len; i++)
    fail_unless_equals_int ((guint16) (g_array_index (fx->out.left, Left, i - 1).seq + 1),
        g_array_index (fx->out.left, Left, i).seq);
}

TEST (test_padding)
{
  g_autoptr (Fx) fx = fx_new (VIDEO_CAPS, "tuning", tuning (NO_TIMEOUT), NULL);
  guint paddings = 0;
  guint32 timestamp = 0;
  GstBuffer *buffer;

  fx->seq = 65530;              /* numbers wrap on the way */
  frames (fx, 60, 600);
  assert_no_gap (fx);
  fail_unless (fx_stat (fx, "probe-count") >= 1);
  while ((buffer = gst_harness_try_pull (fx->h))) {
    GstMapInfo info;

    gst_buffer_map (buffer, &info, GST_MAP_READ);
    fail_unless_equals_int (info.data[0] >> 6, 2);
    fail_unless (rcc_be32 (info.data + 8) == SSRC);
    if (info.data[0] & 0x20) {
      GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

      paddings++;
      fail_unless (rcc_be32 (info.data + 4) == timestamp);
      fail_unless (!(info.data[1] & 0x80));
      fail_unless_equals_int (info.data[info.size - 1], 255);
      fail_unless_equals_int (info.size, 12 + 255);
      gst_buffer_unmap (buffer, &info);
      fail_unless (gst_rtp_buffer_map (buffer, GST_MAP_READ, &rtp));
      fail_unless_equals_int (gst_rtp_buffer_get_payload_len (&rtp), 0);
      gst_rtp_buffer_unmap (&rtp);
    } else {
      timestamp = rcc_be32 (info.data + 4);
      gst_buffer_unmap (buffer, &info);
    }
    gst_buffer_unref (buffer);
  }
  fail_unless (paddings > 0);
  fail_unless_equals_uint64 (fx_stat (fx, "padding-packets-sent"), paddings);
  fail_unless_equals_uint64 (fx_stat (fx, "padding-bytes-sent"), paddings * 267);
}

TEST (test_no_padding_when_told_so)
{
  g_autoptr (Fx) fx = fx_new (VIDEO_CAPS, "tuning", tuning (NO_PROBES "," NO_TIMEOUT), NULL);

  frames (fx, 200, 600);
  fail_unless_equals_uint64 (fx_stat (fx, "probe-count"), 0);
  fail_unless_equals_uint64 (fx_stat (fx, "padding-packets-sent"), 0);
}

/* Audio is never padded: not by its caps, and not behind a funnel, where there are
 * none and it may come in packets of any size. */
TEST_EACH (test_no_padding_on_audio, 2)
{
  g_autoptr (Fx) fx = fx_new (__i__ ? PLAIN_CAPS : AUDIO_CAPS, "tuning", tuning (NO_TIMEOUT),
      NULL);

  for (guint i = 0; i < 200; i++) {     /* the marker begins a talkspurt, RFC 3551 4.1 */
    fx_push_buffer (fx, rtp_packet (SSRC, (guint16) i, i, i % 50 == 0, 800));
    steps (fx, 33);
  }
  fail_unless (fx_stat (fx, "probe-count") >= 1);
  fail_unless_equals_uint64 (fx_stat (fx, "padding-packets-sent"), 0);
}

/* A small picture has one packet a frame, each with the marker. */
TEST (test_padding_finds_a_small_video)
{
  g_autoptr (Fx) fx = fx_new (PLAIN_CAPS, "tuning", tuning (NO_TIMEOUT), NULL);

  frames (fx, 120, 800);
  fail_unless (fx_stat (fx, "padding-packets-sent") > 0);
}

/* Behind a funnel, padding goes to the SSRC whose frames take several packets. */
TEST (test_padding_finds_the_video)
{
  g_autoptr (Fx) fx = fx_new (PLAIN_CAPS, "tuning", tuning (NO_TIMEOUT), "start-bitrate", 600000,
      NULL);
  guint padded = 0;

  for (guint i = 0; i < 120; i++) {
    fx_push_buffer (fx, rtp_packet (SSRC, (guint16) (2 * i), i, FALSE, 500));
    fx_push_buffer (fx, rtp_packet (SSRC, (guint16) (2 * i + 1), i, TRUE, 400));
    fx_push_buffer (fx, rtp_packet (5, (guint16) i, i, i == 0, 400));
    steps (fx, 33);
  }
  for (guint i = 0; i < fx->out.left->len; i++) {
    const Left *l = &g_array_index (fx->out.left, Left, i);

    padded += l->padding;
    fail_unless (!l->padding || l->ssrc == SSRC);
  }
  fail_unless (padded > 0);
}

/* Depayloaders take packets as they come: padding waits for the end of the frame. */
TEST (test_no_padding_inside_a_frame)
{
  g_autoptr (Fx) fx = fx_new (VIDEO_CAPS, "tuning", tuning (NO_TIMEOUT), "start-bitrate",
      2000000, NULL);
  gboolean ended = TRUE;
  GstBuffer *buffer;

  for (guint i = 0; i < 400; i++) {     /* frames of four, slowly handed over */
    fx_push_buffer (fx, rtp_packet (SSRC, (guint16) i, i / 4, i % 4 == 3, 700));
    steps (fx, 12);
  }
  fail_unless (fx_stat (fx, "padding-packets-sent") > 0);
  while ((buffer = gst_harness_try_pull (fx->h))) {
    guint8 head[2];

    gst_buffer_extract (buffer, 0, head, 2);
    fail_unless (ended || !(head[0] & 0x20));
    if (!(head[0] & 0x20))
      ended = head[1] >> 7;
    gst_buffer_unref (buffer);
  }
  assert_no_gap (fx);
}

/* A reset and a flush change nothing about the numbers that the receiver knows. */
TEST (test_numbers_survive_reset_and_flush)
{
  g_autoptr (Fx) fx = fx_new (VIDEO_CAPS, "tuning", tuning (NO_TIMEOUT), NULL);
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  frames (fx, 20, 600);
  fail_unless (fx_stat (fx, "padding-packets-sent") > 0);
  fx->pushed += (guint) fx_stat (fx, "padding-packets-sent");   /* the count begins anew */
  g_signal_emit_by_name (fx->e, "reset");
  frames (fx, 20, 600);
  gst_harness_push_event (fx->h, gst_event_new_flush_start ());
  gst_harness_push_event (fx->h, gst_event_new_flush_stop (TRUE));
  gst_harness_push_event (fx->h, gst_event_new_segment (&segment));
  frames (fx, 20, 600);
  assert_no_gap (fx);
}

/* Nothing follows EOS, however the probe stands. */
TEST (test_no_padding_after_eos)
{
  g_autoptr (Fx) fx = fx_new (VIDEO_CAPS, "tuning", tuning (NO_TIMEOUT), "start-bitrate",
      50000, NULL);

  fx_push (fx, 600);
  fx_run (fx, fx_now (fx) + 33 * GST_MSECOND);
  fx_push (fx, 600);
  gst_harness_push_event (fx->h, gst_event_new_eos ());
  fx_run (fx, fx_now (fx) + 10 * GST_SECOND);
  wait_for (strchr (fx->out.order->str, 'e') != NULL);
  fx_run (fx, fx_now (fx) + 10 * GST_SECOND);
  fail_unless_equals_string (strchr (fx->out.order->str, 'e'), "e");
}

static guint
requested (Fx *fx)
{
  guint seq = G_MAXUINT;
  GstEvent *event;

  while ((event = gst_harness_try_pull_upstream_event (fx->h))) {
    if (gst_event_has_name (event, "GstRTPRetransmissionRequest"))
      gst_structure_get_uint (gst_event_get_structure (event), "seqnum", &seq);
    gst_event_unref (event);
  }
  return seq;
}

static guint
request (Fx *fx, guint seq)
{
  gst_harness_push_upstream_event (fx->h,
      gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM,
          gst_structure_new ("GstRTPRetransmissionRequest", "seqnum", G_TYPE_UINT, seq,
              "ssrc", G_TYPE_UINT, SSRC, NULL)));
  return requested (fx);
}

/* Who answers requests upstream knows packets by their former numbers.  For padding a copy of a
 * late packet is asked for.  And each is asked for once. */
TEST (test_retransmission)
{
  g_autoptr (Fx) fx = fx_new (VIDEO_CAPS, "tuning", tuning (NO_TIMEOUT), NULL);
  guint original = 0, asked = 0, heard = 0, padding = 0;
  guint16 left = 0;
  GstBuffer *buffer;
  guint8 osn[2];

  frames (fx, 60, 600);
  fail_unless (fx_stat (fx, "padding-packets-sent") > 0);
  for (guint i = 0; i < fx->out.left->len; i++) {
    const Left *l = &g_array_index (fx->out.left, Left, i);

    original += !l->padding;
    if (l->at + GST_SECOND < fx_now (fx) || heard >= 15)
      continue;
    padding += l->padding;
    heard += !l->padding;
    if (l->padding)
      fail_unless (request (fx, l->seq) < 60);
    else
      fail_unless_equals_int (request (fx, l->seq), original - 1);
    fail_unless_equals_int (request (fx, l->seq), G_MAXUINT);
    if (!l->padding) {
      left = l->seq;
      asked = original - 1;
    }
  }
  fail_unless_equals_int (heard, 15);
  fail_unless_equals_uint64 (fx_stat (fx, "nacks-heard"), heard + padding);
  fail_unless_equals_uint64 (fx_stat (fx, "nacks-repeated"), heard + padding);
  fail_unless_equals_uint64 (fx_stat (fx, "nacks-unknown"), 0);
  while ((buffer = gst_harness_try_pull (fx->h)))
    gst_buffer_unref (buffer);
  buffer = rtp_packet (77, 9, 0, FALSE, 600);
  rcc_put16 (osn, (guint16) asked);
  gst_buffer_fill (buffer, 12, osn, 2);
  GST_BUFFER_FLAG_SET (buffer, GST_RTP_BUFFER_FLAG_RETRANSMISSION);
  fx_push_buffer (fx, buffer);
  fx_run (fx, fx_now (fx) + 33 * GST_MSECOND);
  buffer = gst_harness_pull (fx->h);
  gst_buffer_extract (buffer, 12, osn, 2);
  fail_unless_equals_int (rcc_be16 (osn), left);
  gst_buffer_unref (buffer);
}

/* Parity speaks of numbers: where it passes, none move any more. */
TEST (test_no_padding_beside_parity)
{
  g_autoptr (Fx) fx = fx_new (VIDEO_CAPS, "tuning", tuning (NO_TIMEOUT), NULL);
  GstBuffer *parity = rtp_packet (SSRC, 0, 0, FALSE, 100);

  GST_BUFFER_FLAG_SET (parity, GST_RTP_BUFFER_FLAG_REDUNDANT);
  fx->seq = 1;
  fx_push_buffer (fx, parity);
  frames (fx, 200, 600);
  fail_unless_equals_uint64 (fx_stat (fx, "padding-packets-sent"), 0);
}

/* --- life ----------------------------------------------------------------- */

TEST (test_1000_lives)
{
  for (guint i = 0; i < 1000; i++) {
    GstElement *e = gst_element_factory_make ("rtpgccsender", NULL);
    GstPad *pad = i % 2 ? gst_element_request_pad_simple (e, "send_rtcp_sink") : NULL;

    fail_unless_equals_int (gst_element_set_state (e, GST_STATE_PLAYING),
        GST_STATE_CHANGE_SUCCESS);
    if (i % 4 == 1)
      gst_element_release_request_pad (e, pad);
    fail_unless_equals_int (gst_element_set_state (e, GST_STATE_NULL),
        GST_STATE_CHANGE_SUCCESS);
    gst_clear_object (&pad);
    gst_object_unref (e);
  }
}

static gint storming;

static gpointer
storm (gpointer data)
{
  GstElement *e = data;
  GRand *rand = g_rand_new ();

  while (g_atomic_int_get (&storming)) {
    GstStructure *stats;
    guint bps;

    g_object_set (e, "min-bitrate", g_rand_int_range (rand, 1000, 2000000),
        "max-bitrate", g_rand_int_range (rand, 100000, 3000000), NULL);
    g_object_get (e, "stats", &stats, "estimated-bitrate", &bps, NULL);
    gst_structure_free (stats);
    if (g_rand_int_range (rand, 0, 50) == 0)
      g_signal_emit_by_name (e, "reset");
  }
  g_rand_free (rand);
  return NULL;
}

/* M1, on the system's clock: four threads on the properties, two that stream. */
TEST (test_property_storm)
{
  GstHarness *h = gst_harness_new ("rtpgccsender");
  GstHarness *rtcp = gst_harness_new_with_element (h->element, "rtcp_sink", "rtcp_src");
  GThread *threads[4];
  const guint32 ssrc = SSRC;
  guint8 data[64];
  const gsize size = rcc_remb_build (data, sizeof data, 1, 700000, &ssrc, 1);

  gst_harness_set_src_caps_str (h, ABS_CAPS);
  gst_harness_set_src_caps_str (rtcp, "application/x-rtcp");
  gst_harness_set_drop_buffers (h, TRUE);
  gst_harness_set_drop_buffers (rtcp, TRUE);
  g_atomic_int_set (&storming, TRUE);
  for (guint i = 0; i < 4; i++)
    threads[i] = g_thread_new ("storm", storm, h->element);
  for (guint i = 0; i < 3000; i++) {
    fail_unless_equals_int (gst_harness_push (h, fx_packet_abs ((guint16) i, 500)),
        GST_FLOW_OK);
    if (i % 20 == 0)
      gst_harness_push (rtcp, gst_buffer_new_memdup (data, size));
    if (i % 10 == 0)
      g_usleep (200);
  }
  g_atomic_int_set (&storming, FALSE);
  for (guint i = 0; i < 4; i++)
    g_thread_join (threads[i]);
  gst_harness_teardown (rtcp);
  gst_harness_teardown (h);
}

TEST_MAIN (rtpgccsender_packets);
