/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * RFC 5348 section 6. X_recv is measured back to the most recent expiry of the feedback timer
 * that was at least R ago (6.2 step 2). While nothing arrives the timer goes on expiring every R
 * without a word. Here that is caught up with when data comes again, so that nobody has to wake
 * up for it.
 */
#include "core/tfrc/receiver.h"

#include <string.h>

#define SIZE_MEMORY (1.0 / 64)          /* mean packet size, per packet */
#define RTT_MAX (64 * RCC_SEC)
#define BACKWARDS_MAX RCC_SEC
#define MARKS_PER_RTT 4                 /* early feedback must not crowd out older marks */

void
rcc_tfrc_receiver_init (RccTfrcReceiver *r, bool discounting)
{
  *r = (RccTfrcReceiver) { .due = RCC_NEVER };
  rcc_tfrc_loss_init (&r->loss, discounting);
}

static void
set_mark (RccTfrcReceiver *r, RccTime at, uint64_t bytes)
{
  if (r->n_marks > 0 && (at <= r->marks[0].at
          || at - r->marks[0].at < r->last.rtt / MARKS_PER_RTT))
    return;
  memmove (&r->marks[1], &r->marks[0], (RCC_TFRC_MARKS - 1) * sizeof r->marks[0]);
  r->marks[0].at = at;
  r->marks[0].bytes = bytes;
  r->n_marks = RCC_MIN (r->n_marks + 1, RCC_TFRC_MARKS);
}

/* The mark to measure from: the newest that is R old, or the oldest there is. */
static unsigned
base_mark (const RccTfrcReceiver *r, RccTime now)
{
  unsigned i = 0;

  while (i + 1 < r->n_marks && now < r->marks[i].at + r->last.rtt)
    i++;
  return i;
}

/* Bytes/s, at least a packet per R; 0 while there is nothing to measure over. */
static double
measure (const RccTfrcReceiver *r, RccTime now, RccTime *span)
{
  const unsigned i = base_mark (r, now);
  double rate = 0.0;

  *span = now > r->marks[i].at ? now - r->marks[i].at : 0;
  if (*span > 0 && *span >= r->last.rtt)
    rate = 1e9 * (double) (r->bytes - r->marks[i].bytes) / (double) *span;
  if (r->packets > 1 && r->last.rtt > 0)
    rate = RCC_MAX (rate, 1e9 * r->last.size / (double) r->last.rtt);
  return rate;
}

/* After silence the timer last expired, without a word, less than R ago.  A clock that
 * was set back begins anew; packets that overtook others do not look like one. */
static void
catch_up (RccTfrcReceiver *r, RccTime now)
{
  if (now + BACKWARDS_MAX < r->last.arrived) {
    r->n_marks = 0;
    set_mark (r, now, r->bytes);
    r->due = now;
    r->last.arrived = now;
  } else if (r->last.rtt > 0 && now > r->last.arrived + r->last.rtt) {
    set_mark (r, now - r->last.rtt, r->bytes);
  }
}

bool
rcc_tfrc_receiver_data (RccTfrcReceiver *r, const RccTfrcData *data)
{
  const bool first = r->packets == 0;
  RccTfrcData d = *data;
  RccTfrcPath path;
  RccTime now, span;
  bool changed;

  d.arrived = RCC_MIN (d.arrived, RCC_TFRC_TIME_MAX);
  d.rtt = RCC_MIN (d.rtt, RTT_MAX);
  now = d.arrived;
  if (!first) {
    catch_up (r, now);
    now = RCC_MAX (now, r->last.arrived);
  }
  r->last = d;
  r->last.arrived = now;
  r->packets++;
  r->bytes += d.size;
  r->packet_size += first ? d.size : SIZE_MEMORY * (d.size - r->packet_size);
  if (first) {
    set_mark (r, now, r->bytes);
    r->due = now;
  }
  path.rtt = d.rtt;
  path.packet_size = RCC_MAX (r->packet_size, 1.0);
  path.target = r->loss.now.n > 0 ? 0.0
      : RCC_MAX (r->x_recv_max, measure (r, now, &span));
  changed = rcc_tfrc_loss_packet (&r->loss, d.seq, d.arrived, d.marked, &path);
  return first || now >= r->due
      || (changed && rcc_tfrc_loss_rate (&r->loss) != r->p);
}

bool
rcc_tfrc_receiver_feedback (RccTfrcReceiver *r, RccTime now, RccTfrcFeedback *feedback)
{
  const bool first = r->reported_packets == 0;
  RccTime span;

  if (r->packets == 0)
    return false;
  now = RCC_CLAMP (now, r->last.arrived, RCC_TFRC_TIME_MAX);
  r->due = now + r->last.rtt;
  if (r->packets == r->reported_packets)
    return false;
  r->x_recv = first ? 0.0 : measure (r, now, &span);
  if (first)
    span = 0;
  r->x_recv_max = RCC_MAX (r->x_recv_max, r->x_recv);
  r->p = rcc_tfrc_loss_rate (&r->loss);
  *feedback = (RccTfrcFeedback) {
    .recvdata = r->last.sent, .delay = now - r->last.arrived, .x_recv = r->x_recv,
    .p = r->p, .span = span, .new_loss = r->loss.events > r->reported_events,
  };
  r->reported_packets = r->packets;
  r->reported_events = r->loss.events;
  set_mark (r, now, r->bytes);
  return true;
}
