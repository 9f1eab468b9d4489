/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * common/enums.h - the knobs of GCC as GObject enums, the same at both ends
 */
#ifndef GST_RTP_CC_ENUMS_H
#define GST_RTP_CC_ENUMS_H

#include <gst/gst.h>
#include "core/gcc/config.h"

G_BEGIN_DECLS

/* Values of #RccGccProfile. */
#define GST_TYPE_RTP_GCC_PROFILE (gst_rtp_gcc_profile_get_type ())
GType gst_rtp_gcc_profile_get_type (void);

/* What the profile says, or something else on top of it. */
typedef enum {
  GST_RTP_GCC_FILTER_PROFILE,
  GST_RTP_GCC_FILTER_KALMAN,
  GST_RTP_GCC_FILTER_KALMAN2,
  GST_RTP_GCC_FILTER_TRENDLINE,
} GstRtpGccFilter;

#define GST_TYPE_RTP_GCC_FILTER (gst_rtp_gcc_filter_get_type ())
GType gst_rtp_gcc_filter_get_type (void);

typedef enum {
  GST_RTP_GCC_GROUPING_PROFILE,
  GST_RTP_GCC_GROUPING_NONE,
  GST_RTP_GCC_GROUPING_PAPER,
  GST_RTP_GCC_GROUPING_DRAFT,
} GstRtpGccGrouping;

#define GST_TYPE_RTP_GCC_GROUPING (gst_rtp_gcc_grouping_get_type ())
GType gst_rtp_gcc_grouping_get_type (void);

typedef enum {
  GST_RTP_GCC_THRESHOLD_PROFILE,
  GST_RTP_GCC_THRESHOLD_DRAFT,
  GST_RTP_GCC_THRESHOLD_WEBRTC,
} GstRtpGccThreshold;

#define GST_TYPE_RTP_GCC_THRESHOLD (gst_rtp_gcc_threshold_get_type ())
GType gst_rtp_gcc_threshold_get_type (void);

/* The constants of @profile with what the other three say on top. */
RccGccConfig gst_rtp_gcc_config (RccGccProfile profile, GstRtpGccFilter filter,
    GstRtpGccGrouping grouping, GstRtpGccThreshold threshold);

G_END_DECLS
#endif
