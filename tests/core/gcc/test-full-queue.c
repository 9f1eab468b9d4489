/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <math.h>
#include <glib.h>
#include "core/gcc/delay.h"
#include "core/rng.h"

#define HOLD (5 * RCC_SEC)
#define RTT (100 * RCC_MSEC)
#define FRAME (33 * RCC_MSEC)
#define SIZE 1000
#define RUN 32                          /* packets; a test comes after each */
#define RUNS 4                          /* before the first verdict */
#define SEEDS 40
#define OVERFLOWS 0.01                  /* lost; what a full queue needs is half as much */

typedef struct {
  RccFullQueue q;
  RccRng rng;
  RccTime send;
  RccTime (*owd) (RccRng *rng, RccTime send);
  guint32 (*size) (RccRng *rng);        /* NULL: SIZE */
  guint verdicts;                       /* runs after which it was full */
} Path;

static Path
path (RccTime (*owd) (RccRng *, RccTime), guint64 seed)
{
  Path p = { .send = 1000 * RCC_SEC, .owd = owd };

  rcc_full_queue_init (&p.q, HOLD);
  p.q.loss = OVERFLOWS;
  rcc_rng_init (&p.rng, seed, 1);
  return p;
}

/* @n packets @gap apart. */
static void
run (Path *p, guint n, RccTime gap)
{
  for (guint i = 0; i < n; i++) {
    const guint32 size = p->size ? p->size (&p->rng) : SIZE;
    const RccTime arrival = p->send + p->owd (&p->rng, p->send)
        + (p->size ? size * 8 * RCC_USEC : 0);          /* 1 Mbit/s */

    rcc_full_queue_packet (&p->q, p->send, arrival, size);
    p->send += gap;
    p->verdicts += (i + 1) % RUN == 0 && rcc_full_queue_is_full (&p->q, arrival);
  }
}

/* The verdicts of @runs runs of each seed, as a share. */
static double
verdicts (RccTime (*owd) (RccRng *, RccTime), guint32 (*size) (RccRng *), guint runs, RccTime gap)
{
  guint n = 0;

  for (guint64 seed = 1; seed <= SEEDS; seed++) {
    Path p = path (owd, seed);

    p.size = size;
    run (&p, runs * RUN, gap);
    n += p.verdicts;
  }
  return (double) n / (SEEDS * runs);
}

/* Full is 300 ms; now and then another flow has not sent. */
static RccTime
ceiling (RccRng *rng, RccTime send)
{
  return (RccTime) ((300 - fmin (rcc_rng_exponential (rng, 3), 100)) * 1e6);
}

/* Skewness -.5, as of eight flows on 1 Mbit/s: a gamma distribution of shape 16. */
static RccTime
soft_ceiling (RccRng *rng, RccTime send)
{
  double wait = 0;

  for (guint i = 0; i < 16; i++)
    wait += rcc_rng_exponential (rng, 1);
  return (RccTime) ((300 - wait) * 1e6);
}

static RccTime
its_floor (RccRng *rng, RccTime send)
{
  return (RccTime) ((50 + rcc_rng_exponential (rng, 3)) * 1e6);
}

static RccTime
shorter (RccRng *rng, RccTime send)
{
  return its_floor (rng, send) + 230 * RCC_MSEC;
}

static RccTime
jitter (RccRng *rng, RccTime send)
{
  return (RccTime) ((50 + 3 * rcc_rng_normal (rng)) * 1e6);
}

/* As fine as a receiver's clock may be. */
static RccTime
clock_noise (RccRng *rng, RccTime send)
{
  return (RccTime) ((50 - rcc_rng_exponential (rng, 0.2)) * 1e6);
}

/* A single packet that comes early is no ceiling for the others. */
static RccTime
one_of_200_early (RccRng *rng, RccTime send)
{
  return clock_noise (rng, send) - (send / FRAME % 200 == 0 ? 15 * RCC_MSEC : 0);
}

/* 0, 10 and 20 ms more, for 5 s each. */
static RccTime
floor_in_steps (RccRng *rng, RccTime send)
{
  return its_floor (rng, send) / 10 + 50 * RCC_MSEC + send / (5 * RCC_SEC) % 3 * 10 * RCC_MSEC;
}

/* 100 ppm */
static RccTime
drifting_floor (RccRng *rng, RccTime send)
{
  return its_floor (rng, send) + (send - 1000 * RCC_SEC) / 10000;
}

static RccTime
drifting_ceiling (RccRng *rng, RccTime send)
{
  return ceiling (rng, send) + (send - 1000 * RCC_SEC) / 10000;
}

static RccTime
nothing_waits (RccRng *rng, RccTime send)
{
  return 50 * RCC_MSEC + (RccTime) (rcc_rng_exponential (rng, 0.6) * 1e6);
}

/* Most packets fill the MTU: what the size does to the delay alone is a ceiling. */
static guint32
mostly_large (RccRng *rng)
{
  return (guint32) (1200 - fmin (rcc_rng_exponential (rng, 200), 1100));
}

static void
a_ceiling_is_full (void)
{
  for (guint64 seed = 1; seed <= SEEDS; seed++) {
    Path p = path (ceiling, seed);

    run (&p, RUNS * RUN - 1, FRAME);
    g_assert_cmpuint (p.verdicts, ==, 0);
    run (&p, 2 * RUN + 1, FRAME);
    g_assert_true (rcc_full_queue_is_full (&p.q, p.send));
  }
  g_assert_cmpfloat (verdicts (ceiling, NULL, 20, FRAME), >, 0.8);
  g_assert_cmpfloat (verdicts (soft_ceiling, NULL, 20, FRAME), >, 0.5);
  g_assert_cmpfloat (verdicts (drifting_ceiling, NULL, 20, FRAME), >, 0.8);
  g_assert_cmpfloat (verdicts (ceiling, mostly_large, 20, FRAME), >, 0.8);
}

/* At 100 packets a second, too. */
static void
nothing_else_is (void)
{
  static const struct { RccTime (*owd) (RccRng *, RccTime); guint32 (*size) (RccRng *);
    double most; } cases[] = {
    { its_floor, NULL, 0 }, { clock_noise, NULL, 0 }, { drifting_floor, NULL, 0 },
    { nothing_waits, mostly_large, 0 }, { one_of_200_early, NULL, 0 },
    /* a test in 200 of one that is symmetrical; HOLD makes four runs of it */
    { jitter, NULL, 0.03 }, { floor_in_steps, NULL, 0.01 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_test_message ("case %u", i);
    g_assert_cmpfloat (verdicts (cases[i].owd, cases[i].size, 100, FRAME), <=, cases[i].most);
    g_assert_cmpfloat (verdicts (cases[i].owd, cases[i].size, 20, 12 * RCC_MSEC), <=,
        2 * cases[i].most);
  }
}

static RccTime
always_the_same (RccRng *rng, RccTime send)
{
  return 50 * RCC_MSEC;
}

static void
one_delay_has_no_skewness (void)
{
  Path p = path (always_the_same, 1);

  run (&p, 8 * RUN, FRAME);
  g_assert_cmpfloat (p.q.skewness, ==, 0);
  g_assert_cmpuint (p.q.n, ==, RCC_FULL_QUEUE_PACKETS);
  g_assert_cmpuint (p.verdicts, ==, 0);
}

/* 1 of 9 packets waits 8 ms less: the skewness is -2.475. */
static void
the_skewness_is_that_of_the_sample (void)
{
  Path p = path (always_the_same, 1);

  for (guint i = 0; i < 9 * RUN; i++) {
    rcc_full_queue_packet (&p.q, p.send, p.send + (i % 9 ? 300 : 292) * RCC_MSEC, SIZE);
    p.send += FRAME;
  }
  g_assert_cmpfloat_with_epsilon (p.q.skewness, -2.475, 0.05);
}

static void
off_nothing_is_full (void)
{
  Path p = path (ceiling, 1);

  rcc_full_queue_init (&p.q, 0);
  rcc_full_queue_losses (&p.q, 100, 100);
  run (&p, 20 * RUN, FRAME);
  g_assert_cmpuint (p.verdicts, ==, 0);
  g_assert_false (rcc_full_queue_is_lossy (&p.q));
  g_assert_false (rcc_full_queue_over (&p.q, RTT, p.send));
}

/* Five packets of a frame, each behind the one before, are one; 10 ms are far enough. */
static void
our_own_burst_counts_once (void)
{
  Path p = path (ceiling, 1);

  for (guint i = 0; i < RUN - 1; i++) {
    run (&p, 1, RCC_MSEC);
    run (&p, 4, RCC_MSEC);
    p.send += FRAME - 5 * RCC_MSEC;
  }
  g_assert_cmpuint (p.q.n, ==, RUN - 1);
  run (&p, 20, 10 * RCC_MSEC);
  g_assert_cmpuint (p.q.n, ==, RUN - 1 + 20);
}

/* Packets that come rarely say little about one another: 32 have to come within 4 s. */
static void
a_run_is_short (void)
{
  Path p = path (ceiling, 1);

  run (&p, 20 * RUN, 4 * RCC_SEC / RUN + 10 * RCC_MSEC);
  g_assert_cmpuint (p.verdicts, ==, 0);
  run (&p, 20 * RUN, 4 * RCC_SEC / RUN - 10 * RCC_MSEC);
  g_assert_cmpuint (p.verdicts, >, 0);
}

static Path
full (void)
{
  Path p = path (ceiling, 1);

  run (&p, 8 * RUN, FRAME);
  g_assert_true (rcc_full_queue_is_full (&p.q, p.send));
  return p;
}

/* The others send less: the queue is shorter, and none of before counts. */
static void
it_is_over_when_the_delay_falls (void)
{
  Path p = full ();

  p.owd = shorter;
  run (&p, RUN + 1, FRAME);
  g_assert_cmpuint (p.q.n, ==, 1);
  run (&p, HOLD / FRAME + RUN, FRAME);
  g_assert_false (rcc_full_queue_is_full (&p.q, p.send));
}

static void
a_set_clock_ends_it (void)
{
  Path p = full ();

  p.send -= 100 * RCC_SEC;
  run (&p, 1, FRAME);
  g_assert_false (rcc_full_queue_is_full (&p.q, p.send));
  g_assert_cmpuint (p.q.n, ==, 1);
}

/* Packets are overtaken by some ms, and a run may just have ended. */
static void
what_was_overtaken_ends_nothing (void)
{
  Path p = full ();

  for (guint i = 0; i < RUN; i++) {
    rcc_full_queue_packet (&p.q, p.send, p.q.began - 5 * RCC_MSEC, SIZE);
    g_assert_true (rcc_full_queue_is_full (&p.q, p.send));
    p.send += 3 * RCC_MSEC;
  }
}

static void
it_may_be_full_for_ever (void)
{
  Path p = path (ceiling, 1);

  rcc_full_queue_init (&p.q, RCC_NEVER);
  p.q.loss = OVERFLOWS;
  run (&p, 8 * RUN, FRAME);
  g_assert_cmpuint (p.q.until, ==, RCC_NEVER);
}

/* Its delay may look so; it does not overflow. */
static void
what_loses_nearly_nothing_is_not_full (void)
{
  for (guint half = 0; half < 2; half++) {
    Path p = path (ceiling, 1);

    p.q.loss = half ? OVERFLOWS / 2 : OVERFLOWS / 2 * 1.01;
    run (&p, 8 * RUN, FRAME);
    g_assert_cmpint (rcc_full_queue_is_full (&p.q, p.send), ==, !half);
    g_assert_cmpfloat (p.q.skewness, <, -1);
  }
}

/* What is lost until a decrease has worked is the same congestion. */
static void
a_loss_is_over_use_once (void)
{
  Path p = full ();
  const RccTime t = p.send, next = t + RTT + 300 * RCC_MSEC;

  g_assert_false (rcc_full_queue_over (&p.q, RTT, t));
  rcc_full_queue_losses (&p.q, 1, 10);
  g_assert_true (rcc_full_queue_over (&p.q, RTT, t));
  g_assert_false (rcc_full_queue_over (&p.q, RTT, t));
  rcc_full_queue_losses (&p.q, 3, 10);
  g_assert_false (rcc_full_queue_over (&p.q, RTT, next - 1));
  g_assert_false (rcc_full_queue_over (&p.q, RTT, next));
  rcc_full_queue_losses (&p.q, 3, 10);
  rcc_full_queue_losses (&p.q, -3, 1);  /* they were late */
  g_assert_false (rcc_full_queue_over (&p.q, RTT, next));
  rcc_full_queue_losses (&p.q, 1, 1);
  g_assert_true (rcc_full_queue_over (&p.q, RTT, next));
}

static void
a_loss_elsewhere_is_not (void)
{
  Path p = path (its_floor, 1);

  run (&p, 8 * RUN, FRAME);
  rcc_full_queue_losses (&p.q, 1, 10);
  g_assert_false (rcc_full_queue_over (&p.q, RTT, p.send));
  p.owd = ceiling;
  run (&p, 16 * RUN, FRAME);
  g_assert_true (rcc_full_queue_is_full (&p.q, p.send));
  g_assert_false (rcc_full_queue_over (&p.q, RTT, p.send));     /* nor is it kept for later */
}

static void
more_than_three_of_a_hundred_is_lossy (void)
{
  for (guint per_mille = 28; per_mille <= 32; per_mille += 4) {
    RccFullQueue q;

    rcc_full_queue_init (&q, HOLD);
    for (guint i = 0; i < 2000; i++)
      rcc_full_queue_losses (&q, per_mille * 1e-3, 1);
    g_assert_cmpint (rcc_full_queue_is_lossy (&q), ==, per_mille > 30);
    for (guint i = 0; i < 20; i++)
      rcc_full_queue_losses (&q, 0, 1);
    g_assert_false (rcc_full_queue_is_lossy (&q));
    rcc_full_queue_losses (&q, 50, 50);
    g_assert_true (rcc_full_queue_is_lossy (&q));
  }
}

/* The delay-based controller behind a queue that others keep full; one packet of @lose_each is
 * lost, 0: none. */
static RccGccDelay
controller (gboolean on, guint n, guint lose_each)
{
  RccGccConfig config = rcc_gcc_config (RCC_GCC_DEFAULT);
  RccTime send = 1000 * RCC_SEC;
  RccGccDelay d;
  RccRng rng;

  config.full_queue = on ? HOLD : 0;
  rcc_gcc_delay_init (&d, &config, SIZE * 8e9 / FRAME);
  d.overuse.threshold = 600;            /* deaf to the slope */
  rcc_rng_init (&rng, 1, 1);
  for (guint i = 0; i < n; i++, send += FRAME) {
    if (lose_each)
      rcc_gcc_delay_losses (&d, i % lose_each == 0, 1);
    rcc_gcc_delay_packet (&d, send, send + ceiling (&rng, send), SIZE);
  }
  return d;
}

/* The last 10 ms of the queue are all that its delay shows. */
static void
losses_behind_it_decrease (void)
{
  static const struct { gboolean on; guint lose_each; gboolean decreases; } cases[] = {
    { TRUE, 10, TRUE }, { FALSE, 10, FALSE }, { TRUE, 0, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const RccGccDelay d = controller (cases[i].on, 600, cases[i].lose_each);
    const double share = rcc_gcc_delay_bps (&d) / (SIZE * 8e9 / FRAME);

    if (cases[i].decreases)
      g_assert_cmpfloat (share, <, 0.92);
    else
      g_assert_cmpfloat (share, >, 1);
  }
}

/* A probe shows the link's rate, which others use. */
static void
it_has_no_room_for_probes (void)
{
  for (guint on = 0; on < 2; on++) {
    RccGccDelay d = controller (on, 200, 50);

    rcc_gcc_delay_probed (&d, 2e6, 0, d.arrival);
    g_assert_cmpint (rcc_gcc_delay_bps (&d) >= 1e6, ==, !on);
  }
}

static void
anything_leaves_it_sane (void)
{
  RccFullQueue q;
  RccRng rng;
  RccTime now = 0;

  rcc_full_queue_init (&q, HOLD);
  rcc_rng_init (&rng, 5, 1);
  for (guint i = 0; i < 200000; i++) {
    const guint dice = rcc_rng_u32 (&rng) % 1000;

    now += (RccTime) (rcc_rng_uniform (&rng) * 50e6);
    if (dice == 0)
      now = (RccTime) (rcc_rng_uniform (&rng) * 0x1p62);
    rcc_full_queue_packet (&q, dice < 500 ? now : (RccTime) (rcc_rng_uniform (&rng) * 0x1p62), now,
        rcc_rng_u32 (&rng) % 65536);
    rcc_full_queue_losses (&q, (double) (rcc_rng_u32 (&rng) % 100) - 50, rcc_rng_u32 (&rng) % 100);
    rcc_full_queue_over (&q, (RccTime) (rcc_rng_uniform (&rng) * 1e9), now);
    g_assert_false (isnan (q.skewness));
    g_assert_cmpfloat (fabs (q.loss), <=, 1);
    g_assert_cmpfloat (q.lost, >=, 0);
    g_assert_cmpuint (q.n, <=, RCC_FULL_QUEUE_PACKETS);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/full-queue/ceiling", a_ceiling_is_full);
  g_test_add_func ("/full-queue/nothing-else", nothing_else_is);
  g_test_add_func ("/full-queue/one-delay", one_delay_has_no_skewness);
  g_test_add_func ("/full-queue/skewness", the_skewness_is_that_of_the_sample);
  g_test_add_func ("/full-queue/off", off_nothing_is_full);
  g_test_add_func ("/full-queue/own-burst", our_own_burst_counts_once);
  g_test_add_func ("/full-queue/short-run", a_run_is_short);
  g_test_add_func ("/full-queue/over", it_is_over_when_the_delay_falls);
  g_test_add_func ("/full-queue/set-clock", a_set_clock_ends_it);
  g_test_add_func ("/full-queue/overtaken", what_was_overtaken_ends_nothing);
  g_test_add_func ("/full-queue/for-ever", it_may_be_full_for_ever);
  g_test_add_func ("/full-queue/no-loss", what_loses_nearly_nothing_is_not_full);
  g_test_add_func ("/full-queue/loss", a_loss_is_over_use_once);
  g_test_add_func ("/full-queue/loss-elsewhere", a_loss_elsewhere_is_not);
  g_test_add_func ("/full-queue/lossy", more_than_three_of_a_hundred_is_lossy);
  g_test_add_func ("/full-queue/controller", losses_behind_it_decrease);
  g_test_add_func ("/full-queue/probe", it_has_no_room_for_probes);
  g_test_add_func ("/full-queue/sane", anything_leaves_it_sane);
  return g_test_run ();
}
