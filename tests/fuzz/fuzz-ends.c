/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fuzz-ends.c - the same bytes to what stands on the parsers: senders that hear them
 * as RTCP about streams they have sent, and a receiver that gets them as RTP
 *
 * Whatever comes, the target stays within its limits and what the receiver says can
 * be read again.  The ends live for EPOCH inputs, so that state meets state.
 */
#include "fuzz-wire.h"

#include <math.h>

#include "core/gcc/receiver.h"
#include "core/gcc/sender.h"
#include "wire/feedback-rtcp.h"
#include "wire/reporter.h"
#include "wire/sendtime.h"

#define EPOCH 8192

static const RccConfig limits = { 50000, 300000, 5000000 };

/* One that wants nothing but reports, as a circuit breaker does. */
static RccReports reports;

static RccUpdate
on_report (RccSender *s, const RccReport *report, RccTime now)
{
  const RccReportsStream *stream = rcc_reports_find (&reports, report->ssrc);

  MUST (stream && report->highest_seq <= stream->newest);
  MUST (report->fraction_lost >= 0 && report->fraction_lost < 1);
  MUST (report->rtt == RCC_NEVER || report->rtt <= RCC_RTT_MAX);
  MUST (report->ce <= report->expected);
  return (RccUpdate) { 0 };
}

static RccUpdate
on_rtcp (RccSender *s, const RccRtcp *rtcp, RccTime now)
{
  MUST (rtcp->size >= 4 && rtcp->n_blocks <= RCC_RTCP_BLOCKS_MAX);
  MUST (rtcp->n_reporters <= RCC_REPORTS_REPORTERS);
  MUST (rtcp->n_blocks == 0 || rtcp->n_reporters > 0);
  return (RccUpdate) { 0 };
}

static const RccSenderOps watcher_ops = {
  .name = "watcher", .on_report = on_report, .on_rtcp = on_rtcp,
};
static RccSender watcher = { .ops = &watcher_ops };

static struct {
  RccFeedback feedback;
  RccGccSender sender;
  RccReporter reporter;
  RccGccReceiver receiver;
  RccSendClock clock;
  RccTime now;
  unsigned inputs;
} ends;

/* In front of the controller: what it is told can be so. */
static RccUpdate
on_feedback (RccSender *s, const RccPacket *packets, size_t n, RccTime now)
{
  MUST (n > 0 && n <= 128);
  for (size_t i = 0; i < n; i++) {
    const bool timed = packets[i].arrived != RCC_NEVER;

    MUST (packets[i].sent <= now && packets[i].size == 1200);
    MUST (!timed || !(packets[i].flags & RCC_PACKET_RECEIVED));
    MUST ((packets[i].flags & ~(RCC_PACKET_LATE | RCC_PACKET_RECEIVED | RCC_PACKET_CE
                | RCC_PACKET_MISSED)) == 0);
    MUST (!(packets[i].flags & RCC_PACKET_MISSED) || rcc_packet_received (&packets[i]));
    rcc_fuzz_taken[RCC_FUZZ_OUTCOMES] += packets[i].flags != 0;
  }
  return rcc_tell (&ends.sender.sender, on_feedback, packets, n, now);
}

static RccUpdate
on_remb (RccSender *s, uint32_t bps, RccTime now)
{
  return rcc_tell (&ends.sender.sender, on_remb, bps, now);
}

static RccUpdate
on_report_too (RccSender *s, const RccReport *report, RccTime now)
{
  return rcc_tell (&ends.sender.sender, on_report, report, now);
}

static const RccSenderOps listener_ops = {
  .name = "listener", .on_report = on_report_too, .on_feedback = on_feedback,
  .on_remb = on_remb,
};
static RccSender listener = { .ops = &listener_ops };

/* Who asked for a round trip gets an answer that can be read. */
static void
answer (void)
{
  static const uint8_t rr[8] = { 0x80, RCC_RTCP_RR, 0, 1, 0, 0, 0, 1 };
  uint8_t out[100];
  const unsigned asked = ends.feedback.xr.n_rrtrs;
  RccBytes rest = { out, rcc_feedback_dlrr (&ends.feedback, (RccBytes) { rr, sizeof rr },
      ends.now, out, sizeof out) };
  RccRtcpPacket packet;

  MUST (asked <= RCC_FEEDBACK_RRTRS && rest.size == (asked ? 12 + 12 * asked : 0));
  MUST (!asked || (rcc_rtcp_next (&rest, &packet) && rest.size == 0));
}

static void
begin (void)
{
  RccGccConfig config = rcc_gcc_config (RCC_GCC_DEFAULT);

  ends.now = RCC_SEC;
  rcc_feedback_clear (&ends.feedback);
  rcc_reports_clear (&reports);
  rcc_feedback_init (&ends.feedback, realloc);
  rcc_reports_init (&reports, realloc);
  config.full_queue = 5 * RCC_SEC;
  rcc_gcc_sender_init (&ends.sender, &config, &limits);
  rcc_reporter_clear (&ends.reporter);
  rcc_reporter_init (&ends.reporter, (RccFeedbackFormat) (ends.inputs / EPOCH % 4), 1, realloc);
  ends.reporter.twcc_id = 5;
  rcc_gcc_receiver_init (&ends.receiver, &config, &limits);
  rcc_send_clock_init (&ends.clock, 3);
}

static void
send_one (uint32_t ssrc, uint16_t seq)
{
  const RccRtp rtp = { .ssrc = ssrc, .seq = seq };
  const RccPacket sent = { .size = 1200, .sent = ends.now, .arrived = RCC_NEVER };

  rcc_reports_sent (&reports, &rtp, ends.now);
  rcc_feedback_sent (&ends.feedback, &rtp, rtp.seq,
      &(RccPacket) { .size = 1200, .probe = ends.inputs % 3, .sent = ends.now });
  rcc_feedback_clock_rate (&ends.feedback, ssrc, ends.inputs % 5 ? 90000 : 48000);
  rcc_tell (&ends.sender.sender, on_sent, &sent);
}

/* What is spoken of has been sent: without that nearly all is refused at the door.  Where
 * it is a range, its first few. */
static void
send_what_it_names (RccBytes input)
{
  for (size_t at = 4; at <= 12 && at + 6 <= input.size; at += 4) {
    const unsigned n = input.data[1] == RCC_RTCP_XR && at == 12 ? 8 : 1;

    for (unsigned i = 0; i < n; i++)
      send_one (rcc_be32 (input.data + at), (uint16_t) (rcc_be16 (input.data + at + 4)
              + i + (uint16_t) ends.inputs % 8));
  }
}

static void
hear (RccBytes input)
{
  rcc_reports_rtcp (&reports, input, ends.inputs % 2, ends.now, &watcher);
  if (ends.inputs % 64 == 0)            /* an SR of our own, as if */
    rcc_reports_rtcp_sent (&reports, input, ends.now);
  MUST (reports.streams.n <= RCC_REPORTS_STREAMS);
  if (ends.inputs % 8 == 0)             /* whoever comes next may be the one that is heard */
    rcc_reporters_init (&ends.feedback.reports.reporters);
  rcc_feedback_rtcp (&ends.feedback, input, 1, ends.now, &listener);
  if (ends.inputs % 4 == 0)
    answer ();
  if (ends.now >= rcc_deadline (&ends.sender.sender))
    rcc_tell (&ends.sender.sender, on_deadline, ends.now);
  MUST (ends.sender.target_bps >= limits.min_bps);
  MUST (ends.sender.target_bps <= limits.max_bps);
  MUST (isfinite (ends.sender.fraction_lost));
}

static void
receive (RccBytes input)
{
  uint8_t out[1400];
  RccBytes said;
  RccRtcpPacket packet;
  RccRtp rtp;
  RccTime send;

  rcc_rtcp_source_rtcp_passed (&ends.reporter.source, input);
  if (rcc_rtp_parse (input, &rtp)) {
    rcc_reporter_packet (&ends.reporter, &rtp, RCC_ECN_NOT_ECT, ends.now);
    send = rcc_send_clock_time (&ends.clock, &rtp, 90000, ends.now);
    rcc_gcc_receiver_missing (&ends.receiver, ends.reporter.missing);
    rcc_gcc_receiver_packet (&ends.receiver, send, ends.now, (uint32_t) input.size);
  }
  MUST (ends.receiver.bps >= limits.min_bps && ends.receiver.bps <= limits.max_bps);
  said = (RccBytes) { out, rcc_reporter_compound (&ends.reporter, ends.receiver.bps,
      ends.now, out, sizeof out) };
  while (rcc_rtcp_next (&said, &packet))
    ;
  MUST (said.size == 0);
}

void
rcc_fuzz_ends (const uint8_t *data, size_t size)
{
  const RccBytes input = { data, size };

  if (ends.inputs++ % EPOCH == 0)
    begin ();
  ends.now += size > 0 ? data[size - 1] * RCC_MSEC / 4 : 0;
  send_what_it_names (input);
  hear (input);
  receive (input);
}
