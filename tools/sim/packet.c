/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sim/packet.h"

#include <stdlib.h>
#include <string.h>

#include "wire/sendtime.h"
#include "wire/twcc.h"

RccDatagram *
rcc_datagram_rtp (const RccRtp *rtp, bool plain, size_t payload, RccTime now)
{
  static const uint8_t zero[RCC_ABS_SEND_TIME_SIZE];
  const RccRtpExt exts[] = {
    { RCC_WORLD_EXT_ABS, RCC_ABS_SEND_TIME_SIZE, zero },
    { RCC_WORLD_EXT_TWCC, RCC_TWCC_EXT_SIZE, zero },
  };
  RccDatagram *d = calloc (1, sizeof *d);
  const size_t head = rcc_rtp_build (d->data, sizeof d->data, rtp, exts, plain ? 0 : 2);

  memset (d->data + head, 0xa5, payload);
  if (rtp->padding)
    d->data[head + payload - 1] = (uint8_t) payload;
  d->size = (uint32_t) (head + payload);
  d->created = now;
  return d;
}

uint32_t
rcc_world_ticks (RccTime now, uint32_t rate)
{
  return (uint32_t) ((double) now * 1e-9 * rate);
}
