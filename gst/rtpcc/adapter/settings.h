/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * adapter/settings.h - rtpbitrateadapter's writable properties as one struct
 */
#ifndef GST_RTP_CC_ADAPTER_SETTINGS_H
#define GST_RTP_CC_ADAPTER_SETTINGS_H

#include "core/encoder-rate.h"
#include "rtpcc/common/settings.h"

#define GST_RTP_CC_ADAPTER_VBV 200      /* ms */

typedef struct {
  GstElement *encoder;                  /* owned; NULL: look upstream */
  const gchar *bitrate_property;        /* interned; NULL: from the table */
  guint bitrate_unit;                   /* bit/s per unit of it */
  RccEncoderLimits limits;
  gdouble max_correction;               /* of utilization.h */
  GstClockTime update_interval;
  guint vbv_buffer;                     /* ms; 0: leave it */
  GstClockTime skip_queue_time;         /* 0: encode all pictures */
  bool adapt_resolution;
  const gchar *capsfilter;              /* interned */
  gdouble bits_per_pixel;
} GstRtpCcAdapterSettings;

/* But for encoder, bitrate-property, vbv-buffer and capsfilter, which are the element's. */
extern const GstRtpCcSettings gst_rtp_cc_adapter_settings;

void gst_rtp_cc_adapter_settings_init (gpointer settings);      /* one of those */

#endif
