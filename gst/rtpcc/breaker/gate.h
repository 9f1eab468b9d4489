/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * breaker/gate.h - buffers as the circuit breaker's core sees them, and
 * what it says as targets and stats
 *
 * No lock, clock or pad: rtpcircuitbreaker calls this with its driver's lock held.
 */
#ifndef GST_RTP_CC_BREAKER_GATE_H
#define GST_RTP_CC_BREAKER_GATE_H

#include <gst/gst.h>
#include "rtpcc/common/event.h"
#include "core/breaker/watch.h"
#include "send/gate.h"

typedef struct {
  RccGate core;
  RccBreakerWatch watch;
  guint clock_rate;             /* of the caps, Hz; 0: unknown */
} GstRtpCcBreakerGate;

/* For these all: RCC_STATE in an update says that the watch has something to be taken. */
/* @buffer comes by: whether it leaves, or is counted as dropped.  What is no RTP (RTCP on
 * the same port, RFC 5761; garbage) is counted and leaves. */
gboolean gst_rtp_cc_breaker_gate_buffer (GstRtpCcBreakerGate *f, GstBuffer *buffer, RccTime now,
    RccUpdate *update);
/* The same for a list: NULL if all of it leaves, otherwise what does. */
GstBufferList *gst_rtp_cc_breaker_gate_list (GstRtpCcBreakerGate *f, GstBufferList *list,
    RccTime now, RccUpdate *update);
/* @event is rtpsession's RTPTWCCPackets: packets arrive, or not. */
RccUpdate gst_rtp_cc_breaker_gate_twcc (GstRtpCcBreakerGate *f, GstEvent *event, RccTime now);
/* There is news or are new settings: what nears, and what is too long, now. */
RccUpdate gst_rtp_cc_breaker_gate_look (GstRtpCcBreakerGate *f, RccTime now);

/* The bitrates to ask for: of all streams, and in @streams (RCC_BREAKER_STREAMS of them) of those
 * that are asked for less. Returns how many. */
guint gst_rtp_cc_breaker_gate_targets (const GstRtpCcBreakerGate *f, GstRtpCcTarget *all,
    GstRtpCcTarget *streams);

void gst_rtp_cc_breaker_gate_stats (const GstRtpCcBreakerGate *f, GstClockTime retry_after,
    GstClockTime time_since_rtcp, GstStructure *stats);

#endif
