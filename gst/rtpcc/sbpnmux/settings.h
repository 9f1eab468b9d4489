/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * sbpnmux/settings.h - rtpsbpnmux's writable properties as one struct
 */
#ifndef GST_RTP_CC_MUX_SETTINGS_H
#define GST_RTP_CC_MUX_SETTINGS_H

#include <gst/gst.h>

#include "core/tfrc/tfrc.h"
#include "send/path.h"

G_BEGIN_DECLS

enum {                          /* property ids; the element's own follow */
  GST_RTP_CC_MUX_RATE_CONTROL = 1,
  GST_RTP_CC_MUX_MODE,
  GST_RTP_CC_MUX_MAX_SIZE_BUFFERS,
  GST_RTP_CC_MUX_MAX_SIZE_BYTES,
  GST_RTP_CC_MUX_MAX_SIZE_TIME,
  GST_RTP_CC_MUX_PACING_FACTOR,
  GST_RTP_CC_MUX_MIN_BITRATE,
  GST_RTP_CC_MUX_START_BITRATE,
  GST_RTP_CC_MUX_MAX_BITRATE,
  GST_RTP_CC_MUX_TFRC_FORM,
  GST_RTP_CC_MUX_FASTER_RESTART,
  GST_RTP_CC_MUX_ONE_WAY_DELAY,
  GST_RTP_CC_MUX_PRIORITY_WEIGHT,
  GST_RTP_CC_MUX_DEFICIT_LIMIT,
  GST_RTP_CC_MUX_N_SETTINGS
};

typedef enum {
  GST_RTP_SBPN_MUX_NONE,
  GST_RTP_SBPN_MUX_EXTERNAL,
  GST_RTP_SBPN_MUX_TFRC,
} GstRtpSbpnMuxRateControl;

#define GST_TYPE_RTP_SBPN_MUX_RATE_CONTROL (gst_rtp_sbpn_mux_rate_control_get_type ())
GType gst_rtp_sbpn_mux_rate_control_get_type (void);
/* Values of #RccSbpnMode, #RccTfrcForm and #RccSbpnOwdKind. */
#define GST_TYPE_RTP_SBPN_MUX_MODE (gst_rtp_sbpn_mux_mode_get_type ())
GType gst_rtp_sbpn_mux_mode_get_type (void);
#define GST_TYPE_RTP_SBPN_MUX_TFRC_FORM (gst_rtp_sbpn_mux_tfrc_form_get_type ())
GType gst_rtp_sbpn_mux_tfrc_form_get_type (void);
#define GST_TYPE_RTP_SBPN_MUX_ONE_WAY_DELAY (gst_rtp_sbpn_mux_one_way_delay_get_type ())
GType gst_rtp_sbpn_mux_one_way_delay_get_type (void);

typedef struct {
  gint rate_control, mode, tfrc_form, one_way_delay;
  gboolean faster_restart;
  GstClockTime priority_weight;
  guint deficit_limit;
  guint max_buffers, max_bytes;         /* 0: no limit, as in queue */
  GstClockTime max_time;                /* 0: no limit */
  gdouble pacing_factor;
  RccConfig limits;
} GstRtpCcMuxSettings;

/* In the element's class_init and init. */
void gst_rtp_cc_mux_settings_install (GObjectClass *klass);
void gst_rtp_cc_mux_settings_init (GstRtpCcMuxSettings *settings);

/* FALSE when @id is none of the above. */
gboolean gst_rtp_cc_mux_settings_set (GstRtpCcMuxSettings *settings, guint id,
    const GValue *value);
gboolean gst_rtp_cc_mux_settings_get (const GstRtpCcMuxSettings *settings, guint id,
    GValue *value);

/* What they mean. */
RccSendConfig gst_rtp_cc_mux_settings_send (const GstRtpCcMuxSettings *settings);
RccTfrcConfig gst_rtp_cc_mux_settings_tfrc (const GstRtpCcMuxSettings *settings);

G_END_DECLS

#endif
