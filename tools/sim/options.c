/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sim/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TIME(member, name, text) \
  RCC_SETTING (RccFlowConfig, member, name, RCC_SET_TIME, false, "ns", 0, RCC_FOREVER, text, NULL)
#define NUMBER(member, name, most, text) \
  RCC_SETTING (RccFlowConfig, member, name, RCC_SET_DOUBLE, false, "", 0, most, text, NULL)
#define COUNT(member, name, unit, text) \
  RCC_SETTING (RccFlowConfig, member, name, RCC_SET_U32, false, unit, 0, UINT32_MAX, text, NULL)
#define SWITCH(member, name, text) \
  RCC_SETTING (RccFlowConfig, member, name, RCC_SET_BOOL, false, "", 0, 1, text, NULL)

static const RccSetting flow_settings[] = {
  SWITCH (breaker.together, "breaker-scope-session", "What stops one SSRC stops all"),
  COUNT (queue.scheduler.max_packets, "sbpn-max-packets", "", "Packets that may wait; 0: any"),
  TIME (queue.scheduler.max_time, "sbpn-max-time", "How long a packet may wait"),
  SWITCH (queue.tail_drop, "sbpn-tail-drop",
      "What finds the queue full is dropped, as in the paper's kernel"),
  SWITCH (queue.drops_take_turns, "sbpn-drops-take-turns",
      "What is dropped for its expiry has had its turn to leave"),
  SWITCH (queue.idle_credit, "sbpn-idle-credit",
      "Time without packets is credit of the pacer, without limit, as in Linux 2.6.20"),
  SWITCH (classes[RCC_WORLD_VIDEO].whole_frames, "sbpn-whole-frames",
      "Video is dropped in whole frames"),
  TIME (skip_queue, "skip-queue", "No picture is encoded while what waits takes longer; 0: all are"),
  TIME (expiry[RCC_WORLD_AUDIO], "audio-expiry", "Age at which an audio packet is too late"),
  TIME (expiry[RCC_WORLD_VIDEO], "video-expiry", "Age at which a video packet is too late"),
  SWITCH (apart, "feedback-apart", "Feedback comes from another SSRC than reports do"),
  SWITCH (reports_alone, "reports-alone", "Nothing comes back but receiver reports"),
  TIME (feedback_interval, "arrivals-interval", "Time between feedback per packet"),
  NUMBER (rtcp_share, "rtcp-share", 1, "Share of the bandwidth that RTCP may take"),
  TIME (sr_interval, "sr-interval", "Time between sender reports"),
  TIME (d_max, "packet-trace-max-delay",
  "Packets later than that are counted as late; 0: none are"),
  SWITCH (extended, "xr", "Reports are XR by the AVPF rule"),
  SWITCH (extended_early, "xr-early", "... early ones too"),
  NUMBER (report_rtts, "report-rtts", 1e6, "Least time between reports, in round trips"),
  SWITCH (notes_groups, "note-groups", "Keep a note of each group of packets"),
  COUNT (parity_always, "parity-always", "", "FBRA: media packets per parity packet outside probes"),
  COUNT (parity_depth, "parity-depth", "", "FBRA: blocks of it between one another"),
  SWITCH (parity_probes, "probe-protection",
      "Probes are filled with parity of the last packets in place of padding"),
  SWITCH (parity_first, "probe-for-external",
      "Increases are parity first, as rtpfbrafec probe-for=external in front has it"),
  COUNT (source.gop, "gop", "", "Frames from key frame to key frame; 0: there is none"),
  NUMBER (source.gop_factor, "gop-factor", 1e6, "Size of a key frame as a multiple of the mean"),
  COUNT (source.key_size, "key-size", "B", "Size of a key frame; 0: by gop-factor"),
  RCC_SETTINGS_END
};

/* Each with what its names begin with here. */
static const struct {
  const char *prefix;
  const RccSetting *rows;
  size_t offset;                        /* of what they speak of */
} tables[] = {
  { "", rcc_gcc_settings, offsetof (RccFlowConfig, gcc) },
  { "fbra-", rcc_fbra_settings, offsetof (RccFlowConfig, fbra) },
  { "", rcc_cnadu_settings, offsetof (RccFlowConfig, cnadu) },
  { "", rcc_tfrc_settings, offsetof (RccFlowConfig, tfrc) },
  { "sbpn-", rcc_sbpn_settings, offsetof (RccFlowConfig, queue.scheduler) },
  { "breaker-", rcc_breaker_settings, offsetof (RccFlowConfig, breaker) },
  { "breaker-", rcc_breaker_rules, offsetof (RccFlowConfig, breaker) },
  { "", flow_settings, 0 },
};

#define TABLES (sizeof tables / sizeof *tables)

#define EXPIRY (400 * RCC_MSEC)          /* as rtpsbpnmux */
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

/* Where its settings are in a flow: a member of their own, or what any other has. */
static size_t
place_of (const RccController *row)
{
  for (size_t i = 0; i < TABLES; i++)
    if (tables[i].rows == row->settings)
      return tables[i].offset;
  return offsetof (RccFlowConfig, other);
}

void
rcc_flow_control (RccFlowConfig *c, const RccController *row)
{
  c->controller = row;
  if (place_of (row) != offsetof (RccFlowConfig, other))
    return;
  memset (c->other, 0, sizeof c->other);
  if (row->defaults)
    row->defaults (c->other);
}

const void *
rcc_flow_controller_config (const RccFlowConfig *c)
{
  return (const char *) c + place_of (c->controller);
}

/* The row @name, and what it speaks of in @c. */
static const RccSetting *
find (RccFlowConfig *c, const char *name, void **of)
{
  for (size_t i = 0; i < TABLES; i++) {
    const size_t n = strlen (tables[i].prefix);
    const RccSetting *row = strncmp (name, tables[i].prefix, n) ? NULL
        : rcc_setting_find (tables[i].rows, name + n);

    *of = (char *) c + tables[i].offset;
    if (row)
      return row;
  }
  *of = c->other;
  return place_of (c->controller) == offsetof (RccFlowConfig, other) && c->controller->settings
      ? rcc_setting_find (c->controller->settings, name) : NULL;
}

/* A number, or one of its words; times below 0 are for ever. */
static bool
value_of (const RccSetting *row, const char *text, double *value)
{
  if (!number (text, value))
    return rcc_setting_word (row, text, value);
  if (row->type == RCC_SET_TIME && *value < 0)
    *value = (double) RCC_NEVER;
  return true;
}

bool
rcc_flow_set (RccFlowConfig *c, const char *name, const char *value)
{
  void *of;
  const RccSetting *row = find (c, name, &of);
  double v;

  if (!strcmp (name, FBRA_PLUS) && number (value, &v) && v != 0)
    rcc_flow_fbra_plus (c);
  if (!row)
    return !strcmp (name, FBRA_PLUS) && number (value, &v);
  return value_of (row, value, &v) && rcc_setting_set (row, of, v);
}

static void
print_value (FILE *out, const RccSetting *row, double value)
{
  const RccChoice *c = row->choices ? row->choices->values : NULL;

  while (c && c->name && c->value != value)
    c++;
  if (c && c->name)
    fprintf (out, "%s", c->name);
  else if (row->type == RCC_SET_TIME && value >= RCC_FOREVER)
    fprintf (out, "none");
  else if (row->type == RCC_SET_BOOL)
    fprintf (out, "%s", value != 0 ? "true" : "false");
  else
    fprintf (out, "%.10g", value);
}

static void
print_range (FILE *out, const RccSetting *row)
{
  const RccChoice *c = row->choices ? row->choices->values : NULL;

  for (; c && c->name; c++)
    fprintf (out, "%s%s", c == row->choices->values ? "" : ", ", c->name);
  if (row->choices || row->type == RCC_SET_BOOL)
    return;
  print_value (out, row, row->least);
  fprintf (out, " to ");
  print_value (out, row, row->most);
}

static void
print_rows (FILE *out, const char *prefix, const RccSetting *rows, const void *of)
{
  for (const RccSetting *row = rows; row->name; row++) {
    fprintf (out, "| `%s%s` | ", prefix, row->name);
    print_value (out, row, rcc_setting_get (row, of));
    fprintf (out, " | %s | ", row->unit);
    print_range (out, row);
    fprintf (out, " | %s | %s |\n", row->text, row->source ? row->source : "ours");
  }
}

void
rcc_flow_print_settings (const RccFlowConfig *c, FILE *out)
{
  fprintf (out, "| name | value | unit | range | meaning | source |\n|---|---|---|---|---|---|\n");
  for (size_t i = 0; i < TABLES; i++)
    print_rows (out, tables[i].prefix, tables[i].rows, (const char *) c + tables[i].offset);
  if (place_of (c->controller) == offsetof (RccFlowConfig, other) && c->controller->settings)
    print_rows (out, "", c->controller->settings, c->other);
}

/* --- what takes more than a number ---------------------------------------- */

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
  const RccController *row = rcc_registry_find (value);

  if (row && row->setting == RCC_SETTING_FBRA)
    begin_anew (c, rcc_flow_config_fbra (row->name, FBRA_OWD));
  else if (row && !strcmp (row->name, "gcc-paper"))
    set_profile (c, "paper");
  else if (row)
    rcc_flow_control (c, row);
  return row != NULL;
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

void
rcc_flow_prefer (RccFlowConfig *c)
{
  for (const char *const *name = c->controller->feedbacks; *name; name++)
    if (format_of (*name, &c->feedback))
      return;
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

static bool
unknown_controller (const char *value, char *error, size_t error_size)
{
  char names[256];

  rcc_registry_names (names, sizeof names);
  snprintf (error, error_size, "there is no controller \"%.40s\", but %.140s.", value, names);
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
    if (words[i].set == set_controller)
      return unknown_controller (value, error, error_size);
    snprintf (error, error_size, "a flow's %.40s cannot be \"%.80s\"; see --help", name, value);
    return false;
  }
  if (rcc_flow_set (c, name, value))
    return true;
  snprintf (error, error_size, "a flow has no option \"%.40s\" with the value \"%.80s\": see "
      "--help.", name, value);
  return false;
}
