/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/common/event.h"

GstEvent *
gst_rtp_cc_event_new (const GstRtpCcTarget * t)
{
  GstStructure *s = gst_structure_new (GST_RTP_CC_EVENT_NAME,
      "target-bitrate", G_TYPE_UINT, t->target_bps,
      "fec-bitrate", G_TYPE_UINT, MIN (t->fec_bps, t->target_bps),
      "rtt", G_TYPE_UINT64, t->rtt, "queue-time", G_TYPE_UINT64, t->queue_time,
      "source", G_TYPE_STRING, t->source ? t->source : "",
      "reason", G_TYPE_STRING, t->reason ? t->reason : "", NULL);

  if (t->ssrc)
    gst_structure_set (s, "ssrc", G_TYPE_UINT, t->ssrc, NULL);
  else if (t->streams)
    gst_structure_set (s, "streams", G_TYPE_UINT, t->streams, NULL);
  if (!t->ssrc && t->share)
    gst_structure_set (s, "share", GST_TYPE_RTP_CC_SHARE, t->share, NULL);
  return gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM, s);
}

gboolean
gst_rtp_cc_event_is (GstEvent * event)
{
  return GST_EVENT_TYPE (event) == GST_EVENT_CUSTOM_UPSTREAM
      && gst_event_has_name (event, GST_RTP_CC_EVENT_NAME);
}

/* A field of another type is malformed. */
static gboolean
may_be (const GstStructure * s, const gchar * name, GType type)
{
  return !gst_structure_has_field (s, name)
      || gst_structure_has_field_typed (s, name, type);
}

static const gchar *
string_of (const GstStructure * s, const gchar * name)
{
  const gchar *string = gst_structure_get_string (s, name);

  return string ? string : "";
}

gboolean
gst_rtp_cc_event_parse (GstEvent * event, GstRtpCcTarget * target)
{
  GstRtpCcTarget t = {.rtt = GST_CLOCK_TIME_NONE };
  const GstStructure *s;

  if (!gst_rtp_cc_event_is (event))
    return FALSE;
  s = gst_event_get_structure (event);
  if (!gst_structure_get_uint (s, "target-bitrate", &t.target_bps)
      || !may_be (s, "fec-bitrate", G_TYPE_UINT)
      || !may_be (s, "ssrc", G_TYPE_UINT)
      || !may_be (s, "streams", G_TYPE_UINT)
      || !may_be (s, "share", GST_TYPE_RTP_CC_SHARE)
      || !may_be (s, "source", G_TYPE_STRING)
      || !may_be (s, "reason", G_TYPE_STRING)
      || !may_be (s, "rtt", G_TYPE_UINT64)
      || !may_be (s, "queue-time", G_TYPE_UINT64))
    return FALSE;
  gst_structure_get_uint (s, "fec-bitrate", &t.fec_bps);
  gst_structure_get_uint (s, "ssrc", &t.ssrc);
  gst_structure_get_uint (s, "streams", &t.streams);
  gst_structure_get_uint64 (s, "rtt", &t.rtt);
  gst_structure_get_uint64 (s, "queue-time", &t.queue_time);
  t.source = string_of (s, "source");
  t.reason = string_of (s, "reason");
  if (gst_structure_has_field (s, "share"))
    t.share = g_value_get_boxed (gst_structure_get_value (s, "share"));
  if (t.fec_bps > t.target_bps)
    return FALSE;
  *target = t;
  return TRUE;
}

GstRtpCcTarget
gst_rtp_cc_target_merge (const GstRtpCcTarget * up, const GstRtpCcTarget * down)
{
  gboolean up_wins = up->target_bps <= down->target_bps;
  const GstRtpCcTarget *other = up_wins ? down : up;
  GstRtpCcTarget t = up_wins ? *up : *down;

  if (!GST_CLOCK_TIME_IS_VALID (t.rtt))
    t.rtt = other->rtt;
  t.queue_time = MAX (up->queue_time, down->queue_time);
  t.fec_bps = (guint) MIN ((guint64) up->fec_bps + down->fec_bps, t.target_bps);
  return t;
}

/* One side of a aggregator; owns its strings. */
typedef struct
{
  GstRtpCcTarget target;
  gchar *source, *reason;
} Side;

struct _GstRtpCcTargetAggregator
{
  GstPad *sinkpad;
  GstRtpCcShare *share;

  GMutex lock;
  Side own, below;
  GstRtpCcTarget streams[GST_RTP_CC_TARGET_AGGREGATOR_STREAMS]; /* own's, for one SSRC each */
  guint n_streams;
  struct
  {                             /* the same of downstream: what @below left, then the rest */
    Side streams[GST_RTP_CC_TARGET_AGGREGATOR_STREAMS];
    guint n, said, due;         /* @said of @n since the last event for all, which had @due */
  } bounds;
  gboolean changed;             /* not pushed yet */
  gboolean pushing;             /* a thread is in push_locked() */
};

static void
set_side (Side * side, const GstRtpCcTarget * target)
{
  g_free (side->source);
  g_free (side->reason);
  side->source = g_strdup (target->source);
  side->reason = g_strdup (target->reason);
  side->target = *target;
  side->target.share = NULL;    /* downstream's; those upstream have ours */
  side->target.source = side->source;
  side->target.reason = side->reason;
}

static void
forget (GstRtpCcTargetAggregator * m)
{
  static const GstRtpCcTarget unbound = {
    .target_bps = GST_RTP_CC_UNBOUND,.rtt = GST_CLOCK_TIME_NONE
  };

  set_side (&m->own, &unbound);
  set_side (&m->below, &unbound);
  for (guint i = 0; i < G_N_ELEMENTS (m->bounds.streams); i++)
    set_side (&m->bounds.streams[i], &unbound);
  m->n_streams = m->bounds.n = 0;
  m->changed = FALSE;
}

GstRtpCcTargetAggregator *
gst_rtp_cc_target_aggregator_new (GstPad * sinkpad)
{
  GstRtpCcTargetAggregator *m = g_new0 (GstRtpCcTargetAggregator, 1);

  m->sinkpad = sinkpad;
  m->share = gst_rtp_cc_share_new ();
  g_mutex_init (&m->lock);
  forget (m);
  return m;
}

void
gst_rtp_cc_target_aggregator_free (GstRtpCcTargetAggregator * m)
{
  forget (m);
  gst_rtp_cc_share_unref (m->share);
  g_mutex_clear (&m->lock);
  g_free (m);
}

void
gst_rtp_cc_target_aggregator_reset (GstRtpCcTargetAggregator * m)
{
  g_mutex_lock (&m->lock);
  forget (m);
  g_mutex_unlock (&m->lock);
}

/* With the lock held, which it gives up while it pushes; takes @events. */
static void
push_unlocked (GstRtpCcTargetAggregator * m, GstEvent ** events, guint n)
{
  GstPad *pad = m->sinkpad ? gst_object_ref (m->sinkpad) : NULL;

  g_mutex_unlock (&m->lock);
  for (guint i = 0; i < n; i++)
    if (pad)
      gst_pad_push_event (pad, events[i]);
    else
      gst_event_unref (events[i]);
  gst_clear_object (&pad);
  g_mutex_lock (&m->lock);
}

/* What the controller says of one stream that is spoken of downstream. */
static const GstRtpCcTarget *
own_target (const GstRtpCcTargetAggregator * m, guint ssrc)
{
  for (guint i = 0; i < m->n_streams; i++)
    if (m->streams[i].ssrc == ssrc)
      return &m->streams[i];
  return &m->own.target;
}

static gint
find_bound (const GstRtpCcTargetAggregator * m, guint ssrc)
{
  for (guint i = 0; i < m->bounds.n; i++)
    if (m->bounds.streams[i].target.ssrc == ssrc)
      return (gint) i;
  return -1;
}

static GstRtpCcTarget
merge_stream (const GstRtpCcTargetAggregator * m, const GstRtpCcTarget * below,
    guint ssrc)
{
  GstRtpCcTarget t = gst_rtp_cc_target_merge (own_target (m, ssrc), below);

  t.ssrc = ssrc;
  return t;
}

#define EVENTS_MOST (2 * GST_RTP_CC_TARGET_AGGREGATOR_STREAMS + 1)

/* The one for all, and behind it those for one SSRC each. */
static guint
make_events (const GstRtpCcTargetAggregator * m, GstEvent ** events)
{
  GstRtpCcTarget t = gst_rtp_cc_target_merge (&m->own.target, &m->below.target);
  guint n = 1;

  for (guint i = 0; i < m->n_streams; i++) {
    const gint bound = find_bound (m, m->streams[i].ssrc);
    const GstRtpCcTarget stream = merge_stream (m, bound < 0 ? &m->below.target
        : &m->bounds.streams[bound].target, m->streams[i].ssrc);

    events[n++] = gst_rtp_cc_event_new (&stream);
  }
  for (guint i = 0; i < m->bounds.n; i++) {
    const GstRtpCcTarget *bound = &m->bounds.streams[i].target;

    if (own_target (m, bound->ssrc) == &m->own.target) {
      const GstRtpCcTarget stream = merge_stream (m, bound, bound->ssrc);

      events[n++] = gst_rtp_cc_event_new (&stream);
    }
  }
  t.share = m->share;
  t.streams = n - 1;
  events[0] = gst_rtp_cc_event_new (&t);
  return n;
}

/* The first thread in pushes for all that come meanwhile. So an older target never overtakes a
 * newer one, and no lock is held across the push. */
static void
push_locked (GstRtpCcTargetAggregator * m)
{
  m->changed = TRUE;
  if (m->pushing)
    return;
  m->pushing = TRUE;
  while (m->changed) {
    GstEvent *events[EVENTS_MOST];
    const guint n = make_events (m, events);

    m->changed = FALSE;
    push_unlocked (m, events, n);
  }
  m->pushing = FALSE;
}

void
gst_rtp_cc_target_aggregator_own (GstRtpCcTargetAggregator * m,
    const GstRtpCcTarget * own, const GstRtpCcTarget * streams, guint n)
{
  g_return_if_fail (n <= GST_RTP_CC_TARGET_AGGREGATOR_STREAMS);

  g_mutex_lock (&m->lock);
  set_side (&m->own, own);
  for (guint i = 0; i < n; i++) {
    m->streams[i] = m->own.target;
    m->streams[i].ssrc = streams[i].ssrc;
    m->streams[i].target_bps = streams[i].target_bps;
    m->streams[i].rtt = streams[i].rtt;
  }
  m->n_streams = n;
  push_locked (m);
  g_mutex_unlock (&m->lock);
}

void
gst_rtp_cc_target_aggregator_set_pad (GstRtpCcTargetAggregator * m,
    GstPad * sinkpad)
{
  g_mutex_lock (&m->lock);
  m->sinkpad = sinkpad;
  if (sinkpad && (m->own.target.target_bps != GST_RTP_CC_UNBOUND
          || m->below.target.target_bps != GST_RTP_CC_UNBOUND
          || m->n_streams > 0))
    push_locked (m);
  g_mutex_unlock (&m->lock);
}

/* Those that the last event for all announced stand in front, in the order in which they came. When
 * it was all of them, the others are over (TRUE).  Where there is no room, they make it. */
static gboolean
keep_bound (GstRtpCcTargetAggregator * m, const GstRtpCcTarget * target)
{
  Side *all = m->bounds.streams, other;
  gint at = find_bound (m, target->ssrc);
  gboolean over;

  if (at < 0 && m->bounds.n < GST_RTP_CC_TARGET_AGGREGATOR_STREAMS)
    at = (gint) m->bounds.n++;
  if (at < 0)
    at = (gint) m->bounds.said;
  if ((guint) at >= m->bounds.said && m->bounds.said < m->bounds.n) {
    other = all[m->bounds.said];
    all[m->bounds.said] = all[at];
    all[at] = other;
    at = (gint) m->bounds.said++;
  }
  if (at < GST_RTP_CC_TARGET_AGGREGATOR_STREAMS)
    set_side (&all[at], target);
  if (m->bounds.due == 0 || --m->bounds.due > 0)
    return FALSE;
  over = m->bounds.n > m->bounds.said;
  m->bounds.n = m->bounds.said;
  return over;
}

static void
take_below (GstRtpCcTargetAggregator * m, const GstRtpCcTarget * target)
{
  set_side (&m->below, target);
  m->below.target.streams = 0;
  m->bounds.said = 0;
  m->bounds.due = target->streams;
  if (target->streams == 0)
    m->bounds.n = 0;
}

gboolean
gst_rtp_cc_target_aggregator_event (GstRtpCcTargetAggregator * m,
    GstEvent * event)
{
  GstRtpCcTarget t, bounded;
  GstEvent *said;
  gboolean over;

  if (!gst_rtp_cc_event_is (event))
    return FALSE;
  g_mutex_lock (&m->lock);
  if (!gst_rtp_cc_event_parse (event, &t)) {
    said = gst_event_ref (event);
    push_unlocked (m, &said, 1);
  } else if (t.ssrc == 0) {
    take_below (m, &t);
    push_locked (m);
  } else {
    over = keep_bound (m, &t);
    bounded = merge_stream (m, &t, t.ssrc);
    said = gst_rtp_cc_event_new (&bounded);
    push_unlocked (m, &said, 1);
    if (over)
      push_locked (m);
  }
  g_mutex_unlock (&m->lock);
  gst_event_unref (event);
  return TRUE;
}

/* --- transport-wide feedback ---------------------------------------------- */

const GstStructure *
gst_rtp_cc_twcc_packet (GstEvent * event, guint i)
{
  const GValue *value =
      gst_structure_get_value (gst_event_get_structure (event), "packets");
  GValueArray *array;

  G_GNUC_BEGIN_IGNORE_DEPRECATIONS;
  if (!value || !G_VALUE_HOLDS (value, g_value_array_get_type ()))
    return NULL;
  array = g_value_get_boxed (value);
  value = array && i < array->n_values ? g_value_array_get_nth (array, i) : NULL;
  G_GNUC_END_IGNORE_DEPRECATIONS;
  return value && GST_VALUE_HOLDS_STRUCTURE (value)
      ? gst_value_get_structure (value) : NULL;
}
