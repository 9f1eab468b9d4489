/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * adapter/watch.h - a probe on a pad of the encoder, which is not ours
 *
 * The encoder goes on while we are taken out of the pipeline: as long as the probe may be called,
 * it keeps our element.
 */
#ifndef GST_RTP_CC_WATCH_H
#define GST_RTP_CC_WATCH_H

#include <gst/gst.h>

typedef GstPadProbeReturn (*GstRtpCcWatcher) (gpointer data, GstBuffer *buffer);

typedef struct {
  GstPad *pad;                          /* owned; NULL: none is watched */
  gulong probe;
} GstRtpCcWatch;

/* Each buffer of @encoder's pad @name is shown to @watcher, whose @data is a part of @element.
 * Nothing changes where that pad is watched already, or there is none. */
void gst_rtp_cc_watch_begin (GstRtpCcWatch *w, GstElement *encoder, const gchar *name,
    GstRtpCcWatcher watcher, GstElement *element, gpointer data);
void gst_rtp_cc_watch_end (GstRtpCcWatch *w);

#endif
