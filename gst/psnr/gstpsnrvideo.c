/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "psnr/gstpsnrvideo.h"
#include "psnr/framestamp.h"
#include "psnr/ssim.h"

static gboolean
map_frame (GstVideoFrame * frame, const PsnrVideo * video)
{
  GstVideoMeta *meta = gst_buffer_get_video_meta (video->buffer);

  /* gst_video_frame_map() takes a contradiction for a programming error. */
  if (meta && meta->format != GST_VIDEO_INFO_FORMAT (&video->info))
    return FALSE;
  return gst_video_frame_map (frame, &video->info, video->buffer, GST_MAP_READ);
}

/* By component rather than by plane, so that I420 and YV12 agree. */
static PsnrPicture
frame_picture (const GstVideoFrame * frame)
{
  PsnrPicture picture = { 0 };
  guint components = GST_VIDEO_FRAME_N_COMPONENTS (frame);
  gboolean pair = components == 3 && GST_VIDEO_FRAME_N_PLANES (frame) == 2;

  for (guint c = 0; c < components; c++) {
    /* NV12, NV21: the pair goes by the component that comes first in memory */
    if (pair && c > 0 && GST_VIDEO_FRAME_COMP_POFFSET (frame, c) != 0)
      continue;
    picture.plane[picture.n_planes++] = (PsnrPlane) {
    .data = GST_VIDEO_FRAME_COMP_DATA (frame, c),.stride =
          GST_VIDEO_FRAME_COMP_STRIDE (frame, c),.width =
          (guint32) GST_VIDEO_FRAME_COMP_WIDTH (frame, c),.height =
          (guint32) GST_VIDEO_FRAME_COMP_HEIGHT (frame, c),.component =
          (guint8) c,.pair = pair && c > 0,};
  }
  return picture;
}

static PsnrResult
compare_frames (const GstVideoFrame * ref, const GstVideoFrame * dist,
    const PsnrCrop * crop, PsnrError * error, double *ssim)
{
  PsnrPicture a = frame_picture (ref), b = frame_picture (dist);
  const PsnrPlane *y = &a.plane[0], *z = &b.plane[0];

  if (!psnr_picture_same_shape (&a, &b))
    return PSNR_DIFFERENT;
  if (!psnr_picture_crop (&a, crop) || !psnr_picture_crop (&b, crop))
    return PSNR_CROPPED_AWAY;
  *error = psnr_measure (&a, &b);
  if (ssim)
    *ssim =
        psnr_ssim (y->data, y->stride, z->data, z->stride, y->width, y->height);
  return PSNR_SCORED;
}

PsnrResult
psnr_video_compare (const PsnrVideo * ref, const PsnrVideo * dist,
    const PsnrCrop * crop, PsnrError * error, double *ssim)
{
  PsnrResult result = PSNR_UNREADABLE;
  GstVideoFrame a, b;

  if (!map_frame (&a, ref))
    return result;
  if (map_frame (&b, dist)) {
    result = compare_frames (&a, &b, crop, error, ssim);
    gst_video_frame_unmap (&b);
  }
  gst_video_frame_unmap (&a);
  return result;
}

gboolean
psnr_video_read_stamp (const PsnrVideo * video, guint rows, gboolean bottom,
    guint32 * number)
{
  GstVideoFrame frame;
  FrameStampStrip strip;
  guint width, height;
  gboolean found;

  if (!map_frame (&frame, video))
    return FALSE;
  width = (guint) GST_VIDEO_FRAME_WIDTH (&frame);
  height = (guint) GST_VIDEO_FRAME_HEIGHT (&frame);
  found = framestamp_strip (width, height, rows, bottom, &strip)
      && framestamp_read (GST_VIDEO_FRAME_COMP_DATA (&frame, 0),
      GST_VIDEO_FRAME_COMP_STRIDE (&frame, 0), width, &strip, number);
  gst_video_frame_unmap (&frame);
  return found;
}

void
psnr_set_error_fields (GstStructure * s, const PsnrError * error)
{
  static const char *names[] = { "psnr-y", "psnr-u", "psnr-v" };

  gst_structure_set (s, "psnr", G_TYPE_DOUBLE, psnr_all (error), "psnr-611",
      G_TYPE_DOUBLE, psnr_611 (error), NULL);
  for (guint i = 0; i < PSNR_COMPONENTS; i++)
    if (error->samples[i] > 0)
      gst_structure_set (s, names[i], G_TYPE_DOUBLE, psnr_db (error->sse[i],
              error->samples[i]), NULL);
}

void
psnr_set_stats_fields (GstStructure * s, const PsnrPool * pool,
    const FrameMatchStats * match, guint64 unscored)
{
  gst_structure_set (s, "frames", G_TYPE_UINT64, pool->frames,
      "identical", G_TYPE_UINT64, pool->identical,
      "frozen", G_TYPE_UINT64, match->frozen,
      "freezes", G_TYPE_UINT64, match->freezes,
      "freeze-time", G_TYPE_UINT64, match->freeze_time,
      "longest-freeze", G_TYPE_UINT64, match->longest_freeze,
      "unmatched", G_TYPE_UINT64, match->unshown + match->refused + unscored,
      "late", G_TYPE_UINT64, match->late,
      "duplicate", G_TYPE_UINT64, match->duplicate,
      "unknown", G_TYPE_UINT64, match->unknown, NULL);
  if (pool->frames == 0)
    return;
  psnr_set_error_fields (s, &pool->total);
  gst_structure_set (s, "mean-psnr", G_TYPE_DOUBLE, psnr_pool_mean (pool),
      NULL);
  if (pool->frames_ssim > 0)
    gst_structure_set (s, "mean-ssim", G_TYPE_DOUBLE,
        psnr_pool_mean_ssim (pool), NULL);
}
