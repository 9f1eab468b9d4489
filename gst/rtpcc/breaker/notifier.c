/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/breaker/notifier.h"

GST_DEBUG_CATEGORY_EXTERN (gst_rtp_circuit_breaker_debug);
#define GST_CAT_DEFAULT gst_rtp_circuit_breaker_debug

/* Whether that is what was said last; from now on it is. */
static gboolean
is_said (GstRtpCcBreakerNotifier * v, const GstRtpCcTarget * all,
    const GstRtpCcTarget * streams, guint n)
{
  gboolean same = v->said.bps == all->target_bps && v->said.n == n;

  v->said.bps = all->target_bps;
  v->said.n = n;
  for (guint i = 0; i < n; i++) {
    same = same && v->said.streams[i].ssrc == streams[i].ssrc
        && v->said.streams[i].bps == streams[i].target_bps;
    v->said.streams[i].ssrc = streams[i].ssrc;
    v->said.streams[i].bps = streams[i].target_bps;
  }
  return same;
}

void
gst_rtp_cc_breaker_notifier_targets (GstRtpCcBreakerNotifier * v,
    GstRtpCcTarget all, const GstRtpCcTarget * streams, guint n,
    const gchar * reason, gboolean again)
{
  const gboolean bound = n > 0 || all.target_bps != GST_RTP_CC_UNBOUND;

  if (is_said (v, &all, streams, n) && !(again && bound))
    return;
  all.source = GST_OBJECT_NAME (v->element);
  all.reason = reason;
  for (guint i = 0; i < GST_RTP_CC_BREAKER_NOTIFIER_PATHS; i++)
    gst_rtp_cc_target_aggregator_own_streams (v->aggregators[i], &all, streams,
        n);
}

static guint64
to_bitrate (gdouble bps)
{
  return bps < 1e18 ? (guint64) MAX (bps, 0) : G_MAXUINT64;
}

static GstStructure *
make_structure (const RccBreakerEvent * event, GstClockTime retry_after)
{
  return gst_structure_new ("GstRtpCircuitBreaker",
      "state", G_TYPE_STRING, rcc_breaker_state_names[event->state],
      "reason", G_TYPE_STRING, rcc_breaker_reason_names[event->reason],
      "ssrc", G_TYPE_UINT, event->ssrc,
      "loss", G_TYPE_DOUBLE, event->loss,
      "rtt", G_TYPE_UINT64, event->rtt,
      "tcp-rate", G_TYPE_UINT64, to_bitrate (event->tcp_bps),
      "send-rate", G_TYPE_UINT64, to_bitrate (event->sent_bps),
      "interval", G_TYPE_UINT64, event->interval,
      "retry-after", G_TYPE_UINT64, retry_after, NULL);
}

void
gst_rtp_cc_breaker_notifier_post (GstRtpCcBreakerNotifier * v,
    const RccBreakerEvent * event, GstClockTime retry_after, gboolean refused)
{
  GstStructure *s = make_structure (event, retry_after);

  if (refused)
    gst_structure_set (s, "reset-refused", G_TYPE_BOOLEAN, TRUE, NULL);
  else if (event->state == RCC_BREAKER_OPEN)
    GST_WARNING_OBJECT (v->element, "%" GST_PTR_FORMAT, s);
  else
    GST_INFO_OBJECT (v->element, "%" GST_PTR_FORMAT, s);
  gst_element_post_message (v->element,
      gst_message_new_element (GST_OBJECT (v->element), s));
}

void
gst_rtp_cc_breaker_notifier_forget (GstRtpCcBreakerNotifier * v)
{
  for (guint i = 0; i < GST_RTP_CC_BREAKER_NOTIFIER_PATHS; i++)
    gst_rtp_cc_target_aggregator_reset (v->aggregators[i]);
  v->said.bps = GST_RTP_CC_UNBOUND;
  v->said.n = 0;
}

void
gst_rtp_cc_breaker_notifier_init (GstRtpCcBreakerNotifier * v,
    GstElement * element)
{
  v->element = element;
  v->said.bps = GST_RTP_CC_UNBOUND;
  for (guint i = 0; i < GST_RTP_CC_BREAKER_NOTIFIER_PATHS; i++)
    v->aggregators[i] = gst_rtp_cc_target_aggregator_new (NULL);
}

void
gst_rtp_cc_breaker_notifier_clear (GstRtpCcBreakerNotifier * v)
{
  for (guint i = 0; i < GST_RTP_CC_BREAKER_NOTIFIER_PATHS; i++)
    gst_rtp_cc_target_aggregator_free (v->aggregators[i]);
}
