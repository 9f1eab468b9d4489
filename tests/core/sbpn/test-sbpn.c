/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "fixture.h"

/* Arrivals worst first. */
static void
put_three (Fixture *f)
{
  put (f, (RccSbpnPacket) { .class_index = 1, .expiry = 300 * MS, .size = 1000 }, 0);
  put (f, (RccSbpnPacket) { .class_index = 1, .expiry = 200 * MS, .size = 1000 }, 0);
  put (f, (RccSbpnPacket) { .class_index = 0, .expiry = 400 * MS, .size = 200 }, 0);
}

static void
fifo_sends_in_order_of_arrival_whatever_expires (void)
{
  Fixture f;

  setup (&f, RCC_SBPN_FIFO);
  put_three (&f);
  put (&f, (RccSbpnPacket) { .class_index = 0, .expiry = 0, .keep = true }, 0);
  g_assert_false (sends (&f, 0, 1).expired);
  g_assert_true (sends (&f, 201 * MS, 2).expired);
  g_assert_false (sends (&f, 201 * MS, 3).expired);
  sends (&f, 201 * MS, 4);
  is_empty (&f, 201 * MS);
  g_assert_cmpuint (f.q.queue.total.sent_expired.packets, ==, 2);
}

static void
sends_by_priority_then_expiry_then_arrival (void)
{
  static const RccSbpnMode modes[] = { RCC_SBPN_1, RCC_SBPN_2, RCC_SBPN_3 };

  for (guint i = 0; i < G_N_ELEMENTS (modes); i++) {
    Fixture f;

    setup (&f, modes[i]);
    put_three (&f);
    put (&f, (RccSbpnPacket) { .class_index = 1, .expiry = 200 * MS, .size = 1000 }, 0);
    sends (&f, 0, 3);
    sends (&f, 0, 2);
    sends (&f, 0, 4);
    sends (&f, 0, 1);
    is_empty (&f, 0);
  }
}

/* 4.3: one queue sorted by (priority, expiry) */
static void
classes_of_one_priority_are_one_queue (void)
{
  Fixture f;

  setup (&f, RCC_SBPN_1);
  rcc_sbpn_set_class (&f.q, 0, &(RccSbpnClassConfig) { .priority = 1 });
  put_three (&f);
  sends (&f, 0, 2);
  sends (&f, 0, 1);
  sends (&f, 0, 3);
}

static void
sbpn1_drops_what_would_come_too_late (void)
{
  Fixture f;

  setup (&f, RCC_SBPN_1);
  put_three (&f);
  rcc_sbpn_set_owd (&f.q, 40 * MS);
  sends (&f, 360 * MS, 3);              /* arrives at its very expiry */
  drops (&f, 360 * MS, 2, RCC_SBPN_EXPIRED);
  drops (&f, 360 * MS, 1, RCC_SBPN_EXPIRED);
  is_empty (&f, 360 * MS);
  put (&f, (RccSbpnPacket) { .class_index = 0, .expiry = 400 * MS - 1 }, 0);
  drops (&f, 360 * MS, 4, RCC_SBPN_EXPIRED);
  rcc_sbpn_set_owd (&f.q, RCC_NEVER);
  put (&f, (RccSbpnPacket) { .class_index = 0, .expiry = 400 * MS - 1 }, 0);
  sends (&f, 360 * MS, 5);
}

static void
sbpn2_sends_the_last_one_though_expired (void)
{
  Fixture f;

  setup (&f, RCC_SBPN_2);
  put_three (&f);
  drops (&f, RCC_SEC, 3, RCC_SBPN_EXPIRED);
  drops (&f, RCC_SEC, 2, RCC_SBPN_EXPIRED);
  g_assert_true (sends (&f, RCC_SEC, 1).expired);
  g_assert_cmpuint (f.q.queue.total.sent_expired.bytes, ==, 1000);
  is_empty (&f, RCC_SEC);
}

/* Half a frame would keep the rate up, too, but help nobody else. */
static void
sbpn2_sends_the_last_frame_whole (void)
{
  Fixture f;

  setup (&f, RCC_SBPN_2);
  put (&f, (RccSbpnPacket) { .class_index = 2, .frame = 1, .expiry = 100 * MS }, 0);
  put (&f, (RccSbpnPacket) { .class_index = 2, .frame = 1, .expiry = 100 * MS }, 0);
  put (&f, (RccSbpnPacket) { .class_index = 2, .frame = 2, .expiry = 200 * MS }, 0);
  put (&f, (RccSbpnPacket) { .class_index = 2, .frame = 2, .expiry = 200 * MS }, 0);
  put (&f, (RccSbpnPacket) { .class_index = 2, .frame = 2, .expiry = 200 * MS }, 0);
  drops (&f, RCC_SEC, 1, RCC_SBPN_EXPIRED);
  drops (&f, RCC_SEC, 2, RCC_SBPN_FRAME);
  sends (&f, RCC_SEC, 3);
  sends (&f, RCC_SEC, 4);
  put (&f, (RccSbpnPacket) { .class_index = 1, .expiry = 2 * RCC_SEC }, RCC_SEC);
  sends (&f, RCC_SEC, 6);
  sends (&f, RCC_SEC, 5);               /* alone again */
}

static void
sbpn3_sends_the_expired_when_nothing_is_live (void)
{
  Fixture f;

  setup (&f, RCC_SBPN_3);
  put (&f, (RccSbpnPacket) { .class_index = 0, .expiry = 100 * MS }, 0);
  put (&f, (RccSbpnPacket) { .class_index = 0, .expiry = 110 * MS }, 0);
  put (&f, (RccSbpnPacket) { .class_index = 0, .expiry = 400 * MS }, 0);
  put (&f, (RccSbpnPacket) { .class_index = 1, .expiry = 300 * MS }, 0);
  sends (&f, 200 * MS, 3);
  sends (&f, 200 * MS, 4);
  g_assert_true (sends (&f, 200 * MS, 1).expired);
  put (&f, (RccSbpnPacket) { .class_index = 1, .expiry = 300 * MS }, 0);
  sends (&f, 200 * MS, 5);
  sends (&f, 200 * MS, 2);
  g_assert_cmpuint (f.q.queue.total.dropped[RCC_SBPN_EXPIRED].packets, ==, 0);
}

/* The way became shorter: what was given up in between is live again. */
static void
a_shorter_delay_revives_the_expired (void)
{
  Fixture f;

  setup (&f, RCC_SBPN_3);
  put (&f, (RccSbpnPacket) { .class_index = 0, .expiry = 100 * MS }, 0);
  put (&f, (RccSbpnPacket) { .class_index = 0, .expiry = 120 * MS }, 0);
  put (&f, (RccSbpnPacket) { .class_index = 1, .expiry = 900 * MS }, 0);
  put (&f, (RccSbpnPacket) { .class_index = 1, .expiry = 900 * MS }, 0);
  rcc_sbpn_set_owd (&f.q, 200 * MS);
  sends (&f, 50 * MS, 3);
  rcc_sbpn_set_owd (&f.q, 60 * MS);
  sends (&f, 50 * MS, 2);
  rcc_sbpn_set_owd (&f.q, 20 * MS);
  sends (&f, 50 * MS, 1);
  sends (&f, 50 * MS, 4);
}

/* P2: an urgent packet of low priority waits for one that has all the time. */
static void
strict_modes_know_no_urgency (void)
{
  Fixture f;

  setup (&f, RCC_SBPN_2);
  put (&f, (RccSbpnPacket) { .class_index = 1, .expiry = 11 * MS }, 0);
  put (&f, (RccSbpnPacket) { .class_index = 0, .expiry = RCC_NEVER }, 0);
  sends (&f, 10 * MS, 2);
  sends (&f, 10 * MS, 1);
}

static void
what_is_kept_is_sent_however_late (void)
{
  Fixture f;

  setup (&f, RCC_SBPN_1);
  put (&f, (RccSbpnPacket) { .class_index = 0, .expiry = 100 * MS, .size = 9, .keep = true }, 0);
  put (&f, (RccSbpnPacket) { .class_index = 0, .expiry = 50 * MS }, 0);
  drops (&f, RCC_SEC, 2, RCC_SBPN_EXPIRED);
  g_assert_true (sends (&f, RCC_SEC, 1).expired);
}

static void
a_broken_frame_loses_its_rest (void)
{
  Fixture f;
  RccSbpnOut out;

  setup (&f, RCC_SBPN_1);
  for (guint i = 0; i < 3; i++)
    put (&f, (RccSbpnPacket) { .class_index = 2, .frame = 7, .expiry = 100 * MS, .size = 10 }, 0);
  put (&f, (RccSbpnPacket) { .class_index = 2, .frame = 8, .expiry = 200 * MS, .size = 10 }, 0);
  out = drops (&f, 150 * MS, 1, RCC_SBPN_EXPIRED);
  g_assert_true (out.breaks_frame && !out.frame_begun);
  for (guint i = 2; i <= 3; i++)
    g_assert_false (drops (&f, 150 * MS, i, RCC_SBPN_FRAME).breaks_frame);
  /* it goes on arriving; here the caller does not run overflow() */
  put (&f, (RccSbpnPacket) { .class_index = 2, .frame = 7, .expiry = 900 * MS, .size = 10 }, 0);
  drops (&f, 150 * MS, 5, RCC_SBPN_FRAME);
  sends (&f, 150 * MS, 4);
  g_assert_cmpuint (f.q.queue.total.broken_frames, ==, 1);
  g_assert_cmpuint (rcc_sbpn_class (&f.q, 2)->count.broken_begun, ==, 0);
  balances (&f.q.queue.total);
}

/* A decoder takes what is left of it for the whole. */
static void
a_frame_that_has_begun_is_finished (void)
{
  Fixture f;
  RccSbpnOut out;

  setup (&f, RCC_SBPN_1);
  f.q.config.max_time = 50 * MS;
  f.q.config.max_packets = 2;
  put (&f, (RccSbpnPacket) { .class_index = 2, .frame = 7, .expiry = 100 * MS, .size = 10 }, 0);
  put (&f, (RccSbpnPacket) { .class_index = 2, .frame = 7, .expiry = 100 * MS, .size = 10 }, 0);
  sends (&f, 0, 1);
  put (&f, (RccSbpnPacket) { .class_index = 2, .frame = 7, .expiry = 100 * MS, .size = 10 }, 0);
  g_assert_false (rcc_sbpn_overflow (&f.q, 150 * MS, &out));    /* too old, and expired */
  put (&f, (RccSbpnPacket) { .class_index = 2, .frame = 8, .expiry = 900 * MS, .size = 10 }, 0);
  overflows (&f, 0, 4, RCC_SBPN_FULL);
  g_assert_true (sends (&f, 150 * MS, 2).expired);
  sends (&f, 150 * MS, 3);
  g_assert_cmpuint (f.q.queue.total.broken_begun, ==, 0);
  balances (&f.q.queue.total);
}

/* What builds upon a broken frame falls with it, up to the next key frame of its stream. */
static void
falls_up_to_the_next_key_frame (void)
{
  const RccSbpnClassConfig config = { .priority = 2, .weight = 1, .whole_frames = true,
    .up_to_key = true };
  const guint64 one = UINT64_C (1) << 32, other = UINT64_C (2) << 32;
  Fixture f;

  setup (&f, RCC_SBPN_1);
  rcc_sbpn_set_class (&f.q, 2, &config);
#define FRAME(number, is_delta, at) \
  put (&f, (RccSbpnPacket) { .class_index = 2, .frame = (number), .expiry = (at) * MS, .size = 10, \
    .delta = (is_delta) }, 0)
  FRAME (one + 1, true, 100);
  FRAME (one + 1, true, 100);
  FRAME (other + 1, true, 300);         /* another stream */
  FRAME (one + 2, true, 300);
  FRAME (one + 3, false, 300);          /* the key frame */
  FRAME (one + 4, true, 300);
  g_assert_true (drops (&f, 150 * MS, 1, RCC_SBPN_EXPIRED).key_follows);
  drops (&f, 150 * MS, 2, RCC_SBPN_FRAME);
  drops (&f, 150 * MS, 4, RCC_SBPN_FRAME);
  sends (&f, 150 * MS, 3);
  sends (&f, 150 * MS, 5);
  sends (&f, 150 * MS, 6);
  FRAME (one + 5, true, 100);
  FRAME (one + 6, true, 300);
  g_assert_false (drops (&f, 150 * MS, 7, RCC_SBPN_EXPIRED).key_follows);
  drops (&f, 150 * MS, 8, RCC_SBPN_FRAME);
  put (&f, (RccSbpnPacket) { .class_index = 2, .frame = one + 6, .expiry = RCC_SEC }, 0);
  drops (&f, 150 * MS, 9, RCC_SBPN_FRAME);      /* more of it */
  put (&f, (RccSbpnPacket) { .class_index = 2, .frame = one + 7, .expiry = RCC_SEC,
      .doomed = true }, 0);
  drops (&f, 150 * MS, 10, RCC_SBPN_FRAME);
  balances (&f.q.queue.total);
}

static void
other_classes_lose_packets_one_by_one (void)
{
  Fixture f;

  setup (&f, RCC_SBPN_1);
  put (&f, (RccSbpnPacket) { .class_index = 1, .frame = 7, .expiry = 100 * MS }, 0);
  put (&f, (RccSbpnPacket) { .class_index = 1, .frame = 7, .expiry = 100 * MS }, 0);
  put (&f, (RccSbpnPacket) { .class_index = 1, .frame = 8, .expiry = 200 * MS }, 0);
  g_assert_true (drops (&f, 150 * MS, 1, RCC_SBPN_EXPIRED).breaks_frame);
  g_assert_false (drops (&f, 150 * MS, 2, RCC_SBPN_EXPIRED).breaks_frame);
  g_assert_cmpuint (f.q.queue.total.broken_frames, ==, 1);
  g_assert_cmpuint (f.q.queue.total.broken_begun, ==, 0);
  sends (&f, 150 * MS, 3);
}

/* P2: a budget of 0 for 60 s, then all at once */
static void
after_a_minute_without_a_budget_only_the_fresh_leaves (void)
{
  Fixture f;
  RccSbpnOut out;
  RccTime now = 0;
  guint sent = 0;

  setup (&f, RCC_SBPN_1);
  for (; now < 60 * RCC_SEC; now += 20 * MS) {
    put (&f, (RccSbpnPacket) { .class_index = 0, .expiry = now + 200 * MS, .size = 214 }, now);
    while (rcc_sbpn_overflow (&f.q, now, &out))
      g_assert_cmpint (out.cause, ==, RCC_SBPN_FULL);
    balances (&f.q.queue.total);
  }
  for (RccSbpnVerdict v; (v = rcc_sbpn_next (&f.q, now, &out)) != RCC_SBPN_EMPTY;) {
    sent += v == RCC_SBPN_SEND;
    g_assert_true (v == RCC_SBPN_DROP || out.queue_time <= 200 * MS);
  }
  g_assert_cmpuint (sent, ==, 10);
  balances (&f.q.queue.total);
}

/* T1 */
static void
an_hour_later_all_is_expired_but_what_never_does (void)
{
  const RccTime later = 3600 * RCC_SEC;
  Fixture f;

  setup (&f, RCC_SBPN_1);
  put (&f, (RccSbpnPacket) { .class_index = 0, .expiry = 200 * MS }, 0);
  put (&f, (RccSbpnPacket) { .class_index = 1, .expiry = RCC_NEVER, .size = 1 }, 0);
  rcc_sbpn_set_owd (&f.q, RCC_NEVER - 1);       /* and absurdly far away */
  drops (&f, later, 1, RCC_SBPN_EXPIRED);
  g_assert_cmpuint (sends (&f, later, 2).queue_time, ==, later);
  g_assert_cmpuint (f.q.queue.total.queue_time_max, ==, later);
  put (&f, (RccSbpnPacket) { .class_index = 1, .expiry = RCC_NEVER }, later);
  g_assert_cmpuint (sends (&f, 0, 3).queue_time, ==, 0);        /* and back */
}

static void
packets_of_no_size_count_as_packets (void)
{
  Fixture f;

  setup (&f, RCC_SBPN_WEIGHTED);
  for (guint i = 1; i <= 3; i++)
    put (&f, (RccSbpnPacket) { .class_index = 0, .expiry = RCC_SEC }, 0);
  g_assert_cmpuint (f.q.queue.total.queued.packets, ==, 3);
  for (guint i = 1; i <= 3; i++)
    sends (&f, 0, i);
  balances (&f.q.queue.total);
}

static void
a_closed_class_takes_nothing (void)
{
  RccSbpnPacket p = { .class_index = 3, .expiry = RCC_SEC, .size = 5 };
  RccSbpnOut out;
  Fixture f;

  setup (&f, RCC_SBPN_2);
  g_assert_false (rcc_sbpn_put (&f.q, &p, 0));
  p.class_index = RCC_SBPN_CLASSES;
  g_assert_false (rcc_sbpn_put (&f.q, &p, 0));
  p.class_index = 2;
  put (&f, p, 0);
  g_assert_false (rcc_sbpn_close_class (&f.q, 2));
  g_assert_true (rcc_sbpn_flush (&f.q, 2, &out));
  g_assert_false (rcc_sbpn_flush (&f.q, 2, &out));
  g_assert_true (rcc_sbpn_close_class (&f.q, 2));
  g_assert_false (rcc_sbpn_put (&f.q, &p, 0));
  g_assert_cmpuint (rcc_sbpn_class (&f.q, 2)->count.in.packets, ==, 1);
  rcc_sbpn_set_class (&f.q, 2, &(RccSbpnClassConfig) { 0 });
  g_assert_cmpuint (rcc_sbpn_class (&f.q, 2)->count.in.packets, ==, 0);
  g_assert_cmpuint (f.q.queue.total.in.packets, ==, 1);
  balances (&f.q.queue.total);
}

/* A flush ends what was known of frames: the number may be used again. */
static void
flush_takes_one_class_and_forgets_its_frames (void)
{
  RccSbpnPacket video = { .class_index = 2, .frame = 1, .expiry = 100 * MS, .size = 3 };
  guint flushed = 0;
  RccSbpnOut out;
  Fixture f;

  setup (&f, RCC_SBPN_1);
  put (&f, video, 0);
  put (&f, video, 0);
  put (&f, (RccSbpnPacket) { .class_index = 0, .expiry = RCC_SEC }, 0);
  sends (&f, 0, 3);
  put (&f, (RccSbpnPacket) { .class_index = 0, .expiry = RCC_SEC }, 0);
  sends (&f, 200 * MS, 4);
  drops (&f, 200 * MS, 1, RCC_SBPN_EXPIRED);
  put (&f, (RccSbpnPacket) { .class_index = 0, .expiry = RCC_SEC }, 0);
  for (; rcc_sbpn_flush (&f.q, 2, &out); flushed++)
    g_assert_cmpint (out.cause, ==, RCC_SBPN_FLUSHED);
  g_assert_cmpuint (flushed, ==, 1);    /* doomed, but not told yet */
  video.expiry = RCC_SEC;
  put (&f, video, 200 * MS);
  sends (&f, 200 * MS, 5);
  sends (&f, 200 * MS, 6);
  balances (&f.q.queue.total);
}

/* P2 */
static void
ten_thousand_packets_are_flushed_one_by_one (void)
{
  const guint n = 10000;
  RccSbpnEntry *entries = g_new (RccSbpnEntry, n + 1);
  RccSbpnClass classes[RCC_SBPN_CLASSES];
  guint8 *seen = g_new0 (guint8, n + 1);
  const RccSbpnConfig config = rcc_sbpn_config ();
  RccSbpnOut out;
  RccSbpn q;

  rcc_sbpn_init (&q, &config, entries, n + 1, classes, RCC_SBPN_CLASSES);
  for (guint k = 0; k < RCC_SBPN_CLASSES; k++)
    rcc_sbpn_set_class (&q, k, &(RccSbpnClassConfig) { .priority = k % 3 });
  for (guint i = 0; i < n; i++) {
    const RccSbpnPacket p = { .handle = GSIZE_TO_POINTER (i), .frame = i / 100 + 1,
      .expiry = i * MS, .size = i, .class_index = i % 32, .keep = i % 7 == 0 };

    g_assert_true (rcc_sbpn_put (&q, &p, i));
    g_assert_false (rcc_sbpn_overflow (&q, i, &out));
  }
  for (guint i = 0; i < n; i++) {
    g_assert_true (rcc_sbpn_flush (&q, RCC_SBPN_ALL, &out));
    g_assert_cmpuint (seen[handle (out)]++, ==, 0);
    balances (&q.queue.total);
  }
  g_assert_false (rcc_sbpn_flush (&q, RCC_SBPN_ALL, &out));
  g_assert_cmpuint (q.queue.total.queued.bytes, ==, 0);
  g_assert_cmpint (rcc_sbpn_next (&q, 0, &out), ==, RCC_SBPN_EMPTY);
  g_free (seen);
  g_free (entries);
}

static guint64
field (gconstpointer object, const RccField *fields, const gchar *name)
{
  for (; fields->name; fields++)
    if (g_str_equal (fields->name, name))
      return *(const guint64 *) ((const guint8 *) object + fields->offset);
  g_assert_not_reached ();
}

static void
statistics_name_what_happened (void)
{
  static const char *const modes[] = { "fifo", "sbpn1", "sbpn2", "sbpn3", "weighted" };
  Fixture f;
  const RccSbpnClass *c;

  setup (&f, RCC_SBPN_2);
  c = rcc_sbpn_class (&f.q, 1);
  put_three (&f);
  drops (&f, RCC_SEC, 3, RCC_SBPN_EXPIRED);
  drops (&f, RCC_SEC, 2, RCC_SBPN_EXPIRED);
  g_assert_cmpuint (field (&f.q, rcc_sbpn_fields, "queue-packets"), ==, 1);
  sends (&f, RCC_SEC, 1);
  g_assert_cmpuint (field (&f.q, rcc_sbpn_fields, "packets-in"), ==, 3);
  g_assert_cmpuint (field (&f.q, rcc_sbpn_fields, "bytes-in"), ==, 2200);
  g_assert_cmpuint (field (&f.q, rcc_sbpn_fields, "bytes-dropped-expired"), ==, 1200);
  g_assert_cmpuint (field (c, rcc_sbpn_class_fields, "packets-in"), ==, 2);
  g_assert_cmpuint (field (c, rcc_sbpn_class_fields, "packets-dropped-expired"), ==, 1);
  g_assert_cmpuint (field (c, rcc_sbpn_class_fields, "packets-sent-expired"), ==, 1);
  g_assert_cmpuint (field (c, rcc_sbpn_class_fields, "queue-time"), ==, RCC_SEC);
  for (guint i = 0; i <= RCC_SBPN_WEIGHTED; i++)
    g_assert_cmpstr (rcc_sbpn_mode_names[i], ==, modes[i]);
  g_assert_null (rcc_sbpn_mode_names[RCC_SBPN_WEIGHTED + 1]);
  g_assert_cmpstr (rcc_sbpn_cause_names[RCC_SBPN_FLUSHED], ==, "flushed");
  g_assert_null (rcc_sbpn_cause_names[RCC_SBPN_CAUSES]);
}

/* A class that is closed has no share, and the bound counts it no more. */
static void
a_closed_class_has_no_share (void)
{
  const RccSbpnClassConfig config = { .weight = 5 };
  Fixture f;
  double before;

  setup (&f, RCC_SBPN_WEIGHTED);
  before = rcc_sbpn_share_bound (&f.q.share, 1000);
  rcc_sbpn_set_class (&f.q, f.q.queue.n_classes - 1, &config);
  g_assert_true (rcc_sbpn_close_class (&f.q, f.q.queue.n_classes - 1));
  g_assert_cmpfloat (f.q.share.weight[f.q.queue.n_classes - 1], ==, 0);
  g_assert_cmpfloat (rcc_sbpn_share_bound (&f.q.share, 1000), <=, before);
}

/* A class that was never opened, or is none. */
static void
takes_nothing_for_a_class_that_is_none (void)
{
  Fixture f;

  setup (&f, RCC_SBPN_2);
  for (guint k = 3; k < 4 * RCC_SBPN_CLASSES; k++) {
    const RccSbpnPacket p = { .class_index = k, .size = 100, .expiry = RCC_SEC };

    g_assert_false (rcc_sbpn_put (&f.q, &p, 0));
    g_assert_false (rcc_sbpn_class (&f.q, k)->open);
  }
  g_assert_cmpuint (f.q.queue.total.in.packets, ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sbpn/fifo-sends-in-order-of-arrival-whatever-expires",
      fifo_sends_in_order_of_arrival_whatever_expires);
  g_test_add_func ("/sbpn/sends-by-priority-then-expiry-then-arrival",
      sends_by_priority_then_expiry_then_arrival);
  g_test_add_func ("/sbpn/classes-of-one-priority-are-one-queue",
      classes_of_one_priority_are_one_queue);
  g_test_add_func ("/sbpn/sbpn1-drops-what-would-come-too-late",
      sbpn1_drops_what_would_come_too_late);
  g_test_add_func ("/sbpn/sbpn2-sends-the-last-one-though-expired",
      sbpn2_sends_the_last_one_though_expired);
  g_test_add_func ("/sbpn/sbpn2-sends-the-last-frame-whole", sbpn2_sends_the_last_frame_whole);
  g_test_add_func ("/sbpn/sbpn3-sends-the-expired-when-nothing-is-live",
      sbpn3_sends_the_expired_when_nothing_is_live);
  g_test_add_func ("/sbpn/a-shorter-delay-revives-the-expired",
      a_shorter_delay_revives_the_expired);
  g_test_add_func ("/sbpn/strict-modes-know-no-urgency", strict_modes_know_no_urgency);
  g_test_add_func ("/sbpn/what-is-kept-is-sent-however-late",
      what_is_kept_is_sent_however_late);
  g_test_add_func ("/sbpn/a-broken-frame-loses-its-rest", a_broken_frame_loses_its_rest);
  g_test_add_func ("/sbpn/a-frame-that-has-begun-is-finished",
      a_frame_that_has_begun_is_finished);
  g_test_add_func ("/sbpn/falls-up-to-the-next-key-frame", falls_up_to_the_next_key_frame);
  g_test_add_func ("/sbpn/other-classes-lose-packets-one-by-one",
      other_classes_lose_packets_one_by_one);
  g_test_add_func ("/sbpn/after-a-minute-without-a-budget-only-the-fresh-leaves",
      after_a_minute_without_a_budget_only_the_fresh_leaves);
  g_test_add_func ("/sbpn/an-hour-later-all-is-expired-but-what-never-does",
      an_hour_later_all_is_expired_but_what_never_does);
  g_test_add_func ("/sbpn/packets-of-no-size-count-as-packets",
      packets_of_no_size_count_as_packets);
  g_test_add_func ("/sbpn/a-closed-class-takes-nothing", a_closed_class_takes_nothing);
  g_test_add_func ("/sbpn/flush-takes-one-class-and-forgets-its-frames",
      flush_takes_one_class_and_forgets_its_frames);
  g_test_add_func ("/sbpn/ten-thousand-packets-are-flushed-one-by-one",
      ten_thousand_packets_are_flushed_one_by_one);
  g_test_add_func ("/sbpn/statistics-name-what-happened", statistics_name_what_happened);
  g_test_add_func ("/sbpn/a-closed-class-has-no-share", a_closed_class_has_no_share);
  g_test_add_func ("/sbpn/takes-nothing-for-a-class-that-is-none",
      takes_nothing_for_a_class_that_is_none);
  return g_test_run ();
}
