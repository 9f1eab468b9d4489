/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire-test.h"
#include "core/seq.h"
#include "twcc-statuses.h"

#define STATUSES RCC_TWCC_STATUSES_MAX
#define TICK 250
#define STEP 64000                      /* one reference step, us */

static RccTwccStatus in[3 * STATUSES], out[TWCC_STATUSES_ROOM];

static gboolean
parses (const guint8 *data, gsize size, RccTwcc *twcc)
{
  const RccRtcpPacket packet = only_packet (data, size);

  return twcc_statuses (&packet, twcc, out);
}

/* @text: ticks after the reference, "-" for lost, of the first statuses. */
static void
assert_statuses (const guint8 *data, gsize size, guint n, const char *text)
{
  char **words = g_strsplit (text, " ", -1);
  RccTwcc twcc;

  g_assert_true (parses (data, size, &twcc));
  g_assert_cmpuint (twcc.n_statuses, ==, n);
  g_assert_cmpuint (twcc.base_seq, ==, 5);
  g_assert_cmpuint (g_strv_length (words), <=, n);
  for (guint i = 0; words[i]; i++) {
    g_assert_cmpint (out[i].received, ==, !g_str_equal (words[i], "-"));
    if (out[i].received)
      g_assert_cmpint (out[i].arrived_us - (gint64) twcc.reference * STEP, ==,
          TICK * g_ascii_strtoll (words[i], NULL, 10));
  }
  g_strfreev (words);
}

static void
assert_refused (const guint8 *data, gsize size)
{
  RccTwcc twcc;

  g_assert_false (parses (data, size, &twcc));
}

static void
c7_status_count (void)
{
  assert_refused (ALL (twcc_c7_status_count_0));
  assert_statuses (ALL (twcc_c7_status_count_1), 1, "4");
  assert_statuses (ALL (twcc_c7_status_count_2048), 2048, "- - -");
  assert_statuses (ALL (twcc_c7_status_count_2049), 2049, "- - -");
  assert_refused (ALL (twcc_c7_status_count_65535));
  assert_refused (ALL (twcc_c7_length_short));
}

static void
c7_run_length (void)
{
  assert_statuses (ALL (twcc_c7_run_8191), 3, "1 3 6");
  assert_statuses (ALL (twcc_c7_run_8191_n_times), 2048, "- - -");
  assert_statuses (ALL (twcc_c7_run_0), 1, "4");
}

static void
c7_symbol_3 (void)
{
  assert_statuses (ALL (twcc_c7_symbol_3), 2, "4 8");
  assert_refused (ALL (twcc_c7_symbol_3_first));
  assert_refused (ALL (twcc_c7_symbol_3_run));
}

static void
c7_delta_missing (void)
{
  assert_statuses (ALL (twcc_c7_delta_missing), 2, "4 12");
  assert_statuses (ALL (twcc_c7_large_delta_half), 1, "4");
  assert_refused (ALL (twcc_c7_no_delta));
  assert_statuses (ALL (twcc_c7_no_delta_after_lost), 1, "-");
  assert_refused (ALL (twcc_c7_chunks_end_early));
}

static void
c7_delta_limits (void)
{
  assert_statuses (ALL (twcc_c7_delta_minus_32768), 2, "10 -32758");
  assert_statuses (ALL (twcc_c7_delta_32767), 2, "10 32777");
}

static void
c7_truncated_at_every_word (void)
{
  guint8 data[sizeof twcc_gstreamer_two_bit];

  for (guint words = 1; words < sizeof data / 4; words++) {
    RccTwcc twcc;

    memcpy (data, twcc_gstreamer_two_bit, sizeof data);
    rcc_put16 (data + 2, (guint16) (words - 1));
    if (parses (data, 4 * words, &twcc))
      g_assert_cmpuint (twcc.n_statuses, <, 23);
    else
      g_assert_cmpuint (words, <, 8);   /* the last chunk ends in the eighth word */
  }
}

static gint32
reference_of (const guint8 *data, gsize size)
{
  RccTwcc twcc;

  g_assert_true (parses (data, size, &twcc));
  g_assert_cmpint (out[0].arrived_us, ==, (gint64) twcc.reference * STEP + 1000);
  return twcc.reference;
}

static void
c7_reference_time (void)
{
  RccUnwrap u = { 0 };

  g_assert_cmpint (reference_of (ALL (twcc_c7_reference_0)), ==, 0);
  g_assert_cmpint (reference_of (ALL (twcc_c7_reference_max)), ==, 0x7fffff);
  g_assert_cmpint (reference_of (ALL (twcc_c7_reference_2_23)), ==, -0x800000);
  /* forward over the wrap, and back */
  g_assert_cmpint (rcc_unwrap (&u, 0x7fffff, 24), ==, 0x7fffff);
  g_assert_cmpint (rcc_unwrap (&u, (guint32) -0x800000, 24), ==, 0x800000);
  g_assert_cmpint (rcc_unwrap (&u, (guint32) -1, 24), ==, 0xffffff);
  g_assert_cmpint (rcc_unwrap (&u, 0, 24), ==, 0x1000000);
  g_assert_cmpint (rcc_unwrap (&u, (guint32) -1, 24), ==, 0xffffff);
}

/* base_seq and fb_count are handed out as they are: the history judges them. */
static void
c7_base_jumps_and_counts (void)
{
  static const guint16 bases[] = { 5, 6, 6 + 32767, 6, 6 + 32768, 65535, 0 };
  static const guint8 counts[] = { 7, 7, 9, 254, 255, 0, 1 };
  guint8 data[sizeof twcc_c7_status_count_1];
  RccTwcc twcc;

  memcpy (data, twcc_c7_status_count_1, sizeof data);
  for (gsize i = 0; i < G_N_ELEMENTS (bases); i++) {
    rcc_put16 (data + 12, bases[i]);
    data[19] = counts[i];
    g_assert_true (parses (ALL (data), &twcc));
    g_assert_cmpuint (twcc.base_seq, ==, bases[i]);
    g_assert_cmpuint (twcc.fb_count, ==, counts[i]);
  }
}

/* Made by rtpbin of GStreamer 1.22.0 out of calls with 6 % loss; the sending
 * rtpbin read the same statuses out of them. */
static void
gstreamer_feedback (void)
{
  RccTwcc twcc;

  g_assert_true (parses (ALL (twcc_gstreamer_one_bit), &twcc));
  g_assert_cmphex (twcc.sender_ssrc, ==, 0x17796c35);
  g_assert_cmphex (twcc.media_ssrc, ==, 0xb433b31a);
  g_assert_cmpuint (twcc.base_seq, ==, 164);
  g_assert_cmpuint (twcc.n_statuses, ==, 43);
  g_assert_cmpint (twcc.reference, ==, 5918359);
  g_assert_cmpuint (twcc.fb_count, ==, 3);
  for (guint i = 0; i < 43; i++)
    g_assert_cmpint (out[i].received, ==, i != 5 && i != 8 && i != 30);
  g_assert_cmpint (out[0].arrived_us, ==, G_GINT64_CONSTANT (378774994500));
  g_assert_cmpint (out[9].arrived_us, ==, G_GINT64_CONSTANT (378775028000));
  g_assert_cmpint (out[42].arrived_us, ==, G_GINT64_CONSTANT (378775128000));

  g_assert_true (parses (ALL (twcc_gstreamer_two_bit), &twcc));
  g_assert_cmpuint (twcc.base_seq, ==, 165);
  g_assert_cmpuint (twcc.n_statuses, ==, 23);
  for (guint i = 0; i < 23; i++)
    g_assert_cmpint (out[i].received, ==, i != 4 && i != 7);
  g_assert_cmpint (out[6].arrived_us, ==, G_GINT64_CONSTANT (378778194500));
  g_assert_cmpint (out[8].arrived_us, ==, G_GINT64_CONSTANT (378778361250));
  g_assert_cmpint (out[13].arrived_us, ==, G_GINT64_CONSTANT (378778361250));
  g_assert_cmpint (out[14].arrived_us, ==, G_GINT64_CONSTANT (378778528000));
  g_assert_cmpint (out[22].arrived_us, ==, G_GINT64_CONSTANT (378778694500));
}

/* Sends in[0..n) in as many messages of @size bytes as it takes; what arrives must
 * be the same, each time within half a tick.  Returns the number of messages. */
static guint
exchange (guint n, gsize size)
{
  guint8 data[9000];
  guint messages = 0, sent = 0;

  g_assert_cmpuint (size, <=, sizeof data);
  while (sent < n) {
    const RccTwcc head = { .sender_ssrc = 1, .media_ssrc = 2,
      .base_seq = (guint16) (65000 + sent), .fb_count = (guint8) messages };
    guint done = 0;
    const gsize length = rcc_twcc_build (data, size, &head, in + sent, n - sent, &done);
    RccTwcc twcc;

    g_assert_cmpuint (length, <=, size);
    g_assert_cmpuint (done, >, 0);
    g_assert_true (parses (data, length, &twcc));
    g_assert_true (twcc.sender_ssrc == 1 && twcc.media_ssrc == 2
        && twcc.base_seq == head.base_seq && twcc.fb_count == head.fb_count);
    g_assert_cmpuint (twcc.n_statuses, ==, done);
    for (guint i = 0; i < done; i++) {
      g_assert_cmpint (out[i].received, ==, in[sent + i].received);
      if (out[i].received)
        g_assert_cmpint (ABS (out[i].arrived_us - in[sent + i].arrived_us), <=, TICK / 2);
    }
    sent += done;
    messages++;
  }
  return messages;
}

/* Losses in bursts, arrivals out of order, gaps: of a kind that @r picks. */
static void
random_arrivals (RccRng *r, guint n)
{
  const double loss = rcc_rng_u32 (r) % 3 * 0.15 + 0.01;
  const double burst = rcc_rng_u32 (r) % 2 ? 1 : 40;
  const double spacing = rcc_rng_u32 (r) % 2 ? 2000 : 60000;
  const double jitter = rcc_rng_u32 (r) % 2 ? 100 : 100000;
  gint64 now = (gint64) (random64 (r) % (G_GUINT64_CONSTANT (1) << 38));
  gint64 lost = 0;

  for (guint i = 0; i < n; i++) {
    now += (gint64) rcc_rng_exponential (r, spacing);
    if (rcc_rng_u32 (r) % 500 == 0)
      now += 9 * G_USEC_PER_SEC;        /* more than a delta can say */
    if (lost == 0 && rcc_rng_uniform (r) < loss / burst)
      lost = 1 + (gint64) rcc_rng_exponential (r, burst);
    in[i] = (RccTwccStatus) { lost == 0, now + (gint64) (jitter * rcc_rng_normal (r)) };
    lost -= lost > 0;
  }
}

static void
round_trip (void)
{
  RccRng r;

  rcc_rng_init (&r, SEED, 8);
  for (guint i = 0; i < 3000; i++) {
    const guint n = 1 + rcc_rng_u32 (&r) % (i % 10 ? 300 : 3 * STATUSES);

    random_arrivals (&r, n);
    exchange (n, 24 + rcc_rng_u32 (&r) % 1500);
  }
}

static void
arrive_every (guint n, gint64 first, gint64 step)
{
  for (guint i = 0; i < n; i++)
    in[i] = (RccTwccStatus) { true, first + i * step };
}

static void
deltas_at_the_limits (void)
{
  static const gint64 steps[] = { 0, 255, 256, -1, 32767, -32768 };

  for (gsize i = 0; i < G_N_ELEMENTS (steps); i++) {
    arrive_every (20, G_GINT64_CONSTANT (1) << 32, steps[i] * TICK);
    g_assert_cmpuint (exchange (20, 1000), ==, 1);
  }
  arrive_every (20, G_GINT64_CONSTANT (1) << 32, 32768 * TICK);
  g_assert_cmpuint (exchange (20, 1000), ==, 20);
  arrive_every (20, G_GINT64_CONSTANT (1) << 32, -32769 * TICK);
  g_assert_cmpuint (exchange (20, 1000), ==, 20);
}

/* What was lost before a delta that does not fit is still said. */
static void
ends_before_a_delta_that_does_not_fit (void)
{
  guint8 data[100];
  guint done;

  arrive_every (4, 0, 0);
  in[1].received = in[2].received = false;
  in[3].arrived_us = 32768 * TICK;
  g_assert_cmpuint (rcc_twcc_build (ALL (data), &(RccTwcc) { 0 }, in, 4, &done), ==, 24);
  g_assert_cmpuint (done, ==, 3);
}

static void
rounding_does_not_add_up (void)
{
  arrive_every (STATUSES, 124, 1124);        /* a tick and a half of remainder each */
  g_assert_cmpuint (exchange (STATUSES, 9000), ==, 1);
}

static void
before_the_zero_of_time (void)
{
  arrive_every (100, -5000000, 70001);
  g_assert_cmpuint (exchange (100, 1000), ==, 1);
}

/* 12.4 days: over the sign of 24 bits, and over their end. */
static void
reference_wraps (void)
{
  static const gint64 wraps[] = { 0x800000, 0x1000000 };
  guint8 data[100];
  guint done;
  RccTwcc twcc;

  for (gsize i = 0; i < 2; i++) {
    RccUnwrap u = { .last = wraps[i] - 100, .valid = true };

    for (gint64 step = -2; step < 3; step++) {
      arrive_every (3, (wraps[i] + step) * STEP + 250, 40000);
      g_assert_cmpuint (rcc_twcc_build (ALL (data), &(RccTwcc) { 0 }, in, 3, &done), >, 0);
      g_assert_cmpuint (done, ==, 3);
      g_assert_true (parses (data, 28, &twcc));
      g_assert_cmpint (rcc_unwrap (&u, (guint32) twcc.reference, 24), ==, wraps[i] + step);
      for (guint k = 0; k < 3; k++)
        g_assert_cmpint (out[k].arrived_us + (u.last - twcc.reference) * STEP, ==,
            in[k].arrived_us);
    }
  }
}

static void
nothing_arrived (void)
{
  guint8 data[100];
  RccTwcc twcc;
  guint done;

  memset (in, 0, sizeof in);
  g_assert_cmpuint (rcc_twcc_build (ALL (data), &(RccTwcc) { .reference = -3 }, in, 500, &done),
      ==, 24);
  g_assert_cmpuint (done, ==, 500);
  g_assert_true (parses (data, 24, &twcc));
  g_assert_cmpint (twcc.reference, ==, -3);
  g_assert_cmpuint (twcc.n_statuses, ==, 500);
  g_assert_cmpuint (rcc_twcc_build (ALL (data), &(RccTwcc) { 0 }, in, 0, &done), ==, 0);
  g_assert_cmpuint (rcc_twcc_build (data, 23, &(RccTwcc) { 0 }, in, 5, &done), ==, 0);
  g_assert_cmpuint (done, ==, 0);
}

/* Chunks of the message in @data, counted without the code under test. */
static guint
count_chunks (const guint8 *data)
{
  const guint claimed = rcc_be16 (data + 14);
  guint covered = 0, n;

  for (n = 0; covered < claimed; n++) {
    const guint16 chunk = rcc_be16 (data + 20 + 2 * n);

    covered += !(chunk & 0x8000) ? chunk & 0x1fff : chunk & 0x4000 ? 7 : 14;
  }
  return n;
}

/* The fewest chunks that any choice would need, by dynamic programming. */
static guint
fewest_chunks (guint n)
{
  static guint best[STATUSES + 1];
  guint8 symbols[STATUSES];
  gint64 last = -1;

  for (guint i = 0; i < n; i++) {
    symbols[i] = !in[i].received ? 0 : last < 0
        || (in[i].arrived_us >= last && in[i].arrived_us - last <= 255 * TICK) ? 1 : 2;
    last = in[i].received ? in[i].arrived_us : last;
  }
  best[n] = 0;
  for (guint i = n; i-- > 0;) {
    guint run = 1, small = 0;

    while (i + run < n && symbols[i + run] == symbols[i])
      run++;
    while (i + small < n && small < 14 && symbols[i + small] < 2)
      small++;
    best[i] = 1 + MIN (best[i + run], best[MIN (n, i + 7)]);
    if (small == 14 || i + small == n)
      best[i] = MIN (best[i], 1 + best[i + small]);
  }
  return best[0];
}

/* Greedy, but within 1 % of the fewest chunks over every kind of loss and jitter. */
/* 20 bytes, a chunk and a delta, on the word. */
static void
no_room_for_a_status (void)
{
  guint8 data[24], before[24];
  guint done = 9;

  memset (data, 0xee, sizeof data);
  memcpy (before, data, sizeof data);
  arrive_every (1, 0, 0);
  for (gsize size = 0; size < sizeof data; size++) {
    g_assert_cmpuint (rcc_twcc_build (data, size, &(RccTwcc) { 0 }, in, 1, &done), ==, 0);
    g_assert_cmpuint (done, ==, 0);
    g_assert_cmpmem (data, sizeof data, before, sizeof before);
  }
  g_assert_cmpuint (rcc_twcc_build (ALL (data), &(RccTwcc) { 0 }, in, 0, &done), ==, 0);
  g_assert_cmpuint (rcc_twcc_build (ALL (data), &(RccTwcc) { 0 }, in, 1, &done), ==, 24);
  g_assert_cmpuint (done, ==, 1);
}

static void
chunks_are_compact (void)
{
  guint used = 0, possible = 0, done;
  guint8 data[9000];
  RccRng r;

  arrive_every (100, 0, TICK);
  rcc_twcc_build (ALL (data), &(RccTwcc) { 0 }, in, 100, &done);
  g_assert_cmpuint (count_chunks (data), ==, 1);        /* a run */
  in[3].received = in[10].received = false;
  rcc_twcc_build (ALL (data), &(RccTwcc) { 0 }, in, 100, &done);
  g_assert_cmpuint (count_chunks (data), ==, 2);        /* 14 bits, a run */
  in[40].arrived_us += STEP;
  rcc_twcc_build (ALL (data), &(RccTwcc) { 0 }, in, 100, &done);
  g_assert_cmpuint (count_chunks (data), ==, 4);        /* ..., 7 times 2 bits, a run */

  rcc_rng_init (&r, SEED, 9);
  for (guint i = 0; i < 2000; i++) {
    const guint n = 1 + rcc_rng_u32 (&r) % 300;

    random_arrivals (&r, n);
    for (guint k = 0; k < n; k++)
      in[k].arrived_us -= in[k].arrived_us % TICK;
    rcc_twcc_build (ALL (data), &(RccTwcc) { 0 }, in, n, &done);
    possible += fewest_chunks (done);
    used += count_chunks (data);
  }
  g_test_message ("%u chunks where %u are possible", used, possible);
  g_assert_cmpuint (used, >=, possible);
  g_assert_cmpuint (used, <=, possible * 101 / 100);
}

/* Up to a word with zeros (3.1): a header, a chunk, and a byte for each packet. */
static void
what_fills_the_word_is_zero (void)
{
  for (guint n = 1; n <= 7; n++) {
    const gsize used = 20 + 2 + n, size = (used + 3) / 4 * 4;
    guint8 data[40];
    guint done;

    memset (data, 0xee, sizeof data);
    arrive_every (n, 0, TICK);
    g_assert_cmpuint (rcc_twcc_build (ALL (data), &(RccTwcc) { 0 }, in, n, &done), ==, size);
    for (gsize i = used; i < size; i++)
      g_assert_cmpuint (data[i], ==, 0);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/twcc/c7-status-count", c7_status_count);
  g_test_add_func ("/twcc/c7-run-length", c7_run_length);
  g_test_add_func ("/twcc/c7-symbol-3", c7_symbol_3);
  g_test_add_func ("/twcc/c7-delta-missing", c7_delta_missing);
  g_test_add_func ("/twcc/c7-delta-limits", c7_delta_limits);
  g_test_add_func ("/twcc/c7-truncated-at-every-word", c7_truncated_at_every_word);
  g_test_add_func ("/twcc/c7-reference-time", c7_reference_time);
  g_test_add_func ("/twcc/c7-base-jumps-and-counts", c7_base_jumps_and_counts);
  g_test_add_func ("/twcc/gstreamer-feedback", gstreamer_feedback);
  g_test_add_func ("/twcc/round-trip", round_trip);
  g_test_add_func ("/twcc/deltas-at-the-limits", deltas_at_the_limits);
  g_test_add_func ("/twcc/ends-before-a-delta-that-does-not-fit",
      ends_before_a_delta_that_does_not_fit);
  g_test_add_func ("/twcc/rounding-does-not-add-up", rounding_does_not_add_up);
  g_test_add_func ("/twcc/before-the-zero-of-time", before_the_zero_of_time);
  g_test_add_func ("/twcc/reference-wraps", reference_wraps);
  g_test_add_func ("/twcc/nothing-arrived", nothing_arrived);
  g_test_add_func ("/twcc/chunks-are-compact", chunks_are_compact);
  g_test_add_func ("/twcc/no-room-for-a-status", no_room_for_a_status);
  g_test_add_func ("/twcc/what-fills-the-word-is-zero", what_fills_the_word_is_zero);
  return g_test_run ();
}
