/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Frames are integers in disguise: each is released or handed out exactly once,
 * which every test checks at its end.
 */
#include <glib.h>
#include <string.h>
#include "psnr/framematch.h"

#define MSEC G_GUINT64_CONSTANT (1000000)
#define FRAME (40 * MSEC)       /* 25 frames/s */

static guint alive;

static void
release (void *frame)
{
  g_assert_cmpuint (*(guint *) frame, ==, 1);
  g_free (frame);
  alive--;
}

static FrameMatchFrame
frame (gint64 position, guint64 time)
{
  guint *handle = g_new (guint, 1);

  *handle = 1;
  alive++;
  return (FrameMatchFrame) { position, time, FRAMEMATCH_NEVER, handle };
}

static void
ref (FrameMatch *m, gint64 number)
{
  FrameMatchFrame f = frame (number, (guint64) number * FRAME);

  framematch_add_ref (m, &f);
}

static void
dist (FrameMatch *m, gint64 number)
{
  FrameMatchFrame f = frame (number, FRAMEMATCH_NEVER);

  framematch_add_dist (m, &f);
}

/* Shown a second after its reference is due. */
static void
dist_in_time (FrameMatch *m, gint64 number)
{
  FrameMatchFrame f = frame (number, (guint64) number * FRAME + 1000 * MSEC);

  framematch_add_dist (m, &f);
}

/* "3=3" ref 3 saw dist 3 for the first time, "4*3" frozen, "0-" nothing shown */
static gchar *
outcome (FrameMatch *m)
{
  GString *s = g_string_new (NULL);
  FrameMatchPair pair;

  while (framematch_next (m, &pair)) {
    if (s->len)
      g_string_append_c (s, ' ');
    g_string_append_printf (s, "%" G_GINT64_FORMAT, pair.ref.position);
    if (!pair.visible)
      g_string_append_c (s, '-');
    else
      g_string_append_printf (s, "%c%" G_GINT64_FORMAT, pair.frozen ? '*' : '=',
          pair.shown.position);
    release (pair.ref.frame);
  }
  return g_string_free (s, FALSE);
}

#define expect(m, text) G_STMT_START { \
  gchar *got = outcome (m); \
  g_assert_cmpstr (got, ==, text); \
  g_free (got); \
} G_STMT_END

static void
start (FrameMatch *m, gboolean wait, guint depth, guint64 max_delay, gint64 tolerance)
{
  FrameMatchConfig config = { tolerance, max_delay, depth, wait, release };

  alive = 0;
  g_assert_true (framematch_init (m, &config));
}

static void
finish (FrameMatch *m)
{
  framematch_clear (m);
  g_assert_cmpuint (alive, ==, 0);
}

static void
in_step (void)
{
  FrameMatch m;

  start (&m, TRUE, 8, FRAMEMATCH_NEVER, 0);
  ref (&m, 0);
  expect (&m, "");
  dist (&m, 0);
  expect (&m, "0=0");
  dist (&m, 1);                 /* the distorted side may be ahead */
  dist (&m, 2);
  expect (&m, "");
  ref (&m, 1);
  ref (&m, 2);
  expect (&m, "1=1 2=2");
  g_assert_cmpuint (framematch_stats (&m).matched, ==, 3);
  g_assert_cmpuint (framematch_stats (&m).frozen, ==, 0);
  finish (&m);
}

static void
a_missing_frame_is_the_last_one_again (void)
{
  FrameMatch m;
  FrameMatchStats stats;

  start (&m, TRUE, 16, FRAMEMATCH_NEVER, 0);
  for (gint64 n = 0; n < 10; n++)
    ref (&m, n);
  dist (&m, 0);
  dist (&m, 1);
  expect (&m, "0=0 1=1");
  dist (&m, 4);                 /* 2 and 3 were dropped */
  expect (&m, "2*1 3*1 4=4");
  dist (&m, 6);
  expect (&m, "5*4 6=6");
  framematch_end_dists (&m);
  expect (&m, "7*6 8*6 9*6");
  stats = framematch_stats (&m);
  g_assert_cmpuint (stats.matched, ==, 4);
  g_assert_cmpuint (stats.frozen, ==, 6);
  g_assert_cmpuint (stats.freezes, ==, 3);
  g_assert_cmpuint (stats.longest_freeze, ==, 3 * FRAME);       /* 7, 8, 9 */
  g_assert_cmpuint (stats.freeze_time, ==, 6 * FRAME);
  finish (&m);
}

static void
before_the_first_picture_nothing_is_scored (void)
{
  FrameMatch m;

  start (&m, TRUE, 8, FRAMEMATCH_NEVER, 0);
  ref (&m, 0);
  ref (&m, 1);
  ref (&m, 2);
  dist (&m, 2);
  expect (&m, "0- 1- 2=2");
  g_assert_cmpuint (framematch_stats (&m).unshown, ==, 2);
  g_assert_cmpuint (framematch_stats (&m).freezes, ==, 0);
  finish (&m);
}

static void
dropped_and_doubled_references (void)
{
  FrameMatch m;

  start (&m, TRUE, 8, FRAMEMATCH_NEVER, 0);
  ref (&m, 4);
  ref (&m, 4);                  /* twice */
  ref (&m, 3);                  /* backwards */
  ref (&m, 6);                  /* 5 was dropped */
  dist (&m, 2);                 /* the reference began later */
  dist (&m, 4);
  dist (&m, 5);
  dist (&m, 6);
  expect (&m, "4=4 6=6");
  g_assert_cmpuint (framematch_stats (&m).refused, ==, 2);
  g_assert_cmpuint (framematch_stats (&m).unknown, ==, 2);      /* 2 and 5 */
  finish (&m);
}

static void
doubled_and_disordered_distorted_frames (void)
{
  FrameMatch m;

  start (&m, TRUE, 8, FRAMEMATCH_NEVER, 0);
  for (gint64 n = 0; n < 4; n++)
    ref (&m, n);
  dist (&m, 0);
  dist (&m, 0);
  dist (&m, 2);
  dist (&m, 1);                 /* overtaken: the viewer has seen 2 */
  dist (&m, 3);
  framematch_skip_dist (&m, FRAMEMATCH_NEVER);
  framematch_skip_ref (&m);
  expect (&m, "0=0 1*0 2=2 3=3");
  g_assert_cmpuint (framematch_stats (&m).duplicate, ==, 1);
  g_assert_cmpuint (framematch_stats (&m).late, ==, 1);
  g_assert_cmpuint (framematch_stats (&m).unknown, ==, 1);
  g_assert_cmpuint (framematch_stats (&m).refused, ==, 1);
  finish (&m);
}

static void
live_gives_up_after_max_delay (void)
{
  FrameMatch m;

  start (&m, FALSE, 100, 5 * FRAME, 0);
  ref (&m, 0);
  dist (&m, 0);
  expect (&m, "0=0");
  for (gint64 n = 1; n <= 6; n++)
    ref (&m, n);
  expect (&m, "");              /* 6 is 5 frames after 1: not more */
  ref (&m, 7);
  expect (&m, "1*0");
  dist (&m, 1);                 /* too late for its score, but now on screen */
  ref (&m, 8);
  expect (&m, "2=1");
  ref (&m, 9);
  expect (&m, "3*1");
  dist (&m, 9);                 /* the stream has caught up */
  expect (&m, "4*1 5*1 6*1 7*1 8*1 9=9");
  g_assert_cmpuint (framematch_stats (&m).late, ==, 1);
  g_assert_cmpuint (framematch_stats (&m).freezes, ==, 2);
  g_assert_cmpuint (framematch_stats (&m).longest_freeze, ==, 6 * FRAME);
  finish (&m);
}

static void
live_is_bounded (void)
{
  FrameMatch m;
  guint peak = 0;

  start (&m, FALSE, 8, FRAMEMATCH_NEVER, 0);
  for (gint64 n = 0; n < 1000; n++) {
    FrameMatchPair pair;

    ref (&m, n);
    if (n == 0)
      dist (&m, n);
    while (framematch_next (&m, &pair))
      release (pair.ref.frame);
    peak = MAX (peak, alive);
  }
  g_assert_cmpuint (peak, <=, 8 + 1);
  g_assert_cmpuint (framematch_stats (&m).frozen, ==, 1000 - 8);
  g_assert_cmpuint (framematch_stats (&m).longest_freeze, ==, (1000 - 8) * FRAME);
  framematch_end_dists (&m);
  g_free (outcome (&m));
  g_assert_cmpuint (framematch_stats (&m).frozen, ==, 999);
  for (gint64 n = 2000; n < 3000; n++) {        /* references stand still */
    dist (&m, n);
    g_assert_cmpuint (alive, <=, 8 + 1);
  }
  g_assert_cmpuint (framematch_stats (&m).unknown, ==, 1000 - 8);
  finish (&m);
}

static void
a_full_queue_refuses (void)
{
  FrameMatch m;

  start (&m, TRUE, 4, FRAMEMATCH_NEVER, 0);
  for (gint64 n = 0; n < 6; n++) {
    g_assert_true (framematch_ref_full (&m) == (n >= 4));
    ref (&m, n);
    expect (&m, "");            /* waiting holds all of them */
  }
  g_assert_cmpuint (alive, ==, 4);
  g_assert_cmpuint (framematch_stats (&m).refused, ==, 2);
  dist (&m, 3);
  expect (&m, "0- 1- 2- 3=3");
  finish (&m);
}

/* Where one tee feeds both sides, a wait for what cannot come stops them both. */
static void
waiting_in_vain_ends (void)
{
  FrameMatch m;
  gint64 n = 0;

  start (&m, TRUE, 16, FRAMEMATCH_NEVER, 0);
  for (; n < 16; n++)
    ref (&m, n);
  for (guint i = 0; i < 16 / 4 + 8; i++)
    framematch_skip_dist (&m, FRAMEMATCH_NEVER);
  expect (&m, "");              /* not yet */
  g_assert_true (framematch_ref_full (&m));
  framematch_skip_dist (&m, FRAMEMATCH_NEVER);
  expect (&m, "0-");
  ref (&m, n++);                /* and it goes on, frame by frame */
  expect (&m, "1-");
  dist (&m, 10);                /* until one is readable */
  expect (&m, "2- 3- 4- 5- 6- 7- 8- 9- 10=10");
  for (; n < 27; n++)
    ref (&m, n);
  expect (&m, "");
  g_assert_true (framematch_ref_full (&m));     /* waits again */
  finish (&m);

  start (&m, TRUE, 16, FRAMEMATCH_NEVER, 0);
  for (n = 1000; n < 1016; n++)
    dist (&m, n);
  for (guint i = 0; i < 16 / 4 + 8; i++)
    framematch_skip_ref (&m);
  g_assert_true (framematch_dist_full (&m));
  ref (&m, 0);                  /* long before what is held */
  expect (&m, "0-");
  g_assert_false (framematch_dist_full (&m));
  dist (&m, n);
  g_assert_cmpuint (framematch_stats (&m).unknown, ==, 1);
  ref (&m, 1001);
  expect (&m, "1001=1001");
  dist (&m, n + 1);
  g_assert_cmpuint (alive, ==, 16 + 1);
  g_assert_true (framematch_dist_full (&m));
  finish (&m);
}

/* A film that plays as fast as it is let does not run away from pictures that cannot be read. */
static void
waiting_in_vain_keeps_step (void)
{
  FrameMatch m;
  gint64 n = 0, shown = 0;
  g_autofree gchar *all = NULL;

  start (&m, TRUE, 16, FRAMEMATCH_NEVER, 0);
  for (; n < 16; n++)
    ref (&m, n);
  dist_in_time (&m, shown++);
  expect (&m, "0=0");
  for (; shown < 60; shown++) {
    framematch_skip_dist (&m, (guint64) shown * FRAME + 1000 * MSEC);
    do {
      g_free (all);
      all = outcome (&m);
      while (!framematch_ref_full (&m))
        ref (&m, n++);
    } while (*all);
    g_assert_cmpint (n, <=, shown + 1 + 16);
  }
  g_assert_cmpint (n, ==, 59 + 1 + 16); /* and it does go on */
  dist_in_time (&m, shown);
  expect (&m, "60=60");         /* the next that can be read is in time */
  finish (&m);
}

static void
time_is_matched_within_the_tolerance (void)
{
  FrameMatch m;

  /* positions in ns; the distorted side in whole ms, as a container keeps them */
  start (&m, TRUE, 200, FRAMEMATCH_NEVER, 5 * MSEC);
  for (guint64 n = 0; n < 90; n++) {
    FrameMatchFrame f = frame ((gint64) (n * 1000 * MSEC / 30), n * 1000 * MSEC / 30);
    FrameMatchFrame d = frame ((gint64) ((n * 1000 + 15) / 30 * MSEC), 0);

    framematch_add_ref (&m, &f);
    framematch_add_dist (&m, &d);
  }
  g_free (outcome (&m));
  g_assert_cmpuint (framematch_stats (&m).matched, ==, 90);
  g_assert_cmpuint (framematch_stats (&m).frozen, ==, 0);
  finish (&m);
}

static void
another_frame_rate_shows_what_is_on_screen (void)
{
  FrameMatch m;
  FrameMatchStats stats;

  start (&m, TRUE, 200, FRAMEMATCH_NEVER, 1 * MSEC);
  for (guint64 n = 0; n < 100; n++) {   /* 25 frames/s against 10 */
    FrameMatchFrame f = frame ((gint64) (n * FRAME), n * FRAME);

    framematch_add_ref (&m, &f);
  }
  for (guint64 n = 0; n < 40; n++) {
    FrameMatchFrame d = frame ((gint64) (n * 100 * MSEC), 0);

    framematch_add_dist (&m, &d);
  }
  framematch_end_dists (&m);
  g_free (outcome (&m));
  stats = framematch_stats (&m);
  g_assert_cmpuint (stats.matched, ==, 40);
  g_assert_cmpuint (stats.frozen, ==, 60);
  g_assert_cmpuint (stats.unknown, ==, 0);
  finish (&m);
}

static void
one_side_ends_first (void)
{
  FrameMatch m;

  start (&m, TRUE, 8, FRAMEMATCH_NEVER, 0);
  ref (&m, 0);
  ref (&m, 1);
  framematch_end_refs (&m);
  expect (&m, "");              /* their distorted frames may still come */
  dist (&m, 0);
  dist (&m, 1);
  expect (&m, "0=0 1=1");
  dist (&m, 2);
  dist (&m, 3);
  expect (&m, "");
  g_assert_cmpuint (framematch_stats (&m).unknown, ==, 2);
  finish (&m);

  start (&m, TRUE, 8, FRAMEMATCH_NEVER, 0);
  dist (&m, 0);
  framematch_end_dists (&m);
  ref (&m, 0);
  ref (&m, 1);
  expect (&m, "0=0 1*0");
  dist (&m, 5);                 /* against the contract of end: still harmless */
  framematch_end_refs (&m);
  expect (&m, "");
  finish (&m);
}

static void
flush_starts_anew (void)
{
  FrameMatch m;

  start (&m, TRUE, 8, FRAMEMATCH_NEVER, 0);
  for (gint64 n = 100; n < 104; n++)
    ref (&m, n);
  dist (&m, 100);
  dist (&m, 101);
  expect (&m, "100=100 101=101");
  framematch_end_dists (&m);
  framematch_flush_refs (&m);
  framematch_flush_dists (&m);
  g_assert_cmpuint (alive, ==, 0);
  ref (&m, 3);                  /* a seek back */
  ref (&m, 4);
  expect (&m, "");
  dist (&m, 3);
  dist (&m, 4);
  expect (&m, "3=3 4=4");
  g_assert_cmpuint (framematch_stats (&m).matched, ==, 4);
  g_assert_cmpuint (framematch_stats (&m).late, ==, 0);
  finish (&m);
}

/* Whatever comes, frames balance: nothing leaks, nothing is decided twice. */
static void
random_input_balances (void)
{
  GRand *rand = g_rand_new_with_seed (17);

  for (guint round = 0; round < 400; round++) {
    FrameMatch m;
    FrameMatchPair pair;
    FrameMatchStats s;
    guint64 refs = 0, dists = 0, out = 0, flushed = 0;
    gint64 newest = -1, r = 0, d = 0;
    gboolean wait = g_rand_boolean (rand);

    start (&m, wait, (guint) g_rand_int_range (rand, 1, 12), 6 * FRAME,
        g_rand_boolean (rand));
    for (guint i = 0; i < 400; i++) {
      switch (g_rand_int_range (rand, 0, 40)) {
        case 0:
          flushed += m.refs.count;
          framematch_flush_refs (&m);
          newest = -1000000;
          break;
        case 1:
          framematch_flush_dists (&m);
          break;
        default:
          if (g_rand_boolean (rand)) {
            r += g_rand_int_range (rand, -1, 4);
            ref (&m, MAX (r, 0));
            refs++;
          } else {
            d = MAX (d, r - 5) + g_rand_int_range (rand, -1, 4);
            dist (&m, d);
            dists++;
          }
      }
      while (framematch_next (&m, &pair)) {
        g_assert_cmpint (pair.ref.position, >, newest);
        if (pair.visible)
          g_assert_cmpuint (*(guint *) pair.shown.frame, ==, 1);
        newest = pair.ref.position;
        out++;
        release (pair.ref.frame);
      }
      g_assert_cmpuint (alive, <=, 2 * m.config.depth + 1);
    }
    s = framematch_stats (&m);
    g_assert_cmpuint (out, ==, s.matched + s.frozen + s.unshown);
    g_assert_cmpuint (refs, ==, out + s.refused + flushed + m.refs.count);
    g_assert_cmpuint (s.matched + s.duplicate, <=, dists);
    g_assert_cmpuint (s.longest_freeze, <=, s.freeze_time);
    finish (&m);
  }
  g_rand_free (rand);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/framematch/in-step", in_step);
  g_test_add_func ("/framematch/missing", a_missing_frame_is_the_last_one_again);
  g_test_add_func ("/framematch/before-the-first", before_the_first_picture_nothing_is_scored);
  g_test_add_func ("/framematch/references", dropped_and_doubled_references);
  g_test_add_func ("/framematch/distorted", doubled_and_disordered_distorted_frames);
  g_test_add_func ("/framematch/max-delay", live_gives_up_after_max_delay);
  g_test_add_func ("/framematch/bounded", live_is_bounded);
  g_test_add_func ("/framematch/full", a_full_queue_refuses);
  g_test_add_func ("/framematch/in-vain", waiting_in_vain_ends);
  g_test_add_func ("/framematch/in-vain-in-step", waiting_in_vain_keeps_step);
  g_test_add_func ("/framematch/tolerance", time_is_matched_within_the_tolerance);
  g_test_add_func ("/framematch/frame-rates", another_frame_rate_shows_what_is_on_screen);
  g_test_add_func ("/framematch/one-side-ends", one_side_ends_first);
  g_test_add_func ("/framematch/flush", flush_starts_anew);
  g_test_add_func ("/framematch/random", random_input_balances);
  return g_test_run ();
}
