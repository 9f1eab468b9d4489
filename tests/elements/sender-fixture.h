/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * sender-fixture.h - an rtpgccsender on a GstTestClock, and what leaves it when
 */
#ifndef SENDER_FIXTURE_H
#define SENDER_FIXTURE_H

#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
#include <gst/check/gsttestclock.h>
#include <string.h>

#include "core/rcc.h"
#include "wire/remb.h"
#include "wire/rtcp.h"
#include "wire/rtp.h"
#include "tuning.h"

#define SSRC 0x11223344u
#define VIDEO_CAPS "application/x-rtp,media=video,clock-rate=90000,encoding-name=H264"
#define ABS_CAPS VIDEO_CAPS ",extmap-3=(string)" RCC_ABS_SEND_TIME_URI
#define HOUR (3600 * GST_SECOND)

typedef struct {
  GstClockTime at;
  guint size;
  guint16 seq;
  guint32 ssrc;
  gboolean padding;
} Left;

typedef struct {
  GstHarness *h, *rtcp;
  GstElement *e;
  GstTestClock *clock;
  guint pushed;
  guint16 seq;
  GMutex lock;
  GArray *left;                 /* Left */
  GString *order;               /* p: packet, or the first letter of an event */
} Fx;

static void
fx_note (Fx *fx, GstBuffer *buffer)
{
  Left l = { gst_clock_get_time (GST_CLOCK (fx->clock)),
    (guint) gst_buffer_get_size (buffer), 0, 0, FALSE };
  guint8 head[12];

  if (gst_buffer_extract (buffer, 0, head, 12) == 12) {
    l.seq = rcc_be16 (head + 2);
    l.ssrc = rcc_be32 (head + 8);
    l.padding = head[0] >> 5 & 1;
  }
  g_array_append_val (fx->left, l);
  g_string_append_c (fx->order, 'p');
}

static GstPadProbeReturn
fx_probe (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  Fx *fx = data;

  g_mutex_lock (&fx->lock);
  if (info->type & GST_PAD_PROBE_TYPE_BUFFER) {
    fx_note (fx, GST_PAD_PROBE_INFO_BUFFER (info));
  } else if (info->type & GST_PAD_PROBE_TYPE_BUFFER_LIST) {
    GstBufferList *list = GST_PAD_PROBE_INFO_BUFFER_LIST (info);

    for (guint i = 0; i < gst_buffer_list_length (list); i++)
      fx_note (fx, gst_buffer_list_get (list, i));
  } else {
    g_string_append_c (fx->order,
        GST_EVENT_TYPE_NAME (GST_PAD_PROBE_INFO_EVENT (info))[0]);
  }
  g_mutex_unlock (&fx->lock);
  return GST_PAD_PROBE_OK;
}

/* In PLAYING, its clock at 1000 s.  Probing is off and feedback may stay away for an
 * hour, unless @first_property and what follows say otherwise. */
static Fx *
fx_new (const gchar *caps, const gchar *first_property, ...)
{
  Fx *fx = g_new0 (Fx, 1);
  GstPad *src;
  va_list args;

  g_mutex_init (&fx->lock);
  fx->left = g_array_new (FALSE, FALSE, sizeof (Left));
  fx->order = g_string_new (NULL);
  fx->e = gst_element_factory_make ("rtpgccsender", NULL);
  fail_unless (fx->e != NULL);
  fx->h = gst_harness_new_with_element (fx->e, "sink", "src");
  gst_element_set_state (fx->e, GST_STATE_NULL);
  gst_harness_use_testclock (fx->h);
  fx->clock = gst_harness_get_testclock (fx->h);
  gst_test_clock_set_time (fx->clock, 1000 * GST_SECOND);
  g_object_set (fx->e, "tuning", tuning (NO_PROBES "," NO_TIMEOUT), NULL);
  va_start (args, first_property);
  if (first_property)
    g_object_set_valist (G_OBJECT (fx->e), first_property, args);
  va_end (args);
  gst_element_set_state (fx->e, GST_STATE_PLAYING);
  src = gst_element_get_static_pad (fx->e, "src");
  gst_pad_add_probe (src, GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_BUFFER_LIST
      | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, fx_probe, fx, NULL);
  gst_object_unref (src);
  gst_harness_set_src_caps_str (fx->h, caps);
  fx->rtcp = gst_harness_new_with_element (fx->e, "rtcp_sink", "rtcp_src");
  gst_harness_set_src_caps_str (fx->rtcp, "application/x-rtcp");
  return fx;
}

static void
fx_free (Fx *fx)
{
  gst_harness_teardown (fx->rtcp);
  gst_harness_teardown (fx->h);
  gst_object_unref (fx->clock);
  gst_object_unref (fx->e);
  g_array_free (fx->left, TRUE);
  g_string_free (fx->order, TRUE);
  g_mutex_clear (&fx->lock);
  g_free (fx);
}

static GstClockTime
fx_now (Fx *fx)
{
  return gst_clock_get_time (GST_CLOCK (fx->clock));
}

static guint64
fx_stat (Fx *fx, const gchar *name)
{
  GstStructure *stats;
  const GValue *value;
  guint64 n;

  g_object_get (fx->e, "stats", &stats, NULL);
  value = gst_structure_get_value (stats, name);
  fail_unless (value != NULL, "no field %s", name);
  n = G_VALUE_HOLDS_UINT (value) ? g_value_get_uint (value)
      : g_value_get_uint64 (value);
  gst_structure_free (stats);
  return n;
}

/* Parity that has left; G_MAXUINT64: there is none at all. */
static guint64
fx_parity (Fx *fx)
{
  guint64 n = G_MAXUINT64;
  GstStructure *stats;

  g_object_get (fx->e, "stats", &stats, NULL);
  gst_structure_get_uint64 (stats, "fec-packets-sent", &n);
  gst_structure_free (stats);
  return n;
}

static guint
fx_left (Fx *fx)
{
  guint n;

  g_mutex_lock (&fx->lock);
  n = fx->left->len;
  g_mutex_unlock (&fx->lock);
  return n;
}

static G_GNUC_UNUSED guint
fx_target (Fx *fx)
{
  guint bps;

  g_object_get (fx->e, "estimated-bitrate", &bps, NULL);
  return bps;
}

#define fx_wait_for(condition) G_STMT_START { \
  guint tries_ = 0; \
  while (!(condition)) { \
    fail_unless (tries_++ < 50000, "never happened: " #condition); \
    g_usleep (100); \
  } \
} G_STMT_END

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
fx_settle (Fx *fx)
{
  fx_wait_for (fx_is_settled (fx, tries_));
}

/* The clock goes on to @until, stopping wherever somebody waits for it. */
static void
fx_run (Fx *fx, GstClockTime until)
{
  GstClockID id, fired;

  for (;;) {
    GstClockTime next = GST_CLOCK_TIME_NONE;

    fx_settle (fx);
    if (gst_test_clock_peek_next_pending_id (fx->clock, &id)) {
      next = gst_clock_id_get_time (id);
      gst_clock_id_unref (id);
    }
    if (next > until)
      break;
    if (next > fx_now (fx))
      gst_test_clock_set_time (fx->clock, next);
    if ((fired = gst_test_clock_process_next_clock_id (fx->clock)))
      gst_clock_id_unref (fired);
  }
  if (until > fx_now (fx))
    gst_test_clock_set_time (fx->clock, until);
  fx_settle (fx);
}

static GstBuffer *
fx_packet (guint32 ssrc, guint16 seq, guint32 timestamp, gboolean marker, guint size)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, size, NULL);
  GstMapInfo info;

  gst_buffer_map (buffer, &info, GST_MAP_WRITE);
  for (guint i = 12; i < size; i++)
    info.data[i] = (guint8) (i * 7 + seq);
  info.data[0] = 0x80;
  info.data[1] = (guint8) (96 | marker << 7);
  rcc_put16 (info.data + 2, seq);
  rcc_put32 (info.data + 4, timestamp);
  rcc_put32 (info.data + 8, ssrc);
  gst_buffer_unmap (buffer, &info);
  return buffer;
}

/* The same with an abs-send-time element of id 3. */
static G_GNUC_UNUSED GstBuffer *
fx_packet_abs (guint16 seq, guint size)
{
  static const guint8 ext[] = { 0xbe, 0xde, 0, 1, 0x32, 0xaa, 0xbb, 0xcc };
  GstBuffer *buffer = fx_packet (SSRC, seq, 0, TRUE, size);
  const guint8 first = 0x90;

  gst_buffer_fill (buffer, 0, &first, 1);
  gst_buffer_fill (buffer, 12, ext, sizeof ext);
  return buffer;
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

  fail_unless_equals_int (fx_push_buffer (fx, fx_packet (SSRC, seq, 3000u * seq, TRUE,
              size)), GST_FLOW_OK);
}

static GstFlowReturn
fx_rtcp (Fx *fx, const guint8 *data, gsize size)
{
  return gst_harness_push (fx->rtcp, gst_buffer_new_memdup (data, size));
}

static G_GNUC_UNUSED void
fx_remb (Fx *fx, guint64 bps)
{
  const guint32 ssrc = SSRC;
  guint8 data[64];
  const gsize size = rcc_remb_build (data, sizeof data, 1, bps, &ssrc, 1);

  fail_unless (size > 0);
  fail_unless_equals_int (fx_rtcp (fx, data, size), GST_FLOW_OK);
}

/* The bitrate of the newest GstRtpTargetBitrate event that has come upstream; 0: none. */
static G_GNUC_UNUSED guint
fx_upstream_target (Fx *fx)
{
  guint bps = 0;
  GstEvent *event;

  while ((event = gst_harness_try_pull_upstream_event (fx->h))) {
    if (gst_event_has_name (event, "GstRtpTargetBitrate"))
      gst_structure_get_uint (gst_event_get_structure (event), "target-bitrate", &bps);
    gst_event_unref (event);
  }
  return bps;
}

static G_GNUC_UNUSED gchar *
limited_by (Fx *fx)
{
  GstStructure *stats;
  gchar *by;

  g_object_get (fx->e, "stats", &stats, NULL);
  by = g_strdup (gst_structure_get_string (stats, "limited-by"));
  gst_structure_free (stats);
  return by;
}

static G_GNUC_UNUSED void
assert_limited_by (Fx *fx, const gchar *expected)
{
  gchar *by = limited_by (fx);

  fail_unless_equals_string (by, expected);
  g_free (by);
}

#endif
