/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What leaves rtpgccsender when: the rate, the queue, flush and state. */
#include "sender-fixture.h"

#include "rtpcc/common/event.h"

/* Offers @bps of @size byte packets for @span, running the clock meanwhile. */
static void
offer (Fx *fx, guint bps, guint size, GstClockTime span)
{
  const GstClockTime from = fx_now (fx);
  const GstClockTime gap = gst_util_uint64_scale (size * 8, GST_SECOND, bps);

  for (GstClockTime t = 0; t < span; t += gap) {
    fx_run (fx, from + t);
    fx_push (fx, size);
    fx_settle (fx);
  }
  fx_run (fx, from + span);
}

/* Bytes that left within (@from, @to]. */
static guint
bytes_between (Fx *fx, GstClockTime from, GstClockTime to)
{
  guint bytes = 0;

  for (guint i = 0; i < fx->out.left->len; i++) {
    const Left *l = &g_array_index (fx->out.left, Left, i);

    bytes += l->at > from && l->at <= to ? l->size : 0;
  }
  return bytes;
}

static void
assert_counted (Fx *fx)
{
  fail_unless_equals_uint64 (fx_left (fx) + fx_stat (fx, "packets-dropped")
      + fx_stat (fx, "queue-packets"), fx->pushed);
}

/* rtpgccbwe lets 2 Mbit/s through a setting of 300 kbit/s.  Here an encoder that is deaf
 * to its target gets no more than what a long queue drains at, a quarter above the rate;
 * the rest waits for the default of 2 s and falls. */
TEST (test_rate_holds)
{
  g_autoptr (Fx) fx = fx_new (VIDEO_CAPS, "start-bitrate", 300000, "tuning",
      tuning (NO_PROBES "," NO_TIMEOUT ",pacing-factor=1.25"), NULL);
  const GstClockTime from = fx_now (fx);
  const guint second = 375000 / 8, most = second + second / 4;

  offer (fx, 2000000, 1200, 8 * GST_SECOND);
  for (guint i = 0; i < fx->out.left->len; i++) {
    const GstClockTime t = g_array_index (fx->out.left, Left, i).at;
    guint bytes;

    if (t < from + GST_SECOND || t + GST_SECOND > fx_now (fx))
      continue;
    bytes = bytes_between (fx, t, t + GST_SECOND);
    fail_unless (bytes >= second - 1200 && bytes <= most + 1200, "%u bytes", bytes);
  }
  fail_unless (fx_stat (fx, "packets-dropped") > 800);
  assert_counted (fx);
}

TEST (test_factor_of_the_profile)
{
  g_autoptr (Fx) fx = fx_new (VIDEO_CAPS, "start-bitrate", 300000, NULL);
  const GstClockTime from = fx_now (fx);
  const guint paced = (guint) fx_stat (fx, "pacing-bitrate");
  guint bytes;

  fail_unless (paced >= 300000 && paced <= 750000, "%u", paced);
  offer (fx, 400000, 500, 2 * GST_SECOND);      /* no queue that has to drain */
  bytes = bytes_between (fx, from + GST_SECOND, from + 2 * GST_SECOND);
  fail_unless (ABS ((gint) bytes - (gint) paced / 8) <= 500, "%u", bytes);
}

/* ANRW'16 3: groups every 5 ms.  At 4.8 Mbit/s one holds three packets of 1000 B. */
TEST (test_groups_of_5_ms)
{
  g_autoptr (Fx) fx = fx_new (VIDEO_CAPS, "start-bitrate", 4800000, "tuning",
      tuning (NO_PROBES "," NO_TIMEOUT ",pacing-factor=1.0"), NULL);
  GstClockTime group = 0;
  guint in_group = 0, groups = 0;

  for (guint i = 0; i < 60; i++)
    fx_push (fx, 1000);
  fx_run (fx, fx_now (fx) + GST_SECOND);
  fail_unless_equals_int (fx_left (fx), 60);
  for (guint i = 0; i < 60; i++) {
    const Left *l = &g_array_index (fx->out.left, Left, i);

    if (l->at != group) {
      fail_unless (groups == 0 || l->at >= group + 5 * GST_MSECOND);
      groups++;
      in_group = 0;
      group = l->at;
    }
    fail_unless (++in_group <= 4);
  }
  fail_unless (groups >= 18 && groups <= 21, "%u groups", groups);
}

/* What has waited for too long falls, and what is left goes on without a gap. */
TEST (test_queue_time_is_bounded)
{
  g_autoptr (Fx) fx = fx_new (VIDEO_CAPS, "start-bitrate", 300000, "tuning",
      tuning (NO_PROBES "," NO_TIMEOUT ",pacing-factor=1.0"),
      "max-queue-time", 200 * GST_MSECOND, NULL);
  const GstClockTime from = fx_now (fx);

  for (guint i = 0; i < 100; i++)
    fx_push (fx, 500);
  fx_settle (fx);
  fail_unless_equals_uint64 (fx_stat (fx, "packets-dropped"), 0);
  fx_run (fx, from + GST_SECOND);
  assert_counted (fx);
  fail_unless_equals_uint64 (fx_stat (fx, "queue-packets"), 0);
  fail_unless (fx_stat (fx, "packets-dropped") > 70);
  fail_unless (fx_left (fx) >= 15);     /* 200 ms of the rate */
  for (guint i = 0, n = fx_left (fx); i < n; i++) {
    const Left *l = &g_array_index (fx->out.left, Left, i);

    fail_unless (l->at <= from + 200 * GST_MSECOND);
    fail_unless_equals_int (l->seq, i);
  }
  fx_push (fx, 500);
  fail_unless_equals_int (g_array_index (fx->out.left, Left, fx_left (fx) - 1).seq,
      fx_left (fx) - 1);
}

/* A rate that falls drops nothing that is coded: it leaves, slowly, and the encoder hears
 * of the rate.  After 2 s it would be of no use. */
TEST (test_nothing_falls_with_the_rate)
{
  g_autoptr (Fx) fx = fx_new (VIDEO_CAPS, "start-bitrate", 1000000, "tuning",
      tuning (NO_PROBES "," NO_TIMEOUT ",pacing-factor=1.0"), NULL);

  for (guint i = 0; i < 50; i++)
    fx_push (fx, 500);
  fx_settle (fx);
  fx_remb (fx, 100000);
  fail_unless_equals_uint64 (fx_stat (fx, "packets-dropped"), 0);
  fx_run (fx, fx_now (fx) + 1900 * GST_MSECOND);
  fail_unless_equals_uint64 (fx_stat (fx, "packets-dropped"), 0);
  fail_unless (fx_left (fx) >= 45);
  fx_run (fx, fx_now (fx) + 200 * GST_MSECOND);
  fail_unless_equals_uint64 (fx_stat (fx, "queue-packets"), 0);
  assert_counted (fx);
}

/* The newest target event that has come upstream. */
static GstRtpCcTarget
heard_target (Fx *fx)
{
  GstRtpCcTarget t = {.target_bps = 0 };
  GstEvent *event;

  while ((event = gst_harness_try_pull_upstream_event (fx->h))) {
    gst_rtp_cc_event_parse (event, &t);
    gst_event_unref (event);
  }
  return t;
}

/* What waits is said upstream, and takes from the encoder's rate; the estimate stays. */
TEST (test_the_encoder_hears_of_a_backlog)
{
  g_autoptr (Fx) fx = fx_new (VIDEO_CAPS, "start-bitrate", 400000, "tuning",
      tuning (NO_PROBES "," NO_TIMEOUT ",pacing-factor=1.0"), NULL);
  GstRtpCcTarget t;
  guint estimate;

  fx_push (fx, 500);
  fx_settle (fx);
  t = heard_target (fx);
  fail_unless_equals_int (t.target_bps, 400000);
  fail_unless_equals_uint64 (t.queue_time, 0);
  for (guint i = 0; i < 50; i++)        /* 500 ms */
    fx_push (fx, 500);
  fx_settle (fx);
  t = heard_target (fx);
  fail_unless (t.queue_time >= 450 * GST_MSECOND && t.queue_time <= 510 * GST_MSECOND,
      "%" GST_TIME_FORMAT, GST_TIME_ARGS (t.queue_time));
  /* 300 ms too much, in a second */
  fail_unless (t.target_bps >= 270000 && t.target_bps <= 300000, "%u", t.target_bps);
  g_object_get (fx->e, "estimated-bitrate", &estimate, NULL);
  fail_unless_equals_int (estimate, 400000);
  fx_run (fx, fx_now (fx) + 600 * GST_MSECOND);
  t = heard_target (fx);
  fail_unless_equals_int (t.target_bps, 400000);
  fail_unless (t.queue_time < 100 * GST_MSECOND);
}

/* T1: a stall of 2 s is no credit of 2 s: 40 ms at once, then a quarter more than the
 * rate, and as much again while the queue is long. */
TEST (test_no_burst_after_a_stall)
{
  g_autoptr (Fx) fx = fx_new (VIDEO_CAPS, "start-bitrate", 300000, "tuning",
      tuning (NO_PROBES "," NO_TIMEOUT ",pacing-factor=1.0"),
      "max-queue-time", 5 * GST_SECOND, NULL);
  GstClockTime resumed;
  GstClockID id;

  for (guint i = 0; i < 100; i++)
    fx_push (fx, 1200);
  fx_settle (fx);
  resumed = fx_now (fx) + 2 * GST_SECOND;
  gst_test_clock_set_time (fx->clock, resumed);
  if ((id = gst_test_clock_process_next_clock_id (fx->clock)))
    gst_clock_id_unref (id);
  fx_run (fx, resumed + 100 * GST_MSECOND);
  fail_unless (bytes_between (fx, resumed - 1, resumed + 100 * GST_MSECOND)
      <= 300000 / 8 * (0.040 + 0.100 * 1.25 * 1.25) + 1200);
  assert_counted (fx);
}

/* rtpgccbwe's EOS overtakes 3 to 4 % of a stream. */
TEST (test_eos_leaves_last)
{
  g_autoptr (Fx) fx = fx_new (VIDEO_CAPS, "start-bitrate", 300000, "max-queue-time",
      10 * GST_SECOND, NULL);

  for (guint i = 0; i < 100; i++)
    fx_push (fx, 1200);
  fail_unless (gst_harness_push_event (fx->h, gst_event_new_eos ()));
  fx_run (fx, fx_now (fx) + 10 * GST_SECOND);
  wait_for (fx->out.order->str[fx->out.order->len - 1] == 'e');
  fail_unless_equals_int (fx_left (fx), 100);
  fail_unless_equals_uint64 (fx_stat (fx, "packets-dropped"), 0);
  fail_unless (g_str_has_suffix (fx->out.order->str, "pppppe"));
}

static GstPadProbeReturn
block (GstPad *pad, GstPadProbeInfo *info, gpointer blocked)
{
  g_atomic_int_set ((gint *) blocked, TRUE);
  return GST_PAD_PROBE_OK;
}

/* P3: flush in the middle of a pacing wait. */
TEST (test_flush)
{
  g_autoptr (Fx) fx = fx_new (VIDEO_CAPS, "start-bitrate", 100000, "max-queue-time",
      10 * GST_SECOND, NULL);
  GstSegment segment;
  GstCaps *caps = gst_caps_from_string (VIDEO_CAPS ",payload=97"), *now;
  g_autoptr (GstPad) src = gst_element_get_static_pad (fx->e, "src");
  guint left;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  for (guint i = 0; i < 20; i++)
    fx_push (fx, 1000);
  fx_settle (fx);
  left = fx_left (fx);
  gst_harness_push_event (fx->h, gst_event_new_caps (caps));
  fail_unless (gst_harness_push_event (fx->h, gst_event_new_flush_start ()));
  fail_unless_equals_int (gst_harness_push (fx->h, rtp_packet (SSRC, 99, 0, 0, 100)),
      GST_FLOW_FLUSHING);
  fail_unless (gst_harness_push_event (fx->h, gst_event_new_flush_stop (TRUE)));
  fail_unless_equals_int (fx_left (fx), left);
  fail_unless_equals_uint64 (fx_stat (fx, "queue-packets"), 0);
  fail_unless_equals_uint64 (fx_stat (fx, "packets-dropped"), 20 - left);
  now = gst_pad_get_current_caps (src); /* which the flush must not lose */
  fail_unless (gst_caps_is_equal (now, caps));

  fail_unless (gst_harness_push_event (fx->h, gst_event_new_segment (&segment)));
  fx_run (fx, fx_now (fx) + GST_SECOND);
  fx_push (fx, 1000);
  fx_push (fx, 1000);
  fx_run (fx, fx_now (fx) + GST_SECOND);
  fail_unless_equals_int (fx_left (fx), left + 2);
  gst_caps_unref (now);
  gst_caps_unref (caps);
}

/* State changes to NULL end a wait that the clock would never end. */
TEST (test_null_during_a_wait)
{
  g_autoptr (Fx) fx = fx_new (VIDEO_CAPS, "start-bitrate", 100000, NULL);

  fx_push (fx, 1000);
  fx_push (fx, 1000);
  fx_settle (fx);
  fail_unless_equals_int (gst_element_set_state (fx->e, GST_STATE_NULL),
      GST_STATE_CHANGE_SUCCESS);
  fail_unless_equals_int (fx_left (fx), 1);
}

static GstFlowReturn flow_below;
static gint chained;

static GstFlowReturn
chain_below (GstPad *pad, GstObject *parent, GstBuffer *buffer)
{
  gst_buffer_unref (buffer);
  g_atomic_int_inc (&chained);
  return flow_below;
}

/* P1: what downstream answers goes up unchanged, from a push that passed at once and
 * from the task, which then stops. */
static void
check_flow (GstFlowReturn flow)
{
  g_autoptr (Fx) fx = fx_new (VIDEO_CAPS, "start-bitrate", 100000, NULL);
  GstFlowReturn answer = GST_FLOW_OK;

  gst_pad_set_chain_function (fx->h->sinkpad, chain_below);
  flow_below = flow;
  chained = 0;
  fail_unless_equals_int (gst_harness_push (fx->h, rtp_packet (SSRC, 0, 0, 0, 1000)),
      flow);
  flow_below = GST_FLOW_OK;
  fx->pushed = 1;
  fx_run (fx, fx_now (fx) + GST_SECOND);
  fx_push (fx, 1000);
  fx_push (fx, 1000);
  fx_settle (fx);
  flow_below = flow;
  gst_test_clock_crank (fx->clock);
  wait_for ((answer = gst_harness_push (fx->h, rtp_packet (SSRC, 9, 0, 0, 50)))
      == flow);
  fail_unless (g_atomic_int_get (&chained) == 3);
  g_usleep (20000);             /* a task that spins would call again */
  fail_unless (g_atomic_int_get (&chained) == 3);
  gst_harness_push_event (fx->h, gst_event_new_flush_start ());
  gst_harness_push_event (fx->h, gst_event_new_flush_stop (TRUE));
}

TEST_EACH (test_flow, 5)
{
  static const GstFlowReturn flows[] = { GST_FLOW_FLUSHING, GST_FLOW_EOS,
    GST_FLOW_NOT_LINKED, GST_FLOW_NOT_NEGOTIATED, GST_FLOW_ERROR
  };

  check_flow (flows[__i__]);
}

/* After EOS upstream pushes nothing that could fail: the application is told. */
TEST (test_error_after_eos_is_posted)
{
  g_autoptr (Fx) fx = fx_new (VIDEO_CAPS, "start-bitrate", 100000, NULL);
  g_autoptr (GstBus) bus = gst_bus_new ();
  GstMessage *message;

  gst_element_set_bus (fx->e, bus);
  fx_push (fx, 1000);
  fx_push (fx, 1000);
  fx_settle (fx);
  gst_harness_push_event (fx->h, gst_event_new_eos ());
  gst_pad_set_chain_function (fx->h->sinkpad, chain_below);
  flow_below = GST_FLOW_ERROR;
  gst_test_clock_crank (fx->clock);
  message = gst_bus_timed_pop_filtered (bus, 5 * GST_SECOND, GST_MESSAGE_ERROR);
  fail_unless (message != NULL);
  gst_message_unref (message);
  gst_element_set_bus (fx->e, NULL);
}

/* Downstream that blocks holds up nothing upstream of the queue, which holds 2 s of it;
 * behind that it goes on in order and without a gap. */
TEST (test_blocked_downstream)
{
  g_autoptr (Fx) fx = fx_new (VIDEO_CAPS, "start-bitrate", 300000, "tuning",
      tuning (NO_PROBES "," NO_TIMEOUT ",pacing-factor=1.0"), NULL);
  g_autoptr (GstPad) src = gst_element_get_static_pad (fx->e, "src");
  gint blocked = FALSE;
  gulong id;

  fx_push (fx, 1000);
  fx_push (fx, 1000);
  fx_settle (fx);
  id = gst_pad_add_probe (src, GST_PAD_PROBE_TYPE_BLOCK | GST_PAD_PROBE_TYPE_BUFFER,
      block, &blocked, NULL);
  gst_test_clock_crank (fx->clock);
  wait_for (g_atomic_int_get (&blocked));
  for (guint i = 0; i < 100; i++) {     /* 5 s */
    gst_test_clock_advance_time (fx->clock, 50 * GST_MSECOND);
    fx_push (fx, 1000);
    fail_unless (fx_stat (fx, "queue-packets") <= 41);
  }
  fail_unless (fx_stat (fx, "packets-dropped") >= 58);
  gst_pad_remove_probe (src, id);
  fx_run (fx, fx_now (fx) + 3 * GST_SECOND);
  assert_counted (fx);
  fail_unless_equals_uint64 (fx_stat (fx, "queue-packets"), 0);
  fail_unless (g_str_has_suffix (fx->out.order->str, "ppp"));
  for (guint i = 1; i < fx->out.left->len; i++)
    fail_unless_equals_int (g_array_index (fx->out.left, Left, i).seq,
        g_array_index (fx->out.left, Left, i - 1).seq + 1);
}

/* The pipeline's clock changes while the task waits on the old one. */
TEST (test_clock_replaced)
{
  g_autoptr (Fx) fx = fx_new (VIDEO_CAPS, "start-bitrate", 100000, NULL);
  g_autoptr (GstClock) clock = gst_test_clock_new_with_start_time (5 * GST_SECOND);

  fx_push (fx, 1000);
  fx_push (fx, 1000);
  fx_settle (fx);
  gst_element_set_clock (fx->e, clock);
  wait_for (gst_test_clock_peek_id_count (GST_TEST_CLOCK (clock)) == 2);
  gst_test_clock_crank (GST_TEST_CLOCK (clock));
  wait_for (fx_left (fx) == 2);
}

TEST_MAIN (rtpgccsender_pacing);
