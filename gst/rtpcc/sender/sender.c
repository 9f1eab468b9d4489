/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/sender/sender.h"

#include "core/fbra/protection.h"
#include "rtpcc/common/utils.h"
#include "rtpcc/sendpath/parity.h"

GST_DEBUG_CATEGORY_STATIC (gst_rtp_cc_sender_debug);
#define GST_CAT_DEFAULT gst_rtp_cc_sender_debug

G_DEFINE_ABSTRACT_TYPE_WITH_CODE (GstRtpCcSender, gst_rtp_cc_sender,
    GST_TYPE_RTP_CC_SEND_ELEMENT,
    GST_DEBUG_CATEGORY_INIT (gst_rtp_cc_sender_debug, "rtpccsender", 0,
        "RTP congestion control, sender"));

static GstStaticPadTemplate templates[] = {
  GST_RTP_CC_RTP_TEMPLATE ("sink", GST_PAD_SINK, GST_PAD_ALWAYS),
  GST_RTP_CC_RTP_TEMPLATE ("src", GST_PAD_SRC, GST_PAD_ALWAYS),
};

static GstRtpCcSenderClass *
class_of (gpointer self)
{
  return GST_RTP_CC_SENDER_CLASS (G_OBJECT_GET_CLASS (self));
}

GST_RTP_CC_DEFINE_GET_SETTINGS (GstRtpCcSenderSettings)

/* --- repair --------------------------------------------------------------- */

static RccSendParityConfig
parity_config (const GstRtpCcSenderSettings * s)
{
  return (RccSendParityConfig) {
  .pt = (guint8) s->fec_pt,.ssrc = s->protect_ssrc,.fills_probes =
        s->probe_protection};
}

/* With the core locked.  Parity takes 135 kB: only who wants some has it. */
static void
protect (GstRtpCcSender * self, const GstRtpCcSenderSettings * s)
{
  const RccSendParityConfig config = parity_config (s);

  if (!self->parity && s->protection == 0 && !s->probe_protection)
    return;
  if (!self->parity) {
    self->parity = g_new (RccSendParity, 1);
    rcc_send_parity_init (self->parity, &config, g_realloc);
    rcc_send_protect (&self->parent.send->path, self->parity);
    gst_rtp_cc_send_parity_announce (self->parent.send, 0);
  }
  rcc_send_parity_set (self->parity, s->protection, 1);
}

/* A new life: what may not change in one. */
static void
begin_parity (GstRtpCcSender * self, const GstRtpCcSenderSettings * s)
{
  const RccSendParityConfig config = parity_config (s);

  if (self->parity)
    rcc_send_protect_configure (&self->parent.send->path, &config);
  protect (self, s);
}

/* Parity's share of @target_bps. */
static guint32
protection_bps (const GstRtpCcSender * self, guint32 target_bps)
{
  const RccProtection protection = {.every = self->parity ? self->parity->n : 0,
    .depth = 1
  };

  return rcc_protection_bps (&protection, 0, target_bps, 0);
}

/* What of @target_bps is not for the encoder. */
static guint32
repair_bps (GstRtpCcSender * self, guint32 target_bps, RccTime now)
{
  const guint32 parity = protection_bps (self, target_bps);

  return parity + rcc_send_rtx_bps (&self->parent.send->path,
      target_bps - parity, now);
}

/* --- the core ------------------------------------------------------------- */

static RccSenderView
view_of (const GstRtpCcSender * self)
{
  return self->row->view (self->core);
}

static void
make_core (GstRtpCcSender * self, const GstRtpCcSenderSettings * settings)
{
  gpointer config = g_malloc0 (RCC_CONTROLLER_CONFIG);
  const RccController *row = class_of (self)->configure (self, settings,
      config);

  if (row != self->row) {
    g_free (self->core);
    self->core = g_malloc0 (row->size);
    self->row = row;
  }
  row->init (self->core, config, &settings->limits);
  g_free (config);
}

/* What has no word of pacing, or counts packets in its own way, is followed here. */
static void
follow_view (GstRtpCcSender * self, const RccSenderView * view, RccTime now)
{
  RccSend *path = &self->parent.send->path;

  path->packet_cost = view->packet_cost;
  if (!view->paces)
    rcc_send_rate (path, view->pacing_bps, now);
}

static RccUpdate
core_init (GstElement * element, RccTime now)
{
  GstRtpCcSender *self = GST_RTP_CC_SENDER (element);
  RccSendConfig send = rcc_send_config ();
  const GstRtpCcSenderSettings settings = get_settings (self);
  RccSenderView view;

  make_core (self, &settings);
  view = view_of (self);
  if (view.burst > 0)
    send.burst = view.burst;
  send.drain = view.drain;
  send.backlog_from = view.backlog_from;
  send.backlog_over = view.backlog_over;
  send.scheduler.max_time = settings.max_queue_time;
  gst_rtp_cc_send_begin (self->parent.send, &send, self->core, now);
  begin_parity (self, &settings);
  self->limited_by = NULL;
  self->complained = FALSE;
  follow_view (self, &view, now);
  return rcc_send_act (&self->parent.send->path, (RccUpdate) {
      .changed = RCC_TARGET | RCC_PACING,.target_bps =
        view.target_bps,.pacing_bps = view.pacing_bps,.reason = "start"}
      , now);
}

static const gchar *
limited_by (GstRtpCcSender * self, const RccSenderView * view)
{
  return class_of (self)->limited_by ? class_of (self)->limited_by (self)
      : view->state;
}

/* Whether the controller never heard anything, to be said once in a life. */
static gboolean
is_deaf (GstRtpCcSender * self, const gchar * limit)
{
  const RccSend *path = &self->parent.send->path;

  if (self->complained || g_strcmp0 (limit, "feedback-timeout")
      || path->feedback->reports.compounds > 0 || path->transport.session)
    return FALSE;
  self->complained = TRUE;
  return TRUE;
}

static void
act (GstElement * element, const RccUpdate * update, RccTime now)
{
  GstRtpCcSender *self = GST_RTP_CC_SENDER (element);
  RccSend *path = &self->parent.send->path;
  GstRtpCcTarget *target = &self->said.target;
  const gchar *limit;
  RccSenderView view;

  if (!(update->changed & RCC_TARGET))
    return;
  view = view_of (self);
  follow_view (self, &view, now);
  limit = limited_by (self, &view);
  self->said.bps = view.target_bps;
  self->said.limited_by = limit == self->limited_by ? NULL : limit;
  self->limited_by = limit;
  self->said.deaf = is_deaf (self, limit);
  *target = (GstRtpCcTarget) {
  .target_bps = rcc_send_encoder_bps (path, view.target_bps),.queue_time =
        rcc_send_queue_time (path, RCC_SBPN_ALL),.rtt =
        view.rtt != RCC_NEVER ? view.rtt : path->rtt,.source =
        GST_OBJECT_NAME (self),.reason = update->reason};
  target->fec_bps = repair_bps (self, target->target_bps, now);
}

static void
post_state (GstRtpCcSender * self, const RccUpdate * update)
{
  if (!self->said.limited_by)
    return;
  gst_element_post_message (GST_ELEMENT (self),
      gst_message_new_element (GST_OBJECT (self),
          gst_structure_new (class_of (self)->message, "limited-by",
              G_TYPE_STRING, self->said.limited_by, "target-bitrate",
              G_TYPE_UINT, update->target_bps, "reason", G_TYPE_STRING,
              update->reason, NULL)));
}

/* The send path acts on pacing and probes where they come up, with the core locked; this
 * is the rest. */
static void
apply (GstElement * element, const RccUpdate * update)
{
  GstRtpCcSender *self = GST_RTP_CC_SENDER (element);

  /* with the state a window may have opened: RccSenderOps.allowance */
  if (update->changed & (RCC_PACING | RCC_PROBE | RCC_STATE))
    gst_rtp_cc_wakeup_wake (self->parent.send->wakeup);
  if (!(update->changed & RCC_TARGET))
    return;
  GST_DEBUG_OBJECT (self, "target %u bit/s, the encoder's %u: %s",
      self->said.bps, self->said.target.target_bps, update->reason);
  gst_rtp_cc_target_aggregator_own (self->parent.aggregator,
      &self->said.target, NULL, 0);
  gst_rtp_cc_element_set_estimate (&self->parent.parent, self->said.bps);
  post_state (self, update);
  if (self->said.deaf)
    GST_ELEMENT_WARNING (self, STREAM, FAILED,
        ("No RTCP has come, so the rate is halved. Is "
            "there a receiver, and does it send RTCP to here? Is that led through %s's "
            "rtcp_sink, or into the rtpsession beside it?",
            GST_OBJECT_NAME (self)), (NULL));
}

static const GstRtpCcDriverFuncs driver_funcs = { core_init, act, apply };

/* --- the object ----------------------------------------------------------- */

static void
add_stats (GstRtpCcElement * element, GstStructure * stats, GstClockTime now)
{
  GstRtpCcSender *self = GST_RTP_CC_SENDER (element);
  const RccSenderView view = view_of (self);

  gst_structure_set (stats, "target-bitrate", G_TYPE_UINT, view.target_bps,
      "pacing-bitrate", G_TYPE_UINT, view.pacing_bps,
      "rtt", G_TYPE_UINT64, view.rtt, NULL);
  if (class_of (self)->stats)
    class_of (self)->stats (self, stats, now);
  if (self->row->fields)
    gst_rtp_cc_stats_add (stats, self->row->fields, self->core);
  gst_rtp_cc_send_stats (self->parent.send, stats);
  gst_structure_set (stats, "controller", G_TYPE_STRING, self->row->name,
      "fec-bitrate", G_TYPE_UINT, protection_bps (self, view.target_bps), NULL);
}

static RccUpdate
adjust (GstRtpCcElement * element, RccTime now)
{
  GstRtpCcSender *self = GST_RTP_CC_SENDER (element);
  const GstRtpCcSenderSettings settings = get_settings (self);
  const RccUpdate update = rcc_tell (&self->parent.send->path.sender, on_config,
      &settings.limits, now);

  protect (self, &settings);
  return rcc_update_merge (update, (RccUpdate) {
      .changed = RCC_TARGET,.target_bps = view_of (self).target_bps,.reason =
        "settings"}
  );
}

static void
changed (GstRtpCcElement * element)
{
  const GstRtpCcSenderSettings settings = get_settings (element);
  GstRtpCcSend *send = GST_RTP_CC_SEND_ELEMENT (element)->send;

  gst_rtp_cc_send_set_max_latency (send, settings.max_queue_time);
  gst_rtp_cc_send_set_abs_send_time_id (send, settings.abs_send_time_id);
}

static void
finalize (GObject * object)
{
  GstRtpCcSender *self = GST_RTP_CC_SENDER (object);
  RccSendParity *parity = self->parity;
  RccSender *core = self->core;

  G_OBJECT_CLASS (gst_rtp_cc_sender_parent_class)->finalize (object);
  if (parity)
    rcc_send_parity_clear (parity);
  g_free (parity);
  g_free (core);
}

static void
gst_rtp_cc_sender_init (GstRtpCcSender * self)
{
}

void
gst_rtp_cc_sender_begin (GstRtpCcSender * self)
{
  GstRtpCcSendElement *parent = &self->parent;
  const GstRtpCcSenderSettings *settings =
      gst_rtp_cc_element_init_settings (&parent->parent);

  parent->parent.estimate = settings->limits.start_bps;
  make_core (self, settings);
  gst_rtp_cc_send_element_init_path (parent, &templates[1], NULL,
      &driver_funcs);
  gst_rtp_cc_send_element_init_sink (parent, &templates[0]);
  gst_rtp_cc_send_set_max_latency (parent->send, settings->max_queue_time);
  gst_rtp_cc_send_element_init_rtcp (parent);
}

static void
gst_rtp_cc_sender_class_init (GstRtpCcSenderClass * klass)
{
  GstRtpCcElementClass *base = GST_RTP_CC_ELEMENT_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = finalize;
  base->stats = add_stats;
  base->adjust = adjust;
  base->changed = changed;
  gst_rtp_cc_send_element_class_names (GST_ELEMENT_CLASS (klass));
  for (guint i = 0; i < G_N_ELEMENTS (templates); i++)
    gst_element_class_add_static_pad_template (GST_ELEMENT_CLASS (klass),
        &templates[i]);
}

void
gst_rtp_cc_sender_install (GstRtpCcSenderClass * klass)
{
  GstRtpCcElementClass *base = GST_RTP_CC_ELEMENT_CLASS (klass);

  gst_rtp_cc_element_install (base,
      "What the controller knows and has done; bitrates in bit/s, times in ns");
  gst_rtp_cc_element_install_estimate (base,
      "What may be sent now, RTP headers included (bit/s)", RCC_START_BITRATE);
  gst_rtp_cc_element_install_reset (base);
}
