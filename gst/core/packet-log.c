/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Each record is chained to an older one with the same hash. Nothing is taken out of a chain. It
 * ends where the places that it names are overwritten, as older ones are then, too.
 */
#include "core/packet-log.h"

#include <string.h>

#define CAPACITY_LEAST 64               /* records */

void
rcc_log_init (RccLog *log, size_t record_size, RccTime keep, size_t bytes_max,
    RccResize resize)
{
  *log = (RccLog) { .resize = resize, .record_size = record_size, .keep = keep,
    .bytes_max = bytes_max };
}

void
rcc_log_empty (RccLog *log)
{
  log->live = 0;
}

void
rcc_log_clear (RccLog *log)
{
  rcc_release (log->resize, log->records);
  rcc_release (log->resize, log->newest);
  log->records = NULL;
  log->newest = NULL;
  log->capacity = log->places = log->live = 0;
}

/* A stream's numbers are next to one another, and fall side by side; Knuth's factor sets
 * streams apart. */
static uint32_t *
bucket (const RccLog *log, uint32_t stream, int64_t number)
{
  return &log->newest[((uint32_t) number + stream * UINT32_C (2654435761)) & (log->capacity - 1)];
}

static void
chain (RccLog *log, uint32_t place)
{
  RccLogKey *key = rcc_log_at (log, place);
  uint32_t *newest = bucket (log, key->stream, key->number);

  key->older = *newest;
  *newest = place;
}

/* By whole rings: a place is where its last bits say. */
static void
grow (RccLog *log)
{
  const uint32_t before = log->capacity, capacity = before ? 2 * before : CAPACITY_LEAST;
  uint32_t place = rcc_log_first (log);

  log->records = log->resize (log->records, capacity * log->record_size);
  log->newest = log->resize (log->newest, capacity * sizeof *log->newest);
  log->capacity = capacity;
  memset (log->newest, 0, capacity * sizeof *log->newest);
  for (uint32_t i = 0; i < log->live; i++, place++) {
    if (place & before)
      memcpy (rcc_log_at (log, place),
          log->records + (size_t) (place & (before - 1)) * log->record_size, log->record_size);
    chain (log, place);
  }
}

static bool
has_to_grow (const RccLog *log, RccTime now)
{
  const RccLogKey *oldest;

  if (log->capacity == 0)
    return true;
  if (log->live < log->capacity)
    return false;
  oldest = rcc_log_at (log, rcc_log_first (log));
  return now < oldest->at + log->keep
      && 2 * log->capacity * (log->record_size + sizeof *log->newest) <= log->bytes_max;
}

void *
rcc_log_add (RccLog *log, uint32_t stream, int64_t number, RccTime now)
{
  RccLogKey *key;

  if (has_to_grow (log, now))
    grow (log);
  key = rcc_log_at (log, log->places);
  key->at = now;
  key->number = number;
  key->stream = stream;
  chain (log, log->places++);
  log->live += log->live < log->capacity;
  return key;
}

const void *
rcc_log_victim (const RccLog *log, RccTime now)
{
  return log->live == 0 || log->live < log->capacity || has_to_grow (log, now) ? NULL
      : rcc_log_at (log, rcc_log_first (log));
}

void *
rcc_log_find (const RccLog *log, uint32_t stream, int64_t number)
{
  uint32_t age, before = 0;

  if (log->live == 0)
    return NULL;
  /* what an empty or outdated bucket names is too old, or is of another one's chain, which
   * ends as well */
  for (uint32_t place = *bucket (log, stream, number);; before = age) {
    RccLogKey *key = rcc_log_at (log, place);

    age = log->places - place;
    if (age <= before || age > log->live)
      return NULL;
    if (key->number == number && key->stream == stream)
      return key;
    place = key->older;
  }
}

uint32_t
rcc_log_place (const RccLog *log, const void *record)
{
  const uint32_t index = (uint32_t) ((size_t) ((const uint8_t *) record - log->records)
      / log->record_size);

  return log->places - 1 - ((log->places - 1 - index) & (log->capacity - 1));
}
