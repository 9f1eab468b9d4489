/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * RFC 5348 section 5.  A packet is given up when NDUPACK higher ones have arrived: what
 * is missing below the third-highest arrival.  Those three are all the history that
 * detection needs, however packets are reordered.
 *
 * Departs from it: a late packet takes back the newest event only, and only one that it made
 * alone (5.1 allows any recalculation). A clock that jumps back by more than a second begins a
 * new event. Else all losses would be merged into the old one.
 */
#include "core/tfrc/loss.h"

#include "core/tcpeq.h"

#define N RCC_TFRC_INTERVALS
#define DF_LEAST 0.25                   /* THRESHOLD, 5.5 */
#define SEQ_MAX (INT64_MAX / 4)
#define RTT_MAX (64 * RCC_SEC)
#define BACKWARDS_MAX RCC_SEC

/* w_(i), i = 0..n-1 (5.4) */
static double
weight (unsigned i)
{
  return i < N / 2 ? 1.0 : 2.0 * (N - i) / (N + 2.0);
}

void
rcc_tfrc_loss_init (RccTfrcLoss *l, bool discounting)
{
  *l = (RccTfrcLoss) { .discounting = discounting };
}

double
rcc_tfrc_loss_open (const RccTfrcLoss *l)
{
  return l->now.n ? RCC_MAX ((double) (l->top[0].seq - l->now.start.seq) + 1.0, 1.0) : 0.0;
}

/* The general discount factor DF (5.5): the closed intervals count for less when the
 * open one is more than twice their mean. */
static double
discount (const RccTfrcLoss *l)
{
  const RccTfrcEvents *e = &l->now;
  double total = 0.0, weights = 0.0, mean;

  if (!l->discounting)
    return 1.0;
  for (unsigned i = 1; i <= e->n; i++) {
    weights += weight (i - 1) * e->df[i];
    total += e->interval[i] * weight (i - 1) * e->df[i];
  }
  mean = total / weights;
  if (rcc_tfrc_loss_open (l) <= 2.0 * mean)
    return 1.0;
  return RCC_MAX (2.0 * mean / rcc_tfrc_loss_open (l), DF_LEAST);
}

/* 5.5's form, which is 5.4's while every DF is 1. */
double
rcc_tfrc_loss_rate (const RccTfrcLoss *l)
{
  const RccTfrcEvents *e = &l->now;
  double total0 = rcc_tfrc_loss_open (l) * weight (0), weights0 = weight (0);
  double total1 = 0.0, weights1 = 0.0, df;

  if (e->n == 0)
    return 0.0;
  df = discount (l);
  for (unsigned i = 1; i < e->n; i++) {
    total0 += e->interval[i] * weight (i) * e->df[i] * df;
    weights0 += weight (i) * e->df[i] * df;
  }
  for (unsigned i = 1; i <= e->n; i++) {
    total1 += e->interval[i] * weight (i - 1) * e->df[i];
    weights1 += weight (i - 1) * e->df[i];
  }
  return RCC_MIN (RCC_MIN (weights0 / total0, weights1 / total1), 1.0);
}

/* 6.3.1: the interval at which the equation gives the rate that was received, but not
 * less than half a packet per R. */
static double
first_interval (const RccTfrcPath *path)
{
  const RccTcpPath tcp = { .packet_size = path->packet_size, .rtt = path->rtt };
  double p;

  if (path->rtt == 0)
    return 1.0;
  p = rcc_tcp_loss (RCC_TCP_PADHYE, &tcp,
      RCC_MAX (path->target, 0.5e9 * path->packet_size / (double) path->rtt));
  return 1.0 / RCC_CLAMP (p, 1e-9, 1.0);
}

/* 5.3, 5.5: the open interval closes, and takes the discount of its time along. */
static void
begin_event (RccTfrcLoss *l, RccTfrcPoint start, const RccTfrcPath *path)
{
  RccTfrcEvents *e = &l->now;

  l->undo = *e;
  if (e->n == 0) {
    e->interval[1] = first_interval (path);
    e->n = 1;
  } else {
    const double df = discount (l);

    for (unsigned i = N; i > 1; i--) {
      e->interval[i] = e->interval[i - 1];
      e->df[i] = e->df[i - 1] * df;
    }
    e->interval[1] = (double) (start.seq - e->start.seq);
    e->n = RCC_MIN (e->n + 1, N);
  }
  e->df[1] = 1.0;
  e->start = start;
  l->events++;
}

/* 5.2: within R of the event's first packet, it belongs to it. */
static bool
congestion (RccTfrcLoss *l, RccTfrcPoint what, bool marked, const RccTfrcPath *path)
{
  RccTfrcEvents *e = &l->now;
  const bool begins = e->n == 0 || (what.seq > e->start.seq
      && (what.at > e->start.at + RCC_MIN (path->rtt, RTT_MAX)
          || what.at + BACKWARDS_MAX < e->start.at));

  if (begins)
    begin_event (l, what, path);
  e->alone = begins && !marked;
  return begins;
}

/* T_loss, 5.2 */
static RccTime
lost_at (const RccTfrcTop *t, int64_t seq)
{
  const double part = (double) (seq - t->before.seq)
      / (double) (t->after.seq - t->before.seq);

  if (t->after.at <= t->before.at)      /* a clock that ran backwards */
    return t->after.at;
  return t->before.at + (RccTime) (part * (double) (t->after.at - t->before.at) + 0.5);
}

/* All that is missing between arrival @below and @t is lost. */
static bool
give_up (RccTfrcLoss *l, int64_t below, const RccTfrcTop *t, const RccTfrcPath *path)
{
  bool began = false;

  for (int64_t seq = RCC_MAX (below, l->judged) + 1; seq < t->seq; seq++) {
    l->lost++;
    began |= congestion (l, (RccTfrcPoint) { seq, lost_at (t, seq) }, false, path);
  }
  l->judged = RCC_MAX (l->judged, t->seq);
  return began;
}

/* 5.1: a mark needs no later packets, and what is missing below it came first. */
static bool
mark (RccTfrcLoss *l, RccTfrcPoint what, const RccTfrcPath *path)
{
  bool began = false;

  l->marked++;
  for (unsigned i = l->n_top; i-- > 1;)
    if (l->top[i - 1].seq <= what.seq)
      began |= give_up (l, l->top[i].seq, &l->top[i - 1], path);
  return congestion (l, what, true, path) || began;
}

/* A packet that had been given up. */
static bool
fill (RccTfrcLoss *l, int64_t seq)
{
  l->late++;
  if (!l->now.alone || seq != l->now.start.seq)
    return false;
  l->now = l->undo;
  l->now.alone = false;                 /* what came before it is not remembered */
  l->events--;
  return true;
}

/* A number out of all proportion: another stream's, or a restart.  Nothing is judged in
 * between, and the open interval stays as long as it was. */
static void
restart (RccTfrcLoss *l, const RccTfrcTop *t)
{
  if (l->n_top > 0)
    l->now.start.seq += t->seq - l->top[0].seq;
  l->now.alone = false;
  l->judged = t->seq;
  l->top[0] = *t;
  l->n_top = 1;
}

static void
insert (RccTfrcLoss *l, unsigned i, const RccTfrcTop *t)
{
  for (unsigned k = RCC_MIN (l->n_top, RCC_TFRC_NDUPACK - 1); k > i; k--)
    l->top[k] = l->top[k - 1];
  l->top[i] = *t;
  l->n_top = RCC_MIN (l->n_top + 1, RCC_TFRC_NDUPACK);
}

bool
rcc_tfrc_loss_packet (RccTfrcLoss *l, int64_t seq, RccTime arrived, bool marked,
    const RccTfrcPath *path)
{
  const RccTfrcPoint here = { RCC_CLAMP (seq, -SEQ_MAX, SEQ_MAX),
    RCC_MIN (arrived, RCC_TFRC_TIME_MAX) };
  RccTfrcTop t = { here.seq, l->last, here };
  const bool full = l->n_top == RCC_TFRC_NDUPACK;
  const int64_t lowest = l->n_top ? l->top[l->n_top - 1].seq : here.seq;
  const int64_t ahead = l->n_top ? here.seq - l->top[0].seq : INT64_MAX;
  bool changed = false;
  unsigned i = 0;

  if (ahead > RCC_TFRC_JUMP_MAX || ahead < -RCC_TFRC_JUMP_MAX) {
    restart (l, &t);
  } else if (here.seq < lowest) {
    changed = fill (l, here.seq);
  } else {
    while (i < l->n_top && l->top[i].seq > here.seq)
      i++;
    if (i < l->n_top && l->top[i].seq == here.seq)
      return false;                     /* a duplicate */
    if (i > 0) {                        /* reordered: in the hole below top[i - 1] */
      t.before = l->top[i - 1].before;
      t.after = l->top[i - 1].after;
    }
    insert (l, i, &t);
    if (full)
      changed = give_up (l, lowest, &l->top[RCC_TFRC_NDUPACK - 1], path);
  }
  l->last = here;
  if (marked)
    changed |= mark (l, here, path);
  return changed;
}

/* No hole is left among the highest arrivals and @seq. */
static bool
follows (const RccTfrcLoss *l, int64_t seq)
{
  return l->n_top == RCC_TFRC_NDUPACK && l->top[0].seq == seq - 1
      && l->top[RCC_TFRC_NDUPACK - 1].seq == seq - RCC_TFRC_NDUPACK;
}

bool
rcc_tfrc_loss_run (RccTfrcLoss *l, int64_t seq, uint32_t n, RccTime arrived,
    const RccTfrcPath *path)
{
  const RccTfrcPoint end = { seq + n - 1, RCC_MIN (arrived, RCC_TFRC_TIME_MAX) };
  bool changed = false;

  for (; n > 0 && !follows (l, seq); n--)
    changed |= rcc_tfrc_loss_packet (l, seq++, arrived, false, path);
  if (n == 0)
    return changed;
  for (unsigned i = 0; i < RCC_TFRC_NDUPACK; i++)
    l->top[i] = (RccTfrcTop) { end.seq - i, end, end }; /* of a hole, of which there is none */
  l->judged = RCC_MAX (l->judged, l->top[RCC_TFRC_NDUPACK - 1].seq);
  l->last = end;
  return changed;
}
