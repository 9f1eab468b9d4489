/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * describe.h - a call as JSON: call.json and what --json prints; docs/json.md has the fields
 */
#ifndef RTPCALL_DESCRIBE_H
#define RTPCALL_DESCRIBE_H

#include "call.h"
#include "machine.h"
#include "samples.h"
#include "sim/json.h"

typedef struct {
  double duration;                      /* s */
  GArray *figures;                      /* CallFigure */
  CallMachineFigures machine;
} CallOutcome;

/* The members of the object that is open. */
void call_describe (RccJson *j, const Call *call, const CallOutcome *outcome);

#endif
