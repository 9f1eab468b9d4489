/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The whole core by its hooks, and over a link in virtual time.
 */
#include "core/scream/scream.h"

#include <glib.h>

#define MS RCC_MSEC
#define SIZE 1000

static const RccConfig limits = { 100000, 300000, 2000000 };
static RccScream s;

static void
begin (void)
{
  const RccScreamConfig config = rcc_scream_config ();

  rcc_scream_init (&s, &config, &limits);
}

static void
send (gint64 seq, RccTime now)
{
  const RccPacket packet = { .seq = seq, .size = SIZE, .ssrc = 1, .timestamp = (guint32) seq,
    .sent = now };

  rcc_tell (&s.sender, on_sent, &packet);
}

static RccUpdate
hear (gint64 seq, RccTime sent, RccTime arrived, guint flags, RccTime now)
{
  const RccPacket packet = { .seq = seq, .size = SIZE, .ssrc = 1, .sent = sent,
    .arrived = arrived, .flags = flags };

  return rcc_tell (&s.sender, on_feedback, &packet, 1, now);
}

static guint64
allowance (RccTime now)
{
  return s.sender.ops->allowance (&s.sender, now);
}

/* 4.3.1: three windows of 3000 less what is in flight. */
static void
the_window_lets_so_many_bytes_leave (void)
{
  begin ();
  g_assert_cmpuint (allowance (0), ==, UINT64_MAX);
  send (0, 0);
  g_assert_cmpuint (allowance (0), ==, 8000);
  for (gint i = 1; i < 9; i++)
    send (i, i * MS);
  g_assert_cmpuint (allowance (9 * MS), ==, 0);
  /* the first round trip, 100 ms: 300 kbit/s are worth 5.1 MSS then, and the 5000 bytes that
   * came make it 6.2; small windows are worth up to a tenth less */
  hear (4, 4 * MS, RCC_SEC, 0, 104 * MS);
  g_assert_cmpuint (s.rtt, ==, 100 * MS);
  g_assert_cmpuint (s.target_bps, >=, 300000);
  g_assert_cmpuint (s.target_bps, <=, 300000 * 6.2 / 5.1 / 0.9);
  g_assert_cmpuint (s.in_flight, ==, 4000);
  g_assert_cmpuint (s.window_bytes, ==, (guint32) s.window.bytes);
  g_assert_cmpuint (s.window_bytes, >=, 6000);
  g_assert_cmpuint (allowance (104 * MS), ==, (guint64) (3.0 * s.window.bytes - 4000));
}

/* 4.5.3: of the last round trip, 1000 bytes each 10 ms. */
static void
what_arrives_is_measured_by_round_trips (void)
{
  begin ();
  for (gint i = 0; i < 60; i++) {
    send (i, i * 10 * MS);
    if (i >= 10)
      hear (i - 10, (i - 10) * 10 * MS, RCC_SEC + i * 10 * MS, 0, i * 10 * MS);
  }
  g_assert_cmpuint (s.rtt, ==, 100 * MS);
  g_assert_cmpfloat_with_epsilon (s.acked_bps, 800000, 1);
}

/* RFC 6298: 1 s, then 2 s, while the smallest window is all that may leave; feedback ends it. */
static void
silence_does_not_lock_up (void)
{
  double before;

  begin ();
  g_assert_cmpuint (rcc_deadline (&s.sender), ==, RCC_NEVER);
  for (gint i = 0; i < 40; i++)
    send (i, i * MS);
  hear (0, 0, RCC_SEC, 0, 100 * MS);
  before = s.window.bytes;
  g_assert_cmpuint (allowance (100 * MS), ==, 0);
  g_assert_cmpuint (rcc_deadline (&s.sender), ==, 1100 * MS);
  rcc_tell (&s.sender, on_deadline, 1100 * MS);
  g_assert_cmpstr (s.window.state, ==, "silence");
  g_assert_cmpfloat_with_epsilon (s.window.bytes, 0.7 * before, 1);
  g_assert_cmpuint (allowance (1100 * MS), ==, UINT64_MAX);
  send (40, 1100 * MS);
  g_assert_cmpuint (allowance (1100 * MS), ==, 2000);
  g_assert_cmpuint (rcc_deadline (&s.sender), ==, 3100 * MS);
  rcc_tell (&s.sender, on_deadline, 3000 * MS);
  g_assert_cmpuint (s.timeouts, ==, 1);
  hear (40, 1100 * MS, 2 * RCC_SEC, 0, 1200 * MS);
  g_assert_cmpuint (s.backoffs, ==, 0);
  g_assert_cmpuint (rcc_deadline (&s.sender), ==, RCC_NEVER);
}

/* RFC 6298 2.2 and 2.3 by hand: after 400 ms SRTT is 400 and RTTVAR 200; after 800 ms they are
 * 450 and 250. */
static void
the_timeout_is_of_rfc_6298 (void)
{
  begin ();
  send (0, 0);
  hear (0, 0, RCC_SEC, 0, 400 * MS);
  send (1, RCC_SEC);
  g_assert_cmpuint (rcc_deadline (&s.sender), ==, RCC_SEC + (400 + 4 * 200) * MS);
  hear (1, RCC_SEC, 2 * RCC_SEC, 0, 1800 * MS);
  g_assert_cmpuint (s.rtt, ==, 450 * MS);
  send (2, 2 * RCC_SEC);
  g_assert_cmpuint (rcc_deadline (&s.sender), ==, 2 * RCC_SEC + (450 + 4 * 250) * MS);
  send (3, 2100 * MS);                  /* RFC 6298 5.1: it runs already */
  g_assert_cmpuint (rcc_deadline (&s.sender), ==, 2 * RCC_SEC + (450 + 4 * 250) * MS);
}

static void
losses_alone_do_not_end_a_silence (void)
{
  begin ();
  send (0, 0);
  rcc_tell (&s.sender, on_deadline, RCC_SEC);
  hear (0, 0, RCC_NEVER, 0, 1100 * MS);
  g_assert_cmpuint (s.backoffs, ==, 1);
  g_assert_cmpuint (s.lost, ==, 1);
}

/* 4.2.2: what came with a mark lets no window grow. */
static void
what_came_marked_counts_apart (void)
{
  begin ();
  for (gint i = 0; i < 9; i++)
    send (i, i * MS);
  hear (0, 0, RCC_SEC, 0, 100 * MS);
  hear (1, MS, RCC_SEC + MS, 0, 110 * MS);
  g_assert_cmpfloat (s.window.acked_ce, ==, 0);
  hear (2, 2 * MS, RCC_SEC + 2 * MS, RCC_PACKET_CE, 112 * MS);
  g_assert_cmpfloat (s.window.acked_ce, ==, SIZE);
  g_assert_cmpfloat (s.window.acked, ==, 2 * SIZE);
}

static void
the_queue_is_told_in_ns (void)
{
  begin ();
  send (0, 0);
  send (1, MS);
  hear (0, 0, RCC_SEC, 0, 100 * MS);
  g_assert_cmpuint (s.qdelay, ==, 0);
  hear (1, MS, RCC_SEC + 31 * MS, 0, 131 * MS);
  g_assert_cmpuint (s.qdelay, >=, 30 * MS - 1);
  g_assert_cmpuint (s.qdelay, <=, 30 * MS + 1);
}

static void
marks_and_losses_are_told_apart (void)
{
  RccTime rtt;

  begin ();
  for (gint i = 0; i < 9; i++)
    send (i, i * MS);
  hear (0, 0, RCC_SEC, 0, 100 * MS);
  hear (1, MS, RCC_SEC + MS, RCC_PACKET_CE, 200 * MS);
  g_assert_cmpuint (s.ce, ==, 1);
  g_assert_cmpuint (s.window.marks, ==, 1);
  hear (2, 2 * MS, RCC_NEVER, 0, 300 * MS);
  g_assert_cmpuint (s.lost, ==, 1);
  g_assert_cmpuint (s.window.losses, ==, 1);
  /* received, nobody says when: no loss, and no sample of the round trip */
  rtt = s.rtt;
  hear (3, 3 * MS, RCC_NEVER, RCC_PACKET_RECEIVED, 900 * MS);
  g_assert_cmpuint (s.lost, ==, 1);
  g_assert_cmpuint (s.delay.resets, ==, 0);
  g_assert_cmpuint (s.rtt, ==, rtt);
  g_assert_cmpuint (s.in_flight, ==, 5000);
}

static void
limits_and_receivers_cap_it (void)
{
  const RccConfig lower = { 50000, 100000, 150000 };
  RccUpdate u;

  begin ();
  u = rcc_tell (&s.sender, on_remb, 200000, 0);
  g_assert_cmpuint (u.changed, ==, RCC_TARGET | RCC_PACING);
  g_assert_cmpuint (u.target_bps, ==, 200000);
  u = rcc_tell (&s.sender, on_remb, 200000, 0);
  g_assert_cmpuint (u.changed, ==, 0);
  u = rcc_tell (&s.sender, on_config, &lower, 0);
  g_assert_cmpuint (u.target_bps, ==, 150000);
  g_assert_cmpuint (u.pacing_bps, >=, 150000);
  u = rcc_tell (&s.sender, on_remb, 10, 0);
  g_assert_cmpuint (u.target_bps, ==, 50000);
}

/* Of packets from the future, of none, and again and again. */
static void
absurd_feedback_changes_nothing (void)
{
  begin ();
  send (0, RCC_SEC);
  rcc_tell (&s.sender, on_feedback, NULL, 0, RCC_SEC);
  hear (7, 9 * RCC_SEC, RCC_SEC, 0, 1100 * MS);
  hear (7, 9 * RCC_SEC, RCC_NEVER, 0, 1100 * MS);
  g_assert_cmpuint (s.feedbacks, ==, 0);
  g_assert_cmpuint (s.lost, ==, 0);
  for (gint i = 0; i < 5; i++)
    hear (0, RCC_SEC, 50 * RCC_SEC, 0, 1100 * MS);
  g_assert_cmpuint (s.in_flight, ==, 0);
  hear (-5, 0, 50 * RCC_SEC, 0, 1100 * MS);     /* older than all that left */
  g_assert_cmpuint (s.in_flight, ==, 0);
  g_assert_cmpuint (s.rtt, <=, 225 * MS);       /* 1/8 of 1.1 s and 7/8 of 100 ms */
}

/* --- a link in virtual time ----------------------------------------------- */

#define TICK MS
#define ONE_WAY (25 * MS)
#define PACKETS 100000

typedef struct {                        /* as it left the sender */
  RccTime sent, arrives;
  gboolean lost, ce;
} Flying;

typedef struct {
  double capacity;                      /* bit/s */
  RccTime mark_above;                   /* queue; RCC_NEVER: no marks */
  RccTime queue_most;
  RccTime deaf_from, deaf_to;           /* feedback is lost */
  gdouble skew;                         /* of the receiver's clock */
  Flying *flying;
  guint n, told;
  RccTime free_at;                      /* the link */
  double waiting, credit;               /* bytes in the sender's queue; for the pacer */
  double sent;                          /* bytes */
  double queue;                         /* the longest, s */
} Link;

static void
leave (Link *l, RccTime now)
{
  Flying *f = &l->flying[l->n];
  const RccTime start = MAX (l->free_at, now);

  g_assert_cmpuint (l->n, <, PACKETS);
  *f = (Flying) { .sent = now, .lost = start - now > l->queue_most,
    .ce = start - now > l->mark_above };
  if (!f->lost) {
    l->free_at = start + (RccTime) (8e9 * SIZE / l->capacity);
    f->arrives = l->free_at + ONE_WAY;
    l->queue = MAX (l->queue, 1e-9 * (start - now));
  }
  send (l->n++, now);
  l->waiting -= SIZE;
  l->credit -= SIZE;
  l->sent += SIZE;
}

/* What has arrived by half a round trip ago is told in one message, each 30 ms. */
static void
report (Link *l, RccTime now)
{
  RccPacket packets[2000];
  guint n = 0;

  for (guint i = l->told; i < l->n && n < G_N_ELEMENTS (packets); i++) {
    const Flying *f = &l->flying[i];

    if (!f->lost && f->arrives + ONE_WAY > now)
      break;
    packets[n++] = (RccPacket) { .seq = i, .size = SIZE, .ssrc = 1, .sent = f->sent,
      .arrived = f->lost ? RCC_NEVER : RCC_SEC + (RccTime) (f->arrives * l->skew),
      .flags = f->ce ? RCC_PACKET_CE : 0 };
  }
  while (n > 0 && packets[n - 1].arrived == RCC_NEVER)
    n--;                                /* nothing came after: not known to be missing */
  l->told += n;
  if (n > 0 && (now < l->deaf_from || now >= l->deaf_to))
    rcc_tell (&s.sender, on_feedback, packets, n, now);
}

/* Frames of 30 ms at the target; what the encoder cannot keep within 300 ms it skips. */
static void
run (Link *l, RccTime from, RccTime to)
{
  l->queue = l->sent = 0;
  for (RccTime now = from; now < to; now += TICK) {
    if (now % (30 * MS) == 0 && l->waiting < s.target_bps / 8.0 * 0.3)
      l->waiting += s.target_bps / 8.0 * 0.03;
    l->credit = MIN (l->credit + s.pacing_bps / 8.0 * 1e-9 * TICK, SIZE);
    while (l->waiting >= SIZE && l->credit >= SIZE && allowance (now) >= SIZE)
      leave (l, now);
    if (now % (30 * MS) == 15 * MS)
      report (l, now);
    if (now >= rcc_deadline (&s.sender))
      rcc_tell (&s.sender, on_deadline, now);
  }
}

static Link *
link_new (double capacity)
{
  Link *l = g_new0 (Link, 1);

  *l = (Link) { .capacity = capacity, .mark_above = RCC_NEVER, .queue_most = 300 * MS,
    .skew = 1.0, .deaf_from = RCC_NEVER, .deaf_to = RCC_NEVER, .flying = g_new0 (Flying, PACKETS) };
  return l;
}

static void
link_free (Link *l)
{
  g_free (l->flying);
  g_free (l);
}

/* 8 s at 1 Mbit/s and then a quarter of it.  The window shrinks from 30 ms of queue on and halves
 * within about 4 steps of 25 ms over 60 ms of it: half of QDELAY_TARGET_LO and what a feedback
 * interval and the encoder add is the order of the queue, and 5 s are a hundred round trips. */
static void
it_follows_the_capacity (void)
{
  Link *l = link_new (1e6);

  begin ();
  run (l, 0, 12 * RCC_SEC);
  run (l, 12 * RCC_SEC, 20 * RCC_SEC);
  g_assert_cmpfloat (l->sent, >=, 0.6 * 1e6);   /* of 8 s */
  g_assert_cmpfloat (l->sent, <=, 1.02 * 1e6);
  g_assert_cmpfloat (l->queue, <=, 0.120);
  g_assert_cmpuint (s.lost, ==, 0);
  l->capacity = 250000;
  run (l, 20 * RCC_SEC, 25 * RCC_SEC);
  run (l, 25 * RCC_SEC, 33 * RCC_SEC);
  g_assert_cmpfloat (l->sent, >=, 0.5 * 250000);
  g_assert_cmpfloat (l->queue, <=, 0.180);      /* 32 ms a packet */
  link_free (l);
}

/* A queue of 20 ms is never as long as what shrinks the window: losses do. */
static void
a_short_queue_loses_little (void)
{
  Link *l = link_new (1e6);

  begin ();
  l->queue_most = 20 * MS;
  run (l, 0, 20 * RCC_SEC);
  g_assert_cmpuint (s.window.losses, >, 0);
  run (l, 20 * RCC_SEC, 60 * RCC_SEC);
  g_assert_cmpfloat (l->sent, >=, 0.5 * 40 / 8 * 1e6);
  g_assert_cmpfloat ((double) s.lost, <=, 0.05 * l->n);
  link_free (l);
}

/* L4S marks above 5 ms: they hold the queue below where the delay would, and nothing is lost. */
static void
marks_hold_the_queue_down (void)
{
  Link *l = link_new (2e6);

  begin ();
  s.config.l4s = true;
  s.config.clock_drift = false;
  s.limits.max_bps = 5000000;
  l->mark_above = 5 * MS;
  run (l, 0, 20 * RCC_SEC);
  run (l, 20 * RCC_SEC, 30 * RCC_SEC);
  g_assert_cmpuint (s.window.marks, >, 0);
  g_assert_cmpuint (s.lost, ==, 0);
  g_assert_cmpfloat (l->queue, <=, 0.030);
  g_assert_cmpfloat (l->sent, >=, 0.3 * 10 / 8 * 2e6);
  link_free (l);
}

/* Without feedback for 5 s: the window and then 3000 bytes for each timeout are all that leaves
 * (1 s, 2 s, 4 s: two of them), and 5 s after it is back so is half of the rate. */
static void
it_stops_without_feedback_and_comes_back (void)
{
  Link *l = link_new (1e6);
  double before, window;

  begin ();
  run (l, 0, 20 * RCC_SEC);
  before = s.target_bps;
  window = 3.0 * s.window.bytes;
  l->deaf_from = 20 * RCC_SEC;
  l->deaf_to = 25 * RCC_SEC;
  run (l, 20 * RCC_SEC, 25 * RCC_SEC);
  g_assert_cmpuint (s.timeouts, ==, 2);
  g_assert_cmpfloat (l->sent, <=, window + 2 * (3000 + SIZE));
  run (l, 25 * RCC_SEC, 30 * RCC_SEC);
  g_assert_cmpfloat (s.target_bps, >=, 0.5 * before);
  link_free (l);
}

/* 200 ppm for two minutes are 24 ms, less than the 30 ms from which the window shrinks.  The
 * other way the base falls with the clock. */
static void
clocks_may_differ (void)
{
  for (gint sign = -1; sign <= 1; sign += 2) {
    Link *l = link_new (1e6);

    begin ();
    l->skew = 1.0 + sign * 200e-6;
    run (l, 0, 110 * RCC_SEC);
    run (l, 110 * RCC_SEC, 120 * RCC_SEC);
    g_assert_cmpfloat (l->sent, >=, 0.5 * 10 / 8 * 1e6);
    g_assert_cmpfloat (l->queue, <=, 0.150);
    link_free (l);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/scream/arrives", what_arrives_is_measured_by_round_trips);
  g_test_add_func ("/core/scream/window-lets-leave", the_window_lets_so_many_bytes_leave);
  g_test_add_func ("/core/scream/silence", silence_does_not_lock_up);
  g_test_add_func ("/core/scream/timeout", the_timeout_is_of_rfc_6298);
  g_test_add_func ("/core/scream/losses-alone", losses_alone_do_not_end_a_silence);
  g_test_add_func ("/core/scream/marked-apart", what_came_marked_counts_apart);
  g_test_add_func ("/core/scream/queue", the_queue_is_told_in_ns);
  g_test_add_func ("/core/scream/told-apart", marks_and_losses_are_told_apart);
  g_test_add_func ("/core/scream/limits", limits_and_receivers_cap_it);
  g_test_add_func ("/core/scream/absurd", absurd_feedback_changes_nothing);
  g_test_add_func ("/core/scream/follows", it_follows_the_capacity);
  g_test_add_func ("/core/scream/short-queue", a_short_queue_loses_little);
  g_test_add_func ("/core/scream/l4s", marks_hold_the_queue_down);
  g_test_add_func ("/core/scream/deaf", it_stops_without_feedback_and_comes_back);
  g_test_add_func ("/core/scream/clocks", clocks_may_differ);
  return g_test_run ();
}
