/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * gstlinkpath.h - one direction of linksim: an RccLink on a GstClock
 *
 * A path is shared by queues, one for each pair of a sink and a source pad, whose packets
 * share one link.  One task per path takes out what is due, pushes it, and sleeps to the next
 * event on the clock.  The link's time 0 is the first gst_link_path_play().
 */
#ifndef GST_LINK_PATH_H
#define GST_LINK_PATH_H

#include <gst/gst.h>

#include "link/scenario.h"

/* A custom meta (gst_meta_register_custom()) with a guint field "ecn": the packet's
 * ECN codepoint, an RccEcn.  Packets without it are Not-ECT. */
#define GST_LINK_ECN_META "linksim-ecn"
#define GST_LINK_ECN_FIELD "ecn"

typedef struct _GstLinkPath GstLinkPath;
typedef struct _GstLinkQueue GstLinkQueue;

/* The scenario or a property changed the link; called without locks. */
typedef void (*GstLinkPathChanged) (GstElement * element, RccDirection direction,
    RccTime when, guint64 capacity_bps, RccTime delay);
typedef void (*GstLinkPathModify) (RccLinkConfig * config, gpointer data);

GstLinkPath *gst_link_path_new (GstElement * element, RccDirection direction,
    GstLinkPathChanged changed);
void gst_link_path_free (GstLinkPath * path);

/* READY to PAUSED: an empty link.  @scenario may be NULL; it must live until it is
 * replaced or the path has stopped. */
void gst_link_path_start (GstLinkPath * path, const RccScenario * scenario,
    const RccLinkConfig * base, guint64 seed);
void gst_link_path_set_clock (GstLinkPath * path, GstClock * clock);
/* @zero, on the clock, is the link's time 0 if it has none yet. */
void gst_link_path_play (GstLinkPath * path, GstClockTime zero);
void gst_link_path_pause (GstLinkPath * path);
/* PAUSED to READY: before the pads are deactivated, and after. */
void gst_link_path_stop (GstLinkPath * path);
void gst_link_path_join (GstLinkPath * path);

/* At once: */
void gst_link_path_set_scenario (GstLinkPath * path, const RccScenario * scenario,
    const RccLinkConfig * base);
void gst_link_path_modify (GstLinkPath * path, GstLinkPathModify modify,
    gpointer data);
void gst_link_path_set_do_timestamp (GstLinkPath * path, gboolean do_timestamp);
RccLinkStats gst_link_path_stats (GstLinkPath * path);

GstLinkQueue *gst_link_path_add_queue (GstLinkPath * path, GstPad * sink,
    GstPad * src);
/* Deactivates its pads and waits for its last push; then nothing may use it. */
void gst_link_path_detach_queue (GstLinkPath * path, GstLinkQueue * queue);
void gst_link_path_remove_queue (GstLinkPath * path, GstLinkQueue * queue);
/* The queue's other pad. */
GstPad *gst_link_queue_partner (GstLinkQueue * queue, GstPad * pad);
GstFlowReturn gst_link_queue_push (GstLinkQueue * queue, GstBuffer * buffer);
GstFlowReturn gst_link_queue_push_list (GstLinkQueue * queue, GstBufferList * list);
gboolean gst_link_queue_event (GstLinkQueue * queue, GstEvent * event);

#endif
