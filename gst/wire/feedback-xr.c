/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Two passes: first every block is written down at the packets it names, in whatever
 * order blocks come, then each packet is judged once.
 */
#include "wire/feedback-xr.h"

#include "wire/xr-rle.h"
#include "wire/xr-rtt.h"
#include "wire/xr-times.h"

/* A run of 65533 numbers is four bytes long: what one compound may make us look up. */
#define LOOKED_UP_MAX (RCC_FEEDBACK_STREAMS * RCC_HISTORY_SIZE)

enum {                                  /* RccSentPacket.said */
  SAID_LOST = 1 << 0, SAID_RECEIVED = 1 << 1, SAID_LATE = 1 << 2, SAID_EARLY = 1 << 3,
  SAID_WHEN = 1 << 4,
};

typedef struct {
  RccEar *ear;
  size_t n;                             /* packets named */
  uint32_t left;                        /* numbers that may still be looked up */
  uint32_t reporter;
  bool proved, impossible;              /* some that came were in flight; never left */
} Notes;

/* The oldest numbers of a long range are forgotten for certain: how many to pass over. */
static uint32_t
too_many (Notes *notes, uint32_t count)
{
  const uint32_t most = RCC_MIN (notes->left, RCC_HISTORY_SIZE);
  const uint32_t kept = RCC_MIN (count, most);

  notes->left -= kept;
  return count - kept;
}

static void
note_proof (Notes *notes, RccEarProof proof)
{
  notes->proved |= proof == RCC_EAR_PROOF;
  notes->impossible |= proof == RCC_EAR_IMPOSSIBLE;
}

/* NULL: never sent, or no room to remember that it was named. */
static RccSentPacket *
name (Notes *notes, RccHistory *history, uint16_t seq, uint8_t said)
{
  RccSentPacket *s = rcc_history_find (history, seq);

  if (said != SAID_LOST)
    note_proof (notes, rcc_ear_proof (history, seq));
  if (!s) {
    notes->ear->f->unknown_packets++;
    return NULL;
  }
  if (s->said == 0) {
    if (notes->n == RCC_TWCC_STATUSES_MAX)
      return NULL;
    notes->ear->f->xr.named[notes->n++] = s;
  }
  s->said |= said;
  return s;
}

/* Discard RLE's zero says nothing: what was lost was not discarded either. */
static void
note_rle (Notes *notes, RccHistory *history, const RccXrRle *rle)
{
  const uint8_t one = !rle->discard ? SAID_RECEIVED : rle->early ? SAID_EARLY : SAID_LATE;
  RccXrRleWalk walk;
  uint16_t seq;
  bool bit;

  rcc_xr_rle_begin (&walk, rle);
  rcc_xr_rle_skip (&walk, too_many (notes, walk.left));
  while (rcc_xr_rle_next (&walk, &seq, &bit))
    if (bit || !rle->discard)
      name (notes, history, seq, bit ? one : SAID_LOST);
}

static void
note_times (Notes *notes, RccHistory *history, const RccXrTimes *times)
{
  RccXrTimesWalk walk;
  RccSentPacket *s;
  uint32_t ticks;
  uint16_t seq;

  rcc_xr_times_begin (&walk, times);
  rcc_xr_times_skip (&walk, too_many (notes, walk.left));
  while (rcc_xr_times_next (&walk, &seq, &ticks))
    if ((s = name (notes, history, seq, SAID_WHEN)))
      s->ticks = ticks;
}

/* 4.5: of each receiver its last; the one that has waited longest makes room.  0 is the
 * time of who has none (4.4), and in an answer would mean that nobody has asked. */
static void
note_rrtr (RccEar *e, uint32_t ssrc, uint64_t ntp)
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

static void
note_block (Notes *notes, uint32_t reporter, const RccXrBlock *block)
{
  RccFeedback *f = notes->ear->f;
  RccHistory *history;
  RccXrTimes times;
  RccXrRle rle;
  uint64_t ntp;

  if (rcc_xr_rrtr_parse (block, &ntp)) {
    note_rrtr (notes->ear, reporter, ntp);
  } else if (rcc_xr_rle_parse (block, &rle)) {
    if ((history = rcc_feedback_history (f, rle.range.ssrc)))
      note_rle (notes, history, &rle);
    else
      f->reports.ignored++;
  } else if (rcc_xr_times_parse (block, &times)) {
    if ((history = rcc_feedback_history (f, times.range.ssrc)))
      note_times (notes, history, &times);
    else
      f->reports.ignored++;
  }
}

static RccTime
arrival (RccEar *e, const RccSentPacket *s)
{
  const RccReportsStream *stream = rcc_reports_find (&e->f->reports, s->packet.ssrc);

  if (!(s->said & SAID_WHEN) || !stream || stream->clock_rate == 0)
    return RCC_NEVER;
  return rcc_xr_clock_arrived (&e->f->xr.clock, (unsigned) (stream - e->f->reports.streams),
      stream->clock_rate, s->ticks, s->packet.sent);
}

/* RFC 7097 3: "Packets that appear in both report blocks [...] will be ignored": neither is
 * believed then, the other blocks are.  A packet that came too early to be buffered has
 * crossed the network in time: it is lost to the decoder, but no sign of congestion. */
static size_t
judge (RccEar *e, RccSentPacket *s, size_t n)
{
  uint8_t said = s->said;

  if ((said & SAID_LATE) && (said & SAID_EARLY))
    said &= (uint8_t) ~(SAID_LATE | SAID_EARLY);
  if (said == 0 || s->withheld)
    return n;
  return rcc_ear_judge (e, s, said & ~SAID_LOST,
      said & SAID_LATE ? RCC_FATE_LATE : 0, arrival (e, s), n);
}

void
rcc_feedback_xr (RccEar *e, RccBytes compound)
{
  Notes notes = { .ear = e, .left = LOOKED_UP_MAX };
  RccRtcpPacket packet;
  RccXrBlock block;
  bool followed;
  size_t n = 0;
  RccXr xr;

  while (rcc_rtcp_next (&compound, &packet))
    if (rcc_xr_parse (&packet, &xr)) {
      notes.reporter = xr.ssrc;
      while (rcc_xr_next (&xr.blocks, &block))
        note_block (&notes, xr.ssrc, &block);
    }
  e->f->reports.forged += notes.impossible;
  followed = notes.n > 0 && !notes.impossible
      && rcc_ear_follow (e, notes.reporter, RCC_RTCP_XR, notes.proved);
  for (size_t i = 0; i < notes.n; i++) {
    if (followed)
      n = judge (e, e->f->xr.named[i], n);
    e->f->xr.named[i]->said = 0;
  }
  rcc_ear_sort (e, n);
  rcc_ear_tell (e, n);
}

size_t
rcc_feedback_dlrr (RccFeedback *f, RccBytes compound, RccTime now, uint8_t *out, size_t size)
{
  RccXrDlrr entries[RCC_FEEDBACK_RRTRS];
  RccRtcpPacket packet;
  size_t used;

  if (f->xr.n_rrtrs == 0 || !rcc_rtcp_next (&compound, &packet) || packet.body.size < 4)
    return 0;
  for (unsigned i = 0; i < f->xr.n_rrtrs; i++) {
    /* what 32 bits cannot say, a round trip of 18 h, nobody believes either */
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
