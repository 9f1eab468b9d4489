/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * rtt.h - round-trip time from SR and RR (RFC 3550 6.4.1)
 *
 * The sender remembers when each of its SRs went by. A report block echoes one (LSR) and says how
 * long it held it (DLSR). That gives a sample without any wall clock. An echo of an SR that never
 * went by is forged. Where no SR has been seen at all, the wall clock alone decides.
 */
#ifndef RCC_RTT_H
#define RCC_RTT_H

#include "core/packet-log.h"

#define RCC_RTT_MAX (60 * RCC_SEC)
/* A DLSR is rounded and counted by another clock. By so much, or by a thousandth of itself, it
 * may exceed the age of its SR. Then the sample is 0. */
#define RCC_RTT_TOLERANCE (20 * RCC_MSEC)

typedef RccLog RccSrLog;                /* SRs of several sources, for RCC_RTT_MAX */

typedef struct {                        /* of one source */
  uint32_t source;                      /* under which they are in the log */
  uint32_t first;                       /* the first of them: middle 32 bits of its NTP time */
  uint64_t n;                           /* seen, ever */
  bool echoed;                          /* one of them gave a sample */
} RccSrs;

typedef struct {
  RccTime last, smoothed, min;          /* RCC_NEVER: no sample yet */
  uint64_t samples, refused;
} RccRtt;

typedef enum {
  RCC_ECHO_NONE,                        /* LSR 0: no SR received yet */
  RCC_ECHO_SAMPLE,
  RCC_ECHO_UNKNOWN,                     /* of an SR that left before any was seen or is
                                         * forgotten, or absurd by the wall clock: proves
                                         * nothing */
  RCC_ECHO_FORGED,                      /* of an SR that never was, held for longer than
                                         * it exists, or away for more than RCC_RTT_MAX */
} RccEcho;

void rcc_sr_log_init (RccSrLog *log, RccResize resize);

void rcc_srs_init (RccSrs *srs, uint32_t source);
void rcc_srs_sent (RccSrLog *log, RccSrs *srs, uint32_t ntp_middle, RccTime now);
/* When the SR with that LSR left; RCC_NEVER: not among those remembered. */
RccTime rcc_srs_find (const RccSrLog *log, const RccSrs *srs, uint32_t lsr);

void rcc_rtt_init (RccRtt *r);

/* @at: when the SR left, RCC_NEVER if that is not known. @ntp_middle: middle 32 bits of the NTP
 * time now, used only while no SR has been seen to leave; 0: unknown. By default rtpbin's SRs
 * carry the system's NTP time. Changes nothing; @sample is RCC_NEVER for all but
 * RCC_ECHO_SAMPLE. */
RccEcho rcc_rtt_judge (const RccSrLog *log, const RccSrs *srs, RccTime at, uint32_t lsr,
    uint32_t dlsr, uint32_t ntp_middle, RccTime now, RccTime *sample);
/* What was judged so is believed, or counted as refused. */
void rcc_rtt_take (RccRtt *r, RccSrs *srs, RccEcho echo, RccTime sample);

#endif
