/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* rtpccsink: its address, several streams, its end, and a payloader that begins anew.  What leaves
 * is read from a socket or taken by an rtpccsrc.  tests/calluri.py makes calls. */
#include <gio/gio.h>

#include "call-rig.h"

#define KEY "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwd"
#define SSRC 7

/* A socket of this machine at a port that nobody has. */
static GSocket *
open_socket (guint *port)
{
  GInetAddress *loopback = g_inet_address_new_loopback (G_SOCKET_FAMILY_IPV4);
  GSocketAddress *any = g_inet_socket_address_new (loopback, 0), *bound;
  GSocket *socket = g_socket_new (G_SOCKET_FAMILY_IPV4, G_SOCKET_TYPE_DATAGRAM,
      G_SOCKET_PROTOCOL_UDP, NULL);

  fail_unless (socket && g_socket_bind (socket, any, FALSE, NULL));
  bound = g_socket_get_local_address (socket, NULL);
  *port = g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (bound));
  g_socket_set_timeout (socket, 10);
  g_object_unref (bound);
  g_object_unref (any);
  g_object_unref (loopback);
  return socket;
}

/* --- a payloader that begins anew ----------------------------------------- */

static void
push (GstElement *source, guint16 seq)
{
  g_autoptr (GstBuffer) buffer = rtp_packet (SSRC, seq, 0, TRUE, 200);
  GstFlowReturn ret;

  g_signal_emit_by_name (source, "push-buffer", buffer, &ret);
  fail_unless_equals_int (ret, GST_FLOW_OK);
}

/* The next packet of RTP: RFC 5761 section 4 tells RTCP by its types. */
static guint16
next_number (GSocket *socket)
{
  guint8 packet[2000];
  gssize size;

  do {
    size = g_socket_receive (socket, (gchar *) packet, sizeof packet, NULL, NULL);
    fail_unless (size >= 12);
  } while (packet[1] >= 192 && packet[1] <= 223);
  return GST_READ_UINT16_BE (packet + 2);
}

/* Numbers of each beginning, ten packets from each; and what has to leave. */
static void
check_beginnings (const gchar *key, const guint16 (*runs)[2], guint n)
{
  guint port;
  GSocket *socket = open_socket (&port);
  GstElement *pipeline = parse_call (g_strdup_printf ("appsrc name=a format=time is-live=true "
          "do-timestamp=true caps=\"application/x-rtp,media=video,encoding-name=H264,payload=96,"
          "clock-rate=90000,ssrc=(uint)%u\" ! rtpccsink uri=rtp://127.0.0.1:%u?rtcp-mux=true %s",
          SSRC, port, key));
  GstElement *source = gst_bin_get_by_name (GST_BIN (pipeline), "a");

  play_call (pipeline);
  for (guint i = 0; i < n; i++)
    for (guint j = 0; j < 10; j++) {
      push (source, (guint16) (runs[i][0] + j));
      fail_unless_equals_int (next_number (socket), (guint16) (runs[i][1] + j));
    }
  gst_object_unref (source);
  end_call (pipeline);
  g_object_unref (socket);
}

/* Each is back from the one before by less than half of all numbers.  Without a key they stay. */
TEST (test_begins_anew)
{
  static const guint16 runs[][2] = { {1000, 1000}, {10, 1010}, {40000, 1020}, {30000, 1030} };
  static const guint16 plain[][2] = { {1000, 1000}, {10, 10} };

  check_beginnings ("key=" KEY, runs, G_N_ELEMENTS (runs));
  check_beginnings ("", plain, G_N_ELEMENTS (plain));
}

/* A gap forward is none, as no number is used twice. */
TEST (test_goes_on)
{
  static const guint16 runs[][2] = { {65530, 65530}, {4, 4}, {2000, 2000} };

  check_beginnings ("key=" KEY, runs, G_N_ELEMENTS (runs));
}

/* --- many streams --------------------------------------------------------- */

#define STREAMS 9

static GstPadProbeReturn
on_packet (GstPad *pad, GstPadProbeInfo *info, gpointer streams)
{
  g_atomic_int_inc ((gint *) streams);
  return GST_PAD_PROBE_REMOVE;
}

static gint streams;

/* rtpccsrc lets pads be that nobody links. */
static void
on_stream_of_source (GstElement *source, GstPad *pad, GstElement *pipeline)
{
  GstElement *sink = gst_element_factory_make ("fakesink", NULL);
  g_autoptr (GstPad) end = gst_element_get_static_pad (sink, "sink");

  g_object_set (sink, "sync", FALSE, "async", FALSE, NULL);
  gst_bin_add (GST_BIN (pipeline), sink);
  gst_element_sync_state_with_parent (sink);
  gst_pad_add_probe (end, GST_PAD_PROBE_TYPE_BUFFER, on_packet, &streams, NULL);
  fail_unless_equals_int (gst_pad_link (pad, end), GST_PAD_LINK_OK);
}

/* 9 times 64 kbit/s and headers, below the rate. */
TEST (test_nine_streams)
{
  guint port;
  GSocket *socket = open_socket (&port);
  GString *line = g_string_new (NULL);
  GstElement *pipeline, *source, *sink;
  GstStructure *stats;

  g_object_unref (socket);
  g_string_printf (line, "rtpccsrc name=r uri=rtp://127.0.0.1:%u?rtcp-mux=true "
      "rtpccsink name=s uri=rtp://127.0.0.1:%u?rtcp-mux=true start-bitrate=2000000", port, port);
  for (guint i = 0; i < STREAMS; i++)
    g_string_append (line, " audiotestsrc is-live=true ! alawenc ! rtppcmapay ! s.");
  pipeline = parse_call (g_string_free (line, FALSE));
  source = gst_bin_get_by_name (GST_BIN (pipeline), "r");
  sink = gst_bin_get_by_name (GST_BIN (pipeline), "s");
  g_atomic_int_set (&streams, 0);
  g_signal_connect (source, "pad-added", G_CALLBACK (on_stream_of_source), pipeline);
  play_call (pipeline);
  await (pipeline, g_atomic_int_get (&streams) == STREAMS);
  stats = stats_of (sink);
  fail_unless (gst_structure_has_field (stats, "mux"));
  fail_unless (gst_structure_has_field (stats, "repair"));
  fail_unless (gst_structure_has_field (stats, "sessions"));
  gst_structure_free (stats);
  gst_object_unref (source);
  gst_object_unref (sink);
  end_call (pipeline);
}

/* --- the end -------------------------------------------------------------- */

#define LATE 200000             /* microseconds */

/* Holds up the thread of RTP behind rtpsession's sink pad, until the goodbye has left: a flag says
 * only then that RTP has ended. */
static void
hold_up (GstDebugCategory *category, GstDebugLevel level, const gchar *file, const gchar *function,
    gint line, GObject *object, GstDebugMessage *message, gpointer data)
{
  if (GST_IS_PAD (object) && !strcmp (GST_OBJECT_NAME (object), "send_rtp_sink")
      && g_str_has_prefix (gst_debug_message_get (message), "sent event"))
    g_usleep (LATE);
}

/* Whether @ssrc is one of which the compound says goodbye. */
static gboolean
says_goodbye (const guint8 *bytes, gsize size, guint32 ssrc)
{
  for (gsize at = 0; at + 4 <= size; at += 4 + 4 * (gsize) GST_READ_UINT16_BE (bytes + at + 2))
    for (guint i = 0; bytes[at + 1] == 203 && i < (bytes[at] & 31u); i++)
      if (GST_READ_UINT32_BE (bytes + at + 4 + 4 * i) == ssrc)
        return TRUE;
  return FALSE;
}

static gboolean
await_goodbye (GSocket *socket, guint32 ssrc)
{
  guint8 bytes[2000];
  gssize size;

  g_socket_set_timeout (socket, 1);
  while ((size = g_socket_receive (socket, (gchar *) bytes, sizeof bytes, NULL, NULL)) > 0)
    if (bytes[1] >= 192 && bytes[1] <= 223 && says_goodbye (bytes, (gsize) size, ssrc))
      return TRUE;
  return FALSE;
}

static void
hold_up_events (void)
{
  gst_debug_set_active (TRUE);
  gst_debug_set_threshold_for_name ("GST_PADS", GST_LEVEL_DEBUG);
  gst_debug_add_log_function (hold_up, NULL, NULL);
  gst_debug_remove_log_function (gst_debug_log_default);
}

/* The end of what comes in is that of the pipeline, of which RTCP is a part, whichever thread of
 * rtpsession's is first.  It has said goodbye for the stream three times, as each may be lost. */
TEST_EACH (test_ends, 2)
{
  guint port;
  GSocket *socket = open_socket (&port);
  GstElement *pipeline = parse_call (g_strdup_printf ("audiotestsrc is-live=true num-buffers=20 "
          "! alawenc ! rtppcmapay ssrc=%u ! rtpccsink uri=rtp://127.0.0.1:%u?rtcp-mux=true",
          SSRC, port));
  GstBus *bus = gst_element_get_bus (pipeline);
  GstMessage *end;

  if (__i__ % 2 > 0)
    hold_up_events ();
  play_call (pipeline);
  end = gst_bus_timed_pop_filtered (bus, 10 * GST_SECOND, GST_MESSAGE_EOS);
  fail_unless (end != NULL, "it never ends");
  gst_message_unref (end);
  for (guint i = 0; i < 3; i++)
    fail_unless (await_goodbye (socket, SSRC), "%u goodbyes", i);
  gst_debug_remove_log_function (hold_up);
  gst_object_unref (bus);
  end_call (pipeline);
  g_object_unref (socket);
}

/* --- the address ---------------------------------------------------------- */

/* Both ends, through the interface and the property, which keeps what is wrong for the start. */
TEST (test_uri)
{
  static const struct
  {
    const gchar *factory;
    GstURIType type;
  } ends[] = { {"rtpccsink", GST_URI_SINK}, {"rtpccsrc", GST_URI_SRC} };

  for (guint i = 0; i < G_N_ELEMENTS (ends); i++) {
    GstElement *e = gst_check_setup_element (ends[i].factory);
    GstURIHandler *handler = GST_URI_HANDLER (e);
    gboolean mux;
    gchar *uri;

    fail_unless_equals_int (gst_uri_handler_get_uri_type (handler), ends[i].type);
    fail_unless_equals_string (gst_uri_handler_get_protocols (handler)[0], "rtp");
    fail_unless (gst_uri_handler_set_uri (handler, "rtp://127.0.0.1:6004?rtcp-mux=true", NULL));
    g_object_get (e, "uri", &uri, "rtcp-mux", &mux, NULL);
    fail_unless_equals_string (uri, "rtp://127.0.0.1:6004?rtcp-mux=true");
    fail_unless (mux);
    g_free (uri);
    fail_if (gst_uri_handler_set_uri (handler, "rtp://127.0.0.1:70000", NULL));
    g_object_set (e, "uri", "rtp://127.0.0.1:70000", NULL);
    fail_unless_equals_int (gst_element_set_state (e, GST_STATE_READY),
        GST_STATE_CHANGE_FAILURE);
    gst_element_set_state (e, GST_STATE_NULL);
    gst_check_teardown_element (e);
  }
}

TEST_MAIN (rtpccsink);
