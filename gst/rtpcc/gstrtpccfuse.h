/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * gstrtpccfuse.h - buffers and RTCP bytes as the circuit breaker's core sees them, and
 * what it says as targets and stats
 *
 * No lock, clock or pad: rtpcircuitbreaker calls this with its driver's lock held.
 */
#ifndef GST_RTP_CC_FUSE_H
#define GST_RTP_CC_FUSE_H

#include <gst/gst.h>
#include "core/breaker.h"
#include "rtpcc/gstrtpccevent.h"
#include "wire/reports.h"

G_BEGIN_DECLS

typedef struct {
  RccBreaker breaker;
  RccReports reports;
  gboolean enforce;             /* what may not pass is dropped */
  guint clock_rate;             /* of the caps, Hz; 0: unknown */
  guint64 packets_dropped, bytes_dropped, malformed;
} GstRtpCcFuse;

/* As if nothing had been sent or heard; what the caps said stays.  @held > 0: what is
 * open stays so, for so long at least. */
void gst_rtp_cc_fuse_start (GstRtpCcFuse *f, const RccBreakerConfig *config,
    RccTime held, RccTime now);

/* @buffer comes by: whether it leaves, or is counted as dropped.  What is no RTP (RTCP on
 * the same port, RFC 5761; garbage) is counted and leaves. */
gboolean gst_rtp_cc_fuse_buffer (GstRtpCcFuse *f, GstBuffer *buffer, RccTime now,
    RccUpdate *update);
/* The same for a list: NULL if all of it leaves, otherwise what does. */
GstBufferList *gst_rtp_cc_fuse_list (GstRtpCcFuse *f, GstBufferList *list, RccTime now,
    RccUpdate *update);
/* Whether every stream is stopped. */
gboolean gst_rtp_cc_fuse_blown (const GstRtpCcFuse *f);

/* A compound comes in, or one of ours (@ours) goes out. */
RccUpdate gst_rtp_cc_fuse_rtcp (GstRtpCcFuse *f, RccBytes compound, gboolean ours,
    RccTime now);

/* The bitrates to ask for: of all streams, and in @streams (RCC_BREAKER_STREAMS of them)
 * of those that are asked for less; returns how many. */
guint gst_rtp_cc_fuse_targets (const GstRtpCcFuse *f, GstRtpCcTarget *all,
    GstRtpCcTarget *streams);

GstStructure *gst_rtp_cc_fuse_stats (const GstRtpCcFuse *f, GstClockTime retry_after,
    GstClockTime time_since_rtcp);

G_END_DECLS
#endif
