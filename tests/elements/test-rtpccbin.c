/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* rtpccbin: pads, signals, offers and stats.  tests/calluri.py makes calls. */
#include "rig.h"
#include "wire/rtcp.h"

#define TRANSPORT_WIDE \
  "http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01"

static GstElement *bin;

static void
setup (void)
{
  bin = gst_check_setup_element ("rtpccbin");
}

static void
teardown (void)
{
  gst_element_set_state (bin, GST_STATE_NULL);
  gst_check_teardown_element (bin);
}

static GstPad *
request (const gchar * name)
{
  GstPad *pad = gst_element_request_pad_simple (bin, name);

  fail_unless (pad != NULL, "%s", name);
  fail_unless_equals_string (GST_PAD_NAME (pad), name);
  return pad;
}

static void
release (GstPad * pad)
{
  gst_element_release_request_pad (bin, pad);
  gst_object_unref (pad);
}

/* In each order that pads may be asked for. */
TEST (test_pads)
{
  static const gchar *const orders[][4] = {
    {"send_rtp_sink_0", "recv_rtcp_sink_0", "send_rtcp_src_0",
        "recv_rtp_sink_0"},
    {"recv_rtp_sink_1", "send_rtcp_src_1", "recv_rtcp_sink_1",
        "send_rtp_sink_1"},
  };

  for (guint i = 0; i < 2; i++) {
    GstPad *pads[4], *out;
    g_autofree gchar *name = g_strdup_printf ("send_rtp_src_%u", i);

    for (guint j = 0; j < 4; j++)
      pads[j] = request (orders[i][j]);
    out = gst_element_get_static_pad (bin, name);
    fail_unless (out != NULL);
    gst_object_unref (out);
    fail_unless_equals_int (gst_element_set_state (bin, GST_STATE_PAUSED),
        GST_STATE_CHANGE_SUCCESS);
    gst_element_set_state (bin, GST_STATE_NULL);
    for (guint j = 0; j < 4; j++)
      release (pads[j]);
  }
}

static GstCaps *
on_pt_map (GstElement * element, guint session, guint pt, guint * asked)
{
  *asked = 1000 * session + pt;
  return gst_caps_from_string ("application/x-rtp,clock-rate=12345");
}

TEST (test_signals)
{
  g_autoptr (GstElement) rtpbin = gst_bin_get_by_name (GST_BIN (bin), "rtpbin");
  GstPad *pad = request ("recv_rtp_sink_3");
  GObject *session = NULL, *same = NULL;
  GstCaps *caps = NULL;
  guint asked = 0;

  g_signal_connect (bin, "request-pt-map", G_CALLBACK (on_pt_map), &asked);
  g_signal_emit_by_name (rtpbin, "request-pt-map", 3, 96, &caps);
  fail_unless_equals_int (asked, 3096);
  fail_unless (caps != NULL);
  gst_caps_unref (caps);
  g_signal_emit_by_name (bin, "get-internal-session", 3, &session);
  g_signal_emit_by_name (rtpbin, "get-internal-session", 3, &same);
  fail_unless (session != NULL && session == same);
  g_object_unref (session);
  g_object_unref (same);
  g_signal_emit_by_name (bin, "clear-pt-map");
  release (pad);
}

static gchar *
answer (GstPad * pad, const gchar * filter)
{
  GstCaps *wanted = filter ? gst_caps_from_string (filter) : NULL;
  GstCaps *caps = gst_pad_query_caps (pad, wanted);
  gchar *session = gst_structure_to_string (gst_caps_get_structure (caps, 0));

  gst_caps_unref (caps);
  if (wanted)
    gst_caps_unref (wanted);
  return session;
}

/* Who has the extension under another number keeps that, and gets no second one. */
TEST (test_offers)
{
  GstPad *pad = request ("send_rtp_sink_0");
  gchar *session = answer (pad, "application/x-rtp,media=video");

  fail_unless (strstr (session, "extmap-3") && strstr (session, "extmap-5"));
  g_free (session);
  session = answer (pad, "application/x-rtp,extmap-7=(string)" TRANSPORT_WIDE);
  fail_unless (strstr (session, "extmap-3") && strstr (session, "extmap-7"));
  fail_if (strstr (session, "extmap-5"));
  g_free (session);
  session = answer (pad, "application/x-rtp,extmap-3=(string)other");
  fail_unless (strstr (session, "extmap-3=(string)other"));
  g_free (session);
  release (pad);
}

TEST (test_stats)
{
  GstPad *pad = request ("send_rtp_sink_0");
  GstStructure *stats = NULL;
  const GValue *sessions;
  const GstStructure *session;

  g_object_set (bin, "max-bitrate", 200000u, NULL);
  g_object_get (bin, "stats", &stats, NULL);
  sessions = gst_structure_get_value (stats, "sessions");
  fail_unless_equals_int (gst_value_array_get_size (sessions), 1);
  session = gst_value_get_structure (gst_value_array_get_value (sessions, 0));
  fail_unless (gst_structure_has_field (session, "controller"));
  fail_unless (gst_structure_has_field (session, "breaker"));
  fail_unless (gst_structure_has_field (session, "rtp"));
  fail_unless (gst_structure_has_field (stats, "limit"));
  gst_structure_free (stats);
  release (pad);
}

static guint
count_elements (void)
{
  return GST_BIN_NUMCHILDREN (bin);
}

/* In words, of a profile without feedback. */
TEST (test_profile)
{
  static const struct
  {
    const gchar *profile;
    gboolean missing;
  } profiles[] = { {"avpf", FALSE}, {"avp", TRUE}, {"savp", TRUE}, {"savpf", FALSE} };

  for (guint i = 0; i < G_N_ELEMENTS (profiles); i++) {
    GstStructure *stats;
    const gchar *missing;

    gst_util_set_object_arg (G_OBJECT (bin), "rtp-profile", profiles[i].profile);
    g_object_get (bin, "stats", &stats, NULL);
    missing = gst_structure_get_string (stats, "missing");
    fail_unless_equals_int (strstr (missing, "set avpf") != NULL, profiles[i].missing);
    fail_unless (profiles[i].missing || !*missing);
    gst_structure_free (stats);
  }
}

/* What a pad has brought goes with it, and comes again. */
TEST (test_again)
{
  const guint before = count_elements ();

  for (guint i = 0; i < 3; i++) {
    GstElement *e = NULL;
    GstPad *rtcp = request ("send_rtcp_src_0"), *in = request ("recv_rtcp_sink_0");
    GstPad *send = request ("send_rtp_sink_0"), *out;

    g_object_set (bin, "feedback", 3, NULL);    /* REMB */
    fail_unless_equals_int (count_elements (), before + 2);
    out = request ("recv_rtp_sink_0");
    fail_unless_equals_int (count_elements (), before + 3);
    fail_unless_equals_int (gst_element_set_state (bin, GST_STATE_PLAYING),
        GST_STATE_CHANGE_SUCCESS);
    release (i == 1 ? out : send);
    release (i == 1 ? send : out);
    fail_unless_equals_int (count_elements (), before);
    release (i == 1 ? in : rtcp);
    release (i == 1 ? rtcp : in);
    e = gst_bin_get_by_name (GST_BIN (bin), "rtpbin");
    fail_unless_equals_int (g_list_length (e->sinkpads), 0);
    gst_object_unref (e);
  }
}

static void
count_adapter (const GValue * value, gpointer n)
{
  GstElementFactory *factory =
      gst_element_get_factory (g_value_get_object (value));

  *(guint *) n += g_str_equal (GST_OBJECT_NAME (factory), "rtpbitrateadapter");
}

/* A second start finds the adapter of the first. */
TEST (test_restart)
{
  g_autoptr (GstElement) pipeline = gst_parse_launch ("x264enc ! rtph264pay "
      "! rtpccbin name=b b.send_rtp_src_0 ! fakesink async=false", NULL);
  g_autoptr (GstElement) b = gst_bin_get_by_name (GST_BIN (pipeline), "b");

  for (guint i = 0; i < 3; i++) {
    GstIterator *it;
    guint n = 0;

    fail_if (gst_element_set_state (pipeline, GST_STATE_PAUSED)
        == GST_STATE_CHANGE_FAILURE);
    it = gst_bin_iterate_elements (GST_BIN (b));
    gst_iterator_foreach (it, count_adapter, &n);
    gst_iterator_free (it);
    fail_unless_equals_int (n, 1);
    gst_element_set_state (pipeline, i ? GST_STATE_READY : GST_STATE_NULL);
  }
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

static void
push_caps (GstPad * pad, const gchar * extension)
{
  g_autofree gchar *text = g_strdup_printf ("application/x-rtp,media=video,"
      "encoding-name=H264,payload=96,clock-rate=90000%s", extension);
  g_autoptr (GstCaps) caps = gst_caps_from_string (text);

  fail_unless (gst_pad_push_event (pad, gst_event_new_caps (caps)));
}

static gboolean
has_receiver (void)
{
  GstStructure *stats = stats_of (bin);
  const GValue *sessions = gst_structure_get_value (stats, "sessions");
  const gboolean has = gst_structure_has_field (gst_value_get_structure
      (gst_value_array_get_value (sessions, 0)), "receiver");

  gst_structure_free (stats);
  return has;
}

static void
push_packets (GstPad * pad, guint16 seq)
{
  for (guint16 i = 0; i < 10; i++)
    fail_unless_equals_int (gst_pad_push (pad, rtp_packet (1, (guint16) (seq + i),
                i * 900u, TRUE, 100)), GST_FLOW_OK);
}

/* rtpsession reports until a renegotiation takes its extension away; then a receiver of ours. */
TEST (test_extension_is_dropped)
{
  GstPad *sink = request ("recv_rtp_sink_0"), *src = gst_pad_new ("src", GST_PAD_SRC);
  GstSegment segment;

  gst_pad_set_active (src, TRUE);
  fail_unless_equals_int (gst_pad_link (src, sink), GST_PAD_LINK_OK);
  fail_unless (gst_element_set_state (bin, GST_STATE_PLAYING) != GST_STATE_CHANGE_FAILURE);
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_push_event (src, gst_event_new_stream_start ("peer"));
  push_caps (src, ",extmap-5=(string)" TRANSPORT_WIDE);
  gst_pad_push_event (src, gst_event_new_segment (&segment));
  push_packets (src, 1000);
  fail_if (has_receiver ());
  push_caps (src, "");
  push_packets (src, 1010);
  fail_unless (has_receiver ());
  push_caps (src, ",extmap-5=(string)" TRANSPORT_WIDE);
  push_packets (src, 1020);
  gst_element_set_state (bin, GST_STATE_NULL);
  gst_pad_unlink (src, sink);
  gst_object_unref (src);
  release (sink);
}

static GstPad *
feed (GstPad * sink, const gchar * caps)
{
  GstPad *src = gst_pad_new (NULL, GST_PAD_SRC);
  g_autoptr (GstCaps) parsed = gst_caps_from_string (caps);
  GstSegment segment;

  gst_pad_set_active (src, TRUE);
  fail_unless_equals_int (gst_pad_link (src, sink), GST_PAD_LINK_OK);
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_push_event (src, gst_event_new_stream_start ("peer"));
  gst_pad_push_event (src, gst_event_new_caps (parsed));
  gst_pad_push_event (src, gst_event_new_segment (&segment));
  return src;
}

/* Of its rtpbin and others, since the last time. */
static guint
warnings (void)
{
  GstBus *bus = gst_element_get_bus (bin);
  GstMessage *message;
  guint n = 0;

  while ((message = gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING))) {
    gst_message_unref (message);
    n++;
  }
  gst_object_unref (bus);
  return n;
}

/* What it says is heard. */
static void
listen (void)
{
  GstBus *bus = gst_bus_new ();

  gst_element_set_bus (bin, bus);
  gst_object_unref (bus);
}

static guint
members (void)
{
  GObject *session = NULL;
  guint n;

  g_signal_emit_by_name (bin, "get-internal-session", 0, &session);
  g_object_get (session, "num-sources", &n, NULL);
  g_object_unref (session);
  return n;
}

/* An RR of @ssrc, which reports on @media where that is not 0. */
static GstBuffer *
receiver_report (guint32 ssrc, guint32 media)
{
  const RccReportBlock block = { .ssrc = media };
  guint8 bytes[100];
  gsize size = rcc_rtcp_build_rr (bytes, sizeof bytes, ssrc, &block, media != 0);

  size += rcc_rtcp_build_cname (bytes + size, sizeof bytes - size, ssrc, "peer");
  return gst_buffer_new_memdup (bytes, size);
}

/* A thousand members would end RTCP (RFC 3550 6.3.1), and with it all feedback. Those who send to us,
 * or report on what we send, are members however many strangers have come. */
TEST (test_strangers)
{
  GstPad *sinks[3] = { request ("recv_rtp_sink_0"), request ("recv_rtcp_sink_0"),
    request ("send_rtp_sink_0") };
  GstPad *rtp, *rtcp, *media;
  GstBufferList *list = gst_buffer_list_new ();
  guint before;

  listen ();
  fail_unless (gst_element_set_state (bin, GST_STATE_PLAYING) != GST_STATE_CHANGE_FAILURE);
  rtp = feed (sinks[0], "application/x-rtp,media=video,encoding-name=H264,payload=96,"
      "clock-rate=90000");
  rtcp = feed (sinks[1], "application/x-rtcp");
  media = feed (sinks[2], "application/x-rtp,media=video,encoding-name=H264,payload=96,"
      "clock-rate=90000,ssrc=(uint)77");
  push_packets (rtp, 1000);
  before = members ();
  for (guint i = 0; i < 500; i++) {
    gst_pad_push (rtcp, receiver_report (1000 + i, 0));
    gst_pad_push (rtp, receiver_report (2000 + i, 0));
    gst_buffer_list_add (list, receiver_report (3000 + i, 1));
  }
  gst_pad_push_list (rtcp, list);
  fail_unless_equals_int (members (), before + 2 * 8);
  fail_unless_equals_int (warnings (), 1);
  gst_pad_push (rtcp, receiver_report (1, 0));          /* its RTP has come */
  gst_pad_push (rtcp, receiver_report (5000, 77));      /* it has ours */
  fail_unless_equals_int (members (), before + 2 * 8 + 1);
  gst_element_set_state (bin, GST_STATE_NULL);
  gst_element_set_bus (bin, NULL);
  for (guint i = 0; i < 3; i++) {
    GstPad *src = i == 0 ? rtp : i == 1 ? rtcp : media;

    gst_pad_unlink (src, sinks[i]);
    gst_object_unref (src);
    release (sinks[i]);
  }
}

/* Each has a jitterbuffer and a ptdemux. */
TEST (test_streams_are_bounded)
{
  GstElement *rtpbin = gst_bin_get_by_name (GST_BIN (bin), "rtpbin");
  GstPad *sink, *src;
  gint before;

  listen ();
  g_object_set (bin, "max-streams", 5, NULL);
  sink = request ("recv_rtp_sink_0");
  fail_unless (gst_element_set_state (bin, GST_STATE_PLAYING) != GST_STATE_CHANGE_FAILURE);
  src = feed (sink, "application/x-rtp,media=video,encoding-name=H264,payload=96,clock-rate=90000");
  before = GST_BIN_NUMCHILDREN (rtpbin);
  for (guint ssrc = 1; ssrc <= 100; ssrc++) {
    fail_unless_equals_int (warnings (), ssrc == 6);
    for (guint16 seq = 0; seq < 3; seq++)
      gst_pad_push (src, rtp_packet (ssrc, seq, 0, TRUE, 100));
  }
  fail_unless_equals_int (GST_BIN_NUMCHILDREN (rtpbin), before + 2 * 5);
  gst_element_set_state (bin, GST_STATE_NULL);
  gst_element_set_bus (bin, NULL);
  gst_pad_unlink (src, sink);
  gst_object_unref (src);
  gst_object_unref (rtpbin);
  release (sink);
}

static gdouble
bandwidth_of (guint id, gdouble set)
{
  GObject *session = NULL;
  gdouble bps;

  g_signal_emit_by_name (bin, "get-internal-session", id, &session);
  fail_unless (session != NULL);
  if (set > 0)
    g_object_set (session, "bandwidth", set, NULL);
  g_object_get (session, "bandwidth", &bps, NULL);
  g_object_unref (session);
  return bps;
}

/* RFC 3550 6.2: what a call begins with, and what somebody has set. */
TEST (test_first_bandwidth)
{
  GstPad *pads[3];

  pads[0] = request ("recv_rtp_sink_0");
  fail_unless_equals_float (bandwidth_of (0, 0), 300e3);
  pads[1] = request ("recv_rtcp_sink_1");
  fail_unless_equals_float (bandwidth_of (1, 0), 0);
  bandwidth_of (1, 64e3);
  pads[2] = request ("recv_rtp_sink_1");
  fail_unless_equals_float (bandwidth_of (1, 0), 64e3);
  for (guint i = 0; i < G_N_ELEMENTS (pads); i++)
    release (pads[i]);
}

SUITE (rtpccbin)
{
  tcase_add_checked_fixture (tc, setup, teardown);
}
