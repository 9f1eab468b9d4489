/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * breaker.h - rtpcircuitbreaker in the call: how it is built in, and its messages in the
 * words of the person who called
 */
#ifndef RTPCALL_BREAKER_H
#define RTPCALL_BREAKER_H

#include "call.h"

/* Makes call->breaker, if one is wanted, and links its RTCP to the sending rtpbin, both
 * ways; RTP, and where RTCP comes from and goes to, are left to the caller. */
gboolean call_add_breaker (Call *call, GError **error);

/* One sentence on why the media were stopped and what can be done, @time s into the call;
 * free it.  NULL where the message says anything else. */
char *call_breaker_sentence (Call *call, const GstStructure *message, double time);
/* Whether nothing may be sent any more. */
gboolean call_breaker_stops_all (Call *call);
/* What the breaker's @stats say of the video; NULL: nothing yet. */
const GstStructure *call_breaker_video (Call *call, const GstStructure *stats);

#endif
