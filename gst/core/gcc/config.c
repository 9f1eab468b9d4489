/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/gcc/config.h"

/* Carlucci et al., ANRW'16.  Where the paper gives a range or nothing:
 * eta, beta and the detector's constants are draft-ietf-rmcat-gcc-02's, the gain of
 * 60 is libwebrtc's (the paper's m against 12.5 ms would never cross), REMB every
 * second and at once below 97 % is MMSys'16.  A feedback timeout is in no paper;
 * it acts only once the paper's controller has nothing left to go by. */
static const RccGccConfig paper = {
  .profile = RCC_GCC_PAPER,
  .grouping = RCC_GROUPING_PAPER, .burst = 5 * RCC_MSEC, .merge_cap = RCC_NEVER,
  .filter = RCC_FILTER_KALMAN, .clip = 3.0, .gain = 60.0, .overuse = RCC_OVERUSE_DRAFT,
  .aimd = { .eta = 1.08, .beta = 0.85, .cap = 1.5 },
  .rate_window = 500 * RCC_MSEC,
  .loss = RCC_LOSS_PAPER, .pacing_factor = 1.0,
  .feedback_timeout = 5 * RCC_SEC,
  .feedback_interval = RCC_SEC,
};

/* What differs from `paper', and why; tests/sim/test-rfc8867.c and test-wifi.c print
 * the figures:
 *  - the draft's grouping: Algorithm 1 compares departures with the packet before, so
 *    a sender that leaves no 5 ms gaps would hardly ever close a group;
 *  - the trendline with libwebrtc's threshold, held for 30 ms: the shortest queue of
 *    all pairs on a wired path, and with the pre-filter the best rate for its delay on
 *    the Wi-Fi trace;
 *  - the bursts of a sender that wakes late are not merged (merge_faster, gcc-groups.c), and
 *    the queue that a decrease goes by is its least of 30 to 60 ms (gcc-delay.c);
 *    tests/sim/test-late.c;
 *  - over-use acts on a queue that has stood for 60 ms (a frame, a probe or a short outage
 *    leaves one that goes by itself), and the rate it goes by is what left that queue: what
 *    came before is what the source made;
 *  - after a decrease, back to just below the measured capacity, then additively;
 *  - probes each second.  They ride on the frames, so they cost few bytes; pacing at
 *    1.05 leaves the encoder's bursts in the sender, where they hurt nobody else;
 *  - the first probe after a fall is at 1.5 times the target: the queue of five flows (RFC 8867
 *    5.5, over ns-3) has 126 ms in the 95th percentile, with 2 times 174; more care than that
 *    takes longer to climb (5.1) and costs fairness.
 *
 * Not on: pacing-floor 1.5 keeps what an encoder makes at its least rate from being dropped
 * here, but fills links that are slower. */
static const RccGccConfig best = {
  .profile = RCC_GCC_DEFAULT,
  .grouping = RCC_GROUPING_DRAFT, .burst = 5 * RCC_MSEC,
  .merge_cap = 100 * RCC_MSEC, .merge_faster = 2.0,
  .filter = RCC_FILTER_TRENDLINE, .clip = 3.0, .gain = 60.0,
  .overuse = { 0.0087, 0.039, 30 * RCC_MSEC },
  .aimd = { .eta = 1.08, .beta = 0.85, .cap = 1.5, .converge = true, .learn = 0.3,
      .beta_small = 0.97, .drain_time = 600 * RCC_MSEC, .queue_floor = 15 * RCC_MSEC,
      .recover = 0.97 },
  .rate_window = 500 * RCC_MSEC, .fast_window = 200 * RCC_MSEC, .stand_time = 60 * RCC_MSEC,
  .loss = RCC_LOSS_RELEASE, .pacing_factor = 1.05, .queue_drain = RCC_SEC,
  .backlog_from = 200 * RCC_MSEC, .backlog_over = RCC_SEC,
  .feedback_timeout = 2 * RCC_SEC,
  .probe_first = 3.0, .probe_factor = 2.0, .probe_later = 1.5,
  .probe_interval = RCC_SEC, .probe_span = 30 * RCC_MSEC,
  .feedback_interval = 200 * RCC_MSEC, .trains = true, .train_factor = 1.15,
};

/* draft-alvestrand-rtcweb-congestion-02/-03: frames are the groups, nothing is merged, the
 * threshold stands at 25 ms for 100 ms, the filter has the noise that its code had then, a
 * decrease goes to 0.9 R of its 0.8 to 0.95. */
static const RccGccConfig rrtcc = {
  .profile = RCC_GCC_RRTCC,
  .grouping = RCC_GROUPING_NONE, .burst = RCC_MSEC, .merge_cap = RCC_NEVER,
  .filter = RCC_FILTER_KALMAN2, .slope_noise = 1e-10, .offset_noise = 1e-2, .clip = 3.0,
  .gain = 60.0,
  .overuse = { 0.0, 0.0, 100 * RCC_MSEC, 25.0 },
  .aimd = { .eta = 1.08, .eta_varies = true, .beta = 0.9, .cap = 1.5 },
  .rate_window = 500 * RCC_MSEC,
  .loss = RCC_LOSS_2012, .pacing_factor = 2.5,
  .feedback_timeout = 5 * RCC_SEC,
  .feedback_interval = RCC_SEC,
};

const RccField rcc_gcc_config_fields[] = {
  RCC_FIELD (RccGccConfig, burst, "burst", RCC_TIME, "ns"),
  RCC_FIELD (RccGccConfig, merge_cap, "merge-cap", RCC_TIME, "ns"),
  RCC_FIELD (RccGccConfig, merge_faster, "merge-faster", RCC_DOUBLE, ""),
  RCC_FIELD (RccGccConfig, slope_noise, "slope-noise", RCC_DOUBLE, ""),
  RCC_FIELD (RccGccConfig, offset_noise, "offset-noise", RCC_DOUBLE, "ms^2"),
  RCC_FIELD (RccGccConfig, clip, "clip", RCC_DOUBLE, "standard deviations"),
  RCC_FIELD (RccGccConfig, gain, "gain", RCC_DOUBLE, ""),
  RCC_FIELD (RccGccConfig, overuse.k_up, "threshold-up", RCC_DOUBLE, "1/ms"),
  RCC_FIELD (RccGccConfig, overuse.k_down, "threshold-down", RCC_DOUBLE, "1/ms"),
  RCC_FIELD (RccGccConfig, overuse.threshold, "threshold-start", RCC_DOUBLE, "ms"),
  RCC_FIELD (RccGccConfig, overuse.overuse_time, "overuse-time", RCC_TIME, "ns"),
  RCC_FIELD (RccGccConfig, aimd.eta, "eta", RCC_DOUBLE, "1/s"),
  RCC_FIELD (RccGccConfig, aimd.eta_varies, "eta-varies", RCC_BOOL, ""),
  RCC_FIELD (RccGccConfig, aimd.beta, "beta", RCC_DOUBLE, ""),
  RCC_FIELD (RccGccConfig, aimd.cap, "cap", RCC_DOUBLE, ""),
  RCC_FIELD (RccGccConfig, aimd.converge, "converge", RCC_BOOL, ""),
  RCC_FIELD (RccGccConfig, aimd.learn, "learn", RCC_DOUBLE, ""),
  RCC_FIELD (RccGccConfig, aimd.beta_small, "beta-small", RCC_DOUBLE, ""),
  RCC_FIELD (RccGccConfig, aimd.drain_time, "drain-time", RCC_TIME, "ns"),
  RCC_FIELD (RccGccConfig, aimd.queue_floor, "queue-floor", RCC_TIME, "ns"),
  RCC_FIELD (RccGccConfig, aimd.recover, "recover", RCC_DOUBLE, ""),
  RCC_FIELD (RccGccConfig, rate_window, "rate-window", RCC_TIME, "ns"),
  RCC_FIELD (RccGccConfig, fast_window, "fast-window", RCC_TIME, "ns"),
  RCC_FIELD (RccGccConfig, ecn_as_loss, "ecn-as-loss", RCC_BOOL, ""),
  RCC_FIELD (RccGccConfig, stand_time, "stand-time", RCC_TIME, "ns"),
  RCC_FIELD (RccGccConfig, pacing_factor, "pacing-factor", RCC_DOUBLE, ""),
  RCC_FIELD (RccGccConfig, queue_drain, "queue-drain", RCC_TIME, "ns"),
  RCC_FIELD (RccGccConfig, backlog_from, "backlog-from", RCC_TIME, "ns"),
  RCC_FIELD (RccGccConfig, backlog_over, "backlog-over", RCC_TIME, "ns"),
  RCC_FIELD (RccGccConfig, pacing_floor, "pacing-floor", RCC_DOUBLE, ""),
  RCC_FIELD (RccGccConfig, feedback_timeout, "feedback-timeout", RCC_TIME, "ns"),
  RCC_FIELD (RccGccConfig, probe_first, "probe-first", RCC_DOUBLE, ""),
  RCC_FIELD (RccGccConfig, probe_factor, "probe-factor", RCC_DOUBLE, ""),
  RCC_FIELD (RccGccConfig, probe_later, "probe-later", RCC_DOUBLE, ""),
  RCC_FIELD (RccGccConfig, probe_interval, "probe-interval", RCC_TIME, "ns"),
  RCC_FIELD (RccGccConfig, probe_span, "probe-span", RCC_TIME, "ns"),
  RCC_FIELD (RccGccConfig, feedback_interval, "feedback-interval", RCC_TIME, "ns"),
  RCC_FIELD (RccGccConfig, trains, "trains", RCC_BOOL, ""),
  RCC_FIELD (RccGccConfig, train_factor, "train-factor", RCC_DOUBLE, ""),
  RCC_FIELDS_END,
};

RccGccConfig
rcc_gcc_config (RccGccProfile profile)
{
  return profile == RCC_GCC_PAPER ? paper : profile == RCC_GCC_RRTCC ? rrtcc : best;
}
