/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * sender-fixture.h - an rtpgccsender on a GstTestClock, and what leaves it when
 */
#ifndef SENDER_FIXTURE_H
#define SENDER_FIXTURE_H

#include "rig.h"
#include "tuning.h"
#include "wire/remb.h"
#include "wire/rtcp.h"

#define SSRC 0x11223344u
#define VIDEO_CAPS "application/x-rtp,media=video,clock-rate=90000,encoding-name=H264"
#define ABS_CAPS VIDEO_CAPS ",extmap-3=(string)" RCC_ABS_SEND_TIME_URI
#define HOUR (3600 * GST_SECOND)

typedef struct {
  GstHarness *h, *rtcp;
  GstElement *e;
  GstTestClock *clock;
  guint pushed;
  guint16 seq;
  Leaving out;
} Fx;

#define fx_now(fx) time_of ((fx)->clock)
#define fx_stat(fx, name) stat_of ((fx)->e, name)
#define fx_left(fx) leaving_count (&(fx)->out)
#define fx_target(fx) uint_of ((fx)->e, "estimated-bitrate")
#define assert_limited_by(fx, expected) assert_stat_string ((fx)->e, "limited-by", expected)
#define fx_rtcp(fx, data, size) push_rtcp ((fx)->rtcp, data, size)

/* In PLAYING, its clock at 1000 s.  Probing is off and feedback may stay away for an
 * hour, unless @first_property and what follows say otherwise. */
static Fx *
fx_new (const gchar *caps, const gchar *first_property, ...)
{
  Fx *fx = g_new0 (Fx, 1);

  fx->e = element_new ("rtpgccsender");
  fx->h = rtp_harness (fx->e, "sink", &fx->clock);
  g_object_set (fx->e, "tuning", tuning (NO_PROBES "," NO_TIMEOUT), NULL);
  set_properties (fx->e, first_property);
  gst_element_set_state (fx->e, GST_STATE_PLAYING);
  leaving_watch (&fx->out, fx->e, fx->clock, FALSE);
  gst_harness_set_src_caps_str (fx->h, caps);
  fx->rtcp = rtcp_harness (fx->e, "rtcp_sink", "rtcp_src");
  return fx;
}

static void
fx_free (Fx *fx)
{
  gst_harness_teardown (fx->rtcp);
  gst_harness_teardown (fx->h);
  gst_object_unref (fx->clock);
  gst_object_unref (fx->e);
  leaving_clear (&fx->out);
  g_free (fx);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Fx, fx_free)

/* Parity that has left; G_MAXUINT64: there is none at all. */
static guint64
fx_parity (Fx *fx)
{
  GstStructure *stats = stats_of (fx->e);
  guint64 n = G_MAXUINT64;

  gst_structure_get_uint64 (stats, "fec-packets-sent", &n);
  gst_structure_free (stats);
  return n;
}

/* The task has done what there is to do at this time: everything accounted for is
 * out or queued, and with a queue the task sleeps on the clock, beside the driver
 * (which may have nothing to wait for: then some patience tells). */
static gboolean
fx_is_settled (Fx *fx, guint tries)
{
  const guint left = fx_left (fx);
  const guint64 queued = fx_stat (fx, "queue-packets");
  const guint64 known = fx->pushed + fx_stat (fx, "padding-packets-sent");
  const guint64 parity = fx_parity (fx);
  const guint64 seen = left + queued + fx_stat (fx, "packets-dropped");

  /* of what is queued, nobody says how much is parity */
  return (parity == G_MAXUINT64 ? seen == known : seen >= known + parity
      && seen - known - parity <= queued) && (queued == 0 || gst_test_clock_peek_id_count (fx->clock)
      >= (tries < 50 && left > 0 ? 2 : 1));
}

static void
fx_settle (gpointer fx)
{
  wait_for (fx_is_settled (fx, tries_));
}

static void
fx_run (Fx *fx, GstClockTime until)
{
  clock_run (fx->clock, until, fx_settle, fx);
}

/* The same with an abs-send-time element of id 3. */
static G_GNUC_UNUSED GstBuffer *
fx_packet_abs (guint16 seq, guint size)
{
  static const guint8 ext[] = { 0xbe, 0xde, 0, 1, 0x32, 0xaa, 0xbb, 0xcc };

  return with_extension (rtp_packet (SSRC, seq, 0, TRUE, size), ext);
}

static GstFlowReturn
fx_push_buffer (Fx *fx, GstBuffer *buffer)
{
  fx->pushed++;
  return gst_harness_push (fx->h, buffer);
}

/* One packet of the video, each its own frame. */
static G_GNUC_UNUSED void
fx_push (Fx *fx, guint size)
{
  const guint16 seq = fx->seq++;

  fail_unless_equals_int (fx_push_buffer (fx, rtp_packet (SSRC, seq, 3000u * seq, TRUE,
              size)), GST_FLOW_OK);
}

static G_GNUC_UNUSED void
fx_remb (Fx *fx, guint64 bps)
{
  const guint32 ssrc = SSRC;
  guint8 data[64];
  const gsize size = rcc_remb_build (data, sizeof data, 1, bps, &ssrc, 1);

  fail_unless (size > 0);
  fx_rtcp (fx, data, size);
}

/* The bitrate of the newest GstRtpTargetBitrate event that has come upstream; 0: none. */
static G_GNUC_UNUSED guint
fx_upstream_target (Fx *fx)
{
  guint bps = 0;

  count_upstream (fx->h, "GstRtpTargetBitrate", "target-bitrate", &bps);
  return bps;
}

#endif
