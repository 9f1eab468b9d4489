/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Speech and pictures through rtpsbpnmux between two real rtpbins, with room for half of
 * them.  In real time, so it waits for what must come and times nothing. */
#include <gst/check/gstcheck.h>

#define PATIENCE 20000                  /* ms until a wait is given up */

/* GstBin says so where RTCP comes back by the element that RTP left by; it is none. */
#define LOOP "loop detected in the graph of bin"

static GstCaps *
pt_map (GstElement *bin, guint session, guint pt, gpointer data)
{
  return gst_caps_from_string (pt == 0
      ? "application/x-rtp,media=audio,clock-rate=8000,encoding-name=PCMU"
      : "application/x-rtp,media=video,clock-rate=90000,encoding-name=JPEG");
}

static void
take_stream (GstElement *bin, GstPad *pad, gpointer pipeline)
{
  GstElement *sink;
  GstPad *sinkpad;

  if (!g_str_has_prefix (GST_PAD_NAME (pad), "recv_rtp_src_"))
    return;
  sink = gst_element_factory_make ("fakesink", NULL);
  g_object_set (sink, "sync", FALSE, "async", FALSE, NULL);
  gst_bin_add (pipeline, sink);
  gst_element_sync_state_with_parent (sink);
  sinkpad = gst_element_get_static_pad (sink, "sink");
  fail_unless_equals_int (gst_pad_link (pad, sinkpad), GST_PAD_LINK_OK);
  gst_object_unref (sinkpad);
}

/* About 70 kbit/s of speech and 430 kbit/s of pictures. */
static GstElement *
make_call (const gchar *settings)
{
  gchar *line = g_strdup_printf ("rtpsbpnmux name=mux %s ! tx.send_rtp_sink_0 "
      "audiotestsrc is-live=true samplesperbuffer=160 "
      "! audio/x-raw,rate=8000,channels=1 ! mulawenc ! rtppcmupay ! mux.sink_0 "
      "videotestsrc is-live=true pattern=ball "
      "! video/x-raw,format=I420,width=320,height=240,framerate=30/1 ! jpegenc quality=60 "
      "! rtpjpegpay mtu=600 ! mux.sink_1 "
      "rtpbin name=tx rtp-profile=avpf rtpbin name=rx rtp-profile=avpf "
      "tx.send_rtp_src_0 ! rx.recv_rtp_sink_0 tx.send_rtcp_src_0 ! rx.recv_rtcp_sink_0 "
      "rx.send_rtcp_src_0 ! queue ! mux.rtcp_sink mux.rtcp_src ! tx.recv_rtcp_sink_0",
      settings);
  GError *error = NULL;
  GstElement *call = gst_parse_launch (line, &error), *bin;

  fail_unless (call != NULL && error == NULL, "%s", error ? error->message : line);
  g_free (line);
  for (guint i = 0; i < 2; i++) {
    bin = gst_bin_get_by_name (GST_BIN (call), i ? "rx" : "tx");
    g_signal_connect (bin, "request-pt-map", G_CALLBACK (pt_map), NULL);
    if (i)
      g_signal_connect (bin, "pad-added", G_CALLBACK (take_stream), call);
    gst_object_unref (bin);
  }
  fail_unless (gst_element_set_state (call, GST_STATE_PLAYING)
      != GST_STATE_CHANGE_FAILURE);
  return call;
}

static guint64
stat_of (GstElement *call, const gchar *pad_name, const gchar *field)
{
  GstElement *mux = gst_bin_get_by_name (GST_BIN (call), "mux");
  GstPad *pad = pad_name ? gst_element_get_static_pad (mux, pad_name) : NULL;
  GstStructure *stats;
  const GValue *value;
  guint64 n;

  g_object_get (pad ? (gpointer) pad : (gpointer) mux, "stats", &stats, NULL);
  value = gst_structure_get_value (stats, field);
  fail_unless (value != NULL, "no field %s", field);
  n = G_VALUE_HOLDS_UINT (value) ? g_value_get_uint (value)
      : g_value_get_uint64 (value);
  gst_structure_free (stats);
  gst_clear_object (&pad);
  gst_object_unref (mux);
  return n;
}

/* What the receiver's session counts of each stream that is not its own: streams,
 * received, lost. */
static guint
received (GstElement *call, guint64 *packets, gint *lost)
{
  GstElement *bin = gst_bin_get_by_name (GST_BIN (call), "rx");
  GObject *session;
  GstStructure *stats;
  GValueArray *sources;
  guint n = 0;

  *packets = 0;
  *lost = 0;
  g_signal_emit_by_name (bin, "get-internal-session", 0, &session);
  fail_unless (session != NULL);
  g_object_get (session, "stats", &stats, NULL);
  G_GNUC_BEGIN_IGNORE_DEPRECATIONS;
  sources = g_value_get_boxed (gst_structure_get_value (stats, "source-stats"));
  for (guint i = 0; i < sources->n_values; i++) {
    const GstStructure *s =
        gst_value_get_structure (g_value_array_get_nth (sources, i));
    gboolean internal = TRUE;
    guint64 count = 0;
    gint missing = 0;

    gst_structure_get_boolean (s, "internal", &internal);
    gst_structure_get_uint64 (s, "packets-received", &count);
    gst_structure_get_int (s, "packets-lost", &missing);
    if (internal || count == 0)
      continue;
    n++;
    *packets += count;
    *lost += missing;
  }
  G_GNUC_END_IGNORE_DEPRECATIONS;
  gst_structure_free (stats);
  g_object_unref (session);
  gst_object_unref (bin);
  return n;
}

static void
no_error (GstElement *call)
{
  GstBus *bus = gst_element_get_bus (call);
  GstMessage *message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  GError *error;

  if (message) {
    gst_message_parse_error (message, &error, NULL);
    fail ("%s", error->message);
  }
  gst_object_unref (bus);
}

#define wait_for(call, condition) G_STMT_START { \
  guint waited_ = 0; \
  while (!(condition)) { \
    no_error (call); \
    fail_unless (waited_++ < PATIENCE / 20, "never happened: " #condition); \
    g_usleep (20000); \
  } \
} G_STMT_END

GST_START_TEST (test_half_is_dropped_nothing_is_lost)
{
  GstElement *call = make_call ("rate-control=tfrc min-bitrate=250000 "
      "start-bitrate=250000 max-bitrate=250000 mode=sbpn1");
  guint64 packets, in, sent;
  gint before, lost;

  /* rtpsession counts one packet of a stream's probation twice: from there on */
  wait_for (call, received (call, &packets, &before) == 2 && packets > 20);
  wait_for (call, stat_of (call, "sink_0", "packets-in") >= 250);
  in = stat_of (call, "sink_1", "packets-in");
  sent = stat_of (call, "sink_1", "packets-sent");
  fail_unless (sent < in / 2, "%u of %u pictures' packets left", (guint) sent, (guint) in);
  fail_unless (sent > 50);
  in = stat_of (call, "sink_0", "packets-in");
  sent = stat_of (call, "sink_0", "packets-sent");
  fail_unless (sent * 100 >= in * 98, "%u of %u packets of speech left", (guint) sent,
      (guint) in);
  fail_unless_equals_int (received (call, &packets, &lost), 2);
  fail_unless (packets > 250);
  fail_unless_equals_int (lost, before);
  fail_unless (lost <= 0);
  wait_for (call, stat_of (call, NULL, "report-count") > 0);
  fail_unless_equals_uint64 (stat_of (call, NULL, "rtcp-forged"), 0);
  no_error (call);
  fail_unless_equals_int (gst_element_set_state (call, GST_STATE_NULL),
      GST_STATE_CHANGE_SUCCESS);
  gst_object_unref (call);
}

GST_END_TEST;

static Suite *
rtpsbpnmux_flow_suite (void)
{
  Suite *s = suite_create ("rtpsbpnmux-flow");
  TCase *tc = tcase_create ("all");

  gst_check_add_log_filter ("GStreamer", G_LOG_LEVEL_WARNING, g_regex_new (LOOP, 0, 0, NULL),
      NULL, NULL, NULL);
  suite_add_tcase (s, tc);
  tcase_set_timeout (tc, 60);
  tcase_add_test (tc, test_half_is_dropped_nothing_is_lost);
  return s;
}

GST_CHECK_MAIN (rtpsbpnmux_flow);
