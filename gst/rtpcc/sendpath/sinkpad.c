/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/sendpath/private.h"

#include "rtpcc/common/utils.h"
#include "rtpcc/sendpath/parity.h"

static GstRtpCcSendInput *
input_of (GstPad * pad)
{
  return gst_pad_get_element_private (pad);
}

/* Takes @object. */
static GstFlowReturn
take (GstRtpCcSendInput * input, gpointer object, GstRtpCcSendCall how)
{
  const GstFlowReturn flow = g_atomic_int_get (&input->send->flow);

  if (G_LIKELY (flow == GST_FLOW_OK))
    return gst_rtp_cc_send_admit (input->send, input->k, object, how);
  if (how == gst_rtp_cc_send_arrive_end)
    gst_rtp_cc_send_report_flow (input->send, flow);
  gst_mini_object_unref (object);
  return flow;
}

GstFlowReturn
gst_rtp_cc_send_chain (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  return take (input_of (pad), buffer, gst_rtp_cc_send_arrive);
}

GstFlowReturn
gst_rtp_cc_send_chain_list (GstPad * pad, GstObject * parent,
    GstBufferList * list)
{
  return take (input_of (pad), list, gst_rtp_cc_send_arrive_list);
}

static RccMedia
media_of (const GstStructure * s)
{
  const gchar *media = gst_structure_get_string (s, "media");

  return !media ? RCC_MEDIA_UNKNOWN : g_str_equal (media, "video")
      ? RCC_MEDIA_VIDEO : g_str_equal (media, "audio") ? RCC_MEDIA_AUDIO
      : RCC_MEDIA_OTHER;
}

/* Not all payloaders say which packets are DELTA_UNITs: rtpvp8pay of 1.22 does not. */
static gboolean
is_inter_coded (const gchar * encoding)
{
  static const gchar *const codecs[] = {
    "H261", "H263", "H263-1998", "H263-2000", "H264", "H265", "H266", "VP8",
    "VP8-DRAFT-IETF-01", "VP9", "VP9-DRAFT-IETF-01", "AV1", "MP4V-ES", "MPV",
    "THEORA", NULL
  };

  return encoding && g_strv_contains (codecs, encoding);
}

void
gst_rtp_cc_send_caps (GstPad * pad, const GstCaps * caps)
{
  GstRtpCcSendInput *input = input_of (pad);
  const GstStructure *s = gst_caps_get_structure (caps, 0);
  GstRtpCcSend *x = input->send;
  guint ssrc = 0;

  gst_structure_get_uint (s, "ssrc", &ssrc);
  gst_rtp_cc_driver_lock (x->driver);
  input->ssrc = ssrc;
  input->media = media_of (s);
  input->clock_rate = gst_rtp_cc_clock_rate (caps);
  input->inter = is_inter_coded (gst_structure_get_string (s, "encoding-name"));
  input->abs_id = gst_rtp_cc_extension_id (caps, RCC_ABS_SEND_TIME_URI);
  if (input->abs_id == 0)
    input->abs_id = x->default_abs_id;
  if (x->passes_extensions)
    input->abs_id = 0;
  input->transport_id = gst_rtp_cc_extension_id (caps, RCC_TWCC_URI);
  input->extends = gst_rtp_cc_extension_id (caps, RCC_ABS_SEND_TIME_URI) != 0
      || input->transport_id != 0;
  gst_rtp_cc_send_parity_announce (x, input->k);
  gst_rtp_cc_driver_unlock (x->driver);
}

/* A new stream may follow an ended one. */
void
gst_rtp_cc_send_stream_start (GstPad * pad)
{
  GstRtpCcSendInput *input = input_of (pad);
  GstRtpCcSend *x = input->send;

  gst_rtp_cc_driver_lock (x->driver);
  if (x->ended)
    gst_rtp_cc_send_start_over (x, TRUE);
  input->eos = x->ended = FALSE;
  gst_rtp_cc_driver_unlock (x->driver);
  if (g_atomic_int_get (&x->flow) == GST_FLOW_EOS)
    gst_rtp_cc_send_start_task (x);
}

gboolean
gst_rtp_cc_send_sink_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  GstRtpCcSendInput *input = input_of (pad);
  GstCaps *caps;

  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_FLUSH_START:
      gst_rtp_cc_send_begin_flush (input->send, input->k, event);
      return TRUE;
    case GST_EVENT_FLUSH_STOP:
      gst_rtp_cc_send_end_flush (input->send, input->k, event);
      return TRUE;
    case GST_EVENT_STREAM_START:
      gst_rtp_cc_send_stream_start (pad);
      break;
    case GST_EVENT_CAPS:
      gst_event_parse_caps (event, &caps);
      gst_rtp_cc_send_caps (pad, caps);
      break;
    default:
      break;
  }
  if (GST_EVENT_IS_SERIALIZED (event))
    return take (input, event, GST_EVENT_TYPE (event) == GST_EVENT_EOS
        ? gst_rtp_cc_send_arrive_end : gst_rtp_cc_send_arrive_event) ==
        GST_FLOW_OK;
  return gst_pad_push_event (input->send->src, event);
}

/* A serialised query would overtake what is queued. */
gboolean
gst_rtp_cc_send_sink_query (GstPad * pad, GstObject * parent, GstQuery * query)
{
  GstRtpCcSend *x = input_of (pad)->send;
  gboolean clear;

  if (GST_QUERY_IS_SERIALIZED (query)) {
    gst_rtp_cc_driver_lock (x->driver);
    clear = gst_rtp_cc_send_is_clear (x);
    gst_rtp_cc_driver_unlock (x->driver);
    if (!clear)
      return FALSE;
  }
  return gst_pad_query_default (pad, parent, query);
}

static gboolean
sink_activate_mode (GstPad * pad, GstObject * parent, GstPadMode mode,
    gboolean active)
{
  GstRtpCcSendInput *input = input_of (pad);

  if (mode != GST_PAD_MODE_PUSH)
    return FALSE;
  if (!active)
    return TRUE;
  gst_rtp_cc_driver_lock (input->send->driver);
  input->eos = input->flushing = FALSE;
  gst_rtp_cc_driver_unlock (input->send->driver);
  return TRUE;
}

guint
gst_rtp_cc_send_add (GstRtpCcSend * x, GstPad * pad)
{
  guint k = 0;

  gst_rtp_cc_driver_lock (x->driver);
  while (k < RCC_SEND_PADS && x->inputs[k].pad)
    k++;
  if (k == RCC_SEND_PADS) {
    gst_rtp_cc_driver_unlock (x->driver);
    return k;
  }
  x->inputs[k] = (GstRtpCcSendInput) {
  .send = x,.k = k,.pad = pad,.expiry = GST_CLOCK_TIME_NONE,.abs_id =
        x->default_abs_id};
  rcc_send_add (&x->path, k);
  gst_rtp_cc_driver_unlock (x->driver);
  gst_pad_set_element_private (pad, &x->inputs[k]);
  gst_pad_set_chain_function (pad, GST_DEBUG_FUNCPTR (gst_rtp_cc_send_chain));
  gst_pad_set_chain_list_function (pad,
      GST_DEBUG_FUNCPTR (gst_rtp_cc_send_chain_list));
  gst_pad_set_event_function (pad,
      GST_DEBUG_FUNCPTR (gst_rtp_cc_send_sink_event));
  gst_pad_set_query_function (pad,
      GST_DEBUG_FUNCPTR (gst_rtp_cc_send_sink_query));
  gst_pad_set_activatemode_function (pad,
      GST_DEBUG_FUNCPTR (sink_activate_mode));
  return k;
}

void
gst_rtp_cc_send_remove (GstRtpCcSend * x, guint k)
{
  gboolean any = FALSE, last;

  gst_rtp_cc_driver_lock (x->driver);
  gst_rtp_cc_send_flush_input (x, k);
  x->inputs[k].pad = NULL;
  if (x->path.config.scheduled)
    rcc_send_close (&x->path, k);
  for (guint i = 0; i < RCC_SEND_PADS; i++)
    any |= x->inputs[i].pad != NULL;
  last = x->flushed && !any && gst_rtp_cc_send_flush_ended (x); /* nobody would end it */
  gst_rtp_cc_driver_unlock (x->driver);
  if (last)
    gst_rtp_cc_send_flush_downstream (x, NULL);
  gst_rtp_cc_wakeup_wake (x->wakeup);   /* the others may have ended */
}
