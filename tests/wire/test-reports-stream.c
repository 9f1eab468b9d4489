/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "honest-receiver.h"
#include "reports-rig.h"

static void
a_report_is_told (void)
{
  RccUpdate u;

  start ();
  rcc_reports_clock_rate (&r, MEDIA, 90000);
  u = hear_from (PEER, &good, 1, START + 1080 * RCC_MSEC);
  g_assert_cmpuint (u.changed, ==, RCC_TARGET | RCC_STOP);
  g_assert_cmpuint (notes.reports, ==, 1);
  g_assert_cmphex (notes.report.ssrc, ==, MEDIA);
  g_assert_cmphex (notes.report.reporter, ==, PEER);
  g_assert_cmpint (notes.report.highest_seq, ==, 65589);
  g_assert_cmpint (notes.report.lost, ==, 9);
  g_assert_cmpuint (notes.report.expected, ==, 0);
  g_assert_cmpfloat (notes.report.fraction_lost, ==, 25 / 256.0);
  g_assert_cmpuint (notes.report.jitter, ==, RCC_MSEC);
  g_assert_cmpuint (notes.report.rtt, ==, 80 * RCC_MSEC);
  g_assert_cmpuint (notes.report.ce, ==, 0);
  good.highest_seq += 10;
  good.dlsr += SHORT (1);
  g_assert_true (believed (good, START + 2100 * RCC_MSEC));
  g_assert_cmpuint (notes.report.expected, ==, 10);
  g_assert_false (notes.report.nothing_new);
  g_assert_cmpuint (notes.report.rtt, ==, 100 * RCC_MSEC);
  g_assert_cmpuint (r.rtt.smoothed, ==, 84 * RCC_MSEC);
  good.dlsr += SHORT (1);
  g_assert_true (believed (good, START + 3100 * RCC_MSEC));
  g_assert_cmpuint (notes.report.expected, ==, 0);
  g_assert_true (notes.report.nothing_new);
}

/* C9 */
static void
what_never_was_is_refused (void)
{
  RccReportBlock b;

  start ();
  b = good, b.highest_seq = 65600;      /* one more than was sent */
  g_assert_true (refused (b, START + 2 * RCC_SEC));
  b.highest_seq = 65599 + 30000;
  g_assert_true (refused (b, START + 2 * RCC_SEC));
  b = good, b.lsr++;
  g_assert_true (refused (b, START + 2 * RCC_SEC));
  b = good, b.lsr += SHORT (3);
  g_assert_true (refused (b, START + 2 * RCC_SEC));
  b = good, b.lsr -= SHORT (3600);
  g_assert_true (refused (b, START + 2 * RCC_SEC));
  b = good, b.dlsr = SHORT (2.1);
  g_assert_true (refused (b, START + 2 * RCC_SEC));
  b.dlsr = UINT32_MAX;
  g_assert_true (refused (b, START + 2 * RCC_SEC));
  b = good, b.dlsr = 0;                 /* a minute on the way */
  g_assert_true (refused (b, START + 61 * RCC_SEC));
  g_assert_cmpuint (r.forged, ==, 8);
  g_assert_cmpuint (r.rtt.refused, ==, 6);
  g_assert_true (believed (good, START + 2 * RCC_SEC));
  b = good, b.lsr--, b.dlsr = 0;        /* before the first, but that was echoed */
  g_assert_true (refused (b, START + 2 * RCC_SEC));
}

/* C9: odd, but it may be so. */
static void
what_may_be_is_believed (void)
{
  RccReportBlock b;

  start ();
  b = good, b.fraction = 255, b.lost = -1, b.jitter = UINT32_MAX;
  g_assert_true (believed (b, START + 2 * RCC_SEC));
  b.dlsr += SHORT (0.5), b.lost = 0x7fffff;
  g_assert_true (believed (b, START + 2 * RCC_SEC));
  g_assert_cmpint (notes.report.lost, ==, 0x7fffff);
  b.dlsr += SHORT (0.1), b.lost = -0x800000;
  g_assert_true (believed (b, START + 2 * RCC_SEC));
  b.highest_seq++, b.lsr = b.dlsr = 0;
  g_assert_true (believed (b, START + 3 * RCC_SEC));
  g_assert_cmpuint (notes.report.rtt, ==, RCC_NEVER);
}

/* The peer counts fast, or the link is one room: no round trip, no forgery. */
static void
a_clock_that_runs_fast_is_tolerated (void)
{
  start ();
  good.dlsr = SHORT (2.015);
  g_assert_true (believed (good, START + 2 * RCC_SEC));
  g_assert_cmpuint (notes.report.rtt, ==, 0);
}

/* The forward path is cut: for minutes the peer has one SR to echo while we send more
 * than are remembered, and more packets than half a wrap. */
static void
a_cut_path_stays_believed (void)
{
  RccTime now = START + RCC_SEC;

  start ();
  for (guint i = 0; i < 60; i++) {
    g_assert_true (believed (good, now + 50 * RCC_MSEC));
    g_assert_cmpuint (notes.report.rtt, ==, 50 * RCC_MSEC);
    g_assert_cmpint (notes.report.highest_seq, ==, 65589);
    sent (MEDIA, 65600 + i * 5000, 5000, now);
    for (guint k = 0; k < 50; k++)
      sr_sent (MEDIA, now + k * 100 * RCC_MSEC);
    now += 5 * RCC_SEC;
    good.dlsr += SHORT (5);
  }
  g_assert_cmpuint (r.forged + r.stale + r.duplicates, ==, 0);
  g_assert_cmpuint (r.rtt.samples, ==, 60);
}

/* Far down a queue at 4000 packets a second: 40000 packets behind, but on the move. */
static void
far_behind_is_believed (void)
{
  start ();
  g_assert_true (believed (good, START + RCC_SEC));
  for (guint i = 0; i < 20; i++) {
    sent (MEDIA, 65600 + i * 4000, 4000, START + i * RCC_SEC);
    good.highest_seq += 2000;
    good.dlsr += 100;
    g_assert_true (believed (good, START + (i + 2) * RCC_SEC));
    g_assert_cmpint (notes.report.highest_seq, ==, 65589 + 2000 * (i + 1));
    g_assert_cmpuint (notes.report.expected, ==, 2000);
  }
  good.highest_seq++;                   /* a step is one packet at least */
  good.dlsr += 100;
  g_assert_true (believed (good, START + 22 * RCC_SEC));
  g_assert_cmpuint (notes.report.expected, ==, 1);
}

/* How often the peer saw the number wrap is its own affair. */
static void
a_late_joiner_has_fewer_wraps (void)
{
  start ();
  sent (MEDIA, 65600, 200000, START);
  good.highest_seq = (65599 + 200000) & 0xffff;
  g_assert_true (believed (good, START + 2 * RCC_SEC));
  g_assert_cmpint (notes.report.highest_seq, ==, 65599 + 200000);
}

/* C12 */
static void
copies_are_not_told_twice (void)
{
  start ();
  g_assert_true (believed (good, START + 2 * RCC_SEC));
  for (guint i = 1; i <= 10; i++) {
    g_assert_false (believed (good, START + (2 + i) * RCC_SEC));
    g_assert_cmpuint (notes.rtcps, ==, 1);      /* RTCP came in all the same */
    g_assert_true (notes.rtcp.about_us);
    g_assert_cmpuint (r.duplicates, ==, i);
  }
  g_assert_cmpuint (r.rtt.samples, ==, 1);
  good.dlsr++;                          /* nothing new arrived there: that is news */
  g_assert_true (believed (good, START + 20 * RCC_SEC));
}

static void
copies_without_an_echo_are_near (void)
{
  start ();
  good.lsr = good.dlsr = 0;
  g_assert_true (believed (good, START));
  g_assert_false (believed (good, START + 499 * RCC_MSEC));
  g_assert_true (believed (good, START + 500 * RCC_MSEC));
  g_assert_cmpuint (r.duplicates, ==, 1);
}

/* rtpsession reports with each of its SSRCs, the later ones about no packets. */
static void
one_receiver_of_two_names_is_heard_once (void)
{
  start ();
  g_assert_true (believed (good, START + 2 * RCC_SEC));
  good.fraction = 0;
  hear_from (PEER + 1, &good, 1, START + 2 * RCC_SEC);
  g_assert_cmpuint (notes.reports, ==, 0);
  g_assert_cmpuint (r.duplicates, ==, 1);
}

static void
overtaken_reports_are_stale (void)
{
  RccReportBlock second, third;

  start ();
  second = good, second.highest_seq++, second.dlsr += SHORT (0.2);
  third = second, third.dlsr += SHORT (0.2);
  g_assert_true (believed (third, START + 2 * RCC_SEC));
  g_assert_false (believed (second, START + 2 * RCC_SEC));
  g_assert_false (believed (good, START + 2 * RCC_SEC));
  g_assert_cmpuint (r.stale, ==, 2);
  g_assert_cmpuint (notes.rtcps, ==, 1);
  good.lsr = good.dlsr = 0;
  g_assert_false (believed (good, START + 2 * RCC_SEC));
  g_assert_cmpuint (r.stale, ==, 3);
  g_assert_cmpuint (rcc_reports_find (&r, MEDIA)->from[0].last.dlsr, ==, third.dlsr);
}

/* With an echo that says that it was made later, at once; else after a while. */
/* By the count alone. */
static void
without_an_echo_fewer_packets_are_stale (void)
{
  start ();
  good.lsr = good.dlsr = 0;
  g_assert_true (believed (good, START + 2 * RCC_SEC));
  good.highest_seq--;
  g_assert_false (believed (good, START + 2 * RCC_SEC));
  g_assert_cmpuint (r.stale, ==, 1);
}

static void
a_receiver_that_began_anew_is_believed (void)
{
  RccTime now = START + 6 * RCC_SEC;
  RccReportBlock b;

  start ();
  g_assert_true (believed (good, START + 2 * RCC_SEC));
  b = good, b.highest_seq -= 50, b.dlsr = SHORT (3);
  g_assert_true (believed (b, START + 4 * RCC_SEC));
  b.highest_seq -= 10, b.lsr = sr_sent (MEDIA, START + 5 * RCC_SEC), b.dlsr = 0;
  g_assert_true (believed (b, START + 5 * RCC_SEC));
  b.lsr = 0;
  for (guint i = 0; i < 5; i++, now += 2 * RCC_SEC) {
    b.highest_seq--;
    g_assert_false (believed (b, now));
  }
  g_assert_true (believed (b, now));
  g_assert_cmpuint (r.stale, ==, 5);
}

/* Our clock is set back by an hour: SRs go by when they left. */
static void
a_clock_set_back_stales_nothing (void)
{
  RccRtcpReport sr = { .ssrc = MEDIA, .is_sr = true };
  guint8 bytes[64];

  start ();
  g_assert_true (believed (good, START + 2 * RCC_SEC));
  sr.ntp = NTP - (G_GUINT64_CONSTANT (3600) << 32);
  rcc_reports_rtcp_sent (&r, (RccBytes) { bytes,
          rcc_rtcp_build_sr (bytes, sizeof bytes, &sr, NULL, 0) }, START + 3 * RCC_SEC);
  good.lsr = rcc_ntp_middle (sr.ntp);
  good.highest_seq -= 20;               /* and the peer begins anew */
  g_assert_true (believed (good, START + 4100 * RCC_MSEC));
  g_assert_cmpuint (notes.report.rtt, ==, 100 * RCC_MSEC);
}

/* Before SRs are seen the wall clock does; a bad sample is no bad report. */
static void
the_wall_clock_refuses_no_report (void)
{
  guint8 bytes[64];
  gsize size;

  start_empty ();
  sent (MEDIA, 0, 100, START);
  good = (RccReportBlock) { .ssrc = MEDIA, .highest_seq = 50, .lsr = SHORT (10) };
  for (guint i = 0; i < 3; i++, good.highest_seq++, good.lsr += SHORT (10)) {
    size = rcc_rtcp_build_rr (bytes, sizeof bytes, PEER, &good, 1);
    notes.rtcps = 0;
    rcc_reports_rtcp (&r, (RccBytes) { bytes, size }, SHORT (10.5), START + RCC_SEC,
        &notes.sender);
    g_assert_cmpuint (notes.rtcps, ==, 1);
    g_assert_cmpuint (notes.report.rtt, ==, i ? RCC_NEVER : RCC_SEC / 2);
  }
  g_assert_cmpuint (notes.reports, ==, 3);
  g_assert_cmpuint (r.rtt.refused, ==, 2);
}

/* An SR is its SSRC's: nobody echoes it for another stream. */
static void
srs_are_of_one_stream (void)
{
  start ();
  for (guint i = 1; i < RCC_REPORTS_STREAMS; i++)
    sent (MEDIA + i, 0, 100, START);
  for (guint n = 0; n < 60; n++)        /* every 50 ms, in turn, off by a tick */
    for (guint i = 0; i < RCC_REPORTS_STREAMS; i++)
      sr_sent (MEDIA + i, START + (n * 50 + i) * RCC_MSEC);
  for (guint i = 0; i < RCC_REPORTS_STREAMS; i++) {
    const RccReportBlock b = { .ssrc = MEDIA + i, .highest_seq = i ? 9 : 65589,
      .lsr = rcc_ntp_middle (NTP + rcc_ns_to_ntp (i * RCC_MSEC)) };

    g_assert_true (believed (b, START + 3 * RCC_SEC));
    g_assert_cmpuint (notes.report.rtt, ==, 3 * RCC_SEC - i * RCC_MSEC);
  }
  good.highest_seq++, good.dlsr = 0;
  good.lsr = rcc_ntp_middle (NTP + rcc_ns_to_ntp (RCC_MSEC));
  g_assert_true (refused (good, START + 3 * RCC_SEC));
}

/* Two receivers behind one address: neither makes the other's reports late. */
static void
receivers_do_not_overtake_each_other (void)
{
  start ();
  g_assert_true (believed (good, START + 2 * RCC_SEC));
  good.highest_seq -= 40;
  good.dlsr -= 1000;
  hear_from (PEER + 1, &good, 1, START + 2 * RCC_SEC);
  g_assert_cmpuint (notes.reports, ==, 1);
  g_assert_cmphex (notes.report.reporter, ==, PEER + 1);
  g_assert_cmpuint (notes.report.expected, ==, 0);
  g_assert_cmpuint (r.stale, ==, 0);
}

/* Beyond the table the one silent for longest makes room. */
static void
the_longest_silent_receiver_makes_room (void)
{
  static const guint32 order[] = { 0, 1, 2, 3, 0, 2, 4 }, known[] = { 0, 2, 3, 4 };
  const RccReportsStream *s;

  start ();
  for (guint i = 0; i < G_N_ELEMENTS (order); i++) {
    good.dlsr += SHORT (0.1);
    hear_from (PEER + order[i], &good, 1, START + 2 * RCC_SEC + i * 100 * RCC_MSEC);
    g_assert_cmpuint (notes.reports, ==, 1);
  }
  s = rcc_reports_find (&r, MEDIA);
  g_assert_cmpuint (s->n_from, ==, RCC_REPORTS_FROM);
  for (guint k = 0; k < G_N_ELEMENTS (known); k++) {
    guint found = 0;

    for (guint i = 0; i < s->n_from; i++)
      found += s->from[i].reporter == PEER + known[k];
    g_assert_cmpuint (found, ==, 1);
  }
}

/* Who has echoed an SR of ours is known from then on; a count is not enough beside that. */
static void
an_echo_outranks_a_count (void)
{
  start ();
  g_assert_true (believed (good, START + 2 * RCC_SEC));
  good.lsr = good.dlsr = 0;
  hear_from (PEER + 1, &good, 1, START + 2 * RCC_SEC);
  g_assert_cmpuint (notes.reports, ==, 0);
  g_assert_cmpuint (r.reporters.unproven, ==, 1);
  good.highest_seq++;
  hear_from (PEER + 1, &good, 1, START + 3 * RCC_SEC);
  g_assert_cmpuint (notes.reports, ==, 0);
  g_assert_true (believed (good, START + 3 * RCC_SEC));
}

/* Late ones do not add up over hours. */
static void
a_believed_report_ends_a_stale_spell (void)
{
  RccReportBlock late;

  start ();
  late = good, late.highest_seq -= 10, late.dlsr -= 1000;
  g_assert_true (believed (good, START + 2 * RCC_SEC));
  g_assert_false (believed (late, START + 2 * RCC_SEC));
  for (guint i = 0; i < 3; i++) {
    good.highest_seq++;
    good.dlsr += SHORT (9);
    g_assert_true (believed (good, START + (11 + 9 * i) * RCC_SEC));
    g_assert_false (believed (late, START + (11 + 9 * i) * RCC_SEC));
  }
  g_assert_cmpuint (r.stale, ==, 4);
}

/* Believed by the wall clock, then SRs are seen to leave, but no longer arrive. */
static void
an_echo_once_believed_stays_so (void)
{
  start_empty ();
  sent (MEDIA, 65500, 100, START);
  good = (RccReportBlock) { .ssrc = MEDIA, .highest_seq = 65589,
    .lsr = rcc_ntp_middle (NTP) - SHORT (50), .dlsr = SHORT (50) };
  for (guint i = 0; i < 100; i++) {
    if (i >= 4)
      sr_sent (MEDIA, START + i * 5 * RCC_SEC);
    g_assert_true (believed (good, START + i * 5 * RCC_SEC));
    good.dlsr += SHORT (5);
  }
  good.lsr++;
  g_assert_true (refused (good, START + 500 * RCC_SEC));
}

/* The wall clock is for sessions of which no SR is seen at all, whatever time is echoed: it may
 * be just before NTP's middle wraps. */
static void
one_streams_sr_ends_the_wall_clock (void)
{
  for (guint i = 0; i < 18; i++) {
    const RccReportBlock b = { .ssrc = MEDIA + 1, .highest_seq = 50,
      .lsr = i < 17 ? -(SHORT (0.25) << i) : SHORT (10) };
    guint8 bytes[64];

    start ();
    sent (MEDIA + 1, 0, 100, START);
    rcc_reports_rtcp (&r, (RccBytes) { bytes,
            rcc_rtcp_build_rr (bytes, sizeof bytes, PEER, &b, 1) }, b.lsr + SHORT (0.5),
        START + RCC_SEC, &notes.sender);
    g_assert_cmpuint (notes.reports, ==, 1);
    g_assert_cmpuint (notes.report.rtt, ==, RCC_NEVER);
  }
}

/* What a path does, and what came of it. */
typedef struct {
  const gchar *name;
  gdouble loss, duplicates;
  gint delay, jitter, rr_jitter;        /* ms */
  gint drift;                           /* ppm */
  guint rr, sr;                         /* longest interval, ms */
  gboolean restarts;                    /* the receiver, with the same SSRC */
  gdouble samples;                      /* of the reports told, so many have an RTT at least */
} Path;

static const Path paths[] = {
  { "calm", 0, 0, 20, 0, 0, 0, 5000, 5000, FALSE, 0.95 },
  { "lossy", 0.3, 0.1, 50, 200, 200, 200, 2000, 3000, FALSE, 0.95 },
  { "reordering", 0.05, 0.3, 10, 500, 3000, 0, 500, 1000, FALSE, 0.95 },
  { "bloated", 0.05, 0.02, 2500, 500, 2500, -200, 300, 100, FALSE, 0.9 },
  { "many-srs", 0.05, 0.02, 2500, 500, 2500, -200, 300, 50, FALSE, 0 },
  { "in-one-room", 0, 0, 0, 0, 0, 500, 1000, 20000, FALSE, 0.9 },
  { "restarting", 0.1, 0.05, 40, 100, 100, 0, 1000, 2000, TRUE, 0.9 },
};

#define MODEL_PACKETS 100000

/* Ten minutes at 166 packets a second; every minute some seconds of nothing, either
 * way.  Not one honest block is refused, and only what was overtaken or doubled on
 * the way is not told. */
static void
an_honest_receiver_is_believed (gconstpointer data)
{
  const Path *path = data;
  Honest h = { .loss = path->loss, .duplicates = path->duplicates,
    .delay = (RccTime) path->delay * RCC_MSEC, .jitter = (RccTime) path->jitter * RCC_MSEC,
    .rr_jitter = (RccTime) path->rr_jitter * RCC_MSEC,
    .drift = path->drift * 1e-6, .source.ssrc = MEDIA,
    .path = g_sequence_new (g_free) };
  RccTime now = START, rr = START, sr = START, restart = START + 45 * RCC_SEC;
  /* the middle 32 bits of NTP time wrap half-way */
  guint64 ntp = (G_GUINT64_CONSTANT (0xe800ffff) << 32) - (G_GUINT64_CONSTANT (300) << 32);
  guint heard = 0, reported = 0, late = 0, newest = 0;
  g_autofree guint8 *seen = g_new0 (guint8, 200000);
  gdouble worst = 0;
  Flying f;

  rcc_rng_init (&h.rng, SEED, 9);
  start_empty ();
  for (guint i = 0; i < MODEL_PACKETS; i++, now += 6 * RCC_MSEC) {
    const gboolean cut = (now / RCC_SEC) % 60 < 7;

    sent (MEDIA, 65000 + i, 1, now);
    h.loss = cut ? 1 : path->loss;
    honest_send (&h, (Flying) { .kind = IS_PACKET, .seq = (guint16) (65000 + i) }, now);
    if (now >= sr) {
      const RccRtcpReport report = { .ssrc = MEDIA, .is_sr = true,
        .ntp = ntp + rcc_ns_to_ntp (now - START) };
      guint8 bytes[64];

      rcc_reports_rtcp_sent (&r, (RccBytes) { bytes,
              rcc_rtcp_build_sr (bytes, sizeof bytes, &report, NULL, 0) }, now);
      honest_send (&h, (Flying) { .kind = IS_SR, .ntp = rcc_ntp_middle (report.ntp) }, now);
      sr = now + (RccTime) ((0.5 + honest_chance (&h) / 2) * path->sr) * RCC_MSEC;
    }
    if (path->restarts && now >= restart) {
      h.source.any = FALSE;
      h.source.lsr = 0;
      restart += 45 * RCC_SEC;
    }
    h.loss = (now / RCC_SEC) % 60 < 3 ? 1 : path->loss;
    if (now >= rr) {
      honest_report (&h, now);
      rr = now + (RccTime) ((0.5 + honest_chance (&h) / 2) * path->rr) * RCC_MSEC;
    }
    while (honest_arrival (&h, now, &f)) {
      const gboolean news = believed (f.block, now);

      g_assert_cmpuint (notes.rtcps, ==, 1);
      heard++;
      reported += news;
      if (news && notes.report.rtt != RCC_NEVER)
        worst = MAX (worst, (gdouble) notes.report.rtt / RCC_SEC);
      if (!news) {                      /* doubled, or overtaken by a later one */
        late++;
        g_assert_true (seen[f.number] || f.number < newest);
      }
      g_assert_cmpuint (f.number, <, 200000);
      seen[f.number] = 1;
      newest = MAX (newest, f.number);
    }
  }
  g_test_message ("%-12s %5u heard, %5u told, %u copies, %u overtaken, %u forged; "
      "%u RTTs up to %.3f s, %u unknown", path->name, heard, reported, (guint) r.duplicates,
      (guint) r.stale, (guint) r.forged, (guint) r.rtt.samples, worst, (guint) r.rtt.refused);
  g_assert_cmpuint (r.forged, ==, 0);
  g_assert_cmpuint (r.ignored, ==, 0);
  g_assert_cmpuint (reported + late, ==, heard);
  g_assert_cmpuint (r.duplicates + r.stale, ==, late);
  g_assert_cmpuint (reported, >, 100);
  g_assert_cmpfloat ((gdouble) r.rtt.samples, >=, reported * path->samples);
  g_assert_cmpfloat (worst, <=, (2 * path->delay + path->jitter + path->rr_jitter + 40) / 1000.0);
  g_sequence_free (h.path);
}

/* Of the last 2 to 4 s in which anything was sent. */
static void
numbers_are_recent_for_a_while (void)
{
  RccReportsStream s;
  gint64 newest = 0;

  rcc_reports_stream_init (&s, MEDIA);
  for (guint i = 0; i < 3000; i++) {
    rcc_reports_stream_sent (&s, (guint16) i, START + i * 10 * RCC_MSEC);
    newest = s.newest;
    if (i < 800)
      continue;
    g_assert_true (rcc_reports_stream_is_recent (&s, newest));
    g_assert_true (rcc_reports_stream_is_recent (&s, newest - 199));
    g_assert_false (rcc_reports_stream_is_recent (&s, newest - 401));
    g_assert_false (rcc_reports_stream_is_recent (&s, newest + 1));
  }
  /* a pause makes nothing old */
  rcc_reports_stream_sent (&s, 3000, START + 3600 * RCC_SEC);
  g_assert_true (rcc_reports_stream_is_recent (&s, newest - 199));
}

/* Of a receiver's other SSRC: a copy says all the same, and what differs in anything is news. */
static void
what_differs_is_no_copy (void)
{
  for (guint i = 0; i < 9; i++) {
    RccReportBlock b;

    start ();
    good.lsr = sr_sent (MEDIA, START + RCC_SEC);
    b = good;
    b.highest_seq += i == 1 ? 1 : i == 2 ? -1 : 0;
    b.lost += i == 3 ? 1 : i == 4 ? -1 : 0;
    b.dlsr += i == 5 ? 1 : i == 6 ? -1 : 0;
    if (i == 7)
      b.lsr = sr_sent (MEDIA, START + RCC_SEC + 100 * RCC_MSEC);
    if (i == 8)                         /* the SR before it */
      b.lsr = sr_sent (MEDIA, START + RCC_SEC - 100 * RCC_MSEC);
    g_assert_true (believed (good, START + 3 * RCC_SEC));
    hear_from (PEER + 1, &b, 1, START + 3 * RCC_SEC);
    g_assert_cmpuint (r.duplicates, ==, i == 0);
    g_assert_cmpuint (notes.reports, ==, i != 0);
  }
}

/* Held for as long, it was made at the same moment: neither before nor a copy. */
static void
other_counts_of_the_same_moment_are_news (void)
{
  start ();
  g_assert_true (believed (good, START + 2 * RCC_SEC));
  good.lost++;
  g_assert_true (believed (good, START + 2 * RCC_SEC));
  good.lost--;
  good.dlsr--;
  g_assert_false (believed (good, START + 2 * RCC_SEC));
  g_assert_cmpuint (r.stale, ==, 1);
  g_assert_cmpuint (r.duplicates, ==, 0);
}

/* A number that never left is none, however far back its wraps would put it. */
static void
fewer_wraps_make_no_number_known (void)
{
  start ();
  g_assert_true (believed (good, START + 2 * RCC_SEC));
  for (guint32 ahead = 65600; ahead < 65600 + 200; ahead += 10) {
    RccReportBlock b = good;

    b.highest_seq = ahead & 0xffff;
    b.dlsr += SHORT (0.1);
    g_assert_true (refused (b, START + 3 * RCC_SEC));
  }
}

/* A leap of up to half of all numbers is one forward (RFC 3550 A.1). */
static void
a_leap_is_followed (void)
{
  start ();
  g_assert_true (believed (good, START + RCC_SEC));
  sent (MEDIA, 65600 + 30000, 10, START + RCC_SEC);
  good.highest_seq = 65600 + 30005;
  good.dlsr += SHORT (1);
  g_assert_true (believed (good, START + 2 * RCC_SEC));
  g_assert_cmpint (notes.report.highest_seq, ==, 65600 + 30005);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, func) g_test_add_func ("/reports-stream/" path, func)
  ADD ("a-leap-is-followed", a_leap_is_followed);
  ADD ("a-report-is-told", a_report_is_told);
  ADD ("what-differs-is-no-copy", what_differs_is_no_copy);
  ADD ("other-counts-of-the-same-moment", other_counts_of_the_same_moment_are_news);
  ADD ("fewer-wraps-make-no-number-known", fewer_wraps_make_no_number_known);
  ADD ("what-never-was-is-refused", what_never_was_is_refused);
  ADD ("what-may-be-is-believed", what_may_be_is_believed);
  ADD ("a-clock-that-runs-fast-is-tolerated", a_clock_that_runs_fast_is_tolerated);
  ADD ("a-cut-path-stays-believed", a_cut_path_stays_believed);
  ADD ("far-behind-is-believed", far_behind_is_believed);
  ADD ("a-late-joiner-has-fewer-wraps", a_late_joiner_has_fewer_wraps);
  ADD ("copies-are-not-told-twice", copies_are_not_told_twice);
  ADD ("copies-without-an-echo-are-near", copies_without_an_echo_are_near);
  ADD ("one-receiver-of-two-names-is-heard-once", one_receiver_of_two_names_is_heard_once);
  ADD ("overtaken-reports-are-stale", overtaken_reports_are_stale);
  ADD ("without-an-echo-fewer-packets", without_an_echo_fewer_packets_are_stale);
  ADD ("a-receiver-that-began-anew-is-believed", a_receiver_that_began_anew_is_believed);
  ADD ("a-clock-set-back-stales-nothing", a_clock_set_back_stales_nothing);
  ADD ("the-wall-clock-refuses-no-report", the_wall_clock_refuses_no_report);
  ADD ("srs-are-of-one-stream", srs_are_of_one_stream);
  ADD ("receivers-do-not-overtake-each-other", receivers_do_not_overtake_each_other);
  ADD ("the-longest-silent-receiver-makes-room", the_longest_silent_receiver_makes_room);
  ADD ("an-echo-outranks-a-count", an_echo_outranks_a_count);
  ADD ("a-believed-report-ends-a-stale-spell", a_believed_report_ends_a_stale_spell);
  ADD ("an-echo-once-believed-stays-so", an_echo_once_believed_stays_so);
  ADD ("one-streams-sr-ends-the-wall-clock", one_streams_sr_ends_the_wall_clock);
  ADD ("numbers-are-recent-for-a-while", numbers_are_recent_for_a_while);
  for (guint i = 0; i < G_N_ELEMENTS (paths); i++) {
    g_autofree gchar *name = g_strdup_printf ("/reports-stream/honest/%s", paths[i].name);

    g_test_add_data_func (name, &paths[i], an_honest_receiver_is_believed);
  }
  return g_test_run ();
}
