/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * avpf.h - when feedback may be sent (RFC 4585 3.5), for a receiver of media that talks
 * to one sender
 *
 * Regular reports come every T_rr = max (interval, what the bandwidth pays for one); an
 * event (a loss) may have one early report between two regular ones, at once
 * (T_dither_max is 0 point-to-point), and costs the next regular one.  Together they never
 * take more than the share of what was received, and one compound.
 *
 * Departs from it: the session bandwidth is what was received in the last second, as
 * nobody tells us another.  T_rr is not randomised (3550 6.3.1 does that so that many
 * receivers do not fall into step, and the sender takes less than half a T_rr for early).
 * No report is made of nothing.
 */
#ifndef RCC_AVPF_H
#define RCC_AVPF_H

#include "core/window.h"

/* Whatever the bandwidth: RFC 3550's minimum interval is never refused. */
#define RCC_AVPF_LONGEST (5 * RCC_SEC)

typedef struct {
  RccTime interval;                     /* T_rr is no less */
  double share;                         /* of the bandwidth received; > 0 */
  bool early;                           /* early reports at all */
} RccAvpfConfig;

typedef struct {
  RccAvpfConfig config;                 /* may be set at any time */
  RccWindow received;
  double average_size;                  /* avg_rtcp_size, with UDP/IP; 0: none sent */
  RccTime tp, tn;                       /* of the last and the next regular report */
  RccTime last;                         /* report of either kind; RCC_NEVER */
  RccTime paid;                         /* what was sent is paid for by then */
  RccTime next;                         /* deadline; RCC_NEVER: nothing to say */
  bool begun, pending, urgent, allow_early;
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
/* Whether one may ride on a compound of the session that goes out now: as above, or when
 * the regular one is no further than a quarter of T_rr, which nobody takes for early. */
bool rcc_avpf_may_append (RccAvpf *a, RccTime now);

/* A report went out.  @size: what it cost: of a compound of our own all of it, UDP/IP not
 * counted (this adds it); of one that was @appended the bytes of the packet alone. */
void rcc_avpf_sent (RccAvpf *a, uint32_t size, bool appended, RccTime now);
/* It was due and there was nothing to send after all. */
void rcc_avpf_nothing (RccAvpf *a, RccTime now);

/* T_rr as things stand. */
RccTime rcc_avpf_t_rr (RccAvpf *a, RccTime now);

#endif
