/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef RCC_WIRE_TEST_H
#define RCC_WIRE_TEST_H

#include <glib.h>
#include <string.h>
#include "core/rng.h"
#include "wire/rtcp.h"
#include "vectors.h"

#define SEED 20240607
/* A parameter pack for (data, size) arguments. */
#define ALL(array) array, sizeof array

/* The first packet of a compound, which must be well-formed. */
static inline RccRtcpPacket
first_packet (const guint8 *data, gsize size)
{
  RccBytes rest = { data, size };
  RccRtcpPacket packet;

  g_assert_true (rcc_rtcp_next (&rest, &packet));
  return packet;
}

/* The only packet there is. */
static inline RccRtcpPacket
only_packet (const guint8 *data, gsize size)
{
  const RccRtcpPacket packet = first_packet (data, size);

  g_assert_cmpuint (packet.whole.size, ==, size);
  return packet;
}

static inline guint64
random64 (RccRng *r)
{
  const guint64 high = rcc_rng_u32 (r);

  return high << 32 | rcc_rng_u32 (r);
}

/* Uniform in the exponent: every magnitude from 0 to 2^64 comes up. */
static inline guint64
random_rate (RccRng *r)
{
  return random64 (r) >> rcc_rng_u32 (r) % 65 % 64;
}

#endif
