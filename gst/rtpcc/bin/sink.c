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
 * Nothing is encrypted: who knows the streams' SSRCs can forge RTCP and so move the rate.
 *
 * ## Example launch line
 *
 * To an rtpccsrc on this machine.  With -m the messages GstRtpCcBin say what limits the rate.
 * |[
 * gst-launch-1.0 -m videotestsrc is-live=true ! x264enc tune=zerolatency ! rtph264pay ! rtpccsink uri=rtp://127.0.0.1:5034
 * ]|
 */
#include "rtpcc/bin/sink.h"

#include "rtpcc/bin/net.h"
#include "rtpcc/bin/upstream.h"

GST_DEBUG_CATEGORY_STATIC (gst_rtp_cc_sink_debug);
#define GST_CAT_DEFAULT gst_rtp_cc_sink_debug

enum
{
  PROP_0,
  PROP_URI,
  PROP_RTCP_MUX,
  PROP_MIN_BITRATE,
  PROP_MAX_BITRATE,
  PROP_START_BITRATE,
  PROP_STATS,
};

struct _GstRtpCcSink
{
  GstBin parent;

  GstElement *call, *mux, *rtp_sink, *rtcp_sink, *rtcp_src;
  gchar *uri, *host, *error;    /* object lock */
  guint port;
  gboolean rtcp_mux;
  GSocket *sockets[2];          /* of RTP and RTCP, perhaps the same; from READY on */
};

static GstStaticPadTemplate sink_template =
GST_STATIC_PAD_TEMPLATE ("sink_%u", GST_PAD_SINK, GST_PAD_REQUEST,
    GST_STATIC_CAPS ("application/x-rtp"));

static void uri_handler_init (gpointer iface, gpointer data);

G_DEFINE_TYPE_WITH_CODE (GstRtpCcSink, gst_rtp_cc_sink, GST_TYPE_BIN,
    G_IMPLEMENT_INTERFACE (GST_TYPE_URI_HANDLER, uri_handler_init)
    GST_DEBUG_CATEGORY_INIT (gst_rtp_cc_sink_debug, "rtpccsink", 0,
        "Sending end of a call"));
GST_ELEMENT_REGISTER_DEFINE (rtpccsink, "rtpccsink", GST_RANK_NONE,
    GST_TYPE_RTP_CC_SINK);

/* --- the address ----------------------------------------------------------- */

static GstURIType
uri_type (GType type)
{
  return GST_URI_SINK;
}

static const gchar *const *
uri_protocols (GType type)
{
  static const gchar *const protocols[] = { "rtp", NULL };

  return protocols;
}

static gchar *
get_uri (GstURIHandler * handler)
{
  return g_strdup (GST_RTP_CC_SINK (handler)->uri);
}

static gboolean
set_uri (GstURIHandler * handler, const gchar * uri, GError ** error)
{
  GstRtpCcSink *self = GST_RTP_CC_SINK (handler);
  GError *why = NULL;

  g_clear_pointer (&self->error, g_free);
  g_free (self->uri);
  self->uri = g_strdup (uri);
  if (gst_rtp_cc_net_parse (G_OBJECT (self), uri ? uri : "", &self->host,
          &self->port, &why))
    return TRUE;
  self->error = g_strdup (why->message);
  g_propagate_error (error, why);
  return FALSE;
}

static void
uri_handler_init (gpointer iface, gpointer data)
{
  GstURIHandlerInterface *handler = iface;

  handler->get_type = uri_type;
  handler->get_protocols = uri_protocols;
  handler->get_uri = get_uri;
  handler->set_uri = set_uri;
}

static gboolean
open_sockets (GstRtpCcSink * self, GError ** error)
{
  g_autofree gchar *address = NULL;
  GSocket *rtp, *rtcp;

  if (self->error) {
    g_set_error_literal (error, GST_URI_ERROR, GST_URI_ERROR_BAD_URI,
        self->error);
    return FALSE;
  }
  rtp = gst_rtp_cc_net_open (self->host, self->port, TRUE, &address, error);
  if (!rtp)
    return FALSE;
  rtcp = self->rtcp_mux ? g_object_ref (rtp)
      : gst_rtp_cc_net_open (address, self->port, TRUE, NULL, error);
  if (rtcp) {
    gst_rtp_cc_net_use (rtp, self->rtp_sink, NULL);
    gst_rtp_cc_net_use (rtcp, self->rtcp_sink, self->rtcp_src);
    g_object_set (self->rtp_sink, "host", address, "port", (gint) self->port,
        NULL);
    g_object_set (self->rtcp_sink, "host", address, "port",
        (gint) (self->port + !self->rtcp_mux), NULL);
  }
  self->sockets[0] = rtp;
  self->sockets[1] = rtcp;
  return rtcp != NULL;
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

/* --- pads and states ------------------------------------------------------- */

static GstPad *
request_new_pad (GstElement * element, GstPadTemplate * template,
    const gchar * name, const GstCaps * caps)
{
  GstRtpCcSink *self = GST_RTP_CC_SINK (element);
  GstPad *target, *ghost;

  target = self->mux ? gst_element_request_pad_simple (self->mux, name ? name
      : "sink_%u") : NULL;
  if (!target)
    return NULL;
  ghost = gst_ghost_pad_new (GST_PAD_NAME (target), target);
  gst_object_unref (target);
  gst_rtp_cc_bin_offer (ghost, TRUE);
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
    if (!open_sockets (self, &error)) {
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

/* --- the object ------------------------------------------------------------ */

static void
set_property (GObject * object, guint id, const GValue * value,
    GParamSpec * pspec)
{
  GstRtpCcSink *self = GST_RTP_CC_SINK (object);

  if (id == PROP_URI)
    set_uri (GST_URI_HANDLER (self), g_value_get_string (value), NULL);
  else if (id == PROP_RTCP_MUX)
    self->rtcp_mux = g_value_get_boolean (value);
  else if (self->call)
    g_object_set_property (G_OBJECT (self->call), pspec->name, value);
}

static void
get_property (GObject * object, guint id, GValue * value, GParamSpec * pspec)
{
  GstRtpCcSink *self = GST_RTP_CC_SINK (object);

  if (id == PROP_URI)
    g_value_set_string (value, self->uri);
  else if (id == PROP_RTCP_MUX)
    g_value_set_boolean (value, self->rtcp_mux);
  else if (self->call)
    g_object_get_property (G_OBJECT (self->call), pspec->name, value);
}

static void
finalize (GObject * object)
{
  GstRtpCcSink *self = GST_RTP_CC_SINK (object);

  g_free (self->uri);
  g_free (self->host);
  g_free (self->error);
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
gst_rtp_cc_sink_init (GstRtpCcSink * self)
{
  self->uri = g_strdup ("rtp://127.0.0.1:5004");
  self->host = g_strdup ("127.0.0.1");
  self->port = 5004;
  GST_OBJECT_FLAG_SET (self, GST_ELEMENT_FLAG_SINK);
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
  gst_util_set_object_arg (G_OBJECT (self->rtcp_src), "caps",
      "application/x-rtcp");
  gst_element_link_pads (self->mux, "src", self->call, "send_rtp_sink_0");
  gst_element_link_pads (self->call, "send_rtp_src_0", self->rtp_sink, "sink");
  gst_element_link_pads (self->call, "send_rtcp_src_0", self->rtcp_sink,
      "sink");
  gst_element_link_pads (self->rtcp_src, "src", self->call,
      "recv_rtcp_sink_0");
}

#define FLAGS (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS)

static void
install_uint (GObjectClass * klass, guint id, const gchar * name, guint value,
    const gchar * blurb)
{
  g_object_class_install_property (klass, id, g_param_spec_uint (name, name,
          blurb, 1000, G_MAXUINT, value, FLAGS));
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
  g_object_class_install_property (object_class, PROP_URI,
      g_param_spec_string ("uri", "URI", "Whom to send to: rtp://HOST:PORT, properties "
          "may follow as ?NAME=VALUE&NAME=VALUE", "rtp://127.0.0.1:5004",
          FLAGS));
  g_object_class_install_property (object_class, PROP_RTCP_MUX,
      g_param_spec_boolean ("rtcp-mux", "RTCP mux", "RTCP goes to the port of RTP (RFC 5761), "
          "not to the next; the other end has to say so too", FALSE, FLAGS));
  install_uint (object_class, PROP_MIN_BITRATE, "min-bitrate", 50000,
      "Smallest rate to send at, whatever the network says (bit/s)");
  install_uint (object_class, PROP_MAX_BITRATE, "max-bitrate", 10000000,
      "Largest rate to send at (bit/s)");
  install_uint (object_class, PROP_START_BITRATE, "start-bitrate", 300000,
      "Rate until the first feedback (bit/s)");
  g_object_class_install_property (object_class, PROP_STATS,
      g_param_spec_boxed ("stats", "Statistics", "Those of the rtpccbin in it",
          GST_TYPE_STRUCTURE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_set_static_metadata (element_class,
      "RTP call, sending end", "Sink/Network/RTP",
      "Sends a call to a host, as fast as the network allows",
      "The gst-rtpcc maintainers");
}
