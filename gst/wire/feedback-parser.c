/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire/feedback-parser.h"

#define TIME_MAX (INT64_MAX / 4)
#define FMT_TWCC 15
#define NEWS_LEAST 32                   /* room for so many at least */

/* A few bytes can name thousands of packets: 24 bytes can report 8191 as lost.  So bytes pay
 * for lookups.  News is free for the reporter that we listen to, as it cannot tell more news
 * than we have sent packets.  bench-reports prints the cost. */
#define LOOKUPS 32
#define LOOKUPS_PER_BYTE 3              /* who tells of arrivals needs 2 bits and a byte for each */
#define LOOKUPS_MAX 2500                /* 0.2 ms of news */

RccFeedbackParser
rcc_feedback_parser (RccFeedback *f, RccSender *sender, size_t compound_size, RccTime now)
{
  const size_t paid = RCC_MIN (LOOKUPS + LOOKUPS_PER_BYTE * compound_size, LOOKUPS_MAX);

  return (RccFeedbackParser) { .f = f, .sender = sender, .now = now, .paid = (uint32_t) paid,
    .free = (uint32_t) (LOOKUPS_MAX - paid) };
}

void
rcc_feedback_parser_begin (RccFeedbackParser *p, uint32_t ssrc, uint8_t format)
{
  const RccReporters *r = &p->f->reports.reporters;

  p->is_source = r->source.known && r->source.ssrc == ssrc && r->source.format == format;
}

static void
pay (RccFeedbackParser *p, bool news)
{
  if (p->is_source && p->free > 0 && news)
    p->free--;
  else if (p->paid > 0)
    p->paid--;
}

/* --- what a message says -------------------------------------------------- */

static RccSentPacket *
find (const RccHistory *h, const RccReportsStream *s, int64_t number)
{
  return s ? rcc_history_find (h, s->ssrc, number) : rcc_history_find_transport (h, number);
}

/* A packet that was never sent cannot have come.  At 1 Gbit/s and 0.4 s, though, more than half
 * of the 16-bit numbers are in flight. */
RccSentPacket *
rcc_feedback_parser_find (RccFeedbackParser *p, const RccReportsStream *s, uint16_t seq,
    bool received)
{
  const RccHistory *h = &p->f->history;
  const int64_t newest = s ? s->newest : h->transport.last;
  const int64_t number = s ? rcc_unwrap_peek (&s->unwrap, seq, 16)
      : rcc_history_transport (h, seq);
  RccSentPacket *packet = find (h, s, number <= newest ? number : number - 65536);

  p->impossible |= received && number > newest && !packet;
  p->proved |= received && packet && !packet->judged && !packet->unsent;
  if (!packet) {
    p->f->unknown_packets++;
    pay (p, false);
  }
  return packet;
}

void
rcc_feedback_parser_note (RccFeedbackParser *p, RccSentPacket *packet, uint8_t said)
{
  RccFeedback *f = p->f;

  pay (p, !packet->judged && (said & ~packet->said));
  if (packet->received || packet->unsent || (packet->judged && !(said & RCC_SAID_ANY_RECEIVED)))
    return;                             /* no news, whatever else is said */
  if (packet->said == 0) {
    if (f->n_news == f->news_room) {
      f->news_room = RCC_MAX (NEWS_LEAST, 2 * f->news_room);
      f->news = f->history.log.resize (f->news, f->news_room * sizeof *f->news);
      f->outcomes = f->history.log.resize (f->outcomes, f->news_room * sizeof *f->outcomes);
    }
    f->news[f->n_news++] = rcc_log_place (&f->history.log, packet);
  }
  packet->said |= said;
}

/* --- by departure --------------------------------------------------------- */

/* Most messages name packets in the order in which they left.  Heap sort needs no stack, and
 * hostile order costs no more. */
static void
sift (uint32_t *places, uint32_t first, size_t root, size_t n)
{
  for (size_t child; (child = 2 * root + 1) < n; root = child) {
    const uint32_t swap = places[root];

    if (child + 1 < n && places[child + 1] - first > places[child] - first)
      child++;
    if (places[child] - first <= swap - first)
      return;
    places[root] = places[child];
    places[child] = swap;
  }
}

static bool
is_sorted (const uint32_t *places, uint32_t first, size_t n)
{
  for (size_t i = 1; i < n; i++)
    if (places[i - 1] - first > places[i] - first)
      return false;
  return true;
}

static void
sort (uint32_t *places, uint32_t first, size_t n)
{
  if (is_sorted (places, first, n))
    return;
  for (size_t i = n / 2; i-- > 0;)
    sift (places, first, i, n);
  for (size_t i = n; i-- > 1;) {
    const uint32_t swap = places[0];

    places[0] = places[i];
    places[i] = swap;
    sift (places, first, 0, i);
  }
}

/* --- whether and how it is told ------------------------------------------- */

static bool
follow (RccFeedbackParser *p, uint32_t ssrc, uint8_t format)
{
  RccFeedback *f = p->f;

  if (p->impossible) {
    f->reports.forged++;
    return false;
  }
  switch (rcc_reporters_tells (&f->reports.reporters, ssrc, format, p->proved, p->now)) {
    case RCC_SOURCE_IGNORED:
      f->reports.ignored++;
      return false;
    case RCC_SOURCE_NEW:
      rcc_xr_clock_init (&f->xr.clock);
      f->clock.joined = false;
      return true;
    case RCC_SOURCE_SAME:
      return true;
  }
  return false;
}

/* Another reporter, or another format, has another clock.  We take its first packet to be under
 * way as long as the last one before.  So controllers hear one clock. */
static RccTime
by_one_clock (RccFeedback *f, RccTime sent, RccTime arrived)
{
  const int64_t left = (int64_t) RCC_MIN (sent, (RccTime) TIME_MAX);
  int64_t time = (int64_t) RCC_MIN (arrived, (RccTime) TIME_MAX);

  if (!f->clock.joined) {
    f->clock.shift = f->clock.known ? left + f->clock.ahead - time : 0;
    f->clock.joined = true;
  }
  time = RCC_CLAMP (time + f->clock.shift, 0, TIME_MAX);
  f->clock.ahead = time - left;
  f->clock.known = true;
  return (RccTime) time;
}

static RccTime
arrival (RccFeedback *f, const RccSentPacket *s, uint8_t said)
{
  RccTime arrived = RCC_NEVER;
  RccReportsStream *stream;

  if (said & RCC_SAID_ARRIVED)
    arrived = s->arrived;
  else if ((said & RCC_SAID_TICKS) && (stream = rcc_reports_find (&f->reports, s->key.stream))
      && stream->clock_rate > 0)
    arrived = rcc_xr_clock_arrived (&f->xr.clock, rcc_ssrcs_place (&f->reports.streams, stream),
        stream->clock_rate, s->ticks, s->key.at);
  return arrived == RCC_NEVER ? RCC_NEVER : by_one_clock (f, s->key.at, arrived);
}

/* RFC 7097 3: "Packets that appear in both report blocks [...] will be ignored".  Then neither
 * block is believed, and the others are.  A packet that came too early to be buffered has
 * crossed the network in time.  The decoder has lost it, but that is no sign of congestion. */
static uint8_t
settle (uint8_t said)
{
  return (said & RCC_SAID_LATE) && (said & RCC_SAID_EARLY)
      ? said & (uint8_t) ~(RCC_SAID_LATE | RCC_SAID_EARLY) : said;
}

/* Tells one packet's outcome once.  A packet that was reported lost and arrives after all is
 * told as received then. */
static bool
judge (RccFeedback *f, RccSentPacket *s, uint8_t format, RccPacket *packet)
{
  const uint8_t said = settle (s->said);
  const bool received = said & RCC_SAID_ANY_RECEIVED, missed = s->judged;

  if (said == 0 || s->unsent || s->received || (s->judged && !received))
    return false;
  s->judged = true;
  s->received = received;
  *packet = (RccPacket) {
    .seq = format == FMT_TWCC ? s->transport : s->key.number, .size = s->size,
    .probe = s->probe, .flags = s->flags, .ssrc = s->key.stream, .timestamp = s->timestamp,
    .sent = s->key.at, .arrived = received ? arrival (f, s, said) : RCC_NEVER,
  };
  if (received)
    packet->flags |= (said & RCC_SAID_LATE ? RCC_PACKET_LATE : 0)
        | (said & RCC_SAID_CE ? RCC_PACKET_CE : 0) | (missed ? RCC_PACKET_MISSED : 0)
        | (packet->arrived == RCC_NEVER ? RCC_PACKET_RECEIVED : 0);
  return true;
}

static RccSentPacket *
news (const RccFeedback *f, size_t i)
{
  return rcc_log_at (&f->history.log, f->news[i]);
}

/* RFC 8888 counts in 1/1024 s, transport-wide feedback in 250 us. A fast link delivers many
 * packets in that time, which look as if they came at once. So we spread what came within one
 * tick over the tick, as it left. The last tick of a message ends where the next one's begins.
 * Ticks of RFC 8888 count from each message's own time. */
static void
spread_tick (RccFeedback *f, size_t from, size_t to, RccTime tick)
{
  const RccTime at = news (f, from)->arrived, before = f->clock.reported;
  const RccTime first = news (f, from)->key.at, span = news (f, to - 1)->key.at - first;
  const RccTime width = RCC_MIN (span, tick);
  RccTime begin = at - RCC_MIN (at, width / 2), end = at + width / 2;

  if (before > begin && before < end + tick) {
    begin = before;
    end = RCC_MAX (end, before);
  }
  for (size_t i = from; i < to; i++) {
    RccSentPacket *s = news (f, i);

    if (s->said & RCC_SAID_ARRIVED)
      s->arrived = f->clock.reported = span == 0 ? begin
          : begin + (RccTime) ((double) (end - begin) * (double) (s->key.at - first) / span);
  }
}

static void
spread (RccFeedback *f, uint8_t format)
{
  const RccTime tick = format == FMT_TWCC ? 250 * RCC_USEC : RCC_SEC / 1024;
  size_t from = 0, last = 0;
  bool any = false;

  for (size_t i = 0; i <= f->n_news; i++) {
    if (i < f->n_news && !(news (f, i)->said & RCC_SAID_ARRIVED))
      continue;
    if (any && (i == f->n_news || news (f, i)->arrived != news (f, from)->arrived)) {
      spread_tick (f, from, last + 1, tick);
      any = false;
    }
    from = any ? from : i;
    last = i;
    any = true;
  }
}

static void
tell (RccFeedbackParser *p, uint8_t format)
{
  RccFeedback *f = p->f;
  size_t n = 0;

  sort (f->news, rcc_log_first (&f->history.log), f->n_news);
  if (format != RCC_RTCP_XR)
    spread (f, format);
  for (size_t i = 0; i < f->n_news; i++)
    n += judge (f, news (f, i), format, &f->outcomes[n]);
  if (n > 0)
    rcc_feedback_parser_answer (p, rcc_tell (p->sender, on_feedback, f->outcomes, n, p->now));
}

bool
rcc_feedback_parser_end (RccFeedbackParser *p, uint32_t ssrc, uint8_t format)
{
  RccFeedback *f = p->f;
  const bool followed = follow (p, ssrc, format);

  if (followed)
    tell (p, format);
  for (size_t i = 0; i < f->n_news; i++)
    news (f, i)->said = 0;
  f->n_news = 0;
  p->proved = p->impossible = false;
  return followed;
}
