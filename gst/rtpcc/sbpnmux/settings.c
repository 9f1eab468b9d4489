/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/sbpnmux/settings.h"

#include "rtpcc/sendpath/sendpath.h"

static const RccChoice rate_control_values[] = {
  { GST_RTP_SBPN_MUX_NONE, "Packets leave as fast as downstream takes them", "none" },
  { GST_RTP_SBPN_MUX_EXTERNAL, "The target that a controller downstream says", "external" },
  { GST_RTP_SBPN_MUX_TFRC, "TCP Friendly Rate Control, from RTCP", "tfrc" },
  { 0, NULL, NULL },
};
static const RccChoices rate_controls = { "SbpnMuxRateControl", rate_control_values };

#define S GstRtpCcMuxSettings
#define COUNT(member, name, unit, most, text) \
  RCC_SETTING (S, member, name, RCC_SET_U32, true, unit, 0, most, text, NULL)

static const RccSetting rows[] = {
  RCC_SETTING_CHOICE (S, rate_control, "rate-control", false, &rate_controls,
      "Who says how fast packets may leave; the bitrates are for tfrc", NULL),
  RCC_SETTING_CHOICE (S, mode, "mode", true, &rcc_sbpn_modes, "Which packet is the best next",
      "McDonald and Nelson"),
  COUNT (max_buffers, "max-size-buffers", "packets", GST_RTP_CC_SEND_ENTRIES - 1,
      "Packets that may wait, of all pads together; beyond, the least wanted is dropped; 0: as "
      "many as can be"),
  COUNT (max_bytes, "max-size-bytes", "B", UINT32_MAX, "Bytes that may wait; 0: no limit"),
  RCC_SETTING (S, max_time, "max-size-time", RCC_SET_TIME, true, "ns", 0, RCC_FOREVER,
      "How long a packet may wait, whatever its expiry; 0: no limit", NULL),
  RCC_SETTING (S, pacing_factor, "pacing-factor", RCC_SET_DOUBLE, true, "", 0.1, 10,
      "Packets leave at this multiple of the target from downstream. Keep it at or below the "
      "controller's own, so that what waits does so here, in order of worth", NULL),
  RCC_SETTINGS_END
};

static const GstRtpCcSettingsPart properties[] = {
  { rows, 0 }, { rcc_limits_settings, G_STRUCT_OFFSET (S, limits) }, { NULL, 0 },
};

typedef struct {                /* what tuning is of */
  RccSbpnConfig scheduler;
  RccTfrcConfig tfrc;
  gint owd;                     /* RccSbpnOwdKind */
} Tuned;

static const RccSetting owd[] = {
  RCC_SETTING_CHOICE (Tuned, owd, "one-way-delay", true, &rcc_sbpn_one_way_delays,
      "What a packet is taken to be on its way for; it comes too late where it expires before "
      "that is over", NULL),
  RCC_SETTINGS_END
};

static const GstRtpCcSettingsPart tuning[] = {
  { rcc_sbpn_settings, G_STRUCT_OFFSET (Tuned, scheduler) },
  { rcc_tfrc_settings, G_STRUCT_OFFSET (Tuned, tfrc) }, { owd, 0 }, { NULL, 0 },
};

static void
init (gpointer settings)
{
  *(S *) settings = (S) {
    .rate_control = GST_RTP_SBPN_MUX_EXTERNAL, .mode = RCC_SBPN_2,
    .max_buffers = 1000, .max_bytes = 10 * 1024 * 1024,         /* bytes as queue has them */
    .max_time = GST_SECOND, .pacing_factor = 1.0, .limits = RCC_LIMITS_DEFAULT,
  };
}

const GstRtpCcSettings gst_rtp_cc_mux_settings = {
  sizeof (S), init, properties, tuning, G_STRUCT_OFFSET (S, tuning)
};

static Tuned
tuned (const GstRtpCcMuxSettings *s)
{
  Tuned t = { rcc_sbpn_config (), rcc_tfrc_config (), RCC_SBPN_OWD_MEASURED };

  gst_rtp_cc_settings_tune (&gst_rtp_cc_mux_settings, s, &t);
  return t;
}

RccSendConfig
gst_rtp_cc_mux_settings_send (const GstRtpCcMuxSettings *s)
{
  const Tuned t = tuned (s);
  RccSendConfig config = rcc_send_config ();

  config.scheduled = TRUE;
  config.owd = (RccSbpnOwdKind) t.owd;
  config.scheduler.mode = (RccSbpnMode) s->mode;
  config.scheduler.max_packets = s->max_buffers;
  config.scheduler.max_bytes = s->max_bytes;
  config.scheduler.max_time = s->max_time > 0 ? s->max_time : RCC_NEVER;
  config.scheduler.priority_weight = t.scheduler.priority_weight;
  config.scheduler.deficit_limit = t.scheduler.deficit_limit;
  return config;
}

RccTfrcConfig
gst_rtp_cc_mux_settings_tfrc (const GstRtpCcMuxSettings *s)
{
  return tuned (s).tfrc;
}
