/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * common/pads.h - an element with several bumps on the wire
 */
#ifndef GST_RTP_CC_PADS_H
#define GST_RTP_CC_PADS_H

#include <gst/gst.h>

/* Adds @sink and @src to @element as one path. Caps are proxied; queries and events go from one
 * to the other and never to a third pad. */
void gst_rtp_cc_add_pad_pair (GstElement *element, GstPad *sink, GstPad *src);

/* The two ends of a requested path, not added yet.  They are named by the requested sink template
 * and by the source template beside it ("src" where the former says "sink").
 * @wanted: the sink pad's name, NULL or the template's: number 0.  *@place, behind the object
 * lock, has the sink pad from now on.  FALSE: it had one already, or there is no such name. */
gboolean gst_rtp_cc_claim_pad_pair (GstElement *element, GstPadTemplate *templ,
    const gchar *wanted, GstPad **place, GstPad **sink, GstPad **src);
/* Activates them, with all their functions, and adds them. */
void gst_rtp_cc_open_pad_pair (GstElement *element, GstPad *sink, GstPad *src);
/* For release_pad.  Nothing happens where @sink is not in *@place. */
void gst_rtp_cc_close_pad_pair (GstElement *element, GstPad **place, GstPad *sink);

/* rtpbin looks for pads of fixed names in what its request-... signals return (rtp_sink_0 and
 * rtp_src_0, rtp_sink and rtp_src, rtcp_sink_0 ...). The pads that are always there, @sink and
 * its mate, take the names that are meant, as in _claim_pad_pair(). They keep them until the pad
 * is released. The sink pad; NULL: they are linked, have another name already, or there is no
 * such name. */
GstPad *gst_rtp_cc_rename_pads (GstElement *element, const gchar *sink, GstPadTemplate *templ,
    const gchar *wanted);
/* For release_pad: they have their own names again.  FALSE: @pad is not renamed. */
gboolean gst_rtp_cc_rename_back (GstElement *element, GstPad *pad);

/* The other end of a pad's path; a borrowed pad, which lives as long as its mate. */
GstPad *gst_rtp_cc_pad_mate (GstPad *pad);

/* For a pad's iterate_internal_links: @pad alone. */
GstIterator *gst_rtp_cc_only_link (GstPad *pad);

#endif
