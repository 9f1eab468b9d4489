/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "link-rig.h"

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

/* --- traces --------------------------------------------------------------- */

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
#define T(name, f) g_test_add_func ("/trace/" name, f)
  T ("mahimahi-rate", mahimahi_rate);
  T ("mahimahi-bytes", mahimahi_bytes);
  T ("slots-carry-one-packet-each", slots_carry_one_packet_each);
  T ("a-trace-begins-when-it-is-set", a_trace_begins_when_it_is_set);
  T ("bad-traces-name-their-line", bad_traces_name_their_line);
  T ("hostile-traces", hostile_traces);
  T ("generated-outages", generated_outages);
  T ("recorded-traces", recorded_traces);
  return g_test_run ();
}
