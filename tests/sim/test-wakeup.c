/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * When an endpoint runs: how late, not in a stall, and what it has been handed by then.
 */
#include <math.h>
#include <stdlib.h>

#include "flows.h"
#include "sim/options.h"

#define WAKES 100000

static RccWakeup
wakeup (const gchar *late, const gchar *stall, const gchar *clump, guint64 seed, RccEnd end)
{
  const RccClockFaults faults = clock_faults (late, stall, clump);
  RccWakeup u;

  rcc_wakeup_init (&u, &faults, seed, end);
  return u;
}

/* When it runs that became runnable at @due. */
static RccTime
runs_at (RccWakeup *u, RccTime due)
{
  RccTime at = due;

  while (!rcc_wakeup_runs (u, due, at)) {
    g_assert_cmpuint (rcc_wakeup_next (u, due), >, at);
    at = rcc_wakeup_next (u, due);
  }
  return at;
}

static void
constant_lateness (void)
{
  RccWakeup u = wakeup ("10ms", NULL, NULL, 1, RCC_END_SENDER);

  for (guint i = 0; i < 100; i++)
    g_assert_cmpuint (runs_at (&u, i * RCC_SEC), ==, i * RCC_SEC + 10 * RCC_MSEC);
}

/* The mean, and the share above it, which is 1 / e. */
static void
exponential_lateness (void)
{
  RccWakeup u = wakeup ("exp:10ms", NULL, NULL, 1, RCC_END_SENDER);
  double sum = 0;
  guint above = 0;

  for (guint i = 0; i < WAKES; i++) {
    const RccTime late = runs_at (&u, i * RCC_SEC) - i * RCC_SEC;

    sum += (double) late * 1e-6;
    above += late > 10 * RCC_MSEC;
  }
  g_test_message ("mean %.3f ms, %.4f above 10 ms", sum / WAKES, above * 1.0 / WAKES);
  g_assert_cmpfloat_with_epsilon (sum / WAKES, 10, 0.1);
  g_assert_cmpfloat_with_epsilon (above * 1.0 / WAKES, exp (-1), 0.005);
}

/* What comes while it waits joins that wake-up and draws nothing. */
static void
joining (void)
{
  RccWakeup u = wakeup ("exp:10ms", NULL, NULL, 1, RCC_END_SENDER);
  RccWakeup alone = u;
  const RccTime at = runs_at (&alone, RCC_SEC);

  g_assert_cmpuint (rcc_wakeup_next (&u, RCC_SEC), ==, RCC_SEC);
  g_assert_false (rcc_wakeup_runs (&u, RCC_SEC, RCC_SEC));
  g_assert_cmpuint (rcc_wakeup_next (&u, RCC_SEC + 1), ==, at);
  g_assert_false (rcc_wakeup_runs (&u, 1, at - 1));
  g_assert_true (rcc_wakeup_runs (&u, 1, at));
  g_assert_cmpuint (rcc_wakeup_next (&u, RCC_NEVER), ==, RCC_NEVER);
  g_assert_cmpuint (runs_at (&u, 2 * RCC_SEC), ==, runs_at (&alone, 2 * RCC_SEC));
}

/* Between -1 and 1, of the lateness that two endpoints draw. */
static double
correlation (guint64 seed_a, RccEnd end_a, guint64 seed_b, RccEnd end_b)
{
  RccWakeup a = wakeup ("exp:10ms", NULL, NULL, seed_a, end_a);
  RccWakeup b = wakeup ("exp:10ms", NULL, NULL, seed_b, end_b);
  double sum = 0;

  for (guint i = 0; i < WAKES; i++)
    sum += ((double) (runs_at (&a, i * RCC_SEC) - i * RCC_SEC) * 1e-7 - 1)
        * ((double) (runs_at (&b, i * RCC_SEC) - i * RCC_SEC) * 1e-7 - 1);
  return sum / WAKES;
}

static void
independence (void)
{
  const double ends = correlation (1000, RCC_END_SENDER, 1000, RCC_END_RECEIVER);
  const double flows = correlation (1000, RCC_END_SENDER, 1001, RCC_END_SENDER);

  g_test_message ("correlation: ends %.4f, flows %.4f", ends, flows);
  g_assert_cmpfloat (fabs (ends), <, 0.02);
  g_assert_cmpfloat (fabs (flows), <, 0.02);
  g_assert_cmpfloat (correlation (7, RCC_END_SENDER, 7, RCC_END_SENDER), >, 0.9);
}

/* It becomes runnable every ms: a fiftieth of the time it does not run, and what would
 * run then does at the end of it. */
static void
stalls (void)
{
  RccWakeup u = wakeup (NULL, "100ms/5s", NULL, 1, RCC_END_SENDER);
  guint off = 0;

  for (RccTime t = 0; t < 100 * RCC_SEC; t += RCC_MSEC) {
    const RccTime at = runs_at (&u, t);
    const RccTime into = (at + 5 * RCC_SEC - u.stall_phase) % (5 * RCC_SEC);

    g_assert_cmpuint (into, >=, 100 * RCC_MSEC);
    off += at != t;
    if (at != t)
      g_assert_cmpuint (into, ==, 100 * RCC_MSEC);
  }
  g_assert_cmpuint (off, >=, 1999);
  g_assert_cmpuint (off, <=, 2001);
}

/* A wake-up that is late into a stall waits for its end as well. */
static void
late_into_a_stall (void)
{
  RccWakeup u = wakeup ("10ms", "100ms/5s", NULL, 1, RCC_END_SENDER);
  const RccTime begins = 5 * RCC_SEC + u.stall_phase;

  g_assert_cmpuint (runs_at (&u, begins - 11 * RCC_MSEC), ==, begins - RCC_MSEC);
  g_assert_cmpuint (runs_at (&u, begins - 10 * RCC_MSEC), ==, begins + 100 * RCC_MSEC);
  g_assert_cmpuint (runs_at (&u, begins + 90 * RCC_MSEC), ==, begins + 100 * RCC_MSEC);
  g_assert_cmpuint (runs_at (&u, begins + 91 * RCC_MSEC), ==, begins + 101 * RCC_MSEC);
}

/* Phases are spread over the period. */
static void
phases (void)
{
  double stall = 0, clump = 0;

  for (guint seed = 0; seed < 1000; seed++) {
    const RccWakeup a = wakeup (NULL, "100ms/5s", "5ms", seed, RCC_END_SENDER);
    const RccWakeup b = wakeup (NULL, "100ms/5s", "5ms", seed, RCC_END_RECEIVER);

    g_assert_cmpuint (a.stall_phase, <, 5 * RCC_SEC);
    g_assert_cmpuint (a.clump_phase, <, 5 * RCC_MSEC);
    g_assert_cmpuint (a.stall_phase, !=, b.stall_phase);
    stall += (double) a.stall_phase * 1e-9 / 1000;
    clump += (double) a.clump_phase * 1e-6 / 1000;
  }
  g_assert_cmpfloat_with_epsilon (stall, 2.5, 0.2);
  g_assert_cmpfloat_with_epsilon (clump, 2.5, 0.2);
}

/* At multiples of 5 ms, the next one; timers stay where they are. */
static void
clumps (void)
{
  RccWakeup u = wakeup (NULL, NULL, "5ms", 1, RCC_END_SENDER);

  for (RccTime t = 0; t < RCC_SEC; t += 123457) {
    const RccTime handed = rcc_wakeup_handed (&u, t);

    g_assert_cmpuint (handed, >=, t);
    g_assert_cmpuint (handed, <, t + 5 * RCC_MSEC);
    g_assert_cmpuint (handed % (5 * RCC_MSEC), ==, u.clump_phase);
    g_assert_cmpuint (rcc_wakeup_handed (&u, handed), ==, handed);
    g_assert_cmpuint (runs_at (&u, t), ==, t);
  }
}

static void
words (void)
{
  static const struct {
    const gchar *name, *value;
    bool good;
    const gchar *text;
  } all[] = {
    { "late", "10ms", true, "late 10 ms" },
    { "late", "exp:10ms", true, "late exp 10 ms" },
    { "late", "exp:2.5ms", true, "late exp 2.5 ms" },
    { "late", "200us", true, "late 0.2 ms" },
    { "late-sender", "10ms", true, "sender late 10 ms; receiver punctual" },
    { "late-receiver", "exp:1s", true, "sender punctual; receiver late exp 1 s" },
    { "late", "off", true, "punctual" },
    { "late", "0ms", true, "punctual" },
    { "stall", "100ms/5s", true, "stall 100 ms every 5 s" },
    { "stall", "off", true, "punctual" },
    { "clump-receiver", "5ms", true, "sender punctual; receiver clump 5 ms" },
    { "clump", "5ms", true, "clump 5 ms" },
    { "stamp", "read", true, "punctual" }, { "stamp-receiver", "socket", true, "punctual" },
    { "stamp", "off", false, NULL }, { "stamp", "", false, NULL },
    { "late", "", false, NULL }, { "late", "10", false, NULL }, { "late", "ms", false, NULL },
    { "late", "-10ms", false, NULL }, { "late", " 10ms", false, NULL },
    { "late", "10ms ", false, NULL }, { "late", "10min", false, NULL },
    { "late", "exp", false, NULL }, { "late", "exp:", false, NULL },
    { "late", "exp:-1ms", false, NULL }, { "late", "nan", false, NULL },
    { "late", "infs", false, NULL }, { "late", "1e9s", false, NULL },
    { "late", "normal:10ms", false, NULL }, { "late", "10ms/5s", false, NULL },
    { "stall", "100ms", false, NULL }, { "stall", "100ms/", false, NULL },
    { "stall", "/5s", false, NULL }, { "stall", "5s/100ms", false, NULL },
    { "stall", "5s/5s", false, NULL }, { "stall", "1ms/2ms/3ms", false, NULL },
    { "clump", "exp:5ms", false, NULL }, { "clump", "five", false, NULL },
    { "later", "10ms", false, NULL }, { "late-", "10ms", false, NULL },
    { "late-both", "10ms", false, NULL }, { "", "10ms", false, NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (all); i++) {
    RccClockFaults clock[RCC_ENDS] = { 0 };
    gchar text[RCC_CLOCK_TEXT];

    g_test_message ("%s \"%s\"", all[i].name, all[i].value);
    g_assert_cmpint (rcc_clock_set (clock, all[i].name, all[i].value), ==, all[i].good);
    rcc_clock_text (clock, text);
    g_assert_cmpstr (text, ==, all[i].good ? all[i].text : "punctual");
  }
}

/* A bad value leaves what was there, and "off" takes away its own fault alone. */
static void
words_in_a_row (void)
{
  RccClockFaults clock[RCC_ENDS] = { 0 };
  gchar text[RCC_CLOCK_TEXT];

  g_assert_true (rcc_clock_set (clock, "late", "exp:10ms"));
  g_assert_true (rcc_clock_set (clock, "stall", "100ms/5s"));
  g_assert_true (rcc_clock_set (clock, "clump", "5ms"));
  g_assert_false (rcc_clock_set (clock, "stall", "6s/5s"));
  rcc_clock_text (clock, text);
  g_assert_cmpstr (text, ==, "late exp 10 ms, stall 100 ms every 5 s, clump 5 ms");
  g_assert_true (rcc_clock_set (clock, "stamp", "read"));
  rcc_clock_text (clock, text);
  g_assert_cmpstr (text, ==, "late exp 10 ms, stall 100 ms every 5 s, clump 5 ms, "
      "stamped when read");
  g_assert_true (rcc_clock_set (clock, "stamp", "socket"));
  g_assert_true (rcc_clock_set (clock, "late", "off"));
  g_assert_true (rcc_clock_set (clock, "clump-sender", "off"));
  rcc_clock_text (clock, text);
  g_assert_cmpstr (text, ==, "sender stall 100 ms every 5 s; "
      "receiver stall 100 ms every 5 s, clump 5 ms");
}

static void
sentences (void)
{
  RccFlowConfig c = rcc_flow_config (RCC_GCC_DEFAULT);
  gchar error[RCC_SCENARIO_ERROR];

  g_assert_false (rcc_flow_option (&c, "late", "soon", error, sizeof error));
  g_assert_cmpstr (error, ==, "a flow's late cannot be \"soon\": it is off, or a time such as "
      "10ms or exp:10ms.");
  g_assert_false (rcc_flow_option (&c, "stall-sender", "5s", error, sizeof error));
  g_assert_cmpstr (error, ==, "a flow's stall-sender cannot be \"5s\": it is off, or a time and "
      "a longer period, such as 100ms/5s.");
  g_assert_null (rcc_clock_takes ("lateness"));
  g_assert_true (rcc_flow_option (&c, "late", "10ms", error, sizeof error));
  g_assert_true (rcc_flow_option (&c, "profile", "paper", error, sizeof error));
  g_assert_true (rcc_flow_option (&c, "cc", "fbra", error, sizeof error));
  g_assert_cmpuint (c.clock[RCC_END_RECEIVER].lateness, ==, 10 * RCC_MSEC);
}

static void
put (RccInbox *b, guint number, RccTime handed)
{
  RccDatagram *d = calloc (1, sizeof *d);
  const RccLinkPacket p = { .cookie = (uint64_t) (uintptr_t) d };

  d->frame = number;
  rcc_inbox_put (b, &p, handed);
}

static guint
take (RccInbox *b, RccTime now)
{
  RccLinkPacket p;
  RccDatagram *d;
  RccTime stamp;
  guint number;

  if (!rcc_inbox_take (b, now, &p, &stamp))
    return 0;
  d = (RccDatagram *) (uintptr_t) p.cookie;
  g_assert_cmpuint (stamp + 1, ==, d->frame);
  number = (guint) d->frame;
  free (d);
  return number;
}

/* In their order, none before its time, however many wait. */
static void
inbox (void)
{
  RccInbox b = { 0 };
  guint in = 0, out = 0;

  g_assert_cmpuint (rcc_inbox_next (&b), ==, RCC_NEVER);
  for (guint round = 0; round < 1000; round++) {
    for (guint i = 0; i < round % 300; i++, in++)
      put (&b, in + 1, in);
    for (guint i = 0; i < round % 297 && out < in; i++, out++) {
      g_assert_cmpuint (rcc_inbox_next (&b), ==, out);
      if (out > 0)
        g_assert_cmpuint (take (&b, out - 1), ==, 0);
      g_assert_cmpuint (take (&b, out), ==, out + 1);
    }
  }
  g_assert_cmpuint (in, >, out);
  rcc_inbox_clear (&b);
  g_assert_cmpuint (rcc_inbox_next (&b), ==, RCC_NEVER);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/wakeup/late/constant", constant_lateness);
  g_test_add_func ("/wakeup/late/exponential", exponential_lateness);
  g_test_add_func ("/wakeup/late/joining", joining);
  g_test_add_func ("/wakeup/late/independence", independence);
  g_test_add_func ("/wakeup/stall", stalls);
  g_test_add_func ("/wakeup/stall/late", late_into_a_stall);
  g_test_add_func ("/wakeup/phases", phases);
  g_test_add_func ("/wakeup/clump", clumps);
  g_test_add_func ("/wakeup/words", words);
  g_test_add_func ("/wakeup/words/row", words_in_a_row);
  g_test_add_func ("/wakeup/words/sentences", sentences);
  g_test_add_func ("/wakeup/inbox", inbox);
  return g_test_run ();
}
