/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/common/receiverpads.h"

#include "rtpcc/common/pads.h"
#include "rtpcc/common/utils.h"

static GstStaticPadTemplate templates[] = {
  GST_RTP_CC_RTP_TEMPLATE ("rtp_sink", GST_PAD_SINK, GST_PAD_REQUEST),
  GST_RTP_CC_RTP_TEMPLATE ("rtp_src", GST_PAD_SRC, GST_PAD_SOMETIMES),
  GST_RTP_CC_RTCP_TEMPLATE ("rtcp_sink_%u", GST_PAD_SINK, GST_PAD_REQUEST),
  GST_RTP_CC_RTCP_TEMPLATE ("rtcp_src_%u", GST_PAD_SRC, GST_PAD_SOMETIMES),
  GST_RTP_CC_RTP_TEMPLATE ("sink", GST_PAD_SINK, GST_PAD_ALWAYS),
  GST_RTP_CC_RTP_TEMPLATE ("src", GST_PAD_SRC, GST_PAD_ALWAYS),
  GST_RTP_CC_RTCP_TEMPLATE ("rtcp_sink", GST_PAD_SINK, GST_PAD_ALWAYS),
  GST_RTP_CC_RTCP_TEMPLATE ("rtcp_src", GST_PAD_SRC, GST_PAD_ALWAYS),
};

static void
release_pad (GstElement * element, GstPad * pad)
{
  gst_rtp_cc_rename_back (element, pad);
}

void
gst_rtp_cc_receiver_pads_install (GstElementClass * klass)
{
  klass->request_new_pad = GST_DEBUG_FUNCPTR (gst_rtp_cc_receiver_pads_request);
  klass->release_pad = GST_DEBUG_FUNCPTR (release_pad);
  for (guint i = 0; i < G_N_ELEMENTS (templates); i++)
    gst_element_class_add_static_pad_template (klass, &templates[i]);
}

GstPad *
gst_rtp_cc_receiver_pads_rtp (GstElement * element, GstPadChainFunction chain,
    GstPadChainListFunction chain_list, GstPadEventFunction event)
{
  GstPad *sink = gst_pad_new_from_static_template (&templates[4], "sink");
  GstPad *src = gst_pad_new_from_static_template (&templates[5], "src");

  gst_pad_set_chain_function (sink, chain);
  gst_pad_set_chain_list_function (sink, chain_list);
  gst_pad_set_event_function (sink, event);
  GST_PAD_SET_PROXY_CAPS (src);
  gst_rtp_cc_add_pad_pair (element, sink, src);
  return src;
}

GstRtpCcRtcpPath *
gst_rtp_cc_receiver_pads_rtcp (GstElement * element, GstRtpCcDriver * driver,
    const GstRtpCcRtcpPathFuncs * funcs)
{
  return gst_rtp_cc_rtcp_path_new (element,
      gst_pad_new_from_static_template (&templates[6], "rtcp_sink"),
      gst_pad_new_from_static_template (&templates[7], "rtcp_src"),
      driver, funcs);
}

GstPad *
gst_rtp_cc_receiver_pads_request (GstElement * element, GstPadTemplate * templ,
    const gchar * wanted, const GstCaps * caps)
{
  return gst_rtp_cc_rename_pads (element,
      g_str_has_prefix (GST_PAD_TEMPLATE_NAME_TEMPLATE (templ), "rtcp_")
      ? "rtcp_sink" : "sink", templ, wanted);
}
