/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "linksim-rig.h"

TEST (delivers_when_the_link_does)
{
  GstHarness *h = harness ("bandwidth", G_GUINT64_CONSTANT (1000000), "delay", 50 * MS, NULL);

  push (h, 1200);               /* 9.824 ms with UDP and IP */
  push (h, 1200);
  fail_unless_equals_uint64 (side_stat (h->element, "forward", "queue-packets"), 2);
  fail_unless_equals_uint64 (side_stat (h->element, "forward", "queue-time"), 19648000);
  wake (h, 59824000, 0);
  pull_at (h, 59824000);
  wake (h, 69648000, 0);
  pull_at (h, 69648000);
  fail_unless_equals_uint64 (side_stat (h->element, "forward", "packets-out"), 2);
  fail_unless_equals_uint64 (side_stat (h->element, "forward", "bytes-out"), 2456);
  fail_unless_equals_uint64 (side_stat (h->element, "reverse", "packets-in"), 0);
  gst_harness_teardown (h);
}

TEST (a_late_thread_moves_nothing)
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

TEST (the_scenario_follows_the_clock)
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

TEST (says_how_the_capacity_changes)
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
    /* each direction has a thread, so either can be the first to say so */
    if (capacity == 24 * GST_SECOND && g_str_equal (direction, "forward"))
      break;
    gst_message_unref (message);
  }
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

TEST (properties_act_at_once)
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
  fail_unless_equals_uint64 (side_stat (h->element, "forward", "dropped-queue"), 2);
  wake (h, 30 * MS, 0);
  pull_at (h, 30 * MS);
  g_object_set (h->element, "queue", "nonsense", NULL); /* warned of, not taken */
  g_object_set (h->element, "scenario", "/nonexistent", NULL);
  fail_unless_equals_uint64 (side_stat (h->element, "forward", "capacity"), 2000000);
  g_object_set (h->element, "scenario", "constant:1M", NULL);
  fail_unless_equals_uint64 (side_stat (h->element, "forward", "capacity"), 1000000);
  gst_harness_teardown (h);
}

/* RTP and RTCP of one direction share one queue; the way back has its own. */
TEST (pads_share_a_direction)
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

TEST (lists_and_metas)
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

/* A network carries bytes.  What somebody else has of the buffer keeps them. */
TEST_EACH (flags_stay_behind, 2)
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

TEST (ecn_is_marked)
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
  fail_unless_equals_uint64 (side_stat (h->element, "forward", "packets-marked"), 2);
  gst_harness_teardown (h);
}

TEST (a_bad_scenario_is_an_error)
{
  __attribute__ ((cleanup (scenario_clear))) char *path = NULL;
  g_autoptr (GstElement) element = gst_element_factory_make ("linksim", NULL);
  g_autoptr (GstBus) bus = gst_bus_new ();
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
}

TEST (a_seed_is_a_run)
{
  guint64 lost[3];

  for (guint i = 0; i < 3; i++) {
    GstHarness *h = harness ("loss", 0.3, "seed", G_GUINT64_CONSTANT (7) + i / 2, NULL);
    guint64 pattern = 0;

    for (guint k = 0; k < 64; k++) {
      const guint64 before = side_stat (h->element, "forward", "dropped-loss");

      push (h, k % 5);          /* empty ones too */
      pattern = pattern << 1
          | (side_stat (h->element, "forward", "dropped-loss") - before);
    }
    lost[i] = pattern;
    gst_harness_teardown (h);
  }
  fail_unless (lost[0] != 0);
  fail_unless_equals_uint64 (lost[0], lost[1]);
  fail_unless (lost[0] != lost[2]);
}

TEST_MAIN (linksim);
