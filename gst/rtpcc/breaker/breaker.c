/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What it does is described in notifier.c, beside the messages. */
#include "rtpcc/breaker/breaker.h"

#include "rtpcc/breaker/monitor.h"
#include "rtpcc/common/pads.h"
#include "rtpcc/common/session.h"
#include "rtpcc/common/utils.h"

GST_DEBUG_CATEGORY (gst_rtp_circuit_breaker_debug);
#define GST_CAT_DEFAULT gst_rtp_circuit_breaker_debug

enum
{
  PROP_STATE = GST_RTP_CC_PROP_OWN,
};

static GParamSpec *prop_state;  /* for its notify */

/* The ways of RTP: the one that is always there, and the requested one. */
enum
{
  PATH_STATIC,
  PATH_REQUESTED,
};

struct _GstRtpCircuitBreaker
{
  GstRtpCcElement parent;

  GstRtpCcBreakerMonitor monitor;
  GstPad *rtcp_sink;            /* borrowed */
  GstPad *requested_sink;       /* of the second way of RTP; object lock */
  GstPad *out_sink;             /* requested: outgoing RTCP; object lock */
};

static GstStaticPadTemplate templates[] = {
  GST_RTP_CC_RTP_TEMPLATE ("sink", GST_PAD_SINK, GST_PAD_ALWAYS),
  GST_RTP_CC_RTP_TEMPLATE ("src", GST_PAD_SRC, GST_PAD_ALWAYS),
  GST_RTP_CC_RTCP_TEMPLATE ("rtcp_sink", GST_PAD_SINK, GST_PAD_ALWAYS),
  GST_RTP_CC_RTCP_TEMPLATE ("rtcp_src", GST_PAD_SRC, GST_PAD_ALWAYS),
  GST_RTP_CC_RTP_TEMPLATE ("rtp_sink_%u", GST_PAD_SINK, GST_PAD_REQUEST),
  GST_RTP_CC_RTP_TEMPLATE ("rtp_src_%u", GST_PAD_SRC, GST_PAD_SOMETIMES),
  GST_RTP_CC_RTCP_TEMPLATE ("send_rtcp_sink", GST_PAD_SINK, GST_PAD_REQUEST),
  GST_RTP_CC_RTCP_TEMPLATE ("send_rtcp_src", GST_PAD_SRC, GST_PAD_SOMETIMES),
  GST_RTP_CC_RTCP_TEMPLATE ("rtcp_sink_%u", GST_PAD_SINK, GST_PAD_REQUEST),
  GST_RTP_CC_RTCP_TEMPLATE ("rtcp_src_%u", GST_PAD_SRC, GST_PAD_SOMETIMES),
};

G_DEFINE_TYPE_WITH_CODE (GstRtpCircuitBreaker, gst_rtp_circuit_breaker,
    GST_TYPE_RTP_CC_ELEMENT,
    GST_DEBUG_CATEGORY_INIT (gst_rtp_circuit_breaker_debug,
        "rtpcircuitbreaker", 0, "RTP circuit breaker"));
GST_ELEMENT_REGISTER_DEFINE (rtpcircuitbreaker, "rtpcircuitbreaker",
    GST_RANK_NONE, GST_TYPE_RTP_CIRCUIT_BREAKER);

static RccUpdate
begin (GstElement * element, RccTime now)
{
  return
      gst_rtp_cc_breaker_monitor_begin (&GST_RTP_CIRCUIT_BREAKER
      (element)->monitor, now);
}

static void
apply (GstElement * element, const RccUpdate * update)
{
  gst_rtp_cc_breaker_monitor_apply (&GST_RTP_CIRCUIT_BREAKER (element)->monitor,
      update);
}

static const GstRtpCcDriverFuncs driver_funcs = { begin, NULL, apply };

/* --- RTP ------------------------------------------------------------------ */

static GstFlowReturn
refuse (GstRtpCircuitBreaker * self, GstPad * src, gboolean over)
{
  if (!over)
    return GST_FLOW_OK;
  switch (gst_rtp_cc_breaker_monitor_action (&self->monitor)) {
    case GST_RTP_CIRCUIT_BREAKER_EOS:
      if (!GST_PAD_IS_EOS (src))
        gst_pad_push_event (src, gst_event_new_eos ());
      return GST_FLOW_EOS;
    case GST_RTP_CIRCUIT_BREAKER_ERROR:
      gst_rtp_cc_breaker_monitor_complain (&self->monitor);
      return GST_FLOW_ERROR;
    default:
      return GST_FLOW_OK;
  }
}

/* Of an RTP path, without a look-up. */
static GstPad *
source_of (GstPad * sink)
{
  return gst_pad_get_element_private (sink);
}

static GstFlowReturn
chain (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  GstRtpCircuitBreaker *self = (GstRtpCircuitBreaker *) parent; /* per packet: unchecked */
  gboolean over;

  if (G_LIKELY (gst_rtp_cc_breaker_monitor_buffer (&self->monitor, buffer,
              &over)))
    return gst_pad_push (source_of (pad), buffer);
  gst_buffer_unref (buffer);
  return refuse (self, source_of (pad), over);
}

static GstFlowReturn
chain_list (GstPad * pad, GstObject * parent, GstBufferList * list)
{
  GstRtpCircuitBreaker *self = (GstRtpCircuitBreaker *) parent;
  gboolean over;

  if (G_LIKELY (gst_rtp_cc_breaker_monitor_list (&self->monitor, &list, &over)))
    return gst_pad_push_list (source_of (pad), list);
  gst_buffer_list_unref (list);
  return refuse (self, source_of (pad), over);
}

/* With rtcp_sink not linked, what comes to the session we stand beside. */
static void
hear_session (GstElement * element, GstBuffer * compound)
{
  GstRtpCircuitBreaker *self = GST_RTP_CIRCUIT_BREAKER (element);

  if (!gst_pad_is_linked (self->rtcp_sink))
    gst_rtp_cc_breaker_monitor_rtcp (&self->monitor, compound, FALSE);
}

static gboolean
sink_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  GstRtpCcBreakerMonitor *monitor = &GST_RTP_CIRCUIT_BREAKER (parent)->monitor;
  GstCaps *caps;
  gint rate = 0;

  if (GST_EVENT_TYPE (event) == GST_EVENT_CAPS) {
    gst_event_parse_caps (event, &caps);
    gst_structure_get_int (gst_caps_get_structure (caps, 0), "clock-rate",
        &rate);
    gst_rtp_cc_breaker_monitor_set_clock_rate (monitor, rate);
  } else if (GST_EVENT_TYPE (event) == GST_EVENT_SEGMENT) {
    gst_rtp_cc_session_listen (GST_ELEMENT (parent), pad, source_of (pad),
        hear_session);
  } else if (GST_EVENT_TYPE (event) == GST_EVENT_EOS) {
    gst_rtp_cc_breaker_monitor_ended (monitor);
  }
  return gst_pad_event_default (pad, parent, event);
}

static gboolean
src_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  GstRtpCcTargetAggregator *aggregator = gst_pad_get_element_private (pad);

  return gst_rtp_cc_target_aggregator_event (aggregator, event)
      || gst_pad_event_default (pad, parent, event);
}

/* --- RTCP ----------------------------------------------------------------- */

/* Of the pads with this function those have private data on which ours goes out. */
static GstFlowReturn
chain_rtcp (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  GstRtpCircuitBreaker *self = GST_RTP_CIRCUIT_BREAKER (parent);
  GstFlowReturn flow;

  gst_rtp_cc_breaker_monitor_rtcp (&self->monitor, buffer,
      gst_pad_get_element_private (pad) != NULL);
  flow = gst_pad_push (gst_rtp_cc_pad_mate (pad), buffer);
  return flow == GST_FLOW_NOT_LINKED ? GST_FLOW_OK : flow;
}

/* --- pads ----------------------------------------------------------------- */

static void
set_up_rtp (GstRtpCircuitBreaker * self, guint path, GstPad * sink,
    GstPad * src)
{
  gst_pad_set_element_private (sink, src);
  gst_pad_set_element_private (src, self->monitor.notifier.aggregators[path]);
  gst_pad_set_chain_function (sink, GST_DEBUG_FUNCPTR (chain));
  gst_pad_set_chain_list_function (sink, GST_DEBUG_FUNCPTR (chain_list));
  gst_pad_set_event_function (sink, GST_DEBUG_FUNCPTR (sink_event));
  gst_pad_set_event_function (src, GST_DEBUG_FUNCPTR (src_event));
  gst_rtp_cc_breaker_monitor_set_pad (&self->monitor, path, sink);
}

/* What a requested sink pad is kept in: one RTP path and one of outgoing RTCP at a time.
 * A second would be another session, which needs a breaker of its own (RFC 8083 8). */
static GstPad **
place_of (GstRtpCircuitBreaker * self, gboolean rtp)
{
  return rtp ? &self->requested_sink : &self->out_sink;
}

static gboolean
claim (GstRtpCircuitBreaker * self, gboolean rtp, GstPad * pad)
{
  GstPad **place = place_of (self, rtp);
  gboolean free;

  GST_OBJECT_LOCK (self);
  free = *place == NULL;
  if (free)
    *place = pad;
  GST_OBJECT_UNLOCK (self);
  return free;
}

static GstPad *
request_new_pad (GstElement * element, GstPadTemplate * template,
    const gchar * wanted, const GstCaps * caps)
{
  GstRtpCircuitBreaker *self = GST_RTP_CIRCUIT_BREAKER (element);
  const gboolean rtp =
      g_str_has_prefix (GST_PAD_TEMPLATE_NAME_TEMPLATE (template), "rtp_");
  GstPad *sink, *src;

  if (!gst_rtp_cc_make_pad_pair (element, template, wanted, &sink, &src))
    return NULL;
  if (!claim (self, rtp, sink)) {
    GST_WARNING_OBJECT (self, "no second %s: one element is for one session",
        GST_PAD_NAME (sink));
    gst_object_unref (sink);
    gst_object_unref (src);
    return NULL;
  }
  if (rtp) {
    set_up_rtp (self, PATH_REQUESTED, sink, src);
  } else {
    gst_pad_set_element_private (sink, self);
    gst_pad_set_chain_function (sink, GST_DEBUG_FUNCPTR (chain_rtcp));
  }
  gst_pad_set_active (src, TRUE);
  gst_pad_set_active (sink, TRUE);
  gst_rtp_cc_add_pad_pair (element, sink, src);
  return sink;
}

static void
release_pad (GstElement * element, GstPad * pad)
{
  GstRtpCircuitBreaker *self = GST_RTP_CIRCUIT_BREAKER (element);
  GstPad *src = gst_rtp_cc_pad_mate (pad);
  const gboolean rtp = pad == self->requested_sink;

  gst_pad_set_active (pad, FALSE);
  gst_pad_set_active (src, FALSE);
  if (rtp)
    gst_rtp_cc_breaker_monitor_set_pad (&self->monitor, PATH_REQUESTED, NULL);
  gst_object_ref (pad);         /* until its place is free: no other pad is this one */
  gst_element_remove_pad (element, src);
  gst_element_remove_pad (element, pad);
  GST_OBJECT_LOCK (self);
  *place_of (self, rtp) = NULL;
  GST_OBJECT_UNLOCK (self);
  gst_object_unref (pad);
}

/* --- the object ----------------------------------------------------------- */

static gboolean
reset (GstRtpCircuitBreaker * self)
{
  return gst_rtp_cc_breaker_monitor_reset (&self->monitor);
}

static GstRtpCcBreakerMonitor *
monitor_of (gpointer element)
{
  return &GST_RTP_CIRCUIT_BREAKER (element)->monitor;
}

static RccUpdate
adjust (GstRtpCcElement * element, RccTime now)
{
  return gst_rtp_cc_breaker_monitor_adjust (monitor_of (element), now);
}

static void
add_stats (GstRtpCcElement * element, GstStructure * stats, GstClockTime now)
{
  gst_rtp_cc_breaker_monitor_stats (monitor_of (element), now, stats);
}

static gboolean
get (GstRtpCcElement * element, guint id, GValue * value)
{
  if (id != PROP_STATE)
    return FALSE;
  GST_OBJECT_LOCK (element);
  g_value_set_enum (value, monitor_of (element)->state);
  GST_OBJECT_UNLOCK (element);
  return TRUE;
}

static void
stopping (GstRtpCcElement * element)
{
  gst_rtp_cc_breaker_monitor_stopping (monitor_of (element));
}

static void
stopped (GstRtpCcElement * element)
{
  gst_rtp_cc_breaker_monitor_stopped (monitor_of (element));
}

static GstStateChangeReturn
change_state (GstElement * element, GstStateChange transition)
{
  const GstStateChangeReturn ret = GST_ELEMENT_CLASS
      (gst_rtp_circuit_breaker_parent_class)->change_state (element,
      transition);

  if (transition == GST_STATE_CHANGE_READY_TO_NULL)
    gst_rtp_cc_breaker_monitor_forget (monitor_of (element));
  return ret;
}

static void
finalize (GObject * object)
{
  gst_rtp_cc_driver_stop (GST_RTP_CC_ELEMENT (object)->driver);
  gst_rtp_cc_breaker_monitor_clear (monitor_of (object));
  G_OBJECT_CLASS (gst_rtp_circuit_breaker_parent_class)->finalize (object);
}

static void
gst_rtp_circuit_breaker_init (GstRtpCircuitBreaker * self)
{
  GstElement *element = GST_ELEMENT (self);
  GstPad *sink = gst_pad_new_from_static_template (&templates[0], "sink");
  GstPad *src = gst_pad_new_from_static_template (&templates[1], "src");

  self->rtcp_sink =
      gst_pad_new_from_static_template (&templates[2], "rtcp_sink");
  gst_rtp_cc_breaker_monitor_init (&self->monitor, &self->parent, &driver_funcs,
      prop_state);
  set_up_rtp (self, PATH_STATIC, sink, src);
  gst_rtp_cc_add_pad_pair (element, sink, src);
  gst_pad_set_chain_function (self->rtcp_sink, GST_DEBUG_FUNCPTR (chain_rtcp));
  gst_rtp_cc_add_pad_pair (element, self->rtcp_sink,
      gst_pad_new_from_static_template (&templates[3], "rtcp_src"));
}

static void
install_state (GstRtpCircuitBreakerClass * klass)
{
  /**
   * GstRtpCircuitBreaker:state:
   *
   * Whether RTP passes: the worst of the SSRCs.
   */
  prop_state = g_param_spec_enum ("state", "State",
      "Whether RTP passes; of several SSRCs the worst",
      gst_rtp_cc_choices_type (&rcc_breaker_states), RCC_BREAKER_CLOSED,
      G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);
  g_object_class_install_property (G_OBJECT_CLASS (klass), PROP_STATE,
      prop_state);
  /**
   * GstRtpCircuitBreaker::reset:
   * @self: the element
   *
   * Closes the breaker, for a human's decision to try again.
   *
   * Returns: FALSE while that is refused: the interval that opened it has to go by first. A
   * message with `reset-refused` and `retry-after` (ns) is posted then.
   */
  g_signal_new_class_handler ("reset", G_TYPE_FROM_CLASS (klass),
      G_SIGNAL_RUN_LAST | G_SIGNAL_ACTION, G_CALLBACK (reset), NULL, NULL, NULL,
      G_TYPE_BOOLEAN, 0);
}

static void
gst_rtp_circuit_breaker_class_init (GstRtpCircuitBreakerClass * klass)
{
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstRtpCcElementClass *base = GST_RTP_CC_ELEMENT_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = finalize;
  element_class->change_state = GST_DEBUG_FUNCPTR (change_state);
  element_class->request_new_pad = GST_DEBUG_FUNCPTR (request_new_pad);
  element_class->release_pad = GST_DEBUG_FUNCPTR (release_pad);

  base->settings = &gst_rtp_cc_breaker_settings;
  base->stats_name = "application/x-rtp-circuit-breaker-stats";
  base->stats = add_stats;
  base->adjust = adjust;
  base->get = get;
  base->stopping = stopping;
  base->stopped = stopped;
  /**
   * GstRtpCircuitBreaker:stats:
   *
   * application/x-rtp-circuit-breaker-stats, times in guint64 ns (-1: not known):
   * state and reason; sending (whether media flows); td and tdr (RTCP intervals, RFC 8083
   * 3), report-interval (seen); rtcp-size (mean, bytes); circuit-breaker-trigger-count
   * (the name in the W3C's statistics of WebRTC); rtcp-compounds, of which rtcp-forged were
   * refused; rtcp-ignored, -duplicates, -stale (blocks that changed nothing), -unproven (of who
   * has not shown that our packets reach it, while somebody has);
   * rtcp-truncated (bytes); rtt-smoothed; packets-dropped, bytes-dropped; rtp-malformed
   * (what came by that is no RTP); retry-after, time-since-rtcp.
   *
   * streams is an array with a structure for each SSRC, up to 8: ssrc, state, reason,
   * loss-ratio (0 to 1), rtt, tcp-bitrate and send-bitrate (gdouble, bit/s; infinite
   * without loss), packet-size (bytes), frame-interval, cb-interval and media-timeout
   * (numbers of reports, RFC 8083 4.3 and 4.2), reports-unreceived, report-count.
   */
  gst_rtp_cc_element_install (base,
      "What the breaker knows and has done; rates in bit/s, times in ns");
  install_state (klass);

  for (guint i = 0; i < G_N_ELEMENTS (templates); i++)
    gst_element_class_add_static_pad_template (element_class, &templates[i]);
  gst_element_class_set_static_metadata (element_class, "RTP circuit breaker",
      "Filter/Network/RTP",
      "Stops an RTP flow that harms the network (RFC 8083)",
      "The gst-rtpcc maintainers");
}
