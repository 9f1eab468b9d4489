/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "send/rtx.h"

#define REQUESTS_LEAST 8                /* there is room for, a power of two */
#define RTT_UNKNOWN (100 * RCC_MSEC)
#define PENDING_MAX RCC_SEC             /* whoever keeps packets has none, or is gone */
#define LEAST_BITS (4 * 1500 * 8.0)     /* of the budget: a low rate may repair too */
#define RATE_WINDOW RCC_SEC
#define GIVE_UP (150 * RCC_MSEC)        /* a key frame takes about as long, or less */
#define AGAIN (10 * RCC_MSEC)           /* a packet is asked for twice if so far apart */
#define TOO_EARLY 0.75                  /* of the least round trip: a machine that woke late may
                                         * have made the measured one longer than it is */

const RccField rcc_rtx_fields[] = {
  RCC_FIELD (RccRtx, packets, "retransmissions-sent", RCC_U64, ""),
  RCC_FIELD (RccRtx, bytes, "retransmission-bytes-sent", RCC_U64, "B"),
  RCC_FIELD (RccRtx, heard, "nacks-heard", RCC_U64, ""),
  RCC_FIELD (RccRtx, unknown, "nacks-unknown", RCC_U64, ""),
  RCC_FIELD (RccRtx, repeated, "nacks-repeated", RCC_U64, ""),
  RCC_FIELD (RccRtx, early, "nacks-early", RCC_U64, ""),
  RCC_FIELD (RccRtx, late, "nacks-late", RCC_U64, ""),
  RCC_FIELD (RccRtx, doubted, "nacks-doubted", RCC_U64, ""),
  RCC_FIELD (RccRtx, over_budget, "nacks-over-budget", RCC_U64, ""),
  RCC_FIELD (RccRtx, given_up, "nacks-given-up", RCC_U64, ""),
  RCC_FIELDS_END,
};

RccRtxConfig
rcc_rtx_config (void)
{
  return (RccRtxConfig) { .share = 0.5, .burst = RCC_SEC, .life = RCC_SEC, .give_up = GIVE_UP };
}

void
rcc_rtx_init (RccRtx *r, const RccRtxConfig *config, RccResize resize, RccTime now)
{
  *r = (RccRtx) { .resize = resize };
  rcc_rtx_restart (r, config, now);
}

void
rcc_rtx_restart (RccRtx *r, const RccRtxConfig *config, RccTime now)
{
  *r = (RccRtx) { .resize = r->resize, .requests = r->requests, .room = r->room,
    .config = *config, .updated = now, .bits = LEAST_BITS };
  rcc_window_init (&r->sent, RATE_WINDOW);
}

void
rcc_rtx_clear (RccRtx *r)
{
  rcc_release (r->resize, r->requests);
  r->requests = NULL;
  r->noted = r->room = 0;
}

static void
earn (RccRtx *r, uint32_t target_bps, RccTime now)
{
  const double bps = r->config.share * target_bps;
  const double most = RCC_MAX (bps * (double) r->config.burst * 1e-9, LEAST_BITS);

  r->bits = RCC_MIN (r->bits + bps * (double) (now - r->updated) * 1e-9, most);
  r->updated = now;
}

static bool
spend (RccRtx *r, uint32_t size, uint32_t target_bps, RccTime now)
{
  earn (r, target_bps, now);
  if (r->bits < 8.0 * size)
    return false;
  r->bits -= 8.0 * size;
  return true;
}

/* Newest first. */
#define each_request(r, q) \
  for (uint64_t q##_n = 0; q##_n < RCC_MIN ((r)->noted, RCC_RTX_REQUESTS) \
      && ((q) = &(r)->requests[((r)->noted - 1 - q##_n) % RCC_RTX_REQUESTS], true); q##_n++)

/* The newest request for @packet; NULL: there was none. */
static const RccRtxRequest *
find_request (const RccRtx *r, const RccRtxPacket *packet)
{
  const RccRtxRequest *q;

  each_request (r, q)
    if (q->ssrc == packet->ssrc && q->left == packet->left)
      return q;
  return NULL;
}

static RccTime
next_at (const RccRtxRequest *before, RccTime rtt)
{
  if (!before->heard)
    return before->at + AGAIN;
  return before->at + (before->pending ? PENDING_MAX : RCC_MAX (rtt, before->trip));
}

/* Nobody can miss a packet before it could have come. */
static bool
is_too_early (const RccRtxPacket *packet, const RccRtxPath *path, RccTime now)
{
  return path->rtt_min != RCC_NEVER
      && (double) (now - packet->sent) < TOO_EARLY * (double) path->rtt_min;
}

static void
note (RccRtx *r, const RccRtxPacket *packet, const RccRtxRequest *before, bool heard,
    RccTime now)
{
  const RccTime trip = before ? before->trip : now - RCC_MIN (packet->sent, now);

  if (r->noted == r->room && r->room < RCC_RTX_REQUESTS) {
    r->room = RCC_MAX (REQUESTS_LEAST, 2 * r->room);
    r->requests = r->resize (r->requests, r->room * sizeof *r->requests);
  }
  r->heard += heard;
  r->requests[r->noted++ % RCC_RTX_REQUESTS] = (RccRtxRequest) {
    .ssrc = packet->ssrc, .former = packet->former, .left = packet->left,
    .size = packet->size, .at = now, .empty = packet->empty, .heard = heard, .pending = heard,
    .trip = trip,
  };
}

void
rcc_rtx_requested (RccRtx *r, const RccRtxPacket *packet, RccTime now)
{
  note (r, packet, find_request (r, packet), true, now);
}

static RccTime
trip_of (const RccRtxPath *path)
{
  return path->rtt == RCC_NEVER ? RTT_UNKNOWN : path->rtt;
}

static bool
is_old (const RccRtx *r, const RccRtxPacket *packet, RccTime trip, RccTime now)
{
  return packet->sent == RCC_NEVER
      || now > packet->sent + RCC_MAX (r->config.life, 2 * trip);
}

/* The counter of those that are refused for what it is and when; NULL: for neither. */
static uint64_t *
refusal (RccRtx *r, const RccRtxPacket *packet, const RccRtxPath *path,
    const RccRtxRequest *before, RccTime now)
{
  const RccTime trip = trip_of (path);

  if (is_old (r, packet, trip, now))
    return &r->late;
  if (is_too_early (packet, path, now))
    return &r->early;
  return before && now < next_at (before, trip) ? &r->repeated : NULL;
}

bool
rcc_rtx_request (RccRtx *r, const RccRtxPacket *packet, const RccRtxPath *path,
    RccSpurious *stream, RccTime now)
{
  const RccRtxRequest *before = find_request (r, packet);
  uint64_t *refused = refusal (r, packet, path, before, now);
  const bool heard = before || !stream->alone;

  if (!refused && heard && !spend (r, packet->size, path->target_bps, now))
    refused = &r->over_budget;
  if (refused) {
    ++*refused;
    return false;
  }
  if (!before)
    rcc_spurious_asked (stream);
  r->doubted += !heard;
  r->spurious |= stream->likely;
  note (r, packet, before, heard, now);
  return heard;
}

/* bits of copies that have been asked for and have not left. */
static double
waiting (const RccRtx *r, RccTime now)
{
  const RccRtxRequest *q;
  double bytes = 0.0;

  each_request (r, q)
    if (q->pending && now < q->at + PENDING_MAX)
      bytes += q->size;
  return 8.0 * bytes;
}

bool
rcc_rtx_is_hopeless (const RccRtx *r, const RccRtxPacket *packet, const RccRtxPath *path,
    RccTime now)
{
  const double most = (double) path->target_bps * (double) r->config.give_up * 1e-9;
  const RccRtxRequest *before;

  if (r->config.give_up == RCC_NEVER)
    return false;
  if (is_old (r, packet, trip_of (path), now))
    return true;
  before = find_request (r, packet);
  return !(before && before->heard)
      && waiting (r, now) + 8.0 * packet->size > RCC_MAX (most, LEAST_BITS);
}

const RccRtxRequest *
rcc_rtx_answer (const RccRtx *r, uint16_t former)
{
  const RccRtxRequest *q;

  each_request (r, q)
    if (q->heard && q->former == former)
      return q;
  return NULL;
}

bool
rcc_rtx_admit (RccRtx *r, bool asked, uint32_t size, uint32_t target_bps, RccTime now)
{
  r->unasked += !asked;
  return asked || spend (r, size, target_bps, now);
}

void
rcc_rtx_left (RccRtx *r, uint16_t former, uint32_t size, bool dropped, RccTime now)
{
  RccRtxRequest *q;

  each_request (r, q)
    if (q->heard && q->former == former) {
      q->pending = false;
      q->at = now;
      break;
    }
  if (dropped)
    return;
  r->packets++;
  r->bytes += size;
  rcc_window_add (&r->sent, size, now);
}

uint32_t
rcc_rtx_bps (RccRtx *r, RccTime now)
{
  if (now >= r->sent.edge)
    rcc_window_turn (&r->sent, now);
  return (uint32_t) RCC_MIN (8e9 / RATE_WINDOW * (double) r->sent.sum, UINT32_MAX);
}
