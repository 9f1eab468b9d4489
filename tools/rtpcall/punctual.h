/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * punctual.h - when media came to the mux, for those who see their packets later
 *
 * Packets are known by SSRC and RTP timestamp, which nobody between changes, unlike
 * sequence numbers: those of a frame are one.  No lock of its own.
 */
#ifndef RTPCALL_PUNCTUAL_H
#define RTPCALL_PUNCTUAL_H

#include <gst/gst.h>

#define CALL_MOMENTS 1024               /* of 120 frames a second, those of 8 s */

typedef struct {
  guint32 ssrc;
  guint64 count;                        /* ever; the last CALL_MOMENTS are kept */
  struct {
    guint32 timestamp;
    GstClockTime at;
  } ring[CALL_MOMENTS];
} CallMoments;

/* A packet came.  Of a frame only the first one counts. */
void call_moments_add (CallMoments *m, guint32 ssrc, guint32 timestamp, GstClockTime now);
/* When its frame came; GST_CLOCK_TIME_NONE: it is not of this stream, or too old. */
GstClockTime call_moments_find (const CallMoments *m, guint32 ssrc, guint32 timestamp);

/* Of a picture that passes @pad, raw or coded: x264enc's timestamps begin at 1000 h, its
 * running time does not.  GST_CLOCK_TIME_NONE: not known. */
GstClockTime call_running_time (GstPad *pad, GstBuffer *buffer);

#endif
