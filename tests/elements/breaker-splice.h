/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * breaker-splice.h - watches an rtpcircuitbreaker in a real session: what goes in comes
 * out the same, and what is said
 */
#ifndef BREAKER_SPLICE_H
#define BREAKER_SPLICE_H

#include "rig.h"

/* Real sessions take real time; how long decides nothing. */
#define splice_wait_for(condition) wait_at_most (condition, 60000, 1000)

typedef struct {                        /* one way through the element */
  GBytes *in;                           /* under way */
  gint passed;
} Way;

typedef struct {
  GstElement *e;
  Way rtp, rtcp, out;
  gint spoilt;                          /* buffers that came out as others */
} Splice;

#define splice_is_open(s) g_str_equal (nick_of ((s)->e, "state"), "open")
#define splice_bytes(info) bytes_of (GST_PAD_PROBE_INFO_BUFFER (info))

/* Sink and source pads of one way are one thread's. */
static GstPadProbeReturn
splice_in (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  Way *way = data;

  g_clear_pointer (&way->in, g_bytes_unref);
  way->in = splice_bytes (info);
  return GST_PAD_PROBE_OK;
}

static Splice *splice;                  /* the one there is */

static GstPadProbeReturn
splice_out (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  Way *way = data;
  GBytes *bytes = splice_bytes (info);

  if (!way->in || !g_bytes_equal (way->in, bytes))
    g_atomic_int_inc (&splice->spoilt);
  g_bytes_unref (bytes);
  g_atomic_int_inc (&way->passed);
  return GST_PAD_PROBE_OK;
}

static void
splice_probe (Splice *s, Way *way, const gchar *name, GstPadProbeCallback callback)
{
  GstPad *pad = gst_element_get_static_pad (s->e, name);

  fail_unless (pad != NULL, "no pad %s", name);
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, callback, way, NULL);
  gst_object_unref (pad);
}

static void
splice_watch (Splice *s, Way *way, const gchar *sink, const gchar *src)
{
  splice_probe (s, way, sink, splice_in);
  splice_probe (s, way, src, splice_out);
}

static void
splice_clear (Splice *s)
{
  g_clear_pointer (&s->rtp.in, g_bytes_unref);
  g_clear_pointer (&s->rtcp.in, g_bytes_unref);
  g_clear_pointer (&s->out.in, g_bytes_unref);
}

/* A field of the stats, or of its first stream's. */
static guint64
splice_stat (Splice *s, const gchar *name)
{
  GstStructure *stats = stats_of (s->e);
  const GValue *streams = gst_structure_get_value (stats, "streams");
  guint64 n = 0;

  if (gst_structure_has_field (stats, name))
    n = number_in (stats, name);
  else if (gst_value_array_get_size (streams) > 0)
    n = number_in (g_value_get_boxed (gst_value_array_get_value (streams, 0)), name);
  gst_structure_free (stats);
  return n;
}

/* Until @n reports about the stream were believed; nothing opens it meanwhile. */
static void
splice_goes_well (Splice *s, guint n)
{
  splice_wait_for (splice_stat (s, "report-count") >= n);
  fail_if (splice_is_open (s));
  fail_unless_equals_int (g_atomic_int_get (&s->spoilt), 0);
  fail_unless_equals_uint64 (splice_stat (s, "rtcp-forged"), 0);
  fail_unless_equals_uint64 (splice_stat (s, "rtcp-truncated"), 0);
  fail_unless_equals_uint64 (splice_stat (s, "rtp-malformed"), 0);
  fail_unless (splice_stat (s, "rtt-smoothed") < 2 * GST_SECOND, "RTT %" GST_TIME_FORMAT,
      GST_TIME_ARGS (splice_stat (s, "rtt-smoothed")));
}

/* It opens for @reason; RTP stops and RTCP comes in still, unless it is @cut. */
static void
splice_opens (Splice *s, const gchar *reason, gboolean cut)
{
  gint rtp, rtcp, out;

  splice_wait_for (splice_is_open (s));
  assert_stat_string (s->e, "reason", reason);
  rtp = g_atomic_int_get (&s->rtp.passed);
  rtcp = g_atomic_int_get (&s->rtcp.passed);
  out = g_atomic_int_get (&s->out.passed);
  splice_wait_for (splice_stat (s, "packets-dropped") > 10);
  fail_unless (g_atomic_int_get (&s->rtp.passed) <= rtp + 1, "RTP goes on");
  if (!cut)
    splice_wait_for (g_atomic_int_get (&s->rtcp.passed) > rtcp + 2);
  if (out > 0)
    splice_wait_for (g_atomic_int_get (&s->out.passed) > out);
  fail_unless_equals_int (g_atomic_int_get (&s->spoilt), 0);
}

#endif
