/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire/xr-rtt.h"

#define ENTRY_SIZE 12

bool
rcc_xr_rrtr_parse (const RccXrBlock *block, uint64_t *ntp)
{
  if (block->type != RCC_XR_RRTR || block->body.size != 8)
    return false;
  *ntp = rcc_be64 (block->body.data);
  return true;
}

bool
rcc_xr_dlrr_next (RccBytes *rest, RccXrDlrr *entry)
{
  *entry = (RccXrDlrr) { 0 };
  if (rest->size < ENTRY_SIZE)
    return false;
  *entry = (RccXrDlrr) { .ssrc = rcc_be32 (rest->data), .lrr = rcc_be32 (rest->data + 4),
    .dlrr = rcc_be32 (rest->data + 8) };
  rest->data += ENTRY_SIZE;
  rest->size -= ENTRY_SIZE;
  return true;
}

size_t
rcc_xr_rrtr_add (uint8_t *out, size_t size, size_t used, uint64_t ntp)
{
  uint8_t body[8];
  const RccXrBlock block = { RCC_XR_RRTR, 0, { body, sizeof body } };

  rcc_put64 (body, ntp);
  return rcc_xr_add (out, size, used, &block);
}

size_t
rcc_xr_dlrr_add (uint8_t *out, size_t size, size_t used, const RccXrDlrr *entries,
    unsigned n)
{
  uint8_t body[RCC_XR_DLRR_MAX * ENTRY_SIZE];
  const RccXrBlock block = { RCC_XR_DLRR, 0, { body, (size_t) n * ENTRY_SIZE } };

  if (n == 0 || n > RCC_XR_DLRR_MAX)
    return 0;
  for (unsigned i = 0; i < n; i++) {
    rcc_put32 (body + i * ENTRY_SIZE, entries[i].ssrc);
    rcc_put32 (body + i * ENTRY_SIZE + 4, entries[i].lrr);
    rcc_put32 (body + i * ENTRY_SIZE + 8, entries[i].dlrr);
  }
  return rcc_xr_add (out, size, used, &block);
}

RccTime
rcc_xr_rtt (const RccSrLog *log, const RccSrs *rrtrs, const RccXrDlrr *entry, RccTime now)
{
  RccTime sample;

  rcc_rtt_judge (log, rrtrs, rcc_srs_find (log, rrtrs, entry->lrr), entry->lrr, entry->dlrr, 0,
      now, &sample);
  return sample;
}
