/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * ssrcs.h - one record for each SSRC, by need, at one cost for any number of them
 *
 * It is for SSRCs of what is sent or received, never for those that RTCP names. Beyond RCC_SSRCS
 * the one that was used longest ago makes room.
 */
#ifndef RCC_SSRCS_H
#define RCC_SSRCS_H

#include "core/rcc.h"

#define RCC_SSRCS 64                    /* told apart */
#define RCC_SSRCS_SLOTS 256             /* a power of two, sparse */

typedef struct {
  RccResize resize;
  uint8_t *records;                     /* in the order of ssrcs */
  size_t record_size;
  unsigned n, room;                     /* records: in use, and that there is memory for */
  unsigned hit;                         /* place of the one used last */
  uint64_t uses;
  uint32_t ssrcs[RCC_SSRCS];
  uint64_t used[RCC_SSRCS];             /* uses, when it was used last */
  uint8_t slots[RCC_SSRCS_SLOTS];       /* place + 1; 0: none */
} RccSsrcs;

void rcc_ssrcs_init (RccSsrcs *s, size_t record_size, RccResize resize);
/* Forgets all; the memory stays. */
void rcc_ssrcs_forget (RccSsrcs *s);
/* Forgets all, and gives the memory back. */
void rcc_ssrcs_clear (RccSsrcs *s);

/* Its record; NULL: it has none. */
void *rcc_ssrcs_find (const RccSsrcs *s, uint32_t ssrc);
/* Its record, which was used now.  @is_new: it is zeroed, may stand where an older one
 * stood, and all others may have moved. */
void *rcc_ssrcs_use (RccSsrcs *s, uint32_t ssrc, bool *is_new);

static inline void *
rcc_ssrcs_at (const RccSsrcs *s, unsigned place)
{
  return s->records + place * s->record_size;
}

static inline unsigned
rcc_ssrcs_place (const RccSsrcs *s, const void *record)
{
  return (unsigned) ((size_t) ((const uint8_t *) record - s->records) / s->record_size);
}

#endif
