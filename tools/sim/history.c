/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sim/history.h"

#include <stdlib.h>
#include <string.h>

#define OSN 2                           /* bytes: RFC 4588 4 */

static RccDatagram **
place_of (RccWorldHistory *h, uint16_t seq)
{
  return &h->packets[seq % RCC_HISTORY_PACKETS];
}

void
rcc_world_history_clear (RccWorldHistory *h)
{
  for (unsigned i = 0; i < RCC_HISTORY_PACKETS; i++)
    free (h->packets[i]);
}

void
rcc_world_history_keep (RccWorldHistory *h, const RccDatagram *d)
{
  RccDatagram **place = place_of (h, rcc_be16 (d->data + 2));

  if (!*place)
    *place = malloc (sizeof **place);
  **place = *d;
}

RccDatagram *
rcc_world_history_copy (RccWorldHistory *h, uint16_t former, uint32_t ssrc, bool plain)
{
  const RccDatagram *kept = *place_of (h, former);
  RccDatagram *d;
  RccRtp rtp;
  size_t head, payload;

  if (!kept || rcc_be16 (kept->data + 2) != former)
    return NULL;
  rcc_rtp_parse ((RccBytes) { kept->data, kept->size }, &rtp);
  head = rtp.header_size;
  payload = kept->size - head;
  rtp.pt = RCC_WORLD_PT_RTX;
  rtp.ssrc = ssrc;
  rtp.seq = h->seq++;
  d = rcc_datagram_rtp (&rtp, plain, OSN + payload, kept->created);
  rcc_put16 (d->data + d->size - OSN - payload, former);
  memcpy (d->data + d->size - payload, kept->data + head, payload);
  d->stream = kept->stream;
  d->frame = kept->frame;
  d->rtx = true;
  return d;
}
