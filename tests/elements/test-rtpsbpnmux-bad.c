/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * R1 to R4 and T1 at rtpsbpnmux's sink pads, and C1 to C9 at its RTCP pad: packets leave
 * with their content, are counted, and the stream beside them goes on; RTCP passes byte
 * for byte, and the target keeps within its limits.
 */
#include "mux-rig.h"

#include "../fuzz/mutator.h"

#define MUTANTS 50000
#define SEED_NUMBER 12
#define OURS 9                          /* the SSRC of which the vectors speak */
#define MIN_BPS 100000
#define MAX_BPS 3000000

/* --- RTP ------------------------------------------------------------------ */

typedef struct {
  const gchar *name;
  guint n;
  guint16 jump, step;           /* of the numbers: before the first, and between */
  guint16 reversed;             /* backwards in blocks of so many; 0: not */
  guint32 ssrcs;                /* so many in turn; 0: the same */
  guint32 timestamp;            /* added to each */
  GstClockTime pts;
} Row;

static const Row rows[] = {
  {.name = "gap 1",.n = 10,.jump = 1,.step = 1},
  {.name = "gap 32767",.n = 10,.jump = 32767,.step = 1},
  {.name = "gap 32768",.n = 10,.jump = 32768,.step = 1},
  {.name = "gap 65535",.n = 10,.jump = 65535,.step = 1},
  {.name = "one number for ever",.n = 300},
  {.name = "backwards",.n = 300,.step = 65535},
  {.name = "reorder 2",.n = 100,.step = 1,.reversed = 2},
  {.name = "reorder 1000",.n = 1000,.step = 1,.reversed = 1000},
  {.name = "3 SSRCs",.n = 90,.step = 1,.ssrcs = 3},
  {.name = "5000 SSRCs",.n = 5000,.step = 1,.ssrcs = 5000},
  {.name = "timestamp back",.n = 100,.step = 1,.timestamp = -3000u},
  {.name = "timestamp leaps",.n = 100,.step = 1,.timestamp = 0x80000000u},
  {.name = "no PTS",.n = 10,.step = 1,.pts = GST_CLOCK_TIME_NONE},
  {.name = "largest PTS",.n = 10,.step = 1,.pts = GST_CLOCK_TIME_NONE - 1},
};

/* Speech that goes on, whatever the pictures do. */
static void
assert_speech (Rig *rig, guint n)
{
  guint found = 0;
  guint16 next = 65500;

  for (guint i = 0; i < rig_left (rig); i++)
    if (rig_nth (rig, i).ssrc == SSRC_OF (AUDIO)) {
      fail_unless_equals_int (rig_nth (rig, i).seq, next);
      next++;
      found++;
    }
  fail_unless_equals_int (found, n);
}

TEST_EACH (test_row, G_N_ELEMENTS (rows))
{
  const Row *row = &rows[__i__];
  g_autoptr (Rig) rig = rig_new (2, NULL);
  guint16 seq = (guint16) (65530 + row->jump);
  guint speech = 0;

  rig->seq[VIDEO] = 65529;
  rig_push (rig, VIDEO, 200);
  for (guint i = 0; i < row->n; i++, seq = (guint16) (seq + row->step)) {
    const guint block = row->reversed ? i / row->reversed * row->reversed : 0;
    const guint16 number = row->reversed
        ? (guint16) (seq - i + block + row->reversed - 1 - (i - block)) : seq;
    const guint32 ssrc = SSRC_OF (VIDEO) + (row->ssrcs ? (i % row->ssrcs) << 16 : 0);
    GstBuffer *buffer = rig_packet (ssrc, number, i * row->timestamp, TRUE, 200);

    GST_BUFFER_PTS (buffer) = row->pts;
    fail_unless_equals_int (rig_push_buffer (rig, VIDEO, buffer), GST_FLOW_OK);
    fail_unless_equals_int (rig_nth (rig, rig_left (rig) - 1).was, number);
    fail_unless_equals_int (rig_nth (rig, rig_left (rig) - 1).seq, number);     /* none falls */
    if (i % 10 == 0) {
      rig_push (rig, AUDIO, 100);
      speech++;
    }
    rig_go (rig, GST_MSECOND);
  }
  fail_unless_equals_uint64 (rig_stat (rig, "packets-sent"), row->n + speech + 1);
  if (row->ssrcs < 1000)                /* else speech's numbering was forgotten */
    assert_speech (rig, speech);
  rig_assert_conserved (rig);
}

/* Headers that end beyond the packet, of one memory, of many, of none; some paced. */
TEST_EACH (test_headers, 10)
{
  g_autoptr (Rig) rig = rig_new (2, "mode", __i__ % 5, NULL);
  RccRng rng;
  guint speech = 0;

  pad_set (rig, VIDEO, "expiry", GST_CLOCK_TIME_NONE);
  pad_set (rig, AUDIO, "expiry", GST_CLOCK_TIME_NONE);
  if (__i__ >= 5)
    rig_target (rig, 2000000);
  rcc_rng_init (&rng, 3, (guint) __i__);
  for (guint i = 0; i < 3000; i++) {
    const guint size = rcc_rng_u32 (&rng) % (i % 100 ? 40 : 60000);
    const guint parts = rcc_rng_u32 (&rng) % 4;
    GstBuffer *buffer = gst_buffer_new ();

    for (guint k = 0; k < parts; k++) {
      GstBuffer *part = gst_buffer_new_allocate (NULL, size, NULL);

      gst_buffer_memset (part, 0, (guint8) rcc_rng_u32 (&rng), -1);
      gst_buffer_memset (part, 0, (guint8) (0x80 | (rcc_rng_u32 (&rng) & 0x3f)), 1);
      buffer = gst_buffer_append (buffer, part);
    }
    if (rcc_rng_u32 (&rng) % 2)
      GST_BUFFER_FLAG_SET (buffer, 1u << (rcc_rng_u32 (&rng) % 24)
          & ~(guint) GST_MINI_OBJECT_FLAG_LAST);
    fail_unless_equals_int (rig_push_buffer (rig, VIDEO, buffer), GST_FLOW_OK);
    if (i % 10 == 0) {
      rig_push (rig, AUDIO, 100);
      speech++;
    }
    if (i % 50 == 0) {
      rig_go (rig, 100 * GST_MSECOND);
      rig_assert_conserved (rig);
    }
  }
  g_object_set (rig->e, "max-size-time", G_GUINT64_CONSTANT (0), NULL);
  rig_target (rig, G_MAXUINT);
  wait_for (rig_stat (rig, "queue-packets") == 0);
  rig_settle (rig);
  fail_unless (pad_stat (rig, VIDEO, "rtp-malformed") > 100);
  fail_unless_equals_uint64 (pad_stat (rig, AUDIO, "rtp-malformed"), 0);
  if (__i__ < 5)
    assert_speech (rig, speech);
  rig_assert_conserved (rig);
}

/* The clock leaps an hour, or another takes its place: no burst, and it goes on. */
TEST (test_clock)
{
  g_autoptr (Rig) rig = rig_new (2, NULL);
  GstTestClock *other;
  guint before;

  pad_set (rig, VIDEO, "expiry", GST_CLOCK_TIME_NONE);
  g_object_set (rig->e, "max-size-time", G_GUINT64_CONSTANT (0), NULL);
  rig_target (rig, 800000);
  for (guint i = 0; i < 50; i++)
    rig_push (rig, VIDEO, 1000);
  rig_settle (rig);
  before = rig_left (rig);
  gst_test_clock_advance_time (rig->clock, 3600 * GST_SECOND);
  gst_test_clock_crank (rig->clock);
  rig_settle (rig);
  /* 40 ms of the rate */
  fail_unless (rig_left (rig) <= before + 4, "a burst of %u", rig_left (rig) - before);
  other = GST_TEST_CLOCK (gst_test_clock_new_with_start_time (10 * GST_SECOND));
  gst_element_set_clock (rig->e, GST_CLOCK (other));
  gst_object_unref (rig->clock);
  rig->clock = other;
  rig_go (rig, 10 * GST_SECOND);
  fail_unless_equals_int (rig_left (rig), 50);
}

/* --- RTCP ----------------------------------------------------------------- */

static void
hear (Rig *rig, const guint8 *data, gsize size)
{
  GstBuffer *in = gst_buffer_new_allocate (NULL, size, NULL), *out;
  guint64 bps;

  gst_buffer_fill (in, 0, data, size);
  fail_unless_equals_int (gst_harness_push (rig->rtcp, in), GST_FLOW_OK);
  out = gst_harness_try_pull (rig->rtcp);
  fail_unless (out != NULL && gst_buffer_get_size (out) == size);
  fail_unless (size == 0 || gst_buffer_memcmp (out, 0, data, size) == 0);
  gst_buffer_unref (out);
  bps = rig_stat (rig, "target-bitrate");
  fail_unless (bps >= MIN_BPS && bps <= MAX_BPS, "target %u", (guint) bps);
}

static void
media (Rig *rig)
{
  const guint16 seq = rig->seq[VIDEO]++;

  fail_unless_equals_int (rig_push_buffer (rig, VIDEO, rig_packet (OURS, seq, 1800u * seq,
              TRUE, 200)), GST_FLOW_OK);
  rig_go (rig, 20 * GST_MSECOND);
}

static Rig *
tfrc_new (void)
{
  static const guint8 rr[] = { 0x80, 201, 0, 1, 0, 0, 0, 1 };
  Rig *rig = rig_new (2, "rate-control", 2, "min-bitrate", MIN_BPS, "max-bitrate", MAX_BPS,
      "start-bitrate", 1000000, NULL);

  rig->timers = 1;
  rig_rtcp (rig, rr, sizeof rr);
  gst_buffer_unref (gst_harness_pull (rig->rtcp));
  return rig;
}

TEST (test_rtcp_vectors)
{
  g_autoptr (Rig) rig = tfrc_new ();

  for (guint again = 0; again < 3; again++)
    for (gsize i = 0; i < n_seeds - BUILT_MAX; i++) {
      media (rig);
      hear (rig, seeds[i].bytes.data, seeds[i].bytes.size);
      for (gsize cut = again ? seeds[i].bytes.size : 0; cut < seeds[i].bytes.size; cut++)
        hear (rig, seeds[i].bytes.data, cut);
    }
  fail_unless (rig_stat (rig, "rtcp-truncated") > 0);
  fail_unless_equals_uint64 (rig_stat (rig, "packets-sent"), rig->pushed);
}

TEST (test_rtcp_mutants)
{
  static guint8 data[SIZE_MAX_INPUT];
  g_autoptr (Rig) rig = tfrc_new ();

  for (guint i = 0; i < MUTANTS; i++) {
    if (i % 50 == 0)
      media (rig);
    hear (rig, data, mutant (SEED_NUMBER, i, data));
  }
  fail_unless (rig_stat (rig, "rtcp-ignored") > MUTANTS / 1000);
  fail_unless_equals_uint64 (rig_stat (rig, "packets-sent"), rig->pushed);
  fail_unless (rig_stat (rig, "one-way-delay-used") <= 30 * GST_SECOND);
  rig_assert_conserved (rig);
}

SUITE (rtpsbpnmux_bad)
{
  build_seeds (SEED_NUMBER);
}
