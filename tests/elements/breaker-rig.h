/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * breaker-rig.h - an rtpcircuitbreaker on a GstTestClock, what is sent through it, and the
 * receiver that reports
 */
#ifndef BREAKER_RIG_H
#define BREAKER_RIG_H

#include "rig.h"
#include "wire/rtcp.h"

#define CB_SSRC 0x11223344u             /* of stream 0; the others' follow */
#define CB_PEER 0x70656572u
#define CB_CAPS "application/x-rtp,media=video,clock-rate=90000,encoding-name=H264"
#define CB_STREAMS 4
#define CB_SIZE 1200
#define CB_SPACING (20 * GST_MSECOND)   /* 480 kbit/s */
#define CB_START RIG_START

typedef struct {
  gboolean silent;                      /* cb_stream() does not send it */
  guint16 seq;                          /* of the next packet */
  guint sent;                           /* ever */
  guint reported, lost;                 /* packets up to the last report; cumulative */
} CbStream;

typedef struct {
  GstHarness *h, *rtcp, *out;           /* RTP; RTCP coming in; going out */
  GstElement *e;
  GstTestClock *clock;
  GstBus *bus;
  guint n_streams;
  guint size;                           /* of packets, in place of CB_SIZE; 0 */
  CbStream streams[CB_STREAMS];
  guint received;                       /* buffers of RTP */
  GstClockTime rtt;                     /* of the reports; NONE: they have no LSR */
  guint srs;
  guint32 timestamp;                    /* the RTP clock's at the start */
  guint64 ntp;                          /* the SRs' clock's */
  gint notified;                        /* notify::state */
} Cb;

#define cb_now(cb) time_of ((cb)->clock)
#define cb_run(cb, until) clock_run ((cb)->clock, until, NULL, NULL)
#define cb_stats(cb) stats_of ((cb)->e)
#define cb_state(cb) nick_of ((cb)->e, "state")
#define cb_stat(cb, name) stat_of ((cb)->e, name)

static void
cb_notified (GObject *object, GParamSpec *pspec, gpointer data)
{
  gint state;

  g_object_get (object, "state", &state, NULL);
  g_atomic_int_inc ((gint *) data);
}

/* In PLAYING, its clock at 1000 s, one stream, round trips of 500 ms. */
G_GNUC_UNUSED static Cb *
cb_new (const gchar *first_property, ...)
{
  Cb *cb = g_new0 (Cb, 1);

  cb->n_streams = 1;
  cb->rtt = 500 * GST_MSECOND;
  cb->ntp = G_GUINT64_CONSTANT (0xe0000000) << 32;
  for (guint i = 0; i < CB_STREAMS; i++)
    cb->streams[i].seq = 1000;
  cb->e = element_new ("rtpcircuitbreaker");
  cb->h = rtp_harness (cb->e, "sink", &cb->clock);
  cb->bus = gst_bus_new ();
  gst_element_set_bus (cb->e, cb->bus);
  set_properties (cb->e, first_property);
  g_signal_connect (cb->e, "notify::state", G_CALLBACK (cb_notified), &cb->notified);
  gst_element_set_state (cb->e, GST_STATE_PLAYING);
  gst_harness_set_src_caps_str (cb->h, CB_CAPS);
  cb->rtcp = rtcp_harness (cb->e, "rtcp_sink", "rtcp_src");
  cb->out = rtcp_harness (cb->e, "send_rtcp_sink", "send_rtcp_src");
  return cb;
}

G_GNUC_UNUSED static void
cb_free (Cb *cb)
{
  gst_element_set_bus (cb->e, NULL);
  gst_object_unref (cb->bus);
  gst_harness_teardown (cb->out);
  gst_harness_teardown (cb->rtcp);
  gst_harness_teardown (cb->h);
  gst_object_unref (cb->clock);
  gst_object_unref (cb->e);
  g_free (cb);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Cb, cb_free)

G_GNUC_UNUSED static void
cb_expect (Cb *cb, const gchar *state)
{
  fail_unless_equals_string (cb_state (cb), state);
}

/* Of one stream of the array. */
G_GNUC_UNUSED static const GstStructure *
cb_stream_stats (const GstStructure *stats, guint i)
{
  const GValue *streams = gst_structure_get_value (stats, "streams");

  fail_unless (streams != NULL && i < gst_value_array_get_size (streams));
  return g_value_get_boxed (gst_value_array_get_value (streams, i));
}

/* The next packet of stream @i; each is a frame. */
static GstBuffer *
cb_packet (Cb *cb, guint i)
{
  CbStream *s = &cb->streams[i];

  s->sent++;
  s->seq++;
  return rtp_packet (CB_SSRC + i, (guint16) (s->seq - 1), cb->timestamp + s->sent * 1800,
      FALSE, cb->size > 0 ? cb->size : CB_SIZE);
}

/* A packet of each stream that is not silent, each 20 ms; cb->came counts what comes
 * out.  The first leaves at once. */
static void
cb_stream (Cb *cb, GstClockTime span)
{
  const GstClockTime end = cb_now (cb) + span;

  while (cb_now (cb) < end) {
    for (guint i = 0; i < cb->n_streams; i++)
      if (!cb->streams[i].silent)
        fail_unless_equals_int (gst_harness_push (cb->h, cb_packet (cb, i)), GST_FLOW_OK);
    cb->received += drain (cb->h);
    cb_run (cb, MIN (cb_now (cb) + CB_SPACING, end));
  }
}

/* Without packets, RTCP goes through and comes out the same. */
static void
cb_rtcp (Cb *cb, GstHarness *h, const guint8 *data, gsize size)
{
  GstBuffer *in = size ? gst_buffer_new_memdup (data, size) : gst_buffer_new (), *out;

  fail_unless_equals_int (gst_harness_push (h, gst_buffer_ref (in)), GST_FLOW_OK);
  out = gst_harness_try_pull (h);
  fail_unless (out == in, "RTCP was held back or replaced");
  fail_unless_equals_int (gst_buffer_get_size (out), size);
  if (size > 0)
    fail_unless (gst_buffer_memcmp (out, 0, data, size) == 0);
  gst_buffer_unref (in);
  gst_buffer_unref (out);
}

/* An SR of stream @i leaves; returns its LSR. */
static guint32
cb_sr (Cb *cb, guint i)
{
  const RccRtcpReport sr = {.ssrc = CB_SSRC + i,.is_sr = TRUE,
    .ntp = cb->ntp + ((guint64) ++cb->srs << 32) };
  guint8 data[64];

  cb_rtcp (cb, cb->out, data, rcc_rtcp_build_sr (data, sizeof data, &sr, NULL, 0));
  return rcc_ntp_middle (sr.ntp);
}

/* The block about stream @i: what has been sent up to now has arrived, but for
 * @fraction. */
static RccReportBlock
cb_block (Cb *cb, guint i, gdouble fraction)
{
  CbStream *s = &cb->streams[i];
  const guint expected = s->sent - s->reported;

  s->reported = s->sent;
  s->lost += (guint) (fraction * expected + 0.5);
  return (RccReportBlock) {.ssrc = CB_SSRC + i,
    .fraction = (guint8) MIN (fraction * 256, 255),.lost = (gint32) s->lost,
    .highest_seq = (guint16) (s->seq - 1) };
}

/* An RR about every stream; with an SR a round trip before it, while media flows on. */
static void
cb_report_each (Cb *cb, const gdouble *fractions)
{
  RccReportBlock blocks[CB_STREAMS];
  guint8 data[256];

  for (guint i = 0; i < cb->n_streams; i++)
    blocks[i] = cb_block (cb, i, fractions[i]);
  for (guint i = 0; i < cb->n_streams; i++)
    if (cb->rtt != GST_CLOCK_TIME_NONE)
      blocks[i].lsr = cb_sr (cb, i);
  if (cb->rtt != GST_CLOCK_TIME_NONE)
    cb_stream (cb, cb->rtt);
  cb_rtcp (cb, cb->rtcp, data, rcc_rtcp_build_rr (data, sizeof data, CB_PEER, blocks,
          cb->n_streams));
}

G_GNUC_UNUSED static void
cb_report (Cb *cb, gdouble fraction)
{
  const gdouble fractions[CB_STREAMS] = { fraction, fraction, fraction, fraction };

  cb_report_each (cb, fractions);
}

/* An RR that says what the one before said. */
G_GNUC_UNUSED static void
cb_report_nothing (Cb *cb)
{
  RccReportBlock blocks[CB_STREAMS];
  guint8 data[256];

  for (guint i = 0; i < cb->n_streams; i++) {
    CbStream *s = &cb->streams[i];

    blocks[i] = (RccReportBlock) {.ssrc = CB_SSRC + i,.lost = (gint32) s->lost,
      .highest_seq = (guint16) (s->seq - 1 - (s->sent - s->reported)) };
  }
  cb_rtcp (cb, cb->rtcp, data, rcc_rtcp_build_rr (data, sizeof data, CB_PEER, blocks,
          cb->n_streams));
}

/* @n reports 5 s apart, of which the last has just come. */
G_GNUC_UNUSED static void
cb_reports (Cb *cb, guint n, gdouble fraction)
{
  for (; n > 0; n--) {
    cb_stream (cb, 5 * GST_SECOND - (cb->rtt == GST_CLOCK_TIME_NONE ? 0 : cb->rtt));
    cb_report (cb, fraction);
  }
}

/* With everything lost from now on: RTCP stays away until it opens. */
G_GNUC_UNUSED static void
cb_open_by_silence (Cb *cb)
{
  cb_stream (cb, 15 * GST_SECOND);
  cb_expect (cb, "open");
}

/* The next GstRtpCircuitBreaker message; NULL: none.  Unref it. */
G_GNUC_UNUSED static GstMessage *
cb_message (Cb *cb)
{
  GstMessage *message;

  while ((message = gst_bus_pop_filtered (cb->bus, GST_MESSAGE_ELEMENT))) {
    if (gst_message_has_name (message, "GstRtpCircuitBreaker"))
      return message;
    gst_message_unref (message);
  }
  return NULL;
}

G_GNUC_UNUSED static void
cb_no_message (Cb *cb)
{
  GstMessage *message = cb_message (cb);

  fail_unless (message == NULL, "%" GST_PTR_FORMAT, message);
}

/* The next one is of this state and reason. */
G_GNUC_UNUSED static void
cb_expect_message (Cb *cb, const gchar *state, const gchar *reason, guint ssrc)
{
  GstMessage *message = cb_message (cb);
  const GstStructure *s;

  fail_unless (message != NULL, "no message of %s", state);
  s = gst_message_get_structure (message);
  fail_unless_equals_string (gst_structure_get_string (s, "state"), state);
  fail_unless_equals_string (gst_structure_get_string (s, "reason"), reason);
  fail_unless_equals_int_hex (number_in (s, "ssrc"), ssrc);
  gst_message_unref (message);
}

/* The next bitrate event that came upstream; NULL: none.  Unref it. */
#define cb_any_event(h) next_upstream (h, "GstRtpTargetBitrate")

/* But for those of the ceiling, with which congestion is announced. */
G_GNUC_UNUSED static inline GstEvent *
cb_event (GstHarness *h)
{
  GstEvent *event;

  while ((event = cb_any_event (h))
      && strstr (gst_structure_get_string (gst_event_get_structure (event), "reason"),
          "congestion nears"))
    gst_event_unref (event);
  return event;
}

G_GNUC_UNUSED static void
cb_clear_events (Cb *cb)
{
  count_upstream (cb->h, "GstRtpTargetBitrate", NULL, NULL);
}

/* @ssrc 0: it has none. */
G_GNUC_UNUSED static void
cb_expect_event (Cb *cb, guint bps, guint ssrc, const gchar *reason)
{
  GstEvent *event = cb_event (cb->h);
  const GstStructure *s;

  fail_unless (event != NULL, "no event of %u bit/s", bps);
  s = gst_event_get_structure (event);
  fail_unless_equals_int (number_in (s, "target-bitrate"), bps);
  fail_unless_equals_int (gst_structure_has_field (s, "ssrc"), ssrc != 0);
  if (ssrc)
    fail_unless_equals_int_hex (number_in (s, "ssrc"), ssrc);
  fail_unless (strstr (gst_structure_get_string (s, "reason"), reason) != NULL,
      "%s is not %s", gst_structure_get_string (s, "reason"), reason);
  fail_unless_equals_string (gst_structure_get_string (s, "source"),
      GST_OBJECT_NAME (cb->e));
  gst_event_unref (event);
}

G_GNUC_UNUSED static void
cb_no_event (Cb *cb)
{
  GstEvent *event = cb_event (cb->h);

  fail_unless (event == NULL, "%" GST_PTR_FORMAT, event);
}

G_GNUC_UNUSED static gboolean
cb_reset (Cb *cb)
{
  gboolean done = 2;

  g_signal_emit_by_name (cb->e, "reset", &done);
  fail_unless (done == TRUE || done == FALSE);
  return done;
}

#endif
