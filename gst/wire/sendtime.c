/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire/sendtime.h"

#define FOLLOW (2 * RCC_SEC)            /* an SSRC silent for so long is left */

void
rcc_send_clock_init (RccSendClock *c, uint8_t abs_id)
{
  *c = (RccSendClock) { .abs_id = abs_id, .heard = RCC_NEVER };
}

static RccTime
from_abs (RccSendClock *c, RccBytes value)
{
  /* one wrap (64 s) on top keeps what left before the first packet positive */
  int64_t ticks = rcc_unwrap (&c->abs, rcc_be24 (value.data), 24) + (1 << 24);

  if (ticks < 0) {                      /* set back again and again: a new clock */
    c->abs = (RccUnwrap) { 0 };
    ticks = rcc_unwrap (&c->abs, rcc_be24 (value.data), 24) + (1 << 24);
  }
  return (RccTime) rcc_abs_send_time_to_ns (ticks);
}

static RccTime
from_timestamp (RccSendClock *c, const RccRtp *rtp, uint32_t clock_rate,
    RccTime arrival)
{
  int64_t ticks;

  if (clock_rate == 0)
    return RCC_NEVER;
  if (c->heard == RCC_NEVER || (rtp->ssrc != c->ssrc && arrival > c->heard + FOLLOW)) {
    c->ssrc = rtp->ssrc;
    c->timestamp = (RccUnwrap) { 0 };
  }
  if (rtp->ssrc != c->ssrc)
    return RCC_NEVER;
  c->heard = arrival;
  ticks = rcc_unwrap (&c->timestamp, rtp->timestamp, 32) + (INT64_C (1) << 32);
  if (ticks < 0) {
    c->timestamp = (RccUnwrap) { 0 };
    ticks = rcc_unwrap (&c->timestamp, rtp->timestamp, 32) + (INT64_C (1) << 32);
  }
  return (RccTime) ticks / clock_rate * RCC_SEC
      + (RccTime) ticks % clock_rate * RCC_SEC / clock_rate;
}

RccTime
rcc_send_clock_time (RccSendClock *c, const RccRtp *rtp, uint32_t clock_rate,
    RccTime arrival)
{
  RccBytes value;

  if (c->abs_id && rcc_rtp_ext (rtp, c->abs_id, &value)
      && value.size == RCC_ABS_SEND_TIME_SIZE) {
    c->source = RCC_SEND_TIME_ABS;
    return from_abs (c, value);
  }
  if (c->source == RCC_SEND_TIME_ABS)   /* one packet without must not mix clocks */
    return RCC_NEVER;
  c->source = clock_rate ? RCC_SEND_TIME_RTP : RCC_SEND_TIME_NONE;
  return from_timestamp (c, rtp, clock_rate, arrival);
}

const char *
rcc_send_time_name (RccSendTimeSource source)
{
  return source == RCC_SEND_TIME_ABS ? "abs-send-time"
      : source == RCC_SEND_TIME_RTP ? "rtp-timestamp" : "none";
}
