/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The judging rules are those of libwebrtc's probe estimator (its first packet
 * does not count at the receiver, its last not at the sender); finding the train
 * by its sending rate is ours.
 */
#include "core/gcc-train.h"

#define SATURATED 0.9                   /* arrived slower than this share: link full */
#define BACK_OFF 0.95                   /* then stay a little under what arrived */
#define CONTRADICTS 2.0                 /* arrived faster: something held it back */
#define SEND_GAP (15 * RCC_MSEC)

void
rcc_train_start (RccTrain *t, RccTime send, RccTime arrival, uint32_t size)
{
  *t = (RccTrain) { send, send, arrival, arrival, size, size, size, 1, false };
}

void
rcc_train_add (RccTrain *t, RccTime send, RccTime arrival, uint32_t size)
{
  t->reordered |= send < t->last_send || arrival < t->last_arrival;
  t->last_send = RCC_MAX (t->last_send, send);
  t->last_arrival = RCC_MAX (t->last_arrival, arrival);
  t->last_size = size;
  t->bytes += size;
  t->packets++;
}

static double
bps (uint32_t bytes, RccTime span)
{
  return 8e9 * bytes / (double) RCC_MAX (span, RCC_MSEC);
}

double
rcc_train_send_bps (const RccTrain *t)
{
  if (t->packets < 2)
    return 0.0;
  return bps (t->bytes - t->last_size, t->last_send - t->first_send);
}

double
rcc_train_result (const RccTrain *t)
{
  double in, out;

  if (t->reordered || t->packets < RCC_TRAIN_PACKETS
      || t->last_send - t->first_send < RCC_TRAIN_SPAN)
    return 0.0;
  in = rcc_train_send_bps (t);
  out = bps (t->bytes - t->first_size, t->last_arrival - t->first_arrival);
  if (out > CONTRADICTS * in)
    return 0.0;
  return out < SATURATED * in ? BACK_OFF * out : RCC_MIN (in, out);
}

void
rcc_train_finder_init (RccTrainFinder *f, double factor)
{
  *f = (RccTrainFinder) { .gap = SEND_GAP, .factor = factor };
}

double
rcc_train_finder_add (RccTrainFinder *f, RccTime send, RccTime arrival,
    uint32_t size, double estimate)
{
  RccTrain *t = &f->train, longer;
  double result = 0.0;

  if (t->packets > 0 && send >= t->last_send && send - t->last_send <= f->gap
      && arrival >= t->last_arrival) {
    longer = *t;
    rcc_train_add (&longer, send, arrival, size);
    /* Packets of one pacer group leave together: two of them say nothing. */
    if (longer.last_send - longer.first_send < RCC_TRAIN_SPAN
        || rcc_train_send_bps (&longer) >= f->factor * estimate) {
      *t = longer;
      return 0.0;
    }
    if (rcc_train_send_bps (t) >= f->factor * estimate)
      result = rcc_train_result (t);
  } else if (t->packets > 0 && rcc_train_send_bps (t) >= f->factor * estimate) {
    result = rcc_train_result (t);
  }
  rcc_train_start (t, send, arrival, size);
  return result;
}
