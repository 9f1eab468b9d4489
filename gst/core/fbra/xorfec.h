/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fbra/xorfec.h - exclusive or of byte ranges, the whole arithmetic of a parity code
 *
 * Three implementations of one contract: acc[i] ^= bytes[i] for i < @size.  They
 * agree to the last bit, touch no byte beyond @size and need no alignment.  The
 * ranges must not overlap; @size may be 0.
 */
#ifndef RCC_XORFEC_H
#define RCC_XORFEC_H

#include "core/rcc.h"

typedef void (*RccXor) (uint8_t *restrict acc, const uint8_t *restrict bytes, size_t size);

void rcc_xor_reference (uint8_t *restrict acc, const uint8_t *restrict bytes, size_t size);
/* C that the compiler vectorises for any CPU of the build's architecture */
void rcc_xor_plain (uint8_t *restrict acc, const uint8_t *restrict bytes, size_t size);
RccXor rcc_xor_avx2 (void);     /* NULL where the CPU has no AVX2 */

/* The fastest this CPU can run. */
void rcc_xor (uint8_t *restrict acc, const uint8_t *restrict bytes, size_t size);

#endif
