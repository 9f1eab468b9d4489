/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "psnr/gstpsnrscore.h"

GST_DEBUG_CATEGORY_EXTERN (psnr_debug);
#define GST_CAT_DEFAULT psnr_debug

void
psnr_frame_free (void *data)
{
  PsnrFrame *frame = data;

  gst_buffer_unref (frame->video.buffer);
  g_free (frame);
}

void
psnr_score_compare (PsnrScore * score)
{
  score->result = psnr_video_compare (&score->ref->video, &score->shown,
      &score->crop, &score->error, score->ssim_wanted ? &score->ssim : NULL);
}

gboolean
psnr_score_is_error (const PsnrScore * score)
{
  return score->result == PSNR_CROPPED_AWAY
      || (score->result == PSNR_DIFFERENT && !score->frozen);
}

void
psnr_score_post (const PsnrScore * score, GstElement * element)
{
  GstStructure *s =
      gst_structure_new ("GstPsnr", "type", G_TYPE_STRING, "frame",
      "frame", G_TYPE_UINT64, score->ref->number,
      "running-time", G_TYPE_UINT64, score->running_time,
      "frozen", G_TYPE_BOOLEAN, score->frozen, NULL);

  psnr_set_error_fields (s, &score->error);
  if (score->ssim_wanted)
    gst_structure_set (s, "ssim", G_TYPE_DOUBLE, score->ssim, NULL);
  gst_element_post_message (element,
      gst_message_new_element (GST_OBJECT (element), s));
}

void
psnr_score_post_error (const PsnrScore * score, GstElement * element)
{
  const GstVideoInfo *a = &score->ref->video.info, *b = &score->shown.info;

  if (score->result == PSNR_DIFFERENT)
    GST_ELEMENT_ERROR (element, STREAM, FORMAT,
        ("The reference is %dx%d %s and the "
            "distorted picture %dx%d %s: put videoconvert ! videoscale and the wanted "
            "caps in front of one of the pads.", a->width, a->height,
            a->finfo->name, b->width, b->height, b->finfo->name), (NULL));
  else
    GST_ELEMENT_ERROR (element, STREAM, FORMAT,
        ("Nothing is left to measure of a "
            "picture of %dx%d: lower crop-* (or stamp-height).", a->width,
            a->height), (NULL));
}
