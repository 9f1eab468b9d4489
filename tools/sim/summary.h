/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * summary.h - what came of a finished run, as one JSON object
 *
 * lost, unsent and late are shares of media packets as core/losses.h defines them, and mean
 * the same wherever they stand: unsent, of those that came to the sender's own send path,
 * what that dropped; lost, of those that left the sender, what links (and nobody else)
 * dropped; late, of those that left, what came later than the flow's latest delay after
 * departure or later than its packets expire; null where it has neither.
 *
 * For programs: tools/reproduce reads nothing else.  Rates are in bit/s, times in seconds,
 * delays and queues in ms, shares from 0 to 1.  What there is none of is null.
 *   duration, seed, bin: seconds, see below
 *   link       utilisation, queue-p50, queue-p95, queue-p99, lost, unsent, late, delivered
 *   phases     from, to, capacity and the same, of each span of at least five seconds in
 *              which the forward capacity stands and no flow starts, ends, pauses or resumes;
 *              settles: after so long the queue is below 50 ms for a second; flows: which are
 *              heard in it, from 0
 *   flows      controller, direction; clock: how late its ends run, in words; start, stop, pause, resume; goodput: what came in
 *              time where the flow has a latest delay, else what came; received; lost,
 *              unsent, late; media: the counts of packets that these are made of (offered,
 *              unsent, left, lost, late); marked: of the RTP packets that came, with CE;
 *              delay: mean, p50, p95, p98, p99,
 *              quantiles (21, from least to largest);
 *              frames: of video, of which a packet came; delay: mean, p98, from when it was
 *              made until the last of its packets that came;
 *              repair: of the packets that are asked for (RFC 4588), link-lost: RTP packets
 *              of all kinds that links dropped, requests, sent-again, recovered, given-up,
 *              unneeded: copies of what had come, left-out: numbers of the video that were
 *              given to no packet;
 *              rates: kbit/s received in each second of the run; sent: kbit/s in each bin
 *              (0.2 s; of a run of more than an hour whole seconds, and then of rates, too)
 *              from the start of the flow to its end; where the flow has a latest delay,
 *              targets and fec-rates: as rates, of the target, with parity, and of the
 *              parity that left; streams: audio and video
 *              in packets that were made while the flow counts (offered, sent, received,
 *              on-time); breaker: triggered, reason,
 *              loss, rtt, tcp, sent; reports: its
 *              verdicts, [time, loss, rtt, tcp, sent] each, where loss is what RTCP reported;
 *              fec: the fields of fecmetrics.h, of which loss-before-repair and
 *              loss-after-repair are the FBRA paper's and count what came late as lost;
 *              with note-groups, groups: arrival (s), variation, trend, threshold (ms) of
 *              each group of packets that the receiver's GCC has closed
 *   tcp        kind, bitrate; of short ones pages, page-time
 */
#ifndef RCC_WORLD_SUMMARY_H
#define RCC_WORLD_SUMMARY_H

#include "sim/world.h"

typedef struct {
  const char *kind;
  double bps;                           /* of payload */
  uint64_t pages;                       /* 0: not one that fetches pages */
  double page_time;                     /* s, mean */
} RccSummaryTcp;

/* @tcp: of another network; the world's own Renos are told of anyway.  Once for each world:
 * it closes the packet traces. */
void rcc_world_write_summary (const RccWorld *w, const RccSummaryTcp *tcp, size_t n,
    FILE *out);

#endif
