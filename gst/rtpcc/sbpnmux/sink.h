/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * sbpnmux/sink.h - what of a stream goes on from a sink pad of rtpsbpnmux, and what the
 * source pad says in its place
 *
 * What belongs to one stream ends here: stream-start, caps, segment and gaps.  The source
 * pad has its own, once: timestamps leave as running times.  Everything else goes by the
 * send path (sendpath/sendpath.h).
 */
#ifndef GST_RTP_CC_MUX_SINK_H
#define GST_RTP_CC_MUX_SINK_H

#include "rtpcc/sbpnmux/pad.h"
#include "rtpcc/sendpath/sendpath.h"

typedef struct {                        /* the driver's lock */
  GstRtpCcSend *send;
  GstCaps *caps;                        /* of what leaves; NULL: none yet */
  gboolean need_start, need_caps, need_segment;
  /* Pads have come, gone or changed; nothing is locked. */
  void (*pads_changed) (GstElement *element);
} GstRtpCcMuxSink;

/* Sets the functions of the source pad that the send path does not. */
void gst_rtp_cc_mux_sink_init (GstRtpCcMuxSink *s, GstRtpCcSend *send,
    void (*pads_changed) (GstElement *element));
void gst_rtp_cc_mux_sink_clear (GstRtpCcMuxSink *s);

/* As GstRtpCcSendFuncs has them. */
guint gst_rtp_cc_mux_sink_before (GstRtpCcMuxSink *s, GstEvent **events);
void gst_rtp_cc_mux_sink_again (GstRtpCcMuxSink *s, gboolean stream);

/* FALSE: there are RCC_SEND_PADS already.  Sets the functions of @pad. */
gboolean gst_rtp_cc_mux_sink_add (GstRtpCcMuxSink *s, GstRtpSbpnMuxPad *pad);
/* Once it is inactive: drops what it has queued. */
void gst_rtp_cc_mux_sink_remove (GstRtpCcMuxSink *s, GstRtpSbpnMuxPad *pad);
/* Pad @k of the send path; NULL: there is none.  With the core locked. */
GstRtpSbpnMuxPad *gst_rtp_cc_mux_sink_pad (GstRtpCcMuxSink *s, guint k);
/* The settings of the pads count: of all, with the core locked; of @pad, not locked. */
void gst_rtp_cc_mux_sink_open (GstRtpCcMuxSink *s);
void gst_rtp_cc_mux_sink_reconfigure (GstRtpCcMuxSink *s, GstRtpSbpnMuxPad *pad);
/* With the core locked. */
void gst_rtp_cc_mux_sink_stats (GstRtpCcMuxSink *s, GstRtpSbpnMuxPad *pad,
    GstClockTime now, GstStructure *stats);

#endif
