/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "psnr/framematch.h"
#include <stdlib.h>
#include <string.h>

static FrameMatchFrame *
queue_at (const FrameMatch *m, const FrameMatchQueue *q, uint32_t i)
{
  return &q->item[(q->head + i) % m->config.depth];
}

static FrameMatchFrame
queue_pop (const FrameMatch *m, FrameMatchQueue *q)
{
  FrameMatchFrame f = *queue_at (m, q, 0);

  q->head = (q->head + 1) % m->config.depth;
  q->count--;
  return f;
}

static void
queue_push (const FrameMatch *m, FrameMatchQueue *q, const FrameMatchFrame *f)
{
  *queue_at (m, q, q->count) = *f;
  q->count++;
}

static void
queue_drop (FrameMatch *m, FrameMatchQueue *q)
{
  while (q->count > 0)
    m->config.release (queue_pop (m, q).frame);
}

bool
framematch_init (FrameMatch *m, const FrameMatchConfig *config)
{
  *m = (FrameMatch) { .config = *config };
  m->refs.item = calloc (config->depth, sizeof (FrameMatchFrame));
  m->dists.item = calloc (config->depth, sizeof (FrameMatchFrame));
  if (m->refs.item && m->dists.item)
    return true;
  framematch_clear (m);
  return false;
}

static void
clear_screen (FrameMatch *m)
{
  if (m->on_screen && !m->shown_scored && !m->shown_late)
    m->stats.unknown++;
  if (m->on_screen)
    m->config.release (m->shown.frame);
  m->on_screen = m->shown_scored = m->shown_late = false;
}

void
framematch_clear (FrameMatch *m)
{
  queue_drop (m, &m->refs);
  queue_drop (m, &m->dists);
  clear_screen (m);
  free (m->refs.item);
  free (m->dists.item);
  memset (m, 0, sizeof *m);
}

static void
show (FrameMatch *m, const FrameMatchFrame *f, bool late)
{
  clear_screen (m);
  m->shown = *f;
  m->on_screen = true;
  m->shown_late = late;
}

bool
framematch_ref_full (const FrameMatch *m)
{
  return m->refs.count >= m->config.depth;
}

static bool
in_vain (const FrameMatch *m, uint32_t frames)
{
  return frames > m->config.depth / 4 + 8;
}

bool
framematch_dist_full (const FrameMatch *m)
{
  return m->dists.count >= m->config.depth && !in_vain (m, m->vain_refs);
}

void
framematch_add_ref (FrameMatch *m, const FrameMatchFrame *f)
{
  m->vain_refs++;
  if (framematch_ref_full (m) || (m->have_ref && f->position <= m->last_ref)) {
    m->stats.refused++;
    m->config.release (f->frame);
    return;
  }
  if (m->have_ref && f->time > m->last_time)
    m->interval = f->time - m->last_time;
  m->have_ref = true;
  m->last_ref = f->position;
  m->last_time = f->time;
  queue_push (m, &m->refs, f);
}

void
framematch_add_dist (FrameMatch *m, const FrameMatchFrame *f)
{
  m->vain_dists++;
  m->vain_time = f->time;
  if (m->have_dist && f->position <= m->last_dist) {
    (*(f->position == m->last_dist ? &m->stats.duplicate : &m->stats.late))++;
    m->config.release (f->frame);
    return;
  }
  m->have_dist = true;
  m->last_dist = f->position;
  /* Its place has passed, but it is what the viewer sees from now on.  What is
   * queued lies beyond the last decided frame, so nothing is overtaken here. */
  if (m->have_decided && f->position <= m->last_decided + m->config.tolerance) {
    m->stats.late++;
    show (m, f, true);
    return;
  }
  if (m->refs_end && m->refs.count == 0) {
    m->stats.unknown++;
    m->config.release (f->frame);
    return;
  }
  if (m->dists.count >= m->config.depth) {
    m->stats.unknown++;
    m->config.release (queue_pop (m, &m->dists).frame);
  }
  queue_push (m, &m->dists, f);
}

void
framematch_skip_ref (FrameMatch *m)
{
  m->vain_refs++;
  m->stats.refused++;
}

void
framematch_skip_dist (FrameMatch *m, uint64_t time)
{
  m->vain_dists++;
  m->vain_time = time;
  m->stats.unknown++;
}

void
framematch_end_refs (FrameMatch *m)
{
  m->refs_end = true;
}

void
framematch_end_dists (FrameMatch *m)
{
  m->dists_end = true;
}

void
framematch_flush_refs (FrameMatch *m)
{
  queue_drop (m, &m->refs);
  m->have_ref = m->have_decided = m->refs_end = m->have_lag = false;
}

void
framematch_flush_dists (FrameMatch *m)
{
  queue_drop (m, &m->dists);
  clear_screen (m);
  m->have_dist = m->dists_end = m->have_lag = false;
}

static bool
decided (const FrameMatch *m, const FrameMatchFrame *ref)
{
  if (m->on_screen && m->shown.position >= ref->position - m->config.tolerance)
    return true;
  return m->dists.count > 0 || m->dists_end;
}

/* Whether its own picture may be still to come, for what came in vain is older. */
static bool
is_ahead (const FrameMatch *m, const FrameMatchFrame *ref)
{
  return m->have_lag && m->vain_time != FRAMEMATCH_NEVER
      && (int64_t) (ref->time + m->lag - m->vain_time) > 0;
}

static void
note_lag (FrameMatch *m, const FrameMatchFrame *ref)
{
  if (m->shown.time == FRAMEMATCH_NEVER || m->shown.position < ref->position - m->config.tolerance)
    return;
  m->have_lag = true;
  m->lag = m->shown.time - ref->time;
}

static bool
given_up (const FrameMatch *m, const FrameMatchFrame *ref)
{
  const FrameMatchFrame *newest = queue_at (m, &m->refs, m->refs.count - 1);

  if (m->config.wait)
    return framematch_ref_full (m) && in_vain (m, m->vain_dists) && !is_ahead (m, ref);
  return framematch_ref_full (m) || (newest->time > ref->time
      && newest->time - ref->time > m->config.max_delay);
}

/* A freeze lasts from the first frozen frame to the next one that is not. */
static void
account (FrameMatch *m, const FrameMatchPair *pair)
{
  const FrameMatchFrame *ref = &pair->ref;

  if (!pair->visible) {
    m->stats.unshown++;
  } else if (pair->frozen) {
    uint64_t lasts = ref->duration != FRAMEMATCH_NEVER ? ref->duration : m->interval;

    m->stats.frozen++;
    if (!m->in_freeze) {
      m->in_freeze = true;
      m->stats.freezes++;
      m->freeze_start = ref->time;
    }
    m->freeze_end = ref->time + lasts;
  } else {
    m->stats.matched++;
    if (m->in_freeze) {
      if (ref->time > m->freeze_start)
        m->freeze_end = ref->time;
      m->stats = framematch_stats (m);
      m->in_freeze = false;
    }
  }
}

bool
framematch_next (FrameMatch *m, FrameMatchPair *pair)
{
  const FrameMatchFrame *ref;

  if (m->refs.count == 0) {
    /* nothing will ever ask for these */
    for (; m->refs_end && m->dists.count > 0; m->stats.unknown++)
      m->config.release (queue_pop (m, &m->dists).frame);
    return false;
  }
  ref = queue_at (m, &m->refs, 0);
  while (m->dists.count > 0
      && queue_at (m, &m->dists, 0)->position <= ref->position + m->config.tolerance) {
    FrameMatchFrame f = queue_pop (m, &m->dists);

    show (m, &f, false);
    m->vain_refs = 0;
  }
  if (decided (m, ref))
    m->vain_dists = 0;
  else if (!given_up (m, ref))
    return false;
  if (m->on_screen && !m->shown_scored)
    note_lag (m, ref);
  pair->ref = queue_pop (m, &m->refs);
  pair->shown = m->shown;
  pair->visible = m->on_screen;
  pair->frozen = m->on_screen && m->shown_scored;
  m->shown_scored = m->on_screen;
  m->have_decided = true;
  m->last_decided = pair->ref.position;
  account (m, pair);
  return true;
}

FrameMatchStats
framematch_stats (const FrameMatch *m)
{
  FrameMatchStats stats = m->stats;

  if (m->in_freeze && m->freeze_end > m->freeze_start) {
    uint64_t length = m->freeze_end - m->freeze_start;

    stats.freeze_time += length;
    if (length > stats.longest_freeze)
      stats.longest_freeze = length;
  }
  return stats;
}
