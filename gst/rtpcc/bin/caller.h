/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * caller.h - from where an rtpccsrc hears its call, and where its feedback goes (wire/peers.h)
 *
 * Buffers have udpsrc's GstNetAddressMeta.
 */
#ifndef GST_RTP_CC_BIN_CALLER_H
#define GST_RTP_CC_BIN_CALLER_H

#include <gst/gst.h>

#include "wire/peers.h"

typedef struct
{
  GstElement *owner;            /* says what a person should know */
  GstElement *call;             /* rtpccbin */
  GstElement *rtcp_sink;        /* multiudpsink */
  RccPeers peers;               /* the owner's object lock */
  gint crowded[2];              /* too many came before the call's RTCP, or behind, and that was
                                 * said; atomic */
  gint64 moved;                 /* when that was last said; microseconds, 0: never */
} GstRtpCcBinCaller;

void gst_rtp_cc_bin_caller_init (GstRtpCcBinCaller * c, GstElement * owner, GstElement * call,
    GstElement * rtcp_sink);
/* Nobody has been heard. */
void gst_rtp_cc_bin_caller_reset (GstRtpCcBinCaller * c);

/* A packet came, whose SSRC is at @offset. False: it is one too many from other hosts. */
gboolean gst_rtp_cc_bin_caller_lets_in (GstRtpCcBinCaller * c, GstBuffer * buffer, gsize offset);
/* Readable RTCP came.  Whether it is for the session. */
gboolean gst_rtp_cc_bin_caller_heard (GstRtpCcBinCaller * c, GstBuffer * rtcp);

#endif
