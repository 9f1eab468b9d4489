/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/gcc/full-queue.h"

#include <math.h>
#include <stdlib.h>

#include "core/losses.h"

#define PACKETS RCC_FULL_QUEUE_PACKETS
#define RUN 32                          /* packets; at the end of each is a test */
#define RUNS (PACKETS / RUN)
#define RUNS_LEAST 4
#define RUN_MOST (4 * RCC_SEC)          /* audio and video come more often */
#define CLOSE (10 * RCC_MSEC)           /* after another of ours: it may wait for that one */
#define SURE 2.6                        /* standard errors of the skewness, sqrt (6 / n) */
#define SPREAD 0.5                      /* ms, standard deviation: more than that of clocks */
#define MOVED 2.0                       /* spreads of a run, between the means of two */
#define LOSS_MEMORY 200.0               /* packets */
#define LOSSY 0.03                      /* more than a flow of ours loses beside TCP */
#define OVERFLOWS 0.005                 /* less is what a path loses that nobody fills */
#define SETTLE (300 * RCC_MSEC)         /* a decrease has worked by then */

typedef struct {
  double mean, spread;                  /* ms */
} Run;

void
rcc_full_queue_init (RccFullQueue *q, RccTime hold)
{
  *q = (RccFullQueue) { .hold = hold, .send = RCC_NEVER };
}

/* Linear regression of the delay on the size: ms a byte. */
static double
slope (const RccFullQueue *q)
{
  double owd = 0, size = 0, cross = 0, square = 0;

  for (unsigned i = 0; i < q->n; i++) {
    owd += q->packets[i].owd / q->n;
    size += q->packets[i].size / q->n;
  }
  for (unsigned i = 0; i < q->n; i++) {
    const double off = q->packets[i].size - size;

    cross += off * (q->packets[i].owd - owd);
    square += off * off;
  }
  return square > 0 ? cross / square : 0.0;
}

static Run
describe (const double *rest, unsigned n, double *skewness)
{
  double mean = 0, m2 = 0, m3 = 0;

  for (unsigned i = 0; i < n; i++)
    mean += rest[i] / n;
  for (unsigned i = 0; i < n; i++) {
    const double off = rest[i] - mean;

    m2 += off * off / n;
    m3 += off * off * off / n;
  }
  *skewness = m2 > 0 ? m3 / (m2 * sqrt (m2)) : 0.0;
  return (Run) { mean, sqrt (m2) };
}

static int
by_spread (const void *a, const void *b)
{
  const double x = ((const Run *) a)->spread, y = ((const Run *) b)->spread;

  return (x > y) - (x < y);
}

/* The path's delay has changed among @n packets, or the queue's length for long.  @spread gets
 * that of the middle run: no single packet makes it wide. */
static bool
has_moved (const double *rest, unsigned n, double *spread)
{
  Run runs[RUNS];
  double least = INFINITY, most = -INFINITY, skewness;
  const unsigned k = n / RUN;

  for (unsigned i = 0; i < k; i++) {
    runs[i] = describe (rest + i * RUN, RUN, &skewness);
    least = RCC_MIN (least, runs[i].mean);
    most = RCC_MAX (most, runs[i].mean);
  }
  qsort (runs, k, sizeof runs[0], by_spread);
  *spread = runs[k / 2].spread;
  return most - least > MOVED * *spread;
}

static void
test (RccFullQueue *q, RccTime now)
{
  const double per_byte = slope (q);
  double rest[PACKETS], spread;

  q->began = now;
  for (unsigned i = 0; i < q->n; i++)
    rest[i] = q->packets[i].owd - per_byte * q->packets[i].size;
  if (has_moved (rest, q->n, &spread)) {
    q->n = q->next = 0;
    return;
  }
  describe (rest, q->n, &q->skewness);
  if (q->loss > OVERFLOWS && q->n >= RUNS_LEAST * RUN && spread > SPREAD
      && q->skewness < -SURE * sqrt (6.0 / q->n))
    q->until = q->hold < RCC_NEVER - now ? now + q->hold : RCC_NEVER;
}

static void
add (RccFullQueue *q, int64_t owd, RccTime arrival, uint32_t size)
{
  if (q->n == 0) {
    q->first = owd;
    q->began = arrival;
  }
  q->packets[q->next].owd = (double) (owd - q->first) * 1e-6;
  q->packets[q->next].size = size;
  q->next = (q->next + 1) % PACKETS;
  q->n = RCC_MIN (q->n + 1, PACKETS);
  if (q->next % RUN == 0)
    test (q, arrival);
}

void
rcc_full_queue_packet (RccFullQueue *q, RccTime send, RccTime arrival, uint32_t size)
{
  const bool close = q->send != RCC_NEVER && send >= q->send && send < q->send + CLOSE;
  /* the clock; what was overtaken is earlier by less */
  const bool was_set = arrival < q->began && q->began - arrival >= RUN_MOST;

  q->send = send;
  if (q->hold == 0)
    return;
  if (was_set)
    q->until = q->next_over = 0;
  if (was_set || (arrival >= q->began && arrival - q->began >= RUN_MOST))
    q->n = q->next = 0;
  if (!close)
    add (q, (int64_t) (arrival - send), arrival, size);
}

void
rcc_full_queue_losses (RccFullQueue *q, double lost, double expected)
{
  q->loss = rcc_losses_mean (q->loss, lost, expected, LOSS_MEMORY);
  q->lost = RCC_MAX (q->lost + lost, 0.0);
}

bool
rcc_full_queue_is_full (const RccFullQueue *q, RccTime now)
{
  return now < q->until;
}

bool
rcc_full_queue_is_lossy (const RccFullQueue *q)
{
  return q->hold > 0 && q->loss > LOSSY;
}

bool
rcc_full_queue_over (RccFullQueue *q, RccTime rtt, RccTime now)
{
  const bool lost = q->lost >= 1.0;

  if (lost || now < q->next_over)
    q->lost = 0;
  if (!lost || now < q->next_over || !rcc_full_queue_is_full (q, now))
    return false;
  q->next_over = now + rtt + SETTLE;
  return true;
}
