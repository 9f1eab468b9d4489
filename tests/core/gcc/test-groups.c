/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <glib.h>
#include "core/gcc/groups.h"
#include "core/rng.h"

#define DT (5 * RCC_MSEC)
#define CAP (100 * RCC_MSEC)
#define MS(x) ((RccTime) ((x) * 1e6) + 1000 * RCC_SEC)

static const RccGrouping every_mode[] = {
  RCC_GROUPING_NONE, RCC_GROUPING_PAPER, RCC_GROUPING_DRAFT,
};

/* Feeds (send, arrival) pairs in ms; collects the variations in ms. */
static guint
variations (RccGrouping mode, const double (*packets)[2], guint n, double *out)
{
  RccGroupDelta delta;
  RccGroups g;
  guint found = 0;

  rcc_groups_init (&g, mode, DT, CAP);
  for (guint i = 0; i < n; i++)
    if (rcc_groups_add (&g, MS (packets[i][0]), MS (packets[i][1]), 1200, &delta))
      out[found++] = rcc_group_variation_ms (&delta);
  return found;
}

static void
near (double x, double y)
{
  g_assert_cmpfloat_with_epsilon (x, y, 1e-6);
}

/* ANRW'16 Figures 4 and 7: one frame is one group; the outage holds the third to
 * the fifth.  The sixth only closes the fifth. */
static void
walks_through_the_figure (void)
{
  static const double packets[][2] = {
    { 0, 20 }, { 33, 53 }, { 66, 180 }, { 99, 180.5 }, { 132, 181 }, { 165, 187 },
  };
  double d[6];

  g_assert_cmpuint (variations (RCC_GROUPING_NONE, packets, 6, d), ==, 4);
  near (d[0], 0);
  near (d[1], 180 - 53 - 33);           /* the outage: large and positive */
  near (d[2], 0.5 - 33);                /* the burst: minus the departure gap */
  near (d[3], 0.5 - 33);
  for (guint mode = 1; mode < 3; mode++) {
    g_assert_cmpuint (variations (every_mode[mode], packets, 6, d), ==, 2);
    near (d[0], 0);
    near (d[1], (181 - 53) - (132 - 33));       /* group 5 against group 2 */
  }
}

static void
positive_is_a_growing_queue (void)
{
  for (guint m = 0; m < 3; m++) {
    double growing[20][2], draining[20][2], d[20];
    guint n;

    for (guint i = 0; i < 20; i++) {
      growing[i][0] = draining[i][0] = 33 * i;
      growing[i][1] = 50 + 35 * i;
      draining[i][1] = 250 + 31 * i;
    }
    n = variations (every_mode[m], growing, 20, d);
    g_assert_cmpuint (n, ==, 18);
    while (n--)
      near (d[n], 2);
    n = variations (every_mode[m], draining, 20, d);
    g_assert_cmpuint (n, ==, 18);
    while (n--)
      near (d[n], -2);
  }
}

/* What the pacer sends as one group is one, however it is spread on arrival. */
static void
groups_by_departure (void)
{
  for (guint m = 0; m < 3; m++) {
    RccGroupDelta delta;
    RccGroups g;

    rcc_groups_init (&g, every_mode[m], DT, CAP);
    for (guint frame = 0; frame < 10; frame++)
      for (guint i = 0; i < 4; i++)
        if (rcc_groups_add (&g, MS (33 * frame + i), MS (20 + 33 * frame + 7 * i),
                frame == 3 ? 300 : 1000, &delta)) {
          g_assert_cmpuint (i, ==, 0);
          g_assert_cmpuint (delta.packets, ==, 4);
          g_assert_cmpint (delta.d_send, ==, 33 * RCC_MSEC);
          g_assert_cmpint (delta.d_arrival, ==, 33 * RCC_MSEC);
          g_assert_cmpint (delta.d_size, ==, frame == 4 ? -2800 : frame == 5 ? 2800 : 0);
        }
    g_assert_cmpuint (g.groups, ==, 9);
  }
}

/* A backlog that drains for 10 s: departures 2 ms apart arrive every 1 ms. */
static void
the_cap_ends_a_merge (void)
{
  for (guint capped = 0; capped < 2; capped++) {
    RccGroupDelta delta;
    RccTime longest = 0;
    RccGroups g;

    rcc_groups_init (&g, RCC_GROUPING_DRAFT, DT, capped ? CAP : RCC_NEVER);
    for (guint i = 0; i < 10000; i++) {
      rcc_groups_add (&g, MS (2 * i), MS (20000 + i), 1200, &delta);
      longest = RCC_MAX (longest, g.current.arrival - g.current.first_arrival);
    }
    if (capped) {
      g_assert_cmpuint (g.groups, >=, 95);
      g_assert_cmpuint (longest, <=, CAP + DT);
    } else {
      g_assert_cmpuint (g.groups, ==, 0);
    }
  }
}

/* Not every sender leaves in groups of 5 ms: even spacing must not blind anybody. */
static void
an_even_stream_has_groups_too (void)
{
  for (guint m = 0; m < 3; m++) {
    RccGroupDelta delta;
    RccGroups g;

    rcc_groups_init (&g, every_mode[m], DT, CAP);
    for (guint i = 0; i < 5000; i++)    /* 2 ms apart, and the queue grows */
      if (rcc_groups_add (&g, MS (2 * i), MS (20 + 3 * i), 1200, &delta))
        g_assert_cmpint (delta.d_arrival, >, delta.d_send);
    g_assert_cmpuint (g.groups, >=, 95);
  }
}

static void
reordering_is_left_out (void)
{
  for (guint m = 0; m < 3; m++) {
    RccGroupDelta delta;
    RccGroups g;

    rcc_groups_init (&g, every_mode[m], DT, CAP);
    for (guint i = 0; i < 300; i++) {
      /* every tenth pair swaps places on the way */
      const guint k = i % 10 == 4 ? i + 1 : i % 10 == 5 ? i - 1 : i;

      if (rcc_groups_add (&g, MS (20 * k), MS (50 + 20 * i), 1200, &delta)) {
        g_assert_cmpint (delta.d_send, >, 0);
        g_assert_cmpint (delta.d_arrival, >, 0);
        g_assert_cmpfloat (ABS (rcc_group_variation_ms (&delta)), <=, 20.001);
      }
    }
    g_assert_cmpuint (g.reordered, ==, 30);
    g_assert_cmpuint (g.resets, ==, 0);
  }
}

/* Both clocks may jump, either way: that is no delay. */
static void
a_clock_that_jumps_is_no_queue (void)
{
  static const gint64 jumps[] = {
    3600 * (gint64) RCC_SEC, -3600 * (gint64) RCC_SEC, 3021 * (gint64) RCC_MSEC,
    -3021 * (gint64) RCC_MSEC,
  };

  for (guint m = 0; m < 3; m++)
    for (guint j = 0; j < 2 * G_N_ELEMENTS (jumps); j++) {
      RccTime send = 10000 * RCC_SEC, arrival = 20000 * RCC_SEC;
      RccGroupDelta delta;
      RccGroups g;

      rcc_groups_init (&g, every_mode[m], DT, CAP);
      for (guint i = 0; i < 100; i++) {
        if (i == 50)
          *(j % 2 ? &send : &arrival) += (RccTime) jumps[j / 2];
        if (rcc_groups_add (&g, send, arrival, 1200, &delta))
          g_assert_cmpint (delta.d_arrival - delta.d_send, ==, 0);
        send += 20 * RCC_MSEC;
        arrival += 20 * RCC_MSEC;
      }
      g_assert_cmpuint (g.resets, ==, 1);
      g_assert_cmpuint (g.reordered, ==, 0);
      g_assert_cmpuint (g.groups, ==, 98);
    }
}

/* A send time that stands for 6 s, as an RTP timestamp may, and goes on from there:
 * one group as long as that has nothing to say about the next. */
static void
a_clock_that_stands_is_no_queue (void)
{
  for (guint m = 0; m < G_N_ELEMENTS (every_mode); m++) {
    RccTime send = MS (0), arrival = MS (5000);
    RccGroupDelta delta;
    RccGroups g;

    rcc_groups_init (&g, every_mode[m], DT, CAP);
    for (guint i = 0; i < 500; i++) {
      if (rcc_groups_add (&g, send, arrival, 1200, &delta))
        g_assert_cmpint (ABS (delta.d_arrival - delta.d_send), <, 3 * RCC_SEC);
      send += i >= 100 && i < 400 ? 0 : 20 * RCC_MSEC;
      arrival += 20 * RCC_MSEC;
    }
    g_assert_cmpuint (g.resets, ==, 1);
  }
}

/* A smaller step back of the receiver's clock: three packets in a row say so. */
static void
a_small_step_back_is_followed (void)
{
  RccGroupDelta delta;
  RccGroups g;

  rcc_groups_init (&g, RCC_GROUPING_DRAFT, DT, CAP);
  for (guint i = 0; i < 100; i++)
    if (rcc_groups_add (&g, MS (20 * i), MS (2000 + 20 * i - (i >= 50 ? 500 : 0)), 1200,
            &delta))
      near (rcc_group_variation_ms (&delta), 0);
  g_assert_cmpuint (g.resets, ==, 1);
  g_assert_cmpuint (g.reordered, ==, 2);
}

/* Arrivals that step back now and then, with order in between, are no jump. */
static void
only_steps_back_in_a_row_count (void)
{
  RccGroupDelta delta;
  RccGroups g;

  rcc_groups_init (&g, RCC_GROUPING_DRAFT, DT, CAP);
  for (guint i = 0; i < 30; i++) {
    rcc_groups_add (&g, MS (60 * i + 40), MS (100 + 60 * i + 40), 1200, &delta);
    /* arrives in order, left before its group */
    rcc_groups_add (&g, MS (60 * i + 20), MS (100 + 60 * i + 41), 1200, &delta);
    /* told with an arrival before the last one */
    rcc_groups_add (&g, MS (60 * i + 45), MS (100 + 60 * i + 30), 1200, &delta);
  }
  g_assert_cmpuint (g.resets, ==, 0);
}

/* Share of the samples in the three lobes of ANRW'16 Figure 6. */
typedef struct {
  guint n, lower, between, centre, upper;
} Lobes;

static void
count (Lobes *l, double d)
{
  l->n++;
  l->lower += d < -22 && d > -45;       /* around minus the gap between frames */
  l->between += d < -12 && d >= -22;
  l->centre += ABS (d) <= 12;
  l->upper += d > 60 && d < 250;
}

#define OUTER(l) ((double) ((l).lower + (l).upper) / (l).n)

/* One frame every 33 ms, 4 packets in two pacer groups 5 ms apart; @deliver says
 * when what left at @send gets through. */
typedef RccTime (*Deliver) (gpointer channel, RccTime send);

static Lobes
density (RccGrouping mode, RccTime length, Deliver deliver, gpointer channel)
{
  Lobes lobes = { 0 };
  RccGroupDelta delta;
  RccGroups g;

  rcc_groups_init (&g, mode, DT, CAP);
  for (RccTime frame = 0; frame < length; frame += RCC_SEC / 30)
    for (guint i = 0; i < 4; i++) {
      const RccTime send = frame + i / 2 * DT;
      const RccTime arrival = deliver (channel, send);

      if (rcc_groups_add (&g, send + RCC_SEC, arrival + RCC_SEC, 1200, &delta))
        count (&lobes, rcc_group_variation_ms (&delta));
    }
  return lobes;
}

typedef struct {
  RccRng rng;
  RccTime from, until, last;
} Outages;

/* 20 ms on the way; every 400 ms or so nothing gets through for 50..195 ms, and
 * then what has queued comes 0.2 ms apart. */
static RccTime
deliver_after_outages (gpointer channel, RccTime send)
{
  Outages *o = channel;
  RccTime at = send + 20 * RCC_MSEC + (RccTime) (rcc_rng_uniform (&o->rng) * 1e6);

  while (at >= o->until) {
    o->from = o->until + (RccTime) (rcc_rng_exponential (&o->rng, 0.3e9) + 50e6);
    o->until = o->from + (RccTime) (50e6 + 145e6 * rcc_rng_uniform (&o->rng));
  }
  if (at >= o->from)
    at = o->until;
  at = RCC_MAX (at, o->last + 200 * RCC_USEC);
  return o->last = at;
}

static void
assert_collapse (const Lobes *lobes, double factor, double centre)
{
  const double without = OUTER (lobes[0]);

  g_test_message ("without: %u samples, lower %u between %u centre %u upper %u",
      lobes[0].n, lobes[0].lower, lobes[0].between, lobes[0].centre, lobes[0].upper);
  for (guint m = 1; m < 3; m++) {
    g_test_message ("mode %u: %u samples, lower %u between %u centre %u upper %u", m,
        lobes[m].n, lobes[m].lower, lobes[m].between, lobes[m].centre, lobes[m].upper);
    g_assert_cmpuint (lobes[m].n, <, lobes[0].n);
    g_assert_cmpuint (lobes[m].n, >, lobes[0].n / 4);
    g_assert_cmpfloat (OUTER (lobes[m]), <, without / factor);
    g_assert_cmpuint (lobes[m].upper * 2, <, lobes[0].upper);
    g_assert_cmpfloat ((double) lobes[m].centre / lobes[m].n, >, centre);
    g_assert_cmpuint (lobes[m].lower, <=, lobes[m].between + lobes[m].n / 50);
  }
  /* three lobes to begin with: the lower one is parted from the centre by a dip */
  g_assert_cmpfloat ((double) lobes[0].upper / lobes[0].n, >, 0.01);
  g_assert_cmpuint (lobes[0].lower, >, 2 * lobes[0].between);
}

static void
collapses_three_lobes_into_one (void)
{
  for (guint seed = 1; seed <= 5; seed++) {
    Lobes lobes[3];

    for (guint m = 0; m < 3; m++) {
      Outages o = { .last = 0 };

      rcc_rng_init (&o.rng, seed, 3);
      lobes[m] = density (every_mode[m], 300 * RCC_SEC, deliver_after_outages, &o);
    }
    assert_collapse (lobes, 5, 0.9);
  }
}

typedef struct {
  GArray *slots;                        /* guint64 ns, one packet each */
  guint next;
} Trace;

static RccTime
deliver_in_slots (gpointer channel, RccTime send)
{
  Trace *t = channel;
  const RccTime *slots = (const RccTime *) t->slots->data;

  while (t->next + 1 < t->slots->len && slots[t->next] < send)
    t->next++;
  return slots[t->next < t->slots->len - 1 ? t->next++ : t->next];
}

static void
collapses_on_the_papers_trace (void)
{
  const gchar *dir = g_getenv ("RCC_TRACES");
  gchar *path = g_build_filename (dir ? dir : "", "wifi-google", "google-wifi-3mbps.mm", NULL);
  FILE *f = dir ? fopen (path, "r") : NULL;
  Trace t = { g_array_new (FALSE, FALSE, sizeof (RccTime)), 0 };
  Lobes lobes[3];
  unsigned long ms;

  g_free (path);
  if (!f) {
    g_test_skip ("set RCC_TRACES to the folder that holds wifi-google/google-wifi-3mbps.mm");
    g_array_unref (t.slots);
    return;
  }
  while (fscanf (f, "%lu", &ms) == 1) {
    const RccTime at = ms * RCC_MSEC;

    g_array_append_val (t.slots, at);
  }
  fclose (f);
  g_assert_cmpuint (t.slots->len, >, 90000);
  for (guint m = 0; m < 3; m++) {
    t.next = 0;
    lobes[m] = density (every_mode[m], 290 * RCC_SEC, deliver_in_slots, &t);
  }
  /* a busy channel: what it delays by less than an outage stays */
  assert_collapse (lobes, 2, 0.7);
  g_array_unref (t.slots);
}

/* A burst of four packets each 33 ms, a small one first.  The link takes 32.5 ms for it, so
 * that they come evenly, or holds all back for 132 ms and lets them through at once. */
static void
even_arrivals_are_no_burst (void)
{
  for (guint held = 0; held < 2; held++) {
    guint n[2];

    for (guint knows = 0; knows < 2; knows++) {
      RccGroupDelta delta;
      RccGroups g;

      rcc_groups_init (&g, RCC_GROUPING_DRAFT, DT, CAP);
      g.normal_bps = knows ? 2 * 1e6 : 0;
      n[knows] = 0;
      for (guint i = 0; i < 400; i++) {
        static const double waits[] = { 4, 13.5, 23, 32.5 };
        const double send = 33 * (i / 4);
        const double arrival = held ? 132 * (i / 16 + 1) + 0.2 * (i % 16)
            : 20 + send + waits[i % 4];

        n[knows] += rcc_groups_add (&g, MS (send), MS (arrival), i % 4 ? 1200 : 600, &delta);
      }
    }
    g_test_message ("held %u: %u groups, with the rate known %u", held, n[0], n[1]);
    if (held) {
      g_assert_cmpuint (n[1], ==, n[0]);        /* 100 bursts, four by four */
      g_assert_cmpuint (n[1], <=, 25);
    } else {
      g_assert_cmpuint (n[0], <, 60);
      g_assert_cmpuint (n[1], ==, 98);
    }
  }
}

/* Behind a pause a burst has to come faster than the mean; within 2 dT nothing has to. */
static void
behind_a_pause_a_burst_comes_fast (void)
{
  static const struct { double send, arrival; guint packets; } table[] = {
    { 33, 4, 2 }, { 33, 4.9, 1 }, { 10.001, 4.9, 1 }, { 10, 4.9, 2 }, { 8, 4.9, 2 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (table); i++) {
    RccGroupDelta delta;
    RccGroups g;

    rcc_groups_init (&g, RCC_GROUPING_DRAFT, DT, CAP);
    g.normal_bps = 8 * 1200 / 0.0045;
    rcc_groups_add (&g, MS (0), MS (20), 1200, &delta);
    rcc_groups_add (&g, MS (table[i].send), MS (20 + table[i].arrival), 1200, &delta);
    g_assert_cmpuint (g.current.packets, ==, table[i].packets);
  }
}

/* Algorithm 1 compares departures with the packet before, the draft with the first of all: 4 ms
 * apart is one group for ever, or one of two packets.  Nor is that a burst if it comes evenly. */
static void
departures_are_compared_as_written (void)
{
  for (guint m = 0; m < 6; m++) {
    const RccGrouping mode = every_mode[m / 2];
    RccGroupDelta delta;
    RccGroups g;

    rcc_groups_init (&g, mode, DT, RCC_NEVER);
    for (guint i = 0; i < 60; i++)
      rcc_groups_add (&g, MS (4 * i), MS (20 + (m & 1 ? 4 : 5) * i), 1200, &delta);
    g_assert_cmpuint (g.groups, ==, mode == RCC_GROUPING_DRAFT ? 29 : 0);
    g_assert_cmpuint (g.merged, ==, 0);
  }
}

/* And so with arrivals: here the packet before left earlier than the group's last. */
static void
arrivals_are_compared_as_written (void)
{
  static const double packets[][2] = { { 0, 20 }, { 4, 24 }, { 2, 25 }, { 6.5, 28 } };

  for (guint m = 1; m < 3; m++) {
    RccGroupDelta delta;
    RccGroups g;

    rcc_groups_init (&g, every_mode[m], DT, CAP);
    for (guint i = 0; i < G_N_ELEMENTS (packets); i++)
      rcc_groups_add (&g, MS (packets[i][0]), MS (packets[i][1]), 1200, &delta);
    g_assert_cmpuint (g.groups, ==, every_mode[m] == RCC_GROUPING_DRAFT ? 1 : 0);
    g_assert_cmpuint (g.merged, ==, every_mode[m] == RCC_GROUPING_DRAFT ? 0 : 1);
  }
}

/* The packet that shows that the clock was set back is the first of the new group. */
static void
a_clock_set_back_begins_a_group_at_once (void)
{
  RccGroupDelta delta;
  RccGroups g;

  rcc_groups_init (&g, RCC_GROUPING_PAPER, DT, CAP);
  for (guint i = 0; i < 5; i++)
    rcc_groups_add (&g, MS (33 * i), MS (1020 + 33 * i), 1200, &delta);
  for (guint i = 0; i < 3; i++)
    rcc_groups_add (&g, MS (165 + 33 * i), MS (20 + i), 700, &delta);
  g_assert_cmpuint (g.resets, ==, 1);
  g_assert_cmpuint (g.current.packets, ==, 1);
  g_assert_cmpuint (g.current.size, ==, 700);
  g_assert_cmpuint (g.current.arrival, ==, MS (22));
}

static void
what_comes_at_once_sets_no_clock_back (void)
{
  RccGroupDelta delta;
  RccGroups g;

  rcc_groups_init (&g, RCC_GROUPING_DRAFT, DT, CAP);
  for (guint i = 0; i < 40; i++)
    rcc_groups_add (&g, MS (10 * i), MS (20 + 100 * (i / 10)), 1200, &delta);
  g_assert_cmpuint (g.resets, ==, 0);
  g_assert_cmpuint (g.reordered, ==, 0);
}

/* A group of 3 s is none: the send clock has stopped. */
static void
a_send_clock_that_stands_begins_anew (void)
{
  RccGroupDelta delta;
  RccGroups g;

  rcc_groups_init (&g, RCC_GROUPING_PAPER, DT, RCC_NEVER);
  for (guint i = 0; i <= 30; i++)
    rcc_groups_add (&g, MS (0), MS (20 + 100 * i), 1200, &delta);
  g_assert_cmpuint (g.resets, ==, 0);
  rcc_groups_add (&g, MS (0), MS (20 + 3100), 1200, &delta);
  g_assert_cmpuint (g.resets, ==, 1);
  g_assert_cmpuint (g.current.packets, ==, 1);
  g_assert_cmpuint (g.groups, ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gcc-groups/walks-through-the-figure", walks_through_the_figure);
  g_test_add_func ("/gcc-groups/positive-is-a-growing-queue", positive_is_a_growing_queue);
  g_test_add_func ("/gcc-groups/groups-by-departure", groups_by_departure);
  g_test_add_func ("/gcc-groups/the-cap-ends-a-merge", the_cap_ends_a_merge);
  g_test_add_func ("/gcc-groups/an-even-stream-has-groups-too",
      an_even_stream_has_groups_too);
  g_test_add_func ("/gcc-groups/reordering-is-left-out", reordering_is_left_out);
  g_test_add_func ("/gcc-groups/a-clock-that-jumps-is-no-queue",
      a_clock_that_jumps_is_no_queue);
  g_test_add_func ("/gcc-groups/a-clock-that-stands-is-no-queue",
      a_clock_that_stands_is_no_queue);
  g_test_add_func ("/gcc-groups/a-small-step-back-is-followed", a_small_step_back_is_followed);
  g_test_add_func ("/gcc-groups/only-steps-back-in-a-row-count",
      only_steps_back_in_a_row_count);
  g_test_add_func ("/gcc-groups/even-arrivals-are-no-burst", even_arrivals_are_no_burst);
  g_test_add_func ("/gcc-groups/collapses-three-lobes-into-one",
      collapses_three_lobes_into_one);
  g_test_add_func ("/gcc-groups/collapses-on-the-papers-trace",
      collapses_on_the_papers_trace);
  g_test_add_func ("/gcc-groups/behind-a-pause-a-burst-comes-fast", behind_a_pause_a_burst_comes_fast);
  g_test_add_func ("/gcc-groups/departures-are-compared-as-written",
      departures_are_compared_as_written);
  g_test_add_func ("/gcc-groups/arrivals-are-compared-as-written",
      arrivals_are_compared_as_written);
  g_test_add_func ("/gcc-groups/a-clock-set-back-begins-a-group-at-once",
      a_clock_set_back_begins_a_group_at_once);
  g_test_add_func ("/gcc-groups/what-comes-at-once-sets-no-clock-back",
      what_comes_at_once_sets_no_clock_back);
  g_test_add_func ("/gcc-groups/a-send-clock-that-stands-begins-anew",
      a_send_clock_that_stands_begins_anew);
  return g_test_run ();
}
