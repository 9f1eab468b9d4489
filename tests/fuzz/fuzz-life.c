/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fuzz-life.c - an input is the story of a call: what is sent by 64 streams, what comes, who
 * reports in which format, what is forged, how time goes by
 *
 * libFuzzer's entry, as fuzz-wire.c's is; life.c tells seeded stories without it.  Whatever
 * happens, targets stay within their limits, no packet is told twice, nothing is told that
 * was not sent, and memory stays within what was sent.
 */
#include <math.h>
#include <string.h>

#include "core/gcc/sender.h"
#include "core/tfrc/tfrc.h"
#include "fuzz-life.h"
#include "fuzz-wire.h"
#include "wire/ccfb.h"
#include "wire/feedback-rtcp.h"
#include "wire/remb.h"
#include "wire/reporter.h"
#include "wire/tmmbr.h"
#include "wire/xrreporter.h"

#define STREAMS 64
#define RECEIVERS 2
#define SSRC(i) (0x40000000u + (i) * 7919)
#define PEER(i) (0x70000000u + (i))
#define TWCC_ID 5

uint64_t rcc_life_events[RCC_LIFE_EVENTS];

static const RccConfig limits = { 50000, 300000, 5000000 };

static struct {
  RccSender sender;                     /* before both controllers */
  RccFeedback feedback;
  RccGccSender gcc;
  RccTfrc tfrc;
  struct {
    RccReporter reporter;
    RccXrReporter xr;
    bool extended;
  } receivers[RECEIVERS];
  uint16_t seqs[STREAMS], transport;
  uint64_t sent, outcomes;
  RccTime now;
  uint32_t lsr;
  RccTime lsr_at;
} life;

/* --- the story, byte by byte ---------------------------------------------- */

static const uint8_t *story;
static size_t left;

static uint8_t
byte (void)
{
  return left > 0 ? (left--, *story++) : 0;
}

static uint16_t
word (void)
{
  const uint16_t high = byte ();

  return (uint16_t) (high << 8 | byte ());
}

/* --- what the controllers are told ---------------------------------------- */

static RccUpdate
on_feedback (RccSender *sender, const RccPacket *packets, size_t n, RccTime now)
{
  MUST (n > 0);
  for (size_t i = 0; i < n; i++) {
    const RccSentPacket *p = rcc_history_find (&life.feedback.history, packets[i].ssrc,
        packets[i].seq);

    MUST (packets[i].sent <= now && packets[i].size > 0);
    MUST (i == 0 || packets[i].sent >= packets[i - 1].sent);
    /* by transport-wide feedback it goes by another number */
    MUST (!p || p->key.stream == packets[i].ssrc);
    life.outcomes++;
  }
  MUST (life.outcomes <= 2 * life.sent); /* lost, and then come after all */
  rcc_life_events[RCC_LIFE_OUTCOMES] += n;
  return rcc_update_merge (rcc_tell (&life.gcc.sender, on_feedback, packets, n, now),
      rcc_tell (&life.tfrc.sender, on_feedback, packets, n, now));
}

static RccUpdate
on_report (RccSender *sender, const RccReport *report, RccTime now)
{
  MUST (report->fraction_lost >= 0 && report->fraction_lost < 1);
  MUST (report->rtt == RCC_NEVER || report->rtt <= RCC_RTT_MAX);
  rcc_life_events[RCC_LIFE_REPORTED]++;
  return rcc_update_merge (rcc_tell (&life.gcc.sender, on_report, report, now),
      rcc_tell (&life.tfrc.sender, on_report, report, now));
}

static RccUpdate
on_remb (RccSender *sender, uint32_t bps, RccTime now)
{
  rcc_life_events[RCC_LIFE_LIMITED]++;
  return rcc_tell (&life.gcc.sender, on_remb, bps, now);
}

static const RccSenderOps ops = {
  .name = "life", .on_feedback = on_feedback, .on_report = on_report, .on_remb = on_remb,
};

static void
hear (const uint8_t *data, size_t size)
{
  uint8_t *exact = malloc (size + !size);       /* an over-read shows */

  memcpy (exact, data, size);
  rcc_feedback_rtcp (&life.feedback, (RccBytes) { exact, size }, byte () & 1, life.now,
      &life.sender);
  free (exact);
  MUST (life.feedback.n_news == 0);
  MUST (life.feedback.reports.streams.n <= RCC_REPORTS_STREAMS);
  MUST (life.gcc.target_bps >= limits.min_bps && life.gcc.target_bps <= limits.max_bps);
  MUST (isfinite (life.gcc.fraction_lost));
}

/* --- what happens --------------------------------------------------------- */

static void
come (const RccRtp *rtp, uint8_t how)
{
  const RccTime at = life.now + (how & 7) * RCC_MSEC;

  for (unsigned i = 0; i < RECEIVERS; i++)
    if (life.receivers[i].extended)
      rcc_xr_reporter_packet (&life.receivers[i].xr, rtp, how & 8, at);
    else
      rcc_reporter_packet (&life.receivers[i].reporter, rtp, how >> 4 & 3, at);
}

static void
send_packets (void)
{
  const unsigned stream = byte () % STREAMS, n = 1 + byte () % 16;
  const uint8_t how = byte ();

  if (how == 0xff)                      /* its numbers jump */
    life.seqs[stream] = word ();
  for (unsigned i = 0; i < n; i++) {
    uint8_t number[2], header[64];
    const RccRtpExt ext = { TWCC_ID, 2, number };
    const RccRtp made = { .pt = 96, .ssrc = SSRC (stream), .seq = life.seqs[stream]++,
      .timestamp = (uint32_t) (life.now / 11111) };
    const RccPacket packet = { .ssrc = made.ssrc, .size = 1200, .sent = life.now,
      .arrived = RCC_NEVER };
    RccRtp rtp;

    life.now += RCC_MSEC / 4;
    rcc_put16 (number, life.transport);
    MUST (rcc_rtp_parse ((RccBytes) { header, rcc_rtp_build (header, sizeof header, &made, &ext,
            1) }, &rtp));
    if (how & 0x40 && i == 0) {
      rcc_feedback_unsent (&life.feedback, &rtp, life.now);
      continue;
    }
    rcc_feedback_sent (&life.feedback, &rtp, life.transport++,
        &(RccPacket) { .size = 1200, .probe = how & 3, .sent = life.now });
    rcc_tell (&life.gcc.sender, on_sent, &packet);
    rcc_tell (&life.tfrc.sender, on_sent, &packet);
    life.sent++;
    rcc_life_events[RCC_LIFE_SENT]++;
    if (how & 0x80 || (how >> i & 1) == 0)
      come (&rtp, byte ());
  }
}

static void
wait (void)
{
  const uint8_t by = byte ();

  life.now += by < 200 ? by * RCC_MSEC : (RccTime) (by - 199) * (by - 199) * RCC_SEC / 4;
  if (life.now >= rcc_deadline (&life.gcc.sender))
    rcc_tell (&life.gcc.sender, on_deadline, life.now);
  if (life.now >= rcc_deadline (&life.tfrc.sender))
    rcc_tell (&life.tfrc.sender, on_deadline, life.now);
}

static void
send_report (void)
{
  const RccRtcpReport sr = { .ssrc = SSRC (byte () % STREAMS), .is_sr = true,
    .ntp = rcc_ns_to_ntp (life.now) };
  uint8_t out[100];
  size_t used = rcc_rtcp_build_sr (out, sizeof out, &sr, NULL, 0);

  life.lsr = rcc_ntp_middle (sr.ntp);
  life.lsr_at = life.now;
  used += rcc_feedback_answer (&life.feedback, (RccBytes) { out, used }, life.now, out + used,
      sizeof out - used);
  MUST (used <= sizeof out);
}

/* What a receiver has to say, with a byte of it changed or not. */
static void
be_told (void)
{
  const uint8_t how = byte ();
  const unsigned i = how & 1;
  uint8_t out[1400];
  const size_t room = how & 2 ? (size_t) 64 + byte () : sizeof out;
  size_t size = life.receivers[i].extended
      ? rcc_xr_reporter_compound (&life.receivers[i].xr, life.now, room / 2, out, room)
      : rcc_reporter_compound (&life.receivers[i].reporter, 400000 + how * 1000, life.now, out,
          room);

  MUST (size <= room);
  for (unsigned k = how >> 5; size > 0 && k > 0; k--)
    out[word () % size] ^= byte ();
  hear (out, size);
  rcc_life_events[RCC_LIFE_FEEDBACK] += size > 0;
}

static void
be_reported_on (void)
{
  const unsigned stream = byte () % STREAMS;
  const uint8_t how = byte ();
  const RccReportBlock block = { .ssrc = SSRC (stream), .fraction = byte (),
    .lost = (int8_t) byte (), .highest_seq = (uint32_t) (life.seqs[stream] - 1 - (how & 15))
    + (how & 16 ? 65536 : 0), .lsr = how & 32 ? life.lsr : 0,
    .dlsr = how & 32 ? (uint32_t) ((life.now - life.lsr_at) / 15259 + (how >> 6)) : 0 };
  uint8_t out[100];

  hear (out, rcc_rtcp_build_rr (out, sizeof out, PEER (how >> 6 & 1), &block, 1));
}

static void
be_limited (void)
{
  const uint32_t ssrc = SSRC (byte () % STREAMS);
  const uint8_t how = byte ();
  const RccTmmbrEntry entry = { ssrc, (uint64_t) word () << (how & 15), how };
  uint8_t out[100];

  hear (out, how & 16 ? rcc_remb_build (out, sizeof out, PEER (how >> 6), entry.bps, &ssrc, 1)
      : rcc_tmmbr_build (out, sizeof out, PEER (how >> 6), how & 32, &entry, 1));
}

static void
hear_bytes (void)
{
  const size_t wanted = byte (), size = RCC_MIN (wanted, left);
  const uint8_t *bytes = story;

  story += size;
  left -= size;
  hear (bytes, size);
}

static void
change_format (void)
{
  const uint8_t how = byte ();
  const unsigned i = how & 1;

  life.receivers[i].extended = how & 2;
  rcc_reporter_clear (&life.receivers[i].reporter);
  rcc_xr_reporter_clear (&life.receivers[i].xr);
  rcc_reporter_init (&life.receivers[i].reporter, (RccFeedbackFormat) (how >> 2 & 3), PEER (i),
      realloc);
  rcc_xr_reporter_init (&life.receivers[i].xr, PEER (i), realloc);
  life.receivers[i].reporter.twcc_id = TWCC_ID;
  life.receivers[i].xr.clock_rate = how & 16 ? 90000 : 48000;
  life.receivers[i].xr.times = how & 32;
}

static void
change_sender (void)
{
  const uint8_t how = byte ();

  if (how < 200)
    rcc_feedback_clock_rate (&life.feedback, SSRC (how % STREAMS), how & 1 ? 90000 : 48000);
  else if (how < 250)
    rcc_feedback_forget_transport (&life.feedback);
  else {
    rcc_feedback_reset (&life.feedback);
    life.sent = life.outcomes = 0;
  }
}

static void
begin (void)
{
  const RccGccConfig gcc = rcc_gcc_config (RCC_GCC_DEFAULT);
  const RccTfrcConfig tfrc = rcc_tfrc_config ();

  memset (&life, 0, sizeof life);
  life.sender.ops = &ops;
  life.now = 1000 * RCC_SEC;
  rcc_feedback_init (&life.feedback, realloc);
  rcc_gcc_sender_init (&life.gcc, &gcc, &limits);
  rcc_tfrc_init (&life.tfrc, &tfrc, &limits);
  for (unsigned i = 0; i < RECEIVERS; i++) {
    rcc_reporter_init (&life.receivers[i].reporter, i ? RCC_FEEDBACK_CCFB : RCC_FEEDBACK_TWCC,
        PEER (i), realloc);
    rcc_xr_reporter_init (&life.receivers[i].xr, PEER (i), realloc);
    life.receivers[i].reporter.twcc_id = TWCC_ID;
  }
}

static void
end (void)
{
  rcc_feedback_clear (&life.feedback);
  for (unsigned i = 0; i < RECEIVERS; i++) {
    rcc_reporter_clear (&life.receivers[i].reporter);
    rcc_xr_reporter_clear (&life.receivers[i].xr);
  }
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  static void (*const events[]) (void) = { send_packets, send_packets, send_packets, send_packets,
    be_told, be_told, be_told, be_reported_on, be_reported_on, wait, wait, be_limited,
    send_report, hear_bytes, change_format, change_sender };

  begin ();
  for (story = data, left = size; left > 0;)
    events[byte () % 16] ();
  end ();
  return 0;
}
