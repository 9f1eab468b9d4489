/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/encoder-rate.h"

/* A frame of b bytes takes ceil (b / room) packets, on average b / room + 1/2 and
 * at least one.  With x = encoder's bit/s, f = frames/s and the headers of every
 * packet on top,
 *
 *   x + 8 overhead max (f, x / (8 room) + f / 2) = budget,
 *
 * of which the smaller solution is the valid one. */
static double
without_headers (const RccEncoderLimits *l, double budget, double f)
{
  const double room = (double) l->mtu - l->packet_overhead;
  const double headers = 8. * l->packet_overhead;
  double small, large;

  if (room < 1.)
    return 0.;
  small = budget - headers * f;
  large = (budget - headers * f / 2) / (1. + l->packet_overhead / room);
  return RCC_MAX (RCC_MIN (small, large), 0.);
}

uint32_t
rcc_encoder_bitrate (const RccEncoderLimits *limits, uint32_t target_bps, uint32_t fec_bps,
    double frame_rate)
{
  const double budget = (double) target_bps - fec_bps - limits->reserved_bps;
  const uint32_t bps = (uint32_t) without_headers (limits, RCC_MAX (budget, 0.), frame_rate);

  return RCC_MAX (RCC_MIN (bps, limits->max_bps), limits->min_bps);
}

uint32_t
rcc_encoder_target (const RccEncoderLimits *l, uint32_t bps, double f)
{
  const double room = (double) l->mtu - l->packet_overhead;
  double target;

  if (bps == UINT32_MAX || room < 1.)
    return UINT32_MAX;
  target = bps + 8. * l->packet_overhead * RCC_MAX (f, bps / (8. * room) + f / 2)
      + l->reserved_bps;
  return (uint32_t) RCC_MIN (target, (double) UINT32_MAX);
}

RccEncoderChange
rcc_encoder_change (uint32_t current, uint32_t wanted, RccTime since_last, RccTime interval)
{
  const uint32_t difference = current > wanted ? current - wanted : wanted - current;

  if (difference <= current / 100)
    return RCC_ENCODER_STAYS;
  if (wanted < current && difference > current / 20)
    return RCC_ENCODER_NOW;
  return since_last >= interval ? RCC_ENCODER_NOW : RCC_ENCODER_LATER;
}

bool
rcc_frame_rate_add (RccFrameRate *f, RccTime time)
{
  if (time == RCC_NEVER)
    return false;
  if (f->first == RCC_NEVER || time < f->first || time - f->first > 5 * RCC_SEC) {
    f->first = time;
    f->intervals = 0;
    return false;
  }
  f->intervals++;
  if (time - f->first < RCC_SEC)
    return false;
  f->rate = f->intervals * (double) RCC_SEC / (double) (time - f->first);
  f->first = time;
  f->intervals = 0;
  return true;
}
