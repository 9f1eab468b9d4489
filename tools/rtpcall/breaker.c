/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "breaker.h"

#include <math.h>
#include <string.h>

#include "samples.h"

/* 0: no packet has come out of it yet. */
static guint
ssrc_of (GstElement *payloader)
{
  GstStructure *stats = NULL;
  guint ssrc = 0;

  if (payloader)
    g_object_get (payloader, "stats", &stats, NULL);
  if (!stats)
    return 0;
  gst_structure_get_uint (stats, "ssrc", &ssrc);
  gst_structure_free (stats);
  return ssrc;
}

static const char *
media_of (Call *call, guint ssrc)
{
  if (ssrc == 0)
    return "all media";
  if (ssrc == ssrc_of (call->video_pay))
    return "the video";
  return ssrc == ssrc_of (call->audio_pay) ? "the audio" : "a stream";
}

/* Of the breaker's statistics; NULL: none.  Belongs to @stats. */
static const GstStructure *
stream_at (const GstStructure *stats, guint i)
{
  const GValue *streams = gst_structure_get_value (stats, "streams");

  if (!streams || i >= gst_value_array_get_size (streams))
    return NULL;
  return gst_value_get_structure (gst_value_array_get_value (streams, i));
}

const GstStructure *
call_breaker_video (Call *call, const GstStructure *stats)
{
  const GstStructure *stream;
  guint wanted = ssrc_of (call->video_pay), ssrc;

  for (guint i = 0; stats && (stream = stream_at (stats, i)); i++)
    if (gst_structure_get_uint (stream, "ssrc", &ssrc) && ssrc == wanted)
      return stream;
  return NULL;
}

static gboolean
stops_all (Call *call)
{
  GstStructure *stats = NULL;
  const GstStructure *stream;
  gboolean all = TRUE;

  g_object_get (call->breaker, "stats", &stats, NULL);
  for (guint i = 0; (stream = stream_at (stats, i)); i++)
    all &= !g_strcmp0 (gst_structure_get_string (stream, "state"), "open");
  gst_structure_free (stats);
  return all;
}

gboolean
call_breaker_ends_it (Call *call, double time)
{
  return call->stops.count && call->options->mode == CALL_SEND && !call->other
      && time >= call->stops.last_at + 2 * CALL_BIN / 1e9 && stops_all (call);
}

/* Why, as a part of a sentence. */
static char *
cause (Call *call, const GstStructure *s, const char *reason)
{
  guint64 tcp = 0, sent = 0, rtt = 0, interval = 0;
  double loss = 0, multiplier = 0;

  gst_structure_get (s, "tcp-rate", G_TYPE_UINT64, &tcp, "send-rate", G_TYPE_UINT64, &sent,
      "rtt", G_TYPE_UINT64, &rtt, "interval", G_TYPE_UINT64, &interval, "loss",
      G_TYPE_DOUBLE, &loss, NULL);
  if (!strcmp (reason, "rtcp-timeout"))
    return g_strdup_printf ("nothing has been heard of the receiver for %.0f s (no RTCP)",
        interval / 1e9);
  if (!strcmp (reason, "media-timeout"))
    return g_strdup ("the receiver answers, but says that nothing arrives");
  if (strcmp (reason, "congestion"))
    return g_strdup ("it is of no use to the receiver any more");
  g_object_get (call->breaker, "multiplier", &multiplier, NULL);
  return g_strdup_printf ("it sent %.0f kbit/s, more than %g times the %.0f kbit/s that TCP "
      "would get on this path (%.1f %% lost, round trip %.0f ms)", sent / 1e3, multiplier,
      tcp / 1e3, loss * 100, rtt / 1e6);
}

/* What has to be different when the person tries again. */
static char *
advice (Call *call, const char *reason)
{
  const CallOptions *o = call->options;
  const gboolean silent = !strcmp (reason, "rtcp-timeout");

  if (!silent && strcmp (reason, "media-timeout"))
    return g_strdup (o->element != CALL_NOTHING ? "with a lower --max-bitrate"
        : "with a lower --start-bitrate or with --cc gcc");
  if (o->mode == CALL_BOTH)
    return g_strdup_printf ("with a --link that lets %s through", silent ? "RTCP back"
        : "RTP");
  return silent ? g_strdup_printf ("when it runs and UDP port %u gets through both ways",
      o->port + 1) : g_strdup_printf ("when UDP port %u gets through to it", o->port);
}

/* Audio and video often stop together, each with its own message, and for one reason;
 * those that congestion stops have each their own figures. */
static gboolean
as_before (const CallStops *stops, const char *reason, double time)
{
  return stops->count && time - stops->reported_at < 1 && !strcmp (reason, stops->reason)
      && strcmp (reason, "congestion");
}

static char *
sentence (Call *call, const GstStructure *s, const char *media, const char *reason)
{
  const double time = call->stops.last_at;
  g_autofree char *why = cause (call, s, reason), *what = advice (call, reason);
  guint64 retry_after = 0;

  gst_structure_get (s, "retry-after", G_TYPE_UINT64, &retry_after, NULL);
  return g_strdup_printf ("the circuit breaker stopped %s after %.1f s: %s; try again in "
      "%.0f s at the earliest, %s", media, time, why, ceil (retry_after / 1e9), what);
}

char *
call_breaker_heard (Call *call, const GstStructure *s, double time)
{
  CallStops *stops = &call->stops;
  const char *reason = gst_structure_get_string (s, "reason"), *media;
  gboolean again;
  guint ssrc = 0;

  if (g_strcmp0 (gst_structure_get_string (s, "state"), "open") || !reason)
    return NULL;
  gst_structure_get_uint (s, "ssrc", &ssrc);
  media = media_of (call, ssrc);
  again = as_before (stops, reason, time);
  if (stops->count++ == 0)
    stops->first_at = time;
  stops->last_at = time;
  if (again)
    return g_strdup_printf ("the circuit breaker stopped %s after %.1f s, for the same reason",
        media, time);
  stops->reported_at = time;
  stops->reason = g_intern_string (reason);
  return sentence (call, s, media, reason);
}
