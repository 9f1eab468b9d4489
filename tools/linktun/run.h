/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * run.h - linktun at work: a crossing each way, between two descriptors, in real time
 */
#ifndef LINKTUN_RUN_H
#define LINKTUN_RUN_H

#include <signal.h>
#include <stdio.h>

#include "linktun/crossing.h"
#include "linktun/lateness.h"

typedef struct {
  int ends[RCC_DIRECTIONS];             /* where each direction begins; it ends at the other */
  Crossing ways[RCC_DIRECTIONS];
  FILE *log;                            /* NULL: none */
  uint64_t begin;                       /* ns of CLOCK_MONOTONIC */
  RccTime end;                          /* RCC_NEVER: when it is interrupted */
  const volatile sig_atomic_t *interrupted;
  Lateness written;                     /* after the packet's time */
  Lateness woken;                       /* after the time at which we meant to wake */
  uint64_t unwritten;                   /* the kernel would not take them */
} Run;

extern const char run_log_header[];

uint64_t run_clock (void);
/* Until its end, an interrupt, or an error, which is false with errno. */
bool run_go (Run *run);

#endif
