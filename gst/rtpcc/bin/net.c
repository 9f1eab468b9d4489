/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/bin/net.h"

static gboolean
set_query (GObject * object, const GstUri * uri, GError ** error)
{
  GHashTable *table = gst_uri_get_query_table (uri);
  GHashTableIter iter;
  gpointer name, value;
  gboolean known = TRUE;
  GParamSpec *pspec;

  if (!table)
    return TRUE;
  g_hash_table_iter_init (&iter, table);
  while (known && g_hash_table_iter_next (&iter, &name, &value)) {
    pspec = g_object_class_find_property (G_OBJECT_GET_CLASS (object), name);
    known = pspec && g_strcmp0 (name, "uri") && value;
    if (!known)
      g_set_error (error, GST_URI_ERROR, GST_URI_ERROR_BAD_REFERENCE,
          "\"%s\" behind the ? of the URI is no property: gst-inspect-1.0 %s has them.",
          (gchar *) name, G_OBJECT_TYPE_NAME (object));
    else if (!(pspec->flags & G_PARAM_READABLE)) {
      g_set_error (error, GST_URI_ERROR, GST_URI_ERROR_BAD_REFERENCE,
          "A %s in the URI would be in every log: set the property %s.",
          (gchar *) name, (gchar *) name);
      known = FALSE;
    } else
      gst_util_set_object_arg (object, name, value);
  }
  g_hash_table_unref (table);
  return known;
}

gboolean
gst_rtp_cc_net_parse (GObject * object, const gchar * text, gchar ** host,
    guint * port, GError ** error)
{
  GstUri *uri = gst_uri_from_string (text);
  const gboolean right = uri && !g_strcmp0 (gst_uri_get_scheme (uri), "rtp")
      && gst_uri_get_host (uri) && *gst_uri_get_host (uri);
  const guint number = right ? gst_uri_get_port (uri) : 0;
  gboolean done = FALSE;

  if (!right)
    g_set_error (error, GST_URI_ERROR, GST_URI_ERROR_BAD_URI,
        "\"%s\" is no address: write rtp://HOST:PORT, IPv6 as rtp://[::1]:5004.",
        text);
  else if (number < 1 || number > 65534)
    g_set_error (error, GST_URI_ERROR, GST_URI_ERROR_BAD_URI,
        "The port of \"%s\" is bad or missing: write one from 1 to 65534, as in "
        "rtp://%s:5004.", text, gst_uri_get_host (uri));
  else if (set_query (object, uri, error)) {
    g_free (*host);
    *host = g_strdup (gst_uri_get_host (uri));
    *port = number;
    done = TRUE;
  }
  if (uri)
    gst_uri_unref (uri);
  return done;
}

static GInetAddress *
resolve (const gchar * host, GError ** error)
{
  GInetAddress *address = g_inet_address_new_from_string (host);
  GResolver *resolver;
  GList *found;
  GError *cause = NULL;

  if (address)
    return address;
  resolver = g_resolver_get_default ();
  found = g_resolver_lookup_by_name (resolver, host, NULL, &cause);
  g_object_unref (resolver);
  if (found)
    address = g_object_ref (found->data);
  else
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND,
        "The host \"%s\" is not known (%s): check its spelling and the network.",
        host, cause ? cause->message : "no address");
  g_clear_error (&cause);
  g_resolver_free_addresses (found);
  return address;
}

GSocket *
gst_rtp_cc_net_open (const gchar * host, guint port, gboolean peer,
    gchar ** address, GError ** error)
{
  GInetAddress *inet = resolve (host, error), *local;
  GSocketAddress *bound;
  GSocket *socket;
  GError *cause = NULL;

  if (!inet)
    return NULL;
  local = peer ? g_inet_address_new_any (g_inet_address_get_family (inet))
      : g_object_ref (inet);
  bound = g_inet_socket_address_new (local, peer ? 0 : (guint16) port);
  socket = g_socket_new (g_inet_address_get_family (inet),
      G_SOCKET_TYPE_DATAGRAM, G_SOCKET_PROTOCOL_UDP, &cause);
  if (socket && !g_socket_bind (socket, bound, FALSE, &cause))
    g_clear_object (&socket);
  if (!socket)
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_OPEN_READ,
        "Port %u of %s cannot be had (%s): end who has it, or take another port.",
        port, host, cause ? cause->message : "unknown");
  else if (address)
    *address = g_inet_address_to_string (inet);
  g_clear_error (&cause);
  g_object_unref (bound);
  g_object_unref (local);
  g_object_unref (inet);
  return socket;
}

void
gst_rtp_cc_net_use (GSocket * socket, GstElement * sink, GstElement * src)
{
  g_object_set (sink, g_socket_get_family (socket) == G_SOCKET_FAMILY_IPV6
      ? "socket-v6" : "socket", socket, "close-socket", FALSE, NULL);
  if (src)
    g_object_set (src, "socket", socket, "close-socket", FALSE, NULL);
}

GstPad *
gst_rtp_cc_net_feed (GstPad * src, gboolean encrypted)
{
  GstPad *sink = gst_pad_get_peer (src);
  GstPad *feed = gst_object_ref_sink (gst_pad_new (NULL, GST_PAD_SRC));
  GstCaps *caps = gst_caps_new_empty_simple (encrypted
      ? "application/x-srtcp" : "application/x-rtcp");
  GstSegment segment;

  gst_pad_unlink (src, sink);
  gst_pad_set_active (feed, TRUE);
  gst_pad_link (feed, sink);
  gst_object_unref (sink);
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_push_event (feed, gst_event_new_stream_start ("rtcp"));
  gst_pad_push_event (feed, gst_event_new_caps (caps));
  gst_pad_push_event (feed, gst_event_new_segment (&segment));
  gst_caps_unref (caps);
  return feed;
}

void
gst_rtp_cc_net_install_key (GObjectClass * klass, guint id)
{
  g_object_class_install_property (klass, id, g_param_spec_string ("key", "Key",
          "Encrypts and authenticates RTP and RTCP (SRTP, AES_CM_128_HMAC_SHA1_80): 30 bytes "
          "in base64, the same at both ends, another for each call; takes effect in READY",
          NULL, G_PARAM_WRITABLE | G_PARAM_STATIC_STRINGS
          | GST_PARAM_MUTABLE_READY));
}
