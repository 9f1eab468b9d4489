/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/bin/session.h"

#include "rtpcc/bin/controllers.h"
#include "rtpcc/bin/guard.h"
#include "rtpcc/bin/lead.h"
#include "rtpcc/bin/properties.h"
#include "rtpcc/bin/regular.h"
#include "rtpcc/bin/repair.h"
#include "rtpcc/bin/upstream.h"

/* Feedback for each frame comes too rarely where only audio is sent. */
#define FEEDBACK_INTERVAL (50 * GST_MSECOND)
/* The session's bandwidth, bit/s, of which RTCP has a twentieth (RFC 3550 6.2), until rtpsession
 * has measured. By itself it begins with 64 kbit/s, and requests for what is lost in the first
 * seconds come half a second late, or never (RFC 4585 3.5.2; tests/calluri.py). */
#define FIRST_BPS ((gdouble) GST_RTP_CC_BIN_START_BPS)
#define MEASURED (5 * G_USEC_PER_SEC)

static GstElement *
adopt (GstRtpCcBinSession * s, GstElement * element, const gchar * factory)
{
  if (!element) {
    GST_ELEMENT_ERROR (s->bin, CORE, MISSING_PLUGIN,
        ("There is no element \"%s\": is the plugin rtpcc complete?", factory),
        (NULL));
    return NULL;
  }
  gst_bin_add (s->bin, element);
  gst_element_sync_state_with_parent (element);
  return element;
}

static GstElement *
add (GstRtpCcBinSession * s, const gchar * factory)
{
  return adopt (s, gst_element_factory_make (factory, NULL), factory);
}

static GstPad *
rtpbin_pad (GstRtpCcBinSession * s, const gchar * format)
{
  g_autofree gchar *name = g_strdup_printf (format, s->id);
  GstPad *pad = gst_element_get_static_pad (s->rtpbin, name);

  return pad ? pad : gst_element_request_pad_simple (s->rtpbin, name);
}

static GstPad *
new_ghost (GstRtpCcBinSession * s, const gchar * format, GstPad * target)
{
  g_autofree gchar *name = g_strdup_printf (format, s->id);
  GstPad *ghost = gst_ghost_pad_new (name, target);

  gst_object_unref (target);
  gst_pad_set_active (ghost, TRUE);
  return ghost;
}

/* Both may be linked to others until now. */
static void
relink (GstPad * src, GstPad * sink)
{
  GstPad *peer = gst_pad_get_peer (src);

  if (peer && peer != sink)
    gst_pad_unlink (src, peer);
  gst_clear_object (&peer);
  peer = gst_pad_get_peer (sink);
  if (peer && peer != src)
    gst_pad_unlink (peer, sink);
  if (peer != src)
    gst_pad_link (src, sink);
  gst_clear_object (&peer);
}

/* --- RTCP that comes ------------------------------------------------------ */

typedef struct
{
  GstElement *element;
  const gchar *sink, *src;
} Hop;

static void
wire_incoming (GstRtpCcBinSession * s)
{
  const Hop hops[] = {
    {s->receiver && !g_strcmp0 (s->receiver_factory, "rtpfbrareceiver")
          ? s->receiver : NULL, "recv_rtcp_sink", "recv_rtcp_src"},
    {s->controller, "rtcp_sink", "rtcp_src"},
    {s->breaker, "rtcp_sink", "rtcp_src"},
  };
  GstPad *next;

  if (!s->recv_rtcp)
    return;
  next = rtpbin_pad (s, "recv_rtcp_sink_%u");
  for (gint i = G_N_ELEMENTS (hops) - 1; i >= 0; i--) {
    GstPad *src, *sink;

    if (!hops[i].element)
      continue;
    sink = gst_element_get_static_pad (hops[i].element, hops[i].sink);
    if (!sink)
      sink = gst_element_request_pad_simple (hops[i].element, hops[i].sink);
    src = gst_element_get_static_pad (hops[i].element, hops[i].src);
    gst_ghost_pad_set_target (GST_GHOST_PAD (s->recv_rtcp), NULL);
    relink (src, next);
    gst_object_unref (src);
    gst_object_unref (next);
    next = sink;
  }
  gst_ghost_pad_set_target (GST_GHOST_PAD (s->recv_rtcp), next);
  gst_object_unref (next);
}

/* --- RTCP that leaves ----------------------------------------------------- */

/* A link from rtpbin back to what stands in front of it would be a cycle, of which
 * GStreamer warns; so what comes out of rtpbin is handed on here. */
static void
lead_on (GstRtpCcBinSession * s, GstPad * sink)
{
  if (!s->feed) {
    s->feed = gst_object_ref_sink (gst_pad_new (NULL, GST_PAD_SRC));
    gst_pad_set_active (s->feed, TRUE);
  }
  relink (s->feed, sink);
  if (!s->probe)
    s->probe = gst_rtp_cc_lead_out (s->own_rtcp, s->feed);
}

static void
stop_leading (GstRtpCcBinSession * s)
{
  if (s->probe)
    gst_pad_remove_probe (s->own_rtcp, s->probe);
  s->probe = 0;
  if (s->feed)
    gst_pad_set_active (s->feed, FALSE);
  gst_clear_object (&s->feed);
}

static void
wire_outgoing (GstRtpCcBinSession * s)
{
  const Hop hops[] = {
    {s->controller, "send_rtcp_sink", "send_rtcp_src"},
    {s->breaker, "send_rtcp_sink", "send_rtcp_src"},
    {s->receiver, "rtcp_sink", "rtcp_src"},
  };
  GstPad *last = NULL;

  if (!s->send_rtcp)
    return;
  gst_ghost_pad_set_target (GST_GHOST_PAD (s->send_rtcp), NULL);
  if (!s->controller && !s->breaker && !s->receiver)
    stop_leading (s);
  for (guint i = 0; i < G_N_ELEMENTS (hops); i++) {
    GstPad *sink;

    if (!hops[i].element)
      continue;
    sink = gst_element_get_static_pad (hops[i].element, hops[i].sink);
    if (!sink)
      sink = gst_element_request_pad_simple (hops[i].element, hops[i].sink);
    if (last)
      relink (last, sink);
    else
      lead_on (s, sink);
    gst_object_unref (sink);
    gst_clear_object (&last);
    last = gst_element_get_static_pad (hops[i].element, hops[i].src);
  }
  gst_ghost_pad_set_target (GST_GHOST_PAD (s->send_rtcp),
      last ? last : s->own_rtcp);
  gst_clear_object (&last);
}

GstPad *
gst_rtp_cc_bin_session_hear (GstRtpCcBinSession * s)
{
  GstPad *target = s->recv_rtcp ? NULL : rtpbin_pad (s, "recv_rtcp_sink_%u");

  if (!target)
    return NULL;
  gst_rtp_cc_bin_guard (target, s->rtpbin, s->id);
  s->recv_rtcp = new_ghost (s, "recv_rtcp_sink_%u", target);
  wire_incoming (s);
  return s->recv_rtcp;
}

GstPad *
gst_rtp_cc_bin_session_tell (GstRtpCcBinSession * s)
{
  if (s->send_rtcp || !(s->own_rtcp = rtpbin_pad (s, "send_rtcp_src_%u")))
    return NULL;
  s->send_rtcp = new_ghost (s, "send_rtcp_src_%u",
      gst_object_ref (s->own_rtcp));
  wire_outgoing (s);
  return s->send_rtcp;
}

/* --- sending -------------------------------------------------------------- */

/* @next and what stands in front of it. */
static GstPad *
put_before (GstPad * next, GstElement * element)
{
  GstPad *src;

  if (!element)
    return next;
  src = gst_element_get_static_pad (element, "src");
  gst_pad_link (src, next);
  gst_object_unref (src);
  gst_object_unref (next);
  return gst_element_get_static_pad (element, "sink");
}

GstPad *
gst_rtp_cc_bin_session_send (GstRtpCcBinSession * s, gint controller,
    gboolean breaker, gboolean repair)
{
  GstElement *element;
  const gchar *factory;
  GstPad *next;

  if (s->send_rtp)
    return NULL;
  element = gst_rtp_cc_bin_controller_make (controller, &factory);
  if ((*factory && !(s->controller = adopt (s, element, factory)))
      || (breaker && !(s->breaker = add (s, "rtpcircuitbreaker")))
      || (repair && !(s->repair = adopt (s, gst_rtp_cc_bin_repair_sender (),
                  "rtprtxsend")))
      || !(next = rtpbin_pad (s, "send_rtp_sink_%u")))
    return NULL;
  next = put_before (next, s->breaker);
  next = put_before (next, s->controller);
  next = put_before (next, s->repair);
  s->send_rtp = new_ghost (s, "send_rtp_sink_%u", next);
  gst_rtp_cc_bin_offer (s->send_rtp, FALSE);
  wire_incoming (s);
  wire_outgoing (s);
  return s->send_rtp;
}

/* --- receiving ------------------------------------------------------------ */

static void
add_receiver (GstRtpCcBinSession * s)
{
  GstPad *src, *next;

  s->receiver = add (s, s->receiver_factory);
  if (!s->receiver)
    return;
  if (s->receiver_format)
    gst_util_set_object_arg (G_OBJECT (s->receiver), "feedback-format",
        s->receiver_format);
  next = rtpbin_pad (s, "recv_rtp_sink_%u");
  src = gst_element_get_static_pad (s->receiver, "sink");
  gst_ghost_pad_set_target (GST_GHOST_PAD (s->recv_rtp), src);
  gst_object_unref (src);
  src = gst_element_get_static_pad (s->receiver, "src");
  gst_pad_link (src, next);
  gst_object_unref (src);
  gst_object_unref (next);
  wire_incoming (s);
  wire_outgoing (s);
}

/* rtpsession reports by itself where the caps name the transport-wide numbers. */
static GstPadProbeReturn
on_caps (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  GstRtpCcBinSession *s = data;
  GstEvent *event = GST_PAD_PROBE_INFO_EVENT (info);
  GstCaps *caps;

  if (GST_EVENT_TYPE (event) != GST_EVENT_CAPS)
    return GST_PAD_PROBE_OK;
  gst_event_parse_caps (event, &caps);
  if (gst_rtp_cc_bin_extension_id (caps, GST_RTP_CC_BIN_TRANSPORT_WIDE))
    return GST_PAD_PROBE_OK;
  s->receiver_factory = "rtpgccreceiver";
  add_receiver (s);
  return GST_PAD_PROBE_REMOVE;
}

/* With each RTCP message; @begun: at the first of them, microseconds. */
static void
on_rtcp (GObject * session, GParamSpec * pspec, gint64 * begun)
{
  const gint64 now = g_get_monotonic_time ();
  gdouble bps;

  *begun = *begun ? *begun : now;
  if (now - *begun < MEASURED)
    return;
  g_object_get (session, "bandwidth", &bps, NULL);
  if (bps == FIRST_BPS)
    g_object_set (session, "bandwidth", 0.0, NULL);
  g_signal_handlers_disconnect_by_func (session, on_rtcp, begun);
}

/* Who has set a bandwidth keeps it. */
static void
begin_bandwidth (GObject * session)
{
  gdouble bps;

  g_object_get (session, "bandwidth", &bps, NULL);
  if (bps != 0)
    return;
  g_object_set (session, "bandwidth", FIRST_BPS, NULL);
  g_signal_connect_data (session, "notify::stats", G_CALLBACK (on_rtcp),
      g_new0 (gint64, 1), (GClosureNotify) (void (*)(void)) g_free, 0);
}

static void
report_often (GstRtpCcBinSession * s)
{
  GObject *session = NULL;

  g_signal_emit_by_name (s->rtpbin, "get-internal-session", s->id, &session);
  if (session) {
    begin_bandwidth (session);
    gst_rtp_cc_bin_keep_regular (session);
  }
  if (session && g_object_class_find_property (G_OBJECT_GET_CLASS (session),
          "twcc-feedback-interval"))
    g_object_set (session, "twcc-feedback-interval",
        (guint64) FEEDBACK_INTERVAL, NULL);
  g_clear_object (&session);
}

static const GEnumValue feedbacks[] = {
  {0, "twcc where the caps name its extension, else remb", "auto"},
  {1, "Transport-wide feedback, by rtpsession", "twcc"},
  {2, "RFC 8888", "ccfb"},
  {3, "REMB", "remb"},
  {4, "RTCP XR, for FBRA", "xr"},
  {0, NULL, NULL}
};

GType
gst_rtp_cc_bin_feedback_get_type (void)
{
  static gsize type;

  if (g_once_init_enter (&type)) {
    const GType registered = g_enum_register_static ("GstRtpCcBinFeedback",
        feedbacks);

    gst_type_mark_as_plugin_api (registered, 0);
    g_once_init_leave (&type, registered);
  }
  return type;
}

GstPad *
gst_rtp_cc_bin_session_receive (GstRtpCcBinSession * s, gint format)
{
  const gchar *feedback = feedbacks[format].value_nick;
  GstPad *target = s->recv_rtp ? NULL : rtpbin_pad (s, "recv_rtp_sink_%u");

  if (!target)
    return NULL;
  gst_rtp_cc_bin_guard (target, s->rtpbin, s->id);
  s->recv_rtp = new_ghost (s, "recv_rtp_sink_%u", target);
  report_often (s);
  if (g_str_equal (feedback, "auto")) {
    gst_pad_add_probe (s->recv_rtp, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM,
        on_caps, s, NULL);
  } else if (!g_str_equal (feedback, "twcc")) {
    s->receiver_factory = g_str_equal (feedback, "xr") ? "rtpfbrareceiver"
        : "rtpgccreceiver";
    s->receiver_format = g_str_equal (feedback, "xr") ? NULL : feedback;
    add_receiver (s);
  }
  return s->recv_rtp;
}

/* --- the end of a pad ----------------------------------------------------- */

static void
drop (GstRtpCcBinSession * s, GstElement ** element)
{
  GstElement *e = g_steal_pointer (element);

  if (!e)
    return;
  gst_element_set_state (e, GST_STATE_NULL);
  gst_bin_remove (s->bin, e);
}

/* rtpbin's pad goes with ours. */
static void
let_go (GstRtpCcBinSession * s, GstPad ** ghost, const gchar * format)
{
  GstPad *pad = rtpbin_pad (s, format);

  gst_ghost_pad_set_target (GST_GHOST_PAD (*ghost), NULL);
  *ghost = NULL;
  gst_element_release_request_pad (s->rtpbin, pad);
  gst_object_unref (pad);
}

void
gst_rtp_cc_bin_session_release (GstRtpCcBinSession * s, GstPad * pad)
{
  GstElement *adapter;

  if (pad == s->send_rtp) {
    adapter = gst_rtp_cc_bin_adapter_behind (pad);
    if (adapter)
      gst_object_unref (adapter);       /* the bin has it */
    drop (s, &adapter);
    drop (s, &s->repair);
    drop (s, &s->controller);
    drop (s, &s->breaker);
    let_go (s, &s->send_rtp, "send_rtp_sink_%u");
  } else if (pad == s->recv_rtp) {
    drop (s, &s->receiver);
    let_go (s, &s->recv_rtp, "recv_rtp_sink_%u");
  } else if (pad == s->recv_rtcp) {
    let_go (s, &s->recv_rtcp, "recv_rtcp_sink_%u");
  } else if (pad == s->send_rtcp) {
    stop_leading (s);
    let_go (s, &s->send_rtcp, "send_rtcp_src_%u");
    gst_clear_object (&s->own_rtcp);
  } else {
    return;
  }
  wire_incoming (s);
  wire_outgoing (s);
}

void
gst_rtp_cc_bin_session_free (GstRtpCcBinSession * s)
{
  stop_leading (s);
  gst_clear_object (&s->own_rtcp);
  g_free (s);
}
