/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What rtpfbrareceiver reports and when, and what it drops.
 */
#include "rtpfbrareceiver.h"

#define MS GST_MSECOND
#define GAP (5 * MS)                    /* of 1000 bytes: 1.6 Mbit/s */

TEST (test_reports_at_the_interval)
{
  static const struct
  {
    const gchar *interval;
    guint least, most;                  /* of two seconds */
  } cases[] = { {"100000000", 18, 21}, {"50000000", 36, 41}, {"400000000", 4, 6} };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    Fixture *f = fixture_new (CAPS_ABS, "feedback-interval", cases[i].interval, NULL);
    Xr xr;

    fail_unless_equals_int (packets (f, 400, GAP, 20 * MS), 400);
    advance (f, f->now + GST_SECOND);
    xr = pull_xr (f);
    fail_unless (xr.reports >= cases[i].least, "%u", xr.reports);
    fail_unless (xr.reports <= cases[i].most, "%u", xr.reports);
    fail_unless_equals_int (xr.whole_reports, xr.reports);
    fail_unless_equals_int (xr.report_ssrc, xr.xr_ssrc);
    fail_unless_equals_int (xr.received, 400);
    fail_unless_equals_int (xr.times, 400);
    fail_unless_equals_int (xr.lost, 0);
    fail_unless_equals_int (xr.late, 0);
    fail_unless_equals_uint64 (stat_u64 (f, "reported-received"), 400);
    fail_unless_equals_uint64 (stat_u64 (f, "feedback-regular"), xr.reports);
    fixture_free (f);
  }
}

/* The first loss after a regular report is told when it is certain; the next waits. */
TEST (test_early_reports)
{
  for (guint early = 0; early < 2; early++) {
    Fixture *f = fixture_new (CAPS_ABS, "feedback-interval", "200000000", "early",
        early ? "true" : "false", NULL);
    Xr xr;

    packets (f, 201, GAP, 20 * MS);     /* a report came just now */
    advance (f, f->now + MS);
    fail_unless (pull_xr (f).reports > 0);
    f->seq++;
    packets (f, 2, GAP, 20 * MS);
    fail_unless_equals_int (pull_xr (f).reports, 0);
    packets (f, 1, GAP, 20 * MS);
    xr = pull_xr (f);
    fail_unless_equals_int (xr.reports, early);
    fail_unless_equals_int (xr.lost, early);
    f->seq++;
    packets (f, 10, GAP, 20 * MS);
    fail_unless_equals_int (pull_xr (f).reports, 0);
    fail_unless_equals_uint64 (stat_u64 (f, "feedback-early"), early);
    packets (f, 100, GAP, 20 * MS);
    xr = pull_xr (f);
    fail_unless_equals_int (xr.lost, 2 - early);
    fail_unless_equals_uint64 (stat_u64 (f, "reported-lost"), 2);
    fixture_free (f);
  }
}

/* The clock is late, or has no timers: a packet stands in for one that is a second late. */
TEST (test_regular_reports_are_the_timers)
{
  g_autoptr (Fixture) f = fixture_new (CAPS_ABS, "feedback-interval", "100000000", NULL);

  packets (f, 50, 10 * GST_MSECOND, 20 * GST_MSECOND);
  fail_unless (pull_xr (f).reports >= 4);
  f->now += 900 * GST_MSECOND;
  gst_test_clock_set_time (f->clock, f->now);
  fail_unless (push_rtp (f, MEDIA_SSRC, f->seq++, f->now - 20 * GST_MSECOND));
  fail_unless_equals_int (pull_xr (f).reports, 0);
  f->now += 300 * GST_MSECOND;
  gst_test_clock_set_time (f->clock, f->now);
  fail_unless (push_rtp (f, MEDIA_SSRC, f->seq++, f->now - 20 * GST_MSECOND));
  fail_unless_equals_int (pull_xr (f).reports, 1);
}

TEST (test_late_packets)
{
  for (guint drop = 0; drop < 2; drop++) {
    Fixture *f = fixture_new (CAPS_ABS, "drop-late", drop ? "true" : "false", NULL);
    Xr xr;

    fail_unless_equals_int (packets (f, 100, GAP, 20 * MS), 100);
    fail_unless_equals_int (packets (f, 20, GAP, 415 * MS), 20);
    fail_unless_equals_int (packets (f, 30, GAP, 425 * MS), drop ? 0 : 30);
    fail_unless_equals_int (packets (f, 100, GAP, 20 * MS), 100);
    advance (f, f->now + GST_SECOND);
    xr = pull_xr (f);
    fail_unless_equals_int (xr.received, 250);
    fail_unless_equals_int (xr.late, 30);
    fail_unless_equals_int (xr.lost, 0);
    fail_unless_equals_int (xr.times, 250);
    fail_unless_equals_uint64 (stat_u64 (f, "packets-late"), 30);
    fail_unless_equals_uint64 (stat_u64 (f, "reported-late"), 30);
    fail_unless (stat_u64 (f, "feedback-early") >= 1);
    fixture_free (f);
  }
}

/* What is late is taken out of a list, and the rest of it goes on in order. */
TEST (test_late_in_lists)
{
  static const guint patterns[] = { 0x000, 0x3ff, 0x001, 0x200, 0x155, 0x1fe };
  g_autoptr (Fixture) f = fixture_new (CAPS_ABS, NULL);
  g_autoptr (GstPad) sink = gst_element_get_static_pad (f->element, "sink");

  packets (f, 100, GAP, 20 * MS);
  for (guint i = 0; i < G_N_ELEMENTS (patterns); i++) {
    GstBufferList *list = gst_buffer_list_new ();
    GstBuffer *in[10];

    packets (f, 10, GAP, 20 * MS);
    for (guint k = 0; k < 10; k++) {
      in[k] = make_rtp (MEDIA_SSRC, f->seq++,
          f->now - (patterns[i] >> k & 1 ? 500 * MS : 20 * MS), TRUE, PACKET);
      GST_BUFFER_PTS (in[k]) = f->now;
      gst_buffer_list_add (list, in[k]);
    }
    gst_buffer_list_ref (list);         /* shared: it may not be written to */
    fail_unless_equals_int (gst_pad_push_list (GST_PAD_PEER (sink), list), GST_FLOW_OK);
    for (guint k = 0; k < 10; k++) {
      GstBuffer *out;

      if (patterns[i] >> k & 1)
        continue;
      out = gst_harness_try_pull (f->rtp);
      fail_unless (out == in[k]);
      gst_buffer_unref (out);
    }
    fail_unless (gst_harness_try_pull (f->rtp) == NULL);
    fail_unless_equals_int (gst_buffer_list_length (list), 10);
    gst_buffer_list_unref (list);
  }
}

/* Parity and retransmissions are judged on the same clock, where there is one. */
TEST (test_other_streams)
{
  for (guint abs = 0; abs < 2; abs++) {
    Fixture *f = fixture_new (abs ? CAPS_ABS : CAPS_PLAIN, NULL);

    packets (f, 100, GAP, 20 * MS);
    fail_unless (push_rtp (f, 0x5555, 7, f->now - 20 * MS));
    fail_unless_equals_int (push_rtp (f, 0x5555, 8, f->now - 500 * MS), !abs);
    fail_if (push_rtp (f, MEDIA_SSRC, f->seq++, f->now - 500 * MS));
    assert_send_time (f, abs ? "abs-send-time" : "rtp-timestamp");
    packets (f, 100, GAP, 20 * MS);
    fail_unless_equals_uint64 (stat_u64 (f, "packets-late"), 1 + abs);
    fixture_free (f);
  }
}

/* T1: whatever the sender's clock does, no more than two seconds are dropped. */
TEST (test_clock_steps)
{
  static const gint64 steps[] = { 600 * MS, -(gint64) (600 * MS), 3600 * GST_SECOND,
    -(gint64) (99 * GST_SECOND), 64 * GST_SECOND };

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++) {
    Fixture *f = fixture_new (CAPS_ABS, NULL);
    guint dropped = 0;

    packets (f, 1000, GAP, 20 * MS);
    for (guint k = 0; k < 4000; k++) {
      advance (f, f->now + GAP);
      dropped += !push_rtp (f, MEDIA_SSRC, f->seq++, f->now - 20 * MS + steps[i]);
    }
    fail_unless (dropped <= 400, "%u", dropped);
    if (steps[i] > 0)                   /* it seems to have got here sooner */
      fail_unless_equals_int (dropped, 0);
    fixture_free (f);
  }
}

/* No clock rate: no receipt times, and without abs-send-time nothing is late. */
TEST (test_no_clock_rate)
{
  g_autoptr (Fixture) f = fixture_new ("application/x-rtp", NULL);
  Xr xr;

  packets (f, 200, GAP, 20 * MS);
  fail_unless_equals_int (packets (f, 50, GAP, 900 * MS), 50);
  advance (f, f->now + GST_SECOND);
  xr = pull_xr (f);
  fail_unless_equals_int (xr.received, 250);
  fail_unless_equals_int (xr.times, 0);
  assert_send_time (f, "none");
}

TEST (test_receipt_times_off)
{
  g_autoptr (Fixture) f = fixture_new (CAPS_ABS, "receipt-times", "false", NULL);
  Xr xr;

  packets (f, 200, GAP, 20 * MS);
  xr = pull_xr (f);
  fail_unless (xr.received > 150);
  fail_unless_equals_int (xr.times, 0);
  g_object_set (f->element, "receipt-times", TRUE, NULL);
  packets (f, 200, GAP, 20 * MS);
  fail_unless (pull_xr (f).times > 150);
}

/* Pushes a DLRR answer to @xr's reference time through recv_rtcp_sink: with what has gone
 * by since, that makes a round trip of @rtt. */
static void
answer (GstHarness *heard, const Xr *xr, GstClockTime age, GstClockTime rtt)
{
  const RccXrDlrr entry = { xr->xr_ssrc, xr->lrr,
    rcc_ntp_middle (rcc_ns_to_ntp (age - rtt)) };
  guint8 bytes[100];
  gsize n = rcc_rtcp_build_rr (bytes, sizeof bytes, MEDIA_SSRC, NULL, 0);
  GstBuffer *in, *out;

  n += rcc_xr_dlrr_add (bytes + n, sizeof bytes - n,
      rcc_xr_begin (bytes + n, sizeof bytes - n, MEDIA_SSRC), &entry, 1);
  in = gst_buffer_new_memdup (bytes, n);
  fail_unless_equals_int (gst_harness_push (heard, in), GST_FLOW_OK);
  out = gst_harness_try_pull (heard);
  fail_unless (out == in);
  gst_buffer_unref (out);
}

/* DLRR through the request pads: two round trips are the interval from then on. */
TEST (test_round_trip)
{
  g_autoptr (Fixture) f = fixture_new (CAPS_ABS, NULL);
  GstHarness *heard = gst_harness_new_with_element (f->element, "recv_rtcp_sink", NULL);
  GstPad *src = gst_element_get_static_pad (f->element, "recv_rtcp_src");
  GstClockTime asked;
  Xr xr;

  fail_unless (src != NULL);
  gst_harness_add_element_src_pad (heard, src);
  gst_harness_set_src_caps_str (heard, "application/x-rtcp");
  fail_unless_equals_uint64 (stat_u64 (f, "rtt"), GST_CLOCK_TIME_NONE);
  do {
    packets (f, 1, GAP, 20 * MS);
    asked = f->now;
    xr = pull_xr (f);
  } while (xr.lrr == 0);
  packets (f, 200, GAP, 20 * MS);
  pull_xr (f);
  answer (heard, &xr, f->now - asked, 300 * MS);
  fail_unless (ABS ((gint64) stat_u64 (f, "rtt") - (gint64) (300 * MS)) < (gint64) MS);
  fail_unless (ABS ((gint64) stat_u64 (f, "feedback-interval") - (gint64) (600 * MS))
      < (gint64) (2 * MS));
  packets (f, 600, GAP, 20 * MS);       /* three seconds */
  xr = pull_xr (f);
  fail_unless (xr.reports >= 4 && xr.reports <= 6, "%u", xr.reports);
  fail_unless (xr.lrr != 0);
  /* a forged one changes nothing */
  answer (heard, &(Xr) { .xr_ssrc = xr.xr_ssrc, .lrr = xr.lrr + 77 }, GST_SECOND, 0);
  fail_unless (ABS ((gint64) stat_u64 (f, "rtt") - (gint64) (300 * MS)) < (gint64) MS);
  gst_object_unref (src);
  gst_harness_teardown (heard);
}

/* The pads may go and come again. */
TEST (test_request_pads)
{
  g_autoptr (Fixture) f = fixture_new (CAPS_ABS, NULL);

  for (guint i = 0; i < 3; i++) {
    GstPad *sink = gst_element_request_pad_simple (f->element, "recv_rtcp_sink");
    GstPad *src = gst_element_get_static_pad (f->element, "recv_rtcp_src");

    fail_unless (sink != NULL && src != NULL);
    gst_element_release_request_pad (f->element, sink);
    fail_unless (gst_element_get_static_pad (f->element, "recv_rtcp_src") == NULL);
    gst_object_unref (src);
    gst_object_unref (sink);
  }
  packets (f, 100, GAP, 20 * MS);
  fail_unless (pull_xr (f).reports > 0);
}

/* A report rides on the session's compound when it is nearly due, in the session's name. */
TEST (test_appended)
{
  g_autoptr (Fixture) f = fixture_new (CAPS_ABS, "feedback-interval", "400000000", NULL);
  Xr xr;

  gst_harness_set_src_caps_str (f->rtcp, "application/x-rtcp");
  packets (f, 81, GAP, 20 * MS);
  advance (f, f->now + MS);
  fail_unless_equals_int (pull_xr (f).reports, 1);
  packets (f, 20, GAP, 20 * MS);
  gst_harness_push (f->rtcp, make_compound (SESSION_SSRC, "me@here"));
  xr = pull_xr (f);
  fail_unless_equals_int (xr.reports, 0);
  fail_unless_equals_int (xr.report_ssrc, SESSION_SSRC);
  packets (f, 50, GAP, 20 * MS);
  gst_harness_push (f->rtcp, make_compound (SESSION_SSRC, "me@here"));
  xr = pull_xr (f);
  fail_unless_equals_int (xr.reports, 1);
  fail_unless_equals_int (xr.xr_ssrc, SESSION_SSRC);
  fail_unless (xr.received >= 60);
  fail_unless_equals_uint64 (stat_u64 (f, "feedback-appended"), 1);
  packets (f, 70, GAP, 20 * MS);
  fail_unless_equals_int (pull_xr (f).reports, 0);
  packets (f, 20, GAP, 20 * MS);
  fail_unless_equals_int (pull_xr (f).reports, 1);
}

/* Sleeps until a report may be sent: no wake without one, none at all without packets. */
TEST (test_wakes)
{
  g_autoptr (Fixture) f = fixture_new (CAPS_ABS, NULL);
  guint wakes = 0, set_by_packets = 0, reports;
  GstClockID id;

  fail_if (gst_test_clock_peek_next_pending_id (f->clock, NULL));
  for (guint i = 0; i < 2000; i++) {
    f->now += GAP;
    gst_test_clock_set_time (f->clock, f->now);
    while (gst_test_clock_peek_next_pending_id (f->clock, &id)
        && gst_clock_id_get_time (id) <= f->now) {
      gst_clock_id_unref (id);
      id = gst_test_clock_process_next_clock_id (f->clock);
      if (id)
        gst_clock_id_unref (id);
      id = NULL;
      settle (f);
      wakes++;
    }
    set_by_packets -= gst_test_clock_peek_id_count (f->clock);
    push_rtp (f, MEDIA_SSRC, f->seq++, f->now - 20 * MS);
    set_by_packets += gst_test_clock_peek_id_count (f->clock);
    settle (f);
  }
  reports = pull_xr (f).reports;
  fail_unless (reports >= 95, "%u", reports);
  fail_unless_equals_int (set_by_packets, 1);   /* the first: each wakes the clock's thread */
  fail_unless (wakes <= reports + 5, "%u wakes for %u reports", wakes, reports);
  advance (f, f->now + 10 * GST_SECOND);
  pull_xr (f);
  fail_if (gst_test_clock_peek_next_pending_id (f->clock, NULL));
}

/* Within the share of the bandwidth at any loss, and within an MTU. */
TEST (test_share)
{
  g_autoptr (Fixture) f = fixture_new (CAPS_ABS, "rtcp-fraction", "0.006", NULL);
  guint64 reported = 0, received = 0;
  GstBuffer *buffer;
  guint reports = 0;

  for (guint i = 0; i < 6000; i++) {
    advance (f, f->now + GAP);
    f->seq++;
    if (i % 7 == 3 || i % 11 == 5 || i % 500 > 480)
      continue;
    push_rtp (f, MEDIA_SSRC, f->seq, f->now - 20 * MS);
    received += PACKET;
    settle (f);
    while ((buffer = gst_harness_try_pull (f->rtcp))) {
      const gsize size = gst_buffer_get_size (buffer) + 28;

      fail_unless (size <= 1428);
      reported += size;
      reports++;
      fail_unless (reported <= received * 6 / 1000 + size);
      gst_buffer_unref (buffer);
    }
  }
  fail_unless (reports > 90, "%u", reports);
  fail_unless (stat_u64 (f, "feedback-early") > 10);
}

TEST (test_reset)
{
  g_autoptr (Fixture) f = fixture_new (CAPS_ABS, NULL);

  packets (f, 100, GAP, 20 * MS);
  packets (f, 10, GAP, 500 * MS);
  pull_xr (f);
  g_signal_emit_by_name (f->element, "reset");
  fail_unless_equals_uint64 (stat_u64 (f, "packets-received"), 0);
  fail_unless_equals_uint64 (stat_u64 (f, "delay"), GST_CLOCK_TIME_NONE);
  fail_unless_equals_int (packets (f, 100, GAP, 500 * MS), 100);
  fail_unless (pull_xr (f).times > 50); /* what the caps say has stayed */
}

TEST_MAIN (rtpfbrareceiver);
