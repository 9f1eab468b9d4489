/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/scream/rate.h"

#define PERIOD 0.02                     /* s, until frames tell: 4.4 */
#define PERIOD_GAIN (1.0 / 16.0)
#define PERIOD_LEAST 0.005
#define PERIOD_MOST 0.2
#define SIZE_GAIN (1.0 / 16.0)          /* of a stream's mean frame */
#define ADJUST_MOST 0.5                 /* 4.4, as the next four */
#define DEVIATION_MOST 0.2
#define SMALL_FROM 0.1                  /* MSS over the window */
#define SMALL_MOST 0.2
#define ROOM 1.2

void
rcc_scream_rate_init (RccScreamRate *r)
{
  *r = (RccScreamRate) { .period = PERIOD };
  for (unsigned i = 0; i < RCC_SCREAM_STREAMS; i++)
    r->streams[i].began = RCC_NEVER;
}

/* The slot of @ssrc, or in place of the one that was silent for longest. */
static RccScreamStream *
stream_of (RccScreamRate *r, uint32_t ssrc)
{
  RccScreamStream *oldest = &r->streams[0];

  for (unsigned i = 0; i < RCC_SCREAM_STREAMS; i++) {
    RccScreamStream *s = &r->streams[i];

    if (s->began != RCC_NEVER && s->ssrc == ssrc)
      return s;
    if (s->began == RCC_NEVER || (oldest->began != RCC_NEVER && s->began < oldest->began))
      oldest = s;
  }
  *oldest = (RccScreamStream) { .ssrc = ssrc, .began = RCC_NEVER };
  return oldest;
}

static bool
has_largest_frames (const RccScreamRate *r, const RccScreamStream *s)
{
  for (unsigned i = 0; i < RCC_SCREAM_STREAMS; i++)
    if (r->streams[i].began != RCC_NEVER && r->streams[i].mean > s->mean)
      return false;
  return true;
}

/* 4.4, for each new frame of the media: @s has all of the one before. */
static void
note_frame (RccScreamRate *r, const RccScreamConfig *config, const RccScreamStream *s,
    RccTime waited, RccTime now, double target_bps)
{
  const double nominal = RCC_MAX (target_bps * r->period / 8.0, 1.0);
  const double over = RCC_MAX (0.0, (s->bytes - nominal) / nominal);
  const double error = (1e-9 * (double) waited - r->period / 4.0) / r->period;
  const double period = 1e-9 * (double) (now - s->began);

  r->adjust = RCC_CLAMP (r->adjust + error * config->adjust_gain, 0.0, ADJUST_MOST);
  r->deviation = RCC_MIN (DEVIATION_MOST,
      (1.0 - config->frame_gain) * r->deviation + config->frame_gain * over);
  r->period += PERIOD_GAIN * (RCC_CLAMP (period, PERIOD_LEAST, PERIOD_MOST) - r->period);
}

void
rcc_scream_rate_sent (RccScreamRate *r, const RccScreamConfig *config, const RccPacket *packet,
    RccTime waited, double target_bps)
{
  RccScreamStream *s = stream_of (r, packet->ssrc);

  if (s->began != RCC_NEVER && s->timestamp == packet->timestamp) {
    s->bytes += packet->size;
    return;
  }
  if (s->began != RCC_NEVER) {
    s->mean = s->mean > 0 ? s->mean + SIZE_GAIN * (s->bytes - s->mean) : s->bytes;
    if (has_largest_frames (r, s))
      note_frame (r, config, s, waited, packet->sent, target_bps);
  }
  s->timestamp = packet->timestamp;
  s->began = packet->sent;
  s->bytes = packet->size;
}

/* What is left of window over round trip, but for the send queue and frames. */
static double
share (const RccScreamConfig *config, double bytes)
{
  const double ratio = config->mss / bytes;
  const double payload = (double) config->mss / (config->mss + config->packet_overhead);

  return (1.0 - RCC_CLAMP (ratio - SMALL_FROM, 0.0, SMALL_MOST)) * payload;
}

double
rcc_scream_rate_target (const RccScreamRate *r, const RccScreamConfig *config, double bytes,
    RccTime rtt)
{
  return share (config, bytes) / (ROOM + r->adjust + r->deviation) * 8e9 * bytes / (double) rtt;
}

/* With the share of a large window first, then with that of the window found: two steps are
 * within 2 % of it. */
double
rcc_scream_rate_window (const RccScreamConfig *config, double bps, RccTime rtt)
{
  double bytes = bps * (double) rtt / 8e9 * ROOM;

  for (unsigned i = 0; i < 8; i++)
    bytes = bps * (double) rtt / 8e9 * ROOM / share (config, RCC_MAX (bytes, 1.0));
  return bytes;
}

double
rcc_scream_rate_pacing (const RccScreamConfig *config, double target_bps, double most_bps)
{
  const double bps = config->pacing_headroom * RCC_MAX (target_bps, config->pacing_min);
  const double over = (target_bps / RCC_MAX (most_bps, 1.0) - config->relaxed_from)
      / (1.0 - config->relaxed_from);

  return bps / RCC_CLAMP (1.0 - over, 1.0 / config->relaxed_pacing, 1.0);
}
