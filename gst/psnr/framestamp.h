/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * framestamp.h - a frame number drawn into the picture
 *
 * A strip of the picture's luma holds FRAMESTAMP_CELLS blocks side by side, of equal width and
 * the strip's height. Cell i spans columns i W / 40 to (i + 1) W / 40. Each is of luma 16 (zero)
 * or 235 (one), most significant bit first. First come 24 bits of number in Gray code, so that
 * few cells change from frame to frame. Then come 16 bits CRC-16/CCITT of the three bytes sent.
 * Its polynomial is 0x1021 and its initial value 0xFFFF, so that neither a black nor a white
 * strip is valid.
 *
 * At VGA and a strip of 16 rows a cell is one macroblock.  The cells are given
 * by ratio: a picture that was scaled on the way is still readable.
 *
 * Reading averages the middle half of each cell. It fails where a cell is neither dark nor bright
 * or the CRC does not match. A strip that holds anything but a stamp passes with a probability of
 * 2^-16 at most.
 */
#ifndef PSNR_FRAMESTAMP_H
#define PSNR_FRAMESTAMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FRAMESTAMP_BITS 24
#define FRAMESTAMP_CELLS 40
#define FRAMESTAMP_MASK UINT32_C (0xFFFFFF)
#define FRAMESTAMP_MIN_WIDTH (2 * FRAMESTAMP_CELLS)
#define FRAMESTAMP_MIN_HEIGHT 2

typedef struct {                /* where the strip is in a luma plane */
  uint32_t row;                 /* first row */
  uint32_t height;              /* rows */
} FrameStampStrip;

/* The @rows first rows, or with @bottom the last ones, of a @width x @height picture. False where
 * the picture cannot hold it. */
bool framestamp_strip (uint32_t width, uint32_t height, uint32_t rows,
    bool bottom, FrameStampStrip *strip);

/* Draws @number modulo 2^24.  @luma: first sample of the picture. */
void framestamp_draw (uint8_t *luma, ptrdiff_t stride, uint32_t width,
    const FrameStampStrip *strip, uint32_t number);

/* False, and @number untouched, where there is no stamp that can be trusted. */
bool framestamp_read (const uint8_t *luma, ptrdiff_t stride, uint32_t width,
    const FrameStampStrip *strip, uint32_t *number);

/* The one number that is @number modulo 2^24 and closest to @near: stamps wrap
 * after 6.5 days at 30 frames/s. */
int64_t framestamp_unwrap (int64_t near, uint32_t number);

#endif
