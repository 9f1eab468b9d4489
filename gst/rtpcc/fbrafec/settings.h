/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fbrafec/settings.h - rtpfbrafec's writable properties as one struct
 */
#ifndef GST_RTP_CC_FBRA_SETTINGS_H
#define GST_RTP_CC_FBRA_SETTINGS_H

#include "core/fbra/cnadu.h"
#include "core/fbra/config.h"
#include "core/fbra/probe.h"
#include "core/fbra/protection.h"
#include "rtpcc/common/settings.h"

typedef enum {
  GST_RTP_FBRA_FBRA,
  GST_RTP_FBRA_CNADU,
} GstRtpFbraAlgorithm;

typedef enum {
  GST_RTP_FBRA_PROFILE_PAPER,
  GST_RTP_FBRA_PROFILE_PLUS,
} GstRtpFbraProfile;

typedef enum {
  GST_RTP_FBRA_PROBE_SELF,
  GST_RTP_FBRA_PROBE_EXTERNAL,
} GstRtpFbraProbeFor;

typedef enum {
  GST_RTP_FBRA_ULPFEC,
  GST_RTP_FBRA_FLEXFEC,
} GstRtpFbraFormat;

typedef struct {
  RccConfig limits;
  gint profile, probe_for, format;   /* GstRtpFbra... */
  guint pt, fec_ssrc, protect_ssrc;     /* SSRC 0: the element chooses */
  bool close_at_marker;
  guint protection, interleave;
  GstClockTime max_delay, feedback_interval;
  GstRtpCcTuning tuning;        /* of RccFbraConfig, and the algorithm */
} GstRtpCcFbraSettings;

extern const GstRtpCcSettings gst_rtp_cc_fbra_settings;

/* Values of RccFbraState. */
extern const RccChoices gst_rtp_fbra_states;

GstRtpFbraAlgorithm gst_rtp_cc_fbra_settings_algorithm (const GstRtpCcFbraSettings *settings);

/* What they mean to FBRA, to C-NADU-like, and to probing for another controller. */
RccFbraConfig gst_rtp_cc_fbra_settings_config (const GstRtpCcFbraSettings *settings);
RccCnaduConfig gst_rtp_cc_fbra_settings_cnadu (const GstRtpCcFbraSettings *settings);
RccFbraProbeConfig gst_rtp_cc_fbra_settings_probe (const GstRtpCcFbraSettings *settings);
/* ... and outside probes. */
RccProtection gst_rtp_cc_fbra_settings_protection (const GstRtpCcFbraSettings *settings);
/* Whether what a probe has begun when it ends gets its parity (send/parity.h). */
gboolean gst_rtp_cc_fbra_settings_flush (const GstRtpCcFbraSettings *settings);

#endif
