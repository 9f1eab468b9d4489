/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Random sequences of all that can happen to a scheduler, each step held against
 * sbpn-reference.h.
 */
#include "reference.h"

#define SEEDS 25
#define STEPS 4000

static void
same_counters (const RccSbpnCounters *a, const RccSbpnCounters *b)
{
  balances (a);
  g_assert_cmpmem (&a->in, offsetof (RccSbpnCounters, queue_time), &b->in,
      offsetof (RccSbpnCounters, queue_time));
}

static void
check (World *w)
{
  same_counters (&w->f.q.queue.total, &w->total);
  for (guint k = 0; k < CLASSES; k++)
    same_counters (&rcc_sbpn_class (&w->f.q, k)->count, &w->classes[k]);
  is_consistent (&w->f.q.queue);
}

static gboolean
any_doomed (const World *w)
{
  for (guint i = 0; i < w->waiting->len; i++)
    if (((Waiting *) w->waiting->pdata[i])->doomed)
      return TRUE;
  return FALSE;
}

/* Packets of a frame never overtake one another. */
static void
keeps_frame_order (World *w, const Waiting *sent)
{
  for (guint i = 0; i < w->waiting->len; i++) {
    const Waiting *p = w->waiting->pdata[i];

    g_assert_false (p->packet.class_index == sent->packet.class_index && p->packet.frame != 0
        && p->packet.frame == sent->packet.frame && p->number < sent->number);
  }
}

/* The claims of the modes, said apart from the rules that make them true. */
static void
keeps_promises (World *w, const Waiting *sent, const RccSbpnOut *out)
{
  const RccSbpnMode mode = w->f.q.config.mode;

  keeps_frame_order (w, sent);
  g_assert_cmpint (out->expired, ==, sent->packet.expiry < deadline (w));
  if (mode == RCC_SBPN_1)
    g_assert_true (is_live (w, sent));
  if (mode == RCC_SBPN_2 && !is_live (w, sent))
    g_assert_true (is_alone (w, sent));
  for (guint i = 0; i < w->waiting->len; i++) {
    const Waiting *p = w->waiting->pdata[i];

    if (p == sent || !is_live (w, p))
      continue;
    if (mode >= RCC_SBPN_1 && mode <= RCC_SBPN_3)
      g_assert_cmpuint (config_of (w, p)->priority, >=, config_of (w, sent)->priority);
    if (mode != RCC_SBPN_FIFO && p->packet.class_index == sent->packet.class_index)
      g_assert_cmpuint (p->packet.expiry, >=, sent->packet.expiry);
    if (mode >= RCC_SBPN_3)
      g_assert_true (is_live (w, sent));
  }
}

static void
grant_one (World *w)
{
  RccSbpnVerdict verdict = RCC_SBPN_DROP;

  while (verdict == RCC_SBPN_DROP) {
    const gboolean doomed = any_doomed (w);
    RccSbpnVerdict said, seen;
    RccSbpnPacket packet;
    RccSbpnOut out;
    Waiting *p;

    seen = rcc_sbpn_peek (&w->f.q, w->now, &packet);
    verdict = rcc_sbpn_next (&w->f.q, w->now, &out);
    g_assert_cmpint (verdict, ==, seen);
    g_assert_cmpint (verdict == RCC_SBPN_EMPTY, ==, w->waiting->len == 0);
    if (verdict == RCC_SBPN_EMPTY)
      return;
    g_assert_true (packet.handle == out.packet.handle);
    p = find (w, out.packet.handle);
    g_assert_cmpint (p->doomed, ==, doomed);
    if (doomed) {
      g_assert_cmpint (verdict, ==, RCC_SBPN_DROP);
      g_assert_cmpint (out.cause, ==, RCC_SBPN_FRAME);
      gone (w, p, RCC_SBPN_FRAME, &out);
    } else {
      g_assert_true (p == expected (w, &out, &said));
      g_assert_cmpint (said, ==, verdict);
      if (verdict == RCC_SBPN_SEND)
        keeps_promises (w, p, &out);
      else
        g_assert_cmpint (out.cause, ==, RCC_SBPN_EXPIRED);
      gone (w, p, verdict == RCC_SBPN_SEND ? RCC_SBPN_CAUSES : RCC_SBPN_EXPIRED, &out);
    }
    check (w);
  }
}

static void
make_room (World *w)
{
  const RccSbpnConfig *c = &w->f.q.config;
  const guint most = c->max_packets ? MIN (c->max_packets, CAPACITY - 1) : CAPACITY - 1;
  RccSbpnOut out;
  Waiting *p;

  while (rcc_sbpn_overflow (&w->f.q, w->now, &out)) {
    const gboolean by_bytes = c->max_bytes && w->total.queued.bytes > c->max_bytes;

    p = find (w, out.packet.handle);
    g_assert_cmpint (p->doomed, ==, out.cause == RCC_SBPN_FRAME);
    if (out.cause == RCC_SBPN_OLD) {
      g_assert_true (p == oldest (w));
      g_assert_cmpuint (w->now - p->queued, >, c->max_time);
    } else if (out.cause == RCC_SBPN_FULL) {
      g_assert_true (by_bytes || w->waiting->len > most);
      g_assert_true (p == expected_victim (w, p->packet.class_index));
      if (c->mode == RCC_SBPN_WEIGHTED && is_live (w, p))
        holds_most (w, p, by_bytes);
    }
    gone (w, p, out.cause, &out);
    check (w);
  }
  p = oldest (w);
  g_assert_cmpuint (w->waiting->len, <=, most);
  g_assert_true (c->max_bytes == 0 || w->total.queued.bytes <= c->max_bytes);
  g_assert_true (p == NULL || c->max_time == RCC_NEVER || w->now - p->queued <= c->max_time);
  g_assert_false (any_doomed (w));
}

/* Classes 4 and 5 carry what belongs to no frame; of the others each has two frames
 * under way at a time, as two layers would. */
static void
arrive (World *w)
{
  RccSbpnPacket p = { .class_index = draw (w, CLASSES), .size = draw (w, 8) ? draw (w, 1500) : 0 };

  if (p.class_index < 4) {
    if (draw (w, 4) == 0)
      w->frame[p.class_index]++;
    p.frame = w->frame[p.class_index] + draw (w, 2) + 1;
  }
  p.keep = draw (w, 30) == 0;
  p.expiry = draw (w, 20) ? w->now + (20 + draw (w, 200)) * MS : RCC_NEVER;
  if (draw (w, 20) == 0)
    p.expiry = draw (w, 100) * MS;      /* long ago */
  p.handle = GSIZE_TO_POINTER (++w->f.put);
  g_assert_true (rcc_sbpn_put (&w->f.q, &p, w->now));
  add (w, p);
  check (w);
}

static void
flush (World *w, guint class_index)
{
  guint left = 0;
  RccSbpnOut out;

  while (rcc_sbpn_flush (&w->f.q, class_index, &out)) {
    g_assert_true (class_index == RCC_SBPN_ALL || out.packet.class_index == class_index);
    g_assert_cmpint (out.cause, ==, RCC_SBPN_FLUSHED);
    gone (w, find (w, out.packet.handle), RCC_SBPN_FLUSHED, &out);
    check (w);
  }
  for (guint k = 0; k < CLASSES; k++) {
    if (class_index != RCC_SBPN_ALL && class_index != k)
      continue;
    g_hash_table_remove_all (w->frames[k]);
    left += w->classes[k].queued.packets;
  }
  g_assert_cmpuint (left, ==, 0);
}

static void
reopen (World *w, guint k)
{
  const RccSbpnClassConfig config = rcc_sbpn_class (&w->f.q, k)->config;

  if (!rcc_sbpn_close_class (&w->f.q, k)) {
    g_assert_cmpuint (w->classes[k].queued.packets, >, 0);
    flush (w, k);
    g_assert_true (rcc_sbpn_close_class (&w->f.q, k));
  }
  g_hash_table_remove_all (w->frames[k]);
  rcc_sbpn_set_class (&w->f.q, k, &config);
  w->classes[k] = (RccSbpnCounters) { 0 };
}

/* Limits, way, priorities and classes change while packets wait. */
static void
disturb (World *w)
{
  RccSbpnConfig config = w->f.q.config;
  const guint k = draw (w, CLASSES);
  RccSbpnClassConfig c = rcc_sbpn_class (&w->f.q, k)->config;

  switch (draw (w, 7)) {
    case 0:
      config.max_packets = draw (w, CAPACITY + 10);
      config.max_bytes = draw (w, 2) ? draw (w, 60000) : 0;
      config.max_time = draw (w, 2) ? draw (w, 500) * MS : RCC_NEVER;
      rcc_sbpn_adjust (&w->f.q, &config);
      break;
    case 1:
      rcc_sbpn_set_owd (&w->f.q, draw (w, 150) * MS);
      break;
    case 2:
      c.priority = draw (w, 4);
      c.weight = draw (w, 4);
      rcc_sbpn_set_class (&w->f.q, k, &c);
      break;
    case 3:
      flush (w, k);
      break;
    case 4:
      if (draw (w, 4) == 0)
        flush (w, RCC_SBPN_ALL);
      break;
    case 5:
      reopen (w, k);
      break;
    case 6:
      w->now += draw (w, 4) ? 300 * MS : 3600 * RCC_SEC;
      break;
  }
  check (w);
}

static void
run (RccSbpnMode mode, guint64 seed)
{
  RccSbpnConfig config = rcc_sbpn_config ();
  World w = { .now = RCC_SEC, .waiting = g_ptr_array_new_with_free_func (g_free),
    .sorted = g_ptr_array_new () };
  guint load;

  config.mode = mode;
  rcc_rng_init (&w.rng, seed, mode);
  rcc_sbpn_init (&w.f.q, &config, w.f.entries, CAPACITY, w.f.classes, RCC_SBPN_CLASSES);
  for (guint k = 0; k < CLASSES; k++) {
    rcc_sbpn_set_class (&w.f.q, k, &(RccSbpnClassConfig) { .priority = draw (&w, 4),
      .weight = draw (&w, 4), .whole_frames = k % 2 == 0 });
    w.frames[k] = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  }
  load = 3 + draw (&w, 4);              /* of 8 */
  for (guint i = 0; i < STEPS; i++) {
    w.now += draw (&w, 5) * MS;
    if (draw (&w, 100) == 0)
      disturb (&w);
    if (draw (&w, 8) < load)
      arrive (&w);
    else
      grant_one (&w);
    if (draw (&w, 16))                  /* now and then its owner forgets */
      make_room (&w);
    else if (w.waiting->len >= CAPACITY)
      make_room (&w);
  }
  flush (&w, RCC_SBPN_ALL);
  for (guint k = 0; k < CLASSES; k++)
    g_hash_table_unref (w.frames[k]);
  g_assert_cmpuint (w.total.sent.packets, >, STEPS / 16);
  g_ptr_array_unref (w.waiting);
  g_ptr_array_unref (w.sorted);
}

static void
does_what_one_sorted_queue_would (gconstpointer mode)
{
  for (guint seed = 1; seed <= SEEDS; seed++)
    run (GPOINTER_TO_UINT (mode), seed);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint mode = 0; rcc_sbpn_mode_names[mode]; mode++) {
    g_autofree gchar *name = g_strdup_printf ("/sbpn-random/%s-does-what-one-sorted-queue-would",
        rcc_sbpn_mode_names[mode]);

    g_test_add_data_func (name, GUINT_TO_POINTER (mode), does_what_one_sorted_queue_would);
  }
  return g_test_run ();
}
