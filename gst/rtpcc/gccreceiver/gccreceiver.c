/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-rtpgccreceiver
 * @title: rtpgccreceiver
 * @short_description: Estimates what the path can carry and tells the sender
 * @see_also: rtpgccsender
 *
 * The receiver's half of Google Congestion Control.  RTP passes through
 * sink and src; from the growth of the delay between packets the element
 * estimates the available bitrate.  The session's outgoing RTCP passes through
 * rtcp_sink and rtcp_src; the estimate is appended to it, and sent in compounds of
 * our own in between: at once when it has fallen by 3 %, else every
 * #GstRtpGccReceiver:feedback-interval, within #GstRtpGccReceiver:rtcp-fraction of
 * the bandwidth.  Everything else passes unchanged, malformed packets too.  Either
 * pair of pads works without the other.
 *
 * ## Where it must stand
 *
 * On the network's side of rtpbin (or as its request-rtp-decoder): before
 * recv_rtp_sink_N and after any SRTP decryption, and behind send_rtcp_src_N, before
 * SRTP encryption.  That is before and behind rtpbin at once: in one bin with it,
 * GstBin warns of a loop, which only leaves the order of state changes open.  With
 * rtcp_sink not linked there is none, and feedback has an SSRC of its own.
 *
 * The timestamps of buffers are taken for the time of capture, as udpsrc and linksim
 * write it.  Where there is none, or one that is not within the last second of running
 * time, the clock is read.  Give udpsrc `socket-timestamp=realtime`: the kernel stamps
 * packets then.  Without it udpsrc does when it reads them, and on a busy machine its
 * lateness looks like a queue in the network.
 *
 * The time at which a packet left is read from its abs-send-time extension where
 * the caps have an extmap field with
 * `http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time`, else from the RTP
 * timestamp and the caps' clock-rate, which only tells frames apart.
 *
 * With #GstRtpGccReceiver:feedback-format `ccfb` (RFC 8888) arrivals are told and the
 * sender makes the estimate; #GstRtpGccReceiver:estimated-bitrate stays 0.
 *
 * #GstRtpGccReceiver:profile `rrtcc` is GCC as it was in 2012
 * (draft-alvestrand-rtcweb-congestion-02/-03), a baseline for comparisons: frames are the
 * groups, and the threshold stands still. Its receivers sent TMMBR
 * (#GstRtpGccReceiver:feedback-format); both ends should have the same profile.
 *
 * ## Example launch line
 *
 * A call to oneself; the REMB comes back at port 5023, and the encoder follows it.
 * |[
 * gst-launch-1.0 -m rtpbin name=tx rtpbin name=rx \
 *   videotestsrc is-live=true ! x264enc tune=zerolatency ! rtpbitrateadapter \
 *   ! rtph264pay mtu=1200 ! rtpgccsender name=cc ! tx.send_rtp_sink_0 \
 *   tx.send_rtp_src_0 ! udpsink host=127.0.0.1 port=5021 \
 *   udpsrc port=5021 socket-timestamp=realtime caps=application/x-rtp,media=video,encoding-name=H264,clock-rate=90000,payload=96 \
 *   ! rtpgccreceiver name=gcc ! rx.recv_rtp_sink_0 rx. ! rtph264depay ! avdec_h264 \
 *   ! fakesink async=false \
 *   tx.send_rtcp_src_0 ! udpsink host=127.0.0.1 port=5022 sync=false async=false \
 *   udpsrc port=5022 ! rx.recv_rtcp_sink_0 \
 *   rx.send_rtcp_src_0 ! gcc.rtcp_sink gcc.rtcp_src ! udpsink host=127.0.0.1 port=5023 sync=false async=false \
 *   udpsrc port=5023 ! cc.rtcp_sink cc.rtcp_src ! tx.recv_rtcp_sink_0
 * ]|
 */
#include "rtpcc/gccreceiver/gccreceiver.h"

#include "rtpcc/common/driver.h"
#include "rtpcc/common/pads.h"
#include "rtpcc/common/rtcppath.h"
#include "rtpcc/common/utils.h"
#include "rtpcc/gccreceiver/settings.h"

GST_DEBUG_CATEGORY_STATIC (gst_rtp_gcc_receiver_debug);
#define GST_CAT_DEFAULT gst_rtp_gcc_receiver_debug

enum
{
  PROP_ESTIMATED_BITRATE = GST_RTP_CC_PROPS,
  PROP_STATS,
};

static GParamSpec *estimated_bitrate;   /* for its notify */

struct _GstRtpGccReceiver
{
  GstElement parent;

  GstPad *sinkpad, *srcpad;
  GstRtpCcRtcpPath *rtcp;

  GstRtpCcDriver *driver;
  GstRtpCcFeedback *feedback;   /* the driver's lock */
  GstRtpCcReceiverSettings settings;    /* object lock */
  guint notified_bps;           /* apply()'s */
};

static GstStaticPadTemplate sink_template =
GST_RTP_CC_RTP_TEMPLATE ("sink", GST_PAD_SINK, GST_PAD_ALWAYS);
static GstStaticPadTemplate src_template =
GST_RTP_CC_RTP_TEMPLATE ("src", GST_PAD_SRC, GST_PAD_ALWAYS);
static GstStaticPadTemplate rtcp_sink_template =
GST_RTP_CC_RTCP_TEMPLATE ("rtcp_sink", GST_PAD_SINK, GST_PAD_ALWAYS);
static GstStaticPadTemplate rtcp_src_template =
GST_RTP_CC_RTCP_TEMPLATE ("rtcp_src", GST_PAD_SRC, GST_PAD_ALWAYS);

G_DEFINE_TYPE_WITH_CODE (GstRtpGccReceiver, gst_rtp_gcc_receiver,
    GST_TYPE_ELEMENT, GST_DEBUG_CATEGORY_INIT (gst_rtp_gcc_receiver_debug,
        "rtpgccreceiver", 0, "GCC receiver"));
GST_ELEMENT_REGISTER_DEFINE (rtpgccreceiver, "rtpgccreceiver", GST_RANK_NONE,
    GST_TYPE_RTP_GCC_RECEIVER);

/* *** settings and the driver *** */

static GstRtpCcFeedbackConfig
get_config (GstRtpGccReceiver * self)
{
  GstRtpCcReceiverSettings settings;

  GST_OBJECT_LOCK (self);
  settings = self->settings;
  GST_OBJECT_UNLOCK (self);
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
adjust_call (RccSender * sender, RccTime now, gpointer user_data)
{
  GstRtpGccReceiver *self = user_data;
  const GstRtpCcFeedbackConfig config = get_config (self);

  gst_rtp_cc_feedback_adjust (self->feedback, &config);
  return gst_rtp_cc_feedback_update (self->feedback, "limits");
}

static void
post_state (GstRtpGccReceiver * self, const gchar * state, const gchar * usage,
    guint bps)
{
  GstStructure *s;
  gboolean wanted;

  GST_OBJECT_LOCK (self);
  wanted = self->settings.post_messages;
  GST_OBJECT_UNLOCK (self);
  if (!wanted)
    return;
  s = gst_structure_new ("GstRtpGccReceiver", "state", G_TYPE_STRING, state,
      "usage", G_TYPE_STRING, usage, "estimated-bitrate", G_TYPE_UINT, bps,
      NULL);
  gst_element_post_message (GST_ELEMENT (self),
      gst_message_new_element (GST_OBJECT (self), s));
}

/* On whichever thread made the update: often the RTP streaming thread or the system
 * clock's, so pushing, which may block, is the RTCP pad's own task. */
static void
driver_apply (GstElement * element, const RccUpdate * update)
{
  GstRtpGccReceiver *self = GST_RTP_GCC_RECEIVER (element);
  GstRtpCcFeedback *f = self->feedback;
  const gchar *state, *usage;
  gboolean due, turned;

  gst_rtp_cc_driver_lock (self->driver);
  due = f->due;
  turned = f->turned;
  f->turned = FALSE;
  state = f->gcc.delay.state;
  usage = f->gcc.delay.usage;
  gst_rtp_cc_driver_unlock (self->driver);

  if (update->target_bps != self->notified_bps) {
    self->notified_bps = update->target_bps;
    g_object_notify_by_pspec (G_OBJECT (self), estimated_bitrate);
  }
  if (turned)
    post_state (self, state, usage, update->target_bps);
  if (due)
    gst_rtp_cc_rtcp_path_wake (self->rtcp);
}

static const GstRtpCcDriverFuncs driver_funcs = { driver_init, driver_apply };

/* *** RTP *** */

typedef struct
{
  GstRtpGccReceiver *self;
  GstBuffer *buffer;            /* or a list */
  GstBufferList *list;
} Received;

/* Updates only where the rate controller turns: the rest is told with the feedback. */
static RccUpdate
received_call (RccSender * sender, RccTime now, gpointer user_data)
{
  const Received *r = user_data;
  GstRtpCcFeedback *f = r->self->feedback;

  if (r->buffer)
    gst_rtp_cc_feedback_rtp (f, r->buffer, now);
  else
    for (guint i = 0, n = gst_buffer_list_length (r->list); i < n; i++)
      gst_rtp_cc_feedback_rtp (f, gst_buffer_list_get (r->list, i), now);
  if (!f->turned)
    return (RccUpdate) {
    0};
  return gst_rtp_cc_feedback_update (f, f->gcc.delay.state);
}

static GstFlowReturn
chain (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  GstRtpGccReceiver *self = (GstRtpGccReceiver *) parent;

  gst_rtp_cc_driver_call (self->driver, received_call, &(Received) {
      self, buffer, NULL});
  return gst_pad_push (self->srcpad, buffer);
}

static GstFlowReturn
chain_list (GstPad * pad, GstObject * parent, GstBufferList * list)
{
  GstRtpGccReceiver *self = (GstRtpGccReceiver *) parent;

  gst_rtp_cc_driver_call (self->driver, received_call, &(Received) {
      self, NULL, list});
  return gst_pad_push_list (self->srcpad, list);
}

static RccUpdate
caps_call (RccSender * sender, RccTime now, gpointer user_data)
{
  gst_rtp_cc_feedback_caps ((GstRtpCcFeedback *) sender, user_data);
  return (RccUpdate) {
  0};
}

static gboolean
sink_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  GstRtpGccReceiver *self = GST_RTP_GCC_RECEIVER (parent);
  GstCaps *caps;

  if (GST_EVENT_TYPE (event) == GST_EVENT_CAPS) {
    gst_event_parse_caps (event, &caps);
    gst_rtp_cc_driver_call (self->driver, caps_call, caps);
  }
  gst_rtp_cc_arrival_event (&self->feedback->arrival, event);
  return gst_pad_event_default (pad, parent, event);
}

/* *** element *** */

/* A stopped receiver knows nothing. */
static void
forget (GstRtpGccReceiver * self)
{
  gst_rtp_cc_driver_lock (self->driver);
  gst_rtp_cc_feedback_clear (self->feedback, GST_ELEMENT (self));
  driver_init (GST_ELEMENT (self), 0);
  gst_rtp_cc_driver_unlock (self->driver);
}

static GstStateChangeReturn
change_state (GstElement * element, GstStateChange transition)
{
  GstRtpGccReceiver *self = GST_RTP_GCC_RECEIVER (element);
  GstStateChangeReturn ret;

  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED)
    gst_rtp_cc_driver_start (self->driver);
  else if (transition == GST_STATE_CHANGE_PAUSED_TO_READY)
    gst_rtp_cc_driver_stop (self->driver);

  ret = GST_ELEMENT_CLASS (gst_rtp_gcc_receiver_parent_class)->change_state
      (element, transition);

  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY) {
    forget (self);
    driver_apply (element, &(RccUpdate) {
        .changed = RCC_TARGET}
    );
  } else if (transition == GST_STATE_CHANGE_READY_TO_PAUSED
      && ret == GST_STATE_CHANGE_FAILURE) {
    gst_rtp_cc_driver_stop (self->driver);
  }
  return ret;
}

static gboolean
set_clock (GstElement * element, GstClock * clock)
{
  gst_rtp_cc_driver_set_clock (GST_RTP_GCC_RECEIVER (element)->driver, clock);
  return
      GST_ELEMENT_CLASS (gst_rtp_gcc_receiver_parent_class)->set_clock (element,
      clock);
}

static void
reset (GstRtpGccReceiver * self)
{
  gst_rtp_cc_driver_reset (self->driver);
}

static void
set_property (GObject * object, guint id, const GValue * value,
    GParamSpec * pspec)
{
  GstRtpGccReceiver *self = GST_RTP_GCC_RECEIVER (object);
  gboolean known;

  GST_OBJECT_LOCK (self);
  known = gst_rtp_cc_settings_set (&gst_rtp_cc_receiver_settings,
      &self->settings, id, value);
  GST_OBJECT_UNLOCK (self);
  if (known)
    gst_rtp_cc_driver_call (self->driver, adjust_call, self);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
get_property (GObject * object, guint id, GValue * value, GParamSpec * pspec)
{
  GstRtpGccReceiver *self = GST_RTP_GCC_RECEIVER (object);
  GstRtpCcReceiverSettings settings;

  if (id == PROP_ESTIMATED_BITRATE) {
    gst_rtp_cc_driver_lock (self->driver);
    g_value_set_uint (value, gst_rtp_cc_feedback_bitrate (self->feedback));
    gst_rtp_cc_driver_unlock (self->driver);
  } else if (id == PROP_STATS) {
    gst_rtp_cc_driver_lock (self->driver);
    g_value_take_boxed (value, gst_rtp_cc_feedback_stats (self->feedback,
            "application/x-rtp-gcc-receiver-stats"));
    gst_rtp_cc_driver_unlock (self->driver);
  } else {
    GST_OBJECT_LOCK (self);
    settings = self->settings;
    GST_OBJECT_UNLOCK (self);
    if (!gst_rtp_cc_settings_get (&gst_rtp_cc_receiver_settings,
            &settings, id, value))
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
}

static void
finalize (GObject * object)
{
  GstRtpGccReceiver *self = GST_RTP_GCC_RECEIVER (object);

  gst_rtp_cc_driver_free (self->driver);
  gst_rtp_cc_rtcp_path_free (self->rtcp);
  gst_rtp_cc_feedback_free (self->feedback);
  G_OBJECT_CLASS (gst_rtp_gcc_receiver_parent_class)->finalize (object);
}

static void
gst_rtp_gcc_receiver_init (GstRtpGccReceiver * self)
{
  GstElement *element = GST_ELEMENT (self);

  gst_rtp_cc_receiver_settings_init (&self->settings);
  self->feedback = g_new0 (GstRtpCcFeedback, 1);
  self->driver = gst_rtp_cc_driver_new (GST_ELEMENT (self),
      &self->feedback->sender, &driver_funcs);
  forget (self);

  self->sinkpad = gst_pad_new_from_static_template (&sink_template, "sink");
  gst_pad_set_chain_function (self->sinkpad, GST_DEBUG_FUNCPTR (chain));
  gst_pad_set_chain_list_function (self->sinkpad,
      GST_DEBUG_FUNCPTR (chain_list));
  gst_pad_set_event_function (self->sinkpad, GST_DEBUG_FUNCPTR (sink_event));
  self->srcpad = gst_pad_new_from_static_template (&src_template, "src");
  GST_PAD_SET_PROXY_CAPS (self->srcpad);
  gst_rtp_cc_add_pad_pair (element, self->sinkpad, self->srcpad);

  self->rtcp = gst_rtp_cc_rtcp_path_new (element,
      gst_pad_new_from_static_template (&rtcp_sink_template, "rtcp_sink"),
      gst_pad_new_from_static_template (&rtcp_src_template, "rtcp_src"),
      self->driver, &gst_rtp_cc_feedback_funcs);
}

static void
gst_rtp_gcc_receiver_class_init (GstRtpGccReceiverClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  object_class->set_property = set_property;
  object_class->get_property = get_property;
  object_class->finalize = finalize;
  element_class->change_state = GST_DEBUG_FUNCPTR (change_state);
  element_class->set_clock = GST_DEBUG_FUNCPTR (set_clock);

  gst_rtp_cc_settings_install (&gst_rtp_cc_receiver_settings, object_class);
  /**
   * GstRtpGccReceiver:estimated-bitrate:
   *
   * What the path can carry, in bit/s of RTP packets; 0: no estimate yet.  Notifies
   * when feedback is due and when the estimate starts to fall.
   */
  estimated_bitrate = g_param_spec_uint ("estimated-bitrate",
      "Estimated bitrate",
      "What the path can carry in bit/s (0: not known yet)", 0, G_MAXUINT, 0,
      G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);
  g_object_class_install_property (object_class, PROP_ESTIMATED_BITRATE,
      estimated_bitrate);
  /**
   * GstRtpGccReceiver:stats:
   *
   * application/x-rtp-gcc-receiver-stats: estimated-bitrate, reported-bitrate,
   * delay-target-bitrate, received-bitrate (guint, bit/s); packets-received,
   * bytes-received, feedback-count, early-feedback-count, groups (guint64);
   * delay-variation, gradient, trend, threshold (gdouble, ms); queuing-delay
   * (guint64, ns); usage, state, send-time (strings); rtp-malformed, rtcp-truncated
   * (bytes), feedback-appended, feedback-composed, feedback-refused (guint64).
   */
  g_object_class_install_property (object_class, PROP_STATS,
      g_param_spec_boxed ("stats", "Statistics",
          "What was received, estimated and reported", GST_TYPE_STRUCTURE,
          G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));

  /**
   * GstRtpGccReceiver::reset:
   *
   * Action signal: start over from start-bitrate, as if no packet had come, with the
   * settings that need READY taking effect too.
   */
  g_signal_new_class_handler ("reset", G_TYPE_FROM_CLASS (klass),
      G_SIGNAL_RUN_LAST | G_SIGNAL_ACTION, G_CALLBACK (reset), NULL, NULL, NULL,
      G_TYPE_NONE, 0);

  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_add_static_pad_template (element_class,
      &rtcp_sink_template);
  gst_element_class_add_static_pad_template (element_class, &rtcp_src_template);
  gst_element_class_set_static_metadata (element_class, "GCC receiver",
      "Filter/Network/RTP", "Estimates the available bitrate from the packets' "
      "arrival and tells the sender by RTCP", "gst-rtpcc");
}
