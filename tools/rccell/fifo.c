/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rccell/fifo.h"

#include <stdlib.h>
#include <string.h>

void
rcc_fifo_clear (RccFifo *f)
{
  while (f->n > 0)
    free (rcc_fifo_take (f).datagram);
  free (f->flights);
  *f = (RccFifo) { 0 };
}

/* The ring's first part moves behind its second. */
void
rcc_fifo_put (RccFifo *f, const RccCarried *flight)
{
  if (f->n == f->room) {
    const size_t before = f->room;

    f->room = before > 0 ? 2 * before : 16;
    f->flights = realloc (f->flights, f->room * sizeof *f->flights);
    memcpy (f->flights + before, f->flights, f->first * sizeof *f->flights);
  }
  f->flights[(f->first + f->n++) % f->room] = *flight;
}

RccCarried *
rcc_fifo_at (const RccFifo *f, size_t i)
{
  return &f->flights[(f->first + i) % f->room];
}

RccCarried
rcc_fifo_take (RccFifo *f)
{
  const RccCarried flight = f->flights[f->first];

  f->first = (f->first + 1) % f->room;
  f->n--;
  return flight;
}
