/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/sender/settings.h"

#include "wire/ulpfec.h"

#define S GstRtpCcSenderSettings
#define COUNT(member, name, live, most, text, source) \
  RCC_SETTING (S, member, name, RCC_SET_U32, live, "", 0, most, text, source)

static const RccSetting profile[] = {
  RCC_SETTING_CHOICE (S, profile, "profile", false, &rcc_gcc_profiles,
      "Which set of constants and additions to use", NULL),
  RCC_SETTINGS_END
};

static const RccSetting rows[] = {
  RCC_SETTING (S, max_queue_time, "max-queue-time", RCC_SET_TIME, false, "ns", 0, RCC_FOREVER,
      "What has waited longer than this to leave is dropped. So is its frame, and those up to the "
      "next key frame", NULL),
  COUNT (abs_send_time_id, "abs-send-time-id", true, 255,
      "Id of the abs-send-time header extension where the caps do not name it, as behind "
      "rtpfunnel; 0: none", NULL),
  COUNT (protection, "protection", true, RCC_ULPFEC_SPAN_LONG,
      "Media packets per packet of parity (RFC 5109); 0: no parity. It repairs losses where a "
      "round trip is too long for retransmissions. Its share is taken from the target", NULL),
  RCC_SETTING (S, probe_protection, "probe-protection", RCC_SET_BOOL, false, "", 0, 1,
      "Probes are filled with parity of the last packets in place of padding, while protection is "
      "0. For receivers that repair with it", NULL),
  COUNT (fec_pt, "fec-payload-type", false, 127,
      "RTP payload type of parity packets, other than the media's", NULL),
  COUNT (protect_ssrc, "protect-ssrc", false, UINT32_MAX,
      "The one stream that parity is made of; 0: the caps' or the first that passes", NULL),
  RCC_SETTINGS_END
};

static const GstRtpCcSettingsPart properties[] = {
  { rcc_limits_settings, G_STRUCT_OFFSET (S, limits) }, { rows, 0 }, { profile, 0 }, { NULL, 0 },
};

static const GstRtpCcSettingsPart any_properties[] = {
  { rcc_limits_settings, G_STRUCT_OFFSET (S, limits) }, { rows, 0 }, { NULL, 0 },
};

static const GstRtpCcSettingsPart tuning[] = { { rcc_gcc_settings, 0 }, { NULL, 0 } };

static void
init (gpointer settings)
{
  *(S *) settings = (S) {
    .limits = RCC_LIMITS_DEFAULT, .profile = RCC_GCC_DEFAULT,
    .max_queue_time = 2 * GST_SECOND, .fec_pt = 122,    /* as rtpfbrafec */
  };
}

const GstRtpCcSettings gst_rtp_cc_sender_settings = {
  sizeof (S), init, properties, tuning,
  G_STRUCT_OFFSET (S, tuning)
};

const GstRtpCcSettings gst_rtp_cc_any_sender_settings = {
  sizeof (S), init, any_properties, NULL, 0
};

RccGccConfig
gst_rtp_cc_sender_settings_config (const GstRtpCcSenderSettings *s)
{
  RccGccConfig config = rcc_gcc_config ((RccGccProfile) s->profile);

  gst_rtp_cc_settings_tune (&gst_rtp_cc_sender_settings, s, &config);
  if (config.probe_interval == 0)
    config.probe_factor = 0;
  return config;
}
