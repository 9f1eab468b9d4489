/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/sendpath/element.h"

#include <string.h>

#include "rtpcc/common/pads.h"
#include "rtpcc/common/session.h"
#include "rtpcc/common/utils.h"
#include "rtpcc/sendpath/upstream.h"
#include "wire/feedback-rtcp.h"

G_DEFINE_ABSTRACT_TYPE (GstRtpCcSendElement, gst_rtp_cc_send_element,
    GST_TYPE_RTP_CC_ELEMENT);

static GstStaticPadTemplate templates[] = {
  GST_RTP_CC_RTCP_TEMPLATE ("rtcp_sink", GST_PAD_SINK, GST_PAD_ALWAYS),
  GST_RTP_CC_RTCP_TEMPLATE ("rtcp_src", GST_PAD_SRC, GST_PAD_ALWAYS),
  GST_RTP_CC_RTCP_TEMPLATE ("send_rtcp_sink", GST_PAD_SINK, GST_PAD_REQUEST),
  GST_RTP_CC_RTCP_TEMPLATE ("send_rtcp_src", GST_PAD_SRC, GST_PAD_SOMETIMES),
  GST_RTP_CC_RTCP_TEMPLATE ("rtcp_sink_%u", GST_PAD_SINK, GST_PAD_REQUEST),
  GST_RTP_CC_RTCP_TEMPLATE ("rtcp_src_%u", GST_PAD_SRC, GST_PAD_SOMETIMES),
};

static GstStaticPadTemplate names[] = {
  GST_RTP_CC_RTP_TEMPLATE ("rtp_sink_%u", GST_PAD_SINK, GST_PAD_REQUEST),
  GST_RTP_CC_RTP_TEMPLATE ("rtp_src_%u", GST_PAD_SRC, GST_PAD_SOMETIMES),
  GST_RTP_CC_RTP_TEMPLATE ("sink_%u", GST_PAD_SINK, GST_PAD_REQUEST),
  GST_RTP_CC_RTP_TEMPLATE ("src_%u", GST_PAD_SRC, GST_PAD_SOMETIMES),
};

/* --- what comes from downstream ------------------------------------------- */

/* A TMMBR is answered by whoever obeys it (RFC 5104 4.2.2). */
static gsize
hear_rtcp (GstElement * element, RccBytes compound, gboolean ours,
    guint32 ntp_middle, RccTime now, guint8 * out, gsize size,
    RccUpdate * update)
{
  RccSend *path = &GST_RTP_CC_SEND_ELEMENT (element)->send->path;

  if (!ours)
    *update = rcc_feedback_rtcp (path->feedback, compound, ntp_middle, now,
        &path->sender);
  else if (path->controller)
    return rcc_feedback_answer (path->feedback, compound, now, out, size);
  else
    rcc_feedback_rtcp_sent (path->feedback, compound, now);
  return 0;
}

gboolean
gst_rtp_cc_send_element_src_event (GstPad * pad, GstObject * parent,
    GstEvent * event)
{
  GstRtpCcSendElement *self = GST_RTP_CC_SEND_ELEMENT (parent);

  if (gst_rtp_cc_target_aggregator_event (self->aggregator, event))
    return TRUE;
  event = gst_rtp_cc_send_upstream (self->send, event);
  return !event || gst_pad_event_default (pad, parent, event);
}

/* As webrtcbin's aux sender there are no pads for RTCP: it is heard where the session gets it. */
static void
hear_session (GstElement * element, GstMiniObject * what)
{
  GstRtpCcRtcpPair *rtcp = GST_RTP_CC_SEND_ELEMENT (element)->rtcp;

  if (GST_IS_BUFFER (what))
    gst_rtp_cc_rtcp_pair_hear (rtcp, GST_BUFFER (what));
}

/* Not by a probe: one on a pad costs each packet 70 ns, whatever it is for. */
gboolean
gst_rtp_cc_send_element_sink_event (GstPad * pad, GstObject * parent,
    GstEvent * event)
{
  if (GST_EVENT_TYPE (event) == GST_EVENT_SEGMENT)
    gst_rtp_cc_session_listen (GST_ELEMENT (parent), pad,
        GST_RTP_CC_SEND_ELEMENT (parent)->srcpad, hear_session);
  return gst_rtp_cc_send_sink_event (pad, parent, event);
}

/* --- the element ---------------------------------------------------------- */

static GstPad *
request_new_pad (GstElement * element, GstPadTemplate * template,
    const gchar * name, const GstCaps * caps)
{
  if (!strstr (GST_PAD_TEMPLATE_NAME_TEMPLATE (template), "rtcp_"))
    return gst_rtp_cc_rename_pads (element, "sink", template, name);
  return gst_rtp_cc_rtcp_pair_request (GST_RTP_CC_SEND_ELEMENT (element)->rtcp,
      template, name);
}

static void
release_pad (GstElement * element, GstPad * pad)
{
  if (!gst_rtp_cc_rename_back (element, pad))
    gst_rtp_cc_rtcp_pair_release (GST_RTP_CC_SEND_ELEMENT (element)->rtcp, pad);
}

static gboolean
set_clock (GstElement * element, GstClock * clock)
{
  const gboolean set = GST_ELEMENT_CLASS (gst_rtp_cc_send_element_parent_class)
      ->set_clock (element, clock);

  /* the old clock may never reach its time */
  gst_rtp_cc_wakeup_wake (GST_RTP_CC_SEND_ELEMENT (element)->send->wakeup);
  return set;
}

static void
stopped (GstRtpCcElement * element)
{
  GstRtpCcTargetAggregator *aggregator =
      GST_RTP_CC_SEND_ELEMENT (element)->aggregator;

  if (aggregator)
    gst_rtp_cc_target_aggregator_reset (aggregator);
}

/* The driver goes first: its clock's thread may be inside. */
static void
finalize (GObject * object)
{
  GstRtpCcSendElement *self = GST_RTP_CC_SEND_ELEMENT (object);

  gst_rtp_cc_driver_stop (self->parent.driver);
  gst_rtp_cc_send_free (self->send);
  gst_rtp_cc_rtcp_pair_free (self->rtcp);
  if (self->aggregator)
    gst_rtp_cc_target_aggregator_free (self->aggregator);
  G_OBJECT_CLASS (gst_rtp_cc_send_element_parent_class)->finalize (object);
}

static void
gst_rtp_cc_send_element_init (GstRtpCcSendElement * self)
{
}

static void
gst_rtp_cc_send_element_class_init (GstRtpCcSendElementClass * klass)
{
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = finalize;
  element_class->set_clock = GST_DEBUG_FUNCPTR (set_clock);
  element_class->request_new_pad = GST_DEBUG_FUNCPTR (request_new_pad);
  element_class->release_pad = GST_DEBUG_FUNCPTR (release_pad);
  klass->parent_class.stopped = stopped;
  for (guint i = 0; i < G_N_ELEMENTS (templates); i++)
    gst_element_class_add_static_pad_template (element_class, &templates[i]);
}

void
gst_rtp_cc_send_element_class_names (GstElementClass * klass)
{
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    gst_element_class_add_static_pad_template (klass, &names[i]);
}

void
gst_rtp_cc_send_element_init_path (GstRtpCcSendElement * self,
    GstStaticPadTemplate * src, const GstRtpCcSendFuncs * funcs,
    const GstRtpCcDriverFuncs * driver_funcs)
{
  self->srcpad = gst_pad_new_from_static_template (src, "src");
  self->send = gst_rtp_cc_send_new (GST_ELEMENT (self), self->srcpad, funcs);
  self->parent.driver = gst_rtp_cc_driver_new (GST_ELEMENT (self),
      &self->send->path.sender, driver_funcs);
  self->send->driver = self->parent.driver;
}

void
gst_rtp_cc_send_element_init_sink (GstRtpCcSendElement * self,
    GstStaticPadTemplate * sink)
{
  self->sinkpad = gst_pad_new_from_static_template (sink, "sink");
  gst_rtp_cc_send_add (self->send, self->sinkpad);
  gst_pad_set_event_function (self->sinkpad,
      GST_DEBUG_FUNCPTR (gst_rtp_cc_send_element_sink_event));
  gst_pad_set_event_function (self->srcpad,
      GST_DEBUG_FUNCPTR (gst_rtp_cc_send_element_src_event));
  gst_rtp_cc_add_pad_pair (GST_ELEMENT (self), self->sinkpad, self->srcpad);
  self->aggregator = gst_rtp_cc_target_aggregator_new (self->sinkpad);
}

void
gst_rtp_cc_send_element_init_rtcp (GstRtpCcSendElement * self)
{
  self->rtcp = gst_rtp_cc_rtcp_pair_new (GST_ELEMENT (self), &templates[0],
      &templates[1], self->parent.driver, hear_rtcp,
      &self->send->path.feedback->reports);
}
