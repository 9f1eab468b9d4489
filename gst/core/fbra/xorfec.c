/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What the kernel (xorfec-kernel.c) is tested against: nothing clever here.
 */
#include "core/fbra/xorfec.h"

void
rcc_xor_reference (uint8_t *restrict acc, const uint8_t *restrict bytes, size_t size)
{
  for (size_t i = 0; i < size; i++)
    acc[i] ^= bytes[i];
}
