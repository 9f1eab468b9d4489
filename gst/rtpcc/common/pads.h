/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * common/pads.h - an element with several bumps on the wire
 */
#ifndef GST_RTP_CC_PADS_H
#define GST_RTP_CC_PADS_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* Adds @sink and @src to @element as one path: caps are proxied, queries and events
 * go from one to the other and never to a third pad. */
void gst_rtp_cc_add_pad_pair (GstElement *element, GstPad *sink, GstPad *src);

/* The two ends of a requested path, not added yet.  They are named by the requested sink template
 * and by the source template beside it ("src" where the former says "sink").
 * @wanted: the sink pad's name, NULL or the template's: number 0.  FALSE: no such name. */
gboolean gst_rtp_cc_make_pad_pair (GstElement *element, GstPadTemplate *templ,
    const gchar *wanted, GstPad **sink, GstPad **src);

/* The other end of a pad's path; a borrowed pad, which lives as long as its mate. */
GstPad *gst_rtp_cc_pad_mate (GstPad *pad);

G_END_DECLS
#endif
