/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* rtpccsrc and a peer that begins anew at the same port, as another stream or as the same with
 * other numbers (RFC 3550 appendix A.1), one that sends what is no RTP, one of another key. */
#include "peer-rig.h"

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

SUITE (rtpccsrc)
{
  tcase_add_test (tc, test_begins_anew);
  tcase_add_test (tc, test_pause);
  tcase_add_test (tc, test_pauses_in_turn);
  tcase_add_test (tc, test_forged);
  tcase_add_test (tc, test_undecided_is_not_unreadable);
}
