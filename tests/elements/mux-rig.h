/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * mux-rig.h - an rtpsbpnmux on a GstTestClock, some streams before it, and what leaves
 * it when
 */
#ifndef MUX_RIG_H
#define MUX_RIG_H

#include <gst/rtp/gstrtpbuffer.h>

#include "rig.h"

#define RIG_PADS 4
#define AUDIO_CAPS "application/x-rtp,media=audio,clock-rate=48000,encoding-name=OPUS,payload=97"
#define VIDEO_CAPS "application/x-rtp,media=video,clock-rate=90000,encoding-name=H264,payload=96"
#define AUDIO 0
#define VIDEO 1
#define SSRC_OF(pad) (0x1000u + (guint) (pad))

typedef struct {
  GstElement *e;
  GstHarness *h[RIG_PADS], *rtcp;
  guint n;
  GstTestClock *clock;
  guint16 seq[RIG_PADS];
  guint32 timestamp[RIG_PADS];
  guint pushed;
  guint timers;                 /* armed on the clock once a packet has left: tfrc's */
  gboolean (*settled) (gpointer data);  /* what stands behind the mux has too; NULL */
  gpointer behind;
  Leaving out;
} Rig;

#define rig_now(rig) time_of ((rig)->clock)
#define rig_stat(rig, name) stat_of ((rig)->e, name)
#define rig_left(rig) leaving_count (&(rig)->out)
#define rig_upstream(rig, pad, name, field, value) \
  count_upstream ((rig)->h[pad], name, field, value)

/* @n pads: audio, then video; in PLAYING, the clock at 1000 s. */
static Rig *
rig_new (guint n, const gchar *first_property, ...)
{
  Rig *rig = g_new0 (Rig, 1);

  rig->e = element_new ("rtpsbpnmux");
  rig->n = n;
  rig->h[0] = rtp_harness (rig->e, "sink_%u", &rig->clock);
  set_properties (rig->e, first_property);
  for (guint i = 1; i < n; i++)
    rig->h[i] = gst_harness_new_with_element (rig->e, "sink_%u", NULL);
  for (guint i = 0; i < n; i++)         /* the paper's; 400 ms is the default */
    g_object_set (GST_PAD_PEER (rig->h[i]->srcpad), "expiry", 200 * GST_MSECOND, NULL);
  leaving_watch (&rig->out, rig->e, rig->clock, TRUE);
  gst_element_set_state (rig->e, GST_STATE_PLAYING);
  for (guint i = 0; i < n; i++) {
    rig->seq[i] = (guint16) (65500 + i);
    gst_harness_set_src_caps_str (rig->h[i], i == AUDIO ? AUDIO_CAPS : VIDEO_CAPS);
  }
  return rig;
}

static void
rig_free (Rig *rig)
{
  if (rig->rtcp)
    gst_harness_teardown (rig->rtcp);
  for (guint i = rig->n; i-- > 0;)
    if (rig->h[i])
      gst_harness_teardown (rig->h[i]);
  gst_object_unref (rig->clock);
  gst_object_unref (rig->e);
  leaving_clear (&rig->out);
  g_free (rig);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Rig, rig_free)

static G_GNUC_UNUSED GstPad *
rig_pad (Rig *rig, guint i)
{
  gchar *name = g_strdup_printf ("sink_%u", i);
  GstPad *pad = gst_element_get_static_pad (rig->e, name);

  fail_unless (pad != NULL, "no %s", name);
  g_free (name);
  return pad;
}

static G_GNUC_UNUSED guint64
pad_stat (Rig *rig, guint i, const gchar *name)
{
  GstPad *pad = rig_pad (rig, i);
  const guint64 n = stat_of (pad, name);

  gst_object_unref (pad);
  return n;
}

#define pad_set(rig, i, ...) G_STMT_START { \
  GstPad *pad_ = rig_pad (rig, i); \
  g_object_set (pad_, __VA_ARGS__, NULL); \
  gst_object_unref (pad_); \
} G_STMT_END

static guint64
dropped_of (GstStructure *s, const gchar *unit)
{
  static const gchar *const why[] = { "dropped-expired", "dropped-full", "dropped-old",
    "dropped-frame", "flushed" };
  guint64 n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (why); i++) {
    gchar *name = g_strdup_printf ("%s-%s", unit, why[i]);

    n += number_in (s, name);
    g_free (name);
  }
  return n;
}

/* In = out + dropped + queued, in one reading. */
static void
assert_conserved (GstStructure *s)
{
  fail_unless_equals_uint64 (number_in (s, "packets-in"),
      number_in (s, "packets-sent") + dropped_of (s, "packets")
      + number_in (s, "queue-packets"));
  fail_unless_equals_uint64 (number_in (s, "bytes-in"),
      number_in (s, "bytes-sent") + dropped_of (s, "bytes")
      + number_in (s, "queue-bytes"));
}

static G_GNUC_UNUSED void
rig_assert_conserved (Rig *rig)
{
  GstStructure *stats = stats_of (rig->e);

  assert_conserved (stats);
  gst_structure_free (stats);
}

static G_GNUC_UNUSED Left
rig_nth (Rig *rig, guint i)
{
  Left l;

  g_mutex_lock (&rig->out.lock);
  fail_unless (i < rig->out.left->len, "only %u packets have left", rig->out.left->len);
  l = g_array_index (rig->out.left, Left, i);
  g_mutex_unlock (&rig->out.lock);
  return l;
}

/* What was sent has come out, and with a queue that is paced the task sleeps on the
 * clock. */
static gboolean
rig_is_settled (Rig *rig)
{
  guint ids = 0;
  GstStructure *s;
  gboolean settled;

  if (rig->settled && !rig->settled (rig->behind))
    return FALSE;
  s = stats_of (rig->e);
  if (number_in (s, "queue-packets") > 0 && number_in (s, "paced-bitrate") > 0)
    ids = 1 + (number_in (s, "packets-sent") > 0 ? rig->timers : 0);
  settled = number_in (s, "packets-sent") == rig_left (rig)
      && gst_test_clock_peek_id_count (rig->clock) >= ids;
  gst_structure_free (s);
  return settled;
}

static G_GNUC_UNUSED void
rig_settle (gpointer rig)
{
  wait_for (rig_is_settled (rig));
}

static G_GNUC_UNUSED void
rig_run (Rig *rig, GstClockTime until)
{
  clock_run (rig->clock, until, rig_settle, rig);
}

static G_GNUC_UNUSED void
rig_go (Rig *rig, GstClockTime span)
{
  rig_run (rig, rig_now (rig) + span);
}

/* Its payload begins with its number. */
static GstBuffer *
rig_packet (guint32 ssrc, guint16 seq, guint32 timestamp, gboolean marker, guint size)
{
  GstBuffer *buffer = rtp_packet (ssrc, seq, timestamp, marker, MAX (size, 14));
  const guint16 number = GUINT16_TO_BE (seq);

  gst_buffer_fill (buffer, 12, &number, sizeof number);
  return buffer;
}

/* The next packet of a pad's stream; it begins a frame unless the one before had no
 * marker. */
static GstBuffer *
rig_next (Rig *rig, guint pad, gboolean marker, guint size)
{
  GstBuffer *buffer = rig_packet (SSRC_OF (pad), rig->seq[pad]++, rig->timestamp[pad],
      marker, size);

  if (marker)
    rig->timestamp[pad] += 3000;
  return buffer;
}

static GstFlowReturn
rig_push_buffer (Rig *rig, guint pad, GstBuffer *buffer)
{
  rig->pushed++;
  return gst_harness_push (rig->h[pad], buffer);
}

/* A packet that is a frame of its own. */
static G_GNUC_UNUSED void
rig_push (Rig *rig, guint pad, guint size)
{
  fail_unless_equals_int (rig_push_buffer (rig, pad, rig_next (rig, pad, TRUE, size)),
      GST_FLOW_OK);
}

/* A frame of @n packets. */
static G_GNUC_UNUSED void
rig_push_frame (Rig *rig, guint pad, guint n, guint size, GstBufferFlags flags)
{
  for (guint i = 0; i < n; i++) {
    GstBuffer *buffer = rig_next (rig, pad, i == n - 1, size);

    GST_BUFFER_FLAG_SET (buffer, flags);
    fail_unless_equals_int (rig_push_buffer (rig, pad, buffer), GST_FLOW_OK);
  }
}

static G_GNUC_UNUSED void
rig_target_event (Rig *rig, guint bps, guint fec, GstClockTime rtt, guint ssrc)
{
  GstStructure *s = gst_structure_new ("GstRtpTargetBitrate", "target-bitrate",
      G_TYPE_UINT, bps, "fec-bitrate", G_TYPE_UINT, fec, "rtt", G_TYPE_UINT64, rtt,
      "source", G_TYPE_STRING, "test", "reason", G_TYPE_STRING, "said so", NULL);

  if (ssrc)
    gst_structure_set (s, "ssrc", G_TYPE_UINT, ssrc, NULL);
  fail_unless (gst_harness_push_upstream_event (rig->h[0],
          gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM, s)));
}

/* A controller downstream says so. */
static G_GNUC_UNUSED void
rig_target (Rig *rig, guint bps)
{
  rig_target_event (rig, bps, 0, GST_CLOCK_TIME_NONE, 0);
}

/* One packet more than @n comes, and there is room for one only. */
static G_GNUC_UNUSED void
rig_drop (Rig *rig, guint pad, guint n)
{
  const guint left = rig_left (rig);
  guint room;

  g_object_get (rig->e, "max-size-buffers", &room, NULL);
  g_object_set (rig->e, "max-size-buffers", 1, NULL);
  rig_target (rig, 0);
  for (guint i = 0; i <= n; i++)
    rig_push (rig, pad, 100);
  rig_target (rig, G_MAXUINT);
  wait_for (rig_left (rig) == left + 1);
  g_object_set (rig->e, "max-size-buffers", room, NULL);
}

static G_GNUC_UNUSED void
rig_rtcp (Rig *rig, const guint8 *data, gsize size)
{
  if (!rig->rtcp)
    rig->rtcp = rtcp_harness (rig->e, "rtcp_sink", "rtcp_src");
  push_rtcp (rig->rtcp, data, size);
}

#endif
