/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What rtpccbin says of its sessions: how fast they may send, and their statistics.
 */
#ifndef GST_RTP_CC_BIN_REPORT_H
#define GST_RTP_CC_BIN_REPORT_H

#include "rtpcc/bin/words.h"

/* @element's property "stats"; NULL: there is no element. */
GstStructure *gst_rtp_cc_bin_stats_of (GstElement *element);
/* bit/s; @sessions: of GstRtpCcBinSession. */
guint gst_rtp_cc_bin_target (const GList *sessions);
/* What its "stats" show to be missing (words.h). */
const gchar *gst_rtp_cc_bin_missing_of (GstElement *controller, GstElement *rtpbin);
/* The property "stats" of the bin. */
GstStructure *gst_rtp_cc_bin_stats (const GList *sessions, const GstRtpCcBinWords *words);

#endif
