/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rig.h"

#include "rtpcc/common/event.h"

static const GstRtpCcTarget example = {
  .target_bps = 1000000,.fec_bps = 200000,.rtt = 50 * GST_MSECOND,.ssrc = 7,
  .source = "gcc0",.reason = "loss"
};

static GstEvent *
event_from (const gchar *structure)
{
  GstStructure *s = gst_structure_from_string (structure, NULL);

  fail_unless (s != NULL, "%s", structure);
  return gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM, s);
}

TEST (test_round_trip)
{
  g_autoptr (GstEvent) event = gst_rtp_cc_event_new (&example);
  GstRtpCcTarget t;

  fail_unless (GST_EVENT_IS_UPSTREAM (event));
  fail_unless (gst_rtp_cc_event_parse (event, &t));
  assert_equals_int (t.target_bps, 1000000);
  assert_equals_int (t.fec_bps, 200000);
  assert_equals_uint64 (t.rtt, 50 * GST_MSECOND);
  assert_equals_int (t.ssrc, 7);
  assert_equals_string (t.source, "gcc0");
  assert_equals_string (t.reason, "loss");
}

TEST (test_defaults)
{
  GstEvent *event = event_from ("GstRtpTargetBitrate, target-bitrate=(uint)5");
  GstRtpCcTarget t;

  fail_unless (gst_rtp_cc_event_parse (event, &t));
  assert_equals_int (t.target_bps, 5);
  assert_equals_int (t.fec_bps, 0);
  assert_equals_int (t.ssrc, 0);
  assert_equals_uint64 (t.rtt, GST_CLOCK_TIME_NONE);
  assert_equals_string (t.source, "");
  assert_equals_string (t.reason, "");
  gst_event_unref (event);

  /* What we send never says more repair than target. */
  event = gst_rtp_cc_event_new (&(GstRtpCcTarget) {.target_bps = 10,.fec_bps =
          20});
  fail_unless (gst_rtp_cc_event_parse (event, &t));
  assert_equals_int (t.fec_bps, 10);
  gst_event_unref (event);
}

static const gchar *hostile[] = {
  "GstRtpTargetBitrate",
  "GstRtpTargetBitrate, target-bitrate=(int)5",
  "GstRtpTargetBitrate, target-bitrate=(string)many",
  "GstRtpTargetBitrate, target-bitrate=(guint64)5",
  "GstRtpTargetBitrate, target-bitrate=(uint)5, fec-bitrate=(int)-1",
  "GstRtpTargetBitrate, target-bitrate=(uint)5, fec-bitrate=(uint)6",
  "GstRtpTargetBitrate, target-bitrate=(uint)5, rtt=(uint)3",
  "GstRtpTargetBitrate, target-bitrate=(uint)5, queue-time=(int)3",
  "GstRtpTargetBitrate, target-bitrate=(uint)5, ssrc=(string)x",
  "GstRtpTargetBitrate, target-bitrate=(uint)5, source=(int)3",
  "GstRtpTargetBitrate, target-bitrate=(uint)5, reason=(double)3",
  "GstForceKeyUnit, target-bitrate=(uint)5",
};

TEST_EACH (test_hostile, G_N_ELEMENTS (hostile))
{
  GstRtpCcTarget t = example;
  g_autoptr (GstEvent) event = event_from (hostile[__i__]);

  fail_if (gst_rtp_cc_event_parse (event, &t), "%s", hostile[__i__]);
  assert_equals_int (t.target_bps, example.target_bps);
}

TEST (test_not_ours)
{
  GstEvent *events[] = {
    gst_event_new_eos (), gst_event_new_reconfigure (),
    gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM, NULL),
    gst_event_new_custom (GST_EVENT_CUSTOM_DOWNSTREAM,
        gst_structure_from_string ("GstRtpTargetBitrate, target-bitrate=(uint)5",
            NULL))
  };
  GstRtpCcTarget t;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (events); i++) {
    fail_if (gst_rtp_cc_event_is (events[i]));
    fail_if (gst_rtp_cc_event_parse (events[i], &t));
    gst_event_unref (events[i]);
  }
}

TEST (test_merge)
{
  GstRtpCcTarget up = {.target_bps = 800,.fec_bps = 100,
    .rtt = GST_CLOCK_TIME_NONE,.source = "up"
  };
  GstRtpCcTarget down = {.target_bps = 900,.fec_bps = 50,.rtt = 4,.source =
        "down",.queue_time = 7
  };
  GstRtpCcTarget t = gst_rtp_cc_target_merge (&up, &down);

  assert_equals_int (t.target_bps, 800);
  assert_equals_int (t.fec_bps, 150);
  assert_equals_uint64 (t.rtt, 4);
  assert_equals_uint64 (t.queue_time, 7);
  assert_equals_string (t.source, "up");

  down.target_bps = 120;
  t = gst_rtp_cc_target_merge (&up, &down);
  assert_equals_int (t.target_bps, 120);
  assert_equals_int (t.fec_bps, 120);
  assert_equals_string (t.source, "down");
}

/* What a listener upstream of two controllers hears. */
typedef struct {
  GstPad *listener, *sinkpad;
  GstRtpCcTargetAggregator *aggregator;
  GArray *heard;                /* GstRtpCcTarget, strings interned */
  guint others;
} Row;

static gboolean
listen (GstPad *pad, GstObject *parent, GstEvent *event)
{
  Row *row = pad->eventdata;
  GstRtpCcTarget t;

  if (gst_rtp_cc_event_parse (event, &t)) {
    t.source = g_intern_string (t.source);
    t.reason = g_intern_string (t.reason);
    g_array_append_val (row->heard, t);
  } else {
    row->others++;
  }
  gst_event_unref (event);
  return TRUE;
}

static void
row_setup (Row *row)
{
  row->others = 0;
  row->heard = g_array_new (FALSE, FALSE, sizeof (GstRtpCcTarget));
  row->listener = gst_pad_new ("src", GST_PAD_SRC);
  row->sinkpad = gst_pad_new ("sink", GST_PAD_SINK);
  gst_pad_set_event_function_full (row->listener, listen, row, NULL);
  gst_pad_link (row->listener, row->sinkpad);
  gst_pad_set_active (row->listener, TRUE);
  gst_pad_set_active (row->sinkpad, TRUE);
  row->aggregator = gst_rtp_cc_target_aggregator_new (row->sinkpad);
}

static void
row_teardown (Row *row)
{
  gst_rtp_cc_target_aggregator_free (row->aggregator);
  gst_pad_set_active (row->listener, FALSE);
  gst_pad_set_active (row->sinkpad, FALSE);
  gst_object_unref (row->listener);
  gst_object_unref (row->sinkpad);
  g_array_unref (row->heard);
}

static void
own (Row *row, guint bps)
{
  gst_rtp_cc_target_aggregator_own (row->aggregator, &(GstRtpCcTarget) {.target_bps =
          bps,.rtt = GST_CLOCK_TIME_NONE,.source = "own"}, NULL, 0);
}

static void
below (Row *row, guint bps, guint ssrc)
{
  fail_unless (gst_rtp_cc_target_aggregator_event (row->aggregator,
          gst_rtp_cc_event_new (&(GstRtpCcTarget) {.target_bps = bps,.ssrc =
                  ssrc,.rtt = GST_CLOCK_TIME_NONE,.source = "below"})));
}

static void
expect (Row *row, guint bps, guint ssrc, const gchar *source)
{
  const GstRtpCcTarget *t;

  fail_unless (row->heard->len > 0);
  t = &g_array_index (row->heard, GstRtpCcTarget, row->heard->len - 1);
  assert_equals_int (t->target_bps, bps);
  assert_equals_int (t->ssrc, ssrc);
  assert_equals_string (t->source, source);
}

TEST (test_smallest_in_a_row_wins)
{
  Row row;
  GstEvent *event;

  row_setup (&row);
  below (&row, 500, 0);
  expect (&row, 500, 0, "below");
  own (&row, 400);
  expect (&row, 400, 0, "own");
  own (&row, 900);
  expect (&row, 500, 0, "below");
  below (&row, 600, 0);
  expect (&row, 600, 0, "below");
  below (&row, GST_RTP_CC_UNBOUND, 0);
  expect (&row, 900, 0, "own");

  /* One stream's bound is not the others'. */
  below (&row, 100, 42);
  expect (&row, 100, 42, "below");
  below (&row, 2000, 42);
  expect (&row, 900, 42, "own");
  own (&row, 901);
  assert_equals_int (row.heard->len, 9);
  expect (&row, 901, 42, "own");

  gst_rtp_cc_target_aggregator_reset (row.aggregator);
  assert_equals_int (row.heard->len, 9);
  below (&row, 3000, 0);
  expect (&row, 3000, 0, "below");

  /* Malformed: on upstream, unchanged, and no bound. */
  fail_unless (gst_rtp_cc_target_aggregator_event (row.aggregator,
          event_from ("GstRtpTargetBitrate, target-bitrate=(int)1")));
  assert_equals_int (row.others, 1);
  own (&row, 5000);
  expect (&row, 3000, 0, "below");

  event = gst_event_new_reconfigure ();
  fail_if (gst_rtp_cc_target_aggregator_event (row.aggregator, event));
  gst_event_unref (event);
  row_teardown (&row);
}

static void
own_streams (Row *row, guint all, const guint *bps, guint n)
{
  GstRtpCcTarget streams[GST_RTP_CC_TARGET_AGGREGATOR_STREAMS] = { {0} };

  for (guint i = 0; i < n; i++)
    streams[i] = (GstRtpCcTarget) {.ssrc = 41 + i,.target_bps = bps[i],.rtt = 7};
  gst_rtp_cc_target_aggregator_own (row->aggregator, &(GstRtpCcTarget) {.target_bps =
          all,.rtt = GST_CLOCK_TIME_NONE,.source = "own"}, streams, n);
}

static const GstRtpCcTarget *
heard (Row *row, guint back)
{
  return &g_array_index (row->heard, GstRtpCcTarget, row->heard->len - 1 - back);
}

/* What is said of single streams follows what is said of all, whoever says that. */
TEST (test_streams_of_one_controller)
{
  static const guint bps[] = { 0, 300 };
  Row row;

  row_setup (&row);
  own_streams (&row, GST_RTP_CC_UNBOUND, bps, 2);
  assert_equals_int (row.heard->len, 3);
  assert_equals_int (heard (&row, 2)->target_bps, GST_RTP_CC_UNBOUND);
  assert_equals_int (heard (&row, 2)->ssrc, 0);
  assert_equals_int (heard (&row, 1)->target_bps, 0);
  assert_equals_int (heard (&row, 1)->ssrc, 41);
  assert_equals_uint64 (heard (&row, 1)->rtt, 7);
  expect (&row, 300, 42, "own");

  below (&row, 200, 0);         /* bounds them all, and they are said behind it */
  assert_equals_int (row.heard->len, 6);
  assert_equals_int (heard (&row, 2)->target_bps, 200);
  assert_equals_int (heard (&row, 2)->ssrc, 0);
  assert_equals_int (heard (&row, 1)->target_bps, 0);
  expect (&row, 200, 42, "below");

  below (&row, 500, 41);        /* one of them, by a controller downstream */
  expect (&row, 0, 41, "own");
  below (&row, 500, 43);
  expect (&row, 500, 43, "below");

  own (&row, 1000);             /* no difference of its own any more; downstream's stay */
  assert_equals_int (row.heard->len, 11);
  expect (&row, 500, 43, "below");
  below (&row, GST_RTP_CC_UNBOUND, 0);
  assert_equals_int (row.heard->len, 12);
  expect (&row, 1000, 0, "own");

  /* from nowhere to another pad, which hears it all */
  gst_rtp_cc_target_aggregator_set_pad (row.aggregator, NULL);
  own_streams (&row, GST_RTP_CC_UNBOUND, bps, 1);
  assert_equals_int (row.heard->len, 12);
  gst_rtp_cc_target_aggregator_set_pad (row.aggregator, row.sinkpad);
  assert_equals_int (row.heard->len, 14);
  expect (&row, 0, 41, "own");
  gst_rtp_cc_target_aggregator_reset (row.aggregator);
  gst_rtp_cc_target_aggregator_set_pad (row.aggregator, row.sinkpad);
  assert_equals_int (row.heard->len, 14);
  row_teardown (&row);
}

static void
below_all (Row *row, guint bps, guint streams)
{
  fail_unless (gst_rtp_cc_target_aggregator_event (row->aggregator,
          gst_rtp_cc_event_new (&(GstRtpCcTarget) {.target_bps = bps,.streams =
                  streams,.rtt = GST_CLOCK_TIME_NONE,.source = "below"})));
}

/* A circuit breaker downstream bounds one SSRC: each target of ours for all is followed by that
 * bound, until the breaker speaks of all and not of it. */
TEST (test_bound_of_downstream_is_said_again)
{
  Row row;

  row_setup (&row);
  own (&row, 1000);
  below_all (&row, GST_RTP_CC_UNBOUND, 2);
  below (&row, 300, 42);
  below (&row, 700, 43);
  assert_equals_int (row.heard->len, 4);
  for (guint bps = 2000; bps >= 500; bps -= 500) {
    own (&row, bps);
    assert_equals_int (heard (&row, 2)->target_bps, bps);
    assert_equals_int (heard (&row, 2)->streams, 2);
    assert_equals_int (heard (&row, 1)->target_bps, 300);
    assert_equals_int (heard (&row, 1)->ssrc, 42);
    expect (&row, MIN (bps, 700), 43, bps < 700 ? "own" : "below");
  }
  own (&row, 1000);

  below_all (&row, GST_RTP_CC_UNBOUND, 1);      /* 43 is bounded no more, and that is said */
  below (&row, 400, 42);
  assert_equals_int (heard (&row, 1)->target_bps, 1000);
  assert_equals_int (heard (&row, 1)->streams, 1);
  expect (&row, 400, 42, "below");
  own (&row, 1100);
  assert_equals_int (heard (&row, 1)->target_bps, 1100);
  assert_equals_int (heard (&row, 1)->streams, 1);
  expect (&row, 400, 42, "below");
  below_all (&row, GST_RTP_CC_UNBOUND, 0);
  expect (&row, 1100, 0, "own");
  assert_equals_int (heard (&row, 0)->streams, 0);
  row_teardown (&row);
}

/* Of more than there is room for the last ones are said once; who is over makes room. */
TEST (test_bounds_of_more_than_there_is_room_for)
{
  const guint room = GST_RTP_CC_TARGET_AGGREGATOR_STREAMS;
  Row row;

  row_setup (&row);
  for (guint base = 50; base <= 150; base += 100) {
    below_all (&row, GST_RTP_CC_UNBOUND, room + 1);
    for (guint i = 0; i <= room; i++) {
      below (&row, 100, base + i);
      if (i < room)
        expect (&row, 100, base + i, "below");
    }
    own (&row, 1000 + base);
    assert_equals_int (heard (&row, room)->target_bps, 1000 + base);
    assert_equals_int (heard (&row, room)->streams, room);
    for (guint i = 0; i < room; i++)
      assert_equals_int (heard (&row, room - 1 - i)->ssrc, base + i);
  }
  row_teardown (&row);
}

static gpointer
own_thread (gpointer data)
{
  for (guint i = 2000; i >= 1000; i--)
    own (data, i);
  return NULL;
}

static gpointer
below_thread (gpointer data)
{
  for (guint i = 2000; i >= 1000; i--)
    below (data, i, 0);
  return NULL;
}

/* Both only fall, so what is heard must only fall and end with the last word. */
TEST (test_concurrent_targets_stay_in_order)
{
  Row row;
  GThread *a, *b;

  row_setup (&row);
  a = g_thread_new ("own", own_thread, &row);
  b = g_thread_new ("below", below_thread, &row);
  g_thread_join (a);
  g_thread_join (b);
  for (guint i = 1; i < row.heard->len; i++)
    fail_unless (g_array_index (row.heard, GstRtpCcTarget, i).target_bps <=
        g_array_index (row.heard, GstRtpCcTarget, i - 1).target_bps);
  expect (&row, 1000, 0, "own");
  row_teardown (&row);
}

TEST_MAIN (event);
