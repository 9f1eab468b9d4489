/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * breaker.h - rtpcircuitbreaker in the call: its messages in the words of the person who called
 */
#ifndef RTPCALL_BREAKER_H
#define RTPCALL_BREAKER_H

#include "call.h"

/* A message, @time s into the call: one sentence on why something was stopped and what can
 * be done; free it.  NULL where it was about anything else. */
char *call_breaker_heard (Call *call, const GstStructure *message, double time);
/* Whether this end only sends, and may send nothing any more, and the samples show it at
 * @time. */
gboolean call_breaker_ends_it (Call *call, double time);
/* What the breaker's @stats say of the video; NULL: nothing yet. */
const GstStructure *call_breaker_video (Call *call, const GstStructure *stats);

#endif
