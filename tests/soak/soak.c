/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * soak - a call that goes on for weeks, in minutes
 *
 * A stream over a path of 100 ms that loses one packet in a thousand, with a congestion
 * controller, a circuit breaker and a receiver, all on real RTP and RTCP bytes.  In 30 days
 * every number wraps: sequence numbers each 18 minutes, the time of RFC 8888 each 18 hours,
 * that of transport-wide feedback each 12 days, NTP's era in the middle.  The receiver changes
 * its format each day.  What must hold all the time is checked at each step, and that memory
 * does not grow.
 *
 * soak [DAYS]: 30 unless said.  A line each day; exit 1 where something did not hold.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/gcc/receiver.h"
#include "core/gcc/sender.h"
#include "send/gate.h"
#include "wire/feedback-rtcp.h"
#include "wire/reporter.h"
#include "wire/sendtime.h"
#include "wire/xrreporter.h"

#define DAY (86400 * RCC_SEC)
#define GAP (16667 * RCC_USEC)          /* 60 packets a second */
#define WAY (50 * RCC_MSEC)
#define JITTER (3 * RCC_MSEC)           /* of a packet; a change of format adds that of two */
#define TICK (RCC_SEC / 1024)
#define SIZE 1200
#define SSRC 0x51515151u
#define PEER 0x70656572u
#define CLOCK_RATE 90000
#define ABS_ID 3
#define TWCC_ID 5
#define SETTLING (60 * RCC_SEC)         /* after a change of format */
#define SHOWN 20                        /* violations that are printed */
#define QUEUE 64                        /* compounds on their way */
#define LOG 1024                        /* of what was sent, to be compared */

typedef enum { REMB, TWCC, CCFB, XR, FORMATS } Format;

#define SHORTEST (3 * FORMATS)          /* days, or parts of them */

static const char *const format_names[] = { "REMB", "TWCC", "RFC 8888", "XR" };

typedef struct {
  RccTime at;
  size_t size;
  uint8_t data[1500];
} Compound;

static struct {
  RccSender sender;                     /* before the controller: checks what it is told */
  RccFeedback feedback;
  RccGccSender gcc;
  RccGate gate;
  RccReporter reporter;
  RccXrReporter xr;
  RccGccReceiver receiver;
  RccSendClock clock;
  Format format;
  RccTime base, middle, now, changed;
  Compound queue[QUEUE];
  unsigned first, n_queue;
  struct {
    RccTime sent;
    bool lost;
    uint8_t outcomes;
  } log[LOG];                           /* by number */
  uint64_t sent, lost, outcomes, outcomes_lost; /* outcomes: of those that feedback spoke of */
  uint64_t next_lost;                   /* never two near each other, which were congestion */
  uint64_t reported, reported_lost;
  uint32_t lsr;
  RccTime lsr_at, next_sr, next_rr;
  int64_t offset;                       /* between the clocks, as told first; 0: not yet */
  uint64_t violations, random;
  size_t bytes;                         /* that are allocated */
} s;

/* --- what must hold ------------------------------------------------------- */

static void
check (bool holds, const char *what)
{
  if (holds || s.violations++ >= SHOWN)
    return;
  printf ("violation, day %.5f, %s: %s (target %u, limited by %s, loss %.3f, rtt %.1f ms)\n",
      (double) (s.now - s.base) / DAY, format_names[s.format], what, s.gcc.target_bps,
      s.gcc.limited_by, s.gcc.fraction_lost, s.gcc.rtt == RCC_NEVER ? -1 : s.gcc.rtt * 1e-6);
}

/* Counts what is allocated: each block has its size in front. */
static void *
resize (void *memory, size_t bytes)
{
  size_t *block = memory ? (size_t *) memory - 2 : NULL;

  s.bytes += bytes - (block ? *block : 0);
  if (bytes == 0) {
    free (block);
    return NULL;
  }
  block = realloc (block, bytes + 2 * sizeof *block);
  *block = bytes;
  return block + 2;
}

static RccUpdate
on_feedback (RccSender *sender, const RccPacket *packets, size_t n, RccTime now)
{
  for (size_t i = 0; i < n; i++) {
    const RccPacket *p = &packets[i];
    const uint64_t age = (s.now - p->sent) / GAP;
    const uint64_t number = s.sent - age;
    const int64_t ahead = (int64_t) (p->arrived - p->sent);

    check (p->size == SIZE, "its size");
    check (age < LOG && s.log[number % LOG].sent == p->sent, "a packet that was never sent");
    check (s.log[number % LOG].outcomes++ == 0, "a packet is told twice");
    check (rcc_packet_received (p) != s.log[number % LOG].lost, "another outcome");
    s.outcomes++;
    s.outcomes_lost += !rcc_packet_received (p);
    if (p->arrived == RCC_NEVER)
      continue;
    if (s.offset == 0)
      s.offset = ahead;
    check (llabs (ahead - s.offset) < (long long) (2 * JITTER + 2 * TICK), "an arrival at another time");
  }
  return rcc_tell (&s.gcc.sender, on_feedback, packets, n, now);
}

static RccUpdate
on_report (RccSender *sender, const RccReport *report, RccTime now)
{
  check (report->ssrc == SSRC, "a report on another SSRC");
  check (report->rtt == RCC_NEVER || (report->rtt > 90 * RCC_MSEC && report->rtt < 110 * RCC_MSEC),
      "a round trip");
  check (report->fraction_lost < 0.1, "reported loss");
  s.reported++;
  return rcc_tell (&s.gcc.sender, on_report, report, now);
}

static RccUpdate
on_remb (RccSender *sender, uint32_t bps, RccTime now)
{
  return rcc_tell (&s.gcc.sender, on_remb, bps, now);
}

static const RccSenderOps ops = {
  .name = "soak", .on_feedback = on_feedback, .on_report = on_report, .on_remb = on_remb,
};

/* --- the sender ----------------------------------------------------------- */

static uint32_t
rnd (void)
{
  s.random ^= s.random << 13;
  s.random ^= s.random >> 7;
  s.random ^= s.random << 17;
  return (uint32_t) (s.random >> 16);
}

/* The sender's wall clock, of which the seconds wrap in the middle, on 2036-02-07. */
static uint64_t
ntp (void)
{
  return rcc_ns_to_ntp ((UINT64_C (1) << 32) * RCC_SEC + s.now - s.middle);
}

static void
hear (const Compound *c)
{
  const RccBytes bytes = { c->data, c->size };
  const uint32_t ntp_middle = rcc_ntp_middle (ntp ());
  RccUpdate update = rcc_gate_rtcp (&s.gate, bytes, ntp_middle, s.now);

  check (!(update.changed & RCC_STOP), "the breaker opens");
  rcc_feedback_rtcp (&s.feedback, bytes, ntp_middle, s.now, &s.sender);
}

static void
wake (void)
{
  if (s.now >= rcc_deadline (&s.gcc.sender))
    rcc_tell (&s.gcc.sender, on_deadline, s.now);
  if (s.now >= rcc_deadline (&s.gate.breaker.sender))
    check (!(rcc_tell (&s.gate.breaker.sender, on_deadline, s.now).changed & RCC_STOP),
        "the breaker opens by itself");
}

static void
send_report (void)
{
  const RccRtcpReport sr = { .ssrc = SSRC, .is_sr = true, .ntp = ntp (),
    .packets = (uint32_t) s.sent, .octets = (uint32_t) (s.sent * SIZE) };
  uint8_t out[64];
  const RccBytes bytes = { out, rcc_rtcp_build_sr (out, sizeof out, &sr, NULL, 0) };

  rcc_feedback_rtcp_sent (&s.feedback, bytes, s.now);
  rcc_gate_rtcp_sent (&s.gate, bytes, s.now);
  s.lsr = rcc_ntp_middle (sr.ntp);
  s.lsr_at = s.now + WAY;
  s.next_sr = s.now + 5 * RCC_SEC;
}

/* --- the receiver --------------------------------------------------------- */

static void
report_in (Format format)
{
  static const RccFeedbackFormat formats[] = { RCC_FEEDBACK_REMB, RCC_FEEDBACK_TWCC,
    RCC_FEEDBACK_CCFB, RCC_FEEDBACK_CCFB };
  const RccConfig limits = { 100000, 500000, 1000000 };
  RccGccConfig gcc = rcc_gcc_config (RCC_GCC_DEFAULT);

  gcc.arrivals = format != REMB;
  if (gcc.arrivals)
    gcc.feedback_interval = 100 * RCC_MSEC;
  rcc_gcc_receiver_init (&s.receiver, &gcc, &limits);
  rcc_reporter_clear (&s.reporter);
  rcc_xr_reporter_clear (&s.xr);
  rcc_reporter_init (&s.reporter, formats[format], PEER, resize);
  rcc_xr_reporter_init (&s.xr, PEER, resize);
  s.reporter.twcc_id = TWCC_ID;
  s.xr.clock_rate = CLOCK_RATE;
  s.xr.times = true;
  s.format = format;
  s.changed = s.now;
  s.offset = 0;                         /* who tells next is put on the clock by one packet */
}

/* By the receiver's clock, which is another one. */
static RccTime
there (RccTime t)
{
  return t + 12345 * RCC_SEC + 678 * RCC_USEC;
}

static void
receive (const uint8_t *data, RccTime at)
{
  RccRtp rtp;

  if (!rcc_rtp_parse ((RccBytes) { data, SIZE }, &rtp))
    check (false, "RTP that cannot be read");
  if (s.format == XR)
    rcc_xr_reporter_packet (&s.xr, &rtp, false, there (at));
  else
    rcc_reporter_packet (&s.reporter, &rtp, RCC_ECN_NOT_ECT, there (at));
  rcc_gcc_receiver_missing (&s.receiver, s.format == XR ? 0 : s.reporter.missing);
  rcc_gcc_receiver_packet (&s.receiver, rcc_send_clock_time (&s.clock, &rtp, CLOCK_RATE,
      there (at)), there (at), SIZE);
}

static void
come_back (const uint8_t *data, size_t size)
{
  Compound *c = &s.queue[(s.first + s.n_queue++) % QUEUE];

  check (s.n_queue <= QUEUE, "too many compounds on their way");
  c->at = s.now + 2 * WAY;              /* what has been sent now has come by then */
  c->size = size;
  memcpy (c->data, data, size);
}

static void
report_loss (void)
{
  static uint64_t sent, lost;
  const uint64_t expected = s.sent - sent, missing = s.lost - lost;
  const RccReportBlock block = { .ssrc = SSRC, .highest_seq = (uint32_t) (s.sent - 1),
    .fraction = (uint8_t) (expected ? missing * 256 / expected : 0),
    .lost = (int32_t) (s.lost > 0x7fffff ? 0x7fffff : s.lost), .lsr = s.lsr_at ? s.lsr : 0,
    .dlsr = s.lsr_at ? (uint32_t) (((s.now + WAY - s.lsr_at) << 16) / RCC_SEC) : 0 };
  uint8_t out[200];
  size_t size = rcc_rtcp_build_rr (out, sizeof out, PEER, &block, 1);

  size += rcc_rtcp_build_cname (out + size, sizeof out - size, PEER, "soak");
  sent = s.sent;
  lost = s.lost;
  s.next_rr = s.now + RCC_SEC + rnd () % RCC_SEC;
  come_back (out, size);
}

static void
report_packets (void)
{
  const RccTime now = there (s.now + WAY + JITTER);
  uint8_t out[1400];
  size_t size;

  if (now < rcc_gcc_receiver_deadline (&s.receiver))
    return;
  size = s.format == XR ? rcc_xr_reporter_compound (&s.xr, now, sizeof out, out, sizeof out)
      : rcc_reporter_compound (&s.reporter, s.receiver.bps, now, out, sizeof out);
  rcc_gcc_receiver_reported (&s.receiver, (uint32_t) size, false, now);
  if (size > 0)
    come_back (out, size);
}

/* --- the call ------------------------------------------------------------- */

static void
begin (double days)
{
  const RccConfig limits = { 100000, 500000, 1000000 };
  const RccGccConfig gcc = rcc_gcc_config (RCC_GCC_DEFAULT);
  const RccBreakerConfig breaker = rcc_breaker_config (RCC_BREAKER_RFC8083);

  s.random = UINT64_C (88172645463325252);
  s.next_lost = 1000;
  s.sender.ops = &ops;
  s.base = s.now = 1000 * RCC_SEC;
  s.middle = s.base + (RccTime) (days * DAY / 2);
  rcc_feedback_init (&s.feedback, resize);
  rcc_feedback_clock_rate (&s.feedback, SSRC, CLOCK_RATE);
  rcc_gcc_sender_init (&s.gcc, &gcc, &limits);
  rcc_gate_init (&s.gate, resize);
  s.gate.enforce = true;
  rcc_gate_start (&s.gate, &breaker, 0, s.now);
  rcc_send_clock_init (&s.clock, ABS_ID);
  report_in (REMB);
  s.next_sr = s.now + RCC_SEC;
  s.next_rr = s.now + 3 * RCC_SEC;
}

static void
send_packet (void)
{
  uint8_t data[SIZE] = { 0 }, send_time[3], number[2];
  const RccRtpExt exts[] = { { ABS_ID, 3, send_time }, { TWCC_ID, 2, number } };
  const RccRtp rtp = { .pt = 96, .seq = (uint16_t) s.sent, .ssrc = SSRC, .marker = s.sent % 2,
    .timestamp = (uint32_t) ((s.now - s.base) / RCC_USEC * 9 / 100) };
  const RccPacket packet = { .seq = (int64_t) s.sent, .size = SIZE, .ssrc = SSRC, .sent = s.now,
    .timestamp = rtp.timestamp, .arrived = RCC_NEVER };
  const bool lost = s.sent == s.next_lost;
  RccUpdate update = { 0 };

  rcc_put24 (send_time, rcc_abs_send_time (s.now));
  rcc_put16 (number, (uint16_t) s.sent);
  rcc_rtp_build (data, sizeof data, &rtp, exts, 2);
  check (rcc_gate_rtp (&s.gate, &rtp, SIZE, CLOCK_RATE, s.now, &update), "the breaker drops");
  rcc_feedback_sent (&s.feedback, &rtp, (uint16_t) s.sent, &(RccPacket) { .size = SIZE, .sent = s.now });
  rcc_tell (&s.gcc.sender, on_sent, &packet);
  s.log[s.sent % LOG].sent = s.now;
  s.log[s.sent % LOG].lost = lost;
  s.log[s.sent % LOG].outcomes = 0;
  if (lost)
    s.next_lost += 500 + rnd () % 1000;
  s.sent++;
  s.lost += lost;
  if (!lost)
    receive (data, s.now + WAY + rnd () % JITTER);
}

static void
step (void)
{
  s.now += GAP;
  while (s.n_queue > 0 && s.queue[s.first % QUEUE].at <= s.now) {
    hear (&s.queue[s.first++ % QUEUE]);
    s.n_queue--;
  }
  wake ();
  send_packet ();
  if (s.now >= s.next_sr)
    send_report ();
  report_packets ();
  if (s.now >= s.next_rr)
    report_loss ();
  if (s.now < s.changed + SETTLING)
    return;
  check (s.gcc.target_bps <= 1000000, "the target is above its limit");
  check (s.gcc.target_bps >= 900000, "the target falls");
}

static void
print_day (unsigned day)
{
  printf ("day %2u %-8s %9" PRIu64 " packets, %.4f %% lost, %.4f %% of those told; target %u; "
      "forged %" PRIu64 ", unknown %" PRIu64 ", unproven %" PRIu64 "; %zu B; %" PRIu64
      " violations; %.0f s\n", day, format_names[s.format], s.sent, 100.0 * s.lost / s.sent,
      s.outcomes ? 100.0 * s.outcomes_lost / s.outcomes : 0.0, s.gcc.target_bps,
      s.feedback.reports.forged,
      s.feedback.unknown_packets, s.feedback.reports.reporters.unproven, s.bytes, s.violations,
      (double) clock () / CLOCKS_PER_SEC);
  fflush (stdout);
}

int
main (int argc, char **argv)
{
  const double days = argc > 1 ? atof (argv[1]) : 30;
  size_t bytes[FORMATS] = { 0 };

  if (days <= 0) {
    fprintf (stderr, "soak: %s is no number of days\n", argv[1]);
    return 2;
  }
  begin (days);
  /* short runs change more often, so that each format has its turns */
  for (unsigned day = 0; day < RCC_MAX (days, SHORTEST); day++) {
    const RccTime end = s.base + (RccTime) ((day + 1) * RCC_MIN (1, days / SHORTEST) * DAY);

    if (day > 0)
      report_in ((Format) (day % FORMATS));
    while (s.now < end)
      step ();
    print_day (day + 1);
    if (day < 2 * FORMATS)
      bytes[s.format] = s.bytes;
    else
      check (s.bytes <= bytes[s.format], "memory grows");
  }
  check (s.feedback.reports.forged == 0, "honest RTCP is refused");
  check (s.feedback.unknown_packets == 0, "packets are unknown");
  check (s.outcomes_lost > 0 && s.reported > 0, "nothing is told");
  printf ("%" PRIu64 " packets in %g days, %" PRIu64 " told: %" PRIu64 " violations\n", s.sent, days,
      s.outcomes, s.violations);
  return s.violations > 0;
}
