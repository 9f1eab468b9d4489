/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Whether a key frame begins in the payload of an RTP packet.
 */
#ifndef GST_RTP_CC_BIN_KEYFRAME_H
#define GST_RTP_CC_BIN_KEYFRAME_H

#include <gst/gst.h>

typedef gboolean (*GstRtpCcBinIsKey) (const guint8 * payload, guint size);

/* @encoding_name: as caps have it; NULL for what is not known, such as audio. */
GstRtpCcBinIsKey gst_rtp_cc_bin_is_key_of (const gchar * encoding_name);
/* A buffer that is no RTP begins none. */
gboolean gst_rtp_cc_bin_begins_key_frame (GstRtpCcBinIsKey is_key, GstBuffer * buffer);

#endif
