/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * C1 to C8 at the elements' RTCP pads: every malformed packet that the unit tests and
 * the mutation test know, and mutants of them.  Bytes pass unchanged, the rate stays
 * within its limits, counters tell, and what is good is heard afterwards.
 */
#include "breaker-rig.h"
#include "rtpgccreceiver.h"
#include "sender-fixture.h"

#undef SSRC                             /* a word of vectors.h too */
#include "../fuzz/mutator.h"

#define MUTANTS 100000
#define SEED 11
#define OURS 9                          /* the SSRC of which the vectors speak */
#define MIN_BPS 100000
#define MAX_BPS 3000000

/* @out begins with @size bytes of @data; what was appended is whole RTCP.  Returns
 * how much that is. */
static gsize
take (GstBuffer *out, const guint8 *data, gsize size)
{
  GstMapInfo info;
  RccRtcpPacket packet;
  RccBytes rest;
  gsize more;

  fail_unless (out != NULL, "RTCP was held back");
  gst_buffer_map (out, &info, GST_MAP_READ);
  if (size > 0)                 /* memcmp() takes no NULL, not even of 0 bytes */
    fail_unless (info.size >= size && memcmp (info.data, data, size) == 0);
  rest = (RccBytes) { info.data + size, more = info.size - size };
  while (rcc_rtcp_next (&rest, &packet))
    ;
  fail_unless_equals_int (rest.size, 0);
  gst_buffer_unmap (out, &info);
  gst_buffer_unref (out);
  return more;
}

/* --- rtpgccsender --------------------------------------------------------- */

static Fx *
sender_new (void)
{
  return fx_new (VIDEO_CAPS, "min-bitrate", MIN_BPS, "max-bitrate", MAX_BPS,
      "start-bitrate", 1000000, NULL);
}

/* 20 ms of media, at less than the smallest target. */
static void
sender_media (Fx *fx)
{
  const guint16 seq = fx->seq++;

  fail_unless_equals_int (fx_push_buffer (fx, rtp_packet (OURS, seq, 1800u * seq, TRUE,
              200)), GST_FLOW_OK);
  fx_run (fx, fx_now (fx) + 20 * GST_MSECOND);
}

static void
sender_hears (Fx *fx, const guint8 *data, gsize size)
{
  guint bps;

  fail_unless_equals_int (gst_harness_push (fx->rtcp, buffer_of (data, size)),
      GST_FLOW_OK);
  fail_unless_equals_uint64 (take (gst_harness_try_pull (fx->rtcp), data, size), 0);
  bps = fx_target (fx);
  fail_unless (bps >= MIN_BPS && bps <= MAX_BPS, "target %u", bps);
}

static void
sender_is_well (Fx *fx, guint heard)
{
  static const guint32 ours = OURS;
  guint8 data[64];
  gsize size;

  fail_unless_equals_uint64 (fx_stat (fx, "rtcp-compounds"), heard);
  fail_unless_equals_uint64 (fx_stat (fx, "packets-sent"), fx->pushed);
  fail_unless_equals_uint64 (fx_stat (fx, "packets-dropped"), 0);
  fail_unless (fx_stat (fx, "rtt-smoothed") == GST_CLOCK_TIME_NONE
      || fx_stat (fx, "rtt-smoothed") <= 60 * GST_SECOND);
  size = rcc_remb_build (data, sizeof data, 1, 250000, &ours, 1);
  sender_hears (fx, data, size);
  fail_unless (fx_target (fx) <= 250000, "%u: the good REMB was not heard",
      fx_target (fx));
}

TEST (test_sender_vectors)
{
  g_autoptr (Fx) fx = sender_new ();
  guint heard = 0;

  for (guint again = 0; again < 3; again++)
    for (gsize i = 0; i < n_seeds - BUILT_MAX; i++) {
      sender_media (fx);
      sender_hears (fx, seeds[i].bytes.data, seeds[i].bytes.size);
      heard++;
      for (gsize cut = again ? seeds[i].bytes.size : 0; cut < seeds[i].bytes.size; cut++) {
        sender_hears (fx, seeds[i].bytes.data, cut);
        heard++;
      }
    }
  fail_unless (fx_stat (fx, "rtcp-truncated") > 0);
  fail_unless (fx_stat (fx, "rtcp-ignored") > 0);
  fail_unless (fx_stat (fx, "remb-count") > 0);
  sender_is_well (fx, heard);
}

TEST (test_sender_mutants)
{
  g_autoptr (Fx) fx = sender_new ();
  static guint8 data[SIZE_MAX_INPUT];
  guint64 before = 0;

  for (guint i = 0; i < MUTANTS; i++) {
    if (i % 50 == 0)
      sender_media (fx);
    sender_hears (fx, data, mutant (SEED, i, data));
    if (i % 10000 == 9999) {
      const guint64 now = fx_stat (fx, "rtcp-truncated");

      fail_unless (now > before);
      before = now;
    }
  }
  fail_unless (fx_stat (fx, "remb-count") > MUTANTS / 1000);
  fail_unless (fx_stat (fx, "feedback-unknown-packets") > MUTANTS / 1000);
  sender_is_well (fx, MUTANTS);
}

/* What goes out is not feedback: the target stays. */
TEST (test_sender_outgoing_mutants)
{
  g_autoptr (Fx) fx = sender_new ();
  GstHarness *out = gst_harness_new_with_element (fx->e, "send_rtcp_sink",
      "send_rtcp_src");
  static guint8 data[SIZE_MAX_INPUT];
  const guint before = fx_target (fx);

  gst_harness_set_src_caps_str (out, "application/x-rtcp");
  for (guint i = 0; i < MUTANTS / 4; i++) {
    const gsize size = mutant (SEED + 1, i, data);

    fail_unless_equals_int (gst_harness_push (out, buffer_of (data, size)), GST_FLOW_OK);
    fail_unless_equals_uint64 (take (gst_harness_try_pull (out), data, size), 0);
  }
  fail_unless_equals_int (fx_target (fx), before);
  fail_unless_equals_uint64 (fx_stat (fx, "rtcp-compounds"), 0);
  sender_media (fx);
  sender_is_well (fx, 0);
  gst_harness_teardown (out);
}

/* --- rtpcircuitbreaker ---------------------------------------------------- */

static Cb *
breaker_new (void)
{
  Cb *cb = cb_new (NULL);

  for (guint16 i = 0; i < 10; i++)
    gst_harness_push (cb->h, rtp_packet (OURS, i, 1800u * i, FALSE, 200));
  drain (cb->h);
  return cb;
}

/* 20 ms of media now and then, and time goes on. */
static void
breaker_media (Cb *cb)
{
  static guint16 seq = 10;

  fail_unless_equals_int (gst_harness_push (cb->h, rtp_packet (OURS, seq, 1800u * seq,
              FALSE, 200)), GST_FLOW_OK);
  seq++;
  fail_unless_equals_int (drain (cb->h), 1);
  cb_run (cb, cb_now (cb) + 20 * GST_MSECOND);
}

/* What came was refused or believed, but it is closed, calculates with sane numbers, and
 * hears the good report that follows. */
static void
breaker_is_well (Cb *cb, guint compounds)
{
  const guint64 reports = cb_stat (cb, "rtcp-compounds");
  guint8 data[64];

  fail_unless_equals_uint64 (reports, compounds);
  cb_expect (cb, "closed");
  cb_no_message (cb);
  fail_unless_equals_uint64 (cb_stat (cb, "circuit-breaker-trigger-count"), 0);
  fail_unless_equals_uint64 (cb_stat (cb, "packets-dropped"), 0);
  fail_unless (cb_stat (cb, "rtt-smoothed") == GST_CLOCK_TIME_NONE
      || cb_stat (cb, "rtt-smoothed") <= 60 * GST_SECOND);
  fail_unless (cb_stat (cb, "td") >= 5 * GST_SECOND && cb_stat (cb, "td") < 20 * GST_SECOND);
  fail_unless_equals_int (gst_test_clock_peek_id_count (cb->clock), 1);
  cb_rtcp (cb, cb->rtcp, data, rcc_rtcp_build_rr (data, sizeof data, CB_PEER,
          &(RccReportBlock) {.ssrc = OURS,.highest_seq = 9 }, 1));
  fail_unless_equals_uint64 (cb_stat (cb, "time-since-rtcp"), 0);
}

TEST (test_breaker_vectors)
{
  g_autoptr (Cb) cb = breaker_new ();
  guint n = 0;

  for (gsize i = 0; i < n_seeds - BUILT_MAX; i++) {
    for (gsize cut = 0; cut <= seeds[i].bytes.size; cut++, n++)
      cb_rtcp (cb, cb->rtcp, seeds[i].bytes.data, cut);
    if (i % 10 == 0)
      breaker_media (cb);
  }
  fail_unless (cb_stat (cb, "rtcp-truncated") > 0);
  fail_unless (cb_stat (cb, "rtcp-ignored") > 0);
  breaker_is_well (cb, n);
}

TEST (test_breaker_mutants)
{
  g_autoptr (Cb) cb = breaker_new ();
  static guint8 data[SIZE_MAX_INPUT];
  guint64 before = 0;

  for (guint i = 0; i < MUTANTS; i++) {
    if (i % 5000 == 0)
      breaker_media (cb);
    cb_rtcp (cb, cb->rtcp, data, mutant (SEED, i, data));
    if (i % 10000 == 9999) {
      fail_unless (cb_stat (cb, "rtcp-truncated") > before);
      before = cb_stat (cb, "rtcp-truncated");
    }
  }
  breaker_is_well (cb, MUTANTS);
}

/* What goes out is nobody's report: no stream, no deadline. */
TEST (test_breaker_outgoing_mutants)
{
  g_autoptr (Cb) cb = breaker_new ();
  static guint8 data[SIZE_MAX_INPUT];

  for (guint i = 0; i < MUTANTS / 4; i++)
    cb_rtcp (cb, cb->out, data, mutant (SEED + 1, i, data));
  fail_unless_equals_uint64 (cb_stat (cb, "time-since-rtcp"), GST_CLOCK_TIME_NONE);
  breaker_is_well (cb, 0);
}

/* --- rtpgccreceiver ------------------------------------------------------- */

static Fixture *
receiver_new (void)
{
  Fixture *f = fixture_new (CAPS_ABS, "min-bitrate", "100000", "max-bitrate", "3000000",
      NULL);

  gst_harness_set_src_caps_str (f->rtcp, "application/x-rtcp");
  stream (f, 2 * GST_SECOND, 500000, 1000000);
  drop_feedback (f);
  return f;
}

/* Returns how much feedback went with it. */
static gsize
receiver_sends (Fixture *f, const guint8 *data, gsize size)
{
  fail_unless_equals_int (gst_harness_push (f->rtcp, buffer_of (data, size)),
      GST_FLOW_OK);
  return take (gst_harness_try_pull (f->rtcp), data, size);
}

static void
receiver_is_well (Fixture *f)
{
  const guint64 fed_back = stat_u64 (f, "feedback-appended")
      + stat_u64 (f, "feedback-composed");

  fail_unless_equals_uint64 (stat_u64 (f, "packets-received"), f->seq);
  fail_unless_equals_uint64 (stat_u64 (f, "rtp-malformed"), 0);
  fail_unless_equals_uint64 (stat_u64 (f, "feedback-refused"), 0);
  stream (f, 2 * GST_SECOND, 500000, 1000000);
  fail_unless (drop_feedback (f) >= 1, "feedback has stopped");
  fail_unless (stat_u64 (f, "feedback-appended") + stat_u64 (f, "feedback-composed")
      > fed_back);
  fail_unless (estimate (f) >= MIN_BPS && estimate (f) <= MAX_BPS);
}

TEST (test_receiver_vectors)
{
  g_autoptr (Fixture) f = receiver_new ();
  guint before = estimate (f);

  for (gsize i = 0; i < n_seeds - BUILT_MAX; i++)
    for (gsize cut = 0; cut <= seeds[i].bytes.size; cut++)
      receiver_sends (f, seeds[i].bytes.data, cut);
  fail_unless_equals_int (estimate (f), before);
  fail_unless (stat_u64 (f, "rtcp-truncated") > 0);
  receiver_is_well (f);
}

/* With media between, so that feedback is due now and then and goes with some. */
TEST (test_receiver_mutants)
{
  g_autoptr (Fixture) f = receiver_new ();
  static guint8 data[SIZE_MAX_INPUT];
  guint64 before = 0;
  guint appended = 0;

  for (guint i = 0; i < MUTANTS; i++) {
    const guint bps = estimate (f);

    appended += receiver_sends (f, data, mutant (SEED, i, data)) > 0;
    fail_unless_equals_int (estimate (f), bps);
    if (i % 50 == 49) {
      stream (f, 50 * GST_MSECOND, 500000, 1000000);
      drop_feedback (f);
      fail_unless (estimate (f) >= MIN_BPS && estimate (f) <= MAX_BPS);
    }
    if (i % 10000 == 9999) {
      fail_unless (stat_u64 (f, "rtcp-truncated") > before);
      before = stat_u64 (f, "rtcp-truncated");
    }
  }
  fail_unless_equals_uint64 (stat_u64 (f, "feedback-appended"), appended);
  receiver_is_well (f);
}

SUITE (bad_rtcp)
{
  build_seeds (SEED);
}
