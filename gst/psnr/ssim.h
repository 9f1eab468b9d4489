/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * ssim.h - structural similarity of two 8-bit planes
 *
 * Wang, Bovik, Sheikh, Simoncelli, "Image quality assessment: from error
 * visibility to structural similarity", IEEE TIP 13(4), 2004, equation 13:
 *
 *   (2 ma mb + C1) (2 cov + C2) / ((ma^2 + mb^2 + C1) (va + vb + C2))
 *
 * with C1 = (0.01 * 255)^2, C2 = (0.03 * 255)^2 and population variances, and
 * the mean of it over all windows.
 *
 * Departs from it: the window is a plain 8x8 square that moves by 4 samples instead of an 11x11
 * Gaussian that moves by one. Values differ in the second or third digit: compare only with
 * values of the same kind. Up to three columns and rows at the right and bottom that fill no step
 * are left out. A plane smaller than 8 in a direction is one window.
 */
#ifndef PSNR_SSIM_H
#define PSNR_SSIM_H

#include <stddef.h>
#include <stdint.h>

/* -1..1, 1 for identical planes and for planes without a sample. */
double psnr_ssim (const uint8_t *a, ptrdiff_t stride_a, const uint8_t *b,
    ptrdiff_t stride_b, size_t width, size_t height);

#endif
