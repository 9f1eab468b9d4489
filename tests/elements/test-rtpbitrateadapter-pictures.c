/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Pictures that rtpbitrateadapter keeps from the encoder.
 */
#include "adapter-rig.h"

/* A picture each 40 ms for @span; how many of them are encoded. */
static guint
encode (Fixture *f, GstClockTime span)
{
  guint n = 0;

  for (GstClockTime t = 0; t < span; t += 40 * GST_MSECOND) {
    GstBuffer *out;

    fail_unless_equals_int (gst_harness_push (f->h, gst_buffer_new_allocate (NULL, 100,
                NULL)), GST_FLOW_OK);
    if ((out = gst_harness_try_pull (f->h)))
      n++;
    gst_clear_buffer (&out);
    gst_test_clock_advance_time (GST_TEST_CLOCK (GST_ELEMENT_CLOCK (f->adapter)),
        40 * GST_MSECOND);
  }
  return n;
}

/* While more waits than 150 ms, pictures stay away: 300 ms of queue are 150 ms too much. */
TEST (test_skips_pictures)
{
  g_auto (Fixture) f;

  setup_fake (&f);
  tell_queue (&f, 150 * GST_MSECOND);
  fail_unless_equals_int (encode (&f, GST_SECOND), 25);
  tell_queue (&f, 300 * GST_MSECOND);
  fail_unless_equals_int (encode (&f, GST_SECOND), 25 - 4);
  fail_unless_equals_uint64 (stat (&f, "pictures-skipped"), 4);
  fail_unless_equals_uint64 (stat (&f, "queue-time"), 300 * GST_MSECOND);
  /* the queue has gone in the meantime */
  tell_queue (&f, GST_SECOND);
  fail_unless_equals_int (encode (&f, 80 * GST_MSECOND), 0);
  tell_queue (&f, 100 * GST_MSECOND);
  fail_unless_equals_int (encode (&f, GST_SECOND), 25);
  /* whoever told so may be gone */
  tell_queue (&f, GST_CLOCK_TIME_NONE);
  fail_unless_equals_int (encode (&f, 2 * GST_SECOND), 25);
  /* the encoder leaves pictures out by itself */
  g_object_set (f.adapter, "skip-queue-time", G_GUINT64_CONSTANT (0), NULL);
  tell_queue (&f, GST_SECOND);
  fail_unless_equals_int (encode (&f, GST_SECOND), 25);
}

TEST (test_speech_is_not_skipped)
{
  g_auto (Fixture) f;

  setup_fake (&f);
  gst_harness_set_src_caps_str (f.h, "audio/x-fake");
  tell_queue (&f, GST_SECOND);
  fail_unless_equals_int (encode (&f, GST_SECOND), 25);
  fail_unless_equals_uint64 (stat (&f, "pictures-skipped"), 0);
}

/* READY forgets the queue, and lets the encoder go. */
TEST (test_skipping_ends_with_the_run)
{
  g_auto (Fixture) f;

  setup_fake (&f);
  tell_queue (&f, GST_SECOND);
  fail_unless_equals_int (encode (&f, 80 * GST_MSECOND), 0);
  gst_element_set_state (f.adapter, GST_STATE_READY);
  gst_element_set_state (f.adapter, GST_STATE_PLAYING);
  gst_harness_push_event (f.h, gst_event_new_stream_start ("again"));
  gst_harness_set_src_caps_str (f.h, "video/x-fake");
  fail_unless_equals_int (encode (&f, GST_SECOND), 25);
}

TEST_MAIN (adapter_pictures);
