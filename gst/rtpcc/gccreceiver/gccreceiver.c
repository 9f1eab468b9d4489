/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-rtpgccreceiver
 * @title: rtpgccreceiver
 * @short_description: Estimates what the path can carry and tells the sender
 * @see_also: rtpgccsender
 *
 * The receiver's half of Google Congestion Control. RTP passes through sink and src; from the
 * growth of the delay between packets the element estimates the available bitrate. The session's
 * outgoing RTCP passes through rtcp_sink and rtcp_src. The estimate is appended to it, and sent
 * in compounds of our own in between. It goes at once when it has fallen by 3 %, else every
 * #GstRtpGccReceiver:feedback-interval. All that is within rtcp-fraction
 * (#GstRtpGccReceiver:tuning) of the bandwidth. Once a second a compound with REMB or TMMBR names
 * a packet, too (XR, RFC 7097). That shows the sender who receives what it sends. Everything else
 * passes unchanged, malformed packets too. Either pair of pads works without the other.
 *
 * ## Where it must stand
 *
 * On the network's side of rtpbin (or as its request-rtp-decoder): before recv_rtp_sink_N and
 * after any SRTP decryption. And behind send_rtcp_src_N, before SRTP encryption. That is before
 * and behind rtpbin at once. In one bin with it, GstBin warns of a loop, which only leaves the
 * order of state changes open. With rtcp_sink not linked there is none, and feedback has an SSRC
 * of its own.
 *
 * The timestamps of buffers are taken for the time of capture, as udpsrc and linksim
 * write it.  Where there is none, or one that is not within the last second of running
 * time, the clock is read.  Give udpsrc `socket-timestamp=realtime`: the kernel stamps
 * packets then.  Without it udpsrc does when it reads them, and on a busy machine its
 * lateness looks like a queue in the network.
 * What came before the pipeline's clock ran udpsrc then stamps with the clock's time in place of
 * the running time. Such first buffers of a segment are stamped anew: rtpjitterbuffer would wait
 * for them as long as the machine is up.
 *
 * The time at which a packet left is read from its abs-send-time extension where the caps have an
 * extmap field with `http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time`. Else it is read
 * from the RTP timestamp and the caps' clock-rate, which only tells frames apart.
 *
 * Bare caps, as behind DTLS-SRTP, do not matter. What they lack is asked of the session
 * (`request-pt-map`). An abs-send-time that nobody has named is found from the packets within a
 * second. Where packets have no time at all a warning says so once. Pads that are requested by
 * the names that rtpbin looks for (`rtp_sink`, `rtcp_sink_%u`) are sink and rtcp_sink, renamed.
 *
 * With #GstRtpGccReceiver:feedback-format `ccfb` (RFC 8888) arrivals are told and the
 * sender makes the estimate; #GstRtpGccReceiver:estimated-bitrate stays 0.
 *
 * #GstRtpGccReceiver:profile `rrtcc` is GCC as it was in 2012
 * (draft-alvestrand-rtcweb-congestion-02/-03), a baseline for comparisons. Its groups are frames,
 * and its threshold stands still. Its receivers sent TMMBR (#GstRtpGccReceiver:feedback-format);
 * both ends should have the same profile.
 *
 * ## Example launch line
 *
 * A call to oneself; the REMB comes back at port 5023, and the encoder follows it.
 * |[
 * gst-launch-1.0 -m rtpbin name=tx rtpbin name=rx \
 *   videotestsrc is-live=true ! x264enc tune=zerolatency ! rtpbitrateadapter \
 *   ! rtph264pay mtu=1200 ! rtpgccsender name=cc ! tx.send_rtp_sink_0 \
 *   tx.send_rtp_src_0 ! udpsink host=127.0.0.1 port=5021 \
 *   udpsrc port=5021 socket-timestamp=realtime \
 *   caps=application/x-rtp,media=video,encoding-name=H264,clock-rate=90000,payload=96 \
 *   ! rtpgccreceiver name=gcc ! rx.recv_rtp_sink_0 rx. ! rtph264depay ! avdec_h264 \
 *   ! fakesink async=false \
 *   tx.send_rtcp_src_0 ! udpsink host=127.0.0.1 port=5022 sync=false async=false \
 *   udpsrc port=5022 ! rx.recv_rtcp_sink_0 \
 *   rx.send_rtcp_src_0 ! gcc.rtcp_sink gcc.rtcp_src \
 *   ! udpsink host=127.0.0.1 port=5023 sync=false async=false \
 *   udpsrc port=5023 ! cc.rtcp_sink cc.rtcp_src ! tx.recv_rtcp_sink_0
 * ]|
 */
#include "rtpcc/common/element.h"
#include "rtpcc/common/elements.h"
#include "rtpcc/common/pads.h"
#include "rtpcc/common/receiverpads.h"
#include "rtpcc/common/session.h"
#include "rtpcc/common/utils.h"
#include "rtpcc/gccreceiver/settings.h"

GST_DEBUG_CATEGORY_STATIC (gst_rtp_gcc_receiver_debug);
#define GST_CAT_DEFAULT gst_rtp_gcc_receiver_debug

#define GST_TYPE_RTP_GCC_RECEIVER (gst_rtp_gcc_receiver_get_type ())
G_DECLARE_FINAL_TYPE (GstRtpGccReceiver, gst_rtp_gcc_receiver, GST,
    RTP_GCC_RECEIVER, GstRtpCcElement);

struct _GstRtpGccReceiver
{
  GstRtpCcElement parent;

  GstPad *srcpad;
  GstRtpCcRtcpPath *rtcp;
  GstRtpCcFeedback *feedback;   /* the driver's lock */
  gint asks;                    /* atomic: for so many packets, caps that say more */
  gboolean complained;          /* streaming thread: of packets without a time */
  struct
  {                             /* from act() to apply() */
    const gchar *state, *usage;
    gboolean due, turned;
  } said;
};

#define ASK_EACH 64             /* packets, the first included */
#define ASK_PACKETS (100 * ASK_EACH)

G_DEFINE_TYPE_WITH_CODE (GstRtpGccReceiver, gst_rtp_gcc_receiver,
    GST_TYPE_RTP_CC_ELEMENT,
    GST_DEBUG_CATEGORY_INIT (gst_rtp_gcc_receiver_debug, "rtpgccreceiver", 0,
        "GCC receiver"));
GST_ELEMENT_REGISTER_DEFINE (rtpgccreceiver, "rtpgccreceiver", GST_RANK_NONE,
    GST_TYPE_RTP_GCC_RECEIVER);

/* --- settings and the driver ---------------------------------------------- */

GST_RTP_CC_DEFINE_GET_SETTINGS (GstRtpCcReceiverSettings)
     static GstRtpCcFeedbackConfig get_config (gpointer self)
{
  const GstRtpCcReceiverSettings settings = get_settings (self);

  return gst_rtp_cc_receiver_settings_config (&settings);
}

static RccUpdate
driver_init (GstElement * element, RccTime now)
{
  GstRtpGccReceiver *self = GST_RTP_GCC_RECEIVER (element);
  const GstRtpCcFeedbackConfig config = get_config (self);

  gst_rtp_cc_feedback_init (self->feedback, &config);
  return gst_rtp_cc_feedback_update (self->feedback, "reset");
}

static RccUpdate
adjust (GstRtpCcElement * element, RccTime now)
{
  GstRtpGccReceiver *self = GST_RTP_GCC_RECEIVER (element);
  const GstRtpCcFeedbackConfig config = get_config (self);

  gst_rtp_cc_feedback_adjust (self->feedback, &config);
  return gst_rtp_cc_feedback_update (self->feedback, "limits");
}

static void
post_state (GstRtpGccReceiver * self, guint bps)
{
  if (!get_settings (self).post_messages)
    return;
  gst_element_post_message (GST_ELEMENT (self),
      gst_message_new_element (GST_OBJECT (self),
          gst_structure_new ("GstRtpGccReceiver", "state", G_TYPE_STRING,
              self->said.state, "usage", G_TYPE_STRING, self->said.usage,
              "estimated-bitrate", G_TYPE_UINT, bps, NULL)));
}

static void
act (GstElement * element, const RccUpdate * update, RccTime now)
{
  GstRtpGccReceiver *self = GST_RTP_GCC_RECEIVER (element);
  GstRtpCcFeedback *f = self->feedback;

  self->said.due = f->due;
  self->said.turned = f->turned;
  f->turned = FALSE;
  self->said.state = f->gcc.delay.state;
  self->said.usage = f->gcc.delay.usage;
}

/* On whichever thread made the update: often the RTP streaming thread or the system clock's. So
 * pushing, which may block, is the RTCP pad's own task. */
static void
apply (GstElement * element, const RccUpdate * update)
{
  GstRtpGccReceiver *self = GST_RTP_GCC_RECEIVER (element);

  gst_rtp_cc_element_set_estimate (&self->parent, update->target_bps);
  if (self->said.turned)
    post_state (self, update->target_bps);
  if (self->said.due)
    gst_rtp_cc_rtcp_path_wake (self->rtcp);
}

static const GstRtpCcDriverFuncs driver_funcs = { driver_init, act, apply };

/* --- RTP ------------------------------------------------------------------ */

/* Updates only where the rate controller turns: the rest is told with the feedback. */
static void
leave (GstRtpGccReceiver * self)
{
  RccUpdate update;

  if (G_LIKELY (!self->feedback->turned)) {
    gst_rtp_cc_driver_leave (self->parent.driver, NULL);
    return;
  }
  update = gst_rtp_cc_feedback_update (self->feedback,
      self->feedback->gcc.delay.state);
  gst_rtp_cc_driver_leave (self->parent.driver, &update);
}

static void
take_caps (GstRtpGccReceiver * self, const GstCaps * caps)
{
  RccTime now;

  if (!gst_rtp_cc_driver_enter (self->parent.driver, &now))
    return;
  gst_rtp_cc_feedback_caps (self->feedback, caps);
  gst_rtp_cc_driver_leave (self->parent.driver, NULL);
}

/* Behind DTLS-SRTP caps are bare; the session may know more of the payload type. To ask may run
 * the application's code: nothing is locked. */
static void
ask_session (GstRtpGccReceiver * self, GstBuffer * buffer)
{
  GstElement *session;
  GstCaps *caps = NULL;
  guint8 pt;

  if (!g_atomic_int_dec_and_test (&self->asks)
      && g_atomic_int_get (&self->asks) % ASK_EACH != ASK_EACH - 1)
    return;
  if (!buffer || gst_buffer_extract (buffer, 1, &pt, 1) != 1
      || !(session = gst_rtp_cc_session_find (self->srcpad, "recv_rtp_sink")))
    return;
  g_signal_emit_by_name (session, "request-pt-map", (guint) (pt & 0x7f), &caps);
  if (caps) {
    take_caps (self, caps);
    g_atomic_int_set (&self->asks, 0);
    gst_caps_unref (caps);
  }
  gst_object_unref (session);
}

static void
say_blind (GstRtpGccReceiver * self)
{
  gboolean blind;

  gst_rtp_cc_driver_lock (self->parent.driver);
  blind = gst_rtp_cc_feedback_is_blind (self->feedback);
  gst_rtp_cc_driver_unlock (self->parent.driver);
  if (!blind)
    return;
  self->complained = TRUE;
  GST_ELEMENT_WARNING (self, STREAM, FORMAT,
      ("No estimate can be made: packets have no "
          "abs-send-time, and their clock rate is not known. Let the sender write that header "
          "extension, or give %s caps with clock-rate.",
          GST_OBJECT_NAME (self)), (NULL));
}

/* Before a packet is taken in, until there is nothing more to find out. */
static void
look_around (GstRtpGccReceiver * self, GstBuffer * buffer)
{
  if (G_UNLIKELY (g_atomic_int_get (&self->asks) > 0)) {
    ask_session (self, buffer);
    if (!self->complained)
      say_blind (self);
  }
}

static GstFlowReturn
chain (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  GstRtpGccReceiver *self = (GstRtpGccReceiver *) parent;
  RccTime now;

  look_around (self, buffer);
  if (gst_rtp_cc_driver_enter (self->parent.driver, &now)) {
    gst_rtp_cc_feedback_rtp (self->feedback, buffer, now);
    leave (self);
  }
  return gst_pad_push (self->srcpad, buffer);
}

static GstFlowReturn
chain_list (GstPad * pad, GstObject * parent, GstBufferList * list)
{
  GstRtpGccReceiver *self = (GstRtpGccReceiver *) parent;
  RccTime now;

  look_around (self, gst_buffer_list_length (list) > 0
      ? gst_buffer_list_get (list, 0) : NULL);
  if (gst_rtp_cc_driver_enter (self->parent.driver, &now)) {
    for (guint i = 0, n = gst_buffer_list_length (list); i < n; i++)
      gst_rtp_cc_feedback_rtp (self->feedback, gst_buffer_list_get (list, i),
          now);
    leave (self);
  }
  return gst_pad_push_list (self->srcpad, list);
}

static gboolean
tells_time (const GstCaps * caps)
{
  return gst_structure_has_field (gst_caps_get_structure (caps, 0),
      "clock-rate") || gst_rtp_cc_extension_id (caps, RCC_ABS_SEND_TIME_URI);
}

static gboolean
sink_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  GstRtpGccReceiver *self = GST_RTP_GCC_RECEIVER (parent);
  GstCaps *caps;

  if (GST_EVENT_TYPE (event) == GST_EVENT_CAPS) {
    gst_event_parse_caps (event, &caps);
    take_caps (self, caps);
    g_atomic_int_set (&self->asks, tells_time (caps) ? 0 : ASK_PACKETS);
  }
  gst_rtp_cc_arrival_event (&self->feedback->arrival, pad, event);
  return gst_pad_event_default (pad, parent, event);
}

/* --- the element ---------------------------------------------------------- */

/* With the driver stopped: it knows nothing. */
static void
forget (GstRtpGccReceiver * self)
{
  GstElement *element = GST_ELEMENT (self);

  gst_rtp_cc_driver_lock (self->parent.driver);
  gst_rtp_cc_feedback_clear (self->feedback, element);
  driver_init (element, 0);
  gst_rtp_cc_driver_unlock (self->parent.driver);
}

static void
stopped (GstRtpCcElement * element)
{
  forget (GST_RTP_GCC_RECEIVER (element));
  GST_RTP_GCC_RECEIVER (element)->complained = FALSE;
  gst_rtp_cc_element_set_estimate (element, 0);
}

static void
add_stats (GstRtpCcElement * element, GstStructure * stats, GstClockTime now)
{
  gst_rtp_cc_feedback_stats (GST_RTP_GCC_RECEIVER (element)->feedback, stats);
}

/* What it is now, which is notified when feedback is due. */
static gboolean
get (GstRtpCcElement * element, guint id, GValue * value)
{
  if (id != GST_RTP_CC_PROP_ESTIMATE)
    return FALSE;
  gst_rtp_cc_driver_lock (element->driver);
  g_value_set_uint (value, gst_rtp_cc_feedback_bitrate (GST_RTP_GCC_RECEIVER
          (element)->feedback));
  gst_rtp_cc_driver_unlock (element->driver);
  return TRUE;
}

static void
finalize (GObject * object)
{
  GstRtpGccReceiver *self = GST_RTP_GCC_RECEIVER (object);

  gst_rtp_cc_driver_stop (self->parent.driver);
  gst_rtp_cc_rtcp_path_free (self->rtcp);
  gst_rtp_cc_feedback_free (self->feedback);
  G_OBJECT_CLASS (gst_rtp_gcc_receiver_parent_class)->finalize (object);
}

static void
gst_rtp_gcc_receiver_init (GstRtpGccReceiver * self)
{
  GstElement *element = GST_ELEMENT (self);

  gst_rtp_cc_element_init_settings (&self->parent);
  self->feedback = g_new0 (GstRtpCcFeedback, 1);
  self->parent.driver =
      gst_rtp_cc_driver_new (element, &self->feedback->sender, &driver_funcs);
  forget (self);

  self->srcpad = gst_rtp_cc_receiver_pads_rtp (element,
      GST_DEBUG_FUNCPTR (chain), GST_DEBUG_FUNCPTR (chain_list),
      GST_DEBUG_FUNCPTR (sink_event));
  self->rtcp = gst_rtp_cc_receiver_pads_rtcp (element, self->parent.driver,
      &gst_rtp_cc_feedback_funcs);
}

static void
gst_rtp_gcc_receiver_class_init (GstRtpGccReceiverClass * klass)
{
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstRtpCcElementClass *base = GST_RTP_CC_ELEMENT_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = finalize;
  gst_rtp_cc_receiver_pads_install (element_class);
  base->settings = &gst_rtp_cc_receiver_settings;
  base->stats_name = "application/x-rtp-gcc-receiver-stats";
  base->stats = add_stats;
  base->adjust = adjust;
  base->get = get;
  base->stopped = stopped;
  gst_rtp_cc_element_install (base,
      "What was received, estimated and reported");
  /**
   * GstRtpGccReceiver:estimated-bitrate:
   *
   * What the path can carry, in bit/s of RTP packets; 0: no estimate yet.  Notifies
   * when feedback is due and when the estimate starts to fall.
   */
  gst_rtp_cc_element_install_estimate (base,
      "What the path can carry in bit/s (0: not known yet)", 0);
  /**
   * GstRtpGccReceiver::reset:
   *
   * Action signal: start over from start-bitrate, as if no packet had come, with the
   * settings that need READY taking effect too.
   */
  gst_rtp_cc_element_install_reset (base);

  gst_element_class_set_static_metadata (element_class, "GCC receiver",
      "Filter/Network/RTP", "Estimates the available bitrate from the packets' "
      "arrival and tells the sender by RTCP", "The gst-rtpcc maintainers");
}
