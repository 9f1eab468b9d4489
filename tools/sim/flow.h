/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * flow.h - what a media flow of the simulated world is: who sends what, and how
 */
#ifndef RCC_WORLD_FLOW_H
#define RCC_WORLD_FLOW_H

#include "core/fbra/cnadu.h"
#include "core/fbra/fbra.h"
#include "core/gcc/sender.h"
#include "core/tfrc/tfrc.h"
#include "link/scenario.h"
#include "sim/forger.h"
#include "sim/receiver.h"
#include "sim/sender.h"
#include "sim/wakeup.h"

typedef struct {
  const char *name;
  RccDirection direction;               /* of its media; forward unless set */
  bool adapt;                           /* else a fixed rate, limits.start_bps */
  const RccController *controller;      /* a row of the registry */
  RccGccConfig gcc;                     /* and of the receiver */
  RccTfrcConfig tfrc;
  RccFbraConfig fbra;
  RccCnaduConfig cnadu;
  uint64_t other[RCC_CONTROLLER_CONFIG / 8];      /* the configuration of any other controller */
  bool plain;                           /* RTP packets without header extensions */
  uint32_t parity_always;               /* FBRA: N outside probes; 0: the paper, none */
  unsigned parity_depth;                /* FBRA: blocks of it between one another */
  bool parity_probes;                   /* probes are filled with parity in place of padding */
  bool parity_first;                    /* increases of the target are parity first */
  RccTime d_max;                        /* packets later than that are tallied as late;
                                         * 0: there is no packet trace */
  RccEcn ecn;                           /* of its RTP packets; Not-ECT unless set.  Only RFC
                                         * 8888 feedback tells of marks */
  RccFeedbackFormat feedback;
  RccWorldChange changes[RCC_WORLD_CHANGES];    /* of it, earliest first */
  unsigned n_changes;
  bool apart;                           /* it comes from another SSRC than reports do */
  bool reports_alone;                   /* nothing comes but receiver reports */
  bool extended;                        /* instead: XR by the AVPF rule, on d_max, too */
  bool extended_early;                  /* with early reports */
  RccConfig limits;                     /* of the sum of video and audio */
  RccSourceConfig source;
  bool audio;
  RccTime start, stop;                  /* stop RCC_NEVER: the end */
  RccTime pause, resume;                /* the sources are silent from the one to the other,
                                         * RTCP goes on; alike: no pause */
  RccSendConfig queue;
  uint32_t entries;                     /* packets that wait there at most; 0: 16384 */
  RccTime skip_queue;                   /* no picture is encoded while what waits takes longer
                                         * than that to leave; 0: all are */
  RccSbpnClassConfig classes[RCC_WORLD_STREAMS];        /* where it is scheduled */
  RccTime expiry[RCC_WORLD_STREAMS];    /* after creation; RCC_NEVER: no packet is late */
  RccTime count_from, count_to;         /* packets created then are in the delivery stats */
  RccTime encoder_delay;
  RccTime rtcp_interval, feedback_interval;
  RccTime sr_interval;                  /* 1 s */
  double report_rtts;                   /* both intervals are at least so many of the round
                                         * trip as it is, queues and all; 0: they stand */
  bool rtcp_random, omit_silent;        /* as in receiver.h */
  unsigned rtcp_copies;                 /* each compound arrives so often; 0: once */
  bool rtcp_swapped;                    /* every other one arrives behind the next */
  double rtcp_share;                    /* of the bandwidth, RFC 3550 6.2 */
  uint32_t packet_size;                 /* of the largest RTP packet */
  uint32_t audio_size;                  /* of the audio's RTP packets, 50 a second */
  bool breaks;                          /* with a circuit breaker behind the controller */
  RccBreakerConfig breaker;
  unsigned nack_times;                  /* video that is missing is asked for so often, and
                                         * sent again (RFC 4588); 0: never */
  RccTime nack_interval;                /* ... so far apart */
  bool notes_groups;                    /* GCC at the receiver: keep a note of each group */
  RccForgerConfig forger;               /* who sends RTCP to the sender, too */
  RccClockFaults clock[RCC_ENDS];       /* how late each end runs; all 0: always on time */
} RccFlowConfig;

/* RFC 8867 section 4: video 150 kbit/s..1.5 Mbit/s at 30 fps, 20 kbit/s audio,
 * encoder reacts in 100 ms; REMB, RRs exactly each second, no circuit breaker (RFC 8083
 * where it is switched on). */
RccFlowConfig rcc_flow_config (RccGccProfile profile);

/* McDonald and Nelson, "Application-level QoS ... Sending the Best Packet Next", 4: the Ekiga
 * model (214 B of audio every 20 ms, video in packets of up to 1026 B). The expiry is 200 ms,
 * TFRC has RFC 3448's form, and RFC 8888 feedback comes every @rtt. @mode has room for
 * @max_packets, and knows no whole frames. The first 3 s are not counted, nor what is created
 * after 60 s. */
RccFlowConfig rcc_flow_config_sbpn (RccSbpnMode mode, uint32_t max_packets, RccTime rtt);

/* Nagy et al., Table 1: video at 30 fps from 128 kbit/s, never below 32; no audio, no
 * header extensions.  A report every 100 ms or two round trips of the path, whose one-way
 * delay is @owd, if that is longer; what takes more than 400 ms is late.  The paper names no
 * encoder for its simulations. So frames vary as in RFC 8593, 5, without the transients. It tells
 * of a GOP, and so of large frames, in the testbed only. A new target takes hold with the next
 * frame.
 * @controller: fbra, cnadu or rrtcc. */
RccFlowConfig rcc_flow_config_fbra (const char *controller, RccTime owd);
/* ... and how far apart its reports come: max (2 RTT, 100 ms). */
RccTime rcc_flow_fbra_interval (RccTime owd);
/* FBRA+ in place of what @c, one of those, has of FBRA. It is all that is ours, with reports
 * every 100 ms that may take a fifth of the bandwidth. */
void rcc_flow_fbra_plus (RccFlowConfig *c);

#endif
