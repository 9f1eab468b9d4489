/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/rng.h"

#include "fixture.h"

typedef struct {
  RccSbpnQueue q;
  RccSbpnEntry entries[CAPACITY];
  RccSbpnClass classes[RCC_SBPN_CLASSES];
} Queue;

static void
init (Queue *t)
{
  rcc_sbpn_queue_init (&t->q, t->entries, CAPACITY, t->classes, RCC_SBPN_CLASSES);
  t->q.classes[2].config.whole_frames = true;
  is_consistent (&t->q);
}

static guint32
add (Queue *t, guint k, guint64 frame, RccTime expiry, bool keep)
{
  const RccSbpnPacket p = { .class_index = k, .frame = frame, .expiry = expiry, .keep = keep };
  const guint32 e = rcc_sbpn_queue_add (&t->q, &p, 0);

  is_consistent (&t->q);
  return e;
}

/* The first of the class is @e; takes it out. */
static void
leaves (Queue *t, guint k, guint32 e)
{
  g_assert_cmpuint (rcc_sbpn_queue_first (&t->q, k), ==, e);
  rcc_sbpn_queue_remove (&t->q, e);
  is_consistent (&t->q);
}

static void
is_sorted_by_expiry_and_stable (void)
{
  guint32 e[6];
  Queue t;

  init (&t);
  e[0] = add (&t, 0, 0, 30, false);
  e[1] = add (&t, 0, 0, 20, true);
  e[2] = add (&t, 0, 0, RCC_NEVER, false);
  e[3] = add (&t, 0, 0, 20, false);
  e[4] = add (&t, 0, 0, 30, true);
  e[5] = add (&t, 1, 0, 10, false);
  leaves (&t, 0, e[1]);
  leaves (&t, 0, e[3]);
  leaves (&t, 0, e[0]);
  leaves (&t, 0, e[4]);
  leaves (&t, 0, e[2]);
  leaves (&t, 1, e[5]);
  g_assert_cmpuint (rcc_sbpn_queue_first (&t.q, 0), ==, RCC_SBPN_NONE);
}

static void
a_frame_expires_with_its_first_packet (void)
{
  guint32 e[4];
  Queue t;

  init (&t);
  e[0] = add (&t, 0, 1, 100, false);
  e[1] = add (&t, 0, 1, 50, false);     /* must not overtake */
  e[2] = add (&t, 0, 2, 110, false);
  e[3] = add (&t, 0, 1, 200, false);    /* must not be separated */
  for (guint i = 0; i < 4; i++)
    g_assert_cmpuint (t.entries[e[i]].packet.expiry, ==, i == 2 ? 110 : 100);
  g_assert_cmpuint (t.q.units, ==, 2);
  leaves (&t, 0, e[0]);
  leaves (&t, 0, e[1]);
  leaves (&t, 0, e[3]);
  e[0] = add (&t, 0, 1, 300, false);    /* all before it have left */
  leaves (&t, 0, e[0]);
  leaves (&t, 0, e[2]);
  g_assert_cmpuint (t.q.units, ==, 0);
}

static void
one_packet_to_keep_keeps_its_frame (void)
{
  guint32 e[6];
  Queue t;

  init (&t);
  e[0] = add (&t, 0, 1, 100, false);
  e[1] = add (&t, 0, 2, 100, false);
  e[2] = add (&t, 0, 1, 100, false);
  e[3] = add (&t, 0, 0, 100, true);
  e[4] = add (&t, 0, 1, 100, true);
  e[5] = add (&t, 0, 1, 100, false);
  for (guint i = 0; i < 6; i++)
    g_assert_cmpint (t.entries[e[i]].packet.keep, ==, i != 1);
  g_assert_cmpuint (rcc_sbpn_queue_oldest (&t.q, false), ==, e[1]);
  g_assert_cmpuint (rcc_sbpn_queue_oldest (&t.q, true), ==, e[0]);
  g_assert_cmpuint (rcc_sbpn_queue_youngest (&t.q), ==, e[5]);
  for (guint i = 0; i < 6; i++)
    leaves (&t, 0, e[i]);
}

static void
what_breaks_dooms_all_of_its_frame (void)
{
  guint32 e[5], late;
  Queue t;

  init (&t);
  e[0] = add (&t, 2, 1, 100, false);
  e[1] = add (&t, 2, 2, 100, false);
  e[2] = add (&t, 2, 1, 100, false);
  e[3] = add (&t, 2, 2, 100, false);
  e[4] = add (&t, 2, 1, 100, false);
  rcc_sbpn_queue_begin (&t.q, e[0]);
  leaves (&t, 2, e[0]);
  g_assert_true (rcc_sbpn_queue_break (&t.q, e[4]));
  rcc_sbpn_queue_remove (&t.q, e[4]);
  is_consistent (&t.q);
  g_assert_cmpuint (rcc_sbpn_queue_doomed (&t.q), ==, e[2]);
  g_assert_cmpuint (t.entries[e[2]].flags, ==,
      RCC_SBPN_BEGUN | RCC_SBPN_BROKEN | RCC_SBPN_KEEP);
  g_assert_cmpuint (t.entries[e[1]].flags, ==, 0);
  late = add (&t, 2, 1, 100, true);     /* not even where it is to be kept */
  rcc_sbpn_queue_remove (&t.q, e[2]);
  g_assert_cmpuint (rcc_sbpn_queue_doomed (&t.q), ==, late);
  rcc_sbpn_queue_remove (&t.q, late);
  leaves (&t, 2, e[1]);
  leaves (&t, 2, e[3]);
}

/* Deep queues hold more frames than are remembered: those stay frames. */
static void
a_frame_that_is_forgotten_still_breaks_as_one (void)
{
  guint32 first, e[2 * RCC_SBPN_FRAMES];
  Queue t;

  init (&t);
  for (guint i = 0; i < 2 * RCC_SBPN_FRAMES; i++) {
    e[i] = add (&t, 2, i + 1, 100 + i, false);
    add (&t, 2, i + 1, 100 + i, false);
    add (&t, 2, i + 1, 100 + i, false);
  }
  leaves (&t, 2, e[0]);
  first = rcc_sbpn_queue_first (&t.q, 2);
  rcc_sbpn_queue_begin (&t.q, first);
  leaves (&t, 2, first);
  first = rcc_sbpn_queue_first (&t.q, 2);
  g_assert_cmpuint (t.entries[first].flags, ==, RCC_SBPN_BEGUN | RCC_SBPN_KEEP);
  leaves (&t, 2, first);
  g_assert_true (rcc_sbpn_queue_break (&t.q, e[1]));
  rcc_sbpn_queue_remove (&t.q, e[1]);
  g_assert_cmpuint (rcc_sbpn_queue_first (&t.q, 2), ==, e[2]);
  is_consistent (&t.q);
  /* a straggler of the forgotten frame is a frame of its own: 5 before e[2]'s 102 */
  first = add (&t, 2, 2, 5, false);
  leaves (&t, 2, first);
}

static void
there_are_as_many_entries_as_were_given (void)
{
  guint32 e;
  Queue t;

  init (&t);
  for (guint round = 0; round < 3; round++) {
    for (guint i = 0; i < CAPACITY; i++)
      g_assert_cmpuint (add (&t, i % 3, i, i, false), !=, RCC_SBPN_NONE);
    g_assert_cmpuint (add (&t, 0, 0, 0, false), ==, RCC_SBPN_NONE);
    for (guint k = 0; k < 3; k++)
      while ((e = rcc_sbpn_queue_first (&t.q, k)) != RCC_SBPN_NONE)
        leaves (&t, k, e);
  }
}

/* However now and the way move, the boundary is where a search from the front finds it. */
static void
the_first_live_one_is_found_from_anywhere (void)
{
  RccRng rng;
  Queue t;

  init (&t);
  rcc_rng_init (&rng, 3, 3);
  for (guint i = 0; i < 20000; i++) {
    const RccTime deadline = rcc_rng_u32 (&rng) % 120;
    guint32 e, dice = rcc_rng_u32 (&rng) % 16;

    if (dice < 8)
      add (&t, 0, 0, dice == 0 ? RCC_NEVER : rcc_rng_u32 (&rng) % 120, dice == 1);
    for (e = rcc_sbpn_queue_first (&t.q, 0); dice > 8 && dice < 12 && e != RCC_SBPN_NONE
        && t.entries[e].link[RCC_SBPN_ORDER].next != RCC_SBPN_NONE; dice++)
      e = t.entries[e].link[RCC_SBPN_ORDER].next;
    if (dice > 8 && e != RCC_SBPN_NONE)
      rcc_sbpn_queue_remove (&t.q, e);
    if (dice % 2) {
      const RccSbpnList *rows = t.q.classes[0].rows;

      for (e = rows[0].first; e != RCC_SBPN_NONE && t.entries[e].packet.expiry < deadline;)
        e = t.entries[e].link[RCC_SBPN_ORDER].next;
      if (e == RCC_SBPN_NONE || (rows[1].first != RCC_SBPN_NONE
              && rcc_sbpn_queue_before (&t.q, rows[1].first, e)))
        e = rows[1].first;
      g_assert_cmpuint (rcc_sbpn_queue_live (&t.q, 0, deadline), ==, e);
    }
  }
  is_consistent (&t.q);
}

/* A frame that was forgotten and comes again has no part in what is left of it. */
static void
a_frame_that_comes_again_is_another (void)
{
  Queue t;
  guint32 old, again, mate;

  init (&t);
  old = add (&t, 0, 1, 100, false);
  for (guint64 frame = 2; frame < 1 + 2 * RCC_SBPN_FRAMES; frame++)
    add (&t, 0, frame, 200, false);
  again = add (&t, 0, 1, 300, false);   /* where it was remembered at first */
  leaves (&t, 0, old);
  mate = add (&t, 0, 1, 300, false);
  g_assert_cmpuint (t.entries[mate].link[RCC_SBPN_MATES].prev, ==, again);
  g_assert_cmpuint (t.entries[again].link[RCC_SBPN_MATES].next, ==, mate);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sbpn-queue/a-frame-that-comes-again", a_frame_that_comes_again_is_another);
  g_test_add_func ("/sbpn-queue/is-sorted-by-expiry-and-stable",
      is_sorted_by_expiry_and_stable);
  g_test_add_func ("/sbpn-queue/a-frame-expires-with-its-first-packet",
      a_frame_expires_with_its_first_packet);
  g_test_add_func ("/sbpn-queue/one-packet-to-keep-keeps-its-frame",
      one_packet_to_keep_keeps_its_frame);
  g_test_add_func ("/sbpn-queue/what-breaks-dooms-all-of-its-frame",
      what_breaks_dooms_all_of_its_frame);
  g_test_add_func ("/sbpn-queue/a-frame-that-is-forgotten-still-breaks-as-one",
      a_frame_that_is_forgotten_still_breaks_as_one);
  g_test_add_func ("/sbpn-queue/there-are-as-many-entries-as-were-given",
      there_are_as_many_entries_as_were_given);
  g_test_add_func ("/sbpn-queue/the-first-live-one-is-found-from-anywhere",
      the_first_live_one_is_found_from_anywhere);
  return g_test_run ();
}
