/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * sbpn-reference.h - the scheduler's rules in their plainest form: one array of all
 * packets, sorted by (priority, expiry) whenever somebody asks, as the paper has it in
 * 4.3, and a table of all frames that ever were
 */
#ifndef SBPN_REFERENCE_H
#define SBPN_REFERENCE_H

#include "core/rng.h"

#include "fixture.h"

#define CLASSES 6

typedef struct {
  RccSbpnPacket packet;
  RccTime queued;
  guint64 number;
  gboolean doomed, begun;
} Waiting;

typedef struct {                        /* of a frame, for ever */
  RccTime expiry;
  gboolean keep, begun, broken;
} Frame;

typedef struct {
  Fixture f;
  RccRng rng;
  RccTime now;
  GPtrArray *waiting;                   /* in order of arrival */
  GHashTable *frames[CLASSES];
  guint64 frame[CLASSES];               /* newest */
  RccSbpnCounters total, classes[CLASSES];
  guint64 numbers;
  GPtrArray *sorted;
} World;

static guint32
draw (World *w, guint32 n)
{
  return rcc_rng_u32 (&w->rng) % n;
}

static RccTime
deadline (const World *w)
{
  return w->now + w->f.q.owd;
}

static gboolean
is_live (const World *w, const Waiting *p)
{
  return p->packet.keep || p->packet.expiry >= deadline (w);
}

static const RccSbpnClassConfig *
config_of (const World *w, const Waiting *p)
{
  return &rcc_sbpn_class (&w->f.q, p->packet.class_index)->config;
}

static gint
compare (gconstpointer a, gconstpointer b, gpointer world)
{
  const Waiting *x = *(Waiting **) a, *y = *(Waiting **) b;
  const guint p = config_of (world, x)->priority, q = config_of (world, y)->priority;

  if (p != q)
    return p < q ? -1 : 1;
  if (x->packet.expiry != y->packet.expiry)
    return x->packet.expiry < y->packet.expiry ? -1 : 1;
  return x->number < y->number ? -1 : 1;
}

/* The paper's queue: all that is not doomed, sorted. */
static void
sort (World *w)
{
  g_ptr_array_set_size (w->sorted, 0);
  for (guint i = 0; i < w->waiting->len; i++)
    if (!((Waiting *) w->waiting->pdata[i])->doomed)
      g_ptr_array_add (w->sorted, w->waiting->pdata[i]);
  g_ptr_array_sort_with_data (w->sorted, compare, w);
}

static Waiting *
find (World *w, gpointer handle)
{
  for (guint i = 0; i < w->waiting->len; i++) {
    Waiting *p = w->waiting->pdata[i];

    if (p->packet.handle == handle)
      return p;
  }
  g_assert_not_reached ();              /* what comes back was put, and only once */
}

static Frame *
frame_of (World *w, const RccSbpnPacket *p)
{
  return p->frame ? g_hash_table_lookup (w->frames[p->class_index], &p->frame) : NULL;
}

/* @rest also means the packets of the frame that wait already. */
static void
tell_rest (World *w, const RccSbpnPacket *of, gboolean dooms, gboolean keeps)
{
  for (guint i = 0; i < w->waiting->len; i++) {
    Waiting *p = w->waiting->pdata[i];

    if (p->packet.class_index == of->class_index && p->packet.frame == of->frame) {
      p->doomed |= dooms;
      p->packet.keep |= keeps && !p->doomed;
    }
  }
}

static void
add (World *w, RccSbpnPacket p)
{
  Waiting *waiting = g_new0 (Waiting, 1);
  RccSbpnCounters *counters[] = { &w->total, &w->classes[p.class_index] };
  Frame *frame = frame_of (w, &p);

  if (p.frame && frame == NULL) {
    frame = g_new0 (Frame, 1);
    frame->expiry = p.expiry;
    g_hash_table_insert (w->frames[p.class_index], g_memdup2 (&p.frame, sizeof p.frame), frame);
  }
  if (frame) {
    frame->keep |= p.keep;
    if (p.keep)
      tell_rest (w, &p, FALSE, TRUE);
    p.expiry = frame->expiry;
    p.keep = frame->keep;
  }
  *waiting = (Waiting) { .packet = p, .queued = w->now, .number = w->numbers++ };
  waiting->doomed = frame && frame->broken
      && rcc_sbpn_class (&w->f.q, p.class_index)->config.whole_frames;
  g_ptr_array_add (w->waiting, waiting);
  for (guint i = 0; i < 2; i++) {
    counters[i]->in.packets++;
    counters[i]->in.bytes += p.size;
    counters[i]->queued.packets++;
    counters[i]->queued.bytes += p.size;
  }
}

/* @p is gone; @cause: RCC_SBPN_CAUSES where it was sent. */
static void
gone (World *w, Waiting *p, RccSbpnCause cause, const RccSbpnOut *out)
{
  RccSbpnCounters *counters[] = { &w->total, &w->classes[p->packet.class_index] };
  Frame *frame = frame_of (w, &p->packet);
  const gboolean begun = frame && frame->begun;
  const gboolean breaks = frame && !frame->broken && cause < RCC_SBPN_FRAME;

  g_assert_cmpint (out->frame_begun, ==, begun);
  g_assert_cmpint (out->breaks_frame, ==, breaks);
  g_assert_cmpuint (out->queue_time, ==, cause == RCC_SBPN_FLUSHED ? 0 : w->now - p->queued);
  if (frame && cause == RCC_SBPN_CAUSES && !frame->begun) {
    frame->begun = TRUE;
    if (config_of (w, p)->whole_frames) {
      frame->keep = TRUE;
      tell_rest (w, &p->packet, FALSE, TRUE);
    }
  }
  for (guint i = 0; i < 2; i++) {
    RccSbpnCount *c = cause == RCC_SBPN_CAUSES ? &counters[i]->sent
        : &counters[i]->dropped[cause];

    c->packets++;
    c->bytes += p->packet.size;
    counters[i]->queued.packets--;
    counters[i]->queued.bytes -= p->packet.size;
    counters[i]->sent_expired.packets += out->expired;
    counters[i]->sent_expired.bytes += out->expired ? p->packet.size : 0;
    counters[i]->broken_frames += breaks;
    counters[i]->broken_begun += breaks && begun;
  }
  if (breaks) {
    frame->broken = TRUE;
    if (config_of (w, p)->whole_frames)
      tell_rest (w, &p->packet, TRUE, FALSE);
  }
  g_ptr_array_remove (w->waiting, p);
}

/* All that is queued is @p, or its frame where that is a whole one. */
static gboolean
is_alone (World *w, const Waiting *p)
{
  for (guint i = 0; i < w->waiting->len; i++) {
    const Waiting *other = w->waiting->pdata[i];

    if (other != p && (!config_of (w, p)->whole_frames || p->packet.frame == 0
            || other->packet.class_index != p->packet.class_index
            || other->packet.frame != p->packet.frame))
      return FALSE;
  }
  return TRUE;
}

static Waiting *
first_live (World *w, guint class_index)
{
  for (guint i = 0; i < w->sorted->len; i++) {
    Waiting *p = w->sorted->pdata[i];

    if (is_live (w, p) && (class_index == RCC_SBPN_ALL || p->packet.class_index == class_index))
      return p;
  }
  return NULL;
}

/* What the rules say leaves next, sent or not; weighted: of the class of @out. */
static Waiting *
expected (World *w, const RccSbpnOut *out, RccSbpnVerdict *verdict)
{
  Waiting *head, *live;

  sort (w);
  *verdict = RCC_SBPN_SEND;
  head = w->sorted->pdata[0];
  live = first_live (w, RCC_SBPN_ALL);
  switch (w->f.q.config.mode) {
    case RCC_SBPN_FIFO:
      for (guint i = 1; i < w->sorted->len; i++)
        if (((Waiting *) w->sorted->pdata[i])->number < head->number)
          head = w->sorted->pdata[i];
      return head;
    case RCC_SBPN_1:
      *verdict = is_live (w, head) ? RCC_SBPN_SEND : RCC_SBPN_DROP;
      return head;
    case RCC_SBPN_2:
      *verdict = is_live (w, head) || is_alone (w, head) ? RCC_SBPN_SEND : RCC_SBPN_DROP;
      return head;
    case RCC_SBPN_3:
      return live ? live : head;
    case RCC_SBPN_WEIGHTED:
      return live ? first_live (w, out->packet.class_index) : head;
  }
  return NULL;
}

/* Weighted: no class with something to lose holds more for its weight. */
static void
holds_most (World *w, const Waiting *victim, gboolean by_bytes)
{
  const RccSbpnClass *c = rcc_sbpn_class (&w->f.q, victim->packet.class_index);
  const RccSbpnCount *held = &w->classes[victim->packet.class_index].queued;

  for (guint i = 0; i < w->sorted->len; i++) {
    const Waiting *p = w->sorted->pdata[i];
    const RccSbpnCount *other = &w->classes[p->packet.class_index].queued;

    if (p->packet.keep == victim->packet.keep)
      g_assert_cmpuint ((by_bytes ? held->bytes : held->packets) * config_of (w, p)->weight,
          >=, (by_bytes ? other->bytes : other->packets) * c->config.weight);
  }
}

/* Who should give way for want of room; weighted: given the class. */
static Waiting *
expected_victim (World *w, guint class_index)
{
  const RccSbpnMode mode = w->f.q.config.mode;
  Waiting *last[2] = { NULL, NULL }, *expired = NULL, *youngest = NULL;

  sort (w);
  for (guint i = 0; i < w->sorted->len; i++) {
    Waiting *p = w->sorted->pdata[i];

    if (youngest == NULL || p->number > youngest->number)
      youngest = p;
    if (!is_live (w, p) && (expired == NULL
            || config_of (w, p)->priority > config_of (w, expired)->priority))
      expired = p;
    if (mode != RCC_SBPN_WEIGHTED || p->packet.class_index == class_index)
      last[p->packet.keep] = p;
  }
  if (mode == RCC_SBPN_FIFO)
    return youngest;
  if (expired)
    return expired;
  return last[0] ? last[0] : last[1];
}

static Waiting *
oldest (World *w)
{
  for (guint i = 0; i < w->waiting->len; i++) {
    Waiting *p = w->waiting->pdata[i];

    if (!p->packet.keep || w->f.q.config.mode == RCC_SBPN_FIFO)
      return p;
  }
  return NULL;
}

#endif
