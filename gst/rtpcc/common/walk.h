/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * common/walk.h - from element to element along the links, into and out of bins
 */
#ifndef GST_RTP_CC_WALK_H
#define GST_RTP_CC_WALK_H

#include <gst/gst.h>

/* The first element that is @wanted along the links from @from, in its direction. With @alone
 * the way ends at an element of which it could go on by several pads; else it takes the first.
 * NULL: there is none.  *@by (may be NULL) is the pad by which it was reached.  Unref both. */
GstElement *gst_rtp_cc_walk (GstPad *from, gboolean (*wanted) (GstElement *element),
    gboolean alone, GstPad **by);

/* The first pad that @pad is linked to inside its element, with @alone the only one. NULL: there
 * is none, or there are several.  Unref it. */
GstPad *gst_rtp_cc_walk_inside (GstPad *pad, gboolean alone);

#endif
