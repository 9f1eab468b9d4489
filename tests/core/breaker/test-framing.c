/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <glib.h>
#include "core/breaker/framing.h"
#include "core/rng.h"

static RccFraming f;

static void
unknown_before_frames (void)
{
  rcc_framing_init (&f, 4);
  g_assert_cmpuint (rcc_framing_interval (&f, RCC_SEC), ==, RCC_NEVER);
  g_assert_cmpfloat (rcc_framing_packet_size (&f), ==, 0);
  rcc_framing_packet (&f, 0, 500, RCC_SEC);
  rcc_framing_packet (&f, 0, 700, RCC_SEC + 5 * RCC_MSEC);
  g_assert_cmpuint (rcc_framing_interval (&f, RCC_SEC), ==, RCC_NEVER);
  g_assert_cmpfloat (rcc_framing_packet_size (&f), ==, 600);
}

/* against the plain definition, frames of random numbers of packets of random sizes */
static void
size_is_over_exactly_the_last_frames (void)
{
  static const guint counts[] = { 1, 2, 4, 12, 240, 1024 };
  static guint64 bytes[4000], packets[4000];
  RccRng rng;

  rcc_rng_init (&rng, 1, 1);
  for (gsize c = 0; c < G_N_ELEMENTS (counts); c++) {
    rcc_framing_init (&f, counts[c]);
    for (guint frame = 0; frame < 4000; frame++) {
      guint64 b = 0, n = 0;

      bytes[frame] = packets[frame] = 0;
      for (guint k = 1 + rcc_rng_u32 (&rng) % 4; k > 0; k--) {
        const guint32 size = 100 + rcc_rng_u32 (&rng) % 1300;

        rcc_framing_packet (&f, frame * 3000 + 77, size, frame * RCC_MSEC);
        bytes[frame] += size;
        packets[frame]++;
      }
      for (guint i = frame + 1; i-- > 0 && frame - i < counts[c];) {
        b += bytes[i];
        n += packets[i];
      }
      g_assert_cmpfloat (rcc_framing_packet_size (&f), ==, (double) b / n);
    }
  }
}

/* 4 G = 10000: at least so many frames, and no more than one slot beyond */
static void
long_groups_are_coarse (void)
{
  rcc_framing_init (&f, 10000);
  for (guint frame = 0; frame < 30000; frame++)
    rcc_framing_packet (&f, frame, frame < 15000 ? 1000 : 500, frame);
  g_assert_cmpfloat (rcc_framing_packet_size (&f), ==, 500);
  g_assert_cmpuint (f.packets, >=, 10000 - f.frames_per_slot);
  g_assert_cmpuint (f.packets, <=, 10000 + f.frames_per_slot);
}

static void
interval_is_the_longest_of_ten_seconds (void)
{
  RccTime now = 100 * RCC_SEC;
  guint32 ts = 0;

  rcc_framing_init (&f, 4);
  for (int i = 0; i < 300; i++, now += 40 * RCC_MSEC)
    rcc_framing_packet (&f, ts++, 100, now);
  g_assert_cmpuint (rcc_framing_interval (&f, now), ==, 40 * RCC_MSEC);
  now += 460 * RCC_MSEC;                /* one gap of 500 ms */
  for (int i = 0; i < 250; i++, now += 40 * RCC_MSEC) {
    rcc_framing_packet (&f, ts++, 100, now);
    g_assert_cmpuint (rcc_framing_interval (&f, now), ==, 500 * RCC_MSEC);
  }
  for (int i = 0; i < 30; i++, now += 40 * RCC_MSEC)
    rcc_framing_packet (&f, ts++, 100, now);
  g_assert_cmpuint (rcc_framing_interval (&f, now), ==, 40 * RCC_MSEC);
}

/* RFC 8083 3: rarer than each 10 s, it is the time since the frame before */
static void
rare_frames_have_their_newest_gap (void)
{
  rcc_framing_init (&f, 4);
  rcc_framing_packet (&f, 1, 100, 10 * RCC_SEC);
  rcc_framing_packet (&f, 2, 100, 30 * RCC_SEC);
  rcc_framing_packet (&f, 3, 100, 42 * RCC_SEC);
  g_assert_cmpuint (rcc_framing_interval (&f, 54 * RCC_SEC), ==, 12 * RCC_SEC);
  g_assert_cmpuint (rcc_framing_interval (&f, 3600 * RCC_SEC), ==, 12 * RCC_SEC);
}

static void
packets_of_one_frame_are_no_gap (void)
{
  rcc_framing_init (&f, 4);
  for (guint i = 0; i < 30; i++)
    rcc_framing_packet (&f, i / 3, 100, RCC_SEC + i * 10 * RCC_MSEC);
  g_assert_cmpuint (rcc_framing_interval (&f, RCC_SEC), ==, 30 * RCC_MSEC);
}

static void
pause_is_no_gap (void)
{
  rcc_framing_init (&f, 4);
  rcc_framing_packet (&f, 1, 100, RCC_SEC);
  rcc_framing_packet (&f, 2, 100, RCC_SEC + 20 * RCC_MSEC);
  rcc_framing_pause (&f);
  rcc_framing_packet (&f, 2, 100, 8 * RCC_SEC);
  g_assert_cmpuint (rcc_framing_interval (&f, 8 * RCC_SEC), ==, 20 * RCC_MSEC);
  rcc_framing_packet (&f, 3, 100, 8 * RCC_SEC + 25 * RCC_MSEC);
  g_assert_cmpuint (rcc_framing_interval (&f, 9 * RCC_SEC), ==, 25 * RCC_MSEC);
}

/* Neither a timestamp that stands still nor absurd sizes or times overflow. */
static void
survives_absurd_streams (void)
{
  rcc_framing_init (&f, 2);
  for (guint i = 0; i < 200000; i++)
    rcc_framing_packet (&f, 7, 65535, i);
  g_assert_cmpfloat (rcc_framing_packet_size (&f), ==, 65535);
  g_assert_cmpuint (f.packets, <, 2 * 16385 + 2);
  rcc_framing_init (&f, UINT_MAX);
  for (guint i = 0; i < 100000; i++)
    rcc_framing_packet (&f, i, UINT32_MAX, RCC_NEVER - 200000 + i);
  g_assert_cmpfloat (rcc_framing_packet_size (&f), ==, 65535);
  rcc_framing_init (&f, 0);
  rcc_framing_packet (&f, 1, 10, 5);
  rcc_framing_packet (&f, 2, 30, 5);
  rcc_framing_packet (&f, 3, 30, 4);
  g_assert_cmpfloat (rcc_framing_packet_size (&f), ==, 30);
  g_assert_cmpuint (rcc_framing_interval (&f, 0), ==, 0);
}

/* A gap of second 100 is one of ten seconds ago at 110, and forgotten at 111. */
static void
a_gap_is_forgotten_with_its_second (void)
{
  guint32 ts = 0;

  rcc_framing_init (&f, 4);
  rcc_framing_packet (&f, ts++, 100, 100 * RCC_SEC);
  rcc_framing_packet (&f, ts++, 100, 100 * RCC_SEC + 500 * RCC_MSEC);
  for (guint i = 1; i < 20; i++)
    rcc_framing_packet (&f, ts++, 100, 100 * RCC_SEC + (500 + i * 40) * RCC_MSEC);
  g_assert_cmpuint (rcc_framing_interval (&f, 110 * RCC_SEC), ==, 500 * RCC_MSEC);
  g_assert_cmpuint (rcc_framing_interval (&f, 111 * RCC_SEC - 1), ==, 500 * RCC_MSEC);
  g_assert_cmpuint (rcc_framing_interval (&f, 111 * RCC_SEC), ==, 40 * RCC_MSEC);
}

/* Whichever second it is of. */
static void
a_gap_of_any_second_counts (void)
{
  for (guint second = 100; second < 125; second++) {
    guint32 ts = 0;

    rcc_framing_init (&f, 4);
    rcc_framing_packet (&f, ts++, 100, second * RCC_SEC);
    rcc_framing_packet (&f, ts++, 100, second * RCC_SEC + 500 * RCC_MSEC);
    for (guint i = 1; i < 60; i++)
      rcc_framing_packet (&f, ts++, 100, second * RCC_SEC + (500 + i * 40) * RCC_MSEC);
    g_assert_cmpuint (rcc_framing_interval (&f, (second + 3) * RCC_SEC), ==, 500 * RCC_MSEC);
  }
}

static void
frames_at_once_have_no_interval (void)
{
  rcc_framing_init (&f, 4);
  for (guint i = 0; i < 3; i++)
    rcc_framing_packet (&f, i, 500, RCC_SEC);
  g_assert_cmpuint (rcc_framing_interval (&f, RCC_SEC), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/framing/unknown-before-frames", unknown_before_frames);
  g_test_add_func ("/framing/size-is-over-exactly-the-last-frames",
      size_is_over_exactly_the_last_frames);
  g_test_add_func ("/framing/long-groups-are-coarse", long_groups_are_coarse);
  g_test_add_func ("/framing/interval-is-the-longest-of-ten-seconds",
      interval_is_the_longest_of_ten_seconds);
  g_test_add_func ("/framing/rare-frames-have-their-newest-gap",
      rare_frames_have_their_newest_gap);
  g_test_add_func ("/framing/packets-of-one-frame-are-no-gap",
      packets_of_one_frame_are_no_gap);
  g_test_add_func ("/framing/pause-is-no-gap", pause_is_no_gap);
  g_test_add_func ("/framing/survives-absurd-streams", survives_absurd_streams);
  g_test_add_func ("/framing/a-gap-is-forgotten-with-its-second",
      a_gap_is_forgotten_with_its_second);
  g_test_add_func ("/framing/a-gap-of-any-second-counts", a_gap_of_any_second_counts);
  g_test_add_func ("/framing/frames-at-once", frames_at_once_have_no_interval);
  return g_test_run ();
}
