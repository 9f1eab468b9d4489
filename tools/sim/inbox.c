/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sim/inbox.h"

#include <stdlib.h>
#include <string.h>

void
rcc_inbox_clear (RccInbox *b)
{
  for (size_t i = 0; i < b->n; i++)
    free ((void *) (uintptr_t) b->entries[b->first + i].packet.cookie);
  free (b->entries);
  *b = (RccInbox) { 0 };
}

static void
make_room (RccInbox *b)
{
  if (b->first + b->n < b->room)
    return;
  if (b->first == 0 || b->first < b->n) {       /* moving would gain little */
    b->room = b->room ? 2 * b->room : 64;
    b->entries = realloc (b->entries, b->room * sizeof *b->entries);
    return;
  }
  memcpy (b->entries, b->entries + b->first, b->n * sizeof *b->entries);
  b->first = 0;
}

void
rcc_inbox_put (RccInbox *b, const RccLinkPacket *p, RccTime handed)
{
  make_room (b);
  b->entries[b->first + b->n++] = (struct RccInboxEntry) { *p, handed };
}

RccTime
rcc_inbox_next (const RccInbox *b)
{
  return b->n ? b->entries[b->first].handed : RCC_NEVER;
}

bool
rcc_inbox_take (RccInbox *b, RccTime now, RccLinkPacket *p, RccTime *stamp)
{
  if (rcc_inbox_next (b) > now)
    return false;
  *p = b->entries[b->first].packet;
  *stamp = b->entries[b->first].handed;
  b->first++;
  b->n--;
  return true;
}
