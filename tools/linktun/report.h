/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * report.h - what linktun says of a run that has ended
 */
#ifndef LINKTUN_REPORT_H
#define LINKTUN_REPORT_H

#include "linktun/run.h"

typedef struct {
  const char *scenario;
  int seed;
  RccTime now;                          /* since the run began */
  bool fifo;                            /* it ran under SCHED_FIFO */
} Report;

void report_text (const Report *r, Run *run);
/* One object (RFC 8259); docs/json.md has its fields. */
void report_json (const Report *r, Run *run);

#endif
