/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * rtpbin's signals as those of a bin around it: what rtpbin emits the bin emits, and what it
 * is asked for by an action signal rtpbin is asked for.  Its source pads of RTP show at the bin.
 */
#ifndef GST_RTP_CC_BIN_FORWARD_H
#define GST_RTP_CC_BIN_FORWARD_H

#include <gst/gst.h>

/* In class_init of the bin. */
void gst_rtp_cc_bin_forward_class_init (GType type);
/* In its init.  The bin's child "rtpbin" is asked. */
void gst_rtp_cc_bin_forward_init (GstBin *bin, GstElement *rtpbin);

#endif
