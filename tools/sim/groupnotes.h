/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * groupnotes.h - what the arrival-time filter was fed, and what it made of it
 *
 * There is one note for each group of packets that the receiver's half of GCC has closed.
 */
#ifndef RCC_WORLD_GROUPNOTES_H
#define RCC_WORLD_GROUPNOTES_H

#include "core/gcc/receiver.h"
#include "sim/json.h"

typedef struct {
  RccTime arrival;                      /* of the group's last packet */
  double variation;                     /* ms, d_arrival - d_send, from the group before */
  double trend, threshold;              /* ms */
  double owd;                           /* ms, from its last departure to its arrival, by
                                         * two clocks */
} RccGroupNote;

typedef struct {                        /* zeroed: none */
  RccGroupNote *notes;
  size_t n, room;
} RccGroupNotes;

/* After each packet. */
void rcc_group_notes_see (RccGroupNotes *g, const RccGccReceiver *receiver);
void rcc_group_notes_clear (RccGroupNotes *g);
/* The array "groups": [arrival in s, variation, trend, threshold, owd] each. */
void rcc_group_notes_write (const RccGroupNotes *g, RccJson *j);

#endif
