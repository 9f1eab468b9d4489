/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * gstpsnrvideo.h - the pure measure applied to GstVideo buffers, and its results
 * as fields of a GstStructure
 */
#ifndef GST_PSNR_VIDEO_H
#define GST_PSNR_VIDEO_H

#include <gst/video/video.h>
#include "psnr/framematch.h"
#include "psnr/psnr.h"

#define PSNR_FORMATS "{ I420, YV12, NV12, NV21, Y42B, Y444, GRAY8 }"

typedef struct {
  GstBuffer *buffer;
  GstVideoInfo info;
} PsnrVideo;

typedef enum {
  PSNR_SCORED,
  PSNR_UNREADABLE,              /* a buffer too small for its caps */
  PSNR_DIFFERENT,               /* size or planes do not agree */
  PSNR_CROPPED_AWAY,            /* nothing left to measure */
} PsnrResult;

/* @ssim: NULL where it is not wanted. */
PsnrResult psnr_video_compare (const PsnrVideo *ref, const PsnrVideo *dist,
    const PsnrCrop *crop, PsnrError *error, double *ssim);

gboolean psnr_video_read_stamp (const PsnrVideo *video, guint rows, gboolean bottom,
    guint32 *number);

void psnr_set_error_fields (GstStructure *s, const PsnrError *error);
void psnr_set_stats_fields (GstStructure *s, const PsnrPool *pool,
    const FrameMatchStats *match, guint64 unscored);

#endif
