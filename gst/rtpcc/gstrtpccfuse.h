/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * gstrtpccfuse.h - buffers and RTCP bytes as the circuit breaker's core sees them
 *
 * No lock, clock or pad: rtpcircuitbreaker calls this with its driver's lock held.
 */
#ifndef GST_RTP_CC_FUSE_H
#define GST_RTP_CC_FUSE_H

#include <gst/gst.h>
#include "core/breaker.h"
#include "wire/reports.h"

G_BEGIN_DECLS

typedef struct {
  RccBreaker breaker;
  RccReports reports;
  guint clock_rate;             /* of the caps, Hz; 0: unknown */
  guint64 packets_dropped, bytes_dropped, malformed;
} GstRtpCcFuse;

/* As if nothing had been sent or heard; what the caps said stays. */
void gst_rtp_cc_fuse_init (GstRtpCcFuse *f, const RccBreakerConfig *config,
    RccTime now);

/* @buffer comes by: whether it may leave.  What is no RTP (RTCP on the same port,
 * RFC 5761; garbage) is counted and may. */
gboolean gst_rtp_cc_fuse_rtp (GstRtpCcFuse *f, GstBuffer *buffer, RccTime now,
    RccUpdate *update);
/* What did not leave. */
void gst_rtp_cc_fuse_dropped (GstRtpCcFuse *f, GstBuffer *buffer);
/* Whether every stream is stopped. */
gboolean gst_rtp_cc_fuse_blown (const GstRtpCcFuse *f);

/* A compound comes in, or one of ours (@ours) goes out. */
RccUpdate gst_rtp_cc_fuse_rtcp (GstRtpCcFuse *f, RccBytes compound, gboolean ours,
    RccTime now);

/* @now: GST_CLOCK_TIME_NONE while stopped. */
GstStructure *gst_rtp_cc_fuse_stats (const GstRtpCcFuse *f, GstClockTime now);

G_END_DECLS
#endif
