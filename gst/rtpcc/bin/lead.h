/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * bin/lead.h - a link that GStreamer does not take for a cycle
 */
#ifndef GST_RTP_CC_BIN_LEAD_H
#define GST_RTP_CC_BIN_LEAD_H

#include <gst/gst.h>

/* What comes out of @src is pushed by @feed, a pad of nobody, and by @src no more, until the probe
 * that this returns is removed. */
gulong gst_rtp_cc_lead_out (GstPad *src, GstPad *feed);

/* What comes out of the peer of @sink goes into @sink as before, though they are linked no more:
 * a pad of nobody pushes it.  Nothing happens where there is no peer. */
void gst_rtp_cc_lead (GstPad *sink);

#endif
