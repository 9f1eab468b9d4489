/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "breaker.h"
#include "monitor.h"
#include "peer.h"

#include <math.h>

/* Whatever number it is; NAN for none and for "never". */
static double
field (const GstStructure *s, const char *name)
{
  const GValue *value = s ? gst_structure_get_value (s, name) : NULL;
  GValue number = G_VALUE_INIT;
  double result = NAN;

  if (!value || (G_VALUE_HOLDS_UINT64 (value)
          && g_value_get_uint64 (value) == G_MAXUINT64))
    return NAN;
  g_value_init (&number, G_TYPE_DOUBLE);
  if (g_value_transform (value, &number))
    result = g_value_get_double (&number);
  g_value_unset (&number);
  return result;
}

static void
copy_text (const GstStructure *s, const char *name, char *to, gsize size)
{
  const char *text = s ? gst_structure_get_string (s, name) : NULL;

  if (text)
    g_strlcpy (to, text, size);
}

static GstStructure *
stats_of (GstElement *element)
{
  GstStructure *s = NULL;

  if (element)
    g_object_get (element, "stats", &s, NULL);
  return s;
}

/* Of the detector: at the receiver, or at the sender when that is where it is. */
static void
see_detector (CallSnapshot *seen, const GstStructure *s)
{
  seen->threshold = field (s, "threshold");
  seen->estimate = field (s, "trend");
  copy_text (s, "usage", seen->usage, sizeof seen->usage);
  copy_text (s, "state", seen->state, sizeof seen->state);
}

static void
see_link (CallSnapshot *seen, GstElement *link)
{
  guint64 capacity = G_MAXUINT64, queue = G_MAXUINT64;

  if (!link)
    return;
  g_object_get (link, "capacity", &capacity, "queue-time", &queue, NULL);
  if (capacity != G_MAXUINT64)
    seen->capacity = (double) capacity;
  if (queue != G_MAXUINT64)
    seen->queue = queue / 1e6;
}

/* NULL: none of ours. */
static GstElement *
who_controls (const Call *call)
{
  return call->options->element == CALL_MUX ? call->mux : call->controller;
}

/* Of the video.  What a report is judged by is 0 until there was one.  Where nothing else
 * listens the breaker is also who knows the path. */
static void
see_breaker (Call *call, CallSnapshot *seen)
{
  GstStructure *stats = stats_of (call->breaker);
  const GstStructure *video = call_breaker_video (call, stats);
  double multiplier = NAN;

  seen->breaker_sent = seen->breaker_tcp = seen->breaker_limit = seen->breaker_loss = NAN;
  copy_text (video, "state", seen->breaker, sizeof seen->breaker);
  seen->breaker_rtt = field (video, "rtt") / 1e6;
  if (!who_controls (call))
    seen->rtt = seen->breaker_rtt;
  if (field (video, "send-bitrate") > 0) {
    g_object_get (call->breaker, "multiplier", &multiplier, NULL);
    seen->breaker_sent = field (video, "send-bitrate");
    seen->breaker_tcp = field (video, "tcp-bitrate");
    seen->breaker_limit = multiplier * seen->breaker_tcp;
    seen->breaker_loss = field (video, "loss-ratio");
    if (!who_controls (call))
      seen->reported_loss = seen->breaker_loss;
  }
  g_clear_pointer (&stats, gst_structure_free);
}

static void
see_mux (CallSnapshot *seen, GstElement *mux)
{
  static const char *const names[CALL_CAUSES] = { "packets-dropped-expired",
    "packets-dropped-full", "packets-dropped-frame", "packets-dropped-old" };
  GstStructure *stats = stats_of (mux);

  for (guint i = 0; i < CALL_CAUSES; i++)
    seen->dropped[i] = field (stats, names[i]);
  seen->sent_again = field (stats, "retransmissions-sent");
  g_clear_pointer (&stats, gst_structure_free);
}

void
call_snapshot (Call *call, CallSnapshot *seen)
{
  GstElement *who = who_controls (call);
  GstStructure *sender = stats_of (who), *receiver = stats_of (call->estimator);
  GstStructure *adapter = stats_of (call->adapter);

  *seen = (CallSnapshot) { .capacity = NAN, .queue = NAN, .encoder = NAN };
  seen->target = sender ? field (sender, "target-bitrate")
      : call->peer ? call_peer_target (call)
      : call->send_rtpbin ? call->options->start_bps : field (receiver, "estimated-bitrate");
  if (seen->target == 0)                /* of the receiver: not known yet */
    seen->target = NAN;
  seen->rtt = field (sender, "rtt") / 1e6;
  if (isnan (seen->rtt))                /* who has none of its own knows it from reports */
    seen->rtt = field (sender, "rtt-smoothed") / 1e6;
  seen->reported_loss = field (sender, call->options->element == CALL_MUX ? "loss-event-rate"
      : "loss-ratio");
  seen->fec = field (sender, "fec-bitrate");
  see_detector (seen, receiver && call->options->profile ? receiver : sender);
  see_link (seen, call->link);
  see_breaker (call, seen);
  see_mux (seen, call->mux);
  if ((who || call->peer) && call->adapter)
    seen->encoder = field (adapter, "encoder-bitrate");
  else if (call->encoder) {
    guint kbps = 0;

    g_object_get (call->encoder, "bitrate", &kbps, NULL);
    seen->encoder = kbps * 1e3;
  }
  g_clear_pointer (&sender, gst_structure_free);
  g_clear_pointer (&receiver, gst_structure_free);
  g_clear_pointer (&adapter, gst_structure_free);
}
