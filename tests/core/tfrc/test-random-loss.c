/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Random arrivals: loss events and their rate held against RFC 5348 5.1 to 5.5, worked out from all
 * that ever arrived, with what tfrc/loss.c says it departs by.
 */
#include <math.h>
#include <glib.h>
#include "core/tcpeq.h"
#include "core/tfrc/loss.h"
#include "../../random.h"

#define LIVES 300
#define STEPS 400

typedef struct {
  gint64 seq;
  RccTime at;
} Point;

typedef struct {
  gint64 seq;
  Point before, after;                  /* of the hole below it */
} Arrival;

typedef struct {
  GArray *closed, *discounts;           /* I_1 .. I_k, DF_1 .. DF_k, the newest first */
  Point start;
  gboolean alone;
} Events;

static RccTfrcLoss l;
static RccTfrcPath path;
static gboolean discounting;
static GArray *arrivals;                /* highest first */
static Events now, undo;
static Point last;
static gint64 judged;
static guint64 events, lost, marked, late;

static Arrival *
nth (guint i)
{
  return &g_array_index (arrivals, Arrival, i);
}

static gdouble
value (const GArray *a, guint i)
{
  return g_array_index (a, gdouble, i);
}

static void
copy (Events *to, const Events *from)
{
  g_array_set_size (to->closed, 0);
  g_array_set_size (to->discounts, 0);
  g_array_append_vals (to->closed, from->closed->data, from->closed->len);
  g_array_append_vals (to->discounts, from->discounts->data, from->discounts->len);
  to->start = from->start;
  to->alone = from->alone;
}

/* 5.4, n = 8: 1, 1, 1, 1, 0.8, 0.6, 0.4, 0.2 */
static gdouble
weight (guint i)
{
  static const gdouble w[] = { 1, 1, 1, 1, 0.8, 0.6, 0.4, 0.2 };

  return w[i];
}

/* I_0 */
static gdouble
open_interval (void)
{
  return now.closed->len == 0 ? 0 : MAX (nth (0)->seq - now.start.seq + 1, 1);
}

/* 5.5 */
static gdouble
general_discount (void)
{
  gdouble total = 0, weights = 0, mean;

  if (!discounting)
    return 1;
  for (guint i = 0; i < now.closed->len; i++) {
    weights += weight (i) * value (now.discounts, i);
    total += weight (i) * value (now.discounts, i) * value (now.closed, i);
  }
  mean = total / weights;
  return open_interval () > 2 * mean ? MAX (2 * mean / open_interval (), 0.25) : 1;
}

/* The larger of the means with and without the open interval */
static gdouble
rate (void)
{
  gdouble with = open_interval (), with_weights = 1, without = 0, without_weights = 0;
  const guint k = now.closed->len;

  if (k == 0)
    return 0;
  for (guint i = 0; i < k; i++) {
    const gdouble d = value (now.discounts, i), interval = value (now.closed, i);

    without += weight (i) * d * interval;
    without_weights += weight (i) * d;
    if (i + 1 < k) {
      with += weight (i + 1) * d * general_discount () * interval;
      with_weights += weight (i + 1) * d * general_discount ();
    }
  }
  return MIN (1, 1 / MAX (with / with_weights, without / without_weights));
}

static void
prepend (GArray *a, gdouble x)
{
  g_array_prepend_val (a, x);
  g_array_set_size (a, MIN (a->len, 8));
}

static void
begin_event (Point start)
{
  copy (&undo, &now);
  events++;
  if (now.closed->len == 0) {           /* 6.3.1 */
    const RccTcpPath tcp = { .packet_size = path.packet_size, .rtt = path.rtt };
    gdouble interval = 1;

    if (path.rtt > 0)
      interval = 1 / CLAMP (rcc_tcp_loss (RCC_TCP_PADHYE, &tcp,
              MAX (path.target, 0.5 * path.packet_size / (1e-9 * (gdouble) path.rtt))), 1e-9, 1);
    prepend (now.closed, interval);
  } else {
    const gdouble d = general_discount ();

    for (guint i = 0; i < now.discounts->len; i++)
      g_array_index (now.discounts, gdouble, i) *= d;
    prepend (now.closed, (gdouble) (start.seq - now.start.seq));
  }
  prepend (now.discounts, 1);
  now.start = start;
}

/* Within R of the first of an event it is part of it. */
static gboolean
congested (Point p, gboolean mark)
{
  const gboolean begins = now.closed->len == 0 || (p.seq > now.start.seq
      && (p.at > now.start.at + MIN (path.rtt, 64 * RCC_SEC)
          || p.at + RCC_SEC < now.start.at));

  if (begins)
    begin_event (p);
  now.alone = begins && !mark;
  return begins;
}

/* 5.2: T_loss, between the arrivals on either side in time */
static RccTime
lost_at (const Arrival *a, gint64 seq)
{
  const gdouble part = (gdouble) (seq - a->before.seq) / (gdouble) (a->after.seq - a->before.seq);

  if (a->after.at <= a->before.at)
    return a->after.at;
  return a->before.at + (RccTime) (part * (gdouble) (a->after.at - a->before.at) + 0.5);
}

/* What is missing just below arrival number @i from above, and not judged yet */
static gboolean
give_up (guint i)
{
  gboolean began = FALSE;

  for (gint64 seq = MAX (nth (i + 1)->seq, judged) + 1; seq < nth (i)->seq; seq++) {
    lost++;
    began |= congested ((Point) { seq, lost_at (nth (i), seq) }, FALSE);
  }
  judged = MAX (judged, nth (i)->seq);
  return began;
}

static gboolean
late_arrival (gint64 seq)
{
  late++;
  if (!now.alone || seq != now.start.seq)
    return FALSE;
  copy (&now, &undo);
  now.alone = FALSE;
  events--;
  return TRUE;
}

static gboolean
model_packet (gint64 seq, RccTime at, gboolean mark)
{
  const Point here = { seq, at };
  const guint n = arrivals->len, window = MIN (n, 3);
  Arrival a = { seq, last, here };
  gboolean changed = FALSE;
  guint i = 0;

  if (n == 0 || ABS (seq - nth (0)->seq) > 65536) {
    if (n > 0)
      now.start.seq += seq - nth (0)->seq;
    now.alone = FALSE;
    judged = seq;
    g_array_set_size (arrivals, 0);
    g_array_append_val (arrivals, a);
  } else if (seq < nth (window - 1)->seq) {
    changed = late_arrival (seq);
  } else {
    while (i < n && nth (i)->seq > seq)
      i++;
    if (i < n && nth (i)->seq == seq)
      return FALSE;
    if (i > 0) {                        /* in the hole below another */
      a.before = nth (i - 1)->before;
      a.after = nth (i - 1)->after;
    }
    g_array_insert_val (arrivals, i, a);
    if (n >= 3)                         /* 5.1: three higher ones are there */
      changed = give_up (2);
  }
  last = here;
  if (mark) {
    gboolean began = FALSE;

    marked++;
    for (guint k = MIN (arrivals->len, 3); k-- > 1;)
      if (nth (k - 1)->seq <= seq)
        began |= give_up (k - 1);
    began |= congested (here, TRUE);
    changed |= began;
  }
  return changed;
}

static void
same (void)
{
  g_assert_cmpuint (l.events, ==, events);
  g_assert_cmpuint (l.lost, ==, lost);
  g_assert_cmpuint (l.marked, ==, marked);
  g_assert_cmpuint (l.late, ==, late);
  g_assert_cmpfloat_with_epsilon (rcc_tfrc_loss_open (&l), open_interval (), 1e-9);
  g_assert_cmpfloat_with_epsilon (rcc_tfrc_loss_rate (&l), rate (), 1e-12 + 1e-9 * rate ());
  if (now.closed->len > 0) {
    g_assert_cmpint (l.now.start.seq, ==, now.start.seq);
    g_assert_cmpuint (l.now.start.at, ==, now.start.at);
  }
}

static void
begin (void)
{
  discounting = chance (0.5);
  g_array_set_size (arrivals, 0);
  g_array_set_size (now.closed, 0);
  g_array_set_size (now.discounts, 0);
  copy (&undo, &now);
  now.start = last = (Point) { 0, 0 };
  now.alone = FALSE;
  judged = 0;
  events = lost = marked = late = 0;
  path = (RccTfrcPath) { .rtt = chance (0.2) ? 0 : (1 + below (300)) * RCC_MSEC,
    .target = below (1000000), .packet_size = 100 + below (1300) };
  memset (&l, 0xa5, sizeof l);
  rcc_tfrc_loss_init (&l, discounting);
}

/* Some in a row at one time: told at once, they are as told one by one. */
static gint64
row (gint64 seq, RccTime at)
{
  const guint n = below (40);
  gboolean changed = FALSE;

  for (guint i = 0; i < n; i++)
    changed |= model_packet (seq + i, at, FALSE);
  g_assert_cmpint (rcc_tfrc_loss_run (&l, seq, n, at, &path), ==, changed);
  same ();
  return seq + n;
}

static void
live (void)
{
  const gdouble marks = chance (0.7) ? 0 : 0.02;
  gint64 seq = 1 + below (70000), held[4] = { 0 };
  RccTime at = RCC_SEC;
  gdouble bad = 0.05;

  begin ();
  for (guint i = 0; i < STEPS; i++) {
    gint64 comes = seq++;
    const gboolean mark = chance (marks);

    at += below (20) * RCC_MSEC;
    if (chance (bad)) {                 /* lost, or much later */
      held[below (4)] = comes;
      continue;
    }
    if (chance (0.05)) {                /* a little later */
      const gint64 other = comes;

      comes = seq++;
      g_assert_cmpint (rcc_tfrc_loss_packet (&l, comes, at, false, &path), ==,
          model_packet (comes, at, FALSE));
      same ();
      at += below (3) * RCC_MSEC;
      if (chance (0.5))
        continue;
      comes = other;
    } else if (chance (0.03)) {
      comes = held[below (4)];
      if (comes == 0)
        continue;
    } else if (chance (0.01)) {
      comes -= 1 + below (3);           /* a copy */
    }
    g_assert_cmpint (rcc_tfrc_loss_packet (&l, comes, at, mark, &path), ==,
        model_packet (comes, at, mark));
    same ();
    if (chance (0.02))
      bad = chance (0.3) ? 0 : 0.4 * rcc_rng_uniform (&rng);
    if (chance (0.05))
      seq = row (seq, at);
    if (chance (0.01))
      seq += below (200);
    if (chance (0.003))
      seq += 60000 + below (10000);
    if (chance (0.01))
      at += below (3000) * RCC_MSEC;
    if (chance (0.005)) {
      const RccTime back = below (3000) * RCC_MSEC;

      at -= MIN (at, back);
    }
    if (chance (0.02))
      path.rtt = below (200) * RCC_MSEC;
  }
}

static void
loss_events_are_those_of_the_rfc (void)
{
  arrivals = g_array_new (FALSE, FALSE, sizeof (Arrival));
  now.closed = g_array_new (FALSE, FALSE, sizeof (gdouble));
  now.discounts = g_array_new (FALSE, FALSE, sizeof (gdouble));
  undo.closed = g_array_new (FALSE, FALSE, sizeof (gdouble));
  undo.discounts = g_array_new (FALSE, FALSE, sizeof (gdouble));
  for (guint i = 0; i < LIVES; i++) {
    rcc_rng_init (&rng, 51, i);
    live ();
  }
  g_array_unref (arrivals);
  g_array_unref (now.closed);
  g_array_unref (now.discounts);
  g_array_unref (undo.closed);
  g_array_unref (undo.discounts);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tfrc-random-loss/loss-events-are-those-of-the-rfc",
      loss_events_are_those_of_the_rfc);
  return g_test_run ();
}
