/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire/reporter.h"

#include <string.h>

#include "wire/ccfb.h"
#include "wire/remb.h"
#include "wire/tmmbr.h"
#include "wire/twcc.h"
#include "wire/xr-rle.h"

#define REPORTS_MAX 512                 /* in one message: an MTU's worth */
#define UNREPORTED_MAX 16384            /* numbers of a stream; RFC 8888 3.1 */
#define KEEP (2 * RCC_SEC)              /* feedback comes more often */
#define REPEATED RCC_SEC                /* what came longer ago is not told again; half of KEEP:
                                         * nothing of it is forgotten */
#define BYTES_MAX (3u << 19)            /* 32768 packets on 32 and 64 bits, 0.3 s of 1 Gbit/s */
#define NAME_EACH RCC_SEC               /* where limits name no packet; a proof holds for longer */
#define IP_UDP_RTP 40                   /* TMMBR's measured overhead: IPv4, UDP, RTP */

void
rcc_reporter_init (RccReporter *r, RccFeedbackFormat format, uint32_t ssrc, RccResize resize)
{
  memset (r, 0, sizeof *r);
  r->format = format;
  r->named = RCC_NEVER;
  rcc_rtcp_source_init (&r->source, ssrc);
  rcc_arrivals_init (&r->arrivals, sizeof (RccArrivalStream), KEEP, BYTES_MAX, resize);
}

void
rcc_reporter_clear (RccReporter *r)
{
  rcc_arrivals_clear (&r->arrivals);
}

static void
add (RccReporter *r, RccArrivalStream *s, uint16_t seq, uint8_t ecn, RccTime at)
{
  RccArrival *arrival;
  int64_t number;

  switch (rcc_arrivals_add (&r->arrivals, s, seq, at, &number, &arrival)) {
    case RCC_ARRIVAL_STALE:
      return;
    case RCC_ARRIVAL_COPY:              /* RFC 8888 3.1: the first copy's time, CE if any */
      arrival->ecn = ecn == RCC_ECN_CE ? RCC_ECN_CE : arrival->ecn;
      break;
    case RCC_ARRIVAL_NEWS:
    case RCC_ARRIVAL_ANEW:
      arrival->ecn = ecn;
      break;
  }
  /* Reordered into what was told already: told again (RFC 8888 allows overlap, and
   * in TWCC a new message supersedes the old). */
  s->begin = RCC_MIN (s->begin, number);
  s->begin = RCC_MAX (s->begin, s->unwrap.last - UNREPORTED_MAX + 1);
}

/* Nothing of it is ever to be told.  A leap further than reordering is no loss: who forges one
 * packet would have lost thousands. */
static void
count_missing (RccReporter *r, RccArrivalStream *s, uint16_t seq)
{
  const int64_t last = s->unwrap.last;
  const bool any = s->any;
  int64_t number, passed;

  switch (rcc_arrival_stream_take (s, seq, &r->arrivals.beginnings, &number)) {
    case RCC_ARRIVAL_NEWS:
      passed = number - last - 1;
      r->missing += any && passed < RCC_ARRIVALS_SPAN ? (uint64_t) passed : 0;
      break;
    case RCC_ARRIVAL_COPY:
      r->missing -= r->missing > 0;
      break;
    case RCC_ARRIVAL_STALE:
    case RCC_ARRIVAL_ANEW:
      break;
  }
  s->begin = s->unwrap.last + 1;
}

void
rcc_reporter_packet (RccReporter *r, const RccRtp *rtp, uint8_t ecn, RccTime arrival)
{
  RccArrivalStream *s = rcc_arrivals_stream (&r->arrivals, rtp->ssrc);
  RccBytes value;

  if (r->format == RCC_FEEDBACK_REMB || r->format == RCC_FEEDBACK_TMMBR)
    count_missing (r, s, rtp->seq);
  else if (r->format == RCC_FEEDBACK_CCFB)
    add (r, s, rtp->seq, ecn, arrival);
  else if (r->format == RCC_FEEDBACK_TWCC && rcc_rtp_ext (rtp, r->twcc_id, &value)
      && value.size == RCC_TWCC_EXT_SIZE)
    add (r, &r->transport, rcc_be16 (value.data), ecn, arrival);
}

static size_t
write_remb (RccReporter *r, uint32_t bps, uint8_t *out, size_t size)
{
  return rcc_remb_build (out, size, r->source.ssrc, bps, r->arrivals.streams.ssrcs,
      rcc_arrivals_n (&r->arrivals));
}

/* One entry for the stream heard last. The estimate is for all of them together, and entries for
 * each would be taken one by one. */
static size_t
write_tmmbr (RccReporter *r, uint32_t bps, uint8_t *out, size_t size)
{
  const RccSsrcs *streams = &r->arrivals.streams;
  /* 1200 B packets: what IP and UDP add to the estimate, which has RTP in it */
  const RccTmmbrEntry entry = { .ssrc = streams->ssrcs[streams->hit], .overhead = IP_UDP_RTP,
    .bps = bps + (uint64_t) bps * IP_UDP_RTP / 1200 };

  return rcc_tmmbr_build (out, size, r->source.ssrc, false, &entry, 1);
}

static unsigned
unreported (const RccArrivalStream *s)
{
  return s->any && s->unwrap.last >= s->begin ? (unsigned) (s->unwrap.last - s->begin + 1) : 0;
}

bool
rcc_reporter_pending (const RccReporter *r)
{
  for (unsigned i = 0; i < rcc_arrivals_n (&r->arrivals); i++)
    if (unreported (rcc_arrivals_at (&r->arrivals, i)) > 0)
      return true;
  return unreported (&r->transport) > 0;
}

/* How many of the last numbers that were told to tell again, if there is room for @room. It
 * begins with the first that came lately: RFC 8888 3.1 allows blocks to overlap. */
static unsigned
repeated (const RccReporter *r, const RccArrivalStream *s, RccTime now, size_t room)
{
  unsigned n = 0;

  for (unsigned k = 1; k <= RCC_MIN (r->repeat, room); k++) {
    const RccArrival *a = rcc_arrivals_find (&r->arrivals, s, s->begin - (int64_t) k);

    if (a && now - a->key.at < REPEATED)
      n = k;
  }
  return n;
}

/* A block of what is unreported of one stream, as far as there is room beside the block's head
 * and the timestamp. Returns the new total size, 0 when there is none. */
static size_t
add_ccfb (RccReporter *r, RccArrivalStream *s, RccTime now, uint8_t *out, size_t size,
    size_t used)
{
  const size_t room = size - used > 12 ? (size - used - 12) / 4 * 2 : 0;
  const size_t most = RCC_MIN (room, REPORTS_MAX);
  const unsigned news = RCC_MIN (unreported (s), (unsigned) most);
  const unsigned again = news > 0 ? repeated (r, s, now, most - news) : 0, n = news + again;
  const int64_t begin = s->begin - again;
  RccCcfbReport reports[REPORTS_MAX];
  size_t more;

  for (unsigned k = 0; k < n; k++) {
    const RccArrival *a = rcc_arrivals_find (&r->arrivals, s, begin + k);

    reports[k] = a ? (RccCcfbReport) { true, (RccEcn) a->ecn, now - a->key.at }
        : (RccCcfbReport) { 0 };
  }
  more = n > 0 ? rcc_ccfb_add (out, size, used, s->ssrc, (uint16_t) begin, reports, n) : 0;
  s->begin += more ? news : 0;
  return more;
}

/* Where there is not room for all, the next message begins with those left out. */
static size_t
write_ccfb (RccReporter *r, RccTime now, uint8_t *out, size_t size)
{
  const size_t head = rcc_ccfb_begin (out, size, r->source.ssrc);
  const unsigned n = rcc_arrivals_n (&r->arrivals), first = r->next % n;
  size_t used = head;

  for (unsigned i = 0; head && i < n; i++) {
    RccArrivalStream *s = rcc_arrivals_at (&r->arrivals, (first + i) % n);
    const size_t more = add_ccfb (r, s, now, out, size, used);

    used = more ? more : used;
    if (unreported (s) > 0) {
      r->next = (first + i) % n;
      break;
    }
  }
  return used > head ? rcc_ccfb_end (out, size, used, rcc_ntp_middle (rcc_ns_to_ntp (now))) : 0;
}

static size_t
write_twcc (RccReporter *r, uint8_t *out, size_t size)
{
  RccTwccStatus statuses[REPORTS_MAX];
  RccArrivalStream *s = &r->transport;
  const unsigned n = RCC_MIN (unreported (s), REPORTS_MAX);
  unsigned done = 0;
  size_t written;
  RccTwcc head = { .sender_ssrc = r->source.ssrc, .base_seq = (uint16_t) s->begin,
    .fb_count = r->fb_count, .media_ssrc = r->arrivals.streams.ssrcs[0] };

  for (unsigned k = 0; k < n; k++) {
    const RccArrival *a = rcc_arrivals_find (&r->arrivals, s, s->begin + k);

    statuses[k] = a ? (RccTwccStatus) { true, (int64_t) (a->key.at / RCC_USEC) }
        : (RccTwccStatus) { 0 };
  }
  written = rcc_twcc_build (out, size, &head, statuses, n, &done);
  if (written) {
    s->begin += done;
    r->fb_count++;
  }
  return written;
}

size_t
rcc_reporter_packet_of (RccReporter *r, uint32_t bps, RccTime now, uint8_t *out,
    size_t size)
{
  if (rcc_arrivals_n (&r->arrivals) == 0)
    return 0;
  switch (r->format) {
    case RCC_FEEDBACK_REMB:
      return write_remb (r, bps, out, size);
    case RCC_FEEDBACK_TMMBR:
      return write_tmmbr (r, bps, out, size);
    case RCC_FEEDBACK_CCFB:
      return write_ccfb (r, now, out, size);
    case RCC_FEEDBACK_TWCC:
      return write_twcc (r, out, size);
  }
  return 0;
}

static bool
was_discarded (void *user, uint16_t seq)
{
  return false;
}

/* A limit names no packet, and the session's first report with a count can be 8 s away.  Until then
 * a sender would take the word of whoever names one.  So this names the newest, as a packet that
 * was not discarded (RFC 7097).  0 when there is no room. */
static size_t
write_number (const RccReporter *r, uint8_t *out, size_t size)
{
  const RccSsrcs *streams = &r->arrivals.streams;
  const RccArrivalStream *s = rcc_arrivals_at (&r->arrivals, streams->hit);
  const uint16_t newest = (uint16_t) s->unwrap.last;
  const RccXrRle rle = { .discard = true, .range = { .ssrc = s->ssrc, .begin_seq = newest,
      .end_seq = (uint16_t) (newest + 1) } };
  const size_t used = rcc_xr_begin (out, size, r->source.ssrc);
  uint16_t end;

  return used ? rcc_xr_rle_add (out, size, used, &rle, was_discarded, NULL, &end) : 0;
}

size_t
rcc_reporter_compound (RccReporter *r, uint32_t bps, RccTime now, uint8_t *out,
    size_t size)
{
  const size_t begun = rcc_rtcp_source_begin (&r->source, out, size);
  const size_t more = begun ? rcc_reporter_packet_of (r, bps, now, out + begun, size - begun) : 0;
  const bool names = r->format == RCC_FEEDBACK_CCFB || r->format == RCC_FEEDBACK_TWCC;
  size_t number;

  if (more == 0)
    return 0;
  if (names || (r->named != RCC_NEVER && now - r->named < NAME_EACH))
    return begun + more;
  number = write_number (r, out + begun + more, size - begun - more);
  r->named = number ? now : r->named;
  return begun + more + number;
}
