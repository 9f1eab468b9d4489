/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What RccXrReporter writes, as the sender's feedback parser hears it.
 */
#include <math.h>
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
static RccUpdate
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

static void
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
static guint
leave (Stream *s)
{
  const RccRtp rtp = { .ssrc = s->ssrc, .seq = (guint16) (s->first + s->n) };

  rcc_feedback_sent (&f, &rtp, -1, &(RccPacket) { .size = 1000, .sent = now });
  rcc_feedback_clock_rate (&f, s->ssrc, RATE);
  s->truth[s->n] = LOST;
  now += MS;
  return s->n++;
}

static bool
arrive (Stream *s, guint k, bool late)
{
  const RccRtp rtp = { .ssrc = s->ssrc, .seq = (guint16) (s->first + k) };

  s->truth[k] = late ? LATE : RECEIVED;
  s->at[k] = now + CLOCK;
  return rcc_xr_reporter_packet (&r, &rtp, late, now + CLOCK);
}

/* @n packets that come at once, or are lost. */
static void
send_many (Stream *s, guint n, bool come)
{
  for (guint i = 0; i < n; i++) {
    const guint k = leave (s);

    if (come)
      arrive (s, k, false);
  }
}

/* A report as large as @size, heard by the sender; its size. */
static gsize
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

static void
report_all (gsize size)
{
  for (guint i = 0; i < 200 && rcc_xr_reporter_pending (&r); i++)
    report (size);
  g_assert_false (rcc_xr_reporter_pending (&r));
}

/* Each packet told once and rightly, with its time where @timed. */
static void
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

static guint
count_of (const Stream *s, guint8 outcome)
{
  guint n = 0;

  for (guint k = 0; k < s->n; k++)
    n += s->truth[k] == outcome;
  return n;
}

/* Times are comparable, within a stream and between them. */
static void
assert_one_clock (const Stream *a, guint i, const Stream *b, guint k)
{
  const gint64 truth = (gint64) (a->at[i] - b->at[k]);
  const gint64 reported = (gint64) (a->reported_at[i] - b->reported_at[k]);

  g_assert_cmpint (ABS (truth - reported), <=, TICK);
}

static void
nothing_to_say (void)
{
  start ();
  g_assert_false (rcc_xr_reporter_pending (&r));
  g_assert_cmpuint (report (MTU), ==, 0);
  send_many (&media, 10, true);
  g_assert_cmpuint (report (MTU), >, 0);
  g_assert_false (rcc_xr_reporter_pending (&r));
  g_assert_cmpuint (report (MTU), ==, 0);
}

/* Media and parity, random loss and lateness, wraps: each packet told once and rightly. */
static void
every_packet_is_told_once (void)
{
  guint late = 0, lost = 0;

  start ();
  for (guint i = 0; i < 8000; i++) {
    Stream *s = rcc_rng_u32 (&rng) % 4 ? &media : &parity;
    const guint k = leave (s), luck = rcc_rng_u32 (&rng) % 100;

    if (luck >= 10 || k == 0)
      arrive (s, k, luck >= 95);
    late += luck >= 95;
    lost += luck < 10;
    if (i % 100 == 99)
      report (MTU);
  }
  for (guint i = 0; i < 4; i++) {       /* the last hole is one only when more came */
    arrive (&media, leave (&media), false);
    arrive (&parity, leave (&parity), false);
  }
  report_all (MTU);
  g_assert_cmpuint (late, >, 300);
  g_assert_cmpuint (lost, >, 600);
  assert_reported (&media, true);
  assert_reported (&parity, true);
  for (guint k = 1; k < parity.n; k++)
    if (parity.truth[k] != LOST && media.truth[3 * k / 2] != LOST)
      assert_one_clock (&media, 3 * k / 2, &parity, k);
  g_assert_cmpuint (r.reported_received + r.reported_lost, ==, media.n + parity.n);
  g_assert_cmpuint (r.reported_lost, ==, count_of (&media, LOST) + count_of (&parity, LOST));
  g_assert_cmpuint (r.reported_late, ==, count_of (&media, LATE) + count_of (&parity, LATE));
  g_assert_cmpuint (r.arrivals.unreported, ==, 0);
  g_assert_cmpuint (f.unknown_packets, ==, 0);
}

/* Only Loss RLE where no clock rate is known, or times are not wanted. */
static void
without_times (void)
{
  for (guint i = 0; i < 2; i++) {
    start ();
    if (i)
      r.clock_rate = 0;
    else
      r.times = false;
    send_many (&media, 50, true);
    send_many (&media, 3, false);
    send_many (&media, 10, true);
    arrive (&media, leave (&media), true);
    g_assert_cmpuint (report (MTU), <, 8 + 8 + 12 + 2 * 24);
    report_all (MTU);
    assert_reported (&media, false);
  }
}

/* Two that change places are no loss, wherever the report falls between them. */
static void
slight_reordering_is_no_loss (void)
{
  start ();
  for (guint i = 0; i < 200; i++) {
    const guint a = leave (&media), b = leave (&media), c = leave (&media);

    g_assert_false (arrive (&media, b, false));
    if (i % 5 == 1)
      report (MTU);
    g_assert_false (arrive (&media, c, false));
    if (i % 5 == 2)
      report (MTU);
    g_assert_false (arrive (&media, a, false));
    if (i % 5 == 3)
      report (MTU);
  }
  report_all (MTU);
  for (guint k = 0; k < media.n; k++) {
    g_assert_cmpuint (media.times[k], ==, 1);
    g_assert_cmpuint (media.reported[k], ==, RECEIVED);
  }
}

/* A hole at the end waits for one report, not for two. */
static void
a_hole_at_the_end_is_held_once (void)
{
  start ();
  send_many (&media, 10, true);
  send_many (&media, 1, false);
  send_many (&media, 2, true);
  report (MTU);
  g_assert_cmpuint (reported_in_all, ==, 10);
  g_assert_true (rcc_xr_reporter_pending (&r));
  report (MTU);
  g_assert_cmpuint (reported_in_all, ==, 13);
  assert_reported (&media, true);
}

/* RFC 3611 4.1: told as lost, received later, told as received: by itself. */
static void
stragglers_are_told_again (void)
{
  static const guint behind[] = { 20, 21, 22, 40, 57 };

  start ();
  for (guint i = 0; i < 100; i++) {
    bool held = false;

    leave (&media);
    for (guint k = 0; k < G_N_ELEMENTS (behind); k++)
      held |= i == behind[k];
    if (!held)
      arrive (&media, i, false);
  }
  report_all (MTU);
  g_assert_cmpuint (reported_in_all, ==, 100);
  for (guint k = G_N_ELEMENTS (behind); k > 0; k--)
    arrive (&media, behind[k - 1], k == 4);
  g_assert_true (rcc_xr_reporter_pending (&r));
  report (MTU);
  g_assert_cmpuint (reported_in_all, ==, 105);
  for (guint k = 0; k < 100; k++)
    g_assert_cmpuint (media.reported[k], ==, media.truth[k]);
  for (guint k = 0; k < G_N_ELEMENTS (behind); k++) {
    g_assert_cmpuint (media.times[behind[k]], ==, 2);
  }
  g_assert_cmpuint (r.reported_again, ==, 5);
}

/* A block for all: what is told of six, in any order, takes no more than what is told of one. */
static void
neighbouring_stragglers_are_told_together (void)
{
  static const guint orders[][6] = { { 0 }, { 0, 1, 2, 3, 4, 5 }, { 5, 4, 3, 2, 1, 0 },
    { 3, 1, 4, 0, 5, 2 } };
  gsize alone = 0;

  for (guint i = 0; i < G_N_ELEMENTS (orders); i++) {
    const guint n = i ? 6 : 1;
    gsize size;

    start ();
    send_many (&media, 20, true);
    send_many (&media, n, false);
    send_many (&media, 20, true);
    report_all (MTU);
    g_assert_cmpuint (r.reported_lost, ==, n);
    for (guint k = 0; k < n; k++)
      arrive (&media, 20 + orders[i][k], false);
    size = report (MTU);
    alone = i ? alone : size;
    g_assert_cmpuint (size, ==, alone);
    g_assert_cmpuint (r.reported_again, ==, n);
    for (guint k = 0; k < media.n; k++)
      g_assert_cmpuint (media.reported[k], ==, RECEIVED);
  }
}

/* The first copy counts, for its time and for whether it was late. */
static void
duplicates_change_nothing (void)
{
  start ();
  for (guint k = 0; k < 300; k++) {
    const bool late = k % 50 == 7;
    RccTime at;

    arrive (&media, leave (&media), late);
    at = media.at[k];
    now += MS;
    arrive (&media, k, !late);
    if (k % 40 == 0)
      report (MTU);                     /* copies before and after it was told */
    arrive (&media, k, !late);
    media.truth[k] = late ? LATE : RECEIVED;
    media.at[k] = at;
  }
  report_all (MTU);
  assert_reported (&media, true);
  for (guint k = 1; k < 300; k++)
    assert_one_clock (&media, k, &media, 0);
  g_assert_cmpuint (r.reported_again, ==, 0);
}

/* When the sender should know soon: a hole with three later numbers, and what is late. */
static void
urgency (void)
{
  guint hole;

  start ();
  send_many (&media, 5, true);
  hole = leave (&media);
  g_assert_false (arrive (&media, leave (&media), false));
  g_assert_false (arrive (&media, leave (&media), false));
  g_assert_true (arrive (&media, leave (&media), false));
  g_assert_false (arrive (&media, leave (&media), false));
  g_assert_false (arrive (&media, hole, false));
  g_assert_true (arrive (&media, leave (&media), true));
  g_assert_false (arrive (&media, media.n - 1, true));  /* a copy */
  send_many (&media, 1000, false);
  g_assert_true (arrive (&media, leave (&media), false));
}

/* An outage costs a few bytes, however long. */
static void
an_outage_is_one_report (void)
{
  start ();
  send_many (&media, 20, true);
  report_all (MTU);
  send_many (&media, 1500, false);
  send_many (&media, 20, true);
  g_assert_cmpuint (report (MTU), <, 200);
  g_assert_false (rcc_xr_reporter_pending (&r));
  assert_reported (&media, true);
  g_assert_cmpuint (r.reported_lost, ==, 1500);
}

/* More than a compound holds: told in parts, each whole in itself, in order. */
static void
what_does_not_fit_is_told_next (void)
{
  static const struct {
    gsize size;
    guint compounds;                    /* at least */
  } cases[] = { { MTU, 1 }, { 300, 2 }, { 120, 5 }, { 72, 15 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    start ();
    r.times = false;
    send_many (&media, 1, true);
    report (MTU);                       /* of a stranger not all would be looked up */
    for (guint k = 0; k < 1500; k++) {
      const guint luck = rcc_rng_u32 (&rng) % 3;

      leave (&media);
      if (luck > 0)
        arrive (&media, media.n - 1, luck > 1);
    }
    send_many (&media, 4, true);
    report_all (cases[i].size);
    assert_reported (&media, false);
    g_assert_cmpuint (compounds, >=, cases[i].compounds);
  }
}

/* There is room for outcomes, but not for all times: those are thinned, no outcome is. */
static void
times_give_way (void)
{
  static const struct {
    gsize budget;
    guint n, least, most;               /* times of 2 n packets */
  } cases[] = { { MTU, 600, 300, 340 }, { MTU, 100, 200, 200 }, { 700, 100, 100, 150 },
    { 0, 100, 3, 30 }, { 0, 2, 1, 4 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    guint timed = 0;

    start ();
    send_many (&media, cases[i].n, true);
    send_many (&parity, cases[i].n, true);
    budget = cases[i].budget;
    g_assert_cmpuint (report (MTU), <=, MAX (budget, 8 + 2 * 80));
    g_assert_false (rcc_xr_reporter_pending (&r));
    for (guint k = 0; k < cases[i].n; k++) {
      g_assert_cmpuint (media.reported[k], ==, RECEIVED);
      g_assert_cmpuint (parity.reported[k], ==, RECEIVED);
      timed += media.reported_at[k] != RCC_NEVER;
      timed += parity.reported_at[k] != RCC_NEVER;
    }
    g_assert_cmpuint (timed, >=, cases[i].least);
    g_assert_cmpuint (timed, <=, cases[i].most);
  }
}

/* Parity comes now and then: what was told of it before is no loss because it is forgotten. */
static void
a_pause_is_no_loss (void)
{
  start ();
  send_many (&parity, 10, true);
  report_all (MTU);
  for (guint i = 0; i < 10; i++) {
    now += RCC_SEC;
    send_many (&media, 50, true);
    report_all (MTU);
  }
  g_assert_false (arrive (&parity, leave (&parity), false));
  g_assert_false (arrive (&parity, leave (&parity), false));
  report_all (MTU);
  assert_reported (&parity, true);
  g_assert_cmpuint (r.reported_lost, ==, 0);
}

static void
no_room_says_nothing (void)
{
  start ();
  send_many (&media, 50, true);
  for (gsize size = 0; size < 8 + 8 + 16; size++)
    report (size);
  g_assert_cmpuint (reported_in_all, ==, 0);
  report (MTU);
  assert_reported (&media, true);
}

/* The sender starts over with the same SSRC, further back than is remembered. */
static void
numbering_restarts (void)
{
  start ();
  send_many (&media, 100, true);
  report_all (MTU);
  for (guint i = 0; i < 200; i++) {
    const RccRtp rtp = { .ssrc = MEDIA, .seq = (guint16) (40000 + i) };

    rcc_xr_reporter_packet (&r, &rtp, false, now + CLOCK);
  }
  report (MTU);
  /* three numbers in a row make a restart, of which the first two went unheard */
  g_assert_cmpuint (r.reported_received, ==, 100 + 198);
  g_assert_cmpuint (r.reported_lost, ==, 0);
}

static void
streams_make_room_for_one_another (void)
{
  start ();
  for (guint i = 0; i < 1000; i++) {
    const RccRtp rtp = { .ssrc = MEDIA + i, .seq = (guint16) i };

    rcc_xr_reporter_packet (&r, &rtp, false, now + CLOCK + i);
  }
  g_assert_cmpuint (rcc_arrivals_n (&r.arrivals), ==, RCC_SSRCS);
  for (guint i = 0; i < RCC_SSRCS; i++)
    g_assert_cmpuint (r.arrivals.streams.ssrcs[i], >=, MEDIA + 1000 - RCC_SSRCS);
  report_all (MTU);
  g_assert_cmpuint (r.reported_received, ==, RCC_SSRCS);
}

/* Nobody asks for a report for longer than numbers are remembered. */
static void
what_is_forgotten_is_counted (void)
{
  start ();
  send_many (&media, 1, true);
  report (MTU);                         /* of a stranger not all would be looked up */
  send_many (&media, 10000, true);
  report_all (MTU);
  g_assert_cmpuint (r.reported_received + r.arrivals.unreported, ==, 10001);
  g_assert_cmpuint (r.reported_received, ==, 1 + r.arrivals.log.capacity);
  g_assert_cmpuint (r.reported_lost, ==, 0);
  for (guint k = 10001 - r.arrivals.log.capacity; k < 10001; k++)
    g_assert_cmpuint (media.reported[k], ==, RECEIVED);
}

/* RRTR there, DLRR back: the sender's own answer. */
static void
the_round_trip_is_learnt (void)
{
  guint8 answer[400];
  gsize n;

  start ();
  for (guint i = 0; i < 5; i++) {
    send_many (&media, 10, true);
    now += RCC_SEC;
    report (MTU);
    n = rcc_rtcp_build_rr (answer, sizeof answer, 0x99, NULL, 0);
    now += 300 * MS;                    /* which the sender has had it for */
    n += rcc_feedback_answer (&f, (RccBytes) { answer, n }, now, answer + n,
        sizeof answer - n);
    g_assert_cmpuint (n, >, 8);
    now += 45 * MS;
    g_assert_true (rcc_xr_reporter_rtcp (&r, (RccBytes) { answer, n }, now + CLOCK));
    g_assert_cmpfloat (fabs ((double) r.rtt.last - 45e6), <, 1e5);
  }
  g_assert_cmpuint (r.rtt.samples, ==, 5);
  g_assert_cmpuint (r.rtt.refused, ==, 0);
}

static gsize
dlrr (guint8 *bytes, gsize size, guint32 about, guint32 lrr, guint32 held)
{
  const RccXrDlrr entry = { about, lrr, held };
  const gsize n = rcc_rtcp_build_rr (bytes, size, 0x99, NULL, 0);

  return n + rcc_xr_dlrr_add (bytes + n, size - n, rcc_xr_begin (bytes + n, size - n, 0x99),
      &entry, 1);
}

static void
forged_answers_are_refused (void)
{
  guint8 bytes[100];
  guint32 lrr;
  gsize n;

  start ();
  send_many (&media, 10, true);
  report (MTU);
  lrr = rcc_ntp_middle (rcc_ns_to_ntp (r.rrtr_sent));
  now += 100 * MS;
  n = dlrr (bytes, sizeof bytes, OURS + 1, lrr, 0);     /* another's */
  g_assert_false (rcc_xr_reporter_rtcp (&r, (RccBytes) { bytes, n }, now + CLOCK));
  n = dlrr (bytes, sizeof bytes, OURS, 0, 0);           /* heard none */
  g_assert_false (rcc_xr_reporter_rtcp (&r, (RccBytes) { bytes, n }, now + CLOCK));
  g_assert_cmpuint (r.rtt.refused, ==, 0);
  n = dlrr (bytes, sizeof bytes, OURS, lrr + 1, 0);     /* never was */
  g_assert_false (rcc_xr_reporter_rtcp (&r, (RccBytes) { bytes, n }, now + CLOCK));
  n = dlrr (bytes, sizeof bytes, OURS, lrr, 65536);     /* held for longer than it exists */
  g_assert_false (rcc_xr_reporter_rtcp (&r, (RccBytes) { bytes, n }, now + CLOCK));
  g_assert_cmpuint (r.rtt.refused, ==, 2);
  g_assert_cmpuint (r.rtt.samples, ==, 0);
}

/* Where we send, too, report blocks about our SRs tell as well. */
static void
our_own_srs_tell_the_round_trip (void)
{
  const RccRtcpReport sr = { .ssrc = 0x77, .is_sr = true, .ntp = UINT64_C (0x123456789abcdef0) };
  const RccReportBlock block = { .ssrc = 0x77, .lsr = 0x56789abc, .dlsr = 6554 };
  guint8 bytes[100];
  gsize n;

  start ();
  n = rcc_rtcp_build_sr (bytes, sizeof bytes, &sr, NULL, 0);
  rcc_xr_reporter_rtcp_passed (&r, (RccBytes) { bytes, n }, now + CLOCK);
  g_assert_cmpuint (r.source.ssrc, ==, 0x77);
  n = rcc_rtcp_build_rr (bytes, sizeof bytes, 0x99, &block, 1);
  g_assert_true (rcc_xr_reporter_rtcp (&r, (RccBytes) { bytes, n }, now + CLOCK + 180 * MS));
  g_assert_cmpfloat (fabs ((double) r.rtt.last - 80e6), <, 1e5);
}

/* Each of them, wherever it stands in its compound. */
static void
each_of_our_srs_is_known (void)
{
  guint8 bytes[200];
  gsize n = 0;

  start ();
  for (guint i = 0; i < 3; i++) {
    const RccRtcpReport sr = { .ssrc = 0x77, .is_sr = true, .ntp = UINT64_C (0x10000) * (5 + i) };

    n = rcc_rtcp_build_sr (bytes, sizeof bytes, &sr, NULL, 0);
    n += rcc_rtcp_build_cname (bytes + n, sizeof bytes - n, 0x77, "we");
    n += rcc_rtcp_build_rr (bytes + n, sizeof bytes - n, 0x77, NULL, 0);
    rcc_xr_reporter_rtcp_passed (&r, (RccBytes) { bytes, n }, now + CLOCK + i * 10 * MS);
  }
  for (guint i = 0; i < 3; i++) {
    const RccReportBlock block = { .ssrc = 0x77, .lsr = 5 + i };

    n = rcc_rtcp_build_rr (bytes, sizeof bytes, 0x99, &block, 1);
    g_assert_true (rcc_xr_reporter_rtcp (&r, (RccBytes) { bytes, n }, now + CLOCK + 80 * MS));
    g_assert_cmpfloat (fabs ((double) r.rtt.last - (80e6 - i * 10e6)), <, 1e5);
  }
  g_assert_cmpuint (r.rtt.samples, ==, 3);
  g_assert_cmpuint (r.rtt.refused, ==, 0);
}

/* Numbers and SSRCs that jump at random: what is written stays whole and bounded. */
static void
hostile_rtp (void)
{
  start ();
  for (guint i = 0; i < 300000; i++) {
    const RccRtp rtp = { .ssrc = MEDIA + rcc_rng_u32 (&rng) % 5,
      .seq = (guint16) rcc_rng_u32 (&rng) };
    RccBytes rest;
    RccRtcpPacket p;
    gsize n;

    rcc_xr_reporter_packet (&r, &rtp, rcc_rng_u32 (&rng) % 3 == 0, i * MS);
    if (i % 100)
      continue;
    n = rcc_xr_reporter_compound (&r, i * MS, rcc_rng_u32 (&rng) % MTU,
        out, 8 + rcc_rng_u32 (&rng) % (MTU - 8));
    for (rest = (RccBytes) { out, n }; rcc_rtcp_next (&rest, &p);) {
      RccXrBlock block;
      RccXr xr;

      if (!rcc_xr_parse (&p, &xr))
        continue;
      while (rcc_xr_next (&xr.blocks, &block))
        g_assert_true (block.body.size >= 8);
      g_assert_cmpuint (xr.blocks.size, ==, 0);
    }
    g_assert_cmpuint (rest.size, ==, 0);
  }
}

static void
hostile_rtcp (void)
{
  start ();
  send_many (&media, 10, true);
  report (MTU);
  for (guint i = 0; i < 300000; i++) {
    guint8 bytes[100], *heap;
    gsize size = dlrr (bytes, sizeof bytes, OURS,
        rcc_ntp_middle (rcc_ns_to_ntp (r.rrtr_sent)), rcc_rng_u32 (&rng));

    for (guint k = rcc_rng_u32 (&rng) % 4; k; k--)
      bytes[rcc_rng_u32 (&rng) % size] = (guint8) rcc_rng_u32 (&rng);
    size -= rcc_rng_u32 (&rng) % 8 == 0 ? rcc_rng_u32 (&rng) % size : 0;
    heap = g_memdup2 (bytes, size);     /* its own block: an over-read shows */
    rcc_xr_reporter_rtcp (&r, (RccBytes) { heap, size }, now + CLOCK);
    g_free (heap);
    g_assert_true (r.rtt.last == RCC_NEVER || r.rtt.last <= RCC_RTT_MAX);
  }
}

/* With nothing to tell yet there is no packet for our own time's sake. */
static void
a_reference_alone_is_not_sent (void)
{
  start ();
  send_many (&media, 10, true);
  report (MTU);
  now += 2 * RCC_SEC;
  send_many (&media, 1, false);
  send_many (&media, 1, true);
  g_assert_true (rcc_xr_reporter_pending (&r));
  g_assert_cmpuint (report (MTU), ==, 0);       /* the hole may yet be filled */
  g_assert_cmpuint (report (MTU), >, 0);
  g_assert_cmpuint (reported_in_all, ==, 12);
}

/* Whatever there is no room for, what is written is whole: version 2, no padding, no count. */
static void
no_room_leaves_the_rest_whole (void)
{
  for (gsize size = 32; size < 400; size += 4) {
    start ();
    for (guint k = 0; k < 200; k++) {
      Stream *s = k % 2 ? &media : &parity;
      const guint luck = rcc_rng_u32 (&rng) % 3;

      leave (s);
      if (luck > 0)
        arrive (s, s->n - 1, luck > 1);
    }
    for (guint i = 0; i < 8; i++) {
      RccBytes rest = { out, report (size) };
      RccRtcpPacket p;

      while (rcc_rtcp_next (&rest, &p))
        if (p.type == RCC_RTCP_XR)
          g_assert_cmphex (p.whole.data[0], ==, 0x80);
      g_assert_cmpuint (rest.size, ==, 0);
    }
  }
}

/* Room for one stream's news alone: they take turns. */
static void
no_stream_is_left_out_for_good (void)
{
  gsize size;

  start ();
  r.times = false;
  send_many (&media, 10, true);
  size = report (MTU);
  for (guint i = 0; i < 8; i++) {
    now += RCC_SEC;                     /* our own time is among it each time */
    send_many (&media, 4, true);
    send_many (&parity, 4, true);
    report (size);
  }
  for (guint k = 0; k < 10 + 4 * 6; k++)
    g_assert_cmpuint (media.times[k], ==, 1);
  for (guint k = 0; k < 4 * 6; k++)
    g_assert_cmpuint (parity.times[k], ==, 1);
}

/* Where we have sent SRs, an echo of none of them is no round trip. */
static void
an_echo_of_no_sr_of_ours_is_refused (void)
{
  const RccRtcpReport sr = { .ssrc = 0x77, .is_sr = true, .ntp = UINT64_C (0x123456789abcdef0) };
  const RccReportBlock block = { .ssrc = 0x77, .lsr = 0x56789abd, .dlsr = 6554 };
  guint8 bytes[100];
  gsize n;

  start ();
  n = rcc_rtcp_build_sr (bytes, sizeof bytes, &sr, NULL, 0);
  rcc_xr_reporter_rtcp_passed (&r, (RccBytes) { bytes, n }, now + CLOCK);
  n = rcc_rtcp_build_rr (bytes, sizeof bytes, 0x99, &block, 1);
  g_assert_false (rcc_xr_reporter_rtcp (&r, (RccBytes) { bytes, n }, now + CLOCK + 180 * MS));
  g_assert_cmpuint (r.rtt.samples, ==, 0);
  g_assert_cmpuint (r.rtt.refused, ==, 1);
}

/* RFC 3611 4.1: no block spans 65535 numbers; what is too far behind is counted, not told. */
static void
what_is_too_far_behind_is_given_up (void)
{
  start ();
  for (guint i = 0; i < 4; i++) {
    const RccRtp rtp = { .ssrc = MEDIA, .seq = (guint16) (i * 30000) };

    rcc_xr_reporter_packet (&r, &rtp, false, now + CLOCK);
  }
  g_assert_cmpuint (rcc_xr_reporter_compound (&r, now + CLOCK, MTU, out, MTU), >, 0);
  g_assert_cmpuint (r.arrivals.unreported, ==, 1);
}

/* RFC 3611 4.4, now and then: with the first report, then no sooner than after a second. */
static void
reference_times_are_a_second_apart (void)
{
  RccTime first[2] = { 50 * MS, 100 * RCC_SEC };

  for (guint i = 0; i < G_N_ELEMENTS (first); i++) {
    RccTime last = RCC_NEVER;
    guint n = 0;

    start ();
    for (RccTime at = first[i]; at < first[i] + 10 * RCC_SEC; at += 300 * MS) {
      const RccRtp rtp = { .ssrc = MEDIA, .seq = (guint16) (at / (300 * MS)) };
      bool any = false;
      gsize size;
      RccBytes rest;
      RccRtcpPacket p;
      RccXr xr;
      RccXrBlock block;
      guint64 ntp;

      rcc_xr_reporter_packet (&r, &rtp, false, at);
      size = rcc_xr_reporter_compound (&r, at, budget, out, sizeof out);
      rest = (RccBytes) { out, size };
      while (rcc_rtcp_next (&rest, &p))
        if (rcc_xr_parse (&p, &xr))
          while (rcc_xr_next (&xr.blocks, &block))
            any |= rcc_xr_rrtr_parse (&block, &ntp);
      if (last == RCC_NEVER)
        g_assert_cmpint (any, ==, at == first[i]);
      else
        g_assert_cmpint (any, ==, at >= last + RCC_SEC);
      last = any ? at : last;
      n += any;
    }
    g_assert_cmpuint (n, ==, 9);
  }
}

/* Numbers that begin anew: of those before nobody is told any more. */
static void
a_straggler_of_before_is_not_told (void)
{
  RccRtp rtp = { .ssrc = MEDIA };

  start ();
  for (guint i = 0; i < 100; i++)
    if (i != 90) {
      rtp.seq = (guint16) (20000 + i);
      rcc_xr_reporter_packet (&r, &rtp, false, now);
    }
  while (rcc_xr_reporter_pending (&r))
    rcc_xr_reporter_compound (&r, now, budget, out, sizeof out);
  rtp.seq = 20090;
  rcc_xr_reporter_packet (&r, &rtp, false, now);
  g_assert_true (rcc_xr_reporter_pending (&r));
  for (guint i = 0; i < 10; i++) {
    rtp.seq = (guint16) i;
    rcc_xr_reporter_packet (&r, &rtp, false, now);
  }
  while (rcc_xr_reporter_pending (&r))
    rcc_xr_reporter_compound (&r, now, budget, out, sizeof out);
  g_assert_cmpuint (r.reported_again, ==, 0);
}

/* Those that there is no room for are told by the reports that follow, each once. */
static void
stragglers_that_do_not_fit_are_told_next (void)
{
  for (gsize size = 60; size < 300; size += 12) {
    start ();
    for (guint i = 0; i < 100; i++) {
      leave (&media);
      if (i < 20 || i > 50 || i % 2 == 0)
        arrive (&media, i, false);
    }
    report_all (MTU);
    for (guint i = 21; i <= 49; i += 2)
      arrive (&media, i, i % 6 == 3);
    report_all (size);
    g_assert_cmpuint (r.reported_again, ==, 15);
    for (guint k = 0; k < 100; k++) {
      g_assert_cmpuint (media.reported[k], ==, media.truth[k]);
      g_assert_cmpuint (media.times[k], ==, k > 20 && k < 50 && k % 2 ? 2 : 1);
    }
  }
}

/* 60000 numbers back nobody is told any more; those that had come are counted. */
static void
what_is_too_far_back_is_counted (void)
{
  for (guint beyond = 0; beyond < 120; beyond += 20) {
    RccRtp rtp = { .ssrc = MEDIA };

    start ();
    for (guint i = 0; i < 100; i++) {
      rtp.seq = (guint16) i;
      rcc_xr_reporter_packet (&r, &rtp, false, now);
      rtp.ssrc = PARITY;                /* of another stream none is */
      rcc_xr_reporter_packet (&r, &rtp, false, now);
      rtp.ssrc = MEDIA;
    }
    rtp.seq = 30000;
    rcc_xr_reporter_packet (&r, &rtp, false, now);
    rtp.seq = (guint16) (60000 + beyond);
    rcc_xr_reporter_packet (&r, &rtp, false, now);
    g_assert_cmpuint (rcc_xr_reporter_compound (&r, now, budget, out, sizeof out), >, 0);
    g_assert_cmpuint (r.arrivals.unreported, ==, MIN (beyond, 100));
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, func) g_test_add_func ("/xrreporter/" name, func)
  ADD ("nothing-to-say", nothing_to_say);
  ADD ("reference-times", reference_times_are_a_second_apart);
  ADD ("too-far-back", what_is_too_far_back_is_counted);
  ADD ("stragglers-that-do-not-fit", stragglers_that_do_not_fit_are_told_next);
  ADD ("a-straggler-of-before", a_straggler_of_before_is_not_told);
  ADD ("told-once", every_packet_is_told_once);
  ADD ("without-times", without_times);
  ADD ("slight-reordering", slight_reordering_is_no_loss);
  ADD ("held-once", a_hole_at_the_end_is_held_once);
  ADD ("stragglers", stragglers_are_told_again);
  ADD ("duplicates", duplicates_change_nothing);
  ADD ("urgency", urgency);
  ADD ("outage", an_outage_is_one_report);
  ADD ("parts", what_does_not_fit_is_told_next);
  ADD ("times-give-way", times_give_way);
  ADD ("pause", a_pause_is_no_loss);
  ADD ("no-room", no_room_says_nothing);
  ADD ("restart", numbering_restarts);
  ADD ("streams", streams_make_room_for_one_another);
  ADD ("forgotten", what_is_forgotten_is_counted);
  ADD ("round-trip", the_round_trip_is_learnt);
  ADD ("forged-answers", forged_answers_are_refused);
  ADD ("own-srs", our_own_srs_tell_the_round_trip);
  ADD ("hostile-rtp", hostile_rtp);
  ADD ("hostile-rtcp", hostile_rtcp);
  ADD ("each-own-sr", each_of_our_srs_is_known);
  ADD ("neighbouring-stragglers", neighbouring_stragglers_are_told_together);
  ADD ("reference-alone", a_reference_alone_is_not_sent);
  ADD ("no-room-whole", no_room_leaves_the_rest_whole);
  ADD ("turns", no_stream_is_left_out_for_good);
  ADD ("echo-of-none", an_echo_of_no_sr_of_ours_is_refused);
  ADD ("too-far-behind", what_is_too_far_behind_is_given_up);
  return g_test_run ();
}
