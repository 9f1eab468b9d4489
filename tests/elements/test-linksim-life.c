/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What linksim is beside a link: an element with pads, events, segments and states.
 */
#include "linksim-rig.h"

TEST (events_keep_their_place)
{
  GstHarness *h = harness ("bandwidth", G_GUINT64_CONSTANT (1000000), "overhead", 0, NULL);
  GstEvent *event;

  for (guint i = 0; i < 3; i++) {       /* stream-start, caps, segment */
    event = gst_harness_pull_event (h);
    fail_unless (event != NULL);
    gst_event_unref (event);
  }
  push (h, 1250);
  fail_unless (gst_harness_push_event (h, gst_event_new_gap (0, MS)));
  push (h, 1250);
  fail_unless (gst_harness_push_event (h, gst_event_new_eos ()));
  fail_unless_equals_int (gst_harness_push (h, packet (10)), GST_FLOW_EOS);
  fail_unless (gst_harness_try_pull_event (h) == NULL);
  wake (h, 10 * MS, 0);
  pull_at (h, 10 * MS);
  event = gst_harness_pull_event (h);
  fail_unless_equals_int (GST_EVENT_TYPE (event), GST_EVENT_GAP);
  gst_event_unref (event);
  fail_unless (gst_harness_try_pull_event (h) == NULL);
  wake (h, 20 * MS, 0);
  pull_at (h, 20 * MS);
  event = gst_harness_pull_event (h);
  fail_unless_equals_int (GST_EVENT_TYPE (event), GST_EVENT_EOS);
  gst_event_unref (event);
  gst_harness_teardown (h);
}

/* The last packets are lost in the queue: EOS must not wait for them for ever. */
TEST (eos_passes_dropped_packets)
{
  __attribute__ ((cleanup (scenario_clear))) char *path = NULL;
  GstEvent *event;
  GstHarness *h;

  path = scenario ("0 both rate 1k queue 9 max-age 100ms\n");
  h = harness ("scenario", path, NULL);
  push (h, 100);                /* 1.024 s */
  push (h, 100);                /* dropped at 100 ms */
  fail_unless (gst_harness_push_event (h, gst_event_new_eos ()));
  wake (h, 100 * MS, 0);
  wake (h, 1024 * MS, 0);
  pull_at (h, 1024 * MS);
  for (gboolean eos = FALSE; !eos;) {
    event = gst_harness_pull_event (h);
    eos = GST_EVENT_TYPE (event) == GST_EVENT_EOS;
    gst_event_unref (event);
  }
  fail_unless_equals_uint64 (side_stat (h->element, "forward", "dropped-age"), 1);
  gst_harness_teardown (h);
}

TEST (flush_empties_a_queue)
{
  GstHarness *h = harness ("bandwidth", G_GUINT64_CONSTANT (1000000), "overhead", 0, NULL);
  GstSegment segment;

  push (h, 1250);
  push (h, 1250);
  fail_unless (gst_harness_push_event (h, gst_event_new_flush_start ()));
  fail_unless_equals_int (gst_harness_push (h, packet (10)), GST_FLOW_FLUSHING);
  fail_unless (gst_harness_push_event (h, gst_event_new_flush_stop (TRUE)));
  gst_segment_init (&segment, GST_FORMAT_TIME);
  fail_unless (gst_harness_push_event (h, gst_event_new_segment (&segment)));
  push (h, 1250);               /* those before still take their time on the link */
  wake (h, 10 * MS, 0);
  wake (h, 20 * MS, 0);
  wake (h, 30 * MS, 0);
  pull_at (h, 30 * MS);
  fail_unless_equals_int (gst_harness_buffers_received (h), 1);
  gst_harness_teardown (h);
}

TEST (latency_and_upstream_events)
{
  GstHarness *h = harness ("delay", 50 * MS, "jitter", 10 * MS, NULL);

  gst_harness_set_upstream_latency (h, 5 * MS);
  fail_unless_equals_uint64 (gst_harness_query_latency (h), 0);
  g_object_set (h->element, "do-timestamp", FALSE, NULL);
  fail_unless_equals_uint64 (gst_harness_query_latency (h), 65 * MS);
  fail_if (gst_harness_push_upstream_event (h,
          gst_event_new_qos (GST_QOS_TYPE_UNDERFLOW, 1.0, 0, 0)));
  fail_if (gst_harness_push_upstream_event (h,
          gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM,
              gst_structure_new_empty ("GstRtpTargetBitrate"))));
  fail_unless (gst_harness_push_upstream_event (h, gst_event_new_reconfigure ()));
  gst_harness_teardown (h);
}

/* x264enc's segment begins at 1000 h: what comes out stands in running time, in a
 * segment that begins at 0, or two streams would disagree about arrival times. */
TEST (segments_become_plain)
{
  GstHarness *h = harness ("bandwidth", G_GUINT64_CONSTANT (1000000), "overhead", 0,
      NULL);
  GstSegment segment;
  const GstSegment *out = NULL;
  GstEvent *event;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  segment.start = segment.time = 1000 * 3600 * GST_SECOND;
  gst_harness_push_event (h, gst_event_new_segment (&segment));
  push (h, 1250);
  wake (h, 10 * MS, 0);
  pull_at (h, 10 * MS);
  event = gst_pad_get_sticky_event (h->sinkpad, GST_EVENT_SEGMENT, 0);
  gst_event_parse_segment (event, &out);
  fail_unless_equals_uint64 (out->start, 0);
  fail_unless_equals_uint64 (gst_segment_to_running_time (out, GST_FORMAT_TIME, 10 * MS),
      10 * MS);
  gst_event_unref (event);
  gst_harness_teardown (h);
}

/* With packets in every place: queue, delay line, waiting thread. */
TEST (ready_resets)
{
  GstHarness *h = harness ("bandwidth", G_GUINT64_CONSTANT (1000000), "overhead", 0,
      "delay", 5 * MS, NULL);
  GstSegment segment;

  push (h, 1250);
  push (h, 1250);
  wake (h, 15 * MS, 0);
  pull_at (h, 15 * MS);
  gst_element_set_state (h->element, GST_STATE_READY);
  fail_unless_equals_uint64 (side_stat (h->element, "forward", "dropped-drain"), 1);
  gst_element_set_state (h->element, GST_STATE_PLAYING);
  fail_unless_equals_uint64 (side_stat (h->element, "forward", "packets-in"), 0);
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_harness_push_event (h, gst_event_new_stream_start ("again"));
  gst_harness_push_event (h, gst_event_new_segment (&segment));
  push (h, 1250);               /* at 15 ms of the clock, 0 of the link */
  wake (h, 30 * MS, 0);
  pull_at (h, 30 * MS);
  gst_harness_teardown (h);
}

/* Paused, nothing comes out, but the network's time goes by. */
TEST (time_does_not_pause)
{
  char *path __attribute__ ((cleanup (scenario_clear))) =
      scenario ("0 both rate 1M overhead 0\n0.1 fwd rate 2M\n");
  GstHarness *h = harness ("scenario", path, NULL);
  GstTestClock *clock = gst_harness_get_testclock (h);

  push (h, 1250);
  fail_unless_equals_int (gst_element_set_state (h->element, GST_STATE_PAUSED),
      GST_STATE_CHANGE_NO_PREROLL);
  gst_test_clock_set_time (clock, 200 * MS);
  fail_unless_equals_uint64 (side_stat (h->element, "forward", "capacity"), 2000000);
  fail_unless_equals_int (gst_harness_buffers_received (h), 0);
  gst_element_set_state (h->element, GST_STATE_PLAYING);
  pull_at (h, 10 * MS);         /* base time is still 0 here; late, but dated right */
  push (h, 1250);
  wake (h, 205 * MS, 0);
  pull_at (h, 205 * MS);
  gst_object_unref (clock);
  gst_harness_teardown (h);
}

TEST (downstream_errors_reach_the_sender)
{
  GstHarness *h = gst_harness_new_with_padnames ("linksim", "sink", NULL);
  GstFlowReturn flow = GST_FLOW_OK;
  guint i;

  gst_harness_set_src_caps_str (h, CAPS);
  /* the first packet meets the unlinked pad some time after it was accepted */
  for (i = 0; flow == GST_FLOW_OK && i < 100000; i++) {
    flow = gst_harness_push (h, packet (100));
    g_thread_yield ();
  }
  fail_unless_equals_int (flow, GST_FLOW_NOT_LINKED);
  fail_unless (i > 1);
  gst_harness_teardown (h);
}

TEST (pads_come_and_go)
{
  GstHarness *h = harness ("bandwidth", G_GUINT64_CONSTANT (1000000), NULL);

  for (guint i = 0; i < 200; i++) {
    GstPad *sink = gst_element_request_pad_simple (h->element, i % 2 ? "fwd_sink_%u"
        : "rev_sink_%u");
    GstPad *src = gst_element_get_static_pad (h->element, i % 2 ? "fwd_src_0"
        : "rev_src_0");
    GstSegment segment;

    fail_unless (sink && src);
    gst_segment_init (&segment, GST_FORMAT_TIME);
    gst_pad_send_event (sink, gst_event_new_stream_start ("s"));
    gst_pad_send_event (sink, gst_event_new_segment (&segment));
    gst_pad_chain (sink, packet (1250));
    if (i % 3)
      gst_element_release_request_pad (h->element, sink);
    else
      gst_element_release_request_pad (h->element, src);
    fail_unless_equals_int (h->element->numpads, 2);
    gst_object_unref (sink);
    gst_object_unref (src);
  }
  push (h, 1250);
  fail_unless (side_stat (h->element, "forward", "packets-in") > 100);
  gst_harness_teardown (h);
}

TEST (many_lives)
{
  for (guint i = 0; i < 1000; i++) {
    GstElement *element = gst_element_factory_make ("linksim", NULL);

    g_object_set (element, "scenario", i % 2 ? "outage" : "rfc8867-5.3", NULL);
    fail_unless (gst_element_set_state (element, GST_STATE_PLAYING)
        != GST_STATE_CHANGE_FAILURE);
    gst_element_set_state (element, GST_STATE_NULL);
    gst_object_unref (element);
  }
}

/* Both directions on real time; nothing here is about how long anything takes. */
TEST (runs_in_a_pipeline)
{
  g_autoptr (GstElement) pipeline = gst_parse_launch ("videotestsrc is-live=true num-buffers=20 ! "
      "video/x-raw,width=64,height=64 ! rtpvrawpay ! "
      "linksim name=l bandwidth=20000000 delay=20000000 ! fakesink name=f "
      "audiotestsrc is-live=true num-buffers=20 ! l.rev_sink_0  l.rev_src_0 ! fakesink", NULL);
  GstElement *link;

  fail_unless (pipeline != NULL);
  run_to_eos (pipeline);
  link = gst_bin_get_by_name (GST_BIN (pipeline), "l");
  fail_unless (side_stat (link, "forward", "packets-out") >= 20);
  fail_unless_equals_uint64 (side_stat (link, "reverse", "packets-out"), 20);
  fail_unless_equals_uint64 (side_stat (link, "reverse", "packets-dropped"), 0);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (link);
}

/* The launch line of the element's documentation, with fewer frames. */
/* Where RTCP goes round, a bin may take the source down before linksim, at which the source's
 * task waits for PLAYING. */
TEST (ends_below_a_paused_source)
{
  static const char *const lines[] = {
    "fakesrc sizetype=fixed sizemax=100 name=s linksim name=l fakesink async=false name=f",
    "linksim name=l fakesink async=false name=f fakesrc sizetype=fixed sizemax=100 name=s",
  };

  /* said of every graph that goes round */
  gst_check_add_log_filter ("GStreamer", G_LOG_LEVEL_WARNING,
      g_regex_new ("loop detected", 0, 0, NULL), NULL, NULL, NULL);
  for (guint i = 0; i < 2 * G_N_ELEMENTS (lines); i++) {
    g_autofree char *line = g_strdup_printf ("%s s. ! l.fwd_sink_0 l.fwd_src_0 ! "
        "identity ! l.rev_sink_0 l.rev_src_0 ! f.", lines[i / 2]);
    GstElement *pipeline = gst_parse_launch (line, NULL);

    fail_unless (pipeline != NULL);
    gst_element_set_state (pipeline, GST_STATE_PLAYING);
    g_usleep (50000);
    if (i % 2) {
      gst_element_set_state (pipeline, GST_STATE_PAUSED);
      g_usleep (50000);
    }
    fail_unless_equals_int (gst_element_set_state (pipeline, GST_STATE_NULL),
        GST_STATE_CHANGE_SUCCESS);
    gst_object_unref (pipeline);
  }
  gst_check_clear_log_filter ();
}

TEST (documented_line_runs)
{
  GError *error = NULL;
  GstElement *pipeline;

  if (!have ("x264enc") || !have ("rtph264pay") || !have ("avdec_h264"))
    return;
  pipeline = gst_parse_launch ("videotestsrc is-live=true num-buffers=10 ! "
      "x264enc tune=zerolatency bitrate=800 ! rtph264pay ! "
      "linksim scenario=rfc8867-5.1-60s ! rtpjitterbuffer ! rtph264depay ! "
      "avdec_h264 ! fakesink", &error);
  fail_unless (pipeline && !error);
  run_to_eos (pipeline);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
}

TEST_MAIN (linksim_life);
