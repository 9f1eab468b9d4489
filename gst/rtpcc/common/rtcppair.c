/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/common/rtcppair.h"

#include "core/rtt.h"
#include "rtpcc/common/pads.h"
#include "rtpcc/common/utils.h"
#include "wire/rtcp.h"

struct _GstRtpCcRtcpPair
{
  GstElement *element;
  GstRtpCcDriver *driver;
  GstRtpCcRtcpHear hear;
  RccReports *reports;          /* behind the driver's lock */
  GstPad *sink;                 /* rtcp_sink, borrowed; NULL: none */
  GstPad *requested;            /* the second pair's sink; the element's object lock */
};

typedef struct
{
  gboolean requested;
  guint8 more[64];
  gsize n_more;
} Passing;

static void
say_unheard (GstElement * element)
{
  GST_ELEMENT_WARNING (element, STREAM, FAILED,
      ("The RTCP that comes is ignored: nothing in it shows that its sender "
          "receives our packets. Let the session's whole RTCP pass %s, with "
          "its receiver reports.", GST_OBJECT_NAME (element)),
      ("Statistics count it as rtcp-unproven."));
}

/* @p: what is to go with it. */
static void
hear_buffer (GstRtpCcRtcpPair * pair, GstBuffer * buffer, Passing * p)
{
  gboolean unheard = FALSE;
  RccUpdate update = { 0 };
  GstMapInfo info;
  RccTime now;

  if (!gst_buffer_map (buffer, &info, GST_MAP_READ))
    return;
  if (gst_rtp_cc_driver_enter (pair->driver, &now)) {
    p->n_more = pair->hear (pair->element, (RccBytes) {
        info.data, info.size}
        , p->requested, gst_rtp_cc_ntp_now (), now, p->more, sizeof p->more,
        &update);
    unheard = pair->reports
        && rcc_reporters_unheard (&pair->reports->reporters, now);
    gst_rtp_cc_driver_leave (pair->driver, &update);
  }
  gst_buffer_unmap (buffer, &info);
  if (unheard)
    say_unheard (pair->element);
}

void
gst_rtp_cc_rtcp_pair_hear (GstRtpCcRtcpPair * pair, GstBuffer * compound)
{
  if (!pair->sink || !gst_pad_is_linked (pair->sink))
    hear_buffer (pair, compound, &(Passing) {
        0}
  );
}

static GstFlowReturn
chain (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  GstRtpCcRtcpPair *pair = gst_pad_get_element_private (pad);
  GstPad *src = gst_rtp_cc_pad_mate (pad);
  Passing p = {.requested = pad != pair->sink };       /* there are two at most */
  GstFlowReturn flow;

  hear_buffer (pair, buffer, &p);
  if (p.n_more)
    buffer = gst_buffer_append (gst_buffer_make_writable (buffer),
        gst_buffer_new_memdup (p.more, p.n_more));
  flow = gst_pad_push (src, buffer);
  return flow == GST_FLOW_NOT_LINKED ? GST_FLOW_OK : flow;
}

static void
set_up (GstRtpCcRtcpPair * pair, GstPad * sink)
{
  gst_pad_set_element_private (sink, pair);
  gst_pad_set_chain_function (sink, GST_DEBUG_FUNCPTR (chain));
}

GstRtpCcRtcpPair *
gst_rtp_cc_rtcp_pair_new (GstElement * element, GstStaticPadTemplate * sink,
    GstStaticPadTemplate * src, GstRtpCcDriver * driver, GstRtpCcRtcpHear how,
    RccReports * reports)
{
  GstRtpCcRtcpPair *pair = g_new0 (GstRtpCcRtcpPair, 1);

  pair->element = element;
  pair->driver = driver;
  pair->hear = how;
  pair->reports = reports;
  if (sink) {
    pair->sink = gst_pad_new_from_static_template (sink, "rtcp_sink");
    set_up (pair, pair->sink);
    gst_rtp_cc_add_pad_pair (element, pair->sink,
        gst_pad_new_from_static_template (src, "rtcp_src"));
  }
  return pair;
}

void
gst_rtp_cc_rtcp_pair_free (GstRtpCcRtcpPair * pair)
{
  g_free (pair);
}

GstPad *
gst_rtp_cc_rtcp_pair_request (GstRtpCcRtcpPair * pair, GstPadTemplate * templ,
    const gchar * wanted)
{
  GstPad *sink, *src;

  if (!gst_rtp_cc_claim_pad_pair (pair->element, templ, wanted,
          &pair->requested, &sink, &src))
    return NULL;
  set_up (pair, sink);
  gst_rtp_cc_open_pad_pair (pair->element, sink, src);
  return sink;
}

void
gst_rtp_cc_rtcp_pair_release (GstRtpCcRtcpPair * pair, GstPad * pad)
{
  gst_rtp_cc_close_pad_pair (pair->element, &pair->requested, pad);
}
