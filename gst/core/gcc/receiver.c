/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * ANRW'16 3, feedback timing of MMSys'16.  Departs from them: `default` has no
 * estimate until half a second of packets or a train gave one (the paper starts
 * from a set rate), and tells a rise at once too, because a probe is only worth its
 * bytes when the sender hears of it; nobody is told about a stream that has ended.
 * The interval of arrivals is RFC 8888's; the share of RTCP is then reckoned from
 * what is received, as there is no estimate to reckon from.
 */
#include "core/gcc/receiver.h"

#define RTCP_SHARE 0.05                 /* RFC 3550 6.2 */
#define REPORT 100                      /* bytes of a report without repeats, UDP and IP included */
#define REPEAT_SIZE 2                   /* bytes; RFC 8888 3.1 */
#define UNPROBED (5 * RCC_SEC)          /* our senders probe each second */
#define TOGETHER 16                     /* packets, where none is missing and no loss is still to be
                                         * given up: means move slowly */
#define SILENCE (2 * RCC_SEC)           /* libwebrtc drops a stream after so long */

const RccField rcc_gcc_receiver_fields[] = {
  RCC_FIELD (RccGccReceiver, bps, "estimated-bitrate", RCC_U32, "bit/s"),
  RCC_FIELD (RccGccReceiver, reported_bps, "reported-bitrate", RCC_U32, "bit/s"),
  RCC_FIELD (RccGccReceiver, packets, "packets-received", RCC_U64, ""),
  RCC_FIELD (RccGccReceiver, bytes, "bytes-received", RCC_U64, "B"),
  RCC_FIELD (RccGccReceiver, feedbacks, "feedback-count", RCC_U64, ""),
  RCC_FIELD (RccGccReceiver, early, "early-feedback-count", RCC_U64, ""),
  RCC_FIELDS_END,
};

static void
settle (RccGccReceiver *r)
{
  const double lo = r->limits.min_bps, hi = RCC_MAX (r->limits.max_bps, lo);

  r->bps = (uint32_t) RCC_CLAMP (rcc_gcc_delay_bps (&r->delay), lo, hi);
}

void
rcc_gcc_receiver_init (RccGccReceiver *r, const RccGccConfig *config,
    const RccConfig *limits)
{
  *r = (RccGccReceiver) {
    .config = *config, .limits = *limits, .reported = RCC_NEVER,
    .first = RCC_NEVER, .train_at = RCC_NEVER, .deferred_at = RCC_NEVER, .heard = RCC_NEVER,
    .rtcp_share = RTCP_SHARE,
    .valid = config->profile == RCC_GCC_PAPER && !config->arrivals,
  };
  rcc_gcc_delay_init (&r->delay, config, limits->start_bps);
  rcc_probe_finder_init (&r->trains, config->train_factor, config->reordering);
  settle (r);
}

void
rcc_gcc_receiver_limits (RccGccReceiver *r, const RccConfig *limits)
{
  r->limits = *limits;
  settle (r);
}

static void
first_estimate (RccGccReceiver *r, RccTime now)
{
  const bool over = r->delay.overuse.usage == RCC_USAGE_OVER;
  double bps;

  if (!over && !rcc_window_full (&r->delay.rate, now))
    return;
  bps = rcc_window_bps (&r->delay.rate, now);
  r->valid = true;
  /* what came is too much: below it, as after every over-use */
  rcc_gcc_delay_raise (&r->delay, over ? r->config.aimd.beta * bps : bps, now);
}

/* What comes at once is asked for far more often than probes are, and the best of many claims is
 * too good.  Others' packets that waited leave it more room than there is. */
static bool
is_believed (RccGccReceiver *r, RccTime arrival)
{
  if (r->config.train_interval == 0 || !r->trains.deferred)
    return true;
  if (r->delay.aimd.doubt.crowded || (r->deferred_at != RCC_NEVER
          && arrival - r->deferred_at < r->config.train_interval))
    return false;
  r->deferred_at = arrival;
  return true;
}

static double
find_train (RccGccReceiver *r, RccTime send, RccTime arrival, uint32_t size)
{
  const double train = rcc_probe_finder_add (&r->trains, send, arrival, size,
      rcc_gcc_delay_bps (&r->delay));

  return train > 0 && is_believed (r, arrival) ? train : 0.0;
}

void
rcc_gcc_receiver_packet (RccGccReceiver *r, RccTime send, RccTime arrival,
    uint32_t size)
{
  bool anew = false;

  r->packets++;
  r->bytes += size;
  r->heard = arrival;
  if (r->first == RCC_NEVER)
    r->first = arrival;
  if (send == RCC_NEVER || r->config.arrivals) {
    rcc_window_add (&r->delay.rate, size, arrival);
    return;
  }
  if (r->config.trains) {
    const double train = find_train (r, send, arrival, size);

    if (train > 0)
      r->train_at = arrival;
    r->delay.aimd.unprobed = (r->train_at == RCC_NEVER ? r->first : r->train_at) + UNPROBED
        < arrival;
    if (train > 0 && r->delay.overuse.usage != RCC_USAGE_OVER) {
      rcc_gcc_delay_probed (&r->delay, train, 0, arrival);      /* config.c: probe-trust */
      anew = r->valid = true;
    }
  }
  anew |= rcc_gcc_delay_packet (&r->delay, send, arrival, size);
  if (!r->valid) {
    first_estimate (r, arrival);
    anew |= r->valid;
  }
  if (anew)
    settle (r);
}

void
rcc_gcc_receiver_missing (RccGccReceiver *r, uint64_t missing)
{
  const double more = (double) (int64_t) (missing - r->missing);

  if (more == 0 && ++r->came < (r->behind > 0 ? 1 : TOGETHER))
    return;
  if (r->came > 0)                      /* before the loss, not after it */
    rcc_gcc_delay_losses (&r->delay, 0, r->came);
  r->came = 0;
  r->behind = more != 0 ? RCC_TFRC_NDUPACK : r->behind - (r->behind > 0);
  if (more != 0)
    rcc_gcc_delay_losses (&r->delay, more, RCC_MAX (more, 0.0) + 1.0);
  r->missing = missing;
}

static RccTime
arrivals_deadline (const RccGccReceiver *r)
{
  if (r->more)
    return r->allowed;
  if (r->packets == r->reported_packets)
    return RCC_NEVER;
  return RCC_MAX (r->allowed, (r->reported == RCC_NEVER ? r->first : r->reported)
      + r->config.feedback_interval);
}

RccTime
rcc_gcc_receiver_deadline (const RccGccReceiver *r)
{
  bool urgent;

  if (r->config.arrivals)
    return arrivals_deadline (r);
  if (!r->valid || r->packets == 0)
    return RCC_NEVER;
  if (r->reported == RCC_NEVER)
    return 0;
  if (r->reported >= r->heard + SILENCE)
    return RCC_NEVER;
  urgent = UINT64_C (100) * r->bps < UINT64_C (97) * r->reported_bps
      || (r->config.trains && UINT64_C (100) * r->bps > UINT64_C (103) * r->reported_bps);
  return urgent ? r->allowed
      : RCC_MAX (r->allowed, r->reported + r->config.feedback_interval);
}

static uint32_t
session_bps (RccGccReceiver *r, RccTime now)
{
  if (!r->config.arrivals)
    return RCC_MAX (r->bps, 1);
  return RCC_MAX (rcc_window_bps (&r->delay.rate, now), RCC_MAX (r->limits.start_bps, 1));
}

/* Repeating is for feedback that is lost.  It must not make feedback rare: it takes what RTCP's
 * share leaves over in an interval. */
unsigned
rcc_gcc_receiver_repeat (RccGccReceiver *r, RccTime now)
{
  const double room = r->rtcp_share * session_bps (r, now)
      * (double) r->config.feedback_interval / 8e9;

  return room <= REPORT ? 0 : (unsigned) RCC_MIN ((room - REPORT) / REPEAT_SIZE,
      (double) r->config.repeat);
}

void
rcc_gcc_receiver_reported (RccGccReceiver *r, uint32_t size, bool more, RccTime now)
{
  const double bandwidth = r->rtcp_share * session_bps (r, now);
  /* what is left over keeps to the share from where the report began: a late clock makes
   * several at once of it */
  const RccTime from = r->more ? RCC_MIN (r->allowed, now) : now;

  r->feedbacks++;
  r->more = more;
  r->reported_packets = r->packets;
  r->early += r->reported != RCC_NEVER && now < r->reported + r->config.feedback_interval;
  r->reported = now;
  r->reported_bps = r->bps;
  r->allowed = from + (RccTime) (8e9 * size / bandwidth);
}
