/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <math.h>
#include "link-rig.h"

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
      signalled |= p.outcome != RCC_LINK_PASSED || p.ecn == RCC_ECN_CE;
      if (p.outcome != RCC_LINK_PASSED || p.departed < 10 * RCC_SEC)
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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define T(name, f) g_test_add_func ("/codel/" name, f)
  T ("codel-keeps-the-queue-short", codel_keeps_the_queue_short);
  T ("codel-control-law", codel_control_law);
  return g_test_run ();
}
