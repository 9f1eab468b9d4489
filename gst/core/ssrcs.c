/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Open addressing; where one is replaced all are set anew, as it is rare.
 */
#include "core/ssrcs.h"

#include <string.h>

#define ROOM_LEAST 2

void
rcc_ssrcs_init (RccSsrcs *s, size_t record_size, RccResize resize)
{
  memset (s, 0, sizeof *s);
  s->resize = resize;
  s->record_size = record_size;
}

void
rcc_ssrcs_forget (RccSsrcs *s)
{
  memset (s->slots, 0, sizeof s->slots);
  s->n = s->hit = 0;
  s->uses = 0;
}

void
rcc_ssrcs_clear (RccSsrcs *s)
{
  rcc_release (s->resize, s->records);
  s->records = NULL;
  s->room = 0;
  rcc_ssrcs_forget (s);
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

void *
rcc_ssrcs_find (const RccSsrcs *s, uint32_t ssrc)
{
  const unsigned place = s->slots[slot (s, ssrc)];

  return place > 0 ? rcc_ssrcs_at (s, place - 1) : NULL;
}

static unsigned
used_longest_ago (const RccSsrcs *s)
{
  unsigned oldest = 0;

  for (unsigned i = 1; i < s->n; i++)
    if (s->used[i] < s->used[oldest])
      oldest = i;
  return oldest;
}

static void
add (RccSsrcs *s, uint32_t ssrc)
{
  if (s->n == s->room) {
    s->room = RCC_MAX (ROOM_LEAST, 2 * s->room);
    s->records = s->resize (s->records, s->room * s->record_size);
  }
  s->hit = s->n++;
  s->ssrcs[s->hit] = ssrc;
  s->slots[slot (s, ssrc)] = (uint8_t) s->n;
}

static void
replace (RccSsrcs *s, uint32_t ssrc)
{
  s->hit = used_longest_ago (s);
  s->ssrcs[s->hit] = ssrc;
  memset (s->slots, 0, sizeof s->slots);
  for (unsigned i = 0; i < s->n; i++)
    s->slots[slot (s, s->ssrcs[i])] = (uint8_t) (i + 1);
}

void *
rcc_ssrcs_use (RccSsrcs *s, uint32_t ssrc, bool *is_new)
{
  unsigned place;

  *is_new = false;
  if (s->hit >= s->n || s->ssrcs[s->hit] != ssrc) {
    if ((place = s->slots[slot (s, ssrc)]) > 0) {
      s->hit = place - 1;
    } else {
      (s->n < RCC_SSRCS ? add : replace) (s, ssrc);
      *is_new = true;
      memset (rcc_ssrcs_at (s, s->hit), 0, s->record_size);
    }
  }
  s->used[s->hit] = ++s->uses;
  return rcc_ssrcs_at (s, s->hit);
}
