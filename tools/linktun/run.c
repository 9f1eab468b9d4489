/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A packet counts as arrived when it is read, for a TUN device does not say when it came.  What is
 * under way leaves by the link's own time, so waking late moves no departure but the write.
 * It wakes each HEARTBEAT at least: a machine that stands still is noticed on an idle link too, and
 * so is an interrupt that comes just before it waits.
 */
#define _GNU_SOURCE
#include "linktun/run.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define HEARTBEAT (2 * RCC_MSEC)
#define AT_ONCE 64                      /* packets of one direction, before the other's turn */

const char run_log_header[] = "direction,number,outcome,arrived,departed,delivered,late,length,"
    "ecn-before,ecn,version,protocol,source,destination";

uint64_t
run_clock (void)
{
  struct timespec t;

  clock_gettime (CLOCK_MONOTONIC, &t);
  return (uint64_t) t.tv_sec * RCC_SEC + (uint64_t) t.tv_nsec;
}

static RccTime
now (const Run *run)
{
  return run_clock () - run->begin;
}

static void
put_time (FILE *file, RccTime t)
{
  if (t == RCC_NEVER)
    fputc (',', file);
  else
    fprintf (file, ",%llu.%09llu", (unsigned long long) (t / RCC_SEC),
        (unsigned long long) (t % RCC_SEC));
}

static void
note (const Run *run, RccDirection direction, const CrossingPacket *p, RccTime late)
{
  static const char *const outcomes[RCC_LINK_OUTCOMES] = {
    "passed", "loss", "burst", "queue", "aqm", "age", "bound", "drain"
  };

  if (!run->log)
    return;
  fprintf (run->log, "%s,%llu,%s", direction == RCC_FORWARD ? "fwd" : "rev",
      (unsigned long long) p->number, outcomes[p->link.outcome]);
  put_time (run->log, p->link.arrived);
  put_time (run->log, p->link.departed);
  put_time (run->log, p->link.delivered);
  put_time (run->log, late);
  fprintf (run->log, ",%zu,%u,%u,%u,%u,%u,%u\n", p->length, (unsigned) p->ip.ecn,
      (unsigned) p->link.ecn, p->ip.version, p->ip.protocol, p->ip.source, p->ip.destination);
}

static void
hand_over (Run *run, RccDirection direction)
{
  const int to = run->ends[!direction];
  CrossingPacket p;

  while (crossing_pop (&run->ways[direction], now (run), &p)) {
    RccTime written, late = RCC_NEVER;

    if (p.link.outcome == RCC_LINK_PASSED) {
      if (write (to, p.data, p.length) != (ssize_t) p.length)
        run->unwritten++;
      written = now (run);
      late = written - p.link.delivered;
      lateness_note (&run->written, late, written);
    }
    note (run, direction, &p, late);
    free (p.data);
  }
}

static bool
take_in (Run *run, RccDirection direction)
{
  static uint8_t buffer[CROSSING_MOST];
  CrossingPacket dropped;

  for (unsigned i = 0; i < AT_ONCE; i++) {
    const ssize_t n = read (run->ends[direction], buffer, sizeof buffer);

    if (n <= 0)
      return n == 0 || errno == EAGAIN || errno == EINTR;
    if (!crossing_push (&run->ways[direction], buffer, (size_t) n, now (run), &dropped))
      note (run, direction, &dropped, RCC_NEVER);
  }
  return true;
}

/* When it means to wake next. */
static RccTime
wake_time (const Run *run)
{
  RccTime t = RCC_MIN (run->end, now (run) + HEARTBEAT);

  for (RccDirection d = 0; d < RCC_DIRECTIONS; d++)
    t = RCC_MIN (t, crossing_next (&run->ways[d]));
  return t;
}

/* False with errno. */
static bool
sleep_until (Run *run, RccTime wake)
{
  struct pollfd ends[RCC_DIRECTIONS] = {
    { run->ends[RCC_FORWARD], POLLIN, 0 }, { run->ends[RCC_REVERSE], POLLIN, 0 }
  };
  const RccTime from = now (run), span = wake > from ? wake - from : 0;
  const struct timespec wait = { (time_t) (span / RCC_SEC), (long) (span % RCC_SEC) };
  RccTime woke;

  if (ppoll (ends, RCC_DIRECTIONS, &wait, NULL) < 0 && errno != EINTR)
    return false;
  woke = now (run);
  if (woke > RCC_MAX (wake, from))
    lateness_note (&run->woken, woke - RCC_MAX (wake, from), woke);
  return true;
}

bool
run_go (Run *run)
{
  while (!*run->interrupted && now (run) < run->end) {
    for (RccDirection d = 0; d < RCC_DIRECTIONS; d++) {
      hand_over (run, d);
      if (!take_in (run, d))
        return false;
      hand_over (run, d);
    }
    if (!sleep_until (run, wake_time (run)))
      return false;
  }
  return true;
}
