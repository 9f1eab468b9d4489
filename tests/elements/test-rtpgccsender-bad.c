/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What a send path must bear while it has a queue: requests for what never left, copies larger
 * than their budget, streams and timestamps that change.  All is counted, order is kept, and
 * what was promised leaves.
 */
#include <gst/rtp/gstrtpbuffer.h>

#include "sender-fixture.h"
#include "wire/ccfb.h"

#define OTHER 0x55667788u
#define QUEUED 20
#define SIZE 1000

static Fx *
rig (void)
{
  return fx_new (VIDEO_CAPS, "start-bitrate", 1000000, "tuning", tuning (NO_PROBES "," NO_TIMEOUT ",pacing-factor=1.0"), NULL);
}

static void
push (Fx *fx, guint32 ssrc, guint16 seq, guint32 timestamp)
{
  fail_unless_equals_int (fx_push_buffer (fx, rtp_packet (ssrc, seq, timestamp, TRUE, SIZE)),
      GST_FLOW_OK);
}

/* Numbers of each stream rise by one. */
static void
assert_no_gap (Fx *fx)
{
  gint last[2] = { -1, -1 };

  for (guint i = 0; i < fx->out.left->len; i++) {
    const Left *l = &g_array_index (fx->out.left, Left, i);
    gint *before = &last[l->ssrc == OTHER];

    fail_unless (*before < 0 || l->seq == (guint16) (*before + 1), "%u behind %d", l->seq,
        *before);
    *before = l->seq;
  }
}

static GstEvent *
make_request (guint32 ssrc, guint seq)
{
  return gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM,
      gst_structure_new ("GstRTPRetransmissionRequest", "seqnum", G_TYPE_UINT, seq, "ssrc",
          G_TYPE_UINT, ssrc, NULL));
}

static void
request (Fx *fx, guint32 ssrc, guint seq)
{
  gst_harness_push_upstream_event (fx->h, make_request (ssrc, seq));
}

/* Each has the mark by which a send path upstream believes it. */
static guint
requests_upstream (Fx *fx)
{
  GstEvent *event;
  guint n = 0;

  while ((event = gst_harness_try_pull_upstream_event (fx->h))) {
    if (gst_event_has_name (event, "GstRTPRetransmissionRequest")) {
      fail_unless (gst_structure_has_field (gst_event_get_structure (event), "rtpcc-decided"));
      n++;
    }
    gst_event_unref (event);
  }
  return n;
}

/* Another of our elements downstream has let it through. */
static void
request_decided (Fx *fx, guint32 ssrc, guint seq)
{
  GstEvent *event = make_request (ssrc, seq);

  gst_structure_set (gst_event_writable_structure (event), "rtpcc-decided", G_TYPE_BOOLEAN, TRUE,
      NULL);
  gst_harness_push_upstream_event (fx->h, event);
}

/* Numbers that never left: one of tomorrow, one that waits, one of long ago, of a stream that
 * there is not, and no number at all. */
TEST (test_requests_for_what_never_left)
{
  g_autoptr (Fx) fx = rig ();

  for (guint i = 0; i < QUEUED; i++)
    push (fx, SSRC, (guint16) (65530 + i), 3000 * i);
  fx_settle (fx);
  fail_unless (fx_stat (fx, "queue-packets") > QUEUED / 2);
  request (fx, SSRC, 20000);
  request (fx, SSRC, (65530 + QUEUED - 1) & 0xffff);
  request (fx, SSRC, 65529);
  request (fx, OTHER, 65530);
  request (fx, SSRC, 0xfffff);
  fail_unless_equals_int (requests_upstream (fx), 0);
  fail_unless_equals_uint64 (fx_stat (fx, "nacks-heard"), 0);
  fail_unless_equals_uint64 (fx_stat (fx, "nacks-unknown"), 5);
  fx_run (fx, fx_now (fx) + GST_SECOND);
  fail_unless_equals_int (fx_left (fx), QUEUED);
  assert_no_gap (fx);
}

/* A second of the stream, of which the receiver asks for every fifth packet, and reports that
 * nothing is lost.  How many requests went upstream. */
static guint
ask_for_nothing (Fx *fx)
{
  RccReportBlock block = {.ssrc = SSRC };
  guint8 data[64];
  guint heard = 0;

  for (guint i = 0; i < 50; i++) {
    const guint16 seq = fx->seq;

    fx_push (fx, SIZE);
    fx_run (fx, fx_now (fx) + 20 * GST_MSECOND);
    if (i % 5 == 0) {
      fx_run (fx, fx_now (fx) + 100 * GST_MSECOND);
      request (fx, SSRC, seq);
    }
    heard += requests_upstream (fx);
  }
  block.highest_seq = (guint16) (fx->seq - 1);
  fx_rtcp (fx, data, rcc_rtcp_build_rr (data, sizeof data, 7, &block, 1));
  return heard;
}

/* With that in its sentence; @bus is gone then. */
static void
assert_warned_once (Fx *fx, GstBus *bus, const gchar *words)
{
  GstMessage *message = gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING);
  GError *error;

  fail_unless (message != NULL);
  gst_message_parse_warning (message, &error, NULL);
  fail_unless (strstr (error->message, words) != NULL, "%s", error->message);
  g_error_free (error);
  gst_message_unref (message);
  fail_unless (gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING) == NULL);
  gst_element_set_bus (fx->e, NULL);
  gst_object_unref (bus);
}

/* rtpjitterbuffer with rtx-next-seqnum, its default: the user hears of it, once, and no more
 * of the rate is spent on it.  What is asked for twice is sent again. */
TEST (test_requests_for_what_is_not_lost)
{
  g_autoptr (Fx) fx = rig ();
  GstBus *bus = gst_bus_new ();

  gst_element_set_bus (fx->e, bus);
  fail_unless_equals_int (ask_for_nothing (fx), 10);    /* nothing to compare with */
  fail_unless_equals_int (ask_for_nothing (fx), 10);
  fail_unless (gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING) == NULL);
  ask_for_nothing (fx);
  fail_unless_equals_int (ask_for_nothing (fx), 0);
  fail_unless_equals_uint64 (fx_stat (fx, "nacks-doubted"), 10);
  request (fx, SSRC, (fx->seq - 4) & 0xffff);
  fx_run (fx, fx_now (fx) + 10 * GST_MSECOND);
  fail_unless_equals_int (requests_upstream (fx), 0);
  request (fx, SSRC, (fx->seq - 4) & 0xffff);
  fail_unless_equals_int (requests_upstream (fx), 1);
  request_decided (fx, SSRC, (fx->seq - 3) & 0xffff);
  fail_unless_equals_int (requests_upstream (fx), 1);
  assert_warned_once (fx, bus, "rtx-next-seqnum=false");
}

/* Nobody answers: no halving before a first report can have come; the user hears of it, once. */
TEST (test_no_rtcp_at_all)
{
  g_autoptr (Fx) fx = fx_new (VIDEO_CAPS, "start-bitrate", 1000000, "tuning", tuning (NO_PROBES),
      NULL);
  GstBus *bus = gst_bus_new ();
  const GstClockTime begin = fx_now (fx);

  gst_element_set_bus (fx->e, bus);
  while (fx_now (fx) < begin + 10 * GST_SECOND) {
    fx_push (fx, SIZE);
    fx_run (fx, fx_now (fx) + 20 * GST_MSECOND);
    if (fx_now (fx) < begin + 6 * GST_SECOND)
      fail_unless_equals_uint64 (fx_stat (fx, "feedback-timeout-count"), 0);
  }
  fail_unless (fx_stat (fx, "feedback-timeout-count") >= 3);
  assert_warned_once (fx, bus, "No RTCP has come");
}

/* Feedback that says nothing of what is in flight, and no report: the user hears of it, once. */
TEST (test_rtcp_that_proves_nothing)
{
  const RccCcfbReport lost = { 0 };
  g_autoptr (Fx) fx = rig ();
  GstBus *bus = gst_bus_new ();
  guint8 data[64];

  gst_element_set_bus (fx->e, bus);
  for (guint i = 0; i < 20; i++) {
    gsize size = rcc_ccfb_begin (data, sizeof data, 7);

    fx_push (fx, SIZE);
    fx_run (fx, fx_now (fx) + GST_SECOND);
    /* one that left some seconds ago: any number may be guessed */
    size = rcc_ccfb_add (data, sizeof data, size, SSRC, (guint16) (fx->seq - 8), &lost, 1);
    if (i >= 10)
      fx_rtcp (fx, data, rcc_ccfb_end (data, sizeof data, size, 65536));
  }
  fail_unless_equals_uint64 (fx_stat (fx, "rtcp-unproven"), 10);
  assert_warned_once (fx, bus, "receiver reports");
}

/* It falls, with nothing else. */
TEST (test_a_copy_beyond_the_budget)
{
  g_autoptr (Fx) fx = rig ();
  GstBuffer *copy;

  for (guint i = 0; i < QUEUED; i++) {
    push (fx, SSRC, (guint16) i, 3000 * i);
    copy = rtp_packet (OTHER, (guint16) i, 0, FALSE, i == QUEUED / 2 ? 65000 : 100);
    GST_BUFFER_FLAG_SET (copy, GST_RTP_BUFFER_FLAG_RETRANSMISSION);
    fail_unless_equals_int (fx_push_buffer (fx, copy), GST_FLOW_OK);
  }
  fx_run (fx, fx_now (fx) + GST_SECOND);
  fail_unless_equals_uint64 (fx_stat (fx, "packets-dropped"), 1);
  fail_unless_equals_uint64 (fx_stat (fx, "media-packets-dropped"), 0);
  fail_unless_equals_uint64 (fx_stat (fx, "key-requests"), 0);
  fail_unless_equals_uint64 (fx_stat (fx, "retransmissions-sent"), QUEUED - 1);
  fail_unless_equals_int (fx_left (fx), 2 * QUEUED - 1);
  assert_no_gap (fx);
}

/* Another SSRC, another clock rate, then the end, all while packets wait. */
TEST (test_a_stream_that_changes)
{
  g_autoptr (Fx) fx = rig ();
  g_autoptr (GstCaps) caps = gst_caps_from_string (VIDEO_CAPS);

  for (guint i = 0; i < QUEUED; i++)
    push (fx, SSRC, (guint16) i, 3000 * i);
  gst_caps_set_simple (caps, "clock-rate", G_TYPE_INT, 48000, NULL);
  fail_unless (gst_harness_push_event (fx->h, gst_event_new_caps (caps)));
  for (guint i = 0; i < QUEUED; i++)
    push (fx, OTHER, (guint16) (60000 + i), 1600 * i);
  fail_unless (gst_harness_push_event (fx->h, gst_event_new_eos ()));
  fx_run (fx, fx_now (fx) + GST_SECOND);
  wait_for (g_str_has_suffix (fx->out.order->str, "pe"));
  fail_unless_equals_int (fx_left (fx), 2 * QUEUED);
  for (guint i = 0; i < 2 * QUEUED; i++)
    fail_unless (g_array_index (fx->out.left, Left, i).ssrc == (i < QUEUED ? SSRC : OTHER));
  assert_no_gap (fx);
  fail_unless_equals_uint64 (fx_stat (fx, "packets-dropped"), 0);
}

/* They say nothing about when a packet came: it neither falls nor overtakes for them. */
TEST (test_timestamps_that_run_backwards)
{
  g_autoptr (Fx) fx = rig ();

  for (guint i = 0; i < QUEUED; i++)
    push (fx, SSRC, (guint16) i, 3000 * (QUEUED - i));
  for (guint i = 0; i < QUEUED; i++)
    push (fx, SSRC, (guint16) (QUEUED + i), i * 2654435761u);
  fx_run (fx, fx_now (fx) + GST_SECOND);
  fail_unless_equals_int (fx_left (fx), 2 * QUEUED);
  assert_no_gap (fx);
  fail_unless_equals_uint64 (fx_stat (fx, "packets-dropped"), 0);
  fail_unless_equals_uint64 (fx_stat (fx, "key-requests"), 0);
}

TEST_MAIN (rtpgccsender_bad);
