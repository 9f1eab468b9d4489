/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * bin/properties.h - properties that several bins have
 */
#ifndef GST_RTP_CC_BIN_PROPERTIES_H
#define GST_RTP_CC_BIN_PROPERTIES_H

#include <gst/gst.h>

/* Readable and writable. */
void gst_rtp_cc_bin_install_uint (GObjectClass *klass, guint id, const gchar *name, guint least,
    guint value, const gchar *blurb);
void gst_rtp_cc_bin_install_boolean (GObjectClass *klass, guint id, const gchar *name,
    gboolean value, const gchar *blurb);

void gst_rtp_cc_bin_install_enum (GObjectClass *klass, guint id, const gchar *name, GType type,
    gint value, const gchar *blurb);

/* latency, which is @value at first, and max-latency: @first and the next. */
void gst_rtp_cc_bin_install_latency (GObjectClass *klass, guint first, guint value);
void gst_rtp_cc_bin_install_max_latency (GObjectClass *klass, guint id);

/* min-bitrate, max-bitrate and start-bitrate, which @start describes: @first and the next two. */
void gst_rtp_cc_bin_install_rates (GObjectClass *klass, guint first, const gchar *start);
/* What the three are at first, bit/s, and max-latency, ms: who waits longer talks by turns. */
#define GST_RTP_CC_BIN_MIN_BPS 50000
#define GST_RTP_CC_BIN_MAX_BPS 10000000
#define GST_RTP_CC_BIN_START_BPS 300000
#define GST_RTP_CC_BIN_MAX_LATENCY 1000

/* Readable: estimated-bitrate, the sum of all sessions, and stats. */
void gst_rtp_cc_bin_install_estimate (GObjectClass *klass, guint id);
void gst_rtp_cc_bin_install_stats (GObjectClass *klass, guint id, const gchar *blurb);

#endif
