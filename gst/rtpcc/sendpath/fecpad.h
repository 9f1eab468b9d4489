/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * sendpath/fecpad.h - the source pad on which parity is a stream of its own
 *
 * It begins with the first parity: stream-start, caps and segment, which follow those of
 * the media from then on.  Any thread; nothing is locked across a push.
 */
#ifndef GST_RTP_CC_FEC_PAD_H
#define GST_RTP_CC_FEC_PAD_H

#include <gst/gst.h>

typedef struct {
  GstElement *element;          /* all else is 0 at first */

  /* the element's object lock */
  GstPad *pad;                  /* NULL: nobody has requested it */
  guint pt;
  guint32 ssrc;
  gboolean flexfec;
  gboolean started;             /* stream-start has gone out */
  gboolean need_caps, need_segment;
} GstRtpCcFecPad;

/* Of the parity from now on; posts nothing, pushes nothing. */
void gst_rtp_cc_fec_pad_configure (GstRtpCcFecPad *f, guint pt, guint32 ssrc,
    gboolean flexfec);
/* READY: what comes next begins anew. */
void gst_rtp_cc_fec_pad_reset (GstRtpCcFecPad *f);

/* The pad, added to the element; NULL: it is there already. */
GstPad *gst_rtp_cc_fec_pad_request (GstRtpCcFecPad *f, GstPadTemplate *templ);
void gst_rtp_cc_fec_pad_release (GstRtpCcFecPad *f, GstPad *pad);

/* A downstream event of the media, on its way past (borrowed). */
void gst_rtp_cc_fec_pad_event (GstRtpCcFecPad *f, GstPad *media, GstEvent *event);
/* Pushes @parity, or else @list (takes both), with what has to go before it; @media: where
 * the media comes in.  Returns @flow, unless that is OK and the pad has an error. */
GstFlowReturn gst_rtp_cc_fec_pad_push (GstRtpCcFecPad *f, GstPad *media,
    GstBuffer *parity, GstBufferList *list, GstFlowReturn flow);

#endif
