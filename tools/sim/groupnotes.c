/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sim/groupnotes.h"

#include <stdlib.h>

void
rcc_group_notes_see (RccGroupNotes *g, const RccGccReceiver *receiver)
{
  const RccGccDelay *delay = &receiver->delay;

  if (delay->samples == g->n)           /* no group has ended */
    return;
  if (g->n == g->room) {
    g->room = RCC_MAX (2 * g->room, 1024);
    g->notes = realloc (g->notes, g->room * sizeof *g->notes);
  }
  g->notes[g->n++] = (RccGroupNote) {
    .arrival = delay->groups.previous.arrival, .variation = delay->variation,
    .trend = delay->trend, .threshold = delay->threshold,
    .owd = 1e-6 * (double) (int64_t) (delay->groups.previous.arrival
        - delay->groups.previous.send),
  };
}

void
rcc_group_notes_clear (RccGroupNotes *g)
{
  free (g->notes);
  *g = (RccGroupNotes) { 0 };
}

void
rcc_group_notes_write (const RccGroupNotes *g, RccJson *j)
{
  rcc_json_array (j, "groups");
  for (size_t i = 0; i < g->n; i++) {
    const RccGroupNote *n = &g->notes[i];

    rcc_json_array (j, NULL);
    rcc_json_rounded (j, NULL, (double) n->arrival * 1e-9, 4);
    rcc_json_rounded (j, NULL, n->variation, 2);
    rcc_json_rounded (j, NULL, n->trend, 2);
    rcc_json_rounded (j, NULL, n->threshold, 2);
    rcc_json_rounded (j, NULL, n->owd, 2);
    rcc_json_end (j);
  }
  rcc_json_end (j);
}
