/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What passes through rtpfbrareceiver, and its life: bytes, bad input, states, threads, and
 * real rtpbins and links around it.
 */
#include "rtpfbrareceiver.h"

#define MS GST_MSECOND
#define GAP (5 * MS)

/* R1, R2: what is no RTP passes and is counted, as does RTCP on the RTP port. */
TEST (test_malformed_rtp)
{
  static const struct
  {
    guint8 bytes[28];
    gsize size;
    gboolean malformed;
  } bad[] = {
    {{0x40, 96}, 16, TRUE},             /* version 1 */
    {{0xc0, 96}, 16, TRUE},             /* version 3 */
    {{0x8f, 96}, 16, TRUE},             /* 15 CSRCs, one there */
    {{0x90, 96}, 12, TRUE},             /* extension without its head */
    {{0x90, 96, [12] = 0xbe, 0xde, 0xff, 0xff}, 16, TRUE},
    {{0x80, 200, 0, 6}, 28, FALSE},     /* RFC 5761 */
    {{0}, 0, TRUE}, {{0x80}, 1, TRUE}, {{0x80, 96}, 11, TRUE},
  };
  g_autoptr (Fixture) f = fixture_new (CAPS_ABS, NULL);
  guint64 count = 0;
  Xr xr;

  packets (f, 100, GAP, 20 * MS);
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++) {
    pass_unchanged (f, buffer_of (bad[i].bytes, bad[i].size));
    count += bad[i].malformed;
  }
  fail_unless_equals_uint64 (stat_u64 (f, "rtp-malformed"), count);
  fail_unless_equals_uint64 (stat_u64 (f, "packets-received"), 100);
  packets (f, 100, GAP, 20 * MS);
  advance (f, f->now + GST_SECOND);
  xr = pull_xr (f);
  fail_unless_equals_int (xr.received, 200);
  fail_unless_equals_int (xr.lost, 0);
}

/* R3: random numbers, SSRCs and times; the flow goes on, and reports are whole and short. */
TEST (test_hostile_rtp)
{
  g_autoptr (Fixture) f = fixture_new (CAPS_ABS, "drop-late", "false", NULL);
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);

  for (guint i = 0; i < 20000; i++) {
    GstBuffer *buffer = make_rtp (i % 3 ? MEDIA_SSRC : g_rand_int (rand),
        (guint16) g_rand_int (rand), g_rand_int (rand) * (guint64) (i % 7), i % 5 > 0,
        20 + i % 1000);

    GST_BUFFER_PTS (buffer) = i % 11 ? f->now : g_rand_int (rand) * (guint64) GST_SECOND;
    pass (f, buffer);
    if (i % 10 == 0)
      advance (f, f->now + MS * (i % 40));
    if (i % 100 == 0)
      fail_unless (pull_xr (f).max_size <= 1400);
  }
  fail_unless (stat_u64 (f, "feedback-regular") > 50);
}

/* C1..C5 at all RTCP pads: mutated compounds pass as they are, or longer by a report. */
TEST (test_hostile_rtcp)
{
  g_autoptr (Fixture) f = fixture_new (CAPS_ABS, NULL);
  GstHarness *heard = gst_harness_new_with_element (f->element, "recv_rtcp_sink", NULL);
  GstPad *src = gst_element_get_static_pad (f->element, "recv_rtcp_src");
  GRand *rand = g_rand_new_with_seed (6);

  gst_harness_add_element_src_pad (heard, src);
  gst_object_unref (src);
  gst_harness_set_src_caps_str (heard, "application/x-rtcp");
  gst_harness_set_src_caps_str (f->rtcp, "application/x-rtcp");
  for (guint i = 0; i < 20000; i++) {
    guint8 bytes[80];
    const RccXrDlrr entry = { SESSION_SSRC, g_rand_int (rand), g_rand_int (rand) };
    gsize n = rcc_rtcp_build_rr (bytes, sizeof bytes, SESSION_SSRC, NULL, 0);
    GstHarness *h = i % 2 ? heard : f->rtcp;
    GstBuffer *out;

    n += rcc_xr_dlrr_add (bytes + n, sizeof bytes - n,
        rcc_xr_begin (bytes + n, sizeof bytes - n, MEDIA_SSRC), &entry, 1);
    for (guint k = g_rand_int (rand) % 5; k; k--)
      bytes[g_rand_int (rand) % n] = (guint8) g_rand_int (rand);
    n -= i % 7 ? 0 : g_rand_int (rand) % n;
    settle (f);
    while ((out = gst_harness_try_pull (f->rtcp)))
      gst_buffer_unref (out);
    fail_unless_equals_int (gst_harness_push (h, gst_buffer_new_memdup (bytes, n)),
        GST_FLOW_OK);
    out = gst_harness_try_pull (h);
    fail_unless (out && gst_buffer_get_size (out) >= n);
    fail_unless_equals_int (gst_buffer_memcmp (out, 0, bytes, n), 0);
    gst_buffer_unref (out);
    if (i % 10 == 0)
      packets (f, 1, GAP, 20 * MS);
  }
  fail_unless (stat_u64 (f, "rtcp-truncated") > 0);
  fail_unless (stat_u64 (f, "feedback-appended") > 0);
  fail_unless_equals_uint64 (stat_u64 (f, "packets-received"), 2000);
  g_rand_free (rand);
  gst_harness_teardown (heard);
}

/* R4: caps without a clock rate, with another, and back; flush, EOS, a new segment. */
TEST (test_events)
{
  static const gchar *const caps[] = { "application/x-rtp,clock-rate=(int)0",
    "application/x-rtp,clock-rate=(int)-1", CAPS_PLAIN, CAPS_ABS
  };
  g_autoptr (Fixture) f = fixture_new (CAPS_ABS, NULL);
  GstSegment segment;

  for (guint i = 0; i < G_N_ELEMENTS (caps); i++) {
    gst_harness_set_src_caps_str (f->rtp, caps[i]);
    fail_unless_equals_int (packets (f, 200, GAP, 20 * MS), 200);
  }
  gst_harness_push_event (f->rtp, gst_event_new_flush_start ());
  gst_harness_push_event (f->rtp, gst_event_new_flush_stop (TRUE));
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_harness_push_event (f->rtp, gst_event_new_segment (&segment));
  fail_unless_equals_int (packets (f, 200, GAP, 20 * MS), 200);
  pull_xr (f);
  fail_unless (gst_harness_push_event (f->rtp, gst_event_new_eos ()));
  fail_unless_equals_int (count_events (f->rtcp, GST_EVENT_EOS), 0);
  fail_unless_equals_uint64 (stat_u64 (f, "packets-late"), 0);
}

/* READY and back in the middle of a wait: all is forgotten and works again. */
TEST (test_restart)
{
  g_autoptr (Fixture) f = fixture_new (CAPS_ABS, NULL);
  GstSegment segment;

  packets (f, 101, GAP, 20 * MS);
  fail_unless_equals_int (gst_test_clock_peek_id_count (f->clock), 1);
  pull_xr (f);
  gst_element_set_state (f->element, GST_STATE_READY);
  fail_unless_equals_int (gst_test_clock_peek_id_count (f->clock), 0);
  fail_unless_equals_uint64 (stat_u64 (f, "packets-received"), 0);
  gst_element_set_state (f->element, GST_STATE_PLAYING);
  gst_harness_push_event (f->rtp, gst_event_new_stream_start ("again"));
  gst_harness_set_src_caps_str (f->rtp, CAPS_ABS);
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_harness_push_event (f->rtp, gst_event_new_segment (&segment));
  fail_unless_equals_int (packets (f, 100, GAP, 600 * MS), 100);
  fail_unless (pull_xr (f).reports >= 3);
}

TEST (test_life_cycles)
{
  for (guint i = 0; i < 1000; i++) {
    GstElement *element = gst_element_factory_make ("rtpfbrareceiver", NULL);

    gst_element_set_state (element, GST_STATE_PLAYING);
    gst_element_set_state (element, GST_STATE_NULL);
    gst_object_unref (element);
  }
  for (guint i = 0; i < 30; i++) {
    Fixture *f = fixture_new (CAPS_ABS, NULL);

    packets (f, 50 + i, GAP, 20 * MS);
    fixture_free (f);
  }
}

static gpointer
storm (gpointer user_data)
{
  Fixture *f = user_data;

  for (guint i = 0; i < 2000; i++) {
    fail_unless (stat_u64 (f, "packets-received") <= 4000);
    g_object_set (f->element, "feedback-interval", (guint64) (10 + i % 100) * MS, "early",
        i % 2, "max-delay", (guint64) (300 + i % 200) * MS, NULL);
    if (i % 100 == 0)
      g_signal_emit_by_name (f->element, "reset");
  }
  return NULL;
}

/* M1 */
TEST (test_property_storm)
{
  g_autoptr (Fixture) f = fixture_new (CAPS_ABS, NULL);
  GThread *threads[4];

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("storm", storm, f);
  packets (f, 4000, GAP, 20 * MS);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
  pull_xr (f);
  packets (f, 200, GAP, 20 * MS);
  fail_unless (pull_xr (f).reports > 0);
}

/* A sending rtpbin that our compounds go to takes us for a member; one that receives gets
 * the RTP, and its own RTCP carries a report. */
TEST (test_between_rtpbins)
{
  g_autoptr (Fixture) f = fixture_new (CAPS_ABS, "feedback-interval", "20000000", NULL);
  g_autoptr (GstElement) rx = gst_element_factory_make ("rtpbin", NULL);
  g_autoptr (GstElement) tx = gst_element_factory_make ("rtpbin", NULL);
  GstHarness *rx_rtp = gst_harness_new_with_element (rx, "recv_rtp_sink_0", NULL);
  GstHarness *rx_rtcp = gst_harness_new_with_element (rx, NULL, "send_rtcp_src_0");
  GstHarness *tx_rtcp = gst_harness_new_with_element (tx, "recv_rtcp_sink_0", NULL);
  GObject *session, *source = NULL;
  GstBuffer *out;
  Xr xr = { 0 };
  GstMapInfo info;

  g_signal_emit_by_name (rx, "get-internal-session", 0, &session);
  g_object_set (session, "rtcp-min-interval", (guint64) 10 * MS, NULL);
  g_object_unref (session);
  gst_harness_set_src_caps_str (rx_rtp, CAPS_ABS);
  gst_harness_set_src_caps_str (f->rtcp, "application/x-rtcp");
  gst_harness_set_src_caps_str (tx_rtcp, "application/x-rtcp");
  for (guint i = 0; i < 20; i++)
    gst_harness_push (rx_rtp, make_rtp (MEDIA_SSRC, (guint16) i, i * MS, TRUE, PACKET));
  out = gst_harness_pull (rx_rtcp);     /* whose session's we are from now on */
  fail_unless_equals_int (gst_harness_push (f->rtcp, out), GST_FLOW_OK);
  out = gst_harness_pull (f->rtcp);
  fail_unless_equals_int (gst_harness_push (tx_rtcp, out), GST_FLOW_OK);

  packets (f, 50, GAP, 20 * MS);
  out = gst_harness_pull (f->rtcp);
  gst_buffer_map (out, &info, GST_MAP_READ);
  add_compound (&xr, (RccBytes) { info.data, info.size });
  gst_buffer_unmap (out, &info);
  fail_unless_equals_int (xr.reports, 1);
  fail_unless_equals_int (xr.whole_reports, 1);
  fail_unless_equals_int (gst_harness_push (tx_rtcp, out), GST_FLOW_OK);
  g_signal_emit_by_name (tx, "get-internal-session", 0, &session);
  g_signal_emit_by_name (session, "get-source-by-ssrc", xr.report_ssrc, &source);
  fail_unless (source != NULL, "the sender's session did not take us for a member");
  g_object_unref (source);
  g_object_unref (session);
  gst_harness_teardown (tx_rtcp);
  gst_harness_teardown (rx_rtcp);
  gst_harness_teardown (rx_rtp);
}

/* Real video over a lossy link, reports into a real session: what is told is what came.
 * It ends with the video; how long that takes decides nothing. */
TEST (test_over_a_lossy_link)
{
  g_autoptr (GstElement) call = gst_parse_launch ("rtpbin name=tx videotestsrc is-live=true "
      "num-buffers=60 ! video/x-raw,format=I420,width=320,height=240,framerate=30/1 "
      "! jpegenc ! rtpjpegpay mtu=600 ! linksim name=link loss=0.1 delay=20000000 "
      "! rtpfbrareceiver name=fbra ! fakesink sync=false async=false "
      "fbra.rtcp_src ! tx.recv_rtcp_sink_0", NULL);
  g_autoptr (GstElement) fbra = gst_bin_get_by_name (GST_BIN (call), "fbra");
  g_autoptr (GstBus) bus = gst_element_get_bus (call);
  guint64 received, reported, lost;
  GstMessage *message;

  gst_element_set_state (call, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, 15 * GST_SECOND, GST_MESSAGE_ERROR
      | GST_MESSAGE_WARNING | GST_MESSAGE_EOS);
  fail_unless (message && GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS);
  gst_message_unref (message);
  received = stat_of (fbra, "packets-received");
  reported = stat_of (fbra, "reported-received");
  lost = stat_of (fbra, "reported-lost");
  fail_unless (received > 300, "%" G_GUINT64_FORMAT, received);
  fail_unless (reported <= received && reported > received / 2);
  fail_unless (lost > reported / 30 && lost < reported / 4);
  fail_unless (stat_of (fbra, "feedback-early") > 0);
  fail_unless_equals_uint64 (stat_of (fbra, "feedback-refused"), 0);
  gst_element_set_state (call, GST_STATE_NULL);
}

TEST_MAIN (rtpfbrareceiver_flow);
