/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/gcc/flight.h"

#define MARK (10 * RCC_MSEC)
#define LIMIT 2.5                       /* times what may be in flight: nothing more leaves */
#define LEAST 3000                      /* bytes: two packets */

void
rcc_flight_init (RccFlight *f, RccTime extra)
{
  *f = (RccFlight) { .extra = extra };
}

void
rcc_flight_sent (RccFlight *f, uint32_t size, RccTime now)
{
  const bool full = f->tail - f->head == RCC_FLIGHT_MARKS;

  if (f->extra == 0)
    return;
  f->sent += size;
  if (f->head == f->tail || (now >= f->begun + MARK && !full)) {
    f->begun = now;
    f->tail++;
  }
  f->marks[(f->tail - 1) % RCC_FLIGHT_MARKS].end = now;
  f->marks[(f->tail - 1) % RCC_FLIGHT_MARKS].sent = f->sent;
}

void
rcc_flight_reported (RccFlight *f, RccTime last, RccTime trip)
{
  if (f->extra == 0)
    return;
  while (f->head != f->tail && f->marks[f->head % RCC_FLIGHT_MARKS].end <= last)
    f->reported = f->marks[f->head++ % RCC_FLIGHT_MARKS].sent;
  if (trip > 0)
    f->trips[f->n_trips++ % RCC_FLIGHT_TRIPS] = trip;
}

uint64_t
rcc_flight_bytes (const RccFlight *f)
{
  return f->sent - f->reported;
}

double
rcc_flight_share (const RccFlight *f, double bps, RccTime interval)
{
  const unsigned n = RCC_MIN (f->n_trips, RCC_FLIGHT_TRIPS);
  RccTime least = RCC_NEVER;
  double may, fill;

  if (n == 0)
    return 1.0;
  for (unsigned i = 0; i < n; i++)
    least = RCC_MIN (least, f->trips[i]);
  may = RCC_MAX (bps * 1.25e-10 * (double) (least + interval + f->extra), LEAST);
  fill = (double) rcc_flight_bytes (f) / may;
  return RCC_CLAMP ((LIMIT - fill) / (LIMIT - 1.0), 0.0, 1.0);
}
