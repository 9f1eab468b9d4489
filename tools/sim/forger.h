/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * forger.h - somebody who is not the receiver and sends RTCP to a sender of the simulated
 * world
 *
 * What he may know of the call decides what he can say. It is nothing but the address (blind), or
 * the SSRC of the media as well, or its sequence numbers and reports' counts too. Or it is all
 * that an unencrypted call shows, the receiver's SSRC included.
 */
#ifndef RCC_WORLD_FORGER_H
#define RCC_WORLD_FORGER_H

#include "core/rng.h"
#include "wire/rtp.h"
#include "wire/rtcp.h"

typedef enum { RCC_KNOWS_NOTHING, RCC_KNOWS_SSRC, RCC_KNOWS_NUMBERS, RCC_KNOWS_ALL }
    RccKnowledge;

typedef struct {
  bool on;
  int message;                          /* as rcc_forger_message() */
  RccKnowledge knows;
  RccTime at;                           /* the first one */
  RccTime period;                       /* 0: there is one only */
  RccTime until;
} RccForgerConfig;

/* The name of message @i, from 0 on; NULL: there are no more. */
const char *rcc_forger_message (int i);
extern const char *const rcc_forger_knowledge[]; /* in the order of RccKnowledge, then NULL */

/* "MESSAGE/KNOWLEDGE@S", in seconds, or "...@S-S/S": from, to and how far apart. */
bool rcc_forger_parse (RccForgerConfig *config, const char *text);

typedef struct {
  RccForgerConfig config;
  RccRng rng;
  RccTime next;                         /* RCC_NEVER: no more */
  uint32_t ssrc, reporter;              /* as seen so far */
  uint16_t seq, transport;
  RccReportBlock report;                /* the receiver's newest on @ssrc */
  uint64_t messages, bytes;             /* sent */
} RccForger;

void rcc_forger_init (RccForger *f, const RccForgerConfig *config, uint64_t seed);
/* What passes him, of the sender and of the receiver. */
void rcc_forger_saw_rtp (RccForger *f, RccBytes packet);
void rcc_forger_saw_rtcp (RccForger *f, RccBytes compound);

#define RCC_FORGER_SIZE 65536

/* At f->next: a compound in @out, of RCC_FORGER_SIZE bytes; how many it has, 0 where there
 * is nothing to go by yet. */
size_t rcc_forger_forge (RccForger *f, RccTime now, uint8_t *out);

#endif
