/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * common/rtcppair.h - the RTCP that passes an element which hears it
 *
 * One direction goes from rtcp_sink to rtcp_src. The other, where somebody requests it, goes
 * through a second pair (send_rtcp_sink to send_rtcp_src, or recv_...). Both go byte for byte,
 * but for a packet that the element may append.
 */
#ifndef GST_RTP_CC_RTCP_PAIR_H
#define GST_RTP_CC_RTCP_PAIR_H

#include "rtpcc/common/driver.h"
#include "wire/reports.h"

typedef struct _GstRtpCcRtcpPair GstRtpCcRtcpPair;

/* @compound passes, with the core locked; @requested: by the second pair.  @ntp_middle is for
 * rcc_rtt_judge().  Returns how many bytes of @out are to go with it. */
typedef gsize (*GstRtpCcRtcpHear) (GstElement *element, RccBytes compound, gboolean requested,
    guint32 ntp_middle, RccTime now, guint8 *out, gsize size, RccUpdate *update);

/* Adds rtcp_sink and rtcp_src, of these templates; NULL for both: none.  @reports: those of
 * @driver's core, for a warning when all that comes is ignored; NULL: it has none. */
GstRtpCcRtcpPair *gst_rtp_cc_rtcp_pair_new (GstElement *element,
    GstStaticPadTemplate *sink, GstStaticPadTemplate *src, GstRtpCcDriver *driver,
    GstRtpCcRtcpHear hear, RccReports *reports);
void gst_rtp_cc_rtcp_pair_free (GstRtpCcRtcpPair *pair);

/* @compound has come another way: nothing happens where rtcp_sink is linked, which then is that
 * way. */
void gst_rtp_cc_rtcp_pair_hear (GstRtpCcRtcpPair *pair, GstBuffer *compound);

/* The second pair's sink pad, named as gst_rtp_cc_claim_pad_pair() does; NULL: they are there, or
 * there is no such name. */
GstPad *gst_rtp_cc_rtcp_pair_request (GstRtpCcRtcpPair *pair, GstPadTemplate *sink,
    const gchar *wanted);
/* Nothing happens for a pad that is none of these. */
void gst_rtp_cc_rtcp_pair_release (GstRtpCcRtcpPair *pair, GstPad *pad);

#endif
