/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * feedback.h - what a sender knows of its packets until feedback has told of them
 *
 * It remembers what was sent, by RTP and by transport-wide number, and what reports have said.
 * The RTCP that comes in is read by feedback-rtcp.h. What speaks of streams or packets that never
 * were is counted and ignored. No state is ever made for an SSRC that RTCP names, but for the few
 * whose RRTR is owed an answer.
 */
#ifndef RCC_WIRE_FEEDBACK_H
#define RCC_WIRE_FEEDBACK_H

#include "core/history.h"
#include "core/stats.h"
#include "core/window.h"
#include "wire/reports.h"
#include "wire/xr-clock.h"

#define RCC_FEEDBACK_RRTRS 4            /* receivers whose RRTR is kept to be answered */

typedef struct {
  RccReports reports;                   /* its counters are those of all RTCP */
  RccHistory history;
  RccWindow packet_rate;                /* "bytes" are packets */
  RccUnwrap reference, timestamp;       /* TWCC 64 ms steps; RFC 8888 NTP short */
  struct {                              /* the arrivals', over all who tell of them */
    bool known, joined;                 /* @ahead is; so is the shift of who tells now */
    int64_t ahead;                      /* arrived - sent of what was told last, ns */
    int64_t shift;
    RccTime reported;                   /* what was told last, by the reporter's own clock */
  } clock;
  uint32_t *news;                       /* places in the history: of the message under way */
  RccPacket *outcomes;                  /* what is told of those */
  size_t n_news, news_room;
  struct {                              /* the limit in force, RFC 5104 4.2.2 */
    bool pending;                       /* its TMMBN is owed */
    uint32_t owner;                     /* who asked for it */
    uint64_t bps;
    uint16_t overhead;
  } limit;
  struct {
    RccXrClock clock;                   /* of receipt times, stream by stream as above */
    struct {
      uint32_t ssrc, lrr;
      RccTime at;
    } rrtrs[RCC_FEEDBACK_RRTRS];        /* those not answered yet, oldest first */
    unsigned n_rrtrs;
  } xr;
  uint64_t limit_bps;                   /* as last told; UINT64_MAX: none */
  uint64_t unknown_packets;
} RccFeedback;

extern const RccField rcc_feedback_fields[];     /* beside rcc_reports_fields */

void rcc_feedback_init (RccFeedback *f, RccResize resize);
/* Gives its memory back. */
void rcc_feedback_clear (RccFeedback *f);
/* As new; the memory stays. */
void rcc_feedback_reset (RccFeedback *f);

/* A packet left.  @twcc is its transport-wide number, -1 where it has none.  Of @sent count
 * size, probe, flags and the time.  Returns its RTP number, unwrapped. */
int64_t rcc_feedback_sent (RccFeedback *f, const RccRtp *rtp, int twcc, const RccPacket *sent);
/* The transport-wide numbers given so far are not those on the wire. */
void rcc_feedback_forget_transport (RccFeedback *f);
/* A packet with a number was dropped before it left. */
void rcc_feedback_unsent (RccFeedback *f, const RccRtp *rtp, RccTime now);
void rcc_feedback_clock_rate (RccFeedback *f, uint32_t ssrc, uint32_t clock_rate);

/* A compound of ours goes out: its SRs are remembered. */
void rcc_feedback_rtcp_sent (RccFeedback *f, RccBytes compound, RccTime now);

/* The packet that left with number @seq of stream @ssrc; NULL: none did, or it is forgotten. */
const RccSentPacket *rcc_feedback_find (RccFeedback *f, uint32_t ssrc, uint16_t seq);

#endif
