/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * packet-log.h - records of packets, by stream and number, for as long as they are needed
 *
 * One ring for all streams, in the order in which packets left or came.  It grows while the
 * oldest record still has to be kept, up to a limit in bytes.  It costs the same for one stream
 * and for a hundred.
 *
 *   typedef struct { RccLogKey key; ... } Record;
 *   rcc_log_init (&log, sizeof (Record), KEEP, BYTES_MAX, realloc);
 *   Record *r = rcc_log_add (&log, ssrc, number, now);         (the rest of it is as it was)
 *   r = rcc_log_find (&log, ssrc, number);
 */
#ifndef RCC_PACKET_LOG_H
#define RCC_PACKET_LOG_H

#include "core/rcc.h"

typedef struct {                        /* what a record begins with */
  RccTime at;                           /* when it was added */
  int64_t number;
  uint32_t stream;
  uint32_t older;                       /* place of another one that may be meant */
} RccLogKey;

typedef struct {
  RccResize resize;
  size_t record_size, bytes_max;
  RccTime keep;
  uint8_t *records;
  uint32_t *newest;                     /* by hash: place of the newest one */
  uint32_t capacity;                    /* records; a power of two, or 0 */
  uint32_t places;                      /* given so far; wraps */
  uint32_t live;                        /* the last so many of them are there */
} RccLog;

/* No memory is taken yet.  @keep: a record younger than that is not overwritten, unless all
 * are together larger than @bytes_max. */
void rcc_log_init (RccLog *log, size_t record_size, RccTime keep, size_t bytes_max,
    RccResize resize);
/* Forgets all, and keeps the memory. */
void rcc_log_empty (RccLog *log);
/* Gives the memory back; as after init. */
void rcc_log_clear (RccLog *log);

/* The record of a packet, whose key is set and whose rest is not.  Records found before are
 * elsewhere by now, or gone. */
void *rcc_log_add (RccLog *log, uint32_t stream, int64_t number, RccTime now);
/* The record that will be gone with the next one; NULL: none. */
const void *rcc_log_victim (const RccLog *log, RccTime now);
/* The newest with that number; NULL: never added, or overwritten. */
void *rcc_log_find (const RccLog *log, uint32_t stream, int64_t number);

/* The places that are there: from rcc_log_first() on, rcc_log->live of them. */
static inline uint32_t
rcc_log_first (const RccLog *log)
{
  return log->places - log->live;
}

static inline void *
rcc_log_at (const RccLog *log, uint32_t place)
{
  return log->records + (size_t) (place & (log->capacity - 1)) * log->record_size;
}

/* Of a record that is there. */
uint32_t rcc_log_place (const RccLog *log, const void *record);

#endif
