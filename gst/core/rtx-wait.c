/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/rtx-wait.h"

#define GIVEN_UP (3 * RCC_SEC)          /* after that a sequence number is another request's */
#define WEIGHT 8                        /* of the average so far, as RFC 6298 section 2 */

void
rcc_rtx_wait_init (RccRtxWait *w, RccTime least, RccTime most)
{
  *w = (RccRtxWait) { .least = least, .most = most, .last_asked = RCC_NEVER };
  for (uint32_t i = 0; i < RCC_RTX_WAIT_ASKED; i++)
    w->asked[i].at = RCC_NEVER;
}

void
rcc_rtx_wait_limit (RccRtxWait *w, RccTime least, RccTime most)
{
  w->least = least;
  w->most = most;
}

/* RCC_RTX_WAIT_ASKED: it was not asked for of late. */
static uint32_t
find (const RccRtxWait *w, uint16_t seq, RccTime now)
{
  uint32_t i = 0;

  while (i < RCC_RTX_WAIT_ASKED && !(w->asked[i].at != RCC_NEVER && w->asked[i].seq == seq
          && now - w->asked[i].at < GIVEN_UP))
    i++;
  return i;
}

void
rcc_rtx_wait_ask (RccRtxWait *w, uint16_t seq, RccTime now)
{
  w->last_asked = now;
  if (find (w, seq, now) < RCC_RTX_WAIT_ASKED)
    return;
  w->asked[w->next].seq = seq;
  w->asked[w->next].at = now;
  w->next = (w->next + 1) % RCC_RTX_WAIT_ASKED;
}

static void
begin_span (RccRtxWait *w, RccTime now)
{
  if (now < w->span_end)
    return;
  w->needs[1] = now - w->span_end < RCC_RTX_WAIT_SPAN ? w->needs[0] : 0;
  w->needs[0] = 0;
  w->span_end = now > RCC_NEVER - RCC_RTX_WAIT_SPAN ? RCC_NEVER : now + RCC_RTX_WAIT_SPAN;
}

static void
came (RccRtxWait *w, uint16_t seq, RccTime now, RccTime least)
{
  const uint32_t i = find (w, seq, now);
  RccTime rtt;

  if (i == RCC_RTX_WAIT_ASKED)
    return;
  rtt = now - w->asked[i].at;
  w->asked[i].at = RCC_NEVER;
  if (rtt < least)
    return;
  w->rtt = w->rtt ? (w->rtt * (WEIGHT - 1) + rtt) / WEIGHT : rtt;
  begin_span (w, now);
  w->needs[0] = RCC_MAX (w->needs[0], rcc_rtx_time (w->rtt));
}

void
rcc_rtx_wait_copy (RccRtxWait *w, uint16_t seq, RccTime now)
{
  came (w, seq, now, 0);
}

void
rcc_rtx_wait_packet (RccRtxWait *w, uint16_t seq, RccTime now)
{
  if (w->last_asked != RCC_NEVER && now - w->last_asked < GIVEN_UP)
    came (w, seq, now, w->rtt / 2);
}

static RccTime
in_steps (RccTime need)
{
  return (need + RCC_RTX_WAIT_STEP - 1) / RCC_RTX_WAIT_STEP * RCC_RTX_WAIT_STEP;
}

RccTime
rcc_rtx_wait (RccRtxWait *w, RccTime now)
{
  begin_span (w, now);
  return RCC_MAX (w->least, RCC_MIN (w->most, in_steps (RCC_MAX (w->needs[0], w->needs[1]))));
}
