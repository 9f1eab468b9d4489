/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What it does is described in notifier.c, beside the messages. */
#include "rtpcc/breaker/monitor.h"
#include "rtpcc/common/element.h"
#include "rtpcc/common/elements.h"
#include "rtpcc/common/pads.h"
#include "rtpcc/common/rtcppair.h"
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

#define GST_TYPE_RTP_CIRCUIT_BREAKER (gst_rtp_circuit_breaker_get_type ())
G_DECLARE_FINAL_TYPE (GstRtpCircuitBreaker, gst_rtp_circuit_breaker, GST,
    RTP_CIRCUIT_BREAKER, GstRtpCcElement);

struct _GstRtpCircuitBreaker
{
  GstRtpCcBreakerMonitor monitor;       /* first: the parent */

  GstRtpCcRtcpPair *rtcp;
  GstPad *requested_sink;       /* of the second way of RTP; object lock */
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
  gboolean over = FALSE;

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
  gboolean over = FALSE;

  if (G_LIKELY (gst_rtp_cc_breaker_monitor_list (&self->monitor, &list, &over)))
    return gst_pad_push_list (source_of (pad), list);
  gst_buffer_list_unref (list);
  return refuse (self, source_of (pad), over);
}

/* What comes to the session we stand beside, and what it says where we are behind it. */
static void
hear_session (GstElement * element, GstMiniObject * what)
{
  GstRtpCircuitBreaker *self = GST_RTP_CIRCUIT_BREAKER (element);

  if (GST_IS_EVENT (what))
    gst_rtp_cc_breaker_monitor_upstream (&self->monitor, GST_EVENT (what));
  else
    gst_rtp_cc_rtcp_pair_hear (self->rtcp, GST_BUFFER (what));
}

static gboolean
sink_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  gst_rtp_cc_breaker_monitor_event (&GST_RTP_CIRCUIT_BREAKER (parent)->monitor,
      event);
  if (GST_EVENT_TYPE (event) == GST_EVENT_SEGMENT)
    gst_rtp_cc_session_listen (GST_ELEMENT (parent), pad, source_of (pad),
        hear_session);
  return gst_pad_event_default (pad, parent, event);
}

static gboolean
src_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  GstRtpCcTargetAggregator *aggregator = gst_pad_get_element_private (pad);

  gst_rtp_cc_breaker_monitor_upstream (&GST_RTP_CIRCUIT_BREAKER
      (parent)->monitor, event);
  return gst_rtp_cc_target_aggregator_event (aggregator, event)
      || gst_pad_event_default (pad, parent, event);
}

/* --- RTCP ----------------------------------------------------------------- */

static gsize
hear (GstElement * element, RccBytes compound, gboolean requested,
    guint32 ntp_middle, RccTime now, guint8 * out, gsize size,
    RccUpdate * update)
{
  GstRtpCcBreakerGate *gate = GST_RTP_CIRCUIT_BREAKER (element)->monitor.gate;

  if (requested) {
    rcc_gate_rtcp_sent (&gate->core, compound, now);
    return 0;
  }
  *update = rcc_gate_rtcp (&gate->core, compound, ntp_middle, now);
  *update = rcc_update_merge (gst_rtp_cc_breaker_gate_look (gate, now), *update);
  return 0;
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

static GstPad *
request_rtp (GstRtpCircuitBreaker * self, GstPadTemplate * template,
    const gchar * wanted)
{
  GstElement *element = GST_ELEMENT (self);
  GstPad *sink, *src;

  if (!gst_rtp_cc_claim_pad_pair (element, template, wanted,
          &self->requested_sink, &sink, &src))
    return NULL;
  set_up_rtp (self, PATH_REQUESTED, sink, src);
  gst_rtp_cc_open_pad_pair (element, sink, src);
  return sink;
}

/* One RTP path and one of outgoing RTCP at a time. A second would be another session, which
 * needs a breaker of its own (RFC 8083 8). */
static GstPad *
request_new_pad (GstElement * element, GstPadTemplate * template,
    const gchar * wanted, const GstCaps * caps)
{
  GstRtpCircuitBreaker *self = GST_RTP_CIRCUIT_BREAKER (element);
  const gchar *pattern = GST_PAD_TEMPLATE_NAME_TEMPLATE (template);
  GstPad *sink = g_str_has_prefix (pattern, "rtp_")
      ? request_rtp (self, template, wanted)
      : gst_rtp_cc_rtcp_pair_request (self->rtcp, template, wanted);

  if (!sink)
    GST_WARNING_OBJECT (self, "no second %s: one element is for one session",
        wanted ? wanted : pattern);
  return sink;
}

static void
release_pad (GstElement * element, GstPad * pad)
{
  GstRtpCircuitBreaker *self = GST_RTP_CIRCUIT_BREAKER (element);

  if (pad != self->requested_sink) {
    gst_rtp_cc_rtcp_pair_release (self->rtcp, pad);
    return;
  }
  gst_pad_set_active (pad, FALSE);
  gst_pad_set_active (source_of (pad), FALSE);
  gst_rtp_cc_breaker_monitor_set_pad (&self->monitor, PATH_REQUESTED, NULL);
  gst_rtp_cc_close_pad_pair (element, &self->requested_sink, pad);
}

/* --- the object ----------------------------------------------------------- */

static gboolean
reset (GstRtpCircuitBreaker * self)
{
  return gst_rtp_cc_breaker_monitor_reset (&self->monitor);
}

static gboolean
get (GstRtpCcElement * element, guint id, GValue * value)
{
  if (id != PROP_STATE)
    return FALSE;
  GST_OBJECT_LOCK (element);
  g_value_set_enum (value, ((GstRtpCcBreakerMonitor *) element)->state);
  GST_OBJECT_UNLOCK (element);
  return TRUE;
}

static GstStateChangeReturn
change_state (GstElement * element, GstStateChange transition)
{
  const GstStateChangeReturn ret = GST_ELEMENT_CLASS
      (gst_rtp_circuit_breaker_parent_class)->change_state (element,
      transition);

  if (transition == GST_STATE_CHANGE_READY_TO_NULL)
    gst_rtp_cc_breaker_monitor_forget (&GST_RTP_CIRCUIT_BREAKER
        (element)->monitor);
  return ret;
}

static void
finalize (GObject * object)
{
  GstRtpCircuitBreaker *self = GST_RTP_CIRCUIT_BREAKER (object);

  gst_rtp_cc_driver_stop (self->monitor.parent.driver);
  gst_rtp_cc_rtcp_pair_free (self->rtcp);
  gst_rtp_cc_breaker_monitor_clear (&self->monitor);
  G_OBJECT_CLASS (gst_rtp_circuit_breaker_parent_class)->finalize (object);
}

static void
gst_rtp_circuit_breaker_init (GstRtpCircuitBreaker * self)
{
  GstElement *element = GST_ELEMENT (self);
  GstPad *sink = gst_pad_new_from_static_template (&templates[0], "sink");
  GstPad *src = gst_pad_new_from_static_template (&templates[1], "src");

  gst_rtp_cc_breaker_monitor_init (&self->monitor, prop_state);
  set_up_rtp (self, PATH_STATIC, sink, src);
  gst_rtp_cc_add_pad_pair (element, sink, src);
  self->rtcp =
      gst_rtp_cc_rtcp_pair_new (element, &templates[2], &templates[3],
      self->monitor.parent.driver, hear, NULL);
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

  gst_rtp_cc_breaker_monitor_class_init (base);
  base->stats_name = "application/x-rtp-circuit-breaker-stats";
  base->get = get;
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
