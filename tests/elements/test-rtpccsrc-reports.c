/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What rtpccsrc reports, what its peer's reports say of a stream's beginning and end, and which
 * streams wait for them. */
#include "peer-rig.h"

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
  guint tries = 0;
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
    fail_unless (tries++ < 1000, "the 17th does not come in behind RTCP");
    g_usleep (5000);
  }
  peer_clear (&peer);
}

GST_END_TEST;

SUITE (rtpccsrc_reports)
{
  tcase_add_test (tc, test_many_streams_before_a_report);
  tcase_add_test (tc, test_goodbye);
  tcase_add_test (tc, test_old_goodbye);
  tcase_add_test (tc, test_many_lives);
  tcase_add_test (tc, test_comes_late);
  tcase_add_test (tc, test_asks_again);
  tcase_add_test (tc, test_goodbye_takes_no_pad);
  tcase_add_test (tc, test_feedback_leaves_room_for_reports);
  tcase_add_test (tc, test_reports_of_an_attached_session);
}
