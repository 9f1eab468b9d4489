/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Sources: gcc-02 is draft-ietf-rmcat-gcc-02, rtcweb-02 is draft-alvestrand-rtcweb-congestion-02,
 * ANRW'16 is Carlucci et al.  Without one it is ours: config.c says why.
 */
#include "core/gcc/config.h"

static const RccChoice profile_values[] = {
  { RCC_GCC_PAPER, "As the packet-grouping paper has it (ANRW'16)", "paper" },
  { RCC_GCC_DEFAULT, "The best we know", "default" },
  { RCC_GCC_RRTCC, "As in 2012, a baseline (draft-alvestrand-rtcweb-congestion-02/-03)",
    "rrtcc" },
  RCC_CHOICES_END
};

const RccChoices rcc_gcc_profiles = { "GccProfile", profile_values };

static const RccChoice filter_values[] = {
  { RCC_FILTER_KALMAN, "Scalar Kalman filter (draft-ietf-rmcat-gcc-02 5.3)", "kalman" },
  { RCC_FILTER_KALMAN2, "Kalman filter of slope and offset", "kalman2" },
  { RCC_FILTER_TRENDLINE, "Slope of the accumulated delay", "trendline" },
  RCC_CHOICES_END
};
static const RccChoices filters = { "GccFilter", filter_values };

static const RccChoice grouping_values[] = {
  { RCC_GROUPING_NONE, "By departure alone: no pre-filter", "none" },
  { RCC_GROUPING_PAPER, "Pre-filter of ANRW'16, Algorithm 1", "paper" },
  { RCC_GROUPING_DRAFT, "Pre-filter of draft-ietf-rmcat-gcc-02 5.2", "draft" },
  RCC_CHOICES_END
};
static const RccChoices groupings = { "GccGrouping", grouping_values };

static const RccChoice loss_values[] = {
  { RCC_LOSS_PAPER, "The rate by the last report (draft-ietf-rmcat-gcc-02 6)", "paper" },
  { RCC_LOSS_RELEASE, "The same, and no limit at all without loss", "release" },
  { RCC_LOSS_2012, "As in draft-alvestrand-rtcweb-congestion-02", "2012" },
  RCC_CHOICES_END
};
static const RccChoices losses = { "GccLoss", loss_values };

#define ROW(member, name, type, unit, least, most, text, source) \
  RCC_SETTING (RccGccConfig, member, name, type, false, unit, least, most, text, source)
#define TIME(member, name, text, source) \
  RCC_SETTING (RccGccConfig, member, name, RCC_SET_TIME, false, "ns", 0, RCC_FOREVER, text, source)
#define NUMBER(member, name, unit, least, most, text, source) \
  ROW (member, name, RCC_SET_DOUBLE, unit, least, most, text, source)
#define SWITCH(member, name, text, source) \
  ROW (member, name, RCC_SET_BOOL, "", 0, 1, text, source)
#define CHOICE(member, name, text, source, choices) \
  RCC_SETTING_CHOICE (RccGccConfig, member, name, false, &choices, text, source)

const RccSetting rcc_gcc_settings[] = {
  CHOICE (filter, "filter", "How the delay gradient is estimated", "gcc-02 5.3", filters),
  CHOICE (grouping, "grouping", "Which packets count as one burst before the filter", "PG, D2 5.2",
      groupings),
  CHOICE (loss, "loss-control", "How losses lower the rate", "gcc-02 6, rtcweb-02", losses),
  TIME (burst, "burst", "Longest burst of groups and of the pacer", "gcc-02 5.2: 5 ms"),
  TIME (merge_cap, "merge-cap", "Longest time whose packets are merged into one group", NULL),
  NUMBER (merge_faster, "merge-faster", "", 0, 100,
      "A group merged after a pause arrived so many times faster than the mean; 0: any", NULL),
  NUMBER (slope_noise, "slope-noise", "", 0, 1,
      "Process noise of the slope in the filter kalman2; 0: libwebrtc's", "libwebrtc"),
  NUMBER (offset_noise, "offset-noise", "ms^2", 0, 1e6,
      "Process noise of the offset in the filter kalman2; 0: libwebrtc's", "libwebrtc"),
  NUMBER (clip, "clip", "standard deviations", 0, 1e6,
      "Largest residual that the noise of the filter kalman takes whole; 0: any",
      "gcc-02 5.3: 3"),
  SWITCH (clip_state, "clip-state",
      "The state of the filter kalman takes clipped residuals, too", "gcc-02 5.3: no"),
  NUMBER (gain, "gain", "", 0, 1e6,
      "The trend is the filter's output times the number of groups, at most this", "libwebrtc: 60"),
  NUMBER (overuse.k_up, "threshold-up", "1/ms", 0, 1,
      "Gain of the over-use threshold towards a larger trend",
      "gcc-02 5.4: 0.01, libwebrtc: 0.0087"),
  NUMBER (overuse.k_down, "threshold-down", "1/ms", 0, 1,
      "Gain of the over-use threshold towards a smaller trend",
      "gcc-02 5.4: 0.00018, libwebrtc: 0.039"),
  NUMBER (overuse.threshold, "threshold-start", "ms", 0, 600,
      "Over-use threshold at first; 0: 12.5", "gcc-02 5.4"),
  TIME (overuse.overuse_time, "overuse-time", "How long over-use lasts before it counts",
      "gcc-02 5.4: 10 ms"),
  NUMBER (aimd.eta, "eta", "1/s", 1, 10, "Multiplicative increase in a second", "gcc-02 5.5: 1.08"),
  SWITCH (aimd.eta_varies, "eta-varies", "Increase by round trip and noise instead", "rtcweb-02"),
  NUMBER (aimd.beta, "beta", "", 0.01, 1, "Decrease to this share of the received rate",
      "gcc-02 5.5: 0.85"),
  NUMBER (aimd.cap, "cap", "", 1, 1000, "No increase beyond this multiple of the received rate",
      "gcc-02 5.5: 1.5"),
  SWITCH (aimd.converge, "converge", "Additive increase near the rate of former decreases",
      "gcc-02 5.5"),
  NUMBER (aimd.learn, "learn", "", 0, 1, "Weight of a decrease in the mean of their rates",
      "libwebrtc: 0.05"),
  NUMBER (aimd.beta_small, "beta-small", "", 0, 1,
      "Decrease to this share while the queue is short; 0: beta", NULL),
  TIME (aimd.drain_time, "drain-time",
      "A decrease goes below beta-small by what empties the queue in this time; 0: not", NULL),
  NUMBER (aimd.drain_resume, "drain-resume", "", 0, 1,
      "Once a decrease has emptied the queue the rate is this share of what arrived at it; 0: it "
      "climbs", NULL),
  ROW (aimd.drain_doubt, "drain-doubt", RCC_SET_U32, "", 0, 16,
      "A decrease that does not shorten a long queue that overflows halves what the next takes off "
      "for it, down to this power of a half; 0: it does not", NULL),
  TIME (aimd.queue_floor, "queue-floor", "Over-use with a shorter queue only holds the rate", NULL),
  NUMBER (aimd.recover, "recover", "", 0, 1,
      "Climb by 50 % a second to this share of the measured capacity; 0: not", NULL),
  SWITCH (aimd.recover_free, "recover-free",
      "For 10 s after a decrease that climb heeds neither cap nor under-use where a receiver sees "
      "no probes",
      NULL),
  NUMBER (aimd.climb, "climb", "", 0, 10,
      "A receiver that sees no probes takes eta to this power from 3 s after a decrease, while it "
      "sees no queue and knows no capacity; 0: eta", NULL),
  ROW (rate_window, "rate-window", RCC_SET_TIME, "ns", RCC_MSEC, RCC_FOREVER,
      "Window of the received rate", "gcc-02 5.5: 500 ms"),
  TIME (fast_window, "fast-window", "The same at a decrease; 0: rate-window", NULL),
  TIME (pause, "pause",
      "A decrease leaves a longer pause of the arrivals out of the received rate; 0: none", NULL),
  SWITCH (l4s, "l4s",
      "The share of packets marked CE lowers the rate in proportion; needs feedback of packets, "
      "and packets sent as ECT(1)", "RFC 9331 4.3"),
  NUMBER (l4s_pacing, "l4s-pacing", "", 0.1, 10,
      "pacing-factor with l4s", NULL),
  SWITCH (ecn_as_loss, "ecn-as-loss", "A packet marked CE counts as lost", "RFC 6679 7.3.3"),
  TIME (base_rise, "base-rise",
      "The base delay rises to the shortest of so long where that stood still while the rate "
      "varied and nothing was lost; 0: after 10 to 20 s", NULL),
  TIME (capacity_drop, "capacity-drop",
      "Over-use at once where the delay grows by so much within some packets, and at most half "
      "their rate and the target comes out; 0: off", NULL),
  TIME (stand_time, "stand-time", "Over-use with a younger queue only holds the rate", NULL),
  TIME (stand_limit, "stand-limit",
      "A queue that is never shorter for 0.4 s is over-use, whatever its slope; 0: off", NULL),
  SWITCH (loss_cause, "loss-cause",
      "Loss limits the rate only where it falls with the rate", NULL),
  NUMBER (loss_second_cut, "loss-second-cut", "", 0, 1,
      "Loss that stays is the path's own only if it stays at this share of the rate, too; 0: one "
      "test is enough", NULL),
  TIME (full_queue, "full-queue",
      "A queue counts as full for so long once the skewness of the delay shows it.  Losses behind "
      "it are over-use; 0: off", NULL),
  NUMBER (tcp_share, "tcp-share", "", 0, 4,
      "Where others keep a queue long and packets are lost, nothing takes the rate below this "
      "multiple of what TCP's equations give there; 0: it does", "RFC 5348 3.1, RFC 9438 5.1"),
  TIME (flight_extra, "flight-extra",
      "More in flight than the target sends in the least round trip and this lowers the target; "
      "0: off", "libwebrtc: 350 ms"),
  SWITCH (fill_gaps, "fill-gaps",
      "Packets of which lost feedback told count as received, as the others", NULL),
  NUMBER (pacing_factor, "pacing-factor", "", 0.1, 10,
      "Packets leave at this multiple of the target",
      "libwebrtc: 2.5"),
  TIME (queue_drain, "queue-drain", "What waits here is to leave within this time; 0: not", NULL),
  TIME (backlog_from, "backlog-from", "What waits here for longer lowers the encoder's rate", NULL),
  TIME (backlog_over, "backlog-over",
      "... so far that it is gone within this time; 0: never", NULL),
  NUMBER (pacing_floor, "pacing-floor", "", 0, 10,
      "Pace at this multiple of the least rate or more; 0: not", NULL),
  TIME (feedback_timeout, "feedback-timeout",
      "The target halves when no feedback came for so long, or for two of the peer's own intervals "
      "where those are longer. Where receiver reports are all that comes it is three of theirs, "
      "7.5 s at most", NULL),
  TIME (timeout_repeat, "timeout-repeat",
      "The same once it has halved, or one of the peer's intervals; 0: feedback-timeout", NULL),
  NUMBER (probe_first, "probe-first", "", 0, 10,
      "Rate of the first probe as a multiple of the start rate; 0: probe-factor", "libwebrtc: 3"),
  NUMBER (probe_factor, "probe-factor", "", 0, 10,
      "Rate of a probe as a multiple of the rate that the link has shown; 0: no probes",
      "libwebrtc: 2"),
  NUMBER (probe_later, "probe-later", "", 0, 10,
      "Rate of the first probe after a fall as a multiple of the target; 0: probe-factor", NULL),
  TIME (probe_interval, "probe-interval",
      "Time between probes once the start is over; 0: none then", NULL),
  TIME (probe_interval_most, "probe-interval-most",
      "Congestion within 2 s of a probe's answer doubles probe-interval up to this; 0: not", NULL),
  TIME (probe_trust, "probe-trust",
      "An answered probe behind a queue of so much raises nothing, behind a shorter one the less "
      "the longer it is.  Not before the first over-use, nor of trains, nor where tcp-share is 0 "
      "or sees a queue most of the time; 0: it is believed", NULL),
  ROW (aimd.doubt, "probe-doubt", RCC_SET_U32, "", 0, 16,
      "Over-use where it was before a probe showed more halves what is believed of the next, down "
      "to this power of a half; 0: it is believed", NULL),
  TIME (probe_span, "probe-span", "Length of a probe at its rate", NULL),
  ROW (reordering, "reordering", RCC_SET_TIME, "ns", 0, RCC_SEC,
      "Packets that overtake others by up to this do not spoil a probe, and what they overtake "
      "says nothing of the queue and is not lost; 0: they do", NULL),
  TIME (feedback_interval, "feedback-interval", "Time between a receiver's feedback",
      "gcc-02 2: 1 s"),
  ROW (repeat, "repeat", RCC_SET_U32, "packets", 0, 512,
      "An RFC 8888 report tells again of the last so many packets of a stream", "RFC 8888 3.1"),
  SWITCH (trains, "trains", "Lift a receiver's estimate by trains of packets", NULL),
  NUMBER (train_factor, "train-factor", "", 0, 10,
      "What leaves faster than the estimate by this factor is a train", NULL),
  TIME (train_interval, "train-interval",
      "Least time between trains that would be none with the pause before them; behind a queue "
      "that stands these never count; 0: all count", NULL),
  RCC_SETTINGS_END
};
