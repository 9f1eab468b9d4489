/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "psnr/psnr.h"
#include "psnr/sse.h"
#include <math.h>

/* First and one past the last sample left of @size, where @full is the luma's size and @size this
 * component's. Rounds towards the inside. */
static void
crop_span (uint32_t full, uint32_t size, uint32_t before, uint32_t after,
    uint32_t *first, uint32_t *end)
{
  uint32_t step = size > 0 ? (full + size - 1) / size : 1;
  uint32_t last = full - after;

  *first = (before + step - 1) / step;
  *end = after == 0 ? size : last / step;
  if (*end < *first)
    *end = *first;
}

bool
psnr_picture_crop (PsnrPicture *picture, const PsnrCrop *crop)
{
  uint32_t width = picture->plane[0].width, height = picture->plane[0].height;

  if ((uint64_t) crop->left + crop->right >= width
      || (uint64_t) crop->top + crop->bottom >= height)
    return false;
  for (unsigned i = 0; i < picture->n_planes; i++) {
    PsnrPlane *p = &picture->plane[i];
    uint32_t x, right, y, bottom;

    crop_span (width, p->width, crop->left, crop->right, &x, &right);
    crop_span (height, p->height, crop->top, crop->bottom, &y, &bottom);
    p->data += (ptrdiff_t) y * p->stride + (ptrdiff_t) x * (p->pair ? 2 : 1);
    p->width = right - x;
    p->height = bottom - y;
  }
  return true;
}

bool
psnr_picture_same_shape (const PsnrPicture *a, const PsnrPicture *b)
{
  if (a->n_planes != b->n_planes)
    return false;
  for (unsigned i = 0; i < a->n_planes; i++) {
    const PsnrPlane *p = &a->plane[i], *q = &b->plane[i];

    if (p->width != q->width || p->height != q->height || p->pair != q->pair
        || p->component != q->component)
      return false;
  }
  return true;
}

PsnrError
psnr_measure (const PsnrPicture *ref, const PsnrPicture *dist)
{
  const PsnrSse *sse = psnr_sse_best ();
  PsnrError e = { 0 };

  for (unsigned i = 0; i < ref->n_planes; i++) {
    const PsnrPlane *p = &ref->plane[i], *q = &dist->plane[i];
    uint64_t samples = (uint64_t) p->width * p->height;
    unsigned c = p->component;

    e.samples[c] = samples;
    if (p->pair) {
      unsigned other = c == PSNR_U ? PSNR_V : PSNR_U;
      uint64_t sums[2];

      sse->pairs (p->data, p->stride, q->data, q->stride, p->width, p->height, sums);
      e.sse[c] = sums[0];
      e.sse[other] = sums[1];
      e.samples[other] = samples;
    } else {
      e.sse[c] = sse->plane (p->data, p->stride, q->data, q->stride, p->width,
          p->height);
    }
  }
  return e;
}

void
psnr_error_add (PsnrError *total, const PsnrError *frame)
{
  for (unsigned i = 0; i < PSNR_COMPONENTS; i++) {
    total->sse[i] += frame->sse[i];
    total->samples[i] += frame->samples[i];
  }
}

double
psnr_db (uint64_t sse, uint64_t samples)
{
  double db;

  if (sse == 0 || samples == 0)
    return PSNR_CAP;
  db = 10 * log10 (255.0 * 255.0 * (double) samples / (double) sse);
  return db < PSNR_CAP ? db : PSNR_CAP;
}

double
psnr_all (const PsnrError *e)
{
  return psnr_db (e->sse[PSNR_Y] + e->sse[PSNR_U] + e->sse[PSNR_V],
      e->samples[PSNR_Y] + e->samples[PSNR_U] + e->samples[PSNR_V]);
}

double
psnr_611 (const PsnrError *e)
{
  double y = psnr_db (e->sse[PSNR_Y], e->samples[PSNR_Y]);

  if (e->samples[PSNR_U] == 0)
    return y;
  return (6 * y + psnr_db (e->sse[PSNR_U], e->samples[PSNR_U])
      + psnr_db (e->sse[PSNR_V], e->samples[PSNR_V])) / 8;
}

void
psnr_pool_add (PsnrPool *pool, const PsnrError *frame, const double *ssim)
{
  pool->frames++;
  pool->identical += !(frame->sse[PSNR_Y] | frame->sse[PSNR_U] | frame->sse[PSNR_V]);
  pool->sum_db += psnr_all (frame);
  psnr_error_add (&pool->total, frame);
  if (ssim) {
    pool->frames_ssim++;
    pool->sum_ssim += *ssim;
  }
}

double
psnr_pool_mean (const PsnrPool *pool)
{
  return pool->frames ? pool->sum_db / (double) pool->frames : 0;
}

double
psnr_pool_mean_ssim (const PsnrPool *pool)
{
  return pool->frames_ssim ? pool->sum_ssim / (double) pool->frames_ssim : 0;
}
