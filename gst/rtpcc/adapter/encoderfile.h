/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * adapter/encoderfile.h - encoders that a user adds to the table
 *
 * A key file with a group for each factory: property, unit (bit/s per unit of it; 1 where it is
 * left away), vbv-property (optional).
 */
#ifndef GST_RTP_CC_ENCODER_FILE_H
#define GST_RTP_CC_ENCODER_FILE_H

#include "rtpcc/adapter/encoders.h"

G_BEGIN_DECLS

/* Rows of GstRtpCcEncoder, whose strings live for ever.  NULL: @path cannot be read, or a group
 * makes no sense; @error says which. */
GArray *gst_rtp_cc_encoder_file_read (const gchar *path, GError **error);

G_END_DECLS
#endif
