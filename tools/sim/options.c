/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sim/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIELD(member, name, type, unit) RCC_FIELD (RccFlowConfig, member, name, type, unit)

const RccField rcc_flow_option_fields[] = {
  FIELD (breaker.multiplier, "breaker-multiplier", RCC_DOUBLE, ""),
  FIELD (breaker.reduce_first, "breaker-reduce-first", RCC_BOOL, ""),
  FIELD (breaker.together, "breaker-scope-session", RCC_BOOL, ""),
  FIELD (breaker.require_rtcp, "breaker-require-rtcp", RCC_BOOL, ""),
  FIELD (breaker.media_timeout_reports, "breaker-media-timeout-reports", RCC_U32, ""),
  FIELD (breaker.frame_group, "breaker-frame-group-size", RCC_U32, ""),
  FIELD (breaker.frame_interval, "breaker-frame-interval", RCC_TIME, "ns"),
  FIELD (breaker.rtcp_min_interval, "breaker-rtcp-min-interval", RCC_TIME, "ns"),
  FIELD (breaker.rr_interval, "breaker-rtcp-rr-interval", RCC_TIME, "ns"),
  FIELD (breaker.bandwidth_bps, "breaker-bandwidth", RCC_U32, "bit/s"),
  FIELD (breaker.rtcp_fraction, "breaker-rtcp-fraction", RCC_DOUBLE, ""),
  FIELD (breaker.usability, "breaker-media-usability", RCC_BOOL, ""),
  FIELD (breaker.unusable_loss, "breaker-unusable-loss", RCC_DOUBLE, ""),
  FIELD (breaker.unusable_delay, "breaker-unusable-delay", RCC_TIME, "ns"),
  FIELD (breaker.unusable_time, "breaker-unusable-time", RCC_TIME, "ns"),
  FIELD (tfrc.form, "tfrc-rfc3448", RCC_U32, "0 or 1"),
  FIELD (tfrc.packet_size, "tfrc-packet-size", RCC_U32, "B"),
  FIELD (tfrc.mss, "tfrc-mss", RCC_U32, "B"),
  FIELD (tfrc.damping, "tfrc-damping", RCC_BOOL, ""),
  FIELD (tfrc.discounting, "tfrc-discounting", RCC_BOOL, ""),
  FIELD (tfrc.faster_restart, "tfrc-faster-restart", RCC_BOOL, ""),
  FIELD (queue.scheduler.max_packets, "sbpn-max-packets", RCC_U32, ""),
  FIELD (queue.scheduler.max_time, "sbpn-max-time", RCC_TIME, "ns"),
  FIELD (skip_queue, "skip-queue", RCC_TIME, "ns"),
  FIELD (queue.scheduler.priority_weight, "sbpn-priority-weight", RCC_TIME, "ns"),
  FIELD (queue.scheduler.deficit_limit, "sbpn-deficit-limit", RCC_U32, "B"),
  FIELD (queue.tail_drop, "sbpn-tail-drop", RCC_BOOL, ""),
  FIELD (queue.drops_take_turns, "sbpn-drops-take-turns", RCC_BOOL, ""),
  FIELD (classes[RCC_WORLD_VIDEO].whole_frames, "sbpn-whole-frames", RCC_BOOL, ""),
  FIELD (expiry[RCC_WORLD_AUDIO], "audio-expiry", RCC_TIME, "ns"),
  FIELD (expiry[RCC_WORLD_VIDEO], "video-expiry", RCC_TIME, "ns"),
  FIELD (apart, "feedback-apart", RCC_BOOL, ""),
  FIELD (feedback_interval, "arrivals-interval", RCC_TIME, "ns"),
  FIELD (rtcp_share, "rtcp-share", RCC_DOUBLE, ""),
  FIELD (sr_interval, "sr-interval", RCC_TIME, "ns"),
  FIELD (cnadu.increase, "cnadu-increase", RCC_DOUBLE, ""),
  FIELD (cnadu.p_low, "cnadu-p-low", RCC_DOUBLE, ""),
  FIELD (cnadu.p_high, "cnadu-p-high", RCC_DOUBLE, ""),
  FIELD (cnadu.d_max, "cnadu-max-delay", RCC_TIME, "ns"),
  FIELD (d_max, "packet-trace-max-delay", RCC_TIME, "ns"),
  FIELD (extended, "xr", RCC_BOOL, ""),
  FIELD (extended_early, "xr-early", RCC_BOOL, ""),
  FIELD (report_rtts, "report-rtts", RCC_DOUBLE, ""),
  FIELD (notes_groups, "note-groups", RCC_BOOL, ""),
  FIELD (parity_always, "parity-always", RCC_U32, ""),
  FIELD (parity_depth, "parity-depth", RCC_U32, ""),
  FIELD (source.gop, "gop", RCC_U32, ""),
  FIELD (source.gop_factor, "gop-factor", RCC_DOUBLE, ""),
  FIELD (source.key_size, "key-size", RCC_U32, "B"),
  RCC_FIELDS_END
};

#define EXPIRY (400 * RCC_MSEC)          /* as rtpsbpnmux */
#define FBRA "fbra-"
#define FBRA_PLUS "fbra-plus"
#define FBRA_OWD (50 * RCC_MSEC)         /* unless told; Table 1's shortest */

static const char *const switches[] = { "0", "1", NULL };

bool
rcc_rate_parse (const char *text, uint64_t *bps)
{
  char *end;
  double value = strtod (text, &end);

  if (end == text)
    return false;
  if (*end == 'k')
    value *= 1e3;
  else if (*end == 'M')
    value *= 1e6;
  end += *end == 'k' || *end == 'M';
  if (*end || !(value >= 0 && value <= 1e12))
    return false;
  *bps = (uint64_t) (value + 0.5);
  return true;
}

static bool
number (const char *text, double *value)
{
  char *end;

  *value = strtod (text, &end);
  return end != text && !*end;
}

static bool
rate (const char *text, uint32_t *bps)
{
  uint64_t value;

  if (!rcc_rate_parse (text, &value) || value > UINT32_MAX)
    return false;
  *bps = (uint32_t) value;
  return true;
}

static bool
seconds (const char *text, RccTime *time)
{
  double value;

  if (!number (text, &value) || !(value >= 0 && value < 1e9))
    return false;
  *time = (RccTime) (value * 1e9 + 0.5);
  return true;
}

static int
one_of (const char *value, const char *const *names)
{
  for (int i = 0; names[i]; i++)
    if (!strcmp (value, names[i]))
      return i;
  return -1;
}

static const RccField *
find (const RccField *f, const char *name)
{
  while (f->name && strcmp (f->name, name))
    f++;
  return f->name ? f : NULL;
}

/* Which of the tables knows @name, and what it is about in @c. */
static const RccField *
find_field (RccFlowConfig *c, const char *name, char **at)
{
  const RccField *f;

  if (!strncmp (name, FBRA, strlen (FBRA))) {
    *at = (char *) &c->fbra;
    return find (rcc_fbra_config_fields, name + strlen (FBRA));
  }
  f = find (rcc_gcc_config_fields, name);
  *at = f ? (char *) &c->gcc : (char *) c;
  return f ? f : find (rcc_flow_option_fields, name);
}

bool
rcc_flow_set (RccFlowConfig *c, const char *name, const char *value)
{
  char *at;
  const RccField *f = find_field (c, name, &at);
  double v;

  if (!number (value, &v))
    return false;
  if (!strcmp (name, FBRA_PLUS) && v != 0)
    rcc_flow_fbra_plus (c);
  if (!f)
    return !strcmp (name, FBRA_PLUS);
  at += f->offset;
  if (f->type == RCC_DOUBLE)
    *(double *) (void *) at = v;
  else if (f->type == RCC_TIME)
    *(RccTime *) (void *) at = v < 0 ? RCC_NEVER : (RccTime) v;
  else if (f->type == RCC_U32)
    *(uint32_t *) (void *) at = (uint32_t) RCC_CLAMP (v, 0, UINT32_MAX);
  else
    *(bool *) at = v != 0;
  return true;
}

/* --- what takes more than a number ------------------------------------------- */

/* The clock is the machine's, whatever runs on it. */
static void
begin_anew (RccFlowConfig *c, RccFlowConfig fresh)
{
  memcpy (fresh.clock, c->clock, sizeof fresh.clock);
  *c = fresh;
}

static bool
set_profile (RccFlowConfig *c, const char *value)
{
  static const char *const names[] = { "default", "paper", "sbpn", NULL };
  const int i = one_of (value, names);

  if (i == 2)
    begin_anew (c, rcc_flow_config_sbpn (RCC_SBPN_2, 32, 80 * RCC_MSEC));
  else if (i >= 0)
    begin_anew (c, rcc_flow_config (i == 1 ? RCC_GCC_PAPER : RCC_GCC_DEFAULT));
  return i >= 0;
}

static bool
set_controller (RccFlowConfig *c, const char *value)
{
  const int i = one_of (value, rcc_world_controller_names);

  if (i >= RCC_WORLD_FBRA)
    begin_anew (c, rcc_flow_config_fbra ((RccWorldControllerKind) i, FBRA_OWD));
  else if (i >= 0)
    c->controller = (RccWorldControllerKind) i;
  return i >= 0;
}

/* The source is held to the rate too. */
static bool
set_fixed (RccFlowConfig *c, const char *value)
{
  uint32_t bps;

  if (!rate (value, &bps))
    return false;
  c->adapt = false;
  c->limits = (RccConfig) { RCC_MIN (c->limits.min_bps, bps), bps, bps };
  c->source.min_bps = c->limits.min_bps;
  c->source.max_bps = bps;
  return true;
}

static bool
format_of (const char *name, RccFeedbackFormat *format)
{
  static const char *const names[] = { "remb", "tmmbr", "ccfb", "twcc", NULL };
  const int i = one_of (name, names);

  *format = (RccFeedbackFormat) RCC_MAX (i, 0);
  return i >= 0;
}

/* "twcc", or "twcc,20:remb,40:ccfb": with changes, after so many seconds. */
static bool
set_feedback (RccFlowConfig *c, const char *value)
{
  char text[128], *rest = text, *part;

  if (strlen (value) >= sizeof text)
    return false;
  strcpy (text, value);
  c->n_changes = 0;
  if (!(part = strtok_r (rest, ",", &rest)) || !format_of (part, &c->feedback))
    return false;
  while ((part = strtok_r (rest, ",", &rest))) {
    RccWorldChange *change = &c->changes[c->n_changes];
    char *name = strchr (part, ':');

    if (!name || c->n_changes == RCC_WORLD_CHANGES)
      return false;
    *name++ = 0;
    if (!seconds (part, &change->at) || !format_of (name, &change->feedback)
        || (c->n_changes > 0 && change->at <= change[-1].at))
      return false;
    c->n_changes++;
  }
  return true;
}

static bool
set_forge (RccFlowConfig *c, const char *value)
{
  return rcc_forger_parse (&c->forger, value);
}

static bool
set_ecn (RccFlowConfig *c, const char *value)
{
  static const char *const names[] = { "off", "ect1", "ect0", NULL };   /* as RccEcn */
  const int i = one_of (value, names);

  c->ecn = (RccEcn) RCC_MAX (i, 0);
  return i >= 0;
}

static bool
set_filter (RccFlowConfig *c, const char *value)
{
  static const char *const names[] = { "kalman", "kalman2", "trendline", NULL };
  const int i = one_of (value, names);

  c->gcc.filter = (RccFilterKind) RCC_MAX (i, 0);
  return i >= 0;
}

static bool
set_grouping (RccFlowConfig *c, const char *value)
{
  static const char *const names[] = { "none", "paper", "draft", NULL };
  const int i = one_of (value, names);

  c->gcc.grouping = (RccGrouping) RCC_MAX (i, 0);
  c->gcc.merge_cap = c->gcc.grouping == RCC_GROUPING_PAPER ? RCC_NEVER : 100 * RCC_MSEC;
  return i >= 0;
}

static bool
set_thresholds (RccFlowConfig *c, const char *value)
{
  static const char *const names[] = { "draft", "webrtc", NULL };
  const int i = one_of (value, names);

  c->gcc.overuse = i == 1 ? (RccOveruseConfig) RCC_OVERUSE_WEBRTC
      : (RccOveruseConfig) RCC_OVERUSE_DRAFT;
  return i >= 0;
}

static bool
set_scheduler (RccFlowConfig *c, const char *value)
{
  const int i = one_of (value, rcc_sbpn_mode_names);

  c->queue.scheduled = true;
  c->queue.scheduler.mode = (RccSbpnMode) RCC_MAX (i, 0);
  for (int k = 0; k < RCC_WORLD_STREAMS; k++)
    if (c->expiry[k] == RCC_NEVER)
      c->expiry[k] = EXPIRY;
  return i >= 0;
}

static bool
set_sbpn_owd (RccFlowConfig *c, const char *value)
{
  static const char *const names[] = { "measured", "half-rtt", NULL };
  const int i = one_of (value, names);

  c->queue.owd = i == 1 ? RCC_SBPN_OWD_HALF_RTT : RCC_SBPN_OWD_MEASURED;
  return i >= 0;
}

static bool
set_source (RccFlowConfig *c, const char *value)
{
  static const char *const names[] = { "statistical", "constant", "ekiga", NULL };
  static const RccSourceModel models[] = { RCC_SOURCE_STATISTICAL, RCC_SOURCE_CONSTANT };
  const int i = one_of (value, names);

  if (!strncmp (value, "trace:", 6)) {
    c->source.model = RCC_SOURCE_TRACE;
    c->source.traces = value + 6;
    return true;
  }
  if (i == 2) {
    c->source = rcc_source_config_ekiga ();
    c->packet_size = 1026;
    c->audio_size = 214;
  } else if (i >= 0) {
    c->source.model = models[i];
  }
  return i >= 0;
}

static bool
set_breaker (RccFlowConfig *c, const char *value)
{
  static const char *const names[] = { "mathis", "padhye", "off", NULL };
  const int i = one_of (value, names);

  c->breaks = i == 0 || i == 1;
  if (c->breaks)
    c->breaker.model = (RccTcpModel) i;
  return i >= 0;
}

static bool
set_breaker_mode (RccFlowConfig *c, const char *value)
{
  static const char *const names[] = { "rfc8083", "draft2014", NULL };
  const int i = one_of (value, names);

  c->breaker = rcc_breaker_config ((RccBreakerMode) RCC_MAX (i, 0));
  return i >= 0;
}

static bool
set_min (RccFlowConfig *c, const char *value)
{
  if (!rate (value, &c->limits.min_bps))
    return false;
  c->source.min_bps = c->limits.min_bps;
  return true;
}

static bool
set_start (RccFlowConfig *c, const char *value)
{
  return rate (value, &c->limits.start_bps);
}

static bool
set_max (RccFlowConfig *c, const char *value)
{
  if (!rate (value, &c->limits.max_bps))
    return false;
  c->source.max_bps = c->limits.max_bps;
  return true;
}

static bool
set_from (RccFlowConfig *c, const char *value)
{
  return seconds (value, &c->start);
}

static bool
set_to (RccFlowConfig *c, const char *value)
{
  return seconds (value, &c->stop);
}

static bool
set_pause (RccFlowConfig *c, const char *value)
{
  char from[16];
  const size_t length = strcspn (value, "-");

  if (value[length] != '-' || length >= sizeof from)
    return false;
  memcpy (from, value, length);
  from[length] = '\0';
  return seconds (from, &c->pause) && seconds (value + length + 1, &c->resume)
      && c->pause < c->resume;
}

static bool
set_direction (RccFlowConfig *c, const char *value)
{
  static const char *const names[] = { "fwd", "rev", NULL };
  const int i = one_of (value, names);

  c->direction = (RccDirection) RCC_MAX (i, 0);
  return i >= 0;
}

static bool
set_audio (RccFlowConfig *c, const char *value)
{
  const int i = one_of (value, switches);

  c->audio = i == 1;
  return i >= 0;
}

static bool
set_real_rtcp (RccFlowConfig *c, const char *value)
{
  const int i = one_of (value, switches);

  c->rtcp_random = c->omit_silent = i == 1;
  return i >= 0;
}

static bool
set_owd (RccFlowConfig *c, const char *value)
{
  double ms;

  if (!number (value, &ms) || !(ms >= 0 && ms < 1e5))
    return false;
  c->feedback_interval = c->rtcp_interval = c->gcc.feedback_interval =
      rcc_flow_fbra_interval ((RccTime) (ms * 1e6));
  return true;
}

static bool
set_fps (RccFlowConfig *c, const char *value)
{
  double fps;

  if (!number (value, &fps) || !(fps >= 1 && fps <= 240))
    return false;
  c->source.fps = fps;
  return true;
}

static bool
set_rtcp_interval (RccFlowConfig *c, const char *value)
{
  return seconds (value, &c->rtcp_interval) && c->rtcp_interval > 0;
}

/* With UDP and IP it fits RCC_WORLD_MTU; half of it holds every header. */
static bool
set_packet_size (RccFlowConfig *c, const char *value)
{
  double size;

  if (!number (value, &size) || !(size >= RCC_WORLD_MTU / 2 && size <= RCC_WORLD_MTU - 28))
    return false;
  c->packet_size = (uint32_t) size;
  return true;
}

/* TIMES/MS. */
static bool
set_nack (RccFlowConfig *c, const char *value)
{
  unsigned times, ms;
  int end = 0;

  if (sscanf (value, "%3u/%5u%n", &times, &ms, &end) != 2 || value[end] || ms == 0)
    return false;
  c->nack_times = times;
  c->nack_interval = ms * RCC_MSEC;
  return true;
}

static const struct {
  const char *name;
  bool (*set) (RccFlowConfig *c, const char *value);
} words[] = {
  { "profile", set_profile }, { "controller", set_controller }, { "cc", set_controller },
  { "fixed", set_fixed }, { "feedback", set_feedback }, { "forge", set_forge }, { "ecn", set_ecn },
  { "filter", set_filter },
  { "grouping", set_grouping }, { "thresholds", set_thresholds },
  { "scheduler", set_scheduler }, { "sbpn-one-way-delay", set_sbpn_owd }, { "source", set_source },
  { "breaker", set_breaker },
  { "breaker-mode", set_breaker_mode }, { "min", set_min }, { "start", set_start },
  { "max", set_max }, { "from", set_from }, { "to", set_to }, { "pause", set_pause },
  { "direction", set_direction }, { "audio", set_audio }, { "real-rtcp", set_real_rtcp },
  { "fps", set_fps }, { "owd", set_owd }, { "rtcp-interval", set_rtcp_interval },
  { "packet-size", set_packet_size }, { "nack", set_nack },
};

static bool
clock_option (RccFlowConfig *c, const char *name, const char *value, char *error,
    size_t error_size)
{
  if (rcc_clock_set (c->clock, name, value))
    return true;
  snprintf (error, error_size, "a flow's %.40s cannot be \"%.80s\": it is %s.", name, value,
      rcc_clock_takes (name));
  return false;
}

bool
rcc_flow_option (RccFlowConfig *c, const char *name, const char *value, char *error,
    size_t error_size)
{
  if (rcc_clock_takes (name))
    return clock_option (c, name, value, error, error_size);
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    if (strcmp (name, words[i].name))
      continue;
    if (words[i].set (c, value))
      return true;
    snprintf (error, error_size, "a flow's %.40s cannot be \"%.80s\": see --help.", name, value);
    return false;
  }
  if (rcc_flow_set (c, name, value))
    return true;
  snprintf (error, error_size, "a flow has no option \"%.40s\" with the value \"%.80s\": see "
      "--help.", name, value);
  return false;
}
