/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * An rtpgccreceiver (or what RECEIVER names) between two harnesses on one test clock, a bottleneck in front of
 * it, and its RTCP read back with gst/wire.
 */
#ifndef TEST_RTPGCCRECEIVER_H
#define TEST_RTPGCCRECEIVER_H

#include "rig.h"
#include "wire/ccfb.h"
#include "wire/remb.h"
#include "wire/rtcp.h"
#include "wire/tmmbr.h"

#ifndef RECEIVER
#define RECEIVER "rtpgccreceiver"
#define RECEIVER_STATS "application/x-rtp-gcc-receiver-stats"
#endif

#define MEDIA_SSRC 0x11223344u
#define SESSION_SSRC 0xcafebabeu
#define ABS_ID 3
#define PACKET 1000                     /* bytes, header and all */

#define CAPS_PLAIN "application/x-rtp,media=(string)video,clock-rate=(int)90000," \
  "payload=(int)96,encoding-name=(string)H264"
#define CAPS_ABS CAPS_PLAIN ",extmap-3=(string)\"" RCC_ABS_SEND_TIME_URI "\""

typedef struct {
  GstElement *element;
  GstHarness *rtp, *rtcp;
  GstTestClock *clock;
  GstClockTime now;                     /* the clock's */
  GstClockTime sent, link_free;         /* the bottleneck's sender and queue */
  GstClockTime last_feedback;           /* when the newest RTCP was seen */
  guint16 seq;
  gboolean abs;                         /* packets carry abs-send-time */
  gboolean bad_stamps;                  /* buffers have bad_stamp, not their arrival */
  GstClockTime bad_stamp;
} Fixture;

#define estimate(f) uint_of ((f)->element, "estimated-bitrate")
#define assert_send_time(f, expected) assert_stat_string ((f)->element, "send-time", expected)

static inline GstBuffer *
make_rtp (guint32 ssrc, guint16 seq, GstClockTime sent, gboolean abs, gsize size)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, size, NULL);
  guint8 stamp[3];
  const RccRtpExt ext = { ABS_ID, sizeof stamp, stamp };
  const RccRtp rtp = { .pt = 96, .seq = seq, .ssrc = ssrc,
    .timestamp = (guint32) gst_util_uint64_scale (sent, 90000, GST_SECOND) };
  GstMapInfo info;

  rcc_put24 (stamp, rcc_abs_send_time (sent));
  gst_buffer_memset (buffer, 0, (guint8) seq, size);
  gst_buffer_map (buffer, &info, GST_MAP_WRITE);
  fail_unless (rcc_rtp_build (info.data, info.size, &rtp, &ext, abs ? 1 : 0) > 0);
  gst_buffer_unmap (buffer, &info);
  return buffer;
}

/* Waits until the RTCP pad's task has done all that it was started for. */
static inline void
settle (gpointer data)
{
  Fixture *f = data;
  GstPad *pad = gst_element_get_static_pad (f->element, "rtcp_src");
  GstTask *task;

  GST_OBJECT_LOCK (pad);
  task = GST_PAD_TASK (pad) ? gst_object_ref (GST_PAD_TASK (pad)) : NULL;
  GST_OBJECT_UNLOCK (pad);
  if (task) {
    while (gst_task_get_state (task) == GST_TASK_STARTED)
      g_thread_yield ();
    GST_PAD_STREAM_LOCK (pad);
    GST_PAD_STREAM_UNLOCK (pad);
    gst_object_unref (task);
  }
  gst_object_unref (pad);
}

static inline void
advance (Fixture *f, GstClockTime to)
{
  f->now = MAX (f->now, to);
  clock_run (f->clock, f->now, settle, f);
}

static inline Fixture *
fixture_new (const gchar *caps, const gchar *first_property, ...)
{
  Fixture *f = g_new0 (Fixture, 1);
  va_list args;

  f->element = element_new (RECEIVER);
  va_start (args, first_property);
  for (const gchar *name = first_property; name; name = va_arg (args, const gchar *))
    gst_util_set_object_arg (G_OBJECT (f->element), name, va_arg (args, const gchar *));
  va_end (args);
  f->rtp = gst_harness_new_with_element (f->element, "sink", "src");
  f->rtcp = gst_harness_new_with_element (f->element, "rtcp_sink", "rtcp_src");
  f->clock = gst_harness_get_testclock (f->rtp);
  f->now = f->sent = 100 * GST_SECOND;
  f->abs = caps && strstr (caps, "extmap") != NULL;
  advance (f, f->now);
  if (caps)
    gst_harness_set_src_caps_str (f->rtp, caps);
  return f;
}

static inline void
fixture_free (Fixture *f)
{
  gst_object_unref (f->clock);
  gst_harness_teardown (f->rtcp);
  gst_harness_teardown (f->rtp);
  gst_object_unref (f->element);
  g_free (f);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Fixture, fixture_free)

/* Pushes @buffer, which must come out as the same object. */
static inline void
pass (Fixture *f, GstBuffer *buffer)
{
  GstBuffer *out;

  fail_unless_equals_int (gst_harness_push (f->rtp, buffer), GST_FLOW_OK);
  out = gst_harness_try_pull (f->rtp);
  fail_unless (out == buffer, "RTP was held back or replaced");
  gst_buffer_unref (out);
}

/* The same with the same bytes. */
static inline void
pass_unchanged (Fixture *f, GstBuffer *buffer)
{
  GBytes *before = bytes_of (buffer), *after;

  gst_buffer_ref (buffer);
  pass (f, buffer);
  after = bytes_of (buffer);
  fail_unless (g_bytes_equal (before, after));
  g_bytes_unref (before);
  g_bytes_unref (after);
  gst_buffer_unref (buffer);
}

/* @span of a stream of @bps through a bottleneck of @capacity 20 ms away; buffers
 * have the arrival as PTS, unless f->bad_stamps.  Ends when the last packet has arrived. */
static inline void
stream (Fixture *f, GstClockTime span, guint64 bps, guint64 capacity)
{
  const GstClockTime end = f->sent + span;

  for (; f->sent < end; f->sent += PACKET * 8 * GST_SECOND / bps) {
    const GstClockTime at = f->sent + 20 * GST_MSECOND;
    GstBuffer *buffer = make_rtp (MEDIA_SSRC, f->seq++, f->sent, f->abs, PACKET);

    f->link_free = MAX (f->link_free, at) + PACKET * 8 * GST_SECOND / capacity;
    advance (f, f->link_free);
    GST_BUFFER_PTS (buffer) = f->bad_stamps ? f->bad_stamp : f->now;
    pass (f, buffer);
  }
}

static inline guint64
stat_u64 (Fixture *f, const gchar *name)
{
  GstStructure *s = stats_of (f->element);
  guint64 value;

  fail_unless_equals_string (gst_structure_get_name (s), RECEIVER_STATS);
  fail_unless (gst_structure_get_uint64 (s, name, &value), "no %s", name);
  gst_structure_free (s);
  return value;
}

typedef struct {                        /* one RTCP buffer, read back */
  guint size;
  gboolean whole;                       /* understood to its last byte */
  guint32 report_ssrc;                  /* of the RR or SR; 0: none */
  gchar cname[256];
  guint n_remb, n_tmmbr, n_ccfb;
  RccRemb remb;
  guint32 remb_ssrc;
  RccTmmbrEntry tmmbr;
  guint ccfb_reports, ccfb_received;
} Feedback;

static inline void
read_ccfb (const RccCcfb *ccfb, Feedback *feedback)
{
  RccBytes rest = ccfb->blocks;
  RccCcfbBlock block;
  RccCcfbReport report;

  while (rcc_ccfb_next (&rest, &block))
    for (guint i = 0; i < block.n_reports; i++) {
      rcc_ccfb_report (&block, i, &report);
      fail_unless_equals_int (block.ssrc, MEDIA_SSRC);
      feedback->ccfb_reports++;
      feedback->ccfb_received += report.received;
    }
}

static inline void
read_packet (const RccRtcpPacket *p, Feedback *feedback)
{
  RccRtcpReport report;
  RccRemb remb;
  RccTmmbr tmmbr;
  RccCcfb ccfb;

  if (rcc_rtcp_report (p, &report)) {
    feedback->report_ssrc = report.ssrc;
  } else if (p->type == RCC_RTCP_SDES) {
    memcpy (feedback->cname, p->body.data + 6, p->body.data[5]);
  } else if (rcc_remb_parse (p, &remb)) {
    feedback->n_remb++;
    feedback->remb = remb;
    if (feedback->remb.n_ssrcs > 0)
      feedback->remb_ssrc = rcc_remb_ssrc (&feedback->remb, 0);
  } else if (rcc_tmmbr_parse (p, &tmmbr)) {
    feedback->n_tmmbr++;
    rcc_tmmbr_entry (&tmmbr, 0, &feedback->tmmbr);
  } else if (rcc_ccfb_parse (p, &ccfb)) {
    feedback->n_ccfb++;
    read_ccfb (&ccfb, feedback);
  }
}

static inline Feedback
read_rtcp (GstBuffer *buffer)
{
  Feedback feedback = { 0 };
  RccRtcpPacket p;
  GstMapInfo info;
  RccBytes rest;

  gst_buffer_map (buffer, &info, GST_MAP_READ);
  rest = (RccBytes) { info.data, info.size };
  feedback.size = (guint) info.size;
  while (rcc_rtcp_next (&rest, &p))
    read_packet (&p, &feedback);
  feedback.whole = rest.size == 0;
  gst_buffer_unmap (buffer, &info);
  return feedback;
}

/* The next RTCP that has come out; FALSE: none. */
static inline gboolean
next_feedback (Fixture *f, Feedback *feedback)
{
  GstBuffer *buffer;

  settle (f);
  buffer = gst_harness_try_pull (f->rtcp);
  if (!buffer)
    return FALSE;
  *feedback = read_rtcp (buffer);
  fail_unless (feedback->whole);
  gst_buffer_unref (buffer);
  return TRUE;
}

static inline guint
drop_feedback (Fixture *f)
{
  Feedback feedback;
  guint n = 0;

  while (next_feedback (f, &feedback))
    n++;
  return n;
}

/* The session's own compound: an RR and a CNAME. */
static inline GstBuffer *
make_compound (guint32 ssrc, const gchar *cname)
{
  guint8 bytes[400];
  gsize n = rcc_rtcp_build_rr (bytes, sizeof bytes, ssrc, NULL, 0);

  n += rcc_rtcp_build_cname (bytes + n, sizeof bytes - n, ssrc, cname);
  return gst_buffer_new_memdup (bytes, n);
}

static inline GstBuffer *
buffer_of (gconstpointer bytes, gsize size)
{
  return size ? gst_buffer_new_memdup (bytes, size)
      : gst_buffer_new_allocate (NULL, 0, NULL);
}

static inline guint
count_events (GstHarness *h, GstEventType type)
{
  GstEvent *event;
  guint n = 0;

  while ((event = gst_harness_try_pull_event (h))) {
    n += GST_EVENT_TYPE (event) == type;
    gst_event_unref (event);
  }
  return n;
}

#endif
