/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <glib.h>
#include <math.h>
#include <string.h>
#include "link/link.h"

#define MS RCC_MSEC

static RccLinkConfig
quiet (guint64 bps)
{
  RccLinkConfig c = rcc_link_config_default ();

  c.rate_bps = bps;
  c.overhead = 0;
  c.queue.unit = RCC_LIMIT_NONE;
  return c;
}

/* Everything that comes out up to @now, one line a packet. */
static void
collect (RccLink *l, RccTime now, GArray *out)
{
  RccLinkPacket p;

  while (rcc_link_pop (l, now, &p))
    g_array_append_val (out, p);
}

static const RccLinkPacket *
at (GArray *a, guint i)
{
  g_assert_cmpuint (i, <, a->len);
  return &g_array_index (a, RccLinkPacket, i);
}

static GArray *
packets_new (void)
{
  return g_array_new (FALSE, TRUE, sizeof (RccLinkPacket));
}

static void
assert_accounts (RccLink *l, RccTime now)
{
  const RccLinkStats s = rcc_link_stats (l, now);
  guint64 sum = 0;

  for (guint i = RCC_LINK_PASSED + 1; i < RCC_LINK_FATES; i++)
    sum += s.dropped[i];
  g_assert_cmpuint (sum, ==, s.dropped[RCC_LINK_PASSED]);
  g_assert_cmpuint (s.packets_in, ==,
      s.packets_out + sum + s.queue_packets + s.flight_packets);
  g_assert_cmpuint (s.bytes_in, ==,
      s.bytes_out + s.bytes_dropped + s.queue_bytes + s.flight_bytes);
}

static void
finish (RccLink *l)
{
  RccLinkPacket p;

  while (rcc_link_drain (l, &p))
    g_assert_cmpint (p.fate, !=, RCC_LINK_PASSED);
  assert_accounts (l, l->now);
  g_assert_cmpuint (rcc_link_stats (l, l->now).queue_packets, ==, 0);
  g_assert_cmpuint (rcc_link_next (l), ==, RCC_NEVER);
  rcc_link_clear (l);
}

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

static guint
accepted_of (RccLink *l, guint n, guint size, RccTime now)
{
  guint accepted = 0;

  for (guint i = 0; i < n; i++)
    accepted += rcc_link_push (l, i, size, RCC_ECN_NOT_ECT, now) == RCC_LINK_PASSED;
  return accepted;
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

static RccTrace *
trace_of (RccTraceKind kind, const char *text)
{
  char error[200] = "";
  RccTrace *t = rcc_trace_parse (kind, text, strlen (text), "t", error, sizeof error);

  g_assert_cmpstr (error, ==, "");
  g_assert_nonnull (t);
  return t;
}

/* testbed.md 3: three opportunities each 10 ms are 3600 kbit/s. */
static void
mahimahi_rate (void)
{
  RccTrace *t = trace_of (RCC_TRACE_MAHIMAHI, "3\n6\n10\n");
  RccLinkConfig c = quiet (0);
  RccLinkPacket p;
  guint64 bits = 0;
  RccLink l;

  g_assert_cmpuint (rcc_trace_mean_bps (t), ==, 3600000);
  c.trace = t;
  c.queue = (RccLinkLimit) { RCC_LIMIT_PACKETS, 100 };
  rcc_link_init (&l, &c, 1);
  for (RccTime now = 0; now <= 10 * RCC_SEC; now += MS) {
    rcc_link_push (&l, 0, 1200, RCC_ECN_NOT_ECT, now);
    while (rcc_link_pop (&l, now, &p))
      bits += 8 * p.size;
  }
  g_assert_cmpuint (bits, >, 36000000 - 2 * 9600);      /* less the first, empty slots */
  g_assert_cmpuint (bits, <=, 36000000);
  g_assert_cmpuint (rcc_link_capacity (&l, 10 * RCC_SEC), ==, 3600000);
  finish (&l);
  rcc_trace_free (t);
}

static void
mahimahi_bytes (void)
{
  RccTrace *t = trace_of (RCC_TRACE_MAHIMAHI, "# ms\n10\r\n20\n\n 30\n40");
  RccLinkConfig c = quiet (0);
  g_autoptr (GArray) out = packets_new ();
  RccLink l;

  c.trace = t;
  rcc_link_init (&l, &c, 1);
  rcc_link_push (&l, 1, 2000, RCC_ECN_NOT_ECT, 15 * MS);        /* spans 20 and 30 */
  rcc_link_push (&l, 2, 500, RCC_ECN_NOT_ECT, 15 * MS); /* the rest of 30 */
  rcc_link_push (&l, 3, 400, RCC_ECN_NOT_ECT, 16 * MS);
  g_assert_cmpuint (rcc_link_queue_time (&l, 16 * MS), ==, 14 * MS);
  rcc_link_push (&l, 4, 200, RCC_ECN_NOT_ECT, 20 * MS); /* 100 in 30, 100 in 40 */
  rcc_link_push (&l, 5, 1, RCC_ECN_NOT_ECT, 40 * MS);   /* too late for 40: wraps */
  g_assert_cmpuint (rcc_link_queue_time (&l, 40 * MS), ==, 10 * MS);
  collect (&l, RCC_SEC, out);
  g_assert_cmpuint (out->len, ==, 5);
  g_assert_cmpuint (at (out, 0)->departed, ==, 30 * MS);
  g_assert_cmpuint (at (out, 1)->departed, ==, 30 * MS);
  g_assert_cmpuint (at (out, 2)->departed, ==, 30 * MS);
  g_assert_cmpuint (at (out, 3)->departed, ==, 40 * MS);
  g_assert_cmpuint (at (out, 4)->departed, ==, 50 * MS);
  finish (&l);
  rcc_trace_free (t);
}

static void
slots_carry_one_packet_each (void)
{
  RccTrace *t = trace_of (RCC_TRACE_SLOTS, "0\n0\n5\n20\n");
  static const guint ms[] = { 20, 20, 20, 25, 40, 40, 40, 45 };
  RccLinkConfig c = quiet (0);
  g_autoptr (GArray) out = packets_new ();
  RccLink l;

  c.trace = t;
  rcc_link_init (&l, &c, 1);
  collect (&l, 6 * MS, out);
  for (guint i = 0; i < 8; i++)         /* any size: one slot each */
    rcc_link_push (&l, i, i % 2 ? 60000 : 40, RCC_ECN_NOT_ECT, 6 * MS);
  g_assert_cmpuint (rcc_link_queue_time (&l, 6 * MS), ==, 39 * MS);
  collect (&l, RCC_SEC, out);
  g_assert_cmpuint (out->len, ==, 8);
  for (guint i = 0; i < 8; i++)
    g_assert_cmpuint (at (out, i)->departed, ==, ms[i] * MS);
  /* an hour later the phase still holds */
  rcc_link_push (&l, 9, 40, RCC_ECN_NOT_ECT, 3600 * RCC_SEC + 5 * MS);
  g_assert_cmpuint (rcc_link_next (&l), ==, 3600 * RCC_SEC + 20 * MS);
  finish (&l);
  rcc_trace_free (t);
}

static void
a_trace_begins_when_it_is_set (void)
{
  RccTrace *t = trace_of (RCC_TRACE_SLOTS, "7\n10\n");
  RccLinkConfig c = quiet (1000000);
  RccLinkPacket p;
  RccLink l;

  rcc_link_init (&l, &c, 1);
  rcc_link_push (&l, 1, 12500, RCC_ECN_NOT_ECT, 0);
  rcc_link_push (&l, 2, 1250, RCC_ECN_NOT_ECT, 0);
  c.trace = t;
  rcc_link_configure (&l, &c, 33 * MS);
  g_assert_true (rcc_link_pop (&l, RCC_SEC, &p));
  g_assert_cmpuint (p.departed, ==, 40 * MS);
  g_assert_true (rcc_link_pop (&l, RCC_SEC, &p));
  g_assert_cmpuint (p.departed, ==, 43 * MS);
  rcc_link_push (&l, 3, 1250, RCC_ECN_NOT_ECT, 1001 * MS);
  c.trace = NULL;                       /* and back, a packet waiting */
  rcc_link_configure (&l, &c, 1002 * MS);
  g_assert_cmpuint (rcc_link_next (&l), ==, 1012 * MS);
  finish (&l);
  rcc_trace_free (t);
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
  g_assert_cmpint (at (out, 0)->fate, ==, RCC_LINK_PASSED);
  g_assert_cmpint (at (out, 1)->fate, ==, RCC_LINK_DROP_AGE);
  g_assert_cmpuint (at (out, 1)->departed, ==, 600 * MS);
  g_assert_cmpuint (at (out, 1)->delivered, ==, RCC_NEVER);
  g_assert_cmpint (at (out, 2)->fate, ==, RCC_LINK_PASSED);
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

typedef struct { double p50_ms, p95_ms, kbps; guint64 dropped, marked; } Standing;

/* A source that answers losses and marks, on 5 Mbit/s for 60 s; the queue of the last 50. */
static Standing
standing_queue (RccLinkAqm aqm, gboolean ecn, RccEcn codepoint)
{
  RccLinkConfig c = quiet (5000000);
  RccTime now = 0;
  guint histogram[2000] = { 0 }, n = 0, seen = 0, bin;
  Standing r = { 0 };
  RccLinkPacket p;
  guint64 bits = 0;
  RccRng rng;
  RccLink l;

  c.aqm = aqm;
  c.ecn = ecn;
  c.queue = (RccLinkLimit) { RCC_LIMIT_PACKETS, 400 };
  rcc_link_init (&l, &c, 1);
  rcc_rng_init (&rng, 1, 1);
  /* answers drops and marks as a TCP would: half the rate for 100 ms, then +5 %/RTT */
  double rate = 2.5e6;
  RccTime cut = 0, grown = 0;

  while (now < 60 * RCC_SEC) {
    gboolean signalled = rcc_link_push (&l, 0, 1250, codepoint, now) != RCC_LINK_PASSED;

    while (rcc_link_pop (&l, now, &p)) {
      signalled |= p.fate != RCC_LINK_PASSED || p.ecn == RCC_ECN_CE;
      if (p.fate != RCC_LINK_PASSED || p.departed < 10 * RCC_SEC)
        continue;
      bits += 8 * p.size;
      n++;
      histogram[MIN ((p.departed - p.arrived - 2 * MS) / MS, 1999)]++;
    }
    if (signalled && now > cut + 100 * MS) {
      rate *= 0.7;
      cut = now;
    }
    if (now > grown + 100 * MS) {
      rate *= 1.05;
      grown = now;
    }
    now += (RccTime) rcc_rng_exponential (&rng, 10000e9 / rate);
  }
  for (bin = 0; bin < 1999 && seen < n * 0.95; bin++) {
    seen += histogram[bin];
    if (seen < n * 0.5)
      r.p50_ms = bin + 1;
  }
  r.p95_ms = bin;
  r.kbps = (double) bits / 50e3;
  r.dropped = rcc_link_stats (&l, now).dropped[RCC_LINK_DROP_AQM];
  r.marked = rcc_link_stats (&l, now).marked;
  assert_accounts (&l, now);
  finish (&l);
  return r;
}

static void
codel_keeps_the_queue_short (void)
{
  const Standing tail = standing_queue (RCC_AQM_DROPTAIL, FALSE, RCC_ECN_NOT_ECT);
  const Standing codel = standing_queue (RCC_AQM_CODEL, FALSE, RCC_ECN_NOT_ECT);
  const Standing marked = standing_queue (RCC_AQM_CODEL, TRUE, RCC_ECN_ECT0);
  const Standing unmarked = standing_queue (RCC_AQM_CODEL, TRUE, RCC_ECN_NOT_ECT);

  g_test_message ("queue p50/p95 ms, kbit/s: drop-tail %g/%g %.0f; CoDel %g/%g %.0f; "
      "CoDel marking %g/%g %.0f", tail.p50_ms, tail.p95_ms, tail.kbps, codel.p50_ms,
      codel.p95_ms, codel.kbps, marked.p50_ms, marked.p95_ms, marked.kbps);
  g_assert_cmpfloat (tail.p95_ms, >, 500);      /* 400 packets of 2 ms */
  g_assert_cmpfloat (codel.p50_ms, <=, 10);     /* target 5 ms, packets of 2 ms */
  g_assert_cmpfloat (codel.p95_ms, <, 60);
  g_assert_cmpfloat (codel.kbps, >, 4000);
  g_assert_cmpuint (codel.dropped, >, 10);
  g_assert_cmpfloat (marked.p95_ms, <, 60);
  g_assert_cmpuint (marked.dropped, ==, 0);
  g_assert_cmpuint (marked.marked, >, 10);
  g_assert_cmpuint (unmarked.marked, ==, 0);
  g_assert_cmpuint (unmarked.dropped, ==, codel.dropped);
}

/* RFC 8289: nothing for an interval above target, then drops at interval/sqrt(n). */
static void
codel_control_law (void)
{
  RccTime drops[8] = { 0 };
  RccCodel codel = { 0 };
  guint n = 0;

  for (RccTime now = 1000 * MS; n < 8; now += MS / 2)
    while (n < 8 && rcc_codel_dequeue (&codel, 20 * MS, 100000, false, now) == RCC_CODEL_DROP)
      drops[n++] = now;
  g_assert_cmpuint (drops[0], ==, 1100 * MS);
  for (guint i = 1; i < 8; i++) {
    const double gap = (double) (drops[i] - drops[i - 1]) / 1e6;

    g_assert_cmpfloat_with_epsilon (gap, 100 / sqrt (i), 0.51);
  }
  g_assert_cmpint (rcc_codel_dequeue (&codel, 4 * MS, 100000, false, 9000 * MS), ==,
      RCC_CODEL_PASS);
  g_assert_false (codel.dropping);
  /* a last packet is never dropped, however old */
  codel = (RccCodel) { 0 };
  for (RccTime now = 0; now < RCC_SEC; now += MS)
    g_assert_cmpint (rcc_codel_dequeue (&codel, RCC_SEC, 1500, false, now), ==,
        RCC_CODEL_PASS);
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

/* --- the whole machine, random settings ---------------------------------------- */

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
  c.queue = (RccLinkLimit) { RCC_LIMIT_TIME, rcc_rng_u32 (rng) % 300 * MS };
  c.ecn_threshold = (RccLinkLimit) { rcc_rng_u32 (rng) % 2, 5 };
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
          g_assert_cmpint (at (out, k)->fate, ==, RCC_LINK_DROP_AQM);
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
      g_assert_cmpmem (at (exact, i), sizeof (RccLinkPacket), at (again, i),
          sizeof (RccLinkPacket));
    g_array_sort (exact, by_cookie);    /* equal times may come in either order */
    g_array_sort (late, by_cookie);
    for (guint i = 0; i < exact->len; i++)
      g_assert_cmpmem (at (exact, i), sizeof (RccLinkPacket), at (late, i),
          sizeof (RccLinkPacket));
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

  g_assert_true (one->len != two->len
      || memcmp (one->data, two->data, one->len * sizeof (RccLinkPacket)));
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

/* --- traces -------------------------------------------------------------------- */

static void
bad_traces_name_their_line (void)
{
  static const struct { const char *text; const char *where; } cases[] = {
    { "", "t:1: " }, { "0\n", "t:2: " }, { "5\n4\n", "t:2: " }, { "5\nx\n", "t:2: " },
    { "1\n2\n-3\n", "t:3: " }, { "1.5\n", "t:1: " }, { "99999999999999999999\n", "t:1: " },
    { "1\n2 3\n", "t:2: " }, { "\n\n# no\n7 seven\n", "t:4: " },
  };
  char error[200];

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    error[0] = '\0';
    g_assert_null (rcc_trace_parse (i % 2, cases[i].text, strlen (cases[i].text), "t",
            error, sizeof error));
    g_assert_true (g_str_has_prefix (error, cases[i].where));
    g_assert_true (g_str_has_suffix (error, "."));
  }
  g_assert_null (rcc_trace_load (RCC_TRACE_SLOTS, "/nonexistent/t", error, sizeof error));
  g_assert_nonnull (strstr (error, "/nonexistent/t"));
}

static void
hostile_traces (void)
{
  char text[64], error[200];
  RccRng rng;

  rcc_rng_init (&rng, 1, 1);
  for (guint i = 0; i < 100000; i++) {
    const gsize n = rcc_rng_u32 (&rng) % sizeof text;
    RccTrace *t;

    for (gsize k = 0; k < n; k++)
      text[k] = rcc_rng_u32 (&rng) % 4 ? "0123456789\n\n# \r"[rcc_rng_u32 (&rng) % 15]
          : (char) rcc_rng_u32 (&rng);
    t = rcc_trace_parse (i % 2, text, n, "t", error, sizeof error);
    if (t) {
      RccTraceCursor c;

      for (guint k = 0; k < 5; k++) {   /* the slot found is the first one later */
        const RccTime now = rcc_rng_u32 (&rng) * (k % 2 ? RCC_MSEC : RCC_USEC);
        RccTraceCursor before;

        rcc_trace_seek (t, &c, 5, now);
        g_assert_cmpuint (rcc_trace_time (t, &c, 5), >, now);
        if (c.lap == 0 && c.index == 0)
          continue;
        before = c.index ? (RccTraceCursor) { c.lap, c.index - 1 }
            : (RccTraceCursor) { c.lap - 1, t->n - 1 };
        g_assert_cmpuint (rcc_trace_time (t, &before, 5), <=, now);
      }
      g_assert_cmpuint (t->period, ==, t->slots[t->n - 1]);
    }
    rcc_trace_free (t);
  }
}

static void
count_gaps (const RccTrace *t, guint *longest, guint *of_50, guint *of_100)
{
  *longest = *of_50 = *of_100 = 0;
  for (guint32 i = 1; i < t->n; i++) {
    const guint gap = t->slots[i] - t->slots[i - 1];

    *longest = MAX (*longest, gap);
    *of_50 += gap >= 50;
    *of_100 += gap >= 100;
  }
}

static void
generated_outages (void)
{
  for (guint seed = 0; seed < 20; seed++) {
    RccTrace *t = rcc_trace_outages (seed), *again = rcc_trace_outages (seed);
    guint longest, of_50, of_100;

    g_assert_cmpmem (t->slots, t->n * 4, again->slots, again->n * 4);
    count_gaps (t, &longest, &of_50, &of_100);
    g_assert_cmpuint (longest, >, 120);
    g_assert_cmpuint (longest, <=, 195);
    g_assert_cmpuint (of_50, >, 150);   /* 120 s of the recorded trace have 230 */
    g_assert_cmpuint (of_50, <, 310);
    g_assert_cmpuint (of_100, >, 20);
    g_assert_cmpfloat_with_epsilon ((double) rcc_trace_mean_bps (t), 3e6, 0.02e6);
    rcc_trace_free (t);
    rcc_trace_free (again);
  }
}

static void
recorded_traces (void)
{
  static const struct {
    const char *path; RccTraceKind kind; guint seconds; double mbps; guint longest, of_50;
  } cases[] = {
    { "wifi-google/google-wifi-3mbps.mm", RCC_TRACE_SLOTS, 299, 3.03, 195, 575 },
    { "mahimahi-cellular/ATT-LTE-driving-2016.down", RCC_TRACE_MAHIMAHI, 120, 4.56, 1100, 0 },
    { "mahimahi-cellular/TMobile-UMTS-driving.down", RCC_TRACE_MAHIMAHI, 928, 2.02, 5750, 0 },
    { "mahimahi-cellular/Verizon-EVDO-driving.down", RCC_TRACE_MAHIMAHI, 1062, 0.52, 11600, 0 },
  };
  const char *folder = g_getenv ("RCC_TRACES");

  if (!folder) {
    g_test_skip ("RCC_TRACES does not name the folder of the recorded traces");
    return;
  }
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *path = g_build_filename (folder, cases[i].path, NULL);
    RccLinkConfig c = quiet (0);
    char error[300] = "";
    RccTrace *t = rcc_trace_load (cases[i].kind, path, error, sizeof error);
    guint longest, of_50, of_100;
    guint64 bits = 0;
    RccLinkPacket p;
    RccLink l;

    g_assert_cmpstr (error, ==, "");
    g_assert_cmpuint (t->period / 1000, ==, cases[i].seconds);
    count_gaps (t, &longest, &of_50, &of_100);
    g_assert_cmpfloat_with_epsilon (longest, cases[i].longest, 0.05 * cases[i].longest);
    if (cases[i].of_50)
      g_assert_cmpuint (of_50, ==, cases[i].of_50);

    /* a full queue gets what the table promises, over two laps */
    c.trace = t;
    c.queue = (RccLinkLimit) { RCC_LIMIT_PACKETS, 1000 };
    rcc_link_init (&l, &c, 1);
    accepted_of (&l, 1000, 1200, 0);
    for (RccTime now = 0; now <= 2 * t->period * MS; now += MS) {
      accepted_of (&l, 5, 1200, now);
      while (rcc_link_pop (&l, now, &p))
        bits += 8 * p.size;
    }
    g_assert_cmpfloat_with_epsilon ((double) bits / (2e3 * t->period), cases[i].mbps,
        0.01 * cases[i].mbps);
    finish (&l);
    rcc_trace_free (t);
  }
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
  T ("mahimahi-rate", mahimahi_rate);
  T ("mahimahi-bytes", mahimahi_bytes);
  T ("slots-carry-one-packet-each", slots_carry_one_packet_each);
  T ("a-trace-begins-when-it-is-set", a_trace_begins_when_it_is_set);
  T ("too-old-packets-are-dropped", too_old_packets_are_dropped);
  T ("jitter-never-reorders", jitter_never_reorders);
  T ("jitter-distribution", jitter_distribution);
  T ("loss-statistics", loss_statistics);
  T ("codel-keeps-the-queue-short", codel_keeps_the_queue_short);
  T ("codel-control-law", codel_control_law);
  T ("threshold-marks", threshold_marks);
  T ("late-calls-move-nothing", late_calls_move_nothing);
  T ("a-seed-is-a-run", a_seed_is_a_run);
  T ("memory-is-bounded", memory_is_bounded);
  T ("bad-traces-name-their-line", bad_traces_name_their_line);
  T ("hostile-traces", hostile_traces);
  T ("generated-outages", generated_outages);
  T ("recorded-traces", recorded_traces);
  return g_test_run ();
}
