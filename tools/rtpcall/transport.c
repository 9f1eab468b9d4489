/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Over UDP: the receiver has two known ports, the sender none.  The sender's RTCP
 * leaves from one socket, and what comes back to that socket is the receiver's. The receiver
 * reports to where RTCP of the call came from (wire/peers.h). As the first report is seconds
 * away, the sender knocks with empty receiver reports until it hears something.
 */
#include "goodbye.h"
#include "streams.h"
#include "wire/peers.h"
#include "wire/rtcp.h"

#include <gio/gio.h>
#include <gst/net/gstnetaddressmeta.h>
#include <string.h>

#define KNOCK_INTERVAL_MS 200
#define KNOCK_BYTES 8                   /* an empty receiver report */
#define GOODBYE_MS 600                  /* after what the jitterbuffer has is out */

/* Where RTCP enters the sender. */
static GstElement *
sender_rtcp (Call *call, const char **pad)
{
  *pad = "rtcp_sink";
  return call->mux;
}

/* Where RTCP leaves the sender. */
static GstElement *
sender_rtcp_src (Call *call, const char **pad)
{
  *pad = call->rtcp_src ? "send_rtcp_src" : "send_rtcp_src_0";
  return call->rtcp_src ? call->rtcp_src : call->send_rtpbin;
}

/* Where RTP enters the receiver. */
static GstElement *
receiver_rtp (Call *call, const char **pad)
{
  *pad = call->estimator ? "sink" : "recv_rtp_sink_0";
  return call->estimator ? call->estimator : call->recv_rtpbin;
}

/* Where RTCP leaves the receiver. */
static GstElement *
receiver_rtcp (Call *call, const char **pad)
{
  *pad = call->estimator ? "rtcp_src" : "send_rtcp_src_0";
  return call->estimator ? call->estimator : call->recv_rtpbin;
}

/* Where RTCP enters the receiver. */
static GstElement *
receiver_rtcp_sink (Call *call, const char **pad)
{
  const gboolean listens = call->options->feedback_name && call->options->feedback == CALL_XR;

  *pad = listens ? "recv_rtcp_sink" : "recv_rtcp_sink_0";
  return listens ? call->estimator : call->recv_rtpbin;
}

/* What the receiver knows of the packets: udpsrc's caps, or in place of it. */
static gchar *
network_caps (Call *call)
{
  g_autofree char *fields = call_rtp_caps_fields (call->options);

  return g_strdup_printf ("application/x-rtp,%s", fields);
}

static gboolean
add_link (Call *call, GError **error)
{
  const char *rtp_pad, *back_pad, *sender_pad, *rtcp_src_pad, *rtcp_sink_pad;
  GstElement *rtp = receiver_rtp (call, &rtp_pad);
  GstElement *back = receiver_rtcp (call, &back_pad);
  GstElement *sender = sender_rtcp (call, &sender_pad);
  GstElement *rtcp_src = sender_rtcp_src (call, &rtcp_src_pad),
      *rtcp_sink = receiver_rtcp_sink (call, &rtcp_sink_pad);
  g_autofree char *text = network_caps (call);
  GstElement *link = call_add (call, error, "linksim", "scenario", call->options->link, NULL);
  GstElement *caps = call_add (call, error, "capssetter", "replace", "true", "caps", text,
      NULL);

  call->link = link;
  return link && caps
      && call_link (error, call->send_rtpbin, "send_rtp_src_0", link, "sink")
      && call_link (error, link, "src", caps, "sink")
      && call_link (error, caps, "src", rtp, rtp_pad)
      && call_link (error, rtcp_src, rtcp_src_pad, link, "fwd_sink_0")
      && call_link (error, link, "fwd_src_0", rtcp_sink, rtcp_sink_pad)
      && call_bridge (call, back, back_pad, link, "rev_sink_0", error)
      && call_bridge (call, link, "rev_src_0", sender, sender_pad, error);
}

/* --- UDP ------------------------------------------------------------------ */

/* Port 0: any that is free. */
static GSocket *
bind_socket (GSocketFamily family, guint port, GError **error)
{
  GError *why = NULL;
  GSocket *s = g_socket_new (family, G_SOCKET_TYPE_DATAGRAM, G_SOCKET_PROTOCOL_UDP, &why);
  g_autoptr (GInetAddress) any = g_inet_address_new_any (family);
  g_autoptr (GSocketAddress) address = g_inet_socket_address_new (any, (guint16) port);

  if (s && g_socket_bind (s, address, FALSE, &why))
    return s;
  if (g_error_matches (why, G_IO_ERROR, G_IO_ERROR_ADDRESS_IN_USE))
    call_fail (error, "UDP port %u is in use: end the program that has it, or choose "
        "another port (a call takes PORT and PORT+1)", port);
  else
    call_fail (error, "UDP port %u cannot be opened: %s", port, why->message);
  g_error_free (why);
  g_clear_object (&s);
  return NULL;
}

/* udpsrc of GStreamer 1.22 stamps what came before the pipeline's time began, or while the
 * machine's was set, with the clock's time in place of the running time.  That is hours from now:
 * the jitterbuffer would hold its stream for so long. */
static GstPadProbeReturn
mend_stamp (GstPad *pad, GstPadProbeInfo *info, gpointer source)
{
  const GstClockTime now = gst_element_get_current_running_time (source);
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (info);

  if (!GST_BUFFER_DTS_IS_VALID (buffer) || !GST_CLOCK_TIME_IS_VALID (now)
      || GST_BUFFER_DTS (buffer) <= now)
    return GST_PAD_PROBE_OK;
  GST_PAD_PROBE_INFO_DATA (info) = buffer = gst_buffer_make_writable (buffer);
  GST_BUFFER_DTS (buffer) = now;
  GST_BUFFER_PTS (buffer) = GST_CLOCK_TIME_NONE;
  return GST_PAD_PROBE_OK;
}

static void
add_probe (GstElement *source, GstPadProbeCallback probe, gpointer data)
{
  GstPad *pad = gst_element_get_static_pad (source, "src");

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, probe, data, NULL);
  gst_object_unref (pad);
}

/* The session does not see where packets come from.  It would take a change of address for a
 * collision (RFC 3550 8.2) and drop all that comes.  With favor-new one forged packet would make
 * it drop what comes from the true address.  Two ends with one SSRC are not noticed then. */
static GstElement *
add_udp_source (Call *call, GSocket *s, const char *caps, gboolean asks_who, GError **error)
{
  GstElement *source = call_add (call, error, "udpsrc", "close-socket", "false", "caps",
      caps, "socket-timestamp", "realtime", "retrieve-sender-address",
      asks_who ? "true" : "false", NULL);

  if (!source)
    return NULL;
  g_object_set (source, "socket", s, NULL);
  add_probe (source, mend_stamp, source);
  return source;
}

static GstElement *
add_udp_sink (Call *call, GSocket *s, GError **error)
{
  GstElement *sink = call_add (call, error, "multiudpsink", "sync", "false", "async",
      "false", "close-socket", "false", NULL);

  if (sink)
    g_object_set (sink, g_socket_get_family (s) == G_SOCKET_FAMILY_IPV6 ? "socket-v6"
        : "socket", s, NULL);
  return sink;
}

typedef struct {
  Call *call;
  GSocket *socket;
  GSocketAddress *to;
  gint heard;
  gboolean said;                /* that nothing can be sent */
} Knock;

static void
knock_free (gpointer data)
{
  Knock *k = data;

  g_object_unref (k->socket);
  g_object_unref (k->to);
  g_free (k);
}

/* An unreachable port is no error: the receiver may start later.  multiudpsink says nothing
 * where there is no way there at all. */
static gboolean
knock (gpointer data)
{
  guint8 empty_report[KNOCK_BYTES] = { 0x80, 201, 0, 1 };
  Knock *k = data;
  g_autoptr (GError) error = NULL;

  if (g_atomic_int_get (&k->heard))
    return G_SOURCE_REMOVE;
  GST_WRITE_UINT32_BE (empty_report + 4, k->call->video_ssrc);
  if (g_socket_send_to (k->socket, k->to, (char *) empty_report, KNOCK_BYTES, NULL, &error) < 0
      && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CONNECTION_REFUSED) && !k->said) {
    g_printerr ("\nrtpcall: nothing can be sent to %s: %s; is there a network?\n",
        k->call->options->host, error->message);
    k->said = TRUE;
  }
  return G_SOURCE_CONTINUE;
}

static GstPadProbeReturn
on_heard (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  g_atomic_int_set (&((Knock *) data)->heard, TRUE);
  return GST_PAD_PROBE_REMOVE;
}

static void
begin_to_knock (Call *call, GSocket *s, GInetAddress *host, GstElement *source)
{
  Knock *k = g_new0 (Knock, 1);

  k->call = call;
  k->socket = g_object_ref (s);
  k->to = g_inet_socket_address_new (host, (guint16) (call->options->port + 1));
  add_probe (source, on_heard, k);
  g_timeout_add_full (G_PRIORITY_DEFAULT, KNOCK_INTERVAL_MS, knock, k, NULL);
  g_object_set_data_full (G_OBJECT (call->pipeline), "knock", k, knock_free);
}

static gboolean
add_udp_sender (Call *call, GError **error)
{
  const CallOptions *o = call->options;
  g_autoptr (GResolver) resolver = g_resolver_get_default ();
  GList *hosts = g_resolver_lookup_by_name (resolver, o->host, NULL, NULL);
  g_autoptr (GInetAddress) host = NULL;
  g_autofree char *name = NULL;
  g_autoptr (GSocket) rtp = NULL, rtcp = NULL;
  g_autoptr (GSocketAddress) to = NULL;
  const char *rtcp_pad, *rtcp_src_pad;
  GstElement *rtp_sink, *rtcp_sink, *source, *control = sender_rtcp (call, &rtcp_pad);
  GstElement *rtcp_src = sender_rtcp_src (call, &rtcp_src_pad);

  if (!hosts)
    return call_fail (error, "the host %s is not known: check its name, or give its "
        "address", o->host);
  host = g_object_ref (hosts->data);
  g_resolver_free_addresses (hosts);
  name = g_inet_address_to_string (host);
  rtp = bind_socket (g_inet_address_get_family (host), 0, error);
  rtcp = rtp ? bind_socket (g_inet_address_get_family (host), 0, error) : NULL;
  if (!rtcp || !(rtp_sink = add_udp_sink (call, rtp, error))
      || !(rtcp_sink = add_udp_sink (call, rtcp, error))
      || !(source = add_udp_source (call, rtcp, "application/x-rtcp", FALSE, error)))
    return FALSE;
  g_signal_emit_by_name (rtp_sink, "add", name, o->port);
  g_signal_emit_by_name (rtcp_sink, "add", name, o->port + 1);
  begin_to_knock (call, rtcp, host, source);
  to = g_inet_socket_address_new (host, (guint16) (o->port + 1));
  call_repeat_goodbye (rtcp_sink, rtcp, to);
  return call_link (error, call->send_rtpbin, "send_rtp_src_0", rtp_sink, "sink")
      && call_link (error, rtcp_src, rtcp_src_pad, rtcp_sink, "sink")
      && call_link (error, source, "src", control, rtcp_pad);
}

/* Where the receiver hears its call, and where its reports go. */
typedef struct {
  Call *call;
  GstElement *sink;
  GMutex lock;                  /* of the rest */
  RccPeers peers;
  gboolean crowded;             /* strangers were too many, and that was said */
  gboolean doubts;              /* whether a goodbye is true, and waits for that */
} Hearing;

static void
hearing_free (gpointer data)
{
  g_mutex_clear (&((Hearing *) data)->lock);
  g_free (data);
}

/* Whose RTP has come. */
static gboolean
is_member (Call *call, guint ssrc)
{
  g_autoptr (GObject) session = NULL, source = NULL;
  g_autoptr (GstStructure) stats = NULL;
  guint64 packets = 0;

  g_signal_emit_by_name (call->recv_rtpbin, "get-internal-session", 0, &session);
  g_signal_emit_by_name (session, "get-source-by-ssrc", ssrc, &source);
  if (source)
    g_object_get (source, "stats", &stats, NULL);
  return stats && gst_structure_get_uint64 (stats, "packets-received", &packets) && packets;
}

static char *
host_of (GInetSocketAddress *from)
{
  return g_inet_address_to_string (g_inet_socket_address_get_address (from));
}

static void
report_to (GstElement *sink, const RccPeers *peers)
{
  g_signal_emit_by_name (sink, "clear");
  for (guint i = 0; i < peers->n; i++)
    g_signal_emit_by_name (sink, "add", peers->entries[i].host, (int) peers->entries[i].port);
}

static gboolean
on_doubt (gpointer hearing)
{
  Hearing *h = hearing;

  g_mutex_lock (&h->lock);
  h->doubts = FALSE;
  g_mutex_unlock (&h->lock);
  if (call_streams_are_silent (h->call))
    call_end (h->call, NULL);
  return G_SOURCE_REMOVE;
}

/* That of the first address ends the call.  Anybody else may say it, too: then it is true if
 * nothing more comes.  Lock held. */
static gboolean
take_goodbye (Hearing *h, gboolean first)
{
  if (first)
    call_end (h->call, NULL);
  else if (!h->doubts)
    g_timeout_add (h->call->options->latency_ms + GOODBYE_MS, on_doubt, h);
  h->doubts |= !first;
  return first;
}

/* RTCP came from there.  Whether it is for the session. */
static gboolean
hear_rtcp (Hearing *h, GInetSocketAddress *from, guint ssrc, GstBuffer *rtcp)
{
  g_autofree char *host = host_of (from);
  const guint16 port = g_inet_socket_address_get_port (from);
  const gboolean member = is_member (h->call, ssrc);
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&h->lock);

  if (rcc_peers_heard (&h->peers, host, port, ssrc, member,
          (RccTime) g_get_monotonic_time () * GST_USECOND))
    report_to (h->sink, &h->peers);
  return rcc_peers_admit (&h->peers, host, port, member)
      && (!call_has_goodbye (rtcp) || take_goodbye (h, rcc_peers_is_first (&h->peers, host, port)));
}

/* Not one of too many SSRCs from elsewhere. */
static gboolean
is_let_in (Hearing *h, GInetSocketAddress *from, guint ssrc)
{
  g_autofree char *host = host_of (from);
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&h->lock);

  if (rcc_peers_let_in (&h->peers, ssrc, host) || is_member (h->call, ssrc))
    return TRUE;
  if (!h->crowded)
    g_printerr ("\nrtpcall: packets of more than %d SSRCs came from another host than the sender's "
        "RTCP or before that, or of more than %d from several, and more of that is dropped: keep "
        "them out by a firewall\n", RCC_PEER_OF_HOST, RCC_PEER_STRANGERS);
  h->crowded = TRUE;
  return FALSE;
}

/* Where it came from the session need not know. */
static GstBuffer *
without_address (GstBuffer *buffer)
{
  buffer = gst_buffer_make_writable (buffer);
  gst_buffer_remove_meta (buffer, (GstMeta *) gst_buffer_get_net_address_meta (buffer));
  return buffer;
}

/* Knocks have done their work here. */
static GstPadProbeReturn
on_rtcp (GstPad *pad, GstPadProbeInfo *info, gpointer hearing)
{
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (info);
  GstNetAddressMeta *meta = gst_buffer_get_net_address_meta (buffer);
  guint8 ssrc[4];

  if (!meta || gst_buffer_extract (buffer, 4, ssrc, sizeof ssrc) < sizeof ssrc
      || !hear_rtcp (hearing, G_INET_SOCKET_ADDRESS (meta->addr), GST_READ_UINT32_BE (ssrc),
          buffer)
      || gst_buffer_get_size (buffer) <= KNOCK_BYTES)
    return GST_PAD_PROBE_DROP;
  GST_PAD_PROBE_INFO_DATA (info) = without_address (buffer);
  return GST_PAD_PROBE_OK;
}

/* rtpsession would take RTCP that comes to the port of RTP, wherever it comes from. */
static GstPadProbeReturn
on_rtp (GstPad *pad, GstPadProbeInfo *info, gpointer hearing)
{
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (info);
  GstNetAddressMeta *meta = gst_buffer_get_net_address_meta (buffer);
  guint8 head[12];

  if (!meta || gst_buffer_extract (buffer, 0, head, sizeof head) < sizeof head
      || (head[1] >= RCC_RTCP_SR && head[1] <= RCC_RTCP_XR)
      || !is_let_in (hearing, G_INET_SOCKET_ADDRESS (meta->addr), GST_READ_UINT32_BE (head + 8)))
    return GST_PAD_PROBE_DROP;
  GST_PAD_PROBE_INFO_DATA (info) = without_address (buffer);
  return GST_PAD_PROBE_OK;
}

/* IPv6 sockets hear IPv4 as well; not every machine has them. */
static GSocketFamily
best_family (void)
{
  g_autoptr (GSocket) s = g_socket_new (G_SOCKET_FAMILY_IPV6, G_SOCKET_TYPE_DATAGRAM,
      G_SOCKET_PROTOCOL_UDP, NULL);

  return s && g_socket_speaks_ipv4 (s) ? G_SOCKET_FAMILY_IPV6 : G_SOCKET_FAMILY_IPV4;
}

static gboolean
add_udp_receiver (Call *call, GError **error)
{
  guint port = call->options->port;
  g_autofree char *caps = network_caps (call);
  GSocketFamily family = best_family ();
  g_autoptr (GSocket) rtp = bind_socket (family, port, error);
  g_autoptr (GSocket) rtcp = rtp ? bind_socket (family, port + 1, error) : NULL;
  const char *rtp_pad, *back_pad, *rtcp_sink_pad;
  GstElement *rtcp_sink = receiver_rtcp_sink (call, &rtcp_sink_pad);
  GstElement *end = receiver_rtp (call, &rtp_pad), *rtcp_src = receiver_rtcp (call, &back_pad);
  GstElement *rtp_source, *rtcp_source, *back;
  Hearing *hearing;

  if (!rtcp || !(rtp_source = add_udp_source (call, rtp, caps, TRUE, error))
      || !(rtcp_source = add_udp_source (call, rtcp, "application/x-rtcp", TRUE, error))
      || !(back = add_udp_sink (call, rtcp, error)))
    return FALSE;
  hearing = g_new0 (Hearing, 1);
  *hearing = (Hearing) { .call = call, .sink = back };
  g_mutex_init (&hearing->lock);
  g_object_set_data_full (G_OBJECT (call->pipeline), "hearing", hearing, hearing_free);
  add_probe (rtp_source, on_rtp, hearing);
  add_probe (rtcp_source, on_rtcp, hearing);
  return call_link (error, rtp_source, "src", end, rtp_pad)
      && call_link (error, rtcp_source, "src", rtcp_sink, rtcp_sink_pad)
      && call_link (error, rtcp_src, back_pad, back, "sink");
}

gboolean
call_add_transport (Call *call, GError **error)
{
  gboolean good = FALSE;

  switch (call->options->mode) {
    case CALL_BOTH:
      good = add_link (call, error);
      break;
    case CALL_SEND:
      good = add_udp_sender (call, error);
      break;
    case CALL_RECEIVE:
      good = add_udp_receiver (call, error);
      break;
  }
  if (good && call->recv_rtpbin)
    call_set_up_session (call, call->recv_rtpbin);
  return good;
}
