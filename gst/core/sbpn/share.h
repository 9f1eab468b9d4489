/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * sbpn/share.h - what the weighted mode owes each class, so that none starves
 *
 * When x bytes leave, every class that is backlogged is owed its share of them: x * weight /
 * (weights of the backlogged).  The class they came from is owed x less, but never below 0.  A
 * class may be served out of turn until another is owed
 * more than @deficit_limit; then who is owed most goes first.
 *
 * So a class that is backlogged throughout a window gets at least its share of what leaves, less
 * rcc_sbpn_share_bound().  The order in which the rest is served does not matter:
 * deficit_limit + L * (1 + 1/1 + 1/2 + .. + 1/(n-1)), L the largest packet, n the classes
 * with a weight.  (What is owed beyond @deficit_limit are cups. They are filled by x in all, and
 * the fullest is emptied by x. Then the k fullest hold no more than
 * k * L * (1 + 1/k + .. + 1/(n-1)), by induction from k = n down.)
 */
#ifndef RCC_SBPN_SHARE_H
#define RCC_SBPN_SHARE_H

#include "core/sbpn/queue.h"

typedef struct {
  uint32_t deficit_limit;               /* bytes */
  uint32_t weight[RCC_SBPN_CLASSES];    /* 0: nothing is owed to it */
  double owed[RCC_SBPN_CLASSES];        /* bytes */
} RccSbpnShare;

/* The class that must be served now; RCC_SBPN_NONE: any may be.  @backlogged: bit k
 * for class k; a class that is not forfeits what it was owed at the next sent(). */
uint32_t rcc_sbpn_share_first (const RccSbpnShare *s, uint32_t backlogged);
void rcc_sbpn_share_sent (RccSbpnShare *s, uint32_t backlogged, uint32_t k, uint32_t size);

/* Bytes. */
double rcc_sbpn_share_bound (const RccSbpnShare *s, uint32_t largest);

#endif
