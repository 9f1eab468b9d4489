/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What rtpsbpnmux's properties change while packets wait. */
#include "mux-rig.h"

#include "core/sbpn/owd.h"
#include "wire/ccfb.h"
#include "tuning.h"

#define WEIGHTED 4                      /* mode */
#define SBPN1 1

/* --- one-way-delay -------------------------------------------------------- */

/* Feedback, 20 ms after it came, that the packet which left last was @owd on its way. */
static void
tell_owd (Rig *rig, GstClockTime owd)
{
  const Left l = rig_nth (rig, rig_left (rig) - 1);
  const RccCcfbReport report = { true, RCC_ECN_NOT_ECT, 0 };
  guint8 data[64];
  gsize size = rcc_ccfb_begin (data, sizeof data, 1);

  rig_go (rig, owd + 20 * GST_MSECOND);
  size = rcc_ccfb_add (data, sizeof data, size, l.ssrc, l.seq, &report, 1);
  size = rcc_ccfb_end (data, sizeof data, size,
      (guint32) gst_util_uint64_scale (l.at + owd, 65536, GST_SECOND));
  fail_unless (size > 0);
  rig_rtcp (rig, data, size);
}

static void
assert_owd (Rig *rig, GstClockTime time)
{
  const guint64 owd = rig_stat (rig, "one-way-delay-used");

  fail_unless (ABS (GST_CLOCK_DIFF (time, owd)) <= 2 * GST_MSECOND,
      "%" GST_TIME_FORMAT, GST_TIME_ARGS (owd));
}

/* 100 kbit/s carry a packet of 1000 B in 80 ms; 150 ms of queue stand on the way there, of
 * which half the round trip sees half. */
TEST_EACH (test_one_way_delay, 2)
{
  static const guint leave[] = { 1, 2 };        /* 30 ms are left; 105 ms: 0 and 80 */
  g_autoptr (Rig) rig = rig_new (2, "mode", SBPN1, "tuning",
      tuning ("one-way-delay=%s", __i__ ? "half-rtt" : "measured"), NULL);

  rig_target_event (rig, 10000000, 0, 190 * GST_MSECOND, 0);
  rig_push (rig, VIDEO, 1000);
  assert_owd (rig, 95 * GST_MSECOND);
  tell_owd (rig, 20 * GST_MSECOND);
  rig_push (rig, VIDEO, 1000);
  tell_owd (rig, 170 * GST_MSECOND);
  fail_unless_equals_int (rig_left (rig), 2);
  assert_owd (rig, __i__ == RCC_SBPN_OWD_HALF_RTT ? 95 * GST_MSECOND : 170 * GST_MSECOND);
  rig_target_event (rig, 100000, 0, 190 * GST_MSECOND, 0);
  for (guint i = 0; i < 10; i++)
    rig_push (rig, VIDEO, 1000);
  rig_go (rig, GST_SECOND / 2);
  fail_unless_equals_int (rig_left (rig), 2 + leave[__i__]);
  g_object_set (rig->e, "tuning",
      tuning ("one-way-delay=%s", __i__ ? "measured" : "half-rtt"), NULL);
  assert_owd (rig, __i__ == RCC_SBPN_OWD_HALF_RTT ? 170 * GST_MSECOND : 95 * GST_MSECOND);
  /* nothing was heard for more than a second */
  rig_go (rig, GST_SECOND);
  rig_push (rig, VIDEO, 1000);
  assert_owd (rig, 95 * GST_MSECOND);
  rig_assert_conserved (rig);
}

/* A way that is longer than what every pad's packets live for says that nothing is worth
 * sending, and would go on saying so.  The path was seen to be short: what has been added
 * since is a queue. */
TEST (test_one_way_delay_beyond_expiry)
{
  g_autoptr (Rig) rig = rig_new (2, "mode", SBPN1, NULL);

  rig_target_event (rig, 10000000, 0, 300 * GST_MSECOND, 0);
  rig_push (rig, VIDEO, 1000);
  tell_owd (rig, 20 * GST_MSECOND);
  rig_push (rig, VIDEO, 1000);
  tell_owd (rig, 250 * GST_MSECOND);
  assert_owd (rig, 150 * GST_MSECOND);
  pad_set (rig, AUDIO, "expiry", 300 * GST_MSECOND);
  rig_push (rig, AUDIO, 1000);
  assert_owd (rig, 250 * GST_MSECOND);
  rig_push (rig, VIDEO, 1000);
  fail_unless_equals_uint64 (pad_stat (rig, VIDEO, "packets-dropped-expired"), 1);
  gst_harness_teardown (rig->h[1]);
  rig->h[1] = NULL;
  pad_set (rig, AUDIO, "expiry", 240 * GST_MSECOND);
  rig_push (rig, AUDIO, 1000);
  assert_owd (rig, 150 * GST_MSECOND);
}

/* --- weighted ------------------------------------------------------------- */

/* Video that came 10 ms before audio expires 10 ms before it. */
TEST_EACH (test_priority_weight, 4)
{
  static const guint64 weights[] = { 0, 9 * GST_MSECOND, 11 * GST_MSECOND, G_MAXUINT64 };
  g_autoptr (Rig) rig = rig_new (2, "mode", WEIGHTED, NULL);

  rig_target (rig, 0);
  rig_push (rig, VIDEO, 1000);
  rig_go (rig, 10 * GST_MSECOND);
  rig_push (rig, AUDIO, 1000);
  g_object_set (rig->e, "tuning", tuning ("priority-weight=%g",
          (gdouble) weights[__i__]), NULL);
  rig_target (rig, 100000);
  wait_for (rig_left (rig) > 0);
  fail_unless_equals_int (rig_nth (rig, 0).ssrc, SSRC_OF (__i__ < 2 ? VIDEO : AUDIO));
}

/* Video is owed half of what leaves, and has it as soon as more than that is missing. */
TEST_EACH (test_deficit_limit, 3)
{
  static const guint deficit_limit[] = { 400, 1400, G_MAXUINT }, audio_first[] = { 1, 3, 10 };
  g_autoptr (Rig) rig = rig_new (2, "mode", WEIGHTED, "tuning",
      tuning ("priority-weight=100000000000"), NULL);
  guint n = 0;

  for (guint pad = AUDIO; pad <= VIDEO; pad++)
    pad_set (rig, pad, "expiry", 50 * GST_SECOND);
  rig_target (rig, 0);
  for (guint i = 0; i < 20; i++)
    rig_push (rig, i % 2, 1000);
  g_object_set (rig->e, "tuning",
      tuning ("priority-weight=100000000000,deficit-limit=(uint)%u", deficit_limit[__i__]), NULL);
  rig_target (rig, 1000000);
  rig_go (rig, GST_SECOND);
  fail_unless_equals_int (rig_left (rig), 20);
  while (rig_nth (rig, n).ssrc == SSRC_OF (AUDIO))
    n++;
  /* owed after k packets of audio: 500 k */
  fail_unless_equals_int (n, audio_first[__i__]);
}

/* --- room ----------------------------------------------------------------- */

static void
push_many (Rig *rig, guint pad, guint n)
{
  for (guint i = 0; i < n; i++)
    rig_push (rig, pad, 100);
}

/* A larger room keeps what there is, a smaller one what is worth most. */
TEST (test_room_changes)
{
  g_autoptr (Rig) rig = rig_new (2, "max-size-buffers", 4, NULL);

  pad_set (rig, AUDIO, "expiry", 50 * GST_SECOND);
  pad_set (rig, VIDEO, "expiry", GST_CLOCK_TIME_NONE);
  rig_target (rig, 0);
  push_many (rig, VIDEO, 10);
  fail_unless_equals_uint64 (rig_stat (rig, "queue-packets"), 4);
  g_object_set (rig->e, "max-size-buffers", 8, NULL);
  fail_unless_equals_uint64 (rig_stat (rig, "queue-packets"), 4);
  push_many (rig, VIDEO, 10);
  fail_unless_equals_uint64 (rig_stat (rig, "queue-packets"), 8);
  g_object_set (rig->e, "max-size-buffers", 0, NULL);
  push_many (rig, VIDEO, 2000);
  push_many (rig, AUDIO, 2);
  fail_unless_equals_uint64 (rig_stat (rig, "queue-packets"), 2010);
  fail_unless_equals_uint64 (rig_stat (rig, "packets-dropped-full"), 12);
  rig_assert_conserved (rig);
  g_object_set (rig->e, "max-size-buffers", 6, NULL);
  fail_unless_equals_uint64 (rig_stat (rig, "queue-packets"), 6);
  fail_unless_equals_uint64 (pad_stat (rig, AUDIO, "queue-packets"), 2);
  fail_unless_equals_uint64 (rig_stat (rig, "packets-dropped-full"), 12 + 2004);
  rig_target (rig, 1000000);
  rig_go (rig, GST_SECOND / 10);
  fail_unless_equals_int (rig_left (rig), 6);
  for (guint i = 0; i < 6; i++)
    fail_unless_equals_int (rig_nth (rig, i).ssrc, SSRC_OF (i < 2 ? AUDIO : VIDEO));
  for (guint i = 2; i < 6; i++)         /* the oldest */
    fail_unless_equals_int (rig_nth (rig, i).was, (guint16) (65501 + i - 2));
  rig_assert_conserved (rig);
}

TEST_MAIN (rtpsbpnmux_settings);
