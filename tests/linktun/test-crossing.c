/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "linktun/crossing.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

#define MS RCC_MSEC

static RccScenario *
scenario_of (const char *text)
{
  char error[RCC_SCENARIO_ERROR] = "";
  RccScenario *s = rcc_scenario_parse (text, strlen (text), "test", 1, error, sizeof error);

  g_assert_cmpstr (error, ==, "");
  return s;
}

/* UDP over IPv4 that may be marked. */
static void
make (guint8 *packet, gsize length, RccEcn ecn)
{
  static const guint8 header[] = {
    0x45, 0, 0, 0, 0, 0, 0, 0, 64, 17, 0, 0, 10, 77, 0, 1, 10, 77, 0, 2, 0, 1, 0, 2
  };

  memset (packet, 0, length);
  memcpy (packet, header, sizeof header);
  packet[1] = (guint8) ecn;
  packet[2] = (guint8) (length >> 8);
  packet[3] = (guint8) length;
}

static void
push (Crossing *c, gsize length, RccEcn ecn, RccTime now)
{
  guint8 packet[1500];
  CrossingPacket dropped;

  make (packet, length, ecn);
  packet[length - 1] = (guint8) c->n;   /* to know it again */
  g_assert_true (crossing_push (c, packet, length, now, &dropped));
}

static void
assert_pop (Crossing *c, RccTime now, guint64 number, RccTime departed, RccTime delivered)
{
  CrossingPacket p;

  g_assert_true (crossing_pop (c, now, &p));
  g_assert_cmpuint (p.number, ==, number);
  g_assert_cmpuint (p.data[p.length - 1], ==, number);
  g_assert_cmpuint (p.link.departed, ==, departed);
  g_assert_cmpuint (p.link.delivered, ==, delivered);
  free (p.data);
}

/* 1000 bytes of IP are 8 ms at 1 Mbit/s.  Who looks 700 ms late is told the same. */
static void
exact_when_late (void)
{
  RccScenario *s = scenario_of ("0 fwd rate 1M delay 50 queue 100\n0.02 fwd rate 2M\n");

  for (guint late = 0; late < 2; late++) {
    const RccTime look = late ? 800 * MS : 0;
    CrossingPacket p;
    Crossing c;

    crossing_init (&c, s, RCC_FORWARD, 1);
    for (guint i = 0; i < 4; i++)
      push (&c, 1000, RCC_ECN_NOT_ECT, 0);
    if (!late) {
      g_assert_false (crossing_pop (&c, 58 * MS - 1, &p));
      g_assert_cmpuint (crossing_next (&c), ==, 58 * MS);
    }
    assert_pop (&c, look ? look : 58 * MS, 0, 8 * MS, 58 * MS);
    assert_pop (&c, look ? look : 66 * MS, 1, 16 * MS, 66 * MS);
    /* half of the third at each rate */
    assert_pop (&c, look ? look : 72 * MS, 2, 22 * MS, 72 * MS);
    assert_pop (&c, look ? look : 76 * MS, 3, 26 * MS, 76 * MS);
    g_assert_false (crossing_pop (&c, 900 * MS, &p));
    crossing_clear (&c);
  }
  rcc_scenario_free (s);
}

/* The scenario's overhead counts from RTP: 28 is what an IP packet is long anyway. */
static void
overhead (void)
{
  RccScenario *s = scenario_of ("0 fwd rate 1M\n0 rev rate 1M overhead 128\n");

  for (RccDirection d = 0; d < RCC_DIRECTIONS; d++) {
    const RccTime time = d == RCC_FORWARD ? 8 * MS : 8800 * RCC_USEC;
    Crossing c;

    crossing_init (&c, s, d, 1);
    push (&c, 1000, RCC_ECN_NOT_ECT, 0);
    assert_pop (&c, MS * 10, 0, time, time);
    crossing_clear (&c);
  }
  rcc_scenario_free (s);
}

/* What does not fit in the queue is told as it comes, and what is under way may be left. */
static void
drops (void)
{
  RccScenario *s = scenario_of ("0 fwd rate 1M queue 1\n");
  guint8 packet[1000];
  CrossingPacket dropped;
  Crossing c;

  crossing_init (&c, s, RCC_FORWARD, 1);
  push (&c, 1000, RCC_ECN_NOT_ECT, 5 * MS);
  push (&c, 1000, RCC_ECN_NOT_ECT, 5 * MS);
  make (packet, sizeof packet, RCC_ECN_ECT0);
  g_assert_false (crossing_push (&c, packet, sizeof packet, 6 * MS, &dropped));
  g_assert_cmpuint (dropped.number, ==, 2);
  g_assert_cmpuint (dropped.link.outcome, ==, RCC_LINK_DROP_QUEUE);
  g_assert_cmpuint (dropped.link.arrived, ==, 6 * MS);
  g_assert_cmpuint (dropped.link.delivered, ==, RCC_NEVER);
  g_assert_cmpuint (dropped.ip.ecn, ==, RCC_ECN_ECT0);
  g_assert_null (dropped.data);
  crossing_clear (&c);
  rcc_scenario_free (s);
}

/* The second finds the first: it is marked, in its header too.  What may not be is not. */
static void
marks (void)
{
  RccScenario *s = scenario_of ("0 fwd rate 1M ecn 0\n");
  CrossingPacket p;
  Crossing c;

  crossing_init (&c, s, RCC_FORWARD, 1);
  push (&c, 1000, RCC_ECN_ECT1, 0);
  push (&c, 1000, RCC_ECN_ECT1, 0);
  push (&c, 1000, RCC_ECN_NOT_ECT, 0);
  for (guint i = 0; i < 3; i++) {
    static const RccEcn after[] = { RCC_ECN_ECT1, RCC_ECN_CE, RCC_ECN_NOT_ECT };

    g_assert_true (crossing_pop (&c, RCC_SEC, &p));
    g_assert_cmpuint (p.ip.ecn, ==, i < 2 ? RCC_ECN_ECT1 : RCC_ECN_NOT_ECT);
    g_assert_cmpuint (p.link.ecn, ==, after[i]);
    g_assert_cmpuint (ip_read (p.data, p.length).ecn, ==, after[i]);
    free (p.data);
  }
  crossing_clear (&c);
  rcc_scenario_free (s);
}

/* Rubbish crosses as it is: it is counted by its length, and no byte of it is touched. */
static void
rubbish (void)
{
  RccScenario *s = scenario_of ("0 fwd rate 10M ecn 0\n");
  GRand *r = g_rand_new_with_seed (7);
  guint64 passed = 0;
  Crossing c;

  crossing_init (&c, s, RCC_FORWARD, 1);
  for (guint i = 0; i < 5000; i++) {
    const gsize length = (gsize) g_rand_int_range (r, 0, 1500);
    guint8 *packet = g_malloc (length + 1);
    CrossingPacket p;

    for (gsize k = 0; k < length; k++)
      packet[k] = (guint8) g_rand_int (r);
    if (length)
      packet[0] = 0x10;
    g_assert_true (crossing_push (&c, packet, length, i * 2 * MS, &p));
    while (crossing_pop (&c, i * 2 * MS + 2 * MS - 1, &p)) {
      g_assert_cmpmem (p.data, p.length, packet, length);
      passed++;
      free (p.data);
    }
    g_free (packet);
  }
  g_assert_cmpuint (passed, ==, 5000);
  crossing_clear (&c);
  rcc_scenario_free (s);
  g_rand_free (r);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/linktun/crossing/exact-when-late", exact_when_late);
  g_test_add_func ("/linktun/crossing/overhead", overhead);
  g_test_add_func ("/linktun/crossing/drops", drops);
  g_test_add_func ("/linktun/crossing/marks", marks);
  g_test_add_func ("/linktun/crossing/rubbish", rubbish);
  return g_test_run ();
}
