/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * breaker/breaker.h - the RTP circuit breaker (RFC 8083)
 *
 * It is told of every RTP packet that leaves, every report block and every RTCP compound. It says
 * when a flow must stop: RTCP stays away (4.1), or media does not arrive (4.2). Or the flow takes
 * ten times what TCP would (4.3), or nobody can use it any more (4.4, off by default). Its
 * answers are RCC_STOP and RCC_TARGET. Where asked to reduce first, the target is a tenth of the
 * rate, then comes back in steps, and is UINT32_MAX once it is closed again. While congestion nears
 * it is that of ceiling.h. What each stream may send stands in its state, target_bps and ceiling.
 *
 * Streams come from what is sent, never from what RTCP says.
 */
#ifndef RCC_BREAKER_H
#define RCC_BREAKER_H

#include "core/breaker/state.h"

extern const RccField rcc_breaker_fields[];

void rcc_breaker_init (RccBreaker *b, const RccBreakerConfig *config, RccTime now);
/* The same for a new life.  What is open or reduced stays so, and reset() is refused for @left
 * more.  So stopping everything and starting it again shortens no interval (4.5).  @now has
 * nothing to do with the former life's. */
void rcc_breaker_resume (RccBreaker *b, const RccBreakerConfig *config, RccTime left,
    RccTime now);
/* New settings for what comes from now on; states and histories stay. */
void rcc_breaker_adjust (RccBreaker *b, const RccBreakerConfig *config, RccTime now);

/* Whether RTP of @ssrc may leave.  One that may not is not told by on_sent. */
bool rcc_breaker_passes (const RccBreaker *b, uint32_t ssrc);

/* Sending has ended: nothing is judged until the next packet, which begins anew (4.2). */
void rcc_breaker_ended (RccBreaker *b);

/* When 4.1 opens it if no RTCP comes.  RCC_NEVER: nothing is sent, or it is not asked for.  The
 * deadline may be earlier, and then finds nothing due. */
RccTime rcc_breaker_timeout_due (const RccBreaker *b);

/* How long reset() is still refused (4.5: the triggering interval); 0: it is not. */
RccTime rcc_breaker_retry_after (const RccBreaker *b, RccTime now);
/* Closes what is open or reduced, and begins to judge anew.  Where nothing is, nothing changes.
 * False, and nothing has changed, while a reset is refused. */
bool rcc_breaker_reset (RccBreaker *b, RccTime now, RccUpdate *update);

#endif
