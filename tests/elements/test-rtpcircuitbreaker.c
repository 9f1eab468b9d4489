/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What passes rtpcircuitbreaker unchanged, what opens it and when, and who hears of it.
 */
#include "breaker-rig.h"

/* --- what passes ---------------------------------------------------------- */

TEST (test_passes_unchanged)
{
  g_autoptr (Cb) cb = cb_new (NULL);
  guint8 data[1500];

  for (guint i = 0; i < 100; i++) {
    GstBuffer *buffer = cb_packet (cb, i % 3), *out;

    fail_unless_equals_int (gst_harness_push (cb->h, buffer), GST_FLOW_OK);
    out = gst_harness_pull (cb->h);
    fail_unless (out == buffer && gst_buffer_is_writable (out));
    gst_buffer_unref (out);
  }
  for (gsize size = 0; size <= sizeof data; size += 100) {
    memset (data, (int) size, size);
    cb_rtcp (cb, cb->rtcp, data, size);
    cb_rtcp (cb, cb->out, data, size);
  }
  fail_unless_equals_uint64 (cb_stat (cb, "packets-dropped"), 0);
  cb_expect (cb, "closed");
  cb_no_message (cb);
  cb_no_event (cb);
}

static GstBufferList *
list_of (Cb *cb, guint n, guint streams)
{
  GstBufferList *list = gst_buffer_list_new_sized (n);

  for (guint i = 0; i < n; i++)
    gst_buffer_list_add (list, cb_packet (cb, i % streams));
  return list;
}

static GstPadProbeReturn
take_list (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  GstBufferList **taken = data;

  fail_unless (*taken == NULL);
  *taken = gst_buffer_list_ref (GST_PAD_PROBE_INFO_BUFFER_LIST (info));
  return GST_PAD_PROBE_OK;
}

/* What leaves of @list, with the same reference count; NULL: nothing.  Takes it. */
static GstBufferList *
through_list (Cb *cb, GstBufferList *list)
{
  GstPad *src = gst_element_get_static_pad (cb->e, "src");
  GstPad *sink = gst_element_get_static_pad (cb->e, "sink");
  GstBufferList *out = NULL;
  gulong probe = gst_pad_add_probe (src, GST_PAD_PROBE_TYPE_BUFFER_LIST, take_list, &out,
      NULL);

  fail_unless_equals_int (gst_pad_push_list (GST_PAD_PEER (sink), list), GST_FLOW_OK);
  gst_pad_remove_probe (src, probe);
  gst_object_unref (src);
  gst_object_unref (sink);
  cb->received += drain (cb->h);
  return out;
}

TEST (test_whole_list_is_not_copied)
{
  g_autoptr (Cb) cb = cb_new (NULL);
  GstBufferList *list = list_of (cb, 10, 2), *out = through_list (cb, list);

  fail_unless (out == list);
  fail_unless_equals_int (gst_buffer_list_length (out), 10);
  fail_unless_equals_int (cb->received, 10);
  gst_buffer_list_unref (out);
}

/* --- what opens it -------------------------------------------------------- */

TEST (test_rtcp_timeout)
{
  g_autoptr (Cb) cb = cb_new (NULL);

  cb_stream (cb, 14900 * GST_MSECOND);
  cb_expect (cb, "closed");
  cb_no_message (cb);
  fail_unless_equals_int (cb->received, cb->streams[0].sent);
  cb_stream (cb, 100 * GST_MSECOND);
  fail_unless_equals_uint64 (cb_now (cb), CB_START + 15 * GST_SECOND);
  cb_expect (cb, "open");
  cb_expect_message (cb, "open", "rtcp-timeout", 0);
  cb_no_message (cb);
  cb_expect_event (cb, 0, 0, "no RTCP");
  cb_no_event (cb);
  fail_unless_equals_int (cb->notified, 1);

  cb->received = 0;
  cb_stream (cb, GST_SECOND);
  fail_unless_equals_int (cb->received, 0);
  fail_unless_equals_uint64 (cb_stat (cb, "packets-dropped"), 50);
  fail_unless_equals_uint64 (cb_stat (cb, "bytes-dropped"), 50 * CB_SIZE);
  cb_report (cb, 0);            /* RTCP goes on, both ways */
  cb_expect (cb, "open");
  cb_no_message (cb);
  cb_no_event (cb);
  fail_unless_equals_int (cb->notified, 1);
}

/* From the newest RTCP on, and from the first packet on where there is none. */
TEST (test_rtcp_timeout_runs_from)
{
  g_autoptr (Cb) cb = cb_new (NULL);

  cb_run (cb, CB_START + 100 * GST_SECOND);
  cb_stream (cb, 10 * GST_SECOND);
  cb_report (cb, 0);
  cb_stream (cb, 14900 * GST_MSECOND);
  cb_expect (cb, "closed");
  cb_stream (cb, 100 * GST_MSECOND);
  cb_expect (cb, "open");
}

TEST (test_media_timeout)
{
  g_autoptr (Cb) cb = cb_new (NULL);
  GstMessage *message;

  cb_reports (cb, 2, 0);
  for (guint i = 0; i < 5; i++) {
    cb_expect (cb, "closed");
    cb_stream (cb, 5 * GST_SECOND);
    cb_report_nothing (cb);
  }
  cb_expect (cb, "open");
  message = cb_message (cb);
  fail_unless_equals_string (gst_structure_get_string (gst_message_get_structure
          (message), "reason"), "media-timeout");
  fail_unless_equals_uint64 (number_in (gst_message_get_structure (message),
          "interval"), 25 * GST_SECOND);
  gst_message_unref (message);
  cb_expect_event (cb, 0, 0, "media does not arrive");
}

/* Half of 480 kbit/s lost at 500 ms: TCP would send 33 kbit/s. */
TEST (test_congestion)
{
  g_autoptr (Cb) cb = cb_new (NULL);
  GstMessage *message;
  const GstStructure *s;
  gdouble loss;

  cb_reports (cb, 3, 0.5);
  cb_expect (cb, "closed");
  cb_reports (cb, 1, 0.5);
  cb_expect (cb, "open");
  message = cb_message (cb);
  s = gst_message_get_structure (message);
  fail_unless (GST_MESSAGE_SRC (message) == GST_OBJECT (cb->e));
  fail_unless_equals_string (gst_structure_get_string (s, "state"), "open");
  fail_unless_equals_string (gst_structure_get_string (s, "reason"), "congestion");
  fail_unless_equals_int_hex (number_in (s, "ssrc"), CB_SSRC);
  fail_unless (gst_structure_get_double (s, "loss", &loss));
  fail_unless (loss > 0.49 && loss < 0.51, "loss %f", loss);
  fail_unless_equals_uint64 (number_in (s, "rtt"), 500 * GST_MSECOND);
  /* s / (R sqrt (2 p / 3)) = 1200 B / (0.5 s * 0.5774) */
  fail_unless (number_in (s, "tcp-rate") > 32900 && number_in (s, "tcp-rate") < 33600);
  fail_unless (number_in (s, "send-rate") > 475000 && number_in (s, "send-rate") < 485000);
  fail_unless_equals_uint64 (number_in (s, "interval"), 15 * GST_SECOND);
  fail_unless_equals_uint64 (number_in (s, "retry-after"), 15 * GST_SECOND);
  fail_if (gst_structure_has_field (s, "reset-refused"));
  fail_unless_equals_int (gst_structure_n_fields (s), 9);
  gst_message_unref (message);
  cb_expect_event (cb, 0, 0, "more than TCP");
}

/* Where nothing is lost TCP's rate has no bound, and what is no figure is said so. */
TEST (test_message_without_figures)
{
  Cb *cb = cb_new (NULL);
  GstMessage *message;
  const GstStructure *s;

  cb_open_by_silence (cb);
  message = cb_message (cb);
  s = gst_message_get_structure (message);
  fail_unless_equals_uint64 (number_in (s, "rtt"), GST_CLOCK_TIME_NONE);
  fail_unless_equals_uint64 (number_in (s, "tcp-rate"), 0);
  gst_message_unref (message);
  cb_free (cb);

  cb = cb_new (NULL);
  cb_reports (cb, 5, 0);
  for (guint i = 0; i < 5; i++) {
    cb_stream (cb, 5 * GST_SECOND);
    cb_report_nothing (cb);
  }
  message = cb_message (cb);
  s = gst_message_get_structure (message);
  fail_unless_equals_uint64 (number_in (s, "tcp-rate"), G_MAXUINT64);
  gst_message_unref (message);
  cb_free (cb);
}

/* --- one of several ------------------------------------------------------- */

static const gdouble first_suffers[CB_STREAMS] = { 0.5, 0, 0, 0 };

/* Stream 0 of two opens. */
static Cb *
one_of_two (const gchar *scope)
{
  Cb *cb = cb_new (NULL);

  gst_util_set_object_arg (G_OBJECT (cb->e), "scope", scope);
  cb->n_streams = 2;
  for (guint i = 0; i < 4; i++) {
    cb_expect (cb, "closed");
    cb_stream (cb, 4500 * GST_MSECOND);
    cb_report_each (cb, first_suffers);
  }
  cb_expect (cb, "open");
  cb->received = 0;
  return cb;
}

TEST (test_scope_ssrc)
{
  g_autoptr (Cb) cb = one_of_two ("ssrc");
  GstBufferList *out;
  GstStructure *stats;
  const GstStructure *s;

  cb_expect_message (cb, "open", "congestion", CB_SSRC);
  cb_no_message (cb);
  cb_expect_event (cb, G_MAXUINT, 0, "more than TCP");
  cb_expect_event (cb, 0, CB_SSRC, "more than TCP");
  cb_no_event (cb);
  cb_stream (cb, GST_SECOND);
  fail_unless_equals_int (cb->received, 50);
  fail_unless_equals_uint64 (cb_stat (cb, "packets-dropped"), 50);

  /* of a list the others leave, and are ours alone */
  out = through_list (cb, list_of (cb, 7, 2));
  fail_unless_equals_int (gst_buffer_list_length (out), 3);
  for (guint i = 0; i < 3; i++) {
    guint8 header[12];

    fail_unless_equals_int (gst_buffer_extract (gst_buffer_list_get (out, i), 0, header,
            12), 12);
    fail_unless_equals_int_hex (rcc_be32 (header + 8), CB_SSRC + 1);
  }
  gst_buffer_list_unref (out);
  fail_unless (through_list (cb, list_of (cb, 5, 1)) == NULL);
  fail_unless_equals_uint64 (cb_stat (cb, "packets-dropped"), 50 + 4 + 5);

  stats = cb_stats (cb);
  fail_unless_equals_string (gst_structure_get_name (stats),
      "application/x-rtp-circuit-breaker-stats");
  fail_unless_equals_string (gst_structure_get_string (stats, "state"), "open");
  fail_unless_equals_string (gst_structure_get_string (stats, "reason"), "congestion");
  fail_unless_equals_uint64 (number_in (stats, "circuit-breaker-trigger-count"), 1);
  fail_unless_equals_uint64 (number_in (stats, "rtcp-compounds"), 4);
  fail_unless_equals_uint64 (number_in (stats, "rtcp-forged"), 0);
  fail_unless_equals_uint64 (number_in (stats, "rtt-smoothed"), 500 * GST_MSECOND);
  fail_unless_equals_uint64 (number_in (stats, "retry-after"), 14 * GST_SECOND);
  fail_unless_equals_uint64 (number_in (stats, "time-since-rtcp"), GST_SECOND);
  fail_unless_equals_uint64 (number_in (stats, "td"), 5 * GST_SECOND);
  s = cb_stream_stats (stats, 0);
  fail_unless_equals_int_hex (number_in (s, "ssrc"), CB_SSRC);
  fail_unless_equals_string (gst_structure_get_string (s, "state"), "open");
  fail_unless_equals_uint64 (number_in (s, "report-count"), 4);
  fail_unless_equals_uint64 (number_in (s, "cb-interval"), 3);
  s = cb_stream_stats (stats, 1);
  fail_unless_equals_int_hex (number_in (s, "ssrc"), CB_SSRC + 1);
  fail_unless_equals_string (gst_structure_get_string (s, "state"), "closed");
  fail_unless_equals_string (gst_structure_get_string (s, "reason"), "none");
  gst_structure_free (stats);

  /* its encoder hears when it may go on, though for all nothing has changed */
  cb_run (cb, cb_now (cb) + 14 * GST_SECOND);
  fail_unless (cb_reset (cb));
  cb_expect_event (cb, G_MAXUINT, 0, "reset");
  cb_no_event (cb);
}

TEST (test_scope_session)
{
  g_autoptr (Cb) cb = one_of_two ("session");

  cb_expect_message (cb, "open", "congestion", 0);
  cb_expect_event (cb, 0, 0, "more than TCP");
  cb_no_event (cb);
  cb_stream (cb, GST_SECOND);
  fail_unless_equals_int (cb->received, 0);
  cb->n_streams = 3;            /* nor does one that comes now */
  cb_stream (cb, GST_SECOND);
  fail_unless_equals_int (cb->received, 0);
}

/* A controller downstream goes on being heard, and what is open stays 0. */
TEST (test_behind_it_a_controller)
{
  g_autoptr (Cb) cb = one_of_two ("ssrc");

  cb_clear_events (cb);
  gst_harness_push_upstream_event (cb->h, gst_event_new_custom
      (GST_EVENT_CUSTOM_UPSTREAM, gst_structure_new ("GstRtpTargetBitrate",
              "target-bitrate", G_TYPE_UINT, 300000, "source", G_TYPE_STRING,
              GST_OBJECT_NAME (cb->e), "reason", G_TYPE_STRING, "below", NULL)));
  cb_expect_event (cb, 300000, 0, "below");
  cb_expect_event (cb, 0, CB_SSRC, "more than TCP");
  cb_no_event (cb);
}

/* --- nothing at all ------------------------------------------------------- */

TEST (test_nothing_without_media)
{
  g_autoptr (Cb) cb = cb_new (NULL);
  guint8 data[64];

  fail_unless_equals_int (gst_test_clock_peek_id_count (cb->clock), 0);
  cb_rtcp (cb, cb->rtcp, data, rcc_rtcp_build_rr (data, sizeof data, 1, NULL, 0));
  cb_sr (cb, 0);
  fail_unless_equals_int (gst_test_clock_peek_id_count (cb->clock), 0);
  gst_test_clock_advance_time (cb->clock, 3600 * GST_SECOND);
  fail_unless_equals_int (gst_test_clock_peek_id_count (cb->clock), 0);
  cb_expect (cb, "closed");
  cb_no_message (cb);
  cb_no_event (cb);
  fail_unless_equals_int (cb->notified, 0);
}

/* A call that is well is woken each 15 s, one that has paused once more, and one that
 * is open never. */
TEST (test_wakes)
{
  g_autoptr (Cb) cb = cb_new (NULL);
  GstClockTime next;

  for (guint i = 0; i < 10; i++) {
    cb_reports (cb, 1, 0);
    fail_unless_equals_int (gst_test_clock_peek_id_count (cb->clock), 1);
    next = gst_test_clock_get_next_entry_time (cb->clock);
    fail_unless (next > cb_now (cb) && next <= cb_now (cb) + 15 * GST_SECOND);
  }
  cb_run (cb, cb_now (cb) + 60 * GST_SECOND);
  fail_unless_equals_int (gst_test_clock_peek_id_count (cb->clock), 0);
  cb_expect (cb, "closed");
  cb_open_by_silence (cb);
  fail_unless_equals_int (gst_test_clock_peek_id_count (cb->clock), 0);
  cb_stream (cb, GST_SECOND);
  fail_unless_equals_int (gst_test_clock_peek_id_count (cb->clock), 0);
}

/* RTCP on the same port (RFC 5761) is no stream, and is not stopped. */
TEST (test_rtcp_mux)
{
  g_autoptr (Cb) cb = cb_new (NULL);
  guint8 data[64];
  const gsize size = rcc_rtcp_build_rr (data, sizeof data, 99, &(RccReportBlock) {
        .ssrc = 5 }, 1);
  GstStructure *stats;

  gst_harness_push (cb->h, gst_buffer_new_memdup (data, size));
  fail_unless_equals_int (drain (cb->h), 1);
  cb_open_by_silence (cb);
  gst_harness_push (cb->h, gst_buffer_new_memdup (data, size));
  fail_unless_equals_int (drain (cb->h), 1);
  stats = cb_stats (cb);
  fail_unless_equals_int (gst_value_array_get_size (gst_structure_get_value (stats,
              "streams")), 1);
  fail_unless_equals_uint64 (number_in (stats, "rtp-malformed"), 2);
  gst_structure_free (stats);
}

TEST_MAIN (rtpcircuitbreaker);
