/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * bin/uri.h - the address of an rtpccsink or rtpccsrc, and its interface GstURIHandler
 */
#ifndef GST_RTP_CC_BIN_URI_H
#define GST_RTP_CC_BIN_URI_H

#include <gst/gst.h>

typedef struct
{
  gchar *text, *host, *error;   /* error: what is wrong with text, NULL: nothing */
  guint port;
} GstRtpCcBinUri;

/* The element's own, which lives as long. */
GstRtpCcBinUri *gst_rtp_cc_bin_uri_of (gpointer element);

/* Parses @text, which may name properties of @element to set.  FALSE: @error, which may be NULL,
 * says what is wrong. */
gboolean gst_rtp_cc_bin_uri_set (gpointer element, const gchar *text, GError **error);
/* Whether the last text was an address. */
gboolean gst_rtp_cc_bin_uri_check (gpointer element, GError **error);

/* For G_IMPLEMENT_INTERFACE. */
void gst_rtp_cc_bin_uri_sink_init (gpointer handler, gpointer data);
void gst_rtp_cc_bin_uri_src_init (gpointer handler, gpointer data);

/* The properties "uri" and "rtcp-mux". */
void gst_rtp_cc_bin_uri_install (GObjectClass *klass, guint id, const gchar *text,
    const gchar *blurb);
void gst_rtp_cc_bin_uri_install_mux (GObjectClass *klass, guint id, const gchar *blurb);

#endif
