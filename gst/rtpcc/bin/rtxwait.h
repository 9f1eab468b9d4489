/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * bin/rtxwait.h - an rtpjitterbuffer whose latency follows the retransmissions (core/rtx-wait.h)
 *
 * It needs no element of ours, and rtpcall has it, too.
 */
#ifndef GST_RTP_CC_BIN_RTXWAIT_H
#define GST_RTP_CC_BIN_RTXWAIT_H

#include <gst/gst.h>

/* Before packets come. The latency that @jitterbuffer has, or that somebody gives it later, is
 * the least; it grows to @most ms at most, and falls again.  Each change is a LATENCY message.
 * What @jitterbuffer asks for is then what a later packet shows to be lost, or late. */
void gst_rtp_cc_bin_rtx_wait (GstElement *jitterbuffer, guint most);

#endif
