/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Open addressing; one that leaves has all set anew, as it is rare.
 */
#include "core/ssrcs.h"

#include <string.h>

void
rcc_ssrcs_init (RccSsrcs *s)
{
  memset (s, 0, sizeof *s);
}

/* Where it is, or would be.  SSRCs are random, but not everybody's. */
static unsigned
slot (const RccSsrcs *s, uint32_t ssrc)
{
  unsigned i = ssrc * UINT32_C (2654435761) >> 24;

  while (s->slots[i] && s->ssrcs[s->slots[i] - 1] != ssrc)
    i = (i + 1) % RCC_SSRCS_SLOTS;
  return i;
}

int
rcc_ssrcs_find (const RccSsrcs *s, uint32_t ssrc)
{
  return (int) s->slots[slot (s, ssrc)] - 1;
}

void
rcc_ssrcs_add (RccSsrcs *s, uint32_t ssrc)
{
  s->ssrcs[s->n] = ssrc;
  s->slots[slot (s, ssrc)] = (uint8_t) (s->n + 1);
  s->n++;
}

void
rcc_ssrcs_replace (RccSsrcs *s, unsigned place, uint32_t ssrc)
{
  memset (s->slots, 0, sizeof s->slots);
  s->ssrcs[place] = ssrc;
  for (unsigned i = 0; i < s->n; i++)
    s->slots[slot (s, s->ssrcs[i])] = (uint8_t) (i + 1);
}
