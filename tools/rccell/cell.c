/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rccell/cell.h"

#include <math.h>

#define BANDWIDTH 9e6                   /* Hz: 50 resource blocks */
#define PAYLOAD 0.75                    /* of the symbols, beside control and reference */
#define GAP 1.995                       /* 3 dB from Shannon's bound */
#define MOST 4.4                        /* bit/s/Hz: 64-QAM with a rate of .74 */
#define LEAST 0.15                      /* QPSK with .08, the lowest CQI; below: nothing */
#define MEMORY 1000.0                   /* TTIs of the mean */
#define IDLE 1e-3                       /* a mean is not less, bits */
#define CRUMB 0.02                      /* of a TTI: half a resource block is no share */

double
rcc_cell_bits (double sinr)
{
  const double efficiency = fmin (log2 (1 + sinr / GAP), MOST);

  return efficiency < LEAST ? 0 : efficiency * BANDWIDTH * PAYLOAD * (double) RCC_CELL_TTI * 1e-9;
}

void
rcc_phone_init (RccPhone *phone)
{
  *phone = (RccPhone) { .mean = 1 };
}

/* One that is sent in part stands first, and stays. */
void
rcc_phone_discard (RccPhone *phone, unsigned i, RccTime limit, RccTime now,
    const RccCellHooks *hooks)
{
  RccFifo *q = &phone->queue;

  while (q->n > 0) {
    const RccCarried *first = rcc_fifo_at (q, 0);
    const bool begun = first->left < first->size;
    const RccCarried *oldest = !begun ? first : q->n > 1 ? rcc_fifo_at (q, 1) : NULL;
    RccCarried kept, flight;

    if (!oldest || now - oldest->at <= limit)
      return;
    kept = rcc_fifo_take (q);
    flight = begun ? *rcc_fifo_at (q, 0) : kept;
    if (begun)
      *rcc_fifo_at (q, 0) = kept;
    hooks->discarded (hooks->user, i, &flight);
  }
}

/* Of @share of a TTI; how much of it was used. */
static double
send_some (RccPhone *phone, unsigned i, double share, const RccCellHooks *hooks)
{
  double bytes = phone->bits * share / 8;
  const double had = bytes;

  while (phone->queue.n > 0 && bytes >= 1) {
    RccCarried *first = rcc_fifo_at (&phone->queue, 0);
    const uint32_t some = (uint32_t) fmin (first->left, bytes);

    first->left -= some;
    bytes -= some;
    if (first->left == 0) {
      const RccCarried flight = rcc_fifo_take (&phone->queue);

      hooks->sent (hooks->user, i, &flight);
    }
  }
  return phone->queue.n > 0 ? share : share * (had - bytes) / had;
}

/* Of those that have not been served in this TTI; NULL: nobody wants any more. */
static RccPhone *
choose (RccPhone *phones, const unsigned *members, unsigned n)
{
  RccPhone *best = NULL;

  for (unsigned k = 0; k < n; k++) {
    RccPhone *phone = &phones[members[k]];

    if (phone->got >= 0 || phone->queue.n == 0 || phone->bits <= 0)
      continue;
    if (!best || phone->bits * best->mean > best->bits * phone->mean)
      best = phone;
  }
  return best;
}

double
rcc_cell_serve (RccPhone *phones, const unsigned *members, unsigned n, const RccCellHooks *hooks)
{
  RccPhone *phone;
  double left = 1;

  for (unsigned k = 0; k < n; k++)
    phones[members[k]].got = -1;
  while (left > CRUMB && (phone = choose (phones, members, n)) != NULL) {
    const double used = send_some (phone, (unsigned) (phone - phones), left, hooks);

    phone->got = used * phone->bits;
    left -= used;
  }
  for (unsigned k = 0; k < n; k++) {
    phone = &phones[members[k]];
    phone->mean = fmax (phone->mean + (fmax (phone->got, 0) - phone->mean) / MEMORY, IDLE);
  }
  return 1 - left;
}
