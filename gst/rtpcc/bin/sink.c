/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-rtpccsink
 * @title: rtpccsink
 * @short_description: Sends a call to a host, as fast as the network allows
 *
 * The sending end of a call in one line, #rtpccsrc the other:
 * `x264enc tune=zerolatency ! rtph264pay ! rtpccsink uri=rtp://HOST:5004`. Audio and video may
 * both be led into it (`sink_%u`); they share the rate, audio first. Encoders follow by
 * themselves. RTP goes to the port, RTCP to the next one, or with `rtcp-mux=true` (RFC 5761)
 * to the same; the answers come to the ports that it was sent from.
 *
 * With the #GstRtpCcSink:key of both ends RTP and RTCP are encrypted and authenticated (SRTP, RFC
 * 3711). Without it whoever knows the streams' SSRCs can forge RTCP and so move the rate.
 *
 * ## Example launch line
 *
 * To an rtpccsrc on this machine.  With -m the messages GstRtpCcBin say what limits the rate.
 * |[
 * gst-launch-1.0 -m videotestsrc is-live=true ! x264enc tune=zerolatency ! rtph264pay \
 *   ! rtpccsink uri=rtp://127.0.0.1:5034
 * ]|
 */
#include "rtpcc/bin/sink.h"

#include "rtpcc/bin/net.h"
#include "rtpcc/bin/numbers.h"
#include "rtpcc/bin/properties.h"
#include "rtpcc/bin/repair.h"
#include "rtpcc/bin/srtp.h"
#include "rtpcc/bin/upstream.h"
#include "rtpcc/bin/uri.h"

GST_DEBUG_CATEGORY_STATIC (gst_rtp_cc_sink_debug);
#define GST_CAT_DEFAULT gst_rtp_cc_sink_debug

enum
{
  PROP_0,
  PROP_URI,
  PROP_RTCP_MUX,
  PROP_KEY,
  PROP_DO_RETRANSMISSION,
  PROP_MIN_BITRATE,
  PROP_MAX_BITRATE,
  PROP_START_BITRATE,
  PROP_STATS,
};

struct _GstRtpCcSink
{
  GstBin parent;

  GstElement *call, *mux, *rtp_sink, *rtcp_sink, *rtcp_src;
  gboolean rtcp_mux, retransmit;
  GSocket *sockets[2];          /* of RTP and RTCP, perhaps the same; from READY on */
  GstRtpCcBinSrtp srtp;
};

#define DEFAULT_URI "rtp://127.0.0.1:5004"

/* A receiver that starts again learns from RTCP where to report to, so it must not come seconds
 * apart.  A compound a second is 1 kbit/s, less than RFC 3550 6.2 lets a session of 300 kbit/s
 * take. */
#define RTCP_INTERVAL GST_SECOND

static GstStaticPadTemplate sink_template =
GST_STATIC_PAD_TEMPLATE ("sink_%u", GST_PAD_SINK, GST_PAD_REQUEST,
    GST_STATIC_CAPS ("application/x-rtp"));

G_DEFINE_TYPE_WITH_CODE (GstRtpCcSink, gst_rtp_cc_sink, GST_TYPE_BIN,
    G_IMPLEMENT_INTERFACE (GST_TYPE_URI_HANDLER,
        gst_rtp_cc_bin_uri_sink_init)
    GST_DEBUG_CATEGORY_INIT (gst_rtp_cc_sink_debug, "rtpccsink", 0,
        "Sending end of a call"));
GST_ELEMENT_REGISTER_DEFINE (rtpccsink, "rtpccsink", GST_RANK_NONE,
    GST_TYPE_RTP_CC_SINK);

/* --- the network ---------------------------------------------------------- */

static gboolean
open_sockets (GstRtpCcSink * self, GError ** error)
{
  const GstRtpCcBinUri *uri = gst_rtp_cc_bin_uri_of (self);
  g_autofree gchar *address = NULL;
  GSocket *rtp, *rtcp;

  if (!gst_rtp_cc_bin_uri_check (self, error))
    return FALSE;
  rtp = gst_rtp_cc_net_open (uri->host, uri->port, TRUE, &address, error);
  if (!rtp)
    return FALSE;
  rtcp = self->rtcp_mux ? g_object_ref (rtp)
      : gst_rtp_cc_net_open (address, uri->port, TRUE, NULL, error);
  if (rtcp) {
    gst_rtp_cc_net_use (rtp, self->rtp_sink, NULL);
    gst_rtp_cc_net_use (rtcp, self->rtcp_sink, self->rtcp_src);
    g_object_set (self->rtp_sink, "host", address, "port", (gint) uri->port,
        NULL);
    g_object_set (self->rtcp_sink, "host", address, "port",
        (gint) (uri->port + !self->rtcp_mux), NULL);
  }
  self->sockets[0] = rtp;
  self->sockets[1] = rtcp;
  return rtcp != NULL;
}

static GstPadProbeReturn
on_rtcp (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  GstRtpCcSink *self = data;

  gst_rtp_cc_bin_srtp_heard (&self->srtp, GST_ELEMENT (self),
      GST_PAD_PROBE_INFO_BUFFER (info), TRUE);
  return GST_PAD_PROBE_OK;
}

/* What leads to the network and back, through SRTP where there is a key. */
static gboolean
link_network (GstRtpCcSink * self, GError ** error)
{
  if (!gst_rtp_cc_bin_srtp_prepare (&self->srtp, GST_BIN (self), error))
    return FALSE;
  gst_rtp_cc_bin_srtp_send (&self->srtp, "rtp", self->call, "send_rtp_src_0",
      self->rtp_sink, "sink");
  gst_rtp_cc_bin_srtp_send (&self->srtp, "rtcp", self->call, "send_rtcp_src_0",
      self->rtcp_sink, "sink");
  gst_util_set_object_arg (G_OBJECT (self->rtcp_src), "caps", self->srtp.key
      ? "application/x-srtcp" : "application/x-rtcp");
  gst_rtp_cc_bin_srtp_receive (&self->srtp, "rtcp", self->rtcp_src, "src",
      self->call, "recv_rtcp_sink_0");
  return TRUE;
}

static void
close_sockets (GstRtpCcSink * self)
{
  for (guint i = 0; i < 2; i++)
    if (self->sockets[i])
      g_socket_close (self->sockets[i], NULL);
  g_clear_object (&self->sockets[0]);
  g_clear_object (&self->sockets[1]);
}

/* --- pads and states ------------------------------------------------------ */

/* @target is the mux's; in front of it stands what keeps packets to send them again. */
static GstPad *
put_repair_before (GstRtpCcSink * self, GstPad * target)
{
  GstElement *rtx = gst_rtp_cc_bin_repair_sender ();
  GstPad *src;

  if (!rtx)
    return target;
  gst_bin_add (GST_BIN (self), rtx);
  gst_element_sync_state_with_parent (rtx);
  src = gst_element_get_static_pad (rtx, "src");
  gst_pad_link (src, target);
  gst_object_unref (src);
  gst_object_unref (target);
  return gst_element_get_static_pad (rtx, "sink");
}

static GstPad *
request_new_pad (GstElement * element, GstPadTemplate * template,
    const gchar * name, const GstCaps * caps)
{
  GstRtpCcSink *self = GST_RTP_CC_SINK (element);
  GstPad *target, *ghost;
  g_autofree gchar *given = NULL;

  target = self->mux ? gst_element_request_pad_simple (self->mux, name ? name
      : "sink_%u") : NULL;
  if (!target)
    return NULL;
  given = gst_pad_get_name (target);
  if (self->retransmit)
    target = put_repair_before (self, target);
  ghost = gst_ghost_pad_new (given, target);
  gst_object_unref (target);
  gst_rtp_cc_bin_offer (ghost, TRUE);
  gst_rtp_cc_bin_numbers_go_on (ghost, &self->srtp);
  gst_pad_set_active (ghost, TRUE);
  gst_element_add_pad (element, ghost);
  return ghost;
}

static GstStateChangeReturn
change_state (GstElement * element, GstStateChange transition)
{
  GstRtpCcSink *self = GST_RTP_CC_SINK (element);
  GstStateChangeReturn ret;
  GError *error = NULL;

  if (transition == GST_STATE_CHANGE_NULL_TO_READY) {
    if (!self->rtcp_src) {
      GST_ELEMENT_ERROR (self, CORE, MISSING_PLUGIN, ("There is no udpsink or no "
              "rtpbin: install gstreamer1.0-plugins-good."), (NULL));
      return GST_STATE_CHANGE_FAILURE;
    }
    if (!link_network (self, &error) || !open_sockets (self, &error)) {
      GST_ELEMENT_ERROR (self, RESOURCE, SETTINGS, ("%s", error->message),
          (NULL));
      g_clear_error (&error);
      close_sockets (self);
      return GST_STATE_CHANGE_FAILURE;
    }
  }
  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED)
    for (GList * l = element->sinkpads; l; l = l->next)
      gst_rtp_cc_bin_adapt (GST_BIN (self), l->data);
  ret = GST_ELEMENT_CLASS (gst_rtp_cc_sink_parent_class)->change_state
      (element, transition);
  if (transition == GST_STATE_CHANGE_READY_TO_NULL)
    close_sockets (self);
  return ret;
}

/* --- the object ----------------------------------------------------------- */

static void
set_property (GObject * object, guint id, const GValue * value,
    GParamSpec * pspec)
{
  GstRtpCcSink *self = GST_RTP_CC_SINK (object);

  if (id == PROP_URI)
    gst_rtp_cc_bin_uri_set (self, g_value_get_string (value), NULL);
  else if (id == PROP_RTCP_MUX)
    self->rtcp_mux = g_value_get_boolean (value);
  else if (id == PROP_DO_RETRANSMISSION)
    self->retransmit = g_value_get_boolean (value);
  else if (id == PROP_KEY)
    gst_rtp_cc_bin_srtp_set_key (&self->srtp, g_value_get_string (value));
  else if (self->call)
    g_object_set_property (G_OBJECT (self->call), pspec->name, value);
}

static GstStructure *
make_stats (GstRtpCcSink * self)
{
  GstStructure *stats = NULL, *mux = NULL, *repair;

  g_object_get (self->call, "stats", &stats, NULL);
  g_object_get (self->mux, "stats", &mux, NULL);
  repair = gst_rtp_cc_bin_repair_sum (GST_BIN (self));
  gst_structure_set (stats, "mux", GST_TYPE_STRUCTURE, mux, "repair",
      GST_TYPE_STRUCTURE, repair, NULL);
  gst_structure_free (mux);
  gst_structure_free (repair);
  return stats;
}

static void
get_property (GObject * object, guint id, GValue * value, GParamSpec * pspec)
{
  GstRtpCcSink *self = GST_RTP_CC_SINK (object);

  if (id == PROP_URI)
    g_value_set_string (value, gst_rtp_cc_bin_uri_of (self)->text);
  else if (id == PROP_RTCP_MUX)
    g_value_set_boolean (value, self->rtcp_mux);
  else if (id == PROP_DO_RETRANSMISSION)
    g_value_set_boolean (value, self->retransmit);
  else if (id == PROP_STATS && self->rtcp_src)
    g_value_take_boxed (value, make_stats (self));
  else if (self->call)
    g_object_get_property (G_OBJECT (self->call), pspec->name, value);
}

static void
finalize (GObject * object)
{
  GstRtpCcSink *self = GST_RTP_CC_SINK (object);

  gst_rtp_cc_bin_srtp_clear (&self->srtp);
  G_OBJECT_CLASS (gst_rtp_cc_sink_parent_class)->finalize (object);
}

static GstElement *
add (GstRtpCcSink * self, const gchar * factory, const gchar * name)
{
  GstElement *element = gst_element_factory_make (factory, name);

  if (element)
    gst_bin_add (GST_BIN (self), element);
  return element;
}

static void
report_often (GstRtpCcSink * self)
{
  GObject *session = NULL;

  g_signal_emit_by_name (self->call, "get-internal-session", 0, &session);
  if (session)
    g_object_set (session, "rtcp-min-interval", (guint64) RTCP_INTERVAL, NULL);
  g_clear_object (&session);
}

static void
gst_rtp_cc_sink_init (GstRtpCcSink * self)
{
  GstPad *pad;

  gst_rtp_cc_bin_uri_set (self, DEFAULT_URI, NULL);
  self->retransmit = TRUE;
  GST_OBJECT_FLAG_SET (self, GST_ELEMENT_FLAG_SINK);
  /* Who ends the pipeline ends what comes in, and not the reports about it. */
  gst_bin_set_suppressed_flags (GST_BIN (self), GST_ELEMENT_FLAG_SOURCE);
  self->call = add (self, "rtpccbin", "call");
  self->mux = add (self, "rtpsbpnmux", "mux");
  self->rtp_sink = add (self, "udpsink", "rtp-sink");
  self->rtcp_sink = add (self, "udpsink", "rtcp-sink");
  self->rtcp_src = self->rtcp_sink ? add (self, "udpsrc", "rtcp-src") : NULL;
  if (!self->rtcp_src)
    return;
  gst_util_set_object_arg (G_OBJECT (self->mux), "rate-control", "external");
  /* The pacer has timed it; preroll would wait for a call that is not there. */
  g_object_set (self->rtp_sink, "sync", FALSE, "async", FALSE, NULL);
  g_object_set (self->rtcp_sink, "sync", FALSE, "async", FALSE, NULL);
  gst_element_link_pads (self->mux, "src", self->call, "send_rtp_sink_0");
  gst_element_link_pads (self->call, "send_rtcp_src_0", self->rtcp_sink,
      "sink");
  gst_element_link_pads (self->rtcp_src, "src", self->call,
      "recv_rtcp_sink_0");
  report_often (self);
  pad = gst_element_get_static_pad (self->rtcp_src, "src");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, on_rtcp, self, NULL);
  gst_object_unref (pad);
}

static void
gst_rtp_cc_sink_class_init (GstRtpCcSinkClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  object_class->set_property = set_property;
  object_class->get_property = get_property;
  object_class->finalize = finalize;
  element_class->request_new_pad = GST_DEBUG_FUNCPTR (request_new_pad);
  element_class->change_state = GST_DEBUG_FUNCPTR (change_state);
  gst_rtp_cc_bin_uri_install (object_class, PROP_URI, DEFAULT_URI,
      "Whom to send to: rtp://HOST:PORT, properties may follow as ?NAME=VALUE&NAME=VALUE");
  gst_rtp_cc_bin_uri_install_mux (object_class, PROP_RTCP_MUX,
      "RTCP goes to the port of RTP (RFC 5761), not to the next; the other end has to say so too");
  gst_rtp_cc_net_install_key (object_class, PROP_KEY);
  gst_rtp_cc_bin_install_boolean (object_class, PROP_DO_RETRANSMISSION,
      "do-retransmission", TRUE, "Send again what the other end asks for (RFC 4588), within the "
      "rate; of pads that are requested from now on");
  gst_rtp_cc_bin_install_rates (object_class, PROP_MIN_BITRATE,
      "Rate until the first feedback (bit/s)");
  gst_rtp_cc_bin_install_stats (object_class, PROP_STATS,
      "Those of the rtpccbin in it, with mux (rtpsbpnmux) and repair (requests, sent-again)");
  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_set_static_metadata (element_class,
      "RTP call, sending end", "Sink/Network/RTP",
      "Sends a call to a host, as fast as the network allows",
      "The gst-rtpcc maintainers");
}
