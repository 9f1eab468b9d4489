/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fbra/fbra.h - FEC-based rate adaptation: the sender probes with parity (Nagy et al.,
 * "Congestion Control using FEC for Conversational Multimedia Communication")
 *
 * How it is driven:
 *  - on_sent() for every packet that leaves, repair packets with RCC_PACKET_PARITY set in
 *    RccPacket.flags. The same flag comes back with the packet's outcome;
 *  - for one compound of RTCP first on_report(), then on_feedback(), then on_rtcp(),
 *    which is where the report is judged: the order rcc_feedback_rtcp() has.  A compound
 *    that brings nothing new (a duplicate) is none;
 *  - on_deadline() when rcc_deadline() is reached.
 * On RCC_TARGET the media's rate is target_bps - fec_bps. On RCC_FEC, ->fec_interval is how many
 * media packets one parity packet protects from now on. 0: parity off, the block begun is
 * dropped.
 *
 * A peer that sends receiver reports and nothing else is judged by them. Every loss counts as
 * recent, and half the round trip stands in for the one-way delay.
 */
#ifndef RCC_FBRA_H
#define RCC_FBRA_H

#include "core/fbra/outcomes.h"
#include "core/fbra/capacity.h"
#include "core/fbra/fec.h"
#include "core/fbra/state.h"
#include "core/fbra/owd.h"
#include "core/fbra/sharing.h"
#include "core/window.h"

typedef struct {
  RccSender sender;                     /* first: the family's handle */
  RccFbraConfig config;                 /* reports.pool may be set at any time */
  RccConfig limits;
  RccFbraState state;
  double rate;                          /* of media, what it stands at outside probes */
  uint32_t n;                           /* of the probe under way */
  /* delay and outcomes */
  RccSkewOwd clock;
  RccOwd owds;
  RccOutcomes outcomes;
  RccWindow media;                      /* sent, for a peer without feedback per packet */
  RccFbraPeak peak;
  double initial_goodput;               /* 0: not known yet */
  bool high_before, held;
  /* undershoot */
  double saved_goodput, saved_rate;
  RccTime raised;                       /* when the rate last went up; RCC_NEVER */
  RccFbraCapacity capacity;             /* config.by_capacity */
  RccFbraSharing sharing;
  bool bounce;                          /* a deactivation awaits its first report */
  RccTime deactivated_until;            /* 0: not */
  uint32_t to_ignore;                   /* reports, however late they come */
  uint32_t probe_parity;                /* reported of the probe under way */
  /* reports */
  bool fresh;                           /* this compound brought something new */
  RccReport report;                     /* what on_report() said; expected 0: nothing */
  int64_t highest_seq;                  /* of the last report block */
  RccTime fed;                          /* last on_feedback(); RCC_NEVER: none yet */
  RccReportTimer timer;
  /* state, for stats */
  const char *state_name, *reason;
  uint32_t target_bps, fec_bps, fec_interval;
  uint32_t goodput_bps, sent_bps, peak_bps;
  RccTime owd, owd_low, owd_high, rtt_min;      /* RCC_NEVER: unknown */
  double corr_low, corr_high;
  uint64_t losses, discards, parity_packets;
  uint64_t reports, ignored, early, silences;
  uint64_t probes, probes_passed, undershoots, bounces;
  uint64_t probes_void;                 /* passed before any of their parity was reported */
} RccFbra;

extern const RccField rcc_fbra_fields[];

void rcc_fbra_init (RccFbra *f, const RccFbraConfig *config, const RccConfig *limits);

#endif
