/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/fbrafec/settings.h"

#include "core/fbra/state.h"
#include "wire/interleave.h"
#include "wire/ulpfec.h"

/* --- words ---------------------------------------------------------------- */

static const RccChoice algorithm_values[] = {
  { GST_RTP_FBRA_FBRA, "Probes with parity", "fbra" },
  { GST_RTP_FBRA_CNADU, "C-NADU-like: by percentiles of the round trip, without parity", "cnadu" },
  { 0, NULL, NULL },
};
static const RccChoices algorithms = { "FbraAlgorithm", algorithm_values };

static const RccChoice profile_values[] = {
  { GST_RTP_FBRA_PROFILE_PAPER, "The paper's constants, as far as they are known", "paper" },
  { GST_RTP_FBRA_PROFILE_PLUS, "FBRA+, ours: remembers what the path took; for reports every "
    "100 ms", "plus" },
  { 0, NULL, NULL },
};
static const RccChoices profiles = { "FbraProfile", profile_values };

static const RccChoice probe_for_values[] = {
  { GST_RTP_FBRA_PROBE_SELF, "The algorithm decides on the rate", "self" },
  { GST_RTP_FBRA_PROBE_EXTERNAL, "A controller downstream does, its increases are probed",
    "external" },
  { 0, NULL, NULL },
};
static const RccChoices probe_fors = { "FbraProbeFor", probe_for_values };

static const RccChoice format_values[] = {
  { GST_RTP_FBRA_ULPFEC, "RFC 5109", "ulpfec" },
  { GST_RTP_FBRA_FLEXFEC, "RFC 8627, on the pad fec_src only", "flexfec" },
  { 0, NULL, NULL },
};
static const RccChoices formats = { "FbraFormat", format_values };

static const RccChoice state_values[] = {
  { RCC_FBRA_DOWN, "The rate has gone down", "down" },
  { RCC_FBRA_STAY, "The rate stays", "stay" },
  { RCC_FBRA_PROBE, "Parity is sent for what more may pass", "probe" },
  { RCC_FBRA_UP, "It has passed and has become media", "up" },
  { 0, NULL, NULL },
};

const RccChoices gst_rtp_fbra_states = { "FbraState", state_values };

/* --- the table ------------------------------------------------------------ */

#define S GstRtpCcFbraSettings
#define COUNT(member, name, live, least, most, text, source) \
  RCC_SETTING (S, member, name, RCC_SET_U32, live, "", least, most, text, source)
#define TIME(member, name, least, most, text, source) \
  RCC_SETTING (S, member, name, RCC_SET_TIME, false, "ns", least, most, text, source)
#define CHOICE(member, name, choices, text) \
  RCC_SETTING_CHOICE (S, member, name, false, &choices, text, NULL)

static const RccSetting rows[] = {
  CHOICE (profile, "profile", profiles,
      "Which set of FBRA's constants to use; what other properties say goes on top"),
  CHOICE (probe_for, "probe-for", probe_fors, "Whose increases are tried out with parity first"),
  CHOICE (format, "fec-format", formats, "How parity is written; flexfec needs the pad fec_src"),
  COUNT (pt, "fec-payload-type", false, 0, 127,
      "RTP payload type of parity packets, other than the media's", NULL),
  COUNT (fec_ssrc, "fec-ssrc", false, 0, UINT32_MAX,
      "SSRC of the parity on the pad fec_src; 0: random", NULL),
  COUNT (protect_ssrc, "protect-ssrc", false, 0, UINT32_MAX,
      "The one stream that parity is made of; 0: the caps' or the first that passes", NULL),
  RCC_SETTING (S, close_at_marker, "close-at-marker", RCC_SET_BOOL, false, "", 0, 1,
      "Parity among the media waits for the end of a frame (marker). So whoever drops it leaves no "
      "gap within a frame. There is somewhat less of it than the interval says, and no interval "
      "above 24", NULL),
  COUNT (protection, "protection", true, 0, RCC_ULPFEC_SPAN_LONG,
      "Media packets per parity packet outside probes, to repair losses whatever the controller "
      "does; 0: off, as in the paper. Its share is taken from the target. With close-at-marker no "
      "more than 24", NULL),
  COUNT (interleave, "interleave", true, 1, RCC_INTERLEAVE_DEPTH,
      "Blocks of the protection that lie between one another; 1: off. As many losses in a row are "
      "repaired, so many packets later. No more than the mask of a parity packet reaches over: "
      "(protection - 1) * interleave < 48. With close-at-marker (2 * protection - 1) * interleave "
      "< 48, with fec-format=flexfec 110. The field fec-interleave of the stats says what is in "
      "effect", NULL),
  TIME (max_delay, "max-delay", GST_MSECOND, 60.0 * GST_SECOND,
      "Packets that were longer under way count as discarded", "the paper's d_max: 400 ms"),
  TIME (feedback_interval, "feedback-interval", 10.0 * GST_MSECOND, 10.0 * GST_SECOND,
      "How far apart reports are expected until they tell. More frequent feedback is judged "
      "together for as long. Two round trips where those are longer, but not with profile=plus",
      NULL),
  RCC_SETTINGS_END
};

static const GstRtpCcSettingsPart properties[] = {
  { rcc_limits_settings, G_STRUCT_OFFSET (S, limits) }, { rows, 0 }, { NULL, 0 },
};

typedef struct {                /* what tuning is of */
  RccFbraConfig fbra;
  gint algorithm;               /* GstRtpFbraAlgorithm */
} Tuned;

static const RccSetting algorithm[] = {
  RCC_SETTING_CHOICE (Tuned, algorithm, "algorithm", false, &algorithms,
      "Who decides on the rate, with probe-for=self", NULL),
  RCC_SETTINGS_END
};

static const GstRtpCcSettingsPart tuning[] = {
  { rcc_fbra_settings, G_STRUCT_OFFSET (Tuned, fbra) }, { algorithm, 0 }, { NULL, 0 },
};

static void
init (gpointer settings)
{
  *(S *) settings = (S) {
    .limits = RCC_LIMITS_DEFAULT, .pt = 122, .interleave = 1, .max_delay = 400 * GST_MSECOND,
    .feedback_interval = 100 * GST_MSECOND,
  };
}

const GstRtpCcSettings gst_rtp_cc_fbra_settings = {
  sizeof (S), init, properties, tuning, G_STRUCT_OFFSET (S, tuning)
};

/* --- what they mean ------------------------------------------------------- */

#define N_LEAST 2u                      /* of an interval: fewer is a copy */

/* Ours, where the paper leaves a probe to chance and a fall to guesses: parity_least and
 * by_capacity.  The properties, then tuning, go on top of the profile. */
static RccFbraConfig
tuned (const GstRtpCcFbraSettings *s, RccFbraConfig config)
{
  const uint32_t n_min = config.n_min;
  Tuned t;

  config.parity_least = 1;
  config.by_capacity = true;
  config.d_max = s->max_delay;
  config.reports.interval = s->feedback_interval;
  t.fbra = config;
  gst_rtp_cc_settings_tune (&gst_rtp_cc_fbra_settings, s, &t);
  config = t.fbra;
  /* a largest interval that was asked for wins over a smallest that was not */
  if (config.n_min == n_min)
    config.n_min = RCC_MIN (n_min, config.n_max);
  config.n_min = RCC_MAX (config.n_min, N_LEAST);
  config.n_max = RCC_MAX (config.n_min, config.n_max);
  config.n_low = RCC_CLAMP (config.n_low, config.n_min, config.n_max);
  return config;
}

GstRtpFbraAlgorithm
gst_rtp_cc_fbra_settings_algorithm (const GstRtpCcFbraSettings *s)
{
  Tuned t = { .algorithm = GST_RTP_FBRA_FBRA };

  gst_rtp_cc_settings_tune (&gst_rtp_cc_fbra_settings, s, &t);
  return (GstRtpFbraAlgorithm) t.algorithm;
}

RccFbraConfig
gst_rtp_cc_fbra_settings_config (const GstRtpCcFbraSettings *s)
{
  const gboolean plus = s->profile == GST_RTP_FBRA_PROFILE_PLUS;
  RccFbraConfig config = plus ? rcc_fbra_config_plus () : rcc_fbra_config ();

  /* it is for feedback-interval whatever the round trip: none is pooled for longer */
  if (plus)
    config.reports.interval_rtts = 0;
  return tuned (s, config);
}

RccCnaduConfig
gst_rtp_cc_fbra_settings_cnadu (const GstRtpCcFbraSettings *s)
{
  const RccFbraConfig fbra = tuned (s, rcc_fbra_config ());
  RccCnaduConfig config = rcc_cnadu_config ();

  config.d_max = fbra.d_max;
  config.reports.interval = fbra.reports.interval;
  return config;
}

RccFbraProbeConfig
gst_rtp_cc_fbra_settings_probe (const GstRtpCcFbraSettings *s)
{
  const RccFbraConfig fbra = tuned (s, rcc_fbra_config ());
  RccFbraProbeConfig config = rcc_fbra_probe_config ();

  config.n_min = fbra.n_min;
  config.n_max = fbra.n_max;
  config.parity_least = fbra.parity_least;
  config.d_max = fbra.d_max;
  config.reports.interval = fbra.reports.interval;
  return config;
}

RccProtection
gst_rtp_cc_fbra_settings_protection (const GstRtpCcFbraSettings *s)
{
  return (RccProtection) { .every = s->protection, .depth = s->interleave };
}

gboolean
gst_rtp_cc_fbra_settings_flush (const GstRtpCcFbraSettings *s)
{
  return s->probe_for == GST_RTP_FBRA_PROBE_SELF && gst_rtp_cc_fbra_settings_config (s).flush;
}
