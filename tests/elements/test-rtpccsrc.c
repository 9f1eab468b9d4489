/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* rtpccsrc and a peer that begins anew at the same port, as another stream or as the same with
 * other numbers (RFC 3550 appendix A.1), one that sends what is no RTP, one of another key, and
 * what a peer's reports say of the stream's beginning and end. */
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
static GstPadProbeReturn
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

static GstPadProbeReturn
on_event (GstPad *pad, GstPadProbeInfo *info, gpointer ends)
{
  if (GST_EVENT_TYPE (GST_PAD_PROBE_INFO_EVENT (info)) == GST_EVENT_EOS)
    g_atomic_int_inc ((gint *) ends);
  return GST_PAD_PROBE_OK;
}

static void
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
static void
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

static void
peer_clear (Peer *peer)
{
  end_call (peer->pipeline);
  g_object_unref (peer->socket);
  g_object_unref (peer->there);
}

static void
send_bytes (Peer *peer, gconstpointer bytes, gsize size)
{
  fail_unless (g_socket_send_to (peer->socket, peer->there, bytes, size, NULL, NULL)
      == (gssize) size);
}

/* With @head, of the unit of H.264 that it carries.  The next number. */
static guint16
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

static guint16
send_one (Peer *peer, guint32 ssrc, guint16 seq)
{
  return send_unit (peer, ssrc, seq, SLICE);
}

/* Packets of @ssrc from @seq on, until the receiver has passed PACKETS / 2 more of any; which would
 * be next. */
static guint16
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

GST_START_TEST (test_begins_anew)
{
  Peer peer;

  peer_init (&peer);
  send_until_heard (&peer, 1, 1000);
  fail_unless_equals_int (g_atomic_int_get (&peer.pads), 1);
  send_until_heard (&peer, 1, 30000);           /* the same stream, ahead */
  send_until_heard (&peer, 1, 500);             /* and back */
  fail_unless_equals_int (g_atomic_int_get (&peer.pads), 1);
  send_until_heard (&peer, 2, 7);               /* another one */
  fail_unless_equals_int (g_atomic_int_get (&peer.pads), 2);
  peer_clear (&peer);
}

GST_END_TEST;

/* Somebody's packets during a pause take the pad, and do not keep it. */
GST_START_TEST (test_pause)
{
  guint16 seq;
  Peer peer;

  peer_init (&peer);
  seq = send_until_heard (&peer, 1, 1000);
  g_usleep (G_USEC_PER_SEC);
  send_until_heard (&peer, 2, 7);
  fail_unless_equals_int (g_atomic_int_get (&peer.pads), 1);
  send_until_heard (&peer, 1, seq);
  fail_unless_equals_int (g_atomic_int_get (&peer.pads), 1);
  peer_clear (&peer);
}

GST_END_TEST;

/* A new stream took the pad in a pause, and both go on: each has one, and both keep theirs where
 * they pause in turn. */
GST_START_TEST (test_pauses_in_turn)
{
  guint16 one, two;
  Peer peer;

  peer_init (&peer);
  one = send_until_heard (&peer, 1, 1000);
  g_usleep (G_USEC_PER_SEC);
  two = send_until_heard (&peer, 2, 7);
  fail_unless_equals_int (g_atomic_int_get (&peer.pads), 1);
  for (guint i = 0; i < 1000 && g_atomic_int_get (&peer.pads) < 2; i++) {
    one = send_one (&peer, 1, one);
    two = send_one (&peer, 2, two);
    g_usleep (5000);
  }
  fail_unless_equals_int (g_atomic_int_get (&peer.pads), 2);
  peer.mixed = 0;
  for (guint i = 0; i < 2; i++) {
    g_usleep (G_USEC_PER_SEC / 2);
    one = send_until_heard (&peer, 1, one);
    g_usleep (G_USEC_PER_SEC / 2);
    two = send_until_heard (&peer, 2, two);
  }
  fail_unless_equals_int (g_atomic_int_get (&peer.pads), 2);
  fail_unless_equals_int (g_atomic_int_get (&peer.mixed), 0);
  peer_clear (&peer);
}

GST_END_TEST;

/* Random bytes, and RTP of random bytes in the extension that abs-send-time is looked for in. */
GST_START_TEST (test_forged)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  guint8 bytes[200];
  Peer peer;

  peer_init (&peer);
  send_until_heard (&peer, 1, 1000);
  for (guint i = 0; i < 500; i++) {
    for (guint j = 0; j < sizeof bytes; j++)
      bytes[j] = (guint8) g_rand_int (random);
    if (i % 2) {
      bytes[0] = 0x90;                          /* version 2, an extension */
      bytes[1] = 96;
      GST_WRITE_UINT16_BE (bytes + 2, (guint16) (5000 + i));
      GST_WRITE_UINT32_BE (bytes + 8, 1);
      GST_WRITE_UINT16_BE (bytes + 12, 0xbede);
    }
    send_bytes (&peer, bytes, (gsize) g_rand_int_range (random, 1, sizeof bytes));
    no_error (peer.pipeline);
  }
  send_until_heard (&peer, 1, 6000);
  peer_clear (&peer);
}

GST_END_TEST;

/* --- a key ---------------------------------------------------------------- */

#define KEY "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwd"

typedef struct {
  gint held, passes, rtcp;      /* atomic: RTP that waits, whether it may go on, RTCP that came */
} Decoder;

static GstPadProbeReturn
on_rtp_to_decode (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  Decoder *d = data;

  g_atomic_int_set (&d->held, TRUE);
  while (!g_atomic_int_get (&d->passes))
    g_usleep (1000);
  return GST_PAD_PROBE_OK;
}

static GstPadProbeReturn
on_rtcp_to_decode (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  g_atomic_int_inc (&((Decoder *) data)->rtcp);
  return GST_PAD_PROBE_OK;
}

static void
watch_decoder (GstElement *source, const gchar *name, GstPadProbeCallback callback, Decoder *d)
{
  GstElement *decoder = gst_bin_get_by_name (GST_BIN (source), "decoder");
  GstPad *pad = gst_element_get_static_pad (decoder, name);

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, callback, d, NULL);
  gst_object_unref (pad);
  gst_object_unref (decoder);
}

static gboolean
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
static guint
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

static void
send_to (GSocket *socket, guint port, const gchar *bytes, gsize size)
{
  GSocketAddress *there = g_inet_socket_address_new_from_string ("127.0.0.1", port);

  fail_unless (g_socket_send_to (socket, there, bytes, size, NULL, NULL) == (gssize) size);
  g_object_unref (there);
}

/* On a busy machine the first RTP is not decrypted yet when RTCP comes to its own thread. That
 * says nothing about the key; RTCP that could not be read, and then more of it, does. */
GST_START_TEST (test_undecided_is_not_unreadable)
{
  static const gchar rtp[200] = { (gchar) 0x80, 96 };
  static const gchar rtcp[60] = { (gchar) 0x80, (gchar) 201, 0, 1, 0, 0, 0, 9 };
  Decoder d = { 0 };
  GSocket *socket = g_socket_new (G_SOCKET_FAMILY_IPV4, G_SOCKET_TYPE_DATAGRAM,
      G_SOCKET_PROTOCOL_UDP, NULL);
  const guint port = free_ports ();
  GstElement *pipeline = gst_pipeline_new (NULL), *source;

  source = parse_call (g_strdup_printf ("rtpccsrc key=" KEY " uri=rtp://127.0.0.1:%u", port));
  gst_bin_add (GST_BIN (pipeline), source);
  fail_unless (gst_element_set_state (pipeline, GST_STATE_READY) != GST_STATE_CHANGE_FAILURE);
  watch_decoder (source, "rtp_sink", on_rtp_to_decode, &d);
  watch_decoder (source, "rtcp_sink", on_rtcp_to_decode, &d);
  play_call (pipeline);
  send_to (socket, port, rtp, sizeof rtp);
  await (pipeline, g_atomic_int_get (&d.held));
  send_to (socket, port + 1, rtcp, sizeof rtcp);
  await (pipeline, g_atomic_int_get (&d.rtcp) == 1);
  fail_if (has_warned (pipeline));
  send_to (socket, port + 1, rtcp, sizeof rtcp);
  await (pipeline, g_atomic_int_get (&d.rtcp) == 2);
  fail_unless (has_warned (pipeline));
  g_atomic_int_set (&d.passes, TRUE);
  g_object_unref (socket);
  end_call (pipeline);
}

GST_END_TEST;

/* --- its reports ---------------------------------------------------------- */

typedef struct {
  gint regular, early;          /* atomic */
} Reports;

static gboolean
on_sending_rtcp (GObject *session, GstBuffer *compound, gboolean early, Reports *reports)
{
  g_atomic_int_inc (early ? &reports->early : &reports->regular);
  return FALSE;
}

static GObject *
session_of (GstElement *bin)
{
  GstIterator *it = gst_bin_iterate_all_by_element_factory_name (GST_BIN (bin), "rtpsession");
  GValue value = G_VALUE_INIT;
  GObject *session;

  fail_unless_equals_int (gst_iterator_next (it, &value), GST_ITERATOR_OK);
  g_object_get (g_value_get_object (&value), "internal-session", &session, NULL);
  g_value_unset (&value);
  gst_iterator_free (it);
  return session;
}

/* Transport-wide feedback is asked for each 50 ms and leaves early. Those reports have no block,
 * and rtpsession of 1.22 takes each for a regular one. The regular ones leave all the same. */
GST_START_TEST (test_feedback_leaves_room_for_reports)
{
  const guint port = free_ports ();
  GstElement *pipeline = parse_call (g_strdup_printf ("rtpccsrc name=r "
          "uri=rtp://127.0.0.1:%u?rtcp-mux=true audiotestsrc is-live=true samplesperbuffer=160 ! "
          "audio/x-raw,rate=8000 ! alawenc ! rtppcmapay ! "
          "rtpccsink uri=rtp://127.0.0.1:%u?rtcp-mux=true", port, port));
  GstElement *source = gst_bin_get_by_name (GST_BIN (pipeline), "r");
  Reports reports = { 0 };
  GObject *session;
  gulong handler;

  gst_element_set_state (pipeline, GST_STATE_READY);
  session = session_of (source);
  g_object_set (session, "rtcp-min-interval", (guint64) 200 * GST_MSECOND, NULL);
  handler = g_signal_connect (session, "on-sending-rtcp", G_CALLBACK (on_sending_rtcp), &reports);
  play_call (pipeline);
  await (pipeline, g_atomic_int_get (&reports.regular) >= 10);
  fail_unless (g_atomic_int_get (&reports.early) >= 10, "no feedback came early");
  g_signal_handler_disconnect (session, handler);
  g_object_unref (session);
  gst_object_unref (source);
  end_call (pipeline);
}

GST_END_TEST;

/* --- reports -------------------------------------------------------------- */

/* SR or RR, CNAME, and perhaps BYE. */
static void
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

/* One that does not stop keeps its pad, whoever says goodbye for it. */
GST_START_TEST (test_goodbye_takes_no_pad)
{
  guint16 seq;
  Peer peer;

  peer_init (&peer);
  seq = send_until_heard (&peer, 1, 1000);
  send_report (&peer, 1, TRUE, 100, TRUE);
  seq = send_until_heard (&peer, 1, seq);
  send_until_heard (&peer, 2, 7);
  fail_unless_equals_int (g_atomic_int_get (&peer.pads), 2);
  peer_clear (&peer);
}

GST_END_TEST;

/* A receiver that runs for days: of senders that have left nothing stays, once the next one comes. */
GST_START_TEST (test_many_lives)
{
  GstElement *call;
  Peer peer;

  peer_init (&peer);
  call = gst_bin_get_by_name (GST_BIN (peer.source), "call");
  for (guint32 life = 1; life <= 5; life++) {
    send_until_heard (&peer, life, 1000);
    g_usleep (G_USEC_PER_SEC / 2);
  }
  fail_unless_equals_int (call->numsrcpads, 5 + 1);     /* and RTCP's */
  g_usleep (10 * G_USEC_PER_SEC);
  send_until_heard (&peer, 6, 1000);
  await (peer.pipeline, call->numsrcpads == 1 + 1);
  fail_unless_equals_int (g_atomic_int_get (&peer.pads), 1);
  send_until_heard (&peer, 1, 1000);            /* one of them again */
  gst_object_unref (call);
  peer_clear (&peer);
}

GST_END_TEST;

/* A goodbye that was false, as packets came long after it, does not count in a later pause. */
GST_START_TEST (test_old_goodbye)
{
  const gint64 begun = g_get_monotonic_time ();
  guint16 seq;
  Peer peer;

  peer_init (&peer);
  seq = send_until_heard (&peer, 1, 1000);
  send_report (&peer, 1, TRUE, 100, TRUE);
  while (g_get_monotonic_time () - begun < 6 * G_USEC_PER_SEC)
    seq = send_until_heard (&peer, 1, seq);
  send_until_heard (&peer, 2, 7);
  send_report (&peer, 2, TRUE, 100, TRUE);
  g_usleep (2 * G_USEC_PER_SEC);
  fail_unless_equals_int (g_atomic_int_get (&peer.ends), 0);
  send_report (&peer, 1, TRUE, 100, TRUE);
  await (peer.pipeline, g_atomic_int_get (&peer.ends) == g_atomic_int_get (&peer.pads));
  peer_clear (&peer);
}

GST_END_TEST;

/* Without SRTCP anybody can say goodbye for another.  It counts where nothing follows. */
GST_START_TEST (test_goodbye)
{
  guint16 seq;
  Peer peer;

  peer_init (&peer);
  seq = send_until_heard (&peer, 1, 1000);
  send_report (&peer, 1, TRUE, 100, TRUE);
  for (guint i = 0; i < 15; i++)                /* a second, in which it would have ended */
    seq = send_until_heard (&peer, 1, seq);
  fail_unless_equals_int (g_atomic_int_get (&peer.ends), 0);
  send_until_heard (&peer, 2, 7);               /* the last of two ends it */
  send_report (&peer, 1, TRUE, 100, TRUE);
  g_usleep (G_USEC_PER_SEC);
  fail_unless_equals_int (g_atomic_int_get (&peer.ends), 0);
  send_report (&peer, 2, TRUE, 100, TRUE);
  await (peer.pipeline, g_atomic_int_get (&peer.ends) == g_atomic_int_get (&peer.pads));
  peer_clear (&peer);
}

GST_END_TEST;

static gdouble
fraction_after (GObject *session, gboolean early)
{
  GstBuffer *compound = gst_buffer_new ();
  gboolean keep;
  gdouble fraction;

  g_signal_emit_by_name (session, "on-sending-rtcp", compound, early, &keep);
  fail_if (keep);
  g_object_get (session, "rtcp-fraction", &fraction, NULL);
  gst_buffer_unref (compound);
  return fraction;
}

/* A session that rtpccattach minds: early feedback hurries the regular report that is due, and
 * nothing stays of that. */
GST_START_TEST (test_reports_of_an_attached_session)
{
  GstElement *bin = gst_object_ref_sink (gst_element_factory_make ("rtpbin", NULL));
  GObject *session;
  GstPad *pad;

  g_object_set (gst_element_factory_make ("rtpccattach", NULL), "bin", bin, NULL);
  pad = gst_element_request_pad_simple (bin, "recv_rtp_sink_0");
  session = session_of (bin);
  g_object_set (session, "rtcp-min-interval", (guint64) 100 * GST_SECOND, NULL);
  fraction_after (session, FALSE);              /* the regular one before */
  fail_unless_equals_float (fraction_after (session, TRUE), 0.05);
  g_object_set (session, "rtcp-min-interval", (guint64) 1, NULL);
  g_usleep (10);
  fail_unless (fraction_after (session, TRUE) > 1);
  fail_unless (fraction_after (session, TRUE) > 1);
  fail_unless_equals_float (fraction_after (session, FALSE), 0.05);
  g_object_set (session, "rtcp-min-interval", (guint64) 0, NULL);       /* as often as may be */
  fail_unless_equals_float (fraction_after (session, TRUE), 0.05);
  g_object_unref (session);
  gst_object_unref (pad);
  gst_object_unref (bin);
}

GST_END_TEST;

static guint
requests_in (const guint8 *bytes, gsize size)
{
  guint n = 0;

  for (gsize at = 0; at + 4 <= size; at += 4 + 4 * (gsize) GST_READ_UINT16_BE (bytes + at + 2))
    n += bytes[at + 1] == GST_RTCP_TYPE_PSFB && (bytes[at] & 31) == GST_RTCP_PSFB_TYPE_PLI;
  return n;
}

/* Requests for a key frame (PLI) that have come until @compounds have, or the first request. */
static guint
count_requests (Peer *peer, guint compounds)
{
  guint8 bytes[2000];
  guint n = 0;

  g_socket_set_timeout (peer->socket, PATIENCE / 1000);
  for (guint i = 0; i < compounds && n == 0; i++) {
    const gssize size = g_socket_receive (peer->socket, (gchar *) bytes, sizeof bytes, NULL, NULL);

    fail_unless (size > 0, "no RTCP comes");
    n += requests_in (bytes, (gsize) size);
  }
  return n;
}

/* 1000 packets went before the first that came.  Of a stream that came from its beginning none is
 * asked for, nor before its sender has told. */
GST_START_TEST (test_comes_late)
{
  Peer peer;

  peer_init (&peer);
  send_until_heard (&peer, 1, 1000);
  send_report (&peer, 1, TRUE, PACKETS / 2, FALSE);
  send_report (&peer, 1, TRUE, 1000, FALSE);
  fail_unless_equals_int (count_requests (&peer, 1), 0);
  send_until_heard (&peer, 2, 1000);
  send_report (&peer, 2, FALSE, 0, FALSE);
  send_report (&peer, 2, TRUE, 1000, FALSE);
  fail_unless_equals_int (count_requests (&peer, 100), 1);
  peer_clear (&peer);
}

GST_END_TEST;

/* Slices until @wanted requests have come, at most for @span us; how many have. */
static guint
requests_during (Peer *peer, guint32 ssrc, guint16 *seq, guint wanted, gint64 span)
{
  const gint64 end = g_get_monotonic_time () + span;
  guint8 bytes[2000];
  gssize size;
  guint n = 0;

  g_socket_set_blocking (peer->socket, FALSE);
  while (n < wanted && g_get_monotonic_time () < end) {
    *seq = send_one (peer, ssrc, *seq);
    g_usleep (5000);
    while ((size = g_socket_receive (peer->socket, (gchar *) bytes, sizeof bytes, NULL, NULL)) > 0)
      n += requests_in (bytes, (gsize) size);
  }
  g_socket_set_blocking (peer->socket, TRUE);
  return n;
}

/* Of a request that nobody answers, as it was lost; until the key frame comes. */
GST_START_TEST (test_asks_again)
{
  guint16 seq;
  Peer peer;

  peer_init (&peer);
  seq = send_until_heard (&peer, 1, 1000);
  send_report (&peer, 1, TRUE, 1000, FALSE);
  fail_unless_equals_int (requests_during (&peer, 1, &seq, 2, 10 * G_USEC_PER_SEC), 2);
  seq = send_unit (&peer, 1, seq, KEY_SLICE);
  requests_during (&peer, 1, &seq, G_MAXUINT, G_USEC_PER_SEC / 4);      /* what was under way */
  fail_unless_equals_int (requests_during (&peer, 1, &seq, 1, 5 * G_USEC_PER_SEC / 4), 0);
  peer_clear (&peer);
}

GST_END_TEST;

/* --- many streams --------------------------------------------------------- */

static void
wait_for_words (GstElement *pipeline, const gchar *words)
{
  GstBus *bus = gst_element_get_bus (pipeline);
  gboolean found = FALSE;

  while (!found) {
    GstMessage *message = gst_bus_timed_pop_filtered (bus, 20 * GST_SECOND, GST_MESSAGE_WARNING);
    g_autoptr (GError) error = NULL;

    fail_unless (message != NULL, "no warning has \"%s\"", words);
    gst_message_parse_warning (message, &error, NULL);
    found = strstr (error->message, words) != NULL;
    gst_message_unref (message);
  }
  gst_object_unref (bus);
}

/* What is one too many before RTCP came is dropped, for which the reason is told, and let in
 * behind it. */
GST_START_TEST (test_many_streams_before_a_report)
{
  guint16 seq = 1000;
  Peer peer;

  peer_init (&peer);
  for (guint32 ssrc = 1; ssrc <= 16; ssrc++)
    for (guint i = 0; i < 3; i++)
      send_one (&peer, ssrc, (guint16) (1000 + i));
  for (guint i = 0; i < 3; i++)
    seq = send_one (&peer, 17, seq);
  wait_for_words (peer.pipeline, "127.0.0.1, or of more than 24 from several hosts, and no RTCP");
  fail_if (has_warned (peer.pipeline));         /* once */
  send_report (&peer, 1, TRUE, 3, FALSE);
  while (g_atomic_int_get (&peer.pads) < 17) {
    seq = send_one (&peer, 17, seq);
    g_usleep (5000);
  }
  peer_clear (&peer);
}

GST_END_TEST;

SUITE (rtpccsrc)
{
  tcase_add_test (tc, test_many_streams_before_a_report);
  tcase_add_test (tc, test_goodbye);
  tcase_add_test (tc, test_old_goodbye);
  tcase_add_test (tc, test_many_lives);
  tcase_add_test (tc, test_comes_late);
  tcase_add_test (tc, test_asks_again);
  tcase_add_test (tc, test_begins_anew);
  tcase_add_test (tc, test_pause);
  tcase_add_test (tc, test_pauses_in_turn);
  tcase_add_test (tc, test_goodbye_takes_no_pad);
  tcase_add_test (tc, test_forged);
  tcase_add_test (tc, test_undecided_is_not_unreadable);
  tcase_add_test (tc, test_feedback_leaves_room_for_reports);
  tcase_add_test (tc, test_reports_of_an_attached_session);
}
