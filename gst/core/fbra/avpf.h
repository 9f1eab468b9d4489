/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fbra/avpf.h - when feedback may be sent (RFC 4585 3.5), for a receiver of media that talks
 * to one sender
 *
 * Regular reports come every T_rr, or less often where the bandwidth does not pay for them. An
 * event (a loss) may have one early report between two regular ones, at once (T_dither_max is 0
 * point-to-point). That costs the next regular one. Together they never take more than the share
 * of what was received, and one compound.
 *
 * Departs from it: the session bandwidth is what is received, as nobody tells us another. It is
 * counted in bytes, not reckoned from a rate. Each packet adds its share to a budget, which holds
 * one report of average size at most. A regular report waits until the budget is full, an early
 * one only until there is no debt. T_rr is not randomised. RFC 3550 6.3.1 does that so that many
 * receivers do not fall into step. The sender takes less than half a T_rr for early. No report is
 * made of nothing.
 */
#ifndef RCC_AVPF_H
#define RCC_AVPF_H

#include "core/rcc.h"

/* Whatever the bandwidth: RFC 3550's minimum interval is not refused. */
#define RCC_AVPF_LONGEST (5 * RCC_SEC)

typedef struct {
  RccTime interval;                     /* T_rr */
  double share;                         /* of the bytes received; > 0 */
  bool early;                           /* early reports at all */
} RccAvpfConfig;

typedef struct {
  RccAvpfConfig config;                 /* may be set at any time */
  double average_size;                  /* avg_rtcp_size, with UDP/IP */
  double budget;                        /* bytes, up to average_size; < 0: debt */
  double earned;                        /* bytes, since the last report */
  RccTime tp, tn;                       /* of the last and the next regular report */
  RccTime last;                         /* report of either kind, or the first packet */
  RccTime next;                         /* deadline; RCC_NEVER: nothing to say */
  bool begun, pending, urgent, allow_early;
  bool poor;                            /* next waits for the budget */
  uint64_t regular, early, appended;    /* reports sent */
} RccAvpf;

void rcc_avpf_init (RccAvpf *a, const RccAvpfConfig *config);

/* An RTP packet of @size bytes came: there is something to report. */
void rcc_avpf_packet (RccAvpf *a, uint32_t size, RccTime now);
/* ... that the sender should know soon. */
void rcc_avpf_event (RccAvpf *a, RccTime now);
/* There is more to say than the report that was just sent had room for. */
void rcc_avpf_more (RccAvpf *a, RccTime now);

/* When to ask rcc_avpf_due(); RCC_NEVER: nothing to say. */
static inline RccTime
rcc_avpf_deadline (const RccAvpf *a)
{
  return a->next;
}

/* Whether a report may be sent in a compound of its own.  Where it may not, the deadline
 * has moved. */
bool rcc_avpf_due (RccAvpf *a, RccTime now);
/* Whether one may be appended to a compound of the session that goes out now. It may as above, or
 * when three quarters of T_rr and of the budget are there. Nobody takes that for early. */
bool rcc_avpf_may_append (RccAvpf *a, RccTime now);

/* Bytes that a compound may have, UDP/IP not counted, without putting off the next one. That is
 * as much as was added since the last. */
uint32_t rcc_avpf_budget (const RccAvpf *a);

/* A report went out. @size is what it cost. Of a compound of our own that is all of it, UDP/IP
 * not counted (this adds it). Of one that was @appended it is the bytes of the packet alone. */
void rcc_avpf_sent (RccAvpf *a, uint32_t size, bool appended, RccTime now);
/* It was due and there was nothing to send after all. */
void rcc_avpf_nothing (RccAvpf *a, RccTime now);

#endif
