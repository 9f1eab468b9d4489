/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What a bin of ours does with the elements in front of it: it offers payloaders the header
 * extensions and payload types of a call, and lets the encoder follow the target.
 */
#ifndef GST_RTP_CC_BIN_UPSTREAM_H
#define GST_RTP_CC_BIN_UPSTREAM_H

#include <gst/gst.h>

#define GST_RTP_CC_BIN_ABS_SEND_TIME \
  "http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time"
#define GST_RTP_CC_BIN_TRANSPORT_WIDE \
  "http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01"
/* What both ends of a call assume where nobody said otherwise. */
#define GST_RTP_CC_BIN_EXTENSIONS \
  "extmap-3=(string)" GST_RTP_CC_BIN_ABS_SEND_TIME \
  ",extmap-5=(string)" GST_RTP_CC_BIN_TRANSPORT_WIDE

/* Payloaders linked to @pad, a sink pad, may write the extensions; with @types they also
 * take the payload type that the table has for their encoding. */
void gst_rtp_cc_bin_offer (GstPad *pad, gboolean types);

/* From a payload type of the table to that of its copies (RFC 4588). */
#define GST_RTP_CC_BIN_RTX_OFFSET 16
/* The payload-type-map of rtprtxsend and rtprtxreceive.  Free with gst_structure_free(). */
GstStructure *gst_rtp_cc_bin_rtx_map (void);

/* The type that @pt is of the copies of, by the table; 0: of none. */
guint gst_rtp_cc_bin_original_of (guint pt);

/* Caps of @pt by the table, or of copies; @encoding_name (may be NULL) is that of types which it
 * does not have, and of 96.  NULL: not known.  Free with gst_caps_unref(). */
GstCaps *gst_rtp_cc_bin_caps_of (guint pt, const gchar *encoding_name);

/* The id N of the field extmap-N of @caps (may be NULL) that is @uri; 0: none is. */
guint gst_rtp_cc_bin_extension_id (const GstCaps *caps, const gchar *uri);

/* The video encoder upstream of @sink that nobody adapts; NULL: there is none.  Unref it. */
GstElement *gst_rtp_cc_bin_find_encoder (GstPad *sink);

/* All the video encoders that feed @sink, through funnels, and that nobody adapts.  Free with
 * g_ptr_array_unref(). */
GPtrArray *gst_rtp_cc_bin_find_encoders (GstPad *sink);

/* Puts an rtpbitrateadapter of @bin behind @ghost where there is a video encoder upstream
 * that nobody adapts.  Again at each start: the encoder may be another one. */
void gst_rtp_cc_bin_adapt (GstBin *bin, GstPad *ghost);
/* What that has put there (transfer full); NULL: nothing. */
GstElement *gst_rtp_cc_bin_adapter_behind (GstPad *ghost);

#endif
