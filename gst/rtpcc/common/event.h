/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * common/event.h - the bitrate event: its one constructor and one parser
 *
 * GST_EVENT_CUSTOM_UPSTREAM with the structure GstRtpTargetBitrate:
 *
 *   target-bitrate  guint    bit/s for media and repair together, as RTP packets
 *                            (headers included, UDP/IP not); G_MAXUINT: no bound
 *   fec-bitrate     guint    bit/s of it that repair packets will take
 *   rtt             guint64  ns; GST_CLOCK_TIME_NONE: not known
 *   queue-time      guint64  ns; what media that waits for its turn takes at the present
 *                            rate; 0: nothing waits, or nobody says
 *   ssrc            guint    the stream meant; absent or 0: all that pass
 *   streams         guint    of an event for all: so many for one SSRC each follow it at once.  A
 *                            bound of one that is not among them is over
 *   share           GstRtpCcShare  how those who follow the target divide it (share.h); absent:
 *                            it is meant for each
 *   source          string   name of the element that set the target
 *   reason          string   why, for logs
 *
 * Only target-bitrate is required; the rest has the defaults 0, NONE, 0, 0, 0, NULL, "", "".
 */
#ifndef GST_RTP_CC_EVENT_H
#define GST_RTP_CC_EVENT_H

#include "rtpcc/common/share.h"

#define GST_RTP_CC_EVENT_NAME "GstRtpTargetBitrate"
#define GST_RTP_CC_UNBOUND G_MAXUINT

typedef struct {
  guint target_bps, fec_bps;
  GstClockTime rtt;
  GstClockTime queue_time;
  guint ssrc, streams;
  GstRtpCcShare *share;                 /* NULL: none, as for one SSRC */
  const gchar *source, *reason;         /* never NULL from the parser */
} GstRtpCcTarget;

GstEvent *gst_rtp_cc_event_new (const GstRtpCcTarget *target);

/* Whether @event is ours; it may still be malformed. */
gboolean gst_rtp_cc_event_is (GstEvent *event);

/* FALSE when it is not ours, a field has another type, target-bitrate is
 * absent, or fec-bitrate is larger than target-bitrate.  The strings and the
 * share live as long as @event. */
gboolean gst_rtp_cc_event_parse (GstEvent *event, GstRtpCcTarget *target);

/* What two controllers in a row mean together: the smaller target (@upstream's in a tie) with its
 * SSRC, source and reason. Both repair shares count, since both add packets. The RTT is the
 * winner's where it has one, and the queue is the longer one. */
GstRtpCcTarget gst_rtp_cc_target_merge (const GstRtpCcTarget *upstream,
    const GstRtpCcTarget *downstream);

/* A controller that may have others downstream says its target through this, so
 * that whoever listens upstream hears the smallest one, with a share of this
 * controller's.  Thread-safe; events are pushed with no lock held, in order, the
 * newest state winning. */
typedef struct _GstRtpCcTargetAggregator GstRtpCcTargetAggregator;

/* Events are pushed out of @sinkpad, which the caller keeps alive; NULL: nowhere. */
GstRtpCcTargetAggregator *gst_rtp_cc_target_aggregator_new (GstPad *sinkpad);
/* From another pad from now on; a newly given one hears the target at once. */
void gst_rtp_cc_target_aggregator_set_pad (GstRtpCcTargetAggregator *aggregator, GstPad *sinkpad);
void gst_rtp_cc_target_aggregator_free (GstRtpCcTargetAggregator *aggregator);
/* READY: forgets both sides, says nothing. */
void gst_rtp_cc_target_aggregator_reset (GstRtpCcTargetAggregator *aggregator);
#define GST_RTP_CC_TARGET_AGGREGATOR_STREAMS 8
/* The controller's own target. Behind the event for all goes one for each of the @n in @streams, up
 * to GST_RTP_CC_TARGET_AGGREGATOR_STREAMS. Of those ssrc, target_bps and rtt count. They are said
 * again whenever the target for all is. */
void gst_rtp_cc_target_aggregator_own (GstRtpCcTargetAggregator *aggregator,
    const GstRtpCcTarget *own, const GstRtpCcTarget *streams, guint n);
/* For the source pad's event function: takes @event when it is ours (TRUE) and leaves it to the
 * caller otherwise (FALSE). An event for one SSRC is bounded by the own target for it and passed
 * on, but bounds nothing else. It is said again behind each event for all, until one comes from
 * downstream that it does not follow. A malformed one passes unchanged. */
gboolean gst_rtp_cc_target_aggregator_event (GstRtpCcTargetAggregator *aggregator, GstEvent *event);

/* The @i-th of the packets that rtpsession's event RTPTWCCPackets tells of (rtptwcc.c of 1.22):
 * seqnum, local-ts, remote-ts, payload-type, size, lost.  NULL: there are no more. */
const GstStructure *gst_rtp_cc_twcc_packet (GstEvent *event, guint i);

#endif
