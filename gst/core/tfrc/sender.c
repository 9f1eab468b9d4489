/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * RFC 5348 section 4 and 8.2, and RFC 3448's rate as the Send Best Packet Next paper
 * (3.3) has it.  Departs from RFC 5348:
 *  - an idle sender at its recover rate has no nofeedback timer. The next packet arms it anew, a
 *    whole timeout ahead (4.4 would expire for ever and do nothing);
 *  - the timer never runs out before s->least_timeout, for a transport whose feedback comes
 *    less often than every R;
 *  - the first feedback sets the initial rate (4.2) and, if it already reports loss, the
 *    equation then limits that at once;
 *  - "as much as it is allowed to send" (8.2.1) is within 5 %. What paces below us rounds, and
 *    keeps no credit for a burst (4.6 allows up to R's worth);
 *  - the interval a feedback covers (8.2.1) is what its X_recv was measured over, where
 *    that is longer than R.
 * RFC 3448's form is what the paper and RFC 5348's sections 5.5, 9 and C tell of it. It has no
 * memory of X_recv, no data-limited rule, and two packets per R at first and after idle. The
 * slow-start floor of s/R is from memory. Faster restart (draft-ietf-dccp-tfrc-faster-restart) is
 * from memory, its constants are ours. After a pause X may quadruple per feedback, and recover at
 * once to twice the initial rate. It goes up to a rate that was received before. That memory
 * halves every FAST_HALF_LIFE, and a loss event cuts it to what is received then.
 */
#include "core/tfrc/sender.h"

#include <math.h>

#include "core/tcpeq.h"

#define T_MBI 64.0                      /* s */
#define Q 0.9                           /* of R, 4.3 */
#define Q2 0.9                          /* of R_sqmean, 4.5 */
#define LIMITED_LOSS 0.85               /* of X_recv, 4.3 */
#define FIRST_TIMER (2 * RCC_SEC)       /* 4.2 */
#define RATE_MAX 1e12
#define PACKET_MAX 65535
#define RTT_LEAST 1e-5                  /* s */
#define RTT_MOST 64.0
#define TIMER_LEAST RCC_MSEC
#define TIMER_MOST 3600.0               /* s; 2 s/X at X = s/t_mbi is 128 */
#define SIZE_MEMORY (1.0 / 128)         /* mean packet size, per packet */
#define FILLED 0.95                     /* of X_inst: as much as is allowed */
#define FAST_HALF_LIFE 60.0             /* s */

static bool
is_3448 (const RccTfrcSender *s)
{
  return s->config.form == RCC_TFRC_RFC3448;
}

static RccTime
ns (double seconds)
{
  return (RccTime) (1e9 * seconds + 0.5);
}

/* s/t_mbi: a packet every 64 s */
static double
floor_rate (const RccTfrcSender *s)
{
  return s->packet_size / T_MBI;
}

static double
recv_max (const RccTfrcSender *s)
{
  double rate = 0.0;

  for (unsigned i = 0; i < s->n_recv; i++)
    rate = RCC_MAX (rate, s->recv_set[i].rate);
  return rate;
}

static void
recv_only (RccTfrcSender *s, double rate, RccTime now)
{
  s->recv_set[0].rate = rate;
  s->recv_set[0].at = now;
  s->n_recv = 1;
}

/* Update X_recv_set() of 4.3, with 8.2.2's limit. */
static void
recv_update (RccTfrcSender *s, double rate, RccTime now)
{
  unsigned n = 1;

  for (unsigned i = RCC_MIN (s->n_recv, RCC_TFRC_RECV_SET - 1); i > 0; i--)
    s->recv_set[i] = s->recv_set[i - 1];
  s->n_recv = RCC_MIN (s->n_recv + 1, RCC_TFRC_RECV_SET);
  s->recv_set[0].rate = rate;
  s->recv_set[0].at = now;
  while (n < s->n_recv && now <= s->recv_set[n].at + ns (2.0 * s->rtt))
    n++;
  s->n_recv = n;
}

/* Maximize X_recv_set() of 4.3 */
static void
recv_maximize (RccTfrcSender *s, double rate, RccTime now)
{
  for (unsigned i = 0; i < s->n_recv; i++)
    if (s->recv_set[i].rate < INFINITY)
      rate = RCC_MAX (rate, s->recv_set[i].rate);
  recv_only (s, rate, now);
}

double
rcc_tfrc_sender_initial_rate (const RccTfrcSender *s)
{
  const double mss = RCC_MAX (s->config.mss, 1);

  if (s->rtt <= 0)
    return 0.0;
  if (is_3448 (s))
    return 2.0 * s->packet_size / s->rtt;
  return RCC_MIN (4.0 * mss, RCC_MAX (2.0 * mss, 4380.0)) / s->rtt;
}

static double
recover_rate (const RccTfrcSender *s)
{
  const double initial = rcc_tfrc_sender_initial_rate (s);

  return RCC_MAX (initial, RCC_MIN (2.0 * initial, s->fast_max));
}

/* 4.3 step 3, 4.4 item 2; two seconds as at first (4.2) while there is no R. */
static void
set_timer (RccTfrcSender *s, RccTime now)
{
  const double wait = RCC_MIN (RCC_MAX (4.0 * s->rtt, 2.0 * s->packet_size / s->x),
      TIMER_MOST);
  const RccTime least = s->rtt > 0 ? TIMER_LEAST : FIRST_TIMER;
  const RccTime span = RCC_MAX (RCC_MAX (ns (wait), least), s->least_timeout);

  s->timer = span < RCC_NEVER - now ? now + span : RCC_NEVER;
  s->idle = true;
}

/* What could go now. A sender below FILLED of its rate saves up to two packets, and so always has
 * leave to send one. One that uses its rate soon has not. */
static void
earn_credit (RccTfrcSender *s, RccTime now)
{
  const double span = now > s->credit_at ? 1e-9 * (double) (now - s->credit_at) : 0.0;

  s->credit = RCC_CLAMP (s->credit + FILLED * s->x_inst * span, 0.0,
      2.0 * s->packet_size);
  s->credit_at = RCC_MAX (now, s->credit_at);
}

/* 4.5 */
static void
damp (RccTfrcSender *s, double sample)
{
  const double root = sqrt (sample);

  s->sqmean = s->sqmean > 0 ? Q2 * s->sqmean + (1.0 - Q2) * root : root;
  s->x_inst = s->x;
  if (s->config.damping)
    s->x_inst = RCC_MAX (s->x * s->sqmean / root, floor_rate (s));
}

static void
fast_decay (RccTfrcSender *s, RccTime now)
{
  if (now > s->fast_at)
    s->fast_max *= exp2 (-1e-9 * (double) (now - s->fast_at) / FAST_HALF_LIFE);
  s->fast_at = RCC_MAX (now, s->fast_at);
}

static void
fast_learn (RccTfrcSender *s, double x_recv, bool new_loss, RccTime now)
{
  if (!s->config.faster_restart)
    return;
  fast_decay (s, now);
  s->fast_max = new_loss ? RCC_MIN (s->fast_max, x_recv) : RCC_MAX (s->fast_max, x_recv);
}

/* How far the receive rate lets X go. */
static double
recv_limit (const RccTfrcSender *s, double factor)
{
  const double rate = recv_max (s);

  return RCC_MAX (factor * rate, RCC_MIN (4.0 * rate, s->fast_max));
}

/* 4.3 step 4, its second half; X_recv_set is up to date. */
static void
set_rate (RccTfrcSender *s, double limit, RccTime now)
{
  const RccTcpPath path = { .packet_size = s->packet_size, .rtt = ns (s->rtt) };
  const double slow_floor = is_3448 (s) ? s->packet_size / s->rtt
      : rcc_tfrc_sender_initial_rate (s);

  s->x_bps = rcc_tcp_throughput (RCC_TCP_PADHYE, &path, s->p);
  if (s->p > 0) {
    s->state = s->x_bps <= limit ? "equation" : "receive-rate";
    s->x = RCC_MAX (RCC_MIN (s->x_bps, limit), floor_rate (s));
  } else if (now >= s->doubled + ns (s->rtt)) {
    const double factor = 2.0 * s->x < s->fast_max ? 4.0 : 2.0;

    s->state = "slow-start";
    s->x = RCC_MAX (RCC_MIN (factor * s->x, limit), slow_floor);
    s->doubled = now;
  }
  s->x = RCC_MIN (s->x, RATE_MAX);
}

/* 8.2.1 */
static bool
was_data_limited (RccTfrcSender *s, const RccTfrcFeedback *feedback, RccTime now)
{
  const RccTime span = RCC_MAX (feedback->span, ns (s->rtt));
  RccTime t_old;
  bool limited;

  s->t_new = RCC_MIN (feedback->recvdata, now);
  t_old = s->t_new > span ? s->t_new - span : 0;
  s->t_next = now;
  limited = !((t_old < s->not_limited1 && s->not_limited1 <= s->t_new)
      || (t_old < s->not_limited2 && s->not_limited2 <= s->t_new));
  if (s->not_limited1 <= s->t_new && s->not_limited2 > s->t_new)
    s->not_limited1 = s->not_limited2;
  return limited && feedback->x_recv > 0;
}

/* 4.3 step 4, its first half: returns recv_limit. */
static double
take_receive_rate (RccTfrcSender *s, double x_recv, bool more_loss, RccTime now)
{
  if (is_3448 (s)) {
    recv_only (s, x_recv, now);
  } else if (s->data_limited && more_loss) {
    for (unsigned i = 0; i < s->n_recv; i++)
      s->recv_set[i].rate *= 0.5;
    recv_maximize (s, LIMITED_LOSS * x_recv, now);
    return recv_limit (s, 1.0);
  } else if (s->data_limited) {
    recv_maximize (s, x_recv, now);
  } else {
    recv_update (s, x_recv, now);
  }
  return recv_limit (s, 2.0);
}

void
rcc_tfrc_sender_feedback (RccTfrcSender *s, const RccTfrcFeedback *feedback, RccTime now)
{
  const RccTime since = RCC_MIN (feedback->recvdata, now);
  const RccTime held = RCC_MIN (feedback->delay, now - since);
  const double sample = RCC_CLAMP (1e-9 * (double) (now - since - held), RTT_LEAST,
      RTT_MOST);
  const double p = RCC_CLAMP (feedback->p, 0.0, 1.0);
  const double x_recv = RCC_CLAMP (feedback->x_recv, 0.0, RATE_MAX);
  const bool first = s->rtt <= 0, more_loss = feedback->new_loss || p > s->p;

  earn_credit (s, now);
  s->rtt = first ? sample : Q * s->rtt + (1.0 - Q) * sample;
  s->data_limited = was_data_limited (s, feedback, now);
  s->p = p;
  fast_learn (s, x_recv, more_loss, now);
  if (first) {                          /* 4.2 */
    s->x = rcc_tfrc_sender_initial_rate (s);
    s->doubled = now;
    s->state = "initial";
    recv_only (s, INFINITY, now);
    if (p > 0)
      set_rate (s, INFINITY, now);
  } else {
    set_rate (s, x_recv > 0 ? take_receive_rate (s, x_recv, more_loss, now)
        : recv_limit (s, 2.0), now);
  }
  damp (s, sample);
  set_timer (s, now);
}

/* Update_Limits() of 4.4 */
static void
update_limits (RccTfrcSender *s, double limit, RccTime now)
{
  recv_only (s, 0.5 * RCC_MAX (limit, floor_rate (s)), now);
  set_rate (s, 2.0 * recv_max (s), now);
}

/* Whether an idle sender's rate is low enough already (4.4).  Without R there is no
 * recover rate, and nothing to take from. */
static bool
recovered (const RccTfrcSender *s)
{
  if (s->rtt <= 0)
    return true;
  return s->p > 0 ? recv_max (s) < recover_rate (s) : s->x < 2.0 * recover_rate (s);
}

void
rcc_tfrc_sender_expired (RccTfrcSender *s, RccTime now)
{
  const double received = recv_max (s), paced = s->x_inst / s->x;

  if (now < s->timer)
    return;
  earn_credit (s, now);
  fast_decay (s, now);
  if (s->idle && recovered (s)) {
    s->timer = RCC_NEVER;
    return;
  }
  s->timeouts++;
  if (s->p <= 0)
    s->x = RCC_MAX (0.5 * s->x, floor_rate (s));
  else if (s->x_bps > 2.0 * received)
    update_limits (s, received, now);
  else
    update_limits (s, 0.5 * s->x_bps, now);
  s->state = "no-feedback";
  s->x_inst = RCC_MAX (s->x * paced, floor_rate (s));
  set_timer (s, now);
}

void
rcc_tfrc_sender_sent (RccTfrcSender *s, uint32_t size, RccTime now)
{
  size = RCC_CLAMP (size, 1, PACKET_MAX);
  if (s->config.packet_size == 0)
    s->packet_size = s->last_sent == RCC_NEVER ? size
        : s->packet_size + SIZE_MEMORY * (size - s->packet_size);
  if (s->last_sent == RCC_NEVER)        /* nothing was saved up before the first */
    s->credit_at = now;
  earn_credit (s, now);
  s->credit = RCC_MAX (s->credit - size, 0.0);
  if (s->credit < s->packet_size) {     /* 8.2.1: all that it is allowed to send */
    if (s->not_limited1 <= s->t_new)
      s->not_limited1 = now;
    else if (s->not_limited2 <= s->t_next)
      s->not_limited2 = now;
  }
  s->last_sent = now;
  if (s->timer == RCC_NEVER)
    set_timer (s, now);
  s->idle = false;
}

void
rcc_tfrc_sender_init (RccTfrcSender *s, const RccTfrcConfig *config, double start)
{
  *s = (RccTfrcSender) {
    .config = *config, .x_bps = INFINITY, .timer = RCC_NEVER, .last_sent = RCC_NEVER,
    .packet_size = config->packet_size ? config->packet_size : RCC_MAX (config->mss, 1),
    .state = "start",
  };
  s->x = s->x_inst = start > 0 ? RCC_MIN (start, RATE_MAX) : s->packet_size;
  recv_only (s, INFINITY, 0);
}
