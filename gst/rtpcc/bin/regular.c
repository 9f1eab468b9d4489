/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/bin/regular.h"

/* RTCP's bandwidth, byte/s (from 1 on it is no fraction). By it the interval is a millisecond, so
 * that the regular report leaves before more feedback is asked for. Until then feedback is bounded
 * by what asks for it alone. */
#define HURRY 250e3

typedef struct
{
  gint64 regular;               /* when the last one left, us */
  gdouble fraction;             /* the session's rtcp-fraction, until the next one has left */
  gboolean hurried;
} Regular;

static gboolean
is_due (GObject * session, const Regular * r, gint64 now)
{
  guint64 least;

  g_object_get (session, "rtcp-min-interval", &least, NULL);
  return !r->hurried && least > 0
      && (guint64) (now - r->regular) * 1000 > least;
}

/* On the session's RTCP thread, which alone has @r. */
static gboolean
on_sending (GObject * session, GstBuffer * compound, gboolean early,
    Regular * r)
{
  const gint64 now = g_get_monotonic_time ();

  if (!early) {
    r->regular = now;
    if (r->hurried)
      g_object_set (session, "rtcp-fraction", r->fraction, NULL);
    r->hurried = FALSE;
  } else if (is_due (session, r, now)) {
    g_object_get (session, "rtcp-fraction", &r->fraction, NULL);
    g_object_set (session, "rtcp-fraction", HURRY, NULL);
    r->hurried = TRUE;
  }
  return FALSE;
}

void
gst_rtp_cc_bin_keep_regular (GObject * session)
{
  g_signal_connect_data (session, "on-sending-rtcp", G_CALLBACK (on_sending),
      g_new0 (Regular, 1), (GClosureNotify) (void (*)(void)) g_free, 0);
}
