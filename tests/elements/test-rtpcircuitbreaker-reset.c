/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * How rtpcircuitbreaker closes again: by reset() when it is time, by itself where it only
 * reduced, and over READY, NULL and other clocks no sooner than RFC 8083 4.5 lets it.
 */
#include "breaker-rig.h"

/* --- reset ---------------------------------------------------------------- */

static void
expect_refused (Cb *cb, GstClockTime retry_after)
{
  GstMessage *message;
  const GstStructure *s;
  gboolean refused;

  fail_if (cb_reset (cb), "not refused");
  message = cb_message (cb);
  fail_unless (message != NULL);
  s = gst_message_get_structure (message);
  fail_unless (gst_structure_get_boolean (s, "reset-refused", &refused) && refused);
  fail_unless_equals_string (gst_structure_get_string (s, "state"), "open");
  fail_unless_equals_uint64 (number_in (s, "retry-after"), retry_after);
  fail_unless_equals_uint64 (cb_stat (cb, "retry-after"), retry_after);
  gst_message_unref (message);
  cb_expect (cb, "open");
}

static void
clear_messages (Cb *cb)
{
  GstMessage *message;

  while ((message = cb_message (cb)))
    gst_message_unref (message);
}

static Cb *
opened (void)
{
  Cb *cb = cb_new (NULL);

  cb_open_by_silence (cb);
  clear_messages (cb);
  cb_clear_events (cb);
  cb->received = 0;
  return cb;
}

TEST (test_refused_until_the_interval)
{
  g_autoptr (Cb) cb = opened ();

  expect_refused (cb, 15 * GST_SECOND);
  cb_run (cb, cb_now (cb) + 10 * GST_SECOND);
  expect_refused (cb, 5 * GST_SECOND);
  cb_run (cb, cb_now (cb) + 5 * GST_SECOND - 1);
  expect_refused (cb, 1);
  cb_no_event (cb);
  cb_run (cb, cb_now (cb) + 1);
  fail_unless (cb_reset (cb));
  cb_expect (cb, "closed");
  cb_expect_message (cb, "closed", "none", 0);
  cb_no_message (cb);
  cb_expect_event (cb, G_MAXUINT, 0, "reset");
  cb_no_event (cb);
  fail_unless_equals_int (cb->notified, 2);
  fail_unless_equals_uint64 (cb_stat (cb, "retry-after"), 0);
  cb_stream (cb, GST_SECOND);
  fail_unless_equals_int (cb->received, 50);

  fail_unless (cb_reset (cb));  /* nothing to do */
  cb_no_message (cb);
  cb_stream (cb, 14 * GST_SECOND);
  cb_expect (cb, "open");       /* and it watches as before */
  fail_unless_equals_uint64 (cb_stat (cb, "circuit-breaker-trigger-count"), 2);
}

/* What was dropped meanwhile is not lost on the network. */
TEST (test_reset_while_packets_come)
{
  g_autoptr (Cb) cb = cb_new (NULL);

  cb_reports (cb, 4, 0.5);
  cb_expect (cb, "open");
  cb->rtt = GST_CLOCK_TIME_NONE;
  cb_stream (cb, 15 * GST_SECOND);
  fail_unless (cb_reset (cb));
  cb->rtt = 500 * GST_MSECOND;
  for (guint i = 0; i < 12; i++) {
    cb_reports (cb, 1, 0);
    cb_expect (cb, "closed");
  }
  fail_unless_equals_uint64 (cb_stat (cb, "rtcp-forged"), 0);
}

/* --- reduce-first --------------------------------------------------------- */

static Cb *
reduced (void)
{
  Cb *cb = cb_new ("reduce-first", TRUE, NULL);

  cb_reports (cb, 4, 0.5);
  cb_expect (cb, "reduced");
  cb_expect_message (cb, "reduced", "congestion", CB_SSRC);
  cb_expect_event (cb, 48000, 0, "more than TCP");
  cb_no_event (cb);
  cb->received = cb->streams[0].sent = 0;
  cb->streams[0].reported = 0;
  return cb;
}

/* A tenth of 480 kbit/s: 48 kbit/s, one packet each 200 ms. */
static void
slow_stream (Cb *cb, GstClockTime span)
{
  const GstClockTime end = cb_now (cb) + span;

  while (cb_now (cb) < end) {
    gst_harness_push (cb->h, cb_packet (cb, 0));
    cb->received += drain (cb->h);
    cb_run (cb, cb_now (cb) + 200 * GST_MSECOND);
  }
}

static void
slow_reports (Cb *cb, guint n, gdouble fraction)
{
  for (; n > 0; n--) {
    RccReportBlock block = cb_block (cb, 0, fraction);
    guint8 data[64];

    block.lsr = cb_sr (cb, 0);
    slow_stream (cb, cb->rtt = 400 * GST_MSECOND);
    cb_rtcp (cb, cb->rtcp, data, rcc_rtcp_build_rr (data, sizeof data, CB_PEER, &block, 1));
    slow_stream (cb, 4600 * GST_MSECOND);
  }
}

TEST (test_reduced_and_back)
{
  g_autoptr (Cb) cb = reduced ();
  static const guint steps[] = { 96000, 192000, 384000 };
  guint expected = 0, bps = 0;
  GstEvent *event;

  for (guint i = 0; i < 30 && bps != G_MAXUINT; i++) {
    slow_reports (cb, 1, 0);
    while ((event = cb_event (cb->h))) {
      bps = (guint) number_in (gst_event_get_structure (event), "target-bitrate");
      if (bps != G_MAXUINT)
        fail_unless_equals_int (bps, steps[expected++]);
      gst_event_unref (event);
    }
  }
  fail_unless (expected >= 2);
  fail_unless_equals_int (bps, G_MAXUINT);
  cb_expect (cb, "closed");
  fail_unless_equals_int (cb->received, cb->streams[0].sent);
  cb_expect_message (cb, "closed", "none", CB_SSRC);
}

TEST (test_reduced_and_no_better)
{
  g_autoptr (Cb) cb = reduced ();

  /* at the full rate, as if nobody listened */
  cb_reports (cb, 5, 0.5);
  cb_expect (cb, "open");
  cb_expect_message (cb, "open", "congestion", CB_SSRC);
  cb_expect_event (cb, 0, 0, "more than TCP");
}

/* --- restarts ------------------------------------------------------------- */

static void
restart (Cb *cb, GstState through, GstClockTime pause)
{
  gst_element_set_state (cb->e, through);
  gst_test_clock_advance_time (cb->clock, pause);
  gst_element_set_state (cb->e, GST_STATE_PLAYING);
}

TEST (test_ready_does_not_close)
{
  g_autoptr (Cb) cb = opened ();

  restart (cb, GST_STATE_READY, 5 * GST_SECOND);
  cb_expect (cb, "open");
  fail_unless_equals_int (cb->notified, 1);
  expect_refused (cb, 10 * GST_SECOND);
  cb_clear_events (cb);
  cb_stream (cb, GST_SECOND);
  fail_unless_equals_int (cb->received, 0);
  /* upstream could not hear it in READY: the first packet says it again */
  cb_expect_event (cb, 0, 0, "still open");
  cb_no_event (cb);
  cb_no_message (cb);
  restart (cb, GST_STATE_READY, 0);
  expect_refused (cb, 9 * GST_SECOND);
  cb_run (cb, cb_now (cb) + 9 * GST_SECOND);
  fail_unless (cb_reset (cb));
  cb_stream (cb, GST_SECOND);
  fail_unless_equals_int (cb->received, 50);
}

TEST (test_ready_closes_when_it_is_time)
{
  g_autoptr (Cb) cb = opened ();

  restart (cb, GST_STATE_READY, 15 * GST_SECOND);
  cb_expect (cb, "closed");
  fail_unless_equals_int (cb->notified, 2);
  cb_stream (cb, GST_SECOND);
  fail_unless_equals_int (cb->received, 50);
  fail_unless_equals_uint64 (cb_stat (cb, "circuit-breaker-trigger-count"), 0);
}

TEST (test_reset_in_ready)
{
  g_autoptr (Cb) cb = opened ();

  gst_element_set_state (cb->e, GST_STATE_READY);
  expect_refused (cb, 15 * GST_SECOND);
  gst_test_clock_advance_time (cb->clock, 10 * GST_SECOND);
  expect_refused (cb, 5 * GST_SECOND);
  gst_test_clock_advance_time (cb->clock, 5 * GST_SECOND);
  fail_unless (cb_reset (cb));
  cb_no_message (cb);
  gst_element_set_state (cb->e, GST_STATE_PLAYING);
  cb_expect (cb, "closed");
}

TEST (test_null_forgets)
{
  g_autoptr (Cb) cb = opened ();

  gst_element_set_state (cb->e, GST_STATE_NULL);
  cb_expect (cb, "closed");
  fail_unless_equals_int (cb->notified, 2);
  gst_element_set_state (cb->e, GST_STATE_PLAYING);
  cb_stream (cb, GST_SECOND);
  fail_unless_equals_int (cb->received, 50);
}

/* Only one of two SSRCs was open: so it is afterwards. */
TEST (test_ready_by_ssrc)
{
  static const gdouble fractions[CB_STREAMS] = { 0.5, 0 };
  g_autoptr (Cb) cb = cb_new (NULL);

  cb->n_streams = 2;
  for (guint i = 0; i < 4; i++) {
    cb_stream (cb, 4500 * GST_MSECOND);
    cb_report_each (cb, fractions);
  }
  cb_expect (cb, "open");
  restart (cb, GST_STATE_READY, GST_SECOND);
  cb_clear_events (cb);
  cb->received = 0;
  cb_stream (cb, GST_SECOND);
  fail_unless_equals_int (cb->received, 50);
  cb_expect_event (cb, 0, 0, "still open");     /* of the other nothing is known yet */
  cb_expect_event (cb, G_MAXUINT, 0, "one more stream");
  cb_expect_event (cb, 0, CB_SSRC, "one more stream");
  cb_no_event (cb);
}

/* Reduced, it stays so and goes on from there. */
TEST (test_ready_while_reduced)
{
  g_autoptr (Cb) cb = reduced ();

  restart (cb, GST_STATE_READY, GST_SECOND);
  cb_expect (cb, "reduced");
  cb_clear_events (cb);
  slow_stream (cb, GST_SECOND);
  cb_expect_event (cb, 48000, 0, "still reduced");
}

/* --- clocks --------------------------------------------------------------- */

static void
replace_clock (Cb *cb, GstClockTime start)
{
  GstTestClock *clock = GST_TEST_CLOCK (gst_test_clock_new_with_start_time (start));

  gst_element_set_clock (cb->e, GST_CLOCK (clock));
  gst_object_unref (cb->clock);
  cb->clock = clock;
}

/* The pipeline starts again on a clock that is far behind, or ahead: the old one tells
 * how much time has passed. */
TEST_EACH (test_another_clock_after_ready, 3)
{
  static const GstClockTime starts[] = { 0, 3600 * GST_SECOND, 36000 * GST_SECOND };
  g_autoptr (Cb) cb = opened ();

  gst_element_set_state (cb->e, GST_STATE_READY);
  gst_test_clock_advance_time (cb->clock, 5 * GST_SECOND);
  replace_clock (cb, starts[__i__]);
  gst_element_set_state (cb->e, GST_STATE_PLAYING);
  expect_refused (cb, 10 * GST_SECOND);
  cb_run (cb, cb_now (cb) + 10 * GST_SECOND - 1);
  expect_refused (cb, 1);
  cb_run (cb, cb_now (cb) + 1);
  fail_unless (cb_reset (cb));
  cb_stream (cb, 14900 * GST_MSECOND);
  cb_expect (cb, "closed");
  cb_stream (cb, 100 * GST_MSECOND);
  cb_expect (cb, "open");
}

TEST (test_clock_replaced_while_it_runs)
{
  g_autoptr (Cb) cb = cb_new (NULL);

  cb_stream (cb, 10 * GST_SECOND);
  replace_clock (cb, 7 * GST_SECOND);
  cb_stream (cb, 4900 * GST_MSECOND);
  cb_expect (cb, "closed");
  cb_stream (cb, 100 * GST_MSECOND);
  cb_expect (cb, "open");
  replace_clock (cb, 9999 * GST_SECOND);
  clear_messages (cb);
  expect_refused (cb, 15 * GST_SECOND);
  cb_run (cb, cb_now (cb) + 15 * GST_SECOND);
  fail_unless (cb_reset (cb));
}

TEST_MAIN (rtpcircuitbreaker_reset);
