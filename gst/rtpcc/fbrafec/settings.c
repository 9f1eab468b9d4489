/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/fbrafec/settings.h"

#include "core/fbra/state.h"
#include "rtpcc/common/limits.h"
#include "rtpcc/common/utils.h"
#include "wire/interleave.h"
#include "wire/ulpfec.h"

GType
gst_rtp_fbra_algorithm_get_type (void)
{
  static gsize once = 0;
  static const GEnumValue values[] = {
    {GST_RTP_FBRA_FBRA, "Probes with parity", "fbra"},
    {GST_RTP_FBRA_CNADU,
          "C-NADU-like: by percentiles of the round trip, without parity",
        "cnadu"},
    {0, NULL, NULL},
  };

  return gst_rtp_cc_enum_type (&once, "GstRtpFbraAlgorithm", values);
}

GType
gst_rtp_fbra_profile_get_type (void)
{
  static gsize once = 0;
  static const GEnumValue values[] = {
    {GST_RTP_FBRA_PROFILE_PAPER,
          "The paper's constants, as far as they are known",
        "paper"},
    {GST_RTP_FBRA_PROFILE_PLUS,
          "FBRA+, ours: remembers what the path took; for reports every 100 ms",
        "plus"},
    {0, NULL, NULL},
  };

  return gst_rtp_cc_enum_type (&once, "GstRtpFbraProfile", values);
}

GType
gst_rtp_fbra_undershoot_get_type (void)
{
  static gsize once = 0;
  static const GEnumValue values[] = {
    {GST_RTP_FBRA_CAPACITY,
          "To what came, less what empties the queue; and back to that",
        "capacity"},
    {GST_RTP_FBRA_PAPER, "By twice what did not come in time, as in the paper",
        "paper"},
    {0, NULL, NULL},
  };

  return gst_rtp_cc_enum_type (&once, "GstRtpFbraUndershoot", values);
}

GType
gst_rtp_fbra_probe_for_get_type (void)
{
  static gsize once = 0;
  static const GEnumValue values[] = {
    {GST_RTP_FBRA_PROBE_SELF, "The algorithm decides on the rate", "self"},
    {GST_RTP_FBRA_PROBE_EXTERNAL,
        "A controller downstream does, its increases are probed", "external"},
    {0, NULL, NULL},
  };

  return gst_rtp_cc_enum_type (&once, "GstRtpFbraProbeFor", values);
}

GType
gst_rtp_fbra_format_get_type (void)
{
  static gsize once = 0;
  static const GEnumValue values[] = {
    {GST_RTP_FBRA_ULPFEC, "RFC 5109", "ulpfec"},
    {GST_RTP_FBRA_FLEXFEC, "RFC 8627, on the pad fec_src only", "flexfec"},
    {0, NULL, NULL},
  };

  return gst_rtp_cc_enum_type (&once, "GstRtpFbraFormat", values);
}

GType
gst_rtp_fbra_state_get_type (void)
{
  static gsize once = 0;
  static const GEnumValue values[] = {
    {RCC_FBRA_DOWN, "The rate has gone down", "down"},
    {RCC_FBRA_STAY, "The rate stays", "stay"},
    {RCC_FBRA_PROBE, "Parity is sent for what more may pass", "probe"},
    {RCC_FBRA_UP, "It has passed and has become media", "up"},
    {0, NULL, NULL},
  };

  return gst_rtp_cc_enum_type (&once, "GstRtpFbraState", values);
}

/* --- the table ------------------------------------------------------------ */

typedef enum
{
  UINT, TIME, BOOLEAN, ENUM, FRACTION
} Kind;

typedef struct
{
  const gchar *name, *nick, *blurb;
  Kind kind;
  gsize offset;
  guint64 least, most, standard;
    GType (*type) (void);       /* of an ENUM */
  GParamFlags when;             /* it may change */
  gdouble fraction;             /* the standard of a FRACTION, which is in 0..1 */
} Row;

#define AT(member) G_STRUCT_OFFSET (GstRtpCcFbraSettings, member)
#define ALWAYS GST_PARAM_MUTABLE_PLAYING
#define READY GST_PARAM_MUTABLE_READY
#define BITRATE GST_RTP_CC_BITRATE_FLOOR, G_MAXUINT
#define ANEW "; takes effect in READY or at reset"

static const Row rows[GST_RTP_CC_FBRA_N_SETTINGS] = {
  [GST_RTP_CC_FBRA_MIN_BITRATE] = {"min-bitrate", "Minimum bitrate",
        "Smallest target, whatever the network says (bit/s); wins over max-bitrate",
        UINT, AT (limits.min_bps), BITRATE, GST_RTP_CC_MIN_BITRATE_DEFAULT, NULL,
      ALWAYS},
  [GST_RTP_CC_FBRA_START_BITRATE] = {"start-bitrate", "Start bitrate",
        "Target until the first feedback, with probe-for=self (bit/s)",
        UINT, AT (limits.start_bps), BITRATE, GST_RTP_CC_START_BITRATE_DEFAULT,
        NULL,
      READY},
  [GST_RTP_CC_FBRA_MAX_BITRATE] = {"max-bitrate", "Maximum bitrate",
        "Largest target, for media and parity together (bit/s)",
        UINT, AT (limits.max_bps), BITRATE, GST_RTP_CC_MAX_BITRATE_DEFAULT, NULL,
      ALWAYS},
  [GST_RTP_CC_FBRA_ALGORITHM] = {"algorithm", "Algorithm",
        "Who decides on the rate, with probe-for=self" ANEW,
        ENUM, AT (algorithm), 0, 0, GST_RTP_FBRA_FBRA,
      gst_rtp_fbra_algorithm_get_type, READY},
  [GST_RTP_CC_FBRA_PROFILE] = {"profile", "Profile",
        "Which set of FBRA's constants to use; what other properties say goes on top"
        ANEW,
        ENUM, AT (profile), 0, 0, GST_RTP_FBRA_PROFILE_PAPER,
      gst_rtp_fbra_profile_get_type, READY},
  [GST_RTP_CC_FBRA_PROBE_FOR] = {"probe-for", "Probe for",
        "Whose increases are tried out with parity first" ANEW,
        ENUM, AT (probe_for), 0, 0, GST_RTP_FBRA_PROBE_SELF,
      gst_rtp_fbra_probe_for_get_type, READY},
  [GST_RTP_CC_FBRA_FEC_FORMAT] = {"fec-format", "FEC format",
        "How parity is written; flexfec needs the pad fec_src" ANEW,
        ENUM, AT (format), 0, 0, GST_RTP_FBRA_ULPFEC,
        gst_rtp_fbra_format_get_type,
      READY},
  [GST_RTP_CC_FBRA_FEC_PAYLOAD_TYPE] = {"fec-payload-type", "FEC payload type",
        "RTP payload type of parity packets, other than the media's" ANEW,
      UINT, AT (pt), 0, 127, 122, NULL, READY},
  [GST_RTP_CC_FBRA_FEC_SSRC] = {"fec-ssrc", "FEC SSRC",
        "SSRC of the parity on the pad fec_src (0 = random)" ANEW,
      UINT, AT (fec_ssrc), 0, G_MAXUINT, 0, NULL, READY},
  [GST_RTP_CC_FBRA_PROTECT_SSRC] = {"protect-ssrc", "Protected SSRC",
        "The one stream that parity is made of (0 = the caps' or the first that "
        "passes)" ANEW,
      UINT, AT (protect_ssrc), 0, G_MAXUINT, 0, NULL, READY},
  [GST_RTP_CC_FBRA_CLOSE_AT_MARKER] = {"close-at-marker", "Close at marker",
        "Parity among the media waits for the end of a frame (marker), so that whoever "
        "drops it leaves no gap within one; there is somewhat less of it then than the "
        "interval says, and no interval above 24" ANEW,
      BOOLEAN, AT (close_at_marker), 0, 1, FALSE, NULL, READY},
  [GST_RTP_CC_FBRA_FEC_INTERVAL_MIN] =
      {"fec-interval-min", "Smallest FEC interval",
        "Media packets per parity packet at most parity, as in the first probe; wins "
        "over fec-interval-max (0 = what the profile says: 2 in paper, 7 in plus; 1 is "
        "as 2)" ANEW,
      UINT, AT (n_min), 0, RCC_ULPFEC_SPAN_LONG, 0, NULL, READY},
  [GST_RTP_CC_FBRA_FEC_INTERVAL_LOW] =
      {"fec-interval-low", "Low-rate FEC interval",
        "Media packets per parity packet well below what is known to pass, with "
        "profile=paper" ANEW,
      UINT, AT (n_low), 2, RCC_ULPFEC_SPAN_LONG, 8, NULL, READY},
  [GST_RTP_CC_FBRA_FEC_INTERVAL_MAX] =
      {"fec-interval-max", "Largest FEC interval",
        "Media packets per parity packet at least parity" ANEW,
      UINT, AT (n_max), 2, RCC_ULPFEC_SPAN_LONG, 14, NULL, READY},
  [GST_RTP_CC_FBRA_PARITY_LEAST] = {"parity-least", "Least parity",
        "Parity packets that must be reported before a probe counts as passed; with 0, "
        "as the paper has it, one report without loss is enough" ANEW,
      UINT, AT (parity_least), 0, 1000, 1, NULL, READY},
  [GST_RTP_CC_FBRA_MIN_UTILIZATION] = {"min-utilization", "Minimum utilization",
        "Share of its rate that the source must use before FBRA begins a probe, which "
        "proves nothing about a rate that is not sent (0 = off)" ANEW,
      FRACTION, AT (min_utilization), 0, 1, 0, NULL, READY, 0.67},
  [GST_RTP_CC_FBRA_PROTECTION] = {"protection", "Protection",
        "Media packets per parity packet outside probes, to repair losses whatever the "
        "controller does; its share is taken from the target (0 = off, as in the "
        "paper). With close-at-marker no more than 24",
      UINT, AT (protection), 0, RCC_ULPFEC_SPAN_LONG, 0, NULL, ALWAYS},
  [GST_RTP_CC_FBRA_INTERLEAVE] = {"interleave", "Interleave",
        "Blocks of the protection that lie between one another, so that as many losses "
        "in a row are repaired, so many packets later (1 = off). No more than what the "
        "mask of a parity packet reaches over: (protection - 1) * interleave < 48, with "
        "close-at-marker (2 * protection - 1) * interleave < 48, with fec-format=flexfec "
        "110; the field fec-interleave of the stats says what is in effect",
      UINT, AT (interleave), 1, RCC_INTERLEAVE_DEPTH, 1, NULL, ALWAYS},
  [GST_RTP_CC_FBRA_UNDERSHOOT] = {"undershoot", "Undershoot",
        "How far FBRA goes down" ANEW,
        ENUM, AT (undershoot), 0, 0, GST_RTP_FBRA_CAPACITY,
      gst_rtp_fbra_undershoot_get_type, READY},
  [GST_RTP_CC_FBRA_MAX_DELAY] = {"max-delay", "Maximum delay",
        "Packets that were longer under way count as discarded (ns)" ANEW,
        TIME, AT (max_delay), GST_MSECOND, 60 * GST_SECOND, 400 * GST_MSECOND,
        NULL,
      READY},
  [GST_RTP_CC_FBRA_OWD_FLOOR] = {"owd-floor", "One-way delay floor",
        "Added to one-way delays before they are compared, so that short paths do not "
        "trigger on a millisecond (ns; 0 = as the paper has it, 50000000 is a good "
        "choice below 50 ms)" ANEW,
      TIME, AT (owd_floor), 0, 10 * GST_SECOND, 0, NULL, READY},
  [GST_RTP_CC_FBRA_FEEDBACK_INTERVAL] =
      {"feedback-interval", "Feedback interval",
        "How far apart reports are expected until they tell, and how long more frequent "
        "feedback is judged together; two round trips where those are longer, but not "
        "with profile=plus (ns)" ANEW,
        TIME, AT (feedback_interval), 10 * GST_MSECOND, 10 * GST_SECOND,
      100 * GST_MSECOND, NULL, READY},
};

static GParamSpec *
make_spec (const Row * row)
{
  const GParamFlags flags =
      G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | row->when;

  switch (row->kind) {
    case UINT:
      return g_param_spec_uint (row->name, row->nick, row->blurb,
          (guint) row->least, (guint) row->most, (guint) row->standard, flags);
    case TIME:
      return g_param_spec_uint64 (row->name, row->nick, row->blurb, row->least,
          row->most, row->standard, flags);
    case ENUM:
      return g_param_spec_enum (row->name, row->nick, row->blurb, row->type (),
          (gint) row->standard, flags);
    case FRACTION:
      return g_param_spec_double (row->name, row->nick, row->blurb, 0.0, 1.0,
          row->fraction, flags);
    default:
      return g_param_spec_boolean (row->name, row->nick, row->blurb,
          row->standard != 0, flags);
  }
}

void
gst_rtp_cc_fbra_settings_install (GObjectClass * klass)
{
  for (guint id = 1; id < GST_RTP_CC_FBRA_N_SETTINGS; id++)
    g_object_class_install_property (klass, id, make_spec (&rows[id]));
}

static void
put (GstRtpCcFbraSettings * s, const Row * row, guint64 value)
{
  gpointer at = (guint8 *) s + row->offset;

  if (row->kind == TIME)
    *(guint64 *) at = value;
  else if (row->kind == UINT)
    *(guint *) at = (guint) value;
  else
    *(gint *) at = (gint) value;
}

static void
put_fraction (GstRtpCcFbraSettings * s, const Row * row, gdouble value)
{
  *(gdouble *) ((guint8 *) s + row->offset) = value;
}

void
gst_rtp_cc_fbra_settings_init (GstRtpCcFbraSettings * s)
{
  for (guint id = 1; id < GST_RTP_CC_FBRA_N_SETTINGS; id++)
    if (rows[id].kind == FRACTION)
      put_fraction (s, &rows[id], rows[id].fraction);
    else
      put (s, &rows[id], rows[id].standard);
}

gboolean
gst_rtp_cc_fbra_settings_set (GstRtpCcFbraSettings * s, guint id,
    const GValue * value)
{
  const Row *row = &rows[id];

  if (id == 0 || id >= GST_RTP_CC_FBRA_N_SETTINGS)
    return FALSE;
  switch (row->kind) {
    case UINT:
      put (s, row, g_value_get_uint (value));
      break;
    case TIME:
      put (s, row, g_value_get_uint64 (value));
      break;
    case ENUM:
      put (s, row, (guint64) g_value_get_enum (value));
      break;
    case BOOLEAN:
      put (s, row, g_value_get_boolean (value) != FALSE);
      break;
    case FRACTION:
      put_fraction (s, row, g_value_get_double (value));
      break;
  }
  return TRUE;
}

gboolean
gst_rtp_cc_fbra_settings_get (const GstRtpCcFbraSettings * s, guint id,
    GValue * value)
{
  gconstpointer at;

  if (id == 0 || id >= GST_RTP_CC_FBRA_N_SETTINGS)
    return FALSE;
  at = (const guint8 *) s + rows[id].offset;
  switch (rows[id].kind) {
    case UINT:
      g_value_set_uint (value, *(const guint *) at);
      break;
    case TIME:
      g_value_set_uint64 (value, *(const guint64 *) at);
      break;
    case ENUM:
      g_value_set_enum (value, *(const gint *) at);
      break;
    case BOOLEAN:
      g_value_set_boolean (value, *(const gboolean *) at);
      break;
    case FRACTION:
      g_value_set_double (value, *(const gdouble *) at);
      break;
  }
  return TRUE;
}

/* --- what they mean ------------------------------------------------------- */

#define N_LEAST 2u              /* of an interval: fewer is a copy */

/* What was asked for wins over what @n_min is where nothing was. */
static guint
interval_min (const GstRtpCcFbraSettings * s, guint n_min)
{
  return s->n_min ? MAX (s->n_min, N_LEAST) : MIN (n_min, s->n_max);
}

RccFbraConfig
gst_rtp_cc_fbra_settings_config (const GstRtpCcFbraSettings * s)
{
  const gboolean plus = s->profile == GST_RTP_FBRA_PROFILE_PLUS;
  RccFbraConfig config = plus ? rcc_fbra_config_plus () : rcc_fbra_config ();

  /* it is for feedback-interval whatever the round trip: none is pooled for longer */
  if (plus)
    config.reports.interval_rtts = 0;
  config.n_min = interval_min (s, config.n_min);
  config.n_max = MAX (config.n_min, s->n_max);
  config.n_low = CLAMP (s->n_low, config.n_min, config.n_max);
  config.parity_least = s->parity_least;
  config.filled = s->min_utilization;
  config.d_max = s->max_delay;
  config.owd_floor = s->owd_floor;
  config.by_capacity = s->undershoot == GST_RTP_FBRA_CAPACITY;
  config.reports.interval = s->feedback_interval;
  return config;
}

RccCnaduConfig
gst_rtp_cc_fbra_settings_cnadu (const GstRtpCcFbraSettings * s)
{
  RccCnaduConfig config = rcc_cnadu_config ();

  config.d_max = s->max_delay;
  config.reports.interval = s->feedback_interval;
  return config;
}

RccFbraProbeConfig
gst_rtp_cc_fbra_settings_probe (const GstRtpCcFbraSettings * s)
{
  RccFbraProbeConfig config = rcc_fbra_probe_config ();

  config.n_min = interval_min (s, config.n_min);
  config.n_max = MAX (config.n_min, s->n_max);
  config.parity_least = s->parity_least;
  config.d_max = s->max_delay;
  config.reports.interval = s->feedback_interval;
  return config;
}

RccProtection
gst_rtp_cc_fbra_settings_protection (const GstRtpCcFbraSettings * s)
{
  return (RccProtection) {
  .every = s->protection,.depth = s->interleave};
}
