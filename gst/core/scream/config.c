/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Sections are those of draft-ietf-ccwg-rfc8298bis-screamv2-01.
 */
#include "core/scream/config.h"

#define ROW(member, name, type, unit, least, most, text, section) \
  RCC_SETTING (RccScreamConfig, member, "scream-" name, type, false, unit, least, most, text, \
      "screamv2 " section)
#define NUMBER(member, name, least, most, text, section) \
  ROW (member, name, RCC_SET_DOUBLE, "", least, most, text, section)
#define BYTES(member, name, least, text, section) \
  ROW (member, name, RCC_SET_U32, "B", least, 1e6, text, section)
#define TIME(member, name, text, section) \
  ROW (member, name, RCC_SET_TIME, "ns", 1e6, 1e10, text, section)
#define SWITCH(member, name, text, section) \
  ROW (member, name, RCC_SET_BOOL, "", 0, 1, text, section)

RccScreamConfig
rcc_scream_config (void)
{
  return (RccScreamConfig) {
    .mss = 1000, .min_window = 3000, .beta_loss = 0.7, .beta_ecn = 0.8,
    .alpha_up = 1.0 / 8.0, .alpha_down = 1.0 / 128.0,
    .qdelay_target = 60 * RCC_MSEC, .qdelay_gain = 0.25, .jitter_threshold = 10 * RCC_MSEC,
    .virtual_rtt = 25 * RCC_MSEC, .post_congestion_rtts = 100.0, .increase = 0.02,
    .headroom = 1.5, .overhead_min = 1.5, .overhead_max = 3.0,
    .pacing_headroom = 1.5, .pacing_min = 50000, .relaxed_pacing = 4.0, .relaxed_from = 0.8,
    .packet_overhead = 20, .adjust_gain = 1.0 / 16.0, .frame_gain = 1.0 / 64.0,
    .clock_drift = true,
    .loss_threshold = 0.01, .policer_threshold = 0.1, .beta_policer = 0.9,
  };
}

const RccSetting rcc_scream_settings[] = {
  SWITCH (l4s, "l4s", "CE marks count in proportion, as L4S has it", "4.2.1.3: off"),
  BYTES (mss, "mss", 100, "Largest packet", "4.2.2: 1000"),
  BYTES (min_window, "min-window", 100, "Smallest reference window", "4.2.2: 3000"),
  NUMBER (beta_loss, "beta-loss", 0, 1, "What losses leave of the window", "4.2.2: 0.7"),
  NUMBER (beta_ecn, "beta-ecn", 0, 1, "What CE leaves of it as classic ECN", "4.2.2: 0.8"),
  NUMBER (alpha_up, "alpha-up", 0, 1, "Weight of the share of marks, if it is above the mean",
      "4.2.1.3: 1/8"),
  NUMBER (alpha_down, "alpha-down", 0, 1, "The same, if it is below", "4.2.1.3: 1/128"),
  TIME (qdelay_target, "qdelay-target", "Queue from half of which on the window shrinks",
      "4.2.2: 60 ms"),
  NUMBER (qdelay_gain, "qdelay-gain", 0, 1, "Weight of a queue that is above the mean",
      "4.2.1.4: 1/4"),
  SWITCH (reduce_jitter, "reduce-jitter", "Grow slower where the queue varies", "4.2.1.4: off"),
  TIME (jitter_threshold, "jitter-threshold", "Variation at which the window grows slowest",
      "4.2.1.4: 10 ms"),
  TIME (virtual_rtt, "virtual-rtt", "Round trips below are taken for this", "4.2.2: 25 ms"),
  NUMBER (post_congestion_rtts, "post-congestion-rtts", 1, 1e6,
      "Round trips after congestion until the window grows at its fastest", "4.2.2: 100"),
  NUMBER (increase, "increase", 0, 1, "Largest growth in a round trip", "4.2.2: 0.02"),
  NUMBER (headroom, "headroom", 1, 10, "Window over bytes in flight", "4.2.2: 1.5"),
  NUMBER (overhead_min, "overhead-min", 1, 10,
      "Bytes in flight over the window, where the queue varies", "4.3.1: 1.5"),
  NUMBER (overhead_max, "overhead-max", 1, 10, "The same, where it does not", "4.3.1: 3"),
  NUMBER (pacing_headroom, "pacing-headroom", 1, 10, "Pacing rate over the target", "4.3.2: 1.5"),
  ROW (pacing_min, "pacing-min", RCC_SET_U32, "bit/s", 1000, 1e9, "Smallest pacing rate",
      "4.3.2: 50 kbit/s"),
  NUMBER (relaxed_pacing, "relaxed-pacing", 1, 100, "Further factor at the maximum rate",
      "4.3.2: 4"),
  NUMBER (relaxed_from, "relaxed-from", 0, 0.99,
      "Share of the maximum rate from which that factor grows", "4.3.2: 0.8"),
  BYTES (packet_overhead, "packet-overhead", 0, "What packets cost beside their payload",
      "4.4: 20"),
  NUMBER (adjust_gain, "adjust-gain", 0, 1, "Weight of the send queue in the target",
      "4.4: 1/16"),
  NUMBER (frame_gain, "frame-gain", 0, 1, "Weight of a large frame in the target", "4.4: 1/64"),
  SWITCH (clock_drift, "clock-drift", "Learn the base delay anew where the queue never empties",
      "4.5.1: ours, on"),
  SWITCH (conditional_loss, "conditional-loss", "Losses count from a loss rate on",
      "4.5.2: ours, off"),
  NUMBER (loss_threshold, "loss-threshold", 0, 1, "That loss rate", "4.5.2: 0.01"),
  SWITCH (policer, "policer", "Look for policers and limit the window", "4.5.2: ours, off"),
  NUMBER (policer_threshold, "policer-threshold", 0, 1, "Loss rate that tells of one",
      "4.5.2: 0.1"),
  NUMBER (beta_policer, "beta-policer", 0, 1, "What it leaves of the window", "4.5.2: 0.9"),
  SWITCH (undershoot, "undershoot", "Shrink less while the target is below what arrives",
      "4.5.3: ours, off"),
  RCC_SETTINGS_END
};
