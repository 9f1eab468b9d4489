/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "driver-rig.h"

TEST (test_hooks)
{
  g_auto (Fixture) f;

  setup (&f);
  gst_rtp_cc_driver_start (f.driver);
  assert_equals_int (f.fake.inits, 1);
  assert_equals_uint64 (driver_now (f.driver), GST_SECOND);

  f.fake.target = 1;
  tell (f.driver, 76);
  assert_equals_uint64 (f.acted_at, GST_SECOND);
  f.fake.target = 2;
  gst_test_clock_set_time (f.clock, 2 * GST_SECOND);
  tell (f.driver, 77);

  assert_equals_int (f.fake.rembs, 2);
  assert_equals_int (f.fake.remb, 77);
  assert_equals_uint64 (f.fake.now, 2 * GST_SECOND);
  assert_equals_uint64 (f.acted_at, 2 * GST_SECOND);
  assert_equals_int (f.applied->len, 2);
  for (guint i = 0; i < 2; i++)
    assert_equals_int (g_array_index (f.applied, guint32, i), i + 1);
}

TEST (test_stopped_and_deaf)
{
  g_auto (Fixture) f;

  setup (&f);
  f.fake.target = 9;
  f.fake.deadline = 0;
  tell (f.driver, 1);
  gst_rtp_cc_driver_reset (f.driver);
  assert_equals_uint64 (driver_now (f.driver), GST_CLOCK_TIME_NONE);
  assert_equals_int (f.fake.rembs + f.fake.inits + f.applied->len, 0);

  f.fake.sender.ops = &deaf_ops;
  gst_rtp_cc_driver_start (f.driver);
  tell (f.driver, 1);
  assert_equals_int (f.applied->len, 0);
  assert_equals_uint64 (pending (&f), GST_CLOCK_TIME_NONE);
}

TEST (test_deadlines)
{
  g_auto (Fixture) f;

  setup (&f);
  gst_rtp_cc_driver_start (f.driver);
  assert_equals_uint64 (pending (&f), GST_CLOCK_TIME_NONE);

  move_deadline (&f, 3 * GST_SECOND);
  assert_equals_uint64 (pending (&f), 3 * GST_SECOND);
  /* Later: the old wake stays, is a no-op, and arms the right one. */
  move_deadline (&f, 4 * GST_SECOND);
  assert_equals_uint64 (pending (&f), 3 * GST_SECOND);
  fail_unless (gst_test_clock_crank (f.clock));
  assert_equals_int (f.fake.deadlines, 0);
  assert_equals_uint64 (pending (&f), 4 * GST_SECOND);
  /* Earlier: armed anew, and only once. */
  move_deadline (&f, 3500 * GST_MSECOND);
  assert_equals_uint64 (pending (&f), 3500 * GST_MSECOND);
  assert_equals_int (gst_test_clock_peek_id_count (f.clock), 1);

  f.fake.next_deadline = 6 * GST_SECOND;
  f.fake.target = 123;
  fail_unless (gst_test_clock_crank (f.clock));
  assert_equals_int (f.fake.deadlines, 1);
  assert_equals_int (f.applied->len, 1);
  assert_equals_uint64 (f.fake.now, 3500 * GST_MSECOND);
  assert_equals_uint64 (pending (&f), 6 * GST_SECOND);

  /* Gone: one last no-op, then silence. */
  move_deadline (&f, RCC_NEVER);
  fail_unless (gst_test_clock_crank (f.clock));
  assert_equals_int (f.fake.deadlines, 1);
  assert_equals_uint64 (pending (&f), GST_CLOCK_TIME_NONE);
}

/* A core whose deadline never moves on is asked once per millisecond. */
TEST (test_no_spin)
{
  g_auto (Fixture) f;
  guint i;

  setup (&f);
  gst_rtp_cc_driver_start (f.driver);
  f.fake.next_deadline = GST_SECOND;
  move_deadline (&f, GST_SECOND);
  for (i = 0; i < 10; i++)
    fail_unless (gst_test_clock_crank (f.clock));
  assert_equals_int (f.fake.deadlines, 10);
  assert_equals_uint64 (gst_clock_get_time (GST_CLOCK (f.clock)),
      GST_SECOND + 9 * GST_MSECOND);
  /* Nor does an event in between bring the wake forward. */
  tell (f.driver, 1);
  assert_equals_uint64 (pending (&f), GST_SECOND + 10 * GST_MSECOND);
}

TEST (test_reset_and_restart)
{
  g_auto (Fixture) f;

  setup (&f);
  gst_rtp_cc_driver_start (f.driver);
  move_deadline (&f, 5 * GST_SECOND);
  f.fake.deadline = 7 * GST_SECOND;
  gst_rtp_cc_driver_reset (f.driver);
  assert_equals_int (f.fake.inits, 2);
  assert_equals_uint64 (pending (&f), 7 * GST_SECOND);
  assert_equals_int (gst_test_clock_peek_id_count (f.clock), 1);

  gst_rtp_cc_driver_stop (f.driver);
  gst_rtp_cc_driver_stop (f.driver);
  assert_equals_int (gst_test_clock_peek_id_count (f.clock), 0);
  gst_rtp_cc_driver_start (f.driver);
  assert_equals_int (f.fake.inits, 3);
  assert_equals_uint64 (pending (&f), 7 * GST_SECOND);
}

/* A pipeline that changes its clock must not throw the core's time about. */
TEST (test_clock_change)
{
  g_auto (Fixture) f;
  g_autoptr (GstClock) other = gst_test_clock_new_with_start_time (100);

  setup (&f);
  gst_test_clock_set_time (f.clock, 50 * GST_SECOND);
  gst_rtp_cc_driver_start (f.driver);
  move_deadline (&f, 52 * GST_SECOND);
  gst_rtp_cc_driver_set_clock (f.driver, NULL);
  assert_equals_uint64 (pending (&f), 52 * GST_SECOND);
  gst_rtp_cc_driver_set_clock (f.driver, other);
  assert_equals_uint64 (pending (&f), GST_CLOCK_TIME_NONE);
  assert_equals_uint64 (driver_now (f.driver), 50 * GST_SECOND);

  gst_test_clock_set_time (GST_TEST_CLOCK (other), 100 + GST_SECOND);
  assert_equals_uint64 (driver_now (f.driver), 51 * GST_SECOND);
  fail_unless (gst_test_clock_crank (GST_TEST_CLOCK (other)));
  assert_equals_int (f.fake.deadlines, 1);
  assert_equals_uint64 (f.fake.now, 52 * GST_SECOND);

  /* And back, to a clock whose time is far ahead. */
  gst_rtp_cc_driver_set_clock (f.driver, GST_CLOCK (f.clock));
  assert_equals_uint64 (driver_now (f.driver), 52 * GST_SECOND);
}

/* A deadline at the end of time, by a clock that is behind the one before. */
TEST (test_a_deadline_at_the_end_of_time)
{
  g_auto (Fixture) f;
  g_autoptr (GstClock) other = gst_test_clock_new_with_start_time (3600 * GST_SECOND);
  const RccUpdate nothing = { 0 };
  RccTime now;

  setup (&f);
  gst_rtp_cc_driver_start (f.driver);
  gst_rtp_cc_driver_set_clock (f.driver, other);
  fail_unless (gst_rtp_cc_driver_enter (f.driver, &now) == &f.fake.sender);
  f.fake.deadline = RCC_NEVER - 1;      /* but not RCC_NEVER */
  gst_rtp_cc_driver_leave (f.driver, &nothing);
  gst_test_clock_set_time (GST_TEST_CLOCK (other), 7200 * GST_SECOND);
  assert_equals_int (f.fake.deadlines, 0);
}

TEST_MAIN (driver);
