/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What a webrtcbin's descriptions say of the profile (RFC 4585).
 */
#ifndef GST_RTP_CC_BIN_DESCRIPTIONS_H
#define GST_RTP_CC_BIN_DESCRIPTIONS_H

#include <gst/gst.h>

/* The words of words.h for its local and its remote description; "" where nothing is wrong, or
 * @bin is no webrtcbin.  Static. */
const gchar *gst_rtp_cc_bin_descriptions_words (GstElement *bin);

#endif
