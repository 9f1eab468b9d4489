/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/insert.h"

void
rcc_insert_put (RccInsert *i, uint16_t number)
{
  i->offset++;
  i->numbers[i->n++ % RCC_INSERT_MAX] = number;
}

bool
rcc_insert_request (const RccInsert *i, RccInsertRequests *requests, uint16_t seq,
    uint16_t *former)
{
  const unsigned known = (unsigned) RCC_MIN (i->n, RCC_INSERT_MAX);
  unsigned later = 0;

  *former = seq;
  if (i->n == 0)
    return true;
  for (unsigned k = 0; k < known; k++) {
    const int16_t after = (int16_t) (i->numbers[k] - seq);

    if (after == 0)
      return false;
    later += after > 0;
  }
  if (later == known && i->n > known)
    return false;
  *former = (uint16_t) (seq - i->offset + later);
  requests->asked[requests->n % RCC_INSERT_REQUESTS].former = *former;
  requests->asked[requests->n++ % RCC_INSERT_REQUESTS].left = seq;
  return true;
}

bool
rcc_insert_answer (const RccInsertRequests *requests, uint16_t former, uint16_t *left)
{
  const unsigned known = (unsigned) RCC_MIN (requests->n, RCC_INSERT_REQUESTS);

  for (unsigned k = 1; k <= known; k++) {
    const uint64_t at = (requests->n - k) % RCC_INSERT_REQUESTS;

    if (requests->asked[at].former == former) {
      *left = requests->asked[at].left;
      return true;
    }
  }
  return false;
}
