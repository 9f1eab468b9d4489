/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * source.h - video that listens to a target bitrate (RFC 8593), and a recorded call
 * that does not
 */
#ifndef RCC_WORLD_SOURCE_H
#define RCC_WORLD_SOURCE_H

#include "core/rcc.h"
#include "core/rng.h"

typedef enum {
  RCC_SOURCE_STATISTICAL,               /* RFC 8593 section 5 */
  RCC_SOURCE_TRACE,                     /* section 6: sizes of a real encoder */
  RCC_SOURCE_CONSTANT,                  /* frames of exactly target / fps */
  RCC_SOURCE_EKIGA,                     /* Send Best Packet Next 4.1: deaf to targets */
} RccSourceModel;

typedef struct {
  RccSourceModel model;
  uint32_t min_bps, max_bps;            /* R_min, R_max; default 150 k, 1.5 M */
  double fps;                           /* 30 */
  RccTime reaction;                     /* tau_v; 200 ms */
  bool steady;                          /* no transients */
  unsigned gop;                         /* frames from one large one to the next; 0: all
                                         * alike */
  double gop_factor;                    /* how much larger it is */
  uint32_t key_size;                    /* bytes that it has at least */
  const char *traces;                   /* folder of chat_720p_RATE.txt, for TRACE */
} RccSourceConfig;

#define RCC_LADDER_MAX 16

typedef struct {
  double bps;
  uint32_t *sizes;
  size_t n;
} RccLadderStep;

typedef struct {
  RccSourceConfig config;
  RccRng rng;
  double bps;                           /* what it encodes at */
  RccTime reacted;                      /* RCC_NEVER: never */
  RccTime start, next;                  /* first, next frame */
  unsigned transient;                   /* frames left of a transient */
  double transient_bytes;               /* to be shared by them */
  RccLadderStep ladder[RCC_LADDER_MAX]; /* ascending */
  unsigned n_ladder;
  size_t frame;
  uint64_t frames;
} RccSource;

RccSourceConfig rcc_source_config_default (void);
/* McDonald and Nelson 4.1: 10 frames a second of 4450 +- 1000 bytes while there is
 * motion (10 s), 1075 +- 475 while there is none (5 s), then 5 s of motion; over and
 * over.  Sizes are of whole packets, and whoever packetises takes headers off. */
RccSourceConfig rcc_source_config_ekiga (void);
/* False when a trace folder holds none of the files, with one sentence in @error. */
bool rcc_source_init (RccSource *s, const RccSourceConfig *config, uint32_t start_bps,
    uint64_t seed, RccTime now, char *error, size_t error_size);
void rcc_source_clear (RccSource *s);
/* A new target.  Within tau_v of the last reaction it is ignored (section 5.1), so
 * the caller repeats it with every frame. */
void rcc_source_target (RccSource *s, uint32_t bps, RccTime now);
/* The frame due at s->next: its size in bytes; moves s->next on. */
uint32_t rcc_source_frame (RccSource *s);

#endif
