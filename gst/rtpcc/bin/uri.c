/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/bin/uri.h"

#include "rtpcc/bin/net.h"
#include "rtpcc/bin/properties.h"

#define KEY "rtpcc-uri"

static void
free_uri (gpointer data)
{
  GstRtpCcBinUri *uri = data;

  g_free (uri->text);
  g_free (uri->host);
  g_free (uri->error);
  g_free (uri);
}

GstRtpCcBinUri *
gst_rtp_cc_bin_uri_of (gpointer element)
{
  GstRtpCcBinUri *uri = g_object_get_data (element, KEY);

  if (uri)
    return uri;
  uri = g_new0 (GstRtpCcBinUri, 1);
  g_object_set_data_full (element, KEY, uri, free_uri);
  return uri;
}

gboolean
gst_rtp_cc_bin_uri_set (gpointer element, const gchar * text, GError ** error)
{
  GstRtpCcBinUri *uri = gst_rtp_cc_bin_uri_of (element);
  GError *cause = NULL;

  g_clear_pointer (&uri->error, g_free);
  g_free (uri->text);
  uri->text = g_strdup (text);
  if (gst_rtp_cc_net_parse (element, text ? text : "", &uri->host, &uri->port,
          &cause))
    return TRUE;
  uri->error = g_strdup (cause->message);
  g_propagate_error (error, cause);
  return FALSE;
}

gboolean
gst_rtp_cc_bin_uri_check (gpointer element, GError ** error)
{
  const GstRtpCcBinUri *uri = gst_rtp_cc_bin_uri_of (element);

  if (uri->error)
    g_set_error_literal (error, GST_URI_ERROR, GST_URI_ERROR_BAD_URI,
        uri->error);
  return !uri->error;
}

/* --- the interface -------------------------------------------------------- */

static GstURIType
sink_type (GType type)
{
  return GST_URI_SINK;
}

static GstURIType
src_type (GType type)
{
  return GST_URI_SRC;
}

static const gchar *const *
get_protocols (GType type)
{
  static const gchar *const protocols[] = { "rtp", NULL };

  return protocols;
}

static gchar *
get_uri (GstURIHandler * handler)
{
  return g_strdup (gst_rtp_cc_bin_uri_of (handler)->text);
}

static gboolean
set_uri (GstURIHandler * handler, const gchar * text, GError ** error)
{
  return gst_rtp_cc_bin_uri_set (handler, text, error);
}

static void
init (GstURIHandlerInterface * handler, GstURIType (*type) (GType))
{
  handler->get_type = type;
  handler->get_protocols = get_protocols;
  handler->get_uri = get_uri;
  handler->set_uri = set_uri;
}

void
gst_rtp_cc_bin_uri_sink_init (gpointer handler, gpointer data)
{
  init (handler, sink_type);
}

void
gst_rtp_cc_bin_uri_src_init (gpointer handler, gpointer data)
{
  init (handler, src_type);
}

/* --- properties ----------------------------------------------------------- */

void
gst_rtp_cc_bin_uri_install (GObjectClass * klass, guint id, const gchar * text,
    const gchar * blurb)
{
  g_object_class_install_property (klass, id, g_param_spec_string ("uri", "URI",
          blurb, text, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS));
}

void
gst_rtp_cc_bin_uri_install_mux (GObjectClass * klass, guint id,
    const gchar * blurb)
{
  gst_rtp_cc_bin_install_boolean (klass, id, "rtcp-mux", FALSE, blurb);
}
