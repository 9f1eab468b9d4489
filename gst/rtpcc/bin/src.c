/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-rtpccsrc
 * @title: rtpccsrc
 * @short_description: Receives a call and tells its sender what the network takes
 *
 * The receiving end of a call in one line, #rtpccsink the other:
 * `rtpccsrc uri=rtp://0.0.0.0:5004 ! decodebin ! autovideosink`. The address is that of this
 * machine to listen at, `0.0.0.0` or `[::]` all. RTP comes to the port, RTCP to the
 * next one, or with `rtcp-mux=true` (RFC 5761) to the same. Feedback goes to where the
 * sender's RTCP comes from. When its address changes, or it starts again, feedback goes to both
 * until one has been silent for 15 s; a warning says so.
 *
 * Each SSRC has a jitterbuffer with a thread. So 64 are let in, of which other hosts than the
 * sender's have at most 16. The sender's is where its RTP came from first.
 *
 * With the #GstRtpCcSrc:key of both ends RTP and RTCP are encrypted and authenticated (SRTP, RFC
 * 3711).
 *
 * Each stream has a pad (`src_%u`), which may stay unlinked. A sender that starts again goes on at
 * the same pad, and a warning says so. When the last stream has said goodbye (RTCP BYE) and is
 * silent, all pads end (EOS), so that the pipeline ends. A sender that was killed says none: the
 * pipeline waits for it to start again.
 *
 * Who comes into the middle of a call asks for a key frame (PLI), when the sender's first report
 * says that packets went before. It asks again each second until one comes; audio is asked once.
 *
 * What a payload type means rtpccsink and rtpccsrc have a table for (H264, OPUS, VP8, VP9, H265,
 * AV1); with another sender say `encoding-name`, which is for 96 and what the table has not.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 rtpccsrc uri=rtp://127.0.0.1:5034 ! decodebin ! fakesink
 * ]|
 */
#include "rtpcc/bin/src.h"

#include <gst/rtp/gstrtcpbuffer.h>

#include "rtpcc/bin/caller.h"
#include "rtpcc/bin/net.h"
#include "rtpcc/bin/properties.h"
#include "rtpcc/bin/srtp.h"
#include "rtpcc/bin/streams.h"
#include "rtpcc/bin/upstream.h"
#include "rtpcc/bin/uri.h"

GST_DEBUG_CATEGORY_STATIC (gst_rtp_cc_src_debug);
#define GST_CAT_DEFAULT gst_rtp_cc_src_debug

#define LATENCY_MS 300
#define DEFAULT_URI "rtp://0.0.0.0:5004"

enum
{
  PROP_0,
  PROP_URI,
  PROP_RTCP_MUX,
  PROP_KEY,
  PROP_ENCODING_NAME,
  PROP_LATENCY,
  PROP_MAX_LATENCY,
  PROP_DO_RETRANSMISSION,
  PROP_STATS,
};

struct _GstRtpCcSrc
{
  GstBin parent;

  GstElement *call, *rtp_src, *rtcp_src, *rtcp_sink;
  GstPad *feed;                 /* of RTCP that came with RTP */
  GstRtpCcBinCaller caller;
  gchar *encoding_name;
  GstRtpCcBinStreams *streams;
  gboolean rtcp_mux;
  GSocket *sockets[2];          /* of RTP and RTCP, perhaps the same; from READY on */
  GstRtpCcBinSrtp srtp;
};

static GstStaticPadTemplate src_template =
GST_STATIC_PAD_TEMPLATE ("src_%u", GST_PAD_SRC, GST_PAD_SOMETIMES,
    GST_STATIC_CAPS ("application/x-rtp"));

G_DEFINE_TYPE_WITH_CODE (GstRtpCcSrc, gst_rtp_cc_src, GST_TYPE_BIN,
    G_IMPLEMENT_INTERFACE (GST_TYPE_URI_HANDLER,
        gst_rtp_cc_bin_uri_src_init)
    GST_DEBUG_CATEGORY_INIT (gst_rtp_cc_src_debug, "rtpccsrc", 0,
        "Receiving end of a call"));
GST_ELEMENT_REGISTER_DEFINE (rtpccsrc, "rtpccsrc", GST_RANK_NONE,
    GST_TYPE_RTP_CC_SRC);

/* --- the network ---------------------------------------------------------- */

static gboolean
open_sockets (GstRtpCcSrc * self, GError ** error)
{
  const GstRtpCcBinUri *uri = gst_rtp_cc_bin_uri_of (self);
  GSocket *rtp, *rtcp;

  gst_rtp_cc_bin_caller_reset (&self->caller);
  if (!gst_rtp_cc_bin_uri_check (self, error))
    return FALSE;
  rtp = gst_rtp_cc_net_open (uri->host, uri->port, FALSE, NULL, error);
  if (!rtp)
    return FALSE;
  rtcp = self->rtcp_mux ? g_object_ref (rtp)
      : gst_rtp_cc_net_open (uri->host, uri->port + 1, FALSE, NULL, error);
  if (rtcp) {
    g_object_set (self->rtp_src, "socket", rtp, "close-socket", FALSE, NULL);
    gst_rtp_cc_net_use (rtcp, self->rtcp_sink,
        self->rtcp_mux ? NULL : self->rtcp_src);
  }
  self->sockets[0] = rtp;
  self->sockets[1] = rtcp;
  return rtcp != NULL;
}

static void
set_caps (GstElement * source, const gchar * plain, const gchar * encrypted,
    const gchar * fields, gboolean key)
{
  g_autofree gchar *caps = g_strconcat (key ? encrypted : plain, fields, NULL);

  gst_util_set_object_arg (G_OBJECT (source), "caps", caps);
}

static void
drop_feed (GstRtpCcSrc * self)
{
  if (self->feed)
    gst_pad_set_active (self->feed, FALSE);
  g_clear_object (&self->feed);
}

/* What leads from the network and back, through SRTP where there is a key. */
static gboolean
link_network (GstRtpCcSrc * self, GError ** error)
{
  GstRtpCcBinSrtp *srtp = &self->srtp;
  GstPad *pad;

  if (!gst_rtp_cc_bin_srtp_prepare (srtp, GST_BIN (self), error))
    return FALSE;
  drop_feed (self);
  set_caps (self->rtp_src, "application/x-rtp", "application/x-srtp",
      "," GST_RTP_CC_BIN_EXTENSIONS, srtp->key != NULL);
  set_caps (self->rtcp_src, "application/x-rtcp", "application/x-srtcp", "",
      srtp->key != NULL);
  gst_rtp_cc_bin_srtp_receive (srtp, "rtp", self->rtp_src, "src", self->call,
      "recv_rtp_sink_0");
  gst_rtp_cc_bin_srtp_receive (srtp, "rtcp", self->rtcp_src, "src",
      self->call, "recv_rtcp_sink_0");
  gst_rtp_cc_bin_srtp_send (srtp, "rtcp", self->call, "send_rtcp_src_0",
      self->rtcp_sink, "sink");
  gst_element_set_locked_state (self->rtcp_src, self->rtcp_mux);
  if (self->rtcp_mux) {
    pad = gst_element_get_static_pad (self->rtcp_src, "src");
    self->feed = gst_rtp_cc_net_feed (pad, srtp->key != NULL);
    gst_object_unref (pad);
  }
  return TRUE;
}

static void
close_sockets (GstRtpCcSrc * self)
{
  for (guint i = 0; i < 2; i++)
    if (self->sockets[i])
      g_socket_close (self->sockets[i], NULL);
  g_clear_object (&self->sockets[0]);
  g_clear_object (&self->sockets[1]);
}

/* --- what comes ----------------------------------------------------------- */

/* With a key it is decrypted, and so authentic, here. */
static GstPadProbeReturn
on_readable_rtcp (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  GstRtpCcSrc *self = data;

  return gst_rtp_cc_bin_caller_heard (&self->caller, GST_PAD_PROBE_INFO_BUFFER (info))
      ? GST_PAD_PROBE_OK : GST_PAD_PROBE_DROP;
}

/* RFC 5761 section 4: RTCP's types are 192 to 223. */
static gboolean
is_rtcp (GstBuffer * buffer)
{
  guint8 head[2] = { 0 };

  gst_buffer_extract (buffer, 0, head, sizeof head);
  return head[1] >= 192 && head[1] <= 223;
}

static GstPadProbeReturn
on_rtcp (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  GstRtpCcSrc *self = data;
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (info);

  if (!gst_rtp_cc_bin_caller_lets_in (&self->caller, buffer, 4))
    return GST_PAD_PROBE_DROP;
  gst_rtp_cc_bin_srtp_heard (&self->srtp, GST_ELEMENT (self), buffer, TRUE);
  return GST_PAD_PROBE_OK;
}

static GstPadProbeReturn
on_rtp (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  GstRtpCcSrc *self = data;
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (info);

  /* rtpsession would take it, wherever it comes from. */
  if ((!self->rtcp_mux && gst_rtcp_buffer_validate_reduced (buffer))
      || !gst_rtp_cc_bin_caller_lets_in (&self->caller, buffer, is_rtcp (buffer) ? 4 : 8))
    return GST_PAD_PROBE_DROP;
  if (!self->rtcp_mux || !is_rtcp (buffer)) {
    gst_rtp_cc_bin_srtp_heard (&self->srtp, GST_ELEMENT (self), buffer, FALSE);
    return GST_PAD_PROBE_OK;
  }
  gst_rtp_cc_bin_srtp_heard (&self->srtp, GST_ELEMENT (self), buffer, TRUE);
  /* Not a second reference: srtpdec of GStreamer 1.22 frees what it cannot write to. */
  GST_PAD_PROBE_INFO_DATA (info) = NULL;
  gst_pad_push (self->feed, buffer);
  return GST_PAD_PROBE_HANDLED;
}

static GstCaps *
on_pt_map (GstElement * call, guint session, guint pt, GstRtpCcSrc * self)
{
  const GstRtpCcBinUri *uri = gst_rtp_cc_bin_uri_of (self);
  GstCaps *caps = gst_rtp_cc_bin_caps_of (pt, self->encoding_name);

  if (!caps)
    GST_ELEMENT_WARNING (self, STREAM, FORMAT, ("RTP of payload type %u came, which "
            "nobody explained: set encoding-name, as in "
            "rtp://%s:%u?encoding-name=H264.", pt, uri->host, uri->port),
        (NULL));
  else                          /* rtpsession goes by these, not by those of udpsrc */
    gst_caps_set_simple (caps, "extmap-3", G_TYPE_STRING,
        GST_RTP_CC_BIN_ABS_SEND_TIME, "extmap-5", G_TYPE_STRING,
        GST_RTP_CC_BIN_TRANSPORT_WIDE, "rtcp-fb-nack-pli", G_TYPE_BOOLEAN, TRUE, NULL);
  return caps;
}

static void
on_pad_added (GstElement * call, GstPad * pad, GstRtpCcSrc * self)
{
  if (g_str_has_prefix (GST_PAD_NAME (pad), "recv_rtp_src_"))
    gst_rtp_cc_bin_streams_add (self->streams, pad);
}

/* --- the object ----------------------------------------------------------- */

static GstStateChangeReturn
change_state (GstElement * element, GstStateChange transition)
{
  GstRtpCcSrc *self = GST_RTP_CC_SRC (element);
  GstStateChangeReturn ret;
  GError *error = NULL;

  if (transition == GST_STATE_CHANGE_NULL_TO_READY) {
    if (!self->rtp_src) {
      GST_ELEMENT_ERROR (self, CORE, MISSING_PLUGIN, ("There is no udpsrc or no "
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
  ret = GST_ELEMENT_CLASS (gst_rtp_cc_src_parent_class)->change_state
      (element, transition);
  if (transition == GST_STATE_CHANGE_READY_TO_NULL)
    close_sockets (self);
  return ret;
}

static void
set_property (GObject * object, guint id, const GValue * value,
    GParamSpec * pspec)
{
  GstRtpCcSrc *self = GST_RTP_CC_SRC (object);

  if (id == PROP_URI)
    gst_rtp_cc_bin_uri_set (self, g_value_get_string (value), NULL);
  else if (id == PROP_RTCP_MUX)
    self->rtcp_mux = g_value_get_boolean (value);
  else if (id == PROP_KEY)
    gst_rtp_cc_bin_srtp_set_key (&self->srtp, g_value_get_string (value));
  else if (id == PROP_ENCODING_NAME)
    self->encoding_name = (g_free (self->encoding_name),
        g_value_dup_string (value));
  else if (self->call)
    g_object_set_property (G_OBJECT (self->call), pspec->name, value);
}

static void
get_property (GObject * object, guint id, GValue * value, GParamSpec * pspec)
{
  GstRtpCcSrc *self = GST_RTP_CC_SRC (object);

  if (id == PROP_URI)
    g_value_set_string (value, gst_rtp_cc_bin_uri_of (self)->text);
  else if (id == PROP_RTCP_MUX)
    g_value_set_boolean (value, self->rtcp_mux);
  else if (id == PROP_ENCODING_NAME)
    g_value_set_string (value, self->encoding_name);
  else if (self->call)
    g_object_get_property (G_OBJECT (self->call), pspec->name, value);
}

static void
finalize (GObject * object)
{
  GstRtpCcSrc *self = GST_RTP_CC_SRC (object);

  drop_feed (self);
  gst_rtp_cc_bin_srtp_clear (&self->srtp);
  g_free (self->encoding_name);
  gst_rtp_cc_bin_streams_free (self->streams);
  G_OBJECT_CLASS (gst_rtp_cc_src_parent_class)->finalize (object);
}

static GstElement *
add (GstRtpCcSrc * self, const gchar * factory, const gchar * name)
{
  GstElement *element = gst_element_factory_make (factory, name);

  if (element)
    gst_bin_add (GST_BIN (self), element);
  return element;
}

static void
add_probe (GstRtpCcSrc * self, GstElement * element, const gchar * name,
    GstPadProbeCallback probe)
{
  GstPad *pad = gst_element_get_static_pad (element, name);

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, probe, self, NULL);
  gst_object_unref (pad);
}

static void
gst_rtp_cc_src_init (GstRtpCcSrc * self)
{
  gst_rtp_cc_bin_uri_set (self, DEFAULT_URI, NULL);
  GST_OBJECT_FLAG_SET (self, GST_ELEMENT_FLAG_SOURCE);
  /* That RTCP goes out of it does not make it an end that the pipeline waits for. */
  gst_bin_set_suppressed_flags (GST_BIN (self), GST_ELEMENT_FLAG_SINK);
  self->call = add (self, "rtpccbin", "call");
  self->rtcp_sink = add (self, "multiudpsink", "rtcp-sink");
  self->rtcp_src = add (self, "udpsrc", "rtcp-src");
  self->rtp_src = self->rtcp_sink ? add (self, "udpsrc", "rtp-src") : NULL;
  if (!self->rtp_src)
    return;
  self->streams = gst_rtp_cc_bin_streams_new (GST_ELEMENT (self), self->call,
      gst_element_get_pad_template (GST_ELEMENT (self), "src_%u"));
  g_signal_connect (self->call, "pad-added", G_CALLBACK (on_pad_added), self);
  /* 200 ms are too short for a copy on most paths */
  g_object_set (self->call, "do-retransmission", TRUE, "latency", LATENCY_MS,
      NULL);
  gst_rtp_cc_bin_caller_init (&self->caller, GST_ELEMENT (self), self->call, self->rtcp_sink);
  g_signal_connect (self->call, "request-pt-map", G_CALLBACK (on_pt_map), self);
  g_object_set (self->rtcp_sink, "sync", FALSE, "async", FALSE, NULL);
  add_probe (self, self->rtp_src, "src", on_rtp);
  add_probe (self, self->rtcp_src, "src", on_rtcp);
  gst_element_link_pads (self->rtp_src, "src", self->call, "recv_rtp_sink_0");
  gst_element_link_pads (self->call, "send_rtcp_src_0", self->rtcp_sink,
      "sink");
  gst_element_link_pads (self->rtcp_src, "src", self->call,
      "recv_rtcp_sink_0");
  add_probe (self, self->call, "recv_rtcp_sink_0", on_readable_rtcp);
}

#define FLAGS (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS)

static void
install_properties (GObjectClass * klass)
{
  gst_rtp_cc_bin_uri_install (klass, PROP_URI, DEFAULT_URI,
      "Where to listen: rtp://ADDRESS:PORT, properties may follow as ?NAME=VALUE&NAME=VALUE");
  gst_rtp_cc_bin_uri_install_mux (klass, PROP_RTCP_MUX,
      "RTCP comes to the port of RTP (RFC 5761), not to the next; the other end has to say so too");
  gst_rtp_cc_net_install_key (klass, PROP_KEY);
  g_object_class_install_property (klass, PROP_ENCODING_NAME,
      g_param_spec_string ("encoding-name", "Encoding name",
          "What payload type 96 and those that the table has not are, as in H264", NULL,
          FLAGS));
  gst_rtp_cc_bin_install_latency (klass, PROP_LATENCY, LATENCY_MS);
  gst_rtp_cc_bin_install_boolean (klass, PROP_DO_RETRANSMISSION,
      "do-retransmission", TRUE, "Ask for lost packets again (NACK, RFC 4585)");
  gst_rtp_cc_bin_install_stats (klass, PROP_STATS,
      "Those of the rtpccbin in it");
}

static void
gst_rtp_cc_src_class_init (GstRtpCcSrcClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  object_class->set_property = set_property;
  object_class->get_property = get_property;
  object_class->finalize = finalize;
  element_class->change_state = GST_DEBUG_FUNCPTR (change_state);
  install_properties (object_class);
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (element_class,
      "RTP call, receiving end", "Source/Network/RTP",
      "Receives a call and tells its sender what the network takes",
      "The gst-rtpcc maintainers");
}
