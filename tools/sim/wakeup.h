/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * wakeup.h - when an endpoint runs: real machines wake late, stall and receive in clumps
 *
 * An endpoint is a thread that sleeps.  A timer of its own or a datagram makes it runnable;
 * it runs later, and then does everything that is due.  Whoever owns the endpoint asks
 * here whether it runs, and at which time to ask again.
 */
#ifndef RCC_WORLD_WAKEUP_H
#define RCC_WORLD_WAKEUP_H

#include "core/rng.h"

/* Of a flow. */
typedef enum { RCC_END_SENDER, RCC_END_RECEIVER, RCC_ENDS } RccEnd;

typedef enum { RCC_LATE_CONSTANT, RCC_LATE_EXPONENTIAL } RccLateKind;

/* All 0: the clock is punctual. */
typedef struct {
  RccLateKind late;
  RccTime lateness;                     /* of each wake-up, or its mean */
  RccTime stall, period;                /* once in each period it does not run for so long */
  RccTime clump;                        /* datagrams are handed over so far apart */
  bool stamp_read;                      /* what comes is stamped as it is read, not by the
                                         * socket (SO_TIMESTAMP) */
} RccClockFaults;

bool rcc_clock_is_punctual (const RccClockFaults *f);

/* Sets one fault from words, at both ends or, with -sender or -receiver behind the name,
 * at one:
 *   late       a time (10ms), or exp:TIME for an exponential distribution with that mean
 *   stall      TIME/PERIOD (100ms/5s), the time shorter than the period
 *   clump      a time
 *   stamp      "socket" (the default) or "read"
 * The first three may be "off".  A time ends in us, ms or s.  False: @value is none of these. */
bool rcc_clock_set (RccClockFaults clock[RCC_ENDS], const char *name, const char *value);
/* What the option @name takes, to end a sentence with; NULL: that is no clock's option. */
const char *rcc_clock_takes (const char *name);

#define RCC_CLOCK_TEXT 320

/* "punctual", or "late exp 10 ms, stall 100 ms every 5 s, clump 5 ms"; where the two ends
 * differ, what each has.  @text has RCC_CLOCK_TEXT bytes. */
void rcc_clock_text (const RccClockFaults clock[RCC_ENDS], char *text);

typedef struct {
  RccClockFaults faults;
  RccRng rng;
  RccTime stall_phase, clump_phase;     /* random, or both ends would stall together */
  RccTime runs;                         /* RCC_NEVER: it sleeps */
} RccWakeup;

/* Two wake-ups with one @seed and different ends are independent. */
void rcc_wakeup_init (RccWakeup *u, const RccClockFaults *faults, uint64_t seed, RccEnd end);
/* When a datagram that came at @arrived is handed over. */
RccTime rcc_wakeup_handed (const RccWakeup *u, RccTime arrived);
/* Whether it runs at @now; its first timer or datagram is due at @due.  To be asked at
 * each time that rcc_wakeup_next() has answered: lateness is drawn at the first one. */
bool rcc_wakeup_runs (RccWakeup *u, RccTime due, RccTime now);
RccTime rcc_wakeup_next (const RccWakeup *u, RccTime due);

#endif
