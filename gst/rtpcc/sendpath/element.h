/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * sendpath/element.h - base class of the elements that a sender's RTP passes: a send path
 * to the source pad, and the session's RTCP
 *
 * The RTCP that comes in goes from rtcp_sink to rtcp_src.  The RTCP that goes out, where somebody
 * requests it, goes from send_rtcp_sink to send_rtcp_src.
 */
#ifndef GST_RTP_CC_SEND_ELEMENT_H
#define GST_RTP_CC_SEND_ELEMENT_H

#include "rtpcc/common/element.h"
#include "rtpcc/common/event.h"
#include "rtpcc/common/rtcppair.h"
#include "rtpcc/sendpath/sendpath.h"

#define GST_TYPE_RTP_CC_SEND_ELEMENT (gst_rtp_cc_send_element_get_type ())
#define GST_RTP_CC_SEND_ELEMENT(object) ((GstRtpCcSendElement *) (object))

typedef struct {
  GstRtpCcElement parent;
  GstPad *srcpad;
  GstPad *sinkpad;                      /* NULL: they are requested */
  GstRtpCcSend *send;
  GstRtpCcRtcpPair *rtcp;
  GstRtpCcTargetAggregator *aggregator; /* of the sink pad; NULL: there is none */
} GstRtpCcSendElement;

typedef struct {
  GstRtpCcElementClass parent_class;
} GstRtpCcSendElementClass;

GType gst_rtp_cc_send_element_get_type (void);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstRtpCcSendElement, gst_object_unref)

/* In a subclass's instance init, behind its settings, in this order. First the send path with the
 * driver, then the sink pad, then the pads for RTCP. */
void gst_rtp_cc_send_element_init_path (GstRtpCcSendElement *self, GstStaticPadTemplate *src,
    const GstRtpCcSendFuncs *funcs, const GstRtpCcDriverFuncs *driver_funcs);
void gst_rtp_cc_send_element_init_sink (GstRtpCcSendElement *self, GstStaticPadTemplate *sink);
void gst_rtp_cc_send_element_init_rtcp (GstRtpCcSendElement *self);

/* What @event from downstream means to the aggregator and the send path. It is the source pad's
 * event function, but for elements with one of their own. */
gboolean gst_rtp_cc_send_element_src_event (GstPad *pad, GstObject *parent, GstEvent *event);
/* The sink pad's: as gst_rtp_cc_send_sink_event(), and it finds the session to hear RTCP of. */
gboolean gst_rtp_cc_send_element_sink_event (GstPad *pad, GstObject *parent, GstEvent *event);

/* In the class_init of one with _init_sink(). As rtpbin's request-rtp-encoder and
 * request-aux-sender its pads are called rtp_sink_%u or sink_%u, for whoever requests that. */
void gst_rtp_cc_send_element_class_names (GstElementClass *klass);

#endif
