/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * An RccXrReporter whose reports the sender's feedback parser hears: two streams, and what was
 * told of each of their packets.
 */
#ifndef TEST_XRREPORTER_RIG_H
#define TEST_XRREPORTER_RIG_H

#include "wire-test.h"
#include "wire/feedback-rtcp.h"
#include "wire/xr-rle.h"
#include "wire/xr-rtt.h"
#include "wire/xrreporter.h"

#define MS RCC_MSEC
#define OURS 0x11111111u
#define MEDIA 0xaaaa0000u
#define PARITY 0xbbbb0000u
#define RATE 90000
#define TICK (RCC_SEC / RATE + 1)
#define MOST 40000                      /* packets of a stream */
#define MTU 1372
#define CLOCK (7777 * RCC_SEC)          /* the receiver's, ahead of the sender's */

enum { LOST = 1, RECEIVED, LATE };      /* outcomes */

typedef struct {
  guint32 ssrc;
  guint16 first;
  guint n;                              /* sent */
  guint8 truth[MOST], reported[MOST];
  guint16 times[MOST];                  /* how often told */
  RccTime at[MOST], reported_at[MOST];
} Stream;

static RccXrReporter r;
static RccFeedback f;
static Stream media, parity;
static guint8 out[MTU];
static RccTime now;                     /* the sender's clock */
static gsize budget;
static guint compounds, reported_in_all;
static RccRng rng;

/* Numbers unwrap from the first that was sent. */
static inline RccUpdate
on_feedback (RccSender *s, const RccPacket *packets, size_t n, RccTime at)
{
  for (size_t i = 0; i < n; i++) {
    Stream *stream = packets[i].ssrc == MEDIA ? &media : &parity;
    const guint64 k = (guint64) packets[i].seq - stream->first;

    g_assert_cmpuint (k, <, stream->n);
    stream->times[k]++;
    stream->reported[k] = packets[i].flags & RCC_PACKET_LATE ? LATE
        : rcc_packet_received (&packets[i]) ? RECEIVED : LOST;
    stream->reported_at[k] = packets[i].arrived;
  }
  reported_in_all += n;
  return (RccUpdate) { 0 };
}

static const RccSenderOps ops = { .name = "notes", .on_feedback = on_feedback };
static RccSender sender = { .ops = &ops };

static inline void
start (void)
{
  rcc_xr_reporter_clear (&r);           /* of the test before */
  rcc_feedback_clear (&f);
  memset (&r, 0xa5, sizeof r);          /* init leaves nothing to chance */
  rcc_xr_reporter_init (&r, OURS, g_realloc);
  r.clock_rate = RATE;
  r.times = true;
  rcc_feedback_init (&f, g_realloc);
  memset (&media, 0, sizeof media);
  memset (&parity, 0, sizeof parity);
  media.ssrc = MEDIA;
  parity.ssrc = PARITY;
  media.first = parity.first = 65500;   /* wraps soon */
  now = 100 * RCC_SEC;
  compounds = reported_in_all = 0;
  budget = MTU;
  rcc_rng_init (&rng, SEED, 5);
}

/* Sends the next packet of @s; returns its index. */
static inline guint
leave (Stream *s)
{
  const RccRtp rtp = { .ssrc = s->ssrc, .seq = (guint16) (s->first + s->n) };

  rcc_feedback_sent (&f, &rtp, -1, &(RccPacket) { .size = 1000, .sent = now });
  rcc_feedback_clock_rate (&f, s->ssrc, RATE);
  s->truth[s->n] = LOST;
  now += MS;
  return s->n++;
}

static inline bool
arrive (Stream *s, guint k, bool late)
{
  const RccRtp rtp = { .ssrc = s->ssrc, .seq = (guint16) (s->first + k) };

  s->truth[k] = late ? LATE : RECEIVED;
  s->at[k] = now + CLOCK;
  return rcc_xr_reporter_packet (&r, &rtp, late, now + CLOCK);
}

/* @n packets that come at once, or are lost. */
static inline void
send_many (Stream *s, guint n, bool come)
{
  for (guint i = 0; i < n; i++) {
    const guint k = leave (s);

    if (come)
      arrive (s, k, false);
  }
}

/* A report as large as @size, heard by the sender; its size. */
static inline gsize
report (gsize size)
{
  const gsize n = rcc_xr_reporter_compound (&r, now + CLOCK, budget, out, size);

  g_assert_cmpuint (n, <=, size);
  g_assert_cmpuint (n % 4, ==, 0);
  if (n > 0) {
    const guint64 truncated = f.reports.truncated_bytes;

    rcc_feedback_rtcp (&f, (RccBytes) { out, n }, 0, now, &sender);
    g_assert_cmpuint (f.reports.truncated_bytes, ==, truncated);
    compounds++;
  }
  now += 20 * MS;
  return n;
}

static inline void
report_all (gsize size)
{
  for (guint i = 0; i < 200 && rcc_xr_reporter_pending (&r); i++)
    report (size);
  g_assert_false (rcc_xr_reporter_pending (&r));
}

/* Each packet told once and rightly, with its time where @timed. */
static inline void
assert_reported (const Stream *s, bool timed)
{
  for (guint k = 0; k < s->n; k++) {
    g_assert_cmpuint (s->times[k], ==, 1);
    g_assert_cmpuint (s->reported[k], ==, s->truth[k]);
    if (s->truth[k] == LOST || !timed)
      g_assert_cmpuint (s->reported_at[k], ==, RCC_NEVER);
    else
      g_assert_cmpuint (s->reported_at[k], !=, RCC_NEVER);
  }
}

static inline guint
count_of (const Stream *s, guint8 outcome)
{
  guint n = 0;

  for (guint k = 0; k < s->n; k++)
    n += s->truth[k] == outcome;
  return n;
}

/* Times are comparable, within a stream and between them. */
static inline void
assert_one_clock (const Stream *a, guint i, const Stream *b, guint k)
{
  const gint64 truth = (gint64) (a->at[i] - b->at[k]);
  const gint64 reported = (gint64) (a->reported_at[i] - b->reported_at[k]);

  g_assert_cmpint (ABS (truth - reported), <=, TICK);
}

#endif
