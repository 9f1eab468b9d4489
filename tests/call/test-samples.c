/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What a call's bins call lost, unsent and late, packet by packet in virtual time.
 */
#include <math.h>

#include "samples.h"

#define MS GST_MSECOND

enum { VIDEO = 0x56 };

typedef struct {
  CallSamples *samples;
  guint16 seq;
} Rig;

static CallPacket
packet (guint32 ssrc, guint32 timestamp, guint16 seq, gboolean extra)
{
  return (CallPacket) { .ssrc = ssrc, .timestamp = timestamp, .seq = seq, .extra = extra,
    .size = 1000 };
}

/* One that comes at @offered is sent after @wait and arrives after another @way; 0: never. */
static void
carry (Rig *r, GstClockTime offered, GstClockTime wait, GstClockTime way)
{
  const CallPacket p = packet (VIDEO, (guint32) (offered / MS), r->seq, FALSE);

  call_samples_coded (r->samples, offered, &p, CALL_VIDEO);
  if (wait) {
    r->seq++;
    call_samples_sent (r->samples, offered + wait, &p);
  }
  if (wait && way)
    call_samples_received (r->samples, offered + wait + way, &p);
}

/* Padding has the stream's numbers. */
static void
pad (Rig *r, GstClockTime now, GstClockTime way)
{
  const CallPacket p = packet (VIDEO, 0, r->seq++, TRUE);

  call_samples_sent (r->samples, now, &p);
  if (way)
    call_samples_received (r->samples, now + way, &p);
}

/* The call ends at @end. */
static CallTotals
totals_at (Rig *r, GstClockTime end)
{
  const CallSnapshot nothing = { 0 };
  CallTotals totals;
  CallSample row;
  RccLosses sum = { 0 };

  call_samples_snapshot (r->samples, end, &nothing);
  while (call_samples_next (r->samples, GST_CLOCK_TIME_NONE, &row))
    rcc_losses_add (&sum, &row.media);
  call_samples_totals (r->samples, &totals);
  g_assert_cmpuint (sum.offered, ==, totals.media.offered);
  g_assert_cmpuint (sum.unsent, ==, totals.media.unsent);
  g_assert_cmpuint (sum.left, ==, totals.media.left);
  g_assert_cmpuint (sum.lost, ==, totals.media.lost);
  g_assert_cmpuint (sum.late, ==, totals.media.late);
  call_samples_free (r->samples);
  return totals;
}

static void
counts (const RccLosses *l, guint offered, guint unsent, guint left, guint lost, guint late)
{
  g_assert_cmpuint (l->offered, ==, offered);
  g_assert_cmpuint (l->unsent, ==, unsent);
  g_assert_cmpuint (l->left, ==, left);
  g_assert_cmpuint (l->lost, ==, lost);
  g_assert_cmpuint (l->late, ==, late);
}

/* Of each ten, in 10 s: one unsent, one lost, two late (one through its wait alone). */
static void
three_outcomes (void)
{
  Rig r = { call_samples_new (TRUE, TRUE), 65500 };
  CallTotals t;

  for (guint i = 0; i < 1000; i++) {
    const GstClockTime offered = i * 10 * MS;

    switch (i % 10) {
      case 3:
        carry (&r, offered, 0, 0);
        break;
      case 5:
        carry (&r, offered, MS, 0);
        break;
      case 7:
        carry (&r, offered, MS, 220 * MS);
        break;
      case 8:
        carry (&r, offered, 180 * MS, 30 * MS);
        break;
      default:
        carry (&r, offered, MS, 30 * MS);
    }
  }
  t = totals_at (&r, 14 * GST_SECOND);
  g_assert_true (t.media.deadline);
  counts (&t.media, 1000, 100, 900, 100, 200);
}

/* Nor is what becomes of it. */
static void
padding_is_no_media (void)
{
  Rig r = { call_samples_new (TRUE, TRUE), 0 };
  CallTotals t;

  for (guint i = 0; i < 200; i++) {
    carry (&r, i * 20 * MS, MS, 30 * MS);
    pad (&r, i * 20 * MS + 5 * MS, i % 2 ? 30 * MS : 0);
  }
  t = totals_at (&r, 8 * GST_SECOND);
  counts (&t.media, 200, 0, 200, 0, 0);
}

/* What waits when the call ends is not unsent, what is on its way not lost; what came
 * before something that has left is unsent however late that is known. */
static void
at_the_end (void)
{
  Rig r = { call_samples_new (TRUE, TRUE), 0 };
  CallTotals t;

  for (guint i = 0; i < 100; i++)
    carry (&r, i * 40 * MS, i >= 96 || i == 90 ? 0 : MS, i >= 94 ? 0 : 30 * MS);
  t = totals_at (&r, 4 * GST_SECOND);
  /* In the bins to 3.8 s came what came before the last that left; what left until 3 s had
   * a second to come. */
  counts (&t.media, 95, 1, 75, 0, 0);
}

/* A breaker that opens for good: nothing leaves that could tell. */
static void
nothing_leaves_any_more (void)
{
  Rig r = { call_samples_new (TRUE, TRUE), 0 };
  CallTotals t;

  for (guint i = 0; i < 250; i++)
    carry (&r, i * 40 * MS, i < 100 ? MS : 0, 30 * MS);
  t = totals_at (&r, 10 * GST_SECOND);
  counts (&t.media, 180, 80, 100, 0, 0);      /* of what came 3 s before the end */
}

/* A frame whose packets come on both sides of a bin's end is of one bin. */
static void
frame_over_two_bins (void)
{
  Rig r = { call_samples_new (TRUE, TRUE), 0 };
  CallSample row;
  const CallSnapshot nothing = { 0 };

  for (guint i = 0; i < 10; i++) {
    const CallPacket p = packet (VIDEO, 7, (guint16) i, FALSE);

    call_samples_coded (r.samples, 195 * MS + i * MS, &p, CALL_VIDEO);
    call_samples_sent (r.samples, 230 * MS, &p);
    call_samples_received (r.samples, 260 * MS, &p);
  }
  call_samples_snapshot (r.samples, 10 * GST_SECOND, &nothing);
  g_assert_true (call_samples_next (r.samples, 10 * GST_SECOND, &row));
  g_assert_true (row.knows_offered);
  counts (&row.media, 10, 0, 0, 0, 0);
  g_assert_cmpfloat (row.on_time[CALL_VIDEO], ==, 1);
  g_assert_true (call_samples_next (r.samples, 10 * GST_SECOND, &row));
  counts (&row.media, 0, 0, 10, 0, 0);
  call_samples_free (r.samples);
}

/* It has numbers only: each that is missing counts as media, padding that comes does not,
 * not even behind its time. */
static void
a_receiver_alone (void)
{
  Rig r = { call_samples_new (FALSE, TRUE), 0 };
  CallTotals t;

  for (guint i = 0; i < 100; i++) {
    const CallPacket media = packet (VIDEO, i, (guint16) (65530 + 2 * i), FALSE);
    const CallPacket extra = packet (VIDEO, i, (guint16) (65531 + 2 * i), TRUE);

    if (i == 10) {                      /* padding that the next media packet overtook */
      const CallPacket next = packet (VIDEO, i, (guint16) (65532 + 2 * i), FALSE);

      call_samples_received (r.samples, i * 20 * MS, &media);
      call_samples_received (r.samples, i * 20 * MS, &next);
      call_samples_received (r.samples, i * 20 * MS, &extra);
      i++;
      continue;
    }
    if (i % 20 != 19)
      call_samples_received (r.samples, i * 20 * MS, &media);
    call_samples_received (r.samples, i * 20 * MS, &extra);
  }
  t = totals_at (&r, 4 * GST_SECOND);
  g_assert_cmpuint (t.media.offered, ==, 0);
  g_assert_false (t.media.deadline);
  g_assert_true (isnan (rcc_losses_late (&t.media)));
  /* of the 100 and the padding behind the eleventh, which did not come */
  counts (&t.media, 0, 0, 101, 6, 0);
}

/* It knows what came and left. */
static void
a_sender_alone (void)
{
  Rig r = { call_samples_new (TRUE, FALSE), 0 };
  CallTotals t;

  for (guint i = 0; i < 200; i++)
    carry (&r, i * 20 * MS, i % 4 ? MS : 0, 0);
  t = totals_at (&r, 8 * GST_SECOND);
  g_assert_false (t.media.deadline);
  counts (&t.media, 200, 50, 150, 0, 0);
}

/* The last picture stood for a second, and nothing of it was scored; less than two frames are
 * what is on its way. */
static void
stands_at_the_end (void)
{
  CallTotals t = { .frames = 100, .frozen = 10, .longest_freeze = 0.5, .psnr = 30 };

  call_totals_stand (&t, 0.13, 15);
  g_assert_cmpuint (t.frames, ==, 100);
  call_totals_stand (&t, 1.02, 15);
  g_assert_cmpuint (t.frames, ==, 115);
  g_assert_cmpuint (t.frozen, ==, 25);
  g_assert_cmpfloat (t.longest_freeze, ==, 1.02);
  g_assert_cmpfloat (t.psnr, ==, 30);
  t = (CallTotals) { .frames = 0 };
  call_totals_stand (&t, 5, 15);
  g_assert_cmpuint (t.frames, ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/samples/three-outcomes", three_outcomes);
  g_test_add_func ("/samples/padding", padding_is_no_media);
  g_test_add_func ("/samples/at-the-end", at_the_end);
  g_test_add_func ("/samples/nothing-leaves", nothing_leaves_any_more);
  g_test_add_func ("/samples/frame-over-two-bins", frame_over_two_bins);
  g_test_add_func ("/samples/receiver-alone", a_receiver_alone);
  g_test_add_func ("/samples/sender-alone", a_sender_alone);
  g_test_add_func ("/samples/stands-at-the-end", stands_at_the_end);
  return g_test_run ();
}
