/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * gstlinkpath-private.h - what a path and its queues know of each other. A path is the link and
 * its task, a queue is pads and what is on its way between them.
 *
 * All functions here want the path's lock held, but for gst_link_items_free().
 */
#ifndef GST_LINK_PATH_PRIVATE_H
#define GST_LINK_PATH_PRIVATE_H

#include "link/gstlinkpath.h"

/* A buffer or a serialised event on its way through a queue.  A buffer's item is the
 * link's cookie too, and stays alive until the link has given it back. */
typedef struct
{
  GstLinkQueue *queue;          /* NULL: flushed, only the link still knows it */
  GstMiniObject *object;        /* NULL: dropped */
  gboolean settled;             /* an event, or out of the link */
  RccTime delivered;
} GstLinkItem;

struct _GstLinkQueue
{
  GstLinkPath *path;
  GstPad *sink, *src;
  GQueue items;                 /* in order of arrival */
  GQueue kept;                  /* sticky events that a flush does not take */
  GstSegment segment;           /* as pushed last */
  GstFlowReturn flow;           /* of the last push */
  gboolean flushing, eos;
};

struct _GstLinkPath
{
  GstElement *element;
  RccDirection direction;
  GstLinkPathChanged changed_func;
  GstTask *task;
  GRecMutex task_lock;

  GMutex lock;                  /* all below; never held across a push */
  GCond cond;
  GList *queues;
  RccLink link;
  RccScenarioRun run;
  GQueue out;                   /* items whose turn it is */
  GstLinkQueue *pushing;
  gboolean running, playing, changed, do_timestamp;
  GstClock *clock;
  GstClockTime zero;            /* the link's 0 on the clock; NONE: never played */
  RccTime now;                  /* the latest, survives a change of clock */
  GstClockID id;                /* what the task sleeps on */
  RccTime wake_at;              /* 0: it is awake */
};

/* Brings the link to the clock's time: everything that is done to it begins here. */
RccTime gst_link_path_sync (GstLinkPath * path);
void gst_link_path_wake (GstLinkPath * path);
/* If what was just done makes the task's sleep too long. */
void gst_link_path_wake_if_due (GstLinkPath * path);

void gst_link_item_free (GstLinkItem * item);
/* The codepoint that the link gave the packet. */
void gst_link_item_set_ecn (GstLinkItem * item, RccEcn ecn);
/* A dropped packet keeps its place and loses its buffer, to @trash. */
void gst_link_item_drop (GstLinkItem * item, GQueue * trash);
/* What a flush must not take away: the receiver would never hear of it again. */
gboolean gst_link_item_outlives_flush (GstLinkItem * item);
void gst_link_items_move (GQueue * from, GQueue * to);
/* Without a lock: buffers and events are freed. */
void gst_link_items_free (GQueue * items);

/* Moves what nothing stands before any more from the queue to the path's output. */
void gst_link_queue_settle (GstLinkQueue * queue);
/* Empties the queue; a buffer that the link still has is cut off from its item. */
void gst_link_queue_clear (GstLinkQueue * queue, GQueue * trash);
void gst_link_queue_reset (GstLinkQueue * queue);

#endif
