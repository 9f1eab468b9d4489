/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Pads, events, numbers and lives of rtpfbrafec. */
#include "fbra-rig.h"
#include "tuning.h"

static gchar *
event_names (GstHarness *h)
{
  GString *names = g_string_new (NULL);
  GstEvent *event;

  while ((event = gst_harness_try_pull_event (h))) {
    g_string_append_printf (names, "%s ", GST_EVENT_TYPE_NAME (event));
    gst_event_unref (event);
  }
  return g_string_free (names, FALSE);
}

static void
assert_events (GstHarness *h, const gchar *expected)
{
  g_autofree gchar *names = event_names (h);

  fail_unless_equals_string (names, expected);
}

TEST (test_fec_src_events)
{
  g_autoptr (Rig) rig = rig_new_fec (VIDEO_CAPS, PROBING, "fec-ssrc", 77, NULL);
  GstCaps *caps, *expected;
  GstPad *pad;

  want_more (rig);
  rig_push (rig, 100);
  assert_events (rig->fec, ""); /* before there is parity there is no stream */
  rig_push (rig, 100);
  rig_push (rig, 100);
  assert_events (rig->fec, "stream-start caps segment ");
  pad = gst_element_get_static_pad (rig->e, "fec_src");
  caps = gst_pad_get_current_caps (pad);
  expected = gst_caps_from_string ("application/x-rtp,media=(string)video,"
      "clock-rate=(int)90000,encoding-name=(string)ULPFEC,payload=(int)122,ssrc=(uint)77");
  fail_unless (gst_caps_is_equal (caps, expected), "%" GST_PTR_FORMAT, caps);
  gst_caps_unref (caps);
  gst_caps_unref (expected);
  gst_object_unref (pad);

  gst_harness_set_src_caps_str (rig->h, VIDEO_CAPS ",extmap-5=(string)" RCC_TWCC_URI);
  rig_push (rig, 100);
  assert_events (rig->fec, "caps segment ");
  gst_harness_push_event (rig->h, gst_event_new_flush_start ());
  gst_harness_push_event (rig->h, gst_event_new_flush_stop (TRUE));
  assert_events (rig->fec, "flush-start flush-stop ");
  gst_harness_push_event (rig->h, gst_event_new_eos ());
  assert_events (rig->fec, "eos ");
}

/* A flush and the end drop the block that has begun. */
TEST (test_block_dropped)
{
  g_autoptr (Rig) rig = rig_new (VIDEO_CAPS, PROBING, "tuning", tuning ("fec-interval-min=4"),
      NULL);
  GstSegment segment;

  want_more (rig);
  for (guint i = 0; i < 3; i++)
    rig_push (rig, 100);
  gst_harness_push_event (rig->h, gst_event_new_flush_start ());
  gst_harness_push_event (rig->h, gst_event_new_flush_stop (TRUE));
  fail_unless_equals_uint64 (rig_stat (rig, "fec-blocks-dropped"), 1);
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_harness_push_event (rig->h, gst_event_new_segment (&segment));
  for (guint i = 0; i < 6; i++)
    rig_push (rig, 100);
  fail_unless_equals_uint64 (rig_stat (rig, "fec-packets-sent"), 1);
  gst_harness_push_event (rig->h, gst_event_new_eos ());
  rig_collect (rig);
  fail_unless_equals_uint64 (rig_stat (rig, "fec-blocks-dropped"), 2);
  fail_unless_equals_int (rig->left->len, 3 + 6 + 1);
}

/* The controller goes down: no parity any more, nor what was begun of it. */
TEST (test_off_drops_block)
{
  g_autoptr (Rig) rig = rig_new (VIDEO_CAPS, PROBING, "tuning", tuning ("fec-interval-min=4"),
      NULL);

  want_more (rig);
  for (guint i = 0; i < 7; i++)
    rig_push (rig, 100);
  fail_unless_equals_uint64 (rig_stat (rig, "fec-packets-sent"), 1);
  push_target (rig->h, 500000);
  fail_unless (rig_is (rig, "down"));
  for (guint i = 0; i < 7; i++)
    rig_push (rig, 100);
  fail_unless_equals_uint64 (rig_stat (rig, "fec-packets-sent"), 1);
  fail_unless_equals_uint64 (rig_stat (rig, "fec-blocks-dropped"), 1);
}

/* fec_src comes and goes while data flows: parity is where it says, every block whole. */
TEST (test_fec_src_while_streaming)
{
  Rig *rig = rig_new (VIDEO_CAPS, PROBING, "tuning", tuning ("fec-interval-min=2"), NULL);
  guint among = 0, apart = 0;

  want_more (rig);
  for (guint round = 0; round < 20; round++) {
    for (guint i = 0; i < 5; i++)
      rig_push (rig, 100);
    among += 2;
    rig->fec = gst_harness_new_with_element (rig->e, NULL, "fec_src");
    for (guint i = 0; i < 5; i++)
      rig_push (rig, 100);
    apart += 2;
    g_clear_pointer (&rig->fec, gst_harness_teardown);
  }
  fail_unless_equals_uint64 (rig_stat (rig, "fec-packets-sent"), among + apart);
  fail_unless_equals_uint64 (rig_stat (rig, "packets-sent"), 200);
  fail_unless_equals_int (rig->left->len, 200 + among + apart);
  fail_unless_equals_uint64 (rig_stat (rig, "fec-blocks-dropped"), 40);
  rig_free (rig);
}

/* fec_src that nobody has linked: the media does not mind. */
TEST (test_fec_src_unlinked)
{
  g_autoptr (Rig) rig = rig_new (VIDEO_CAPS, PROBING, "tuning", tuning ("fec-interval-min=2"),
      NULL);
  g_autoptr (GstPad) pad = gst_element_request_pad_simple (rig->e, "fec_src");

  fail_unless (pad != NULL);
  fail_unless (gst_element_request_pad (rig->e, gst_element_get_pad_template (rig->e,
              "fec_src"), NULL, NULL) == NULL); /* one is enough */
  want_more (rig);
  for (guint i = 0; i < 10; i++)
    rig_push (rig, 100);
  fail_unless_equals_int (rig->left->len, 10);
  gst_element_release_request_pad (rig->e, pad);
}

TEST (test_flexfec_alone)
{
  g_autoptr (GstElement) e = gst_element_factory_make ("rtpfbrafec", NULL);
  g_autoptr (GstBus) bus = gst_bus_new ();
  GstMessage *message;

  gst_element_set_bus (e, bus);
  gst_util_set_object_arg (G_OBJECT (e), "fec-format", "flexfec");
  fail_unless_equals_int (gst_element_set_state (e, GST_STATE_PLAYING),
      GST_STATE_CHANGE_FAILURE);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  fail_unless (message != NULL);
  gst_message_unref (message);
  gst_element_set_state (e, GST_STATE_NULL);
  gst_element_set_bus (e, NULL);
}

/* Media with the parity's payload type passes without parity, and the application hears of
 * it. */
TEST (test_same_payload_type)
{
  g_autoptr (Rig) rig = rig_new (VIDEO_CAPS, PROBING, "fec-payload-type", 96, NULL);
  g_autoptr (GstBus) bus = gst_bus_new ();
  GstMessage *message;

  gst_element_set_bus (rig->e, bus);
  gst_harness_set_src_caps_str (rig->h, VIDEO_CAPS ",framerate=(fraction)30/1");
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING);
  fail_unless (message != NULL);
  gst_message_unref (message);
  want_more (rig);
  for (guint i = 0; i < 10; i++)
    rig_push (rig, 100);
  fail_unless_equals_int (rig->left->len, 10);
  fail_unless_equals_uint64 (rig_stat (rig, "packets-unprotected"), 10);
  gst_element_set_bus (rig->e, NULL);
}

/* --- retransmission ------------------------------------------------------- */

static void
request (Rig *rig, guint16 seq)
{
  gst_harness_push_upstream_event (rig->h, gst_event_new_custom
      (GST_EVENT_CUSTOM_UPSTREAM, gst_structure_new ("GstRTPRetransmissionRequest",
              "seqnum", G_TYPE_UINT, seq, "ssrc", G_TYPE_UINT, SSRC, NULL)));
}

/* The number that a request has upstream; -1: none has come. */
static gint
requested (Rig *rig)
{
  GstEvent *event;
  guint seq = 0;
  gint found = -1;

  while ((event = gst_harness_try_pull_upstream_event (rig->h))) {
    if (gst_event_has_name (event, "GstRTPRetransmissionRequest")) {
      gst_structure_get_uint (gst_event_get_structure (event), "seqnum", &seq);
      found = (gint) seq;
    }
    gst_event_unref (event);
  }
  return found;
}

/* 0 1 P 3 4 P ...: what left as 4 was 3 here; parity nobody can send again; and the
 * retransmission says 4 (RFC 4588). */
TEST (test_retransmission)
{
  g_autoptr (Rig) rig = rig_new (VIDEO_CAPS, PROBING, "tuning", tuning ("fec-interval-min=2"),
      NULL);
  GstBuffer *buffer;
  guint8 osn[2];

  want_more (rig);
  for (guint i = 0; i < 10; i++)
    rig_push (rig, 100);
  requested (rig);
  request (rig, 1);
  fail_unless_equals_int (requested (rig), 1);
  request (rig, 2);
  fail_unless_equals_int (requested (rig), -1);
  request (rig, 4);
  fail_unless_equals_int (requested (rig), 3);
  buffer = rig_packet (55, 9, 0, FALSE, 100);
  rcc_put16 (osn, 3);
  gst_buffer_fill (buffer, 12, osn, 2);
  GST_BUFFER_FLAG_SET (buffer, GST_RTP_BUFFER_FLAG_RETRANSMISSION);
  gst_harness_push (rig->h, buffer);
  rig_collect (rig);
  gst_buffer_extract (rig->left->pdata[rig->left->len - 1], 12, osn, 2);
  fail_unless_equals_int (rcc_be16 (osn), 4);
}

static gboolean
comes_through (Rig *rig, GstStructure *s)
{
  gboolean found = FALSE;
  GstEvent *event;

  gst_harness_push_upstream_event (rig->h, gst_event_new_custom
      (GST_EVENT_CUSTOM_UPSTREAM, s));
  while ((event = gst_harness_try_pull_upstream_event (rig->h))) {
    found |= gst_event_has_name (event, "GstRTPRetransmissionRequest");
    gst_event_unref (event);
  }
  return found;
}

#define REQUEST "GstRTPRetransmissionRequest"

/* What is no request of ours to judge passes as it is; what asks for parity, for what never
 * left or for the same again does not. */
TEST (test_odd_requests)
{
  g_autoptr (Rig) rig = rig_new_fec (VIDEO_CAPS, PROBING, "tuning", tuning ("fec-interval-min=2"),
      "fec-ssrc", 77, NULL);

  want_more (rig);
  for (guint i = 0; i < 10; i++)
    rig_push (rig, 100);
  fail_unless_equals_uint64 (rig_stat (rig, "fec-packets-sent"), 5);
  fail_unless (comes_through (rig, gst_structure_new_empty (REQUEST)));
  fail_unless (comes_through (rig, gst_structure_new (REQUEST, "seqnum", G_TYPE_UINT, 3,
              NULL)));
  fail_unless (comes_through (rig, gst_structure_new (REQUEST, "seqnum", G_TYPE_STRING, "3",
              "ssrc", G_TYPE_INT, -1, NULL)));
  for (guint seq = 0; seq < 65536; seq += 13)
    fail_if (comes_through (rig, gst_structure_new (REQUEST, "seqnum", G_TYPE_UINT, seq,
                "ssrc", G_TYPE_UINT, 77, NULL)));
  for (guint seq = 10; seq < 65536; seq += 77)
    fail_if (comes_through (rig, gst_structure_new (REQUEST, "seqnum", G_TYPE_UINT, seq,
                "ssrc", G_TYPE_UINT, SSRC, NULL)));
  request (rig, 7);
  fail_unless_equals_int (requested (rig), 7);
  request (rig, 7);
  fail_unless_equals_int (requested (rig), -1);
}

/* --- lives ---------------------------------------------------------------- */

/* READY forgets: numbers begin where the new stream begins. */
TEST (test_ready)
{
  g_autoptr (Rig) rig = rig_new (VIDEO_CAPS, PROBING, "tuning", tuning ("fec-interval-min=2"),
      NULL);
  guint8 head[12];

  for (guint life = 0; life < 3; life++) {
    want_more (rig);
    rig->seq = (guint16) (1000 * life);
    for (guint i = 0; i < 10; i++)
      rig_push (rig, 100);
    fail_unless_equals_int (rig->left->len, 15);
    gst_buffer_extract (rig->left->pdata[0], 0, head, 12);
    fail_unless_equals_int (rcc_be16 (head + 2), 1000 * life);
    fail_unless_equals_uint64 (rig_stat (rig, "fec-packets-sent"), 5);
    gst_element_set_state (rig->e, GST_STATE_READY);
    fail_unless_equals_uint64 (rig_stat (rig, "packets-sent"), 10);     /* to be read still */
    g_ptr_array_set_size (rig->left, 0);
    g_array_set_size (rig->sent, 0);
    gst_element_set_state (rig->e, GST_STATE_PLAYING);
    fail_unless_equals_uint64 (rig_stat (rig, "packets-sent"), 0);
    gst_harness_set_src_caps_str (rig->h, VIDEO_CAPS);
  }
}

/* reset begins the controller anew, not the stream: numbers go on. */
TEST (test_reset)
{
  g_autoptr (Rig) rig = rig_new (VIDEO_CAPS, PROBING, "tuning", tuning ("fec-interval-min=2"),
      NULL);
  guint16 next = 0;

  for (guint i = 0; i < 40; i++) {
    if (i % 10 == 0) {
      g_signal_emit_by_name (rig->e, "reset");
      fail_unless (rig_is (rig, "stay"));
      want_more (rig);
    }
    rig_push (rig, 100);
  }
  fail_unless_equals_int (rig->left->len, 60);
  for (guint i = 0; i < 60; i++) {
    guint8 head[12];

    gst_buffer_extract (rig->left->pdata[i], 0, head, 12);
    fail_unless_equals_int (rcc_be16 (head + 2), next++);
  }
}

/* --- who is protected ----------------------------------------------------- */

/* Packets of two SSRCs in turn; which one is parity made of? */
static guint32
protected_of_two (Rig *rig, guint32 first, guint32 second)
{
  for (guint i = 0; i < 20; i++) {
    gst_harness_push (rig->h, rig_packet (i % 2 ? second : first, (guint16) (i / 2), i,
            FALSE, 100));
    rig_collect (rig);
  }
  for (guint i = 0; i < rig->left->len; i++) {
    guint8 head[12];

    gst_buffer_extract (rig->left->pdata[i], 0, head, 12);
    if (rig_is_parity (rig->left->pdata[i]))
      return rcc_be32 (head + 8);
  }
  return 0;
}

TEST (test_protected)
{
  Rig *rig = rig_new (VIDEO_CAPS, PROBING, NULL);

  want_more (rig);
  fail_unless_equals_int (protected_of_two (rig, 5, 6), 5);     /* the first */
  fail_unless_equals_uint64 (rig_stat (rig, "packets-unprotected"), 10);
  rig_free (rig);

  rig = rig_new (VIDEO_CAPS, PROBING, "protect-ssrc", 6, NULL);
  want_more (rig);
  fail_unless_equals_int (protected_of_two (rig, 5, 6), 6);
  rig_free (rig);

  rig = rig_new (VIDEO_CAPS ",ssrc=(uint)6", PROBING, NULL);
  want_more (rig);
  fail_unless_equals_int (protected_of_two (rig, 5, 6), 6);
  rig_free (rig);
}

/* The one that was chosen has been silent for 5 s: the next one is. */
TEST (test_next_protected)
{
  g_autoptr (Rig) rig = rig_new (VIDEO_CAPS, PROBING, NULL);

  want_more (rig);
  gst_harness_push (rig->h, rig_packet (5, 0, 0, FALSE, 100));
  rig_wait (rig, 4 * GST_SECOND);
  gst_harness_push (rig->h, rig_packet (6, 0, 0, FALSE, 100));
  fail_unless_equals_uint64 (rig_stat (rig, "packets-unprotected"), 1);
  rig_wait (rig, 2 * GST_SECOND);
  gst_harness_push (rig->h, rig_packet (6, 1, 0, FALSE, 100));
  gst_harness_push (rig->h, rig_packet (6, 2, 0, FALSE, 100));
  fail_unless_equals_uint64 (rig_stat (rig, "packets-unprotected"), 1);
  fail_unless_equals_uint64 (rig_stat (rig, "fec-packets-sent"), 1);
}

TEST_MAIN (flow);
