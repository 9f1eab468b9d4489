/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * framematch.h - which picture did the viewer see in the place of each
 * reference frame?
 *
 * Reference and distorted frames come in, each with a position: a frame number (tolerance 0) or a
 * time in ns. Positions of either side rise. Out comes, for each reference frame and in their
 * order, the picture on screen in its place. That is the latest distorted frame at or before it
 * (within the tolerance). If that picture was on screen for an earlier reference frame already,
 * the screen stood still. The frame is frozen, and is scored against the old picture.
 *
 * A reference frame is decided as soon as its distorted frame or a later one is there. Or it is
 * when no more distorted frames will come. Unless told to wait, it is also decided when it has
 * waited @max_delay, or @depth frames are held. There is no clock, and what a given input yields
 * does not depend on how fast it came.
 *
 * Waiting ends also where it has no point. Then the queue on this side is full, and more than
 * @depth / 4 + 8 frames in a row of the other one matched nothing. Stamps are unreadable or
 * timestamps shifted then. Where one tee feeds both sides, waiting on would stop the very branch
 * that is waited for. Only reference frames as old as what came in vain are given up. The last
 * pair tells how far the sides are apart. Else a film that plays as fast as it is let would run
 * away from a call whose pictures are broken for seconds. All that follows would be late.
 *
 * Memory: at most @depth frames of either side and one on screen.  Frames are
 * handles of the caller's; what is not handed back through framematch_next() is
 * given to release().
 */
#ifndef PSNR_FRAMEMATCH_H
#define PSNR_FRAMEMATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FRAMEMATCH_NEVER UINT64_MAX

typedef struct {
  int64_t position;             /* frame number, or ns */
  uint64_t time;                /* ns; when it is due on screen; of a distorted
                                   frame FRAMEMATCH_NEVER: unknown */
  uint64_t duration;            /* ns; FRAMEMATCH_NEVER: unknown */
  void *frame;
} FrameMatchFrame;

typedef struct {
  int64_t tolerance;            /* >= 0, in units of position; less than half of
                                   the distance of two frames */
  uint64_t max_delay;           /* ns; FRAMEMATCH_NEVER: no limit */
  uint32_t depth;               /* frames held of either side, >= 1 */
  bool wait;                    /* hold a full queue, for its caller to wait */
  void (*release) (void *frame);
} FrameMatchConfig;

typedef struct {                /* reference frames = matched + frozen + unshown */
  uint64_t matched;             /* saw a picture that was new on screen */
  uint64_t frozen;              /* saw the picture of an earlier one again */
  uint64_t unshown;             /* nothing was on screen yet */
  uint64_t refused;             /* reference frames without place or in disorder */
  uint64_t late;                /* distorted frames whose reference was decided */
  uint64_t duplicate;           /* distorted frames of a position seen before */
  uint64_t unknown;             /* distorted frames that belong to no reference */
  uint64_t freezes;             /* runs of frozen frames */
  uint64_t freeze_time;         /* ns, all of them */
  uint64_t longest_freeze;      /* ns, from the first frozen frame of a run to the
                                   next frame that was not */
} FrameMatchStats;

typedef struct {
  FrameMatchFrame *item;
  uint32_t head, count;
} FrameMatchQueue;

typedef struct {
  FrameMatchConfig config;
  FrameMatchStats stats;
  FrameMatchQueue refs, dists;
  FrameMatchFrame shown;
  bool on_screen, shown_scored, shown_late;
  bool have_ref, have_dist, have_decided;
  int64_t last_ref, last_dist, last_decided;
  uint64_t last_time, interval;
  bool refs_end, dists_end;
  uint32_t vain_refs, vain_dists;       /* in a row, that moved nothing */
  uint64_t vain_time;           /* of the last of these of the distorted side */
  bool have_lag;
  uint64_t lag;                 /* of the last pair, distorted behind reference, modulo 2^64 */
  bool in_freeze;
  uint64_t freeze_start, freeze_end;
} FrameMatch;

typedef struct {
  FrameMatchFrame ref;          /* now the caller's */
  FrameMatchFrame shown;        /* borrowed: valid until the next call */
  bool visible;                 /* false: unshown, there is no @shown */
  bool frozen;
} FrameMatchPair;

/* False where there is no memory. */
bool framematch_init (FrameMatch *m, const FrameMatchConfig *config);
void framematch_clear (FrameMatch *m);

/* Takes @f->frame in any case.  Where the queue is full the frame is refused
 * and counted: call framematch_next() until it is false before. */
void framematch_add_ref (FrameMatch *m, const FrameMatchFrame *f);
void framematch_add_dist (FrameMatch *m, const FrameMatchFrame *f);

/* A frame that has no position: an unreadable stamp, no timestamp. */
void framematch_skip_ref (FrameMatch *m);       /* counts as refused */
/* Counts as unknown.  @time: as of a frame. */
void framematch_skip_dist (FrameMatch *m, uint64_t time);

/* The next frame would be refused, or push another one out: wait. */
bool framematch_ref_full (const FrameMatch *m);
bool framematch_dist_full (const FrameMatch *m);

/* No more of this side; may come before the other one is through. */
void framematch_end_refs (FrameMatch *m);
void framematch_end_dists (FrameMatch *m);

/* Forgets what is held of a side and where it was (seek); counts stay. */
void framematch_flush_refs (FrameMatch *m);
void framematch_flush_dists (FrameMatch *m);

/* The next decided reference frame.  Loop until false after each call that
 * adds or ends something. */
bool framematch_next (FrameMatch *m, FrameMatchPair *pair);

/* With a freeze that still lasts counted up to the last frame decided. */
FrameMatchStats framematch_stats (const FrameMatch *m);

#endif
