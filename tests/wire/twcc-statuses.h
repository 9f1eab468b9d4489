/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * twcc-statuses.h - all that a transport-wide message says, status by status
 */
#ifndef RCC_TWCC_STATUSES_H
#define RCC_TWCC_STATUSES_H

#include "wire/twcc.h"

#define TWCC_STATUSES_ROOM 65535        /* what its 16 bits can say */

/* Into @out, of TWCC_STATUSES_ROOM: the first that can be read, as many as twcc->n_statuses
 * says then.  False: there are none. */
static inline bool
twcc_statuses (const RccRtcpPacket *packet, RccTwcc *twcc, RccTwccStatus *out)
{
  RccTwccWalk walk;
  RccTwccRun run;
  unsigned n = 0;

  if (!rcc_twcc_parse (packet, twcc))
    return false;
  rcc_twcc_begin (&walk, twcc);
  while (n < TWCC_STATUSES_ROOM && rcc_twcc_next (&walk, &run))
    for (unsigned i = 0; i < run.n && n < TWCC_STATUSES_ROOM; i++)
      out[n++] = run.status;
  twcc->n_statuses = (uint16_t) n;
  return n > 0;
}

#endif
