/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-rtpfbrareceiver
 * @title: rtpfbrareceiver
 * @short_description: Tells the sender what became of each packet, and drops what is late
 *
 * The receiver's half of FBRA (FEC-based rate adaptation). RTP passes through sink and src. What
 * was under way for longer than #GstRtpFbraReceiver:max-delay is dropped, parity and
 * retransmissions like any other packet. The session's outgoing RTCP passes through rtcp_sink and
 * rtcp_src. Extended reports (RFC 3611) go with it or in compounds of our own. They say which
 * numbers came (Loss RLE) and when (Packet Receipt Times), and which of those were late (Discard
 * RLE, RFC 7097). They are sent every #GstRtpFbraReceiver:feedback-interval or every two round
 * trips, whichever is longer. A loss or a late packet is reported at once, once between two
 * regular reports (RFC 4585 3.5). All of it is within #GstRtpFbraReceiver:rtcp-fraction of the
 * bandwidth received. Everything else passes unchanged, malformed packets too. Any pair of pads
 * works without the others.
 *
 * ## Where it must stand
 *
 * On the network's side of rtpbin: before recv_rtp_sink_N and after any SRTP decryption, and
 * behind send_rtcp_src_N, before SRTP encryption. That is before and behind rtpbin at once. In
 * one bin with it, GstBin warns of a loop, which only leaves the order of state changes open.
 * With rtcp_sink not linked there is none, and reports have an SSRC of their own.
 *
 * The round trip is learnt from what the other side answers: DLRR, and report blocks about our
 * SRs where we send. For that the incoming RTCP is led through the request pads recv_rtcp_sink
 * and recv_rtcp_src. Without them it is unknown and #GstRtpFbraReceiver:feedback-interval alone
 * counts.
 *
 * The time at which a packet left is read from its abs-send-time extension where the caps have an
 * extmap field with `http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time`. Else it is read
 * from the RTP timestamp and the caps' clock-rate. In that case only the stream heard first is
 * judged, as the timestamps of several have nothing in common. The delay is relative to the
 * smallest of the last two minutes. Packets that have been late for two seconds without exception
 * are not late: the clock or the path has changed.
 *
 * ## Example launch line
 *
 * A call to oneself; the reports come back at port 5062, and the sender goes by them.
 * |[
 * gst-launch-1.0 -m videotestsrc is-live=true ! x264enc tune=zerolatency ! rtpbitrateadapter \
 *   ! rtph264pay mtu=1200 ! rtpfbrafec name=fec close-at-marker=true \
 *   ! udpsink host=127.0.0.1 port=5061 \
 *   udpsrc port=5061 socket-timestamp=realtime \
 *   caps=application/x-rtp,media=video,encoding-name=H264,clock-rate=90000 \
 *   ! rtpfbrareceiver name=fbra ! rtpjitterbuffer ! rtpptdemux ignored-payload-types="<122>" \
 *   ! rtph264depay ! avdec_h264 ! fakesink async=false \
 *   fbra.rtcp_src ! udpsink host=127.0.0.1 port=5062 sync=false async=false \
 *   udpsrc port=5062 ! fec.rtcp_sink
 * ]|
 */
#include "rtpcc/common/element.h"
#include "rtpcc/common/elements.h"
#include "rtpcc/common/pads.h"
#include "rtpcc/common/receiverpads.h"
#include "rtpcc/common/rtcppair.h"
#include "rtpcc/common/utils.h"
#include "rtpcc/fbrareceiver/settings.h"

#define GST_TYPE_RTP_FBRA_RECEIVER (gst_rtp_fbra_receiver_get_type ())
G_DECLARE_FINAL_TYPE (GstRtpFbraReceiver, gst_rtp_fbra_receiver, GST,
    RTP_FBRA_RECEIVER, GstRtpCcElement);

struct _GstRtpFbraReceiver
{
  GstRtpCcElement parent;

  GstPad *srcpad;
  GstRtpCcRtcpPath *rtcp;       /* what goes out */
  GstRtpCcRtcpPair *heard;      /* what comes in, where somebody requests it */
  GstRtpCcFbraFeedback *feedback;       /* the driver's lock */
  gint drop_late;               /* atomic: the setting */
};

static GstStaticPadTemplate templates[] = {
  GST_RTP_CC_RTCP_TEMPLATE ("recv_rtcp_sink", GST_PAD_SINK, GST_PAD_REQUEST),
  GST_RTP_CC_RTCP_TEMPLATE ("recv_rtcp_src", GST_PAD_SRC, GST_PAD_SOMETIMES),
};

G_DEFINE_TYPE (GstRtpFbraReceiver, gst_rtp_fbra_receiver,
    GST_TYPE_RTP_CC_ELEMENT);
GST_ELEMENT_REGISTER_DEFINE (rtpfbrareceiver, "rtpfbrareceiver", GST_RANK_NONE,
    GST_TYPE_RTP_FBRA_RECEIVER);

/* --- settings and the driver ---------------------------------------------- */

GST_RTP_CC_DEFINE_GET_SETTINGS (GstRtpCcFbraReceiverSettings)

static RccUpdate
driver_init (GstElement * element, RccTime now)
{
  GstRtpFbraReceiver *self = GST_RTP_FBRA_RECEIVER (element);
  const GstRtpCcFbraReceiverSettings settings = get_settings (self);

  gst_rtp_cc_fbra_feedback_init (self->feedback, &settings.feedback);
  return rcc_nothing ();
}

static RccUpdate
adjust (GstRtpCcElement * element, RccTime now)
{
  const GstRtpCcFbraReceiverSettings settings = get_settings (element);

  gst_rtp_cc_fbra_feedback_adjust (GST_RTP_FBRA_RECEIVER (element)->feedback, &settings.feedback);
  return rcc_nothing ();
}

/* On whichever thread found a report to be due: often the RTP streaming thread or the system
 * clock's. So pushing, which may block, is the RTCP pad's own task. */
static void
apply (GstElement * element, const RccUpdate * update)
{
  gst_rtp_cc_rtcp_path_wake (GST_RTP_FBRA_RECEIVER (element)->rtcp);
}

static const GstRtpCcDriverFuncs driver_funcs = { driver_init, NULL, apply };

/* --- RTP ------------------------------------------------------------------ */

/* A regular report is the timer's: to wake the RTCP pad's task takes longer than to take in
 * fifty packets. */
static void
leave (GstRtpFbraReceiver * self, gboolean was_due, RccTime now)
{
  GstRtpCcFbraFeedback *f = self->feedback;
  RccUpdate update = {.reason = "feedback is due" };

  gst_rtp_cc_fbra_feedback_received (f, now);
  if (f->due && !was_due)
    update.changed = RCC_TARGET;
  gst_rtp_cc_driver_leave (self->parent.driver, &update);
}

static GstFlowReturn
chain (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  GstRtpFbraReceiver *self = (GstRtpFbraReceiver *) parent;
  gboolean late = FALSE;
  RccTime now;

  if (gst_rtp_cc_driver_enter (self->parent.driver, &now)) {
    const gboolean was_due = self->feedback->due;

    late = gst_rtp_cc_fbra_feedback_rtp (self->feedback, buffer, now);
    leave (self, was_due, now);
  }
  if (G_LIKELY (!late || !g_atomic_int_get (&self->drop_late)))
    return gst_pad_push (self->srcpad, buffer);
  gst_buffer_unref (buffer);
  return GST_FLOW_OK;
}

/* The list without what is late; NULL: all of it. */
static GstBufferList *
take_list (GstRtpFbraReceiver * self, GstBufferList * list, RccTime now)
{
  const gboolean drop = g_atomic_int_get (&self->drop_late);
  const guint n = gst_buffer_list_length (list);
  GstBufferList *on_time = NULL;

  for (guint i = 0; i < n; i++) {
    const gboolean late = gst_rtp_cc_fbra_feedback_rtp (self->feedback,
        gst_buffer_list_get (list, i), now);

    gst_rtp_cc_list_keep (&on_time, list, i, !(late && drop));
  }
  return on_time;
}

static GstFlowReturn
chain_list (GstPad * pad, GstObject * parent, GstBufferList * list)
{
  GstRtpFbraReceiver *self = (GstRtpFbraReceiver *) parent;
  GstBufferList *on_time = NULL;
  RccTime now;

  if (gst_rtp_cc_driver_enter (self->parent.driver, &now)) {
    const gboolean was_due = self->feedback->due;

    on_time = take_list (self, list, now);
    leave (self, was_due, now);
  }
  if (G_LIKELY (!on_time))
    return gst_pad_push_list (self->srcpad, list);
  gst_buffer_list_unref (list);
  if (gst_buffer_list_length (on_time) > 0)
    return gst_pad_push_list (self->srcpad, on_time);
  gst_buffer_list_unref (on_time);
  return GST_FLOW_OK;
}

static void
take_caps (GstRtpFbraReceiver * self, const GstCaps * caps)
{
  RccTime now;

  if (!gst_rtp_cc_driver_enter (self->parent.driver, &now))
    return;
  gst_rtp_cc_fbra_feedback_caps (self->feedback, caps);
  gst_rtp_cc_driver_leave (self->parent.driver, NULL);
}

static gboolean
sink_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  GstRtpFbraReceiver *self = GST_RTP_FBRA_RECEIVER (parent);
  GstCaps *caps;

  if (GST_EVENT_TYPE (event) == GST_EVENT_CAPS) {
    gst_event_parse_caps (event, &caps);
    take_caps (self, caps);
  }
  gst_rtp_cc_arrival_event (&self->feedback->arrival, pad, event);
  return gst_pad_event_default (pad, parent, event);
}

/* --- RTCP that comes in --------------------------------------------------- */

static gsize
hear (GstElement * element, RccBytes compound, gboolean requested, guint32 ntp_middle,
    RccTime now, guint8 * out, gsize size, RccUpdate * update)
{
  gst_rtp_cc_fbra_feedback_rtcp (GST_RTP_FBRA_RECEIVER (element)->feedback, compound, now);
  return 0;
}

static GstPad *
request_new_pad (GstElement * element, GstPadTemplate * template,
    const gchar * name, const GstCaps * caps)
{
  if (template == gst_element_class_get_pad_template (GST_ELEMENT_GET_CLASS
          (element), "recv_rtcp_sink"))
    return gst_rtp_cc_rtcp_pair_request (GST_RTP_FBRA_RECEIVER (element)->heard,
        template, name);
  return gst_rtp_cc_receiver_pads_request (element, template, name, caps);
}

static void
release_pad (GstElement * element, GstPad * pad)
{
  if (!gst_rtp_cc_rename_back (element, pad))
    gst_rtp_cc_rtcp_pair_release (GST_RTP_FBRA_RECEIVER (element)->heard, pad);
}

/* --- the element ---------------------------------------------------------- */

/* With the driver stopped: it knows nothing. */
static void
forget (GstRtpCcElement * element)
{
  GstRtpFbraReceiver *self = GST_RTP_FBRA_RECEIVER (element);

  gst_rtp_cc_driver_lock (element->driver);
  gst_rtp_cc_fbra_feedback_clear (self->feedback, GST_ELEMENT (self));
  driver_init (GST_ELEMENT (self), 0);
  gst_rtp_cc_driver_unlock (element->driver);
}

static void
changed (GstRtpCcElement * element)
{
  g_atomic_int_set (&GST_RTP_FBRA_RECEIVER (element)->drop_late,
      get_settings (element).drop_late);
}

static void
add_stats (GstRtpCcElement * element, GstStructure * stats, GstClockTime now)
{
  gst_rtp_cc_fbra_feedback_stats (GST_RTP_FBRA_RECEIVER (element)->feedback,
      stats);
}

static void
finalize (GObject * object)
{
  GstRtpFbraReceiver *self = GST_RTP_FBRA_RECEIVER (object);

  gst_rtp_cc_driver_stop (self->parent.driver);
  gst_rtp_cc_rtcp_path_free (self->rtcp);
  gst_rtp_cc_rtcp_pair_free (self->heard);
  gst_rtp_cc_fbra_feedback_free (self->feedback);
  G_OBJECT_CLASS (gst_rtp_fbra_receiver_parent_class)->finalize (object);
}

static void
gst_rtp_fbra_receiver_init (GstRtpFbraReceiver * self)
{
  GstElement *element = GST_ELEMENT (self);

  gst_rtp_cc_element_init_settings (&self->parent);
  changed (&self->parent);
  self->feedback = g_new0 (GstRtpCcFbraFeedback, 1);
  self->parent.driver =
      gst_rtp_cc_driver_new (element, &self->feedback->sender, &driver_funcs);
  forget (&self->parent);

  self->srcpad = gst_rtp_cc_receiver_pads_rtp (element,
      GST_DEBUG_FUNCPTR (chain), GST_DEBUG_FUNCPTR (chain_list),
      GST_DEBUG_FUNCPTR (sink_event));
  self->rtcp = gst_rtp_cc_receiver_pads_rtcp (element, self->parent.driver,
      &gst_rtp_cc_fbra_feedback_funcs);
  self->heard = gst_rtp_cc_rtcp_pair_new (element, NULL, NULL, self->parent.driver, hear, NULL);
}

static void
gst_rtp_fbra_receiver_class_init (GstRtpFbraReceiverClass * klass)
{
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstRtpCcElementClass *base = GST_RTP_CC_ELEMENT_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = finalize;
  gst_rtp_cc_receiver_pads_install (element_class);
  element_class->request_new_pad = GST_DEBUG_FUNCPTR (request_new_pad);
  element_class->release_pad = GST_DEBUG_FUNCPTR (release_pad);
  base->settings = &gst_rtp_cc_fbra_receiver_settings;
  base->stats_name = "application/x-rtp-fbra-receiver-stats";
  base->stats = add_stats;
  base->adjust = adjust;
  base->changed = changed;
  base->stopped = forget;
  gst_rtp_cc_element_install (base, "What was received and reported");
  /**
   * GstRtpFbraReceiver::reset:
   *
   * Action signal: start over, as if no packet had come.
   */
  gst_rtp_cc_element_install_reset (base);

  for (guint i = 0; i < G_N_ELEMENTS (templates); i++)
    gst_element_class_add_static_pad_template (element_class, &templates[i]);
  gst_element_class_set_static_metadata (element_class, "FBRA receiver",
      "Filter/Network/RTP", "Reports what became of each packet by RTCP XR and "
      "drops what comes too late", "The gst-rtpcc maintainers");
}
