/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * repair.h - parity in the call
 *
 * GStreamer's own decoder of it is at the receiver. What the two came to is said in the figures
 * of the FBRA paper.
 *
 * The metrics are of the video.  They see the packets where they leave the sender, where
 * they arrive and behind the decoder, so both ends have to be here.  One end alone writes down
 * what it sees, for who has what the other end wrote as well (tools/live/frames.py).
 */
#ifndef RTPCALL_REPAIR_H
#define RTPCALL_REPAIR_H

#include <stdio.h>

#include "call.h"
#include "core/fbra/fecmetrics.h"

/* Whether a decoder of parity is needed. */
gboolean call_may_have_parity (const CallOptions *options);
/* Whether there is, or as seen by a receiver alone may be, parity in the call. */
gboolean call_has_parity (const CallOptions *options);

/* Gives call->recv_rtpbin a rtpulpfecdec for every stream of video.  Before any of its pads
 * is linked. */
void call_add_repair (Call *call);

/* Protects the video by @element, rtpgccsender, while that is of use. */
CallProtector *call_protector_new (GstElement *element, const CallOptions *options);
void call_protector_free (CallProtector *p);
/* What the sender knows: the share lost, 0..1, and the round trip, ms; NAN: not known.  Media
 * packets to one of parity from now on; 0: none. */
guint call_protector_hear (CallProtector *p, double loss, double rtt_ms, GstClockTime now);

/* @log becomes its own: one end is here, and writes its packets.  NULL: both are. */
CallRepair *call_repair_new (FILE *log);
extern const char call_repair_header[];
void call_repair_free (CallRepair *r);

/* Nothing more is written; FALSE where the log is not complete. */
gboolean call_repair_close (CallRepair *r);

/* A packet, whole, at one of the three places; any thread. */
void call_repair_sent (CallRepair *r, GstClockTime now, GstBuffer *packet);
void call_repair_arrived (CallRepair *r, GstClockTime now, GstBuffer *packet);
void call_repair_decoded (CallRepair *r, GstClockTime now, GstBuffer *packet);
/* The controller's state has become this: "down", "stay", "probe" or "up". */
void call_repair_state (CallRepair *r, const char *state);

/* What it came to after @duration; the packets of the last three seconds are left out, for
 * some of them may be on their way. */
RccFecMetrics call_repair_metrics (CallRepair *r, GstClockTime duration);

#endif
