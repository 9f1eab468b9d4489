/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * An RccTfrcSender that is told rounds of feedback.
 */
#ifndef TEST_TFRC_SENDER_RIG_H
#define TEST_TFRC_SENDER_RIG_H

#include <math.h>
#include <glib.h>
#include "core/rng.h"
#include "core/tcpeq.h"
#include "core/tfrc/sender.h"

#define NEAR(a, b) g_assert_cmpfloat_with_epsilon ((a), (b), 1e-6 * fabs (b) + 1e-9)
#define MS(n) ((n) * RCC_MSEC)
#define SIZE 1000.0
#define R 100                           /* ms: W_init/R is 4000 B / 0.1 s */
#define INITIAL 40000.0

static RccTfrcSender s;
static RccTfrcConfig config;
static RccTime now;                     /* the last event */

static inline void
start (void)
{
  config = rcc_tfrc_config ();
  config.packet_size = config.mss = (guint) SIZE;
  rcc_tfrc_sender_init (&s, &config, 0.0);
  now = 10 * RCC_SEC;
}

/* Feedback now, one round-trip time after what it tells of was sent. */
static inline void
feedback_rtt (double x_recv, double p, gboolean new_loss, guint rtt_ms)
{
  rcc_tfrc_sender_feedback (&s, &(RccTfrcFeedback) {
    .recvdata = now - MS (rtt_ms), .x_recv = x_recv, .p = p, .span = MS (R),
    .new_loss = new_loss,
  }, now);
}

static inline void
feedback (double x_recv, double p)
{
  feedback_rtt (x_recv, p, FALSE, R);
}

/* Sends @share of what is allowed for so long, in bursts of @burst packets. */
static inline void
send_for (guint ms, double share, guint burst)
{
  const RccTime end = now + MS (ms);
  const RccTime gap = (RccTime) (1e9 * SIZE * burst / (share * s.x_inst));

  for (RccTime t = now + gap; t <= end; t += gap)
    for (guint i = 0; i < burst; i++)
      rcc_tfrc_sender_sent (&s, (guint) SIZE, t);
  now = end;
}

/* One round-trip time at that share of X, then its feedback. */
static inline void
round_of (double share, double x_recv, double p)
{
  send_for (R, share, 1);
  feedback (x_recv, p);
}

/* 4.2, and a round-trip time of full use so that what is in flight is known. */
static inline void
begin (void)
{
  start ();
  rcc_tfrc_sender_sent (&s, (guint) SIZE, now);
  now += MS (R);
  feedback (0.0, 0.0);
  send_for (R, 1.0, 1);
}

/* Congestion avoidance with X_recv_set = { @x_recv } */
static inline void
avoid (double x_recv, double p)
{
  begin ();
  for (guint i = 0; i < 4; i++)
    round_of (1.0, x_recv, p);
}

static inline double
equation (double p)
{
  const RccTcpPath path = { .packet_size = SIZE, .rtt = MS (R) };

  return rcc_tcp_throughput (RCC_TCP_PADHYE, &path, p);
}

static inline void
expire (void)
{
  g_assert_cmpuint (s.timer, !=, RCC_NEVER);
  rcc_tfrc_sender_expired (&s, s.timer - 1);    /* early: nothing */
  now = s.timer;
  rcc_tfrc_sender_expired (&s, now);
  g_assert_cmpuint (s.timer, >, now);
}

#endif
