/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * mux-rig.h - an rtpsbpnmux on a GstTestClock, some streams before it, and what leaves
 * it when
 */
#ifndef MUX_RIG_H
#define MUX_RIG_H

#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
#include <gst/check/gsttestclock.h>
#include <gst/rtp/gstrtpbuffer.h>
#include <string.h>

#include "core/rcc.h"
#include "wire/rtp.h"

#define RIG_PADS 4
#define AUDIO_CAPS "application/x-rtp,media=audio,clock-rate=48000,encoding-name=OPUS,payload=97"
#define VIDEO_CAPS "application/x-rtp,media=video,clock-rate=90000,encoding-name=H264,payload=96"
#define AUDIO 0
#define VIDEO 1
#define SSRC_OF(pad) (0x1000u + (guint) (pad))

typedef struct {
  GstClockTime at, pts;
  guint size;
  guint16 seq, was;             /* was: the number it came with, in its payload */
  guint32 ssrc;
  guint8 pt;
  GstBuffer *buffer;            /* address only */
} Left;

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
  GMutex lock;
  GArray *left;                 /* Left */
  GString *order;               /* p: packet, l: list, or the first letter of an event */
} Rig;

static void
rig_note (Rig *rig, GstBuffer *buffer)
{
  Left l = {.at = gst_clock_get_time (GST_CLOCK (rig->clock)),
    .pts = GST_BUFFER_PTS (buffer), .size = (guint) gst_buffer_get_size (buffer),
    .buffer = buffer };
  guint8 head[14];

  if (gst_buffer_extract (buffer, 0, head, 14) == 14) {
    l.pt = head[1] & 0x7f;
    l.seq = rcc_be16 (head + 2);
    l.ssrc = rcc_be32 (head + 8);
    l.was = rcc_be16 (head + 12);
  }
  g_array_append_val (rig->left, l);
}

static GstPadProbeReturn
rig_probe (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  Rig *rig = data;

  g_mutex_lock (&rig->lock);
  if (info->type & GST_PAD_PROBE_TYPE_BUFFER) {
    rig_note (rig, GST_PAD_PROBE_INFO_BUFFER (info));
    g_string_append_c (rig->order, 'p');
  } else if (info->type & GST_PAD_PROBE_TYPE_BUFFER_LIST) {
    GstBufferList *list = GST_PAD_PROBE_INFO_BUFFER_LIST (info);

    for (guint i = 0; i < gst_buffer_list_length (list); i++)
      rig_note (rig, gst_buffer_list_get (list, i));
    g_string_append_c (rig->order, 'l');
  } else {
    g_string_append_c (rig->order,
        GST_EVENT_TYPE_NAME (GST_PAD_PROBE_INFO_EVENT (info))[0]);
  }
  g_mutex_unlock (&rig->lock);
  return GST_PAD_PROBE_OK;
}

/* @n pads: audio, then video; in PLAYING, the clock at 1000 s. */
static Rig *
rig_new (guint n, const gchar *first_property, ...)
{
  Rig *rig = g_new0 (Rig, 1);
  GstPad *src;
  va_list args;

  g_mutex_init (&rig->lock);
  rig->left = g_array_new (FALSE, FALSE, sizeof (Left));
  rig->order = g_string_new (NULL);
  rig->e = gst_element_factory_make ("rtpsbpnmux", NULL);
  fail_unless (rig->e != NULL);
  rig->n = n;
  rig->h[0] = gst_harness_new_with_element (rig->e, "sink_%u", "src");
  gst_element_set_state (rig->e, GST_STATE_NULL);
  gst_harness_use_testclock (rig->h[0]);
  rig->clock = gst_harness_get_testclock (rig->h[0]);
  gst_test_clock_set_time (rig->clock, 1000 * GST_SECOND);
  va_start (args, first_property);
  if (first_property)
    g_object_set_valist (G_OBJECT (rig->e), first_property, args);
  va_end (args);
  for (guint i = 1; i < n; i++)
    rig->h[i] = gst_harness_new_with_element (rig->e, "sink_%u", NULL);
  for (guint i = 0; i < n; i++)         /* the paper's; 400 ms is the default */
    g_object_set (GST_PAD_PEER (rig->h[i]->srcpad), "expiry", 200 * GST_MSECOND, NULL);
  src = gst_element_get_static_pad (rig->e, "src");
  gst_pad_add_probe (src, GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_BUFFER_LIST
      | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM | GST_PAD_PROBE_TYPE_EVENT_FLUSH, rig_probe,
      rig, NULL);
  gst_object_unref (src);
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
  g_array_free (rig->left, TRUE);
  g_string_free (rig->order, TRUE);
  g_mutex_clear (&rig->lock);
  g_free (rig);
}

static guint64
structure_u64 (GstStructure *s, const gchar *name)
{
  const GValue *value = gst_structure_get_value (s, name);

  fail_unless (value != NULL, "no field %s", name);
  if (G_VALUE_HOLDS_BOOLEAN (value))
    return (guint64) g_value_get_boolean (value);
  return G_VALUE_HOLDS_UINT (value) ? g_value_get_uint (value)
      : g_value_get_uint64 (value);
}

static guint64
rig_stat (Rig *rig, const gchar *name)
{
  GstStructure *stats;
  guint64 n;

  g_object_get (rig->e, "stats", &stats, NULL);
  n = structure_u64 (stats, name);
  gst_structure_free (stats);
  return n;
}

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
  GstStructure *stats;
  guint64 n;

  g_object_get (pad, "stats", &stats, NULL);
  n = structure_u64 (stats, name);
  gst_structure_free (stats);
  gst_object_unref (pad);
  return n;
}

#define pad_set(rig, i, ...) G_STMT_START { \
  GstPad *pad_ = rig_pad (rig, i); \
  g_object_set (pad_, __VA_ARGS__, NULL); \
  gst_object_unref (pad_); \
} G_STMT_END

static guint64
dropped_of (GstStructure *s)
{
  return structure_u64 (s, "packets-dropped-expired")
      + structure_u64 (s, "packets-dropped-full") + structure_u64 (s, "packets-dropped-old")
      + structure_u64 (s, "packets-dropped-frame") + structure_u64 (s, "packets-flushed");
}

static guint64
bytes_dropped_of (GstStructure *s)
{
  return structure_u64 (s, "bytes-dropped-expired")
      + structure_u64 (s, "bytes-dropped-full") + structure_u64 (s, "bytes-dropped-old")
      + structure_u64 (s, "bytes-dropped-frame") + structure_u64 (s, "bytes-flushed");
}

/* In = out + dropped + queued, in one reading. */
static void
assert_conserved (GstStructure *s)
{
  fail_unless_equals_uint64 (structure_u64 (s, "packets-in"),
      structure_u64 (s, "packets-sent") + dropped_of (s)
      + structure_u64 (s, "queue-packets"));
  fail_unless_equals_uint64 (structure_u64 (s, "bytes-in"),
      structure_u64 (s, "bytes-sent") + bytes_dropped_of (s)
      + structure_u64 (s, "queue-bytes"));
}

static G_GNUC_UNUSED void
rig_assert_conserved (Rig *rig)
{
  GstStructure *stats;

  g_object_get (rig->e, "stats", &stats, NULL);
  assert_conserved (stats);
  gst_structure_free (stats);
}

static guint
rig_left (Rig *rig)
{
  guint n;

  g_mutex_lock (&rig->lock);
  n = rig->left->len;
  g_mutex_unlock (&rig->lock);
  return n;
}

static G_GNUC_UNUSED Left
rig_nth (Rig *rig, guint i)
{
  Left l;

  g_mutex_lock (&rig->lock);
  fail_unless (i < rig->left->len, "only %u packets have left", rig->left->len);
  l = g_array_index (rig->left, Left, i);
  g_mutex_unlock (&rig->lock);
  return l;
}

#define rig_wait_for(condition) G_STMT_START { \
  guint tries_ = 0; \
  while (!(condition)) { \
    fail_unless (tries_++ < 50000, "never happened: " #condition); \
    g_usleep (100); \
  } \
} G_STMT_END

static GstClockTime
rig_now (Rig *rig)
{
  return gst_clock_get_time (GST_CLOCK (rig->clock));
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
  g_object_get (rig->e, "stats", &s, NULL);
  if (structure_u64 (s, "queue-packets") > 0 && structure_u64 (s, "paced-bitrate") > 0)
    ids = 1 + (structure_u64 (s, "packets-sent") > 0 ? rig->timers : 0);
  settled = structure_u64 (s, "packets-sent") == rig_left (rig)
      && gst_test_clock_peek_id_count (rig->clock) >= ids;
  gst_structure_free (s);
  return settled;
}

static G_GNUC_UNUSED void
rig_settle (Rig *rig)
{
  rig_wait_for (rig_is_settled (rig));
}

/* The clock goes on to @until, stopping wherever somebody waits for it. */
static G_GNUC_UNUSED void
rig_run (Rig *rig, GstClockTime until)
{
  GstClockID id, fired;

  for (;;) {
    GstClockTime next = GST_CLOCK_TIME_NONE;

    rig_settle (rig);
    if (gst_test_clock_peek_next_pending_id (rig->clock, &id)) {
      next = gst_clock_id_get_time (id);
      gst_clock_id_unref (id);
    }
    if (next > until)
      break;
    if (next > rig_now (rig))
      gst_test_clock_set_time (rig->clock, next);
    if ((fired = gst_test_clock_process_next_clock_id (rig->clock)))
      gst_clock_id_unref (fired);
  }
  if (until > rig_now (rig))
    gst_test_clock_set_time (rig->clock, until);
  rig_settle (rig);
}

static G_GNUC_UNUSED void
rig_go (Rig *rig, GstClockTime span)
{
  rig_run (rig, rig_now (rig) + span);
}

static GstBuffer *
rig_packet (guint32 ssrc, guint16 seq, guint32 timestamp, gboolean marker, guint size)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, MAX (size, 14), NULL);
  GstMapInfo info;

  gst_buffer_map (buffer, &info, GST_MAP_WRITE);
  memset (info.data, 0, info.size);
  info.data[0] = 0x80;
  info.data[1] = (guint8) (96 | marker << 7);
  rcc_put16 (info.data + 2, seq);
  rcc_put32 (info.data + 4, timestamp);
  rcc_put32 (info.data + 8, ssrc);
  rcc_put16 (info.data + 12, seq);
  gst_buffer_unmap (buffer, &info);
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

static void rig_target (Rig *rig, guint bps);

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
  rig_wait_for (rig_left (rig) == left + 1);
  g_object_set (rig->e, "max-size-buffers", room, NULL);
}

/* A controller downstream says so. */
static G_GNUC_UNUSED void
rig_target (Rig *rig, guint bps)
{
  rig_target_event (rig, bps, 0, GST_CLOCK_TIME_NONE, 0);
}

/* How many upstream events called @name have come at @pad since it was asked last; the
 * field @field of the newest goes to @value. */
static G_GNUC_UNUSED guint
rig_upstream (Rig *rig, guint pad, const gchar *name, const gchar *field, guint *value)
{
  GstEvent *event;
  guint n = 0;

  while ((event = gst_harness_try_pull_upstream_event (rig->h[pad]))) {
    if (gst_event_has_name (event, name)) {
      n++;
      if (field)
        fail_unless (gst_structure_get_uint (gst_event_get_structure (event), field,
                value));
    }
    gst_event_unref (event);
  }
  return n;
}

static G_GNUC_UNUSED void
rig_rtcp (Rig *rig, const guint8 *data, gsize size)
{
  if (!rig->rtcp) {
    rig->rtcp = gst_harness_new_with_element (rig->e, "rtcp_sink", "rtcp_src");
    gst_harness_set_src_caps_str (rig->rtcp, "application/x-rtcp");
  }
  fail_unless_equals_int (gst_harness_push (rig->rtcp, gst_buffer_new_memdup (data,
              size)), GST_FLOW_OK);
}

#endif
