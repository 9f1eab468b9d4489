/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * rtpcircuitbreaker inside webrtcbin: it stands in the inner rtpbin, before DTLS has
 * made the reports unreadable.  Skipped where webrtcbin or libnice are not installed, and by the
 * tracer of leaks: GStreamer keeps a DTLS agent for good.
 */
#include <gst/sdp/sdp.h>
#define GST_USE_UNSTABLE_API
#include <gst/webrtc/webrtc.h>

#include "breaker-splice.h"
#include "call-rig.h"

typedef struct {
  Splice s;
  GstElement *pipeline, *sender, *receiver;
} Call;

/* --- signalling ----------------------------------------------------------- */

static void
set_both (GstElement *local, GstElement *remote, GstPromise *promise, const gchar *name)
{
  GstWebRTCSessionDescription *description = NULL;

  fail_unless (gst_promise_wait (promise) == GST_PROMISE_RESULT_REPLIED);
  gst_structure_get (gst_promise_get_reply (promise), name,
      GST_TYPE_WEBRTC_SESSION_DESCRIPTION, &description, NULL);
  gst_promise_unref (promise);
  fail_unless (description != NULL, "no %s", name);
  g_signal_emit_by_name (local, "set-local-description", description, NULL);
  g_signal_emit_by_name (remote, "set-remote-description", description, NULL);
  gst_webrtc_session_description_free (description);
}

static void
on_answer (GstPromise *promise, gpointer data)
{
  set_both (((Call *) data)->receiver, ((Call *) data)->sender, promise, "answer");
}

static void
on_offer (GstPromise *promise, gpointer data)
{
  Call *call = data;

  set_both (call->sender, call->receiver, promise, "offer");
  g_signal_emit_by_name (call->receiver, "create-answer", NULL,
      gst_promise_new_with_change_func (on_answer, call, NULL));
}

static void
on_negotiation_needed (GstElement *webrtcbin, Call *call)
{
  g_signal_emit_by_name (webrtcbin, "create-offer", NULL,
      gst_promise_new_with_change_func (on_offer, call, NULL));
}

static void
on_candidate (GstElement *webrtcbin, guint line, const gchar *candidate, GstElement *other)
{
  g_signal_emit_by_name (other, "add-ice-candidate", line, candidate);
}

/* --- the call ------------------------------------------------------------- */

static void
take_stream (GstElement *webrtcbin, GstPad *pad, Call *call)
{
  GstElement *sink;
  GstPad *end;

  if (GST_PAD_DIRECTION (pad) != GST_PAD_SRC)
    return;
  sink = gst_element_factory_make ("fakesink", NULL);
  g_object_set (sink, "sync", FALSE, "async", FALSE, NULL);
  gst_bin_add (GST_BIN (call->pipeline), sink);
  gst_element_sync_state_with_parent (sink);
  end = gst_element_get_static_pad (sink, "sink");
  gst_pad_link (pad, end);
  gst_object_unref (end);
}

/* The pads are named by the session, known when it asks. */
static GstElement *
give_rtp (GstElement *rtpbin, guint session, Call *call)
{
  gchar *sink = g_strdup_printf ("rtp_sink_%u", session);
  gchar *src = g_strdup_printf ("rtp_src_%u", session);

  gst_object_unref (gst_element_request_pad_simple (call->s.e, sink));
  splice_watch (&call->s, &call->s.rtp, sink, src);
  g_free (sink);
  g_free (src);
  return gst_object_ref (call->s.e);
}

static GstElement *
give_out (GstElement *rtpbin, guint session, Call *call)
{
  gchar *sink = g_strdup_printf ("rtcp_sink_%u", session);
  gchar *src = g_strdup_printf ("rtcp_src_%u", session);

  gst_object_unref (gst_element_request_pad_simple (call->s.e, sink));
  splice_watch (&call->s, &call->s.out, sink, src);
  g_free (sink);
  g_free (src);
  return gst_object_ref (call->s.e);
}

static GstElement *
give_in (GstElement *rtpbin, guint session, Call *call)
{
  return gst_object_ref (call->s.e);
}

static GstElement *
inner_rtpbin (GstElement *webrtcbin)
{
  GstElement *rtpbin = gst_bin_get_by_name (GST_BIN (webrtcbin), "rtpbin");

  fail_unless (rtpbin != NULL);
  return rtpbin;
}

static void
on_new_session (GstElement *rtpbin, guint session, gpointer data)
{
  GObject *internal;

  g_signal_emit_by_name (rtpbin, "get-internal-session", session, &internal);
  if (internal)
    g_object_set (internal, "rtcp-min-interval", (guint64) 120 * GST_MSECOND, "bandwidth",
        1e6, NULL);
  g_clear_object (&internal);
}

static void
hurry_sessions (GstElement *webrtcbin)
{
  g_autoptr (GstElement) rtpbin = inner_rtpbin (webrtcbin);

  g_signal_connect (rtpbin, "on-new-ssrc", G_CALLBACK (on_new_session), NULL);
}

static void
recalculate (GstElement *pipeline, gpointer data)
{
  gst_bin_recalculate_latency (GST_BIN (pipeline));
}

/* As an application does: since GStreamer 1.26 a session sends no SR before it knows the
 * latency.  Not in the thread that tells of it. */
static GstBusSyncReply
on_bus (GstBus *bus, GstMessage *message, gpointer pipeline)
{
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_LATENCY)
    gst_element_call_async (pipeline, recalculate, NULL, NULL);
  return GST_BUS_PASS;
}

static gboolean
call_start (Call *call)
{
  static const gchar *const needed[] = { "webrtcbin", "nicesrc", "dtlssrtpenc" };
  GstElement *rtpbin;
  GstBus *bus;

  if (g_strcmp0 (g_getenv ("GST_TRACERS"), "leaks") == 0)
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (needed); i++) {
    GstElementFactory *factory = gst_element_factory_find (needed[i]);

    if (!factory)
      return FALSE;
    gst_object_unref (factory);
  }
  memset (call, 0, sizeof *call);
  splice = &call->s;
  allow_loops ();
  call->pipeline = gst_parse_launch ("audiotestsrc is-live=true samplesperbuffer=160 "
      "! audio/x-raw,rate=8000,channels=1 ! mulawenc ! rtppcmupay min-ptime=20000000 "
      "max-ptime=20000000 ! sender. webrtcbin name=sender bundle-policy=max-bundle "
      "webrtcbin name=receiver bundle-policy=max-bundle", NULL);
  fail_unless (call->pipeline != NULL);
  call->sender = gst_bin_get_by_name (GST_BIN (call->pipeline), "sender");
  call->receiver = gst_bin_get_by_name (GST_BIN (call->pipeline), "receiver");
  call->s.e = gst_object_ref_sink (gst_element_factory_make ("rtpcircuitbreaker", NULL));
  splice_watch (&call->s, &call->s.rtcp, "rtcp_sink", "rtcp_src");
  rtpbin = inner_rtpbin (call->sender);
  g_signal_connect (rtpbin, "request-rtp-encoder", G_CALLBACK (give_rtp), call);
  g_signal_connect (rtpbin, "request-rtcp-encoder", G_CALLBACK (give_out), call);
  g_signal_connect (rtpbin, "request-rtcp-decoder", G_CALLBACK (give_in), call);
  gst_object_unref (rtpbin);
  hurry_sessions (call->sender);
  hurry_sessions (call->receiver);
  g_signal_connect (call->sender, "on-negotiation-needed",
      G_CALLBACK (on_negotiation_needed), call);
  g_signal_connect (call->sender, "on-ice-candidate", G_CALLBACK (on_candidate),
      call->receiver);
  g_signal_connect (call->receiver, "on-ice-candidate", G_CALLBACK (on_candidate),
      call->sender);
  g_signal_connect (call->receiver, "pad-added", G_CALLBACK (take_stream), call);
  bus = gst_element_get_bus (call->pipeline);
  gst_bus_set_sync_handler (bus, on_bus, call->pipeline, NULL);
  gst_object_unref (bus);
  gst_element_set_state (call->pipeline, GST_STATE_PLAYING);
  return TRUE;
}

static GstPadProbeReturn
lose (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  return GST_PAD_PROBE_DROP;
}

/* Behind our source pad @prefix. */
static void
cut_behind (Call *call, const gchar *prefix)
{
  GstPad *peer = NULL;

  for (GList *item = call->s.e->srcpads; item; item = item->next)
    if (g_str_has_prefix (GST_PAD_NAME (item->data), prefix))
      peer = gst_pad_get_peer (item->data);
  fail_unless (peer != NULL);
  gst_pad_add_probe (peer, GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_BUFFER_LIST, lose,
      NULL, NULL);
  gst_object_unref (peer);
}

TEST (test_inside_webrtcbin)
{
  Call call;

  if (!call_start (&call)) {
    g_print ("skipped: needs gstreamer1.0-plugins-bad and gstreamer1.0-nice, no tracer\n");
    return;
  }
  splice_goes_well (&call.s, 8);
  fail_unless (g_atomic_int_get (&call.s.out.passed) > 0);
  cut_behind (&call, "rtp_src_");
  splice_opens (&call.s, "media-timeout", FALSE);
  gst_element_set_state (call.pipeline, GST_STATE_NULL);
  splice_clear (&call.s);
  gst_object_unref (call.s.e);
  gst_object_unref (call.sender);
  gst_object_unref (call.receiver);
  gst_object_unref (call.pipeline);
}

SUITE (rtpcircuitbreaker_webrtc)
{
  tcase_set_timeout (tc, 60);
}
