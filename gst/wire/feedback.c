/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire/feedback.h"

#include <string.h>

#define PACKET_RATE_WINDOW RCC_SEC

const RccField rcc_feedback_fields[] = {
  RCC_FIELD (RccFeedback, unknown_packets, "feedback-unknown-packets", RCC_U64, ""),
  RCC_FIELDS_END,
};

void
rcc_feedback_init (RccFeedback *f, RccResize resize)
{
  memset (f, 0, sizeof *f);
  rcc_reports_init (&f->reports, resize);
  rcc_history_init (&f->history, resize);
  rcc_xr_clock_init (&f->xr.clock);
  rcc_window_init (&f->packet_rate, PACKET_RATE_WINDOW);
  f->limit_bps = UINT64_MAX;
}

void
rcc_feedback_clear (RccFeedback *f)
{
  rcc_release (f->history.log.resize, f->news);
  rcc_release (f->history.log.resize, f->outcomes);
  rcc_history_clear (&f->history);
  rcc_reports_clear (&f->reports);
}

void
rcc_feedback_reset (RccFeedback *f)
{
  const RccResize resize = f->history.log.resize;

  rcc_feedback_clear (f);
  rcc_feedback_init (f, resize);
}

const RccSentPacket *
rcc_feedback_find (RccFeedback *f, uint32_t ssrc, uint16_t seq)
{
  const RccReportsStream *s = rcc_reports_find (&f->reports, ssrc);

  return s ? rcc_history_find (&f->history, ssrc, rcc_unwrap_peek (&s->unwrap, seq, 16)) : NULL;
}

static RccReportsStream *
stream_of_next (RccFeedback *f, const RccRtp *rtp, RccTime now)
{
  RccReportsStream *s = rcc_reports_sent (&f->reports, rtp, now);

  if (s->packets == 1)
    rcc_xr_clock_forget (&f->xr.clock, rcc_ssrcs_place (&f->reports.streams, s));
  return s;
}

int64_t
rcc_feedback_sent (RccFeedback *f, const RccRtp *rtp, int twcc, const RccPacket *sent)
{
  const RccReportsStream *stream = stream_of_next (f, rtp, sent->sent);
  RccSentPacket *s = rcc_history_sent (&f->history, rtp->ssrc, stream->unwrap.last, twcc,
      sent->sent);

  s->size = sent->size;
  s->probe = sent->probe;
  s->flags = sent->flags;
  s->timestamp = rtp->timestamp;
  s->unsent_before = stream->unsent.n;
  rcc_window_add (&f->packet_rate, 1, sent->sent);
  return s->key.number;
}

void
rcc_feedback_forget_transport (RccFeedback *f)
{
  rcc_history_forget_transport (&f->history);
}

void
rcc_feedback_unsent (RccFeedback *f, const RccRtp *rtp, RccTime now)
{
  RccReportsStream *stream = stream_of_next (f, rtp, now);
  RccSentPacket *s = rcc_history_sent (&f->history, rtp->ssrc, stream->unwrap.last, -1, now);

  s->unsent = true;
  s->unsent_before = stream->unsent.n++;
}

void
rcc_feedback_clock_rate (RccFeedback *f, uint32_t ssrc, uint32_t clock_rate)
{
  rcc_reports_clock_rate (&f->reports, ssrc, clock_rate);
}

void
rcc_feedback_rtcp_sent (RccFeedback *f, RccBytes compound, RccTime now)
{
  rcc_reports_rtcp_sent (&f->reports, compound, now);
}
