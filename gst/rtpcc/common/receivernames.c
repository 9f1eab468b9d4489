/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/common/receivernames.h"

#include "rtpcc/common/pads.h"
#include "rtpcc/common/utils.h"

static GstStaticPadTemplate names[] = {
  GST_RTP_CC_RTP_TEMPLATE ("rtp_sink", GST_PAD_SINK, GST_PAD_REQUEST),
  GST_RTP_CC_RTP_TEMPLATE ("rtp_src", GST_PAD_SRC, GST_PAD_SOMETIMES),
  GST_RTP_CC_RTCP_TEMPLATE ("rtcp_sink_%u", GST_PAD_SINK, GST_PAD_REQUEST),
  GST_RTP_CC_RTCP_TEMPLATE ("rtcp_src_%u", GST_PAD_SRC, GST_PAD_SOMETIMES),
};

void
gst_rtp_cc_receiver_names_install (GstElementClass * klass)
{
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    gst_element_class_add_static_pad_template (klass, &names[i]);
}

GstPad *
gst_rtp_cc_receiver_names_request (GstElement * element, GstPadTemplate * templ,
    const gchar * wanted)
{
  return gst_rtp_cc_rename_pads (element,
      g_str_has_prefix (GST_PAD_TEMPLATE_NAME_TEMPLATE (templ), "rtcp_")
      ? "rtcp_sink" : "sink", templ, wanted);
}
