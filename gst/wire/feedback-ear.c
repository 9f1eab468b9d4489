/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire/feedback-ear.h"

#define ARRIVALS_KEEP (2 * RCC_SEC)

/* Two formats at once tell every packet's fate twice, on two clocks: the one that
 * spoke first is followed until it falls silent. */
bool
rcc_ear_follow (RccEar *e, uint8_t fmt)
{
  RccFeedback *f = e->f;

  if (f->arrivals_fmt != fmt && f->arrivals_fmt != 0
      && e->now < f->arrivals_heard + ARRIVALS_KEEP) {
    f->reports.ignored++;
    return false;
  }
  f->arrivals_fmt = fmt;
  f->arrivals_heard = e->now;
  return true;
}

/* One packet's fate, once: a number that is reported lost and arrives later after
 * all is told as received then. */
size_t
rcc_ear_judge (RccEar *e, RccSentPacket *s, bool came, uint32_t fate, RccTime arrived,
    size_t n)
{
  if (!s || s->withheld) {
    e->f->unknown_packets += !s;
    return n;
  }
  if (rcc_packet_came (&s->packet) || (s->judged && !came))
    return n;
  s->judged = true;
  s->packet.arrived = came ? arrived : RCC_NEVER;
  if (came)
    s->packet.probe |= fate;
  if (came && arrived == RCC_NEVER)
    s->packet.probe |= RCC_FATE_CAME;
  e->f->packets[n] = s->packet;
  return n + 1;
}

void
rcc_ear_tell (RccEar *e, size_t n)
{
  if (n > 0)
    rcc_ear_answer (e, rcc_tell (e->sender, on_feedback, e->f->packets, n, e->now));
}

/* By departure: each block is in order, several SSRCs are not.  Heap sort: no heap,
 * no stack, and hostile order costs nothing more. */
static bool
later (const RccPacket *a, const RccPacket *b)
{
  if (a->sent != b->sent)
    return a->sent > b->sent;
  return a->arrived > b->arrived;       /* a pacer group leaves at one instant */
}

static void
sift (RccPacket *p, size_t root, size_t n)
{
  for (size_t child; (child = 2 * root + 1) < n; root = child) {
    RccPacket swap = p[root];

    if (child + 1 < n && later (&p[child + 1], &p[child]))
      child++;
    if (!later (&p[child], &swap))
      return;
    p[root] = p[child];
    p[child] = swap;
  }
}

void
rcc_ear_sort (RccEar *e, size_t n)
{
  RccPacket *p = e->f->packets;

  for (size_t i = n / 2; i-- > 0;)
    sift (p, i, n);
  for (size_t i = n; i-- > 1;) {
    RccPacket swap = p[0];

    p[0] = p[i];
    p[i] = swap;
    sift (p, 0, i);
  }
}
