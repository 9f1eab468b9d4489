/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * sendtime.h - when a packet left, on the sender's clock
 *
 * abs-send-time where the packet has it; else its RTP timestamp, which only tells
 * frames apart and only within one SSRC.  (Transport-wide numbers carry no time.)
 */
#ifndef RCC_WIRE_SENDTIME_H
#define RCC_WIRE_SENDTIME_H

#include "core/seq.h"
#include "wire/rtp.h"

typedef enum {
  RCC_SEND_TIME_NONE,
  RCC_SEND_TIME_ABS,
  RCC_SEND_TIME_RTP,
} RccSendTimeSource;

typedef struct {
  uint8_t abs_id;                       /* extension id; 0: not negotiated */
  RccSendTimeSource source;             /* what the last answer came from */
  RccUnwrap abs, timestamp;
  uint32_t ssrc;                        /* whose timestamps are followed */
  RccTime heard;                        /* that SSRC last; RCC_NEVER: none */
} RccSendClock;

void rcc_send_clock_init (RccSendClock *c, uint8_t abs_id);

/* ns on a clock with an unknown offset; RCC_NEVER when the packet does not say.
 * @clock_rate in Hz, 0: unknown. */
RccTime rcc_send_clock_time (RccSendClock *c, const RccRtp *rtp,
    uint32_t clock_rate, RccTime arrival);

/* "none", "abs-send-time", "rtp-timestamp" */
const char *rcc_send_time_name (RccSendTimeSource source);

#endif
