/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/scream/flight.h"

#include <string.h>

void
rcc_scream_flight_init (RccScreamFlight *f)
{
  f->sent = f->acked = 0;
  f->grain = 0;
  f->n = 0;
}

static void
merge_pairs (RccScreamFlight *f)
{
  for (unsigned i = 0; i < f->n / 2; i++) {
    const RccScreamRun a = f->runs[2 * i], b = f->runs[2 * i + 1];

    f->runs[i] = (RccScreamRun) { .first = a.first, .last = b.last, .before = a.before,
      .bytes = a.bytes + b.bytes, .acked = a.acked + b.acked };
  }
  f->n /= 2;
  f->grain = (f->runs[f->n - 1].last - f->runs[0].first) / f->n;
}

void
rcc_scream_flight_sent (RccScreamFlight *f, uint32_t size, RccTime now)
{
  RccScreamRun *newest = f->n > 0 ? &f->runs[f->n - 1] : NULL;

  if (newest && now <= RCC_MAX (newest->last, newest->first + f->grain)) {
    newest->last = RCC_MAX (newest->last, now);
    newest->bytes += size;
  } else {
    if (f->n == RCC_SCREAM_RUNS)
      merge_pairs (f);
    f->runs[f->n++] = (RccScreamRun) { .first = now, .last = now, .before = f->sent,
      .bytes = size };
  }
  f->sent += size;
}

/* The last run that began by @sent; -1: that is forgotten, or was acknowledged long ago. */
static int
find (const RccScreamFlight *f, RccTime sent)
{
  unsigned low = 0, high = f->n;

  while (low < high) {
    const unsigned middle = (low + high) / 2;

    if (f->runs[middle].first <= sent)
      low = middle + 1;
    else
      high = middle;
  }
  return (int) low - 1;
}

/* A run may still be added to as long as it is the newest: it stays. */
static void
forget (RccScreamFlight *f)
{
  unsigned done = 0;

  while (done + 1 < f->n && f->runs[done].before + f->runs[done].bytes <= f->acked)
    done++;
  if (done > 0) {
    f->n -= done;
    memmove (f->runs, f->runs + done, f->n * sizeof *f->runs);
    f->grain = f->n > RCC_SCREAM_RUNS / 4 ? f->grain : 0;
  }
}

uint64_t
rcc_scream_flight_acked (RccScreamFlight *f, uint32_t size, RccTime sent)
{
  const int i = find (f, sent);
  const uint64_t before = f->acked;
  RccScreamRun *run;

  if (i < 0)
    return 0;
  run = &f->runs[i];
  run->acked = sent > run->last ? run->bytes : RCC_MIN (run->acked + size, run->bytes);
  f->acked = RCC_MAX (f->acked, run->before + run->acked);
  forget (f);
  return f->acked - before;
}

void
rcc_scream_flight_give_up (RccScreamFlight *f)
{
  f->acked = f->sent;
  f->n = 0;
}
