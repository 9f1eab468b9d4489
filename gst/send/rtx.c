/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "send/rtx.h"

#define RTT_UNKNOWN (100 * RCC_MSEC)
#define PENDING_MAX RCC_SEC             /* whoever keeps packets has none, or is gone */
#define LEAST_BITS (4 * 1500 * 8.0)     /* of the budget: a low rate may repair too */
#define RATE_WINDOW RCC_SEC
#define BACK_OFF_MAX 4                  /* 16 round trips: longer than anything lives */

const RccField rcc_rtx_fields[] = {
  RCC_FIELD (RccRtx, packets, "retransmissions-sent", RCC_U64, ""),
  RCC_FIELD (RccRtx, bytes, "retransmission-bytes-sent", RCC_U64, "B"),
  RCC_FIELD (RccRtx, heard, "nacks-heard", RCC_U64, ""),
  RCC_FIELD (RccRtx, unknown, "nacks-unknown", RCC_U64, ""),
  RCC_FIELD (RccRtx, repeated, "nacks-repeated", RCC_U64, ""),
  RCC_FIELD (RccRtx, late, "nacks-late", RCC_U64, ""),
  RCC_FIELD (RccRtx, over_budget, "nacks-over-budget", RCC_U64, ""),
  RCC_FIELDS_END,
};

RccRtxConfig
rcc_rtx_config (void)
{
  return (RccRtxConfig) { .share = 0.5, .burst = RCC_SEC, .life = RCC_SEC };
}

void
rcc_rtx_init (RccRtx *r, const RccRtxConfig *config, RccTime now)
{
  *r = (RccRtx) { .config = *config, .updated = now, .bits = LEAST_BITS };
  rcc_window_init (&r->sent, RATE_WINDOW);
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
  for (uint64_t q##_n = 0; q##_n < RCC_MIN ((r)->heard, RCC_RTX_REQUESTS) \
      && ((q) = &(r)->requests[((r)->heard - 1 - q##_n) % RCC_RTX_REQUESTS], true); q##_n++)

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

static bool
is_too_soon (const RccRtxRequest *before, RccTime rtt, RccTime now)
{
  const RccTime wait = rtt << RCC_MIN (before->copies - 1, BACK_OFF_MAX);

  return now < before->at + (before->pending ? PENDING_MAX : wait);
}

bool
rcc_rtx_request (RccRtx *r, const RccRtxPacket *packet, uint32_t target_bps, RccTime rtt,
    RccTime now)
{
  const RccTime trip = rtt == RCC_NEVER ? RTT_UNKNOWN : rtt;
  const RccTime life = RCC_MAX (r->config.life, 2 * trip);
  const RccRtxRequest *before = find_request (r, packet);

  if (packet->sent == RCC_NEVER || now > packet->sent + life) {
    r->late++;
    return false;
  }
  if (before && is_too_soon (before, trip, now)) {
    r->repeated++;
    return false;
  }
  if (!spend (r, packet->size, target_bps, now)) {
    r->over_budget++;
    return false;
  }
  r->requests[r->heard++ % RCC_RTX_REQUESTS] = (RccRtxRequest) {
    .ssrc = packet->ssrc, .former = packet->former, .left = packet->left,
    .size = packet->size, .at = now, .pending = true,
    .copies = before ? before->copies + 1 : 1,
  };
  return true;
}

bool
rcc_rtx_answer (const RccRtx *r, uint16_t former, uint16_t *left)
{
  const RccRtxRequest *q;

  each_request (r, q)
    if (q->former == former) {
      *left = q->left;
      return true;
    }
  return false;
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
    if (q->former == former) {
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
