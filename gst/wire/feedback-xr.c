/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * All blocks of a compound's XR packets are one message.  What they say of a packet is put
 * together, in whatever order they come.
 */
#include "wire/feedback-xr.h"

#include "wire/xr-rle.h"
#include "wire/xr-rtt.h"
#include "wire/xr-times.h"

typedef struct {
  RccFeedbackParser *parser;
  bool any;                             /* some block says something of packets of ours */
  uint32_t reporter;
} Notes;

/* How many numbers of a long range to pass over: the oldest ones are forgotten for certain. */
static uint32_t
too_many (Notes *notes, uint32_t count)
{
  return count - RCC_MIN (count, notes->parser->f->history.log.live);
}

/* A zero in Discard RLE says nothing: lost packets were not discarded either. */
static void
note_rle (Notes *notes, const RccReportsStream *stream, const RccXrRle *rle)
{
  const uint8_t one = !rle->discard ? RCC_SAID_RECEIVED : rle->early ? RCC_SAID_EARLY
      : RCC_SAID_LATE;
  RccXrRleWalk walk;
  uint16_t seq;
  bool bit;

  rcc_xr_rle_begin (&walk, rle);
  rcc_xr_rle_skip (&walk, too_many (notes, walk.left));
  while (rcc_feedback_parser_may (notes->parser, 0) && rcc_xr_rle_next (&walk, &seq, &bit)) {
    const bool says = bit || !rle->discard;
    RccSentPacket *s = says ? rcc_feedback_parser_find (notes->parser, stream, seq, bit) : NULL;

    notes->any |= says;
    if (s)
      rcc_feedback_parser_note (notes->parser, s, bit ? one : RCC_SAID_LOST);
  }
}

static void
note_times (Notes *notes, const RccReportsStream *stream, const RccXrTimes *times)
{
  RccXrTimesWalk walk;
  RccSentPacket *s;
  uint32_t ticks;
  uint16_t seq;

  rcc_xr_times_begin (&walk, times);
  rcc_xr_times_skip (&walk, too_many (notes, walk.left));
  while (rcc_feedback_parser_may (notes->parser, 0) && rcc_xr_times_next (&walk, &seq, &ticks))
    if ((s = rcc_feedback_parser_find (notes->parser, stream, seq, true))) {
      s->ticks = ticks;
      rcc_feedback_parser_note (notes->parser, s, RCC_SAID_TICKS);
    }
}

/* 4.5: keeps the last RRTR of each receiver.  The one that has waited longest makes room.  Time
 * 0 means that a receiver has no clock (4.4), and in an answer that nobody has asked. */
static void
note_rrtr (RccFeedbackParser *e, uint32_t ssrc, uint64_t ntp)
{
  RccFeedback *f = e->f;
  unsigned i = 0;

  if (rcc_ntp_middle (ntp) == 0)
    return;
  while (i < f->xr.n_rrtrs && f->xr.rrtrs[i].ssrc != ssrc)
    i++;
  if (i == RCC_FEEDBACK_RRTRS)
    i = 0;
  else if (i == f->xr.n_rrtrs)
    f->xr.n_rrtrs++;
  for (; i + 1 < f->xr.n_rrtrs; i++)
    f->xr.rrtrs[i] = f->xr.rrtrs[i + 1];
  f->xr.rrtrs[i].ssrc = ssrc;
  f->xr.rrtrs[i].lrr = rcc_ntp_middle (ntp);
  f->xr.rrtrs[i].at = e->now;
}

/* The stream of ours that a block speaks of. */
static const RccReportsStream *
stream_of (Notes *notes, uint32_t ssrc)
{
  RccReports *reports = &notes->parser->f->reports;
  const RccReportsStream *stream = rcc_reports_find (reports, ssrc);

  reports->ignored += !stream;
  return stream;
}

static void
note_block (Notes *notes, const RccXrBlock *block)
{
  const RccReportsStream *stream;
  RccXrTimes times;
  RccXrRle rle;
  uint64_t ntp;

  if (rcc_xr_rrtr_parse (block, &ntp)) {
    note_rrtr (notes->parser, notes->reporter, ntp);
  } else if (rcc_xr_rle_parse (block, &rle)) {
    if ((stream = stream_of (notes, rle.range.ssrc)))
      note_rle (notes, stream, &rle);
  } else if (rcc_xr_times_parse (block, &times)) {
    if ((stream = stream_of (notes, times.range.ssrc))) {
      notes->any = true;
      note_times (notes, stream, &times);
    }
  }
}

void
rcc_feedback_xr (RccFeedbackParser *e, RccBytes compound)
{
  Notes notes = { .parser = e };
  RccRtcpPacket packet;
  RccXrBlock block;
  RccXr xr;

  while (rcc_rtcp_next (&compound, &packet))
    if (rcc_xr_parse (&packet, &xr)) {
      notes.reporter = xr.ssrc;
      rcc_feedback_parser_begin (e, xr.ssrc, RCC_RTCP_XR);
      while (rcc_xr_next (&xr.blocks, &block))
        note_block (&notes, &block);
    }
  if (notes.any)
    rcc_feedback_parser_end (e, notes.reporter, RCC_RTCP_XR);
}

size_t
rcc_feedback_dlrr (RccFeedback *f, RccBytes compound, RccTime now, uint8_t *out, size_t size)
{
  RccXrDlrr entries[RCC_FEEDBACK_RRTRS];
  RccRtcpPacket packet;
  size_t used;

  if (!rcc_rtcp_next (&compound, &packet) || packet.body.size < 4)
    return 0;
  for (unsigned i = 0; i < f->xr.n_rrtrs; i++) {
    /* 32 bits hold round trips of up to 18 h; nobody believes longer ones */
    const RccTime held = RCC_MIN (now - f->xr.rrtrs[i].at, 65535 * RCC_SEC);

    entries[i] = (RccXrDlrr) { f->xr.rrtrs[i].ssrc, f->xr.rrtrs[i].lrr,
      rcc_ntp_middle (rcc_ns_to_ntp (held)) };
  }
  used = rcc_xr_begin (out, size, rcc_be32 (packet.body.data));
  used = rcc_xr_dlrr_add (out, size, used, entries, f->xr.n_rrtrs);
  if (used > 0)
    f->xr.n_rrtrs = 0;
  return used;
}
