/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/rtx-wait.h"

#define GIVEN_UP (3 * RCC_SEC)          /* after that a sequence number is another request's */

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

/* 0: one copy alone says nothing. */
static RccTime
smaller_median (const RccRtxWait *w)
{
  const uint32_t n = RCC_MIN (w->copies, RCC_RTX_WAIT_COPIES);
  RccTime sorted[RCC_RTX_WAIT_COPIES];

  if (n < 2)
    return 0;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t k = i;

    for (; k > 0 && sorted[k - 1] > w->took[i]; k--)
      sorted[k] = sorted[k - 1];
    sorted[k] = w->took[i];
  }
  return sorted[(n - 1) / 2];
}

static void
came (RccRtxWait *w, uint16_t seq, RccTime now, RccTime least)
{
  const uint32_t i = find (w, seq, now);
  RccTime took;

  if (i == RCC_RTX_WAIT_ASKED)
    return;
  took = now - w->asked[i].at;
  w->asked[i].at = RCC_NEVER;
  if (took < least)
    return;
  w->took[w->copies++ % RCC_RTX_WAIT_COPIES] = took;
  w->rtt = smaller_median (w);
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
    came (w, seq, now, w->least / 3 * 2);
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
