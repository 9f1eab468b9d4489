/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What moves rtpgccsender's target, and who hears of it. */
#include "sender-fixture.h"

#include "core/gcc/config.h"
#include "wire/tmmbr.h"

/* @n packets of @size, one every @gap. */
static void
stream (Fx *fx, guint n, guint size, GstClockTime gap)
{
  while (n--) {
    fx_run (fx, fx_now (fx) + gap);
    fx_push (fx, size);
    fx_settle (fx);
  }
}

static void
push_block (Fx *fx, const RccReportBlock *block)
{
  guint8 data[64];
  const gsize size = rcc_rtcp_build_rr (data, sizeof data, 7, block, 1);

  fx_rtcp (fx, data, size);
}

static void
push_rr (Fx *fx, guint8 fraction, guint16 highest, guint32 lsr, guint32 dlsr)
{
  push_block (fx, &(RccReportBlock) {.ssrc = SSRC,.fraction = fraction,
        .highest_seq = highest,.lsr = lsr,.dlsr = dlsr});
}

/* Of all that was sent; @lost: ever. */
static void
push_loss (Fx *fx, guint8 fraction, gint32 lost)
{
  push_block (fx, &(RccReportBlock) {.ssrc = SSRC,.fraction = fraction,.lost = lost,
        .highest_seq = (guint16) (fx->seq - 1)});
}

TEST (test_start)
{
  g_autoptr (Fx) fx = fx_new (VIDEO_CAPS, "start-bitrate", 400000, NULL);

  fail_unless_equals_int (fx_target (fx), 400000);
  assert_limited_by (fx, "start-bitrate");
  /* said in READY, when nobody upstream hears: the first packet says it again */
  fx_upstream_target (fx);
  fx_push (fx, 100);
  fail_unless_equals_int (fx_upstream_target (fx), 400000);
  fx_push (fx, 100);
  fail_unless_equals_int (fx_upstream_target (fx), 0);
}

static void
count (GObject * object, GParamSpec * pspec, gpointer n)
{
  ++*(guint *) n;
}

TEST (test_remb)
{
  g_autoptr (Fx) fx = fx_new (VIDEO_CAPS, NULL, NULL);
  guint notified = 0;

  fx_push (fx, 100);
  g_signal_connect (fx->e, "notify::estimated-bitrate", G_CALLBACK (count), &notified);
  fx_remb (fx, 500000);
  fail_unless_equals_int (fx_target (fx), 500000);
  fail_unless_equals_int (fx_upstream_target (fx), 500000);
  fail_unless_equals_int (notified, 1);
  assert_limited_by (fx, "remb");
  fx_remb (fx, 500000);
  fail_unless_equals_int (notified, 1);
  fx_remb (fx, 200000);
  fail_unless_equals_int (fx_target (fx), 200000);
  fx_remb (fx, 0);              /* C6: the limits hold */
  fail_unless_equals_int (fx_target (fx), 50000);
  fx_remb (fx, G_MAXUINT64);
  fail_unless_equals_int (fx_target (fx), 10000000);
  fail_unless_equals_uint64 (fx_stat (fx, "remb-count"), 5);
}

TEST (test_remb_for_others)
{
  g_autoptr (Fx) fx = fx_new (VIDEO_CAPS, NULL, NULL);
  const guint32 other = 99;
  guint8 data[64];
  gsize size = rcc_remb_build (data, sizeof data, 1, 70000, &other, 1);

  fx_push (fx, 100);
  fx_rtcp (fx, data, size);
  fail_unless_equals_int (fx_target (fx), 300000);
  fail_unless_equals_uint64 (fx_stat (fx, "rtcp-ignored"), 1);
}

/* Whoever has not reported on us may not limit us, while somebody who has does. */
TEST (test_remb_of_a_stranger)
{
  g_autoptr (Fx) fx = fx_new (VIDEO_CAPS, NULL, NULL);
  const guint32 ours = SSRC;
  guint8 data[64];

  stream (fx, 100, 100, 20 * GST_MSECOND);
  push_loss (fx, 0, 0);                 /* by SSRC 7 */
  fx_rtcp (fx, data, rcc_remb_build (data, sizeof data, 7, 250000, NULL, 0));
  fx_rtcp (fx, data, rcc_remb_build (data, sizeof data, 8, 70000, &ours, 1));
  fx_rtcp (fx, data, rcc_remb_build (data, sizeof data, 7, 200000, &ours, 1));
  fail_unless_equals_int (fx_target (fx), 200000);
  fail_unless_equals_uint64 (fx_stat (fx, "rtcp-unproven"), 1);
  fail_unless_equals_uint64 (fx_stat (fx, "remb-count"), 2);
}

/* RFC 5104: the request counts 40 bytes below RTP for each of 50 packets a second. */
TEST (test_tmmbr)
{
  g_autoptr (Fx) fx = fx_new (VIDEO_CAPS, NULL, NULL);
  const RccTmmbrEntry entry = {.ssrc = SSRC,.bps = 216000,.overhead = 40 };
  guint8 data[64];
  gsize size = rcc_tmmbr_build (data, sizeof data, 1, FALSE, &entry, 1);

  stream (fx, 100, 100, 20 * GST_MSECOND);
  fx_rtcp (fx, data, size);
  fail_unless (ABS ((gint) fx_target (fx) - 200000) < 400, "%u", fx_target (fx));
  size = rcc_tmmbr_build (data, sizeof data, 1, TRUE, &entry, 1);
  fx_rtcp (fx, data, size);     /* a notification asks for nothing */
  fail_unless_equals_uint64 (fx_stat (fx, "remb-count"), 1);
}

/* 2012: a kbit/s and 5 % more per report without loss, the pacer out of the way, no probes;
 * and what the receiver asks for is obeyed. */
TEST (test_rrtcc)
{
  g_autoptr (Fx) fx = fx_new (VIDEO_CAPS, "profile", RCC_GCC_RRTCC, "start-bitrate", 300000,
      "tuning", tuning (NO_TIMEOUT), NULL);
  const RccTmmbrEntry entry = {.ssrc = SSRC,.bps = 216000,.overhead = 40 };
  guint8 data[64];
  gsize size = rcc_tmmbr_build (data, sizeof data, 7, FALSE, &entry, 1);
  guint before;

  stream (fx, 50, 500, 10 * GST_MSECOND);
  push_rr (fx, 0, (guint16) (fx->seq - 1), 0, 0);
  before = fx_target (fx);
  stream (fx, 100, 500, 10 * GST_MSECOND);
  push_loss (fx, 0, 0);
  fail_unless (ABS ((gint) fx_target (fx) - (gint) (1.05 * (before + 1000))) <= 1,
      "%u after %u", fx_target (fx), before);
  fail_unless_equals_uint64 (fx_stat (fx, "pacing-bitrate"), fx_target (fx) * 5 / 2);
  stream (fx, 100, 100, 20 * GST_MSECOND);
  fx_rtcp (fx, data, size);
  fail_unless (ABS ((gint) fx_target (fx) - 200000) < 400, "%u", fx_target (fx));
  assert_limited_by (fx, "remb");
  stream (fx, 200, 100, 20 * GST_MSECOND);
  fail_unless_equals_uint64 (fx_stat (fx, "probe-count"), 0);
}

/* ANRW'16 Eq. 1: above 10 % loss A (1 - 0.5 f). */
TEST (test_loss)
{
  g_autoptr (Fx) fx = fx_new (VIDEO_CAPS, "start-bitrate", 1000000, NULL);

  stream (fx, 50, 500, 10 * GST_MSECOND);
  push_rr (fx, 0, (guint16) (fx->seq - 1), 0, 0);
  assert_limited_by (fx, "reports");
  stream (fx, 100, 500, 10 * GST_MSECOND);
  push_loss (fx, 128, 50);
  fail_unless (ABS ((gint) fx_target (fx) - 750000) < 10000, "%u", fx_target (fx));
  assert_limited_by (fx, "loss");
  fail_unless_equals_uint64 (fx_stat (fx, "report-count"), 2);
}

/* What the pacer dropped is missing at the receiver, but the path has not lost it. */
TEST (test_own_drops_are_no_loss)
{
  g_autoptr (Fx) fx = fx_new (VIDEO_CAPS, "start-bitrate", 300000, "max-queue-time",
      100 * GST_MSECOND, NULL);
  guint64 dropped;

  stream (fx, 5, 500, 20 * GST_MSECOND);
  push_rr (fx, 0, (guint16) (fx->seq - 1), 0, 0);
  for (guint i = 0; i < 50; i++)
    fx_push (fx, 500);
  fx_run (fx, fx_now (fx) + GST_SECOND);
  dropped = fx_stat (fx, "packets-dropped");
  fail_unless (dropped > 30);
  push_loss (fx, (guint8) (256 * dropped / 50), (gint32) dropped);
  fail_unless (fx_target (fx) >= 300000, "%u", fx_target (fx));
}

/* One report about a handful of packets says nothing: no leap to max-bitrate. */
TEST (test_first_report)
{
  g_autoptr (Fx) fx = fx_new (VIDEO_CAPS, NULL, NULL);

  stream (fx, 5, 500, 15 * GST_MSECOND);
  push_rr (fx, 0, (guint16) (fx->seq - 1), 0, 0);
  fail_unless_equals_int (fx_target (fx), 300000);
}

/* C9: a report about what was never sent is forged, and moves nothing. */
TEST (test_forged_report)
{
  g_autoptr (Fx) fx = fx_new (VIDEO_CAPS, NULL, NULL);

  stream (fx, 30, 100, 10 * GST_MSECOND);
  push_rr (fx, 255, (guint16) (fx->seq + 100), 0, 0);
  fail_unless_equals_uint64 (fx_stat (fx, "rtcp-forged"), 1);
  fail_unless_equals_uint64 (fx_stat (fx, "report-count"), 0);
  fail_unless_equals_int (fx_target (fx), 300000);
  /* an old packet sent again is no reason to doubt the newest */
  fx_push_buffer (fx, rtp_packet (SSRC, 3, 0, TRUE, 100));
  fx_settle (fx);
  push_rr (fx, 0, (guint16) (fx->seq - 1), 0, 0);
  fail_unless_equals_uint64 (fx_stat (fx, "rtcp-forged"), 1);
  fail_unless_equals_uint64 (fx_stat (fx, "report-count"), 1);
}

/* Eight SSRCs (simulcast and its retransmissions): reports about each are understood. */
TEST (test_many_streams)
{
  g_autoptr (Fx) fx = fx_new (VIDEO_CAPS, "start-bitrate", 3000000, NULL);
  const RccReportBlock block = {.ssrc = SSRC + 1,.highest_seq = 9 };
  guint8 data[64];
  gsize size = rcc_rtcp_build_rr (data, sizeof data, 7, &block, 1);

  for (guint i = 0; i < 80; i++) {
    fx_run (fx, fx_now (fx) + 10 * GST_MSECOND);
    fx_push_buffer (fx, rtp_packet (SSRC + i % 8, (guint16) (i / 8), 0, TRUE, 100));
  }
  fx_settle (fx);
  fx_rtcp (fx, data, size);
  fail_unless_equals_uint64 (fx_stat (fx, "report-count"), 1);
}

TEST (test_application_limited_reports_only)
{
  g_autoptr (Fx) fx = fx_new (VIDEO_CAPS, "start-bitrate", 300000, NULL);

  for (guint i = 0; i < 60; i++) {
    stream (fx, 25, 250, 20 * GST_MSECOND);
    push_rr (fx, 0, (guint16) (fx->seq - 1), 0, 0);
  }
  fail_unless (fx_target (fx) <= 320000, "%u", fx_target (fx));
}

/* Receiver reports alone, 5 s apart, are feedback enough for a rate to stay. */
TEST (test_slow_reports_do_not_sink_the_rate)
{
  g_autoptr (Fx) fx = fx_new (VIDEO_CAPS, "start-bitrate", 300000, "tuning",
      tuning (NO_PROBES ",feedback-timeout=2000000000"), NULL);

  for (guint i = 0; i < 6; i++) {
    stream (fx, 50, 500, 100 * GST_MSECOND);
    push_rr (fx, 0, (guint16) (fx->seq - 1), 0, 0);
  }
  fail_unless (fx_target (fx) >= 300000, "%u", fx_target (fx));
}

TEST (test_feedback_stops_and_returns)
{
  g_autoptr (Fx) fx = fx_new (VIDEO_CAPS, "tuning", tuning (NO_PROBES ",feedback-timeout=1000000000"
          ",timeout-repeat=1000000000"), NULL);

  fx_push (fx, 100);
  fx_remb (fx, 300000);
  stream (fx, 15, 100, 100 * GST_MSECOND);
  fail_unless_equals_int (fx_target (fx), 150000);
  assert_limited_by (fx, "feedback-timeout");
  stream (fx, 11, 100, 100 * GST_MSECOND);
  fail_unless_equals_int (fx_target (fx), 75000);
  stream (fx, 50, 100, 100 * GST_MSECOND);
  fail_unless_equals_int (fx_target (fx), 50000);
  fail_unless (fx_stat (fx, "time-since-feedback") > 7 * GST_SECOND);
  for (guint i = 0; i < 3; i++)
    fx_remb (fx, 300000);
  fail_unless_equals_int (fx_target (fx), 300000);
}

/* Who sends nothing is owed no feedback. */
TEST (test_idle_sender_keeps_its_target)
{
  g_autoptr (Fx) fx = fx_new (VIDEO_CAPS, "tuning",
      tuning (NO_PROBES ",feedback-timeout=1000000000"), NULL);

  fx_push (fx, 100);
  fx_remb (fx, 300000);
  fx_run (fx, fx_now (fx) + 60 * GST_SECOND);
  fail_unless (fx_target (fx) == 300000, "%u", fx_target (fx));
}

TEST (test_limits)
{
  g_autoptr (Fx) fx = fx_new (VIDEO_CAPS, NULL, NULL);

  fx_push (fx, 100);
  g_object_set (fx->e, "max-bitrate", 200000, NULL);
  fail_unless_equals_int (fx_target (fx), 200000);
  fail_unless_equals_int (fx_upstream_target (fx), 200000);
  g_object_set (fx->e, "min-bitrate", 800000, NULL);    /* wins */
  fail_unless_equals_int (fx_target (fx), 800000);
  g_object_set (fx->e, "min-bitrate", 1000, "max-bitrate", G_MAXUINT, NULL);
  fx_remb (fx, 2000);
  fail_unless_equals_int (fx_target (fx), 2000);
}

TEST (test_two_controllers_in_a_row)
{
  g_autoptr (Fx) fx = fx_new (VIDEO_CAPS, NULL, NULL);

  fx_push (fx, 100);
  push_target (fx->h, 200000);
  fail_unless_equals_int (fx_upstream_target (fx), 200000);
  fail_unless_equals_int (fx_target (fx), 300000);
  fx_remb (fx, 150000);
  fail_unless_equals_int (fx_upstream_target (fx), 150000);
  fx_remb (fx, 900000);
  fail_unless_equals_int (fx_upstream_target (fx), 200000);
}

TEST (test_reset)
{
  g_autoptr (Fx) fx = fx_new (VIDEO_CAPS, "max-queue-time", 10 * GST_SECOND, NULL);

  fx_push (fx, 1000);
  fx_remb (fx, 100000);
  for (guint i = 0; i < 10; i++)
    fx_push (fx, 1000);
  fx_settle (fx);
  g_signal_emit_by_name (fx->e, "reset");
  fail_unless_equals_int (fx_target (fx), 300000);
  fail_unless_equals_uint64 (fx_stat (fx, "remb-count"), 0);
  fail_unless (fx_stat (fx, "queue-packets") > 0);
  for (guint i = 0; fx_left (fx) < 11; i++) {
    GstClockID id;

    fail_unless (i < 1000);
    gst_test_clock_advance_time (fx->clock, 50 * GST_MSECOND);
    if ((id = gst_test_clock_process_next_clock_id (fx->clock)))
      gst_clock_id_unref (id);
    g_usleep (1000);
  }
}

/* RFC 5104: the next compound of ours answers a TMMBR. */
TEST (test_tmmbn)
{
  g_autoptr (Fx) fx = fx_new (VIDEO_CAPS, NULL, NULL);
  GstHarness *out = gst_harness_new_with_element (fx->e, "send_rtcp_sink",
      "send_rtcp_src");
  const RccTmmbrEntry entry = {.ssrc = SSRC,.bps = 200000,.overhead = 40 };
  const RccRtcpReport sr = {.ssrc = SSRC,.is_sr = TRUE };
  guint8 data[64];
  gsize size = rcc_tmmbr_build (data, sizeof data, 1, FALSE, &entry, 1);
  GstBuffer *buffer;
  GstPad *pad;

  gst_harness_set_src_caps_str (out, "application/x-rtcp");
  fx_push (fx, 100);
  fx_rtcp (fx, data, size);
  size = rcc_rtcp_build_sr (data, sizeof data, &sr, NULL, 0);
  fail_unless_equals_int (gst_harness_push (out, gst_buffer_new_memdup (data, size)),
      GST_FLOW_OK);
  buffer = gst_harness_pull (out);
  fail_unless_equals_int (gst_buffer_memcmp (buffer, 0, data, size), 0);
  fail_unless_equals_int (gst_buffer_get_size (buffer), size + 20);
  gst_buffer_extract (buffer, size, data, 20);
  fail_unless_equals_int (data[0] & 0x1f, 4);   /* FMT */
  fail_unless_equals_int (data[1], RCC_RTCP_RTPFB);
  gst_buffer_unref (buffer);
  pad = gst_element_get_static_pad (fx->e, "send_rtcp_sink");
  gst_harness_teardown (out);
  fail_unless (pad != NULL);
  gst_object_unref (pad);
}

/* RTT from an SR that passed the request pad and the report that echoes it. */
TEST (test_rtt)
{
  g_autoptr (Fx) fx = fx_new (VIDEO_CAPS, NULL, NULL);
  GstHarness *out = gst_harness_new_with_element (fx->e, "send_rtcp_sink",
      "send_rtcp_src");
  const RccRtcpReport sr = {.ssrc = SSRC,.is_sr = TRUE,.ntp =
        G_GUINT64_CONSTANT (0xe0000001aaaa5555) };
  guint8 data[64];
  const gsize size = rcc_rtcp_build_sr (data, sizeof data, &sr, NULL, 0);
  GstBuffer *buffer;
  GstPad *pad;

  gst_harness_set_src_caps_str (out, "application/x-rtcp");
  fx_push (fx, 100);
  fail_unless_equals_int (gst_harness_push (out, gst_buffer_new_memdup (data, size)),
      GST_FLOW_OK);
  buffer = gst_harness_pull (out);
  fail_unless_equals_int (gst_buffer_memcmp (buffer, 0, data, size), 0);
  fail_unless_equals_int (gst_buffer_get_size (buffer), size);
  gst_buffer_unref (buffer);
  fx_run (fx, fx_now (fx) + 625 * GST_MSECOND);
  push_rr (fx, 0, 0, 0x0001aaaa, 65536 / 2);
  fail_unless_equals_uint64 (fx_stat (fx, "rtt"), 125 * GST_MSECOND);
  push_rr (fx, 0, 0, 0x0001bbbb, 0);    /* of an SR that never went by */
  fail_unless_equals_uint64 (fx_stat (fx, "rtt"), 125 * GST_MSECOND);

  pad = gst_element_get_static_pad (fx->e, "send_rtcp_sink");
  gst_harness_teardown (out);
  fail_unless (pad != NULL);
  gst_object_unref (pad);
}

TEST (test_rtcp_passes)
{
  g_autoptr (Fx) fx = fx_new (VIDEO_CAPS, NULL, NULL);
  g_autoptr (GRand) rand = g_rand_new_with_seed (4);
  guint8 data[200];

  fx_push (fx, 100);
  for (guint i = 0; i < 5000; i++) {
    const guint size = g_rand_int_range (rand, 1, sizeof data);
    GstBuffer *buffer;

    for (guint k = 0; k < size; k++)
      data[k] = (guint8) g_rand_int (rand);
    if (i % 2) {                /* as far as the header goes it is RTCP */
      data[0] = (guint8) (0x80 | (data[0] & 0x1f));
      data[1] = (guint8) (200 + i % 8);
      if (size > 3) {
        data[2] = 0;
        data[3] = (guint8) (size / 4 - 1 - (i % 16 == 1));
      }
    }
    fx_rtcp (fx, data, size);
    buffer = gst_harness_pull (fx->rtcp);
    fail_unless_equals_int (gst_buffer_get_size (buffer), size);
    fail_unless_equals_int (gst_buffer_memcmp (buffer, 0, data, size), 0);
    gst_buffer_unref (buffer);
  }
  fail_unless_equals_int (fx_target (fx), 300000);
  fail_unless_equals_uint64 (fx_stat (fx, "rtcp-compounds"), 5000);
  fail_unless (fx_stat (fx, "rtcp-truncated") > 0);
}

TEST_MAIN (rtpgccsender);
