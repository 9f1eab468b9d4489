/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * transport.h - whose transport-wide numbers are on the wire
 *
 * Upstream of rtpsession packets carry them blank, all the same, or as the payloader made them,
 * and the session writes over them. Then its events speak of its own numbers.
 */
#ifndef RCC_SEND_TRANSPORT_H
#define RCC_SEND_TRANSPORT_H

#include "core/rcc.h"

typedef struct {
  int32_t last;                         /* number that passed; -1: none yet */
  bool moves;                           /* those that pass do */
  bool session;                         /* the session gives its own */
  uint16_t next;                        /* where they are given here */
} RccSendTransport;

static inline void
rcc_send_transport_init (RccSendTransport *t)
{
  t->last = -1;
  t->moves = false;
}

/* @number as it came, -1: none.  With which it leaves as far as is known; -1: it is not. */
static inline int32_t
rcc_send_transport_pass (RccSendTransport *t, int32_t number)
{
  if (number < 0 || t->session)
    return -1;
  t->moves |= t->last >= 0 && number != t->last;
  t->last = number;
  return t->moves ? number : -1;
}

#endif
