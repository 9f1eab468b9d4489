/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * R3, R4 and T1 at rtpgccsender and rtpgccreceiver, the same rows for both: a good
 * stream, what the row says, the good stream again.  Everything comes out with its
 * content, is counted, and neither estimate nor target moves by it.  The same rows, and
 * R1, at rtpcircuitbreaker, which nothing of it opens.
 */
#include "breaker-rig.h"
#include "rtpgccreceiver.h"
#include "sender-fixture.h"

#define GAP (20 * GST_MSECOND)          /* between packets */
#define MIN_BPS 100000
#define MAX_BPS 3000000
#define REMB_BPS 800000

typedef enum { SENDER, RECEIVER_ABS, RECEIVER_TIMESTAMP, N_KINDS } Kind;

static const gchar *const caps_of[] = { VIDEO_CAPS, CAPS_ABS, CAPS_PLAIN };

typedef struct {
  Kind kind;
  Fx *fx;                       /* the sender's, or */
  Fixture *f;                   /* the receiver's */
  guint16 seq;
  guint32 timestamp;
  GstClockTime sent;            /* when the next packet left */
  guint64 given;
} Rig;

typedef struct {
  const gchar *name;
  guint n;                      /* packets */
  guint16 jump;                 /* of the numbers, before the first */
  guint again;                  /* each number so often, at once; 0: once */
  gboolean stuck;               /* the same, sent again and again */
  guint reversed;               /* backwards in blocks of so many; 0: not */
  guint32 ssrc;                 /* 0: the same */
  guint8 pt;                    /* 0: the same */
  guint32 timestamp_jump;
  gboolean still;               /* the timestamp does not move */
  gboolean stamped;             /* buffers have this PTS: */
  GstClockTime pts;
  const gchar *caps;            /* NULL: none; with %s for the good ones */
  GstFormat segment;            /* of this format, an hour on; 0: none */
  gboolean gap;
} Row;

static const Row rows[] = {
  {.name = "gap 1",.n = 10,.jump = 1},
  {.name = "gap 500",.n = 10,.jump = 500},
  {.name = "gap 32767",.n = 10,.jump = 32767},
  {.name = "gap 32768",.n = 10,.jump = 32768},
  {.name = "gap 65535",.n = 10,.jump = 65535},
  {.name = "duplicates",.n = 100,.again = 2},
  {.name = "ten of each",.n = 100,.again = 10},
  {.name = "one number for ever",.n = 300,.again = 300,.stuck = TRUE},
  {.name = "reorder 1",.n = 100,.reversed = 2},
  {.name = "reorder 10",.n = 110,.reversed = 11},
  {.name = "reorder 100",.n = 202,.reversed = 101},
  {.name = "reorder 1000",.n = 1001,.reversed = 1001},
  {.name = "another SSRC",.n = 50,.ssrc = 0x55667788},
  {.name = "another payload type",.n = 50,.pt = 111},
  {.name = "timestamp 10 s back",.n = 50,.timestamp_jump = -900000u},
  {.name = "timestamp stands",.n = 100,.still = TRUE},
  {.name = "timestamp + 2^31",.n = 50,.timestamp_jump = 0x80000000u},
  {.name = "timestamp + 2^31 - 1",.n = 50,.timestamp_jump = 0x7fffffffu},
  {.name = "no PTS",.n = 50,.stamped = TRUE,.pts = GST_CLOCK_TIME_NONE},
  {.name = "PTS 0",.n = 50,.stamped = TRUE,.pts = 0},
  {.name = "largest PTS",.n = 50,.stamped = TRUE,.pts = GST_CLOCK_TIME_NONE - 1},
  {.name = "PTS before the segment",.n = 50,.segment = GST_FORMAT_TIME},
  {.name = "segment in bytes",.n = 50,.segment = GST_FORMAT_BYTES},
  {.name = "gap event",.n = 50,.gap = TRUE},
  {.name = "caps twice",.n = 50,.caps = "%s"},
  {.name = "no clock-rate",.n = 50,.caps = "application/x-rtp,media=video"},
  {.name = "clock-rate 0",.n = 50,.caps = "application/x-rtp,media=video,clock-rate=0"},
  {.name = "clock-rate -1",.n = 50,.caps = "application/x-rtp,media=video,clock-rate=-1"},
  {.name = "clock-rate in words",.n = 50,
      .caps = "application/x-rtp,media=video,clock-rate=(string)fast"},
  {.name = "smallest clock-rate",.n = 50,
      .caps = "application/x-rtp,media=video,clock-rate=-2147483648"},
};

/* --- the rig -------------------------------------------------------------- */

static GstHarness *
rig_harness (Rig *rig)
{
  return rig->fx ? rig->fx->h : rig->f->rtp;
}

static GstClockTime
rig_now (Rig *rig)
{
  return rig->fx ? fx_now (rig->fx) : rig->f->now;
}

static void
rig_advance (Rig *rig, GstClockTime span)
{
  if (rig->fx)
    fx_run (rig->fx, rig_now (rig) + span);
  else
    advance (rig->f, rig_now (rig) + span);
}

static guint
rig_rate (Rig *rig)
{
  return rig->fx ? fx_target (rig->fx) : estimate (rig->f);
}

static GstBuffer *
rig_packet (Rig *rig, const Row *row, guint16 seq, guint32 timestamp, GstClockTime sent)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, PACKET, NULL);
  const RccRtp rtp = {.pt = row->pt ? row->pt : 96,.seq = seq,.timestamp = timestamp,
    .ssrc = row->ssrc ? row->ssrc : SSRC };
  guint8 stamp[3];
  const RccRtpExt ext = { ABS_ID, sizeof stamp, stamp };
  GstMapInfo info;

  rcc_put24 (stamp, rcc_abs_send_time (sent));
  gst_buffer_memset (buffer, 0, (guint8) seq, PACKET);
  gst_buffer_map (buffer, &info, GST_MAP_WRITE);
  fail_unless (rcc_rtp_build (info.data, info.size, &rtp, &ext,
          rig->kind == RECEIVER_ABS) > 0);
  gst_buffer_unmap (buffer, &info);
  GST_BUFFER_PTS (buffer) = row->stamped ? row->pts : rig_now (rig);
  return buffer;
}

/* In, and after @span out again, the same to the last byte. */
static void
rig_pass (Rig *rig, GstBuffer *buffer, GstClockTime span)
{
  GBytes *before = bytes_of (buffer), *after;

  fail_unless_equals_int (rig->fx ? fx_push_buffer (rig->fx, buffer)
      : gst_harness_push (rig->f->rtp, buffer), GST_FLOW_OK);
  rig->given++;
  rig_advance (rig, span);
  buffer = gst_harness_try_pull (rig_harness (rig));
  fail_unless (buffer != NULL, "held back");
  after = bytes_of (buffer);
  fail_unless (g_bytes_equal (before, after), "changed on its way");
  g_bytes_unref (before);
  g_bytes_unref (after);
  gst_buffer_unref (buffer);
}

static void
rig_stream (Rig *rig, guint packets)
{
  for (; packets; packets--, rig->sent += GAP)
    rig_pass (rig, rig_packet (rig, &rows[0], rig->seq++, rig->timestamp += 1800,
            rig->sent), GAP);
}

static void
rig_remb (Rig *rig)
{
  if (rig->fx)
    fx_remb (rig->fx, REMB_BPS);
}

static Rig
rig_new (Kind kind, GstClockTime feedback_timeout)
{
  Rig rig = {.kind = kind,.seq = 1000,.timestamp = 5000000,.sent = 100 * GST_SECOND };

  if (kind == SENDER)
    rig.fx = fx_new (VIDEO_CAPS, "min-bitrate", MIN_BPS, "max-bitrate", MAX_BPS,
        "start-bitrate", REMB_BPS, "tuning",
        tuning (NO_PROBES ",feedback-timeout=%" G_GUINT64_FORMAT, feedback_timeout), NULL);
  else
    rig.f = fixture_new (caps_of[kind], "min-bitrate", "100000", "max-bitrate", "3000000",
        NULL);
  rig_stream (&rig, 10);
  rig_remb (&rig);
  rig_stream (&rig, 200);
  return rig;
}

static void
rig_free (Rig *rig)
{
  if (rig->fx)
    fx_free (rig->fx);
  else
    fixture_free (rig->f);
}

static void
rig_segment (Rig *rig, GstFormat format, guint64 start)
{
  GstSegment segment;

  gst_segment_init (&segment, format);
  segment.start = segment.position = segment.time = start;
  fail_unless (gst_harness_push_event (rig_harness (rig),
          gst_event_new_segment (&segment)));
}

static void
rig_caps (Rig *rig, const gchar *caps)
{
  gst_harness_set_src_caps_str (rig_harness (rig),
      g_str_equal (caps, "%s") ? caps_of[rig->kind] : caps);
}

/* --- R3, R4 --------------------------------------------------------------- */

static void
rig_events (Rig *rig, const Row *row)
{
  if (row->caps)
    rig_caps (rig, row->caps);
  if (row->segment)
    rig_segment (rig, row->segment, HOUR);
  if (row->gap) {
    gst_harness_push_event (rig_harness (rig), gst_event_new_gap (rig_now (rig),
            GST_CLOCK_TIME_NONE));
    gst_harness_push_event (rig_harness (rig), gst_event_new_gap (0, HOUR));
  }
}

static void
rig_row (Rig *rig, const Row *row)
{
  const guint again = MAX (row->again, 1), reversed = MAX (row->reversed, 1);
  const guint16 first = (guint16) (rig->seq + row->jump);
  const guint32 timestamp = rig->timestamp + 1800 + row->timestamp_jump;

  rig_events (rig, row);
  for (guint i = 0; i < row->n; i++) {
    const guint k = i / again;
    /* what the network repeats or delays comes at once behind what is on time */
    const gboolean at_once = rig->f && !row->stuck
        && i % (again * reversed) != again * reversed - 1;
    const guint order = k / reversed * reversed + reversed - 1 - k % reversed;
    const guint slot = row->stuck ? i : order;

    if (at_once && i % reversed == 0)
      rig_advance (rig, (reversed - 1) * GAP);
    rig_pass (rig, rig_packet (rig, row, (guint16) (first + order),
            timestamp + (row->still ? 0 : order * 1800), rig->sent + slot * GAP),
        at_once ? 0 : GAP);
  }
  rig->seq = (guint16) (first + row->n / again);
  rig->timestamp = timestamp + row->n / again * 1800;
  rig->sent += row->n / (row->stuck ? 1 : again) * GAP;
  if (row->caps)
    rig_caps (rig, "%s");
  if (row->segment)
    rig_segment (rig, GST_FORMAT_TIME, 0);
}

static void
assert_counted (Rig *rig)
{
  if (rig->fx) {
    fail_unless_equals_uint64 (fx_stat (rig->fx, "packets-sent"), rig->given);
    fail_unless_equals_uint64 (fx_stat (rig->fx, "packets-dropped"), 0);
    fail_unless_equals_uint64 (fx_stat (rig->fx, "rtp-malformed"), 0);
    fail_unless_equals_uint64 (fx_stat (rig->fx, "feedback-timeout-count"), 0);
  } else {
    fail_unless_equals_uint64 (stat_u64 (rig->f, "packets-received"), rig->given);
    fail_unless_equals_uint64 (stat_u64 (rig->f, "bytes-received"), rig->given * PACKET);
    fail_unless_equals_uint64 (stat_u64 (rig->f, "rtp-malformed"), 0);
  }
}

/* A receiver's estimate goes on with the traffic; it must not fall. */
static void
assert_unmoved (Rig *rig, guint before, const gchar *name)
{
  const guint bps = rig_rate (rig);

  if (rig->fx)
    fail_unless (bps == before, "%s: target %u after %u", name, bps, before);
  else
    fail_unless (bps >= 0.97 * before && bps <= MAX_BPS, "%s: estimate %u after %u", name,
        bps, before);
}

static void
check_row (Kind kind, const Row *row)
{
  Rig rig = rig_new (kind, HOUR);
  const guint before = rig_rate (&rig);

  fail_unless (before >= MIN_BPS && before <= MAX_BPS);
  rig_row (&rig, row);
  assert_unmoved (&rig, before, row->name);
  rig_stream (&rig, 100);
  assert_unmoved (&rig, before, row->name);
  assert_counted (&rig);
  if (rig.fx) {                 /* it still listens */
    fx_remb (rig.fx, REMB_BPS / 2);
    fail_unless_equals_int (rig_rate (&rig) / 1000, REMB_BPS / 2000);
  } else {
    fail_unless (drop_feedback (rig.f) > 0);
  }
  rig_free (&rig);
}

TEST_EACH (test_sender_row, G_N_ELEMENTS (rows))
{
  check_row (SENDER, &rows[__i__]);
}

TEST_EACH (test_receiver_abs_row, G_N_ELEMENTS (rows))
{
  check_row (RECEIVER_ABS, &rows[__i__]);
}

TEST_EACH (test_receiver_timestamp_row, G_N_ELEMENTS (rows))
{
  check_row (RECEIVER_TIMESTAMP, &rows[__i__]);
}

/* --- T1 ------------------------------------------------------------------- */

/* An hour passes on the clock between two packets, with nobody waiting for it: when
 * feedback comes as before, the target is what it was. */
TEST_EACH (test_clock_jump, N_KINDS)
{
  Rig rig = rig_new ((Kind) __i__, 5 * GST_SECOND);
  const guint before = rig_rate (&rig);

  for (guint i = 0; i < 3; i++) {
    rig_remb (&rig);
    gst_test_clock_set_time (rig.fx ? rig.fx->clock : rig.f->clock,
        rig_now (&rig) + HOUR);
    if (rig.f)
      rig.f->now += HOUR;
    for (guint k = 0; k < 10; k++) {
      rig_remb (&rig);
      rig_stream (&rig, 10);
    }
    fail_unless (rig_rate (&rig) >= 0.97 * before && rig_rate (&rig) <= MAX_BPS,
        "%u after %u", rig_rate (&rig), before);
  }
  rig_free (&rig);
}

/* This process stands still for 2 s; what came meanwhile is there at once, and so is
 * the feedback.  That is one burst and no congestion. */
TEST_EACH (test_stall, N_KINDS)
{
  Rig rig = rig_new ((Kind) __i__, 5 * GST_SECOND);
  const guint before = rig_rate (&rig);

  gst_test_clock_set_time (rig.fx ? rig.fx->clock : rig.f->clock,
      rig_now (&rig) + 2 * GST_SECOND);
  if (rig.f)
    rig.f->now += 2 * GST_SECOND;
  else
    rig.sent += 2 * GST_SECOND;
  for (guint i = 0; rig.f && i < 100; i++, rig.sent += GAP)
    rig_pass (&rig, rig_packet (&rig, &rows[0], rig.seq++, rig.timestamp += 1800,
            rig.sent), 0);
  rig_remb (&rig);
  assert_unmoved (&rig, before, "stall");
  rig_stream (&rig, 150);
  assert_unmoved (&rig, before, "after the stall");
  assert_counted (&rig);
  rig_free (&rig);
}

static void
replace_clock (Rig *rig, GstClockTime start)
{
  GstTestClock *clock = GST_TEST_CLOCK (gst_test_clock_new_with_start_time (start));

  if (rig->fx) {
    gst_element_set_clock (rig->fx->e, GST_CLOCK (clock));
    gst_object_unref (rig->fx->clock);
    rig->fx->clock = clock;
  } else {
    gst_element_set_clock (rig->f->element, GST_CLOCK (clock));
    gst_object_unref (rig->f->clock);
    rig->f->clock = clock;
    rig->f->now = start;
  }
}

/* An hour ahead, then two behind: time goes on where it was. */
TEST_EACH (test_clock_replaced, N_KINDS)
{
  static const GstClockTime starts[] = { 3700 * GST_SECOND, 10 * GST_SECOND };
  Rig rig = rig_new ((Kind) __i__, HOUR);
  const guint before = rig_rate (&rig);

  for (guint i = 0; i < G_N_ELEMENTS (starts); i++) {
    replace_clock (&rig, starts[i]);
    rig_stream (&rig, 100);
    assert_unmoved (&rig, before, "another clock");
  }
  assert_counted (&rig);
  rig_free (&rig);
}

/* --- rtpcircuitbreaker ---------------------------------------------------- */

/* As the receiver that hears all of it reports it; to be called with what was sent last. */
static void
breaker_report (Cb *cb, guint32 ssrc, guint16 last)
{
  guint8 data[64];

  cb_rtcp (cb, cb->rtcp, data, rcc_rtcp_build_rr (data, sizeof data, CB_PEER,
          &(RccReportBlock) {.ssrc = ssrc,.highest_seq = last }, 1));
  cb_expect (cb, "closed");
}

static void
breaker_pass (Cb *cb, GstBuffer *buffer)
{
  GstBuffer *out;

  fail_unless_equals_int (gst_harness_push (cb->h, buffer), GST_FLOW_OK);
  out = gst_harness_try_pull (cb->h);
  fail_unless (out == buffer, "held back or replaced");
  gst_buffer_unref (out);
}

/* @n packets of @row from number @seq on, 20 ms apart; reports each 2.5 s and behind. */
static void
breaker_row (Cb *cb, const Row *row, guint n, guint16 *seq, guint32 *timestamp)
{
  const guint again = MAX (row->again, 1), reversed = MAX (row->reversed, 1);
  const guint32 ssrc = row->ssrc ? row->ssrc : CB_SSRC;
  const guint16 first = *seq;
  guint16 newest = 0;

  for (guint i = 0; i < n; i++) {
    const guint k = i / again;
    const guint order = k / reversed * reversed + reversed - 1 - k % reversed;
    GstBuffer *buffer = rtp_packet (ssrc, (guint16) (first + order),
        *timestamp + (row->still ? 0 : 1800 * order), FALSE, 1000);

    if (row->pt)
      gst_buffer_fill (buffer, 1, &row->pt, 1);
    GST_BUFFER_PTS (buffer) = row->stamped ? row->pts : cb_now (cb);
    breaker_pass (cb, buffer);
    /* numbers that go back for seconds would be no progress (RFC 8083 4.2): all at once */
    if (i % reversed == reversed - 1)
      cb_run (cb, cb_now (cb) + reversed * GAP);
    newest = i == 0 || (gint16) (first + order - newest) > 0 ? (guint16) (first + order)
        : newest;
    if (i % 125 == 124 || i == n - 1)
      breaker_report (cb, ssrc, newest);
  }
  *seq = (guint16) (first + n / again);
  *timestamp += n / again * 1800;
}

static void
breaker_events (Cb *cb, const Row *row)
{
  GstSegment segment;

  if (row->caps)
    gst_harness_set_src_caps_str (cb->h, g_str_equal (row->caps, "%s") ? CB_CAPS
        : row->caps);
  if (row->segment) {
    gst_segment_init (&segment, row->segment);
    segment.start = segment.position = segment.time = HOUR;
    fail_unless (gst_harness_push_event (cb->h, gst_event_new_segment (&segment)));
  }
  if (row->gap)
    gst_harness_push_event (cb->h, gst_event_new_gap (cb_now (cb), HOUR));
}

static void
breaker_was_unmoved (Cb *cb, guint malformed)
{
  cb_expect (cb, "closed");
  cb_no_message (cb);
  cb_no_event (cb);
  fail_unless_equals_uint64 (cb_stat (cb, "packets-dropped"), 0);
  fail_unless_equals_uint64 (cb_stat (cb, "rtp-malformed"), malformed);
  fail_unless_equals_uint64 (cb_stat (cb, "rtcp-forged"), 0);
  cb_open_by_silence (cb);      /* it still watches */
}

TEST_EACH (test_breaker_row, G_N_ELEMENTS (rows))
{
  const Row *row = &rows[__i__];
  g_autoptr (Cb) cb = cb_new ("media-usability", TRUE, NULL);
  guint16 seq = 1000;
  guint32 timestamp = 5000000;

  breaker_row (cb, &(Row) { 0 }, 1000, &seq, &timestamp);
  breaker_events (cb, row);
  seq = (guint16) (seq + row->jump);
  timestamp += row->timestamp_jump;
  breaker_row (cb, row, row->n, &seq, &timestamp);
  if (row->caps)
    gst_harness_set_src_caps_str (cb->h, CB_CAPS);
  breaker_row (cb, &(Row) { 0 }, 1000, &seq, &timestamp);
  cb->streams[0].seq = seq;
  breaker_was_unmoved (cb, 0);
}

/* R1: what is no RTP, or hardly; all of it passes as it is. */
TEST (test_breaker_malformed)
{
  static const struct
  {
    guint8 first;               /* byte of the header */
    gsize size;
    gboolean malformed;
  } heads[] = {
    {0x80, 0, TRUE}, {0x80, 1, TRUE}, {0x80, 11, TRUE}, {0x00, 100, TRUE},
    {0x40, 100, TRUE}, {0xc0, 100, TRUE}, {0x8f, 12, TRUE}, {0x8f, 71, TRUE},
    {0x8f, 72, FALSE}, {0x90, 12, TRUE}, {0x90, 16, FALSE}, {0xa0, 12, FALSE},
    {0xa0, 100, FALSE}, {0x80, 65536, FALSE},
  };
  g_autoptr (Cb) cb = cb_new (NULL);
  guint malformed = 0;
  guint16 seq = 1;
  guint32 timestamp = 0;
  GstBuffer *buffer, *whole;

  for (guint i = 0; i < G_N_ELEMENTS (heads); i++) {
    guint8 *data = g_malloc0 (heads[i].size + 2);

    data[0] = heads[i].first;
    data[1] = 96;
    buffer = gst_buffer_new ();
    if (heads[i].size > 0)
      gst_buffer_append_memory (buffer, gst_memory_new_wrapped (GST_MEMORY_FLAG_READONLY,
              g_memdup2 (data, heads[i].size), heads[i].size, 0, heads[i].size, NULL,
              NULL));
    g_free (data);
    breaker_pass (cb, buffer);
    malformed += heads[i].malformed;
    fail_unless_equals_uint64 (cb_stat (cb, "rtp-malformed"), malformed);
  }
  /* the header in three memories */
  whole = rtp_packet (CB_SSRC, 0, 0, FALSE, 12);
  buffer = gst_buffer_new ();
  for (gsize i = 0; i < 12; i += 4)
    gst_buffer_append_memory (buffer, gst_memory_copy (gst_buffer_peek_memory (whole, 0),
            (gssize) i, 4));
  gst_buffer_unref (whole);
  breaker_pass (cb, buffer);
  breaker_row (cb, &(Row) { 0 }, 1000, &seq, &timestamp);
  cb->streams[0].seq = seq;
  breaker_was_unmoved (cb, malformed);
}

/* T1: an hour goes by between two packets with nobody waiting for it, this process stands
 * still for 2 s, and the clock is another: none of it is silence of the receiver. */
TEST (test_breaker_time)
{
  g_autoptr (Cb) cb = cb_new (NULL);
  guint16 seq = 1;
  guint32 timestamp = 0;

  for (guint i = 0; i < 3; i++) {
    breaker_row (cb, &(Row) { 0 }, 500, &seq, &timestamp);
    gst_test_clock_advance_time (cb->clock, i == 1 ? 2 * GST_SECOND : HOUR);
    breaker_row (cb, &(Row) { 0 }, 500, &seq, &timestamp);
  }
  for (guint i = 0; i < 2; i++) {
    GstTestClock *clock = GST_TEST_CLOCK (gst_test_clock_new_with_start_time (i
            * 9000 * GST_SECOND));

    gst_element_set_clock (cb->e, GST_CLOCK (clock));
    gst_object_unref (cb->clock);
    cb->clock = clock;
    breaker_row (cb, &(Row) { 0 }, 500, &seq, &timestamp);
  }
  cb->streams[0].seq = seq;
  breaker_was_unmoved (cb, 0);
}

TEST_MAIN (bad_rtp);
