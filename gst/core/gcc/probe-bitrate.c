/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The judging rules are those of libwebrtc's probe estimator (its first packet
 * does not count at the receiver, its last not at the sender); finding the train
 * by its sending rate is ours.  What does not count of the end is a whole pacer group.
 */
#include "core/gcc/probe-bitrate.h"

#define SATURATED 0.9                   /* arrived slower than this share: link full */
#define BACK_OFF 0.95                   /* then stay a little under what arrived */
#define CONTRADICTS 2.0                 /* arrived faster: something held it back */
#define SEND_GAP (15 * RCC_MSEC)        /* and what the packet before it takes at the least rate */
#define TOGETHER RCC_MSEC               /* packets of one pacer group */
#define GROUP (5 * RCC_MSEC)            /* what a pacer may be ahead of its rate */

void
rcc_probe_bitrate_start (RccProbeBitrate *t, RccTime send, RccTime arrival, uint32_t size)
{
  *t = (RccProbeBitrate) {
    .first_send = send, .last_send = send, .group_send = send,
    .first_arrival = arrival, .last_arrival = arrival,
    .first_size = size, .last_size = size, .bytes = size, .packets = 1,
  };
}

void
rcc_probe_bitrate_add (RccProbeBitrate *t, RccTime send, RccTime arrival, uint32_t size)
{
  t->reordered = RCC_MAX (t->reordered,
      RCC_MAX (rcc_reorder_back (t->last_send, send),
          rcc_reorder_back (t->last_arrival, arrival)));
  t->last_send = RCC_MAX (t->last_send, send);
  t->first_arrival = RCC_MIN (t->first_arrival, arrival);
  t->last_arrival = RCC_MAX (t->last_arrival, arrival);
  if (send > t->group_send + TOGETHER) {
    t->group_send = send;
    t->group_before = t->bytes;
  }
  t->bytes += size;
  t->last_size = size;
  t->packets++;
}

static double
bps (uint32_t bytes, RccTime span)
{
  return 8e9 * bytes / (double) RCC_MAX (span, RCC_MSEC);
}

double
rcc_probe_bitrate_send_bps (const RccProbeBitrate *t)
{
  return bps (t->group_before, t->group_send - t->first_send);
}

/* Whether @bytes left faster than @least even if the pacer had one group's worth in
 * advance, as it has out of the idle and pays back later. */
static bool
faster (uint32_t bytes, RccTime span, double least)
{
  return 8e9 * bytes >= least * (double) (span + GROUP);
}

/* Whether the train is one still, or too short to tell, with a packet that left at
 * @send.  (A copy of it to try would cost more than all else in here.) */
static bool
goes_on (const RccProbeBitrate *t, RccTime send, double least)
{
  const bool next = send > t->group_send + TOGETHER;
  const RccTime span = (next ? send : t->group_send) - t->first_send;

  return t->packets + 1 < RCC_PROBE_BITRATE_PACKETS || span < RCC_PROBE_BITRATE_SPAN
      || faster (next ? t->bytes : t->group_before, span, least);
}

double
rcc_probe_bitrate_result (const RccProbeBitrate *t, RccTime reordering)
{
  double in, out;

  if (t->reordered > reordering || t->packets < RCC_PROBE_BITRATE_PACKETS
      || t->group_send - t->first_send < RCC_PROBE_BITRATE_SPAN)
    return 0.0;
  in = rcc_probe_bitrate_send_bps (t);
  out = bps (t->bytes - t->first_size, t->last_arrival - t->first_arrival);
  if (out > CONTRADICTS * in)
    return 0.0;
  return out < SATURATED * in ? BACK_OFF * out : RCC_MIN (in, out);
}

/* Until @send nothing left for longer than a sender of @least bit/s would pause. */
static bool
is_pause (const RccProbeFinder *f, RccTime send, double least)
{
  const RccTime since = send - f->train.last_send;

  return since > f->gap && (double) since * least > 8e9 * f->train.last_size;
}

void
rcc_probe_finder_init (RccProbeFinder *f, double factor, RccTime reordering)
{
  *f = (RccProbeFinder) { .gap = SEND_GAP, .factor = factor };
  rcc_reorder_init (&f->order, reordering);
}

/* A clock that was late, or a sender of whole pictures, sends at once what was meant for the time
 * before, too. */
static bool
was_deferred (const RccProbeFinder *f, double least)
{
  const RccProbeBitrate *t = &f->train;

  return !faster (t->group_before, t->group_send - t->first_send + f->idle, least);
}

static double
find (RccProbeFinder *f, RccTime send, RccTime arrival, uint32_t size, double least)
{
  RccProbeBitrate *t = &f->train;
  double result = 0.0;

  if (t->packets > 0 && send >= t->last_send && !is_pause (f, send, least)
      && rcc_reorder_back (t->last_arrival, arrival) <= f->order.span && goes_on (t, send, least)) {
    rcc_probe_bitrate_add (t, send, arrival, size);
    return 0.0;
  }
  if (t->packets > 0
      && faster (t->group_before, t->group_send - t->first_send, least)) {
    result = rcc_probe_bitrate_result (t, f->order.span);
    f->deferred = was_deferred (f, least);
  }
  f->idle = t->packets > 0 && send > t->last_send ? send - t->last_send : 0;
  rcc_probe_bitrate_start (t, send, arrival, size);
  return result;
}

double
rcc_probe_finder_add (RccProbeFinder *f, RccTime send, RccTime arrival,
    uint32_t size, double estimate)
{
  const double least = f->factor * estimate;
  double result = 0.0;
  RccReorderPacket p;

  if (f->order.span == 0 || rcc_reorder_passes (&f->order, send, arrival))
    return find (f, send, arrival, size, least);
  rcc_reorder_add (&f->order, send, arrival, size);
  while (rcc_reorder_take (&f->order, arrival, &p)) {
    const double found = find (f, p.send, p.arrival, p.size, least);

    result = RCC_MAX (result, found);
  }
  return result;
}
