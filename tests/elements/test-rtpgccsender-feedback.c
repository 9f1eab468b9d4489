/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Transport-wide feedback, RFC 8888 and rtpsession's event at rtpgccsender. */
#include "sender-fixture.h"

#include "wire/ccfb.h"
#include "wire/twcc.h"

#define TWCC_CAPS VIDEO_CAPS ",extmap-5=(string)" RCC_TWCC_URI

static GstBuffer *
twcc_packet (guint16 seq, guint size)
{
  const guint8 ext[] = { 0xbe, 0xde, 0, 1, 0x51, (guint8) (seq >> 8), (guint8) seq, 0 };
  GstBuffer *buffer = rtp_packet (SSRC, seq, 0, TRUE, size);

  return size < 12 + sizeof ext ? buffer : with_extension (buffer, ext);
}

static void
feed_twcc (Fx *fx, guint16 base, const RccTime *arrived, guint n)
{
  RccTwccStatus statuses[16];
  const RccTwcc head = {.sender_ssrc = 1,.media_ssrc = SSRC,.base_seq = base };
  guint8 data[256];
  guint done;
  gsize size;

  for (guint i = 0; i < n; i++)
    statuses[i] = (RccTwccStatus) {
    arrived[i] != RCC_NEVER, (gint64) (arrived[i] / 1000)};
  size = rcc_twcc_build (data, sizeof data, &head, statuses, n, &done);
  fail_unless_equals_int (done, n);
  fx_rtcp (fx, data, size);
}

static void
feed_ccfb (Fx *fx, guint16 base, const RccTime *arrived, guint n)
{
  RccCcfbReport reports[16];
  guint8 data[256];
  const RccTime made = arrived[n - 1] + GST_MSECOND;

  for (guint i = 0; i < n; i++)
    reports[i] = (RccCcfbReport) {
    TRUE, RCC_ECN_NOT_ECT, made - arrived[i]};
  fx_rtcp (fx, data, ccfb_of (data, sizeof data, SSRC, base, reports, n, made));
}

static void
feed_event (Fx *fx, guint16 base, const RccTime *arrived, guint n)
{
  TwccTold told[16];

  for (guint i = 0; i < n; i++) {
    const Left *l = &g_array_index (fx->out.left, Left, base + i);

    told[i] = (TwccTold) { base + i, l->size, 96, l->at, arrived[i] };
  }
  push_twcc_event (fx->h, fx->clock, told, n);
}

typedef void (*Feed) (Fx *, guint16, const RccTime *, guint);

/* @packets of @size every 10 ms, fed back by tens; the path's delay grows by @slope a
 * packet from 20 ms on. */
static void
call (Fx *fx, Feed feed, guint packets, guint size, GstClockTime slope)
{
  RccTime arrived[10];
  static GstClockTime delay;

  delay = slope == 0 ? 20 * GST_MSECOND : delay;
  for (guint i = 0; i < packets; i++) {
    fx_run (fx, fx_now (fx) + 10 * GST_MSECOND);
    fx_push_buffer (fx, twcc_packet (fx->seq++, size));
    fx_settle (fx);
    delay += slope;
    arrived[i % 10] = fx_now (fx) + delay;
    if (i % 10 == 9)
      feed (fx, (guint16) (fx->seq - 10), arrived, 10);
  }
}

static const Feed feeds[] = { feed_twcc, feed_ccfb, feed_event };

/* The delay-based controller: up on a clear path, down on a growing queue. */
TEST_EACH (test_transport_feedback, G_N_ELEMENTS (feeds))
{
  /* what is in flight while the delay grows is test-sender-path.c's */
  g_autoptr (Fx) fx = fx_new (TWCC_CAPS, "start-bitrate", 500000, "tuning",
      tuning (NO_PROBES "," NO_TIMEOUT ",flight-extra=0"), NULL);
  guint clear;

  call (fx, feeds[__i__], 500, 600, 0);
  clear = fx_target (fx);
  fail_unless (clear > 550000, "%u", clear);
  fail_unless (clear < 740000, "%u", clear);    /* 480 kbit/s are sent, times 1.5 */
  fail_unless_equals_uint64 (fx_stat (fx, "feedback-count"), 50);
  call (fx, feeds[__i__], 100, 600, 4 * GST_MSECOND);
  fail_unless (fx_target (fx) < 0.9 * clear, "%u after %u", fx_target (fx), clear);
  assert_limited_by (fx, "delay");
}

/* A sender of 100 kbit/s learns nothing about megabits. */
TEST_EACH (test_application_limited, G_N_ELEMENTS (feeds))
{
  g_autoptr (Fx) fx = fx_new (TWCC_CAPS, "start-bitrate", 300000, NULL);

  call (fx, feeds[__i__], 3000, 125, 0);
  fail_unless (fx_target (fx) <= 310000, "%u", fx_target (fx));
}

TEST (test_twcc_event_goes_on)
{
  g_autoptr (Fx) fx = fx_new (TWCC_CAPS, NULL, NULL);
  gboolean seen = FALSE;
  GstEvent *event;

  call (fx, feed_event, 10, 100, 0);
  while ((event = gst_harness_try_pull_upstream_event (fx->h))) {
    seen |= gst_event_has_name (event, "RTPTWCCPackets");
    gst_event_unref (event);
  }
  fail_unless (seen);
  gst_harness_push_upstream_event (fx->h, gst_event_new_custom
      (GST_EVENT_CUSTOM_UPSTREAM, gst_structure_new ("RTPTWCCPackets", "packets",
              G_TYPE_STRING, "none", NULL)));
  fail_unless_equals_uint64 (fx_stat (fx, "feedback-count"), 1);
}

/* Where the session speaks, the numbers on the wire are its own: raw feedback about
 * those that the payloader wrote is not ours to read. */
TEST (test_session_numbers)
{
  g_autoptr (Fx) fx = fx_new (TWCC_CAPS, "start-bitrate", 500000, NULL);
  guint64 fed_back;

  call (fx, feed_twcc, 20, 300, 0);
  fail_unless_equals_uint64 (fx_stat (fx, "feedback-count"), 2);
  call (fx, feed_event, 20, 300, 0);
  fed_back = fx_stat (fx, "feedback-count");
  fail_unless_equals_uint64 (fed_back, 4);
  call (fx, feed_twcc, 20, 300, 0);
  fail_unless_equals_uint64 (fx_stat (fx, "feedback-count"), fed_back);
}

/* The event's sizes leave padding out: a packet of nothing else counts 255 bytes. */
TEST (test_padding_in_the_event)
{
  g_autoptr (Fx) fx = fx_new (TWCC_CAPS, "start-bitrate", 500000, NULL);

  call (fx, feed_event, 200, 12, 0);    /* no payload, 100 a second */
  fail_unless (ABS ((gint) fx_stat (fx, "acked-bitrate") - 267 * 8 * 100) < 20000,
      "%u", (guint) fx_stat (fx, "acked-bitrate"));
}

/* Send times that are not the session's (of the future, before our time began) are left
 * out: another origin of time within a call would be heard as delay. */
TEST_EACH (test_times_of_another_clock, 2)
{
  static const gint64 off[] = { 3600 * GST_SECOND, -1001 * GST_SECOND };
  g_autoptr (Fx) fx = fx_new (TWCC_CAPS, "start-bitrate", 500000, NULL);
  RccTime arrived[10];

  call (fx, feed_event, 20, 300, 0);
  for (guint i = 0; i < 10; i++) {
    g_array_index (fx->out.left, Left, i).at += (guint64) off[__i__];
    arrived[i] = fx_now (fx);
  }
  feed_event (fx, 0, arrived, 10);
  fail_unless_equals_uint64 (fx_stat (fx, "feedback-count"), 2);
}

TEST_MAIN (rtpgccsender_feedback);
