/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* rtpfbrafec and rtpfbrareceiver around two real rtpbins, with a linksim for the network
 * and XR as the only feedback per packet.  In real time, so it waits for what must come and
 * times nothing. */
#include <gst/check/gstcheck.h>

#include "core/fbra/state.h"

#define PATIENCE (25 * G_TIME_SPAN_SECOND)      /* until a wait is given up */
#define DELAY (20 * GST_MSECOND)        /* of the link, each way */
#define FEC_PT 122

/* GstBin says so where RTCP comes back by the element that RTP left by; it is none. */
#define LOOP "loop detected in the graph of bin"

typedef struct {
  GstElement *pipeline, *fec, *receiver, *link;
  gint states;                  /* atomic: those that were seen, as bits */
  GMutex lock;
  guint parity;                 /* packets of it that left rtpfbrafec */
  guint events, share, base;    /* the encoder's share of the target, bit/s */
  guint parity_at_base;         /* parity sent when the share became base */
  guint steps, unproved;        /* increases; those without parity since the last */
} Call;

/* --- what is watched -------------------------------------------------------- */

static void
on_state (GObject *fec, GParamSpec *pspec, gpointer data)
{
  gint state;

  g_object_get (fec, "state", &state, NULL);
  g_atomic_int_or (&((Call *) data)->states, 1u << state);
}

static void
take_packet (Call *call, GstBuffer *buffer)
{
  guint8 head[12];

  fail_unless_equals_int (gst_buffer_extract (buffer, 0, head, 12), 12);
  g_mutex_lock (&call->lock);
  if ((head[1] & 0x7f) == FEC_PT)
    call->parity++;
  g_mutex_unlock (&call->lock);
}

static GstPadProbeReturn
on_packets (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  if (info->type & GST_PAD_PROBE_TYPE_BUFFER) {
    take_packet (data, GST_PAD_PROBE_INFO_BUFFER (info));
  } else {
    GstBufferList *list = GST_PAD_PROBE_INFO_BUFFER_LIST (info);

    for (guint i = 0; i < gst_buffer_list_length (list); i++)
      take_packet (data, gst_buffer_list_get (list, i));
  }
  return GST_PAD_PROBE_OK;
}

/* With the lock.  What is within 3 % of what has passed is no step, as it says nothing new;
 * nor is it one to make room for parity and to take that back. */
static void
take_share (Call *call, guint share, gboolean probing)
{
  call->share = share;
  if (call->events++ > 0 && share <= call->base * 103 / 100
      && (share >= call->base || probing))
    return;
  if (call->events > 1 && share > call->base) {
    call->steps++;
    call->unproved += call->parity == call->parity_at_base;
  }
  call->base = share;
  call->parity_at_base = call->parity;
}

static GstPadProbeReturn
on_upstream (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  const GstStructure *s = gst_event_get_structure (GST_PAD_PROBE_INFO_EVENT (info));
  Call *call = data;
  guint target, parity;

  if (!s || !gst_structure_has_name (s, "GstRtpTargetBitrate"))
    return GST_PAD_PROBE_OK;
  fail_unless (gst_structure_get (s, "target-bitrate", G_TYPE_UINT, &target, "fec-bitrate",
          G_TYPE_UINT, &parity, NULL));
  g_mutex_lock (&call->lock);
  take_share (call, target - parity, parity > 0);
  g_mutex_unlock (&call->lock);
  return GST_PAD_PROBE_OK;
}

static guint
get (Call *call, const guint *member)
{
  guint value;

  g_mutex_lock (&call->lock);
  value = *member;
  g_mutex_unlock (&call->lock);
  return value;
}

static guint64
stat_of (GstElement *element, const gchar *name)
{
  GstStructure *stats;
  const GValue *value;
  guint64 n;

  g_object_get (element, "stats", &stats, NULL);
  value = gst_structure_get_value (stats, name);
  fail_unless (value != NULL, "no %s", name);
  n = G_VALUE_HOLDS_UINT (value) ? g_value_get_uint (value)
      : g_value_get_uint64 (value);
  gst_structure_free (stats);
  return n;
}

/* --- the call --------------------------------------------------------------- */

static GstCaps *
give_caps (GstElement *rtpbin, guint session, guint pt, gpointer data)
{
  return gst_caps_new_simple ("application/x-rtp", "media", G_TYPE_STRING, "video",
      "clock-rate", G_TYPE_INT, 90000, "encoding-name", G_TYPE_STRING,
      pt == FEC_PT ? "ULPFEC" : "JPEG", "payload", G_TYPE_INT, (gint) pt, NULL);
}

static void
on_stream (GstElement *rtpbin, GstPad *pad, gpointer data)
{
  GstElement *sink;
  GstPad *end;

  if (!g_str_has_prefix (GST_PAD_NAME (pad), "recv_rtp_src"))
    return;
  sink = gst_element_factory_make ("fakesink", NULL);
  g_object_set (sink, "sync", FALSE, "async", FALSE, NULL);
  gst_bin_add (GST_BIN (data), sink);
  gst_element_sync_state_with_parent (sink);
  end = gst_element_get_static_pad (sink, "sink");
  gst_pad_link (pad, end);
  gst_object_unref (end);
}

static void
prepare_bin (GstElement *pipeline, const gchar *name)
{
  GstElement *rtpbin = gst_bin_get_by_name (GST_BIN (pipeline), name);
  GObject *session;

  g_signal_connect (rtpbin, "request-pt-map", G_CALLBACK (give_caps), NULL);
  g_signal_connect (rtpbin, "pad-added", G_CALLBACK (on_stream), pipeline);
  g_signal_emit_by_name (rtpbin, "get-internal-session", 0, &session);
  g_object_set (session, "rtcp-min-interval", (guint64) 120 * GST_MSECOND, "bandwidth",
      1e6, NULL);
  g_object_unref (session);
  gst_object_unref (rtpbin);
}

static void
watch (Call *call, GstPadProbeType type, const gchar *name, GstPadProbeCallback callback)
{
  GstPad *pad = gst_element_get_static_pad (call->fec, name);

  gst_pad_add_probe (pad, type, callback, call, NULL);
  gst_object_unref (pad);
}

/* MJPEG of about 250 kbit/s over 1 Mbit/s; @controller stands behind rtpfbrafec, and the RTCP
 * that comes in runs through @heard as well. */
static Call *
call_start (const gchar *settings, const gchar *controller, const gchar *heard)
{
  Call *call = g_new0 (Call, 1);
  gchar *line = g_strdup_printf ("videotestsrc is-live=true pattern=ball "
      "! video/x-raw,format=I420,width=160,height=120,framerate=30/1 ! jpegenc quality=40 "
      "! rtpjpegpay mtu=400 ! rtpfbrafec name=fec %s %s ! tx.send_rtp_sink_0 "
      "linksim name=link rtpfbrareceiver name=receiver "
      "rtpbin name=tx rtp-profile=avpf rtpbin name=rx rtp-profile=avpf "
      "tx.send_rtp_src_0 ! link.sink link.src ! receiver.sink "
      "receiver.src ! rx.recv_rtp_sink_0 "
      "tx.send_rtcp_src_0 ! fec.send_rtcp_sink fec.send_rtcp_src ! link.fwd_sink_0 "
      "link.fwd_src_0 ! receiver.recv_rtcp_sink receiver.recv_rtcp_src "
      "! rx.recv_rtcp_sink_0 "
      "rx.send_rtcp_src_0 ! receiver.rtcp_sink receiver.rtcp_src ! link.rev_sink_0 "
      "link.rev_src_0 ! fec.rtcp_sink fec.rtcp_src %s ! tx.recv_rtcp_sink_0",
      settings, controller, heard);
  GError *error = NULL;

  call->pipeline = gst_parse_launch (line, &error);
  fail_unless (call->pipeline != NULL && error == NULL, "%s: %s", error->message, line);
  g_free (line);
  g_mutex_init (&call->lock);
  call->fec = gst_bin_get_by_name (GST_BIN (call->pipeline), "fec");
  call->receiver = gst_bin_get_by_name (GST_BIN (call->pipeline), "receiver");
  call->link = gst_bin_get_by_name (GST_BIN (call->pipeline), "link");
  g_object_set (call->link, "bandwidth", (guint64) 1000000, "delay",
      (guint64) DELAY, NULL);
  g_signal_connect (call->fec, "notify::state", G_CALLBACK (on_state), call);
  watch (call, GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_BUFFER_LIST, "src",
      on_packets);
  watch (call, GST_PAD_PROBE_TYPE_EVENT_UPSTREAM, "sink", on_upstream);
  prepare_bin (call->pipeline, "tx");
  prepare_bin (call->pipeline, "rx");
  fail_unless (gst_element_set_state (call->pipeline, GST_STATE_PLAYING)
      != GST_STATE_CHANGE_FAILURE);
  return call;
}

static void
no_error (Call *call)
{
  GstBus *bus = gst_element_get_bus (call->pipeline);
  GstMessage *message;
  GError *error;

  while ((message = gst_bus_pop (bus))) {
    if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
      gst_message_parse_error (message, &error, NULL);
      fail ("%s", error->message);
    }
    gst_message_unref (message);
  }
  gst_object_unref (bus);
}

static gchar *
stats_text (Call *call)
{
  GstElement *elements[] = { call->fec, call->receiver, call->link };
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (elements); i++) {
    GstStructure *stats;
    gchar *one;

    g_object_get (elements[i], "stats", &stats, NULL);
    one = gst_structure_to_string (stats);
    g_string_append_printf (text, "\n%s", one);
    g_free (one);
    gst_structure_free (stats);
  }
  return g_string_free (text, FALSE);
}

#define wait_for(call, condition) G_STMT_START { \
  const gint64 until_ = g_get_monotonic_time () + PATIENCE; \
  while (!(condition)) { \
    no_error (call); \
    fail_unless (g_get_monotonic_time () < until_, "never happened: " #condition "%s", \
        stats_text (call)); \
    g_usleep (20000); \
  } \
} G_STMT_END

static gboolean
seen (Call *call, RccFbraState state)
{
  return (g_atomic_int_get (&call->states) & 1 << state) != 0;
}

static void
call_end (Call *call)
{
  no_error (call);
  fail_unless_equals_int (gst_element_set_state (call->pipeline, GST_STATE_NULL),
      GST_STATE_CHANGE_SUCCESS);
  fail_unless_equals_uint64 (stat_of (call->receiver, "rtcp-truncated"), 0);
  gst_object_unref (call->fec);
  gst_object_unref (call->receiver);
  gst_object_unref (call->link);
  gst_object_unref (call->pipeline);
  g_mutex_clear (&call->lock);
  g_free (call);
}

/* --- the tests -------------------------------------------------------------- */

#define OWN "start-bitrate=150000 max-bitrate=900000 owd-floor=500000000"

/* What XR says makes it probe, and take what has passed; the parity crosses two rtpbins. */
GST_START_TEST (test_probes)
{
  Call *call = call_start (OWN, "", "");

  wait_for (call, seen (call, RCC_FBRA_PROBE));
  wait_for (call, seen (call, RCC_FBRA_UP));
  wait_for (call, get (call, &call->share) > 150000);
  fail_unless (get (call, &call->parity) > 0);
  fail_unless (stat_of (call->fec, "probes-passed") > 0);
  fail_unless_equals_uint64 (stat_of (call->fec, "probes-without-parity"), 0);
  fail_unless (stat_of (call->receiver, "reported-received") > 0);
  call_end (call);
}

GST_END_TEST;

/* DLRR in the SRs that go by: both ends know the round trip, no less than it is. */
GST_START_TEST (test_round_trip)
{
  Call *call = call_start (OWN, "", "");

  wait_for (call, stat_of (call->receiver, "rtt") < 5 * DELAY);
  fail_unless (stat_of (call->receiver, "rtt") >= 2 * DELAY - GST_MSECOND);
  wait_for (call, stat_of (call->fec, "rtt-min") < 5 * DELAY);
  fail_unless (stat_of (call->fec, "rtt-min") >= 2 * DELAY - GST_MSECOND);
  call_end (call);
}

GST_END_TEST;

/* Loss RLE: what the link drops is what makes it go down. */
GST_START_TEST (test_losses)
{
  Call *call = call_start (OWN, "", "");
  guint64 lost;

  wait_for (call, seen (call, RCC_FBRA_UP));
  lost = stat_of (call->receiver, "reported-lost");
  g_atomic_int_set (&call->states, 0);
  g_object_set (call->link, "loss", 0.3, NULL);
  wait_for (call, stat_of (call->receiver, "reported-lost") > lost);
  wait_for (call, seen (call, RCC_FBRA_DOWN));
  wait_for (call, stat_of (call->fec, "losses") > 0);
  wait_for (call, stat_of (call->fec, "undershoots") > 0);
  wait_for (call, stat_of (call->receiver, "feedback-early") > 0);
  call_end (call);
}

GST_END_TEST;

/* Discard RLE: the path is suddenly longer than max-delay. */
GST_START_TEST (test_discards)
{
  Call *call = call_start (OWN, "", "");

  wait_for (call, seen (call, RCC_FBRA_UP));
  g_atomic_int_set (&call->states, 0);
  g_object_set (call->link, "delay", (guint64) 800 * GST_MSECOND, NULL);
  wait_for (call, stat_of (call->receiver, "packets-late") > 0);
  wait_for (call, stat_of (call->receiver, "reported-late") > 0);
  wait_for (call, seen (call, RCC_FBRA_DOWN));
  wait_for (call, stat_of (call->fec, "discards") > 0);
  call_end (call);
}

GST_END_TEST;

/* GCC decides, by the same XR; none of its increases reaches the encoder before parity has
 * been sent for it, and its decreases do. */
GST_START_TEST (test_external)
{
  Call *call = call_start ("probe-for=external", "! rtpgccsender name=cc tuning=tuning,probe-interval=0 "
      "start-bitrate=150000 max-bitrate=900000", "! cc.rtcp_sink cc.rtcp_src");
  GstElement *cc = gst_bin_get_by_name (GST_BIN (call->pipeline), "cc");

  wait_for (call, get (call, &call->events) > 0);
  wait_for (call, seen (call, RCC_FBRA_PROBE));
  wait_for (call, get (call, &call->steps) >= 2);
  fail_unless (stat_of (cc, "feedback-count") > 0);
  fail_unless (stat_of (cc, "probe-count") == 0);
  fail_unless (get (call, &call->parity) > 0);
  wait_for (call, stat_of (call->fec, "probes-passed") >= 2);
  g_object_set (cc, "max-bitrate", 100000, NULL);
  wait_for (call, get (call, &call->share) <= 100000);
  fail_unless_equals_int (get (call, &call->unproved), 0);
  gst_object_unref (cc);
  call_end (call);
}

GST_END_TEST;

static Suite *
rtpfbra_rtpbin_suite (void)
{
  Suite *s = suite_create ("rtpfbra-rtpbin");
  TCase *tc = tcase_create ("all");

  gst_check_add_log_filter ("GStreamer", G_LOG_LEVEL_WARNING, g_regex_new (LOOP, 0, 0, NULL),
      NULL, NULL, NULL);

  suite_add_tcase (s, tc);
  tcase_set_timeout (tc, 60);
  tcase_add_test (tc, test_probes);
  tcase_add_test (tc, test_round_trip);
  tcase_add_test (tc, test_losses);
  tcase_add_test (tc, test_discards);
  tcase_add_test (tc, test_external);
  return s;
}

GST_CHECK_MAIN (rtpfbra_rtpbin);
