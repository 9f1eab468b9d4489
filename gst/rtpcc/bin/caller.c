/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/bin/caller.h"

#include <string.h>
#include <gst/net/net.h>

#include "rtpcc/bin/source.h"

#define SAY_AGAIN (5 * G_TIME_SPAN_SECOND)      /* else who forges RTCP could fill the bus */

void
gst_rtp_cc_bin_caller_init (GstRtpCcBinCaller * c, GstElement * owner, GstElement * call,
    GstElement * rtcp_sink)
{
  *c = (GstRtpCcBinCaller) {
  .owner = owner,.call = call,.rtcp_sink = rtcp_sink};
}

void
gst_rtp_cc_bin_caller_reset (GstRtpCcBinCaller * c)
{
  memset (&c->peers, 0, sizeof c->peers);
  memset (c->crowded, 0, sizeof c->crowded);
  c->moved = 0;
  g_signal_emit_by_name (c->rtcp_sink, "clear");
}

static gboolean
has_sent (GstRtpCcBinCaller * c, guint32 ssrc)
{
  return gst_rtp_cc_bin_source_has_sent (c->call, 0, ssrc);
}

/* NULL: it is not known. */
static GInetSocketAddress *
origin_of (GstBuffer * buffer)
{
  GstNetAddressMeta *meta = gst_buffer_get_net_address_meta (buffer);

  return meta && G_IS_INET_SOCKET_ADDRESS (meta->addr) ? G_INET_SOCKET_ADDRESS (meta->addr) : NULL;
}

static gchar *
host_of (GInetSocketAddress * address)
{
  return g_inet_address_to_string (g_inet_socket_address_get_address (address));
}

/* Once each: until RTCP has come nobody knows which host is the call's. */
static void
say_crowded (GstRtpCcBinCaller * c, const gchar * host, gboolean known)
{
  if (!g_atomic_int_compare_and_exchange (&c->crowded[known], FALSE, TRUE))
    return;
  if (known)
    GST_ELEMENT_WARNING (c->owner, RESOURCE, READ, ("Packets of more than %d SSRCs came from "
            "another host than the sender's RTCP, or of more than %d from several. More of that "
            "is dropped: keep such packets out by a firewall.", RCC_PEER_OF_HOST,
            RCC_PEER_STRANGERS), (NULL));
  else
    GST_ELEMENT_WARNING (c->owner, RESOURCE, READ, ("Packets of more than %d SSRCs came from %s, "
            "or of more than %d from several hosts, and no RTCP of theirs. More of that is dropped "
            "until RTCP tells which host is the sender's: make it send RTCP, or fewer streams.",
            RCC_PEER_OF_HOST, host, RCC_PEER_STRANGERS), (NULL));
}

gboolean
gst_rtp_cc_bin_caller_lets_in (GstRtpCcBinCaller * c, GstBuffer * buffer, gsize offset)
{
  GInetSocketAddress *origin = origin_of (buffer);
  g_autofree gchar *host = origin ? host_of (origin) : NULL;
  guint8 ssrc[4] = { 0 };
  gboolean in, known;

  if (!host)
    return TRUE;
  gst_buffer_extract (buffer, offset, ssrc, sizeof ssrc);
  GST_OBJECT_LOCK (c->owner);
  in = rcc_peers_let_in (&c->peers, GST_READ_UINT32_BE (ssrc), host);
  known = c->peers.media[0] != 0;
  GST_OBJECT_UNLOCK (c->owner);
  if (in || has_sent (c, GST_READ_UINT32_BE (ssrc)))
    return TRUE;
  say_crowded (c, host, known);
  return FALSE;
}

static void
say_moved (GstRtpCcBinCaller * c, const RccPeers * peers)
{
  const RccPeer *before = &peers->entries[0], *now = before + peers->n - 1;
  const gint64 time = g_get_monotonic_time ();

  if (c->moved && time - c->moved < SAY_AGAIN)
    return;
  c->moved = time;
  GST_ELEMENT_WARNING (c->owner, RESOURCE, READ, ("The sender's RTCP comes from %s port %u as "
          "well as from %s port %u: it has started again, or its address has changed, or somebody "
          "forges. Feedback goes to both until one is silent.", now->host, now->port,
          before->host, before->port), (NULL));
}

static void
report_to (GstElement * rtcp_sink, const RccPeers * peers)
{
  g_signal_emit_by_name (rtcp_sink, "clear");
  for (guint i = 0; i < peers->n; i++)
    g_signal_emit_by_name (rtcp_sink, "add", peers->entries[i].host,
        (gint) peers->entries[i].port);
}

/* Feedback goes to where RTCP comes from. */
static gboolean
note (GstRtpCcBinCaller * c, GInetSocketAddress * from, guint32 ssrc)
{
  g_autofree gchar *host = host_of (from);
  const guint16 port = g_inet_socket_address_get_port (from);
  const gboolean member = has_sent (c, ssrc);
  gboolean changed, admitted;
  RccPeers peers;
  guint before;

  GST_OBJECT_LOCK (c->owner);
  before = c->peers.n;
  changed = rcc_peers_heard (&c->peers, host, port, ssrc, member,
      (RccTime) g_get_monotonic_time () * GST_USECOND);
  admitted = rcc_peers_admit (&c->peers, host, port, member);
  peers = c->peers;
  GST_OBJECT_UNLOCK (c->owner);
  if (changed)
    report_to (c->rtcp_sink, &peers);
  if (peers.n > MAX (before, 1))
    say_moved (c, &peers);
  return admitted;
}

gboolean
gst_rtp_cc_bin_caller_heard (GstRtpCcBinCaller * c, GstBuffer * rtcp)
{
  GInetSocketAddress *origin = origin_of (rtcp);
  guint8 ssrc[4];

  return origin && gst_buffer_extract (rtcp, 4, ssrc, sizeof ssrc) == sizeof ssrc
      && note (c, origin, GST_READ_UINT32_BE (ssrc));
}
