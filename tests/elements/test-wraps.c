/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * T2: the same call twice, once with every counter far from its wrap and once across
 * it.  No element shows a difference: the rates are the same all along, and the circuit
 * breaker opens where it did.
 */
#include "breaker-rig.h"
#include "rtpgccreceiver.h"
#include "sender-fixture.h"

#include "wire/ccfb.h"
#include "wire/twcc.h"

#define GAP (20 * GST_MSECOND)
#define STEPS 400
#define TWCC_CAPS VIDEO_CAPS ",extmap-5=(string)" RCC_TWCC_URI

/* --- rtpgccreceiver ------------------------------------------------------- */

typedef struct {
  const gchar *name;
  gboolean abs;
  guint16 seq;
  guint32 timestamp;
  GstClockTime sent;            /* added to the send time; whole seconds */
} Start;

static const Start plain[] = {
  {"plain", FALSE, 0, 0, 0}, {"plain", TRUE, 0, 0, 0}
};

static const Start starts[] = {
  {"RTP numbers", FALSE, 65400, 0, 0},
  {"RTP numbers", TRUE, 65400, 0, 0},
  {"RTP timestamp", FALSE, 0, 0u - 90000u * 3, 0},
  {"RTP timestamp, sign", FALSE, 0, 0x80000000u - 90000u * 3, 0},
  {"abs-send-time", TRUE, 0, 0, 25 * GST_SECOND},       /* 100 s + 25 s + 3 s: 128 s */
  {"abs-send-time, half", TRUE, 0, 0, 57 * GST_SECOND},
};

/* A stream whose queue grows in the middle and drains. */
static void
receive (const Start *start, guint *bps)
{
  g_autoptr (Fixture) f = fixture_new (start->abs ? CAPS_ABS : CAPS_PLAIN, NULL);
  GstClockTime delay = 20 * GST_MSECOND;

  f->sent = f->now;
  for (guint i = 0; i < STEPS; i++, f->sent += GAP) {
    GstBuffer *buffer = make_rtp (MEDIA_SSRC, (guint16) (start->seq + i),
        f->sent + start->sent, start->abs, PACKET);
    guint8 timestamp[4];

    rcc_put32 (timestamp, start->timestamp + 1800 * i);
    gst_buffer_fill (buffer, 4, timestamp, 4);
    delay += i >= 200 && i < 260 ? 4 * GST_MSECOND : 0;
    delay -= i >= 260 && i < 320 ? 4 * GST_MSECOND : 0;
    advance (f, f->sent + delay);
    GST_BUFFER_PTS (buffer) = f->now;
    pass (f, buffer);
    bps[i] = estimate (f);
  }
  fail_unless_equals_uint64 (stat_u64 (f, "packets-received"), STEPS);
}

static void
assert_same (const gchar *name, const guint *expected, const guint *bps, guint n)
{
  for (guint i = 0; i < n; i++)
    fail_unless (bps[i] == expected[i], "%s: %u instead of %u at step %u", name, bps[i],
        expected[i], i);
}

TEST_EACH (test_receiver, G_N_ELEMENTS (starts))
{
  const Start *start = &starts[__i__];
  guint expected[STEPS], bps[STEPS];

  receive (&plain[start->abs], expected);
  fail_unless (expected[STEPS - 1] > 0);
  fail_unless (expected[270] < expected[199], "the queue was not noticed");
  receive (start, bps);
  assert_same (start->name, expected, bps, STEPS);
}

/* --- rtpgccsender --------------------------------------------------------- */

#define FEEDBACKS 300                   /* more than an 8-bit count */
#define PER_FEEDBACK 2

typedef struct {
  const gchar *name;
  guint16 seq;                  /* RTP and transport-wide */
  RccTime arrived;              /* of the receiver's clock, at the start */
  guint8 count;
  gboolean ccfb;
} Call;

/* 64 ms times 2^24, or 2^23 where its sign turns; 65536 s of the NTP short form. */
#define REFERENCE_WRAP (((RccTime) 64 << 24) * RCC_MSEC)
#define NTP_WRAP (((RccTime) 1 << 16) * RCC_SEC)

static const Call plain_calls[] = { {"plain", 0, 64 * RCC_SEC, 0, FALSE},
  {"plain", 0, 64 * RCC_SEC, 0, TRUE} };

static const Call calls[] = {
  {"transport-wide numbers", 65300, 64 * RCC_SEC, 0, FALSE},
  {"reference time", 0, REFERENCE_WRAP - 64 * 50 * RCC_MSEC, 0, FALSE},
  {"reference time, sign", 0, REFERENCE_WRAP / 2 - 64 * 50 * RCC_MSEC, 0, FALSE},
  {"feedback count", 0, 64 * RCC_SEC, 100, FALSE},
  {"RTP numbers, RFC 8888", 65300, 64 * RCC_SEC, 0, TRUE},
  {"report timestamp", 0, NTP_WRAP - 3 * RCC_SEC, 0, TRUE},
  {"report timestamp, sign", 0, NTP_WRAP / 2 - 3 * RCC_SEC, 0, TRUE},
};

static GstBuffer *
twcc_packet (guint16 seq, guint size)
{
  const guint8 ext[] = { 0xbe, 0xde, 0, 1, 0x51, (guint8) (seq >> 8), (guint8) seq, 0 };

  return with_extension (rtp_packet (SSRC, seq, 0, TRUE, size), ext);
}

static void
feed (Fx *fx, const Call *call, guint16 base, const RccTime *arrived, guint number)
{
  guint8 data[256];
  gsize size;

  if (call->ccfb) {
    const RccTime made = arrived[PER_FEEDBACK - 1] + RCC_SEC / 64;
    RccCcfbReport reports[PER_FEEDBACK];

    for (guint i = 0; i < PER_FEEDBACK; i++)
      reports[i] = (RccCcfbReport) { TRUE, RCC_ECN_NOT_ECT, made - arrived[i] };
    size = ccfb_of (data, sizeof data, SSRC, base, reports, PER_FEEDBACK, made);
  } else {
    const RccTwcc head = {.sender_ssrc = 1,.media_ssrc = SSRC,.base_seq = base,
      .fb_count = (guint8) (call->count + number) };
    RccTwccStatus statuses[PER_FEEDBACK];
    guint done;

    for (guint i = 0; i < PER_FEEDBACK; i++)
      statuses[i] = (RccTwccStatus) { TRUE, (gint64) (arrived[i] / 1000) };
    size = rcc_twcc_build (data, sizeof data, &head, statuses, PER_FEEDBACK, &done);
    fail_unless_equals_int (done, PER_FEEDBACK);
  }
  fx_rtcp (fx, data, size);
}

/* Arrivals are whole 250 us, or whole 1/1024 s: exact in their form of feedback. */
static void
call_once (const Call *call, guint *bps)
{
  const RccTime step = call->ccfb ? RCC_SEC / 64 : 16 * RCC_MSEC;
  g_autoptr (Fx) fx = fx_new (TWCC_CAPS, "start-bitrate", 500000, "min-bitrate", 310000, NULL);
  RccTime arrived[PER_FEEDBACK], at = call->arrived;

  for (guint i = 0; i < FEEDBACKS; i++) {
    for (guint k = 0; k < PER_FEEDBACK; k++) {
      fx_run (fx, fx_now (fx) + step);
      fx_push_buffer (fx, twcc_packet ((guint16) (call->seq + fx->seq++), 600));
      fx_settle (fx);
      at += step + (i >= 200 && i < 220 ? step : 0);
      arrived[k] = at;
    }
    feed (fx, call, (guint16) (call->seq + fx->seq - PER_FEEDBACK), arrived, i);
    bps[i] = fx_target (fx);
  }
  /* a transport-wide number counts from where it is first seen to move */
  fail_unless_equals_uint64 (fx_stat (fx, "feedback-unknown-packets"), !call->ccfb);
  fail_unless_equals_uint64 (fx_stat (fx, "feedback-count"), FEEDBACKS);
}

TEST_EACH (test_sender, G_N_ELEMENTS (calls))
{
  const Call *call = &calls[__i__];
  guint expected[FEEDBACKS], bps[FEEDBACKS];

  call_once (&plain_calls[call->ccfb], expected);
  fail_unless (expected[230] < expected[199], "the queue was not noticed");
  call_once (call, bps);
  assert_same (call->name, expected, bps, FEEDBACKS);
}

/* The middle 32 bits of NTP times wrap every 18.2 h: the SR goes by before, the report
 * comes behind it. */
TEST (test_ntp_middle)
{
  static const guint32 middles[] = { 0x12345678, 0xffffffff, 0xffff8000, 0, 0x7fffffff };

  for (guint i = 0; i < G_N_ELEMENTS (middles); i++) {
    Fx *fx = fx_new (VIDEO_CAPS, NULL, NULL);
    GstHarness *out = gst_harness_new_with_element (fx->e, "send_rtcp_sink",
        "send_rtcp_src");
    const RccRtcpReport sr = {.ssrc = SSRC,.is_sr = TRUE,
      .ntp = (guint64) 0xe000 << 48 | (guint64) middles[i] << 16 };
    const RccReportBlock block = {.ssrc = SSRC,.lsr = middles[i],.dlsr = 65536 / 2 };
    guint8 data[64];
    gsize size = rcc_rtcp_build_sr (data, sizeof data, &sr, NULL, 0);

    gst_harness_set_src_caps_str (out, "application/x-rtcp");
    fx_push (fx, 100);
    gst_buffer_unref (gst_harness_push_and_pull (out, gst_buffer_new_memdup (data,
                size)));
    fx_run (fx, fx_now (fx) + 625 * GST_MSECOND);
    size = rcc_rtcp_build_rr (data, sizeof data, 77, &block, 1);
    fx_rtcp (fx, data, size);
    /* RFC 3550 6.4.1: 0 says that there was no SR */
    fail_unless_equals_uint64 (fx_stat (fx, "rtt"), middles[i] ? 125 * GST_MSECOND
        : GST_CLOCK_TIME_NONE);
    gst_harness_teardown (out);
    fx_free (fx);
  }
}

/* --- rtpcircuitbreaker ---------------------------------------------------- */

static const struct
{
  const gchar *name;
  guint16 seq;
  guint32 timestamp;
  guint64 ntp;
} breaker_starts[] = {
  {"RTP numbers", 65400, 0, G_GUINT64_CONSTANT (0xe0000000) << 32},
  {"RTP numbers, sign", 32700, 0, G_GUINT64_CONSTANT (0xe0000000) << 32},
  {"RTP timestamp", 1000, 0u - 90000u * 7, G_GUINT64_CONSTANT (0xe0000000) << 32},
  {"RTP timestamp, sign", 1000, 0x80000000u - 90000u * 7,
      G_GUINT64_CONSTANT (0xe0000000) << 32},
  {"middle of the NTP time", 1000, 0, G_GUINT64_CONSTANT (0xe000fffc) << 32},
  {"middle of the NTP time, sign", 1000, 0, G_GUINT64_CONSTANT (0xe0007ffc) << 32},
  {"NTP era", 1000, 0, G_GUINT64_CONSTANT (0xfffffffc) << 32},
};

/* Reports that end in congestion, and what the first stream's stats were at each. */
static void
breaker_call (Cb *cb, GString *reported)
{
  for (guint i = 0; i < 8; i++) {
    GstStructure *stats;
    gchar *string;

    cb_reports (cb, 1, i < 4 ? 0.01 : 0.6);
    stats = cb_stats (cb);
    string = gst_structure_to_string (cb_stream_stats (stats, 0));
    g_string_append (reported, string);
    g_free (string);
    gst_structure_free (stats);
  }
  cb_expect (cb, "open");
  fail_unless_equals_uint64 (cb_stat (cb, "rtcp-forged"), 0);
  fail_unless_equals_uint64 (cb_stat (cb, "rtt-smoothed"), cb->rtt);
  cb_free (cb);
}

TEST_EACH (test_breaker, G_N_ELEMENTS (breaker_starts))
{
  GString *expected = g_string_new (NULL), *reported = g_string_new (NULL);
  Cb *cb = cb_new (NULL);

  breaker_call (cb, expected);
  cb = cb_new (NULL);
  cb->streams[0].seq = breaker_starts[__i__].seq;
  cb->timestamp = breaker_starts[__i__].timestamp;
  cb->ntp = breaker_starts[__i__].ntp;
  breaker_call (cb, reported);
  fail_unless_equals_string (reported->str, expected->str);
  g_string_free (expected, TRUE);
  g_string_free (reported, TRUE);
}

TEST_MAIN (wraps);
