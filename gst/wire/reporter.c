/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire/reporter.h"

#include <string.h>

#include "wire/ccfb.h"
#include "wire/remb.h"
#include "wire/tmmbr.h"
#include "wire/twcc.h"

#define REPORTS_MAX 512                 /* in one message: an MTU's worth */
#define STALE_MAX 3                     /* then the numbers have started anew */
#define IP_UDP_RTP 40                   /* TMMBR's measured overhead: IPv4, UDP, RTP */

static void
log_init (RccArrivalLog *log)
{
  log->unwrap = (RccUnwrap) { 0 };
  log->begin = log->highest = 0;
  log->any = false;
  log->stale = 0;
  for (int i = 0; i < RCC_ARRIVALS; i++)
    log->slots[i].seq = INT64_MIN;
}

static void
log_add (RccArrivalLog *log, uint16_t number, uint8_t ecn, RccTime at)
{
  int64_t seq = rcc_unwrap_peek (&log->unwrap, number, 16);
  unsigned i;

  if (log->any && seq <= log->highest - RCC_ARRIVALS) {
    if (++log->stale < STALE_MAX)
      return;
    log_init (log);                     /* the sender restarted; RFC 3550 A.1 in spirit */
    seq = number;
  }
  if (!log->any) {
    log->begin = log->highest = seq;
    log->any = true;
  }
  log->stale = 0;
  i = (uint64_t) seq % RCC_ARRIVALS;
  if (log->slots[i].seq == seq)         /* RFC 8888 3.1: the first copy's time, CE if any */
    log->slots[i].ecn = ecn == RCC_ECN_CE ? RCC_ECN_CE : log->slots[i].ecn;
  else
    log->slots[i].seq = seq, log->slots[i].at = at, log->slots[i].ecn = ecn;
  log->highest = RCC_MAX (log->highest, seq);
  log->unwrap = (RccUnwrap) { log->highest, true };
  /* Reordered into what was told already: told again (RFC 8888 allows overlap, and
   * in TWCC a new message supersedes the old). */
  log->begin = RCC_MIN (log->begin, seq);
  log->begin = RCC_MAX (log->begin, log->highest - REPORTS_MAX + 1);
}

void
rcc_reporter_init (RccReporter *r, RccFeedbackFormat format, uint32_t ssrc)
{
  memset (r, 0, sizeof *r);
  r->format = format;
  rcc_member_init (&r->member, ssrc);
  log_init (&r->transport);
}

/* The table is small on purpose: who sends us RTP is not ours to choose.  The one
 * not heard for longest makes room. */
static RccReporterStream *
stream (RccReporter *r, uint32_t ssrc)
{
  RccReporterStream *oldest = &r->streams[0];

  for (unsigned i = 0; i < r->n_streams; i++) {
    if (r->streams[i].ssrc == ssrc)
      return &r->streams[i];
    if (r->streams[i].heard < oldest->heard)
      oldest = &r->streams[i];
  }
  if (r->n_streams < RCC_REPORTER_STREAMS)
    oldest = &r->streams[r->n_streams++];
  oldest->ssrc = ssrc;
  log_init (&oldest->log);
  return oldest;
}

void
rcc_reporter_packet (RccReporter *r, const RccRtp *rtp, uint8_t ecn, RccTime arrival)
{
  RccReporterStream *s = stream (r, rtp->ssrc);
  RccBytes value;

  s->heard = arrival;
  if (r->format == RCC_FEEDBACK_CCFB)
    log_add (&s->log, rtp->seq, ecn, arrival);
  else if (r->format == RCC_FEEDBACK_TWCC && rcc_rtp_ext (rtp, r->twcc_id, &value)
      && value.size == RCC_TWCC_EXT_SIZE)
    log_add (&r->transport, rcc_be16 (value.data), ecn, arrival);
}

static size_t
write_remb (RccReporter *r, uint32_t bps, uint8_t *out, size_t size)
{
  uint32_t ssrcs[RCC_REPORTER_STREAMS];

  for (unsigned i = 0; i < r->n_streams; i++)
    ssrcs[i] = r->streams[i].ssrc;
  return rcc_remb_build (out, size, r->member.ssrc, bps, ssrcs, r->n_streams);
}

/* One entry for the stream heard last: the estimate is for all of them together,
 * and entries for each would be taken one by one. */
static size_t
write_tmmbr (RccReporter *r, uint32_t bps, uint8_t *out, size_t size)
{
  const RccReporterStream *s = &r->streams[0];
  RccTmmbrEntry entry;

  for (unsigned i = 1; i < r->n_streams; i++)
    if (r->streams[i].heard > s->heard)
      s = &r->streams[i];
  /* 1200 B packets: what IP and UDP add to the estimate, which has RTP in it */
  entry = (RccTmmbrEntry) { .ssrc = s->ssrc, .overhead = IP_UDP_RTP,
    .bps = bps + (uint64_t) bps * IP_UDP_RTP / 1200 };
  return rcc_tmmbr_build (out, size, r->member.ssrc, false, &entry, 1);
}

static unsigned
pending (const RccArrivalLog *log)
{
  if (!log->any || log->highest < log->begin)
    return 0;
  return (unsigned) RCC_MIN (log->highest - log->begin + 1, REPORTS_MAX);
}

static size_t
write_ccfb (RccReporter *r, RccTime now, uint8_t *out, size_t size)
{
  RccCcfbReport reports[REPORTS_MAX];
  size_t used = rcc_ccfb_begin (out, size, r->member.ssrc), total = 0;

  for (unsigned i = 0; used && i < r->n_streams; i++) {
    RccArrivalLog *log = &r->streams[i].log;
    /* as many as there is room for beside the block's head and the timestamp */
    const size_t room = size - used > 12 ? (size - used - 12) / 4 * 2 : 0;
    const unsigned n = RCC_MIN (pending (log), (unsigned) RCC_MIN (room, REPORTS_MAX));
    size_t more;

    for (unsigned k = 0; k < n; k++) {
      const unsigned slot = (uint64_t) (log->begin + k) % RCC_ARRIVALS;

      reports[k] = (RccCcfbReport) { 0 };
      if (log->slots[slot].seq == log->begin + k)
        reports[k] = (RccCcfbReport) { .received = true, .ecn = log->slots[slot].ecn,
          .before = now - log->slots[slot].at };
    }
    if (n == 0)
      continue;
    more = rcc_ccfb_add (out, size, used, r->streams[i].ssrc,
        (uint16_t) log->begin, reports, n);
    if (more == 0)
      break;
    used = more;
    total += n;
    log->begin += n;
  }
  if (total == 0)
    return 0;
  return rcc_ccfb_end (out, size, used, rcc_ntp_middle (rcc_ns_to_ntp (now)));
}

static size_t
write_twcc (RccReporter *r, uint8_t *out, size_t size)
{
  RccTwccStatus statuses[REPORTS_MAX];
  RccArrivalLog *log = &r->transport;
  const unsigned n = pending (log);
  unsigned done = 0;
  size_t written;
  RccTwcc head = { .sender_ssrc = r->member.ssrc, .base_seq = (uint16_t) log->begin,
    .fb_count = r->fb_count };

  if (n == 0)
    return 0;
  head.media_ssrc = r->n_streams ? r->streams[0].ssrc : 0;
  for (unsigned k = 0; k < n; k++) {
    const unsigned slot = (uint64_t) (log->begin + k) % RCC_ARRIVALS;

    statuses[k] = (RccTwccStatus) { 0 };
    if (log->slots[slot].seq == log->begin + k)
      statuses[k] = (RccTwccStatus) { true,
        (int64_t) (log->slots[slot].at / RCC_USEC) };
  }
  written = rcc_twcc_build (out, size, &head, statuses, n, &done);
  if (written) {
    log->begin += done;
    r->fb_count++;
  }
  return written;
}

size_t
rcc_reporter_packet_of (RccReporter *r, uint32_t bps, RccTime now, uint8_t *out,
    size_t size)
{
  if (r->n_streams == 0)
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

size_t
rcc_reporter_compound (RccReporter *r, uint32_t bps, RccTime now, uint8_t *out,
    size_t size)
{
  const size_t used = rcc_member_begin (&r->member, out, size);
  size_t more;

  if (used == 0)
    return 0;
  more = rcc_reporter_packet_of (r, bps, now, out + used, size - used);
  return more ? used + more : 0;
}
