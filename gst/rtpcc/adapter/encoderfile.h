/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * adapter/encoderfile.h - what is known of an encoder, and a file of what a user knows
 *
 * A key file with a group for each factory: property, unit (bit/s per unit of it; 1 where it is
 * left away), vbv-property (optional).
 */
#ifndef GST_RTP_CC_ENCODER_FILE_H
#define GST_RTP_CC_ENCODER_FILE_H

#include <gst/gst.h>

typedef struct {
  const gchar *factory;                 /* its name, or how it begins where this ends in '-' */
  const gchar *property;                /* PROPERTY, or PROPERTY.FIELD of a structure */
  guint unit;                           /* bit/s per unit of the property */
  const gchar *vbv_property;            /* VBV size in ms; NULL: has none */
  const gchar *note;                    /* what it needs, and how it follows; NULL: not tried */
} GstRtpCcEncoder;

/* Rows of GstRtpCcEncoder, whose strings live for ever.  NULL: @path cannot be read, or a group
 * makes no sense; @error says which. */
GArray *gst_rtp_cc_encoder_file_read (const gchar *path, GError **error);

#endif
