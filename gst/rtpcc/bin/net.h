/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What rtpccsink and rtpccsrc share: rtp:// URIs and the sockets of a call.
 */
#ifndef GST_RTP_CC_BIN_NET_H
#define GST_RTP_CC_BIN_NET_H

#include <gio/gio.h>
#include <gst/gst.h>

/* rtp://HOST:PORT?NAME=VALUE&...: HOST a name or an address, IPv6 in brackets; PORT 1 to
 * 65534; each NAME a property of @object, which is set.  FALSE: @error says what to do. */
gboolean gst_rtp_cc_net_parse (GObject *object, const gchar *uri, gchar **host,
    guint *port, GError **error);

/* A UDP socket.  @peer: what the host must be reachable by, as the socket's family follows
 * from it; else @host is bound to, with @port.  NULL: @error says what to do. */
GSocket *gst_rtp_cc_net_open (const gchar *host, guint port, gboolean peer, gchar **address,
    GError **error);

/* Lets udpsink @sink send, and udpsrc @src (may be NULL) receive, through @socket. */
void gst_rtp_cc_net_use (GSocket *socket, GstElement *sink, GstElement *src);

/* A pad of nobody, linked in the place of @src, through which RTCP is pushed on. */
GstPad *gst_rtp_cc_net_feed (GstPad *src, gboolean encrypted);

/* The property "key", for srtp.h. */
void gst_rtp_cc_net_install_key (GObjectClass *klass, guint id);

#endif
