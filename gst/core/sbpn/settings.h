/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * sbpn/settings.h - the scheduler's modes and limits
 */
#ifndef RCC_SBPN_SETTINGS_H
#define RCC_SBPN_SETTINGS_H

#include "core/settings.h"

/* A packet is expired when its expiry lies before now + owd, unless it is to be kept.  Of
 * equals the one that came first goes first.  The sbpn modes are strict: a class may starve for
 * those above it. */
typedef enum {
  /* In order of arrival; an arriving packet that finds no room is dropped.  Priority,
   * expiry and keep mean nothing: the paper's unmodified transport. */
  RCC_SBPN_FIFO,
  /* By (priority, expiry); an expired packet that comes to the head is dropped (3.2). */
  RCC_SBPN_1,
  /* As 1, but a packet that is alone in the queue is sent though expired. So the rate control
   * does not see idleness (3.3). Where frames are whole, a frame is. */
  RCC_SBPN_2,
  /* While there is room, nothing is dropped for its expiry.  Live packets leave by (priority,
   * expiry).  When nothing is live, expired ones leave in the same order (6), after younger
   * ones of their class. */
  RCC_SBPN_3,
  /* As 3, but of the classes' first live packets the one with the lowest score priority *
   * priority_weight + (expiry - (now + owd)) leaves. A class that is owed more than its deficit
   * limit goes before any score: see share.h for the bound. When full, the class that holds most
   * for its weight gives way, so nobody starves in front of the queue either. A class with no
   * more than weight / (all weights) of the room is never chosen for what is live. It may be
   * where the rest are packets to keep. */
  RCC_SBPN_WEIGHTED,
} RccSbpnMode;

/* What falls when the queue is full, the arriving packet included, in all modes but fifo. Expired
 * packets fall first, of the lowest priority the most expired. Then, of the lowest priority, the
 * packet that expires last. Packets to keep fall after all others. In any mode a packet falls
 * that has waited for longer than max_time. None falls that is to be kept (in fifo those too). */
typedef struct {
  RccSbpnMode mode;
  uint32_t max_packets;                 /* 0: as many as there are entries, less one */
  uint64_t max_bytes;                   /* 0: no limit */
  RccTime max_time;                     /* RCC_NEVER: no limit */
  RccTime priority_weight;              /* weighted: what a step of priority is worth */
  uint32_t deficit_limit;               /* weighted: bytes a class may be owed */
} RccSbpnConfig;

/* sbpn2 with no limit but the entries.  A step of priority is worth 100 ms, the deficit limit
 * is 3000 B. */
RccSbpnConfig rcc_sbpn_config (void);
extern const RccSetting rcc_sbpn_settings[];
extern const RccChoices rcc_sbpn_modes;

#endif
