/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire/receipts.h"

#include <string.h>

#define CAPACITY_LEAST 64
#define LIVES 32                        /* what RccReceipt.life tells apart */

_Static_assert (sizeof (RccReceipt) == 8, "a cache line has eight");
_Static_assert (RCC_SSRCS <= 64, "RccReceipt.stream has six bits");

void
rcc_receipts_init (RccReceipts *r, RccResize resize)
{
  *r = (RccReceipts) { .resize = resize };
}

void
rcc_receipts_clear (RccReceipts *r)
{
  rcc_release (r->resize, r->receipts);
  rcc_receipts_init (r, r->resize);
}

bool
rcc_receipts_renew (RccReceipts *r, unsigned stream)
{
  r->lives[stream] = (r->lives[stream] + 1) % LIVES;
  return r->lives[stream] == 0;
}

/* By whole rings: a place is where its last bits say. */
bool
rcc_receipts_grow (RccReceipts *r)
{
  const uint32_t before = r->capacity, capacity = before ? 2 * before : CAPACITY_LEAST;

  if (before == RCC_RECEIPTS)
    return false;
  r->receipts = r->resize (r->receipts, capacity * sizeof *r->receipts);
  r->capacity = capacity;
  for (uint32_t i = 0, place = r->places - r->live; i < r->live; i++, place++)
    r->receipts[place & (capacity - 1)] = r->receipts[place & (before - 1)];
  return true;
}

void
rcc_receipts_add (RccReceipts *r, unsigned stream, int64_t number, bool late, uint32_t ticks)
{
  r->receipts[r->places++ & (r->capacity - 1)] = (RccReceipt) { .ticks = ticks,
    .number = (uint32_t) number & (RCC_RECEIPT_NUMBERS - 1), .stream = stream & 63,
    .life = r->lives[stream] & 31, .late = late };
  r->live++;
}

/* To the ring's end, so that places go on from there. */
void
rcc_receipts_keep (RccReceipts *r,
    bool (*is_needed) (void *user, const RccReceipt *receipt), void *user)
{
  uint32_t to = r->live;

  for (uint32_t i = r->live; i-- > 0;) {
    const RccReceipt *receipt = rcc_receipts_at (r, i);

    if (rcc_receipt_is_current (r, receipt) && is_needed (user, receipt))
      *rcc_receipts_at (r, --to) = *receipt;
  }
  r->live -= to;
}
