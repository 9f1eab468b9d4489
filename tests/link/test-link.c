/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <math.h>
#include "link-rig.h"

static void
departures_are_exact (void)
{
  g_autoptr (GArray) out = packets_new ();
  RccLinkConfig c = rcc_link_config_default ();
  RccLink l;

  c.rate_bps = 1000000;
  c.delay = 50 * MS;
  rcc_link_init (&l, &c, 1);
  g_assert_cmpuint (rcc_link_next (&l), ==, RCC_NEVER);
  for (guint i = 0; i < 3; i++)         /* 1228 bytes on the wire: 9.824 ms */
    g_assert_cmpint (rcc_link_push (&l, i, 1200, RCC_ECN_NOT_ECT, 0), ==, RCC_LINK_PASSED);
  g_assert_cmpuint (rcc_link_queue_time (&l, 0), ==, 29472000);
  g_assert_cmpuint (rcc_link_next (&l), ==, 59824000);
  collect (&l, 59823999, out);
  g_assert_cmpuint (out->len, ==, 0);
  collect (&l, 1000 * MS, out);
  g_assert_cmpuint (out->len, ==, 3);
  for (guint i = 0; i < 3; i++) {
    g_assert_cmpuint (at (out, i)->cookie, ==, i);
    g_assert_cmpuint (at (out, i)->size, ==, 1200);
    g_assert_cmpuint (at (out, i)->departed, ==, (i + 1) * 9824000);
    g_assert_cmpuint (at (out, i)->delivered, ==, (i + 1) * 9824000 + 50 * MS);
  }
  finish (&l);
}

/* 1000 bytes at 3 Mbit/s take 2666666 2/3 ns: no third of a nanosecond is lost. */
static void
a_busy_server_loses_no_time (void)
{
  RccLinkConfig c = quiet (3000000);
  RccLinkPacket p;
  RccLink l;

  rcc_link_init (&l, &c, 1);
  for (guint i = 0; i < 3001; i++)
    rcc_link_push (&l, i, 1000, RCC_ECN_NOT_ECT, 0);
  for (guint64 n = 1; n <= 3001; n++) {
    g_assert_true (rcc_link_pop (&l, RCC_SEC * 100, &p));
    g_assert_cmpuint (p.departed, ==, (n * 8000000 + 2) / 3);
  }
  finish (&l);
}

static void
rate_change_retimes_the_packet_in_service (void)
{
  RccLinkConfig c = quiet (1000000);
  RccLinkPacket p;
  RccLink l;

  rcc_link_init (&l, &c, 1);
  rcc_link_push (&l, 1, 1250, RCC_ECN_NOT_ECT, 0);      /* 10 ms */
  rcc_link_push (&l, 2, 1250, RCC_ECN_NOT_ECT, 0);
  c.rate_bps = 500000;
  rcc_link_configure (&l, &c, 4 * MS);  /* 6 ms left become 12 */
  g_assert_cmpuint (rcc_link_next (&l), ==, 16 * MS);
  c.rate_bps = 0;
  rcc_link_configure (&l, &c, 10 * MS); /* 3000 of 10000 bits left */
  g_assert_cmpuint (rcc_link_next (&l), ==, RCC_NEVER);
  g_assert_false (rcc_link_pop (&l, 105 * MS, &p));
  g_assert_cmpuint (rcc_link_queue_time (&l, 105 * MS), ==, 105 * MS);
  c.rate_bps = 2000000;
  rcc_link_configure (&l, &c, 110 * MS);
  g_assert_true (rcc_link_pop (&l, RCC_SEC, &p));
  g_assert_cmpuint (p.departed, ==, 110 * MS + 1500 * RCC_USEC);
  g_assert_true (rcc_link_pop (&l, RCC_SEC, &p));
  g_assert_cmpuint (p.departed, ==, 110 * MS + 6500 * RCC_USEC);
  finish (&l);
}

static void
queue_in_packets_bytes_and_time (void)
{
  static const struct { RccLinkLimit limit; guint accepted; } cases[] = {
    { { RCC_LIMIT_PACKETS, 50 }, 51 },          /* one in service, 50 wait */
    { { RCC_LIMIT_PACKETS, 0 }, 1 },
    { { RCC_LIMIT_BYTES, 12500 }, 11 },
    { { RCC_LIMIT_BYTES, 12499 }, 10 },
    { { RCC_LIMIT_TIME, 300 * MS }, 31 },       /* 10 ms each */
    { { RCC_LIMIT_TIME, 299 * MS }, 30 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    RccLinkConfig c = quiet (1000000);
    RccLink l;

    c.queue = cases[i].limit;
    rcc_link_init (&l, &c, 1);
    g_assert_cmpuint (accepted_of (&l, 100, 1250, 0), ==, cases[i].accepted);
    g_assert_cmpuint (rcc_link_stats (&l, 0).dropped[RCC_LINK_DROP_QUEUE], ==,
        100 - cases[i].accepted);
    assert_accounts (&l, 0);
    finish (&l);
  }
}

static void
queue_in_time_follows_capacity (void)
{
  RccLinkConfig c = quiet (1000000);
  RccLinkPacket p;
  RccLink l;

  c.queue = (RccLinkLimit) { RCC_LIMIT_TIME, 300 * MS };
  rcc_link_init (&l, &c, 1);
  g_assert_cmpuint (accepted_of (&l, 100, 1250, 0), ==, 31);
  c.rate_bps = 2000000;
  rcc_link_configure (&l, &c, 0);
  g_assert_cmpuint (accepted_of (&l, 100, 1250, 0), ==, 30);    /* room doubled */
  c.rate_bps = 500000;
  rcc_link_configure (&l, &c, 0);       /* over the limit now: nothing is taken back */
  g_assert_cmpuint (accepted_of (&l, 10, 1250, 0), ==, 0);
  c.rate_bps = 0;                       /* counts as the last rate above 0 */
  rcc_link_configure (&l, &c, 0);
  while (rcc_link_drain (&l, &p));
  g_assert_cmpuint (accepted_of (&l, 100, 1250, 0), ==, 16);
  finish (&l);
}

static void
too_old_packets_are_dropped (void)
{
  RccTrace *t = trace_of (RCC_TRACE_SLOTS, "500\n700\n");
  RccLinkConfig c = quiet (0);
  g_autoptr (GArray) out = packets_new ();
  RccLink l;

  c.trace = t;
  c.max_age = 500 * MS;
  rcc_link_init (&l, &c, 1);
  rcc_link_push (&l, 0, 100, RCC_ECN_NOT_ECT, 0);       /* exactly 500 ms: passes */
  rcc_link_push (&l, 1, 100, RCC_ECN_NOT_ECT, 100 * MS);        /* 600 > 500 */
  rcc_link_push (&l, 2, 100, RCC_ECN_NOT_ECT, 300 * MS);
  collect (&l, RCC_SEC, out);
  g_assert_cmpuint (out->len, ==, 3);
  g_assert_cmpint (at (out, 0)->outcome, ==, RCC_LINK_PASSED);
  g_assert_cmpint (at (out, 1)->outcome, ==, RCC_LINK_DROP_AGE);
  g_assert_cmpuint (at (out, 1)->departed, ==, 600 * MS);
  g_assert_cmpuint (at (out, 1)->delivered, ==, RCC_NEVER);
  g_assert_cmpint (at (out, 2)->outcome, ==, RCC_LINK_PASSED);
  g_assert_cmpuint (at (out, 2)->departed, ==, 700 * MS);
  finish (&l);

  /* at a rate, the packet in service is not taken */
  c = quiet (1000);
  c.max_age = 100 * MS;
  rcc_link_init (&l, &c, 1);
  rcc_link_push (&l, 0, 1000, RCC_ECN_NOT_ECT, 0);      /* 8 s */
  rcc_link_push (&l, 1, 1000, RCC_ECN_NOT_ECT, 50 * MS);
  rcc_link_push (&l, 2, 1000, RCC_ECN_NOT_ECT, 60 * MS);
  g_array_set_size (out, 0);
  collect (&l, 9 * RCC_SEC, out);
  g_assert_cmpuint (at (out, 0)->departed, ==, 150 * MS);
  g_assert_cmpuint (at (out, 1)->departed, ==, 160 * MS);
  g_assert_cmpuint (at (out, 2)->cookie, ==, 0);
  finish (&l);
  rcc_trace_free (t);
}

/* RFC 8868 4.5.2: extra delay in 0..jitter, never out of order. */
static void
jitter_never_reorders (void)
{
  for (guint seed = 0; seed < 200; seed++) {
    RccLinkConfig c = quiet (20000000);
    RccTime now = 0, last = 0;
    RccLinkPacket p;
    guint64 next = 0;
    RccRng rng;
    RccLink l;

    c.delay = 50 * MS;
    c.jitter = 30 * MS;
    rcc_rng_init (&rng, seed, 1);
    rcc_link_init (&l, &c, seed);
    for (guint i = 0; i < 500; i++) {
      rcc_link_push (&l, i, 40 + rcc_rng_u32 (&rng) % 1400, RCC_ECN_NOT_ECT, now);
      now += (RccTime) rcc_rng_exponential (&rng, 4e6);
      if (i % 100 == 50) {              /* a delay that shrinks does not reorder either */
        c.delay = (50 + 40 * (i % 200 == 50)) * MS;
        rcc_link_configure (&l, &c, now);
      }
    }
    while (rcc_link_pop (&l, RCC_SEC * 100, &p)) {
      g_assert_cmpuint (p.cookie, ==, next++);
      g_assert_cmpuint (p.delivered, >=, last);
      g_assert_cmpuint (p.delivered, >=, p.departed + 50 * MS);
      last = p.delivered;
    }
    g_assert_cmpuint (next, ==, 500);
    finish (&l);
  }
}

static void
jitter_distribution (void)
{
  double sum = 0, squares = 0, least = 1e9, most = 0;
  RccLinkConfig c = quiet (100000000);
  const guint n = 20000;
  RccLinkPacket p;
  RccLink l;

  c.jitter = 30 * MS;
  rcc_link_init (&l, &c, 5);
  for (guint i = 0; i < n; i++) {       /* far apart: the ordering rule never bites */
    rcc_link_push (&l, i, 100, RCC_ECN_NOT_ECT, i * 100 * MS);
    g_assert_true (rcc_link_pop (&l, i * 100 * MS + 90 * MS, &p));
    const double ms = (double) (p.delivered - p.departed) / 1e6;

    sum += ms;
    squares += ms * ms;
    least = MIN (least, ms);
    most = MAX (most, ms);
  }
  g_assert_cmpfloat (least, >=, 0);
  g_assert_cmpfloat (most, <=, 30);
  g_assert_cmpfloat (least, <, 1.5);    /* 3 std happens in 0.3 % of draws */
  g_assert_cmpfloat (most, >, 28.5);
  g_assert_cmpfloat_with_epsilon (sum / n, 15, 0.15);
  g_assert_cmpfloat_with_epsilon (sqrt (squares / n - sum / n * sum / n), 4.93, 0.1);
  finish (&l);
}

static void
loss_statistics (void)
{
  const guint n = 400000;
  RccLinkConfig c = quiet (RCC_LINK_UNLIMITED);
  guint bursts = 0, lost = 0;
  gboolean before = FALSE;
  RccLinkPacket p;
  RccLink l;

  c.loss = 0.01;
  rcc_link_init (&l, &c, 3);
  for (guint i = 0; i < n; i++)
    lost += rcc_link_push (&l, i, 100, RCC_ECN_NOT_ECT, i) == RCC_LINK_DROP_LOSS;
  g_assert_cmpfloat_with_epsilon (lost / (double) n, 0.01, 0.0008);     /* 5 sigma */
  while (rcc_link_pop (&l, n, &p));
  finish (&l);

  c.loss = 0;
  c.ge_p = 0.01;
  c.ge_r = 0.3;
  rcc_link_init (&l, &c, 3);
  for (guint i = lost = 0; i < n; i++) {
    const gboolean drop =
        rcc_link_push (&l, i, 100, RCC_ECN_NOT_ECT, i) == RCC_LINK_DROP_BURST;

    lost += drop;
    bursts += drop && !before;
    before = drop;
    while (rcc_link_pop (&l, i, &p));
  }
  g_assert_cmpfloat_with_epsilon (lost / (double) n, 0.01 / 0.31, 0.0035);
  g_assert_cmpfloat_with_epsilon (lost / (double) bursts, 1 / 0.3, 0.25);
  assert_accounts (&l, n);
  finish (&l);
}

static void
threshold_marks (void)
{
  RccLinkConfig c = quiet (1000000);
  g_autoptr (GArray) out = packets_new ();
  RccLink l;

  c.ecn_threshold = (RccLinkLimit) { RCC_LIMIT_TIME, 50 * MS };
  rcc_link_init (&l, &c, 1);
  for (guint i = 0; i < 12; i++)        /* 10 ms each: the seventh finds 50 ms and itself */
    rcc_link_push (&l, i, 1250, i == 8 ? RCC_ECN_NOT_ECT : RCC_ECN_ECT1, 0);
  collect (&l, RCC_SEC, out);
  for (guint i = 0; i < 12; i++)
    g_assert_cmpint (at (out, i)->ecn, ==,
        i < 6 ? RCC_ECN_ECT1 : i == 8 ? RCC_ECN_NOT_ECT : RCC_ECN_CE);
  g_assert_cmpuint (rcc_link_stats (&l, RCC_SEC).marked, ==, 5);
  finish (&l);
}

/* 10 ms each: behind the one in service a packet finds 10 ms of queue and itself, 20 ms. */
static void
a_ramp_marks_in_proportion (void)
{
  static const struct { guint from, to; gdouble share; } cases[] = {
    { 0, 40, 0.5 }, { 20, 40, 0.0 }, { 10, 20, 1.0 }, { 0, 25, 0.8 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    RccLinkConfig c = quiet (1000000);
    g_autoptr (GArray) out = packets_new ();
    const guint n = 4000;
    RccLink l;

    c.ecn_threshold = (RccLinkLimit) { RCC_LIMIT_TIME, cases[i].from * MS };
    c.ecn_ramp = (cases[i].to - cases[i].from) * MS;
    rcc_link_init (&l, &c, 1);
    for (guint k = 0; k < n; k++) {
      const RccTime now = 10 * k * MS;

      rcc_link_push (&l, k, 1250, RCC_ECN_ECT1, now);
      if (k == 0) {
        rcc_link_push (&l, n, 1250, RCC_ECN_NOT_ECT, now);
        rcc_link_push (&l, n + 1, 1250, RCC_ECN_NOT_ECT, now);
      }
    }
    collect (&l, 10 * RCC_SEC * 10, out);
    g_assert_cmpfloat_with_epsilon (rcc_link_stats (&l, 100 * RCC_SEC).marked / (gdouble) n,
        cases[i].share, 0.03);
    finish (&l);
  }
}

/* tc-tbf(8): what the bucket holds leaves at once, the rest at the rate; a pause fills it. */
static void
a_bucket_lets_go_at_once (void)
{
  static const RccTime at_ms[] = { 0, 100, 145 };
  RccLinkConfig c = quiet (1000000);
  g_autoptr (GArray) out = packets_new ();
  RccLink l;

  c.bucket = 3 * 1250 + 625;
  rcc_link_init (&l, &c, 1);
  for (guint i = 0; i < 12; i++)
    rcc_link_push (&l, i, 1250, RCC_ECN_NOT_ECT, at_ms[i / 5] * MS);
  collect (&l, RCC_SEC, out);
  g_assert_cmpuint (out->len, ==, 12);
  /* 3.5 packets at once; the fourth owes half of itself */
  for (guint i = 0; i < 3; i++)
    g_assert_cmpuint (at (out, i)->departed, ==, 0);
  g_assert_cmpuint (at (out, 3)->departed, ==, 5 * MS);
  g_assert_cmpuint (at (out, 4)->departed, ==, 15 * MS);
  /* full again after 35 ms of idling */
  for (guint i = 5; i < 8; i++)
    g_assert_cmpuint (at (out, i)->departed, ==, 100 * MS);
  g_assert_cmpuint (at (out, 8)->departed, ==, 105 * MS);
  g_assert_cmpuint (at (out, 9)->departed, ==, 115 * MS);
  /* 30 ms of idling: three packets' worth */
  g_assert_cmpuint (at (out, 10)->departed, ==, 145 * MS);
  g_assert_cmpuint (at (out, 11)->departed, ==, 145 * MS);
  finish (&l);
}

/* However the packets come, no span of time lets more go than the rate and the bucket. */
static void
a_bucket_keeps_to_its_rate (void)
{
  RccLinkConfig c = quiet (1000000);
  g_autoptr (GArray) out = packets_new ();
  RccTime now = 0;
  RccRng rng;
  RccLink l;

  c.bucket = 3000;
  rcc_rng_init (&rng, 1, 1);
  rcc_link_init (&l, &c, 1);
  for (guint i = 0; i < 2000; i++) {
    now += rcc_rng_u32 (&rng) % 4 ? 0 : rcc_rng_u32 (&rng) % (40 * MS);
    rcc_link_push (&l, i, 100 + rcc_rng_u32 (&rng) % 1100, RCC_ECN_NOT_ECT, now);
  }
  collect (&l, now + 10 * RCC_SEC, out);
  for (guint i = 0; i < out->len; i++) {
    gdouble bits = 0;

    for (guint k = i; k < MIN (i + 50, out->len); k++) {
      bits += 8.0 * at (out, k)->size;
      g_assert_cmpfloat (bits, <=, 8 * 3000
          + 1e6 * (gdouble) (at (out, k)->departed - at (out, i)->departed) * 1e-9
          + 1);
    }
  }
  finish (&l);
}

static RccLinkConfig
random_config (RccRng *rng, const RccTrace *a, const RccTrace *b)
{
  static const guint64 rates[] = { 0, 300000, 1000000, 2345678, RCC_LINK_UNLIMITED };
  RccLinkConfig c = rcc_link_config_default ();
  const guint pick = rcc_rng_u32 (rng) % 8;

  c.rate_bps = rates[rcc_rng_u32 (rng) % G_N_ELEMENTS (rates)];
  c.trace = pick == 0 ? a : pick == 1 ? b : NULL;
  c.delay = rcc_rng_u32 (rng) % 3 * 20 * MS;
  c.jitter = rcc_rng_u32 (rng) % 2 * 30 * MS;
  c.reorder = rcc_rng_u32 (rng) % 3 * 0.5;
  c.reorder_by = 20 * MS;
  c.queue = (RccLinkLimit) { RCC_LIMIT_TIME, rcc_rng_u32 (rng) % 300 * MS };
  c.ecn_threshold = (RccLinkLimit) { rcc_rng_u32 (rng) % 2, 5 };
  c.ecn_ramp = rcc_rng_u32 (rng) % 2 * 5;
  c.bucket = rcc_rng_u32 (rng) % 2 * 3000;
  c.aqm = rcc_rng_u32 (rng) % 2;
  c.ecn = rcc_rng_u32 (rng) % 2;
  c.loss = rcc_rng_u32 (rng) % 2 * 0.05;
  c.ge_p = rcc_rng_u32 (rng) % 2 * 0.01;
  c.ge_r = 0.3;
  c.max_age = rcc_rng_u32 (rng) % 2 ? 100 * MS : RCC_NEVER;
  c.overhead = rcc_rng_u32 (rng) % 60;
  return c;
}

/* @lateness: how many pushes go by between two looks; 0: wake at rcc_link_next(). */
static GArray *
random_run (guint seed, guint lateness, const RccTrace *a, const RccTrace *b)
{
  GArray *out = packets_new ();
  RccTime now = 0;
  RccRng rng;
  RccLink l;

  rcc_link_init (&l, NULL, seed);
  rcc_rng_init (&rng, seed, 2);
  for (guint i = 0; i < 3000; i++) {
    const RccTime step = (RccTime) rcc_rng_exponential (&rng, 5e6);
    RccTime next;

    while (!lateness && (next = rcc_link_next (&l)) <= now + step) {
      const guint before = out->len;

      if (next > now && next > l.now) { /* nothing is delivered before it says so */
        collect (&l, next - 1, out);
        for (guint k = before; k < out->len; k++)
          g_assert_cmpint (at (out, k)->outcome, ==, RCC_LINK_DROP_AQM);
      }
      collect (&l, MAX (next, l.now), out);
      assert_accounts (&l, l.now);
    }
    now += step;
    if (i % 100 == 0) {
      const RccLinkConfig c = random_config (&rng, a, b);

      rcc_link_configure (&l, &c, now);
    }
    rcc_link_push (&l, i, 40 + rcc_rng_u32 (&rng) % 1460, rcc_rng_u32 (&rng) % 3, now);
    assert_accounts (&l, now);
    if (lateness && i % lateness == 0)
      collect (&l, now, out);
  }
  collect (&l, now + 10 * RCC_SEC, out);
  finish (&l);
  return out;
}

static int
by_cookie (gconstpointer a, gconstpointer b)
{
  const RccLinkPacket *x = a, *y = b;

  return x->cookie < y->cookie ? -1 : x->cookie > y->cookie;
}

/* Field by field: what is between them is the compiler's. */
static void
assert_same (const RccLinkPacket *x, const RccLinkPacket *y)
{
  g_assert_cmpuint (x->cookie, ==, y->cookie);
  g_assert_cmpuint (x->size, ==, y->size);
  g_assert_cmpint (x->ecn, ==, y->ecn);
  g_assert_cmpint (x->outcome, ==, y->outcome);
  g_assert_cmpint (x->arrived, ==, y->arrived);
  g_assert_cmpint (x->departed, ==, y->departed);
  g_assert_cmpint (x->delivered, ==, y->delivered);
}

static void
late_calls_move_nothing (void)
{
  RccTrace *a = trace_of (RCC_TRACE_MAHIMAHI, "0\n3\n9\n9\n21\n60\n");
  RccTrace *b = rcc_trace_outages (9);

  for (guint seed = 0; seed < 60; seed++) {
    g_autoptr (GArray) exact = random_run (seed, 0, a, b);
    g_autoptr (GArray) again = random_run (seed, 0, a, b);
    g_autoptr (GArray) late = random_run (seed, 1 + seed * 10, a, b);

    g_assert_cmpuint (exact->len, >, 500);
    g_assert_cmpuint (exact->len, ==, again->len);
    g_assert_cmpuint (exact->len, ==, late->len);
    for (guint i = 0; i < exact->len; i++)
      assert_same (at (exact, i), at (again, i));
    g_array_sort (exact, by_cookie);    /* equal times may come in either order */
    g_array_sort (late, by_cookie);
    for (guint i = 0; i < exact->len; i++)
      assert_same (at (exact, i), at (late, i));
  }
  rcc_trace_free (a);
  rcc_trace_free (b);
}

static void
a_seed_is_a_run (void)
{
  RccTrace *b = rcc_trace_outages (9);
  g_autoptr (GArray) one = random_run (1, 3, b, b);
  g_autoptr (GArray) two = random_run (2, 3, b, b);

  g_assert_true (one->len != two->len || at (one, one->len / 2)->delivered
      != at (two, two->len / 2)->delivered);
  rcc_trace_free (b);
}

static void
memory_is_bounded (void)
{
  RccLinkConfig c = quiet (0);
  RccLink l;

  rcc_link_init (&l, &c, 1);
  g_assert_cmpuint (accepted_of (&l, RCC_LINK_MAX_PACKETS + 7, 65535, 0), ==,
      RCC_LINK_MAX_PACKETS);
  g_assert_cmpint (rcc_link_push (&l, 0, UINT32_MAX, RCC_ECN_CE, 0), ==,
      RCC_LINK_DROP_BOUND);
  g_assert_cmpuint (rcc_link_stats (&l, 0).dropped[RCC_LINK_DROP_BOUND], ==, 8);
  c.rate_bps = 1;
  rcc_link_configure (&l, &c, 1);
  g_assert_cmpuint (rcc_link_queue_time (&l, 2), >, RCC_SEC);
  finish (&l);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define T(name, f) g_test_add_func ("/link/" name, f)
  T ("departures-are-exact", departures_are_exact);
  T ("a-busy-server-loses-no-time", a_busy_server_loses_no_time);
  T ("rate-change-retimes-the-packet-in-service", rate_change_retimes_the_packet_in_service);
  T ("queue-in-packets-bytes-and-time", queue_in_packets_bytes_and_time);
  T ("queue-in-time-follows-capacity", queue_in_time_follows_capacity);
  T ("too-old-packets-are-dropped", too_old_packets_are_dropped);
  T ("jitter-never-reorders", jitter_never_reorders);
  T ("jitter-distribution", jitter_distribution);
  T ("loss-statistics", loss_statistics);
  T ("threshold-marks", threshold_marks);
  T ("a-ramp-marks-in-proportion", a_ramp_marks_in_proportion);
  T ("a-bucket-lets-go-at-once", a_bucket_lets_go_at_once);
  T ("a-bucket-keeps-to-its-rate", a_bucket_keeps_to_its_rate);
  T ("late-calls-move-nothing", late_calls_move_nothing);
  T ("a-seed-is-a-run", a_seed_is_a_run);
  T ("memory-is-bounded", memory_is_bounded);
  return g_test_run ();
}
