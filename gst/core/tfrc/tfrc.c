/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * RFC 5348 over RTP.  How it departs from the RFC, beyond what the parts say:
 *  - Feedback is RTCP's, and comes when RTCP lets it. One feedback of section 6 is made per RTCP
 *    message at most, already when half of R has passed. Messages that come every R or so would
 *    else miss the timer every other time; 6 allows several per R. The nofeedback timer waits for
 *    two of the longest recent intervals.
 *  - Packets that no feedback speaks of (it was lost itself) are left out of the loss intervals
 *    rather than taken for lost. Section 7 asks for reliable feedback.
 *  - t_delay is not told. R_sample is the newest arrival's way there, arrived - sent, and the
 *    least way back of late, now - arrived. The offset of the clocks cancels. How long the
 *    receiver kept its message drops out, and so does its queueing on the way back, which TCP
 *    would see. What never drops out, receiver reports (LSR, DLSR) show. They come seldom: a queue
 *    that drains meanwhile looks like the receiver's part. What is left is no less than the
 *    shortest round trip that they told of.
 *  - Where only receiver reports come, p is the smoothed fraction of packets lost and not of
 *    events. X_recv comes from their counters, and all of that every few seconds. That is
 *    TFRC-like, and told apart as loss-source "report".
 *  - ECN marks count where reports tell of them; RccPacket has none.
 */
#include "core/tfrc/tfrc.h"

#include <math.h>

#include "core/rtt.h"

#define REPORT_MEMORY 0.75              /* of p, per report; ours */
#define HELD_MEMORY 0.875               /* of the receiver's delay, per report; ours */
#define FEEDBACK_STALE (5 * RCC_SEC)    /* reports step in after so long */
#define INTERVAL_MEMORY 0.75            /* per feedback */
#define INTERVAL_MAX_FEEDBACK RCC_SEC   /* longer: an idle sender */
#define INTERVAL_MAX_REPORT (7500 * RCC_MSEC)   /* 1.5 times RFC 3550's 5 s */
#define INTERVALS 2                     /* without feedback: the nofeedback timer */
#define STREAM_KEEP (20 * RCC_SEC)

const RccField rcc_tfrc_fields[] = {
  RCC_FIELD (RccTfrc, target_bps, "target-bitrate", RCC_U32, "bit/s"),
  RCC_FIELD (RccTfrc, pacing_bps, "pacing-bitrate", RCC_U32, "bit/s"),
  RCC_FIELD (RccTfrc, x_bps, "x-bitrate", RCC_U32, "bit/s"),
  RCC_FIELD (RccTfrc, equation_bps, "equation-bitrate", RCC_U32, "bit/s"),
  RCC_FIELD (RccTfrc, x_recv_bps, "x-recv-bitrate", RCC_U32, "bit/s"),
  RCC_FIELD (RccTfrc, remb_bps, "remb-bitrate", RCC_U32, "bit/s"),
  RCC_FIELD (RccTfrc, rate.p, "loss-event-rate", RCC_DOUBLE, ""),
  RCC_FIELD (RccTfrc, rtt, "rtt", RCC_TIME, "ns"),
  RCC_FIELD (RccTfrc, rate.packet_size, "packet-size", RCC_DOUBLE, "B"),
  RCC_FIELD (RccTfrc, loss_source, "loss-source", RCC_STRING, ""),
  RCC_FIELD (RccTfrc, rate.state, "state", RCC_STRING, ""),
  RCC_FIELD (RccTfrc, rate.data_limited, "data-limited", RCC_BOOL, ""),
  RCC_FIELD (RccTfrc, receiver.loss.events, "loss-event-count", RCC_U64, ""),
  RCC_FIELD (RccTfrc, receiver.loss.lost, "lost-count", RCC_U64, ""),
  RCC_FIELD (RccTfrc, feedbacks, "feedback-count", RCC_U64, ""),
  RCC_FIELD (RccTfrc, reports, "report-count", RCC_U64, ""),
  RCC_FIELD (RccTfrc, rembs, "remb-count", RCC_U64, ""),
  RCC_FIELD (RccTfrc, rate.timeouts, "feedback-timeout-count", RCC_U64, ""),
  RCC_FIELDS_END,
};

static uint32_t
to_bps (double bytes_per_s)
{
  const double bps = 8.0 * bytes_per_s;

  return bps >= UINT32_MAX ? UINT32_MAX : bps > 0 ? (uint32_t) bps : 0;
}

static uint32_t
limited (const RccTfrc *t, double bytes_per_s)
{
  const uint32_t bps = RCC_MIN (to_bps (bytes_per_s), t->remb_bps);

  return RCC_MAX (RCC_MIN (bps, t->limits.max_bps), t->limits.min_bps);
}

static RccUpdate
retarget (RccTfrc *t, const char *reason)
{
  RccUpdate u = { .reason = reason };
  const uint32_t target = t->target_bps, pacing = t->pacing_bps;

  t->target_bps = limited (t, t->rate.x);
  t->pacing_bps = limited (t, t->rate.x_inst);
  t->x_bps = to_bps (t->rate.x);
  t->equation_bps = to_bps (t->rate.x_bps);
  t->rtt = t->rate.rtt > 0 ? (RccTime) (1e9 * t->rate.rtt) : RCC_NEVER;
  if (t->target_bps != target)
    u.changed |= RCC_TARGET;
  if (t->pacing_bps != pacing)
    u.changed |= RCC_PACING;
  u.target_bps = t->target_bps;
  u.pacing_bps = t->pacing_bps;
  return u;
}

/* How often anything is heard at all decides how long to wait for it. */
static void
heard (RccTfrc *t, RccTime longest, RccTime now)
{
  if (now > t->heard)
    t->interval = RCC_MAX (RCC_MIN (now - t->heard, longest),
        (RccTime) (INTERVAL_MEMORY * (double) t->interval));
  t->heard = now;
  t->rate.least_timeout = INTERVALS * t->interval;
}

static RccUpdate
on_config (RccSender *sender, const RccConfig *config, RccTime now)
{
  RccTfrc *t = (RccTfrc *) sender;

  (void) now;
  t->limits = *config;
  return retarget (t, "limits changed");
}

static RccUpdate
on_sent (RccSender *sender, const RccPacket *packet)
{
  RccTfrc *t = (RccTfrc *) sender;

  rcc_tfrc_sender_sent (&t->rate, packet->size, packet->sent);
  return (RccUpdate) { 0 };
}

/* When it arrived, or would have where it came and nobody says when; RCC_NEVER: lost. */
static RccTime
arrival (const RccTfrc *t, const RccPacket *p)
{
  if (p->arrived != RCC_NEVER || !rcc_packet_received (p))
    return p->arrived;
  return t->ahead < 0 && p->sent < (RccTime) -t->ahead ? 0 : p->sent + (RccTime) t->ahead;
}

/* The number of a packet that feedback tells of; a late one keeps that it was lost by. */
static int64_t
number (RccTfrc *t, const RccPacket *p)
{
  const bool arrived = rcc_packet_received (p);
  unsigned slot;

  if (arrived && p->sent <= t->newest_sent)
    for (unsigned i = 0; i < RCC_TFRC_LATE; i++)
      if (t->lost[i].number > 0 && t->lost[i].seq == p->seq
          && t->lost[i].ssrc == p->ssrc) {
        const int64_t n = t->lost[i].number;

        t->lost[i].number = 0;
        return n;
      }
  t->reported++;
  t->newest_sent = RCC_MAX (t->newest_sent, p->sent);
  if (!arrived) {
    slot = t->n_lost++ % RCC_TFRC_LATE;
    t->lost[slot].ssrc = p->ssrc;
    t->lost[slot].seq = p->seq;
    t->lost[slot].number = t->reported;
  }
  return t->reported;
}

/* R_sample of the newest arrival; 0: nothing arrived.  At most half of now - sent is
 * taken for the receiver's part, whatever its clock does. */
static RccTime
round_trip (RccTfrc *t, const RccPacket *packets, size_t n, RccTime now)
{
  const RccPacket *newest = NULL;
  RccTime whole;
  int64_t back, least;

  for (size_t i = 0; i < n; i++)
    if (rcc_packet_received (&packets[i])
        && (!newest || arrival (t, &packets[i]) >= arrival (t, newest)))
      newest = &packets[i];
  if (!newest)
    return 0;
  whole = RCC_CLAMP (now - RCC_MIN (newest->sent, now), 1, RCC_RTT_MAX);
  back = (int64_t) RCC_MIN (now, RCC_TFRC_TIME_MAX)
      - (int64_t) RCC_MIN (arrival (t, newest), RCC_TFRC_TIME_MAX);
  t->back[t->n_back++ % RCC_TFRC_BACKS] = back;
  least = back;
  for (unsigned i = 0; i < RCC_MIN (t->n_back, RCC_TFRC_BACKS); i++)
    least = RCC_MIN (least, t->back[i]);
  return whole - RCC_MIN ((RccTime) (back - least), whole / 2);
}

/* Everything in one message, and whether the receiver would answer.  The first one has
 * no R yet: its own sample is the best there is. */
static bool
take_packets (RccTfrc *t, const RccPacket *packets, size_t n, RccTime now)
{
  const RccTime rtt = t->rate.rtt > 0 ? (RccTime) (1e9 * t->rate.rtt) : t->sample;
  bool answer = false;

  for (size_t i = 0; i < n; i++) {
    const RccPacket *p = &packets[i];
    const int64_t seq = number (t, p);

    if (p->arrived != RCC_NEVER)
      t->ahead = (int64_t) RCC_MIN (p->arrived, RCC_TFRC_TIME_MAX)
          - (int64_t) RCC_MIN (p->sent, RCC_TFRC_TIME_MAX);
    if (rcc_packet_received (p))
      answer |= rcc_tfrc_receiver_data (&t->receiver, &(RccTfrcData) {
        .seq = seq, .size = p->size, .sent = RCC_MIN (p->sent, now),
        .arrived = arrival (t, p), .rtt = rtt,
      });
  }
  return answer
      || t->receiver.last.arrived + t->receiver.last.rtt / 2 >= t->receiver.due;
}

/* What of R_sample is the receiver's all the same. */
static RccTime
known_held (const RccTfrc *t)
{
  const RccTime at_most = RCC_MIN (t->sample / 2, t->sample - RCC_MIN (t->sample, t->rtt_least));

  return t->held > 0 ? RCC_MIN ((RccTime) t->held, at_most) : 0;
}

static RccUpdate
on_feedback (RccSender *sender, const RccPacket *packets, size_t n, RccTime now)
{
  RccTfrc *t = (RccTfrc *) sender;
  const RccTime sample = round_trip (t, packets, n, now);
  RccTfrcFeedback feedback;
  RccTime age;

  if (n == 0)
    return (RccUpdate) { 0 };
  t->feedbacks++;
  t->loss_source = "feedback";
  t->feedback_heard = now;
  heard (t, INTERVAL_MAX_FEEDBACK, now);
  if (sample > 0)
    t->sample = sample;
  if (!take_packets (t, packets, n, now)
      || !rcc_tfrc_receiver_feedback (&t->receiver, t->receiver.last.arrived, &feedback))
    return (RccUpdate) { 0 };
  age = now - RCC_MIN (feedback.recvdata, now);
  feedback.delay = age - RCC_MIN (age, t->sample - known_held (t));
  rcc_tfrc_sender_feedback (&t->rate, &feedback, now);
  t->x_recv_bps = to_bps (feedback.x_recv);
  return retarget (t, t->rate.state);
}

static RccTfrcStream *
find_stream (RccTfrc *t, const RccReport *report)
{
  RccTfrcStream *oldest = &t->streams[0];

  for (unsigned i = 0; i < RCC_TFRC_STREAMS; i++) {
    RccTfrcStream *s = &t->streams[i];

    if (s->at != RCC_NEVER && s->ssrc == report->ssrc && s->reporter == report->reporter)
      return s;
    if (s->at == RCC_NEVER || (oldest->at != RCC_NEVER && s->at < oldest->at))
      oldest = s;
  }
  *oldest = (RccTfrcStream) { .ssrc = report->ssrc, .reporter = report->reporter,
    .at = RCC_NEVER };
  return oldest;
}

static double
report_loss (const RccReport *report)
{
  const double lost = report->fraction_lost > 0 ? RCC_MIN (report->fraction_lost, 1.0) : 0.0;
  const double marked = report->expected > 0
      ? (double) report->ce / (double) report->expected : 0.0;

  return RCC_MIN (lost + marked, 1.0);
}

/* Returns how long the report covers; 0: it is the stream's first. */
static RccTime
take_report (RccTfrc *t, RccTfrcStream *s, const RccReport *report, RccTime now)
{
  const double loss = report_loss (report);
  RccTime span = 0;

  if (now > s->at) {
    const double expected = (double) report->highest_seq - (double) s->highest;
    const double lost = (double) report->lost - (double) s->lost;

    span = now - s->at;
    s->x_recv = RCC_CLAMP (expected - lost, 0.0, 1e9) * t->rate.packet_size * 1e9
        / (double) span;
    s->p = REPORT_MEMORY * s->p + (1.0 - REPORT_MEMORY) * loss;
  } else {
    s->p = loss;
  }
  s->highest = report->highest_seq;
  s->lost = report->lost;
  s->at = now;
  return span;
}

/* A report's round trip has nothing of the receiver's in it. */
static void
learn_held (RccTfrc *t, RccTime rtt)
{
  const double held = (double) t->sample - (double) rtt;

  if (t->sample == 0)
    return;
  t->rtt_least = t->held_known ? RCC_MIN (t->rtt_least, rtt) : rtt;
  t->held = t->held_known ? HELD_MEMORY * t->held + (1.0 - HELD_MEMORY) * held : held;
  t->held_known = true;
}

static RccUpdate
on_report (RccSender *sender, const RccReport *report, RccTime now)
{
  RccTfrc *t = (RccTfrc *) sender;
  const bool stands_in = t->feedback_heard == RCC_NEVER
      || now > t->feedback_heard + FEEDBACK_STALE;
  RccTfrcStream *s = find_stream (t, report);
  const RccTime rtt = report->rtt != RCC_NEVER ? RCC_MIN (report->rtt, RCC_RTT_MAX)
      : (RccTime) (1e9 * t->rate.rtt);
  RccTfrcFeedback feedback = { .recvdata = now - RCC_MIN (rtt, now) };

  t->reports++;
  feedback.span = take_report (t, s, report, now);
  if (!stands_in) {
    if (report->rtt != RCC_NEVER)
      learn_held (t, rtt);
    return (RccUpdate) { 0 };
  }
  heard (t, INTERVAL_MAX_REPORT, now);
  t->loss_source = "report";
  if (rtt == 0)
    return (RccUpdate) { 0 };
  for (unsigned i = 0; i < RCC_TFRC_STREAMS; i++)
    if (t->streams[i].at != RCC_NEVER && now < t->streams[i].at + STREAM_KEEP) {
      feedback.x_recv += t->streams[i].x_recv;
      feedback.p = RCC_MAX (feedback.p, t->streams[i].p);
    }
  feedback.new_loss = report_loss (report) > 0;
  rcc_tfrc_sender_feedback (&t->rate, &feedback, now);
  t->x_recv_bps = to_bps (feedback.x_recv);
  return retarget (t, t->rate.state);
}

static RccUpdate
on_remb (RccSender *sender, uint32_t bps, RccTime now)
{
  RccTfrc *t = (RccTfrc *) sender;

  (void) now;
  t->rembs++;
  t->remb_bps = bps;
  return retarget (t, "REMB");
}

static RccUpdate
on_deadline (RccSender *sender, RccTime now)
{
  RccTfrc *t = (RccTfrc *) sender;

  if (now < t->rate.timer)
    return (RccUpdate) { 0 };
  rcc_tfrc_sender_expired (&t->rate, now);
  return retarget (t, t->rate.state);
}

static RccTime
deadline (const RccSender *sender)
{
  return ((const RccTfrc *) sender)->rate.timer;
}

static const RccSenderOps ops = {
  .name = "tfrc",
  .on_config = on_config, .on_sent = on_sent, .on_report = on_report,
  .on_feedback = on_feedback, .on_remb = on_remb,
  .on_deadline = on_deadline, .deadline = deadline,
};

void
rcc_tfrc_init (RccTfrc *t, const RccTfrcConfig *config, const RccConfig *limits)
{
  *t = (RccTfrc) {
    .sender = { &ops }, .limits = *limits, .remb_bps = UINT32_MAX, .heard = RCC_NEVER,
    .feedback_heard = RCC_NEVER, .loss_source = "none",
  };
  for (unsigned i = 0; i < RCC_TFRC_STREAMS; i++)
    t->streams[i].at = RCC_NEVER;
  rcc_tfrc_sender_init (&t->rate, config, limits->start_bps / 8.0);
  rcc_tfrc_receiver_init (&t->receiver, config->discounting);
  retarget (t, "start");
}
