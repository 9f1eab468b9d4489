/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * controller.h - what a program has to know of a sender core. By it a program allocates, sets up,
 * runs and reports on one without knowing which it is.
 */
#ifndef RCC_CONTROLLER_H
#define RCC_CONTROLLER_H

#include "core/settings.h"
#include "core/stats.h"

#define RCC_CONTROLLER_CONFIG 2048      /* bytes of the largest configuration */

typedef struct {                        /* what every core can say of itself */
  uint32_t target_bps, pacing_bps;
  bool paces;                           /* else pacing_bps is twice the target */
  uint32_t fec_bps, fec_interval;       /* of the target; media packets to one of parity */
  unsigned fec_state;                   /* RccFbraState, of a core with parity */
  RccTime burst, drain;                 /* of the pacer */
  RccTime backlog_from, backlog_over;   /* of the send path; over 0: never */
  uint32_t packet_cost;                 /* bytes the pacer counts a packet for; 0: its size */
  RccTime rtt;                          /* RCC_NEVER: the core has none of its own */
  uint32_t equation_bps;                /* UINT32_MAX: no limit, or none at all */
  double loss_event_rate;
  double trend, threshold;              /* of an over-use detector; 0: there is none */
  const char *state, *usage;            /* static text, never NULL */
} RccSenderView;

typedef enum {
  RCC_SETTING_CALL,                     /* RFC 8867's video and audio */
  RCC_SETTING_FBRA,                     /* of Nagy et al., Table 1 */
} RccScenarioSetting;

typedef struct {
  const char *name;                     /* kebab-case, unique */
  const char *text;                     /* one sentence without its full stop */
  size_t size;                          /* of the core; an RccSender is its first member */
  size_t config_size;                   /* at most RCC_CONTROLLER_CONFIG; 0: no configuration */
  void (*defaults) (void *config);      /* fills config_size bytes; NULL: all are 0 */
  void (*init) (RccSender *s, const void *config, const RccConfig *limits);
  RccSenderView (*view) (const RccSender *s);
  const RccSetting *settings;           /* of the configuration; NULL: none */
  const RccField *fields;               /* of the core, for statistics; NULL: none */
  const char *feedbacks[6];             /* remb, tmmbr, twcc, ccfb, xr that it can go by, the
                                         * preferred first; none: it needs no feedback */
  bool parity;                          /* probes with parity, says fec_interval */
  bool estimates_at_receiver;           /* with remb or tmmbr the detector is the receiver's */
  RccScenarioSetting setting;           /* in which the simulator runs it */
} RccController;

#endif
