/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/sbpn/eviction.h"

#include "fixture.h"

static void
limit (Fixture *f, guint32 packets, guint64 bytes, RccTime time)
{
  RccSbpnConfig config = f->q.config;

  config.max_packets = packets;
  config.max_bytes = bytes;
  config.max_time = time;
  rcc_sbpn_adjust (&f->q, &config);
}

static void
fifo_drops_what_arrives (void)
{
  Fixture f;

  setup (&f, RCC_SBPN_FIFO);
  limit (&f, 2, 0, RCC_NEVER);
  put (&f, (RccSbpnPacket) { .class_index = 1, .expiry = 0 }, 0);
  put (&f, (RccSbpnPacket) { .class_index = 1, .expiry = RCC_SEC }, 0);
  fits (&f, RCC_SEC);
  put (&f, (RccSbpnPacket) { .class_index = 0, .expiry = RCC_SEC, .keep = true }, 0);
  overflows (&f, RCC_SEC, 3, RCC_SBPN_FULL);
  fits (&f, RCC_SEC);
}

static void
the_expired_fall_first (void)
{
  Fixture f;

  setup (&f, RCC_SBPN_3);
  limit (&f, 4, 0, RCC_NEVER);
  put (&f, (RccSbpnPacket) { .class_index = 0, .expiry = 10 * MS }, 0);
  put (&f, (RccSbpnPacket) { .class_index = 1, .expiry = 30 * MS }, 0);
  put (&f, (RccSbpnPacket) { .class_index = 1, .expiry = 20 * MS }, 0);
  put (&f, (RccSbpnPacket) { .class_index = 1, .expiry = RCC_SEC }, 0);
  fits (&f, 50 * MS);
  put (&f, (RccSbpnPacket) { .class_index = 1, .expiry = RCC_SEC }, 50 * MS);
  overflows (&f, 50 * MS, 3, RCC_SBPN_FULL);
  fits (&f, 50 * MS);
  limit (&f, 1, 0, RCC_NEVER);
  overflows (&f, 50 * MS, 2, RCC_SBPN_FULL);
  overflows (&f, 50 * MS, 1, RCC_SBPN_FULL);
  overflows (&f, 50 * MS, 5, RCC_SBPN_FULL);
  fits (&f, 50 * MS);
}

static void
then_the_lowest_priority_that_expires_last (void)
{
  Fixture f;

  setup (&f, RCC_SBPN_2);
  limit (&f, 3, 0, RCC_NEVER);
  put (&f, (RccSbpnPacket) { .class_index = 1, .expiry = 300 * MS }, 0);
  put (&f, (RccSbpnPacket) { .class_index = 1, .expiry = 200 * MS }, 0);
  put (&f, (RccSbpnPacket) { .class_index = 0, .expiry = 900 * MS }, 0);
  put (&f, (RccSbpnPacket) { .class_index = 0, .expiry = 950 * MS }, 0);
  overflows (&f, 0, 1, RCC_SBPN_FULL);
  put (&f, (RccSbpnPacket) { .class_index = 1, .expiry = 200 * MS }, 0);
  overflows (&f, 0, 5, RCC_SBPN_FULL);  /* the arriving one, equal to another */
  put (&f, (RccSbpnPacket) { .class_index = 1, .expiry = 100 * MS }, 0);
  overflows (&f, 0, 2, RCC_SBPN_FULL);  /* or not */
  fits (&f, 0);
}

static void
what_is_kept_falls_last (void)
{
  Fixture f;

  setup (&f, RCC_SBPN_2);
  limit (&f, 2, 0, RCC_NEVER);
  put (&f, (RccSbpnPacket) { .class_index = 1, .expiry = 10 * MS, .keep = true }, 0);
  put (&f, (RccSbpnPacket) { .class_index = 1, .expiry = 20 * MS, .keep = true }, 0);
  put (&f, (RccSbpnPacket) { .class_index = 0, .expiry = RCC_SEC }, 0);
  overflows (&f, 50 * MS, 3, RCC_SBPN_FULL);
  put (&f, (RccSbpnPacket) { .class_index = 0, .expiry = RCC_SEC, .keep = true }, 0);
  overflows (&f, 50 * MS, 2, RCC_SBPN_FULL);
  fits (&f, 50 * MS);
}

static void
a_frame_gives_way_whole (void)
{
  RccSbpnPacket video = { .class_index = 2, .frame = 5, .expiry = 200 * MS, .size = 100 };
  RccSbpnOut out;
  Fixture f;

  setup (&f, RCC_SBPN_2);
  limit (&f, 3, 0, RCC_NEVER);
  put (&f, video, 0);
  put (&f, video, 0);
  put (&f, (RccSbpnPacket) { .class_index = 0, .expiry = 150 * MS, .size = 1 }, 0);
  put (&f, (RccSbpnPacket) { .class_index = 0, .expiry = 150 * MS, .size = 1 }, 0);
  out = overflows (&f, 0, 2, RCC_SBPN_FULL);
  g_assert_true (out.breaks_frame && !out.frame_begun);
  overflows (&f, 0, 1, RCC_SBPN_FRAME);
  fits (&f, 0);
  put (&f, video, 0);
  overflows (&f, 0, 5, RCC_SBPN_FRAME); /* there is room, but no use */
  g_assert_cmpuint (f.q.queue.total.broken_frames, ==, 1);
  g_assert_cmpuint (f.q.queue.total.queued.bytes, ==, 2);
}

/* The mode's promise to the weak holds in front of the queue, too. */
static void
weighted_takes_from_who_holds_most_for_his_weight (void)
{
  RccSbpnOut out;
  Fixture f;

  setup (&f, RCC_SBPN_WEIGHTED);
  rcc_sbpn_set_class (&f.q, 0, &(RccSbpnClassConfig) { .priority = 0, .weight = 3 });
  rcc_sbpn_set_class (&f.q, 1, &(RccSbpnClassConfig) { .priority = 1, .weight = 1 });
  limit (&f, 0, 4000, RCC_NEVER);
  for (guint i = 0; i < 10; i++) {
    put (&f, (RccSbpnPacket) { .class_index = 1, .expiry = RCC_SEC, .size = 100 }, 0);
    fits (&f, 0);
  }
  for (guint i = 0; i < 100; i++) {
    put (&f, (RccSbpnPacket) { .class_index = 0, .expiry = RCC_SEC, .size = 100 }, 0);
    while (rcc_sbpn_overflow (&f.q, 0, &out))
      g_assert_cmpuint (out.packet.class_index, ==, 0);
  }
  put (&f, (RccSbpnPacket) { .class_index = 1, .expiry = RCC_SEC, .size = 100 }, 0);
  g_assert_cmpuint (overflows (&f, 0, f.put, RCC_SBPN_FULL).packet.class_index, ==, 1);
  put (&f, (RccSbpnPacket) { .class_index = 2, .expiry = RCC_SEC, .size = 100 }, 0);
  rcc_sbpn_set_class (&f.q, 2, &(RccSbpnClassConfig) { .priority = 0, .weight = 0 });
  overflows (&f, 0, f.put, RCC_SBPN_FULL);      /* no weight, no room */
}

static void
what_waited_too_long_falls (void)
{
  Fixture f;

  setup (&f, RCC_SBPN_2);
  limit (&f, 0, 0, 100 * MS);
  put (&f, (RccSbpnPacket) { .class_index = 0, .expiry = RCC_NEVER, .keep = true }, 0);
  put (&f, (RccSbpnPacket) { .class_index = 0, .expiry = RCC_NEVER }, 10 * MS);
  put (&f, (RccSbpnPacket) { .class_index = 1, .expiry = 20 * MS }, 10 * MS + 1);
  fits (&f, 110 * MS);
  overflows (&f, 110 * MS + 1, 2, RCC_SBPN_OLD);
  fits (&f, 110 * MS + 1);
  overflows (&f, 3600 * RCC_SEC, 3, RCC_SBPN_OLD);
  fits (&f, 3600 * RCC_SEC);
  setup (&f, RCC_SBPN_FIFO);
  limit (&f, 0, 0, 100 * MS);
  put (&f, (RccSbpnPacket) { .class_index = 0, .expiry = RCC_NEVER, .keep = true }, 0);
  overflows (&f, RCC_SEC, 1, RCC_SBPN_OLD);
}

static void
a_packet_larger_than_the_room_has_none (void)
{
  Fixture f;

  setup (&f, RCC_SBPN_2);
  limit (&f, 0, 1000, RCC_NEVER);
  put (&f, (RccSbpnPacket) { .class_index = 0, .expiry = RCC_SEC, .size = 1001, .keep = true }, 0);
  overflows (&f, 0, 1, RCC_SBPN_FULL);
  put (&f, (RccSbpnPacket) { .class_index = 0, .expiry = RCC_SEC, .size = 1000 }, 0);
  put (&f, (RccSbpnPacket) { .class_index = 0, .expiry = RCC_SEC, .size = 0 }, 0);
  fits (&f, 0);
  put (&f, (RccSbpnPacket) { .class_index = 0, .expiry = 10 * MS, .size = UINT32_MAX }, 0);
  overflows (&f, 0, 3, RCC_SBPN_FULL);  /* 4 expires before, so it stays a while */
  overflows (&f, 0, 2, RCC_SBPN_FULL);
  overflows (&f, 0, 4, RCC_SBPN_FULL);
  is_empty (&f, 0);
  balances (&f.q.queue.total);
}

/* 0 is no limit, and 1 is one of a byte. */
static void
a_byte_is_a_limit (void)
{
  Fixture f;

  setup (&f, RCC_SBPN_2);
  limit (&f, 0, 1, RCC_NEVER);
  put (&f, (RccSbpnPacket) { .class_index = 0, .expiry = RCC_SEC, .size = 1 }, 0);
  fits (&f, 0);
  put (&f, (RccSbpnPacket) { .class_index = 1, .expiry = RCC_SEC, .size = 1 }, 0);
  overflows (&f, 0, 2, RCC_SBPN_FULL);
  fits (&f, 0);
}

static void
the_entries_are_the_last_limit (void)
{
  RccSbpnPacket p = { .class_index = 0, .expiry = RCC_SEC, .size = 1 };
  const RccSbpnConfig config = rcc_sbpn_config ();
  RccSbpnOut out;
  Fixture f;

  setup (&f, RCC_SBPN_2);
  for (guint i = 0; i < CAPACITY - 1; i++)
    put (&f, p, 0);
  fits (&f, 0);
  put (&f, p, 0);
  g_assert_false (rcc_sbpn_put (&f.q, &p, 0));  /* nobody ran overflow() */
  overflows (&f, 0, CAPACITY, RCC_SBPN_FULL);
  fits (&f, 0);
  g_assert_cmpuint (f.q.queue.total.in.packets, ==, CAPACITY);
  for (guint capacity = 1; capacity <= 2; capacity++) {
    rcc_sbpn_init (&f.q, &config, f.entries, capacity, f.classes, RCC_SBPN_CLASSES);
    rcc_sbpn_set_class (&f.q, 0, &(RccSbpnClassConfig) { 0 });
    g_assert_true (rcc_sbpn_put (&f.q, &p, 0));
    fits (&f, 0);
    g_assert_cmpint (rcc_sbpn_put (&f.q, &p, 0), ==, capacity == 2);
    g_assert_cmpint (rcc_sbpn_overflow (&f.q, 0, &out), ==, capacity == 2);
    g_assert_cmpint (rcc_sbpn_next (&f.q, 0, &out), ==, RCC_SBPN_SEND);
    is_empty (&f, 0);
  }
}

/* More entries, elsewhere: what is queued keeps its order, and what fell keeps falling by
 * the same rule when the limit is lower again. */
static void
grows_with_what_it_holds (void)
{
  RccSbpnPacket p = { .expiry = RCC_SEC, .size = 1 };
  RccSbpnConfig config = rcc_sbpn_config ();
  RccSbpnEntry *more;
  RccSbpnOut out;
  Fixture f;
  guint n = 0;

  setup (&f, RCC_SBPN_2);
  for (guint i = 0; i < CAPACITY; i++) {
    p.class_index = i % 2;
    g_assert_true (rcc_sbpn_put (&f.q, &p, i));
  }
  p.class_index = 0;
  g_assert_false (rcc_sbpn_put (&f.q, &p, CAPACITY));
  more = g_new (RccSbpnEntry, 2 * CAPACITY);
  memcpy (more, f.entries, CAPACITY * sizeof *more);
  memset (f.entries, 0xff, sizeof f.entries);
  rcc_sbpn_grow (&f.q, more, 2 * CAPACITY);
  fits (&f, CAPACITY);
  for (guint i = CAPACITY; i < 2 * CAPACITY; i++)
    g_assert_true (rcc_sbpn_put (&f.q, &p, i));
  g_assert_false (rcc_sbpn_put (&f.q, &p, 2 * CAPACITY));
  is_consistent (&f.q.queue);
  config.max_packets = CAPACITY;
  rcc_sbpn_adjust (&f.q, &config);
  while (rcc_sbpn_overflow (&f.q, 2 * CAPACITY, &out)) {
    g_assert_cmpuint (out.packet.class_index, ==, n++ < CAPACITY / 2 ? 1 : 0);
    g_assert_cmpint (out.cause, ==, RCC_SBPN_FULL);
  }
  g_assert_cmpuint (n, ==, CAPACITY);
  for (n = 0; rcc_sbpn_next (&f.q, 2 * CAPACITY, &out) == RCC_SBPN_SEND; n++)
    g_assert_cmpuint (out.queue_time, ==, 2 * CAPACITY - (n < CAPACITY / 2 ? 2 * n
            : CAPACITY / 2 + n));
  g_assert_cmpuint (n, ==, CAPACITY);
  balances (&f.q.queue.total);
  g_free (more);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sbpn-eviction/fifo-drops-what-arrives", fifo_drops_what_arrives);
  g_test_add_func ("/sbpn-eviction/the-expired-fall-first", the_expired_fall_first);
  g_test_add_func ("/sbpn-eviction/then-the-lowest-priority-that-expires-last",
      then_the_lowest_priority_that_expires_last);
  g_test_add_func ("/sbpn-eviction/what-is-kept-falls-last", what_is_kept_falls_last);
  g_test_add_func ("/sbpn-eviction/a-frame-gives-way-whole", a_frame_gives_way_whole);
  g_test_add_func ("/sbpn-eviction/weighted-takes-from-who-holds-most-for-his-weight",
      weighted_takes_from_who_holds_most_for_his_weight);
  g_test_add_func ("/sbpn-eviction/what-waited-too-long-falls", what_waited_too_long_falls);
  g_test_add_func ("/sbpn-eviction/a-packet-larger-than-the-room-has-none",
      a_packet_larger_than_the_room_has_none);
  g_test_add_func ("/sbpn-eviction/a-byte-is-a-limit", a_byte_is_a_limit);
  g_test_add_func ("/sbpn-eviction/the-entries-are-the-last-limit", the_entries_are_the_last_limit);
  g_test_add_func ("/sbpn-eviction/grows-with-what-it-holds", grows_with_what_it_holds);
  return g_test_run ();
}
