/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * scenario.h - what a link does over time, as text
 *
 *   # comment
 *   scale 0.6                 all times of the file times 0.6 (optional, once)
 *   repeat 100                start again every 100 s (optional, once)
 *   TIME fwd|rev|both KEY VALUE [KEY VALUE ...]
 *
 * TIME is in seconds from the start of the run. Lines may stand in any order, and of two for one
 * time the later wins. scale also applies to repeat, to no delay.
 *
 *   rate 1M | 500k | 2.5M | 250000 | 0 | unlimited      bit/s; ends a trace
 *   trace mahimahi:PATH | slots:PATH | outage            ends a rate; see trace.h;
 *                              PATH is relative to the scenario's folder; outage is
 *                              generated from the seed
 *   delay 50 | 50ms | 0.1s     one way; jitter: largest extra delay, see link.h
 *   reorder 10% 20ms | off     this share of the packets comes up to so much later than the rest
 *   queue 50 | 75000B | 300ms  drop-tail: packets, bytes, time at current capacity
 *   max-age 500 | none         longest stay in the queue
 *   aqm droptail | codel
 *   ecn off | on | 50 | 5ms | 7500B   CoDel marks; or mark above a queue threshold
 *   ecn 1ms-5ms                the share that is marked grows from there to there
 *   bucket 3000B | 0B          leave at once after a pause, as tc-tbf(8); not on a trace
 *   loss 1% | 0.01             independent;  ge P R | off: Gilbert-Elliott
 *   overhead 28                bytes a packet
 *
 * Built in, by name: rfc8867-5.1, rfc8867-5.1-60s, rfc8867-5.2, rfc8867-5.3 (RFC 8867 sections
 * 5.1-5.3, 50 ms, 300 ms queue). There the reverse is not restricted unless the case says so.
 * Further outage (3 Mbit/s Wi-Fi-like) and constant:RATE such as constant:1M. And fbra:DELAY such
 * as fbra:240 (100 to 256 kbit/s over 900 s, a queue of 50 packets).
 */
#ifndef RCC_LINK_SCENARIO_H
#define RCC_LINK_SCENARIO_H

#include "link/link.h"

#define RCC_SCENARIO_ERROR 512          /* a good size for @error */

typedef enum { RCC_FORWARD, RCC_REVERSE, RCC_DIRECTIONS } RccDirection;

typedef enum {
  RCC_KEY_RATE, RCC_KEY_TRACE, RCC_KEY_DELAY, RCC_KEY_JITTER, RCC_KEY_QUEUE,
  RCC_KEY_MAX_AGE, RCC_KEY_AQM, RCC_KEY_ECN, RCC_KEY_LOSS, RCC_KEY_GE, RCC_KEY_OVERHEAD,
  RCC_KEY_BUCKET, RCC_KEY_REORDER,
} RccScenarioKey;

typedef struct {
  RccTime when;
  unsigned directions;                  /* bit n: RccDirection n */
  RccScenarioKey key;
  union {
    uint64_t number;                    /* rate bit/s, overhead, aqm, bucket */
    RccTime time;
    RccLinkLimit limit;                 /* queue; ecn: threshold, unit none: see flag */
    double chance[2];                   /* loss; ge p and r */
    struct {
      double share;
      RccTime by;
    } reorder;
    const RccTrace *trace;
  } to;
  uint64_t ramp;                        /* ecn: from the threshold on, in its unit */
  bool flag;                            /* ecn on */
  uint32_t order;                       /* in the text */
} RccChange;

typedef struct {
  RccChange *changes;                   /* in order of time */
  size_t n_changes;
  RccTime period;                       /* RCC_NEVER: once */
  RccTrace **traces;                    /* owned */
  size_t n_traces;
} RccScenario;

/* A built-in name or the path of a file.  NULL on error, with one sentence in
 * @error; for a bad line it begins with "FILE:LINE: ".  @seed is for what is
 * generated (outage). */
RccScenario *rcc_scenario_load (const char *name, uint64_t seed, char *error,
    size_t error_size);
/* The text itself; @name stands in errors, and its folder holds the traces. */
RccScenario *rcc_scenario_parse (const char *text, size_t length, const char *name,
    uint64_t seed, char *error, size_t error_size);
void rcc_scenario_free (RccScenario *s);
/* The built-in names for a help text; NULL ends the list. */
const char *const *rcc_scenario_names (void);
/* "50", "75000B", "300ms": false if it is none of them. */
bool rcc_link_limit_parse (const char *text, RccLinkLimit *limit);

/* One direction's walk through a scenario, which may be shared by many. */
typedef struct {
  const RccScenario *scenario;          /* NULL: nothing ever changes */
  RccDirection direction;
  size_t next;
  RccTime lap;                          /* when this repetition began */
} RccScenarioRun;

/* Begins at @start on the link's clock. */
void rcc_scenario_run_init (RccScenarioRun *r, const RccScenario *s,
    RccDirection direction, RccTime start);
/* When rcc_scenario_apply() has something to do next; RCC_NEVER: nothing. */
RccTime rcc_scenario_next (const RccScenarioRun *r);
/* Configures @l at the exact times of all changes up to @now; how many there were.
 * Call it before anything else is done to @l at @now. */
size_t rcc_scenario_apply (RccScenarioRun *r, RccLink *l, RccTime now);
/* The largest delay + jitter that a direction ever has, from @base on. */
RccTime rcc_scenario_max_delay (const RccScenario *s, RccDirection direction,
    const RccLinkConfig *base);

#endif
