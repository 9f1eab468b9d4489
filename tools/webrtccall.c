/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * webrtccall: two webrtcbins in one process that adapt to the network
 *
 *   webrtccall [--duration SECONDS] [--json]
 *
 * rtpccattach does it, a line for each webrtcbin: a controller in front of the RTP session, a
 * circuit breaker behind it.  What is left is what an application does anyway.  Both ends name the
 * header extensions in their caps, the answering one in its transceiver's.
 */
#include <gst/gst.h>
#include <gst/sdp/sdp.h>
#define GST_USE_UNSTABLE_API
#include <gst/webrtc/webrtc.h>
#include <stdio.h>

#include "sim/json.h"

#define ABS_SEND_TIME "http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time"
#define TRANSPORT_WIDE \
  "http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01"
#define RTP_CAPS "application/x-rtp,media=video,encoding-name=H264,payload=96," \
  "clock-rate=90000,rtcp-fb-nack-pli=true,rtcp-fb-transport-cc=true," \
  "extmap-3=(string)" ABS_SEND_TIME ",extmap-5=(string)" TRANSPORT_WIDE

typedef struct {
  GMainLoop *loop;
  GstElement *pipeline, *sender, *receiver;     /* the webrtcbins */
  GstElement *attach;                           /* the sender's rtpccattach */
  gint frames;                                  /* that arrived */
  gboolean json;                                /* prints one object, at the end */
  GArray *targets;                              /* guint, kbit/s, one a second */
  char *limit, *missing;                        /* the last that rtpccattach said */
  char *error;
} WebrtcCall;

static void
fail (WebrtcCall *call, const char *what)
{
  if (!call->error)
    call->error = g_strdup (what);
  g_main_loop_quit (call->loop);
}

static GstElement *
attach (GstElement *webrtcbin)
{
  GstElement *element = gst_element_factory_make ("rtpccattach", NULL);

  if (element)
    g_object_set (element, "max-bitrate", 3000000u, "bin", webrtcbin, NULL);
  return element;
}

/* --- signalling: two variables -------------------------------------------- */

static GstWebRTCSessionDescription *
take_description (GstPromise *promise, const char *name)
{
  GstWebRTCSessionDescription *description = NULL;

  if (gst_promise_wait (promise) == GST_PROMISE_RESULT_REPLIED)
    gst_structure_get (gst_promise_get_reply (promise), name,
        GST_TYPE_WEBRTC_SESSION_DESCRIPTION, &description, NULL);
  gst_promise_unref (promise);
  return description;
}

static void
set_both (GstElement *local, GstElement *remote, GstWebRTCSessionDescription *description)
{
  g_signal_emit_by_name (local, "set-local-description", description, NULL);
  g_signal_emit_by_name (remote, "set-remote-description", description, NULL);
  gst_webrtc_session_description_free (description);
}

static void
on_answer (GstPromise *promise, gpointer data)
{
  WebrtcCall *call = data;
  GstWebRTCSessionDescription *answer = take_description (promise, "answer");

  if (answer)
    set_both (call->receiver, call->sender, answer);
  else
    fail (call, "the receiving webrtcbin gave no answer");
}

static void
on_offer (GstPromise *promise, gpointer data)
{
  WebrtcCall *call = data;
  GstWebRTCSessionDescription *offer = take_description (promise, "offer");

  if (!offer) {
    fail (call, "the sending webrtcbin made no offer");
    return;
  }
  set_both (call->sender, call->receiver, offer);
  g_signal_emit_by_name (call->receiver, "create-answer", NULL,
      gst_promise_new_with_change_func (on_answer, call, NULL));
}

static void
on_negotiation_needed (GstElement *webrtcbin, WebrtcCall *call)
{
  g_signal_emit_by_name (webrtcbin, "create-offer", NULL,
      gst_promise_new_with_change_func (on_offer, call, NULL));
}

static void
on_candidate (GstElement *webrtcbin, guint line, const char *candidate, GstElement *other)
{
  g_signal_emit_by_name (other, "add-ice-candidate", line, candidate);
}

/* --- media ---------------------------------------------------------------- */

static GstPadProbeReturn
count_frame (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  g_atomic_int_inc (&((WebrtcCall *) data)->frames);
  return GST_PAD_PROBE_OK;
}

static void
on_stream (GstElement *webrtcbin, GstPad *pad, WebrtcCall *call)
{
  GstElement *decoder;
  GstPad *sink, *out;

  if (GST_PAD_DIRECTION (pad) != GST_PAD_SRC)
    return;
  decoder = gst_parse_bin_from_description ("rtph264depay request-keyframe=true ! avdec_h264"
      " ! fakesink name=screen sync=false async=false", TRUE, NULL);
  if (!decoder) {
    fail (call, "H.264 cannot be decoded: install the Debian package gstreamer1.0-libav");
    return;
  }
  gst_bin_add (GST_BIN (call->pipeline), decoder);
  gst_element_sync_state_with_parent (decoder);
  sink = gst_element_get_static_pad (decoder, "sink");
  gst_pad_link (pad, sink);
  gst_object_unref (sink);
  decoder = gst_bin_get_by_name (GST_BIN (decoder), "screen");
  out = gst_element_get_static_pad (decoder, "sink");
  gst_pad_add_probe (out, GST_PAD_PROBE_TYPE_BUFFER, count_frame, call, NULL);
  gst_object_unref (out);
  gst_object_unref (decoder);
}

/* The caps in front of webrtcbin become the offer. */
static GstElement *
new_pipeline (GError **error)
{
  return gst_parse_launch_full ("videotestsrc is-live=true horizontal-speed=3"
      " ! video/x-raw,width=640,height=480,framerate=25/1"
      " ! x264enc tune=zerolatency speed-preset=superfast key-int-max=100000 bitrate=300"
      " ! video/x-h264,profile=constrained-baseline"
      " ! rtph264pay pt=96 mtu=1200 aggregate-mode=zero-latency config-interval=-1"
      " ! " RTP_CAPS " ! sender. webrtcbin name=sender bundle-policy=max-bundle"
      " webrtcbin name=receiver bundle-policy=max-bundle", NULL,
      GST_PARSE_FLAG_FATAL_ERRORS, error);
}

/* The answer says yes to the header extensions only if they are asked for here. */
static void
prepare_receiver (WebrtcCall *call)
{
  GstCaps *caps = gst_caps_from_string (RTP_CAPS);
  GstWebRTCRTPTransceiver *transceiver = NULL;

  g_signal_emit_by_name (call->receiver, "add-transceiver",
      GST_WEBRTC_RTP_TRANSCEIVER_DIRECTION_RECVONLY, caps, &transceiver);
  g_clear_object (&transceiver);
  gst_caps_unref (caps);
}

/* --- running -------------------------------------------------------------- */

static gboolean
on_second (gpointer data)
{
  WebrtcCall *call = data;
  guint target = 0;

  if (call->attach)
    g_object_get (call->attach, "estimated-bitrate", &target, NULL);
  target /= 1000;
  g_array_append_val (call->targets, target);
  if (!call->json)
    printf ("target %u kbit/s, frames received %d\n", target, g_atomic_int_get (&call->frames));
  fflush (stdout);
  return G_SOURCE_CONTINUE;
}

static void
hear_attach (WebrtcCall *call, const GstStructure *s)
{
  g_free (call->limit);
  g_free (call->missing);
  call->limit = g_strdup (gst_structure_get_string (s, "limit"));
  call->missing = g_strdup (gst_structure_get_string (s, "missing"));
  if (!call->json)
    printf ("the rate is limited by %s; %s\n", call->limit, call->missing);
}

static gboolean
on_bus (GstBus *bus, GstMessage *message, gpointer data)
{
  WebrtcCall *call = data;
  const GstStructure *s = gst_message_get_structure (message);
  g_autoptr (GError) error = NULL;

  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
    gst_message_parse_error (message, &error, NULL);
    fail (call, error->message);
  } else if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_LATENCY) {
    gst_bin_recalculate_latency (GST_BIN (call->pipeline));
  } else if (gst_message_has_name (message, "GstRtpCcAttach")) {
    hear_attach (call, s);
  } else if (gst_message_has_name (message, "GstRtpCircuitBreaker")) {
    g_autofree char *text = gst_structure_to_string (s);

    fail (call, text);
  }
  return G_SOURCE_CONTINUE;
}

static gboolean
on_end (gpointer data)
{
  g_main_loop_quit (data);
  return G_SOURCE_REMOVE;
}

static void
run (WebrtcCall *call, double duration)
{
  GstBus *bus = gst_element_get_bus (call->pipeline);

  gst_bus_add_watch (bus, on_bus, call);
  g_signal_connect (call->sender, "on-negotiation-needed",
      G_CALLBACK (on_negotiation_needed), call);
  g_signal_connect (call->sender, "on-ice-candidate", G_CALLBACK (on_candidate),
      call->receiver);
  g_signal_connect (call->receiver, "on-ice-candidate", G_CALLBACK (on_candidate),
      call->sender);
  g_signal_connect (call->receiver, "pad-added", G_CALLBACK (on_stream), call);
  call->attach = attach (call->sender);
  attach (call->receiver);
  prepare_receiver (call);
  g_timeout_add (1000, on_second, call);
  g_timeout_add ((guint) (duration * 1000), on_end, call->loop);
  gst_element_set_state (call->pipeline, GST_STATE_PLAYING);
  g_main_loop_run (call->loop);
  gst_element_set_state (call->pipeline, GST_STATE_NULL);
  gst_bus_remove_watch (bus);
  gst_object_unref (bus);
}

/* docs/json.md has the fields. */
static void
print_json (WebrtcCall *call, double duration)
{
  RccJson j = rcc_json (stdout);

  rcc_json_object (&j, NULL);
  rcc_json_number (&j, "duration", duration);
  rcc_json_count (&j, "frames", (uint64_t) g_atomic_int_get (&call->frames));
  rcc_json_text (&j, "limit", call->limit);
  rcc_json_text (&j, "missing", call->missing);
  rcc_json_array (&j, "targets");
  for (guint i = 0; i < call->targets->len; i++)
    rcc_json_count (&j, NULL, g_array_index (call->targets, guint, i));
  rcc_json_end (&j);
  rcc_json_end (&j);
}

static gboolean
parse (int argc, char **argv, WebrtcCall *call, double *duration)
{
  const GOptionEntry entries[] = {
    {"duration", 'd', 0, G_OPTION_ARG_DOUBLE, duration, "Default: 20", "SECONDS"},
    {"json", 0, 0, G_OPTION_ARG_NONE, &call->json,
        "Print one JSON object (docs/json.md) at the end in place of lines", NULL},
    {NULL}
  };
  GOptionContext *context = g_option_context_new (NULL);
  g_autoptr (GError) error = NULL;

  g_option_context_set_summary (context, "Two webrtcbins in one process that adapt to the "
      "network.");
  g_option_context_add_main_entries (context, entries, NULL);
  g_option_context_parse (context, &argc, &argv, &error);
  g_option_context_free (context);
  if (error)
    call->error = g_strdup (error->message);
  else if (argc > 1)
    call->error = g_strdup_printf ("\"%s\" belongs to no option", argv[1]);
  else if (!(*duration > 0 && *duration < 1e6))
    call->error = g_strdup ("--duration takes seconds above 0");
  return !call->error;
}

int
main (int argc, char **argv)
{
  WebrtcCall call = { 0 };
  double duration = 20;
  g_autoptr (GError) error = NULL;

  gst_init (NULL, NULL);
  if (!parse (argc, argv, &call, &duration)) {
    fprintf (stderr, "webrtccall: %s; see --help\n", call.error);
    return 2;
  }
  call.loop = g_main_loop_new (NULL, FALSE);
  call.targets = g_array_new (FALSE, FALSE, sizeof (guint));
  call.pipeline = new_pipeline (&error);
  if (call.pipeline) {
    call.sender = gst_bin_get_by_name (GST_BIN (call.pipeline), "sender");
    call.receiver = gst_bin_get_by_name (GST_BIN (call.pipeline), "receiver");
    run (&call, duration);
    if (!call.error && !call.frames)
      call.error = g_strdup ("no picture arrived: is there a network interface up?");
    gst_object_unref (call.sender);
    gst_object_unref (call.receiver);
    gst_object_unref (call.pipeline);
  } else
    call.error = g_strdup (error->message);
  g_main_loop_unref (call.loop);
  if (call.error)
    fprintf (stderr, "webrtccall: %s\n", call.error);
  else if (call.json)
    print_json (&call, duration);
  g_array_unref (call.targets);
  g_free (call.limit);
  g_free (call.missing);
  return call.error != NULL;
}
