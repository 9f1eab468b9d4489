/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * source.h - what an RTP session knows of an SSRC
 */
#ifndef GST_RTP_CC_BIN_SOURCE_H
#define GST_RTP_CC_BIN_SOURCE_H

#include <gst/gst.h>

/* RTPSource's statistics (transfer full); NULL: the session does not know it.  @rtpbin: an rtpbin
 * or rtpccbin. */
GstStructure *gst_rtp_cc_bin_source_stats (GstElement * rtpbin, guint session, guint ssrc);

/* Whether its RTP has come. */
gboolean gst_rtp_cc_bin_source_has_sent (GstElement * rtpbin, guint session, guint ssrc);

#endif
