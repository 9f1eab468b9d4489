/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "punctual.h"

void
call_moments_add (CallMoments *m, guint32 ssrc, guint32 timestamp, GstClockTime now)
{
  if (m->count && m->ssrc == ssrc
      && m->ring[(m->count - 1) % CALL_MOMENTS].timestamp == timestamp)
    return;
  if (m->ssrc != ssrc)
    m->count = 0;
  m->ssrc = ssrc;
  m->ring[m->count % CALL_MOMENTS].timestamp = timestamp;
  m->ring[m->count % CALL_MOMENTS].at = now;
  m->count++;
}

/* From the newest on: what is looked for came a moment ago. */
GstClockTime
call_moments_find (const CallMoments *m, guint32 ssrc, guint32 timestamp)
{
  const guint64 kept = MIN (m->count, CALL_MOMENTS);

  if (m->ssrc != ssrc)
    return GST_CLOCK_TIME_NONE;
  for (guint64 i = 1; i <= kept; i++)
    if (m->ring[(m->count - i) % CALL_MOMENTS].timestamp == timestamp)
      return m->ring[(m->count - i) % CALL_MOMENTS].at;
  return GST_CLOCK_TIME_NONE;
}

GstClockTime
call_running_time (GstPad *pad, GstBuffer *buffer)
{
  GstEvent *event = gst_pad_get_sticky_event (pad, GST_EVENT_SEGMENT, 0);
  GstClockTime time = GST_CLOCK_TIME_NONE;
  const GstSegment *segment;

  if (!event)
    return time;
  gst_event_parse_segment (event, &segment);
  time = gst_segment_to_running_time (segment, GST_FORMAT_TIME, GST_BUFFER_PTS (buffer));
  gst_event_unref (event);
  return time;
}
