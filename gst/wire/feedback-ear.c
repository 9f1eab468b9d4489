/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire/feedback-ear.h"

#define TIME_MAX (INT64_MAX / 4)
#define FMT_TWCC 15
#define BATCH 128                       /* packets told at once */

/* A few bytes can name thousands of packets: 24 of them 8191 that were lost.  Lookups are paid
 * for by bytes; but what is new about a packet is free for who tells of packets anyway, as we
 * cannot be told more news than packets of ours.  All of a compound together: 0.2 ms. */
#define LOOKUPS 64
#define LOOKUPS_PER_BYTE 4              /* who tells of arrivals needs 2 bits and a byte for each */
#define LOOKUPS_MAX 12000

RccEar
rcc_ear (RccFeedback *f, RccSender *sender, size_t compound_size, RccTime now)
{
  const size_t paid = RCC_MIN (LOOKUPS + LOOKUPS_PER_BYTE * compound_size, LOOKUPS_MAX);

  return (RccEar) { .f = f, .sender = sender, .now = now, .paid = (uint32_t) paid,
    .free = (uint32_t) (LOOKUPS_MAX - paid) };
}

void
rcc_ear_begin (RccEar *e, uint32_t ssrc, uint8_t format)
{
  const RccReporters *r = &e->f->reports.reporters;

  e->teller = r->teller.known && r->teller.ssrc == ssrc && r->teller.format == format;
}

static void
pay (RccEar *e, bool news)
{
  if (e->teller && e->free > 0 && news)
    e->free--;
  else if (e->paid > 0)
    e->paid--;
}

/* --- what a message says ------------------------------------------------------ */

RccSentPacket *
rcc_ear_find (RccEar *e, const RccReportsStream *s, uint16_t seq, bool came)
{
  RccHistory *h = &e->f->history;
  const int64_t number = s ? rcc_unwrap_peek (&s->unwrap, seq, 16)
      : rcc_history_transport (h, seq);
  RccSentPacket *packet = s ? rcc_history_find (h, s->ssrc, number)
      : rcc_history_find_transport (h, number);

  e->impossible |= came && number > (s ? s->newest : h->transport.last);
  e->proved |= came && packet && !packet->judged && !packet->withheld;
  if (!packet) {
    e->f->unknown_packets++;
    pay (e, false);
  }
  return packet;
}

void
rcc_ear_note (RccEar *e, RccSentPacket *packet, uint8_t said)
{
  RccFeedback *f = e->f;

  pay (e, !packet->judged && (said & ~packet->said));
  if (packet->said == 0) {
    if (f->n_news == f->news_room) {
      f->news_room = RCC_MAX (64, 2 * f->news_room);
      f->news = f->history.log.resize (f->news, f->news_room * sizeof *f->news);
    }
    f->news[f->n_news++] = rcc_log_place (&f->history.log, packet);
  }
  packet->said |= said;
}

/* --- by departure ------------------------------------------------------------- */

/* Most messages name packets as they left.  Heap sort: no stack, and hostile order costs
 * nothing more. */
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

/* --- whether and how it is told ------------------------------------------------- */

static bool
follow (RccEar *e, uint32_t ssrc, uint8_t format)
{
  RccFeedback *f = e->f;

  if (e->impossible) {
    f->reports.forged++;
    return false;
  }
  switch (rcc_reporters_tells (&f->reports.reporters, ssrc, format, e->proved, e->now)) {
    case RCC_TELLER_IGNORED:
      f->reports.ignored++;
      return false;
    case RCC_TELLER_NEW:
      rcc_xr_clock_init (&f->xr.clock);
      f->clock.joined = false;
      return true;
    case RCC_TELLER_SAME:
      return true;
  }
  return false;
}

/* Another reporter, or another format, has another clock.  Its first packet is taken to be
 * as long under way as the last of who told before, so that controllers hear one clock. */
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
    arrived = rcc_xr_clock_arrived (&f->xr.clock, (unsigned) (stream - f->reports.streams),
        stream->clock_rate, s->ticks, s->key.at);
  return arrived == RCC_NEVER ? RCC_NEVER : by_one_clock (f, s->key.at, arrived);
}

/* RFC 7097 3: "Packets that appear in both report blocks [...] will be ignored": neither is
 * believed then, the other blocks are.  A packet that came too early to be buffered has
 * crossed the network in time: it is lost to the decoder, but no sign of congestion. */
static uint8_t
settle (uint8_t said)
{
  return (said & RCC_SAID_LATE) && (said & RCC_SAID_EARLY)
      ? said & (uint8_t) ~(RCC_SAID_LATE | RCC_SAID_EARLY) : said;
}

/* One packet's fate, once: a number that is reported lost and arrives later after all is told
 * as received then. */
static bool
judge (RccFeedback *f, RccSentPacket *s, uint8_t format, RccPacket *packet)
{
  const uint8_t said = settle (s->said);
  const bool came = said & RCC_SAID_CAME;

  if (said == 0 || s->withheld || s->came || (s->judged && !came))
    return false;
  s->judged = true;
  s->came = came;
  *packet = (RccPacket) {
    .seq = format == FMT_TWCC ? s->transport : s->key.number, .size = s->size,
    .probe = s->probe, .ssrc = s->key.stream, .timestamp = s->timestamp, .sent = s->key.at,
    .arrived = came ? arrival (f, s, said) : RCC_NEVER,
  };
  if (came)
    packet->probe |= (said & RCC_SAID_LATE ? RCC_FATE_LATE : 0)
        | (said & RCC_SAID_CE ? RCC_FATE_CE : 0)
        | (packet->arrived == RCC_NEVER ? RCC_FATE_CAME : 0);
  return true;
}

static void
tell (RccEar *e, uint8_t format)
{
  RccFeedback *f = e->f;
  RccPacket packets[BATCH];
  size_t n = 0;

  sort (f->news, rcc_log_first (&f->history.log), f->n_news);
  for (size_t i = 0; i < f->n_news; i++) {
    n += judge (f, rcc_log_at (&f->history.log, f->news[i]), format, &packets[n]);
    if (n == BATCH || (n > 0 && i + 1 == f->n_news)) {
      rcc_ear_answer (e, rcc_tell (e->sender, on_feedback, packets, n, e->now));
      n = 0;
    }
  }
}

bool
rcc_ear_end (RccEar *e, uint32_t ssrc, uint8_t format)
{
  RccFeedback *f = e->f;
  const bool followed = follow (e, ssrc, format);

  if (followed)
    tell (e, format);
  for (size_t i = 0; i < f->n_news; i++)
    ((RccSentPacket *) rcc_log_at (&f->history.log, f->news[i]))->said = 0;
  f->n_news = 0;
  e->proved = e->impossible = false;
  return followed;
}
