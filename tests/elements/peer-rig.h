/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * peer-rig.h - an rtpccsrc, and a peer made of a socket that sends it what a test says
 */
#ifndef PEER_RIG_H
#define PEER_RIG_H

#include <gio/gio.h>
#include <gst/rtp/gstrtcpbuffer.h>

#include "call-rig.h"

#define SLICE 0x41              /* of H.264, RFC 6184 1.3 */
#define KEY_SLICE 0x65
#define PACKETS 40              /* each time: more than a jitterbuffer wants to begin anew */

typedef struct {
  GstElement *pipeline, *source;
  GSocket *socket;
  GSocketAddress *there;
  gint pads, packets, ends;     /* atomic */
  gint mixed;                   /* packets of another stream than the one before; atomic */
  guint32 timestamp;
} Peer;

/* Of each pad the stream whose packet was the last. */
static inline GstPadProbeReturn
on_packet (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  Peer *peer = data;
  guint8 ssrc[4];
  gpointer last, now;

  gst_buffer_extract (GST_PAD_PROBE_INFO_BUFFER (info), 8, ssrc, sizeof ssrc);
  now = GUINT_TO_POINTER (GST_READ_UINT32_BE (ssrc));
  last = g_object_get_data (G_OBJECT (pad), "ssrc");
  if (last && last != now)
    g_atomic_int_inc (&peer->mixed);
  g_object_set_data (G_OBJECT (pad), "ssrc", now);
  g_atomic_int_inc (&peer->packets);
  return GST_PAD_PROBE_OK;
}

static inline GstPadProbeReturn
on_event (GstPad *pad, GstPadProbeInfo *info, gpointer ends)
{
  if (GST_EVENT_TYPE (GST_PAD_PROBE_INFO_EVENT (info)) == GST_EVENT_EOS)
    g_atomic_int_inc ((gint *) ends);
  return GST_PAD_PROBE_OK;
}

static inline void
on_pad (GstElement *source, GstPad *pad, Peer *peer)
{
  GstElement *sink;

  g_atomic_int_inc (&peer->pads);
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, on_packet, peer, NULL);
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, on_event, &peer->ends, NULL);
  sink = gst_element_factory_make ("fakesink", NULL);
  g_object_set (sink, "sync", FALSE, "async", FALSE, NULL);
  gst_bin_add (GST_BIN (peer->pipeline), sink);
  gst_element_sync_state_with_parent (sink);
  fail_unless (gst_element_link_pads (source, GST_PAD_NAME (pad), sink, "sink"));
}

/* The port is one that nobody has. */
static inline void
peer_init (Peer *peer)
{
  GInetAddress *loopback = g_inet_address_new_loopback (G_SOCKET_FAMILY_IPV4);
  GSocketAddress *any = g_inet_socket_address_new (loopback, 0);
  GstElement *source;

  *peer = (Peer) { 0 };
  peer->socket = g_socket_new (G_SOCKET_FAMILY_IPV4, G_SOCKET_TYPE_DATAGRAM,
      G_SOCKET_PROTOCOL_UDP, NULL);
  fail_unless (g_socket_bind (peer->socket, any, FALSE, NULL));
  peer->there = g_socket_get_local_address (peer->socket, NULL);
  g_object_unref (peer->socket);
  peer->socket = g_socket_new (G_SOCKET_FAMILY_IPV4, G_SOCKET_TYPE_DATAGRAM,
      G_SOCKET_PROTOCOL_UDP, NULL);
  peer->pipeline = gst_pipeline_new (NULL);
  source = parse_call (g_strdup_printf ("rtpccsrc latency=20 "
          "uri=rtp://127.0.0.1:%u?rtcp-mux=true",
          g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (peer->there))));
  peer->source = source;
  gst_bin_add (GST_BIN (peer->pipeline), source);
  g_signal_connect (source, "pad-added", G_CALLBACK (on_pad), peer);
  play_call (peer->pipeline);
  g_object_unref (any);
  g_object_unref (loopback);
}

static inline void
peer_clear (Peer *peer)
{
  end_call (peer->pipeline);
  g_object_unref (peer->socket);
  g_object_unref (peer->there);
}

static inline void
send_bytes (Peer *peer, gconstpointer bytes, gsize size)
{
  fail_unless (g_socket_send_to (peer->socket, peer->there, bytes, size, NULL, NULL)
      == (gssize) size);
}

/* With @head, of the unit of H.264 that it carries.  The next number. */
static inline guint16
send_unit (Peer *peer, guint32 ssrc, guint16 seq, guint8 head)
{
  GstBuffer *packet = rtp_packet (ssrc, seq, peer->timestamp += 900, TRUE, 100);
  GstMapInfo map;

  gst_buffer_memset (packet, 12, head, 1);
  gst_buffer_map (packet, &map, GST_MAP_READ);
  send_bytes (peer, map.data, map.size);
  gst_buffer_unmap (packet, &map);
  gst_buffer_unref (packet);
  return (guint16) (seq + 1);
}

static inline guint16
send_one (Peer *peer, guint32 ssrc, guint16 seq)
{
  return send_unit (peer, ssrc, seq, SLICE);
}

/* Packets of @ssrc from @seq on, until the receiver has passed PACKETS / 2 more of any; which would
 * be next. */
static inline guint16
send_until_heard (Peer *peer, guint32 ssrc, guint16 seq)
{
  const gint before = g_atomic_int_get (&peer->packets);
  guint tries = 0;

  while (g_atomic_int_get (&peer->packets) < before + PACKETS / 2) {
    seq = send_one (peer, ssrc, seq);
    no_error (peer->pipeline);
    fail_unless (tries++ < 1000, "nothing passes of %u", ssrc);
    g_usleep (5000);
  }
  return seq;
}

/* SR or RR, CNAME, and perhaps BYE. */
static inline void
send_report (Peer *peer, guint32 ssrc, gboolean sender, guint32 packets, gboolean bye)
{
  GstBuffer *buffer = gst_rtcp_buffer_new (1000);
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstRTCPPacket packet;
  GstMapInfo map;

  gst_rtcp_buffer_map (buffer, GST_MAP_READWRITE, &rtcp);
  gst_rtcp_buffer_add_packet (&rtcp, sender ? GST_RTCP_TYPE_SR : GST_RTCP_TYPE_RR, &packet);
  if (sender)
    gst_rtcp_packet_sr_set_sender_info (&packet, ssrc, 1, 1, packets, 100 * packets);
  else
    gst_rtcp_packet_rr_set_ssrc (&packet, ssrc);
  gst_rtcp_buffer_add_packet (&rtcp, GST_RTCP_TYPE_SDES, &packet);
  gst_rtcp_packet_sdes_add_item (&packet, ssrc);
  gst_rtcp_packet_sdes_add_entry (&packet, GST_RTCP_SDES_CNAME, 4, (const guint8 *) "peer");
  if (bye) {
    gst_rtcp_buffer_add_packet (&rtcp, GST_RTCP_TYPE_BYE, &packet);
    gst_rtcp_packet_bye_add_ssrc (&packet, ssrc);
  }
  gst_rtcp_buffer_unmap (&rtcp);
  gst_buffer_map (buffer, &map, GST_MAP_READ);
  send_bytes (peer, map.data, map.size);
  gst_buffer_unmap (buffer, &map);
  gst_buffer_unref (buffer);
}

static inline gboolean
has_warned (GstElement *pipeline)
{
  GstBus *bus = gst_element_get_bus (pipeline);
  GstMessage *message = gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING);
  const gboolean warned = message != NULL;

  if (message)
    gst_message_unref (message);
  gst_object_unref (bus);
  return warned;
}

/* An even port that is free, and its next. */
static inline guint
free_ports (void)
{
  for (;;) {
    const guint port = (guint) g_random_int_range (5000, 15000) * 2;
    gboolean is_free = TRUE;

    for (guint i = 0; i < 2; i++) {
      GSocketAddress *a = g_inet_socket_address_new_from_string ("127.0.0.1", port + i);
      GSocket *socket = g_socket_new (G_SOCKET_FAMILY_IPV4, G_SOCKET_TYPE_DATAGRAM,
          G_SOCKET_PROTOCOL_UDP, NULL);

      is_free = is_free && g_socket_bind (socket, a, FALSE, NULL);
      g_object_unref (socket);
      g_object_unref (a);
    }
    if (is_free)
      return port;
  }
}

#endif
