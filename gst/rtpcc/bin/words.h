/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What limits a call, and what it is missing, in a sentence each.
 */
#ifndef GST_RTP_CC_BIN_WORDS_H
#define GST_RTP_CC_BIN_WORDS_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* For @limited_by of a controller's stats.  Static. */
const gchar *gst_rtp_cc_bin_limit_words (const gchar *limited_by);
/* @controller: its stats; "" where nothing is missing.  Static. */
const gchar *gst_rtp_cc_bin_missing_words (const GstStructure *controller);

/* What was said last.  Static texts, never NULL; under the owner's object lock. */
typedef struct {
  const gchar *limit, *missing;
} GstRtpCcBinWords;

void gst_rtp_cc_bin_words_init (GstRtpCcBinWords *words);
/* @limit NULL: as it was.  A structure of the owner's type name to post, with both; NULL: neither
 * has changed. */
GstStructure *gst_rtp_cc_bin_words_change (GstRtpCcBinWords *words, GstObject *owner,
    const gchar *limit, const gchar *missing);

G_END_DECLS
#endif
