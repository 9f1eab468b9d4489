/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * world.h - media flows over a simulated link in virtual time
 *
 * One bottleneck in each direction, shared by all flows, driven by a scenario; real
 * RTP and RTCP bytes in both.  A run is a function of its configuration and seed.
 */
#ifndef RCC_WORLD_WORLD_H
#define RCC_WORLD_WORLD_H

#include <stdio.h>

#include "link/scenario.h"
#include "sim/flow.h"
#include "sim/framestats.h"
#include "sim/groupnotes.h"
#include "sim/inbox.h"
#include "sim/reno.h"
#include "sim/packet-trace.h"
#include "sim/wakeup.h"

#define RCC_WORLD_RENOS 16
#define RCC_WORLD_QUEUE_STEP (10 * RCC_MSEC)
#define RCC_WORLD_BIN (200 * RCC_MSEC)  /* RFC 8868's */
#define RCC_WORLD_LOSSES (1u << 20)     /* times of losses kept, a flow */
#define RCC_WORLD_FINE (3600 * RCC_SEC) /* of longer runs less is kept: RccWorld.grain */

typedef struct {                        /* every 10 ms */
  RccTime time;
  RccTime queue;                        /* of the forward bottleneck */
  uint64_t capacity_bps;
} RccQueueSample;

typedef struct {                        /* every 200 ms, RFC 8868's bin */
  RccTime time;
  uint32_t target_bps, sent_bps, received_bps;  /* media, with RTP headers */
  uint32_t fec_bps;                     /* parity that left, the same; 0 without a packet trace */
  RccTime owd, owd_max;                 /* mean and largest of the bin; RCC_NEVER: none */
  RccTime rtt, pacer_queue;
  double trend, threshold;
  const char *state, *usage;
  const char *breaker_state;            /* of the video's SSRC; NULL: no breaker */
  double breaker_loss, breaker_bps;     /* of its last verdict: p, and the rate sent ... */
  double tcp_bps, limit_bps;            /* ... against X and 10 X, infinite where p is 0 */
  uint32_t equation_bps;                /* UINT32_MAX: no limit, or no TFRC */
  double loss_event_rate;
  RccStreamCount streams[RCC_WORLD_STREAMS];    /* so far */
  uint64_t breaker_reports;             /* on that SSRC, ever */
} RccFlowSample;

typedef struct {                        /* an end whose clock is not punctual */
  RccWakeup wakeup;
  RccInbox inbox;
} RccFlowEnd;

typedef struct {
  RccFlowConfig config;
  RccFlowEnd ends[RCC_ENDS];
  RccTime sender_next;                  /* what a late sender sleeps for */
  RccWorldSender sender;
  RccWorldReceiver receiver;
  RccForger *forger;                    /* NULL: none */
  bool running;
  RccFlowSample *samples;
  size_t n_samples;
  double *delays;                       /* one-way, ms, every RTP packet that came, of the
                                         * network: without the wait for a late receiver */
  RccTime *delay_times;
  size_t n_delays, room_delays;
  size_t n_received, n_marked;          /* RTP packets that came; with the mark CE */
  size_t n_losses, room_losses;         /* RTP packets that the link dropped ... */
  RccTime *losses;                      /* ... and when, in order, the first
                                         * RCC_WORLD_LOSSES */
  RccLosses *media;                     /* of each bin: the sender's delivery stats writes them */
  RccBreakerEvent *events;              /* of the breaker, all of them, in order */
  size_t n_events;
  RccFrameStats frame_stats;
  RccPacketTrace *packet_trace;         /* NULL: none */
  RccGroupNotes groups;
  RccDatagram *held;                    /* RTCP that waits for the next one */
  /* of the bin under way */
  uint64_t bin_sent, bin_received, bin_parity;
  double bin_owd;
  RccTime bin_owd_max;
  unsigned bin_packets;
} RccFlow;

/* In place of the two links: whoever sets it carries the bytes, and calls
 * rcc_world_arrived() or rcc_world_lost() once for each datagram that was carried. */
typedef struct {
  /* @d is the network's from now on. */
  void (*carry) (void *user, RccDirection direction, RccDatagram *d);
  /* Of the forward bottleneck: how long what is queued takes to leave, and bit/s. */
  RccTime (*queue_time) (void *user);
  uint64_t (*capacity) (void *user);
  void *user;
} RccWorldNetwork;

typedef struct {
  RccTime now, duration;
  RccScenario *scenario;                /* owned */
  RccLink link[RCC_DIRECTIONS];
  RccScenarioRun run[RCC_DIRECTIONS];
  RccWorldNetwork network;              /* carry NULL: the links above */
  RccFlow **flows;
  unsigned n_flows;
  RccReno *renos[RCC_WORLD_RENOS];      /* forward */
  unsigned n_renos;
  RccQueueSample *queue;
  size_t n_queue;
  RccTime queue_next, bin_next;
  /* of a run of more than RCC_WORLD_FINE: bins are so many times longer. Of so many queue
   * samples, delays, frames and reports one is kept, so that memory has a bound. 1, or a multiple
   * of 5: bins are whole seconds then */
  unsigned grain;
  uint64_t seed;
} RccWorld;

/* @scenario: a name or path as rcc_scenario_load() takes.  NULL with one sentence in
 * @error (RCC_SCENARIO_ERROR bytes) when it is bad. */
RccWorld *rcc_world_new (const char *scenario, RccTime duration, uint64_t seed,
    char *error);
void rcc_world_free (RccWorld *w);
/* Overhead bytes a packet on the link, both directions; 28 unless set. */
void rcc_world_set_overhead (RccWorld *w, uint32_t bytes);
/* Whether it has media to send at @at. */
bool rcc_flow_is_heard (const RccFlowConfig *c, RccTime at);
/* NULL with @error when the flow's configuration is bad. */
RccFlow *rcc_world_add_flow (RccWorld *w, const RccFlowConfig *config, char *error);
/* TCP in the forward direction; NULL: there are RCC_WORLD_RENOS. */
RccReno *rcc_world_add_reno (RccWorld *w, const RccRenoConfig *config);
void rcc_world_run (RccWorld *w);
/* Notes what is due now; rcc_world_run() does. */
void rcc_world_sample (RccWorld *w);

/* Over another network, in place of rcc_world_run(). Its event loop polls each flow when it is
 * due and after every arrival. It samples every RCC_WORLD_QUEUE_STEP from 0. The scenario is the
 * network's to apply; there are no RccRenos. @now never runs backwards. */
void rcc_world_set_network (RccWorld *w, const RccWorldNetwork *network);
/* Does what is due for flow @i. */
void rcc_world_poll (RccWorld *w, unsigned i, RccTime now);
/* When it is to be polled again unless something arrives; RCC_NEVER: never.  An end that
 * is late is polled twice: when something makes it runnable, and when it runs. */
RccTime rcc_world_next (RccWorld *w, unsigned i);
/* A datagram at the far end, with the bytes that arrived and the ECN codepoint that they
 * came with; the world's from now on.  An end that is late reads it when it runs. */
void rcc_world_arrived (RccWorld *w, RccDirection direction, RccDatagram *d, RccTime sent,
    RccTime now);
void rcc_world_lost (RccWorld *w, RccDatagram *d, RccTime now);

typedef struct {                        /* over [from, to), of the flows that go forward */
  double utilisation;   /* media delivered / min (capacity, what the sources may send) */
  double queue_p50, queue_p95, queue_p99;       /* ms */
  RccLosses media;                      /* came or left within it, all flows; what links
                                         * lost, and no more, is lost */
  double delivered_bps;                 /* all flows */
} RccPhase;

RccPhase rcc_world_phase (const RccWorld *w, RccTime from, RccTime to);
/* First time in [from, to) from which the queue stays under @limit for @hold;
 * RCC_NEVER: never. */
RccTime rcc_world_queue_settles (const RccWorld *w, RccTime limit, RccTime hold,
    RccTime from, RccTime to);
/* End of the first second within [from, to) in which flow @f received at least @bps. */
RccTime rcc_flow_reaches (const RccFlow *f, double bps, RccTime from, RccTime to);
/* Percentile (0..100) of one-way delay over [from, to), ms. */
double rcc_flow_delay (const RccFlow *f, double percentile, RccTime from, RccTime to);
double rcc_flow_mean_bps (const RccFlow *f, RccTime from, RccTime to);
/* Media packets that came to the sender, or left it, in the bins that end in (from, to]. */
RccLosses rcc_flow_media (const RccFlow *f, RccTime from, RccTime to);
/* When the breaker opened for good or reduced for the first time; RCC_NEVER: it did not. */
RccTime rcc_flow_triggered (const RccFlow *f);

/* Rows of samples.csv as tools/report.py reads them.  Of the flow's media packets they have
 * offered, unsent, left, lost, late, in core/losses.h's words (late empty: no deadline). And they
 * have loss, the share lost of those that left in the bin. Where there is a scheduler or another
 * controller than GCC, there are further columns: loss-event-rate and equation-bitrate. Each
 * stream has what was offered, sent, received, in time and dropped (by cause) in the bin, in
 * packets. It also has the mean time in the sender's queue (wait, ms) of those sent in the
 * bin. */
void rcc_world_write_csv (const RccWorld *w, const RccFlow *f, FILE *out);

#endif
