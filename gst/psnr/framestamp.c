/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "psnr/framestamp.h"
#include <string.h>

#define ZERO 16                 /* black and white of video range: */
#define ONE 235                 /* codecs and converters keep these */
#define DARK 96                 /* a cell between these two is not trusted */
#define BRIGHT 160

static uint16_t
crc16 (uint32_t bits24)
{
  uint16_t crc = 0xFFFF;

  for (int shift = FRAMESTAMP_BITS - 1; shift >= 0; shift--) {
    bool bit = ((bits24 >> shift) ^ (crc >> 15)) & 1;

    crc = (uint16_t) (crc << 1);
    if (bit)
      crc ^= 0x1021;
  }
  return crc;
}

static uint64_t
encode (uint32_t number)
{
  uint32_t gray;

  number &= FRAMESTAMP_MASK;
  gray = number ^ (number >> 1);
  return (uint64_t) gray << 16 | crc16 (gray);
}

static bool
decode (uint64_t cells, uint32_t *number)
{
  uint32_t gray = (uint32_t) (cells >> 16) & FRAMESTAMP_MASK;
  uint32_t n = gray;

  if (crc16 (gray) != (cells & 0xFFFF))
    return false;
  for (int shift = 1; shift < FRAMESTAMP_BITS; shift *= 2)
    n ^= n >> shift;
  *number = n;
  return true;
}

static uint32_t
cell_edge (uint32_t width, uint32_t cell)
{
  return (uint32_t) ((uint64_t) width * cell / FRAMESTAMP_CELLS);
}

bool
framestamp_strip (uint32_t width, uint32_t height, uint32_t rows, bool bottom,
    FrameStampStrip *strip)
{
  if (width < FRAMESTAMP_MIN_WIDTH || rows < FRAMESTAMP_MIN_HEIGHT || rows > height)
    return false;
  strip->row = bottom ? height - rows : 0;
  strip->height = rows;
  return true;
}

void
framestamp_draw (uint8_t *luma, ptrdiff_t stride, uint32_t width,
    const FrameStampStrip *strip, uint32_t number)
{
  uint64_t cells = encode (number);
  uint8_t *row = luma + (ptrdiff_t) strip->row * stride;

  for (uint32_t y = 0; y < strip->height; y++, row += stride)
    for (uint32_t i = 0; i < FRAMESTAMP_CELLS; i++) {
      uint32_t x = cell_edge (width, i), end = cell_edge (width, i + 1);
      bool bit = (cells >> (FRAMESTAMP_CELLS - 1 - i)) & 1;

      memset (row + x, bit ? ONE : ZERO, end - x);
    }
}

/* The middle half: what an encoder smears over an edge stays out. */
static uint32_t
cell_mean (const uint8_t *luma, ptrdiff_t stride, uint32_t x, uint32_t end,
    const FrameStampStrip *strip)
{
  uint32_t dx = (end - x) / 4, dy = strip->height / 4;
  uint64_t sum = 0, n = 0;

  for (uint32_t y = strip->row + dy; y < strip->row + strip->height - dy; y++)
    for (uint32_t i = x + dx; i < end - dx; i++, n++)
      sum += luma[(ptrdiff_t) y * stride + (ptrdiff_t) i];
  return (uint32_t) (sum / n);
}

bool
framestamp_read (const uint8_t *luma, ptrdiff_t stride, uint32_t width,
    const FrameStampStrip *strip, uint32_t *number)
{
  uint64_t cells = 0;

  if (width < FRAMESTAMP_MIN_WIDTH || strip->height < FRAMESTAMP_MIN_HEIGHT)
    return false;
  for (uint32_t i = 0; i < FRAMESTAMP_CELLS; i++) {
    uint32_t mean = cell_mean (luma, stride, cell_edge (width, i),
        cell_edge (width, i + 1), strip);

    if (mean > DARK && mean < BRIGHT)
      return false;
    cells = cells << 1 | (mean >= BRIGHT);
  }
  return decode (cells, number);
}

int64_t
framestamp_unwrap (int64_t near, uint32_t number)
{
  const int64_t half = (int64_t) 1 << (FRAMESTAMP_BITS - 1);
  uint32_t ahead = (number - (uint32_t) (uint64_t) near) & FRAMESTAMP_MASK;

  return ahead < half ? near + ahead : near + ahead - 2 * half;
}
