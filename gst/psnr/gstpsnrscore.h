/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * gstpsnrscore.h - one pair of pictures compared, and what is posted of it
 */
#ifndef GST_PSNR_SCORE_H
#define GST_PSNR_SCORE_H

#include "psnr/gstpsnrsettings.h"
#include "psnr/gstpsnrvideo.h"

typedef struct {                /* what framematch holds */
  PsnrVideo video;
  guint64 number;
} PsnrFrame;

void psnr_frame_free (void *frame);

typedef struct {
  PsnrFrame *ref;
  PsnrVideo shown;
  GstClockTime running_time;
  gboolean frozen, ssim_wanted, post;
  PsnrCrop crop;
  /* the result */
  PsnrError error;
  double ssim;
  PsnrResult result;
} PsnrScore;

void psnr_score_compare (PsnrScore *score);
/* A picture of the size before, still on screen while the size changes, is no error.  Two
 * fresh pictures that do not fit are. */
gboolean psnr_score_is_error (const PsnrScore *score);

/* In the name of @element: the message of a frame; an error. */
void psnr_score_post (const PsnrScore *score, GstElement *element);
void psnr_score_post_error (const PsnrScore *score, GstElement *element);

#endif
