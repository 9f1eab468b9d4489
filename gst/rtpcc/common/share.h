/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * common/share.h - one target among the encoders that follow it
 *
 * An event with a target reaches every encoder upstream (event.h).  It carries the share, where
 * each of them says what it can make use of, and reads its part.  All parts are equal but for
 * that: what is more than an encoder can use goes to the others.
 */
#ifndef GST_RTP_CC_SHARE_H
#define GST_RTP_CC_SHARE_H

#include <gst/gst.h>

#define GST_TYPE_RTP_CC_SHARE (gst_rtp_cc_share_get_type ())
GType gst_rtp_cc_share_get_type (void); /* boxed */

/* Thread-safe. */
typedef struct _GstRtpCcShare GstRtpCcShare;

GstRtpCcShare *gst_rtp_cc_share_new (void);
GstRtpCcShare *gst_rtp_cc_share_ref (GstRtpCcShare *share);
void gst_rtp_cc_share_unref (GstRtpCcShare *share);

/* @member follows the target, and can make use of @least to @most bit/s of it (G_MAXUINT: of any
 * rate).  @changed is called, with no lock held and @member alive, when its part may be another:
 * somebody else has joined or left, or can make use of another rate. */
void gst_rtp_cc_share_join (GstRtpCcShare *share, GstElement *member, guint least, guint most,
    void (*changed) (gpointer data), gpointer data);
/* It does no more.  At the latest when it is finalized. */
void gst_rtp_cc_share_leave (GstRtpCcShare *share, GstElement *member);

/* @member's part of @target; all of it for who has not joined.  All of a target of G_MAXUINT is
 * everybody's. */
guint gst_rtp_cc_share_part (GstRtpCcShare *share, GstElement *member, guint target);

#endif
