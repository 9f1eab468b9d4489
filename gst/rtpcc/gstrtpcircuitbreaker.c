/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-rtpcircuitbreaker
 * @title: rtpcircuitbreaker
 * @short_description: stops an RTP flow that harms the network (RFC 8083)
 *
 * Watches what an RTP session sends and what RTCP says of it, and stops the flow, as a
 * fuse would, when
 *
 * * no RTCP has come back for 15 s or more (`rtcp-timeout`: nobody is there, or the way
 *   back is cut);
 * * reports say, again and again, that nothing arrives (`media-timeout`: the way there is
 *   cut);
 * * the flow takes more than #GstRtpCircuitBreaker:multiplier times what a TCP connection
 *   would get on the same path, for as long as a controller needs to react (`congestion`);
 * * if asked for by #GstRtpCircuitBreaker:media-usability, nobody can make use of the
 *   media any more (`usability`).
 *
 * It is no rate controller: it stands behind one (#rtpgccsender), or makes a flow of fixed
 * rate safe. What passes is not changed. While it is open, RTP is dropped and RTCP goes
 * on; encoders hear a `GstRtpTargetBitrate` event of 0 with the reason; an element message
 * `GstRtpCircuitBreaker` with the fields state, reason (strings), ssrc (guint; 0: all),
 * loss (gdouble, 0..1), rtt (guint64, ns), tcp-rate, send-rate (guint64, bit/s), interval
 * and retry-after (guint64, ns) is posted.
 *
 * Nothing closes it again but the action signal #GstRtpCircuitBreaker::reset, which should
 * follow from a human's decision and is refused until the interval that opened it has gone
 * by (RFC 8083 4.5). Going through READY does not shorten that interval.
 *
 * It stands before rtpbin's `send_rtp_sink` or after its `send_rtp_src`, and the RTCP that
 * comes in runs through `rtcp_sink` and `rtcp_src`. Inside rtpbin it can be what
 * `request-rtp-encoder` (ask it for the pad `rtp_sink_%u` first) and
 * `request-rtcp-decoder` return. The session's outgoing RTCP may run through
 * `send_rtcp_sink` (or `rtcp_sink_%u`, for `request-rtcp-encoder`): then round-trip times
 * are exact whatever clock the SRs carry. One element is for one RTP session.
 *
 * Reports that cannot be true are refused: of packets that were never sent, with the echo
 * of an SR that never left, with impossible round-trip times; and no single report opens
 * the breaker. Whoever can read the session's packets can still forge reports, to open it
 * or to keep it closed: only SRTCP keeps them from it.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 -m videotestsrc num-buffers=90 is-live=true ! x264enc tune=zerolatency ! rtpbitrateadapter ! rtph264pay ! rtpcircuitbreaker name=cb ! b.send_rtp_sink_0 rtpbin name=b b.send_rtp_src_0 ! udpsink port=5004 b.send_rtcp_src_0 ! udpsink port=5005 sync=false async=false udpsrc port=5007 caps=application/x-rtcp ! cb.rtcp_sink cb.rtcp_src ! b.recv_rtcp_sink_0
 * ]|
 */
#include "rtpcc/gstrtpcircuitbreaker.h"

#include "rtpcc/gstrtpccbreakersettings.h"
#include "rtpcc/gstrtpccdriver.h"
#include "rtpcc/gstrtpccevent.h"
#include "rtpcc/gstrtpccfuse.h"
#include "rtpcc/gstrtpccpads.h"
#include "rtpcc/gstrtpccutils.h"

GST_DEBUG_CATEGORY_STATIC (gst_rtp_circuit_breaker_debug);
#define GST_CAT_DEFAULT gst_rtp_circuit_breaker_debug

enum
{
  PROP_STATE = GST_RTP_CC_BREAKER_N_SETTINGS,
  PROP_STATS,
  N_PROPS,
};

static GParamSpec *prop_state;  /* for its notify */

/* The way of RTP through the element. */
typedef struct
{
  GstPad *sink, *src;
  GstRtpCcMerger *merger;
} Path;

struct _GstRtpCircuitBreaker
{
  GstElement parent;

  Path paths[2];                /* the one that is always there; the requested one */
  GstPad *out_sink;             /* requested: outgoing RTCP */
  GstRtpCcDriver *driver;

  /* driver's lock */
  GstRtpCcFuse *fuse;
  guint64 told;                 /* of its events */

  /* apply()'s */
  struct
  {
    guint ssrc, target_bps;
  } targets[RCC_BREAKER_STREAMS];       /* as last said */
  guint target_bps;             /* of all, as last said */

  /* object lock */
  GstRtpCcBreakerSettings settings;
  RccBreakerState state;        /* last notified */
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
    GST_TYPE_ELEMENT, GST_DEBUG_CATEGORY_INIT (gst_rtp_circuit_breaker_debug,
        "rtpcircuitbreaker", 0, "RTP circuit breaker"));
GST_ELEMENT_REGISTER_DEFINE (rtpcircuitbreaker, "rtpcircuitbreaker",
    GST_RANK_NONE, GST_TYPE_RTP_CIRCUIT_BREAKER);

/* --- what the core says --------------------------------------------------- */

static RccBreakerConfig
get_config (GstRtpCircuitBreaker * self)
{
  GstRtpCcBreakerSettings settings;

  GST_OBJECT_LOCK (self);
  settings = self->settings;
  GST_OBJECT_UNLOCK (self);
  return gst_rtp_cc_breaker_settings_config (&settings);
}

static GstRtpCircuitBreakerAction
get_action (GstRtpCircuitBreaker * self)
{
  GstRtpCircuitBreakerAction action;

  GST_OBJECT_LOCK (self);
  action = self->settings.action;
  GST_OBJECT_UNLOCK (self);
  return action;
}

/* What is open stays so over a restart until the interval that opened it has gone by:
 * RFC 8083 4.5 wants restarts limited where nobody knows whether a human or a script
 * restarts. */
static RccUpdate
core_init (GstElement * element, RccTime now)
{
  GstRtpCircuitBreaker *self = GST_RTP_CIRCUIT_BREAKER (element);
  const RccBreakerConfig config = get_config (self);

  if (rcc_breaker_retry_after (&self->fuse->breaker, now) > 0) {
    rcc_breaker_adjust (&self->fuse->breaker, &config, now);
    return (RccUpdate) {
    .changed = RCC_STOP,.why = "still open"};
  }
  gst_rtp_cc_fuse_init (self->fuse, &config, now);
  self->told = 0;
  return (RccUpdate) {
  .changed = RCC_TARGET,.target_bps = GST_RTP_CC_UNBOUND,.why = "start"};
}

static GstMessage *
make_message (GstRtpCircuitBreaker * self, const RccBreakerEvent * e,
    RccTime retry_after, gboolean refused)
{
  GstStructure *s = gst_structure_new ("GstRtpCircuitBreaker",
      "state", G_TYPE_STRING, rcc_breaker_state_names[e->state],
      "reason", G_TYPE_STRING, rcc_breaker_reason_names[e->reason],
      "ssrc", G_TYPE_UINT, e->ssrc,
      "loss", G_TYPE_DOUBLE, e->loss,
      "rtt", G_TYPE_UINT64, e->rtt,
      "tcp-rate", G_TYPE_UINT64, (guint64) MIN (e->tcp_bps, 1e18),
      "send-rate", G_TYPE_UINT64, (guint64) MIN (e->sent_bps, 1e18),
      "interval", G_TYPE_UINT64, e->interval,
      "retry-after", G_TYPE_UINT64, retry_after, NULL);

  if (refused)
    gst_structure_set (s, "reset-refused", G_TYPE_BOOLEAN, TRUE, NULL);
  return gst_message_new_element (GST_OBJECT (self), s);
}

static void
tell_event (GstRtpCircuitBreaker * self, const RccBreakerEvent * e,
    RccTime retry_after, gboolean all)
{
  if (e->state == RCC_BREAKER_OPEN)
    GST_WARNING_OBJECT (self, "open: %s (SSRC %08x, loss %.3f, rtt %"
        GST_TIME_FORMAT ")", rcc_breaker_reason_names[e->reason], e->ssrc,
        e->loss, GST_TIME_ARGS (e->rtt));
  else
    GST_INFO_OBJECT (self, "%s", rcc_breaker_state_names[e->state]);
  gst_element_post_message (GST_ELEMENT (self), make_message (self, e,
          retry_after, FALSE));
  if (e->state == RCC_BREAKER_OPEN && all
      && get_action (self) == GST_RTP_CIRCUIT_BREAKER_ERROR)
    GST_ELEMENT_ERROR (self, RESOURCE, FAILED,
        ("The RTP circuit breaker stopped this call: %s. Try again in %"
            G_GUINT64_FORMAT " s at the earliest.",
            rcc_breaker_reason_names[e->reason],
            (retry_after + GST_SECOND - 1) / GST_SECOND), (NULL));
}

static void
tell_events (GstRtpCircuitBreaker * self)
{
  RccBreaker *b = &self->fuse->breaker;

  for (;;) {
    const RccTime now = gst_rtp_cc_driver_lock (self->driver);
    RccBreakerEvent event;
    RccTime retry_after;
    gboolean all;

    if (self->told == b->n_events) {
      gst_rtp_cc_driver_unlock (self->driver);
      return;
    }
    if (b->n_events - self->told > RCC_BREAKER_EVENTS)
      self->told = b->n_events - RCC_BREAKER_EVENTS;
    event = b->events[self->told++ % RCC_BREAKER_EVENTS];
    retry_after = now == GST_CLOCK_TIME_NONE ? event.interval
        : rcc_breaker_retry_after (b, now);
    all = gst_rtp_cc_fuse_blown (self->fuse);
    gst_rtp_cc_driver_unlock (self->driver);
    tell_event (self, &event, retry_after, all);
  }
}

static guint
target_of (const RccBreakerStream * stream)
{
  return stream->state == RCC_BREAKER_OPEN ? 0
      : stream->state == RCC_BREAKER_REDUCED ? stream->target_bps
      : GST_RTP_CC_UNBOUND;
}

/* What differs between streams is said by SSRC; what does not, to all. */
static void
tell_targets (GstRtpCircuitBreaker * self, const char *why)
{
  const RccBreaker *b = &self->fuse->breaker;
  const gboolean enforce = get_action (self)
      != GST_RTP_CIRCUIT_BREAKER_NOTIFY_ONLY;
  GstRtpCcTarget all = {.target_bps = GST_RTP_CC_UNBOUND,.rtt =
        GST_CLOCK_TIME_NONE,.source = GST_OBJECT_NAME (self),.reason = why
  };
  GstRtpCcTarget streams[RCC_BREAKER_STREAMS];
  guint n, i;
  gboolean same = TRUE;

  gst_rtp_cc_driver_lock (self->driver);
  n = b->n_streams;
  for (i = 0; i < n; i++) {
    streams[i] = all;
    streams[i].ssrc = b->streams[i].ssrc;
    streams[i].rtt = b->streams[i].rtt;
    if (enforce)
      streams[i].target_bps = target_of (&b->streams[i]);
    same &= streams[i].target_bps == streams[0].target_bps;
  }
  gst_rtp_cc_driver_unlock (self->driver);
  if (n > 0 && same) {
    all = streams[0];
    all.ssrc = 0;
  }
  for (guint p = 0; p < G_N_ELEMENTS (self->paths); p++) {
    if (all.target_bps != self->target_bps)
      gst_rtp_cc_merger_own (self->paths[p].merger, &all);
    for (i = 0; i < n; i++)
      if (!same && (streams[i].target_bps != self->targets[i].target_bps
              || streams[i].ssrc != self->targets[i].ssrc))
        gst_rtp_cc_merger_stream (self->paths[p].merger, &streams[i]);
  }
  self->target_bps = all.target_bps;
  for (i = 0; i < n; i++) {
    self->targets[i].ssrc = streams[i].ssrc;
    self->targets[i].target_bps = streams[i].target_bps;
  }
}

static void
apply (GstElement * element, const RccUpdate * update)
{
  GstRtpCircuitBreaker *self = GST_RTP_CIRCUIT_BREAKER (element);
  RccBreakerState state;
  gboolean changed;

  gst_rtp_cc_driver_lock (self->driver);
  state = self->fuse->breaker.state;
  gst_rtp_cc_driver_unlock (self->driver);
  GST_OBJECT_LOCK (self);
  changed = self->state != state;
  self->state = state;
  GST_OBJECT_UNLOCK (self);
  tell_targets (self, update->why);
  if (changed)
    g_object_notify_by_pspec (G_OBJECT (self), prop_state);
  tell_events (self);
}

static const GstRtpCcDriverFuncs driver_funcs = { core_init, apply };

/* --- RTP ------------------------------------------------------------------ */

typedef struct
{
  GstRtpCircuitBreaker *self;
  GstBuffer *buffer;            /* or a list */
  GstBufferList *list;
  gboolean passes;              /* all of it */
  gboolean over;                /* nothing will pass any more */
} Passing;

static RccUpdate
judge_call (RccSender * sender, RccTime now, gpointer user_data)
{
  Passing *p = user_data;
  RccUpdate update = { 0 };

  if (p->buffer) {
    p->passes = gst_rtp_cc_fuse_rtp (p->self->fuse, p->buffer, now, &update);
  } else {
    for (guint i = 0, n = gst_buffer_list_length (p->list); i < n; i++)
      p->passes &= gst_rtp_cc_fuse_rtp (p->self->fuse,
          gst_buffer_list_get (p->list, i), now, &update);
  }
  if (G_UNLIKELY (!p->passes))
    p->over = gst_rtp_cc_fuse_blown (p->self->fuse);
  return update;
}

static GstFlowReturn
refuse (GstRtpCircuitBreaker * self, GstPad * src, gboolean over)
{
  switch (over ? get_action (self) : GST_RTP_CIRCUIT_BREAKER_STOP) {
    case GST_RTP_CIRCUIT_BREAKER_EOS:
      gst_pad_push_event (src, gst_event_new_eos ());
      return GST_FLOW_EOS;
    case GST_RTP_CIRCUIT_BREAKER_ERROR:
      return GST_FLOW_ERROR;
    default:
      return GST_FLOW_OK;
  }
}

typedef struct
{
  GstRtpCircuitBreaker *self;
  GstBuffer *buffer;
  gboolean passes;
} Dropping;

static RccUpdate
drop_call (RccSender * sender, RccTime now, gpointer user_data)
{
  Dropping *d = user_data;
  GstRtpCcPacket packet;

  d->passes = TRUE;
  if (gst_rtp_cc_packet_map (d->buffer, &packet)) {
    d->passes = rcc_breaker_passes (&d->self->fuse->breaker, packet.rtp.ssrc);
    gst_rtp_cc_packet_unmap (&packet);
  }
  if (!d->passes)
    gst_rtp_cc_fuse_dropped (d->self->fuse, d->buffer);
  return (RccUpdate) {
  0};
}

static gboolean
drop_item (GstBuffer ** buffer, guint i, gpointer user_data)
{
  Dropping d = {.self = user_data,.buffer = *buffer,.passes = TRUE };

  gst_rtp_cc_driver_call (d.self->driver, drop_call, &d);
  if (!d.passes)
    gst_clear_buffer (buffer);
  return TRUE;
}

static GstPad *
source_of (GstRtpCircuitBreaker * self, GstPad * sink)
{
  return sink == self->paths[0].sink ? self->paths[0].src
      : gst_rtp_cc_pad_mate (sink);
}

static GstFlowReturn
chain (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  GstRtpCircuitBreaker *self = (GstRtpCircuitBreaker *) parent; /* per packet: unchecked */
  Passing p = {.self = self,.buffer = buffer,.passes = TRUE };

  gst_rtp_cc_driver_call (self->driver, judge_call, &p);
  if (G_UNLIKELY (!p.passes)
      && get_action (self) != GST_RTP_CIRCUIT_BREAKER_NOTIFY_ONLY) {
    drop_item (&buffer, 0, self);
    gst_clear_buffer (&buffer);
    return refuse (self, source_of (self, pad), p.over);
  }
  return gst_pad_push (source_of (self, pad), buffer);
}

static GstFlowReturn
chain_list (GstPad * pad, GstObject * parent, GstBufferList * list)
{
  GstRtpCircuitBreaker *self = (GstRtpCircuitBreaker *) parent;
  Passing p = {.self = self,.list = list,.passes = TRUE };

  gst_rtp_cc_driver_call (self->driver, judge_call, &p);
  if (G_UNLIKELY (!p.passes)
      && get_action (self) != GST_RTP_CIRCUIT_BREAKER_NOTIFY_ONLY) {
    list = gst_buffer_list_make_writable (list);
    gst_buffer_list_foreach (list, drop_item, self);
    if (gst_buffer_list_length (list) == 0) {
      gst_buffer_list_unref (list);
      return refuse (self, source_of (self, pad), p.over);
    }
  }
  return gst_pad_push_list (source_of (self, pad), list);
}

static gboolean
sink_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  GstRtpCircuitBreaker *self = GST_RTP_CIRCUIT_BREAKER (parent);
  GstCaps *caps;
  gint rate = 0;

  if (GST_EVENT_TYPE (event) == GST_EVENT_CAPS) {
    gst_event_parse_caps (event, &caps);
    gst_structure_get_int (gst_caps_get_structure (caps, 0), "clock-rate",
        &rate);
    gst_rtp_cc_driver_lock (self->driver);
    self->fuse->clock_rate = (guint) MAX (rate, 0);
    gst_rtp_cc_driver_unlock (self->driver);
  }
  return gst_pad_event_default (pad, parent, event);
}

static gboolean
src_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  GstRtpCircuitBreaker *self = GST_RTP_CIRCUIT_BREAKER (parent);
  Path *path = &self->paths[pad == self->paths[0].src ? 0 : 1];

  if (gst_rtp_cc_merger_event (path->merger, event))
    return TRUE;
  return gst_pad_event_default (pad, parent, event);
}

/* --- RTCP ----------------------------------------------------------------- */

typedef struct
{
  GstRtpCircuitBreaker *self;
  RccBytes compound;
  gboolean ours;                /* we send it */
} Rtcp;

static RccUpdate
hear (RccSender * sender, RccTime now, gpointer user_data)
{
  const Rtcp *r = user_data;

  return gst_rtp_cc_fuse_rtcp (r->self->fuse, r->compound, r->ours, now);
}

static GstFlowReturn
chain_rtcp (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  GstRtpCircuitBreaker *self = GST_RTP_CIRCUIT_BREAKER (parent);
  GstPad *src = gst_rtp_cc_pad_mate (pad);
  GstFlowReturn flow;
  GstMapInfo info;

  if (gst_buffer_map (buffer, &info, GST_MAP_READ)) {
    Rtcp r = {.self = self,.compound = {info.data, info.size},
    .ours = pad == self->out_sink
    };

    gst_rtp_cc_driver_call (self->driver, hear, &r);
    gst_buffer_unmap (buffer, &info);
  }
  flow = gst_pad_push (src, buffer);
  return flow == GST_FLOW_NOT_LINKED ? GST_FLOW_OK : flow;
}

/* --- pads ----------------------------------------------------------------- */

static void
set_up_rtp (GstPad * sink, GstPad * src)
{
  gst_pad_set_chain_function (sink, GST_DEBUG_FUNCPTR (chain));
  gst_pad_set_chain_list_function (sink, GST_DEBUG_FUNCPTR (chain_list));
  gst_pad_set_event_function (sink, GST_DEBUG_FUNCPTR (sink_event));
  gst_pad_set_event_function (src, GST_DEBUG_FUNCPTR (src_event));
}

/* What a source pad is called whose sink pad is called @name. */
static gchar *
source_name (const gchar * name)
{
  const gchar *sink = strstr (name, "sink");

  return g_strdup_printf ("%.*ssrc%s", (int) (sink - name), name, sink + 4);
}

/* One RTP path and one of outgoing RTCP at a time: a second would be another session,
 * which needs a breaker of its own (RFC 8083 8). */
static gboolean
claim (GstPad ** place, GstObject * parent, GstPad * pad)
{
  gboolean free;

  GST_OBJECT_LOCK (parent);
  free = *place == NULL;
  if (free)
    *place = pad;
  GST_OBJECT_UNLOCK (parent);
  return free;
}

static GstPad *
request_new_pad (GstElement * element, GstPadTemplate * template,
    const gchar * wanted, const GstCaps * caps)
{
  GstRtpCircuitBreaker *self = GST_RTP_CIRCUIT_BREAKER (element);
  const gchar *pattern = GST_PAD_TEMPLATE_NAME_TEMPLATE (template);
  const gboolean rtp = g_str_has_prefix (pattern, "rtp_");
  gchar *src_pattern = source_name (pattern);
  gchar *name = wanted && !strchr (wanted, '%') ? g_strdup (wanted)
      : strchr (pattern, '%') ? g_strconcat (rtp ? "rtp" : "rtcp", "_sink_0",
      NULL) : g_strdup (pattern);
  gchar *src_name = source_name (name);
  GstPad *sink = gst_pad_new_from_template (template, name);
  GstPad *src =
      gst_pad_new_from_template (gst_element_class_get_pad_template
      (GST_ELEMENT_GET_CLASS (element), src_pattern), src_name);

  g_free (src_pattern);
  g_free (src_name);
  g_free (name);
  if (!claim (rtp ? &self->paths[1].sink : &self->out_sink,
          GST_OBJECT (self), sink)) {
    gst_object_unref (sink);
    gst_object_unref (src);
    return NULL;
  }
  if (rtp) {
    self->paths[1].src = src;
    set_up_rtp (sink, src);
    gst_rtp_cc_merger_set_pad (self->paths[1].merger, sink);
  } else {
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

  gst_pad_set_active (pad, FALSE);
  gst_pad_set_active (src, FALSE);
  if (pad == self->paths[1].sink)
    gst_rtp_cc_merger_set_pad (self->paths[1].merger, NULL);
  GST_OBJECT_LOCK (self);
  if (pad == self->paths[1].sink)
    self->paths[1].sink = self->paths[1].src = NULL;
  else
    self->out_sink = NULL;
  GST_OBJECT_UNLOCK (self);
  gst_element_remove_pad (element, src);
  gst_element_remove_pad (element, pad);
}

/* --- the object ----------------------------------------------------------- */

typedef struct
{
  GstRtpCircuitBreaker *self;
  gboolean done;
  RccBreakerEvent last;
  RccTime retry_after;
} Reset;

static RccUpdate
reset_call (RccSender * sender, RccTime now, gpointer user_data)
{
  Reset *r = user_data;
  RccBreaker *b = &r->self->fuse->breaker;
  RccUpdate update = { 0 };

  r->done = rcc_breaker_reset (b, now, &update);
  if (!r->done) {
    r->last = b->events[(b->n_events - 1) % RCC_BREAKER_EVENTS];
    r->retry_after = rcc_breaker_retry_after (b, now);
  }
  return update;
}

static gboolean
reset (GstRtpCircuitBreaker * self)
{
  Reset r = {.self = self,.done = TRUE };

  gst_rtp_cc_driver_call (self->driver, reset_call, &r);
  if (!r.done)
    gst_element_post_message (GST_ELEMENT (self), make_message (self, &r.last,
            r.retry_after, TRUE));
  return r.done;
}

static RccUpdate
adjust_call (RccSender * sender, RccTime now, gpointer user_data)
{
  GstRtpCircuitBreaker *self = user_data;
  const RccBreakerConfig config = get_config (self);

  rcc_breaker_adjust (&self->fuse->breaker, &config, now);
  return (RccUpdate) {
  0};
}

static void
set_property (GObject * object, guint id, const GValue * value,
    GParamSpec * pspec)
{
  GstRtpCircuitBreaker *self = GST_RTP_CIRCUIT_BREAKER (object);
  gboolean known;

  GST_OBJECT_LOCK (self);
  known = gst_rtp_cc_breaker_settings_set (&self->settings, id, value);
  GST_OBJECT_UNLOCK (self);
  if (known)
    gst_rtp_cc_driver_call (self->driver, adjust_call, self);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
get_property (GObject * object, guint id, GValue * value, GParamSpec * pspec)
{
  GstRtpCircuitBreaker *self = GST_RTP_CIRCUIT_BREAKER (object);
  gboolean known = TRUE;
  GstClockTime now;

  if (id == PROP_STATS) {
    now = gst_rtp_cc_driver_lock (self->driver);
    g_value_take_boxed (value, gst_rtp_cc_fuse_stats (self->fuse, now));
    gst_rtp_cc_driver_unlock (self->driver);
    return;
  }
  GST_OBJECT_LOCK (self);
  if (id == PROP_STATE)
    g_value_set_enum (value, self->state);
  else
    known = gst_rtp_cc_breaker_settings_get (&self->settings, id, value);
  GST_OBJECT_UNLOCK (self);
  if (!known)
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static GstStateChangeReturn
change_state (GstElement * element, GstStateChange transition)
{
  GstRtpCircuitBreaker *self = GST_RTP_CIRCUIT_BREAKER (element);
  GstStateChangeReturn ret;

  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED)
    gst_rtp_cc_driver_start (self->driver);
  ret = GST_ELEMENT_CLASS (gst_rtp_circuit_breaker_parent_class)->change_state
      (element, transition);
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY) {
    gst_rtp_cc_driver_stop (self->driver);
    for (guint i = 0; i < G_N_ELEMENTS (self->paths); i++)
      gst_rtp_cc_merger_reset (self->paths[i].merger);
    self->target_bps = GST_RTP_CC_UNBOUND;
  } else if (transition == GST_STATE_CHANGE_READY_TO_NULL) {
    const RccBreakerConfig config = get_config (self);

    gst_rtp_cc_fuse_init (self->fuse, &config, 0);
    self->told = 0;
    self->state = RCC_BREAKER_CLOSED;
  }
  return ret;
}

static gboolean
set_clock (GstElement * element, GstClock * clock)
{
  gst_rtp_cc_driver_set_clock (GST_RTP_CIRCUIT_BREAKER (element)->driver,
      clock);
  return
      GST_ELEMENT_CLASS (gst_rtp_circuit_breaker_parent_class)->set_clock
      (element, clock);
}

static void
finalize (GObject * object)
{
  GstRtpCircuitBreaker *self = GST_RTP_CIRCUIT_BREAKER (object);

  gst_rtp_cc_driver_free (self->driver);
  for (guint i = 0; i < G_N_ELEMENTS (self->paths); i++)
    gst_rtp_cc_merger_free (self->paths[i].merger);
  g_free (self->fuse);
  G_OBJECT_CLASS (gst_rtp_circuit_breaker_parent_class)->finalize (object);
}

static void
gst_rtp_circuit_breaker_init (GstRtpCircuitBreaker * self)
{
  GstElement *element = GST_ELEMENT (self);
  Path *path = &self->paths[0];
  GstPad *rtcp_sink =
      gst_pad_new_from_static_template (&templates[2], "rtcp_sink");
  RccBreakerConfig config;

  gst_rtp_cc_breaker_settings_init (&self->settings);
  config = gst_rtp_cc_breaker_settings_config (&self->settings);
  self->fuse = g_new0 (GstRtpCcFuse, 1);
  gst_rtp_cc_fuse_init (self->fuse, &config, 0);
  self->driver = gst_rtp_cc_driver_new (element, &self->fuse->breaker.sender,
      &driver_funcs);
  self->target_bps = GST_RTP_CC_UNBOUND;

  path->sink = gst_pad_new_from_static_template (&templates[0], "sink");
  path->src = gst_pad_new_from_static_template (&templates[1], "src");
  path->merger = gst_rtp_cc_merger_new (path->sink);
  set_up_rtp (path->sink, path->src);
  gst_rtp_cc_add_pad_pair (element, path->sink, path->src);
  self->paths[1].merger = gst_rtp_cc_merger_new (NULL);

  gst_pad_set_chain_function (rtcp_sink, GST_DEBUG_FUNCPTR (chain_rtcp));
  gst_rtp_cc_add_pad_pair (element, rtcp_sink,
      gst_pad_new_from_static_template (&templates[3], "rtcp_src"));
}

static void
gst_rtp_circuit_breaker_class_init (GstRtpCircuitBreakerClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  object_class->set_property = set_property;
  object_class->get_property = get_property;
  object_class->finalize = finalize;
  element_class->change_state = GST_DEBUG_FUNCPTR (change_state);
  element_class->set_clock = GST_DEBUG_FUNCPTR (set_clock);
  element_class->request_new_pad = GST_DEBUG_FUNCPTR (request_new_pad);
  element_class->release_pad = GST_DEBUG_FUNCPTR (release_pad);

  gst_rtp_cc_breaker_settings_install (object_class);
  /**
   * GstRtpCircuitBreaker:state:
   *
   * Whether RTP passes: the worst of the SSRCs.
   */
  prop_state = g_param_spec_enum ("state", "State", "Whether RTP passes",
      GST_TYPE_RTP_CIRCUIT_BREAKER_STATE, RCC_BREAKER_CLOSED,
      G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);
  g_object_class_install_property (object_class, PROP_STATE, prop_state);
  /**
   * GstRtpCircuitBreaker:stats:
   *
   * application/x-rtp-circuit-breaker-stats; circuit-breaker-trigger-count has the name
   * of the W3C's identifiers for WebRTC statistics; streams is an array of structures,
   * one for each SSRC. Rates in bit/s, times in ns.
   */
  g_object_class_install_property (object_class, PROP_STATS,
      g_param_spec_boxed ("stats", "Statistics",
          "What the breaker knows and has done; rates in bit/s, times in ns",
          GST_TYPE_STRUCTURE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));

  /**
   * GstRtpCircuitBreaker::reset:
   * @self: the element
   *
   * Closes the breaker, for a human's decision to try again.
   *
   * Returns: FALSE while that is refused: the interval that opened it has to go by
   * first; a message with `reset-refused` and `retry-after` (ns) is posted then.
   */
  g_signal_new_class_handler ("reset", G_TYPE_FROM_CLASS (klass),
      G_SIGNAL_RUN_LAST | G_SIGNAL_ACTION, G_CALLBACK (reset), NULL, NULL, NULL,
      G_TYPE_BOOLEAN, 0);

  for (guint i = 0; i < G_N_ELEMENTS (templates); i++)
    gst_element_class_add_static_pad_template (element_class, &templates[i]);
  gst_element_class_set_static_metadata (element_class, "RTP circuit breaker",
      "Filter/Network/RTP",
      "Stops an RTP flow that harms the network (RFC 8083)",
      "The gst-rtpcc maintainers");
}
