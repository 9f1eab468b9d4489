/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "link/trace.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/rng.h"

#define MAX_FILE (64u << 20)
#define MAX_MS 1000000000u              /* 11.5 days */

void
rcc_trace_free (RccTrace *t)
{
  if (t)
    free (t->slots);
  free (t);
}

static bool
append (RccTrace *t, size_t *capacity, uint32_t ms)
{
  if (t->n == *capacity) {
    const size_t grown = *capacity ? *capacity * 2 : 1024;
    uint32_t *slots = grown > RCC_TRACE_MAX_SLOTS ? NULL
        : realloc (t->slots, grown * sizeof *slots);

    if (!slots)
      return false;
    t->slots = slots;
    *capacity = grown;
  }
  t->slots[t->n++] = ms;
  return true;
}

/* A whole line as a number of milliseconds. -1 for an empty line or a comment, -2 for anything
 * that is not a number. */
static int64_t
parse_line (const char *s, const char *end)
{
  int64_t ms = -1;

  while (s < end && (*s == ' ' || *s == '\t'))
    s++;
  for (; s < end && *s >= '0' && *s <= '9'; s++) {
    ms = (ms < 0 ? 0 : ms) * 10 + (*s - '0');
    if (ms > MAX_MS)
      return -2;
  }
  while (s < end && (*s == ' ' || *s == '\t' || *s == '\r'))
    s++;
  return s == end || *s == '#' ? ms : -2;
}

static const char *
parse_into (RccTrace *t, const char *text, const char *end, unsigned *line)
{
  size_t capacity = 0;

  for (*line = 1; text < end; ++*line) {
    const char *eol = memchr (text, '\n', (size_t) (end - text));
    const int64_t ms = parse_line (text, eol ? eol : end);

    if (ms == -2)
      return "expected one whole number of milliseconds";
    if (ms >= 0 && t->n && (uint32_t) ms < t->slots[t->n - 1])
      return "expected a time not earlier than the line before";
    if (ms >= 0 && !append (t, &capacity, (uint32_t) ms))
      return "expected at most 8388608 lines";
    text = eol ? eol + 1 : end;
  }
  if (!t->n || t->slots[t->n - 1] == 0)
    return "expected a last time above 0 ms, since the trace repeats after it";
  t->period = t->slots[t->n - 1];
  return NULL;
}

RccTrace *
rcc_trace_parse (RccTraceKind kind, const char *text, size_t length,
    const char *name, char *error, size_t error_size)
{
  RccTrace *t = calloc (1, sizeof *t);
  const char *expected = "expected free memory to hold it";
  unsigned line = 0;

  if (t) {
    t->kind = kind;
    expected = parse_into (t, text, text + length, &line);
  }
  if (!expected)
    return t;
  snprintf (error, error_size, "%s:%u: %s.", name, line, expected);
  rcc_trace_free (t);
  return NULL;
}

RccTrace *
rcc_trace_load (RccTraceKind kind, const char *path, char *error, size_t error_size)
{
  FILE *file = fopen (path, "rb");
  RccTrace *t = NULL;
  char *text = NULL;
  size_t length = 0, capacity = 0, got;

  if (!file) {
    snprintf (error, error_size, "cannot open the trace '%s': %s.", path,
        strerror (errno));
    return NULL;
  }
  do {
    if (length == capacity) {
      char *more = realloc (text, capacity = capacity ? capacity * 2 : 65536);

      if (!more || capacity > MAX_FILE) {
        text = more ? more : text;
        break;
      }
      text = more;
    }
    got = fread (text + length, 1, capacity - length, file);
    length += got;
  } while (got > 0);
  if (ferror (file))
    snprintf (error, error_size, "cannot read the trace '%s': %s.", path,
        strerror (errno));
  else if (!text || capacity > MAX_FILE)
    snprintf (error, error_size, "the trace '%s' is larger than 64 MB.", path);
  else
    t = rcc_trace_parse (kind, text, length, path, error, error_size);
  free (text);
  fclose (file);
  return t;
}

#define OUTAGE_PERIOD_MS 120000u

/* The shape is that of a recorded Wi-Fi link. The radio's mean rate holds, but now and then
 * nothing passes. The slots that went by then come at two a millisecond afterwards. */
RccTrace *
rcc_trace_outages (uint64_t seed)
{
  RccTrace *t = calloc (1, sizeof *t);
  const double slots_per_ms = 3e6 / 8 / RCC_TRACE_PACKET / 1000;
  double credit = 0, next_outage, outage_end = 0;
  size_t capacity = 0;
  RccRng rng;

  if (!t)
    return NULL;
  t->kind = RCC_TRACE_SLOTS;
  t->period = OUTAGE_PERIOD_MS;
  rcc_rng_init (&rng, seed, 0x0a7e);
  next_outage = rcc_rng_exponential (&rng, 430);
  for (uint32_t ms = 1; ms <= OUTAGE_PERIOD_MS; ms++) {
    /* the rate breathes a little: +-60 % from one millisecond to the next */
    credit += slots_per_ms * (0.4 + 1.2 * rcc_rng_uniform (&rng));
    if (ms >= next_outage && t->n) {    /* 50-195 ms from the last slot */
      const double length = 50 + rcc_rng_exponential (&rng, 37);

      outage_end = t->slots[t->n - 1] + RCC_MIN (length, 195);
      next_outage = outage_end + 2 + rcc_rng_exponential (&rng, 430);
    }
    for (int burst = 0; ms >= outage_end && credit >= 1 && burst < 2; burst++) {
      if (!append (t, &capacity, ms)) {
        rcc_trace_free (t);
        return NULL;
      }
      credit -= 1;
    }
  }
  if (t->slots[t->n - 1] < OUTAGE_PERIOD_MS && !append (t, &capacity, OUTAGE_PERIOD_MS)) {
    rcc_trace_free (t);
    return NULL;
  }
  return t;
}

RccTime
rcc_trace_time (const RccTrace *t, const RccTraceCursor *c, RccTime start)
{
  return start + (c->lap * t->period + t->slots[c->index]) * RCC_MSEC;
}

void
rcc_trace_step (const RccTrace *t, RccTraceCursor *c)
{
  if (++c->index == t->n) {
    c->index = 0;
    c->lap++;
  }
}

RccTraceCursor
rcc_trace_ahead (const RccTrace *t, RccTraceCursor c, uint64_t n)
{
  const uint64_t index = c.index + n;

  return (RccTraceCursor) { c.lap + index / t->n, (uint32_t) (index % t->n) };
}

void
rcc_trace_seek (const RccTrace *t, RccTraceCursor *c, RccTime start, RccTime now)
{
  const uint64_t ms = now < start ? 0 : (now - start) / RCC_MSEC;
  uint32_t low = 0, high = t->n;

  *c = (RccTraceCursor) { ms / t->period, 0 };
  if (now < start)
    return;
  if (c->lap > 0 && ms % t->period == 0)
    c->lap--;                           /* the last slot of the lap before is due too */
  while (low < high) {
    const uint32_t mid = low + (high - low) / 2;

    c->index = mid;
    if (rcc_trace_time (t, c, start) > now)
      high = mid;
    else
      low = mid + 1;
  }
  c->index = low;
  if (low == t->n) {                    /* slots at 0 ms of the next lap may be due */
    *c = (RccTraceCursor) { c->lap + 1, 0 };
    while (rcc_trace_time (t, c, start) <= now)
      rcc_trace_step (t, c);
  }
}

static uint64_t
slot_bits (const RccTrace *t)
{
  return 8 * (t->kind == RCC_TRACE_SLOTS ? RCC_TRACE_PACKET : RCC_TRACE_MTU);
}

uint64_t
rcc_trace_mean_bps (const RccTrace *t)
{
  return t->n * slot_bits (t) * 1000 / t->period;
}

uint64_t
rcc_trace_recent_bps (const RccTrace *t, RccTime start, RccTime now)
{
  RccTraceCursor from = { 0, 0 }, to;
  RccTime span = RCC_SEC;

  if (now < start + RCC_MSEC)
    return rcc_trace_mean_bps (t);
  if (now - start > span)
    rcc_trace_seek (t, &from, start, now - span);
  else
    span = now - start;
  rcc_trace_seek (t, &to, start, now);
  return (uint64_t) ((double) ((to.lap - from.lap) * t->n + to.index - from.index)
      * (double) slot_bits (t) * 1e9 / (double) span);
}
