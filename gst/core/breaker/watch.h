/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * breaker/watch.h - says that a circuit breaker is about to open (RFC 8083 4.5), or what keeps it
 * from opening in time
 *
 * That is RTCP which comes too rarely (4.1, 4.3, 9), and a round-trip time that is not known (4.3).
 * It only looks at a breaker, and changes nothing.  Nearing is: one more report like the newest,
 * or one more Td without any, opens or reduces it.
 */
#ifndef RCC_BREAKER_WATCH_H
#define RCC_BREAKER_WATCH_H

#include "core/breaker/breaker.h"

#define RCC_BREAKER_NOTICES 16

typedef struct {
  const char *text;                     /* what is wrong, in words; NULL: nothing is */
  const char *section;                  /* of RFC 8083 */
  RccTime value, limit;                 /* what is too long; 0 where that is not the cause */
} RccBreakerWarning;

typedef struct {
  RccBreakerWarning warning;            /* with a text the notice is that, and no more */
  bool nearing;                         /* false: not any more, and it has not opened */
  RccBreakerReason reason;              /* what would open it, or would have */
  uint32_t ssrc;                        /* 0: all streams */
  double loss;                          /* p, 0..1 */
  RccTime rtt;                          /* Tr; RCC_NEVER: not known */
  double tcp_bps, sent_bps;             /* X and the rate, bit/s; both 0 with rtcp-timeout */
  RccTime opens_in;                     /* at the earliest, about; 0 where not nearing */
} RccBreakerNotice;

typedef struct {
  struct {
    uint32_t ssrc;
    RccBreakerReason near;
    uint64_t judged;                    /* intervals there were, when congestion was looked at */
    bool congested;                     /* what came of it */
  } streams[RCC_BREAKER_STREAMS];       /* at the breaker's places */
  bool silent;                          /* nearing 4.1 */
  unsigned warned;                      /* a bit for each warning: each is given once */
  RccBreakerNotice notices[RCC_BREAKER_NOTICES];
  uint64_t n_notices, notices_taken;    /* number i lies at i % RCC_BREAKER_NOTICES */
} RccBreakerWatch;

void rcc_breaker_watch_init (RccBreakerWatch *w);

/* After RTCP or new settings.  True: there is something to take. */
bool rcc_breaker_watch_look (RccBreakerWatch *w, const RccBreaker *b, RccTime now);
/* After a packet, or at any other time: only whether RTCP stays away.  Cheap. */
bool rcc_breaker_watch_silence (RccBreakerWatch *w, const RccBreaker *b, RccTime now);

/* The oldest that was not taken yet, of the newest RCC_BREAKER_NOTICES.  False: there is none. */
bool rcc_breaker_watch_take (RccBreakerWatch *w, RccBreakerNotice *notice);

#endif
