/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/common/enums.h"

#include "rtpcc/common/utils.h"

GType
gst_rtp_gcc_profile_get_type (void)
{
  static gsize once = 0;
  static const GEnumValue values[] = {
    {RCC_GCC_PAPER, "As the packet-grouping paper has it (ANRW'16)", "paper"},
    {RCC_GCC_DEFAULT, "The best we know", "default"},
    {RCC_GCC_RRTCC,
          "As in 2012, a baseline (draft-alvestrand-rtcweb-congestion-02/-03)",
        "rrtcc"},
    {0, NULL, NULL},
  };

  return gst_rtp_cc_enum_type (&once, "GstRtpGccProfile", values);
}

GType
gst_rtp_gcc_filter_get_type (void)
{
  static gsize once = 0;
  static const GEnumValue values[] = {
    {GST_RTP_GCC_FILTER_PROFILE, "What the profile says", "profile"},
    {GST_RTP_GCC_FILTER_KALMAN,
        "Scalar Kalman filter (draft-ietf-rmcat-gcc-02 5.3)", "kalman"},
    {GST_RTP_GCC_FILTER_KALMAN2,
        "Kalman filter of slope and offset", "kalman2"},
    {GST_RTP_GCC_FILTER_TRENDLINE,
        "Slope of the accumulated delay", "trendline"},
    {0, NULL, NULL},
  };

  return gst_rtp_cc_enum_type (&once, "GstRtpGccFilter", values);
}

GType
gst_rtp_gcc_grouping_get_type (void)
{
  static gsize once = 0;
  static const GEnumValue values[] = {
    {GST_RTP_GCC_GROUPING_PROFILE, "What the profile says", "profile"},
    {GST_RTP_GCC_GROUPING_NONE, "By departure alone: no pre-filter", "none"},
    {GST_RTP_GCC_GROUPING_PAPER, "Pre-filter of ANRW'16, Algorithm 1", "paper"},
    {GST_RTP_GCC_GROUPING_DRAFT,
        "Pre-filter of draft-ietf-rmcat-gcc-02 5.2", "draft"},
    {0, NULL, NULL},
  };

  return gst_rtp_cc_enum_type (&once, "GstRtpGccGrouping", values);
}

GType
gst_rtp_gcc_threshold_get_type (void)
{
  static gsize once = 0;
  static const GEnumValue values[] = {
    {GST_RTP_GCC_THRESHOLD_PROFILE, "What the profile says", "profile"},
    {GST_RTP_GCC_THRESHOLD_DRAFT,
        "Constants of draft-ietf-rmcat-gcc-02 5.4", "draft"},
    {GST_RTP_GCC_THRESHOLD_WEBRTC, "Constants of libwebrtc", "webrtc"},
    {0, NULL, NULL},
  };

  return gst_rtp_cc_enum_type (&once, "GstRtpGccThreshold", values);
}

RccGccConfig
gst_rtp_gcc_config (RccGccProfile profile, GstRtpGccFilter filter,
    GstRtpGccGrouping grouping, GstRtpGccThreshold threshold)
{
  static const RccFilterKind filters[] = {
    [GST_RTP_GCC_FILTER_KALMAN] = RCC_FILTER_KALMAN,
    [GST_RTP_GCC_FILTER_KALMAN2] = RCC_FILTER_KALMAN2,
    [GST_RTP_GCC_FILTER_TRENDLINE] = RCC_FILTER_TRENDLINE,
  };
  static const RccGrouping groupings[] = {
    [GST_RTP_GCC_GROUPING_NONE] = RCC_GROUPING_NONE,
    [GST_RTP_GCC_GROUPING_PAPER] = RCC_GROUPING_PAPER,
    [GST_RTP_GCC_GROUPING_DRAFT] = RCC_GROUPING_DRAFT,
  };
  static const RccOveruseConfig thresholds[] = {
    [GST_RTP_GCC_THRESHOLD_DRAFT] = RCC_OVERUSE_DRAFT,
    [GST_RTP_GCC_THRESHOLD_WEBRTC] = RCC_OVERUSE_WEBRTC,
  };
  RccGccConfig config = rcc_gcc_config (profile);

  if (filter != GST_RTP_GCC_FILTER_PROFILE)
    config.filter = filters[filter];
  if (grouping != GST_RTP_GCC_GROUPING_PROFILE)
    config.grouping = groupings[grouping];
  if (threshold != GST_RTP_GCC_THRESHOLD_PROFILE)
    config.overuse = thresholds[threshold];
  return config;
}
