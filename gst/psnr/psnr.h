/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * psnr.h - peak signal-to-noise ratio of 8-bit pictures
 *
 * For one component, with SSE the sum of squared differences over N samples:
 *
 *   PSNR = 10 log10 (255^2 N / SSE)  dB, at most PSNR_CAP
 *
 * Identical components have no finite PSNR. They count as PSNR_CAP, and so does what lies above
 * it (at VGA, fewer than three samples off by one).
 *
 *   psnr_all  all components as one: SSE and N are those of the components
 *             added up, so each counts by its samples (4:2:0: Y 4, U 1, V 1)
 *   psnr_611  (6 Y + U + V) / 8 of the components' dB, as video coding papers
 *             report it; a picture without chroma: its Y
 *
 * Over many frames: pooled = the same formulas on SSE and N summed over all
 * frames (for one picture size: on the mean MSE); mean = mean of the frames'
 * dB.  Pooled is never above mean unless the cap is at work.
 */
#ifndef PSNR_PSNR_H
#define PSNR_PSNR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PSNR_CAP 100.0          /* dB */

enum { PSNR_Y, PSNR_U, PSNR_V, PSNR_COMPONENTS };

typedef struct {                /* one plane in memory */
  const uint8_t *data;
  ptrdiff_t stride;             /* bytes */
  uint32_t width, height;       /* samples of one component */
  uint8_t component;            /* the one it holds; the first one of a pair */
  bool pair;                    /* holds two, interleaved: U V or V U */
} PsnrPlane;

typedef struct {
  uint8_t n_planes;             /* 1..3 */
  PsnrPlane plane[3];
} PsnrPicture;

typedef struct {                /* Y, U, V; a component without samples is absent */
  uint64_t sse[PSNR_COMPONENTS];
  uint64_t samples[PSNR_COMPONENTS];
} PsnrError;

/* Leaves out rows and columns of the full-size picture.  Where a component is
 * subsampled, a crop that is no multiple of the subsampling takes the whole
 * chroma sample.  False, and @picture unchanged, where no luma would be left. */
typedef struct {
  uint32_t top, bottom, left, right;
} PsnrCrop;

bool psnr_picture_crop (PsnrPicture *picture, const PsnrCrop *crop);

/* True where @a and @b have the same planes of the same sizes. */
bool psnr_picture_same_shape (const PsnrPicture *a, const PsnrPicture *b);

/* Both must have the same shape. */
PsnrError psnr_measure (const PsnrPicture *ref, const PsnrPicture *dist);

void psnr_error_add (PsnrError *total, const PsnrError *frame);
double psnr_db (uint64_t sse, uint64_t samples);       /* no samples: PSNR_CAP */
double psnr_all (const PsnrError *e);
double psnr_611 (const PsnrError *e);

typedef struct {                /* all zero to start */
  uint64_t frames;
  uint64_t identical;           /* frames without any difference */
  PsnrError total;
  double sum_db;                /* of psnr_all of each frame */
  double sum_ssim;
  uint64_t frames_ssim;
} PsnrPool;

/* @ssim: NULL where it was not measured */
void psnr_pool_add (PsnrPool *pool, const PsnrError *frame, const double *ssim);
double psnr_pool_mean (const PsnrPool *pool);          /* 0 without frames */
double psnr_pool_mean_ssim (const PsnrPool *pool);     /* 0 without frames */

#endif
