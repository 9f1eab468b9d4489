/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fbrafec/settings.h - rtpfbrafec's writable properties as one struct
 */
#ifndef GST_RTP_CC_FBRA_SETTINGS_H
#define GST_RTP_CC_FBRA_SETTINGS_H

#include <gst/gst.h>
#include "core/fbra/cnadu.h"
#include "core/fbra/config.h"
#include "core/fbra/probe.h"
#include "core/fbra/protection.h"

G_BEGIN_DECLS

enum {                          /* property ids; the element's own follow */
  GST_RTP_CC_FBRA_MIN_BITRATE = 1,
  GST_RTP_CC_FBRA_START_BITRATE,
  GST_RTP_CC_FBRA_MAX_BITRATE,
  GST_RTP_CC_FBRA_ALGORITHM,
  GST_RTP_CC_FBRA_PROFILE,
  GST_RTP_CC_FBRA_PROBE_FOR,
  GST_RTP_CC_FBRA_FEC_FORMAT,
  GST_RTP_CC_FBRA_FEC_PAYLOAD_TYPE,
  GST_RTP_CC_FBRA_FEC_SSRC,
  GST_RTP_CC_FBRA_PROTECT_SSRC,
  GST_RTP_CC_FBRA_CLOSE_AT_MARKER,
  GST_RTP_CC_FBRA_FEC_INTERVAL_MIN,
  GST_RTP_CC_FBRA_FEC_INTERVAL_LOW,
  GST_RTP_CC_FBRA_FEC_INTERVAL_MAX,
  GST_RTP_CC_FBRA_PARITY_LEAST,
  GST_RTP_CC_FBRA_MIN_UTILIZATION,
  GST_RTP_CC_FBRA_PROTECTION,
  GST_RTP_CC_FBRA_INTERLEAVE,
  GST_RTP_CC_FBRA_UNDERSHOOT,
  GST_RTP_CC_FBRA_MAX_DELAY,
  GST_RTP_CC_FBRA_OWD_FLOOR,
  GST_RTP_CC_FBRA_FEEDBACK_INTERVAL,
  GST_RTP_CC_FBRA_N_SETTINGS
};

typedef enum {
  GST_RTP_FBRA_FBRA,
  GST_RTP_FBRA_CNADU,
} GstRtpFbraAlgorithm;

#define GST_TYPE_RTP_FBRA_ALGORITHM (gst_rtp_fbra_algorithm_get_type ())
GType gst_rtp_fbra_algorithm_get_type (void);

typedef enum {
  GST_RTP_FBRA_PROFILE_PAPER,
  GST_RTP_FBRA_PROFILE_PLUS,
} GstRtpFbraProfile;

#define GST_TYPE_RTP_FBRA_PROFILE (gst_rtp_fbra_profile_get_type ())
GType gst_rtp_fbra_profile_get_type (void);

typedef enum {
  GST_RTP_FBRA_CAPACITY,
  GST_RTP_FBRA_PAPER,
} GstRtpFbraUndershoot;

#define GST_TYPE_RTP_FBRA_UNDERSHOOT (gst_rtp_fbra_undershoot_get_type ())
GType gst_rtp_fbra_undershoot_get_type (void);

typedef enum {
  GST_RTP_FBRA_PROBE_SELF,
  GST_RTP_FBRA_PROBE_EXTERNAL,
} GstRtpFbraProbeFor;

#define GST_TYPE_RTP_FBRA_PROBE_FOR (gst_rtp_fbra_probe_for_get_type ())
GType gst_rtp_fbra_probe_for_get_type (void);

typedef enum {
  GST_RTP_FBRA_ULPFEC,
  GST_RTP_FBRA_FLEXFEC,
} GstRtpFbraFormat;

#define GST_TYPE_RTP_FBRA_FORMAT (gst_rtp_fbra_format_get_type ())
GType gst_rtp_fbra_format_get_type (void);

/* Values of RccFbraState. */
#define GST_TYPE_RTP_FBRA_STATE (gst_rtp_fbra_state_get_type ())
GType gst_rtp_fbra_state_get_type (void);

typedef struct {
  RccConfig limits;
  gint algorithm, profile, probe_for, format, undershoot;       /* GstRtpFbra... */
  guint pt, fec_ssrc, protect_ssrc;     /* SSRC 0: the element chooses */
  gboolean close_at_marker;
  guint n_min, n_low, n_max, parity_least;      /* n_min 0: the profile's */
  gdouble min_utilization;
  guint protection, interleave;
  GstClockTime max_delay, owd_floor, feedback_interval;
} GstRtpCcFbraSettings;

/* In the element's class_init and init. */
void gst_rtp_cc_fbra_settings_install (GObjectClass *klass);
void gst_rtp_cc_fbra_settings_init (GstRtpCcFbraSettings *settings);

/* FALSE when @id is none of the above. */
gboolean gst_rtp_cc_fbra_settings_set (GstRtpCcFbraSettings *settings, guint id,
    const GValue *value);
gboolean gst_rtp_cc_fbra_settings_get (const GstRtpCcFbraSettings *settings, guint id,
    GValue *value);

/* What they mean to FBRA, to C-NADU-like, and to probing for another controller. */
RccFbraConfig gst_rtp_cc_fbra_settings_config (const GstRtpCcFbraSettings *settings);
RccCnaduConfig gst_rtp_cc_fbra_settings_cnadu (const GstRtpCcFbraSettings *settings);
RccFbraProbeConfig gst_rtp_cc_fbra_settings_probe (const GstRtpCcFbraSettings *settings);
/* ... and outside probes. */
RccProtection gst_rtp_cc_fbra_settings_protection (const GstRtpCcFbraSettings *settings);

G_END_DECLS

#endif
