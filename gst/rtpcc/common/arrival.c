/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/common/arrival.h"

#include "rtpcc/common/utils.h"

/* A stamp older than the longest queue in front of us is no capture time. */
#define STAMP_MAX_AGE ((gint64) GST_SECOND)

#define STAMP_MAX ((GstClockTime) G_MAXINT64 / 2)       /* NONE is beyond it */

static void
forget_segment (GstRtpCcArrival * a)
{
  gst_segment_init (&a->segment, GST_FORMAT_UNDEFINED);
  a->plain = FALSE;
}

void
gst_rtp_cc_arrival_init (GstRtpCcArrival * a, GstElement * element)
{
  a->element = element;
  forget_segment (a);
  gst_rtp_cc_arrival_restart (a);
}

void
gst_rtp_cc_arrival_restart (GstRtpCcArrival * a)
{
  a->epoch = 0;
  a->arrived = 0;
}

/* udpsrc with socket-timestamp gives what came before the pipeline's clock ran the clock's time in
 * place of the running time. A jitterbuffer would wait for it as long as the machine is up. */
static GstPadProbeReturn
mend_stamp (GstPad * pad, GstPadProbeInfo * info, gpointer element)
{
  const GstClockTime running = gst_element_get_current_running_time (element);
  const GstClockTime clock = running + gst_element_get_base_time (element);
  GstBuffer *buffer = GST_PAD_PROBE_INFO_DATA (info);
  GstClockTime stamp;

  if (!(GST_PAD_PROBE_INFO_TYPE (info) & GST_PAD_PROBE_TYPE_BUFFER)
      || !GST_CLOCK_TIME_IS_VALID (running))
    return GST_PAD_PROBE_REMOVE;
  stamp = GST_BUFFER_DTS (buffer);
  if (stamp > STAMP_MAX || (gint64) (stamp - running) <= STAMP_MAX_AGE
      || ABS ((gint64) (stamp - clock)) > STAMP_MAX_AGE)
    return GST_PAD_PROBE_REMOVE;
  GST_PAD_PROBE_INFO_DATA (info) = buffer = gst_buffer_make_writable (buffer);
  GST_BUFFER_DTS (buffer) = running;
  GST_BUFFER_PTS (buffer) = GST_CLOCK_TIME_NONE;
  return GST_PAD_PROBE_OK;
}

void
gst_rtp_cc_arrival_event (GstRtpCcArrival * a, GstPad * pad, GstEvent * event)
{
  if (GST_EVENT_TYPE (event) == GST_EVENT_SEGMENT) {
    gst_event_copy_segment (event, &a->segment);
    a->plain = gst_rtp_cc_segment_is_plain (&a->segment);
    if (a->plain)
      gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_BUFFER_LIST,
          mend_stamp, a->element, NULL);
  } else if (GST_EVENT_TYPE (event) == GST_EVENT_FLUSH_STOP) {
    forget_segment (a);
  }
}

/* The capture time on the driver's clock. A stamp that cannot be one gives way to the driver's
 * time: media time, another base time, a clock that jumped. The epoch moves with the base time
 * and is looked up anew only then. */
static RccTime
capture_time (GstRtpCcArrival * a, GstClockTime stamp, RccTime now)
{
  GstClockTime running;
  gint64 age;

  if (stamp > STAMP_MAX)
    return now;
  age = (gint64) (now - stamp) - a->epoch;
  if (age < 0 || age > STAMP_MAX_AGE) {
    running = gst_element_get_current_running_time (a->element);
    if (!GST_CLOCK_TIME_IS_VALID (running))
      return now;
    a->epoch = (gint64) (now - running);
    age = (gint64) (running - stamp);
  }
  return age < 0 || age > STAMP_MAX_AGE ? now : now - (RccTime) age;
}

RccTime
gst_rtp_cc_arrival_time (GstRtpCcArrival * a, GstBuffer * buffer, RccTime now)
{
  GstClockTime stamp = GST_BUFFER_DTS_OR_PTS (buffer);

  if (GST_CLOCK_TIME_IS_VALID (stamp) && !a->plain)
    stamp = a->segment.format != GST_FORMAT_TIME ? GST_CLOCK_TIME_NONE
        : gst_segment_to_running_time (&a->segment, GST_FORMAT_TIME, stamp);
  a->arrived = MAX (a->arrived, capture_time (a, stamp, now));
  return a->arrived;
}
