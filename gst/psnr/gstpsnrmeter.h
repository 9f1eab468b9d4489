/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * gstpsnrmeter.h - what the psnr element does with its frames
 *
 * Pairs, waits, scores and posts, for two streaming threads that come as they
 * like.  One of them at a time scores all that can be scored, so that messages
 * keep the order of the reference frames.  The lock is never held while a picture
 * is read, a message posted or an event pushed.
 */
#ifndef GST_PSNR_METER_H
#define GST_PSNR_METER_H

#include "psnr/gstpsnrsettings.h"
#include "psnr/gstpsnrvideo.h"

typedef struct {
  GstPad *pad;
  GstSegment segment;           /* with info: of the pad's streaming thread */
  GstVideoInfo info;
  gboolean asked;               /* the latency query; this and below: lock */
  gboolean live, flushing, eos, linked;
} PsnrSide;

typedef struct {
  GstElement *element;          /* in whose name messages go out */
  GstPad *src;                  /* where EOS goes when all is scored */
  PsnrSide ref, dist;

  GMutex lock;                  /* all below */
  GCond room;                   /* a queue got shorter, or waiting is over */
  PsnrSettings settings;
  FrameMatch match;
  FrameMatchStats match_stats;  /* of the last run, while not ready */
  gboolean ready;               /* match is initialised */
  gboolean scoring;             /* a thread is at it: it does all there is */
  gboolean gone;                /* nobody takes the distorted frames any more */
  gboolean done;                /* the pooled message is out */
  PsnrPool pool;
  guint64 unscored;             /* pairs that could not be compared */
  guint64 references;           /* frames that came to ref_sink */
  gint64 near;                  /* last stamp read, unwrapped */
  gboolean have_near;
  GstCaps *reference;           /* of the timestamp metas in use */
  GstClockTime last_time;
  GstEvent *eos;                /* of dist_sink, until the pooled message is out */
  GstFlowReturn flow;
} PsnrMeter;

void psnr_meter_init (PsnrMeter *self, GstElement *element);
void psnr_meter_clear (PsnrMeter *self);

gboolean psnr_meter_start (PsnrMeter *self);    /* forgets the run before */
void psnr_meter_unblock (PsnrMeter *self);      /* nobody waits any more, until start */
void psnr_meter_stop (PsnrMeter *self);         /* no streaming thread may be left */

/* Of the side's streaming thread.  take() may wait, where the side is not live;
 * it keeps its own reference of @buffer. */
GstFlowReturn psnr_meter_take (PsnrMeter *self, PsnrSide *side, GstBuffer *buffer);
void psnr_meter_new_stream (PsnrMeter *self, PsnrSide *side);
void psnr_meter_end (PsnrMeter *self, PsnrSide *side, GstEvent *eos);  /* takes @eos */
void psnr_meter_gone (PsnrMeter *self); /* downstream takes no more: finish */

/* Of any thread. */
void psnr_meter_set_flushing (PsnrMeter *self, PsnrSide *side, gboolean flushing);
void psnr_meter_set_linked (PsnrMeter *self, PsnrSide *side, gboolean linked);
GstStructure *psnr_meter_stats (PsnrMeter *self);

#endif
