/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <glib/gstdio.h>
#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
#include <gst/rtp/gstrtpbuffer.h>

#define CAPS "application/x-rtp"
#define MS GST_MSECOND

/* A harness on a test clock at 0, the element freshly in PLAYING. */
static GstHarness *
harness (const char *property, ...)
{
  GstHarness *h = gst_harness_new ("linksim");
  va_list args;

  gst_harness_use_testclock (h);
  gst_element_set_state (h->element, GST_STATE_READY);
  va_start (args, property);
  g_object_set_valist (G_OBJECT (h->element), property, args);
  va_end (args);
  gst_element_set_base_time (h->element, 0);
  fail_unless_equals_int (gst_element_set_state (h->element, GST_STATE_PLAYING),
      GST_STATE_CHANGE_SUCCESS);
  gst_harness_set_src_caps_str (h, CAPS);
  return h;
}

/* A scenario in a file of its own; scenario_clear() removes it. */
static char *
scenario (const char *text)
{
  g_autofree char *path = NULL;
  const int fd = g_file_open_tmp ("linksim-XXXXXX.txt", &path, NULL);

  fail_unless (fd >= 0 && g_close (fd, NULL));
  fail_unless (g_file_set_contents (path, text, -1, NULL));
  return g_steal_pointer (&path);
}

static void
scenario_clear (char ** path)
{
  g_unlink (*path);
  g_free (*path);
}

static GstBuffer *
packet (guint size)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, size, NULL);

  gst_buffer_memset (buffer, 0, 0x80, size);
  return buffer;
}

static void
push (GstHarness * h, guint size)
{
  fail_unless_equals_int (gst_harness_push (h, packet (size)), GST_FLOW_OK);
}

/* The task must want to be woken at @at; wakes it @late after that. */
static void
wake (GstHarness * h, GstClockTime at, GstClockTime late)
{
  GstTestClock *clock = gst_harness_get_testclock (h);
  GstClockID id, done;

  /* a sleep that was cut short may be replaced: wait for the one that we expect */
  for (;;) {
    gst_test_clock_wait_for_next_pending_id (clock, &id);
    if (gst_clock_id_get_time (id) == at)
      break;
    gst_clock_id_unref (id);
    g_thread_yield ();
  }
  gst_clock_id_unref (id);
  gst_test_clock_set_time (clock, at + late);
  while ((done = gst_test_clock_process_next_clock_id (clock)))
    gst_clock_id_unref (done);
  gst_object_unref (clock);
}

static void
pull_at (GstHarness * h, GstClockTime pts)
{
  GstBuffer *buffer = gst_harness_pull (h);

  fail_unless (buffer != NULL);
  fail_unless_equals_uint64 (GST_BUFFER_PTS (buffer), pts);
  fail_unless_equals_uint64 (GST_BUFFER_DTS (buffer), pts);
  gst_buffer_unref (buffer);
}

static guint64
stat_of (GstElement * element, const char *direction, const char *name)
{
  GstStructure *stats, *side;
  guint64 value = 0;
  guint small;

  g_object_get (element, "stats", &stats, NULL);
  fail_unless (gst_structure_get (stats, direction, GST_TYPE_STRUCTURE, &side, NULL));
  if (gst_structure_get_uint (side, name, &small))
    value = small;
  else
    fail_unless (gst_structure_get_uint64 (side, name, &value), "no %s", name);
  gst_structure_free (side);
  gst_structure_free (stats);
  return value;
}

GST_START_TEST (delivers_when_the_link_does)
{
  GstHarness *h = harness ("bandwidth", G_GUINT64_CONSTANT (1000000), "delay", 50 * MS, NULL);

  push (h, 1200);               /* 9.824 ms with UDP and IP */
  push (h, 1200);
  fail_unless_equals_uint64 (stat_of (h->element, "forward", "queue-packets"), 2);
  fail_unless_equals_uint64 (stat_of (h->element, "forward", "queue-time"), 19648000);
  wake (h, 59824000, 0);
  pull_at (h, 59824000);
  wake (h, 69648000, 0);
  pull_at (h, 69648000);
  fail_unless_equals_uint64 (stat_of (h->element, "forward", "packets-out"), 2);
  fail_unless_equals_uint64 (stat_of (h->element, "forward", "bytes-out"), 2456);
  fail_unless_equals_uint64 (stat_of (h->element, "reverse", "packets-in"), 0);
  gst_harness_teardown (h);
}
GST_END_TEST;

GST_START_TEST (a_late_thread_moves_nothing)
{
  GstHarness *h = harness ("bandwidth", G_GUINT64_CONSTANT (1000000), "delay", 50 * MS, NULL);

  for (guint i = 0; i < 5; i++)
    push (h, 1200);
  wake (h, 59824000, 30 * MS);
  for (guint i = 0; i < 4; i++)
    pull_at (h, 59824000 + i * 9824000);
  wake (h, 59824000 + 4 * 9824000, 0);
  pull_at (h, 59824000 + 4 * 9824000);
  gst_harness_teardown (h);
}
GST_END_TEST;

GST_START_TEST (the_scenario_follows_the_clock)
{
  __attribute__ ((cleanup (scenario_clear))) char *path = NULL;
  GstHarness *h;

  path = scenario ("0 both overhead 0\n0 fwd rate 1M\n"
      "0.004 fwd rate 500k\n1 fwd rate 2M\n");
  h = harness ("scenario", path, NULL);
  push (h, 1250);               /* 10 ms, but 6 of them at half the rate */
  wake (h, 4 * MS, 1 * MS);
  wake (h, 16 * MS, 0);
  pull_at (h, 16 * MS);
  wake (h, 1000 * MS, 0);
  push (h, 1250);
  wake (h, 1005 * MS, 0);
  pull_at (h, 1005 * MS);
  gst_harness_teardown (h);
}
GST_END_TEST;

GST_START_TEST (says_how_the_capacity_changes)
{
  GstHarness *h = harness ("scenario", "rfc8867-5.1-60s", NULL);
  GstBus *bus = gst_bus_new ();
  const GstStructure *s = NULL;
  const char *direction = NULL;
  GstMessage *message;
  guint64 capacity;

  g_object_get (h->element, "capacity", &capacity, NULL);
  fail_unless_equals_uint64 (capacity, 1000000);
  gst_element_set_bus (h->element, bus);
  wake (h, 24 * GST_SECOND, 0);
  while ((message = gst_bus_timed_pop_filtered (bus, GST_CLOCK_TIME_NONE,
              GST_MESSAGE_ELEMENT))) {
    s = gst_message_get_structure (message);
    fail_unless (gst_structure_has_name (s, "GstLinkSimChange"));
    gst_structure_get_uint64 (s, "time", &capacity);
    direction = gst_structure_get_string (s, "direction");
    if (capacity == 24 * GST_SECOND)
      break;
    gst_message_unref (message);
  }
  fail_unless_equals_string (direction, "forward");
  gst_structure_get_uint64 (s, "capacity", &capacity);
  fail_unless_equals_uint64 (capacity, 2500000);
  gst_structure_get_uint64 (s, "delay", &capacity);
  fail_unless_equals_uint64 (capacity, 50 * MS);
  gst_message_unref (message);
  g_object_get (h->element, "capacity", &capacity, NULL);
  fail_unless_equals_uint64 (capacity, 2500000);
  gst_element_set_bus (h->element, NULL);
  gst_object_unref (bus);
  gst_harness_teardown (h);
}
GST_END_TEST;

GST_START_TEST (properties_act_at_once)
{
  GstHarness *h = harness ("bandwidth", G_GUINT64_CONSTANT (1000000), "overhead", 0, NULL);
  guint64 value;

  push (h, 1250);
  g_object_set (h->element, "bandwidth", G_GUINT64_CONSTANT (2000000), NULL);
  wake (h, 5 * MS, 0);
  pull_at (h, 5 * MS);
  g_object_set (h->element, "queue", "2", "delay", 20 * MS, NULL);
  for (guint i = 0; i < 5; i++)
    push (h, 1250);
  g_object_get (h->element, "queue-time", &value, NULL);
  fail_unless_equals_uint64 (value, 15 * MS);
  fail_unless_equals_uint64 (stat_of (h->element, "forward", "dropped-queue"), 2);
  wake (h, 30 * MS, 0);
  pull_at (h, 30 * MS);
  g_object_set (h->element, "queue", "nonsense", NULL); /* warned of, not taken */
  g_object_set (h->element, "scenario", "/nonexistent", NULL);
  fail_unless_equals_uint64 (stat_of (h->element, "forward", "capacity"), 2000000);
  g_object_set (h->element, "scenario", "constant:1M", NULL);
  fail_unless_equals_uint64 (stat_of (h->element, "forward", "capacity"), 1000000);
  gst_harness_teardown (h);
}
GST_END_TEST;

/* RTP and RTCP of one direction share one queue; the way back has its own. */
GST_START_TEST (lanes_share_a_direction)
{
  GstHarness *h = harness ("bandwidth", G_GUINT64_CONSTANT (1000000), "overhead", 0, NULL);
  GstHarness *rtcp = gst_harness_new_with_element (h->element, "fwd_sink_0", NULL);
  GstHarness *back = gst_harness_new_with_element (h->element, "rev_sink_3", NULL);
  GstHarness *rtcp_out = gst_harness_new_with_element (h->element, NULL, "fwd_src_0");
  GstHarness *back_out = gst_harness_new_with_element (h->element, NULL, "rev_src_3");

  gst_harness_use_testclock (h);
  gst_harness_set_src_caps_str (rtcp, "application/x-rtcp");
  gst_harness_set_src_caps_str (back, "application/x-rtcp");
  gst_test_clock_set_time (GST_TEST_CLOCK (GST_ELEMENT_CLOCK (h->element)), 0);
  g_object_set (h->element, "scenario", NULL, NULL);
  {
    const guint64 t0 = gst_clock_get_time (GST_ELEMENT_CLOCK (h->element));

    push (h, 1250);
    push (rtcp, 125);
    push (back, 125);
    wake (h, t0 + 1 * MS, 0);
    pull_at (back_out, t0 + 1 * MS);
    wake (h, t0 + 10 * MS, 0);
    pull_at (h, t0 + 10 * MS);
    wake (h, t0 + 11 * MS, 0);
    pull_at (rtcp_out, t0 + 11 * MS);
  }
  gst_harness_teardown (rtcp_out);
  gst_harness_teardown (back_out);
  gst_harness_teardown (rtcp);
  gst_harness_teardown (back);
  gst_harness_teardown (h);
}
GST_END_TEST;

GST_START_TEST (events_keep_their_place)
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
GST_END_TEST;

/* The last packets are lost in the queue: EOS must not wait for them for ever. */
GST_START_TEST (eos_passes_dropped_packets)
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
  fail_unless_equals_uint64 (stat_of (h->element, "forward", "dropped-age"), 1);
  gst_harness_teardown (h);
}
GST_END_TEST;

GST_START_TEST (flush_empties_a_lane)
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
GST_END_TEST;

GST_START_TEST (lists_and_metas)
{
  GstHarness *h = harness ("bandwidth", G_GUINT64_CONSTANT (1000000), "overhead", 0,
      "do-timestamp", FALSE, NULL);
  GstBufferList *list = gst_buffer_list_new ();
  GstCaps *reference = gst_caps_new_empty_simple ("timestamp/x-ntp");
  GstPad *sink = gst_element_get_static_pad (h->element, "sink");

  for (guint i = 0; i < 3; i++) {
    GstBuffer *buffer = packet (1250);

    GST_BUFFER_PTS (buffer) = 7 + i;
    gst_buffer_add_reference_timestamp_meta (buffer, reference, 42 + i,
        GST_CLOCK_TIME_NONE);
    gst_buffer_list_add (list, buffer);
  }
  fail_unless_equals_int (gst_pad_push_list (h->srcpad, list), GST_FLOW_OK);
  for (guint i = 0; i < 3; i++) {
    GstReferenceTimestampMeta *meta;
    GstBuffer *buffer;

    wake (h, (i + 1) * 10 * MS, 0);
    buffer = gst_harness_pull (h);
    meta = gst_buffer_get_reference_timestamp_meta (buffer, reference);
    fail_unless (meta && meta->timestamp == 42 + i);
    fail_unless_equals_uint64 (GST_BUFFER_PTS (buffer), 7 + i);
    gst_buffer_unref (buffer);
  }
  gst_object_unref (sink);
  gst_caps_unref (reference);
  gst_harness_teardown (h);
}
GST_END_TEST;

/* A network carries bytes.  What somebody else has of the buffer keeps them. */
GST_START_TEST (flags_stay_behind)
{
  const GstBufferFlags said[] = { (GstBufferFlags) GST_RTP_BUFFER_FLAG_REDUNDANT,
    (GstBufferFlags) GST_RTP_BUFFER_FLAG_RETRANSMISSION, GST_BUFFER_FLAG_MARKER,
    GST_BUFFER_FLAG_DISCONT, GST_BUFFER_FLAG_DELTA_UNIT, (GstBufferFlags) 0
  };
  GstHarness *h = harness ("delay", (guint64) 10 * MS, "do-timestamp", __i__ == 0, NULL);
  guint8 bytes[100];

  for (guint i = 0; i < G_N_ELEMENTS (said); i++) {
    GstBuffer *in = packet (sizeof bytes), *out;

    gst_buffer_memset (in, 0, (guint8) i, sizeof bytes);
    memset (bytes, (int) i, sizeof bytes);
    GST_BUFFER_FLAG_SET (in, said[i]);
    fail_unless_equals_int (gst_harness_push (h, gst_buffer_ref (in)), GST_FLOW_OK);
    wake (h, (i + 1) * 10 * MS, 0);
    out = gst_harness_pull (h);
    for (guint k = 0; k < G_N_ELEMENTS (said); k++)
      fail_if (said[k] && GST_BUFFER_FLAG_IS_SET (out, said[k]), "%u after %u", k, i);
    fail_unless_equals_int (gst_buffer_memcmp (out, 0, bytes, sizeof bytes), 0);
    fail_unless (said[i] == 0 || GST_BUFFER_FLAG_IS_SET (in, said[i]));
    gst_buffer_unref (out);
    gst_buffer_unref (in);
  }
  gst_harness_teardown (h);
}
GST_END_TEST;

GST_START_TEST (ecn_is_marked)
{
  __attribute__ ((cleanup (scenario_clear))) char *path = NULL;
  GstHarness *h;

  path = scenario ("0 both rate 1M overhead 0 ecn 1\n");
  h = harness ("scenario", path, NULL);
  for (guint i = 0; i < 4; i++) {
    GstBuffer *buffer = packet (1250);
    GstCustomMeta *meta = gst_buffer_add_custom_meta (buffer, "linksim-ecn");

    gst_structure_set (gst_custom_meta_get_structure (meta), "ecn", G_TYPE_UINT, 2, NULL);
    fail_unless_equals_int (gst_harness_push (h, buffer), GST_FLOW_OK);
  }
  for (guint i = 0; i < 4; i++) {
    GstBuffer *buffer;
    guint ecn = 0;

    wake (h, (i + 1) * 10 * MS, 0);
    buffer = gst_harness_pull (h);
    gst_structure_get_uint (gst_custom_meta_get_structure (gst_buffer_get_custom_meta
            (buffer, "linksim-ecn")), "ecn", &ecn);
    fail_unless_equals_int (ecn, i < 2 ? 2 : 3);
    gst_buffer_unref (buffer);
  }
  fail_unless_equals_uint64 (stat_of (h->element, "forward", "packets-marked"), 2);
  gst_harness_teardown (h);
}
GST_END_TEST;

GST_START_TEST (latency_and_upstream_events)
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
GST_END_TEST;

GST_START_TEST (a_bad_scenario_is_an_error)
{
  __attribute__ ((cleanup (scenario_clear))) char *path = NULL;
  GstElement *element = gst_element_factory_make ("linksim", NULL);
  GstBus *bus = gst_bus_new ();
  GstMessage *message;
  GError *error;

  path = scenario ("0 both delay 50\n0 fwd rate 1X\n");
  gst_element_set_bus (element, bus);
  g_object_set (element, "scenario", path, NULL);
  fail_unless_equals_int (gst_element_set_state (element, GST_STATE_PAUSED),
      GST_STATE_CHANGE_FAILURE);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  fail_unless (message != NULL);
  gst_message_parse_error (message, &error, NULL);
  fail_unless (strstr (error->message, ".txt:2: expected a rate") != NULL);
  g_error_free (error);
  gst_message_unref (message);
  gst_element_set_state (element, GST_STATE_NULL);
  gst_element_set_bus (element, NULL);
  gst_object_unref (bus);
  gst_object_unref (element);
}
GST_END_TEST;

/* x264enc's segment begins at 1000 h: what comes out stands in running time, in a
 * segment that begins at 0, or two streams would disagree about arrival times. */
GST_START_TEST (segments_become_plain)
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
GST_END_TEST;

/* With packets in every place: queue, delay line, waiting thread. */
GST_START_TEST (ready_resets)
{
  GstHarness *h = harness ("bandwidth", G_GUINT64_CONSTANT (1000000), "overhead", 0,
      "delay", 5 * MS, NULL);
  GstSegment segment;

  push (h, 1250);
  push (h, 1250);
  wake (h, 15 * MS, 0);
  pull_at (h, 15 * MS);
  gst_element_set_state (h->element, GST_STATE_READY);
  fail_unless_equals_uint64 (stat_of (h->element, "forward", "dropped-drain"), 1);
  gst_element_set_state (h->element, GST_STATE_PLAYING);
  fail_unless_equals_uint64 (stat_of (h->element, "forward", "packets-in"), 0);
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_harness_push_event (h, gst_event_new_stream_start ("again"));
  gst_harness_push_event (h, gst_event_new_segment (&segment));
  push (h, 1250);               /* at 15 ms of the clock, 0 of the link */
  wake (h, 30 * MS, 0);
  pull_at (h, 30 * MS);
  gst_harness_teardown (h);
}
GST_END_TEST;

/* Paused, nothing comes out, but the network's time goes by. */
GST_START_TEST (time_does_not_pause)
{
  char *path __attribute__ ((cleanup (scenario_clear))) =
      scenario ("0 both rate 1M overhead 0\n0.1 fwd rate 2M\n");
  GstHarness *h = harness ("scenario", path, NULL);
  GstTestClock *clock = gst_harness_get_testclock (h);

  push (h, 1250);
  fail_unless_equals_int (gst_element_set_state (h->element, GST_STATE_PAUSED),
      GST_STATE_CHANGE_NO_PREROLL);
  gst_test_clock_set_time (clock, 200 * MS);
  fail_unless_equals_uint64 (stat_of (h->element, "forward", "capacity"), 2000000);
  fail_unless_equals_int (gst_harness_buffers_received (h), 0);
  gst_element_set_state (h->element, GST_STATE_PLAYING);
  pull_at (h, 10 * MS);         /* base time is still 0 here; late, but dated right */
  push (h, 1250);
  wake (h, 205 * MS, 0);
  pull_at (h, 205 * MS);
  gst_object_unref (clock);
  gst_harness_teardown (h);
}
GST_END_TEST;

GST_START_TEST (downstream_errors_reach_the_sender)
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
GST_END_TEST;

GST_START_TEST (a_seed_is_a_run)
{
  guint64 lost[3];

  for (guint i = 0; i < 3; i++) {
    GstHarness *h = harness ("loss", 0.3, "seed", G_GUINT64_CONSTANT (7) + i / 2, NULL);
    guint64 pattern = 0;

    for (guint k = 0; k < 64; k++) {
      const guint64 before = stat_of (h->element, "forward", "dropped-loss");

      push (h, k % 5);          /* empty ones too */
      pattern = pattern << 1
          | (stat_of (h->element, "forward", "dropped-loss") - before);
    }
    lost[i] = pattern;
    gst_harness_teardown (h);
  }
  fail_unless (lost[0] != 0);
  fail_unless_equals_uint64 (lost[0], lost[1]);
  fail_unless (lost[0] != lost[2]);
}
GST_END_TEST;

GST_START_TEST (pads_come_and_go)
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
  fail_unless (stat_of (h->element, "forward", "packets-in") > 100);
  gst_harness_teardown (h);
}
GST_END_TEST;

GST_START_TEST (many_lives)
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
GST_END_TEST;

/* Both directions on real time; nothing here is about how long anything takes. */
GST_START_TEST (runs_in_a_pipeline)
{
  GstElement *pipeline = gst_parse_launch ("videotestsrc is-live=true num-buffers=20 ! "
      "video/x-raw,width=64,height=64 ! rtpvrawpay ! "
      "linksim name=l bandwidth=20000000 delay=20000000 ! fakesink name=f "
      "audiotestsrc is-live=true num-buffers=20 ! l.rev_sink_0  l.rev_src_0 ! fakesink", NULL);
  GstElement *link;
  GstMessage *message;
  GstBus *bus;

  fail_unless (pipeline != NULL);
  bus = gst_element_get_bus (pipeline);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, GST_CLOCK_TIME_NONE,
      GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  fail_unless_equals_int (GST_MESSAGE_TYPE (message), GST_MESSAGE_EOS);
  gst_message_unref (message);
  link = gst_bin_get_by_name (GST_BIN (pipeline), "l");
  fail_unless (stat_of (link, "forward", "packets-out") >= 20);
  fail_unless_equals_uint64 (stat_of (link, "reverse", "packets-out"), 20);
  fail_unless_equals_uint64 (stat_of (link, "reverse", "packets-dropped"), 0);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (link);
  gst_object_unref (bus);
  gst_object_unref (pipeline);
}
GST_END_TEST;

/* The launch line of the element's documentation, with fewer frames. */
GST_START_TEST (documented_line_runs)
{
  static const char *const needed[] = { "x264enc", "rtph264pay", "avdec_h264" };
  GError *error = NULL;
  GstElement *pipeline;
  GstMessage *message;
  GstBus *bus;

  for (guint i = 0; i < G_N_ELEMENTS (needed); i++) {
    GstElementFactory *factory = gst_element_factory_find (needed[i]);

    if (!factory) {
      GST_WARNING ("skipped: there is no %s here", needed[i]);
      return;
    }
    gst_object_unref (factory);
  }
  pipeline = gst_parse_launch ("videotestsrc is-live=true num-buffers=10 ! "
      "x264enc tune=zerolatency bitrate=800 ! rtph264pay ! "
      "linksim scenario=rfc8867-5.1-60s ! rtpjitterbuffer ! rtph264depay ! "
      "avdec_h264 ! fakesink", &error);
  fail_unless (pipeline && !error);
  bus = gst_element_get_bus (pipeline);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, GST_CLOCK_TIME_NONE,
      GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  fail_unless_equals_int (GST_MESSAGE_TYPE (message), GST_MESSAGE_EOS);
  gst_message_unref (message);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (bus);
  gst_object_unref (pipeline);
}
GST_END_TEST;

static Suite *
linksim_suite (void)
{
  Suite *s = suite_create ("linksim");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, delivers_when_the_link_does);
  tcase_add_test (tc, a_late_thread_moves_nothing);
  tcase_add_test (tc, the_scenario_follows_the_clock);
  tcase_add_test (tc, says_how_the_capacity_changes);
  tcase_add_test (tc, properties_act_at_once);
  tcase_add_test (tc, lanes_share_a_direction);
  tcase_add_test (tc, events_keep_their_place);
  tcase_add_test (tc, eos_passes_dropped_packets);
  tcase_add_test (tc, flush_empties_a_lane);
  tcase_add_test (tc, lists_and_metas);
  tcase_add_loop_test (tc, flags_stay_behind, 0, 2);
  tcase_add_test (tc, ecn_is_marked);
  tcase_add_test (tc, latency_and_upstream_events);
  tcase_add_test (tc, a_bad_scenario_is_an_error);
  tcase_add_test (tc, segments_become_plain);
  tcase_add_test (tc, ready_resets);
  tcase_add_test (tc, time_does_not_pause);
  tcase_add_test (tc, downstream_errors_reach_the_sender);
  tcase_add_test (tc, a_seed_is_a_run);
  tcase_add_test (tc, pads_come_and_go);
  tcase_add_test (tc, many_lives);
  tcase_add_test (tc, runs_in_a_pipeline);
  tcase_add_test (tc, documented_line_runs);
  return s;
}

GST_CHECK_MAIN (linksim)
