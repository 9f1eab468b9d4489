/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* NADA on a bottleneck, in virtual time: constant-rate packets, a queue of at most 300 ms, 50 ms
 * each way, feedback each 100 ms.  Where a flow settles is worked out from RFC 8698: its signal
 * is PRIO * XREF * RMAX / r_ref. */
#include "core/nada/nada.h"

#include "../../random.h"

#define MS RCC_MSEC
#define S RCC_SEC
#define SIZE 1200
#define OWD (50 * MS)
#define QUEUE_MAX (300 * MS)
#define WAITING 8192                    /* packets that feedback has not told of */
#define FLOWS 2

typedef struct {
  RccNada nada;
  gdouble credit;                       /* bits */
  gint64 seq;
  RccPacket waiting[WAITING];
  guint n_waiting;
  guint64 sent, lost;                   /* packets, since the counts began */
} Flow;

static struct {
  Flow flows[FLOWS];
  guint n;
  gdouble capacity, loss, marks;        /* bit/s; probabilities */
  RccTime now, free;                    /* free: when the link will be */
  RccTime clock;                        /* of the receivers, ahead of ours */
  gdouble queue_sum, queue_max;         /* of each millisecond, ns */
  guint64 samples;
} world;

static void
begin (gdouble capacity)
{
  memset (&world, 0, sizeof world);
  world.capacity = capacity;
  world.now = S;
  rcc_rng_init (&rng, 1, 1);
}

static RccNada *
add (guint32 start, guint32 most, gdouble priority)
{
  const RccConfig limits = { 50000, start, most };
  RccNadaConfig config = rcc_nada_config ();
  Flow *f = &world.flows[world.n++];

  config.priority = priority;
  rcc_nada_init (&f->nada, &config, &limits);
  return &f->nada;
}

static void
send (Flow *f)
{
  const RccTime queue = world.free > world.now ? world.free - world.now : 0;
  RccPacket p = { .seq = f->seq++, .size = SIZE, .sent = world.now, .arrived = RCC_NEVER };

  rcc_tell (&f->nada.sender, on_sent, &p);
  f->sent++;
  if (queue > QUEUE_MAX || chance (world.loss)) {
    f->lost++;
  } else {
    world.free = world.now + queue + (RccTime) (SIZE * 8e9 / world.capacity);
    p.arrived = world.free + OWD;
    p.flags = chance (world.marks) ? RCC_PACKET_CE : 0;
  }
  g_assert_cmpuint (f->n_waiting, <, WAITING);
  f->waiting[f->n_waiting++] = p;
}

/* What has arrived OWD ago, and what is missing before it. */
static void
tell (Flow *f)
{
  guint n = 0;

  for (guint i = 0; i < f->n_waiting; i++)
    if (f->waiting[i].arrived != RCC_NEVER && f->waiting[i].arrived + OWD <= world.now)
      n = i + 1;
  for (guint i = 0; i < n; i++)
    if (f->waiting[i].arrived != RCC_NEVER)
      f->waiting[i].arrived += world.clock;
  rcc_tell (&f->nada.sender, on_feedback, f->waiting, n, world.now);
  memmove (f->waiting, f->waiting + n, (f->n_waiting - n) * sizeof *f->waiting);
  f->n_waiting -= n;
}

static void
run (guint seconds)
{
  for (guint t = 0; t < seconds * 1000; t++, world.now += MS) {
    for (guint i = 0; i < world.n; i++) {
      Flow *f = &world.flows[i];

      for (f->credit += f->nada.target_bps / 1e3; f->credit >= 8 * SIZE; f->credit -= 8 * SIZE)
        send (f);
      if (world.now / MS % 100 == 10 * i)
        tell (f);
    }
    if (world.free > world.now) {
      world.queue_sum += (gdouble) (world.free - world.now);
      world.queue_max = MAX (world.queue_max, (gdouble) (world.free - world.now));
    }
    world.samples++;
  }
}

static void
count_anew (void)
{
  world.queue_sum = world.queue_max = 0;
  world.samples = 0;
  for (guint i = 0; i < world.n; i++)
    world.flows[i].sent = world.flows[i].lost = 0;
}

static gdouble
rate (guint flow)
{
  return (gdouble) world.flows[flow].sent * SIZE * 8e3 / (gdouble) world.samples;
}

static gdouble
mean_queue (void)
{
  return world.queue_sum / (gdouble) world.samples / 1e6;
}

/* x = 10 ms * 1.5 / 1.0, of which a packet's own 9.6 ms on the link is no part: the least delay
 * has them, too.  A packet is on the link half of the time that it takes there. */
static void
settles_at_its_signal (void)
{
  begin (1e6);
  add (150000, 1500000, 1);
  run (60);
  count_anew ();
  run (30);
  g_assert_cmpfloat (rate (0), >=, 0.97e6);
  g_assert_cmpfloat (rate (0), <=, 1.01e6);
  g_assert_cmpfloat (mean_queue (), >=, 12);
  g_assert_cmpfloat (mean_queue (), <=, 25);
  g_assert_cmpuint (world.flows[0].lost, ==, 0);
}

/* (3), (4): 15.6 % a step at RTT 100 ms.  What is sent is told of 100 to 200 ms later, and is in
 * r_recv after 500: a step takes 100 to 700 ms, and six times the rate 13 of them. */
static void
ramps_up_in_time (void)
{
  begin (4e6);
  add (150000, 1500000, 1);
  run (2);
  g_assert_cmpuint (world.flows[0].nada.target_bps, <, 900000);
  run (8);
  g_assert_cmpuint (world.flows[0].nada.target_bps, >=, 900000);
  g_assert_cmpfloat (world.queue_max, <=, 50e6);        /* QBOUND */
}

/* r_ref goes with PRIO, as both see the same signal. */
static void
shares_by_priority (void)
{
  for (guint priority = 1; priority <= 2; priority++) {
    begin (1.6e6);
    add (150000, 1500000, priority);
    add (800000, 1500000, 1);
    run (120);
    count_anew ();
    run (30);
    g_assert_cmpfloat (rate (0) / rate (1), >=, 0.85 * priority);
    g_assert_cmpfloat (rate (0) / rate (1), <=, 1.15 * priority);
    g_assert_cmpfloat (rate (0) + rate (1), >=, 0.97 * 1.6e6);
    g_assert_cmpuint (world.flows[0].lost + world.flows[1].lost, ==, 0);
  }
}

/* 3 % are 10 ms * 9, which RMAX of 60 Mbit/s meets at 6.67 Mbit/s; that is 347 packets in 500 ms,
 * of which some are always lost, so that there is no ramp-up.  A ratio that varies weighs a
 * little more, as it is squared. */
static void
pays_for_random_loss (void)
{
  begin (100e6);
  add (1000000, 60000000, 1);
  world.loss = 0.03;
  run (60);
  count_anew ();
  run (60);
  g_assert_cmpfloat (rate (0), >=, 0.8 * 6.67e6);
  g_assert_cmpfloat (rate (0), <=, 1.1 * 6.67e6);
}

/* 600 kbit/s: 25 ms.  Ten seconds after the fall nothing is lost and the queue is no longer
 * that of the fall. */
static void
gets_over_a_fall (void)
{
  begin (2.5e6);
  add (150000, 1500000, 1);
  run (40);
  world.capacity = 0.6e6;
  run (15);
  count_anew ();
  run (30);
  g_assert_cmpuint (world.flows[0].lost, ==, 0);
  g_assert_cmpfloat (mean_queue (), <=, 50);
  g_assert_cmpfloat (rate (0), >=, 0.9 * 0.6e6);
  world.capacity = 2.5e6;
  run (20);
  g_assert_cmpuint (world.flows[0].nada.target_bps, ==, 1500000);
}

/* 3 % marked are 2 ms * 9, which RMAX of 30 Mbit/s meets at 16.7 Mbit/s; the queue is empty. */
static void
pays_for_marks (void)
{
  begin (100e6);
  add (1000000, 30000000, 1);
  world.marks = 0.03;
  run (60);
  count_anew ();
  run (60);
  g_assert_cmpfloat (rate (0), >=, 0.9 * 16.7e6);
  g_assert_cmpfloat (rate (0), <=, 1.05 * 16.7e6);
  g_assert_cmpuint (world.flows[0].lost, ==, 0);
}

/* The receiver's clock is set by an hour, to and fro: a stray base delay would be an hour of
 * queue.  The rate is where it would be otherwise. */
static void
survives_a_clock_that_is_set (void)
{
  begin (4e6);
  add (1000000, 1500000, 1);
  run (20);
  for (guint i = 0; i < 4; i++) {
    world.clock = i % 2 ? 0 : 3600 * S;
    run (20);
    g_assert_cmpuint (world.flows[0].nada.target_bps, ==, 1500000);
    g_assert_cmpuint (world.flows[0].nada.d_queue, <=, 10 * MS);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/nada/loop/settles-at-its-signal", settles_at_its_signal);
  g_test_add_func ("/core/nada/loop/ramps-up-in-time", ramps_up_in_time);
  g_test_add_func ("/core/nada/loop/shares-by-priority", shares_by_priority);
  g_test_add_func ("/core/nada/loop/pays-for-random-loss", pays_for_random_loss);
  g_test_add_func ("/core/nada/loop/gets-over-a-fall", gets_over_a_fall);
  g_test_add_func ("/core/nada/loop/pays-for-marks", pays_for_marks);
  g_test_add_func ("/core/nada/loop/survives-a-clock-that-is-set", survives_a_clock_that_is_set);
  return g_test_run ();
}
