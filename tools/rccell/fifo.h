/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fifo.h - datagrams that wait, or are on a wire of one delay
 */
#ifndef RCC_CELL_FIFO_H
#define RCC_CELL_FIFO_H

#include "sim/packet.h"

typedef struct {
  RccDatagram *datagram;
  RccTime sent;                         /* by its end */
  RccTime at;                           /* came here, or is due */
  uint32_t size, left;                  /* bytes on the air, and not sent yet */
} RccCarried;

typedef struct {                        /* a ring */
  RccCarried *flights;
  size_t first, n, room;
} RccFifo;

void rcc_fifo_clear (RccFifo *f);       /* datagrams, too */
void rcc_fifo_put (RccFifo *f, const RccCarried *flight);
/* The @i-th that waits. */
RccCarried *rcc_fifo_at (const RccFifo *f, size_t i);
/* The first one, which is there. */
RccCarried rcc_fifo_take (RccFifo *f);

#endif
