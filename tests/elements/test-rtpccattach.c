/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * rtpccattach at two rtpbins that talk over the loopback, with bare caps where they receive, as
 * behind DTLS-SRTP; and what it, and rtpbin's names for pads, do alone.  webrtcbin is in the suite
 * interop.
 */
#include <gio/gio.h>
#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>

#define SEND_TIME "http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time"

static GstElement *
attach_to (GstElement *pipeline, const gchar *name, const gchar *property, gboolean value)
{
  GstElement *bin = gst_bin_get_by_name (GST_BIN (pipeline), name);
  GstElement *attach = gst_element_factory_make ("rtpccattach", NULL);

  fail_unless (bin != NULL && attach != NULL);
  g_object_set (attach, property, value, "bin", bin, NULL);
  gst_object_unref (bin);
  return attach;
}

/* What @role has in @field, as text; NULL: there is none. */
static gchar *
stat_of (GstElement *attach, const gchar *role, const gchar *field)
{
  GstStructure *stats, *part = NULL;
  gchar *text = NULL;

  g_object_get (attach, "stats", &stats, NULL);
  gst_structure_get (stats, role, GST_TYPE_STRUCTURE, &part, NULL);
  if (part && gst_structure_has_field (part, field)) {
    const GValue *value = gst_structure_get_value (part, field);

    text = G_VALUE_HOLDS_STRING (value) ? g_value_dup_string (value) : gst_value_serialize (value);
  }
  g_clear_pointer (&part, gst_structure_free);
  gst_structure_free (stats);
  return text;
}

static gboolean
is (GstElement *attach, const gchar *role, const gchar *field, const gchar *wanted)
{
  gchar *text = stat_of (attach, role, field);
  const gboolean same = g_strcmp0 (text, wanted) == 0;

  g_free (text);
  return same;
}

static guint64
number (GstElement *attach, const gchar *role, const gchar *field)
{
  gchar *text = stat_of (attach, role, field);
  const guint64 n = text ? g_ascii_strtoull (text, NULL, 10) : 0;

  g_free (text);
  return n;
}

static guint
free_port (void)
{
  GSocket *socket = g_socket_new (G_SOCKET_FAMILY_IPV4, G_SOCKET_TYPE_DATAGRAM, 0, NULL);
  GInetAddress *any = g_inet_address_new_loopback (G_SOCKET_FAMILY_IPV4);
  GSocketAddress *address = g_inet_socket_address_new (any, 0);
  guint port;

  fail_unless (g_socket_bind (socket, address, FALSE, NULL));
  g_object_unref (address);
  address = g_socket_get_local_address (socket, NULL);
  port = g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (address));
  g_object_unref (address);
  g_object_unref (any);
  g_object_unref (socket);
  return port;
}

static GstElement *
new_call (void)
{
  GstElement *pipeline = gst_pipeline_new (NULL);

  for (const gchar *name = "ab"; *name; name++) {
    gchar bin_name[2] = { *name, '\0' };
    GstElement *bin = gst_element_factory_make ("rtpbin", bin_name);

    gst_util_set_object_arg (G_OBJECT (bin), "rtp-profile", "avpf");
    gst_bin_add (GST_BIN (pipeline), bin);
  }
  return pipeline;
}

/* The elements around the rtpbins, which are attached to by now. */
static void
fill_in (GstElement *pipeline)
{
  const guint rtp = free_port (), rtcp = free_port ();
  gchar *descriptions[] = {
    g_strdup ("audiotestsrc is-live=true samplesperbuffer=160 "
        "! audio/x-raw,rate=8000,channels=1 ! mulawenc ! rtppcmupay max-ptime=20000000 "
        "! application/x-rtp,extmap-3=(string)" SEND_TIME " ! capssetter replace=true "
        "caps=application/x-rtp,media=audio,clock-rate=8000,payload=0,encoding-name=PCMU"),
    g_strdup_printf ("udpsink host=127.0.0.1 port=%u sync=false async=false", rtp),
    g_strdup_printf ("udpsrc address=127.0.0.1 port=%u caps=application/x-rtp", rtp),
    g_strdup_printf ("udpsink host=127.0.0.1 port=%u sync=false async=false", rtcp),
    g_strdup_printf ("udpsrc address=127.0.0.1 port=%u caps=application/x-rtcp", rtcp),
  };
  static const gchar *const ends[][2] = { { "a", "send_rtp_sink_0" }, { "a", "send_rtp_src_0" },
    { "b", "recv_rtp_sink_0" }, { "b", "send_rtcp_src_0" }, { "a", "recv_rtcp_sink_0" } };

  for (guint i = 0; i < G_N_ELEMENTS (descriptions); i++) {
    GstElement *bin = gst_bin_get_by_name (GST_BIN (pipeline), ends[i][0]);
    GstElement *element = gst_parse_bin_from_description (descriptions[i], TRUE, NULL);
    const gboolean from_bin = strstr (ends[i][1], "_src_") != NULL;

    gst_bin_add (GST_BIN (pipeline), element);
    fail_unless (from_bin ? gst_element_link_pads (bin, ends[i][1], element, "sink")
        : gst_element_link_pads (element, "src", bin, ends[i][1]), "%s", ends[i][1]);
    gst_object_unref (bin);
    g_free (descriptions[i]);
  }
}

static gboolean
wait_for (gboolean (*done) (GstElement *, GstElement *), GstElement *a, GstElement *b,
    guint seconds)
{
  for (guint i = 0; i < seconds * 20; i++) {
    if (done (a, b))
      return TRUE;
    g_usleep (50000);
  }
  return FALSE;
}

static gboolean
is_closed_loop (GstElement *a, GstElement *b)
{
  return number (a, "controller", "remb-count") > 0 && number (a, "breaker", "rtcp-compounds") > 0
      && is (b, "receiver", "send-time", "abs-send-time")
      && number (a, "controller", "abs-send-time-id") == 3;
}

/* No id, no clock rate and no pad for RTCP is told anybody. */
GST_START_TEST (test_rtpbins)
{
  GstElement *pipeline = new_call ();
  GstElement *a = attach_to (pipeline, "a", "receiver", FALSE);
  GstElement *b = attach_to (pipeline, "b", "breaker", FALSE);
  GstBus *bus = gst_element_get_bus (pipeline);
  GstMessage *message;

  g_object_set (a, "max-bitrate", 250000, NULL);       /* another limit than at first */
  fill_in (pipeline);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  fail_unless (wait_for (is_closed_loop, a, b, 15), "REMB %u, RTCP %u, id %u",
      (guint) number (a, "controller", "remb-count"),
      (guint) number (a, "breaker", "rtcp-compounds"),
      (guint) number (a, "controller", "abs-send-time-id"));
  /* nothing has halved before that */
  fail_unless_equals_int (number (a, "controller", "feedback-timeout-count"), 0);
  do {
    message = gst_bus_timed_pop_filtered (bus, 5 * GST_SECOND, GST_MESSAGE_ELEMENT);
    fail_unless (message != NULL, "no words");
    if (gst_message_has_name (message, "GstRtpCcAttach"))
      break;
    gst_message_unref (message);
  } while (TRUE);
  fail_unless (gst_structure_get_string (gst_message_get_structure (message), "limit") != NULL);
  fail_unless_equals_string (gst_structure_get_string (gst_message_get_structure (message),
          "missing"), "");
  gst_message_unref (message);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (bus);
  gst_object_unref (pipeline);
}

GST_END_TEST;

static GstMessage *
complaint_of (GstElement *bin)
{
  GstBus *bus = gst_bus_new ();
  GstElement *attach = gst_element_factory_make ("rtpccattach", NULL);
  GstMessage *message;

  gst_element_set_bus (attach, bus);
  g_object_set (attach, "bin", bin, NULL);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR | GST_MESSAGE_WARNING);
  gst_element_set_bus (attach, NULL);
  gst_object_unref (bus);
  return message;
}

GST_START_TEST (test_wrong_and_late)
{
  GstElement *none = gst_object_ref_sink (gst_element_factory_make ("identity", NULL));
  GstElement *late = gst_object_ref_sink (gst_element_factory_make ("rtpbin", NULL));
  GstMessage *message = complaint_of (none);

  fail_unless (message && GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR);
  gst_message_unref (message);
  fail_unless (complaint_of (late) == NULL);
  gst_object_unref (gst_element_request_pad_simple (late, "send_rtp_sink_0"));
  message = complaint_of (late);
  fail_unless (message && GST_MESSAGE_TYPE (message) == GST_MESSAGE_WARNING);
  gst_message_unref (message);
  gst_object_unref (late);
  gst_object_unref (none);
}

GST_END_TEST;

static void
assert_feedback (const gchar *sdp, const gchar *wanted)
{
  GstElement *attach = gst_object_ref_sink (gst_element_factory_make ("rtpccattach", NULL));
  gchar *text = NULL;

  g_signal_emit_by_name (attach, "add-feedback", sdp, &text);
  fail_unless_equals_string (text, wanted);
  g_free (text);
  gst_object_unref (attach);
}

GST_START_TEST (test_sdp)
{
  assert_feedback ("v=0\r\nm=audio 9 X 97\r\na=rtpmap:97 OPUS/48000\r\nm=video 9 X 96 98\r\n"
      "a=rtpmap:96 VP8/90000\r\na=rtpmap:98 rtx/90000\r\na=fmtp:98 apt=96\r\n",
      "v=0\r\nm=audio 9 X 97\r\na=rtpmap:97 OPUS/48000\r\nm=video 9 X 96 98\r\n"
      "a=rtpmap:96 VP8/90000\r\na=rtcp-fb:96 goog-remb\r\na=rtpmap:98 rtx/90000\r\n"
      "a=fmtp:98 apt=96\r\n");
  assert_feedback ("m=video 9 X 96\na=rtpmap:96 H264/90000\na=rtcp-fb:96 goog-remb\n",
      "m=video 9 X 96\na=rtpmap:96 H264/90000\na=rtcp-fb:96 goog-remb\n");
  assert_feedback ("m=video 9 X 96\na=rtpmap:96 H264/90000",
      "m=video 9 X 96\na=rtpmap:96 H264/90000\na=rtcp-fb:96 goog-remb\n");
  assert_feedback ("", "");
  assert_feedback ("m=video\na=rtpmap:\na=rtpmap:-3 VP8\na=rtpmap:999 VP8/1\nm=\n",
      "m=video\na=rtpmap:\na=rtpmap:-3 VP8\na=rtpmap:999 VP8/1\nm=\n");
}

GST_END_TEST;

/* A bin that has what webrtcbin has by name, of other types. */
typedef struct {
  GstBin parent;
} Stranger;
typedef struct {
  GstBinClass parent_class;
} StrangerClass;

static GType stranger_get_type (void);
G_DEFINE_TYPE (Stranger, stranger, GST_TYPE_BIN);

static void
stranger_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == 1)
    g_value_set_int (value, 0);
  else
    g_value_take_boxed (value, g_strsplit ("m=video 9 RTP/AVP 96,second,third", ",", -1));
}

static void
stranger_init (Stranger *self)
{
  gst_bin_add (GST_BIN (self), gst_element_factory_make ("rtpbin", "rtpbin"));
}

static void
stranger_class_init (StrangerClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  object_class->get_property = stranger_get_property;
  g_object_class_install_property (object_class, 1,
      g_param_spec_int ("signaling-state", "", "", 0, 9, 0, flags));
  g_object_class_install_property (object_class, 2,
      g_param_spec_boxed ("local-description", "", "", G_TYPE_STRV, flags));
  g_object_class_install_property (object_class, 3,
      g_param_spec_boxed ("remote-description", "", "", G_TYPE_STRV, flags));
}

/* Its text is no text of an SDP, and is not read as one. */
GST_START_TEST (test_foreign_description)
{
  GstElement *bin = gst_object_ref_sink (g_object_new (stranger_get_type (), NULL));
  GstElement *attach = gst_element_factory_make ("rtpccattach", NULL);
  GstStructure *stats;

  g_object_set (attach, "bin", bin, NULL);
  g_object_notify (G_OBJECT (bin), "signaling-state");
  g_object_get (attach, "stats", &stats, NULL);
  fail_unless_equals_string (gst_structure_get_string (stats, "missing"), "");
  gst_structure_free (stats);
  gst_object_unref (bin);
}

GST_END_TEST;

static gboolean
has_pad (GstElement *element, const gchar *name)
{
  GstPad *pad = gst_element_get_static_pad (element, name);
  const gboolean there = pad != NULL;

  gst_clear_object (&pad);
  return there;
}

/* What rtpbin looks for in what its signals return. */
GST_START_TEST (test_names)
{
  static const struct {
    const gchar *element, *request, *src, *own;
  } rows[] = {
    { "rtpgccsender", "rtp_sink_7", "rtp_src_7", "sink" },
    { "rtpgccsender", "sink_7", "src_7", "sink" },
    { "rtpgccsender", "rtcp_sink_7", "rtcp_src_7", NULL },
    { "rtpfbrafec", "rtp_sink_7", "rtp_src_7", "sink" },
    { "rtpccsender", "rtp_sink_7", "rtp_src_7", "sink" },
    { "rtpcircuitbreaker", "rtp_sink_7", "rtp_src_7", NULL },
    { "rtpgccreceiver", "rtp_sink", "rtp_src", "sink" },
    { "rtpgccreceiver", "rtcp_sink_7", "rtcp_src_7", "rtcp_sink" },
    { "rtpfbrareceiver", "rtp_sink", "rtp_src", "sink" },
    { "rtpfbrareceiver", "rtcp_sink_7", "rtcp_src_7", "rtcp_sink" },
    { "rtpsbpnmux", "rtcp_sink_7", "rtcp_src_7", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    GstElement *e = gst_object_ref_sink (gst_element_factory_make (rows[i].element, NULL));
    GstPad *pad;

    gst_element_set_state (e, i % 2 ? GST_STATE_PLAYING : GST_STATE_NULL);
    pad = gst_element_request_pad_simple (e, rows[i].request);
    fail_unless (pad != NULL, "%s %s", rows[i].element, rows[i].request);
    fail_unless (has_pad (e, rows[i].request) && has_pad (e, rows[i].src));
    if (rows[i].own) {
      fail_if (has_pad (e, rows[i].own));
    }
    gst_element_release_request_pad (e, pad);
    fail_if (has_pad (e, rows[i].request) || has_pad (e, rows[i].src));
    if (rows[i].own)
      fail_unless (has_pad (e, rows[i].own));
    gst_object_unref (pad);
    gst_element_set_state (e, GST_STATE_NULL);
    gst_object_unref (e);
  }
}

GST_END_TEST;

/* Linked pads keep their names. */
GST_START_TEST (test_names_of_linked)
{
  GstHarness *h = gst_harness_new ("rtpgccreceiver");

  fail_unless (gst_element_request_pad_simple (h->element, "rtp_sink") == NULL);
  gst_harness_teardown (h);
}

GST_END_TEST;

/* Caps that come into the bin, what its inside makes of them, as rtpfunnel does of a bundle's, and
 * the id that the controller has before the first packet. */
static const struct {
  const gchar *outside, *inside;
  guint id;
} bundles[] = {
  {"extmap-7=(string)" SEND_TIME, "", 7},
  {"extmap-7=(string)<\"\", \"" SEND_TIME "\", \"\">", "", 7},
  {"extmap-7=(string)urn:ietf:params:rtp-hdrext:toffset", "", 0},
  /* the session's own caps say that 7 is something else */
  {"extmap-7=(string)" SEND_TIME, ",extmap-7=(string)urn:ietf:params:rtp-hdrext:toffset", 0},
};

#define RTP "application/x-rtp,media=video,clock-rate=90000,payload=96,encoding-name=VP8"

static gint
is_controller (gconstpointer item, gconstpointer unused)
{
  GObject *object = g_value_get_object (item);

  return !g_object_class_find_property (G_OBJECT_GET_CLASS (object), "abs-send-time-id");
}

static GstElement *
find_controller (GstBin *bin)
{
  GstIterator *elements = gst_bin_iterate_recurse (bin);
  GValue found = G_VALUE_INIT;
  GstElement *controller;

  fail_unless (gst_iterator_find_custom (elements, is_controller, &found, NULL));
  controller = g_value_dup_object (&found);
  g_value_unset (&found);
  gst_iterator_free (elements);
  return controller;
}

/* A second with the pacer's queue in the send times is enough to make a browser's REMB collapse. */
GST_START_TEST (test_id_before_the_first_packet)
{
  GstElement *outer = gst_bin_new ("outer"), *rtpbin = gst_element_factory_make ("rtpbin",
      "rtpbin");
  gchar *strip = g_strdup_printf ("capssetter replace=true caps=\"" RTP "%s\"",
      bundles[__i__].inside);
  gchar *caps = g_strdup_printf (RTP ",%s", bundles[__i__].outside);
  GstElement *setter = gst_parse_bin_from_description (strip, TRUE, NULL);
  GstElement *attach, *controller;
  GstPad *sink = gst_element_get_static_pad (setter, "sink");
  GstHarness *h;
  guint id = 0;

  gst_bin_add_many (GST_BIN (outer), setter, rtpbin, NULL);
  gst_element_add_pad (outer, gst_ghost_pad_new ("sink", sink));
  gst_object_unref (sink);
  attach = gst_element_factory_make ("rtpccattach", NULL);
  g_object_set (attach, "bin", outer, NULL);
  fail_unless (gst_element_link_pads (setter, "src", rtpbin, "send_rtp_sink_0"));
  h = gst_harness_new_with_element (outer, "sink", NULL);
  gst_harness_set_src_caps_str (h, caps);
  controller = find_controller (GST_BIN (outer));
  g_object_get (controller, "abs-send-time-id", &id, NULL);
  fail_unless_equals_int (id, bundles[__i__].id);
  gst_object_unref (controller);
  gst_harness_teardown (h);
  gst_object_unref (outer);
  g_free (caps);
  g_free (strip);
}

GST_END_TEST;

static guint
kbps_of (GstElement *pipeline, const gchar *encoder)
{
  GstElement *element = gst_bin_get_by_name (GST_BIN (pipeline), encoder);
  guint kbps;

  g_object_get (element, "bitrate", &kbps, NULL);
  gst_object_unref (element);
  return kbps;
}

#define ENCODER(name) "videotestsrc is-live=true ! video/x-raw,width=64,height=48,framerate=10/1 " \
  "! x264enc name=" name " tune=zerolatency speed-preset=ultrafast ! rtph264pay ! f. "
#define HALF(kbps) ((kbps) > 400 && (kbps) <= 500)

/* Two encoders of one session, neither with an adapter: they share the controller's megabit. */
GST_START_TEST (test_two_encoders)
{
  GstElement *pipeline = gst_parse_launch ("rtpbin name=a rtpfunnel name=f " ENCODER ("e0")
      ENCODER ("e1"), NULL);
  GstElement *attach, *bin = gst_bin_get_by_name (GST_BIN (pipeline), "a");
  GstElement *funnel = gst_bin_get_by_name (GST_BIN (pipeline), "f");

  attach = gst_element_factory_make ("rtpccattach", NULL);
  g_object_set (attach, "min-bitrate", 1000000, "start-bitrate", 1000000, "bin", bin, NULL);
  fail_unless (gst_element_link_pads (funnel, "src", bin, "send_rtp_sink_0"));
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  for (guint i = 0; i < 200 && !(HALF (kbps_of (pipeline, "e0"))
          && HALF (kbps_of (pipeline, "e1"))); i++)
    g_usleep (50000);
  fail_unless (HALF (kbps_of (pipeline, "e0")), "%u", kbps_of (pipeline, "e0"));
  fail_unless (HALF (kbps_of (pipeline, "e1")), "%u", kbps_of (pipeline, "e1"));
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (funnel);
  gst_object_unref (bin);
  gst_object_unref (pipeline);
}

GST_END_TEST;

static Suite *
rtpccattach_suite (void)
{
  Suite *s = suite_create ("rtpccattach");
  TCase *tc = tcase_create ("all");

  suite_add_tcase (s, tc);
  tcase_set_timeout (tc, 40);
  tcase_add_test (tc, test_rtpbins);
  tcase_add_test (tc, test_two_encoders);
  tcase_add_test (tc, test_wrong_and_late);
  tcase_add_test (tc, test_sdp);
  tcase_add_test (tc, test_foreign_description);
  tcase_add_test (tc, test_names);
  tcase_add_test (tc, test_names_of_linked);
  tcase_add_loop_test (tc, test_id_before_the_first_packet, 0, G_N_ELEMENTS (bundles));
  return s;
}

GST_CHECK_MAIN (rtpccattach);
