/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What rtpgccreceiver makes of arrivals and when it says so; what passes through it
 * is in -flow.c and -rtcp.c.
 */
#include "rtpgccreceiver.h"

TEST (test_remb_on_its_own)
{
  g_autoptr (Fixture) f = fixture_new (CAPS_ABS, NULL);
  Feedback feedback;

  stream (f, 300 * GST_MSECOND, 500000, 10000000);
  fail_unless_equals_int (estimate (f), 0);
  fail_if (next_feedback (f, &feedback));
  stream (f, GST_SECOND, 500000, 10000000);
  fail_unless (estimate (f) > 400000);
  fail_unless (next_feedback (f, &feedback));
  fail_unless_equals_int (feedback.n_remb, 1);
  fail_unless_equals_int (feedback.remb_ssrc, MEDIA_SSRC);
  fail_unless_equals_int (feedback.remb.n_ssrcs, 1);
  fail_unless (feedback.report_ssrc != 0);
  fail_unless_equals_int (feedback.remb.sender_ssrc, feedback.report_ssrc);
  fail_unless_equals_int (strlen (feedback.cname), 16);  /* no reduced size (RFC 5506) */
  assert_send_time (f, "abs-send-time");
  fail_unless_equals_int (stat_u64 (f, "packets-received"), f->seq);
  fail_unless_equals_int (stat_u64 (f, "bytes-received"), f->seq * PACKET);
}

/* The newest REMB says what the property does, to REMB's precision. */
TEST (test_remb_says_the_estimate)
{
  g_autoptr (Fixture) f = fixture_new (CAPS_ABS, NULL);
  Feedback feedback = { 0 };
  GstClockID id;

  stream (f, 2 * GST_SECOND, 500000, 10000000);
  drop_feedback (f);
  fail_unless (gst_test_clock_peek_next_pending_id (f->clock, &id));
  advance (f, gst_clock_id_get_time (id));
  gst_clock_id_unref (id);
  fail_unless (next_feedback (f, &feedback));
  fail_unless (feedback.remb.bps <= estimate (f));
  fail_unless (feedback.remb.bps >= estimate (f) * (1 - 1.0 / (1 << 17)) - 1);
}

/* The times of @n REMBs in a row, with nothing to make them urgent. */
static void
reported_times (Fixture *f, GstClockTime *times, guint n)
{
  guint i = 0;

  drop_feedback (f);
  while (i < n) {
    stream (f, GST_MSECOND, 500000, 10000000);
    if (drop_feedback (f) > 0)
      times[i++] = f->now;
    fail_unless (f->now < 200 * GST_SECOND, "feedback stopped");
  }
}

/* Once at its maximum the estimate neither falls nor rises: only the interval tells. */
static void
check_interval (const gchar *property, GstClockTime interval)
{
  g_autoptr (Fixture) f = fixture_new (CAPS_ABS, "max-bitrate", "400000", "feedback-interval",
      property, NULL);
  GstClockTime times[6];

  stream (f, 2 * GST_SECOND, 500000, 10000000);
  fail_unless_equals_int (estimate (f), 400000);
  reported_times (f, times, G_N_ELEMENTS (times));
  for (guint i = 1; i < G_N_ELEMENTS (times); i++)
    fail_unless (ABS (GST_CLOCK_DIFF (times[i - 1] + interval, times[i])) <=
        (gint64) (20 * GST_MSECOND), "%" GST_TIME_FORMAT " apart",
        GST_TIME_ARGS (times[i] - times[i - 1]));
}

TEST (test_interval)
{
  check_interval ("0", 200 * GST_MSECOND);
  check_interval ("1000000000", GST_SECOND);
}

/* 97 % rule: a fall is told before the interval has gone by. */
TEST (test_fall_is_told_at_once)
{
  g_autoptr (Fixture) f = fixture_new (CAPS_ABS, "feedback-interval", "10000000000", NULL);
  guint64 early;
  guint before;
  Feedback feedback = { 0 }, last = { 0 };

  stream (f, 3 * GST_SECOND, 1000000, 1200000);
  drop_feedback (f);
  early = stat_u64 (f, "early-feedback-count");
  before = estimate (f);
  stream (f, GST_SECOND, 1000000, 500000);
  while (next_feedback (f, &feedback))
    last = feedback;
  fail_unless_equals_int (last.n_remb, 1);
  fail_unless (last.remb.bps < 0.97 * before, "%" G_GUINT64_FORMAT " after %u",
      last.remb.bps, before);
  fail_unless (stat_u64 (f, "early-feedback-count") > early);
}

/* RFC 3550 6.2: what feedback takes, with UDP and IP, stays within its share however
 * urgent it is. */
TEST (test_rtcp_share)
{
  g_autoptr (Fixture) f = fixture_new (CAPS_ABS, "tuning", "tuning,rtcp-fraction=0.002",
      "feedback-interval",
      "1000000", "max-bitrate", "400000", NULL);
  GstClockTime times[8];
  guint64 sent, bits = 0;
  Feedback feedback;

  stream (f, 2 * GST_SECOND, 500000, 10000000);
  drop_feedback (f);
  sent = f->now;
  stream (f, 20 * GST_SECOND, 500000, 10000000);
  while (next_feedback (f, &feedback))
    bits += (feedback.size + 28) * 8;
  fail_unless (bits <= 0.002 * 400000 * 1.1 * (f->now - sent) / GST_SECOND + 1000);
  fail_unless (bits >= 0.002 * 400000 * 0.5 * (f->now - sent) / GST_SECOND);
  /* ... and the full share lets the millisecond be kept */
  gst_util_set_object_arg (G_OBJECT (f->element), "tuning", "tuning,rtcp-fraction=1.0");
  stream (f, 2 * GST_SECOND, 500000, 10000000);
  reported_times (f, times, G_N_ELEMENTS (times));
  fail_unless (times[7] - times[0] < 200 * GST_MSECOND);
}

static void
check_falls_and_recovers (Fixture *f, const gchar *send_time)
{
  guint before, low;

  stream (f, 5 * GST_SECOND, 1000000, 1500000);
  before = estimate (f);
  fail_unless (before > 800000, "%u", before);
  assert_send_time (f, send_time);
  stream (f, 2 * GST_SECOND, 1000000, 600000);
  low = estimate (f);
  fail_unless (low < 600000, "a queue grew and the estimate is %u", low);
  fail_unless (low > 250000, "%u", low);
  f->sent = MAX (f->sent, f->link_free);        /* the queue has drained */
  stream (f, 20 * GST_SECOND, 1000000, 5000000);
  fail_unless (estimate (f) > 900000, "no recovery: %u", estimate (f));
  fixture_free (f);
}

TEST (test_falls_and_recovers)
{
  check_falls_and_recovers (fixture_new (CAPS_ABS, NULL), "abs-send-time");
}

TEST (test_rtp_timestamp_fallback)
{
  check_falls_and_recovers (fixture_new (CAPS_PLAIN, NULL), "rtp-timestamp");
}

/* R4: no timestamps, and such as cannot be the capture's: the clock is read. */
TEST (test_bad_stamps)
{
  static const GstClockTime stamps[] = { GST_CLOCK_TIME_NONE, 0, 98 * GST_SECOND,
    1000 * GST_SECOND, G_MAXINT64 / 2, G_MAXINT64, GST_CLOCK_TIME_NONE - 1
  };

  for (guint i = 0; i < G_N_ELEMENTS (stamps); i++) {
    Fixture *f = fixture_new (CAPS_ABS, NULL);

    f->bad_stamps = TRUE;
    f->bad_stamp = stamps[i];
    check_falls_and_recovers (f, "abs-send-time");
  }
}

static void
check_stamp (Fixture *f, GstClockTime stamp, GstClockTime passed)
{
  GstBuffer *buffer = make_rtp (MEDIA_SSRC, f->seq++, f->sent, TRUE, PACKET);

  GST_BUFFER_DTS (buffer) = stamp;
  gst_buffer_ref (buffer);                      /* somebody else's, too: it must not change */
  fail_unless_equals_int (gst_harness_push (f->rtp, buffer), GST_FLOW_OK);
  fail_unless_equals_uint64 (GST_BUFFER_DTS (buffer), stamp);
  gst_buffer_unref (buffer);
  buffer = gst_harness_pull (f->rtp);
  fail_unless_equals_uint64 (GST_BUFFER_DTS (buffer), passed);
  gst_buffer_unref (buffer);
}

/* The clock's time in place of the running time, of what came before there was one: a jitterbuffer
 * would wait for it. Others are left as they are. */
TEST (test_stamps_of_the_clock)
{
  g_autoptr (Fixture) f = fixture_new (CAPS_ABS, NULL);

  gst_element_set_base_time (f->element, f->now - 7 * GST_MSECOND);
  check_stamp (f, f->now, 7 * GST_MSECOND);
  check_stamp (f, f->now - GST_MSECOND, 7 * GST_MSECOND);
  check_stamp (f, 6 * GST_MSECOND, 6 * GST_MSECOND);
  check_stamp (f, f->now, f->now);              /* not the first */
}

TEST (test_stamps_ahead)
{
  static const GstClockTime ahead[] = { GST_CLOCK_TIME_NONE, 5 * GST_SECOND, 98 * GST_SECOND };

  for (guint i = 0; i < G_N_ELEMENTS (ahead); i++) {
    g_autoptr (Fixture) f = fixture_new (CAPS_ABS, NULL);

    gst_element_set_base_time (f->element, f->now - 7 * GST_MSECOND);
    check_stamp (f, ahead[i], ahead[i]);
  }
}

/* No send time at all: traffic is counted, nothing is made up. */
TEST (test_no_send_time)
{
  static const gchar *const caps[] = { "application/x-rtp",
    "application/x-rtp,clock-rate=(int)0", "application/x-rtp,clock-rate=(int)-1" };

  for (guint i = 0; i < G_N_ELEMENTS (caps); i++) {
    Fixture *f = fixture_new (caps[i], NULL);

    stream (f, 2 * GST_SECOND, 500000, 1000000);
    assert_send_time (f, "none");
    fail_unless_equals_int (estimate (f), 0);
    fail_unless_equals_int (stat_u64 (f, "packets-received"), f->seq);
    fail_unless_equals_int (drop_feedback (f), 0);
    fixture_free (f);
  }
}

TEST (test_tmmbr)
{
  g_autoptr (Fixture) f = fixture_new (CAPS_ABS, "feedback-format", "tmmbr", "max-bitrate",
      "400000", NULL);
  Feedback feedback, last = { 0 };

  stream (f, 3 * GST_SECOND, 500000, 10000000);
  while (next_feedback (f, &feedback))
    last = feedback;
  fail_unless_equals_int (last.n_tmmbr, 1);
  fail_unless_equals_int (last.n_remb, 0);
  fail_unless_equals_int (last.tmmbr.ssrc, MEDIA_SSRC);
  /* the request counts IP, UDP and RTP headers in, the estimate only RTP's */
  fail_unless (last.tmmbr.overhead > 0);
  fail_unless (last.tmmbr.bps >= 400000 && last.tmmbr.bps < 440000);
}

/* Feedback may be lost: a report tells of the last 16 packets again, where RTCP's share allows. */
TEST (test_ccfb_repeats)
{
  g_autoptr (Fixture) f = fixture_new (CAPS_ABS, "feedback-format", "ccfb", NULL);
  guint messages = 0, received = 0, reported = 0;
  Feedback feedback;

  stream (f, 2 * GST_SECOND, 500000, 10000000);
  advance (f, f->now + 100 * GST_MSECOND);
  for (; next_feedback (f, &feedback); messages++) {
    received += feedback.ccfb_received;
    reported += feedback.ccfb_reports;
  }
  fail_unless_equals_int (received, reported);
  fail_unless (reported >= f->seq + 8 * messages, "%u", reported);
  fail_unless (reported <= f->seq + 16 * messages, "%u", reported);
}

/* RFC 8888: every arrival once, every 50 ms, and no estimate of ours. */
TEST (test_ccfb)
{
  g_autoptr (Fixture) f = fixture_new (CAPS_ABS, "feedback-format", "ccfb", "tuning",
      "tuning,repeat=0",
      NULL);
  guint messages = 0, received = 0, reported = 0, quiet;
  Feedback feedback;

  stream (f, 2 * GST_SECOND, 500000, 10000000);
  advance (f, f->now + 100 * GST_MSECOND);
  while (next_feedback (f, &feedback)) {
    fail_unless_equals_int (feedback.n_ccfb, 1);
    fail_unless_equals_int (feedback.n_remb, 0);
    messages++;
    received += feedback.ccfb_received;
    reported += feedback.ccfb_reports;
  }
  fail_unless (messages >= 25 && messages <= 41, "%u messages in 2 s", messages);
  fail_unless_equals_int (received, f->seq);
  fail_unless_equals_int (reported, f->seq);
  fail_unless_equals_int (estimate (f), 0);
  /* a gap is told as such */
  f->seq += 3;
  f->sent = f->now;
  stream (f, 200 * GST_MSECOND, 500000, 10000000);
  advance (f, f->now + 100 * GST_MSECOND);
  for (received = reported = 0; next_feedback (f, &feedback);) {
    received += feedback.ccfb_received;
    reported += feedback.ccfb_reports;
  }
  fail_unless_equals_int (reported, received + 3);
  /* and silence is not reported on */
  quiet = gst_test_clock_peek_id_count (f->clock);
  advance (f, f->now + 10 * GST_SECOND);
  fail_unless_equals_int (drop_feedback (f), 0);
  fail_unless (quiet <= 1);
  fail_unless_equals_int (gst_test_clock_peek_id_count (f->clock), 0);
}

/* A stream that has ended is told of for two more seconds, and then nothing ticks. */
TEST (test_silence)
{
  g_autoptr (Fixture) f = fixture_new (CAPS_ABS, NULL);

  stream (f, 2 * GST_SECOND, 500000, 10000000);
  drop_feedback (f);
  advance (f, f->now + 10 * GST_SECOND);
  fail_unless (drop_feedback (f) <= 11);
  fail_unless_equals_int (gst_test_clock_peek_id_count (f->clock), 0);
  f->sent = f->now;
  stream (f, GST_SECOND, 500000, 10000000);
  fail_unless (drop_feedback (f) >= 3);
}

/* A queue in front of the element: buffers come late and in bursts, but say when
 * they were captured. */
TEST (test_capture_time)
{
  g_autoptr (Fixture) f = fixture_new (CAPS_ABS, NULL);
  guint64 groups;
  GstStructure *s;
  gdouble trend;

  for (guint burst = 0; burst < 100; burst++) {
    GstBuffer *held[7];

    for (guint i = 0; i < G_N_ELEMENTS (held); i++, f->sent += 8 * GST_MSECOND) {
      held[i] = make_rtp (MEDIA_SSRC, f->seq++, f->sent, TRUE, PACKET);
      GST_BUFFER_PTS (held[i]) = f->sent + 20 * GST_MSECOND;
    }
    /* the held time grows by 4 ms a burst: taken for arrival it is over-use */
    advance (f, f->sent + 20 * GST_MSECOND + burst * 4 * GST_MSECOND);
    for (guint i = 0; i < G_N_ELEMENTS (held); i++)
      pass (f, held[i]);
  }
  g_object_get (f->element, "stats", &s, NULL);
  fail_unless (gst_structure_get_double (s, "trend", &trend));
  fail_unless (ABS (trend) < 1.0, "trend %f ms", trend);
  fail_unless_equals_string (gst_structure_get_string (s, "usage"), "normal");
  gst_structure_free (s);
  groups = stat_u64 (f, "groups");
  fail_unless (groups >= 690, "groups merged: %" G_GUINT64_FORMAT, groups);
}

/* T1, R4: a clock or a timestamp that jumps is no congestion. */
static void
check_jump (gint64 clock_jump, gint64 pts_jump)
{
  g_autoptr (Fixture) f = fixture_new (CAPS_ABS, NULL);
  guint before;
  GstStructure *s;
  guint64 queue;

  stream (f, 5 * GST_SECOND, 500000, 1000000);
  before = estimate (f);
  advance (f, f->now + clock_jump);
  for (guint i = 0; i < 1000; i++, f->sent += 16 * GST_MSECOND) {
    GstBuffer *b = make_rtp (MEDIA_SSRC, f->seq++, f->sent, TRUE, PACKET);

    advance (f, f->now + 16 * GST_MSECOND);
    GST_BUFFER_PTS (b) = f->now + pts_jump;
    pass (f, b);
    fail_unless (estimate (f) >= 0.97 * before, "%u after %u, packet %u",
        estimate (f), before, i);
  }
  g_object_get (f->element, "stats", &s, NULL);
  fail_unless (gst_structure_get_uint64 (s, "queuing-delay", &queue));
  fail_unless (queue < 50 * GST_MSECOND);
  gst_structure_free (s);
}

TEST (test_jumps)
{
  const gint64 hour = 3600 * (gint64) GST_SECOND;

  check_jump (hour, 0);
  check_jump (hour, -hour);
  check_jump (0, hour);
  check_jump (2 * hour, -3 * hour);
}

/* A clock that is an hour behind takes over: the driver's time goes on. */
TEST (test_clock_replaced)
{
  g_autoptr (Fixture) f = fixture_new (CAPS_ABS, NULL);
  g_autoptr (GstClock) clock = gst_test_clock_new_with_start_time (7 * GST_SECOND);
  guint before;

  stream (f, 3 * GST_SECOND, 500000, 1000000);
  before = estimate (f);
  drop_feedback (f);
  fail_unless (gst_element_set_clock (f->element, clock));
  gst_object_unref (f->clock);
  f->clock = gst_object_ref (clock);
  f->now = 7 * GST_SECOND;
  f->link_free = 0;
  for (guint i = 0; i < 200; i++, f->sent += 16 * GST_MSECOND) {
    advance (f, f->now + 16 * GST_MSECOND);
    pass (f, make_rtp (MEDIA_SSRC, f->seq++, f->sent, TRUE, PACKET));
  }
  fail_unless (estimate (f) >= 0.97 * before);
  fail_unless (drop_feedback (f) >= 5);
}

static void
count_call (GObject *object, GParamSpec *pspec, guint *count)
{
  ++*count;
}

TEST (test_reset)
{
  g_autoptr (Fixture) f = fixture_new (CAPS_ABS, NULL);
  guint notified = 0;
  Feedback feedback = { 0 };

  gst_harness_set_src_caps_str (f->rtcp, "application/x-rtcp");
  gst_harness_push (f->rtcp, make_compound (SESSION_SSRC, "me@here"));
  drop_feedback (f);
  stream (f, 3 * GST_SECOND, 500000, 1000000);
  fail_unless (estimate (f) > 0);
  g_signal_connect (f->element, "notify::estimated-bitrate",
      G_CALLBACK (count_call), &notified);
  g_signal_emit_by_name (f->element, "reset");
  fail_unless_equals_int (estimate (f), 0);
  fail_unless_equals_int (notified, 1);
  fail_unless_equals_int (stat_u64 (f, "packets-received"), 0);
  drop_feedback (f);
  stream (f, 300 * GST_MSECOND, 500000, 1000000);
  fail_unless_equals_int (drop_feedback (f), 0);
  /* caps, and whose session it is, were not forgotten */
  stream (f, GST_SECOND, 500000, 1000000);
  assert_send_time (f, "abs-send-time");
  fail_unless (next_feedback (f, &feedback));
  fail_unless_equals_int (feedback.report_ssrc, SESSION_SSRC);
  fail_unless_equals_string (feedback.cname, "me@here");
}

TEST (test_messages_and_notify)
{
  g_autoptr (Fixture) f = fixture_new (CAPS_ABS, "post-messages", "true", NULL);
  g_autoptr (GstBus) bus = gst_bus_new ();
  guint notified = 0, messages = 0, decreases = 0;
  GstMessage *m;

  gst_element_set_bus (f->element, bus);
  g_signal_connect (f->element, "notify::estimated-bitrate",
      G_CALLBACK (count_call), &notified);
  stream (f, 3 * GST_SECOND, 1000000, 1200000);
  fail_unless (notified > 0);
  stream (f, 2 * GST_SECOND, 1000000, 500000);
  while ((m = gst_bus_pop_filtered (bus, GST_MESSAGE_ELEMENT))) {
    const GstStructure *s = gst_message_get_structure (m);
    guint bps;

    fail_unless_equals_string (gst_structure_get_name (s), "GstRtpGccReceiver");
    fail_unless (gst_structure_get_string (s, "usage") != NULL);
    fail_unless (gst_structure_get_uint (s, "estimated-bitrate", &bps));
    decreases += g_str_equal (gst_structure_get_string (s, "state"), "decrease");
    messages++;
    gst_message_unref (m);
  }
  fail_unless (decreases > 0);
  fail_unless (messages - decreases <= decreases
      && messages - decreases + 1 >= decreases, "%u of %u", decreases, messages);
  gst_element_set_bus (f->element, NULL);
}

TEST_MAIN (rtpgccreceiver);
