/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * gcc/config.h - every constant of Google Congestion Control, by profile
 */
#ifndef RCC_GCC_CONFIG_H
#define RCC_GCC_CONFIG_H

#include "core/gcc/aimd.h"
#include "core/gcc/groups.h"
#include "core/gcc/loss.h"
#include "core/gcc/overuse.h"
#include "core/settings.h"
#include "core/stats.h"

typedef enum {
  RCC_GCC_PAPER,        /* ANRW'16 as its authors ran it: config.c */
  RCC_GCC_DEFAULT,      /* the best we know */
  RCC_GCC_RRTCC,        /* draft-alvestrand-rtcweb-congestion-02/-03 of 2012: a baseline */
} RccGccProfile;

typedef enum {
  RCC_FILTER_KALMAN,    /* scalar, draft-ietf-rmcat-gcc-02 5.3 */
  RCC_FILTER_KALMAN2,   /* slope and offset, libwebrtc's receive side */
  RCC_FILTER_TRENDLINE, /* libwebrtc's send side */
} RccFilterKind;

typedef struct {
  RccGccProfile profile;
  /* delay-based controller */
  RccGrouping grouping;
  RccTime burst;                        /* dT of groups and pacer, 5 ms */
  RccTime merge_cap;
  double merge_faster;                  /* what is merged behind a pause comes so many times
                                         * faster than the mean; 0: any */
  RccFilterKind filter;
  double slope_noise, offset_noise;     /* of RCC_FILTER_KALMAN2's states; 0: libwebrtc's */
  double clip;                          /* of RCC_FILTER_KALMAN's residuals, as in
                                         * kalman.h: 3 ... */
  bool clip_state;                      /* ... in its state as well as in its variance */
  double gain;                          /* trend = min (groups, gain) * m */
  RccOveruseConfig overuse;
  RccAimdConfig aimd;
  RccTime rate_window;                  /* R */
  RccTime fast_window;                  /* R at a decrease; 0: R */
  RccTime pause;                        /* a longer one of the arrivals is left out of R at a
                                         * decrease; 0: none is */
  RccTime base_rise;                    /* gcc/base-delay.h; 0: off */
  RccTime capacity_drop;                /* gcc/capacity-drop.h; 0: off */
  RccTime stand_time;                   /* over-use with a younger queue only holds; 0: any */
  RccTime stand_limit;                  /* gcc/standing.h; 0: off */
  /* sender */
  RccLossMode loss;
  bool loss_cause;                      /* gcc/loss-cause.h ... */
  double loss_second_cut;               /* ... and its second_cut */
  RccTime full_queue;                   /* gcc/full-queue.h; 0: off */
  double tcp_share;                     /* gcc/tcp-share.h; 0: off */
  RccTime flight_extra;                 /* gcc/flight.h; 0: off */
  bool fill_gaps;                       /* packets between two feedbacks of which none tells came */
  bool l4s;                             /* gcc/l4s.h */
  double l4s_pacing;                    /* pacing_factor with it */
  bool ecn_as_loss;                     /* a packet marked CE counts as lost (RFC 6679 7.3.3) */
  double pacing_factor;
  RccTime queue_drain;                  /* these three of the send path (send/path.h); 0: never */
  RccTime backlog_from, backlog_over;
  double pacing_floor;                  /* pace at this multiple of the least rate; 0: none */
  RccTime feedback_timeout;             /* without feedback the rate halves ... */
  RccTime timeout_repeat;               /* ... and again after so long; 0: feedback_timeout */
  /* probing; 0: off */
  double probe_first;                   /* the first one; 0: as ever */
  double probe_factor;                  /* of what the link has shown, at most 2 */
  double probe_later;                   /* the first once the target has fallen; 0: no other */
  RccTime probe_interval;               /* between probes once the start is over */
  RccTime probe_interval_most;          /* once probes misled; 0: as ever */
  RccTime probe_trust;                  /* a queue of so much makes its result worth nothing; 0:
                                         * none does */
  RccTime probe_span;                   /* length of a cluster at its rate */
  /* receiver */
  RccTime feedback_interval;
  RccTime reordering;                   /* gcc/reorder.h, gcc/cluster.h; 0: what is reordered
                                         * spoils its train, and what is late was lost */
  bool trains;                          /* lift the estimate by trains */
  double train_factor;                  /* of the estimate: what leaves faster is one */
  RccTime train_interval;               /* of what was deferred; 0: each is believed */
  uint32_t repeat;                      /* RFC 8888: of each stream so many packets are told of
                                         * again, for feedback that is lost */
  bool arrivals;                        /* tell arrivals, make no estimate */
} RccGccConfig;

RccGccConfig rcc_gcc_config (RccGccProfile profile);

/* Every constant by name, for those who vary them (rccsim --set, the property tuning). */
extern const RccSetting rcc_gcc_settings[];
extern const RccChoices rcc_gcc_profiles;

#endif
