/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire/feedback-ear.h"

#define TIME_MAX (INT64_MAX / 4)

bool
rcc_ear_follow (RccEar *e, uint32_t ssrc, uint8_t format, bool proved)
{
  RccFeedback *f = e->f;

  switch (rcc_reporters_tells (&f->reports.reporters, ssrc, format, proved, e->now)) {
    case RCC_TELLER_IGNORED:
      f->reports.ignored++;
      return false;
    case RCC_TELLER_NEW:
      f->reference = f->timestamp = (RccUnwrap) { 0 };
      rcc_xr_clock_init (&f->xr.clock);
      f->clock.joined = false;
      return true;
    case RCC_TELLER_SAME:
      return true;
  }
  return false;
}

RccEarProof
rcc_ear_proof (RccHistory *history, uint16_t seq)
{
  const RccSentPacket *s = rcc_history_find (history, seq);

  if (!s)
    return rcc_history_is_ahead (history, seq) ? RCC_EAR_IMPOSSIBLE : RCC_EAR_NOTHING;
  return s->judged || s->withheld ? RCC_EAR_NOTHING : RCC_EAR_PROOF;
}

/* Another reporter, or another format, has another clock.  Its first packet is taken to be
 * as long under way as the last of who told before, so that controllers hear one clock. */
static RccTime
by_one_clock (RccFeedback *f, RccTime sent, RccTime arrived)
{
  const int64_t left = (int64_t) RCC_MIN (sent, (RccTime) TIME_MAX);
  int64_t time = (int64_t) RCC_MIN (arrived, (RccTime) TIME_MAX);

  if (!f->clock.joined) {
    f->clock.shift = f->clock.known ? left + f->clock.ahead - time : 0;
    f->clock.joined = true;
  }
  time = RCC_CLAMP (time + f->clock.shift, 0, TIME_MAX);
  f->clock.ahead = time - left;
  f->clock.known = true;
  return (RccTime) time;
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
  s->packet.arrived = came && arrived != RCC_NEVER
      ? by_one_clock (e->f, s->packet.sent, arrived) : RCC_NEVER;
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
