/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How fast rtpsbpnmux lets packets out, and what it tells the encoders. */
#include "mux-rig.h"

#include "core/tcpeq.h"
#include "wire/ccfb.h"
#include "wire/rtcp.h"
#include "wire/twcc.h"
#include "tuning.h"

#define EVENT "GstRtpTargetBitrate"
#define TFRC 2                          /* rate-control */

/* --- targets from downstream ---------------------------------------------- */

static void
assert_reported (Rig *rig, guint pad, guint target, guint fec)
{
  GstEvent *event, *newest = NULL;
  guint t, f;

  while ((event = gst_harness_try_pull_upstream_event (rig->h[pad])))
    if (gst_event_has_name (event, EVENT))
      gst_event_take (&newest, event);
    else
      gst_event_unref (event);
  fail_unless (newest != NULL, "pad %u was told nothing", pad);
  fail_unless (gst_structure_get_uint (gst_event_get_structure (newest), "target-bitrate",
          &t));
  fail_unless (gst_structure_get_uint (gst_event_get_structure (newest), "fec-bitrate",
          &f));
  fail_unless_equals_int (t, target);
  fail_unless_equals_int (f, fec);
  fail_unless_equals_string (gst_structure_get_string (gst_event_get_structure (newest),
          "source"), "test");
  gst_event_unref (newest);
}

TEST (test_split)
{
  g_autoptr (Rig) rig = rig_new (3, NULL);
  guint bps;

  pad_set (rig, AUDIO, "max-bitrate", 80000);
  pad_set (rig, 2, "weight", 3);
  for (guint i = 0; i < 3; i++)         /* no bound, nothing to say */
    fail_unless_equals_int (rig_upstream (rig, i, EVENT, NULL, NULL), 0);
  rig_target (rig, 480000);
  assert_reported (rig, AUDIO, 80000, 0);
  assert_reported (rig, VIDEO, 100000, 0);
  assert_reported (rig, 2, 300000, 0);
  g_object_get (rig->e, "estimated-bitrate", &bps, NULL);
  fail_unless_equals_int (bps, 480000);
  /* repair takes its part of each */
  rig_target_event (rig, 600000, 120000, GST_CLOCK_TIME_NONE, 0);
  assert_reported (rig, AUDIO, 100000, 20000);
  assert_reported (rig, VIDEO, 125000, 25000);
  assert_reported (rig, 2, 375000, 75000);
  /* a pad that changes, one that goes */
  rig_target (rig, 480000);
  pad_set (rig, VIDEO, "min-bitrate", 200000);
  assert_reported (rig, VIDEO, 250000, 0);
  assert_reported (rig, 2, 150000, 0);
  gst_harness_teardown (rig->h[2]);
  rig->n = 2;
  assert_reported (rig, VIDEO, 400000, 0);
}

/* What is said of one stream goes to its pad, and bounds nobody else. */
TEST (test_one_stream)
{
  g_autoptr (Rig) rig = rig_new (2, NULL);
  guint bps = 1;

  rig_push (rig, AUDIO, 100);
  rig_push (rig, VIDEO, 100);
  rig_target_event (rig, 0, 0, GST_CLOCK_TIME_NONE, SSRC_OF (VIDEO));
  fail_unless_equals_int (rig_upstream (rig, VIDEO, EVENT, "target-bitrate", &bps), 1);
  fail_unless_equals_int (bps, 0);
  fail_unless_equals_int (rig_upstream (rig, AUDIO, EVENT, NULL, NULL), 0);
  fail_unless_equals_uint64 (rig_stat (rig, "target-bitrate"), G_MAXUINT);
  gst_harness_push_upstream_event (rig->h[0],
      gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM, gst_structure_new_empty (EVENT)));
  fail_unless_equals_int (rig_upstream (rig, VIDEO, EVENT, NULL, NULL), 1);
  fail_unless_equals_int (rig_upstream (rig, AUDIO, EVENT, NULL, NULL), 1);
  fail_unless_equals_uint64 (rig_stat (rig, "target-bitrate"), G_MAXUINT);
}

/* 0 stops everything; what waits leaves when it is raised; no bound lets all out. */
TEST (test_stop)
{
  g_autoptr (Rig) rig = rig_new (2, NULL);
  guint notified = 0;

  g_signal_connect (rig->e, "notify::estimated-bitrate", G_CALLBACK (count_notify),
      &notified);
  pad_set (rig, AUDIO, "expiry", GST_CLOCK_TIME_NONE);
  g_object_set (rig->e, "max-size-time", G_GUINT64_CONSTANT (0), NULL);
  rig_target (rig, 0);
  for (guint i = 0; i < 20; i++)
    rig_push (rig, AUDIO, 100);
  rig_go (rig, 60 * GST_SECOND);
  fail_unless_equals_int (rig_left (rig), 0);
  fail_unless_equals_uint64 (rig_stat (rig, "queue-packets"), 20);
  rig_target (rig, 160000);             /* a packet in 5 ms */
  rig_go (rig, 50 * GST_MSECOND);
  fail_unless (rig_left (rig) >= 9 && rig_left (rig) <= 12, "%u", rig_left (rig));
  rig_target (rig, G_MAXUINT);
  wait_for (rig_left (rig) == 20);
  fail_unless_equals_int (notified, 3);
  rig_assert_conserved (rig);
}

typedef struct {
  Rig *rig;
  GstElement *sender;
} Behind;

/* All that the mux let out has left the sender or waits in it, and then its task sleeps
 * on the clock, beside its timer and the mux's task. */
static gboolean
sender_is_settled (gpointer data)
{
  Behind *b = data;
  guint64 queued = rig_stat (b->rig, "queue-packets"), sent, waiting;
  GstStructure *s;

  g_object_get (b->sender, "stats", &s, NULL);
  sent = number_in (s, "packets-sent");
  waiting = number_in (s, "queue-packets");
  gst_structure_free (s);
  return sent + waiting == rig_left (b->rig)
      && gst_test_clock_peek_id_count (b->rig->clock)
      >= (guint) ((waiting > 0) + (sent > 0) + (queued > 0));
}

/* As far as the controller's own queue is concerned there is no need for one: offered
 * twice the target, what waits does so here. */
TEST (test_before_rtpgccsender)
{
  g_autoptr (Rig) rig = rig_new (2, NULL);
  g_autoptr (GstElement) cc = gst_element_factory_make ("rtpgccsender", NULL);
  GstHarness *out = gst_harness_new_with_element (cc, NULL, "src");
  GstPad *src = gst_element_get_static_pad (rig->e, "src");
  GstPad *sink = gst_element_get_static_pad (cc, "sink");
  Behind behind = { rig, cc };
  guint64 here = 0, there = 0;
  GstStructure *stats;

  gst_element_set_state (cc, GST_STATE_NULL);
  gst_element_set_clock (cc, GST_CLOCK (rig->clock));
  g_object_set (cc, "start-bitrate", 400000, "tuning",
      tuning (NO_PROBES "," NO_TIMEOUT), NULL);
  gst_pad_unlink (src, rig->h[0]->sinkpad);
  fail_unless_equals_int (gst_pad_link (src, sink), GST_PAD_LINK_OK);
  gst_element_set_state (cc, GST_STATE_PLAYING);
  rig->timers = 1;                      /* the controller's */
  rig->settled = sender_is_settled;
  rig->behind = &behind;
  for (guint i = 0; i < 100; i++) {
    rig_push (rig, AUDIO, 200);
    rig_push_frame (rig, VIDEO, 2, 900, 0);
    for (guint k = 0; k < 4; k++) {
      rig_go (rig, 5 * GST_MSECOND);
      g_object_get (cc, "stats", &stats, NULL);
      there = MAX (there, number_in (stats, "queue-packets"));
      gst_structure_free (stats);
    }
    here = MAX (here, rig_stat (rig, "queue-packets"));
  }
  fail_unless_equals_uint64 (rig_stat (rig, "target-bitrate"), 400000);
  fail_unless (here >= 10, "only %u packets waited here", (guint) here);
  fail_unless (there <= 2, "%u packets waited at the controller", (guint) there);
  fail_unless_equals_uint64 (pad_stat (rig, AUDIO, "packets-sent"), 100);
  g_object_get (cc, "stats", &stats, NULL);
  fail_unless_equals_uint64 (number_in (stats, "packets-dropped"), 0);
  gst_structure_free (stats);
  gst_element_set_state (cc, GST_STATE_NULL);
  gst_pad_unlink (src, sink);
  gst_object_unref (src);
  gst_object_unref (sink);
  gst_harness_teardown (out);
}

/* rate-control=none divides, and holds nothing back. */
TEST (test_none)
{
  g_autoptr (Rig) rig = rig_new (2, "rate-control", 0, NULL);

  rig_target (rig, 100000);
  for (guint i = 0; i < 50; i++)
    rig_push (rig, VIDEO, 1000);
  fail_unless_equals_int (rig_left (rig), 50);
  assert_reported (rig, VIDEO, 36000, 0); /* the rest is kept for speech */
}

/* --- TFRC ----------------------------------------------------------------- */

#define OWD (40 * GST_MSECOND)

static void
feed_ccfb (Rig *rig, const Left *l, const gboolean *lost, guint n)
{
  RccCcfbReport reports[32];
  guint8 data[256];
  const RccTime made = l[n - 1].at + OWD;

  for (guint i = 0; i < n; i++)
    reports[i] = (RccCcfbReport) {
    !lost[i], RCC_ECN_NOT_ECT, made - (l[i].at + OWD)};
  rig_rtcp (rig, data, ccfb_of (data, sizeof data, l[0].ssrc, l[0].seq, reports, n, made));
}

static void
feed_event (Rig *rig, const Left *l, const gboolean *lost, guint n)
{
  TwccTold told[32];

  for (guint i = 0; i < n; i++)
    told[i] = (TwccTold) { l[i].seq, l[i].size, 96, l[i].at,
        lost[i] ? GST_CLOCK_TIME_NONE : l[i].at + OWD };
  push_twcc_event (rig->h[0], rig->clock, told, n);
}

typedef void (*Feed) (Rig *, const Left *, const gboolean *, guint);
static const Feed feeds[] = { feed_ccfb, feed_event };

/* Video of @size every 2 ms, of which one in @one_in is lost (0: none).  Every 40 ms
 * feedback comes that tells of what left two OWD ago and before. */
static void
call (Rig *rig, Feed feed, GstClockTime span, guint size, guint one_in)
{
  const GstClockTime end = rig_now (rig) + span;
  static guint reported, count;
  gboolean lost[32];
  Left l[32];

  if (rig_left (rig) == 0)
    reported = count = 0;
  while (rig_now (rig) < end) {
    guint n = 0;

    for (guint i = 0; i < 20; i++) {
      rig_push (rig, VIDEO, size);
      rig_go (rig, 2 * GST_MSECOND);
    }
    while (n < 32 && reported < rig_left (rig)
        && rig_nth (rig, reported).at + 2 * OWD <= rig_now (rig)) {
      l[n] = rig_nth (rig, reported++);
      lost[n++] = one_in > 0 && ++count % one_in == 0;
    }
    if (n > 0)
      feed (rig, l, lost, n);
  }
}

static gchar *
stat_string (Rig *rig, const gchar *name)
{
  GstStructure *stats;
  gchar *text;

  g_object_get (rig->e, "stats", &stats, NULL);
  text = g_strdup (gst_structure_get_string (stats, name));
  gst_structure_free (stats);
  return text;
}

static void
assert_source (Rig *rig, const gchar *source)
{
  g_autofree gchar *text = stat_string (rig, "loss-source");

  fail_unless_equals_string (text, source);
}

/* Up while nothing is lost, near the equation once it is, and all that leaves obeys. */
TEST_EACH (test_tfrc, G_N_ELEMENTS (feeds))
{
  g_autoptr (Rig) rig = rig_new (2, "rate-control", TFRC, "start-bitrate", 300000, NULL);
  guint target = 0;
  guint64 before, rtt, sent;
  RccTcpPath path = {.packet_size = 1000 };
  gdouble equation;

  rig->timers = 1;
  assert_source (rig, "none");
  pad_set (rig, AUDIO, "max-bitrate", 10000);
  call (rig, feeds[__i__], 3 * GST_SECOND, 1000, 0);
  assert_source (rig, "feedback");
  before = rig_stat (rig, "target-bitrate");
  fail_unless (before > 600000, "%u", (guint) before);
  fail_unless (rig_upstream (rig, VIDEO, EVENT, "target-bitrate", &target) > 1);
  fail_unless_equals_uint64 (target, before - 10000);
  call (rig, feeds[__i__], 20 * GST_SECOND, 1000, 20);
  rtt = rig_stat (rig, "rtt");
  fail_unless (rtt >= 2 * OWD - 20 * GST_MSECOND && rtt <= 4 * OWD, "rtt %" G_GUINT64_FORMAT,
      rtt);
  fail_unless_equals_uint64 (rig_stat (rig, "one-way-delay-used"), rig_stat (rig, "one-way-delay"));
  fail_unless (rig_stat (rig, "one-way-delay-used") >= OWD - 2 * GST_MSECOND
      && rig_stat (rig, "one-way-delay-used") <= OWD + 10 * GST_MSECOND, "%" G_GUINT64_FORMAT,
      rig_stat (rig, "one-way-delay-used"));
  path.rtt = rtt;
  equation = 8 * rcc_tcp_throughput (RCC_TCP_PADHYE, &path, 0.05);
  fail_unless (rig_stat (rig, "target-bitrate") < 2 * equation, "%u, by the book %g",
      (guint) rig_stat (rig, "target-bitrate"), equation);
  fail_unless (rig_stat (rig, "target-bitrate") > equation / 2);
  sent = rig_stat (rig, "bytes-sent");
  call (rig, feeds[__i__], 4 * GST_SECOND, 1000, 20);
  fail_unless ((gdouble) (rig_stat (rig, "bytes-sent") - sent) * 8 / 4 < 2.2 * equation);
  fail_unless (rig_stat (rig, "packets-dropped-expired") > 100);
  rig_assert_conserved (rig);
}

/* What may be sent half a second after a pause, of what was before it. */
static gdouble
back_after_a_pause (gboolean faster)
{
  Rig *rig = rig_new (2, "rate-control", TFRC, "start-bitrate", 300000, "tuning",
      tuning ("tfrc-faster-restart=%d", faster), NULL);
  guint64 before, after;

  rig->timers = 1;
  call (rig, feed_ccfb, 4 * GST_SECOND, 1000, 0);
  before = rig_stat (rig, "target-bitrate");
  rig_go (rig, 20 * GST_SECOND);
  fail_unless (rig_stat (rig, "target-bitrate") < before / 4);
  call (rig, feed_ccfb, GST_SECOND / 2, 1000, 0);
  after = rig_stat (rig, "target-bitrate");
  rig_free (rig);
  return (gdouble) after / (gdouble) before;
}

TEST (test_faster_restart)
{
  const gdouble usual = back_after_a_pause (FALSE), faster = back_after_a_pause (TRUE);

  fail_unless (faster >= 1.5 * usual, "%.2f, without %.2f", faster, usual);
}

/* A target from downstream bounds TFRC's; raised, it is TFRC's again. */
TEST (test_tfrc_bounded)
{
  g_autoptr (Rig) rig = rig_new (2, "rate-control", TFRC, "start-bitrate", 300000, NULL);

  rig->timers = 1;
  rig_target (rig, 0);
  rig_push (rig, AUDIO, 100);
  fail_unless_equals_int (rig_left (rig), 0);
  fail_unless_equals_uint64 (rig_stat (rig, "target-bitrate"), 0);
  rig_target (rig, 10000000);
  wait_for (rig_left (rig) == 1);
  fail_unless_equals_uint64 (rig_stat (rig, "target-bitrate"), 300000);
}

static gsize
build_sr (guint8 *data, gsize size, guint64 ntp)
{
  const RccRtcpReport sr = { .ssrc = SSRC_OF (VIDEO), .is_sr = true, .ntp = ntp };

  return rcc_rtcp_build_sr (data, size, &sr, NULL, 0);
}

/* Receiver reports alone, with an SR that passed to measure the round trip by. */
TEST (test_tfrc_like)
{
  g_autoptr (Rig) rig = rig_new (2, "rate-control", TFRC, "start-bitrate", 300000, NULL);
  GstHarness *out = gst_harness_new_with_element (rig->e, "send_rtcp_sink",
      "send_rtcp_src");
  guint64 ntp = G_GUINT64_CONSTANT (0x1234567800000000), before;
  guint32 cumulative = 0;

  gst_harness_set_src_caps_str (out, "application/x-rtcp");
  rig->timers = 1;
  before = rig_stat (rig, "target-bitrate");
  for (guint i = 0; i < 10; i++) {
    RccReportBlock block = {.ssrc = SSRC_OF (VIDEO) };
    guint8 data[256];
    gsize size;

    size = build_sr (data, sizeof data, ntp += G_GUINT64_CONSTANT (0x500000000));
    gst_harness_push (out, gst_buffer_new_memdup (data, size));
    for (guint k = 0; k < 50; k++) {
      rig_push (rig, VIDEO, 700);
      rig_go (rig, 20 * GST_MSECOND);
    }
    cumulative += 10;
    block.fraction = 51;
    block.lost = (gint32) cumulative;
    block.highest_seq = rig_nth (rig, rig_left (rig) - 1).seq;
    block.highest_seq |= rig_left (rig) > 100 ? 0x10000 : 0;
    block.lsr = rcc_ntp_middle (ntp);
    block.dlsr = (guint32) (0.92 * 65536);
    size = rcc_rtcp_build_rr (data, sizeof data, 99, &block, 1);
    rig_rtcp (rig, data, size);
  }
  assert_source (rig, "report");
  fail_unless (rig_stat (rig, "rtt") > 50 * GST_MSECOND);
  fail_unless (rig_stat (rig, "rtt") < 120 * GST_MSECOND);
  fail_unless (rig_stat (rig, "target-bitrate") < before, "%u",
      (guint) rig_stat (rig, "target-bitrate"));
  gst_harness_teardown (out);
}

/* No feedback: the rate halves down to the least. */
TEST (test_tfrc_silence)
{
  g_autoptr (Rig) rig = rig_new (2, "rate-control", TFRC, "start-bitrate", 1000000, "min-bitrate",
      60000, NULL);

  rig->timers = 1;
  for (guint i = 0; i < 100; i++) {
    rig_push (rig, AUDIO, 100);
    rig_go (rig, 500 * GST_MSECOND);
  }
  fail_unless_equals_uint64 (rig_stat (rig, "target-bitrate"), 60000);
}

TEST_MAIN (rtpsbpnmux_rate);
