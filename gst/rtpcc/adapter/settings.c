/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/adapter/settings.h"

#define S GstRtpCcAdapterSettings
#define ROW(member, name, type, least, most, text) \
  RCC_SETTING (S, member, name, type, true, "", least, most, text, NULL)

static const RccSetting rows[] = {
  ROW (bitrate_unit, "bitrate-unit", RCC_SET_U32, 1, 1000000,
      "bit/s per unit of bitrate-property: 1, or 1000 where it is in kbit/s"),
  ROW (skip_queue_time, "skip-queue-time", RCC_SET_TIME, 0, RCC_FOREVER,
      "While what waits at the sender takes longer than this to leave, no picture is encoded "
      "(ns; 0: all are)"),
  ROW (update_interval, "update-interval", RCC_SET_TIME, 0, 60 * GST_SECOND,
      "Least time in ns between changes of the encoder (a decrease by more than 5 % does not "
      "wait)"),
  ROW (limits.min_bps, "min-bitrate", RCC_SET_U32, 0, G_MAXUINT,
      "Lowest bitrate of the encoder in bit/s, whatever the target"),
  ROW (limits.max_bps, "max-bitrate", RCC_SET_U32, 0, G_MAXUINT,
      "Highest bitrate of the encoder in bit/s"),
  ROW (limits.reserved_bps, "reserved-bitrate", RCC_SET_U32, 0, G_MAXUINT,
      "Part of the target in bit/s that other streams of the session take"),
  ROW (limits.packet_overhead, "packet-overhead", RCC_SET_U32, 0, 1000,
      "Bytes of RTP header and extensions per packet, which the target includes and the "
      "encoder's bitrate does not"),
  ROW (limits.mtu, "mtu", RCC_SET_U32, 64, 65535,
      "Bytes of a full RTP packet: the payloader's mtu"),
  ROW (max_correction, "max-correction", RCC_SET_DOUBLE, 1, 2,
      "An encoder that makes less than it is set to is set to as much more, at most to this "
      "multiple (1: never)"),
  ROW (adapt_resolution, "adapt-resolution", RCC_SET_BOOL, 0, 1,
      "Lower resolution and frame rate through the capsfilter when there are too few bits per "
      "pixel"),
  ROW (bits_per_pixel, "bits-per-pixel", RCC_SET_DOUBLE, 0.0001, 10,
      "Encoder bits per pixel below which a smaller picture is asked for"),
  RCC_SETTINGS_END
};

static const GstRtpCcSettingsPart properties[] = { { rows, 0 }, { NULL, 0 } };

const GstRtpCcSettings gst_rtp_cc_adapter_settings = {
  sizeof (S), gst_rtp_cc_adapter_settings_init, properties, NULL, 0
};

void
gst_rtp_cc_adapter_settings_init (gpointer settings)
{
  *(S *) settings = (S) {
    .bitrate_unit = 1,
    .limits = {
      .max_bps = G_MAXUINT,
      .packet_overhead = 24,    /* an RTP header, abs-send-time, a transport-wide number */
      .mtu = 1200,
    },
    .max_correction = 1.2,
    .update_interval = 100 * GST_MSECOND,
    .vbv_buffer = GST_RTP_CC_ADAPTER_VBV,
    .skip_queue_time = 150 * GST_MSECOND,
    .bits_per_pixel = 0.025,
  };
}
