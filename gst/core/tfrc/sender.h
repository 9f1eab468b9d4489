/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * tfrc/sender.h - the data sender of RFC 5348 section 4: the allowed sending rate X
 *
 * Rates here are bytes per second of what s counts.  RFC 5348 3.1: s is without IP and
 * transport headers; over RTP that is the RTP packet, its header included.  TFRC-SP
 * (RFC 4828: small packets, s as if they were large) is not done.
 */
#ifndef RCC_TFRC_SENDER_H
#define RCC_TFRC_SENDER_H

#include "core/settings.h"
#include "core/tfrc/receiver.h"

#define RCC_TFRC_RECV_SET 3             /* 8.2.2 */

typedef enum {
  RCC_TFRC_RFC5348,
  RCC_TFRC_RFC3448,                     /* X = max (min (X_calc, 2 X_recv), s/t_mbi) */
} RccTfrcForm;

typedef struct {
  RccTfrcForm form;
  uint32_t packet_size;                 /* s, bytes; 0: the mean of what is sent (4.1) */
  uint32_t mss;                         /* bytes, for the initial window (4.2) */
  bool damping;                         /* 4.5 */
  bool discounting;                     /* 5.5, at the receiver */
  bool faster_restart;                  /* after idle: see sender.c */
} RccTfrcConfig;

/* What RFC 5348 recommends. */
static inline RccTfrcConfig
rcc_tfrc_config (void)
{
  return (RccTfrcConfig) { .form = RCC_TFRC_RFC5348, .mss = 1200, .damping = true,
    .discounting = true };
}

extern const RccSetting rcc_tfrc_settings[];

typedef struct {
  RccTfrcConfig config;
  double packet_size;                   /* s */
  double x, x_inst;                     /* allowed; and damped (4.5) */
  double x_bps;                         /* X_Bps, the equation; +inf while p is 0 */
  double p;
  double rtt;                           /* R, s; 0: no sample yet */
  double sqmean;                        /* R_sqmean, s^0.5 */
  struct {
    double rate;                        /* +inf at first */
    RccTime at;
  } recv_set[RCC_TFRC_RECV_SET];        /* X_recv_set, newest first; never empty */
  unsigned n_recv;
  RccTime doubled;                      /* tld */
  RccTime timer;                        /* the nofeedback timer; RCC_NEVER: not armed */
  RccTime least_timeout;                /* it waits this long at least; 0: as RFC 5348 */
  bool idle;                            /* nothing sent since it was set */
  RccTime last_sent;
  RccTime not_limited1, not_limited2, t_new, t_next;    /* 8.2.1 */
  double credit;                        /* bytes that may go now */
  RccTime credit_at;
  double fast_max;                      /* bytes/s, of faster restart; 0: no memory */
  RccTime fast_at;
  bool data_limited;                    /* the interval that feedback last covered */
  const char *state;                    /* what set X: static text */
  uint64_t timeouts;
} RccTfrcSender;

/* @start: bytes/s until there is a round-trip time; 0: RFC 5348's one packet a second. */
void rcc_tfrc_sender_init (RccTfrcSender *s, const RccTfrcConfig *config, double start);

/* A packet left; arms the nofeedback timer. */
void rcc_tfrc_sender_sent (RccTfrcSender *s, uint32_t size, RccTime now);

/* 4.3 */
void rcc_tfrc_sender_feedback (RccTfrcSender *s, const RccTfrcFeedback *feedback,
    RccTime now);

/* 4.4, at s->timer; called early it does nothing. */
void rcc_tfrc_sender_expired (RccTfrcSender *s, RccTime now);

/* W_init/R (4.2); RFC 3448: two packets per R.  0 without R. */
double rcc_tfrc_sender_initial_rate (const RccTfrcSender *s);

#endif
