/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/breaker/config.h"

static const RccChoice mode_values[] = {
  { RCC_BREAKER_RFC8083, "RFC 8083", "rfc8083" },
  { RCC_BREAKER_DRAFT2014, "The draft of 2014, as the LTE evaluation used it: two reports decide",
    "draft2014" },
  RCC_CHOICES_END
};
static const RccChoices modes = { "CircuitBreakerMode", mode_values };

static const RccChoice model_values[] = {
  { RCC_TCP_MATHIS, "Mathis et al.: simple, and slow to trigger at short round-trip times",
    "mathis" },
  { RCC_TCP_PADHYE, "Padhye et al., with timeouts: triggers earlier (advised for LTE)", "padhye" },
  RCC_CHOICES_END
};
static const RccChoices models = { "CircuitBreakerTcpModel", model_values };

static const RccChoice state_values[] = {
  { RCC_BREAKER_CLOSED, "RTP passes", "closed" },
  { RCC_BREAKER_REDUCED, "RTP passes at a tenth of its rate, to see whether that helps",
    "reduced" },
  { RCC_BREAKER_OPEN, "RTP does not pass", "open" },
  RCC_CHOICES_END
};

const RccChoices rcc_breaker_states = { "CircuitBreakerState", state_values };

#define HOUR (3600.0 * RCC_SEC)
#define ROW(member, name, type, unit, least, most, text, source) \
  RCC_SETTING (RccBreakerConfig, member, name, type, true, unit, least, most, text, source)
#define SWITCH(member, name, text, source) \
  ROW (member, name, RCC_SET_BOOL, "", 0, 1, text, source)

const RccSetting rcc_breaker_settings[] = {
  RCC_SETTING_CHOICE (RccBreakerConfig, model, "tcp-model", true, &models,
      "How the throughput of TCP on this path is estimated", "RFC 8083 4.3"),
  ROW (multiplier, "multiplier", RCC_SET_DOUBLE, "", 0.01, 10000,
      "How many times TCP's throughput may be sent", "RFC 8083 4.3: 10"),
  SWITCH (reduce_first, "reduce-first", "On congestion try a tenth of the rate before stopping",
      "RFC 8083 4.3"),
  SWITCH (require_rtcp, "require-rtcp",
      "Whether RTCP that stays away opens the breaker; false for peers that send none",
      "RFC 8083 4.1"),
  ROW (rtcp_min_interval, "rtcp-min-interval", RCC_SET_TIME, "ns", 0, RCC_FOREVER,
      "The receiver's minimum RTCP interval; none: seen from its reports", "RFC 3550 6.2"),
  ROW (bandwidth_bps, "bandwidth", RCC_SET_U32, "bit/s", 0, UINT32_MAX,
      "The session's bandwidth; 0: what is being sent", "RFC 3550 6.2"),
  SWITCH (usability, "media-usability",
      "Open also when the media has been of no use for unusable-time", "RFC 8083 4.4"),
  RCC_SETTINGS_END
};

const RccSetting rcc_breaker_rules[] = {
  RCC_SETTING_CHOICE (RccBreakerConfig, mode, "mode", true, &modes,
      "Whose rules decide: the RFC's or the draft's", "RFC 8083"),
  ROW (media_timeout_reports, "media-timeout-reports", RCC_SET_U32, "", 1, 100,
      "Reports in a row without anything received that open it", "RFC 8083 4.2: 5"),
  SWITCH (ecn_as_loss, "ecn-as-loss",
      "Count packets that are reported as ECN-CE as lost; always so in mode draft2014",
      "RFC 6679, RFC 8083 7"),
  ROW (frame_group, "frame-group-size", RCC_SET_U32, "", 1, 100000,
      "Frames until the encoder can follow a new rate: its GOP, or 1", "RFC 8083 3: G"),
  ROW (hold_below, "hold-below", RCC_SET_DOUBLE, "", 0, 1,
      "As congestion nears, encoders are asked for no more than this part of the limit; 0: they "
      "are not", "RFC 8083 has no such thing"),
  SWITCH (interval_size, "interval-packet-size",
      "Packets count as large as the mean of the intervals that are judged, where four groups of "
      "frames have smaller ones; not in mode draft2014", "RFC 8083 3: s; false is as there"),
  ROW (frame_interval, "frame-interval", RCC_SET_TIME, "ns", 0, RCC_FOREVER,
      "Time between frames; none: measured", "RFC 8083 3: Tf"),
  ROW (rr_interval, "rtcp-rr-interval", RCC_SET_TIME, "ns", 0, HOUR,
      "Least time between regular reports with AVPF; 0: none was signalled", "RFC 4585 3.4"),
  ROW (rtcp_fraction, "rtcp-fraction", RCC_SET_DOUBLE, "", 0.0001, 1,
      "What part of the session's bandwidth RTCP may take", "RFC 3550 6.2: 0.05"),
  ROW (unusable_loss, "unusable-loss", RCC_SET_DOUBLE, "", 0, 1,
      "Media that loses more than this part of its packets is of no use", NULL),
  ROW (unusable_delay, "unusable-delay", RCC_SET_TIME, "ns", 0, RCC_FOREVER,
      "Media that is older on arrival is of no use (half the round trip and the jitter)", NULL),
  ROW (unusable_time, "unusable-time", RCC_SET_TIME, "ns", 0, RCC_FOREVER,
      "For how long the media may be of no use", NULL),
  RCC_SETTINGS_END
};
