/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * breaker/config.h - what the RTP circuit breaker is asked to do, and its words
 */
#ifndef RCC_BREAKER_CONFIG_H
#define RCC_BREAKER_CONFIG_H

#include "core/settings.h"
#include "core/tcpeq.h"

typedef enum { RCC_BREAKER_RFC8083, RCC_BREAKER_DRAFT2014 } RccBreakerMode;
typedef enum { RCC_BREAKER_CLOSED, RCC_BREAKER_REDUCED, RCC_BREAKER_OPEN } RccBreakerState;
typedef enum {
  RCC_BREAKER_NO_REASON, RCC_BREAKER_RTCP_TIMEOUT, RCC_BREAKER_MEDIA_TIMEOUT,
  RCC_BREAKER_CONGESTION, RCC_BREAKER_USABILITY,
} RccBreakerReason;

typedef struct {
  RccBreakerMode mode;
  RccTcpModel model;
  double multiplier;                    /* > 0; 10 in the RFC */
  bool reduce_first;                    /* to a tenth; stop if it triggers again (4.3) */
  bool together;                        /* one stream's trigger is every stream's (8) */
  bool require_rtcp;                    /* false: 4.1 never; for peers without RTCP (4) */
  bool ecn_as_loss;                     /* CE counts in p (5); the RFC leaves it open (7) */
  unsigned media_timeout_reports;       /* k */
  unsigned frame_group;                 /* G; 0 counts as 1 */
  double hold_below;                    /* asked for no more than this of the limit, as it nears */
  bool interval_size;                   /* s is no less than the mean of the intervals' packets */
  RccTime frame_interval;               /* Tf; RCC_NEVER: measured */
  RccTime rtcp_min_interval;            /* Tmin of the receiver's Td; RCC_NEVER: 5 s, or what
                                           its reports show where they come more often */
  RccTime rr_interval;                  /* T_rr_interval (RFC 4585 3.4); 0: none */
  uint32_t bandwidth_bps;               /* of the session; 0: what is sent */
  double rtcp_fraction;                 /* of it for RTCP; 0.05 in RFC 3550 */
  bool usability;                       /* 4.4, with the next three */
  double unusable_loss;                 /* 0..1 */
  RccTime unusable_delay;               /* RTT / 2 + jitter */
  RccTime unusable_time;                /* for so long */
} RccBreakerConfig;

/* Reports of one stream nearer than this are one interval. AVPF may bring several in one round
 * trip, and nobody can trip a breaker by sending faster. */
#define RCC_BREAKER_MIN_INTERVAL (100 * RCC_MSEC)

extern const char *const rcc_breaker_state_names[];     /* closed reduced open */
extern const char *const rcc_breaker_reason_names[];    /* none rtcp-timeout ... */

/* RFC 8083 with Mathis, factor 10, k = 5; the draft with k = 2 and CE as loss. */
RccBreakerConfig rcc_breaker_config (RccBreakerMode mode);
extern const RccSetting rcc_breaker_settings[]; /* what a call may set ... */
extern const RccSetting rcc_breaker_rules[];    /* ... and what the RFC or the session fixes */
extern const RccChoices rcc_breaker_states;
/* The same with every number in a range that can be calculated with. What is no number becomes
 * the RFC's, and times end at an hour. */
RccBreakerConfig rcc_breaker_config_clamp (const RccBreakerConfig *config);

#endif
