/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/sbpn/queue.h"

#define NONE RCC_SBPN_NONE
#define NO_LIST { NONE, NONE }

static inline RccSbpnEntry *
at (const RccSbpnQueue *q, uint32_t e)
{
  return &q->entries[e];
}

static inline uint32_t
prev (const RccSbpnQueue *q, RccSbpnLinkKind kind, uint32_t e)
{
  return at (q, e)->link[kind].prev;
}

static inline uint32_t
next (const RccSbpnQueue *q, RccSbpnLinkKind kind, uint32_t e)
{
  return at (q, e)->link[kind].next;
}

/* @after: RCC_SBPN_NONE puts it first. */
static void
list_insert (RccSbpnQueue *q, RccSbpnLinkKind kind, RccSbpnList *list, uint32_t after,
    uint32_t e)
{
  const uint32_t before = after == NONE ? list->first : next (q, kind, after);

  at (q, e)->link[kind].prev = after;
  at (q, e)->link[kind].next = before;
  *(after == NONE ? &list->first : &at (q, after)->link[kind].next) = e;
  *(before == NONE ? &list->last : &at (q, before)->link[kind].prev) = e;
}

static void
list_remove (RccSbpnQueue *q, RccSbpnLinkKind kind, RccSbpnList *list, uint32_t e)
{
  const uint32_t before = prev (q, kind, e), after = next (q, kind, e);

  *(before == NONE ? &list->first : &at (q, before)->link[kind].next) = after;
  *(after == NONE ? &list->last : &at (q, after)->link[kind].prev) = before;
}

void
rcc_sbpn_queue_forget (RccSbpnQueue *q, uint32_t k)
{
  for (unsigned i = 0; i < RCC_SBPN_FRAMES; i++)
    q->classes[k].frames[i] = (RccSbpnFrame) { .last = NONE };
}

void
rcc_sbpn_queue_grow (RccSbpnQueue *q, RccSbpnEntry *entries, uint32_t capacity)
{
  q->entries = entries;
  for (uint32_t e = capacity; e-- > q->capacity; q->free = e)
    at (q, e)->link[RCC_SBPN_ORDER].next = q->free;
  q->capacity = capacity;
}

void
rcc_sbpn_queue_grow_classes (RccSbpnQueue *q, RccSbpnClass *classes, uint32_t n)
{
  q->classes = classes;
  for (; q->n_classes < n; q->n_classes++) {
    classes[q->n_classes] = (RccSbpnClass) { .rows = { NO_LIST, NO_LIST, NO_LIST }, .live = NONE };
    rcc_sbpn_queue_forget (q, q->n_classes);
  }
}

void
rcc_sbpn_queue_init (RccSbpnQueue *q, RccSbpnEntry *entries, uint32_t capacity,
    RccSbpnClass *classes, uint32_t n_classes)
{
  *q = (RccSbpnQueue) { .free = NONE, .arrived = { NO_LIST, NO_LIST } };
  rcc_sbpn_queue_grow (q, entries, capacity);
  rcc_sbpn_queue_grow_classes (q, classes, n_classes);
}

bool
rcc_sbpn_queue_before (const RccSbpnQueue *q, uint32_t a, uint32_t b)
{
  const RccSbpnEntry *x = at (q, a), *y = at (q, b);

  if (x->packet.expiry != y->packet.expiry)
    return x->packet.expiry < y->packet.expiry;
  return x->number < y->number;
}

uint32_t
rcc_sbpn_queue_better (const RccSbpnQueue *q, uint32_t a, uint32_t b)
{
  unsigned x, y;

  if (a == NONE || b == NONE)
    return a == NONE ? b : a;
  x = q->classes[at (q, a)->packet.class_index].config.priority;
  y = q->classes[at (q, b)->packet.class_index].config.priority;
  if (x != y)
    return x < y ? a : b;
  return rcc_sbpn_queue_before (q, a, b) ? a : b;
}

/* Into its row and among the arrivals, both from the end, where nearly all belong. */
static void
enter_row (RccSbpnQueue *q, uint32_t e, RccSbpnRow row)
{
  const uint32_t k = at (q, e)->packet.class_index;
  RccSbpnClass *c = &q->classes[k];
  uint32_t after = c->rows[row].last;

  at (q, e)->row = row;
  if (row == RCC_SBPN_DOOMED) {
    list_insert (q, RCC_SBPN_ORDER, &c->rows[row], after, e);
    q->doomed |= UINT32_C (1) << k;
    return;
  }
  while (after != NONE && rcc_sbpn_queue_before (q, e, after))
    after = prev (q, RCC_SBPN_ORDER, after);
  list_insert (q, RCC_SBPN_ORDER, &c->rows[row], after, e);
  if (row == RCC_SBPN_DROPPABLE && c->rows[row].last == c->rows[row].first)
    c->live = e;
  after = q->arrived[row].last;
  while (after != NONE && at (q, after)->number > at (q, e)->number)
    after = prev (q, RCC_SBPN_ARRIVAL, after);
  list_insert (q, RCC_SBPN_ARRIVAL, &q->arrived[row], after, e);
  q->busy |= UINT32_C (1) << k;
}

static void
leave_row (RccSbpnQueue *q, uint32_t e)
{
  const RccSbpnRow row = at (q, e)->row;
  const uint32_t k = at (q, e)->packet.class_index;
  RccSbpnClass *c = &q->classes[k];

  if (c->live == e)
    c->live = next (q, RCC_SBPN_ORDER, e);
  list_remove (q, RCC_SBPN_ORDER, &c->rows[row], e);
  if (row != RCC_SBPN_DOOMED)
    list_remove (q, RCC_SBPN_ARRIVAL, &q->arrived[row], e);
  if (c->rows[RCC_SBPN_DROPPABLE].first == NONE && c->rows[RCC_SBPN_KEPT].first == NONE)
    q->busy &= ~(UINT32_C (1) << k);
  if (c->rows[RCC_SBPN_DOOMED].first == NONE)
    q->doomed &= ~(UINT32_C (1) << k);
}

static RccSbpnFrame *
find_frame (RccSbpnClass *c, uint64_t frame)
{
  if (frame == 0)
    return NULL;
  for (unsigned i = 0; i < RCC_SBPN_FRAMES; i++) {
    RccSbpnFrame *f = &c->frames[(c->newest - i) % RCC_SBPN_FRAMES];

    if (f->frame == frame)
      return f;
  }
  return NULL;
}

/* NULL: of no frame, or of one that is forgotten. */
static RccSbpnFrame *
frame_of (RccSbpnQueue *q, uint32_t e)
{
  const RccSbpnEntry *entry = at (q, e);
  RccSbpnFrame *f = &q->classes[entry->packet.class_index].frames[entry->slot];

  return entry->packet.frame && f->frame == entry->packet.frame ? f : NULL;
}

/* Out of the chain of its frame's queued packets. */
static void
leave_mates (RccSbpnQueue *q, uint32_t e)
{
  const uint32_t before = prev (q, RCC_SBPN_MATES, e), after = next (q, RCC_SBPN_MATES, e);
  RccSbpnList chain = NO_LIST;

  if (before == NONE && after == NONE)
    q->units--;
  list_remove (q, RCC_SBPN_MATES, &chain, e);
  if (after == NONE) {
    RccSbpnFrame *f = frame_of (q, e);

    if (f && f->last == e)
      f->last = before;
  }
}

static uint32_t
first_mate (const RccSbpnQueue *q, uint32_t e)
{
  while (prev (q, RCC_SBPN_MATES, e) != NONE)
    e = prev (q, RCC_SBPN_MATES, e);
  return e;
}

/* What has become known of the frame of @e, told to all of it. */
static void
mark_frame (RccSbpnQueue *q, uint32_t e, unsigned flag)
{
  RccSbpnFrame *f = frame_of (q, e);

  if (f)
    f->flags |= flag;
  for (uint32_t m = first_mate (q, e); m != NONE; m = next (q, RCC_SBPN_MATES, m))
    at (q, m)->flags |= flag;
}

/* One packet to keep keeps its whole frame, of which @e is one; but @leaves, which leaves
 * anyway.  In order: then each enters its row at the end.  @f NULL: it is forgotten. */
static void
keep_frame (RccSbpnQueue *q, RccSbpnFrame *f, uint32_t e, uint32_t leaves)
{
  if (f)
    f->flags |= RCC_SBPN_KEEP;
  if (e == NONE)
    return;
  for (uint32_t m = first_mate (q, e); m != NONE; m = next (q, RCC_SBPN_MATES, m)) {
    if (m == leaves)
      continue;
    leave_row (q, m);
    at (q, m)->packet.keep = true;
    at (q, m)->flags |= RCC_SBPN_KEEP;
    enter_row (q, m, RCC_SBPN_KEPT);
  }
}

static RccSbpnFrame *
join_frame (RccSbpnQueue *q, RccSbpnClass *c, const RccSbpnPacket *packet)
{
  RccSbpnFrame *f = find_frame (c, packet->frame);

  if (packet->frame && f == NULL) {
    c->newest = (c->newest + 1) % RCC_SBPN_FRAMES;
    f = &c->frames[c->newest];
    *f = (RccSbpnFrame) { packet->frame, packet->expiry, NONE, 0 };
  }
  if (f && packet->keep && !(f->flags & RCC_SBPN_KEEP))
    keep_frame (q, f, f->last, NONE);
  return f;
}

uint32_t
rcc_sbpn_queue_add (RccSbpnQueue *q, const RccSbpnPacket *packet, RccTime now)
{
  RccSbpnClass *c = &q->classes[packet->class_index];
  const uint32_t e = q->free;
  RccSbpnList chain = NO_LIST;
  RccSbpnFrame *f;
  RccSbpnEntry *entry;

  if (e == NONE)
    return NONE;
  q->free = next (q, RCC_SBPN_ORDER, e);
  f = join_frame (q, c, packet);
  entry = at (q, e);
  *entry = (RccSbpnEntry) { .packet = *packet, .queued = now, .number = q->arrivals++ };
  if (f) {
    entry->packet.expiry = f->expiry;
    entry->packet.keep = (f->flags & RCC_SBPN_KEEP) != 0;
    entry->flags = (uint8_t) f->flags;
    entry->slot = (uint8_t) (f - c->frames);
  }
  if (packet->doomed || (c->config.whole_frames && entry->flags & RCC_SBPN_BROKEN)) {
    list_insert (q, RCC_SBPN_MATES, &chain, NONE, e);
    enter_row (q, e, RCC_SBPN_DOOMED);
    return e;
  }
  list_insert (q, RCC_SBPN_MATES, &chain, f ? f->last : NONE, e);
  q->units += prev (q, RCC_SBPN_MATES, e) == NONE;
  if (f)
    f->last = e;
  enter_row (q, e, entry->packet.keep ? RCC_SBPN_KEPT : RCC_SBPN_DROPPABLE);
  return e;
}

void
rcc_sbpn_queue_remove (RccSbpnQueue *q, uint32_t e)
{
  leave_row (q, e);
  if (at (q, e)->row != RCC_SBPN_DOOMED)
    leave_mates (q, e);
  at (q, e)->link[RCC_SBPN_ORDER].next = q->free;
  q->free = e;
}

/* Of two heads. */
static uint32_t
earlier (const RccSbpnQueue *q, uint32_t a, uint32_t b)
{
  if (a == NONE || b == NONE)
    return a == NONE ? b : a;
  return rcc_sbpn_queue_before (q, a, b) ? a : b;
}

uint32_t
rcc_sbpn_queue_first (const RccSbpnQueue *q, uint32_t k)
{
  const RccSbpnClass *c = &q->classes[k];

  return earlier (q, c->rows[RCC_SBPN_DROPPABLE].first, c->rows[RCC_SBPN_KEPT].first);
}

uint32_t
rcc_sbpn_queue_live (RccSbpnQueue *q, uint32_t k, RccTime deadline)
{
  RccSbpnClass *c = &q->classes[k];
  uint32_t e = c->live, before;

  while (e != NONE && at (q, e)->packet.expiry < deadline)
    e = next (q, RCC_SBPN_ORDER, e);
  for (;;) {                            /* the way got shorter, or an early one came */
    before = e == NONE ? c->rows[RCC_SBPN_DROPPABLE].last : prev (q, RCC_SBPN_ORDER, e);
    if (before == NONE || at (q, before)->packet.expiry < deadline)
      break;
    e = before;
  }
  c->live = e;
  return earlier (q, e, c->rows[RCC_SBPN_KEPT].first);
}

uint32_t
rcc_sbpn_queue_oldest (const RccSbpnQueue *q, bool kept_too)
{
  const uint32_t a = q->arrived[RCC_SBPN_DROPPABLE].first;
  const uint32_t b = kept_too ? q->arrived[RCC_SBPN_KEPT].first : NONE;

  if (a == NONE || b == NONE)
    return a == NONE ? b : a;
  return at (q, a)->number < at (q, b)->number ? a : b;
}

uint32_t
rcc_sbpn_queue_youngest (const RccSbpnQueue *q)
{
  const uint32_t a = q->arrived[RCC_SBPN_DROPPABLE].last;
  const uint32_t b = q->arrived[RCC_SBPN_KEPT].last;

  if (a == NONE || b == NONE)
    return a == NONE ? b : a;
  return at (q, a)->number > at (q, b)->number ? a : b;
}

uint32_t
rcc_sbpn_queue_doomed (const RccSbpnQueue *q)
{
  rcc_sbpn_each (k, q->doomed)
    return q->classes[k].rows[RCC_SBPN_DOOMED].first;
  return NONE;
}

void
rcc_sbpn_queue_begin (RccSbpnQueue *q, uint32_t e)
{
  RccSbpnFrame *f = frame_of (q, e);

  if (at (q, e)->packet.frame == 0 || at (q, e)->flags & RCC_SBPN_BEGUN)
    return;
  mark_frame (q, e, RCC_SBPN_BEGUN);
  if (!(at (q, e)->flags & RCC_SBPN_KEEP)
      && q->classes[at (q, e)->packet.class_index].config.whole_frames)
    keep_frame (q, f, e, e);
}

bool
rcc_sbpn_queue_break (RccSbpnQueue *q, uint32_t e)
{
  const RccSbpnEntry *entry = at (q, e);
  uint32_t after;

  if (entry->packet.frame == 0 || entry->flags & RCC_SBPN_BROKEN)
    return false;
  mark_frame (q, e, RCC_SBPN_BROKEN);
  if (!q->classes[entry->packet.class_index].config.whole_frames)
    return true;
  for (uint32_t m = first_mate (q, e); m != NONE; m = after) {
    after = next (q, RCC_SBPN_MATES, m);
    if (m == e)
      continue;
    leave_mates (q, m);
    leave_row (q, m);
    enter_row (q, m, RCC_SBPN_DOOMED);
  }
  return true;
}

static void
doom (RccSbpnQueue *q, uint32_t e)
{
  RccSbpnFrame *f = frame_of (q, e);

  if (f)
    f->flags |= RCC_SBPN_BROKEN;
  leave_mates (q, e);
  leave_row (q, e);
  enter_row (q, e, RCC_SBPN_DOOMED);
}

bool
rcc_sbpn_queue_doom_up_to_key (RccSbpnQueue *q, uint32_t e)
{
  const uint64_t number = at (q, e)->number, stream = at (q, e)->packet.frame >> 32;
  uint32_t m = q->classes[at (q, e)->packet.class_index].rows[RCC_SBPN_DROPPABLE].first, after;

  for (; m != NONE; m = after) {
    const RccSbpnEntry *entry = at (q, m);

    after = next (q, RCC_SBPN_ORDER, m);
    if (m == e || entry->packet.frame >> 32 != stream || entry->number < number
        || entry->packet.frame == at (q, e)->packet.frame)
      continue;
    if (!entry->packet.delta)
      return true;
    doom (q, m);
  }
  return false;
}
