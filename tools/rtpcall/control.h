/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * control.h - congestion control in the call: what --cc puts at either end
 */
#ifndef RTPCALL_CONTROL_H
#define RTPCALL_CONTROL_H

#include "call.h"

/* The sender's half, from call->mux to call->send_rtpbin: call->controller, where it is an
 * element of its own, and the circuit breaker behind it, with RTP and RTCP of both ways; RTCP
 * comes in at the mux and leaves from call->rtcp_src. */
gboolean call_add_control (Call *call, GError **error);
/* How the mux is to know its rate: properties as text, for call_add(). */
const char *call_mux_rate_control (const CallOptions *options);
const char *call_mux_pacing_factor (const CallOptions *options);

/* The receiver's half: call->estimator, in front of call->recv_rtpbin.  With transport-wide
 * feedback the session itself is the receiver's feedback writer, and there is none. */
gboolean call_add_estimator (Call *call, GError **error);

#endif
