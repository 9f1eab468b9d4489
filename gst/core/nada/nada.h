/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * nada/nada.h - Network-Assisted Dynamic Adaptation, RFC 8698: its sender and its receiver,
 * both here
 *
 * The sender-based variant (6.4): feedback per packet (RFC 8888, transport-wide) says what
 * arrived when, and 4.2 and 5.1 are run on that.  Answers RCC_TARGET (r_vin) and RCC_PACING
 * (r_send), in bit/s of RTP packets, video and audio together.
 *
 * Where the document is open, it is read as follows (docs/nada.md has the reasons):
 *  1. A report is what feedback says in about DELTA: the one that comes nearest to DELTA after
 *     the last.  (10) is done once a report.
 *  2. The rate begins at RccConfig.start_bps, not at RMIN.  RMIN and RMAX are the limits of
 *     RccConfig, but r_ref is never below 1000 bit/s, from where nothing would grow.
 *  3. The base delay is the least of ten minutes, as in RFC 6817.  A drift of the clocks is not
 *     taken out.
 *  4. A packet that feedback calls lost is lost, also when it comes later; one that came is
 *     none, whatever it has overtaken.
 *  5. One that came and of which nobody says when counts as received, without a delay.
 *  6. The ramp-up ends by single samples, not by filtered ones ("all previous delay samples").
 *     A mark within LOGWIN ends it, too: 4 has it only while the signal is 0.
 *  7. The delay is warped for loss_exp packets after the last one lost, then less and less for
 *     loss_int packets.
 *  8. x_curr is at most 500 ms, as in the authors' code.  The document has 15 bits of 100 us for
 *     it (5.3), 3.2767 s.  Up there (7) would follow p_loss as it fades, from RMIN to RMAX.
 *  9. delta in (7) is at most TAU, the largest that the loop is made for.
 * 10. rtt is that of the last report (LSR, DLSR), or else the least from departure to feedback
 *     in the newest feedback.
 * 11. Without feedback for two seconds the rate is halved, and again each two seconds.  The
 *     document says nothing.
 * 12. What the receiver asks for (REMB, TMMBR) bounds both rates, but is not RMAX.
 */
#ifndef RCC_NADA_H
#define RCC_NADA_H

#include "core/nada/delay.h"
#include "core/nada/equations.h"
#include "core/nada/intervals.h"
#include "core/nada/window.h"
#include "core/stats.h"

#define RCC_NADA_LATE 64                /* lost packets that may still come */

typedef struct {
  RccSender sender;                     /* first: the family's handle */
  RccNadaConfig config;
  RccConfig limits;
  RccNadaDelay delay;
  RccNadaWindow window;
  RccNadaIntervals intervals;
  struct {
    uint32_t ssrc;
    bool used;
    int64_t seq;                        /* feedback's numbering */
  } lost[RCC_NADA_LATE];
  unsigned n_lost;                      /* ever: the ring's next */
  double r_ref, r_recv;
  double x_curr;                        /* ns */
  double p_loss, p_mark;
  RccTime heard;                        /* the last feedback; RCC_NEVER */
  RccTime reported;                     /* t_last; RCC_NEVER: nothing was sent yet */
  RccTime silence;                      /* when it will have lasted too long; RCC_NEVER */
  bool echoed;                          /* rtt is that of reports */
  uint32_t remb_bps;                    /* UINT32_MAX: none */
  /* state, for stats */
  uint32_t target_bps, pacing_bps, r_ref_bps, r_recv_bps;
  RccTime rtt;                          /* RCC_NEVER: unknown */
  RccTime d_queue, x;                   /* x_curr */
  double loss_interval, warped;
  const char *state;                    /* "start", "ramp-up", "gradual", "silence" */
  uint64_t feedbacks, reports, silences;
} RccNada;

extern const RccField rcc_nada_fields[];

void rcc_nada_init (RccNada *n, const RccNadaConfig *config, const RccConfig *limits);

#endif
