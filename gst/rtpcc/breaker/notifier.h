/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * breaker/notifier.h - says what a circuit breaker decided: targets to encoders, by every way
 * of RTP, and messages to the application
 *
 * No lock may be held; calls of one notifier do not overlap, but for _post() and _set_pad().
 */
#ifndef GST_RTP_CC_BREAKER_NOTIFIER_H
#define GST_RTP_CC_BREAKER_NOTIFIER_H

#include <gst/gst.h>
#include "core/breaker/watch.h"
#include "rtpcc/common/event.h"

#define GST_RTP_CC_BREAKER_NOTIFIER_PATHS 2

typedef struct {
  GstElement *element;
  GstRtpCcTargetAggregator *aggregators[GST_RTP_CC_BREAKER_NOTIFIER_PATHS]; /* of the ways of RTP */
  struct {                      /* what encoders heard last */
    guint bps, n;
    struct {
      guint ssrc, bps;
    } streams[RCC_BREAKER_STREAMS];
  } said;
} GstRtpCcBreakerNotifier;

void gst_rtp_cc_breaker_notifier_init (GstRtpCcBreakerNotifier *v, GstElement *element);
void gst_rtp_cc_breaker_notifier_clear (GstRtpCcBreakerNotifier *v);
/* READY: nobody has heard anything. */
void gst_rtp_cc_breaker_notifier_forget (GstRtpCcBreakerNotifier *v);

/* As gst_rtp_cc_target_aggregator_own(), where that is not what was said last, or, with
 * @again, where there is a bound at all. */
void gst_rtp_cc_breaker_notifier_targets (GstRtpCcBreakerNotifier *v, GstRtpCcTarget all,
    const GstRtpCcTarget *streams, guint n, const gchar *reason, gboolean again);
/* @refused: it tells why a reset was. */
void gst_rtp_cc_breaker_notifier_post (GstRtpCcBreakerNotifier *v, const RccBreakerEvent *event,
    GstClockTime retry_after, gboolean refused);
/* The message GstRtpCircuitBreakerNearing, or a warning of the element's, in words. */
void gst_rtp_cc_breaker_notifier_notice (GstRtpCcBreakerNotifier *v,
    const RccBreakerNotice *notice);

#endif
